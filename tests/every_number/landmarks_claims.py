"""The sentences of the landmark page with a number in them, and where each number comes from."""

from __future__ import annotations

import math
from typing import Any

from lmdk_widgets.scenario.landmarks.model import SCHEMES
from tests.every_number.claims import Claims, Hole, Pattern, Tolerant, Wrong, least, most, near
from tests.every_number.landmarks_truth import HALF_EARTH_M, ONLINE, LandmarkTruth

GROUND = 2e-4
"""Distances in the track's frame are those on the ground to less than this."""


def metre(find: Any) -> Hole:
    return near(find, slack=GROUND, size=1e-6)


def told_unless(sentence: str, holds: Any) -> dict[str, Any]:
    """A text hole that is the sentence where it holds, and nothing that is ever said where it does not."""
    return {"how": lambda t: sentence if holds(t) else "NOT TRUE HERE"}


K = {"k": "k", "epsilon": "epsilon"}
TOP = most("top")

MOMENT = {"when": lambda t: t.moment, "apart": lambda t: t.compared_m}
ODDS = "the odds of where you were {when*}, between two <places|neighbouring cells of> {apart}< apart|>,"

PATTERNS = [
    # the odds of one moment
    Pattern(
        f"can change {ODDS} by a factor of at most {{factor}}",
        factor=most(lambda t: math.exp(min(t.told, 700)), slack=1e-8),
        **MOMENT,
    ),
    Pattern(
        f"may change {ODDS} {{how*}}",
        **told_unless("by a factor of more than a million", lambda t: 1e6 <= math.exp(min(t.told, 700)) < math.inf),
        **MOMENT,
    ),
    Pattern(
        f"{{how*}} changes {ODDS.removesuffix(',')}",
        **told_unless("may learn all: there is no limit to how far that", lambda t: math.isinf(t.told)),
        **MOMENT,
    ),
    Pattern(
        f"{{how*}} change {ODDS.removesuffix(',')}",
        **told_unless("cannot noticeably", lambda t: t.told < 1.1e-9),
        **MOMENT,
    ),
    # budgets
    Pattern(
        "The only timestamp may spend the whole budget of {epsilon}.",
        epsilon=lambda t: t.epsilon if t.n == 1 else math.nan,
    ),
    Pattern(
        "Each of the {n#} timestamp<s|> may spend the whole budget of {epsilon} by itself.", n="n", epsilon="epsilon"
    ),
    Pattern(
        "All {n#} timestamp<s|> share the budget of {epsilon}, {each} each.",
        n="n",
        epsilon="epsilon",
        each=lambda t: t.alike(range(t.n)),
    ),
    Pattern(
        "Your {k#} landmark<s|> spend<s|> {share}< together|>, with one other timestamp at most {top}.",
        k="k",
        share=near("share", size=1e-12),
        top=TOP,
    ),
    Pattern("Your {k#} landmark<s|> spend<s|> {share}< together|>.", k="k", share=near("share", size=1e-12)),
    Pattern("Every timestamp may spend the whole budget of {epsilon} by itself", epsilon="epsilon"),
    Pattern("Any {w#} timestamps in a row share the budget of {epsilon}", w="w", epsilon="epsilon"),
    Pattern(", {each} each.", each=lambda t: t.alike(range(t.n) if t.scheme != "uniform" else t.marks)),
    Pattern(
        "{measured#} of {n#} timestamp<s|> <was|were> measured, the others repeat the last release.",
        measured="measured",
        n="n",
    ),
    Pattern("Any {w#} timestamps in a row spend at most {top} here.", w="w", top=most(lambda t: max(t.window_totals))),
    Pattern("A timestamp spends at most {top} here.", top=most(lambda t: max(t.window_totals))),
    Pattern("so that every timestamp loses {target} in total", target="target"),
    Pattern("so that every timestamp loses at most {target} in total", target=most("target")),
    Pattern(
        ": {first} at the first, {last} at the last, {middle} between.",
        first=lambda t: t.spent[0],
        last=lambda t: t.spent[-1],
        middle=lambda t: t.alike(range(1, t.n - 1)),
    ),
    Pattern(": {each} each.", each=lambda t: t.alike(range(t.n))),
    Pattern(": {first} at the first, {last} at the last.", first=lambda t: t.spent[0], last=lambda t: t.spent[-1]),
    Pattern("each timestamp may spend up to the whole budget of {epsilon} by itself", epsilon="epsilon"),
    Pattern(
        "Your {k#} landmark<s|> <is|are> not measured and spend<s|> no budget", k=lambda t: t.k if t.share == 0 else -1
    ),
    Pattern(
        "every other timestamp may spend the whole budget of {epsilon}.",
        epsilon=lambda t: t.epsilon if t.k == t.n or t.adds == t.epsilon else math.nan,
    ),
    Pattern(
        "{measured#} of {n#} timestamp<s|> <was|were> measured. Your {k#} landmark<s|> <together |>spend<s|> {share} of the "
        "budget of {epsilon}",
        measured="measured",
        n="n",
        share=near("share", size=1e-12),
        **K,
    ),
    Pattern(", with any one other timestamp at most {top}.", top=TOP),
    Pattern(
        "Your {k#} landmark<s|> <is|are> the whole track and <spends|share> the budget of {epsilon}",
        k=lambda t: t.k if t.k == t.n else -1,
        epsilon="epsilon",
    ),
    Pattern(
        "Your {k#} landmarks share {share} of the budget of {epsilon}, {each} each; any one other timestamp adds {adds}.",
        share="share",
        each=lambda t: t.alike(t.marks),
        adds="adds",
        **K,
    ),
    Pattern(
        "Your {k#} landmark spends {share} of the budget of {epsilon}; any one other timestamp adds {adds}.",
        share="share",
        adds="adds",
        **K,
    ),
    Pattern("landmarks get {more} times the noise of Uniform.", more="more_noise"),
    # errors
    Pattern(
        "farther than {median} from the truth (mean {mean}; event level {event}, user level {user} expected",
        median=metre("median"),
        mean=metre("mean"),
        event=lambda t: t.planar_error(t.epsilon),
        user=lambda t: t.planar_error(t.epsilon / t.n),
    ),
    Pattern("Over {draws#} draws, half of the timestamps are on average", draws=lambda t: 100),
    Pattern(
        "reports one of {cells#} cell<s|> of {side}, expected {expected} from the truth where it measures",
        cells=lambda t: len(t.centres),
        side=lambda t: t.s.place_m,
        expected=metre("expected"),
    ),
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
    Pattern("never more than {supremum} (the supremum)", supremum=most("supremum")),
    Pattern("All timestamps together spend at most {spent}, and nobody", spent=most(lambda t: math.fsum(t.spent))),
    Pattern(
        "Any {w#} timestamps in a row lose at most {together} together.",
        w="w",
        together=most(lambda t: max(t.window_loss)),
    ),
    Pattern(
        "your {k#} landmark<s|>< and one other timestamp|> lose {count} together; a bound takes too long here.",
        k="k",
        count=lambda t: max(t.landmark),
    ),
    Pattern(
        "your {k#} landmark<s|>< and one other timestamp|> lose at most {bound} (a proven bound); the count in the landmark "
        "paper, which is not a bound, gives {count}.",
        k="k",
        bound=most(lambda t: max(t.landmark_bound), slack=1e-7),
        count=lambda t: max(t.landmark),
    ),
    # assumption
    Pattern("of two places {radius} apart, a timestamp", radius="radius"),
    Pattern("protection radius of {radius}.", radius="radius"),
    Pattern(
        "{how*}",
        **told_unless(
            "a timestamp with budget b changes the odds by a factor of at most e^b, and places",
            lambda t: t.weakened <= 1 + 1e-4,
        ),
    ),
    Pattern("{how*}", **told_unless("at most any number", lambda t: math.isinf(t.weakened))),
    Pattern(
        "a timestamp with budget b changes the odds by a factor of at most e^({factor} b), and <places|of cells>",
        factor=most(lambda t: t.weakened * (t.s.place_m / t.radius if t.o.reports is not None else 1)),
    ),
    Pattern("no report tells more than {certified} of its budget", certified=most("certified")),
    Pattern(
        "could lower the expected error by more than {gap} of the error of a blind guess", gap=most("gap", size=1e-6)
    ),
    Pattern("the matrix that was given, of {m} places", m=lambda t: len(t.matrix)),
    Pattern(
        "over {m} places with strength s = {s} (a smaller s is stronger)",
        m=lambda t: len(t.matrix),
        s=lambda t: t.s.smoothing,
    ),
    Pattern("assumed <weak|moderate|strong>, over {m} places", m=lambda t: len(t.matrix)),
    Pattern("every two of its states"),
    Pattern(": two places in one cell are not told apart at all; of two neighbouring cells,"),
    # warnings
    Pattern(
        "does not protect your landmark<s|> together< with one other timestamp|>: <it spends|they spend> up to {top}, {over} "
        "times the <budget|loss that each timestamp keeps>.",
        top=TOP,
        over=most("overrun"),
    ),
    Pattern("The chain leaves {left#} state<s|> for ever.", left=lambda t: losses_left(t)),
    Pattern("The first {first#} timestamps have no release.", first="released_late"),
    Pattern(
        "stretches distances by up to {wide}, and the guarantee weakens with it: the budget of each timestamp counts up to "
        "{stretch} times.",
        wide=most(lambda t: t.weakened - 1, size=1e-9),
        stretch=most("weakened"),
    ),
    Pattern("stretches distances {how*}", **told_unless("without bound", lambda t: math.isinf(t.weakened))),
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
        "Loss: backward up to {back}, forward up to {ahead}, total {low} to {high}, ",
        back=most(lambda t: max(t.backward)),
        ahead=most(lambda t: max(t.forward)),
        low=lambda t: min(t.total),
        high="peak",
    ),
    Pattern("grows {how*} on a longer track", **told_unless("without bound", lambda t: math.isinf(t.supremum))),
    Pattern(
        "Error: mean {mean}, half within {median}; expected {event} at event level and {user} at user level.",
        mean=metre("mean"),
        median=metre("median"),
        event=lambda t: t.planar_error(t.epsilon),
        user=lambda t: t.planar_error(t.epsilon / t.n),
    ),
    Pattern(
        "at user level. Sampling rate: {low} to {high}; threshold {least} to {greatest}.",
        low=lambda t: min(t.rate),
        high=lambda t: max(t.rate),
        least=lambda t: min(t.threshold_m),
        greatest=lambda t: max(t.threshold_m),
    ),
    Pattern("{m#} state<s|>; stays< where it is|> with probability ", m=lambda t: len(t.matrix)),
    Pattern(
        "with probability {low} to {high}; in",
        low=lambda t: min(t.matrix.diagonal()),
        high=lambda t: max(t.matrix.diagonal()),
    ),
    Pattern("with probability {each}; in", each=near(lambda t: t.matrix.diagonal().min(), slack=0.005)),
    Pattern(
        "in the long run {often} of the time in the most frequent.", often=near(lambda t: max(t.long_run), slack=1e-9)
    ),
    Pattern("The loss stays bounded while each timestamp spends less than {bounded}.", bounded=least("bounded")),
    Pattern("The loss grows {how*}.", **told_unless("without bound for every epsilon", lambda t: t.bounded == 0)),
    Pattern("{stays#} stay<s|> found", stays=lambda t: len(t.stays)),
    Pattern("{one#} timestamp<s|> to mark, one per stay, drawn hollow", one="stays_one"),
    Pattern("; {whole#} timestamp<s|> to mark them whole.", whole="stays_whole"),
    # the timeline's legend
    Pattern("ε = {epsilon}", alone=True, epsilon="epsilon"),
    Pattern("supremum {supremum}", alone=True, supremum=most("supremum")),
    Pattern("{how*}", alone=True, **told_unless("grows without bound", lambda t: math.isinf(t.supremum))),
    Pattern("target {target}", alone=True, target="target"),
    Pattern("mean {mean}", alone=True, mean=metre("mean")),
    Pattern("event {event}", alone=True, event=lambda t: t.planar_error(t.epsilon)),
    Pattern("user {user}", alone=True, user=lambda t: t.planar_error(t.epsilon / t.n)),
    Pattern("{low}", alone=True, low=lambda t: 0.05),
    Pattern("{low} to {high}", alone=True, low=lambda t: "5", high=lambda t: 0.95),
]


