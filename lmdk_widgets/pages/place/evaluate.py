"""From choices to what the page shows: the cells, the priors and the distances, before any mechanism is solved."""

from __future__ import annotations

from lmdk_widgets.checks import whole
from lmdk_widgets.geo import Area
from lmdk_widgets.geoind.cells import grid_area, region_area, track_area
from lmdk_widgets.geoind.mechanisms import Instance
from lmdk_widgets.geoind.visits import Visits, crowded
from lmdk_widgets.pages.place.distances import apart_of
from lmdk_widgets.pages.place.model import PlaceChoices
from lmdk_widgets.pages.place.outcome import Outcome
from lmdk_widgets.pages.place.prior import (
    Sources,
    counted_checkins,
    is_proposed,
    is_public,
    other_prior,
    prior_of,
    region_of,
)
from lmdk_widgets.pages.place.rounding import roundings
from lmdk_widgets.pages.place.study import Charts


def area_of(places: PlaceChoices, sources: Sources) -> Area:
    """The chosen cells."""
    if places.area == "grid":
        file = sources.checkins.get(places.checkins) if places.around else None
        if not isinstance(file, Visits):
            centre = places.latitude, places.longitude
        else:
            centre = crowded(file, places.columns * places.cell_m, places.rows * places.cell_m)
        return grid_area(places.rows, places.columns, places.cell_m, centre)
    if places.area == "region":
        return region_area(region_of(places, sources), places.cell_m)
    return track_area(sources.track(places.track), places.cell_m)


def evaluate(places: PlaceChoices, sources: Sources | None = None) -> Outcome:
    """The chosen cells, priors and distances; no mechanism is solved yet.

    Parameters
    ----------
    places : the choices. sources : the user's own tracks and check-in files.

    Returns
    -------
    Outcome, without mechanisms: `improve` finds them, one better outcome after another.

    Raises
    ------
    InputError : choices that do not fit together: a track or a file without a point in these cells, too many cells, a
    cell that does not exist, or weights painted for other cells.

    Examples
    --------
    >>> out = evaluate(PlaceChoices(rows=3, columns=3, prior="uniform"))
    >>> len(out.instance), round(out.instance.blind_m, 1)
    (9, 1073.0)
    """
    known = sources or Sources()
    area = area_of(places, known)
    whole(places.place, "cell", least=-1, most=len(area) - 1)
    priors = prior_of(places, area, known), other_prior(places, area, known)
    apart = apart_of(places, area, known.matrices)
    one = places.privacy_by == places.quality_by == places.error_by != "squared"
    more = {} if one else {"quality_m": apart.quality, "error_m": apart.error}
    instance = Instance(area.points_m, apart.privacy, *priors, **more, public=is_public(places, known))
    charts = Charts(instance, places.radius_m, places.dilation)
    region = region_of(places, known) if places.area == "region" else None
    counted, proposed = counted_checkins(places, area, known), is_proposed(places, known)
    return Outcome(
        places,
        area,
        instance,
        charts,
        checkins=counted,
        region=region,
        proposed=proposed,
        roundings=roundings(area, instance, places.decimals, places.square_cells),
    )
