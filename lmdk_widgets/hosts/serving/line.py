"""The line of visitors whose page is to be made."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator


class Left(Exception):
    """The visitor left the line."""


class Line:
    """The line of visitors whose page is to be made: lets `at_once` in at a time, whatever their names.

    The processor limits starts: thirty at once would all be ready at the end, in a row the median waits half as long.
    """

    def __init__(self, at_once: int) -> None:
        self.at_once = at_once
        self._names: list[str] = []  # in order of arrival; the first `at_once` of them are in
        self._moved = asyncio.Event()

    async def turn(self, name: str) -> AsyncIterator[int]:
        """Ends when it is this visitor's turn; gives how many are before it whenever that changes, down to 0.

        Who need not wait is given nothing.

        Raises
        ------
        Left : `leave` was called meanwhile.
        """
        self._names.append(name)
        told = 0
        while (before := self._before(name)) or told:
            if before != told:
                yield (told := before)
            if not before:
                return
            await self._moved.wait()

    def leave(self, name: str) -> None:
        """Out of the line, or ready: the next one moves up. Nothing happens when the name is not in the line."""
        if name in self._names:
            self._names.remove(name)
            self._moved.set()
            self._moved = asyncio.Event()

    def _before(self, name: str) -> int:
        if name not in self._names:
            raise Left
        return max(0, self._names.index(name) - self.at_once + 1)
