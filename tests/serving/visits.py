"""Plain requests to a server under test."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from dataclasses import dataclass
from email.message import Message


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


def fetch(url: str, method: str = "GET", **headers: str) -> Answer:
    """The answer to a request, errors included; header names with _ for -."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(url, method=method, headers=named)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return Answer(answer.status, answer.headers, answer.read().decode("utf-8", "replace"))
    except urllib.error.HTTPError as error:
        return Answer(error.code, error.headers, error.read().decode("utf-8", "replace"))
