"""The dashboard: one notebook, several pages, each a separate widget that is made when it is first opened.

The explorer comes first and pays nothing for the labs: their mathematics and bundles are loaded only when needed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Unpack

import traitlets

from lmdk_widgets.checks import one_of
from lmdk_widgets.hosts.page_list import APART, FIRST, PAGES, page_class
from lmdk_widgets.hosts.widget.bundle import BundledWidget
from lmdk_widgets.hosts.widget.lab import hosted
from lmdk_widgets.page import reading
from lmdk_widgets.page.link import pages_of

if TYPE_CHECKING:
    from lmdk_widgets.hosts.widget.track import ExplorerOptions


def widget_of(name: str) -> Any:
    """The widget of a page, by its name in links."""
    _, made = PAGES[name]
    if not made:
        return hosted(page_class(name))
    module, widget = made.split(".")
    return getattr(import_module(f"lmdk_widgets.hosts.widget.{module}"), widget)


class Dashboard(BundledWidget):
    """Every page of lmdk_widgets in one widget.

    Parameters
    ----------
    query : the query string of an address; `page=` in it opens a page other than the explorer, and its settings for
        other pages wait until they are opened.
    paths : whether the path of a table can be typed on the page People, as for `PeopleLab`.
    explorer : further arguments of `Explorer`.

    Attributes
    ----------
    page : the name of the open page; set it to open another.
    widgets : the pages opened so far, by name.

    Raises
    ------
    InputError : there is no such page.

    Examples
    --------
    >>> dashboard = Dashboard()
    >>> dashboard.page, list(dashboard.widgets)
    ('track', ['track'])
    """

    page = traitlets.Unicode(FIRST).tag(sync=True)
    _pages = traitlets.Dict().tag(sync=True)
    _titles: traitlets.List = traitlets.List().tag(sync=True)
    _apart: traitlets.List = traitlets.List(list(APART)).tag(sync=True)

    def __init__(self, *, query: str = "", paths: bool | None = None, **explorer: Unpack[ExplorerOptions]) -> None:
        self.widgets: dict[str, BundledWidget] = {}
        self._arguments = {FIRST: explorer, "people": {"paths": paths}}
        asked, self._queries = pages_of(query)
        first = asked if asked in PAGES else FIRST
        self._open(first, query)
        super().__init__(
            _module="dashboard.js",
            page=first,
            _titles=[[name, title] for name, (title, _) in PAGES.items()],
            _pages=self._references(),
        )

    @traitlets.validate("page")
    def _known(self, proposal: Any) -> str:
        return one_of(str(proposal["value"]), "page", PAGES)

    @traitlets.observe("page")
    def _opened(self, change: Any) -> None:
        if change["new"] not in self.widgets:
            self._open(change["new"], self._queries.get(change["new"], ""))
            self._pages = self._references()
        self.copy_soon()

    def _open(self, name: str, query: str) -> None:
        self.widgets[name] = widget_of(name)(query=query, **self._arguments.get(name, {}))
        self.widgets[name]._copy = self._copy

    # -- without a kernel: the open page ------------------------------------------------------------------------------------

    def static_copy(self) -> reading.StaticCopy:
        return self.widgets[self.page].static_copy()

    def settle(self, seconds: float) -> None:
        self.widgets[self.page].settle(seconds)

    def _file(self, *, share: bool) -> str:
        return self.widgets[self.page]._file(share=share)

    def keep(self) -> None:
        super().keep()
        for widget in self.widgets.values():
            widget._copy = self._copy

    def _references(self) -> dict[str, str]:
        return {name: f"anywidget:{widget.model_id}" for name, widget in self.widgets.items()}