def losses_left(t: LandmarkTruth) -> int:
    from tests.every_number.losses import left_for_ever

    return left_for_ever(t.matrix)


def _labels(t: LandmarkTruth, path: str) -> Any:
    return t.track.labels[int(path.rsplit(".", 1)[1])]


ARRAYS = {
    "draw.arrays.latitude": lambda t, _: t.o.latitude,
    "draw.arrays.longitude": lambda t, _: t.o.longitude,
    "draw.arrays.published": lambda t, _: t.o.published,
    "draw.arrays.budgets": lambda t, _: t.budgets,
    "draw.arrays.totals": lambda t, _: t.totals,
    "draw.arrays.backward": lambda t, _: t.backward,
    "draw.arrays.forward": lambda t, _: t.forward,
    "draw.arrays.total": lambda t, _: t.total,
    "draw.arrays.window_totals": lambda t, _: t.window_totals,
    "draw.arrays.window_loss": lambda t, _: t.window_loss,
    "draw.arrays.landmark": lambda t, _: t.landmark,
    "draw.arrays.landmark_bound": lambda t, _: _bound_or_nothing(t),
    "draw.arrays.rate": lambda t, _: t.rate,
    "draw.arrays.threshold_m": lambda t, _: t.threshold_m,
    "draw.arrays.radius95_m": lambda t, _: Tolerant(t.radius95_m, 1e-6),
    "draw.arrays.error_m": lambda t, _: _errors(t),
    "draw.arrays.error_low_m": lambda t, _: _below(t),
    "draw.arrays.error_high_m": lambda t, _: _above(t),
    "draw.arrays.planar_error_m": lambda t, _: Tolerant(t.planar_error_m, GROUND, 1e-6),
    "track.arrays.latitude": lambda t, _: t.track.latitude,
    "track.arrays.longitude": lambda t, _: t.track.longitude,
    "clock.arrays.time": lambda t, _: t.clock_ms,
    "clock.zone": lambda t, _: t.zone.key,
    "clock.about": lambda t, _: t.about,
    "track.n": lambda t, _: t.n,
    "track.name": lambda t, _: t.track.name,
    "track.labels.*": _labels,
    "track.places.*.*": lambda t, path: t.track.places[int(path.split(".")[2])][int(path.split(".")[3])],
    "chain.arrays.matrix": lambda t, _: t.matrix,
    "chain.arrays.long_run": lambda t, _: t.long_run,
    "chain.states": lambda t, _: 0 if t.matrix is None else len(t.matrix),
    "chain.rows": lambda t, _: "\n".join(" ".join(repr(v) for v in row) for row in t.s.matrix),
    "text.proposed.timestamps": lambda t, _: sorted({t._middle(s) for s in t.stays} - set(t.marks)),
    "text.proposed.whole": lambda t, _: sorted({i for s in t.stays for i in s} - set(t.marks)),
    "text.compared.schemes": lambda t, _: len(SCHEMES),
    "text.compared.chosen": lambda t, _: list(SCHEMES).index(t.scheme),
}


