"""Choices of the page that suit a track or a series: defaults are adapted, and what makes no sense is left out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lmdk_widgets.page.history import State
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.inverse import InverseChoices
from lmdk_widgets.pages.track.stays import ways
from lmdk_widgets.scenario import hidden, suited_settings
from lmdk_widgets.scenario.data_kinds import kind_of
from lmdk_widgets.scenario.ground import Numbers, ground_of
from lmdk_widgets.scenario.knowledge import MOVES, STARTS, Knowledge
from lmdk_widgets.scenario.model import LENGTHS
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory import Series, Trajectory
from lmdk_widgets.verdict.limits import RADIUS

OF_TRACKS = frozenset(
    {
        *("attacker.cells", "defences.open", "standing.open", "standing.still_m", "inverse.found_m"),
        *("table.radii_m", "table.least_found_m"),
    }
)
"""Choices that make no sense for a series, which has no places."""

ANSWERS_WRONG = 0.25
"""The share of wrong answers wanted by default: half of a coin's."""

NOT_OF_ANSWERS = frozenset({"attacker.step_m"})
"""Choices that make no sense for answers, as neither is nearer than the other."""


def brought(choices: TrackChoices, data: Trajectory, before: Trajectory) -> TrackChoices:
    """The choices after another track or series is opened: lengths are in its own unit, and nothing is pinned."""
    scenario = choices.scenario.with_changes(**suited_settings.brought(data))
    if kind_of(data) is not kind_of(before) and choices.limits.found_m is not None:
        choices = choices.with_changes(**{"limits.found_m": RADIUS})  # another unit
    choices = choices.with_changes(scenario=scenario, pinned=None)
    if not isinstance(data, Series):
        own = {"attacker.step_m": Knowledge.step_m, "inverse.error_m": InverseChoices.error_m}
        return choices.with_changes(**own) if isinstance(before, Series) else choices
    return wishing(choices.with_changes(**dict.fromkeys(("attacker.step_m", "inverse.error_m"), LENGTHS[1])), data)


def wishing(choices: TrackChoices, data: Trajectory) -> TrackChoices:
    """The choices with lengths that a series can have: a wanted error larger than any can be becomes a twelfth of the
    width of the bounds, or a quarter of the answers; an attacker's move that is too long becomes the width of a
    level."""
    if not isinstance(data, Series):
        return choices
    if data.is_answers:
        return choices if choices.inverse.error_m < 1 else choices.with_changes(**{"inverse.error_m": ANSWERS_WRONG})
    ground = ground_of(choices.scenario, data)
    assert isinstance(ground, Numbers)
    width, changes = ground.upper - ground.lower, {}
    if choices.inverse.error_m > width:
        changes["inverse.error_m"] = suited_settings.round_width(width / 12)
    if choices.attacker.step_m > width:
        changes["attacker.step_m"] = choices.scenario.level_width
    return choices.with_changes(**changes)


def with_moments(choices: TrackChoices, data: Trajectory) -> TrackChoices:
    """The choices with a kind of proposed moments that the data have."""
    able = ways(data)
    return choices if choices.stays.by in able else choices.with_changes(**{"stays.by": able[0]})


def fitting(choices: TrackChoices, data: Trajectory) -> State:
    """A state that the data allow: a scenario that fits them, and panels without what they do not have."""
    scenario, attacker = suited_settings.fitting(choices.scenario, data), choices.attacker
    choices = with_moments(choices, data)
    if isinstance(data, Series):
        choices = wishing(choices.with_changes(**({"defences.open": False} if choices["defences.open"] else {})), data)
        attacker = choices.attacker
        if attacker.start == "people":
            attacker = attacker.with_changes(start="uniform")
        if attacker.moves == "near" and data.is_answers:
            attacker = attacker.with_changes(moves="page")
        if attacker.open:
            scenario = suited_settings.with_levels(scenario, data)
    return State(choices.with_changes(scenario=scenario, attacker=attacker), data)


def without(names: Iterable[str], data: Trajectory) -> list[str]:
    """The names of choices that make sense for a track or a series."""
    kind = kind_of(data)
    senseless = set(kind.senseless)
    senseless |= set() if kind.placed else OF_TRACKS
    senseless |= NOT_OF_ANSWERS if kind.counts_wrong else set()
    return [name for name in names if name not in senseless]


def of_track(changes: dict[str, Any], track: Any, landmarks: Any) -> dict[str, Any]:
    """The changes of a link for a track; what a pinned option leaves out is as in the present one."""
    changes = {**changes, "track": track}
    if isinstance(pinned := changes.get("pinned"), dict):
        changes["pinned"] = {"landmarks": landmarks, **pinned, "track": track}
    return changes


def without_truth(choices: TrackChoices) -> TrackChoices:
    """The choices without a cell of the true track, and without dummies that someone else's draw would reveal."""
    pinned = choices.pinned
    if pinned is not None:
        pinned = None if choices.scenario.hide else pinned.with_changes(**hidden.UNDRAWN)
    return choices.with_changes(pinned=pinned, attacker=choices.attacker.with_changes(cell=-1))


def offered(data: Trajectory) -> dict[str, list[str]]:
    """Of choices among several names, those that the data allow."""
    kind = kind_of(data)
    starts = [name for name in STARTS if name != "people" or kind.placed]
    moves = [name for name in MOVES if name != "near" or not kind.counts_wrong]
    return {"attacker.start": starts, "attacker.moves": moves, "stays.by": list(ways(data))}


def with_seed(choices: TrackChoices, seed: int) -> TrackChoices:
    """The present settings and the pinned ones with another seed.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario
    >>> with_seed(TrackChoices(pinned=Scenario(epsilon=0.5)), 7).pinned
    Scenario(epsilon=0.5, seed=7)
    """
    pinned = None if choices.pinned is None else choices.pinned.with_changes(seed=seed)
    return choices.with_changes(seed=seed, pinned=pinned)


def with_dummies(choices: TrackChoices, seed: int) -> TrackChoices:
    """The present settings and the pinned ones with dummies of one seed, as two seeds would be two draws."""
    pinned = None if choices.pinned is None else choices.pinned.with_changes(hide_seed=seed)
    return choices.with_changes(hide_seed=seed, pinned=pinned)


def units(outcome: Outcome) -> dict[str, str]:
    """The units of the choices that are in the unit of the data, by name."""
    kind, data = outcome.kind, outcome.trajectory
    unit = kind.unit(data)
    error = "of the answers" if kind.counts_wrong else unit
    return {
        **kind.units(data),
        "attacker.step_m": unit,
        **dict.fromkeys(("inverse.error_m", "table.most_error_m", "table.most_radius95_m"), error),
        "limits.found_m": "of 100" if kind.counts_wrong else unit,
    }
