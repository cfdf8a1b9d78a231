"""What was spent on which data: a file that refuses to spend a budget twice.

Data are recognised only by a keyed digest. The key is in a separate file next to the ledger, which only its owner can read;
without it nobody can test tracks against the ledger, and with another key no data are recognised. So the ledger contains a
check value of its key, and each entry is linked to the previous one by a keyed digest of both.

At first use the ledger is written before its key. A kill in between leaves a ledger without entries, which is started again:
a ledger with entries and no key, or a key without its ledger, means that a file was lost, and is refused.
The ledger helps an honest owner. It cannot stop anyone who removes both files, or who restores an older copy of the ledger.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import number
from lmdk_widgets.errors import InputError
from lmdk_widgets.secure.files import disk_errors, keyed, write_whole
from lmdk_widgets.secure.together import Left, Minutes, Together, add_up, left_of, limit_of, upward
from lmdk_widgets.trajectory.words import counted

FORMAT = 2
UNLINKED = 1
"""The format from before entries were linked and the key had a check value; the next entry upgrades it."""

KEY_BYTES = 32

_SAME = 1e-6
"""Sums with a smaller relative difference count as equal."""

Entry = dict[str, Any]

_ELSEWHERE = "or name a new ledger with --ledger and keep track yourself of what was released before"


class _Opened(NamedTuple):
    """A ledger whose key and links have been verified."""

    key: bytes
    entries: list[Entry]


class Ledger:
    """The ledger in a file. File and key are created when they are first needed, and only their owner can read them.

    Parameters
    ----------
    path : the ledger file. The key is in a file of the same name followed by ".key".
    """

    def __init__(self, path: str | os.PathLike) -> None:
        self.path = Path(path)
        self.key_path = self.path.with_name(f"{self.path.name}.key")

    def digest(self, data: bytes) -> str:
        """The keyed digest (HMAC, SHA-256) of data."""
        with self._alone():
            return keyed(self._opened().key, data)

    def spend(
        self,
        data: bytes,
        spent: Mapping[str, Any],
        *,
        again: bool = False,
        minutes: Minutes | None = None,
        most: Minutes | None = None,
        subject: str = "",
        limit: float | None = None,
    ) -> Together:
        """Record what is about to be spent on data, before any of it is published.

        Parameters
        ----------
        data : what is released, as bytes that are the same whenever the data are. spent : what is recorded together with the
        digest. again : whether to allow spending on data, or in minutes, on which something was already spent.
        minutes : the budgets by the minute, stored under keyed digests. subject : the person whose data these are, a name
        that the owner chooses; only a keyed digest of it is stored. limit : the most that the landmarks of all the
        subject's releases and any one other minute may spend together; it is stored, and applies until another one is
        given; None: the last one. most : the most that could have been spent in each minute, if what was spent depended on
        the outputs: this is compared with the limit and with earlier minutes, as a refusal must not depend on the outputs.

        Returns
        -------
        The number of releases including this one, and what they spend together.

        Raises
        ------
        InputError : data or minutes of the subject that were released before, unless `again`; exceeding the limit; a file
            that is not a ledger, a ledger or key that is missing, damaged or does not match; a disk that cannot store the
            entry, after which the ledger is unchanged.
        """
        with self._alone():
            key, entries = self._opened()
            name = keyed(key, data)
            before = [entry for entry in entries if entry.get("data") == name]
            if before and not again:
                remedy = "--again releases them once more, and what all releases reveal adds up"
                when = before[-1].get("when", "an unknown time")
                raise InputError(
                    "Data must be released only once", value=f"data already released on {when}", remedy=remedy
                )
            together = Together(1)
            if minutes is not None:
                bound = _checked(limit) if limit is not None else limit_of(key, subject, entries)
                possible = add_up(key, subject, entries, most or minutes)
                _check_minutes(possible, again=again, limit=bound, exact=most is None)
                together = add_up(key, subject, entries, minutes)
                spent = {**spent, **minutes.written(key, subject), **({} if bound is None else {"limit": bound})}
            when = datetime.now(UTC).isoformat(timespec="seconds")
            self._write(key, [*entries, {"data": name, "when": when, **spent}])
        return together._replace(of_these_data=len(before) + 1)

    def joins(self, time: NDArray[np.datetime64], subject: str, chance: float) -> NDArray[np.bool_]:
        """(n,) whether each of a subject's moments is a dummy: the key decides, so it is drawn once for all files.

        A keyed digest is a number of 256 binary digits that nobody can predict without the key; it is compared with the exact
        chance, rounded up. A larger chance only adds dummies.

        Raises
        ------
        InputError : a chance that is not above 0 and at most 1; otherwise as for `spend`.
        """
        least = 2.0**-64
        share = Fraction(number(chance, "the chance of dummies", least, 1.0))
        below = -(-share.numerator * 2**256 // share.denominator)
        with self._alone():
            key = self._opened().key
        moments = time.astype("datetime64[ns]").astype(np.int64).tolist()
        drawn = (int(keyed(key, f"dummy at {moment} of {subject}".encode()), 16) for moment in moments)
        return np.fromiter((value < below for value in drawn), bool, len(moments))

    def find(self, minutes: Iterable[int], subject: str, told: Mapping[str, Any]) -> tuple[dict[str, Any], Together]:
        """The subject's release in exactly these minutes, and what all of the subject's releases spend together.

        Parameters
        ----------
        told : its guarantee: of several releases in these minutes, the last with this scheme, epsilon and sum is found,
        otherwise the last. minutes : those in which something was measured. A release that compares also spends in others,
        of which only the digests are known.

        Returns
        -------
        The entry, whose "minutes" map whole minutes since 1970 to the budget and whether there is a landmark; and the sums,
        at that release's radius.

        Raises
        ------
        InputError : no such release; otherwise as for `spend`.
        """
        wanted = sorted(minutes)
        with self._alone():
            key, entries = self._opened()
        names = Minutes(dict.fromkeys(wanted, 1.0), frozenset()).written(key, subject)["minutes"]
        mine = [
            e for e in entries if _measured(e) == names.keys() or ("comparison" in e and _measured(e) >= names.keys())
        ]
        if not mine:
            remedy = "Name its ledger with --ledger, and the person whose data these are with --subject"
            raise InputError("The release must be in the ledger", value="another one", remedy=remedy)
        entry = next(filter(partial(_is_told, told), reversed(mine)), mine[-1])
        each = (Minutes({minute: 1.0}, frozenset()).written(key, subject)["minutes"] for minute in wanted)
        back = {name: minute for minute, names in zip(wanted, each, strict=True) for name in names}
        told = {
            back.get(name, name): (budget, bool(mark)) for name, (budget, *mark) in entry["minutes"].items() if budget
        }
        together = add_up(key, subject, entries, Minutes({}, frozenset(), entry["radius_m"]))
        return entry | {"minutes": told}, together._replace(of_the_subject=together.of_the_subject - 1)

    def left(self, subject: str, limit: float | None = None) -> Left:
        """What a subject's releases may still spend this week; limit : None: the last one given.

        Raises
        ------
        InputError : as for `spend`.
        """
        key, entries = b"", list[Entry]()
        if self.path.exists() or self.key_path.exists():
            with self._alone():
                key, entries = self._opened()
        return left_of(key, subject, entries, _checked(limit), datetime.now(UTC).date())

    def entries(self) -> list[Entry]:
        """All entries, the oldest first; verified as for `spend`."""
        if not self.path.exists() and not self.key_path.exists():
            return []
        with self._alone():
            return self._opened().entries

    def _opened(self) -> _Opened:
        """The verified ledger; a new one if there is none."""
        found, key = self._parsed(), _read(self.key_path)
        if key is None and (found is None or not found["entries"]):
            key = secrets.token_bytes(KEY_BYTES)
            self._write(key, [])
            write_whole(self.key_path, key)
            return _Opened(key, [])
        if key is None:
            what, remedy = "The ledger must have its key next to it", f"Put {self.key_path.name} back, {_ELSEWHERE}"
            raise InputError(what, value="none", remedy=remedy)
        if found is None:
            what, remedy = "The key must have its ledger next to it", f"Put {self.path.name} back, {_ELSEWHERE}"
            raise InputError(what, value="none", remedy=remedy)
        if len(key) != KEY_BYTES:
            what, remedy = f"The ledger's key must have {KEY_BYTES} bytes", f"Put the right key back, {_ELSEWHERE}"
            raise InputError(what, value=f"{len(key)} bytes", remedy=remedy)
        return _Opened(key, _verified(found, key))

    def _parsed(self) -> dict[str, Any] | None:
        """The contents of the file, in the right shape; None if there is no file."""
        text = _read(self.path)
        if text is None:
            return None
        try:
            found = json.loads(text)
            known = found["format"] in (FORMAT, UNLINKED)
            if not known or not all(isinstance(entry, dict) for entry in found["entries"]):
                raise ValueError
        except (ValueError, KeyError, TypeError):
            what, remedy = "The ledger must be a file made by this program", f"Put a copy of it back, {_ELSEWHERE}"
            raise InputError(what, value=self.path.name, remedy=remedy) from None
        return found

    def _write(self, key: bytes, entries: list[Entry]) -> None:
        check = _check(key)
        held = {"format": FORMAT, "key": check, "entries": _linked(key, entries)}
        write_whole(self.path, json.dumps(held, indent=1).encode())

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Lock the ledger, so no other process reads or writes it."""
        remedy = "Nothing was released. Free some space or name another ledger with --ledger, and try again"
        with disk_errors("The ledger must be readable and writable before anything is released", remedy):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = os.open(self.path.with_name(f"{self.path.name}.lock"), os.O_CREAT | os.O_RDWR, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX)
                yield
            finally:
                os.close(lock)


