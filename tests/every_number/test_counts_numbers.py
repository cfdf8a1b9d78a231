"""Every number of counts on the people page, over random tables and settings, against loops over their rows."""

from __future__ import annotations

import csv
import math
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import pytest

from lmdk_widgets.page.blocks import block_messages
from lmdk_widgets.page.drawing import Drawing
from lmdk_widgets.page.sentences import heard
from lmdk_widgets.pages.people import PeopleChoices, evaluate
from lmdk_widgets.pages.people.counts import counts_steps
from lmdk_widgets.pages.people.counts_blocks import cells_on_map, counts_blocks
from lmdk_widgets.pages.people.evaluate import PeopleOutcome
from lmdk_widgets.pages.people.session import PeopleSession
from lmdk_widgets.pages.people.tables import PeopleTable
from lmdk_widgets.population import People, UsefulShare
from tests.every_number.altered import Read, unread
from tests.every_number.claims import Claims, Wrong, agrees, near, shown_by
from tests.every_number.counts_truth import CLASSES_H, LIMITS, Kind, Setting, Told, box_around, name_of, reports_of
from tests.every_number.named import Given, Named
from tests.population.crowds import crowd
from tests.population.test_people_by_brute_force import apart_m, by_person, nearest_m, share_found, vector
from tests.sweeps import FULL, generators, size

SETTINGS = 96
WIDEST_M = 50_000
DRAWS = 8
STREAMS = {"Budget Distribution": "budget-distribution", "Budget Absorption": "budget-absorption"}
SLOTS = {"1": 1, "6": 6, "24": 24, "168": 168, "week": 0}
LONGER = {"1": ("week", "24", "168"), "6": ("24", "168"), "24": ("168",), "week": ("168",), "168": ()}
WEAKER = {"user": ("window", "event"), "window": ("event",), "event": ()}
TRACES = [f"figure.data.*.{part}" for part in ("x", "y", "marker.*", "line.*")]
KINDS = {"presence": "cells", "trips": "pairs of cells", "dwell": "cells and lengths"}
PROTECTED = {"user": "a whole person", "window": "a day", "event": "one contribution"}
SLOT_NAMES = {"1": "1 h", "6": "6 h", "24": "1 day", "168": "7 days", "week": "hours of the week"}
KEPT = {"event": "one moment", "user": "the whole track", "uniform": "the landmarks and any one other moment together"}


