"""What someone who sees the release can learn about one moment: if moments are independent, which the page promises,
and what if somebody assumes a chain, which no release promises.

A chain's loss is about two of its cells, with the place within a cell drawn anew at every timestamp. It bounds nothing for
someone who stays at one place, so it is stated as a what-if, in the details only, and never about two places in one cell.
"""

from __future__ import annotations

import math

import numpy as np

from lmdk_widgets.answers.guarantee import SLACK, stretched
from lmdk_widgets.answers.largest_spent import caps, most_of_one
from lmdk_widgets.answers.pairs import has_pairs, lone, of_many, pairs_of
from lmdk_widgets.budgets.schemes.comparing import Comparing
from lmdk_widgets.cache import cached
from lmdk_widgets.composition import response_epsilon, rounded_up
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage import AnyStart, temporal_loss, temporal_loss_at_delta
from lmdk_widgets.page.amounts import MILLION, amount, bound, change, count, factor_is_told, metres, whole
from lmdk_widgets.page.sentences import Written, join, sentence
from lmdk_widgets.scenario.clock import clock
from lmdk_widgets.scenario.correlation import ESTIMATE_SMOOTHING, Correlation
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.outcome import Outcome

USUAL_START = "with its usual start"
"""A start at the long run of the chain, in words without mathematics."""

MOST_FOLLOWED = 300
"""Timestamps up to which the loss of a chain at a delta is computed: a bound for more takes seconds."""

MOST_DIFFERENT = 24
"""The most different budgets added up at a delta while a slider moves, as each takes a transform; more are rounded
up."""

STARTS = {"any": "with any start", "future": "whatever its start"}
"""The start of the chain by the adversary, where it is not the usual one."""


def assumes(outcome: Outcome, *, again: bool = False) -> str:
    """What the adversary of the losses assumes: the chain, and where it starts.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario, evaluate
    >>> from lmdk_widgets.trajectory import sample
    >>> assumes(evaluate(Scenario(adversary="past"), sample("bob")))
    'assumes a chain of five places (moderate, with its usual start) and reasons from the past'
    """
    adversary = outcome.scenario.adversary
    start = STARTS.get(adversary, USUAL_START)
    reasons = f" and reasons from the {adversary}" if adversary in ("past", "future") else ""
    if again:
        return f"assumes the same chain {start}{reasons}"
    chain, kind = _chain(outcome)
    return sentence(
        "assumes a chain of {chain} ({kind}, {start}){reasons}", chain=chain, kind=kind, start=start, reasons=reasons
    )


def _chain(outcome: Outcome) -> tuple[str, str]:
    """The states of the chain, and where it comes from."""
    scenario, matrix = outcome.scenario, outcome.correlation.matrix
    m, noun = 0 if matrix is None else len(matrix), outcome.kind.state
    if scenario.correlation == "estimated":
        states = outcome.kind.estimated(outcome.trajectory, m, scenario)
        return states, sentence(
            "estimated from this very {data} with smoothing {estimate_smoothing}",
            data=outcome.kind.data,
            estimate_smoothing=Written(f"{ESTIMATE_SMOOTHING:g}", ESTIMATE_SMOOTHING),
        )
    return sentence("{states}", states=count(m, noun)), {
        "matrix": "given as a matrix",
        "strength": sentence("strength s = {strength}", strength=strength_of(scenario)),
    }.get(scenario.correlation, scenario.correlation)


def strength_of(scenario: Scenario) -> Written:
    """The strength of a chain, as it is written."""
    return Written(f"{scenario.smoothing:.4g}", scenario.smoothing)


def as_if(outcome: Outcome) -> str:
    """How the loss of Cao et al. treats the pairs of a chain's states; "" where there is one pair, or no chain.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario, evaluate
    >>> from lmdk_widgets.trajectory import sample
    >>> as_if(evaluate(Scenario(), sample("bob"))), as_if(evaluate(Scenario(mechanism="randomised"), sample("bob")))
    ('if all places were within 200 m', 'by one number for all pairs')
    """
    return outcome.kind.one_number(outcome.scenario) if has_pairs(outcome) else ""


