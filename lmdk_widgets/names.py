"""The names that arguments take, as types: an editor offers them, and a type checker refuses others.

What is checked at run time is computed from what is registered; a test compares the two.
"""

from __future__ import annotations

from typing import Literal

FixedSchemeName = Literal["event", "user", "window", "uniform", "weighted", "skip"]
"""Schemes whose budgets are known in advance."""

ReleaseSchemeName = Literal[
    FixedSchemeName, "adaptive", "budget-distribution", "budget-absorption", "predictive", "given"
]
"""Schemes with which a series can be released."""

SweptSchemeName = Literal[
    FixedSchemeName, "adaptive", "budget-distribution", "budget-absorption", "predictive", "best-plan", "planned"
]
"""Schemes that spread an epsilon or a target, which tables compare."""

SchemeName = Literal[SweptSchemeName, "given"]
"""All schemes."""

MechanismName = Literal["planar", "optimal", "spanner", "remapped", "randomised"]
"""How a measured timestamp is reported."""

AdversaryName = Literal["both", "past", "future", "any"]
"""Which way an attacker reasons along the track."""

CorrelationName = Literal["none", "weak", "moderate", "strong", "strength", "estimated", "matrix"]
"""What an attacker knows about how places follow each other."""

StartName = Literal["uniform", "days", "people", "track"]
"""Where an attacker who follows a track starts."""

MovesName = Literal["page", "near", "days", "track"]
"""What such an attacker believes about moves."""
