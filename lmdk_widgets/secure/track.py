"""A private release of a whole track: budgets from a scheme, exact noise, a guarantee with the points, one entry in the
ledger."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import number, positive
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import EARTH_RADIUS_M, Floats, LocalFrame, Region
from lmdk_widgets.secure.base import Mechanism, Pair
from lmdk_widgets.secure.files import check_free
from lmdk_widgets.secure.folder import NAMES, write_release
from lmdk_widgets.secure.ledger import Ledger
from lmdk_widgets.secure.points import SMALLEST_RATE, Guarantee, Reporter, guarantee_of, release_points
from lmdk_widgets.secure.spending import (
    MOST_STEPS,
    SPARE,
    Reported,
    Spending,
    Sums,
    budgets_of,
    most_spent,
    spend_as_it_goes,
    spending_words,
    stated_settings,
    with_dummies,
)
from lmdk_widgets.secure.together import Minutes, upward
from lmdk_widgets.trajectory import Trajectory

STRETCH = 1.0002
"""The most by which the frame may stretch lengths at a point of the track: within some 200 km of its origin."""

FARTHEST_KM = 300
"""`GROUND` is valid for places up to this far from the frame's origin, so it is for a true place's neighbours too."""

GROUND = Fraction(503, 500)
"""A length in the frame is at most 1.006 times the same length on the ground: 6,371,008.8 m, the radius of the frame's
sphere, divided by 6,335,439 m, the smallest radius of curvature of the WGS84 ellipsoid (along a meridian, at the equator),
is 1.00562, and the flat frame stretches by at most 1.00037 at places within `FARTHEST_KM` of its origin."""

ROOT_2 = Fraction(99, 70)
"""Just above the square root of 2: 99^2 is 9,801, and 2 70^2 is 9,800."""

LONGEST_STEP_M = 1e6

STEPS_OF_RADIUS = 40
"""If no lattice step is given, it is the radius divided by this."""


@dataclass(frozen=True)
class Settings(Spending):
    """The settings for the release of a track, in addition to its `Spending`.

    Attributes
    ----------
    radius_m : protection radius, metres: a timestamp with budget b is reported with `rate` per metre.
    step_m : lattice step, metres; None: a fortieth of the radius.
    origin : latitude and longitude of the frame, degrees. It is published, so it must be public: never from the track.
    region : south, west, north and east of the public area, degrees; its middle is then the origin. Points outside are moved
    into it first, and reports afterwards.
    """

    radius_m: float = 200.0
    step_m: float | None = None
    origin: tuple[float, float] | None = None
    region: tuple[float, float, float, float] | None = None

    @property
    def step(self) -> float:
        return self.radius_m / STEPS_OF_RADIUS if self.step_m is None else self.step_m

    def rate(self, budget: float) -> float:
        """Epsilon per metre on the lattice for a budget: ``budget / ((radius_m + sqrt(2) step) 1.006)``, rounded down.

        Two true places at most radius_m apart on the ground are at most 1.006 times that apart in the frame, see `GROUND`.
        Each is then moved to the lattice, by at most step / sqrt(2), so no report changes the odds of the two by a
        factor of more than e^budget.
        """
        return _down(Fraction(budget) / self.apart)

    @property
    def apart(self) -> Fraction:
        """The most metres in the frame between two true places radius_m apart on the ground, after moving to the lattice."""
        return (Fraction(self.radius_m) + ROOT_2 * Fraction(self.step)) * GROUND

    @property
    def near(self) -> float:
        """The share of a budget that two true places may cost however near they are, as `together.scale` derives."""
        moved = ROOT_2 * Fraction(self.step)
        share = moved / (Fraction(self.radius_m) + moved)
        return float(max(share, Fraction(1, MOST_STEPS)) if self.comparison else share)


def release_track(
    track: Trajectory, settings: Settings, folder: Path, ledger: Ledger, *, again: bool = False, **whose: Any
) -> dict[str, Any]:
    """Make a release of a track, record it in the ledger, and write it to a folder.

    First everything is computed and space is reserved on the disk; then the ledger records the release; then the files
    appear, complete or not at all. A release interrupted in between is recorded although nobody has it, to be on the safe
    side.

    Parameters
    ----------
    whose : "subject", "limit" and "confirmed", see `Ledger.spend`.

    Returns
    -------
    The guarantee, as in guarantee.json.

    Raises
    ------
    InputError : a scheme whose budgets depend on a chain, settings out of range, no origin or one too far from the track,
        a folder that already contains a release or is used by another one, a ledger that cannot be used, a full disk, or
        data that were released before, unless `again`.
    """
    folder = Path(folder)
    check_free(folder, NAMES)
    region = None if settings.region is None else Region(*settings.region)
    number(settings.radius_m, "radius", 1e-3, 1e6)
    number(positive(settings.step, "step"), "step", high=LONGEST_STEP_M)
    frame = _frame(track, settings, region)
    settings = with_dummies(settings, track.time, ledger, whose.get("subject", ""))
    true = within(region, frame.to_metres(track.latitude, track.longitude))
    budgets, measured, points_m, guarantee = _drawn(settings, true, region)
    told = _told(settings, Sums.of(budgets, settings.landmarks), frame, guarantee)
    text = _csv(track, measured, *frame.to_degrees(points_m))
    spent = {"scheme": settings.scheme, "epsilon": settings.epsilon, "radius_m": settings.radius_m}
    spent |= {"comparison": settings.comparison} if settings.comparison else {}
    whose["minutes"] = Minutes.of(track.time, budgets, settings.landmarks, settings.radius_m, settings.near)
    whose["most"] = most_spent(settings, track.time, settings.radius_m, settings.near)
    whose["places"] = _bytes(track.latitude, track.longitude)
    data = _bytes(track.time, track.latitude, track.longitude)
    return write_release(
        folder, told, text, ledger, lambda files: ledger.spend(data, spent, again=again, files=files, **whose)
    )


def _drawn(
    settings: Settings, true: Floats, region: Region | None
) -> tuple[Floats, NDArray[np.intp], Floats, Guarantee]:
    """(n,) budgets, the (k,) measured timestamps, (k, 2) their points in metres, and the points' guarantee.

    Parameters
    ----------
    true : (n, 2) metres.
    """
    budgets = budgets_of(settings, len(true))
    if not settings.as_it_goes:
        of = np.flatnonzero(budgets)
        made = release_points(true[of], [settings.rate(b) for b in budgets[of].tolist()], step_m=settings.step)
        return budgets, of, within(region, made.points_m), made.guarantee
    draw = reports(settings, true, region, Reporter(settings.step))
    spent, noise = spend_as_it_goes(settings, draw)
    measured = np.flatnonzero(noise)
    rates = np.array([settings.rate(budget) for budget in noise[measured].tolist()])
    return spent, measured, np.array(draw.outputs), guarantee_of(rates, settings.step, compared=settings.comparison > 0)


def reports(settings: Settings, true: Floats, region: Region | None, reporter: Reporter) -> Reported:
    """The reports of (n, 2) true places, metres, which a scheme that decides as it goes asks for one after another."""
    size = float(settings.apart) if settings.comparison else settings.radius_m
    least = float(SMALLEST_RATE * settings.apart / Fraction(settings.step)) * SPARE

    def report(t: int, budget: float) -> Floats:
        return within(region, reporter.report(true[t], settings.rate(budget)))

    return Reported(len(true), size, report, within(region, true), least)


def within(region: Region | None, points_m: Floats) -> Floats:
    """Points in the region's frame, each moved to the nearest point of the region: it is convex, so no distance grows."""
    return points_m if region is None else np.clip(points_m, *region.bounds_m)


