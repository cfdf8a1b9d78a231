"""The tables, the story and the charts of the series page, each value from its definition."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from tests.every_number.claims import (
    DIGITS,
    Hole,
    Wrong,
    agrees,
    most,
)
from tests.every_number.series_page_names import SOLVED, TITLES, moved_by, rounded, solved, worst_node
from tests.every_number.series_page_truth import QuiltTruth

# -- the answers -------------------------------------------------------------------------------------------------------


def answers(t: QuiltTruth, shown: list[dict[str, str]]) -> None:
    """The values of the tiles: how far off a bar is, the nearby set, and the best guess about one timestamp."""
    useful, hidden, promised = (answer["value"] for answer in shown)
    left, right = t.quilt
    near = (t.T if right is None else right) - (0 if left is None else left + 1)
    near = {"group": t.T, "entry": 1}.get(t.c.mechanism, near)
    chance, look = 1 / (1 + math.exp(-min(t.epsilon, 700))), shown[2]["look"]
    if t.sigmas[t.c.mechanism] is None:
        held = [useful == "nothing", hidden == "all", promised == "no promise", look == "grey"]
    else:
        held = [takes(t, useful, moved_by(t)), takes(t, hidden, near)]
        if (t.c.mechanism != "entry" or t.independent) and chance < 0.99:
            held.append(agrees(most("x"), promised.removesuffix(" of 100"), 100 * chance))
            held.append(look == ("red" if chance > 0.9 else "amber" if chance > 0.75 else ""))
        else:
            held.append((promised, look) == ("no promise", "red"))
    if not all(held):
        raise Wrong(f"{useful}, {hidden}, {promised}: {held}, {moved_by(t)}, {chance}")


def takes(t: QuiltTruth, text: str, timestamps: float) -> bool:
    """Whether so many timestamps take what the text says."""
    minutes = t.clock[0]
    if text == ("less than one timestamp" if minutes is None else "less than a minute"):
        return timestamps * (minutes or 1) < 0.951
    number, unit = text.split()
    size = {"min": 1.0, "h": 60.0}[unit] if minutes is not None else 1.0
    held = unit in ("timestamp", "timestamps") if minutes is None else (unit == "h") == (timestamps * minutes >= 89.499)
    return held and agrees(
        Hole("x", DIGITS, SOLVED, 1e-9), number, timestamps * (minutes or 1) / size
    )  # "7 min" of 6.8


# -- tables ------------------------------------------------------------------------------------------------------------


def rows(t: QuiltTruth, shown: list[list[str]]) -> None:
    """The comparison: sigma, the noise of a bar, the mean error, and whether it protects."""
    for (name, title), row in zip(TITLES.items(), shown, strict=True):
        sigma = t.sigmas[name]
        if sigma is None:
            if row != [title, "not applicable", "", "", "–"]:
                raise Wrong(f"{name} is not applicable, and is said to be {row}")
            continue
        held = [row[0] == title, agrees(solved("x"), row[1], sigma), agrees(solved("x"), row[2], t.noise(name))]
        held += [
            agrees(solved("x"), row[3], t.error(name)),
            row[4] == ("yes" if name != "entry" or t.independent else "no, not here"),
        ]
        if not all(held):
            raise Wrong(f"{row} {held}: {sigma}, {t.noise(name)}, {t.error(name)}")


STORY = re.compile(
    r"A day has two hours. In each, the state is 0, 1 or 2, all equally likely; the second repeats the first "
    r"with probability (?P<stay>\S+)\.\n"
    r"Alice learns the sum of the two states modulo 3, true with probability (?P<truth>\S+), "
    r"otherwise random\. Her odds of any state change by a "
    r"factor of at most (?P<alice>\S+) "
    r"\(epsilon (?P<e_alice>\S+)\)\.\n"
    r"Bob learns the first state plus twice the second, in the same way\. "
    r"His odds change by a factor of at most (?P<bob>\S+) \(epsilon (?P<e_bob>\S+)\)\.\n"
    r"If they meet, the outputs (?P<a>\d) and (?P<b>\d) change the odds of (?P<x>\d) against (?P<y>\d) in hour "
    r"(?P<i>\d) by a factor of (?P<both>\S+) \(epsilon (?P<e_both>\S+)\); the sum of the two would have been (?P<sum>\S+)\.\n"
    r"The sum ignores how far the two outputs are from independent once a state is known\. The max-divergence measures "
    r"this \(Song and Chaudhuri 2017, Definition III\.5\): the largest log ratio of the probabilities that two "
    r"distributions assign to the same outcome\. Between the pair of outputs and two independent ones, given any state and "
    r"in either direction, it is E = (?P<E>\S+)\.\n"
    r"Theorem III\.6 adds it twice, which is valid for any two releases: (?P<one>\S+) \+ (?P<two>\S+) \+ 2 × "
    r"(?P<apart>\S+) = (?P<bound>\S+)\. What they actually reach together, (?P<really>\S+), "
    r"is (?P<beside>less|exactly that)\."
)


def story(t: QuiltTruth, shown: list[str]) -> None:
    """The story's fractions exactly, bounds never below their value, the sum as a reader adds it."""
    found, true = STORY.fullmatch("\n".join(shown)), t.story
    if found is None:
        raise Wrong(f"nothing recomputes {shown}")
    for name in ("stay", "truth", "alice", "bob", "both"):
        if Fraction(found[name]) != true[name]:
            raise Wrong(f"{name} is said to be {found[name]}, and is {true[name]}")
    i, x, y, a, b = (int(found[k]) for k in "ixyab")
    if true["joint"][i - 1, x, a, b] / true["joint"][i - 1, y, a, b] != true["both"]:
        raise Wrong(f"the outputs {a} and {b} are not the worst: {shown}")
    e = epsilons(t)
    at_most = {"e_alice": e["alice"], "e_bob": e["bob"], "sum": e["sum"]}
    nearest = {"e_both": e["both"], "really": e["both"], "E": e["apart"], "one": e["alice"], "two": e["bob"]}
    nearest |= {"apart": e["apart"], "bound": e["bound"]}
    for hole, values in ((most("x", size=1e-9), at_most), (Hole("x", DIGITS), nearest)):
        for name, value in values.items():
            if not agrees(hole, found[name], value) or (found[name] == "0") != (value == 0):
                raise Wrong(f"{name} is said to be {found[name]}, and is {value}")
    one, two, apart, whole = (Decimal(found[name]) for name in ("one", "two", "apart", "bound"))
    if rounded(one + two + 2 * apart, found["bound"]) != whole or (found["beside"] == "less") != (
        e["both"] < e["bound"] - 1e-9
    ):
        raise Wrong(f"it does not add up: {shown}")


