"""The place page as one widget."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Unpack

from lmdk_widgets.hosts.widget.bundle import FileWidgetTraits
from lmdk_widgets.hosts.widget.lab import Lab, choices_or_data
from lmdk_widgets.pages.place import PlaceChoices, read_checkins
from lmdk_widgets.pages.place.distances import read_matrix
from lmdk_widgets.pages.place.page import PlacePage
from lmdk_widgets.pages.place.session import PlaceSession
from lmdk_widgets.trajectory import Trajectory
from lmdk_widgets.trajectory.samples import find_track, only_of_files


class PlacesLab(Lab):
    """Optimal geo-indistinguishability on a map.

    Parameters
    ----------
    choices : the initial choices, or a track as below.
    query : the query string of a link made by "Copy link".
    track : your own track, a sample's name, the path of a file or a table in memory, whose cells are the initial ones;
        choices that are already for it, such as those of "Copy widget as Python", stay as they are.
    checkins : path of a file of check-ins, for choices that use it.
    distances : path of a CSV file of distances between the cells, for choices that use it.
    basemap : path of a PMTiles file with streets for the map; the browser gets them only from the kernel.
    timezone, columns, headings, epsg, day_first, on_problem, on_repeat, on_several, person, days : how the file of a track
        is read, as for `load_trajectory`.

    Attributes
    ----------
    choices : the present `PlaceChoices`; set them to change the page, observe them to follow the user.
    outcome : the cells, the priors, and the mechanisms solved so far.

    Examples
    --------
    >>> lab = PlacesLab(PlaceChoices(rows=3, columns=3, prior="uniform"))
    >>> lab.finish()
    >>> round(lab.outcome.assessed["optimal"].loss_m)
    884
    """

    PAGE = PlacePage

    page: PlacePage

    def __init__(
        self,
        choices: PlaceChoices | Any | None = None,
        *,
        query: str = "",
        track: Trajectory | str | os.PathLike | Any | None = None,
        checkins: str | os.PathLike | None = None,
        distances: str | os.PathLike | None = None,
        basemap: str | os.PathLike | None = None,
        timezone: str | None = None,
        **how: Unpack[FileWidgetTraits],
    ) -> None:
        choices, track, _ = choices_or_data(choices, track, PlaceChoices, "track")
        options, traits = self.how_read(how)
        options |= {} if timezone is None else {"timezone": timezone}
        if track is None:
            only_of_files(options)
        own = None if track is None else find_track(track, **options)
        visits = None if checkins is None else read_checkins(Path(checkins).read_bytes())
        apart = None if distances is None else read_matrix(Path(distances).read_bytes())
        super().__init__(PlaceSession(choices, own, visits, apart), query=query, **traits)
        self.lay_under(basemap)
