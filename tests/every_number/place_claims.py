"""The sentences of the place page with a number in them, and where each number comes from."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.every_number.claims import DIGITS, Claims, Hole, Pattern, Tolerant, most, near
from tests.every_number.landmarks_words import told_unless
from tests.every_number.place_truth import LEAST, PlacesTruth
from tests.every_number.programme import least_loss

SUBJECTS = {
    "optimal": "the optimal mechanism",
    "spanner": "the spanner's mechanism",
    "planar": "planar Laplace",
    "remapped": "remapped planar Laplace",
    "private": "OptPriv",
}


def above(find: Any) -> Hole:
    """How far a loss is above the least one: linear programmes are solved to a ten-millionth of the blind guess's error."""

    def size(t: PlacesTruth) -> float:
        best = min(t.least(m) for m in LEAST if m in t.o.assessed)
        return 2e-7 + 1e-7 * t.scale / max(best, 1e-9 * t.scale)

    return most(find, slack=1e-6, size=size)


def subject(t: PlacesTruth) -> str:
    return SUBJECTS[t.mechanism]


ABOVE = {"above": above(lambda t: t.above(t.mechanism))}

BY = "<| along streets| in squares over the radius| by your distances>"
ODDS = f"the odds of two places {{radius}} apart{BY}"


def factor(t: PlacesTruth) -> float:
    return math.exp(min(t.epsilon * t.radius, 700))


def right_of_two(t: PlacesTruth, after: bool) -> float:
    """How often a guess between two near cells is right at most, each as likely as the prior says, report by report."""
    prior = t.prior.tolist()
    pairs = [(x, y) for x in range(t.n) for y in range(x) if prior[x] > 0 and prior[y] > 0]
    if t.present is None or not pairs:
        return math.nan
    rows = t.own.tolist()
    near = [pair for pair in pairs if t.privacy[pair] <= t.radius * (1 + 1e-9)]
    if not near:
        least = min(t.privacy[pair] for pair in pairs)
        near = [pair for pair in pairs if t.privacy[pair] <= least * (1 + 1e-9)]

    def right(x: int, y: int) -> float:
        if not after:
            return max(prior[x], prior[y])
        return math.fsum(max(prior[x] * a, prior[y] * b) for a, b in zip(rows[x], rows[y], strict=True))

    return 100 * max(right(x, y) / (prior[x] + prior[y]) for x, y in near)


def far_pair(t: PlacesTruth) -> float:
    """The distance of the nearest cells, if none is within the radius."""
    prior = t.prior.tolist()
    apart = [t.privacy[x, y] for x in range(t.n) for y in range(x) if prior[x] > 0 and prior[y] > 0]
    return min(apart, default=math.nan) if min(apart, default=0) > t.radius else math.nan


def guessed(start: str, end: str, find: Any, **holes: Any) -> list[Pattern]:
    """How many guesses are right, in both ways to say it."""
    return [
        Pattern(f"{start} <|up to >{{right}}{end}", right=most(find, slack=1e-8), **holes),
        Pattern(f"{start} {{how*}}{end}", **told_unless("over 99", lambda t: find(t) > 99 - 1e-6), **holes),
    ]


