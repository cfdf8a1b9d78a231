"""Tokens: what opens the pages, the board and the overview, as part of an address."""

from __future__ import annotations

import hmac
import os
import secrets

from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving.accountant import Rate, network

FEWEST_TOKEN, MOST_TOKEN = 12, 100
"""The fewest and the most characters of a token."""
PATIENCE_S = 10.0
"""The most seconds that a token waits to be compared."""
TYPED = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that nobody confuses with others."""


def chosen_token(token: str | None, variable: str = "LMDK_TOKEN", *, typed: bool = False) -> str:
    """The given token, the one in an environment variable, or a random one; "" stays empty.

    The variable is removed from the environment, so no kernel inherits it.

    Parameters
    ----------
    token : as it was given; None for none.
    variable : the name of the environment variable.
    typed : make a random one short enough to be typed from a screen: one of 2^59, otherwise one of 2^192.

    Raises
    ------
    InputError : it has characters other than visible ASCII ones, or is so short that others could guess it.
    """
    inherited = os.environ.pop(variable, "")
    if token is None:
        token = inherited or (_for_typing() if typed else secrets.token_hex(24))
    return checked_token(token)


def checked_token(token: str) -> str:
    """A token that can be part of an address; raises `InputError` for any other."""
    if not (token.isascii() and token.isprintable() and " " not in token and len(token) <= MOST_TOKEN):
        raise InputError(
            f"token must have at most {MOST_TOKEN} characters, all of them ASCII letters, digits or symbols",
            remedy="Leave it out to get a random one",
        )
    if token and len(token) < FEWEST_TOKEN:
        raise InputError(
            f"token must have at least {FEWEST_TOKEN} characters, because a shorter one can be guessed",
            value=f"{len(token)} characters",
            remedy="Choose a longer one, or leave it out to get a random one",
        )
    return token


def _for_typing() -> str:
    return "-".join("".join(secrets.choice(TYPED) for _ in range(4)) for _ in range(3))


class Guesses:
    """Compares what browsers show with a token. After too many wrong ones from one network, what comes from there is compared
    in turn, the right one too: so guessing has a speed, and a class behind one address still gets in.

    Examples
    --------
    >>> import asyncio
    >>> guesses = Guesses(Rate(at_once=1, per_second=0))
    >>> def tried(given, address):
    ...     return asyncio.run(guesses.right(given, "the right token", address))
    >>> tried("the right token", "192.0.2.7"), tried("a wrong token", "192.0.2.7"), tried("a wrong token", "192.0.2.7")
    (True, False, None)
    >>> tried("the right token", "192.0.2.8")
    True
    """

    def __init__(self, rate: Rate | None = None) -> None:
        self._rate = rate or Rate(at_once=20, per_second=2)

    async def right(self, given: str, token: str, address: str) -> bool | None:
        """Whether this is the token; None if too many from the same network wait to be compared."""
        name = network(address)
        if not await self._rate.turn(name, PATIENCE_S):
            return None
        found = hmac.compare_digest(given.encode(), token.encode())
        if found:
            self._rate.take(name, -1)  # only wrong ones count
        return found
