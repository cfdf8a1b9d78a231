"""What an adversary who follows the track infers from a release: beliefs over cells of the map, and what they are worth.

She knows the cells, what `knowledge` says, the mechanism and every budget, and computes exactly. She does not know the
true track: it is used here only to say how far off she is, as only a simulation can, and where the chosen knowledge is
learned from it. The cells are an approximation of the plane: the truth of a timestamp is its cell.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.budgets import Release
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference import (
    Moves,
    TrackPosterior,
    best_guesses,
    credible_region,
    error_at,
    hits,
    home_and_work,
    learned,
    likeliest_path,
    log_likelihoods,
    track_posterior,
)
from lmdk_widgets.inference.track import many_beliefs
from lmdk_widgets.leakage import temporal_loss
from lmdk_widgets.leakage.pairwise import losses_of_pairs
from lmdk_widgets.noise import PlanarLaplace
from lmdk_widgets.scenario.attacker_levels import Levels
from lmdk_widgets.scenario.clock import clock_times
from lmdk_widgets.scenario.grid import cells_of
from lmdk_widgets.scenario.knowledge import Knowledge, check_followed
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.prior_moves import Cells, Stretch, attacker_states, stretches
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series

if TYPE_CHECKING:
    from lmdk_widgets.geo import Area


LOOKS = {"both": "smoothed", "any": "smoothed", "past": "filtered", "future": "predicted"}
"""What an adversary who looks in this direction believes, as an attribute of `TrackPosterior`."""

BOUNDS = {"smoothed": "total", "filtered": "backward", "predicted": "forward"}
"""The part of the temporal privacy loss that bounds what she then learns."""

CLASSES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
"""Where the classes of the map's colours begin; below the first a cell is left empty."""

SHARES = (0.5, 0.95)
"""The shares of her belief in the two regions on the map."""

BITS = (16, 8)
"""The bits that mark a cell of each of them."""

MOST_PAIRS = 30_000_000
"""Most timestamps times ordered pairs of cells for which the loss is computed pair by pair: about a second."""

TOGETHER, MOST_NUMBERS = 16, 1_500_000
"""The most releases that are attacked together, and the most numbers in the beliefs about them."""

ALIKE = 300
"""Timestamps with one budget after which a loss mostly stops growing."""


@dataclass(frozen=True, eq=False)
class Worth:
    """How good a belief is at each of n timestamps. Both numbers are computed with the truth, which she does not know.

    Attributes
    ----------
    error_m : (n,) expected distance from the belief to the true cell, metres. right : (n,) its chance of the true cell.
    """

    error_m: Floats
    right: Floats


@dataclass(frozen=True, eq=False)
class Inferred:
    """What she infers over m cells at each of n timestamps.

    Attributes
    ----------
    area : the cells, or a series' levels, whose unit lengths then have. truth : (n,) the cell of each timestamp.
    belief : (n, m) what she believes after the whole release, or after the part of it that she sees.
    guess : (n,) the cell of least expected distance. path : (n,) the likeliest track as a whole.
    whole, alone, blind : how good her belief is, from what she sees, from the timestamp's release alone, and from none.
    learned : (n,) the most by which the odds of two cells changed, as a logarithm.
    bound : (n,) the temporal privacy loss of the budgets under her own moves, at the protection radius; None where her
        moves are not equally likely in both directions, for which the page computes none. Under randomised response
        `learned` never exceeds it.
    changed : (n, 2) the cells whose odds changed most: the odds of the first to the second grew. pair_bound : (n,) the
        loss between these two, pair by pair, with her cells where they are, which `learned` never exceeds; None for a
        series, under randomised response, without `bound`, for moves that are not equally likely to go anywhere, and
        for more than `MOST_PAIRS`.
    far_bound : (n,) `bound` with each budget counted at the largest distance of two of her cells, which `learned` never
        exceeds; for places for which `pair_bound` is None.
    stays : how likely she believes a person is to stay for a timestamp, on average over the cells.
    """

    area: Area | Levels
    truth: Cells
    belief: Floats
    guess: NDArray[np.intp]
    path: NDArray[np.intp]
    whole: Worth
    alone: Worth
    blind: Worth
    learned: Floats
    bound: Floats | None
    changed: Cells
    pair_bound: Floats | None
    far_bound: Floats | None
    stays: float

    def __len__(self) -> int:
        return len(self.truth)

    @property
    def guess_error_m(self) -> Floats:
        """(n,) from the cell of the best guess to the true one, metres."""
        return self.area.distances_m[self.guess, self.truth]

    @property
    def path_error_m(self) -> Floats:
        """(n,) from the cell of the likeliest path to the true one, metres."""
        return self.area.distances_m[self.path, self.truth]

    def marked(self, timestamps: slice) -> NDArray[np.uint8]:
        """(k, m) what the map shows for each cell: the class of its probability from 0, + 8 in the 95 % region, + 16 in
        the 50 % region."""
        belief = self.belief[timestamps]
        marks = np.searchsorted(CLASSES, belief.ravel(), side="right").reshape(belief.shape).astype(np.uint8)
        for share, bit in zip(SHARES, BITS, strict=True):
            marks |= np.where(credible_region(belief, share), np.uint8(bit), np.uint8(0))
        return marks

    @cached_property
    def marks(self) -> NDArray[np.uint8]:
        """(n, m) `marked` of every timestamp."""
        return self.marked(slice(0, len(self)))


