"""The published findings: each sentence on a small study has the numbers that plain loops find, and its verdict."""

from __future__ import annotations

import re
from math import exp, hypot, log

import numpy as np
import pandas
import pytest

from docs.findings import error_findings, loss_findings
from docs.other_findings import ALL, basic_findings, dummy_findings
from docs.paper_errors import error_verdicts
from lmdk_widgets.anonymity import example_table
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.amounts import amount, metres, percent
from lmdk_widgets.study import Study
from lmdk_widgets.study.study_file import BUNDLED, bundled_study, read_study
from lmdk_widgets.trajectory import Series as Numbers
from tests.study.walks import short

SHARES, LAYOUTS = [0, 0.3, 0.6, 1], ["uniform", "skewed", "symmetric"]


@pytest.fixture(scope="module")
def errors() -> tuple[Study, pandas.DataFrame]:
    grid = {"scheme": ["uniform", "skip", "adaptive"], "radius_m": [5, 500], "share": SHARES, "layout": LAYOUTS}
    study = Study(
        {"long": short(60), "bob": "bob"},
        {**grid, "correlation": "none"},
        repetitions=4,
        measures=["mean_error_m", "landmarks"],
    )
    return study, study.run(None, jobs=1)


@pytest.fixture(scope="module")
def losses() -> tuple[Study, pandas.DataFrame]:
    grid = {"correlation": ["weak", "strong"], "layout": LAYOUTS, "share": SHARES}
    measures = ["landmark_distance", "own_loss", "mean_landmark_loss"]
    study = Study({"long": short(60)}, grid, repetitions=3, measures=measures)
    return study, study.run(None, jobs=1)


def mean_of(frame: pandas.DataFrame, measure: str, **where: object) -> float:
    rows = [row for row in frame.to_dict("records") if all(row[name] == value for name, value in where.items())]
    return float(np.mean([row[measure] for row in rows]))


def test_uniform_grows_by_its_formula(errors: tuple[Study, pandas.DataFrame]) -> None:
    study, frame = errors
    growth = error_findings(study, frame)[0]
    assert growth.holds and "min(|L| + 1, n)" in growth.claim
    for name, track in study.tracks.items():
        worst = 0.0
        for share in SHARES:
            rows = [
                row
                for row in frame.to_dict("records")
                if (row["track"], row["scheme"], row["share"]) == (name, "uniform", share)
            ]
            factors = [min(row["landmarks"] + 1, len(track)) for row in rows]
            ratios = [row["mean_error_m"] / (2 * row["radius_m"] * f) for row, f in zip(rows, factors, strict=True)]
            worst = max(worst, abs(float(np.mean(ratios)) - 1))
        one = 1 / (2 * len(rows) * len(track)) ** 0.5
        assert f"{percent(worst)} on {name}, where {percent(one)} is one standard error" in growth.said
    spoilt = frame.assign(mean_error_m=frame.mean_error_m * 1.3)
    assert not error_findings(study, spoilt)[0].holds


def test_which_scheme_is_reliable(errors: tuple[Study, pandas.DataFrame]) -> None:
    study, frame = errors
    finding, best = error_findings(study, frame)[1], 0
    for name in study.tracks:
        for radius_m in (5.0, 500.0):
            worst = dict.fromkeys(("uniform", "skip", "adaptive"), 0.0)
            for share in SHARES[1:-1]:
                for layout in LAYOUTS:
                    where = {"track": name, "radius_m": radius_m, "share": share, "layout": layout}
                    found = {scheme: mean_of(frame, "mean_error_m", scheme=scheme, **where) for scheme in worst}
                    worst = {scheme: max(worst[scheme], found[scheme] / min(found.values())) for scheme in worst}
            best += worst["adaptive"] == min(worst.values())
            others = f"(Uniform {amount(worst['uniform'])}, Skip {amount(worst['skip'])})"
            assert (
                f"{amount(worst['adaptive'])} on {name} with protection radius {radius_m:g} m {others}" in finding.said
            )
    assert f"in {best} of 4 cases" in finding.said and finding.holds == (best == 4)
    kind = frame.scheme == "adaptive"
    assert error_findings(study, frame.assign(mean_error_m=frame.mean_error_m.where(~kind, 1e-3)))[1].holds


