"""What an adversary who follows the track infers, in sentences."""

from __future__ import annotations

from lmdk_widgets.page.amounts import MILLION, bound, bound_metres, count, factor, metres, percent
from lmdk_widgets.pages.places.area import Area
from lmdk_widgets.scenario.adversary import BOUNDS, LOOKS, Inferred
from lmdk_widgets.scenario.adversary_home import Haunt, haunts
from lmdk_widgets.scenario.clock import clock
from lmdk_widgets.scenario.following import at_hand
from lmdk_widgets.scenario.knowledge import days
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.people import counted, without

_LOOKS = {
    "both": "the whole release",
    "any": "the whole release",
    "past": "the releases up to each timestamp",
    "future": "the releases from each timestamp on",
}
_STARTS = {
    "uniform": "starts with {kind.alike}",
    "people": "starts as in a made-up city (the middle of the cells is the likeliest place)",
    "days": "knows how often this {kind.data} {kind.was_in_each} on its other days",
    "track": "knows how often this very {kind.data} {kind.is_in_each}",
}
MISLEADS = 1.01
"""From this factor on she is farther off with all releases than with one, by what she believes of moves."""

_MOST_NAMED = 6
"""So many landmarks are named that she gets right."""

WORST = (
    "What she knows is taken from the very {kind.data} that is protected, which nobody should have: it is the worst case, "
    "and shows what is left even then."
)
MADE_UP = (
    "Nobody counted people for the made-up city: it is the one of the page Places, laid over her cells. Check-ins of people "
    "who really were there, uploaded beside the choice, take its place."
)
SIMULATED = (
    "She does not know {kind.unseen}: how far off she is can be said only here, where {kind.known_here}. "
    "{kind.exactness}"
)
HOURS = (
    "A night is from 22 to 6 o'clock, a working day from 9 to 17 o'clock, Monday to Friday, by the clock of the track."
)
WAITING = "Not known yet: following so long a {kind.data} takes a moment."


def describe_adversary(outcome: Outcome) -> dict[str, list[str]]:
    """ "found": what she infers, sentence by sentence; "notes": what that rests on; nothing where it is not asked for."""
    if not outcome.scenario.infer:
        return {"found": [], "notes": []}
    found = at_hand(outcome)
    if found is None:
        return {"found": [WAITING.format(kind=outcome.kind)], "notes": []}
    usual = haunts(outcome.trajectory, found)
    said = [_error(outcome, found), _right(outcome, found), *_landmarks(outcome, found), *map(_haunt, usual)]
    notes = [*([HOURS] if usual else []), *_notes(outcome)]
    return {"found": [*said, *_learned(outcome, found)], "notes": notes}


def _error(outcome: Outcome, found: Inferred) -> str:
    """The first sentences: how far off she is, and what she knows."""
    text = _wrong(outcome, found) if outcome.kind.counts_wrong else _far(outcome, found)
    text += f" {_starts(outcome, found)} and {_believes(outcome, found)}."
    if found.whole.error_m.mean() > found.alone.error_m.mean() * MISLEADS:
        text += " What she believes of moves misleads her here."
    return text


def _far(outcome: Outcome, found: Inferred) -> str:
    """How far off she is, and what she distinguishes."""
    kind, write, sees = outcome.kind, outcome.ground.write, _LOOKS[outcome.scenario.adversary]
    off, alone, blind = (write(float(worth.error_m.mean())) for worth in (found.whole, found.alone, found.blind))
    return (
        f"Someone who sees {sees} is on average {off} away from {kind.off}; from each "
        f"timestamp's release alone it would be {alone}, and without any release {blind}. "
        f"She tells {count(len(found.area), kind.cell)} of {write(found.area.cell_m)} apart,"
    )


def _wrong(outcome: Outcome, found: Inferred) -> str:
    """The same where errors are chances."""
    sees = _LOOKS[outcome.scenario.adversary]
    off, alone, blind = (percent(float(worth.error_m.mean())) for worth in (found.whole, found.alone, found.blind))
    return (
        f"Someone who sees {sees} still gives the wrong {outcome.kind.value} a chance of {off} on average; from each "
        f"timestamp's release alone it would be {alone}, and without any release {blind}. She"
    )


def _starts(outcome: Outcome, found: Inferred) -> str:
    scenario = outcome.scenario
    people = scenario.infer_start == "people" and isinstance(found.area, Area)
    known = counted(found.area, outcome.trajectory) if people else None
    if known is None:
        return _STARTS[scenario.infer_start].format(kind=outcome.kind)
    inside, total = known
    if not inside:
        return f"{_STARTS['uniform'].format(kind=outcome.kind)}, as none of your {total:,} check-ins lies in them,"
    return f"knows how often people are in each cell, from the {inside:,} of your {total:,} check-ins that lie in them,"


