"""What someone who knows the method finds of the landmarks: at once where it takes next to no time, else beside the page."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from lmdk_widgets.budgets.posterior import FEW, DummyPosterior, posteriors
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.scenario.hidden import protected
from lmdk_widgets.scenario.model import Scenario

if TYPE_CHECKING:
    from lmdk_widgets.scenario.outcome import Outcome

AT_ONCE = 2_000
"""Sets of landmarks that are tried with the outcome: some 20 milliseconds."""


def known(outcome: Outcome) -> DummyPosterior | None:
    """What is known of the landmarks, where that is computed or takes next to no time; None: nothing hidden, or not yet."""
    if outcome.attacked is not None and outcome.attacked.done:
        return outcome.attacked
    scenario, n = outcome.scenario, len(outcome)
    return _found(*_settings(scenario, n)) if scenario.hide and scenario.landmarks and _is_quick(scenario, n) else None


def asked(outcome: Outcome) -> tuple[Any, ...] | None:
    """What the attack depends on, where it takes longer; None where it does not, or nothing is hidden."""
    scenario, n = outcome.scenario, len(outcome)
    if not (scenario.hide and scenario.landmarks) or _is_quick(scenario, n):
        return None
    return _settings(scenario, n)


def wanted(outcome: Outcome) -> bool:
    """Whether there is work to do beside the page."""
    return asked(outcome) is not None and (outcome.attacked is None or not outcome.attacked.done)


def growing(outcome: Outcome) -> Iterator[Outcome]:
    """The outcome with ever more sets tried."""
    for some in _posteriors(*_settings(outcome.scenario, len(outcome))):
        yield outcome.improved(attacked=some)


def progress(outcome: Outcome) -> Progress:
    found = outcome.attacked
    if found is None:
        return Progress("Trying which sets of landmarks lead to these dummies.")
    said = f"Trying which sets of landmarks lead to these dummies: {found.tried:,} of {found.wanted:,} are tried."
    return Progress(said, found.tried / found.wanted)


def _settings(scenario: Scenario, n: int) -> tuple[Any, ...]:
    how = scenario.hide_method, scenario.hide_epsilon, scenario.hide_most
    return (n, protected(scenario, n), len(scenario.landmarks), *how)


def _is_quick(scenario: Scenario, n: int) -> bool:
    k = len(scenario.landmarks)
    sets, steps = math.comb(len(protected(scenario, n)), k), min(scenario.hide_most, n - k)
    if scenario.hide_method == "optimal":
        return sets * math.perm(n - k, steps) <= 25 * AT_ONCE
    return max(sets, sets * (k + 1) / 100, min(sets, FEW) * steps / 2) <= AT_ONCE


def _posteriors(
    n: int, marked: tuple[int, ...], k: int, method: str, epsilon: float, most: int
) -> Iterator[DummyPosterior]:
    return posteriors(list(marked), n, k, method=method, epsilon=epsilon, most=most)


@lru_cache(maxsize=64)
def _found(*settings: Any) -> DummyPosterior:
    *_, last = _posteriors(*settings)
    return last
