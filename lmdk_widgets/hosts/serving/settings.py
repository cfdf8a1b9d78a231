"""The server's settings, and why. Nothing else configures it: no file of the user's or of the machine's.

Voila's own defaults suit a notebook shown to colleagues. This page may show where a person was, so everything that is
not needed is off. `tests/hosts/serving` starts the shipped settings and checks that each of them took effect.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any

from lmdk_widgets.hosts.site.notebooks import ADDRESS

EXTENSIONS = ("@voila-dashboards/widgets-manager8", "anywidget", "lmdk")
"""The only browser extensions the page needs: widgets at all, those that bring their own JavaScript, the classic ones."""

MESSAGE_LIMIT_BYTES = 8 * 2**20
"""The longest message a page may send; a longer one closes its connection. Uploads come in pieces of 1 MB."""

JSON_LIMIT_BYTES = 512 * 2**10
"""The most bytes of a message that are parsed, without its buffers: parsing 8 MB would stop everyone for seconds."""

MOST_UNREAD_BYTES = 32 * 2**20
"""The most bytes that may wait for a browser that does not read; more closes the connection."""

ONE_FILE_BYTES = (128 << 20) + MESSAGE_LIMIT_BYTES
"""The most bytes that one person's files may take while they arrive or are being read: one file, and a message."""

QUERY_LIMIT_BYTES = 8 * 2**10
"""The longest query of a link; a longer one gets a sentence. Proxies and other programs accept no more either."""

SECTIONS = Mapping[str, Mapping[str, Any]]

KERNEL = """
import logging, os, signal, sys

# every user of this machine may list arguments of processes: the kernel's number is in the name of its file
if os.name == "posix" and sys.argv[1] == "-f":
    os.environ["LMDK_CONNECTION"] = sys.argv[2]
    os.execv(sys.executable, [*sys.orig_argv[: -len(sys.argv) + 1], *sys.argv[3:]])
given = os.environ.pop("LMDK_CONNECTION", "")

signal.signal(signal.SIGINT, signal.SIG_IGN)  # as IPython does later: an interrupt is for code, not for imports
sys.modules["debugpy"] = None  # a page needs no debugger, which takes memory and a while to load
logging.getLogger("Comm").setLevel(logging.ERROR)  # a page that closes ends connections that are closed already

from ipykernel.kernelapp import IPKernelApp

def to_terminal(kind, error, lines):  # a traceback; IPython would send it to the browser
    if not issubclass(kind, KeyboardInterrupt):  # the server stops while a page is made: no error
        print("\\n".join(lines), file=sys.stderr, flush=True)

app = IPKernelApp.instance()
app.initialize([*(["-f", given] if given else []), *sys.argv[1:]])
app.kernel.shell._showtraceback = to_terminal
app.start()
sys.stdout.flush()
os._exit(0)  # nothing needs an orderly end, and its folder may be gone already
"""
"""The program of a kernel of one person's page: IPython's own kernel."""
KERNEL_OPTIONS = (
    "--HistoryManager.enabled=False",  # a history file would record what a person did
    "--IPKernelApp.exec_PYTHONSTARTUP=False",
    "--IPKernelApp.outstream_class=None",  # prints and tracebacks of callbacks go to the terminal, not to the page
    "--InteractiveShell.xmode=Plain",
    "--InteractiveShell.colors=nocolor",
)
"""The options of that program."""
KERNEL_ENVIRONMENT = {"MALLOC_ARENA_MAX": "1"}
"""Tells the C library of Linux to take memory from one place. Each thread that computes for a moment would otherwise begin a
place of its own, which is kept: 30 MB after a few hundred moves of a slider. Other systems ignore this name."""

