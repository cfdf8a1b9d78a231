"""Practices of today in a study: the same numbers as by hand, beside releases that they leave as they are."""

from __future__ import annotations

from urllib.parse import parse_qsl

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.studies.page import StudiesPage
from lmdk_widgets.pages.track.practices import PracticeChoices
from lmdk_widgets.practice.chosen_practice import Practice, chosen_on_page, practice_of
from lmdk_widgets.practice.practised import practised, reader_error_m
from lmdk_widgets.study import Study
from lmdk_widgets.study.study_file import read_study
from lmdk_widgets.trajectory import sample

MEASURES = ("practice_found_m", "practice_area_m2", "practice_reader_m", "practice_published", "mean_error_m")


def test_a_study_varies_practices_beside_the_release() -> None:
    grid = {"practice": ["none", "rounding 3", "thinning 60, zone 400"], "practice_knows": ["silences", "nothing"]}
    frame = Study(["bob"], {"scheme": ["event", "uniform"], **grid}, measures=MEASURES).run(None, jobs=1)
    assert not any(frame.refused) and len(frame) == 12
    errors = frame.groupby("scheme", observed=True).mean_error_m.nunique()
    assert errors.tolist() == [1, 1]  # a practice changes no release
    bob = sample("bob")
    for row in frame.itertuples():
        if row.practice == "none":
            assert np.isnan([row.practice_found_m, row.practice_reader_m, row.practice_published]).all()
            continue
        one = practised(practice_of(row.practice), bob, knows=row.practice_knows == "silences", seed=0)
        assert one.published is not None
        assert row.practice_found_m == pytest.approx(one.found_m)
        assert row.practice_reader_m == pytest.approx(reader_error_m(bob, one.published).mean())
        assert row.practice_published == len(one.published) / len(bob)
    assert set(frame.practice) == {"none", "rounding 3", "zone 400, thinning 60"}  # in one spelling


def test_what_is_drawn_is_drawn_again_in_each_repetition() -> None:
    grid = {"practice": ["approximate", "rounding 2"]}
    frame = Study(["bob"], grid, repetitions=12, measures=["practice_found_m"]).run(None, jobs=1)
    different = frame.groupby("practice", observed=True).practice_found_m.nunique()
    assert different["approximate"] > 1 and different["rounding 2"] == 1


@pytest.mark.parametrize(
    ("grid", "match"),
    [
        ({"practice": "zone 10"}, "The size of “zone” must be a number between 50 and 5,000; got 10"),
        ({"practice": "zone"}, "followed by its size"),
        ({"practice": "hide 3"}, "A practice must be"),
        ({"practice": "rounding 2.5"}, "whole number"),
        ({"practice": "zone 400, zone 800"}, "only once"),
        ({"practice": "zone 400 moved 9000"}, "The distance by which the centre is moved"),
        ({"practice": 3}, "a text such as"),
        ({"practice": ["zone 400", "zone 400.0"]}, "each value only once"),
        ({"practice_knows": "silences"}, "must come with “practice”"),
    ],
)
def test_what_is_refused(grid: dict, match: str) -> None:
    with pytest.raises(InputError, match=match):
        Study(["bob"], grid)


def test_a_study_file_names_a_practice(tmp_path) -> None:
    file = tmp_path / "today.toml"
    file.write_text(
        'tracks = ["bob"]\nmeasures = ["practice_found_m"]\n[grid]\npractice = ["none", "zone 400"]\n', "utf-8"
    )
    assert read_study(file).study.axes == {"practice": ("none", "zone 400")}


@pytest.mark.parametrize("code", ["zone 400 moved 200", "ends 300, zone 400, thinning 5", "rounding 2", "approximate"])
def test_a_mark_opens_its_practice_on_the_page(code: str) -> None:
    practice = practice_of(code)
    assert practice.code == code and PracticeChoices().with_changes(**chosen_on_page(practice)).chosen[-1] == practice
    grid = {"practice": ["none", code], "practice_knows": "nothing"}
    page = StudiesPage(Study(["bob"], grid, measures=["practice_found_m"]).run(None, jobs=1))
    page.choose("x", "practice")
    page.pick(0, len(page._curves[0]) - 1)
    asked = dict(parse_qsl(page.picked["query"]))
    fold = {name.removeprefix("practices."): text for name, text in asked.items() if name.startswith("practices.")}
    kinds = PracticeChoices.kinds()
    opened = PracticeChoices().with_changes(
        **{name: kinds[name].check(kinds[name].from_text(text)) for name, text in fold.items()}
    )
    assert opened.open and opened.knows == "nothing" and opened.chosen[-1] == practice


def test_the_steps_of_a_practice_are_in_one_order() -> None:
    both = practice_of("approximate, thinning 10, zone 400, ends 300")
    assert [one.name for one in both.steps] == ["ends", "zone", "thinning", "approximate"]
    said = "Cutting 300 m off both ends, then a zone of 400 m, then one point in 10 min, then approximate location"
    assert both.what == said and Practice("rounding", 1.0).what == "Rounding to 1 decimal"
