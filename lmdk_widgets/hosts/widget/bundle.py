"""The bundled JavaScript, and the widget base class that loads it.

A widget sends only a loader of one kilobyte. If the page names an address, the loader gets the real module over HTTP, so
that the browser caches it; otherwise, as in JupyterLab, it asks the kernel.
"""

from __future__ import annotations

import asyncio
import inspect
import os
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import anywidget
import traitlets

from lmdk_widgets.cache import cached
from lmdk_widgets.checks import joined, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.widget.background import running_loop
from lmdk_widgets.io.basemap import Basemap
from lmdk_widgets.io.programs import STATIC, built
from lmdk_widgets.page import reading
from lmdk_widgets.page.messages import Messenger
from lmdk_widgets.trajectory.load import READ_AGAIN

CALM_S, SOON_S = 3.0, 0.4
"""A page with no news for this long is saved in its notebook as it is then; the second, once its work has ended."""


@cached("everybody", entries=1)
def loader() -> str:
    """The loader's source; a sentence if the package was never built."""
    return built("loader.js").read_text("utf-8")


def stamp() -> str:
    """A name for this build of the bundles, for caches."""
    return str(int((STATIC / "loader.js").stat().st_mtime))


class BundledWidget(anywidget.AnyWidget):
    """A widget whose module is one of the bundles in `static/`; subclasses set `_module`."""

    _module = traitlets.Unicode("").tag(sync=True)
    _version = traitlets.Unicode("").tag(sync=True)
    _basemap = traitlets.Unicode("").tag(sync=True)

    def __init__(self, **traits: Any) -> None:
        self.refuse_unknown(traits)
        self._esm = loader()
        super().__init__(_version=stamp(), **traits)
        self.on_msg(self._serve_library)

    def lay_under(self, basemap: str | os.PathLike | None) -> None:
        """Let this widget's maps draw the streets in a PMTiles file, which they get from the kernel.

        Parameters
        ----------
        basemap : the file; None for that of `lmdk explore --basemap`, or no streets.

        Raises
        ------
        InputError : there is no such file, or it cannot be drawn.
        """
        basemap = basemap or os.environ.get("LMDK_BASEMAP") or None
        if basemap is not None:
            self._streets = Basemap(basemap)
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
    def how_read(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Take the keywords about reading a file, as for `load_trajectory`, out of `given`; refuse unknown ones by name."""
        cls.refuse_unknown(given, READ_AGAIN)
        return {name: given.pop(name) for name in READ_AGAIN if name in given}

    def __repr__(self) -> str:
        """A short name, which a notebook saves as the text of a page; it tells nothing of the user's own data."""
        return f"lmdk_widgets.{type(self).__name__}"

    def reading(self) -> str:
        """What a reader sees if no kernel answers, as HTML."""
        return reading.Standing([]).html()

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

    In a notebook it shows itself and, for someone who opens the notebook later without a kernel, the state of the page. The
    loader hides that while the widget is there; it is updated whenever the page has had no news for a while, and sooner
    once the work in the background has ended: a notebook that is saved then should not keep the page as it waited.
    """

    page: Any
    _still = traitlets.Unicode().tag(sync=True)
    _kept: Any = None
    _kept_html = ""
    _renewal: asyncio.TimerHandle | None = None
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
        loop = running_loop() if self._kept else None
        if loop is not None:
            self._forget_renewal()
            self._renewal = loop.call_later(SOON_S if self._done else CALM_S, self._renew)

    def _ipython_display_(self, **_options: Any) -> None:
        from IPython import get_ipython
        from IPython.display import display

        shown = self._repr_mimebundle_()
        data, about = shown if isinstance(shown, tuple) else (shown, {})
        display(data, metadata=about, raw=True)
        if reading.is_kept() and hasattr(get_ipython(), "kernel"):
            self._still = self._still or self.model_id
            self._kept_html = self.page.standing().kept(self._still)
            self._kept = display(self._kept_bundle(), raw=True, display_id=True)

    def _kept_bundle(self) -> dict[str, str]:
        return {"text/html": self._kept_html, "text/plain": "The page as it stands without a kernel."}

    def _renew(self) -> None:
        self._renewal, self._done = None, False
        before, self._kept_html = self._kept_html, self.page.standing().kept(self._still)
        if self._kept_html != before:
            self._kept.update(self._kept_bundle(), raw=True)

    def _forget_renewal(self) -> None:
        if self._renewal is not None:
            self._renewal.cancel()
            self._renewal = None

    def close(self) -> None:
        """Cancel the pending update, and close the widget."""
        self._forget_renewal()
        super().close()

    def _on_message(self, _widget: Any, message: Any, buffers: list[Any]) -> None:
        self.page.receive(message, buffers)

    def reading(self) -> str:
        """What the page says and shows if no kernel answers, as HTML."""
        return self.page.reading()
