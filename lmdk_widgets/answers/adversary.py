"""What an attacker who follows the track infers from a release: beliefs over cells of the map, and what they are worth.

The attacker knows the cells, what `knowledge` says, the mechanism and every budget, and computes exactly. The true track is
unknown to the attacker: it is used here only to compute errors, as only a simulation can, and where the chosen knowledge
is learned from it. The cells are an approximation of the plane, but errors are distances to the true place.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.answers.attacker_error import (
    READER,
    counting,
    distances_to,
    errors_by_reader,
    errors_of_guesses,
    true_places,
)
from lmdk_widgets.answers.prior_moves import Cells, Stretch, attacker_states, stretches
from lmdk_widgets.budgets import Release
from lmdk_widgets.cache import cached
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference import (
    Moves,
    TrackPosterior,
    best_guesses,
    credible_region,
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
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series

if TYPE_CHECKING:
    from lmdk_widgets.geo import Area


LOOKS = {"both": "smoothed", "any": "smoothed", "past": "filtered", "future": "predicted"}
"""What an adversary who looks in this direction believes, as an attribute of `TrackPosterior`."""

BOUNDS = {"smoothed": "total", "filtered": "backward", "predicted": "forward"}
"""The part of the temporal privacy loss that bounds what is then learned."""

CLASSES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
"""Where the classes of the map's colours begin; below the first a cell is left empty."""

SHARES = (0.5, 0.95)
"""The shares of the belief in the two regions on the map."""

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
    """How good a belief is at each of n timestamps. Both numbers are computed with the truth, which no attacker knows.

    Attributes
    ----------
    error_m : (n,) distance from the best guess, the middle of a cell, to the true place, metres. right : (n,) the chance
        of the true cell.
    """

    error_m: Floats
    right: Floats


