"""Forged releases: whatever is changed in a folder, `--check` with the ledger does not accept it.

Without the ledger it says what it cannot know."""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from lmdk_widgets import cli
from lmdk_widgets.budgets import FIXED_SCHEMES, allocate
from lmdk_widgets.errors import InputError
from lmdk_widgets.secure.check import Line, check_release
from lmdk_widgets.secure.folder import digest_of, guarantee_page, guarantee_text, whole_guarantee
from lmdk_widgets.secure.ledger import Ledger
from lmdk_widgets.secure.published import read_release
from lmdk_widgets.secure.series import SeriesSettings, release_series
from lmdk_widgets.secure.spending import RELEASED_SCHEMES
from lmdk_widgets.secure.together import Together
from lmdk_widgets.secure.track import PLANAR_LAPLACE, Settings, release_track
from lmdk_widgets.trajectory import Series, Trajectory, sample
from tests.sweeps import generators

REGION = (48.75, 2.25, 49.0, 2.5)
SUMS = ("largest_sum_over_landmarks_and_one_other", "sum_over_all_timestamps")


class Made(NamedTuple):
    """A release, its ledger and its subject."""

    folder: Path
    ledger: Path
    subject: str


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Made]:
    """Releases of several kinds in one ledger."""
    pytest.importorskip("opendp")
    here = tmp_path_factory.mktemp("made")
    ledger, bob = Ledger(here / "spent.json"), sample("bob")
    for name, settings in {
        "uniform": Settings(landmarks=(0, 2, 4, 7), region=REGION),
        "skip": Settings(scheme="skip", landmarks=(2, 4), origin=(48.9, 2.3)),
        "window": Settings(scheme="window", landmarks=(2,), window=3, origin=(48.9, 2.3)),
        "adaptive": Settings(scheme="adaptive", landmarks=(1, 5), chance=0.3, origin=(48.9, 2.3)),
        "comparing": Settings(scheme="budget-absorption", epsilon=3.0, landmarks=(0,), window=2, region=REGION),
        "by hand": Settings(
            scheme="given", budgets=(0.3, 0, 0.1, 0.7, 0.7, 0, 0.2, 0.1), landmarks=(3,), region=REGION
        ),
    }.items():
        release_track(bob, settings, here / name, ledger, subject=name, again=True)
    hours = np.datetime64("2026-03-01T00:00:00") + 3600 * np.arange(9)
    for name, asked in {
        "counts": SeriesSettings("weighted", sensitivity=2, landmarks=(1,)),
        "numbers": SeriesSettings("budget-distribution", 200.0, (3,), window=3, low=0.0, high=5.0),
    }.items():
        release_series(Series(hours, values=np.arange(9.0) % 4), asked, here / name, ledger, subject=name, again=True)
    release_track(bob, Settings(landmarks=(0,), region=REGION), here / "more", ledger, subject="uniform", again=True)
    return {name: Made(here / name, ledger.path, name) for name in (*_KINDS,)}


_KINDS = ("uniform", "skip", "window", "adaptive", "comparing", "by hand", "counts", "numbers")


def checked(release: Made, folder: Path | None = None, *, received: bool = False) -> list[Line]:
    ledger = None if received else Ledger(release.ledger)
    return check_release(folder or release.folder, ledger, subject=release.subject)


def accepted(release: Made, folder: Path, *, received: bool = False) -> bool:
    """Whether nothing is found; a sentence counts as refused, and anything else as a fault."""
    try:
        return not any(line.holds is False for line in checked(release, folder, received=received))
    except InputError:
        return False


