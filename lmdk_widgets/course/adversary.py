"""Questions of the lesson on an adversary who follows a track: Bayes' rule, all releases, habits, and the bound."""

from __future__ import annotations

from functools import partial

import numpy as np

from lmdk_widgets.course.ask import Choice, Choose, Curve, Item, Number, Order, Point, Trap, probability
from lmdk_widgets.course.tracking import (
    ALL,
    FAR_M,
    KNOWLEDGE,
    NIGHT_BUDGET,
    PLANAR,
    RADIUS_M,
    SAME_EPSILON,
    STAYS,
    THREE_BUDGET,
    at_home,
    at_landmarks,
    bobs_errors,
    bobs_guess,
    bobs_scene,
    bobs_why,
    by_kind,
    even,
    far_apart,
    found_home,
    gap_errors,
    home,
    home_attacks,
    mean_noise_m,
    most_at_second,
    nights_scene,
    second,
    spent_at_night,
    truth_teller,
    tuesdays_errors,
)
from lmdk_widgets.names import FixedSchemeName
from lmdk_widgets.page.amounts import amount, metres, percent, whole
from lmdk_widgets.page.sentences import Written, sentence

BUDGET = 0.1
"""The budget of every hour on Tuesday, for comparing adversaries by what they know."""

BUDGETS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0)

SAME_BY = 0.05
"""Two schemes whose errors differ by less than this share count as equal."""


def _second() -> Choose:
    def why(k: int) -> str:
        alone, every, far = (values[k] for values in second())
        return sentence(
            "It is {distance} from the release, which alone gives it {belief_alone}; all four give it "
            "{belief_after_all}. {reason}",
            distance=metres(far),
            belief_alone=percent(alone),
            belief_after_all=percent(every),
            reason=said[k],
        )

    said = (
        "The second release is so noisy that its neighbours in time say more: the first one, at a large budget, was here, "
        "and people mostly stay.",
        "It is the nearest one, and would be the answer if there were no other release.",
        "The last release was near it, but that was two moves later.",
    )

    return Choose(
        name="adversary/second",
        text="The second release is nearest to place 1. In which place was the person most likely at the second timestamp, "
        "for an attacker who uses all four releases?",
        choices=tuple(Choice(f"place {k}", partial(why, k)) for k in range(3)),
        right=lambda: int(second()[1].argmax()),
    )


def _knowledge() -> Order:
    def of(knowledge: str) -> float:
        return tuesdays_errors(knowledge, BUDGET)[ALL]

    def said(knowledge: str) -> str:
        return sentence(
            "The adversary who knows {knowledge} is {adversary_error} off.",
            knowledge=KNOWLEDGE[knowledge],
            adversary_error=metres(of(knowledge)),
        )

    believed = PLANAR.mean_displacement(BUDGET)
    knows = {name: f"knowing {meaning}" for name, meaning in KNOWLEDGE.items()}
    items = [
        Item(
            "believing the report as it is",
            lambda: sentence("The report is {report_error} off on average.", report_error=metres(believed)),
        )
    ]
    items += [Item(text, partial(said, name)) for name, text in knows.items()]
    return Order(
        name="adversary/knowledge",
        text=sentence(
            "There is one release an hour on Tuesday, each with budget {budget} at a radius of {radius} m. How far off is "
            "the adversary's best guess on average, depending on what is known?",
            budget=Written(f"{BUDGET:g}", BUDGET),
            radius=Written(f"{RADIUS_M:g}", RADIUS_M),
        ),
        items=tuple(items),
        ends=("nearest to the truth", "farthest from it"),
        keys=lambda: [believed, *(of(name) for name in KNOWLEDGE)],
        why=lambda: sentence(
            "The noise is the same in all cases, {report_error} on average. Knowing where the cells are leaves "
            "{error_with_cells}, knowing how often he is in each {error_with_places}, and knowing the moves as well "
            "{error_with_habits}. What is public about a person undoes most of the noise.",
            report_error=metres(believed),
            error_with_cells=metres(of("cells")),
            error_with_places=metres(of("places")),
            error_with_habits=metres(of("habits")),
        ),
    )


