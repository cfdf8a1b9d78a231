"""Twelve mistakes that were made, or nearly: each planted by a patch, with what finds it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.budgets import SCHEMES
from lmdk_widgets.budgets.quanta import share
from lmdk_widgets.budgets.sources import NoiseDraw, NoiseSource
from lmdk_widgets.errors import InputError
from lmdk_widgets.noise import samplers
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.scenario.evaluation import draw_afresh
from lmdk_widgets.secure import ledger, points, series, track
from lmdk_widgets.secure.spending import Reported
from lmdk_widgets.secure.together import Minutes
from lmdk_widgets.trajectory import sample

Plant = Callable[[pytest.MonkeyPatch], None]


@dataclass(frozen=True)
class Found:
    """How the audit finds a mistake: the subject's name, the epsilon claimed, and the draws for each input."""

    subject: str
    draws: int
    epsilon: float = 1.0
    library: str = ""


def planar_scale(patch: pytest.MonkeyPatch) -> None:
    """Planar noise 1.3 times too small."""
    real = samplers.standard_planar_laplace
    patch.setattr(samplers, "standard_planar_laplace", lambda n, rng: real(n, rng) / 1.3)


def lattice_rate(patch: pytest.MonkeyPatch) -> None:
    """Noise on the lattice at 1.3 times its rate."""
    real = points.lattice_laplace
    patch.setattr(points, "lattice_laplace", lambda n, rate, entropy: real(n, rate * Fraction(13, 10), entropy))


def one_noise(patch: pytest.MonkeyPatch) -> None:
    """The noise of the first timestamp at all of them: what moves is the truth."""
    real = NoiseSource.noise
    patch.setattr(NoiseSource, "noise", lambda self, rng: np.full(len(self), real(self, rng)[0]))


def uniform_by_landmarks(patch: pytest.MonkeyPatch) -> None:
    """Uniform divides by the landmarks alone, and forgets any one other timestamp."""
    kind = type(SCHEMES["uniform"])
    patch.setattr(kind, "allocate", lambda self, n, marks, epsilon, w: np.full(n, share(epsilon, len(marks))))


def unclipped(patch: pytest.MonkeyPatch) -> None:
    """A comparison sees numbers beyond the bounds, which the noise was not made for."""
    patch.setattr(series, "_clipped", lambda by, settings, values: values)


def last_digit(patch: pytest.MonkeyPatch) -> None:
    """Places are not moved to the lattice: what is left beyond whole steps is the truth."""
    patch.setattr(points, "snapped", lambda at, step: np.asarray(at) / float(step))


def half_a_window(patch: pytest.MonkeyPatch) -> None:
    """The w-event scheme shares its budget over half of the window."""
    kind = type(SCHEMES["window"])
    patch.setattr(kind, "allocate", lambda self, n, marks, epsilon, w: np.full(n, share(epsilon, w // 2)))


def last_entry(patch: pytest.MonkeyPatch) -> None:
    """The ledger adds the last release to the new one, and forgets those before."""
    real = ledger.at_most
    patch.setattr(ledger, "at_most", lambda key, subject, entries, new: real(key, subject, list(entries)[-1:], new))


def noiseless_comparison(patch: pytest.MonkeyPatch) -> None:
    """A private comparison without noise."""
    off = lambda self, t, output, budget: float(np.linalg.norm(np.atleast_1d(self.true[t] - output)))  # noqa: E731
    patch.setattr(Reported, "compared", off)


def no_allowance(patch: pytest.MonkeyPatch) -> None:
    """The rate of a track leaves out what the lattice and the flat frame add."""
    patch.setattr(track.Settings, "rate", lambda self, budget: budget / self.radius_m)


def compares_with_the_truth(patch: pytest.MonkeyPatch) -> None:
    """Adaptive asks how far the true values moved, and not the outputs."""
    at: dict[Any, int] = {}
    real = NoiseDraw.perturb

    def perturb(self: NoiseDraw, t: int, budget: float) -> Any:
        found = real(self, t, budget)
        at[found] = t
        return found

    patch.setattr(NoiseDraw, "perturb", perturb)
    patch.setattr(NoiseDraw, "distance", lambda self, a, b: abs(self.source.true[at[a]] - self.source.true[at[b]]))


def page_seed(patch: pytest.MonkeyPatch) -> None:
    """A file is drawn from the seed of the page, so that anyone can take its noise off."""
    real = np.random.default_rng
    patch.setattr(np.random, "default_rng", lambda seed=None: real(Scenario().seed if seed is None else seed))


PLANTED: Mapping[str, tuple[Plant, Found | None]] = {
    "planar scale": (planar_scale, Found("planar Laplace", 40_000)),
    "lattice rate": (lattice_rate, Found("private release of points", 40_000)),
    "one noise": (one_noise, Found("search: Uniform on a page", 3_000)),
    "uniform by landmarks": (uniform_by_landmarks, Found("scheme uniform", 12_000)),
    "unclipped comparison": (unclipped, Found("search: private release of numbers", 100_000, library="opendp")),
    "last digit": (last_digit, Found("search: private release of places by Adaptive", 30_000)),
    "half a window": (half_a_window, Found("scheme window", 2_000)),
    "ledger": (last_entry, None),
    "noiseless comparison": (noiseless_comparison, Found("search: private release of places by Predictive", 1_500_000)),
    "allowance": (no_allowance, Found("private release of a track, pair 2", 12_000)),
    "truth": (compares_with_the_truth, Found("search: Adaptive on a page", 20_000)),
    "page seed": (page_seed, None),
}


def ledger_forgets(folder: Path) -> bool:
    """Whether three releases of .4 each, in other minutes with a landmark each, pass a limit of 1."""
    kept = ledger.Ledger(folder / "spent.json")
    try:
        for k in range(3):
            minutes = Minutes({k: 0.4}, frozenset([k]))
            kept.spend(bytes([k]), {"scheme": "event", "epsilon": 0.4}, minutes=minutes, subject="bob", limit=1.0)
    except InputError:
        return False
    return True


def file_has_the_noise_of_the_page() -> bool:
    """Whether a file repeats the release that the page shows, whose seed is in its link."""
    scenario, data = Scenario(scheme="event", landmarks=(), epsilon=0.1), sample("bob")
    shown, (latitude, _) = evaluate(scenario, data), draw_afresh(scenario, data)
    return bool(np.allclose(shown.latitude, latitude, rtol=0, atol=1e-9)) and math.isfinite(latitude[0])
