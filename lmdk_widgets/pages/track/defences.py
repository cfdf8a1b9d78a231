"""Defences compared on the page: how useful each is to a reader, and what an attacker finds all the same."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

from lmdk_widgets.answers.attacker_error import CHAIN, READER
from lmdk_widgets.answers.found_places import found_text
from lmdk_widgets.answers.from_track import noted
from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.answers.usefulness import NOT_SAID, without_sentence
from lmdk_widgets.io import NOTE
from lmdk_widgets.io.report import Part
from lmdk_widgets.page.amounts import count, digits, metres, percent, whole
from lmdk_widgets.page.blocks import Block, Chart, Column, Table, Text
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.fields import flag
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.page.sentences import capital, sentence
from lmdk_widgets.pages.track.unit_names import in_its_unit
from lmdk_widgets.palette import BLUE, GREEN, GREY, ORANGE, PURPLE, RED
from lmdk_widgets.scenario.model import ALL_SCHEMES, MECHANISMS
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.sweep.defence_measures import (
    AT_LANDMARKS,
    ATTACKER_CHANCE,
    ATTACKER_ERROR,
    BY_READER,
    NEAREST,
    READER_ERROR,
    REGULAR_ERROR,
)
from lmdk_widgets.sweep.defences_compared import (
    Against,
    Defended,
    against,
    efficient,
    growing,
    named,
    recommended,
    same,
)
from lmdk_widgets.sweep.rows import Row

DEFENCES_NOTE = f"{NOTE}; the errors are computed from the true track: never publish them"

TITLE = "Defences compared"

TAKEN = "\N{NO-BREAK SPACE}†"
"""Marks a mechanism that takes something from the track it protects."""

OWN_CELLS = "Mechanisms on the track's own cells reveal which these are: there the attacker knows them beforehand."

MEANING = {
    NEAREST: "what someone who knows when you are there finds of your nearest lasting place",
    AT_LANDMARKS: "the attacker's error at the landmarks, as this track has no lasting place",
    ATTACKER_ERROR: "the attacker's error, as this track has neither a lasting place nor a landmark",
}
"""What the defences have to keep away from the attacker."""

AXES = {
    NEAREST: "nearest lasting place found, m",
    AT_LANDMARKS: "attacker's error at landmarks, m",
    ATTACKER_ERROR: "attacker's error, m",
}


class Shown(NamedTuple):
    """The defences in the order of the reader's error at regular timestamps.

    Attributes
    ----------
    rows : the defences. keeps : what they have to keep away from the attacker. efficient : of each, whether no other is
        better both for a reader and against the attacker. now, best : the indices of the present one, and of the one with
        the star; -1 for none.
    """

    rows: tuple[Row, ...]
    keeps: Against
    efficient: tuple[bool, ...]
    now: int
    best: int


def shown(outcome: Outcome) -> Shown | None:
    """What is known of the defences; None until the present one is computed."""
    found, scenario = outcome.found(Defences.NAME), outcome.scenario
    here = scenario.scheme, scenario.mechanism
    if found is None or here not in [(one.scheme, one.mechanism) for one in found.rows]:
        return None
    rows = tuple(sorted(found.rows, key=lambda one: one[REGULAR_ERROR]))
    now = [(one.scheme, one.mechanism) for one in rows].index(here)
    keeps = against(scenario, outcome.trajectory)
    best = recommended(rows, rows[now], keeps)
    return Shown(rows, keeps, efficient(rows, keeps), now, -1 if best is None else rows.index(best))


def called(one: Row) -> str:
    """A defence in a few words: "Uniform by planar Laplace"."""
    mechanism = titled(MECHANISMS[one.mechanism])
    return f"{titled(ALL_SCHEMES[one.scheme])} by {mechanism[0].lower()}{mechanism[1:]}"


def titled(meaning: str) -> str:
    return meaning.partition(":")[0]


def defence_table(found: Shown | None) -> Table:
    """Each defence with a reader's errors, the attacker's, and the nearest place, in the order of `Shown`."""
    rows, keeps, _, now, _ = found or ((), Against(ATTACKER_ERROR), (), -1, -1)
    columns = (
        Column("scheme", "scheme", lambda scheme: titled(ALL_SCHEMES[scheme])),
        Column("mechanism"),
        Column("", "mechanism"),
        Column("place_m"),
        Column("own_error_m"),
        Column(READER_ERROR),
        Column("", "careful reader", align="right"),
        Column(REGULAR_ERROR, "reader at regular timestamps", _error, "right"),
        Column("spread_m"),
        Column("nothing_m"),
        Column(ATTACKER_ERROR),
        Column(BY_READER),
        Column("", "attacker's error", align="right"),
        Column(AT_LANDMARKS, "attacker's error at landmarks", _off, "right"),
        Column(ATTACKER_CHANCE, "attacker's chance of the true cell", percent, "right"),
        Column(NEAREST, "nearest lasting place found", _nearest(keeps), "right"),
        Column("efficient"),
        Column("from_track"),
        Column("scheme_title"),
    )
    files = named(rows, keeps) | {
        "spread_m": [math.nan if one.worth is None else one.worth.spread for one in rows],
        "nothing_m": [math.nan if one.worth is None else one.worth.nothing for one in rows],
    }
    said = {
        "mechanism": [titled(MECHANISMS[one.mechanism]) + (TAKEN if one.from_track else "") for one in rows],
        "careful reader": [_reader(one) for one in rows],
        "attacker's error": [f"{_error(one[ATTACKER_ERROR])}, {_by(one)}" for one in rows],
    }
    values = [files[column.key] if column.key else said[str(column.heading)] for column in columns]
    return Table("Every defence, by the reader's error", columns, tuple(zip(*values, strict=True)), marked=now)


def _error(error_m: float) -> str:
    """How all errors are written here, the reader's and the attacker's with equally many digits: neither rounds past the
    other."""
    return metres(digits(error_m, 2))


def _reader(one: Row) -> str:
    """What a release is worth to a reader, as in other tables but for the digits."""
    words = "" if one.worth is None else f", {one.worth.words.partition(':')[0]}"
    return f"{_error(one[READER_ERROR])}{words}"


def _by(one: Row) -> str:
    """The model of the attacker's error, in a word."""
    return READER if one[BY_READER] else CHAIN


