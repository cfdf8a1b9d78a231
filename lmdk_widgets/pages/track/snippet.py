"""A page as a program of a few lines, for a notebook or a paper: its numbers, or the page itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lmdk_widgets.answers.from_track import noted
from lmdk_widgets.checks import options, refused
from lmdk_widgets.io import NOTE
from lmdk_widgets.page.index_runs import runs
from lmdk_widgets.page.snippet import choices_call, widget_snippet
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.practice.chosen_practice import Practice
from lmdk_widgets.scenario.knowledge import Knowledge
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.trajectory.samples import series_names
from lmdk_widgets.verdict.limits import Limits

_OPTIONS = {"path": str, "timezone": str, "day_first": bool, "on_problem": str, "on_repeat": str, "on_several": str}
_OPTIONS |= {
    "person": str,
    "days": list,
    "columns": dict,
    "headings": bool,
    "epsg": int,
    "series": bool,
    "accept": bool,
    "reading": str,
}
_WRITTEN = {str: "a text", bool: "true or false", list: "a list", dict: "a dict", int: "a whole number"}
_SECRET = "# Anyone with this seed and the release has the true track."
_PATH = "# Put the path of your own file here.\n"
_WIDTH = 100
COUNTED = "# Landmarks are counted from 0 here; the page and the command line count them from 1."
_SHORTEST_RUN = 4  # the shortest run of landmarks that is written as a range


def python_snippet(
    scenario: Scenario,
    *,
    knowledge: Knowledge | None = None,
    limits: Limits | None = None,
    practices: Sequence[Practice] = (),
    knows_silences: bool = True,
    source: Mapping[str, Any] | None = None,
    checkins: str = "",
    basemap: str = "",
) -> str:
    """A Python program that recomputes ``evaluate(scenario, trajectory)``, to the last bit: all numbers of the page.

    It uses only the package's public functions. It contains the file's name and the landmarks, but no coordinate.

    Parameters
    ----------
    scenario : the choices. knowledge : that of an adversary who follows the track, where the page shows one.
    limits : those of a verdict, which the program prints first; None: without a verdict.
    practices : those of today that the page compares, whose sentences follow. knows_silences : whether their attacker
        does.
    source : for a user's own track, where it is read from: "path", any options of `load_trajectory` that were given,
        and "series" where `load_series` reads it. None: the sample that the scenario names, or a path to fill in.
    checkins : where check-ins are read from, for an adversary who starts where people are; "" for none.
    basemap : where the streets are read from that an attacker knows; "" for none.

    Raises
    ------
    InputError : a source with unknown names, or with values of the wrong type.

    Examples
    --------
    >>> print(python_snippet(Scenario(landmarks=(0, 2, 4, 7), epsilon=0.5)), end="")
    # simulation, not a private release
    # Anyone with this seed and the release has the true track.
    from lmdk_widgets.scenario import Scenario, evaluate
    from lmdk_widgets.trajectory import sample
    <BLANKLINE>
    trajectory = sample('bob')
    # Landmarks are counted from 0 here; the page and the command line count them from 1.
    scenario = Scenario(
        landmarks=[0, 2, 4, 7],
        epsilon=0.5,
    )
    outcome = evaluate(scenario, trajectory)
    <BLANKLINE>
    print(outcome.to_frame())
    print("mean error:", outcome.mean_error_m)
    print("largest total loss, by one number for all pairs:", outcome.total.max())
    print("supremum of that:", outcome.supremum)
    print("landmarks together, the paper's count:", outcome.landmark.max())
    """
    reader, call = _reading(scenario, source)
    start = Scenario().to_dict()
    lines = []
    listed = {"landmarks": _items(scenario.landmarks), "budgets": [repr(run) for run in scenario.budgets]}
    for name, value in scenario.to_dict().items():
        if value != start[name]:
            lines += _wrapped(name, listed[name]) if name in listed else [f"{name}={value!r},"]
    said = [COUNTED] if scenario.landmarks else []
    chosen = "\n".join([*said, "scenario = Scenario(", *(f"    {line}" for line in lines), ")"])
    inferred, knows = "", ""
    if knowledge is not None:
        inferred, knows = f"\ninferred = infer(outcome, {choices_call(knowledge)})", "Knowledge, "
    judged, says = "", ""
    if limits is not None:
        given = {name: limits[name] for name in Limits.kinds() if limits[name] != Limits.defaults()[name]}
        judged = f"\nprint(verdict(outcome, Limits({', '.join(f'{n}={v!r}' for n, v in given.items())})).sentence)"
        judged = judged if given else "\nprint(verdict(outcome).sentence)"
        says = f"\nfrom lmdk_widgets.verdict import {'Limits, ' * bool(given)}verdict"
    today = ""
    if practices:
        asked = ", ".join(f"Practice({', '.join(map(repr, practice))})" for practice in practices)
        call_ = f"over_draws(practice, trajectory, knows={knows_silences}, seed={scenario.seed})"
        today = f"\nfor practice in [{asked}]:\n    print({call_}.sentence({scenario.radius_m!r}))"
    of_practices = "from lmdk_widgets.practice.chosen_practice import Practice\n"
    does = f"{of_practices}from lmdk_widgets.practice.over_draws import over_draws\n" if practices else ""
    walked = f"\nprint(by_streets(outcome, {basemap!r}).sentence)" if basemap else ""
    does += "from lmdk_widgets.answers.street_attack import by_streets\n" if basemap else ""
    among = "from lmdk_widgets.scenario.people import with_checkins\n" if checkins else ""
    return f"""\
{_head(scenario)}
{does}from lmdk_widgets.scenario import {knows}Scenario, evaluate{", infer" if inferred else ""}
{among}from lmdk_widgets.trajectory import {reader}{says}

