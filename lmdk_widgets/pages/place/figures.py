"""The charts of the place page as plain descriptions, each with a sentence that says what it shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from lmdk_widgets.page.amounts import amount, count, metres
from lmdk_widgets.page.blocks import Chart
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.pages.place import MECHANISMS, OTHERS, Outcome, PlaceChoices, Point
from lmdk_widgets.pages.place.rounding import Rounding
from lmdk_widgets.pages.place.words import length, provisional, stale
from lmdk_widgets.palette import BLUE, GREEN, GREY, ORANGE, PURPLE, RED, WHITE

Figure = dict[str, Any]

NAMES = {name: text.split(":")[0].replace("Planar Laplace", "Laplace") for name, text in MECHANISMS.items()}
_BROKEN = NAMES | {"remapped": "Laplace,<br>remapped"}
LOOKS = {
    "optimal": (BLUE, "solid", "circle"),
    "spanner": (GREEN, "dash", "square"),
    "planar": (ORANGE, "dot", "triangle-up"),
    "remapped": (PURPLE, "dashdot", "diamond"),
    "private": (RED, "longdash", "x"),
}
"""Colour, dash and mark of each mechanism, which also differ without colour."""

DECIMALS, SQUARES = "Rounded (no guarantee)", "Squares (no guarantee)"
"""The marks of what is done today."""

_STRIPES = {"shape": "/", "fillmode": "overlay", "fgcolor": WHITE, "size": 8, "solidity": 0.2}


def charts_of(outcome: Outcome) -> list[Chart]:
    """Every chart of the page."""
    points, places = outcome.charts.points, outcome.places
    return [
        Chart("loss", "Quality loss against privacy", *loss_figure(points, places)),
        Chart("adversary", "The adversary, with this prior and with another", *adversary_figure(outcome)),
        Chart(
            "tradeoff",
            "Quality loss against adversary error",
            *tradeoff_figure(points, outcome.instance.blind_m, places, outcome.roundings),
        ),
    ]


def loss_figure(points: Iterable[Point], places: PlaceChoices) -> tuple[Figure, str]:
    """Quality loss against the privacy level, with a curve for each geo-indistinguishable mechanism."""
    chosen = ("optimal", "spanner", "remapped", "planar")
    data = [_curve(name, points, lambda p: p.level, lambda p: p.loss_m) for name in chosen]
    here = {"type": "line", "x0": places.level, "x1": places.level, "y0": 0, "y1": 1, "yref": "paper"}
    layout = _layout(sentence("privacy level within {radius}", radius=metres(places.radius_m)), "quality loss, m")
    layout["xaxis"] |= {"type": "log", "tickvals": [0.1, 0.2, 0.5, 1, 2, 5, 10], "range": [-1.05, 0.9]}
    layout["shapes"] = [here | {"line": {"color": GREY, "width": 1.5, "dash": "dot"}}]
    return {"data": data, "layout": layout}, _loss_summary(list(points), places)


def tradeoff_figure(
    points: Iterable[Point], blind_m: float, places: PlaceChoices, roundings: Sequence[Rounding] = ()
) -> tuple[Figure, str]:
    """Adversary error against quality loss: nothing lies above the line on which both are equal if both use the same
    distance. What is done today stands beside the curves, one mark each."""
    one = places.quality_by == places.error_by
    chosen = ("optimal", "remapped", "planar", "private")
    data = [_curve(name, points, lambda p: p.loss_m, lambda p: p.error_m) for name in chosen]
    most = max([blind_m, *(p.loss_m for p in points)], default=1.0)
    bound = {
        "x": [0, blind_m, most],
        "y": [0 if one else blind_m, blind_m, blind_m],
        "name": "upper bound",
        "mode": "lines",
    }
    if any(points):  # else there is nothing to compare it with
        data.insert(0, bound | {"line": {"color": GREY, "width": 6}, "opacity": 0.35, "hoverinfo": "skip"})
        data += _today(roundings, places)
    text = sentence(
        "No mechanism can make the adversary err by more than the report itself is off, or by more than guessing "
        "blindly ({blind}): the grey line. The optimal mechanism and OptPriv reach it; planar Laplace stays "
        "below, because guessing undoes part of its noise.",
        blind=length(blind_m),
    )
    if not one:
        text = sentence(
            "The report and the guess are measured by different distances, so only guessing blindly ({blind}) bounds "
            "the adversary's error: the grey line.",
            blind=length(blind_m),
        )
    return {"data": data, "layout": _layout("quality loss, m", "adversary error, m")}, text if any(points) else _EMPTY


def _today(roundings: Sequence[Rounding], places: PlaceChoices) -> list[Figure]:
    """A mark for each practice of today."""
    squares = [each for each in roundings if each.side]
    rounded = [each for each in roundings if not each.side]
    named = (
        (DECIMALS, rounded, [count(each.decimals, "decimal") for each in rounded], "cross"),
        (SQUARES, squares, [metres(each.side * places.cell_m) for each in squares], "star"),
    )
    return [
        {
            "name": name,
            "x": _round([each.told.loss for each in own]),
            "y": _round([each.told.error for each in own]),
            "mode": "markers",
            "marker": {"symbol": symbol, "size": 10, "color": GREY},
            "customdata": said,
            "hovertemplate": "%{y:.0f} m with %{customdata}, no guarantee",
        }
        for name, own, said, symbol in named
    ]


def adversary_figure(outcome: Outcome) -> tuple[Figure, str]:
    """The adversary's error now, for the prior that the mechanisms were made for and for the other prior."""
    known = {m: j for m, j in outcome.assessed.items() if not stale(outcome, j)}
    chosen = [m for m in ("optimal", "spanner", "remapped", "planar", "private") if m in known]
    instance, other = outcome.instance, OTHERS[outcome.places.other].split(":")[0].rstrip(".").lower()
    blind = float((instance.other @ instance.error).min())
    more = {m: "<br>so far" * provisional(outcome, m) for m in chosen}
    if outcome.places.loss_percent != 100:
        more["private"] = f"<br>q = {outcome.places.loss_percent:g} %"
    names = [*(_BROKEN[m] + more[m] for m in chosen), "no<br>report"]
    same = [*(known[m].error_m for m in chosen), instance.blind_m]
    elsewhere = [*(known[m].other_error_m for m in chosen), blind]
    bars = [
        {"type": "bar", "name": name, "x": names, "y": _round(errors), "marker": marker}
        for name, errors, marker in (
            ("prior it is made for", same, {"color": BLUE}),
            (f"second prior: {other}", elsewhere, {"color": ORANGE, "pattern": _STRIPES}),
        )
    ]
    layout = _layout("", "adversary error, m") | {"barmode": "group", "bargap": 0.25}
    return {"data": bars, "layout": layout}, _adversary_summary(outcome, known, other)


