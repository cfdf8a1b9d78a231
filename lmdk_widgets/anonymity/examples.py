"""Example tables: the running example of six people at two timestamps, and a table of invented adults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lmdk_widgets.checks import one_of
from lmdk_widgets.errors import library
from lmdk_widgets.trajectory.samples import data_folder

if TYPE_CHECKING:
    import pandas as pd

PEOPLE = (("Donald", 27), ("Daisy", 25), ("Huey", 12), ("Dewey", 11), ("Louie", 10), ("Quackmore", 62))
WHERE = {
    "t1": (
        ("Le Marais", "at work"),
        ("Belleville", "driving"),
        ("Montmartre", "running"),
        ("Montmartre", "at home"),
        ("Latin Quarter", "walking"),
        ("Opéra", "dining"),
    ),
    "t2": (
        ("Montmartre", "driving"),
        ("Montmartre", "at the mall"),
        ("Latin Quarter", "sightseeing"),
        ("Opéra", "walking"),
        ("Latin Quarter", "at home"),
        ("Montmartre", "biking"),
    ),
}
DISTRICTS = ("Le Marais", "Belleville", "Montmartre", "Latin Quarter", "Opéra")
CITY = {district: "Paris" for district in DISTRICTS}
"""The districts of the running example in one city, as a hierarchy for `generalise`."""


def example_names() -> tuple[str, ...]:
    """The names that `example_table` takes."""
    return (*WHERE, "adults")


def example_table(name: str) -> pd.DataFrame:
    """An example table, a new DataFrame each time.

    Parameters
    ----------
    name : "t1" and "t2", six people with name, age, location and status at two timestamps; "adults", 4,000 invented
        adults with age, workclass, education, marital_status, occupation, sex, hours_per_week and income.

    Raises
    ------
    InputError : another name.

    Notes
    -----
    Nobody in these tables exists. The running example is that of M. Katsomallos's thesis. The adults have columns like
    those of the well-known Adult data set and plausible shares, and are made by `data/adults.py` from a seed.

    Examples
    --------
    >>> from lmdk_widgets.anonymity import generalise, k_anonymity
    >>> table = example_table("t1")
    >>> public = generalise(generalise(table, "age", bands=[20]), "location", hierarchy=CITY)
    >>> k_anonymity(table, ["age", "location"]), k_anonymity(public, ["age", "location"])
    (1, 3)
    """
    pd = library("pandas", "A table")

    if one_of(name, "the name of an example table", example_names()) == "adults":
        return pd.read_csv(data_folder() / "adults.csv")
    rows = [(*person, *where) for person, where in zip(PEOPLE, WHERE[name], strict=True)]
    return pd.DataFrame(rows, columns=["name", "age", "location", "status"])
