"""The trade-off of the track page: error against epsilon or a loss, a line for each scheme."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lmdk_widgets.answers.by_distance import loss_name, of_many_settings
from lmdk_widgets.answers.exposure import found_now, found_of
from lmdk_widgets.answers.odds import most_told
from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.answers.usefulness import ReaderWorth, read_text, useful_of, without_sentence
from lmdk_widgets.cache import cached
from lmdk_widgets.geo import Floats
from lmdk_widgets.io.report import Part
from lmdk_widgets.page.amounts import amount, count, whole
from lmdk_widgets.page.blocks import Block, Chart
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.fields import choice, flag
from lmdk_widgets.page.figures import line
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.page.sentences import Written, join, sentence
from lmdk_widgets.palette import BLUE, GREEN, GREY, ORANGE, PURPLE, RED, SKY, faded
from lmdk_widgets.scenario.ground import mean_known
from lmdk_widgets.scenario.model import MECHANISMS, SCHEMES, SPREADS, Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.sweep.rows import DRAWS, MOST_DRAWN, Row, alike, at, expected_error_m, read
from lmdk_widgets.sweep.settings_grid import grid
from lmdk_widgets.trajectory.model import Trajectory

EPSILONS = tuple(float(f"{epsilon:.6g}") for epsilon in np.geomspace(0.01, 10, 19))
"""The epsilons of the curves' points; for a plan, its targets."""


@dataclass(frozen=True, eq=False)
class Line:
    """One scheme at all `EPSILONS`, under the scenario's other choices.

    Attributes
    ----------
    rows : (k,) a row for each of `EPSILONS`, with the measures of `EXPECTED`; ``line[name]`` is (k,) one of them.
    """

    rows: tuple[Row, ...]

    def __getitem__(self, name: str) -> Floats:
        return np.array([row[name] for row in self.rows])

    @property
    def scheme(self) -> str:
        """A key of `SCHEMES`."""
        return self.rows[0].scheme

    @property
    def mechanism(self) -> str:
        """A key of `MECHANISMS`; "planar" where the scheme cannot use the scenario's."""
        return self.rows[0].mechanism

    @property
    def worths(self) -> list[ReaderWorth]:
        """What each release is worth to a careful reader; empty until all of them are read."""
        known = [row.worth for row in self.rows if row.worth is not None]
        return known if len(known) + sum(bool(row.refused) for row in self.rows) == len(self.rows) else []

    @property
    def reader(self) -> Floats:
        """(k,) the reader's error; NaN where a setting is refused."""
        return np.array([math.nan if row.worth is None else row.worth.reader for row in self.rows])

    @property
    def exact(self) -> bool:
        """Whether the errors are expected ones; otherwise they are means of `DRAWS` releases, with a band."""
        return all(row.exact for row in self.rows)


def trade_off(scenario: Scenario, trajectory: Trajectory) -> Iterator[Line]:
    """The line of every scheme in the order of `SCHEMES`, leaving out schemes for which the track is too long.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> lines = {line.scheme: line for line in trade_off(Scenario(landmarks=(0, 2, 4, 7)), sample("bob"))}
    >>> at_one = EPSILONS.index(1.0)
    >>> [round(float(lines[scheme]["error_m"][at_one])) for scheme in ("event", "window", "uniform", "user")]
    [400, 1200, 2000, 3200]
    """
    for scheme in SCHEMES:
        line = _line(alike(scenario, scheme), trajectory)
        if line is not None:
            yield line


def read_lines(lines: tuple[Line, ...], scenario: Scenario, trajectory: Trajectory) -> Iterator[tuple[Line, ...]]:
    """The lines with a careful reader's errors, one line after the other; yields after each point, so that it can be
    cancelled."""
    for k, one in enumerate(lines):
        rows = []
        for row in one.rows:
            rows.append(read(row, at(alike(scenario, row.scheme), row.epsilon), trajectory))
            yield lines
        lines = (*lines[:k], Line(tuple(rows)), *lines[k + 1 :])
        yield lines


@cached("visitor", entries=64, what="the line of a scheme in the trade-off")
def _line(scenario: Scenario, trajectory: Trajectory) -> Line | None:
    pairs = [(epsilon, scenario.radius_m) for epsilon in EPSILONS]
    rows = tuple(row for some in grid(scenario, trajectory, pairs) for row in some)
    return Line(rows) if rows else None


