"""Hidden landmarks in words: how many dummies there are, what they cost, and what the attacker who knows the method finds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from lmdk_widgets.budgets.posterior import FEW, DummyPosterior, posteriors
from lmdk_widgets.page.amounts import amount, bound, count
from lmdk_widgets.scenario.hidden import protected
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.outcome import Outcome

NAME = "dummies"
"""Of the result in an outcome, where it takes longer."""

AT_ONCE = 2_000
"""Sets of landmarks that are tried with the outcome: some 20 milliseconds."""


def found_of(outcome: Outcome) -> DummyPosterior | None:
    """What is known of the landmarks, where that is computed or takes next to no time; None: nothing hidden, or not yet."""
    if (found := outcome.found(NAME)) is not None and found.done:
        return found
    scenario, n = outcome.scenario, len(outcome)
    return _found(*_settings(scenario, n)) if scenario.hide and scenario.landmarks and _is_quick(scenario, n) else None


def asked(outcome: Outcome) -> tuple[Any, ...] | None:
    """What the attack depends on, where it takes longer; None where it does not, or nothing is hidden."""
    scenario, n = outcome.scenario, len(outcome)
    if not (scenario.hide and scenario.landmarks) or _is_quick(scenario, n):
        return None
    return _settings(scenario, n)


def growing(outcome: Outcome) -> Iterator[DummyPosterior]:
    """What is known with ever more sets tried."""
    return _posteriors(*_settings(outcome.scenario, len(outcome)))


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


NO_PROMISE = (
    "These dummies follow from the landmarks, so they are no protection of them: whoever knows the method can try which sets "
    "of landmarks lead to these dummies, and a timestamp that is not protected is certainly no landmark. What is left is "
    "computed with every set equally likely at first: someone who knows more of your days learns more. Choose the dummies "
    "once and keep them: the landmarks are in every choice, so that another choice shows more."
)
"""What dummies do not promise."""


def together(outcome: Outcome) -> str:
    """What is protected together: "four landmarks", or "six protected timestamps" where the landmarks are hidden."""
    return count(len(outcome.protected), "protected timestamp" if hides(outcome) else "landmark")


def hides(outcome: Outcome) -> bool:
    """Whether landmarks are hidden: where there is none, there is nothing to hide."""
    return outcome.scenario.hide and bool(outcome.scenario.landmarks)


def hidden_sentences(outcome: Outcome) -> list[str]:
    """How many of the protected timestamps are dummies, and what they hide from someone who knows the method."""
    return [how_many(outcome), *attack_found(outcome)] if hides(outcome) else []


def how_many(outcome: Outcome) -> str:
    k, more = len(outcome.scenario.landmarks), len(outcome.protected) - len(outcome.scenario.landmarks)
    if not more:
        return (
            "The choice fell on no dummy this time: the protected timestamps are your landmarks, so nothing is hidden."
        )
    are = "is a dummy" if more == 1 else "are dummies"
    every = count(k + more, "timestamp").capitalize()
    return f"{every} are protected as landmarks; {bare(more)} of them {are}."


def bare(number: int) -> str:
    """A number without a noun: "one", "four", "2,016"."""
    return count(number, "timestamp").partition(" ")[0]


def attack_found(outcome: Outcome) -> list[str]:
    """What somebody finds who knows the method, its settings and the number of landmarks."""
    k = len(outcome.scenario.landmarks)
    if k == len(outcome.protected):
        return []
    found, sets = found_of(outcome), f"sets of {count(k, 'timestamp')}"
    if found is None:
        return ["What the dummies show to someone who knows the method is not computed yet."]
    if found.sampled and not found.left:
        none = f"There are too many {sets} to try them all here; none of {found.tried:,} random ones leads to these dummies."
        return [none, "Whoever knows the method can try more of them: do not rely on the dummies."]
    who = f"Someone who knows the method and that there {'is' if k == 1 else 'are'} {count(k, 'landmark')}"
    if found.left == 1 and not found.sampled:
        return [f"{who} is left with one {sets.replace('sets', 'set')}: the dummies hide nothing."]
    certain, exact = int((found.chances == 1).sum()), not found.sampled
    shown = "is certainly a landmark" if certain == 1 else "are certainly landmarks"
    told = f"{count(certain, 'timestamp').capitalize()} {shown}"
    if not certain or not exact:
        least = (
            bound(float(np.nanmax(found.chances)), up=False) if exact else f"about {amount(np.nanmax(found.chances))}"
        )
        told = f"The most exposed timestamp is a landmark with probability {'at least ' if exact else ''}{least}"
    of = f"{found.of:,} {sets}" if exact else f"{found.tried:,} random {sets}"
    blind = f"a random timestamp is one with probability {amount(k / len(outcome))}"
    return [f"{who} is left with {found.left:,} of {of}.", f"{told}; {blind}."]


def hidden_warnings(outcome: Outcome) -> list[str]:
    return [NO_PROMISE] if hides(outcome) else []


def known(outcome: Outcome) -> str:
    """What the adversary is taken to know about the landmarks."""
    if not hides(outcome):
        return "Which timestamps are landmarks is taken as known to everybody"
    return (
        "Which timestamps are protected is taken as known to everybody, and not which of them are landmarks, though whoever "
        "knows the method may find that out"
    )
