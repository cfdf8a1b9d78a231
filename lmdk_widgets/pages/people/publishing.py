"""What may be published instead of the table: the settings that meet the limit, what each costs, and how a release is made.

The page makes no release. `lmdk release` makes that of one person, with exact noise and a ledger, so what the page gives
for a table is a script with a command for each person.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

import numpy as np

from lmdk_widgets.budgets.schemes import SCHEMES
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.amounts import amount
from lmdk_widgets.page.answers import guesses, promised
from lmdk_widgets.page.blocks import Block, Column, Table, Text
from lmdk_widgets.page.index_runs import runs
from lmdk_widgets.pages.people.evaluate import PeopleOutcome
from lmdk_widgets.pages.people.words import LOOKED_AT, LOOKING, headcount, kept_whole, of_100, offers
from lmdk_widgets.scenario.model import Scenario

MOST_COMMANDS = 2_000
"""The most people in a script that the page makes: each person's stays take some milliseconds."""

NOT_HERE = (
    "Nothing on this page is a release: its numbers and files are for the table's owner. No command here releases a whole "
    "table at once. “lmdk release” releases one person's track, with exact noise and a ledger of what was spent; “Save” has "
    "a script with that command for each person, under the settings chosen."
)
SCRIPT = """#!/bin/sh
# For the owner of the table only, do not share: it holds {what}.
# A private release of each person's track, one after another: sh {name} TABLE SOUTH,WEST,NORTH,EAST
# The region is published: it must be public, and not chosen by looking at the table.
# {looked_at}
# The folders are numbered in random order. Which number is whose is written here only.
{before}set -eu
TABLE=${{1:?Name the table}}
REGION=${{2:?Name the public region in degrees: SOUTH,WEST,NORTH,EAST}}
release() {{
  lmdk release "$TABLE" --region="$REGION" {how} --person "$1" --subject "$1" --out "releases/$2" --landmarks "${{3-}}"
}}
"""


def publishing_blocks(outcome: PeopleOutcome) -> list[Block]:
    """The part of the page."""
    options = outcome.options
    if options is None or not options.known:
        return [Text(LOOKING), Text(NOT_HERE, "quiet")]
    return [Text(offers(outcome)), options_table(outcome), Text(LOOKED_AT, "quiet"), Text(NOT_HERE)]


def options_table(outcome: PeopleOutcome) -> Table:
    """Each scheme at the largest epsilon that meets the limit; a click on a row uses it."""
    options, choices = outcome.options, outcome.choices
    tried = () if options is None else options.all
    columns = (
        Column("scheme", "scheme", lambda name: SCHEMES[name].title),
        Column("epsilon", "largest epsilon", amount, "right"),
        Column("expected_people", "people found, expected", headcount, "right"),
        Column("useful_of_100", "useful, of 100", of_100, "right"),
        Column("useful_low", "from", of_100, "right"),
        Column("useful_high", "to", of_100, "right"),
        Column("guesses_of_100", "promised", lambda chance: promised(chance)[0], "right"),
    )
    rows = tuple(
        (
            one.scheme,
            one.epsilon,
            float(outcome.people.expected_found(one.scheme, one.epsilon, (choices.distance_m,))[0]),
            one.useful.share,
            one.useful.low,
            one.useful.high,
            guesses(one.epsilon),
        )
        for one in tried
    )
    acts = tuple({"op": "option", "scheme": one.scheme, "epsilon": one.epsilon} for one in tried)
    return Table("What meets the limit", columns, rows, acts=acts, signs=("",) * len(rows))


def release_script(outcome: PeopleOutcome, name: str, most: int = MOST_COMMANDS) -> str:
    """A shell script with the command of each person's private release, in random order.

    Parameters
    ----------
    outcome : with the scheme and the epsilon. name : of the script's file. most : the most people.

    Raises
    ------
    InputError : too many people.
    """
    n, choices, table = len(outcome), outcome.choices, outcome.table
    if n > most:
        remedy = f"Run: lmdk people FILE --commands {name}"
        raise InputError(
            f"A script of the page must be for at most {most:,} people", value=f"{n:,} people", remedy=remedy
        )
    scheme, settings = SCHEMES[choices.scheme], Scenario.defaults()
    how = ["--scheme", scheme.name, "--epsilon", f"{choices.epsilon:.12g}", "--radius", f"{settings['radius_m']:.12g}"]
    how += ["--window", str(settings["window"])] if scheme.windowed else []
    how += ["--timezone", table.zone] if table.zone else []
    before = f"[ -e city.csv ] || {WRITE_CITY}\n" if choices.table == "city" else ""
    told = "the timestamps that matter to each person" if _has_landmarks(outcome) else "the names of the people"
    return SCRIPT.format(what=told, name=name, looked_at=LOOKED_AT, before=before, how=shlex.join(how)) + "".join(
        f"{line}\n" for line in _commands(outcome)
    )


WRITE_CITY = (
    "python -c \"from lmdk_widgets.population import sample_city; sample_city().to_csv('city.csv', index=False)\""
)


def _has_landmarks(outcome: PeopleOutcome) -> bool:
    """Whether the budgets depend on which timestamps are landmarks."""
    choices = outcome.choices
    return choices.rule != "none" and SCHEMES[choices.scheme].keeps == "Theorem" and not kept_whole(outcome)


def _commands(outcome: PeopleOutcome) -> Iterator[str]:
    people, marked = outcome.people, _has_landmarks(outcome)
    number = np.random.default_rng().permutation(len(people)) + 1  # not by name, which would say who is who
    width = len(str(len(people)))
    for name, at in zip(people.drawn(len(people), rng=np.random.default_rng(0)), number.tolist(), strict=True):
        marks = runs(people.track(name).landmarks) if marked else []
        listed = ",".join(f"{a + 1}-{b + 1}" if b > a else str(a + 1) for a, b in marks)
        yield shlex.join(["release", name, f"{at:0{width}d}", *([listed] if listed else [])])
