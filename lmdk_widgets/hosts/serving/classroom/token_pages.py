"""Addresses for one person only, such as the teacher: a page behind its own token, and what belongs to it."""

from __future__ import annotations

import hmac
import io
from collections.abc import Callable

import segno
from tornado.web import HTTPError

from lmdk_widgets.hosts.serving.classroom.base import ClassHandler
from lmdk_widgets.hosts.serving.classroom.room import Bell
from lmdk_widgets.hosts.serving.visitors import PARAMETER, derived


class Keyed(ClassHandler):
    """An address for one person: anyone who has not shown the token is refused."""

    role = ""
    """The name of the page, of its address and of its cookie."""
    error_as_json = True

    @property
    def cookie_name(self) -> str:
        """The name of the cookie."""
        return f"lmdk-{self.role}-{self.port}"

    @property
    def key(self) -> str:
        """The cookie's value: derived from the token and the server's secret, so guessing the token is not enough.

        The board stays open when a class starts again, as its secret is stored next to its file.
        """
        return derived(self.house.secret, self.role, self.own_token).hex()

    def is_known(self) -> bool:
        """Whether the browser has shown the token before."""
        return hmac.compare_digest(self.get_cookie(self.cookie_name, "").encode(), self.key.encode())

    def refuse_strangers(self) -> None:
        """Raise 403 for everyone else."""
        if not self.is_known():
            raise HTTPError(403)

    async def watch(self, role: str, bell: Bell, state: Callable[[], str]) -> None:
        """Stream states to this page, if not too many follow them."""
        boards = self.accounts.boards
        if boards.room(role) < 1:
            raise HTTPError(429)
        claim = boards.claim(self, role)
        try:
            await self.stream(bell, state)  # type: ignore[attr-defined]
        finally:
            boards.leave(claim)

    def send_code(self, address: str) -> None:
        """An address as a QR code, black on white in any theme."""
        self.refuse_strangers()
        drawn = io.BytesIO()
        code = segno.make(address, error="m", micro=False)
        code.save(drawn, kind="svg", scale=8, border=4, light="white", dark="black")
        self.set_header("Content-Type", "image/svg+xml")
        self.finish(drawn.getvalue())


class KeyedPage(Keyed):
    """The page, or the form that asks for its token."""

    error_as_json = False

    async def get(self) -> None:
        here = f"{self.house.base}{self.role}"
        given = self.get_query_argument(PARAMETER, "")
        right = await self.house.visitors.guesses.right(given, self.own_token, self.address) if given else False
        often, wrong = right is None, bool(given) and not right
        if given and not wrong:
            self.set_own_cookie(self.cookie_name, self.key, days=1.0, path=self.house.base)
            self.redirect(here)
        elif self.is_known() and not wrong:
            self.show()
        else:
            self.set_status(429 if often else 403)
            self.allow_own_style()
            self.finish(self.house.page("token.html").render(wrong=wrong, often=often, kept=[], home=here))

    def show(self) -> None:
        """Send the page."""
        raise NotImplementedError