PATTERNS = [
    *guessed(" By the prior,", " are;", lambda t: right_of_two(t, True)),
    *guessed(" By the prior at {far},", " are;", lambda t: right_of_two(t, True), far=far_pair),
    *guessed(";", " without a report.", lambda t: right_of_two(t, False)),
    Pattern(
        f"can change {ODDS} by a factor of at most {{f}}; at twice the distance, by at most {{f}} × {{f}}.",
        f=most(factor, slack=1e-8),
        radius="radius",
    ),
    Pattern(
        f"may change {ODDS} {{how*}}.",
        **told_unless("by a factor of more than a million", lambda t: math.log(1e6) <= t.epsilon * t.radius < math.inf),
        radius="radius",
    ),
    Pattern(
        f"may learn everything: there is no limit to how far that changes {ODDS}.",
        radius=lambda t: t.radius if math.isinf(t.epsilon) else math.nan,
    ),
    Pattern(
        f"{{how*}} change {ODDS}.",
        **told_unless("cannot noticeably", lambda t: t.epsilon * t.radius < 1.1e-9),
        radius="radius",
    ),
    Pattern(
        "{n#} cells of {side}, privacy level {level} within {radius}",
        n="n",
        side=lambda t: t.c.cell_m,
        level="level",
        radius="radius",
    ),
    Pattern("With {who*}, the report is off by {loss} on average", who=subject, loss=lambda t: t.loss(t.own)),
    Pattern(" on average so far (at most {above} above the best", **ABOVE),
    Pattern(" on average (at most {above} above the best", **ABOVE),
    Pattern(
        ", but this is the mechanism for level {level}:", level=lambda t: t.present.channel.requested_epsilon * t.radius
    ),
    Pattern(
        "; with planar Laplace, by {plain}: {who*} {verb*} {share} of that.",
        plain=lambda t: t.loss(t.plain.channel.matrix),
        who=subject,
        verb=lambda t: "saves" if t.saved > 0 else "adds",
        share=near(lambda t: abs(t.saved), slack=1e-6, size=1e-12),
    ),
    Pattern("; with planar Laplace, by {plain}.", plain=lambda t: t.loss(t.plain.channel.matrix)),
    Pattern("Planar Laplace's report is off by {plain} on average.", plain=lambda t: t.loss(t.plain.channel.matrix)),
    Pattern(
        "exactly right is {hit}; without any report, {blind}<.|;|:>",
        hit=lambda t: t.hit(t.own),
        blind=lambda t: float(max(t.prior)),
    ),
    Pattern(" with planar Laplace, {hit}<.|:>", hit=lambda t: t.hit(t.plain.channel.matrix)),
    Pattern("The certified ε is {epsilon} per metre", epsilon=most("epsilon", slack=1e-8)),
    Pattern("This OptPriv happens to keep ε = {epsilon} per metre.", epsilon=most("epsilon", slack=1e-8)),
    Pattern(f"changes the odds of two places d apart{BY} by more than a factor of e^(ε d)."),
    Pattern("<;|,> one unit of your distances counts as {unit}", unit=lambda t: t.c.unit_m),
    Pattern("{inside#} of {all#} check-ins lie in the grid", inside="inside", all=lambda t: len(t.visits)),
    Pattern("{empty#} cell<s|> ha<s|ve> probability 0:", empty=lambda t: sum(p == 0 for p in t.prior.tolist())),
    Pattern(
        "ε = {level} / {radius} = {epsilon} per metre",
        level="level",
        radius=near("radius", slack=5e-6),
        epsilon=lambda t: t.level / t.radius,
    ),
    # the answers
    Pattern(
        f"off by this on average{BY}, for level {{level}}:",
        level=lambda t: t.present.channel.requested_epsilon * t.radius,
    ),
    Pattern("without a report, by {blind}.", blind="blind"),
    Pattern("Without a report an attacker is off by {blind}.", blind="blind"),
    Pattern(
        f"guesses, at most, are right between two equally likely places {{radius}} apart{BY}, after one report; {{half}} is "
        "chance.",
        radius="radius",
        half=lambda _: 50,
    ),
    Pattern("right at most if equally likely; {half} is chance", half=lambda _: 50),
    Pattern(f"may distinguish two places {{radius}} apart{BY}.", radius="radius"),
    Pattern(f"about places {{radius}} apart{BY}", alone=True, radius="radius"),
    # where the work stands
    Pattern(
        "Solving {who*}, at most {above} above the best",
        who=lambda t: SUBJECTS.get(t.o.solving.mechanism, "NOBODY"),
        above=above(lambda t: t.above(t.o.solving.mechanism)),
    ),
    Pattern(", {seconds} s", alone=False, seconds=Hole(lambda t: t.o.solving.seconds, DIGITS)),
    Pattern("Computing the charts, {share}", share=lambda t: charts_share(t)),
    # charts
    Pattern(
        "At level {level} the optimal mechanism loses {best} and planar Laplace {plain}; the dotted",
        level=lambda t: nearest(t, "optimal").level,
        best=lambda t: nearest(t, "optimal").loss_m,
        plain=lambda t: nearest(t, "planar").loss_m,
    ),
    Pattern("than guessing blindly ({blind}): the grey line", blind="blind"),
    Pattern("so only guessing blindly ({blind}) bounds the", blind="blind"),
    Pattern(
        " leave the adversary {one} and {two} off. For an adversary with the second prior <(uniform)|(the made-up city)|"
        "(mornings of the track)|(evenings of the track)> it is {three} and {four}",
        one=lambda t: charted(t, "optimal", t.prior),
        two=lambda t: charted(t, "private", t.prior),
        three=lambda t: charted(t, "optimal", t.other),
        four=lambda t: charted(t, "private", t.other),
    ),
    Pattern(
        "and OptPriv (allowed {share} of its loss) leave the adversary",
        share=lambda t: t.c.loss_percent / 100 if t.c.loss_percent != 100 else math.nan,
    ),
    Pattern("privacy level within {radius}", alone=True, radius="radius"),
]


def charts_share(t: PlacesTruth) -> float:
    """Of nine levels for five mechanisms."""
    return len(t.o.charts.points) / (9 * (5 if t.n <= 64 else 4))


