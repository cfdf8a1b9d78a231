"""The page in the folder of a release of counts, as the command writes it: it says the same of every table."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from lmdk_widgets.cli import main
from lmdk_widgets.secure.folder import NAMES
from tests.browser import browser, page
from tests.population.crowds import crowd, walker

LIMITS = {"user": 3, "event": 1, "window": 1, "budget-distribution": 1, "budget-absorption": 1}
"""The schemes, and the limit on a person under each."""

WINDOW = 2
STRANGER = "Zebulon-of-no-other-table"
ALLOWED = {*("html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "table", "tr", "th", "td", "ul", "li")}
ALLOWED |= {*("label", "input", "noscript", "script")}
REGION = "48.75,2.25,49,2.5"


def released(folder: Path, table: pd.DataFrame, scheme: str, *more: str) -> dict[str, bytes]:
    """The files of a release of the command, with noise of the operating system."""
    folder.mkdir()
    table.to_csv(folder / "rides.csv", index=False)
    told = ["--region", REGION, "--from", "2026-01-05", "--until", "2026-01-12", "--cell", "6000", "--slot", "24"]
    told += ["--epsilon", "0.75", "--timezone", "Europe/Paris", "--ledger", str(folder / "ledger.json")]
    told += ["--scheme", scheme, "--counts", str(LIMITS[scheme])]
    told += [] if scheme in ("user", "event") else ["--window", str(WINDOW)]
    assert main(["release", str(folder / "rides.csv"), *told, "--out", str(folder / "out"), *more]) == 0
    files = {path.name: path.read_bytes() for path in (folder / "out").iterdir()}
    assert sorted(files) == sorted(NAMES)
    return files


def one_more(table: pd.DataFrame, seed: int) -> pd.DataFrame:
    """The same city with one person more, who was there first and last, and farther north than anybody."""
    added = walker(np.random.default_rng(seed), STRANGER, 300)
    ends = pd.to_datetime(["2019-08-07T06:05:43Z", "2031-07-09T03:21:57Z"])
    added = pd.concat(
        [added, pd.DataFrame({"person": STRANGER, "time": ends, "latitude": 48.9917, "longitude": 2.4719})]
    )
    return pd.concat([added, table], ignore_index=True)


class Read(HTMLParser):
    """A page as its tags, its rows and its texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.said: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert not self.open, "every element is closed"

    def handle_starttag(self, tag, attributes) -> None:
        self.tags.append((tag, dict(attributes)))
        if tag not in ("meta", "link", "br", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data) -> None:
        if data.strip() and "style" not in self.open:
            self.said.append((self.open[-1], data.strip()))

    def of(self, *tags: str) -> list[str]:
        return [text for tag, text in self.said if tag in tags]


@pytest.mark.parametrize("scheme", LIMITS)
def test_files_of_two_neighbouring_cities_differ_in_the_noisy_counts_only(tmp_path, scheme) -> None:
    """Byte for byte, with noise that is drawn anew: whatever else differs would tell the cities apart for certain."""
    table = crowd(5, most=60, seed=len(scheme))
    one, two = (released(tmp_path / name, city, scheme) for name, city in (("a", table), ("b", one_more(table, 3))))
    digests = [json.loads(files["guarantee.json"])["release_sha256"].encode() for files in (one, two)]
    without = [files["guarantee.json"].replace(digest, b"") for files, digest in zip((one, two), digests, strict=True)]
    assert without[0] == without[1]
    pages = [files["guarantee.html"].replace(digest, b"") for files, digest in zip((one, two), digests, strict=True)]
    assert pages[0] == pages[1]
    assert scheme.startswith("budget") or digests[0] != digests[1], "a stream may have published nothing"
    public = [re.sub(rb",-?\d+$", b",", files["release.csv"], flags=re.M) for files in (one, two)]
    assert public[0] == public[1]


def test_a_city_of_nobody_who_counts_has_the_same_page(tmp_path) -> None:
    """All rows outside the region, or three times as many people: how many there are is no public number."""
    pages = set()
    for k, table in enumerate((crowd(2, seed=1).assign(latitude=12.0), crowd(3, seed=1), crowd(9, seed=2))):
        files = released(tmp_path / f"{k}", table, "user")
        pages.add(files["guarantee.html"].replace(json.loads(files["guarantee.json"])["release_sha256"].encode(), b""))
    assert len(pages) == 1


