"""The what-if as one file: a page that opens with a double click, plays recorded answers, and needs no Python.

    a page and the controls that stay open --record--> messages --pack--> one HTML file with the page's own programs

A page without a host is set to every combination of the open controls, everything that takes longer is finished, and its
text and drawings are recorded as they would be sent to the browser. So a file that plays them is exact at its stops, and
computes nothing. A file made from the user's own data is computed from one release of them, unless its author wants the
truth in it. On the page, the size is estimated and the file is made in the background, while the page keeps working.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.util import find_spec
from math import prod
from secrets import token_hex
from time import monotonic
from typing import Any, ClassVar, Self

from lmdk_widgets.cache import RecentResults
from lmdk_widgets.errors import InputError
from lmdk_widgets.io import NOTE, export_name
from lmdk_widgets.io.what_if_file import Face, Store, compressed_size, programs_size, what_if_html
from lmdk_widgets.page.amounts import whole
from lmdk_widgets.page.core import Page
from lmdk_widgets.page.drawing import Message
from lmdk_widgets.page.history import State
from lmdk_widgets.page.messages import Handler, refusal_of, saved
from lmdk_widgets.page.open_controls import MOST_PROPOSED, Open, Source, opened
from lmdk_widgets.page.runner import END
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.page.session import File, Session
from lmdk_widgets.page.takeaway import REPORTS
from lmdk_widgets.page.words import settings_rows
from lmdk_widgets.version import __version__

MOST_SETTINGS = 20_000
"""The most combinations of open controls that are recorded."""

LARGE_BYTES = 5_000_000
"""Above this size, a site is suggested instead of a file."""

SITE_BYTES = 22_000_000
"""The size of all live pages of a site, including Python for browsers; a nightly test checks it."""

MOST_BYTES = 25_000_000
"""The largest file that is written: what most mail accepts."""

SAMPLED = 16
"""The number of settings that are recorded to estimate the size of the file."""

TRUTH = "with the true data"
"""What the name of a file says if it contains the truth about a person."""

BETWEEN_S = 0.2
"""At least this many seconds lie between two reports of a recording's progress."""

Packed = tuple[Message, list[bytes]]
Recorded = list[Packed] | str
"""The messages of a setting, its text first; a sentence if it is refused."""

AT_ONCE = 20
"""The fewest settings that one process records in one go; it takes all with the first control at the same value."""


def settings(opened: Sequence[Open]) -> int:
    """How many combinations there are."""
    return prod(len(control.values) for control in opened)


def positions(opened: Sequence[Open], number: int) -> list[int]:
    """The position of each control in a combination; the last control changes fastest."""
    found = []
    for control in reversed(opened):
        number, at = divmod(number, len(control.values))
        found.append(at)
    return found[::-1]


def record(
    page: type[RecordablePage], state: State, opened: Sequence[Open], numbers: Sequence[int], *, jobs: int = 1
) -> Iterator[Recorded]:
    """The messages of the combinations with these numbers, one after another.

    Parameters
    ----------
    jobs : processes at the same time, -1 for one per core; one if joblib is not installed.
    """
    each = max(AT_ONCE, settings(opened[1:]))
    parts = [numbers[k : k + each] for k in range(0, len(numbers), each)]
    if jobs != 1 and len(parts) > 1 and find_spec("joblib"):
        from joblib import Parallel, delayed

        run, name = Parallel(n_jobs=jobs, return_as="generator"), token_hex()
        for part in run(delayed(_recorded)(name, page, state, opened, part) for part in parts):
            yield from part
        return
    shown = page.showing(state)
    for number in numbers:
        yield _one(shown, state, opened, number)


_SHOWN: RecentResults[str, tuple[RecordablePage, State]] = RecentResults(
    "page.what_if",
    "the page of the recording: what it has solved for one part is reused for the next",
    "visitor",
    entries=1,
)


def _recorded(
    name: str, page: type[RecordablePage], state: State, opened: Sequence[Open], numbers: Sequence[int]
) -> list[Recorded]:
    found = _SHOWN.get(name)
    if found is None:
        found = page.showing(state), state
        _SHOWN.put(name, found)
    shown, state = found
    return [_one(shown, state, opened, number) for number in numbers]


