"""What is done today on the page: its cards, its sentences, its table and its drawing, by hand."""

from __future__ import annotations

import contextlib
import csv
import io
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import distance_m
from lmdk_widgets.page.blocks import Cards, Table, Text
from lmdk_widgets.pages.track.compare import Compare, comparison_csv, comparison_table
from lmdk_widgets.pages.track.practices import NONE, Practices, practices_csv
from lmdk_widgets.pages.track.table import Table as SettingsTable
from lmdk_widgets.pages.track.table import table_csv
from lmdk_widgets.pages.track.verdict import page_verdict
from lmdk_widgets.practice import cut_ends, find_zone, zone
from lmdk_widgets.practice.chosen_practice import Practice, practice_of
from lmdk_widgets.practice.over_draws import over_draws
from lmdk_widgets.practice.practised import (
    practised,
    publish,
    reader_error_m,
    target_of,
    with_worth,
)
from lmdk_widgets.practice.what_helps import best_of, costs, next_step, what_helps
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.trajectory import sample
from lmdk_widgets.trajectory.model import Trajectory
from tests.landmark_choices import chosen, page_of
from tests.practice.made_outings import HOME, life


@cache
def runs() -> Trajectory:
    return life(np.random.default_rng(7), outings=5)


@cache
def opened(data: Any, **names: Any) -> Any:
    """The page with the fold open, on a track, all of it computed; no test changes it."""
    return page_of(
        chosen(
            **{"practices__open": True, "track": "" if data is not None else "bob", "limits__shown": False, **names}
        ),
        data,
    )


def blocks(page: Any, kind: type) -> list[Any]:
    shown = Practices().blocks(page.session.choices, page.outcome)
    return [block for block in shown if isinstance(block, kind)]


def test_closed_it_computes_nothing() -> None:
    page = page_of(chosen(practices__open=False))
    assert page.outcome.found("practices") is None


@pytest.mark.long
def test_a_zone_round_the_start_of_runs_does_not_hide_it() -> None:
    page = opened(runs())
    place = target_of(page.outcome.trajectory)
    assert distance_m(*HOME, place.latitude, place.longitude) < 100
    one = page.outcome.found("practices").rows[0]
    centre = [(place.latitude, place.longitude)]
    published = zone(page.outcome.trajectory, centre, 400.0)
    assert one.published.time.tolist() == published.time.tolist()
    assert one.found_m < 20 and one.shown_m == 20 and not one.hides(200.0)
    said = "A zone of 400 m does not hide your main place: found to within 20 m or less."
    assert next(text.text for text in blocks(page, Text)) == said
    verdict = page_verdict(page.session.choices, page.outcome)
    assert verdict.today == f"What is done today, without this noise: {said}"


def test_the_cards_stand_beside_the_present_scheme_and_promise_nothing() -> None:
    page = opened(
        runs(), practices__ends=True, practices__rounding=True, practices__approximate=True, practices__thinning=True
    )
    cards = blocks(page, Cards)[0].cards
    assert [card.name for card in cards] == [
        "Now", "Privacy zone", "Ends cut off", "Rounding", "Approximate location", "Thinning",
    ]  # fmt: skip
    for card in cards[1:]:
        useful, found, promised = card.answers
        assert (useful.name, found.name, promised.value) == ("Useful", "Found", "no promise")
        assert "No guarantee" in promised.line
    assert not any(
        "certain" in str(block.message()) for block in Practices().blocks(page.session.choices, page.outcome)
    )


def test_what_the_attacker_knows_is_a_choice() -> None:
    track = runs()
    known, blind = (
        opened(track, practices__knows=knows).outcome.found("practices").rows[0] for knows in ("silences", "nothing")
    )
    assert blind.looked.ends > known.looked.ends
    again = find_zone(known.published, 400.0)
    assert (blind.looked.votes, blind.looked.equal_places) == (again.votes, again.equal_places)


