"""Libraries that only some formats need: brought in when a file asks for them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from lmdk_widgets.errors import InputError

INSTALL = 'Install it with: pip install "lmdk-widgets[formats]"'


def library(name: str, what: str) -> Any:
    """A module of an optional library.

    Parameters
    ----------
    name : the module, such as "pyarrow.parquet". what : what cannot be read without it.

    Raises
    ------
    InputError where the library is not installed, with how to install it.

    Examples
    --------
    >>> library("no_such_library", "XYZ")
    Traceback (most recent call last):
    ...
    lmdk_widgets.errors.InputError: XYZ is read only where the library no_such_library is installed. Install it with: \
pip install "lmdk-widgets[formats]".
    """
    try:
        return import_module(name)
    except ImportError:
        raise InputError(
            f"{what} is read only where the library {name.partition('.')[0]} is installed", remedy=INSTALL
        ) from None