def _one(page: RecordablePage, state: State, opened: Sequence[Open], number: int) -> Recorded:
    session = page.session
    try:
        for control, k in zip(opened, positions(opened, number), strict=True):
            state = session.changed(state, control.operation(k))
        session.show(state, commit=False)
    except InputError as error:
        return error.sentence
    page._improve(anew=True)
    page.finish()
    text = {**page._numbers(), "can_undo": False, "can_redo": False}
    del text["step"]  # there is no session that could end
    return [(text, []), *(drawing.message() for drawing in page._drawings(session.outcome))]


class WhatIf:
    """A what-if to be recorded.

    Parameters
    ----------
    page : the class of the page. source : what it is computed from. opened : the controls that stay open.
    jobs : processes at the same time, -1 for one per core.

    Raises
    ------
    InputError : more settings than are recorded.
    """

    def __init__(self, page: type[RecordablePage], source: Source, opened: Sequence[Open], *, jobs: int = 1) -> None:
        self.page, self.source, self.opened, self.jobs = page, source, tuple(opened), jobs
        self.count = settings(self.opened)
        if self.count > MOST_SETTINGS:
            what = f"The open controls must have at most {MOST_SETTINGS:,} settings together"
            raise InputError(what, value=f"{self.count:,}", remedy="Leave fewer of them open, or use fewer stops")
        self._shown = page.showing(source.state)
        self._store = Store()

    @property
    def begins(self) -> int:
        """The number of the setting that the file begins with: that of the page."""
        now, number = self.source.state.choices, 0
        for control in self.opened:
            held = [_plain(value) for value in control.values]
            present = now.kinds()[control.name].plain(now[control.name])
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
        """Records every setting; yields how many are recorded so far."""
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
            remedy = "Leave fewer controls open, or use fewer stops or a shorter track"
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
            "type": "options",
            **self._shown.about(),
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
        """A control as it appears in the file: with stops and without what was left out, or fixed."""
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
        played = sentence(
            "{why} The answers to {settings} settings were computed beforehand: {counted}.",
            why=self._why(),
            settings=whole(self.count),
            counted=counted,
        )
        shown = self._shown
        return Face(
            title=shown.title,
            note=NOTE[0].upper() + NOTE[1:],
            lines=[self.source.said, played],
            settings=settings_rows(shown.session.choices, shown._told()),
            foot=f"Made on {now} by lmdk_widgets {__version__}. It opens without a network and sends nothing.",
        )


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def instead(size: int) -> str:
    """A remark on a file that is large for mail: the size of a site, whose pages compute in the browser; else nothing.

    Examples
    --------
    >>> instead(800_000), instead(7_000_000)
    ('', ' That is large for mail: “lmdk site” writes pages with every setting, about 22 MB once, for any file host.')
    """
    if size <= LARGE_BYTES:
        return ""
    once = megabytes(SITE_BYTES)
    return (
        f" That is large for mail: “lmdk site” writes pages with every setting, about {once} once, for any file host."
    )


def megabytes(size: int) -> str:
    """A size in words.

    Examples
    --------
    >>> megabytes(2_461_532), megabytes(12_340_000)
    ('2.5 MB', '12 MB')
    """
    return Written(f"{size / 1e6:.2g} MB", size)


