"""Where a row of a table and a mark of a chart lead to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lmdk_widgets.scenario.model import Scenario


def gone(scenario: Scenario, to: Mapping[str, Any]) -> Scenario:
    """The scenario of a row or of a mark: its scheme, and its epsilon and radius where it has some.

    Parameters
    ----------
    to : "scheme", and perhaps "epsilon", which is the target of a plan, "radius_m", "mechanism" and "place_m".

    Examples
    --------
    >>> gone(Scenario(), {"scheme": "planned", "epsilon": 0.5}).target
    0.5
    """
    scheme = to["scheme"]
    named = {name: to.get(name) for name in ("radius_m", "mechanism", "place_m")}
    changed = scenario.with_changes(scheme=scheme)
    named[changed.spread.spent] = to.get("epsilon")
    changed = changed.with_changes(**{name: value for name, value in named.items() if value is not None})
    return changed.with_changes(mechanism="planar") if changed.spread.online else changed
