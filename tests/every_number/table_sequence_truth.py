"""Releases of the same people at three times, and whose hours a level protects, by their definitions."""

from __future__ import annotations

import math
from functools import cached_property
from itertools import product
from typing import Any

from tests.every_number.claims import Wrong, agrees, most, near
from tests.every_number.table_answers import told
from tests.every_number.table_drawn import close, held
from tests.every_number.table_truth import DAY, StreamTruth

AGES = [27, 25, 12, 11, 10, 62]
NORTH = {"Montmartre", "Belleville", "Opéra"}
WHERE = [
    ["Le Marais", "Belleville", "Montmartre", "Montmartre", "Latin Quarter", "Opéra"],
    ["Montmartre", "Montmartre", "Latin Quarter", "Opéra", "Latin Quarter", "Montmartre"],
    ["Opéra", "Le Marais", "Montmartre", "Montmartre", "Belleville", "Belleville"],
]
DOES = [
    ["at work", "driving", "running", "at home", "walking", "dining"],
    ["driving", "at the mall", "sightseeing", "walking", "at home", "biking"],
    ["dining", "at work", "at home", "running", "walking", "at home"],
]
REMEDIES = {
    "none": "None",
    "order": "Own order",
    "earlier": "Earlier columns",
    "classes": "Same classes",
    "delayed": "Delayed",
}


def age_at(age: int, level: int) -> str:
    """An age in bands of 5, 10 or 20, up to 20 or above, or any."""
    if level in (1, 2, 3):
        width = (5, 10, 20)[level - 1]
        low = age // width * width
        return f"{low}-{low + width - 1}"
    return [str(age), "", "", "", "<=20" if age <= 20 else ">20", "any"][level]


def place_at(place: str, level: int) -> str:
    return [place, "north of Paris" if place in NORTH else "centre of Paris", "Paris", "any"][level]


def left_of(values: list[str], published: list[str]) -> list[float]:
    """For each person one less the share of the other values that the published one may stand for."""
    every = len(set(values))
    return [
        1 - (len({v for v, q in zip(values, published, strict=True) if q == p}) - 1) / (every - 1) for p in published
    ]