def _checked(limit: float | None) -> float | None:
    return None if limit is None else number(limit, "limit", 0.0, 1e9)


def _check_minutes(together: Together, *, again: bool, limit: float | None, exact: bool) -> None:
    """Refuse minutes that were already released, unless `again`, and sums that exceed the limit.

    exact : whether the sums are known beforehand; if not, they are known only if no minute was released before.
    """
    if together.overlapping and not again:
        seen = f"{counted(together.overlapping, 'minute')} of the subject released before"
        remedy = "--again releases them once more, and everything adds up. Another person's data need another --subject"
        raise InputError("Each minute of a subject must be released only once", value=seen, remedy=remedy)
    if limit is not None and together.overlapping and not exact:
        what = "Under a limit, a scheme that decides as it goes must have minutes that were not released before"
        seen = f"{counted(together.overlapping, 'minute')} released before"
        raise InputError(what, value=seen, remedy="Nothing was spent. Choose a scheme whose budgets are fixed")
    if limit is not None and together.largest is not None and together.largest > limit:
        remedy = "Nothing was spent. Use a smaller epsilon, or release less"
        what = f"All releases of the subject must stay within the limit of {limit:g} together"
        raise InputError(what, value=upward(together.largest), remedy=remedy)


def _is_told(told: Mapping[str, Any], entry: Entry) -> bool:
    """Whether a guarantee can belong to an entry."""
    spent, said = sum(budget for budget, *_ in entry["minutes"].values()), told.get("sum_over_all_timestamps", 0.0)
    alike = all(entry.get(name) == told.get(name) for name in ("scheme", "epsilon"))
    return alike and abs(spent - said) <= _SAME * max(spent, said)


