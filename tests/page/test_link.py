"""Links: one format for every page; those of before still open; no text makes it slow, large or fail otherwise."""

from __future__ import annotations

import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import quote, urlencode

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmdk_widgets.errors import InputError
from lmdk_widgets.geoind.mechanisms import MECHANISMS
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.index_runs import MOST_IN_LINK
from lmdk_widgets.page.link import MAX_CHARACTERS, from_query, link_of, pages_of, to_query
from lmdk_widgets.pages.people.model import PeopleChoices
from lmdk_widgets.pages.place import PlaceChoices
from lmdk_widgets.pages.place.model import AREAS, CLICKS, LAYERS, OF_CHECKINS, OTHERS
from lmdk_widgets.pages.place.session import PlaceSession
from lmdk_widgets.pages.series import SeriesChoices
from lmdk_widgets.pages.series.session import SeriesSession
from lmdk_widgets.pages.table import TableChoices
from lmdk_widgets.pages.table.model import MECHANISMS as MECHANISMS_OF_NOISE
from lmdk_widgets.pages.table.model import PARTS, PLAYS
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.scenario import CORRELATIONS, SCHEMES, Scenario
from tests.page.tiny import Tiny, any_tiny

PAGES: list[type[Choices]] = [Tiny, Scenario, PlaceChoices, SeriesChoices, TableChoices, PeopleChoices]

any_scenario = st.builds(
    Scenario,
    track=st.sampled_from(["bob", "commuter", "Ünï & co=1;2"]),
    landmarks=st.sets(st.integers(0, 999_999), max_size=40),
    scheme=st.sampled_from(sorted(SCHEMES)),
    epsilon=st.floats(1e-9, 1e6),
    smoothing=st.floats(1e-6, 1e3),
    correlation=st.sampled_from(sorted(CORRELATIONS)),
    matrix=st.sampled_from([(), ((0.8, 0.2), (0.0, 1.0)), ((1 / 3, 2 / 3), (0.1, 0.9))]),
    seed=st.integers(0, 2**53 - 1),
    average=st.booleans(),
)
any_places = st.builds(
    PlaceChoices,
    area=st.sampled_from(sorted(AREAS)),
    rows=st.integers(2, 15),
    cell_m=st.floats(20, 50_000),
    prior=st.sampled_from(["city", "uniform", "time", "painted"]),
    other=st.sampled_from(sorted({*OTHERS} - {*OF_CHECKINS})),
    quality_by=st.sampled_from(["straight", "manhattan", "squared"]),
    layer=st.sampled_from(sorted(LAYERS)),
    level=st.floats(0.01, 20),
    mechanism=st.sampled_from(sorted(MECHANISMS)),
    click=st.sampled_from(sorted(CLICKS)),
    charts=st.booleans(),
)
any_quilts = st.builds(
    SeriesChoices,
    epsilon=st.floats(0.01, 50),
    source=st.sampled_from(["power", "activities", "binary", "track"]),
    stay_one=st.floats(0, 1),
    releases=st.lists(st.floats(0.01, 50), min_size=1, max_size=8),
    node=st.integers(-1, 4999),
)


def test_a_link_of_places_tells_no_coordinate_and_no_painting() -> None:
    assert to_query(PlaceChoices(latitude=52.52, longitude=13.405, prior="painted", painted=[1.0] * 36)) == (
        "page=place&v=3&prior=painted"
    )


def again(choices: Choices) -> Choices:
    return type(choices).from_dict(from_query(to_query(choices), type(choices)))


any_foundations = st.builds(
    TableChoices,
    table=st.sampled_from(["t1", "t2", "adults"]),
    quasi=st.sets(st.integers(0, 7), max_size=3),
    sensitive=st.integers(-1, 7),
    levels=st.lists(st.integers(0, 5), max_size=5),
    attack=st.sampled_from(sorted(PLAYS)),
    least=st.integers(1, 1_000),
    part=st.sampled_from(sorted(PARTS)),
    mechanism=st.sampled_from(sorted(MECHANISMS_OF_NOISE)),
    epsilon=st.floats(0.01, 20),
    prior=st.floats(0.001, 0.999),
)