def test_where_skip_is_best(errors: tuple[Study, pandas.DataFrame]) -> None:
    study, frame = errors
    finding = error_findings(study, frame)[2]
    counts, counted = {True: [0, 0], False: [0, 0]}, []
    for name, track in study.tracks.items():
        extent = hypot(*(track.points_m.max(axis=0) - track.points_m.min(axis=0)))
        assert f"{metres(extent)} across for {name}" in finding.said
        for radius_m in (5.0, 500.0):
            for share in SHARES[1:-1]:
                for layout in LAYOUTS:
                    where = {"track": name, "radius_m": radius_m, "share": share, "layout": layout}
                    found = [mean_of(frame, "mean_error_m", scheme=s, **where) for s in ("skip", "uniform", "adaptive")]
                    noise = 2 * radius_m * (mean_of(frame, "landmarks", scheme="uniform", **where) + 1)
                    counted += [where] if noise <= extent else []
                    counts[noise > extent][0] += found[0] == min(found)
                    counts[noise > extent][1] += 1
    (inside, of), (outside, rest) = counts[True], counts[False]
    assert f"in {inside} of {of} cases where that is less" in finding.said
    assert f"in {outside} of {rest} cases where it is more" in finding.said
    assert finding.holds == (inside == of > 0 and outside < rest)
    assert where_skip_loses_most(frame, counted) == re.findall(r" Where another is better by most, .*", finding.said)


def where_skip_loses_most(frame: pandas.DataFrame, settings: list[dict[str, object]]) -> list[str]:
    """The sentence about the setting in which Skip's mean error is the largest multiple of another's."""
    most, told = 1.0, []
    for where in settings:
        found = {scheme: mean_of(frame, "mean_error_m", scheme=scheme, **where) for scheme in ("uniform", "adaptive")}
        rival = min(found, key=lambda scheme: found[scheme])
        if (times := mean_of(frame, "mean_error_m", scheme="skip", **where) / found[rival]) > most:
            logs = []
            for k in range(4):
                skip, other = (mean_of(frame, "mean_error_m", scheme=s, repetition=k, **where) for s in ("skip", rival))
                logs.append(log(skip / other))
            mean = sum(logs) / 4
            error = (sum((each - mean) ** 2 for each in logs) / 3 / 4) ** 0.5
            factor, low, high = (amount(exp(mean + side * error)) for side in (0, -2, 2))
            most = times
            told = [
                f" Where another is better by most, Skip's error is {factor} times {rival.title()}'s on average over 4 "
                f"repetitions; two standard errors either way, that is from {low} to {high}."
            ]
    return told


def test_what_is_said_of_a_range_leaves_answers_out() -> None:
    """Contacts have no range: the claim about a small range is made of the household alone."""
    grid = {"scheme": ["uniform", "skip", "adaptive"], "share": [0, 0.5, 1]}
    both = {"contacts": changed(own_power(), kind="answers"), "household": own_power()}
    study = Study(both, grid, repetitions=2, measures=["mean_error_m", "landmarks"])
    frame = study.run(None, jobs=1)
    claims = [one.claim for one in error_verdicts((study, frame), (study, frame))]
    assert [claim.partition(":")[0] for claim in claims] == ["Contacts and household"] * 2 + ["Household"] + [
        "Taxi"
    ] * 3
    ranged = error_findings(study, frame)[2]
    assert "across for household. " in ranged.said and "contacts" not in ranged.said
    assert ranged.criteria[0].left == 1  # one case: half of the household's timestamps


