"""A class as programs see it: who may do what, what is kept, what is refused, and that a restart loses nothing."""

from __future__ import annotations

import json
import re
import sqlite3
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from lmdk_widgets.hosts.serving.accountant import Accountant
from tests.hosts.serving.classes import TOKEN, Client, Student, Teacher, class_server
from tests.hosts.serving.test_wire import raw
from tests.server import Address, commands, started, until

pytestmark = pytest.mark.slow

QUESTION = {"text": "Did you ever copy homework?"}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    with class_server(tmp_path_factory.mktemp("class") / "class.sqlite") as running:
        yield running


@pytest.fixture(scope="module")
def teacher(address: Address) -> Teacher:
    return Teacher(address)


def kept(file: Path) -> list[tuple]:
    """The answers in a file, read while no server has it open."""
    with sqlite3.connect(file) as opened:
        return opened.execute("SELECT round, answer FROM answers ORDER BY round, student").fetchall()


@pytest.mark.nightly
def test_the_addresses_are_printed(address: Address) -> None:
    lines = address.output().splitlines()
    assert lines[1] == f"Board at {address}board?token={TOKEN}" and lines[2] == f"Students join at {address}join"


@pytest.mark.parametrize("path", ["board", "board/stream", "board/code.svg", "board?token=wrong", "board?token="])
def test_the_board_needs_its_token(address: Address, path: str) -> None:
    for who in (Client(address), Student(address)):
        status, text = who.get(path)
        assert status == 403 and "data-join" not in text and "Traceback" not in text
    known = Client(address)
    known.cookies[f"lmdk-board-{urlsplit(address).port}"] = "0" * 64
    assert known.get(path)[0] == 403


def test_the_token_of_the_pages_opens_no_board_and_that_of_the_board_no_page(
    address: Address, teacher: Teacher
) -> None:
    token = address.opened.partition("token=")[2]
    assert Client(address).get(f"board?token={token}")[0] == 403
    assert Client(address).get(f"?token={TOKEN}")[0] == 403 and teacher.get("")[0] == 403
    assert Student(address).get("")[0] == 403, "a phone opens no page with a kernel"
    assert not address.kernels()


def test_only_the_teacher_acts(address: Address) -> None:
    student = Student(address)
    assert student.post("board/do", {"do": "put", "kind": "response", "settings": QUESTION})[0] == 403
    assert student.state()["question"] is None


def test_the_code_and_the_page_name_the_join_address(address: Address, teacher: Teacher) -> None:
    answer = teacher.request("GET", "board/code.svg")
    assert answer.headers["Content-Type"] == "image/svg+xml" and b"<svg" in answer.read()
    assert f'data-join="{address}join"' in teacher.get("board")[1]


@pytest.mark.parametrize("path", ["join", "board", "join/stream", "board/stream"])
def test_every_answer_has_the_headers(address: Address, teacher: Teacher, path: str) -> None:
    client = teacher if path.startswith("board") else Student(address)
    headers = client.request("GET", path).headers
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self';") and "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy and "http" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff" and headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"


def test_no_inline_script_or_style(address: Address, teacher: Teacher) -> None:
    for text in (Student(address).get("join")[1], teacher.get("board")[1]):
        assert "<style" not in text and "<script>" not in text and " style=" not in text and " onload" not in text


def test_a_student_is_a_random_cookie_that_no_script_reads(address: Address) -> None:
    answer = Client(address).request("GET", "join")
    (line,) = [one for one in answer.headers.get_all("Set-Cookie") if one.startswith("lmdk-class-")]
    assert "HttpOnly" in line and "SameSite=Lax" in line and re.match(r'[\w-]+="2\|1:0\|', line)
    student = Student(address)
    again = student.request("GET", "join")
    assert not [one for one in again.headers.get_all("Set-Cookie") or [] if one.startswith("lmdk-class-")]


def test_names_that_point_here_are_refused(address: Address) -> None:
    for path in ("join", "board", "join/stream"):
        assert Client(address).request("GET", path, Host="attacker.example").status == 403


