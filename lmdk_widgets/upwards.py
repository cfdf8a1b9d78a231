"""The few methods that offer what stands above them, each by one call of `from_above`.

Imports go downwards. A user who holds an `Outcome` or a `Trajectory` still expects its figure or its page there, so these
methods import it by name when they are called; a test lists them. A type checker reads here what they take and give.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lmdk_widgets.hosts.widget.track import Explorer as Explorer
    from lmdk_widgets.scenario.model import Scenario as Scenario


def from_above(module: str, name: str) -> Any:
    """What has this name in a module of the package that stands above the caller.

    Examples
    --------
    >>> from_above("version", "__version__") == from_above("cli", "__version__")
    True
    """
    return getattr(import_module(f"lmdk_widgets.{module}"), name)
