"""Defences compared on the page: which costs least for what an adversary who follows the track cannot know."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, NamedTuple

from lmdk_widgets.io import NOTE
from lmdk_widgets.io.report import Part
from lmdk_widgets.page.amounts import count, metres, percent
from lmdk_widgets.page.blocks import Chart, Column, Table, Text
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.drawing import Drawing
from lmdk_widgets.page.fields import flag
from lmdk_widgets.page.figures import BLUE, GREEN, GREY, ORANGE, PURPLE, RED
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.scenario.defence import (
    ATTACKER_ERROR,
    OWN_ERROR,
    Defended,
    cheapest,
    efficient,
    growing,
    named,
    same,
)
from lmdk_widgets.scenario.found import found_text, half_region_m
from lmdk_widgets.scenario.from_track import noted
from lmdk_widgets.scenario.model import ALL_SCHEMES, MECHANISMS
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.stand_in import NAME as STAND_IN
from lmdk_widgets.scenario.sweep import Row, read, read_values
from lmdk_widgets.scenario.useful import without_sentence

DEFENCES_NOTE = f"{NOTE}; the errors are computed from the true track: never publish them"

TITLE = "Defences compared"

READ = "reader_error_m", "spread_m", "nothing_m", "honest reader"
"""The columns of an honest reader's error under a defence; the last is in words."""

TAKEN = "\N{NO-BREAK SPACE}†"
"""Marks a mechanism that takes something from the track it protects."""

OWN_CELLS = "Mechanisms on the track's own cells reveal which these are: there she knows them beforehand."


class Shown(NamedTuple):
    """The defences in the order of their owner's error.

    Attributes
    ----------
    rows : the defences. efficient : of each, whether no other is better both for its owner and against her. now, best :
        the indices of the present one, and of the cheapest that keeps her at least as far off and takes nothing from
        the track; -1 for none. most_m : metres beyond which averaging finds no place.
    readers : the `read_values` of each defence.
    """

    rows: tuple[Row, ...]
    efficient: tuple[bool, ...]
    now: int
    best: int
    most_m: float
    readers: tuple[tuple[float, float, float, str], ...]


def shown(outcome: Outcome) -> Shown | None:
    """What is known of the defences; None until the present one is computed."""
    found, scenario = outcome.found(Defences.NAME), outcome.scenario
    here = scenario.scheme, scenario.mechanism
    if found is None or here not in [(one.scheme, one.mechanism) for one in found.rows]:
        return None
    rows = tuple(sorted(found.rows, key=lambda one: (math.isnan(one[OWN_ERROR]), one[OWN_ERROR])))
    now = [(one.scheme, one.mechanism) for one in rows].index(here)
    best = cheapest(rows, rows[now])
    most_m = half_region_m(scenario, outcome.trajectory)
    readers = tuple(read_values(one, outcome) for one in rows)
    return Shown(rows, efficient(rows), now, -1 if best.from_track else rows.index(best), most_m, readers)


def called(one: Row) -> str:
    """A defence in a few words: "Uniform by planar Laplace"."""
    mechanism = titled(MECHANISMS[one.mechanism])
    return f"{titled(ALL_SCHEMES[one.scheme])} by {mechanism[0].lower()}{mechanism[1:]}"


def titled(meaning: str) -> str:
    return meaning.partition(":")[0]


def defence_table(found: Shown | None) -> Table:
    """Each defence with its owner's error, her error and her chance, in the order of `Shown`."""
    rows, _, now, _, most_m, readers = found or ((), (), -1, -1, math.inf, ())
    columns = (
        Column("scheme", "scheme", lambda scheme: titled(ALL_SCHEMES[scheme])),
        Column("mechanism"),
        Column("", "mechanism"),
        Column("place_m"),
        Column("own_error_m", "your error", metres, "right"),
        *(Column(name) for name in READ[:-1]),
        Column("", READ[-1], align="right"),
        Column("attacker_error_m", "her error", metres, "right"),
        Column("attacker_chance", "her chance of the true cell", percent, "right"),
        Column("found_within_m", "found by averaging", partial(found_text, most_m=most_m), "right"),
        Column("efficient"),
        Column("from_track"),
    )
    values = {
        "": [titled(MECHANISMS[one.mechanism]) + (TAKEN if one.from_track else "") for one in rows],
        **named(rows),
        **dict(zip(READ, zip(*readers, strict=True) if readers else [()] * len(READ), strict=True)),
    }
    keys = [READ[-1] if column.heading == READ[-1] else column.key for column in columns]
    by_row = tuple(zip(*(values[key] for key in keys), strict=True))
    return Table("Every defence, by your error", columns, by_row, marked=now)


def defence_texts(outcome: Outcome) -> list[str]:
    """Which defence costs least for what she cannot know, and what the numbers are."""
    found, all_ = shown(outcome), outcome.found(Defences.NAME)
    if found is None or all_ is None:
        return ["Not computed yet."]
    notes = _notes(found, all_, outcome.scenario.cells)
    known = next((one.worth for one in found.rows if one.worth is not None), None)
    if known is not None:
        notes += f" Your error is that of the reports as released. {without_sentence(known, outcome)}"
    return [_least(found), _efficient(found, all_), notes]


