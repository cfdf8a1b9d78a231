"""Inverse questions on the page: which epsilon keeps a careful reader's error, the error as released, or a loss within
a limit, and which keeps what lasts from being found."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from lmdk_widgets.answers.found_places import RADIUS, nearest_m
from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.answers.usefulness import ReaderWorth, draws_for, useful, without_a_release
from lmdk_widgets.cache import cached
from lmdk_widgets.errors import InputError
from lmdk_widgets.leakage import effective_epsilon, effective_epsilon_bound
from lmdk_widgets.page.amounts import digits, outward, whole
from lmdk_widgets.page.blocks import Act, Block, Buttons, Text
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.fields import flag, limit, number
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.track.found_epsilon import FoundEpsilon, found_epsilon, found_text
from lmdk_widgets.pages.track.inverse_words import (
    as_asked,
    at_given,
    four_digits,
    how_found,
    loss_kept,
    proven,
    room_said,
    taken,
    up_to,
    use,
)
from lmdk_widgets.scenario.by_hand import settled
from lmdk_widgets.scenario.evaluation import evaluate
from lmdk_widgets.scenario.model import EPSILON_RANGE, LENGTHS, SPREADS, Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.sweep.rows import DRAWS, MOST_DRAWN, SLACK, alike, at, drawn_error, expected_error_m
from lmdk_widgets.trajectory.model import Trajectory

STEPS = 60
"""Most steps of a search; each halves what is left of the range, or does better."""

MOST_SEARCHED_WORK = 1e9
"""Numbers that one bound in a search may read: thirty such bounds take some seconds, in the background."""

CLOSE = 1e-4
"""A search ends when epsilon is known to this relative precision."""


class ReadEpsilon(NamedTuple):
    """Which epsilon keeps a careful reader's error within the wanted limit.

    Attributes
    ----------
    epsilon : an epsilon (target, factor) of two digits that keeps it; NaN: none tried up to a million does.
    below : the next smaller one tried, which does not; NaN: there is none.
    worth : what the release is worth at `epsilon`, or at the last one tried; None where `refused` says why.
    needless : whether a guess without any release already keeps it.
    """

    epsilon: float
    below: float
    worth: ReaderWorth | None
    needless: bool = False
    refused: str = ""


@dataclass(frozen=True)
class InverseAnswers:
    """Answers for one scheme under a scenario's other choices; none depends on its epsilon.

    Attributes
    ----------
    scenario : the choices in question.
    error_epsilon : the smallest epsilon (the smallest target of a plan, the smallest factor of budgets by hand) whose mean
        error is at most the wanted one; NaN: none up to a million keeps it.
    how : "formula", "search" over expected errors, or "draws", over the mean of 20; "" with a sentence in `no_error`.
    loss_epsilon : the largest epsilon (or factor) at which the landmarks, with any one timestamp, lose at most the
        wanted loss, as proven by bridges; NaN with a sentence in `no_loss`.
    counted_epsilon : the same by the authors' count, which is not a bound.
    read : which epsilon keeps a careful reader's error; None before it is found.
    found : which epsilon keeps every lasting place of a track from being found too near; None before it is known.
    """

    scenario: Scenario
    error_epsilon: float
    how: str
    loss_epsilon: float
    no_error: str = ""
    no_loss: str = ""
    counted_epsilon: float = math.nan
    read: ReadEpsilon | None = None
    found: FoundEpsilon | None = None


def inverse_answers(
    scenario: Scenario, trajectory: Trajectory, *, error_m: float = 500.0, loss: float = 1.0
) -> InverseAnswers:
    """The answers for the scenario's scheme, for a mean error of at most `error_m`, metres, and a loss of at most
    `loss`.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> bob = Scenario(landmarks=(0, 2, 4, 7), correlation="none")
    >>> found = inverse_answers(bob, sample("bob"), error_m=500)
    >>> round(found.error_epsilon, 9), found.how, round(found.loss_epsilon, 9)
    (4.0, 'formula', 1.0)
    """
    scenario = settled(scenario, len(trajectory))
    return _found(alike(scenario, scenario.scheme), trajectory, error_m, loss)


@cached("visitor", entries=32, what="the epsilons that meet a limit of error and one of loss")
def _found(scenario: Scenario, trajectory: Trajectory, error_m: float, loss: float) -> InverseAnswers:
    found, how, no_error, kept, counted, no_loss = math.nan, "", "", math.nan, math.nan, ""
    try:
        found, how = _epsilon_for_error(scenario, trajectory, error_m)
    except InputError as error:
        no_error = str(error)
    try:
        kept, counted = _epsilons_for_loss(scenario, trajectory, loss)
    except InputError as error:
        no_loss = str(error)
    return InverseAnswers(scenario, found, how, kept, no_error, no_loss, counted)


def _epsilon_for_error(scenario: Scenario, trajectory: Trajectory, wanted: float) -> tuple[float, str]:
    one = evaluate(scenario, trajectory)
    expected = expected_error_m(one)
    if not one.published.any():
        raise InputError("Nothing is released, so there is no error")
    if expected is None and len(trajectory) > MOST_DRAWN:
        what = f"There must be at most {MOST_DRAWN:,} timestamps for a search over many releases"
        raise InputError(what, value=f"{len(trajectory):,}")
    formula = scenario.spread.formula_for(landmarks=bool(one.protected))
    if expected is not None and one.reports is None and one.kind.placed and formula:
        # budgets are proportional to epsilon, or to the factor
        found = 2 * scenario.radius_m * float((1 / one.budgets).mean()) / wanted
        return (found if found <= EPSILON_RANGE[1] else math.nan), "formula"

    def error_m(epsilon: float) -> float:
        each = at(scenario, epsilon)
        if expected is not None:
            return expected_error_m(evaluate(each, trajectory)) or 0.0
        return drawn_error(each, trajectory)[0]

    return _least(error_m, wanted), "search" if expected is not None else "draws"


def epsilon_read(scenario: Scenario, trajectory: Trajectory, wanted: float) -> Iterator[ReadEpsilon | None]:
    """Which epsilon keeps a careful reader's error, by bisection over epsilons of two digits with the same random
    numbers at each; None until it is found. The error need not fall with epsilon: the one found and the one below were
    both tried.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> *_, found = epsilon_read(Scenario(landmarks=(0, 2, 4, 7)), sample("bob"), 500.0)
    >>> found.epsilon, found.below, found.worth.reader <= 500
    (4.4, 4.3, True)
    """
    scenario = alike(settled(scenario, len(trajectory)), scenario.scheme)

    def worth(epsilon: float) -> ReaderWorth:
        outcome = evaluate(at(scenario, epsilon), trajectory)
        return useful(outcome, min(draws_for(len(outcome)), DRAWS)).worth

    low, below = EPSILON_RANGE[0], math.nan
    try:
        for high in (1.0, 10.0, 100.0, 1e4, EPSILON_RANGE[1]):
            found = worth(high)
            if found.nothing <= wanted:
                yield ReadEpsilon(math.nan, math.nan, found, needless=True)
                return
            if found.reader <= wanted:
                break
            low = below = high
            yield None
        else:
            yield ReadEpsilon(math.nan, math.nan, found)
            return
        while low < (middle := digits(math.sqrt(max(low, high / 10) * high), 2)) < high:
            tried = worth(middle)
            if tried.reader <= wanted:
                high, found = middle, tried
            else:
                low = below = middle
            yield None
        yield ReadEpsilon(high, below, found)
    except InputError as error:
        yield ReadEpsilon(math.nan, math.nan, None, refused=str(error))


def _least(error_m: Callable[[float], float], wanted: float) -> float:
    """The smallest epsilon with an error of at most `wanted` metres: bisection of its logarithm, which returns the safe
    end."""
    most = wanted * (1 + SLACK)
    low, high = EPSILON_RANGE
    for high in (1.0, 10.0, 100.0, 1e4, EPSILON_RANGE[1]):
        if error_m(high) <= most:
            break
        low = high
    else:
        return math.nan
    for _ in range(STEPS):
        if high <= low * (1 + CLOSE):
            break
        middle = math.sqrt(max(low, high / 10) * high)
        low, high = (low, middle) if error_m(middle) <= most else (middle, high)
    return high


def _epsilons_for_loss(scenario: Scenario, trajectory: Trajectory, wanted: float) -> tuple[float, float]:
    """By the proven bound, and by the authors' count."""
    if scenario.spread.online:
        raise InputError("Its budgets depend on what is released, so no epsilon guarantees this in every draw")
    if scenario.spread.plans:
        raise InputError("A plan bounds the loss of each timestamp, and its target is that bound")
    one = evaluate(scenario, trajectory)
    known = one.correlation
    if one.bound_work > MOST_SEARCHED_WORK:
        remedy = "Mark landmarks closer to each other, or use fewer places for the correlation"
        raise InputError("The proven bound takes too long for such long stretches without a landmark", remedy=remedy)
    start = "any" if scenario.adversary == "any" else "stationary"
    kept = effective_epsilon_bound(known.matrix, one.budgets, one.protected, wanted, start=start)
    return kept, effective_epsilon(known.backward, known.forward, one.budgets, one.protected, wanted)


