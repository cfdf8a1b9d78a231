"""The first sentence of the quilts page: what is hidden about any one timestamp, and what it costs, in everyday words."""

from __future__ import annotations

from lmdk_widgets.scenario.base.odds import change
from lmdk_widgets.scenario.quilts.outcome import QuiltOutcome


def odds_sentence(outcome: QuiltOutcome) -> str:
    """By what factor the histogram that is shown changes the odds of any one timestamp, and by how much its bars move."""
    choices, method = outcome.choices, outcome.method(outcome.choices.mechanism)
    if method.noise is None:
        return "No histogram is released: the mechanism that is chosen does not apply here."
    noise = method.noise * (len(outcome) if choices.query == "shares" else 1)
    cost = f"its noise moves each bar by {_timestamps(noise)} on average, of {len(outcome):,}"
    if not method.protects:
        return f"Nothing is promised about what the released histogram tells of any one timestamp; {cost}."
    believe = "believes the chain" if len(outcome.belief.chains) == 1 else "believes one of the chains"
    odds = f"the odds of any two values of {outcome.series.noun} at any one timestamp"
    return f"{change(f'Whoever sees the released histogram and {believe} below', odds, choices.epsilon)}; {cost}."


def _timestamps(number: float) -> str:
    """By how many timestamps a bar is off, as people say it.

    Examples
    --------
    >>> _timestamps(31.46), _timestamps(1.2), _timestamps(0.02)
    ('31 timestamps', '1.2 timestamps', 'less than one timestamp')
    """
    if number < 0.95:
        return "less than one timestamp"
    return f"{number:,.0f} timestamps" if number >= 9.95 else f"{number:.1f} timestamps"
