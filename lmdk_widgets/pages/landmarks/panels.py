"""The panels of the landmark page, in the order in which they are computed and reported."""

from __future__ import annotations

from lmdk_widgets.page.panel import Panels
from lmdk_widgets.pages.landmarks.attacker import Attack
from lmdk_widgets.pages.landmarks.by_hand import ByHand
from lmdk_widgets.pages.landmarks.compare import Compare
from lmdk_widgets.pages.landmarks.defences import Defences
from lmdk_widgets.pages.landmarks.dummies import Dummies
from lmdk_widgets.pages.landmarks.inverse import Inverse
from lmdk_widgets.pages.landmarks.side_by_side import SideBySide
from lmdk_widgets.pages.landmarks.stays import Stays
from lmdk_widgets.pages.landmarks.table import Table
from lmdk_widgets.pages.landmarks.trade_off import TradeOff

PANELS = Panels(
    (Stays(), ByHand(), SideBySide(), Dummies(), Attack(), Defences(), Inverse(), TradeOff(), Table(), Compare())
)