class SequenceTruth:
    """Everything tried once more, person by person."""

    def __init__(self, choices: Any) -> None:
        self.c, self.k = choices, choices.together

    def shown_at(self, time: int, age: int, place: int) -> list[tuple[str, str]]:
        return [(age_at(a, age), place_at(p, place)) for a, p in zip(AGES, WHERE[time], strict=True)]

    def detail_at(self, time: int, age: int, place: int) -> float:
        cells = self.shown_at(time, age, place)
        kept = left_of(list(map(str, AGES)), [a for a, _ in cells]), left_of(WHERE[time], [p for _, p in cells])
        return (sum(kept[0]) + sum(kept[1])) / 12

    @staticmethod
    def sizes(releases: list[list[tuple[str, str]]]) -> list[int]:
        rows = [tuple(release[i] for release in releases) for i in range(6)]
        return [rows.count(row) for row in rows]

    def best(self, times: tuple[int, ...], before: list[list[tuple[str, str]]]) -> list[tuple[int, int]]:
        found, most_kept = [(0, 0)] * len(times), -1.0
        for age in range(6):
            for places in product(range(4), repeat=len(times)):
                cells = [self.shown_at(t, age, p) for t, p in zip(times, places, strict=True)]
                if min(self.sizes([*before, *cells])) < self.k:
                    continue
                kept = sum(self.detail_at(t, age, p) for t, p in zip(times, places, strict=True)) / len(times)
                if kept > most_kept + 1e-9:
                    found, most_kept = [(age, p) for p in places], kept
        return found

    @cached_property
    def releases(self) -> dict[str, tuple[list[list[tuple[str, str]]], float]]:
        """What each remedy publishes, and the detail that is left."""
        single = [self.best((t,), [])[0] for t in range(3)]
        alone = (
            [self.shown_at(t, *single[t]) for t in range(3)],
            sum(self.detail_at(t, *single[t]) for t in range(3)) / 3,
        )
        made: list[list[tuple[str, str]]] = []
        detail = 0.0
        for t in range(3):
            (levels,) = self.best((t,), made)
            made.append(self.shown_at(t, *levels))
            detail += self.detail_at(t, *levels) / 3
        joint = self.best((0, 1, 2), [])
        late = [self.shown_at(t, *joint[t]) for t in range(3)], sum(self.detail_at(t, *joint[t]) for t in range(3)) / 3
        return {
            "none": alone,
            "order": alone,
            "earlier": (made, detail),
            "classes": self._classes(single[0]),
            "delayed": late,
        }

    def _classes(self, levels: tuple[int, int]) -> tuple[list[list[tuple[str, str]]], float]:
        first = self.shown_at(0, *levels)
        releases, detail = [first], self.detail_at(0, *levels)
        for t in (1, 2):
            cells, kept = [("", "")] * 6, 0.0
            for person in range(6):
                mine = [i for i in range(6) if first[i] == first[person]]
                level = next(p for p in range(4) if len({place_at(WHERE[t][i], p) for i in mine}) == 1)
                cells[person] = age_at(AGES[person], levels[0]), place_at(WHERE[t][person], level)
                ages = left_of(list(map(str, AGES)), [age_at(a, levels[0]) for a in AGES])[person]
                kept += ages + left_of(WHERE[t], [place_at(w, level) for w in WHERE[t]])[person]
            releases.append(cells)
            detail += kept / 12
        return releases, detail / 3

    def alone(self, remedy: str) -> list[int]:
        return [min(self.sizes([release])) for release in self.releases[remedy][0]]

    def alike(self, remedy: str) -> list[list[int]]:
        cells = self.releases[remedy][0]
        if remedy == "order":
            single = [self.sizes([release]) for release in cells]
            return [[min(sizes[i] for sizes in single[: t + 1]) for i in range(6)] for t in range(3)]
        found = [self.sizes(cells[: t + 1]) for t in range(3)]
        return [[6] * 6, [6] * 6, found[2]] if remedy == "delayed" else found

    def together(self, remedy: str) -> int:
        return min(self.alike(remedy)[2])

    @property
    def few(self) -> int:
        return sum(size < self.k for size in self.alike(self.c.remedy)[2])


def sequence_more(t: SequenceTruth, text: dict[str, Any], described: dict[str, Any]) -> None:
    """The answers, both tables, both charts."""
    remedy, (useful, found, promised) = t.c.remedy, text["answers"]
    told(useful, "Useful", (near("x"), t.releases[remedy][1], ""))
    told(found, "Found", f"{t.few} of 6")
    assert found["short"] == f"in a group of fewer than {t.k}", found
    headings = [column["heading"] for column in text["told"]["published"]["columns"]]
    assert headings == ["t1", "t2", "t3"] and text["told"]["table"]["columns"][1]["heading"] == "k at t1, t2, t3"
    k = t.together(remedy)
    if k == 1:
        told(promised, "Promised", "nothing", "One person is alone in the three releases: those rows are known.")
    else:
        told(promised, "Promised", (most("x", size=1e-5), 100 / k, " of 100"), "nothing is promised about statuses")
    for row, (name, title) in zip(text["told"]["table"]["rows"], REMEDIES.items(), strict=True):
        alone = ", ".join(map(str, t.alone(name)))
        first = "two timestamps late" if name == "delayed" else "at t1"
        held(row, [title, alone, str(t.together(name)), (near("x"), t.releases[name][1]), first])
    columns = []
    for cells, does in zip(t.releases[remedy][0], DOES, strict=True):
        texts = [f"{age}, {place}: {status}" for (age, place), status in zip(cells, does, strict=True)]
        columns.append(sorted(texts) if remedy == "order" else texts)
    shown = [list(row) for row in text["told"]["published"]["rows"]]
    if shown != [list(row) for row in zip(*columns, strict=True)]:
        raise Wrong(f"{shown} is not what is published: {columns}")
    bars = described["figures"]["alike"]["figure"]["data"]
    for trace, wanted in zip(bars, [*t.alike(remedy), [t.k] * 6], strict=True):
        close(trace["name"], trace["y"], wanted)
    assert [trace["name"] for trace in bars[:3]] == ["t1", "t1, t2", "t1, t2, t3"]
    (kept,) = described["figures"]["remedies"]["figure"]["data"]
    close("the remedies", kept["y"], [100 * t.releases[name][1] for name in REMEDIES])
    assert kept["text"] == [f"k = {t.together(name)}" for name in REMEDIES]


