"""Applies each mutant of the list to a copy of the tree, one at a time, and runs the tests that must notice it.

python tests/mutants/audit.py                 # all; two at a time on a machine with two processors
python tests/mutants/audit.py leakage "lose"  # only those whose entry has one of these words
python tests/mutants/audit.py --one-in 10     # one of ten, drawn by LMDK_SEED: "1" takes others than "2"

The tests have to pass on the tree as it is, and one of them has to fail on each mutant. The exit code is 1 when a mutant
survives or does not fit its file any more, and when a test fails without a mutant.

The copies stay in `build/mutants`, at the same place, so that machine code is compiled for them once; a second
audit beside a first would change them under it, and is refused.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from queue import SimpleQueue

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.mutants.listed import ROOT, Mutant, all_mutants

COPIES = ROOT / "build" / "mutants"
LONGEST_S = 600
"""A mutant that keeps its tests busy for so long is noticed as well: nobody would merge it."""
SIMPLEX = "lmdk_widgets.linear.compiling"
KILLED, SURVIVED, BROKEN = "killed", "SURVIVED", "BROKEN"


@dataclass(frozen=True)
class Result:
    """What became of a mutant: by which test it was killed, or what went wrong."""

    mutant: Mutant
    verdict: str
    seconds: float
    by: str

    def line(self) -> str:
        return f"{self.verdict:9}{self.seconds:6.1f} s  {self.mutant.harm} [{self.by or self.mutant.file}]"


def drawn(mutants: Sequence[Mutant], one_in: int, seed: str) -> list[Mutant]:
    """One of so many mutants, each by its own draw: a mutant that is added changes nothing for the others."""
    draws = {m: hashlib.sha256(f"{seed} {m.file} {m.text} {m.wrong}".encode()).digest() for m in mutants}
    return [m for m in mutants if int.from_bytes(draws[m]) % one_in == 0]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("words", nargs="*")
    parser.add_argument("--one-in", type=int, default=1)
    asked = parser.parse_args(arguments)
    words = asked.words
    mutants = [m for m in all_mutants() if not words or any(word in repr(m) for word in words)]
    mutants = drawn(mutants, asked.one_in, os.environ.get("LMDK_SEED", ""))
    if not mutants:
        print(f"No mutant has one of these words: {', '.join(words)}")
        return 1
    with alone():
        return audit(mutants)


def audit(mutants: Sequence[Mutant]) -> int:
    """Judges the mutants, and prints each verdict; the exit code."""
    workers = max(2, os.cpu_count() or 2)
    copies: SimpleQueue[Path] = SimpleQueue()
    with ThreadPoolExecutor(workers) as pool:
        for copy in pool.map(copied, [COPIES / str(number) for number in range(workers)]):
            copies.put(copy)
        failed = _unchanged(pool, copies, mutants)
        if failed:
            print("Without any mutant these fail:", *failed, sep="\n  ")
            return 1
        results = []
        for done in as_completed([pool.submit(_borrowing, copies, _judged, mutant) for mutant in mutants]):
            results.append(done.result())
            print(results[-1].line(), flush=True)
    return _summed_up(results)


@contextmanager
def alone() -> Iterator[None]:
    """While this is the only audit of this tree."""
    COPIES.mkdir(parents=True, exist_ok=True)
    busy = COPIES / "busy"
    try:
        busy.open("x").close()
    except FileExistsError:
        sys.exit(
            f"Another audit is running. If none is, it was killed: delete {busy.relative_to(ROOT)} and begin again."
        )
    try:
        yield
    finally:
        busy.unlink()


def _summed_up(results: Sequence[Result]) -> int:
    alive = [result for result in results if result.verdict != KILLED]
    print(f"\n{len(results) - len(alive)} of {len(results)} mutants were killed.")
    for result in alive:
        mutant = result.mutant
        print(f"\n{result.line()}\n  {mutant.file}: {mutant.text!r}\n  became {mutant.wrong!r}; tests: {mutant.tests}")
    return 1 if alive else 0


def _borrowing(copies: SimpleQueue[Path], work, *arguments):  # type: ignore[no-untyped-def]
    copy = copies.get()
    try:
        return work(copy, *arguments)
    finally:
        copies.put(copy)


def _unchanged(pool: ThreadPoolExecutor, copies: SimpleQueue[Path], mutants: Iterable[Mutant]) -> list[str]:
    """The tests that fail on the tree as it is."""
    tests = sorted({test for mutant in mutants for test in mutant.tests})
    whole = [[test] for test in tests if "::" not in test]
    single = [list(group) for _, group in groupby((t for t in tests if "::" in t), lambda t: t.partition("::")[0])]
    begun = time.perf_counter()
    runs = {pool.submit(_borrowing, copies, run_tests, some): some for some in [*whole, *single]}
    failed = [run.result()[1] or some[0] for run, some in runs.items() if run.result()[0]]
    seconds = time.perf_counter() - begun
    print(f"{len(tests)} tests run without a mutant in {len(runs)} runs, {seconds:.0f} s.", flush=True)
    return failed


def _judged(copy: Path, mutant: Mutant) -> Result:
    file, begun = copy / mutant.file, time.perf_counter()
    try:
        changed = mutant.applied_to(copy)
    except ValueError as error:
        return Result(mutant, BROKEN, 0.0, str(error))
    try:
        file.write_text(changed, "utf-8")
        code, by = run_tests(copy, mutant.tests)
    finally:
        shutil.copy2(ROOT / mutant.file, file)  # with its time, by which machine code is known to be of this file
    verdict = {0: SURVIVED, 1: KILLED}.get(code, BROKEN)  # other codes: nothing was tested
    return Result(mutant, verdict, time.perf_counter() - begun, by)


def run_tests(copy: Path, tests: Sequence[str]) -> tuple[int, str]:
    """The exit code of pytest, and the first test that failed, or the last line of what was said.

    Of a whole file the nightly and browser tests are left out; one that is named is run.
    """
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", *tests]
    if not any("::" in test for test in tests):
        command += ["-m", "not nightly and not browser"]
    try:
        done = subprocess.run(
            command, cwd=copy, env=_environment(copy), capture_output=True, text=True, timeout=LONGEST_S
        )
    except subprocess.TimeoutExpired:
        return 1, f"not finished in {LONGEST_S} s"
    failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", done.stdout, re.MULTILINE)
    said = (done.stdout + done.stderr).strip().splitlines()
    return done.returncode, failed[1] if failed else "" if not done.returncode else said[-1] if said else ""


def copied(target: Path) -> Path:
    """The tree as it is, with what was built in it; files that did not change keep their time."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    built = (ROOT / "lmdk_widgets" / "static").rglob("*")
    wanted = {name for name in names if name and (ROOT / name).is_file()}
    wanted |= {str(path.relative_to(ROOT)) for path in built if path.is_file()}
    for name in wanted:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target / name)
    for path in [*(target / "lmdk_widgets").rglob("*.py"), *(target / "tests").rglob("*.py")]:
        if str(path.relative_to(target)) not in wanted:
            path.unlink()
    # bytecode that is known by what a file holds, not by its time; and the simplex as machine code
    for module in (["compileall", "-q", "--invalidation-mode", "checked-hash", "lmdk_widgets", "tests"], [SIMPLEX]):
        subprocess.run([sys.executable, "-m", *module], cwd=target, env=_environment(target), check=True)
    return target


def _environment(copy: Path) -> dict[str, str]:
    """In which the copy is what is imported, no file of bytecode is written, and pytest starts without plugins."""
    alone = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return os.environ | alone | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
