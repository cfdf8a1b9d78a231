"""The privacy loss of one release, on a lattice, ready for composition.

The privacy loss of an output is ``L = ln(P(output) / Q(output))``, where P and Q are the distributions of the output
for two neighbouring inputs. As a random variable under P, it determines delta for every epsilon: ``delta(epsilon) =
E[(1 - e^(epsilon - L))_+]``. Each mechanism has its own L here, for the two inputs that are easiest to distinguish:

- `LAPLACE`: the inputs are one sensitivity apart. L is b with probability 1/2 and -b with probability ``e^-b / 2``, and
has
  the density ``e^((L - b) / 2) / 4`` in between.
- `RESPONSE`: one of two answers. L is b with probability ``e^b / (1 + e^b)``, else -b. No b-private mechanism loses
more.
- `PLANAR_LAPLACE`: two places one radius apart. With ``L = -b cos(phi)`` and z = b/2, phi in [0, pi] has a density
  proportional to ``e^(-z cos phi) (sin^2 phi + K1(z) / (z K0(z)))`` (elliptic coordinates about the two places).

Closer inputs lose less in every composition, and so do smaller budgets. For both kinds of Laplace noise: noise of scale
s has the characteristic function ``(1 + s^2 w^2)^-p``, with p = 1 on the line and 3/2 in the plane. With s1 < s2, the
ratio of the two is ``exp(-p int (1 - e^(-t w^2)) (e^(-t/s2^2) - e^(-t/s1^2)) / t dt)``, the characteristic function of
a Gaussian with a random variance. So the larger noise is the smaller noise plus independent noise: post-processing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lmdk_widgets.checks import Indices
from lmdk_widgets.geo import Floats

NODES, WEIGHTS = np.polynomial.legendre.leggauss(4)
"""Quadrature within a lattice cell: the densities are analytic and cells are short, so nothing is lost."""

ON_LATTICE = 1e-11
"""A loss this close to a lattice point, in cells, is treated as being there; `SLIP` in `together` makes up for it."""


class Spread(NamedTuple):
    """Privacy losses of several budgets as probabilities of lattice points, one budget after another.

    Attributes
    ----------
    start : (u,) where each budget begins. point : (p,) the multiple of the step. chance : (p,) above 0.
    """

    start: Indices
    point: Indices
    chance: Floats


class Pieces(NamedTuple):
    """Losses with their probabilities: each one's lattice cell, and the budget it belongs to; all (k,)."""

    budget: Indices
    cell: Indices
    loss: Floats
    chance: Floats


@dataclass(frozen=True)
class Losses:
    """The privacy loss of one mechanism.

    Attributes
    ----------
    name : as in the names of functions. atoms : from budgets (u,) to the probabilities of b and of -b, each (u,).
        between : the losses strictly between, as pieces of lattice cells; None if there are none.
    """

    name: str
    atoms: Callable[[Floats], tuple[Floats, Floats]] | None
    between: Callable[[Floats, float, Indices, Indices], Pieces] | None

    def spread(self, budgets: Floats, step: float) -> Spread:
        """Losses (u,) moved to multiples of `step` so that delta is never understated, for any epsilon.

        A loss between two points is split between both, so that ``E[e^-L]`` does not change. As ``(1 - e^(epsilon -
        L))_+`` is a convex function of ``e^-L``, delta can only grow; at the lattice points it stays exact. Paper:
        Doroshenko, Ghazi, Kamath, Kumar, Manurangsi, "Connect the dots: tighter discrete approximations of privacy loss
        distributions", PoPETs 2022.
        """
        reach = _cells_to(budgets / step, np.ceil)
        parts = []
        if self.atoms is not None:
            high, low = self.atoms(budgets)
            one = np.arange(len(budgets))
            for loss, chance in ((budgets, high), (-budgets, low)):
                parts.append(Pieces(one, _cells_to(loss / step, np.floor), loss, chance))
        if self.between is not None:
            budget = np.repeat(np.arange(len(budgets)), 2 * reach)
            cell = np.arange(len(budget)) - np.repeat(np.cumsum(2 * reach) - reach, 2 * reach)
            parts.append(self.between(budgets, step, budget, cell))
        budget, cell, loss, chance = (np.concatenate(part) for part in zip(*parts, strict=True))
        above = np.minimum(np.expm1(cell * step - loss) / np.expm1(-step), 1)
        above[above < ON_LATTICE] = 0
        sizes = 2 * reach + 2
        first = np.cumsum(sizes) - sizes
        place = first[budget] + reach[budget] + cell
        total = np.bincount(place, chance * (1 - above), sizes.sum())
        total += np.bincount(place + 1, chance * above, sizes.sum())
        kept = np.flatnonzero(total > 0)
        of = np.repeat(np.arange(len(budgets)), sizes)
        point = np.arange(len(total)) - (first + reach)[of]
        chance_of = total / np.bincount(of, total)[of]
        return Spread(np.searchsorted(kept, first), point[kept], chance_of[kept])