AGAINST: dict[str, str] = {
    "epsilon": "Epsilon: what each scheme is given to spend; a plan is given its target.",
    "loss": "Largest loss: the most that a timestamp reveals; with a chain a what-if about two cells one radius apart.",
    "landmarks": "Landmarks together: the landmark paper's count of what they and one other timestamp lose.",
}
"""What the error is plotted against in the trade-off."""

CURVE_ERRORS: dict[str, str] = {
    "reader": "Reader's error: that of a careful reader who uses all reports and public knowledge; at most 20 draws.",
    "mean": "Error as released: expected where there is a formula, else the mean of 20 releases with a band.",
    "radius95": "95 % radius: contains 95 % of what is measured at a timestamp, averaged over timestamps.",
}
"""Which error is drawn in the trade-off."""


Figure = dict[str, Any]


@dataclass(frozen=True)
class TradeOffChoices(Choices):
    """Draw error against epsilon or a loss for every scheme."""

    open: bool = flag(False, "Error against epsilon, for every scheme")
    against: str = choice("epsilon", AGAINST, "Against")
    error: str = choice("reader", CURVE_ERRORS, "Error")


_COLOURS = {"blue": BLUE, "green": GREEN, "grey": GREY, "orange": ORANGE, "purple": PURPLE, "red": RED, "sky": SKY}

LOOKS = {name: (_COLOURS[scheme.colour], scheme.dash) for name, scheme in SPREADS.items()}
"""Colour and dash of each scheme, distinguishable without colour."""

_SHADE = faded(GREY, 0.18)
_NOW = {"symbol": "diamond", "size": 14, "color": RED, "line": {"width": 1.5, "color": GREY}}


def trade_off_figure(asked: TradeOffChoices, outcome: Outcome) -> Figure:
    """Error against epsilon or a loss: a line for each scheme, a mark for the present settings, and a band where the
    chosen scheme's line is an average."""
    data: list[Figure] = []
    for found in _shown(asked, outcome):
        # one band, as ten of them would hide the lines
        banded = found.scheme == outcome.scenario.scheme and not found.exact
        if banded and asked.error == "mean":
            data += _band(found, asked.against)
        data.append(_trace(found, asked, outcome))
    if data:
        data += [*_without(asked, outcome), _now(asked, outcome)]
    titles = {
        "epsilon": "epsilon (the target, for plans)",
        "loss": loss_name(outcome),
        "landmarks": "landmarks together",
    }
    x_title = titles[asked.against]
    unit = outcome.kind.unit_of_error(outcome.trajectory)
    what = {"reader": "reader's error", "mean": "mean error", "radius95": "95 % radius"}[asked.error]
    y_title = f"{what}, {unit}" if unit else what
    layout: Figure = {
        "height": 420,
        "xaxis": {"title": {"text": x_title}, "type": "log", "dtick": 1},
        "yaxis": {"title": {"text": y_title}, "type": "log", "dtick": 1},
        "hovermode": "closest",
        "legend": {"traceorder": "normal"},
    }
    return {"data": data, "layout": layout}


def _trace(found: Line, asked: TradeOffChoices, outcome: Outcome) -> Figure:
    colour, dash = LOOKS[found.scheme]
    name = SPREADS[found.scheme].title
    chosen, write = found.scheme == outcome.scenario.scheme, outcome.ground.write
    spent = SPREADS[found.scheme].spent
    told = [
        sentence(
            "{scheme}, {spent} {line_epsilon}: {line_error}{found_there}",
            scheme=name,
            spent=spent,
            line_epsilon=_short(epsilon),
            line_error=read_text(row.worth, outcome) if asked.error == "reader" and row.worth else write(y),
            found_there=_found_there(row, outcome),
        )
        for row, epsilon, y in zip(found.rows, EPSILONS, _y(found, asked), strict=True)
    ]
    acts = [{"op": "go", "scheme": found.scheme, "epsilon": epsilon} for epsilon in EPSILONS]
    trace = line(name, _plain(_x(found, asked.against)), _plain(_y(found, asked)), colour, dash)
    marks = {"mode": "lines+markers", "marker": {"size": 5 + 2 * chosen}, "meta": acts}
    trace["line"]["width"] = 4 if chosen else 1.75
    return trace | marks | {"text": told, "hovertemplate": "%{text}<extra></extra>"}


