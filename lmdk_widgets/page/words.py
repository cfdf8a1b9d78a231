"""The text that every page shows above its drawings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Words:
    """A paragraph on what the settings mean, the assumptions behind it, and warnings where it does not hold."""

    paragraph: str
    assumption: str
    warnings: tuple[str, ...]
