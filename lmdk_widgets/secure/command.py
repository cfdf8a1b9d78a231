"""`lmdk release`: the command's arguments, and the command line for given settings."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from lmdk_widgets.budgets import SCHEMES
from lmdk_widgets.errors import InputError, library
from lmdk_widgets.leakage.markov import NAMED_SMOOTHING
from lmdk_widgets.secure.all_mechanisms import MECHANISMS, chosen
from lmdk_widgets.secure.check import check_release
from lmdk_widgets.secure.ledger import QUESTIONS, Ledger
from lmdk_widgets.secure.spending import RELEASED_SCHEMES
from lmdk_widgets.secure.track import outside
from lmdk_widgets.trajectory.raw import MAX_TIMESTAMPS
from lmdk_widgets.trajectory.words import counted

VERDICTS = {True: "Holds", False: "DOES NOT HOLD", None: "Cannot be checked"}

LEDGER = "releases.json"
"""The ledger's file name in the user's own folder."""

COUNTS_HELP = (
    "for counts: the most that one person can change a count; for a table of people, with --cell: the most "
    "contributions of a person that count"
)


def add_release(commands: Any) -> argparse.ArgumentParser:
    """Add the command's parser, and return it."""
    made = commands.add_parser(
        "release",
        help="make a private release of a track or a series, with exact noise",
        description="Makes a private release, not a simulation: exact noise from the operating system's entropy, for "
        "places on a lattice, with its guarantee. A ledger refuses to release the same data twice. A track needs "
        "--radius and a public --region or --origin.",
    )
    _add_data(made)
    _add_accounts(made)
    made.set_defaults(run=run)
    return made


def _add_data(made: argparse.ArgumentParser) -> None:
    """Add the arguments that say what is released, with which noise and budgets, and where."""
    made.add_argument(
        "file", nargs="?", metavar="FILE", help="the track, such as my.gpx, or a series of numbers or counts"
    )
    made.add_argument("--epsilon", type=float, metavar="E", help="the budget")
    made.add_argument("--radius", type=float, metavar="M", help="for a track: protection radius in metres")
    made.add_argument("--low", type=float, metavar="X", help="for numbers: the public lower bound")
    made.add_argument("--high", type=float, metavar="X", help="for numbers: the public upper bound")
    made.add_argument("--counts", type=int, metavar="K", help=COUNTS_HELP)
    made.add_argument(
        "--mechanism",
        choices=MECHANISMS,
        metavar="NAME",
        help="the noise; default: the one that suits the data. "
        + " ".join(f"{name}: {mechanism.meaning}" for name, mechanism in MECHANISMS.items()),
    )
    made.add_argument("--scheme", choices=RELEASED_SCHEMES, default="uniform", help="how the budget is spread")
    for name, how in (("increase", "rises"), ("decrease", "falls")):
        made.add_argument(
            f"--{name}", type=float, default=0.3, metavar="R", help=f"for adaptive: how fast its rate {how}, 0 to 1"
        )
    made.add_argument("--budgets", metavar="LIST", help="budgets by hand, such as .2x3,0,.1x4 for eight timestamps")
    made.add_argument("--landmarks", default="", metavar="LIST", help="timestamps that matter, counted from 1: 1,3,5-8")
    made.add_argument(
        "--dummies",
        type=float,
        metavar="P",
        help="also protect each other timestamp with this probability, so the odds that a protected one is a landmark "
        "grow by a factor of at most 1/P. It is published: choose it without looking at the landmarks",
    )
    made.add_argument("--window", type=int, metavar="W", help="timestamps in a row, for schemes with a window")
    made.add_argument("--step", type=float, metavar="M", help="lattice step in metres; default: radius / 40")
    made.add_argument(
        "--origin",
        metavar="LAT,LON",
        help="for a track: a public point near it, such as a city centre. It is published, so never "
        "compute it from the track. South of the equator: --origin=-33.9,18.4",
    )
    made.add_argument(
        "--region",
        metavar="S,W,N,E",
        help="for a track: its public area in degrees, instead of --origin; points outside are moved into it",
    )
    made.add_argument(
        "--timezone", default="", metavar="TZ", help="time zone for times without one, such as Europe/Paris"
    )
    whose = made.add_mutually_exclusive_group()
    whose.add_argument("--person", metavar="NAME", help="the person or the track to read, if FILE has several")
    whose.add_argument("--join", action="store_true", help="read the tracks of FILE as one, if they are one person's")
    made.add_argument("--out", type=Path, metavar="DIR", help="folder for release.csv and guarantee.json")


