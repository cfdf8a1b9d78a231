"""The exponential mechanism: a private choice among options by their scores."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import generator, positive, series
from lmdk_widgets.geo import Floats


def exponential_mechanism(
    scores: ArrayLike, epsilon: float, sensitivity: float, rng: np.random.Generator | None = None
) -> Floats | int:
    """Choice of an option with probability proportional to ``exp(epsilon u / (2 du))``.

    Parameters
    ----------
    scores : u, (k,) finite utilities, higher is better; k at least 1.
    epsilon : the budget of the choice, above 0.
    sensitivity : du above 0, the most that one score differs between neighbouring data, in the unit of the scores.
    rng : None for the probabilities; a source of random numbers for one draw.

    Returns
    -------
    The probabilities, (k,) summing to 1, or the index drawn, an int.

    Raises
    ------
    InputError : no scores, scores not finite, epsilon or sensitivity not above 0.

    Notes
    -----
    Guarantee: a draw is epsilon-differentially private; the probabilities themselves depend on the data and are not.
    Numerics: scores are taken relative to the best, so any epsilon works (``exp(epsilon u)`` overflows at 710), and a
    draw adds Gumbel noise to the exponents instead of summing probabilities.
    Paper: McSherry, Talwar, "Mechanism design via differential privacy", FOCS 2007.

    Examples
    --------
    >>> exponential_mechanism([0, 1, 2], epsilon=1, sensitivity=1).round(4).tolist()
    [0.1863, 0.3072, 0.5065]
    >>> exponential_mechanism([0, 1, 2], 1000, 1, np.random.default_rng(1))
    2
    """
    utility = series(scores, "scores")
    budget, width = positive(epsilon, "epsilon"), positive(sensitivity, "sensitivity")
    with np.errstate(over="ignore"):  # an exponent of -inf is a probability of 0, which is what it should be
        # dividing before multiplying keeps the best option at 0 whatever the budget
        exponent = (utility - utility.max()) / width / 2 * budget
    if rng is not None:
        return int(np.argmax(exponent + generator(rng).gumbel(size=utility.size)))
    weight = np.exp(exponent)
    return weight / weight.sum()
