"""What is said of zones and rounding: how many people are still found, and for how many it is useful; nothing is promised."""

from __future__ import annotations

from lmdk_widgets.page.amounts import metres, percent, whole
from lmdk_widgets.page.sentences import Sentence, join, sentence
from lmdk_widgets.pages.people.model import PeopleChoices
from lmdk_widgets.pages.people.today import PractisedShare
from lmdk_widgets.pages.people.words import of_100
from lmdk_widgets.practice.chosen_practice import ZONE

NO_GUARANTEE = "It has no guarantee: other attacks may find more."


def practice_said(one: PractisedShare, choices: PeopleChoices) -> Sentence:
    """What a practice gives away, what it costs, and that it promises nothing."""
    return join([gives_away(one, choices), costs(one), NO_GUARANTEE], " ")


def gives_away(one: PractisedShare, choices: PeopleChoices) -> Sentence:
    """How many people are still found."""
    near, n = one.found(choices.distance_m), len(one.each)
    low, high = one.interval(choices.distance_m)
    interval = sentence(" (of 100 people {found_low} to {found_high})", found_low=of_100(low), found_high=of_100(high))
    first = sentence(
        "{what}: {n_near} of {n_sampled} people{drawn} are found nearer than {distance}{interval}.",
        what=one.practice.what,
        n_near=whole(near),
        n_sampled=whole(n),
        drawn=" drawn at random" if n < one.of else "",
        distance=metres(choices.distance_m),
        interval=interval if n < one.of else "",
    )
    if one.practice.name != ZONE:
        return first
    hidden = one.hidden_found(choices.distance_m)
    others = sentence(
        "The place in the zone is found for {n_hidden}; other places where people stay, such as work, are published.",
        n_hidden=whole(hidden),
    )
    far = sentence(
        "For {n_too_far} of them the points are too far apart in time for the attack on zones; denser points give more away.",
        n_too_far=whole(one.too_far),
    )
    return join([first, others, *([far] if one.too_far else [])], " ")


def costs(one: PractisedShare) -> Sentence:
    """For how many it is useful, and how much is left out."""
    useful = one.useful
    between = sentence(
        " ({useful_low} to {useful_high})", useful_low=of_100(useful.low), useful_high=of_100(useful.high)
    )
    kept = sentence(
        "It is useful to a careful reader for {practice_useful} of 100 people{between}",
        practice_useful=of_100(useful.share),
        between=between if useful.people < useful.of else "",
    )
    if not one.left_out:
        return sentence("{kept}.", kept=kept)
    return sentence(
        "{kept}, and leaves out {left_out} of a person’s points.", kept=kept, left_out=percent(one.left_out)
    )