@dataclass(frozen=True, eq=False)
class CountsTruth:
    """What the tab should show of a table."""

    frame: pd.DataFrame
    zone: str
    c: PeopleChoices
    useful: float | None

    @cached_property
    def people(self) -> Any:
        return reports_of(self.frame.to_dict("records"))

    def told(self, **changes: Any) -> Told:
        c = self.c.with_changes(**changes)
        setting = Setting(c.counted, c.level, c.count_cell_m, SLOTS[c.slot], c.most, c.epsilon)
        return Told(self.people, self.zone, box_around(self.people, c.count_cell_m), setting)

    @cached_property
    def here(self) -> Told:
        return self.told()

    @cached_property
    def curve(self) -> list[float]:
        return [self.told(most=limit).error for limit in LIMITS]

    @cached_property
    def others(self) -> list[tuple[dict[str, Any], Told]]:
        c = self.c
        tried = [{"count_cell_m": times * c.count_cell_m} for times in (2, 4) if times * c.count_cell_m <= WIDEST_M]
        tried += [{"slot": slot} for slot in LONGER[c.slot]] + [{"level": level} for level in WEAKER[c.level]]
        found = [(changes, self.told(**changes)) for changes in tried]
        return [(changes, told) for changes, told in found if told.possible]

    @cached_property
    def streams(self) -> dict[str, list[Any]]:
        """The draws of each stream, by title; none where no day is protected, or weeks are counted together."""
        if self.c.level != "window" or self.c.slot == "week" or self.here.slots == 1:
            return {}
        return {
            title: [self.here.drawn_stream(name, [self.c.seed, draw, at]) for draw in range(DRAWS)]
            for at, (title, name) in enumerate(STREAMS.items())
        }

    @cached_property
    def stream_rows(self) -> list[tuple[str, float, float]]:
        """Title, slots with new counts and mean error of each."""
        rows = [("Equal shares", float(self.here.slots), self.here.error)]
        for title, draws in self.streams.items():
            off = [float(np.abs(said - self.here.true).mean()) for said, _ in draws]
            rows.append((title, float(np.mean([new for _, new in draws])), float(np.mean(off))))
        return rows

    @cached_property
    def busy(self) -> int:
        """The kind with the most people."""
        return int(self.here.true.sum(axis=0).argmax())

    @cached_property
    def shown(self) -> list[Any]:
        """The cells or pairs of cells of the map: of trips, those between the twelve busiest cells."""
        cells = self.here.box.cells
        if self.c.counted != "trips":
            return cells
        return [(a, b) for a in self.busiest for b in self.busiest if a != b]

    @cached_property
    def busiest(self) -> list[Any]:
        """Of cells that are equally busy, the first."""
        cells, size = self.here.box.cells, dict.fromkeys(self.here.box.cells, 0)
        for _, (start, end), _ in self.here.added:
            size[start] += 1
            size[end] += 1
        order = sorted(range(len(cells)), key=lambda k: (-size[cells[k]], k))
        return [cells[k] for k in sorted(order[:12])]

    @cached_property
    def command(self) -> str:
        """The command of a release; the region and the period of one's own table are to be filled in."""
        c = self.c
        made = ["lmdk", "release", "FILE", "--counts", str(c.most if c.level == "user" else 1), "--cell"]
        made += [f"{c.count_cell_m:g}", "--region=SOUTH,WEST,NORTH,EAST", "--slot", str(SLOTS[c.slot] or 1)]
        made += ["--from", "DAY", "--until", "DAY", *(["--weekly"] if c.slot == "week" else [])]
        made += ["--what", c.counted] if c.counted != "presence" else []
        made += ["--scheme", c.level]
        made += ["--window", str(self.here.setting.sensitivity)] if c.level == "window" else []
        made += ["--epsilon", repr(c.epsilon).removesuffix(".0"), "--timezone", self.zone, "--out", "counts"]
        return shlex.join(made)

    def name(self, kind: Any) -> str:
        return f"{name_of(kind[0])} to {name_of(kind[1])}" if self.c.counted == "trips" else name_of(kind)

    @cached_property
    def by_name(self) -> dict[str, Any]:
        return {self.name(kind): kind for kind in self.shown}

    def cell_said(self, said: str) -> str:
        """A cell or pair of cells, where there is one of that name; `figures_held` sees whether it is the right one."""
        known = {*self.by_name, *map(name_of, self.here.box.cells)}
        return said if said in known else "no cell"

    def look(self, kind: Any) -> int:
        """0 for those that survive, 1 where there is mostly noise, 2 for nobody."""
        at = self.here.at(kind)
        return 2 if not at.count else 0 if at.survives else 1

    def tally(self, look: int) -> int:
        return sum(self.look(kind) == look for kind in self.shown)


def of_cell(part: str, otherwise: str = "") -> Given:
    """A number of the cell that the sentence names, or of all counts."""
    return Given(
        lambda t, values: (
            getattr(t.here.at(t.by_name[values["cell"]]), part) if "cell" in values else getattr(t.here, otherwise)
        )
    )


