"""A series keeps its unit in all that is computed of it: what the page says, its comparisons, and the saved files."""

from __future__ import annotations

import re
from typing import Any

import pytest

from lmdk_widgets import Explorer, QuiltLab
from tests.pages.track.test_compare import put

CLOCKS = [f"2024-05-04T{k // 6:02d}:{k % 6}0:00Z" for k in range(60)]
PULSE = "\n".join(
    ["time,heart rate (bpm)", *(f"{clock},{60 + 7 * k % 30}" for k, clock in enumerate(CLOCKS)), ""]
).encode()
METRES = r"\d (?:k?m|k?Wh?)\b|\bwatts?\b"


def texts(held: Any) -> list[str]:
    if isinstance(held, dict):
        return [text for key, value in held.items() if key != "fields" for text in texts(value)]
    if isinstance(held, (list, tuple)):
        return [text for value in held for text in texts(value)]
    return [held] if isinstance(held, str) else []


def shown(lab: Any) -> list[dict[str, Any]]:
    """All messages about an uploaded heart rate, with every panel open."""
    sent: list[dict[str, Any]] = []
    lab.send = lambda message, buffers=None: sent.append({**message, "data": b"".join(map(bytes, buffers or []))})
    lab._on_message(None, {"type": "ready", "view": "v"}, [])
    lab._on_message(
        None, {"type": "upload", "id": 1, "name": "pulse.csv", "piece": 0, "pieces": 1, "view": "v"}, [PULSE]
    )
    sent.clear()
    opened = [put(name, True) for name in lab.session.choices.kinds() if name.endswith(".open")]
    lab._on_message(None, {"type": "change", "id": 2, "operations": opened, "commit": True, "view": "v"}, [])
    lab.finish()
    return sent


@pytest.mark.long
@pytest.mark.usefixtures("few_draws")
def test_an_uploaded_heart_rate_is_in_bpm_on_track_and_in_its_files() -> None:
    lab = Explorer()
    sent = shown(lab)
    said = texts([message for message in sent if message["type"] in ("numbers", "clock", "draw")])
    assert sum("bpm" in text for text in said) > 50
    assert not [found for text in said for found in re.findall(METRES, text)]
    for what in ("csv", "table", "comparison", "settings", "defences", "cards"):
        sent.clear()
        lab._on_message(None, {"type": "save", "what": what, "view": "v"}, [])
        lab.finish()
        (heads,) = (message["data"].decode().partition("\n")[0] for message in sent if message["type"] == "file")
        assert not re.search(r"_m\b", heads) and ("_bpm" in heads), what


def test_an_uploaded_heart_rate_is_in_bpm_on_series() -> None:
    said = texts([message for message in shown(QuiltLab()) if message["type"] in ("numbers", "draw")])
    assert sum("bpm" in text for text in said) > 5
    assert not [found for text in said for found in re.findall(METRES, text)]