def infer(outcome: Outcome, knowledge: Knowledge | None = None) -> Inferred:
    """What someone who follows the track with this knowledge infers from the release of an outcome.

    Raises
    ------
    InputError : a track that is too long.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario, evaluate
    >>> from lmdk_widgets.trajectory import sample
    >>> outcome = evaluate(Scenario(landmarks=(0, 2, 4, 7), epsilon=20.0), sample("bob"))
    >>> found = infer(outcome)
    >>> found.belief.shape, bool(found.whole.error_m.mean() < found.blind.error_m.mean())
    ((8, 189), True)
    """
    area, truth, seen, parts = evidence_of(outcome, knowledge or Knowledge())
    look = LOOKS[outcome.scenario.adversary]
    found = [track_posterior(part.prior, part.moves, seen[part.span]) for part in parts]
    belief = joined(found, look)
    change = [learned(getattr(each, f"log_{look}"), each.log_marginal) for each in found]
    changed = _changed(joined(found, f"log_{look}"), joined(found, "log_marginal"))
    pair_bound = _pair_bound(outcome, area, parts[0], look, changed)
    return Inferred(
        area=area,
        truth=truth,
        belief=belief,
        guess=best_guesses(belief, area.distances_m),
        path=np.concatenate([likeliest_path(part.prior, part.moves, seen[part.span]) for part in parts]),
        whole=worth_of(belief, area, truth),
        alone=worth_of(joined(found, "alone"), area, truth),
        blind=worth_of(joined(found, "marginal"), area, truth),
        learned=np.concatenate(change),
        bound=_bound(outcome, parts[0], look),
        changed=changed,
        pair_bound=pair_bound,
        far_bound=_far_bound(outcome, area, parts[0], look) if pair_bound is None else None,
        stays=_stays(parts),
    )


class Evidence(NamedTuple):
    """What she has: her m cells, the true one of each of n timestamps, the logarithms of the likelihood of what was released
    at each, (n, m), and the parts of the track that she attacks one by one, with what she knows of each."""

    area: Area | Levels
    truth: Cells
    seen: Floats
    parts: list[Stretch]


def evidence_of(outcome: Outcome, knowledge: Knowledge) -> Evidence:
    """What she has of an outcome, with what she knows beforehand.

    Raises
    ------
    InputError : a track that is too long.
    """
    area, truth, parts = _known(outcome, knowledge)
    return Evidence(area, truth, seen_over(area, outcome), parts)


def _known(outcome: Outcome, knowledge: Knowledge) -> tuple[Area | Levels, Cells, list[Stretch]]:
    """What she has before the release."""
    scenario, trajectory = outcome.scenario, outcome.trajectory
    check_followed(scenario, knowledge, trajectory)
    area = attacker_states(scenario, knowledge, trajectory)
    truth = area.cell_of(outcome.ground.values) if isinstance(area, Levels) else cells_of(area, trajectory)
    return area, truth, list(stretches(scenario, knowledge, trajectory, outcome.correlation, area, truth))


