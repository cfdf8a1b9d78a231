"""The command `lmdk audit`: measures what mechanisms give away, and says where that is more than is claimed."""

from __future__ import annotations

import argparse
from typing import Any


def add_audit(commands: Any) -> None:
    """Add the command to `lmdk`."""
    command = commands.add_parser(
        "audit",
        help="measure what every mechanism gives away, against what is claimed of it",
        description="Draws from every mechanism and scheme for two inputs, and looks at every pair of inputs of a channel. "
        "The least epsilon that explains what came out must not be above the one claimed. Told 1.25 times as much, one "
        "that uses all of its epsilon must be found out. A wrong alarm has a chance of one in a million.",
    )
    command.add_argument("--only", default="", metavar="TEXT", help="what has this in its name, such as scheme")
    command.add_argument("--epsilon", type=float, default=1.0, metavar="E", help="what is claimed (default 1)")
    command.add_argument("--draws", type=int, default=200_000, metavar="N", help="for each input (default 200,000)")
    command.add_argument("--seed", type=int, default=0, metavar="S", help="of the draws (default 0)")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run it; 0 when every claim holds and every larger epsilon shows that should, else 1."""
    from lmdk_widgets.audit import audit, subjects
    from lmdk_widgets.errors import InputError

    chosen = [each for each in subjects() if options.only in each.name]
    if not chosen:
        names = ", ".join(each.name for each in subjects())
        raise InputError("--only must be part of a name", value=options.only, remedy=f"Names: {names}")
    claimed = f"told {options.epsilon:g}"
    print(f"{'':38}{claimed:>12}{'told more':>12}")
    well = True
    for found in audit(chosen, epsilon=options.epsilon, draws=options.draws, seed=options.seed):
        said = "" if found.holds else "MORE THAN CLAIMED"
        if found.holds and not found.shows:
            said = "A LARGER EPSILON DID NOT SHOW" if found.subject.tight else "a larger one need not show"
        well = well and found.holds and (found.shows or not found.subject.tight)
        print(f"{found.subject.name:38}{found.found:12.4f}{found.larger:12.4f}  {said}".rstrip(), flush=True)
        print(f"    {found.subject.claim}")
    print("Every claim holds." if well else "Something gives away more than is claimed, or would not be found out.")
    return 0 if well else 1