def what_if(outcome: Outcome) -> str:
    """The question that every loss of a chain answers.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario, evaluate
    >>> from lmdk_widgets.trajectory import sample
    >>> print(what_if(evaluate(Scenario(states=2), sample("bob"))))
    What if someone assumes a chain of two places (moderate, with its usual start), the place within a cell drawn anew at every timestamp?
    """  # noqa: E501
    return sentence("What if someone {assumes}?", assumes=join((assumes(outcome), outcome.kind.drawn_anew)))


def odds_sentence(outcome: Outcome) -> str:
    """By what factor the release changes the odds of the moments that it reveals most about, if moments are independent:
    the promise in the tile, whatever chain is chosen."""
    scenario, trajectory = outcome.scenario, outcome.trajectory
    who = "Anyone who sees this release and assumes that moments are independent"
    loss = moment_losses(outcome)
    top, n = float(loss.max()), len(loss)
    if top == 0:
        return f"{who} learns nothing from it about {outcome.kind.unknown}."
    alike = int((loss >= _said_alike(top)).sum())
    when: str = "at any one moment" if n > 1 else f"at the one moment of this {outcome.kind.data}"
    if alike == 1 < n:
        when = sentence("at {moment}", moment=clock(scenario, trajectory, int(np.argmax(loss))))
    elif alike < n:
        when = sentence("at each of {alike_moments} of the {n} moments", alike_moments=whole(alike), n=whole(n))
    odds = outcome.kind.odds(trajectory, when, _apart(outcome))
    inside = not math.isinf(top) and (top > MILLION or factor_is_told(top))
    largest = at_the_largest(outcome)
    return sentence(
        "{change}{others}{largest}.",
        change=change(who, odds, top, "," if inside else ""),
        others="" if alike == n else "; at every other moment by less",
        largest=largest and f", {largest}",
    )


def at_the_largest(outcome: Outcome) -> str:
    """That a loss is counted at the largest budget that the scheme can choose, where it chooses; "" elsewhere."""
    spread = outcome.scenario.spread
    return f"at the largest budget that {spread.title} can choose" if spread.online else ""


def _said_alike(top: float) -> float:
    """The smallest loss that is written like this one: moments whose numbers are written alike count as alike."""
    said = change("", "", top)
    if change("", "", 0.0) == said:
        return 0.0
    low, high = 0.0, min(top * (1 - SLACK), 2 * MILLION)
    if change("", "", high) != said:
        return high
    while high - low > SLACK * high:
        middle = (low + high) / 2
        low, high = (low, middle) if change("", "", middle) == said else (middle, high)
    return high


def moment_losses(outcome: Outcome) -> Floats:
    """(n,) what each timestamp reveals between two places `_apart` if moments are independent: its budget, or the largest
    that a scheme can choose, as often as that distance counts."""
    return _largest_budgets(outcome) * counts(outcome)


def chain_losses(outcome: Outcome) -> Floats:
    """(n,) the total loss of each timestamp to someone who assumes the chain, between places in two of its cells that are
    one radius apart, or as near to that as two cells have places; without two cells as `moment_losses`. Where a scheme
    chooses its budgets as it goes, the loss is that of the largest it can choose.

    Raises
    ------
    ValueError : while the loss pair by pair is being computed.
    """
    if not has_pairs(outcome):
        known, most = outcome.correlation, _largest_budgets(outcome)
        if known.matrix is None or not outcome.kind.counts_wrong:
            return moment_losses(outcome)
        return (
            temporal_loss(known.backward, known.forward, most).total
            if outcome.scenario.spread.online
            else outcome.total
        )
    pairs = pairs_of(outcome)
    if pairs is None:
        raise ValueError("the loss pair by pair is not computed yet")
    return pairs.near


def _largest_budgets(outcome: Outcome) -> Floats:
    """(n,) the budgets, or the largest that a scheme can choose if it chooses them as it goes."""
    spent = outcome.budgets
    return np.full(len(spent), most_of_one(outcome)) if outcome.scenario.spread.online else spent


def most_told(outcome: Outcome) -> float:
    """The largest of `chain_losses`, as it is computed for each of many settings: by one number for all where pairs take
    too long."""
    return float((of_many(outcome).near if has_pairs(outcome) else chain_losses(outcome)).max())


def counts(outcome: Outcome) -> float:
    """How many times the budget of a timestamp counts between two places `_apart`."""
    scenario = outcome.scenario
    cells = outcome.reports is not None and scenario.mechanism != "randomised"
    return stretched(outcome) * (scenario.place_m / scenario.radius_m if cells else 1.0)


