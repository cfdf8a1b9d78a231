"""Sources of true values: the only part of a release that reads them.

A source combines the values with a mechanism; a draw is one release in progress. A mechanism that adds noise draws its
random numbers for all timestamps before anything is decided, first the noise, then the numbers for decisions, so the
noise at a timestamp depends only on the generator. Randomised response has one uniform number for each timestamp, and
flips the answer if the number is below the probability of a wrong answer: with the same seed, a larger budget only
removes wrong answers. A mechanism that is a function draws its own numbers whenever it is called, after the numbers for
decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import kind_of, numbers, one_of, points, positive, refused, series
from lmdk_widgets.checks import options as check_options
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.noise import Laplace, Mechanism, PlanarLaplace, RandomizedResponse
from lmdk_widgets.noise.mechanisms import checked_answers

MECHANISMS: dict[str, tuple[Callable[..., Mechanism], str]] = {
    "laplace": (Laplace, "sensitivity"),
    "planar-laplace": (PlanarLaplace, "radius_m"),
}
"""Mechanisms that can be named, with the option that each accepts."""

Numbers = NDArray[np.float64] | NDArray[np.complex128]


class Draw:
    """One release in progress: how an output is made, and how far apart outputs and true values are.

    Attributes
    ----------
    source : of the values. n : number of timestamps. size : scale of the noise at budget 1.
    """

    source: Any
    n: int
    size: float

    def perturb(self, t: int, budget: float) -> Any:
        """A private output for timestamp t."""
        raise NotImplementedError

    def distance(self, a: Any, b: Any) -> float:
        """How far apart two outputs are."""
        return abs(a - b)

    def off(self, t: int, output: Any) -> float:
        """How far an output is from the true value of timestamp t."""
        raise NotImplementedError

    def displacement(self, budget: float) -> float:
        """The mean distance of a new output from its true value, by default proportional to 1 / budget."""
        return self.source.displacement / budget


class NoiseSource:
    """True values with a mechanism that adds noise.

    Points are represented as complex numbers, so the same difference and absolute value work for series and for points.

    Attributes
    ----------
    true : (n,) float64, or complex128 for points.
    size, displacement : the mechanism's scale and mean displacement at budget 1.
    """

    def __init__(self, values: Any, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.true = _flat(points(values, "values") if mechanism.dimension == 2 else _series(values))
        self.size, self.displacement = mechanism.scale(1.0), mechanism.mean_displacement(1.0)

    def __len__(self) -> int:
        return len(self.true)

    def noise(self, rng: np.random.Generator) -> Numbers:
        """Noise at scale 1 for all timestamps, in the form of `true`."""
        return _flat(self.mechanism.standard_noise(len(self), rng))

    def draw(self, rng: np.random.Generator) -> NoiseDraw:
        """One release in progress."""
        return NoiseDraw(self, rng)

    def public(self, value: Any) -> Any:
        """A public value in the form of an output: a float, or a complex number for a point."""
        array, plane = numbers(value, "initial"), self.mechanism.dimension == 2
        if array.shape != ((2,) if plane else ()):
            raise refused("initial", "a point in metres, shape (2,)" if plane else "one number", f"shape {array.shape}")
        return complex(*array) if array.shape else float(array)


class NoiseDraw(Draw):
    """A draw that adds noise to the values."""

    def __init__(self, source: NoiseSource, rng: np.random.Generator) -> None:
        self.source, self.noise = source, source.noise(rng)
        self.n, self.size = len(source), source.size

    @cached_property
    def _lists(self) -> tuple[list[Any], list[Any]]:
        return self.source.true.tolist(), self.noise.tolist()

    def perturb(self, t: int, budget: float) -> Any:
        """``true + noise size / budget``."""
        true, noise = self._lists
        return true[t] + noise[t] * (self.size / budget)

    def off(self, t: int, output: Any) -> float:
        """The absolute difference."""
        return abs(output - self._lists[0][t])

    def outputs(self, budgets: Floats, initial: Any = None) -> Floats:
        """The published outputs: ``true + noise size / budget``, repeated where the budget is 0, (n,) or (n, 2)."""
        when = np.flatnonzero(budgets)
        fresh = self.noise.take(when)
        fresh *= self.source.size / budgets.take(when)
        fresh += self.source.true.take(when)
        flat = repeated(fresh, when, len(budgets), initial)
        return flat.view(np.float64).reshape(-1, 2) if flat.dtype == complex else flat


class AnswerSource:
    """True answers, 0 or 1, with randomised response.

    Attributes
    ----------
    true : (n,) float64.
    """

    def __init__(self, values: Any, mechanism: RandomizedResponse) -> None:
        self.true, self.mechanism = checked_answers(values, "values"), mechanism

    def __len__(self) -> int:
        return len(self.true)

    def draw(self, rng: np.random.Generator) -> AnswerDraw:
        """One release in progress."""
        return AnswerDraw(self, rng)

    def public(self, value: Any) -> float:
        """A public answer, as a number."""
        return float(checked_answers([value], "initial")[0])

    def errors(self, outputs: Floats) -> Floats:
        """1 where an output is wrong, 0 where it is right, NaN where there is none, (n,)."""
        return np.abs(outputs - self.true)


class AnswerDraw(Draw):
    """A draw of answers that may be flipped: two different answers differ by more than any scale of noise."""

    def __init__(self, source: AnswerSource, rng: np.random.Generator) -> None:
        self.source, self.uniforms = source, rng.random(len(source))
        self.n, self.size = len(source), 1.0

    def perturb(self, t: int, budget: float) -> float:
        """The answer, or the other one."""
        wrong = self.uniforms[t] < self.source.mechanism.wrong(budget)
        return abs(float(self.source.true[t]) - float(wrong))

    def distance(self, a: float, b: float) -> float:
        """Infinite if they differ."""
        return inf if a != b else 0.0

    def off(self, t: int, output: float) -> float:
        """1 if it is wrong: an answer changes this by at most 1, which Laplace noise of scale 1 / budget covers."""
        return abs(output - float(self.source.true[t]))

    def displacement(self, budget: float) -> float:
        """The probability that a new answer is wrong."""
        return float(self.source.mechanism.wrong(budget))

    def outputs(self, budgets: Floats, initial: Any = None) -> Floats:
        """The published outputs: the answer, or the other one; repeated where the budget is 0, (n,)."""
        when = np.flatnonzero(budgets)
        wrong = self.uniforms[when] < self.source.mechanism.wrong(budgets[when])
        fresh: Floats = np.abs(self.source.true[when] - wrong)
        outputs: Floats = repeated(fresh, when, len(budgets), initial)
        return outputs


class CallSource:
    """True values with a mechanism that is a function ``(value, epsilon, rng) -> output``.

    A value is read only when it is perturbed or compared.
    """

    def __init__(self, values: Any, function: Callable[..., Any], options: Mapping[str, Any]) -> None:
        if not len(values):
            raise InputError("values must have at least one timestamp")
        self.values, self.function = values, function
        self.size = self.displacement = positive(options.get("sensitivity", 1.0), "sensitivity")
        self.distance: Callable[[Any, Any], float] = options.get("distance") or _euclidean

    def __len__(self) -> int:
        return len(self.values)

    def draw(self, rng: np.random.Generator) -> CallDraw:
        """One release in progress."""
        return CallDraw(self, rng)

    def public(self, value: Any) -> Any:
        """A public value, unchanged."""
        return value

    def errors(self, outputs: Floats) -> Floats:
        """Distances between outputs and true values, (n,)."""
        pairs = zip(outputs, self.values, strict=True)
        return np.array([self.distance(output, value) for output, value in pairs], float)


class CallDraw(Draw):
    """A draw of values that a function perturbs."""

    def __init__(self, source: CallSource, rng: np.random.Generator) -> None:
        self.source, self.rng = source, rng
        self.n, self.size, self.distance = len(source), source.size, source.distance  # type: ignore[assignment, method-assign]
        self.made: list[Any] = []

    def perturb(self, t: int, budget: float) -> Any:
        """The function's output for the value, which is read now."""
        output = self.source.function(self.source.values[t], budget, self.rng)
        self.made.append(output)
        return output

    def off(self, t: int, output: Any) -> float:
        """Measured by the distance given with the function."""
        return self.source.distance(output, self.source.values[t])

    def outputs(self, budgets: Floats, initial: Any = None) -> Floats:
        """The published outputs, (n, ...), made now unless a decision needed them; repeated where the budget is 0."""
        if not self.made:
            for t in np.flatnonzero(budgets).tolist():
                self.perturb(t, float(budgets[t]))
        example = self.made[0] if self.made else self.source.values[0] if initial is None else initial
        fresh = np.array(self.made, float).reshape(-1, *np.shape(example))
        return repeated(fresh, np.flatnonzero(budgets), len(budgets), initial)


