"""Who comes into a room: the token and the cookie; which tokens there are, and where they stand."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets.cli import main
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving import launch
from lmdk_widgets.hosts.serving.visitors import without_token
from tests.browser import page
from tests.hosts.serving.visits import fetch
from tests.server import Address, serve, started

STRANGER = {"Cookie": ""}


@pytest.mark.slow
def test_the_printed_address_gives_a_cookie_and_leads_to_the_address_without_the_token(open_room: Address) -> None:
    answer = fetch(f"{open_room.opened}&page=place&epsilon=0.5&x=%20%3C", **STRANGER)
    assert answer.status == 302 and answer.headers["Location"] == "/?page=place&epsilon=0.5&x=%20%3C"
    given = answer.headers["Set-Cookie"]
    assert given.startswith(f"lmdk-{open_room.rstrip('/').rpartition(':')[2]}=")
    assert "HttpOnly" in given and "SameSite=Lax" in given and "Path=/" in given and "expires" not in given.lower()
    assert fetch(open_room.opened, **STRANGER).headers["Location"] == "/"


@pytest.mark.slow
@pytest.mark.parametrize("query", ["", "?epsilon=0.5&x=%3Cb%3E%22", "?token=wrong&epsilon=0.5&x=%3Cb%3E%22", "?token="])
def test_without_token_or_cookie_there_is_a_page_with_a_field(open_room: Address, query: str) -> None:
    answer = fetch(open_room + query, **STRANGER)
    assert answer.status == 403 and answer.headers["Content-Type"].startswith("text/html")
    assert 'name="token"' in answer.text and "<b>" not in answer.text
    assert ("not this server's token" in answer.text) is ("token=" in query)
    if "epsilon" in query:
        assert '<input type="hidden" name="epsilon" value="0.5">' in answer.text
        assert 'name="x" value="&lt;b&gt;&#34;"' in answer.text
    assert not answer.headers["Set-Cookie"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "cookie", ["lmdk-{port}=abc", "lmdk-{port}=2|1:0|10:1763800000|9:lmdk-8866|4:YQ==|00", "username=a"]
)
def test_a_cookie_of_ones_own_making_opens_nothing(open_room: Address, cookie: str) -> None:
    made = cookie.format(port=open_room.rstrip("/").rpartition(":")[2])
    assert fetch(open_room, Cookie=made).status == 403


@pytest.mark.nightly
@pytest.mark.slow
def test_no_token_lets_everybody_in_and_warns() -> None:
    command = [sys.executable, "-m", "lmdk_widgets.cli", "explore", "--no-browser", "--port", "0", "--no-token"]
    with started(command) as address:
        assert address.opened == address.page and "every user of this machine can open this page" in address.output()
        assert fetch(address.page).kernel


@pytest.mark.parametrize("token", ["two words", "ü", "a" * 200, "line\n"])
def test_a_token_that_cannot_stand_in_an_address_is_refused(token: str) -> None:
    with pytest.raises(InputError, match="Token must have at most 100 characters"):
        launch.chosen_token(token)


@pytest.mark.parametrize("token", ["x", "elevenchars"])
def test_a_token_that_can_be_guessed_is_refused(token: str) -> None:
    with pytest.raises(InputError, match=f"at least 12 characters.*; got {len(token)} characters") as refused:
        launch.chosen_token(token)
    assert token not in str(refused.value).partition("got")[2].partition(" ")[0]
    assert launch.chosen_token("twelve-signs") == "twelve-signs"


def test_the_token_is_the_option_the_environment_or_random(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LMDK_TOKEN", "from-outside")
    assert launch.chosen_token("mine-and-long") == "mine-and-long"
    monkeypatch.setenv("LMDK_TOKEN", "from-outside")
    assert launch.chosen_token(None) == "from-outside"
    first, second = launch.chosen_token(None), launch.chosen_token(None)
    assert first != second and re.fullmatch("[0-9a-f]{48}", first)
    assert launch.chosen_token("") == ""


def test_the_browser_is_told_a_private_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch.shutil, "which", lambda _: None)
    told = launch._opened(tmp_path, "http://127.0.0.1:8866/?token=a%2Bb")
    assert told == (tmp_path / "open.html").as_uri()
    assert "url=http://127.0.0.1:8866/?token=a%2Bb" in (tmp_path / "open.html").read_text()


@pytest.mark.parametrize(("given", "kept"), [("token=a", ""), ("a=1&t%6fken=b&c", "a=1&c"), ("a=token", "a=token")])
def test_the_rest_of_a_query_stays_as_it_was(given: str, kept: str) -> None:
    assert without_token(given) == kept


@pytest.mark.nightly
@pytest.mark.browser
def test_the_printed_address_opens_in_a_browser_and_two_servers_do_not_fight(
    widgets_notebook: Path, chromium: Any
) -> None:
    with serve(widgets_notebook) as first, serve(widgets_notebook) as second, page(chromium) as tab:
        for address in (first, second, first):
            tab.guard.host = ""
            tab.goto(address.opened, wait_until="commit")
            tab.get_by_text("ready 3", exact=True).wait_for(timeout=60_000)
            assert tab.url == address.page
        tab.get_by_role("slider").press("ArrowRight")
        tab.get_by_text("ready 4", exact=True).wait_for()
        tab.guard.forget()


@pytest.mark.each_case
@pytest.mark.browser
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (400, True)])
def test_the_page_of_the_token_takes_it(
    open_room: Address, chromium: Any, width: int, dark: bool, tmp_path: Path
) -> None:
    with page(chromium, width=width, dark=dark, check=False) as tab:
        tab.context.add_cookies([{"name": "lmdk-other", "value": "x", "url": str(open_room)}])
        tab.goto(f"{open_room}?epsilon=0.5&token=wrong")
        field = tab.get_by_label("Token")
        assert tab.get_by_role("alert").is_visible()
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        tab.screenshot(path=tmp_path / "token.png")
        field.fill(open_room.opened.partition("token=")[2])
        tab.get_by_role("button", name="Open").click()
        tab.locator(".lmdk-explorer[data-lmdk-ready]").wait_for(timeout=60_000)
        assert "epsilon=0.5" in tab.url and not tab.guard.errors


def test_an_empty_token_is_refused_with_what_one_must_have(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", "--no-browser", "--token", ""])
    said = capsys.readouterr().err
    assert "a token has at least 12 characters; --no-token disables it" in said and "one character" not in said
