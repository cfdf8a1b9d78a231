"""The command `lmdk study`: runs a study file and says where the results are."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from lmdk_widgets.errors import InputError

INTERRUPTED = 130
"""The exit code after Ctrl+C."""


def add_study(commands: Any) -> None:
    """Add the command to `lmdk`."""
    command = commands.add_parser(
        "study",
        help="evaluate thousands of settings that a file names, and keep the results",
        description="Evaluates every combination of tracks, schemes, epsilons and other choices that FILE names, and keeps "
        "the results as Parquet files, part by part: what is finished is never computed again. docs/studies.md tells more.",
    )
    command.add_argument("file", metavar="FILE", help="a study file, such as papers.toml")
    command.add_argument(
        "--track", action="append", default=[], metavar="TRACK", help="one more track: a file, or a sample"
    )
    command.add_argument("--output", metavar="DIRECTORY", help="where results go; default: FILE-result, beside FILE")
    command.add_argument("--jobs", type=_count, metavar="N", help="processes at the same time; default: one a core")
    command.add_argument(
        "--dask", metavar="ADDRESS", help="of a Dask scheduler whose workers evaluate, as tcp://10.0.0.5:8786"
    )
    command.add_argument("--resume", action="store_true", help="go on with what is in the directory already")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int | None:
    """Run it; the exit code where it was stopped."""
    from lmdk_widgets.study.progress import Progress, duration
    from lmdk_widgets.study.run import MANIFEST, Directory, complete
    from lmdk_widgets.study.study_file import read_study

    file = Path(options.file)
    study, title = read_study(file, options.track)
    output = Path(options.output) if options.output else file.with_name(f"{file.stem}-result")
    if not options.resume and (output / MANIFEST).is_file():
        what = f"The directory must be new or empty; there are results in {output}"
        raise InputError(what, remedy="Go on with them by --resume, or choose another directory by --output")
    keeper = Directory(output, study)
    there = sum(len(study.rows(part)) for part in keeper.done())
    print(f"{title or file.name}: {len(study):,} evaluations, {there:,} of them there already.", file=sys.stderr)
    progress = Progress(len(study), there, out=sys.stderr)
    try:
        complete(study, keeper, jobs=options.jobs, dask=options.dask, progress=progress)
    except KeyboardInterrupt:
        print(
            f"\nStopped after {progress.done:,} of {len(study):,}. The same command with --resume goes on.",
            file=sys.stderr,
        )
        return INTERRUPTED
    print(f"{len(study):,} evaluations are in {output}, after {duration(progress.seconds)}.")
    return None


def _count(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"a number of processes is 1 or more, not {text!r}")
    return number