def counts_names() -> Named:
    return Named(
        {
            "error": of_cell("error", "error"),
            "mean": of_cell("count"),
            "command": "command",
            **{name: Given(lambda t, values, name=name: t.cell_said(values[name])) for name in ("a", "b", "cell")},
            "n_window": lambda t: t.here.setting.sensitivity,
            "n_draws": lambda t: DRAWS,
            "stream_error": lambda t: min(error for _, _, error in t.stream_rows),
            "mean_truth": lambda t: float(t.here.true[:, t.busy].mean()),
            "zeros": lambda t: t.here.zeros,
            "survive": Given(lambda t, values: t.tally(0) if "title" in values else t.here.survive),
            "of": lambda t: t.here.kinds,
            "cut": lambda t: t.here.cut / max(1, len(t.here.added)),
            "noise": lambda t: t.tally(1),
            "empty": lambda t: t.tally(2),
            "least": lambda t: min(t.curve),
            "best": lambda t: LIMITS[int(np.argmin(t.curve))],
        },
        Claims(
            {},
            ["cells.base", "cells.names.*", "cells.arrays.*"]
            + [f"text.counts.*.shown.{part}" for part in ("rows.*", "acts.*", "marked", "figure.layout.*", *TRACES)],
        ),
        true_when={
            "But as a stream by": lambda t: (
                t.here.useless and min(error for _, _, error in t.stream_rows) <= 0.9 * t.here.zeros
            ),
            "one of them": lambda t: t.here.setting.sensitivity == 1,
            "of what people add is cut": lambda t: t.here.cut > 0,
        },
    )


def right(text: str, value: float, what: str) -> None:
    """A number as it is written in a cell of a table."""
    if not agrees(near(""), text, value):
        raise Wrong(f"{what} is {text}, and should be {value}")


def setting_said(change: tuple[str, Any]) -> tuple[str, str]:
    """Another setting, and what it costs, in words."""
    name, value = change
    if name == "count_cell_m":
        cell = f"{value / 1000:.1f} km"
        return f"cells of {cell}", f"places are told to {cell} only"
    if name == "slot":
        told = "only a usual week is told" if value == "week" else f"times are told to {SLOT_NAMES[value]} only"
        return f"time slots: {SLOT_NAMES[value]}", told
    weaker = (
        "a person who is followed for longer is not protected" if value == "window" else "a person is not protected"
    )
    return f"protect: {PROTECTED[value]}", weaker


def tables_held(t: CountsTruth, shown: list[dict[str, Any]]) -> None:
    """Rows of tables, whose columns have no names on the page."""
    tables = {each["shown"]["title"]: each["shown"] for each in shown if each["kind"] == "table"}
    first = (
        "Not if these counts are enough."
        if t.here.survive
        else "Not for sums over many counts, but no single cell’s counts"
    )
    first = "Counts like these do not replace them: they are useless." if t.here.useless else first
    assert shown[0]["shown"].startswith(f"Do we need tracks at all? {first}")
    counts, tracks = tables["Counts beside tracks"]["rows"]
    survives = f"{t.here.survive:,} of {t.here.kinds:,} {KINDS[t.c.counted]}"
    chance = 1 / (1 + math.exp(-t.c.epsilon))
    right_of_100 = "no promise" if chance >= 0.99 else f"{math.ceil(100 * chance - 1e-9)} of 100"
    said = ["counts", "useless" if t.here.useless else survives, "no tracks", right_of_100, PROTECTED[t.c.level]]
    assert counts == said, (counts, said)
    own = by_person(t.frame)
    nearest = [nearest_m(rows, t.c.scheme, t.c.epsilon) for rows in own.values()]
    found, _, of = tracks[2].partition(" of ")
    share = share_found([each for each in nearest if each < math.inf] or [math.inf], t.c.distance_m)
    people = share * sum(each < math.inf for each in nearest)
    digits = 0 if people >= 9.95 else 1 if people >= 0.095 else math.ceil(-math.log10(max(people, 1e-9)))
    off = abs(float(found) - people)
    assert off < 5e-4 if found == "0" else off <= 0.51 * 10.0**-digits, (found, people)
    assert of == str(len(own))
    useful = "…" if t.useful is None else f"{100 * t.useful:.0f} of 100"
    assert [tracks[0], tracks[1], *tracks[3:]] == ["tracks", useful, right_of_100, KEPT[t.c.scheme]], tracks
    if "Other settings" not in tables:
        assert not t.others
        return
    others = tables["Other settings"]
    assert others["acts"] == [{"op": "set", "name": n, "value": v} for each, _ in t.others for n, v in each.items()]
    for row, (changes, told) in zip(others["rows"], t.others, strict=True):
        setting, cost = setting_said(*changes.items())
        assert (row[0].replace(".00 km", ".0 km"), row[5].replace(".00 km", ".0 km")) == (setting, cost), row
        right(row[1], told.error, "the error of another setting")
        right(row[2], told.zeros, "that of zeros under another setting")
        assert row[3] == f"{told.survive:,} of {told.kinds:,}"
        assert row[4] == ("useless" if told.useless else "better than zeros")


