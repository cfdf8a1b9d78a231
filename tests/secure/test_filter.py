"""What is held against a limit: no way to skip spends more, and where minutes are new one spends as much."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.budgets import adaptive_budgets
from lmdk_widgets.errors import InputError
from lmdk_widgets.secure.ledger import LIMIT, Ledger
from lmdk_widgets.secure.spending import Spending, most_spent
from lmdk_widgets.secure.together import Minutes, at_most
from lmdk_widgets.secure.track import Settings, release_track
from lmdk_widgets.trajectory import Trajectory, sample
from tests.sweeps import generators

REGION = (48.75, 2.25, 49.0, 2.5)
START = 29_000_000


def times(minutes: list[int]) -> np.ndarray:
    return np.array([np.datetime64(60 * (START + minute), "s") for minute in minutes]).astype("datetime64[ns]")


def spent_by_skipping(n: int, marks: list[int]) -> list[np.ndarray]:
    """What is spent under every set of skipped timestamps."""
    every = [each for count in range(n + 1) for each in combinations(range(n), count)]
    return [adaptive_budgets(n, marks, 1.0, skipped) for skipped in every]


@pytest.mark.long
def test_no_way_to_skip_passes_what_is_held_against_the_limit() -> None:
    """By hand: all marked minutes of both releases, and any one other."""
    reached = 0
    for rng in generators(91, 60):
        n = int(rng.integers(2, 6))
        minutes = sorted(rng.choice(9, n, replace=False).tolist())
        marks = [t for t in range(n) if rng.random() < 0.4]
        old = {minute: float(rng.choice([0.0, 0.1, 0.7])) for minute in range(9) if rng.random() < 0.5}
        old_marks = {minute for minute in old if rng.random() < 0.5}
        old = {minute: budget for minute, budget in old.items() if budget or minute in old_marks}
        earlier = Minutes({START + m: b for m, b in old.items()}, frozenset(START + m for m in old_marks))
        entries: list[dict[str, Any]] = [earlier.written(b"key", "anna")] if old else []
        most = most_spent(Spending("adaptive", 1.0, tuple(marks)), times(minutes))
        assert most is not None
        held = at_most(b"key", "anna", entries, most).largest
        marked = old_marks | {minutes[t] for t in marks}
        worst = 0.0
        for budgets in spent_by_skipping(n, marks):
            total = dict(old)
            for minute, budget in zip(minutes, budgets.tolist(), strict=True):
                total[minute] = total.get(minute, 0.0) + budget
            other = max((spent for minute, spent in total.items() if minute not in marked), default=0.0)
            worst = max(worst, sum(total.get(minute, 0.0) for minute in marked) + other)
        assert held is not None and worst <= held * (1 + 1e-12)
        if not marked & set(minutes) - {minutes[t] for t in marks}:
            assert held == pytest.approx(worst, rel=1e-12), "no minute but the new landmarks was marked"
            reached += 1
    assert reached > 2


def part(first: int, last: int) -> Trajectory:
    bob = sample("bob")
    return Trajectory(*(getattr(bob, name)[first:last] for name in ("latitude", "longitude", "time")))


def test_minutes_that_were_marked_and_not_measured_count_at_their_caps(tmp_path: Path) -> None:
    """Skip marks five minutes and spends nothing there. Adaptive is held to 1 on each of them, besides its own 1; its
    landmark and one other minute spent .1 each under Skip."""
    skipped = Settings(scheme="skip", landmarks=(1, 2, 3, 4, 5), region=REGION, epsilon=0.1)
    asked = Settings(scheme="adaptive", landmarks=(0,), region=REGION)
    for k, (limit, fits) in enumerate(((6.3, True), (5.5, False))):
        ledger = Ledger(tmp_path / f"{k}.json")
        release_track(part(0, 7), skipped, tmp_path / f"a{k}", ledger, subject="bob", limit=limit)
        if fits:
            release_track(part(0, 7), asked, tmp_path / f"b{k}", ledger, subject="bob", again=True)
            assert (ledger.left("bob").largest) <= limit
            continue
        with pytest.raises(InputError, match=r"must stay within the limit of 5\.5 together; got 6\.2"):
            release_track(part(0, 7), asked, tmp_path / f"b{k}", ledger, subject="bob", again=True)
        assert len(ledger.entries()) == 1


def test_what_a_release_leaves_is_there_for_the_next(tmp_path: Path) -> None:
    """Twenty releases of one day under a limit: each is refused or stays within it, whatever was decided."""
    ledger, asked = (
        Ledger(tmp_path / "spent.json"),
        Settings(scheme="adaptive", landmarks=(2, 5), region=REGION, epsilon=0.4),
    )
    made = 0
    for k in range(20):
        try:
            release_track(sample("bob"), asked, tmp_path / str(k), ledger, again=True, limit=2.0, confirmed={LIMIT})
        except InputError as error:
            assert "within the limit of 2 together" in str(error)
            break
        made += 1
        assert ledger.left("").largest <= 2.0
    assert 5 <= made < 20, "five at the most that each can spend"
