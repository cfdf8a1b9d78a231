"""What each name in the track page's sentences is, computed apart from the page."""

from __future__ import annotations

from tests.every_number.claims import most

TRACK = {
    "n": "n",
    "window": "w",
    "measured": "measured",
    "epsilon": "epsilon",
    "most_epsilon": most("epsilon"),
    "target": "target",
    "most_target": most("target"),
    "most_in_window": most(lambda t: max(t.window_totals)),
    "each": lambda t: t.alike(range(t.n) if t.scheme != "uniform" else t.marks),
}
