"""What is said of the public region: how large it is, who says that it is public, and what lies outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lmdk_widgets.geo import Region
from lmdk_widgets.page.amounts import bound_metres, whole
from lmdk_widgets.page.sentences import Written, join, sentence
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.own_track import is_without_zone
from lmdk_widgets.scenario.people import without
from lmdk_widgets.scenario.region import is_beyond, is_proposed, outside, region_of
from lmdk_widgets.trajectory import samples
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series

PROPOSED = (
    "The region, {size}, is a proposal: the smallest box of a quarter-degree lattice around these data, so it reveals "
    "where they are. Confirm it, or choose another area that can be public."
)


def size_of(region: Region) -> str:
    """The size of a region, from west to east and from south to north.

    Examples
    --------
    >>> size_of(Region(48.75, 2.25, 49.0, 2.5))
    '18 by 28 km'
    """
    wide, high = (
        Written(f"{side / 1000:.2g}" if side < 10_000 else f"{side / 1000:,.0f}", side / 1000) for side in region.size_m
    )
    return sentence("{region_km_east} by {region_km_north} km", region_km_east=wide, region_km_north=high)


def level_error(scenario: Scenario, trajectory: Trajectory, error: float, write: Callable[[float], str]) -> str:
    """An error that is expected, as it is written; beyond the region's diagonal its digits would tell a reader nothing.

    Examples
    --------
    >>> from lmdk_widgets.page.amounts import metres
    >>> from lmdk_widgets.trajectory import sample
    >>> [level_error(Scenario(), sample("bob"), error, metres) for error in (3_200.0, 806_400.0)]
    ['3.2 km', 'beyond the region of 18 by 28 km']
    """
    if is_beyond(scenario, trajectory, error):
        return Written(f"beyond the region of {size_of(region_of(scenario, trajectory))}", error)
    return write(error)


ASKED = "Which area can be public? Cells and guesses stay inside it. This proposal comes from your data."
CONFIRMED = "You said that it is public: links, files and programs contain it."
OF_SAMPLE = "For this sample it is public. Cells and guesses stay inside it."


def region_told(scenario: Scenario, trajectory: Trajectory) -> dict[str, Any] | None:
    """What the page shows of the region: its limits in degrees, what it is called, and who says that it is public; None
    for a series, which has none."""
    if isinstance(trajectory, Series):
        return None
    region, sample = region_of(scenario, trajectory), samples.data_name(without(trajectory))
    own = bool(sample) and region == samples.region_of(sample)
    proposed = is_proposed(scenario, trajectory)
    return {
        "limits": list(region.limits),
        "called": join((samples.region_name(sample) if own else "", size_of(region))),
        "said": ASKED if proposed else OF_SAMPLE if own else CONFIRMED,
        "proposed": proposed,
        "chosen": bool(scenario.region),
        "sample": bool(sample),
        "zone": "" if is_without_zone(trajectory) else trajectory.zone,
        "of": f"{trajectory.name}, {len(trajectory)}",
    }


def proposal_said(scenario: Scenario, trajectory: Trajectory) -> str:
    """That the region is a proposal."""
    return sentence(PROPOSED, size=size_of(region_of(scenario, trajectory)))


def region_warnings(scenario: Scenario, trajectory: Trajectory) -> list[str]:
    """That the region comes from the data, and how many timestamps are moved into it."""
    if isinstance(trajectory, Series):
        return []
    region = region_of(scenario, trajectory)
    found = [proposal_said(scenario, trajectory)] if is_proposed(scenario, trajectory) else []
    away = outside(region, trajectory)
    if away.any():
        points = region.frame.to_metres(trajectory.latitude, trajectory.longitude)[away]
        far = float(np.hypot(*(points - region.clip(points)).T).max())
        found.append(_moved(int(away.sum()), len(trajectory), far, cells=scenario.mechanism != "planar"))
    return found


def _moved(away: int, n: int, far_m: float, *, cells: bool) -> str:
    move = ": planar Laplace does not move them, but a reader who knows the region does."
    if cells:
        move = ": the mechanism takes the nearest point of the region instead."
    return sentence(
        "{outside} of {n} {timestamps} {lie} outside the region, by up to {most_outside}{move}",
        outside=whole(away),
        n=whole(n),
        timestamps="timestamp" if n == 1 else "timestamps",
        lie="lies" if away == 1 else "lie",
        most_outside=bound_metres(far_m),
        move=move,
    )