def nearest(t: PlacesTruth, mechanism: str) -> Any:
    """The point at the level nearest to the one chosen, once its loss is seen to be the least one."""
    level = min({p.level for p in t.o.charts.points}, key=lambda v: abs(v / t.level - 1))
    point = next(p for p in t.o.charts.points if (p.mechanism, p.level) == (mechanism, level))
    if mechanism == "optimal":
        best = least_loss(t.privacy, t.prior, level / t.o.charts.radius_m, None, t.quality)
        assert best * (1 - 1e-6) - 1e-9 <= point.loss_m <= best + 1.01e-3 * t.scale, (best, point)
    return point


def charted(t: PlacesTruth, mechanism: str, prior: np.ndarray) -> float:
    return t.error(t.o.assessed[mechanism].channel.matrix, prior)


def _index(path: str) -> int:
    return int(path.rsplit(".", 1)[1])


def meaning(t: PlacesTruth) -> str:
    if t.c.click == "paint" or t.present is None:
        return "prior"
    if t.c.layer != "clicked":
        return t.c.layer
    if t.c.click == "true":
        return "reports"
    return "belief" if t.chance_of(chosen(t)[0]) >= 1e-12 else "never"


def chosen(t: PlacesTruth) -> tuple[int, int]:
    """The cell that was chosen, the likeliest one otherwise, and the best guess after it as a report."""
    cell = t.c.place
    if t.present is not None and t.c.click == "report" and t.c.layer == "clicked":
        chances = [t.chance_of(z) for z in range(t.n)]
        if cell < 0:
            cell = t.o.shown.selected if chances[t.o.shown.selected] >= max(chances) * (1 - 1e-12) else -2
        if chances[cell] < 1e-12:
            return cell, -1
        off = [math.fsum(t.column(cell)[x] * t.off[x, g] for x in range(t.n)) for g in range(t.n)]
        guess = t.o.shown.guess
        return cell, guess if off[guess] <= min(off) * (1 + 1e-9) + 1e-9 else -2
    if cell < 0 and t.c.click != "paint":
        cell = t.o.shown.selected if t.prior[t.o.shown.selected] >= max(t.prior) * (1 - 1e-12) else -2
    return cell, -1


def values(t: PlacesTruth) -> Any:
    cell = chosen(t)[0]
    return {
        "prior": lambda: t.prior,
        "reports": lambda: t.own[cell],
        "belief": lambda: t.column(cell),
        "never": lambda: [math.nan] * t.n,
        "reader": lambda: t.by_cell,
        "attacker": lambda: t.by_cell,
    }[meaning(t)]()


VALUES = {
    "draw.names.*": lambda t, path: t.names[_index(path)],
    "text.region": lambda t, _: t.box if t.c.area == "region" else [],
    "draw.base": lambda t, _: Tolerant([v.min() for v in t.corners()], 1e-9, 1e-9),
    "draw.shown.most_m": lambda t, _: Tolerant(max(t.by_cell), 1e-7, 1e-9),
    "draw.shown.selected": lambda t, _: chosen(t)[0],
    "draw.shown.guess": lambda t, _: chosen(t)[1],
    "draw.arrays.values": lambda t, _: Tolerant(values(t), 1e-7, 1e-13),
    "draw.arrays.prior": lambda t, _: t.expected_prior,
    "draw.arrays.edges": lambda t, _: np.ravel(t.edges[0]),
    "draw.arrays.binding": lambda t, _: t.binding,
    "draw.arrays.squares": lambda t, _: np.ravel(t.squares),
    "draw.arrays.latitudes": lambda t, _: Tolerant(t.corners()[0] - t.corners()[0].min(), 1e-6, 1e-9),
    "draw.arrays.longitudes": lambda t, _: Tolerant(t.corners()[1] - t.corners()[1].min(), 1e-6, 1e-9),
}

STRUCTURE = [
    "text.answers.*.value",  # held by `answers` below
    "text.answers.*.look",
    "text.cards.*",
    "cards.shown.*",
    "cards.arrays.*",  # held by test_side_by_side_numbers.py
    "text.certificate.*",
    "draw.summary",  # held by `certificate` and `told` below
    *(
        f"charts.figures.*.figure.layout.{name}"
        for name in (
            "height",
            "xaxis.tickvals",
            "xaxis.range",
            "shapes.*",
            "yaxis2.*",
            "margin.*",
            "bargap",
            "xaxis.type",
            "hovermode",
        )
    ),
    "charts.figures.*.figure.data.*.line.*",
    "charts.figures.*.figure.data.*.marker.*",
    "charts.figures.*.figure.data.*.x",
    "charts.figures.*.figure.data.*.y",
    "charts.figures.*.figure.data.*.x.*",
    "charts.figures.*.figure.data.*.y.*",
    "charts.figures.*.figure.data.*.customdata.*",
    "charts.figures.*.figure.data.*.hovertemplate",
    "charts.figures.*.figure.data.*.opacity",
    "charts.figures.*.figure.data.*.yaxis",
]


def places_claims() -> Claims:
    return Claims(PATTERNS, VALUES, STRUCTURE)
