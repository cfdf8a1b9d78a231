"""`lmdk people`: what it prints is what `People` says of the same file, in the words of the page People."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

from lmdk_widgets.cli import main
from lmdk_widgets.pages.people import tables, words
from lmdk_widgets.pages.people.evaluate import evaluate, improve
from lmdk_widgets.pages.people.model import PeopleChoices
from lmdk_widgets.pages.people.names_removed import removed_said
from lmdk_widgets.pages.people.tables import read_table_at
from lmdk_widgets.population import People


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve people with a home, a place of work and two rows that cannot be used."""
    rng = np.random.default_rng(8)
    rows = []
    for person in range(12):
        home, work = rng.integers(0, 3, 2) * 0.01, 0.04 + rng.integers(0, 3, 2) * 0.01
        for k in range(10 + 9 * person):
            day, hour = divmod(k, 3)
            north, east = (home, home, work)[hour] + rng.normal(0, 5e-5, 2)
            clock = ("03:00", "23:00", "12:00")[hour]
            time = f"2026-03-{2 + day % 25:02d}T{clock}:{day // 25:02d}Z"
            rows.append({"user_id": f"u{person:02d}", "time": time, "lat": 48.86 + north, "lon": 2.34 + east})
    rows += [
        {**rows[0], "lat": 200.0, "time": "2026-03-30T12:00Z"},
        {**rows[0], "lat": 300.0, "time": "2026-03-30T13:00Z"},
    ]
    path = tmp_path_factory.mktemp("people") / "table.csv"
    pandas.DataFrame(rows).to_csv(path, index=False)
    return path


def fake_worth(track: Any, settings: Any, draws: int | None = None) -> tuple[float, float]:
    """Useful to the people with an odd number: what a reader can do takes a while for each of them."""
    return (1.0 if int(track.name[-1]) % 2 else 3.0), 4.0


@pytest.fixture(autouse=True)
def _fast(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "quotes" not in request.node.name:
        monkeypatch.setattr(tables, "worth_of", fake_worth)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["people", *arguments]) == 0
    return re.sub(r"\s+", " ", capsys.readouterr().out)


def numbers(text: str) -> list[float]:
    return [float(found.replace(",", "")) for found in re.findall(r"\d[\d,]*\.?\d*", text)]


SETTINGS = [("uniform", 0.5, "stays", 200.0), ("event", 0.02, "none", 500.0), ("event", 0.2, "stays", 500.0)]


@pytest.mark.parametrize(("scheme", "epsilon", "rule", "distance"), SETTINGS)
def test_it_prints_what_people_says(
    file: Path, capsys: pytest.CaptureFixture[str], scheme: str, epsilon: float, rule: str, distance: float
) -> None:
    settings = ["--scheme", scheme, "--epsilon", str(epsilon), "--rule", rule, "--distance", str(distance)]
    text = printed(capsys, str(file), *settings, "--cell", "500", "--hours", "6", "--timezone", "UTC")
    people = People(file, rule=rule, timezone="UTC")
    assert text.startswith("For the owner of the table only")
    assert f"table.csv: {people.reports.sum():,} reports of 12 people." in text
    assert all(notice in text for notice in people.notices) and "2 rows were left out" in text
    expected = people.expected_found(scheme, epsilon, [50, 100, 200, 500])
    said = numbers(re.search(r"than \d+ m\. (.*?)\. (?:The|Not even the) most exposed", text)[1])  # type: ignore[index]
    assert said[::2] == pytest.approx(expected.tolist(), rel=0.01, abs=0.06) and said[1::2] == [50, 100, 200, 500]
    here = people.expected_found(scheme, epsilon, distance)[0]
    verdict = re.search(
        r"(Meets|Does not meet) your limit[.,] .*?([\d.]+) of 12 people .*? at most 5 of 100 may be", text
    )
    assert verdict and float(verdict[2]) == pytest.approx(here, rel=0.01, abs=0.06)
    assert (verdict[1] == "Meets") == (here <= 0.6)
    name, metres = people.most_exposed(scheme, epsilon, 1)[0]
    exposed = re.search(r"in half of all releases: (\w+) to within ([\d.]+) (k?)m", text)
    assert exposed and exposed[1] == name
    assert float(exposed[2]) * (1000 if exposed[3] else 1) == pytest.approx(max(metres, 20.0), rel=0.05)
    assert "is chosen by looking at the data" in text
    epsilon_for = float(re.search(r"psilon ([\d.]+) under [^.]*?(?: would)? \(chosen", text)[1])  # type: ignore[index]
    assert people.share_found(scheme, epsilon_for, distance) <= 0.05
    assert epsilon_for == pytest.approx(people.epsilon_for(0.05, distance, scheme), rel=0.06)
    shares = [people.unicity(k, cell_m=500, hours=6, rng=np.random.default_rng(1)) for k in (1, 2, 3, 4)]
    of_points = re.search(r"singles out ([\d.]+ % of the people with .*?)\. Home", text)
    words = dict(zip(("one", "two", "three", "four"), "1234", strict=True))
    said = numbers(re.sub(r"one|two|three|four", lambda found: words[found[0]], of_points[1]))  # type: ignore[index]
    assert said[::2] == pytest.approx([100 * share for share in shares], rel=0.06) and said[1::2] == [1, 2, 3, 4]
    pair = re.search(r"single out ([\d.]+) % of those", text)
    assert pair and float(pair[1]) == pytest.approx(100 * people.home_and_work(500), rel=0.06)


