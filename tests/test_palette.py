"""Colours have one home, `lmdk_widgets/palette.py`: what is generated from it is up to date, and none stands elsewhere."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from lmdk_widgets import palette

ROOT = Path(__file__).parents[1]
HOME = ROOT / "lmdk_widgets" / "palette.py"
COLOUR = re.compile(
    r"(?<![\w&/])#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})(?![\w-])|\b(?:rgb|hsl)a?\(\s*\d[^)]*\)", re.I
)
SHADOW = re.compile(r"rgba\(0, 0, 0, 0\.\d+\)")
"""The shadow below a box: black that fades, the same everywhere."""

EXCEPTIONS = {"docs/story.py": "draws the pointer of a recording, which is no part of a page"}


def sources() -> list[Path]:
    """Every source that draws."""
    kinds = {".py", ".js", ".css", ".j2", ".html", ".mjs"}
    folders = [ROOT / "lmdk_widgets", ROOT / "frontend" / "src", ROOT / "docs"]
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in kinds and path.is_file()]
    return [path for path in files if ROOT / "lmdk_widgets" / "static" not in path.parents]


def generator() -> ModuleType:
    found = importlib.util.spec_from_file_location("palette_files", ROOT / "frontend" / "palette.py")
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_what_is_generated_is_up_to_date() -> None:
    files = list(generator().written())
    assert len(files) >= 8
    for path, text in files:
        assert path.read_text("utf-8") == text, f"{path.name}: run python frontend/palette.py"


def test_no_colour_stands_anywhere_else() -> None:
    module = generator()
    loose, used = {}, set()
    for path in sources():
        name = path.relative_to(ROOT).as_posix()
        if path == HOME or name == module.SCRIPT:
            continue
        text = module.SECTION.sub("", path.read_text("utf-8"))
        found = [colour for colour in COLOUR.findall(text) if not SHADOW.fullmatch(colour)]
        if name in EXCEPTIONS:
            used |= {name} if found else set()
        elif found:
            loose[name] = found
    assert not loose
    assert used == set(EXCEPTIONS), "an exception that nothing needs"


@pytest.mark.parametrize("text", ["#fff", "#12ab9F", "#8888", "rgb(1, 2, 3)", "rgba(1,2,3,0.5)", "hsl(20 30% 10%)"])
def test_a_colour_is_recognised(text: str) -> None:
    assert COLOUR.search(f"a {{ color: {text}; }}") and COLOUR.search(f'"{text}"')


@pytest.mark.parametrize("text", ["&#9888;", "rgba(var)", '"#page"', "#added { }", "/en/#fab"])
def test_what_is_no_colour_is_left_alone(text: str) -> None:
    assert not COLOUR.search(text)


def test_a_colour_that_one_sees_through() -> None:
    assert palette.faded(palette.ORANGE, 0.12) == "rgba(224, 138, 0, 0.12)"


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: str, b: str) -> float:
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", ["INK", "QUIET", "ACCENT", "CHECKED", "REFUSED", "TEXT_ORANGE", "RELEASE", "REGULAR"])
def test_text_can_be_read_in_light_and_in_dark(name: str) -> None:
    text = getattr(palette, name)
    for letters, paper in zip(text, palette.PAPER, strict=True):
        assert contrast(letters, paper) >= 4.5
