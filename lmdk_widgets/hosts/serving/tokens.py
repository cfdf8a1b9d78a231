"""Tokens: what opens the pages, the board and the overview, as part of an address."""

from __future__ import annotations

import hmac
import os
import secrets

from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving.classroom.limits import Limit, network

FEWEST_TOKEN, MOST_TOKEN = 12, 100
"""Characters of a token."""
TYPED = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that nobody takes for another one."""


def chosen_token(token: str | None, variable: str = "LMDK_TOKEN", *, typed: bool = False) -> str:
    """The token given, that of a variable of the environment, or a random one; "" stays empty.

    The variable is taken out of the environment, so that no kernel inherits it.

    Parameters
    ----------
    token : as it was given; None for none.
    variable : its name.
    typed : a random one is short enough to be typed from a screen: 2^59 of them, where others have 2^192.

    Raises
    ------
    InputError : it is not made of visible ASCII characters, or too short: others could guess it.
    """
    inherited = os.environ.pop(variable, "")
    if token is None:
        token = inherited or (_for_typing() if typed else secrets.token_hex(24))
    return checked_token(token)


def checked_token(token: str) -> str:
    """A token that can stand in an address; any other is an `InputError`."""
    if not (token.isascii() and token.isprintable() and " " not in token and len(token) <= MOST_TOKEN):
        raise InputError(
            f"token must have at most {MOST_TOKEN} characters, all of them letters, digits or signs of ASCII",
            remedy="Leave it out: a random one is made and printed",
        )
    if token and len(token) < FEWEST_TOKEN:
        raise InputError(
            f"token must have at least {FEWEST_TOKEN} characters, because a shorter one can be guessed",
            value=f"{len(token)} characters",
            remedy="Choose a longer one, or leave it out: a random one is made and printed",
        )
    return token


def _for_typing() -> str:
    return "-".join("".join(secrets.choice(TYPED) for _ in range(4)) for _ in range(3))


class Guesses:
    """Compares what browsers show with a token, and limits the wrong guesses of each network.

    Only wrong guesses count, so that a class behind one address comes in together. Where too many were wrong, the right one
    is refused as well for a while: otherwise guesses would go on at any speed.

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
        """Whether this is the token, and may be shown now."""
        if not self.allowed(address):
            return False
        found = hmac.compare_digest(given.encode(), token.encode())
        if not found:
            self._limit.allows(network(address))  # takes one
        return found
