"""What private releases of a subject may still spend, where `lmdk explore --subject NAME` opened the page with a ledger.

The ledger stores keyed digests of minutes and what was spent in them; no place, value or time can be read from it.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lmdk_widgets.errors import InputError
from lmdk_widgets.io.report import Part
from lmdk_widgets.page.blocks import Block, Text
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.fields import flag
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.scenario.outcome import Outcome

LEDGER, SUBJECT = "LMDK_LEDGER", "LMDK_SUBJECT"
"""Environment variables: the path of the ledger, and the subject whose releases count."""


@dataclass(frozen=True)
class LeftChoices(Choices):
    """Show what private releases may still spend."""

    open: bool = flag(False, "What is left this week for private releases")


class Left(Panel):
    NAME = "left"
    FOLD = LeftChoices

    def offered(self) -> bool:
        return bool(os.environ.get(LEDGER))

    def asked(self, choices: Any, outcome: Outcome) -> Hashable | None:
        if not self.offered():
            return None
        path, day = Path(os.environ[LEDGER]), datetime.now(UTC).date()
        seen = path.stat() if path.exists() else None
        return str(path), os.environ.get(SUBJECT, ""), day, seen and (seen.st_mtime_ns, seen.st_size)

    def at_once(self, choices: Any, outcome: Outcome) -> tuple[str, ...]:
        from lmdk_widgets.secure.ledger import (
            Ledger,  # imported late: only this machine has one, and not every system can lock it
        )

        try:
            ledger = Ledger(os.environ[LEDGER])
            return (*ledger.left(os.environ.get(SUBJECT, "")).words(), *ledger.notices)
        except InputError as error:
            return (error.sentence,)

    def blocks(self, choices: Any, outcome: Outcome) -> Iterable[Block]:
        return [Text(sentence) for sentence in outcome.found(self.NAME) or ()]

    def parts(self, choices: Any, outcome: Outcome, release: Any) -> Iterable[Part]:
        """None: what a subject has spent is only for its owner's screen."""
        return ()