def streams_held(t: CountsTruth, shown: list[dict[str, Any]]) -> None:
    """The streams: their table, which is nearest, and the busiest count over time."""
    at = [k for k, each in enumerate(shown) if each["kind"] == "table" and each["shown"]["title"].startswith("Slot by")]
    assert bool(at) == bool(t.streams)
    if not at:
        return
    said, table, chart = (shown[k]["shown"] for k in (at[0] - 1, at[0], at[0] + 1))
    for row, (title, new, error) in zip(table["rows"], t.stream_rows, strict=True):
        published, _, of = row[1].partition(" of ")
        assert row[0] == title and of == f"{t.here.slots:,}"
        right(published, new, "the slots with new counts")
        right(row[2], error, "the error of a stream")
        assert row[3] == ("useless" if error > 0.9 * t.here.zeros else "better than zeros")
    least = min(error for _, _, error in t.stream_rows)
    name = said.partition("Nearest to the truth: ")[2].partition(",")[0]
    assert any(title.lower() == name.lower() and error <= least + 1e-9 for title, _, error in t.stream_rows), said
    assert ("every stream is useless" in said) == (least > 0.9 * t.here.zeros)
    lines = {trace["name"]: trace for trace in chart["figure"]["data"]}
    assert list(lines) == ["truth", *STREAMS]
    for name, trace in lines.items():
        values = t.here.true if name == "truth" else t.streams[name][0][0]
        assert trace["y"] == values[:, t.busy].tolist()
        assert np.allclose(trace["x"], [k * t.here.setting.hours / 24 for k in range(t.here.slots)])


def figures_held(t: CountsTruth, shown: list[dict[str, Any]]) -> None:
    figures = {each["shown"]["title"]: each["shown"]["figure"] for each in shown if each["kind"] == "chart"}
    drawn = figures["Trips between the busiest cells" if t.c.counted == "trips" else "Which cells survive"]
    for look, trace in enumerate(drawn["data"]):
        assert trace["name"] == ("survives", "mostly noise", "nobody")[look]
        those = [kind for kind in t.shown if t.look(kind) == look]
        place = {cell: k for k, cell in enumerate(t.busiest)} if t.c.counted == "trips" else {}
        at = [(place[b], place[a]) if place else (a, b) for a, b in those]
        assert [[x for x, _ in at], [y for _, y in at]] == [trace["x"], trace["y"]]
        assert [text.partition(":")[0] for text in trace["hovertext"]] == [t.name(kind) for kind in those]
    ticks = [name_of(cell) for cell in t.busiest] if t.c.counted == "trips" else []
    for axis in ("xaxis", "yaxis"):
        told = drawn["layout"][axis]
        assert told["ticktext"] == ticks and told["tickvals"] == list(range(len(ticks)))
    assert ("Which limit" in figures) == (t.c.level == "user")
    if t.c.level == "user":
        limits = figures["Which limit"]
        noisy, zeros = limits["data"]
        assert noisy["x"] == list(LIMITS) == limits["layout"]["xaxis"]["tickvals"]
        assert np.allclose(noisy["y"], t.curve, rtol=1e-9)
        assert zeros["x"] == [1, 200] and np.allclose(zeros["y"], t.here.zeros, rtol=1e-9)
        (rule,) = limits["layout"]["shapes"]
        assert rule["x0"] == rule["x1"] == t.c.most