def _off(error_m: float) -> str:
    return "no landmark" if math.isnan(error_m) else _error(error_m)


def _nearest(keeps: Against) -> Callable[[float], str]:
    """How the distance to the nearest lasting place is written."""
    if keeps.measure != NEAREST:
        return lambda _: "no lasting place"
    return lambda within_m: found_text(within_m, keeps.most_m)


def defence_texts(outcome: Outcome) -> list[str]:
    """Which defence is recommended, how many are efficient, and what the numbers are."""
    found, all_ = shown(outcome), outcome.found(Defences.NAME)
    if outcome.trajectory.name == RELEASE_NAME:
        return [NOT_SAID]
    if found is None or all_ is None:
        return ["Not computed yet."]
    notes = _notes(found, all_, outcome.scenario.cells)
    if (worth := found.rows[found.now].worth) is not None:
        notes += f" {without_sentence(worth, outcome)}"
    return [_best(found), _efficient(found, all_), notes]


def _best(found: Shown) -> str:
    now = found.rows[found.now]
    text = sentence(
        "Now, with {defence}, a careful reader is {reads_now}.", defence=called(now), reads_now=_reads(found, now)
    )
    if found.best == -1:
        return (
            f"{text} Every other defence promises less, is less useful, lets more be found, takes something from the track, "
            "or is hardly better."
        )
    best = found.rows[found.best]
    return sentence(
        "{now} {best_defence} keeps these promises, is as useful, and lets nothing be found nearer: a reader is "
        "{reads_best}.",
        now=text,
        best_defence=called(best),
        reads_best=_reads(found, best),
    )


def _reads(found: Shown, one: Row) -> str:
    """The two numbers by which a defence is compared."""
    return sentence(
        "{regular_error} off at regular timestamps, and {keeps}",
        regular_error=_error(one[REGULAR_ERROR]),
        keeps=_kept(found.keeps, one),
    )


def _kept(keeps: Against, one: Row) -> str:
    """What an attacker finds under a defence."""
    if keeps.measure == NEAREST:
        within = found_text(one[NEAREST], keeps.most_m)
        if within == "not found":
            return "no lasting place is found"
        return sentence("the nearest lasting place is found to {nearest_place}", nearest_place=within)
    where = " at the landmarks" if keeps.measure == AT_LANDMARKS else ""
    off = _error(one[keeps.measure])
    return sentence("the attacker's error{where} is {attacker_off}", where=where, attacker_off=off)


