"""What the people page says: the verdict, three answers, what the settings mean, one person.

Everything is computed from the true tracks, for the eyes of the table's owner.
"""

from __future__ import annotations

import math

from lmdk_widgets.budgets.schemes import SCHEMES
from lmdk_widgets.page.amounts import amount, bound, count, metres, percent, whole
from lmdk_widgets.page.answers import WAITS, Answer, guesses, promised
from lmdk_widgets.page.blocks import Notes
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.sentences import Sentence, Written, join, sentence
from lmdk_widgets.pages.people.evaluate import PeopleOutcome
from lmdk_widgets.pages.people.model import DISTANCES_M
from lmdk_widgets.scenario.model import Scenario

NEAREST_M = 20.0
"""No distance below this is written: a receiver is no better."""

FOR_THE_OWNER = "For the owner of the table only: everything here is computed from the true tracks."
SHORTLY = "For the table's owner only."
LOOKED_AT = (
    "An epsilon that follows from the limit is chosen by looking at the data: whoever learns it learns a little about "
    "them."
)
"""Beside an epsilon that follows from a limit."""

ASSUMPTION = (
    "Someone who knows when a person is at a place averages all reports made there. Each person is looked at alone, and "
    "nobody is joined with anybody. The numbers are expected over releases: in one release a few more or fewer are found. "
    "A release is useful to a careful reader whose mean error is at most half of what it would be without the release."
)

KEPT = {
    "Theorem": "the landmarks and any one other moment together",
    "window": "any {n_window} moments in a row together",
    "timestamp": "one moment",
}
"""About what a scheme promises something, by what it keeps."""


def found_text(found_m: float) -> Written:
    """How near somebody is found.

    Examples
    --------
    >>> found_text(12.0), found_text(93.4), found_text(math.inf)
    ('20 m', '93 m', 'not found')
    """
    if math.isinf(found_m):
        return Written("not found", found_m)
    return metres(max(found_m, NEAREST_M))


def headcount(number: float) -> Written:
    """An expected number of people: "0.4", "3.2", "312".

    Examples
    --------
    >>> headcount(0.04), headcount(3.21), headcount(312.4), headcount(99_950.2), headcount(0.0)
    ('0.04', '3.2', '312', '99,950', '0')
    """
    if number >= 9.95:
        return Written(f"{number:,.0f}", number)
    if number >= 0.095:
        return Written(f"{number:.1f}".removesuffix(".0"), number)
    return Written(f"{number:.1g}" if number >= 5e-4 else "0", number)


# -- the verdict -------------------------------------------------------------------------------------------------------


def verdict(outcome: PeopleOutcome) -> Message:
    """The decision in a line: whether more people are expected to be found than may be, and what would help."""
    meets = outcome.meets
    return {
        "look": "meets" if meets else "misses",
        "lead": "Meets your limit." if meets else "Does not meet your limit.",
        "why": why(outcome),
        "help": helps(outcome),
        "take": None if meets or math.isinf(outcome.epsilon_for) else taken(outcome),
        "owner": SHORTLY,
    }


def why(outcome: PeopleOutcome) -> Sentence:
    """What is expected, and what may be."""
    names = {
        "expected_here": headcount(outcome.expected_here),
        "n_people": count_people(len(outcome)),
        "distance": metres(outcome.choices.distance_m),
        "most_allowed": headcount(outcome.most_allowed),
    }
    if outcome.meets:
        return sentence(
            "{expected_here} of {n_people} are expected to be found nearer than {distance}; {most_allowed} may be.",
            **names,
        )
    return sentence(
        "{expected_here} of {n_people} are expected to be found nearer than {distance}, and only {most_allowed} may be.",
        **names,
    )


def count_people(number: int) -> Written:
    """ "one person", "six people", "1,000 people"."""
    return Written(f"{number:,} {'person' if number == 1 else 'people'}", number)


def helps(outcome: PeopleOutcome) -> Sentence | str:
    """The epsilon at which the limit is met."""
    scheme, most = SCHEMES[outcome.choices.scheme].title, outcome.epsilon_for
    if math.isinf(most):
        return sentence("No epsilon under {scheme} finds more.", scheme=scheme)
    if outcome.meets:
        return sentence(
            "It is met up to epsilon {epsilon_for} under {scheme} (chosen from the data).",
            epsilon_for=bound(most, up=False),
            scheme=scheme,
        )
    return sentence(
        "Epsilon {epsilon_for} under {scheme} would (chosen from the data).",
        epsilon_for=bound(most, up=False),
        scheme=scheme,
    )


def taken(outcome: PeopleOutcome) -> Message:
    """The change that meets the limit."""
    return {"op": "set", "name": "epsilon", "value": float(bound(outcome.epsilon_for, up=False).replace(",", ""))}


# -- the answers -------------------------------------------------------------------------------------------------------


def first_answers(outcome: PeopleOutcome) -> tuple[Answer, Answer, Answer]:
    """How many tracks stay useful, how many people are found, and what is promised to each."""
    return _useful(outcome), _found(outcome), _promised(outcome)