_EMPTY = "Drawn once solved, or on request."


def _curve(name: str, points: Iterable[Point], x: Any, y: Any) -> Figure:
    own = sorted((p for p in points if p.mechanism == name), key=lambda p: p.level)
    colour, dash, symbol = LOOKS[name]
    return {
        "name": NAMES[name],
        "x": _round([x(p) for p in own]),
        "y": _round([y(p) for p in own]),
        "mode": "lines+markers",
        "line": {"color": colour, "width": 2.5, "dash": dash},
        "marker": {"symbol": symbol, "size": 8},
        "customdata": [amount(p.level) for p in own],
        "hovertemplate": "%{y:.0f} m at level %{customdata}",
    }


def _layout(x_title: str, y_title: str) -> Figure:
    return {
        "height": 330,
        "xaxis": {"title": {"text": x_title}},
        "yaxis": {"title": {"text": y_title}, "rangemode": "tozero"},
        "hovermode": "closest",
    }


def _round(values: Iterable[float]) -> list[float]:
    return [float(f"{value:.5g}") for value in values]


def _loss_summary(points: list[Point], places: PlaceChoices) -> str:
    near = {p.mechanism: p for p in sorted(points, key=lambda p: -abs(p.level / places.level - 1))}
    if not {"optimal", "planar"} <= near.keys() or near["optimal"].level != near["planar"].level:
        return _EMPTY if not points else "The curves are being computed."
    best, plain = near["optimal"], near["planar"]
    return sentence(
        "More budget, less loss. At level {nearest_level} the optimal mechanism loses {optimal_loss} and planar "
        "Laplace {planar_loss_there}; the dotted line marks the chosen level.",
        nearest_level=amount(best.level),
        optimal_loss=length(best.loss_m),
        planar_loss_there=length(plain.loss_m),
    )


def _adversary_summary(outcome: Outcome, known: dict[str, Any], other: str) -> str:
    if not {"optimal", "private"} <= known.keys():
        return "How far off the adversary's best guess is on average; OptPriv follows once the optimal mechanism is solved."
    best, private = known["optimal"], known["private"]
    text = sentence(
        "Under the prior they were made for, the optimal mechanism and OptPriv{allowed} leave the adversary "
        "{optimal_error} and {private_error} off. For an adversary with the second prior ({other_prior}) it is "
        "{optimal_other_error} and {private_other_error}",
        allowed=_allowed(outcome),
        optimal_error=length(best.error_m),
        private_error=length(private.error_m),
        other_prior=other,
        optimal_other_error=length(best.other_error_m),
        private_other_error=length(private.other_error_m),
    )
    share = private.other_error_m / best.other_error_m if best.other_error_m > 0 else 1.0
    if share >= 0.95:
        return sentence(
            "{errors}: against this second prior, the OptPriv found here holds up too, which nothing guarantees.",
            errors=text,
        )
    how = "breaks down" if share < 0.7 else "falls behind"
    return sentence(
        "{errors}: OptPriv {how} under another prior, while geo-indistinguishability holds for all.",
        errors=text,
        how=how,
    )


def _allowed(outcome: Outcome) -> str:
    of_100 = outcome.places.loss_percent
    return (
        ""
        if of_100 == 100
        else sentence(" (allowed {allowed_share} of its loss)", allowed_share=Written(f"{of_100:g} %", of_100 / 100))
    )
