"""`lmdk people`: what the page People says of a table, as text for its owner; `lmdk assess`: an assessment of the table."""

from __future__ import annotations

import argparse
import math
import os
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lmdk_widgets.errors import InputError, library
from lmdk_widgets.page.sentences import join, sentence
from lmdk_widgets.pages.people.model import CHOSEN, COUNTED, LEVELS, RULES, SLOTS
from lmdk_widgets.pages.people.parts import FLAGS, PARTS, computed
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


OF_COUNTS: tuple[tuple[str, type, float, str, str], ...] = (
    ("count-cell", float, 1_000.0, "M", "side of a cell in which people are counted; default: 1000 m"),
    ("contributions", int, 20, "N", "the most contributions of a person, to protect a whole person; default: 20"),
)
OF_TODAY: tuple[tuple[str, type, float, str, str], ...] = (
    ("zone", float, 400.0, "M", "radius of a zone around each home; default: 400 m"),
    ("decimals", int, 3, "N", "decimals of a degree to which places are rounded; default: 3"),
)


WRITTEN = "assessment.html"
SUFFIXES = (".html", ".md", ".docx")


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
    add_table(command)
    command.add_argument(
        "--only",
        choices=tuple(PARTS),
        metavar="PART",
        help=f"print one part only: {', '.join(PARTS)}; practices (what is done today) and counts are only printed so",
    )
    command.add_argument(
        "--commands",
        type=Path,
        metavar="OUT",
        help="print nothing, and write a script that releases the track of each person with `lmdk release`, under the scheme "
        "and epsilon given; for the owner only",
    )
    command.set_defaults(run=_people)


def add_table(command: argparse.ArgumentParser) -> None:
    """Add the table and the choices of the page People."""
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
    counts = command.add_argument_group("counts instead of tracks")
    counts.add_argument(
        "--count", choices=tuple(COUNTED), default="presence", help="what is counted; default: presence"
    )
    counts.add_argument(
        "--protect",
        choices=tuple(LEVELS),
        default="user",
        help="a whole person, a day, or one contribution; default: user",
    )
    counts.add_argument(
        "--slot", choices=tuple(SLOTS), default="1", help="hours of a time slot, or of a week; default: 1"
    )
    today = command.add_argument_group("what is done today")
    for group, numbers in ((counts, OF_COUNTS), (today, OF_TODAY)):
        for name, kind, default, letter, what in numbers:
            group.add_argument(f"--{name}", type=kind, default=default, metavar=letter, help=what)


def outcome_of(options: argparse.Namespace, **more: bool) -> PeopleOutcome:
    """What follows at once from the options, and from `more` choices."""
    from lmdk_widgets.pages.people.evaluate import evaluate
    from lmdk_widgets.pages.people.model import PeopleChoices
    from lmdk_widgets.pages.people.tables import read_table_at

    told: dict[str, Any] = {name: getattr(options, flag.replace("-", "_")) for name, flag in FLAGS.items()}
    choices = PeopleChoices(table="city" if options.file is None else "own", **told | more)
    table = None if options.file is None else read_table_at(options.file, timezone=options.timezone or None)
    return evaluate(choices, table)


def _people(options: argparse.Namespace) -> None:
    outcome = outcome_of(options, removed=True)
    if options.commands is not None:
        return _write_commands(options.commands, outcome)
    for paragraph in paragraphs(outcome) if options.only is None else part_said(outcome, options.only):
        for line in paragraph.split("\n"):
            print(textwrap.fill(line, WIDTH, subsequent_indent="  "), flush=True)
        print(flush=True)


def part_said(outcome: PeopleOutcome, name: str) -> Iterator[str]:
    """What is printed of one part."""
    from lmdk_widgets.pages.people import words

    yield words.FOR_THE_OWNER
    yield from PARTS[name].said(computed(outcome, name))


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
    from lmdk_widgets.pages.people.evaluate import improve
    from lmdk_widgets.pages.people.names_removed import WHAT, removed_said

    yield words.FOR_THE_OWNER
    yield "\n".join([outcome.table.said, *words.warnings(outcome)])
    outcome = next(better for better in improve(outcome) if better.removed is not None and better.removed.alone)
    yield words.bare_said(outcome)
    yield words.under_said(outcome)
    _, found, promised = words.first_answers(outcome)
    yield "\n".join(filter(None, [found.sentence(), _exposed(outcome), promised.sentence()]))
    if outcome.removed is not None:
        yield "\n".join([WHAT, removed_said(outcome.removed, outcome.choices)])
    outcome = computed(outcome, "options")
    yield words.first_answers(outcome)[0].sentence()
    yield join([words.helps(outcome), words.offers(outcome), words.LOOKED_AT], " ")
    yield words.ASSUMPTION


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


def add_assess(commands: Any) -> None:
    """Add the command to `lmdk`."""
    command = commands.add_parser(
        "assess",
        help="write an assessment of a table of people: what may be published, and why",
        description="Reads a table of people as `lmdk people` does, and writes for its owner what publishing it would give "
        "away: "
        "the table as it is, zones and rounding, a scheme, counts, or nothing, each with its cost; the questions of Opinion "
        "05/2014 (singling out, linkability, inference); every sentence with its assumption and the command that prints it "
        "again. It takes minutes for a thousand people, sends nothing elsewhere, and is no legal advice. See docs/people.md.",
    )
    add_table(command)
    command.add_argument(
        "--out",
        type=Path,
        action="append",
        metavar="OUT",
        help="a new file that ends in .html, .md or .docx (for Word); may be given several times; default: assessment.html",
    )
    command.set_defaults(run=_assess)


def _assess(options: argparse.Namespace) -> None:
    paths = [_new(path) for path in options.out or [Path(WRITTEN)]]
    from lmdk_widgets.pages.people.assessment import assessment_of
    from lmdk_widgets.pages.people.assessment_files import FOR_WORD, WRITERS
    from lmdk_widgets.pages.people.evaluate import improve

    if any(path.suffix == ".docx" for path in paths):
        library("docx", FOR_WORD)  # before minutes of work
    outcome = outcome_of(options, assessed=True)
    for better in improve(outcome):
        outcome = better
    found = assessment_of(outcome, options.file or "")
    for path in paths:
        content = WRITERS[path.suffix](found)
        try:
            with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                file.write(content)
        except OSError as error:
            raise InputError("OUT must be a new file", value=path.name, remedy=str(error.strerror)) from None
    print(found.answer.lead, *(f"- {one}" for one in found.answer.remain), *found.answer.why, sep="\n")
    print(f"The assessment is in {', '.join(path.name for path in paths)}. It is for the owner of the table only.")


def _new(path: Path) -> Path:
    """The path, if an assessment can be written there."""
    if path.suffix not in SUFFIXES:
        raise InputError(f"OUT must end in {', '.join(SUFFIXES)}", value=path.name)
    if path.exists():
        raise InputError("OUT must be a new file", value=path.name, remedy="Name another one, or remove it")
    return path
