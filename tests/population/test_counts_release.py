"""A private release of counts of people: nothing but the noisy counts depends on the table; exact noise; the command."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from lmdk_widgets.budgets import window_totals
from lmdk_widgets.cli import main
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Region
from lmdk_widgets.population.contributions import WHAT, Contributions, Counting
from lmdk_widgets.population.count_streams import stream
from lmdk_widgets.population.counts_release import (
    RELEASED,
    STREAMED,
    Plan,
    check_counts,
    noisy,
    release_counts_of_people,
    rows_text,
)
from lmdk_widgets.population.together import bring_together
from lmdk_widgets.secure.folder import NAMES
from lmdk_widgets.secure.ledger import Ledger
from lmdk_widgets.secure.people_counts import exact_draw
from tests.population.crowds import crowd
from tests.sweeps import generators

COUNTING = Counting(Region(48.75, 2.25, 49.0, 2.5), 4_000.0, "2026-01-05", "2026-01-12", 6, zone="Europe/Paris")
STRANGER = "Zebulon-of-no-other-table"


def plan(scheme: str = "user", **changes) -> Plan:
    chosen = {"counting": COUNTING, "epsilon": 1.0, "most": 3 if scheme == "user" else 1, "window": 4} | changes
    return Plan(scheme=scheme, **chosen)


def seeded(seed: int):
    rng = np.random.default_rng(seed)
    return lambda count: rng.integers(0, 2**64, count, dtype=np.uint64)


def two_cities(people: int = 6, seed: int = 1) -> tuple:
    """The rows of a city, and of the same with one person more, who has a new day and a new place too."""
    table = crowd(people, most=60, seed=seed)
    added = crowd(2, most=160, seed=seed + 50)
    added = added[added.person == "p0001"].assign(person=STRANGER)
    far = added.tail(1).assign(time=pd.Timestamp("2031-07-09", tz="UTC"), latitude=48.9911)
    return tuple(map(bring_together, (table, pd.concat([table, added, far]))))


@pytest.mark.parametrize("what", list(WHAT))
@pytest.mark.parametrize("scheme", [name for name in RELEASED if name not in STREAMED])
def test_two_neighbouring_cities_differ_in_the_counts_only(tmp_path, scheme, what) -> None:
    """Byte for byte, with the same randomness: only counts differ, by what the noise is for, and the digest of these."""
    counting = Counting(COUNTING.region, 8_000.0, "2026-01-05", "2026-01-12", 6, False, what, "Europe/Paris")
    chosen, files = plan(scheme, counting=counting), []
    for k, rows in enumerate(two_cities()):
        folder = tmp_path / f"{k}"
        release_counts_of_people(rows, chosen, folder, Ledger(tmp_path / f"{k}.json"), entropy=seeded(5))
        assert sorted(path.name for path in folder.iterdir()) == sorted(NAMES)
        files.append({name: (folder / name).read_bytes().decode() for name in NAMES})
    one, two = files
    told = [json.loads(each["guarantee.json"]) for each in files]
    digests = [each.pop("release_sha256") for each in told]
    assert told[0] == told[1]
    for name in ("guarantee.json", "guarantee.html"):
        assert one[name].replace(digests[0], "") == two[name].replace(digests[1], "")
    rows = [each["release.csv"].split("\n") for each in files]
    assert [line.rpartition(",")[0] for line in rows[0]] == [line.rpartition(",")[0] for line in rows[1]]
    values = [np.array([int(line.rpartition(",")[2]) for line in each[1:-1]]) for each in rows]
    change = int(np.abs(values[0] - values[1]).sum())
    found = Contributions.of(two_cities()[1], counting)
    of_person = int(found.each[found.names == STRANGER][0])
    assert of_person > 0
    assert change == min(3, of_person) if scheme == "user" else 0 < change <= of_person
    for text in two.values():
        assert STRANGER not in text and "2031" not in text and "48.9911" not in text and "p000" not in text


def test_what_is_cut_of_a_person_is_drawn_anew_for_each_release() -> None:
    """With next to no noise, what is left are the contributions that count."""
    found, loud = Contributions.of(two_cities()[0], COUNTING), plan(epsilon=3_000.0)
    one, same, other = (noisy(found, loud, seeded(seed)) for seed in (1, 1, 2))
    assert (one == same).all() and (one != other).any()
    assert one.sum() == other.sum() == np.minimum(found.each, 3).sum()


def test_one_person_more_in_a_stream_changes_one_count_of_a_slot() -> None:
    """With comparisons, what is published depends on the counts; which rows there are does not."""
    texts = [
        rows_text(COUNTING, noisy(Contributions.of(rows, COUNTING), plan("budget-absorption"), seeded(3)))
        for rows in two_cities()
    ]
    parts = [[line.rpartition(",")[0] for line in text.split("\n")] for text in texts]
    assert parts[0] == parts[1] and len(parts[0]) == len(COUNTING) + 2


def test_a_stream_keeps_every_window_within_epsilon_with_exact_noise() -> None:
    for rng in generators(595, 20):
        found = Contributions.of(two_cities(seed=int(rng.integers(40)))[0], COUNTING)
        for scheme in STREAMED:
            true = found.by_bin(np.ones(len(found), bool))
            made = stream(true, scheme, 1.0, 4, exact_draw(seeded(int(rng.integers(99)))))
            assert (window_totals(made.budgets, 4) <= 1.0).all()


@pytest.mark.parametrize("rate", [Fraction(1, 20), Fraction(1), Fraction(3), Fraction(0.1)])
def test_the_exact_noise_has_its_distribution(rate) -> None:
    values = exact_draw(seeded(7))(rate, 40_000)
    q = math.exp(-float(rate))
    for k in range(-3, 4):
        chance = (1 - q) / (1 + q) * q ** abs(k)
        assert abs((values == k).mean() - chance) < 6 * math.sqrt(chance * (1 - chance) / len(values)) + 1e-9


def test_noise_that_does_not_fit_is_refused() -> None:
    with pytest.raises(InputError, match="rate of the noise"):
        exact_draw(seeded(1))(Fraction(1, 2**41), 1)
    assert (exact_draw(seeded(1))(Fraction(5_000), 9) == 0).all()


def test_a_table_is_released_once_and_the_ledger_tells_nobody_of_it(tmp_path) -> None:
    rows, _ = two_cities()
    ledger = Ledger(tmp_path / "ledger.json")
    release_counts_of_people(rows, plan(), tmp_path / "one", ledger)
    with pytest.raises(InputError, match="Data must be released only once"):
        release_counts_of_people(rows, plan("event"), tmp_path / "two", ledger)
    assert not (tmp_path / "two").exists()
    told = release_counts_of_people(rows, plan("event"), tmp_path / "two", ledger, again=True)
    assert told["release_of_these_data"] == 2
    entries = ledger.entries()
    assert [(entry["scheme"], entry["epsilon"]) for entry in entries] == [("user", 1.0), ("event", 1.0)]
    assert "p000" not in ledger.path.read_text()
    one, two = ((tmp_path / name / "release.csv").read_text() for name in ("one", "two"))
    assert one != two


def test_a_release_is_checked_and_a_changed_one_is_noticed(tmp_path) -> None:
    ledger = Ledger(tmp_path / "ledger.json")
    folder = tmp_path / "out"
    release_counts_of_people(two_cities()[0], plan("window"), folder, ledger)
    assert all(holds for holds, _ in check_counts(folder, ledger))
    assert [holds for holds, _ in check_counts(folder)] == [True] * 8 + [None]
    texts = {name: (folder / name).read_text() for name in NAMES}
    first = texts["release.csv"].split("\n")[1]
    for name, old, new in (
        ("release.csv", first, first + "0"),
        ("release.csv", first + "\n", ""),
        ("guarantee.json", '"epsilon": 1.0', '"epsilon": 0.5'),
        ("guarantee.html", "one person", "no person"),
    ):
        (folder / name).write_text(texts[name].replace(old, new, 1))
        assert False in [holds for holds, _ in check_counts(folder, ledger)]
        (rows,) = [holds for holds, said in check_counts(folder) if "for each public cell" in said]
        assert rows == (name != "release.csv" or new == first + "0")
        (folder / name).write_text(texts[name])
    (folder / "guarantee.json").write_text("{}")
    with pytest.raises(InputError, match="damaged"):
        check_counts(folder)


def command(tmp_path, *more: str) -> int:
    table = tmp_path / "rides.csv"
    if not table.exists():
        crowd(5, most=60, seed=2).to_csv(table, index=False)
    how = ["--region", "48.75,2.25,49,2.5", "--from", "2026-01-05", "--until", "2026-01-12", "--cell", "4000"]
    how += ["--slot", "24", "--epsilon", "1", "--ledger", str(tmp_path / "ledger.json"), "--timezone", "Europe/Paris"]
    return main(["release", str(table), *how, "--out", str(tmp_path / "out"), *more])


def test_the_command_releases_and_checks(tmp_path, capsys) -> None:
    assert command(tmp_path, "--counts", "3", "--scheme", "user") == 0
    assert "Adding or removing one person, with everything" in capsys.readouterr().out
    where = ["--ledger", str(tmp_path / "ledger.json")]
    assert main(["release", "--check", str(tmp_path / "out"), *where]) == 0
    assert capsys.readouterr().out.count("Holds: ") == 9
    assert main(["release", "--check", str(tmp_path / "out"), "--received"]) == 0
    assert "Cannot be checked: Only the owner" in capsys.readouterr().out
    (tmp_path / "out" / "release.csv").write_text("time,latitude,longitude,count\n")
    assert main(["release", "--check", str(tmp_path / "out"), *where]) == 2


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--counts", "3"), "must have one of the schemes event, user"),
        (("--counts", "3", "--scheme", "event"), "the limit must be 1"),
        (("--counts", "1", "--scheme", "window"), "must have a --window"),
        (("--counts", "3", "--scheme", "user", "--window", "3"), "must have no --window"),
        (("--counts", "1", "--scheme", "window", "--window", "99"), "at most the 7 time slots"),
        (("--counts", "1", "--scheme", "budget-absorption", "--window", "2", "--weekly"), "must not be weekly"),
        (("--counts", "3", "--scheme", "user", "--subject", "Ada"), "has no --subject"),
        (("--counts", "3", "--scheme", "user", "--limit", "2"), "has no --limit"),
        (("--counts", "3", "--scheme", "user", "--slot", "5"), "whole number of time slots"),
        (("--scheme", "user"), "must have --counts"),
    ],
)
def test_the_command_refuses_in_a_sentence_and_spends_nothing(tmp_path, capsys, more, said) -> None:
    assert command(tmp_path, *more) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "ledger.json").exists() and not (tmp_path / "out").exists()