def test_the_reader_takes_the_way_between_published_points() -> None:
    time = np.arange(5).astype("datetime64[m]")
    frame = sample("bob").frame
    places = np.array([[0, 0], [100, 0], [200, 80], [300, 0], [400, 0]], float)
    track = Trajectory(*frame.to_degrees(places), time)
    published = track[[0, 1, 3, 4]]
    assert reader_error_m(track, published).round(3).tolist() == [0, 0, 80, 0, 0]
    assert reader_error_m(track, track[[1]]).round(3)[4] == pytest.approx(300, abs=0.1)
    outcome = evaluate(Scenario(track=""), track)
    found = with_worth(practised(Practice("thinning", 2.0), track, knows=False, seed=1), outcome)
    assert found.worth is not None and found.worth.reader == pytest.approx(reader_error_m(track, track[::2]).mean())


def test_what_helps_is_computed_on_these_data() -> None:
    track = runs()
    page = opened(track)
    table = blocks(page, Table)[0]
    assert [row[0] for row in table.rows] == [
        "As it is", "A radius of 800 m", "The centre moved by up to 200 m", "One day in three", "One point in 3 min",
        "Points rounded to 2 decimals", "Instead: Uniform, epsilon 1",
    ]  # fmt: skip
    helps = {
        each.change: each.found
        for each in what_helps(Practice("zone", 400.0), track, knows=True, seed=page.outcome.scenario.seed)
    }
    assert helps["a radius of 800 m"].found_m < 40  # hardly
    moved = helps["the centre moved by up to 200 m"]
    assert 20 < moved.found_m < 230 and moved.looked.area_m2 > 0.7 * np.pi * 200**2
    assert [row[1] for row in table.rows[1:-1]] == pytest.approx([each.shown_m for each in helps.values()])


def test_on_sparse_points_the_page_says_that_they_are_too_far_apart() -> None:
    page = opened(None, track="commuter")
    told = " ".join(text.text for text in blocks(page, Text))
    assert "too far apart for votes" in told and "a point every few seconds" in told
    row = page.outcome.found("practices").rows[0]
    assert row.too_far_apart and row.found_m > 100


def test_each_practice_publishes_what_its_function_does() -> None:
    track, place = runs(), target_of(runs())
    assert publish(Practice("ends", 300.0), track, place, 1).time.tolist() == cut_ends(track, 300.0).time.tolist()
    assert len(publish(Practice("approximate"), track, place, 1)) == len(track)
    refused = practised(Practice("zone", 1e6), track, knows=True, seed=1)
    assert "Nothing is left to publish" in refused.sentence(200.0) and refused.published is None


def test_the_map_gets_the_zone_what_is_published_and_where_the_attacker_looks() -> None:
    page = opened(runs())
    drawing = next(each for each in Practices().drawings(page.session.choices, page.outcome))
    one = page.outcome.found("practices").rows[0]
    assert drawing.described["zones"][0][2] == 400.0 and drawing.described["guess"] == [one.latitude, one.longitude]
    assert len(drawing.arrays["latitude"]) == len(one.published)
    assert len(drawing.arrays["cell_latitude"]) == len(one.looked.cells)


def test_the_map_shows_a_moved_zone_where_it_was_moved_to() -> None:
    page = opened(runs(), practices__zone_m=500.0, practices__moved_m=450.0)
    (drawing,) = Practices().drawings(page.session.choices, page.outcome)
    latitude, longitude, radius = drawing.described["zones"][0]
    far = distance_m(drawing.arrays["latitude"], drawing.arrays["longitude"], latitude, longitude)
    assert far.min() > radius * (1 - 1e-6), "nothing in the circle is published"
    assert 1.0 < distance_m(latitude, longitude, *HOME) < 450.0 + 50.0


def test_a_zone_is_not_moved_so_far_that_the_home_lies_outside() -> None:
    page = opened(runs(), practices__zone_m=500.0)
    with pytest.raises(InputError, match="A zone of 500 m must be moved by less, or the place may lie outside it"):
        page.session.apply([{"op": "set", "name": "practices.moved_m", "value": 800.0}], commit=True)
    assert page.session.choices.practices.moved_m == 0.0
    with pytest.raises(InputError, match="must be moved by less"):
        practice_of("zone 400 moved 400")


