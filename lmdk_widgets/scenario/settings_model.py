"""What the table of many settings is asked for: which ones it holds, the conditions on them, and their order.

A scenario keeps them as the query of their link, so that one link, one undo and one JSON hold all.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from lmdk_widgets.checks import one_of, refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.fields import KIND, Kind, Number, Numbers, choice, flag, titled
from lmdk_widgets.page.link import from_query, to_query
from lmdk_widgets.scenario.model import EPSILON_RANGE, SCHEMES, Scenario

MOST_SETTINGS = 20_000
MOST_IN_RANGE = 200
"""Most numbers of a list, or of a range."""

RADIUS_RANGE_M = (1.0, 100_000.0)

COLUMNS: dict[str, str] = {
    "scheme": "scheme: in the order of the list of schemes.",
    "epsilon": "epsilon: the target of a plan.",
    "radius_m": "radius: the protection radius.",
    "error_m": "mean error: expected where there is a formula, else the mean of 20 releases.",
    "radius95_m": "95 % radius: within it lie 95 % of what is measured at a timestamp, on average over timestamps.",
    "loss": "largest loss: the largest total loss of a timestamp, by this correlation and adversary.",
    "landmark_loss": "landmarks together: the landmark paper's count of what they and one other timestamp lose.",
    "landmark_sum": "Theorem's sum: what the landmarks and one other timestamp spend.",
}
"""What the table shows of each setting, and can be sorted by."""

_NUMBER = r"\d+(?:[.,]\d*)?(?:e[+-]?\d+)?"
_RANGE = re.compile(rf"({_NUMBER})\s+to\s+({_NUMBER})\s+in\s+(\d+)", re.IGNORECASE)
_EXAMPLE = "numbers with spaces between them, such as 0.1 0.5 1, or a range, such as 0.1 to 10 in 9"


def typed_numbers(text: str, subject: str) -> list[float]:
    """The numbers of a list or of a range, which are evenly spread in their logarithm, to four digits.

    Raises
    ------
    InputError : a text that is neither, or a range of one number or of too many.

    Examples
    --------
    >>> typed_numbers("0,1 0.5; 2", "Epsilons"), typed_numbers("0.1 to 10 in 3", "Epsilons")
    ([0.1, 0.5, 2.0], [0.1, 1.0, 10.0])
    """
    found = _RANGE.fullmatch(text.strip())
    if found is None:
        parts = [part for part in re.split(r"[\s;]+|,\s+", text.strip()) if part]
        # 1,000 is a thousand to some and one to others
        unclear = any(not re.fullmatch(_NUMBER, part, re.IGNORECASE) or re.search(r",\d{3}$", part) for part in parts)
        if unclear:
            raise refused(subject, _EXAMPLE, text)
        return [_read(part) for part in parts]
    low, high, count = _read(found[1]), _read(found[2]), int(found[3])
    if not (0 < low < high < math.inf and 2 <= count <= MOST_IN_RANGE):
        what = f"a range from a number above 0 to a larger one, of 2 to {MOST_IN_RANGE} numbers"
        raise refused(subject, what, text)
    return [float(f"{value:.4g}") for value in np.geomspace(low, high, count)]


def _read(text: str) -> float:
    return float(text.replace(",", "."))


@dataclass(frozen=True, kw_only=True)
class Typed(Numbers):
    """Increasing numbers, given as a list or typed as a text; each counts once."""

    def check(self, value: Any) -> tuple[float, ...]:
        values = typed_numbers(value, self.label) if isinstance(value, str) else value
        return tuple(sorted(set(super().check(values))))

    def to_text(self, value: tuple[float, ...]) -> str:
        return " ".join(f"{number!r}".removesuffix(".0") for number in value)

    def from_text(self, text: str) -> str:
        return text


@dataclass(frozen=True, kw_only=True)
class Several(Kind):
    """One or more of several names, in the order of their meanings."""

    meanings: Mapping[str, str]

    def check(self, value: Any) -> tuple[str, ...]:
        if not isinstance(value, Iterable):
            raise refused(self.label, "a list of names", value)
        given = value.split() if isinstance(value, str) else list(value)
        for name in given:
            one_of(name, self.subject, self.meanings)
        if not given:
            raise InputError(f"{self.label} must have at least one name", value="none")
        return tuple(name for name in self.meanings if name in given)

    def to_text(self, value: tuple[str, ...]) -> str:
        return " ".join(value)

    def describe(self) -> dict[str, Any]:
        return super().describe() | {"choices": titled(self.meanings)}

    def from_text(self, text: str) -> str:
        return text


@dataclass(frozen=True, kw_only=True)
class Limit(Number):
    """A number that is not to be passed; None where there is no such condition."""

    def check(self, value: Any) -> float | None:
        return None if value is None else super().check(value)


def _kind(kind: Kind, default: Any) -> Any:
    return field(default=default, metadata={KIND: kind})


def _limit(label: str, subject: str, high: float, unit: str = "") -> Any:
    return _kind(Limit(label=label, subject=subject, low=0.0, high=high, unit=unit), None)


@dataclass(frozen=True)
class Asked(Choices):
    """Everything that the table is asked for.

    Attributes
    ----------
    schemes : keys of `SCHEMES`. epsilons : of each scheme, the targets of plans. radii_m : protection radii, metres.
    most_error_m, most_radius95_m, most_loss, most_landmark_loss : conditions, None for none.
    kept : the landmarks and any one other timestamp may spend at most epsilon together; so to begin with, as the least
        errors are of settings that break it.
    sort, falling : a key of `COLUMNS`, and whether the largest comes first.

    Raises
    ------
    InputError : names or numbers that are not allowed, and more than `MOST_SETTINGS` settings.

    Examples
    --------
    >>> asked = Asked(schemes="uniform event", epsilons="0.5 1", most_error_m=500.0)
    >>> asked.schemes, asked.epsilons, len(asked)
    (('event', 'uniform'), (0.5, 1.0), 28)
    >>> asked_of(query_of(asked)) == asked
    True
    """

    PAGE: ClassVar[str] = "table"
    ALWAYS_TOLD: ClassVar[tuple[str, ...]] = ("kept",)

    schemes: tuple[str, ...] = _kind(Several(label="Schemes", subject="scheme", meanings=SCHEMES), tuple(SCHEMES))
    epsilons: tuple[float, ...] = _kind(
        Typed(label="Epsilons", low=EPSILON_RANGE[0], high=EPSILON_RANGE[1], least=1, most=MOST_IN_RANGE),
        (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0),
    )
    radii_m: tuple[float, ...] = _kind(
        Typed(label="Radii", low=RADIUS_RANGE_M[0], high=RADIUS_RANGE_M[1], least=1, most=MOST_IN_RANGE),
        (50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0),
    )
    most_error_m: float | None = _limit("Mean error up to", "The most mean error", 20_000_000.0, "m")
    most_radius95_m: float | None = _limit("95 % radius up to", "The largest 95 % radius", 20_000_000.0, "m")
    most_loss: float | None = _limit("Largest loss up to", "The most loss", EPSILON_RANGE[1])
    most_landmark_loss: float | None = _limit("Landmarks lose up to", "The most loss of landmarks", EPSILON_RANGE[1])
    kept: bool = flag(True, "Keep the Theorem's sum within epsilon")
    sort: str = choice("error_m", COLUMNS, "Sorted by")
    falling: bool = flag(False, "Largest first")

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

    def form(self) -> dict[str, Any]:
        """The values as the page shows them: lists of numbers as texts, the other ones plain."""
        kinds = self.kinds()
        return {n: kinds[n].to_text(v) if isinstance(kinds[n], Typed) else v for n, v in self.to_dict().items()}


def query_of(asked: Asked) -> str:
    """What is asked for as a text of a scenario; "" where nothing differs from the beginning."""
    return "" if asked == Asked() else to_query(asked)


@lru_cache(maxsize=32)
def asked_of(text: str) -> Asked:
    """What a scenario's text asks for.

    Raises
    ------
    InputError : a text that does not hold it.

    Examples
    --------
    >>> asked_of("").kept, asked_of("page=table&most_loss=2.0").kept  # a text from before says nothing of `kept`
    (True, False)
    """
    return Asked().with_changes(**{"kept": not text, **from_query(text, Asked)})


def with_asked(scenario: Scenario, name: str, value: Any) -> Scenario:
    """The scenario with one choice of its table changed; sorting by the same column again turns the order round.

    Examples
    --------
    >>> asked_of(with_asked(Scenario(), "most_loss", 1.0).table_of).most_loss
    1.0
    """
    asked = asked_of(scenario.table_of)
    if name == "sort":
        changed = asked.with_changes(sort=value, falling=value == asked.sort and not asked.falling)
    else:
        changed = asked.with_changes(**{name: value})
    return scenario.with_changes(table_of=query_of(changed))


def gone(scenario: Scenario, to: Mapping[str, Any]) -> Scenario:
    """The scenario of a row or of a mark: its scheme, and its epsilon and radius where it has some.

    Parameters
    ----------
    to : "scheme", and perhaps "epsilon", which is the target of a plan, "radius_m", "mechanism" and "place_m".

    Examples
    --------
    >>> gone(Scenario(), {"scheme": "planned", "epsilon": 0.5}).target
    0.5
    """
    scheme = to["scheme"]
    named = {name: to.get(name) for name in ("radius_m", "mechanism", "place_m")}
    changed = scenario.with_changes(scheme=scheme)
    named[changed.spread.spent] = to.get("epsilon")
    changed = changed.with_changes(**{name: value for name, value in named.items() if value is not None})
    return changed.with_changes(mechanism="planar") if changed.spread.online else changed
