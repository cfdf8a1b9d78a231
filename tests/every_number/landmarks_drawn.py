"""What the track page draws and compares, held against the arrays and levels that it names."""

from __future__ import annotations

import math
import re
from typing import Any

from lmdk_widgets.answers.usefulness import useful
from lmdk_widgets.page.amounts import metres
from lmdk_widgets.page.panel import Result
from lmdk_widgets.scenario.model import ALL_SCHEMES
from tests.every_number.claims import Claims, Wrong, agrees, most, near
from tests.every_number.landmarks_fields import GROUND
from tests.every_number.landmarks_truth import LandmarkTruth
from tests.every_number.pairs_truth import OF_MANY
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

TOGETHER = re.compile(r"≤ (?P<bound>\S+(?: bound)?) \(count (?P<count>\S+)\)|count (?P<alone>\S+)|none")


def compared(t: LandmarkTruth, rows: list[list[str]], evaluate: Any) -> int:
    """Every row against the scheme evaluated and recomputed by itself; how many there were."""
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
        *by_one, supremum = one_number.split(", never above ")
        found = TOGETHER.fullmatch(together)
        assert found is not None, row
        held = {
            "title": title == ALL_SCHEMES[scheme].split(":")[0] and bool(note) == planar,
            "largest loss": agrees(near("x"), largest, u.told),
            "one number": bool(by_one) == (u.matrix is not None and len(u.matrix) > 1)
            and all(agrees(near("x"), each, u.peak) for each in by_one),
            "supremum": agrees(most("x"), supremum, u.supremum),
            "reader": reader == f"{u.useful_tile}, {u.useful_words[0].lower()}{u.useful_words[1:].partition(':')[0]}",
            "found": found_m == u.listed,
            "error": agrees(near("x", slack=GROUND, size=1e-6), error, rounded(u.mean, GROUND)),
            "count": agrees(near("x"), found["count"] or found["alone"], max(u.landmark)),
            "bound": found["bound"] is None or agrees(most("x", slack=1e-7), found["bound"], max(u.landmark_bound)),
        }
        if not all(held.values()):
            wrong = [name for name, holds in held.items() if not holds]
            raise Wrong(
                f"{wrong} of {row}: {u.told}, {u.peak}, {u.supremum}, {max(u.landmark)}, {u.landmark_bound}, {u.mean}, {s}"
            )
    return len(rows)


WITHOUT = re.compile(
    r"The reader is careful .* \((?P<draws>one draw|the median of \d+ draws)\)\. Without a release, someone who knows only "
    r"the point nearest to all is (?P<spread>[\d.,]+ k?m) off, someone who guesses the middle of the region "
    r"(?P<nothing>[\d.,]+ k?m)\."
)


def without_a_release(t: LandmarkTruth, text: str, most: int) -> None:
    """What the errors of readers are to be compared with."""
    found = WITHOUT.fullmatch(text)
    assert found is not None, text
    draws = max(1, min(most, 2000 // t.n))
    assert found["draws"] == ("one draw" if draws == 1 else f"the median of {draws} draws"), text
    u = LandmarkTruth(t.o.improved(results={"useful": Result("", useful(t.o, 1), done=True)}))
    assert found["spread"] in [metres(x) for x in rounded(u.to_centre, SLACK)], (text, u.to_centre)
    assert found["nothing"] in [metres(x) for x in rounded(u.without, SLACK)], (text, u.without)


MOVES = re.compile(
    r"By the landmark paper's count, the landmarks lose (?P<now>\S+) together with the worst other timestamp\. Moving a "
    r"landmark from (?P<a>.+?) to (?P<b>.+?) (?P<how>leaves it at|makes it) (?P<best>[\d.e,-]+?)"
    r"(?:, and so does every other move by one timestamp(?: that was tried)?|; moving one from (?P<c>.+?) to (?P<d>.+?) "
    r"(?P<how2>leaves it at|makes it) (?P<worst>[\d.e,-]+?))\."
)


def moved(t: LandmarkTruth, text: str) -> None:
    """What the largest loss is said to be of, and what the best and the worst move of a landmark by one timestamp does."""
    before = text.partition("By the landmark" if "By the landmark" in text else "No landmark")[0]
    assert ("The largest what-if loss is what" in before) == (t.matrix is not None and len(t.matrix) > 1), text
    Claims(OF_MANY, {}).hold([("moves", before)], t)
    text, marks = text.removeprefix(before), set(t.marks)
    losses = {
        (i, j): t.count_with(marks - {i} | {j})
        for i in t.marks[:12]
        for j in (i - 1, i + 1)
        if 0 <= j < t.n and j not in marks
    }
    if not losses:
        if text != "No landmark can move to a regular timestamp next to it.":
            raise Wrong(text)
        return
    found = MOVES.fullmatch(text)
    if found is None:
        raise Wrong(f"nothing recomputes {text}")
    named = {t.track.labels[i] if t.track.labels else f"#{i + 1}": i for i in range(t.n)}
    now, low, high = t.count_with(marks), min(losses.values()), max(losses.values())
    held = [agrees(near("x"), found["now"], now), agrees(near("x"), found["best"], low)]
    held.append(abs(losses[named[found["a"]], named[found["b"]]] - low) <= 1e-9 * abs(low))
    if found["worst"]:
        held += [
            agrees(near("x"), found["worst"], high),
            abs(losses[named[found["c"]], named[found["d"]]] - high) <= 1e-9 * high,
        ]
    else:
        held.append(high - low <= 1e-9 * high)
    if not all(held):
        raise Wrong(f"{text}: now {now}, {losses}")
