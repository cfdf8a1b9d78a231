"""The console command `lmdk`: `lmdk explore my.gpx` opens the pages with a track, `lmdk study FILE.toml` runs a study."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from lmdk_widgets import __version__
from lmdk_widgets.cli.audit import add_audit
from lmdk_widgets.cli.export import add_export
from lmdk_widgets.cli.site import add_site
from lmdk_widgets.cli.study import add_study
from lmdk_widgets.errors import InputError, library
from lmdk_widgets.secure.command import add_release


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code: 0 done, 2 for an argument that cannot be used, 130 for a stopped study."""
    options = _parser().parse_args(arguments)
    try:
        return options.run(options) or 0
    except InputError as error:
        print(f"lmdk: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 0


def _launcher() -> Any:
    library("voila", "A page in the browser")
    from lmdk_widgets.hosts.serving.launch import explore

    return explore


def _explore(options: argparse.Namespace) -> None:
    explore = _launcher()
    explore(options.file, host=options.host, timezone=options.timezone, **_serving(options))


def _lesson(options: argparse.Namespace) -> None:
    from lmdk_widgets.course import LESSONS, STORIES

    explore = _launcher()
    from lmdk_widgets.hosts.serving.lessons import known_lesson

    if options.list:
        titles = {name: lesson.title for name, lesson in LESSONS.items()} | STORIES
        print(*(f"{name}   {title}" for name, title in titles.items()), sep="\n")
        return
    explore(lesson=known_lesson(options.name or next(iter(LESSONS))), **_serving(options))


def _class(options: argparse.Namespace) -> None:
    explore = _launcher()
    classroom = {"file": options.file, "token": options.board_token, "join": options.join}
    explore(host=options.host, classroom=classroom, overview=_overview(options), **_serving(options))


def _serve(options: argparse.Namespace) -> None:
    explore = _launcher()
    given = {"host": options.host, "overview": _overview(options) | {"shows_code": True}}
    explore(options.file, timezone=options.timezone, **given, **_serving(options))


def _overview(options: argparse.Namespace) -> dict[str, Any]:
    return {"token": options.overview_token}


def _serving(options: argparse.Namespace) -> dict[str, Any]:
    return {name: getattr(options, name) for name in ("port", "browser", "token", "public", "people")}


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
    _add_timezone(explore)
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
    _add_serve(commands)
    _add_class(commands)
    add_study(commands)
    add_release(commands)
    add_audit(commands)
    add_export(commands)
    add_site(commands)
    return parser


def _add_serve(commands: Any) -> None:
    serve = commands.add_parser(
        "serve",
        help="serve the pages to a room, with a QR code and an overview of who is on",
        description="Serves the pages as `lmdk explore` does, on a server or for a class: prints the address to hand out and "
        "its QR code, says in the terminal and on an overview of your own how many people are on and how much memory is "
        "left, and lets whoever finds no room in as soon as there is.",
    )
    serve.add_argument("file", nargs="?", metavar="FILE", help="a track that everybody begins with")
    _add_serving(serve)
    _add_timezone(serve)
    _add_room(serve)
    serve.set_defaults(run=_serve, browser=False)


def _add_timezone(command: Any) -> None:
    command.add_argument("--timezone", default="", metavar="TZ", help="for times without one, such as Europe/Paris")


def _add_room(command: Any) -> None:
    command.add_argument("--host", default="0.0.0.0", metavar="ADDRESS", help="default: everybody in your network")
    command.add_argument(
        "--overview-token",
        type=_token,
        metavar="TEXT",
        help="what opens the overview of who is on; default: LMDK_OVERVIEW_TOKEN, or a random one",
    )


def _add_class(commands: Any) -> None:
    opened = commands.add_parser(
        "class",
        help="open the pages, and a class that answers from its phones",
        description="Serves the pages as `lmdk explore` does, a board for the teacher, and a page that students open on "
        "their phones. The answers are kept in FILE: with the same file a class goes on where it was.",
    )
    opened.add_argument("file", nargs="?", default="class.sqlite", metavar="FILE", help="default: class.sqlite, here")
    _add_serving(opened)
    _add_room(opened)
    opened.add_argument(
        "--board-token",
        type=_token,
        metavar="TEXT",
        help="what opens the board; default: LMDK_BOARD_TOKEN, or a random one",
    )
    opened.add_argument("--join", metavar="ADDRESS", help="the address of this server for phones, if it is another one")
    opened.set_defaults(run=_class)


def _add_serving(command: argparse.ArgumentParser) -> None:
    command.add_argument("--port", type=_port, metavar="N", help="default: 8866, or the next free one")
    command.add_argument("--no-browser", dest="browser", action="store_false", help="only print the address")
    command.add_argument("--people", type=_count, metavar="N", help="most pages open at one time; default: 40")
    command.add_argument(
        "--public",
        default="",
        metavar="ADDRESS",
        help="the address under which a proxy shows this server, such as https://class.example.org/privacy/",
    )
    token = command.add_mutually_exclusive_group()
    token.add_argument(
        "--token",
        type=_token,
        metavar="TEXT",
        help="what opens the page (12 characters or more); default: LMDK_TOKEN, or random",
    )
    token.add_argument(
        "--no-token", dest="token", action="store_const", const="", help="let in everybody who reaches the port"
    )


def _token(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("a token has at least 12 characters; --no-token disables it")
    return text


def _count(text: str) -> int:
    if not (text.isdecimal() and 1 <= int(text) <= 1_000):
        raise argparse.ArgumentTypeError(f"people are a number from 1 to 1,000, not {text!r}")
    return int(text)


def _port(text: str) -> int:
    number = int(text) if text.isdecimal() else -1
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"a port is a number from 1 to 65535, not {text!r}")
    return number
