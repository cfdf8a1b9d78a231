"""The optimal mechanism in one call."""

from __future__ import annotations

from numpy.typing import ArrayLike

from lmdk_widgets.checks import one_of
from lmdk_widgets.geoind.channel import Channel
from lmdk_widgets.geoind.solver import Solver


def optimal_mechanism(
    distances: ArrayLike,
    prior: ArrayLike,
    epsilon: float,
    *,
    quality: ArrayLike | None = None,
    dilation: float = 1.0,
    tolerance: float = 1e-6,
    method: str = "simplex",
) -> Channel:
    """OptQL: the least ``sum_xz pi_x K_xz d_Q(x, z)`` with ``K_xz <= e^{epsilon d(x, x')} K_x'z`` and rows that sum to
    1.

    Parameters
    ----------
    distances : (n, n) symmetric, the metric of the privacy, in any unit. prior : (n,) probabilities, zeros allowed.
    epsilon : above 0, in the inverse of that unit.
    quality : (n, n) loss from true place (row) to report (column), 0 or more; None: `distances`.
    dilation : 1 keeps the constraints of all pairs; above 1 only those of a greedy spanner of that dilation, with
        epsilon divided by `dilation`, which costs some quality (`Solver` can divide by the dilation reached instead).
    tolerance : the gap to reach, as a share of the loss of the best constant report.
    method : "simplex", compiled, with HiGHS where it cannot run; or "highs", the whole linear programme, for small n.

    Returns
    -------
    Channel: `epsilon` is the certificate over all pairs, at most the request; `gap` is proven for that very matrix by
    weak duality; above 1 in `dilation`, the gap is to the best mechanism under the spanner's constraints.

    Raises
    ------
    InputError : distances that are not symmetric, a prior that does not sum to 1, an epsilon or tolerance that is not
    above 0 or an unknown method.

    Notes
    -----
    Guarantee: epsilon d-privacy whatever the solver did, as the matrix is certified after it is clipped and scaled.
    Optima are not unique: compare losses, never matrices. With one metric for both, the adversary's error is the loss.
    Numerics: ratios are kept as e^{-epsilon d}, which cannot overflow.
    Paper: Bordenabe et al. 2014, sections 3.1 (program), 3.2 (spanner), Theorem 3. For many epsilons or priors on the
    same places use `Solver`, which keeps what it learnt.

    Examples
    --------
    >>> line = [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    >>> round(optimal_mechanism(line, [1 / 3, 1 / 3, 1 / 3], 0.6931471805599453).quality_loss, 6)  # 5/9
    0.555556
    """
    solver = Solver(distances, quality=quality, dilation=dilation)
    if one_of(method, "method", ("simplex", "highs")) == "highs":
        return solver.reference(prior, epsilon)
    return solver.solve(prior, epsilon, tolerance=tolerance)
