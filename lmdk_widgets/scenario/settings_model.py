"""Which settings a table holds: some schemes at some epsilons and radii."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.fields import KIND, Kind
from lmdk_widgets.page.typed import MOST_IN_RANGE, Several, Typed
from lmdk_widgets.scenario.model import EPSILON_RANGE, SCHEMES

MOST_SETTINGS = 20_000
RADIUS_RANGE_M = (1.0, 100_000.0)


def declared(kind: Kind, default: Any) -> Any:
    """Declares a choice of a kind of its own."""
    return field(default=default, metadata={KIND: kind})


@dataclass(frozen=True)
class Asked(Choices):
    """Which settings a table holds.

    Attributes
    ----------
    schemes : keys of `SCHEMES`. epsilons : of each scheme, the targets of plans. radii_m : protection radii, metres.

    Raises
    ------
    InputError : names or numbers that are not allowed, and more than `MOST_SETTINGS` settings.

    Examples
    --------
    >>> asked = Asked(schemes="uniform event", epsilons="0.5 1")
    >>> asked.schemes, asked.epsilons, len(asked)
    (('event', 'uniform'), (0.5, 1.0), 28)
    """

    schemes: tuple[str, ...] = declared(Several(label="Schemes", subject="scheme", meanings=SCHEMES), tuple(SCHEMES))
    epsilons: tuple[float, ...] = declared(
        Typed(label="Epsilons", low=EPSILON_RANGE[0], high=EPSILON_RANGE[1], least=1, most=MOST_IN_RANGE),
        (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0),
    )
    radii_m: tuple[float, ...] = declared(
        Typed(label="Radii", low=RADIUS_RANGE_M[0], high=RADIUS_RANGE_M[1], least=1, most=MOST_IN_RANGE),
        (50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self) > MOST_SETTINGS:
            remedy = "Choose fewer schemes, epsilons or radii"
            raise InputError(
                f"The table must have at most {MOST_SETTINGS:,} settings", value=f"{len(self):,}", remedy=remedy
            )

    def __len__(self) -> int:
        return len(self.schemes) * len(self.epsilons) * len(self.radii_m)

    def wanted(self, *, placed: bool) -> int:
        """How many settings that are: of a series, which has no places, one radius alone counts."""
        return len(self) if placed else len(self.schemes) * len(self.epsilons)

    @property
    def rows(self) -> tuple[tuple[str, ...], tuple[float, ...], tuple[float, ...]]:
        """What its rows depend on: neither conditions nor order."""
        return self.schemes, self.epsilons, self.radii_m
