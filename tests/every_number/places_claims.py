"""The sentences of the places page with a number in them, and where each number comes from."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from tests.every_number.claims import DIGITS, Claims, Hole, Pattern, Tolerant, Wrong, agrees, least, most, near
from tests.every_number.landmarks_claims import told_unless
from tests.every_number.places_truth import LEAST, PlacesTruth
from tests.every_number.programme import least_loss, spanner_edges

SUBJECTS = {
    "optimal": "the optimal mechanism",
    "spanner": "the spanner's mechanism",
    "planar": "planar Laplace",
    "remapped": "remapped planar Laplace",
    "private": "OptPriv",
}


def above(find: Any) -> Hole:
    """How far a loss is above the least one: linear programmes are solved to a ten-millionth of the blind guess's error."""

    def size(t: PlacesTruth) -> float:
        best = min(t.least(m) for m in LEAST if m in t.o.assessed)
        return 2e-7 + 1e-7 * t.blind / max(best, 1e-9 * t.blind)

    return most(find, slack=1e-6, size=size)


def subject(t: PlacesTruth) -> str:
    return SUBJECTS[t.mechanism]


ABOVE = {"above": above(lambda t: t.above(t.mechanism))}

ODDS = "the odds of two places {radius} apart"
OFF = "; the report is off by {loss} on average."
SEEN = {"radius": "radius", "loss": lambda t: t.loss(t.own)}

PATTERNS = [
    Pattern(
        f"can change {ODDS} by a factor of at most {{f}}{OFF}",
        f=most(lambda t: math.exp(min(t.epsilon * t.radius, 700)), slack=1e-8),
        **SEEN,
    ),
    Pattern(
        f"may change {ODDS} {{how*}}{OFF}",
        **told_unless("by a factor of more than a million", lambda t: math.log(1e6) <= t.epsilon * t.radius < math.inf),
        **SEEN,
    ),
    Pattern(
        f"may learn all: there is no limit to how far that changes {ODDS}{OFF}",
        radius=lambda t: t.radius if math.isinf(t.epsilon) else math.nan,
        loss=SEEN["loss"],
    ),
    Pattern(
        f"{{how*}} change {ODDS}{OFF}",
        **told_unless("cannot noticeably", lambda t: t.epsilon * t.radius < 1.1e-9),
        **SEEN,
    ),
    Pattern(
        "{n#} cells of {side}, privacy level {level} within {radius}",
        n="n",
        side=lambda t: t.c.cell_m,
        level="level",
        radius="radius",
    ),
    Pattern(
        "it changes the odds of two places that far apart by a factor of at most {f}; at twice the "
        "distance by at most {f} × {f}.",
        f=most(lambda t: math.exp(min(t.epsilon * t.radius, 700)), slack=1e-8),
    ),
    Pattern(
        "it changes the odds of two places that far apart by a factor of at most e^{f}; at twice the "
        "distance by at most e^{f} × e^{f}.",
        f=most(lambda t: t.epsilon * t.radius),
    ),
    Pattern("it changes the odds of two places that far apart"),
    Pattern("With {who*} the report is off by {loss} on average", who=subject, loss=lambda t: t.loss(t.own)),
    Pattern(" on average so far (at most {above} above the best", **ABOVE),
    Pattern(" on average (at most {above} above the best", **ABOVE),
    Pattern(", but this is the one for level {level}:", level=lambda t: t.present.channel.requested_epsilon * t.radius),
    Pattern(
        ", with planar Laplace by {plain}: {who*} {verb*} {share} of that.",
        plain=lambda t: t.loss(t.plain.channel.matrix),
        who=subject,
        verb=lambda t: "saves" if t.saved > 0 else "adds",
        share=near(lambda t: abs(t.saved), slack=1e-6, size=1e-12),
    ),
    Pattern(", with planar Laplace by {plain}.", plain=lambda t: t.loss(t.plain.channel.matrix)),
    Pattern("Planar Laplace's report is off by {plain} on average.", plain=lambda t: t.loss(t.plain.channel.matrix)),
    Pattern(
        "guesses the place to within {error} on average; without any report to within {blind}.",
        error=near(lambda t: t.error(t.own), size=1e-9),
        blind="blind",
    ),
    Pattern(
        "exactly right is {hit}, without any report {blind}<.|,|:>",
        hit=lambda t: t.hit(t.own),
        blind=lambda t: float(max(t.prior)),
    ),
    Pattern(" with planar Laplace {hit}<.|:>", hit=lambda t: t.hit(t.plain.channel.matrix)),
    Pattern("with the certified ε of {epsilon} per metre", epsilon=most("epsilon", slack=1e-8)),
    Pattern("it happens to have {epsilon} per metre", epsilon=most("epsilon", slack=1e-8)),
    Pattern("changes the odds of two places d apart by more than e^(ε d),"),
    Pattern("{inside#} of {all#} check-ins lie in the grid", inside="inside", all=lambda t: len(t.visits)),
    Pattern("{empty#} cell<s|> ha<s|ve> probability 0:", empty=lambda t: sum(p == 0 for p in t.prior.tolist())),
    Pattern(
        "ε = {level} / {radius} = {epsilon} per metre",
        level="level",
        radius=near("radius", slack=5e-6),
        epsilon=lambda t: t.level / t.radius,
    ),
    # where the work stands
    Pattern(
        "Solving {who*}, at most {above} above the best",
        who=lambda t: SUBJECTS.get(t.o.solving.mechanism, "NOBODY"),
        above=above(lambda t: t.above(t.o.solving.mechanism)),
    ),
    Pattern(", {seconds} s", alone=False, seconds=Hole(lambda t: t.o.solving.seconds, DIGITS)),
    Pattern("Computing the charts, {share}", share=lambda t: charts_share(t)),
    # charts
    Pattern(
        "At level {level} the optimal mechanism loses {best}, planar Laplace {plain}; the dotted",
        level=lambda t: nearest(t, "optimal").level,
        best=lambda t: nearest(t, "optimal").loss_m,
        plain=lambda t: nearest(t, "planar").loss_m,
    ),
    Pattern("more than guessing blindly ({blind}): the grey line", blind="blind"),
    Pattern(
        " leave the adversary {one} and {two} off. For somebody with the second prior <(uniform)|(the made-up city)|"
        "(mornings of the track)|(evenings of the track)> it is {three} and {four}",
        one=lambda t: charted(t, "optimal", t.prior),
        two=lambda t: charted(t, "private", t.prior),
        three=lambda t: charted(t, "optimal", t.other),
        four=lambda t: charted(t, "private", t.other),
    ),
    Pattern(
        "and OptPriv (allowed {share} of its loss) leave the adversary",
        share=lambda t: t.c.loss_percent / 100 if t.c.loss_percent != 100 else math.nan,
    ),
    Pattern(
        "All pairs need {constraints#} constraints, n²(n−1), and took this solver {seconds} s here.",
        constraints=lambda t: t.n * t.n * (t.n - 1),
        seconds=Hole(lambda t: cost(t, 1.0).seconds, DIGITS),
    ),
    Pattern("The dilation chosen, 1, is just that: any above 1 needs as many or fewer."),
    Pattern(
        "The dilation chosen, {dilation}, needs {constraints#}, took {seconds} s, and costs",
        dilation=lambda t: t.c.dilation,
        constraints=lambda t: 2 * t.n * len(t.edges[0]),
        seconds=Hole(lambda t: cost(t, t.c.dilation).seconds, DIGITS),
    ),
    Pattern("{more} more quality loss at level", more=Hole(lambda t: more_loss(t), DIGITS)),
    Pattern("quality<| loss> at level {level}.", level=lambda t: t.o.charts.level),
    Pattern("privacy level within {radius}", alone=True, radius="radius"),
]


