"""How a private release spends its budget: as fixed beforehand, or as a scheme decides from its outputs.

Adaptive only sees outputs and coins, so its decisions are post-processing and cost no budget. What was spent is known at the
end, and keeps the scheme's promise whatever it decided. Budget Distribution, Budget Absorption and Predictive compare the
last output with the true value: each comparison has its own exact noise, and costs its budget at every timestamp.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.budgets import FIXED_SCHEMES, SCHEMES, allocate, landmark_totals
from lmdk_widgets.budgets.schemes.comparing import Comparing, halves
from lmdk_widgets.budgets.sources import Draw
from lmdk_widgets.checks import fraction, indices, number, one_of, positive, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.secure.exact import discrete_laplace, system_entropy
from lmdk_widgets.secure.ledger import Ledger
from lmdk_widgets.secure.together import Minutes, minutes_of, upward
from lmdk_widgets.trajectory.raw import MAX_TIMESTAMPS

GIVEN = "given"
"""The scheme name for budgets set by hand."""

RELEASED_SCHEMES = tuple(
    name
    for name, scheme in SCHEMES.items()
    if name in FIXED_SCHEMES or scheme.by_outputs or isinstance(scheme, Comparing)
)
"""The schemes of private releases: none decides from true values, except by a comparison that is itself private."""

STEPS, MOST_STEPS = 20, 22
"""Grid steps per protected length in a comparison, and the steps for which noise is drawn: two such comparisons,
each rounded down, differ by at most 20."""

EPSILON = 1e-9, 1e6
"""The smallest and the largest epsilon of a scheme, as on the pages."""

SPARE = 1 + 1e-9
"""Factor on the smallest budget, which is computed in floating point."""


@dataclass(frozen=True)
class Spending:
    """The settings of every private release.

    Attributes
    ----------
    scheme : one of `RELEASED_SCHEMES`, or "given". epsilon : the budget. landmarks : indices from 0. window : w of schemes
    with a window. budgets : of each timestamp, only for the scheme "given".
    increase, decrease : how fast Adaptive's sampling rate rises and falls, in (0, 1).
    chance : probability with which each other timestamp is also protected, drawn by the ledger's key; None: no dummies.
    """

    scheme: Any = "uniform"
    epsilon: float = 1.0
    landmarks: tuple[int, ...] = ()
    window: int | None = None
    budgets: tuple[float, ...] = ()
    increase: float = 0.3
    decrease: float = 0.3
    chance: float | None = None

    @property
    def as_it_goes(self) -> bool:
        """Whether budgets depend on the outputs."""
        return self.scheme != GIVEN and SCHEMES[self.scheme].online

    @property
    def stated_window(self) -> int | None:
        """The window, if the scheme has one."""
        return self.window if self.scheme != GIVEN and SCHEMES[self.scheme].windowed else None

    @property
    def comparison(self) -> float:
        """The budget that each timestamp spends on a comparison."""
        if self.scheme == GIVEN or not SCHEMES[self.scheme].compares:
            return 0.0
        return halves(self.epsilon, whole(self.window, "window")).comparison


Asked = TypeVar("Asked", bound=Spending)


class Reported(Draw):
    """The outputs of a private release, made one after another.

    Parameters
    ----------
    n : timestamps. size : the protected length, never too small. report : (t, budget) -> a private output.
    true : (n,) or (n, 2) true values, only for comparisons; in the unit of the outputs.
    least : the smallest budget for which there is noise. With less nothing is reported: refusing a release because of its
    decisions would reveal them.

    Attributes
    ----------
    outputs : the outputs so far.
    """

    def __init__(
        self, n: int, size: float, report: Callable[[int, float], Any], true: Floats | None = None, least: float = 0.0
    ) -> None:
        self.n, self.size, self.report, self.true, self.least = n, size, report, true, least
        self.outputs: list[Any] = []

    def compared(self, t: int, output: Any, budget: float) -> float:
        """How far an output is from the true value at timestamp t, computed privately with this budget.

        Two values within `size` differ by at most `STEPS` grid steps, so discrete Laplace noise of budget / MOST_STEPS per
        step keeps their odds within e^budget. Fractions decide which step a distance is on: no rounding moves it.
        """
        assert self.true is not None
        ends = zip(np.atleast_1d(self.true[t]).tolist(), np.atleast_1d(output).tolist(), strict=True)
        squared = sum(((Fraction(a) - Fraction(b)) ** 2 for a, b in ends), Fraction(0))
        off = math.isqrt(math.floor(squared * STEPS**2 / Fraction(self.size) ** 2))
        return (off + discrete_laplace(Fraction(budget) / MOST_STEPS)) * (self.size / STEPS)

    def displacement(self, budget: float) -> float:
        """The mean distance of a new output from its true value; infinite if the budget is too small for noise."""
        if budget < self.least:
            return math.inf
        plane = self.true is not None and self.true.ndim == 2
        return (2 if plane else 1) * self.size / budget

    def perturb(self, t: int, budget: float) -> Any:
        """Make and store a private output for timestamp t."""
        self.outputs.append(self.report(t, budget))
        return self.outputs[-1]

    def distance(self, a: Any, b: Any) -> float:
        """How far apart two outputs are."""
        return float(np.linalg.norm(np.asarray(a, float) - b))


def budgets_of(settings: Spending, n: int) -> Floats:
    """The budgets of n timestamps, by a scheme or by hand, 0 where nothing is measured.

    For Adaptive they are its initial budgets; for a scheme that compares, the most that each timestamp can spend.

    Raises
    ------
    InputError : a scheme whose budgets depend on a chain; too many or too few budgets by hand, or one that is not a number
        of at least 0; budgets that are all 0.
    """
    remedy = "The budgets of other schemes depend on a chain, and are for simulations"
    one_of(settings.scheme, "scheme", (*RELEASED_SCHEMES, GIVEN), remedy=remedy)
    if settings.scheme != GIVEN:
        number(settings.epsilon, "epsilon", *EPSILON)
    if settings.as_it_goes:
        scheme, epsilon = SCHEMES[settings.scheme], positive(settings.epsilon, "epsilon")
        marked = indices(settings.landmarks, "landmarks", n)
        if not scheme.compares:
            return scheme.allocate(n, marked, epsilon, 1)
        window = whole(settings.window, "window", most=n)
        return np.full(n, scheme.largest(epsilon, window, 0.0))
    budgets = (
        _given(settings.budgets, n)
        if settings.scheme == GIVEN
        else allocate(settings.scheme, n, settings.landmarks, settings.epsilon, window=settings.window)
    )
    if not (budgets > 0).any():
        raise InputError("A release must measure at least one timestamp", value="none", remedy="Use another scheme")
    return budgets


def _given(budgets: Sequence[float], n: int) -> Floats:
    if len(budgets) != n:
        remedy = "Name --budgets with a number for each timestamp, such as .2x3,0,.1x4 for eight timestamps"
        raise InputError(
            f"The budgets by hand must be {n:,}, one for each timestamp", value=f"{len(budgets):,}", remedy=remedy
        )
    return np.array([number(budget, "a budget", 0, 1e6) for budget in budgets])


def spend_as_it_goes(settings: Spending, draw: Reported) -> tuple[Floats, Floats]:
    """(n,) budgets spent by a scheme that decides as it goes, and (n,) those of its outputs alone, 0 where it repeats one."""
    scheme = SCHEMES[settings.scheme]
    if isinstance(scheme, Comparing):
        split = halves(settings.epsilon, whole(settings.window, "window", most=draw.n))
        compare = partial(draw.compared, budget=split.comparison)
        amounts = scheme.loop(draw.n, split, draw.perturb, compare, draw.displacement)
        noise = np.fromiter(amounts, np.int64, draw.n).astype(np.float64) * split.quantum
        return noise + split.comparison, noise
    coins = np.asarray((system_entropy(draw.n) >> np.uint64(11)) * 2.0**-53, np.float64)
    rates = [fraction(getattr(settings, name), name, inside=True) for name in ("increase", "decrease")]
    marked = indices(settings.landmarks, "landmarks", draw.n)
    spent = scheme.spend(draw, coins, marked, settings.epsilon, *rates)
    return spent, spent


class Sums(NamedTuple):
    """What a guarantee states of the budgets.

    Attributes
    ----------
    top : the largest sum over the landmarks and any one other timestamp. whole : over all. timestamps : how many there are.
    """

    top: float
    whole: float
    timestamps: int

    @classmethod
    def of(cls, budgets: Floats, landmarks: Sequence[int]) -> Sums:
        """Of (n,) budgets."""
        return cls(float(landmark_totals(budgets, landmarks).max()), float(budgets.sum()), len(budgets))

    @classmethod
    def stated(cls, told: Mapping[str, Any]) -> Sums:
        """What a guarantee states."""
        top, whole = told["largest_sum_over_landmarks_and_one_other"], told["sum_over_all_timestamps"]
        return cls(top, whole, told["timestamps"])


def stated_settings(told: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a `Spending` that a guarantee states, with any timestamps as landmarks.

    A guarantee by version 1.0 states no window: where there are comparisons, it follows from their budget.

    Raises
    ------
    InputError, KeyError, TypeError, ValueError : not a guarantee.
    """
    scheme, epsilon = one_of(told["scheme"], "scheme", (*RELEASED_SCHEMES, GIVEN)), told["epsilon"]
    n = whole(told["timestamps"], "timestamps", most=MAX_TIMESTAMPS)
    count, comparing = whole(told["landmarks"], "landmarks", least=0, most=n), told["comparison_budget"]
    window = told["window"] if "window" in told else round(epsilon / (2 * comparing)) if comparing else None
    return {
        "scheme": scheme,
        "epsilon": epsilon,
        "landmarks": tuple(range(count)),
        "window": window,
        "chance": told["chance_of_a_dummy"],
    }


