"""The bundled JavaScript, and the widget base class that loads it.

A widget sends only a loader of one kilobyte. If the page names an address, the loader gets the real module over HTTP, so
that the browser caches it; otherwise, as in JupyterLab, it asks the kernel.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict

import anywidget
import traitlets

from lmdk_widgets.cache import cached
from lmdk_widgets.checks import joined, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.widget.notebook_copy import CALM_S, SOON_S, NotebookCopy, format_boxes, keeps
from lmdk_widgets.io.basemap import Basemap
from lmdk_widgets.io.programs import STATIC, built
from lmdk_widgets.page import reading
from lmdk_widgets.page.messages import Messenger
from lmdk_widgets.trajectory.load import READ_AGAIN, HowRead


class WidgetTraits(TypedDict, total=False):
    """What every widget takes."""

    layout: Any
    tabbable: bool | None
    tooltip: str | None


class FileWidgetTraits(HowRead, WidgetTraits, total=False):
    """The same, and how a file is read, as for `load_trajectory`."""


@cached("everybody", entries=1)
def loader() -> str:
    """The loader's source; a sentence if the package was never built."""
    return built("loader.js").read_text("utf-8")


def stamp() -> str:
    """A name for this build of the bundles, for caches."""
    return str(int((STATIC / "loader.js").stat().st_mtime))


def basemap_of(basemap: str | os.PathLike | Basemap | None) -> Basemap | None:
    """The file of streets that a widget gets, opened: as given, or else that of `lmdk explore --basemap`; None for none."""
    given = basemap or os.environ.get("LMDK_BASEMAP") or None
    return given if given is None or isinstance(given, Basemap) else Basemap(given)


NOT_SHARED = "A file to share cannot be made from"


