"""Behind a proxy: another host, a sub-path, an encrypted connection; and the files of docs/deploy by their own parts."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets.cli import _parser
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
            "import json, sys; from lmdk_widgets.hosts.serving import launch; launch.explore(**json.loads(sys.argv[1]))"
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
    for needed in ("proxy_http_version 1.1", "Upgrade $http_upgrade", "proxy_buffering off", "ssl_certificate "):
        assert needed in text
    location = re.search(r"location (\S+) \{", text)
    assert location and read_public(f"https://class.example.org{location[1]}").base == location[1]
    assert re.search(r"proxy_pass http://127\.0\.0\.1:8866;", text), "without a path, so that ours is passed on"