def _bound_or_nothing(t: LandmarkTruth) -> Any:
    """The bound; nothing where the page says that it takes too long."""
    if t.matrix is not None and len(t.matrix) == 200 and t.marks and t.n > 1:
        return [math.nan] * t.n
    return Tolerant(t.landmark_bound, 1e-6, 1e-9)


def _errors(t: LandmarkTruth) -> Any:
    """Of one draw on the ground; of many, what they are near to: the expected distance of each report."""
    if not t.s.average:
        return Tolerant(t.error_m, GROUND, 1e-6)
    shown = t.o.error_m.tolist()
    if t.scheme not in ONLINE and t.track.stretch < 1.001:
        for i, (error, b, p) in enumerate(zip(shown, t.spent, t.o.published, strict=True)):
            far = t.cell_reports[i][0] if t.o.reports is not None and p else 2 * t.radius / b if p else math.nan
            if p and far < 1e5 and t.o.reports is None and abs(error - far) > 6 * far * math.sqrt(0.5) / 10:
                raise Wrong(f"the mean of a hundred draws is {error}, expected is {far}")
    return shown


def _below(t: LandmarkTruth) -> Any:
    low, mean = t.o.error_low_m, t.o.error_m
    assert all(math.isnan(m) or x <= m * (1 + 1e-9) for x, m in zip(low, mean, strict=True)), "5 % are below the mean"
    return low


