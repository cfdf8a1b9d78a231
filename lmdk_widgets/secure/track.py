"""A release of a whole track that is meant: budgets by a scheme, exact noise, a guarantee beside the points, one entry in the
ledger."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from lmdk_widgets.budgets import FIXED_SCHEMES, allocate, landmark_totals
from lmdk_widgets.checks import number, one_of, positive
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import EARTH_RADIUS_M, Floats, LocalFrame, Region
from lmdk_widgets.secure.base import Mechanism, Pair
from lmdk_widgets.secure.files import check_free, reserved
from lmdk_widgets.secure.ledger import Ledger
from lmdk_widgets.secure.points import Guarantee, release_points
from lmdk_widgets.secure.together import Minutes, Together, upward
from lmdk_widgets.trajectory import Trajectory

GIVEN = "given"
"""The scheme of budgets by hand."""

NAMES = ["guarantee.json", "release.csv"]
"""The files of a release; the points come last."""

STRETCH = 1.0002
"""By so much the frame may stretch lengths where a point of the track is: within some 200 km of its origin."""

FARTHEST_KM = 300
"""Places so far from the origin of the frame are still those of `GROUND`, so that a neighbour of a true place is too."""

GROUND = Fraction(503, 500)
"""A length in the frame is at most 1.006 times the same length on the ground: 6,371,008.8 m, the radius of the frame's
sphere, over 6,335,439 m, the smallest radius of the WGS84 ellipsoid (along a meridian, at the equator), is 1.00562, and the
flat frame stretches by 1.00037 at most where a place is within `FARTHEST_KM` of its origin."""

ROOT_2 = Fraction(99, 70)
"""Just above the square root of 2: 99^2 is 9,801, and 2 70^2 is 9,800."""

SPARE_BYTES = 1_000
"""Room in guarantee.json for what the ledger says in the end: how many releases there are, and what they spend together."""

STEPS_OF_RADIUS = 40
"""The step of the lattice is the radius divided by this, when none is given."""


@dataclass(frozen=True)
class Settings:
    """What a release of a track is asked for.

    Attributes
    ----------
    scheme : one of `FIXED_SCHEMES`. epsilon : the budget. radius_m : protection radius, metres: a timestamp with budget b is
    reported with `rate` per metre. landmarks : indices from 0. window : w of the scheme "window".
    step_m : step of the lattice, metres; None: a fortieth of the radius.
    origin : latitude and longitude of the frame, degrees. It is published, so it has to be public: never from the track.
    region : south, west, north and east of the area that everybody may know, degrees; its middle is the origin then, points
    outside are moved into it first, and reports into it afterwards.
    budgets : of each timestamp, for the scheme "given" alone.
    """

    scheme: str = "uniform"
    epsilon: float = 1.0
    radius_m: float = 200.0
    landmarks: tuple[int, ...] = ()
    window: int | None = None
    step_m: float | None = None
    origin: tuple[float, float] | None = None
    region: tuple[float, float, float, float] | None = None
    budgets: tuple[float, ...] = ()

    @property
    def step(self) -> float:
        return self.radius_m / STEPS_OF_RADIUS if self.step_m is None else self.step_m

    def rate(self, budget: float) -> float:
        """Epsilon per metre of the lattice for a budget: ``budget / ((radius_m + sqrt(2) step) 1.006)``, rounded down.

        Two true places at most radius_m apart on the ground are at most 1.006 times that apart in the frame, see `GROUND`.
        Each is then moved to the lattice, by step / sqrt(2) at most, so that no report changes the odds of the two by a
        factor of more than e^budget.
        """
        apart = (Fraction(self.radius_m) + ROOT_2 * Fraction(self.step)) * GROUND
        return _down(Fraction(budget) / apart)


def release_track(
    track: Trajectory, settings: Settings, folder: Path, ledger: Ledger, *, again: bool = False, **whose: Any
) -> dict[str, Any]:
    """Makes a release of a track, writes it down in the ledger, and puts it into a folder.

    Everything is computed first, and room is taken on the disk; then the ledger knows of it; then the files appear, whole or
    not at all. A release that is interrupted in between is written down though nobody has it: that is the safe side.

    Parameters
    ----------
    whose : "subject" and "limit", see `Ledger.spend`.

    Returns
    -------
    The guarantee, as it stands in guarantee.json.

    Raises
    ------
    InputError : a scheme whose budgets follow from what is released, settings out of range, no origin or one too far from
        the track, a folder that has a release or is used by another one, a ledger that cannot be used, a full disk, or
        data that were released before, unless `again`.
    """
    folder = Path(folder)
    check_free(folder, NAMES)
    region = None if settings.region is None else Region(*settings.region)
    number(settings.radius_m, "radius", 1e-3, 1e6)
    positive(settings.step, "step")
    budgets, frame = budgets_of(settings, len(track)), _frame(track, settings, region)
    released = np.flatnonzero(budgets)
    per_m = [settings.rate(budget) for budget in budgets[released].tolist()]
    true = within(region, frame.to_metres(track.latitude[released], track.longitude[released]))
    made = release_points(true, per_m, step_m=settings.step)
    told = _told(settings, budgets, frame, made.guarantee)
    text = _csv(track, released, *frame.to_degrees(within(region, made.points_m)))
    spent = {"scheme": settings.scheme, "epsilon": settings.epsilon, "radius_m": settings.radius_m}
    minutes = Minutes.of(track.time, budgets, settings.landmarks, settings.radius_m)
    return write_release(
        folder, told, text, lambda: ledger.spend(_bytes(track), spent, again=again, minutes=minutes, **whose)
    )


def within(region: Region | None, points_m: Floats) -> Floats:
    """Points in the region's frame, each moved to the nearest one of it: a convex set, so that no distance grows."""
    return points_m if region is None else np.clip(points_m, *region.bounds_m)