def _cells_to(places: Floats, rounded: Callable[[Floats], Floats]) -> Indices:
    """Positions in steps as whole numbers, rounded down or up unless they are already whole."""
    near = np.rint(places)
    return np.where(np.abs(places - near) < ON_LATTICE * np.maximum(1, np.abs(near)), near, rounded(places)).astype(int)


def _within(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Nodes and weights of a quadrature on each interval, (k, 4)."""
    half = (high - low)[:, None] / 2
    return (low + high)[:, None] / 2 + half * NODES, half * WEIGHTS


def _pieces(budget: Indices, cell: Indices, loss: Floats, chance: Floats) -> Pieces:
    n = len(NODES)
    return Pieces(np.repeat(budget, n), np.repeat(cell, n), loss.ravel(), chance.ravel())


def _laplace_between(budgets: Floats, step: float, budget: Indices, cell: Indices) -> Pieces:
    most = budgets[budget]
    loss, weight = _within(np.maximum(cell * step, -most), np.minimum((cell + 1) * step, most))
    return _pieces(budget, cell, loss, weight * np.exp((loss - most[:, None]) / 2) / 4)


def _planar_between(budgets: Floats, step: float, budget: Indices, cell: Indices) -> Pieces:
    most = budgets[budget]
    low, high = (np.arccos(-np.clip((cell + k) * step / most, -1, 1)) for k in (0, 1))
    angle, weight = _within(low, high)
    z = budgets / 2
    ratio = (_bessel_ratio(z) / z)[budget, None]
    cosine = np.cos(angle)
    density = np.exp(-z[budget, None] * (1 + cosine)) * (1 - cosine**2 + ratio)
    chance = weight * density
    whole = np.bincount(budget, chance.sum(1))
    return _pieces(budget, cell, -most[:, None] * cosine, chance / whole[budget, None])


def _bessel_ratio(z: Floats) -> Floats:
    """``K1(z) / K0(z)`` of the modified Bessel functions, z above 0, (u,).

    From ``e^z K_n(z) = int_0^inf e^(-z (cosh t - 1)) cosh(n t) dt``, where the trapezoidal rule is exact to the last
    digits.
    """
    t = np.linspace(0, 1, 400) * np.arccosh(1 + 800 / z)[:, None]
    weight = np.exp(-z[:, None] * (np.cosh(t) - 1))
    weight[:, 0] /= 2
    return (weight * np.cosh(t)).sum(1) / weight.sum(1)


LAPLACE = Losses("laplace", lambda b: (np.full(len(b), 0.5), np.exp(-b) / 2), _laplace_between)
RESPONSE = Losses("response", lambda b: (1 / (1 + np.exp(-b)), np.exp(-b) / (1 + np.exp(-b))), None)
PLANAR_LAPLACE = Losses("planar_laplace", None, _planar_between)
