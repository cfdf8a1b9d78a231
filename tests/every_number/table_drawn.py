"""The tables and the charts of the table page, each value from its definition; what nothing knows fails."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.every_number.claims import DIGITS, Hole, Wrong, agrees, least, most, near
from tests.every_number.table_attack_truth import AttackedTable, nearly
from tests.every_number.table_truth import (
    DAY,
    LEVELS,
    TITLES,
    NoiseTruth,
    StackedTruth,
    StreamTruth,
    where,
    whom_it_protects,
)

TALLEST = 1e6
HUNDREDTHS = np.arange(101) / 100
SLACK = 1e-9


def held(cells: Sequence[str], expected: Sequence[tuple[Hole, Any] | str]) -> None:
    """A row of a table: each cell a text, or a number with its rounding."""
    for cell, want in zip(cells, expected, strict=True):
        if not (cell == want if isinstance(want, str) else agrees(want[0], cell, want[1])):
            raise Wrong(f"{cells} has {cell}, and should have {want}")


def behind(cell: str, before: str, after: str = "") -> str:
    if not (cell.startswith(before) and cell.endswith(after)):
        raise Wrong(f"{cell} does not say {before}...{after}")
    return cell[len(before) : len(cell) - len(after)]


def close(path: str, shown: Any, expected: Any, slack: float = SLACK) -> None:
    one, two = np.asarray(shown, float), np.asarray(expected, float)
    if one.shape != two.shape or not np.allclose(one, two, rtol=slack, atol=1e-12, equal_nan=True):
        raise Wrong(f"{path} is drawn at {one.tolist()}, and should be at {two.tolist()}")


# -- a table -----------------------------------------------------------------------------------------------------------


def table_rows(t: AttackedTable, rows: list[list[str]]) -> None:
    """Diversity is rounded down, closeness up: what is said holds."""
    if not t.kept:
        assert rows == []
        return
    wanted: list[tuple[str, str, Hole, float]] = [
        ("k-anonymity", "k = ", near("x"), t.k),
        ("distinct l-diversity", "l = ", near("x"), t.distinct),
        ("entropy l-diversity", "l = ", least("x", size=2e-9), t.entropy),
        ("recursive l-diversity", "l = ", near("x"), t.recursive),
        ("t-closeness", "t = ", most("x", size=2e-9), t.closeness),
    ]
    if t.ordered is not None:
        wanted.append(("t-closeness, ordered", "t = ", most("x", size=2e-9), t.ordered))
    for row, (name, before, hole, value) in zip(rows, wanted, strict=True):
        held([row[0], behind(row[1], before)], [name, (hole, value)])


def table_said(t: AttackedTable, text: dict[str, Any]) -> None:
    """What is said without a number, only where it is true, and always then; and steps that fit each other."""
    words, steps = text["words"], text["told"]["steps"]
    warnings = " ".join(words["warnings"])
    said = [
        ("for certain if nobody else looks the same", words["paragraph"], t.k == 1),
        ("There is nothing to measure.", words["paragraph"], not t.kept),
        ("are left out.", words["paragraph"], t.lost > 1 and bool(t.kept)),
        ("nothing about those who are alone in a class", words["assumption"], t.k == 1),
        ("everybody, as nothing is released", words["assumption"], not t.kept),
        ("There is one class", warnings, len(t.classes) == 1 and t.n > 1),
        ("alone in a class", warnings, t.alone > 0),
        ("that counts as a value of its own", warnings, None in t.hidden),
        ("a missing value counts as a value", warnings, t.lacking > 0),
        ("their absence alone may reveal that someone is missing", warnings, t.lost > 0),
    ]
    if t.attack is not None and t.attack.name != "data correlation":
        assert len(steps) == (2 if t.attack.why_not else 4), steps
        everything = " ".join(step["text"] for step in steps)
        said += [
            ("Here nobody is hit.", everything, not t.attack.why_not and not t.attack.hits and not _alone(t)),
            ("Here each release gives that away by itself.", everything, not t.attack.why_not and _alone(t)),
            (t.attack.why_not or "NEVER SAID", everything, bool(t.attack.why_not)),
            ("it is met.", everything, not t.attack.why_not and t.attack.met),
            ("to more than 99 %", everything, nearly(t)),
        ]
        if t.attack.measure:
            _limit(t, steps[3]["text"])
    for sentence, where_, true in said:
        if (sentence in where_) != true:
            raise Wrong(f"“{sentence}” is {'true, and not said' if true else 'said, and not true'}: {where_}")


def table_named(t: AttackedTable, said: str) -> None:
    """What was uploaded: its name and its size."""
    cells = sum(row.count(None) for row in t.held.rows)
    sizes = [f"{n:,} {noun}{'' if n == 1 else 's'}" for n, noun in ((t.n, "row"), (len(t.held.heads), "column"))]
    empty = f"; {cells:,} cell{' has' if cells == 1 else 's have'} no value" if cells else ""
    line = f"{t.held.name}: {', '.join(sizes)}{empty}." if t.c.table == "own" else ""
    if said != line:
        raise Wrong(f"{said} is not what was uploaded: {line}")


def _alone(t: AttackedTable) -> bool:
    a = t.attack
    return a is not None and not a.hits and a.needed <= 1 and a.at_least


def _limit(t: AttackedTable, text: str) -> None:
    """Anyone who compares the two numbers that are said finds what is said of them."""
    have, _, rest = text.partition(" is ")[2].rpartition(" and must be at ") if " is " in text else ("", "", "")
    have = have.rpartition(" is ")[2] or have
    need = rest.split(" ")[1].rstrip(":")
    if need == "more":
        return
    one, two = (float(number.replace(",", "")) for number in (have, need))
    if (one >= two if t.attack.at_least else one <= two) != t.attack.met:
        raise Wrong(f"{have} and {need} do not show whether it is met: {text}")


# -- noise -------------------------------------------------------------------------------------------------------------


def noise_rows(t: NoiseTruth, rows: list[list[str]]) -> None:
    wanted: list[list[Any]] = [["ε of the release", (near("x"), t.epsilon), "e^ε bounds every ratio of chances"]]
    if t.normal:
        wanted = [
            ["ε", (near("x"), t.c.epsilon), "as chosen"],
            ["δ at this ε", (most("x"), t.delta), "above 0 at every ε"],
        ]
    if t.counts or t.c.mechanism == "exponential":
        kept = "replacing one person" if t.c.neighbours == "replace" else "adding or removing one person"
        sensitivity = t.sensitivity if t.counts else 1
        said, how = ("√2" if sensitivity == 2 else "1", ", as a distance") if t.normal else (str(sensitivity), "")
        wanted.append(["sensitivity", said, f"the most that {kept} changes{how}"])
    if t.normal:
        wanted.append(["σ, the standard deviation", (near("x"), t.c.sigma), "as chosen"])
        wanted.append(["μ", (near("x"), t.mu), "sensitivity / σ"])
        wanted.append(["chance of a larger ratio than e^ε", (near("x"), t.beyond), "for the true input"])
    elif t.counts:
        wanted.append(["scale of the noise", (near("x"), t.scale), "sensitivity / ε"])
    wanted.append(["largest ratio" if t.normal else "largest ratio drawn", (near("x"), t.largest), where(t)])
    *rows, capacity, security = rows
    more = behind(capacity[1], "at most "), behind(security[1], "at least ")
    held(more, [(most("x", size=2e-6), t.capacity), (least("x", size=2e-6), t.security)])
    held([capacity[0], security[0]], ["Bayes capacity", "Bayes security"])
    after = t.said if t.labels else rows[-1][2].removeprefix("output: ")
    wanted.append(["belief, at most", (most("x"), t.certain), f"from {rows[-2][2].removeprefix('from ')}"])
    wanted.append(["after the output drawn", (near("x", size=1e-12), t.after), f"output: {after}"])
    for row, want in zip(rows, wanted, strict=True):
        held(row, want)
    held([rows[-2][2].removeprefix("from ")], [(near("x"), t.c.prior)])
    if not t.labels:
        held([after], [(near("x", size=1e-9), t.drawn)])


def noise_drawn(t: NoiseTruth, figures: dict[str, Any]) -> None:
    assert set(figures) == {"outputs", "ratio", "belief", "tests", "people"}
    for name, drawn in figures.items():
        for trace in drawn["figure"]["data"]:
            draws = {"outputs": _outputs, "ratio": _ratio, "belief": _belief, "tests": _tests, "people": _people}
            draws[name](t, trace)
    ticks(figures["ratio"]["figure"]["layout"]["yaxis"])
    ticks(figures["people"]["figure"]["layout"]["yaxis"])
    ticks(figures["people"]["figure"]["layout"]["xaxis"])
    outputs, likely = (figures[name]["figure"]["data"][0]["x"] for name in ("outputs", "ratio"))
    close("ratio", likely, outputs)
    for level in figures["ratio"]["figure"]["data"][1:]:
        close("the level", level["x"], [outputs[0] - 0.5, outputs[-1] + 0.5])
    error, wanted, _ = figures["people"]["figure"]["data"]
    close("wanted", wanted["x"], [1, error["x"][-1]])
    for name in ("outputs", "ratio") if t.labels else ():
        axis = figures[name]["figure"]["layout"]["xaxis"]
        assert axis["ticktext"] == [label.removeprefix("answer ") for label in t.labels]
        close(name, axis["tickvals"], range(len(t.labels)))


def ticks(axis: dict[str, Any]) -> None:
    """A tick stands where its words say."""
    for value, text in zip(axis["tickvals"], axis["ticktext"], strict=True):
        if text.startswith("10^"):
            number = 10.0 ** int(text[3:])
        else:
            number = 1 / float(text[2:]) if text.startswith("1/") else float(text.replace(",", ""))
        close("a tick", value, number)


def _chances(t: NoiseTruth, x: Sequence[float], second: bool) -> list[float]:
    if t.labels:
        close("outputs", x, range(len(t.labels)))
        return t.chances[second]
    return [t.of_output(output, 1 if second else 2) for output in x]


def _outputs(t: NoiseTruth, trace: dict[str, Any]) -> None:
    other = "Huey is not there" if t.c.neighbours == "add" else "Huey is at Opéra instead"
    names = [f"the truth is {label}" for label in t.labels[:2]] if t.survey else ["Huey is at Montmartre", other]
    if trace["name"] == "one draw":
        close("one draw", trace["y"], [0])
        if t.labels or trace["x"][0] == t.drawn:
            close("one draw", trace["x"], [t.drawn])
        else:  # at the end of the chart
            assert abs(trace["x"][0] - 1.5) < abs(t.drawn - 1.5), trace
        return
    close(trace["name"], trace["y"], _chances(t, trace["x"], bool(names.index(trace["name"]))))


def _ratio(t: NoiseTruth, trace: dict[str, Any]) -> None:
    if trace["name"] == "ratio":
        one, two = (np.array(_chances(t, trace["x"], second)) for second in (False, True))
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            if t.labels:
                ratios = one / two
            else:
                x = np.array(trace["x"])
                ratios = np.exp((abs(x - 1) - abs(x - 2)) / t.scale)
                if t.normal:
                    ratios = np.exp(np.clip((2 * x - 3) / (2 * t.scale**2), -700, 700))
        close("ratio", trace["y"], np.clip(ratios, 1 / TALLEST, TALLEST), 1e-7)
    else:
        sign = {"e^ε": 1, "e^−ε": -1}[trace["name"]]
        close(trace["name"], trace["y"], [math.exp(sign * t.epsilon)] * 2)


def _belief(t: NoiseTruth, trace: dict[str, Any]) -> None:
    x = trace["x"]
    if trace["name"] in ("this belief", "after the draw"):
        close(trace["name"], x, [t.c.prior])
    wanted = {
        "at most": [t.at_most(p) for p in x],
        "at least": [t.at_least(p) for p in x],
        "unchanged": x,
        "this belief": [t.at_most(t.c.prior)],
        "after the draw": [t.after],
    }[trace["name"]]
    close(trace["name"], trace["y"], wanted, 1e-7)


def _tests(t: NoiseTruth, trace: dict[str, Any]) -> None:
    """The best test to a few thousandths: its other computation has a lattice of its own."""
    x, y = trace["x"], trace["y"]
    close("false alarms", x, [0, 1] if trace["name"] == "guessing" else HUNDREDTHS)
    if trace["name"] == "best test":
        assert abs(y[0] - t.missed(x[:1])[0]) < 1e-9 or y[0] == 1, "at no false alarms nothing has to be found"
        assert y[-1] == 0
        assert np.abs(np.array(y) - t.missed(x))[1:-1].max() < (4e-3 if t.counts and not t.normal else 1e-9), (x, y)
    else:
        wanted = [1, 0] if trace["name"] == "guessing" else t.allowed(x)
        assert trace["name"] in ("guessing", "ε and δ allow" if t.normal else "ε allows")
        close(trace["name"], y, wanted, 1e-7)


def _people(t: NoiseTruth, trace: dict[str, Any]) -> None:
    if trace["name"] == "error":
        close("error", trace["y"], [t.error(n) for n in trace["x"]], 1e-7)
    elif trace["name"] == "wanted":
        close("wanted", trace["y"], [t.c.wanted] * 2)
    else:
        assert trace["name"] == "people needed", trace
        needed = t.needed
        close("people needed", trace["x"], [float(str(needed).replace(",", ""))], 1e-9)
        close("people needed", trace["y"], [t.c.wanted])


# -- a stream ----------------------------------------------------------------------------------------------------------


def stream_rows(t: StreamTruth, rows: list[list[str]]) -> None:
    for level, row in zip(LEVELS, rows[:-1], strict=True):
        error = behind(row[2], "", " people")
        numbers = [(near("x"), t.budgets[level]), (near("x"), t.error(level)), (near("x"), t.day(level))]
        held(
            [row[0], row[1], error, row[3], row[4]],
            [TITLES[LEVELS.index(level)], *numbers, whom_it_protects(t, level)],
        )
    last = rows[-1]
    single = "anyone's single visit, even if the memory is seized"
    who = single if t.one < math.inf else "not what lies between two readings"
    numbers = [(near("x"), t.deviation), (near("x"), t.always)]
    held(
        [last[0], last[1], behind(last[2], "", " people"), last[3], last[4]],
        ["Pan-private", "one number", *numbers, who],
    )


def stream_drawn(t: StreamTruth, figures: dict[str, Any]) -> None:
    assert set(figures) == {"counts", "counter", "budgets", "districts"}
    hours = list(range(1, 25))
    readings, output = t.counter
    level = t.c.level
    of = {
        "counts": {"true": (hours, DAY), "landmark": ([h + 1 for h in t.c.landmarks], [0] * len(t.c.landmarks))},
        "counter": {
            "true sum so far": (hours, [sum(DAY[: k + 1]) for k in range(24)]),
            "read by an intruder": ([h + 1 for h in t.c.intrusions], readings),
            "output": ([25], [output]),
        },
        "budgets": {TITLES[k]: (hours, [t.budgets[name]] * 24) for k, name in enumerate(LEVELS)},
    }
    if level != "pan":
        name = f"released: {TITLES[LEVELS.index(level)]}"
        of["counts"][name] = (hours, np.array(DAY) + t.noise / t.budgets[level])
    seen = set()
    for figure, drawn in figures.items():
        for trace in drawn["figure"]["data"] if figure in of else []:
            x, y = of[figure][trace["name"]]
            close(trace["name"], trace["x"], x)
            close(trace["name"], trace["y"], y)
            seen.add(trace["name"])
            if "error_y" in trace:
                close("the spread", trace["error_y"]["array"], [t.deviation])
    missing = {name for names in of.values() for name in names} - seen
    assert missing <= {"landmark" if not t.c.landmarks else "", "read by an intruder" if not t.c.intrusions else ""}
    ticks(figures["budgets"]["figure"]["layout"]["yaxis"])


def stream_said(t: StreamTruth, text: dict[str, Any]) -> None:
    words = text["words"]
    warnings, pan = " ".join(words["warnings"]), t.c.level == "pan"
    none, exactly = not t.c.intrusions, t.one == math.inf
    who = words["assumption"]
    told = [
        ("not even a single visit", who, pan and exactly),
        ("only: nobody may read the memory", who, pan and none and not t.c.fresh and not t.c.announced),
        ("reads the memory once, or", who, pan and t.c.fresh and not exactly),
        ("reads the memory, each time", who, pan and not t.c.fresh and t.c.announced and not exactly),
        ("after the last hour", who, pan and not (exactly or none or t.c.fresh or t.c.announced)),
        ("There is no landmark yet", warnings, t.c.level == "landmark" and not t.c.landmarks),
        ("Without noise of its own", warnings, exactly and not t.c.fresh),
        ("Two unannounced intrusions", warnings, exactly and t.c.fresh),
        ("reads the memory as marked", words["paragraph"], pan and not none),
        ("one visit before the first", words["paragraph"], t.twice is not None),
    ]
    for sentence, where_, true in told:
        if (sentence in where_) != true:
            raise Wrong(f"“{sentence}” is {'true, and not said' if true else 'said, and not true'}: {where_}")


# -- adding up ---------------------------------------------------------------------------------------------------------


def stacked_rows(t: StackedTruth, rows: list[list[str]], stack: list[dict[str, Any]]) -> None:
    bad = t.c.correlated
    pairs = [
        ("sequential: from everybody", t.everybody, t.two_alike if bad else t.everybody),
        ("parallel: disjoint parts", t.largest, t.family if bad else t.largest),
    ]
    for row, (name, says, here) in zip(rows, pairs, strict=False):
        held(row[:3], [name, (most("x"), says), (most("x"), here)])
    held(rows[2][:3], ["post-processing", "0", "0"])
    odds = [(most("x"), t.odds(both=False)), (most("x"), t.odds(both=True))]
    held([rows[3][0], *(behind(cell, "", " times") for cell in rows[3][1:3])], ["two coins: odds of Donald", *odds])
    times = f"{t.c.repeats:,} times"
    held(rows[4], [f"{times}, by sums", (most("x"), t.repeated), (most("x"), t.repeated), "of one person, δ = 0"])
    for row, (what, how) in zip(rows[5:], t.HOW.items(), strict=True):
        held([row[0], behind(row[3], f"{how}, δ = ")], [f"{times}, {what}", (near("x"), t.c.delta)])
        at = t.at_delta(what)
        held(row[1:3], [(most("x", slack=3e-3, size=5e-4 * t.repeated), at)] * 2)
    for k, block in enumerate(stack):
        held([block["said"]], [(near("x"), t.stack[k][0])])


def stacked_drawn(t: StackedTruth, figures: dict[str, Any]) -> None:
    assert set(figures) == {"rules", "belief", "tests"}
    says, true = [t.everybody, t.largest, 0], [t.two_alike, t.family, 0]
    beliefs = [t.belief(None, None), t.belief(0, None), t.belief(0, 0)]
    wanted = {
        "the rule says": says,
        "may be true here": true if t.c.correlated else says,
        "Donald is at work": beliefs,
        "most by ε = ln 3": [t.belief(0, None)] * 2,
    }
    for trace in figures["tests"]["figure"]["data"]:
        close("false alarms", trace["x"], HUNDREDTHS if trace["name"] != "guessing" else [0, 1])
        missed = t.missed(trace["name"], trace["x"])
        assert (trace["x"][0], trace["y"][0], trace["x"][-1], trace["y"][-1]) == (0, 1, 1, 0)
        assert np.abs(np.array(trace["y"]) - missed)[1:-1].max(initial=0) < 4e-3, trace["name"]
    belief = figures["belief"]["figure"]
    for trace in belief["data"]:
        close(trace["name"], trace["x"], [-0.5, 2.5] if trace["name"].startswith("most") else [0, 1, 2])
    close("the beliefs", belief["layout"]["xaxis"]["tickvals"], [0, 1, 2])
    for name, drawn in figures.items():
        for trace in drawn["figure"]["data"] if name != "tests" else []:
            close(trace["name"], trace["y"], wanted.pop(trace["name"]))
            for said, value in zip(trace.get("text", []), trace["y"], strict=False):
                held([said], [(Hole("x", DIGITS), value)])
    assert not wanted


def stacked_said(t: StackedTruth, text: dict[str, Any]) -> None:
    words = text["words"]
    computed = sum(e == 0 for e, _ in t.stack)
    told = [
        ("computed from releases alone costs nothing", words["paragraph"], computed > 0),
        ("the data are correlated", words["paragraph"], t.c.correlated),
        ("the largest sum counts", words["paragraph"], t.largest > 0),
        ("has run out", words["paragraph"], t.left < 1e-9),
        ("No composition rule holds", " ".join(words["warnings"]), t.c.correlated),
        ("the two largest parts add up", " ".join(words["warnings"]), sorted(t.parts)[-2] > 0),
    ]
    for sentence, where_, true in told:
        if (sentence in where_) != true:
            raise Wrong(f"“{sentence}” is {'true, and not said' if true else 'said, and not true'}: {where_}")
