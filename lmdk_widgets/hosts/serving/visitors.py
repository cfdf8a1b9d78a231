"""Who may come in, and whose a session is: a token opens the server, a cookie distinguishes browsers.

The printed address contains the token. A browser that shows it gets a cookie with a random name for this visitor, signed
with a key derived from a random secret of the server and from the token. The cookie alone opens the server until either
changes; nobody can make one by guessing the token. Sessions belong to the visitor that started them. Browsers share cookies
between ports, so the cookie's name contains the port.
"""

from __future__ import annotations

import hmac
import secrets
from typing import Any
from urllib.parse import unquote_plus

from tornado.web import RequestHandler

from lmdk_widgets.hosts.serving.tokens import Guesses

PARAMETER = "token"


class Visitors:
    """Recognises a visitor by the cookie, and lets in a new one with the token, or anyone if the token is empty.

    Parameters
    ----------
    token : opens the server; "" lets everyone in. port : where the server listens; part of the cookie's name.
    secure : whether browsers reach the server only over an encrypted connection. base : the path that the cookie is for.
    """

    def __init__(self, token: str, port: int, *, secure: bool = False, base: str = "/") -> None:
        self.token, self.port, self.secure, self.base = token, port, secure, base
        self.guesses = Guesses()

    @property
    def cookie(self) -> str:
        """The name of the cookie."""
        return f"lmdk-{self.port}"

    def find(self, handler: RequestHandler) -> str | None:
        """The visitor of a request; None for one with neither cookie nor token."""
        known = handler.get_signed_cookie(self.cookie)
        if known:
            return known.decode("ascii")
        return None if self.token and not getattr(handler, "showed", False) else self.new(handler)

    def new(self, handler: RequestHandler) -> str:
        """A new visitor."""
        visitor = secrets.token_hex(16)
        kept: dict[str, Any] = {"httponly": True, "samesite": "Lax", "secure": self.secure, "path": self.base}
        handler.set_signed_cookie(self.cookie, visitor, expires_days=None, **kept)
        return visitor

    async def compared(self, handler: RequestHandler) -> bool | None:
        """Whether the token that a request shows is right; None if that could not be compared now."""
        given = handler.get_query_argument(PARAMETER, "")
        if not (given and self.token):
            return False
        return await self.guesses.right(given, self.token, handler.request.remote_ip or "")


def derived(secret: bytes, *purpose: str) -> bytes:
    """A key for one purpose, which reveals neither the secret nor the key for another purpose.

    Examples
    --------
    >>> derived(b"secret", "pages", "token") == derived(b"secret", "pages", "token")
    True
    >>> derived(b"secret", "pages", "token") == derived(b"secret", "pages", "another")
    False
    """
    return hmac.digest(secret, "\0".join(purpose).encode(), "sha256")


def without_token(query: str) -> str:
    """A query without the token; the rest stays as it was written.

    Examples
    --------
    >>> without_token("page=place&token=abc&x=%20")
    'page=place&x=%20'
    """
    return "&".join(part for part in query.split("&") if unquote_plus(part.partition("=")[0]) != PARAMETER)
