"""The present state of a class: one activity at a time, who answered it, and who is told when something changes."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Container, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from lmdk_widgets.checks import either
from lmdk_widgets.course.classroom import Activity, activity, stored
from lmdk_widgets.course.classroom.activity import CLOSED as CLOSED_WORDS
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving.classroom.store import Kept, Store, code_of

OPEN, CLOSED, SHOWN, ENDED = "open", "closed", "shown", "ended"
NEXT = {
    "close": ({OPEN}, CLOSED),
    "open": ({CLOSED}, OPEN),
    "show": ({OPEN, CLOSED}, SHOWN),
    "end": ({OPEN, CLOSED, SHOWN}, ENDED),
}
"""What a teacher may do with an activity: from which states, and to which."""

SETTLED = {CLOSED, SHOWN}
"""States in which the answers so far are final and their consequences are computed."""

MOST_STUDENTS = 1_000
"""The most students that may answer one activity; beyond that, only those whose phone is connected count."""
MOST_ANSWERS = 5_000
"""The most answers to one activity, whether their phones are connected or not."""


FULL = "This class is full. Keep this page open, and send this again in a minute."
OTHER_SIDE = "This is an answer for the other half of the class."


class Refusal(Exception):
    """An answer that is not accepted now, with a sentence for the phone."""


class Bell:
    """Wakes everyone who is waiting for a change."""

    def __init__(self) -> None:
        self.rung = 0
        self._event = asyncio.Event()

    def ring(self) -> None:
        """Something has changed."""
        self.rung += 1
        self._event.set()
        self._event = asyncio.Event()

    async def after(self, heard: int, patience_s: float) -> None:
        """Wait until it has rung more often than `heard`, or until the time is up."""
        if self.rung == heard:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._event.wait(), patience_s)


@dataclass
class Round:
    """An activity that the class was asked to do, its state, and the answers by student."""

    number: int
    activity: Activity
    times: int
    status: str
    answers: dict[str, Any] = field(default_factory=dict)
    sides: dict[str, int] = field(default_factory=dict)
    aside: set[str] = field(default_factory=set)
    """Students whose answers the board has set aside: they are kept, and count again once their phone is here."""

    @property
    def counted(self) -> dict[str, Any]:
        """The answers that count."""
        return {one: given for one, given in self.answers.items() if one not in self.aside}

    def side(self, student: str) -> int:
        """The part of the class a student belongs to: that of the answer, or the smaller one that has yet to answer.

        The first students are remembered; if there are very many, a student's name decides.
        """
        count = len(self.activity.sides)
        if count == 1:
            return 0
        if student in self.answers:
            return self.activity.side_of(self.answers[student])
        if student not in self.sides:
            if len(self.sides) >= MOST_ANSWERS:
                return int(hashlib.sha256(student.encode()).hexdigest(), 16) % count
            taken = Counter(
                {**self.sides, **{one: self.activity.side_of(given) for one, given in self.answers.items()}}.values()
            )
            late = self.activity.sides[0] != self.status  # the first part can no longer answer
            self.sides[student] = count - 1 if late else min(range(count), key=lambda side: taken[side])
        return self.sides[student]

    def closed(self, student: str) -> str:
        """What to say if this student's answer is not accepted now; "" if it is."""
        return "" if self.activity.sides[self.side(student)] == self.status else CLOSED_WORDS


