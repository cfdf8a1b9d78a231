"""What each name in the track page's sentences is, computed apart from the page."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from tests.every_number.added_names import ADDED
from tests.every_number.claims import DIGITS, Claims, Hole, least, most, near
from tests.every_number.found_names import FOUND, FOUND_WHEN
from tests.every_number.hidden_names import HIDDEN
from tests.every_number.landmarks_fields import ARRAYS, GROUND, STRUCTURE
from tests.every_number.losses import left_for_ever
from tests.every_number.named import Named, Whole
from tests.every_number.pairs_truth import PAIRS, PAIRS_WHEN
from tests.every_number.spent_truth import ONLINE
from tests.every_number.useful_truth import USEFUL

PLANS = ("planned", "best-plan")


def metre(find: Any) -> Hole:
    """A length on the ground."""
    return near(find, slack=GROUND, size=1e-6)


def level(budget: Callable[[Any], float]) -> Callable[[Any], float | str]:
    """The expected error of a level with this budget, in words where it goes beyond the region."""

    def said(t: Any) -> float | str:
        error = t.level_error(budget(t))
        return f"beyond the region of {t.called.removeprefix('Paris, ')}" if t.is_far(error) else error

    return said


def of_plan(t: Any) -> float:
    return t.searched_errors[0] if t.scheme == "best-plan" else t.plan_errors[1]


def counted(t: Any) -> float:
    return t.weakened * (t.s.place_m / t.radius if t.o.reports is not None and not t.responds else 1)


def largest_factor(t: Any) -> float:
    return math.exp(min(max(t.alone), 700))


BUDGETS: Mapping[str, Any] = {
    "n": "n",
    "n_timestamps": "n",
    "all_timestamps": "n",
    "window": "w",
    "protected": "k",
    "measured": "measured",
    "epsilon": "epsilon",
    "most_epsilon": most("epsilon"),
    "target": "target",
    "most_target": most("target"),
    "lowest": lambda t: min(t.spent),
    "highest": lambda t: max(t.spent),
    "each_budget": lambda t: t.alike(range(t.n), within=1e-5 if t.scheme in PLANS else 1e-7),
    "each_landmark": lambda t: t.alike(t.marks),
    "landmark_share": near("share", size=1e-12),
    "added": "adds",
    "most_with_landmarks": most("top"),
    "with_landmarks": "top",
    "most_in_window": most(lambda t: max(t.window_totals)),
    "more_noise": "more_noise",
    "first_budget": lambda t: t.spent[0],
    "middle_budget": lambda t: t.alike(range(1, t.n - 1)),
    "last_budget": lambda t: t.spent[-1],
    "least_budget": least(lambda t: min(t.spent)),
    "fitting_factor": least("fits"),
    "stays": lambda t: len(t.stays),
    "stays_one": "stays_one",
    "stays_whole": "stays_whole",
    "most_in_any_draw": most(lambda t: t.landmarks_and_one / t.counted),
    "over_in_any_draw": most(lambda t: t.landmarks_and_one / t.counted / t.epsilon),
    "overrun": most(lambda t: t.overrun if t.scheme not in ONLINE else -1),
    "timestamps_late": "released_late",
    "most_spent": most(lambda t: math.fsum(t.spent)),
    "most_of_all": most("everything"),
    "low_rate": lambda t: min(t.rate),
    "high_rate": lambda t: max(t.rate),
    "low_threshold": lambda t: min(t.threshold_m),
    "high_threshold": lambda t: max(t.threshold_m),
}

ERRORS: Mapping[str, Any] = {
    "median_error": metre("median"),
    "mean_error": metre("mean"),
    "event_error": level(lambda t: t.epsilon),
    "user_error": level(lambda t: t.epsilon / t.n),
    "cells": lambda t: len(t.grid) if t.responds else len(t.centres),
    "cell_side": lambda t: t.s.place_m,
    "low_chance": lambda t: min(t.keeps),
    "high_chance": lambda t: max(t.keeps),
    "most_chance": most(lambda t: max(t.keeps)),
    "mere_chance": lambda t: 1 / len(t.grid),
    "expected_error": metre("expected"),
    "saving": near(lambda t: abs(t.saving), slack=1e-5),
    "less": lambda t: "less" if t.saving > 0 else "more",
    "plan_error": metre(of_plan),
    "cao_error": metre(lambda t: t.searched_errors[1]),
    "user_error_at_target": metre(lambda t: t.searched_errors[2] if t.scheme == "best-plan" else t.plan_errors[0]),
    "region_km_east": Hole(lambda t: t.region_km[0], DIGITS),
    "region_km_north": Hole(lambda t: t.region_km[1], DIGITS),
    "outside": lambda t: len(t.away_m),
    "most_outside": most(lambda t: max(t.away_m), size=1e-3),
}

LOSSES: Mapping[str, Any] = {
    "when": Whole(lambda t, _: t.moment),
    "most_odds_factor": most(largest_factor, slack=1e-8),
    "states": lambda t: len(t.matrix),
    "state_side": lambda t: t.s.cell_m,
    "strength": lambda t: t.s.smoothing,
    "estimate_smoothing": lambda t: 0.01,
    "most_lost": most("peak"),
    "least_total": most(lambda t: min(t.total), size=1e-30),
    "most_backward": most(lambda t: max(t.backward)),
    "most_forward": most(lambda t: max(t.forward)),
    "most_by_pairs": most(lambda t: max(t.tells), slack=1e-7),
    "times_budget": "times",
    "supremum": most("supremum"),
    "bounded_budget": least("bounded"),
    "stay": near(lambda t: t.matrix.diagonal().min(), slack=0.005),
    "low_stay": lambda t: min(t.matrix.diagonal()),
    "high_stay": lambda t: max(t.matrix.diagonal()),
    "longest_share": near(lambda t: max(t.long_run), slack=1e-9),
    "most_lost_in_window": most(lambda t: max(t.window_loss)),
    "counted_loss": lambda t: max(t.landmark),
    "most_of_landmarks": most(lambda t: max(t.landmark_bound), slack=1e-7),
    "most_learned": most(lambda t: math.fsum(t.spent) * counted(t), slack=1e-8),
    "radius": "radius",
    "most_counted": most(counted),
    "certified_share": most("certified"),
    "most_gap": most("gap", size=1e-6),
    "radii_apart": lambda t: t.s.place_m / t.radius,
    "cells_told": lambda t: max(t.spent) * t.s.place_m / t.radius,
    "states_left": lambda t: left_for_ever(t.matrix),
    "most_stretch": most(lambda t: t.weakened - 1, size=1e-9),
    "ground_stretch": most("weakened"),
    "most_around": most(lambda t: 2 * math.pi * 6_371_008.8 if t.torn else math.nan),
}

TRACK = {**BUDGETS, **ERRORS, **LOSSES, **HIDDEN, **ADDED, **FOUND, **PAIRS, **USEFUL}
"""Every number by its name."""

TRUE_WHEN: Mapping[str, Callable[[Any], bool]] = {
    "The only timestamp may spend": lambda t: t.n == 1,
    "are the whole {data}": lambda t: t.k == t.n,
    "not measured and spend": lambda t: t.share == 0,
    "every other timestamp may spend the whole budget": lambda t: t.adds == t.epsilon,
    "cannot noticeably change": lambda t: max(t.alone) < 1.1e-9,
    "{odds}{comma} by a factor of more than a million": lambda t: largest_factor(t) >= 1e6,
    "the loss grows without bound": lambda t: math.isinf(t.supremum),
    "grows without bound on a longer": lambda t: math.isinf(t.supremum),
    "grows without bound for every epsilon": lambda t: t.bounded == 0,
    "a chance of {how_often}": lambda t: t.responds,
    "is a proposal": lambda t: t.proposed,
    "Every budget is": lambda t: max(t.spent) == 0,
    **FOUND_WHEN,
    **PAIRS_WHEN,
}
"""Words that are true in some cases only."""


AS_WRITTEN = (
    *("two places", "two cells", "two neighbouring cells", "two neighbouring ones"),
    *("e^b", "e^(", "by a factor of e^", "ln(1/p)", "budget is 0", "Over 100 draws"),
    "grows without bound",
    *("two of them", "two whole paths", "two paths", "any two", "Two places"),
    *("two equally likely places", "two equally likely neighbouring cells", "two equally likely cells"),
    *("of 100", "Of 100", "50 are right by chance", "in one of ten", "nine of ten", "in 8 of 10 releases"),
)
"""Numbers in words that are the same for all settings."""

LEGEND = ("5 %", "5 to 95 %")
"""Names of lines in the timeline: `drawn` holds what they are drawn from."""


def track_names(more: Mapping[str, Any] | None = None) -> Named:
    """What recomputes each number of Track; more: of names that no scheme of the program uses."""
    return Named(
        {**TRACK, **(more or {})}, Claims(ARRAYS, STRUCTURE), as_written=AS_WRITTEN, true_when=TRUE_WHEN, alone=LEGEND
    )