def test_the_file_has_a_row_for_each_practice() -> None:
    page = opened(runs(), practices__rounding=True)
    rows = list(csv.DictReader(io.StringIO(practices_csv(page.outcome))))
    assert [row["practice"] for row in rows if not row["change"]] == ["zone 400", "rounding 3"]
    assert page.outcome.found("practices").rows[0].found_m < 20  # never said more precisely
    assert (float(rows[0]["found_m"]), rows[0]["found"]) == (20.0, "20 m or less")
    assert "never publish" in rows[0]["note"]


def test_the_report_has_it_and_one_without_the_true_data_has_not() -> None:
    page = opened(runs())
    (part,) = Practices().parts(page.session.choices, page.outcome, None)
    told = [piece.text for piece in part.pieces if isinstance(piece, Text)]
    assert (
        part.heading == "What is done today: privacy zones, rounding, thinning"
        and "does not hide your main place" in told[0]
    )
    page = opened(replace(runs(), name=RELEASE_NAME))
    assert not list(Practices().parts(page.session.choices, page.outcome, None))


@pytest.mark.long
def test_the_program_says_what_the_page_says() -> None:
    page = opened(None, track="runner", practices__rounding=True)
    program = page.session.snippet()
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(program, "snippet", "exec"), {})
    for one in page.outcome.found("practices").rows:
        assert one.sentence(200.0) in printed.getvalue().splitlines()


def test_without_a_practice_and_without_true_data_nothing_is_computed() -> None:
    page = opened(runs(), practices__zone=False)
    assert [text.text for text in blocks(page, Text)] == [NONE] and page.outcome.found("practices") is None
    given = replace(runs(), name=RELEASE_NAME)
    page = opened(given)
    assert page.outcome.found("practices") is None and not list(Practices().blocks(page.session.choices, page.outcome))


def test_practices_one_after_another_are_one_row() -> None:
    page = opened(runs(), practices__rounding=True, practices__together=True)
    zoned, _rounding, both = page.outcome.found("practices").rows
    assert both.practice == Practice("zone", 400.0, 0.0, (Practice("rounding", 3.0),))
    assert both.published.time.tolist() == zoned.published.time.tolist()
    assert both.published.latitude.tolist() == np.round(zoned.published.latitude, 3).tolist()
    said = [text.text for text in blocks(page, Text)]
    assert any(text.startswith("A zone of 400 m, then rounding to 3 decimals") for text in said)
    assert blocks(page, Cards)[0].cards[-1].name == "All of these together"
    drawing = next(each for each in Practices().drawings(page.session.choices, page.outcome))
    assert drawing.arrays["latitude"].tolist() == both.published.latitude.tolist() and drawing.described["zones"]
    assert "practices.together" in page.session.choices.visible()
    assert "practices.together" not in chosen(practices__open=True).visible()


@pytest.mark.long
def test_the_tables_of_all_schemes_and_of_settings_contain_the_practices() -> None:
    small = {"compare__open": True, "table__open": True, "table__schemes": ("uniform",), "table__epsilons": (1.0,)}
    page = opened(sample("bob"), practices__rounding=True, practices__zone=False, table__radii_m=(200.0,), **small)
    (one,) = page.outcome.found("practices").rows
    for panel in (Compare(), SettingsTable()):
        table = next(block for block in panel.blocks(page.session.choices, page.outcome) if isinstance(block, Table))
        values = {
            column.key or column.heading: value for column, value in zip(table.columns, table.rows[-1], strict=True)
        }
        assert values["scheme"] == values["scheme_title"] == "Rounding to 3 decimals"
        assert values["found_within_m"] == one.shown_m and values["reader_error_m"] == one.worth.reader
        assert values["mechanism"] == "none"
        shown = table.message()["rows"][-1]
        assert "no guarantee" in shown[0] and "no promise" in shown and not any("nan" in text for text in shown)
        assert table.acts[-1] is None and len(table.acts) == len(table.rows)
    for text in (comparison_csv(page.outcome), table_csv(page.session.choices.table, page.outcome)):
        last = list(csv.DictReader(io.StringIO(text)))[-1]
        assert last["scheme"] == "Rounding to 3 decimals" and "never publish" in last["note"]
    closed = opened(sample("bob"), practices__open=False, table__radii_m=(200.0,), **small)
    assert all(row[0] != "Rounding to 3 decimals" for row in comparison_table(closed.outcome).rows)