class BundledWidget(anywidget.AnyWidget):
    """A widget whose module is one of the bundles in `static/`; subclasses set `_module`."""

    _module = traitlets.Unicode("").tag(sync=True)
    _version = traitlets.Unicode("").tag(sync=True)
    _basemap = traitlets.Unicode("").tag(sync=True)
    _still = traitlets.Unicode("").tag(sync=True)
    _copy: NotebookCopy | None = None

    def __init__(self, **traits: Any) -> None:
        self.refuse_unknown(traits)
        self._esm = loader()
        super().__init__(_version=stamp(), **traits)
        self.on_msg(self._serve_library)
        format_boxes()

    def lay_under(self, basemap: str | os.PathLike | Basemap | None) -> None:
        """Let this widget's maps draw the streets in a PMTiles file, which they get from the kernel.

        Parameters
        ----------
        basemap : the file; None for that of `lmdk explore --basemap`, or no streets.

        Raises
        ------
        InputError : there is no such file, or it cannot be drawn.
        """
        streets = basemap_of(basemap)
        if streets is not None:
            self._streets = streets
            self._basemap = self._streets.name
            self.on_msg(self._serve_basemap)

    @classmethod
    def refuse_unknown(cls, given: Iterable[str], known: Collection[str] = ()) -> None:
        """Refuse a keyword, by name, that is not a parameter, a trait or one of `known`."""
        unknown = [name for name in given if name not in known and name not in cls.class_trait_names()]
        if not unknown:
            return
        parameters = inspect.signature(cls).parameters.values()
        named = [p.name for p in parameters if p.kind is not p.VAR_KEYWORD and not p.name.startswith("_")]
        what = f"The keywords of {cls.__name__} must be {joined(dict.fromkeys([*named, *known, 'layout']), 'or')}"
        raise InputError(what, value=", ".join(unknown))

    @classmethod
    def how_read(cls, given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """The keywords about reading a file, as for `load_trajectory`, and the others; refuse unknown ones by name."""
        cls.refuse_unknown(given, READ_AGAIN)
        read = {name: given[name] for name in READ_AGAIN if name in given}
        return read, {name: value for name, value in given.items() if name not in read}

    def __repr__(self) -> str:
        """A short name, which a notebook saves as the text of a page; it tells nothing of the user's own data."""
        return f"lmdk_widgets.{type(self).__name__}"

    # -- without a kernel -------------------------------------------------------------------------------------------------

    def static_copy(self) -> reading.StaticCopy:
        """What it says and shows without a kernel."""
        return reading.StaticCopy([])

    def reading(self) -> str:
        """The same on a page that everybody may read, as HTML."""
        return self.static_copy().html()

    def to_html(self, path: str | os.PathLike, *, share: bool = False) -> Path:
        """Write what it shows as one HTML file, which opens without a network; its first line says who may have it.

        Everything is computed first. A page is written as its report.

        Parameters
        ----------
        path : the file; an existing one is replaced.
        share : write a file to share: of the user's own track or series it contains one release instead of the true data.

        Returns
        -------
        Path : the file.

        Raises
        ------
        InputError : there is no file to share, as nothing can replace the user's own data.

        Examples
        --------
        >>> from tempfile import mkdtemp
        >>> from lmdk_widgets import TrajectoryMap
        >>> TrajectoryMap("bob").to_html(f"{mkdtemp()}/map.html").stat().st_size < 300_000
        True
        """
        text = self._file(share=share)
        Path(path).write_bytes(text.encode("utf-8"))
        return Path(path)

    def _file(self, *, share: bool) -> str:
        """The text of the file."""
        copy = self.static_copy()
        if share and copy.whose is not reading.NOBODYS:
            raise self._unshared()
        return copy.file(self._file_title())

    def _file_title(self) -> str:
        """The title of the file."""
        return type(self).__name__

    def _unshared(self) -> InputError:
        """Why there is no file to share."""
        return InputError(f"{NOT_SHARED} a figure: the program does not know whose data it is drawn from")

    def settle(self, seconds: float) -> None:
        """Finish what takes no more than so many seconds and cancel the rest, for a copy that nothing changes later."""

    def keep(self) -> None:
        """Put a static copy into the present output of a notebook."""
        self._still = self.model_id
        self._copy = NotebookCopy(self)
        self._copy.show()

    def copy_soon(self, seconds: float = CALM_S) -> None:
        """Write the copy in the notebook again, if there is one, after so many seconds without news."""
        if self._copy is not None:
            self._copy.soon(seconds)

    def _ipython_display_(self, **_options: Any) -> None:
        from IPython.display import display

        shown = self._repr_mimebundle_()
        data, about = shown if isinstance(shown, tuple) else (shown, {})
        display(data, metadata=about, raw=True)
        if keeps():
            self.keep()

    def close(self) -> None:
        """Cancel the pending update of the copy, and close the widget."""
        if self._copy is not None:
            self._copy.forget()
        super().close()

    def _repr_mimebundle_(self, **options: Any) -> Any:
        if reading.is_asked():
            return {"text/html": self.reading(), "text/plain": repr(self)}
        return super()._repr_mimebundle_(**options)

    def _serve_library(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if not isinstance(content, dict) or content.get("type") != "library":
            return
        bundle = next((path for path in STATIC.glob("*.js") if path.name == content.get("name")), None)
        if bundle is not None:
            self.send({"type": "library", "name": bundle.name}, [bundle.read_bytes()])

    def _serve_basemap(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if not isinstance(content, dict) or content.get("type") != "basemap":
            return
        answer = {"type": "basemap", "key": content.get("key"), "ask": content.get("ask")}
        try:
            part = self._streets.read(
                whole(content.get("offset"), "offset", least=0), whole(content.get("length"), "length", least=1)
            )
        except InputError as refusal:
            self.send(answer | {"refused": str(refusal)})
        else:
            self.send(answer, [part])


class PageWidget(BundledWidget):
    """A plain page as a widget: a host that passes its messages to the browser and back without interpreting them.

    Its copy in a notebook is updated whenever the page has had no news for a while, and sooner once the work in the
    background has ended: a notebook that is saved then should not keep the page as it waited.
    """

    page: Any
    _worked = _done = False

    def carry(self, page: Messenger) -> None:
        """Let a page, which sends with `tell`, receive what the browser sends."""
        self.page = page
        self.on_msg(self._on_message)

    def tell(self, message: dict[str, Any], buffers: Sequence[bytes]) -> None:
        """Send a message from the page to the browser."""
        self.send(message, buffers)
        busy = self.page.busy
        self._worked, self._done = busy, not busy and (self._worked or self._done)
        self.copy_soon(SOON_S if self._done else CALM_S)

    def _on_message(self, _widget: Any, message: Any, buffers: list[Any]) -> None:
        self.page.receive(message, buffers)

    def static_copy(self) -> reading.StaticCopy:
        self._done = False
        return self.page.static_copy()

    def settle(self, seconds: float) -> None:
        self.page.settle(seconds)

    def reading(self) -> str:
        """What the page says and shows if no kernel answers, as HTML."""
        return self.page.reading()
