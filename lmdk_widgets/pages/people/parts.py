"""What is said of a table in parts, each of which can be computed and printed alone, by one command.

choices --a part's stages--> an outcome  -->  its sentences, which are those of the page
                                         -->  `lmdk people FILE --only PART`, which prints them again
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import NamedTuple

from lmdk_widgets.pages.people.counts_blocks import counts_promise, needed, other_settings
from lmdk_widgets.pages.people.evaluate import STAGES, PeopleOutcome
from lmdk_widgets.pages.people.model import PeopleChoices
from lmdk_widgets.pages.people.names_removed import coarser_said, linked_said, removed_said, wanted
from lmdk_widgets.pages.people.tables import SAMPLE
from lmdk_widgets.pages.people.today import practices_of
from lmdk_widgets.pages.people.today_words import practice_said
from lmdk_widgets.pages.people.words import bare_said, first_answers, offers, under_said, useful_in_metres

FLAGS: dict[str, str] = {
    "scheme": "scheme",
    "epsilon": "epsilon",
    "rule": "rule",
    "distance_m": "distance",
    "most_percent": "most",
    "cell_m": "cell",
    "hours": "hours",
    "counted": "count",
    "level": "protect",
    "count_cell_m": "count-cell",
    "slot": "slot",
    "most": "contributions",
    "zone_m": "zone",
    "decimals": "decimals",
    "seed": "seed",
}
"""What the command line calls each choice."""


class Part(NamedTuple):
    """A part. depends : the choices on which its sentences depend. stages : of what takes longer, those that it needs.
    ready : whether an outcome has all of it. said : its sentences."""

    depends: tuple[str, ...]
    stages: tuple[str, ...]
    ready: Callable[[PeopleOutcome], bool]
    said: Callable[[PeopleOutcome], list[str]]


def _names_removed_ready(outcome: PeopleOutcome) -> bool:
    return outcome.removed is not None and set(wanted(outcome.choices)) <= set(outcome.removed.alone)


def _names_removed(outcome: PeopleOutcome) -> list[str]:
    assert outcome.removed is not None
    found, choices = outcome.removed, outcome.choices
    return [removed_said(found, choices), coarser_said(found, choices), linked_said(found, choices)]


def _counts(outcome: PeopleOutcome) -> list[str]:
    assert outcome.counted is not None
    found = outcome.counted
    if found.here is None:
        return [found.refused]
    return [needed(found.here, found.streamed), counts_promise(outcome.choices), *other_settings(found)]


def _scheme(outcome: PeopleOutcome) -> list[str]:
    answers = (answer.sentence() for answer in first_answers(outcome))
    return [under_said(outcome), *answers, useful_in_metres(outcome)]


def _sample_done(outcome: PeopleOutcome) -> bool:
    return outcome.useful is not None and outcome.useful.people >= min(SAMPLE, len(outcome))


PARTS: dict[str, Part] = {
    "as-it-is": Part(
        ("most_percent", "cell_m", "hours", "seed"),
        ("bare", "removed"),
        lambda outcome: outcome.unnamed is not None,
        lambda outcome: [bare_said(outcome)],
    ),
    "names-removed": Part(("cell_m", "hours", "seed"), ("removed",), _names_removed_ready, _names_removed),
    "practices": Part(
        ("zone_m", "decimals", "distance_m", "seed"),
        ("today",),
        lambda outcome: len(outcome.today) == len(practices_of(outcome.choices)),
        lambda outcome: [practice_said(one, outcome.choices) for one in outcome.today],
    ),
    "scheme": Part(
        ("scheme", "epsilon", "rule", "distance_m", "most_percent", "seed"),
        ("worth",),
        _sample_done,
        _scheme,
    ),
    "options": Part(
        ("rule", "distance_m", "most_percent", "seed"),
        ("worth",),
        lambda outcome: outcome.options is not None and outcome.options.share >= 1,
        lambda outcome: [offers(outcome)],
    ),
    "counts": Part(
        ("counted", "level", "count_cell_m", "slot", "most", "epsilon"),
        ("counts",),
        lambda outcome: outcome.counted is not None and (outcome.counted.done or bool(outcome.counted.refused)),
        _counts,
    ),
}
"""Each part, by the name that `--only` takes."""


def computed(outcome: PeopleOutcome, name: str) -> PeopleOutcome:
    """The same outcome with what a part needs."""
    part = PARTS[name]
    for stage in part.stages:
        if part.ready(outcome):
            break
        for better in STAGES[stage](outcome):
            outcome = better
            if part.ready(outcome):
                break
    return outcome


def command(outcome: PeopleOutcome, name: str, file: str = "") -> str:
    """The command that prints a part's sentences again, with the settings that are not the usual ones.

    Parameters
    ----------
    name : of `PARTS`. file : the path of the table, if it is not the sample city; "": its name.
    """
    return shlex.join([*_table(outcome, file), *_settings(outcome.choices, PARTS[name].depends), "--only", name])


def assess_command(outcome: PeopleOutcome, file: str = "") -> str:
    """The command that writes the assessment again."""
    told = [*_table(outcome, file), *_settings(outcome.choices, tuple(FLAGS))]
    return shlex.join(["lmdk", "assess", *told[2:]])


def _table(outcome: PeopleOutcome, file: str) -> list[str]:
    table = outcome.table
    if outcome.choices.table != "own":
        return ["lmdk", "people"]
    path = file or table.name
    zone = ["--timezone", table.zone] if table.zone and table.zone != "UTC" else []
    return ["lmdk", "people", f"./{path}" if path.startswith("-") else path, *zone]


def _settings(choices: PeopleChoices, names: tuple[str, ...]) -> list[str]:
    usual = PeopleChoices()
    changed = [(FLAGS[name], choices[name]) for name in names if choices[name] != usual[name]]
    return [text for flag, value in changed for text in (f"--{flag}", _written(value))]


def _written(value: object) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def release_command(outcome: PeopleOutcome, choices: PeopleChoices, file: str = "") -> str:
    """The command that writes the script of all people's releases under some choices."""
    depends = ("scheme", "epsilon", "rule")
    return shlex.join([*_table(outcome, file), *_settings(choices, depends), "--commands", f"{choices.scheme}.sh"])
