"""How far a release is from the truth, in words: the errors of this draw and those expected, of cells, and of a plan beside
others."""

from __future__ import annotations

import math

import numpy as np

from lmdk_widgets.geo import Floats
from lmdk_widgets.page.amounts import count, metres, percent
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.track.chart_texts import expected_errors
from lmdk_widgets.scenario.model import MECHANISMS
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.region import is_beyond


def error_sentences(outcome: Outcome) -> list[str]:
    if math.isnan(outcome.median_error_m):
        by_hand = outcome.scenario.spread.by_hand
        why = "no timestamp has a budget" if by_hand else "there was no regular timestamp to measure"
        return [f"Nothing is released: {why}."]
    if outcome.kind.counts_wrong:
        return [_answer_sentence(outcome)]
    kind, write = outcome.kind, outcome.ground.write
    what = f"At least half of {kind.reported} are"
    if int(np.isfinite(outcome.error_m).sum()) == 1:
        what = f"{kind.reported_one.capitalize()} is"
    if outcome.error_low_m is not None:
        what = "Over 100 draws, at least half of the timestamps are on average"
    off = sentence(
        "{what} {median_error} or more from the truth (mean {mean_error}; expected{by_planar}: {expected}).{wide}",
        what=what,
        median_error=write(outcome.median_error_m),
        mean_error=write(outcome.mean_error_m),
        by_planar=" by planar Laplace" if outcome.reports is not None and outcome.reports.beside_planar else "",
        expected=_expected(outcome),
        wide=_wide(outcome),
    )
    return [off, *_cell_sentences(outcome)]


def _wide(outcome: Outcome) -> str:
    """That noise goes beyond the region of a track, or the bounds of a series, where an error is stated that exceeds it."""
    if is_beyond(outcome.scenario, outcome.trajectory, outcome.mean_error_m):
        return " Noise goes beyond the region; a reader moves the reports into it."
    width = getattr(outcome.ground, "upper", math.inf) - getattr(outcome.ground, "lower", -math.inf)
    if not max(outcome.mean_error_m, outcome.user_error_m) > width:
        return ""
    apart = outcome.ground.write(width)
    return sentence(
        " Noise goes beyond the bounds, {bounds_apart} apart; a reader clips values to them.", bounds_apart=apart
    )


def _answer_sentence(outcome: Outcome) -> str:
    """How many of the released answers are wrong."""
    write = outcome.ground.write
    return sentence(
        "{over}{mean_error} of {reported} are wrong (expected: {expected}; at 50 % they say nothing).",
        over="" if outcome.error_low_m is None else "Over 100 draws, on average ",
        mean_error=write(outcome.mean_error_m),
        reported=outcome.kind.reported,
        expected=_expected(outcome),
    )


def _expected(outcome: Outcome) -> str:
    """What is expected at the two levels between which every other scheme lies."""
    event, user = expected_errors(outcome)
    return sentence("event level {event_error}, user level {user_error}", event_error=event, user_error=user)


def _cell_sentences(outcome: Outcome) -> list[str]:
    reports = outcome.reports
    if reports is None:
        return []
    named = MECHANISMS[outcome.scenario.mechanism].split(":")[0]
    text = sentence(
        "{mechanism} reports one of {cells} of {cell_side}, {chances}at an expected {expected_error} from the truth where it "
        "measures",
        mechanism=named,
        cells=count(reports.cells, "cell"),
        cell_side=metres(reports.cell_m),
        chances="" if reports.chances is None else _chances(reports.chances, reports.cells),
        expected_error=metres(reports.mean_expected_m),
    )
    if not reports.beside_planar:
        return [sentence("{text}.", text=text)]
    saving, beside = reports.saving_m, sentence("{text}, as planar Laplace with the same budgets.", text=text)
    if abs(saving) >= 0.5:
        beside = sentence(
            "{text}: {saving} {less} than planar Laplace with the same budgets.",
            text=text,
            saving=metres(abs(saving)),
            less="less" if saving > 0 else "more",
        )
    return [beside]


def _chances(chances: Floats, cells: int) -> str:
    """How likely the true cell is to be reported, and would be by pure chance."""
    low, high = percent(float(np.nanmin(chances))), percent(float(np.nanmax(chances)))
    chance = sentence("{low_chance} to {high_chance}", low_chance=low, high_chance=high)
    if low == high:
        chance = sentence("{high_chance}", high_chance=high)
    return sentence(
        "the true one with a chance of {how_often}, by mere chance {mere_chance}, ",
        how_often=chance,
        mere_chance=percent(1 / cells),
    )


def beside_user_level(outcome: Outcome) -> list[str]:
    """That user level has a smaller expected error at the same target, where it does; for cells by planar Laplace, as
    elsewhere."""
    planned, user, write = _expected_of_plan(outcome), outcome.user_at_target_m, outcome.ground.write
    spread = outcome.scenario.spread
    if not spread.plans or spread.searched or not user < planned or write(user) == write(planned):
        return []
    by_planar = " by planar Laplace" if outcome.reports is not None and outcome.reports.beside_planar else ""
    better = sentence(
        "User level does better here at the same target: an expected mean error of {user_error_at_target} against "
        "{plan_error}{by_planar}.",
        user_error_at_target=write(user),
        plan_error=write(planned),
        by_planar=by_planar,
    )
    return [better]


def beside_cao(outcome: Outcome) -> list[str]:
    """The expected mean error of a plan that was searched for, with that of Cao's plan and of user level at its
    target."""
    write, cells = outcome.ground.write, outcome.reports is not None and outcome.reports.beside_planar
    if not outcome.scenario.spread.searched:
        return []
    own, other = write(_expected_of_plan(outcome)), write(outcome.cao_error_m)
    cao: str = ""
    if math.isfinite(outcome.cao_error_m) and other != own:
        cao = sentence("under Cao's plan {cao_error}, ", cao_error=other)
    beside = sentence(
        "Its expected mean error is {plan_error}; {cao}under user level {user_error_at_target} at the same "
        "target{by_planar}.",
        plan_error=own,
        cao=cao,
        user_error_at_target=write(outcome.user_at_target_m),
        by_planar=" (by planar Laplace)" if cells else "",
    )
    return [beside]


def _expected_of_plan(outcome: Outcome) -> float:
    """The mean expected error of the plan."""
    if outcome.reports is None or outcome.reports.beside_planar:
        return float(outcome.ground.expected(outcome.budgets).mean())
    return outcome.reports.mean_expected_m
