"""What stands beside a view: the timeline, the chain and the moves of landmarks as text."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from lmdk_widgets.page.amounts import amount, bound, count
from lmdk_widgets.scenario.compare import MOST_MOVED, Moved
from lmdk_widgets.scenario.model import MECHANISMS, SPREADS
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.sweep import Row


def summarise(outcome: Outcome) -> str:
    """What the panels of the timeline show, as text: the range of budgets, sums, losses and errors."""
    return " ".join(filter(None, summaries(outcome)))


def summaries(outcome: Outcome) -> tuple[str, str, str, str]:
    """The same, a text for each panel: budgets, losses, errors, and the sampling rate, "" where there is none."""
    low, high = float(outcome.budgets.min()), float(outcome.budgets.max())
    each = amount(high) if low == high else f"{amount(low)} to {amount(high)}"
    forever = f"never more than {bound(outcome.supremum)} (the supremum)"
    if math.isinf(outcome.supremum):
        forever = f"grows without bound on a longer {outcome.kind.data}"
    return (
        f"Budgets: {each} per timestamp; {_summed(outcome)}.",
        f"Loss: backward up to {bound(float(outcome.backward.max()))}, forward up to "
        f"{bound(float(outcome.forward.max()))}, total {amount(float(outcome.total.min()))} to "
        f"{amount(float(outcome.total.max()))}, {forever}.",
        _errors(outcome),
        _sampled(outcome),
    )


def _errors(outcome: Outcome) -> str:
    write = outcome.ground.write
    expected = (
        f"expected {write(outcome.event_error_m)} at event level and {write(outcome.user_error_m)} at user level."
    )
    if outcome.kind.counts_wrong:
        return f"Error: {write(outcome.mean_error_m)} wrong; {expected}"
    return (
        f"Error: mean {write(outcome.mean_error_m)}, at least half within {write(outcome.median_error_m)}; {expected}"
    )


def _sampled(outcome: Outcome) -> str:
    """How often Adaptive samples, and the differences from which on it samples more."""
    if outcome.rate is None:
        return ""
    text = f"Sampling rate: {amount(float(outcome.rate.min()))} to {amount(float(outcome.rate.max()))}"
    if outcome.threshold_m is None:
        return f"{text}; it falls while answers are alike and rises where two differ."
    compared, write = outcome.threshold_m[np.isfinite(outcome.threshold_m)], outcome.ground.write
    if not len(compared):
        return text + "; no two releases were compared."
    return text + f"; threshold {write(float(compared.min()))} to {write(float(compared.max()))}."


def _summed(outcome: Outcome) -> str:
    """The largest of the sums that the scheme speaks of, and what it is to be compared with."""
    scenario, epsilon = outcome.scenario, amount(outcome.scenario.epsilon)
    if scenario.spread.windowed:
        every = "every timestamp" if scenario.window == 1 else f"any {count(scenario.window, 'timestamp')} in a row"
        return f"in a window at most {bound(float(outcome.window_totals.max()))}, {every} having {epsilon}"
    whole = f"for a total loss of {amount(scenario.target)}" if scenario.spread.plans else f"the budget being {epsilon}"
    return f"with the landmarks at most {bound(float(outcome.totals.max()))}, {whole}"


def describe_chain(outcome: Outcome) -> str:
    """The Markov chain behind the losses, in a sentence or two."""
    chain = outcome.correlation
    if chain.matrix is None or chain.stationary is None:
        return f"No correlation: {outcome.kind.a_value} says nothing about the next one."
    stay, share = np.diag(chain.matrix), chain.stationary
    low, high = amount(float(stay.min())), amount(float(stay.max()))
    stays = f"stays where it is with probability {high}" if low == high else f"stays with probability {low} to {high}"
    longest = f"{100 * share.max():.3g} % of the time in the most frequent"
    bounded = chain.bounded_epsilon()
    loss = {math.inf: "stays bounded for every epsilon", 0: "grows without bound for every epsilon"}.get(bounded)
    loss = loss or f"stays bounded while each timestamp spends less than {bound(bounded, up=False)}"
    return f"{count(len(stay), 'state').capitalize()}; {stays}; in the long run {longest}. The loss {loss}."


def describe_proposed(outcome: Outcome) -> str:
    """What the search for stay points found; "" when nobody asked for it."""
    if outcome.stays is None:
        return ""
    if not outcome.stays:
        return "No stay as long as that: choose a longer distance or a shorter time."
    one, whole = len(outcome.proposed), len(outcome.proposed_whole)
    if not whole:
        return "Every timestamp of every stay is a landmark already."
    drawn = (
        f"{count(one, 'timestamp')} to mark, one per stay, drawn hollow" if one else "one timestamp of each is marked"
    )
    return f"{count(len(outcome.stays), 'stay').capitalize()} found: {drawn}; {count(whole, 'timestamp')} to mark them whole."


def comparison_rows(outcome: Outcome) -> list[list[str]]:
    """Every scheme that was computed so far: its title, largest loss, supremum, landmark loss and mean error."""
    rows = []
    for row in outcome.compared:
        # where the mechanism is not the one chosen, it is named
        other = "" if row.mechanism == outcome.scenario.mechanism else f" ({MECHANISMS[row.mechanism].split(':')[0]})"
        error = outcome.ground.write(row["mean_error_m"]) + other
        title = SPREADS[row.scheme].title
        rows.append([title, amount(row["largest_total_loss"]), bound(row["supremum"]), _together(row), error])
    return rows


def _together(row: Row) -> str:
    """What the landmarks lose together: the bound and the authors' count."""
    most, counted = row["landmark_bound"], row["landmark_loss"]
    if math.isnan(most):
        return amount(counted) if math.isnan(counted) else f"count {amount(counted)}"
    return f"≤ {bound(most)} (count {amount(counted)})"


def describe_moves(outcome: Outcome, moves: Sequence[Moved], labels: Sequence[str]) -> str:
    """What moving a landmark by one timestamp does to what the landmarks lose together."""
    if not moves:
        return "There is no landmark that could move to a regular timestamp beside it."
    now = float(outcome.landmark.max())
    best, worst = min(moves, key=lambda m: m.landmark_loss), max(moves, key=lambda m: m.landmark_loss)

    def said(move: Moved) -> str:
        at = [labels[i] if labels and len(outcome) <= 30 else f"#{i + 1}" for i in (move.landmark, move.to)]
        same = amount(move.landmark_loss) == amount(now)
        return f"from {at[0]} to {at[1]} {'leaves it at' if same else 'makes it'} {amount(move.landmark_loss)}"

    text = f"By the count in the landmark paper, the landmarks lose {amount(now)} together with the worst other timestamp. "
    text += f"Moving a landmark {said(best)}"
    if best.landmark_loss == worst.landmark_loss:
        tried = " that was tried" if len(outcome.scenario.landmarks) > MOST_MOVED else ""
        return f"{text}, and so does every other move by one timestamp{tried}."
    return f"{text}; moving one {said(worst)}."
