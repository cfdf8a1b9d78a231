"""The map in words, the certificate and the charts of the place page, each value from its definition."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from lmdk_widgets.page.amounts import count
from tests.every_number.cards_drawn import warned
from tests.every_number.claims import Hole, Wrong, agrees, least, most, near
from tests.every_number.place_names import above, charted, chosen, meaning, subject, values
from tests.every_number.place_truth import PlacesTruth

# -- the map in words ------------------------------------------------------------------------------------------------

TOLD = {
    "prior": re.compile(r"The prior: how likely each cell is\. Most likely: (?P<list>.*)\."),
    "reports": re.compile(
        r"From the true place (?P<cell>\w+) \(prior (?P<likely>.*?)\), (?P<who>.*) reports most often: (?P<list>.*)\."
    ),
    "belief": re.compile(
        r"After the report (?P<cell>\w+) \(its chance: (?P<likely>.*?)\) by (?P<who>.*), the adversary believes in "
        r"(?P<list>.*), and guesses (?P<guess>\w+)\."
    ),
    "reader": re.compile(
        r"How far off the report is(?P<by>.*) with (?P<who>.*), for each true cell\. Most for (?P<list>.*); (?P<mean>.*) on "
        r"average\."
    ),
    "attacker": re.compile(
        r"How far off the attacker's best guess is(?P<by>.*) with (?P<who>.*), for each true cell\. Most for (?P<list>.*); "
        r"(?P<mean>.*) on average\."
    ),
    "never": re.compile(
        r"The report (?P<cell>\w+) is never made by (?P<who>.*), so there is nothing to believe or guess after it\. Of the "
        r"(?P<n>\d+) cells, (?P<made>\d+) are reported\."
    ),
}


def told(t: PlacesTruth, text: str) -> None:
    """The map in words: the five likeliest cells, each with its share."""
    kind = meaning(t)
    found = TOLD[kind].fullmatch(text)
    if found is None:
        raise Wrong(f"nothing recomputes {text}")
    said, (cell, guess) = found.groupdict(), chosen(t)
    likely = {"reports": lambda: float(t.prior[cell]), "belief": lambda: t.chance_of(cell)}.get(kind)
    if kind in ("reader", "attacker"):
        return _errors(t, kind, said, text)
    held = [kind == "prior" or said["cell"] == t.names[cell], said.get("who") in (None, subject(t))]
    held.append(likely is None or agrees(near("x"), said["likely"], likely()))
    held.append(said.get("guess") in (None, t.names[guess]))
    if kind == "never":
        held += [int(said["n"]) == t.n, int(said["made"]) == sum(t.chance_of(z) > 0 for z in range(t.n))]
    else:
        shares = dict(zip(t.names, np.asarray(values(t)).tolist(), strict=True))
        listed = [one.split(" ", 1) for one in said["list"].split(", ")]
        held += [agrees(near("x", size=1e-15), share, shares[name]) for name, share in listed]
        best = sorted((v for v in shares.values() if v > 0), reverse=True)[:5]
        held.append(np.allclose([shares[name] for name, _ in listed], best, rtol=1e-9))
    if not all(held):
        raise Wrong(f"{text} {held}")


HOW = {
    "straight": "",
    "manhattan": " along streets",
    "squared": " in squares over the radius",
    "matrix": " by your distances",
}


def _errors(t: PlacesTruth, kind: str, said: dict[str, str], text: str) -> None:
    """The five cells with the largest errors, and the average over the prior."""
    errors = dict(zip(t.names, t.by_cell, strict=True))
    listed = [one.split(" ", 1) for one in said["list"].split(", ")]
    mean = math.fsum(p * e for p, e in zip(t.prior.tolist(), t.by_cell, strict=True))
    held = [agrees(near("x", size=1e-9), value, errors[name]) for name, value in listed]
    held += [said["by"] == HOW[t.c.quality_by if kind == "reader" else t.c.error_by], said["who"] == subject(t)]
    held.append(agrees(near("x", size=1e-9), said["mean"], mean))
    best = sorted(errors.values(), reverse=True)[:5]
    held.append(np.allclose([errors[name] for name, _ in listed], best, rtol=1e-9, atol=1.1e-6))
    if not all(held):
        raise Wrong(f"{text} {held}")


# -- the answers -------------------------------------------------------------------------------------------------------


def answers(t: PlacesTruth, shown: list[dict[str, str]]) -> None:
    """The values of the tiles: the report's loss, the attacker's error, and the best guess between two places."""
    values = [answer["value"] for answer in shown]
    if t.present is None:
        assert values == ["…"] * 3, values
        return
    useful, found, promised = values
    odds = math.exp(-min(t.epsilon * t.radius, 700))
    held = [agrees(near("x"), useful, t.loss(t.own)), agrees(near("x", size=1e-9), found, t.error(t.own))]
    if 1 / (1 + odds) >= 0.99:
        held.append(promised == "no promise" and shown[2]["look"] == "red")
    else:
        held.append(agrees(most("x", slack=1e-8), promised.removesuffix(" of 100"), 100 / (1 + odds)))
        look = "red" if 1 / (1 + odds) > 0.9 else "amber" if 1 / (1 + odds) > 0.75 else ""
        held.append(shown[2]["look"] == look)
    if not all(held):
        raise Wrong(f"{values} {held}")


# -- the certificate ---------------------------------------------------------------------------------------------------

SO_FAR = (
    r"(?:(?: so far)? \((?:at most (?P<above>.+?) above the best|how close to the best|the best)"
    r"( with this spanner)?.*\))?"
)


def certificate(t: PlacesTruth, rows: list[list[str]]) -> set[str]:
    """Every row of the certificate; the names of those there were."""
    found = dict(map(tuple, rows))
    if t.present is None:
        if rows:
            raise Wrong(f"there is no mechanism, but a certificate {rows}")
        return set()
    channel = t.present.channel
    checks = {
        "Mechanism": lambda text: (
            text
            == {"planar": "Planar Laplace", "remapped": "Planar Laplace, remapped", "private": "OptPriv"}.get(
                t.mechanism, t.mechanism.capitalize()
            )
        ),
        "ε asked for": lambda text: _asked(t, text),
        "ε certified": lambda text: (
            _held(
                t,
                r"(?P<e>\S+) within (?P<r>.*)",
                text,
                e=most(lambda _: t.written_epsilon * t.radius, slack=1e-8),
                r=near("radius"),
            )
            if math.isfinite(t.epsilon)
            else text == "unbounded"
        ),
        "Quality loss": lambda text: any(  # rounded up where it has more digits than other lengths
            _held(
                t,
                r"(?P<loss>below 1 mm|[^ ]+ \w+)" + SO_FAR,
                text,
                loss=rounded(lambda t: t.loss(t.own)),
                above=above(lambda t: t.above(t.mechanism)),
            )
            for rounded in (near, most)
        ),
        "Least possible loss": lambda text: _least(t, text),
        "Whatever is reported": lambda text: _held(
            t,
            r"(?P<low>.*) or more: provably, no reader of a mechanism that satisfies this ε is nearer on average",
            text,
            low=least("any_report", slack=1e-6, size=1e-6 * t.scale),
        ),
        "Adversary error": lambda text: any(
            agrees(rounded("x", size=1e-9), text, t.error(t.own)) for rounded in (near, most)
        ),
        "Chance that the guess is exactly right": lambda text: agrees(near("x"), text, t.hit(t.own)),
        "Bayes capacity": lambda text: _held(
            t, r"at most (?P<times>\S+), for every prior", text, times=most("capacity", size=1e-12)
        ),
        "Bayes security": lambda text: _held(
            t, r"at least (?P<share>.*), for every prior", text, share=least("security", size=1e-6)
        ),
        "Dilation": lambda text: _held(
            t,
            r"(?P<asked>\S+) asked for, (?P<reached>\S+) reached",
            text,
            asked=near(lambda t: t.c.dilation, slack=5e-6),
            reached=most(lambda t: t.edges[1]),
        ),
        "Edges of the spanner": lambda text: (
            text == f"{len(t.edges[0])}; {sum(t.binding)} of their constraints bind for "
            f"{'this report' if t.c.click == 'report' else 'at least one report'}"
        ),
        "Numerical error": lambda text: _held(
            t,
            r"at most (?P<error>\S+) in the chance of any report",
            text,
            error=most(lambda _: max(channel.error, 1e-12)),
        ),
    }
    for name, text in found.items():
        if name not in checks or not checks[name](text):
            raise Wrong(f"{name} is said to be {text}: {channel}, {t.epsilon}, {t.loss(t.own)}")
    return set(found)


def _held(t: PlacesTruth, pattern: str, text: str, **holes: Hole) -> bool:
    match = re.fullmatch(pattern, text)
    return match is not None and all(
        match.groupdict().get(name) is None or agrees(hole.at(t), match[name], hole.value(t))
        for name, hole in holes.items()
    )


def _asked(t: PlacesTruth, text: str) -> bool:
    if t.mechanism == "private":
        return _may_lose(t, text)
    asked = t.present.channel.requested_epsilon
    text, _, before = text.partition(" (of the previous mechanism")
    return bool(before) == t.stale and _held(
        t,
        r"(?P<l>\S+) within (?P<r>.*), (?P<e>\S+) per metre",
        text,
        l=near(lambda t: asked * t.radius, slack=1e-9),
        r=near("radius"),
        e=near(lambda _: asked, slack=1e-9),
    )


def _may_lose(t: PlacesTruth, text: str) -> bool:
    """ "none; it may lose q = 1.02 km, 30 % of the optimal mechanism's loss"."""
    share, known = t.c.loss_percent, not math.isnan(t.allowed)
    found = re.fullmatch(
        r"none; it may lose q = (?:(?P<q>.+?), )?(?P<share>\S+ % of |as much as )?the optimal .*", text
    )
    if found is None or (found["q"] is not None) != known:
        return False
    if found["q"] is not None and not agrees(near("x", size=1e-9), found["q"], t.allowed):
        return False
    if share == 100:
        return found["share"] == ("as much as " if known else None)
    return found["share"] is not None and agrees(
        near("x", slack=1e-5), found["share"].removesuffix(" of "), share / 100
    )


def _least(t: PlacesTruth, text: str) -> bool:
    text = text.removesuffix(" with this spanner")
    loss, best = t.loss(t.own), t.least(t.mechanism)
    if text == "this one":
        return loss <= best * (1 + 1e-6) + 1e-7 * t.scale  # as near as the linear programme is solved
    low = least(lambda _: max(t.present.channel.bound, 0.0))
    proven = r"(?P<low>.*) or more: provably, no mechanism on these cells that satisfies this ε loses less"
    unknown = r"not known yet, between (?P<low>.*) and (?P<high>.*)"
    for pattern in (proven, unknown):
        if _held(t, pattern, text, low=low, high=most(lambda _: loss)):
            size = best + 1e-6 * t.scale  # to which our own solver knows the least loss
            return agrees(least("x", size=size), re.fullmatch(pattern, text)["low"], best)  # never above the least
    return False


# -- charts ------------------------------------------------------------------------------------------------------------

NAMES = {
    "Optimal": "optimal",
    "Spanner": "spanner",
    "Laplace": "planar",
    "Laplace, remapped": "remapped",
    "OptPriv": "private",
}


def drawn(t: PlacesTruth, figures: dict[str, Any]) -> None:
    """Every point and bar at the number that it stands for."""
    points = t.o.charts.points
    for chart, x, y in (("loss", "level", "loss_m"), ("tradeoff", "loss_m", "error_m")):
        for trace in figures[chart]["figure"]["data"]:
            if trace["name"] == "upper bound":
                _close(trace["y"], [0 if t.c.quality_by == t.c.error_by else t.blind, t.blind, t.blind])
                _close(trace["x"], [0, t.blind, max([t.blind, *(p.loss_m for p in points)])])
                continue
            if "no guarantee" in trace["name"]:
                squares = trace["name"].startswith("Squares")
                told = [t.merged(k) for k in sides_of(t)] if squares else [t.rounded(k) for k in decimals_of(t)]
                _close(trace["x"], [each[0] for each in told])
                _close(trace["y"], [each[1] for each in told])
                for said, size in zip(trace["customdata"], sides_of(t) if squares else decimals_of(t), strict=True):
                    assert agrees(near("x"), said, size * t.c.cell_m) if squares else said == count(size, "decimal"), (
                        said
                    )
                continue
            own = sorted((p for p in points if p.mechanism == NAMES[trace["name"]]), key=lambda p: p.level)
            _close(trace["x"], [getattr(p, x) for p in own])
            _close(trace["y"], [getattr(p, y) for p in own])
            for said, p in zip(trace["customdata"], own, strict=True):
                assert agrees(near("x"), said, p.level)
    _close([figures["loss"]["figure"]["layout"]["shapes"][0][end] for end in ("x0", "x1")], [t.level] * 2)
    for trace, prior, blind in zip(
        figures["adversary"]["figure"]["data"], (t.prior, t.other), (t.blind, t.blind_other), strict=True
    ):
        known = [m for m in ("optimal", "spanner", "remapped", "planar", "private") if m in t.o.assessed]
        (private,) = [x for x in trace["x"] if "OptPriv" in x] or [""]
        if "%" in private and float(private.split("q = ")[1].removesuffix(" %")) != float(f"{t.c.loss_percent:g}"):
            raise Wrong(f"{private} is drawn, and {t.c.loss_percent} % were chosen")
        asked = {m: t.o.assessed[m].channel.requested_epsilon for m in known}
        known = [m for m in known if math.isnan(asked[m]) or abs(asked[m] * t.radius / t.level - 1) < 1e-9]
        _close(trace["y"], [*(charted(t, m, prior) for m in known), blind])


def _close(shown: Any, expected: Any) -> None:
    one, two = np.asarray(shown, float), np.asarray(expected, float)
    if one.shape != two.shape or not np.allclose(one, two, rtol=6e-5, atol=1e-9):
        raise Wrong(f"{one.tolist()} is drawn, and should be {two.tolist()}")


def decimals_of(t: PlacesTruth) -> list[int]:
    """Of rounding: two, one, and what is chosen."""
    return sorted({2, 1, t.c.decimals}, reverse=True)


def sides_of(t: PlacesTruth) -> list[int]:
    """Cells along larger squares: two, three, five, and what is chosen."""
    return sorted({2, 3, 5, t.c.square_cells})


def practised(t: PlacesTruth, blocks: list[dict[str, Any]]) -> None:
    """Every row of the mechanisms that are solved for this level, and of what is done today."""
    (table,) = (block["shown"] for block in blocks if block["kind"] == "table")
    rows = {name: cells for name, *cells in table["rows"]}
    warned(table, ("no guarantee", "no promise"))
    expected: dict[str, tuple[float, ...]] = {}
    for name, each in t.o.assessed.items():
        asked = each.channel.requested_epsilon
        if math.isnan(asked) or abs(asked - t.level / t.radius) <= 1e-9 * asked:
            matrix = each.channel.matrix
            title = {"planar": "Planar Laplace", "remapped": "Planar Laplace, remapped", "private": "OptPriv"}
            most_right = 1 / (1 + math.exp(-min(each.channel.epsilon * t.radius, 700)))
            possible = sum(p > 0 for p in t.prior.tolist())
            expected[title.get(name, name.capitalize())] = (
                t.loss(matrix),
                t.error(matrix, t.prior),
                t.hit(matrix),
                possible,
                most_right,
            )
    expected |= {f"Rounded to {count(k, 'decimal')}": (*t.rounded(k), 1.0) for k in decimals_of(t)}
    for side, name in zip(sides_of(t), (name for name in rows if name.startswith("Squares of")), strict=True):
        if not agrees(near("x"), name.removeprefix("Squares of "), side * t.c.cell_m):
            raise Wrong(name)
        expected[name] = *t.merged(side), 1.0
    if rows.keys() != expected.keys():
        raise Wrong(f"rows {list(rows)}, not {list(expected)}")
    for name, (*cells, promise) in rows.items():
        *numbers, most_right = expected[name]
        for cell, value in zip(cells, numbers, strict=True):
            if not agrees(near("x", slack=1e-7, size=1e-9), cell, value):
                raise Wrong(f"{name}: {cell} is {value}")
        practice = name.startswith(("Rounded", "Squares"))
        told = "no promise" if most_right >= 0.99 else f"{math.ceil(100 * most_right - 1e-6)} of 100 if equally likely"
        if promise != ("no guarantee" if practice else told):
            raise Wrong(f"{name} promises {promise}, not {told}")
