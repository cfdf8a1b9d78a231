"""A scheme more is a module, its line and its name: three are added to a copy, and all that knows schemes is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from lmdk_widgets.page.link import to_query
from lmdk_widgets.pages.track.choices import TrackChoices
from tests.dummies.copied import Copy

HEAD = '''
"""A scheme of a test."""

from __future__ import annotations

import numpy as np

from lmdk_widgets.budgets.quanta import share
from lmdk_widgets.budgets.request import Release
from lmdk_widgets.budgets.schemes.base import LANDMARKS_AND, Pair, Scheme


class _Own(Scheme):
    def allocate(self, n, landmarks, epsilon, window):
'''
HALVED = """
        return np.full(n, share(epsilon, 2 * min(len(landmarks) + 1, n)))


SCHEME = _Own(
    name="halved",
    title="Halved",
    meaning="half of what Uniform spends.",
    keeps="Theorem",
    grows=False,
    pairs=(Pair(f"{LANDMARKS_AND}; half is spent", (1, 3, 4), tight=False),),
)
"""
ALTERNATING = """
        budgets = np.full(n, share(epsilon, 1))
        budgets[1::2] = share(epsilon, 2)
        return budgets


SCHEME = _Own(
    name="alternating",
    title="Alternating",
    meaning="the whole budget and half of it by turns.",
    keeps="nothing",
    alike=True,
    pairs=(),
)
"""
COIN = """
        return np.full(n, share(epsilon, min(len(landmarks) + 1, n)))

    def _published(self, uniforms):
        return uniforms < 0.5

    def release(self, request, rng):
        draw, published = request.source.draw(rng), self._published(rng.random(len(request.source)))
        budgets = np.where(published, self.known(request), 0.0)
        return Release(draw.outputs(budgets), budgets, published, request.landmarks)

    def decisions(self, rng, out):
        rng.random(out=out)

    def many(self, request, origin, noise, decisions, factor):
        fresh = origin.true[:, None] + noise * (origin.size * factor / self.known(request)[:, None])
        fresh[~self._published(decisions)] = np.nan
        for t in range(1, len(fresh)):
            fresh[t] = np.where(np.isnan(fresh[t]), fresh[t - 1], fresh[t])
        return fresh


SCHEME = _Own(
    name="coin",
    title="Coin",
    meaning="each timestamp is measured or not, by chance.",
    keeps="Theorem",
    online=True,
    pairs=(Pair(f"{LANDMARKS_AND}; half are measured", (1, 3, 4), tight=False),),
)
"""
MODULES = {"halved": HALVED, "alternating": ALTERNATING, "coin": COIN}
FIXED = ['"event", "user"']
NAMED = {
    "coin": [
        '"adaptive", "budget-distribution", "budget-absorption", "predictive", "given"',
        '"predictive", "best-plan"',
    ]
}
"""Before what its name stands in the types, where it is not fixed in advance."""


TEST = """
import numpy as np

from lmdk_widgets.budgets import allocate


def test_it_spends() -> None:
    assert (np.asarray(allocate("{name}", 8, (1, 4), 1.0)) > 0).all()
"""


@pytest.mark.nightly
@pytest.mark.slow
def test_a_scheme_more_is_one_module_its_line_and_its_name(tmp_path: Path) -> None:
    copy, front = Copy(tmp_path), "lmdk_widgets/budgets/schemes/__init__.py"
    for name, rest in MODULES.items():
        copy.written.clear()
        copy.new(f"lmdk_widgets/budgets/schemes/{name}.py", HEAD.strip() + rest)
        copy.insert(front, f'    "{name}",\n', '    "planned",\n')
        for before in NAMED.get(name, FIXED):
            copy.insert("lmdk_widgets/names.py", f'"{name}", ', before)
        copy.new(f"tests/budgets/test_{name}.py", TEST.format(name=name).lstrip())
        copy.follows("Add a scheme", name, most=4)
    query = to_query(TrackChoices().with_changes(**{"table.open": True}))
    assert copy.run("-m", "tests.dummies.scheme_walk", str(tmp_path), query).strip().endswith("walked")
    copy.run("-m", "pytest", "-q", "tests/budgets/test_halved.py", "tests/budgets/test_alternating.py")
    copy.run("-m", "pytest", "-q", "tests/test_typed.py", "-k", "registered")
