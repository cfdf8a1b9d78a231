"""The package's types from outside: what a type checker accepts, and which mistakes it finds."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

import lmdk_widgets
from lmdk_widgets import names
from lmdk_widgets.budgets import FIXED_SCHEMES, RELEASE_SCHEMES, SCHEMES
from lmdk_widgets.budgets.releases import ReleaseOptions
from lmdk_widgets.hosts.widget.bundle import FileWidgetTraits
from lmdk_widgets.hosts.widget.track import ExplorerOptions
from lmdk_widgets.population import People
from lmdk_widgets.population.exposure_of_people import FoundOptions
from lmdk_widgets.scenario.knowledge import MOVES, STARTS
from lmdk_widgets.scenario.model import ADVERSARIES, CORRELATIONS, MECHANISMS, Scenario, ScenarioChanges
from lmdk_widgets.scenario.model import SCHEMES as SWEPT
from lmdk_widgets.scenario.outcome import Improvements, Outcome
from lmdk_widgets.trajectory.load import READ_AGAIN, FileOptions
from lmdk_widgets.trajectory.model import ExploreOptions

ROOT = Path(__file__).parents[1]

REGISTERED = {
    "SchemeName": SCHEMES,
    "FixedSchemeName": FIXED_SCHEMES,
    "ReleaseSchemeName": [*RELEASE_SCHEMES, "given"],
    "SweptSchemeName": SWEPT,
    "MechanismName": MECHANISMS,
    "AdversaryName": ADVERSARIES,
    "CorrelationName": CORRELATIONS,
    "StartName": STARTS,
    "MovesName": MOVES,
}


def test_types_of_names_are_what_is_registered() -> None:
    assert {name for name in vars(names) if name.endswith("Name")} == REGISTERED.keys()
    for name, registered in REGISTERED.items():
        assert set(get_args(getattr(names, name))) == set(registered), name


def test_choices_of_a_scenario_have_these_types() -> None:
    declared, changed = get_type_hints(Scenario), get_type_hints(ScenarioChanges)
    assert list(changed) == list(Scenario.kinds())
    for name in ("scheme", "mechanism", "adversary", "correlation"):
        assert declared[name] == changed[name] and set(get_args(declared[name])) == set(Scenario.kinds()[name].meanings)
    plain = {name: declared[name] for name in changed if declared[name] in (bool, int, float, str)}
    assert {name: changed[name] for name in plain} == plain


def test_further_keywords_are_those_that_are_taken() -> None:
    assert set(get_type_hints(FileOptions)) == set(READ_AGAIN)
    assert set(get_type_hints(FileWidgetTraits)) - {"layout", "tabbable", "tooltip"} == {*READ_AGAIN} - {"timezone"}
    assert set(get_type_hints(FoundOptions)) == {
        name for name, one in inspect.signature(People.found).parameters.items() if one.kind is one.KEYWORD_ONLY
    }
    assert set(get_type_hints(ReleaseOptions)) == {
        *(option for scheme in SCHEMES.values() for option in scheme.options),
        *("sensitivity", "radius_m", "distance"),
    }
    explorer = get_type_hints(lmdk_widgets.Explorer.__init__)
    passed, taken = get_type_hints(ExplorerOptions), inspect.signature(lmdk_widgets.Explorer).parameters
    read = {**get_type_hints(FileWidgetTraits), **{name: explorer[name] for name in taken.keys() - {"query", "how"}}}
    assert passed == read, "what the dashboard passes on"
    options = get_type_hints(ExploreOptions)
    assert options == {name: passed[name] for name in options}


def test_what_is_found_later_of_an_outcome_is_what_it_has() -> None:
    improved, outcome = Improvements.__annotations__, Outcome.__annotations__
    assert {name: kind.__forward_arg__ for name, kind in improved.items()} == {name: outcome[name] for name in improved}


@pytest.mark.parametrize("name", [name for name in lmdk_widgets.__all__ if not name.startswith("_")])
def test_no_public_function_takes_just_any_keyword(name: str) -> None:
    found = getattr(lmdk_widgets, name)
    made = found.__init__ if inspect.isclass(found) else found
    for each in inspect.signature(made).parameters.values():
        assert each.kind is not each.VAR_KEYWORD or str(each.annotation).startswith("Unpack["), each


@pytest.mark.parametrize(
    "method",
    [
        *(Scenario.with_changes, Outcome.improved, lmdk_widgets.Trajectory.explore),
        *(People.share_found, People.histogram, People.useful),
    ],
)
def test_further_keywords_of_a_method_are_named(method: Any) -> None:
    (kind,) = [one for one in inspect.signature(method).parameters.values() if one.kind is one.VAR_KEYWORD]
    assert str(kind.annotation).startswith("Unpack[")


USER_CODE = """
from lmdk_widgets import Dashboard, Explorer, Scenario, defences, describe, evaluate, load, sample, settings_table
from lmdk_widgets.budgets import allocate
from lmdk_widgets.names import SchemeName
from lmdk_widgets.population import People

