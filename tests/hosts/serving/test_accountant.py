"""Who may use how much of a room: by person, by time and for the whole machine, on a clock of the tests."""

from __future__ import annotations

import asyncio
import math
import types
from typing import Any

import pytest

from lmdk_widgets.hosts.serving import connections, sockets
from lmdk_widgets.hosts.serving.accountant import MOST_EACH, Accountant, Claim, Held, Rate
from lmdk_widgets.hosts.serving.frames import DROP, MESSAGE, unpacked
from lmdk_widgets.hosts.serving.pool import Pool, Worker
from lmdk_widgets.hosts.serving.settings import MESSAGE_LIMIT_BYTES, ONE_FILE_BYTES
from lmdk_widgets.hosts.serving.sockets import FULL, MANY, NOTHING, NOTHING_S, Room, Socket
from lmdk_widgets.hosts.serving.tokens import Guesses
from lmdk_widgets.page.messages import MAX_UPLOAD_BYTES
from tests.hosts.serving.rooms import frame

MB = 1 << 20


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Recorder(Worker):
    """A process that computes nothing, and keeps what it is told."""

    def __init__(self) -> None:
        super().__init__({})
        self.told: list[tuple[int, bytes]] = []
        self.ready.set()

    def say(self, what: int, number: int, content: bytes = b"") -> None:
        self.told.append((what, content))


class Tab(Socket):
    """A socket of the room without a network: what it sends and the code with which it is closed are kept."""

    def __init__(self, room: Room, person: str, address: str = "192.0.2.1") -> None:
        self.request: Any = types.SimpleNamespace(remote_ip=address)
        self._current_user = person
        self.settings_ = {"lmdk_room": room}
        self.sent: list[bytes] = []
        self.code = 0
        self.ws_connection = None
        self.initialize()

    @property
    def settings(self) -> Any:
        return self.settings_

    async def write_message(self, content: bytes, binary: bool = False) -> None:  # type: ignore[override]
        self.sent.append(content)

    def close(self, code: int | None = None, reason: str | None = None) -> None:
        self.code = code or 1000
        self.leave()


def room(pages: int = 3, processes: int = 1) -> tuple[Room, Clock, Recorder]:
    clock = Clock()
    made = Pool({}, processes)
    made._workers = [Recorder() for _ in range(processes)]
    return Room(made, Accountant(pages, 100, clock)), clock, made._workers[0]  # type: ignore[return-value]


async def opened(room: Room, person: str, address: str = "192.0.2.1", *, page: bool = True) -> Tab:
    tab = Tab(room, person, address)
    await tab.open()
    await asyncio.sleep(0)
    if page and not tab.code:
        tab.stated(True, False, 0)
        tab.claim.idle = False
    return tab


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_who_has_sent_a_share_waits_and_nobody_else() -> None:
    """Bytes, messages, empty ones among them, and frames that only ask whether the server is there: all by person."""

    async def scene() -> None:
        here, clock, _ = room()
        one, other = await opened(here, "a"), await opened(here, "b")
        waited: list[float] = []
        for tab in (one, other):
            tab._wait = lambda seconds: waited.append(seconds) or asyncio.sleep(0)  # type: ignore[method-assign, func-returns-value]
        accounts = here.accounts
        for _ in range(int(accounts.frames.at_once)):
            await one.paced(6)
        assert waited.pop() == 0
        await one.paced(6)
        assert waited.pop() == pytest.approx(1 / accounts.frames.per_second)
        another = await opened(here, "a")
        another._wait = one._wait  # type: ignore[method-assign]
        await another.paced(6)
        assert waited.pop() > 1 / accounts.frames.per_second, "another tab is the same person"
        await other.paced(6)
        assert waited.pop() == 0
        clock.now += 60
        for _ in range(int(accounts.frames.at_once / 3)):
            one.on_ping(b"")
            await one.paced(6)
        assert waited.pop() == 0
        one.on_pong(b"")
        await one.paced(6)
        assert waited.pop() == pytest.approx(3 / accounts.frames.per_second), "twenty of these a second"
        clock.now += 60
        for _ in range(3):
            await one.paced(8 * MB)
        assert waited[-2:] == [pytest.approx(8 * MB / accounts.bytes.per_second), 0]
        await other.paced(8 * MB)
        await other.paced(8 * MB)
        assert waited[-2:] == [0, pytest.approx(8 * MB / accounts.bytes_of_all.per_second)], "all together"
        await other.paced(6)
        assert waited.pop() == 0, "a slider waits for no file"

    asyncio.run(scene())


