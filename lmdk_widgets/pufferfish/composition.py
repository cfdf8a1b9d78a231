"""The joint guarantee of several releases from one series."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.cache import cached
from lmdk_widgets.checks import number, positive, positives, refused, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.pufferfish.approximate import checked_constants, mixing_constants, mixing_sides
from lmdk_widgets.pufferfish.chain import MarkovChain, chains_of
from lmdk_widgets.pufferfish.influence import contrast, log_of, max_influence
from lmdk_widgets.pufferfish.search import best_alike

_ALL_NODES_UP_TO = 40


def compose_sequential(epsilons: Sequence[float]) -> float:
    """sum_k epsilon_k: releases of the Markov quilt mechanism from the same series, whichever quilts they used.

    Parameters
    ----------
    epsilons : of each release, above 0; all computed for the same length and the same Theta.

    Returns
    -------
    The epsilon of all of them together.

    Notes
    -----
    Only for the quilt mechanism (both versions): it is false for Pufferfish mechanisms in general, see
    `counterexample`. Derivation: at node i, let N be the smallest nearby set of the releases' active quilts, say that
    of release j, and Q its quilt. Given X_Q, everything beyond Q does not depend on X_i, and the states in N change F_k by
    at most |N| L_k. So another value of X_i changes the log density of all outputs by at most
    e(X_Q | X_i) + sum_k |N| / sigma_k. For k = j, e + |N| / sigma_j <= epsilon_j, by the choice of sigma_j; for the others,
    |N| <= |N_k|, so |N| / sigma_k <= |N_k| / sigma_k <= epsilon_k - e_k <= epsilon_k. Song, Chaudhuri 2017, Theorem III.7.

    Examples
    --------
    >>> compose_sequential([0.5, 1.0, 0.25])
    1.75
    """
    return float(_epsilons(epsilons).sum())


def compose_same_quilts(epsilons: Sequence[float]) -> float:
    """K max_k epsilon_k: the older theorem, for K releases with the same active quilts at every node.

    Never smaller than `compose_sequential`, with stronger assumptions. Song, Wang, Chaudhuri, SIGMOD 2017, Theorem 4.4
    (Theorem II.6 of Song, Chaudhuri 2017).

    Examples
    --------
    >>> compose_same_quilts([0.5, 1.0, 0.25])
    3.0
    """
    found = _epsilons(epsilons)
    return float(len(found) * found.max())


def compose_parallel(
    epsilon_a: float, epsilon_b: float, chain: Any, end_of_a: int, start_of_b: int, *, between: bool = False
) -> float:
    """max(eps_A + min(eps_B, e(X_s | X_t)), eps_B + min(eps_A, e(X_t | X_s))), t the end of A and s the start of B.

    Parameters
    ----------
    epsilon_a, epsilon_b : of a release from segment A and one from segment B, by any mechanisms that are
        Pufferfish private for the states of their own segment under the same Theta.
    chain : a MarkovChain, or a sequence of them (Theta; the result is then the worst).
    end_of_a, start_of_b : timestamps t < s, counted from 0.
    between : also treat the states between the segments as secrets, which the theorem does not.

    Returns
    -------
    The epsilon of both releases together, from max(eps_A, eps_B) (far apart) to eps_A + eps_B (adjacent).

    Raises
    ------
    InputError : segments in the wrong order, an epsilon not above 0.

    Notes
    -----
    Derivation. Let the secret be X_i = x, i in A, and w = (w_A, w_B) the releases. Then
    P(w | x) = P(w_A | x) P(w_B | w_A, x), and the first factor changes with x by at most e^eps_A. For the second,
    X_t separates B from A, so P(w_B | w_A, x) = sum_u P(w_B | X_t = u) P(X_t = u | w_A, x): a mean of numbers
    f(u) = P(w_B | X_t = u) over the states u that are possible at t. Two means of the same numbers differ by a factor of at
    most max f / min f. As f(u) = sum_v P(w_B | X_s = v) P(X_s = v | X_t = u) is in turn a mean over v,
    (1) the ratio of two f(u) is at most max_v P(v | u) / P(v | u') <= exp e(X_s | X_t), and
    (2) it is at most max over v, v' of P(w_B | X_s = v) / P(w_B | X_s = v') <= e^eps_B, because X_s belongs to B.
    This gives eps_A + min(eps_B, e(X_s | X_t)). For a secret in B the same applies with A and B exchanged and the past seen
    from X_s: e(X_t | X_s), in which the distribution of X_t matters. The minimum is inside each term of the maximum,
    and each influence is conditioned on the segment that contains the secret: exchanging the two does not give a bound.
    For a secret between the segments (i between t and s), the two releases are independent given X_i, each a mean as
    above: min(eps_A, e(X_t | X_i)) + min(eps_B, e(X_s | X_i)), which may exceed the theorem's value. A secret before A
    or after B adds nothing. Song, Chaudhuri 2017, Theorem III.1.

    Examples
    --------
    >>> chain = MarkovChain([0.8, 0.2], [[0.9, 0.1], [0.4, 0.6]])
    >>> [round(compose_parallel(1, 0.5, chain, 9, start), 4) for start in (10, 12, 16, 30)]
    [1.5, 1.5, 1.0386, 1.0]
    """
    one, two = positive(epsilon_a, "epsilon_a"), positive(epsilon_b, "epsilon_b")
    t, s = whole(end_of_a, "end_of_a", least=0), whole(start_of_b, "start_of_b", least=0)
    if s <= t:
        raise refused("start_of_b", f"after the end of A, timestamp {t:,}", s)
    return max(_parallel(one, two, theta, t, s, between) for theta in chains_of(chain))


def _parallel(one: float, two: float, chain: MarkovChain, t: int, s: int, between: bool) -> float:
    length = s + 1
    ahead = max_influence(chain, length, t, None, s)
    back = max_influence(chain, length, s, t, None)
    worst = max(one + min(two, ahead), two + min(one, back))
    for i in range(t + 1, s) if between else ():
        past, future = max_influence(chain, length, i, t, None), max_influence(chain, length, i, None, s)
        worst = max(worst, min(one, past) + min(two, future))
    return worst


@dataclass(frozen=True)
class FarApart:
    """Whether the theorem applies, and its result.

    Attributes
    ----------
    epsilon : max(eps_A, eps_B) if both conditions hold, otherwise None: use `compose_parallel`.
    reach_a, reach_b : (a, b) of the quilt borrowed in each segment, None if there is no two-sided one.
    gap : moves from the end of A to the start of B.
    """

    epsilon: float | None
    reach_a: tuple[int, int] | None
    reach_b: tuple[int, int] | None
    gap: int


def compose_far_apart(
    epsilon_a: float,
    epsilon_b: float,
    segment_a: tuple[int, int],
    segment_b: tuple[int, int],
    chains: Any = None,
    *,
    minimum_probability: float | None = None,
    gap: float | None = None,
) -> FarApart:
    """max(eps_A, eps_B) for two releases by MQMApprox, if A and B are far enough apart.

    Parameters
    ----------
    epsilon_a, epsilon_b : of each release; each is from its own segment, with the same pi_min and g.
    segment_a, segment_b : (first, last) timestamps, A before B.
    chains : Theta; or `minimum_probability` and `gap` instead, as for `approximate_quilt_scale`.

    Returns
    -------
    FarApart

    Raises
    ------
    InputError : segments that overlap or are in the wrong order, numbers out of range.

    Notes
    -----
    Conditions: (1) some node in A and some node in B have a two-sided active quilt, (a, b) and (a', b');
    (2) the gap between the segments is at least b, and at least a'. The paper requires a gap as long as the segments,
    which implies (2), as a quilt is within its segment. Why this is enough: the bound on the influence depends only on the
    distances, so any node i in A can borrow (a, b) without more noise; its right end i + b is then at most
    the start of B, so given the quilt, B reveals nothing about X_i. B's release is therefore already covered by the quilt's
    influence; the same holds backwards for B. With the exact mechanism, the borrowed quilt could have a larger
    influence if the chain is not stationary. Song, Chaudhuri 2017, Theorem III.3.

    Examples
    --------
    >>> near, far = [compose_far_apart(1, 0.5, (0, 199), (start, start + 299), minimum_probability=0.2, gap=1.0)
    ...              for start in (205, 300)]
    >>> near.epsilon, near.gap, near.reach_a[1], far.epsilon  # a gap of 6 is less than that quilt's reach toward B
    (None, 6, 10, 1.0)
    """
    one, two = positive(epsilon_a, "epsilon_a"), positive(epsilon_b, "epsilon_b")
    (first_a, last_a), (first_b, last_b) = _segment(segment_a, "segment_a"), _segment(segment_b, "segment_b")
    if first_b <= last_a:
        raise InputError(f"segment_b must start after the end of A, timestamp {last_a:,}", value=first_b)
    if chains is not None:
        minimum_probability, gap = mixing_constants(chains, reversible=None)
    rarest, rate = checked_constants(minimum_probability, gap)
    reach_a = _reach(one, last_a - first_a + 1, rarest, rate, 1)
    reach_b = _reach(two, last_b - first_b + 1, rarest, rate, 0)
    between = first_b - last_a
    holds = reach_a is not None and reach_b is not None and between >= max(reach_a[1], reach_b[0])
    return FarApart(max(one, two) if holds else None, reach_a, reach_b, between)


def compose_with_divergence(epsilon_a: float, epsilon_b: float, divergence: float) -> float:
    """eps_A + eps_B + 2 E: for any two mechanisms whose releases are nearly independent given each secret.

    Parameters
    ----------
    epsilon_a, epsilon_b : of each release, 0 or more.
    divergence : E >= 0, a bound on `joint_divergence` given each secret, in both directions.

    Notes
    -----
    P(a, b | x) / P(a, b | x') = [P(a, b | x) / P(a | x) P(b | x)] [P(a | x) P(b | x) / P(a | x') P(b | x')]
    [P(a | x') P(b | x') / P(a, b | x')]: the outer factors are at most e^E each, so E must bound both the divergence of the
    joint distribution from the product and that of the product from the joint. Song, Chaudhuri 2017, Theorem III.6.

    Examples
    --------
    >>> compose_with_divergence(1.0, 0.5, 0.1)
    1.7
    """
    one, two = positive(epsilon_a, "epsilon_a", zero=True), positive(epsilon_b, "epsilon_b", zero=True)
    return one + two + 2 * number(divergence, "divergence", 0)


def max_divergence(p: ArrayLike, q: ArrayLike) -> float:
    """D(p || q) = max over outcomes of log p / q; infinite if q is 0 where p is not. Song, Chaudhuri 2017, Definition III.5.

    Examples
    --------
    >>> round(max_divergence([0.5, 0.5], [0.25, 0.75]), 6)  # log 2
    0.693147
    """
    one, two = np.ravel(np.asarray(p, float)), np.ravel(np.asarray(q, float))
    if one.shape != two.shape:
        raise InputError("p and q must have the same shape", value=f"{one.shape} and {two.shape}")
    return float(contrast(log_of(np.stack((one, two))))[0, 1])


def joint_divergence(joint: ArrayLike) -> float:
    """E of one secret: the larger of the two max-divergences between P(a, b) and P(a) P(b).

    Parameters
    ----------
    joint : (outputs of A, outputs of B) probabilities given the secret.

    Examples
    --------
    >>> joint_divergence([[0.25, 0.25], [0.25, 0.25]])
    0.0
    """
    table: Floats = np.asarray(joint, float)
    product = np.outer(table.sum(axis=1), table.sum(axis=0))
    return max(max_divergence(table, product), max_divergence(product, table))


@cached("settings", entries=64)
def _reach(epsilon: float, length: int, rarest: float, gap: float, side: int) -> tuple[int, int] | None:
    """The segment's two-sided active quilt that reaches least far to one side."""
    sides = mixing_sides(rarest, gap)
    tried = range(length) if length <= _ALL_NODES_UP_TO else (length // 2,)
    active = [(i, best_alike(*sides, i, length, epsilon)) for i in tried]
    two_sided = [(q.a, q.b) for i, q in active if q.a <= i and i + q.b < length]
    return min(two_sided, key=lambda quilt: quilt[side]) if two_sided else None


def _segment(segment: tuple[int, int], name: str) -> tuple[int, int]:
    try:
        first, last = segment
    except (TypeError, ValueError):
        raise refused(name, "a pair (first, last) of timestamps", segment) from None
    start = whole(first, f"the first timestamp of {name}", least=0)
    return start, whole(last, f"the last timestamp of {name}", least=start)


def _epsilons(epsilons: Sequence[float]) -> Floats:
    found = np.atleast_1d(positives(epsilons, "epsilons"))
    if not found.size:
        raise InputError("epsilons must have at least one number above 0", value="none")
    return found
