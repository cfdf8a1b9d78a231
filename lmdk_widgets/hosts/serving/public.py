"""The server's public address behind a proxy: another host, another path, an encrypted connection."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass

from lmdk_widgets.errors import InputError

FORM = re.compile(
    r"(?P<origin>https?://(?P<host>\[[0-9a-f:]+\]|[\w.-]+)(:\d+)?)(?P<path>(/[\w.~-]+)*)/?", re.ASCII | re.I
)


HERE = ("127.0.0.1", "::1")
"""The addresses from which a proxy on this machine connects."""
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True)
class Public:
    """An address such as https://class.example.org/privacy/.

    Attributes
    ----------
    origin : of the pages: "https://class.example.org". host : "class.example.org". base : the path of the pages, "/privacy/".
    proxies : the networks of the proxies, which alone are believed about whose request it is.
    """

    origin: str
    host: str
    base: str
    proxies: tuple[Network, ...]

    @property
    def address(self) -> str:
        """The whole address, with a slash at the end."""
        return self.origin + self.base

    @property
    def secure(self) -> bool:
        """Whether the connection to the proxy is encrypted."""
        return self.origin.lower().startswith("https:")

    def is_proxy(self, address: str) -> bool:
        """Whether a connection from the address comes from a proxy in front of this server."""
        try:
            found = ipaddress.ip_address(address.partition("%")[0])
        except ValueError:
            return False
        found = getattr(found, "ipv4_mapped", None) or found
        return any(found in network for network in self.proxies)


def read_public(text: str, proxies: Iterable[str] = ()) -> Public:
    """The parts of a public address, and the proxies in front of it.

    Parameters
    ----------
    proxies : addresses or networks of the proxies; none for a proxy on this machine.

    Raises
    ------
    InputError : it is not one: it has another scheme, a query, or characters that would have to be escaped; or a proxy is
        not an IP address or a network.

    Examples
    --------
    >>> read_public("https://class.example.org/privacy").address
    'https://class.example.org/privacy/'
    >>> read_public("http://192.168.1.5:8080").base
    '/'
    >>> behind = read_public("https://class.example.org", ["10.88.0.0/16"])
    >>> behind.is_proxy("10.88.0.1"), behind.is_proxy("127.0.0.1")
    (True, False)
    """
    found = FORM.fullmatch(text)
    if found is None:
        raise InputError(
            "--public must be an address", value=text, remedy="Use one like https://class.example.org/privacy/"
        )
    networks = tuple(_network(each) for each in tuple(proxies) or HERE)
    return Public(found["origin"], found["host"], f"{found['path']}/", networks)


def _network(text: str) -> Network:
    try:
        return ipaddress.ip_network(text)
    except ValueError:
        raise InputError(
            "--proxy must be an IP address or a network",
            value=text,
            remedy="Use the address from which the proxy connects, such as 10.88.0.1 or 10.88.0.0/16",
        ) from None
