"""The loss function of a chain whose state a few timestamps later is known (a bridge), for all distances together.

r + 1 timestamps before a known state b, the chain moves by P(y | x, b) = P[x, y] P^r[y, b] / P^{r+1}[x, b].

As for any matrix (see `loss`), its loss function is the largest log (1 + q theta) / (1 + d theta) over pairs of rows
and prefixes of the states sorted by the ratio of the two rows. P^r[y, b] cancels in this ratio, so one order for each pair of
rows works for every distance and every b, and a single matrix product gives all (q, d). With q > d,

    (1 + q theta) / (1 + d theta) - 1 = 1 / (cut / theta + slope),    cut = 1 / (q - d), slope = d / (q - d),

which is largest where cut / theta + slope is smallest: a minimum of lines in 1 / theta, without a logarithm.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats

NEVER = 1e300
"""Stands for an infinite cut or slope: such a line is never the smallest, and the number times 0 is 0."""

TINY = 1e-290
"""An entry of a power below this share of its column's maximum has lost digits; whatever needs it gets another bound."""

MOST_AT_ONCE = 4_000_000
"""How many lines are computed together before those that never matter are dropped."""


@dataclass(frozen=True, eq=False)
class Bridges:
    """A matrix's bridges to every end b, from 2 timestamps before it to `far`.

    Attributes
    ----------
    cut, slope : (far - 1, m, k) lines for the distance r + 1 and the end b at [r - 1, b].
    lost : (far + 1,) whether a power up to this distance underflows.
    """

    cut: Floats
    slope: Floats
    lost: NDArray[np.bool_]


def bridges(p: Floats, far: int) -> Bridges:
    """The bridges of a matrix (m, m) without negative entries, for distances up to `far` >= 2.

    The transposed matrix gives the bridges of the reversed chain, whatever its stationary distribution: it cancels.
    """
    powers, lost = _powers(p, far)
    rows = max(1, MOST_AT_ONCE // (len(powers) * len(p) ** 3))  # together, so their lines fit into memory
    found = [_smallest(*_lines(p, powers, slice(x, x + rows))) for x in range(0, len(p), rows)]
    cut, slope = (np.concatenate(lines, axis=2) for lines in zip(*found, strict=True))
    if len(found) > 1:
        cut, slope = _smallest(cut, slope)
    return Bridges(cut, slope, lost)


def apart(p: Floats, far: int) -> NDArray[np.bool_]:
    """(far + 1,) whether, at this distance, two possible pairs of ends exist for which neither mixed pair is possible.

    For two pairs (a, b) and (a', b'), both (a', b) and (a, b') can be impossible only if neither row of the power's support
    contains the other.
    """
    found = np.zeros(far + 1, bool)
    if (p > 0).all():
        return found
    moves = (p > 0).astype(np.float32)
    reach = np.eye(len(p), dtype=np.float32)
    for distance in range(1, far + 1):
        reach = (reach @ moves > 0).astype(np.float32)
        only = reach @ (1 - reach).T > 0  # what x reaches and y does not
        found[distance] = (only & only.T).any()
    return found


def _powers(p: Floats, far: int) -> tuple[Floats, NDArray[np.bool_]]:
    """P^1, P^2, ... up to P^(far - 1) or until they stop changing, every column divided by its largest entry."""
    support, reach, power = (p > 0).astype(float), np.eye(len(p)), np.eye(len(p))
    powers, lost = [], np.zeros(far + 1, bool)
    for distance in range(1, far + 1):
        following = p @ power
        following /= np.maximum(following.max(axis=0), TINY)  # a state with no moves to it has a column of zeros
        reach = (support @ reach > 0).astype(float)
        lost[distance] = ((following < TINY) & (reach > 0)).any()
        if distance > 1:
            powers.append(power)
            if (np.abs(following - power) <= 4e-16 * power).all():
                lost[distance:] = lost[distance]
                break
        power = following
    return np.array(powers), np.logical_or.accumulate(lost)


def _lines(p: Floats, powers: Floats, rows: slice) -> tuple[Floats, Floats]:
    """(distances, m, k) cuts and slopes for every pair of rows, the first from `rows`, and every prefix."""
    x, y, inside = _prefixes(p, rows)
    weight = p @ powers  # (distances, m, m): the sums of the bridge's rows
    with np.errstate(divide="ignore"):
        share = np.where(weight > 0, 1 / weight, 0.0)
    q = (inside * p[x]) @ powers * share[:, x]
    d = (inside * p[y]) @ powers * share[:, y]
    gain = np.where((share[:, x] > 0) & (share[:, y] > 0), q - d, 0.0)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        cut = np.where(gain > 0, np.minimum(1 / gain, NEVER), NEVER)
        slope = np.where(gain > 0, np.minimum(d / gain, NEVER), NEVER)
    return cut.transpose(0, 2, 1), slope.transpose(0, 2, 1)


def _prefixes(p: Floats, rows: slice) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.bool_]]:
    """Pairs of rows (k,), (k,) and each prefix's states (k, m): prefixes end wherever the ratio of the rows changes."""
    first, m = p[rows], len(p)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # (rows, m, m): small where x is more likely
        ratio = np.where(first[:, None] > 0, p[None] / first[:, None], np.inf)
    order = np.argsort(ratio, axis=2)
    along = np.take_along_axis(ratio, order, axis=2)
    ends = (along[..., :-1] < along[..., 1:]) & (np.arange(m)[None, :, None] != np.arange(m)[rows, None, None])
    x, y, last = np.nonzero(ends)
    inside = ratio[x, y] <= along[x, y, last][:, None]
    return x + (rows.start or 0), y, inside


def _smallest(cut: Floats, slope: Floats) -> tuple[Floats, Floats]:
    """The lines that are the smallest somewhere, and few others, padded to the largest number for any end."""
    if cut.shape[2] == 0:
        nothing = np.full((*cut.shape[:2], 1), NEVER)
        return nothing, nothing
    order = np.argsort(cut, axis=2)
    cut, slope = (np.take_along_axis(lines, order, axis=2) for lines in (cut, slope))
    keep = np.ones(cut.shape, bool)
    keep[..., 1:] = slope[..., 1:] < np.minimum.accumulate(slope, axis=2)[..., :-1]
    cut, slope = _packed(cut, slope, keep)
    for _ in range(2):  # steep lines now come first: one above the crossing of its neighbours is never the smallest
        rise, fall = np.diff(cut, axis=2), -np.diff(slope, axis=2)
        keep = cut < NEVER
        keep[..., 0] = True
        with np.errstate(over="ignore"):
            keep[..., 1:-1] &= rise[..., :-1] * fall[..., 1:] <= rise[..., 1:] * fall[..., :-1] * (1 + 1e-9)
        cut, slope = _packed(cut, slope, keep)
    return cut, slope


def _packed(cut: Floats, slope: Floats, keep: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """The kept lines first, in their order."""
    order = np.argsort(~keep, axis=2, kind="stable")[..., : keep.sum(axis=2).max()]
    cut, slope = np.where(keep, cut, NEVER), np.where(keep, slope, NEVER)
    return np.take_along_axis(cut, order, axis=2), np.take_along_axis(slope, order, axis=2)
