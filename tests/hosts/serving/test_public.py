"""Behind a proxy: another host, a sub-path, an encrypted connection; and the files of docs/deploy by their own parts."""

from __future__ import annotations

import http.client
import json
import re
import shutil
import ssl
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets.cli import _host, _parser, main
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving.public import read_public
from tests.browser import page
from tests.hosts.serving.proxy import BLOCK, nginx_proxy, tls_proxy
from tests.hosts.serving.visits import fetch
from tests.server import ROOT, started

DEPLOY = ROOT / "docs" / "deploy"


@pytest.mark.parametrize(
    ("text", "address", "base", "secure"),
    [
        ("https://class.example.org/privacy", "https://class.example.org/privacy/", "/privacy/", True),
        ("https://class.example.org/a/b-1/", "https://class.example.org/a/b-1/", "/a/b-1/", True),
        ("http://192.168.1.5:8080", "http://192.168.1.5:8080/", "/", False),
        ("http://[::1]:80/", "http://[::1]:80/", "/", False),
    ],
)
def test_the_parts_of_a_public_address(text: str, address: str, base: str, secure: bool) -> None:
    found = read_public(text)
    assert (found.address, found.base, found.secure) == (address, base, secure)
    assert found.host in text and "/" not in found.host


@pytest.mark.parametrize(
    "text", ["", "class.example.org", "ftp://a/", "https://a/?b", "https://a/<b>", "https://a//b", "https://"]
)
def test_what_is_no_address_gets_a_sentence(text: str) -> None:
    with pytest.raises(InputError, match="--public must be an address"):
        read_public(text)


@pytest.mark.parametrize(
    ("command", "host"),
    [
        ("serve", "0.0.0.0"),
        ("class --public https://class.example.org/privacy/", "127.0.0.1"),
        ("serve --public https://class.example.org/privacy/", "127.0.0.1"),
        ("serve --public https://class.example.org/privacy/ --host 10.0.0.4", "10.0.0.4"),
    ],
)
def test_behind_a_proxy_a_room_listens_on_this_machine_unless_told_otherwise(command: str, host: str) -> None:
    assert _host(_parser().parse_args(command.split())) == host