@pytest.mark.long
@given(st.one_of(any_tiny, any_scenario, any_places, any_quilts, any_foundations))
def test_a_link_gives_the_equal_choices(choices: Choices) -> None:
    assert again(choices) == choices
    assert to_query(choices).startswith(f"page={choices.PAGE}")
    assert set(to_query(choices)) <= set(map(chr, range(33, 127)))


def test_only_what_differs_from_the_default_is_told_but_for_what_always_is() -> None:
    assert to_query(Tiny()) == "page=tiny&v=3&name=a"
    assert to_query(Tiny(epsilon=0.5, marked=(0, 1, 2, 7), average=True)) == (
        "page=tiny&v=3&epsilon=0.5&name=a&average=1&marked=0-2.7"
    )
    assert to_query(Scenario(track="bob", epsilon=0.5, landmarks=(0, 1, 2, 7))) == (
        "page=track&v=3&track=bob&landmarks=0-2.7&epsilon=0.5"
    )
    assert to_query(PlaceChoices()) == "page=place&v=3" and to_query(SeriesChoices()) == "page=series&v=3"


LINKS: list[tuple[Callable[[], Any], str, Choices]] = [
    (
        TrackSession,
        "track=bob&epsilon=0.5&landmarks=0-2.7&average=1",
        Scenario(epsilon=0.5, landmarks=(0, 1, 2, 7), average=True),
    ),
    (
        TrackSession,
        "?track=commuter&scheme=budget-absorption&epsilon=1e-05&landmarks=5.9-11.2015&window=12&radius_m=350.0"
        "&correlation=strength&states=7&smoothing=0.025&adversary=past&target=2.5&increase=0.4&seed=9007199254740991"
        "&average=0&landmark_loss=1",
        Scenario(
            track="commuter",
            scheme="budget-absorption",
            epsilon=1e-5,
            landmarks=(5, 9, 10, 11, 2015),
            window=12,
            radius_m=350,
            correlation="strength",
            states=7,
            smoothing=0.025,
            adversary="past",
            target=2.5,
            increase=0.4,
            seed=2**53 - 1,
            landmark_loss=True,
        ),
    ),
    (
        TrackSession,
        "track=bob&landmarks=&correlation=matrix&matrix=0.8%2C0.2%3B0.0%2C1.0",
        Scenario(correlation="matrix", matrix=((0.8, 0.2), (0.0, 1.0))),
    ),
    (
        PlaceSession,
        "page=place&rows=4&level=0.35&radius_m=500.0&mechanism=spanner&click=report&dilation=1.3",
        PlaceChoices(rows=4, level=0.35, radius_m=500, mechanism="spanner", click="report", dilation=1.3),
    ),
    (
        PlaceSession,
        "page=place&rows=2&columns=2&prior=painted&painted=%5B1.0%2C+4.0%2C+1.0%2C+0.5%5D&other=city&latitude=41.9",
        PlaceChoices(rows=2, columns=2, prior="painted", painted=(1, 4, 1, 0.5), other="city", latitude=41.9),
    ),
    (
        PlaceSession,
        "page=place&area=track&cell_m=4000.0&prior=time",
        PlaceChoices(area="track", cell_m=4000, prior="time"),
    ),
    (
        SeriesSession,
        "page=series&releases=%5B1.0%2C+0.5%5D&source=binary",
        SeriesChoices(releases=(1.0, 0.5), source="binary"),
    ),
    (
        SeriesSession,
        "page=series&source=track&every=6&track=commuter&theta=bootstrap&chains=4&epsilon=0.35&node=9&truth_percent=50",
        SeriesChoices(source="track", every=6, theta="bootstrap", chains=4, epsilon=0.35, node=9, truth_percent=50),
    ),
]


@pytest.mark.parametrize(("begin", "query", "choices"), LINKS)
def test_a_link_with_or_without_a_version_opens(begin: Callable[[], Any], query: str, choices: Choices) -> None:
    session = begin()
    assert session.open_link(query) == ""
    choices = TrackChoices(choices) if isinstance(choices, Scenario) else choices
    assert session.choices == choices
    other = begin()
    assert other.open_link(to_query(choices)) == "" and not other.history.can_undo
    assert to_query(other.choices) == to_query(choices) == session.link.query


def test_a_link_names_the_schemes_of_an_open_table() -> None:
    opened = TrackChoices().with_changes(**{"table.open": True})
    assert from_query(to_query(opened), TrackChoices)["table.schemes"].split() == list(SCHEMES)
    assert again(opened) == opened and "schemes" not in to_query(TrackChoices())


