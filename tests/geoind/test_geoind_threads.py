"""HiGHS with as many threads as a program chose that solved something in the same process before."""

import subprocess
import sys

import pytest

ELSEWHERE = """
import highspy

model = highspy.Highs()
model.setOptionValue("output_flag", False)
model.addVar(0, 1)
model.setOptionValue("threads", 2)
model.run()
from lmdk_widgets.course.places import solved

assert solved()["private"].error_m > 0
"""


@pytest.mark.long
def test_a_process_that_has_used_highs_with_other_threads_solves_too() -> None:
    """HiGHS refuses another number of threads than that of its first run in a process."""
    done = subprocess.run([sys.executable, "-c", ELSEWHERE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
