"""An outcome in plain sentences: what the settings mean, what they assume, and where the guarantee does not hold."""

from __future__ import annotations

import math

import numpy as np

from lmdk_widgets.answers.by_distance import apart, taken_for, what_if_sentences
from lmdk_widgets.answers.by_hand_words import by_hand_sentences
from lmdk_widgets.answers.dummies import hidden_sentences, together
from lmdk_widgets.answers.exposure import found_sentences
from lmdk_widgets.answers.guarantee import FLAT, SLACK, assumption, stretched, warnings
from lmdk_widgets.answers.odds import (
    MOST_DIFFERENT,
    as_if,
    assumes,
    counts,
    epsilon_at_delta,
    odds_sentence,
)
from lmdk_widgets.answers.pairs import lone
from lmdk_widgets.answers.promises import Promised
from lmdk_widgets.budgets.schemes.base import Told
from lmdk_widgets.geo import Floats
from lmdk_widgets.page.amounts import amount, bound, count, every, metres, percent, whole
from lmdk_widgets.page.blocks import Notes
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.track.chart_texts import expected_errors
from lmdk_widgets.scenario.model import MECHANISMS
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.plans import lower
from lmdk_widgets.scenario.region import is_beyond


def describe(outcome: Outcome) -> Notes:
    """What an outcome means, in sentences that are true of it.

    Parameters
    ----------
    outcome : what `evaluate` returned.

    Returns
    -------
    `Notes` : what it means (the attacker, the error, the budgets and the loss, a blank line between them), the assumption
    behind it, and warnings where it does not hold, as plain text.
    """
    groups = (
        (odds_sentence(outcome), *found_sentences(outcome), *Promised(outcome).known_sentences()),
        _error_sentences(outcome),
        (*_budget_sentences(outcome), *hidden_sentences(outcome)),
        _loss_sentences(outcome),
    )
    text = "\n\n".join(" ".join(sentences) for sentences in groups if sentences)
    rests_on = " ".join(filter(None, (assumption(outcome), taken_for(outcome), *_at_delta(outcome))))
    return Notes(text, rests_on, tuple(warnings(outcome)))


def _budget_sentences(outcome: Outcome) -> list[str]:
    scenario = outcome.scenario
    spread = scenario.spread
    if spread.plans:
        return _planned_sentences(outcome)
    if spread.by_hand:
        return by_hand_sentences(outcome)
    if spread.windowed:
        return _window_sentences(outcome)
    if not spread.alike:
        return [_landmark_sentence(outcome)]
    first = spread.sentence(_told(outcome))
    if not scenario.landmarks:
        return [first, f"No landmark is marked yet: choose the moments that matter {outcome.kind.shown}."]
    other = f", with one other timestamp at most {bound(float(outcome.totals.max()))}"
    return [first, f"{_landmarks_spend(outcome)}{'' if len(outcome.protected) == len(outcome) else other}."]


def _told(outcome: Outcome) -> Told:
    """The parts of the scheme's sentence."""
    n, budgets, marked = len(outcome), outcome.budgets, np.isin(np.arange(len(outcome)), outcome.protected)
    k, low, high = int(marked.sum()), float(budgets.min()), float(budgets.max())
    of_landmarks, others = budgets[marked], budgets[~marked]
    most, scenario, kind = float(outcome.totals.max()), outcome.scenario, outcome.kind
    add = amount(most - outcome.landmark_share)
    noisy = scenario.mechanism != "randomised" and k > 0 and of_landmarks[0] > 0
    return Told(
        n=n,
        k=k,
        everybody=every(n, "timestamps"),
        all=count(n, "timestamp"),
        who=f"Your {together(outcome)}",
        epsilon=amount(scenario.epsilon),
        low=amount(low),
        high=amount(high),
        share=amount(outcome.landmark_share),
        each=f", {amount(of_landmarks[0])} each" if k > 1 and (of_landmarks == of_landmarks[0]).all() else "",
        other=add if len(others) == 0 or (others == others[0]).all() else f"at most {add}",
        most=bound(most),
        measured=_measured(outcome),
        least=kind.least_error.format(more=amount(scenario.epsilon / (k + 1) / float(of_landmarks[0])))
        if noisy
        else "",
        data=kind.data,
        values=kind.values,
    )


