"""An outcome in plain sentences: what the settings mean, what they assume, and where the guarantee does not hold."""

from __future__ import annotations

import math

import numpy as np

from lmdk_widgets.answers.best_possible import best_possible_sentence
from lmdk_widgets.answers.by_distance import apart, taken_for, what_if_sentences
from lmdk_widgets.answers.by_hand_words import by_hand_sentences
from lmdk_widgets.answers.dummies import hidden_sentences, together
from lmdk_widgets.answers.exposure import found_sentences
from lmdk_widgets.answers.guarantee import FLAT, SLACK, assumption, stretched, warnings
from lmdk_widgets.answers.odds import (
    MOST_DIFFERENT,
    all_at_delta,
    as_if,
    assumes,
    chain_at_delta_sentence,
    counts,
    epsilon_at_delta,
    odds_sentence,
)
from lmdk_widgets.answers.pairs import lone
from lmdk_widgets.answers.promises import Promised
from lmdk_widgets.budgets.schemes.base import Told
from lmdk_widgets.geo import Floats
from lmdk_widgets.page.amounts import amount, bound, count, every, metres, whole
from lmdk_widgets.page.blocks import Notes
from lmdk_widgets.page.sentences import capital, join, sentence
from lmdk_widgets.pages.track.error_words import beside_cao, beside_user_level, error_sentences
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.plans import lower


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
    return Notes(meaning(outcome), rests_on(outcome), tuple(warnings(outcome)))


def meaning(outcome: Outcome) -> str:
    """What an outcome means: the attacker, the error, the budgets and the loss, a blank line between them."""
    groups = (
        (odds_sentence(outcome), *found_sentences(outcome), *Promised(outcome).known_sentences()),
        (*error_sentences(outcome), best_possible_sentence(outcome)),
        (*_budget_sentences(outcome), *hidden_sentences(outcome)),
        _loss_sentences(outcome),
    )
    return "\n\n".join(" ".join(sentences) for sentences in groups if sentences)


def rests_on(outcome: Outcome) -> str:
    """The assumption behind it, and what everything tells together at a delta, which takes longer than all the rest."""
    at_delta = (*_at_delta(outcome), chain_at_delta_sentence(outcome))
    return " ".join(filter(None, (assumption(outcome), taken_for(outcome), *at_delta)))


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
    first = _scheme_sentence(outcome)
    if not scenario.landmarks:
        return [first, f"No landmark is marked yet: choose the moments that matter {outcome.kind.shown}."]
    spend = _landmarks_spend(outcome)
    if len(outcome.protected) == len(outcome):
        return [first, sentence("{spend}.", spend=spend)]
    most = bound(float(outcome.totals.max()))
    other = sentence(
        "{spend}, with one other timestamp at most {most_with_landmarks}.", spend=spend, most_with_landmarks=most
    )
    return [first, other]


def _scheme_sentence(outcome: Outcome) -> str:
    """The scheme's own sentence, with the numbers of the outcome."""
    n, budgets, marked = len(outcome), outcome.budgets, np.isin(np.arange(len(outcome)), outcome.protected)
    k, low, high = int(marked.sum()), float(budgets.min()), float(budgets.max())
    of_landmarks, others = budgets[marked], budgets[~marked]
    most, scenario, kind = float(outcome.totals.max()), outcome.scenario, outcome.kind
    epsilon, share, adds = amount(scenario.epsilon), amount(outcome.landmark_share), most - outcome.landmark_share
    noisy = scenario.mechanism != "randomised" and k > 0 and bool(of_landmarks[0] > 0)
    told = Told(
        n=n,
        k=k,
        alike=amount(low) == amount(high),
        landmarks_alike=k > 0 and bool((of_landmarks == of_landmarks[0]).all()),
        others_alike=len(others) == 0 or bool((others == others[0]).all()),
        all_spent=share == epsilon,
        noisy=noisy,
    )
    values: dict[str, str] = {
        "n_timestamps": count(n, "timestamp"),
        "all_timestamps": capital(every(n, "timestamps")),
        "protected": together(outcome),
        "epsilon": epsilon,
        "each_budget": amount(low),
        "lowest": amount(low),
        "highest": amount(high),
        "landmark_share": share,
        "added": amount(adds),
        "most_added": bound(adds),
        "most_with_landmarks": bound(most),
        "which_measured": _measured(outcome),
        "data": kind.data,
        "values": kind.values,
    }
    if k:
        values["each_landmark"] = amount(of_landmarks[0])
    if noisy:
        more = amount(scenario.epsilon / (k + 1) / float(of_landmarks[0]))
        values["least_error"] = sentence(kind.least_error, more_noise=more)
    return sentence(scenario.spread.sentence(told), **values)