def with_dummies(settings: Asked, time: NDArray[np.datetime64], ledger: Ledger, subject: str) -> Asked:
    """The settings with dummies, if there are any, added to the landmarks; the ledger's key decides which timestamps they
    are.

    A subject's moment is always drawn the same way, whichever file it is in: a second draw would expose the landmarks.
    """
    if settings.chance is None:
        return settings
    if settings.scheme == GIVEN:
        raise InputError("Budgets by hand must come without dummies", remedy="Name a scheme, which sets their budgets")
    joins = ledger.joins(time, subject, settings.chance)
    joins[list(indices(settings.landmarks, "landmarks", len(time)))] = True
    return replace(settings, landmarks=tuple(np.flatnonzero(joins).tolist()))


def most_spent(
    settings: Spending, time: NDArray[np.datetime64], radius_m: float | None = None, near: float = 1.0
) -> Minutes | None:
    """The budgets to compare with a limit if those that are spent depend on outputs, otherwise None.

    A release that is refused because of what it happened to spend, and made again, would reveal this. Under Adaptive the
    landmarks and any one other timestamp never spend more than epsilon; what each can spend is in the caps, see `at_most`.
    If a minute has several timestamps, each of them counts with the full epsilon, as one of them may come after all
    landmarks were skipped.
    """
    if not settings.as_it_goes:
        return None
    alone = len(np.unique(minutes_of(time))) == len(time)
    scheme = SCHEMES[settings.scheme]
    known = alone or scheme.compares  # with comparisons, each can spend the same
    budgets = budgets_of(settings, len(time)) if known else np.full(len(time), settings.epsilon)
    found = Minutes.of(time, budgets, settings.landmarks, radius_m, near)
    if scheme.compares or not alone:
        return found
    most = scheme.caps(len(time), indices(settings.landmarks, "landmarks", len(time)), settings.epsilon)
    each = zip(minutes_of(time).tolist(), most.tolist(), strict=True)
    return replace(found, caps={minute: cap for minute, cap in each if minute not in found.landmarks})


