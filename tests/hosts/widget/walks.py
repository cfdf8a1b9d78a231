"""Walks over a page: some dozen random moves of its own controls, the same from the same seed, and everything it says."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from hashlib import sha256
from typing import Any

Sent = list[tuple[dict[str, Any], list[bytes]]]
Tell = Callable[[dict[str, Any], list[bytes]], None]

FIXED = (
    "rows",
    "columns",
    "length",
    "states",
    "area",
    "chains",
    "attacker.cells",
    "place_m",
    "cell_m",
    "inverse.open",
    "leave_out.open",
    "secrets.open",
    "table.open",
    "table.kept",
    "table.falling",
    "table.sort",
    "defences.open",
)
"""Controls that stay as they are, since some of their places take long."""


def moves(options: dict[str, Any], many: int, seed: int) -> list[dict[str, Any]]:
    """Operations of sliders, lists and ticks that the page has said it has, some of which it will refuse, and undo."""
    rng, found = random.Random(seed), []
    fields = {n: f for n, f in options["fields"].items() if n not in FIXED}
    usable = {n: f for n, f in fields.items() if f["kind"] == "flag" or f.get("slider") or f.get("choices")}
    for _ in range(many):
        name = rng.choice(list(usable))
        field = usable[name]
        if rng.random() < 0.1:
            found.append({"op": rng.choice(["undo", "redo", "reset", "nothing"])})
        elif field["kind"] == "flag":
            found.append({"op": "set", "name": name, "value": rng.random() < 0.5})
        elif field.get("choices"):
            found.append({"op": "set", "name": name, "value": rng.choice(field["choices"])["name"]})
        else:
            low, high = field["slider"]["low"], field["slider"]["high"]
            value = low + rng.random() * (high - low)
            found.append({"op": "set", "name": name, "value": round(value) if field["whole"] else round(value, 3)})
    return found


def walk(tell: Tell, finish: Callable[[], None], sent: Sent, *, many: int = 36, seed: int = 1) -> None:
    """Opens a page, moves its controls, stops and goes on with its work, and saves its data; what it says is in `sent`."""
    tell({"type": "ready", "view": "v"}, [])
    asked = moves(sent[0][0], many, seed)
    for number, operation in enumerate(asked):
        message = {"type": "change", "id": number, "view": "v", "operations": [operation], "commit": number % 3 > 0}
        tell(message, [])
        if number % 6 == 5:
            tell({"type": "cancel", "view": "v"}, [])
            tell({"type": "resume", "view": "v"}, [])
            finish()
    for more in ("json", "python", "svg"):
        tell({"type": "save", "what": more, "view": "v"}, [])
    tell({"type": "python", "view": "v"}, [])
    tell({"type": "late"}, [])
    finish()


def written(sent: Sent) -> list[str]:
    """Each message in a line: what the browser gets, with a digest of its buffers."""
    return [f"{json.dumps(m, sort_keys=True)} {[sha256(bytes(b)).hexdigest() for b in bs]}" for m, bs in sent]