def charts_share(t: PlacesTruth) -> float:
    """Points count one, costs two: of nine levels for five mechanisms, and of five or six dilations."""
    c, mechanisms = t.o.charts, 5 if t.n <= 64 else 4
    dilations = len({1.0, 1.05, 1.1, 1.2, 1.3, c.dilation})
    return (len(c.points) + 2 * len(c.costs)) / (9 * mechanisms + 2 * dilations)


def nearest(t: PlacesTruth, mechanism: str) -> Any:
    """The point at the level nearest to the one chosen, once its loss is seen to be the least one."""
    level = min({p.level for p in t.o.charts.points}, key=lambda v: abs(v / t.level - 1))
    point = next(p for p in t.o.charts.points if (p.mechanism, p.level) == (mechanism, level))
    if mechanism == "optimal":
        best = least_loss(t.apart, t.prior, level / t.o.charts.radius_m)
        assert best * (1 - 1e-6) - 1e-9 <= point.loss_m <= best + 1.01e-3 * t.blind, (best, point)
    return point


def charted(t: PlacesTruth, mechanism: str, prior: np.ndarray) -> float:
    return t.error(t.o.assessed[mechanism].channel.matrix, prior)


def cost(t: PlacesTruth, dilation: float) -> Any:
    return next(c for c in t.o.charts.costs if c.dilation == dilation)