def _efficient(found: Shown, all_: Defended) -> str:
    good, so_far = sum(found.efficient), "" if all_.done else " so far"
    be = "is" if good == 1 else "are"
    text = sentence(
        "{defences}{so_far}, of which {efficient_defences} {be} efficient: no other is both nearer for a reader and "
        "farther for the attacker.",
        defences=capital(count(len(found.rows), "defence")),
        so_far=so_far,
        efficient_defences=whole(good),
        be=be,
    )
    taken = sum(one.from_track for one in found.rows)
    if not taken:
        return text
    take, them = ("takes its", "it is") if taken == 1 else ("take their", "they are")
    return sentence(
        "{efficient} {from_track_defences} {take} cells, grid or plan from the track itself (†), which no guarantee "
        "covers: {they_are} compared, but never called efficient or recommended.",
        efficient=text,
        from_track_defences=capital(count(taken, "defence")),
        take=take,
        they_are=them,
    )


def _notes(found: Shown, all_: Defended, cells: str) -> str:
    reported = {one.place_m for one in found.rows if one.place_m is not None}
    other: str = ""
    if reported:
        other = ", otherwise the cells of {reported_side} that can be reported"
        other = sentence(other, reported_side=metres(reported.pop()))
    text: str = sentence(
        "Every number is the median of {defence_releases}, as what is inferred depends on the draw. Against the attacker "
        "counts {meaning}. The attacker's error goes to the true place, by the reader's model or the chain chosen above, "
        "whichever is nearer; this chain has the same start and moves each time. Under planar Laplace it distinguishes "
        "{planar_cells} of {planar_cell_side}{other}.",
        defence_releases=count(all_.draws, "release"),
        meaning=MEANING[found.keeps.measure],
        planar_cells=count(all_.cells, "cell"),
        planar_cell_side=metres(all_.cell_m),
        other=other,
    )
    if cells == "track" and any(one.mechanism not in ("planar", "randomised") for one in found.rows):
        text += f" {OWN_CELLS}"
    if all_.tried > len(all_.rows):
        out = count(all_.tried - len(all_.rows), "defence")
        text += " " + sentence("Not possible here: {impossible_defences}.", impossible_defences=out)
    return f"{text} Schemes make different promises: choose one to see its promise above."


def defences_csv(outcome: Outcome) -> str:
    """All defences, one row each, with a note."""
    found = shown(outcome)
    rows = () if found is None else found.rows
    chosen = (outcome.scenario.with_changes(scheme=one.scheme, mechanism=one.mechanism) for one in rows)
    table = in_its_unit(defence_table(found), outcome.trajectory)
    return table.csv(note=[noted(DEFENCES_NOTE, one, outcome.trajectory) for one in chosen], digits=7)


Figure = dict[str, Any]

LEGEND = (
    "✓ is efficient, ★ keeps the promises of now, is as useful, and lets nothing be found nearer, † takes its cells, grid or "
    "plan from the track itself and is neither. A click on a row or a mark opens its setting."
)

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
    """What an attacker finds against the reader's error: a mark for each defence, a line through the efficient ones, a
    diamond around the present one."""
    drawn = list(range(len(found.rows)))
    best = [k for k in drawn if found.efficient[k]]
    steps = {"mode": "lines", "line": {"color": GREY, "width": 1.5, "dash": "dot"}, "hoverinfo": "skip"}
    data = [_marks(found, best) | steps | {"name": "efficient"}]
    for mechanism, (colour, symbol) in LOOKS.items():
        some = [k for k in drawn if found.rows[k].mechanism == mechanism]
        if some:
            sign = {
                "mode": "markers",
                "marker": _SIGN | {"color": colour, "symbol": symbol},
                "meta": [_opens(found.rows[k]) for k in some],
            }
            told = {"text": [_told(found, k) for k in some], "hovertemplate": "%{text}<extra></extra>"}
            data.append(_marks(found, some) | sign | told | {"name": titled(MECHANISMS[mechanism])})
    now = [found.now] if found.now in drawn else []
    data.append(_marks(found, now) | {"mode": "markers", "marker": _NOW, "name": "now", "hoverinfo": "skip"})
    layout = {
        "height": 420,
        "xaxis": {"title": {"text": "reader's error at regular timestamps, m"}, "type": "log", "dtick": "D2"},
        "yaxis": {"title": {"text": AXES[found.keeps.measure]}, "type": "log", "dtick": "D2"},
        "hovermode": "closest",
        "legend": {"traceorder": "normal"},
    }
    return {"data": data, "layout": layout}


