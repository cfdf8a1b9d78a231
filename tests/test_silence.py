"""The library prints nothing, and logs under one name that is silent until a program listens."""

from __future__ import annotations

import ast
import logging
import subprocess
import sys
from pathlib import Path

import pytest

from lmdk_widgets.errors import LOG

PACKAGE = Path(__file__).parents[1] / "lmdk_widgets"

COMMANDS = {"cli", "hosts/serving", "secure/command.py"}
"""What runs for somebody at a terminal."""

MODULES = sorted(PACKAGE.rglob("*.py"))


def calls(path: Path, name: str) -> list[ast.Call]:
    """The calls in a file of a function with this name."""
    text = path.read_text("utf-8")
    nodes = ast.walk(ast.parse(text)) if f"{name}(" in text else ()
    return [node for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == name]


def test_only_commands_print() -> None:
    printing = {path.relative_to(PACKAGE).as_posix() for path in MODULES if calls(path, "print")}
    assert printing and not [path for path in printing if not any(path.startswith(each) for each in COMMANDS)]


def test_the_package_logs_under_one_name() -> None:
    own: set[str] = set()
    for path in MODULES:
        for call in calls(path, "getLogger"):
            own |= {ast.unparse(argument) for argument in call.args}
    others = {name for name in own if name.strip("'").partition(".")[0] in ("tornado", "Comm")}
    assert own - others == {"'lmdk_widgets'"} and LOG.name == "lmdk_widgets"


SAYS = """
import logging, lmdk_widgets
from lmdk_widgets.errors import LOG, log_to_stderr
LOG.error("not heard")
log_to_stderr()
log_to_stderr()
LOG.error("heard once")
"""


def test_it_is_silent_until_somebody_listens(caplog: pytest.LogCaptureFixture) -> None:
    done = subprocess.run([sys.executable, "-c", SAYS], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "heard once\n")
    assert any(isinstance(handler, logging.NullHandler) for handler in LOG.handlers)
    LOG.warning("heard")
    assert "heard" in caplog.text
