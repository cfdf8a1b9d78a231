"""Five things that could be published, each with what it still gives away and what it costs; and which of them remain."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from lmdk_widgets.page.amounts import amount, metres, whole
from lmdk_widgets.page.sentences import Sentence, join, sentence
from lmdk_widgets.pages.people.counts_blocks import counts_promise
from lmdk_widgets.pages.people.evaluate import PeopleOutcome
from lmdk_widgets.pages.people.model import SLOTS, PeopleChoices
from lmdk_widgets.pages.people.today import PractisedShare
from lmdk_widgets.pages.people.today_words import costs, gives_away
from lmdk_widgets.pages.people.words import bare_lead, bare_why, chosen, first_answers, lead, offered, offers
from lmdk_widgets.population.counts_of_people import Accuracy

MAY_IT_BE_TOLD = (
    "What is marked “chosen from the data” tells a little about them to whoever learns it, and no promise counts that. It "
    "may be told if you fix it without these data, by a rule or on older ones; rounding it tells less, but not nothing."
)
"""Of an epsilon, a time slot or a cell that is proposed because of the data."""

NEVER_SAFE = (
    "That is said about the attacks computed here and about your limit, and about nothing else. What meets it need not be "
    "allowed, and what is allowed need not be wise."
)


class Answered(NamedTuple):
    """What may be published. lead : in a sentence. remain : each setting. why : why nothing else is there, and what it
    means."""

    lead: str
    remain: tuple[str, ...]
    why: tuple[str, ...]


class Alternative(NamedTuple):
    """One of the five. published : what. gives_away, costs : in sentences. limit : whether it meets the owner's limit."""

    published: str
    gives_away: str
    costs: str
    limit: str


def alternatives(outcome: PeopleOutcome) -> tuple[Alternative, ...]:
    """All five, from the table as it is to nothing."""
    return (_as_it_is(outcome), _today(outcome.today[-1], outcome), _scheme(outcome), _counts(outcome), NOTHING)


NOTHING = Alternative("5. Nothing", "Nothing.", "Nobody learns anything from these data.", "Meets any limit.")


def _as_it_is(outcome: PeopleOutcome) -> Alternative:
    meets = bare_lead(outcome).partition(": ")[2]
    return Alternative(
        "1. The table as it is, with names or without",
        bare_why(outcome),
        "Nothing is lost.",
        "Does not meet your limit." if meets == "no." else "Meets your limit today, with no promise.",
    )


def _today(both: PractisedShare, outcome: PeopleOutcome) -> Alternative:
    meets = both.meets(outcome.choices)
    told = {
        True: "Meets your limit against the attack computed here, with no promise.",
        False: "Does not meet your limit, and promises nothing.",
        None: "The sample cannot tell whether it meets your limit. No promise.",
    }
    return Alternative(
        "2. Zones and rounding, as is done today", gives_away(both, outcome.choices), costs(both), told[meets]
    )


def _scheme(outcome: PeopleOutcome) -> Alternative:
    useful, found, promise = first_answers(outcome)
    return Alternative(
        sentence("3. Tracks under {chosen}", chosen=chosen(outcome)),
        join([found.sentence(), promise.sentence()], " "),
        useful.sentence(),
        lead(outcome) if outcome.meets else join([lead(outcome), offers(outcome)], " "),
    )


def _counts(outcome: PeopleOutcome) -> Alternative:
    name, counted, choices = "4. Counts instead of tracks", outcome.counted, outcome.choices
    if counted is None or counted.here is None:
        return Alternative(name, "Not computed.", "" if counted is None else counted.refused, "Not known.")
    here = counted.here
    name = sentence("{counts}, {asked}", counts=name, asked=_counts_asked(choices))
    gives = join(["No track.", counts_promise(choices)], " ")
    limit = "Meets it against the attack computed here: there is no track, so nobody is found by averaging one."
    return Alternative(name, gives, counts_off(here), limit)


class Remaining(NamedTuple):
    """A setting that meets the limit, promises something and is of use. said : in a sentence. changes : of the choices.
    counts : whether counts are published instead of tracks."""

    said: Sentence
    changes: dict[str, Any]
    counts: bool


