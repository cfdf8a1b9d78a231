"""A study run on the page, also as a file: epsilon and scheme vary, and the other settings stay as they are."""

from __future__ import annotations

import json
import math
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.budgets import RELEASE_SCHEMES
from lmdk_widgets.cache import cached
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.io import NOTE
from lmdk_widgets.page.amounts import amount, count, numeral
from lmdk_widgets.page.amounts import whole as in_digits
from lmdk_widgets.page.blocks import Block, Chart, Column, Table, Text
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.fields import choice, flag, number, whole
from lmdk_widgets.page.figures import STYLES, line
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.page.sentences import Written, capital, sentence
from lmdk_widgets.scenario.knowledge import Knowledge
from lmdk_widgets.scenario.model import EPSILON_RANGE, SPREADS, Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.study.grid import OF_ATTACKER, OF_DUMMIES, VARIED
from lmdk_widgets.study.model import Study
from lmdk_widgets.study.plan import BESIDE, DRAWN
from lmdk_widgets.study.run import evaluated

MOST = 3_000
"""Most evaluations of a study on the page: larger studies are for `lmdk study`."""

READ = 2
"""Repetitions of each setting in which the careful reader and the attacker are computed."""

COMPARED: dict[str, tuple[str, ...]] = {
    "paper": ("uniform", "skip", "adaptive"),
    "landmark": tuple(name for name in RELEASE_SCHEMES if SPREADS[name].keeps == "Theorem"),
    "all": RELEASE_SCHEMES,
}
GROUPS = {
    "paper": "Uniform, Skip and Adaptive: as the landmark paper compares them.",
    "landmark": "All that protect landmarks: the landmarks and any one other timestamp share epsilon.",
    "all": "All that spread epsilon: some protect only single timestamps or windows.",
}
"""Which schemes are varied."""

MEASURED = {
    "mean_error_m": "Error as released: the mean difference between release and truth.",
    "reader_error_m": "Reader's error: that of a careful reader who uses all reports and public knowledge.",
    "attacker_error_m": "Attacker's error: of one who follows the data, by the reader’s or the chosen model.",
    "attacker_right": "Attacker's chance: the chance of the true cell, level or answer, by the chain chosen.",
    "home_found": "Main place found: the share of releases in which averaging comes within the radius.",
    "pair_loss": "Largest loss: the most that a timestamp reveals; with a chain a what-if about two cells one radius apart.",
    "landmark_bound": "Landmarks together: the largest bound on what they lose with one other timestamp.",
    "published": "Measured: the share of timestamps with a report of their own.",
}
"""What is recorded for each release, and can be shown."""

STUDY_NOTE = f"{NOTE}; the errors are computed from the true data: never publish them"


@dataclass(frozen=True)
class VaryChoices(Choices):
    """Vary epsilon and scheme in a study."""

    open: bool = flag(False, "Vary epsilon and scheme: a study")
    schemes: str = choice("paper", GROUPS, "Schemes")
    low: float = number(0.1, EPSILON_RANGE, "Epsilon from", subject="The smallest epsilon")
    high: float = number(10.0, EPSILON_RANGE, "Epsilon to", subject="The largest epsilon")
    values: int = whole(5, (2, 20), "Values of epsilon", subject="The number of values")
    repetitions: int = whole(5, (1, 50), "Repetitions", subject="The number of repetitions")
    shown: str = choice("mean_error_m", MEASURED, "Show")


def study_of(asked: VaryChoices, scenario: Scenario, data: Any, knowledge: Knowledge | None = None) -> Study:
    """The study of the present settings, with the chosen schemes, epsilons and repetitions.

    Parameters
    ----------
    knowledge : what the attacker knows beforehand; by default no more than the correlation says.

    Raises
    ------
    InputError : the smallest epsilon is not below the largest, or there are more than `MOST` evaluations.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> study = study_of(VaryChoices(values=2), Scenario(landmarks=(0, 2), radius_m=100.0), sample("bob"))
    >>> len(study), study.axes["epsilon"], study.axes["radius_m"], study.axes["landmarks"]
    (30, (0.1, 10.0), (100.0,), ((0, 2),))
    """
    if not asked.low < asked.high:
        raise InputError("The smallest epsilon must be below the largest", value=f"{asked.low:g} and {asked.high:g}")
    schemes = COMPARED[asked.schemes]
    many = len(schemes) * asked.values * asked.repetitions
    if many > MOST:
        remedy = "Choose fewer values or repetitions, or run the file with lmdk study"
        raise InputError(
            f"A study on the page must have at most {MOST:,} evaluations", value=f"{many:,}", remedy=remedy
        )
    epsilons = [float(f"{epsilon:.6g}") for epsilon in np.geomspace(asked.low, asked.high, asked.values)]
    grid = {"scheme": schemes, "epsilon": epsilons, **_kept(scenario)}
    known, plain = knowledge or Knowledge(), Knowledge()
    grid |= {axis: [known[name]] for axis, name in OF_ATTACKER.items() if known[name] != plain[name]}
    name = scenario.track or data.name or "track"
    read = min(READ, asked.repetitions)
    return Study({name: data}, grid, repetitions=asked.repetitions, measures=tuple(MEASURED), read=read)


