"""What one page has solved serves the others: to the last bit, certified again, and nothing of anyone's own."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.geoind import Channel, Solver
from lmdk_widgets.geoind import solved_store as store_module
from lmdk_widgets.geoind import solvers as solve_module
from lmdk_widgets.geoind.checkins import read_checkins
from lmdk_widgets.geoind.mechanisms import MECHANISMS
from lmdk_widgets.geoind.solved_store import SHARED, VARIABLE, Latest, Store, _packed
from lmdk_widgets.pages.place import Instance, PlaceChoices, Solvers, Sources, evaluate
from lmdk_widgets.pages.place.session import PlaceSession
from lmdk_widgets.trajectory import sample

SMALL = PlaceChoices(rows=3, columns=3, prior="uniform", other="city")
POSIX = pytest.mark.skipif(os.name != "posix", reason="files have owners elsewhere")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "solved"))
    SHARED.clear()
    return tmp_path / "solved"


def solved(places: PlaceChoices = SMALL, instance: Instance | None = None) -> dict[str, Channel]:
    steps = Solvers().solve(instance or evaluate(places).instance, places)
    return {s.mechanism: s.assessed.channel for s in steps if s.finished and s.assessed is not None}


def forbid_solving(monkeypatch: pytest.MonkeyPatch) -> None:
    def no(*_: Any, **__: Any) -> Any:
        raise AssertionError("solved anew")

    monkeypatch.setattr(Solver, "improve", no)
    for name in ("planar", "remapped", "most_private"):
        monkeypatch.setattr(solve_module, name, no)


def same(one: Channel, other: Channel) -> bool:
    told = [asdict(each) for each in (one, other)]
    matrices = [each.pop("matrix").tobytes() for each in told]
    return matrices[0] == matrices[1] and repr(told[0]) == repr(told[1])


def test_another_page_has_it_to_the_last_bit_without_a_solve(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = solved()
    forbid_solving(monkeypatch)
    here = solved()
    SHARED.clear()
    again = solved()  # as in another process
    assert set(first) == set(again) == set(MECHANISMS) and len(list(folder.iterdir())) == 5
    assert all(first[name] is here[name] and same(first[name], again[name]) for name in MECHANISMS)


def test_the_latest_are_kept_within_so_many_bytes_and_always_a_few() -> None:
    latest, channels = Latest(10 * 72), [Channel(np.eye(3), 0.0, np.inf, 0.0) for _ in range(12)]
    for number, channel in enumerate(channels):
        latest.put((number,), channel)
        latest.get((0,))
    assert [number for number in range(12) if latest.get((number,))] == [0, *range(3, 12)]
    few = Latest(0)
    for number, channel in enumerate(channels):
        few.put((number,), channel)
    assert [number for number in range(12) if few.get((number,))] == list(range(4, 12))


@pytest.mark.parametrize("room", [1000, 10])
def test_threads_that_share_the_latest_get_what_is_theirs(room: int) -> None:
    """Nothing is missing while there is room for all, no thread gets another key's, and the limit holds in the end."""
    latest, missed, wrong = Latest(room * 72), list[int](), list[int]()
    channels = [Channel(np.eye(3), float(number), np.inf, 0.0) for number in range(24)]
    for number in range(4):
        latest.put((Path("solved"), number), channels[number])

    def page(seed: int) -> None:
        for number in np.random.default_rng(seed).integers(0, 24, 1500).tolist():
            if number >= 4:
                latest.put((Path("solved"), number), channels[number])
            hot = number % 4
            for asked in (hot, number):
                found = latest.get((Path("solved"), asked))
                if found is None:
                    missed.append(asked)
                elif found is not channels[asked]:
                    wrong.append(asked)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(6) as pool:
            list(pool.map(page, range(6)))
    finally:
        sys.setswitchinterval(before)
    assert not wrong and (room == 10 or not missed)
    latest.put((Path("solved"), 23), channels[23])
    kept = sum(latest.get((Path("solved"), number)) is not None for number in range(24))
    assert kept == 24 if room == 1000 else 0 < kept <= 10


