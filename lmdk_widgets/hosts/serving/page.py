"""What the notebook calls: shows the dashboard with the track of `lmdk explore` and the settings in the address."""

from __future__ import annotations

import os
from typing import Any

from lmdk_widgets.errors import InputError

SENTENCE = "application/vnd.lmdk.sentence+json"
"""The kind of output that the page's template shows in its error panel."""


def explore_page() -> None:
    """Show the dashboard as the page: the track of `lmdk explore FILE`, the settings of the page's address.

    Unusable input becomes a sentence on the page. Any other error is raised: Voila then writes its traceback to the
    terminal, and the page says that it could not be made.
    """
    from IPython.display import display

    from lmdk_widgets.hosts.widget.dashboard import Dashboard

    given: dict[str, Any] = {"query": query_string()}
    if track := os.environ.get("LMDK_TRACK", ""):
        given |= {"source": track, "timezone": os.environ.get("LMDK_TIMEZONE") or None}
    try:
        widget = Dashboard(**given)
    except InputError as error:
        display({SENTENCE: {"sentence": str(error)}, "text/plain": str(error)}, raw=True)
    else:
        display(widget)


def query_string() -> str:
    """What follows the question mark in the page's address, as it was sent; empty outside Voila.

    Examples
    --------
    >>> os.environ["QUERY_STRING"] = "epsilon=0.5"
    >>> query_string()
    'epsilon=0.5'
    >>> del os.environ["QUERY_STRING"]
    """
    if os.environ.get("VOILA_PREHEAT") == "True":  # a kernel started in advance waits here for its page
        from voila.utils import wait_for_request

        wait_for_request()
    return os.environ.get("QUERY_STRING", "")
