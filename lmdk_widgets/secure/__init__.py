"""Private releases: exact noise from the operating system's entropy, and a ledger that helps an honest owner."""

from lmdk_widgets.secure.numbers import SecureNumbers, release_counts, release_numbers
from lmdk_widgets.secure.points import Guarantee, SecureRelease, release_points

__all__ = ["Guarantee", "SecureNumbers", "SecureRelease", "release_counts", "release_numbers", "release_points"]
