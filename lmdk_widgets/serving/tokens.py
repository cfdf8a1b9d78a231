"""Tokens: what opens the pages, the board and the overview, as part of an address."""

from __future__ import annotations

import os
import secrets

from lmdk_widgets.errors import InputError

MOST_TOKEN = 100
TYPED = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that nobody takes for another one."""


def chosen_token(token: str | None, variable: str = "LMDK_TOKEN", *, typed: bool = False) -> str:
    """The token given, that of a variable of the environment, or a random one; "" stays empty.

    The variable is taken out of the environment, so that no kernel inherits it.

    Parameters
    ----------
    token : as it was given; None for none.
    variable : its name.
    typed : a random one is short enough to be typed from a screen: 2^49 of them, where others have 2^192.

    Raises
    ------
    InputError : it is not made of visible ASCII characters.
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
    return token


def _for_typing() -> str:
    drawn = "".join(secrets.choice(TYPED) for _ in range(10))
    return f"{drawn[:5]}-{drawn[5:]}"
