"""Opening a class: its file, its tokens, the address at which students join, and the addresses of the server."""

from __future__ import annotations

import os
import re
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from lmdk_widgets.course.classroom.plans import Plan, plans, read_plan_file
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving.classroom.base import Limits
from lmdk_widgets.hosts.serving.classroom.board import Board, BoardStream, Code, Deed
from lmdk_widgets.hosts.serving.classroom.phones import Answer, Join, PhoneStream
from lmdk_widgets.hosts.serving.classroom.room import Room
from lmdk_widgets.hosts.serving.classroom.run import Run
from lmdk_widgets.hosts.serving.classroom.store import Store
from lmdk_widgets.hosts.serving.secret_file import kept_secret
from lmdk_widgets.hosts.serving.tokens import chosen_token


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
        shared = {"room": self.room, "limits": Limits(), "token": self.token, "join": self.join}
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
