"""Every way to follow the recursion gives the same digits: one by one, and as machine code."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from lmdk_widgets.leakage import LossFunction, backward_loss, compiled, forward_loss, recursion, temporal_loss
from lmdk_widgets.leakage.markov import smoothed_identity

from .oracles import A, C, M, normalised, random_matrix

pytestmark = pytest.mark.slow

needs_numba = pytest.mark.skipif(compiled.machine_code() is None, reason="Numba does not run here")
NEVER = 10**12


def _chains(rng):
    yield "unbounded", LossFunction(A)
    yield "forgets", LossFunction(C)
    yield "three vertices", LossFunction(M)
    yield "remembers", LossFunction(smoothed_identity(5, 1e-5))
    yield "dense", LossFunction(rng.dirichlet(np.ones(60), 60))
    yield "peaked", LossFunction(normalised(rng.dirichlet(np.full(40, 0.05), 40) + 1e-5))
    sparse = rng.random((20, 20)) * (rng.random((20, 20)) < 0.4)
    sparse[:, 3] += 0.05
    yield "sparse", LossFunction(normalised(sparse))
    yield "nearly equal rows", LossFunction(normalised(1 + 1e-7 * rng.standard_normal((6, 6))))
    yield "reducible", LossFunction([[0.9, 0.1, 0, 0], [0.05, 0.9, 0.05, 0], [0.3, 0.3, 0.4, 0], [0.1, 0.1, 0.1, 0.7]])


def _budgets(rng, n):
    yield "varied", rng.random(n) * 0.2
    yield "small", rng.random(n) * 1e-3
    yield "tiny", rng.random(n) * 1e-200
    yield "zero", np.zeros(n)
    yield "constant", np.full(n, 0.1)
    yield "few values", np.repeat([0.3, 0.0, 0.05, 0.3], -(-n // 4))[:n]
    yield "two values in turn", np.where(np.arange(n) % 2, 0.3, 0.01)
    yield "with zeros", rng.random(n) * (rng.random(n) < 0.2)
    yield "bursts", np.where(rng.random(n) < 0.01, 30.0, 0.01)
    yield "huge", rng.random(n) * 330 * (rng.random(n) < 0.5)


CASES = [(c, b) for c, _ in _chains(np.random.default_rng(0)) for b, _ in _budgets(np.random.default_rng(0), 1)]


def _case(names, n):
    rng = np.random.default_rng(0)
    chain, budgets = names
    return dict(_chains(rng))[chain], dict(_budgets(rng, n))[budgets]


def _by_definition(monkeypatch, loss, budgets):
    def one_by_one(grown, theta):
        return np.array(recursion._one_by_one(grown.tolist(), theta, loss))

    with monkeypatch.context() as patch:
        patch.setattr(recursion, "_method", lambda *_: (one_by_one, len(budgets)))
        return temporal_loss(loss, loss, budgets)


def _same_digits(one, other):
    return all(np.array_equal(getattr(one, side), getattr(other, side)) for side in ("backward", "forward", "total"))


@pytest.mark.parametrize("names", CASES, ids=" ".join)
def test_short_series_have_the_digits_of_one_by_one(names, monkeypatch):
    monkeypatch.setattr(compiled, "FROM", NEVER)
    for n in (1, 700, 13_001):
        loss, budgets = _case(names, n)
        assert _same_digits(temporal_loss(loss, loss, budgets), _by_definition(monkeypatch, loss, budgets))


@needs_numba
@pytest.mark.parametrize("names", CASES, ids=" ".join)
def test_machine_code_gives_the_digits_of_one_by_one(names, monkeypatch):
    monkeypatch.setattr(compiled, "FROM", 1)
    for n, block in ((1, 64), (700, 64), (13_001, 4096)):
        monkeypatch.setattr(compiled, "BLOCK", block)
        loss, budgets = _case(names, n)
        assert _same_digits(temporal_loss(loss, loss, budgets), _by_definition(monkeypatch, loss, budgets))


@needs_numba
def test_machine_code_on_random_matrices_and_every_short_length(monkeypatch):
    rng = np.random.default_rng(1)
    for n in range(1, 250):
        before, after = (LossFunction(random_matrix(rng, int(rng.integers(1, 7)))) for _ in range(2))
        budgets = rng.random(n) * 10 ** rng.uniform(-6, 2) * (rng.random(n) < 0.8)
        monkeypatch.setattr(compiled, "FROM", NEVER)
        back, front = backward_loss(before, budgets), forward_loss(after, budgets)
        monkeypatch.setattr(compiled, "FROM", 1)
        monkeypatch.setattr(compiled, "BLOCK", int(rng.integers(1, n + 1)))
        found = temporal_loss(before, after, budgets)
        assert np.array_equal(found.backward, back) and np.array_equal(found.forward, front)


@needs_numba
def test_machine_code_of_a_long_series_as_it_is_called(monkeypatch):
    rng = np.random.default_rng(2)
    loss, budgets = LossFunction(rng.dirichlet(np.ones(50), 50)), rng.random(compiled.FROM + 3) * 0.2
    found = temporal_loss(loss, loss, budgets)
    monkeypatch.setattr(compiled, "FROM", NEVER)
    assert _same_digits(found, temporal_loss(loss, loss, budgets))


def test_the_kernel_in_plain_python_is_the_recursion():
    rng = np.random.default_rng(3)
    for name, loss in _chains(rng):
        for n in (1, 7, 8, 9, 300):
            grown = np.expm1(rng.random(n) * 0.5)
            out, view = np.empty(n), grown[::-1] if n % 2 else grown
            compiled.kernel(view, out, 0.25, *compiled.tables(loss))
            assert out.tolist() == recursion._one_by_one(view.tolist(), 0.25, loss), name


def test_a_break_between_two_vertices_belongs_to_the_upper_one():
    rng = np.random.default_rng(4)
    loss = LossFunction(rng.dirichlet(np.ones(60), 60))
    tables = compiled.tables(loss)
    for value in loss.theta_breaks.tolist():
        for theta in (np.nextafter(value, 0), value, np.nextafter(value, np.inf)):
            found = compiled.step(float(theta), 0.1, *tables)
            assert found == recursion._one_by_one([0.1], float(theta), loss)[0]


def _seen(code):
    root = Path(__file__).parents[2]
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root).stdout


def test_numba_is_not_imported_for_short_series():
    code = "import sys, lmdk_widgets, lmdk_widgets.scenario\nfrom lmdk_widgets.leakage import compiled, temporal_loss\n"
    code += "temporal_loss([[0.8, 0.2], [0.2, 0.8]], None, [0.1, 0.2] * (compiled.FROM // 2 - 1))\n"
    assert _seen(code + "print('numba' in sys.modules)").strip() == "False"


def test_without_numba_long_series_work_as_well():
    code = "import sys; sys.modules['numba'] = None\nfrom lmdk_widgets.leakage import compiled, temporal_loss\n"
    code += "compiled.FROM = 10\nloss = temporal_loss([[0.8, 0.2], [0.2, 0.8]], None, [0.1] * 30)\n"
    assert _seen(code + "print(compiled.machine_code(), round(loss.backward[9], 10))").split() == [
        "None",
        "0.2473828908",
    ]


@needs_numba
def test_where_no_cache_can_be_written_it_is_compiled_all_the_same(monkeypatch):
    import numba

    made = []

    def njit(signature, **options):
        if options.pop("cache", False):
            raise RuntimeError("cannot cache function: no locator available")
        return lambda function: made.append(function) or "compiled"

    monkeypatch.setattr(numba, "njit", njit)
    assert compiled.machine_code.__wrapped__() == "compiled" and made == [compiled.kernel]
