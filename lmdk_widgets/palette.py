"""Every colour, in one place.

Python imports colours from here; `python frontend/palette.py` writes them into the style sheets and into
`frontend/src/page/palette.js`. Colours of data are those of Okabe and Ito, or near them, which people can tell apart with
any colour vision; a shape or a dash always says the same as a colour.
"""

from __future__ import annotations

from typing import NamedTuple


class Colour(NamedTuple):
    """A colour of a page: in light and in dark."""

    light: str
    dark: str


def faded(colour: str, alpha: float) -> str:
    """A colour through which one sees; alpha: 0 is invisible, 1 opaque.

    Examples
    --------
    >>> faded("#e08a00", 0.12)
    'rgba(224, 138, 0, 0.12)'
    """
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {alpha:g})"


BLUE, ORANGE, GREEN, PURPLE, SKY, GREY = "#2b8cc4", "#e08a00", "#009e73", "#b0508f", "#56b4e9", "#7f8a96"
RED = "#c8503c"
TRACES = (BLUE, ORANGE, GREEN, PURPLE, SKY, RED, GREY)
"""The colours of a chart; of its traces in this order where a trace names none."""

WHITE, BLACK, NEAR_BLACK = "#ffffff", "#000000", "#0a1622"
CLEAR = "rgba(0, 0, 0, 0)"
UNSET = "#888888"
"""Where a style sheet gives no colour."""
CARD_FRAME = "#8888"
"""The frame of a card in a notebook, whose background is unknown."""

PAPER = Colour("#ffffff", "#12181f")
PANEL = Colour("#f7f8fa", "#1a222b")
CONTROL = Colour("#eef1f4", PANEL.dark)
INK = Colour("#16202c", "#eef2f6")
QUIET = Colour("#4b5766", "#b3bfcb")
LINE = Colour("#c9d0d8", "#3b4855")
STRONG_LINE = Colour("#8b97a4", "#6a7886")
GRID = Colour("#dfe4ea", "#2b3641")
PICTURE_GRID = "#dfe3e8"
"""The grid of a chart in a report or a file, which is always light."""
ACCENT = Colour("#005a92", "#7cc4f2")
WARN, WARN_LINE = Colour("#fff4d6", "#352b12"), Colour("#b77900", "#e3b04b")
BAD, BAD_LINE = Colour("#fde8e4", "#3d1d16"), Colour("#b3361b", "#f08a70")
GOOD = Colour("#e2f0f9", "#16303f")
CHECKED, REFUSED = Colour("#1b6e3c", "#7fd19b"), Colour("#b3261e", "#ff9d94")

TRACK, PATH = Colour("#7d99b5", "#6c8aa8"), Colour("#00795a", "#3fd6a4")
REGULAR, LANDMARK = Colour("#0068a8", "#56b4e9"), Colour("#e08a00", "#f0a830")
RELEASE = Colour("#8a2f73", "#e39bcb")
TEXT_ORANGE = Colour("#b35f00", "#f0a830")
"""Orange letters and bars of a class, with contrast enough to be read."""

MAP_RELEASE, MAP_PLACE, MAP_GRID = "#bb589c", "#3b82b8", "#7f8b98"
"""On the map of a release that is a file of its own: readable on light and dark alike."""

LINK = Colour(faded(RELEASE.light, 0.45), faded(RELEASE.dark, 0.45))
STRONG_BLUE = "#0072b2"
CIRCLE = Colour(faded(STRONG_BLUE, 0.12), faded(SKY, 0.15))
NEAR = Colour(faded(LANDMARK.light, 0.2), faded(LANDMARK.dark, 0.18))
HATCHED = Colour(faded("#b06800", 0.55), faded(LANDMARK.dark, 0.5))

BLUES = tuple(
    Colour(*pair)
    for pair in [
        ("#ffffff", "#12181f"),
        ("#f1f5f9", "#17212b"),
        ("#dbe7f2", "#1d2f40"),
        ("#b4d0e7", "#244761"),
        ("#86b6da", "#2f668c"),
        ("#5597cb", "#539fcd"),
        ("#1f639e", "#8cc8e9"),
        ("#0b3866", "#d6efff"),
    ]
)
"""Probabilities on the map of Place: more is darker in light, brighter in dark."""

BROWNS = tuple(
    Colour(*pair)
    for pair in [
        ("#ffffff", "#12181f"),
        ("#ffffff", "#12181f"),
        ("#fff6d5", "#2b2416"),
        ("#fee6a0", "#473413"),
        ("#fec95c", "#6d4a12"),
        ("#f59d38", "#9d6a18"),
        ("#d2601a", "#d39a38"),
        ("#7f2d0b", "#ffe3a0"),
    ]
)
"""What an attacker believes about a cell, next to a blue track."""

VALUES = (SKY, "#e69f00", GREEN, "#cc79a7", "#f0e442", STRONG_BLUE, "#d55e00", "#9aa3ad", WHITE)
"""The values of a table's sensitive column."""
HATCHES = {1: "#b97f00", 2: "#00573f", 3: "#94476f", 4: "#8a8100", 5: "#66b3e0", 6: WHITE, 7: "#5d6670"}
"""What a value's colour is hatched with, by its place in `VALUES`."""


def declared(selector: str, colours: dict[str, Colour]) -> str:
    """CSS that declares custom properties, and again for dark what is different there.

    Examples
    --------
    >>> print(declared(":root", {"paper": PAPER}))
    :root { --paper: #ffffff; }
    @media (prefers-color-scheme: dark) { :root { --paper: #12181f; } }
    """
    light = " ".join(f"--{name}: {colour.light};" for name, colour in colours.items())
    dark = " ".join(f"--{name}: {colour.dark};" for name, colour in colours.items() if colour.dark != colour.light)
    text = f"{selector} {{ {light} }}"
    return text + (f"\n@media (prefers-color-scheme: dark) {{ {selector} {{ {dark} }} }}" if dark else "")


def document_style(**colours: Colour) -> str:
    """The first lines of the style of a page that is a file of its own: light or dark, and its colours."""
    return ":root { color-scheme: light dark; }\n" + declared(":root", colours)
