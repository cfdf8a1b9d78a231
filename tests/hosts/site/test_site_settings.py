"""The same random settings in Python for browsers and in a kernel: texts alike, places but for the last bits of a cosine."""

from __future__ import annotations

import base64
import json
import math
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.hosts.page_list import CAN, page_class
from lmdk_widgets.hosts.site.worker import as_json
from lmdk_widgets.linear import compiling
from tests.browser import page
from tests.hosts.site.sites import served, write
from tests.hosts.widget.walks import moves
from tests.sweeps import FULL

pytestmark = [pytest.mark.browser, pytest.mark.nightly]
SETTINGS = 50 if FULL else 13
"""Of each page: 200 in all, or some 50."""
QUERY = {"place": "page=place&rows=3&columns=3"}
NEAR, DRAWN_NEAR = 1e-12, 2.5e-7
"""What losses and other floats may differ by, and what travels as 4 bytes, to become a pixel: of 1 or the value."""
ROUNDED = 1e-15
"""What 8 bytes may differ by, as the logarithms and cosines of a browser's libraries are rounded otherwise."""
WORKER = """
async ([name, page, query, asked]) => {
  const worker = new Worker(new URL("/static/live_worker.js", location), { type: "module" });
  let heard = () => {};
  const waits = (done) => new Promise((resolve, reject) => {
    heard = (data) => {
      if (["failed", "broken"].includes(data.said)) reject(new Error(data.reason));
      else if (done(data)) resolve(data);
    };
  });
  let told = {};
  worker.onmessage = ({ data }) => {
    if (data.said === "message") {
      const message = JSON.parse(data.text);
      const buffers = data.buffers.map((b) => btoa(Array.from(new Uint8Array(b), (x) => String.fromCharCode(x)).join("")));
      told[message.type] = [message, buffers];
      data.message = message;
    }
    heard(data);
  };
  const opened = waits(({ said }) => said === "opened");
  worker.postMessage({ do: "start", code: "python/lmdk_widgets.zip" });
  worker.postMessage({ do: "open", name, python: page.python, needs: [], query });
  await opened;
  const send = (message) => worker.postMessage({ do: "message", name, text: JSON.stringify(message), buffers: [] });
  const settled = (id) => {
    let [answered, drawn, busy] = [false, false, true];
    return waits(({ message }) => {
      if (message?.type === "refused" && message.id === id) return true;
      if (message?.type === "numbers") [answered, busy] = [answered || message.id === id, message.busy];
      drawn ||= message?.type === "draw" && message.id === id;
      return answered && drawn && !busy;
    });
  };
  const begun = waits(({ message }) => message?.type === "draw");
  send({ type: "ready", view: "v" });
  await begun;
  const found = [];
  for (const message of asked) {
    const done = settled(message.id);
    told = {};
    send(message);
    await done;
    await new Promise((resolve) => setTimeout(resolve, 30)); // drawings that follow the last text
    found.push(told);
  }
  worker.terminate();
  return found;
}
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(write(tmp_path_factory.mktemp("site") / "demo", ())) as found:
        yield found


@pytest.mark.parametrize("name", CAN)
def test_a_browser_computes_what_a_kernel_computes(
    chromium: Any, address: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "is_plain", lambda: True)  # no OptPriv, which needs HiGHS
    monkeypatch.setitem(sys.modules, "highspy", None)  # as in a browser whose page has not asked for it
    kind = page_class(name)
    sent: list[Any] = []
    kernel = kind(send=lambda m, buffers: sent.append((m, buffers)), query=QUERY.get(name, ""))
    kernel.receive({"type": "ready", "view": "v"})
    asked = [
        {"type": "change", "id": k + 1, "view": "v", "operations": [operation], "commit": True}
        for k, operation in enumerate(moves(sent[0][0], SETTINGS, 11))
    ]
    with page(chromium) as seen:
        seen.goto(f"{address}pyodide/NOTICE.txt")
        python = [kind.__module__, kind.__qualname__]
        browsers = seen.evaluate(WORKER, [name, {"python": python}, QUERY.get(name, ""), asked])
    far, exact = 0.0, 0
    for message, theirs in zip(asked, browsers, strict=True):
        sent.clear()
        kernel.receive(message)
        kernel.finish()
        ours = {m["type"]: (json.loads(as_json(m)), buffers) for m, buffers in sent}
        if "highspy" in theirs.get("numbers", [{}])[0].get("work", {}).get("text", ""):
            continue  # a programme that the simplex does not solve: the page says so, and shows what it has
        both = ours.keys() & theirs.keys()  # what one has told while it computed, it does not tell again
        if name == "place" and kernel.session.choices.layer == "attacker":
            both -= {"draw"}  # of two guesses that are equally good the roundings decide
        assert ours.keys() & theirs.keys() >= {"numbers", "draw"} or "refused" in both, message
        most = max(_apart(ours[what], theirs[what], f"{message['operations']} {what}") for what in both)
        exact, far = exact + (most == 0), max(far, most)
    print(
        f"{name}: {len(asked)} settings, {exact} of them to the last bit in every number, the others within {far:.1e}"
    )


def _apart(ours: Any, theirs: Any, where: str) -> float:
    """The largest relative difference of two messages; fails where one is too large."""
    (message, buffers), (other, encoded) = ours, theirs
    most = _differs(_timeless(message), _timeless(other), where)
    for (name, kind), mine, text in zip(message.get("arrays", []), buffers, encoded, strict=True):
        if (held := base64.b64decode(text)) != bytes(mine):
            a, b = np.frombuffer(bytes(mine), f"<{kind}"), np.frombuffer(held, f"<{kind}")
            assert kind.startswith("f") and a.shape == b.shape, where
            gap = float(np.nanmax(np.abs(a - b) / np.maximum(np.abs(a), 1.0), initial=0.0))
            assert gap <= (ROUNDED if kind == "f8" else DRAWN_NEAR), (where, name, gap, a[a != b][:5], b[a != b][:5])
            most = max(most, gap)
    return most


def _timeless(message: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in message.items() if name not in ("work", "id", "asked", "view")}


def _differs(a: Any, b: Any, where: str) -> float:
    if isinstance(a, dict):
        assert a.keys() == b.keys(), where
        return max((_differs(a[name], b[name], f"{where}.{name}") for name in a), default=0.0)
    if isinstance(a, list):
        assert len(a) == len(b), where
        return max((_differs(x, y, where) for x, y in zip(a, b, strict=True)), default=0.0)
    if isinstance(a, float) and isinstance(b, float | int):
        assert math.isclose(a, b, rel_tol=NEAR, abs_tol=NEAR), (where, a, b)
        return 0.0 if a == b else abs(a - b) / max(abs(a), 1.0)
    assert a == b, (where, a, b)
    return 0.0
