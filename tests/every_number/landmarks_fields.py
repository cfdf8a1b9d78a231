"""The values that the track page gets beside its sentences, field by field, and where each comes from."""

from __future__ import annotations

import math
from typing import Any

from lmdk_widgets.pages.track.by_hand import describe_by_hand
from tests.every_number.claims import Tolerant, Wrong
from tests.every_number.found_names import nothing
from tests.every_number.landmarks_errors_truth import HALF_EARTH_M
from tests.every_number.landmarks_truth import LandmarkTruth
from tests.every_number.spent_truth import ONLINE

GROUND = 2e-4
"""Distances in the track's frame are those on the ground to less than this."""


def _raised(t: LandmarkTruth) -> float:
    """The epsilon that the page offers, once it is seen to be enough, and not too much."""
    shown = describe_by_hand(t.o)["raise"]
    if not t.top * (1 - 2e-9) <= shown <= t.top * 1.0011:
        raise Wrong(f"epsilon would be raised to {shown}, for a sum of {t.top}")
    return shown


def _circle(t: LandmarkTruth, path: str) -> Any:
    *_, k, which = path.split(".")
    found = t.circle(int(k))[int(which)]
    return found if which in ("4", "5") else Tolerant(found, 1e-7)


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
    "draw.arrays.pair_total": lambda t, _: Tolerant(t.tells, 1e-7),
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
    "draw.arrays.reader_error_m": lambda t, _: Tolerant(t.reader_errors, 1e-3, 10.0),
    "draw.arrays.planar_error_m": lambda t, _: Tolerant(t.planar_error_m, GROUND, 1e-6),
    "track.arrays.latitude": lambda t, _: t.track.latitude,
    "track.arrays.longitude": lambda t, _: t.track.longitude,
    "clock.arrays.time": lambda t, _: t.clock_ms,
    "clock.zone": lambda t, _: t.zone.key,
    "text.region.limits": lambda t, _: (*t.box[:3], t.box[3] - 360 if t.box[3] > 180 else t.box[3]),
    "text.region.called": lambda t, _: t.called,
    "text.region.of": lambda t, _: f"{t.track.name}, {t.n}",
    "clock.about": lambda t, _: t.about,
    "track.n": lambda t, _: t.n,
    "track.name": lambda t, _: t.track.name,
    "track.labels.*": _labels,
    "track.places.*.*": lambda t, path: t.track.places[int(path.split(".")[2])][int(path.split(".")[3])],
    "chain.arrays.matrix": lambda t, _: t.matrix,
    "chain.arrays.long_run": lambda t, _: t.long_run,
    "chain.states": lambda t, _: 0 if t.matrix is None else len(t.matrix),
    "chain.rows": lambda t, _: "\n".join(" ".join(repr(v) for v in row) for row in t.s.matrix),
    "text.proposed": lambda t, _: _proposed(t)[0],
    "text.folds.stays.1.shown.*.operation.indices": lambda t, path: _marked_by(t)[int(path.split(".")[5])],
    "text.folds.side_by_side.2.shown.marked": lambda *_: -1,
    "text.answers.0.value": lambda t, _: t.tile,
    "text.answers.0.look": lambda t, _: t.look,
    "text.answers.1.value": lambda t, _: "no promise" if nothing("dearest")(t) else f"{t.guesses(t.dearest)} of 100",
    "text.answers.1.look": lambda t, _: _look(t),
    "text.useful.value": lambda t, _: t.useful_tile,
    "text.useful.look": lambda t, _: t.useful_look,
    "text.useful.scale.at": lambda t, _: Tolerant(t.scale[0], 3e-3, 1e-4),
    "text.useful.scale.marks.*.1": lambda t, path: Tolerant(t.scale[1 + int(path.split(".")[4])], 3e-3, 1e-4),
    "text.leave_out.title": lambda t, _: t.leaving_title,
    **{f"found.circles.*.{k}": lambda t, path: _circle(t, path) for k in range(6)},
    "text.dummies": lambda t, _: sorted(set(t.marks) - set(t.s.landmarks)),
    "text.folds.dummies.0.shown.0.operation.value": lambda t, _: t.s.hide_draw + 1,
    "text.by_hand.raise": lambda t, _: _raised(t),
    "text.by_hand.landmarks.budget": lambda t, _: t.alike(t.marks),
    "text.by_hand.others.budget": lambda t, _: t.alike(set(range(t.n)) - set(t.marks)),
}


def _proposed(t: LandmarkTruth) -> tuple[list[int], list[int]]:
    """One timestamp of each moment, and all of them, that are no landmarks yet."""
    marked = set(t.s.landmarks)
    return sorted({t._middle(s) for s in t.stays} - marked), sorted({i for s in t.stays for i in s} - marked)


def _marked_by(t: LandmarkTruth) -> list[list[int]]:
    """What each button marks: one of each, and all of them where that is more."""
    one, whole = _proposed(t)
    return [some for some in (one, whole if len(whole) > len(one) else []) if some]


def _look(t: LandmarkTruth) -> str:
    """The colour of the promise: red above 90 of 100, amber above 75."""
    chance = 100 / (1 + math.exp(-min(t.dearest, 700)))
    return "red" if chance > 90 else "amber" if chance > 75 else ""


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
    "draw.figure.layout.meta.panels.*",  # names of axes, files and titles
    "draw.figure.layout.margin.*",
    "draw.figure.layout.font.*",
    "draw.figure.layout.bargap",
    "draw.figure.layout.yaxis2.range",  # `landmarks_drawn` holds it
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
    "text.folds.side_by_side.2.shown.title",
]
