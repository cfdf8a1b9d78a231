"""What is the same for an adversary of places and of levels: the numbers in words by their names, the panels over time, and
the settings tried."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.sentences import heard
from lmdk_widgets.pages.track.page import TrackPage
from lmdk_widgets.pages.track.session import TrackSession
from tests.every_number.adversary_truth import Her
from tests.every_number.claims import Hole, leaves, most, near
from tests.every_number.named import Named
from tests.sweeps import FULL, generators, more

SLACK = 1e-6
CLOSE = {"rtol": 1e-5, "atol": 1e-6}
EDGES = np.array([0.001, 0.003, 0.01, 0.03, 0.1, 0.3])
"""Beliefs at which the colour of a cell changes."""


def mean(name: str, of: str) -> Hole:
    """A number that is the mean of hers over the timestamps."""
    return near(lambda t: float(getattr(t, name)(getattr(t, of)).mean()), slack=SLACK, size=1e-9)


ADVERSARY: Mapping[str, Any] = {
    "attacker_error": near(lambda t: float(t.error.mean()), slack=SLACK, size=1e-9),
    "model": "model",
    "other_model": "other",
    "other_error": near(lambda t: float(t.errors[t.other].mean()), slack=SLACK, size=1e-9),
    "error_from_one": mean("off", "alone"),
    "error_from_none": mean("off", "blind"),
    "attacker_cells": "m",
    "attacker_cell_side": "side",
    "attacker_step": "step",
    "stay_chance": "stays",
    "right_from_all": mean("right", "whole"),
    "right_from_one": mean("right", "alone"),
    "right_from_none": mean("right", "blind"),
    "right_guesses": lambda t: sum(a == b for a, b in zip(t.guess, t.true, strict=True)),
    "n": "n",
    "landmarks": lambda t: len(t.s.landmarks),
    "found_landmarks": lambda t: len(t.found_marks) or math.nan,
    "found_names": "named",
    "most_attacker_learned": most(lambda t: float(t.learned.max()), slack=SLACK, size=1e-6),
    "most_attacker_factor": most(lambda t: math.exp(min(float(t.learned.max()), 15)), slack=1e-3),
    "most_proven_loss": most("proven", slack=1e-6),
    "attacked_days": lambda t: len(t.spans),
}
"""Every number by its name."""

ADVERSARY_WHEN: Mapping[str, Callable[[Any], bool]] = {
    "none of your {landmarks}": lambda t: not t.found_marks,
    "each of your {landmarks}": lambda t: len(t.found_marks) == len(t.s.landmarks),
}
"""When words are true."""

AS_WRITTEN = ("two levels", "two answers", "two cells", "these two", "22:00 to 6:00", "9:00 to 17:00")
"""Numbers in words that are the same for all settings."""


def clear(belief: np.ndarray) -> np.ndarray:
    """Cells whose belief is not at an edge, where either colour would do."""
    return abs(belief[:, None] / EDGES - 1).min(axis=1) > 1e-6


def hold_panels(her: Her, panels: dict[str, np.ndarray], error_atol: float) -> None:
    """The curves over time, with how close errors must be, in their unit."""
    for start, belief in (("", her.whole), ("alone_", her.alone), ("blind_", her.blind)):
        np.testing.assert_allclose(panels[f"{start}right"], her.right(belief), **CLOSE)
        error_m = her.off(belief) if start else her.error
        np.testing.assert_allclose(panels[f"{start}error_m"], error_m, rtol=1e-5, atol=error_atol)
    if her.s.adversary in ("both", "any"):
        assert panels["error_m"].mean() <= her.by_reader.mean() * (1 + 1e-9) + 1e-9, "weaker than the reader"
    np.testing.assert_allclose(panels["learned"], her.learned, **CLOSE)
    np.testing.assert_array_equal(panels["budgets"], her.o.budgets)
    assert ("bound" in panels) == (her.bound is not None)
    if her.bound is not None:
        np.testing.assert_allclose(panels["bound"], her.bound, **CLOSE)
    between = getattr(her, "pair_bound", None)  # of places
    assert ("pair_bound" in panels) == (between is not None)
    if between is not None:
        np.testing.assert_allclose(panels["pair_bound"], between, **CLOSE)
        assert (her.learned <= between * (1 + 1e-6) + 1e-6).all()
    cell = her.knows.cell
    assert ("cell" in panels) == (0 <= cell < her.m)
    if 0 <= cell < her.m:
        np.testing.assert_allclose(panels["cell"], her.whole[:, cell], **CLOSE)


def hold_settings(
    named: Named,
    case: Callable[[np.random.Generator], tuple[Any, Any]],
    seed: int,
    count: int,
    kind: type[Her],
    hold_drawings: Callable[[Any], None],
) -> int:
    """Hold every number in words and every drawing of each setting; how many of them could be evaluated."""
    held = 0
    for rng in chain(generators(seed, count), more(seed + 100, 20 * count, named.unused)):
        choices, data = case(rng)
        with heard() as made:
            try:
                page = TrackPage(TrackSession(data, choices))  # what takes next to no time
            except InputError:
                continue
            shown = list(leaves("inferred", page._text(page.outcome)["inferred"]))
        her = kind(page)
        try:
            named.hold(shown, made, her)
            hold_drawings(her)
        except AssertionError as wrong:
            raise AssertionError(f"{wrong}\n{choices}, {len(data)} timestamps") from wrong
        held += 1
    assert not FULL or not named.unused(), named.unused()
    return held