def _landmarks_spend(outcome: Outcome) -> str:
    k, share = len(outcome.protected), amount(outcome.landmark_share)
    if k == 1:
        return sentence("Your {protected} spends {landmark_share}", protected=together(outcome), landmark_share=share)
    return sentence(
        "Your {protected} spend {landmark_share} together", protected=together(outcome), landmark_share=share
    )


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
        if scenario.window == 1:
            return [sentence("{first}.", first=first)]
        return [sentence("{first}, {each_budget} each.", first=first, each_budget=each)]
    all_measured = outcome.published.all()
    if all_measured:
        first = sentence("{first}; every one is measured.", first=first)
    else:
        repeat = "{first}; {which_measured}, the others repeat the last release."
        first = sentence(repeat, first=first, which_measured=_measured(outcome))
    in_this_draw = sentence(
        "{spends} up to {most_in_window} in this draw, and at most {most_epsilon} in any draw.",
        spends=spends,
        most_in_window=bound(float(outcome.window_totals.max())),
        most_epsilon=bound(scenario.epsilon),
    )
    return [first, in_this_draw]


def _planned_sentences(outcome: Outcome) -> list[str]:
    scenario = outcome.scenario
    searched = scenario.spread.searched
    loses = sentence("{target}", target=amount(scenario.target))
    # a bound over all starts, or the most that single timestamps lose
    if searched or (scenario.adversary == "any" and scenario.correlation != "none"):
        loses = sentence("at most {most_target}", most_target=bound(scenario.target))
    by = "Under Cao's plan"
    if searched:
        in_place = f"Until a better plan is found, this is {lower(outcome.in_place)}:"
        by = in_place if outcome.in_place else "Under this plan"
    to_whom: str = ", its own budget"
    if scenario.correlation != "none" and not lone(outcome):
        who = join((assumes(outcome), as_if(outcome), outcome.kind.supposed))
        to_whom = sentence(" to someone who {who}", who=who)
    text = sentence(
        "{by} every timestamp loses {loses} in total{to_whom}: {spent}.",
        by=by,
        loses=loses,
        to_whom=to_whom,
        spent=_plan_budgets(outcome),
    )
    said = [text, *beside_cao(outcome), *beside_user_level(outcome)]
    if scenario.correlation != "none" and scenario.adversary in ("past", "future"):
        other = "future" if scenario.adversary == "past" else "past"
        said.append(f"This does not cover someone who also reasons from the {other}.")
    said += what_if_sentences(outcome) if scenario.correlation != "none" else []
    if scenario.landmarks:
        said.append(sentence("{spend}.", spend=_landmarks_spend(outcome)))
    return said


