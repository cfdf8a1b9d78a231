"""`lmdk people`: what the release of a table of people would tell of them, as text for the table's owner."""

from __future__ import annotations

import argparse
import math
import os
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from lmdk_widgets.budgets.schemes import FIXED_SCHEMES, SCHEMES
from lmdk_widgets.checks import positive
from lmdk_widgets.page.amounts import amount, bound, count, metres, percent, whole
from lmdk_widgets.page.sentences import join, sentence
from lmdk_widgets.trajectory.words import printable

if TYPE_CHECKING:
    from lmdk_widgets.population import People

DISTANCES_M = (50.0, 100.0, 200.0, 500.0)
KNOWN = (1, 2, 3, 4)
MOST_SHARE = 0.05
"""At most this share of the people may be expected to be found: 95 of 100 are not."""

EXPOSED = 5
WIDTH = 100
OWNER = "For the owner of the table only: everything here is computed from the true places."
CHOSEN = "It is chosen by looking at the data: whoever learns it learns a little about them."
CITY = "The sample city, which is made up"


def add_people(commands: Any) -> None:
    """Add the command to `lmdk`."""
    command = commands.add_parser(
        "people",
        help="say what publishing a table of people tells of them, and which epsilon protects 95 of 100",
        description="Reads a table of people (a row for each person, time and place) and prints, for its owner only: how "
        "many people are expected to be found under a scheme, the most exposed, the epsilon for 95 of 100, and how many "
        "people a few known points single out after names are removed. Nothing is sent elsewhere. See docs/people.md.",
    )
    command.add_argument(
        "file",
        nargs="?",
        metavar="FILE",
        help="a CSV or Parquet file, a folder of them, or T-Drive, Cabspotting, Gowalla or Geolife as they are published; "
        "default: the sample city",
    )
    command.add_argument(
        "--scheme",
        choices=FIXED_SCHEMES,
        default="uniform",
        help="how each person's budget is spread; default: uniform",
    )
    command.add_argument(
        "--epsilon", type=float, default=1.0, metavar="E", help="the budget of each person; default: 1"
    )
    command.add_argument(
        "--rule",
        choices=("stays", "none"),
        default="stays",
        help="which timestamps are landmarks: one of each stay, or none; default: stays",
    )
    command.add_argument(
        "--distance",
        type=float,
        default=200.0,
        metavar="M",
        help="found means nearer than this, in metres; default: 200",
    )
    command.add_argument(
        "--cell", type=float, default=1_000.0, metavar="M", help="side of a known cell; default: 1000 m"
    )
    command.add_argument(
        "--hours", type=float, default=1.0, metavar="H", help="length of a known time; default: 1 hour"
    )
    command.add_argument("--seed", type=int, default=1, metavar="S", help="of the points that are drawn; default: 1")
    command.add_argument(
        "--timezone", default="", metavar="TZ", help="time zone for times without one, such as Europe/Paris"
    )
    command.set_defaults(run=_people)


def _people(options: argparse.Namespace) -> None:
    from lmdk_widgets.population import People, sample_city

    positive(options.epsilon, "--epsilon")
    positive(options.distance, "--distance")
    table = sample_city() if options.file is None else options.file
    people = People(table, rule=options.rule, timezone=options.timezone or None)
    name = CITY if options.file is None else printable(os.path.basename(os.path.normpath(options.file)), 60)
    for paragraph in paragraphs(people, options, name):
        for line in paragraph.split("\n"):
            print(textwrap.fill(line, WIDTH, subsequent_indent="  "), flush=True)
        print(flush=True)


def paragraphs(people: People, options: argparse.Namespace, name: str) -> Iterator[str]:
    """What is printed, a paragraph at a time; the names that others have left come last, as they take longest."""
    yield OWNER
    yield "\n".join([_table(people, name), *people.notices])
    expected = people.expected_found(options.scheme, options.epsilon, [*DISTANCES_M, options.distance])
    yield _verdict(people, options, float(expected[-1]))
    yield "\n".join([_found(people, expected[:-1]), _exposed(people, options)])
    yield _epsilon(people, options)
    yield _removed(people, options)


