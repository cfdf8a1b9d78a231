"""Figures of lessons with one or two sliders: each slider has a few stops, and what each stop shows is computed beforehand.

    stops --draw()--> blocks of each combination --message()--> a kernel's page, a site without a kernel, a saved page

So a figure answers immediately, and needs neither a kernel nor Python in the browser. The blocks are those of the pages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from math import prod
from typing import Any, NamedTuple

from lmdk_widgets.checks import refused
from lmdk_widgets.page import reading
from lmdk_widgets.page.blocks import Block, Chart, Text, block_messages
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.fields import Choice, Flag, Kind, Number
from lmdk_widgets.page.link import to_query

MOST = 200
"""The most combinations of stops in one figure."""

HEIGHT, PAIRED_HEIGHT, MAP_HEIGHT = 180, 220, 340
"""Heights in pixels of a chart with one value axis, alone and next to another one, and of a map: a lesson should take only
a few screens."""


class Stops(NamedTuple):
    """A slider. label : what it changes. values : its stops. at : where it begins. written : how a value is written."""

    label: str
    values: Sequence[Any]
    at: int = 0
    written: Callable[[Any], str] = str


@dataclass(frozen=True)
class Sliding:
    """A figure with sliders.

    Attributes
    ----------
    draw : makes the blocks from a value of each slider. stops : the sliders. opens : the choices with which the whole page
    is opened; None for no page.

    Raises
    ------
    InputError : too many combinations.

    Examples
    --------
    >>> figure = Sliding(lambda sides: [Text(f"A side has chance {1 / sides:.2f}.")], (Stops("sides", (2, 6)),))
    >>> [blocks[0]["shown"] for blocks in figure.message()["frames"]]
    ['A side has chance 0.50.', 'A side has chance 0.17.']
    """

    draw: Callable[..., Sequence[Block]]
    stops: tuple[Stops, ...] = ()
    opens: Choices | None = None

    def __post_init__(self) -> None:
        if (count := prod(len(each.values) for each in self.stops)) > MOST:
            raise refused("The stops of a figure", f"at most {MOST} together", f"{count:,}")

    def message(self) -> Message:
        """For the page: the sliders, the blocks of each combination, where the last slider changes fastest, and a link."""
        sliders = [
            {"label": each.label, "stops": [each.written(value) for value in each.values], "at": each.at}
            for each in self.stops
        ]
        frames = [block_messages(_low(self.draw(*values))) for values in product(*(each.values for each in self.stops))]
        return {"sliders": sliders, "frames": frames, "opens": "" if self.opens is None else to_query(self.opens)}

    def html(self) -> str:
        """For a page without a kernel, whose script draws it; without the script, the sentences of the first view."""
        first = self.draw(*(each.values[each.at] for each in self.stops))
        said = [b.summary if isinstance(b, Chart) else b.text for b in first if isinstance(b, Chart | Text)]
        return reading.figure(self.message(), " ".join(said))


def _low(blocks: Sequence[Block]) -> list[Block]:
    height = PAIRED_HEIGHT if len(blocks) == 2 and all(isinstance(block, Chart) for block in blocks) else HEIGHT
    return [_of_height(block, height) for block in blocks]


def _of_height(block: Block, height: int) -> Block:
    if not isinstance(block, Chart) or "yaxis2" in (layout := block.figure["layout"]):
        return block
    if "scaleanchor" in layout["yaxis"]:
        height = MAP_HEIGHT
    return replace(block, figure={**block.figure, "layout": {**layout, "height": height}})


def of_page(page: Callable[[Any], Any], choices: Choices, shown: Sequence[str], **stops: Sequence[Any]) -> Sliding:
    """A figure of what a page draws, with sliders for some of its choices.

    Parameters
    ----------
    page : makes a page from choices; the figure shows what it computes immediately. choices : the initial ones.
    shown : names of its charts, and headings of parts of its report, in the order in which they are shown.
    stops : the values of each choice, by its name.
    """
    kinds = choices.kinds()

    def draw(*values: Any) -> list[Block]:
        return page(choices.with_changes(**dict(zip(stops, values, strict=True)))).blocks(shown)

    def slider(name: str, values: Sequence[Any]) -> Stops:
        at = list(values).index(choices[name])
        return Stops(kinds[name].label, values, at, partial(_written, kinds[name]))

    return Sliding(draw, tuple(slider(name, values) for name, values in stops.items()), choices)


def _written(kind: Kind, value: Any) -> str:
    match kind:
        case Choice():
            return kind.meanings[value].partition(":")[0]
        case Number():
            return f"{value + kind.origin:g} {kind.unit}".strip()
        case Flag():
            return "yes" if value else "no"
    return str(value)
