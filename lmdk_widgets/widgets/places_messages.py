"""What the laboratory of optimal places sends to its page: options, text, picture and charts, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import lmdk_widgets
from lmdk_widgets.scenario.places import AREAS, CLICKS, MECHANISMS, OTHERS, PRIORS, Outcome, Study
from lmdk_widgets.scenario.places.words import certificate, describe, guarantee, provisional, stale, tell
from lmdk_widgets.trajectory import sample_names
from lmdk_widgets.trajectory.samples import sample_description, sample_title
from lmdk_widgets.widgets.places_figures import adversary_figure, loss_figure, price_figure, tradeoff_figure

Message = dict[str, Any]


def options() -> Message:
    """Everything that can be chosen, with its meaning."""
    return {
        "areas": _choices(AREAS),
        "priors": _choices(PRIORS),
        "others": _choices(OTHERS),
        "mechanisms": _choices(MECHANISMS),
        "clicks": _choices(CLICKS),
        "samples": [{"name": n, "title": sample_title(n), "meaning": sample_description(n)} for n in sample_names()],
        "version": lmdk_widgets.__version__,
    }


def numbers(outcome: Outcome) -> Message:
    """The text: words, the certificate and the guarantee of the mechanism that is shown, which mechanisms are there."""
    words, present = describe(outcome), outcome.present
    return {
        "words": {"paragraph": words.paragraph, "assumption": words.assumption, "warnings": list(words.warnings)},
        "certificate": [list(row) for row in certificate(outcome)],
        "guarantee": guarantee(outcome),
        "known": [m for m in MECHANISMS if m in outcome.judged and _solved(outcome, m)],
        "stale": present is not None and stale(outcome, present),
    }


def _solved(outcome: Outcome, mechanism: str) -> bool:
    return not stale(outcome, outcome.judged[mechanism]) and not provisional(outcome, mechanism)


def picture(outcome: Outcome) -> tuple[Message, Mapping[str, np.ndarray]]:
    """What the map shows: cells, probabilities, the chosen cell and the guess."""
    shown, area = outcome.shown, outcome.area
    latitude, longitude = area.corners
    base = [float(latitude.min()), float(longitude.min())]
    arrays = {
        "values": shown.values,
        "prior": outcome.ground.prior,
        "squares": (area.squares - area.squares.min(axis=0)).ravel(),
        # from the corner of the area, as float32 keeps 3 mm there and a metre of whole degrees
        "latitudes": latitude.ravel() - base[0],
        "longitudes": longitude.ravel() - base[1],
    }
    described = {
        "shown": {"meaning": shown.meaning, "selected": shown.selected, "guess": shown.guess},
        "names": list(area.names),
        "base": base,
        "summary": tell(outcome, area.names),
    }
    return described, arrays


def charts(outcome: Outcome, study: Study) -> Message:
    """The four charts, each with its sentence."""
    figures = {
        "loss": loss_figure(study.points, outcome.places),
        "adversary": adversary_figure(outcome),
        "tradeoff": tradeoff_figure(study.points, outcome.ground.blind_m),
        "price": price_figure(study.prices, study.level, study.dilation),
    }
    return {name: {"figure": figure, "summary": text} for name, (figure, text) in figures.items()}


def _choices(meanings: Mapping[str, str]) -> list[dict[str, str]]:
    """ "Uniform: every cell is as likely." is a title and its meaning."""
    parts = ((name, *text.partition(": ")[::2]) for name, text in meanings.items())
    return [{"name": n, "title": t.rstrip("."), "meaning": said[:1].upper() + said[1:]} for n, t, said in parts]
