"""Plain requests to a server under test."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from dataclasses import dataclass
from email.message import Message
from functools import lru_cache

from tests.server import PATIENCE_S, Address, address_of


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Message
    text: str

    @property
    def kernel(self) -> str:
        """The name of the kernel that this page started."""
        match = re.search(r'lmdk\.session\("([\w-]+)"\)', self.text)
        assert match, self.text
        return match[1]


@lru_cache
def cookie(address: Address) -> str:
    """The cookie of the visitor that all plain requests of a test come from."""
    return "=".join(address.admitted())


def fetch(url: str, method: str = "GET", **headers: str) -> Answer:
    """The answer to a request, errors included; header names with _ for -. One that is "" is not sent, nor `Cookie=""`."""
    address = address_of(url)
    named = PERSON | ({"Cookie": cookie(address)} if address else {})
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    named = {name: value for name, value in named.items() if value}
    request = urllib.request.Request(url, method=method, headers=named)
    try:
        with OPENER.open(request, timeout=PATIENCE_S) as answer:
            return Answer(answer.status, answer.headers, answer.read().decode("utf-8", "replace"))
    except urllib.error.HTTPError as error:
        return Answer(error.code, error.headers, error.read().decode("utf-8", "replace"))


PERSON = {"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
"""What a browser says when a person opens an address."""


class _Stay(urllib.request.HTTPRedirectHandler):
    """A redirect is an answer like others."""

    def redirect_request(self, *_: object) -> None:
        return None


OPENER = urllib.request.build_opener(_Stay)
