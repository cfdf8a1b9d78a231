"""The sentences of the track page with a number in them, and where each number comes from."""

from __future__ import annotations

import math
from typing import Any

from tests.every_number.added_claims import ADDED
from tests.every_number.claims import Claims, Pattern, least, most, near
from tests.every_number.found_claims import FOUND
from tests.every_number.hidden_claims import HIDDEN
from tests.every_number.landmarks_fields import ARRAYS, STRUCTURE
from tests.every_number.landmarks_truth import LandmarkTruth
from tests.every_number.landmarks_words import (
    ANY_TWO,
    EVENT,
    FITS,
    MOMENT,
    ODDS,
    TOP,
    USER,
    WHEN,
    WHO,
    K,
    beyond,
    metre,
    told_unless,
)
from tests.every_number.pairs_truth import PAIRS
from tests.every_number.spent_truth import ONLINE
from tests.every_number.useful_truth import USEFUL


def odds(odds: str, holes: dict[str, Any]) -> list[Pattern]:
    """What can be said of the odds of one moment, if moments are independent."""
    sure = told_unless("by a factor of more than a million", lambda t: math.exp(min(max(t.alone), 700)) >= 1e6)
    factor = most(lambda t: math.exp(min(max(t.alone), 700)), slack=1e-8)
    changes = odds.removesuffix(",")
    return [
        Pattern(f"can change {odds} by a factor of at most {{factor}}", factor=factor, **holes),
        Pattern(f"may change {odds} {{how*}}", **sure, **holes),
        Pattern(
            f"{{how*}} change {changes}", **told_unless("cannot noticeably", lambda t: max(t.alone) < 1.1e-9), **holes
        ),
    ]


RESPONSE = (
    "between any two cells, however far apart, a timestamp with budget b changes the odds by a factor of at most e^b,"
)


ASSUMED = [
    Pattern("assumes a chain of {m#} <place|cell><s|> ", m=lambda t: len(t.matrix)),
    Pattern(
        "assumes a chain of {m#} cell<s|> of {side} (estimated from this very track with smoothing {c}, ",
        m=lambda t: len(t.matrix),
        side=lambda t: t.s.cell_m,
        c=lambda t: 0.01,
    ),
    Pattern(" (strength s = {s}, ", s=lambda t: t.s.smoothing),
]

