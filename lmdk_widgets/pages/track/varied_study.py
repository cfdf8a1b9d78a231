"""What a study on the page varies: schemes, and along the axis epsilon, the landmarks or the chain. The other settings stay.

VaryChoices + the present settings  --study_of-->  Study  --study_toml, study_program-->  the same as files
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from lmdk_widgets.budgets import RELEASE_SCHEMES
from lmdk_widgets.errors import InputError
from lmdk_widgets.io import NOTE
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.fields import choice, flag, number, whole
from lmdk_widgets.page.typed_choices import several
from lmdk_widgets.scenario.knowledge import Knowledge
from lmdk_widgets.scenario.model import CORRELATIONS, EPSILON_RANGE, SPREADS, Scenario
from lmdk_widgets.study.grid import OF_ATTACKER, OF_DUMMIES, VARIED
from lmdk_widgets.study.layouts import LAYOUTS
from lmdk_widgets.study.model import Study
from lmdk_widgets.study.plan import BESIDE, DRAWN
from lmdk_widgets.trajectory.samples import sample_names, series_names

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

ALONG = {
    "epsilon": "Epsilon: from strong noise to weak.",
    "share": "Share of landmarks: drawn in each repetition, from few to many.",
    "layout": "Layout of landmarks: drawn in each repetition, spread evenly over time or in clusters.",
    "chain": "Chain: what the adversary is taken to know about moves.",
}
"""What is varied beside the scheme."""


class Along(NamedTuple):
    """axis : what the study calls it. word : in a heading. fields : the choices about it. instead : of the present settings,
    what does not matter, with the value that stands for all."""

    axis: str
    word: str
    fields: tuple[str, ...]
    instead: dict[str, Any]


OF_AXIS = {
    "epsilon": Along("epsilon", "epsilon", ("low", "high", "values"), {"epsilon": 1.0}),
    "share": Along("share", "share of landmarks", ("share_low", "share_high", "values", "layout"), {"landmarks": ()}),
    "layout": Along("layout", "layout", ("share",), {"landmarks": ()}),
    "chain": Along("correlation", "chain", ("chains",), {"correlation": "none"}),
}

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


@dataclass(frozen=True)
class VaryChoices(Choices):
    """Vary the scheme, and epsilon, the landmarks or the chain, in a study."""

    open: bool = flag(False, "Vary the scheme and one more setting: a study")
    along: str = choice("epsilon", ALONG, "Vary beside the scheme")
    schemes: str = choice("paper", GROUPS, "Schemes")
    low: float = number(0.1, EPSILON_RANGE, "Epsilon from", subject="The smallest epsilon")
    high: float = number(10.0, EPSILON_RANGE, "Epsilon to", subject="The largest epsilon")
    share_low: float = number(0.0, (0.0, 1.0), "Share from", subject="The smallest share of landmarks")
    share_high: float = number(1.0, (0.0, 1.0), "Share to", subject="The largest share of landmarks")
    share: float = number(0.25, (0.0, 1.0), "Share of landmarks", subject="The share of landmarks")
    layout: str = choice("uniform", LAYOUTS, "Layout of landmarks")
    chains: tuple[str, ...] = several(("none", "weak", "moderate", "strong"), CORRELATIONS, "Chains", subject="chain")
    values: int = whole(5, (2, 20), "Number of values", subject="The number of values")
    repetitions: int = whole(5, (1, 50), "Repetitions", subject="The number of repetitions")
    shown: str = choice("mean_error_m", MEASURED, "Show")

    @property
    def of_axis(self) -> Along:
        """What is varied beside the scheme."""
        return OF_AXIS[self.along]

    def visible(self) -> list[str]:
        """The choices about what is varied, and those about all studies."""
        about = {name for each in OF_AXIS.values() for name in each.fields} - set(self.of_axis.fields)
        return [name for name in super().visible() if name not in about]


def study_of(asked: VaryChoices, scenario: Scenario, data: Any, knowledge: Knowledge | None = None) -> Study:
    """The study of the present settings, with the chosen schemes, values along the axis and repetitions.

    Parameters
    ----------
    knowledge : what the attacker knows beforehand; by default no more than the correlation says.

    Raises
    ------
    InputError : the smallest value is not below the largest, or there are more than `MOST` evaluations.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> study = study_of(VaryChoices(values=2), Scenario(landmarks=(0, 2), radius_m=100.0), sample("bob"))
    >>> len(study), study.axes["epsilon"], study.axes["radius_m"], study.axes["landmarks"]
    (30, (0.1, 10.0), (100.0,), ((0, 2),))
    >>> study_of(VaryChoices(along="share", values=3), Scenario(epsilon=0.5), sample("bob")).axes["share"]
    (0.0, 0.5, 1.0)
    """
    schemes, varied = COMPARED[asked.schemes], _varied(asked, scenario)
    many = len(schemes) * len(varied[asked.of_axis.axis]) * asked.repetitions
    if many > MOST:
        remedy = "Choose fewer values or repetitions, or run the file with lmdk study"
        raise InputError(
            f"A study on the page must have at most {MOST:,} evaluations", value=f"{many:,}", remedy=remedy
        )
    instead = {*varied, *(("landmarks",) if "share" in varied else ())}
    kept = {name: values for name, values in _kept(scenario).items() if name not in instead}
    grid = {"scheme": schemes, **varied, **kept}
    known, plain = knowledge or Knowledge(), Knowledge()
    grid |= {axis: [known[name]] for axis, name in OF_ATTACKER.items() if known[name] != plain[name]}
    name = scenario.track or data.name or "track"
    read = min(READ, asked.repetitions)
    return Study({name: data}, grid, repetitions=asked.repetitions, measures=tuple(MEASURED), read=read)


def _varied(asked: VaryChoices, scenario: Scenario) -> dict[str, list[Any]]:
    """What is varied beside the scheme, and what belongs to it."""
    if asked.along == "epsilon":
        if not asked.low < asked.high:
            raise InputError(
                "The smallest epsilon must be below the largest", value=f"{asked.low:g} and {asked.high:g}"
            )
        return {"epsilon": _rounded(np.geomspace(asked.low, asked.high, asked.values))}
    kept = {"epsilon": [scenario.epsilon]}
    if asked.along == "chain":
        return {"correlation": list(asked.chains), **kept}
    if asked.along == "layout":
        return {"layout": list(LAYOUTS), "share": [asked.share], **kept}
    if not asked.share_low < asked.share_high:
        limits = f"{asked.share_low:g} and {asked.share_high:g}"
        raise InputError("The smallest share of landmarks must be below the largest", value=limits)
    shares = _rounded(np.linspace(asked.share_low, asked.share_high, asked.values))
    return {"share": shares, "layout": [asked.layout], **kept}


def _rounded(values: Any) -> list[float]:
    return [float(f"{value:.6g}") for value in values]


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


def several_of(study: Study) -> str:
    """What a study varies beside the scheme, as a heading.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> several_of(study_of(VaryChoices(along="chain"), Scenario(), sample("bob")))
    'Vary scheme and chain'
    """
    several = {axis for axis, values in study.axes.items() if len(values) > 1}
    words = [each.word for each in OF_AXIS.values() if each.axis in several]
    return " and ".join(["Vary scheme", *words])


def study_toml(study: Study) -> str:
    """A study as the file that `lmdk study` runs: the same settings, and the same numbers."""
    (name,) = study.tracks
    lines = [
        f"# {NOTE}: lmdk study FILE runs this on all cores, and with --dask ADDRESS on a cluster.",
        "# A track is a sample, or a file relative to this file's folder.",
        f"title = {json.dumps(several_of(study))}",
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


def study_program(asked: VaryChoices, study: Study) -> str:
    """A study as a program of a few lines, which prints the marks of the chart: the same settings, and the same numbers."""
    (name,) = study.tracks
    here = name in (*sample_names(), *series_names())
    told = [f"# {NOTE}", *([] if here else ["# Put the path of your own file here."])]
    grid = [
        f"    {axis!r}: {[VARIED[axis].plain(value) for value in values]!r}," for axis, values in study.axes.items()
    ]
    several = f"[{', '.join(map(repr, ('scheme', asked.of_axis.axis)))}]"
    return "\n".join(
        [
            *told,
            "from lmdk_widgets.study import Study",
            "",
            "grid = {",
            *grid,
            "}",
            f"measures = {list(study.measures)!r}",
            f"study = Study([{name!r}], grid, repetitions={study.repetitions}, measures=measures, read={study.read})",
            "frame = study.run(None, jobs=1)",
            f"by = frame.groupby({several}, observed=True, sort=False)",
            f"print(by[{asked.shown!r}].agg(['mean', 'sem', 'count']))",
            "",
        ]
    )
