"""How far two releases are from independent once a state is known, and what any two releases guarantee by it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import number, positive
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.pufferfish.influence import contrast, log_of


def compose_with_divergence(epsilon_a: float, epsilon_b: float, divergence: float) -> float:
    """eps_A + eps_B + 2 E: any two mechanisms whose releases are nearly independent given every secret.

    Parameters
    ----------
    epsilon_a, epsilon_b : of each release, 0 or more.
    divergence : E >= 0, a bound on `joint_divergence` given every secret, both ways round.

    Notes
    -----
    P(a, b | x) / P(a, b | x') = [P(a, b | x) / P(a | x) P(b | x)] [P(a | x) P(b | x) / P(a | x') P(b | x')]
    [P(a | x') P(b | x') / P(a, b | x')]: the outer factors are at most e^E each, so that E must bound the divergence of
    the joint from the product and of the product from the joint. Song, Chaudhuri 2017, Theorem III.6.

    Examples
    --------
    >>> compose_with_divergence(1.0, 0.5, 0.1)
    1.7
    """
    one, two = positive(epsilon_a, "epsilon_a", zero=True), positive(epsilon_b, "epsilon_b", zero=True)
    return one + two + 2 * number(divergence, "divergence", 0)


def max_divergence(p: ArrayLike, q: ArrayLike) -> float:
    """D(p || q) = max over outcomes of log p / q; infinite where q is 0 and p is not. Definition III.5 there.

    Examples
    --------
    >>> round(max_divergence([0.5, 0.5], [0.25, 0.75]), 6)  # log 2
    0.693147
    """
    one, two = np.ravel(np.asarray(p, float)), np.ravel(np.asarray(q, float))
    if one.shape != two.shape:
        raise InputError("p and q must have the same shape", value=f"{one.shape} and {two.shape}")
    return float(contrast(log_of(np.stack((one, two)))[None])[0, 0, 1])


def joint_divergence(joint: ArrayLike) -> float:
    """E of one secret: the larger max-divergence between P(a, b) and P(a) P(b), either way round.

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