def test_the_proxies_that_are_named() -> None:
    usual, named = (read_public("https://a.example", given) for given in ((), ("10.88.0.0/16", "2001:db8::1")))
    here, there = ("127.0.0.1", "::1", "::ffff:127.0.0.1"), ("10.88.3.4", "2001:db8::1")
    others = ("127.0.0.9", "10.89.0.1", "2001:db8::2", "", "a socket in a file")
    assert [usual.is_proxy(each) for each in (*here, *there, *others)] == [True] * 3 + [False] * 7
    assert [named.is_proxy(each) for each in (*here, *there, *others)] == [False] * 3 + [True] * 2 + [False] * 5


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("--proxy 10.88.0.1", "--proxy must come with --public; got 10.88.0.1"),
        ("--public https://a.example --proxy nginx", "--proxy must be an IP address or a network; got nginx"),
        ("--public https://a.example --proxy 10.88.0.1/16", "--proxy must be an IP address or a network; got 10.88"),
    ],
)
def test_a_proxy_that_is_none_gets_a_sentence(options: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", *options.split()]) == 2
    assert sentence in capsys.readouterr().err


TOKEN = "token-of-the-test"


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a class that stands behind a proxy on this machine."""
    file = str(tmp_path_factory.mktemp("public") / "class.sqlite")
    command = [sys.executable, "-m", "lmdk_widgets.cli", "class", file, "--no-browser", "--port", "0", "--token", TOKEN]
    with started([*command, "--public", "https://class.example.org/privacy/"]) as server:
        yield server.port


def tried(port: int, token: str, source: str, tls: bool = False, **said: str) -> int:
    """The status that a token gets in a request from an address, with more headers; names with _ for -."""
    told = {name.replace("_", "-"): text for name, text in said.items()}
    given = {"timeout": 60, "source_address": (source, 0)}
    if tls:  # nobody trusts the certificate of the test
        opened: http.client.HTTPConnection = http.client.HTTPSConnection(
            "127.0.0.1", port, context=ssl._create_unverified_context(), **given
        )
    else:
        opened = http.client.HTTPConnection("127.0.0.1", port, **given)
    opened.request("GET", f"/privacy/?token={token}", headers={"Host": "class.example.org", **told})
    status = opened.getresponse().status
    opened.close()
    return status


def guessed(port: int, source: str, tls: bool = False, **said: str) -> list[int]:
    """What sixty wrong tokens at the same time get from an address; {k} in a header is the number of the token."""

    def one(k: int) -> int:
        told = {name: text.format(k=k) for name, text in said.items()}
        return tried(port, f"wrong-token-{k:04}", source, tls, **told)

    with ThreadPoolExecutor(60) as pool:
        return list(pool.map(one, range(60)))


INVENTED = "10.9.{k}.{k}"


def invented(k: int) -> str:
    return f"10.9.{k}.{k}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "client", "header"),
    [
        ("127.0.0.1", "203.0.113.1", "X_Real_Ip"),  # the proxy sets one header, and passes on what stands in the other
        ("127.0.0.1", "203.0.113.2", "X_Forwarded_For"),
        ("127.0.0.8", "", "X_Real_Ip"),  # whoever passes the proxy by
        ("127.0.0.9", "", "X_Forwarded_For"),
    ],
)
def test_nobody_chooses_the_address_that_wrong_tokens_count_for(
    room: int, source: str, client: str, header: str
) -> None:
    (other,) = {"X_Real_Ip", "X_Forwarded_For"} - {header}
    proxy = {other: client} if client else {}
    found = guessed(room, source, **proxy, **{header: INVENTED})
    assert found.count(429) >= 10, "they are compared in turn, as of one address, and most would wait too long"
    for k in range(2):
        own = {"X_Real_Ip": invented(k), "X_Forwarded_For": invented(k)}
        assert tried(room, TOKEN, "127.0.0.1", **own) == 302, "another's address is not used up"


@pytest.mark.slow
def test_each_visitor_of_a_proxy_has_limits_of_their_own(room: int) -> None:
    one, two = ({"X_Real_Ip": said, "X_Forwarded_For": said} for said in ("203.0.113.7", "203.0.113.8"))
    with ThreadPoolExecutor(1) as pool:
        flood = pool.submit(guessed, room, "127.0.0.1", **one)
        assert tried(room, TOKEN, "127.0.0.1", **two) == 302
        assert flood.result().count(429) >= 10
    assert tried(room, TOKEN, "127.0.0.1", **one) == 302, "the right one has its turn then"


@pytest.mark.nightly
@pytest.mark.slow
def test_behind_nginx_limits_count_for_the_address_that_nginx_sees(room: int, tmp_path: Path) -> None:
    with nginx_proxy(tmp_path, "class.example.org") as (port, carry):
        carry(room)
        found = guessed(port, "127.0.0.21", tls=True, X_Real_Ip=INVENTED, X_Forwarded_For=INVENTED)
        assert found.count(429) >= 10
        assert tried(port, TOKEN, "127.0.0.22", tls=True) == 302
        assert tried(port, TOKEN, "127.0.0.22", tls=True, X_Real_Ip="127.0.0.21") == 302


@pytest.mark.nightly
@pytest.mark.each_case
@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("proxy", [tls_proxy, nginx_proxy])
def test_pages_and_a_class_behind_a_proxy_with_a_path_of_its_own(chromium: Any, tmp_path: Path, proxy: Any) -> None:
    with proxy(tmp_path) as (port, carry):
        public = f"https://localhost:{port}/privacy/"
        arguments = {
            "token": "token-of-the-test",
            "public": public,
            "port": 0,
            "browser": False,
            "people": 1,
            "classroom": {"file": str(tmp_path / "c")},
        }
        program = (
            "import json, sys; from lmdk_widgets.hosts.serving import launch; launch.serve(**json.loads(sys.argv[1]))"
        )
        with started([sys.executable, "-c", program, json.dumps(arguments)]) as server:
            assert (
                server.opened == f"{public}?token=token-of-the-test"
                and f"Students join at {public}join" in server.output()
            )
            carry(server.port)
            with page(chromium, ignore_https_errors=True) as view:
                view.goto(server.opened)
                view.wait_for_selector(".lmdk-explorer[data-lmdk-ready]", timeout=60_000)
                said = view.inner_text("[data-lmdk=numbers]")
                view.get_by_label("Scheme", exact=True).select_option("user")
                changed = "(said) => document.querySelector('[data-lmdk=numbers]').innerText !== said"
                view.wait_for_function(changed, arg=said)
                (cookie,) = [each for each in view.context.cookies() if each["name"].startswith("lmdk-")]
                assert cookie["secure"] and cookie["httpOnly"] and cookie["path"] == "/privacy/"
                with page(chromium, ignore_https_errors=True, width=390, check=False) as second:
                    second.goto(server.opened)
                    second.get_by_text("The server has no room for another page just now").wait_for()
                    second.goto(f"{public}join")
                    second.get_by_text("You are in.").wait_for()
            own = f"http://127.0.0.1:{server.port}/privacy/"
            assert fetch(own, Host="evil.example.org", Cookie="").status == 403, "a name that is not ours"
            assert fetch(f"{own}join", Host="localhost", Cookie="").status == 200


def test_the_unit_is_one_and_starts_what_there_is(tmp_path: Path) -> None:
    text = (DEPLOY / "lmdk.service").read_text("utf-8")
    command = re.search(r"^ExecStart=\S+/lmdk (.*)$", text, re.M)
    assert command is not None
    options = _parser().parse_args(command[1].split())
    assert options.host == "127.0.0.1" and read_public(options.public).secure
    if (verify := shutil.which("systemd-analyze")) is None:
        pytest.skip("no systemd on this machine to check the unit with")
    (tmp_path / "lmdk.service").write_text(text.replace("/opt/lmdk/bin/lmdk", sys.executable), "utf-8")
    done = subprocess.run([verify, "verify", str(tmp_path / "lmdk.service")], capture_output=True, text=True)
    assert "lmdk.service" not in done.stderr, done.stderr


def test_the_container_copies_and_starts_what_there_is() -> None:
    text = (DEPLOY / "Containerfile").read_text("utf-8")
    for module in re.findall(r"python -m ([\w.]+)", text):
        assert (ROOT / (module.replace(".", "/") + ".py")).is_file() or module == "venv", module
    program, *arguments = json.loads(re.search(r"^CMD (\[.*\])$", text, re.M)[1])
    options = _parser().parse_args(arguments)
    assert program == "/opt/lmdk/bin/lmdk" and not options.browser
    assert f"EXPOSE {options.port}" in text
    assert all(
        name in ("FROM", "COPY", "RUN", "USER", "WORKDIR", "EXPOSE", "STOPSIGNAL", "CMD")
        for name in re.findall(r"^([A-Z]+) ", text, re.M)
    )


def test_the_server_block_says_what_pages_need() -> None:
    text = BLOCK.read_text("utf-8")
    for needed in (
        "proxy_http_version 1.1",
        "X-Real-IP $remote_addr;",
        "X-Forwarded-For $remote_addr;",
        "Upgrade $http_upgrade",
        "proxy_buffering off",
        "ssl_certificate ",
    ):
        assert needed in text
    location = re.search(r"location (\S+) \{", text)
    assert location and read_public(f"https://class.example.org{location[1]}").base == location[1]
    assert re.search(r"proxy_pass http://127\.0\.0\.1:8866;", text), "without a path, so that ours is passed on"
