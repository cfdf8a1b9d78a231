"""A format more is one module, an example and its test: one is added to a copy, offered, read and named in the documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.dummies.copied import Copy

MODULE = '''"""Reading a log of a test: "#walk", then a time, a latitude and a longitude in each line."""

from __future__ import annotations

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.raw import RawPoints, read_degrees
from lmdk_widgets.trajectory.source import Contents, Format


def read(file: Contents) -> RawPoints:
    """The points of a log, by their lines; times are UTC by definition."""
    lines = file.data.decode("utf-8", "replace").splitlines()[1:]
    cells = [(line.split() + ["", "", ""])[:3] for line in lines if line.strip()]
    if not cells:
        raise InputError("A walk must have a line behind its first", value="none")
    latitude, unread = read_degrees([cell[1] for cell in cells], "latitude")
    longitude, more = read_degrees([cell[2] for cell in cells], "longitude")
    numbers = np.arange(2, len(cells) + 2)
    points = RawPoints(latitude, longitude, [cell[0] for cell in cells], numbers, "line", more | unread)
    points.fixed_zone = "a walk defines"
    return points


FORMAT = Format("Walk", (".walk",), lambda file: file.beginning.startswith(b"#walk"), read, written_by="a test")
'''
TEST = '''"""A walk is read, and whatever is done to its file, the answer is a track or a sentence."""

import random

from lmdk_widgets.trajectory import load_trajectory
from tests.trajectory.test_load_fuzz import mutated, survives

VALID = b"#walk\\n2026-01-26T10:00:00 48.5 2.5\\n2026-01-26T10:01:00 48.6 2.6\\n"


def test_a_walk_is_read() -> None:
    track = load_trajectory(VALID)
    assert track.latitude.tolist() == [48.5, 48.6] and str(track.time[1]).startswith("2026-01-26T10:01:00.000")


def test_changed_walks() -> None:
    rng = random.Random(1)
    assert sum(survives(mutated(VALID, rng), rng) for _ in range(200)) > 10
'''
EXAMPLES = "tests/trajectory/test_example_files.py"
WALK = """
import sys
from pathlib import Path

import lmdk_widgets
from lmdk_widgets import Explorer
from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory import load_trajectory

assert Path(lmdk_widgets.__file__).is_relative_to(sys.argv[1])
data = b"#walk\\n2026-01-26T10:00:00 48.5 2.5\\n2026-01-26T10:01:00 48.6 2.6\\n"
page, sent = Explorer(), []
page.send = lambda content, buffers=None: sent.append(content)
page._handle_custom_msg({"type": "ready", "view": "v"}, [])
(options,) = [each for each in sent if each["type"] == "options"]
assert ".walk" in options["suffixes"].split(",") and "Walk" in options["formats"]
page._handle_custom_msg({"type": "upload", "view": "v", "id": 1, "name": "a.walk", "piece": 0, "pieces": 1}, [data])
assert page.trajectory.latitude.tolist() == [48.5, 48.6], sent
try:
    load_trajectory(b"%PDF")
except InputError as error:
    assert "Walk" in str(error)
"""


@pytest.mark.nightly
@pytest.mark.slow
def test_a_format_more_is_one_module_an_example_and_its_test(tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    copy.new("lmdk_widgets/trajectory/formats/walk.py", MODULE)
    copy.new("tests/trajectory/test_walk.py", TEST)
    example = '    Example("log.walk", lambda: b"#walk\\n2026-01-26T10:00:00 48.5 2.5\\n", 1, "Walk"),\n'
    copy.insert("tests/trajectory/example_files.py", example, '    Example("walk.gpx",')
    copy.follows("Add a track format", "walk", most=3)
    copy.run("-c", WALK, str(tmp_path))
    copy.run("docs/tables.py")
    assert "| Walk | a test | |" in (tmp_path / "docs" / "own_data.md").read_text("utf-8")
    copy.run("-m", "pytest", "-q", "tests/trajectory/test_walk.py", "tests/trajectory/test_formats.py", EXAMPLES)
