"""The compared mechanisms, each as a channel, and the numbers used to assess them."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.geoind import (
    Channel,
    adversary_error,
    bayes_capacity,
    bayes_security,
    bayes_vulnerability,
    best_remap,
    most_private_mechanism,
    planar_laplace_channel,
    posterior,
    quality_loss,
    smallest_epsilon,
)

MECHANISMS: dict[str, str] = {
    "optimal": "Optimal: the least error that this privacy allows.",
    "spanner": "Spanner: far fewer constraints, at some loss.",
    "planar": "Planar Laplace: noise around the true place, then the nearest cell.",
    "remapped": "Planar Laplace, remapped: each report replaced by the best guess for it.",
    "private": "OptPriv: the largest adversary error for the optimal mechanism's loss; no geo-indistinguishability.",
}

LEAST = ("optimal", "spanner")
"""The mechanisms with the least quality loss under their constraints, found as ever better incumbents."""


NEAR = 1e-9
"""A distance may exceed a radius by this share, by rounding."""


@dataclass(frozen=True, eq=False)
class Instance:
    """What a mechanism is made for: places, distances (n, n) in metres, the prior (n,), and a second prior (n,).

    `distances_m` is the privacy metric; `quality_m` and `error_m` are (n, n) from the true place to the report and to the
    guess, None for the same metric.
    `public`: neither the places nor the prior come from the user's own data, so solutions may be shared with others.
    """

    points_m: Floats
    distances_m: Floats
    prior: Floats
    other: Floats
    quality_m: Floats | None = None
    error_m: Floats | None = None
    public: bool = False

    def __len__(self) -> int:
        return len(self.prior)

    @cached_property
    def key(self) -> tuple[bytes, bytes]:
        """A digest of places and distances, and the prior: what a mechanism depends on besides its privacy."""
        apart = self.distances_m, self.quality, self.error
        digest = hashlib.sha256(b"".join(values.tobytes() for values in (self.points_m, *apart)))
        return digest.digest(), self.prior.tobytes()

    @property
    def quality(self) -> Floats:
        """(n, n) what a report costs, from the true place (row) to the reported one."""
        return self.distances_m if self.quality_m is None else self.quality_m

    @property
    def error(self) -> Floats:
        """(n, n) how far off a guess is, from the true place (row) to the guess."""
        return self.distances_m if self.error_m is None else self.error_m

    @cached_property
    def blind_m(self) -> float:
        """The adversary's error before any report: the expected distance to the best single guess, metres."""
        return float((self.prior @ self.error).min())

    @property
    def blind_hit(self) -> float:
        """The chance that a guess before any report is exactly right: the largest prior."""
        return float(self.prior.max())


class EasiestPair(NamedTuple):
    """How often a guess between two near places is right at most, by the prior: over pairs no farther apart than far_m.

    far_m : metres of privacy distance. alone : by the prior alone. after : after a report.
    """

    far_m: float
    alone: float
    after: float


@dataclass(frozen=True, eq=False)
class Assessment:
    """A channel and how it performs under a prior.

    Attributes
    ----------
    channel : with its certificate. loss_m : expected distance to the report, metres. error_m : of the best guess of an
    adversary who knows the prior. other_loss_m, other_error_m : the same under the other prior, which that adversary knows.
    """

    channel: Channel
    loss_m: float
    error_m: float
    other_loss_m: float
    other_error_m: float
    instance: Instance

    @cached_property
    def hit(self) -> float:
        """The chance that the guess of an adversary who knows the prior is exactly right (Bayes vulnerability)."""
        return bayes_vulnerability(self.channel.matrix, self.instance.prior)

    @cached_property
    def capacity(self) -> float:
        """How many times likelier a report makes a right guess at most, whatever is believed beforehand (Bayes capacity),
        with what the error of an entry can add."""
        return min(
            bayes_capacity(self.channel.matrix) + len(self.channel) * self.channel.error, float(len(self.channel))
        )

    @cached_property
    def security(self) -> float:
        """The share of wrong guesses that stay wrong at least, whatever is believed beforehand (Bayes security), without
        what the error of an entry can hide."""
        return max(0.0, bayes_security(self.channel.matrix) - len(self.channel) * self.channel.error)

    @cached_property
    def remap(self) -> NDArray[np.intp]:
        """The best guess for each report, (n,); for a report that is never made, the best guess before any report."""
        return best_remap(self.channel.matrix, self.instance.prior, self.instance.error)

    @cached_property
    def reader_m(self) -> Floats:
        """(n,) how far off the report is from each true place, on average over reports."""
        return np.asarray((self.channel.matrix * self.instance.quality).sum(axis=1))

    @cached_property
    def attacker_m(self) -> Floats:
        """(n,) how far off the best guess after the report is, from each true place."""
        return np.asarray((self.channel.matrix * self.instance.error[:, self.remap]).sum(axis=1))

    @cached_property
    def belief(self) -> Floats:
        """What the adversary believes after each report, (n, n), columns sum to 1."""
        return posterior(self.channel.matrix, self.instance.prior)

    @cached_property
    def right_of_two(self) -> Floats:
        """(n, n) how often the best guess between two places is right after a report, each as likely as the prior says:
        ``sum_z max(p_x K_xz, p_y K_yz) / (p_x + p_y)``; nan for a place and itself, and where one of them is impossible."""
        prior, joint = self.instance.prior, self.instance.prior[:, None] * self.channel.matrix
        found = np.array([np.maximum(joint, row).sum(axis=1) for row in joint])
        both = (prior[:, None] > 0) & (prior > 0) & ~np.eye(len(prior), dtype=bool)
        return np.where(both, found / np.where(both, prior[:, None] + prior, 1.0), np.nan)

    def easiest(self, radius_m: float) -> EasiestPair | None:
        """Of all pairs of places no farther apart than the radius, how often a guess between the two is right at most; of the
        nearest pairs if none is that near; None if only one place is possible."""
        apart, after, prior = self.instance.distances_m, self.right_of_two, self.instance.prior
        known = ~np.isnan(after)
        if not known.any():
            return None
        near = known & (apart <= radius_m * (1 + NEAR))
        if not near.any():
            near = known & (apart <= float(apart[known].min()) * (1 + NEAR))
        likelier = np.maximum(prior[:, None], prior)
        alone = likelier[near] / (prior[:, None] + prior)[near]
        return EasiestPair(float(apart[near].max()), float(alone.max()), float(after[near].max()))

    @cached_property
    def reports(self) -> Floats:
        """How likely each report is, (n,)."""
        return self.instance.prior @ self.channel.matrix