def _believes(outcome: Outcome, found: Inferred) -> str:
    scenario = outcome.scenario
    if scenario.infer_moves == "near" and outcome.kind.near:
        each = outcome.ground.write(scenario.infer_step_m)
        return f"believes in moves to {outcome.kind.near}, e times less likely for each {each} more"
    if scenario.infer_moves == "days":
        return "knows its moves of the other days"
    if scenario.infer_moves == "track" or scenario.correlation == "estimated":
        return f"knows its very moves from {outcome.kind.cell} to {outcome.kind.cell}"
    return f"believes that {outcome.kind.stays.format(chance=percent(found.stays))}"


def _right(outcome: Outcome, found: Inferred) -> str:
    chances = [percent(float(worth.right.mean())) for worth in (found.whole, found.alone, found.blind)]
    best, of = int((found.guess == found.truth).sum()), "timestamp" if len(found) == 1 else "timestamps"
    return (
        f"She gives {outcome.kind.your_cell} a chance of {chances[0]} on average ({chances[1]} from each release alone, "
        f"{chances[2]} without any), and her best guess is the true {outcome.kind.cell} at {best:,} of {len(found):,} {of}."
    )


def _landmarks(outcome: Outcome, found: Inferred) -> list[str]:
    """Which landmarks her best guess gets right."""
    marks = outcome.scenario.landmarks
    if not marks:
        return []
    right = [i for i in marks if found.guess[i] == found.truth[i]]
    if len(marks) == 1:
        return [f"She {'finds' if right else 'does not find'} {outcome.kind.cell_of} your landmark."]
    if not right:
        return [f"She finds {outcome.kind.cell_of} none of your {count(len(marks), 'landmark')}."]
    labels = outcome.trajectory.labels
    names = [labels[i] if labels else clock(outcome.scenario, outcome.trajectory, i) for i in right]
    named = f": {', '.join(names)}" if len(right) <= _MOST_NAMED else ""
    return [f"She finds {outcome.kind.cell_of} {len(right):,} of your {count(len(marks), 'landmark')}{named}."]


def _haunt(haunt: Haunt) -> str:
    """Whether she finds where the nights, or the working days, are mostly spent."""
    cell = f"the cell where you mostly are {haunt.when}"
    seen = count(haunt.days, "night" if haunt.when == "at night" else "day")
    return f"She {f'is {metres(haunt.off_m)} off' if haunt.off_m else 'finds'} {cell}, from {seen}."


def _learned(outcome: Outcome, found: Inferred) -> list[str]:
    """What the releases told her, beside the loss of the budgets for her knowledge."""
    learned = float(found.learned.max())
    times = "more than a million" if learned > MILLION else f"up to {factor(learned)}"
    text = f"She learned at most {bound(learned)}: "
    text += f"for her the odds between {outcome.kind.two_cells} change by a factor of {times}"
    if found.bound is None:
        return [f"{text}. No loss is computed for what she knows."]
    radius_m, which = outcome.scenario.radius_m, BOUNDS[LOOKS[outcome.scenario.adversary]]
    text += f"; with what she believes of moves, the {which} loss of these budgets is at most "
    text += f"{bound(float(found.bound.max()))}."
    if not outcome.kind.placed or outcome.scenario.mechanism == "randomised":
        return [f"{text} {outcome.kind.proven}"]
    far = bound_metres(float(found.area.distances_m.max()))
    return [
        f"{text} That loss reads each budget at the protection radius of "
        f"{metres(radius_m)}, and her cells are up to {far} apart, so that she may learn more than it says."
    ]


def _notes(outcome: Outcome) -> list[str]:
    scenario, kind, notes = outcome.scenario, outcome.kind, []
    own = scenario.infer_moves == "page" and scenario.correlation == "estimated"
    if own or "track" in (scenario.infer_start, scenario.infer_moves):
        notes.append(WORST.format(kind=kind))
    if scenario.infer_start == "people" and without(outcome.trajectory) is outcome.trajectory:
        notes.append(MADE_UP)
    if "days" in (scenario.infer_start, scenario.infer_moves):
        known = days(outcome.trajectory)
        if known == 1:
            notes.append(f"The {kind.data} has one day only, so there is no other day that she could know.")
        else:
            notes.append(
                f"She attacks each of the {count(known, 'day')} by itself, and knows the others from elsewhere."
            )
    if scenario.spread.compares:
        notes.append(
            f"Whether a timestamp publishes tells a little about the {kind.value}: this adversary does not use it."
        )
    return [*notes, SIMULATED.format(kind=kind)]
