"""Every panel of the track page is open at once, and every number that the page then shows is held by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.page.panel import _open_while
from lmdk_widgets.page.sentences import heard
from lmdk_widgets.pages.track.choices import PANELS, TrackChoices
from lmdk_widgets.pages.track.page import TrackPage
from lmdk_widgets.pages.track.table import table_texts
from lmdk_widgets.pages.track.trade_off import EPSILONS
from lmdk_widgets.pages.track.varied_study import ALONG, MEASURED
from lmdk_widgets.scenario import evaluate
from lmdk_widgets.trajectory import Trajectory
from tests.every_number.adversary_names import AS_WRITTEN as OF_ATTACKER
from tests.every_number.adversary_truth import Her
from tests.every_number.altered import Read
from tests.every_number.claims import Claims, Tolerant, Wrong, shown_by
from tests.every_number.landmarks_drawn import COMPARED, COMPARED_WHEN
from tests.every_number.landmarks_fields import ARRAYS, GROUND, STRUCTURE
from tests.every_number.landmarks_truth import LandmarkTruth
from tests.every_number.named import Named
from tests.every_number.panel_truth import (
    BY_DISTANCE,
    LEAVING,
    STANDING,
    VARIED,
    DistanceTruth,
    LeavingTruth,
    StandingTruth,
    VariedTruth,
)
from tests.every_number.secrets_truth import SECRET_WORDS, SECRETS, SecretsTruth
from tests.every_number.test_adversary_numbers import PLACES, PLACES_WHEN
from tests.every_number.test_defence_numbers import DEFENCES, Defences
from tests.every_number.test_landmark_numbers import by_hand, setting
from tests.every_number.test_settings_numbers import SETTINGS, TableTruth, read_words, row_holds
from tests.every_number.test_trade_off_numbers import AS_WRITTEN as OF_INVERSE
from tests.every_number.test_trade_off_numbers import INVERSE, INVERSE_WHEN, Inverse, asked
from tests.every_number.track_names import AS_WRITTEN, LEGEND, TRACK, TRUE_WHEN
from tests.landmark_choices import page_of
from tests.sweeps import generators, size

DRAWN = 3
"""A reader reads so many draws of each setting."""

FIGURES = [
    "*.kind",
    "*.title",
    "*.columns.*",
    "*.marked",
    "*.acts.*",
    "*.meta.*",
    "*.layout.*",
    "*.data.*.x",
    "*.data.*.y",
]
FIGURES += [f"*.data.*.{name}" for name in ("type", "mode", "name", "hoverinfo", "hovertemplate", "error_y.*", "fill*")]
FIGURES += [
    "*.data.*.line.*",
    "*.data.*.marker.*",
    "*.data.*.text.*",
    "*.signs.*",
    "*.showlegend",
    "*.operation.*",
    "*.below",
]
"""What is drawn, and not said; the files of each panel hold lines and marks, and this one those of panels without a file."""


class Part(NamedTuple):
    """A panel: where it stands in the page's message, its names, and where they come from."""

    where: tuple[str, ...]
    names: Named
    truth: Callable[[TrackPage], Any]


def of_table(page: TrackPage) -> TableTruth:
    asked = page.session.choices.table
    return TableTruth(asked, page.outcome, " ".join(table_texts(asked, page.outcome)))


def parts() -> dict[str, Part]:
    """The panels with names of their own, and the rest of the page."""
    cells = ("two cells", "any two places", "any two cells", "two neighbouring cells", "two equally likely")
    rows = Claims({}, [*FIGURES, "*.rows.*"])
    secrets = Claims({}, [*FIGURES, "*.rows.*", "*.label", "*.title"])  # places have numbers for names
    inverse = Named(INVERSE, Claims({}, FIGURES), as_written=OF_INVERSE, true_when=INVERSE_WHEN)
    compared = Named(COMPARED, rows, as_written=AS_WRITTEN, true_when=COMPARED_WHEN)
    varied = Named(VARIED, rows, as_written=(*cells, *MEASURED.values()))
    settings = Named(SETTINGS, rows, as_written=(*cells, "95 % radius"))
    found = {
        "inverse": (("text.folds.inverse.*", "text.folds.trade_off.*"), inverse, Inverse),
        "compare": (("text.folds.compare.*",), compared, lambda page: LandmarkTruth(page.outcome)),
        "defences": (("text.folds.defences.*",), Named(DEFENCES, rows), lambda page: Defences(page.outcome)),
        "standing": (("text.folds.standing.*",), Named(STANDING, rows), StandingTruth),
        "vary": (("text.folds.vary.*",), varied, VariedTruth),
        "by_distance": (
            ("text.folds.by_distance.*",),
            Named({**TRACK, **BY_DISTANCE}, Claims({}, FIGURES), as_written=(*AS_WRITTEN, *cells)),
            DistanceTruth,
        ),
        "secrets": (("text.folds.secrets.*",), Named(SECRETS, secrets, as_written=SECRET_WORDS), SecretsTruth),
        "leave_out": (("text.leave_out.*",), Named(LEAVING, Claims({}, ["*.title"])), LeavingTruth),
        "attacker": (("text.inferred.*",), Named(PLACES, as_written=OF_ATTACKER, true_when=PLACES_WHEN), Her),
        "table": (("text.folds.table.*",), settings, of_table),
    }
    return {name: Part(*part) for name, part in found.items()}


