"""What a study on the page varies beside the scheme: epsilon, the share and layout of landmarks, or the chain.

Each row is computed again by the page itself, opened with the setting of that row; landmarks are drawn again by hand.
"""

from __future__ import annotations

import csv
import hashlib
import json
import math
import subprocess
import sys
from functools import cache
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.io.report import paragraph
from lmdk_widgets.page.link import link_of
from lmdk_widgets.page.panel import Result
from lmdk_widgets.page.settings_file import SettingsFile
from lmdk_widgets.pages.track.choices import PANELS, TrackChoices
from lmdk_widgets.pages.track.page import TrackPage
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.pages.track.varied_study import ALONG, OF_AXIS, VaryChoices, study_of, study_toml
from lmdk_widgets.pages.track.vary import Vary, results_csv
from lmdk_widgets.scenario import Scenario
from lmdk_widgets.study.layouts import LAYOUTS
from lmdk_widgets.study.opened_results import read_results
from lmdk_widgets.study.study_file import read_study
from lmdk_widgets.trajectory import sample
from tests.landmark_choices import chosen

BOB = Scenario(landmarks=(0, 2, 4, 7), epsilon=0.7)
SHARES = VaryChoices(True, along="share", share_low=0.1, share_high=0.9, values=3, layout="bimodal", repetitions=3)
LAYOUT = VaryChoices(True, along="layout", share=0.4, repetitions=3)
CHAINS = VaryChoices(True, along="chain", chains=("none", "strong", "estimated", "strength"), repetitions=3)
AXES = {"share": SHARES, "layout": LAYOUT, "chain": CHAINS}


def outcome_of(choices: TrackChoices) -> Any:
    """What the page shows at once, before it looks for anything that takes longer."""
    return TrackPage(TrackSession(sample("bob"), choices)).outcome


@cache
def studied(asked: VaryChoices) -> Any:
    """The outcome of a study on Bob's day."""
    (panel,) = [each for each in PANELS if each.NAME == "vary"]
    choices = TrackChoices(BOB, vary=asked)
    outcome = outcome_of(choices)
    *_, found = panel.compute(choices, outcome)
    return outcome.improved(results={**outcome.results, "vary": Result(None, found, done=True)})


def rows_of(outcome: Any) -> list[dict[str, str]]:
    """The rows as they are saved."""
    return list(csv.DictReader(line for line in results_csv(outcome).splitlines() if not line.startswith("#")))


def drawn_by_hand(layout: str, n: int, share: float, repetition: int) -> tuple[int, ...]:
    """The landmarks of a repetition, from the seed that docs/studies.md states, one timestamp after the other."""
    digest = hashlib.sha256(json.dumps(("landmarks", "bob", layout, repetition), sort_keys=True).encode()).digest()
    luck = np.random.default_rng(int.from_bytes(digest[:7]) >> 3).gumbel(size=n)
    centres = {"uniform": (), "skewed": (0.25,), "symmetric": (0.5,), "bimodal": (0.25, 0.75)}[layout]
    scores = []
    for k in range(n):
        at = (k + 0.5) / n
        weight = sum(math.exp(-(((at - c) / 0.1) ** 2) / 2) for c in centres) if centres else 1.0
        scores.append((math.log(weight) + luck[k], k))
    count = math.floor(share * n + 0.5)
    return tuple(sorted(k for _, k in sorted(scores, reverse=True)[:count]))


@pytest.mark.parametrize("along", AXES)
def test_each_row_is_what_the_page_shows_when_it_is_opened_with_its_setting(along: str) -> None:
    track = sample("bob")
    outcome = studied(AXES[along])
    study, rows = outcome.found("vary").study, rows_of(outcome)
    assert len(rows) == 3 * len(study.axes[OF_AXIS[along].axis]) * 3
    seeds = set()
    for k, row in enumerate(rows):
        seed = study.scenario(k)[0].seed
        seeds.add(seed)
        asked = {"scheme": row["scheme"], "seed": seed}
        if along == "chain":
            asked["correlation"] = row["correlation"]
        else:
            asked["landmarks"] = drawn_by_hand(row["layout"], len(track), float(row["share"]), int(row["repetition"]))
        shown = outcome_of(TrackChoices(BOB.with_changes(**asked)))
        assert float(row["epsilon"]) == shown.scenario.epsilon == 0.7
        assert float(row["mean_error_m"]) == pytest.approx(shown.mean_error_m, rel=1e-12)
        assert float(row["published"]) == pytest.approx(np.mean(shown.published), rel=1e-12)
        assert float(row["landmark_bound"]) == pytest.approx(shown.landmark_bound.max(), rel=1e-12)
    assert len(seeds) == len(rows), "every setting has noise of its own"


