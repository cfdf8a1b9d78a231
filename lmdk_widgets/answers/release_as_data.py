"""One release instead of a true track: what is computed from it reveals no more about the places than the release does.

A file that shows many settings of the same true track would contain many releases of it, and anyone who averages them,
or solves for what two draws of the same noise have in common, has the track. So such a file is computed from one
release, drawn for it alone, and whatever follows from a release is as private as the release (post-processing). Errors
are then distances to that release: those of planar Laplace under fixed budgets have the same distribution as errors to
the true track.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from lmdk_widgets.answers.from_track import track_warnings
from lmdk_widgets.answers.region_words import proposal_said
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.io.released import DECIMALS
from lmdk_widgets.page.amounts import amount
from lmdk_widgets.page.history import State
from lmdk_widgets.page.open_controls import Source
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.page.words import said
from lmdk_widgets.scenario import hidden
from lmdk_widgets.scenario.data_kinds import kind_of
from lmdk_widgets.scenario.evaluation import Fresh
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.region import is_proposed, region_of
from lmdk_widgets.trajectory import Series, Trajectory

RELEASE_NAME = "A release in place of the true one"

SAID = (
    "The true data are not in this file. All of it is computed from one release of them, drawn for files alone "
    "({how}), from the times and from the marked timestamps: it reveals no more about the true values than that "
    "release does. What it calls true is that release."
)

_DIGITS = 6
"""Significant digits of a released number that are kept: a float's last digits reveal how it was computed."""


def release_as_data(scenario: Scenario, data: Trajectory, fresh: Fresh) -> Source:
    """A release as a separate track or series, and the settings for it.

    Times, the zone and the marked timestamps are those of the true one. Nothing else of it is kept: no name, no label,
    no other day, no check-in. Where landmarks are hidden, everything protected is marked, so that nobody learns which
    they are.

    Raises
    ------
    InputError : a release that lacks timestamps, such as those before the first that is measured.

    Examples
    --------
    >>> from lmdk_widgets.scenario.evaluation import release_afresh
    >>> from lmdk_widgets.trajectory import sample
    >>> bob, scenario = sample("bob"), Scenario(landmarks=(0, 2, 4, 7))
    >>> made = release_as_data(scenario, bob, release_afresh(scenario, bob)).state
    >>> made.choices.track, made.data.labels, bool((made.data.latitude == bob.latitude).any())
    ('', (), False)
    """
    marked = hidden.protected(scenario, len(data))
    changes: dict[str, Any] = {"track": "", "landmarks": marked, **hidden.UNDRAWN}
    if scenario.hide:
        changes |= {"hide": False}
    if scenario.mechanism != "planar":  # the cells that were reported, whatever they were made from
        changes |= {"region": region_of(scenario, data).limits}
    about: dict[str, Any] = {"landmarks": marked, "name": RELEASE_NAME, "zone": data.zone}
    if isinstance(data, Series):
        values = np.array([float(f"{value:.{_DIGITS}g}") for value in _whole(np.asarray(fresh.values))])
        about |= {
            "kind": data.kind,
            "unit": data.unit,
            "answers": data.answers,
            "lower": data.lower,
            "upper": data.upper,
        }
        made: Trajectory = Series(data.time, **about, values=values)
    else:
        latitude, longitude = (np.round(_whole(degrees), DECIMALS) for degrees in (fresh.latitude, fresh.longitude))
        made = Trajectory(latitude, longitude, data.time, **about)
    told = SAID.format(how=how_drawn(scenario, places=kind_of(data).placed))
    proposed = [proposal_said(scenario, data)] if scenario.mechanism != "planar" and is_proposed(scenario, data) else []
    warned = (*track_warnings(scenario, data), *proposed)
    return Source(State(scenario.with_changes(**changes), made), " ".join((told, *warned)))


def without_error(data: Trajectory, fresh: Fresh) -> Fresh:
    """The release that replaces the data, as a file shows it: its places or values, and no distance from the truth."""
    nothing = np.zeros(len(data))
    if isinstance(data, Series):
        return replace(fresh, values=data.values, error_m=nothing)
    return replace(fresh, latitude=data.latitude, longitude=data.longitude, error_m=nothing)


def how_drawn(scenario: Scenario, *, places: bool = True) -> str:
    """The settings of the release that replaces the data, in words.

    Examples
    --------
    >>> how_drawn(Scenario(epsilon=0.5))
    'Uniform, epsilon 0.50, protection radius 200 m, Planar Laplace'
    >>> how_drawn(Scenario(epsilon=0.5), places=False)
    'Uniform, epsilon 0.50'
    """
    kinds = Scenario.kinds()
    spread = scenario.spread
    budget = amount(getattr(scenario, spread.spent))
    spent = sentence("{spent_name} {spent_value}", spent_name=spread.spent, spent_value=budget)
    told = [said(kinds["scheme"], scenario.scheme), *([] if spread.by_hand else [spent])]
    if places:
        told.append(f"protection radius {said(kinds['radius_m'], scenario.radius_m)}")
        told.append(said(kinds["mechanism"], scenario.mechanism))
    return ", ".join(told)


def _whole(values: Floats) -> Floats:
    if np.isnan(values).any():
        raise InputError(
            "The release must have all timestamps to replace the true track",
            value=f"{int(np.isnan(values).sum()):,} without one",
            remedy="Choose a scheme that measures the first timestamp, such as Uniform",
        )
    return values
