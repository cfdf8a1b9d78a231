"""The table page as one widget."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from lmdk_widgets.hosts.widget.lab import Lab
from lmdk_widgets.pages.table import TableChoices, read_table
from lmdk_widgets.pages.table.page import TablePage
from lmdk_widgets.pages.table.session import TableSession


class FoundationsLab(Lab):
    """What the terms of privacy mean, on tables small enough to see everything.

    Parameters
    ----------
    choices : the initial choices; six people at t1 if left out.
    query : the query string of a link made by "Copy link".
    table : path of your own CSV file, for choices whose table is "own".

    Attributes
    ----------
    choices : the present `TableChoices`; set them to change the page, observe them to follow the user.
    outcome : the `TableOutcome` that follows from them.

    Examples
    --------
    >>> lab = FoundationsLab(TableChoices(levels=(4, 2)))
    >>> lab.outcome.shown.measures.k
    3
    """

    PAGE = TablePage

    page: TablePage

    def __init__(
        self,
        choices: TableChoices | None = None,
        *,
        query: str = "",
        table: str | os.PathLike | None = None,
        **traits: Any,
    ) -> None:
        own = None if table is None else read_table(Path(table).read_bytes(), Path(table).name)
        super().__init__(TableSession(choices, own), query=query, **traits)
