"""The pages that are computed without a notebook, on a site and for a room: where each is, and what its browser must know.

Nothing here imports a widget.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from lmdk_widgets.course.pages import LessonsPage
from lmdk_widgets.hosts.page_list import APART, LESSONS, PAGES, page_class
from lmdk_widgets.hosts.site.distribution import WANTED
from lmdk_widgets.hosts.site.worker import as_json
from lmdk_widgets.linear.compiling import plain_elsewhere
from lmdk_widgets.page.messages import Correspondent

NEEDS = {"place": WANTED}
"""Packages of Pyodide that a page uses in addition to NumPy, if the site has them."""


def first_state(name: str, *, plain: bool = True) -> dict[str, Any]:
    """What a page first sends to a browser, once everything is computed, and its traits.

    Examples
    --------
    >>> [message["type"] for message, _ in first_state("series")["messages"]][:2]
    ['options', 'numbers']
    """
    if name == LESSONS:
        return {"traits": {f"_{key}": value for key, value in LessonsPage().about().items()}, "messages": []}
    told: list[Any] = []

    def tell(message: Any, buffers: list[bytes]) -> None:
        told.append((message, [b64encode(buffer).decode() for buffer in buffers]))

    with plain_elsewhere() if plain else nullcontext():
        page = page_class(name)(send=tell)
        if isinstance(page, Correspondent):
            page.finish()
        told.clear()
        page.receive({"type": "ready"})
    messages = json.loads(as_json(told))
    messages[0][0] |= {"parquet": False} | ({"reads": False} if "reads" in messages[0][0] else {})  # as in a browser
    return {"traits": {}, "messages": messages}


def described_pages(names: Sequence[str]) -> dict[str, Any]:
    """What the dashboard's program must know about its pages."""
    return {
        "titles": [[name, PAGES[name][0]] for name in names],
        "apart": [name for name in names if name in APART],
        "pages": {name: _described(name) for name in names},
    }


def _described(name: str) -> dict[str, Any]:
    """Where a page's JavaScript and Python are."""
    if name == LESSONS:
        return {"module": LessonsPage.MODULE}
    page = page_class(name)
    return {"module": page.MODULE, "python": [page.__module__, page.__qualname__], "needs": list(NEEDS.get(name, ()))}
