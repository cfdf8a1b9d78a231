"""A private mechanism more is one module and one line: one is added to a copy, which releases with it and audits it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.dummies.copied import Copy

MODULE = '''"""A mechanism of a test: geometric noise on a public grid between the bounds."""

from __future__ import annotations

from functools import partial

import numpy as np

from lmdk_widgets.geo import Floats
from lmdk_widgets.secure.base import Pair
from lmdk_widgets.secure.exact import system_entropy
from lmdk_widgets.secure.numbers import SecureNumbers, number_words
from lmdk_widgets.secure.series import SeriesMechanism, SeriesSettings


def _noise(values: Floats, budgets: Floats, settings: SeriesSettings) -> SecureNumbers:
    assert settings.low is not None and settings.high is not None
    step = (settings.high - settings.low) / 100
    rng = np.random.default_rng(system_entropy(4))
    drop = -np.expm1(-budgets / 100)
    whole = np.rint((np.clip(values, settings.low, settings.high) - settings.low) / step)
    whole += rng.geometric(drop) - rng.geometric(drop)
    return SecureNumbers(settings.low + step * whole, budgets, settings.high - settings.low)


STEPS = SeriesMechanism(
    name="steps",
    title="geometric steps",
    meaning="noise on a grid between public bounds.",
    releases="numbers in steps",
    pairs=(Pair("both bounds, a hundred steps apart", (0.0, 1.0), {"low": 0.0, "high": 1.0}),),
    noise=_noise,
    words=partial(number_words, noise="geometric steps on a grid"),
)
'''
TEST = '''"""What is released lies on the grid."""

import numpy as np

from lmdk_widgets.secure.series import SeriesSettings
from lmdk_widgets.secure.steps import STEPS


def test_the_outputs_lie_on_the_grid() -> None:
    made = STEPS.noise(np.full(50, 0.504), np.full(50, 1.0), SeriesSettings(low=0.0, high=1.0))
    assert np.allclose(made.values * 100, np.rint(made.values * 100))
'''
WALK = """
import contextlib, io, json, sys
from pathlib import Path

import lmdk_widgets
from lmdk_widgets.cli import main
from lmdk_widgets.secure.check import check_release

folder = Path(sys.argv[1])
assert Path(lmdk_widgets.__file__).is_relative_to(folder)


def said(*arguments):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        assert main(arguments) == 0, arguments
    return " ".join(out.getvalue().split())


assert "steps: noise on a grid between public bounds." in said("release", "--help")
(folder / "day.csv").write_text("time,kWh\\n" + "".join(f"2026-03-01T{k:02d}:00Z,{k % 3}\\n" for k in range(9)))
made = ["release", str(folder / "day.csv"), "--epsilon", "1", "--low", "0", "--high", "2"]
made += ["--ledger", str(folder / "spent.json"), "--out", str(folder / "out"), "--mechanism", "steps"]
assert "The release is in" in said(*made)
told = json.loads((folder / "out" / "guarantee.json").read_text("utf-8"))
assert told["mechanism"] == "geometric steps" and told["values"] == 9 and told["bounds"] == [0.0, 2.0]
assert told["words"][0].startswith("Each number has geometric steps on a grid: if the true number at its timestamp")
assert "OpenDP" not in str(told) and all(line.holds is not False for line in check_release(folder / "out"))
assert len(json.loads((folder / "spent.json").read_text("utf-8"))) > 0
found = said("audit", "--only", "numbers in steps", "--draws", "20000")
assert "both bounds, a hundred steps apart" in found and "Nothing found against the claim" in found, found
"""


@pytest.mark.slow
def test_a_mechanism_more_is_one_module_and_one_line(tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    copy.new("lmdk_widgets/secure/steps.py", MODULE)
    registry = "lmdk_widgets/secure/all_mechanisms.py"
    copy.insert(registry, "from lmdk_widgets.secure.steps import STEPS\n", "from lmdk_widgets.secure.track import")
    copy.insert(registry, "        STEPS,\n", "    )\n}")
    copy.new("tests/secure/test_steps.py", TEST)
    copy.follows("Add a mechanism for private releases", "steps", most=3)
    copy.run("-c", WALK, str(tmp_path))
    copy.run("-m", "pytest", "-q", "tests/secure/test_steps.py")