@pytest.mark.parametrize("scheme", LIMITS)
def test_every_number_on_the_page_is_a_public_one_and_right(tmp_path, scheme) -> None:
    """The page is read with the standard library, and each of its numbers is computed here from the command alone."""
    files = released(tmp_path / "a", one_more(crowd(6, seed=9), 9), scheme)
    text, told = files["guarantee.html"].decode(), json.loads(files["guarantee.json"])
    read = Read(text)
    rows = dict(zip(read.of("th"), read.of("td"), strict=True))
    # squares of 6 km of the global grid with their middle in the region
    south, west, north, east = map(float, REGION.split(","))
    up = 6_000 / 111_195
    across = up / np.cos(np.radians((south + north) / 2))
    cells = (round(north / up) - round(south / up)) * (round(east / across) - round(west / across))
    most = {"Contributions of a person, at most": "3"} if scheme == "user" else {}
    window = {} if scheme in ("user", "event") else {"Time slots in a row": "2"}
    shown = {
        "Epsilon, for what the first sentence below says": "0.75",
        "Scheme": scheme,
        **most,
        **window,
        "Counts": str(7 * cells),
        "Side of a cell, m; time slot, h": "6000; 24",
        "Region: south, west, north and east, degrees": "48.75, 2.25, 49, 2.5",
        "Period, by the clock of its zone": "2026-01-05T00 to 2026-01-12T00; Europe/Paris",
        "Noise": "discrete Laplace noise, exact",
    }
    assert rows == shown
    assert files["release.csv"].count(b"\n") == 1 + 7 * cells
    words = read.of("li")
    assert words == told["words"]
    numbers = [float(each) for each in re.findall(r"(?<![\w.])\d+(?:\.\d+)?", " ".join(words).replace("e^", ""))]
    said = {
        "user": [0.75, 1.5, 3, 3 / 0.75],
        "event": [0.75, 1.5, 1 / 0.75],
        "window": [WINDOW, 0.75, 1.5, WINDOW / 0.75],
    }.get(scheme, [WINDOW, 0.75, 1.5])
    assert numbers == pytest.approx(said, rel=1e-5)
    protected = {"user": "one person, with everything", "event": "one contribution of one person"}
    assert protected.get(scheme, "whatever one person did in any 2 time slots in a row") in words[0]
    assert set(read.of("title", "h1", "h2", "p")) == {
        "What this release promises",
        "This release",
        "In words",
        "Check your file",
        "A script on this page checks the file. Scripts are switched off here.",
        "The file stays in this browser: the page cannot send or fetch anything.",
        "This is a private release of counts of people, and not a simulation. guarantee.json says the same.",
    }


def test_the_page_names_nobody_and_fetches_nothing(tmp_path) -> None:
    files = released(tmp_path / "a", one_more(crowd(6, seed=9), 9), "user")
    digest = json.loads(files["guarantee.json"])["release_sha256"].encode()
    for name, file in files.items():
        content = file.replace(digest, b"")  # which may have any digits
        for secret in (STRANGER, "p0001", "rides", "2019-", "2031-", "48.9917", "2.4719", str(tmp_path)):
            assert secret.encode() not in content, (name, secret)
    read = Read(files["guarantee.html"].decode())
    assert {tag for tag, _ in read.tags} <= ALLOWED
    assert not any(name in attributes for _, attributes in read.tags for name in ("src", "href", "onclick", "action"))
    (rule,) = (each["content"] for _, each in read.tags if "http-equiv" in each)
    assert "default-src 'none'" in rule
    assert not re.search(rb"https?:|url\(|@import", files["guarantee.html"])


@pytest.mark.browser
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (400, True)])
def test_the_page_fits_its_window_and_asks_for_nothing(tmp_path, width, dark) -> None:
    released(tmp_path / "a", crowd(4, seed=1), "budget-absorption")
    with browser() as chromium, page(chromium, width=width, dark=dark) as shown:
        shown.goto((tmp_path / "a" / "out" / "guarantee.html").as_uri())
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
        assert shown.locator("li").count() == 6 and shown.locator("th").count() == 8
        colours = shown.evaluate("[document.body, document.querySelector('li')].map((e) => getComputedStyle(e).color)")
        assert colours[0] == colours[1] != shown.evaluate("getComputedStyle(document.body).backgroundColor")
