"""The console command `lmdk`: `lmdk explore my.gpx` opens the pages with a track, `lmdk lesson places` a lesson."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from lmdk_widgets import __version__
from lmdk_widgets.errors import InputError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code: 0 done, 2 for an argument that cannot be used."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except InputError as error:
        print(f"lmdk: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        pass
    return 0


def _explore(options: argparse.Namespace) -> None:
    from lmdk_widgets.serving.launch import explore

    explore(options.file, host=options.host, timezone=options.timezone, **_serving(options))


def _lesson(options: argparse.Namespace) -> None:
    from lmdk_widgets.serving.launch import LESSONS, explore, lesson_notebook

    if options.list:
        print(*(f"{name}   {title}" for name, title in LESSONS.items()), sep="\n")
        return
    notebook = lesson_notebook(options.name or next(iter(LESSONS)))
    explore(notebook=notebook, name="Lesson", **_serving(options))


def _serving(options: argparse.Namespace) -> dict[str, Any]:
    return {"port": options.port, "browser": options.browser, "token": options.token}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="lmdk", description="See how private tracks, places and series are: pages and lessons."
    )
    parser.add_argument("--version", action="version", version=f"lmdk {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    explore = commands.add_parser(
        "explore",
        help="open the pages Landmarks, Places and Quilts in the browser",
        description="Opens the pages Landmarks (privacy of a track), Places (optimal geo-indistinguishability) and Quilts "
        "(Pufferfish privacy of a series). Everything runs on this machine; nothing is sent elsewhere.",
    )
    explore.add_argument(
        "file", nargs="?", metavar="FILE", help="a track of your own for Landmarks, such as my.gpx or my.csv"
    )
    _add_serving(explore)
    explore.add_argument("--timezone", default="", metavar="TZ", help="for times without one, such as Europe/Paris")
    explore.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="default: this machine only")
    explore.set_defaults(run=_explore)
    lesson = commands.add_parser(
        "lesson",
        help="open a lesson in the browser",
        description="Opens a lesson: text, figures that are computed while you wait, and a page to try things in.",
    )
    lesson.add_argument("name", nargs="?", metavar="NAME", help="which one; the first of --list when left out")
    lesson.add_argument("--list", action="store_true", help="only name the lessons")
    _add_serving(lesson)
    lesson.set_defaults(run=_lesson)
    return parser


def _add_serving(command: argparse.ArgumentParser) -> None:
    command.add_argument("--port", type=_port, metavar="N", help="default: 8866, or the next free one")
    command.add_argument("--no-browser", dest="browser", action="store_false", help="only print the address")
    token = command.add_mutually_exclusive_group()
    token.add_argument(
        "--token", type=_token, metavar="TEXT", help="what opens the page; default: LMDK_TOKEN, or a random one"
    )
    token.add_argument(
        "--no-token", dest="token", action="store_const", const="", help="let in everybody who reaches the port"
    )


def _token(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("a token has at least one character; --no-token does without")
    return text


def _port(text: str) -> int:
    number = int(text) if text.isdecimal() else -1
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"a port is a number from 1 to 65535, not {text!r}")
    return number


if __name__ == "__main__":
    sys.exit(main())
