"""The tables of the document on many people (`people.md`), from what is stored of the sample city."""

from __future__ import annotations

from collections.abc import Iterator

from lmdk_widgets.course.city import DISTANCES_M, cells, epsilon_for_share_of, expected, home_and_work, unicity
from lmdk_widgets.page.amounts import amount, bound, metres, percent

FOUND_HEAD = "| scheme | ε | within 50 m | 100 m | 200 m | 500 m | ε for 95 of 100, 200 m |"
ALONE_HEAD = "| cell | hours | one point | two | three | four | home and work |"
EPSILONS = (0.2, 1.0, 5.0)
TITLES = {"event": "event level", "uniform": "Uniform", "user": "user level"}
HOURS = (1, 6, 24)


def found_rows() -> Iterator[list[str]]:
    """The expected number of people who are found, of 1,000."""
    for scheme, title in TITLES.items():
        for epsilon in EPSILONS:
            numbers = [amount(expected(scheme, epsilon, distance)) for distance in DISTANCES_M]
            yield [title, amount(epsilon), *numbers, bound(epsilon_for_share_of(scheme), up=False)]


def alone_rows() -> Iterator[list[str]]:
    """The share of people whom known points single out."""
    for cell_m in cells():
        for hours in HOURS:
            pair = percent(home_and_work(cell_m)["pair"]) if hours == HOURS[0] else ""
            yield [metres(cell_m), str(hours), *map(percent, unicity(cell_m, hours)), pair]
