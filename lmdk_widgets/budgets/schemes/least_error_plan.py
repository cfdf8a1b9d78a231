"""Planned: the least mean error found for a total loss. Its budgets come from `leakage.best_plan`.

Guarantee: no timestamp loses more than the target in total, under the assumed correlation; each loss is recomputed as a
check. The loss is that of Cao, Yoshikawa, Xiao, Xiong, "Quantifying differential privacy under temporal correlations",
ICDE 2017.
"""

from __future__ import annotations

from lmdk_widgets.budgets.schemes.base import Scheme

SCHEME = Scheme(
    name="best-plan",
    title="Planned",
    meaning="no timestamp loses more than the target in total, with the least error found.",
    keeps="loss",
    pairs=(),
    given="target",
    searched=True,
    alike=True,
    grows=False,
    fails="A plan for single timestamps",
    colour="green",
    dash="dashdot",
)
