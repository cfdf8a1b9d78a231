"""What the people page says: the verdict, three answers, what the settings mean, one person.

Everything is computed from the true tracks, for the eyes of the table's owner.
"""

from __future__ import annotations

import math
from typing import Any

from lmdk_widgets.answers import found_places
from lmdk_widgets.budgets.schemes import SCHEMES
from lmdk_widgets.page.amounts import amount, bound, count, metres, numeral, percent, whole
from lmdk_widgets.page.answers import NO_PROMISE, WAITS, Answer, promised
from lmdk_widgets.page.blocks import Notes
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.sentences import Sentence, Written, join, sentence
from lmdk_widgets.pages.people.evaluate import KNOWN, PeopleOutcome
from lmdk_widgets.pages.people.model import DISTANCES_M
from lmdk_widgets.pages.people.options import FEW_USEFUL, Option, Options
from lmdk_widgets.population.usefulness_of_people import BETTER_THAN
from lmdk_widgets.scenario.model import Scenario

FOR_THE_OWNER = "For the owner of the table only: everything here is computed from the true tracks."
SHORTLY = "For the owner only."
LOOKED_AT = (
    "An epsilon that follows from the limit is chosen by looking at the data: whoever learns it learns a little about "
    "them."
)
"""Beside an epsilon that follows from a limit."""

ASSUMPTION = (
    "Someone who knows when a person is at a place averages all reports made there. Each person is looked at alone, and "
    "nobody is joined with anybody. The numbers are expected over releases: in one release a few more or fewer are found. "
    "A release is useful to a careful reader whose mean error is at most half of what it would be without the release."
)

KEPT = {
    "Theorem": "the landmarks and any one other moment together",
    "window": "any {n_window} moments in a row together",
    "timestamp": "one moment",
}
"""About what a scheme promises something, by what it keeps."""

BRIEF = {KEPT["Theorem"]: "landmarks and one more moment"}
"""The same for a first screen."""

WHOLE = "the whole track"
"""About what a scheme promises something whose whole track shares one budget."""

LOOKING = "Looking for what stays useful."
NO_OPTION = "No epsilon of these schemes meets it."


def found_text(found_m: float, limit_m: float = math.nan) -> str:
    """How near somebody is found, as the page Track writes it; with more digits where two would be beyond a limit.

    Examples
    --------
    >>> found_text(12.0), found_text(128.4), found_text(math.inf), found_text(197.2, 200.0)
    ('20 m or less', '130 m', 'not found', '197 m')
    """
    return found_places.found_text(found_m, limit_m=limit_m)


def headcount(number: float) -> Written:
    """An expected number of people: "0.4", "3.2", "312".

    Examples
    --------
    >>> headcount(0.04), headcount(3.21), headcount(312.4), headcount(99_950.2), headcount(0.0)
    ('0.04', '3.2', '312', '99,950', '0')
    """
    if number >= 9.95:
        return Written(f"{number:,.0f}", number)
    if number >= 0.095:
        return Written(f"{number:.1f}".removesuffix(".0"), number)
    return Written(f"{number:.1g}" if number >= 5e-4 else "0", number)


# -- the verdict -------------------------------------------------------------------------------------------------------


def verdict(outcome: PeopleOutcome) -> Message:
    """The decision, in few words: about the table as it is, about the scheme chosen, and what else would meet the limit.
    It is good only where no answer is bad; how many are found is in its answer, and the limit beside it."""
    meets, options = outcome.meets, outcome.options
    good = meets and outcome.keeps_promise and not outcome.is_useless
    return {
        "look": "meets" if good else "weak" if meets else "misses",
        "bare": bare_lead(outcome),
        "bare_why": bare_brief(outcome),
        "under": _under(outcome),
        "lead": lead(outcome),
        **(takes(options) if options is not None and options.known else taken(outcome)),
        "owner": SHORTLY,
    }


def verdict_said(outcome: PeopleOutcome) -> str:
    """All of it in a paragraph."""
    known = outcome.options is not None and outcome.options.known
    help_said = offers(outcome) if known else helps(outcome)
    return join([bare_said(outcome), under_said(outcome), help_said], " ")


def bare_said(outcome: PeopleOutcome) -> Sentence:
    """About the table as it is."""
    return join([bare_lead(outcome), bare_why(outcome)], " ")


def under_said(outcome: PeopleOutcome) -> Sentence:
    """About the scheme chosen."""
    return join([_under(outcome), lead(outcome), why(outcome)], " ")


