"""A mechanism of private releases: one object, from which the command `lmdk release` and the audit are built."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from lmdk_widgets.secure.ledger import Ledger


@dataclass(frozen=True)
class Pair:
    """Two neighbouring inputs with which the audit tests a mechanism: each is released many times.

    Attributes
    ----------
    claim : the pair in words.
    inputs : two values, or two places in metres east and north of the origin.
    settings : the mechanism's settings, apart from scheme and budget.
    """

    claim: str
    inputs: tuple[Any, Any]
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Mechanism(ABC):
    """A mechanism that makes private releases.

    Attributes
    ----------
    name : used in commands. title : used in a guarantee. meaning : the rest of "NAME: ..." in lists.
    releases : what it releases, as the audit calls it: "numbers".
    pairs : the pairs with which the audit tests it; the first shows its full epsilon.
    library : a library it needs in addition to those of a plain installation.
    data : the kind of data it is for, "a track" or "a series".
    """

    data: ClassVar[str]

    name: str
    title: str
    meaning: str
    releases: str
    pairs: tuple[Pair, ...]
    library: str = ""

    def suits(self, asked: Mapping[str, Any]) -> bool:
        """Whether it is the default mechanism for a release with these settings."""
        return True

    @abstractmethod
    def release(self, data: Any, asked: Mapping[str, Any], folder: Path, ledger: Ledger, **how: Any) -> dict[str, Any]:
        """Make a release in a folder, record it in the ledger, and return its guarantee.

        Parameters
        ----------
        how : "again", "subject", "limit" and "confirmed", see `Ledger.spend`.
        """

    @abstractmethod
    def restated(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """The guarantee with these numbers, as `release` would state it: every other number and every sentence is computed.

        Without what depends on other releases and on the values.

        Raises
        ------
        InputError, KeyError, TypeError, ValueError : not a guarantee of this mechanism.
        """