def test_it_prints_what_the_page_shows(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The verdict and the answers are the page's sentences; usefulness is that of the whole sample."""
    text = printed(capsys, str(file), "--epsilon", "3", "--most", "40")
    choices = PeopleChoices(table="own", epsilon=3.0, most_percent=40.0, removed=True)
    *_, outcome = improve(evaluate(choices, read_table_at(str(file))))
    assert (
        outcome.useful is not None and outcome.useful.people == outcome.useful.of == 12 and outcome.removed is not None
    )
    answers = [answer.sentence() for answer in words.first_answers(outcome)]
    parts = (words.bare_said(outcome), words.why(outcome), words.offers(outcome))
    for said in (*parts, *answers, removed_said(outcome.removed, choices)):
        assert str(said) in text


def test_people_who_stay_nowhere_are_found_by_nobody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "few.csv"
    path.write_text(
        "user_id,time,lat,lon\n"
        + "".join(f"{who},2026-03-02T0{k}:00Z,48.8{who}{k},2.3\n" for who in (1, 2) for k in (1, 2))
    )
    text = printed(capsys, str(path))
    assert (
        "2 people without a place of at least five reports" in text and "No epsilon under Uniform finds more." in text
    )
    assert (
        "Meets your limit." in text
        and "Most exposed" not in text
        and "Not even the most exposed person is found." in text
    )
    assert "As it is: no. Nobody stays at a place" in text, "but four points are all of a person's points"
    assert "No time zone of the people is known" in text


def test_bad_arguments_are_refused_in_a_sentence(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (
        ["--epsilon", "0"],
        ["--distance", "-1"],
        ["--cell", "0"],
        ["--hours", "0"],
        ["--seed", "-1"],
        ["--most", "100"],
        ["--timezone", "Mars/Base"],
    ):
        assert main(["people", str(file), *arguments]) == 2
        assert capsys.readouterr().err.startswith("lmdk: ")
    with pytest.raises(SystemExit):
        main(["people", str(file), "--scheme", "adaptive"])


def test_it_writes_a_script_with_the_command_of_each_person(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "each.sh"
    assert main(["people", str(file), "--commands", str(out), "--scheme", "user", "--epsilon", "2"]) == 0
    assert "The commands are in each.sh" in capsys.readouterr().out and out.stat().st_mode & 0o077 == 0
    lines = [line for line in out.read_text("utf-8").splitlines() if line.startswith("release ")]
    assert sorted(line.split()[1] for line in lines) == [f"u{k:02d}" for k in range(12)]
    assert main(["people", str(file), "--commands", str(out)]) == 2, "it is there already"


@pytest.mark.slow
def test_the_script_makes_private_releases(tmp_path: Path) -> None:
    """Of two people, in a shell, as an owner runs it."""
    table, out = tmp_path / "table.csv", tmp_path / "each.sh"
    rows = [f"{who},2026-03-02T0{k}:00Z,48.8{k},2.3{len(who)}" for who in ("Ada", "Bob O'Hara") for k in range(8)]
    table.write_text("\n".join(["person,time,lat,lon", *rows]) + "\n")
    assert main(["people", str(table), "--commands", str(out)]) == 0
    program = tmp_path / "lmdk"
    program.write_text(
        f'#!/bin/sh\nexec {sys.executable} -m lmdk_widgets.cli "$@" --ledger {tmp_path / "ledger.json"}\n'
    )
    program.chmod(0o700)
    where = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    subprocess.run(["sh", out, table, "48.7,2.2,49,2.5"], cwd=tmp_path, env=where, check=True, capture_output=True)
    made = sorted(tmp_path.glob("releases/*/guarantee.json"))
    assert [each.parent.name for each in made] == ["1", "2"]
    assert all(json.loads(each.read_text("utf-8"))["timestamps"] == 8 for each in made)


def test_the_document_quotes_the_first_numbers_of_the_sample_city() -> None:
    document = re.sub(r"\s+", " ", (Path(__file__).parents[2] / "docs" / "people.md").read_text("utf-8"))
    outcome = evaluate(PeopleChoices())
    assert words.under_said(outcome) in document and words.helps(outcome) in document


@pytest.mark.nightly
def test_the_document_quotes_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    document = (Path(__file__).parents[2] / "docs" / "people.md").read_text("utf-8")
    quoted = document.partition("```text\n")[2].partition("```")[0]
    text = printed(capsys)
    for paragraph in quoted.split("\n\n"):
        assert re.sub(r"\s+", " ", paragraph).strip() in text
    text = printed(capsys, "--scheme", "window", "--epsilon", "0.096")
    assert "Meets your limit. 49 of 1,000 people" in text and "Useful: 15 of 100 people's releases" in text
    assert "(8 to 26, from 60 drawn at random)" in text
