"""A scenario as a file: JSON that loads back exactly, and refuses in a sentence what is no scenario."""

from __future__ import annotations

import json
from typing import Any

from lmdk_widgets.checks import refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.io import NOTE
from lmdk_widgets.scenario.landmarks.model import Scenario

FORMAT = "lmdk-widgets scenario"
VERSION = 1

MOST_CHARACTERS = 10_000_000
"""Longest text that is read; a million landmarks take 8 million."""

_MOST_DIGITS = 20
_REMEDY = "Choose a file that was saved as a scenario"


def scenario_json(scenario: Scenario) -> str:
    """A scenario as JSON, one choice a line; `scenario_from_json` gives the equal scenario back.

    It holds settings and the indices of the landmarks, never a coordinate.

    Examples
    --------
    >>> scenario = Scenario(landmarks=(0, 2, 4, 7))
    >>> scenario_from_json(scenario_json(scenario)) == scenario
    True
    """
    head = {"format": FORMAT, "version": VERSION, "note": NOTE}
    choices = ",\n".join(f"    {_pair(name, value)}" for name, value in scenario.to_dict().items())
    lines = [*(f"  {_pair(name, value)}," for name, value in head.items()), f'  "scenario": {{\n{choices}\n  }}']
    return "{\n" + "\n".join(lines) + "\n}\n"


def scenario_from_json(text: str) -> Scenario:
    """The scenario in a text that `scenario_json` made, perhaps changed by hand; left out choices take their defaults.

    Raises
    ------
    InputError : for a text that is too long, is not JSON, is no scenario or one of another version, and for a choice
        that does not exist or is out of range.
    """
    if len(text) > MOST_CHARACTERS:
        what = f"A scenario file must have at most {MOST_CHARACTERS:,} characters"
        raise InputError(what, value=len(text), remedy=_REMEDY)
    content = _parsed(text)
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InputError(f'A scenario file must be JSON with "format": "{FORMAT}"', value="other JSON", remedy=_REMEDY)
    version = content.get("version")
    if type(version) is not int or version != VERSION:
        remedy = "Save the scenario again, or use the version of lmdk-widgets that saved it"
        raise refused("The version of a scenario file", str(VERSION), version, remedy=remedy)
    return Scenario.from_dict(content.get("scenario"))  # type: ignore[arg-type]  # it checks what it gets


def _pair(name: str, value: Any) -> str:
    return f"{json.dumps(name)}: {json.dumps(value, allow_nan=False)}"


def _parsed(text: str) -> Any:
    try:
        # NaN and numbers of a million digits are not refused by Python's reader as they should be.
        return json.loads(text.removeprefix("\ufeff"), parse_int=_whole, parse_constant=_refuse)
    except InputError:
        raise
    except (ValueError, RecursionError):
        # Not the reader's own words: they mean nothing to a person who has chosen the wrong file.
        what = "a damaged file or one of another kind"
        raise InputError("A scenario file must be JSON", value=what, remedy=_REMEDY) from None


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise InputError(f"Numbers in a scenario file must have at most {_MOST_DIGITS} digits", value=len(digits))
    return int(digits)


def _refuse(constant: str) -> float:
    raise InputError("Numbers in a scenario file must be finite", value=constant)
