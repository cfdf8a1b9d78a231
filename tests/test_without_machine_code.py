"""Where Numba compiles nothing, what answers in its place gives the same: HiGHS, and the recursion one by one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
QUICK = "not browser and not slow"
ENGINES = (
    "tests/geoind/test_optimal.py",
    "tests/leakage/test_leakage_compiled.py",
    "tests/leakage/test_leakage_temporal.py",
)
"""The tests of what machine code does otherwise: ten seconds, in every `make check`."""
ROOMS = (
    "tests/leakage",
    "tests/geoind",
    "tests/pages/places",
    "tests/hosts/widget/test_places_lab.py",
    "tests/every_number/test_place_numbers.py",
)


def passes(*tests: str) -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", QUICK, *tests]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-3000:]


def test_the_engines_pass_their_tests_without_machine_code() -> None:
    passes(*ENGINES)


@pytest.mark.slow
def test_every_room_that_has_machine_code_passes_without_it() -> None:
    passes(*ROOMS)


def test_numba_that_compiles_nothing_is_not_run() -> None:
    """It would hand back the kernel in plain Python, slower than the recursion one by one."""
    code = "from lmdk_widgets.leakage import compiled; print(compiled.machine_code())"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.strip() == "None"
