"""Chains of the user's own as they are typed, linked, saved and taken back; what is no chain is refused in a sentence."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.link import from_query, link_of
from lmdk_widgets.pages.series import SeriesChoices, evaluate
from lmdk_widgets.pages.series.own_chains import FIRST, PUBLISHED
from lmdk_widgets.pages.series.session import SeriesSession
from tests.pages.series.chains import OWN, THETA_1, THETA_2, own


@pytest.mark.parametrize(
    ("chain", "sentence"),
    [
        (([1, 0], [[0.9, 0.1], [0.4, 0.5]]), "Row 2 of the matrix of chain 1 must sum to 1; got 0.9. Correct the row."),
        (
            ([1, 0, 0], THETA_1[1]),
            "The start of chain 1 must have 2 probabilities, one for each state, or none; got 3.",
        ),
        (([0.5, 0.4], THETA_1[1]), "The start of chain 1 must sum to 1; got 0.9."),
        (([2, -1], THETA_1[1]), "Probability 1 in the start of chain 1 must be a number between 0 and 1; got 2.0."),
        (([], [[1]]), "Chain 1 must have between 2 and 60 states; got 1."),
        (([], np.eye(61).tolist()), "Chain 1 must have between 2 and 60 states; got 61."),
        (([], [[1, 0], [0, 1]]), "The start of chain 1 must be given, as the long run of its matrix depends on it"),
        (
            ([], [[1, 0], [0]]),
            "The matrix of chain 1 must contain a square table of numbers; got rows of different lengths.",
        ),
        ("1 0", "Chain 1 must be a start and a matrix; got a str."),
    ],
)
def test_a_chain_that_is_none_is_refused(chain: Any, sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        own(chain)
    assert refused.value.sentence.startswith(sentence)


def test_a_set_that_is_none_is_refused() -> None:
    three = ([], np.full((3, 3), 1 / 3).tolist())
    for chains, sentence in (
        ([THETA_1, three], "Chain 2 must have 2 states, as chain 1 has; got 3. Remove the other chains first"),
        ([], "The number of chains must be between 1 and 10; got 0."),
        ([THETA_1] * 11, "The number of chains must be between 1 and 10; got 11."),
    ):
        with pytest.raises(InputError) as refused:
            own(*chains)
        assert refused.value.sentence.startswith(sentence)
    left = ([], [[0.5, 0.5], [0, 1]])
    with pytest.raises(InputError, match=r"1,000 for a chain with states that cannot .* count past states by the def"):
        evaluate(own(left, length=1001, support="all"))
    with pytest.raises(InputError, match=r"500 for 2 chains with .*, or that start outside .* and leave the starts"):
        evaluate(own(left, THETA_1, length=501, support="all"))
    assert evaluate(own(left, length=1001)).scale.scale == 1
    with pytest.raises(InputError, match="must be at most 500 for 2 chains that start outside the long run; got 501"):
        evaluate(own(THETA_1, THETA_2, length=501))
    assert len(evaluate(own(([], THETA_1[1]), length=5_000))) == 5_000


def test_json_links_python_and_undo_know_the_chains() -> None:
    choices = own(THETA_1, ([], THETA_2[1]), support="all")
    assert SeriesChoices.from_dict(json.loads(json.dumps(choices.to_dict()))) == choices
    link = link_of(choices)
    assert not link.too_long and "own_chains=1.0,0.0~0.9,0.1;0.4,0.6_~0.8,0.2;0.3,0.7" in link.query
    assert SeriesChoices().with_changes(**from_query(link.query, SeriesChoices)) == choices
    session = SeriesSession(choices)
    space: dict[str, Any] = {}
    exec(session.python().replace("from lmdk_widgets import QuiltLab\n", "QuiltLab = lambda x: x\n"), space)
    assert eval(session.python().strip().splitlines()[-1], space) == choices
    session.apply([{"op": "remove-chain", "index": 0}], commit=True)
    session.apply([{"op": "undo"}], commit=True)
    assert session.choices == choices and len(session.outcome.alone) == 2


def test_the_file_of_settings_holds_what_a_link_is_too_short_for() -> None:
    rng = np.random.default_rng(1)
    session = SeriesSession(own(([], rng.dirichlet(np.ones(30), 30).tolist()), length=40))
    file = session.save("settings")
    assert file.name.endswith(".json") and file.mime == "application/json"
    other = SeriesSession(OWN)
    other.apply([{"op": "open", "text": file.data.decode()}], commit=True)
    assert other.choices == session.choices
    other.apply([{"op": "undo"}], commit=True)
    assert other.choices == OWN
    for text, sentence in (
        ("{}", 'A settings file must be JSON with "format": "lmdk-widgets settings"; got other JSON.'),
        ("own", "A settings file must be JSON; got a damaged file or one of another kind."),
        (
            file.data.decode().replace('"version": 2', '"version": 3'),
            "The version of a settings file must be 2; got 3.",
        ),
        (file.data.decode().replace('"length": 40', '"length": 1'), "Length T must be a whole number between 2 and"),
        (
            file.data.decode().replace('"source": "chains"', '"source": "own"'),
            "These settings belong to a user",
        ),
    ):
        with pytest.raises(InputError) as refused:
            other.apply([{"op": "open", "text": text}], commit=True)
        assert refused.value.sentence.startswith(sentence) and other.choices == OWN


def test_long_chains_are_left_out_of_a_link_with_words() -> None:
    rng = np.random.default_rng(1)
    link = link_of(own(([], rng.dirichlet(np.ones(30), 30).tolist())))
    assert link.too_long == ("your chains",) and "chains" not in link.query and len(link.query) < 8_000


@pytest.mark.parametrize(
    "text", ["own_chains=1.0", "own_chains=~~", "own_chains=a~1", "own_chains=1~1;2", "own_chains="]
)
def test_a_broken_link_is_refused_in_a_sentence(text: str) -> None:
    session = SeriesSession(OWN)
    with pytest.raises(InputError) as refused:
        session.open_link(f"page=series&source=chains&{text}")
    assert refused.value.sentence.endswith(".") and session.choices == OWN


@pytest.mark.long
def test_operations_of_the_page() -> None:
    session = SeriesSession(SeriesChoices())

    def do(**operation: Any) -> SeriesChoices:
        session.apply([operation], commit=True)
        return session.choices

    assert do(op="set", name="source", value="chains").own_chains == FIRST
    assert {"length", "support"} <= set(session.visible()) and not {"theta", "smoothing", "every"} & set(
        session.visible()
    )
    one = do(op="chain", index=0, initial="[1, 0]", matrix="0.9 0.1\n0.4\t0.6")
    assert one.own_chains == (PUBLISHED[0],)
    assert len(do(op="add-chain").own_chains) == 2
    assert do(op="chain", index=1, initial="0.9;0.1", matrix="[[8, 2], [3, 7]]", normalize=True).own_chains == PUBLISHED
    before = session.state
    for operation, sentence in (
        ({"initial": "1 0", "matrix": "0.9 0.1; 0.4 0.5"}, "Row 2 of the matrix of chain 2 must sum to 1; got 0.9."),
        ({"initial": "1 0", "matrix": "0.9 x; 0.4 0.6"}, "Row 1 of the matrix of chain 2 must contain numbers; got x."),
        (
            {"initial": "one 0", "matrix": "1 0; 0 1"},
            "The start of chain 2 must contain numbers, such as 1 0; got one.",
        ),
        ({"initial": "1 0", "matrix": ""}, "A matrix must have rows of probabilities"),
        ({"initial": "", "matrix": "1"}, "Chain 2 must have between 2 and 60 states; got 1."),
    ):
        with pytest.raises(InputError) as refused:
            do(op="chain", index=1, **operation)
        assert refused.value.sentence.startswith(sentence) and session.state == before
    assert do(op="remove-chain", index=0).own_chains == PUBLISHED[1:]
    with pytest.raises(InputError):
        do(op="remove-chain", index=0)
    loaded = do(op="published-chains")
    assert (loaded.own_chains, loaded.length, loaded.epsilon) == (PUBLISHED, 100, 1.0)
