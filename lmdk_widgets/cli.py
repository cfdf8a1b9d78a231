"""The console command `lmdk`: `lmdk explore my.gpx` shows a track in the explorer."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from lmdk_widgets import __version__
from lmdk_widgets.errors import InputError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code: 0 done, 2 for an argument that cannot be used."""
    options = _parser().parse_args(arguments)
    from lmdk_widgets.serving.launch import explore

    try:
        explore(
            options.file,
            port=options.port,
            host=options.host,
            timezone=options.timezone,
            browser=options.browser,
        )
    except InputError as error:
        print(f"lmdk: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        pass
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="lmdk", description="Location privacy, seen and counted.")
    parser.add_argument("--version", action="version", version=f"lmdk {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    explore = commands.add_parser(
        "explore",
        help="open the landmark privacy explorer in the browser",
        description="Opens the landmark privacy explorer. Everything runs on this machine; nothing is sent elsewhere.",
    )
    explore.add_argument("file", nargs="?", metavar="FILE", help="a track: CSV, GPX, GeoJSON or Geolife .plt")
    explore.add_argument("--port", type=_port, metavar="N", help="default: 8866, or the next free one")
    explore.add_argument("--no-browser", dest="browser", action="store_false", help="only print the address")
    explore.add_argument("--timezone", default="", metavar="TZ", help="for times without one, such as Europe/Paris")
    explore.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="default: this machine only")
    return parser


def _port(text: str) -> int:
    number = int(text) if text.isdecimal() else -1
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"a port is a number from 1 to 65535, not {text!r}")
    return number


if __name__ == "__main__":
    sys.exit(main())