def _plan_budgets(outcome: Outcome) -> str:
    """What the timestamps spend under a plan."""
    budgets, searched = outcome.budgets, outcome.scenario.spread.searched
    first, middle, last = (amount(float(budgets[i])) for i in (0, len(budgets) // 2, -1))
    low, high = float(budgets.min()), float(budgets.max())
    alike = high <= low * (1 + 1e-6) if searched else first == last
    if alike and (searched or len(budgets) <= 2):
        return sentence("{each_budget} each", each_budget=first)
    ends = sentence("{first_budget} at the first, {last_budget} at the last", first_budget=first, last_budget=last)
    if len(budgets) <= 2:
        return ends
    if not searched:
        return sentence("{ends}, {middle_budget} between", ends=ends, middle_budget=middle)
    return sentence("{ends}, at least {least_budget} elsewhere", ends=ends, least_budget=bound(low, up=False))


def _landmark_sentence(outcome: Outcome) -> str:
    if not outcome.protected:
        return sentence(
            "No landmark is marked yet, so each timestamp may spend up to the whole budget of {epsilon} by itself: "
            "choose the moments that matter {where}.",
            epsilon=amount(outcome.scenario.epsilon),
            where=outcome.kind.shown,
        )
    return _scheme_sentence(outcome)


def _loss_sentences(outcome: Outcome) -> list[str]:
    if outcome.scenario.spread.plans or not outcome.budgets.any():
        return []
    if outcome.scenario.correlation == "none":
        return ["With independent timestamps nothing more is learned about a timestamp than its own budget says."]
    if lone(outcome):
        all_spent = float(outcome.budgets.sum())
        fits = all_spent <= outcome.scenario.epsilon * (1 + SLACK)
        return [*what_if_sentences(outcome), *([_all_together(outcome, all_spent)] if fits else [])]
    worst = int(np.argmax(outcome.total))
    peak, spent = float(outcome.total[worst]), float(outcome.budgets[worst])
    times: str = ""
    if spent > 0 and peak > spent * (1 + SLACK):
        times = sentence(", {times_budget} times its own budget", times_budget=amount(peak / spent))
    text = sentence(
        "{where} same attacker learns up to {most_lost} about one timestamp{times}, {supposed}{longer}.",
        where=_by_one_number(outcome),
        most_lost=bound(peak),
        times=times,
        supposed=outcome.kind.supposed,
        longer=_on_a_longer(outcome),
    )
    return [*what_if_sentences(outcome), text, *_together_sentences(outcome)]


def _on_a_longer(outcome: Outcome) -> str:
    """How far the loss grows with the length of the data; nothing where each timestamp of longer data spends less."""
    data = outcome.kind.data
    if outcome.scenario.spread.shrinks:
        return ""
    if math.isfinite(outcome.supremum):
        never = bound(outcome.supremum)
        return sentence("; however long the {data}, never more than {supremum}", data=data, supremum=never)
    grows = sentence("; on a longer {data} the loss grows without bound", data=data)
    bounded = outcome.correlation.bounded_epsilon()
    if bounded <= 0:
        return grows
    less = bound(bounded, up=False)
    return sentence(
        "{grows} (it would stay bounded with less than {bounded_budget} each)", grows=grows, bounded_budget=less
    )


def _by_one_number(outcome: Outcome) -> str:
    """On which map the loss of Cao et al. is, and what it assumes of all pairs."""
    where = ["in this draw"] if outcome.scenario.spread.online else []
    where += ["on the flat map used for the noise"] if stretched(outcome) > FLAT else []
    where += [as_if(outcome), "which the chain's are not" if apart(outcome) else ""]
    said = join(where)
    return sentence("{said}, the", said=capital(said)) if said else "The"


def _together_sentences(outcome: Outcome) -> list[str]:
    """What several timestamps lose together: all of them, those in a row, or the landmarks and one more."""
    scenario, spent = outcome.scenario, float(outcome.budgets.sum())
    near, between = outcome.kind.placed and scenario.mechanism != "randomised", outcome.kind.supposed
    how = as_if(outcome) and ("with all places so near" if near else "by the same number")
    adversary = join(("to the same attacker", how))
    if spent <= scenario.epsilon * (1 + SLACK):
        return [_all_together(outcome, spent)]
    if scenario.spread.windowed and scenario.window > 1:
        together_lost = sentence(
            "{to_whom}, any {window} in a row lose at most {most_lost_in_window} together, {between}.",
            to_whom=capital(adversary),
            window=count(scenario.window, "timestamp"),
            most_lost_in_window=bound(float(outcome.window_loss.max())),
            between=between,
        )
        return [together_lost]
    if not (scenario.landmark_loss and scenario.landmarks):
        return []
    most = float(outcome.landmark_bound.max())
    other = " and one other timestamp" if len(outcome.protected) < len(outcome) else ""
    said = {
        "who": sentence("your {protected}{other} together lose", protected=together(outcome), other=other),
        "counted_loss": amount(float(outcome.landmark.max())),
        "between": between,
    }
    if math.isnan(most):
        by_count = sentence(
            "By the landmark paper's count, which is not a bound, {who} {counted_loss} {to_whom}, {between}; a bound takes "
            "too long here.",
            to_whom=adversary,
            **said,
        )
        return [by_count]
    bounded = sentence(
        "{to_whom}, {who} at most {most_of_landmarks} (a proven bound), {between}; the landmark paper's count, which is not "
        "a bound, gives {counted_loss}.",
        to_whom=capital(adversary),
        most_of_landmarks=bound(most),
        **said,
    )
    return [bounded]


def _all_together(outcome: Outcome, spent: float) -> str:
    """What all timestamps together tell, and between which places; the sum holds under any chain."""
    times = counts(outcome)
    near: str = ""
    if outcome.kind.placed and outcome.scenario.mechanism != "randomised":
        radius = metres(outcome.scenario.radius_m)
        near = sentence(" as long as all places in question lie within {radius} of each other", radius=radius)
        if outcome.reports is not None:
            near = " as long as all places in question lie in one cell or in two neighbouring ones"
    more: str = "that"
    if times > FLAT:
        more = sentence("{most_learned}", most_learned=bound(spent * times))
    return sentence(
        "{everything} at most {most_spent}, and nobody learns more than {more}{near}, however {values} follow each "
        "other.",
        everything=_everything(outcome),
        most_spent=bound(spent),
        more=more,
        near=near,
        values=outcome.kind.values,
    )


def _everything(outcome: Outcome) -> str:
    """What spends the budgets: the subject and its verb."""
    n = len(outcome)
    return {1: "The only timestamp spends", 2: "Both timestamps together spend"}.get(n, "All timestamps together spend")


FAILS_AT_DELTA = "A bound at δ may fail with probability δ; a sum cannot."


def _at_delta(outcome: Outcome) -> list[str]:
    """What all timestamps, and the landmarks with one other, tell together at a delta, where that is less than their sum."""
    scenario, spent = outcome.scenario, outcome.budgets
    if scenario.spread.online:
        return _chosen_at_delta(outcome)
    if np.count_nonzero(spent) < 2:
        return []
    everywhere = _beside_sum(outcome, spent)
    if not everywhere:
        return []
    marked = np.isin(np.arange(len(spent)), outcome.protected)
    others = spent[~marked]
    of_landmarks: str = ""
    if marked.any() and len(others) > 1 and (some := _beside_sum(outcome, np.append(spent[marked], others.max()))):
        of_landmarks = sentence(
            "; one that differs only at your {protected} and one other timestamp, by at most ε = {landmarks_at_delta} (by "
            "sums at most {landmarks_summed})",
            protected=together(outcome),
            landmarks_at_delta=some[0],
            landmarks_summed=some[1],
        )
    rounded: str = ""
    if len(np.unique(spent[spent > 0])) > MOST_DIFFERENT:
        different = whole(MOST_DIFFERENT)
        rounded = sentence(
            "; to add them up, the budgets are rounded up to {most_different} different ones", most_different=different
        )
    said = sentence(
        "With δ = {delta}, {neighbour} is told apart from it by at most ε = {all_at_delta} (by sums at most "
        "{all_summed}){of_landmarks}{rounded}.",
        delta=amount(scenario.delta),
        neighbour=_differing(outcome),
        all_at_delta=everywhere[0],
        all_summed=everywhere[1],
        of_landmarks=of_landmarks,
        rounded=rounded,
    )
    return [said, FAILS_AT_DELTA]


def _chosen_at_delta(outcome: Outcome) -> list[str]:
    """The same of all timestamps for a scheme that chooses its budgets as it goes."""
    scenario, summed = outcome.scenario, bound(Promised(outcome).all_loss)
    at = all_at_delta(outcome)
    if not at < Promised(outcome).all_loss or bound(at) == summed:
        said = sentence(
            "Whatever budgets {scheme} chooses as it goes, all timestamps together spend at most {most_of_all}.",
            scheme=scenario.spread.title,
            most_of_all=summed,
        )
        return [said]
    largest = "what each window publishes" if scenario.spread.windowed else "each"
    said = sentence(
        "{scheme} chooses its budgets as it goes; {largest} counts here as the most that it can be. With δ = {delta}, "
        "{neighbour} is then told apart from it by at most ε = {chosen_at_delta} (by sums at most {most_of_all}).",
        scheme=scenario.spread.title,
        largest=largest,
        delta=amount(scenario.delta),
        neighbour=_differing(outcome),
        chosen_at_delta=bound(at),
        most_of_all=summed,
    )
    return [said, FAILS_AT_DELTA]


def _differing(outcome: Outcome) -> str:
    """The neighbour at every timestamp."""
    text = f"a {outcome.kind.data} that differs from yours at every timestamp"
    if outcome.scenario.mechanism == "randomised" or not outcome.kind.placed:
        return text
    if outcome.reports is not None:
        return f"{text}, each time within one cell,"
    return sentence("{text}, each time within {radius},", text=text, radius=metres(outcome.scenario.radius_m))


def _beside_sum(outcome: Outcome, budgets: Floats) -> tuple[str, str] | None:
    """Epsilon at the delta, and the sum; None where both are written alike."""
    most = float((budgets * counts(outcome)).sum())
    said, by_sums = bound(epsilon_at_delta(outcome, budgets)), bound(most)
    return None if said == by_sums else (said, by_sums)