PATTERNS = [
    *HIDDEN,
    *USEFUL,
    *ADDED,
    # the odds of one moment
    *odds(ODDS, MOMENT),
    *odds(ANY_TWO, WHEN),
    *ASSUMED,
    *FOUND,
    *PAIRS,
    # budgets
    Pattern(
        "The only timestamp may spend the whole budget of {epsilon}.",
        epsilon=lambda t: t.epsilon if t.n == 1 else math.nan,
    ),
    Pattern(
        "Each of the {n#} timestamp<s|> may spend the whole budget of {epsilon} by itself.", n="n", epsilon="epsilon"
    ),
    Pattern(
        "Both timestamps share the budget of {epsilon}, {each} each.",
        epsilon=lambda t: t.epsilon if t.n == 2 else math.nan,
        each=lambda t: t.alike(range(t.n)),
    ),
    Pattern(
        "All {n#} timestamp<s|> share the budget of {epsilon}, {each} each.",
        n="n",
        epsilon="epsilon",
        each=lambda t: t.alike(range(t.n)),
    ),
    Pattern(
        "Your {k#} <landmark|protected timestamp><s|> spend<s|> {share}< together|>, with one other "
        "timestamp at most {top}.",
        k="k",
        share=near("share", size=1e-12),
        top=TOP,
    ),
    Pattern(
        "Your {k#} <landmark|protected timestamp><s|> spend<s|> {share}< together|>.",
        k="k",
        share=near("share", size=1e-12),
    ),
    Pattern("Every timestamp may spend the whole budget of {epsilon} by itself", epsilon="epsilon"),
    Pattern("Any {w#} timestamps in a row share the budget of {epsilon}", w="w", epsilon="epsilon"),
    Pattern(", {each} each.", each=lambda t: t.alike(range(t.n) if t.scheme != "uniform" else t.marks)),
    Pattern(
        "{measured#} of {n#} timestamp<s|> <was|were> measured, the others repeat the last release.",
        measured="measured",
        n="n",
    ),
    Pattern(
        "Any {w#} timestamps in a row spend up to {top} in this draw, and at most {epsilon} in any draw.",
        w="w",
        top=most(lambda t: max(t.window_totals)),
        epsilon=most("epsilon"),
    ),
    Pattern(
        "A timestamp spends up to {top} in this draw, and at most {epsilon} in any draw.",
        top=most(lambda t: max(t.window_totals)),
        epsilon=most("epsilon"),
    ),
    Pattern("Under Cao's plan every timestamp loses {target} in total", target="target"),
    Pattern("Under Cao's plan every timestamp loses at most {target} in total", target=most("target")),
    Pattern(
        "<Under this plan|Until a better plan is found, this is Cao's plan:|Until a better plan is found, this is user "
        "level:> every timestamp loses at most {target} in total",
        target=most("target"),
    ),
    Pattern(
        "Its expected mean error is {mine}; under Cao's plan {cao}, under user level {user} at the same target< (by planar "
        "Laplace)|>.",
        mine=metre(lambda t: t.searched_errors[0]),
        cao=metre(lambda t: t.searched_errors[1]),
        user=metre(lambda t: t.searched_errors[2]),
    ),
    Pattern(
        "Its expected mean error is {mine}; under user level {user} at the same target< (by planar Laplace)|>.",
        mine=metre(lambda t: t.searched_errors[0]),
        user=metre(lambda t: t.searched_errors[2]),
    ),
    Pattern(
        ": {first} at the first, {last} at the last, at least {low} elsewhere.",
        first=lambda t: t.spent[0],
        last=lambda t: t.spent[-1],
        low=least(lambda t: min(t.spent)),
    ),
    Pattern(
        "User level does better here at the same target: an expected mean error of {user} against {plan}"
        "< by planar Laplace|>.",
        user=metre(lambda t: t.plan_errors[0]),
        plan=metre(lambda t: t.plan_errors[1]),
    ),
    Pattern(
        ": {first} at the first, {last} at the last, {middle} between.",
        first=lambda t: t.spent[0],
        last=lambda t: t.spent[-1],
        middle=lambda t: t.alike(range(1, t.n - 1)),
    ),
    Pattern(": {each} each.", each=lambda t: t.alike(range(t.n), within=1e-5)),
    Pattern(": {first} at the first, {last} at the last.", first=lambda t: t.spent[0], last=lambda t: t.spent[-1]),
    Pattern("Budgets are set by hand, {each} at each timestamp.", each=lambda t: t.alike(range(t.n))),
    Pattern("Budgets are set by hand, from {low} to {high}.", low=lambda t: min(t.spent), high=lambda t: max(t.spent)),
    Pattern(
        f"not landmark private: {WHO} up to {{top}}, above the budget of {{epsilon}}; times {{factor}} they fit.",
        k="k",
        **FITS,
    ),
    Pattern(
        "for single timestamps: one timestamp spends up to {top}, above the budget of {epsilon}; times {factor} they fit.",
        **FITS,
    ),
    Pattern(f"leave nothing: {WHO} up to {{top}} of the budget of {{epsilon}}.", k="k", top=TOP, epsilon="epsilon"),
    Pattern("leave nothing: one timestamp spends up to {top} of the budget of {epsilon}.", top=TOP, epsilon="epsilon"),
    Pattern(
        f"fit: {WHO} up to {{top}} of the budget of {{epsilon}}; {{factor}} times as large they still fit.",
        k="k",
        **FITS,
    ),
    Pattern(
        "fit: one timestamp spends up to {top} of the budget of {epsilon}; {factor} times as large they still fit.",
        **FITS,
    ),
    Pattern("Fit: times {factor}", alone=True, factor=least("fits")),
    Pattern("Every budget is {none}.", none=lambda t: max(t.spent)),
    Pattern("Where a budget is {none} nothing is measured", none=lambda t: min(t.spent)),
    Pattern("each timestamp may spend up to the whole budget of {epsilon} by itself", epsilon="epsilon"),
    Pattern(
        "Your {k#} <landmark|protected timestamp><s|> <is|are> not measured and spend<s|> no budget",
        k=lambda t: t.k if t.share == 0 else -1,
    ),
    Pattern(
        "every other timestamp may spend the whole budget of {epsilon}.",
        epsilon=lambda t: t.epsilon if t.k == t.n or t.adds == t.epsilon else math.nan,
    ),
    Pattern(
        "{measured#} of {n#} timestamp<s|> <was|were> measured. Your {k#} <landmark|protected "
        "timestamp><s|> <together |>spend<s|> {share} of the "
        "budget of {epsilon}",
        measured="measured",
        n="n",
        share=near("share", size=1e-12),
        **K,
    ),
    Pattern(", with any one other timestamp at most {top}.", top=TOP),
    Pattern(
        "Your {k#} <landmark|protected timestamp><s|> <is|are> the whole track and <spends|share> "
        "the budget of {epsilon}",
        k=lambda t: t.k if t.k == t.n else -1,
        epsilon="epsilon",
    ),
    Pattern(
        "Your {k#} <landmark|protected timestamp>s share {share} of the budget of {epsilon}, {each} "
        "each; any one other timestamp adds {adds}.",
        share="share",
        each=lambda t: t.alike(t.marks),
        adds="adds",
        **K,
    ),
    Pattern(
        "Your {k#} <landmark|protected timestamp> spends {share} of the budget of {epsilon}; "
        "any one other timestamp adds {adds}.",
        share="share",
        adds="adds",
        **K,
    ),
    Pattern("landmarks get {more} times the noise of Uniform.", more="more_noise"),
    # errors
    Pattern(
        "{median} or more from the truth (mean {mean}; expected< by planar Laplace|>: "
        "event level {event}, user level {user})",
        median=metre("median"),
        mean=metre("mean"),
        event=EVENT,
        user=USER,
    ),
    Pattern(
        "{median} or more from the truth (mean {mean}; expected< by planar Laplace|>: "
        "event level {event}, user level {far*})",
        median=metre("median"),
        mean=metre("mean"),
        event=EVENT,
        far=beyond(USER),
    ),
    Pattern(
        "{median} or more from the truth (mean {mean}; expected< by planar Laplace|>: "
        "event level {far*}, user level {far*})",
        median=metre("median"),
        mean=metre("mean"),
        far=beyond(EVENT, USER),
    ),
    Pattern("Over {draws#} draws, at least half of the timestamps are on average", draws=lambda t: 100),
    Pattern(
        "reports one of {cells#} cell<s|> of {side}, at an expected {expected} from the truth where it measures",
        cells=lambda t: len(t.centres),
        side=lambda t: t.s.place_m,
        expected=metre("expected"),
    ),
    Pattern(
        "reports one of {cells#} cells of {side}, the true one with a chance of {each}, by mere chance {mere}, at an "
        "expected {expected} from the truth where it measures.",
        cells=lambda t: len(t.grid),
        side=lambda t: t.s.place_m,
        each=lambda t: max(t.keeps) if max(t.keeps) < min(t.keeps) * 1.2 else math.nan,
        mere=lambda t: 1 / len(t.grid),
        expected=metre("expected"),
    ),
    Pattern(
        "reports one of {cells#} cells of {side}, the true one with a chance of {low} to {high}, by mere chance {mere}, "
        "at an expected {expected} from the truth where it measures.",
        cells=lambda t: len(t.grid),
        side=lambda t: t.s.place_m,
        low=lambda t: min(t.keeps),
        high=lambda t: max(t.keeps),
        mere=lambda t: 1 / len(t.grid),
        expected=metre("expected"),
    ),
    Pattern("true cell with a chance of up to {chance}: the report", chance=most(lambda t: max(t.keeps))),
    Pattern(
        ": {saving} {how*} than planar Laplace with the same budgets.",
        saving=near(lambda t: abs(t.saving), slack=1e-5),
        how=lambda t: "less" if t.saving > 0 else "more",
    ),
    # losses
    Pattern("learns up to {peak} about one timestamp", peak=most("peak")),
    Pattern("about one timestamp, {times} times its own budget", times="times"),
    Pattern(
        "on a longer track the loss grows {how*}", **told_unless("without bound", lambda t: math.isinf(t.supremum))
    ),
    Pattern("(it would stay bounded with less than {bounded} each)", bounded=least("bounded")),
    Pattern("never more than {supremum}<.|;>", supremum=most("supremum")),
    Pattern(
        "<All timestamps|Both timestamps> together spend at most {spent}, and nobody",
        spent=most(lambda t: math.fsum(t.spent)),
    ),
    Pattern("The only timestamp spends at most {spent}, and nobody", spent=most(lambda t: math.fsum(t.spent))),
    Pattern(
        "and nobody learns more than {more} as long as",
        more=most(
            lambda t: (
                math.fsum(t.spent) * t.weakened * (1 if t.o.reports is None or t.responds else t.s.place_m / t.radius)
            ),
            slack=1e-8,
        ),
    ),
    Pattern("as long as all places in question lie within {radius} of each other,", radius="radius"),
    Pattern("as long as all places in question lie in one cell or in two neighbouring ones,"),
    Pattern(
        "any {w#} timestamps in a row lose at most {together} together, between two cells, ",
        w="w",
        together=most(lambda t: max(t.window_loss)),
    ),
    Pattern(
        "your {k#} <landmark|protected timestamp><s|>< and one other timestamp|> together lose {count} "
        "to the same attacker, <with all places so near|by the same number>, between two cells, the place within a cell "
        "drawn anew at every timestamp; a bound takes too long here.",
        k="k",
        count=lambda t: max(t.landmark),
    ),
    Pattern(
        "your {k#} <landmark|protected timestamp><s|>< and one other timestamp|> together lose at most "
        "{bound} (a proven bound), between two cells, the place within a cell drawn anew at every timestamp; the landmark "
        "paper's count, which is not a bound, gives {count}.",
        k="k",
        bound=most(lambda t: max(t.landmark_bound), slack=1e-7),
        count=lambda t: max(t.landmark),
    ),
    # assumption
    Pattern("between two places {radius} apart, a timestamp", radius="radius"),
    Pattern("protection radius of {radius}.", radius="radius"),
    Pattern(
        "{how*}",
        **told_unless(
            "a timestamp with budget b changes the odds by a factor of at most e^b, and places",
            lambda t: t.weakened <= 1 + 1e-4,
        ),
    ),
    Pattern(
        "a timestamp with budget b changes the odds by a factor of at most e^({factor} b), and <places|between cells>",
        factor=most(lambda t: t.weakened * (t.s.place_m / t.radius if t.o.reports is not None else 1)),
    ),
    Pattern("no report reveals more than {certified} of its budget", certified=most("certified")),
    Pattern(
        "could lower the expected error by more than {gap} of the error of a blind guess", gap=most("gap", size=1e-6)
    ),
    Pattern("the given matrix, of {m} places", m=lambda t: len(t.matrix)),
    Pattern(
        "over {m} places with strength s = {s} (a smaller s is stronger)",
        m=lambda t: len(t.matrix),
        s=lambda t: t.s.smoothing,
    ),
    Pattern("assumed <weak|moderate|strong>, over {m} places", m=lambda t: len(t.matrix)),
    Pattern("any two cells, however far apart, where its states are cells; nobody distinguishes places in one cell"),
    Pattern(": two places in one cell are not told apart at all; between two neighbouring cells,"),
    Pattern(
        ": two places in one cell are not told apart at all; {how*}", **told_unless(RESPONSE, lambda t: t.responds)
    ),
    # warnings
    Pattern(
        "The region, {wide} by {high}, is a proposal: the smallest box of a quarter-degree lattice around these data,",
        wide=lambda t: t.region_km[0] if t.proposed else math.nan,
        high=lambda t: t.region_km[1] * 1000,
    ),
    Pattern(
        "{away#} of {n#} timestamp<s|> <lie|lies> outside the region, by up to {far}: <the mechanism|planar Laplace>",
        away=lambda t: len(t.away_m),
        n="n",
        far=most(lambda t: max(t.away_m), size=1e-3),
    ),
    Pattern(
        "does not protect your landmark<s|> together< with one other timestamp|>: <it spends|they spend> up to {top}, {over} "
        "times the <budget|loss that each timestamp keeps>.",
        top=TOP,
        over=most(lambda t: t.overrun if t.scheme not in ONLINE else -1),
    ),
    Pattern(
        "does not protect your landmark<s|> together< with one other timestamp|>: <it spends|they spend> {top} in this "
        "draw, and at most {most} in any draw, {over} times the budget.",
        top="top",
        most=most(lambda t: t.landmarks_and_one / t.counted),
        over=most(lambda t: t.landmarks_and_one / t.counted / t.epsilon),
    ),
    Pattern("The chain leaves {left#} state<s|> for ever.", left=lambda t: losses_left(t)),
    Pattern("The first {first#} timestamps have no release.", first="released_late"),
    Pattern(
        "stretches distances by up to {wide}, and the guarantee weakens accordingly: the budget of each timestamp counts "
        "up to {stretch} times.",
        wide=most(lambda t: t.weakened - 1, size=1e-9),
        stretch=most("weakened"),
    ),
    Pattern(
        "two of them {radius} apart may lie up to {around} apart on it, so the budget of each timestamp counts up to "
        "{times} times.",
        radius=lambda t: t.radius if t.torn else math.nan,
        around=most(lambda t: 2 * math.pi * 6_371_008.8),
        times=most("weakened"),
    ),
    Pattern(
        "Neighbouring cells are {apart} protection radii apart and may be told apart by a factor of e^{told}:",
        apart=lambda t: t.s.place_m / t.radius,
        told=lambda t: max(t.spent) * t.s.place_m / t.radius,
    ),
    # captions
    Pattern("Budgets: {low} to {high} per timestamp", low=lambda t: min(t.spent), high=lambda t: max(t.spent)),
    Pattern("Budgets: {each} per timestamp", each=lambda t: t.alike(range(t.n))),
    Pattern("; in a window at most {top}, ", top=most(lambda t: max(t.window_totals))),
    Pattern("; with the landmarks at most {top}, ", top=TOP),
    Pattern("for a total loss of {target}.", target="target"),
    Pattern("every timestamp having {epsilon}.", epsilon="epsilon"),
    Pattern("any {w#} timestamps in a row having {epsilon}.", w="w", epsilon="epsilon"),
    Pattern("the budget being {epsilon}.", epsilon="epsilon"),
    Pattern(
        ": backward up to {back}, forward up to {ahead}, total {low} to {high}, ",
        back=most(lambda t: max(t.backward)),
        ahead=most(lambda t: max(t.forward)),
        low=most(lambda t: min(t.total), size=1e-30),
        high=most("peak"),
    ),
    Pattern("grows {how*} on a longer track", **told_unless("without bound", lambda t: math.isinf(t.supremum))),
    Pattern(
        "Error: mean {mean}, at least half within {median}; expected {event} at event level and {user} at user level.",
        mean=metre("mean"),
        median=metre("median"),
        event=EVENT,
        user=USER,
    ),
    Pattern(
        "Error: mean {mean}, at least half within {median}; expected {event} at event level and {far*} at user level.",
        mean=metre("mean"),
        median=metre("median"),
        event=EVENT,
        far=beyond(USER),
    ),
    Pattern(
        "Error: mean {mean}, at least half within {median}; expected {far*} at event level and {far*} at user level.",
        mean=metre("mean"),
        median=metre("median"),
        far=beyond(EVENT, USER),
    ),
    Pattern(
        "at user level. Sampling rate: {low} to {high}; threshold {least} to {greatest}.",
        low=lambda t: min(t.rate),
        high=lambda t: max(t.rate),
        least=lambda t: min(t.threshold_m),
        greatest=lambda t: max(t.threshold_m),
    ),
    Pattern("{m#} state<s|>; it stays< where it is|> with probability ", m=lambda t: len(t.matrix)),
    Pattern(
        "with probability {low} to {high}; in",
        low=lambda t: min(t.matrix.diagonal()),
        high=lambda t: max(t.matrix.diagonal()),
    ),
    Pattern("with probability {each}; in", each=near(lambda t: t.matrix.diagonal().min(), slack=0.005)),
    Pattern(
        "in the long run it spends {often} of the time in the most frequent.",
        often=near(lambda t: max(t.long_run), slack=1e-9),
    ),
    Pattern("The loss stays bounded while each timestamp spends less than {bounded}.", bounded=least("bounded")),
    Pattern("The loss grows {how*}.", **told_unless("without bound for every epsilon", lambda t: t.bounded == 0)),
    Pattern("{said*}", said="found_now"),
    Pattern("{stays#} stay<s|> found", stays=lambda t: len(t.stays)),
    Pattern("{one#} timestamp<s|> to mark, one per stay, drawn hollow", one="stays_one"),
    Pattern("First and last of each day, {stays#} timestamp<s|>:", stays=lambda t: len(t.stays)),
    Pattern("{one#} timestamp<s|> to mark, drawn hollow", one="stays_one"),
    Pattern("; {whole#} timestamp<s|> to mark them in full.", whole="stays_whole"),
    # the timeline's legend
    Pattern("ε = {epsilon}", alone=True, epsilon="epsilon"),
    Pattern("never above {supremum}", alone=True, supremum=most("supremum")),
    Pattern("{how*}", alone=True, **told_unless("grows without bound", lambda t: math.isinf(t.supremum))),
    Pattern("target {target}", alone=True, target="target"),
    Pattern("mean {mean}", alone=True, mean=metre("mean")),
    Pattern("event level {event}", alone=True, event=EVENT),
    Pattern("user level {user}<, above|>", alone=True, user=USER),
    Pattern("{low}", alone=True, low=lambda t: 0.05),
    Pattern("{low} to {high}", alone=True, low=lambda t: "5", high=lambda t: 0.95),
]


def losses_left(t: LandmarkTruth) -> int:
    from tests.every_number.losses import left_for_ever

    return left_for_ever(t.matrix)


def landmark_claims() -> Claims:
    return Claims(PATTERNS, ARRAYS, STRUCTURE)