def test_links_and_settings_hold_the_choices() -> None:
    choices = chosen(practices__open=True, practices__zone_m=800.0, practices__knows="nothing")
    again = type(choices)().with_changes(**{n: choices[n] for n in choices.kinds() if n.startswith("practices.")})
    assert again.practices == choices.practices
    assert "practices.moved_m" in choices.visible() and "practices.minutes" not in choices.visible()


def moved_page() -> Any:
    return opened(runs(), practices__moved_m=200.0)


@pytest.mark.long
def test_a_moved_centre_is_told_by_many_draws_everywhere_in_the_same_words() -> None:
    page = moved_page()
    (one,) = page.outcome.found("practices").rows
    alone = sorted(
        practised(Practice("zone", 400.0, 200.0), runs(), knows=True, seed=(page.outcome.scenario.seed, k)).found_m
        for k in range(41)
    )
    assert list(one.draws) == alone and one.found_m == alone[20] and one.range_m == (alone[2], alone[38])
    inside = sum(one.range_m[0] <= off <= one.range_m[1] for off in alone)
    assert inside >= 0.9 * 41
    assert alone[0] < 60 < 150 < alone[-1], "one draw is no answer"
    nearest, farthest = ("20 m or less" if off <= 20 else f"{float(f'{off:.2g}'):.0f} m" for off in one.range_m)
    half = f"{float(f'{one.found_m:.2g}'):.0f} m"
    words = f"{half} in half of 41 draws, in nine of ten from {nearest} to {farthest}"
    said = one.sentence(200.0)
    assert said.endswith(f"found to within {words}.")
    assert said in page_verdict(page.session.choices, page.outcome).today
    assert next(text.text for text in blocks(page, Text)) == said
    found = blocks(page, Cards)[0].cards[1].answers[1]
    assert f"{found.value} in half" in words and found.line.endswith(words.partition(" m ")[2] + ".")
    assert blocks(page, Table)[0].rows[0][2] == words
    row = next(csv.DictReader(io.StringIO(practices_csv(page.outcome))))
    assert (float(row["found_m"]), int(row["draws"])) == (one.found_m, 41)
    assert (float(row["nearest_m"]), float(row["farthest_m"])) == (max(alone[2], 20.0), alone[38])


def test_draws_are_seeded_and_computed_once() -> None:
    asked = {"knows": True, "seed": 5}
    first = over_draws(Practice("zone", 400.0, 100.0), runs(), **asked)
    assert over_draws(Practice("zone", 400.0, 100.0), runs(), **asked) is first
    again = over_draws(Practice("zone", 400.0, 100.0), replace(runs()), **asked)
    assert again.draws == first.draws and again is not first
    other = over_draws(Practice("zone", 400.0, 100.0), runs(), knows=True, seed=6)
    assert other.draws != first.draws
    still = over_draws(Practice("zone", 400.0), runs(), **asked)
    assert still.draws == () and still.range_m == (still.found_m, still.found_m) and still.of_draws(200.0) == ""