def test_names_of_others_are_passed_over() -> None:
    assert from_query("?utm_source=mail&page=x&epsilon=2&token=abc", Tiny) == {"epsilon": 2.0}
    assert from_query("", Tiny) == {} == from_query("?", Tiny)


RANGES = "0-999999." * 100


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("epsilon=abc", "Epsilon in the link cannot be read; got abc."),
        ("epsilon=", "Epsilon in the link cannot be read; got ''."),
        ("epsilon=" + "9" * 5000, f"Epsilon in the link cannot be read; got {'9' * 59}…."),
        ("weights=" + "[" * 7000, f"Weights in the link cannot be read; got {'[' * 59}…."),
        ("moves=1,x;0,1", "Moves in the link cannot be read; got 1,x;0,1."),
        ("moves=" + "x" * 7000, f"Moves in the link cannot be read; got {'x' * 59}…."),
        ("marked=1-x", "Marks in the link must be numbers and ranges such as 0-2.7; got 1-x."),
        ("marked=--", "Marks in the link must be numbers and ranges such as 0-2.7; got --."),
        ("marked=0-9999999", "Marks in the link must be at most 100,000 timestamps; got 0-9999999."),
        (
            "marked=" + "0-999999." * 100,
            f"Marks in the link must be at most 100,000 timestamps; got {('0-999999.' * 7)[:59]}….",
        ),
        (
            "a" * (MAX_CHARACTERS + 1),
            "A link must have at most 8,000 characters; got 8,001. Open the page without it, and the scenario from a file.",
        ),
    ],
)
def test_what_cannot_be_read_gets_a_sentence_without_a_program_s_words(query: str, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        from_query(query, Tiny)
    remedy = " Copy the whole link again." if "cannot be read" in sentence else ""
    assert str(caught.value) == sentence + remedy


@pytest.mark.parametrize("value", ["abc", '"x"', "[]", "null", "2", "{}"])
def test_a_flag_is_read_strictly(value: str) -> None:
    with pytest.raises(InputError, match="Average"):
        Tiny.from_dict(from_query(urlencode({"average": value}), Tiny))


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e999", "null", '"1"', "[1]"])
def test_a_number_that_is_none_is_refused(value: str) -> None:
    with pytest.raises(InputError, match="Epsilon"):
        Tiny.from_dict(from_query(urlencode({"epsilon": value}), Tiny))


def opened(query: str, page: type[Choices]) -> None:
    """What a query leads to: changes, and perhaps choices; else a refusal in one short sentence."""
    pages_of(query)
    try:
        changes = from_query(query, page)
        assert set(changes) <= set(page.kinds())
        page.from_dict(changes)
    except InputError as error:
        assert 0 < len(str(error)) < 700 and str(error).endswith(".")


names = st.sampled_from(sorted({name for page in PAGES for name in page.kinds()} | {"page", "x"}))
parts = st.text(alphabet='0123456789-.,;[]{}"eE+nulNaInfity%&=/\x00é²٣', max_size=60)
pairs = st.lists(st.tuples(names, st.one_of(parts, st.text(max_size=60))), max_size=6)


@pytest.mark.long
@settings(max_examples=300)
@given(st.one_of(st.text(max_size=300), pairs.map(urlencode), pairs.map(lambda p: "&".join("=".join(i) for i in p))))
def test_any_text_is_read_or_refused(query: str) -> None:
    for page in PAGES:
        opened(query, page)


@pytest.mark.parametrize(
    "query",
    [
        "landmarks=" + ".".join(["0-999999"] * 100),
        "landmarks=0-999999",
        "landmarks=" + ".".join(["0"] * 3900),
        "landmarks=" + "1-" * 3900,
        "painted=" + quote("[" * 2600),
        "painted=" + "[" * 7900,
        "releases=" + "[[[[" * 1900,
        "matrix=" + "0," * 3900,
        "matrix=" + ";" * 7900,
        "epsilon=" + "9" * 7900,
        "seed=1e" + "9" * 7900,
        "&" * 8000,
        "a=1&" * 2000,
        "epsilon=1&" * 800,
        "x" * 8001,
        "landmarks=0-999999&" * 400,
        "landmarks=0-99999&" * 440,
        "landmarks=" + "1." * 1_000_000,
        "releases=[1e999999,-1e999999]&seed=1e400",
        "track=" + "%00" * 2_000,
        "%" * 8000,
    ],
    ids=lambda q: f"{q[:24]}({len(q)})",
)
def test_no_link_takes_long_or_much_memory(query: str) -> None:
    for page in PAGES:
        tracemalloc.start()
        begun = time.process_time()
        opened(query, page)
        seconds, (_, most) = time.process_time() - begun, tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < 60e6, f"{most / 1e6:.0f} MB"
        assert seconds < 10, "under tracemalloc, which makes it several times slower"


def test_a_link_of_a_track_of_ones_own_tells_no_timestamp() -> None:
    own = Scenario(track="", landmarks=(1, 2), epsilon=0.5)
    assert to_query(own) == "page=track&v=3&track=&epsilon=0.5"
    assert again(own) == replace(own, landmarks=())


# -- what a link leaves out -------------------------------------------------------------------------------------------


@pytest.mark.long
def test_the_link_of_nine_hundred_characters_is_refused_at_once() -> None:
    """In a process of its own, that may take neither the memory nor the time that it took once: 3.9 GB and 45 s."""
    program = (
        "import resource; from lmdk_widgets.pages.track.session import TrackSession as S; session = S()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))\n"
        f"session.open_link({'landmarks=' + '.'.join(['0-999999'] * 95)!r})"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=20)
    assert "InputError" in done.stderr and "at most 100,000" in done.stderr


@given(st.sets(st.integers(0, 999_999), max_size=1500), st.sampled_from(["bob", ""]))
def test_landmarks_come_back_from_a_link_or_are_said_to_be_too_long_for_it(landmarks: set[int], track: str) -> None:
    scenario = Scenario(track=track, landmarks=landmarks, epsilon=0.5)  # type: ignore[arg-type]
    link = link_of(scenario)
    back = Scenario.from_dict(from_query(link.query, Scenario))
    assert back == (scenario.with_changes(landmarks=()) if link.too_long or not track else scenario)
    assert len(link.query) <= MAX_CHARACTERS
    assert (link.too_long == ("your landmarks",)) == (len(to_query(scenario)) > MAX_CHARACTERS)


def test_what_is_too_long_is_left_out_and_named() -> None:
    rows = np.random.default_rng(1).dirichlet(np.ones(60), 60)
    large = Scenario(correlation="matrix", matrix=rows, landmarks=(1, 2), epsilon=0.5)
    link = link_of(large)
    assert link.too_long == ("your matrix",) and len(link.query) <= MAX_CHARACTERS
    assert from_query(link.query, Scenario) == {"track": "bob", "epsilon": 0.5, "landmarks": [1, 2]}
    many = Scenario(track="taxi", landmarks=range(0, 10_000, 2))  # type: ignore[arg-type]
    assert link_of(many).too_long == ("your landmarks",) and link_of(many).query == "page=track&v=3&track=taxi"
    both = large.with_changes(landmarks=range(0, 10_000, 2))
    assert link_of(both).too_long == ("your matrix", "your landmarks")
    message = link_of(both, ("your track",)).message()
    assert message["left_out"] == ["your track", "your matrix", "your landmarks"]
    assert message["too_long"] == ["your matrix", "your landmarks"]


def test_more_landmarks_than_a_link_may_name_are_left_out_of_it() -> None:
    matrix = ((0.8, 0.2), (0.3, 0.7))
    small = Scenario(correlation="matrix", matrix=matrix, landmarks=range(MOST_IN_LINK + 1))  # type: ignore[arg-type]
    link = link_of(small)
    assert link.too_long == ("your landmarks",) and "matrix=0.8,0.2;0.3,0.7" in link.query
    assert Scenario.from_dict(from_query(link.query, Scenario)) == small.with_changes(landmarks=())


def test_an_address_keeps_the_settings_of_other_pages() -> None:
    assert pages_of("page=place&level=2&other.series=page%3Dseries%26epsilon%3D0.5") == (
        "place",
        {"series": "page=series&epsilon=0.5"},
    )
    assert from_query("page=place&epsilon=3&other.series=epsilon%3D0.5", Scenario) == {"epsilon": 3}
    assert pages_of("x" * 8001) == ("", {})
