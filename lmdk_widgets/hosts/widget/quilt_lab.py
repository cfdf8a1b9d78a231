"""The quilt lab as one widget."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from lmdk_widgets.hosts.widget.lab import Lab
from lmdk_widgets.pages.quilts import QuiltChoices, read_own
from lmdk_widgets.pages.quilts.page import QuiltPage
from lmdk_widgets.pages.quilts.session import QuiltSession


class QuiltLab(Lab):
    """Pufferfish privacy of a series of states, by Markov quilts.

    Parameters
    ----------
    choices : the initial choices; the household's power if left out.
    query : the query string of a link made by "Copy link".
    series : path of a file with your own series, for choices whose source is "own".

    Attributes
    ----------
    choices : the present `QuiltChoices`; set them to change the page, observe them to follow the user.
    outcome : the `QuiltOutcome` that follows from them.

    Examples
    --------
    >>> lab = QuiltLab(QuiltChoices(source="binary", length=100, epsilon=1.0))
    >>> round(lab.outcome.scale.scale, 4)
    12.84
    """

    PAGE = QuiltPage

    page: QuiltPage

    def __init__(
        self,
        choices: QuiltChoices | None = None,
        *,
        query: str = "",
        series: str | os.PathLike | None = None,
        **traits: Any,
    ) -> None:
        own = None if series is None else read_own(Path(series).read_bytes(), Path(series).name)
        super().__init__(QuiltSession(choices, own), query=query, **traits)
