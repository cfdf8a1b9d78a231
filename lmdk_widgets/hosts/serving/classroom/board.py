"""What the teacher sees: the board, behind its own token, what it is told, and what it does."""

from __future__ import annotations

import json
from typing import Any

from tornado.web import HTTPError

from lmdk_widgets.course.classroom.activity import offers
from lmdk_widgets.hosts.serving.classroom.base import Stream
from lmdk_widgets.hosts.serving.classroom.run import Run
from lmdk_widgets.hosts.serving.classroom.token_pages import Keyed, KeyedPage

MOVES = {"next": 1, "back": -1}
"""Moves through the steps of a plan."""


class BoardHandler(Keyed):
    """An address for the teacher."""

    role = "board"

    def initialize(self, run: Run, **shared: Any) -> None:  # type: ignore[override]
        super().initialize(**shared)
        self.run = run


class Board(BoardHandler, KeyedPage):
    """The page."""

    error_as_json = False

    def show(self) -> None:
        offered = offers() | {"plans": [plan.title for plan in self.run.plans]}
        self.page_of("board.html", join=self.join, offers=json.dumps(offered))


class BoardStream(BoardHandler, Stream):
    """The activity with its answers, and how many phones are connected."""

    async def get(self) -> None:
        self.refuse_strangers()
        if not self.limits.boards.enter("board"):
            raise HTTPError(429)
        try:
            await self.stream(self.room.board, self._state)
        finally:
            self.limits.boards.leave("board")

    def _state(self) -> str:
        here = self.limits.streams
        counted = {"phones": len(here), "absent": len(self.room.absent(here))}
        return json.dumps({**counted, **self.room.for_board(), "run": self.run.for_board()})


class Deed(BoardHandler):
    """What the teacher does: starts, closes, opens, shows or ends an activity, moves through a plan, forgets answers."""

    async def post(self) -> None:
        self.refuse_strangers()
        await self.replied(self._done)

    async def _done(self) -> dict[str, Any]:
        asked = self.read_json()
        if asked.get("do") == "put":
            await self.room.put(asked.get("kind"), asked.get("settings"))
        elif asked.get("do") == "forget":
            await self.room.forget(asked.get("round"), self.limits.streams)
        elif asked.get("do") == "follow":
            await self.run.follow(asked.get("plan"))
        elif asked.get("do") == "leave":
            await self.run.leave()
        elif asked.get("do") in MOVES:
            await self.run.move(MOVES[asked["do"]], asked.get("seen"))
        else:
            await self.room.act(asked.get("round"), asked.get("do"))
        return {}


class Code(BoardHandler):
    """The join address as a QR code."""

    def get(self) -> None:
        self.send_code(self.join)
