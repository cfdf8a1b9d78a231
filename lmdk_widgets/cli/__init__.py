"""The console command `lmdk`: `lmdk explore my.gpx` opens the pages with a track, `lmdk study FILE.toml` runs a study."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

try:  # all that follows needs NumPy: where its import fails, a sentence and not a traceback
    import numpy  # noqa: F401
except Exception as error:  # a damaged library fails in any way
    found = "is not installed" if isinstance(error, ModuleNotFoundError) and error.name == "numpy" else "is damaged"
    said = f"lmdk: NumPy must work; it {found}, and its import fails ({type(error).__name__})."
    print(f"{said} Install it again with: python -m pip install --force-reinstall numpy.", file=sys.stderr)
    raise SystemExit(2) from None

from lmdk_widgets.cli.exam import add_exam, add_marks
from lmdk_widgets.cli.export import add_export, add_handout, add_site
from lmdk_widgets.cli.people import add_assess, add_people
from lmdk_widgets.cli.release_counts import add_counts
from lmdk_widgets.errors import InputError, library
from lmdk_widgets.page.amounts import whole
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.secure.command import add_release, ledger_path
from lmdk_widgets.version import __version__

INTERRUPTED = 130
"""The exit code of a study after Ctrl+C."""


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


SERVING = ("port", "browser", "token", "basemap")
"""Options of every command that serves the pages; see `_add_serving`."""


def _launcher(needs: str = "voila") -> Any:
    library(needs, "A page in the browser")
    from lmdk_widgets.hosts.serving import launch

    return launch


def _explore(options: argparse.Namespace) -> None:
    launch = _launcher()
    ledger = None if options.subject is None else (ledger_path(options.ledger), options.subject)
    launch.explore(options.file, timezone=options.timezone, ledger=ledger, **_serving(options))


def _lesson(options: argparse.Namespace) -> None:
    from lmdk_widgets.course import LESSONS, STORIES

    launch = _launcher()
    from lmdk_widgets.hosts.site.notebooks import known_lesson

    if options.list:
        titles = {name: lesson.title for name, lesson in LESSONS.items()} | STORIES
        print(*(f"{name}   {title}" for name, title in titles.items()), sep="\n")
        return
    launch.explore(lesson=known_lesson(options.name or next(iter(LESSONS))), **_serving(options))


def _class(options: argparse.Namespace) -> None:
    launch = _launcher("segno")
    classroom = {"file": options.file, "token": options.board_token, "join": options.join, "plan": options.plan}
    launch.serve(classroom=classroom, overview=_overview(options), **_room(options))


def _serve(options: argparse.Namespace) -> None:
    launch = _launcher("segno")
    overview = _overview(options) | {"shows_code": True}
    launch.serve(options.file, timezone=options.timezone, overview=overview, **_room(options))


def _room(options: argparse.Namespace) -> dict[str, Any]:
    given = {"host": _host(options), "people": options.people, "public": options.public, "proxies": options.proxies}
    return given | _serving(options)


def _host(options: argparse.Namespace) -> str:
    """Where a room listens: behind a proxy for this machine only, as nobody should pass the proxy by."""
    return options.host or ("127.0.0.1" if options.public else "0.0.0.0")


def _overview(options: argparse.Namespace) -> dict[str, Any]:
    return {"token": options.overview_token}


def _serving(options: argparse.Namespace) -> dict[str, Any]:
    return {name: getattr(options, name) for name in SERVING}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="lmdk", description="Pages and lessons that show how private tracks, places and series are."
    )
    parser.add_argument("--version", action="version", version=f"lmdk {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    explore = commands.add_parser(
        "explore",
        help="open the pages Track, Place, Series, Table and People in the browser",
        description="Opens the pages Track (how private a track is), Place (optimal geo-indistinguishability), Series "
        "(Pufferfish privacy of a series), Table (what protects people in published data) and People (whether a table of "
        "many people's places may be published). Everything runs on this machine; nothing is sent elsewhere.",
    )
    explore.add_argument(
        "file",
        nargs="*",
        metavar="FILE",
        help="a track of your own for the page Track, such as my.gpx or my.csv; several files of one person, such as one for "
        "each day, can be read as one track",
    )
    _add_serving(explore)
    _add_timezone(explore)
    explore.add_argument(
        "--subject", metavar="NAME", help="show on Track how much budget is left for private releases of this subject"
    )
    explore.add_argument(
        "--ledger", type=Path, metavar="FILE", help="the ledger of private releases; default: the one lmdk release uses"
    )
    explore.set_defaults(run=_explore)
    lesson = commands.add_parser(
        "lesson",
        help="open a lesson in the browser",
        description="Opens a lesson: text, figures computed while you wait, and a page for trying things out.",
    )
    lesson.add_argument("name", nargs="?", metavar="NAME", help="the lesson to open; default: the first of --list")
    lesson.add_argument("--list", action="store_true", help="list the lessons and exit")
    _add_serving(lesson)
    lesson.set_defaults(run=_lesson)
    _add_serve(commands)
    _add_class(commands)
    add_exam(commands)
    add_marks(commands)
    add_handout(commands)
    _add_study(commands)
    add_people(commands)
    add_assess(commands)
    add_counts(add_release(commands))
    _add_audit(commands)
    add_export(commands)
    add_site(commands)
    return parser


def _add_serve(commands: Any) -> None:
    serve = commands.add_parser(
        "serve",
        help="serve the pages to a room, with a QR code and an overview of who is connected",
        description="Serves the pages of `lmdk explore` from a server or to a class. Prints the address to hand out and its "
        "QR code; the terminal and an overview of your own show how many people are connected and how much memory is left.",
    )
    serve.add_argument("file", nargs="?", metavar="FILE", help="the track everyone starts with")
    _add_serving(serve, lasting=True)
    _add_timezone(serve)
    _add_room(serve)
    serve.set_defaults(run=_serve, browser=False)


def _add_timezone(command: Any) -> None:
    command.add_argument(
        "--timezone", default="", metavar="TZ", help="time zone for times without one, such as Europe/Paris"
    )


def _add_room(command: Any) -> None:
    command.add_argument(
        "--public",
        default="",
        metavar="ADDRESS",
        help="the address of this server behind a proxy, such as https://class.example.org/privacy/",
    )
    command.add_argument(
        "--proxy",
        dest="proxies",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="an address or a network from which the proxy connects; only it is believed about who is asking; default: "
        "this machine",
    )
    command.add_argument(
        "--host",
        metavar="ADDRESS",
        help="default: everyone on your network; with --public, this machine only, where the proxy is",
    )
    command.add_argument("--people", type=_people, metavar="N", help="maximum number of open pages; default: 1,000")
    command.add_argument(
        "--overview-token",
        type=_token,
        metavar="TEXT",
        help="the secret that opens the overview of who is connected; default: LMDK_OVERVIEW_TOKEN, or a random one",
    )


def _add_class(commands: Any) -> None:
    opened = commands.add_parser(
        "class",
        help="open the pages, and run a class that answers on its phones",
        description="Serves the pages of `lmdk explore`, a board for the teacher, and a page that students open on their "
        "phones. Answers are saved in FILE; with the same file, a class continues where it stopped.",
    )
    opened.add_argument("file", nargs="?", default="class.sqlite", metavar="FILE", help="default: class.sqlite")
    _add_serving(opened, lasting=True)
    _add_room(opened)
    opened.add_argument(
        "--board-token",
        type=_token,
        metavar="TEXT",
        help="the secret that opens the board; default: LMDK_BOARD_TOKEN, or a random one",
    )
    opened.add_argument(
        "--plan",
        metavar="FILE",
        help="a text file of what the board asks the class, one step per line; see docs/class.md",
    )
    opened.add_argument("--join", metavar="ADDRESS", help="the address at which phones reach this server, if different")
    opened.set_defaults(run=_class)


def _add_serving(command: argparse.ArgumentParser, *, lasting: bool = False) -> None:
    command.add_argument("--port", type=_port, metavar="N", help="default: 8866, or the next free one")
    command.add_argument("--no-browser", dest="browser", action="store_false", help="only print the address")
    command.add_argument(
        "--basemap",
        metavar="FILE",
        help="a PMTiles file of streets for the maps, such as city.pmtiles from Protomaps; needs no network",
    )
    token = command.add_mutually_exclusive_group()
    token.add_argument(
        "--token",
        type=_token,
        metavar="TEXT",
        help="the secret that opens the page (12 characters or more); default: LMDK_TOKEN, or a random one"
        + (". With a token that you set, visitors stay signed in after a restart" if lasting else ""),
    )
    token.add_argument(
        "--no-token", dest="token", action="store_const", const="", help="let in everyone who can reach the port"
    )


def _add_study(commands: Any) -> None:
    command = commands.add_parser(
        "study",
        help="evaluate thousands of settings listed in a file, and save the results",
        description="Evaluates every combination of the tracks, schemes, epsilons and other choices in FILE, and saves the "
        "results part by part as Parquet files, so finished parts are never computed again. See docs/studies.md.",
    )
    command.add_argument("file", metavar="FILE", help="a study file, such as papers.toml")
    command.add_argument(
        "--track",
        action="append",
        default=[],
        metavar="TRACK",
        help="an additional track: a file, or the name of a sample",
    )
    command.add_argument(
        "--output", metavar="DIRECTORY", help="where to save results; default: FILE-result, next to FILE"
    )
    command.add_argument("--jobs", type=_processes, metavar="N", help="number of processes; default: one per core")
    command.add_argument(
        "--dask",
        metavar="ADDRESS",
        help="address of the Dask scheduler whose workers do the work, such as tcp://10.0.0.5:8786",
    )
    command.add_argument("--resume", action="store_true", help="continue from the results already in the directory")
    command.set_defaults(run=_study)


def _study(options: argparse.Namespace) -> int | None:
    """Run a study file; return the exit code if it was stopped."""
    from lmdk_widgets.study.parts import MANIFEST, Directory, again
    from lmdk_widgets.study.progress import Progress, duration
    from lmdk_widgets.study.run import complete, evaluations
    from lmdk_widgets.study.study_file import read_study

    file = Path(options.file)
    study, title = read_study(file, options.track)
    output = Path(options.output) if options.output else file.with_name(f"{file.stem}-result")
    if not options.resume and (output / MANIFEST).is_file():
        what = f"The directory must be new or empty; there are results in {output}"
        raise InputError(what, remedy="Continue them with --resume, or choose another directory with --output")
    keeper = Directory(output, study)
    there = evaluations(study, keeper.done())
    before = dict(keeper.damaged)
    if before:
        print(again(before), file=sys.stderr)
    of_them = "{study}: {evaluations} evaluations, {done} of them already done."
    values = {"evaluations": whole(len(study)), "done": whole(there)}
    print(sentence(of_them, study=title or file.name, **values), file=sys.stderr)
    progress = Progress(len(study), there, out=sys.stderr)
    try:
        complete(study, keeper, jobs=options.jobs, dask=options.dask, counter=progress)
    except KeyboardInterrupt:
        print(
            sentence(
                "\nStopped after {done} of {evaluations}. Run the same command with --resume to continue.",
                done=whole(progress.done),
                evaluations=whole(len(study)),
            ),
            file=sys.stderr,
        )
        return INTERRUPTED
    if later := {name: fault for name, fault in keeper.damaged.items() if name not in before}:
        print(again(later), file=sys.stderr)
    time = duration(progress.seconds)
    said = "Saved {evaluations} evaluations in {file} after {time}."
    print(sentence(said, evaluations=whole(len(study)), file=str(output), time=time))
    return None


def _add_audit(commands: Any) -> None:
    command = commands.add_parser(
        "audit",
        help="look for evidence that a mechanism reveals more than is claimed",
        description="Samples every mechanism, scheme and private release on two neighbouring inputs; for a channel, computes "
        "every pair of inputs. The smallest epsilon that explains the outputs must not exceed the one claimed. A mechanism "
        "that uses all of its epsilon is also run at 1.25 times that epsilon, which must be detected. Where a scheme decides "
        "as it goes, pairs of inputs around its decisions, and events, are searched on some draws and tested on others. The "
        "last number is the smallest epsilon that nine of ten such audits would have found, in an event as likely as the one "
        "that was tested, but not above one in two. The chance of a false alarm is one in a million for each line. Finding "
        "nothing proves nothing: the end of the output lists what is not covered.",
    )
    command.add_argument(
        "--only", default="", metavar="TEXT", help="audit only what has TEXT in its name, such as scheme"
    )
    command.add_argument("--epsilon", type=float, default=1.0, metavar="E", help="the epsilon claimed (default 1)")
    command.add_argument(
        "--draws", type=int, default=200_000, metavar="N", help="draws for each input (default 200,000)"
    )
    command.add_argument(
        "--seed", type=int, default=0, metavar="S", help="seed of the draws (default 0); private releases have no seed"
    )
    command.set_defaults(run=_audit)


FROM = "found 9 times in 10 from"
"""The heading over the smallest fault that an audit would find."""


def _audit(options: argparse.Namespace) -> int:
    """Run the audit; return 0 if nothing contradicts a claim and every larger epsilon that must be detected is, else 1."""
    from lmdk_widgets.audit import audit, not_covered, subjects
    from lmdk_widgets.audit.run import LARGER

    every = subjects()
    chosen = [each for each in every if options.only in each.name]
    if not chosen:
        names = ", ".join(each.name for each in every)
        raise InputError("--only must be part of a name", value=options.only, remedy=f"Names: {names}")
    runs = (
        sentence("run at {epsilon}", epsilon=Written(f"{epsilon:g}", epsilon))
        for epsilon in (options.epsilon, LARGER * options.epsilon)
    )
    wide = max(38, *(len(each.name) + 1 for each in chosen))
    print(f"{'the smallest epsilon that explains it':{wide}}", *(f"{run:>12}" for run in runs), f"{FROM:>26}", sep="")
    well = kept = True
    for found in audit(chosen, epsilon=options.epsilon, draws=options.draws, seed=options.seed):
        well, kept = well and found.well, kept and (found.nothing_found or not found.subject.private)
        least = f"{'every larger one' if found.smallest is None else f'{found.smallest:.4f}':>26}"
        print(f"{found.subject.name:{wide}}{found.found:12.4f}{found.larger:12.4f}{least}  {found.words()}", flush=True)
        print(f"    {found.subject.claim}")
    verdict = "Some mechanisms reveal more than is claimed, as marked above."
    if kept:
        verdict = (
            "No claim was found false, but this audit is too weak to tell: it did not detect every larger epsilon. "
        )
        verdict += sentence("Use more draws than {draws}.", draws=whole(options.draws))
    if well:
        claims = sum(each.private for each in chosen)
        of_all = sentence("the {claims} claims", claims=whole(claims))
        verdict = sentence("Nothing found against {them}.", them="the claim" if claims == 1 else of_all)
        if not claims:
            verdict = "Everything known not to be private was detected."
    missing = [] if len(chosen) == len(every) else [f"{len(every) - len(chosen)} others, which --only left out"]
    print(verdict, "That is no proof. Not covered:" if well else "Not covered:", sep="\n")
    print(*(f"  - {each}" for each in (*missing, *not_covered())), sep="\n")
    return 0 if well else 1


def _token(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("a token has at least 12 characters; --no-token disables it")
    return text


def _whole(said: str, least: int, most: int = sys.maxsize) -> Callable[[str], int]:
    """Return a reader of whole numbers from `least` to `most`; `said` is the sentence that refuses anything else."""

    def read(text: str) -> int:
        number = int(text) if text.isdecimal() else -1
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"{said}, not {text!r}")
        return number

    return read


_people = _whole("the number of people must be from 1 to 1,000", 1, 1_000)
_port = _whole("a port is a number from 1 to 65535", 0, 65535)
_processes = _whole("the number of processes must be 1 or more", 1)