@pytest.mark.parametrize("along", AXES)
def test_marks_and_table_are_the_means_of_the_rows(along: str) -> None:
    asked = AXES[along].with_changes(shown="landmark_bound")
    outcome = studied(AXES[along])
    (panel,) = [each for each in PANELS if each.NAME == "vary"]
    chart, table, _ = panel.blocks(TrackChoices(BOB, vary=asked), outcome)
    axis, rows = OF_AXIS[along].axis, rows_of(outcome)
    values = list(dict.fromkeys(row[axis] for row in rows))
    titles = {trace["name"]: trace for trace in chart.figure["data"]}
    assert list(titles) == ["Uniform", "Skip", "Adaptive"]
    assert len({(t["line"]["color"], t["marker"]["symbol"]) for t in titles.values()}) == 3
    for scheme, trace in zip(("uniform", "skip", "adaptive"), titles.values(), strict=True):
        assert trace["mode"] == ("lines+markers" if along == "share" else "markers"), "nothing lies between two layouts"
        for at, value in enumerate(values):
            found = [float(row["landmark_bound"]) for row in rows if (row["scheme"], row[axis]) == (scheme, value)]
            x = 100 * float(value) if along == "share" else at
            near = min(range(len(values)), key=lambda j, x=x, trace=trace: abs(trace["x"][j] - x))
            assert abs(trace["x"][near] - x) < 0.5 and near == at
            assert trace["y"][at] == pytest.approx(fmean(found), rel=1e-12)
            assert trace["error_y"]["array"][at] == pytest.approx(stdev(found) / math.sqrt(3), rel=1e-9, abs=1e-15)
    assert len(table.texts()) == 3 * len(values) and {row[4] for row in table.texts()} == {"3"}
    across = chart.figure["layout"]["xaxis"]
    if along == "layout":
        assert across["ticktext"] == ["Uniform", "Skewed", "Symmetric", "Bimodal"]
    if along == "chain":
        assert across["ticktext"][0] == "None" and len(across["ticktext"]) == 4


def test_every_chart_says_what_varies_and_what_stays() -> None:
    said = {}
    for along, asked in {"epsilon": VaryChoices(True, values=2, repetitions=1), **AXES}.items():
        choices = TrackChoices(BOB, vary=asked.with_changes(repetitions=1))
        outcome = studied(choices.vary)
        (panel,) = [each for each in PANELS if each.NAME == "vary"]
        chart = next(iter(panel.blocks(choices, outcome)))
        said[along] = chart.summary
        assert "Varied: the scheme and" in chart.summary and "What stays:" in chart.summary
        assert chart.title == f"Scheme and {OF_AXIS[along].word} varied"
        assert paragraph(chart.summary) and panel.progress(choices, outcome).text.startswith(
            f"Varying scheme and {OF_AXIS[along].word}: "
        )
    assert "epsilon 0.70, the layout (bimodal)" in said["share"] and "drawn anew" in said["share"]
    assert "40 %, which is 3 of 8" in said["layout"] and "instead of those you chose" in said["layout"]
    assert "by chance only" in said["chain"] and "drawn anew" not in said["chain"]


def test_a_chain_changes_no_release() -> None:
    """As the page says; only with the same seed can it be seen."""
    for scheme in ("uniform", "skip", "adaptive"):
        one, other = (
            outcome_of(TrackChoices(BOB.with_changes(scheme=scheme, correlation=name))) for name in ("none", "strong")
        )
        assert np.array_equal(one.latitude, other.latitude, equal_nan=True) and one.total.max() < other.total.max()


@pytest.mark.parametrize("along", AXES)
def test_the_file_has_the_same_study_and_the_results_open(along: str, tmp_path: Path) -> None:
    study = study_of(AXES[along], BOB, sample("bob"))
    path = tmp_path / "vary.toml"
    path.write_text(study_toml(study))
    assert read_study(path).study.key == study.key
    assert f'title = "Vary scheme and {OF_AXIS[along].word}"' in study_toml(study)
    outcome = studied(AXES[along])
    read = read_results([("results.csv", results_csv(outcome).encode())])
    assert read.varied == ["scheme", OF_AXIS[along].axis]
    row = {name: read.columns[name][7] for name in read.columns}
    assert read.scenario(row) == study.scenario(7)[0]