{_PATH if reader.startswith("load") else ""}trajectory = {f"with_checkins({call}, {checkins!r})" if checkins else call}
{chosen if lines else "scenario = Scenario()"}
outcome = evaluate(scenario, trajectory){inferred}
{judged}{today}{walked}
print(outcome.to_frame())
print("mean error:", outcome.mean_error_m)
print("largest total loss, by one number for all pairs:", outcome.total.max())
print("supremum of that:", outcome.supremum)
print("landmarks together, the paper's count:", outcome.landmark.max())
"""


def _head(scenario: Scenario) -> str:
    """What the program is, and what its mechanism takes from the data, as comments."""
    return "\n".join([*(f"# {part}" for part in noted(NOTE, scenario).split("; ")), _SECRET])


def explorer_snippet(
    choices: TrackChoices, *, source: Mapping[str, Any] | None = None, checkins: str = "", basemap: str = ""
) -> str:
    """A notebook cell that shows the explorer with these choices; parameters as for `python_snippet`.

    Examples
    --------
    >>> print(explorer_snippet(TrackChoices(Scenario(epsilon=0.5, landmarks=(0, 2, 4, 7)))), end="")
    from lmdk_widgets import Explorer
    from lmdk_widgets.scenario import Scenario
    <BLANKLINE>
    # Landmarks are counted from 0 here; the page and the command line count them from 1.
    Explorer(scenario=Scenario(landmarks=[0, 2, 4, 7], epsilon=0.5))
    """
    scenario = choices.scenario
    arguments = [f"scenario={choices_call(scenario)}"]
    start, kinds = choices.defaults(), choices.kinds()
    more = {name: kinds[name].plain(choices[name]) for name in kinds if name not in Scenario.kinds()}
    if told := {name: value for name, value in more.items() if value != kinds[name].plain(start[name])}:
        arguments.append(f"choices={told!r}")
    imports = ["from lmdk_widgets.scenario import Scenario"]
    if not scenario.track:
        reader, call = _reading(scenario, source)
        arguments.insert(0, call)
        imports.append(f"from lmdk_widgets.trajectory import {reader}")
    if checkins:
        arguments.append(f"checkins={checkins!r}")
    if basemap:
        arguments.append(f"basemap={basemap!r}")
    return widget_snippet("Explorer", arguments, imports, COUNTED if scenario.landmarks else "")


def _reading(scenario: Scenario, source: Mapping[str, Any] | None) -> tuple[str, str]:
    """The function that returns the track, and its call. Every text goes through repr, as a file's name may be
    anything."""
    if source is None and scenario.track:
        reader = "sample_series" if scenario.track in series_names() else "sample"
        return reader, f"{reader}({scenario.track!r})"
    given = {"path": "my-track.csv", **(source or {})}
    options(given, "source", _OPTIONS)
    for name, value in given.items():
        if not isinstance(value, _OPTIONS[name]) and (value is not None or name == "path"):
            raise refused(f"{name} of source", _WRITTEN[_OPTIONS[name]], value)
    path, reader = given.pop("path"), "load_series" if given.pop("series", False) else "load_trajectory"
    told = [f", {name}={given[name]!r}" for name in _OPTIONS if given.get(name) is not None]
    return reader, f"{reader}({path!r}{''.join(told)})"


def _wrapped(name: str, items: Sequence[str]) -> list[str]:
    """A list as an argument, on as many lines as it needs."""
    rows = [""]
    for item in items:
        if rows[-1] and len(rows[-1]) + len(item) > _WIDTH - 20:
            rows.append("")
        rows[-1] += f" {item}," if rows[-1] else f"{item},"
    if len(rows) == 1:
        return [f"{name}=[{rows[0].removesuffix(',')}],"]
    return [f"{name}=[", *(f"    {row}" for row in rows), "],"]


def _items(indices: Sequence[int]) -> list[str]:
    items: list[str] = []
    for first, last in runs(indices):
        run = range(first, last + 1)
        items += [f"*{run!r}"] if len(run) >= _SHORTEST_RUN else map(str, run)
    return items
