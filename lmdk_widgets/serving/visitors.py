"""Who may come in, and whose a session is: a token opens the server, a cookie tells one browser from another.

The printed address holds the token. A browser that shows it gets a cookie with a random name for this visitor, signed
with a secret that follows from the token, so that the cookie alone opens the server until the token changes. Sessions
belong to the visitor that started them. Cookies do not tell ports apart: the cookie's name holds the port.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from typing import Any
from urllib.parse import unquote_plus

from jupyter_server.auth.identity import IdentityProvider, User
from tornado.web import HTTPError, RequestHandler
from traitlets import Bool, Integer

PARAMETER = "token"


class Visitors(IdentityProvider):
    """Knows a visitor by the cookie, lets a new one in by the token, or anybody where the token is empty."""

    port = Integer(help="Where the server listens; part of the cookie's name.")
    secure = Bool(False, help="Whether browsers reach the server over an encrypted connection only.")

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
        given = handler.get_query_argument(PARAMETER, "").encode()
        return hmac.compare_digest(given, self.token.encode())


class Owned:
    """A handler of one kernel: who did not start it learns as much as if there were none."""

    kernel_manager: Any
    current_user: Any

    def refuse_others(self, kernel_id: str) -> None:
        """Raise 404 unless the visitor started this kernel."""
        if not self.kernel_manager.belongs(kernel_id, self.current_user.username):
            raise HTTPError(404)


def cookie_secret(token: str) -> bytes:
    """What cookies are signed with: the same after a restart with the same token, unknown where there is none."""
    return hashlib.sha256(b"lmdk cookie " + token.encode()).digest() if token else os.urandom(32)


def without_token(query: str) -> str:
    """A query without the token; the rest stays as it was written.

    Examples
    --------
    >>> without_token("page=places&token=abc&x=%20")
    'page=places&x=%20'
    """
    return "&".join(part for part in query.split("&") if unquote_plus(part.partition("=")[0]) != PARAMETER)
