"""Chains of the user's own, in words: what each needs and which past states are counted."""

from __future__ import annotations

from lmdk_widgets.page.amounts import amount, count
from lmdk_widgets.page.matrix_text import matrix_text
from lmdk_widgets.pages.quilts.outcome import QuiltOutcome
from lmdk_widgets.pages.quilts.own_chains import MOST_CHAINS, PUBLISHED_EPSILON, PUBLISHED_LENGTH
from lmdk_widgets.pages.quilts.series import MOST_SEARCHED


def scale_digits(value: float) -> str:
    """A noise scale with so many digits that those of two chains can be compared: "12.9341".

    Examples
    --------
    >>> scale_digits(12.93405108), scale_digits(100.0), scale_digits(12345.678)
    ('12.9341', '100', '12,345.7')
    """
    return f"{value:,.6g}" if abs(value) < 1e6 else f"{value:,.0f}"


def theta_of_own(outcome: QuiltOutcome) -> str:
    """The chains that were typed, as the end of a sentence."""
    n = len(outcome.belief.chains)
    states = count(outcome.series.n_states, "state")
    return (
        f"the chain that you typed, with {states}" if n == 1 else f"any of the {n} chains that you typed, with {states}"
    )


def needed(outcome: QuiltOutcome) -> list[str]:
    """What each chain needs by itself, which one decides, and what the other count of past states would give."""
    if not outcome.series.theta:
        return []
    each, worst = outcome.alone, outcome.scale
    setting = f"At T = {len(outcome):,} and ε = {amount(outcome.choices.epsilon)}"
    alone = ", ".join(
        f"chain {k} by itself needs σ = {scale_digits(found.scale)} (timestamp {found.node + 1:,})"
        for k, found in enumerate(each, start=1)
    )
    said = [f"{setting} {alone}."]
    if len(each) > 1:
        said = [
            f"{setting} {alone}. Against all of them σ is the largest, {scale_digits(worst.scale)}: {deciding(outcome)}."
        ]
    return [*said, *_starts(outcome), _counted(outcome), _drawn()]


def deciding(outcome: QuiltOutcome) -> str:
    """Which chain needs the noise: "chain 1 needs it"."""
    largest = outcome.scale.scale * (1 - 1e-12)
    which = [str(k) for k, found in enumerate(outcome.alone, start=1) if found.scale >= largest]
    if len(which) == 1:
        return f"chain {which[0]} needs it"
    return f"chains {', '.join(which[:-1])} and {which[-1]} need it alike"


def _starts(outcome: QuiltOutcome) -> list[str]:
    """Which chains do not start in their long run, and what follows from it."""
    away = [k for k, chain in enumerate(outcome.belief.chains, start=1) if not chain.is_stationary]
    if not away:
        return []
    who = f"Chain {away[0]} does" if len(away) == 1 else f"Chains {', '.join(map(str, away[:-1]))} and {away[-1]} do"
    return [
        f"{who} not start in the long run, so that a timestamp near the start differs from a later one: influences are "
        "those of the chosen timestamp, and two segments are counted where they lie."
    ]


def _counted(outcome: QuiltOutcome) -> str:
    """Which past states count, and what the other count would give."""
    everywhere = outcome.choices.support == "all"
    other = outcome.scale_otherwise
    if other is None:
        return (
            "Every state can occur at every timestamp, so that the count by the definition and that of the authors' code are "
            "the same."
        )
    now, then = ("As the authors' code counts", "by the definition") if everywhere else ("By the definition", "it")
    here, there = scale_digits(outcome.scale.scale), scale_digits(other)
    result = f"σ = {there}" if here != there else "the same σ"
    if everywhere:
        return (
            f"{now}, a quilt is also judged by past states that cannot occur where it lies. Nobody can see them, so that "
            f"{then} they do not count, which gives {result}; both protect."
        )
    return (
        f"{now}, a quilt is judged by the past states that can occur where it lies. The authors' code counts the others too, "
        f"which asks for as much noise or more: {then} gives {result}; both protect."
    )


def _drawn() -> str:
    return (
        "The series is one run of chain 1 with a fixed seed; “Draw again” draws other noise. Adversaries believe in these "
        "chains and no others: nothing is estimated or resampled, so that a bootstrap set does not apply."
    )


def typed(outcome: QuiltOutcome) -> dict[str, object]:
    """What stands in the fields of the chains, and how many there may be."""
    chains = outcome.choices.own_chains
    rows = [{"initial": " ".join(map(repr, chain.initial)), "matrix": matrix_text(chain.matrix)} for chain in chains]
    sample = (
        f"Two chains of two states, with T = {PUBLISHED_LENGTH} and ε = {PUBLISHED_EPSILON:g}. For the first of them "
        "σ = 13.0219 is published, counted as the authors' code does."
    )
    limit = (
        f"The length T is at most {MOST_SEARCHED:,} with one chain that starts outside its long run, or whose past states "
        "count though they cannot occur; with several such chains it is that, divided by their number."
    )
    return {"rows": rows, "most": MOST_CHAINS, "sample": sample, "limit": limit}
