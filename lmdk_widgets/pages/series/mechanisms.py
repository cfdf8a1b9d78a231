"""The mechanisms side by side: what each is, needs and costs, and the histogram that the chosen one releases."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lmdk_widgets.page.amounts import count
from lmdk_widgets.page.blocks import Chart, Column, Table
from lmdk_widgets.page.sentences import Written, join, sentence
from lmdk_widgets.pages.series.figures import Figure, figure, marks
from lmdk_widgets.pages.series.model import MECHANISMS
from lmdk_widgets.pages.series.outcome import Method, SeriesOutcome
from lmdk_widgets.palette import BLUE, CLEAR, GREY, ORANGE, faded

_START_NOTES = {
    "exact": " The start is counted as it is, timestamp by timestamp.",
    "approximate": " Its bound holds for every start.",
    "gk16": " The start is counted in what the first two timestamps tell about each other.",
    "local": " The start is counted in what the first two timestamps tell about each other.",
    "group": " It holds for every start.",
}

_WHAT = {
    "exact": "MQMExact: at every timestamp the quilt that needs the least noise, computed from the whole chain.",
    "approximate": "MQMApprox: the same from two numbers of the chain only, the share of its rarest state and how fast it "
    "mixes; quicker, and noisier.",
    "gk16": "The method of Ghosh and Kleinberg, 2016: ordinary noise, enlarged; it requires that neighbouring timestamps "
    "tell little about each other.",
    "local": "The same idea with a constant derived for this page: half of GK16's, where it applies.",
    "group": "Group DP: differential privacy for all timestamps as one group, σ = T / ε.",
    "entry": "Differential privacy for each timestamp as if it stood alone, σ = 1 / ε.",
}
"""What each mechanism is, in a sentence."""

_NAMED_BARS = 12
"""Up to this many states, every bar has its name."""

_LONG_NAME, _NAMES_IN_A_LINE = 16, 28
"""The most letters of a name on an axis, the rest being left out; the most letters of all names in a horizontal row."""


def title(name: str) -> str:
    """The name of a mechanism: "Markov quilt, exact"."""
    return MECHANISMS[name].split(": ", 1)[0]


def short_title(name: str) -> str:
    """The same for a narrow axis."""
    return {
        "exact": "quilt, exact",
        "approximate": "quilt, approx.",
        "gk16": "GK16",
        "group": "group DP",
        "local": "local infl.",
        "entry": "entry-level DP*",
    }[name]


def short(value: float) -> Written:
    """A noise scale, or an error in the unit of the histogram, as people read it.

    Examples
    --------
    >>> short(12.8399), short(0.01234), short(12345.6)
    ('12.8', '0.0123', '12,346')
    """
    return Written(f"{value:.3g}" if value < 100 else f"{value:,.0f}", value)


def method_note(method: Method) -> str:
    """What a mechanism is, and why it is not applicable, if it is not."""
    if method.scale is not None:
        return _WHAT[method.name]
    reason = method.note.removeprefix("Not applicable: ").removesuffix(".")
    return sentence(
        "{what} Not applicable here: neighbouring timestamps tell too much about each other ({reason}).",
        what=_WHAT[method.name],
        reason=reason,
    )


def _table_note(method: Method) -> str:
    """The same below the table, where GK16's note has given the reason for both."""
    both = method.name == "local" and method.scale is None
    return f"{_WHAT['local']} Not applicable here for the same reason." if both else method_note(method)


def start_note(outcome: SeriesOutcome, mechanism: str) -> str:
    """What the start means for a mechanism, a sentence to follow others; "" for a start in the long run."""
    return "" if outcome.belief.stationary else _START_NOTES.get(mechanism, "")


def mechanisms_table(outcome: SeriesOutcome) -> Table:
    """The mechanisms in numbers: sigma, the noise of a bar, and the L1 error of the histogram in its unit (mean, 5 and
    95 % points of 100 draws); None if one is not applicable, also for whether it protects."""

    def written(value: float | None) -> str:
        return "" if value is None or math.isnan(value) else short(value)

    verdicts = {True: "yes", False: "no, not here", None: "–"}
    columns = (
        Column("mechanism", "mechanism"),
        Column("sigma", "σ", lambda scale: "not applicable" if scale is None else short(scale), "right"),
        Column("noise_of_a_bar", "noise of a bar", written, "right"),
        Column("error_mean", "error", written, "right"),
        Column("error_p05"),
        Column("error_p95"),
        Column("protects", "protects", verdicts.__getitem__, "right", warned=lambda kept: kept is False),
    )
    rows = tuple(
        (title(m.name), m.scale, m.noise, m.error, m.error_low, m.error_high, None if m.scale is None else m.protects)
        for m in outcome.methods
    )
    notes = tuple(_table_note(method) + start_note(outcome, method.name) for method in outcome.methods)
    return Table("The mechanisms in numbers", columns, rows, notes)


def histogram_chart(outcome: SeriesOutcome) -> Chart:
    """The released histogram next to the true one."""
    return Chart("histogram", "The histogram, true and released", _histogram(outcome), histogram_summary(outcome))


def mechanism_charts(outcome: SeriesOutcome) -> list[Chart]:
    """The histogram that is released, and what it would cost by each mechanism."""
    return [
        histogram_chart(outcome),
        Chart("methods", "Compared with other mechanisms", _methods(outcome), methods_summary(outcome)),
    ]