def _add_accounts(made: argparse.ArgumentParser) -> None:
    """Add the arguments about how a file is read, what was spent before, and about checking."""
    made.add_argument("--accept", action="store_true", help="read FILE as proposed, if it can be read in several ways")
    made.add_argument("--ledger", type=Path, metavar="FILE", help=f"the ledger; default: {LEDGER} in your data folder")
    made.add_argument(
        "--subject",
        default="",
        metavar="NAME",
        help="the person whose data these are; all releases of one subject add up minute by minute",
    )
    made.add_argument(
        "--limit",
        type=float,
        metavar="E",
        help="the most that the landmarks and any one other minute may spend over all releases, until you set another limit",
    )
    made.add_argument(
        "--left",
        action="store_true",
        help="release nothing; show how much of the limit this subject has left this week",
    )
    made.add_argument("--again", action="store_true", help="release these data again, which spends another budget")
    made.add_argument(
        "--yes",
        action="store_true",
        help="confirm what is otherwise asked: a higher --limit, or places that were already released at other times",
    )
    made.add_argument(
        "--check",
        type=Path,
        metavar="DIR",
        help="release nothing; recompute the guarantee of the release in this folder",
    )
    made.add_argument(
        "--chain",
        choices=NAMED_SMOOTHING,
        help="with --check: also compute the temporal loss for an attacker who assumes this chain",
    )
    made.add_argument(
        "--received",
        action="store_true",
        help="with --check: the release is someone else's, and you do not have its ledger",
    )


def run(options: argparse.Namespace) -> None:
    """Make a release and print its guarantee, or check one."""
    from lmdk_widgets.trajectory.series import Series
    from lmdk_widgets.trajectory.series_reader import load_data

    ledger = Ledger(ledger_path(options.ledger))
    if options.check is not None:
        return _check(options, ledger)
    if options.left:
        return print(*ledger.left(options.subject, options.limit).words(), *ledger.notices, sep="\n")
    refuse_missing(options)
    whose = {"person": options.person, "on_several": "join" if options.join else "stop", "accept": options.accept}
    data = load_data(options.file, timezone=options.timezone or None, **whose)
    asked = {name: getattr(options, name) for name in ("scheme", "epsilon", "window", "increase", "decrease")}
    asked["chance"] = options.dummies
    if options.budgets is not None:
        asked |= {"scheme": "given", "budgets": budgets_by_hand(options.budgets), "window": None}
        asked["epsilon"] = max(asked["budgets"], default=0.0)
    asked["landmarks"] = tuple(timestamps(options.landmarks, len(data)))
    kind = "a series" if isinstance(data, Series) else "a track"
    _refuse_others(options, kind)
    asked |= _of_series(options) if isinstance(data, Series) else _of_track(options)
    mechanism = chosen(options.mechanism, kind, asked)
    how = {"again": options.again, "subject": options.subject, "limit": options.limit}
    told = _confirmed(
        lambda questions: mechanism.release(data, asked, options.out, ledger, confirmed=questions, **how),
        QUESTIONS if options.yes else frozenset(),
    )
    print(*told["words"], *ledger.notices, f"The release is in {options.out}.", sep="\n")
    if asked.get("region") and (beyond := outside(data, asked["region"])):
        print(f"For you only: {counted(beyond, 'point')} of the track outside the region moved into it.")


