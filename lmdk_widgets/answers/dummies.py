"""Hidden landmarks in words: how many dummies there are, what they cost, and what an attacker who knows the method
finds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from lmdk_widgets.budgets import dummy_posterior
from lmdk_widgets.budgets.posterior import FEW, DummyPosterior, posteriors
from lmdk_widgets.cache import cached
from lmdk_widgets.geo import Floats
from lmdk_widgets.page.amounts import MILLION, amount, bound, count, percent
from lmdk_widgets.scenario.hidden import chance_of, protected, seen_together
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.outcome import Outcome

NAME = "dummies"
"""The name of the result in an outcome, where it takes longer."""

AT_ONCE = 2_000
"""Sets of landmarks that are tested with the outcome: about 20 milliseconds."""

ALMOST = 0.999
"""What is stated for a chance that is larger, but not a certainty."""


def found_of(outcome: Outcome) -> DummyPosterior | None:
    """What is known of the landmarks, where that is computed or takes next to no time; None: there is nothing to test,
    or it is not computed yet."""
    if (found := outcome.found(NAME)) is not None and found.done:
        return found
    scenario, n = outcome.scenario, len(outcome)
    return _found(*_settings(scenario, n)) if _is_tried(outcome) and _is_quick(scenario, n) else None


def asked(outcome: Outcome) -> tuple[Any, ...] | None:
    """What the attack depends on, where it takes longer; None where it does not, or nothing is hidden."""
    scenario, n = outcome.scenario, len(outcome)
    return None if not _is_tried(outcome) or _is_quick(scenario, n) else _settings(scenario, n)


def _is_tried(outcome: Outcome) -> bool:
    """Whether sets of landmarks are tested: random dummies leave every set possible."""
    return hides(outcome) and not outcome.scenario.joins_at_random


def growing(outcome: Outcome) -> Iterator[DummyPosterior]:
    """What is known as more and more sets are tested."""
    return _posteriors(*_settings(outcome.scenario, len(outcome)))


def landmark_chances(outcome: Outcome) -> Floats:
    """(n,) the chance of each timestamp to be a landmark, for someone who knows what is protected, how it was chosen, and how
    many landmarks there are; NaN where none of the sets that were tested gives these dummies. It may take seconds."""
    scenario, n = outcome.scenario, len(outcome)
    if _is_tried(outcome):
        return _found(*_settings(scenario, n)).chances
    return dummy_posterior(outcome.protected, n, len(scenario.landmarks))


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


@cached("settings", entries=64, what="what someone believes who knows how dummies were chosen")
def _found(*settings: Any) -> DummyPosterior:
    *_, last = _posteriors(*settings)
    return last


NO_PROMISE = (
    "These dummies follow from the landmarks, so they do not protect them: anyone who knows the method can test which "
    "sets of landmarks could give these dummies, and a timestamp that is not protected is certainly not a landmark. "
    "What is left is computed with every set equally likely at first: someone who knows more about your days learns "
    "more. Choose the dummies once and keep them: the landmarks are in every choice, so another choice reveals more."
)
"""What dummies by the paper's methods do not promise."""


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
        return "No dummy was chosen this time: the protected timestamps are your landmarks, so nothing is hidden."
    are = "is a dummy" if more == 1 else "are dummies"
    every = count(k + more, "timestamp").capitalize()
    return f"{every} are protected as landmarks; {bare(more)} of them {are}."


def bare(number: int) -> str:
    """A number without a noun: "one", "four", "2,016"."""
    return count(number, "timestamp").partition(" ")[0]


def attack_found(outcome: Outcome) -> list[str]:
    """What an attacker who knows the method, its settings and the number of landmarks finds."""
    k = len(outcome.scenario.landmarks)
    if k == len(outcome.protected):
        return []
    if outcome.scenario.joins_at_random:
        return _odds_said(outcome)
    found, sets = found_of(outcome), f"sets of {count(k, 'timestamp')}"
    if found is None:
        return ["What the dummies reveal to someone who knows the method is not computed yet."]
    if found.sampled and not found.left:
        none = (
            f"There are too many {sets} to test them all here; none of {found.tried:,} random ones gives these dummies."
        )
        return [none, "Anyone who knows the method can test more of them: do not rely on the dummies."]
    who = f"Someone who knows the method and that there {'is' if k == 1 else 'are'} {count(k, 'landmark')}"
    if found.left == 1 and not found.sampled:
        return [f"{who} is left with one {sets.replace('sets', 'set')}: the dummies hide nothing."]
    certain, exact = int((found.chances == 1).sum()), not found.sampled
    shown = "is certainly a landmark" if certain == 1 else "are certainly landmarks"
    told = f"{count(certain, 'timestamp').capitalize()} {shown}"
    if not certain or not exact:
        most = float(np.nanmax(found.chances))
        least = bound(min(most, ALMOST), up=False) if exact else f"about {amount(most)}"
        told = f"The most exposed timestamp is a landmark with probability {'at least ' if exact else ''}{least}"
    of = f"{found.of:,} {sets}" if exact else f"{found.tried:,} random {sets}"
    blind = f"a random timestamp is one with probability {amount(k / len(outcome))}"
    return [f"{who} is left with {found.left:,} of {of}.", f"{told}; {blind}."]


