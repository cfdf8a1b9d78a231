"""How the answers to inverse questions write what is given and what was asked for, how it was found, and what is proven."""

from __future__ import annotations

from numpy import format_float_positional

from lmdk_widgets.answers.odds import STARTS, USUAL_START, as_if
from lmdk_widgets.page.amounts import amount, count, whole
from lmdk_widgets.page.sentences import Sentence, Written, join, sentence
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.sweep.rows import DRAWS


def four_digits(value: float) -> Written:
    """A number with four digits, as answers are."""
    return Written(f"{value:,.4g}", value)


def as_asked(value: float) -> Written:
    """A number that was entered, as it was."""
    return Written(f"{value:,.7g}", value)


def up_to(name: str, value: float) -> Sentence:
    if name == "factor":
        return sentence("With these budgets times {given} or less", given=four_digits(value))
    return sentence("Up to {name} {given}", name=name, given=four_digits(value))


def at_given(name: str, value: float) -> Sentence:
    if name == "factor":
        return sentence("with {given} times these budgets", given=four_digits(value))
    return sentence("at {name} {given}", name=name, given=four_digits(value))


def taken(name: str, value: float) -> Sentence:
    if name == "factor":
        return sentence("{given} times these budgets", given=four_digits(value))
    return sentence("{name} {given}", name=name, given=four_digits(value))


def use(name: str, value: float) -> Sentence:
    """What the button says that takes a value, with all its digits.

    Examples
    --------
    >>> use("epsilon", 4.0), use("factor", 2.5e-05)
    ('Use epsilon 4', 'Use factor 0.000025')
    """
    return sentence(
        "Use {name} {value_taken}", name=name, value_taken=Written(format_float_positional(value, trim="-"), value)
    )


def how_found(outcome: Outcome, how: str) -> str:
    """How an answer about the error as released was found: one of the words of `InverseAnswers`."""
    if how == "draws":
        return sentence("found by search, as the mean of {mean_draws} releases", mean_draws=whole(DRAWS))
    if how == "search":
        return "found by search over expected errors"
    formula = outcome.scenario.spread.formula_for(landmarks=bool(outcome.scenario.landmarks))
    return f"the expected mean error is {formula}"


def proven(outcome: Outcome) -> str:
    """Against whom, and for which places, the bound holds."""
    if outcome.scenario.correlation == "none":
        return "this is proven for timestamps that do not depend on each other"
    how = STARTS.get(outcome.scenario.adversary, USUAL_START)
    near = join((as_if(outcome), outcome.kind.supposed))
    return sentence("this is proven against someone who assumes this chain {how}, {near}", how=how, near=near)


def room_said(outcome: Outcome, most: int | None) -> str:
    """How many landmarks the wanted error leaves room for, at most; None where it is not reached without any."""
    scenario, n = outcome.scenario, len(outcome)
    if most is None:
        return sentence(
            " At epsilon {epsilon} this error leaves room for no landmark, and is not reached even without one.",
            epsilon=amount(scenario.epsilon),
        )
    return sentence(
        " At epsilon {epsilon} this error leaves room for {landmark_room} among {n_timestamps}; you {have} {protected}.",
        epsilon=amount(scenario.epsilon),
        landmark_room=count(most, "landmark") if most else "no landmark",
        n_timestamps=count(n, "timestamp"),
        have="protect" if scenario.hide else "have",
        protected=Written(f"{len(outcome.protected)}", len(outcome.protected)),
    )


def loss_kept(outcome: Outcome, loss: str) -> str:
    """What loses no more than the wanted loss."""
    scenario = outcome.scenario
    other = " and any one other timestamp" if len(outcome.protected) < len(outcome) else ""
    return (
        sentence("the landmarks{other} together lose at most {wanted_loss}", other=other, wanted_loss=loss)
        if scenario.landmarks
        else sentence("no timestamp loses more than {wanted_loss}", wanted_loss=loss)
    )
