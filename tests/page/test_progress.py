"""What is told of a long computation: nothing, the numbers to a function, or a bar."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.progress import telling
from lmdk_widgets.scenario import Scenario, defences, settings_table
from lmdk_widgets.study import Study
from lmdk_widgets.trajectory import sample

BOB = Scenario(landmarks=(0, 2, 4, 7), correlation="none")


def run(directory: Path | None = None, progress: Any = None) -> Any:
    study = Study(
        ["bob"], {"scheme": ["event", "uniform"], "epsilon": [0.5, 1]}, repetitions=130, measures=["theorem_sum"]
    )
    return study.run(directory, jobs=1, progress=progress)


def table(progress: Any = None) -> Any:
    return settings_table(
        BOB, sample("bob"), schemes=["event", "skip"], epsilons=[1, 2], radii_m=[200], progress=progress
    )


LONG = {
    "study": (lambda progress=None: run(None, progress), 520),
    "table": (table, 4),
    "defences": (lambda progress=None: defences(BOB, sample("bob"), draws=1, progress=progress), None),
}


class Bar:
    """A bar of tqdm, as far as it is used here."""

    made: list[Bar] = []  # noqa: RUF012

    def __init__(self, *, total: int, unit: str) -> None:
        self.total, self.unit, self.n, self.closed = total, unit, 0, False
        Bar.made.append(self)

    def update(self, more: int) -> None:
        self.n += more

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self.closed = True


@pytest.fixture
def bars(monkeypatch: pytest.MonkeyPatch) -> list[Bar]:
    package, module = ModuleType("tqdm"), ModuleType("tqdm.auto")
    module.tqdm = Bar  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tqdm", package)
    monkeypatch.setitem(sys.modules, "tqdm.auto", module)
    monkeypatch.setattr(Bar, "made", [])
    return Bar.made


@pytest.mark.parametrize("name", ["study", "table", pytest.param("defences", marks=pytest.mark.long)])
def test_a_function_is_told_how_many_are_done_and_of_how_many(name: str, bars: list[Bar]) -> None:
    compute, total = LONG[name]
    told: list[tuple[int, int]] = []
    found = compute(lambda *numbers: told.append(numbers))
    done, of = zip(*told, strict=True)
    assert set(of) == {total or of[0]} and done[-1] == of[0] and list(done) == sorted(done) and len(set(done)) > 1
    assert len(found) and not bars


def test_true_is_a_bar_that_is_closed_at_the_end(bars: list[Bar]) -> None:
    with_bar = table(True)
    (bar,) = bars
    assert (bar.total, bar.unit, bar.n, bar.closed) == (4, "setting", 4, True)
    assert table().equals(with_bar) and len(bars) == 1, "the numbers do not depend on who is told"


def test_nobody_is_told_by_default(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    run()
    table()
    assert capfd.readouterr() == ("", "")


def test_a_study_that_goes_on_counts_what_is_there(tmp_path: Path) -> None:
    class Stop(Exception):
        pass

    told: list[int] = []

    def stop(done: int, _of: int) -> None:
        told.append(done)
        if done >= 500:
            raise Stop

    with pytest.raises(Stop):
        run(tmp_path, stop)
    assert told == [500], "what it raises ends the computation"
    run(tmp_path, lambda done, _: told.append(done))
    assert told[1:] == [520, 520]


def test_without_tqdm_a_sentence_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(
        InputError, match="A progress bar needs the library tqdm, which is not installed. .*pip install tqdm"
    ):
        run(tmp_path / "new", True)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("wrong", [False, 3, "bar"])
def test_what_cannot_be_told_is_refused(wrong: Any) -> None:
    with pytest.raises(InputError, match="Progress must be None, True, or a function"):
        table(wrong)
    with pytest.raises(InputError, match="Progress must be"), telling(wrong, 3, "thing"):
        pass