def test_what_another_thread_puts_while_room_is_made_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest is put anew just before it would be dropped."""
    latest, old, new = Latest(0), *(Channel(np.eye(3), 0.0, np.inf, 0.0) for _ in range(2))
    for number in range(store_module.FEWEST):
        latest.put((number,), old)

    class Meddled(dict):
        asked = 0

        def get(self, key: tuple, default: Any = None) -> Any:
            self.asked += key == (0,)
            if self.asked == 2 and key == (0,):
                self[key] = store_module._Kept(new, 99)
            return super().get(key, default)

    monkeypatch.setattr(latest, "_kept", Meddled(latest._kept))
    latest.put((100,), old)
    assert latest.get((0,)) is new


def test_a_page_begins_with_what_others_have_solved(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = solved()
    forbid_solving(monkeypatch)
    session = PlaceSession(SMALL)
    assert {name: same(found.channel, first[name]) for name, found in session.outcome.assessed.items()} == (
        dict.fromkeys(MECHANISMS, True)
    )
    session.apply([{"op": "set", "name": "level", "value": 2.0}], commit=True)
    session.apply([{"op": "set", "name": "level", "value": 1.0}], commit=True)
    assert session.outcome.present.channel.requested_epsilon == 0.001


def test_what_another_page_has_solved_meanwhile_is_taken(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = evaluate(SMALL).instance
    steps = Solvers().incumbents("optimal", instance, 0.001, 1.1)
    assert next(steps).assessed is None  # it is told before it is begun
    other = solved()
    forbid_solving(monkeypatch)
    (last,) = steps
    assert last.finished and last.assessed is not None and same(last.assessed.channel, other["optimal"])


def test_other_tolerances_levels_and_dilations_are_other_problems(folder: Path) -> None:
    instance = evaluate(SMALL).instance
    solved()
    for other in (SMALL.with_changes(level=1.01), SMALL.with_changes(prior="city", level=1.5)):
        assert not Solvers().known(evaluate(other).instance, other)
    assert "spanner" not in Solvers().known(instance, SMALL.with_changes(dilation=1.3))
    assert not Solvers(1e-3).known(instance, SMALL)


def test_many_cells_are_not_certified_while_the_page_waits(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    solved()
    monkeypatch.setattr(solve_module, "AT_ONCE", 8)
    assert not PlaceSession(SMALL).outcome.assessed
    forbid_solving(monkeypatch)
    assert len(solved()) == 5


# -- files that are not to be believed --------------------------------------------------------------------------------


def kept(folder: Path) -> Path:
    """The file of the optimal mechanism, the only one there."""
    *_, _ = Solvers().incumbents("optimal", evaluate(SMALL).instance, 0.001, 1.1)
    (file,) = folder.iterdir()
    return file


def refused(file: Path) -> bool:
    """Whether the file counts as not there, and the solve that follows writes it again."""
    SHARED.clear()  # as in another process
    unknown = "optimal" not in Solvers().known(evaluate(SMALL).instance, SMALL)
    *_, _ = Solvers().incumbents("optimal", evaluate(SMALL).instance, 0.001, 1.1)
    SHARED.clear()
    return unknown and "optimal" in Solvers().known(evaluate(SMALL).instance, SMALL)


@pytest.mark.parametrize("at", [0, 31, 32, 60, 200, -1])
def test_a_file_in_which_a_byte_has_changed_is_solved_anew(folder: Path, at: int) -> None:
    file = kept(folder)
    data = bytearray(file.read_bytes())
    data[at] ^= 1
    file.write_bytes(data)
    assert refused(file)


@pytest.mark.parametrize("data", [b"", b"x", b"\0" * 32, b"{}\n" * 100])
def test_a_file_of_something_else_is_solved_anew(folder: Path, data: bytes) -> None:
    file = kept(folder)
    file.write_bytes(data)
    assert refused(file)
    file.write_bytes(hashlib.sha256(data).digest() + data)
    assert refused(file)


def worse(matrix: np.ndarray) -> np.ndarray:
    return 0.999 * matrix + 0.001 * np.eye(len(matrix))


FORGED: dict[str, Callable[[Channel], dict[str, Any]]] = {
    "less private": lambda c: {"matrix": worse(c.matrix)},
    "of another level": lambda c: {"requested_epsilon": 2 * c.requested_epsilon},
    "epsilon": lambda c: {"epsilon": 0.99 * c.epsilon},
    "loss": lambda c: {"quality_loss": 0.99 * c.quality_loss},
    "gap": lambda c: {"gap": c.gap + 1e-3},
    "bound": lambda c: {"bound": 1.01 * c.bound},
    "rows": lambda c: {"matrix": 1.01 * c.matrix},
    "below zero": lambda c: {"matrix": c.matrix - 0.01 * np.eye(len(c))},
    "nothing": lambda c: {"matrix": np.full_like(c.matrix, np.nan)},
    "other places": lambda c: {"matrix": c.matrix[:4, :4]},
}


@pytest.mark.parametrize("what", FORGED)
def test_a_mechanism_that_is_not_what_it_says_is_solved_anew(folder: Path, what: str) -> None:
    file = kept(folder)
    channel = Solvers().known(evaluate(SMALL).instance, SMALL)["optimal"].channel
    file.write_bytes(_packed(replace(channel, **FORGED[what](channel))))
    assert refused(file)


def test_a_mechanism_for_another_prior_is_not_this_one(folder: Path) -> None:
    file = kept(folder)
    other = solved(instance=replace(evaluate(SMALL.with_changes(prior="city")).instance, public=False))
    file.write_bytes(_packed(other["optimal"]))
    assert refused(file)


@POSIX
@pytest.mark.parametrize("mode", [0o644, 0o620, 0o602])
def test_a_file_that_others_may_read_or_write_is_solved_anew(folder: Path, mode: int) -> None:
    file = kept(folder)
    assert file.stat().st_mode & 0o777 == 0o600 and folder.stat().st_mode & 0o777 == 0o700
    file.chmod(mode)
    assert refused(file) and file.stat().st_mode & 0o777 == 0o600


@POSIX
def test_a_link_or_a_file_of_somebody_else_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = kept(folder)
    elsewhere = folder.parent / "elsewhere"
    file.rename(elsewhere)
    file.symlink_to(elsewhere)
    before = elsewhere.read_bytes()
    assert refused(file) and not file.is_symlink() and elsewhere.read_bytes() == before
    monkeypatch.setattr(os, "geteuid", lambda: file.stat().st_uid + 1)
    SHARED.clear()
    assert not Solvers().known(evaluate(SMALL).instance, SMALL)


# -- room, and what is nobody's business ------------------------------------------------------------------------------


@pytest.mark.parametrize(("limit", "most"), [("MOST_FILES", 3), ("MOST_BYTES", 3 * 1100)])
def test_the_oldest_make_room(folder: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int) -> None:
    monkeypatch.setattr(store_module, limit, most)
    instance = evaluate(SMALL).instance
    for number, level in enumerate((1.0, 1.1, 1.2, 1.3, 1.4)):
        *_, _ = Solvers().incumbents("optimal", instance, level / 1000, 1.1)
        for file in folder.iterdir():
            os.utime(file, (age := file.stat().st_mtime - 100, age))
        assert len(list(folder.iterdir())) == min(number + 1, 3)
        assert sum(file.stat().st_size for file in folder.iterdir()) < 3 * 1100 or limit == "MOST_FILES"
    SHARED.clear()
    known = [bool(Solvers().known(instance, SMALL.with_changes(level=each))) for each in (1.0, 1.1, 1.2, 1.3, 1.4)]
    assert known == [False, False, True, True, True]


def test_a_full_disk_costs_nothing_but_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store_module.os, "replace", full)
    assert len(solved()) == 5 and not list(folder.iterdir())


def test_without_a_server_nothing_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    assert len(solved()) == 5 and not list(tmp_path.iterdir()) and Store().folder is None


def test_an_incumbent_that_may_still_lose_less_is_not_kept(folder: Path) -> None:
    found = solved(instance=replace(evaluate(SMALL).instance, public=False))["optimal"]
    assert not folder.exists()
    solvers = Solvers()
    solvers._improved = lambda *_: _ended(replace(found, gap=1e-3))  # type: ignore[method-assign]
    *_, last = solvers.incumbents("optimal", evaluate(SMALL).instance, 0.001, 1.1)
    assert last.gap == 1e-3 and not folder.exists() and not Solvers().known(evaluate(SMALL).instance, SMALL)


def _ended(channel: Channel) -> Any:
    return channel
    yield


def public(sources: Sources | None = None, **changes: Any) -> bool:
    return evaluate(PlaceChoices().with_changes(**changes), sources).instance.public


def test_what_is_built_in_is_public_and_what_is_ones_own_is_not() -> None:
    with_track, name = Sources().with_track(sample("commuter"))
    csv = "latitude,longitude\n" + "48.86,2.34\n" * 5 + "48.87,2.35\n" * 3
    with_visits, file = Sources().with_checkins(read_checkins(csv.encode()))
    assert public() and public(prior="uniform") and public(latitude=10.0, longitude=20.0, other="city")
    assert public(area="track", prior="time") and public(area="track", prior="city")
    for own in ({"prior": "city"}, {"prior": "uniform"}, {"prior": "time"}, {"prior": "counts"}):
        assert not public(with_track, area="track", track=name, **own)
    assert public(with_track, prior="city", track=name, other="uniform")  # of it nothing is used
    at = {
        "latitude": float(np.median(sample("commuter").latitude)),
        "longitude": float(np.median(sample("commuter").longitude)),
    }
    assert public(prior="time") and not public(prior="time", **at)
    assert not public(with_track, prior="time", track=name) and not public(with_track, prior="counts", track=name)
    assert not public(prior="painted", painted=[1.0] * 36) and not public(prior="painted")
    assert not public(with_visits, prior="checkins", checkins=file)
    assert public(with_visits, prior="city", checkins=file, around=True)
    assert not Instance(*(np.zeros(1),) * 4).public and [f.name for f in fields(Instance)][-1] == "public"


def test_what_lies_in_a_proposed_region_is_not_public() -> None:
    """Neither is what a sample has in the cells of a region that someone chose."""
    with_track, name = Sources().with_track(sample("commuter"))
    in_region = {"area": "region", "cell_m": 5000.0, "other": "uniform"}
    assert public(**in_region) and public(**in_region, prior="time")
    assert not public(with_track, **in_region, track=name) and not public(
        with_track, **in_region, track=name, prior="city"
    )
    stated = in_region | {"region": (48.7, 2.2, 49.0, 2.5)}
    assert public(with_track, **stated, track=name) and not public(**stated, prior="time")


def test_nothing_of_ones_own_is_written(folder: Path) -> None:
    session = PlaceSession(SMALL)
    session.apply([{"op": "paint", "cells": [2], "weight": 5.0}], commit=True)
    *_, last = session.improve(session.outcome)
    assert len(last.assessed) == 5 and not folder.exists()
    with_track, name = Sources().with_track(sample("commuter"))
    places = PlaceChoices(area="track", prior="time", track=name, cell_m=3000.0)
    assert len(solved(places, evaluate(places, with_track).instance)) == 5 and not folder.exists()
