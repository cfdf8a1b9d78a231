"""The published pair of chains, and choices that have it or others."""

from __future__ import annotations

from typing import Any

from lmdk_widgets.pages.series import SeriesChoices

THETA_1 = ([1, 0], [[0.9, 0.1], [0.4, 0.6]])
THETA_2 = ([0.9, 0.1], [[0.8, 0.2], [0.3, 0.7]])
OWN = SeriesChoices(epsilon=1.0).with_source("chains", length=100)


def own(*chains: Any, **changes: Any) -> SeriesChoices:
    """The choices with chains of the user's own."""
    return OWN.with_changes(own_chains=chains, **changes)
