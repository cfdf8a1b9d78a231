"""What the landmarks and one more timestamp lose under temporal correlation: the authors' count, and a bound from bridges."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.checks import Indices, indices, one_of
from lmdk_widgets.checks import budgets as checked_budgets
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage import markov
from lmdk_widgets.leakage.any_start import AnyStart
from lmdk_widgets.leakage.bridges import NEVER, Bridges, apart, bridges
from lmdk_widgets.leakage.loss import LossFunction
from lmdk_widgets.leakage.recursion import Carriers, carriers
from lmdk_widgets.leakage.silent_moves import carried_over, run_merged
from lmdk_widgets.leakage.starts import from_every_start, run_restarting
from lmdk_widgets.leakage.temporal import both_sides


def landmark_loss(p_backward: Any, p_forward: Any, budgets: ArrayLike, landmarks: Iterable[int]) -> Floats:
    """Loss of the landmarks together with timestamp t, for every t.

    For S = L u {t}, the sum over i in S of BPL_i + FPL_i - eps_i. The backward loss restarts right after the
    previous member of S, and the forward loss right before the next one; both run over every timestamp in between.

    Parameters
    ----------
    p_backward, p_forward : None (no propagation), a matrix (m, m), its `LossFunction`, or a sequence of n - 1 of them;
        see `backward_loss`.
    budgets : (n,) epsilon of every timestamp, finite, 0 or more.
    landmarks : indices from 0.

    Returns
    -------
    (n,) losses; at a landmark S = L. Without landmarks it is the total loss; if all timestamps are landmarks, the plain
    sum of the budgets; and without correlation, the sum of the budgets over S.

    Raises
    ------
    InputError : as for `temporal_loss`, or a landmark that is not a timestamp.

    Notes
    -----
    Katsomallos, Tzompanaki, Kotzinos, "Landmark privacy", CODASPY 2022, section on temporal correlation. Adding t to
    the landmarks only changes the windows of its two neighbours, so all n sums take one pass. The authors' recursion
    counts every single move, also between timestamps without a budget; only without landmarks are these merged.

    Examples
    --------
    >>> c = [[0.8, 0.2], [0.2, 0.8]]
    >>> landmark_loss(c, c, [0.2] * 8, [0, 2, 4, 7])[[0, 1, 5]].round(10).tolist()
    [1.6605889385, 1.621099997, 1.7184668244]
    """
    eps = checked_budgets(budgets)
    n = len(eps)
    before, after = carriers(p_backward, p_forward, n)
    chosen = indices(landmarks, "landmarks", n)
    if not len(chosen):
        return both_sides(eps, before, after).total
    back, back_with_t = _one_side(eps, before, chosen)
    mirrored = after[::-1] if isinstance(after, list) else after
    front, front_with_t = (x[::-1] for x in _one_side(eps[::-1], mirrored, n - 1 - chosen[::-1]))
    own = back + front - eps
    at_landmarks = own[chosen].sum()
    losses = np.full(n, at_landmarks)
    regular = np.ones(n, dtype=bool)
    regular[chosen] = False
    losses[regular] += (own + back_with_t + front_with_t)[regular]
    return losses


def _one_side(eps: Floats, carried: Carriers, landmarks: Indices) -> tuple[Floats, Floats]:
    """The backward losses that restart after each landmark, and how adding t changes the loss at the next landmark."""
    first = np.concatenate(([0], landmarks + 1))
    losses = run_restarting(eps, carried, first[first < len(eps)])
    change, until = np.zeros(len(eps)), int(landmarks[-1])
    end = np.repeat(landmarks, np.diff(landmarks, prepend=-1))
    change[:until] = from_every_start(eps, carried, landmarks, losses)[1:] - losses[end[:-1]]
    return losses, change


def landmark_loss_bound(
    p_forward: Any, budgets: ArrayLike, landmarks: Iterable[int], *, start: str = "stationary"
) -> Floats:
    """A bound on the loss of the landmarks together with timestamp t, for every t.

    For S = L u {t}: the sum of eps over S, plus two edges, plus the gaps between neighbours in S. Given the states at S, the
    gaps are independent, so no output changes the odds of two possible combinations of states at S by more than e^bound.

    - The edge before the first member i is L_B(BPL_{i-1}), the edge after the last one L_F(FPL_{i+1}).
    - A gap costs max_b F_b + max_a B_a: first its left end changes while the right end b is known, then its right end while
      the left end a is known. F_b is the forward recursion along the bridge to b (see `bridges`), B_a its mirror image.
    - A gap never costs more than the sum of its own budgets. This sum is also used if, for two possible pairs of states at
      its ends, neither of the two mixed pairs is possible.

    Parameters
    ----------
    p_forward : None (timestamps are independent) or the (m, m) transition matrix.
    budgets : (n,) epsilon of every timestamp, finite, 0 or more.
    landmarks : indices from 0.
    start : "stationary" for a chain that starts at its stationary distribution, "any" for a bound over all starts.

    Returns
    -------
    (n,) bounds; at a landmark S = L. Without landmarks it is the total loss; if all timestamps are landmarks, the plain sum
    of the budgets; it never exceeds that sum.

    Raises
    ------
    InputError : an invalid transition matrix, invalid budgets, a landmark that is not a timestamp, or an unknown start.

    Notes
    -----
    Guarantee: for an adversary who knows the chain and, with the stationary start, that it starts at its stationary
    distribution; states that never occur there are then not secret. With any start, only the edge before the first member
    is larger (see `AnyStart`), as a bridge does not depend on the start.

    `landmark_loss` is the authors' count (Katsomallos et al., CODASPY 2022), which considers each gap between two members
    from one end at a time: it is not a bound, although it is often the larger number.

    The running time grows with the squares of the gaps: whatever does not depend on t is computed once, and a t inside a
    gap only splits that gap.

    Examples
    --------
    >>> c = [[0.8, 0.2], [0.2, 0.8]]
    >>> landmark_loss_bound(c, [0.2] * 8, [0, 2, 4, 7])[[0, 1, 5]].round(10).tolist()
    [1.4982087905, 1.5141046381, 1.5523124573]
    """
    eps = checked_budgets(budgets)
    chosen = indices(landmarks, "landmarks", len(eps))
    one_of(start, "start", ("stationary", "any"))
    own = eps.copy()
    own[chosen] = 0.0
    spent = eps[chosen].sum() + own
    p = None if p_forward is None else markov.transition_matrix(p_forward, name="p_forward")
    if p is not None and start == "stationary":
        p = p[np.ix_(*[np.flatnonzero(markov.stationary(p) > 0)] * 2)]  # the states that occur in the long run
    if p is None or len(p) == 1 or len(chosen) == len(eps):
        return spent
    before = _edge(AnyStart(p) if start == "any" else LossFunction(markov.reverse(p)), eps)
    after = _edge(LossFunction(p), eps[::-1])[::-1]
    if not len(chosen):
        return spent + before + after
    first, last = int(chosen[0]), int(chosen[-1])
    to_left, to_right, whole = _gaps(p, eps, chosen)
    change = to_left + to_right - whole
    change[:first] += before[:first] - before[first]
    change[last:] += after[last:] - after[last]
    change[chosen] = 0.0
    return spent + before[first] + after[last] + to_left[chosen].sum() + change


def _edge(carrier: LossFunction | AnyStart, eps: Floats) -> Floats:
    """(n,) what the timestamps before each one together reveal about it."""
    return carried_over(run_merged(eps, carrier), eps, carrier)


def _gaps(p: Floats, eps: Floats, landmarks: Indices) -> tuple[Floats, Floats, Floats]:
    """(n,) each: the cost of the gap from the previous landmark to t, from t to the next one, and between these two."""
    n = len(eps)
    t = np.arange(n)
    place = np.searchsorted(landmarks, t)
    left = np.append(-1, landmarks)[place]
    right = np.append(landmarks, n)[np.searchsorted(landmarks, t, side="right")]
    # how far a run goes from t to the left: to the previous landmark; from the first landmark, to the start
    reach = np.where(left >= 0, t - left, 0)
    reach[landmarks[0]] = landmarks[0]
    mirrored = np.where(right < n, right - t, 0)
    mirrored[landmarks[-1]] = n - 1 - landmarks[-1]
    far = int(max(reach.max(), mirrored.max()))
    if far < 2:
        return np.zeros(n), np.zeros(n), np.zeros(n)
    ahead = bridges(p, far)
    behind = ahead if np.array_equal(p, p.T) else bridges(p.T, far)
    marked = np.isin(t, landmarks)
    runs = _Runs(eps, reach, marked), _Runs(eps[::-1], mirrored[::-1], marked[::-1])
    (ends, passed), (back_ends, back_passed) = _followed(runs, (ahead, behind))
    total = np.append(0.0, np.cumsum(eps))
    alone = apart(p, far) | ahead.lost | behind.lost

    def cost(changes: Floats, start: Indices, end: Indices, there: NDArray[np.bool_]) -> Floats:
        most = np.where(there, total[np.maximum(end, 0)] - total[np.minimum(start + 1, n)], 0.0)
        bounded = ~alone[np.where(there, end - start, 0)]
        return np.where(there & bounded, np.minimum(changes, most), most)

    to_left = cost(ends + back_passed[::-1], left, t, left >= 0)
    to_right = cost(passed + back_ends[::-1], t, np.minimum(right, n - 1), right < n)
    both = (left >= 0) & (right < n)
    return to_left, to_right, np.where(both, to_left[np.minimum(right, n - 1)], 0.0)


class _Runs:
    """Runs from every timestamp to the left, by the distances in `reach`, the longest first.

    Attributes
    ----------
    start : (n,) timestamps in the order of the runs. grown : (n,) e^eps - 1, in time order.
    running : by distance, how many runs go that far. marked : positions of the runs that start at a landmark.
    """

    def __init__(self, eps: Floats, reach: Indices, marked: NDArray[np.bool_]) -> None:
        self.start = np.argsort(-reach, kind="stable")
        with np.errstate(over="ignore"):
            self.grown = np.expm1(eps)
        self.running = np.searchsorted(-reach[self.start], -np.arange(int(reach.max()) + 2), side="right").tolist()
        self.marked = np.flatnonzero(marked[self.start])
        self._passing = np.searchsorted(self.marked, self.running).tolist()
        self._ends, self.passed = np.zeros(len(eps)), np.zeros(len(eps))

    @property
    def ends(self) -> Floats:
        """(n,) in time order, e^F - 1 at the end of the run from each timestamp."""
        found = np.empty_like(self._ends)
        found[self.start] = self._ends
        return found

    def record(self, felt: Floats, distance: int) -> None:
        """Record e^F - 1 at this distance from the start: where a run ends, and where one from a landmark passes."""
        if distance < len(self.running):
            running, marked = self.running[distance], self.marked[: self._passing[distance]]
            self._ends[:running] = felt[:running]
            self.passed[self.start[marked] - distance] = felt[marked]


def _followed(runs: tuple[_Runs, _Runs], chains: tuple[Bridges, Bridges]) -> list[tuple[Floats, Floats]]:
    """For both sides, the largest F_b at the end of every run, and at every timestamp a run from a landmark passes."""
    cut, slope = _alike([chain.cut for chain in chains]), _alike([chain.slope for chain in chains])
    sides = np.arange(2)[:, None]
    start, grown = np.stack([r.start for r in runs]), np.stack([r.grown for r in runs])
    with np.errstate(divide="ignore", over="ignore"):
        inverse = np.repeat(1 / grown[sides, start - 1][:, None], cut.shape[2], axis=1)
        for distance in range(2, max(len(r.running) for r in runs) - 1):
            some = max(r.running[distance] if distance < len(r.running) else 0 for r in runs)
            at = min(distance - 2, cut.shape[1] - 1)
            lines = cut[:, at, :, :, None] * inverse[:, :, None, :some]
            lines += slope[:, at, :, :, None]
            felt = 1 / np.minimum(lines.min(axis=2), NEVER)  # (2, m, some): e^L - 1 for every end b
            for r, most in zip(runs, felt.max(axis=1), strict=True):
                r.record(most, distance)
            here = grown[sides, start[:, :some] - distance][:, None]
            inverse = 1 / (here + (1 + here) * felt)
    return [(np.log1p(r.ends), np.log1p(r.passed)) for r in runs]


def _alike(sides: list[Floats]) -> Floats:
    """Two sides as one array: the last distance stands for all farther ones, and missing lines are never the smallest."""
    most, k = (max(side.shape[axis] for side in sides) for axis in (0, 2))
    alike = np.full((len(sides), most, sides[0].shape[1], k), NEVER)
    for side, into in zip(sides, alike, strict=True):
        into[..., : side.shape[2]] = side[np.minimum(np.arange(most), len(side) - 1)]
    return alike
