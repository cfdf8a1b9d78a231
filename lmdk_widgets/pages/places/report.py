"""The places page as it is taken away: its charts, and its parts of the report. No coordinate is in them: cells may be those
of somebody's track."""

from __future__ import annotations

from lmdk_widgets.io.report import Part, paragraph, picture, table
from lmdk_widgets.io.report_drawings import cells_svg
from lmdk_widgets.page.amounts import percent
from lmdk_widgets.page.drawing import Picture, plain_figure
from lmdk_widgets.pages.places.certificate import certificate
from lmdk_widgets.pages.places.figures import charts_of
from lmdk_widgets.pages.places.outcome import Outcome
from lmdk_widgets.pages.places.words import status, tell

TITLES = {
    "loss": "Quality loss against privacy",
    "adversary": "The adversary, with this prior and with another",
    "tradeoff": "Quality loss against adversary error",
}
"""The charts by their names, as the page calls them."""


def place_pictures(outcome: Outcome) -> list[Picture]:
    """The charts that have something to show by now."""
    found = [
        Picture(name, TITLES[name], plain_figure(figure), text) for name, (figure, text) in charts_of(outcome).items()
    ]
    return [one for one in found if any(trace.get("y") for trace in one.figure["data"])]


def place_parts(outcome: Outcome) -> list[Part]:
    """The map of cells and the certificate of the mechanism."""
    shown, area = outcome.shown, outcome.area
    svg = cells_svg(area.squares, shown.values, shown.selected, "Map of the cells")
    finite = [value for value in shown.values.tolist() if value == value]
    darkest = f" The darkest cell has {percent(max(finite))}; each is {area.cell_m:,.6g} m wide." if finite else ""
    rows = certificate(outcome)
    unsolved = status(outcome)
    proof = [table("Taken from the channel itself", [], rows)] if rows else []
    return [
        Part("The map", [picture(svg, tell(outcome, area.names) + darkest)]),
        Part("The certificate", [*proof, *([paragraph(unsolved)] if unsolved else [])]),
    ]
