"""Cao's plan: every timestamp loses exactly the target in total. Its budgets come from `leakage.plan_budgets`."""

from __future__ import annotations

from lmdk_widgets.budgets.schemes.base import Scheme

SCHEME = Scheme(
    name="planned",
    title="Cao's plan",
    meaning="every timestamp loses exactly the target in total, under the correlation chosen under Attacker.",
    keeps="loss",
    pairs=(),
    given="target",
    alike=True,
    grows=False,
    fails="A plan for single timestamps",
    colour="red",
    dash="dashdot",
)
