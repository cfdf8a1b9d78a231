"""The page of studies as a widget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.widget.bundle import NOT_SHARED, PageWidget, WidgetTraits
from lmdk_widgets.pages.studies.page import StudiesPage

if TYPE_CHECKING:
    from lmdk_widgets.study.opened_results import Opened


class Studies(PageWidget):
    """Shows the results of a study.

    Parameters
    ----------
    results : a data frame from `Study.run`, or a directory or file of results; a small study of Bob's day if left out.
    query : ignored; this page takes nothing from an address.

    Attributes
    ----------
    opened : the results. page : the page itself, a plain object.

    Raises
    ------
    InputError : these are not results.

    Examples
    --------
    >>> view = Studies()
    >>> view.opened.varied
    ['scheme', 'share', 'layout']
    >>> view.choose("colour", "layout")
    >>> [trace["name"] for trace in view.page.figure["data"]][:4]
    ['uniform', 'skewed', 'symmetric', 'bimodal']
    """

    page: StudiesPage

    def __init__(self, results: Any = None, *, query: str = "", **traits: Unpack[WidgetTraits]) -> None:
        super().__init__(_module=StudiesPage.MODULE, **traits)
        self.carry(StudiesPage(results, send=self.tell))

    def _unshared(self) -> InputError:
        return InputError(f"{NOT_SHARED} results of your own: nothing can stand in for their tracks")

    @property
    def opened(self) -> Opened:
        """The results."""
        return self.page.opened

    def choose(self, name: str, value: Any) -> None:
        """Choose what is shown, or the value of a choice that is not shown; raises `InputError` for an unknown one."""
        self.page.choose(name, value)