def epsilons(t: QuiltTruth) -> dict[str, float]:
    """Logarithms of the story's ratios, their sum, and what any two releases guarantee."""
    e = {name: math.log(t.story[name]) for name in ("alice", "bob", "both", "apart")}
    return e | {"sum": e["alice"] + e["bob"], "bound": e["alice"] + e["bob"] + 2 * e["apart"]}


# -- figures -----------------------------------------------------------------------------------------------------------


def close(path: str, shown: Any, expected: Any) -> None:
    one, two = np.asarray(shown, float), np.asarray(expected, float)
    if one.shape != two.shape or not np.allclose(one, two, rtol=SOLVED, atol=1e-9):
        raise Wrong(f"{path} is drawn at {one.tolist()}, and should be at {two.tolist()}")


def drawn(t: QuiltTruth, figures: dict[str, Any]) -> None:
    """Every mark, bar and level at the number that it stands for."""
    for name, figure in figures.items():
        for trace in figure["data"]:
            {
                "influence": _influence,
                "nodes": _nodes,
                "histogram": _bars,
                "methods": _methods,
                "stack": _stack,
                "gap": _gap,
                "story": _story,
            }[name](t, trace)
    _axes(t, figures)
    ticks = figures["methods"]["layout"]["yaxis"]
    for value, text in zip(ticks["tickvals"], ticks["ticktext"], strict=True):
        close("a tick", float(text.replace(",", "")), value)


def _axes(t: QuiltTruth, figures: dict[str, Any]) -> None:
    """The names below the bars, where each mechanism stands, and gaps in whole numbers."""
    axis = figures["histogram"]["layout"]["xaxis"]
    for at, said in zip(axis["tickvals"], axis["ticktext"], strict=True):
        if said != t.labels[at] and not (said.endswith("…") and t.labels[at].startswith(said[:-1])):
            raise Wrong(f"the bar of {t.labels[at]} is called {said}")
    methods = figures["methods"]["layout"]
    close("the mechanisms", methods["xaxis"]["tickvals"], range(len(TITLES)))
    missing = [k for k, name in enumerate(TITLES) if t.sigmas[name] is None]
    close("not applicable", [note["x"] for note in methods.get("annotations", [])], missing)
    gaps = figures["gap"]["layout"]["xaxis"].get("tickvals", [])
    if gaps != [k for k in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000) if k <= max(2, t.widest)]:
        raise Wrong(f"the ticks of the gap are {gaps}")