@dataclass(frozen=True, eq=False)
class Inferred:
    """What an attacker infers over m cells at each of n timestamps.

    Attributes
    ----------
    area : the cells, or a series' levels, whose unit lengths then have. truth : (n,) the cell of each timestamp.
    place : (n, 2) the true places in metres of the cells' frame; for a series, (n,) its values.
    belief : (n, m) the belief after the whole release, or after the part of it that the attacker sees.
    guess : (n,) the cell of least expected distance. path : (n,) the likeliest track as a whole.
    whole, alone, blind : how good this belief is, from what is seen, from the timestamp's release alone, and from none.
    by_reader : (n,) the error with the reader's model of movement instead of the chosen chain, metres
        (`attacker_error`); None where it is not computed.
    learned : (n,) the most by which the odds of two cells changed, as a logarithm.
    bound : (n,) the temporal privacy loss of the budgets under the attacker's moves, at the protection radius; None where
        these are not equally likely in both directions, for which the page computes none. Under randomised response
        `learned` never exceeds it.
    changed : (n, 2) the cells whose odds changed most: the odds of the first to the second grew. pair_bound : (n,) the
        loss between these two, pair by pair, with the cells where they are, which `learned` never exceeds; None for a
        series, under randomised response, without `bound`, for moves that are not equally likely to go anywhere, and
        for more than `MOST_PAIRS`.
    far_bound : (n,) `bound` with each budget counted at the largest distance of two of the cells, which `learned` never
        exceeds; for places for which `pair_bound` is None.
    stays : how likely a person is believed to stay for a timestamp, on average over the cells.
    """

    area: Area | Levels
    truth: Cells
    place: Floats
    belief: Floats
    guess: NDArray[np.intp]
    path: NDArray[np.intp]
    whole: Worth
    alone: Worth
    blind: Worth
    by_reader: Floats | None
    learned: Floats
    bound: Floats | None
    changed: Cells
    pair_bound: Floats | None
    far_bound: Floats | None
    stays: float

    def __len__(self) -> int:
        return len(self.truth)

    @property
    def model(self) -> str:
        """Whose error counts, the smaller one: "chain" or "reader"."""
        return counting(self.whole.error_m, self.by_reader)

    @property
    def error_m(self) -> Floats:
        """(n,) the attacker's error: from the best guess of the model that counts to the true place, metres."""
        return self.by_reader if self.by_reader is not None and self.model == READER else self.whole.error_m

    @property
    def path_error_m(self) -> Floats:
        """(n,) from the cell of the likeliest path to the true place, metres."""
        return distances_to(self.place, self.area, self.path)

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
    >>> found.belief.shape, bool(found.error_m.mean() < found.blind.error_m.mean()), found.model
    ((8, 189), True, 'reader')
    """
    area, truth, seen, parts = evidence_of(outcome, knowledge or Knowledge())
    look = LOOKS[outcome.scenario.adversary]
    found = [track_posterior(part.prior, part.moves, seen[part.span]) for part in parts]
    belief, place = joined(found, look), true_places(outcome, area)
    guess = best_guesses(belief, area.distances_m)
    (by_reader,) = errors_by_reader([outcome], look)
    change = [learned(getattr(each, f"log_{look}"), each.log_marginal) for each in found]
    changed = _changed(joined(found, f"log_{look}"), joined(found, "log_marginal"))
    pair_bound = _pair_bound(outcome, area, parts[0], look, changed)
    return Inferred(
        area=area,
        truth=truth,
        place=place,
        belief=belief,
        guess=guess,
        path=np.concatenate([likeliest_path(part.prior, part.moves, seen[part.span]) for part in parts]),
        whole=Worth(distances_to(place, area, guess), hits(belief, truth)),
        alone=worth_of(joined(found, "alone"), area, truth, place),
        blind=worth_of(joined(found, "marginal"), area, truth, place),
        by_reader=by_reader,
        learned=np.concatenate(change),
        bound=_bound(outcome, parts[0], look),
        changed=changed,
        pair_bound=pair_bound,
        far_bound=_far_bound(outcome, area, parts[0], look) if pair_bound is None else None,
        stays=_stays(parts),
    )


class Evidence(NamedTuple):
    """What the attacker has: m cells, the true one of each of n timestamps, the logarithms of the likelihood of what was
    released at each, (n, m), and the parts of the track that are attacked one by one, with what is known of each."""

    area: Area | Levels
    truth: Cells
    seen: Floats
    parts: list[Stretch]


def evidence_of(outcome: Outcome, knowledge: Knowledge) -> Evidence:
    """What the attacker has of an outcome, with what is known beforehand.

    Raises
    ------
    InputError : a track that is too long.
    """
    area, truth, parts = _known(outcome, knowledge)
    return Evidence(area, truth, seen_over(area, outcome), parts)


def _known(outcome: Outcome, knowledge: Knowledge) -> tuple[Area | Levels, Cells, list[Stretch]]:
    """What the attacker has before the release."""
    scenario, trajectory = outcome.scenario, outcome.trajectory
    check_followed(scenario, knowledge, trajectory)
    area = attacker_states(scenario, knowledge, trajectory)
    truth = area.cell_of(outcome.ground.values) if isinstance(area, Levels) else cells_of(area, trajectory)
    return area, truth, list(stretches(scenario, knowledge, trajectory, outcome.correlation, area, truth))


class Attacked(NamedTuple):
    """What an attacker finds out from a release: the error and the model that counts, as `error_m` and `model` of
    `Inferred`, and (n,) the chance of the true cell by the chosen chain."""

    error_m: Floats
    model: str
    right: Floats


def attacks(released: Iterable[tuple[Outcome, Knowledge]]) -> list[Attacked]:
    """What an attacker with this knowledge finds out from the release of each outcome: where the same is known
    beforehand, several releases are attacked together.

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
        look, place = LOOKS[outcomes[which[0]].scenario.adversary], true_places(outcomes[which[0]], area)
        most = max(1, min(TOGETHER, MOST_NUMBERS // (len(truth) * len(area))))
        for some in np.array_split(which, -(-len(which) // most)):
            seen = np.stack([seen_over(area, outcomes[k]) for k in some])
            worths = []
            for part in parts:
                beliefs = many_beliefs(part.prior, part.moves, seen[:, part.span], look)
                right = beliefs[:, np.arange(beliefs.shape[1]), truth[part.span]]
                worths.append(np.stack((errors_of_guesses(beliefs, area, place[part.span]), right), axis=1))
            found |= {k: Worth(*worth) for k, worth in zip(some.tolist(), np.concatenate(worths, axis=2), strict=True)}
    return [_counted(found[k], by_reader) for k, by_reader in enumerate(_by_reader(outcomes))]


def _by_reader(outcomes: list[Outcome]) -> list[Floats | None]:
    """The errors by the reader's model: of all that see the whole release together."""
    found: list[Floats | None] = [None] * len(outcomes)
    looks = [LOOKS[outcome.scenario.adversary] for outcome in outcomes]
    for look in set(looks):
        which = [k for k, each in enumerate(looks) if each == look]
        for k, errors in zip(which, errors_by_reader([outcomes[k] for k in which], look), strict=True):
            found[k] = errors
    return found


def _counted(by_chain: Worth, by_reader: Floats | None) -> Attacked:
    model = counting(by_chain.error_m, by_reader)
    error_m = by_reader if by_reader is not None and model == READER else by_chain.error_m
    return Attacked(error_m, model, by_chain.right)


def seen_over(area: Area | Levels, outcome: Outcome) -> Floats:
    """(n, m) logarithms of the likelihood of what was released, if the truth were each of m cells or the middle of a
    level."""
    return log_likelihoods(released_of(outcome, area), area.points_m, mechanism_of(outcome))


def released_of(outcome: Outcome, area: Area | Levels) -> Release:
    """The release of an outcome as the attacker has it, in the frame of the cells."""
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


def worth_of(belief: Floats, area: Area | Levels, truth: Cells, place: Floats) -> Worth:
    """How good a belief is, judged by someone who has the truth."""
    return Worth(errors_of_guesses(belief, area, place), hits(belief, truth))


def _bound(outcome: Outcome, part: Stretch, look: str, times: float = 1.0) -> Floats | None:
    """The loss of `times` these budgets to an attacker with these moves; the uniform start lasts, and the moves are the
    same when reversed."""
    if part.loss is None or part.span != slice(0, len(outcome)):
        return None
    loss = part.loss()
    found: Floats = getattr(temporal_loss(loss, loss, outcome.budgets * times), BOUNDS[look])
    return found


def _far_bound(outcome: Outcome, area: Area | Levels, part: Stretch, look: str) -> Floats | None:
    """The same as if all cells were as far apart as the two that are farthest apart."""
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
    """The loss of these budgets between two cells, where it needs no trees."""
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
    """A cell in which the attacker believes the nights, or the working days, are mostly spent. right : whether they are.
    off_m : metres from its middle to the median of the true places in the cell where they are, the nearest where several
    share the most."""

    when: str
    days: int
    cell: int
    right: bool
    off_m: float


@cached("visitor", entries=4)
def haunts(trajectory: Trajectory, found: Inferred) -> tuple[Haunt, ...]:
    """The cells of the nights and of the working days, where the track has timestamps then.

    The hours are those of `home_and_work`, by the clock of the track's zone where it is known, and UTC otherwise.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario, evaluate, infer
    >>> from lmdk_widgets.trajectory import sample
    >>> outcome = evaluate(Scenario(track="commuter", scheme="event"), sample("commuter"))
    >>> [(haunt.when, haunt.days, haunt.right) for haunt in haunts(outcome.trajectory, infer(outcome))]
    [('at night', 8, True), ('on working days', 5, True)]
    """
    if isinstance(trajectory, Series):  # it has no places
        return ()
    time = clock_times(trajectory, trajectory.zone or "UTC")
    believed, true = home_and_work(found.belief, time), home_and_work(np.eye(len(found.area))[found.truth], time)
    said = []
    for when, days, cell, right in (
        ("at night", believed.nights, believed.home, true.night),
        ("on working days", believed.days, believed.work, true.day),
    ):
        if cell is not None and right is not None:
            most = np.flatnonzero(right >= right.max() * (1 - 1e-9))
            there = [np.median(found.place[found.truth == each], axis=0) for each in most]
            off_m = min(float(np.hypot(*(found.area.points_m[cell] - place))) for place in there)
            said.append(Haunt(when, days, cell, bool((most == cell).any()), off_m))
    return tuple(said)
