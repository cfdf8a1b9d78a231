"""What follows from the choices of the foundations page: every number and array that a view of it shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lmdk_widgets.pages.foundations.model import Foundations
from lmdk_widgets.pages.foundations.release import Measures, Release
from lmdk_widgets.pages.foundations.scenes import Scene
from lmdk_widgets.pages.foundations.table import Table


@dataclass(frozen=True, eq=False)
class Published:
    """A table as it is published, its measures (None where nobody is left), and the attack that is played, if any."""

    release: Release
    measures: Measures | None
    scene: Scene | None

    @property
    def table(self) -> Table:
        """The table that was published."""
        return self.release.table


@dataclass(frozen=True, eq=False)
class FoundationsOutcome:
    """The choices, and what the chosen part shows.

    Attributes
    ----------
    choices, own : what it came from; the second is the uploaded table, if there is one.
    shown : of the part on tables `Published`, on noise `Noise`, on a stream `Stream`, on adding
    up `Adding`.
    """

    choices: Foundations
    own: Table | None
    shown: Any
