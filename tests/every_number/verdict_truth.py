"""The numbers of the verdict's sentences, each one that of a tile or of a limit; `tests/verdict` holds what it decides."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from lmdk_widgets.answers.usefulness import digits
from lmdk_widgets.page.amounts import metres, percent

NUMBER = re.compile(r"\d[\d,.]*\d|\d")
AHEAD = "text.verdict."


def apart(shown: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """What a page shows, without the verdict, which `verdict_again` holds."""
    return ((path, value) for path, value in shown if not path.startswith(AHEAD))


def verdict_again(page: Any) -> None:
    """Every number of its sentences stands on a tile, or is a limit."""
    outcome, text = page.outcome, page._text(page.outcome)
    said, limits = text["verdict"], page.session.choices.limits
    kind, scenario, worth = outcome.kind, outcome.scenario, outcome.found("useful")
    known = [text["useful"]["value"], text["answers"][0]["value"], text["answers"][1]["value"], "100"]
    known += [metres(scenario.radius_m) if kind.placed else f"{digits(scenario.level_width, 4):,.12g}", "72 of 100"]
    most = None if limits.useful_share is None or worth is None else limits.useful_share * worth.nothing
    if worth is not None and most is not None:
        for many in (1, 2, 3, 4, 17):
            for length in (worth.reader, worth.shown, most):
                known += [metres(digits(length, many)) if kind.placed else f"{digits(length, min(many, 4)):,.12g}"]
        known += [percent(limits.useful_share)]
        known += [percent(1 - share) for share in (worth.reader, most)] if kind.counts_wrong else []
    if kind.placed:
        found = [metres(place["m"]) for place in _places(outcome)]
        known += found
    allowed = {number for each in known for number in NUMBER.findall(each)}
    for sentence in (said["why"], *said["reasons"]):
        strange = set(NUMBER.findall(sentence)) - allowed - {"2", "3", "4", "5", "6", "7", "8", "9", "10"}
        assert not strange, f"nothing recomputes {strange} of the verdict: {sentence}"


def _places(outcome: Any) -> list[dict[str, float]]:
    from lmdk_widgets.answers import lasting_places

    if outcome.reports is not None:
        return []
    return [{"m": place.found_m} for place in lasting_places(outcome)]
