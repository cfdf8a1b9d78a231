"""The comparison of defences as it is shown: its rows in their order, its sentences, and its file."""

from __future__ import annotations

import csv
import io
import math
from typing import NamedTuple

from lmdk_widgets.io import NOTE
from lmdk_widgets.page.amounts import count, metres, percent
from lmdk_widgets.scenario.defence import HER_CHANCE, HER_ERROR, OWN_ERROR, Defended, cheapest, efficient, named
from lmdk_widgets.scenario.from_track import noted
from lmdk_widgets.scenario.model import ALL_SCHEMES, MECHANISMS
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.sweep import Row

DEFENCES_NOTE = f"{NOTE}; the errors are computed from the true track: never publish them"

HEADS = ("scheme", "mechanism", "your error", "her error", "her chance of the true cell")
"""The headings of the table."""

TAKEN = "\N{NO-BREAK SPACE}†"
"""Stands behind a mechanism that takes something from the track that it protects."""

OWN_CELLS = "Mechanisms for the track's own cells tell her which these are: there she knows them beforehand."


class Shown(NamedTuple):
    """The defences in the order of their owner's error.

    Attributes
    ----------
    rows : the defences. efficient : of each, whether none is better for its owner and against her. now, best : the present
        one, and the one that pays least among those that keep her at least as far off and take nothing from the track; -1
        where that is none.
    """

    rows: tuple[Row, ...]
    efficient: tuple[bool, ...]
    now: int
    best: int


def shown(outcome: Outcome) -> Shown | None:
    """What is known of the defences; None before the present one is there."""
    found, scenario = outcome.defended, outcome.scenario
    here = scenario.scheme, scenario.mechanism
    if found is None or here not in [(one.scheme, one.mechanism) for one in found.rows]:
        return None
    rows = tuple(sorted(found.rows, key=lambda one: (math.isnan(one[OWN_ERROR]), one[OWN_ERROR])))
    now = [(one.scheme, one.mechanism) for one in rows].index(here)
    best = cheapest(rows, rows[now])
    return Shown(rows, efficient(rows), now, -1 if best.from_track else rows.index(best))


def called(one: Row) -> str:
    """A defence in a few words: "Uniform by planar Laplace"."""
    mechanism = titled(MECHANISMS[one.mechanism])
    return f"{titled(ALL_SCHEMES[one.scheme])} by {mechanism[0].lower()}{mechanism[1:]}"


def titled(meaning: str) -> str:
    return meaning.partition(":")[0]


def defence_rows(found: Shown) -> list[list[str]]:
    """Each defence as texts, one for each of `HEADS`."""
    return [
        [
            titled(ALL_SCHEMES[one.scheme]),
            titled(MECHANISMS[one.mechanism]) + (TAKEN if one.from_track else ""),
            metres(one[OWN_ERROR]),
            metres(one[HER_ERROR]),
            percent(one[HER_CHANCE]),
        ]
        for one in found.rows
    ]


def defence_texts(outcome: Outcome) -> list[str]:
    """Who pays least for what she cannot know, and what the numbers are."""
    found, all_ = shown(outcome), outcome.defended
    if found is None or all_ is None:
        return ["Not computed yet."]
    return [_least(found), _efficient(found, all_), _notes(found, all_)]


def _least(found: Shown) -> str:
    now, best = found.rows[found.now], None if found.best in (-1, found.now) else found.rows[found.best]
    text = f"Now, with {called(now)}, you are {_off(now)} and she is {metres(now[HER_ERROR])} off. "
    others = "Of the defences that take nothing from the track and keep her at least as far off,"
    if not any(one.from_track for one in found.rows):
        others = "Of the defences that keep her at least as far off,"
    if best is None:
        return f"{text}{others} none costs you noticeably less."
    return (
        f"{text}{others} {called(best)} costs you least: you are "
        f"{metres(best[OWN_ERROR])} off, and she is {metres(best[HER_ERROR])} off."
    )


def _off(one: Row) -> str:
    return "without a release" if math.isnan(one[OWN_ERROR]) else f"{metres(one[OWN_ERROR])} off"


def _efficient(found: Shown, all_: Defended) -> str:
    good, so_far = sum(found.efficient), "" if all_.done else " so far"
    be = "is" if good == 1 else "are"
    text = (
        f"{count(len(found.rows), 'defence').capitalize()}{so_far}, of which {good:,} {be} efficient: no other one is better "
        "for you and worse for her."
    )
    taken = sum(one.from_track for one in found.rows)
    if not taken:
        return text
    take, them = ("takes its", "it is") if taken == 1 else ("take their", "they are")
    return (
        f"{text} {count(taken, 'defence').capitalize()} {take} cells, grid or plan from the track itself (†), which no "
        f"guarantee covers: {them} compared, and never called efficient or best."
    )


def _notes(found: Shown, all_: Defended) -> str:
    text = (
        f"Every number is the mean of {count(all_.draws, 'release')}, as what she infers depends on the draw. She brings the "
        f"same start and moves to each. Under planar Laplace she tells {count(all_.cells, 'cell')} of {metres(all_.cell_m)} "
        "apart"
    )
    reported = {one.place_m for one in found.rows if one.place_m is not None}
    text += f", otherwise the cells of {metres(reported.pop())} that can be reported." if reported else "."
    if any(one.mechanism not in ("planar", "randomised") for one in found.rows):
        text += f" {OWN_CELLS}"
    if all_.tried > len(all_.rows):
        text += f" {count(all_.tried - len(all_.rows), 'defence').capitalize()} cannot be had here."
    return f"{text} What each promises differs: it is said above once it is chosen."


def defences_csv(outcome: Outcome) -> str:
    """All defences, a row each, with a note."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    rows = found.rows if (found := shown(outcome)) is not None else ()
    columns = named(rows)
    writer.writerow([*columns, "note"])
    for one, values in zip(rows, zip(*columns.values(), strict=True), strict=True):
        chosen = outcome.scenario.with_changes(scheme=one.scheme, mechanism=one.mechanism)
        writer.writerow([*map(_cell, values), noted(DEFENCES_NOTE, chosen)])
    return text.getvalue()


def _cell(value: str | float | bool | None) -> str:
    if isinstance(value, str):
        return value
    if value is None or not math.isfinite(value):
        return ""
    return str(int(value)) if isinstance(value, bool) else f"{value:.7g}"
