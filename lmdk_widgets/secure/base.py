"""What a mechanism of private releases is: one object, of which the command `lmdk release` and the audit are made."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from lmdk_widgets.secure.ledger import Ledger


@dataclass(frozen=True)
class Pair:
    """Two neighbouring inputs with which the audit tries a mechanism: each is released many times.

    Attributes
    ----------
    claim : which two they are, in words.
    inputs : two values, or two places in metres east and north of the origin.
    settings : beside scheme and budget, what the mechanism is asked for.
    """

    claim: str
    inputs: tuple[Any, Any]
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Mechanism(ABC):
    """A mechanism that makes private releases.

    Attributes
    ----------
    name : in commands. title : in a guarantee. meaning : the rest of "NAME: ..." in lists.
    releases : what it releases, as the audit calls it: "numbers".
    pairs : with which the audit tries it; the first shows all of its epsilon.
    library : that it needs, beside those of a plain installation.
    data : the kind of data that it takes, "a track" or "a series".
    """

    data: ClassVar[str]

    name: str
    title: str
    meaning: str
    releases: str
    pairs: tuple[Pair, ...]
    library: str = ""

    def suits(self, asked: Mapping[str, Any]) -> bool:
        """Whether a release for which this is asked is its own where no mechanism is named."""
        return True

    @abstractmethod
    def release(self, data: Any, asked: Mapping[str, Any], folder: Path, ledger: Ledger, **how: Any) -> dict[str, Any]:
        """Make a release in a folder, write it down in the ledger, and return its guarantee.

        Parameters
        ----------
        how : "again", "subject" and "limit", see `Ledger.spend`.
        """