def test_120_people_behind_one_address_join_a_class_and_open_pages_within_a_minute() -> None:
    clock = Clock()
    accounts = Accountant(1000, 4096, clock)
    waits = []
    for person in range(120):
        clock.now += 0.5
        waits += [accounts.newcomers.take("school"), *(accounts.requests.take("school") for _ in range(5))]
        accounts.pages.claim(None, str(person), "school")
        accounts.phones.claim(None, f"phone {person}", "school")
        accounts.connections.claim(None, "", "school")
    assert max(waits) == 0
    for held in (accounts.pages, accounts.phones, accounts.connections):
        assert len(held) == 120 and not list(held.surplus(Claim(None, "")))


def test_wrong_tokens_from_an_address_make_the_right_one_wait_but_not_fail() -> None:
    clock = Clock()
    rate = Rate(at_once=20, per_second=2, clock=clock)
    guesses, slept = Guesses(rate), []

    async def turn(name: str, patience_s: float) -> bool:
        wait = rate.take(name, patience_s=patience_s)
        slept.append(wait)
        return wait <= patience_s

    rate.turn = turn  # type: ignore[method-assign]

    async def scene() -> None:
        for _ in range(25):
            await guesses.right("a wrong token", "the right token", "192.0.2.7")
        assert slept[19] == 0 and slept[24] == 2.5, "guessing has a speed"
        assert await guesses.right("the right token", "the right token", "192.0.2.7") is True
        assert slept[-1] == 3
        assert await guesses.right("the right token", "the right token", "192.0.2.7") is True
        assert slept[-1] == 3, "right ones do not count"
        for _ in range(20):
            last = await guesses.right("a wrong token", "the right token", "192.0.2.7")
        assert last is None, "those who would wait too long are told so"

    asyncio.run(scene())


def test_the_last_of_a_full_server_are_those_who_do_nothing_and_those_who_have_most() -> None:
    async def scene() -> None:
        here, clock, _ = room(pages=4)
        first = await opened(here, "honest")
        idle = []
        for _ in range(2):
            clock.now += 1
            idle.append(await opened(here, "greedy", "192.0.2.9", page=False))
        used = await opened(here, "greedy", "192.0.2.9")
        newcomer = await opened(here, "newcomer")
        assert idle[0].code == FULL and not newcomer.code, "the oldest socket without a page goes"
        second = await opened(here, "second")
        assert idle[1].code == FULL and not (first.code or used.code or second.code)
        more = await opened(here, "honest")
        assert not more.code and more.sent == [sockets.WAITING], "who has a page does not take another's only one"
        first.leave()
        await settled()
        assert more.sent[-1] == sockets.READY

    asyncio.run(scene())


def test_one_person_has_ten_pages_and_loses_one_before_another_has_none() -> None:
    async def scene() -> None:
        here, _, _ = room(pages=12)
        tabs = [await opened(here, "a") for _ in range(MOST_EACH)]
        assert (await opened(here, "a")).code == MANY
        others = [await opened(here, name) for name in "bcd"]
        assert [tab.code for tab in tabs].count(FULL) == 1 and not any(tab.code for tab in others)

    asyncio.run(scene())


def test_a_socket_in_which_no_page_is_opened_goes_and_one_that_waits_for_an_answer_stays() -> None:
    async def scene() -> None:
        here, clock, _ = room(pages=9)
        idle, asks, reads = [await opened(here, name, page=False) for name in "abc"]
        reads.stated(True, False, 0)
        reads.claim.idle = False
        clock.now += NOTHING_S - 1
        await asks.on_message(frame({"do": "open"}))
        here.look()
        assert not idle.code
        clock.now += 1
        here.look()
        assert idle.code == NOTHING and not (asks.code or reads.code)
        asks.answered()
        here.look()
        assert asks.code == NOTHING, "what it asked opened no page"

    asyncio.run(scene())


def test_by_address_only_the_order_of_those_who_wait_is_decided() -> None:
    async def scene() -> None:
        here, _, _ = room(pages=3)
        crowd = [await opened(here, f"crowd {k}", "192.0.2.9") for k in range(3)]
        waiting = [await opened(here, f"waits {k}", "192.0.2.9") for k in range(3)]
        lone = await opened(here, "lone", "192.0.2.77")
        assert all(tab.sent == [sockets.WAITING] for tab in (*waiting, lone)) and not any(tab.code for tab in crowd)
        crowd[0].leave()
        await settled()
        assert lone.sent[-1] == sockets.READY and waiting[0].sent == [sockets.WAITING]
        crowd[1].leave()
        await settled()
        assert waiting[0].sent[-1] == sockets.READY and waiting[1].sent == [sockets.WAITING]

    asyncio.run(scene())


def test_so_many_wait_and_the_last_in_turn_are_told_to_try_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "MOST_WAITING", 2)

    async def scene() -> None:
        here, _, _ = room(pages=1)
        await opened(here, "a")
        greedy = [await opened(here, f"g{k}", "192.0.2.9") for k in range(3)]
        lone = await opened(here, "lone", "192.0.2.77")
        assert [tab.code for tab in (*greedy, lone)] == [0, FULL, FULL, 0]

    asyncio.run(scene())