def methods_summary(outcome: SeriesOutcome) -> str:
    """The errors of the mechanisms, side by side."""
    known = [m for m in outcome.methods if m.scale is not None]
    told = join(
        sentence("{mechanism} {mechanism_error}", mechanism=title(m.name), mechanism_error=short(m.error))
        for m in known
    )
    entry = "does not protect here; it shows what ignoring correlation would seem to save"
    if outcome.method("entry").protects:
        entry = "protects here, as no timestamp tells anything about another"
    return sentence(
        "Error of the whole histogram (sum over the bars, mean of 100 draws; the whiskers cover 90 % of them): "
        "{told}. * Entry-level privacy {entry}. The table below explains each of them.",
        told=told,
        entry=entry,
    )


def histogram_summary(outcome: SeriesOutcome) -> str:
    """True and released."""
    name, found = outcome.choices.mechanism, outcome.histogram
    if found.released is None:
        return f"The true histogram. {title(name)} is not applicable: nothing is released."
    method = outcome.method(name)
    negative = int((found.released < 0).sum())
    said = ""
    if negative:
        said = sentence(", {bars_below} below zero", bars_below=count(negative, "bar"))
    return sentence(
        "Truth and one release by {mechanism} (Laplace noise of {bar_noise} on every bar{below}); the whiskers "
        "cover 90 % of 100 draws.",
        mechanism=title(name),
        bar_noise=short(method.noise or 0),
        below=said,
    )


def _methods(outcome: SeriesOutcome) -> Figure:
    names = [short_title(method.name) for method in outcome.methods]
    data = []
    for protects, colour, symbol, name in ((True, BLUE, "circle", "protects"), (False, ORANGE, "x", "does not*")):
        some = [(k, m) for k, m in enumerate(outcome.methods) if m.scale is not None and m.protects == protects]
        if not some:
            continue
        places, methods = zip(*some, strict=True)
        marker = {"size": 12, "color": colour, "symbol": symbol}
        error = np.array([m.error for m in methods])
        whiskers = _whiskers([m.error_high for m in methods] - error, error - [m.error_low for m in methods], colour)
        data.append(marks(name, list(places), error.tolist(), marker) | {"error_y": whiskers})
    # vertical, so that two side by side have room on a narrow page
    missing = {"y": 0.03, "yref": "paper", "text": "not applicable", "showarrow": False, "yanchor": "bottom"}
    notes = [missing | {"x": k, "textangle": -90} for k, m in enumerate(outcome.methods) if m.scale is None]
    axis = {"tickvals": list(range(len(names))), "ticktext": names, "range": [-0.5, len(names) - 0.5], "tickangle": -25}
    errors = {"type": "log", "title": {"text": "error of the histogram"}} | _log_ticks(outcome)
    return figure(data, "", errors, xaxis=axis, annotations=notes)


def _log_ticks(outcome: SeriesOutcome) -> dict[str, Any]:
    """Round numbers on a log axis, few enough not to overlap."""
    known = [m for m in outcome.methods if m.scale is not None]
    low = math.log10(min(m.error_low for m in known)) - 0.15
    high = math.log10(max(m.error_high for m in known)) + 0.15
    digits = (1, 2, 5) if high - low < 1.5 else (1,)
    values = [digit * 10.0**decade for decade in range(math.floor(low), math.ceil(high) + 1) for digit in digits]
    return {"range": [low, high], "tickvals": values, "ticktext": [f"{value:,g}" for value in values]}


def _histogram(outcome: SeriesOutcome) -> Figure:
    found, labels = outcome.histogram, list(outcome.series.labels)
    data: list[dict[str, Any]] = [_bars("true", found.true, BLUE, "true")]
    if found.released is not None and found.low is not None and found.high is not None:
        data.append(_bars("released", found.released, faded(ORANGE, 0.6), "released", outline=ORANGE))
        whiskers = _whiskers(found.high - found.true, found.true - found.low, GREY) | {"thickness": 2}
        around = _bars("90 % of draws", found.true, CLEAR, "released")  # invisible, only for the whiskers
        data.append(around | {"error_y": whiskers, "showlegend": False, "hoverinfo": "skip"})
    m = len(labels)
    shown = list(range(0, m, max(1, math.ceil(m / _NAMED_BARS))))
    names = [label if len(label) <= _LONG_NAME else label[: _LONG_NAME - 1] + "…" for label in labels]
    upright = m * max(map(len, names)) <= _NAMES_IN_A_LINE
    axis = {"tickvals": shown, "ticktext": [names[k] for k in shown], "tickangle": 0 if upright else -35}
    axis["ticklabeloverflow"] = "allow"  # of the first name, when it leans out of the figure
    unit = "share of the timestamps" if outcome.choices.query == "shares" else "timestamps"
    return figure(data, "", {"title": {"text": unit}}, xaxis=axis, barmode="group")


def _whiskers(above: np.ndarray, below: np.ndarray, colour: str) -> dict[str, Any]:
    ends = {"array": above.tolist(), "arrayminus": below.tolist()}
    return {"type": "data", "symmetric": False, "color": colour, **ends}


def _bars(name: str, y: np.ndarray, colour: str, group: str, *, outline: str = "") -> dict[str, Any]:
    """Bars of one series; the outlined ones are hatched, too."""
    marker: dict[str, Any] = {"color": colour}
    if outline:
        hatched = {"shape": "/", "fillmode": "overlay", "solidity": 0.15, "fgcolor": outline}
        marker |= {"line": {"color": outline, "width": 1.5}, "pattern": hatched}
    place = {"x": list(range(len(y))), "y": y.tolist(), "offsetgroup": group}
    return {"type": "bar", "name": name, "marker": marker, "hovertemplate": "%{y:.4g}<extra></extra>", **place}
