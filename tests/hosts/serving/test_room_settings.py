"""The same settings in a process of a room and on a page by itself say the same; in a browser: tests/hosts/site."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.hosts.page_list import CAN, page_class
from lmdk_widgets.hosts.site.worker import as_json
from tests.hosts.serving.rooms import Visitor, room
from tests.sweeps import FULL

pytestmark = [pytest.mark.slow, pytest.mark.nightly]
EACH = 50 if FULL else 3
"""Settings of each page; of a city two, as each follows some hundred people."""
APART = ("id", "view", "asked", "can_undo", "can_redo")
"""What a message says of the conversation, and not of the settings."""


def settings(name: str) -> list[str]:
    """Queries of a page."""
    rng = np.random.default_rng([7, len(name)])

    def one_of(*values: Any) -> Any:
        return values[int(rng.integers(len(values)))]

    found = []
    for _ in range(2 if name == "people" else EACH):
        epsilon, seed = float(10 ** rng.uniform(-1, 0.7)), int(rng.integers(100))
        found.append(
            {
                "track": f"track={one_of('bob', 'bob', 'household')}&epsilon={epsilon:.3g}&seed={seed}"
                f"&scheme={one_of('event', 'user', 'window', 'uniform', 'weighted', 'skip', 'adaptive')}"
                f"&correlation={one_of('none', 'weak', 'moderate', 'strong')}",
                "place": f"rows={one_of(2, 3)}&columns={one_of(2, 3)}&level={epsilon:.3g}&seed={seed}",
                "series": f"source=binary&length={one_of(10, 20, 40)}&epsilon={epsilon:.3g}&seed={seed}",
                "people": f"epsilon={epsilon:.3g}&seed={seed}&scheme={one_of('event', 'uniform')}",
                "table": f"part={one_of('noise', 'adding', 'table')}&epsilon={epsilon:.3g}&seed={seed}",
            }[name]
        )
    return found


def by_itself(name: str, query: str) -> Any:
    told: list[Any] = []
    made = page_class(name)(query=query, send=lambda message, _buffers: told.append(message))
    made.receive({"type": "ready", "view": "v"})
    made.finish()
    return json.loads(as_json([message for message in told if message["type"] == "numbers"][-1]))


def in_a_room(visitor: Visitor, name: str, query: str) -> Any:
    """What a process says once nothing more is computed."""
    visitor.page = name
    while visitor.said()["said"] != "ready":
        pass
    visitor.send("open", query=query)
    visitor.say({"type": "ready", "view": "v"})
    while True:
        message = visitor.told("numbers")
        if not message["busy"]:
            visitor.socket.close()
            return message


def different(one: Any, other: Any, where: str = "") -> list[str]:
    """Where two messages do not say the same: texts to the letter, numbers to the last digits."""
    if isinstance(one, dict) and isinstance(other, dict):
        names = [name for name in {**one, **other} if name not in APART]
        return [at for name in names for at in different(one.get(name), other.get(name), f"{where}.{name}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [at for k, pair in enumerate(zip(one, other, strict=True)) for at in different(*pair, f"{where}[{k}]")]
    if isinstance(one, int | float) and isinstance(other, int | float):
        return [] if math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12) else [f"{where}: {one} is not {other}"]
    return [] if one == other else [f"{where}: {one} is not {other}"]


@pytest.mark.parametrize("name", CAN)
def test_a_process_of_a_room_says_the_same(name: str) -> None:
    with room() as address:
        for query in settings(name):
            assert not different(in_a_room(Visitor(address), name, query), by_itself(name, query)), (
                f"?page={name}&{query}"
            )