def outside(track: Trajectory, region: tuple[float, float, float, float]) -> int:
    """How many points of a track are outside a region: only for its owner, as it is computed from the true places."""
    return int((~Region(*region).contains(track.latitude, track.longitude)).sum())


def _down(value: Fraction) -> float:
    """The float of a fraction, never above it."""
    found = float(value)
    return found if Fraction(found) <= value else math.nextafter(found, 0.0)


def _frame(track: Trajectory, settings: Settings, region: Region | None) -> LocalFrame:
    if region is not None:
        if settings.origin is not None:
            raise InputError(
                "A release with a region must not have another origin", remedy="The region's middle is its origin"
            )
        if region.frame.stretch(region.bounds_m) > STRETCH:
            raise InputError("The region must be within 200 km of its middle", remedy="Name a smaller one")
        return region.frame
    if settings.origin is None:
        remedy = (
            "Name --region with a public area, or --origin with a public place, such as a city centre. "
            "It is published, and one computed from the track reveals something about it"
        )
        raise InputError("The release of a track must have a public origin or region", value="none", remedy=remedy)
    latitude = number(settings.origin[0], "latitude of the origin", -90, 90)
    frame = LocalFrame(latitude, number(settings.origin[1], "longitude of the origin", -180, 180))
    if frame.stretch(frame.to_metres(track.latitude, track.longitude)) > STRETCH:
        remedy = "Name a public origin closer to the track, or release its parts separately"
        raise InputError("The track must be within 200 km of the origin of its frame", remedy=remedy)
    return frame


