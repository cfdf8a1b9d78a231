"""Libraries that a plain installation does not have: imported when something needs them, by the name of their extra."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from lmdk_widgets.errors import InputError

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
    """The command that installs an extra.

    Examples
    --------
    >>> install("study")
    'pip install "lmdk-widgets[study]"'
    """
    return f'pip install "lmdk-widgets[{extra}]"'


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
with: pip install "lmdk-widgets[formats]".
    """
    try:
        return import_module(name)
    except ImportError:
        top = name.partition(".")[0]
        remedy = f"Install it with: {install(extra or _EXTRA_OF[top])}"
        raise InputError(f"{what} needs the library {top}, which is not installed", remedy=remedy) from None