def _kept(scenario: Scenario) -> dict[str, list[Any]]:
    """The present settings that a study can fix, where they differ from the defaults."""
    first, left_out = Scenario.defaults(), {"scheme", "epsilon", "target", *DRAWN, *BESIDE}
    if not scenario.hide:
        left_out |= set(OF_DUMMIES)
    if scenario.joins_at_random:
        left_out |= {"hide_epsilon", "hide_most"}
    if not scenario.joins_at_random or scenario.hide_joining != "stated":
        left_out.add("hide_chance")
    names = (name for name in VARIED if name not in left_out)
    kept = {name: getattr(scenario, name) for name in names}
    return {name: [value] for name, value in kept.items() if name == "landmarks" or value != first[name]}


def study_toml(study: Study) -> str:
    """A study as the file that `lmdk study` runs: the same settings, and the same numbers.

    Raises
    ------
    InputError : see `study_of`.
    """
    (name,) = study.tracks
    lines = [
        f"# {NOTE}: lmdk study FILE runs this on all cores, and with --dask ADDRESS on a cluster.",
        "# A track is a sample, or a file relative to this file's folder.",
        'title = "Vary epsilon and scheme"',
        f"tracks = {json.dumps([name])}",
        f"repetitions = {study.repetitions}",
        f"read = {study.read}",
        f"measures = {json.dumps(list(study.measures))}",
        "",
        "[grid]",
    ]
    for axis, values in study.axes.items():
        lines.append(f"{axis} = {json.dumps([VARIED[axis].plain(value) for value in values])}")
    return "\n".join(lines) + "\n"


class Evaluated(NamedTuple):
    """The finished rows of a study: the measures of each, and why it could not be evaluated, or ""."""

    study: Study
    rows: tuple[tuple[list[float], str], ...] = ()

    def means(self, measure: str) -> dict[tuple[str, float], tuple[float, float, int]]:
        """The mean of a measure for each scheme and epsilon, its standard error (NaN for one row), and the number of
        rows."""
        at, found = self.study.measures.index(measure), dict[tuple[str, float], list[float]]()
        for k, (values, _) in enumerate(self.rows):
            setting = self.study.setting(k)
            found.setdefault((setting["scheme"], setting["epsilon"]), []).append(values[at])
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
    }

    def asked(self, choices: Any, outcome: Outcome) -> Hashable | None:
        asked: VaryChoices = choices.vary
        if outcome.trajectory.name == RELEASE_NAME:
            return None
        _study(choices, outcome)  # refuses too large a study
        plain = outcome.scenario.released.with_changes(scheme="uniform", epsilon=1.0, seed=1, average=False)
        return asked.with_changes(shown="mean_error_m"), plain, choices.attacker.known, outcome.trajectory

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[Evaluated]:
        found = Evaluated(_study(choices, outcome))
        for values, refused in evaluated(found.study, range(len(found.study)), together=READ):
            found = Evaluated(found.study, (*found.rows, (values, refused)))
            yield found

    def progress(self, choices: Any, outcome: Outcome) -> Progress:
        done, of = self._done(choices, outcome)
        said = "Varying epsilon and scheme: {done} of {evaluations} evaluations are done."
        return Progress(sentence(said, done=in_digits(done), evaluations=in_digits(of)), done / of)

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


def _chart(asked: VaryChoices, found: Evaluated, outcome: Outcome) -> Chart:
    """The mean of a measure against epsilon, a line for each scheme, with bars of one standard error; errors on a
    logarithmic axis, as one scheme's may be hundreds of times another's."""
    means, data = found.means(asked.shown), []
    for k, scheme in enumerate(found.study.axes["scheme"]):
        points = [(epsilon, *mean) for (name, epsilon), mean in means.items() if name == scheme and mean[2]]
        if not points:
            continue
        x, y, deviation, _ = (list(each) for each in zip(*points, strict=True))
        tone, dash = STYLES[k % len(STYLES)]
        bars = {"type": "data", "array": [0.0 if math.isnan(each) else each for each in deviation], "visible": True}
        marks = {"size": 8, "color": tone, "symbol": k % len(STYLES)}
        data.append(line(SPREADS[scheme].title, x, y, tone, dash, "lines+markers", marker=marks, error_y=bars))
    title = MEASURED[asked.shown].partition(":")[0]
    error = asked.shown.endswith("_m")
    unit = outcome.kind.unit_of_error(outcome.trajectory) if error else ""
    positive = all(each > 0 for trace in data for each in trace["y"])
    scale = {"type": "log", "exponentformat": "none"} if error and positive else {"rangemode": "tozero"}
    layout = {
        "height": 380,
        "xaxis": {"title": {"text": "epsilon"}, "type": "log"},
        "yaxis": {"title": {"text": f"{title.lower()}, {unit}" if unit else title.lower()}} | scale,
        "hovermode": "closest",
    }
    said = f"{MEASURED[asked.shown]} Each mark is the mean of its releases, with a bar of one standard error."
    return Chart("vary", "Epsilon and scheme varied", {"data": data, "layout": layout}, said)


def _table(asked: VaryChoices, found: Evaluated, outcome: Outcome) -> Table:
    """The marks in numbers."""
    write = outcome.ground.write if asked.shown.endswith("_m") else amount
    columns = (
        Column("", "scheme", lambda scheme: SPREADS[scheme].title),
        Column("", "epsilon", amount, "right"),
        Column("", MEASURED[asked.shown].partition(":")[0].lower(), _known(write), "right"),
        Column("", "standard error", _known(write), "right"),
        Column("", "releases", "{:,}".format, "right"),
    )
    rows = [(scheme, epsilon, *mean) for (scheme, epsilon), mean in found.means(asked.shown).items()]
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
        "the option --dask, and gets the same numbers. The Studies page opens its results, and “Results as CSV”."
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
