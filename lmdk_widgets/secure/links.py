"""The links of a ledger: whether its entries are complete, in order and unchanged, by its key."""

from __future__ import annotations

import json
from typing import Any

from lmdk_widgets.errors import InputError
from lmdk_widgets.secure.files import keyed
from lmdk_widgets.secure.key_file import Key
from lmdk_widgets.trajectory.words import counted

FORMAT = 3
LINKED = 2
"""The format of version 1.0, whose key file does not count the entries; the next entry upgrades it."""
UNLINKED = 1
"""The format from before entries were linked and the key had a check value."""

Entry = dict[str, Any]

ELSEWHERE = "or name a new ledger with --ledger and keep track yourself of what was released before"


def check_value(key: bytes) -> str:
    """A value that shows whether a key is the ledger's, and reveals nothing about the key."""
    return keyed(key, b"the key of this ledger")


def linked(key: bytes, entries: list[Entry]) -> list[Entry]:
    """The entries, each with a keyed digest of itself and of the previous link."""
    link, found = check_value(key), list[Entry]()
    for entry in entries:
        told = {name: value for name, value in entry.items() if name != "link"}
        link = keyed(key, json.dumps([link, told], sort_keys=True).encode())
        found.append(told | {"link": link})
    return found


def counting(key: bytes, entries: list[Entry]) -> Key:
    """The key with the state of its ledger; the entries have links."""
    return Key(key, len(entries), entries[-1]["link"] if entries else check_value(key))


def verified(found: dict[str, Any], key: Key) -> list[Entry]:
    """The entries, if the key is the ledger's, each entry links to the previous one, and none is missing at the end.

    The number of the format is no reason to skip a check: what contains links is verified.
    """
    entries: list[Entry] = found["entries"]
    has_links = found["format"] != UNLINKED or "key" in found or any("link" in entry for entry in entries)
    if has_links and found.get("key") != check_value(key.secret):
        what, remedy = "The key must be this ledger's key", f"Put the key that was made with it back, {ELSEWHERE}"
        raise InputError(what, value="another key", remedy=remedy)
    right = linked(key.secret, entries)
    for place, (entry, other) in enumerate(zip(entries, right, strict=True), 1):
        if has_links and entry.get("link") != other["link"]:
            what = "Each entry in the ledger must link to the previous one"
            seen = f"entry {place}, which was changed or moved, or follows a missing one"
            raise InputError(what, value=seen, remedy=f"Put a copy of the ledger back, {ELSEWHERE}")
    if key.entries is None and found["format"] == FORMAT:
        what, remedy = "The key file must be as new as its ledger", f"Put the newest key file back, {ELSEWHERE}"
        raise InputError(what, value="an older copy", remedy=remedy)
    if key.entries is not None:
        _check_count(right, key, ahead=has_links)
    return entries


def _check_count(right: list[Entry], key: Key, *, ahead: bool) -> None:
    """Refuse a ledger without the entries that its key counts, or with more than one in addition.

    ahead : whether there may be one more, which needs a link of its own.
    """
    count = key.entries or 0
    remedy = f"Put the newest copy of the ledger and of its key back, {ELSEWHERE}"
    if not count <= len(right) <= count + ahead:
        what = f"The ledger must have the {counted(count, 'entry', 'entries')} that its key counts"
        raise InputError(what, value=f"{len(right):,}", remedy=remedy)
    if counting(key.secret, right[:count]).link != key.link:
        what = f"The ledger must have the {counted(count, 'entry', 'entries')} that its key counts"
        raise InputError(what, value="another one", remedy=remedy)
