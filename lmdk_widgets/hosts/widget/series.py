"""The quilt lab as one widget."""

from __future__ import annotations

import os
from typing import Any, Unpack

from lmdk_widgets.hosts.widget.bundle import WidgetTraits
from lmdk_widgets.hosts.widget.lab import Lab, choices_or_data
from lmdk_widgets.pages.series import SeriesChoices, read_own
from lmdk_widgets.pages.series.page import SeriesPage
from lmdk_widgets.pages.series.session import SeriesSession
from lmdk_widgets.trajectory.data_frame import as_csv


class QuiltLab(Lab):
    """Pufferfish privacy of a series of states, by Markov quilts.

    Parameters
    ----------
    choices : the initial choices, or a series as below; the household's power if left out.
    query : the query string of a link made by "Copy link".
    series : your own series, the path of a file or a table in memory, for choices whose source is "own".

    Attributes
    ----------
    choices : the present `SeriesChoices`; set them to change the page, observe them to follow the user.
    outcome : the `SeriesOutcome` that follows from them.

    Examples
    --------
    >>> lab = QuiltLab(SeriesChoices(source="binary", length=100, epsilon=1.0))
    >>> round(lab.outcome.scale.scale, 4)
    12.84
    """

    PAGE = SeriesPage

    page: SeriesPage

    def __init__(
        self,
        choices: SeriesChoices | Any | None = None,
        *,
        query: str = "",
        series: str | os.PathLike | Any | None = None,
        **traits: Unpack[WidgetTraits],
    ) -> None:
        choices, series, is_first = choices_or_data(choices, series, SeriesChoices, "series")
        own = None if series is None else read_own(*as_csv(series))
        session = SeriesSession(choices, own)
        if is_first and own is not None:
            session.begin(session.with_file(own)[0])
        super().__init__(session, query=query, **traits)