@pytest.mark.long
@pytest.mark.each_case
@pytest.mark.parametrize("along", ["share", "chain"])
def test_the_program_prints_the_marks(along: str, tmp_path: Path) -> None:
    outcome, choices = studied(AXES[along]), TrackChoices(BOB, vary=AXES[along])
    (tmp_path / "program.py").write_text(Vary.FILES["study.py"](choices, outcome))
    ran = subprocess.run(
        [sys.executable, str(tmp_path / "program.py")], capture_output=True, text=True, check=True, timeout=120
    )
    printed = [line.split() for line in ran.stdout.splitlines()]
    means = outcome.found("vary").means("mean_error_m", OF_AXIS[along].axis)
    shown = [float(line[-3]) for line in printed if len(line) >= 4]
    assert shown == pytest.approx([mean for mean, _, _ in means.values()], rel=1e-4)
    assert [int(line[-1]) for line in printed if len(line) >= 4] == [3] * len(means)


def test_only_choices_about_what_is_varied_are_shown() -> None:
    always = {"open", "along", "schemes", "repetitions", "shown"}
    for along in ALONG:
        assert set(VaryChoices(along=along).visible()) == always | set(OF_AXIS[along].fields)
    assert set(Vary.FOLD.kinds()) == always | {name for each in OF_AXIS.values() for name in each.fields}


def test_what_the_axis_replaces_starts_no_new_study_and_what_stays_does() -> None:
    panel = Vary()

    def asked(along: str, **changes: Any) -> Any:
        choices = TrackChoices(BOB.with_changes(**changes), vary=AXES.get(along, VaryChoices(True)))
        return panel.asked(choices, outcome_of(TrackChoices(BOB.with_changes(**changes))))

    for along, changes in (
        ("epsilon", {"epsilon": 2.0}),
        ("share", {"landmarks": (1,)}),
        ("layout", {"landmarks": ()}),
        ("chain", {"correlation": "weak"}),
    ):
        assert asked(along, **changes) == asked(along, seed=9), along
    for along, changes in (
        ("share", {"epsilon": 2.0}),
        ("layout", {"correlation": "weak"}),
        ("chain", {"landmarks": (1,)}),
        ("chain", {"states": 7}),
        ("epsilon", {"landmarks": (1,)}),
    ):
        assert asked(along, **changes) != asked(along), (along, changes)


def test_other_settings_stay_and_links_and_files_hold_the_choices() -> None:
    scenario = Scenario(
        landmarks=(1, 5),
        radius_m=99.0,
        correlation="strong",
        states=7,
        hide=True,
        hide_joining="stated",
        hide_chance=0.4,
    )
    for asked in AXES.values():
        study = study_of(asked, scenario, sample("bob"))
        drawn = {"seed", "hide_seed", "scheme", *(("correlation",) if asked.along == "chain" else ("landmarks",))}
        for k in range(len(study)):
            found, _ = study.scenario(k)
            assert found.with_changes(**{name: getattr(scenario, name) for name in drawn}) == scenario
        choices = chosen(vary=asked)
        assert (
            SettingsFile("scenario", "A scenario file", TrackChoices).read(
                SettingsFile("scenario", "A scenario file", TrackChoices).write(choices)
            )
            == choices
        )
        assert f"vary.along={asked.along}" in link_of(choices).query
    assert set(study_of(LAYOUT, scenario, sample("bob")).axes["layout"]) == set(LAYOUTS)


def test_what_cannot_be_varied_is_refused_in_a_sentence() -> None:
    for asked, said in (
        (
            SHARES.with_changes(share_low=0.5, share_high=0.5),
            "The smallest share of landmarks must be below the largest",
        ),
        (SHARES.with_changes(values=20, repetitions=50, schemes="all"), "must have at most 3,000 evaluations; got"),
    ):
        with pytest.raises(InputError, match=said):
            study_of(asked, BOB, sample("bob"))
    with pytest.raises(InputError, match="Chains must have at least one name"):
        CHAINS.with_changes(chains=())
    choices = TrackChoices(BOB, vary=CHAINS.with_changes(chains=("none", "matrix"), repetitions=1))
    (panel,) = [each for each in PANELS if each.NAME == "vary"]
    *_, text = panel.blocks(choices, studied(choices.vary))
    assert "Three of six evaluations could not be made: A matrix must be given first" in text.text