def copied(release: Made, folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    return Path(shutil.copytree(release.folder, folder))


def forge(folder: Path, told: dict[str, Any], text: str) -> None:
    """Write all files as the program would, with digests that fit: what someone does who knows it well."""
    told["release_sha256"] = digest_of(text)
    told["words"] = [] if "frame" not in told else told["words"]
    (folder / "release.csv").write_text(text)
    (folder / "guarantee.json").write_text(guarantee_text(told))
    (folder / "guarantee.html").write_text(guarantee_page(told))


def consistent(told: dict[str, Any]) -> dict[str, Any]:
    """The guarantee with the sentences that follow from its numbers."""
    whole = whole_guarantee(PLANAR_LAPLACE.restated(told), Together.stated(told), told["release_sha256"])
    assert whole.keys() == told.keys()
    return whole


@pytest.mark.parametrize("kind", _KINDS)
def test_what_was_released_holds(kind: str, made: dict[str, Made]) -> None:
    lines = checked(made[kind])
    assert not [line for line in lines if line.holds is False]
    assert not [line for line in lines if line.holds is None], "with the ledger everything is known"
    received = checked(made[kind], received=True)
    assert not [line for line in received if line.holds is False]
    (unknown,) = [line.text for line in received if line.holds is None]
    assert unknown.startswith("Only the owner’s ledger shows that the sums")


def rows_changed(text: str) -> Iterator[tuple[str, str]]:
    """release.csv with one change each."""
    heading, *rows = text.splitlines()
    if len(rows) < 2:
        pytest.skip("the scheme measured only one timestamp")
    first, second, *rest = rows
    values = [row.partition(",")[2] for row in (first, second)]
    times = [row.partition(",")[0] for row in (first, second)]

    def of(*changed: str) -> str:
        return "\n".join([heading, *changed]) + "\n"

    yield "swapped places", of(f"{times[0]},{values[1]}", f"{times[1]},{values[0]}", *rest)
    yield "equal places", of(f"{times[0]},{values[0]}", f"{times[1]},{values[0]}", *rest)
    yield "swapped rows", of(second, first, *rest)
    yield "a row twice", of(first, first, *rest)
    yield "a row less", of(second, *rest)
    yield "a row more", of(first, second, *rest, rows[-1])
    yield "a moved second", of(first.replace(":00.000Z", ":07.000Z", 1), second, *rest)
    yield "a moved millisecond", of(first.replace(".000Z", ".001Z", 1), second, *rest)
    yield "a moved minute", of(re.sub(r":\d\d:00\.000Z", ":59:00.000Z", first, count=1), second, *rest)
    yield "another year", of(first.replace("2026", "2025", 1), second, *rest)
    for value in ("nan", "NaN", "inf", "-inf", "1e999", "", "0x10", "1_0", "١", "--1", "Infinity"):
        yield f"a value {value}", of(f"{times[0]},{value}{',2.3' if ',' in values[0] else ''}", second, *rest)
        yield f"all values {value}", of(*(",".join([row.split(",")[0], *[value] * row.count(",")]) for row in rows))
    yield "no time", of(f",{values[0]}", second, *rest)
    yield "a day that does not exist", of(re.sub(r"-\d\dT", "-31T", first.replace("-03-", "-02-")), second, *rest)
    yield "a column more", of(f"{first},epsilon 0.001", second, *rest)
    yield "another heading", text.replace(heading, heading + ",note")
    yield "a comment", text + "# checked by an expert\n"
    yield "other line ends", text.replace("\n", "\r\n")
    yield "no last line end", text.rstrip("\n")
    yield "nothing", ""
    yield "a heading alone", heading + "\n"
    yield "a mark at its start", "\ufeff" + text


@pytest.mark.long
@pytest.mark.parametrize("kind", _KINDS)
def test_no_changed_file_of_values_is_accepted(kind: str, made: dict[str, Made], tmp_path: Path) -> None:
    release = made[kind]
    seen = 0
    for name, text in rows_changed((release.folder / "release.csv").read_text()):
        if text == (release.folder / "release.csv").read_text():
            continue
        folder = copied(release, tmp_path / "forged")
        (folder / "release.csv").write_text(text, newline="")
        assert not accepted(release, folder), name
        assert not accepted(release, folder, received=True), f"{name}: the digest alone shows it"
        told = json.loads((folder / "guarantee.json").read_text())
        told["release_sha256"] = digest_of(text)
        (folder / "guarantee.json").write_text(guarantee_text(told))
        (folder / "guarantee.html").write_text(guarantee_page(told))
        assert not accepted(release, folder), f"{name}, with its digest"
        if any(word in name for word in ("value", "column", "heading", "comment", "row less", "row more", "nothing")):
            assert not accepted(release, folder, received=True), f"{name}, with its digest, without the ledger"
        seen += 1
    assert seen >= 35


def numbers_in(told: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all numbers and texts in a guarantee."""
    if isinstance(told, dict | list):
        for key, value in told.items() if isinstance(told, dict) else enumerate(told):
            yield from numbers_in(value, (*path, key))
    else:
        yield path


def changed(told: dict[str, Any], path: tuple[Any, ...], change: Callable[[Any], Any]) -> dict[str, Any]:
    found = json.loads(json.dumps(told))
    at = found
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = change(at[path[-1]])
    return found


CHANGES: tuple[Callable[[Any], Any], ...] = (
    lambda value: value * 10 if isinstance(value, int | float) else f"{value} ",
    lambda value: value / 10 if isinstance(value, float) else value - 1 if isinstance(value, int) else "",
    lambda value: value * (1 + 1e-12) if isinstance(value, float) else -1,
    lambda value: float("nan"),
    lambda value: float("inf"),
    lambda value: 10**400,
    lambda value: True,
    lambda value: None if value is not None else 0,
    lambda value: "0",
    lambda value: [],
    lambda value: {},
    lambda value: float(value) if type(value) is int else 1e308,
    lambda value: -value if isinstance(value, int | float) and value else 5e-324,
)


@pytest.mark.long
@pytest.mark.parametrize(
    "kind",
    [
        kind if kind in ("uniform", "comparing", "counts") else pytest.param(kind, marks=pytest.mark.nightly)
        for kind in _KINDS
    ],
)
def test_no_changed_number_or_sentence_is_accepted(kind: str, made: dict[str, Made], tmp_path: Path) -> None:
    release = made[kind]
    told = json.loads((release.folder / "guarantee.json").read_text())
    folder, seen = copied(release, tmp_path / "forged"), 0
    for path in numbers_in(told):
        for change in CHANGES:
            other = changed(told, path, change)
            if guarantee_text(other) == guarantee_text(told):
                continue
            (folder / "guarantee.json").write_text(guarantee_text(other))
            assert not accepted(release, folder), path
            seen += 1
            if path[0] == "words" and isinstance(other["words"][path[1]], str):
                (folder / "guarantee.html").write_text(guarantee_page(other))
                assert not accepted(release, folder, received=True), path
                shutil.copy(release.folder / "guarantee.html", folder)
    assert seen > 300
    for text in (
        guarantee_text(told).replace("{", '{"sum_over_all_timestamps": 0.1,', 1),
        json.dumps(told),
        "[" * 10**5,
    ):
        (folder / "guarantee.json").write_text(text)
        assert not accepted(release, folder) and not accepted(release, folder, received=True)


@pytest.mark.parametrize("factor", [0.1, 0.5, 0.999, 1.001, 10.0])
@pytest.mark.parametrize("kind", ["uniform", "skip", "window", "adaptive", "comparing", "by hand"])
def test_a_guarantee_that_is_too_good_with_fitting_sentences(
    kind: str, factor: float, made: dict[str, Made], tmp_path: Path
) -> None:
    """The numbers are changed alone, then those of all releases too, then the noise; every file fits the numbers."""
    release, folder = made[kind], tmp_path / "forged"
    told = json.loads((release.folder / "guarantee.json").read_text())
    text = (release.folder / "release.csv").read_text()

    def scaled(*names: str) -> dict[str, Any]:
        every = told["all_releases_of_the_subject"]
        sums = {name: value * factor if name != "releases" else value for name, value in every.items()}
        other = {name: told[name] * factor for name in SUMS if name in names}
        if "every" in names:
            other["all_releases_of_the_subject"] = sums
        if "noise" in names:
            total = next(name for name in told if name.startswith("epsilon_per_m_of_all"))
            other |= {total: told[total] * factor, "epsilon": told["epsilon"] * factor}
            other["epsilon_per_m_of_a_point"] = [rate * factor for rate in told["epsilon_per_m_of_a_point"]]
        return consistent({**told, **other})

    for names in ((SUMS[0],), SUMS, (*SUMS, "every"), ("every",), (*SUMS, "every", "noise")):
        copied(release, folder)
        forge(folder, scaled(*names), text)
        assert not accepted(release, folder), names
        loose = kind in ("by hand", "adaptive", "comparing")  # whose budgets are not those of a formula
        if "noise" not in names and not (loose and 0.1 < factor < 10):
            assert not accepted(release, folder, received=True), names
    assert accepted(release, folder, received=True), "all of it together is what only the ledger can show"


def test_fixed_budgets_depend_on_the_number_of_landmarks_alone() -> None:
    for rng in generators(61, 30):
        n = int(rng.integers(2, 40))
        count = int(rng.integers(0, n + 1))
        for scheme in set(FIXED_SCHEMES) & set(RELEASED_SCHEMES):
            first = allocate(scheme, n, range(count), 0.7, window=min(n, 3))
            other = allocate(scheme, n, rng.choice(n, count, replace=False).tolist(), 0.7, window=min(n, 3))
            assert sorted(first) == sorted(other) and sorted(first[:count]) == pytest.approx(sorted(first[:count]))


def test_a_forged_page_is_found(made: dict[str, Made], tmp_path: Path) -> None:
    release = made["uniform"]
    folder = copied(release, tmp_path / "forged")
    page = (folder / "guarantee.html").read_text()
    for name, other in {
        "a sentence": page.replace("spend at most 1 together", "spend at most 0.1 together"),
        "a number": page.replace("<td>1.6</td>", "<td>0.16</td>"),
        "what it checks by": page.replace('"sum_over_all_timestamps": 1.', '"sum_over_all_timestamps": 0.1'),
        "more": page.replace("</h1>", "</h1><p>Audited.</p>"),
        "hidden": page.replace("</style>", "ul { display: none; }</style>"),
        "another script": page.replace("</body>", "<script>1</script></body>"),
    }.items():
        assert other != page, name
        (folder / "guarantee.html").write_text(other)
        assert not accepted(release, folder) and not accepted(release, folder, received=True), name
    script = page.replace('<script type="module">', '<script type="module">/* all holds */', 1)
    (folder / "guarantee.html").write_text(script)
    assert not accepted(release, folder)
    lines = checked(release, folder, received=True)
    assert any(line.holds is None and "not the one of this version" in line.text for line in lines)
    (folder / "guarantee.html").unlink()
    assert accepted(release, folder) and accepted(release, folder, received=True)
    assert Line(None, "The folder has no guarantee.html.") in checked(release, folder)


def test_another_release_s_files_are_not_accepted(made: dict[str, Made], tmp_path: Path) -> None:
    """Two releases of the same minutes: their files may not be exchanged, and neither may their subjects."""
    one, other = made["uniform"], made["uniform"]._replace(folder=made["uniform"].folder.parent / "more")
    assert accepted(other, other.folder), "the second of the subject"
    for names in (("release.csv",), ("guarantee.json",), ("guarantee.html",), ("guarantee.json", "guarantee.html")):
        folder = copied(one, tmp_path / "mixed")
        for name in names:
            shutil.copy(other.folder / name, folder / name)
        assert not accepted(one, folder), names
    for other in (one._replace(subject="skip"), one._replace(ledger=tmp_path / "none.json")):
        with pytest.raises(InputError, match="must be in the ledger"):
            checked(other)
    assert not list(tmp_path.glob("none.json*")), "a check creates no ledger"


def test_random_damage_never_ends_in_a_traceback(made: dict[str, Made], tmp_path: Path) -> None:
    rng = random.Random(7)
    for kind in ("uniform", "numbers"):
        release = made[kind]
        for _ in range(60):
            folder = copied(release, tmp_path / "damaged")
            path = folder / rng.choice(["guarantee.json", "release.csv", "guarantee.html"])
            content = bytearray(path.read_bytes())
            for _ in range(rng.randint(1, 4)):
                at = rng.randrange(len(content))
                content[at : at + rng.choice([0, 1, 1, 50])] = bytes(
                    rng.randrange(256) for _ in range(rng.randint(0, 3))
                )
            if content == path.read_bytes():
                continue
            path.write_bytes(content)
            assert not accepted(release, folder)
            accepted(release, folder, received=True)


def test_the_command_says_what_cannot_be_checked(made: dict[str, Made], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["release", "--check", str(made["skip"].folder), "--received"]) == 0
    said = capsys.readouterr().out
    assert "Cannot be checked: Only the owner’s ledger" in said and "goes unnoticed without it" in said
    call = ["release", "--check", str(made["skip"].folder), "--subject", "skip", "--ledger", str(made["skip"].ledger)]
    assert cli.main(call) == 0
    said = capsys.readouterr().out
    assert "Cannot be checked" not in said
    assert said.count("is, byte for byte, the file that was released") == 3


def test_several_timestamps_in_a_minute_are_checked_too(tmp_path: Path) -> None:
    bob, ledger = sample("bob"), Ledger(tmp_path / "spent.json")
    quick = Trajectory(bob.latitude, bob.longitude, bob.time[0] + 13 * np.arange(8).astype("timedelta64[s]"))
    release_track(quick, Settings(landmarks=(0, 5), region=REGION), tmp_path / "a", ledger)
    lines = check_release(tmp_path / "a", ledger)
    assert not any(line.holds is False for line in lines)
    assert any(line.holds is None and line.text.startswith("Some minutes have several timestamps") for line in lines)
    assert read_release(tmp_path / "a").rows == 8