def outside(track: Trajectory, region: tuple[float, float, float, float]) -> int:
    """How many points of a track lie outside a region: for its owner alone, as it is computed from the true places."""
    return int((~Region(*region).contains(track.latitude, track.longitude)).sum())


def write_release(folder: Path, told: dict[str, Any], text: str, spend: Callable[[], Together]) -> dict[str, Any]:
    """Puts a guarantee and its values into a folder, and writes down in between that a budget is spent."""
    with reserved(folder, {NAMES[0]: len(_json(told).encode()) + SPARE_BYTES, NAMES[1]: len(text.encode())}) as publish:
        together = spend()
        told = told | {"words": [*told["words"], *together.words()]} | together.to_dict()
        publish(dict(zip(NAMES, (_json(told), text), strict=True)))
    return told


def _json(told: dict[str, Any]) -> str:
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


def _down(value: Fraction) -> float:
    """A float that is not above a fraction."""
    found = float(value)
    return found if Fraction(found) <= value else math.nextafter(found, 0.0)


def budgets_of(settings: Any, n: int) -> Floats:
    """The budgets of n timestamps, by a scheme or by hand, 0 where nothing is measured.

    Raises
    ------
    InputError : a scheme whose budgets follow from what is released; of budgets by hand too many or too few, or one that
        is no number from 0 on; budgets that are all 0.
    """
    remedy = "Budgets that follow from what is released are for simulations"
    one_of(settings.scheme, "scheme", (*FIXED_SCHEMES, GIVEN), remedy=remedy)
    by_hand = settings.scheme == GIVEN
    budgets = (
        _given(settings.budgets, n)
        if by_hand
        else allocate(settings.scheme, n, settings.landmarks, settings.epsilon, window=settings.window)
    )
    if not (budgets > 0).any():
        raise InputError("A release must measure a timestamp at least", value="none", remedy="Take another scheme")
    return budgets


def _given(budgets: Sequence[float], n: int) -> Floats:
    if len(budgets) != n:
        remedy = "Name --budgets with a number for each timestamp, such as .2x3,0,.1x4 for eight of them"
        raise InputError(
            f"The budgets by hand must be {n:,}, one for each timestamp", value=f"{len(budgets):,}", remedy=remedy
        )
    return np.array([number(budget, "a budget", 0, 1e6) for budget in budgets])


def _frame(track: Trajectory, settings: Settings, region: Region | None) -> LocalFrame:
    if region is not None:
        if settings.origin is not None:
            raise InputError(
                "A release with a region must have no other origin", remedy="The region's middle is its origin"
            )
        if region.frame.stretch(region.bounds_m) > STRETCH:
            raise InputError("The region must lie within 200 km of its middle", remedy="Name a smaller one")
        return region.frame
    if settings.origin is None:
        remedy = (
            "Name --region with the area that everybody may know, or --origin with a place, such as the centre of the city. "
            "It is published, and one that is computed from the track tells of it"
        )
        raise InputError("The release of a track must have a public origin or region", value="none", remedy=remedy)
    latitude = number(settings.origin[0], "latitude of the origin", -90, 90)
    frame = LocalFrame(latitude, number(settings.origin[1], "longitude of the origin", -180, 180))
    if frame.stretch(frame.to_metres(track.latitude, track.longitude)) > STRETCH:
        remedy = "Name a public origin nearer to the track, or release its parts by themselves"
        raise InputError("The track must lie within 200 km of the origin of its frame", remedy=remedy)
    return frame


