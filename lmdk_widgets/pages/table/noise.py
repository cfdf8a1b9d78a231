"""The part on noise in words, tables and files; its numbers are those of `neighbours`."""

from __future__ import annotations

from math import erfc, exp, inf, isfinite, log, sqrt

import numpy as np

from lmdk_widgets.io import NOTE
from lmdk_widgets.io.tables import table_csv
from lmdk_widgets.page.amounts import amount, bound, bound_odds, bound_percent, percent, whole
from lmdk_widgets.page.answers import NOTHING, Answer, guesses, out_of_100
from lmdk_widgets.page.blocks import Notes, Table
from lmdk_widgets.page.every_prior import CAPACITY, COLUMNS, SECURITY, every_prior_sentence
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.table.model import NOISES, SURVEYS, TableChoices
from lmdk_widgets.pages.table.neighbours import (
    TRUE_SHARE,
    Noise,
    design_of,
    most_believed,
)

SIMULATION = "This page is a simulation with a known seed, not a private release."


def noise_answers(choices: TableChoices, found: Noise) -> tuple[Answer, Answer, Answer]:
    """How large the error is, what is believed after the output that was drawn, and what is promised of any output."""
    line_ = sentence(
        "is the belief that {case} after the output drawn, {drawn}; {prior} before.",
        case=found.names[0],
        drawn=drawn_said(found),
        prior=percent(choices.prior),
    )
    return (
        _useful(choices, found),
        Answer("Found", percent(found.after), line_, short="after the draw"),
        _promised(found),
    )


def _useful(choices: TableChoices, found: Noise) -> Answer:
    if choices.mechanism in SURVEYS:
        line_: str = sentence(
            "is the standard error of a share from 100 people; {people_needed} reach {wanted_error}.",
            people_needed=people_needed(found),
            wanted_error=percent(choices.wanted),
        )
        return Answer("Useful", percent(found.deviation / 10), line_, short="error from 100 people")
    if choices.mechanism == "exponential":
        line_ = "is the chance that a district other than the most visited one is named."
        return Answer("Useful", percent(found.deviation), line_, short="wrong district")
    what = "each of the five counts" if choices.counted == "histogram" else "the count"
    line_ = sentence("people is the standard deviation of the noise in {what}.", what=what)
    return Answer("Useful", amount(found.deviation), line_, short="people, noise in a count")


def right_guesses(found: Noise) -> float:
    """The largest chance of a right guess between two equally likely inputs: exact for Gaussian noise, else by epsilon."""
    return 1 - erfc(found.mu / sqrt(8)) / 2 if found.mu else guesses(found.epsilon)


def _promised(found: Noise) -> Answer:
    if found.epsilon == inf:
        return Answer("Promised", "nothing", "A No is certainly true: whoever says it is found.", "red", "a No is true")
    right = right_guesses(found)
    if right >= NOTHING:
        line_ = sentence("The release may reveal whether {case}.", case=found.names[0])
        return Answer("Promised", "nothing", line_, "red", "of one person")
    line_ = sentence(
        "guesses between equally likely cases, at most, are right about whether {case}; 50 is chance.",
        case=found.names[0],
    )
    return Answer("Promised", out_of_100(right), line_, short="guesses right at most; 50 is chance")


def noise_words(choices: TableChoices, found: Noise) -> Notes:
    """What the mechanism does, whom it protects, and where it does not."""
    sentences = (
        *(_belief(choices, found), _for_every_prior(choices, found)),
        *(_what(choices, found), _told_apart(choices, found), _cost(choices, found)),
    )
    paragraph = " ".join(sentences)
    return Notes(paragraph, _guarantee(choices, found), tuple(_warnings(choices, found)))


def _what(choices: TableChoices, found: Noise) -> str:
    epsilon = amount(choices.epsilon)
    if choices.mechanism in NOISES:
        how = "replaced" if choices.neighbours == "replace" else "added or removed"
        moved = "a count by 1" if found.sensitivity == 1 else "two counts by 1 each"
        return sentence(
            "If one person is {how}, the release changes by at most {sensitivity} ({moved}): that is its "
            "sensitivity. {added}",
            how=how,
            sensitivity=_most_changed(found),
            moved=moved,
            added=_added(choices, found),
        )
    if choices.mechanism == "exponential":
        chance = percent(float(found.first.max()))
        return sentence(
            "Each district is named with a chance proportional to e^(ε u / 2), where u is the number of people "
            "there, which one person changes by at most 1: Montmartre, with two people, with chance "
            "{district_chance}.",
            district_chance=chance,
        )
    if choices.mechanism == "many":
        chance = percent(float(found.first[0]))
        return sentence(
            "With ε = {epsilon}, the true one of {n_answers} answers is given with chance {true_answer_chance}.",
            epsilon=epsilon,
            n_answers=whole(choices.answers),
            true_answer_chance=chance,
        )
    design = design_of(choices)
    costs = "" if found.epsilon == inf else sentence(": ε = {epsilon}", epsilon=amount(found.epsilon))
    return sentence(
        "Someone whose true answer is Yes says Yes with chance {yes_if_yes}, someone whose answer is No with "
        "{yes_if_no}{costs}.",
        yes_if_yes=percent(design.yes_if_yes),
        yes_if_no=percent(design.yes_if_no),
        costs=costs,
    )