def file_of(outcome: PeopleOutcome, what: str) -> list[dict[str, str]]:
    """The rows of a file that the page saves."""
    session = PeopleSession(outcome.choices, outcome.table)
    session.outcome = outcome
    text = session.save(what).data.decode("utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert all("do not share" in row["note"] for row in rows)
    return rows


def map_held(t: CountsTruth, drawing: Drawing) -> None:
    """Each cell of the map: where it is, how large, and what is counted there."""
    told, arrays, box = drawing.described, drawing.arrays, t.here.box
    if t.c.counted == "trips":
        assert told["names"] == [] and not arrays
        return
    assert told["names"] == [name_of(cell) for cell in box.cells] and told["legend"] == [
        "survives",
        "mostly noise",
        "nobody",
    ]
    assert [tuple(each) for each in np.reshape(arrays["squares"], (-1, 2))] == box.cells
    south, west = told["base"]
    north, east = (
        np.reshape(arrays[name], (-1, 4)) + least for name, least in (("latitudes", south), ("longitudes", west))
    )
    assert south == pytest.approx(north.min()) and west == pytest.approx(east.min())
    for k, cell in enumerate(box.cells):
        corners = [vector(*each) for each in zip(north[k].tolist(), east[k].tolist(), strict=True)]
        sides = [apart_m(corners[j], corners[j - 1]) for j in range(4)]
        assert sides == pytest.approx([box.cell_m] * 4, rel=2e-3)
        assert box.cell(float(north[k].mean()), float(east[k].mean())) == cell
        at = t.here.at(cell)
        assert float(arrays["values"][k]) == pytest.approx(at.count if at.survives else -at.count)
        assert told["said"][k].startswith(f"{name_of(cell)}: ")


def files_held(t: CountsTruth, outcome: PeopleOutcome) -> None:
    """Each cell, or pair of cells with a trip, and each setting."""
    what, told = t.c.counted, t.here
    rows, cells = file_of(outcome, "counts"), {name_of(cell): cell for cell in told.box.cells}
    if what == "trips":
        kinds = [(cells[row["from"]], cells[row["to"]]) for row in rows]
        assert set(kinds) == {kind for _, kind, _ in told.added}
    elif what == "dwell":
        hours = [float(row["stayed_h_from"]) for row in rows]
        kinds = [(cells[row["cell"]], CLASSES_H.index(each)) for row, each in zip(rows, hours, strict=True)]
    else:
        kinds = [cells[row["cell"]] for row in rows]
    assert len(kinds) == len(set(kinds)) and (what == "trips" or len(kinds) == told.kinds)
    for row, kind in zip(rows, kinds, strict=True):
        mine = told.by_kind.get(kind) or Kind(told.off(0), 0.0)
        assert [float(row["mean_error"]), float(row["mean_count"])] == pytest.approx(list(mine), rel=1e-5)
        assert row["survives"] == str(int(mine.survives))
        for before, cell in (("from_", kind[0]), ("to_", kind[1])) if what == "trips" else (("", cells[row["cell"]]),):
            assert told.box.cell(float(row[f"{before}latitude"]), float(row[f"{before}longitude"])) == cell
    first, *others = file_of(outcome, "count-settings")
    limits = [({"most": most}, t.told(most=most)) for most in LIMITS] if t.c.level == "user" else []
    for row, (changes, one) in zip([first, *others], [({}, told), *limits, *t.others], strict=True):
        c = t.c.with_changes(**changes)
        assert [row["counted"], row["level"], row["slot"], row["most"]] == [what, c.level, c.slot, str(c.most)]
        errors = [float(row[name]) for name in ("count_cell_m", "mean_error", "mean_error_of_zeros")]
        assert errors == pytest.approx([c.count_cell_m, one.error, one.zeros], rel=1e-5)
        survive = ["", ""] if "most" in changes else [str(one.survive), str(one.kinds)]
        assert [row["survive"], row["of"]] == survive


class CountsTab:
    """The tab by itself: the rest of the page is held elsewhere."""

    def _text(self, outcome: PeopleOutcome) -> dict[str, Any]:
        return {"counts": block_messages(counts_blocks(outcome))}

    def _drawings(self, outcome: PeopleOutcome) -> Iterator[Any]:
        yield Drawing("cells", (), *cells_on_map(outcome.counted.here))


def computed(frame: pd.DataFrame, choices: PeopleChoices, useful: float | None) -> PeopleOutcome:
    table = PeopleTable(People(frame).in_zone("Europe/Paris"))
    outcome = evaluate(choices, table)
    if useful is not None:
        outcome = replace(outcome, useful=UsefulShare(useful, useful, useful, 90.0, 80.0, 95.0, 4, 4))
    for found in counts_steps(table, choices, outcome.counted):
        outcome = replace(outcome, counted=found)
    return outcome


def read_of(names: Named, frame: pd.DataFrame, choices: PeopleChoices, useful: float | None) -> Read | None:
    """The tab with its recomputation; None where there are too many counts."""
    truth = CountsTruth(frame, "Europe/Paris", choices, useful)
    with heard() as made:
        outcome = computed(frame, choices, useful)
        counts_blocks(outcome)
        cells_on_map(outcome.counted.here)
    if not truth.here.possible:
        assert outcome.counted.refused
        return None

    def held(page: Any) -> None:
        shown = page._text(outcome)["counts"]
        try:
            names.hold(shown_by(page, outcome), made, truth)
            tables_held(truth, shown)
            figures_held(truth, shown)
            streams_held(truth, shown)
            map_held(truth, next(page._drawings(outcome)))
            if page is tab:
                files_held(truth, outcome)
        except AssertionError as wrong:
            raise AssertionError(f"{wrong}\n{choices}") from wrong

    tab = CountsTab()
    return Read(tab, outcome, held)


def a_setting(rng: np.random.Generator) -> PeopleChoices:
    return PeopleChoices(
        table="own",
        counts=True,
        counted=str(rng.choice(list(KINDS))),
        level=str(rng.choice(list(PROTECTED))),
        count_cell_m=float(rng.choice([2_000.0, 4_000.0, 7_500.0, 16_000.0])),
        slot=str(rng.choice(list(SLOTS))),
        most=int(rng.choice([1, 2, 3, 7, 20, 60])),
        seed=int(rng.integers(100)),
        epsilon=float(np.exp(rng.uniform(np.log(0.05), np.log(9))).round(3)),
        scheme=str(rng.choice(list(KEPT))),
        distance_m=float(rng.choice([100.0, 200.0, 800.0])),
    )


def a_city(rng: np.random.Generator) -> pd.DataFrame:
    """A few people; in every third city all at one place, so that counts survive."""
    people = crowd(int(rng.integers(2, 9)), most=90, seed=int(rng.integers(10_000)))
    if rng.random() < 0.35:
        people[["latitude", "longitude"]] = [48.86, 2.34] + rng.normal(0, 1e-4, (len(people), 2))
    return people


@pytest.mark.long
def test_every_number_of_counts() -> None:
    names, count = counts_names(), 0
    for rng in generators(581_1, SETTINGS):
        useful = float(rng.choice([0.1, 0.5, 0.83])) if rng.random() < 0.5 else None
        read = read_of(names, a_city(rng), a_setting(rng), useful)
        if read is not None:
            read.held(read.page)
            count += 1
    assert count >= 0.7 * size(SETTINGS)
    assert not FULL or not names.unused(), names.unused()


CASES = {
    "a stream": {"counted": "presence", "slot": "24", "level": "window", "epsilon": 9.0, "count_cell_m": 4_000.0},
    "presence": {"counted": "presence", "slot": "24", "most": 3},
    "trips": {"counted": "trips", "slot": "168", "most": 1, "count_cell_m": 7_500.0},
    "dwell": {"counted": "dwell", "slot": "168", "level": "window"},
}


@pytest.mark.long
@pytest.mark.each_case
@pytest.mark.parametrize("name", CASES)
def test_each_number_of_counts_is_read(name: str) -> None:
    choices = PeopleChoices(table="own", counts=True, **{"epsilon": 2.0, "count_cell_m": 16_000.0} | CASES[name])
    read = read_of(counts_names(), crowd(6, most=60, seed=4), choices, 0.5)
    assert read is not None
    assert not unread(read, most=None if FULL else 8)