def _landmarks_spend(outcome: Outcome) -> str:
    k, share = len(outcome.protected), amount(outcome.landmark_share)
    return f"Your {together(outcome)} {f'spends {share}' if k == 1 else f'spend {share} together'}"


def _measured(outcome: Outcome) -> str:
    """How many timestamps were measured: "3 of 8 timestamps were measured"."""
    measured, n = int(outcome.published.sum()), len(outcome)
    return sentence(
        "{measured} of {n} {timestamps} {were} measured",
        measured=whole(measured),
        n=whole(n),
        timestamps="timestamp" if n == 1 else "timestamps",
        were="was" if measured == 1 else "were",
    )


def _window_sentences(outcome: Outcome) -> list[str]:
    """The w-event schemes promise something about timestamps in a row, not about landmarks."""
    scenario, epsilon = outcome.scenario, amount(outcome.scenario.epsilon)
    in_a_row = count(scenario.window, "timestamp")
    if scenario.window == 1:
        spends = "A timestamp spends"
        first: str = sentence("Every timestamp may spend the whole budget of {epsilon} by itself", epsilon=epsilon)
    else:
        spends = sentence("Any {window} in a row spend", window=in_a_row)
        first = sentence("Any {window} in a row share the budget of {epsilon}", window=in_a_row, epsilon=epsilon)
    if not scenario.spread.online:
        each = amount(outcome.budgets[0])
        return [f"{first}." if scenario.window == 1 else sentence("{first}, {each} each.", first=first, each=each)]
    all_measured = outcome.published.all()
    first += (
        "; every one is measured." if all_measured else f"; {_measured(outcome)}, the others repeat the last release."
    )
    in_this_draw = sentence(
        "{spends} up to {most_in_window} in this draw, and at most {most_epsilon} in any draw.",
        spends=spends,
        most_in_window=bound(float(outcome.window_totals.max())),
        most_epsilon=bound(scenario.epsilon),
    )
    return [first, in_this_draw]


