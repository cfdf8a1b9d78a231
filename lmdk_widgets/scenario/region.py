"""The public region of a track: what everybody knows of where it lies, and no mechanism may take from the data."""

from __future__ import annotations

from functools import lru_cache

from lmdk_widgets.geo import Region
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.trajectory import samples
from lmdk_widgets.trajectory.model import Trajectory


@lru_cache(maxsize=8)
def region_of(scenario: Scenario, trajectory: Trajectory) -> Region:
    """The region that holds: a sample's own, or the smallest box of the quarter-degree lattice around a track.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> region_of(Scenario(), sample("bob"))
    Region(south=48.75, west=2.25, north=49.0, east=2.5)
    """
    name = samples.data_name(trajectory)
    return samples.region_of(name) if name else Region.around(trajectory.latitude, trajectory.longitude)