def attacks(released: Iterable[tuple[Outcome, Knowledge]]) -> list[Worth]:
    """How good her belief is for the release of each outcome with this knowledge, as `whole` of `infer`: where she
    knows the same beforehand, several releases are attacked together.

    Raises
    ------
    InputError : as `infer`.
    """
    outcomes, known = [], []
    for outcome, knowledge in released:
        outcomes.append(outcome)
        known.append(_known(outcome, knowledge))
    alike: dict[Hashable, list[int]] = {}
    for k, (area, _, parts) in enumerate(known):
        begins = tuple((part.span.start, part.prior.tobytes(), id(part.moves)) for part in parts)
        alike.setdefault((area, LOOKS[outcomes[k].scenario.adversary], begins), []).append(k)
    found: dict[int, Worth] = {}
    for which in alike.values():
        area, truth, parts = known[which[0]]
        look, far = LOOKS[outcomes[which[0]].scenario.adversary], area.distances_m[truth]
        most = max(1, min(TOGETHER, MOST_NUMBERS // far.size))
        for some in np.array_split(which, -(-len(which) // most)):
            seen = np.stack([seen_over(area, outcomes[k]) for k in some])
            worths = [
                _worths(
                    many_beliefs(part.prior, part.moves, seen[:, part.span], look), far[part.span], truth[part.span]
                )
                for part in parts
            ]
            found |= {k: Worth(*worth) for k, worth in zip(some.tolist(), np.concatenate(worths, axis=2), strict=True)}
    return [found[k] for k in range(len(outcomes))]


def _worths(beliefs: Floats, far: Floats, truth: Cells) -> Floats:
    """What beliefs (d, n, m) are worth, (d, 2, n) as in `Worth`; far : (n, m) from the truth to every state."""
    return np.stack((np.einsum("dtx,tx->dt", beliefs, far), beliefs[:, np.arange(len(truth)), truth]), axis=1)


def seen_over(area: Area | Levels, outcome: Outcome) -> Floats:
    """(n, m) logarithms of the likelihood of what was released, if the truth were each of m cells or the middle of a
    level."""
    return log_likelihoods(released_of(outcome, area), area.points_m, mechanism_of(outcome))


def released_of(outcome: Outcome, area: Area | Levels) -> Release:
    """The release of an outcome as the adversary has it, in the frame of her cells."""
    scenario = outcome.scenario
    return Release(
        _outputs(outcome, area),
        outcome.budgets,
        outcome.published,
        np.array(scenario.landmarks, np.int64),
        comparison_budget=scenario.spread.compared(scenario.epsilon, scenario.window),
    )


def _outputs(outcome: Outcome, area: Area | Levels) -> Floats:
    if isinstance(area, Levels):
        return outcome.array("values")
    return area.frame.to_metres(outcome.latitude, outcome.longitude)


def mechanism_of(outcome: Outcome) -> Any:
    """The mechanism of an outcome in the form that `log_likelihoods` takes."""
    if outcome.series is not None:
        return "randomized-response" if outcome.series.is_answers else outcome.ground.mechanism
    if outcome.reports is None:
        return PlanarLaplace(radius_m=outcome.scenario.radius_m)
    return "randomized-response" if outcome.scenario.mechanism == "randomised" else outcome.reports.channels


def joined(found: list[TrackPosterior], name: str) -> Floats:
    """(n, m) a belief of this name over all parts of the track."""
    parts = [getattr(each, name) for each in found]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def worth_of(belief: Floats, area: Area | Levels, truth: Cells) -> Worth:
    """How good a belief is, judged by someone who has the truth."""
    return Worth(error_at(belief, area.distances_m, truth), hits(belief, truth))


def _bound(outcome: Outcome, part: Stretch, look: str, times: float = 1.0) -> Floats | None:
    """The loss of `times` these budgets to an attacker with her moves; her uniform start lasts, and her moves are the
    same when reversed."""
    if part.loss is None or part.span != slice(0, len(outcome)):
        return None
    loss = part.loss()
    found: Floats = getattr(temporal_loss(loss, loss, outcome.budgets * times), BOUNDS[look])
    return found


def _far_bound(outcome: Outcome, area: Area | Levels, part: Stretch, look: str) -> Floats | None:
    """The same as if all her cells were as far apart as the two that are farthest apart."""
    if not (outcome.kind.placed and outcome.scenario.mechanism != "randomised"):
        return None
    return _bound(outcome, part, look, _told_per_m(outcome) * float(area.distances_m.max()))


def _told_per_m(outcome: Outcome) -> float:
    """The most that a budget of 1 reveals about two cells a metre apart, by the channels over all pairs of them."""
    channels = {} if outcome.reports is None else outcome.reports.channels
    return max((c.epsilon / b for b, c in channels.items() if b > 0), default=0.0) or 1 / outcome.scenario.radius_m


def _changed(after: Floats, before: Floats) -> Cells:
    """(n, 2) between which states the odds changed most."""
    possible = np.isfinite(before)
    change = np.subtract(after, before, out=np.zeros_like(after), where=possible)
    grew, shrank = np.where(possible, change, -np.inf), np.where(possible, change, np.inf)
    return np.stack((grew.argmax(axis=1), shrank.argmin(axis=1)), axis=1).astype(np.int64)


def _pair_bound(outcome: Outcome, area: Area | Levels, part: Stretch, look: str, changed: Cells) -> Floats | None:
    """The loss of these budgets between two of her cells, where it needs no trees."""
    n, apart = len(outcome), outcome.kind.placed and outcome.scenario.mechanism != "randomised"
    if part.loss is None or part.span != slice(0, n) or not apart:
        return None
    steps = n if (outcome.budgets != outcome.budgets[0]).any() else min(n, ALIKE)
    if not isinstance(part.moves, Moves) or steps * len(area) ** 2 > MOST_PAIRS:
        return None
    moves = part.moves.matrix()
    found = losses_of_pairs(moves, moves, outcome.budgets, area.distances_m, 1 / _told_per_m(outcome), changed)
    return found[("backward", "forward", "total").index(BOUNDS[look])]


def _stays(parts: list[Stretch]) -> float:
    def diagonal(moves: Any) -> float:
        if isinstance(moves, np.ndarray):
            return float(np.diag(moves).mean())
        own = moves.sources == moves.targets
        return float(moves.probabilities[own].sum() + moves.jump.sum() / moves.n_states) / moves.n_states

    return float(np.mean([diagonal(part.moves) for part in parts]))


class Haunt(NamedTuple):
    """A cell in which she believes the nights, or the working days, are mostly spent. off_m : metres from the true one,
    the nearest where several share the most."""

    when: str
    days: int
    cell: int
    off_m: float


@lru_cache(maxsize=4)
def haunts(trajectory: Trajectory, found: Inferred) -> tuple[Haunt, ...]:
    """The cells of the nights and of the working days, where the track has timestamps then.

    The hours are those of `home_and_work`, by the clock of the track's zone where it is known, and UTC otherwise.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario, evaluate, infer
    >>> from lmdk_widgets.trajectory import sample
    >>> outcome = evaluate(Scenario(track="commuter", scheme="event"), sample("commuter"))
    >>> [(haunt.when, haunt.days, haunt.off_m) for haunt in haunts(outcome.trajectory, infer(outcome))]
    [('at night', 8, 0.0), ('on working days', 5, 0.0)]
    """
    if isinstance(trajectory, Series):  # it has no places
        return ()
    time = clock_times(trajectory, trajectory.zone or "UTC")
    hers, true = home_and_work(found.belief, time), home_and_work(np.eye(len(found.area))[found.truth], time)
    said = []
    for when, days, cell, right in (
        ("at night", hers.nights, hers.home, true.night),
        ("on working days", hers.days, hers.work, true.day),
    ):
        if cell is not None and right is not None:
            most = right >= right.max() * (1 - 1e-9)
            said.append(Haunt(when, days, cell, float(found.area.distances_m[cell, most].min())))
    return tuple(said)