def _above(t: LandmarkTruth) -> Any:
    high, low = t.o.error_high_m, t.o.error_low_m
    assert all(math.isnan(x) or y <= x <= HALF_EARTH_M * 1.01 for x, y in zip(high, low, strict=True)), "95 %"
    return high


STRUCTURE = [
    "draw.figure.*.width",
    "draw.figure.*.color",
    "draw.figure.*.fillcolor",
    "draw.figure.layout.height",
    "draw.figure.layout.margin.*",
    "draw.figure.layout.font.*",
    "draw.figure.layout.bargap",
    "draw.figure.layout.*.domain",
    "draw.figure.layout.yaxis4.range",
    "draw.figure.data.*.marker.size",
    "draw.figure.layout.*.nticks",
    "draw.figure.layout.*.standoff",
    "draw.figure.layout.legend*.*",
    "draw.figure.*.legend",
    "draw.figure.*.yaxis",
    "draw.figure.layout.xaxis.anchor",
    "draw.figure.data.*.type",
    "draw.figure.data.*.mode",
    # held by `drawn` and `compared` below
    "draw.figure.data.*.x",
    "draw.figure.data.*.y",
    "draw.figure.data.*.y.$",
    "draw.figure.data.*.name.of",
    "draw.figure.layout.yaxis3.tickvals",
    "draw.figure.layout.yaxis3.ticktext.*",
    "text.compared.rows.*",
    "text.compared.text",
]


def landmark_claims() -> Claims:
    return Claims(PATTERNS, ARRAYS, STRUCTURE)