def test_requests_of_other_pages_are_refused(address: Address, teacher: Teacher) -> None:
    teacher.put("response", QUESTION)
    student = Student(address)
    number = student.state()["question"]["round"]
    good = {"round": number, "answer": 0}
    assert student.post("join/answer", good, X_XSRFToken="")[0] == 403
    assert student.post("join/answer", good, X_XSRFToken="2|0|0|0")[0] == 403
    assert student.post("join/answer", good, Origin="http://attacker.example")[0] in {403, 404}
    assert teacher.post("board/do", {"do": "end", "round": number}, X_XSRFToken="")[0] == 403
    assert teacher.state()["answers"] == 0 and teacher.state()["status"] == "open"


def test_a_randomised_answer_stays_as_it_was_sent_first(address: Address, teacher: Teacher) -> None:
    teacher.put("response", QUESTION)
    student = Student(address)
    assert student.answer(1) == (200, {"answer": 1})
    assert student.answer(0) == (200, {"answer": 1}), "a second coin would spend epsilon again"
    assert teacher.state()["view"]["bars"][1]["sent"] == 1 and teacher.state()["answers"] == 1
    assert student.state()["mine"]["answer"] == 1
    teacher.put("response", QUESTION)
    assert not student.state()["mine"]["answered"], "put anew, it may be answered anew"
    assert any("time, with a new coin" in text for text in student.state()["question"]["asked"]["before"])
    assert student.answer(0) == (200, {"answer": 0})


def test_a_guess_is_changed_while_it_is_open_and_the_truth_is_told_at_the_end(
    address: Address, teacher: Teacher
) -> None:
    teacher.put("guess", {})
    student = Student(address)
    assert student.answer(3)[0] == 200 and student.answer(7)[0] == 200
    assert teacher.state()["answers"] == 1 and "truth" not in teacher.state()["view"]
    assert "truth" not in json.dumps(student.state()) and "released" in json.dumps(student.state())
    teacher.act("close")
    status, said = student.answer(8)
    assert status == 409 and said == {"sentence": "Answers are closed."}
    teacher.act("open")
    assert student.answer(9)[0] == 200
    teacher.act("show")
    assert student.answer(10)[0] == 409 and teacher.state()["view"]["guesses"] == [[9, 1]]
    assert "The true place was in" in student.state()["mine"]["told"]["words"]
    teacher.act("end")
    assert student.state()["question"] is None and student.post("join/answer", {"round": 1, "answer": 0})[0] == 409


HOSTILE: dict[str, Any] = {
    "nothing": b"",
    "no JSON": b"{",
    "a list": [],
    "a number": 7,
    "not a number": b'{"round": NaN, "answer": Infinity}',
    "bytes that are no UTF-8": b'{"round": "\xff"}',
    "deep": b"[" * 8_000 + b"]" * 8_000,
    "a huge number": b'{"round": 1, "answer": ' + b"9" * 6_000 + b"}",
    "too long": b'{"round": 1, "answer": "' + b"a" * 20_000 + b'"}',
    "another part": {"round": 1, "answer": 0, "more": 1},
}
ANSWERS = [None, True, -1, 2, 1.0, "0", "<img src=x onerror=window.__x=1>", [0], {"a": 1}, 10**30, "' OR 1=1 --"]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_requests_get_a_sentence(address: Address, teacher: Teacher, name: str) -> None:
    teacher.put("response", QUESTION)
    status, said = Student(address).post("join/answer", HOSTILE[name])
    assert status in {400, 409} and set(said) == {"sentence"}
    assert teacher.post("board/do", HOSTILE[name])[0] == 400
    assert teacher.state()["answers"] == 0


@pytest.mark.parametrize("given", ANSWERS, ids=str)
def test_hostile_answers_get_a_sentence(address: Address, teacher: Teacher, given: Any) -> None:
    if teacher.state()["round"] is None or teacher.state()["kind"] != "response":
        teacher.put("response", QUESTION)
    status, said = Student(address).answer(given)
    assert status == 400 and set(said) == {"sentence"} and "answer must be" in said["sentence"].lower()
    assert teacher.state()["answers"] == 0


