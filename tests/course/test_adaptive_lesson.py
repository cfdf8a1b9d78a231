"""The lesson on Adaptive and hidden landmarks by hand: every right answer, what the attack finds, and what the text says."""

from __future__ import annotations

from itertools import combinations
from statistics import pstdev
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.course import adaptive, question, questions
from lmdk_widgets.course.ask import Choose
from lmdk_widgets.page.blocks import Chart
from tests.course.test_lesson_texts import says

RIGHT: dict[str, Any] = {
    "share": 1 / 5 + 1 / 15,
    "regular": "None",
    "decision": "Nothing",
    "still": None,
    "silence": 1 / 2,
    "price": 1 / 7,
    "greedy": 1,
    "random": 5 / 11,
    "again": [20 / 2**m for m in range(1, 7)],
    "shares": None,
    "layout": "Skip",
}


@pytest.mark.parametrize("name", [name for name, right in RIGHT.items() if right is not None])
def test_the_right_answer(name: str) -> None:
    assert [ask.name for ask in questions("adaptive")] == [f"adaptive/{each}" for each in RIGHT]
    ask: Any = question(f"adaptive/{name}")
    found = ask.right()
    if isinstance(ask, Choose):
        assert ask.choices[found].text == RIGHT[name]
    else:
        assert found == pytest.approx(RIGHT[name])


def test_the_budgets_of_adaptive_by_shares() -> None:
    """The landmarks to come and one other share what a skipped landmark leaves; figures are drawn from both budgets."""
    for said, skipped in adaptive.SKIPPED.items():
        left, could = [4, 2, 1, 0], [0.2] * 8
        for t in skipped:
            if t in (0, 2, 4, 7):
                share = could[t] / (left[[0, 2, 4, 7].index(t)] - (t == 0) + 1)
                could[t + 1 :] = [b + share for b in could[t + 1 :]]
        spends = [0.0 if t in skipped else b for t, b in enumerate(could)]
        assert adaptive.given(skipped) == pytest.approx(spends), said
        sums = [sum(spends[k] for k in {0, 2, 4, 7} | {t}) for t in range(8)]
        assert adaptive.most_spent(skipped) == pytest.approx(max(sums)) and max(sums) <= 1 + 1e-12
        (chart,) = adaptive.budgets_figure().draw(said)
        assert isinstance(chart, Chart)
        reserved, spent, *_ = (trace["y"] for trace in chart.figure["data"])
        assert reserved == pytest.approx(could) and spent == pytest.approx(spends)


def test_the_rate_of_somebody_who_stands_still() -> None:
    """By hand: a change of two Laplace noises is larger than one noise with chance e^-1 (1 + 1/2)."""
    larger, rng, draws = 1.5 * np.exp(-1), np.random.default_rng(7), 20_000
    assert np.mean(np.abs(rng.laplace(size=draws) - rng.laplace(size=draws)) > 1) == pytest.approx(larger, abs=0.02)
    shares = adaptive.measured(0.0)
    assert shares[:2].tolist() == [1, 1], "nothing stands before the first, and nothing was compared before the second"
    assert shares[2] == pytest.approx(1 - 0.3 * (1 - larger), abs=0.05)
    assert shares[7] < 0.7 and adaptive.measured(50.0).min() > 0.98
    rate, last, expected = np.ones(draws), rng.laplace(size=draws), [1.0]
    for _ in range(7):  # the rate changes where a timestamp is measured, and nowhere else
        measured, new = rng.random(draws) < rate, rng.laplace(size=draws)
        expected.append(float(measured.mean()))
        large = np.abs(new - last) > 1
        rate = np.where(measured, np.where(large, rate + 0.3 * (1 - rate), 0.7 * rate), rate)
        last = np.where(measured, new, last)
    assert shares[:8] == pytest.approx(expected, abs=0.06)
    said = question("adaptive/still").asked()["text"]
    assert "Whenever a timestamp is measured, a small change lowers it by 30 %" in said


def test_silence_tells_of_skip_and_not_of_adaptive() -> None:
    assert adaptive.believed("skip") == 1 and adaptive.believed("adaptive") == pytest.approx(0.5)


