"""The same settings on every host: a page by itself, in a process of a room, and in Python for browsers say the same."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.geoind.simplex.compiling import plain_elsewhere
from lmdk_widgets.hosts.site.pages import CAN, page_class
from lmdk_widgets.hosts.site.worker import as_json
from tests.browser import browser, page
from tests.hosts.serving.rooms import Visitor, room
from tests.hosts.site.sites import served, write
from tests.sweeps import FULL

pytestmark = [pytest.mark.slow, pytest.mark.nightly]
EACH = 50 if FULL else 3
"""Settings of each page."""
APART = ("id", "view", "asked", "can_undo", "can_redo")
"""What a message says of the conversation, and not of the settings."""
WORKER = """async ([code, home, asked]) => {
  const READY = '{"type": "ready", "view": "v"}';
  const worker = new Worker(new URL(`${home}live_worker.js`, document.baseURI), { type: "module" });
  const found = asked.map(() => null);
  return await new Promise((done, fail) => {
    const open = (k) => {
      const [python, needs, query] = asked[k];
      worker.postMessage({ do: "open", name: `${k}`, python, needs, query });
    };
    worker.onerror = (event) => fail(new Error(event.message));
    worker.onmessage = ({ data: { said, name, text, reason } }) => {
      if (said === "failed" || said === "broken") fail(new Error(reason));
      else if (said === "opened") worker.postMessage({ do: "message", name, text: READY, buffers: [] });
      else if (said === "message" && !found[name]) {
        const message = JSON.parse(text);
        if (message.type !== "numbers" || message.busy) return;
        found[name] = message;
        if (+name + 1 < asked.length) open(+name + 1);
        else done(found);
      }
    };
    worker.postMessage({ do: "start", code });
    open(0);
  });
}"""


def settings(name: str) -> list[str]:
    """Queries of a page."""
    rng = np.random.default_rng([7, len(name)])

    def one_of(*values: Any) -> Any:
        return values[int(rng.integers(len(values)))]

    found = []
    for _ in range(EACH):
        epsilon, seed = float(10 ** rng.uniform(-1, 0.7)), int(rng.integers(100))
        found.append(
            {
                "track": f"track={one_of('bob', 'bob', 'household')}&epsilon={epsilon:.3g}&seed={seed}"
                f"&scheme={one_of('event', 'user', 'window', 'uniform', 'weighted', 'skip', 'adaptive')}"
                f"&correlation={one_of('none', 'weak', 'moderate', 'strong')}",
                "place": f"rows={one_of(2, 3)}&columns={one_of(2, 3)}&level={epsilon:.3g}&seed={seed}",
                "series": f"source=binary&length={one_of(10, 20, 40)}&epsilon={epsilon:.3g}&seed={seed}",
                "table": f"part={one_of('noise', 'adding', 'table')}&epsilon={epsilon:.3g}&seed={seed}",
            }[name]
        )
    return found


def by_itself(name: str, query: str, *, plain: bool = False) -> Any:
    told: list[Any] = []
    with plain_elsewhere() if plain else nullcontext():
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


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(write(Path(tmp_path_factory.mktemp("site")) / "demo", tuple(CAN))) as found:
        yield found


@pytest.mark.browser
@pytest.mark.each_case
@pytest.mark.parametrize("name", CAN)
def test_python_in_a_browser_says_the_same(name: str, site: str) -> None:
    asked = settings(name)
    with browser() as chromium, page(chromium) as seen:
        seen.goto(f"{site}?page=lessons")
        about = json.loads(seen.evaluate("() => document.querySelector('#lmdk-site').textContent"))
        home = seen.evaluate("() => document.querySelector('meta[name=lmdk-static]').content")
        told = about["pages"][name]
        given = [[told["python"], told["needs"], query] for query in asked]
        for query, found in zip(asked, seen.evaluate(WORKER, [about["code"], home, given]), strict=True):
            assert not different(found, by_itself(name, query, plain=True)), f"?page={name}&{query}"
