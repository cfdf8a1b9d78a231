"""What averaging finds of a series and what is promised of it, recomputed one value at a time, and held against the page."""

from __future__ import annotations

import math
from statistics import NormalDist, median

import numpy as np

from lmdk_widgets.answers.exposure import attacker_sentences, first_answers
from lmdk_widgets.budgets import release
from lmdk_widgets.noise import Laplace, RandomizedResponse
from lmdk_widgets.page.amounts import amount
from lmdk_widgets.scenario.outcome import Outcome
from tests.every_number.claims import SMALL
from tests.every_number.spent_truth import ONLINE


def owns_of(outcome: Outcome, low: float, high: float) -> list[list[float]]:
    """What each timestamp spent on its own report, in this draw or, where budgets depend on releases, in twenty."""
    s, series = outcome.scenario, outcome.series
    assert series is not None
    if s.scheme not in ONLINE:
        return [[b if p else 0.0 for b, p in zip(outcome.budgets.tolist(), outcome.published, strict=True)]]
    rng = np.random.default_rng(s.seed)
    values = series.values if series.is_answers else np.clip(series.values, low, high)
    noise = RandomizedResponse() if series.is_answers else Laplace(high - low)
    how = {"rng": rng, "increase": s.increase, "decrease": s.decrease}
    drawn = [release(values, s.scheme, s.landmarks, s.epsilon, noise, **how) for _ in range(20)]
    return [[b if p else 0.0 for b, p in zip(each.budgets.tolist(), each.published, strict=True)] for each in drawn]


def alike(outcome: Outcome, low: float, high: float) -> list[int]:
    """The timestamps that had the commonest answer, or lie in the window of the level's width that holds most of them."""
    series, width = outcome.series, outcome.scenario.level_width
    assert series is not None
    values = series.values.tolist()
    if series.is_answers:
        most = float(2 * sum(values) >= len(values))
        return [i for i, v in enumerate(values) if v == most]
    values = [min(max(v, low), high) for v in values]
    inside = {a: [i for i, v in enumerate(values) if a <= v <= a + width] for a in sorted(set(values))}
    return max(inside.values(), key=len)  # the lowest of ties


def votes(own: list[float], members: list[int]) -> float:
    """How often the weighted vote is right, by the normal distribution with its mean and its variance."""
    spent = [own[i] for i in members if own[i] > 0]
    right = [1 / (1 + math.exp(-b)) for b in spent]
    spread = math.sqrt(math.fsum(4 * b * b * p * (1 - p) for b, p in zip(spent, right, strict=True)))
    mean = math.fsum(b * (2 * p - 1) for b, p in zip(spent, right, strict=True))
    return NormalDist().cdf(mean / spread) if spread else 1.0 if spent else 0.5


def hold_found(outcome: Outcome, low: float, high: float) -> None:
    """Holds both tiles and the sentences of the attacker against their recomputation."""
    s, series = outcome.scenario, outcome.series
    assert series is not None
    unit = f" {series.unit}" if series.unit else ""
    members, owns = alike(outcome, low, high), owns_of(outcome, low, high)
    reports = int(median(sum(own[i] > 0 for i in members) for own in owns))
    together = median(math.sqrt(math.fsum(own[i] ** 2 for i in members)) for own in owns)
    within = 0.6744897501960817 * (high - low) / together if together else math.inf
    found, promised = first_answers(outcome)
    details, promise = attacker_sentences(outcome)
    drawn = " (median of 20 draws)" if s.scheme in ONLINE else ""
    many = f"{reports:,}" if reports > 12 else SMALL[reports]
    if reports < 5:
        assert (found.value, found.look, details) == ("not found", "grey", "")
    elif series.is_answers:
        right = median(votes(own, members) for own in owns)
        assert found.value == ("over 99 of 100" if right > 0.99 else f"{100 * right:.0f} of 100")
        assert (
            found.line == f"guesses of the answer of {many} measured moments together are right{drawn}; 50 is chance."
        )
        assert found.look == ("red" if right >= 0.72 else "amber" if right >= 0.55 else "grey")
    elif within > (high - low) / 2:
        assert (found.value, found.look) == ("not found", "grey") and "does not find the level" in details
    else:
        least = s.level_width / 2
        written = f"{amount(within)}{unit}" if within >= least else f"{amount(least)}{unit} or less"
        assert found.value == written
        assert (
            found.line
            == f"Together, the reports of {many} measured moments find their level to within this in half of all releases"
            f"{drawn}."
        )
        assert found.look == ("red" if within <= s.level_width else "amber" if within <= 5 * s.level_width else "grey")
        nine = max(1.6448536269514722 * (high - low) / together, least)
        assert f"In about nine of ten releases it is {'about ' * (nine > least)}{amount(nine)}{unit}" in details
    _hold_promise(outcome, promised.value, promised.line, promise)


def _hold_promise(outcome: Outcome, value: str, line: str, sentence: str) -> None:
    s, n, online = outcome.scenario, len(outcome), outcome.scenario.scheme in ONLINE
    k = len(s.landmarks)
    spent = outcome.budgets.tolist()
    marked = math.fsum(spent[i] for i in s.landmarks)
    others = [spent[i] for i in range(n) if i not in s.landmarks]
    losses = [max(spent), marked + max(others, default=0.0), math.fsum(spent)]
    if online:  # Adaptive
        later = [sum(j >= i for j in s.landmarks) for i in range(n)]
        caps = [s.epsilon / (left + (k < n)) for left in later]
        marks = min(math.fsum(caps[i] for i in s.landmarks), s.epsilon)
        losses = [s.epsilon, s.epsilon, marks + math.fsum(caps[i] for i in range(n) if i not in s.landmarks)]
    chances = [1 / (1 + math.exp(-min(loss, 700))) for loss in losses]
    of_100 = [math.ceil(100 * chance - 1e-7) for chance in chances]
    assert value == (f"{of_100[0]} of 100" if chances[0] < 0.99 else "no promise")
    both = of_100[1] if chances[1] < 0.99 else "no promise"
    assert (f"; {both} about the " in line) == (k > 0)
    for chance, said, what in zip(chances, of_100, ("one moment", "together", "all moments"), strict=True):
        if (what == "together" and not k) or (what == "all moments" and n == 1):
            continue
        assert (f"{said} for" in sentence and what in sentence) or chance >= 0.99, sentence
    assert ("nothing for" in sentence or "nothing is promised for" in sentence) == any(
        chance >= 0.99 for chance, there in zip(chances, (True, k > 0, n > 1), strict=True) if there
    )