def _table(people: People, name: str) -> str:
    return sentence(
        "{table}: {n_reports} of {n_people}.",
        table=name,
        n_reports=count(int(people.reports.sum()), "report"),
        n_people=_people_of(len(people)),
    )


def _people_of(number: int) -> str:
    return sentence("{n} person" if number == 1 else "{n} people", n=whole(number))


def _verdict(people: People, options: argparse.Namespace, expected: float) -> str:
    """Whether more people are expected to be found than may be."""
    most = MOST_SHARE * len(people)
    meets = expected <= most * (1 + 1e-9)
    return sentence(
        "{verdict} under {scheme} with epsilon {epsilon}. Expected to be found nearer than {distance}: {expected_here} of "
        "{n_people}; {most_allowed} may be.",
        verdict="Meets the limit" if meets else "Does not meet the limit",
        scheme=SCHEMES[options.scheme].title,
        epsilon=amount(options.epsilon),
        expected_here=amount(expected),
        n_people=_people_of(len(people)),
        distance=metres(options.distance),
        most_allowed=amount(most),
    )


def _found(people: People, expected: Any) -> str:
    others = join(
        sentence("{expected} within {within}", expected=amount(float(number)), within=metres(at))
        for number, at in zip(expected, DISTANCES_M, strict=True)
    )
    return sentence("Expected number of people found: {others}.", others=others)


def _exposed(people: People, options: argparse.Namespace) -> str:
    """The people who are found best."""
    found = people.most_exposed(options.scheme, options.epsilon, EXPOSED)
    named = join(
        sentence("{name} to within {found_here}", name=printable(name, 40), found_here=metres(off))
        for name, off in found
        if math.isfinite(off)
    )
    if not named:
        return "Nobody has a place of at least five reports: averaging finds nobody here; other attacks may."
    never = int(np.isinf(people.found(options.scheme, options.epsilon)).sum())
    rest = sentence(" {n_never} without a lasting place: not found by averaging.", n_never=_people_of(never))
    return sentence("Most exposed, in half of all releases: {named}.{rest}", named=named, rest=rest if never else "")


def _epsilon(people: People, options: argparse.Namespace) -> str:
    """The epsilon for 95 of 100."""
    found = people.epsilon_for(MOST_SHARE, options.distance, options.scheme)
    if math.isinf(found) or not found:
        text = "No epsilon under {scheme} finds more." if found else "No epsilon under {scheme} protects 95 of 100."
        return sentence(text, scheme=SCHEMES[options.scheme].title)
    return sentence(
        "Epsilon for {kept_percent} of the people not found nearer than {distance}: {epsilon_for} under {scheme}. {chosen}",
        kept_percent=percent(1 - MOST_SHARE),
        distance=metres(options.distance),
        epsilon_for=bound(found, up=False),
        scheme=SCHEMES[options.scheme].title,
        chosen=CHOSEN,
    )


def _removed(people: People, options: argparse.Namespace) -> str:
    """What is left of privacy if names are removed and nothing else is done."""
    how = {"cell_m": options.cell, "hours": options.hours}
    alone = [people.unicity(k, **how, rng=np.random.default_rng(options.seed)) for k in KNOWN]
    shares = join(
        sentence("{k} {alone}", k=count(k, "point"), alone=percent(share))
        for k, share in zip(KNOWN, alone, strict=True)
    )
    pair = people.home_and_work(options.cell)
    lines = [
        sentence(
            "Names removed, places left as they are: somebody who knows points of a person, to {cell} and {hours}, singles "
            "out this share of the people. {shares}.",
            cell=metres(options.cell),
            hours=sentence("{hours} h", hours=amount(options.hours)),
            shares=shares,
        ),
        "Nobody has both a home and a place of work here."
        if math.isnan(pair)
        else sentence(
            "Home and work, known to {cell}, single out {pair} of those who have both.",
            cell=metres(options.cell),
            pair=percent(pair),
        ),
    ]
    return "\n".join(lines)