def pinned(find: Callable[[LandmarkTruth], Any]) -> Callable[[LandmarkTruth, str], Any]:
    """An array of the pinned setting, evaluated by itself."""
    return lambda t, _: find(LandmarkTruth(evaluate(t.choices.pinned.with_changes(average=False), t.track)))


PINNED = {
    "practice.zones.*": lambda t, _: Tolerant([*t.located[0][1], t.choices.practices.zone_m], 1e-9),
    "draw.arrays.pinned_latitude": pinned(lambda t: t.o.latitude),
    "draw.arrays.pinned_longitude": pinned(lambda t: t.o.longitude),
    "draw.arrays.pinned_budgets": pinned(lambda t: t.budgets),
    "draw.arrays.pinned_total": pinned(lambda t: t.total),
    "draw.arrays.pinned_error_m": pinned(lambda t: Tolerant(t.error_m, GROUND, 1e-6)),
}

ELSEWHERE = ("secret.*", "text.verdict.*", "text.cards.*", "cells.*", "beliefs.*", "panels.*", "proposed.*")
ELSEWHERE += (
    "text.folds.side_by_side.*",
    "text.folds.practices.*",
    "practice.guess",
    "practice.cell",
    "practice.arrays.*",
)
"""Held by `verdict_truth` and the tests of cards, of the adversary, of settings side by side and of practices."""


READ_OF = {
    "standing": ("rows.*",),
    "secrets": ("rows.*",),
    "vary": ("rows.*", "data.*.x", "data.*.y"),
    "table": ("rows.*",),
}
"""Of which panels this file reads rows and lines; those of the others are read by the files of these panels."""

APART = (
    *ELSEWHERE,
    "draw.described.*",
    *(
        f"text.folds.{fold}.{pattern}"
        for fold in (
            "inverse",
            "trade_off",
            "compare",
            "defences",
            "standing",
            "vary",
            "by_distance",
            "table",
            "secrets",
        )
        for pattern in (*FIGURES, "*.rows.*")
        if pattern.removeprefix("*.") not in READ_OF.get(fold, ())
    ),
    "text.folds.secrets.*.rows.*.5",  # what bounds every release is held by the tests of `answers.secrets_over_time`
)
"""What this file does not read."""


def shortened(patch: pytest.MonkeyPatch) -> None:
    """A reader reads few draws, and a curve has few points."""
    for module in ("answers.usefulness", "pages.track.cards", "pages.track.compare"):
        patch.setattr(f"lmdk_widgets.{module}.MOST_DRAWS", DRAWN)
    patch.setattr("lmdk_widgets.pages.track.trade_off.EPSILONS", EPSILONS[::9])
    patch.setattr("lmdk_widgets.sweep.defences_compared.MOST_DRAWS", DRAWN)
    patch.setattr(LandmarkTruth, "reads", DRAWN)


def opened(rng: np.random.Generator, k: int, names: Sequence[str] = ()) -> tuple[TrackChoices, Trajectory]:
    """A setting with all panels open, or those of these names; now and then with budgets by hand, or with hidden
    landmarks."""
    choices, track = asked(rng, by_hand if k % 3 == 2 else setting)
    some = [panel for panel in PANELS if not names or panel.NAME in names]
    every = {name: value for panel in some for name, value in _open_while(panel).items() if value is True}
    every |= {"hide": k % 3 == 1, "pinned": choices.scenario.with_changes(scheme="skip", budgets=())}
    if names:
        every |= {"inverse.open": "inverse" in names, "trade_off.open": "trade_off" in names}
    small = {
        "vary.values": 2,
        "vary.repetitions": 2,
        "vary.along": str(rng.choice(list(ALONG))),
        "attacker.cells": 9,
        "vary.shown": str(rng.choice(list(MEASURED))),
    }
    small |= {"table.schemes": ["uniform", "skip"], "table.epsilons": [0.5, 2.0], "table.radii_m": [300.0]}
    return choices.with_changes(**every, **small), track


