"""The place page: a map of cells, mechanisms solved in the background, and their charts.

Choices are evaluated immediately; the mechanisms and the charts follow, each mechanism certified before it is drawn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import numpy as np

from lmdk_widgets.io.report import Part, drawn
from lmdk_widgets.page.amounts import (
    percent,
    whole,
)
from lmdk_widgets.page.answers import answers_message
from lmdk_widgets.page.blocks import Chart, Text, block_messages, chart_messages
from lmdk_widgets.page.drawing import Drawing, Message
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.page.what_if import RecordablePage
from lmdk_widgets.pages.place import MECHANISMS
from lmdk_widgets.pages.place.cards import report_cards, setting_cards, small_maps
from lmdk_widgets.pages.place.certificate import certificate, guarantee
from lmdk_widgets.pages.place.edges import edges_of
from lmdk_widgets.pages.place.figures import charts_of
from lmdk_widgets.pages.place.model import OF_CHECKINS, PRESETS
from lmdk_widgets.pages.place.outcome import ERRORS, Outcome
from lmdk_widgets.pages.place.practices import TITLE as PRACTICES_TITLE
from lmdk_widgets.pages.place.practices import practice_blocks
from lmdk_widgets.pages.place.session import PlaceSession
from lmdk_widgets.pages.place.words import (
    SUBJECTS,
    describe,
    epsilon_sentence,
    first_answers,
    length,
    measured,
    moving,
    provisional,
    stale,
    status,
)


class PlacePage(RecordablePage):
    """Optimal geo-indistinguishability on a map."""

    MODULE: ClassVar[str] = "place.js"
    TITLE: ClassVar[str] = "How private is a reported place?"
    TOLD: ClassVar[tuple[str, ...]] = ("mechanism",)
    SHORT: ClassVar[tuple[str, ...]] = ("level", "radius_m", "mechanism")
    FIRST_PARTS: ClassVar[int] = 1
    LIBRARIES: ClassVar[tuple[str, ...]] = ("map.js",)
    CAN_OPEN: ClassVar[tuple[str, ...]] = (
        *("level", "mechanism", "prior", "other", "radius_m", "dilation", "loss_percent"),
        *("click", "place"),
    )
    NOT_OPEN: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "click": ("paint",),
        "prior": (*OF_CHECKINS, "painted"),
        "other": OF_CHECKINS,
    }

    SESSION = PlaceSession
    session: PlaceSession

    def ranges(self) -> dict[str, Sequence[int]]:
        return {"place": range(-1, len(self.outcome.area))}

    def _text(self, outcome: Outcome) -> Message:
        present, known = outcome.present, outcome.assessed
        return {
            "words": describe(outcome).message(),
            "answers": answers_message(first_answers(outcome)),
            "cards": setting_cards(outcome).message(),
            "certificate": certificate(outcome).message(),
            "guarantee": guarantee(outcome),
            "practices": block_messages(practice_blocks(outcome)),
            "epsilon": epsilon_sentence(outcome.places),
            "known": [
                m for m in MECHANISMS if m in known and not (stale(outcome, known[m]) or provisional(outcome, m))
            ],
            "stale": present is not None and stale(outcome, present),
            "charts_wait": outcome.charts_wait,
            "moving": moving(outcome),
            "region": [] if outcome.region is None else list(outcome.region.limits),
            "proposed": outcome.proposed,
        }

    def _drawings(self, outcome: Outcome) -> Iterator[Drawing]:
        made_of = (outcome.charts, outcome.places.level, *outcome.assessed.values())
        yield Drawing("charts", made_of, {"figures": chart_messages(charts_of(outcome))}, {})
        described, arrays = _map(outcome)
        yield Drawing("draw", (outcome.instance, outcome.places, outcome.present), described, arrays)
        yield small_maps(outcome)

    def pictures(self) -> list[Chart]:
        return [chart.alone() for chart in charts_of(self.outcome) if not chart.is_empty]

    def _opens(self) -> list[Part]:
        """The settings side by side, or the answers for a single one."""
        cards = report_cards(self.outcome)
        return [Part(cards.title, [cards])]

    def _answers(self) -> list[Part]:
        """The map of cells and the certificate, without coordinates: the cells may be those of a person's track."""
        outcome, proof, unsolved = self.outcome, certificate(self.outcome), status(self.outcome)
        return [
            Part("The map", [_drawn_cells(outcome)]),
            Part(proof.title, [proof, *([Text(unsolved)] if unsolved else [])]),
            Part(PRACTICES_TITLE, practice_blocks(outcome)),
        ]

    def _rests_on(self) -> list[Text]:
        return [Text(guarantee(self.outcome))]

    def _options(self) -> Message:
        return {"presets": [{"name": name, "title": title} for name, (title, _) in PRESETS.items()]}


