"""The file of a class: its activities and every answer, in SQLite.

An answer is in the file, and the file on disk, before its phone is told that it arrived: a server or machine that
stops loses none. Answers that arrive together are written together, by one thread, so three hundred wait no longer
than a few. A student is the digest of a random cookie; no name, address or time is written.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from lmdk_widgets.errors import InputError

APPLICATION, VERSION = 0x6C6D646B, 1
"""What identifies one of our files: "lmdk" in SQLite's header, and the version of the tables."""

TABLES = (
    "CREATE TABLE class (id TEXT NOT NULL)",
    "CREATE TABLE rounds (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, settings TEXT NOT NULL, status TEXT NOT NULL)",
    "CREATE TABLE answers (round INTEGER NOT NULL, student TEXT NOT NULL, answer TEXT NOT NULL, "
    "PRIMARY KEY (round, student)) WITHOUT ROWID",
)

ADDED = "CREATE TABLE IF NOT EXISTS run (state TEXT NOT NULL)"
"""Where the class is in a plan; older files have no such table."""

SETTINGS = (
    "locking_mode = EXCLUSIVE",
    "journal_mode = WAL",
    "synchronous = FULL",  # on the disk, not only handed to the system
    "wal_autocheckpoint = 20000",  # merging the log into the file takes a second, during which a class would wait
)

ADD_ROUND = "INSERT INTO rounds VALUES (?, ?, ?, ?)"
SET_STATUS = "UPDATE rounds SET status = ? WHERE id = ?"
KEEP_RUN = "INSERT OR REPLACE INTO run (rowid, state) VALUES (1, ?)"
PUT_ANSWER = "INSERT INTO answers VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET answer = excluded.answer"


CODE = 8
"""How many letters of a student's digest tell the phones of a class apart."""


def code_of(student: str) -> str:
    """The code that a phone shows, by which its student can be found in the marks."""
    return student[:CODE]


class Kept(NamedTuple):
    """An activity of the class as it is in the file, with its answers by student in the order of the file."""

    number: int
    kind: str
    settings: dict[str, Any]
    status: str
    answers: dict[str, Any]


class Store:
    """The file of a class, open for one server.

    Raises
    ------
    InputError : there is no such folder, or the file is not a class's, is open in another server, or cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._thread = ThreadPoolExecutor(1, "lmdk-class")
        self._waiting: list[tuple[str, Sequence[Any], asyncio.Future[None]]] = []
        self._writing: asyncio.Task[None] | None = None
        try:
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            self._file = sqlite3.connect(path, timeout=1.0, isolation_level=None, check_same_thread=False)
            self._prepare()
        except (OSError, sqlite3.Error) as error:
            self._thread.shutdown()
            held = isinstance(error, sqlite3.OperationalError) and "locked" in str(error)
            what = "FILE must be a class that no other server has open" if held else "FILE must be the file of a class"
            remedy = "Stop the other server, or choose another file" if held else "Choose another name for a new file"
            raise InputError(what, value=str(path), remedy=remedy) from error

    def _prepare(self) -> None:
        (application,) = self._file.execute("PRAGMA application_id").fetchone()
        (version,) = self._file.execute("PRAGMA user_version").fetchone()
        ours = (application, version) == (APPLICATION, VERSION)
        if not ours and (application or version or self._file.execute("SELECT 1 FROM sqlite_master").fetchone()):
            raise sqlite3.DatabaseError("not the file of a class")
        for setting in SETTINGS:
            self._file.execute(f"PRAGMA {setting}")
        self._file.execute("BEGIN IMMEDIATE")  # takes the lock now, not at the first answer
        if not ours:
            for statement in TABLES:
                self._file.execute(statement)
            self._file.execute("INSERT INTO class VALUES (?)", (secrets.token_hex(8),))
            self._file.execute(f"PRAGMA application_id = {APPLICATION}")
            self._file.execute(f"PRAGMA user_version = {VERSION}")
        self._file.execute(ADDED)
        self._file.execute("COMMIT")

    @property
    def name(self) -> str:
        """The class's random name, by which phones distinguish it from other classes."""
        return str(self._file.execute("SELECT id FROM class").fetchone()[0])

    def read(self) -> list[Kept]:
        """All activities in the file, in the order in which they were started."""
        answers: dict[int, dict[str, Any]] = {}
        for number, student, answer in self._file.execute("SELECT round, student, answer FROM answers"):
            answers.setdefault(number, {})[student] = json.loads(answer)
        rounds = self._file.execute("SELECT id, kind, settings, status FROM rounds ORDER BY id")
        return [Kept(n, kind, json.loads(text), status, answers.get(n, {})) for n, kind, text, status in rounds]

    def run(self) -> Any:
        """Where the class is in a plan, as it was stored; None if it never followed one."""
        found = self._file.execute("SELECT state FROM run").fetchone()
        return json.loads(found[0]) if found else None

    async def read_round(self, number: int) -> Kept | None:
        """The activity with this number, with its answers."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._round, number)

    def _round(self, number: int) -> Kept | None:
        found = self._file.execute("SELECT kind, settings, status FROM rounds WHERE id = ?", (number,)).fetchone()
        if found is None:
            return None
        kind, settings, status = found
        answers = self._file.execute("SELECT student, answer FROM answers WHERE round = ? ORDER BY student", (number,))
        return Kept(number, kind, json.loads(settings), status, {one: json.loads(text) for one, text in answers})

    async def keep_run(self, state: Any) -> None:
        """Store where the class is in a plan."""
        await self._write(KEEP_RUN, (json.dumps(state),))

    async def add_round(self, number: int, kind: str, settings: Any, status: str) -> None:
        """Store a new activity."""
        await self._write(ADD_ROUND, (number, kind, json.dumps(settings), status))

    async def set_status(self, number: int, status: str) -> None:
        """Store that an activity was closed, opened again, shown or ended."""
        await self._write(SET_STATUS, (status, number))

    async def put_answer(self, number: int, student: str, answer: Any) -> None:
        """Store a student's answer, replacing an earlier one."""
        await self._write(PUT_ANSWER, (number, student, json.dumps(answer)))

    async def _write(self, statement: str, values: Sequence[Any]) -> None:
        """Return when it is on disk.

        Raises
        ------
        OSError : it could not be written, for instance because the disk is full.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((statement, values, done))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_all())
        await done

    async def _write_all(self) -> None:
        """Write whatever is waiting, and what arrives meanwhile, until nothing is left."""
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                error = await asyncio.get_running_loop().run_in_executor(self._thread, self._commit, batch)
                for *_, done in batch:
                    if done.done():  # nobody waits for it any more
                        continue
                    if error is None:
                        done.set_result(None)
                    else:
                        done.set_exception(OSError(str(error)))
        finally:
            self._writing = None

    def _commit(self, batch: Sequence[tuple[str, Sequence[Any], Any]]) -> Exception | None:
        try:
            self._file.execute("BEGIN IMMEDIATE")
            for statement, values, _ in batch:
                self._file.execute(statement, values)
            self._file.execute("COMMIT")
        except sqlite3.Error as error:
            if self._file.in_transaction:
                self._file.execute("ROLLBACK")
            return error
        return None

    def close(self) -> None:
        """Finish writing, and close the file."""
        self._thread.submit(self._file.close).result(10)
        self._thread.shutdown()
