"""What the track page draws and compares, held against the arrays and levels that it names."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from lmdk_widgets.answers.usefulness import useful
from lmdk_widgets.page.panel import Result
from lmdk_widgets.page.sentences import Sentence
from lmdk_widgets.scenario.model import ALL_SCHEMES
from tests.every_number.claims import Wrong, agrees, most, near
from tests.every_number.landmarks_fields import GROUND
from tests.every_number.landmarks_truth import LandmarkTruth
from tests.every_number.named import Given
from tests.every_number.spent_truth import ONLINE
from tests.every_number.useful_truth import SLACK, rounded

# -- what is drawn -----------------------------------------------------------------------------------------------------

LEVELS = {
    "ε =": lambda t: t.epsilon,
    "never above": lambda t: t.supremum,
    "target": lambda t: t.target,
    "mean": lambda t: t.mean,
    "event level": lambda t: t.level_error(t.epsilon),
    "user level": lambda t: t.level_error(t.epsilon / t.n),
    "grows": lambda t: None,
    "nothing": lambda t: t.without,
}
LINES = {
    "budget": "budgets",
    "each (landmarks orange)": "budgets",
    "each (landmarks orange, dummies hollow)": "budgets",
    "in a window": ("window_totals", "window_loss"),
    "with the landmarks": "totals",
    "backward": "backward",
    "forward": "forward",
    "total": "total",
    "two cells": "pair_total",
    "neighbouring cells": "pair_total",
    "landmarks ≤": "landmark_bound",
    "count": "landmark",
    "5 %": "error_low_m",
    "5 to 95 %": "error_high_m",
    "mean error": "error_m",
    "error": "error_m",
    "reader": "reader_error_m",
    "sampling rate": "rate",
    "threshold": "threshold_m",
    "planar": "planar_error_m",
    "planar Laplace": "planar_error_m",
}


def drawn(t: LandmarkTruth, figure: dict[str, Any]) -> None:
    """Every line of the timeline is the array or the level that its name says; every tick says where it stands."""
    for trace in figure["data"]:
        name, y = trace["name"], trace["y"]
        if isinstance(y, dict):
            if y["$"] not in (LINES.get(name) or LINES[name.partition(",")[0]]):
                raise Wrong(f"the line {name} is drawn from {y['$']}")
        elif name == "landmarks":
            if trace["x"] != list(t.marks) or y != [t.spent[i] for i in t.marks]:
                raise Wrong("the bars of the landmarks are not theirs")
        elif name.endswith(", above"):
            _above(t, name, y, figure)
        else:
            value = next(find for start, find in LEVELS.items() if name.startswith(start))(t)
            missing = value is None or math.isnan(value)
            if name.endswith("beyond the region") and not t.is_far(value):
                raise Wrong(f"the level {name} is at {value}, within the region")
            if trace["x"] != [-0.5, t.n - 0.5] or (y != [None] * 2) == missing:
                raise Wrong(f"the level {name} is drawn at {y}, and should be at {value}")
            if not missing and any(abs(v - value) > GROUND * value for v in y):
                raise Wrong(f"the level {name} is drawn at {y}, and should be at {value}")
            if name.startswith("user") and not t.o.kind.counts_wrong and value > 10 * _most(t, figure):
                raise Wrong(f"the level {name} is drawn far above all else")
    _losses_fit(t, figure)
    axis = figure["layout"]["yaxis3"]
    for value, text in zip(axis["tickvals"], axis["ticktext"], strict=True):
        if abs(_tick(text) - value) > 1e-9 * value:
            raise Wrong(f"the tick at {value} says {text}")


def _above(t: LandmarkTruth, name: str, y: list[None], figure: dict[str, Any]) -> None:
    """The error of user level is above the axis, as its name says, so it is more than ten times all that is drawn there."""
    value = LEVELS["user level"](t)
    if y != [None] * 2 or value <= 10 * _most(t, figure) or ("beyond" in name) != t.is_far(value):
        raise Wrong(f"the level {name} is drawn at {y}, and should be at {value}")


def _most(t: LandmarkTruth, figure: dict[str, Any]) -> float:
    """The largest error that is drawn."""
    arrays = [trace["y"]["$"] for trace in figure["data"] if trace["yaxis"] == "y3" and isinstance(trace["y"], dict)]
    return max(
        v for v in [t.level_error(t.epsilon), *(v for name in arrays for v in getattr(t.o, name))] if math.isfinite(v)
    )


def _losses_fit(t: LandmarkTruth, figure: dict[str, Any]) -> None:
    """Losses are logarithmic where places are drawn pair by pair: down to a thousandth of the largest."""
    axis = figure["layout"]["yaxis2"]
    if (axis.get("type") == "log") != (t.o.pair_total is not None):
        raise Wrong(f"the axis of losses is {axis}")
    if "range" in axis:
        lines = (t.backward, t.forward, t.total, t.tells)
        top, low = max(map(max, lines)), min(v for line in lines for v in line if v > 0)
        if low > top / 999 or not math.isclose(10 ** axis["range"][0], top / 1000, rel_tol=1e-5):
            raise Wrong(f"the axis of losses begins at {axis['range']}, of {low} to {top}")
        if not 1.1 < 10 ** axis["range"][1] / top < 1.5:
            raise Wrong(f"the axis of losses ends at {axis['range']}, of {top}")


RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"


def _tick(text: str) -> float:
    """Metres of a tick: "20 m", "5,000 km", "2·10⁵ km"."""
    number, unit = text.replace(",", "").rsplit(" ", 1)
    factor, _, power = number.rpartition("10") if number[-1] in RAISED else (number, "", "")
    raised = int(power.translate(str.maketrans(RAISED, "0123456789")) or 0)
    return float(factor.rstrip("·") or 1) * 10.0**raised * {"m": 1, "km": 1000}[unit]


# -- the comparison ----------------------------------------------------------------------------------------------------


def compared(t: LandmarkTruth, rows: list[list[str]], made: list[Sentence], evaluate: Any) -> int:
    """Every row against the scheme evaluated and recomputed by itself; how many there were."""
    said = {str(each): each.values for each in made}
    for row, scheme in zip(rows, ALL_SCHEMES, strict=False):
        s = t.s.with_changes(scheme=scheme, average=False)
        planar = scheme in ONLINE and s.mechanism != "planar"
        s = s.with_changes(mechanism="planar") if planar else s
        other = evaluate(s, t.track)
        title, largest, one_number, together, reader, found_m, error = row
        if other is None:
            if [largest, one_number, together, reader, found_m, error] != ["none"] * 6:
                raise Wrong(f"there is no plan, but a row {row}")
            continue
        u = LandmarkTruth(other.improved(results={"useful": Result("", useful(other), done=True)}))
        u.many = True
        error, _, note = error.partition(" (")
        by_one, lost = said.get(one_number, {"most_ever": one_number}), said.get(together, {"counted": together})
        held = {
            "title": title == ALL_SCHEMES[scheme].split(":")[0] and bool(note) == planar,
            "largest loss": agrees(near("x"), largest, u.told),
            "one number": ("lost_here" in by_one) == (u.matrix is not None and len(u.matrix) > 1)
            and ("lost_here" not in by_one or agrees(near("x"), by_one["lost_here"], u.peak)),
            "supremum": agrees(most("x"), by_one["most_ever"], u.supremum),
            "reader": reader == f"{u.useful_tile}, {u.useful_words[0].lower()}{u.useful_words[1:].partition(':')[0]}",
            "found": found_m == u.listed,
            "error": agrees(near("x", slack=GROUND, size=1e-6), error, rounded(u.mean, GROUND)),
            "count": agrees(near("x"), lost["counted"], max(u.landmark)),
            "bound": "most_together" not in lost
            or agrees(most("x", slack=1e-7), lost["most_together"], max(u.landmark_bound)),
        }
        if not all(held.values()):
            wrong = [name for name, holds in held.items() if not holds]
            raise Wrong(
                f"{wrong} of {row}: {u.told}, {u.peak}, {u.supremum}, {max(u.landmark)}, {u.landmark_bound}, {u.mean}, {s}"
            )
    return len(rows)


SEVERAL: Mapping[str, Any] = {
    "most_apart_of_many": most(lambda t: t.now.largest_m),
    "reader_draws": lambda t: max(1, min(t.reads, 2000 // t.now.n)),
    "one_known_error": near(lambda t: rounded(t.now.read_once.to_centre, SLACK)),
    "blind_error": near(lambda t: rounded(t.now.read_once.without, SLACK)),
}
"""What is said below several settings: `now` is the present one, and a reader reads so many `reads` of each."""


def moves(t: LandmarkTruth) -> dict[tuple[str, str], float]:
    """What the landmarks lose by the authors' count, once one of them is moved from one moment to another."""
    marks, called = set(t.marks), [t.track.labels[i] if t.track.labels else f"#{i + 1}" for i in range(t.n)]
    return {
        (called[i], called[j]): t.count_with(marks - {i} | {j})
        for i in t.marks[:12]
        for j in (i - 1, i + 1)
        if 0 <= j < t.n and j not in marks
    }


