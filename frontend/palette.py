"""Writes the colours of `lmdk_widgets/palette.py` into style sheets and scripts: `python frontend/palette.py`."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from lmdk_widgets import palette

ROOT = Path(__file__).parents[1]
BEGIN, END = "/* colours: frontend/palette.py writes them */", "/* end of colours */"
SECTION = re.compile(rf"{re.escape(BEGIN)}.*?{re.escape(END)}", re.S)
SCRIPT = "frontend/src/page/palette.js"
TEMPLATE = "lmdk_widgets/hosts/serving/share/voila/templates/lmdk/"


def both(colour: str) -> palette.Colour:
    return palette.Colour(colour, colour)


SHEETS: dict[str, tuple[str, dict[str, palette.Colour]]] = {
    "frontend/src/page/palette.css": (
        ":is(.lmdk-explorer, .lmdk-dashboard, .lmdk-lesson, .lmdk-live)",
        {
            "lmdk-paper": palette.PAPER,
            "lmdk-panel": palette.PANEL,
            "lmdk-ink": palette.INK,
            "lmdk-quiet": palette.QUIET,
            "lmdk-line": palette.LINE,
            "lmdk-grid": palette.GRID,
            "lmdk-track": palette.TRACK,
            "lmdk-regular": palette.REGULAR,
            "lmdk-landmark": palette.LANDMARK,
            "lmdk-release": palette.RELEASE,
            "lmdk-pinned": palette.BAD_LINE,
            "lmdk-link": palette.LINK,
            "lmdk-circle": palette.CIRCLE,
            "lmdk-accent": palette.ACCENT,
            "lmdk-path": palette.PATH,
            "lmdk-warn": palette.WARN,
            "lmdk-warnline": palette.WARN_LINE,
            "lmdk-bad": palette.BAD,
            "lmdk-badline": palette.BAD_LINE,
        },
    ),
    "frontend/src/place/place.css": (".lmdk-place", {f"lmdk-p{k}": colour for k, colour in enumerate(palette.BLUES)}),
    "frontend/src/people/people.css": (
        ".lmdk-people",
        {f"lmdk-p{k}": colour for k, colour in enumerate(palette.BLUES)},
    ),
    "frontend/src/track/track.css": (
        ".lmdk-track, .lmdk-followed",
        {f"lmdk-p{k}": colour for k, colour in enumerate(palette.BROWNS)},
    ),
    "frontend/src/series/series.css": (
        ".lmdk-series",
        {
            "lmdk-near": palette.NEAR,
            "lmdk-hatch": palette.HATCHED,
            "lmdk-stitch": palette.RELEASE,
        },
    ),
    "frontend/src/table/table.css": (
        ".lmdk-table",
        {f"lmdk-value{k}": both(colour) for k, colour in enumerate(palette.VALUES)}
        | {f"lmdk-hatch{k}": both(colour) for k, colour in palette.HATCHES.items()},
    ),
    TEMPLATE + "static/class.css": (
        ":root",
        {
            "paper": palette.PAPER,
            "panel": palette.PANEL,
            "ink": palette.INK,
            "quiet": palette.QUIET,
            "line": palette.STRONG_LINE,
            "accent": palette.ACCENT,
            "blue": palette.REGULAR,
            "orange": palette.TEXT_ORANGE,
            "purple": palette.RELEASE,
            "bad": palette.BAD,
            "badline": palette.BAD_LINE,
            "good": palette.GOOD,
            "code-paper": both(palette.WHITE),
        },
    ),
    TEMPLATE + "page.css": (
        ":root",
        {
            "page-paper": palette.PAPER,
            "page-ink": palette.INK,
            "page-line": palette.BAD_LINE,
            "page-bad": palette.BAD,
            "page-accent": palette.ACCENT,
            "jp-layout-color0": palette.PAPER,
            "jp-layout-color1": palette.PAPER,
            "jp-layout-color2": palette.CONTROL,
            "jp-layout-color3": palette.LINE,
            "jp-content-font-color0": palette.INK,
            "jp-content-font-color1": palette.INK,
            "jp-ui-font-color0": palette.INK,
            "jp-ui-font-color1": palette.INK,
            "jp-ui-font-color2": palette.QUIET,
            "jp-border-color1": palette.STRONG_LINE,
            "jp-border-color2": palette.LINE,
            "jp-brand-color1": palette.ACCENT,
            "jp-brand-color2": palette.REGULAR,
            "jp-brand-color3": palette.Colour(palette.SKY, palette.REGULAR.light),
            "jp-error-color1": palette.BAD_LINE,
            "jp-widgets-color": palette.INK,
            "jp-widgets-label-color": palette.INK,
        },
    ),
}
"""Style sheets: for which elements each declares colours as custom properties, and which."""

CONSTANTS = {
    "TRACES": palette.TRACES,
    "PICTURE": {
        **{
            name.removeprefix("lmdk-"): colour.light
            for sheet in ("frontend/src/page/palette.css", "frontend/src/series/series.css")
            for name, colour in SHEETS[sheet][1].items()
        },
        "grid": palette.PICTURE_GRID,
    },
    "BLUES": [colour.light for colour in palette.BLUES],
    "BROWNS": [colour.light for colour in palette.BROWNS],
    "TEXTS": (palette.NEAR_BLACK, palette.WHITE),
    "BLACK": palette.BLACK,
    "WHITE": palette.WHITE,
    "UNSET": palette.UNSET,
}
"""What scripts draw with where no style sheet reaches."""


def written() -> Iterator[tuple[Path, str]]:
    """The files with colours, and what has to be in each."""
    for name, (selector, colours) in SHEETS.items():
        text = (ROOT / name).read_text("utf-8")
        lines = [part for line in palette.declared(selector, colours).splitlines() for part in _wrapped(line)]
        section = "\n".join([BEGIN, *lines, END])
        assert SECTION.search(text), f"{name} has no place for its colours"
        yield ROOT / name, SECTION.sub(lambda _, section=section: section, text)
    lines = [f"export const {name} = {_js(value)};" for name, value in CONSTANTS.items()]
    yield ROOT / SCRIPT, "\n".join(["// Colours: frontend/palette.py writes this file.", *lines, ""])


def _wrapped(line: str) -> list[str]:
    """Lines of at most 140 characters that end between declarations."""
    parts = re.sub(r"--[^;]*;", lambda found: found[0].replace(" ", "\0"), line)
    lines = textwrap.wrap(parts, 140, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


def _js(value: object) -> str:
    if isinstance(value, dict):
        return "\n".join(["{", *(f"  {name}: {_js(each)}," for name, each in value.items()), "}"])
    return json.dumps(value)


if __name__ == "__main__":
    for path, text in written():
        path.write_text(text, "utf-8")
