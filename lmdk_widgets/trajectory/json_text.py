"""JSON in files of tracks: read whole, or refused with the place of the error."""

from __future__ import annotations

import json
from typing import Any

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.raw import MAX_TIMESTAMPS, too_many

_MOST_VALUES = 20 * MAX_TIMESTAMPS  # a guard on memory: each value of JSON becomes an object


def parse_json(text: str) -> Any:
    """What is in a JSON text.

    Raises
    ------
    InputError for JSON that is damaged, nested too deeply or too much.
    """
    if sum(text.count(mark) for mark in "[{,") > _MOST_VALUES:
        raise too_many("more")
    try:
        return json.loads(text)
    except RecursionError:
        raise InputError("the brackets of the file must not be nested this deeply") from None
    except json.JSONDecodeError as error:
        raise InputError(
            "the file must be valid JSON to its end",
            value=f"an error at line {error.lineno:,}, column {error.colno:,}",
            remedy="Export or copy the file again",
        ) from None
    except ValueError:  # a number with thousands of digits
        raise InputError("the numbers of the file must have fewer digits", value="one with thousands") from None
