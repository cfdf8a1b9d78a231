"""The answers of a poll in sentences, and as a board draws them: bars, marks on an axis, places or curves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lmdk_widgets.scenario.base.amounts import amount, percent

if TYPE_CHECKING:
    from lmdk_widgets.course.classroom.poll import Poll

MOST_ORDERS = 6
"""Orders that a board lists, the most frequent ones."""


def board(poll: Poll, answers: Sequence[Any], shown: bool) -> dict[str, Any]:
    """What the board draws and says."""
    drawn = {
        "choose": _choices,
        "order": _orders,
        "number": _numbers,
        "point": _places,
        "curve": _curves,
    }[poll.told_of_it["kind"]](poll, answers, shown)
    return {"draw": poll.told_of_it["kind"], "summary": _summary(poll, answers, shown), **drawn}


def _summary(poll: Poll, answers: Sequence[Any], shown: bool) -> str:
    n = len(answers)
    if not shown:
        return "No answer yet." if not n else f"{n:,} {'answer' if n == 1 else 'answers'} so far."
    right = sum(poll.judged(answer).right for answer in answers)
    head = (
        f"{right:,} of {n:,} {'is' if right == 1 else 'are'} right, {percent(right / n)}." if n else "Nobody answered."
    )
    return f"{head} {poll.explained}"


def _choices(poll: Poll, answers: Sequence[Any], shown: bool) -> dict[str, Any]:
    names, counts = poll.told_of_it["choices"], Counter(answers)
    rows = [_row(name, counts[k], len(answers)) for k, name in enumerate(names)]
    if shown:
        rows[poll.computed]["right"] = True
    return {"bars": rows if answers or shown else []}


def _orders(poll: Poll, answers: Sequence[Any], shown: bool) -> dict[str, Any]:
    items, counts = poll.told_of_it["items"], Counter(tuple(answer) for answer in answers)
    kept = counts.most_common(MOST_ORDERS)
    rows = [_row(" → ".join(items[k] for k in order), count, len(answers)) for order, count in kept]
    for row, (order, _) in zip(rows, kept, strict=True):
        row["right"] = shown and poll.judged(list(order)).right
    rest = len(answers) - sum(count for _, count in kept)
    return {"bars": rows, "notes": [f"{rest:,} answers have other orders."] if rest else []}


def _row(name: str, count: int, n: int) -> dict[str, Any]:
    share = count / n if n else 0.0
    return {"name": name, "sent": count, "share": share, "said": f"{count:,}, {percent(share)}"}


def _numbers(poll: Poll, answers: Sequence[Any], shown: bool) -> dict[str, Any]:
    """Numbers on an axis that holds all of them; a logarithmic one where they span more than a factor of a hundred."""
    found = sorted(float(answer) for answer in answers)
    known = [*found, float(poll.computed)] if shown else found
    if not known:
        return {"values": [], "axis": [0.0, 1.0], "log": False}
    log = min(known) > 0 and max(known) > 100 * min(known)
    low, high = (min(known) / 1.5, max(known) * 1.5) if log else _room(min(known), max(known))
    median = [f"The median of the answers is {amount(float(np.median(found)))}."] if found else []
    extra = {"right": float(poll.computed)} if shown else {}
    unit = poll.told_of_it["unit"]
    return {"values": found, "axis": [low, high], "log": log, "unit": unit, "notes": median, **extra}


def _room(low: float, high: float) -> tuple[float, float]:
    free = 0.05 * (high - low) or 0.5 * abs(high) or 1.0
    return low - free, high + free


def _places(poll: Poll, answers: Sequence[Any], shown: bool) -> dict[str, Any]:
    extra = {"right": poll.computed} if shown else {}
    return {
        "scene": {name: poll.told_of_it[name] for name in ("edges", "dots", "line", "places")},
        "values": answers,
        **extra,
    }


def _curves(poll: Poll, answers: Sequence[Any], shown: bool) -> dict[str, Any]:
    axes = {
        name: poll.told_of_it[name] for name in ("x", "labels", "x_title", "y_title", "low", "high", "log", "log_x")
    }
    middle = {"middle": np.median(np.array(answers, float), axis=0).tolist()} if answers else {}
    extra = {"right": poll.computed} if shown else {}
    return {"axes": axes, "values": answers, **middle, **extra}
