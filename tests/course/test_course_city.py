"""The lesson in which a city decides: its numbers from what is stored of the sample city, and that from the city itself."""

from __future__ import annotations

import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

from lmdk_widgets.course import city, city_figures, question, questions, tables
from lmdk_widgets.pages.people.tables import sample_city
from lmdk_widgets.pages.table.table import example
from lmdk_widgets.population import People
from lmdk_widgets.population import city as made_city
from lmdk_widgets.trajectory.samples import data_folder

NAMES = ["points", "home", "coarser", "found", "epsilon", "protect", "decide", "secret"]


def test_it_asks_in_this_order() -> None:
    assert [ask.name for ask in questions("city")] == [f"city/{name}" for name in NAMES]


def test_who_is_singled_out_is_as_stored() -> None:
    stored = json.loads((data_folder() / "city_figures.json").read_text("utf-8"))
    shares = stored["unicity"]["1000"]["1"]
    assert question("city/points").right_answer() == pytest.approx([100 * share for share in shares])
    assert shares == sorted(shares) and shares[0] < 0.05 and shares[3] > 0.85
    assert question("city/home").right_answer() == 100 * stored["home_and_work"]["1000"]["pair"]
    assert not question("city/home").judge(100 * stored["home_and_work"]["1000"]["home"]).right
    fours = [
        stored["unicity"][side][hours][3]
        for side, hours in (("2000", "1"), ("1000", "24"), ("2000", "6"), ("4000", "1"))
    ]
    coarser = question("city/coarser")
    texts = [choice["text"] if isinstance(choice, dict) else choice for choice in coarser.asked()["choices"]]
    assert texts[coarser.right_answer()] == list(city.COARSER)[int(np.argmin(fours))] == "Squares of 4 km, by the hour"


def test_expected_numbers_are_those_of_draws() -> None:
    """A person is found to within the length of a two-dimensional normal vector whose median is X."""
    found = city.found_m("uniform", 1.0)
    rng = np.random.default_rng(5)
    off = np.hypot(*rng.standard_normal((2, 400, len(found)))) * found / np.sqrt(2 * np.log(2))
    right = question("city/found").right_answer()
    assert right == pytest.approx((off < 200).sum(axis=1).mean(), rel=0.02)
    assert city.in_half() == (found <= 200).sum() < right / 4
    for epsilon, number in zip(city.EPSILONS, question("city/epsilon").right_answer(), strict=True):
        assert number == pytest.approx((off / epsilon < 200).sum(axis=1).mean(), rel=0.03, abs=0.5)
    protects = question("city/protect").right_answer()
    assert (off / protects < 200).mean() == pytest.approx(0.05, abs=0.001)
    medians = city.epsilon_of_medians()
    assert (found / medians <= 200).mean() == 0.05 and (off / medians < 200).mean() > 0.15
    assert not question("city/protect").judge(medians).right


def test_the_places_of_its_people_are_stored_once() -> None:
    """The lesson and the page People compute from the same file."""
    assert set(json.loads((data_folder() / "city_figures.json").read_text("utf-8"))) == {
        "unicity",
        "home_and_work",
        "linked",
    }
    assert city.people() == 1_000
    found = sample_city().people("stays").found("uniform", 2.0)
    assert city.found_m("uniform", 2.0).tolist() == found.tolist()


def test_the_city_may_not_publish_without_names_and_not_say_its_epsilon() -> None:
    for name, words in (("decide", "Not the table without names"), ("secret", "depends on the true places")):
        asked = question(f"city/{name}")
        choices = [choice["text"] if isinstance(choice, dict) else choice for choice in asked.asked()["choices"]]
        assert words in choices[asked.right_answer()]


def test_figures_draw_what_is_stored() -> None:
    drawn = city_figures._singled_out(2_000)
    stored = json.loads((data_folder() / "city_figures.json").read_text("utf-8"))["unicity"]["2000"]
    for line, hours in zip(drawn.figure["data"], ("1", "6", "24"), strict=True):
        assert line["y"] == pytest.approx([100 * share for share in stored[hours]])
    found = city_figures._found(2.0)
    dots = [y for marks in found.figure["data"] for y in marks["y"]]
    assert len(dots) == 100 and dots == sorted(dots)
    assert np.median(dots) == pytest.approx(np.median(city.found_m("uniform", 2.0)), rel=0.02)
    assert all(y <= 200 for y in found.figure["data"][0]["y"]) and all(y > 200 for y in found.figure["data"][1]["y"])


@pytest.mark.nightly
def test_what_is_stored_is_what_people_says_of_the_city(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made_city, "_cache_folder", lambda: tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    spec = spec_from_file_location("city_figures_of_data", data_folder() / "city_figures.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    people = People(made_city.sample_city())
    for name, made in (("city_figures.json", module.figures(people)), ("city_counts.json", module.counts(people))):
        assert json.loads(json.dumps(made)) == json.loads((data_folder() / name).read_text("utf-8"))


def test_the_lesson_on_tables_counts_tracks_that_fit_nobody_else() -> None:
    centre = {"Le Marais", "Latin Quarter"}
    first = dict(zip(example("t1").people, example("t1").columns[1], strict=True))
    second = dict(zip(example("t2").people, example("t2").columns[1], strict=True))
    tracks = {name: (first[name] in centre, second[name] in centre) for name in first}
    alone = {name for name, track in tracks.items() if list(tracks.values()).count(track) == 1}
    assert tables.followed(("t1", "t2")) == alone == {"Donald", "Huey", "Louie"}
    assert not tables.followed(("t1",)) and not tables.followed(("t2",)) and len(tables.followed(("t1", "t2"), 0)) == 6
    asked = question("tables/moments")
    choices = [choice["text"] if isinstance(choice, dict) else choice for choice in asked.asked()["choices"]]
    assert choices[asked.right_answer()] == "Those of Donald, Huey and Louie"
