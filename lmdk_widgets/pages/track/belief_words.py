"""What an attacker who follows the track infers, in sentences."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lmdk_widgets.answers.adversary import BOUNDS, LOOKS, Haunt, Inferred, haunts
from lmdk_widgets.answers.attacker_error import CHAIN, MODELS, READER
from lmdk_widgets.answers.averaging_attack import FEW
from lmdk_widgets.answers.exposure import followed_place
from lmdk_widgets.answers.prior_moves import days
from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.geo import Area
from lmdk_widgets.page.amounts import MILLION, bound, bound_metres, count, factor, metres, numeral, percent, whole
from lmdk_widgets.page.sentences import join, sentence
from lmdk_widgets.pages.track.attacker_choices import NAME, Attacker
from lmdk_widgets.scenario.clock import clock
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.people import counted, without

_LOOKS = {
    "both": "the whole release",
    "any": "the whole release",
    "past": "the releases up to each timestamp",
    "future": "the releases from each timestamp onwards",
}
_STARTS = {
    "uniform": "starts with {kind.alike}",
    "people": "starts from a made-up city (whose most likely place is the middle of the cells)",
    "days": "knows how often this {kind.data} {kind.was_in_each} on its other days",
    "track": "knows how often this very {kind.data} {kind.is_in_each}",
}
MISLEADS = 1.01
"""From this ratio of the chain's error with all releases to that with one, its beliefs about moves mislead."""

_MOST_NAMED = 6
"""The most landmarks that are named of those guessed right."""

WORST = (
    "What is known beforehand comes from the very {kind.data} that is protected, which nobody should have: this is "
    "the worst case, and shows what protection is left even then."
)
MADE_UP = (
    "The made-up city is not based on counts of people: it is the one from the Place page, laid over the attacker's "
    "cells. Upload check-ins of real people next to this choice to replace it."
)
SIMULATED = (
    "The attacker does not know {kind.unseen}: the error can be computed only here, where {kind.known_here}. "
    "{kind.exactness}"
)
HOURS = "A night is from 22:00 to 6:00, a working day from 9:00 to 17:00, Monday to Friday, by the track's clock."
WAITING = "Not computed yet: following such a long {kind.data} takes a moment."


def describe_adversary(attacker: Attacker, outcome: Outcome) -> dict[str, list[str]]:
    """ "found": what the attacker infers, sentence by sentence; "notes": what that assumes; both empty where the panel
    is closed."""
    if not attacker.open:
        return {"found": [], "notes": []}
    found: Inferred | None = outcome.found(NAME)
    if found is None:
        return {"found": [WAITING.format(kind=outcome.kind)], "notes": []}
    usual = haunts(outcome.trajectory, found)
    said = [
        _error(attacker, outcome, found),
        _right(outcome, found),
        *_habits(attacker, outcome, found),
        *_followed(outcome, found),
        *_landmarks(outcome, found),
        *map(_haunt, usual),
    ]
    notes = [*([HOURS] if usual else []), *_notes(attacker, outcome)]
    return {"found": [*said, *_learned(outcome, found)], "notes": notes}


def _error(attacker: Attacker, outcome: Outcome, found: Inferred) -> str:
    """The first sentences: the attacker's error, by which model, and what is known beforehand."""
    text = _wrong(outcome, found) if outcome.kind.counts_wrong else _far(outcome, found)
    text += f" {_starts(attacker, outcome, found)} and {_believes(attacker, outcome, found)}."
    if found.whole.error_m.mean() > found.alone.error_m.mean() * MISLEADS:
        text += " These beliefs about moves mislead the attacker here."
    return text


def _far(outcome: Outcome, found: Inferred) -> str:
    """The attacker's error, and what the chosen chain distinguishes."""
    kind, write = outcome.kind, outcome.ground.write
    return sentence(
        "Someone who sees {release} is on average {attacker_error} away from {truth}, {by} With it, the attacker "
        "distinguishes {attacker_cells} of {attacker_cell_side},",
        release=_LOOKS[outcome.scenario.adversary],
        attacker_error=write(float(found.error_m.mean())),
        truth=kind.off,
        by=_by(found, write),
        attacker_cells=count(len(found.area), kind.cell),
        attacker_cell_side=write(found.area.cell_m),
    )


def _wrong(outcome: Outcome, found: Inferred) -> str:
    """The same where errors are shares of wrong guesses."""
    return sentence(
        "Someone who sees {release} guesses {attacker_error} of the answers wrong, {by} With it, the attacker",
        release=_LOOKS[outcome.scenario.adversary],
        attacker_error=percent(float(found.error_m.mean())),
        by=_by(found, percent),
    )


