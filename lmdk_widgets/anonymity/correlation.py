"""Data correlation: two people answer by randomised response with a budget each, and one answer reveals something of
both.

Differential privacy bounds what an answer reveals about the person who gave it. If two secrets depend on each other,
both answers reveal something about each, and neither person's budget bounds the total.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.anonymity.coding import checked_column, checked_table, coded
from lmdk_widgets.anonymity.facts import CORRELATION, Attack
from lmdk_widgets.checks import channel_matrix, not_negative, numbers, refused, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Correlation:
    """What two answers reveal about one secret.

    Attributes
    ----------
    prior, after_own, after_both : (m,) probabilities of the secret's values: before any answer, given the person's own
        answer, and given both answers.
    learned_own, learned_both : the largest |log ratio| of the probabilities of these answers under two values of the
        secret.
    most_own, most_both : the same for the most revealing answers. `most_own` is at most the person's budget.
    """

    prior: Floats
    after_own: Floats
    after_both: Floats
    learned_own: float
    learned_both: float
    most_own: float
    most_both: float


def data_correlation(
    joint: ArrayLike, own_channel: ArrayLike, other_channel: ArrayLike, own_answer: int, other_answer: int
) -> Correlation:
    """An attacker's belief about a secret after the person's own answer, and after the answer of a correlated person
    too.

    Parameters
    ----------
    joint : (m, r) probabilities that the person's secret is i and the other's j, summing to 1: what the attacker knows.
    own_channel : (m, a) probability of each answer for each value of the person's secret.
    other_channel : (r, b) the same for the other person.
    own_answer, other_answer : the answers given, as columns of the channels, from 0.

    Returns
    -------
    Correlation : the probabilities, and what was learned as log ratios.

    Raises
    ------
    InputError : probabilities that do not sum to 1, channels whose sizes do not match, answers that are not in the
        channels or cannot occur together.

    Notes
    -----
    Bayes' rule, with answers that are independent given both secrets. Papers: Kifer, Machanavajjhala, "No free lunch in
    data privacy", SIGMOD 2011; Zhao, Zhang, Poor, "Dependent differential privacy for correlated data", Globecom
    Workshops 2017.

    Examples
    --------
    >>> coins = [[0.75, 0.25], [0.25, 0.75]]  # at work or not; at home or not; 0 is Yes
    >>> found = data_correlation([[0.45, 0.05], [0.1, 0.4]], coins, coins, 0, 0)
    >>> found.after_own.round(6).tolist(), found.after_both.round(6).tolist()
    ([0.75, 0.25], [0.857143, 0.142857])
    >>> [round(float(np.exp(x)), 6) for x in (found.learned_own, found.learned_both, found.most_own, found.most_both)]
    [3.0, 6.0, 3.0, 6.5]
    """
    together = not_negative(numbers(joint, "joint"), "joint")
    if together.ndim != 2 or 0 in together.shape or abs(together.sum() - 1) > 1e-6:
        raise refused("joint", "a matrix of probabilities that sum to 1", _shown(together))
    own, other = channel_matrix(own_channel, "own_channel"), channel_matrix(other_channel, "other_channel")
    for name, channel, rows in (("own_channel", own, len(together)), ("other_channel", other, together.shape[1])):
        if len(channel) != rows:
            raise refused(name, f"a channel with {rows:,} rows, one for each value in joint", f"{len(channel):,} rows")
    a = whole(own_answer, "own_answer", least=0, most=own.shape[1] - 1)
    b = whole(other_answer, "other_answer", least=0, most=other.shape[1] - 1)
    prior = together.sum(axis=1)
    real = prior > 0
    seen_by = np.divide(together, prior[:, None], where=real[:, None], out=np.zeros_like(together)) @ other
    after_own, after_both = prior * own[:, a], prior * own[:, a] * seen_by[:, b]
    if not after_both.sum() > 0:
        raise InputError("the answers must be possible", value="two that cannot occur together")
    both = (own[:, :, None] * seen_by[:, None, :])[real]
    return Correlation(
        prior / prior.sum(),
        after_own / after_own.sum(),
        after_both / after_both.sum(),
        _largest(own[real][:, a]),
        _largest(both[:, a, b]),
        max(_largest(column) for column in own[real].T),
        max(_largest(column) for column in both.reshape(len(both), -1).T),
    )


def joint_shares(table: pd.DataFrame, own: Hashable, other: Hashable) -> tuple[list[Any], list[Any], Floats]:
    """The values of two columns and the share of rows with each pair, (m, r): the joint distribution in a table.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"donald": ["work", "work", "out", "out"], "dewey": ["home", "home", "home", "out"]})
    >>> joint_shares(table, "donald", "dewey")
    (['work', 'out'], ['home', 'out'], array([[0.5 , 0.  ],
           [0.25, 0.25]]))
    """
    frame = checked_table(table)
    one, two = (coded(frame, checked_column(frame, name, what)) for name, what in ((own, "own"), (other, "other")))
    counts = np.bincount(one.code * two.count + two.code, minlength=one.count * two.count)
    shares = counts.reshape(one.count, two.count) / len(frame)
    rows, columns = np.flatnonzero(shares.any(axis=1)), np.flatnonzero(shares.any(axis=0))
    first, second = [*list(one.values), None], [*list(two.values), None]
    return [first[i] for i in rows], [second[j] for j in columns], shares[np.ix_(rows, columns)]


def _largest(chances: Floats) -> float:
    """The largest |log ratio| between probabilities of one answer; 0 for an answer that never occurs."""
    if not chances.max() > 0:
        return 0.0
    return float(np.log(chances.max()) - np.log(chances.min())) if chances.min() > 0 else np.inf


def _shown(array: Floats) -> str:
    return f"shape {array.shape}" if array.ndim != 2 or 0 in array.shape else f"a sum of {array.sum():.12g}"


ATTACKS = (
    Attack(
        "data correlation",
        CORRELATION,
        "How the secrets of two people depend on each other, and the private answers of both.",
        "Each answer says something about the other person; together they reveal more than either budget bounds.",
        "A budget that counts correlated answers together, as Pufferfish privacy does.",
        "attribute",
        "Kifer, Machanavajjhala, SIGMOD 2011",
        data_correlation,
    ),
)
