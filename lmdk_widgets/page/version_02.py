"""Links and settings files of version 0.2, which can always be read: its names as they are today, and its defaults.

They carry no version in a link, and version 1 in a file. Both hold only what differs from a default, so its defaults
are kept here: one that has changed since is filled in if a link mentions the part of the page that it belongs to. Two
fields held the text of another link: an option to compare with the current one (`pinned`), and the settings of the table
(`table_of`). Dummies were drawn with the seed of the noise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from lmdk_widgets.page.typed import typed_numbers

RENAMED: dict[str, dict[str, str]] = {
    "landmarks": {
        "propose": "stays.open",
        "stay_m": "stays.within_m",
        "stay_minutes": "stays.at_least_minutes",
        "compare": "compare.open",
        "curve": "trade_off.open",
        "against": "trade_off.against",
        "curve_error": "trade_off.error",
        "turned": "inverse.open",
        "wanted_error_m": "inverse.error_m",
        "wanted_loss": "inverse.loss",
        "infer": "attacker.open",
        "infer_cells": "attacker.cells",
        "infer_start": "attacker.start",
        "infer_moves": "attacker.moves",
        "infer_step_m": "attacker.step_m",
        "infer_at": "attacker.at",
        "infer_cell": "attacker.cell",
        "defences": "defences.open",
        "table": "table.open",
    }
}
"""For each page, the names that have changed."""

PINNED, ASKED = "pinned", "table_of"
"""The fields that contained the text of a link."""

DEFAULTS: dict[str, dict[str, Any]] = {
    "landmarks": {
        "track": "bob",
        "utc": False,
        "landmarks": [],
        "scheme": "uniform",
        "budgets": [],
        "epsilon": 1.0,
        "target": 1.0,
        "window": 3,
        "radius_m": 200.0,
        "mechanism": "planar",
        "cells": "track",
        "place_m": 1000.0,
        "hide": False,
        "hide_epsilon": 1.0,
        "hide_method": "greedy",
        "hide_most": 8,
        "bounds": "known",
        "lower": 0.0,
        "upper": 1.0,
        "increase": 0.3,
        "decrease": 0.3,
        "correlation": "moderate",
        "smoothing": 0.1,
        "states": 5,
        "cell_m": 1000.0,
        "level_width": 1.0,
        "matrix": [],
        "adversary": "both",
        "landmark_loss": False,
        "seed": 1,
        "average": False,
        "stays.open": False,
        "stays.within_m": 200.0,
        "stays.at_least_minutes": 20.0,
        "compare.open": False,
        "trade_off.open": False,
        "inverse.open": False,
        "inverse.error_m": 500.0,
        "inverse.loss": 1.0,
        "pinned": None,
        "trade_off.against": "epsilon",
        "trade_off.error": "mean",
        "attacker.open": False,
        "attacker.cells": 225,
        "attacker.start": "uniform",
        "attacker.moves": "page",
        "attacker.step_m": 1000.0,
        "attacker.at": 0,
        "attacker.cell": -1,
        "defences.open": False,
        "table.open": False,
        "table.schemes": [
            "event",
            "user",
            "window",
            "uniform",
            "weighted",
            "skip",
            "adaptive",
            "budget-distribution",
            "budget-absorption",
            "planned",
        ],
        "table.epsilons": [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0],
        "table.radii_m": [50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0],
        "table.most_error_m": None,
        "table.most_radius95_m": None,
        "table.most_loss": None,
        "table.most_landmark_loss": None,
        "table.kept": False,
        "table.sort": "error_m",
        "table.falling": False,
    },
    "places": {
        "area": "grid",
        "rows": 6,
        "columns": 6,
        "cell_m": 1000.0,
        "latitude": 48.8607,
        "longitude": 2.3355,
        "prior": "city",
        "track": "commuter",
        "checkins": "",
        "painted": [],
        "around": False,
        "other": "evening",
        "level": 1.0,
        "radius_m": 1000.0,
        "dilation": 1.1,
        "loss_percent": 100.0,
        "mechanism": "optimal",
        "click": "true",
        "charts": False,
        "place": -1,
    },
    "quilts": {
        "epsilon": 2.0,
        "source": "power",
        "track": "commuter",
        "cell_m": 2000.0,
        "level_w": 500.0,
        "stay_one": 0.9,
        "stay_two": 0.6,
        "length": 100,
        "every": 10,
        "own_chains": [[[], [[0.9, 0.1], [0.4, 0.6]]]],
        "smoothing": 0.1,
        "theta": "one",
        "chains": 10,
        "support": "definition",
        "query": "shares",
        "mechanism": "exact",
        "seed": 1,
        "node": -1,
        "releases": [1.0, 0.5, 0.25],
        "gap": 5,
        "a_first": 30,
        "a_length": 60,
        "b_length": 60,
        "epsilon_a": 1.0,
        "epsilon_b": 0.5,
        "truth_percent": 90,
    },
    "foundations": {
        "part": "table",
        "table": "t1",
        "least": 1,
        "recursive_c": 2.0,
        "mechanism": "laplace",
        "counted": "histogram",
        "neighbours": "add",
        "epsilon": 1.0,
        "truth": 0.75,
        "answers": 5,
        "prior": 0.5,
        "wanted": 0.01,
        "level": "window",
        "window": 3,
        "discount": 0.9,
        "clicks": "intrusions",
        "announced": False,
        "fresh": True,
        "budget": 1.0,
        "correlated": False,
        "releases": [0.5, 0.25, 0.25, 0.0],
        "sources": [0, 1, 2, 0],
        "seed": 1,
        "landmarks": [],
        "intrusions": [],
        "quasi": [],
        "sensitive": -1,
        "levels": [0],
        "attack": "none",
    },
}
"""For each page, the initial value of every choice, as in a file; by the present names."""


ONLY_WITH = {"hide_method": "hide", "cells": "mechanism", "place_m": "mechanism", "levels": "least"}
"""Defaults that are filled in only if a link or a file names another choice, without which they have no effect. Columns for
which no level was chosen were exact, whatever the smallest class."""

_PINNED = {"pinned.cells": "track", "pinned.place_m": "1000.0"}
"""The initial values of a pinned option with a mechanism that have changed since, as in a link."""


def pairs(page: str, given: Mapping[str, str]) -> dict[str, str]:
    """The names and texts of a link of 0.2 by the present names.

    Examples
    --------
    >>> pairs("landmarks", {"epsilon": "2", "table": "1", "table_of": "page=table&most_loss=2.0"})
    {'epsilon': '2', 'table.open': '1', 'table.most_loss': '2.0'}
    >>> pairs("landmarks", {"track": "bob", "pinned": "page=landmarks&epsilon=0.5"})
    {'track': 'bob', 'pinned.epsilon': '0.5'}
    """
    names, found = RENAMED.get(page, {}), dict[str, str]()
    for name, text in given.items():
        if names and name in (PINNED, ASKED):
            found |= _inside(name, text)
        else:
            found[names.get(name, name)] = text
    return found | _drawn_then(found)


def _inside(name: str, text: str) -> dict[str, str]:
    """The names and texts of a link in a field."""
    if not text:
        return {}
    inside = dict(parse_qsl(text, keep_blank_values=True))
    inside.pop("page", None)
    if name == ASKED:
        return {f"table.{each}": _without_range(each, value) for each, value in inside.items()}
    inside |= _drawn_then(inside)
    if "hide" in inside:
        inside.setdefault("hide_method", DEFAULTS["landmarks"]["hide_method"])
    kept = {f"pinned.{each}": value for each, value in inside.items() if each not in RENAMED["landmarks"]}
    kept = kept or {"pinned.epsilon": "1.0"}  # an option with every choice at its default
    return _PINNED | kept if "pinned.mechanism" in kept else kept


def _drawn_then(given: Mapping[str, Any]) -> dict[str, Any]:
    """The seed of the dummies, if there are any: that of the noise."""
    return {"hide_seed": given["seed"]} if "hide" in given and "seed" in given else {}


def _without_range(name: str, text: str) -> str:
    """A list of numbers in which a range was typed, as these numbers."""
    if name not in ("epsilons", "radii_m"):
        return text
    return " ".join(map(repr, typed_numbers(text, name)))


def values(page: str, given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """The values of a file of 0.2 by their current names, and the names and texts of links in its fields."""
    names, found, texts = RENAMED.get(page, {}), dict[str, Any](), dict[str, str]()
    for name, value in given.items():
        if names and name in (PINNED, ASKED) and isinstance(value, str):
            texts |= _inside(name, value)
        else:
            found[names.get(name, name)] = value
    return found | _drawn_then(found), texts


def changed_since(page: str, given: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The defaults of 0.2 that have changed since, for the groups that a link or a file mentions.

    Parameters
    ----------
    given : what it says, by the current names. defaults : the current ones, as in a file.

    Examples
    --------
    >>> now = DEFAULTS["landmarks"] | {"table.kept": True}
    >>> changed_since("landmarks", {"table.open": "1"}, now), changed_since("landmarks", {"epsilon": "2"}, now)
    ({'table.kept': False}, {})
    """
    groups = {name.rpartition(".")[0] for name in given}
    return {
        name: value
        for name, value in DEFAULTS.get(page, {}).items()
        if name not in given and name.rpartition(".")[0] in groups and name in defaults and defaults[name] != value
        if ONLY_WITH.get(name, name) in {name, *given}
    }
