"""The page of the papers' tables: cells drawn by a seed are computed again, Uniform's against its formula, verdicts against
their own inequalities, and places by loops."""

from __future__ import annotations

import random
import re
from math import exp, hypot, log, sqrt
from pathlib import Path

import numpy as np
import pytest

from docs import paper_errors, paper_places
from docs.criteria import HEAD, SIGNS, UNTESTED, Criterion, Finding, in_markdown, lines, none_of, table
from docs.paper_data import LENGTH, paper_data
from docs.paper_tables import DOCUMENT, document, others
from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory import Series, sample, sample_series
from tests.sweeps import OTHER

SEED = sum(OTHER, 594)
DATA = ("contacts", "household", "taxi, radius 2 m", "taxi, radius 200 m")


def rows_below(head: str) -> list[list[str]]:
    """The cells of the rows of the document's table with this head."""
    after = DOCUMENT.read_text("utf-8").split(f"\n{head}\n")[1].split("\n\n")[0]
    return [re.split(r" (?<!\\)\| ", line[2:-2]) for line in after.splitlines()[1:]]


def number(told: str) -> float:
    found = re.match(r"[\d,.]+(e-?\d+)?", told)
    assert found, told
    value = float(found[0].replace(",", ""))
    return value * (1000 if told.endswith(" km") else 0.01 if told.endswith("%") else 1)


def test_the_data_have_the_papers_shapes_and_are_made() -> None:
    data = paper_data()
    assert [*data] == ["contacts", "household", "taxi"] and {len(each) for each in data.values()} == {LENGTH} == {1000}
    contacts, household = data["contacts"], data["household"]
    assert isinstance(contacts, Series) and contacts.is_answers and isinstance(household, Series)
    assert (household.unit, household.lower, household.upper) == ("kWh", 0.0, 6.0)
    assert (household.values[:336] == sample_series("household").values).all()
    assert len({tuple(household.values[start : start + 300]) for start in (0, 336, 672)}) == 3  # no fortnight again
    assert (np.diff(household.time) == np.timedelta64(1, "h")).all()
    assert (data["taxi"].latitude == sample("taxi").latitude[:1000]).all()
    assert (contacts.values == sample_series("contacts").values[:1000]).all()
    alone = "wrong 26.5 % of the time"  # by whoever always says that nobody is near
    assert contacts.values.mean() == pytest.approx(0.265) and alone in " ".join(DOCUMENT.read_text("utf-8").split())
    assert not any(each.landmarks for each in data.values())


def test_a_file_of_your_own_takes_the_place_of_made_data(tmp_path: Path) -> None:
    path = tmp_path / "power.csv"
    hours = np.datetime64("2026-01-26T00:00") + np.arange(1100) * np.timedelta64(1, "h")
    path.write_text("time,kwh\n" + "".join(f"{at}Z,{k % 7}\n" for k, at in enumerate(hours)), "utf-8")
    data = paper_data({"household": path})
    own = data["household"]
    assert isinstance(own, Series) and len(own) == 1000 and own.values[:8].tolist() == [0, 1, 2, 3, 4, 5, 6, 0]
    assert data["taxi"] is paper_data()["taxi"] and paper_data()["household"] is not own
    with pytest.raises(InputError, match="name of the data"):
        paper_data({"phone": path})


def test_the_table_of_errors_has_every_share_of_every_data_set() -> None:
    cells = rows_below(paper_errors.ERROR_HEAD)
    shares = [f"{round(100 * share)} %" for share in paper_errors.SHARES]
    assert [row[:2] for row in cells] == [[name, share] for name in DATA for share in shares]
    assert all(row[4] == "nothing" for row in cells if row[1] == "100 %")  # Skip releases nothing
    assert {row[4] == "nothing" for row in cells if row[1] != "100 %"} == {False}
    assert all(len(row) == 9 and "nan" not in " ".join(row) for row in cells)


def test_uniforms_errors_are_those_of_its_formula() -> None:
    """Within five standard errors of a mean over 80 releases of 1,000 timestamps, and the rounding of three digits."""
    for name, share, uniform, *_ in rows_below(paper_errors.ERROR_HEAD):
        k = round(number(share) * LENGTH)
        epsilon = 1 / min(k + 1, LENGTH)
        exact, spread = {
            "contacts": (1 / (1 + exp(epsilon)), sqrt(exp(epsilon)) / (1 + exp(epsilon))),
            "household": (6 / epsilon, 6 / epsilon),
            "taxi, radius 2 m": (4 / epsilon, 4 / epsilon * sqrt(0.5)),
            "taxi, radius 200 m": (400 / epsilon, 400 / epsilon * sqrt(0.5)),
        }[name]
        assert number(uniform) == pytest.approx(exact, abs=5 * spread / sqrt(80 * LENGTH) + 0.011 * exact), (
            name,
            share,
        )


