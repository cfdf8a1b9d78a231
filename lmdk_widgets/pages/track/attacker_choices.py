"""What an attacker who follows the track knows beforehand, and what is selected of what is inferred."""

from __future__ import annotations

from dataclasses import dataclass

from lmdk_widgets.page.fields import flag, whole
from lmdk_widgets.scenario.knowledge import Knowledge
from lmdk_widgets.scenario.model import MAX_TIMESTAMPS, MOST_CELLS

NAME = "attacker"
"""The panel's name."""

TITLE = "What an attacker finds"
"""The title of its tab, and of its part of a report."""


@dataclass(frozen=True)
class Attacker(Knowledge):
    """What an attacker who follows the track finds, given this knowledge; the selected timestamp and cell, from 0, -1
    for no cell."""

    open: bool = flag(False, TITLE)
    at: int = whole(0, (0, MAX_TIMESTAMPS - 1), "Timestamp on the map", origin=1)
    cell: int = whole(-1, (-1, MOST_CELLS - 1), "Cell over time", origin=1)

    @property
    def known(self) -> Knowledge:
        """What is known beforehand, whatever is selected."""
        return Knowledge(self.cells, self.start, self.moves, self.step_m)

    def visible(self) -> list[str]:
        return [name for name in super().visible() if name != "step_m" or self.moves == "near"]
