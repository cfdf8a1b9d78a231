"""Cao's plan: every timestamp loses the target in total, if the chain is assumed: see `leakage.plan_budgets`."""

from __future__ import annotations

from lmdk_widgets.budgets.schemes.base import Scheme

SCHEME = Scheme(
    name="planned",
    title="Cao's plan",
    meaning="every timestamp loses the target in total, if the chain chosen under Attacker is assumed: between two cells.",
    keeps="loss",
    pairs=(),
    given="target",
    alike=True,
    grows=False,
    fails="A plan for single timestamps",
    colour="red",
    dash="dashdot",
)
