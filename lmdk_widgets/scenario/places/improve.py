"""Better outcomes of the page of optimal places: each mechanism as it is solved, then the charts point by point."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.scenario.places.mechanisms import Judged, judge
from lmdk_widgets.scenario.places.outcome import Outcome, Solving
from lmdk_widgets.scenario.places.solve import Bench
from lmdk_widgets.scenario.places.study import complete


def improve(outcome: Outcome, bench: Bench | None = None) -> Iterator[Outcome]:
    """The outcome with every mechanism as far as it is solved, then with the charts; each one is certified.

    Parameters
    ----------
    outcome : without mechanisms, or with those of `continued`. bench : what was solved before.

    Examples
    --------
    >>> from lmdk_widgets.scenario.places import Places, evaluate
    >>> *_, best = improve(evaluate(Places(rows=3, columns=3, prior="uniform", charts=True)))
    >>> round(best.judged["optimal"].loss_m), best.charts.finished
    (884, True)
    """
    try:
        yield from _improved(outcome, bench or Bench())
    except InputError as error:
        yield replace(outcome, solving=Solving("failed", reason=error.sentence))


def _improved(outcome: Outcome, bench: Bench) -> Iterator[Outcome]:
    for step in bench.solve(outcome.ground, outcome.places):
        solving = Solving("solving", step.mechanism, step.excess, step.seconds, notice=step.notice)
        judged = dict(outcome.judged)
        if step.judged is not None and not _same(step.judged, judged.get(step.mechanism)):
            judged[step.mechanism] = step.judged
        outcome = outcome.with_results(judged, solving)
        yield outcome
    outcome = outcome.with_results(outcome.judged, Solving())
    yield outcome
    if not outcome.charts_wait:
        for charts in complete(outcome.charts):
            yield replace(outcome, charts=charts)


def _same(judged: Judged, before: Judged | None) -> bool:
    return before is not None and before.channel is judged.channel


def continued(before: Outcome, outcome: Outcome, bench: Bench) -> Outcome:
    """An outcome with the mechanisms and charts of the one before that still hold, and those that the bench remembers.

    Mechanisms of the same cells and prior stay until there are better ones, though made for another privacy.
    """
    places, judged = outcome.places, _carried(before, outcome)
    for name, known in bench.known(outcome.ground, places).items():
        if not _same(known, judged.get(name)):
            judged[name] = known
    fits = before.charts.fits(outcome.ground, places.radius_m, places.dilation)
    return replace(outcome, judged=judged, solving=before.solving, charts=before.charts if fits else outcome.charts)


def _carried(before: Outcome, outcome: Outcome) -> dict[str, Judged]:
    if before.ground.key != outcome.ground.key:
        return {}
    kept = dict(before.judged)
    if before.places.dilation != outcome.places.dilation:
        kept.pop("spanner", None)
    if before.places.epsilon_per_m != outcome.places.epsilon_per_m:
        kept.pop("private", None)
    if np.array_equal(before.ground.other, outcome.ground.other):
        return kept
    return {name: judge(judged.channel, outcome.ground) for name, judged in kept.items()}
