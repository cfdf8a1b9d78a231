"""Every number of the series page over random settings: short series, frozen and one-way chains, all sources."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.widget.series import QuiltLab
from lmdk_widgets.leakage.markov import has_one_long_run
from lmdk_widgets.page.sentences import heard
from lmdk_widgets.pages.series import SeriesChoices, evaluate, read_own
from lmdk_widgets.pages.series.model import MECHANISMS, QUERIES
from lmdk_widgets.pages.series.session import SETTINGS as SETTINGS_FILE
from lmdk_widgets.pages.series.uploaded_series import OwnData
from tests.every_number.altered import Read
from tests.every_number.cards_drawn import now_card, warned
from tests.every_number.claims import shown_by
from tests.every_number.named import Named
from tests.every_number.series_page_drawn import answers, drawn, rows, small, story
from tests.every_number.series_page_fields import series_names, typed_back, verdicts
from tests.every_number.series_page_truth import QuiltTruth
from tests.every_number.series_practices_truth import practised
from tests.sweeps import FULL, generators, more, size

SETTINGS = 200 if FULL else 240
OWN_CHAINS = 100 if FULL else 96
NEVER_SEEN = {"widest"}
"""A quilt that reaches beyond every gap, from within a segment of two fifths of the series: no setting is known."""


def log_uniform(rng: np.random.Generator, low: float, high: float, ends: tuple[float, ...] = ()) -> float:
    if ends and rng.random() < 0.06:
        return float(rng.choice(ends))
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def own_of(rng: np.random.Generator) -> OwnData:
    """An uploaded list of states, a table with a clock, or power with two readings missing."""
    n, kind = int(rng.integers(6, 120)), int(rng.integers(3))
    if kind == 0:
        return read_own("\n".join(str(k) for k in rng.integers(0, int(rng.integers(1, 5)) + 1, n)).encode(), "list.csv")
    times = [f"2020-01-01 {8 + k // 12:02d}:{k % 12 * 5:02d}" for k in range(n)]
    if kind == 1:
        cells = [str(rng.choice(["home", "work", "out"])) for _ in times]
        return read_own(("time,state\n" + "\n".join(map(",".join, zip(times, cells, strict=True)))).encode(), "day.csv")
    cells = [str(int(v)) for v in rng.integers(100, 3000, n)]
    cells[1] = cells[3] = "?"
    return read_own(("time,watts\n" + "\n".join(map(",".join, zip(times, cells, strict=True)))).encode(), "power.csv")


def hundredths(rng: np.random.Generator, shares: np.ndarray) -> np.ndarray:
    """A distribution over the states for which a share is above 0, in hundredths."""
    weights = rng.dirichlet(np.full(len(shares), 0.8)) * shares
    return rng.multinomial(100, weights / weights.sum()) / 100


def matrix_of(rng: np.random.Generator, m: int) -> np.ndarray:
    """Any, with zeros, with states that are left for ever, periodic, the identity, sticky, rows nearly alike, well mixed."""
    kind = rng.choice(
        ["any", "zeros", "left", "periodic", "identity", "sticky", "alike", "mixed", "mixed", "once", "faint"]
    )
    ways = np.ones((m, m))
    if kind == "zeros":
        ways = np.maximum(rng.random((m, m)) < 0.6, np.eye(m))
    elif kind == "left":
        ways = np.triu(ways)
    elif kind == "once":  # the first state is left at once, and for ever
        ways[:, 0] = 0
    p = np.array([hundredths(rng, row) for row in ways])
    if kind == "periodic":
        p = np.roll(np.eye(m), 1, axis=1)
    elif kind == "identity":
        p = np.eye(m)
    elif kind == "sticky":
        p = (np.eye(m) * 9 + p) / 10
    elif kind == "alike":
        p = np.tile(p[0], (m, 1))
    elif kind in ("mixed", "faint"):
        p = (p * 3 + 7 / m) / 10
    if kind == "faint":  # one row differs from the others by next to nothing
        p = np.tile(p[0], (m, 1))
        p[-1, :2] += np.array([1, -1]) * rng.choice([1e-8, 1e-5])
    return p.round(6) if kind == "sticky" else p


def own_chain(rng: np.random.Generator, m: int) -> tuple[list[float], list[list[float]]]:
    """A matrix with a start: none (the long run), one state for certain, random, even, that of the first row."""
    p = matrix_of(rng, m)
    kind = str(rng.choice(["long run", "certain", "random", "some", "even", "row"]))
    if kind == "long run" and has_one_long_run(p):
        return [], p.tolist()
    start = {"certain": np.eye(m)[rng.integers(m)], "even": np.full(m, 1 / m), "row": p[0]}.get(kind)
    if start is None:
        start = hundredths(rng, np.maximum(rng.random(m) < (0.5 if kind == "some" else 1), np.eye(m)[0]))
    return start.tolist(), p.tolist()


def with_own_chains(rng: np.random.Generator) -> SeriesChoices:
    """A setting with one to three chains that someone typed."""
    choices, m = setting(rng, "binary")[0], int(rng.integers(2, 5))
    given = [own_chain(rng, m) for _ in range(int(rng.integers(1, 4)))]
    if rng.random() < 0.1:
        given.append(given[0])  # which then decide alike
    made = choices.with_changes(
        source="chains",
        own_chains=given,
        support=str(rng.choice(["definition", "all"])),
        length=int(rng.choice([2, 3, 5, 8, 14, 22, 35])),
        node=int(rng.choice([-1, -1, 0, 1, 5, 4000])),
        a_first=int(rng.integers(0, 20)),
        a_length=int(rng.integers(1, 14)),
        b_length=int(rng.integers(1, 14)),
    )
    assert [(list(own.initial), [list(row) for row in own.matrix]) for own in made.own_chains] == given
    return made


def setting(rng: np.random.Generator, source: str = "") -> tuple[SeriesChoices, OwnData | None]:
    source = source or str(rng.choice(["binary"] * 12 + ["power", "activities", "track"] + ["own"] * 3))
    every = {"power": (60, 400), "activities": (16, 120), "track": (30, 200)}.get(source, (1, 4))
    stays = [0.0, 0.5, 1.0, *rng.uniform(0, 1, 6).round(2), *rng.uniform(0.8, 1, 2).round(3)]
    stay_one, stay_two = (float(rng.choice(stays)) for _ in range(2))
    if rng.random() < 0.08:  # nearly independent
        stay_two = 1 - stay_one + float(rng.choice([1e-8, 1e-5])) if 0 < stay_one < 1 else 0.5
    choices = SeriesChoices(
        source=source,
        track="commuter",
        every=int(rng.integers(*every)),
        level_w=log_uniform(rng, 300, 3000, (5000.0,)),
        cell_m=log_uniform(rng, 1500, 10_000),
        stay_one=stay_one,
        stay_two=stay_two,
        length=int(rng.choice([2, 3, 8, 20, 40, 70])),
        smoothing=float(rng.choice([0.0, 0.01, 0.1, 3.0])),
        theta=str(rng.choice(["one", "one", "bootstrap"])),
        chains=int(rng.integers(2, 5)),
        epsilon=log_uniform(rng, 0.05, 8, (0.01, 50.0)),
        node=int(rng.choice([-1, -1, 0, 5, 4000])),
        mechanism=str(rng.choice(list(MECHANISMS))),
        query=str(rng.choice(list(QUERIES))),
        seed=int(rng.integers(1000)),
        releases=tuple(log_uniform(rng, 0.01, 10) for _ in range(int(rng.integers(1, 9)))),
        a_first=int(rng.integers(0, 60)),
        a_length=int(rng.integers(1, 60)),
        b_length=int(rng.integers(1, 60)),
        gap=int(rng.choice([1, 2, 5, 15, 40, 5000])),
        epsilon_a=log_uniform(rng, 0.05, 8, (0.01, 50.0)),
        epsilon_b=log_uniform(rng, 0.05, 8, (0.01, 50.0)),
        truth_percent=int(rng.integers(0, 100)),
    )
    return choices, own_of(rng) if source == "own" else None


@pytest.fixture(scope="module")
def lab() -> Any:
    made = QuiltLab(SeriesChoices(source="binary", length=10))
    yield made
    made.close()


def read_of(claims: Named, lab: Any, choices: SeriesChoices, own: OwnData | None) -> Read | None:
    """What the page shows, with its recomputation; None where there is no outcome."""
    with heard() as made:
        try:
            outcome = evaluate(choices, own)
        except InputError:
            return None
        list(shown_by(lab.page, outcome))
    truth = QuiltTruth(outcome)

    def held(page: Any) -> None:
        try:
            claims.hold(shown_by(page, outcome), made, truth)
            text = page._text(outcome)
            answers(truth, text["answers"])
            now_card(text, [choices.epsilon], r"(?<=epsilon )[^,]+")
            rows(truth, text["mechanisms"]["rows"])
            warned(text["mechanisms"], ("no, not here",))
            practised(truth, text["practices"])
            story(truth, text["story"])
            typed_back(truth, text["shown"]["typed"]["rows"])
            described = next(iter(page._drawings(outcome))).described
            drawn(truth, {name: chart["figure"] for name, chart in described["figures"].items()})
            small(described)
            verdicts(truth, text, {name: chart["summary"] for name, chart in described["figures"].items()})
        except AssertionError as wrong:
            raise AssertionError(f"{wrong}\n{choices}") from wrong

    return Read(lab.page, outcome, held)


def hold(claims: Named, lab: Any, choices: SeriesChoices, own: OwnData | None) -> bool:
    """Whether there was an outcome; everything that is shown of it is held against its recomputation."""
    read = read_of(claims, lab, choices, own)
    if read is not None:
        assert SETTINGS_FILE.read(SETTINGS_FILE.write(choices)) == choices
        read.held(read.page)
    return read is not None


@pytest.mark.long
def test_every_number_of_the_quilts_page(lab: Any) -> None:
    claims = series_names()
    far = SeriesChoices(source="binary", length=70, stay_one=0.53, stay_two=0.75, a_length=60, b_length=60, gap=3)
    held = hold(claims, lab, far.with_changes(epsilon_a=9.1, epsilon_b=8.9), None)
    held += sum(hold(claims, lab, *setting(rng)) for rng in generators(3, SETTINGS))
    assert held >= 0.9 * size(SETTINGS)
    assert all(hold(claims, lab, with_own_chains(rng), None) for rng in generators(4, OWN_CHAINS))
    for rng in more(103, 500, lambda: set(claims.unused()) - NEVER_SEEN):
        hold(claims, lab, *setting(rng))
        hold(claims, lab, with_own_chains(rng), None)
    assert not FULL or set(claims.unused()) <= NEVER_SEEN, claims.unused()
