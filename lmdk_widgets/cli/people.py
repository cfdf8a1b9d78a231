"""`lmdk people`: what the page People says of a table of people, as text for the table's owner."""

from __future__ import annotations

import argparse
import math
import os
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.sentences import join, sentence
from lmdk_widgets.pages.people.model import CHOSEN, RULES
from lmdk_widgets.trajectory.words import printable

if TYPE_CHECKING:
    from lmdk_widgets.pages.people.evaluate import PeopleOutcome

EXPOSED = 5
WIDTH = 100

NUMBERS: tuple[tuple[str, type, float, str, str], ...] = (
    ("epsilon", float, 1.0, "E", "the budget of each person; default: 1"),
    ("distance", float, 200.0, "M", "found means nearer than this, in metres; default: 200"),
    ("most", float, 5.0, "N", "the limit: of 100 people, so many may be expected to be found; default: 5"),
    ("cell", float, 1_000.0, "M", "side of a known cell; default: 1000 m"),
    ("hours", int, 1, "H", "length of a known time; default: 1 hour"),
    ("seed", int, 1, "S", "of the points and people that are drawn; default: 1"),
)
"""Options that are numbers: name, type, default, letter and help."""


def add_people(commands: Any) -> None:
    """Add the command to `lmdk`."""
    command = commands.add_parser(
        "people",
        help="say what publishing a table of people tells of them, and which epsilon protects 95 of 100",
        description="Reads a table of people (a row for each person, time and place) and prints, for its owner only, what "
        "the page People shows: the verdict on a limit, how many people are expected to be found under a scheme, for how "
        "many a release is useful, the most exposed, and how many people a few known points single out after names are "
        "removed. Nothing is sent elsewhere. See docs/people.md.",
    )
    command.add_argument(
        "file",
        nargs="?",
        metavar="FILE",
        help="a CSV or Parquet file, a folder of them, or T-Drive, Cabspotting, Gowalla or Geolife as they are published; "
        "default: the sample city",
    )
    command.add_argument(
        "--scheme", choices=CHOSEN, default="uniform", help="how each person's budget is spread; default: uniform"
    )
    command.add_argument(
        "--rule",
        choices=tuple(RULES),
        default="stays",
        help="which timestamps are landmarks: one of each stay, or none; default: stays",
    )
    for name, kind, default, letter, what in NUMBERS:
        command.add_argument(f"--{name}", type=kind, default=default, metavar=letter, help=what)
    command.add_argument(
        "--timezone",
        default="",
        metavar="TZ",
        help="time zone where the people live, such as Europe/Paris: of times without one, of nights and of working hours",
    )
    command.add_argument(
        "--commands",
        type=Path,
        metavar="OUT",
        help="print nothing, and write a script that releases the track of each person with `lmdk release`, under the scheme "
        "and epsilon given; for the owner only",
    )
    command.set_defaults(run=_people)


def _people(options: argparse.Namespace) -> None:
    from lmdk_widgets.pages.people.evaluate import evaluate
    from lmdk_widgets.pages.people.model import PeopleChoices
    from lmdk_widgets.pages.people.tables import read_table_at

    choices = PeopleChoices(
        table="city" if options.file is None else "own",
        epsilon=options.epsilon,
        scheme=options.scheme,
        rule=options.rule,
        distance_m=options.distance,
        most_percent=options.most,
        cell_m=options.cell,
        hours=options.hours,
        seed=options.seed,
        removed=True,
    )
    table = None if options.file is None else read_table_at(options.file, timezone=options.timezone or None)
    if options.commands is not None:
        return _write_commands(options.commands, evaluate(choices, table))
    for paragraph in paragraphs(evaluate(choices, table)):
        for line in paragraph.split("\n"):
            print(textwrap.fill(line, WIDTH, subsequent_indent="  "), flush=True)
        print(flush=True)


def _write_commands(path: Path, outcome: PeopleOutcome) -> None:
    """Write the script with the command of each person, which only the user can read."""
    from lmdk_widgets.pages.people.publishing import release_script

    script = release_script(outcome, path.name, most=len(outcome))
    try:
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
            file.write(script)
    except OSError as error:
        raise InputError("OUT must be a new file", value=path.name, remedy=str(error.strerror)) from None
    print(f"The commands are in {path.name}: read its first lines, then run it with the table and a public region.")


def paragraphs(outcome: PeopleOutcome) -> Iterator[str]:
    """What is printed, a paragraph at a time; what takes longest comes last."""
    from lmdk_widgets.pages.people import words
    from lmdk_widgets.pages.people.names_removed import WHAT, removed_said

    yield words.FOR_THE_OWNER
    yield "\n".join([outcome.table.said, *words.warnings(outcome)])
    outcome = _bare(outcome)
    yield words.bare_said(outcome)
    yield words.under_said(outcome)
    _, found, promised = words.first_answers(outcome)
    yield "\n".join(filter(None, [found.sentence(), _exposed(outcome), promised.sentence()]))
    if outcome.removed is not None:
        yield "\n".join([WHAT, removed_said(outcome.removed, outcome.choices)])
    outcome = _computed(outcome)
    yield words.first_answers(outcome)[0].sentence()
    yield join([words.helps(outcome), words.offers(outcome), words.LOOKED_AT], " ")
    yield words.ASSUMPTION


def _bare(outcome: PeopleOutcome) -> PeopleOutcome:
    """The same with whom the table singles out as it is, and with names removed."""
    from lmdk_widgets.pages.people.evaluate import improve

    return next(better for better in improve(outcome) if better.removed is not None and better.removed.alone)


def _computed(outcome: PeopleOutcome) -> PeopleOutcome:
    """The same with the usefulness on the whole sample, and with what would meet the limit."""
    from lmdk_widgets.pages.people.evaluate import improve

    *_, found = improve(replace(outcome, choices=outcome.choices.with_changes(removed=False)))
    return found


def _exposed(outcome: PeopleOutcome) -> str:
    """The people who are found best."""
    from lmdk_widgets.pages.people.words import found_text

    named = join(
        sentence(
            "{name} to within {found_here}",
            name=printable(str(outcome.people.names[k]), 40),
            found_here=found_text(float(outcome.found_m[k])),
        )
        for k in outcome.nearest_first[:EXPOSED]
        if math.isfinite(outcome.found_m[k])
    )
    return sentence("Most exposed, in half of all releases: {named}.", named=named) if named else ""
