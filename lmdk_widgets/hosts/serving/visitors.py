"""Who may come in, and whose a session is: a token opens the server, a cookie tells one browser from another.

The printed address holds the token. A browser that shows it gets a cookie with a random name for this visitor, signed
with a key that follows from a random secret of the server and from the token. The cookie alone opens the server until
either changes; nobody can make one from a guess of the token. Sessions belong to the visitor that started them. Cookies do
not tell ports apart: the cookie's name holds the port.
"""

from __future__ import annotations

import hmac
import secrets
from typing import Any
from urllib.parse import unquote_plus

from jupyter_server.auth.identity import IdentityProvider, User
from tornado.web import HTTPError, RequestHandler
from traitlets import Bool, Integer

from lmdk_widgets.hosts.serving.tokens import Guesses

PARAMETER = "token"


class Visitors(IdentityProvider):
    """Knows a visitor by the cookie, lets a new one in by the token, or anybody where the token is empty."""

    port = Integer(help="Where the server listens; part of the cookie's name.")
    secure = Bool(False, help="Whether browsers reach the server over an encrypted connection only.")

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.guesses = Guesses()

    @property
    def cookie(self) -> str:
        """The name of the cookie."""
        return f"lmdk-{self.port}"

    def get_user(self, handler: RequestHandler) -> User | None:
        """The visitor of a request; None who has neither cookie nor token, or asks an address that knows its own."""
        if getattr(handler, "own_visitors", False):
            return None
        known = handler.get_signed_cookie(self.cookie)
        if known:
            return User(known.decode("ascii"))
        if self.token and not (getattr(handler, "takes_token", False) and self._is_token(handler)):
            return None
        visitor = secrets.token_hex(16)
        kept = {"httponly": True, "samesite": "Lax", "secure": self.secure, "path": handler.settings["base_url"]}
        handler.set_signed_cookie(self.cookie, visitor, expires_days=None, **kept)
        return User(visitor)

    def _is_token(self, handler: RequestHandler) -> bool:
        given = handler.get_query_argument(PARAMETER, "")
        return bool(given) and self.guesses.right(given, self.token, handler.request.remote_ip or "")


class Owned:
    """A handler of one kernel: who did not start it learns as much as if there were none."""

    kernel_manager: Any
    current_user: Any

    def refuse_others(self, kernel_id: str) -> None:
        """Raise 404 unless the visitor started this kernel."""
        if not self.kernel_manager.belongs(kernel_id, self.current_user.username):
            raise HTTPError(404)


def derived(secret: bytes, *purpose: str) -> bytes:
    """A key for one purpose, from which neither the secret nor the key of another purpose follows.

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
    >>> without_token("page=places&token=abc&x=%20")
    'page=places&x=%20'
    """
    return "&".join(part for part in query.split("&") if unquote_plus(part.partition("=")[0]) != PARAMETER)