def _planned_sentences(outcome: Outcome) -> list[str]:
    budgets, scenario = outcome.budgets, outcome.scenario
    searched = scenario.spread.searched
    first, middle, last = (amount(float(budgets[i])) for i in (0, len(budgets) // 2, -1))
    loses: str = amount(scenario.target)
    # a bound over all starts, or the most that single timestamps lose
    if searched or (scenario.adversary == "any" and scenario.correlation != "none"):
        loses = sentence("at most {most_target}", most_target=bound(scenario.target))
    by = "Under Cao's plan"
    if searched:
        by = (
            f"Until a better plan is found, this is {lower(outcome.in_place)}:"
            if outcome.in_place
            else "Under this plan"
        )
    text = f"{by} every timestamp loses {loses} in total"
    if scenario.correlation == "none" or lone(outcome):
        text += ", its own budget"
    else:
        text += f" to someone who {', '.join(filter(None, (assumes(outcome), as_if(outcome), outcome.kind.supposed)))}"
    low, high = float(budgets.min()), float(budgets.max())
    alike = high <= low * (1 + 1e-6) if searched else first == last
    if searched and not alike and len(budgets) > 2:
        text += f": {first} at the first, {last} at the last, at least {bound(low, up=False)} elsewhere."
    elif not searched and len(budgets) > 2:
        text += f": {first} at the first, {last} at the last, {middle} between."
    else:
        text += f": {first} each." if alike else f": {first} at the first, {last} at the last."
    said = [text, *beside_cao(outcome), *beside_user_level(outcome)]
    if scenario.correlation != "none" and scenario.adversary in ("past", "future"):
        other = "future" if scenario.adversary == "past" else "past"
        said.append(f"This does not cover someone who also reasons from the {other}.")
    said += what_if_sentences(outcome) if scenario.correlation != "none" else []
    if scenario.landmarks:
        said.append(f"{_landmarks_spend(outcome)}.")
    return said


def _landmark_sentence(outcome: Outcome) -> str:
    if not outcome.protected:
        return (
            f"No landmark is marked yet, so each timestamp may spend up to the whole budget of "
            f"{amount(outcome.scenario.epsilon)} by itself: choose the moments that matter {outcome.kind.shown}."
        )
    return outcome.scenario.spread.sentence(_told(outcome))


def _error_sentences(outcome: Outcome) -> list[str]:
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
    planar = " by planar Laplace" if outcome.reports is not None and outcome.reports.beside_planar else ""
    return [
        f"{what} {write(outcome.median_error_m)} or more from the truth "
        f"(mean {write(outcome.mean_error_m)}; expected{planar}: {_expected(outcome)}).{_wide(outcome)}",
        *_cell_sentences(outcome),
    ]


def _wide(outcome: Outcome) -> str:
    """That noise goes beyond the region of a track, or the bounds of a series, where an error is stated that exceeds it."""
    if is_beyond(outcome.scenario, outcome.trajectory, outcome.mean_error_m):
        return " Noise goes beyond the region; a reader moves the reports into it."
    width = getattr(outcome.ground, "upper", math.inf) - getattr(outcome.ground, "lower", -math.inf)
    if not max(outcome.mean_error_m, outcome.user_error_m) > width:
        return ""
    return f" Noise goes beyond the bounds, {outcome.ground.write(width)} apart; a reader clips values to them."


def _answer_sentence(outcome: Outcome) -> str:
    """How many of the released answers are wrong."""
    write = outcome.ground.write
    over = "" if outcome.error_low_m is None else "Over 100 draws, on average "
    said = f"{over}{write(outcome.mean_error_m)} of {outcome.kind.reported} are wrong"
    return f"{said} (expected: {_expected(outcome)}; at 50 % they say nothing)."


def _expected(outcome: Outcome) -> str:
    """What is expected at the two levels between which every other scheme lies."""
    event, user = expected_errors(outcome)
    return f"event level {event}, user level {user}"


def _cell_sentences(outcome: Outcome) -> list[str]:
    reports = outcome.reports
    if reports is None:
        return []
    named = MECHANISMS[outcome.scenario.mechanism].split(":")[0]
    text = f"{named} reports one of {count(reports.cells, 'cell')} of {metres(reports.cell_m)}, "
    text += "" if reports.chances is None else f"{_chances(reports.chances, reports.cells)}, "
    text += f"at an expected {metres(reports.mean_expected_m)} from the truth where it measures"
    if not reports.beside_planar:
        return [f"{text}."]
    saving = reports.saving_m
    beside = f": {metres(abs(saving))} {'less' if saving > 0 else 'more'} than" if abs(saving) >= 0.5 else ", as"
    return [f"{text}{beside} planar Laplace with the same budgets."]


def _chances(chances: Floats, cells: int) -> str:
    """How likely the true cell is to be reported, and would be by pure chance."""
    low, high = percent(float(np.nanmin(chances))), percent(float(np.nanmax(chances)))
    return f"the true one with a chance of {high if low == high else f'{low} to {high}'}, by mere chance {percent(1 / cells)}"


def _loss_sentences(outcome: Outcome) -> list[str]:
    if outcome.scenario.spread.plans or not outcome.budgets.any():
        return []
    if outcome.scenario.correlation == "none":
        return ["With independent timestamps nothing more is learned about a timestamp than its own budget says."]
    if lone(outcome):
        whole = float(outcome.budgets.sum())
        fits = whole <= outcome.scenario.epsilon * (1 + SLACK)
        return [*what_if_sentences(outcome), *([_all_together(outcome, whole)] if fits else [])]
    worst = int(np.argmax(outcome.total))
    peak, spent = float(outcome.total[worst]), float(outcome.budgets[worst])
    text = f"{_by_one_number(outcome)} same attacker learns up to {bound(peak)} about one timestamp"
    if spent > 0 and peak > spent * (1 + SLACK):
        text += f", {amount(peak / spent)} times its own budget"
    text += f", {outcome.kind.supposed}"
    if math.isfinite(outcome.supremum):
        longer = f"; however long the {outcome.kind.data}, never more than {bound(outcome.supremum)}"
    else:
        bounded = outcome.correlation.bounded_epsilon()
        mend = f" (it would stay bounded with less than {bound(bounded, up=False)} each)" if bounded > 0 else ""
        longer = f"; on a longer {outcome.kind.data} the loss grows without bound{mend}"
    if outcome.scenario.spread.shrinks:  # on a longer track it spends less
        longer = ""
    return [*what_if_sentences(outcome), f"{text}{longer}.", *_together_sentences(outcome)]


def _by_one_number(outcome: Outcome) -> str:
    """On which map the loss of Cao et al. is, and what it assumes of all pairs."""
    where = ["in this draw"] if outcome.scenario.spread.online else []
    where += ["on the flat map used for the noise"] if stretched(outcome) > FLAT else []
    where += [as_if(outcome), "which the chain's are not" if apart(outcome) else ""]
    said = ", ".join(filter(None, where))
    return f"{_capital(said)}, the" if said else "The"


def _capital(text: str) -> str:
    """A text as the beginning of a sentence."""
    return f"{text[:1].upper()}{text[1:]}"


def _together_sentences(outcome: Outcome) -> list[str]:
    """What several timestamps lose together: all of them, those in a row, or the landmarks and one more."""
    scenario, spent = outcome.scenario, float(outcome.budgets.sum())
    near, between = outcome.kind.placed and scenario.mechanism != "randomised", outcome.kind.supposed
    how = as_if(outcome) and ("with all places so near" if near else "by the same number")
    adversary = ", ".join(filter(None, ("to the same attacker", how)))
    if spent <= scenario.epsilon * (1 + SLACK):
        return [_all_together(outcome, spent)]
    if scenario.spread.windowed and scenario.window > 1:
        row = f"{_capital(adversary)}, any {count(scenario.window, 'timestamp')} in a row lose"
        return [f"{row} at most {bound(float(outcome.window_loss.max()))} together, {between}."]
    if not (scenario.landmark_loss and scenario.landmarks):
        return []
    counted, most = amount(float(outcome.landmark.max())), float(outcome.landmark_bound.max())
    other = " and one other timestamp" if len(outcome.protected) < len(outcome) else ""
    who = f"your {together(outcome)}{other} together lose"
    paper = "the landmark paper's count, which is not a bound,"
    if math.isnan(most):
        return [f"By {paper} {who} {counted} {adversary}, {between}; a bound takes too long here."]
    most_said = f"at most {bound(most)} (a proven bound), {between}"
    return [f"{_capital(adversary)}, {who} {most_said}; {paper} gives {counted}."]


def _all_together(outcome: Outcome, spent: float) -> str:
    """What all timestamps together tell, and between which places; the sum holds under any chain."""
    times = counts(outcome)
    more = "that" if times <= FLAT else bound(spent * times)
    text = f"{_everything(outcome)} at most {bound(spent)}, and nobody learns more than {more}"
    if outcome.kind.placed and outcome.scenario.mechanism != "randomised":
        near = f"within {metres(outcome.scenario.radius_m)} of each other"
        if outcome.reports is not None:
            near = "in one cell or in two neighbouring ones"
        text += f" as long as all places in question lie {near}"
    return f"{text}, however {outcome.kind.values} follow each other."


def _everything(outcome: Outcome) -> str:
    """What spends the budgets: the subject and its verb."""
    n = len(outcome)
    return {1: "The only timestamp spends", 2: "Both timestamps together spend"}.get(n, "All timestamps together spend")


def beside_user_level(outcome: Outcome) -> list[str]:
    """That user level has a smaller expected error at the same target, where it does; for cells by planar Laplace, as
    elsewhere."""
    planned, user, write = _expected_of_plan(outcome), outcome.user_at_target_m, outcome.ground.write
    spread = outcome.scenario.spread
    if not spread.plans or spread.searched or not user < planned or write(user) == write(planned):
        return []
    by_planar = " by planar Laplace" if outcome.reports is not None and outcome.reports.beside_planar else ""
    less = f"an expected mean error of {write(user)} against {write(planned)}{by_planar}"
    return [f"User level does better here at the same target: {less}."]


def beside_cao(outcome: Outcome) -> list[str]:
    """The expected mean error of a plan that was searched for, with that of Cao's plan and of user level at its
    target."""
    write, cells = outcome.ground.write, outcome.reports is not None and outcome.reports.beside_planar
    if not outcome.scenario.spread.searched:
        return []
    own, other = write(_expected_of_plan(outcome)), write(outcome.cao_error_m)
    cao = f"under Cao's plan {other}, " if math.isfinite(outcome.cao_error_m) and other != own else ""
    user = f"under user level {write(outcome.user_at_target_m)} at the same target"
    planar = " (by planar Laplace)" if cells else ""
    return [f"Its expected mean error is {own}; {cao}{user}{planar}."]


def _expected_of_plan(outcome: Outcome) -> float:
    """The mean expected error of the plan."""
    if outcome.reports is None or outcome.reports.beside_planar:
        return float(outcome.ground.expected(outcome.budgets).mean())
    return outcome.reports.mean_expected_m


FAILS_AT_DELTA = "A bound at δ may fail with probability δ; a sum cannot."


def _at_delta(outcome: Outcome) -> list[str]:
    """What all timestamps, and the landmarks with one other, tell together at a delta, where that is less than their sum."""
    scenario, spent = outcome.scenario, outcome.budgets
    if scenario.spread.online:
        most = bound(Promised(outcome).all_loss)
        why = f"As {scenario.spread.title} chooses its budgets as it goes, they can only be summed"
        return [f"{why}: at most {most} for all timestamps together, whatever it chooses."]
    if np.count_nonzero(spent) < 2:
        return []
    everywhere = _beside_sum(outcome, spent)
    if not everywhere:
        return []
    marked = np.isin(np.arange(len(spent)), outcome.protected)
    others = spent[~marked]
    landmarks = ""
    if marked.any() and len(others) > 1:
        landmarks = _beside_sum(outcome, np.append(spent[marked], others.max()))
    text = f"{_differing(outcome)} is told apart from it by {everywhere}"
    if landmarks:
        text += f"; one that differs only at your {together(outcome)} and one other timestamp, by {landmarks}"
    if len(np.unique(spent[spent > 0])) > MOST_DIFFERENT:
        text += f"; to add them up, the budgets are rounded up to {MOST_DIFFERENT} different ones"
    return [f"With δ = {amount(scenario.delta)}, {text}.", FAILS_AT_DELTA]


def _differing(outcome: Outcome) -> str:
    """The neighbour at every timestamp."""
    far = ""
    if outcome.scenario.mechanism != "randomised" and outcome.kind.placed:
        far = f", each time within {'one cell' if outcome.reports is not None else metres(outcome.scenario.radius_m)},"
    return f"a {outcome.kind.data} that differs from yours at every timestamp{far}"


def _beside_sum(outcome: Outcome, budgets: Floats) -> str:
    """Epsilon at the delta with the sum; nothing where both are written alike."""
    most = float((budgets * counts(outcome)).sum())
    said, by_sums = bound(epsilon_at_delta(outcome, budgets)), bound(most)
    if said == by_sums:
        return ""
    return f"at most ε = {said} (by sums at most {by_sums})"
