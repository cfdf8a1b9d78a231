"""The command `lmdk audit`: looks for evidence that a mechanism gives away more than is claimed of it."""

from __future__ import annotations

import argparse
from typing import Any


def add_audit(commands: Any) -> None:
    """Add the command to `lmdk`."""
    command = commands.add_parser(
        "audit",
        help="look for evidence that a mechanism gives away more than is claimed",
        description="Draws from every mechanism, scheme and private release for two neighbouring inputs, and computes every "
        "pair of inputs of a channel. The least epsilon that explains the outputs must not be above the one claimed. A "
        "mechanism that takes all of its epsilon is run at 1.25 times as much too, which must be detected. A wrong alarm has "
        "a chance of one in a million. Nothing found is no proof: what is not covered is named at the end.",
    )
    command.add_argument("--only", default="", metavar="TEXT", help="what has this in its name, such as scheme")
    command.add_argument("--epsilon", type=float, default=1.0, metavar="E", help="what is claimed (default 1)")
    command.add_argument("--draws", type=int, default=200_000, metavar="N", help="for each input (default 200,000)")
    command.add_argument(
        "--seed", type=int, default=0, metavar="S", help="of the draws (default 0); private releases have no seed"
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run it; 0 when nothing is found against a claim and each larger epsilon is detected that must be, else 1."""
    from lmdk_widgets.audit import audit, not_covered, subjects
    from lmdk_widgets.audit.run import LARGER
    from lmdk_widgets.errors import InputError

    every = subjects()
    chosen = [each for each in every if options.only in each.name]
    if not chosen:
        names = ", ".join(each.name for each in every)
        raise InputError("--only must be part of a name", value=options.only, remedy=f"Names: {names}")
    runs = (f"run at {epsilon:g}" for epsilon in (options.epsilon, LARGER * options.epsilon))
    print(f"{'the least epsilon that explains it':38}", *(f"{run:>12}" for run in runs), sep="")
    well = kept = True
    for found in audit(chosen, epsilon=options.epsilon, draws=options.draws, seed=options.seed):
        well, kept = well and found.well, kept and found.nothing_found
        print(f"{found.subject.name:38}{found.found:12.4f}{found.larger:12.4f}  {found.words()}", flush=True)
        print(f"    {found.subject.claim}")
    verdict = "More is given away than is claimed, as marked above."
    if kept:
        verdict = (
            "No claim was found false, but this audit is too weak to tell: it did not detect every larger epsilon. "
        )
        verdict += f"Take more draws than {options.draws:,}."
    if well:
        verdict = f"Nothing found against {'the claim' if len(chosen) == 1 else f'the {len(chosen)} claims'}."
    missing = [] if len(chosen) == len(every) else [f"{len(every) - len(chosen)} others, which --only left out"]
    print(verdict, "That is no proof. Not covered:" if well else "Not covered:", sep="\n")
    print(*(f"  - {each}" for each in (*missing, *not_covered())), sep="\n")
    return 0 if well else 1
