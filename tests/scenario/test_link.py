"""Links: whatever their text, they cost little and answer with a sentence; what was written is read back."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from typing import Any
from urllib.parse import quote_plus

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmdk_widgets.errors import InputError
from lmdk_widgets.scenario import Scenario
from lmdk_widgets.scenario.base.link import (
    MOST_CHARACTERS,
    MOST_LANDMARKS,
    choices_from_query,
    choices_to_query,
    from_query,
    link_of,
    pages_of,
    to_query,
)
from lmdk_widgets.scenario.landmarks.session import Session
from lmdk_widgets.scenario.places import Places
from lmdk_widgets.scenario.quilts import QuiltChoices

MEMORY = 60_000_000  # bytes
ATTACKS = {
    "ranges": "landmarks=" + ".".join(["0-999999"] * 95),
    "ranges given again and again": "&".join(["landmarks=0-99999"] * 440),
    "length": "landmarks=" + "1." * 1_000_000,
    "matrix": "correlation=matrix&matrix=" + ";".join([",".join(["0"] * 600)] * 600),
    "nested": "page=places&painted=" + "[" * 7_000,
    "digits": "page=places&rows=" + "9" * 7_000,
    "exponent": "page=quilts&releases=[1e999999,-1e999999]&seed=1e400",
    "text": "track=" + "%00" * 2_000,
}
DEFAULTS: dict[str, Any] = {"places": Places(), "quilts": QuiltChoices()}


def opened(query: str) -> None:
    """Opens a query as each of the pages does; a refusal is an answer, any other error is none."""
    for open_one in (
        lambda: Scenario().with_changes(**from_query(query)),
        *(
            lambda start=start: start.with_changes(**choices_from_query(query, start.to_dict()))
            for start in DEFAULTS.values()
        ),
        lambda: pages_of(query),
    ):
        try:
            open_one()
        except InputError as error:
            assert error.sentence.endswith(".") and len(error.sentence) < 600


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_costs_little(name: str) -> None:
    tracemalloc.start()
    try:
        opened(ATTACKS[name])
        assert tracemalloc.get_traced_memory()[1] < MEMORY
    finally:
        tracemalloc.stop()


def test_the_link_of_nine_hundred_characters_is_refused_at_once() -> None:
    """In a process of its own, that may take neither the memory nor the time that it took once: 3.9 GB and 45 s."""
    program = (
        "import resource; from lmdk_widgets.scenario.landmarks.session import Session; session = Session()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))\n"
        f"session.open_link({ATTACKS['ranges']!r})"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=20)
    assert "InputError" in done.stderr and "at most 100,000" in done.stderr


@given(st.text(max_size=400))
def test_any_text_is_answered(text: str) -> None:
    opened(text)


NAMES = st.sampled_from([*Scenario().to_dict(), *Places().to_dict(), *QuiltChoices().to_dict(), "page", "other.quilts"])
VALUES = st.one_of(
    st.text(alphabet='0123456789.-,;[]e+naif%&="truls ', max_size=60),
    st.integers().map(str),
    st.floats().map(str),
    st.lists(st.tuples(st.integers(0, 10**9), st.integers(0, 10**9)), max_size=30).map(
        lambda runs: ".".join(f"{a}-{b}" for a, b in runs)
    ),
)


@given(st.lists(st.tuples(NAMES, VALUES), max_size=8))
def test_any_value_of_any_choice_is_answered(pairs: list[tuple[str, str]]) -> None:
    opened("&".join(f"{name}={quote_plus(value)}" for name, value in pairs))


@given(
    st.builds(
        Scenario,
        track=st.sampled_from(["bob", "commuter", ""]),
        epsilon=st.floats(1e-9, 1e6),
        landmarks=st.sets(st.integers(0, 999_999), max_size=600),
        radius_m=st.floats(1, 1e5),
        average=st.booleans(),
        landmark_loss=st.booleans(),
        seed=st.integers(0, 2**53 - 1),
    )
)
def test_a_scenario_comes_back_from_its_link(scenario: Scenario) -> None:
    link = link_of(scenario)
    back = Scenario().with_changes(**from_query(link.query))
    left = {"landmarks": ()} if link.too_long or not scenario.track else {}
    assert back == scenario.with_changes(**left)
    assert link.too_long == () or len(to_query(scenario)) > MOST_CHARACTERS - 20


@given(
    st.builds(
        Places,
        rows=st.integers(2, 15),
        cell_m=st.floats(20, 5e4),
        level=st.floats(0.01, 20),
        track=st.text(max_size=60),
        prior=st.sampled_from(["city", "uniform", "time"]),
        place=st.integers(-1, 224),
    )
    | st.builds(
        QuiltChoices,
        epsilon=st.floats(0.01, 50),
        releases=st.lists(st.floats(0.01, 50), min_size=1, max_size=8).map(tuple),
        seed=st.integers(0, 2**53 - 1),
        track=st.text(max_size=60),
    )
)
def test_the_choices_of_a_lab_come_back_from_their_link(choices: Places | QuiltChoices) -> None:
    start = type(choices)()
    query = choices_to_query("x", choices.to_dict(), start.to_dict())
    assert start.with_changes(**choices_from_query(query, start.to_dict())) == choices
    assert len(query) <= MOST_CHARACTERS


def test_what_is_too_long_is_left_out_and_named() -> None:
    rows = np.random.default_rng(1).dirichlet(np.ones(60), 60)
    large = Scenario(correlation="matrix", matrix=rows, landmarks=(1, 2), epsilon=0.5)
    link = link_of(large)
    assert link.too_long == ("your matrix",) and len(link.query) <= MOST_CHARACTERS
    assert from_query(link.query) == {"track": "bob", "epsilon": 0.5, "landmarks": [1, 2]}
    many = Scenario(track="taxi", landmarks=range(0, 10_000, 2))
    assert link_of(many).too_long == ("your landmarks",) and link_of(many).query == "page=landmarks&track=taxi"
    both = large.with_changes(landmarks=range(0, 10_000, 2))
    assert link_of(both).too_long == ("your matrix", "your landmarks")
    small = Scenario(correlation="matrix", matrix=((0.8, 0.2), (0.3, 0.7)), landmarks=range(MOST_LANDMARKS + 1))
    assert link_of(small).too_long == ("your landmarks",) and "matrix=0.8,0.2;0.3,0.7" in link_of(small).query


def test_a_link_for_ones_own_track_fits_the_own_track_that_is_there() -> None:
    session = Session()
    session.load(b"time,lat,lon\n2026-03-01T08:00:00Z,48.8,2.3\n2026-03-01T08:01:00Z,48.9,2.3\n", "a.csv", lasting=True)
    assert session.link().left_out == ()
    session.apply([{"op": "toggle", "index": 1}], commit=True)
    assert session.link().left_out == ("the landmarks of your track",)
    assert session.open_link("track=&epsilon=0.25") == ""
    assert (session.scenario.track, session.scenario.epsilon, len(session.trajectory)) == ("", 0.25, 2)
    session.load(b"time,lat,lon\n2026-03-01T08:00:00Z,48.8,2.3\n", "b.csv")
    assert session.link().left_out == ("your track and its landmarks",)
