"""Every number on the cards of Place and Series: each is that of a page that shows the setting alone, recomputed from its
channel or its quilts, and what is proposed is found again among all mechanisms."""

from __future__ import annotations

import csv
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.place import MECHANISMS, PlaceChoices, evaluate, improve
from lmdk_widgets.pages.place.page import PlacePage
from lmdk_widgets.pages.place.session import PlaceSession
from lmdk_widgets.pages.series import SeriesChoices
from lmdk_widgets.pages.series import evaluate as evaluate_quilts
from lmdk_widgets.pages.series.page import SeriesPage
from lmdk_widgets.pages.series.session import SeriesSession
from tests.every_number.place_drawn import answers as place_answers
from tests.every_number.place_truth import PlacesTruth
from tests.every_number.series_page_drawn import answers as quilt_answers
from tests.every_number.series_page_truth import QuiltTruth
from tests.every_number.test_series_page_numbers import setting
from tests.sweeps import generators


def by_name(cards: dict[str, Any]) -> dict[str, Any]:
    return {card["name"]: card for card in cards["cards"]}


def private(rng: np.random.Generator) -> dict[str, Any]:
    level, dilation = float(rng.uniform(0.2, 4)), float(rng.choice([1.1, 1.5]))
    loss = float(rng.choice([60.0, 100.0]))  # with less than 100 OptPriv is nearest, and promises nothing
    return {"mechanism": str(rng.choice(list(MECHANISMS))), "level": level, "dilation": dilation, "loss_percent": loss}


@pytest.mark.long
@pytest.mark.parametrize("rng", list(generators(51, 10)))
def test_every_number_of_the_cards_of_places(rng: np.random.Generator) -> None:
    cells = {"rows": 2, "columns": 3, "prior": str(rng.choice(["city", "uniform"])), "other": "uniform"}
    now, pinned = private(rng), private(rng) | {"radius_m": float(rng.choice([500, 1000, 2000]))}
    session = PlaceSession(PlaceChoices(**cells, **now, pinned=pinned))
    *_, outcome = session.improve(session.outcome)
    page = PlacePage(session)
    cards, drawing = by_name(page._text(outcome)["cards"]), [*page._drawings(outcome)][-1]

    def alone(changes: dict[str, Any]) -> PlacesTruth:
        *_, solved = improve(evaluate(PlaceChoices(**(cells | changes))))
        return PlacesTruth(solved, None, None)

    truths = {"Now": alone(now), "Pinned": alone(pinned)}
    losses = {name: alone(now | {"mechanism": name}) for name in MECHANISMS if name != now["mechanism"]}
    promising = {name: truth.loss(truth.own) for name, truth in losses.items() if name != "private"}
    best, mine = min(promising, key=promising.__getitem__), truths["Now"].loss(truths["Now"].own)
    if promising[best] <= mine * (1 + 1e-9 if now["mechanism"] == "private" else 0.9):
        truths["Proposed"] = losses[best]
        assert cards["Proposed"]["act"]["operation"] == {"op": "set", "name": "mechanism", "value": best}
    assert {name for name, card in cards.items() if card["answers"]} == truths.keys(), (now, pinned)
    assert drawing.described["shown"].keys() == {name.lower() for name in truths} - {"now"}
    session.outcome = outcome
    rows = {row["setting"]: row for row in csv.DictReader(session.save("cards").data.decode().splitlines())}
    assert rows.keys() == truths.keys()
    for name, truth in truths.items():
        place_answers(truth, cards[name]["answers"])
        if name != "Now":  # of which the large map is
            cell = drawing.described["shown"][name.lower()]["selected"]
            assert drawing.arrays[name.lower()] == pytest.approx(truth.own[cell], abs=1e-9)
        assert float(rows[name]["quality_loss_m"]) == pytest.approx(truth.loss(truth.own), rel=1e-6, abs=1e-6)
        assert float(rows[name]["adversary_error_m"]) == pytest.approx(truth.error(truth.own), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("rng", list(generators(52, 30)))
def test_every_number_of_the_cards_of_series(rng: np.random.Generator) -> None:
    now, other = setting(rng, "binary")[0], setting(rng, "binary")[0]
    kept = {name: other[name] for name in ("mechanism", "epsilon", "query", "smoothing", "theta", "chains", "support")}
    choices = now.with_changes(pinned=kept)
    try:
        session = SeriesSession(choices)
    except InputError:
        return
    outcome, page = session.outcome, SeriesPage(session)
    cards = by_name(page._text(outcome)["cards"])
    truths = {"Now": QuiltTruth(evaluate_quilts(now)), "Pinned": QuiltTruth(evaluate_quilts(now.with_changes(**kept)))}
    sigmas, mine = truths["Now"].sigmas, truths["Now"].sigmas[now.mechanism]
    promises = {n: s for n, s in sigmas.items() if s is not None and (n != "entry" or truths["Now"].independent)}
    useless = now.mechanism not in promises
    others = {n: s for n, s in promises.items() if n != now.mechanism and (useless or s <= 0.9 * mine)}
    if others:
        best = cards["Proposed"]["act"]["operation"]["value"]
        assert others[best] == pytest.approx(min(others.values()), rel=1e-9)
        truths["Proposed"] = QuiltTruth(evaluate_quilts(now.with_changes(mechanism=best)))
    assert {name for name, card in cards.items() if card["answers"]} == truths.keys(), choices
    rows = {row["setting"]: row for row in csv.DictReader(session.save("cards").data.decode().splitlines())}
    small = next(iter(page._drawings(outcome))).described["small"]
    assert small.keys() == rows.keys() == truths.keys()
    for name, truth in truths.items():
        quilt_answers(truth, cards[name]["answers"])
        drawn = [trace["y"] for trace in small[name]["data"][:2]]
        histogram = truth.o.histogram
        wanted = [histogram.true] if histogram.released is None else [histogram.true, histogram.released]
        assert np.allclose(drawn, wanted)


def test_cards_are_pinned_used_undone_and_left_empty() -> None:
    for session, other, page in (
        (PlaceSession(PlaceChoices(rows=2, columns=2)), ("level", 2.0), PlacePage),
        (SeriesSession(SeriesChoices(source="binary", length=10)), ("epsilon", 0.5), SeriesPage),
    ):
        name, value = other
        before = session.choices[name]
        pin = by_name(page(session)._text(session.outcome)["cards"])["Pinned"]["act"]
        assert pin["label"] == "Pin these settings"
        session.apply([pin["operation"]], commit=True)
        session.apply([{"op": "set", "name": name, "value": value}], commit=True)
        use = by_name(page(session)._text(session.outcome)["cards"])["Pinned"]["act"]
        session.apply([use["operation"]], commit=True)
        assert (session.choices[name], session.choices.pinned[name]) == (before, value)
        session.apply([{"op": "undo"}], commit=True)
        assert (session.choices[name], session.choices.pinned[name]) == (value, before)
        session.open_link(session.link.query)
        assert (session.choices[name], session.choices.pinned[name]) == (value, before)
        session.apply([{"op": "set", "name": "pinned", "value": None}], commit=True)
        assert not by_name(page(session)._text(session.outcome)["cards"])["Pinned"]["answers"]


def test_half_solved_places_propose_nothing() -> None:
    session = PlaceSession(PlaceChoices(rows=2, columns=3, mechanism="planar", pinned={"level": 2.0}))
    first = by_name(PlacePage(session)._text(evaluate(session.choices))["cards"])
    assert [answer["value"] for name in ("Now", "Pinned") for answer in first[name]["answers"]] == ["…"] * 6
    assert not first["Proposed"]["answers"]
