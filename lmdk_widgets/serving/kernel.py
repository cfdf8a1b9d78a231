"""What a kernel of the page runs: an IPython kernel without what a page has no use for.

No history file (it would hold what a person did), no start-up files of the user, no debugger, and no capture of
stdout and stderr: prints and tracebacks go to the terminal of `lmdk explore`, never to the browser.

This file is started by its path and imports nothing of the package before the kernel stands: ipywidgets registers
itself with the kernel that it finds when it is imported.
"""

from __future__ import annotations

import importlib.util
import logging
import sys
from pathlib import Path


def main() -> None:
    """Start the kernel that the connection file on the command line describes; returns when it is shut down."""
    if importlib.util.find_spec("lmdk_widgets") is None:  # a checkout that is not installed
        sys.path.append(str(Path(__file__).parents[2]))
    sys.modules["debugpy"] = None  # type: ignore[assignment]  # "not installed": a page has no debugger to load
    # a page that comes or goes closes connections that are closed already: nothing to tell in the terminal
    logging.getLogger("Comm").setLevel(logging.ERROR)
    from ipykernel.kernelapp import IPKernelApp
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    config.IPKernelApp.exec_PYTHONSTARTUP = False
    config.IPKernelApp.outstream_class = None
    config.InteractiveShell.xmode = "Plain"
    config.InteractiveShell.colors = "nocolor"
    config.Completer.use_jedi = False
    kernel = IPKernelApp.instance(config=config)
    kernel.initialize(sys.argv[1:])
    kernel.shell._showtraceback = _to_terminal  # type: ignore[union-attr]
    kernel.start()


def _to_terminal(_kind: type[BaseException], _error: BaseException, lines: list[str]) -> None:
    """Print a traceback; IPython would send it to the browser."""
    print("\n".join(lines), file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
