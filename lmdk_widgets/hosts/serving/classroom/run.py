"""Following a plan: the board moves through it with one key, forwards and back, and a restart continues where it was."""

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
    plans : those that can be chosen. plan : the one that is followed, or None. at : its step; its length if it is over.
    """

    def __init__(self, room: Room, plans: tuple[Plan, ...]) -> None:
        self.room, self.plans = room, plans
        self.plan: Plan | None = None
        self.at = 0
        self._left: dict[int, tuple[int, str]] = {}  # by step: the number of its activity, and how it was left
        self._stepping = asyncio.Lock()
        self._take_up(room.store.run())

    def _take_up(self, kept: Any) -> None:
        """Continue where the file says, if the plan is still the same."""
        for plan in self.plans:
            if kept and kept["plan"] == _name(plan):
                self.plan, self.at = plan, int(kept["at"])
                self._left = {int(step): (number, status) for step, (number, status) in kept["left"].items()}

    @property
    def step(self) -> Step | None:
        """The present step; None if no plan is followed, or it is over."""
        return self._step(self.at)

    def _step(self, at: int) -> Step | None:
        return self.plan.steps[at] if self.plan and at < len(self.plan.steps) else None

    @property
    def seen(self) -> str:
        """What the board shows now; a key pressed while it showed something else does nothing."""
        current = self.room.round
        return f"{_name(self.plan)} {self.at} {current.number if current else 0} {current.status if current else ''}"

    async def follow(self, title: Any) -> None:
        """Start a plan. Raises `InputError` if there is none with that title."""
        plan = plan_of(title, self.plans)
        async with self._stepping:
            self.plan, self._left = plan, {}
            await self._go(0)

    async def leave(self) -> None:
        """Stop following a plan; the present activity stays."""
        async with self._stepping:
            self.plan, self.at, self._left = None, 0, {}
            await self._keep()

    async def move(self, by: int, seen: Any) -> None:
        """Move forwards (by = 1), showing the present step's outcome before the next step, or back (-1)."""
        async with self._stepping:
            if self.plan is None or seen != self.seen or not 0 <= self.at + by <= len(self.plan.steps):
                return
            if by > 0 and self._deed:
                await self.room.act(self._left[self.at][0], self._deed[0])
            else:
                await self._go(self.at + by)

    @property
    def _deed(self) -> tuple[str, str] | None:
        """The action that brings the present step to its outcome, with its label; None if it has none, or shows it."""
        current = self.room.round
        if current is None or self._left.get(self.at, (0,))[0] != current.number or not current.activity.outcome:
            return None
        known = {deed: words for deed, words in current.activity.deeds[current.status] if deed != "open"}
        deed = "show" if "show" in known else next(iter(known), "")
        return (deed, known[deed]) if deed else None

    async def _go(self, at: int) -> None:
        """Go to a step: an activity that it started before returns as it was left, with its answers."""
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
        """What the board shows of the plan; None if none is followed."""
        if self.plan is None:
            return None
        step = self.step
        return {
            "title": self.plan.title,
            "said": f"Step {self.at + 1} of {len(self.plan.steps)}" if step else OVER,
            "text": step.text if step else "",
            "link": step.link if step else "",
            "next": self._next_words(),
            "first": self.at == 0,
            "seen": self.seen,
        }

    def _next_words(self) -> str:
        """What the next key does, for its button; "" if there are no more steps."""
        assert self.plan is not None
        if self._deed:
            return self._deed[1]
        if self.at + 1 < len(self.plan.steps):
            following = self.plan.steps[self.at + 1]
            return f"Next: {ACTIVITIES[following.kind]}" if following.kind else "Next"
        return "End" if self.step else ""


def _name(plan: Plan | None) -> str:
    """The plan's name in the file: another plan with the same title has another name."""
    if plan is None:
        return ""
    steps = [[step.kind, dict(step.settings), step.text, step.link] for step in plan.steps]
    return hashlib.sha256(json.dumps([plan.title, steps], sort_keys=True).encode()).hexdigest()[:16]
