"""Better outcomes of the place page: each mechanism as it is solved, then the charts point by point."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from time import perf_counter

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.geoind.mechanisms import Assessment, assess
from lmdk_widgets.geoind.solvers import Solvers, Step
from lmdk_widgets.pages.place.outcome import Outcome, Solving
from lmdk_widgets.pages.place.study import complete

SLICE_S = 0.05
"""Seconds of work done in one go, unless the mechanism shown is solved earlier.

With many pages, each waits its turn before every go. Shorter goes would make all of them wait longer, and the next move of
a slider would come before any page had its mechanism.
"""


def improve(outcome: Outcome, solvers: Solvers | None = None) -> Iterator[Outcome]:
    """The outcome with every mechanism as far as it is solved, then with the charts; each one is certified.

    Parameters
    ----------
    outcome : without mechanisms, or with those of `continued`. solvers : what was solved before.

    Examples
    --------
    >>> from lmdk_widgets.pages.place import PlaceChoices, evaluate
    >>> *_, best = improve(evaluate(PlaceChoices(rows=3, columns=3, prior="uniform", charts=True)))
    >>> round(best.assessed["optimal"].loss_m), best.charts.finished
    (884, True)
    """
    begun, solvers, reason = perf_counter(), solvers or Solvers(), ""
    for work in solvers.each(outcome.instance, outcome.places):
        try:
            for step in work:
                if step.assessed is not None and step.finished and _is_known(outcome, step.mechanism, step.assessed):
                    continue  # nothing to show
                outcome = _with_step(outcome, step)
                waited_for = step.finished and step.mechanism == outcome.places.mechanism
                if waited_for or perf_counter() - begun >= SLICE_S:
                    yield outcome
                    begun = perf_counter()
        except InputError as error:  # the others are still solved
            reason = reason or error.sentence
    try:
        outcome = yield from _with_pinned(outcome, solvers)
    except InputError as error:
        reason = reason or error.sentence
    outcome = outcome.with_results(outcome.assessed, Solving("failed", reason=reason) if reason else Solving())
    yield outcome
    for charts in () if outcome.charts_wait else complete(outcome.charts):
        yield replace(outcome, charts=charts)


def _with_pinned(outcome: Outcome, solvers: Solvers) -> Generator[Outcome, None, Outcome]:
    """The outcome with the mechanism of the pinned setting, once it is solved; returns it."""
    beside = outcome.beside
    if beside is None or outcome.pinned is not None:
        return outcome
    for step in solvers.one(beside.instance, beside.places):
        solving = Solving("solving", step.mechanism, step.excess, step.seconds, notice=step.notice)
        outcome = replace(outcome, pinned=step.assessed if step.finished else None, solving=solving)
        yield outcome
    return outcome


def _with_step(outcome: Outcome, step: Step) -> Outcome:
    assessed = dict(outcome.assessed)
    if step.assessed is not None:
        _update(assessed, step.mechanism, step.assessed)
    solving = Solving("solving", step.mechanism, step.excess, step.seconds, notice=step.notice)
    return outcome.with_results(assessed, solving)


def _is_known(outcome: Outcome, mechanism: str, found: Assessment) -> bool:
    return mechanism in outcome.assessed and outcome.assessed[mechanism].channel is found.channel


def _update(assessed: dict[str, Assessment], mechanism: str, found: Assessment) -> None:
    """Stores what was found, unless it is the same channel: then drawings made from it stay valid."""
    if mechanism not in assessed or assessed[mechanism].channel is not found.channel:
        assessed[mechanism] = found


def continued(before: Outcome, outcome: Outcome, solvers: Solvers) -> Outcome:
    """An outcome with the mechanisms and charts of the previous one that still apply, and those the solvers remember.

    Mechanisms for the same cells and prior stay until there are better ones, even if made for another privacy level.
    """
    places, assessed = outcome.places, _carried(before, outcome)
    for name, known in solvers.known(outcome.instance, places).items():
        _update(assessed, name, known)
    if (beside := outcome.beside) is not None:
        found = solvers.known(beside.instance, beside.places).get(beside.places.mechanism)
        outcome = replace(outcome, pinned=found)
    fits = before.charts.fits(outcome.instance, places.radius_m, places.dilation)
    return replace(outcome, assessed=assessed, solving=before.solving, charts=before.charts if fits else outcome.charts)


def curves(outcome: Outcome) -> tuple:
    """What the curves of an outcome depend on, as a key."""
    instance, places = outcome.instance, outcome.places
    return *instance.key, instance.other.tobytes(), places.radius_m, places.dilation


def _carried(before: Outcome, outcome: Outcome) -> dict[str, Assessment]:
    if before.instance.key != outcome.instance.key:
        return {}
    kept = dict(before.assessed)
    if before.places.dilation != outcome.places.dilation:
        kept.pop("spanner", None)
    if any(getattr(before.places, q) != getattr(outcome.places, q) for q in ("epsilon_per_m", "loss_percent")):
        kept.pop("private", None)
    if np.array_equal(before.instance.other, outcome.instance.other):
        return kept
    return {name: assess(assessed.channel, outcome.instance) for name, assessed in kept.items()}