def affordable_landmarks(scenario: Scenario, n: int, error_m: float) -> int | None:
    """How many of n timestamps can be landmarks with a mean error of at most `error_m`, metres, at the scenario's
    epsilon.

    Uniform: 2 r (|L| + 1) / epsilon, one less when all are landmarks; Weighted: 2 r (|L| + sqrt(n - |L|))^2 / (n epsilon).

    Returns
    -------
    0 to n; None where the error is larger even without a landmark, and for schemes and mechanisms without a formula.

    Examples
    --------
    >>> affordable_landmarks(Scenario(epsilon=1.0), 8, 2000)
    4
    """
    shares = scenario.spread.mean_shares(np.arange(n + 1.0), n)
    if shares is None or scenario.mechanism != "planar":
        return None
    fits = np.flatnonzero(2 * scenario.radius_m * shares / scenario.epsilon <= error_m * (1 + 1e-12))
    return int(fits[-1]) if len(fits) else None


_ERROR, _FOUND, _LOSS = "inverse.error_m", "inverse.found_m", "inverse.loss"
"""The choices that the answers refer to."""

_NAMES = {"epsilon": "epsilon", "target": "target", "budgets": "factor"}
"""What is asked for, by what the scheme is given: for a plan its target, for budgets by hand the factor that multiplies
them."""


