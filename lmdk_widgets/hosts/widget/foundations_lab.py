"""The foundations page as one widget."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from lmdk_widgets.hosts.widget.lab import Lab
from lmdk_widgets.pages.foundations import Foundations, read_table
from lmdk_widgets.pages.foundations.page import FoundationsPage
from lmdk_widgets.pages.foundations.session import FoundationsSession


class FoundationsLab(Lab):
    """What the terms of privacy mean, on tables small enough to see everything.

    Parameters
    ----------
    choices : the initial choices; six people at t1 if left out.
    query : the query string of a link made by "Copy link".
    table : path of your own CSV file, for choices whose table is "own".

    Attributes
    ----------
    choices : the present `Foundations`; set them to change the page, observe them to follow the user.
    outcome : the `FoundationsOutcome` that follows from them.

    Examples
    --------
    >>> lab = FoundationsLab(Foundations(levels=(4, 2)))
    >>> lab.outcome.shown.measures.k
    3
    """

    PAGE = FoundationsPage

    page: FoundationsPage

    def __init__(
        self,
        choices: Foundations | None = None,
        *,
        query: str = "",
        table: str | os.PathLike | None = None,
        **traits: Any,
    ) -> None:
        own = None if table is None else read_table(Path(table).read_bytes(), Path(table).name)
        super().__init__(FoundationsSession(choices, own), query=query, **traits)
