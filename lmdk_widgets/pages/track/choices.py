"""The panels of the track page, and everything that its user can choose: a scenario, a pinned one, and each panel's
choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from lmdk_widgets.page.choices import PageChoices, beside, group
from lmdk_widgets.page.panel import Panels
from lmdk_widgets.pages.track.attacker import Attack, Averaging
from lmdk_widgets.pages.track.attacker_choices import Attacker
from lmdk_widgets.pages.track.budget_left import Left, LeftChoices
from lmdk_widgets.pages.track.by_hand import ByHand
from lmdk_widgets.pages.track.cards import CardChoices, SettingCards
from lmdk_widgets.pages.track.compare import Compare, CompareChoices
from lmdk_widgets.pages.track.defences import DefenceChoices, Defences
from lmdk_widgets.pages.track.dummies import Dummies
from lmdk_widgets.pages.track.inverse import Inverse, InverseChoices
from lmdk_widgets.pages.track.leave_out import LeaveOut, LeaveOutChoices
from lmdk_widgets.pages.track.pairs import ByDistance, DistanceChoices, PairByPair
from lmdk_widgets.pages.track.practices import PracticeChoices, Practices
from lmdk_widgets.pages.track.repeat_reports import Standing, StandingChoices
from lmdk_widgets.pages.track.secrets import SecretChoices, Secrets
from lmdk_widgets.pages.track.side_by_side import SideBySide
from lmdk_widgets.pages.track.stays import StayChoices, Stays
from lmdk_widgets.pages.track.streets import Streets
from lmdk_widgets.pages.track.table import Table, TableReader
from lmdk_widgets.pages.track.table_choices import SettingsTableChoices
from lmdk_widgets.pages.track.trade_off import TradeOff, TradeOffChoices
from lmdk_widgets.pages.track.useful import Usefulness
from lmdk_widgets.pages.track.varied_study import VaryChoices
from lmdk_widgets.pages.track.vary import Vary
from lmdk_widgets.pages.track.verdict import LimitChoices, Verdicts
from lmdk_widgets.scenario.model import Scenario

PANELS = Panels(
    (
        *(PairByPair(), Stays(), ByHand(), SideBySide(), Averaging(), Usefulness(), Streets(), Dummies(), Practices()),
        *(
            ByDistance(),
            LeaveOut(),
            Secrets(),
            SettingCards(),
            Attack(),
            Defences(),
            Inverse(),
            Standing(),
            Compare(),
            TradeOff(),
            Table(),
            TableReader(),
            Vary(),
            Left(),
            Verdicts(),
        ),
    )
)
"""In the order in which they are computed and reported."""


@dataclass(frozen=True, repr=False)
class TrackChoices(PageChoices):
    """The choices of the page. Those of the scenario have plain names, those of a panel begin with its name:
    "epsilon", "table.sort".

    Attributes
    ----------
    scenario : what is released. pinned : a second scenario to compare with, or None. The others belong to the panels of
        these names; the first choice of each says whether it is open.
    """

    PAGE: ClassVar[str] = Scenario.PAGE
    ALWAYS_TOLD: ClassVar[tuple[str, ...]] = Scenario.ALWAYS_TOLD
    LONG: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "your matrix": ("matrix", "correlation"),
        "your landmarks": ("landmarks",),
        "the pinned option": ("pinned",),
        "what the table is asked for": ("table.epsilons", "table.radii_m"),
        "your budgets": ("budgets", "scheme"),
    }

    scenario: Scenario = group(Scenario, before="")
    stays: StayChoices = group(StayChoices)
    cards: CardChoices = group(CardChoices)
    compare: CompareChoices = group(CompareChoices)
    trade_off: TradeOffChoices = group(TradeOffChoices)
    inverse: InverseChoices = group(InverseChoices)
    practices: PracticeChoices = group(PracticeChoices)
    pinned: Scenario | None = beside(Scenario, "Pinned option")
    attacker: Attacker = group(Attacker)
    defences: DefenceChoices = group(DefenceChoices)
    table: SettingsTableChoices = group(SettingsTableChoices)
    by_distance: DistanceChoices = group(DistanceChoices)
    standing: StandingChoices = group(StandingChoices)
    vary: VaryChoices = group(VaryChoices)
    left: LeftChoices = group(LeftChoices)
    leave_out: LeaveOutChoices = group(LeaveOutChoices)
    limits: LimitChoices = group(LimitChoices)
    secrets: SecretChoices = group(SecretChoices)

    def always_told(self) -> tuple[str, ...]:
        """Of an open table also its schemes, so that a link shows the same rows once there are more schemes."""
        return (*self.ALWAYS_TOLD, *(("table.schemes",) if self.table.open else ()))

    def visible(self) -> list[str]:
        """The choices that have an effect now; an adversary who follows the track looks in one direction and
        distinguishes levels."""
        seen = {*super().visible(), *(("level_width", "adversary") if self.attacker.open else ())}
        if self.scenario.mechanism != "planar":
            seen -= {"attacker.cells"}
        return [name for name in self.kinds() if name in seen]
