"""The secret that lets sign-ins last: complete or not there, and one for servers that start at once."""

from __future__ import annotations

import errno
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from threading import Barrier

import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.serving import secret_file
from lmdk_widgets.hosts.serving.secret_file import kept_secret, lasting_secret

SERVERS = 8


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the secret is."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "lmdk" / "visitors.secret"


def at_once() -> set[bytes | None]:
    """The secrets of servers that start at the same time."""
    ready = Barrier(SERVERS)

    def start(_: int) -> bytes | None:
        ready.wait()
        return lasting_secret()

    with ThreadPoolExecutor(SERVERS) as pool:
        return set(pool.map(start, range(SERVERS)))


@pytest.mark.parametrize("content", [b"", b"x" * 31, b"x" * 33])
def test_a_secret_of_a_wrong_length_is_replaced(content: bytes, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    file.chmod(0o600)
    secret = lasting_secret()
    assert secret is not None and len(secret) == 32 and file.read_bytes() == secret == lasting_secret()
    assert file.stat().st_mode & 0o777 == 0o600 and capsys.readouterr().err == ""


def test_a_link_to_a_file_elsewhere_is_replaced(file: Path, tmp_path: Path) -> None:
    file.parent.mkdir()
    for target in (tmp_path / "gone", tmp_path / "there"):
        (tmp_path / "there").write_bytes(b"y" * 32)
        file.unlink(missing_ok=True)
        file.symlink_to(target)
        assert lasting_secret() == file.read_bytes() != b"y" * 32 and not file.is_symlink()
    assert (tmp_path / "there").read_bytes() == b"y" * 32


@pytest.mark.parametrize("call", ["fsync", "link"])
def test_a_full_disk_leaves_no_file_and_is_said(
    call: str, file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    with monkeypatch.context() as patch:
        patch.setattr(os, call, full)
        if call == "link":
            patch.setattr(os, "replace", full)
        assert lasting_secret() is None
        said = capsys.readouterr().err
        with pytest.raises(InputError, match="must be writable"):
            kept_secret(file.with_name("class"))
    assert list(file.parent.iterdir()) == []
    assert said == (
        "Note: after a restart visitors must sign in again, as the secret behind their cookies cannot be kept "
        f"({os.strerror(errno.ENOSPC)}).\n"
    )
    assert lasting_secret() == file.read_bytes() and capsys.readouterr().err == ""


def test_a_disk_without_hard_links_keeps_it_too(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(errno.EPERM, "no hard links")

    monkeypatch.setattr(os, "link", refused)
    secret = lasting_secret()
    assert secret is not None and secret == lasting_secret() and list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize("before", ["nothing", "a wrong length", "for others to read"])
def test_servers_that_start_at_once_have_one_secret(before: str, file: Path) -> None:
    for _ in range(25):
        file.parent.mkdir(exist_ok=True)
        file.unlink(missing_ok=True)
        if before != "nothing":
            file.write_bytes(b"x" * (32 if before == "for others to read" else 7))
            file.chmod(0o644 if before == "for others to read" else 0o600)
        assert at_once() == {file.read_bytes()} and list(file.parent.iterdir()) == [file]


def test_first_starts_agree_even_where_a_folder_cannot_be_locked(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secret_file, "_alone", lambda _: nullcontext())
    for _ in range(25):
        file.unlink(missing_ok=True)
        assert at_once() == {file.read_bytes()} and list(file.parent.iterdir()) == [file]
    file.unlink()
    real = os.link

    def late(name: str, beside: Path) -> None:
        beside.write_bytes(b"z" * 32)  # another server was first
        real(name, beside)

    monkeypatch.setattr(os, "link", late)
    assert kept_secret(file.with_name("visitors")) == b"z" * 32 and list(file.parent.iterdir()) == [file]
