"""Tokens: what opens the pages, the board and the overview, as part of an address."""

from __future__ import annotations

import hmac
import os
import secrets

from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving.classroom.limits import Limit, network

FEWEST_TOKEN, MOST_TOKEN = 12, 100
"""The fewest and the most characters of a token."""
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
    """Compares what browsers show with a token, and limits each network's wrong guesses.

    Only wrong guesses count, so a class behind one address gets in together. After too many wrong ones, the right one
    is refused for a while as well: otherwise guessing could continue at any speed.

    Examples
    --------
    >>> guesses = Guesses(Limit(at_once=1, per_second=0))
    >>> guesses.right("a wrong token", "the right token", "192.0.2.7"), guesses.allowed("192.0.2.7")
    (False, False)
    >>> guesses.right("the right token", "the right token", "192.0.2.7")
    False
    >>> guesses.right("the right token", "the right token", "192.0.2.8")
    True
    """

    def __init__(self, limit: Limit | None = None) -> None:
        self._limit = limit or Limit(at_once=20, per_second=0.5)

    def allowed(self, address: str) -> bool:
        """Whether the network of an address may guess now."""
        return self._limit.has_room(network(address))

    def right(self, given: str, token: str, address: str) -> bool:
        """Whether this is the token, and guessing is allowed now."""
        if not self.allowed(address):
            return False
        found = hmac.compare_digest(given.encode(), token.encode())
        if not found:
            self._limit.allows(network(address))  # takes one
        return found
