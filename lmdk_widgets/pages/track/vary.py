"""A study run on the page, also as a file: the scheme and one more setting vary, and the others stay as they are."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np

from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.cache import cached
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.io import NOTE
from lmdk_widgets.page.amounts import amount, count, numeral, percent
from lmdk_widgets.page.amounts import whole as in_digits
from lmdk_widgets.page.blocks import Block, Chart, Column, Table, Text
from lmdk_widgets.page.figures import STYLES, line
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.page.sentences import Written, capital, join, sentence
from lmdk_widgets.pages.track.varied_study import (
    MEASURED,
    READ,
    VaryChoices,
    several_of,
    study_of,
    study_program,
    study_toml,
)
from lmdk_widgets.scenario.knowledge import Knowledge
from lmdk_widgets.scenario.model import CORRELATIONS, SPREADS, Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.study.grid import VARIED
from lmdk_widgets.study.layouts import LAYOUTS, first_of
from lmdk_widgets.study.model import Study
from lmdk_widgets.study.run import evaluated

STUDY_NOTE = f"{NOTE}; the errors are computed from the true data: never publish them"


class Evaluated(NamedTuple):
    """The finished rows of a study: the measures of each, and why it could not be evaluated, or ""."""

    study: Study
    rows: tuple[tuple[list[float], str], ...] = ()

    def means(self, measure: str, axis: str = "epsilon") -> dict[tuple[str, Any], tuple[float, float, int]]:
        """The mean of a measure for each scheme and value on the axis, its standard error (NaN for one row), and the number
        of rows."""
        at, found = self.study.measures.index(measure), dict[tuple[str, Any], list[float]]()
        for k, (values, _) in enumerate(self.rows):
            setting = self.study.setting(k)
            found.setdefault((setting["scheme"], setting[axis]), []).append(values[at])
        return {key: _mean(np.array(values)) for key, values in found.items()}


def _mean(values: Floats) -> tuple[float, float, int]:
    known = values[np.isfinite(values)]
    many = len(known)
    if not many:
        return math.nan, math.nan, 0
    return float(known.mean()), float(known.std(ddof=1) / math.sqrt(many)) if many > 1 else math.nan, many


class Vary(Panel):
    NAME = "vary"
    FOLD = VaryChoices
    FILES: ClassVar = {
        "results": lambda choices, outcome: results_csv(outcome),
        "study.toml": lambda choices, outcome: study_toml(_study(choices, outcome)),
        "study.py": lambda choices, outcome: study_program(choices.vary, _study(choices, outcome)),
    }
    CALLED: ClassVar = {"study.py": "program"}

    def asked(self, choices: Any, outcome: Outcome) -> Hashable | None:
        asked: VaryChoices = choices.vary
        if outcome.trajectory.name == RELEASE_NAME:
            return None
        _study(choices, outcome)  # refuses too large a study
        instead = {"scheme": "uniform", "seed": 1, "average": False, **asked.of_axis.instead}
        plain = outcome.scenario.released.with_changes(**instead)
        return asked.with_changes(shown="mean_error_m"), plain, choices.attacker.known, outcome.trajectory

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[Evaluated]:
        found = Evaluated(_study(choices, outcome))
        for values, refused in evaluated(found.study, range(len(found.study)), together=READ):
            found = Evaluated(found.study, (*found.rows, (values, refused)))
            yield found

    def progress(self, choices: Any, outcome: Outcome) -> Progress:
        done, of = self._done(choices, outcome)
        said = "Varying scheme and {varied}: {done} of {evaluations} evaluations are done."
        varied = choices.vary.of_axis.word
        return Progress(sentence(said, varied=varied, done=in_digits(done), evaluations=in_digits(of)), done / of)

    def ended(self, choices: Any, outcome: Outcome) -> str:
        done, of = self._done(choices, outcome)
        return sentence("after {done} of {evaluations} evaluations", done=in_digits(done), evaluations=in_digits(of))

    def _done(self, choices: Any, outcome: Outcome) -> tuple[int, int]:
        found: Evaluated | None = outcome.found(self.NAME)
        return (0, len(_study(choices, outcome))) if found is None else (len(found.rows), len(found.study))

    def blocks(self, choices: Any, outcome: Outcome) -> Iterable[Block]:
        found: Evaluated | None = outcome.found(self.NAME)
        if found is None or not found.rows:
            return []
        return [_chart(choices.vary, found, outcome), _table(choices.vary, found, outcome), Text(_said(found), "quiet")]


def _study(choices: Any, outcome: Outcome) -> Study:
    asked = choices.vary.with_changes(shown="mean_error_m")
    return _kept_study(asked, outcome.scenario, outcome.trajectory, choices.attacker.known)


@cached("visitor", entries=4, what="the study of the chosen settings")
def _kept_study(asked: VaryChoices, scenario: Scenario, data: Any, knowledge: Knowledge) -> Study:
    return study_of(asked, scenario, data, knowledge)


_APART = 0.09
"""Between the marks of two schemes at the same layout or chain, in steps of the axis."""


def _chart(asked: VaryChoices, found: Evaluated, outcome: Outcome) -> Chart:
    """The mean of a measure along the axis, a line for each scheme, with bars of one standard error; errors on a
    logarithmic axis, as one scheme's may be hundreds of times another's. Marks at layouts and chains stand side by side and
    are not joined: nothing lies between two of them."""
    axis = asked.of_axis.axis
    means, data = found.means(asked.shown, axis), []
    schemes, values = found.study.axes["scheme"], found.study.axes[axis]
    for k, scheme in enumerate(schemes):
        points = [(value, *mean) for (name, value), mean in means.items() if name == scheme and mean[2]]
        if not points:
            continue
        along, y, deviation, _ = (list(each) for each in zip(*points, strict=True))
        tone, dash = STYLES[k % len(STYLES)]
        bars = {"type": "data", "array": [0.0 if math.isnan(each) else each for each in deviation], "visible": True}
        look: dict[str, Any] = {"marker": {"size": 8, "color": tone, "symbol": k}, "error_y": bars}
        if axis in _TITLES:
            beside = _APART * (k - (len(schemes) - 1) / 2)
            x = [values.index(value) + beside for value in along]
            look |= {"text": [_titled(axis, value) for value in along], "hovertemplate": "%{text}: %{y:.4g}"}
        else:
            x = [100 * value for value in along] if axis == "share" else along
        mode = "markers" if axis in _TITLES else "lines+markers"
        data.append(line(SPREADS[scheme].title, x, y, tone, dash, mode, **look))
    title = MEASURED[asked.shown].partition(":")[0]
    error = asked.shown.endswith("_m")
    unit = outcome.kind.unit_of_error(outcome.trajectory) if error else ""
    positive = all(each > 0 for trace in data for each in trace["y"])
    scale = {"type": "log", "exponentformat": "none"} if error and positive else {"rangemode": "tozero"}
    layout = {
        "height": 380,
        "xaxis": _across(asked, values),
        "yaxis": {"title": {"text": f"{title.lower()}, {unit}" if unit else title.lower()}} | scale,
        "hovermode": "closest",
    }
    marks = "Each mark is the mean of its releases, with a bar of one standard error."
    said = join([MEASURED[asked.shown], marks, _what_varies(asked, outcome)], " ")
    varied = capital(several_of(found.study).partition(" ")[2])
    return Chart("vary", f"{varied} varied", {"data": data, "layout": layout}, said)


_TITLES = {"layout": LAYOUTS, "correlation": CORRELATIONS}
"""Of axes with words on them, what the words mean."""


def _titled(axis: str, value: str) -> str:
    return _TITLES[axis][value].partition(":")[0]


def _across(asked: VaryChoices, values: tuple[Any, ...]) -> dict[str, Any]:
    """The horizontal axis: logarithmic for epsilon, per cent for shares, words for layouts and chains."""
    axis, word = asked.of_axis.axis, asked.of_axis.word
    if axis in _TITLES:
        places = list(range(len(values)))
        ticks = {"tickvals": places, "ticktext": [_titled(axis, value) for value in values]}
        return {"title": {"text": word}, "range": [-0.6, len(values) - 0.4], "zeroline": False, **ticks}
    return {"title": {"text": word}, "type": "log"} if axis == "epsilon" else {"title": {"text": f"{word}, %"}}


def _what_varies(asked: VaryChoices, outcome: Outcome) -> str:
    """What is varied, what is drawn anew, and what stays."""
    scenario, n = outcome.scenario, len(outcome)
    epsilon = amount(scenario.epsilon)
    drawn = (
        "Landmarks are drawn anew in each repetition, the same for every scheme, instead of those you chose, so the bars "
        "contain their chance too"
    )
    if asked.along == "share":
        return sentence(
            "Varied: the scheme and the share of landmarks. {drawn}; a larger share adds to a smaller one’s. What stays: "
            "epsilon {epsilon}, the layout ({layout}), and all other settings.",
            drawn=drawn,
            epsilon=epsilon,
            layout=_titled("layout", asked.layout).lower(),
        )
    if asked.along == "layout":
        return sentence(
            "Varied: the scheme and the layout of landmarks. {drawn}. What stays: epsilon {epsilon}, the share of "
            "landmarks ({study_share}, which is {study_landmarks} of {all_reports}), and all other settings.",
            drawn=drawn,
            epsilon=epsilon,
            study_share=percent(asked.share),
            study_landmarks=in_digits(len(first_of(np.arange(n), asked.share))),
            all_reports=in_digits(n),
        )
    if asked.along == "chain":
        return sentence(
            "Varied: the scheme and the chain. A chain changes what is concluded from a release, not the release; but each "
            "setting has noise of its own, so that what no chain enters into, such as the error as released, differs from "
            "chain to chain by chance only. What stays: epsilon {epsilon}, the landmarks, and all other settings.",
            epsilon=epsilon,
        )
    return "Varied: the scheme and epsilon. What stays: the landmarks, and all other settings."


def _table(asked: VaryChoices, found: Evaluated, outcome: Outcome) -> Table:
    """The marks in numbers."""
    axis = asked.of_axis.axis
    write = outcome.ground.write if asked.shown.endswith("_m") else amount
    told: Callable[[Any], str] = partial(_titled, axis)
    if axis not in _TITLES:
        told = percent if axis == "share" else amount
    columns = (
        Column("", "scheme", lambda scheme: SPREADS[scheme].title),
        Column("", asked.of_axis.word, told, "left" if axis in _TITLES else "right"),
        Column("", MEASURED[asked.shown].partition(":")[0].lower(), _known(write), "right"),
        Column("", "standard error", _known(write), "right"),
        Column("", "releases", "{:,}".format, "right"),
    )
    rows = [(scheme, value, *mean) for (scheme, value), mean in found.means(asked.shown, axis).items()]
    return Table("The marks in numbers", columns, tuple(rows))


def _known(write: Any) -> Any:
    return lambda value: "none" if math.isnan(value) else write(value)


def _said(found: Evaluated) -> str:
    """What could not be evaluated, what is computed less often, and where else it can run."""
    refused = [reason for _, reason in found.rows if reason]
    text = ""
    if refused:
        out = sentence(
            "{refused_evaluations} of {evaluations} could not be made: {reason}",
            refused_evaluations=capital(numeral(len(refused))),
            evaluations=count(len(found.rows), "evaluation"),
            reason=refused[0],
        )
        text = f"{out} "
    if found.study.repetitions > found.study.read:
        computed = sentence(
            "The reader and the attacker are computed in {read_repetitions} of {repetitions} repetitions.",
            read_repetitions=Written(f"{found.study.read}", found.study.read),
            repetitions=Written(f"{found.study.repetitions}", found.study.repetitions),
        )
        text += f"{computed} "
    return text + (
        "“Study as TOML” is the same study as a file: “lmdk study FILE” runs it on all cores, or on a cluster with "
        "the option --dask, and gets the same numbers; “Program as PY” prints the marks. The Studies page opens the results "
        "of the command, and “Results as CSV”."
    )


def results_csv(outcome: Outcome) -> str:
    """The finished rows, as `lmdk study` writes them and the Studies page reads them."""
    found: Evaluated | None = outcome.found(Vary.NAME)
    if found is None:
        raise InputError("The study must have started before its results can be saved", value="no row")
    study = found.study
    names = ("evaluation", "track", *study.axes, "repetition", *study.measures, "refused")
    rows = []
    for k, (values, refused) in enumerate(found.rows):
        setting = study.setting(k)
        told = [VARIED[name].to_text(v) if isinstance(v := setting[name], tuple) else v for name in study.axes]
        rows.append((k, setting["track"], *told, setting["repetition"], *values, refused))
    return Table("", tuple(map(Column, names)), tuple(rows)).csv(note=STUDY_NOTE)