@pytest.mark.long
def test_cells_drawn_by_a_seed_are_computed_again() -> None:
    draw = random.Random(SEED)
    name = draw.choice(["contacts", "household", "taxi"])
    share = draw.choice(paper_errors.SHARES)
    frame = paper_errors.error_study((name,), shares=(share,)).run(None, jobs=1)
    told = {(row[0], row[1]): row for row in rows_below(paper_errors.ERROR_HEAD)}
    for row in paper_errors.error_rows(frame):
        assert list(row) == told[row[:2]]
    scheme = draw.choice([0, 1, 2])
    for radius, some in frame.groupby("radius_m") if name == "taxi" else [(None, frame)]:
        mine = some[some.scheme == paper_errors.SCHEMES[scheme]]
        row = told[name if radius is None else f"taxi, radius {radius:g} m", f"{round(100 * share)} %"]
        for column, cell in (("mean_error_m", row[2 + 2 * scheme]), ("reader_error_m", row[3 + 2 * scheme])):
            values = [value for value in mine[column] if value == value]
            expected = sum(values) / len(values) if values else None
            assert (
                cell == "nothing"
                if expected is None
                else number(cell) == pytest.approx(expected, rel=0.035, abs=0.0051)
            )
            assert expected is None or len(values) == 4 * (20 if column == "mean_error_m" else 5)


@pytest.mark.long
def test_dummies_and_losses_drawn_by_a_seed_are_computed_again() -> None:
    draw = random.Random(SEED + 1)
    name, method = draw.choice(["contacts", "household"]), draw.choice(["random", "greedy", "histogram"])
    frame = paper_errors.dummy_study(name, methods=(method,)).run(None, jobs=1)
    told = rows_below(paper_errors.DUMMY_HEAD)
    found = [list(row) for row in paper_errors.dummy_rows(frame)]
    assert found == [row for row in told if row[:2] == [name, method]] and len(found) == (
        1 if method == "random" else 4
    )
    assert (frame.landmarks == 20).all()
    assert [row[2] for row in told if row[1] == "random"] == [f"ln(1/p) = {-log(40 / 980):.2f}"] * 2
    lost = paper_errors.loss_study(repetitions=20, shares=(paper_errors.LOSS_SHARE,)).run(None, jobs=1)
    assert [list(row) for row in paper_errors.loss_rows(lost)] == rows_below(paper_errors.LOSS_HEAD)


