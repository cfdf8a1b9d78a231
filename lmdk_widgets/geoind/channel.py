"""A channel with its certificate: what it costs, the privacy it provides, and how far it can be from the optimum."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import nan

import numpy as np

from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind.measures import _smallest_epsilon


@dataclass(frozen=True, eq=False)
class Channel:
    """A read-only mechanism on n places, with the numbers that certify it.

    Attributes
    ----------
    matrix : (n, n) row-stochastic; row x is the distribution of the report when the true place is x.
    quality_loss : expected distance from the true place to the report, in the unit of the quality distances.
    epsilon : the privacy it provides, `smallest_epsilon` over all pairs and reports: a certificate, never the request.
    gap : how far the objective may be from the optimum, as a share of the loss of the best constant report; 0.001 means
        that nothing can be better by more than a thousandth of that. nan for a mechanism that optimises nothing.
    requested_epsilon : the epsilon requested; nan if there was no request.
    bound : no mechanism with the privacy ``requested_epsilon / dilation`` has a smaller loss: each of them keeps the
        constraints of the spanner, and none that keeps these loses less. With all pairs that is the privacy requested; with
        a dilation above 1, a mechanism with the privacy requested may lose less. (For OptPriv: none with its quality loss
        has a larger adversary error.)
    dilation : of the spanner whose constraints were used; 1 if all pairs were.
    method : how it was found, in a word: "simplex", "highs", "planar-laplace", "constant".
    clipped : the largest amount by which an entry was below 0 before it was clipped, usually 0.
    mixed : the weight of the uniform report mixed in to bring epsilon down to the request, usually 0.
    error : a bound on the error of an entry, if it was integrated.
    notices : sentences that a reader should know ("The solver HiGHS ended at a gap of 1e-5, not at 1e-6.").
    """

    matrix: Floats
    quality_loss: float
    epsilon: float
    gap: float
    requested_epsilon: float = nan
    bound: float = nan
    dilation: float = 1.0
    method: str = ""
    clipped: float = 0.0
    mixed: float = 0.0
    error: float = 0.0
    notices: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        matrix = np.array(self.matrix, float)
        matrix.flags.writeable = False
        object.__setattr__(self, "matrix", matrix)

    def __len__(self) -> int:
        return len(self.matrix)

    def __repr__(self) -> str:
        return (
            f"Channel({len(self)} places, quality loss {self.quality_loss:.6g}, epsilon {self.epsilon:.6g}, "
            f"gap {self.gap:.2g}, {self.method})"
        )

    def report(self, places: object, rng: np.random.Generator) -> np.ndarray:
        """Draw a report for each of the true places (indices), independently.

        Examples
        --------
        >>> Channel(np.eye(3), 0.0, float("inf"), 0.0).report([2, 0], np.random.default_rng(1)).tolist()
        [2, 0]
        """
        true = np.asarray(places, int)
        cumulative = np.cumsum(self.matrix, axis=1)
        draws = rng.random(true.shape)[..., None] * cumulative[true, -1][..., None]
        return (cumulative[true] <= draws).sum(axis=-1)


def certify(matrix: Floats, distances: Floats, epsilon: float) -> Channel:
    """Clip, scale the rows to 1, and mix in a trace of the uniform report until no log ratio exceeds epsilon d.

    Mixing costs no privacy: the uniform report alone is 0-private, and ``(a + t) / (b + t) <= e^{eps d}`` holds from
    ``t = (a - e^{eps d} b) / (e^{eps d} - 1)`` on, which is about the size of the rounding error. The channel has no
    loss or gap yet.
    """
    clipped = float(max(0.0, -matrix.min()))
    kept = np.clip(matrix, 0, None)
    kept = kept / kept.sum(axis=1, keepdims=True)
    found = _smallest_epsilon(kept, distances)
    mixed, n = 0.0, kept.shape[1]
    whiff = max(_whiff(kept, distances, epsilon), 1e-300) if found > epsilon else 0.0
    base = kept
    while found > epsilon and mixed < 1:
        mixed = min(1.0, n * whiff / (1 + n * whiff))
        kept = (1 - mixed) * base + mixed / n
        kept = kept / kept.sum(axis=1, keepdims=True) if mixed < 1 else np.full_like(base, 1 / n)
        found = _smallest_epsilon(kept, distances)
        whiff = max(whiff * 4, 1e-17)
    return Channel(kept, nan, found, nan, requested_epsilon=epsilon, clipped=clipped, mixed=mixed)


def _whiff(matrix: Floats, distances: Floats, epsilon: float) -> float:
    """The constant to add to every entry so that all ratios fit, by the formula in `certify`."""
    most = 0.0
    with np.errstate(over="ignore"):
        for x in range(len(matrix)):
            # both sides divided by the weight, which may be infinite for places far apart
            shrink = np.exp(-epsilon * distances[x])[:, None]
            room = -np.expm1(-epsilon * distances[x])[:, None]
            short = matrix[x] * shrink - matrix
            need = np.divide(short, room, out=np.zeros_like(short), where=room > 0)
            most = max(most, float(need.max()))
    return most
