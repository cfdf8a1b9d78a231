"""What a page's kernel runs: an IPython kernel without the parts that a page does not need.

No history file (it would record what a person did), no start-up files of the user, no debugger, and no capture of
stdout and stderr: prints and tracebacks go to the terminal of `lmdk explore`. Memory is limited, so that one visitor's
file cannot take the whole machine. This file is started by its path, and imports the package once the kernel runs.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import signal
import sys
from pathlib import Path


def main() -> None:
    """Start the kernel that the connection file on the command line describes; returns when it is shut down."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # as IPython does later: an interrupt is for code, not for imports
    limit_memory(int(os.environ.get("LMDK_MEMORY_MB", "0")) << 20)
    if importlib.util.find_spec("lmdk_widgets") is None:  # a checkout that is not installed
        sys.path.append(str(Path(__file__).parents[3]))
    no_debugger()
    # a page that opens or closes ends connections that are already closed: nothing to report in the terminal
    logging.getLogger("Comm").setLevel(logging.ERROR)
    from ipykernel.kernelapp import IPKernelApp
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    config.IPKernelApp.exec_PYTHONSTARTUP = False
    config.IPKernelApp.parent_handle = int(os.environ.get("JPY_PARENT_PID", "0"))  # ends with it
    config.IPKernelApp.outstream_class = None
    config.InteractiveShell.xmode = "Plain"
    config.InteractiveShell.colors = "nocolor"
    config.Completer.use_jedi = False
    kernel = IPKernelApp.instance(config=config)
    kernel.initialize(sys.argv[1:])
    kernel.shell._showtraceback = _to_terminal  # type: ignore[union-attr]
    if widgets := sys.modules.get("ipywidgets"):  # imported before this kernel existed, it has not registered with one
        widgets.register_comm_target()
    kernel.start()


def no_debugger() -> None:
    """Make the debugger look as if it is not installed: a page does not need it, and it takes a while to load."""
    sys.modules["debugpy"] = None  # type: ignore[assignment]


def limit_memory(most_bytes: int) -> None:
    """Limit this process's memory for data, on Linux only; more raises a MemoryError. 0 is no limit.

    Data are counted, not addresses (RLIMIT_AS): compilers and thread pools reserve addresses that they never use.
    """
    if most_bytes and sys.platform == "linux":
        import resource

        _, allowed = resource.getrlimit(resource.RLIMIT_DATA)
        most = most_bytes if allowed == resource.RLIM_INFINITY else min(most_bytes, allowed)
        resource.setrlimit(resource.RLIMIT_DATA, (most, allowed))


def _to_terminal(kind: type[BaseException], _error: BaseException, lines: list[str]) -> None:
    """Print a traceback; IPython would send it to the browser. If the server stops while a page is made, that is no error."""
    if issubclass(kind, KeyboardInterrupt):
        return
    print("\n".join(lines), file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
