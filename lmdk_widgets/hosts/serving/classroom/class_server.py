"""Opening a class: its file, its tokens, the address at which students join, and the addresses of its board."""

from __future__ import annotations

import json
import os
import re
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from lmdk_widgets.course.classroom.activity import offers
from lmdk_widgets.course.classroom.plans import Plan, plans, read_plan_file
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving.classroom.base import Stream
from lmdk_widgets.hosts.serving.classroom.phones import Answer, Join, PhoneStream
from lmdk_widgets.hosts.serving.classroom.room import Room
from lmdk_widgets.hosts.serving.classroom.run import Run
from lmdk_widgets.hosts.serving.classroom.store import Store
from lmdk_widgets.hosts.serving.classroom.token_pages import Keyed, KeyedPage
from lmdk_widgets.hosts.serving.secret_file import kept_secret
from lmdk_widgets.hosts.serving.tokens import chosen_token

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
        await self.watch("board", self.room.board, self._state)

    def _state(self) -> str:
        here = self.accounts.phones
        counted = {"phones": here.people, "absent": len(self.room.absent(here))}
        return json.dumps({**counted, **self.room.for_board(), "run": self.run.for_board()})


class Deed(BoardHandler):
    """What the teacher does: starts, closes, opens, shows or ends an activity, moves through a plan, sets
    answers aside."""

    async def post(self) -> None:
        self.refuse_strangers()
        await self.replied(self._done)

    async def _done(self) -> dict[str, Any]:
        asked = self.read_json()
        if asked.get("do") == "put":
            await self.room.put(asked.get("kind"), asked.get("settings"))
        elif asked.get("do") == "aside":
            self.room.set_aside(asked.get("round"), self.accounts.phones)
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


@dataclass
class Class:
    """An open class: its room, the token of its board and the address at which students join.

    Attributes
    ----------
    room : its present state. token : opens the board. join : the full address, "http://192.168.1.5:8866/join".
    board : the address of the board with its token. secret : the secret behind the cookies of this class.
    plans : the plans that the board offers.
    """

    room: Room
    token: str
    join: str
    board: str
    secret: bytes
    plans: tuple[Plan, ...] = ()

    def handlers(self, base: str) -> list[Any]:
        """The class's addresses, for the server's list."""
        shared = {"room": self.room, "token": self.token, "join": self.join}
        phones = {"join": Join, "join/stream": PhoneStream, "join/answer": Answer}
        boards = {"board": Board, "board/stream": BoardStream, "board/do": Deed, "board/code.svg": Code}
        of_board = shared | {"run": Run(self.room, self.plans)}
        return [
            *((f"{base}{path}", handler, shared) for path, handler in phones.items()),
            *((f"{base}{path}", handler, of_board) for path, handler in boards.items()),
        ]

    def lines(self) -> list[str]:
        """What is printed with the address of the pages."""
        return [f"Board at {self.board}", f"Students join at {self.join}"]


def open_class(
    file: str | os.PathLike[str],
    *,
    host: str,
    port: int,
    token: str | None = None,
    join: str | None = None,
    plan: str | os.PathLike[str] | None = None,
) -> Class:
    """Open a class.

    Parameters
    ----------
    file : where the class is stored; it continues from an existing file, and a missing one is created.
    host, port : where the server listens.
    token : opens the board; None uses LMDK_BOARD_TOKEN from the environment or creates one.
    join : the address at which phones reach this server ("https://class.example.org"); None finds this machine's address.
    plan : a text file with a plan, which the board offers before the package's own.

    Raises
    ------
    InputError : the file is not a class's or is in use, the join address is not an address, or the plan cannot be read.
    """
    chosen = chosen_token(token, "LMDK_BOARD_TOKEN")
    if join is not None and not re.fullmatch(r"https?://[\w.:\[\]-]+(/[\w./-]*)?", join, re.ASCII):
        raise InputError("--join must be an address", value=join, remedy="Use one like http://192.168.1.5:8866")
    reached = (join or f"http://{named_host(host)}:{port}").rstrip("/")
    own_plan = () if plan is None else (read_plan_file(Path(plan).expanduser()),)
    path = Path(file).expanduser().resolve()
    room = Room(Store(path))
    own = f"http://{named_host(host)}:{port}" if join is None else reached
    board = f"{own}/board?token={quote(chosen)}"
    return Class(room, chosen, f"{reached}/join", board, kept_secret(path), (*own_plan, *plans()))


def named_host(host: str) -> str:
    """The host in the address for phones: this machine's address in its network if the server listens everywhere."""
    if host in {"0.0.0.0", "::", ""}:
        return own_address()
    return f"[{host}]" if ":" in host else host


def own_address() -> str:
    """The address of this machine in its network; its name if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            # no machine has this address: nothing is sent, the system only chooses a route
            asked.connect(("192.0.2.1", 9))
            return str(asked.getsockname()[0])
        except OSError:
            return socket.gethostname()
