"""A scenario as a file: JSON that loads back exactly, and refuses in a sentence what is no scenario."""

from __future__ import annotations

from lmdk_widgets.scenario.base.settings_file import MOST_CHARACTERS, VERSION, SettingsFile
from lmdk_widgets.scenario.landmarks.model import Scenario

_FILE = SettingsFile("scenario", "A scenario file", Scenario)
FORMAT = _FILE.format

__all__ = ["FORMAT", "MOST_CHARACTERS", "VERSION", "scenario_from_json", "scenario_json"]


def scenario_json(scenario: Scenario) -> str:
    """A scenario as JSON, one choice a line; `scenario_from_json` gives the equal scenario back.

    It holds settings and the indices of the landmarks, never a coordinate.

    Examples
    --------
    >>> scenario = Scenario(landmarks=(0, 2, 4, 7))
    >>> scenario_from_json(scenario_json(scenario)) == scenario
    True
    """
    return _FILE.write(scenario)


def scenario_from_json(text: str) -> Scenario:
    """The scenario in a text that `scenario_json` made, perhaps changed by hand; left out choices take their defaults.

    Raises
    ------
    InputError : see `SettingsFile.read`.
    """
    return _FILE.read(text)