def _same() -> Choose:
    schemes = ("uniform", "weighted")

    def said(scheme: FixedSchemeName) -> str:
        marked, others = by_kind(bobs_errors(scheme, even("uniform", scheme, SAME_EPSILON))[ALL])
        return sentence(
            "The adversary is {error_at_landmarks} off at the landmarks and {error_elsewhere} at the others.",
            error_at_landmarks=metres(marked),
            error_elsewhere=metres(others),
        )

    def right() -> int:
        errors = [at_landmarks(scheme) for scheme in schemes]
        return 2 if max(errors) < (1 + SAME_BY) * min(errors) else int(np.argmax(errors))

    return Choose(
        name="adversary/same",
        text=lambda: sentence(
            "Uniform with ε = {uniform_epsilon} and Weighted with ε = {weighted_epsilon} put Bob's reports equally "
            "far from the truth, {mean_noise} on average. Under which is the adversary farther from his landmarks?",
            uniform_epsilon=Written(f"{SAME_EPSILON:g}", SAME_EPSILON),
            weighted_epsilon=Written(
                f"{even('uniform', 'weighted', SAME_EPSILON):.3g}", even("uniform", "weighted", SAME_EPSILON)
            ),
            mean_noise=metres(mean_noise_m("uniform", SAME_EPSILON)),
        ),
        choices=(
            Choice("Uniform", lambda: f"{said('uniform')} It gives all timestamps the same noise."),
            Choice(
                "Weighted",
                lambda: (
                    f"{said('weighted')} It spends less on landmarks and more on the others, at the same mean error."
                ),
            ),
            Choice(
                "Neither: equal mean error, equal protection",
                lambda: sentence(
                    "{uniform_error} under Uniform, {weighted_error} under Weighted: a mean does not say where the noise is.",
                    uniform_error=metres(at_landmarks("uniform")),
                    weighted_error=metres(at_landmarks("weighted")),
                ),
            ),
        ),
        right=right,
    )


