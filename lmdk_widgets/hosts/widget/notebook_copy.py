"""The static copies that a notebook keeps of its widgets, for someone who opens it later without a kernel.

    a widget is shown --keep()--> its copy in the same output; the loader hides it while the widget is there
    the widget changes --soon()--> the copy is written again, once there has been no news for a while
    a program runs the notebook --> after each cell what takes seconds is finished, and the copies are written again

A box of ipywidgets has no copy of its own: IPython's table of formatters gets an entry for boxes, so that those that contain
widgets of this package bring their copies.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any, Protocol
from weakref import WeakSet

from ipywidgets import Box

from lmdk_widgets.hosts.widget.background import running_loop
from lmdk_widgets.page import reading

CALM_S, SOON_S = 3.0, 0.4
"""A page with no news for this long is saved in its notebook as it is then; the second, once its work has ended."""

MOST_WAIT_S = 60.0
"""A program that runs a notebook waits this long for what a page computes in the background; the rest is cancelled."""

_PLAIN = "The page as it stands without a kernel."


class Kept(Protocol):
    """A widget that a notebook keeps a copy of."""

    model_id: str

    def static_copy(self) -> reading.StaticCopy:
        """What it says and shows without a kernel."""

    def reading(self) -> str:
        """The same on a page that everybody may read, as HTML."""

    def settle(self, seconds: float) -> None:
        """Finish what takes no more than so many seconds and cancel the rest."""

    def keep(self) -> None:
        """Put a copy into the present output."""


class NotebookCopy:
    """The copy of a widget in one output of a notebook."""

    def __init__(self, widget: Kept) -> None:
        self._widget, self._html = widget, ""
        self._shown: Any = None
        self._renewal: asyncio.TimerHandle | None = None
        self._is_old = False

    def show(self) -> None:
        """Put the copy into the present output."""
        from IPython.display import display

        self._html = self._made()
        self._shown = display(self._bundle(), raw=True, display_id=True)
        self._is_old = True  # it may show what is being computed
        if run_by_program():
            _renewed_after_cells(self)

    def soon(self, seconds: float) -> None:
        """Write it again after so many seconds without news."""
        self._is_old = True
        loop = running_loop()
        if loop is not None:
            self.forget()
            self._renewal = loop.call_later(seconds, self.renew)

    def renew(self) -> None:
        """Write it again now, if it has changed."""
        self.forget()
        before, self._html, self._is_old = self._html, self._made(), False
        if self._html != before:
            self._shown.update(self._bundle(), raw=True)

    def settle(self) -> None:
        """Write it as it stays: what takes seconds is finished first."""
        if self._is_old:
            self._widget.settle(MOST_WAIT_S)
            self.renew()

    @property
    def waits(self) -> bool:
        """Whether it will be written again."""
        return self._renewal is not None

    def forget(self) -> None:
        """Cancel the pending update."""
        if self._renewal is not None:
            self._renewal.cancel()
            self._renewal = None

    def _made(self) -> str:
        return self._widget.static_copy().kept(self._widget.model_id)

    def _bundle(self) -> dict[str, str]:
        return {"text/html": self._html, "text/plain": _PLAIN}


_RUN: WeakSet[NotebookCopy] = WeakSet()
"""The copies in a notebook that a program runs."""


def _renewed_after_cells(copy: NotebookCopy) -> None:
    if not _RUN:
        shell().events.register("post_run_cell", _settle_all)
    _RUN.add(copy)


def _settle_all(_result: Any = None) -> None:
    for copy in list(_RUN):
        copy.settle()


def shell() -> Any:
    """IPython, if it runs here; None otherwise. It is not imported for this."""
    found = sys.modules.get("IPython")
    return None if found is None else found.get_ipython()


def keeps() -> bool:
    """Whether there is a notebook that keeps copies: not in Voila, as nobody saves what it shows."""
    return reading.is_kept() and hasattr(shell(), "kernel") and not in_voila()


def in_voila() -> bool:
    """Whether this is the kernel of a page that Voila shows."""
    return "voila" in os.environ.get("SERVER_SOFTWARE", "") or any(name.startswith("VOILA") for name in os.environ)


def run_by_program() -> bool:
    """Whether a program runs this cell, such as `jupyter nbconvert --execute` or papermill, where nobody can type an
    answer."""
    asked: Callable[[str], Any] = getattr(getattr(shell(), "kernel", None), "get_parent", lambda _: None)
    return (asked("shell") or {}).get("content", {}).get("allow_stdin") is False and not in_voila()


def format_boxes() -> None:
    """Let boxes bring the copies of the widgets in them: the documented way to format objects of somebody else's type."""
    formatter = getattr(getattr(shell(), "display_formatter", None), "mimebundle_formatter", None)
    if formatter is not None and formatter.for_type(Box) is None:
        formatter.for_type(Box, _box_shown)


def _box_shown(box: Box) -> Any:
    inside = list(contained(box))
    if inside and reading.is_asked():
        return {"text/html": "".join(widget.reading() for widget in inside), "text/plain": repr(type(box).__name__)}
    if keeps():
        for widget in inside:
            widget.keep()
    return box._repr_mimebundle_()


def contained(box: Box) -> Iterator[Kept]:
    """The widgets of this package in a box and in the boxes in it, in their order.

    Examples
    --------
    >>> from ipywidgets import HBox, Label, VBox
    >>> from lmdk_widgets import TrajectoryMap
    >>> [widget.trajectory.name for widget in contained(VBox([Label(), HBox([TrajectoryMap("bob")])]))]
    ["Bob's day in Paris"]
    """
    for child in box.children:
        if isinstance(child, Box):
            yield from contained(child)
        elif hasattr(child, "keep") and hasattr(child, "static_copy"):
            yield child