def more_loss(t: PlacesTruth) -> float:
    """Of the spanner, more than with all pairs; both once they are seen to be the least losses."""
    epsilon = t.o.charts.level / t.o.charts.radius_m
    edges, reached = t.edges
    for found, best in (
        (cost(t, 1.0), least_loss(t.apart, t.prior, epsilon)),
        (cost(t, t.c.dilation), least_loss(t.apart, t.prior, epsilon / reached, edges)),
    ):
        assert best * (1 - 1e-6) <= found.loss_m <= best + 1.01e-4 * t.blind, (found, best)
    return cost(t, t.c.dilation).loss_m / cost(t, 1.0).loss_m - 1


def _index(path: str) -> int:
    return int(path.rsplit(".", 1)[1])


VALUES = {
    "draw.names.*": lambda t, path: t.names[_index(path)],
    "draw.base": lambda t, _: Tolerant([v.min() for v in t.corners()], 1e-9, 1e-9),
    "draw.shown.selected": lambda t, _: chosen(t)[0],
    "draw.shown.guess": lambda t, _: chosen(t)[1],
    "draw.arrays.values": lambda t, _: Tolerant(values(t), 1e-7, 1e-13),
    "draw.arrays.prior": lambda t, _: t.expected_prior,
    "draw.arrays.edges": lambda t, _: np.ravel(t.edges[0]),
    "draw.arrays.binding": lambda t, _: t.binding,
    "draw.arrays.squares": lambda t, _: np.ravel(t.squares),
    "draw.arrays.latitudes": lambda t, _: Tolerant(t.corners()[0] - t.corners()[0].min(), 1e-6, 1e-9),
    "draw.arrays.longitudes": lambda t, _: Tolerant(t.corners()[1] - t.corners()[1].min(), 1e-6, 1e-9),
}

STRUCTURE = [
    "text.certificate.*",
    "draw.summary",  # held by `certificate` and `told` below
    *(
        f"charts.figures.*.figure.layout.{name}"
        for name in (
            "height",
            "xaxis.tickvals",
            "xaxis.range",
            "shapes.*",
            "yaxis2.*",
            "margin.*",
            "bargap",
            "xaxis.type",
            "hovermode",
        )
    ),
    "charts.figures.*.figure.data.*.line.*",
    "charts.figures.*.figure.data.*.marker.*",
    "charts.figures.*.figure.data.*.x",
    "charts.figures.*.figure.data.*.y",
    "charts.figures.*.figure.data.*.x.*",
    "charts.figures.*.figure.data.*.y.*",
    "charts.figures.*.figure.data.*.customdata.*",
    "charts.figures.*.figure.data.*.hovertemplate",
    "charts.figures.*.figure.data.*.opacity",
    "charts.figures.*.figure.data.*.yaxis",
]


def places_claims() -> Claims:
    return Claims(PATTERNS, VALUES, STRUCTURE)


# -- the map -----------------------------------------------------------------------------------------------------------


def meaning(t: PlacesTruth) -> str:
    if t.c.click == "paint" or t.present is None:
        return "prior"
    if t.c.click == "true":
        return "reports"
    return "belief" if t.chance_of(chosen(t)[0]) >= 1e-12 else "never"


def chosen(t: PlacesTruth) -> tuple[int, int]:
    """The cell that was chosen, the likeliest one otherwise, and the best guess after it as a report."""
    cell = t.c.place
    if t.present is not None and t.c.click == "report":
        chances = [t.chance_of(z) for z in range(t.n)]
        if cell < 0:
            cell = t.o.shown.selected if chances[t.o.shown.selected] >= max(chances) * (1 - 1e-12) else -2
        if chances[cell] < 1e-12:
            return cell, -1
        off = [math.fsum(t.column(cell)[x] * t.apart[x, g] for x in range(t.n)) for g in range(t.n)]
        guess = t.o.shown.guess
        return cell, guess if off[guess] <= min(off) * (1 + 1e-9) + 1e-9 else -2
    if cell < 0 and t.c.click != "paint":
        cell = t.o.shown.selected if t.prior[t.o.shown.selected] >= max(t.prior) * (1 - 1e-12) else -2
    return cell, -1


def values(t: PlacesTruth) -> Any:
    cell = chosen(t)[0]
    return {
        "prior": lambda: t.prior,
        "reports": lambda: t.own[cell],
        "belief": lambda: t.column(cell),
        "never": lambda: [math.nan] * t.n,
    }[meaning(t)]()