def _told(settings: Settings, sums: Sums, frame: LocalFrame, guarantee: Guarantee) -> dict[str, Any]:
    """The guarantee of a track release, for JSON; of the landmarks only their number counts."""
    words = [*guarantee.words(), *_moved(settings), *_words(settings, sums)]
    return {
        "what": "a private release of a track, and not a simulation",
        "scheme": settings.scheme,
        "epsilon": settings.epsilon,
        "window": settings.stated_window,
        "protection_radius_m": settings.radius_m,
        "landmarks": len(settings.landmarks),
        "chance_of_a_dummy": settings.chance,
        "largest_sum_over_landmarks_and_one_other": sums.top,
        "sum_over_all_timestamps": sums.whole,
        "timestamps": sums.timestamps,
        "comparison_budget": settings.comparison,
        "frame": {"projection": "azimuthal equidistant", "origin": [frame.latitude, frame.longitude]},
        "region": None if settings.region is None else list(settings.region),
        **guarantee.to_dict(),
        "words": words,
    }


def _moved(settings: Settings) -> list[str]:
    """What a region does, in a sentence."""
    if settings.region is None:
        return []
    limits = ", ".join(f"{limit:g}" for limit in settings.region)
    return [
        f"The region {limits} (south, west, north, east) is treated as public. A true place outside it is first moved to "
        "the nearest place in it, which never increases a distance. A report outside it is moved too, which reveals no more."
    ]


def _words(settings: Settings, sums: Sums) -> list[str]:
    radius = f"{settings.radius_m:.6g} m"
    return [
        "The metres above are in a flat frame around the origin. A length in it is at most "
        f"{float(GROUND):g} times the length on the ground.",
        f"A timestamp with budget b is reported with epsilon b / (({radius} + 1.41421 x {settings.step:.6g} m) x "
        f"{float(GROUND):g}) per metre. So no report changes the odds of two true places at most {radius} apart on the "
        "ground by a factor of more than e^b: this allows for moving them to the lattice and into the flat frame. It holds "
        f"for places within {FARTHEST_KM} km of the origin.",
        f"At this protection radius, the landmarks and any one other timestamp spend at most {upward(sums.top)} together, "
        f"and the whole track {upward(sums.whole)}.",
        *spending_words(settings),
        "The frame's origin is published, and treated as public: an origin computed from the track reveals something "
        "about it.",
    ]


def _csv(track: Trajectory, of: Sequence[int] | np.ndarray, latitude: Floats, longitude: Floats) -> str:
    times = np.datetime_as_string(track.time[of], unit="ms")
    rows = zip(times.tolist(), latitude.tolist(), longitude.tolist(), strict=True)
    return "time,latitude,longitude\n" + "".join(f"{time}Z,{a:.7f},{b:.7f}\n" for time, a, b in rows)


def _bytes(*arrays: NDArray[Any]) -> bytes:
    """Bytes that are the same whenever the points and times are."""
    return b"".join(np.ascontiguousarray(a).tobytes() for a in arrays)


EQUATOR = (0.0, 10.0)
"""Where the audit makes its releases: a metre in the frame is shortest on the ground there."""

EAST, NORTH = 6_378_137.0 / EARTH_RADIUS_M, 6_335_439.327 / EARTH_RADIUS_M
"""Metres on the WGS84 ellipsoid per metre in the frame, near `EQUATOR`."""

_RADIUS_M, _STEP_M = 1000.0, 70.0
_CORNERS = (0.499 * _STEP_M, 1.501 * _STEP_M)
"""Each is just within its lattice cell, on the side facing the other: the lattice moves them apart by a diagonal."""


@dataclass(frozen=True)
class TrackMechanism(Mechanism):
    """The mechanism for the places of a track."""

    data: ClassVar[str] = "a track"

    def release(
        self, data: Trajectory, asked: Mapping[str, Any], folder: Path, ledger: Ledger, **how: Any
    ) -> dict[str, Any]:
        """Release a track with this mechanism, see `release_track`."""
        return release_track(data, Settings(**asked), folder, ledger, **how)

    def restated(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """See `Mechanism.restated`."""
        settings = stated_track(told)
        frame = LocalFrame(*told["frame"]["origin"]) if settings.region is None else Region(*settings.region).frame
        return _told(settings, Sums.stated(told), frame, Guarantee.stated(told, compared=settings.comparison > 0))


def stated_track(told: Mapping[str, Any]) -> Settings:
    """The settings that a guarantee of a track states; errors as for `stated_settings`."""
    region = None if told["region"] is None else tuple(told["region"])
    places = {"radius_m": told["protection_radius_m"], "step_m": told["lattice_step_m"], "region": region}
    return Settings(**places, **stated_settings(told))


PLANAR_LAPLACE = TrackMechanism(
    name="planar-laplace",
    title="planar Laplace on a lattice, exact",
    meaning="two-dimensional noise for places.",
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
