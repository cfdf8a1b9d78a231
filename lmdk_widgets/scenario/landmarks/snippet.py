"""What is on a page as a program of a few lines, for a notebook or a paper: the release, or the page itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lmdk_widgets.checks import options, refused
from lmdk_widgets.io import NOTE
from lmdk_widgets.scenario.base.runs import runs
from lmdk_widgets.scenario.base.snippet import choices_call, widget_snippet
from lmdk_widgets.scenario.landmarks.model import WINDOW_SCHEMES, Scenario

_OPTIONS = {"path": str, "timezone": str, "day_first": bool, "on_problem": str}
_HEAD = f"# {NOTE}\n# Who has this seed and the release has the true track."
_RELEASING = """\
import numpy as np

from lmdk_widgets.budgets import release
from lmdk_widgets.noise import PlanarLaplace"""
_WIDTH = 100
_SHORTEST_RUN = 4  # of landmarks that is written as a range


def python_snippet(scenario: Scenario, *, source: Mapping[str, Any] | None = None) -> str:
    """A Python program that makes the release of ``evaluate(scenario, trajectory)`` again, to the last bit.

    It uses the package's public functions only. It repeats the file's name and the landmarks, but no coordinate.

    Parameters
    ----------
    scenario : its release is reproduced: track, scheme, epsilon, landmarks, protection radius, seed.
    source : for a track of the user's own, where it is read from: "path", and the options "timezone", "day_first" and
        "on_problem" of `load_trajectory` as far as they were given. None: the sample that the scenario names, or a
        path to fill in.

    Raises
    ------
    InputError : for a source with other names in it, or with values of other kinds.

    Examples
    --------
    >>> print(python_snippet(Scenario(landmarks=(0, 2, 4, 7), epsilon=0.5)), end="")
    # simulation, not a private release
    # Who has this seed and the release has the true track.
    import numpy as np
    <BLANKLINE>
    from lmdk_widgets.budgets import release
    from lmdk_widgets.noise import PlanarLaplace
    from lmdk_widgets.trajectory import sample
    <BLANKLINE>
    trajectory = sample('bob')
    released = release(
        trajectory.points_m,
        scheme='uniform',
        landmarks=[0, 2, 4, 7],
        epsilon=0.5,
        mechanism=PlanarLaplace(radius_m=200.0),
        rng=np.random.default_rng(1),
    )
    latitude, longitude = trajectory.frame.to_degrees(released.outputs)
    <BLANKLINE>
    for row in list(zip(trajectory.time, latitude, longitude))[:5]:
        print(*row)
    """
    reader, call = _reading(scenario, source)
    # budgets that follow from the correlation, and channels, take the evaluation of the whole scenario
    whole = scenario.scheme == "planned" or scenario.mechanism != "planar"
    imports, lines = _evaluating(scenario) if whole else _releasing(scenario)
    steps = "\n".join(lines)
    return f"""\
{_HEAD}
{imports}
from lmdk_widgets.trajectory import {reader}

trajectory = {call}
{steps}

for row in list(zip(trajectory.time, latitude, longitude))[:5]:
    print(*row)
"""


def explorer_snippet(scenario: Scenario, *, source: Mapping[str, Any] | None = None) -> str:
    """A cell of a notebook that shows the explorer with a scenario; parameters as for `python_snippet`.

    Examples
    --------
    >>> print(explorer_snippet(Scenario(epsilon=0.5, landmarks=(0, 2, 4, 7))), end="")
    from lmdk_widgets import Explorer
    from lmdk_widgets.scenario import Scenario
    <BLANKLINE>
    Explorer(scenario=Scenario(landmarks=[0, 2, 4, 7], epsilon=0.5))
    """
    arguments = [f"scenario={choices_call(scenario)}"]
    imports = ["from lmdk_widgets.scenario import Scenario"]
    if not scenario.track:
        reader, call = _reading(scenario, source)
        arguments.insert(0, call)
        imports.append(f"from lmdk_widgets.trajectory import {reader}")
    return widget_snippet("Explorer", arguments, imports)


def _evaluating(scenario: Scenario) -> tuple[str, list[str]]:
    return "from lmdk_widgets.scenario import Scenario, evaluate", [
        f"scenario = Scenario.from_dict({scenario.to_dict()!r})",
        "outcome = evaluate(scenario, trajectory)",
        "latitude, longitude = outcome.latitude, outcome.longitude",
    ]


def _reading(scenario: Scenario, source: Mapping[str, Any] | None) -> tuple[str, str]:
    """The function that gives the track, and its call. Every text goes through repr: a file's name may be anything."""
    if source is None and scenario.track:
        return "sample", f"sample({scenario.track!r})"
    given = {"path": "my-track.csv", **(source or {})}
    options(given, "source", _OPTIONS)
    for name, value in given.items():
        if not isinstance(value, _OPTIONS[name]) and (value is not None or name == "path"):
            raise refused(f"{name} of source", "true or false" if _OPTIONS[name] is bool else "a text", value)
    path = given.pop("path")
    told = [f", {name}={given[name]!r}" for name in _OPTIONS if given.get(name) is not None]
    return "load_trajectory", f"load_trajectory({path!r}{''.join(told)})"


def _releasing(scenario: Scenario) -> tuple[str, list[str]]:
    """With the arguments of `release` a line each, just as `evaluate` passes them."""
    more = {"adaptive": ["increase", "decrease"]}.get(scenario.scheme, [])
    more += ["window"] if scenario.scheme in WINDOW_SCHEMES else []
    lines = [
        "trajectory.points_m,",
        f"scheme={scenario.scheme!r},",
        *_wrapped(scenario.landmarks),
        f"epsilon={scenario.epsilon!r},",
        f"mechanism=PlanarLaplace(radius_m={scenario.radius_m!r}),",
        f"rng=np.random.default_rng({scenario.seed!r}),",
        *(f"{name}={getattr(scenario, name)!r}," for name in more),
    ]
    degrees = "latitude, longitude = trajectory.frame.to_degrees(released.outputs)"
    return _RELEASING, ["released = release(", *(f"    {line}" for line in lines), ")", degrees]


def _wrapped(landmarks: Sequence[int]) -> list[str]:
    """The landmarks as an argument, on as many lines as they need."""
    rows = [""]
    for item in _items(landmarks):
        if rows[-1] and len(rows[-1]) + len(item) > _WIDTH - 20:
            rows.append("")
        rows[-1] += f" {item}," if rows[-1] else f"{item},"
    if len(rows) == 1:
        return [f"landmarks=[{rows[0].removesuffix(',')}],"]
    return ["landmarks=[", *(f"    {row}" for row in rows), "],"]


def _items(indices: Sequence[int]) -> list[str]:
    items: list[str] = []
    for first, last in runs(indices):
        run = range(first, last + 1)
        items += [f"*{run!r}"] if len(run) >= _SHORTEST_RUN else map(str, run)
    return items