Source = NoiseSource | AnswerSource | CallSource


def source(values: Any, mechanism: Any, options: dict[str, Any], allowed: set[str], scheme: str) -> Source:
    """The source for the mechanism that the caller passed; `allowed` are the scheme's options."""
    if isinstance(mechanism, str):
        remedy = "You can also pass a mechanism object or a function"
        kind, option = MECHANISMS[one_of(mechanism, "mechanism", MECHANISMS, remedy=remedy)]
        check_options(options, f'the scheme "{scheme}" with "{mechanism}"', allowed | {option})
        return NoiseSource(values, kind(options[option]) if option in options else kind())
    if all(hasattr(mechanism, name) for name in ("dimension", "scale", "standard_noise", "mean_displacement")):
        check_options(options, f'the scheme "{scheme}" with a mechanism object', allowed)
        return NoiseSource(values, mechanism)
    if isinstance(mechanism, RandomizedResponse):
        check_options(options, f'the scheme "{scheme}" with randomised response', allowed)
        return AnswerSource(values, mechanism)
    if callable(mechanism):
        check_options(options, f'the scheme "{scheme}" with a function', allowed | {"sensitivity", "distance"})
        return CallSource(values, mechanism, options)
    raise refused(
        "mechanism",
        "an object such as Laplace(), PlanarLaplace() or RandomizedResponse(), a name, or a function (value, epsilon, rng)",
        kind_of(mechanism),
    )


def repeated(fresh: Any, when: NDArray[np.intp], n: int, initial: Any) -> Any:
    """n outputs: those made at timestamps `when`, each repeated until the next; before them `initial`, or NaN."""
    if len(when) == n:
        return fresh
    missing = initial if initial is not None else complex(np.nan, np.nan) if fresh.dtype == complex else np.nan
    outputs = np.empty((n, *fresh.shape[1:]), fresh.dtype)
    if not len(when):
        outputs[:] = missing
        return outputs
    outputs[: when[0]] = missing
    outputs[when[0] :] = np.repeat(fresh, np.append(when[1:], n) - when, axis=0)
    return outputs


def _flat(array: Floats) -> Numbers:
    """(n,) from (n,), or as complex numbers from (n, 2)."""
    return array if array.ndim == 1 else np.ascontiguousarray(array).view(np.complex128)[:, 0]


def _series(values: Any) -> Floats:
    array = numbers(values, "values", remedy="Drop the timestamps without a value")
    return series(array, "values", remedy="Points in metres, (n, 2), need PlanarLaplace" if array.ndim == 2 else "")


def _euclidean(a: Any, b: Any) -> float:
    return float(np.linalg.norm(np.subtract(a, b)))
