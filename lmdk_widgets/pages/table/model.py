"""What a user of the table page chooses, as one frozen value that survives JSON and a link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from lmdk_widgets.anonymity.all_attacks import PLAYABLE
from lmdk_widgets.page.choices import PageChoices
from lmdk_widgets.page.fields import PRIVACY, Slider, choice, flag, indices, number, numbers, whole
from lmdk_widgets.pages.table.table import MAX_COLUMNS

PARTS: dict[str, str] = {
    "table": "A table: who looks alike in what is published, and what attacks find.",
    "noise": "Noise: how much one output can change a belief, and what that costs.",
    "stream": "A stream: the count of a district over a day, and what is protected together.",
    "adding": "Adding up: what several releases guarantee together, and when they do not.",
    "sums": "Sums: what one extreme value changes, and what a limit on values costs.",
    "sequence": "A sequence: the same people published again and again, what links them, and remedies.",
}
"""The parts of the page, in order."""

TABLES: dict[str, str] = {
    "t1": "Six people at t1: where each of them is, and what they do.",
    "t2": "Six people at t2: the same people a moment later.",
    "adults": "4,000 adults: invented people with the columns of a census.",
    "own": "A table of your own: a CSV file that you upload.",
}
"""Tables that can be published."""

NO_ATTACK = "none"
PLAYS: dict[str, str] = {
    NO_ATTACK: "No attack: the release alone.",
    **{name: f"{name.capitalize()}: {attack.follows}" for name, attack in PLAYABLE.items()},
}
"""What is played on the release: the attacks, and the disclosures that they lead to."""

MECHANISMS: dict[str, str] = {
    "laplace": "Laplace: numbers with noise of scale sensitivity / ε.",
    "geometric": "Geometric: whole numbers with whole noise, the discrete counterpart of Laplace.",
    "gaussian": "Gaussian: numbers with normal noise, private at an ε with a δ above 0.",
    "exponential": "Exponential: the most visited district; each is the likelier, the more people are there.",
    "warner": "Randomised response, Warner: the truth with chance p, the opposite otherwise.",
    "two-coin": "Randomised response, two coins: heads, the truth; tails, a second coin decides what to say.",
    "many": "Randomised response, m answers: the true one with a larger chance than any other.",
    "truthfully-or-yes": "Truthfully or Yes: heads, the truth; tails, Yes. Not differentially private.",
}
"""Ways to randomise what is released."""

NOISES = ("laplace", "geometric", "gaussian")
"""Those that add noise to counts."""

SURVEYS = ("warner", "two-coin", "many", "truthfully-or-yes")
"""Those with which people answer for themselves."""

COUNTED: dict[str, str] = {
    "histogram": "Five counts: the people in each district.",
    "one": "One count: the people at Montmartre.",
}
"""What is released with noise."""

NEIGHBOURS: dict[str, str] = {
    "add": "Adding or removing: two tables differ by one person who is in only one of them.",
    "replace": "Replacing: two tables have the same people, one of whom is somewhere else.",
}
"""Which two tables must not be told apart."""

HOURS = 24
"""Timestamps of the stream."""

LEVELS: dict[str, str] = {
    "event": "Event: each hour has the whole budget.",
    "user": "User: the whole day shares one budget.",
    "window": "w-event: any w hours in a row share one budget.",
    "landmark": "Landmark: the landmarks and any other hour share one budget.",
    "discounted": "Discounted: hours count less the older they are.",
    "pan": "Pan-private: one count of the day, whose memory may be seized.",
}
"""What the stream protects together."""


def level_title(level: str) -> str:
    """The title of a level."""
    return LEVELS[level].split(": ", 1)[0]


CLICKS: dict[str, str] = {
    "intrusions": "An intrusion: an attacker reads the memory of the pan-private counter after that hour.",
    "landmarks": "A landmark: an hour that matters.",
}
"""What a click on an hour places or removes."""

QUERIES: dict[str, str] = {
    "count": "Count: how many people travelled more than 20 km.",
    "sum": "Sum: how far all people travelled in total.",
    "average": "Average: how far people travelled on average.",
    "maximum": "Maximum: the longest distance that a person travelled.",
    "quantile": "Nine in ten: the distance that nine in ten did not exceed, by the exponential mechanism.",
}
"""What is asked about the people who travelled."""
LONGEST_TRIP = 20_000.0
"""Kilometres; nobody on Earth is farther away."""

REMEDIES: dict[str, str] = {
    "none": "None: each release is made by itself, and its rows are in the same order.",
    "order": "Own order: each release is made by itself, and its rows are in an order of their own.",
    "earlier": "Earlier columns: what was published before counts as known, so the next release is coarser.",
    "classes": "Same classes: the classes of the first release stay, each with a place that all its people share.",
    "delayed": "Delayed: all three are published at t3, made as one table.",
}
"""How the same people are published at several times."""

SOURCES = ("everybody", "part 1", "part 2", "part 3")
"""Whom a release is made from; the parts have nobody in common."""
MAX_RELEASES = 8

DEFAULT = -1
"""As the sensitive column: the one that suits the table."""

_GROUPS = {
    "table": ("Table",),
    "noise": ("Privacy", "Noise", "Draw"),
    "stream": ("Privacy", "Stream", "Draw"),
    "adding": ("Adding up",),
    "sums": ("Privacy", "Sums", "Draw"),
    "sequence": ("Sequence",),
}
"""The headings of controls that each part has."""

OF_TABLE = ("quasi", "sensitive", "levels")
"""Choices about the columns of one table; with another table, they and the least class are reset."""

_LEAST = Slider(1, 20, step=1, backwards=True, ends=PRIVACY)
_C = Slider(0.5, 5, step=0.1, ends=("an even mixture", "any mixture"), backwards=False)


EPSILON_RANGE = (0.01, 20.0)
_EPSILON = Slider(0.05, 5, log=True, ends=PRIVACY)
_TRUTH = Slider(0.5, 1, step=0.01, ends=PRIVACY)
_PRIOR = Slider(0.01, 0.99, step=0.01, ends=("unlikely", "likely"))
_ANSWERS = Slider(2, 12, step=1, ends=("few", "many"))
_WINDOW = Slider(1, HOURS, step=1, ends=("one hour", "the day"))
_DISCOUNT = Slider(0, 1, step=0.01, ends=("only the newest counts", "all count"))
_BUDGET = Slider(0.5, 5, step=0.05, ends=PRIVACY)
_REPEATS = Slider(1, 1000, log=True, ends=("once", "often"))
_DELTA = Slider(1e-12, 0.1, log=True, ends=("surer promise", "smaller ε"))
_SIGMA = Slider(0.1, 20, log=True, ends=("little noise", "much noise"))
_TRIP = Slider(1, 5_000, log=True, ends=("near", "far"))
_LIMIT = Slider(1, 5_000, log=True, ends=("little noise", "little cut off"))
_TOGETHER = Slider(2, 6, step=1, ends=("few", "many"))
_WANTED = Slider(0.001, 0.2, log=True, ends=("exact", "rough"))


@dataclass(frozen=True, repr=False)
class TableChoices(PageChoices):
    """Everything that can be chosen on the page. Immutable; `with_changes` returns a changed copy.

    Attributes
    ----------
    part : what is shown, a key of `PARTS`.
    table : what is published, a key of `TABLES`.
    quasi : columns that an attacker knows, from 0; empty: those that suit the table.
    sensitive : the column to be hidden, from 0; -1: the one that suits the table.
    levels : how coarse each column is published, 0 for exact; columns beyond the end are exact. Empty: the levels that keep
        the most detail when every class has at least `least` people or is left out.
    least : k; classes with fewer people are left out.
    recursive_c : c of recursive diversity.
    attack : what is played on the release, a key of `PLAYS`.
    mechanism, counted, neighbours : of the part on noise, keys of `MECHANISMS`, `COUNTED` and `NEIGHBOURS`.
    epsilon : of the release, no unit; for Gaussian noise, the one at which delta is computed.
    sigma : standard deviation of Gaussian noise, in people.
    truth : Warner's p, the chance of a true answer. answers : m of randomised response.
    prior : what is believed before, a probability.
    wanted : the wanted standard error of a share, or chance of a wrong choice.
    level : of the part on a stream, whose release is drawn, a key of `LEVELS`.
    window : w. discount : gamma, how much an hour counts compared with the next one.
    clicks : what a click places, a key of `CLICKS`. landmarks, intrusions : hours from 0; an intrusion comes after its hour.
    announced : whether the publisher learns about intrusions. fresh : whether the output has noise of its own.
    budget : of the part on adding up, what all releases may cost. correlated : whether people depend on each other.
    repeats : how many times all releases are made, such as daily. delta : at which they are added up, besides the sum.
    releases : epsilon of each; 0: computed from the others. sources : whom each is made from, a position in `SOURCES`.
    query : of the part on sums, a key of `QUERIES`. far : how far Scrooge travelled, km. limit : what distances are cut to,
        km; clipped : whether they are.
    together : of the part on a sequence, k: people who must be alike in all releases. remedy : a key of `REMEDIES`.
    seed : of the noise.

    Examples
    --------
    >>> choices = TableChoices(table="adults", least=5)
    >>> TableChoices(**choices.to_dict()) == choices
    True
    """

    PAGE: ClassVar[str] = "table"

    part: str = choice("table", PARTS, "Part", "Part")
    table: str = choice("t1", TABLES, "Table", "Table")
    least: int = whole(
        1, (1, 1_000), "Smallest class", "Table", subject="The least class", unit="people", slider=_LEAST
    )
    recursive_c: float = number(2.0, (0.1, 100.0), "c of recursive diversity", "Table", subject="c", slider=_C)
    mechanism: str = choice("laplace", MECHANISMS, "Mechanism", "Noise")
    counted: str = choice("histogram", COUNTED, "Released", "Noise")
    neighbours: str = choice("add", NEIGHBOURS, "Neighbours", "Noise")
    epsilon: float = number(1.0, EPSILON_RANGE, "Epsilon", "Privacy", slider=_EPSILON)
    truth: float = number(0.75, (0.0, 1.0), "p: the truth is told", "Noise", subject="The probability p", slider=_TRUTH)
    sigma: float = number(1.0, (0.05, 1_000.0), "Sigma", "Noise", unit="people", slider=_SIGMA)
    answers: int = whole(5, (2, 50), "Answers m", "Noise", subject="The number of answers", slider=_ANSWERS)
    prior: float = number(0.5, (0.001, 0.999), "Belief before", "Noise", subject="The belief before", slider=_PRIOR)
    wanted: float = number(0.01, (1e-4, 0.5), "Wanted error", "Noise", subject="The wanted error", slider=_WANTED)
    level: str = choice("window", LEVELS, "Level drawn", "Stream")
    window: int = whole(3, (1, HOURS), "Window w", "Stream", unit="hours", slider=_WINDOW)
    discount: float = number(0.9, (0.0, 1.0), "Discount γ", "Stream", subject="The discount", slider=_DISCOUNT)
    clicks: str = choice("intrusions", CLICKS, "A click places", "Stream")
    announced: bool = flag(False, "Intrusions are announced", "Stream")
    fresh: bool = flag(True, "The output has noise of its own", "Stream")
    budget: float = number(1.0, (0.1, 100.0), "Budget", "Adding up", slider=_BUDGET)
    correlated: bool = flag(False, "The data are correlated", "Adding up")
    repeats: int = whole(30, (1, 10_000), "All releases made", "Adding up", unit="times", slider=_REPEATS)
    delta: float = number(1e-6, (1e-12, 0.5), "Delta", "Adding up", slider=_DELTA)
    releases: tuple[float, ...] = numbers((0.5, 0.25, 0.25, 0.0), (0.0, 100.0), "Releases", least=1, most=MAX_RELEASES)
    sources: tuple[float, ...] = numbers((0, 1, 2, 0), (0, len(SOURCES) - 1), "Sources", most=MAX_RELEASES)
    query: str = choice("sum", QUERIES, "Query", "Sums")
    limit: float = number(50.0, (1.0, LONGEST_TRIP), "Limit", "Sums", subject="The limit", unit="km", slider=_LIMIT)
    far: float = number(
        800.0,
        (0.0, LONGEST_TRIP),
        "Scrooge travelled",
        "Sums",
        subject="The distance that Scrooge travelled",
        unit="km",
        slider=_TRIP,
    )
    clipped: bool = flag(True, "Distances are cut to the limit", "Sums")
    together: int = whole(
        2,
        (2, 6),
        "Alike in all releases",
        "Sequence",
        subject="The number of people alike",
        unit="people",
        slider=_TOGETHER,
    )
    remedy: str = choice("none", REMEDIES, "Remedy", "Sequence")
    seed: int = whole(1, (0, 2**53 - 1), "Seed", "Draw")
    landmarks: tuple[int, ...] = indices("Landmarks", most=HOURS)
    intrusions: tuple[int, ...] = indices("Intrusions", most=HOURS)
    quasi: tuple[int, ...] = indices("Quasi-identifiers", most=MAX_COLUMNS)
    sensitive: int = whole(DEFAULT, (DEFAULT, MAX_COLUMNS - 1), "Sensitive column")
    levels: tuple[float, ...] = numbers((), (0, 9), "Levels", most=MAX_COLUMNS)
    attack: str = choice(NO_ATTACK, PLAYS, "Attack", "Table")

    def with_table(self, table: str) -> TableChoices:
        """Another table, with the columns that suit it."""
        start = self.defaults()
        return self.with_changes(table=table, **{name: start[name] for name in (*OF_TABLE, "least")})

    def told(self) -> Mapping[str, Any]:
        """The choices, without those about the columns of the user's own table."""
        found = dict(super().told())
        return {n: v for n, v in found.items() if self.table != "own" or n not in OF_TABLE}

    def of_part(self) -> list[str]:
        """The choices of the part shown, also those that only matter with others of its settings."""
        return [name for name, kind in self.kinds().items() if kind.group in _GROUPS[self.part]]

    def visible(self) -> list[str]:
        counts, survey = self.mechanism in NOISES, self.mechanism in SURVEYS
        conditions = {
            "counted": counts,
            "neighbours": not survey,
            "epsilon": self.part != "noise" or not survey or self.mechanism == "many",
            "truth": self.mechanism == "warner",
            "sigma": self.mechanism == "gaussian",
            "answers": self.mechanism == "many",
            "clipped": self.query in ("sum", "average", "maximum"),
            "limit": self.query != "count",
        }
        return ["part", *(name for name in self.of_part() if conditions.get(name, True))]
