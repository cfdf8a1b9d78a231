"""The server's public address behind a proxy: another host, another path, an encrypted connection."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lmdk_widgets.errors import InputError

FORM = re.compile(
    r"(?P<origin>https?://(?P<host>\[[0-9a-f:]+\]|[\w.-]+)(:\d+)?)(?P<path>(/[\w.~-]+)*)/?", re.ASCII | re.I
)


@dataclass(frozen=True)
class Public:
    """An address such as https://class.example.org/privacy/.

    Attributes
    ----------
    origin : of the pages: "https://class.example.org". host : "class.example.org". base : the path of the pages, "/privacy/".
    """

    origin: str
    host: str
    base: str

    @property
    def address(self) -> str:
        """The whole address, with a slash at the end."""
        return self.origin + self.base

    @property
    def secure(self) -> bool:
        """Whether the connection to the proxy is encrypted."""
        return self.origin.lower().startswith("https:")


def read_public(text: str) -> Public:
    """The parts of a public address.

    Raises
    ------
    InputError : it is not one: it has another scheme, a query, or characters that would have to be escaped.

    Examples
    --------
    >>> read_public("https://class.example.org/privacy").address
    'https://class.example.org/privacy/'
    >>> read_public("http://192.168.1.5:8080").base
    '/'
    """
    found = FORM.fullmatch(text)
    if found is None:
        raise InputError(
            "--public must be an address", value=text, remedy="Use one like https://class.example.org/privacy/"
        )
    return Public(found["origin"], found["host"], f"{found['path']}/")