def test_text_of_the_teacher_is_no_markup(address: Address, teacher: Teacher) -> None:
    teacher.put("response", {"text": "</script><b>x</b>", "answers": ["<i>1</i>", "2"]})
    assert "<b>x</b>" not in Student(address).get("join")[1] and "<b>x</b>" not in teacher.get("board")[1]


def test_a_huge_body_is_not_read(address: Address) -> None:
    host = urlsplit(address).netloc.encode()
    head = b"POST /join/answer HTTP/1.1\r\nHost: " + host + b"\r\nContent-Length: 100000000\r\n\r\n"
    assert not raw(address, head + b"x" * 10_000).startswith(b"HTTP/1.1 200")
    assert Client(address).get("join")[0] == 200


def test_without_a_cookie_of_ours_no_answer_counts(address: Address, teacher: Teacher) -> None:
    teacher.put("response", QUESTION)
    student = Student(address)
    number = student.state()["question"]["round"]
    (name,) = [one for one in student.cookies if one.startswith("lmdk-class-")]
    own = student.cookies[name]
    for bad in ("", "x", "a" * 32, "../" * 10, own[:-3] + "xy" + own[-1], own.replace("2|", "1|", 1)):
        student.cookies[name] = bad
        assert student.post("join/answer", {"round": number, "answer": 0})[0] == 409
        assert student.get("join/stream")[0] == 403
    assert teacher.state()["answers"] == 0


def test_a_flood_of_one_phone_is_refused_and_harms_nobody(tmp_path: Path) -> None:
    with class_server(tmp_path / "class.sqlite") as address:
        teacher, bad, good = Teacher(address), Student(address), [Student(address) for _ in range(30)]
        teacher.put("guess", {})
        number = teacher.state()["round"]

        def flood(_: int) -> int:
            return bad.post("join/answer", {"round": number, "answer": 1})[0]

        before = time.monotonic()
        with ThreadPoolExecutor(16) as pool:
            floods = [pool.submit(flood, k) for k in range(1_000)]
            slowest = 0.0
            for student in good:
                began = time.monotonic()
                assert student.answer(2, number)[0] == 200
                slowest = max(slowest, time.monotonic() - began)
            answers = [one.result() for one in floods]
        most = 25 + Accountant(1, 1).answers.per_second * (time.monotonic() - before)
        assert answers.count(200) <= most and set(answers) <= {200, 409, 429}
        assert teacher.state()["answers"] == 31


@pytest.mark.nightly
def test_a_flood_of_one_address_waits_in_turn_and_keeps_no_phone_out(tmp_path: Path) -> None:
    with class_server(tmp_path / "class.sqlite", tenth=True) as address:
        teacher, student = Teacher(address), Student(address)
        teacher.put("guess", {})
        stream = student.request("GET", "join/stream")  # this phone is in the class, behind the same address
        with ThreadPoolExecutor(16) as pool:
            floods = [pool.submit(lambda: Client(address).get("join")[0]) for _ in range(300)]
            floods[200].result()  # what the address may send at once is used up
            assert student.answer(5, 1) == (200, {"answer": 5}), "in the midst of the flood"
            assert Client(address).get("join")[0] == 200, "and a new phone behind the same address has its turn"
            assert {flood.result() for flood in floods} == {200}
        stream.close()
        assert "Traceback" not in address.output()


@pytest.mark.nightly
def test_a_class_behind_one_address_answers_one_activity_after_the_other(tmp_path: Path) -> None:
    with class_server(tmp_path / "class.sqlite") as address:
        teacher, students = Teacher(address), [Student(address) for _ in range(150)]
        for _ in range(4):  # 600 answers, more than one address may have new students
            teacher.put("response", QUESTION)
            number = teacher.state()["round"]
            with ThreadPoolExecutor(8) as pool:
                assert {status for status, _ in pool.map(lambda s: s.answer(1, number), students)} == {200}  # noqa: B023
        assert teacher.state()["answers"] == 150


