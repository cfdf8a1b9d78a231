"""Private releases that compare with true values: exact noise of the comparisons, what any window spends, what is checked."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from lmdk_widgets import cli
from lmdk_widgets.errors import InputError
from lmdk_widgets.leakage import temporal_loss
from lmdk_widgets.leakage.markov import smoothed_identity
from lmdk_widgets.secure.check import check_release
from lmdk_widgets.secure.exact import below, discrete_laplace
from lmdk_widgets.secure.ledger import Ledger
from lmdk_widgets.secure.series import SeriesSettings, release_series
from lmdk_widgets.secure.spending import MOST_STEPS, STEPS, Reported, Spending, spend_as_it_goes
from lmdk_widgets.secure.together import upward
from lmdk_widgets.secure.track import Settings, release_track
from lmdk_widgets.trajectory import Series, sample

REGION = (48.75, 2.25, 49.0, 2.5)
COMPARING = ("budget-distribution", "budget-absorption", "predictive")


def test_the_noise_of_a_comparison_is_discrete_laplace() -> None:
    for rate in (Fraction(3, 2), Fraction(0.4)):
        n = 4000
        found = Counter(discrete_laplace(rate) for _ in range(n))
        q = math.exp(-rate)
        for k in (-2, -1, 0, 1, 2):
            chance = (1 - q) / (1 + q) * q ** abs(k)
            assert abs(found[k] / n - chance) < 4.5 * math.sqrt(chance * (1 - chance) / n)
    assert {below(3) for _ in range(99)} == {0, 1, 2} and below(1) == 0


def test_a_comparison_of_two_neighbours_differs_by_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """With noise of 0: places a radius apart, compared with any output, are at most `MOST_STEPS` steps of the grid apart."""
    asked: list[Fraction] = []
    monkeypatch.setattr("lmdk_widgets.secure.spending.discrete_laplace", lambda rate: asked.append(rate) or 0)
    rng, size = np.random.default_rng(5), 201.3
    step, angle = size / STEPS, rng.uniform(0, 2 * np.pi, 500)
    here = rng.normal(0, 1e5, (500, 2))
    there = here + size * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    one, other = (Reported(500, size, lambda *_: 0.0, places) for places in (here, there))
    for t, output in enumerate(rng.normal(0, 1e5, (500, 2))):
        apart = (one.compared(t, output, 0.5) - other.compared(t, output, 0.5)) / step
        assert abs(round(apart)) <= MOST_STEPS
        off = np.linalg.norm(here[t] - output)
        assert off - step - 1e-6 <= one.compared(t, output, 0.5) <= off
    assert set(asked) == {Fraction(1, 2) / MOST_STEPS}, "so that the comparison costs its budget"


@pytest.mark.parametrize("scheme", COMPARING)
def test_any_window_spends_at_most_epsilon_however_it_decides(scheme: str) -> None:
    rng = np.random.default_rng(6)
    for window in (1, 2, 5):
        asked, true = Spending(scheme, 0.7, window=window), rng.normal(0, 3, 24)
        draw = Reported(24, 1.0, lambda t, budget, true=true: true[t] + rng.laplace(0, 1 / budget), true)
        spent, noise = spend_as_it_goes(asked, draw)
        assert spent == pytest.approx(noise + 0.7 / (2 * window), rel=1e-6) and len(draw.outputs) == (noise > 0).sum()
        sums = np.convolve(spent, np.ones(window))
        assert sums.max() <= 0.7 * (1 + 1e-9)


@pytest.mark.parametrize("scheme", COMPARING)
def test_a_release_is_checked_with_its_comparisons(scheme: str, tmp_path: Path) -> None:
    track, ledger = sample("bob"), Ledger(tmp_path / "spent")
    asked = Settings(scheme=scheme, epsilon=2.0, landmarks=(0, 2), region=REGION, window=3)
    with pytest.raises(InputError, match=r"within the limit of 0\.5 together"):
        release_track(track, asked, tmp_path / "no", ledger, limit=0.5)
    told = release_track(track, asked, tmp_path / "out", ledger)
    assert told["comparison_budget"] == pytest.approx(1 / 3) and 0 < told["points"] <= 8
    (entry,) = ledger.entries()
    assert sum(budget for budget, *_ in entry["minutes"].values()) == pytest.approx(told["sum_over_all_timestamps"])
    assert all(budget > 0.33 for budget, *_ in entry["minutes"].values()) and len(entry["minutes"]) == 8
    said = " ".join(told["words"])
    assert (
        "spends 0.333334 on this comparison, measured or not" in said
        and "any 3 timestamps in a row spend at most 2 " in said
    )
    lines = check_release(tmp_path / "out", ledger, chain="moderate")
    # the most of a timestamp by hand, and Cao's recursion for eight of them
    most = 1 / 3 + {"budget-distribution": 1 / 2, "budget-absorption": 1.0, "predictive": 1.0}[scheme]
    chain = smoothed_identity(5, 0.1)
    loss, said = temporal_loss(chain, chain, [most] * 8).total.max(), lines[-1].text
    assert f"at most e^{upward(loss)}. The times at which only a comparison was made are not published" in said
    assert f"each of the 8 timestamps could have spent, {upward(most)}" in said
    spent = [budget for budget, *_ in entry["minutes"].values()]
    assert max(spent) <= most * (1 + 1e-9)
    for _ in range(9):  # whatever the order of what was spent is, it loses no more
        np.random.default_rng(len(spent)).shuffle(spent)
        assert temporal_loss(chain, chain, spent).total.max() <= loss
    assert all(line.holds is not False for line in lines) and any(
        "follows from its budget" in line.text for line in lines
    )
    with pytest.raises(InputError, match="Window must be"):
        release_track(track, Settings(scheme=scheme, region=REGION), tmp_path / "b", ledger, again=True)


def test_counts_are_compared_too(tmp_path: Path) -> None:
    pytest.importorskip("opendp")
    time = np.datetime64("2026-03-01T00:00:00") + 3600 * np.arange(30)
    asked = SeriesSettings("budget-absorption", 2.0, (3,), window=4, sensitivity=1)
    told = release_series(Series(time, values=np.arange(30) // 8), asked, tmp_path / "out", Ledger(tmp_path / "spent"))
    assert 0 < told["values"] < 30 and told["comparison_budget"] == 0.25
    assert all(line.holds is not False for line in check_release(tmp_path / "out", Ledger(tmp_path / "spent")))


def test_a_row_that_was_moved_is_found_and_a_later_release_is_no_harm(tmp_path: Path) -> None:
    pytest.importorskip("opendp")
    time, ledger = np.datetime64("2026-03-01T00:00:00") + 3600 * np.arange(30), Ledger(tmp_path / "spent")
    counts = Series(time, values=np.zeros(30))
    asked = SeriesSettings("budget-absorption", 0.5, (3,), window=6, sensitivity=1)
    said = " ".join(release_series(counts, asked, tmp_path / "out", ledger)["words"])
    assert (
        "in addition to the comparisons that decided when to measure" in said and "of the reports alone do not" in said
    )
    # of two timestamps each may absorb what six have for reports, .25, and compares for .25 / 6
    assert "The landmarks and any one other timestamp could have spent 0.583334." in said
    release_series(counts, SeriesSettings("uniform", 0.25, sensitivity=1), tmp_path / "more", ledger, again=True)
    assert all(line.holds is not False for line in check_release(tmp_path / "out", ledger))
    heading, *rows = (tmp_path / "out" / "release.csv").read_text().splitlines()
    free = next(each for each in np.datetime_as_string(time, unit="ms") if not any(each in row for row in rows))
    assert free < rows[-1], "which is moved to an earlier time"
    rows[-1] = f"{free}Z,{rows[-1].partition(',')[2]}"
    (tmp_path / "out" / "release.csv").write_text("\n".join([heading, *rows]) + "\n")
    wrong = [line.text for line in check_release(tmp_path / "out", ledger) if line.holds is False]
    assert wrong == [
        "release.csv has the digest that the guarantee states.",
        "1 row earlier than the row before.",
        "release.csv is, byte for byte, the file that was released.",
        "The rows are at the minutes that were measured according to the ledger.",
    ]


def test_no_rounding_decides_and_too_small_a_budget_reports_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("lmdk_widgets.secure.spending.discrete_laplace", lambda _: 0)
    near = Reported(2, 1.0, lambda *_: 0.0, np.array([2.0**52, 2.0**52 + 1]), least=0.1)
    assert (near.compared(1, 0.0, 0.5) - near.compared(0, 0.0, 0.5)) * STEPS == STEPS
    tiny = Reported(2, 2e-162, lambda *_: 0.0, np.array([0.0, 2e-162]))
    assert tiny.compared(1, 0.0, 0.5) == 2e-162
    assert near.displacement(0.09) == math.inf and near.displacement(0.1) == 10
    track = sample("bob")
    fine = Settings("budget-distribution", 0.002, region=REGION, window=8, step_m=4e-7)
    for k in range(6):  # some were refused, by what they had decided, as noise was too wide
        release_track(track, fine, tmp_path / str(k), Ledger(tmp_path / "spent"), again=True)


def test_the_command_releases_by_a_window(tmp_path: Path) -> None:
    track = tmp_path / "track.csv"
    sample("bob").to_frame().to_csv(track, index=False)
    asked = ["--epsilon", "1", "--radius", "200", "--region", "48.75,2.25,49,2.5", "--window", "4"]
    asked += ["--scheme", "budget-distribution"]
    line = ["release", str(track), *asked, "--ledger", str(tmp_path / "spent"), "--out", str(tmp_path / "out")]
    assert cli.main(line) == 0
    assert cli.main(["release", "--check", str(tmp_path / "out"), "--ledger", str(tmp_path / "spent")]) == 0