def test_classes_with_one_income_are_counted_once_small_ones_are_dropped() -> None:
    """By loops: only classes of five people or more are left, and four of them have one income."""
    table = example_table("adults")
    groups: dict[tuple[object, ...], list[str]] = {}
    for row in table.to_dict("records"):
        groups.setdefault(((row["age"] - 1) // 10, row["sex"], row["education"]), []).append(row["income"])
    dropped = sum(len(each) for each in groups.values() if len(each) < 5)
    kept = [each for each in groups.values() if len(each) >= 5]
    alike = [len(each) for each in kept if len(set(each)) == 1]
    finding = next(one for one in basic_findings() if one.claim.startswith("k-anonymity"))
    assert [one.left for one in finding.criteria] == [min(map(len, kept)), len(alike)] and finding.holds
    for told in (
        f"Of {len(table):,} made-up adults, {dropped} are dropped",
        f"Of the {len(kept)} classes left, {len(alike)} ",
    ):
        assert told in finding.said
    assert finding.said.endswith(f"the largest of these has {max(alike)} people.")


def test_a_stronger_chain_must_lose_more_not_as_much() -> None:
    rising = next(one for one in basic_findings() if "more so the stronger" in one.claim).criteria[1]
    assert rising.met and not rising._replace(left=0.0).met


def test_what_distance_does_to_losses(losses: tuple[Study, pandas.DataFrame]) -> None:
    study, frame = losses
    for correlation, finding in zip(("weak", "strong"), loss_findings(study, frame), strict=True):
        own, together = [], []
        for share in SHARES[1:-1]:
            where = [{"correlation": correlation, "share": share, "layout": layout} for layout in LAYOUTS]
            distance = [mean_of(frame, "landmark_distance", **each) for each in where]
            far, near = where[int(np.argmax(distance))], where[int(np.argmin(distance))]
            own.append(mean_of(frame, "own_loss", **far) / mean_of(frame, "own_loss", **near))
            together.append(mean_of(frame, "mean_landmark_loss", **far) / mean_of(frame, "mean_landmark_loss", **near))
        said = [f"in {sum(o > 1 for o in own)} of 2 cases", f"lose less in {sum(t < 1 for t in together)}"]
        said += [f"on average {amount(exp(sum(map(log, of)) / 2))} times" for of in (own, together)]
        assert all(part in finding.said for part in said) and finding.claim.startswith(correlation.title())
        assert finding.holds == (min(own) > 1 and min(together) >= 1)
    more = frame.assign(own_loss=frame.landmark_distance, mean_landmark_loss=frame.landmark_distance)
    assert all(finding.holds for finding in loss_findings(study, more))


def test_a_study_without_what_is_asked_for(errors: tuple[Study, pandas.DataFrame]) -> None:
    study, frame = errors
    with pytest.raises(InputError, match=r"must have the measures landmark_distance, own_loss and .*; got none of"):
        loss_findings(study, frame)
    few = Study("bob", {"scheme": "uniform", "share": 0.5}, measures=["mean_error_m", "landmarks"])
    with pytest.raises(InputError, match="must compare uniform, skip and adaptive; got uniform"):
        error_findings(few, few.run(None, jobs=1))


def own_power() -> Numbers:
    """Twelve hours of a household."""
    time = np.datetime64("2026-03-01T00:00") + np.arange(12) * np.timedelta64(1, "h")
    return Numbers(time, values=np.arange(12) % 5 / 2, unit="kWh", lower=0.0, upper=6.0, name="power")


def test_errors_of_a_series_are_in_its_unit_and_follow_the_formula() -> None:
    """Uniform's mean error on a series of numbers: min(|L| + 1, n) times the width of the bounds over epsilon."""
    grid = {"scheme": ["uniform", "skip", "adaptive"], "share": [0, 0.5, 1], "epsilon": [0.5, 2]}
    study = Study(own_power(), grid, repetitions=40, measures=["mean_error_m", "landmarks"])
    frame = study.run(None, jobs=1)
    uniform = frame[frame.scheme == "uniform"]
    exact = 6.0 / uniform.epsilon * np.minimum(uniform.landmarks + 1, 12)
    assert (uniform.mean_error_m / exact).mean() == pytest.approx(1, abs=4 / np.sqrt(12 * len(uniform)))
    growth, _, small = error_findings(study, frame)
    assert growth.holds and "2 kWh across for power" in small.said
    wrong = Study(own_power(), grid, measures=["mean_error_m"])
    assert wrong.key != Study(changed(own_power()), grid, measures=["mean_error_m"]).key


def test_the_share_of_wrong_answers_follows_randomised_response() -> None:
    """1 / (1 + e^(epsilon / min(|L| + 1, n))), and a standard error from the variance of a coin."""
    grid = {"scheme": ["uniform", "skip", "adaptive"], "share": [0, 0.5, 1], "epsilon": [0.5, 2]}
    answers = Study(changed(own_power(), kind="answers"), grid, repetitions=40, measures=["mean_error_m", "landmarks"])
    frame = answers.run(None, jobs=1)
    growth = error_findings(answers, frame)[0]
    times, said = 0.0, []
    for share, k in ((0, 0), (0.5, 6), (1, 12)):
        ratios, variance = [], 0.0
        for row in frame.to_dict("records"):
            if row["scheme"] == "uniform" and row["share"] == share:
                wrong = 1 / (1 + exp(row["epsilon"] / min(k + 1, 12)))
                ratios.append(row["mean_error_m"] / wrong)
                variance += (1 - wrong) / wrong / 12
        error = variance**0.5 / len(ratios)
        times = max(times, abs(float(np.mean(ratios)) - 1) / error)
        said.append(error)
    assert growth.criteria[0].left == pytest.approx(times) and growth.holds
    assert f"where {percent(max(said))} is one standard error" in growth.said


def changed(series: Numbers, kind: str = "numbers") -> Numbers:
    return Numbers(series.time, values=np.arange(12) % 2, kind=kind, name=series.name)


@pytest.mark.parametrize("name", [name for name in BUNDLED if name != "people"])
def test_the_bundled_files_have_what_the_findings_need(name: str) -> None:
    study, title = read_study(bundled_study(name))
    assert title and study.repetitions == 20 and {0, 1} <= set(study.axes["share"]) and len(study.axes["layout"]) == 4
    small = Study("bob" if name != "household_error" else own_power(), study.axes, measures=study.measures)
    found = (loss_findings if name == "landmark_loss" else error_findings)(small, small.run(None, jobs=1))
    assert len(found) == 3 and not re.search(r"\bnan\b|None", " ".join(one.said for one in found))


def test_the_other_sources_hold_where_they_are_said_to() -> None:
    """Their exact values: 4/5 and 5/8 of Bob's budget, OptPriv without an epsilon, quilts below their sum, 100 times .1."""
    said = {one.claim: one for each in ALL.values() for one in each()}
    assert all(one.holds for one in said.values()), [one.claim for one in said.values() if not one.holds]
    text = " ".join(one.said for one in said.values())
    assert "the landmarks spend 0.80, and 1 with any other timestamp, against 0.625 at user level" in text
    assert "In all 70 sets" in text
    assert "the epsilons add up to 1.50, and the older theorem says 2" in text and "loses 10, 100 times 0.10" in text


def test_dummies_cost_accuracy_and_those_of_the_thesis_hide_little() -> None:
    grid = {"scheme": "uniform", "share": [0.25, 0.5, 0.75], "layout": "uniform", "correlation": "none", "hide_most": 4}
    grid |= {"hide": [False, True], "hide_method": ["random", "greedy", "optimal", "histogram"]}
    measures = ["mean_error_m", "protected", "landmarks", "landmark_chance"]
    frame = Study(["bob"], grid, repetitions=12, measures=measures).run(None, jobs=1)
    cost, hides = dummy_findings(frame)
    assert cost.holds and not hides.holds
    rows = [row for row in frame.to_dict("records") if row["hide"] and row["protected"] > row["landmarks"]]
    for method in ("random", "greedy", "optimal", "histogram"):
        chance = np.mean([row["landmark_chance"] for row in rows if row["hide_method"] == method])
        assert f"{percent(float(chance))} by “{method}”" in hides.said
    for share in (0.25, 0.5, 0.75):
        error = [
            np.mean([r["mean_error_m"] for r in frame.to_dict("records") if (r["share"], r["hide"]) == (share, hide)])
            for hide in (True, False)
        ]
        assert f"{amount(float(error[0] / error[1]))} times as large at {percent(share)}" in cost.said
    random = frame[frame.hide_method == "random"].assign(landmark_chance=0.5)
    assert dummy_findings(pandas.concat([random.assign(hide_method=name) for name in ("random", "greedy")]))[1].holds