def _confirmed(release: Callable[[frozenset[str]], dict[str, Any]], questions: frozenset[str]) -> dict[str, Any]:
    """Make a release; on a terminal, ask what it needs a confirmation for."""
    while True:
        try:
            return release(questions)
        except InputError as error:
            if error.kind not in QUESTIONS - questions or not sys.stdin.isatty():
                raise
            print(error, file=sys.stderr)
            if not _says_yes():
                raise
            questions |= {error.kind}


def _says_yes() -> bool:
    try:
        return input("Confirm? Enter yes or no: ").strip().lower() == "yes"
    except EOFError:
        return False


def ledger_path(named: Path | None) -> Path:
    """The path of the given ledger, or of the one in the user's own folder."""
    if named is not None:
        return named
    return Path(library("platformdirs", "A private release").user_data_dir("lmdk")) / LEDGER


def refuse_missing(options: argparse.Namespace) -> None:
    for name, given, remedy in (
        ("file", options.file, "Name the track, the series or the table"),
        ("budget", options.epsilon if options.budgets is None else options.budgets, "Name --epsilon, or --budgets"),
        ("folder", options.out, "Name --out with a new folder"),
    ):
        if given is None:
            raise InputError(f"A release must have a {name}", value="none", remedy=remedy)


def _check(options: argparse.Namespace, ledger: Ledger) -> None:
    """Print what was recomputed; raise an error if something does not hold."""
    known = None if options.received else ledger
    lines = check_release(options.check, known, subject=options.subject, chain=options.chain)
    print(*(f"{VERDICTS[line.holds]}: {line.text}" for line in lines), *ledger.notices, sep="\n")
    if any(line.holds is False for line in lines):
        raise InputError("The release must be unchanged", value="another", remedy="Do not rely on its guarantee")


def budgets_by_hand(text: str) -> tuple[float, ...]:
    """The budgets in a list; "x" and a number after a budget repeat it.

    Examples
    --------
    >>> budgets_by_hand(".2x3,0,.1")
    (0.2, 0.2, 0.2, 0.0, 0.1)
    """
    found: list[float] = []
    for part in text.split(","):
        budget, _, times = part.strip().partition("x")
        try:
            found += [float(budget)] * (int(times) if times else 1)
        except ValueError:
            what = "--budgets must be numbers such as .2x3,0,.1x4"
            raise InputError(what, value=part.strip()[:40]) from None
        if len(found) > MAX_TIMESTAMPS:
            raise InputError(f"--budgets must be at most {MAX_TIMESTAMPS:,} numbers", value="more")
    return tuple(found)


def _of_track(options: argparse.Namespace) -> dict[str, Any]:
    if options.radius is None:
        raise InputError("The release of a track must have a protection radius", value="none", remedy="Name --radius")
    origin = None if options.origin is None else place(options.origin)
    region = None if options.region is None else area(options.region)
    return {"radius_m": options.radius, "step_m": options.step, "origin": origin, "region": region}


def _of_series(options: argparse.Namespace) -> dict[str, Any]:
    return {"low": options.low, "high": options.high, "sensitivity": options.counts}


_OPTIONS = {"a track": ("radius", "step", "origin", "region"), "a series": ("low", "high", "counts")}
"""The options for only one kind of data."""


def _refuse_others(options: argparse.Namespace, what: str) -> None:
    """Refuse options for the other kind of data: they are a mistake, and must not be ignored."""
    others = [name for kind, names in _OPTIONS.items() if kind != what for name in names]
    given = [f"--{name}" for name in others if getattr(options, name) is not None]
    if given:
        raise InputError(
            f"The file contains {what}, which has no {given[0]}", remedy="Leave it out, or name another file"
        )


def timestamps(text: str, n: int) -> list[int]:
    """The indices, from 0, in a list that counts from 1.

    Examples
    --------
    >>> timestamps("1,3,5-8", 8)
    [0, 2, 4, 5, 6, 7]
    """
    found: set[int] = set()
    for part in filter(None, text.split(",")):
        first, dash, last = part.strip().partition("-")
        low, high = (int(first), int(last if dash else first)) if _whole(first, last, dash) else (0, 0)
        if not 1 <= low <= high <= n:
            raise InputError(f"--landmarks must be timestamps from 1 to {n:,} such as 1,3,5-8", value=part.strip())
        found.update(range(low - 1, high))
    return sorted(found)


