"""What is done today before a track, a place or a meter's readings are shared, and the attack on each: no guarantee anywhere.

`publishing` holds the practices; `zone_attack` and `place_attacks` what an attacker finds from what they publish. A track
that is only thinned keeps true places, which `lmdk_widgets.inference.main_place` finds. `merged_places` is about a single
place and an attacker with a prior, `metering` about readings that are merged over time or cut.
"""

from lmdk_widgets.practice.merged_places import MergedReport, decimal_groups, merged_report, square_groups
from lmdk_widgets.practice.metering import (
    Routine,
    RoutineTold,
    cut_values,
    find_routine,
    merged_values,
    routine_told,
    two_levels,
)
from lmdk_widgets.practice.place_attacks import PlaceFound, find_approximate, find_rounded
from lmdk_widgets.practice.publishing import approximate, cut_ends, rounded, thinned, zone
from lmdk_widgets.practice.trace_noise import clustered, find_clustered, velocity_aware, velocity_budgets
from lmdk_widgets.practice.zone_attack import ZoneFound, find_cut_ends, find_zone, find_zones, zone_silences

__all__ = [
    "MergedReport",
    "PlaceFound",
    "Routine",
    "RoutineTold",
    "ZoneFound",
    "approximate",
    "clustered",
    "cut_ends",
    "cut_values",
    "decimal_groups",
    "find_approximate",
    "find_clustered",
    "find_cut_ends",
    "find_rounded",
    "find_routine",
    "find_zone",
    "find_zones",
    "merged_report",
    "merged_values",
    "rounded",
    "routine_told",
    "square_groups",
    "thinned",
    "two_levels",
    "velocity_aware",
    "velocity_budgets",
    "zone",
    "zone_silences",
]
