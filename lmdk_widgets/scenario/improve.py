"""What takes longer on the landmark page: an average, questions turned round, curves, a table of settings, all schemes."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any

from lmdk_widgets.page.runner import Progress
from lmdk_widgets.scenario import compare, defence, following, hidden_attack
from lmdk_widgets.scenario.curve import asked, trade_off
from lmdk_widgets.scenario.evaluation import DRAWS, average, evaluate_one_draw
from lmdk_widgets.scenario.many_settings import growing
from lmdk_widgets.scenario.model import HERS, SCHEMES, Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.settings_model import asked_of
from lmdk_widgets.scenario.turned import turn
from lmdk_widgets.trajectory.model import Trajectory

AT_ONCE_S = 0.1
"""An average that takes less is there with the outcome."""

_VIEWS = ("curve", "against", "curve_error", "turned", "wanted_error_m", "wanted_loss", "table", "table_of")
ASIDE = ("compare", "propose", "stay_m", "stay_minutes", "landmark_loss", "utc", "pinned", *_VIEWS, *HERS)
"""Choices that change no draw."""


def evaluate_soon(scenario: Scenario, trajectory: Trajectory) -> Outcome:
    """The outcome with its average if that takes next to no time, and otherwise with the errors of one draw.

    Raises
    ------
    InputError : as `evaluate`.
    """
    following.check_length(scenario, trajectory)
    asked_of(scenario.table_of)  # what a link asks of the table may be none of its questions
    outcome = evaluate_one_draw(scenario, trajectory)
    if not outcome.averages:
        return outcome
    began = perf_counter()
    for better in average(outcome):
        if not better.averages:
            return better
        if perf_counter() - began > AT_ONCE_S:
            break
    return outcome


def improve(outcome: Outcome) -> Iterator[Outcome]:
    """The outcome with all that is wanted, piece by piece: draws and their average, answers, curves, every scheme."""
    outcome = outcome.improved(drawn=0, stopped="")
    scenario, trajectory = outcome.scenario, outcome.trajectory
    if outcome.averages:
        for better in average(outcome):
            outcome = better
            yield outcome
    if hidden_attack.wanted(outcome):
        for better in hidden_attack.growing(outcome):
            outcome = better
            yield outcome
    if scenario.infer:
        for better in following.followed(outcome):
            outcome = better
            yield outcome
    if defence.wanted(outcome):
        for some in defence.growing(scenario, trajectory):
            outcome = outcome.improved(defended=some)
            yield outcome
    if scenario.turned:
        outcome = outcome.improved(turned=turn(scenario, trajectory))
        yield outcome
    if scenario.curve and not outcome.curves_done:
        outcome = outcome.improved(curves=())
        for line in trade_off(scenario, trajectory):
            outcome = outcome.improved(curves=(*outcome.curves, line))
            yield outcome
        outcome = outcome.improved(curves_done=True)
        yield outcome
    if scenario.table and not _tabled_already(outcome):
        for found in growing(scenario, trajectory, asked_of(scenario.table_of)):
            outcome = outcome.improved(settings=found)
            yield outcome
    if scenario.compare:
        yield from compare.improve(outcome)


def task(outcome: Outcome) -> Any:
    """What `improve` depends on; None: nothing is wanted. Answers and curves do not depend on epsilon."""
    scenario, whole = outcome.scenario, outcome.scenario.compare or outcome.averages
    hunted = hidden_attack.asked(outcome)
    if not (whole or hunted or scenario.turned or scenario.curve or scenario.infer or scenario.table):
        return None
    turned, curved = _turned(scenario) if scenario.turned else None, _curved(scenario) if scenario.curve else None
    tabled = _tabled(scenario) if scenario.table else None
    hers = following.asked(scenario, ASIDE), scenario.defences
    return scenario if whole else None, turned, curved, tabled, hers, hunted, outcome.trajectory


def _tabled_already(outcome: Outcome) -> bool:
    return outcome.settings is not None and outcome.settings.done


def _of_table(outcome: Outcome) -> int:
    """How many settings the table has."""
    return asked_of(outcome.scenario.table_of).wanted(placed=outcome.kind.placed)


def _tabled(scenario: Scenario) -> Any:
    return asked(scenario, "event").with_changes(radius_m=Scenario.radius_m), asked_of(scenario.table_of).rows


def _curved(scenario: Scenario) -> Any:
    return asked(scenario, "event")


def _turned(scenario: Scenario) -> Any:
    return asked(scenario, scenario.scheme), scenario.wanted_error_m, scenario.wanted_loss


def _defended(outcome: Outcome) -> Any:
    hers = following.asked(outcome.scenario, ASIDE)
    return hers and defence.same(hers, outcome.trajectory)


def continued(before: Outcome, outcome: Outcome) -> Outcome:
    """An outcome with what still holds of the one before: its average, its answers, its curves."""
    if before.trajectory is not outcome.trajectory:
        return outcome
    scenario = outcome.scenario
    if scenario.curve and _curved(before.scenario) == _curved(scenario):
        outcome = outcome.improved(curves=before.curves, curves_done=before.curves_done)
    if scenario.table and _tabled(before.scenario) == _tabled(scenario):
        outcome = outcome.improved(settings=before.settings)
    if scenario.infer and _defended(before) == _defended(outcome):
        outcome = outcome.improved(defended=before.defended)
    if before.attacked is not None and hidden_attack.asked(before) == hidden_attack.asked(outcome):
        outcome = outcome.improved(attacked=before.attacked)
    if scenario.turned and _turned(before.scenario) == _turned(scenario):
        outcome = outcome.improved(turned=before.turned)
    if "inferred" in before.__dict__ and following.asked(before.scenario, ASIDE) == following.asked(scenario, ASIDE):
        outcome.__dict__["inferred"] = before.__dict__["inferred"]
    if not outcome.averages or before.averages:
        return outcome
    same = {name: getattr(scenario, name) for name in ASIDE}
    if before.scenario.with_changes(**same) != scenario:
        return outcome
    taken = ("drawn", "error_m", "error_low_m", "error_high_m", "mean_error_m", "median_error_m")
    return outcome.improved(**{name: getattr(before, name) for name in taken})


def progress(outcome: Outcome, *, busy: bool) -> Progress:
    """Where the work is: how many draws, how many schemes; or why it ended."""
    if not busy:
        return Progress(outcome.stopped)
    if outcome.averages:
        return Progress(f"Average of {DRAWS} draws: {outcome.drawn} are made.", outcome.drawn / DRAWS)
    if hidden_attack.wanted(outcome):
        return hidden_attack.progress(outcome)
    if (follows := following.progress(outcome)) is not None:
        return follows
    if defence.wanted(outcome):
        return defence.progress(outcome)
    if outcome.scenario.turned and outcome.turned is None:
        return Progress("Looking for the epsilon that is needed.")
    if outcome.scenario.curve and not outcome.curves_done:
        drawn = len(outcome.curves)
        return Progress(f"Drawing curves: {drawn} of {len(SCHEMES)} schemes are done.", drawn / len(SCHEMES))
    if outcome.scenario.table and not _tabled_already(outcome):
        done, of = len(outcome.settings.rows) if outcome.settings else 0, _of_table(outcome)
        return Progress(f"Computing the table: {done:,} of {of:,} settings are done.", done / of)
    if not outcome.scenario.compare:
        return Progress()
    done, of = len(outcome.compared), len(compare.compared_schemes(outcome.scenario))
    if done < of:
        return Progress(f"Comparing schemes: {done} of {of} are done.", done / of)
    return Progress("Comparing schemes: moving each landmark by one timestamp.")


def interrupted(outcome: Outcome, reason: str) -> Outcome:
    """The outcome as it stays after it was cancelled, or after the work ended for a reason."""
    if outcome.averages:
        where = f"after {outcome.drawn} of {DRAWS} draws: the errors shown are those of one draw"
    elif hidden_attack.wanted(outcome):
        where = "before it was known what the dummies tell"
    elif following.progress(outcome) is not None:
        where = "before it was known what an adversary infers"
    elif defence.wanted(outcome):
        where = defence.ended(outcome)
    elif outcome.scenario.turned and outcome.turned is None:
        where = "before the epsilon that is needed was found"
    elif outcome.scenario.curve and not outcome.curves_done:
        where = f"after {len(outcome.curves)} of {len(SCHEMES)} curves"
    elif outcome.scenario.table and not _tabled_already(outcome):
        done = len(outcome.settings.rows) if outcome.settings else 0
        where = f"after {done:,} of {_of_table(outcome):,} settings of the table"
    else:
        where = f"after {len(outcome.compared)} of {len(compare.compared_schemes(outcome.scenario))} schemes"
    return outcome.improved(drawn=0, stopped=f"{'Ended' if reason else 'Cancelled'} {where}. {reason}".rstrip())
