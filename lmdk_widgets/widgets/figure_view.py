"""One figure of a lesson: a plotly figure description, drawn by the plotly that the package brings along.

Neither plotly for Python nor an extension of JupyterLab is needed, and the served page, which loads nothing but
anywidget, shows it too.
"""

from __future__ import annotations

import math
from base64 import b64decode
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

import numpy as np
import traitlets

from lmdk_widgets.checks import kind_of, one_of, refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.widgets import reading
from lmdk_widgets.widgets.bundle import BundledWidget

DRAWN = ("scatter", "bar", "pie")
"""The kinds of trace that the bundled plotly draws."""


class FigureView(BundledWidget):
    """A figure with a sentence that says what it shows.

    Parameters
    ----------
    figure : ``{"data": [traces], "layout": {...}}``, or an object with ``to_plotly_json()``. Traces of `DRAWN`; arrays
        of any kind; numbers that are not finite leave a gap. Colours of the paper, the axes and the text, and the
        width, are the page's.
    summary : what a reader who does not see the figure should know; it stands beneath it.

    Attributes
    ----------
    figure : the description as plain values; set it to draw another.
    summary : set it together with the figure.

    Raises
    ------
    InputError : no figure, a trace that is not drawn, an empty summary; the figure stays as it was.

    Examples
    --------
    >>> view = FigureView({"data": [{"y": [0.1, math.inf]}]}, summary="A point; the next is beyond all bounds.")
    >>> view.figure
    {'data': [{'y': [0.1, None]}], 'layout': {}}
    """

    figure = traitlets.Any().tag(sync=True)
    summary = traitlets.Unicode().tag(sync=True)

    def __init__(self, figure: Any, summary: str, **traits: Any) -> None:
        super().__init__(_module="figure_view.js", figure=figure, summary=summary, **traits)

    def reading(self) -> str:
        return reading.figure(self.figure, self.summary)

    @traitlets.validate("figure")
    def _plain_figure(self, proposal: Any) -> dict[str, Any]:
        return plain_figure(proposal["value"])

    @traitlets.validate("summary")
    def _some_words(self, proposal: Any) -> str:
        if not proposal["value"].strip():
            raise InputError("summary must be a sentence that says what the figure shows", value="none")
        return proposal["value"]


def plain_figure(figure: Any) -> dict[str, Any]:
    """A figure description as values that JSON knows; the argument is not changed.

    Raises
    ------
    InputError : it is no figure, holds a trace that is not drawn, or a value that cannot be sent.
    """
    described = figure.to_plotly_json() if hasattr(figure, "to_plotly_json") else figure
    if not isinstance(described, Mapping) or not isinstance(described.get("data"), list | tuple):
        raise refused("figure", 'a plotly figure, or a dict with a list of traces as "data"', kind_of(figure))
    plain = {name: _plain(described.get(name) or empty, name) for name, empty in (("data", []), ("layout", {}))}
    for k, trace in enumerate(plain["data"]):
        kind = trace.get("type", "scatter") if isinstance(trace, dict) else kind_of(trace)
        one_of(kind, f"the type of trace {k}", DRAWN)
    return plain


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