def test_the_cells_and_priors_are_those_of_a_loop() -> None:
    taxi, counts, morning = sample("taxi"), {}, {}
    for at, (east, north), time in zip(range(len(taxi)), taxi.points_m, taxi.time, strict=True):
        cell = (int(east // 500), int(north // 500))
        seconds = (time - time.astype("datetime64[D]")) / np.timedelta64(1, "s") + 240 * taxi.frame.longitude
        counts.setdefault(cell, []).append(at)
        morning[cell] = morning.get(cell, 0) + (seconds % 86_400 < 43_200)
    where = paper_places.city()
    cells = [(round(x * 2 - 0.5), round(y * 2 - 0.5)) for x, y in where.points_km]
    assert len({*cells}) == 50 and min(len(counts[each]) for each in cells) >= max(
        len(of) for cell, of in counts.items() if cell not in cells
    )
    weights = {
        "all day": [len(counts[each]) + 1 for each in cells],
        "before noon": [morning[each] + 1 for each in cells],
        "after noon": [len(counts[each]) - morning[each] + 1 for each in cells],
    }
    for name, prior in where.priors.items():
        assert prior == pytest.approx(np.array(weights[name]) / sum(weights[name]))


def determined(row: list[str]) -> list[str]:
    """A row of the table of places without what it has of OptPriv under other priors: one of many solutions, which machines
    find differently."""
    return row[:5] if row[0].startswith("OptPriv") else row


@pytest.mark.long
def test_the_table_of_places_is_that_of_loops() -> None:
    where, told = paper_places.city(), rows_below(paper_places.HEAD)
    here = [list(row)[:-1] for row in paper_places.rows()]
    assert [determined(row) for row in here] == [determined(row[:-1]) for row in told]
    n = len(where.points_km)
    apart = [[hypot(*(a - b)) for b in where.points_km] for a in where.points_km]
    made = {
        "planar Laplace": paper_places.planar(),
        "OptPriv, with Optimal's loss": paper_places.most_private("all day"),
    }
    made |= {
        row[0]: paper_places.optimal("all day", dilation)
        for row, dilation in zip(told[1:6], paper_places.DILATIONS, strict=True)
    }
    for row in here:
        matrix, prior = made[row[0]].matrix, where.priors["all day"]
        loss = sum(prior[x] * matrix[x, z] * apart[x][z] for x in range(n) for z in range(n))
        assert number(row[3]) == pytest.approx(1000 * loss, rel=0.01)
        for name, cell in zip(paper_places.PRIORS, row[4:7], strict=True):
            joint = where.priors[name][:, None] * matrix
            error = sum(min(sum(joint[x, z] * apart[x][g] for x in range(n)) for g in range(n)) for z in range(n))
            assert number(cell) == pytest.approx(1000 * error, rel=0.01)


def test_each_verdict_of_the_page_follows_from_its_inequalities() -> None:
    """Signs and numbers are read from the page; where both sides are written alike, the last digits decide."""
    found = rows_below(HEAD)
    assert {row[1] for row in found} == {"holds", "fails", "cannot be tested here"} and len(found) > 20
    for claim, verdict, by, said in found:
        if verdict == UNTESTED:
            assert by == "none" and said, claim
            continue
        met = []
        for one in by.split("; "):
            left, sign, right = re.fullmatch(r".*: (\S+) \(must be ([≤<≥>]) (\S+)\)", one).groups()  # type: ignore[union-attr]
            met.append(
                None
                if left == right
                else SIGNS[sign](*(float(side.replace(",", "").replace("∞", "inf")) for side in (left, right)))
            )
        assert (verdict == "fails") == (False in met) or None in met, claim
    assert sum(row[1] == UNTESTED for row in found) == 3


@pytest.mark.long
def test_the_findings_of_the_other_sources_are_those_of_the_page() -> None:
    told = {row[0]: row for row in rows_below(HEAD)}
    timed = {one.claim for one in paper_places.seconds()}
    for one in others(paper_errors.REPETITIONS):
        if one.claim not in timed:
            shown = lines([(one.claim, one.verdict)])[0][2:-2].split(" | ")
            assert told[one.claim][:2] == shown and told[one.claim][3] == one.said.replace("|", r"\|")


@pytest.mark.nightly
def test_the_whole_page_is_what_the_program_writes() -> None:
    def still(text: str) -> str:
        """The text without its processor seconds, what OptPriv does under other priors, and rounding."""
        timed = "|".join(re.escape(one.claim) for one in paper_places.seconds())
        text = re.sub(rf"\n\| (?:{timed}) \|.*", "", text)
        text = re.sub(r"(?m)^(\| (?:planar|Optimal|OptPriv).*\|) \S+ \|$", r"\1", text)
        text = re.sub(r"(?m)^(\| OptPriv,(?: [^|]+\|){4}).*$", r"\1", text)
        return re.sub(r"\d\.\d+e-1\d", "rounding", text)

    assert still(document(paper_errors.REPETITIONS)) == still(DOCUMENT.read_text("utf-8"))


def test_what_is_said_of_the_epsilon_of_a_choice_is_in_the_table() -> None:
    """Up to 10 it moves no number by a tenth; at 1,000 greedy protects less than half, histogram no less."""
    protected: dict[tuple[str, str], dict[str, int]] = {}
    for data, method, cost, several, *_ in rows_below(paper_errors.DUMMY_HEAD):
        protected.setdefault((data, method), {})[cost] = int(several.split()[0])
    for (_, method), by in protected.items():
        if method != "random":
            low = [by[cost] for cost in ("0.1", "1", "10")]
            assert max(low) < 1.1 * min(low) and (
                2 * by["1000"] < min(low) if method == "greedy" else by["1000"] >= max(low)
            )


def test_the_slowest_spanner_is_compared_with_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every time with a spanner is below the time without and below OptPriv's, or the finding fails."""
    took = dict(zip(paper_places.DILATIONS, (4.0, 1.0, 3.0, 2.0, 2.0), strict=True))
    made = paper_places.Made(np.eye(1), 0, 0.0)
    monkeypatch.setattr(paper_places, "optimal", lambda _, dilation=1.0: made._replace(seconds=took[dilation]))
    for rival, holds in ((3.5, True), (2.5, False)):
        monkeypatch.setattr(paper_places, "most_private", lambda _, seconds=rival: made._replace(seconds=seconds))
        faster, beats = paper_places.seconds()
        assert faster.criteria[0].left == 0.75 and faster.holds
        assert beats.criteria[0].left == 3 / rival and beats.holds == holds


def test_a_verdict_follows_from_its_criteria_alone() -> None:
    met, missed = Criterion("a", 1.0, "≤", 1.0), Criterion("b", float("nan"), "≥", 0.0)
    assert met.met and not missed.met and not Criterion("c", 1.0, "<", 1.0).met and Criterion("d", 1.0, "≥", 1.0).met
    assert not Criterion("e", 1.0, ">", 1.0).met and none_of("f", 0).met and not none_of("f", 1).met
    verdicts = [Finding("x", each, "").verdict for each in ((met,), (met, missed), ())]
    assert verdicts == ["holds", "fails", "cannot be tested here"] and not Finding("x", (), "").holds
    shown = table([Finding("p | q", (met, none_of("cases", 2)), "s")]).splitlines()
    assert shown[2] == r"| p \| q | fails | a: 1 (must be ≤ 1); cases: 2 (must be ≤ 0) | s |" and len(shown) == 3
    assert in_markdown("| x | y |", [("1", "2")]) == "| x | y |\n|---|---|\n| 1 | 2 |"