def test_streams_that_stay_open_are_counted(address: Address, teacher: Teacher) -> None:
    student = Student(address)
    open_ones = [student.request("GET", "join/stream") for _ in range(7)]
    assert [one.status for one in open_ones] == [200] * 6 + [429]
    phones = teacher.state()["phones"]
    for one in open_ones:
        one.close()
    until(lambda: (now := teacher.state()["phones"], now < phones), "the phone to be gone", 5)
    assert student.state()["question"] == Student(address).state()["question"]


@pytest.mark.nightly
def test_a_restart_in_the_middle_loses_nothing(tmp_path: Path) -> None:
    file = tmp_path / "class.sqlite"
    with class_server(file) as address:
        port = urlsplit(address).port
        teacher, students = Teacher(address), [Student(address) for _ in range(5)]
        teacher.put("response", QUESTION)
        for k, student in enumerate(students):
            assert student.answer(k % 2)[0] == 200
        before = teacher.state()
        address.process.kill()  # no time to write anything more
        address.process.wait(20)
    with class_server(file, port=port) as address:
        after = teacher.state()
        assert after["view"] == before["view"] and after["answers"] == 5 and after["round"] == before["round"]
        assert students[1].state()["mine"]["answer"] == 1
        assert students[1].answer(0) == (200, {"answer": 1})
        assert Student(address).answer(1)[0] == 200 and teacher.state()["answers"] == 6
        teacher.put("response", QUESTION)
        assert any("the 2nd time" in text for text in students[0].state()["question"]["asked"]["before"])
    assert [answer for _, answer in kept(file)].count("1") == 3


@pytest.mark.nightly
def test_nothing_but_digests_and_answers_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "class.sqlite"
    with class_server(file) as address:
        teacher, student = Teacher(address), Student(address)
        teacher.put("response", QUESTION)
        student.answer(1)
        cookies = list(student.cookies.values())
    content = b"".join(path.read_bytes() for path in tmp_path.glob("class.sqlite*"))
    assert b"127.0.0.1" not in content and not any(cookie.encode() in content for cookie in cookies)
    assert TOKEN.encode() not in content and file.stat().st_mode & 0o077 == 0
    with sqlite3.connect(file) as opened:
        names = {row[0] for row in opened.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
    assert not any(word in " ".join(names).lower() for word in ("time", "date", "address", "name"))


REFUSED = [
    (["tests"], "FILE must be the file of a class; got"),
    (["README.md"], "FILE must be the file of a class; got"),
    (["{new}", "--join", "somewhere"], "--join must be an address; got somewhere"),
    (["{new}", "--join", "javascript:alert(1)"], "--join must be an address"),
    (["{new}", "--board-token", "two words"], "Token must have at most 100 characters"),
    (["{new}", "--port", "abc"], "a port is a number"),
]


def test_what_cannot_be_used_gets_a_sentence_and_code_2(tmp_path: Path) -> None:
    new, usual = str(tmp_path / "class.sqlite"), ["class", "--no-browser", "--host", "127.0.0.1", "--port", "0"]
    found = commands([*usual, *(one.replace("{new}", new) for one in arguments)] for arguments, _ in REFUSED)
    for done, (arguments, sentence) in zip(found, REFUSED, strict=True):
        assert done.returncode == 2 and sentence in done.stderr.replace("\n", " "), (arguments, done.stderr)
        assert "Traceback" not in done.stderr and done.stdout == "", arguments


@pytest.mark.nightly
def test_another_address_for_phones_and_the_whole_network(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "lmdk_widgets.cli", "class", str(tmp_path / "c"), "--no-browser", "--port", "0"]
    with started([*command, "--join", "https://class.example.org/lmdk"]) as address:
        lines = address.output().splitlines()
        assert lines[2] == "Students join at https://class.example.org/lmdk/join"
        assert lines[1].startswith("Board at https://class.example.org/lmdk/board?token=")
        until(lambda: (address.output(), "everyone on your network" in address.output()), "the warning")
    with started(command) as address:
        join = address.output().splitlines()[2]
        assert re.fullmatch(r"Students join at http://[\w.:-]+:\d+/join", join) and "0.0.0.0" not in join
        host = urlsplit(join.removeprefix("Students join at ")).hostname
        assert Student(address.replace(urlsplit(address).hostname, host)).state()["question"] is None
