"""The pages of one browser as plain objects: they run in a worker of the browser, and for each visitor on a server.

    browser's page --message--> worker.js --Pages.receive--> page --tell--> worker.js --message--> browser's page

Python in a browser has one thread. Long work is done slice by slice, and between slices the page's requests are answered.
A server has its own runner, and a socket instead of the worker.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from numbers import Integral, Real
from typing import Any

from lmdk_widgets.page.link import pages_of
from lmdk_widgets.page.messages import Messenger, Runners
from lmdk_widgets.page.runner import Inline

Tell = Callable[[str, str, list[bytes]], None]
"""Receives the name of a page, its message as JSON, and the message's buffers."""


class Sliced(Inline):
    """A `Runner` on this thread's event loop: after each slice, others have their turn.

    Examples
    --------
    >>> async def run():
    ...     found, runner = [], Sliced()
    ...     runner.submit(iter([1, 2]), found.append)
    ...     while runner.busy:
    ...         await asyncio.sleep(0)
    ...     return found[:2]
    >>> asyncio.run(run())
    [1, 2]
    """

    _called = False

    @property
    def beside(self) -> bool:
        return True

    def submit(self, steps: Any, each: Callable[[Any], None]) -> None:
        super().submit(steps, each)
        self.wake()

    def wake(self) -> None:
        if self._work is not None and not self._called:
            self._called = True
            asyncio.get_running_loop().call_soon(self._step)

    def _step(self) -> None:
        self._called = False
        if (work := self._work) is not None:
            self._take(work, self._slice(work))
            self.wake()


class Pages:
    """The pages that are open in a browser, by name.

    Parameters
    ----------
    tell : receives what a page sends to the browser. runner : makes the runner of long work.
    """

    def __init__(self, tell: Tell, runner: Runners = Sliced) -> None:
        self._tell, self._runner = tell, runner
        self._open: dict[str, Messenger] = {}

    def open(self, name: str, module: str, kind: str, query: str = "", **more: Any) -> Messenger:
        """Make a page, once, and return it.

        Parameters
        ----------
        name : by which it is addressed. module, kind : where its class is. query : of the address of the whole site.
        more : further arguments of the page.
        """
        if name not in self._open:
            asked, others = pages_of(query)
            own = query if asked in ("", name) else ""
            page = getattr(import_module(module), kind)
            given = {"runner": self._runner, "query": others.get(name, own), **more}
            self._open[name] = page(send=partial(self._send, name), **given)
        return self._open[name]

    def ask(self, name: str) -> None:
        """Make the page of a lesson's question, once. name : of the question, "lesson/short-name"."""
        from lmdk_widgets.course.pages import QuestionPage

        if name not in self._open:
            self._open[name] = QuestionPage(name, send=partial(self._send, name))

    def receive(self, name: str, text: str, buffers: Sequence[Any] = ()) -> None:
        """Pass a message from the browser, as JSON, to the page with this name."""
        self._open[name].receive(json.loads(text), buffers)

    @property
    def arriving(self) -> int:
        """The bytes of files of which only a part has arrived."""
        return sum(page.arriving for page in self._open.values())

    def __bool__(self) -> bool:
        """Whether one is open."""
        return bool(self._open)

    def let_go(self, why: str, name: str = "") -> None:
        """Drop every file that is arriving, and that of the page with this name, and say why."""
        for own, page in self._open.items():
            if page.arriving or own == name:
                page.let_go(why)

    def close(self) -> None:
        """Stop whatever the pages are still computing, and forget them."""
        for page in self._open.values():
            page.close()
        self._open.clear()

    def _send(self, name: str, message: dict[str, Any], buffers: list[bytes]) -> None:
        self._tell(name, as_json(message), buffers)


def as_json(message: Any) -> str:
    """A message as JSON, numbers of NumPy's too.

    Examples
    --------
    >>> import numpy as np
    >>> as_json({"n": np.int64(3), "x": np.float32(0.5)})
    '{"n": 3, "x": 0.5}'
    """
    return json.dumps(message, default=_number, allow_nan=False)


def _number(value: Any) -> int | float:
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    raise TypeError(f"a {type(value).__name__} cannot be sent to a page")