class RecordablePage(Page):
    """A `Page` that can be recorded: it says which controls can stay open, how large the file will be, and makes it."""

    LIBRARIES: ClassVar[tuple[str, ...]] = ()
    """Further bundles that the page needs besides its own."""
    CAN_OPEN: ClassVar[tuple[str, ...]] = ()
    """Choices whose controls can stay open in a what-if file, those that do by default first; see `OPEN`."""
    OPEN: ClassVar[int] = 2
    """How many of them stay open by default."""
    NOT_OPEN: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Their meanings that cannot be chosen there."""
    LOOKED_AT: ClassVar[tuple[str, ...]] = ()
    """Choices that only say what is looked at; a page draws all of it."""

    def __init__(self, session: Session | None = None, **host: Any) -> None:
        super().__init__(session, **host)
        self._recording = self._runner()

    @classmethod
    def showing(cls, state: State, **host: Any) -> Self:
        """A page that starts with a state; without a host unless one is given, as for a `Page`."""
        page = cls(**host)
        page.session.begin(state)
        page._shown({})
        return page

    def known(self, source: Source) -> list[str]:
        """The choices whose controls a file of this source can leave open, those that stay open by default first."""
        return list(self.CAN_OPEN)

    def ranges(self) -> dict[str, Sequence[int]]:
        """What can be looked at in a what-if file besides lists and sliders, such as a cell of the map, by choice."""
        return {}

    def _handlers(self) -> dict[Any, Handler]:
        return super()._handlers() | {"record": self._record}

    def close(self) -> None:
        """Stops recording, reading and the work."""
        self._recording.cancel()
        super().close()

    def _record(self, message: Message, _buffers: list[Any]) -> None:
        """The step "offer" says what can stay open, and the size; "make" makes the file; "stop" stops that."""
        self._recording.cancel()
        if message["step"] == "stop":
            return
        view, truth = {"view": message.get("view")}, message.get("truth") is True
        source = self.session.what_if(truth=truth)
        if message["step"] == "make":
            whole = self._whole(truth) if message.get("report") is True else None  # of what the page shows now
            self._beside(_file(self._made(source, message["open"]), whole), lambda found: self._sent_file(found, view))
            return
        names = self._can_open(source)
        asked = message.get("open") or names[: self.OPEN]
        kinds = self.session.choices.kinds()
        offered: Message = {
            "type": "offer",
            "controls": [{"name": n, "label": kinds[n].label, "on": n in asked} for n in names],
            "own": bool(self.session.left_out()),
            "truth": truth,
            **view,
        }
        self.send({**offered, "text": "", "possible": False})
        self._beside(self._size(source, asked), lambda found: self._sent_size(found, offered))

    def _whole(self, truth: bool) -> Callable[[File | None], File]:
        """The report around a file: neither reveals more than the other."""
        return self._reported() if truth or not self.TWO_REPORTS else self._handed_on()

    def _save(self, message: Message, buffers: list[Any]) -> None:
        if message["what"] != REPORTS[-1]:
            return super()._save(message, buffers)
        self._recording.cancel()
        self._head(message)
        view, made = {"view": message.get("view")}, self._handed_on()
        self._beside((make(None) for make in [made]), lambda found: self._sent_file(found, view))

    def _can_open(self, source: Source) -> list[str]:
        """What can stay open now: the pinned option if there is one, landmarks if there are few."""
        choices = source.state.choices
        kinds = choices.kinds()
        few = {"landmarks": "landmarks" in kinds and 1 <= len(choices["landmarks"]) <= MOST_PROPOSED}
        few["pinned"] = "pinned" in kinds and choices["pinned"] is not None
        if not self.CAN_OPEN:
            raise InputError("This page cannot be written as one file yet")
        return [name for name in self.known(source) if few.get(name, True)]

    def _made(self, source: Source, names: list[str]) -> WhatIf:
        known, choices = self._can_open(source), source.state.choices
        proposed = choices["landmarks"] if "landmarks" in names else ()
        controls = opened(choices, names, proposed=proposed, known=known, left_out=self.NOT_OPEN, ranges=self.ranges())
        return WhatIf(type(self), source, controls)

    def _size(self, source: Source, names: list[str]) -> Iterator[Message]:
        """A sentence on the file: its settings and its size, or why there is none."""
        try:
            made = self._made(source, names)
            size = made.estimate()
        except InputError as error:
            yield {"text": error.sentence, "possible": False}
        else:
            held = sentence(
                "{source} It contains {settings} settings, at most about {size}.{instead}",
                source=source.said,
                settings=whole(made.count),
                size=megabytes(size),
                instead=instead(size),
            )
            yield {"text": held, "possible": True}

    def _beside(self, steps: Iterator[Any], each: Any) -> None:
        self._recording.submit(steps, each)
        if not self._recording.beside:
            self._recording.finish()

    def _sent_size(self, found: Any, offered: Message) -> None:
        if found is END:
            return
        if isinstance(found, Exception):
            found = {"text": refusal_of(found)["text"], "possible": False}
        self.send({**offered, **found})

    def _sent_file(self, found: Any, view: Message) -> None:
        if isinstance(found, Exception):
            self.send({**refusal_of(found), "id": "save", **view})
        elif isinstance(found, File):
            self.send(*saved(found, view))
        elif found is not END:
            self.send({"type": "recording", "share": found, **view})


def _file(made: WhatIf, whole: Callable[[File | None], File] | None) -> Iterator[float | File]:
    """The recorded share, from time to time, and finally the file, or the report that contains it."""
    told = monotonic()
    for count in made.record():
        if monotonic() - told >= BETWEEN_S:
            told = monotonic()
            yield count / made.count
    file = made.file()
    yield whole(file) if whole else file