def epsilon_at_delta(outcome: Outcome, budgets: Floats) -> float:
    """What timestamps of an outcome with these budgets reveal together at its delta, by the loss of its mechanism.

    More than `MOST_DIFFERENT` different budgets are rounded up to that many.
    """
    of = outcome.ground.together if outcome.reports is None else response_epsilon
    return float(of(rounded_up(budgets * counts(outcome), MOST_DIFFERENT), outcome.scenario.delta))


def all_at_delta(outcome: Outcome) -> float:
    """What all timestamps of an outcome reveal together at its delta, in any draw.

    Notes
    -----
    A scheme that chooses as it goes is added up at the most that it can spend, whatever it chooses: parts that are each
    dominated by a fixed pair of distributions, whatever came before, are together dominated by the product of these pairs
    (Zhu, Dong, Wang, "Optimal accounting of differential privacy via characteristic function", AISTATS 2022). Adaptive:
    each timestamp at its `caps`, as more noise can be made from less (`composition.losses`). With a window: its
    publications spend at most c together on every path, so they are one c-private mechanism, which can be simulated from
    one answer of randomised response with c (Kairouz, Oh, Viswanath, "The composition theorem for differential privacy",
    ICML 2015); each test is one such answer with its own budget. Windows that do not overlap cover all timestamps.
    """
    scenario, spread, n = outcome.scenario, outcome.scenario.spread, len(outcome)
    if not spread.online:
        return epsilon_at_delta(outcome, outcome.budgets)
    if not isinstance(spread, Comparing):
        return epsilon_at_delta(outcome, caps(outcome))
    windows = np.full(-(-n // scenario.window), spread.published(scenario.epsilon, scenario.window))
    tests = np.full(n, spread.compared(scenario.epsilon, scenario.window))
    return float(response_epsilon(np.concatenate([windows, tests]) * counts(outcome), scenario.delta))


def _apart(outcome: Outcome) -> str:
    if outcome.scenario.mechanism == "randomised":
        return "any two cells, however far apart"
    if outcome.reports is None:
        return sentence("two places {radius} apart", radius=metres(outcome.scenario.radius_m))
    return sentence("two neighbouring cells of {cell_side}", cell_side=metres(outcome.scenario.place_m))


def chain_at_delta(outcome: Outcome) -> tuple[float, float] | None:
    """The largest total loss of a timestamp at the scenario's delta, an upper bound, and the largest without a delta.

    None where no bound of this kind is known: without a chain or with any start of it, for a mechanism that tells near places
    apart less than distant ones, for budgets that depend on the release, for more than `MOST_FOLLOWED`, and while the loss
    pair by pair is being computed.
    """
    scenario, known = outcome.scenario, outcome.correlation
    alike = outcome.kind.counts_wrong or scenario.mechanism == "randomised"
    if known.matrix is None or lone(outcome) or isinstance(known.backward, AnyStart) or not alike:
        return None
    if scenario.spread.online or not 1 < len(outcome) <= MOST_FOLLOWED or not outcome.budgets.any():
        return None
    pairs = pairs_of(outcome) if has_pairs(outcome) else None
    if has_pairs(outcome) and pairs is None:
        return None
    without = float(outcome.total.max() if pairs is None else pairs.total.max())
    return _largest(known, tuple(outcome.budgets.tolist()), scenario.delta), without


@cached("visitor", entries=16, what="the loss of a chain at a delta")
def _largest(known: Correlation, budgets: tuple[float, ...], delta: float) -> float:
    return float(temporal_loss_at_delta(known.backward, known.forward, budgets, delta).total.max())


def chain_at_delta_sentence(outcome: Outcome) -> str:
    """The two, where the one at a delta is noticeably smaller; "" elsewhere."""
    found = chain_at_delta(outcome)
    if found is None or not found[0] < found[1] or bound(found[0]) == bound(found[1]):
        return ""
    return sentence(
        "If someone assumes the chain, the largest loss at δ = {delta} is at most {chain_at_delta}; without δ it is at most "
        "{chain_without_delta}. Both are upper bounds for this chain, and for no other.",
        delta=amount(outcome.scenario.delta),
        chain_at_delta=bound(found[0]),
        chain_without_delta=bound(found[1]),
    )
