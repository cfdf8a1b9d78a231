"""Every number of the table page over random settings: tables and attacks, noise, a stream, releases that add up."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.anonymity import ATTACKS, DISCLOSURES
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.widget.table import FoundationsLab
from lmdk_widgets.page.sentences import heard
from lmdk_widgets.pages.table import TableChoices, evaluate, read_table
from lmdk_widgets.pages.table.model import COUNTED, LEVELS, MECHANISMS, NEIGHBOURS, QUERIES, REMEDIES
from tests.every_number import table_answers as answered
from tests.every_number import table_drawn as drawn
from tests.every_number import table_names as names
from tests.every_number import table_sequence_truth as sequence
from tests.every_number import table_sums_truth as sums
from tests.every_number.altered import Read
from tests.every_number.claims import shown_by
from tests.every_number.named import Named
from tests.every_number.table_attack_truth import AttackedTable
from tests.every_number.table_published_names import published_names
from tests.every_number.table_published_truth import Held, example, uploaded
from tests.every_number.table_truth import NoiseTruth, StackedTruth, StreamTruth
from tests.sweeps import FULL, generators, more, size

TABLES, NOISES, STREAMS, ADDINGS = (300, 500, 300, 300) if FULL else (320, 480, 160, 80)
SUMS = 100 if FULL else 24
"""Random settings of each part; each of a table with all nine attacks and three disclosures."""
LEFT_OUT = (138, 251)
"""Settings in which people are left out whose values nobody else has: of the others they are few."""
MOST_TRIED = 5_000
"""People times levels of a table that is coarsened by itself: all of them are tried here once more."""
PLAYS = [*ATTACKS, *DISCLOSURES]


@pytest.fixture(scope="module")
def lab() -> Iterator[Any]:
    made = FoundationsLab()
    yield made
    made.close()


def read_of(
    lab: Any, claims: Named, choices: TableChoices, truth: Any, own: Any, more: Callable[..., None]
) -> Read | None:
    """What the page shows, with its recomputation; None where there is no outcome."""
    with heard() as made:
        try:
            outcome = evaluate(choices, own)
        except InputError:
            return None
        list(shown_by(lab.page, outcome))

    def held(page: Any) -> None:
        try:
            claims.hold(shown_by(page, outcome), made, truth)
            described = next(iter(page._drawings(outcome))).described["drawn"]
            more(truth, page._text(outcome), described)
        except AssertionError as wrong:
            raise AssertionError(f"{wrong}\n{choices}") from wrong

    return Read(lab.page, outcome, held)


def held_as(lab: Any, claims: Named, choices: TableChoices, truth: Any, own: Any, more: Callable[..., None]) -> bool:
    """Whether there was an outcome; everything that is shown of it is held against its recomputation."""
    read = read_of(lab, claims, choices, truth, own, more)
    if read is not None:
        read.held(read.page)
    return read is not None


def log_uniform(rng: np.random.Generator, low: float, high: float, *ends: float) -> float:
    return (
        float(rng.choice(ends))
        if ends and rng.random() < 0.1
        else float(np.exp(rng.uniform(np.log(low), np.log(high))))
    )


# -- a table -----------------------------------------------------------------------------------------------------------


def numbers(rng: np.random.Generator, n: int) -> list[str]:
    """Ages, pay, decimals on both sides of zero, large numbers, one number only."""
    kind = str(rng.choice(["age", "pay", "decimal", "large", "one", "few"]))
    found = {
        "age": rng.integers(0, 95, n),
        "pay": rng.integers(8, 120, n) * 1000,
        "decimal": np.round(rng.uniform(-2, 2, n), int(rng.integers(1, 3))),
        "large": 12_345_000 + rng.integers(0, 90, n),
        "one": np.full(n, 7),
        "few": rng.integers(1, 4, n),
    }[kind]
    return [f"{value:g}" if kind == "decimal" else str(value) for value in found.tolist()]


def file_of(rng: np.random.Generator) -> str:
    """A table that someone may upload, with missing values, few or many people, a class of its own for some."""
    n = int(rng.choice([1, 2, 4, 7, 12, 25, 40, 61, 90]))
    width = int(rng.integers(2, 6))
    lacks = float(rng.choice([0, 0, 0.1, 0.4]))
    columns = []
    for _ in range(width):
        if rng.random() < 0.45:
            cells = numbers(rng, n)
        else:
            kinds = int(rng.choice([1, 2, 3, 6, n]))
            cells = [f"word {chr(97 + k % 26)}{'x' * (k // 26)}" for k in rng.integers(0, kinds, n)]
        columns.append(["" if rng.random() < lacks else cell for cell in cells])
    heads = ["alpha", "beta", "gamma", "delta", "epsilon"][:width]
    lines = [",".join(row) for row in zip(*columns, strict=True)]
    return "\n".join([",".join(heads), *[line if line.strip(",") else "?" + line for line in lines]])


def a_table(rng: np.random.Generator) -> tuple[TableChoices, Held, Any]:
    """What is published of a table of any source."""
    source = str(rng.choice(["t1", "t2", "adults", "own"], p=[0.16, 0.16, 0.06, 0.62]))
    own, held = None, None
    if source == "own":
        text = file_of(rng)
        own, held = read_table(text.encode(), "mine.csv"), uploaded(text, "mine.csv")
    held = held or example(source)
    width = len(held.heads)
    quasi, sensitive = (), -1
    if rng.random() < 0.4:
        order = rng.permutation(width).tolist()
        quasi, sensitive = tuple(order[1 : 1 + int(rng.integers(1, min(width, 5)))]), order[0]
    truth = AttackedTable(held, TableChoices(table=source, quasi=quasi, sensitive=sensitive))
    levels = [int(rng.integers(0, len(truth.titles(k)))) if rng.random() < 0.7 else 0 for k in range(width)]
    if rng.random() < 0.15:
        levels = [len(truth.titles(k)) - 1 for k in range(width)]
    hand = levels[: int(rng.integers(1, width + 1))]
    few = len(held.rows) * math.prod(len(truth.titles(k)) for k in truth.quasi) <= MOST_TRIED
    choices = TableChoices(
        table=source,
        quasi=quasi,
        sensitive=sensitive,
        levels=() if few and rng.random() < 0.25 else hand,
        least=int(rng.choice([1, 1, 1, 2, 3, 8, 200])),
        recursive_c=float(rng.choice([0.1, 0.5, 1.0, 1.234, 2.0, 5.0])),
    )
    return choices, held, own


def of_table(truth: AttackedTable, text: dict[str, Any], described: dict[str, Any]) -> None:
    drawn.table_rows(truth, text["told"]["table"]["rows"])
    drawn.table_said(truth, text)
    answered.table(truth, text)
    answered.table_drawn(truth, described)
    drawn.table_named(truth, text["told"]["own"])


@pytest.mark.long
def test_every_number_of_a_table_and_its_attacks(lab: Any) -> None:
    claims, count, played = published_names(), 0, 0
    left_out = (np.random.default_rng([11, k]) for k in LEFT_OUT)
    for rng in chain(generators(11, TABLES), left_out, more(111, 2000, claims.unused)):
        choices, held, own = a_table(rng)
        truth = AttackedTable(held, choices)
        count += held_as(lab, claims, choices, truth, own, of_table)
        for play in PLAYS if len(held.rows) < 1000 else rng.choice(PLAYS, 5).tolist():
            attacked = truth.played(play)
            played += held_as(lab, claims, attacked.c, attacked, own, of_table)
    assert count >= 0.95 * size(TABLES) and played >= 8 * size(TABLES), (count, played)

    assert not FULL or not claims.unused(), claims.unused()


# -- noise -------------------------------------------------------------------------------------------------------------


def a_mechanism(rng: np.random.Generator, mechanism: str) -> TableChoices:
    return TableChoices(
        part="noise",
        mechanism=mechanism,
        counted=str(rng.choice(list(COUNTED))),
        neighbours=str(rng.choice(list(NEIGHBOURS))),
        epsilon=log_uniform(rng, 0.05, 8, 0.01, 13.0, 20.0),
        sigma=log_uniform(rng, 0.2, 20, 0.05, 1.0, 1000.0),
        truth=float(rng.choice([0.75, 0.51, 0.9, 0.999, 0.2, *rng.uniform(0, 1, 3).round(3)])),
        answers=int(rng.choice([2, 3, 5, 12, 50])),
        prior=float(rng.choice([0.5, 0.3, 0.001, 0.999, *rng.uniform(0.01, 0.99, 3).round(2)])),
        wanted=log_uniform(rng, 0.001, 0.2, 1e-4, 0.5),
        seed=int(rng.integers(1000)),
    )


def of_noise(truth: NoiseTruth, text: dict[str, Any], described: dict[str, Any]) -> None:
    drawn.noise_rows(truth, text["told"]["table"]["rows"])
    drawn.noise_drawn(truth, described["figures"])
    answered.noise(truth, text["answers"])


@pytest.mark.long
def test_every_number_of_the_noise(lab: Any) -> None:
    claims, count = names.noise_names(), 0
    for k, rng in enumerate(chain(generators(12, NOISES), more(112, 5000, claims.unused))):
        choices = a_mechanism(rng, list(MECHANISMS)[k % len(MECHANISMS)])
        count += held_as(lab, claims, choices, NoiseTruth(choices), None, of_noise)
    for seed in range(60):  # noise that is larger than the chart
        choices = TableChoices(part="noise", mechanism="geometric" if seed % 2 else "laplace", epsilon=0.01, seed=seed)
        assert held_as(lab, claims, choices, NoiseTruth(choices), None, of_noise)
    assert count >= 0.9 * size(NOISES)

    assert not FULL or not claims.unused(), claims.unused()


# -- a stream ----------------------------------------------------------------------------------------------------------


def a_stream(rng: np.random.Generator, level: str) -> TableChoices:
    def hours() -> list[int]:
        some = rng.choice(24, int(rng.choice([0, 1, 2, 3, 8])), replace=False).tolist()
        return sorted({*some, *([23] if rng.random() < 0.2 else [])})

    return TableChoices(
        part="stream",
        level=level,
        epsilon=log_uniform(rng, 0.05, 8, 0.01, 20.0),
        window=int(rng.integers(1, 25)),
        discount=float(rng.choice([0.0, 1.0, 0.9, *rng.uniform(0, 1, 2).round(2)])),
        clicks=str(rng.choice(["intrusions", "landmarks"])),
        announced=bool(rng.random() < 0.4),
        fresh=bool(rng.random() < 0.7),
        landmarks=hours() if rng.random() < 0.9 else list(range(24)),
        intrusions=hours(),
        seed=int(rng.integers(1000)),
    )


def of_stream(truth: StreamTruth, text: dict[str, Any], described: dict[str, Any]) -> None:
    drawn.stream_rows(truth, text["told"]["table"]["rows"])
    drawn.stream_drawn(truth, described["figures"])
    drawn.stream_said(truth, text)
    sequence.districts_drawn(truth, described["figures"]["districts"])
    answered.stream(truth, text["answers"])


def test_every_number_of_a_stream(lab: Any) -> None:
    claims = names.stream_names()
    for k, rng in enumerate(chain(generators(13, STREAMS), more(113, 3000, claims.unused))):
        choices = a_stream(rng, list(LEVELS)[k % len(LEVELS)])
        assert held_as(lab, claims, choices, StreamTruth(choices), None, of_stream)

    assert not FULL or not claims.unused(), claims.unused()


# -- adding up ---------------------------------------------------------------------------------------------------------


def releases(rng: np.random.Generator) -> TableChoices:
    n = int(rng.choice([1, 1, 2, 3, 4, 6, 8]))
    spent = rng.choice([0.0, 0.1, 0.25, 1 / 3, 0.7, 4.1, *rng.uniform(0, 1, 2)], n)
    sources = rng.integers(0, 4, n) if rng.random() < 0.8 else np.full(n, rng.integers(0, 4))
    sums = [float(spent[sources == k].sum()) for k in range(4)]
    exact = min(100.0, max(0.1, sums[0] + max(sums[1:])))
    budget = float(rng.choice([exact, 0.1, 1.0, 7.3, 100.0], p=[0.3, 0.05, 0.15, 0.3, 0.2]))
    return TableChoices(
        part="adding",
        releases=spent,
        sources=sources,
        budget=budget,
        correlated=bool(rng.random() < 0.5),
        repeats=int(rng.choice([1, 2, 30, 400])),
        delta=float(10 ** rng.uniform(-8, -1)),
    )


def of_stacked(truth: StackedTruth, text: dict[str, Any], described: dict[str, Any]) -> None:
    drawn.stacked_rows(truth, text["told"]["table"]["rows"], text["told"]["stack"])
    drawn.stacked_drawn(truth, described["figures"])
    drawn.stacked_said(truth, text)
    answered.stacked(truth, text["answers"])


@pytest.mark.long
def test_every_number_of_releases_that_add_up(lab: Any) -> None:
    claims, count = names.stacked_names(), 0
    for rng in chain(generators(14, ADDINGS), more(114, 3000, claims.unused)):
        choices = releases(rng)
        count += held_as(lab, claims, choices, StackedTruth(choices), None, of_stacked)
    for spent, sources in (([8.0, 7.0], [0, 1]), ([16.0], [2]), ([0.0], [0]), ([0.0, 0.0], [0, 0])):
        choices = TableChoices(part="adding", releases=spent, sources=sources, budget=20.0)
        assert held_as(lab, claims, choices, StackedTruth(choices), None, of_stacked)
    assert count >= 0.6 * size(ADDINGS)

    assert not FULL or not claims.unused(), claims.unused()


# -- sums, and a sequence ----------------------------------------------------------------------------------------------


@pytest.mark.long
def test_every_number_of_sums(lab: Any) -> None:
    claims = names.sums_names()
    for k, rng in enumerate(chain(generators(15, SUMS), more(115, 600, claims.unused))):
        choices = TableChoices(
            part="sums",
            query=list(QUERIES)[k % len(QUERIES)],
            epsilon=log_uniform(rng, 0.05, 8, 0.01, 20.0),
            limit=float(np.round(log_uniform(rng, 1, 3_000, 1.0, 64.0), int(rng.integers(3)))),
            far=float(np.round(log_uniform(rng, 1, 5_000, 0.0, 20.0), int(rng.integers(3)))),
            clipped=bool(rng.random() < 0.7),
            seed=int(rng.integers(1000)),
        )
        truth = sums.SumsTruth(choices)
        truth.best = sums.best_of(truth, next(iter(lab.page._drawings(evaluate(choices)))).described["drawn"])
        assert held_as(lab, claims, choices, truth, None, sums.sums_more)

    assert not FULL or not claims.unused(), claims.unused()


def test_every_number_of_a_sequence(lab: Any) -> None:
    claims = names.sequence_names()
    for together in range(2, 7):
        for remedy in REMEDIES:
            choices = TableChoices(part="sequence", together=together, remedy=remedy)
            assert held_as(lab, claims, choices, sequence.SequenceTruth(choices), None, sequence.sequence_more)
    assert not claims.unused(), claims.unused()
