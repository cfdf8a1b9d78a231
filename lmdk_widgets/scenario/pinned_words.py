"""The pinned option beside the present one, in a sentence and a table."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lmdk_widgets.page.amounts import amount, bound, count
from lmdk_widgets.page.words import said
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.pinned import differing

_MOST_NAMED = 6
"""So many changed choices are told; of more only their number."""

_LIKE = 0.005
"""A share by which two numbers may differ and are still called alike."""


def describe_pinned(outcome: Outcome) -> dict[str, Any]:
    """ "text": what differs and what it does; "rows": name, pinned, now; nothing where nothing is pinned."""
    kept = outcome.pinned
    if kept is None:
        return {"text": "", "rows": []}
    rows = [
        ["Mean error", kept.ground.write(kept.mean_error_m), outcome.ground.write(outcome.mean_error_m)],
        ["95 % radius, mean", kept.ground.write(_radius(kept)), outcome.ground.write(_radius(outcome))],
        ["Budget of a timestamp, mean", amount(float(kept.budgets.mean())), amount(float(outcome.budgets.mean()))],
        ["Landmarks and one other spend at most", bound(float(kept.totals.max())), bound(float(outcome.totals.max()))],
        ["Largest total loss", bound(float(kept.total.max())), bound(float(outcome.total.max()))],
        ["Landmarks together (count)", amount(float(kept.landmark.max())), amount(float(outcome.landmark.max()))],
    ]
    return {"text": f"{_changed(outcome)} {_effect(kept, outcome)}", "rows": rows}


def _radius(outcome: Outcome) -> float:
    known = outcome.radius95_m[np.isfinite(outcome.radius95_m)]
    return float(known.mean()) if len(known) else math.nan


def _changed(outcome: Outcome) -> str:
    names, kinds = differing(outcome.scenario), Scenario.kinds()
    if not names:
        return "Nothing differs from the pinned option yet: change a setting."
    if len(names) > _MOST_NAMED:
        return f"{count(len(names), 'setting').capitalize()} differ from the pinned option."
    told = [f"{kinds[name].subject} {_said(outcome.pinned, name)} → {_said(outcome, name)}" for name in names]
    return f"Changed since it was pinned: {'; '.join(told)}."


def _said(outcome: Outcome | None, name: str) -> str:
    assert outcome is not None
    value = getattr(outcome.scenario, name)
    return count(len(value), "timestamp") if name == "landmarks" else said(Scenario.kinds()[name], value)


def _effect(kept: Outcome, now: Outcome) -> str:
    """One sentence: what the change does to the error, and to what is learned."""
    error = _ratio("the mean error", now.mean_error_m / kept.mean_error_m if kept.mean_error_m > 0 else math.nan)
    before, after = (float(one.total.max()) for one in (kept, now))
    verb = "leaves" if abs(after - before) <= _LIKE * before else "raises" if after > before else "lowers"
    told = f"{verb} what an adversary learns about one timestamp"
    if verb == "leaves":
        return f"It {error} and {told} at {bound(after)} at most."
    return f"It {error} and {told} from at most {bound(before)} to at most {bound(after)}."


def _ratio(what: str, share: float) -> str:
    if not math.isfinite(share) or share <= 0:
        return f"leaves nothing to compare of {what}"
    if abs(share - 1) <= _LIKE:
        return f"leaves {what} as it is"
    if share < 1:
        return f"divides {what} by {amount(1 / share)}"
    return f"multiplies {what} by {amount(share)}"