QUESTIONS = (
    probability(
        name="adversary/bayes",
        text="Before anything is released, an adversary believes he is at home with probability 3/4 and at work with 1/4. "
        "The phone uses randomised response and tells the truth with probability 3/4. It says “work”. How likely "
        "is it now that he is at work?",
        right=truth_teller,
        traps=(
            Trap(lambda: 0.75, "is the chance that the phone tells the truth. It leaves out what was believed before."),
            Trap(lambda: 0.25, "is what was believed before the answer. It leaves out the answer."),
            Trap(
                lambda: 0.75 * 0.25,
                "is the chance of “at work, and the phone says so”. Divide it by the chance that the phone says “work”.",
            ),
        ),
        why="Prior odds of 1 to 3, times 3 to 1 for the answer, are 1 to 1.",
    ),
    _second(),
    Curve(
        name="adversary/gap",
        text="A walker is seen at the same crossing at the first and the ninth timestamp, and never in between. Draw how far "
        "off the best guess is expected to be, for an attacker who looks back from the end.",
        x=tuple(range(1, 10)),
        right=gap_errors,
        high=1000.0,
        x_title="timestamp",
        y_title="expected error, m",
        tolerance=0.3,
        written=metres,
        why="Before the middle, the first sighting says more, and after it the last one: in the middle, both are farthest "
        "away.",
    ),
    Point(
        name="adversary/bob",
        text="Here are Bob's eight reports of one day, joined in order. Tap where his adversary places him at p5, using all "
        "of them.",
        scene=bobs_scene,
        right=bobs_guess,
        tolerance_m=450.0,
        why=bobs_why,
    ),
    _knowledge(),
    Curve(
        name="adversary/epsilons",
        text=lambda: (
            "An adversary knows the commuter's habits and uses all releases of the day. Draw how far the best guess is from "
            "the true place, against the budget of each hour. For comparison, the report itself is "
            + " and ".join(
                sentence(
                    "{mean_noise} off at {budget}",
                    mean_noise=metres(PLANAR.mean_displacement(b)),
                    budget=Written(f"{b:g}", b),
                )
                for b in (BUDGETS[0], BUDGETS[-1])
            )
            + "."
        ),
        x=BUDGETS,
        right=lambda: [tuesdays_errors("habits", budget)[ALL] for budget in BUDGETS],
        low=10.0,
        high=100_000.0,
        x_title="budget of each hour",
        y_title="off by, m",
        log=True,
        log_x=True,
        tolerance=0.8,
        written=metres,
        why=lambda: sentence(
            "More budget, less error. But with a tiny budget only the habits are left, with an error of "
            "{error_without_release} without any release: noise far beyond that costs the user precision and hardly "
            "hinders the adversary any more.",
            error_without_release=metres(tuesdays_errors("habits", BUDGETS[0])["no release"]),
        ),
    ),
    Point(
        name="adversary/home",
        text=lambda: sentence(
            "Here is a week of releases between 22:00 and 6:00, one an hour and each {mean_noise} off on average. "
            "The adversary assumes that all nights are spent in one place. Where does it say that the commuter lives?",
            mean_noise=metres(PLANAR.mean_displacement(NIGHT_BUDGET)),
        ),
        scene=nights_scene,
        right=home,
        tolerance_m=700.0,
        why=lambda: sentence(
            "The noise of many reports about one place averages out. Planar Laplace keeps its promise for each of "
            "them, {night_budget} at the radius, and together they spend {spent_together}.",
            night_budget=Written(f"{NIGHT_BUDGET:g}", NIGHT_BUDGET),
            spent_together=amount(spent_at_night()),
        ),
    ),
    Number(
        name="adversary/averaged",
        text=lambda: sentence(
            "Now there is a report for each hour of the week, with the same budget of {budget} at {radius} m. "
            "{home_reports} of the {reports} are from home, and an attacker knows which. Within how many metres does the "
            "attacker find it in half of all such weeks?",
            budget=Written(f"{NIGHT_BUDGET:g}", NIGHT_BUDGET),
            radius=Written(f"{RADIUS_M:g}", RADIUS_M),
            home_reports=whole(int(at_home()[1].sum())),
            reports=whole(len(at_home()[1])),
        ),
        right=lambda: found_home(NIGHT_BUDGET),
        high=100_000.0,
        tolerance=0.12,
        written=metres,
        unit="m",
        traps=(
            Trap(
                lambda: PLANAR.mean_displacement(NIGHT_BUDGET),
                "is how far one report is off on average. Many reports about one place are worth more.",
            ),
            Trap(
                lambda: PLANAR.mean_displacement(NIGHT_BUDGET) / int(at_home()[1].sum()),
                "is the noise of one report divided by their number. Noise averages out with the square root of that.",
            ),
        ),
        why=lambda: sentence(
            "It is 1.6651 r / B, where B is the root of the sum of squared budgets. Over 100 simulated weeks, "
            "averaging had a median error of {averaging_error}. An attacker who does not know when he is at home, "
            "and assumes only that people stay for an hour with {stays_share}, had {staying_error}.",
            averaging_error=metres(home_attacks(NIGHT_BUDGET)[0]),
            stays_share=Written(f"{STAYS:g}", STAYS),
            staying_error=metres(home_attacks(NIGHT_BUDGET)[1]),
        ),
    ),
    Number(
        name="adversary/most",
        text="There are three places and four timestamps, each answered by 3-ary randomised response with ε = 0.5. By how "
        "much, as a logarithm, can all four answers change the odds of two places at the second timestamp?",
        right=lambda: most_at_second()[0],
        high=10.0,
        tolerance=0.03,
        written=lambda change: f"{change:.3f}",
        traps=(
            Trap(
                lambda: THREE_BUDGET,
                "is what the second answer can change by itself. The other three answers say something about the second "
                "timestamp as well.",
            ),
            Trap(
                lambda: 4 * THREE_BUDGET,
                "is the sum of all four budgets. Four answers could change the odds by that much if nobody ever moved.",
            ),
        ),
        why=lambda: sentence(
            "It is the maximum over all 81 series of answers. The total loss of lesson “Correlation”, computed from the same "
            "prior and moves, is {total_loss}: a bound that is nearly reached.",
            total_loss=Written(f"{most_at_second()[1]:.3f}", most_at_second()[1]),
        ),
    ),
    Number(
        name="adversary/far",
        text="Take one planar Laplace report with a budget of 0.5 at a radius of 200 m. By how much, as a logarithm, can it "
        "change the odds of two cells 2 km apart?",
        right=far_apart,
        high=100.0,
        tolerance=0.01,
        traps=(
            Trap(lambda: THREE_BUDGET, "is the bound for two places 200 m apart. These two are 2 km apart."),
            Trap(
                lambda: THREE_BUDGET * RADIUS_M / FAR_M,
                "is the budget divided by the distance in radii. Places that are farther apart are easier to tell "
                "apart, so multiply.",
            ),
        ),
        why="Geo-indistinguishability grows with distance: 0.5 for each 200 m, ten times that for 2 km.",
    ),
    _same(),
)