def _least(found: Shown) -> str:
    now, best = found.rows[found.now], None if found.best in (-1, found.now) else found.rows[found.best]
    text = f"Now, with {called(now)}, you are {_off(now)} and she is {metres(now[ATTACKER_ERROR])} off. "
    others = "Of the defences that take nothing from the track and keep her at least as far off,"
    if not any(one.from_track for one in found.rows):
        others = "Of the defences that keep her at least as far off,"
    if best is None:
        return f"{text}{others} none costs you noticeably less."
    return (
        f"{text}{others} {called(best)} costs you least: you are "
        f"{metres(best[OWN_ERROR])} off, and she is {metres(best[ATTACKER_ERROR])} off."
    )


def _off(one: Row) -> str:
    return "without a release" if math.isnan(one[OWN_ERROR]) else f"{metres(one[OWN_ERROR])} off"


def _efficient(found: Shown, all_: Defended) -> str:
    good, so_far = sum(found.efficient), "" if all_.done else " so far"
    be = "is" if good == 1 else "are"
    text = (
        f"{count(len(found.rows), 'defence').capitalize()}{so_far}, of which {good:,} {be} efficient: no other is both "
        "better for you and worse for her."
    )
    taken = sum(one.from_track for one in found.rows)
    if not taken:
        return text
    take, them = ("takes its", "it is") if taken == 1 else ("take their", "they are")
    return (
        f"{text} {count(taken, 'defence').capitalize()} {take} cells, grid or plan from the track itself (†), which no "
        f"guarantee covers: {them} compared, but never called efficient or best."
    )


def _notes(found: Shown, all_: Defended, cells: str) -> str:
    text = (
        f"Every number is the mean of {count(all_.draws, 'release')}, as what she infers depends on the draw. She uses "
        f"the same start and moves each time. Under planar Laplace she distinguishes {count(all_.cells, 'cell')} of "
        f"{metres(all_.cell_m)}"
    )
    reported = {one.place_m for one in found.rows if one.place_m is not None}
    text += f", otherwise the cells of {metres(reported.pop())} that can be reported." if reported else "."
    if cells == "track" and any(one.mechanism not in ("planar", "randomised") for one in found.rows):
        text += f" {OWN_CELLS}"
    if all_.tried > len(all_.rows):
        text += f" Not possible here: {count(all_.tried - len(all_.rows), 'defence')}."
    return f"{text} Schemes make different promises: choose one to see its promise above."


def defences_csv(outcome: Outcome) -> str:
    """All defences, one row each, with a note."""
    found = shown(outcome)
    rows = () if found is None else found.rows
    chosen = (outcome.scenario.with_changes(scheme=one.scheme, mechanism=one.mechanism) for one in rows)
    return defence_table(found).csv(note=[noted(DEFENCES_NOTE, one, outcome.trajectory) for one in chosen], digits=7)


Figure = dict[str, Any]

LOOKS = {
    "planar": (BLUE, "circle"),
    "optimal": (GREEN, "square"),
    "spanner": (PURPLE, "triangle-up"),
    "remapped": (ORANGE, "cross"),
    "randomised": (GREY, "x"),
}
"""Colour and symbol of each mechanism, distinguishable without colour."""

_SIGN = {"size": 9, "line": {"width": 0}}
_NOW = {"symbol": "diamond-open", "size": 17, "color": RED, "line": {"width": 2.5, "color": RED}}


def defence_figure(found: Shown) -> Figure:
    """Her error against its owner's: a mark for each defence, a line through the efficient ones, a diamond around the
    present one."""
    drawn = [k for k, one in enumerate(found.rows) if not math.isnan(one[OWN_ERROR])]
    best = [k for k in drawn if found.efficient[k]]
    steps = {"mode": "lines", "line": {"color": GREY, "width": 1.5, "dash": "dot"}, "hoverinfo": "skip"}
    data = [_marks(found, best) | steps | {"name": "efficient"}]
    for mechanism, (colour, symbol) in LOOKS.items():
        some = [k for k in drawn if found.rows[k].mechanism == mechanism]
        if some:
            sign = {"mode": "markers", "marker": _SIGN | {"color": colour, "symbol": symbol}, "meta": some}
            told = {"text": [_told(found, k) for k in some], "hovertemplate": "%{text}<extra></extra>"}
            data.append(_marks(found, some) | sign | told | {"name": titled(MECHANISMS[mechanism])})
    now = [found.now] if found.now in drawn else []
    data.append(_marks(found, now) | {"mode": "markers", "marker": _NOW, "name": "now", "hoverinfo": "skip"})
    layout = {
        "height": 420,
        "xaxis": {"title": {"text": "your error, m"}, "type": "log", "dtick": "D2"},
        "yaxis": {"title": {"text": "her error, m"}, "rangemode": "tozero"},
        "hovermode": "closest",
        "legend": {"traceorder": "normal"},
    }
    return {"data": data, "layout": layout}


