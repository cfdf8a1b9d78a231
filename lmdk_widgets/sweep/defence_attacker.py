"""One attacker against every defence: with the same start and moves, over the cells that each allows, beside the reader
of the same releases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import inf, isnan
from typing import Any

import numpy as np

from lmdk_widgets.answers.adversary import LOOKS, joined, seen_over, worth_of
from lmdk_widgets.answers.attacker_error import errors_by_reader, true_places
from lmdk_widgets.answers.nearest_place import found_places_m, lasting
from lmdk_widgets.answers.odds import counts
from lmdk_widgets.answers.prior_moves import Cells, Stretch, attacker_cells, stretches
from lmdk_widgets.answers.promises import Promised
from lmdk_widgets.answers.usefulness import ReaderWorth, reading_of, releases
from lmdk_widgets.geo import Area, Floats
from lmdk_widgets.inference import track_posterior
from lmdk_widgets.scenario.correlation import correlation_of
from lmdk_widgets.scenario.grid import cells_of
from lmdk_widgets.scenario.knowledge import Knowledge
from lmdk_widgets.scenario.model import MECHANISMS, SPREADS, Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.sweep.defence_measures import (
    AT_LANDMARKS,
    ATTACKER_CHANCE,
    ATTACKER_ERROR,
    BY_READER,
    NEAREST,
    OWN_ERROR,
    PROMISES,
    READER_ERROR,
    REGULAR_ERROR,
    place_of,
)
from lmdk_widgets.sweep.rows import Measures, Row, compared_schemes, row_of
from lmdk_widgets.trajectory.model import Trajectory


def offered(scenario: Scenario) -> list[tuple[str, str]]:
    """Schemes with the mechanisms that work with them, the present ones first.

    Examples
    --------
    >>> pairs = offered(Scenario(scheme="skip", mechanism="randomised"))
    >>> pairs[0], len(pairs), ("adaptive", "planar") in pairs, ("adaptive", "randomised") in pairs
    (('skip', 'randomised'), 44, True, False)
    """
    pairs = [
        (scheme, mechanism)
        for scheme in compared_schemes(scenario)
        for mechanism in MECHANISMS
        if mechanism == "planar" or not SPREADS[scheme].online
    ]
    return sorted(pairs, key=lambda pair: pair != (scenario.scheme, scenario.mechanism))


class Follower:
    """An attacker who uses the same knowledge against every defence, and the reader of the same releases.

    The cells are those of an attacker under a defence on the page: a grid or, for mechanisms that report cells, exactly
    these cells, as they are public there.

    Raises
    ------
    InputError : a scenario that does not fit the track.
    """

    def __init__(self, scenario: Scenario, knowledge: Knowledge, trajectory: Trajectory) -> None:
        self.scenario = scenario.with_changes(average=False)
        self.knowledge, self.trajectory = knowledge, trajectory
        self.place_m = place_of(scenario, knowledge, trajectory)
        self.chain, self.look = correlation_of(scenario, trajectory), LOOKS[scenario.adversary]
        self.known: dict[Area, tuple[Cells, list[Stretch]]] = {}
        self.marks = np.isin(np.arange(len(trajectory)), scenario.landmarks)
        self.regular = self.marks if self.marks.all() else ~self.marks
        self.places = len(lasting(trajectory))

    def faces(self, scheme: str, mechanism: str, draws: int) -> Row:
        """What a reader and the attacker infer from some releases, medians; refused where the defence is impossible.

        Raises
        ------
        InputError : the present defence is impossible.
        """
        cells = {} if mechanism == "planar" else {"place_m": self.place_m}
        changes: dict[str, Any] = {"scheme": scheme, "mechanism": mechanism, **cells}
        chosen = self.scenario.with_changes(**changes)
        now = (scheme, mechanism) == (self.scenario.scheme, self.scenario.mechanism)
        last = list[Outcome]()

        def of(outcome: Outcome) -> Iterator[float]:
            last[:] = [outcome]
            return self._of(outcome)

        names = (*_EACH, *(f"place {k}" for k in range(self.places)))
        how: dict[str, Any] = {"draws": draws, "middle": np.median, "strict": now}  # others: no plan, too many cells
        row = row_of(chosen, self.trajectory, Measures(names, of), **how)
        return row if row.refused else self._counted(row, last[0], draws)

    def _counted(self, row: Row, outcome: Outcome, draws: int) -> Row:
        """The row with the errors of the model that counts, with the nearest place, and with what it is worth to a
        reader."""
        model = "reader" if row["by reader"] < row["by chain"] else "chain"
        at_marks = min((row[f"{one} at landmarks"] for one in ("chain", "reader")), key=lambda off: (isnan(off), off))
        numbers = {name: row[name] for name in _EACH if " " not in name} | {
            ATTACKER_ERROR: row[f"by {model}"],
            BY_READER: float(model == "reader"),
            AT_LANDMARKS: at_marks,
            NEAREST: min((row[f"place {k}"] for k in range(self.places)), default=np.nan),
        }
        reading = reading_of(outcome)
        worth = ReaderWorth(
            reader=row[READER_ERROR],
            draws=draws,
            expected=row["expected by reader"],
            noise=row[OWN_ERROR],
            spread=reading.spread,
            nothing=reading.nothing,
            nothing_over_region=reading.nothing_over_region,
            kind=outcome.kind,
        )
        return replace(row, numbers=numbers, worth=worth)

    def _of(self, outcome: Outcome) -> Iterator[float]:
        """The numbers of `_EACH` for one release, then metres for each lasting place."""
        area, reading = attacker_cells(outcome.scenario, self.knowledge, self.trajectory), reading_of(outcome)
        truth, parts = self._knowledge(area)
        seen = seen_over(area, outcome)
        found = [track_posterior(part.prior, part.moves, seen[part.span]) for part in parts]
        chain = worth_of(joined(found, self.look), area, truth, true_places(outcome, area))
        (read,) = reading.follow([next(releases(outcome))])
        reader = reading.errors(read.estimates)
        as_reader = reader if self.look == "smoothed" else errors_by_reader([outcome], self.look)[0]
        yield from (outcome.mean_error_m, float(reader.mean()), float(reader[self.regular].mean()))
        yield from (float(chain.right.mean()), float(read.expected.mean()))
        for errors in (chain.error_m, as_reader):
            yield np.nan if errors is None else float(errors.mean())
            yield np.nan if errors is None or not self.marks.any() else float(errors[self.marks].mean())
        yield from promises(outcome, self.scenario)
        yield from found_places_m(outcome)

    def _knowledge(self, area: Area) -> tuple[Cells, list[Stretch]]:
        """The true cells, and what is known of each part of the track."""
        if area not in self.known:
            truth = cells_of(area, self.trajectory)
            parts = list(stretches(self.scenario, self.knowledge, self.trajectory, self.chain, area, truth))
            self.known[area] = truth, parts
        return self.known[area]


_EACH = (
    *(OWN_ERROR, READER_ERROR, REGULAR_ERROR, ATTACKER_CHANCE, "expected by reader"),
    *("by chain", "chain at landmarks", "by reader", "reader at landmarks"),
    *PROMISES,
)
"""What is measured in each release; names with a space are not kept."""


def promises(outcome: Outcome, now: Scenario) -> tuple[float, ...]:
    """What a release promises, as losses in the order of `PROMISES`, whatever the draw: the last two only where the present
    setting promises something about windows, or about the total loss."""
    promised, scenario = Promised(outcome), outcome.scenario
    total = inf if scenario.spread.online else float(outcome.total.max())
    return (
        promised.one_loss,
        promised.together_loss,
        promised.all_loss,
        _window_loss(outcome, promised, now.window) if now.spread.windowed else np.nan,
        total if now.spread.keeps == "loss" else np.nan,
    )


def _window_loss(outcome: Outcome, promised: Promised, window: int) -> float:
    """The most that so many timestamps in a row spend together, in any draw."""
    scenario = outcome.scenario
    if scenario.spread.online:
        kept = scenario.epsilon * counts(outcome) if scenario.spread.windowed else inf
        return min(kept, window * promised.one_loss, promised.all_loss)
    sums: Floats = np.concatenate(([0.0], np.cumsum(outcome.budgets)))
    width = min(window, len(outcome))
    return float((sums[width:] - sums[:-width]).max()) * counts(outcome)