def spread(members: tuple[int, ...]) -> float:
    return pstdev(b - a for a, b in zip((-1, *members), (*members, adaptive.N), strict=True))


def greedily(landmarks: tuple[int, ...], more: int) -> set[int]:
    """The dummies join one by one, each the first that keeps the spread nearest to that of the landmarks."""
    members = landmarks
    for _ in range(more):
        others = [t for t in range(adaptive.N) if t not in members]
        away = [abs(spread(tuple(sorted((*members, t)))) - spread(landmarks)) for t in others]
        members = tuple(sorted((*members, others[int(np.argmin(np.round(away, 9)))])))
    return set(members)


@pytest.mark.long
def test_one_set_of_landmarks_leads_to_the_greedy_dummies() -> None:
    seen = adaptive.hidden("greedy").tolist()
    found = [some for some in combinations(seen, 5) if greedily(some, len(seen) - 5) == set(seen)]
    assert found == [adaptive.MARKED] and len([*combinations(seen, 5)]) == 126
    assert (
        "9 of 48" in question("adaptive/greedy").asked()["text"]
        and "126 sets" in question("adaptive/greedy").asked()["text"]
    )
    assert np.flatnonzero(adaptive.chances("greedy") == 1).tolist() == list(adaptive.MARKED)
    assert set(adaptive.chances("random")[adaptive.hidden("random")]) == {5 / 11}
    for method in adaptive.METHODS:
        (chart,) = adaptive.posterior_figure().draw(method)
        heights = {t - 1: y for bar in chart.figure["data"] for t, y in zip(bar["x"], bar["y"], strict=True)}
        assert heights == {t: adaptive.chances(method)[t] for t in adaptive.hidden(method).tolist()}


def test_the_errors_by_share_and_layout() -> None:
    """Uniform: the mean of Laplace noise is (|L| + 1)/epsilon. Skip: event level at regular timestamps, and the way since."""
    for marked in adaptive.COUNTS:
        uniform = adaptive.error("uniform", marked, False, 2.0)
        assert uniform == pytest.approx(marked + 1, rel=0.05) == adaptive.error("uniform", marked, True, 40.0)
    assert adaptive.error("skip", 29, False, 0.0) == pytest.approx(1, rel=0.1)
    errors = {scheme: adaptive.error(scheme, 29, True, 40.0) for scheme in adaptive.SCHEMES}
    assert errors["uniform"] < errors["skip"] > 1.5 * adaptive.error("skip", 29, False, 40.0)
    table = [
        [adaptive.error(scheme, k, bunched, step) for scheme in adaptive.SCHEMES]
        for k in adaptive.COUNTS[1:]
        for bunched in (False, True)
        for step in adaptive.STEPS
    ]
    best = [row[1] / min(row) for row in table]
    worst = [row[1] / max(row[0], row[2]) for row in table if row[1] == max(row)]
    slow = [row for row, step in zip(table, 8 * adaptive.STEPS, strict=True) if step < 10]
    assert len(table) == 32 and all(row[1] < max(row) for row in slow)
    skip, own = (adaptive.error(scheme, 38, True, 40.0) for scheme in ("skip", "adaptive"))
    says(
        "adaptive",
        f"Adaptive is never best in this figure: its error is {min(best):.2f} to {max(best):.0f} times the smallest. It "
        f"is the worst in {len(worst)} of 32 cases, all with steps of 10 or more, by up to {100 * max(worst) - 100:.0f} %; "
        "Skip can do far worse: with the landmarks in a bunch and long steps it is off by "
        f"{skip:.0f}, and Adaptive by {own:.0f}.",
        "a budget of 1/5 is reserved for every timestamp",
    )
    walk = 2.0 * np.cumsum(np.random.default_rng(4).choice([-1.0, 0.0, 1.0], adaptive.WALKED))
    marks, still = adaptive.places(29, False), []
    for t in range(adaptive.WALKED):
        last = max((k for k in range(t + 1) if k not in marks), default=None)
        still += (
            [] if last is None else [np.abs(walk[last] + np.random.default_rng(t).laplace(size=4000) - walk[t]).mean()]
        )
    assert adaptive.error("skip", 29, False, 2.0) == pytest.approx(np.mean(still), rel=0.06)
