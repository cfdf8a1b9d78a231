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
from lmdk_widgets.page.amounts import MILLION, amount, bound, count, every, numeral, percent, whole
from lmdk_widgets.page.sentences import capital, sentence
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
    return sentence(
        "{protected_timestamps} are protected as landmarks; {dummies} of them {are}.",
        protected_timestamps=capital(count(k + more, "timestamp")),
        dummies=numeral(more),
        are="is a dummy" if more == 1 else "are dummies",
    )


def attack_found(outcome: Outcome) -> list[str]:
    """What an attacker who knows the method, its settings and the number of landmarks finds."""
    k = len(outcome.scenario.landmarks)
    if k == len(outcome.protected):
        return []
    if outcome.scenario.joins_at_random:
        return _odds_said(outcome)
    found, of_k = found_of(outcome), {"landmark_timestamps": count(k, "timestamp")}
    if found is None:
        return ["What the dummies reveal to someone who knows the method is not computed yet."]
    if found.sampled and not found.left:
        none = sentence(
            "There are too many sets of {landmark_timestamps} to test them all here; none of {sets_tried} random ones gives "
            "these dummies.",
            sets_tried=whole(found.tried),
            **of_k,
        )
        return [none, "Anyone who knows the method can test more of them: do not rely on the dummies."]
    who = sentence(
        "Someone who knows the method and that there {are} {own_landmarks} is left with",
        are="is" if k == 1 else "are",
        own_landmarks=count(k, "landmark"),
    )
    if found.left == 1 and not found.sampled:
        one = sentence("{who} one set of {landmark_timestamps}: the dummies hide nothing.", who=who, **of_k)
        return [one]
    sets = sentence("{sets} sets of {landmark_timestamps}", sets=whole(found.of), **of_k)
    if found.sampled:
        sets = sentence("{sets_tried} random sets of {landmark_timestamps}", sets_tried=whole(found.tried), **of_k)
    told = sentence(
        "{told}; a random timestamp is one with probability {blind_chance}.",
        told=_most_exposed(found),
        blind_chance=amount(k / len(outcome)),
    )
    return [sentence("{who} {sets_left} of {sets}.", who=who, sets_left=whole(found.left), sets=sets), told]


def _most_exposed(found: DummyPosterior) -> str:
    """Which timestamps are certainly landmarks, or the most exposed one."""
    certain = int((found.chances == 1).sum())
    if certain and not found.sampled:
        shown = "is certainly a landmark" if certain == 1 else "are certainly landmarks"
        return sentence("{certain} {shown}", certain=capital(count(certain, "timestamp")), shown=shown)
    most = float(np.nanmax(found.chances))
    text = "The most exposed timestamp is a landmark with probability"
    if found.sampled:
        return sentence("{text} about {sampled_chance}", text=text, sampled_chance=amount(most))
    least = bound(min(most, ALMOST), up=False)
    return sentence("{text} at least {least_chance}", text=text, least_chance=least)


def _odds_said(outcome: Outcome) -> list[str]:
    """What random dummies leave: to someone who knows how many landmarks there are, and to one with an independent prior."""
    k, n, chance = len(outcome.scenario.landmarks), len(outcome), chance_of(outcome.scenario, len(outcome))
    believes = sentence(
        "Someone who knows that there {are} {own_landmarks} believes each to be one with probability {each_chance}; a random "
        "timestamp is one with probability {blind_chance}.",
        are="is" if k == 1 else "are",
        own_landmarks=count(k, "landmark"),
        each_chance=amount(k / len(outcome.protected)),
        blind_chance=amount(k / n),
    )
    grow = sentence(
        "For someone who assumes that timestamps are independent, the odds of each grow by a factor of {odds_factor}.",
        odds_factor=amount(1 / chance),
    )
    return [believes, grow]


def joining(outcome: Outcome) -> list[str]:
    """How random dummies join: the proposed chance, and what it gives on average before the draw."""
    scenario, n = outcome.scenario, len(outcome)
    k, chance = len(scenario.landmarks), chance_of(scenario, n)
    said: list[str] = []
    on_average = sentence(
        "on average {mean_protected} of {n} timestamps are protected.",
        mean_protected=amount(k + (n - k) * chance),
        n=whole(n),
    )
    if scenario.hide_joining == "stated":
        said.append(capital(on_average))
    else:
        proposed = amount(chance)
        said.append(sentence("The proposed chance is {chance}; {on_average}", chance=proposed, on_average=on_average))
        said.append(
            "It follows from the number of landmarks, so it reveals something about that number; a stated one does not."
        )
    if (alone := (1 - chance) ** (n - k)) >= _SELDOM and k < n:
        exposed = "With probability {no_dummy_chance} no dummy joins, and the landmarks are exposed."
        said.append(sentence(exposed, no_dummy_chance=percent(alone)))
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
    return sentence(
        "The dummies protect the fact that a timestamp is a landmark, with epsilon ln(1/p) = {one_sided_epsilon}. They do "
        "not protect the fact that it is not: a timestamp that is not protected is certainly not a landmark. Keep these "
        "dummies for these data and landmarks: another draw reveals more, and the seed of the dummies reveals everything.",
        one_sided_epsilon=amount(abs(math.log(chance))),
    )


def _drawn_again(outcome: Outcome) -> str:
    """What is left for an attacker who has seen every draw of dummies so far."""
    scenario, n = outcome.scenario, len(outcome)
    draws = scenario.hide_draw
    said = sentence("These dummies are draw {draw}, and the landmarks are in every draw.", draw=whole(draws))
    if not scenario.joins_at_random:
        return said
    grown = -draws * math.log(chance_of(scenario, n))
    return sentence(
        "{said} Anyone who has seen {all_draws} looks for them among {timestamps_left}, and the odds of each have grown by a "
        "factor of {grown_factor}.",
        said=said,
        all_draws=every(draws, "draws"),
        timestamps_left=count(len(seen_together(scenario, n)), "timestamp"),
        grown_factor=amount(math.exp(grown)) if grown < MILLION else "more than a million",
    )


def known(outcome: Outcome) -> str:
    """What the adversary is assumed to know about the landmarks."""
    if not hides(outcome):
        return "Which timestamps are landmarks is assumed to be public"
    said = "Which timestamps are protected is assumed to be public, but not which of them are landmarks"
    return said if outcome.scenario.joins_at_random else f"{said}, though anyone who knows the method may find that out"