def _whole(first: str, last: str, dash: str) -> bool:
    return first.isdecimal() and (last.isdecimal() or not dash) and len(first + last) < 20


def place(text: str) -> tuple[float, float]:
    """A latitude and a longitude.

    Examples
    --------
    >>> place("48.9,2.3")
    (48.9, 2.3)
    """
    try:
        latitude, longitude = map(float, text.split(","))
    except ValueError:
        raise InputError("--origin must be a latitude and a longitude such as 48.9,2.3", value=text) from None
    return latitude, longitude


def area(text: str) -> tuple[float, ...]:
    """South, west, north and east of a region.

    Examples
    --------
    >>> area("48.75,2.25,49,2.5")
    (48.75, 2.25, 49.0, 2.5)
    """
    try:
        south, west, north, east = map(float, text.split(","))
    except ValueError:
        what = "--region must be south, west, north and east in degrees such as 48.75,2.25,49,2.5"
        raise InputError(what, value=text[:60]) from None
    return south, west, north, east


def command(
    file: str,
    *,
    scheme: str,
    epsilon: float,
    radius_m: float | None = None,
    origin: tuple[float, float] | None = None,
    region: tuple[float, float, float, float] | None = None,
    bounds: tuple[float, float] | None = None,
    landmarks: str,
    window: int | None = None,
    rates: tuple[float, float] = (0.3, 0.3),
    budgets: Iterable[tuple[float, int]] = (),
    timezone: str = "",
) -> str:
    """The command line for these settings; landmarks are in the form that `timestamps` reads.

    A track has a radius and a public region or origin, numbers have bounds; `rates` are how fast Adaptive's sampling
    rate rises and falls; `budgets` are set by hand, each with its number of consecutive timestamps, and replace scheme
    and epsilon.

    Raises
    ------
    InputError : a scheme whose budgets depend on a chain.

    Examples
    --------
    >>> print(command("my.csv", scheme="uniform", epsilon=0.5, radius_m=200.0, origin=(49, 2.5), landmarks="1,3-5"))
    lmdk release my.csv --epsilon 0.5 --radius 200 --origin 49,2.5 --scheme uniform --landmarks 1,3-5 --out release
    """
    by_hand = ",".join(f"{budget!r}x{many}" if many > 1 else f"{budget!r}" for budget, many in budgets)
    if not by_hand and scheme not in RELEASED_SCHEMES:
        what = f"A private release must have one of the schemes {', '.join(RELEASED_SCHEMES)}"
        remedy = "The budgets of other schemes depend on a chain"
        raise InputError(what, value=scheme, remedy=remedy)
    spent = ["--budgets", by_hand] if by_hand else ["--epsilon", f"{epsilon!r}".removesuffix(".0")]
    parts = ["lmdk", "release", shlex.quote(file), *spent]
    for name, value in zip(("--radius", "--low", "--high"), (radius_m, *(bounds or ())), strict=False):
        if value is not None:
            parts += [f"{name}={value!r}".removesuffix(".0")] if value < 0 else [name, f"{value!r}".removesuffix(".0")]
    for name, degrees in (("--origin", origin), ("--region", region)):
        if degrees is not None:
            at = ",".join(f"{float(value)!r}".removesuffix(".0") for value in degrees)
            parts += [f"{name}={at}"] if at.startswith("-") else [name, at]
    parts += [] if by_hand else ["--scheme", scheme]
    if SCHEMES[scheme].windowed and window is not None:
        parts += ["--window", str(window)]
    for name, rate in zip(("increase", "decrease"), rates, strict=True):
        if name in SCHEMES[scheme].options and rate != 0.3:
            parts += [f"--{name}", f"{rate!r}"]
    if landmarks:
        parts += ["--landmarks", landmarks]
    if timezone:
        parts += ["--timezone", shlex.quote(timezone)]
    return " ".join([*parts, "--out", "release"])