class Known:
    """A truth of which each value is computed once: what is shown of an outcome is altered, and not the outcome."""

    def __init__(self, truth: Any) -> None:
        self._truth = truth

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._truth, name)
        self.__dict__[name] = found
        return found


def known(parts: Mapping[str, Part], page: TrackPage) -> Callable[[str, TrackPage], Any]:
    """The truths of a page, each made once, but for that which looks at what is drawn."""
    made: dict[str, Any] = {}

    def of(name: str, shown: TrackPage) -> Any:
        if name == "by_distance":
            return DistanceTruth(shown)
        if name == "read":
            return made.setdefault(name, cache(lambda one: read_words(one, page.outcome, DRAWN)))
        if name not in made:
            made[name] = Known(parts[name].truth(page) if name else LandmarkTruth(page.outcome, page.session.choices))
        return made[name]

    return of


def hold(
    page: TrackPage,
    made: Iterable[Any],
    all_parts: dict[str, Part],
    rest: Named,
    truth: Callable[[str, TrackPage], Any],
) -> None:
    """Everything that is shown, each panel's part against its own recomputation."""
    shown = [each for each in shown_by(page, page.outcome) if not any(fnmatchcase(each[0], at) for at in ELSEWHERE)]
    for name, part in all_parts.items():
        own = [each for each in shown if any(fnmatchcase(each[0], at) for at in part.where)]
        shown = [each for each in shown if not any(fnmatchcase(each[0], at) for at in part.where)]
        if own:
            part.names.hold(own, made, truth(name, page))
    rest.hold(shown, made, truth("", page))
    folds = page._text(page.outcome)["folds"]
    tables = {name: [b["shown"] for b in blocks if b["kind"] == "table"] for name, blocks in folds.items()}
    charts = {name: [b["shown"] for b in blocks if b["kind"] == "chart"] for name, blocks in folds.items()}
    for table in tables.get("standing", ()):
        truth("standing", page).table(table["rows"])
    for table in tables.get("secrets", ()):
        truth("secrets", page).table(table["rows"])
    for table, chart in zip(tables.get("vary", ()), charts.get("vary", ()), strict=True):
        truth("vary", page).table(table["rows"])
        truth("vary", page).lines(chart["figure"]["data"])
    for table in tables.get("table", ()):
        settings = {(one.scheme, one.epsilon, one.radius): one for one in truth("table", page).ones}
        for texts, act in zip(table["rows"], table["acts"], strict=True):
            if act is None:  # a practice of today, whose numbers its own panel has
                continue
            one = settings[act["scheme"], act["epsilon"], act["radius_m"]]
            row_holds(texts, one)
            if (words := truth("read", page)(one)) != texts[4]:
                raise Wrong(f"a reader is {words}, not {texts[4]}: {vars(one)}")
    if "by_distance" in folds:
        truth("by_distance", page).lines()


def names_of_the_rest() -> Named:
    """Those of the page beside its panels."""
    of = Claims(ARRAYS | PINNED, STRUCTURE)
    return Named(TRACK, of, as_written=AS_WRITTEN, true_when=TRUE_WHEN, alone=LEGEND)


def read_of(every: dict[str, Part], rest: Named, choices: TrackChoices, track: Trajectory) -> Read:
    """What the page shows with its panels, and its recomputation."""
    with heard() as made:
        page = page_of(choices, track)
        list(shown_by(page, page.outcome))
    truth = known(every, page)

    def held(page: Any) -> None:
        try:
            hold(page, made, every, rest, truth)
        except AssertionError as wrong:
            raise AssertionError(f"{wrong}\n{choices}, {len(track)} timestamps") from wrong

    return Read(page, page.outcome, held)


@pytest.mark.nightly
def test_every_number_of_every_panel_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    shortened(monkeypatch)
    every, rest, seen = parts(), names_of_the_rest(), set[str]()
    for k, rng in enumerate(generators(60, 8)):
        try:
            read = read_of(every, rest, *opened(rng, k))
        except InputError:  # settings that do not go together
            continue
        read.held(read.page)
        seen |= {panel.NAME for panel in PANELS.opened(read.page.session.choices)}
    assert size(8) < 8 or seen == {panel.NAME for panel in PANELS}
