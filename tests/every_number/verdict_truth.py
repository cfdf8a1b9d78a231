"""The numbers of the verdict's sentences, each one that of a tile or of a limit; `tests/verdict` holds what it decides."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import Any

from lmdk_widgets.answers.exposure import found_of
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
    assert said.get("radius") in (None, outcome.scenario.radius_m), said
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
        known += _close(worth.reader, most, 1e-3 if kind.placed else 1.0)
        known += _close(1 - worth.reader, 1 - most, 100.0) if kind.counts_wrong else []
    if kind.placed:
        found = [place["m"] for place in _places(outcome)] or [_of_a_report(outcome)]
        known += [metres(digits(near, many)) for near in found for many in (2, 3)]
        known += [text for near in found for text in _close(near, scenario.radius_m, 1e-3)]
    allowed = {number for each in known for number in NUMBER.findall(each)}
    for sentence in (said["why"], *said["reasons"]):
        strange = set(NUMBER.findall(sentence)) - allowed - {"2", "3", "4", "5", "6", "7", "8", "9", "10"}
        assert not strange, f"nothing recomputes {strange} of the verdict: {sentence}"


def _close(value: float, limit: float, factor: float) -> list[str]:
    """A number and its limit with all numbers of decimals, where they are close to each other."""
    if not 0.9 < value / limit < 1.1:
        return []
    return [f"{each * by:,.{k}f}" for each in (value, limit) for by in (1.0, factor) for k in range(9)]


def _of_a_report(outcome: Any) -> float:
    """How near the best report comes where no place lasts, also where its tile says "20 m or less"."""
    found = None if outcome.reports is not None else found_of(outcome)
    return found.within() if found is not None and found.is_found else math.nan


def _places(outcome: Any) -> list[dict[str, float]]:
    from lmdk_widgets.answers import lasting_places

    if outcome.reports is not None:
        return []
    return [{"m": place.found_m} for place in lasting_places(outcome)]