SHIPPED: dict[str, dict[str, Any]] = {
    "Voila": {
        "ip": "127.0.0.1",
        "port_retries": 0,  # the port was chosen before: on another one, a kernel that waits for its page would wait forever
        "open_browser": False,
        "log_level": 40,  # errors only: Voila would print the token, and what a person looks at
    },
    "IdentityProvider": {"cookie_options": {"samesite": "Lax", "expires_days": None}},  # until the browser is closed
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
        # the next page is made before it is asked for
        "preheat_kernel": True,
        "default_pool_size": 1,
        "progressive_rendering": False,
        "attempt_fix_notebook": True,
        # `null` here gives a 500 on every page; a local JupyterLab's extensions do not belong to this page
        "extension_allowlist": list(EXTENSIONS),
        "extension_denylist": [],
    },
    "VoilaKernelManager": {
        "preheat_denylist": [rf".*[\\/]{ADDRESS}[\\/][^\\/]*$"],  # a lesson starts when it is opened
        "fill_delay": 10.0,  # the next kernel would start while the first page is drawn
    },
    "VoilaExecutor": {
        "store_widget_state": False,  # the page asks the kernel for it; a second copy here would be useless
        "timeout": None,  # a page that is made in advance waits in its cell until someone opens it
        "cell_error_instruction": "",
    },
    "KernelManager": {
        # sockets in a private folder: over TCP, simultaneous starts race for ports, and any local user may connect
        "transport": "tcp" if sys.platform == "win32" else "ipc",
        "shutdown_wait_time": 2.0,
    },
    # a kernel that died has lost its state: the page says so instead of continuing with an empty one
    "KernelRestarter": {"restart_limit": 0, "time_to_dead": 1.0},
    "MappingKernelManager": {
        "cull_interval": 60,
        "cull_idle_timeout": 3600,  # of a kernel whose page is gone and could not say so
        "cull_connected": False,
        "cull_busy": False,
        "allow_tracebacks": False,
    },
}
"""The settings of Voila and its kernels unless a caller overrides them."""


def settings(
    port: int, token: str, folder: str, told: Mapping[str, Any], overrides: SECTIONS | None = None
) -> dict[str, dict[str, Any]]:
    """The configuration of one person's server: {class: {option: value}}, with `overrides` of the same form on top.

    Parameters
    ----------
    folder : the private folder; the notebooks are in `pages` there. told : what the template is told, as `resources.lmdk`.

    Examples
    --------
    >>> settings(8866, "secret", ".", {})["Voila"]["tornado_settings"]["allow_remote_access"]
    False
    >>> settings(8866, "", ".", {}, {"MappingKernelManager": {"cull_interval": 1}})["MappingKernelManager"]["cull_interval"]
    1
    """
    merged = {name: dict(section) for name, section in SHIPPED.items()}
    merged["Voila"] |= {
        "port": port,
        "token": token,
        "root_dir": os.path.join(folder, "pages"),
        "connection_dir_root": folder,
        "tornado_settings": {
            "allow_remote_access": False,  # a name that an attacker points at 127.0.0.1 is not ours
            "websocket_max_message_size": MESSAGE_LIMIT_BYTES,
            "headers": headers(port),
        },
    }
    merged["VoilaConfiguration"]["resources"] = {"lmdk": dict(told)}
    for name, section in (overrides or {}).items():
        merged.setdefault(name, {}).update(section)
    return merged


def headers(port: int) -> dict[str, str]:
    """The headers of every answer. Browsers enforce the policy, so no mistake can tell a third party what someone looks at.

    Jupyter's widgets need scripts in the page, and code made from text; nothing may come from, or go to, anywhere else.
    """
    sockets = " ".join(f"ws://{host}:{port}" for host in ("127.0.0.1", "localhost"))
    policy = (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",
        "style-src 'self' 'unsafe-inline' blob:",
        "img-src 'self' data: blob: https://tile.openstreetmap.org",
        "font-src 'self' data:",
        f"connect-src 'self' {sockets} data: blob:",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
    return {
        "Content-Security-Policy": "; ".join(policy),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": "geolocation=(), camera=(), microphone=()",
        # map servers want to know the site, but no more
        "Referrer-Policy": "strict-origin-when-cross-origin",
        "Server": "lmdk",  # which versions run here is nobody's business
    }
