"""The one error that bad input raises, as a sentence a person can act on.

Every part of the package that meets input it cannot use raises `InputError`: what is allowed, the value that was seen
and what to do. The page shows the message as it stands; nothing else of the program reaches it. A library that a plain
installation does not have is imported by `library` when something needs it: where it is missing, the error names the
command that installs it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from numbers import Integral
from typing import Any

__all__ = ["EXTRAS", "InputError", "Offer", "install", "library", "silent_highs"]

Offer = tuple[str, dict[str, Any]]
"""What can be chosen: a few words for a button, and the arguments with which the same is tried again."""


class InputError(ValueError):
    """Input that cannot be used, said so that a person can mend it: "Epsilon must be between 1 and 9; got -3. Try 2."

    Parameters
    ----------
    what : one clause with what is allowed ("Epsilon must be between 1 and 9"); it begins the sentence, with a capital.
    value : the value that was seen; left out of the message when None. Never pass a true coordinate of a track.
    remedy : what to do about it, a sentence.
    argument : how to say it in Python, `timezone="Europe/Paris"`; not shown on a page, which has buttons for it.
    kind : a short code for programs, e.g. "timezone", "day-order", "rows"; empty when there is nothing to choose.
    rows : numbers with a reason each, when the input has lines or points.
    row_name : what `rows` numbers, "line" or "point".
    offers : what can be chosen, where it is more than `kind` says.

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
        got = "" if value is None else f"; got {_short(value)}"
        mend = f" {remedy.rstrip('.')}." if remedy else ""
        self.sentence = f"{what[:1].upper()}{what[1:]}{got}.{mend}"
        super().__init__(self.sentence + (f" In Python: {argument}." if argument else ""))


def _short(value: Any, most: int = 60) -> str:
    counts = isinstance(value, Integral | float) and not isinstance(value, bool)
    text = value if isinstance(value, str) else f"{value:,}" if counts else repr(value)
    return text if len(text) <= most else text[: most - 1] + "…"


EXTRAS = {
    "frames": ("pandas", "plotly", "folium", "branca"),
    "places": ("highspy", "numba"),
    "dashboard": ("voila", "jupyter_server", "tornado", "nbconvert", "psutil", "segno"),
    "formats": ("gpxpy", "fitdecode", "pynmea2", "pyproj"),
    "study": ("joblib", "pyarrow", "threadpoolctl"),
    "dask": ("distributed",),
    "secure": ("opendp", "platformdirs"),
}
"""Which extra brings which libraries; what `pyproject.toml` lists under that name."""

_EXTRA_OF = {name: extra for extra, names in EXTRAS.items() for name in names}


def install(extra: str) -> str:
    """The command that installs an extra, of the published package and of a clone.

    Examples
    --------
    >>> install("study")
    'pip install "lmdk-widgets[study]" (in a clone: pip install ".[study]")'
    """
    return f'pip install "lmdk-widgets[{extra}]" (in a clone: pip install ".[{extra}]")'


def library(name: str, what: str, *, extra: str = "") -> Any:
    """A module of a library that not every installation has.

    Parameters
    ----------
    name : the module, such as "pyarrow.parquet". what : what cannot be done without it. extra : the one to name where
    several bring the library.

    Raises
    ------
    InputError : the library is not installed; with the command that installs it.

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
        where = "In a Python of your own" if sys.platform == "emscripten" else "Install it with"  # or in a browser
        remedy = f"{where}: {install(extra or _EXTRA_OF[top])}"
        raise InputError(f"{what} needs the library {top}, which is not installed", remedy=remedy) from None


def silent_highs(what: str) -> Any:
    """A `highspy.Highs` that prints nothing: some versions print their name while they are made, before an option can be set.

    Raises
    ------
    InputError : HiGHS is not installed; what cannot be done without it, and the command that installs it.
    """
    return _silent(library("highspy", what).Highs)()


@cache
def _silent(highs: Any) -> type:
    class Silent(highs):
        def enableCallbacks(self) -> None:  # called by the constructor
            self.setOptionValue("output_flag", False)
            super().enableCallbacks()

    return Silent
