"""What was spent on which data: a file that refuses to spend a budget twice.

Data are recognised only by a keyed digest. The key is in a separate file next to the ledger, which only its owner can read;
without it nobody can test tracks against the ledger, and with another key no data are recognised. So the ledger contains a
check value of its key, and each entry is linked to the previous one by a keyed digest of both.

The key file counts the entries and contains the last link, so a removed last entry is noticed too. The ledger is written
before its key file. At first use, a kill in between leaves a ledger without entries and without a key, which is started
again; later, a ledger with one linked entry more than the key counts, which is accepted. Anything else means that a file was
lost or changed, and is refused. The ledger helps an honest owner. It cannot stop anyone who removes both files, or who
restores older copies of both.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.checks import number
from lmdk_widgets.errors import InputError
from lmdk_widgets.secure.files import beside, disk_errors, keyed, write_together, write_whole
from lmdk_widgets.secure.key_file import KEY_BYTES, Key, read_key
from lmdk_widgets.secure.killed_releases import Record, remove_killed
from lmdk_widgets.secure.links import (
    ELSEWHERE,
    FORMAT,
    LINKED,
    UNLINKED,
    Entry,
    check_value,
    counting,
    linked,
    verified,
)
from lmdk_widgets.secure.together import (
    Left,
    Minutes,
    Together,
    add_entry,
    add_up,
    at_most,
    is_entry,
    left_of,
    limit_of,
    upward,
)
from lmdk_widgets.trajectory.words import counted

PLACES, LIMIT = "same-places", "higher-limit"
QUESTIONS = frozenset({PLACES, LIMIT})
"""What is released only after a confirmation: the kinds of `InputError` that ask for it."""

_SAME = 1e-6
"""Sums with a smaller relative difference count as equal."""


class Found(NamedTuple):
    """A release in the ledger.

    Attributes
    ----------
    entry : what was recorded. minutes : maps whole minutes since 1970, or the digests of minutes that were not published, to
    the budget and whether there is a landmark. marked : how many minutes have one, measured or not.
    files : whether each file is, byte for byte, the one that was released; None in an entry by version 1.0.
    then : what the releases up to this one spend together. now : what all of them do, at this release's radius.
    """

    entry: Entry
    minutes: Mapping[Any, tuple[float, bool]]
    marked: int
    files: Mapping[str, bool] | None
    then: Together
    now: Together


class _Opened(NamedTuple):
    """A ledger whose key and links have been verified."""

    key: Key
    entries: list[Entry]


class Ledger:
    """The ledger in a file. File and key are created when they are first needed, and only their owner can read them.

    Parameters
    ----------
    path : the ledger file. The key is in a file of the same name followed by ".key".

    Attributes
    ----------
    notices : what was noticed without being refused, as sentences for the owner.
    """

    def __init__(self, path: str | os.PathLike) -> None:
        self.path = Path(path)
        self.notices: list[str] = []
        self.key_path = self.path.with_name(f"{self.path.name}.key")

    def digest(self, data: bytes) -> str:
        """The keyed digest (HMAC, SHA-256) of data."""
        with self._alone():
            return keyed(self._opened().key.secret, data)

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
        places: bytes | None = None,
        confirmed: Collection[str] = (),
        files: Callable[[Together], Mapping[str, str]] | None = None,
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
        places : the data without their times, as bytes: the same data in another time zone are recognised by their digest.
        confirmed : the questions answered with yes, see `QUESTIONS`. files : the files that will be published, by name, from
        what all releases spend; their keyed digests are stored.

        Returns
        -------
        The number of releases including this one, and what they spend together.

        Raises
        ------
        InputError : data or minutes of the subject that were released before, unless `again`; exceeding the limit; a question
            that is not confirmed; a file that is not a ledger, a ledger or key that is missing, damaged, open to others or
            does not match; a disk that cannot store the entry, after which the ledger is unchanged.
        """
        with self._alone():
            key, entries = self._opened()
            name = keyed(key.secret, data)
            before = [entry for entry in entries if entry.get("data") == name]
            if before and not again:
                remedy = "--again releases them once more, and what all releases reveal adds up"
                when = before[-1].get("when", "an unknown time")
                raise InputError(
                    "Data must be released only once", value=f"data already released on {when}", remedy=remedy
                )
            spent = {"data": name, "when": datetime.now(UTC).isoformat(timespec="seconds"), **spent}
            if places is not None:
                spent["places"] = keyed(key.secret, b"places " + places)
                self._ask_places(spent, entries, confirmed)
            together = Together(1)
            if minutes is not None:
                earlier = limit_of(key.secret, subject, entries)
                bound = earlier if limit is None else _checked(limit)
                _ask_limit(bound, earlier, confirmed)
                possible = at_most(key.secret, subject, entries, most or minutes)
                _check_minutes(possible, again=again, limit=bound, exact=most is None)
                together = add_up(key.secret, subject, entries, minutes)
                spent |= {**minutes.written(key.secret, subject), **({} if bound is None else {"limit": bound})}
            together = together._replace(of_these_data=len(before) + 1)
            if files is not None:
                spent["files"] = digests(key.secret, files(together))
            if key.entries != len(entries):  # by version 1.0, or from before a kill: the ledger is one ahead at most
                write_whole(self.key_path, counting(key.secret, linked(key.secret, entries)).content())
            self._write(key.secret, [*entries, spent])
        return together

    def _ask_places(self, spent: Mapping[str, Any], entries: Iterable[Entry], confirmed: Collection[str]) -> None:
        """Ask about places that were released at other times; say how many entries cannot be compared."""
        others = [entry for entry in entries if entry.get("data") != spent["data"]]
        if unknown := sum("places" not in entry for entry in others):
            self._notice(
                f"{counted(unknown, 'release')} in the ledger {'was' if unknown == 1 else 'were'} made by version 1.0 or "
                "before: whether these data were among them in another time zone is not known."
            )
        same = [entry for entry in others if entry.get("places") == spent["places"]]
        if same and PLACES not in confirmed:
            remedy = (
                "If they are the same data, name the --timezone of the earlier release, so that both count in the same "
                "minutes. If they are other data, confirm with --yes"
            )
            raise InputError(
                "The same places or values must not be released again at other times without a confirmation",
                value=f"those released on {same[-1]['when']}",
                remedy=remedy,
                kind=PLACES,
            )

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
            key = self._opened().key.secret
        moments = time.astype("datetime64[ns]").astype(np.int64).tolist()
        drawn = (int(keyed(key, f"dummy at {moment} of {subject}".encode()), 16) for moment in moments)
        return np.fromiter((value < below for value in drawn), bool, len(moments))

    def find(
        self, minutes: Iterable[int], subject: str, told: Mapping[str, Any], files: Mapping[str, str] | None = None
    ) -> Found:
        """The subject's release in exactly these minutes, and what it spent together with the others.

        Parameters
        ----------
        told : its guarantee. files : its files by name. Of several releases in these minutes, the one with most of these
        files is found, then one with this scheme, epsilon and sum, then the last. minutes : those in which something was
        measured. A release that compares also spends in others, of which only the digests are known.

        Raises
        ------
        InputError : no such release; otherwise as for `spend`.
        """
        wanted = sorted(minutes)
        opened, entries = self._existing()
        key, seen = opened.secret, digests(opened.secret, files or {})
        names = Minutes(dict.fromkeys(wanted, 1.0), frozenset()).written(key, subject)["minutes"]
        mine = [
            k
            for k, entry in enumerate(entries)
            if (spent := _measured(entry)) == names.keys() or ("comparison" in entry and spent >= names.keys())
        ]
        if not mine:
            remedy = "Name its ledger with --ledger, and the person whose data these are with --subject"
            raise InputError("The release must be in the ledger", value="another one", remedy=remedy)

        def alike(k: int) -> tuple[int, bool]:
            there = entries[k].get("files", {})
            return sum(there.get(name) == digest for name, digest in seen.items()), _is_told(told, entries[k])

        place = max(reversed(mine), key=alike)
        entry = entries[place]
        each = (Minutes({minute: 1.0}, frozenset()).written(key, subject)["minutes"] for minute in wanted)
        back = {name: minute for minute, names in zip(wanted, each, strict=True) for name in names}
        budgets = {
            back.get(name, name): (budget, bool(mark)) for name, (budget, *mark) in entry["minutes"].items() if budget
        }
        same = sum(other.get("data") == entry.get("data") for other in entries[: place + 1])
        now = add_up(key, subject, entries, Minutes({}, frozenset(), entry["radius_m"]))
        return Found(
            entry,
            budgets,
            sum(len(told) > 1 for told in entry["minutes"].values()),
            None if "files" not in entry else {name: entry["files"].get(name) == seen[name] for name in seen},
            add_entry(entry, entries[:place])._replace(of_these_data=same),
            now._replace(of_the_subject=now.of_the_subject - 1),
        )

    def left(self, subject: str, limit: float | None = None) -> Left:
        """What a subject's releases may still spend this week; limit : None: the last one given.

        Raises
        ------
        InputError : as for `spend`.
        """
        key, entries = self._existing()
        return left_of(key.secret, subject, entries, _checked(limit), datetime.now(UTC).date())

    def entries(self) -> list[Entry]:
        """All entries, the oldest first; verified as for `spend`."""
        return self._existing().entries

    @contextmanager
    def unfinished(self, folder: Path, names: Collection[str]) -> Iterator[None]:
        """Record that a folder contains these hidden files, until this ends; first remove those of killed releases."""
        with self._alone():
            for path in (self.path, self.key_path):
                beside(path).unlink(missing_ok=True)
            removed = remove_killed(self.path)
            record = Record(self.path, folder, names)
        if removed:
            self._notice(f"{counted(removed, 'hidden file')} of releases that were killed removed.")
        try:
            yield
        finally:
            record.close()

    def _existing(self) -> _Opened:
        """The verified ledger; an empty one, without a file, if there is none."""
        if not self.path.exists() and not self.key_path.exists():
            return _Opened(Key(b"", 0, ""), [])
        with self._alone():
            return self._opened()

    def _opened(self) -> _Opened:
        """The verified ledger; a new one if there is none."""
        found, key = self._parsed(), read_key(self.key_path, f"Put the right key back, {ELSEWHERE}")
        if key is None and (found is None or not found["entries"]):
            secret = secrets.token_bytes(KEY_BYTES)
            self._write(secret, [])
            return _Opened(counting(secret, []), [])
        if key is None:
            what, remedy = "The ledger must have its key next to it", f"Put {self.key_path.name} back, {ELSEWHERE}"
            raise InputError(what, value="none", remedy=remedy)
        if found is None:
            what, remedy = "The key must have its ledger next to it", f"Put {self.path.name} back, {ELSEWHERE}"
            raise InputError(what, value="none", remedy=remedy)
        entries = verified(found, key)
        if key.entries is None:
            self._notice(
                "The ledger’s key was last written by version 1.0 or before, which did not count the entries: whether one "
                "is missing at the end is not known. From the next release on it will be."
            )
        elif len(entries) > key.entries:
            self._notice(
                "The last release in the ledger was interrupted while it was being recorded: nobody has it, and it counts "
                "as spent."
            )
        return _Opened(key, entries)

    def _notice(self, sentence: str) -> None:
        if sentence not in self.notices:
            self.notices.append(sentence)

    def _parsed(self) -> dict[str, Any] | None:
        """The contents of the file, in the right shape; None if there is no file."""
        try:
            text = self.path.read_bytes()
        except FileNotFoundError:
            return None
        try:
            found = json.loads(text)
            known = found["format"] in (FORMAT, LINKED, UNLINKED) and isinstance(found["entries"], list)
            if not known or not all(map(is_entry, found["entries"])):
                raise ValueError
        except (ValueError, KeyError, TypeError, RecursionError):
            what, remedy = "The ledger must be a file made by this program", f"Put a copy of it back, {ELSEWHERE}"
            raise InputError(what, value=self.path.name, remedy=remedy) from None
        return found

    def _write(self, key: bytes, entries: list[Entry]) -> None:
        """The ledger first, then its key file: a kill in between leaves the ledger one entry ahead."""
        new = linked(key, entries)
        held = {"format": FORMAT, "key": check_value(key), "entries": new}
        content = json.dumps(held, indent=1).encode()
        write_together({self.path: content, self.key_path: counting(key, new).content()})

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