def _most_changed(found: Noise) -> str:
    """The sensitivity: a whole number, or the distance that two counts make."""
    return whole(int(found.sensitivity)) if found.sensitivity in (1, 2) else "√2"


def _added(choices: TableChoices, found: Noise) -> str:
    what = "each of five counts" if choices.counted == "histogram" else "the count"
    changed = _most_changed(found)
    if found.mu:
        return sentence(
            "Gaussian noise of standard deviation σ = {noise_scale} is added to {what}, so the two inputs are μ = "
            "{sensitivity} / {noise_scale} = {mu} standard deviations apart.",
            noise_scale=amount(found.scale),
            what=what,
            sensitivity=changed,
            mu=amount(found.mu),
        )
    kind = "Laplace" if choices.mechanism == "laplace" else "Two-sided geometric"
    return sentence(
        "{kind} noise of scale {sensitivity} / {epsilon} = {noise_scale} is added to {what}.{rounded}",
        kind=kind,
        sensitivity=changed,
        epsilon=amount(choices.epsilon),
        noise_scale=amount(found.scale),
        what=what,
        rounded=_rounded(choices, found),
    )


def _rounded(choices: TableChoices, found: Noise) -> str:
    if choices.mechanism != "laplace":
        return ""
    right, below = 1 - exp(-0.5 / found.scale), exp(-2 / found.scale) / 2
    return sentence(
        " The noisy 2 rounds to 2 with chance {rounds_right} and is below 0 with {negative_chance}.",
        rounds_right=percent(right),
        negative_chance=percent(below),
    )


def _told_apart(choices: TableChoices, found: Noise) -> str:
    if found.mu:
        times = bound_odds(found.epsilon)
        return sentence(
            "At ε = {epsilon}, its δ is {most_delta}: the chance of any set of outputs for one of the two inputs is "
            "at most e^ε = {most_e_epsilon} times that for the other, plus δ. There is no ε with δ = 0: with chance "
            "{beyond_chance}, an output is more than e^ε times likelier for the true input than for the other, and "
            "far out the ratio has no bound.",
            epsilon=amount(found.epsilon),
            most_delta=bound(found.delta),
            most_e_epsilon=times,
            beyond_chance=percent(found.beyond),
        )
    if not isfinite(found.largest):
        return sentence("The two inputs differ without bound {where}: that answer proves the truth.", where=found.where)
    one = " in this bar" if found.sensitivity == 2 else ""
    both = ""
    if found.sensitivity == 2:
        both = sentence(
            " The bar of Opéra changes too; for both together, it is up to e^ε = {most_e_epsilon} times.",
            most_e_epsilon=bound_odds(found.epsilon),
        )
    return sentence(
        "An output is up to {most_ratio} times{one} likelier for one of the two inputs than for the other, "
        "{where}.{both}",
        most_ratio=factor_of(found.largest),
        one=one,
        where=found.where,
        both=both,
    )


def factor_of(ratio: float) -> str:
    """A ratio to follow "up to"."""
    return bound_odds(log(ratio)) if ratio >= 1e5 else bound(ratio)


def _belief(choices: TableChoices, found: Noise) -> str:
    before, most = percent(choices.prior), most_believed(choices.prior, found.up)
    if found.epsilon == inf:
        return sentence(
            "After a No, no doubt is left; after a Yes, a belief of {prior} in a true Yes becomes {belief_after_yes}.",
            prior=before,
            belief_after_yes=percent(most),
        )
    if found.mu:
        most = most_believed(choices.prior, found.epsilon)
        but = sentence(
            ", except for outputs that come with chance {most_beyond_chance} or less",
            most_beyond_chance=bound_percent(found.beyond),
        )
        return sentence(
            "A belief of {prior} that {case} becomes at most {most_belief}{but}.",
            prior=before,
            case=found.names[0],
            most_belief=bound_percent(most),
            but=but,
        )
    return sentence(
        "A belief of {prior} that {case} becomes at most {most_belief}.",
        prior=before,
        case=found.names[0],
        most_belief=bound_percent(most),
    )


def _for_every_prior(choices: TableChoices, found: Noise) -> str:
    guess = "of the true answer" if choices.mechanism in SURVEYS else "between the two inputs"
    return every_prior_sentence(found.capacity, found.security, shown="the output", guess=guess)


def _cost(choices: TableChoices, found: Noise) -> str:
    wanted = percent(choices.wanted)
    if choices.mechanism == "exponential":
        return sentence(
            "The choice is wrong with chance {wrong_chance}. With the same shares, {people_needed} people make a "
            "wrong choice no likelier than {wanted_error}.",
            wrong_chance=percent(found.deviation),
            people_needed=people_needed(found),
            wanted_error=wanted,
        )
    if choices.mechanism in SURVEYS:
        what = "Yes" if choices.mechanism != "many" else "the first answer"
        return sentence(
            "If {true_share} would truly say {what}, the estimate from 100 people has a standard error of "
            "{error_of_100}; one of {wanted_error} takes {people_needed} people.",
            true_share=percent(TRUE_SHARE),
            what=what,
            error_of_100=percent(found.deviation / 10),
            wanted_error=wanted,
            people_needed=people_needed(found),
        )
    return sentence(
        "The noise has a standard deviation of {deviation} people; as a share of everybody, that is "
        "{wanted_error} or less from {people_needed} people on.",
        deviation=amount(found.deviation),
        wanted_error=wanted,
        people_needed=people_needed(found),
    )


