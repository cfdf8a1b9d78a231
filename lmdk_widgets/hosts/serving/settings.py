"""The server's settings, and why. Nothing else configures it: no file of the user's or of the machine's.

Voila's own defaults suit a notebook shown to colleagues. This page may show where a person was, so everything that is
not needed is off. `tests/hosts/serving` starts the shipped settings and checks that each of them took effect.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

EXTENSIONS = ("@voila-dashboards/widgets-manager8", "anywidget")
"""The only two browser extensions the page needs: widgets at all, and widgets that bring their own JavaScript."""

MESSAGE_LIMIT_BYTES = 8 * 2**20
"""The longest message a page may send; a longer one closes its connection. Uploads come in pieces of 1 MB."""

JSON_LIMIT_BYTES = 512 * 2**10
"""The most bytes of a message that are parsed, without its buffers: parsing 8 MB would stop everyone for seconds."""

MOST_UNREAD_BYTES = 32 * 2**20
"""The most bytes that may wait for a browser that does not read; more closes the connection."""

MOST_UNREAD_ALL_BYTES = 256 * 2**20
"""The most bytes that may wait for all browsers together; more closes the connection for which most is waiting."""

QUERY_LIMIT_BYTES = 8 * 2**10
"""The longest query of a link; a longer one gets a sentence. Proxies and other programs accept no more either."""

SECTIONS = Mapping[str, Mapping[str, Any]]

SHIPPED: dict[str, dict[str, Any]] = {
    "VoilaConfiguration": {
        "template": "lmdk",
        # ?theme= is written into the page unescaped, ?template= of an unknown name hangs and leaks a kernel
        "allow_theme_override": "NO",
        "allow_template_override": "NO",
        # no file next to the notebook is served, least of all an SVG that contains a script
        "file_allowlist": [],
        "file_denylist": [".*"],
        "strip_sources": True,
        "show_tracebacks": False,
        # a page starts its kernel when it is opened: a pool of warm ones would refill while others compute
        "preheat_kernel": False,
        "progressive_rendering": False,
        "attempt_fix_notebook": True,
        # `null` here gives a 500 on every page; a local JupyterLab's extensions do not belong to this page
        "extension_allowlist": list(EXTENSIONS),
        "extension_denylist": [],
        "kernel_spec_manager_class": "lmdk_widgets.hosts.serving.sessions.OneKernelSpec",
        "multi_kernel_manager_class": "lmdk_widgets.hosts.serving.sessions.Sessions",
    },
    "VoilaExecutor": {
        "store_widget_state": False,  # the page asks the kernel for it; a second copy here would be useless
        "timeout": 120,
        "cell_error_instruction": "",
    },
    "KernelManager": {
        # sockets in a private folder: over TCP, 20 simultaneous starts race for ports, and any local user may connect
        "transport": "tcp" if sys.platform == "win32" else "ipc",
        "client_factory": "lmdk_widgets.hosts.serving.sessions.PromptClient",
        "shutdown_wait_time": 2.0,
    },
    # a kernel that died has lost its state: the page says so instead of continuing with an empty one
    "KernelRestarter": {"restart_limit": 0, "time_to_dead": 1.0},
    "MappingKernelManager": {
        "cull_interval": 10,
        "cull_idle_timeout": 10
        * 60,  # of a kernel without a page; sooner if that page can restart: Sessions.lost_after
        "cull_connected": False,  # a kernel with a page ends later: Sessions.forgotten_after
        "cull_busy": False,
        "allow_tracebacks": False,
        "default_kernel_name": "python3",
    },
}
"""The settings of Voila and its kernels unless a caller overrides them."""


def settings(overrides: SECTIONS | None = None) -> dict[str, dict[str, Any]]:
    """The configuration of the server: {class: {option: value}}, with `overrides` of the same form on top.

    Examples
    --------
    >>> settings()["VoilaConfiguration"]["show_tracebacks"]
    False
    >>> settings({"Sessions": {"cull_interval": 1}})["Sessions"]["cull_interval"]
    1
    """
    merged = {name: dict(section) for name, section in SHIPPED.items()}
    for name, section in (overrides or {}).items():
        merged.setdefault(name, {}).update(section)
    return merged
