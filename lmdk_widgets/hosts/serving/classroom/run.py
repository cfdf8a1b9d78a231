"""The run of show: the board steps through a plan with one key, forwards and back, and a restart goes on where it was."""

from __future__ import annotations

import asyncio
import hashlib
import json
from typing import Any

from lmdk_widgets.course.classroom.activity import ACTIVITIES
from lmdk_widgets.course.classroom.plans import Plan, Step, plan_of
from lmdk_widgets.hosts.serving.classroom.room import OPEN, Room

OVER = "This was the last step."


class Run:
    """Where a class is in a plan.

    Attributes
    ----------
    plans : those that can be chosen. plan : the one that is followed, or None. at : its step; its length where it is over.
    """

    def __init__(self, room: Room, plans: tuple[Plan, ...]) -> None:
        self.room, self.plans = room, plans
        self.plan: Plan | None = None
        self.at = 0
        self._left: dict[int, tuple[int, str]] = {}  # by step: the number of its activity, and how it was left
        self._stepping = asyncio.Lock()
        self._take_up(room.store.run())

    def _take_up(self, kept: Any) -> None:
        """Go on where the file says, if the plan is still the same."""
        for plan in self.plans:
            if kept and kept["plan"] == _name(plan):
                self.plan, self.at = plan, int(kept["at"])
                self._left = {int(step): (number, status) for step, (number, status) in kept["left"].items()}

    @property
    def step(self) -> Step | None:
        """The present step; None where no plan is followed, or it is over."""
        return self._step(self.at)

    def _step(self, at: int) -> Step | None:
        return self.plan.steps[at] if self.plan and at < len(self.plan.steps) else None

    @property
    def seen(self) -> str:
        """What the board shows now: a key that was pressed for something else does nothing."""
        current = self.room.round
        return f"{_name(self.plan)} {self.at} {current.number if current else 0} {current.status if current else ''}"

    async def follow(self, title: Any) -> None:
        """Begin a plan. Raises `InputError` where there is none of that title."""
        plan = plan_of(title, self.plans)
        async with self._stepping:
            self.plan, self._left = plan, {}
            await self._go(0)

    async def leave(self) -> None:
        """Follow no plan any more; what is put to the class stays."""
        async with self._stepping:
            self.plan, self.at, self._left = None, 0, {}
            await self._keep()

    async def move(self, by: int, seen: Any) -> None:
        """One forwards (by = 1), where the outcome of the present step comes before the next one, or one back (-1)."""
        async with self._stepping:
            if self.plan is None or seen != self.seen or not 0 <= self.at + by <= len(self.plan.steps):
                return
            if by > 0 and self._deed:
                await self.room.act(self._left[self.at][0], self._deed[0])
            else:
                await self._go(self.at + by)

    @property
    def _deed(self) -> tuple[str, str] | None:
        """What leads the present step to its outcome, with its words; None where it has none, or shows it."""
        current = self.room.round
        if current is None or self._left.get(self.at, (0,))[0] != current.number or not current.activity.outcome:
            return None
        known = {deed: words for deed, words in current.activity.deeds[current.status] if deed != "open"}
        deed = "show" if "show" in known else next(iter(known), "")
        return (deed, known[deed]) if deed else None

    async def _go(self, at: int) -> None:
        """To a step: what it put before comes back as it was left, with its answers."""
        current, before = self.room.round, self._left.get(self.at)
        if current is not None and before is not None and before[0] == current.number:
            self._left[self.at] = (current.number, current.status)
        step = self._step(at)
        if step is None or not step.kind:
            await self.room.clear()
        elif at in self._left:
            await self.room.again(*self._left[at])
        else:
            self._left[at] = (await self.room.put(step.kind, step.settings), OPEN)
        self.at = at
        await self._keep()

    async def _keep(self) -> None:
        state = {"plan": _name(self.plan), "at": self.at, "left": self._left}
        await self.room.store.keep_run(state)
        self.room.board.ring()

    def for_board(self) -> dict[str, Any] | None:
        """What the board shows of the plan; None where none is followed."""
        if self.plan is None:
            return None
        step = self.step
        return {
            "title": self.plan.title,
            "said": f"Step {self.at + 1} of {len(self.plan.steps)}" if step else OVER,
            "text": step.text if step else "",
            "next": self._next_words(),
            "first": self.at == 0,
            "seen": self.seen,
        }

    def _next_words(self) -> str:
        """What the next key does, for its button; nothing where there is no more."""
        assert self.plan is not None
        if self._deed:
            return self._deed[1]
        if self.at + 1 < len(self.plan.steps):
            following = self.plan.steps[self.at + 1]
            return f"Next: {ACTIVITIES[following.kind]}" if following.kind else "Next"
        return "End" if self.step else ""


def _name(plan: Plan | None) -> str:
    """What a plan is known by in the file: another one of the same title is another plan."""
    if plan is None:
        return ""
    steps = [[step.kind, dict(step.settings), step.text] for step in plan.steps]
    return hashlib.sha256(json.dumps([plan.title, steps], sort_keys=True).encode()).hexdigest()[:16]