def _marks(found: Shown, some: list[int]) -> Figure:
    x, y = ([_plain(found.rows[k][name]) for k in some] for name in (OWN_ERROR, ATTACKER_ERROR))
    return {"type": "scatter", "x": x, "y": y}


def _plain(value: float) -> float:
    return float(f"{value:.5g}")


def _told(found: Shown, k: int) -> str:
    one = found.rows[k]
    return f"{called(one)}: you {metres(one[OWN_ERROR])}, she {metres(one[ATTACKER_ERROR])} off"


def defence_chart(outcome: Outcome) -> Chart:
    """Her error against its owner's; empty until the present defence is computed. A text beside it says what it
    shows."""
    found = shown(outcome)
    figure = {"data": [], "layout": {}} if found is None else defence_figure(found)
    return Chart(
        "defences", "Your error against the adversary's", figure, " ".join(defence_texts(outcome)), beside=True
    )


def defences_drawing(outcome: Outcome) -> Drawing:
    """The chart, the rows in their order, and the sentences."""
    found, all_ = shown(outcome), outcome.found(Defences.NAME)
    described: dict[str, Any] = {
        "texts": defence_texts(outcome),
        "waits": all_ is None or not all_.done,
        "chart": defence_chart(outcome).message(),
        "table": defence_table(found).message(),
        "go": [],
        "efficient": [],
        "best": -1,
    }
    if found is not None:
        described |= {
            "go": [[one.scheme, one.mechanism, one.place_m] for one in found.rows],
            "efficient": list(found.efficient),
            "best": found.best,
        }
    return Drawing("defences", (all_, outcome.scenario.scheme, outcome.scenario.mechanism), described, {})


@dataclass(frozen=True)
class DefenceChoices(Choices):
    """Compare every scheme and mechanism by what the adversary infers from it, while her panel is open."""

    open: bool = flag(False, TITLE)


def _read(found: Defended, outcome: Outcome) -> Iterator[Defended]:
    """The defences with an honest reader's error for each, one after the other; those already read are kept."""
    rows = found.rows
    for k, row in enumerate(rows):
        if row.worth is not None:
            continue
        place = {} if row.place_m is None else {"place_m": row.place_m}
        scenario = outcome.scenario.released.with_changes(scheme=row.scheme, mechanism=row.mechanism, **place)
        rows = (*rows[:k], read(row, scenario, outcome.trajectory), *rows[k + 1 :])
        yield replace(found, rows=rows)


def _read_so_far(found: Defended) -> int:
    return sum(row.worth is not None for row in found.rows)


class Defences(Panel):
    NAME = "defences"
    FILES: ClassVar = {"defences": lambda choices, outcome: defences_csv(outcome)}

    def _open(self, choices: Any) -> bool:
        return bool(choices.defences.open and choices.attacker.open)

    def asked(self, choices: Any, outcome: Outcome) -> Hashable | None:
        if not (self._open(choices) and outcome.kind.placed):
            return None
        scenario = outcome.scenario.released.with_changes(average=False)
        return same(scenario, choices.attacker.known, outcome.trajectory), outcome.trajectory

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[Defended]:
        found: Defended | None = outcome.found(self.NAME)  # another row may have been opened during the reading
        if found is None or not found.done:
            for found in growing(outcome.scenario, choices.attacker.known, outcome.trajectory):
                yield found
        if found is not None and outcome.trajectory.name != STAND_IN:
            yield from _read(found, outcome)

    def progress(self, choices: Any, outcome: Outcome) -> Progress:
        found: Defended | None = outcome.found(self.NAME)
        if found is None:
            return Progress("Comparing defences: the first one.")
        if not found.done:
            return Progress(f"Comparing defences: {found.tried} of {found.of} are done.", found.tried / found.of)
        done, of = _read_so_far(found), len(found.rows)
        return Progress(f"Comparing defences: an honest reader has read {done} of {of}.", done / of)

    def ended(self, choices: Any, outcome: Outcome) -> str:
        found: Defended | None = outcome.found(self.NAME)
        if found is None or not found.done:
            return "before the first defence" if found is None else f"after {found.tried} of {found.of} defences"
        return f"after a reader had read {_read_so_far(found)} of {len(found.rows)} defences"

    def drawings(self, choices: Any, outcome: Outcome) -> Iterable[Drawing]:
        if self._open(choices):
            yield defences_drawing(outcome)

    def pictures(self, choices: Any, outcome: Outcome) -> Iterable[Chart]:
        if self._open(choices) and shown(outcome) is not None:
            chart = defence_chart(outcome)
            yield chart

    def parts(self, choices: Any, outcome: Outcome, release: Any) -> Iterable[Part]:
        if self._open(choices) and (found := shown(outcome)) is not None:
            yield Part(TITLE, [*map(Text, defence_texts(outcome)), defence_table(found)])
