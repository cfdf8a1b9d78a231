"""A figure of a lesson: one in plotly's format, or one with sliders; both are drawn by the pages' charts.

This needs neither plotly for Python nor a JupyterLab extension, and works on the served page, which loads only
anywidget. A trace that the charts do not draw, such as a heat map, is drawn by plotly where it is installed: in a frame
that fetches nothing, with the copy of plotly.js that plotly for Python brings, which is sent once for all figures of a page.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Unpack

import traitlets

from lmdk_widgets.errors import InputError, library
from lmdk_widgets.hosts.widget.bundle import BundledWidget, WidgetTraits
from lmdk_widgets.page import reading
from lmdk_widgets.page.drawing import is_ours, plain_figure
from lmdk_widgets.page.sliding_figures import Sliding

NOT_IN_A_COPY = "plotly draws this figure, so a static copy does not show it."


class FigureView(BundledWidget):
    """A figure with a sentence that says what it shows.

    Parameters
    ----------
    figure : ``{"data": [traces], "layout": {...}}``, or an object with ``to_plotly_json()``, with arrays of any kind;
        numbers that are not finite leave a gap. If all traces are of `DRAWN`, the page draws them, and sets the width and
        the colours of background, axes and text; otherwise plotly draws the figure, where it is installed.
    summary : what a reader who cannot see the figure should know; it is shown below the figure.

    Attributes
    ----------
    figure : the description as plain values; set it to draw another.
    summary : set it together with the figure.

    Raises
    ------
    InputError : it is not a figure, a trace cannot be drawn or needs plotly, or the summary is empty; the figure stays as
        it was.

    Examples
    --------
    >>> view = FigureView({"data": [{"y": [0.1, float("inf")]}]}, summary="One point; the next is infinite.")
    >>> view.figure
    {'data': [{'y': [0.1, None]}], 'layout': {}}
    """

    figure = traitlets.Any().tag(sync=True)
    summary = traitlets.Unicode().tag(sync=True)

    def __init__(self, figure: Any, summary: str, **traits: Unpack[WidgetTraits]) -> None:
        super().__init__(_module="figure_view.js", figure=figure, summary=summary, **traits)
        self.on_msg(self._serve_plotly)
        self.observe(lambda _: self.copy_soon(), ["figure", "summary"])

    def static_copy(self) -> reading.StaticCopy:
        if is_ours(self.figure):
            return reading.StaticCopy([], [reading.figure(self.figure, self.summary)], whose=reading.AUTHORS)
        return reading.StaticCopy([self.summary, NOT_IN_A_COPY], whose=reading.AUTHORS)

    def reading(self) -> str:
        if is_ours(self.figure):
            return reading.figure(self.figure, self.summary)
        return reading.sentences([self.summary, NOT_IN_A_COPY])

    def _serve_plotly(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if isinstance(content, dict) and content.get("type") == "plotly" and not is_ours(self.figure):
            package = library("plotly", "This figure").__name__
            self.send({"type": "plotly"}, [(files(package) / "package_data" / "plotly.min.js").read_bytes()])

    def _file_title(self) -> str:
        return "Figure"

    @traitlets.validate("figure")
    def _plain_figure(self, proposal: Any) -> dict[str, Any]:
        return plain_figure(proposal["value"], foreign=True)

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

    def __init__(self, sliding: Sliding, **traits: Unpack[WidgetTraits]) -> None:
        self._sliding = sliding
        super().__init__(_module="sliding_figure.js", shown=sliding.message(), **traits)

    def static_copy(self) -> reading.StaticCopy:
        return reading.StaticCopy([], [self._sliding.html()], whose=reading.AUTHORS)

    def reading(self) -> str:
        return self._sliding.html()

    def _file_title(self) -> str:
        return "Figure"