def _by(found: Inferred, write: Callable[[float], str]) -> str:
    """Which of the two models has this error, what it is by the other one, and by the chosen chain with less of the
    release."""
    errors = (
        {CHAIN: found.whole.error_m}
        if found.by_reader is None
        else {CHAIN: found.whole.error_m, READER: found.by_reader}
    )
    others = [
        sentence(
            "; by {other_model} it would be {other_error}",
            other_model=MODELS[name],
            other_error=write(float(off.mean())),
        )
        for name, off in errors.items()
        if name != found.model
    ]
    one, none = (write(float(worth.error_m.mean())) for worth in (found.alone, found.blind))
    return sentence(
        "by {model}{others}. By the chosen chain it is {error_from_one} from each timestamp's release alone, and "
        "{error_from_none} without any release.",
        model=MODELS[found.model],
        others=join(others, "") if others else "",
        error_from_one=one,
        error_from_none=none,
    )


def _starts(attacker: Attacker, outcome: Outcome, found: Inferred) -> str:
    people = attacker.start == "people" and isinstance(found.area, Area)
    known = counted(found.area, outcome.trajectory) if people else None
    if known is None:
        return _STARTS[attacker.start].format(kind=outcome.kind)
    inside, total = map(whole, known)
    if not known[0]:
        return sentence(
            "{starts}, as none of your {all_checkins} check-ins lies in them,",
            starts=_STARTS["uniform"].format(kind=outcome.kind),
            all_checkins=total,
        )
    return sentence(
        "knows how often people are in each cell, from the {inside_checkins} of your {all_checkins} check-ins that lie in "
        "them,",
        inside_checkins=inside,
        all_checkins=total,
    )


def _believes(attacker: Attacker, outcome: Outcome, found: Inferred) -> str:
    scenario = outcome.scenario
    if attacker.moves == "near" and outcome.kind.near:
        return sentence(
            "expects moves to {near}, e times less likely for each further {attacker_step}",
            near=outcome.kind.near,
            attacker_step=outcome.ground.write(attacker.step_m),
        )
    if attacker.moves == "days":
        return "knows its moves on the other days"
    if attacker.moves == "track" or scenario.correlation == "estimated":
        return f"knows its very moves from {outcome.kind.cell} to {outcome.kind.cell}"
    return sentence("believes that {stays}", stays=sentence(outcome.kind.stays, stay_chance=percent(found.stays)))


def _right(outcome: Outcome, found: Inferred) -> str:
    chances = [percent(float(worth.right.mean())) for worth in (found.whole, found.alone, found.blind)]
    best, of = int((found.guess == found.truth).sum()), "timestamp" if len(found) == 1 else "timestamps"
    return sentence(
        "This attacker gives {your_cell} a chance of {right_from_all} on average ({right_from_one} from each release alone, "
        "{right_from_none} without any), and the best guess is the true {cell} at {right_guesses} of {n} {timestamps}.",
        your_cell=outcome.kind.your_cell,
        right_from_all=chances[0],
        right_from_one=chances[1],
        right_from_none=chances[2],
        cell=outcome.kind.cell,
        right_guesses=whole(best),
        n=whole(len(found)),
        timestamps=of,
    )


def _habits(attacker: Attacker, outcome: Outcome, found: Inferred) -> list[str]:
    """How often an attacker who knows your habits is right where they help least, everywhere, and by the habit
    alone."""
    most = np.bincount(found.truth).argmax()
    away, right = found.truth != most, found.guess == found.truth
    if "days" not in (attacker.start, attacker.moves) or not outcome.kind.placed or not away.any():
        return []
    shares = [percent(float(share)) for share in (right[away].mean(), right.mean(), 1 - away.mean())]
    said = sentence(
        "Away from the cell where you are most often, the best guess is right at {right_away} of the timestamps. Over all "
        "timestamps it is right at {right_share}; always naming that one cell would be right at {usual_share}.",
        right_away=shares[0],
        right_share=shares[1],
        usual_share=shares[2],
    )
    return [said]


def _followed(outcome: Outcome, found: Inferred) -> list[str]:
    """How near an attacker who does not know when you are there comes to the main place."""
    place = followed_place(outcome, found.belief, found.area) if isinstance(found.area, Area) else None
    if place is None or outcome.trajectory.name == RELEASE_NAME:
        return []
    if place.reports < FEW:
        return [
            "Without knowing when you are where, this attacker finds no place: too few reports seem to come from one."
        ]
    said = sentence(
        "Without knowing when you are where, this attacker misses the middle of the place where you are most often by "
        "{missed_place} in this draw, using the {place_reports} reports that seem to come from one cell and its neighbours.",
        missed_place=metres(place.off_m),
        place_reports=whole(place.reports),
    )
    return [said]


