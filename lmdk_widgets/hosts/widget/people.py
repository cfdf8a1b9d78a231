"""The people page as one widget."""

from __future__ import annotations

import os
import sys
from typing import Any, Unpack

from lmdk_widgets.hosts.widget.bundle import WidgetTraits
from lmdk_widgets.hosts.widget.lab import Lab, choices_or_data
from lmdk_widgets.hosts.widget.notebook_copy import in_voila
from lmdk_widgets.pages.people import PeopleChoices, PeopleTable
from lmdk_widgets.pages.people.page import PeoplePage
from lmdk_widgets.pages.people.session import PeopleSession
from lmdk_widgets.population import People
from lmdk_widgets.trajectory.model import Trajectory


def in_own_notebook() -> bool:
    """Whether this is the kernel of a notebook that a Jupyter server has opened for somebody who may run code in it; not one
    that Voila shows to others."""
    kernel = sys.modules.get("ipykernel.kernelapp")
    return bool(kernel and kernel.IPKernelApp.initialized() and os.environ.get("JPY_SESSION_NAME") and not in_voila())


class PeopleLab(Lab):
    """What publishing a table of people's tracks does to the people in it.

    Parameters
    ----------
    choices : the initial choices, or a table as below; the sample city if left out.
    query : the query string of a link made by "Copy link".
    table : your own table: a data frame, the path of a file or of a folder of Parquet, or a list of rows, each with a
        person, a time and a place.
    paths : whether a path can be typed on the page, of a table that this Python then reads. None: in a notebook that a
        Jupyter server opened, where whoever reaches the page can run any code. Say True only where nobody else reaches it.
    basemap : path of a PMTiles file with streets for the map of counts; the browser gets them only from the kernel.

    Attributes
    ----------
    choices : the present `PeopleChoices`; set them to change the page, observe them to follow the user.
    outcome : the `PeopleOutcome` that follows from them.

    Examples
    --------
    >>> lab = PeopleLab(PeopleChoices(epsilon=0.1))
    >>> len(lab.outcome), lab.outcome.meets
    (1000, True)
    """

    PAGE = PeoplePage

    page: PeoplePage

    def __init__(
        self,
        choices: PeopleChoices | Any | None = None,
        *,
        query: str = "",
        table: str | os.PathLike | Any | None = None,
        paths: bool | None = None,
        basemap: str | os.PathLike | None = None,
        **traits: Unpack[WidgetTraits],
    ) -> None:
        choices, table, is_first = choices_or_data(choices, table, PeopleChoices, "table")
        own = None if table is None else PeopleTable(People(table))
        session = PeopleSession(choices, own, paths=in_own_notebook() if paths is None else bool(paths))
        if is_first and own is not None:
            session.begin(session.with_file(own)[0])
        super().__init__(session, query=query, **traits)
        self.lay_under(basemap)

    def track(self, person: str) -> Trajectory:
        """The track of one person, with its landmarks, for `Explorer`."""
        return self.outcome.people.track(person)