def _told(settings: Settings, budgets: Floats, frame: LocalFrame, guarantee: Guarantee) -> dict[str, Any]:
    """The guarantee of a track, for JSON."""
    totals = landmark_totals(budgets, settings.landmarks)
    words = [*guarantee.words(), *_moved(settings), *_words(settings, float(totals.max()), float(budgets.sum()))]
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
        "region": None if settings.region is None else list(settings.region),
        **guarantee.to_dict(),
        "words": words,
    }


def _moved(settings: Settings) -> list[str]:
    """What a region does."""
    if settings.region is None:
        return []
    limits = ", ".join(f"{limit:g}" for limit in settings.region)
    return [
        f"The region {limits} (south, west, north, east) is taken as public. A true place outside it is moved to the nearest "
        "place of it first, which makes no two places farther apart, and a report outside it afterwards, which tells no more."
    ]


def _words(settings: Settings, top: float, whole: float) -> list[str]:
    radius = f"{settings.radius_m:.6g} m"
    return [
        "The metres above are those of a flat frame around the origin. A length in it is at most "
        f"{float(GROUND):g} times the length on the ground.",
        f"A timestamp with budget b is reported with epsilon b / (({radius} + 1.41421 x {settings.step:.6g} m) x "
        f"{float(GROUND):g}) per metre. So no report changes the odds of two true places at most {radius} apart on the "
        "ground by a factor of more than e^b: moving them to the lattice and into the flat frame is allowed for. This holds "
        f"for places within {FARTHEST_KM} km of the origin.",
        f"At this protection radius the landmarks and any one other timestamp spend at most {upward(top)} together, and the "
        f"whole track {upward(whole)}.",
        "Times are published as they are, and which timestamps were measured. Which ones are landmarks is taken as known.",
        "The origin of the frame is published, and taken as public: an origin that is computed from the track tells of it.",
    ]


def _csv(track: Trajectory, of: Sequence[int] | np.ndarray, latitude: Floats, longitude: Floats) -> str:
    times = np.datetime_as_string(track.time[of], unit="ms")
    rows = zip(times.tolist(), latitude.tolist(), longitude.tolist(), strict=True)
    return "time,latitude,longitude\n" + "".join(f"{time}Z,{a:.7f},{b:.7f}\n" for time, a, b in rows)


def _bytes(track: Trajectory) -> bytes:
    """The track as bytes that are the same whenever its points and times are."""
    return b"".join(np.ascontiguousarray(a).tobytes() for a in (track.time, track.latitude, track.longitude))


EQUATOR = (0.0, 10.0)
"""Where the audit makes its releases: there the ground is shortest for a metre of the frame."""

EAST, NORTH = 6_378_137.0 / EARTH_RADIUS_M, 6_335_439.327 / EARTH_RADIUS_M
"""Metres of the WGS84 ellipsoid for a metre of the frame near `EQUATOR`."""

_RADIUS_M, _STEP_M = 1000.0, 70.0
_CORNERS = (0.499 * _STEP_M, 1.501 * _STEP_M)
"""Each just within a cell of the lattice, on the side of the other: they are moved apart by a diagonal."""


@dataclass(frozen=True)
class TrackMechanism(Mechanism):
    """The mechanism for the places of a track."""

    data: ClassVar[str] = "a track"

    def release(
        self, data: Trajectory, asked: Mapping[str, Any], folder: Path, ledger: Ledger, **how: Any
    ) -> dict[str, Any]:
        """A release of a track by this mechanism, see `release_track`."""
        return release_track(data, Settings(**asked), folder, ledger, **how)


PLANAR_LAPLACE = TrackMechanism(
    name="planar-laplace",
    title="planar Laplace on a lattice, exact",
    meaning="noise in the plane for places.",
    releases="a track",
    pairs=(
        Pair(
            "true places a radius apart, on a fine lattice",
            ((0.0, 0.0), (0.0, _RADIUS_M / NORTH)),
            {"radius_m": _RADIUS_M, "step_m": _RADIUS_M / 1000, "origin": EQUATOR},
        ),
        Pair(
            "true places that a coarse lattice moves apart",
            ((_CORNERS[0], _CORNERS[0]), (_CORNERS[1], _CORNERS[1])),
            {
                "radius_m": math.hypot(*((_CORNERS[1] - _CORNERS[0]) * metres for metres in (EAST, NORTH))),
                "step_m": _STEP_M,
                "origin": EQUATOR,
            },
        ),
    ),
)
