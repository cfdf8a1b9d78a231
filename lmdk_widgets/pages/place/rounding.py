"""Rounded coordinates and larger squares on the cells of the place page: what such a report costs and tells."""

from __future__ import annotations

from dataclasses import dataclass

from lmdk_widgets.geo import Area
from lmdk_widgets.geoind.mechanisms import Instance
from lmdk_widgets.practice.merged_places import MergedReport, decimal_groups, merged_report, square_groups

DECIMALS = (2, 1)
SIDES = (2, 3, 5)
"""Cells along the side of a larger square."""


@dataclass(frozen=True, eq=False)
class Rounding:
    """A practice. decimals : of degrees; side : cells along a larger square, or 0: rounded. told : what its report tells."""

    decimals: int
    side: int
    told: MergedReport


def roundings(
    area: Area, instance: Instance, decimals: int = DECIMALS[0], side: int = SIDES[0]
) -> tuple[Rounding, ...]:
    """Coordinates rounded to decimals of a degree, and cells merged to larger squares, with what each tells: some of both,
    and those with these decimals and this side."""
    latitude, longitude = area.frame.to_degrees(area.points_m)
    squares = area.squares - area.squares.min(axis=0)
    groups = [(k, 0, decimal_groups(latitude, longitude, k)) for k in sorted({*DECIMALS, decimals}, reverse=True)]
    groups += [(0, many, square_groups(squares, many)) for many in sorted({*SIDES, side})]
    return tuple(
        Rounding(k, side, merged_report(area.points_m, group, instance.prior, instance.quality, instance.error))
        for k, side, group in groups
    )
