"""The answers of the table page as numbers with their lines, the picture of a table, and what k costs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.every_number.claims import Pattern, Wrong, agrees, most, near
from tests.every_number.table_attack_truth import AttackedTable
from tests.every_number.table_truth import AddingTruth, NoiseTruth, StreamTruth

Shown = list[dict[str, str]]
STATES = ["hidden", "{} found", "record found", "", "left out", ""]
HIT = ["not hit", "hit: {}", "hit: record", "hit: presence", "left out", "not attacked"]


def told(answer: dict[str, str], name: str, value: Any, line: str, **holes: Any) -> None:
    """An answer: its value a text, or a number with its rounding; its line a sentence whose numbers are all checked."""
    said = answer["value"]
    right = said == value if isinstance(value, str) else agrees(value[0], said.removesuffix(value[2]), value[1])
    pattern = Pattern(line, **holes)
    spans = list(pattern.claim(answer["line"], None))
    if answer["name"] != name or not right or spans != [(0, len(answer["line"]))]:
        raise Wrong(f"{answer} should be {name}: {value}, {line}")


def guessed(answer: dict[str, str], name: str, right: float, line: str, nothing: str, **holes: Any) -> None:
    """So many guesses of 100, or nothing that is worth a number."""
    if right >= 0.99:
        told(answer, name, "nothing", nothing, **holes)
        return
    told(answer, name, (most("x", size=1e-5), 100 * right, " of 100"), f"{line} {{half}} is chance.", half=lambda _: 50)


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
    holes: dict[str, Any] = {"known": lambda _: some_columns(t)}
    if not t.kept:
        told(useful, "Useful", "nothing", "is published: no class has enough people.")
    else:
        lost = "nobody is" if not t.lost else "one person is" if t.lost == 1 else f"{t.lost:,} people are"
        line = f"of the detail of {{known*}} is left; {lost} left out."
        told(useful, "Useful", (near("x"), t.detail, ""), line, **holes)
    if not t.kept:
        told(promised, "Promised", "nothing", "is promised, as nothing is released.")
    elif t.k == 1:
        told(promised, "Promised", "nothing", "Some class has one person: that record is known.")
    else:
        line = "guesses, at most, pick a person's record (k = {k#}); nothing is promised about {hides*}."
        more = {"k": lambda _: t.k, "hides": lambda _: t.hides}
        told(promised, "Promised", (most("x"), float(math.ceil(100 / t.k - 1e-9)), " of 100"), line, **more)
    found_of(t, found)


def found_of(t: AttackedTable, found: dict[str, str]) -> None:
    a = t.attack
    if a is not None and a.name == "data correlation":
        line = "is the belief that Donald is at work after his answer and Dewey's; after his alone, {own}."
        told(found, "Found", (near("x"), 6 / 7, ""), line, own=lambda _: 0.75)
        return
    if a is not None and a.why_not:
        told(found, "Found", "nobody", "is found: this attack cannot be played here.")
        return
    if a is not None:
        all_, some = len(a.rows) + (a.name == "tuple equivalence"), len(a.struck)
        what = {"attribute": f"their {t.hides}", "identity": "their record", "presence": "their presence"}
        line, holes = "people are hit by this attack: it reveals {what*}.", {"what": lambda _: what[a.told.discloses]}
    else:
        all_, some = t.n, states(t).count(1) + states(t).count(2)
        how = {0: "nobody is", 1: "one is"}.get(t.alone, f"{t.alone:,} are")
        line = "people's {hides*} follows from {known*}; {how*} alone in a class."
        holes = {"hides": lambda _: t.hides, "known": lambda _: some_columns(t), "how": lambda _: how}
    if all_ < 1000:
        told(found, "Found", f"{some} of {all_}", line, **holes)
    else:
        told(found, "Found", (near("x"), some / all_, ""), f"of {{all#}} {line}", all=lambda _: all_, **holes)


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
    (first, last) = wanted[0], wanted[-1]
    sentence = (
        "With k from {one#} to {most#}, the detail that is left goes from {a} to {b}, and the share of people whose {hides*} "
        "is found from {c} to {d}."
    )
    ends = {"a": first[0], "b": last[0], "c": first[1], "d": last[1], "one": 1, "most": ks[-1], "hides": t.hides}
    holes = {name: (lambda _, value=value: value) for name, value in ends.items()}
    if list(Pattern(sentence, **holes).claim(chart["summary"], None)) != [(0, len(chart["summary"]))]:
        raise Wrong(f"{chart['summary']} does not say what is drawn")


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
        line = "is the standard error of a share from {hundred#} people; {n#} reach {wanted}."
        holes = {"hundred": lambda _: 100, "n": lambda _: t.needed, "wanted": lambda _: c.wanted}
        told(useful, "Useful", (near("x"), t.error(100), ""), line, **holes)
    elif c.mechanism == "exponential":
        line = "is the chance that a district other than the most visited one is named."
        told(useful, "Useful", (near("x"), t.deviation, ""), line)
    else:
        where = "each of the five counts" if c.counted == "histogram" else "the count"
        line = "people is the standard deviation of the noise in {where*}."
        told(useful, "Useful", (near("x"), t.deviation, ""), line, where=lambda _: where)
    what = "Huey is at Montmartre" if not t.survey else f"the truth is {t.labels[0]}"
    prior, said = {"prior": lambda _: c.prior}, {"said": lambda _: t.said} if t.labels else {"said": lambda _: t.drawn}
    drawn = "{said*}" if t.labels else "{said}"
    line = f"is the belief that {what} after the output drawn, {drawn}; {{prior}} before."
    told(found, "Found", (near("x"), t.after, ""), line, **prior, **said)
    if t.epsilon == math.inf:
        told(promised, "Promised", "nothing", "A No is certainly true: whoever says it is found.")
        return
    right = 0.5 + math.erf(t.mu / 2 / math.sqrt(2)) / 2 if t.normal else chance(t.epsilon)
    line = f"guesses between equally likely cases, at most, are right about whether {what};"
    guessed(promised, "Promised", right, line, f"The release may reveal whether {what}.")


# -- a stream ----------------------------------------------------------------------------------------------------------


def stream(t: StreamTruth, shown: Shown, whom_it_protects: Any) -> None:
    useful, day, promised = shown
    if t.c.level == "pan":
        line = "visits is the standard deviation of the one number that is published for the day."
        told(useful, "Useful", (near("x"), t.deviation, ""), line)
        all_day, loss, whom = t.always, t.one, "anyone's single visit"
    else:
        line = "people is the standard deviation of the noise in an hour's count, on average."
        told(useful, "Useful", (near("x"), t.error(t.c.level), ""), line)
        level = "event" if t.c.level == "discounted" else t.c.level
        all_day, whom = t.day(t.c.level), whom_it_protects(t, level)
        loss = t.budgets["discounted"] if t.c.level == "discounted" else t.c.epsilon
    lost("All day", day, all_day, "about whether a visitor was there in every hour")
    if loss == math.inf:
        told(promised, "Promised", "nothing", "What is counted between two readings of the memory is revealed exactly.")
    else:
        lost("Promised", promised, loss, f"about {whom}")


def lost(name: str, answer: dict[str, str], loss: float, what: str) -> None:
    cost = {"cost": most(lambda _: loss)} if loss < math.inf else {}
    nothing = f"is promised {what}{': that may cost ε = {cost}' if cost else ''}."
    guessed(
        answer,
        name,
        chance(loss),
        f"guesses between equally likely cases, at most, are right {what};",
        nothing,
        **cost if chance(loss) >= 0.99 else {},
    )


# -- adding up ---------------------------------------------------------------------------------------------------------


def adding(t: AddingTruth, shown: Shown) -> None:
    left, often, promised = shown
    budget = {"budget": lambda _: t.c.budget}
    if t.left < 1e-9:
        told(left, "Left", "nothing", "of the budget of {budget} is left.", **budget)
    else:
        value = (near("x", size=1e-9), t.left, "")
        told(left, "Left", value, "of the budget of {budget} is left for further releases.", **budget)
    times = "once" if t.c.repeats == 1 else f"{t.c.repeats:,} times"
    cost = t.c.repeats * t.together
    summed(often, "Repeated", cost, f"after all are made {times}, by sums")
    if not t.c.correlated:
        summed(promised, "Promised", t.together, "about whether a person is in the data")
        return
    line = "is promised about people who depend on each other: two answers take a belief to {both}, one to {own}."
    holes = {"both": lambda _: t.belief(0, 0), "own": lambda _: t.belief(0, None)}
    told(promised, "Promised", "nothing", line, **holes)


def summed(answer: dict[str, str], name: str, loss: float, when: str) -> None:
    cost = {"cost": most(lambda _: loss, slack=1e-9)} if chance(loss) >= 0.99 else {}
    nothing = f"is promised {when}: ε = {{cost}}."
    guessed(
        answer, name, chance(loss), f"guesses between equally likely cases, at most, are right {when};", nothing, **cost
    )
