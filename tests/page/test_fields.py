"""Kinds of choices: what each accepts, the sentence for what it does not, its text in a link, its control."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from tests.page.tiny import SHAPES, Tiny

REFUSED: list[tuple[str, Any, str]] = [
    ("epsilon", -3, "Epsilon must be between 0.01 and 50; got -3."),
    ("epsilon", 50.1, "Epsilon must be between 0.01 and 50; got 50.1."),
    ("epsilon", math.nan, "Epsilon must be between 0.01 and 50; got nan."),
    ("epsilon", math.inf, "Epsilon must be between 0.01 and 50; got inf."),
    ("epsilon", True, "Epsilon must be between 0.01 and 50; got True."),
    ("epsilon", "1", "Epsilon must be a number such as 1000, 0.5 or 0,5; got 1."),
    ("epsilon", None, "Epsilon must be between 0.01 and 50; got None."),
    ("epsilon", 10**400, f"Epsilon must be between 0.01 and 50; got {('10,' + '000,' * 20)[:59]}…."),
    ("size_m", 0, "Size must be between 1 and 100,000 m; got 0."),
    ("window", 2.5, "Window must be a whole number between 1 and 1,000; got 2.5."),
    ("window", math.inf, "Window must be a whole number between 1 and 1,000; got inf."),
    ("window", math.nan, "Window must be a whole number between 1 and 1,000; got nan."),
    ("shape", "star", 'Shape must be "square" or "circle"; got star.'),
    ("shape", ["square"], 'Shape must be "square" or "circle"; got a list.'),
    ("name", 7, "Name must be a text of at most 60 characters; got 7."),
    ("note", "x" * 61, f"Note must be a text of at most 60 characters; got {'x' * 59}…."),
    ("average", 1, "“Average” must be true or false; got 1."),
    ("weights", 1.0, "Weights must be a list; got 1.0."),
    ("weights", "11", "Weights must be a list; got 11."),
    ("weights", [], "Weights must have between 1 and 8 entries; got 0."),
    ("weights", [1] * 9, "Weights must have between 1 and 8 entries; got 9."),
    ("weights", [1, -1], "Each of the weights must be between 0 and 5; got -1."),
    ("marked", 3, "Marks must be a list; got 3."),
    ("marked", [-1], "Each of the marks must be a whole number between 0 and 999,999; got -1."),
    ("marked", [1_000_000], "Each of the marks must be a whole number between 0 and 999,999; got 1,000,000."),
    ("marked", ["a"], "Each of the marks must be a number such as 1000, 0.5 or 0,5; got a."),
    ("marked", [1, True], "Each of the marks must be a whole number between 0 and 999,999; got True."),
    (
        "marked",
        ["2026-03-03T08:00"],
        "Marks must be indices or a mask; got times. Times are found in a track: replace(track, landmarks=times).landmarks "
        "are their indices.",
    ),
    ("moves", "1 0", "Moves must be a list; got 1 0."),
    ("moves", [[1.0]] * 21, "Moves must have between 0 and 20 entries; got 21."),
]


@pytest.mark.parametrize(("name", "value", "sentence"), REFUSED)
def test_what_is_not_allowed_gets_the_sentence_of_its_declaration(name: str, value: Any, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        Tiny(**{name: value})
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    "rows", [[[0.5, 0.4], [0, 1]], [[0.5, 0.5]], [[math.nan]], [["a"]], [3], [[2.0, -1.0], [0, 1]]]
)
def test_a_matrix_that_is_none_is_refused(rows: Any) -> None:
    with pytest.raises(InputError):
        Tiny(moves=rows)


def test_numbers_of_numpy_are_numbers() -> None:
    tiny = Tiny(epsilon=np.float32(0.5), window=np.int64(7))
    assert (tiny.epsilon, tiny.window) == (0.5, 7) and type(tiny.epsilon) is float and type(tiny.window) is int


def test_values_are_kept_in_one_form() -> None:
    tiny = Tiny(epsilon=2, window=3.0, weights=[1, 2], marked=[7, 0, 0, 4.0], moves=[[0.8, 0.2], [0, 1]])
    assert (tiny.epsilon, tiny.window, tiny.weights) == (2.0, 3, (1.0, 2.0))
    assert [type(v) for v in (tiny.epsilon, tiny.window, *tiny.weights)] == [float, int, float, float]
    assert tiny.marked == (0, 4, 7) and all(type(i) is int for i in tiny.marked)
    assert tiny.moves == ((0.8, 0.2), (0.0, 1.0))
    assert hash(tiny) == hash(Tiny.from_dict(tiny.to_dict()))


def test_the_page_is_told_what_it_needs_to_draw_each_control() -> None:
    fields = Tiny.controls()["fields"]
    slider = {"low": 0.05, "high": 10, "log": True, "step": None, "ends": ("", ""), "backwards": False}
    limits = {"unit": "", "whole": False, "origin": 0, "slider": slider}
    assert fields["epsilon"] == {"kind": "number", "label": "Epsilon", "help": "The budget."} | limits
    assert fields["window"]["whole"] and fields["window"]["slider"] is None
    assert fields["size_m"]["unit"] == "m"
    assert [c["name"] for c in fields["shape"]["choices"]] == list(SHAPES)
    assert fields["shape"]["choices"][0] == {"name": "square", "title": "Square", "meaning": "Four equal sides."}
    assert fields["name"]["kind"] == "choice" and fields["name"]["choices"][0]["title"] == "A"
    assert fields["note"]["kind"] == "text" and "choices" not in fields["note"]
    assert (fields["weights"]["least"], fields["weights"]["most"]) == (1, 8)
    assert [fields[n]["kind"] for n in ("average", "weights", "marked", "moves")] == [
        "flag",
        "numbers",
        "indices",
        "matrix",
    ]
