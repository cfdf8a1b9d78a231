"""What the other sources found, checked with the package's own functions; the sentences are computed from the numbers.

The running example of the landmark paper and its dummies (M. Katsomallos' thesis), composition of Pufferfish privacy (Song,
Chaudhuri, Allerton 2017), and the basics of the thesis: anonymity of tables, levels of privacy, temporal correlation.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np

from lmdk_widgets.anonymity import classes, example_table, generalise, k_anonymity, suppress
from lmdk_widgets.budgets import allocate, landmark_totals
from lmdk_widgets.checks import joined
from lmdk_widgets.leakage import landmark_loss, temporal_loss
from lmdk_widgets.leakage.markov import NAMED_SMOOTHING, smoothed_identity
from lmdk_widgets.page.amounts import amount, percent
from lmdk_widgets.pufferfish import MarkovChain, compose_same_quilts, compose_sequential, counterexample, quilt_scale

if __package__:
    from docs.criteria import Criterion, Finding, none_of
else:  # in the notebook, which runs in this folder
    from criteria import Criterion, Finding, none_of

if TYPE_CHECKING:
    from pandas import DataFrame

BOB = (0, 2, 4, 7)
"""His landmarks, of eight timestamps."""

LEAST = 5
"""The fewest people that a class of the table has: smaller classes are dropped, so that it is 5-anonymous."""

STATES, LONG = 5, 100
"""Number of states of the named chains, and of timestamps in a long series."""

DUMMY_GRID = {
    "scheme": "uniform",
    "correlation": "none",
    "share": [0.25, 0.5, 0.75],
    "layout": "uniform",
    "hide": [False, True],
    "hide_method": ["random", "greedy", "optimal", "histogram"],
    "hide_epsilon": [0.1, 1, 10],
    "hide_most": 4,
}
DUMMY_MEASURES = ("mean_error_m", "protected", "landmarks", "landmark_chance")
"""A study of dummies on Bob's eight timestamps, few enough to compute exactly what they hide."""

_ROUND = 1e-6


def _equals(stated: str, value: float, exact: float) -> Criterion:
    """A value that must be this one, but for rounding."""
    return Criterion(f"{stated}: difference from {exact:g}", abs(value - exact), "≤", _ROUND)


def landmark_findings() -> list[Finding]:
    """Bob's budgets, and that it matters only under correlation where the landmarks are."""
    uniform, user = (allocate(name, 8, BOB, 1.0) for name in ("uniform", "user"))
    marked, top = float(uniform[list(BOB)].sum()), float(landmark_totals(user, BOB).max())
    any_other = float(landmark_totals(uniform, BOB).max())
    finding = Finding(
        "Bob's four landmarks spend 4/5 of the budget and any other timestamp 1/5; user level gives these five only 5/8.",
        (
            _equals("sum over the landmarks", marked, 0.8),
            _equals("with any other timestamp", any_other, 1),
            _equals("at user level", top, 0.625),
        ),
        f"Each timestamp spends {amount(float(uniform[0]))} instead of {amount(float(user[0]))}: the landmarks spend "
        f"{amount(marked)}, and {amount(any_other)} with any other timestamp, against {amount(top)} at user level.",
    )
    sets = list(combinations(range(8), 4))
    sums = {round(float(landmark_totals(allocate("uniform", 8, each, 1.0), each).max()), 9) for each in sets}
    matrix = smoothed_identity(STATES, NAMED_SMOOTHING["moderate"])
    lost = [float(landmark_loss(matrix, matrix, allocate("uniform", 8, each, 1.0), each).max()) for each in sets]
    place = Finding(
        "For the budgets only the number of landmarks matters; under correlation, it also matters where they are.",
        (
            Criterion("different sums in all sets", len(sums), "≤", 1),
            Criterion("largest loss over smallest", max(lost) / min(lost), ">", 1 + _ROUND),
        ),
        f"In all {len(sets)} sets of four of eight timestamps, they spend {amount(max(sums))} with any other; under moderate "
        f"correlation they lose between {amount(min(lost))} and {amount(max(lost))} together, by the paper's "
        "count, which is not a bound.",
    )
    return [finding, place]


def dummy_findings(frame: DataFrame) -> list[Finding]:
    """What dummies cost, and what they hide.

    Parameters
    ----------
    frame : results of a study of Uniform that varies `hide`, `hide_method` and `share`, with the measures `mean_error_m`,
        `protected`, `landmarks` and `landmark_chance`.
    """
    some = frame[(frame.share > 0) & (frame.landmarks > 0)]
    error = some.groupby(["share", "hide"]).mean_error_m.mean().unstack("hide")
    times = (error[True] / error[False]).sort_index()
    said = [f"{amount(float(value))} times as large at {percent(float(share))}" for share, value in times.items()]
    fewer = Finding(
        "Dummies cost accuracy, most of all when there are few landmarks.",
        (
            Criterion("least factor of the error", float(times.min()), ">", 1),
            none_of("shares at which it is larger than at the share before", int((times.diff() > 0).sum())),
        ),
        f"With dummies, Uniform's error is {joined(said, 'and')} landmarks.",
    )
    hidden = some[some.hide & (some.protected > some.landmarks)]
    chances = hidden.groupby("hide_method", observed=True).landmark_chance.mean()
    blind = (hidden.landmarks / hidden.protected).groupby(hidden.hide_method, observed=True).mean()
    parts = [
        f"{percent(float(chances[name]))} by “{name}” (at random among the protected {percent(float(blind[name]))})"
        for name in chances.index
    ]
    hides = Finding(
        "Chosen dummies hide which timestamps are landmarks.",
        (Criterion("largest excess over a guess among the protected", float((chances - blind).max()), "<", 0.05),),
        f"If there are dummies, someone who knows the method and the number of landmarks finds a landmark with a mean chance "
        f"of {joined(parts, 'and')}: dummies that are computed from the landmarks without randomness give them away.",
    )
    return [fewer, hides]


