"""The what-if as one file: a page that opens with a double click, plays recorded answers, and needs no Python.

    a page and the controls that stay open --record--> messages --pack--> one HTML file with the page's own programs

A file that was made from somebody's own data is computed from one release of it, unless its author wants the truth in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import lmdk_widgets
from lmdk_widgets.errors import InputError
from lmdk_widgets.io import NOTE, export_name
from lmdk_widgets.io.what_if_file import Face, Store, compressed_size, programs_size, what_if_html
from lmdk_widgets.page.core import Page
from lmdk_widgets.page.open_controls import Open, Source
from lmdk_widgets.page.recorder import Recorded, positions, record, settings
from lmdk_widgets.page.said import settings_rows
from lmdk_widgets.page.session import File

MOST_SETTINGS = 20_000
"""Most combinations of open controls that are recorded."""

MOST_BYTES = 25_000_000
"""Largest file that is written: what most mail takes."""

SAMPLED = 16
"""Settings that are recorded to say beforehand how large the file will be."""

TRUTH = "with the true data"
"""What the name of a file says that holds the truth about somebody."""


class WhatIf:
    """A what-if to be recorded.

    Parameters
    ----------
    page : the class of the page. source : what it is computed from. opened : the controls that stay open.
    jobs : processes at the same time, -1 for one a core.

    Raises
    ------
    InputError : more settings than are recorded.
    """

    def __init__(self, page: type[Page], source: Source, opened: Sequence[Open], *, jobs: int = 1) -> None:
        self.page, self.source, self.opened, self.jobs = page, source, tuple(opened), jobs
        self.count = settings(self.opened)
        if self.count > MOST_SETTINGS:
            what = f"The open controls must have at most {MOST_SETTINGS:,} settings together"
            raise InputError(what, value=f"{self.count:,}", remedy="Leave fewer of them open, or fewer stops")
        self._shown = page.showing(source.state)
        self._store = Store()

    @property
    def begins(self) -> int:
        """The number of the setting that the file begins with: that of the page."""
        now, number = self.source.state.choices, 0
        for control in self.opened:
            held = [_plain(value) for value in control.values]
            present = _plain(getattr(now, control.name))
            number = number * len(held) + (held.index(present) if present in held else 0)
        return number

    def estimate(self) -> int:
        """About how many bytes the file will have, from some of its settings."""
        numbers = sorted({int(k * (self.count - 1) / max(SAMPLED - 1, 1)) for k in range(SAMPLED)})
        found = list(record(self.page, self.source.state, self.opened, numbers))
        half, whole = (compressed_size(self._packed(Store(), found[:k])) for k in (len(found) // 2, len(found)))
        more = (whole - half) / max(len(found) - len(found) // 2, 1)
        return int(programs_size(self.programs) + 4 / 3 * (whole + more * (self.count - len(found))))

    def record(self) -> Iterator[int]:
        """Records every setting; how many there are so far."""
        self._states: list[Any] = []
        found = record(self.page, self.source.state, self.opened, range(self.count), jobs=self.jobs)
        for number, one in enumerate(found, 1):
            self._states.append(self._stored(self._store, one))
            yield number

    def file(self, name: str = "") -> File:
        """The file, once everything is recorded.

        Raises
        ------
        InputError : a file that is too large.
        """
        data = what_if_html(self._face(), self._block(self._store, self._states), self.programs).encode()
        if len(data) > MOST_BYTES:
            most = f"The file must have at most {MOST_BYTES / 1e6:g} MB"
            remedy = "Leave fewer controls open, take fewer stops, or a shorter track"
            raise InputError(most, value=f"{len(data) / 1e6:.1f} MB", remedy=remedy)
        parts = [*self._shown.session.named(), "what if", *([TRUTH] if self.source.true else [])]
        return File(name or export_name("html", *parts), "text/html", data, self.source.said)

    @property
    def programs(self) -> tuple[str, ...]:
        """The bundles that the page needs."""
        return (self.page.MODULE, *self.page.LIBRARIES)

    def _stored(self, store: Store, one: Recorded) -> Any:
        return one if isinstance(one, str) else [store.add(*message) for message in one]

    def _packed(self, store: Store, found: Sequence[Recorded]) -> bytes:
        return self._block(store, [self._stored(store, one) for one in found])

    def _block(self, store: Store, states: Sequence[Any]) -> bytes:
        options = {
            **self._shown._about(),
            "recorded": {"sentence": self._why(), "open": [each.name for each in self.opened]},
        }
        options["fields"] = {name: self._declared(name, field) for name, field in options["fields"].items()}
        return store.block(
            {
                "programs": list(self.programs),
                "open": [each._asdict() for each in self.opened],
                "free": list(self.page.LOOKED_AT),
                "begins": positions(self.opened, self.begins),
                "options": store.add(options),
                "states": list(states),
            }
        )

    def _declared(self, name: str, field: dict[str, Any]) -> dict[str, Any]:
        """A control as it stands in the file: with stops and without what was left out, or fixed."""
        control = next((each for each in self.opened if each.name == name), None)
        if control is None:
            return field | {"fixed": True}
        if field.get("slider"):
            return field | {"slider": {**field["slider"], "stops": list(control.values)}}
        if field.get("choices"):
            return field | {"choices": [each for each in field["choices"] if each["name"] in control.values]}
        return field

    def _why(self) -> str:
        named = " and ".join([", ".join(each.label for each in self.opened[:-1]), self.opened[-1].label]).removeprefix(
            " and "
        )
        return f"In this file {named} can be changed; every other setting is as its author left it."

    def _face(self) -> Face:
        now = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
        counted = ", ".join(each.counted for each in self.opened)
        played = f"{self._why()} The answers to {self.count:,} settings were computed beforehand: {counted}."
        shown = self._shown
        return Face(
            title=self.page.TITLE,
            note=NOTE[0].upper() + NOTE[1:],
            lines=[self.source.said, played],
            settings=settings_rows(shown.session.choices, shown._told()),
            foot=f"Made on {now} by lmdk_widgets {lmdk_widgets.__version__}. It opens without a network and asks nobody.",
        )


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def megabytes(size: int) -> str:
    """A size in words.

    Examples
    --------
    >>> megabytes(2_461_532), megabytes(12_340_000)
    ('2.5 MB', '12 MB')
    """
    return f"{size / 1e6:.2g} MB"
