"""Where Numba compiles nothing, HiGHS answers in place of the simplex, and plain Python in that of its cone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
QUICK = "not browser and not slow"
ROOMS = (
    "tests/geoind",
    "tests/linear",
    "tests/pages/place",
    "tests/hosts/widget/test_place_widget.py",
    "tests/every_number/test_place_numbers.py",
)


def passes(*tests: str) -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", QUICK, *tests]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.nightly
def test_the_optimal_mechanism_passes_its_tests_without_machine_code() -> None:
    passes("tests/geoind/test_optimal.py")


@pytest.mark.nightly
def test_the_loss_of_pairs_passes_its_tests_without_machine_code() -> None:
    passes("tests/leakage/test_leakage_pairs.py")


@pytest.mark.slow
@pytest.mark.nightly
def test_every_room_that_has_machine_code_passes_without_it() -> None:
    passes(*ROOMS)
