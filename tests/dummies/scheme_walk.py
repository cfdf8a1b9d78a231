"""Run in a copy of the tree that has the schemes of `test_a_scheme_more`: all that knows schemes is asked about each."""

from __future__ import annotations

import json
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import lmdk_widgets
from lmdk_widgets import Explorer
from lmdk_widgets.audit.audited_mechanisms import subjects
from lmdk_widgets.audit.run import audit
from lmdk_widgets.budgets import (
    FIXED_SCHEMES,
    LANDMARK_SCHEMES,
    ONLINE_SCHEMES,
    SCHEMES,
    allocate,
    landmark_totals,
    release,
)
from lmdk_widgets.cli import main
from lmdk_widgets.leakage import temporal_loss
from lmdk_widgets.noise import Laplace
from lmdk_widgets.page.link import from_query
from lmdk_widgets.page.sentences import heard
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.compare import CompareChoices
from lmdk_widgets.pages.track.dummies import describe_hidden
from lmdk_widgets.pages.track.inverse import InverseChoices
from lmdk_widgets.pages.track.trade_off import TradeOffChoices, trade_off
from lmdk_widgets.scenario import SCHEMES as OFFERED
from lmdk_widgets.scenario import Knowledge, Scenario, describe, evaluate
from lmdk_widgets.secure.command import command
from lmdk_widgets.study import Study
from lmdk_widgets.sweep.defence_attacker import Follower, offered
from lmdk_widgets.sweep.many_settings import settings_table
from lmdk_widgets.trajectory import sample
from tests.every_number.claims import most, shown_by
from tests.every_number.landmarks_truth import LandmarkTruth
from tests.every_number.track_names import track_names
from tests.every_number.verdict_truth import apart
from tests.landmark_choices import finished, page_of

NAMES = ("halved", "alternating", "coin")
BOB = Scenario(track="bob", landmarks=(0, 2, 4, 7))
WANTED_M = 9000.0
WORDS = {
    "halved": "Your four landmarks share 0.40 of the budget of 1, 0.10 each; any one other timestamp adds 0.10.",
    "alternating": "All eight timestamps spend from 0.50 to 1.",
    "coin": "Your four landmarks share",
}
"""What "In words" says of each."""


def listed() -> None:
    """Every list has them, and says no more of them than is true."""
    assert list(SCHEMES)[-2:] == ["planned", "given"] and set(NAMES) <= set(OFFERED)
    assert [name in FIXED_SCHEMES for name in NAMES] == [True, True, False]
    assert [name in LANDMARK_SCHEMES for name in NAMES] == [True, False, True] and "coin" in ONLINE_SCHEMES
    text = command("my.csv", scheme="halved", epsilon=0.5, radius_m=200.0, origin=(49, 2.5), landmarks="1,3")
    assert "--scheme halved" in text


def of_before() -> None:
    """A link from before they were added opens the table with the schemes of then."""
    opened = TrackChoices().with_changes(**from_query(sys.argv[2], TrackChoices))
    assert opened.table.open and opened.table.schemes == tuple(name for name in OFFERED if name not in NAMES)
    assert TrackChoices().table.schemes == tuple(OFFERED)


def released() -> None:
    """One release and many, with the sums that each promises."""
    for name in NAMES:
        out = release(np.zeros(8), name, BOB.landmarks, 1.0, Laplace(), rng=np.random.default_rng(2))
        largest = landmark_totals(out.budgets, BOB.landmarks).max()
        assert (largest <= 1) == (name != "alternating"), (name, largest)


def privately() -> None:
    """`lmdk release` spends the budgets of each that knows them beforehand, and offers no other."""
    folder = Path(sys.argv[1]) / "private"
    folder.mkdir()
    rows = "".join(f"2026-03-01T{8 + k:02}:00:00Z,{k % 3}\n" for k in range(8))
    (folder / "counts.csv").write_text(f"time,value\n{rows}")
    for name in NAMES:
        given = f"--counts 1 --epsilon 1 --landmarks 1,3,5,8 --scheme {name} --out {folder / name}".split()
        line = ["release", str(folder / "counts.csv"), *given, "--ledger", str(folder / f"{name}.json")]
        if name not in FIXED_SCHEMES:
            with pytest.raises(SystemExit):
                main(line)
            continue
        assert main(line) == 0
        told = json.loads((folder / name / "guarantee.json").read_text("utf-8"))
        budgets = allocate(name, 8, BOB.landmarks, 1.0)
        assert told["scheme"] == name and len((folder / name / "release.csv").read_text("utf-8").split()) >= 9
        assert abs(told["sum_over_all_timestamps"] - budgets.sum()) < 1e-9
        most = told["largest_sum_over_landmarks_and_one_other"]
        assert abs(most - landmark_totals(budgets, BOB.landmarks).max()) < 1e-9


