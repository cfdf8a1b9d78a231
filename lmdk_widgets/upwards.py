"""The few methods that offer what stands above them, each by one call of `from_above`.

Imports go downwards. A user who holds an `Outcome` or a `Trajectory` still expects its figure or its page there, so these
methods import it by name when they are called; a test lists them. Types do not go upwards either: a type checker would have
to read the whole package as one circle.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def from_above(module: str, name: str) -> Any:
    """What has this name in a module of the package that stands above the caller.

    Examples
    --------
    >>> from_above("version", "__version__") == from_above("cli", "__version__")
    True
    """
    return getattr(import_module(f"lmdk_widgets.{module}"), name)
