"""`lmdk release TABLE --counts M --cell METRES`: a private release of counts of people instead of their tracks."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Region
from lmdk_widgets.page.amounts import count
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.secure.command import VERDICTS, area, ledger_path, refuse_missing, run
from lmdk_widgets.secure.ledger import Ledger

if TYPE_CHECKING:
    from lmdk_widgets.population.counts_release import Plan
    from lmdk_widgets.population.together import Rows

FOREIGN = ("radius", "step", "origin", "low", "high", "mechanism", "budgets", "dummies", "person", "limit", "chain")
"""Options of a release of one person's data that counts of people do not have; each is None if it is not given."""

EMPTY = ("landmarks", "subject", "join", "accept", "left")
"""The same, empty if they are not given."""

KINDS = ("presence", "trips", "dwell")


def add_counts(release: argparse.ArgumentParser) -> None:
    """Add the options of counts to `lmdk release`."""
    made = release.add_argument_group(
        "counts of people",
        "FILE is a table: a row for each person, time and place. With --counts, --cell, --region, --from and --until, all of "
        "them public, noisy counts are released instead of tracks. --scheme user protects a person with everything that the "
        "person did; window, budget-distribution and budget-absorption what a person did in --window time slots in a row, "
        "with --counts 1; event one contribution, with --counts 1.",
    )
    made.add_argument("--cell", type=float, metavar="M", help="side of a cell, in metres")
    made.add_argument("--slot", type=int, default=1, metavar="H", help="length of a time slot; default: 1 hour")
    made.add_argument("--from", dest="start", metavar="DAY", help="first day or hour of the period, as 2026-03-02")
    made.add_argument("--until", metavar="DAY", help="day or hour after the end of the period")
    made.add_argument("--weekly", action="store_true", help="count the same slots of all weeks together")
    made.add_argument(
        "--what",
        choices=KINDS,
        default="presence",
        help="people in each cell and slot, trips from cell to cell, or stays by their length (dwell); default: presence",
    )
    release.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    """Release or check counts, or what else `lmdk release` does."""
    from lmdk_widgets.population.counts_release import is_counts_release

    if options.check is not None and is_counts_release(options.check):
        return _check(options)
    if options.cell is None or options.check is not None or options.left:
        return run(options)
    plan = _plan(options)
    rows = _rows(options)
    _release(rows, plan, options)


def _plan(options: argparse.Namespace) -> Plan:
    from lmdk_widgets.population.contributions import Counting
    from lmdk_widgets.population.counts_release import RELEASED, Plan

    refuse_missing(options)
    given = [name for name in FOREIGN if getattr(options, name) is not None]
    given += [name for name in EMPTY if getattr(options, name)]
    if given:
        raise InputError(f"A release of counts of people has no --{given[0]}", remedy="Leave it out")
    for name, value in (
        ("counts", options.counts),
        ("region", options.region),
        ("from", options.start),
        ("until", options.until),
    ):
        if value is None:
            raise InputError(f"A release of counts of people must have --{name}", value="none", remedy="Name it")
    if options.scheme not in RELEASED:
        names = ", ".join(RELEASED)
        raise InputError(f"Counts of people must have one of the schemes {names}", value=options.scheme)
    windowed = RELEASED[options.scheme] == "window"
    if windowed != (options.window is not None):
        must = "have a --window" if windowed else "have no --window"
        raise InputError(f"Under {options.scheme}, a release of counts must {must}", value=options.window)
    region, zone = Region(*area(options.region)), options.timezone or "UTC"  # type: ignore[arg-type]
    how = (options.slot, options.weekly, options.what, zone)
    counting = Counting(region, options.cell, options.start, options.until, *how)
    return Plan(counting, options.scheme, options.epsilon, options.counts, options.window or 1)


def _rows(options: argparse.Namespace) -> Rows:
    from lmdk_widgets.population.together import bring_together

    return bring_together(str(options.file), timezone=options.timezone or None)


def _release(rows: Rows, plan: Plan, options: argparse.Namespace) -> None:
    from lmdk_widgets.population.counts_release import release_counts_of_people

    ledger = Ledger(ledger_path(options.ledger))
    told = release_counts_of_people(rows, plan, options.out, ledger, again=options.again)
    print(*told["words"], *ledger.notices, f"The release is in {options.out}.", sep="\n")
    outside = plan.counting.outside(rows)
    if outside:
        said = "For you only: {rows} of the table outside the region or the period, which add nothing."
        print(sentence(said, rows=count(outside, "row")))


def _check(options: argparse.Namespace) -> None:
    """Print what was found out; an error if something does not hold."""
    from lmdk_widgets.population.counts_release import check_counts

    lines = check_counts(options.check, None if options.received else Ledger(ledger_path(options.ledger)))
    print(*(f"{VERDICTS[holds]}: {text}" for holds, text in lines), sep="\n")
    if any(holds is False for holds, _ in lines):
        raise InputError("The release must be unchanged", value="another", remedy="Do not rely on its guarantee")