def piece(size: int, page: str = "track") -> bytes:
    return frame({"do": "message", "name": page, "text": '{"type": "upload"}'}, bytes(size - 4))


def drops(worker: Recorder) -> list[str]:
    return [unpacked(content)[0].decode() for what, content in worker.told if what == DROP]


def test_one_file_of_a_person_fits() -> None:
    assert ONE_FILE_BYTES == MAX_UPLOAD_BYTES + MESSAGE_LIMIT_BYTES


def test_unfinished_files_have_a_limit_by_person_and_for_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        here, _, worker = room(pages=9)
        files = here.accounts.unfinished
        files.each, files.whole = 14 * MB, 20 * MB
        one, two, other = await opened(here, "a"), await opened(here, "a"), await opened(here, "b")
        await one.on_message(piece(6 * MB))
        await two.on_message(piece(6 * MB))
        await two.on_message(piece(6 * MB))
        assert drops(worker) == [sockets.TOO_MANY] and len(files) == 12 * MB, "the message is not passed on"
        for tab in (one, two):  # the process keeps what has arrived
            tab.stated(True, True, 6 * MB)
            tab.answered()
        assert len(files) == 12 * MB
        await other.on_message(piece(6 * MB))
        await other.on_message(piece(1 * MB))
        assert len(drops(worker)) == 1
        await other.on_message(piece(3 * MB))
        assert drops(worker)[1:] == [sockets.IN_ALL], "a file of the person who has most gives way"
        assert [what for what, _ in worker.told].count(MESSAGE) == 5
        third = await opened(here, "c")
        await third.on_message(piece(MB))
        assert len(drops(worker)) == 2 and third.files.amount == MB

    asyncio.run(scene())


def test_a_file_that_does_not_arrive_in_two_minutes_is_dropped_and_one_that_waits_to_be_read_is_not() -> None:
    async def scene() -> None:
        here, clock, worker = room()
        slow, reading = await opened(here, "a"), await opened(here, "b")
        for tab, arriving in ((slow, True), (reading, False)):
            await tab.on_message(piece(MB))
            tab.stated(True, arriving, MB)
            tab.answered()
        clock.now += 119
        here.look()
        assert not drops(worker)
        clock.now += 1
        here.look()
        assert drops(worker) == [sockets.TOO_SLOW]

    asyncio.run(scene())


def test_what_waits_for_browsers_counts_empty_answers_too() -> None:
    async def scene() -> None:
        here, _, _ = room()
        deaf, calm = await opened(here, "a"), await opened(here, "b")
        never = asyncio.get_running_loop().create_future()
        deaf.write_message = lambda *_, **__: never  # type: ignore[method-assign]
        here.accounts.unread.each = 100 * sockets.OVERHEAD_BYTES
        for _ in range(101):
            await deaf.on_message(b"")
        assert deaf.claim not in here.accounts.pages.claims and calm.claim in here.accounts.pages.claims

    asyncio.run(scene())


class Connection:
    """An open connection that may be closed."""

    closed = False

    def close(self) -> None:
        self.closed = True


def test_connections_without_a_request_give_way_and_those_with_one_do_not() -> None:
    clock = Clock()
    held = Held(4, 4, clock=clock)
    made = []
    for k, idle in enumerate((False, True, True, False)):
        clock.now = float(k)
        made.append(held.claim(Connection(), "", "crowd", idle=idle))
    for expected in (1, 2):
        clock.now += 1
        asker = held.claim(Connection(), "", "school", idle=True)
        assert list(held.surplus(asker)) == [made[expected]], "the oldest"
        held.mark(asker, idle=False)
    last = held.claim(Connection(), "", "school", idle=True)
    assert list(held.surplus(last)) == [last]


def test_a_head_has_16_kb_and_10_seconds() -> None:
    assert connections.LONGEST_HEAD == 16 << 10 and connections.HEAD_S == 10
    assert connections.LONGEST_PATH < connections.LONGEST_HEAD


def test_nobody_is_let_in_while_memory_is_scarce_and_who_waits_comes_in_then() -> None:
    async def scene() -> None:
        here, _, _ = room()
        here.pool.scarce = True
        tab = await opened(here, "a")
        assert tab.sent == [sockets.WAITING]
        here.look()
        assert tab.sent == [sockets.WAITING]
        here.pool.scarce = False
        here.look()
        await settled()
        assert tab.sent[-1] == sockets.READY

    asyncio.run(scene())


def test_rates_never_owe_and_an_endless_wait_is_none() -> None:
    rate = Rate(1, 0)
    assert rate.take("a", -5) == 0 and rate.take("a") == 0 and rate.take("a", patience_s=9) == math.inf