def most_together(settings: Spending) -> float:
    """What the landmarks and any one other timestamp spend at most, whatever a scheme that decides as it goes decides."""
    if not settings.comparison:
        return settings.epsilon
    each = SCHEMES[settings.scheme].largest(settings.epsilon, whole(settings.window, "window"), 0.0)
    return (len(settings.landmarks) + 1) * each


def spending_words(settings: Spending) -> list[str]:
    """What times, decisions and dummies reveal."""
    known = (
        "Which ones are landmarks is taken as known"
        if settings.chance is None
        else "Landmarks are hidden among dummies"
    )
    found = [f"Times are published as they are, and so is which timestamps were measured. {known}."]
    if settings.comparison:
        found.append(
            f"{SCHEMES[settings.scheme].title} decided which timestamps are measured, by how far the last output had "
            f"fallen behind the true value. Every timestamp spends {upward(settings.comparison)} on this comparison, "
            "measured or not. Its noise is also exact: discrete Laplace on a grid of a twentieth of the protected length. "
            "It bounds the odds at that length, and no more tightly for true values that are closer. The sums over "
            "timestamps above include it, those of the reports alone do not. A report has what is left of its timestamp's "
            f"budget. The landmarks and any one other timestamp could have spent {upward(most_together(settings))}. "
            f"Whatever it decides, any {settings.window:,} timestamps in a row spend at most "
            f"{upward(settings.epsilon)} together."
        )
    elif settings.as_it_goes:
        found.append(
            f"{SCHEMES[settings.scheme].title} decided which timestamps are measured, from earlier outputs and the operating "
            "system's coins, and from no true value, so the decisions cost no budget. Whatever it decides, "
            f"the landmarks and any one other timestamp spend at most {upward(settings.epsilon)} together."
        )
    if settings.chance is not None:
        found.append(
            f"Each timestamp that is not a landmark was protected too with probability {settings.chance:.6g}, independently. "
            "The odds that a protected timestamp is a landmark grow by a factor of at most "
            f"{upward(1 / settings.chance)}, for someone who assumes that timestamps are independent. One that is not "
            "protected is certainly not a landmark. Above, “landmarks” means all protected timestamps."
        )
    return found
