"""How much an adversary on the map adds to a slider move on the track page, against the same page without her.

    python benchmarks/adversary_speed.py [--quick] [--repeats K] [--json FILE] [--figures FIGURES.md]

A move is a change of epsilon: everything is evaluated, written and passed to the websocket, which is left out. For a long
track her beliefs are not part of a move: they are computed in the background, and the times until they, and then what Play
needs, are ready are measured separately. The figures are processor time on one core, the median with the lowest and the
highest; both pages take turns.
"""

from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"  # before numpy is imported

import sys  # noqa: E402
from collections.abc import Iterator, Mapping  # noqa: E402
from functools import partial  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402

HERE = Path(__file__).parent
sys.path[1:1] = [str(HERE.parent), str(HERE / "pages")]

from measured import asked, milliseconds, spread, write  # noqa: E402
from track import columns  # noqa: E402

from lmdk_widgets import Explorer  # noqa: E402
from lmdk_widgets.answers.prior_moves import attacker_cells  # noqa: E402
from lmdk_widgets.scenario import Scenario  # noqa: E402
from lmdk_widgets.trajectory import Trajectory  # noqa: E402

MOVE, LONG = (288, 225, 30.0), (10_000, 400, 1000.0)
"""The timestamps, the maximum number of cells, and the milliseconds allowed for her."""

MOVES = {"page": "stay or jump", "near": "moves nearby", "track": "estimated moves"}


def explorer(n: int, cells: int, moves: str, *, infer: bool) -> tuple[Explorer, list[int]]:
    """A page, and a list to which the size of each of its messages in bytes is added."""
    latitude, longitude, time, landmark = columns(n)
    marks = tuple(np.flatnonzero(landmark).tolist())
    scenario = Scenario(track="", landmarks=marks)
    her = {"attacker.open": infer, "attacker.cells": cells, "attacker.moves": moves}
    page, sent = Explorer(Trajectory(latitude, longitude, time), scenario=scenario, choices=her), []
    page.send = lambda _message, buffers=(): sent.append(sum(map(len, buffers)))  # type: ignore[method-assign]
    page._on_message(None, {"type": "ready", "view": "v"}, [])
    return page, sent


def moved(page: Explorer, epsilon: float) -> float:
    """The milliseconds for one move."""
    operation = {"op": "set", "name": "epsilon", "value": epsilon}
    message = {"type": "change", "id": 1, "view": "v", "operations": [operation], "commit": False}
    return milliseconds(lambda: page._on_message(None, message, []))


def compare(moves: str, repeats: int) -> dict[str, Any]:
    """A move with and without her."""
    n, cells, target_ms = MOVE
    pages = {on: explorer(n, cells, moves, infer=on) for on in (False, True)}
    found: dict[bool, list[float]] = {False: [], True: []}
    for k in range(repeats + 2):  # two moves to warm up
        for on, (page, sent) in pages.items():
            sent.clear()
            found[on].append(moved(page, 1 + k / 100))
    more = [b - a for a, b in zip(found[False][2:], found[True][2:], strict=True)]
    kilobytes = sum(pages[True][1]) / 1000
    cells = len(pages[True][0].outcome.found("attacker").area)
    case = {"moves": MOVES[moves], "n": n, "cells": cells, "target_ms": target_ms, "kilobytes": kilobytes}
    return {**case, "without": spread(found[False][2:]), "more": spread(more)}


def beside(moves: str, repeats: int) -> dict[str, Any]:
    """Beliefs for a long track, and what Play needs, in the background."""
    n, cells, target_ms = LONG
    page, _ = explorer(n, cells, moves, infer=True)
    times: dict[str, list[float]] = {"beliefs": [], "playable": []}
    for k in range(repeats + 1):
        moved(page, 1 + k / 100)
        step = partial(next, page.session.improve(page.outcome))
        for taken in times.values():
            taken.append(milliseconds(step))
    held = len(attacker_cells(page.outcome.scenario, page.outcome.trajectory))
    case = {"moves": MOVES[moves], "n": n, "cells": held, "target_ms": target_ms}
    return case | {name: spread(taken[1:]) for name, taken in times.items()}


def markdown(found: Mapping[str, Any]) -> str:
    """The figures as a table in FIGURES.md."""
    lines = ["| an adversary on the map | | measured | target |", "|---|---|--:|---|"]
    lines += ["| " + " | ".join(row) + " |" for one in found["moves"] for row in _move_rows(one)]
    lines += ["| " + " | ".join(row) + " |" for one in found["beside"] for row in _beside_rows(one)]
    before, after = found["load"]
    note = (
        f"Median (lowest to highest), processor time of one core; load average {before:.3g} before, {after:.3g} after."
    )
    return "\n".join([*lines, "", note])


def _move_rows(one: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    case, taken = _case(one), one["more"]["median"]
    yield "a slider move without her, ms", case, _spread(one["without"]), ""
    yield (
        "what she adds, ms",
        case,
        _spread(one["more"]),
        f"≤ {one['target_ms']:.0f}: {_yes(taken <= one['target_ms'])}",
    )
    yield "size of a move with her, kB", case, f"{one['kilobytes']:.3g}", ""


def _beside_rows(one: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    case, taken = _case(one), one["beliefs"]["median"]
    kept = f"≤ {one['target_ms']:,.0f}: {_yes(taken <= one['target_ms'])}"
    yield "her beliefs, in the background, ms", case, _spread(one["beliefs"]), kept
    yield "what Play needs, after them, ms", case, _spread(one["playable"]), ""


def _case(one: Mapping[str, Any]) -> str:
    return f"{one['moves']}, {one['n']:,} timestamps, {one['cells']} cells"


def _spread(figures: Mapping[str, float]) -> str:
    low, median, high = (f"{figures[name]:.3g}" for name in ("low", "median", "high"))
    return f"{median} ({low} to {high})"


def _yes(kept: bool) -> str:
    return "yes" if kept else "**no**"


def main() -> int:
    """Measure, print, and write the figures."""
    options = asked(__doc__, repeats=21, of="of every figure").parse_args()
    repeats, load = 3 if options.quick else max(1, options.repeats), os.getloadavg()[0]
    moves = [compare(kind, repeats) for kind in MOVES]
    found = {"moves": moves, "beside": [beside(kind, min(repeats, 5)) for kind in ("page", "track")]}
    found["load"] = [load, os.getloadavg()[0]]  # type: ignore[assignment]
    print(f"\n{markdown(found)}")
    write(options, "adversary", {"adversary": found}, markdown(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
