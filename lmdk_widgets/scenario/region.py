"""The public region of a track: what may be public about where it lies, which no mechanism may take from the data.

A sample brings its own. For other data the owner says which area is public (`Scenario.region`); until then a proposal
is used, the smallest box of the quarter-degree lattice around them, which comes from the data, and a warning says so.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.cache import cached
from lmdk_widgets.geo import Floats, Region
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.people import without
from lmdk_widgets.trajectory import samples
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series


@cached("visitor", entries=8)
def region_of(scenario: Scenario, trajectory: Trajectory) -> Region:
    """The region in use: the chosen one, a sample's own, or the smallest quarter-degree box around a track.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> region_of(Scenario(), sample("bob"))
    Region(south=48.75, west=2.25, north=49.0, east=2.5)
    >>> region_of(Scenario(region=(48.5, 2.0, 49.0, 2.5)), sample("bob"))
    Region(south=48.5, west=2.0, north=49.0, east=2.5)
    """
    if scenario.region:
        return Region(*scenario.region)
    name = samples.data_name(without(trajectory))
    return samples.region_of(name) if name else proposal(trajectory)


def proposal(trajectory: Trajectory) -> Region:
    """What is proposed for a track of the user's own; it comes from the data."""
    return Region.around(trajectory.latitude, trajectory.longitude)


def is_proposed(scenario: Scenario, trajectory: Trajectory) -> bool:
    """Whether the region is a proposal from the data that nobody has confirmed.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> is_proposed(Scenario(), sample("bob"))
    False
    """
    return not (scenario.region or isinstance(trajectory, Series) or samples.data_name(without(trajectory)))


@cached("visitor", entries=8)
def points_inside(region: Region, trajectory: Trajectory) -> Floats:
    """(n, 2) the track in metres of the region's frame, each point outside moved to the nearest one of the region.

    A region is convex, so this moves no two points farther apart.
    """
    return region.clip(region.frame.to_metres(trajectory.latitude, trajectory.longitude))


@cached("visitor", entries=8)
def outside(region: Region, trajectory: Trajectory) -> NDArray[np.bool_]:
    """(n,) which timestamps lie outside the region."""
    return ~region.contains(trajectory.latitude, trajectory.longitude)


def is_beyond(scenario: Scenario, trajectory: Trajectory, error: float) -> bool:
    """Whether an error is larger than any between two places of the region; never for a series."""
    return not isinstance(trajectory, Series) and error > np.hypot(*region_of(scenario, trajectory).size_m)