def _short(epsilon: float) -> Written:
    return Written(f"{epsilon:g}", epsilon)


def _found_there(row: Row, outcome: Outcome) -> str:
    """What is found at a mark, as the tile writes it; "" where that is not computed, and for answers."""
    found, within = found_of(outcome), row["found_within_m"]
    return "" if found is None or math.isnan(within) else sentence("; found: {found}", found=found.written(within))


def _without(asked: TradeOffChoices, outcome: Outcome) -> list[Figure]:
    """The error without a release: two lines that no reader's line should be above."""
    lines = _shown(asked, outcome)
    if asked.error != "reader":
        return []
    known = next(iter(lines[0].worths), None)
    x = [one for found in lines for one in _plain(_x(found, asked.against)) if one is not None]
    if known is None or not x:
        return []
    levels = ("nothing", known.nothing, "dash"), ("one point known", known.spread, "dot")
    names = {"one point known": outcome.kind.one_known}
    return [
        line(names.get(name, name), [min(x), max(x)], [_plain(np.array([y]))[0]] * 2, GREY, dash)
        | {"hoverinfo": "name"}
        for name, y, dash in levels
    ]


def _band(found: Line, against: str) -> list[Figure]:
    """From the 5th to the 95th percentile: two invisible lines, and the area between them."""
    edge = {"type": "scatter", "mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    x = _plain(_x(found, against))
    low, high = ({"x": x, "y": _plain(values)} for values in (found["error_low_m"], found["error_high_m"]))
    return [edge | low, edge | high | {"fill": "tonexty", "fillcolor": _SHADE}]


def _now(asked: TradeOffChoices, outcome: Outcome) -> Figure:
    x, y = now(asked, outcome)
    if math.isnan(y):
        return {"type": "scatter", "mode": "markers", "name": "now", "x": [], "y": [], "marker": _NOW}
    trace = {"type": "scatter", "mode": "markers", "name": "now", "x": [x or None], "y": [y], "marker": _NOW}
    return trace | {
        "text": [sentence("now: {now_error} at {now_spent}", now_error=outcome.ground.write(y), now_spent=amount(x))],
        "hovertemplate": "%{text}<extra></extra>",
    }


def now(asked: TradeOffChoices, outcome: Outcome) -> tuple[float, float]:
    """Where the present settings are in the chart; the expected error, or else that of the draw."""
    scenario = outcome.scenario
    spread = scenario.spread
    spent = float(outcome.totals.max()) if spread.by_hand else getattr(scenario, spread.spent)
    if asked.against == "loss":
        x = most_told(outcome)
    else:
        x = spent if asked.against == "epsilon" else float(outcome.landmark.max())
    if asked.error == "reader":
        found = useful_of(outcome)
        return x, math.nan if found is None else found.reader
    if asked.error == "radius95":
        return x, mean_known(outcome.radius95_m)
    expected = expected_error_m(outcome)
    return x, outcome.mean_error_m if expected is None else expected


def _x(found: Line, against: str) -> Floats:
    return {"epsilon": np.array(EPSILONS), "loss": found["pair_loss"], "landmarks": found["landmark_loss"]}[against]


def _y(found: Line, asked: TradeOffChoices) -> Floats:
    return found.reader if asked.error == "reader" else found["error_m" if asked.error == "mean" else "radius95_m"]


def _plain(values: Floats) -> list[float | None]:
    """What a logarithmic axis can show, to five digits."""
    return [float(f"{value:.5g}") if np.isfinite(value) and value > 0 else None for value in values]


def describe_trade_off(asked: TradeOffChoices, outcome: Outcome, *, clicks: bool = True) -> str:
    """What the curves show, how their points were found, and what a click on one does, where that is possible."""
    if not asked.open:
        return ""
    so_far = _shown(asked, outcome)
    if not outcome.results[TradeOff.NAME].done and len(so_far) < len(SCHEMES):
        known, of = Written(f"{len(so_far)}", len(so_far)), count(len(SCHEMES), "scheme")
        return sentence("{drawn_schemes} of {schemes} drawn so far.", drawn_schemes=known, schemes=of)
    drawn = [SPREADS[line.scheme].title for line in _lines(outcome) if not line.exact]
    said = [
        sentence(
            "Each line is a scheme, each mark on it an epsilon between {least_drawn} and {largest_drawn}.",
            least_drawn=_short(EPSILONS[0]),
            largest_drawn=_short(EPSILONS[-1]),
        ),
        f"The diamond is where you are{'; click a mark to go to its scheme and epsilon' if clicks else ''}.",
        found_now(outcome),
    ]
    if outcome.scenario.spread.by_hand:
        said.append(
            "Budgets by hand have no line: their diamond is at the largest sum of the landmarks and one other timestamp."
        )
    if asked.error == "reader" and so_far:
        said += [without_sentence(so_far[0].worths[0], outcome), "A line above the latter is worse than nothing."]
    if asked.error == "mean":
        means = sentence(
            "; for {schemes}, means of {mean_draws} releases, nine in ten of which are in the band",
            schemes=", ".join(drawn),
            mean_draws=whole(DRAWS),
        )
        said.append(sentence("Errors are expected ones{means}.", means=means if drawn else ""))
    if asked.against != "epsilon":
        said.append(of_many_settings(outcome))
    if len(_lines(outcome)) < len(SCHEMES):
        left_out = "Schemes whose releases depend on each other are left out above {most_drawn} timestamps."
        said.append(sentence(left_out, most_drawn=whole(MOST_DRAWN)))
    other = {line.mechanism for line in _lines(outcome)} - {outcome.scenario.mechanism}
    if other:
        said.append(f"Schemes that decide as they release are drawn with {MECHANISMS['planar'].partition(':')[0]}.")
    return join([*said, "Schemes protect different things: see above what each one keeps."], " ")


def _chart(asked: TradeOffChoices, outcome: Outcome) -> Chart:
    """The curves, as they are saved."""
    text, figure = describe_trade_off(asked, outcome, clicks=False), trade_off_figure(asked, outcome)
    return Chart("trade-off", "Error against epsilon or a loss", figure, text, beside=True)


def _shown(asked: TradeOffChoices, outcome: Outcome) -> tuple[Line, ...]:
    """The lines that are drawn; for a reader's error only those already read, and no other number instead."""
    lines = _lines(outcome)
    return tuple(one for one in lines if one.worths) if asked.error == "reader" else lines


def _lines(outcome: Outcome) -> tuple[Line, ...]:
    """The lines computed so far."""
    return outcome.found(TradeOff.NAME) or ()


class TradeOff(Panel):
    NAME = "trade_off"
    FOLD = TradeOffChoices

    def asked(self, choices: Any, outcome: Outcome) -> Hashable:
        return alike(outcome.scenario, "event"), outcome.trajectory, choices.trade_off.error == "reader"

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[tuple[Line, ...]]:
        lines: tuple[Line, ...] = ()
        for each in trade_off(outcome.scenario, outcome.trajectory):
            lines = (*lines, each)
            yield lines
        if choices.trade_off.error == "reader" and outcome.trajectory.name != RELEASE_NAME:
            yield from read_lines(lines, outcome.scenario, outcome.trajectory)

    def progress(self, choices: Any, outcome: Outcome) -> Progress:
        drawn, of = len(_lines(outcome)), len(SCHEMES)
        if drawn < of and not any(one.worths for one in _lines(outcome)):
            return Progress(f"Drawing curves: {drawn} of {of} schemes are done.", drawn / of)
        read_so_far = sum(bool(one.worths) for one in _lines(outcome))
        return Progress(f"Drawing curves: a careful reader has read {read_so_far} of {drawn}.", read_so_far / drawn)

    def ended(self, choices: Any, outcome: Outcome) -> str:
        drawn, of = len(_lines(outcome)), len(SCHEMES)
        if drawn < of:
            return f"after {drawn} of {of} curves"
        return f"after a reader had read {sum(bool(one.worths) for one in _lines(outcome))} of {drawn} curves"

    def blocks(self, choices: Any, outcome: Outcome) -> Iterator[Block]:
        text = describe_trade_off(choices.trade_off, outcome)
        yield replace(_chart(choices.trade_off, outcome), summary=text, beside=False)

    def parts(self, choices: Any, outcome: Outcome, release: Any) -> Iterable[Part]:
        """None: its chart is saved as a picture."""
        return ()

    def pictures(self, choices: Any, outcome: Outcome) -> Iterable[Chart]:
        asked: TradeOffChoices = choices.trade_off
        if _lines(outcome):
            chart = _chart(asked, outcome)
            yield chart