def excess(channel: Channel) -> float:
    """How far a loss may be above the least possible one, as a share of the latter: ``loss / bound - 1``, proven.

    For the mechanisms of `LEAST`; OptPriv's bound is of another kind.

    Returns
    -------
    0 or more; infinite while nothing is known about the least loss, nan for a mechanism that optimises no loss.

    Examples
    --------
    >>> half = np.full((2, 2), 0.5)
    >>> round(excess(Channel(half, 1.1, 0.0, 0.1, bound=1.0)), 6), excess(Channel(half, 1.0, 0.0, 1.0, bound=0.0))
    (0.1, inf)
    """
    if math.isnan(channel.gap) or math.isnan(channel.bound):
        return float("nan")
    above = max(0.0, channel.quality_loss - channel.bound)
    return above / channel.bound if channel.bound > 0 else math.inf if above else 0.0


def assess(channel: Channel, instance: Instance) -> Assessment:
    """The losses and the adversary's errors of a channel, under the prior it was made for and under the other one."""
    matrix, apart, off = channel.matrix, instance.quality, instance.error
    return Assessment(
        channel,
        quality_loss(matrix, instance.prior, apart),
        adversary_error(matrix, instance.prior, off),
        quality_loss(matrix, instance.other, apart),
        adversary_error(matrix, instance.other, off),
        instance,
    )


def remapped(channel: Channel, instance: Instance) -> Channel:
    """Each report replaced by the best guess for it: ``K'_xg = sum_{z: remap(z) = g} K_xz``.

    Guarantee: that of `channel`, as this is post-processing; `epsilon` is computed again and never larger. Under the
    prior of `instance` no other remapping of the reports loses less (Chatzikokolakis, ElSalamouny, Palamidessi, PoPETs
    2017, section 3).

    Examples
    --------
    >>> apart = np.array([[0.0, 2.0], [2.0, 0.0]])
    >>> instance = Instance(np.array([[0.0, 0.0], [2.0, 0.0]]), apart, np.array([0.9, 0.1]), np.array([0.5, 0.5]))
    >>> remapped(Channel(np.array([[0.75, 0.25], [0.25, 0.75]]), 0.5, 0.55, 0.0), instance).quality_loss
    0.2
    """
    guess = best_remap(channel.matrix, instance.prior, instance.quality)
    matrix = np.zeros_like(channel.matrix)
    np.add.at(matrix.T, guess, channel.matrix.T)
    return Channel(
        matrix=matrix,
        quality_loss=quality_loss(matrix, instance.prior, instance.quality),
        epsilon=min(channel.epsilon, smallest_epsilon(matrix, instance.distances_m)),
        gap=float("nan"),
        requested_epsilon=channel.requested_epsilon,
        method=f"{channel.method}, remapped",
        clipped=channel.clipped,
        mixed=channel.mixed,
        error=channel.error,
    )


def most_private(instance: Instance, allowed_m: float) -> Channel:
    """OptPriv for a loss of at most `allowed_m` metres, by its linear programme.

    Raises
    ------
    InputError : more than `geoind.private.MOST_PLACES` cells.
    """
    found = most_private_mechanism(instance.error, instance.prior, allowed_m, quality=instance.quality)
    return replace(found, epsilon=smallest_epsilon(found.matrix, instance.distances_m))


def planar(instance: Instance, epsilon_per_m: float) -> Channel:
    """Planar Laplace on the places, at the rate that satisfies epsilon for the privacy distance.

    That rate is epsilon times the smallest ratio of this distance to the straight line: 1 for straight lines and streets.
    """
    straight = np.hypot(*(instance.points_m[:, None] - instance.points_m[None]).transpose(2, 0, 1))
    if np.allclose(instance.distances_m, straight) and np.allclose(instance.quality, straight):
        return planar_laplace_channel(instance.points_m, epsilon_per_m)
    several = straight > 0
    share = float((instance.distances_m[several] / straight[several]).min(initial=np.inf))
    rate = epsilon_per_m * (1.0 if np.isinf(share) else share) * (1 - 1e-12)
    channel = planar_laplace_channel(instance.points_m, rate)
    loss = float((channel.matrix * instance.quality).sum() / len(instance))
    epsilon = smallest_epsilon(channel.matrix, instance.distances_m)
    return replace(channel, epsilon=epsilon, requested_epsilon=epsilon_per_m, quality_loss=loss)
