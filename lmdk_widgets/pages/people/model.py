"""What a user of the people page chooses, as one frozen value that survives JSON and a link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from lmdk_widgets.budgets.schemes import SCHEMES
from lmdk_widgets.names import FixedSchemeName
from lmdk_widgets.page.amounts import whole as whole_number
from lmdk_widgets.page.choices import PageChoices
from lmdk_widgets.page.fields import PRIVACY, Slider, choice, flag, number, whole
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.practice.chosen_practice import RANGES, ROUNDING, ZONE
from lmdk_widgets.scenario.model import Scenario

TABLES: dict[str, str] = {
    "city": "The sample city: 1,000 invented people.",
    "own": "Your own table: each row has a person, a time and a place.",
}
"""Tables of people."""

RULES: dict[str, str] = {
    "stays": "Stays: wherever a person stays for a while is a landmark.",
    "none": "None: nobody has landmarks.",
}
"""Which timestamps of a person are landmarks."""

CHOSEN = ("event", "user", "window", "uniform", "weighted")
"""The schemes: how near a person is found is proportional to 1 / epsilon under each of them."""

DISTANCES_M = (50.0, 100.0, 200.0, 500.0)
"""The distances within which the expected number of people is shown, metres."""


def scheme_text(name: str) -> str:
    """Title and meaning of a scheme, with the window that it has on this page.

    Examples
    --------
    >>> scheme_text("window")
    'w-event uniform: any w timestamps in a row share one budget; w is 3 here.'
    """
    scheme = SCHEMES[name]
    if not scheme.windowed:
        return scheme.text
    window = whole_number(Scenario.defaults()["window"])
    return sentence("{scheme}; w is {n_window} here.", scheme=scheme.text.removesuffix("."), n_window=window)


COUNTED: dict[str, str] = {
    "presence": "Presence: people who were in each cell, in each time slot.",
    "trips": "Trips: people who went from one cell to another and stayed there.",
    "dwell": "Dwell: people who stayed in each cell, by how long they stayed.",
}
"""What is counted instead of publishing tracks."""

LEVELS: dict[str, str] = {
    "user": "A whole person: everything that a person did.",
    "window": "A day: what a person did in the time slots of any 24 hours, or in one longer slot.",
    "event": "One contribution: that a person adds 1 to one count.",
}
"""What of a person the counts protect."""

SLOTS: dict[str, str] = {
    "1": "1 h: each hour.",
    "6": "6 h: each quarter of a day.",
    "24": "1 day: each day.",
    "168": "7 days: each week.",
    "week": "Hours of the week: the same hours of all weeks together.",
}
"""The time slots of counts."""

EPSILON_RANGE = (1e-6, 1e4)
_EPSILON = Slider(0.01, 10, log=True, ends=PRIVACY)


@dataclass(frozen=True, repr=False)
class PeopleChoices(PageChoices):
    """Everything that can be chosen on the page. Immutable; `with_changes` returns a changed copy.

    Attributes
    ----------
    table : whose tracks are published, a key of `TABLES`.
    epsilon : the budget of each person, no unit.
    scheme : how each person's budget is spread, one of `CHOSEN`.
    rule : which timestamps are landmarks, a key of `RULES`.
    distance_m : a person found nearer than this counts as found, metres.
    most_percent : of all people, at most this share may be expected to be found, per cent.
    person : the person who is looked at, by position among the names in order, from 0; -1 for nobody.
    removed : whether what is left after names are removed is computed.
    cell_m, hours : the cells and hours in which points are told apart then.
    counts : whether counts instead of tracks are computed. counted, level, slot : keys of `COUNTED`, `LEVELS` and `SLOTS`.
    most : the most contributions of a person that count, to protect a whole person. count_cell_m : side of a cell, metres.
    assessed : whether all that an assessment needs is computed. zone_m : the radius of a zone, metres, and decimals : of a
        degree, to which places are rounded: what is done today, which an assessment compares.
    seed : of the random samples.

    Examples
    --------
    >>> choices = PeopleChoices(epsilon=0.2, scheme="event")
    >>> PeopleChoices(**choices.to_dict()) == choices
    True
    """

    PAGE: ClassVar[str] = "people"

    table: str = choice("city", TABLES, "Table", "Table")
    epsilon: float = number(1.0, EPSILON_RANGE, "Epsilon", "Privacy", slider=_EPSILON)
    scheme: FixedSchemeName = choice("uniform", {name: scheme_text(name) for name in CHOSEN}, "Scheme", "Privacy")
    rule: str = choice("stays", RULES, "Landmarks", "Privacy")
    distance_m: float = number(200.0, (10.0, 10_000.0), "Found means nearer than", "Limit", unit="m")
    most_percent: float = number(
        5.0, (0.1, 90.0), "Found at most", "Limit", subject="The share of people found", unit="of 100 people"
    )
    cell_m: float = number(
        1_000.0, (50.0, 50_000.0), "Side of a cell", "Names removed", unit="m", slider=Slider(100, 8_000, log=True)
    )
    hours: int = whole(1, (1, 168), "Time slot", "Names removed", unit="h")
    counted: str = choice("presence", COUNTED, "Count", "Counts")
    level: str = choice("user", LEVELS, "Protect", "Counts", subject="What counts protect")
    count_cell_m: float = number(
        1_000.0, (250.0, 50_000.0), "Cells of", "Counts", subject="The side of a cell", unit="m", slider=None
    )
    slot: str = choice("1", SLOTS, "Time slots", "Counts")
    most: int = whole(
        20,
        (1, 100_000),
        "Contributions of a person",
        "Counts",
        subject="The most contributions",
        slider=Slider(1, 200, log=True),
    )
    zone_m: float = number(
        400.0, RANGES[ZONE], "A zone of", "Assessment", subject="The radius of a zone", unit="m", slider=None
    )
    decimals: int = whole(3, RANGES[ROUNDING], "Decimals of a degree", "Assessment", slider=Slider(1, 5))
    seed: int = whole(1, (0, 2**53 - 1), "Seed", "Draw")
    removed: bool = flag(False, "Names removed")
    counts: bool = flag(False, "Counts")
    assessed: bool = flag(False, "Assessment")
    person: int = whole(-1, (-1, 2**31 - 1), "Person")

    def told(self) -> Mapping[str, Any]:
        """The choices without the person, who may be one of the user's own table."""
        return {name: value for name, value in super().told().items() if name != "person"}

    def visible(self) -> list[str]:
        of_counts = ("counted", "level", "count_cell_m", "slot", "most")
        whole = self.assessed
        hidden = (
            *(() if self.removed or whole else ("cell_m", "hours")),
            *(() if self.counts or whole else of_counts),
            *(() if whole else ("zone_m", "decimals")),
            *(() if self.level == "user" else ("most",)),  # otherwise nothing is limited
        )
        return [name for name in self.kinds() if name not in hidden]
