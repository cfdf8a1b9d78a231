"""The secrets behind cookies that stay valid when a server restarts, each in a file that only its user can read."""

from __future__ import annotations

import os
import secrets
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from lmdk_widgets.errors import InputError

SECRET_BYTES = 32


def kept_secret(file: Path) -> bytes:
    """The random secret of a class: in a separate file that only its user can read, so that the answers can be shared.

    Raises
    ------
    InputError : it cannot be written or read, or is not a secret.
    """
    beside = file.with_name(f"{file.name}.secret")
    try:
        if not beside.exists():
            _make(beside)
        secret = beside.read_bytes()
    except OSError as error:
        raise InputError(
            "The secret file next to FILE must be writable", value=str(beside), remedy="Choose another FILE"
        ) from error
    if len(secret) != SECRET_BYTES:
        remedy = "Delete it: a new one is made, and phones join again"
        raise InputError(
            f"The secret file next to FILE must contain {SECRET_BYTES} bytes", value=str(beside), remedy=remedy
        )
    return secret


def lasting_secret() -> bytes | None:
    """The secret behind cookies that stay valid when the server restarts with the same token, in a file in the user's folder
    that nobody else can read. With another token, earlier cookies are no longer valid.

    A file that others can read, or that is not a secret, is replaced. Servers that start at once have the same secret. If
    there can be no such file, a sentence is printed, and the result is None.
    """
    try:
        import platformdirs

        folder = Path(platformdirs.user_data_dir("lmdk"))
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _alone(folder):
            file = folder / "visitors.secret"
            if os.path.lexists(file) and not _is_secret(file.lstat()):
                file.unlink()
            return kept_secret(folder / "visitors")
    except (ImportError, OSError, InputError) as error:
        found = error.__cause__ or error
        reason = os.strerror(found.errno) if isinstance(found, OSError) and found.errno else str(found)
        said = "Note: after a restart visitors must sign in again, as the secret behind their cookies cannot be kept"
        print(f"{said} ({reason}).", file=sys.stderr, flush=True)
        return None


def _is_secret(about: os.stat_result) -> bool:
    from lmdk_widgets.geoind.solved_store import is_private

    return is_private(about) and about.st_size == SECRET_BYTES


def _make(beside: Path) -> None:
    """Write a new secret: the file is complete or not there, and one that another server has made meanwhile stays."""
    number, name = tempfile.mkstemp(dir=beside.parent, prefix=f"{beside.name}.")
    try:
        with os.fdopen(number, "wb") as made:
            made.write(secrets.token_bytes(SECRET_BYTES))
            made.flush()
            os.fsync(made.fileno())
        try:
            os.link(name, beside)
        except FileExistsError:
            pass
        except OSError:  # a disk without hard links
            os.replace(name, beside)
    finally:
        Path(name).unlink(missing_ok=True)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other servers waiting that start at the same time, where the system can lock a folder."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some network disks cannot
            fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)
