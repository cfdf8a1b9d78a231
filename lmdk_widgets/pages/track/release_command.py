"""The command of a private release, for the settings of the track page: the page itself never makes one."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.index_runs import runs, runs_of
from lmdk_widgets.scenario.by_hand import given_budgets
from lmdk_widgets.scenario.ground import Numbers, ground_of
from lmdk_widgets.scenario.hidden import protected
from lmdk_widgets.scenario.model import MECHANISMS, Scenario
from lmdk_widgets.scenario.region import is_proposed, region_of
from lmdk_widgets.secure.command import command
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series

COMMANDED = (
    "Command copied: it makes a private release with exact noise, and records the budget spent. The page only makes "
    "simulations."
)
"""What the page says when the command is copied."""

PROPOSED = (
    "Before you run it, replace the region {region}: it is a box around your own track, and the release publishes it. "
    "Use an area that can be public, or say on the page that this one is public."
)
"""What the page says first where the command's region comes from the data."""


COMMAND_FILE = "command-of-a-release.txt"
"""Where the command goes if the browser refuses to copy it."""


def release_command(scenario: Scenario, track: Trajectory, source: Mapping[str, Any] | None = None) -> str:
    """The command line for a scenario; landmarks that are hidden are named with their dummies, as they are protected.

    Parameters
    ----------
    scenario : the choices. track : what they are about. source : where a user's own track is read from, with "path"
    and perhaps "timezone".

    Raises
    ------
    InputError : a scheme whose budgets follow from a chain, a mechanism other than planar Laplace, a track that is
        a part of its file, a series of answers, or bounds that are taken from the data.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> print(release_command(Scenario(landmarks=(0, 2, 4, 7), epsilon=5), sample("bob")).partition(" --scheme")[0])
    lmdk release bob.csv --epsilon 5 --radius 200 --region 48.75,2.25,49,2.5
    """
    if scenario.mechanism != "planar":
        title = MECHANISMS[scenario.mechanism].partition(":")[0]
        raise InputError("A private release must use the mechanism Planar Laplace", value=title)
    read = source if source and not scenario.track else {"path": f"{scenario.track or 'my-track'}.csv"}
    chosen = [
        name.replace("_", " ") for name, value in read.items() if name not in ("path", "timezone", "series") and value
    ]
    if chosen:
        what = "A private release must be made from a whole file, read as it is"
        raise InputError(what, value=", ".join(chosen), remedy="Save what is shown here as a file, and load that")
    marks = protected(scenario, len(track))
    return command(
        str(read["path"]),
        scheme=scenario.scheme,
        epsilon=scenario.epsilon,
        radius_m=None if isinstance(track, Series) else scenario.radius_m,
        region=None if isinstance(track, Series) else region_of(scenario, track).limits,
        bounds=_bounds(scenario, track) if isinstance(track, Series) else None,
        landmarks=",".join(str(a + 1) if a == b else f"{a + 1}-{b + 1}" for a, b in runs(marks)),
        window=scenario.window,
        rates=(scenario.increase, scenario.decrease),
        budgets=runs_of(given_budgets(scenario, len(track))) if scenario.spread.by_hand else (),
        timezone=str(read.get("timezone") or ""),
    )


COUNTED = "# Landmarks are counted from 1 in this command and on the page; Python counts them from 0."


def copied_command(scenario: Scenario, track: Trajectory, source: Mapping[str, Any] | None = None) -> str:
    """The command with all that it needs before it: a comment on how landmarks are counted, and for a bundled sample a
    command that writes it to a file. Parameters and errors are those of `release_command`.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> for line in copied_command(Scenario(landmarks=(0, 2)), sample("bob")).splitlines():
    ...     print(line[:60])
    # Landmarks are counted from 1 in this command and on the pa
    python -c "from lmdk_widgets.trajectory import sample; t = s
    lmdk release bob.csv --epsilon 1 --radius 200 --region 48.75
    """
    line = release_command(scenario, track, source)
    lines = [COUNTED] if " --landmarks " in line else []
    if scenario.track:
        lines.append(_writing(scenario.track, isinstance(track, Series)))
    return "\n".join([*lines, line])


def _writing(name: str, is_series: bool) -> str:
    """A command that writes a bundled sample to a CSV file, to the last digit; it needs no data frames."""
    reader, columns = ("sample_series", ["value"]) if is_series else ("sample", ["lat", "lon"])
    read = "t.values" if is_series else "t.latitude, t.longitude"
    parts = ", ".join(columns)
    row = ",".join(["{time}Z", *(f"{{{column}}}" for column in columns)])
    rows = f"*(f'{row}' for time, {parts} in zip(t.time, {read}))"
    program = f"from lmdk_widgets.trajectory import {reader}; t = {reader}({name!r}); "
    program += f"print('{','.join(['time', *columns])}', {rows}, sep=chr(10))"
    return f'python -c "{program}" > {shlex.quote(f"{name}.csv")}'


def to_mend(scenario: Scenario, track: Trajectory) -> str:
    """What must be changed in the command of a scenario before it is run, or "".

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> to_mend(Scenario(track=""), Trajectory(*(getattr(sample("bob"), n) for n in ("latitude", "longitude", "time"))))[:46]
    'Before you run it, replace the region 48.75,2.'
    >>> to_mend(Scenario(), sample("bob"))
    ''
    """
    if not is_proposed(scenario, track):
        return ""
    return PROPOSED.format(region=",".join(f"{limit:g}" for limit in region_of(scenario, track).limits))


def _bounds(scenario: Scenario, series: Series) -> tuple[float, float]:
    """The public bounds of a series of numbers."""
    ground = ground_of(scenario, series)
    if not isinstance(ground, Numbers):
        remedy = "Numbers and counts can be released"
        raise InputError("The command of a release must be for a track or numbers", value="answers", remedy=remedy)
    if ground.from_data:
        what = "A private release must have bounds that are known without looking at the values"
        raise InputError(what, value="those of the data", remedy="State them")
    return ground.lower, ground.upper
