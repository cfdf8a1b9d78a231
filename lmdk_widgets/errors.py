"""The one error that bad input raises: a sentence that tells the user what to do.

Every part of the package raises `InputError` for input it cannot use: what is allowed, the value given and what to do.
The page shows the message unchanged, and nothing else about the error. Optional libraries are imported by `library`
when they are needed; if one is missing, the error names the command that installs it.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec
from numbers import Integral
from typing import Any

from lmdk_widgets.cache import cached

__all__ = ["EXTRAS", "LOG", "InputError", "Offer", "install", "library", "log_to_stderr", "silent_highs"]

LOG = logging.getLogger("lmdk_widgets")
"""The only logger of the package, silent until a program adds a handler."""
LOG.addHandler(logging.NullHandler())


def log_to_stderr() -> None:
    """Write warnings and errors to standard error, as the servers do."""
    if logging.lastResort is not None and logging.lastResort not in LOG.handlers:
        LOG.addHandler(logging.lastResort)


Offer = tuple[str, dict[str, Any]]
"""A choice: a short label for a button, and the arguments for another attempt."""


class InputError(ValueError):
    """Input that cannot be used, and how to correct it: "Epsilon must be between 1 and 9; got -3. Try 2."

    Parameters
    ----------
    what : a clause that says what is allowed ("Epsilon must be between 1 and 9"). It starts the sentence and is
        capitalised.
    value : the value given; left out of the message if None. Never pass a true coordinate of a track.
    remedy : what to do about it, as a sentence.
    argument : the argument to pass in Python, `timezone="Europe/Paris"`; not shown on a page, which has buttons
        instead.
    kind : a short code for programs, e.g. "timezone", "day-order", "rows"; empty when there is nothing to choose.
    rows : the numbers of the bad lines or points, each with a reason.
    row_name : what `rows` counts, "line" or "point".
    offers : the choices, where `kind` does not imply them.

    For a file, `table` may show its first rows, to its owner only, and `form` all questions about it at once.

    Examples
    --------
    >>> print(InputError("Epsilon must be above 0", value=-1))
    Epsilon must be above 0; got -1.
    """

    def __init__(
        self,
        what: str,
        *,
        value: Any = None,
        remedy: str = "",
        argument: str = "",
        kind: str = "",
        rows: Sequence[tuple[int, str]] = (),
        row_name: str = "line",
        offers: Sequence[Offer] = (),
    ) -> None:
        self.value, self.remedy, self.kind = value, remedy, kind
        self.rows, self.row_name = tuple(rows), row_name
        self.offers = tuple(offers)
        self.table: dict[str, Any] | None = None
        self.form: dict[str, Any] | None = None
        got = "" if value is None else f"; got {_short(value)}"
        mend = f" {remedy.rstrip('.')}." if remedy else ""
        self.sentence = f"{what[:1].upper()}{what[1:]}{got}.{mend}"
        super().__init__(self.sentence + (f" In Python: {argument}." if argument else ""))

    def _render_traceback_(self) -> list[str]:
        """What IPython shows instead of a traceback: the sentence, as the fault is in the input and not in a program."""
        return [str(self)]


def _short(value: Any, most: int = 60) -> str:
    counts = isinstance(value, Integral | float) and not isinstance(value, bool)
    text = value if isinstance(value, str) else f"{value:,}" if counts else repr(value)
    return text if len(text) <= most else text[: most - 1] + "…"


EXTRAS = {
    "frames": ("pandas", "plotly", "folium", "branca"),
    "places": ("highspy", "numba", "threadpoolctl"),
    "dashboard": ("voila", "jupyter_server", "tornado", "nbconvert", "psutil", "segno"),
    "formats": ("gpxpy", "fitdecode", "pynmea2", "pyproj"),
    "study": ("joblib", "pyarrow", "threadpoolctl"),
    "dask": ("distributed",),
    "excel": ("python_calamine",),
    "word": ("docx",),
    "secure": ("opendp", "platformdirs"),
}
"""The libraries that each extra installs, as `pyproject.toml` lists them under that name."""

_EXTRA_OF = {name: extra for extra, names in EXTRAS.items() for name in names}


def install(extra: str) -> str:
    """The command that installs an extra, for the published package and for a clone.

    Examples
    --------
    >>> install("study")
    'pip install "lmdk-widgets[study]" (in a clone: pip install ".[study]")'
    """
    return f'pip install "lmdk-widgets[{extra}]" (in a clone: pip install ".[{extra}]")'


def library(name: str, what: str, *, extra: str = "") -> Any:
    """A module of an optional library.

    Parameters
    ----------
    name : the module, such as "pyarrow.parquet". what : what cannot be done without it. extra : the one to name where
    several extras include the library.

    Raises
    ------
    InputError : the library is not installed; the message names the command that installs it.

    Examples
    --------
    >>> library("no_such_library", "A file of XYZ", extra="formats")
    Traceback (most recent call last):
    ...
    lmdk_widgets.errors.InputError: A file of XYZ needs the library no_such_library, which is not installed. Install it \
with: pip install "lmdk-widgets[formats]" (in a clone: pip install ".[formats]").
    """
    try:
        return import_module(name)
    except ImportError:
        top = name.partition(".")[0]
        where = "In your own Python" if sys.platform == "emscripten" else "Install it with"  # Emscripten is a browser
        remedy = f"{where}: {install(extra or _EXTRA_OF[top])}"
        raise InputError(f"{what} needs the library {top}, which is not installed", remedy=remedy) from None


SCIPY_HIGHS = "scipy.optimize._highspy._core"


def highs(what: str) -> Any:
    """HiGHS, as a module with the names of `highspy`: that library or, in a browser, the copy inside SciPy.

    Raises
    ------
    InputError : neither is available; the message says what needs it, and names the command that installs it.
    """
    try:
        return import_module("highspy")
    except ImportError:
        if sys.platform == "emscripten":  # SciPy's version is pinned there, as this module is private
            with suppress(ImportError):
                return import_module(SCIPY_HIGHS)
        return library("highspy", what)


def has_highs() -> bool:
    """Whether HiGHS is available, as far as can be told without importing it, or a package that contains it."""
    if find_spec("highspy") is not None:
        return True
    scipy = find_spec("scipy") if sys.platform == "emscripten" else None
    if scipy is None or sys.modules.get(SCIPY_HIGHS, scipy) is None:
        return False
    inside = "/".join(SCIPY_HIGHS.split(".")[1:-1])
    return (
        PathFinder.find_spec(SCIPY_HIGHS, [f"{at}/{inside}" for at in scipy.submodule_search_locations or ()])
        is not None
    )


def silent_highs(what: str) -> Any:
    """A model of HiGHS that prints nothing: some versions print their name before any option can be set.

    Raises
    ------
    InputError : HiGHS is not available, as for `highs`.
    """
    module = highs(what)
    return _silent(getattr(module, "Highs", None) or module._Highs)()


@cached("everybody", what="the solver's class, without its output")
def _silent(highs: Any) -> type:
    class Silent(highs):
        def enableCallbacks(self) -> None:  # called by the constructor
            self.setOptionValue("output_flag", False)
            super().enableCallbacks()

    return Silent