TOLD = {
    "prior": re.compile(r"The prior: how likely each cell is\. Most likely: (?P<list>.*)\."),
    "reports": re.compile(
        r"From the true place (?P<cell>\w+) \(prior (?P<likely>.*?)\), (?P<who>.*) reports most often: (?P<list>.*)\."
    ),
    "belief": re.compile(
        r"After the report (?P<cell>\w+) \(its chance: (?P<likely>.*?)\) by (?P<who>.*) the adversary believes in "
        r"(?P<list>.*), and guesses (?P<guess>\w+)\."
    ),
    "never": re.compile(
        r"The report (?P<cell>\w+) is never made by (?P<who>.*): there is nothing to believe or to guess after it\. Of the "
        r"(?P<n>\d+) cells it reports (?P<made>\d+)\."
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


# -- the certificate ---------------------------------------------------------------------------------------------------

SO_FAR = (
    r"(?:(?: so far)? \((?:at most (?P<above>.+?) above the best|how near to the best|the best)"
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
                e=most(lambda _: t.epsilon * t.radius, slack=1e-8),
                r=near("radius"),
            )
            if math.isfinite(t.epsilon)
            else text == "without bound"
        ),
        "Quality loss": lambda text: _held(
            t, r"(?P<loss>below 1 mm|[^ ]+ \w+)" + SO_FAR, text, loss=near(lambda t: t.loss(t.own)), **ABOVE
        ),
        "Least possible loss": lambda text: _least(t, text),
        "Adversary error": lambda text: agrees(near("x", size=1e-9), text, t.error(t.own)),
        "Chance that the guess is exactly right": lambda text: agrees(near("x"), text, t.hit(t.own)),
        "Dilation": lambda text: _held(
            t,
            r"(?P<asked>\S+) asked for, (?P<reached>\S+) reached",
            text,
            asked=near(lambda t: t.c.dilation, slack=5e-6),
            reached=most(lambda t: t.edges[1]),
        ),
        "Edges of the spanner": lambda text: (
            text == f"{len(t.edges[0])}; for {'this report' if t.c.click == 'report' else 'at least one report'} "
            f"{sum(t.binding)} of their constraints bind"
        ),
        "Numerical error": lambda text: _held(
            t, r"at most (?P<error>\S+) in the chance of any report", text, error=most(lambda _: channel.error)
        ),
        "Solved by": lambda text: text in ("the compiled simplex", "HiGHS"),
        "Mended": lambda text: _mended(t, text),
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
    text, _, before = text.partition(" (of the mechanism before")
    return bool(before) == t.stale and _held(
        t,
        r"(?P<l>\S+) within (?P<r>.*), (?P<e>\S+) per metre",
        text,
        l=near(lambda t: asked * t.radius, slack=1e-9),
        r=near("radius"),
        e=near(lambda _: asked, slack=1e-9),
    )


def _may_lose(t: PlacesTruth, text: str) -> bool:
    """ "none: it may lose q = 1.02 km, 30 % of the optimal mechanism's loss"."""
    share, known = t.c.loss_percent, not math.isnan(t.allowed)
    found = re.fullmatch(
        r"none: it may lose q = (?:(?P<q>.+?), )?(?P<share>\S+ % of |as much as )?the optimal .*", text
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
        return loss <= best * (1 + 1e-6) + 1e-9
    # the least loss is less by 1 - best / loss, which is below loss / best - 1
    return _held(t, r"at most (?P<less>.*) less than that", text, less=above(lambda t: t.above(t.mechanism))) or (
        _held(
            t,
            r"not known yet, between (?P<low>.*) and (?P<high>.*)",
            text,
            low=least(lambda _: max(t.present.channel.bound, 0.0)),
            high=most(lambda _: loss),
        )
        and agrees(least("x", size=best), text.split("between ")[1].split(" and ")[0], best)
    )


def _mended(t: PlacesTruth, text: str) -> bool:
    channel = t.present.channel
    if text == "nothing: no rounding error had to be mended":
        return not channel.clipped and not channel.mixed
    clipped, mixed = re.search(r"down to (\S+) were", text), re.search(r"a share of (\S+) of", text)
    return (clipped is None or agrees(Hole("x", DIGITS), clipped[1], -channel.clipped)) and (
        mixed is None or agrees(Hole("x", DIGITS), mixed[1], channel.mixed)
    )


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
            if trace["name"] == "most there can be":
                _close(trace["y"], [0, t.blind, t.blind])
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
    constraints, seconds = figures["cost"]["figure"]["data"]
    for at, c in enumerate(t.o.charts.costs):
        pairs = t.n * (t.n - 1) // 2 if c.dilation == 1 else len(spanner_edges(t.apart, c.dilation)[0])
        _close([constraints["y"][at], seconds["y"][at]], [2 * t.n * pairs, c.seconds])


def _close(shown: Any, expected: Any) -> None:
    one, two = np.asarray(shown, float), np.asarray(expected, float)
    if one.shape != two.shape or not np.allclose(one, two, rtol=6e-5, atol=1e-9):
        raise Wrong(f"{one.tolist()} is drawn, and should be {two.tolist()}")
