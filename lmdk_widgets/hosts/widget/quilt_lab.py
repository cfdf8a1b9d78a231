"""The quilt lab as one widget."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from lmdk_widgets.hosts.widget.lab import Lab
from lmdk_widgets.pages.series import SeriesChoices, read_own
from lmdk_widgets.pages.series.page import SeriesPage
from lmdk_widgets.pages.series.session import SeriesSession


class QuiltLab(Lab):
    """Pufferfish privacy of a series of states, by Markov quilts.

    Parameters
    ----------
    choices : the initial choices; the household's power if left out.
    query : the query string of a link made by "Copy link".
    series : path of a file with your own series, for choices whose source is "own".

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
        choices: SeriesChoices | None = None,
        *,
        query: str = "",
        series: str | os.PathLike | None = None,
        **traits: Any,
    ) -> None:
        own = None if series is None else read_own(Path(series).read_bytes(), Path(series).name)
        super().__init__(SeriesSession(choices, own), query=query, **traits)