def _measured(entry: Entry) -> set[str]:
    """The digests of the minutes in which a release spent something."""
    return {name for name, (budget, *_) in entry.get("minutes", {}).items() if budget}


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _check(key: bytes) -> str:
    """A value that shows whether a key is the ledger's, and reveals nothing about the key."""
    return keyed(key, b"the key of this ledger")


def _linked(key: bytes, entries: list[Entry]) -> list[Entry]:
    """The entries, each with a keyed digest of itself and of the previous link."""
    link, linked = _check(key), []
    for entry in entries:
        told = {name: value for name, value in entry.items() if name != "link"}
        link = keyed(key, json.dumps([link, told], sort_keys=True).encode())
        linked.append(told | {"link": link})
    return linked


def _verified(found: dict[str, Any], key: bytes) -> list[Entry]:
    """The entries, if the key is the ledger's and each entry links to the previous one."""
    entries: list[Entry] = found["entries"]
    if found["format"] == UNLINKED:
        return entries
    if found.get("key") != _check(key):
        what, remedy = "The key must be this ledger's key", f"Put the key that was made with it back, {_ELSEWHERE}"
        raise InputError(what, value="another key", remedy=remedy)
    for place, (entry, right) in enumerate(zip(entries, _linked(key, entries), strict=True), 1):
        if entry.get("link") != right["link"]:
            what = "Each entry in the ledger must link to the previous one"
            seen = f"entry {place}, which was changed or moved, or follows a missing one"
            raise InputError(what, value=seen, remedy=f"Put a copy of the ledger back, {_ELSEWHERE}")
    return entries