# -- whose hours -------------------------------------------------------------------------------------------------------

DAY_OF_ONE = ["Montmartre"] * 7 + ["Le Marais"] * 4 + ["Opéra"] + ["Le Marais"] * 4 + ["Belleville"] * 3
DAY_OF_ONE += ["Opéra"] * 2 + ["Montmartre"] * 3


PEOPLE = {
    "Le Marais": [2, 1, 1, 1, 1, 2, 5, 12, 19, 22, 24, 25, 23, 24, 25, 24, 21, 17, 13, 11, 9, 7, 5, 3],
    "Belleville": [9, 9, 8, 8, 8, 9, 8, 6, 5, 4, 4, 5, 6, 5, 5, 6, 7, 9, 11, 12, 12, 12, 11, 10],
    "Montmartre": DAY,
    "Latin Quarter": [4, 3, 2, 2, 1, 2, 3, 7, 11, 13, 14, 12, 10, 13, 14, 13, 12, 11, 12, 14, 15, 12, 9, 6],
    "Opéra": [1, 1, 1, 1, 1, 1, 2, 5, 8, 9, 10, 14, 17, 13, 10, 9, 9, 10, 13, 17, 19, 16, 9, 3],
}
"""In each district and hour of the example, as they are published."""


def hours_of(t: StreamTruth) -> list[int]:
    """Hours from 1 that are protected together."""
    if t.c.level == "user":
        return list(range(1, 25))
    if t.c.level == "window":
        return [
            hour for hour in range(1, 25) if min(12, 25 - t.c.window) <= hour < min(12, 25 - t.c.window) + t.c.window
        ]
    return sorted({12, *(hour + 1 for hour in t.c.landmarks)}) if t.c.level == "landmark" else [12]


def districts_drawn(t: StreamTruth, drawn: dict[str, Any]) -> None:
    """The sentence, the squares, and that Montmartre's numbers are those of the other charts."""
    hours, said = hours_of(t), drawn["summary"]
    n = len(hours)
    words = {1: f"each hour by itself, here hour {hours[0]}", 24: "the whole day together"}
    what = words.get(n, f"the {n} filled hours together, the first is hour {hours[0]}")
    if f"protects {what}" not in said:
        raise Wrong(f"{said} does not say {what}")
    if t.c.level != "pan":
        spent = math.fsum([t.budgets[t.c.level]] * n)
        assert agrees(most("x"), said.rpartition("ε = ")[2].removesuffix("."), spent), said
    together, alone, *districts = drawn["figure"]["data"]
    for trace, (name, people) in zip(districts, PEOPLE.items(), strict=True):
        assert (trace["name"], trace["x"], trace["y"]) == (name, [name] * 24, list(range(1, 25)))
        if trace["text"] != [str(each) for each in people]:
            raise Wrong(f"{trace['text']} are not the people in {name}: {people}")
    assert together["y"] == hours and alone["y"] == [hour for hour in range(1, 25) if hour not in hours]
    for trace in (together, alone):
        assert trace["x"] == [DAY_OF_ONE[hour - 1] for hour in trace["y"]]
