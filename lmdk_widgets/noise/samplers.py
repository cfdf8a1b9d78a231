"""Laplace noise for numbers, planar Laplace noise for points, and a private choice among options.

What floating point costs: the outputs reachable from two inputs are not quite the same sets of doubles, and an observer
who sees all 64 bits can sometimes tell the inputs apart (Mironov, "On significance of the least significant bits for
differential privacy", CCS 2012; for the plane, Andres et al. 2013, section 4). The guarantees below are those for real
numbers. Publishing rounded outputs costs nothing and removes most of that channel. The random numbers are numpy's:
anyone who knows the seed can subtract the noise.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.checks import generator, numbers, points, positive, positives, refused, series
from lmdk_widgets.geo import Floats


def laplace(values: ArrayLike, scale: ArrayLike, rng: np.random.Generator) -> Floats:
    """Values with independent Laplace noise added: density ``exp(-|z - x| / b) / (2 b)``.

    Parameters
    ----------
    values : numbers, any shape.
    scale : b above 0, in the unit of the values; a number or an array that broadcasts to the shape of the values.
    rng : source of random numbers.

    Returns
    -------
    float64 with the shape of `values`; a float for a number.

    Raises
    ------
    InputError : values or scale that are missing, infinite or have incompatible shapes; scale not above 0.

    Notes
    -----
    Guarantee: for a query with sensitivity s, each output is (s / b)-differentially private; b = s / epsilon gives
    epsilon. The expected |noise| is b. Paper: Dwork, McSherry, Nissim, Smith, TCC 2006.

    Examples
    --------
    >>> noisy = laplace([10.0, 20.0], 0.5, np.random.default_rng(1))
    >>> noisy.round(3).tolist()
    [10.012, 21.156]
    """
    array = numbers(values, "values", remedy="Drop the timestamps without a value")
    b = positives(scale, "scale")
    _must_fit(b, array.shape, "scale")
    return array + b * generator(rng).laplace(size=array.shape)


def planar_laplace(points_m: ArrayLike, epsilon_per_m: ArrayLike, rng: np.random.Generator) -> Floats:
    """Points moved by planar Laplace noise: density ``eps^2 / (2 pi) exp(-eps |z - x|)``.

    Parameters
    ----------
    points_m : (n, 2) metres in a local plane. Never degrees: a degree is not a metre, and differs between directions.
    epsilon_per_m : eps in 1/m, above 0; a number or (n,). A privacy level l within r metres is eps = l / r.
    rng : source of random numbers.

    Returns
    -------
    (n, 2) metres.

    Raises
    ------
    InputError : invalid points, an epsilon that is not above 0, or a number of epsilons that does not match the points.

    Notes
    -----
    Guarantee: eps-geo-indistinguishability: densities of an output for true places x and x' differ by a factor of at most
    exp(eps |x - x'|). The mean displacement is 2 / eps. The noise has the same distribution in every direction, unlike
    two independent Laplace noises, whose density has corners along the axes and guarantees eps only in the L1 norm.
    Paper: Andres, Bordenabe, Chatzikokolakis, Palamidessi, "Geo-indistinguishability", CCS 2013, section 4.

    Examples
    --------
    >>> moved = planar_laplace(np.zeros((4, 2)), np.log(4) / 200, np.random.default_rng(1))
    >>> np.hypot(*moved.T).round(1).tolist()  # metres; 288.5 on average
    [171.4, 304.2, 847.5, 132.4]
    """
    places, epsilon = points(points_m, "points_m"), positives(epsilon_per_m, "epsilon_per_m")
    _must_fit(epsilon, places.shape[:1], "epsilon_per_m")
    noise = standard_planar_laplace(len(places), generator(rng))
    return places + noise / epsilon[..., None]


def exponential_mechanism(
    scores: ArrayLike, epsilon: float, sensitivity: float, rng: np.random.Generator | None = None
) -> Floats | int:
    """Choose an option with probability proportional to ``exp(epsilon u / (2 du))``.

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
    with np.errstate(over="ignore"):  # an exponent of -inf gives a probability of 0, as it should
        # dividing before multiplying keeps the best option at 0, whatever the budget
        exponent = (utility - utility.max()) / width / 2 * budget
    if rng is not None:
        return int(np.argmax(exponent + generator(rng).gumbel(size=utility.size)))
    weight = np.exp(exponent)
    return weight / weight.sum()


def standard_planar_laplace(n: int, rng: np.random.Generator) -> Floats:
    """Planar Laplace noise at eps = 1 per metre, (n, 2): any other eps divides it.

    The radius is Gamma(2), the sum of two exponentials: no quantile function is needed. The direction is uniform, computed
    from the tangent T of half the angle, (1 - T^2, 2 T) / (1 + T^2), which needs one slow function instead of two.
    """
    radius = rng.standard_exponential((2, n)).sum(axis=0)
    tangent = np.tan(np.pi * (rng.random(n) - 0.5))
    square = tangent * tangent
    radius /= 1 + square
    noise = np.empty((n, 2))
    np.multiply(radius, 1 - square, out=noise[:, 0])
    np.multiply(radius, 2 * tangent, out=noise[:, 1])
    return noise


def _must_fit(array: Floats, shape: tuple[int, ...], name: str) -> None:
    try:
        fits = np.broadcast_shapes(array.shape, shape) == shape
    except ValueError:
        fits = False
    if not fits:
        raise refused(name, f"one number{f' or an array of shape {shape}' if shape else ''}", f"shape {array.shape}")