LOOKED = "This epsilon was chosen by looking at the data: whoever learns it learns a little about them."
"""What is true of every answer."""


@dataclass(frozen=True)
class InverseChoices(Choices):
    """Which epsilon keeps a reader's mean error within `error_m`, metres or in the unit of a series, which keeps every
    lasting place from being found nearer than `found_m`, by default the protection radius, and which keeps the landmarks
    within `loss`."""

    open: bool = flag(False, "Ask the other way round")
    error_m: float = number(500.0, LENGTHS, "A reader is off by at most", subject="The wanted mean error", unit="m")
    found_m: float | str | None = limit(
        RADIUS,
        LENGTHS,
        "Found no nearer than",
        preset=RADIUS,
        subject="The wanted distance of lasting places",
        unit="m",
    )
    loss: float = number(1.0, EPSILON_RANGE, "Landmarks lose at most", subject="The wanted loss of the landmarks")


class Inverse(Panel):
    NAME = "inverse"
    FOLD = InverseChoices
    BARE = ""
    PLACE = "inverse"
    REPORTED = False

    def asked(self, choices: Any, outcome: Outcome) -> Hashable:
        asked: InverseChoices = choices.inverse
        scenario = alike(outcome.scenario, outcome.scenario.scheme)
        return scenario, asked.error_m, wanted_m(asked, outcome), asked.loss, outcome.trajectory

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[InverseAnswers]:
        asked: InverseChoices = choices.inverse
        found = inverse_answers(outcome.scenario, outcome.trajectory, error_m=asked.error_m, loss=asked.loss)
        yield found
        spread = outcome.scenario.spread
        parts = (
            [self._far, self._read] if spread.fixed or spread.windowed or spread.by_hand else [self._read, self._far]
        )
        for part in parts:  # the quick one first
            for better in part(asked, outcome, found):
                found = better
                yield found

    def _far(self, asked: InverseChoices, outcome: Outcome, found: InverseAnswers) -> Iterator[InverseAnswers]:
        wanted = wanted_m(asked, outcome)
        if wanted is not None:
            scenario = alike(outcome.scenario, outcome.scenario.scheme)
            for far in found_epsilon(scenario, outcome.trajectory, wanted):
                yield replace(found, found=far)

    def _read(self, asked: InverseChoices, outcome: Outcome, found: InverseAnswers) -> Iterator[InverseAnswers]:
        if outcome.trajectory.name != RELEASE_NAME:
            for read in epsilon_read(outcome.scenario, outcome.trajectory, asked.error_m):
                yield replace(found, read=read)

    def progress(self, choices: Any, outcome: Outcome) -> Progress:
        known = outcome.found(self.NAME) is not None
        return Progress(f"Looking for the epsilon needed{': a careful reader reads releases' if known else ''}.")

    def ended(self, choices: Any, outcome: Outcome) -> str:
        return "before the epsilon needed was found"

    def blocks(self, choices: Any, outcome: Outcome) -> Iterator[Block]:
        """An answer below the control of each question, with the button that takes it, and what is true of all of them."""
        for row in inverse_rows(choices.inverse, outcome):
            yield Text(row["text"], "quiet", below=row["name"])
            yield Buttons((_taking(*row["set"]),) if row["set"] else (), below=row["name"])
        yield Text(LOOKED, "quiet")