def test_what_helps_stands_beside_the_answer_with_its_cost() -> None:
    page = opened(runs())
    now = page.outcome.found("practices").rows[0]
    helps = page.outcome.found("practices").helps
    best = best_of(now, helps)
    assert best is not None and best.found.range_m[0] == max(each.found.range_m[0] for each in helps)
    said = [text.text for text in blocks(page, Text)]
    step = next_step(now, helps, 200.0)
    assert best.change in step and said[1].startswith(step) and "Only a scheme with an ε promises anything" in said[1]
    worse = costs(now, best.found)
    assert worse and all(each in step for each in worse)
    by_hand = reader_error_m(runs(), best.found.published).mean()
    assert len(best.found.draws) or best.found.reader_m == pytest.approx(by_hand)
    for each in helps:  # of the whole track, also where only some days are published
        if not each.found.draws:
            assert each.found.reader_m == pytest.approx(reader_error_m(runs(), each.found.published).mean())
            assert each.found.left_out == pytest.approx(1 - len(each.found.published) / len(runs()))
    fewer = next(each for each in helps if each.change == "one day in three")
    assert fewer.found.left_out > 0.5 and fewer.code == ""


def test_a_row_of_what_helps_compares_that_practice_and_nothing_worse_has_a_star() -> None:
    page = opened(runs())
    table = blocks(page, Table)[0]
    now, helps = page.outcome.found("practices").rows[0], page.outcome.found("practices").helps
    for (_, one, _), sign in zip(helps, table.signs[1:-1], strict=True):
        assert sign == ("★ " if one.hides(200.0) and not costs(now, one) else "")
    assert table.acts[0] is None or table.acts[0]["code"] == ""
    codes = [None if act is None else act["code"] for act in table.acts]
    assert codes == [None, "zone 800", "zone 400 moved 200", None, "zone 400, thinning 3", "zone 400, rounding 2", None]
    page = page_of(chosen(practices__open=True, practices__knows="nothing", track="", limits__shown=False), runs())
    page.session.apply([table.acts[4]], commit=True)
    asked = page.session.choices.practices
    assert [each.code for each in asked.chosen] == ["zone 400", "thinning 3", "zone 400, thinning 3"]
    assert asked.knows == "nothing"


def test_a_small_zone_is_not_moved_beyond_its_edge() -> None:
    changes = {
        each.change: each.found.practice for each in what_helps(Practice("zone", 60.0), runs(), knows=True, seed=1)
    }
    assert changes["the centre moved by up to 30 m"].moved_m == 30.0


def test_while_it_is_computed_the_page_says_so() -> None:
    page = opened(runs())
    steps = list(Practices().compute(page.session.choices, page.outcome))
    assert steps[-1].done == steps[-1].of and steps[-1].rows
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    early = page.outcome.improved(results={"practices": page.outcome.results["practices"]._replace(found=None)})
    said = [block.text for block in Practices().blocks(page.session.choices, early) if isinstance(block, Text)]
    assert said[0].startswith("Being computed: 0 of ")
    assert page_verdict(page.session.choices, early).today.endswith("being computed.")


def test_noise_that_follows_a_track_says_what_it_promises_and_what_not() -> None:
    """Clustering and velocity-aware noise, as their authors define them, beside the present scheme."""
    named = {"zone": False, "clustering": True, "velocity": True, "clustering_m": 300.0}
    page = opened(None, **{f"practices__{name}": value for name, value in named.items()})
    clusters, speeds = page.outcome.found("practices").rows
    assert clusters.practice == Practice("clustering", 300.0) and speeds.practice == Practice("velocity", 200.0)
    assert len(clusters.draws) == len(speeds.draws) == 11
    told = " ".join(text.text for text in blocks(page, Text))
    assert "a factor of at most 4" in told and "somebody at rest makes 2.48 reports on average" in told
    assert "up to 2" in told and "all reports of one place add up" in told
    (cards,) = blocks(page, Cards)
    assert [card.name for card in cards.cards] == [
        "Now",
        "Clustering (Cunha et al. 2019)",
        "Velocity-aware (Mendes et al. 2023)",
    ]
    assert all(card.answers[2].value == "no promise" for card in cards.cards[1:])
    alone = opened(None)
    assert "Clustering" not in " ".join(text.text for text in blocks(alone, Text))
