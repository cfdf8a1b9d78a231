"""What the notebook calls: shows the dashboard with the track of `lmdk explore` and the settings in the address."""

from __future__ import annotations

import asyncio
import json
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving.memory_limit import limit_memory

SENTENCE = "application/vnd.lmdk.sentence+json"
"""The kind of output that the page's template shows in its error panel."""
PATHS = "LMDK_PATHS"
"""Set where the page is for one person alone, who may type the path of a table of people."""
RETRY_S = 0.2
"""Seconds before a kernel asks again which request it is for, if the connection broke."""


def explore_page() -> None:
    """Show the dashboard as the page: the track of `lmdk explore FILE`, the settings of the page's address.

    A kernel that was started in advance makes the page first, then waits until someone opens it; settings in the address, or
    a file that has changed meanwhile, make it anew. Unusable input becomes a sentence on the page. Any other error is raised:
    Voila then writes its traceback to the terminal, and the page says that it could not be made.
    """
    from IPython.display import display
    from ipywidgets import Widget

    limit_memory(int(os.environ.get("LMDK_MEMORY_MB", "0")) << 20)
    before = _file()
    shown = _made("") if _preheated() else None
    query = query_string()
    if shown is None or query or before != _file():
        Widget.close_all()
        shown = _made(query)
    if isinstance(shown, InputError):
        display({SENTENCE: {"sentence": str(shown)}, "text/plain": str(shown)}, raw=True)
    else:
        display(shown)


def query_string() -> str:
    """What follows the question mark in the page's address, as it was sent; empty outside Voila.

    Examples
    --------
    >>> os.environ["QUERY_STRING"] = "epsilon=0.5"
    >>> query_string()
    'epsilon=0.5'
    >>> del os.environ["QUERY_STRING"]
    """
    while _preheated() and "QUERY_STRING" not in os.environ:  # again if the connection broke while it waited
        with ThreadPoolExecutor(1) as pool:  # the loop of this thread is that of the kernel, which runs the notebook
            try:
                os.environ.update(pool.submit(asyncio.run, _request()).result())
            except KeyboardInterrupt:  # the server stops before anyone came
                os._exit(0)
    return os.environ.get("QUERY_STRING", "")


async def _request() -> dict[str, str]:
    """What Voila tells a kernel that was started in advance about the request for its page, once there is one.

    As `voila.utils.wait_for_request` asks for it; importing that would take 40 MB of each kernel.
    """
    from tornado.httpclient import HTTPClientError
    from tornado.websocket import websocket_connect

    path = f"{os.environ['VOILA_SERVER_URL']}voila/query/{os.environ['VOILA_KERNEL_ID']}"
    try:
        socket = await websocket_connect(f"ws://127.0.0.1:{os.environ['VOILA_APP_PORT']}{path}", connect_timeout=5)
        told = await socket.read_message()
    except (OSError, HTTPClientError):
        told = None
    if told is None:
        await asyncio.sleep(RETRY_S)
    return json.loads(told or "{}")


def _preheated() -> bool:
    """Whether this kernel was started before someone opened its page."""
    return os.environ.get("VOILA_PREHEAT") == "True"


def _made(query: str) -> Any:
    """The dashboard, or why there is none."""
    from lmdk_widgets.hosts.widget.dashboard import Dashboard

    given: dict[str, Any] = {"query": query, "paths": bool(os.environ.get(PATHS))}
    if track := os.environ.get("LMDK_TRACK", ""):
        given |= {"source": track, "timezone": os.environ.get("LMDK_TIMEZONE") or None}
    try:
        return Dashboard(**given)
    except InputError as error:
        return error


def _file() -> tuple[float, int] | None:
    """What tells whether the track's file has changed."""
    try:
        found = os.stat(os.environ.get("LMDK_TRACK", ""))
    except OSError:
        return None
    return found.st_mtime, found.st_size