def _odds_said(outcome: Outcome) -> list[str]:
    """What random dummies leave: to someone who knows how many landmarks there are, and to one with an independent prior."""
    k, n, chance = len(outcome.scenario.landmarks), len(outcome), chance_of(outcome.scenario, len(outcome))
    who = f"Someone who knows that there {'is' if k == 1 else 'are'} {count(k, 'landmark')}"
    return [
        f"{who} believes each to be one with probability {amount(k / len(outcome.protected))}; a random timestamp is "
        f"one with probability {amount(k / n)}.",
        "For someone who assumes that timestamps are independent, the odds of each "
        f"grow by a factor of {amount(1 / chance)}.",
    ]


def joining(outcome: Outcome) -> list[str]:
    """How random dummies join: the proposed chance, and what it gives on average before the draw."""
    scenario, n = outcome.scenario, len(outcome)
    k, chance = len(scenario.landmarks), chance_of(scenario, n)
    on_average = f"n average {amount(k + (n - k) * chance)} of {n:,} timestamps are protected."
    proposed = f"The proposed chance is {amount(chance)}; o"
    said = [f"{'O' if scenario.hide_joining == 'stated' else proposed}{on_average}"]
    if scenario.hide_joining != "stated":
        said.append(
            "It follows from the number of landmarks, so it reveals something about that number; a stated one does not."
        )
    if (alone := (1 - chance) ** (n - k)) >= _SELDOM and k < n:
        said.append(f"With probability {percent(alone)} no dummy joins, and the landmarks are exposed.")
    return said


_SELDOM = 0.001
"""A smaller probability that no dummy joins is not mentioned."""


def hidden_warnings(outcome: Outcome) -> list[str]:
    if not hides(outcome):
        return []
    scenario = outcome.scenario
    promise = _one_sided(outcome) if scenario.joins_at_random else NO_PROMISE
    return [promise, *([_drawn_again(outcome)] if scenario.hide_draw > 1 else [])]


def _one_sided(outcome: Outcome) -> str:
    """What random dummies promise, and what they do not."""
    chance = chance_of(outcome.scenario, len(outcome))
    return (
        "The dummies protect the fact that a timestamp is a landmark, with epsilon ln(1/p) = "
        f"{amount(abs(math.log(chance)))}. They do not protect the fact that it is not: a timestamp that is not "
        "protected is certainly not a landmark. Keep these dummies for these data and landmarks: another draw reveals "
        "more, and the seed of the dummies reveals everything."
    )


def _drawn_again(outcome: Outcome) -> str:
    """What is left for an attacker who has seen every draw of dummies so far."""
    scenario, n = outcome.scenario, len(outcome)
    draws = scenario.hide_draw
    said = f"These dummies are draw {draws}, and the landmarks are in every draw."
    if not scenario.joins_at_random:
        return said
    every = "both draws" if draws == 2 else f"all {bare(draws)} draws"
    grown = -draws * math.log(chance_of(scenario, n))
    odds = amount(math.exp(grown)) if grown < MILLION else "more than a million"
    left = count(len(seen_together(scenario, n)), "timestamp")
    grew = f"the odds of each have grown by a factor of {odds}"
    return f"{said} Anyone who has seen {every} looks for them among {left}, and {grew}."


def known(outcome: Outcome) -> str:
    """What the adversary is assumed to know about the landmarks."""
    if not hides(outcome):
        return "Which timestamps are landmarks is assumed to be public"
    said = "Which timestamps are protected is assumed to be public, but not which of them are landmarks"
    return said if outcome.scenario.joins_at_random else f"{said}, though anyone who knows the method may find that out"