def quilt_findings() -> list[Finding]:
    """How releases of Pufferfish mechanisms compose."""
    example = counterexample()
    both, added = float(example.epsilon_both), float(example.epsilon_alice + example.epsilon_bob)
    spent = (0.5, 1.0)
    found = _two_releases(spent)
    return [
        Finding(
            "Pufferfish mechanisms in general do not compose linearly.",
            (Criterion("loss of both releases", both, ">", added),),
            f"Two sums that reveal {amount(float(example.epsilon_alice))} and {amount(float(example.epsilon_bob))} about a "
            f"state reveal {amount(both)} together, more than {amount(added)}.",
        ),
        Finding(
            "Releases of the Markov quilt mechanism compose linearly, whatever quilts they use.",
            (Criterion("loss of both releases", found, "≤", compose_sequential(spent) * (1 + _ROUND)),),
            f"Two sums over five timestamps, at ε = {spent[0]:g} and {spent[1]:g}, reveal at most {amount(found)} about a "
            f"state; the epsilons add up to {amount(compose_sequential(spent))}, and the older theorem says "
            f"{amount(compose_same_quilts(spent))}.",
        ),
    ]


def _two_releases(spent: tuple[float, float], length: int = 5) -> float:
    """The most that two noisy sums reveal about a state of a binary chain, over outputs on a grid."""
    chain = MarkovChain([0.5, 0.5], [[0.8, 0.2], [0.3, 0.7]])
    states = np.array(list(product((0, 1), repeat=length)))
    moves = np.asarray(chain.transition)
    chances = np.asarray(chain.initial)[states[:, 0]] * moves[states[:, :-1], states[:, 1:]].prod(axis=1)
    outputs = np.arange(-8, 8 + 2 * length) / 2
    scales = [quilt_scale(chain, length, epsilon).scale for epsilon in spent]
    one, two = (np.exp(-np.abs(outputs[:, None] - states.sum(axis=1)) / scale) for scale in scales)
    most = 0.0
    for node, (a, b) in product(range(length), ((0, 1), (1, 0))):
        given = [chances * (states[:, node] == state) for state in (a, b)]
        seen = [(one * each) @ two.T / each.sum() for each in given]
        most = max(most, float(np.log(seen[0] / seen[1]).max()))
    return most


def basic_findings() -> list[Finding]:
    """Tables and time, as in the thesis's chapter on the basics."""
    return [_classes(), *_time()]


def _classes() -> Finding:
    """Classes with a single sensitive value in a k-anonymous table."""
    table, names = example_table("adults"), ["age", "sex", "education"]
    banded = generalise(table, "age", bands=10)
    kept = suppress(banded, names, LEAST)
    table, found = kept.table, classes(kept.table, names)
    k = k_anonymity(table, names)
    hits = [len(group) for _, group in table.groupby(names, observed=True) if group.income.nunique() == 1]
    return Finding(
        "k-anonymity does not hide a sensitive value: homogeneous classes give it away.",
        (
            Criterion("least people in a class", k, "≥", LEAST),
            Criterion("classes with one income", len(hits), "≥", 1),
        ),
        f"Of {len(banded):,} made-up adults, {kept.lost:,} are dropped first, as their classes have fewer than {LEAST} "
        f"people. Of the {len(found):,} classes left, {len(hits):,} have only one income; the largest of these has "
        f"{max(hits, default=0)} people.",
    )


def _time() -> list[Finding]:
    """The loss at event level in a long series, with and without correlation."""
    epsilon, told = 0.1, {}
    for name, smoothing in NAMED_SMOOTHING.items():
        matrix = smoothed_identity(STATES, smoothing)
        told[name] = float(temporal_loss(matrix, matrix, [epsilon] * LONG).total.max())
    still = float(temporal_loss(np.eye(STATES), np.eye(STATES), [epsilon] * LONG).total.max())
    rising = list(told.values())
    parts = [f"{amount(value)} under the {name} chain" for name, value in told.items()]
    return [
        Finding(
            "Correlation over time makes a timestamp's loss larger than its budget, and more so the stronger it is.",
            (
                Criterion("least loss of a timestamp", min(rising), ">", epsilon),
                Criterion("least growth from one chain to the next", float(np.diff(rising).min()), ">", 0),
            ),
            f"With {amount(epsilon)} at each of {LONG} timestamps, a timestamp loses at most {joined(parts, 'and')}.",
        ),
        Finding(
            "If nothing ever changes, event level is no better than the sum of all budgets, as at user level.",
            (_equals("loss of a timestamp", still, epsilon * LONG),),
            f"Under a chain that never moves, a timestamp loses {amount(still)}, {LONG} times {amount(epsilon)}.",
        ),
    ]


ALL: dict[str, Callable[[], list[Finding]]] = {
    "track": landmark_findings,
    "series": quilt_findings,
    "basics": basic_findings,
}
