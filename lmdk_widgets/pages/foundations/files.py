"""What of the foundations page is saved as data: the part that is shown, as CSV."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.io import NOTE
from lmdk_widgets.io.tables import table_csv
from lmdk_widgets.pages.foundations.model import HOURS, SOURCES
from lmdk_widgets.pages.foundations.outcome import FoundationsOutcome
from lmdk_widgets.pages.foundations.scenes import steps
from lmdk_widgets.pages.foundations.stream import COUNTS

TABLE = "anonymised table"
"""What a published table is called in the name of its file: no simulation, and no differentially private release."""

TABLE_NOTE = f"{TABLE}: its rows hide among those of their class, and that is all they do"
"""What it says in each row."""

SEED_NOTE = f"{NOTE}; the noise can be computed from its seed, and the true values stand beside it"


def part_csv(outcome: FoundationsOutcome) -> str:
    """The numbers of the part that is shown; see the functions of this module for its columns."""
    return _PARTS[outcome.choices.part](outcome)


def published_csv(outcome: FoundationsOutcome) -> str:
    """A row for each person who is published: `class` from 1, the columns that an attacker knows as they are published, the
    sensitive value. Within a class rows are in the order of that value, so that their order tells nobody apart."""
    shown = outcome.shown
    release, table = shown.release, shown.table
    sensitive = table.columns[release.publishing.sensitive]
    people = np.flatnonzero(release.of_row >= 0).tolist()
    people.sort(key=lambda row: (int(release.of_row[row]), "" if sensitive[row] is None else str(sensitive[row])))
    published = [release.published(int(row)) for row in release.first]
    of_class = [int(release.of_row[row]) for row in people]
    columns: dict[str, Any] = {"class": [k + 1 for k in of_class]}
    for number, column in enumerate(release.publishing.quasi):
        columns[table.heads[column]] = [published[k][number] for k in of_class]
    columns[table.heads[release.publishing.sensitive]] = [sensitive[row] for row in people]
    return table_csv(columns, note=TABLE_NOTE)


def attack_csv(outcome: FoundationsOutcome) -> str:
    """The attack that is played: its steps in words.

    Raises
    ------
    InputError : where none is played.
    """
    scene = outcome.shown.scene if outcome.choices.part == "table" else None
    if scene is None:
        raise InputError("An attack must be played to be saved", value="none", remedy="Choose one below the classes")
    found = steps(outcome.shown.table, scene)
    columns = {"attack": [scene.name] * len(found), "step": [s.title for s in found], "said": [s.text for s in found]}
    return table_csv(columns, note=f"{NOTE}; it names people of the table: never publish it where they are real")


def _noise(outcome: FoundationsOutcome) -> str:
    """Each output that is drawn, with its probability, or density, for the two neighbouring inputs."""
    found = outcome.shown
    outputs = found.labels or found.outputs
    what = "density" if found.smooth else "probability"
    columns = {
        "output": outputs,
        f"{what} if {found.names[0]}": found.first,
        f"{what} if {found.names[1]}": found.second,
    }
    return table_csv(columns, note=NOTE)


def _stream(outcome: FoundationsOutcome) -> str:
    """Each hour: its true count, what the drawn level releases, and its epsilon under every level."""
    found = outcome.shown
    released = [None] * HOURS if found.released is None else found.released
    budgets = {f"epsilon_{level}": values for level, values in found.budgets.items()}
    columns = {"hour": range(1, HOURS + 1), "true_count": COUNTS, "released_count": released, **budgets}
    return table_csv(columns, note=SEED_NOTE)


def _adding(outcome: FoundationsOutcome) -> str:
    """Each release: its epsilon, whose data it is computed from, and in each row what all of them guarantee together."""
    choices, found = outcome.choices, outcome.shown
    n = len(choices.releases)
    together = {
        "epsilon_together": found.together,
        "epsilon_left": found.left,
        "epsilon_of_two_who_do_the_same": found.tied,
        "epsilon_of_a_family": found.family,
    }
    return table_csv(
        {
            "release": range(1, n + 1),
            "epsilon": choices.releases,
            "source": [list(SOURCES)[int(source)] for source in choices.sources],
            **{name: [value] * n for name, value in together.items()},
        },
        note=NOTE,
    )


_PARTS: dict[str, Callable[[FoundationsOutcome], str]] = {
    "table": published_csv,
    "noise": _noise,
    "stream": _stream,
    "adding": _adding,
}
