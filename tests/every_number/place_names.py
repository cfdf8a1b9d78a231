"""What each name in the place page's sentences is, computed apart from the page."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.every_number.claims import DIGITS, Claims, Hole, Tolerant, least, most, near
from tests.every_number.named import Named, Truths, guesses
from tests.every_number.place_truth import LEAST, PlacesTruth
from tests.every_number.programme import least_loss

EVERY_PRIOR = ("Bayes capacity 1, Bayes security 100 %", "Bayes security 0 %")
"""What is said of a report that tells nothing, and of one that tells two cells apart."""

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


def planar(t: PlacesTruth) -> Any:
    return t.plain.channel.matrix


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
    *(f"text.practices.*.shown.{name}" for name in ("rows.*", "warned.*", "marked")),  # held by `practised`
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


NAMES: Truths = {
    "subject": subject,
    "subject_first": lambda t: subject(t)[:1].upper() + subject(t)[1:],
    "solving": lambda t: SUBJECTS.get(t.o.solving.mechanism, "NOBODY"),
    "radius": near("radius", slack=5e-6),
    "level": "level",
    "shown_level": lambda t: t.present.channel.requested_epsilon * t.radius,
    "n_cells": "n",
    "cell_size": lambda t: t.c.cell_m,
    "blind": "blind",
    "blind_hit": lambda t: float(max(t.prior)),
    "loss": lambda t: t.loss(t.own),
    "planar_loss": lambda t: t.loss(planar(t)),
    "any_report_loss": least("any_report", slack=1e-6, size=lambda t: 1e-6 * t.scale),
    "saves": lambda t: "saves" if t.saved > 0 else "adds",
    "saved_share": near(lambda t: abs(t.saved), slack=1e-6, size=1e-12),
    "hit": lambda t: t.hit(t.own),
    "planar_hit": lambda t: t.hit(planar(t)),
    "most_times_right": most("capacity", size=1e-12),
    "least_still_wrong": least("security", size=1e-12),
    "far": far_pair,
    "right_after": guesses("right_after", lambda t: right_of_two(t, True)),
    "right_alone": guesses("right_alone", lambda t: right_of_two(t, False)),
    "most_odds_factor": most(factor, slack=1e-8),
    "most_above_best": above(lambda t: t.above(t.mechanism)),
    "far.most_above_best": above(lambda t: t.above(t.o.solving.mechanism)),
    "most_epsilon_per_m": most("written_epsilon", slack=1e-8),
    "unit_length": lambda t: t.c.unit_m,
    "inside": "inside",
    "n_checkins": lambda t: len(t.visits),
    "empty_cells": lambda t: sum(p == 0 for p in t.prior.tolist()),
    "epsilon_per_m": lambda t: t.level / t.radius,
    "seconds": Hole(lambda t: t.o.solving.seconds, DIGITS),
    "charts_share": charts_share,
    "nearest_level": lambda t: nearest(t, "optimal").level,
    "optimal_loss": lambda t: nearest(t, "optimal").loss_m,
    "planar_loss_there": lambda t: nearest(t, "planar").loss_m,
    "optimal_error": lambda t: charted(t, "optimal", t.prior),
    "private_error": lambda t: charted(t, "private", t.prior),
    "optimal_other_error": lambda t: charted(t, "optimal", t.other),
    "private_other_error": lambda t: charted(t, "private", t.other),
    "allowed_share": lambda t: t.c.loss_percent / 100,
    "error": lambda t: t.error(t.own, t.prior),
    "merged_size": lambda t: t.c.square_cells * t.c.cell_m,
    "merged_loss": lambda t: t.merged(t.c.square_cells)[0],
    "merged_error": lambda t: t.merged(t.c.square_cells)[1],
    "merged_hit": lambda t: t.merged(t.c.square_cells)[2],
}


def place_names() -> Named:
    return Named(
        NAMES,
        Claims(VALUES, STRUCTURE),
        as_written=("50 is chance", "two equally likely", "two places", "e^(ε d)", "probability 0", *EVERY_PRIOR),
        true_when={
            "{who} may change {odds}": lambda t: math.log(1e6) <= t.epsilon * t.radius < math.inf,
            "{who} may learn everything": lambda t: math.isinf(t.epsilon),
            "{who} cannot noticeably change {odds}": lambda t: t.epsilon * t.radius < 1e-2,
            "no likelier (Bayes capacity 1": lambda t: t.capacity <= 1 + 1.1e-9,
            "hardly any guess stays wrong": lambda t: t.security < 1.1e-6,
            "happens to keep": lambda t: math.isfinite(t.epsilon),
            " (allowed {allowed_share}": lambda t: t.c.loss_percent != 100,
        },
    )