def page(lab: Any) -> None:
    """Words, figures, inverse questions, hidden landmarks and the report of the page."""
    track = sample("bob")
    for name in NAMES:
        title = SCHEMES[name].title
        chosen = BOB.with_changes(scheme=name)
        asked = {"inverse": InverseChoices(True, WANTED_M), "trade_off": TradeOffChoices(name == "halved")}
        outcome = evaluate(chosen, track)
        words = describe(outcome)
        assert WORDS[name] in words.paragraph, words.paragraph
        overruns = [text.startswith(title) for text in words.warnings if "does not protect" in text]
        assert overruns == ([True] if name == "alternating" else [])
        numbers(name, outcome)
        page = page_of(TrackChoices(chosen, **asked), track)
        inverse(name, page.outcome)
        assert list(page._drawings(page.outcome)) and page._text(page.outcome)
        hidden = describe_hidden(evaluate(chosen.with_changes(hide=True, seed=3), track))
        assert ("cost no noise" in hidden) == (name == "alternating")
    assert set(NAMES) <= {row.scheme for row in last_of_all(track)}
    lab.scenario = BOB.with_changes(scheme="halved")
    assert "Halved" in lab.report().data.decode("utf-8")


def last_of_all(track: Any) -> Any:
    """The comparison of all schemes."""
    return finished(TrackChoices(BOB, compare=CompareChoices(True)), track).found("compare").rows


def inverse(name: str, last: Any) -> None:
    """The epsilon that is found keeps the error that is wanted; for a scheme without a formula by search."""
    found = last.found("inverse")
    assert found is not None and not found.no_error
    assert found.how == ("draws" if name == "coin" else "search")
    if name != "coin":
        spent = evaluate(last.scenario.with_changes(epsilon=found.error_epsilon), last.trajectory).budgets
        assert float((2 * BOB.radius_m / spent).mean()) <= WANTED_M * (1 + 1e-9)


def numbers(name: str, outcome: Any) -> None:
    """Losses and supremum as its budgets give them."""
    known = outcome.correlation
    assert outcome.total.tolist() == temporal_loss(known.backward, known.forward, outcome.budgets).total.tolist()
    assert outcome.supremum >= outcome.total.max() * (1 - 1e-12), name


def tables() -> None:
    """The trade-off, the table of settings, defences and a study."""
    track = sample("bob")
    lines = {line.scheme: line for line in trade_off(BOB, track)}
    assert [lines[name].exact for name in NAMES] == [True, True, False]
    assert np.isfinite([lines[name]["error_m"] for name in NAMES]).all()
    table = settings_table(BOB, track, schemes=NAMES, epsilons=[1.0], radii_m=[200.0])
    assert table["theorem_kept"].tolist() == [True, False, True] and table["expected"].tolist() == [True, True, False]
    assert {(name, "planar") for name in NAMES} <= set(offered(BOB)) and ("coin", "optimal") not in offered(BOB)
    follower = Follower(BOB, Knowledge(), track)
    assert not any(follower.faces(name, "planar", 2).refused for name in NAMES)
    study = Study({"bob": track}, {"scheme": list(NAMES), "share": 0.5, "epsilon": 1.0}, measures=["mean_error_m"])
    frame = study.run(Path(sys.argv[1]) / "study")
    assert sorted(set(frame["scheme"])) == sorted(NAMES) and not pd.isna(frame["mean_error_m"]).any()


def audited() -> None:
    """Each that promises something is a subject, in which nothing is found at its epsilon."""
    some = [each for each in subjects() if each.name in {f"scheme {name}" for name in NAMES}]
    assert [each.name for each in some] == ["scheme halved", "scheme coin"]
    assert all(finding.nothing_found for finding in audit(some, draws=5_000))


def every_number(lab: Any) -> None:
    """Every number that the page shows of it is claimed by what recomputes it."""
    claims = track_names({"most_added": most("adds")})
    every = product(("halved", "coin"), ("none", "strong"), ((), (0, 2, 4, 7)), (0.03, 7.0))
    for scheme, correlation, landmarks, epsilon in every:
        changed = {"scheme": scheme, "landmarks": landmarks, "epsilon": epsilon, "correlation": correlation}
        outcome = evaluate(BOB.with_changes(**changed, landmark_loss=True), sample("bob"))
        with heard() as made:
            shown = list(apart(shown_by(lab.page, outcome)))
        claims.hold(shown, made, LandmarkTruth(outcome))


if __name__ == "__main__":
    assert Path(lmdk_widgets.__file__).is_relative_to(Path.cwd())
    explorer = Explorer()
    for step in (
        listed,
        of_before,
        released,
        privately,
        tables,
        audited,
        lambda: page(explorer),
        lambda: every_number(explorer),
    ):
        step()
    print("walked")
