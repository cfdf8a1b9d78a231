"""What is the same for an adversary of places and of levels: her average over time, her panels, and the settings tried."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.pages.track.page import TrackPage
from lmdk_widgets.pages.track.session import TrackSession
from tests.every_number.adversary_truth import Her
from tests.every_number.claims import Claims, Hole, Pattern, leaves, near
from tests.sweeps import FULL, generators, more

SLACK = 1e-6
CLOSE = {"rtol": 1e-5, "atol": 1e-6}
EDGES = np.array([0.001, 0.003, 0.01, 0.03, 0.1, 0.3])
"""Beliefs at which the colour of a cell changes."""


def mean(name: str, of: str) -> Hole:
    """A number that is the mean of hers over the timestamps."""
    return near(lambda t: float(getattr(t, name)(getattr(t, of)).mean()), slack=SLACK, size=1e-9)


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
    patterns: list[Pattern],
    case: Callable[[np.random.Generator], tuple[Any, Any]],
    seed: int,
    count: int,
    kind: type[Her],
    hold_drawings: Callable[[Any], None],
) -> int:
    """Hold every number in words and every drawing of each setting; how many of them could be evaluated."""
    claims, held = Claims(patterns, {}), 0
    for rng in chain(generators(seed, count), more(seed + 100, 20 * count, claims.unused)):
        choices, data = case(rng)
        try:
            page = TrackPage(TrackSession(data, choices))  # what takes next to no time
        except InputError:
            continue
        her = kind(page)
        try:
            claims.hold(leaves("inferred", page._text(page.outcome)["inferred"]), her)
            hold_drawings(her)
        except AssertionError as wrong:
            raise AssertionError(f"{wrong}\n{choices}, {len(data)} timestamps") from wrong
        held += 1
    assert not FULL or not claims.unused(), claims.unused()
    return held
