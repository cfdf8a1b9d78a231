"""Addresses for one person only, such as the teacher: a page behind a token of its own, and what belongs to it."""

from __future__ import annotations

import hashlib
import hmac
import io

import segno
from jupyter_server.auth.decorator import allow_unauthenticated
from tornado.web import HTTPError

from lmdk_widgets.serving.classroom.base import ClassHandler
from lmdk_widgets.serving.visitors import PARAMETER


class Keyed(ClassHandler):
    """An address for one person: who has not shown the token is refused."""

    role = ""
    """Name of the page, its address and its cookie."""
    error_as_json = True

    @property
    def cookie_name(self) -> str:
        """The name of the cookie."""
        return f"lmdk-{self.role}-{self.port}"

    @property
    def key(self) -> str:
        """What the cookie holds: it follows from the token, so that the page stays open when the server starts again."""
        return hashlib.sha256(f"lmdk {self.role} {self.own_token}".encode()).hexdigest()

    def is_known(self) -> bool:
        """Whether the browser has shown the token before."""
        return hmac.compare_digest(self.get_cookie(self.cookie_name, "").encode(), self.key.encode())

    def refuse_strangers(self) -> None:
        """Raise 403 for everybody else."""
        if not self.is_known():
            raise HTTPError(403)

    def send_code(self, address: str) -> None:
        """An address as a QR code, black on white in any theme."""
        self.refuse_strangers()
        drawn = io.BytesIO()
        code = segno.make(address, error="m", micro=False)
        code.save(drawn, kind="svg", scale=8, border=4, light="white", dark="black")
        self.set_header("Content-Type", "image/svg+xml")
        self.finish(drawn.getvalue())


class KeyedPage(Keyed):
    """The page, or the question for its token."""

    error_as_json = False

    @allow_unauthenticated
    def get(self) -> None:
        here = f"{self.base_url}{self.role}"
        given = self.get_query_argument(PARAMETER, "")
        wrong = bool(given) and not (self.limits.token.allows(self.address) and self._is_token(given))
        if given and not wrong:
            self.set_own_cookie(self.cookie_name, self.key, days=1.0, path=self.base_url)
            self.redirect(here)
        elif self.is_known() and not wrong:
            self.show()
        else:
            self.set_status(403)
            self.allow_own_style()
            self.finish(self.page("token.html").render(wrong=wrong, kept=[], home=here))

    def show(self) -> None:
        """Send the page."""
        raise NotImplementedError

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.own_token.encode())
