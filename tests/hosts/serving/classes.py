"""A class on a real server, its teacher and its students as plain HTTP clients.

with class_server(tmp_path / "class.sqlite") as address:
    teacher, student = Teacher(address), Student(address)
    teacher.put("response", {"text": "Did you ever?"})
    student.answer(1)                           # (200, {"answer": 1})
    teacher.state()["view"]["summary"]
"""

from __future__ import annotations

import http.client
import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.server import Address, started

TOKEN = "spring-term-2026"


TENTH = """
import sys
from lmdk_widgets.cli import main
from lmdk_widgets.hosts.serving import accountant

made = accountant.Accountant.__init__

def fewer(accounts, *args):
    made(accounts, *args)
    accounts.requests = accountant.Rate(accounts.requests.at_once / 10, accounts.requests.per_second / 10)

accountant.Accountant.__init__ = fewer
sys.exit(main())
"""
"""The command line where one address may send a tenth of the requests: a busy machine cannot send the usual flood."""


@contextmanager
def class_server(
    file: Path, *options: str, port: int = 0, tracebacks: str = "", tenth: bool = False
) -> Iterator[Address]:
    """A server with a class in a file, for this machine only; an address may have a `tenth` of the requests."""
    program = ["-c", TENTH] if tenth else ["-m", "lmdk_widgets.cli"]
    command = [sys.executable, *program, "class", str(file), "--no-browser", "--port", str(port)]
    command += ["--host", "127.0.0.1", "--board-token", TOKEN, *options]
    with started(command, tracebacks=tracebacks) as address:
        yield address


class Client:
    """A browser without a screen: keeps cookies and the page's XSRF token."""

    page = ""

    def __init__(self, address: str, open_page: str | None = None, *, source: str = "127.0.0.1") -> None:
        self.address, self.source = address, source  # any of 127.0.0.0/8 is another machine for the server
        self.cookies: dict[str, str] = {}
        self.xsrf = ""
        if page := self.page if open_page is None else open_page:
            status, text = self.get(page)
            if status == 302:
                status, text = self.get(page.partition("?")[0])
            assert status == 200, (status, text)
            self.xsrf = re.search(r'name="xsrf" content="([^"]+)"', text)[1]

    def request(self, method: str, path: str, body: bytes | None = None, **headers: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection(
            urlsplit(self.address).netloc,
            timeout=30,
            source_address=(self.source, 0) if self.source != "127.0.0.1" else None,
        )
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.cookies:
            sent.setdefault("Cookie", "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        connection.request(method, f"/{path}", body, sent)
        answer = connection.getresponse()
        for line in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = line.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        answer = self.request("GET", path, **headers)
        return answer.status, answer.read().decode()

    def post(self, path: str, content: Any, **headers: str) -> tuple[int, Any]:
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        answer = self.request("POST", path, body, **{"X_XSRFToken": self.xsrf, **headers})
        text = answer.read().decode()
        try:
            return answer.status, json.loads(text)
        except ValueError:
            return answer.status, text

    def first(self, path: str) -> Any:
        """The state that a stream begins with."""
        answer = self.request("GET", path)
        assert answer.status == 200 and answer.headers["Content-Type"] == "text/event-stream", answer.status
        line = answer.readline().decode()
        answer.close()
        return json.loads(line.removeprefix("data: "))


class Teacher(Client):
    page = f"board?token={TOKEN}"

    def put(self, kind: str, settings: Any) -> tuple[int, Any]:
        return self.post("board/do", {"do": "put", "kind": kind, "settings": settings})

    def act(self, deed: str) -> tuple[int, Any]:
        return self.post("board/do", {"do": deed, "round": self.state()["round"]})

    def state(self) -> Any:
        return self.first("board/stream")


class Student(Client):
    page = "join"

    def state(self) -> Any:
        return self.first("join/stream")

    def answer(self, value: Any, number: int | None = None) -> tuple[int, Any]:
        number = self.state()["question"]["round"] if number is None else number
        return self.post("join/answer", {"round": number, "answer": value})