def _ask_limit(limit: float | None, earlier: float | None, confirmed: Collection[str]) -> None:
    """Ask before a limit is raised."""
    if limit is None or earlier is None or limit <= earlier or LIMIT in confirmed:
        return
    raise InputError(
        "The limit of a subject must not be raised without a confirmation",
        value=f"{limit:g} after {earlier:g}",
        remedy="Nothing was spent. Leave --limit out to keep the earlier one, or confirm the higher one with --yes",
        kind=LIMIT,
    )


def _check_minutes(together: Together, *, again: bool, limit: float | None, exact: bool) -> None:
    """Refuse minutes that were already released, unless `again`, and sums that exceed the limit.

    exact : whether the sums are known beforehand; if not, they are the most that can be spent.
    """
    if together.overlapping and not again:
        seen = f"{counted(together.overlapping, 'minute')} of the subject released before"
        remedy = "--again releases them once more, and everything adds up. Another person's data need another --subject"
        raise InputError("Each minute of a subject must be released only once", value=seen, remedy=remedy)
    if limit is not None and together.largest is not None and together.largest > limit:
        remedy = "Nothing was spent. Use a smaller epsilon, or release less"
        if not exact:
            remedy += (
                ". As this scheme decides as it goes, the most that it could spend counts: a refusal tells nothing of what "
                "it would have decided"
            )
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


def digests(key: bytes, files: Mapping[str, str]) -> dict[str, str]:
    """The keyed digests of files, by name."""
    return {name: keyed(key, f"file {name}\n{text}".encode()) for name, text in files.items()}