def bare_brief(outcome: PeopleOutcome) -> Sentence:
    """What the table shows without noise, and without names too, in a few words."""
    unnamed = outcome.unnamed
    shown = sentence("It shows where {lasting} stay", lasting=whose(outcome.lasting, len(outcome)))
    if not outcome.lasting:
        shown = sentence("Nobody stays anywhere for long")
    if unnamed is None:
        return sentence("{shown}.", shown=shown)
    return sentence(
        "{shown}; without names, {known_points} single out {alone}.",
        shown=shown,
        known_points=count(KNOWN, "point"),
        alone=percent(unnamed.alone),
    )


def bare_lead(outcome: PeopleOutcome) -> str:
    """Whether the table can be published as it is."""
    meets = outcome.as_it_is_meets
    return "As it is: no promise." if meets else "As it is: not known yet." if meets is None else "As it is: no."


def bare_why(outcome: PeopleOutcome) -> Sentence:
    """What the table shows without noise, and without names too."""
    unnamed = outcome.unnamed
    shown = sentence("It shows where {lasting} stay.", lasting=whose(outcome.lasting, len(outcome)))
    if not outcome.lasting:
        shown = sentence("Nobody stays at a place long enough to be found there by averaging.")
    if unnamed is None:
        return shown
    return sentence(
        "{shown} With names removed, {known_points} of a person still single out {alone} of the people.",
        shown=shown,
        known_points=count(KNOWN, "point"),
        alone=percent(unnamed.alone),
    )


def whose(number: int, of: int) -> Written:
    """ "all 1,000 people", "940 of 1,000 people"."""
    if number == of:
        return Written("one person" if of == 1 else f"all {numeral(of)} people", number)
    return Written(f"{number:,} of {of:,} people", number)


def chosen(outcome: PeopleOutcome) -> Sentence:
    """The scheme and the epsilon that are chosen."""
    return sentence(
        "{scheme} with epsilon {epsilon}",
        scheme=SCHEMES[outcome.choices.scheme].title,
        epsilon=amount(outcome.choices.epsilon),
    )


def _under(outcome: PeopleOutcome) -> Sentence:
    return sentence("{chosen}:", chosen=chosen(outcome))


def lead(outcome: PeopleOutcome) -> str:
    """Whether what is chosen meets the limit, and whether the other two answers are as good."""
    if not outcome.meets:
        return "Does not meet your limit."
    value, _ = promised(outcome.chance)
    promise = "promises nothing" if value == NO_PROMISE else "promises little"
    worse = [*([] if outcome.keeps_promise else [promise]), *(["is of little use"] if outcome.is_useless else [])]
    return sentence("Meets your limit, but {worse}.", worse=" and ".join(worse)) if worse else "Meets your limit."


def why(outcome: PeopleOutcome) -> Sentence:
    """What is expected, and what may be."""
    names = {
        "expected_here": headcount(outcome.expected_here),
        "n_people": count_people(len(outcome)),
        "expected_of_100": headcount(100 * outcome.expected_here / len(outcome)),
        "distance": metres(outcome.choices.distance_m),
        "most_of_100": headcount(outcome.choices.most_percent),
    }
    return sentence(
        "{expected_here} of {n_people} ({expected_of_100} of 100) are expected to be found nearer than {distance}; at most "
        "{most_of_100} of 100 may be.",
        **names,
    )


def count_people(number: int) -> Written:
    """ "one person", "six people", "1,000 people"."""
    return Written(f"{number:,} {'person' if number == 1 else 'people'}", number)


def helps(outcome: PeopleOutcome) -> Sentence | str:
    """The epsilon at which the limit is met."""
    scheme, most = SCHEMES[outcome.choices.scheme].title, outcome.epsilon_for
    if math.isinf(most):
        return sentence("No epsilon under {scheme} finds more.", scheme=scheme)
    if outcome.meets:
        return sentence(
            "It is met up to epsilon {epsilon_for} under {scheme} (chosen from the data).",
            epsilon_for=bound(most, up=False),
            scheme=scheme,
        )
    return sentence(
        "Epsilon {epsilon_for} under {scheme} would (chosen from the data).",
        epsilon_for=bound(most, up=False),
        scheme=scheme,
    )


def taken(outcome: PeopleOutcome) -> Message:
    """The epsilon at which the limit is met, as long as nothing better is known, with its button."""
    if outcome.meets or math.isinf(outcome.epsilon_for):
        return {"help": helps(outcome), "takes": []}
    epsilon = float(bound(outcome.epsilon_for, up=False).replace(",", ""))
    return {"help": helps(outcome), "takes": [{"said": "", "operations": [_set("epsilon", epsilon)]}]}