def small(described: dict[str, Any]) -> None:
    """The histogram of the present settings' card is that of the page."""
    names = ("name", "x", "y", "error_y")
    shown, large = (
        [[trace.get(name) for name in names] for trace in figure["data"]]
        for figure in (described["small"]["Now"], described["figures"]["histogram"]["figure"])
    )
    if shown != large:
        raise Wrong(f"the card shows {shown}, the page {large}")


def _influence(t: QuiltTruth, trace: dict[str, Any]) -> None:
    if trace["name"] == "the quilt":
        left, right = t.quilt
        ends = [(t.node - left, t.past)] if left is not None else []
        ends += [(right - t.node, t.future)] if right is not None else []
        known = [(d, float(side[d - 1])) for d, side in ends if math.isfinite(side[d - 1])]
        close("the quilt", trace["x"], [d for d, _ in known])
        close("the quilt", trace["y"], [e for _, e in known])
    elif trace["name"].startswith("ε"):
        close("ε", trace["y"], [t.epsilon] * 2)
        close("ε", trace["x"], [1, max(1, min(t.T - 1, 2000))])
    elif trace["name"] == "higher":
        for d, said in zip(trace["x"], trace["hovertext"], strict=True):
            if not any(agrees(solved("x"), said, side[d - 1]) for side in (t.past, t.future)):
                raise Wrong(f"at distance {d} the influence is said to be {said}")
    elif trace["y"] != {"$": trace["name"]}:
        raise Wrong(f"the line {trace['name']} is drawn from {trace['y']}")


def _nodes(t: QuiltTruth, trace: dict[str, Any]) -> None:
    at = {"chosen": t.node, "needs the most": worst_node(t) - 1}.get(trace["name"])
    if at is not None:
        close(trace["name"], [*trace["x"], *trace["y"]], [at + 1, t.scale[at]])


def _bars(t: QuiltTruth, trace: dict[str, Any]) -> None:
    close("the bars", trace["x"], range(t.m))
    if trace["name"].startswith("released"):
        close("released", trace["y"], t.released[0])
        return
    close("true", trace["y"], t.histogram)
    if "error_y" in trace:
        low, high = np.percentile(t.released, (5, 95), axis=0)
        close("whiskers", trace["error_y"]["array"], high - t.histogram)
        close("whiskers", trace["error_y"]["arrayminus"], t.histogram - low)


def _methods(t: QuiltTruth, trace: dict[str, Any]) -> None:
    names = [list(TITLES)[k] for k in trace["x"]]
    close("errors", trace["y"], [t.error(n) for n in names])
    close("whiskers", trace["error_y"]["array"], [t.error_at(n, 95) - t.error(n) for n in names])
    close("whiskers", trace["error_y"]["arrayminus"], [t.error(n) - t.error_at(n, 5) for n in names])


def _stack(t: QuiltTruth, trace: dict[str, Any]) -> None:
    k = int(trace["name"].removeprefix("release ")) - 1
    close("a release", trace["x"], [t.c.releases[k], max(t.c.releases)])


def _gap(t: QuiltTruth, trace: dict[str, Any]) -> None:
    a, b = t.c.epsilon_a, t.c.epsilon_b
    level = {"sum": a + b, "larger": max(a, b)}.get(trace["name"].split()[0])
    if level is not None:
        close(trace["name"], trace["x"], [1, max(2, t.widest)])
        close(trace["name"], trace["y"], [level] * 2)
    elif trace["name"] == "present gap":
        close("the gap", [*trace["x"], *trace["y"]], [t.gap, t.together])


def _story(t: QuiltTruth, trace: dict[str, Any]) -> None:
    bars = {
        "Alice": "alice",
        "Bob": "bob",
        "their<br>sum": "sum",
        "both<br>together": "both",
        "sum<br>and 2 E": "bound",
    }
    name = trace["x"][0]
    value = epsilons(t)[bars[name]]
    close(name, trace["y"], [value])
    said = trace["text"][0]
    if not (said == "0" if value == 0 else abs(float(said) - value) <= 0.5001e-4):
        raise Wrong(f"the bar of {name} says {said}, and is {value}")