def _map(outcome: Outcome) -> tuple[Message, dict[str, np.ndarray]]:
    shown, area = outcome.shown, outcome.area
    latitude, longitude = area.corners
    base = [float(latitude.min()), float(longitude.min())]
    arrays = {
        "values": shown.values,
        "prior": outcome.instance.prior,
        "squares": (area.squares - area.squares.min(axis=0)).ravel(),
        # from the corner of the area: float32 is exact to 3 mm there, but only to a metre for whole degrees
        "latitudes": latitude.ravel() - base[0],
        "longitudes": longitude.ravel() - base[1],
    }
    edges = edges_of(outcome)
    if edges is not None:
        arrays |= {"edges": edges.cells.ravel(), "binding": edges.binding}
    described = {
        "shown": shown.message(),
        "names": list(area.names),
        "base": base,
        "summary": tell(outcome, area.names),
    }
    return described, arrays


def _drawn_cells(outcome: Outcome) -> str:
    """The map as a report shows it."""
    described, arrays = _map(outcome)
    values = [None if math.isnan(value) else float(f"{value:.6g}") for value in outcome.shown.values.tolist()]
    drawing = {"squares": arrays["squares"].reshape(-1, 2).tolist(), "names": described["names"], "values": values}
    if "edges" in arrays:
        drawing |= {"edges": arrays["edges"].tolist(), "binding": arrays["binding"].astype(int).tolist()}
    finite = [value for value in outcome.shown.values.tolist() if not math.isnan(value)]
    most = (length if outcome.shown.meaning in ERRORS else percent)(max(finite, default=0.0))
    side = Written(f"{outcome.area.cell_m:,.6g}", outcome.area.cell_m)
    words = " The darkest cell has {most}; each is {cell_side} m wide."
    darkest = sentence(words, most=most, cell_side=side) if finite else ""
    return drawn("cells", "Map of the cells", {**drawing, "shown": described["shown"]}, described["summary"] + darkest)


def tell(outcome: Outcome, names: Sequence[str]) -> str:
    """The map in words, for people who cannot see it."""
    shown = outcome.shown
    chosen, mechanism = names[shown.selected], SUBJECTS[outcome.places.mechanism]
    if shown.meaning == "never":
        made = int((outcome.present.reports > 0).sum()) if outcome.present is not None else 0
        return sentence(
            "The report {chosen} is never made by {subject}, so there is nothing to believe or guess after it. Of "
            "the {n_cells} cells, {n_reported} are reported.",
            chosen=chosen,
            subject=mechanism,
            n_cells=whole(len(outcome.area)),
            n_reported=whole(made),
        )
    if shown.meaning in ERRORS:
        return _errors(outcome, names)
    order = (-shown.values).argsort(kind="stable")[:5]
    list_ = ", ".join(
        sentence("{cell} {cell_chance}", cell=names[i], cell_chance=percent(float(shown.values[i])))
        for i in order
        if shown.values[i] > 0
    )
    if shown.meaning == "prior":
        return sentence("The prior: how likely each cell is. Most likely: {cells}.", cells=list_)
    if shown.meaning == "reports":
        return sentence(
            "From the true place {chosen} (prior {chosen_chance}), {subject} reports most often: {cells}.",
            chosen=chosen,
            chosen_chance=percent(shown.likely),
            subject=mechanism,
            cells=list_,
        )
    return sentence(
        "After the report {chosen} (its chance: {chosen_chance}) by {subject}, the adversary believes in "
        "{cells}, and guesses {guess}.",
        chosen=chosen,
        chosen_chance=percent(shown.likely),
        subject=mechanism,
        cells=list_,
        guess=names[shown.guess],
    )


def _errors(outcome: Outcome, names: Sequence[str]) -> str:
    """The map of errors in words: the cells with the largest ones, and the average."""
    shown, present = outcome.shown, outcome.present
    assert present is not None  # else the map shows the prior
    order = (-shown.values.round(6)).argsort(kind="stable")[:5]  # of cells that are alike the first, on every machine
    most = ", ".join(
        sentence("{cell} {cell_error}", cell=names[i], cell_error=length(float(shown.values[i]))) for i in order
    )
    reader = shown.meaning == "reader"
    what, mean = ("the report", present.loss_m) if reader else ("the attacker's best guess", present.error_m)
    how = measured(outcome.places.quality_by if reader else outcome.places.error_by)
    return sentence(
        "How far off {what} is{by} with {subject}, for each true cell. Most for {cells}; {mean_error} on average.",
        what=what,
        by=how,
        subject=SUBJECTS[outcome.places.mechanism],
        cells=most,
        mean_error=length(mean),
    )
