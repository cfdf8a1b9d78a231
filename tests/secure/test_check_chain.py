"""The chain of `lmdk release --check` for Adaptive: its loss, by a slow computation of its own and by the odds themselves."""

from __future__ import annotations

from itertools import combinations, permutations, product
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from lmdk_widgets.secure import series, track
from lmdk_widgets.secure.check import STATES, check_release
from lmdk_widgets.secure.ledger import Ledger
from lmdk_widgets.secure.series import SeriesSettings, release_series
from lmdk_widgets.secure.spending import Reported, Spending, spend_as_it_goes
from lmdk_widgets.secure.together import upward
from lmdk_widgets.secure.track import Settings, release_track
from lmdk_widgets.trajectory import Series, Trajectory
from tests.sweeps import FULL

REGION = (48.75, 2.25, 49.0, 2.5)
SMOOTHING = {"weak": 1.0, "moderate": 0.1, "strong": 0.01}


def chain_of(smoothing: float) -> NDArray[np.float64]:
    """Stays with (1 + s) / (1 + n s), and goes to each other state with s / (1 + n s)."""
    return np.array([[(i == j) + smoothing for j in range(STATES)] for i in range(STATES)]) / (1 + STATES * smoothing)


def carried(loss: float, chain: NDArray[np.float64]) -> float:
    """What one step of the chain leaves of a loss: the most over all pairs of rows and all sets of states."""
    sets = [list(chosen) for size in range(STATES + 1) for chosen in combinations(range(STATES), size)]
    odds = [
        (row[chosen].sum() * np.expm1(loss) + 1) / (other[chosen].sum() * np.expm1(loss) + 1)
        for row, other in permutations(chain, 2)
        for chosen in sets
    ]
    return float(np.log(max(odds)))


def slow_loss(budgets: list[float], chain: NDArray[np.float64]) -> float:
    """The largest loss of a timestamp: from the past and from the future, its own budget once. The chain is symmetric, so
    both sides have one matrix."""
    sides = []
    for order in (budgets, budgets[::-1]):
        side = [order[0]]
        for budget in order[1:]:
            side.append(carried(side[-1], chain) + budget)
        sides.append(side)
    past, future = sides[0], sides[1][::-1]
    return max(p + f - b for p, f, b in zip(past, future, budgets, strict=True))


def odds(budgets: NDArray[np.float64], outputs: NDArray[np.intp], chain: NDArray[np.float64]) -> float:
    """The log of the most that outputs of randomised response change the odds of two states at a timestamp, over all paths.

    Where a budget is 0 nothing is published. Every path of the chain counts, from a stationary start.
    """
    n = len(budgets)
    paths = np.array(list(product(range(STATES), repeat=n)))
    chance = np.full(len(paths), 1 / STATES)
    for t in range(1, n):
        chance *= chain[paths[:, t - 1], paths[:, t]]
    seen = chance * np.exp(np.where(paths == outputs, budgets, 0.0).sum(axis=1))
    most = 0.0
    for t in range(n):
        before, after = (np.bincount(paths[:, t], weights) for weights in (chance, seen))
        ratio = after / before
        most = max(most, float(np.log(ratio.max() / ratio.min())))
    return most


def spy(patch: pytest.MonkeyPatch) -> list[NDArray[np.float64]]:
    """The budgets of releases as they were spent, in the order of time."""
    spent: list[NDArray[np.float64]] = []

    def kept(*given: object) -> object:
        found = spend_as_it_goes(*given)  # type: ignore[arg-type]
        spent.append(found[0].copy())
        return found

    for module in (track, series):
        patch.setattr(module, "spend_as_it_goes", kept)
    return spent


@pytest.mark.long
def test_the_loss_of_adaptive_is_that_of_what_it_spent_in_the_order_of_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until a landmark was skipped, about every second time: later budgets are larger, and their order matters; by day
    after one release, whatever was skipped in it."""
    spent, hours = spy(monkeypatch), np.datetime64("2026-03-01T00:00:00") + 3600 * np.arange(20)
    stays = Trajectory(np.full(20, 48.85), np.full(20, 2.3), hours)
    asked = Settings(scheme="adaptive", epsilon=2.0, landmarks=(0, 4, 8, 12), region=REGION, decrease=0.8)
    for k in range(60):
        ledger = Ledger(tmp_path / f"{k}.json")
        told = release_track(stays, asked, tmp_path / str(k), ledger)
        budgets = spent[-1]
        measured = budgets[budgets > 0].tolist()
        assert told["points"] == len(measured)
        for name, smoothing in SMOOTHING.items():
            lines, chain = check_release(tmp_path / str(k), ledger, chain=name), chain_of(smoothing)
            loss = slow_loss(measured, chain)
            said = (
                f"5 places at most a radius apart follow the {name} chain, from a stationary start, can change the odds"
            )
            assert all(line.holds is not False for line in lines) and said in lines[-1].text
            assert lines[-1].text.endswith(f" of the truth at one timestamp by a factor of at most e^{upward(loss)}.")
            assert slow_loss(budgets.tolist(), chain) <= loss * (1 + 1e-12), "what was skipped adds nothing"
        turned = [slow_loss(measured[at:] + measured[:at], chain) for at in range(len(measured))]
        if not FULL or max(turned) > loss * (1 + 1e-4):
            break
    else:
        pytest.fail("no release had budgets whose order matters")


def test_counts_have_the_loss_of_their_budgets_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("opendp")
    spent, ledger = spy(monkeypatch), Ledger(tmp_path / "spent")
    time = np.datetime64("2026-03-01T00:00:00") + 3600 * np.arange(12)
    asked = SeriesSettings("adaptive", 1.0, (3, 7), sensitivity=1, decrease=0.9)
    release_series(Series(time, values=np.arange(12) % 3), asked, tmp_path / "out", ledger)
    loss = slow_loss(spent[0][spent[0] > 0].tolist(), chain_of(0.1))
    said = check_release(tmp_path / "out", ledger, chain="moderate")[-1].text
    assert (
        said.startswith("Someone who assumes that 5 values follow the moderate chain") and f"e^{upward(loss)}." in said
    )


@pytest.mark.parametrize("smoothing", SMOOTHING.values())
def test_no_odds_pass_the_loss_whatever_adaptive_decided(smoothing: float) -> None:
    """Randomised response, which uses a budget completely: Adaptive decides by its outputs, and the odds are enumerated."""
    rng, chain, nearest, skipped = np.random.default_rng(7), chain_of(smoothing), 0.0, set[int]()
    asked = Spending("adaptive", 2.0, (1, 3), decrease=0.9)
    for k in range(25):
        outputs = np.full(5, k % STATES) if k % 2 else rng.integers(0, STATES, 5)
        budgets, _ = spend_as_it_goes(asked, Reported(5, 1.0, lambda t, _, outputs=outputs: float(outputs[t])))
        bound = slow_loss(budgets[budgets > 0].tolist(), chain)
        found = odds(budgets, outputs, chain)
        assert found <= bound * (1 + 1e-12)
        nearest = max(nearest, found / bound)
        skipped.add(int((budgets == 0).sum()))
    assert nearest > 0.99 and len(skipped) > 1, "it is reached, and some are skipped"
