"""Budget Absorption: any w in a row share one budget, a publication absorbs unused shares."""

from __future__ import annotations

from lmdk_widgets.budgets.schemes.base import N, Pair
from lmdk_widgets.budgets.schemes.comparing import Comparing
from lmdk_widgets.budgets.window import absorb, absorb_lanes


class _Absorption(Comparing):
    def reserves(self, pair: Pair, epsilon: float, new: list[bool]) -> list[float]:
        """The shares since the last publication; the shares that it absorbed ahead are gone."""
        could, blocked = [0.0] * N, -1
        for t in range(N):
            if t > blocked:
                shares = min(t - blocked, pair.window)
                could[t] = shares * epsilon / (2 * pair.window)
                blocked = t + shares - 1 if new[t] else blocked
        return could


SCHEME = _Absorption(
    name="budget-absorption",
    title="Budget Absorption",
    meaning="any w in a row share one budget, a publication absorbs unused shares.",
    keeps="window",
    pairs=(
        Pair("series that differ at the first timestamp, window 1", (0,), (0.0,) * N, 1, -1.0),
        Pair("series that differ at two timestamps in a row; all is seldom spent", (2, 3), tight=False),
    ),
    online=True,
    compares=True,
    alike=True,
    options=frozenset({"initial"}),
    loop=absorb,
    lanes=absorb_lanes,
    part=1 / 2,
    fails="This w-event scheme",
    colour="sky",
    dash="dot",
)
