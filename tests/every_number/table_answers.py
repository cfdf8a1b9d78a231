"""The answers of the table page as numbers with their lines, the picture of a table, and what k costs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.every_number.claims import Wrong, agrees, most, near
from tests.every_number.table_attack_truth import AttackedTable
from tests.every_number.table_truth import NoiseTruth, StackedTruth, StreamTruth

Shown = list[dict[str, str]]
STATES = ["hidden", "{} found", "record found", "", "left out", ""]
HIT = ["not hit", "hit: {}", "hit: record", "hit: presence", "left out", "not attacked"]


def told(answer: dict[str, str], name: str, value: Any, says: str = "") -> None:
    """An answer: its value a text, or a number with its rounding; what its line says, if it says no number."""
    said = answer["value"]
    right = said == value if isinstance(value, str) else agrees(value[0], said.removesuffix(value[2]), value[1])
    if answer["name"] != name or not right or says not in answer["line"]:
        raise Wrong(f"{answer} should be {name}: {value}, {says}")


def guessed(answer: dict[str, str], name: str, right: float, nothing: str) -> None:
    """So many guesses of 100, or nothing that is worth a number."""
    if right >= 0.99:
        told(answer, name, "nothing", nothing)
        return
    told(answer, name, (most("x", size=1e-5), 100 * right, " of 100"), "guesses between equally likely cases, at most")


def chance(loss: float) -> float:
    return 1 / (1 + math.exp(-min(loss, 700)))


# -- a table -----------------------------------------------------------------------------------------------------------


def some_columns(t: AttackedTable) -> str:
    return t.known if len(t.quasi) <= 3 else f"{len(t.quasi)} columns"


def states(t: AttackedTable) -> list[int]:
    """What is found of each person."""
    a, found = t.attack, [4] * t.n
    for rows in t.classes:
        alike = len({t.hidden[other] for other in rows}) == 1
        for row in rows:
            found[row] = 5 if a else 2 if len(rows) == 1 else int(alike)
    if a is None or a.name == "data correlation" or a.why_not:
        return found
    for row in a.rows:
        found[row] = 0
    for row in a.struck:
        if row >= 0:
            found[row] = {"attribute": 1, "identity": 2, "presence": 3}[a.told.discloses]
    return found


def table(t: AttackedTable, text: dict[str, Any]) -> None:
    useful, found, promised = text["answers"]
    if not t.kept:
        told(useful, "Useful", "nothing", "is published: no class has enough people.")
    else:
        told(useful, "Useful", (near("x"), t.detail, ""))
    if not t.kept:
        told(promised, "Promised", "nothing", "is promised, as nothing is released.")
    elif t.k == 1:
        told(promised, "Promised", "nothing", "Some class has one person: that record is known.")
    else:
        told(promised, "Promised", (most("x"), float(math.ceil(100 / t.k - 1e-9)), " of 100"))
    found_of(t, found)


def found_of(t: AttackedTable, found: dict[str, str]) -> None:
    a = t.attack
    if a is not None and a.name == "data correlation":
        told(found, "Found", (near("x"), 6 / 7, ""))
        return
    if a is not None and a.why_not:
        told(found, "Found", "nobody", "is found: this attack cannot be played here.")
        return
    if a is not None:
        all_, some = len(a.rows) + (a.name == "tuple equivalence"), len(a.struck)
    else:
        all_, some = t.n, states(t).count(1) + states(t).count(2)
    if all_ < 1000:
        told(found, "Found", f"{some} of {all_}")
    else:
        told(found, "Found", (near("x"), some / all_, ""))


def table_drawn(t: AttackedTable, described: dict[str, Any]) -> None:
    """The states that the legend explains, the sentence of the picture, and the two lines of the chart."""
    times = {code: some for code in range(6) if (some := states(t).count(code))}
    names = {code: (STATES if t.attack is None else HIT)[code].format(t.hides) for code in times}
    if described["scene"]["finds"] != [[code, name] for code, name in names.items()]:
        raise Wrong(f"{described['scene']['finds']} are not what is found: {names}")
    parts = [f"{names[code]} {some:,}" for code, some in times.items()]
    listed = " and ".join([*([", ".join(parts[:-1])] if parts[1:] else []), parts[-1]])
    if described["scene"]["said"].split(f" Of {t.n:,}: ")[1] != f"{listed}.":
        raise Wrong(f"{described['scene']['said']} does not say {listed}")
    chart = described["figures"]["cost"]
    ks = list(range(1, min(20, t.n) + 1))
    wanted = [t.at(k) for k in ks]
    traces = {trace["name"]: trace for trace in chart["figure"]["data"]}
    for which, name in enumerate(("detail left", f"{t.hides} found")):
        shown, right = traces.pop(name), [100 * point[which] for point in wanted]
        if shown["x"] != ks or not np.allclose(shown["y"], right, atol=1e-9):
            raise Wrong(f"{name} is drawn at {shown['y']}, and should be at {right}")
    if t.c.least in ks:
        now = traces.pop("now")
        if now["x"] != [t.c.least] * 2 or not np.allclose(now["y"], [100 * x for x in t.at(t.c.least)], atol=1e-9):
            raise Wrong(f"now is drawn at {now}")
    if traces:
        raise Wrong(f"nothing recomputes {list(traces)}")


def finding(t: AttackedTable) -> list[int]:
    """How many of each block are in each state, of a very large table."""
    found, of_person = [[0] * len(STATES) for _ in range(min(len(t.classes), 301))], states(t)
    for row in t.kept:
        found[min(t.of_row[row], 300)][of_person[row]] += 1
    return [times for one in found for times in one]


# -- noise -------------------------------------------------------------------------------------------------------------


def noise(t: NoiseTruth, shown: Shown) -> None:
    useful, found, promised = shown
    c = t.c
    if t.survey:
        told(useful, "Useful", (near("x"), t.error(100), ""), "is the standard error of a share")
    elif c.mechanism == "exponential":
        line = "is the chance that a district other than the most visited one is named."
        told(useful, "Useful", (near("x"), t.deviation, ""), line)
    else:
        where = "each of the five counts" if c.counted == "histogram" else "the count"
        told(useful, "Useful", (near("x"), t.deviation, ""), f"the noise in {where}.")
    told(found, "Found", (near("x"), t.after, ""))
    if t.epsilon == math.inf:
        told(promised, "Promised", "nothing", "A No is certainly true: whoever says it is found.")
        return
    right = 0.5 + math.erf(t.mu / 2 / math.sqrt(2)) / 2 if t.normal else chance(t.epsilon)
    guessed(promised, "Promised", right, "The release may reveal whether")


# -- a stream ----------------------------------------------------------------------------------------------------------


def stream(t: StreamTruth, shown: Shown) -> None:
    useful, day, promised = shown
    if t.c.level == "pan":
        line = "visits is the standard deviation of the one number that is published for the day."
        told(useful, "Useful", (near("x"), t.deviation, ""), line)
        all_day, loss = t.always, t.one
    else:
        line = "people is the standard deviation of the noise in an hour's count, on average."
        told(useful, "Useful", (near("x"), t.error(t.c.level), ""), line)
        all_day = t.day(t.c.level)
        loss = t.budgets["discounted"] if t.c.level == "discounted" else t.c.epsilon
    lost("All day", day, all_day, "about whether a visitor was there in every hour")
    if loss == math.inf:
        told(promised, "Promised", "nothing", "What is counted between two readings of the memory is revealed exactly.")
    else:
        lost("Promised", promised, loss, "about")


def lost(name: str, answer: dict[str, str], loss: float, what: str) -> None:
    guessed(answer, name, chance(loss), f"is promised {what}")
    if what not in answer["line"]:
        raise Wrong(f"{answer} should be {what}")


# -- adding up ---------------------------------------------------------------------------------------------------------


def stacked(t: StackedTruth, shown: Shown) -> None:
    left, often, promised = shown
    told(left, "Left", "nothing" if t.left < 1e-9 else (near("x", size=1e-9), t.left, ""))
    guessed(often, "Repeated", chance(t.c.repeats * t.together), "is promised after all are made")
    if not t.c.correlated:
        guessed(promised, "Promised", chance(t.together), "is promised about whether a person is in the data")
        return
    told(promised, "Promised", "nothing", "is promised about people who depend on each other")