def _guarantee(choices: TableChoices, found: Noise) -> str:
    if found.epsilon == inf:
        return (
            "What is protected: nothing about those who say No, as that is certainly true; a Yes leaves doubt. This is "
            "not differentially private, whatever the coin. " + SIMULATION
        )
    if choices.mechanism in SURVEYS:
        what, who = "the answer of each person", "everyone, including the one who asks (the local model)"
        need = "each answers once, and nobody's true answer depends on another's"
    else:
        there = "whether one person is in the table" if choices.neighbours == "add" else "where one person is"
        what, who = there, "everyone who sees the release, whatever else they know"
        need = "a person is in one district, one release is made, and nobody's place depends on another's"
    delta = sentence(" and δ = {most_delta}", most_delta=bound(found.delta)) if found.mu else ""
    return sentence(
        "What is protected: {what}, with ε = {most_epsilon}{delta}. Against whom: {who}. Under which assumption: "
        "{need}. {simulation}",
        what=what,
        most_epsilon=bound(found.epsilon),
        delta=delta,
        who=who,
        need=need,
        simulation=SIMULATION,
    )


def _warnings(choices: TableChoices, found: Noise) -> list[str]:
    said = []
    if choices.mechanism == "truthfully-or-yes":
        said.append("Not differentially private: nobody whose true answer is Yes says No, so a No is certainly true.")
    if choices.neighbours == "replace" and choices.mechanism not in SURVEYS:
        said.append(
            "The number of people counts as known: replacing hides where a person is, not that the person is there."
        )
    return said


def people_needed(found: Noise) -> str:
    """How many people it takes for the error that is wanted."""
    assert found.needed is not None
    return whole(found.needed)


def drawn_said(found: Noise) -> str:
    """The output that was drawn for the first input."""
    if found.labels:
        return found.labels[int(found.drawn)]
    return amount(found.drawn) if found.smooth else whole(round(found.drawn))


def noise_table(choices: TableChoices, found: Noise) -> Table:
    """The mechanism in numbers: name, value, meaning."""
    epsilon = "no bound" if found.epsilon == inf else amount(found.epsilon)
    rows = [("ε of the release", epsilon, "e^ε bounds every ratio of chances")]
    if found.mu:
        rows = [("ε", epsilon, "as chosen"), ("δ at this ε", bound(found.delta), "above 0 at every ε")]
    if found.sensitivity:
        kept = "replacing one person" if choices.neighbours == "replace" else "adding or removing one person"
        distance = ", as a distance" if found.mu else ""
        rows.append(("sensitivity", _most_changed(found), f"the most that {kept} changes{distance}"))
    if found.mu:
        rows.append(("σ, the standard deviation", amount(found.scale), "as chosen"))
        rows.append(("μ", amount(found.mu), "sensitivity / σ"))
        rows.append(("chance of a larger ratio than e^ε", percent(found.beyond), "for the true input"))
    elif found.scale:
        rows.append(("scale of the noise", amount(found.scale), "sensitivity / ε"))
    largest = "no bound" if found.largest == inf else amount(found.largest)
    most = bound_percent(most_believed(choices.prior, found.up))
    rows += [
        ("largest ratio drawn" if not found.mu else "largest ratio", largest, found.where),
        ("belief, at most", most, sentence("from {prior}", prior=percent(choices.prior))),
        ("after the output drawn", percent(found.after), f"output: {drawn_said(found)}"),
        (
            CAPACITY,
            sentence("at most {most_times_right}", most_times_right=bound(found.capacity)),
            "how many times likelier a right guess gets, whatever is believed",
        ),
        (
            SECURITY,
            sentence("at least {least_still_wrong}", least_still_wrong=bound_percent(found.security, up=False)),
            "the share of wrong guesses that stay wrong, whatever is believed",
        ),
    ]
    return Table.of_texts("The mechanism in numbers", ("what", "here", "meaning"), rows)


def noise_csv(_choices: TableChoices, found: Noise) -> str:
    """Each output that is drawn, with its probability, or density, for the two neighbouring inputs; and the same on each
    row, `bayes_capacity` and `bayes_security` of the whole release."""
    outputs = found.labels or found.outputs
    what = "density" if found.smooth else "probability"
    columns = {
        "output": outputs,
        f"{what} if {found.names[0]}": found.first,
        f"{what} if {found.names[1]}": found.second,
        **{
            name: np.full(len(outputs), value)
            for name, value in zip(COLUMNS, (found.capacity, found.security), strict=True)
        },
    }
    return table_csv(columns, note=NOTE)
