"""Two options side by side: the settings that were kept, beside those that are being changed.

The kept settings are the query of their own link, so that one link holds both; the track is the same.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.link import from_query, to_query
from lmdk_widgets.scenario.model import HERS, MOST_PINNED, Scenario
from lmdk_widgets.trajectory.model import Trajectory

if TYPE_CHECKING:
    from lmdk_widgets.scenario.outcome import Outcome

_VIEWS = ("compare", "curve", "turned", "propose", "utc", "average", "infer", "table")
"""Choices of what is looked at, which make no option another one."""


def pin(scenario: Scenario) -> Scenario:
    """The scenario with its own settings kept.

    Raises
    ------
    InputError : settings that are too long to be kept, such as thousands of scattered landmarks.

    Examples
    --------
    >>> pin(Scenario(epsilon=0.5)).with_changes(scheme="skip").pinned
    'page=landmarks&track=bob&landmarks=&epsilon=0.5'
    """
    kept = scenario.with_changes(pinned="", table_of="", **dict.fromkeys(_VIEWS, False))
    query = to_query(kept)
    if not scenario.track:  # a link never tells the landmarks of one's own track, what stays here does
        told = ["landmarks", *(["budgets"] if scenario.budgets else [])]
        query += "".join(f"&{name}={Scenario.kinds()[name].to_text(getattr(scenario, name))}" for name in told)
    if len(query) > MOST_PINNED:
        what = f"The settings must be at most {MOST_PINNED:,} characters long to be kept beside others"
        raise InputError(what, value=f"{len(query):,}", remedy="Mark fewer scattered landmarks, or a smaller matrix")
    return scenario.with_changes(pinned=query)


def pinned_scenario(scenario: Scenario) -> Scenario:
    """The settings that a scenario keeps; landmarks that they do not tell are the present ones."""
    changes = from_query(scenario.pinned, Scenario) | {"pinned": "", "track": scenario.track}
    return Scenario(landmarks=scenario.landmarks).with_changes(**changes | {"utc": scenario.utc})


def swap(scenario: Scenario) -> Scenario:
    """The kept settings as the present ones, and the present ones kept.

    Examples
    --------
    >>> two = pin(Scenario(epsilon=0.5)).with_changes(scheme="skip")
    >>> swap(two).epsilon, swap(two).scheme, swap(swap(two)) == two
    (0.5, 'uniform', True)
    """
    views = {name: getattr(scenario, name) for name in (*_VIEWS, "table_of")}
    return pinned_scenario(scenario).with_changes(pinned=pin(scenario).pinned, **views)


def with_seed(scenario: Scenario, seed: int) -> Scenario:
    """The present settings and the kept ones with another seed.

    Examples
    --------
    >>> with_seed(pin(Scenario(epsilon=0.5)), 7).pinned
    'page=landmarks&track=bob&landmarks=&epsilon=0.5&seed=7'
    """
    kept = pin(pinned_scenario(scenario).with_changes(seed=seed)).pinned if scenario.pinned else ""
    return scenario.with_changes(seed=seed, pinned=kept)


def pinned_outcome(scenario: Scenario, trajectory: Trajectory) -> Outcome | None:
    """The outcome of the kept settings on the same track; None where nothing is kept.

    Raises
    ------
    InputError : kept settings that do not fit the track.
    """
    return _evaluated(pinned_scenario(scenario), trajectory) if scenario.pinned else None


@lru_cache(maxsize=2)
def _evaluated(scenario: Scenario, trajectory: Trajectory) -> Outcome:
    from lmdk_widgets.scenario.evaluation import evaluate

    return evaluate(scenario, trajectory)


def differing(scenario: Scenario) -> list[str]:
    """The names of the choices in which the present settings differ from the kept ones, in their order."""
    kept = pinned_scenario(scenario)
    skip = {"pinned", "against", "curve_error", "wanted_error_m", "wanted_loss", "landmark_loss", "table_of"}
    skip |= {*_VIEWS, *HERS}
    return [n for n in Scenario.kinds() if n not in skip and getattr(kept, n) != getattr(scenario, n)]
