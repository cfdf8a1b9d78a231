"""What a page draws, as it is sent to a browser or written to a file: arrays, and figures in plain values."""

from __future__ import annotations

import math
from base64 import b64decode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple

import numpy as np

from lmdk_widgets.checks import kind_of, one_of, refused
from lmdk_widgets.errors import library

Message = dict[str, Any]

DRAWN = ("scatter", "bar")
"""The kinds of trace that the page draws."""


KINDS = {"f": "f4", "i": "i4", "u": "i4", "b": "i4"}
"""The types in which arrays are sent, by the kind of their numbers: pixels need no more precision."""


class Drawing(NamedTuple):
    """Something that a page draws.

    Attributes
    ----------
    name : of the message, "draw" for the main one.
    made_of : sent again only when one of these is another object, or another number or text.
    described : plain values. arrays : by name, sent as binary buffers. precise : names that keep their full precision.
    """

    name: str
    made_of: tuple[Any, ...]
    described: Message
    arrays: Mapping[str, np.ndarray]
    precise: frozenset[str] = frozenset()

    def packed(self) -> tuple[list[list[str]], list[bytes]]:
        """The name and the kind of each array, and its bytes."""
        kinds = [[n, "f8" if n in self.precise else _kind(a)] for n, a in self.arrays.items()]
        return kinds, [np.ascontiguousarray(self.arrays[name], dtype=kind).tobytes() for name, kind in kinds]

    def message(self) -> tuple[Message, list[bytes]]:
        """The message that brings it, and its buffers."""
        arrays, buffers = self.packed()
        return {"type": self.name, **self.described, "arrays": arrays}, buffers


@dataclass(frozen=True)
class Later:
    """A drawing that is made only when it is sent; name and made_of as those of a `Drawing`.

    Examples
    --------
    >>> drawing = Later("draw", (3,), lambda: Drawing("draw", (3,), {"n": 3}, {}))
    >>> drawing.made_of, drawing.message()[0]
    ((3,), {'type': 'draw', 'n': 3, 'arrays': []})
    """

    name: str
    made_of: tuple[Any, ...]
    make: Callable[[], Drawing]

    @property
    def described(self) -> Message:
        return self.make().described

    @property
    def arrays(self) -> Mapping[str, np.ndarray]:
        return self.make().arrays

    def message(self) -> tuple[Message, list[bytes]]:
        """The message that brings it, and its buffers."""
        return self.make().message()


def plain_figure(figure: Any, *, foreign: bool = False) -> dict[str, Any]:
    """A figure description as JSON values; the argument is not changed.

    Parameters
    ----------
    foreign : also accept traces that plotly draws and the page does not.

    Raises
    ------
    InputError : it is not a figure, or contains a trace that is not drawn or a value that cannot be sent.
    """
    described = figure.to_plotly_json() if hasattr(figure, "to_plotly_json") else figure
    if not isinstance(described, Mapping) or not isinstance(described.get("data"), list | tuple):
        raise refused("figure", 'a plotly figure, or a dict with a list of traces as "data"', kind_of(figure))
    plain = {name: _plain(described.get(name) or empty, name) for name, empty in (("data", []), ("layout", {}))}
    for k, trace in enumerate(plain["data"]):
        kind = trace.get("type", "scatter") if isinstance(trace, dict) else kind_of(trace)
        if not (foreign and isinstance(kind, str) and kind not in DRAWN and _is_of_plotly(kind)):
            one_of(kind, f"the type of trace {k}", DRAWN)
    return plain


def is_ours(figure: Mapping[str, Any]) -> bool:
    """Whether the page draws every trace of a plain figure itself.

    Examples
    --------
    >>> is_ours({"data": [{"y": [1]}, {"type": "bar"}]}), is_ours({"data": [{"type": "heatmap"}]})
    (True, False)
    """
    return all(trace.get("type", "scatter") in DRAWN for trace in figure["data"])


def _is_of_plotly(kind: str) -> bool:
    """Whether plotly draws traces of a type; it is imported only for one that the page does not draw.

    Raises
    ------
    InputError : plotly is not installed; the message names the command that installs it.
    """
    graph_objects = library("plotly.graph_objects", f"A trace of the type {kind}")
    try:
        graph_objects.Figure([{"type": kind}])
    except ValueError:
        return False
    return True


def _plain(value: Any, name: str) -> Any:
    if hasattr(value, "tolist"):  # an array, a number of NumPy's, a column of a table
        value = value.tolist()
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, date | datetime):
        return value.isoformat()
    if isinstance(value, Mapping) and value.keys() >= {"dtype", "bdata"}:  # how plotly for Python writes an array
        return _plain(np.frombuffer(b64decode(value["bdata"]), value["dtype"]), name)
    if isinstance(value, Mapping):
        return {str(key): _plain(entry, f"{name}.{key}") for key, entry in value.items()}
    if isinstance(value, list | tuple | range):
        return [_plain(entry, name) for entry in value]
    raise refused(f"the entry {name}", "made of text, numbers, dates, lists and arrays", kind_of(value))


def _kind(array: np.ndarray) -> str:
    return "u1" if array.dtype == np.uint8 else KINDS[array.dtype.kind]
