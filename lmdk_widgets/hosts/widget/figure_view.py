"""A figure of a lesson: one as plotly describes it, or one with sliders; both are drawn by the charts of the pages.

Neither plotly for Python nor an extension of JupyterLab is needed, and the served page, which loads nothing but
anywidget, shows it too.
"""

from __future__ import annotations

from typing import Any

import traitlets

from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.widget.bundle import BundledWidget
from lmdk_widgets.page import reading
from lmdk_widgets.page.drawing import plain_figure
from lmdk_widgets.page.sliding import Sliding


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
    >>> view = FigureView({"data": [{"y": [0.1, float("inf")]}]}, summary="A point; the next is beyond all bounds.")
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
    """A figure with one or two sliders, each with a few stops; it answers without a kernel too.

    Parameters
    ----------
    sliding : the figure: its sliders, and what it shows at their stops.

    Examples
    --------
    >>> from lmdk_widgets.page.blocks import Text
    >>> from lmdk_widgets.page.sliding import Stops
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
