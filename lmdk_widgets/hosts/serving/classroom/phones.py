"""What students see: one page, what it is told, and the answers it sends. No account, no kernel, no name.

A student is a random cookie, signed by the server, which limits how many each network gets: students cannot be invented.
The server stores the cookie's digest with the answers, so nobody can use the class's file to answer for someone else.
"""

from __future__ import annotations

import hashlib
import secrets
from functools import cached_property

from tornado.web import HTTPError, create_signed_value, decode_signed_value

from lmdk_widgets.checks import one_of
from lmdk_widgets.hosts.serving.classroom.base import PATIENCE_S, TOO_MANY, ClassHandler, Stream
from lmdk_widgets.hosts.serving.classroom.room import Refusal
from lmdk_widgets.hosts.serving.visitors import derived

DAYS = 1.0
"""How long a phone stays the same student."""

FULL_NETWORK = "Very many new phones are joining from your network. Wait a minute, then load this page again."
NEWCOMER = "Open this page again: your phone has not joined yet."


class PhoneHandler(ClassHandler):
    """An address for phones."""

    @property
    def cookie_name(self) -> str:
        """The name of a student's cookie."""
        return f"lmdk-class-{self.port}"

    @property
    def key(self) -> bytes:
        """The key that signs students' cookies; the same when a class starts again, whatever its tokens are."""
        return derived(self.house.secret, "students")

    @cached_property
    def student(self) -> str:
        """The student who is asking; "" without one of our cookies."""
        given = self.get_cookie(self.cookie_name, "")
        value = decode_signed_value(self.key, self.cookie_name, given, max_age_days=DAYS) or b""
        return hashlib.sha256(value).hexdigest() if value else ""

    async def in_turn(self) -> bool:
        """A connected phone has its own limit, so a flood from its network does not keep it from answering."""
        if self.student in self.accounts.phones:
            return self.accounts.phone.allows(self.student)
        return await super().in_turn()


class Join(PhoneHandler):
    """The page for phones, which sets a cookie if there is none."""

    async def get(self) -> None:
        if not self.student:
            if not await self.accounts.newcomers.turn(self.address, PATIENCE_S):
                self.set_status(429)
                self.allow_own_style()
                self.finish(self.house.page("sentence.html").render(sentence=FULL_NETWORK, status=429))
                return
            signed = create_signed_value(self.key, self.cookie_name, secrets.token_hex(16)).decode("ascii")
            self.set_own_cookie(self.cookie_name, signed, days=DAYS, path=self.house.base)
        self.page_of("phone.html")


class PhoneStream(PhoneHandler, Stream):
    """What is asked, and what came of it."""

    error_as_json = True

    async def get(self) -> None:
        student = self.student
        if not student:
            raise HTTPError(403)
        phones = self.accounts.phones
        claim = phones.claim(self, student, self.address) if phones.room(student) > 0 else None
        for gone in phones.surplus(claim) if claim else ():
            gone.owner.on_connection_close()
        if claim not in phones.claims:
            raise HTTPError(429)
        self.room.back(student)
        self.room.board.ring()  # one more phone is connected
        try:
            await self.stream(self.room.phones, lambda: self.room.for_phone(student))
        finally:
            phones.leave(claim)
            self.room.board.ring()


class Answer(PhoneHandler):
    """Accepts an answer, and replies when it is on disk."""

    error_as_json = True

    async def post(self) -> None:
        await self.replied(self._taken)

    async def _taken(self) -> dict[str, object]:
        student = self.student
        if not student:
            raise Refusal(NEWCOMER)
        if not self.accounts.answers.allows(student):
            raise Refusal(TOO_MANY)
        asked = self.read_json()
        for name in asked:
            one_of(name, "the name of a part", ("round", "answer"))
        here = self.accounts.phones
        return {"answer": await self.room.answer(student, asked.get("round"), asked.get("answer"), here=here)}