def _taking(name: str, value: float) -> Act:
    """The button that takes an answer."""
    operation = {"op": "scale", "factor": value} if name == "factor" else {"op": "set", "name": name, "value": value}
    return Act(use(name, value), operation)


def wanted_m(asked: InverseChoices, outcome: Outcome) -> float | None:
    """The wanted distance of lasting places, metres; None where nothing is asked of them."""
    return nearest_m(asked.found_m, outcome.scenario) if outcome.kind.placed else None


def inverse_rows(asked: InverseChoices, outcome: Outcome) -> list[dict[str, Any]]:
    """The answers: for each, the name of the choice it refers to, a sentence, and the name and value that its button
    sets."""
    if not asked.open:
        return []
    found: InverseAnswers | None = outcome.found(Inverse.NAME)
    if found is None:
        names = (_ERROR, _FOUND, _LOSS) if outcome.kind.placed else (_ERROR, _LOSS)
        return [_waits(name) for name in names]
    far = [_far(wanted_m(asked, outcome), outcome, found.found)] if outcome.kind.placed else []
    return [_error(asked, outcome, found), *far, _loss(asked, outcome, found)]


def _waits(name: str) -> dict[str, Any]:
    return {"name": name, "text": "Not computed yet.", "set": None}


def _far(wanted: float | None, outcome: Outcome, found: FoundEpsilon | None) -> dict[str, Any]:
    if wanted is None:
        return {"name": _FOUND, "text": "No distance is wanted.", "set": None}
    if found is None:
        return _waits(_FOUND)
    name = _NAMES[outcome.scenario.spread.given]
    text = found_text(found, outcome, wanted, up_to(name, found.epsilon))
    return {"name": _FOUND, "text": text, "set": [name, found.epsilon] if found.useable else None}


def _error(asked: InverseChoices, outcome: Outcome, found: InverseAnswers) -> dict[str, Any]:
    if outcome.trajectory.name == RELEASE_NAME:
        return {"name": _ERROR, "text": _as_released(asked, outcome, found), "set": None}
    if found.read is None:
        return _waits(_ERROR)
    name, value = _NAMES[outcome.scenario.spread.given], found.read.epsilon
    text = f"{_read(asked, outcome, found.read)} {_as_released(asked, outcome, found)}"
    return {"name": _ERROR, "text": text, "set": None if math.isnan(value) else [name, value]}


