"""The card of the present settings, and the cells of a table that are drawn as warnings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tests.every_number.claims import NUMBER, Wrong, agrees, near


def now_card(text: dict[str, Any], setting: Sequence[float], numbers: str = NUMBER) -> None:
    """Its answers are those of the page, and its line says the numbers of the setting, which `numbers` finds."""
    card, answers = text["cards"]["cards"][0], text["answers"]
    if [each["value"] for each in card["answers"]] != [each["value"] for each in answers]:
        raise Wrong(f"{card['answers']} are not the answers {answers}")
    for each in card["answers"]:
        if not set(re.findall(NUMBER, each["short"])) <= set(re.findall(NUMBER, each["line"])):
            raise Wrong(f"{each['short']} is not said by {each['line']}")
    said = re.findall(numbers, card["about"])
    if len(said) != len(setting) or not all(map(lambda a, b: agrees(near("x"), a, b), said, setting)):
        raise Wrong(f"{card['about']} does not say {setting}")


def warned(table: dict[str, Any], words: Sequence[str]) -> None:
    """The cells with these words are drawn as warnings, and no others."""
    cells = [[row, k] for row, texts in enumerate(table["rows"]) for k, said in enumerate(texts) if said in words]
    if [list(each) for each in table["warned"]] != cells:
        raise Wrong(f"{table['warned']} are warnings, not {cells}")
