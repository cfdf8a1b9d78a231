"""What adversaries believe, in words: which chains, how they stay, and how soon they forget."""

from __future__ import annotations

import math

import numpy as np

from lmdk_widgets.scenario.base.amounts import amount, count, percent
from lmdk_widgets.scenario.quilts.belief import long_run
from lmdk_widgets.scenario.quilts.outcome import QuiltOutcome
from lmdk_widgets.scenario.quilts.own_words import needed, theta_of_own

_RANDOM = 1e-6
"""Below this share of what was told a step earlier, the next state is as good as independent."""


def theta_named(outcome: QuiltOutcome) -> str:
    """The chains that are believed, as the end of a sentence."""
    series, n = outcome.series, len(outcome.belief.chains)
    states = count(series.n_states, "state")
    if series.theta:
        return theta_of_own(outcome)
    if n == 1 and series.known is not None:
        return "the two-state chain of the sliders"
    if n == 1:
        return f"one Markov chain with {states}, {_learned(outcome)}"
    if series.known is not None:
        return f"any of {n} Markov chains: that of the sliders, and {n - 1} that its series could also have come from"
    return f"any of {n} Markov chains with {states}: the one {_learned(outcome)}, and {n - 1} resampled"


def _learned(outcome: QuiltOutcome) -> str:
    added = outcome.choices.smoothing
    smoothing = f"{added:g} added to every count of moves" if added else "moves that were not seen are impossible"
    source = "estimated from this very series" if outcome.series.itself else "estimated from sixty other people's days"
    return f"{source} ({smoothing})"


def itself_warning(outcome: QuiltOutcome) -> list[str]:
    """Chains that are estimated from what is protected, or resampled from it."""
    series, resampled = outcome.series, outcome.choices.theta == "bootstrap"
    if series.theta or series.learned_from or not (series.itself or resampled):
        return []
    what = (
        "The chain, and with it the noise, depends" if series.itself else "The resampled chains, and the noise, depend"
    )
    return [
        f"{what} on the series itself; the papers take it from other data. Estimate it from other days or people before you "
        "rely on it."
    ]


def believed(outcome: QuiltOutcome) -> str:
    """Which of the possible beliefs holds now."""
    return f"Now: {theta_named(outcome)}."


def chain_sentences(outcome: QuiltOutcome) -> list[str]:
    """The chain of the heat map: what it is, how states stay, where it is in the long run, how soon it forgets.

    Notes
    -----
    With g the spectral gap of P P*, the distance of the state's distribution from the long run, in the norm weighted by
    1 / pi, falls by sqrt(1 - g) or more with every move.
    """
    series, chain = outcome.series, outcome.belief.chains[0]
    stay, share = np.diag(chain.transition), long_run(chain)
    low, high = amount(float(stay.min())), amount(float(stay.max()))
    stays = f"with probability {high}" if low == high else f"with probability {low} to {high}, depending on the state"
    often, rare = int(np.argmax(share)), int(np.argmin(share))
    shown = " The heat map shows the first of them." if len(outcome.belief.chains) > 1 else ""
    most, least = (percent(float(share[k])) for k in (often, rare))
    text = "every state is about as frequent as the others"
    if most != least:
        text = f"{most} of the timestamps are in {series.labels[often]}, the most frequent, and {least} in "
        text += f"{series.labels[rare]}, the rarest"
    return [
        f"Adversaries believe in {theta_named(outcome)}.{shown}",
        *needed(outcome),
        f"From one timestamp to the next a state stays as it is {stays}. In the long run {text}.",
        _memory(outcome),
    ]


def _memory(outcome: QuiltOutcome) -> str:
    belief = outcome.belief
    if outcome.series.n_states == 1:
        return "There is only one state, and nothing to remember."
    if not belief.mixes:
        return "It does not mix: a state tells for ever where the series was, or one of them dies out."
    kept = belief.kept
    if kept < _RANDOM:
        return "It mixes at once: each state is independent of the one before."
    moves = max(1, math.ceil(math.log(0.5) / math.log(kept) - 1e-9))
    worst = "Even the slowest of them" if len(belief.chains) > 1 else "It"
    every = "with every move" if moves == 1 else f"within {count(moves, 'move')}"
    return f"{worst} mixes: what a state tells beyond the long run at least halves {every}."