def _read(asked: InverseChoices, outcome: Outcome, found: ReadEpsilon) -> str:
    """Which epsilon keeps a reader's error, and what the release is worth there."""
    scenario, worth = outcome.scenario, found.worth
    title, name = SPREADS[scenario.scheme].title, _NAMES[scenario.spread.given]
    if worth is None:
        return f"{title}: {found.refused}"
    value = as_asked(asked.error_m)
    without = without_a_release(worth, outcome)
    if found.needless:
        return sentence("No release is needed for that: {without}.", without=without)
    median = sentence("the median of {reader_draws} draws", reader_draws=whole(worth.draws))
    how = sentence(
        "found by search, as {draws} with the same random numbers at each {name}",
        draws="one draw" if worth.draws == 1 else median,
        name=name,
    )
    if math.isnan(found.epsilon):
        return sentence(
            "{off_by} under {scheme} with every {name} tried up to a million: {how}.",
            off_by=outcome.kind.read_wanted(outcome.trajectory, value, more=True),
            scheme=title,
            name=name,
            how=how,
        )
    more = sentence(", and by more {at_below}", at_below=at_given(name, found.below))
    return sentence(
        "{off_by} {at_read} under {scheme}{more}: {how}. The release then {worth}; without one, {without}.",
        off_by=outcome.kind.read_wanted(outcome.trajectory, value),
        at_read=at_given(name, found.epsilon),
        scheme=title,
        more="" if math.isnan(found.below) else more,
        how=how,
        worth=worth.then,
        without=without,
    )


def _as_released(asked: InverseChoices, outcome: Outcome, found: InverseAnswers) -> str:
    """The same for the reports as released, by formula where there is one."""
    scenario = outcome.scenario
    title, name = SPREADS[scenario.scheme].title, _NAMES[scenario.spread.given]
    wanted = sentence("As released, {wanted}", wanted=outcome.kind.wanted(outcome.trajectory, as_asked(asked.error_m)))
    if found.no_error:
        return f"As released, {title}: {found.no_error}"
    if math.isnan(found.error_epsilon):
        return sentence(
            "{wanted} under {scheme}: no {name} up to a million achieves it.", wanted=wanted, scheme=title, name=name
        )
    value = outward(found.error_epsilon, up=True)
    return sentence(
        "{wanted} needs {needed}: {how}.{room}",
        wanted=wanted,
        needed=taken(name, value),
        how=how_found(outcome, found.how),
        room=_room(asked, outcome),
    )


def _room(asked: InverseChoices, outcome: Outcome) -> str:
    """How many landmarks the error leaves room for, where there is a formula."""
    scenario, n = outcome.scenario, len(outcome)
    known = scenario.spread.mean_shares(np.arange(1.0), n) is not None
    if not known or scenario.mechanism != "planar" or not outcome.kind.placed:
        return ""
    most = affordable_landmarks(scenario, n, asked.error_m)
    return room_said(outcome, most)


def _loss(asked: InverseChoices, outcome: Outcome, found: InverseAnswers) -> dict[str, Any]:
    scenario = outcome.scenario
    if found.no_loss:
        why = f"{SPREADS[scenario.scheme].title}: {found.no_loss[0].lower()}{found.no_loss[1:]}"
        return {"name": _LOSS, "text": why, "set": None}
    value, name = outward(found.loss_epsilon, up=False), _NAMES[scenario.spread.given]
    text: str = sentence(
        "{up_to_loss} {kept}: {proven}; found by search.",
        up_to_loss=up_to(name, value),
        kept=loss_kept(outcome, as_asked(asked.loss)),
        proven=proven(outcome),
    )
    counted = four_digits(outward(found.counted_epsilon, up=False))
    if counted != four_digits(value):
        gives = "The landmark paper's count gives {counted_given} instead; it is not a bound."
        text += " " + sentence(gives, counted_given=counted)
    return {"name": _LOSS, "text": text, "set": [name, value]}
