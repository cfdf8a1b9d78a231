"""One adversary against every defence: she uses the same start and moves, and distinguishes the cells that each
allows."""

from __future__ import annotations

from lmdk_widgets.geo import Area
from lmdk_widgets.inference import track_posterior
from lmdk_widgets.scenario.adversary import LOOKS, joined, seen_over, worth_of
from lmdk_widgets.scenario.attacker_error import true_places
from lmdk_widgets.scenario.correlation import correlation_of
from lmdk_widgets.scenario.defence import ATTACKER_CHANCE, ATTACKER_ERROR, FOUND, OWN_ERROR, place_of
from lmdk_widgets.scenario.grid import cells_of
from lmdk_widgets.scenario.knowledge import Knowledge
from lmdk_widgets.scenario.model import MECHANISMS, SPREADS, Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.prior_moves import Cells, Stretch, attacker_cells, stretches
from lmdk_widgets.scenario.sweep import MEASURES, Measures, Row, compared_schemes, measured, row_of
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
    """An adversary who uses the same knowledge against every defence.

    Her cells are those that she has under a defence on the page: a grid or, for mechanisms that report cells, exactly
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

    def faces(self, scheme: str, mechanism: str, draws: int) -> Row:
        """What she infers from some releases; refused where the defence is impossible.

        Raises
        ------
        InputError : the present defence is impossible.
        """
        cells = {} if mechanism == "planar" else {"place_m": self.place_m}
        chosen = self.scenario.with_changes(scheme=scheme, mechanism=mechanism, **cells)
        now = (scheme, mechanism) == (self.scenario.scheme, self.scenario.mechanism)
        find = measured if now else row_of  # no plan, too many cells or budgets
        return find(
            chosen,
            self.trajectory,
            Measures((OWN_ERROR, ATTACKER_ERROR, ATTACKER_CHANCE, FOUND), self._meets),
            draws=draws,
        )

    def _meets(self, outcome: Outcome) -> tuple[float, ...]:
        area = attacker_cells(outcome.scenario, self.knowledge, self.trajectory)
        truth, parts = self._knowledge(area)
        seen = seen_over(area, outcome)
        found = [track_posterior(part.prior, part.moves, seen[part.span]) for part in parts]
        worth = worth_of(joined(found, self.look), area, truth, true_places(outcome, area))
        of_her = float(worth.error_m.mean()), float(worth.right.mean())
        return MEASURES[OWN_ERROR].of(outcome), *of_her, MEASURES[FOUND].of(outcome)

    def _knowledge(self, area: Area) -> tuple[Cells, list[Stretch]]:
        """The true cells, and what she knows about each part of the track."""
        if area not in self.known:
            truth = cells_of(area, self.trajectory)
            parts = list(stretches(self.scenario, self.knowledge, self.trajectory, self.chain, area, truth))
            self.known[area] = truth, parts
        return self.known[area]