def _useful(outcome: PeopleOutcome) -> Answer:
    found = outcome.useful
    if found is None:
        return Answer("Useful", WAITS, "Being computed: for how many people a release shows more than nothing.")
    line = (
        "people's releases are useful to a careful reader; everybody's was tried."
        if found.people == found.of
        else sentence(
            "people's releases are useful to a careful reader ({useful_low} to {useful_high}, from {n_sampled} drawn at "
            "random).",
            useful_low=of_100(found.low),
            useful_high=of_100(found.high),
            n_sampled=whole(found.people),
        )
    )
    look = "red" if found.share < 0.1 else "amber" if found.share < 0.5 else ""
    value = Written(f"{of_100(found.share)} of 100", 100 * found.share)
    return Answer("Useful", value, line, look, short="people's releases are useful")


def of_100(share: float) -> Written:
    """So many of 100, to the nearest."""
    return Written(f"{100 * share:.0f}", 100 * share)


def _found(outcome: PeopleOutcome) -> Answer:
    n, distance = len(outcome), metres(outcome.choices.distance_m)
    nearest = outcome.found_m[outcome.nearest_first[0]]
    others = join(
        sentence("{expected} within {within}", expected=headcount(float(each)), within=metres(at))
        for each, at in zip(outcome.expected, DISTANCES_M, strict=True)
    )
    line = sentence(
        "people are expected to be found nearer than {distance}. {others}. The most exposed: to within {nearest}.",
        distance=distance,
        others=others,
        nearest=found_text(float(nearest)),
    )
    brief = sentence(
        "people are expected to be found nearer than {distance}; the most exposed to within {nearest}.",
        distance=distance,
        nearest=found_text(float(nearest)),
    )
    value = sentence("{expected_here} of {n}", expected_here=headcount(outcome.expected_here), n=whole(n))
    short = sentence("expected nearer than {distance}", distance=distance)
    return Answer("Found", value, line, "" if outcome.meets else "red", short, brief)


def _promised(outcome: PeopleOutcome) -> Answer:
    chance = guesses(outcome.choices.epsilon)
    value, look = promised(chance)
    secret = about(outcome)
    radius = metres(Scenario.defaults()["radius_m"])
    line = sentence(
        "guesses, at most, between two equally likely places {radius} apart: for {secret}. Nothing is promised about a home.",
        radius=radius,
        secret=secret,
    )
    return Answer("Promised", value, line, look, short=sentence("guesses right at most, for {secret}", secret=secret))


def about(outcome: PeopleOutcome) -> str:
    """What of each person the scheme promises something about."""
    scheme = SCHEMES[outcome.choices.scheme]
    if scheme.keeps == "Theorem" and outcome.choices.rule == "none":
        return KEPT["timestamp"]
    window = Scenario.defaults()["window"]
    return sentence(KEPT[scheme.keeps], n_window=whole(window)) if scheme.keeps == "window" else KEPT[scheme.keeps]


# -- in words ----------------------------------------------------------------------------------------------------------


def describe(outcome: PeopleOutcome) -> Notes:
    """What the settings mean, in sentences."""
    choices, n = outcome.choices, len(outcome)
    order = outcome.nearest_first
    middle = float(outcome.found_m[order[(n - 1) // 2]])
    paragraph = join(
        [
            sentence(
                "{table} Each of {n_people} publishes a track under {scheme} with epsilon {epsilon}.",
                table=outcome.table.said,
                n_people=count_people(n),
                scheme=SCHEMES[choices.scheme].title,
                epsilon=amount(choices.epsilon),
            ),
            sentence(
                "Half of the people are found to within {middle} or nearer in half of all releases.",
                middle=found_text(middle),
            )
            if math.isfinite(middle)
            else "Half of the people or more have no place where they stay, and are not found.",
            why(outcome),
            sentence("The limit is {most_share} of the people.", most_share=percent(choices.most_percent / 100)),
            LOOKED_AT,
            FOR_THE_OWNER,
        ],
        " ",
    )
    return Notes(paragraph, ASSUMPTION, warnings(outcome))


def warnings(outcome: PeopleOutcome) -> tuple[str, ...]:
    """Where the numbers do not hold."""
    found = []
    never = int((~(outcome.found_m < math.inf)).sum())
    if never:
        found.append(
            sentence(
                "{n_never} without a place of at least five reports: averaging does not find them here, other attacks may.",
                n_never=count_people(never),
            )
        )
    return (*found, *outcome.table.notices)


def person_message(outcome: PeopleOutcome) -> Message | None:
    """One person who was clicked: how near, how many reports; None for nobody."""
    k = outcome.choices.person
    if k < 0:
        return None
    name = str(outcome.people.names[k])
    rank = int((outcome.found_m < outcome.found_m[k]).sum())
    said = sentence(
        "{name}: found to within {found_here} in half of all releases, with {n_reports}. {n_nearer} found nearer.",
        name=name,
        found_here=found_text(float(outcome.found_m[k])),
        n_reports=count(int(outcome.people.reports[k]), "report"),
        n_nearer="Nobody is" if not rank else count_are(rank),
    )
    return {"name": name, "said": said, "python": f"Explorer(lab.track({name!r}))"}


def count_are(number: int) -> Written:
    """ "One person is", "312 people are"."""
    return Written(f"{count_people(number)} {'is' if number == 1 else 'are'}", number)