def takes(options: Options) -> Message:
    """What would meet the limit and stay useful, in few words, each with its button."""
    if not options.offered:
        return {"help": NO_OPTION, "takes": []}
    return {
        "help": "You could publish" if options.useful else "Nothing useful does; the best is",
        "takes": [
            {
                "said": sentence(
                    "{before}{scheme} with epsilon {option_epsilon}, useful for {option_useful}{so_far}",
                    before="or " if k else "",
                    scheme=SCHEMES[one.scheme].title,
                    option_epsilon=amount(one.epsilon),
                    option_useful=percent(one.useful.share),
                    so_far=_so_far(options),
                ),
                "operations": [_set("scheme", one.scheme), _set("epsilon", one.epsilon)],
            }
            for k, one in enumerate(options.useful or options.offered[:1])
        ],
    }


def _set(name: str, value: Any) -> Message:
    return {"op": "set", "name": name, "value": value}


def offers(outcome: PeopleOutcome) -> Sentence | str:
    """What would meet the limit, and what it costs: for how many people the releases stay useful."""
    options = outcome.options
    if options is None or not options.offered:
        return NO_OPTION
    if not options.useful:
        return sentence(
            "Nothing here meets it and stays useful. The best is {option}: rather publish no tracks.",
            option=offered(options.offered[0], _so_far(options)),
        )
    return sentence(
        "What you could publish: {options} (chosen from the data).",
        options=join((offered(option, _so_far(options)) for option in options.useful), "; or "),
    )


def _so_far(options: Options) -> str:
    """What is said beside a share of people as long as the sample is not complete."""
    return "" if options.share >= 1 else " so far"


def offered(option: Option, so_far: str = "") -> Sentence:
    """A setting, and for how many of 100 people it is useful."""
    useful = option.useful
    between = sentence(
        " ({useful_low} to {useful_high})", useful_low=of_100(useful.low), useful_high=of_100(useful.high)
    )
    return sentence(
        "{scheme} with epsilon {option_epsilon}, useful for {option_useful} of 100 people{between}{so_far}",
        scheme=SCHEMES[option.scheme].title,
        option_epsilon=amount(option.epsilon),
        option_useful=of_100(useful.share),
        between=between if useful.people < useful.of else "",
        so_far=so_far,
    )


# -- the answers -------------------------------------------------------------------------------------------------------


def first_answers(outcome: PeopleOutcome) -> tuple[Answer, Answer, Answer]:
    """How many tracks stay useful, how many people are found, and what is promised to each."""
    return _useful(outcome), _found(outcome), _promised(outcome)


def _useful(outcome: PeopleOutcome) -> Answer:
    found = outcome.useful
    if found is None:
        return Answer("Useful", WAITS, "Being computed.")
    line = (
        "people's releases are useful to a careful reader; everybody's was tried."
        if found.people == found.of
        else sentence(
            "people's releases are useful to a careful reader ({useful_low} to {useful_high}, from {n_sampled} drawn at "
            "random).",
            useful_low=of_100(found.low),
            useful_high=of_100(found.high),
            n_sampled=whole(found.people),
        )
    )
    look = "red" if found.share < FEW_USEFUL else "amber" if found.share < 0.5 else ""
    value = Written(f"{of_100(found.share)} of 100", 100 * found.share)
    between = sentence(" ({useful_low} to {useful_high})", useful_low=of_100(found.low), useful_high=of_100(found.high))
    short = "people's releases are useful"
    brief = sentence("{short}{between}.", short=short, between=between if found.people < found.of else "")
    return Answer("Useful", value, line, look, short=short, brief=brief)


def useful_in_metres(outcome: PeopleOutcome) -> Sentence:
    """What useful means for the people who were drawn, in metres."""
    found = outcome.useful
    return sentence(
        "In metres: without a release a reader is off by {nothing_median} (the median of {n_sampled} people), so that useful "
        "means off by {useful_limit} or less; with these releases it is {reader_median}.",
        nothing_median=metres(found.nothing_m),
        n_sampled=whole(found.people),
        useful_limit=metres(BETTER_THAN * found.nothing_m),
        reader_median=metres(found.median_m),
    )


def of_100(share: float) -> Written:
    """So many of 100, to the nearest."""
    return Written(f"{100 * share:.0f}", 100 * share)


def _found(outcome: PeopleOutcome) -> Answer:
    n, distance = len(outcome), metres(outcome.choices.distance_m)
    nearest_m = float(outcome.found_m[outcome.nearest_first[0]])
    nearest = found_text(nearest_m, outcome.choices.distance_m)
    exposed = (
        sentence("The most exposed person is found to within {nearest} in half of all releases.", nearest=nearest)
        if math.isfinite(nearest_m)
        else "Not even the most exposed person is found."
    )
    others = join(
        sentence("{expected} within {within}", expected=headcount(float(each)), within=metres(at))
        for each, at in zip(outcome.expected, DISTANCES_M, strict=True)
    )
    line = sentence(
        "people are expected to be found nearer than {distance}. {others}. {exposed}",
        distance=distance,
        others=others,
        exposed=exposed,
    )
    brief = sentence(
        "expected within {distance}; the most exposed: {nearest}.",
        distance=distance,
        nearest=nearest,
    )
    value = sentence("{expected_here} of {n}", expected_here=headcount(outcome.expected_here), n=whole(n))
    short = sentence("expected within {distance}", distance=distance)
    return Answer("Found", value, line, "" if outcome.meets else "red", short, brief)


