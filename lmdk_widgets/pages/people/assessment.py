"""An assessment for the file: what publishing a table would give away, what it would cost, and what else could be published.

    an outcome with all parts --assessment_of--> sections of claims, a table of five alternatives  -->  HTML, Markdown, Word

A claim is a sentence of the page with its assumption and the command that prints it again. The questions are those of
Opinion 05/2014 of the Article 29 Working Party. It is for the table's owner, says nothing about the law by itself, and names
nobody: who is most exposed is on the page only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.amounts import metres, whole
from lmdk_widgets.page.blocks import Block, Table, Text
from lmdk_widgets.page.glossary import GLOSSARY
from lmdk_widgets.page.law_words import LAW_WORDS
from lmdk_widgets.page.sentences import Sentence, sentence
from lmdk_widgets.page.words import settings_rows
from lmdk_widgets.pages.people.alternatives import Alternative, Answered, alternatives, answer, remaining
from lmdk_widgets.pages.people.counts_blocks import command as counts_command
from lmdk_widgets.pages.people.evaluate import PeopleOutcome
from lmdk_widgets.pages.people.model import scheme_text
from lmdk_widgets.pages.people.names_removed import WHAT
from lmdk_widgets.pages.people.options import MOST_CHANCE
from lmdk_widgets.pages.people.parts import FLAGS, PARTS, assess_command, command, release_command
from lmdk_widgets.pages.people.publishing import WRITE_CITY
from lmdk_widgets.pages.people.words import LOOKED_AT, headcount, of_100, warnings

ALTERNATIVES = "Five alternatives"
HEADS = ("published", "still gives away", "costs", "your limit")
TITLE = "May these people's tracks be published?"
MARK = "For the owner of the table only: computed from the true tracks. Do not publish it."
NOTE = "For the owner of the table only, do not share: computed from the true tracks. No legal advice."
WAITING = (
    "Being computed: {done} of {of} parts of the assessment are there. It takes a minute or two for a thousand people."
)
IN_THE_FILE = (
    "“Save” has the assessment as a page that prints, as Markdown and for Word: each sentence with what it assumes and the "
    "command that prints it again, the questions of Opinion 05/2014, who must be trusted, and the law’s words. No "
    "legal advice."
)
NO_ADVICE = (
    "This is no legal advice, and no whole data protection impact assessment: it has the numbers for one. It does not "
    "say why the data are needed, on which legal ground, or what the people were told. Whether data are personal data "
    "or anonymous is for the controller to decide and to defend; no number here decides it."
)
EACH = (
    "What is said above stands here in numbered sentences. "
    "Each comes with what it assumes and with the command that prints it again. Commands are run where the "
    "table is. The same version, table and settings give the same numbers."
)

ASSUMES: dict[str, str] = {
    "as-it-is": (
        "Without noise, whoever reads the table sees where people stay. Points that are known of a person are drawn at "
        "random among that person’s own."
    ),
    "names-removed": WHAT,
    "coarser": (
        "Names are removed, and places and times are published as cells and time slots only. Points are known to these. This "
        "has no guarantee."
    ),
    "linked": (
        "Home is the cell of most nights, work that of most working hours, by the clock of the table’s time zone. The other "
        "table tells the same two cells. This has no guarantee."
    ),
    "practices": (
        "The attacker knows what was done, which silences are a zone’s and when somebody is at home, and reads other places "
        "from what is published. A reader takes what is published as it is, and draws a straight line over what is left out."
    ),
    "scheme": (
        "Someone who knows when a person is at a place averages all reports made there. Each person is looked at "
        "alone. Numbers are expected over releases: in one, a few more or fewer are found."
    ),
    "useful": "A release is useful to a careful reader whose mean error is at most half of what it would be without it.",
    "promised": (
        "A promise holds against anybody, whatever else they know, for what it is about and for nothing else. It is kept by "
        "releases of “lmdk release” only; with each further release, epsilons add up."
    ),
    "options": sentence(
        "{looked_at} Only settings are offered with which at most {most_chance} of 100 guesses between equally likely "
        "possibilities may be right.",
        looked_at=LOOKED_AT,
        most_chance=of_100(MOST_CHANCE),
    ),
    "counts": (
        "One person is added to or removed from the table. The error is exact, over noise and cut, and computed from "
        "the true table: the limit on a person and the cells that look best are themselves a secret."
    ),
}
"""What the sentences of each part assume."""

TRUST = (
    "Whoever holds the table: the owner, and everybody who can read the file, its copies and its backups. No noise protects "
    "the table itself.",
    "Whoever makes the release, and the computer on which it is made. “lmdk release” draws its noise from the "
    "operating system and decides by whole numbers only.",
    "Whoever keeps the ledger of what was spent and its key: without it, the same people can be released again and again.",
    "Nobody else has to be trusted by the people in a private release: its promise holds whatever its readers know and do.",
)
LEFT = (
    "In our words, Opinion 05/2014 takes travel patterns of single people for personal data as long as anybody still has the "
    "original data, even with names removed; aggregate statistics are judged otherwise.",
    "Only the attacks named here were computed. Others may find more wherever there is no promise.",
    "Each person is looked at alone: what friends, households or colleagues tell of each other is not computed.",
    "Each alternative is assessed alone. Published together, or again later, they give away more: epsilons add up.",
    "Whether two private releases can be told to be of one person is not computed. Within one release, all reports of "
    "a person are linked, as they are in one track.",
    "What is already known or published about these people elsewhere is not in the table, and so not in these numbers.",
)


class Claim(NamedTuple):
    """A sentence, what it assumes, and the command that prints it again."""

    text: str
    assumes: str
    command: str


class Section(NamedTuple):
    """A part of the assessment. lead : below its heading. claims : its sentences with numbers. points : those without."""

    heading: str
    lead: str = ""
    claims: tuple[Claim, ...] = ()
    points: tuple[str, ...] = ()


class Assessment(NamedTuple):
    """All of it. answer : what may be published, and why. limit : the owner's. first, more : sections before and after the
    table of alternatives. commands : how a release is made: what, and the command. settings : what was asked. again : the
    command that writes the assessment again."""

    table: str
    limit: Sentence
    answer: Answered
    first: tuple[Section, ...]
    alternatives: tuple[Alternative, ...]
    more: tuple[Section, ...]
    commands: tuple[tuple[str, str], ...]
    settings: tuple[tuple[str, str], ...]
    again: str


def is_ready(outcome: PeopleOutcome) -> bool:
    """Whether all that an assessment needs is computed."""
    return all(part.ready(outcome) for part in PARTS.values())


def assessment_of(outcome: PeopleOutcome, file: str = "") -> Assessment:
    """The assessment of a table.

    Parameters
    ----------
    outcome : with all parts: the last one that `improve` yields where `assessed` is chosen.
    file : the path of the table for the commands; "": its name.

    Raises
    ------
    InputError : not all of it is computed yet.
    """
    if not is_ready(outcome):
        raise InputError(
            "An assessment must be computed before it is written", remedy="Open its tab, and wait until it is there"
        )
    said = {name: part.said(outcome) for name, part in PARTS.items()}

    def claim(name: str, at: int = 0, assumes: str = "") -> Claim:
        return Claim(said[name][at], ASSUMES[assumes or name], command(outcome, name, file))

    def claims(name: str) -> tuple[Claim, ...]:
        return tuple(claim(name, at) for at in range(len(said[name])))

    removed = claim("names-removed", 0), claim("names-removed", 1, "coarser")
    linked = claim("names-removed", 2, "linked")
    useful, found, promised = claim("scheme", 1, "useful"), claim("scheme", 2), claim("scheme", 3, "promised")
    in_metres = claim("scheme", 4, "useful")
    first = Section(
        "Why",
        EACH,
        (claim("as-it-is"), claim("practices", 2), claim("scheme"), claim("options"), *claims("counts")[:1]),
    )
    more = (
        Section("Singling out: can one person be told apart?", _question("singling out"), removed),
        Section("Linkability: can records be joined?", _question("linkability"), (linked,)),
        Section(
            "Inference: what can be concluded about a person?",
            _question("inference"),
            (found, promised, *claims("counts")[1:2]),
        ),
        Section("What is done today, one by one", "", claims("practices")[:2]),
        Section("What each costs", "", (useful, in_metres, *claims("counts")[2:])),
        Section("The schemes and the promise, in plain words", "", (), tuple(_in_plain_words(outcome))),
        Section("Who must be trusted", "", (), TRUST),
        Section("What remains at risk", "", (), (*LEFT, *warnings(outcome))),
    )
    return Assessment(
        outcome.table.said,
        limit_said(outcome),
        answer(outcome),
        (first,),
        alternatives(outcome),
        more,
        _release_commands(outcome, file),
        tuple((label, value) for label, value in settings_rows(outcome.choices, [*FLAGS])),
        assess_command(outcome, file),
    )


def assessment_blocks(outcome: PeopleOutcome, file: str = "") -> list[Block]:
    """The part of the page: what may be published, and the five alternatives."""
    if not outcome.choices.assessed:
        return []
    if not is_ready(outcome):
        done = sum(part.ready(outcome) for part in PARTS.values())
        return [Text(sentence(WAITING, done=whole(done), of=whole(len(PARTS))))]
    found = assessment_of(outcome, file)
    return [
        Text(found.answer.lead, "said"),
        *(Text(f"• {said}") for said in found.answer.remain),
        *map(Text, found.answer.why),
        Text(found.limit, "quiet"),
        Table.of_texts(ALTERNATIVES, HEADS, found.alternatives),
        Text(IN_THE_FILE, "quiet"),
    ]


def limit_said(outcome: PeopleOutcome) -> Sentence:
    """The limit, which is the owner's choice."""
    return sentence(
        "The limit is the owner’s choice: of 100 people, at most {most_of_100} may be expected to be found nearer than "
        "{distance} to a place where they stay.",
        most_of_100=headcount(outcome.choices.most_percent),
        distance=metres(outcome.choices.distance_m),
    )


def _question(name: str) -> str:
    """What a question of the opinion asks, in plain English."""
    return next(word.explained for word in LAW_WORDS if word.names[0] == name)


def _in_plain_words(outcome: PeopleOutcome) -> Iterator[str]:
    """What epsilon is, and each scheme that is spoken of."""
    yield f"Epsilon: {next(term.meaning for term in GLOSSARY if 'epsilon' in term.names)}"
    offered = () if outcome.options is None else outcome.options.offered
    yield from map(scheme_text, dict.fromkeys((outcome.choices.scheme, *(one.scheme for one in offered))))


def _release_commands(outcome: PeopleOutcome, file: str) -> tuple[tuple[str, str], ...]:
    """What makes the releases that remain."""
    made = [
        (one.said, counts_command(outcome, outcome.choices.with_changes(**one.changes)))
        if one.counts
        else (one.said, release_command(outcome, outcome.choices.with_changes(**one.changes), file))
        for one in remaining(outcome)
    ]
    city = [("The sample city as a file.", WRITE_CITY)] if made and outcome.choices.table == "city" else []
    return (*city, *made)
