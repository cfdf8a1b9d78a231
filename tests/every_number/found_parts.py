"""What recomputing what is found keeps: silences, places that last, and what they reveal."""

from __future__ import annotations

from dataclasses import dataclass

from lmdk_widgets.inference import KnownHours


@dataclass(frozen=True)
class Quiet:
    """What silences give away: metres in half of all releases, in nine of ten, without noise; how many reports are beside
    them, and which."""

    half: float
    nine: float
    limit: float
    ends: int
    at: tuple[int, ...]


@dataclass(frozen=True)
class Lasting:
    """A place that lasts: its number from 0, its timestamps, metres, and its silences where they come nearer."""

    k: int
    members: list[int]
    found: float
    quiet: Quiet | None


@dataclass(frozen=True)
class Secret:
    """What lasts: its name, how long, its timestamps, and what their reports reveal."""

    called: str
    length: str
    members: list[int]
    hours: KnownHours