def remaining(outcome: PeopleOutcome) -> Iterator[Remaining]:
    """What may be published within the limit and is of use, as far as it is computed here."""
    options, counted, choices = outcome.options, outcome.counted, outcome.choices
    if outcome.meets and outcome.keeps_promise and not outcome.is_useless:
        yield Remaining(sentence("Tracks under {chosen}.", chosen=chosen(outcome)), {}, False)
    for option in options.useful if options is not None else ():
        yield Remaining(
            sentence("Tracks under {option} (chosen from the data).", option=offered(option)),
            {"scheme": option.scheme, "epsilon": option.epsilon},
            False,
        )
    if counted is None or counted.here is None or not outcome.keeps_promise:
        return
    if not counted.here.useless:
        yield Remaining(sentence("Noisy counts instead of tracks: {off}", off=counts_off(counted.here)), {}, True)
    for one in counted.others:
        changes = dict(one.changes)
        if not one.useless and "level" not in changes:  # what protects less is another promise
            yield Remaining(
                sentence(
                    "Noisy counts instead of tracks {changed}: they are {other_zeros} on average, and off by {other_error} "
                    "(chosen from the data).",
                    changed=_changed(choices.with_changes(**changes), *changes),
                    other_error=amount(one.error),
                    other_zeros=amount(one.zeros),
                ),
                changes,
                True,
            )


def _counts_asked(choices: PeopleChoices) -> Sentence:
    """By which places and times people are counted."""
    return join([_changed(choices, "count_cell_m"), _changed(choices, "slot")], " and ")


def _changed(choices: PeopleChoices, name: str) -> Sentence | str:
    if name == "count_cell_m":
        return sentence("in cells of {cell}", cell=metres(choices.count_cell_m))
    if choices.slot == "week":
        return "for the hours of a usual week"
    return sentence("in time slots of {slot}", slot=SLOTS[choices.slot].partition(":")[0].lower())


def counts_off(here: Accuracy) -> Sentence:
    """How large counts are, and how far off, beside zeros everywhere, which are off by the counts themselves."""
    return sentence(
        "A count is {zeros} on average, and off by {error}: {useless}.",
        error=amount(here.error),
        zeros=amount(here.zeros),
        useless="useless, as zeros everywhere would be nearly as near, or nearer"
        if here.useless
        else "better than zeros",
    )


def answer(outcome: PeopleOutcome) -> Answered:
    """What may be published, and why not the rest."""
    remain = [*remaining(outcome)]
    said = tuple(one.said for one in remain)
    told = [MAY_IT_BE_TOLD] if any(one.changes for one in remain) else []
    lead = (
        "Within your limit, and of use, these remain. If that is not enough for the purpose, publish nothing."
        if said
        else "Nothing that was computed here meets your limit and is of use: publish nothing, or ask for less."
    )
    return Answered(lead, said, (*_left_out(outcome), *_without_promise(outcome), *told, NEVER_SAFE))


def _left_out(outcome: PeopleOutcome) -> Iterator[str]:
    """What does not meet the limit, and what is of no use."""
    out = ["the table as it is, with names or without"] if outcome.as_it_is_meets is False else []
    out += ["zones and rounding"] if outcome.today[-1].meets(outcome.choices) is False else []
    out += [] if outcome.meets else [sentence("tracks under {chosen}", chosen=chosen(outcome))]
    if out:
        yield sentence("These do not meet your limit: {left_out}.", left_out=join(out, "; "))
    if outcome.counted is not None and outcome.counted.here is not None and outcome.counted.here.useless:
        yield sentence(
            "Counts {asked} are useless: zeros everywhere would be nearly as near, or nearer.",
            asked=_counts_asked(outcome.choices),
        )
    if outcome.meets and outcome.is_useless:
        yield sentence("Tracks under {chosen} meet it, but are of little use.", chosen=chosen(outcome))
    if outcome.meets and not outcome.keeps_promise:
        yield sentence("Tracks under {chosen} meet it, but are promised too little.", chosen=chosen(outcome))


def _without_promise(outcome: PeopleOutcome) -> Iterator[str]:
    """What meets the limit only against the attacks computed here."""
    if outcome.as_it_is_meets:
        yield "The table as it is meets your limit against the attacks computed here, but nothing is promised to anybody."
    if outcome.today[-1].meets(outcome.choices):
        yield sentence(
            "{practice} meets your limit against the attack computed here on {n_sampled} people, but promises nothing.",
            practice=outcome.today[-1].practice.what,
            n_sampled=whole(len(outcome.today[-1].each)),
        )
