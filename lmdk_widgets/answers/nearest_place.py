"""How near someone who knows when you are there comes to your nearest lasting place, under every mechanism.

For planar Laplace it follows from the budgets (`found`). Where cells are reported, all reports of a place together give a
belief over the cells, and the attacker expects the place at this distance from the best guess: `hypot(expected distance
between cells, .3826 of a cell)`, as the place may be anywhere in its cell. The distance to the true place would also
be small by chance, where a place happens to be near the middle of a cell.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.answers.adversary import seen_over
from lmdk_widgets.answers.exposure import found_of
from lmdk_widgets.answers.found_places import FoundPlace
from lmdk_widgets.answers.main_places import lasting_places_of
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference import expected_error
from lmdk_widgets.inference.reader import OWN_CELL
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.reportable_cells import reported_area
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series


def lasting(trajectory: Trajectory) -> tuple[NDArray[np.bool_], ...]:
    """(n,) the timestamps at each lasting place: of up to ten places, those with five timestamps or more.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> [int(there.sum()) for there in lasting(sample("commuter"))][:3], lasting(sample("bob"))
    ([1044, 539, 108], ())
    """
    if isinstance(trajectory, Series):
        return ()
    return tuple(place.members for place in lasting_places_of(trajectory))


def found_places_m(outcome: Outcome) -> list[float]:
    """Metres within which each lasting place is found: in half of all releases; for cells as expected from this release;
    infinite without a report."""
    places = lasting(outcome.trajectory)
    if outcome.reports is not None:
        return _from_cells(outcome, places)
    found = found_of(outcome)
    if not isinstance(found, FoundPlace):
        return [math.nan] * len(places)
    # by their content: what was found may be older than the places, which a cache has found again
    found_m = {place.members.tobytes(): place.found_m for place in reversed(found.places)}
    return [found_m[there.tobytes()] for there in places]


def _from_cells(outcome: Outcome, places: tuple[NDArray[np.bool_], ...]) -> list[float]:
    """The same for reported cells, by the sum of the logarithms of their likelihoods."""
    area = reported_area(outcome.scenario, outcome.trajectory)
    seen, found = seen_over(area, outcome), []
    for there in places:
        if not (there & outcome.published).any():
            found.append(math.inf)
            continue
        logs: Floats = seen[there].sum(axis=0)
        belief = np.exp(logs - logs.max())
        (expected,) = expected_error(belief[None] / belief.sum(), area.distances_m)
        found.append(float(np.hypot(expected, OWN_CELL * area.cell_m)))
    return found
