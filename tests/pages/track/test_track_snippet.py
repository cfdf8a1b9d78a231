"""The program of a scenario: run, it computes the very numbers that the page shows; no text in it becomes code."""

from __future__ import annotations

import ast
import contextlib
import io
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.snippet import COUNTED, explorer_snippet, python_snippet
from lmdk_widgets.scenario import SCHEMES, Knowledge, Scenario, evaluate, infer
from lmdk_widgets.trajectory import load_trajectory, sample

BOB = Scenario(track="bob", landmarks=(0, 2, 4, 7))
SHAPE = [*[ast.ImportFrom] * 2, *[ast.Assign] * 3, *[ast.Expr] * 5]
ROWS = "when,lat,lon\n" + "".join(f"{d}/2/2026 08:{d:02d},{48.8 + d / 1000},{2.3 + d / 900}\n" for d in range(1, 9))


def run(program: str) -> tuple[dict, str]:
    names: dict = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(program, "snippet", "exec"), names)
    return names, printed.getvalue()


def assert_same_release(program: str, scenario: Scenario, trajectory) -> None:
    outcome = evaluate(scenario, trajectory)
    names, printed = run(program)
    made = names["outcome"]
    for name in ("latitude", "longitude", "budgets", "total", "error_m", "landmark"):
        np.testing.assert_array_equal(getattr(made, name), getattr(outcome, name))
    assert printed.splitlines()[-4:] == [
        f"mean error: {outcome.mean_error_m}",
        f"largest total loss, by one number for all pairs: {outcome.total.max()}",
        f"supremum of that: {outcome.supremum}",
        f"landmarks together, the paper's count: {outcome.landmark.max()}",
    ]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_it_makes_the_release_that_is_shown(scheme: str) -> None:
    odd = BOB.with_changes(
        scheme=scheme, epsilon=0.1 + 0.2, radius_m=123.4, seed=2**53 - 1, window=4, increase=0.7, decrease=0.2
    )
    assert_same_release(python_snippet(odd), odd, sample("bob"))
    commuter = sample("commuter")
    long = Scenario(
        track="commuter",
        scheme=scheme,
        landmarks=commuter.landmarks,
        average=False,
        window=7,
        increase=0.9,
        decrease=0.1,
    )
    assert_same_release(python_snippet(long), long, commuter)


def test_an_adversary_is_in_it_where_the_page_shows_one() -> None:
    program = python_snippet(BOB, knowledge=Knowledge(cells=40))
    names: dict[str, Any] = {}
    exec(program, names)
    assert names["inferred"].belief.tolist() == infer(names["outcome"], Knowledge(cells=40)).belief.tolist()
    assert "infer" not in python_snippet(BOB)


@pytest.mark.parametrize(
    "change",
    [
        {"epsilon": 0.5},
        {"seed": 2},
        {"landmarks": (1,)},
        {"radius_m": 100.0},
        {"scheme": "skip"},
        {"track": "taxi"},
        {"correlation": "weak"},
    ],
)
def test_every_choice_that_matters_is_in_it(change: dict) -> None:
    assert python_snippet(BOB.with_changes(**change)) != python_snippet(BOB)


@pytest.mark.parametrize("name", ["plain.csv", 'it\'s "my" file.csv', "läuft\u202e.csv", "{x} %s \\n.csv"])
def test_a_track_of_ones_own(name: str, tmp_path) -> None:
    path = tmp_path / name
    path.write_text(ROWS, "utf-8")
    options = {"timezone": "Europe/Paris", "day_first": True, "on_problem": "drop"}
    scenario = Scenario(track="", scheme="adaptive", landmarks=(1, 3))
    program = python_snippet(scenario, source={"path": str(path), **options})
    assert_same_release(program, scenario, load_trajectory(path, **options))
    assert program.isprintable() or set(program) - set(filter(str.isprintable, program)) == {"\n"}


def test_options_that_were_not_given_are_left_out() -> None:
    program = python_snippet(Scenario(track=""), source={"path": "x.gpx", "timezone": None, "day_first": False})
    assert "load_trajectory('x.gpx', day_first=False)\n" in program
    assert "load_trajectory('my-track.csv')\n" in python_snippet(Scenario(track=""))


@pytest.mark.long
def test_it_runs_as_a_program_of_its_own() -> None:
    done = subprocess.run([sys.executable, "-c", python_snippet(BOB)], capture_output=True, text=True, check=True)
    assert len(done.stdout.splitlines()) >= 8
    assert done.stderr == ""


def test_it_says_what_it_is_and_holds_no_coordinate() -> None:
    program = python_snippet(BOB)
    assert program.startswith("# simulation, not a private release\n")
    assert f"{COUNTED}\nscenario = Scenario(\n" in program and COUNTED not in python_snippet(Scenario(track="bob"))
    assert COUNTED.endswith("counted from 0 here; the page and the command line count them from 1.")
    cell = explorer_snippet(TrackChoices(BOB))
    assert cell.splitlines()[-2] == COUNTED and "48." not in cell
    assert COUNTED not in explorer_snippet(TrackChoices(Scenario(track="bob")))
    assert "48." not in program and "2.3" not in program
    assert "skip" not in program and "window" not in program and "increase" not in program


@given(st.text(max_size=60), st.text())
def test_no_text_becomes_code(track: str, path: str) -> None:
    for program in (
        python_snippet(Scenario(track=track)),
        python_snippet(Scenario(track=track), source={"path": path, "timezone": path}),
    ):
        tree = ast.parse(program)
        assert [type(statement) for statement in tree.body] == SHAPE
        call = tree.body[2].value  # type: ignore[attr-defined]
        assert isinstance(call, ast.Call) and all(isinstance(argument, ast.Constant) for argument in call.args)
        if track and call.func.id == "sample":  # type: ignore[attr-defined]
            assert call.args[0].value == track  # type: ignore[attr-defined]
        program.encode("utf-8")


@given(st.sets(st.integers(0, 2000), max_size=150))
def test_many_landmarks_stay_readable(landmarks: set[int]) -> None:
    program = python_snippet(Scenario(landmarks=tuple(landmarks)))
    assert max(map(len, program.splitlines())) <= 100
    call = ast.parse(program).body[3].value  # type: ignore[attr-defined]
    written = next((keyword.value for keyword in call.keywords if keyword.arg == "landmarks"), ast.List([], ast.Load()))
    assert eval(compile(ast.fix_missing_locations(ast.Expression(written)), "landmarks", "eval")) == sorted(landmarks)


@pytest.mark.parametrize(
    "source",
    [
        {"path": 3},
        {"path": "x", "nosuch": 1},
        {"path": "x", "timezone": 3},
        {"path": "x", "day_first": "True"},
        {"a=1, b": "x"},
    ],
)
def test_sources_that_are_none(source: dict) -> None:
    with pytest.raises(InputError, match="(?i)source must be"):
        python_snippet(Scenario(track=""), source=source)
