"""What several differentially private releases guarantee together.

By sums (`sequential`, `parallel`, `group`, `discounted`): for any mechanisms, with delta 0. At a chosen delta
(`laplace_epsilon`, `response_epsilon`, `planar_laplace_epsilon`, and the delta of each at an epsilon): smaller, from
the privacy loss of the mechanism itself. Gaussian noise (`gaussian_delta`, `gaussian_epsilon`) has no sum, as it has no
epsilon without a delta. `trade_off` shows the whole picture, what the best test still misses; `trade_off_between` shows
it for one release with finitely many outputs.

All of this holds for mechanisms with independent noise and budgets fixed in advance, and for data in which one person's
record says nothing about another's. If records or timestamps are correlated, neither the sum over time nor the maximum
over people bounds what is learned (`lmdk_widgets.leakage`, `lmdk_widgets.pufferfish`).
"""

from lmdk_widgets.composition.at_delta import (
    laplace_delta,
    laplace_epsilon,
    planar_laplace_delta,
    planar_laplace_epsilon,
    response_delta,
    response_epsilon,
    rounded_up,
)
from lmdk_widgets.composition.gaussian import gaussian_delta, gaussian_epsilon
from lmdk_widgets.composition.sums import discounted, group, parallel, sequential
from lmdk_widgets.composition.trade_off import trade_off, trade_off_between

__all__ = [
    "discounted",
    "gaussian_delta",
    "gaussian_epsilon",
    "group",
    "laplace_delta",
    "laplace_epsilon",
    "parallel",
    "planar_laplace_delta",
    "planar_laplace_epsilon",
    "response_delta",
    "response_epsilon",
    "rounded_up",
    "sequential",
    "trade_off",
    "trade_off_between",
]
