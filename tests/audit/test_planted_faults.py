"""Twelve planted mistakes: ten are found by the audit, at a power that is computed; all are found by a test."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from lmdk_widgets.audit import power, subjects
from tests.audit.planted import PLANTED, file_has_the_noise_of_the_page, ledger_forgets

AUDITED = [name for name, (_, found) in PLANTED.items() if found]
QUICK = ["one noise", "half a window", "planar scale", "lattice rate"]


def test_twelve_are_planted_and_at_least_eight_are_for_the_audit() -> None:
    assert len(PLANTED) == 12 and len(AUDITED) == 10
    names = {each.name for each in subjects()}
    for name in AUDITED:
        found = PLANTED[name][1]
        assert found and (found.subject in names or not find_spec(found.library))


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=[pytest.mark.long, pytest.mark.slow]) for name in AUDITED],
)
def test_the_audit_finds_it_and_would_find_it_nine_times_in_ten(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, found = PLANTED[name]
    assert found
    if found.library:
        pytest.importorskip(found.library)
    (subject,) = [each for each in subjects() if each.name == found.subject]
    plant(monkeypatch)
    bound = subject.measure(found.epsilon, np.random.default_rng(1), found.draws)
    assert not isinstance(bound, float) and bound.epsilon > found.epsilon
    assert power(bound.chance, bound.other, bound.draws, found.epsilon) > 0.9


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("name", AUDITED)
def test_without_the_mistake_nothing_is_found(name: str) -> None:
    found = PLANTED[name][1]
    assert found
    if found.library:
        pytest.importorskip(found.library)
    (subject,) = [each for each in subjects() if each.name == found.subject]
    bound = subject.measure(found.epsilon, np.random.default_rng(1), found.draws)
    assert not isinstance(bound, float) and bound.epsilon <= found.epsilon


def test_a_ledger_that_adds_the_last_entry_only_lets_a_limit_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "right").mkdir()
    assert not ledger_forgets(tmp_path / "right")
    PLANTED["ledger"][0](monkeypatch)
    (tmp_path / "wrong").mkdir()
    assert ledger_forgets(tmp_path / "wrong")


def test_a_file_with_the_noise_of_the_page_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not file_has_the_noise_of_the_page()
    PLANTED["page seed"][0](monkeypatch)
    assert file_has_the_noise_of_the_page()