def a_move(name: str, which: Any) -> Given:
    """A moment of the best or the worst move, once the move is seen to be that."""

    def find(t: LandmarkTruth, values: Mapping[str, str]) -> str:
        losses = moves(t)
        found = losses[values["from_moment"], values["to_moment"]]
        return values[name] if math.isclose(found, which(losses.values()), rel_tol=1e-9) else "ANOTHER MOVE"

    return Given(find)


COMPARED: Mapping[str, Any] = {
    **SEVERAL,
    "counted_loss": lambda t: t.count_with(t.marks),
    **{f"{k}.moved_loss": lambda t, of=of: of(moves(t).values()) for k, of in (("best", min), ("worst", max))},
    **{
        f"{k}.{name}": a_move(name, of)
        for k, of in (("best", min), ("worst", max))
        for name in ("from_moment", "to_moment")
    },
}
"""Every number below the comparison by its name."""

COMPARED_WHEN: Mapping[str, Any] = {
    "and so does every other move": lambda t: max(moves(t).values()) <= min(moves(t).values()) * (1 + 1e-9),
    "; moving one {worst}": lambda t: max(moves(t).values()) > min(moves(t).values()),
    "is what a timestamp reveals to someone who assumes": lambda t: t.matrix is not None and len(t.matrix) > 1,
}
"""Words that are true in some cases only."""
