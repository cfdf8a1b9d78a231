"""A figure of a lesson: one in plotly's format, or one with sliders; both are drawn by the pages' charts.

This needs neither plotly for Python nor a JupyterLab extension, and works on the served page, which loads only
anywidget.
"""

from __future__ import annotations

from typing import Any

import traitlets

from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.widget.bundle import BundledWidget
from lmdk_widgets.page import reading
from lmdk_widgets.page.drawing import plain_figure
from lmdk_widgets.page.sliding_figures import Sliding


class FigureView(BundledWidget):
    """A figure with a sentence that says what it shows.

    Parameters
    ----------
    figure : ``{"data": [traces], "layout": {...}}``, or an object with ``to_plotly_json()``. Traces must be of `DRAWN`,
        with arrays of any kind; numbers that are not finite leave a gap. The page sets the width, and the colours of
        background, axes and text.
    summary : what a reader who cannot see the figure should know; it is shown below the figure.

    Attributes
    ----------
    figure : the description as plain values; set it to draw another.
    summary : set it together with the figure.

    Raises
    ------
    InputError : it is not a figure, a trace cannot be drawn, or the summary is empty; the figure stays as it was.

    Examples
    --------
    >>> view = FigureView({"data": [{"y": [0.1, float("inf")]}]}, summary="One point; the next is infinite.")
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


class SlidingFigure(BundledWidget):
    """A figure with one or two sliders, each with a few stops; it works without a kernel too.

    Parameters
    ----------
    sliding : the figure: its sliders, and what it shows at their stops.

    Examples
    --------
    >>> from lmdk_widgets.page.blocks import Text
    >>> from lmdk_widgets.page.sliding_figures import Stops
    >>> view = SlidingFigure(Sliding(lambda n: [Text(f"{n} coins")], (Stops("coins", (1, 2)),)))
    >>> view.shown["sliders"]
    [{'label': 'coins', 'stops': ['1', '2'], 'at': 0}]
    """

    shown = traitlets.Dict().tag(sync=True)

    def __init__(self, sliding: Sliding, **traits: Any) -> None:
        self._sliding = sliding
        super().__init__(_module="sliding_figure.js", shown=sliding.message(), **traits)

    def reading(self) -> str:
        return self._sliding.html()
