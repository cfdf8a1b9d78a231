"""The table page as one widget."""

from __future__ import annotations

import os
from typing import Any, Unpack

from lmdk_widgets.hosts.widget.bundle import WidgetTraits
from lmdk_widgets.hosts.widget.lab import Lab, choices_or_data
from lmdk_widgets.pages.table import TableChoices, read_table
from lmdk_widgets.pages.table.page import TablePage
from lmdk_widgets.pages.table.session import TableSession
from lmdk_widgets.trajectory.data_frame import as_csv


class FoundationsLab(Lab):
    """What the terms of privacy mean, on tables small enough to see everything.

    Parameters
    ----------
    choices : the initial choices, or a table as below; six people at t1 if left out.
    query : the query string of a link made by "Copy link".
    table : your own table, the path of a CSV file or one in memory, for choices whose table is "own".

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
        choices: TableChoices | Any | None = None,
        *,
        query: str = "",
        table: str | os.PathLike | Any | None = None,
        **traits: Unpack[WidgetTraits],
    ) -> None:
        choices, table, is_first = choices_or_data(choices, table, TableChoices, "table")
        own = None if table is None else read_table(*as_csv(table))
        session = TableSession(choices, own)
        if is_first and own is not None:
            session.begin(session.with_file(own)[0])
        super().__init__(session, query=query, **traits)