def _promised(outcome: PeopleOutcome) -> Answer:
    value, look = promised(outcome.chance)
    secret = about(outcome)
    brief_home = "homes included" if secret == WHOLE else "homes: nothing"
    home = "A home is a part of it." if secret == WHOLE else "Nothing is promised about a home."
    if SCHEMES[outcome.choices.scheme].keeps == "window":
        home = "Beyond these moments budgets add up: nothing is promised about a home, or about what shows over a day."
    line = sentence(
        "guesses, at most, between two equally likely places {radius} apart: for {secret}. {home}",
        radius=metres(Scenario.defaults()["radius_m"]),
        secret=secret,
        home=home,
    )
    brief = sentence("guesses, at most, for {secret}; {home}.", secret=BRIEF.get(secret, secret), home=brief_home)
    return Answer("Promised", value, line, look, short=brief, brief=brief)


def kept_whole(outcome: PeopleOutcome) -> bool:
    """Whether the whole track shares one budget."""
    return SCHEMES[outcome.choices.scheme].shrinks


def about(outcome: PeopleOutcome) -> str:
    """What of each person the scheme promises something about."""
    scheme = SCHEMES[outcome.choices.scheme]
    if kept_whole(outcome):
        return WHOLE
    if scheme.keeps == "Theorem" and outcome.choices.rule == "none":
        return KEPT["timestamp"]
    window = Scenario.defaults()["window"]
    return sentence(KEPT[scheme.keeps], n_window=whole(window)) if scheme.keeps == "window" else KEPT[scheme.keeps]


# -- in words ----------------------------------------------------------------------------------------------------------


def describe(outcome: PeopleOutcome) -> Notes:
    """What the settings mean, in sentences."""
    choices, n = outcome.choices, len(outcome)
    order = outcome.nearest_first
    middle = float(outcome.found_m[order[(n - 1) // 2]])
    paragraph = join(
        [
            sentence(
                "{table} Each of {n_people} publishes a track under {scheme} with epsilon {epsilon}.",
                table=outcome.table.said,
                n_people=count_people(n),
                scheme=SCHEMES[choices.scheme].title,
                epsilon=amount(choices.epsilon),
            ),
            sentence(
                "Half of the people are found to within {middle} or nearer in half of all releases.",
                middle=found_text(middle, choices.distance_m),
            )
            if math.isfinite(middle)
            else "Half of the people or more have no place where they stay, and are not found.",
            why(outcome),
            sentence("The limit is {most_share} of the people.", most_share=percent(choices.most_percent / 100)),
            LOOKED_AT,
            FOR_THE_OWNER,
        ],
        " ",
    )
    return Notes(paragraph, ASSUMPTION, warnings(outcome))


def warnings(outcome: PeopleOutcome) -> tuple[str, ...]:
    """Where the numbers do not hold."""
    found = []
    never = int((~(outcome.found_m < math.inf)).sum())
    if never:
        found.append(
            sentence(
                "{n_never} without a place of at least five reports: averaging does not find them here, other attacks may.",
                n_never=count_people(never),
            )
        )
    return (*found, *outcome.table.notices)


def person_message(outcome: PeopleOutcome) -> Message | None:
    """One person who was clicked: how near, how many reports; None for nobody."""
    k = outcome.choices.person
    if k < 0:
        return None
    name = str(outcome.people.names[k])
    rank = int((outcome.found_m < outcome.found_m[k]).sum())
    said = sentence(
        "{name}: found to within {found_here} in half of all releases, with {n_reports}. {n_nearer} found nearer.",
        name=name,
        found_here=found_text(float(outcome.found_m[k]), outcome.choices.distance_m),
        n_reports=count(int(outcome.people.reports[k]), "report"),
        n_nearer="Nobody is" if not rank else count_are(rank),
    )
    return {"name": name, "said": said, "python": f"Explorer(lab.track({name!r}))"}


def zone_message(outcome: PeopleOutcome) -> Message:
    """By whose clock nights and hours are counted, and whether the user may say so."""
    zone = outcome.table.zone
    said = sentence("Nights and hours by the clock of {zone}.", zone=zone) if zone else "Nights and hours by UTC."
    return {"zone": zone, "said": said, "open": outcome.choices.table == "own"}


def count_are(number: int) -> Written:
    """ "One person is", "312 people are"."""
    return Written(f"{count_people(number)} {'is' if number == 1 else 'are'}", number)