def _marks(found: Shown, some: list[int]) -> Figure:
    x = [_plain(found.rows[k][REGULAR_ERROR]) for k in some]
    return {"type": "scatter", "x": x, "y": [_plain(found.keeps.of(found.rows[k])) for k in some]}


def _plain(value: float) -> float:
    return float(f"{value:.5g}")


def _told(found: Shown, k: int) -> str:
    one = found.rows[k]
    return sentence("{defence}: a reader is {reads}", defence=called(one), reads=_reads(found, one))


def defence_chart(outcome: Outcome) -> Chart:
    """What an attacker finds against the reader's error; empty until the present defence is computed. A text beside it
    says what it shows."""
    found = shown(outcome)
    figure = {"data": [], "layout": {}} if found is None else defence_figure(found)
    return Chart("defences", "Useful against found", figure, " ".join(defence_texts(outcome)), beside=True)


def defence_blocks(outcome: Outcome) -> Iterator[Block]:
    """The sentences, the chart, and the table, whose rows and marks open their settings."""
    found, all_ = shown(outcome), outcome.found(Defences.NAME)
    yield from map(Text, defence_texts(outcome))
    yield defence_chart(outcome)
    signs: tuple[str, ...] = ()
    if found is not None:
        good = enumerate(found.efficient)
        signs = tuple(f"{'★ ' if k == found.best else ''}{'✓ ' if efficient else ''}" for k, efficient in good)
    acts = () if found is None else tuple(map(_opens, found.rows))
    waits = all_ is None or not all_.done
    yield replace(defence_table(found), acts=acts, signs=signs, waits=waits)
    yield Text(LEGEND, "quiet")


def _opens(one: Row) -> dict[str, Any]:
    """What opens the setting of a defence."""
    place = {} if one.place_m is None else {"place_m": one.place_m}
    return {"op": "go", "scheme": one.scheme, "mechanism": one.mechanism, **place}


@dataclass(frozen=True)
class DefenceChoices(Choices):
    """Compare every scheme and mechanism by what a reader and an attacker infer, while the attacker's panel is open."""

    open: bool = flag(False, TITLE)


class Defences(Panel):
    NAME = "defences"
    FOLD = DefenceChoices
    PLACE = "attacker"
    OPEN: ClassVar = {"attacker.open": True}
    FILES: ClassVar = {"defences": lambda choices, outcome: defences_csv(outcome)}

    def asked(self, choices: Any, outcome: Outcome) -> Hashable | None:
        if not outcome.kind.placed or outcome.trajectory.name == RELEASE_NAME:
            return None
        scenario = outcome.scenario.released.with_changes(average=False)
        return same(scenario, choices.attacker.known, outcome.trajectory), outcome.trajectory

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[Defended]:
        found: Defended | None = outcome.found(self.NAME)
        if found is None or not found.done:
            yield from growing(outcome.scenario, choices.attacker.known, outcome.trajectory)

    def progress(self, choices: Any, outcome: Outcome) -> Progress:
        found: Defended | None = outcome.found(self.NAME)
        if found is None:
            return Progress("Comparing defences: the first one.")
        return Progress(f"Comparing defences: {found.tried} of {found.of} are done.", found.tried / found.of)

    def ended(self, choices: Any, outcome: Outcome) -> str:
        found: Defended | None = outcome.found(self.NAME)
        return "before the first defence" if found is None else f"after {found.tried} of {found.of} defences"

    def blocks(self, choices: Any, outcome: Outcome) -> Iterator[Block]:
        return defence_blocks(outcome)

    def pictures(self, choices: Any, outcome: Outcome) -> Iterable[Chart]:
        if shown(outcome) is not None:
            chart = defence_chart(outcome)
            yield chart

    def parts(self, choices: Any, outcome: Outcome, release: Any) -> Iterable[Part]:
        if (found := shown(outcome)) is not None:
            yield Part(TITLE, [*map(Text, defence_texts(outcome)), defence_table(found)])
