"""Budget Distribution: any w in a row share one budget, halving it at each publication."""

from __future__ import annotations

from lmdk_widgets.budgets.schemes.base import N, Pair
from lmdk_widgets.budgets.schemes.comparing import Comparing
from lmdk_widgets.budgets.window import distribute, distribute_lanes


class _Distribution(Comparing):
    def reserves(self, pair: Pair, epsilon: float, new: list[bool]) -> list[float]:
        """Half of what the window has left for publications."""
        could, spent = [0.0] * N, [0.0] * N
        for t in range(N):
            could[t] = (epsilon / 2 - sum(spent[max(0, t - pair.window + 1) : t])) / 2
            spent[t] = could[t] * new[t]
        return could


SCHEME = _Distribution(
    name="budget-distribution",
    title="Budget Distribution",
    meaning="any w in a row share one budget, halving it at each publication.",
    keeps="window",
    pairs=(
        Pair(
            "series that differ at the first timestamp, window 1; three quarters are spent",
            (0,),
            (0.0,) * N,
            1,
            -2.0,
            False,
        ),
        Pair("series that differ at two timestamps in a row; all is seldom spent", (0, 1), (0.0,) * N, 2, -1.0, False),
    ),
    online=True,
    compares=True,
    alike=True,
    options=frozenset({"initial"}),
    loop=distribute,
    lanes=distribute_lanes,
    part=1 / 4,
    fails="This w-event scheme",
    colour="sky",
    dash="dash",
)