class Room:
    """A class. Everything in it is in the store's file; this is the working copy."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.phones, self.board = Bell(), Bell()
        self.round: Round | None = None
        self._class = store.name
        self._last = 0
        self._put: dict[str, int] = {}  # how often this class was asked each activity
        self._times: dict[int, int] = {}  # by number: how often its activity had been asked by then
        self._asked = "null"
        self._acting = asyncio.Lock()
        kept = store.read()
        for one in kept:
            self._count(one.number, one.kind, one.settings)
            self._last = one.number
        for one in kept:
            if one.status != ENDED:
                self._again(one)
        self._ask()

    def _again(self, kept: Kept) -> None:
        """Resume an activity of the class where it was."""
        found = stored(kept.kind, kept.settings)
        found.prepare()
        if kept.status in SETTLED:
            found.settle(kept.answers)
        self.round = Round(kept.number, found, self._times[kept.number], kept.status, kept.answers)

    def _count(self, number: int, kind: str, settings: Mapping[str, Any]) -> int:
        """How often the class was asked this, this time included."""
        name = _name(kind, settings)
        self._put[name] = self._times[number] = self._put.get(name, 0) + 1
        return self._put[name]

    async def put(self, kind: Any, settings: Any) -> int:
        """Start a new activity, and return its number; the present one ends.

        Raises
        ------
        InputError : the settings cannot be used; the present activity stays.
        """
        new = activity(kind, settings)
        await asyncio.get_running_loop().run_in_executor(None, new.prepare)
        async with self._acting:
            if self.round is not None:
                await self.store.set_status(self.round.number, ENDED)
            self._last += 1
            settings = new.to_dict()
            await self.store.add_round(self._last, new.kind, settings, OPEN)
            self.round = Round(self._last, new, self._count(self._last, new.kind, settings), OPEN)
            self._changed()
            return self._last

    async def clear(self) -> None:
        """End the present activity, if there is one."""
        if self.round is not None:
            await self.act(self.round.number, "end")

    async def again(self, number: int, status: str) -> None:
        """Resume an earlier activity with its answers, as it was left; the present one ends."""
        async with self._acting:
            if self.round is not None:
                await self.store.set_status(self.round.number, ENDED)
                self.round = None
            kept = await self.store.read_round(number)
            if kept is not None:
                await asyncio.get_running_loop().run_in_executor(None, self._again, kept._replace(status=status))
                await self.store.set_status(number, status)
            self._changed()

    async def act(self, number: Any, deed: Any) -> None:
        """Close, open, show or end the activity with that number; one that is over stays as it is.

        Raises
        ------
        InputError : there is no such action.
        """
        if not isinstance(deed, str) or deed not in NEXT:
            raise InputError(f"do must be {either(NEXT)}", value=deed if isinstance(deed, str) else None)
        async with self._acting:
            before, after = NEXT[deed]
            current = self.round
            if current is None or current.number != number or current.status not in before:
                return
            if deed not in {"end", *(known for known, _ in _deeds(current))}:
                return
            await self._turn(current, after)
            self.round = None if after == ENDED else current
            self._changed()

    async def _turn(self, current: Round, after: str) -> None:
        """Change to another state, and compute what follows from the answers so far."""
        was, current.status = current.status, after  # now, so that no answer comes in between
        try:
            await self.store.set_status(current.number, after)
        except OSError:
            current.status = was
            raise
        if after in SETTLED:
            settle = partial(current.activity.settle, current.counted)
            await asyncio.get_running_loop().run_in_executor(None, settle)

    async def answer(self, student: str, number: Any, given: Any, *, here: Container[str] = ()) -> Any:
        """Accept a student's answer, and return the one that counts now: the first, if it cannot be changed.

        Parameters
        ----------
        here : students whose phone has this class open. If many have answered, only these take places, so that answers from
            phones that were never connected keep nobody out.

        Raises
        ------
        InputError : this is not an answer to it. Refusal : it is closed or over, or the class is full.
        """
        current = self.round
        if current is None or isinstance(number, bool) or current.number != number:
            raise Refusal("This question is over.")
        if closed := current.closed(student):
            raise Refusal(closed)
        read = current.activity.read(given)
        if current.activity.side_of(read) != current.side(student):
            raise Refusal(OTHER_SIDE)
        if student in current.answers and not current.activity.changeable:
            return current.answers[student]
        if student not in current.answers and _is_full(current, student, here):
            raise Refusal(FULL)
        before = current.answers.get(student)
        current.answers[student] = read  # now, so that another one arriving meanwhile counts as the second
        try:
            await self.store.put_answer(current.number, student, read)
        except OSError:
            if before is None:
                current.answers.pop(student, None)
            else:
                current.answers[student] = before
            raise
        current.aside.discard(student)
        self.board.ring()
        return read

    def set_aside(self, number: Any, here: Container[str]) -> None:
        """Let the answers whose phone is not here no longer count, or all answers again if there are none; nothing if the
        activity with that number is over."""
        current = self.round
        if current is not None and not isinstance(number, bool) and current.number == number:
            current.aside = current.aside.union(gone) if (gone := self.absent(here)) else set()
            self.board.ring()

    def back(self, student: str) -> None:
        """A phone is here: its answer counts again."""
        if self.round is not None:
            self.round.aside.discard(student)

    def absent(self, here: Container[str]) -> list[str]:
        """Students whose answer to the present activity counts, and whose phone is not here."""
        return [] if self.round is None else [student for student in self.round.counted if student not in here]

    def _changed(self) -> None:
        self._ask()
        self.phones.ring()
        self.board.ring()

    def _ask(self) -> None:
        """Prepare what all phones are asked, once."""
        current = self.round
        asked = None
        if current is not None:
            asked = {
                "key": f"{self._class}-{current.number}",
                "round": current.number,
                "status": current.status,
                "asked": current.activity.asked(current.times),
            }
        self._asked = json.dumps(asked)

    def for_phone(self, student: str) -> str:
        """What a phone is told, as JSON: what is asked, this student's answer, how good it was, and its code."""
        current = self.round
        mine: dict[str, Any] = {"answered": False}
        if current is not None:
            if student in current.answers:
                mine = {"answered": True, "answer": current.answers[student]}
            side, shown = current.side(student), current.status == SHOWN
            mine |= {"side": side, "closed": current.closed(student)}
            if dealt := current.activity.dealt(student, side, mine.get("answer"), shown):
                mine["dealt"] = dealt
            if shown:
                mine["told"] = current.activity.told(mine.get("answer"))
        told = f'"question": {self._asked}, "mine": {json.dumps(mine)}, "code": {json.dumps(code_of(student))}'
        return f"{{{told}}}"

    def for_board(self) -> dict[str, Any]:
        """What the board shows of the activity; its round is None if there is none."""
        current = self.round
        if current is None or current.status == ENDED:  # that it has ended is being stored
            return {"round": None}
        answers = list(current.counted.values())
        return {
            "round": current.number,
            "kind": current.activity.kind,
            "title": current.activity.title,
            "text": current.activity.text,
            "status": current.status,
            "said": current.activity.states[current.status],
            "deeds": _deeds(current),
            "answers": len(answers),
            "aside": len(current.answers) - len(answers),
            "view": current.activity.board(answers, current.status == SHOWN),
        }

    def close(self) -> None:
        """Close the file."""
        self.store.close()


def _is_full(current: Round, student: str, here: Container[str]) -> bool:
    """Whether there is no place for a student who has not answered yet."""
    counted = current.counted
    if len(counted) < MOST_STUDENTS and len(current.answers) < MOST_ANSWERS:
        return False
    here_too = sum(one in here for one in counted)
    return len(current.answers) >= MOST_ANSWERS or student not in here or here_too >= MOST_STUDENTS


def _deeds(current: Round) -> list[tuple[str, str]]:
    """What a teacher can do now, apart from ending it, with the labels of the buttons."""
    known = current.activity.deeds[current.status]
    return [(deed, words) for deed, words in known if deed != "show" or current.activity.outcome]


def _name(kind: str, settings: Mapping[str, Any]) -> str:
    """A name that is the same for the same activity."""
    return json.dumps([kind, settings], sort_keys=True)
