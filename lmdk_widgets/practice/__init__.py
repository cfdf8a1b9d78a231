"""What is done today before a track is published, and the attack on each practice: no guarantee anywhere.

`publishing` holds the practices; `zone_attack` and `place_attacks` what an attacker finds from what they publish. A track
that is only thinned keeps true places, which `lmdk_widgets.inference.main_place` finds.
"""

from lmdk_widgets.practice.place_attacks import PlaceFound, find_approximate, find_rounded
from lmdk_widgets.practice.publishing import approximate, cut_ends, rounded, thinned, zone
from lmdk_widgets.practice.zone_attack import ZoneFound, find_cut_ends, find_zone, find_zones, zone_silences

__all__ = [
    "PlaceFound",
    "ZoneFound",
    "approximate",
    "cut_ends",
    "find_approximate",
    "find_cut_ends",
    "find_rounded",
    "find_zone",
    "find_zones",
    "rounded",
    "thinned",
    "zone",
    "zone_silences",
]