def _landmarks(outcome: Outcome, found: Inferred) -> list[str]:
    """Which landmarks the best guess gets right."""
    marks = outcome.scenario.landmarks
    if not marks:
        return []
    right = [i for i in marks if found.guess[i] == found.truth[i]]
    if len(marks) == 1:
        return [f"The attacker {'finds' if right else 'does not find'} {outcome.kind.cell_of} your landmark."]
    of = {"cell_of": outcome.kind.cell_of, "landmarks": count(len(marks), "landmark")}
    if not right:
        return [sentence("The attacker finds {cell_of} none of your {landmarks}.", **of)]
    if len(right) == len(marks):
        return [sentence("The attacker finds {cell_of} each of your {landmarks}.", **of)]
    labels = outcome.trajectory.labels
    names = [labels[i] if labels else clock(outcome.scenario, outcome.trajectory, i) for i in right]
    named = sentence(": {found_names}", found_names=", ".join(names)) if len(right) <= _MOST_NAMED else ""
    found_marks = {"found_landmarks": numeral(len(right)), "named": named}
    return [sentence("The attacker finds {cell_of} {found_landmarks} of your {landmarks}{named}.", **of, **found_marks)]


def _haunt(haunt: Haunt) -> str:
    """Whether the attacker finds where the nights, or the working days, are mostly spent."""
    seen = count(haunt.days, "night" if haunt.when == "at night" else "day")
    if haunt.right:
        right = "From {days_found} the attacker finds the cell where you mostly are {when}."
        return sentence(right, days_found=seen, when=haunt.when)
    return sentence(
        "The attacker's guess at the cell where you mostly are {when}, from {days_missed}, is {days_error} off.",
        when=haunt.when,
        days_missed=seen,
        days_error=metres(haunt.off_m),
    )


def _learned(outcome: Outcome, found: Inferred) -> list[str]:
    """What the releases told the attacker, and the loss of the budgets under this knowledge."""
    learned = float(found.learned.max())
    times = "more than a million"
    if learned <= MILLION:
        times = sentence("up to {most_attacker_factor}", most_attacker_factor=factor(learned))
    text = sentence(
        "The attacker learned at most {most_attacker_learned}: the odds between {two_cells} change by a factor of {times}",
        most_attacker_learned=bound(learned),
        two_cells=outcome.kind.two_cells,
        times=times,
    )
    if found.bound is None:
        return [sentence("{learned}. No loss is computed for this knowledge.", learned=text)]
    radius_m, which = outcome.scenario.radius_m, BOUNDS[LOOKS[outcome.scenario.adversary]]
    if not outcome.kind.placed or outcome.scenario.mechanism == "randomised":
        proven = sentence(
            "{learned}; under these beliefs about moves, the {which} loss of these budgets is at most {most_proven_loss}. "
            "{proven}",
            learned=text,
            which=which,
            most_proven_loss=bound(float(found.bound.max())),
            proven=outcome.kind.proven,
        )
        return [proven]
    if found.pair_bound is not None:
        at = int(found.learned.argmax())
        never = sentence(
            "Between these two, which are {changed_apart} apart, the attacker never learns more than {most_between_two}",
            changed_apart=metres(float(found.area.distances_m[tuple(found.changed[at])])),
            most_between_two=bound(float(found.pair_bound[at])),
        )
    else:
        assert found.far_bound is not None
        never = sentence(
            "By one number for all these cells, which are up to {most_cells_apart} apart, the attacker never learns more "
            "than {most_between_any}",
            most_cells_apart=bound_metres(float(found.area.distances_m.max())),
            most_between_any=bound(float(found.far_bound.max())),
        )
    at_radius = sentence(
        "{learned}. {never} from these budgets, under these beliefs about moves. If all these cells were within the "
        "protection radius of {radius}, the {which} loss would be at most {most_loss_at_radius}.",
        learned=text,
        never=never,
        radius=metres(radius_m),
        which=which,
        most_loss_at_radius=bound(float(found.bound.max())),
    )
    return [at_radius]


def _notes(attacker: Attacker, outcome: Outcome) -> list[str]:
    scenario, kind, notes = outcome.scenario, outcome.kind, []
    own = attacker.moves == "page" and scenario.correlation == "estimated"
    if own or "track" in (attacker.start, attacker.moves):
        notes.append(WORST.format(kind=kind))
    if attacker.start == "people" and without(outcome.trajectory) is outcome.trajectory:
        notes.append(MADE_UP)
    if "days" in (attacker.start, attacker.moves):
        known = days(outcome.trajectory)
        if known == 1:
            notes.append(f"The {kind.data} covers only one day, so there is no other day to know.")
        else:
            each = "The attacker attacks each of the {attacked_days} separately, and knows the others from elsewhere."
            notes.append(sentence(each, attacked_days=count(known, "day")))
    if scenario.spread.compares:
        notes.append(
            f"Whether a timestamp publishes reveals a little about the {kind.value}; this attacker does not use that."
        )
    return [*notes, SIMULATED.format(kind=kind)]


def said_of(found: Inferred) -> str:
    """What the attacker finds on the whole track, in a sentence."""
    return sentence(
        "An attacker who follows it is on average {attacker_error} off, by {model}. The chosen chain gives the true one of "
        "{attacker_cells} a chance of {right_from_all}.",
        attacker_error=metres(float(found.error_m.mean())),
        model=MODELS[found.model],
        attacker_cells=count(len(found.area), "cell"),
        right_from_all=percent(float(found.whole.right.mean())),
    )
