"""A release of a whole track that is meant: budgets by a scheme, exact noise, a guarantee beside the points, one entry in the
ledger."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from lmdk_widgets.budgets import FIXED_SCHEMES, allocate, landmark_totals
from lmdk_widgets.checks import number, one_of
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats, LocalFrame
from lmdk_widgets.secure.files import check_free, publish
from lmdk_widgets.secure.ledger import Ledger
from lmdk_widgets.secure.points import Guarantee, release_points
from lmdk_widgets.trajectory import Trajectory

NAMES = ["guarantee.json", "release.csv"]
"""The files of a release; the points come last."""

STRETCH = 1.0002
"""By so much the frame may stretch lengths where a point is: within some 200 km of its origin."""

STEPS_OF_RADIUS = 40
"""The step of the lattice is the radius divided by this, when none is given."""


@dataclass(frozen=True)
class Settings:
    """What a release of a track is asked for.

    Attributes
    ----------
    scheme : one of `FIXED_SCHEMES`. epsilon : the budget. radius_m : protection radius, metres: a timestamp with budget b is
    reported with b / radius_m per metre. landmarks : indices from 0. window : w of the scheme "window".
    step_m : step of the lattice, metres; None: a fortieth of the radius.
    origin : public latitude and longitude of the frame, degrees; None: the mean of the track, to a whole degree.
    """

    scheme: str = "uniform"
    epsilon: float = 1.0
    radius_m: float = 200.0
    landmarks: tuple[int, ...] = ()
    window: int | None = None
    step_m: float | None = None
    origin: tuple[float, float] | None = None

    @property
    def step(self) -> float:
        return self.radius_m / STEPS_OF_RADIUS if self.step_m is None else self.step_m


def release_track(
    track: Trajectory, settings: Settings, folder: Path, ledger: Ledger, *, again: bool = False
) -> dict[str, Any]:
    """Makes a release of a track, writes it down in the ledger, and puts it into a folder.

    Everything is computed first; then the ledger knows of it; then the files appear, whole or not at all. A release that is
    interrupted in between is written down though nobody has it: that is the safe side.

    Returns
    -------
    The guarantee, as it stands in guarantee.json.

    Raises
    ------
    InputError : a scheme whose budgets follow from what is released, settings out of range, a track too far from the origin,
        a folder that has a release, or data that were released before, unless `again`.
    """
    folder = Path(folder)
    check_free(folder, NAMES)
    budgets, frame = _budgets(track, settings), _frame(track, settings)
    released = np.flatnonzero(budgets > 0)
    if not len(released):
        raise InputError("A release must measure a timestamp at least", value="none", remedy="Take another scheme")
    per_m = [_down(Fraction(b) / Fraction(settings.radius_m)) for b in budgets[released].tolist()]
    true = frame.to_metres(track.latitude[released], track.longitude[released])
    made = release_points(true, per_m, step_m=settings.step)
    told = _told(settings, budgets, frame, made.guarantee)
    text = _csv(track, released, *frame.to_degrees(made.points_m))
    spent = {"scheme": settings.scheme, "epsilon": settings.epsilon, "radius_m": settings.radius_m}
    told["release_of_these_data"] = ledger.spend(_bytes(track), spent, again=again)
    publish(folder, dict(zip(NAMES, (json.dumps(told, indent=1, ensure_ascii=False) + "\n", text), strict=True)))
    return told


def _down(value: Fraction) -> float:
    """A float that is not above a fraction."""
    found = float(value)
    return found if Fraction(found) <= value else math.nextafter(found, 0.0)


def _budgets(track: Trajectory, settings: Settings) -> Floats:
    remedy = "Budgets that follow from what is released are for simulations"
    one_of(settings.scheme, "scheme", FIXED_SCHEMES, remedy=remedy)
    number(settings.radius_m, "radius", 1e-3, 1e6)
    return allocate(settings.scheme, len(track), settings.landmarks, settings.epsilon, window=settings.window)


def _frame(track: Trajectory, settings: Settings) -> LocalFrame:
    if settings.origin is None:
        near = LocalFrame.around(track.latitude, track.longitude)
        frame = LocalFrame(float(round(near.latitude)), float(round(near.longitude)))
    else:
        latitude = number(settings.origin[0], "latitude of the origin", -90, 90)
        frame = LocalFrame(latitude, number(settings.origin[1], "longitude of the origin", -180, 180))
    if frame.stretch(frame.to_metres(track.latitude, track.longitude)) > STRETCH:
        remedy = "Name an origin near the track, or release its parts by themselves"
        raise InputError("The track must lie within 200 km of the origin of its frame", remedy=remedy)
    return frame


def _told(settings: Settings, budgets: Floats, frame: LocalFrame, guarantee: Guarantee) -> dict[str, Any]:
    """The guarantee of a track, for JSON."""
    totals = landmark_totals(budgets, settings.landmarks)
    words = [*guarantee.words(), *_words(settings, float(totals.max()), float(budgets.sum()))]
    return {
        "what": "a private release of a track, and not a simulation",
        "scheme": settings.scheme,
        "epsilon": settings.epsilon,
        "protection_radius_m": settings.radius_m,
        "landmarks": len(settings.landmarks),
        "largest_sum_over_landmarks_and_one_other": float(totals.max()),
        "sum_over_all_timestamps": float(budgets.sum()),
        "timestamps": len(budgets),
        "frame": {"projection": "azimuthal equidistant", "origin": [frame.latitude, frame.longitude]},
        **guarantee.to_dict(),
        "words": words,
    }


def _words(settings: Settings, top: float, whole: float) -> list[str]:
    said = [
        f"Budgets are counted at a protection radius of {settings.radius_m:.6g} m: the landmarks and any one other timestamp "
        f"spend at most {upward(top)} together, and the whole track {upward(whole)}.",
        "Metres are those of a flat frame, which stretches lengths by a factor of at most 1.0002.",
        "Times are published as they are, and which timestamps were measured. Which ones are landmarks is taken as known.",
    ]
    if settings.origin is None:
        said.append(
            "The origin of the frame is the mean of the track to a whole degree: that much of where the track lies is "
            "published beside the guarantee. A public origin of your own tells nothing."
        )
    return said


def upward(value: float) -> str:
    """Six digits that are not below the value."""
    text = f"{value:.6g}"
    return text if float(text) >= value else f"{value + 10.0 ** (math.floor(math.log10(value)) - 5):.6g}"


def _csv(track: Trajectory, of: Sequence[int] | np.ndarray, latitude: Floats, longitude: Floats) -> str:
    times = np.datetime_as_string(track.time[of], unit="ms")
    rows = zip(times.tolist(), latitude.tolist(), longitude.tolist(), strict=True)
    return "time,latitude,longitude\n" + "".join(f"{time}Z,{a:.7f},{b:.7f}\n" for time, a, b in rows)


def _bytes(track: Trajectory) -> bytes:
    """The track as bytes that are the same whenever its points and times are."""
    return b"".join(np.ascontiguousarray(a).tobytes() for a in (track.time, track.latitude, track.longitude))
