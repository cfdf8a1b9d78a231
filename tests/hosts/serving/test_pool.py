"""Which process a visitor's page is computed in."""

from __future__ import annotations

import asyncio

import pytest

from lmdk_widgets.hosts.serving import pool as pools
from lmdk_widgets.hosts.serving.pool import Pool, Worker


class Visitor:
    """A browser whose page is being opened, until it says otherwise."""

    arriving, waits, names = True, False, bytes(8)

    def told(self, content: bytes) -> None: ...

    def answered(self) -> None: ...

    def stated(self, opened: bool, arriving: bool, kept: int) -> None: ...

    def lost(self) -> None: ...


def _pool(ready: int, starting: int = 0) -> Pool:
    pool = Pool({}, ready + starting)
    for worker in pool._workers[:ready]:
        worker.ready.set()
    return pool


def _counts(pool: Pool) -> list[int]:
    return [len(worker.visitors) for worker in pool._workers]


async def _enter(pool: Pool, many: int) -> list[Visitor]:
    visitors = [Visitor() for _ in range(many)]
    for visitor in visitors:
        await pool.enter(visitor)
    return visitors


def test_visitors_go_where_there_are_fewest() -> None:
    async def run() -> None:
        pool = _pool(2)
        for visitor in await _enter(pool, 4):
            visitor.arriving = False
        assert _counts(pool) == [2, 2]
        pool._workers[0].visitors.popitem()
        pool._workers[0].visitors.popitem()
        await _enter(pool, 1)
        assert _counts(pool) == [1, 2]

    asyncio.run(run())


def test_all_processes_open_the_pages_of_many_who_arrive_at_once() -> None:
    """After the end of a process the new one has nobody: were its pages all opened there, one core would do all the work."""

    async def run() -> None:
        pool = _pool(2)
        pool._workers[1].visitors |= {1000 + k: _arrived() for k in range(10)}
        await _enter(pool, 10)
        assert _counts(pool) == [5, 15]
        assert [worker.arriving for worker in pool._workers] == [5, 5]

    asyncio.run(run())


def test_a_visitor_waits_a_moment_for_a_process_that_is_starting() -> None:
    async def run() -> None:
        pool = _pool(1, starting=1)
        entering = asyncio.create_task(pool.enter(Visitor()))
        await asyncio.sleep(0)
        assert not entering.done()
        pool._workers[0].visitors[7] = _arrived()
        pool._workers[1].ready.set()
        worker, _ = await entering
        assert worker is pool._workers[1]

    asyncio.run(run())


def test_a_visitor_does_not_wait_longer_than_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "MOMENT_S", 0.05)

    async def run() -> Worker:
        pool = _pool(1, starting=1)
        worker, _ = await asyncio.wait_for(pool.enter(Visitor()), 60)
        assert worker is pool._workers[0]
        return worker

    asyncio.run(run())


def _arrived() -> Visitor:
    visitor = Visitor()
    visitor.arriving = False
    return visitor
