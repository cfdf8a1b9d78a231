"""What a saved page includes: the built programs that run in it, and the licences of what they contain."""

from __future__ import annotations

import gzip
import re
from base64 import b64encode
from html import escape
from pathlib import Path

from lmdk_widgets.cache import cached
from lmdk_widgets.trajectory.words import printable

STATIC = Path(__file__).parents[1] / "static"
NOTICES = "THIRD_PARTY_NOTICES.txt"


def built(name: str) -> Path:
    """A file created when the package was built.

    Raises
    ------
    RuntimeError : the package was never built.
    """
    path = STATIC / name
    if not path.exists():
        raise RuntimeError("the widgets were not built: install the package with pip, or run 'make build'")
    return path


@cached("everybody", entries=8)
def program(name: str) -> str:
    """A program that can be embedded in a page as it is.

    Raises
    ------
    RuntimeError : it was not built, or contains something that would end the script element.
    """
    text = built(name).read_text("utf-8")
    if re.search(r"</script|<!--", text, re.IGNORECASE):
        raise RuntimeError(f"{name} cannot be embedded in a page as it is")
    return text


def policy(*, inside: bool = False) -> str:
    """The content security policy of a saved page, which may not fetch anything; `inside`: it contains another page."""
    blob, pictures = (" blob:", "; img-src data: blob:") if inside else ("", "")
    allowed = f"script-src 'unsafe-inline'{blob}; style-src 'unsafe-inline'{pictures}"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def shown(text: str) -> str:
    """A text from any source as HTML: one line, no control characters, nothing that cannot be written as UTF-8."""
    return escape(printable(str(text), len(str(text))))


def compressed(block: bytes) -> bytes:
    """A block compressed with gzip, always the same for the same bytes."""
    return gzip.compress(block, 9, mtime=0)


def held(name: str, data: bytes) -> str:
    """Data embedded in a page, for a program there to find by name; `compressed` first."""
    return f'<script type="text/plain" data-name="{escape(name)}">{b64encode(data).decode()}</script>'


@cached("everybody", entries=1)
def licences() -> str:
    """The licences of the libraries in a saved page, folded: they are passed on together with the page."""
    text = escape(built(NOTICES).read_text("utf-8"))
    about = "Licences of the libraries in this file"
    return f'<details class="licences"><summary>{about}</summary><pre>{text}</pre></details>'