track = sample("commuter")
schemes: list[SchemeName] = ["uniform", "skip"]
for scheme in schemes:
    outcome = evaluate(Scenario(scheme=scheme, epsilon=0.5, landmarks=track.landmarks), track)
    print(outcome.mean_error_m.hex(), outcome.losses.total.max(), outcome.answers.found_within_m, outcome.words.paragraph)
explorer = Explorer("bob", epsilon=0.5, scheme="skip", landmarks=[0, 2])
error: float = explorer.outcome.mean_error_m
print(dict(explorer.choices), explorer.outcome.to_dict()["release"], describe(explorer.outcome).warnings)
frame = settings_table(Scenario(), track, schemes=["uniform"], epsilons=[1], progress=lambda done, of: None)
print(allocate("uniform", 8, [0], 1.0), track.explore(epsilon=2), load("day.csv", timezone="UTC", accept=True))
print(Scenario().with_changes(epsilon=2, scheme="event"), defences(Scenario(), track, progress=True))
print(Dashboard(query="page=table", trajectory="bob", epsilon=0.5, person="p1", paths=False).page)
print(outcome.improved(drawn=0, stopped="").release, track.explore(scenario=Scenario()).outcome.losses.total.max())

Scenario(scheme="unifrom")  # wrong
Scenario(epsilom=1)  # wrong
Scenario().with_changes(epsilom=1)  # wrong
Scenario().with_changes(scheme="unifrom")  # wrong
Scenario(mechanism="planer")  # wrong
Scenario(adversary="all")  # wrong
Explorer("bob", epsilom=1)  # wrong
Explorer("bob", scheme="unifrom")  # wrong
track.explore(epsilom=1)  # wrong
Dashboard(epsilom=1)  # wrong
Dashboard(scheme="unifrom")  # wrong
outcome.improved(dravn=1)  # wrong
outcome.improved(drawn="one")  # wrong
explorer.outcome.budgts  # wrong
explorer.outcome.losses.totl  # wrong
explorer.outcome.words.paragraf  # wrong
allocate("unifrom", 8, [0], 1.0)  # wrong
settings_table(Scenario(), track, schemes=["unifrom"])  # wrong
settings_table(Scenario(), track, progress=3)  # wrong
load("day.csv", timezome="UTC")  # wrong
People("table.csv").share_found("unifrom", 1.0, 200.0)  # wrong
People("table.csv").share_found("uniform", 1.0, 200.0, radius=3)  # wrong
name: str = explorer.outcome.mean_error_m  # wrong
"""


@pytest.mark.slow
def test_a_type_checker_finds_each_mistake_and_nothing_else(tmp_path: Path) -> None:
    """mypy --strict, with the cache of the package's own check."""
    pytest.importorskip("mypy", reason="mypy is not installed: it comes with the extra 'check'")
    assert (ROOT / "lmdk_widgets" / "py.typed").is_file()
    (tmp_path / "user.py").write_text(USER_CODE)
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--ignore-missing-imports"]
    cache = ["--python-version=3.11", f"--cache-dir={ROOT / '.mypy_cache' / 'user'}"]
    told: Any = subprocess.run(
        [*command, *cache, "user.py"],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
    ).stdout
    found = {int(line) for line in re.findall(r"^user\.py:(\d+): error", told, re.M)}
    assert found == {k for k, line in enumerate(USER_CODE.splitlines(), 1) if line.endswith("# wrong")}, told
