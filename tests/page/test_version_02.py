"""Links and files of version 0.2, of every page: what each opens with, for ever, whatever a default or a name is since."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.page import version_02
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.link import VERSION, from_query, to_query
from lmdk_widgets.page.settings_file import SettingsFile
from lmdk_widgets.pages.foundations import Foundations
from lmdk_widgets.pages.foundations.session import FoundationsSession
from lmdk_widgets.pages.landmarks.choices import LandmarkChoices
from lmdk_widgets.pages.landmarks.session import LandmarkSession
from lmdk_widgets.pages.landmarks.vary import VaryChoices
from lmdk_widgets.pages.landmarks.verdict import LimitChoices
from lmdk_widgets.pages.places import Places
from lmdk_widgets.pages.places.session import PlacesSession
from lmdk_widgets.pages.quilts import QuiltChoices
from lmdk_widgets.pages.quilts.session import SETTINGS, QuiltSession
from lmdk_widgets.scenario import SCHEMES

PAGES: dict[str, type[Choices]] = {
    "landmarks": LandmarkChoices,
    "places": Places,
    "quilts": QuiltChoices,
    "foundations": Foundations,
}

OWN_CELLS = {"cells": "track", "place_m": 1000.0}
"""Which cells were reported then."""

THEN = {"table.schemes": tuple(version_02.DEFAULTS["landmarks"]["table.schemes"]), "table.kept": False}
TABLE = {"table.open": True, **THEN}
LINKS: list[tuple[str, dict[str, Any]]] = [
    ("page=landmarks&track=bob&landmarks=0.2.4.7", {"landmarks": (0, 2, 4, 7)}),
    ("page=landmarks&track=bob&landmarks=1&compare=1&utc=1", {"landmarks": (1,), "compare.open": True, "utc": True}),
    (
        "page=landmarks&track=bob&landmarks=1&propose=1&stay_m=300.0&stay_minutes=10.0",
        {"landmarks": (1,), "stays.open": True, "stays.within_m": 300.0, "stays.at_least_minutes": 10.0},
    ),
    (
        "page=landmarks&track=bob&landmarks=&curve=1&against=loss&curve_error=radius95",
        {"landmarks": (), "trade_off.open": True, "trade_off.against": "loss", "trade_off.error": "radius95"},
    ),
    (
        "page=landmarks&track=bob&landmarks=&turned=1&wanted_error_m=900.0&wanted_loss=2.0",
        {"landmarks": (), "inverse.open": True, "inverse.error_m": 900.0, "inverse.loss": 2.0},
    ),
    (
        "page=landmarks&track=bob&landmarks=&infer=1&infer_cells=64&infer_start=track&infer_moves=near&infer_step_m=500.0"
        "&infer_at=3&infer_cell=5&defences=1",
        {"landmarks": (), "attacker.open": True, "attacker.cells": 64, "attacker.start": "track", "attacker.at": 3}
        | {"attacker.moves": "near", "attacker.step_m": 500.0, "attacker.cell": 5, "defences.open": True},
    ),
    ("page=landmarks&track=bob&landmarks=1&hide=1", {"landmarks": (1,), "hide": True, "hide_method": "greedy"}),
    (
        "page=landmarks&track=bob&landmarks=1&hide=1&hide_method=histogram&hide_most=3&seed=7",
        {"landmarks": (1,), "hide": True, "hide_method": "histogram", "hide_most": 3, "seed": 7, "hide_seed": 7},
    ),
    (
        "page=landmarks&track=bob&landmarks=1&pinned=page%3Dlandmarks%26track%3Dbob%26landmarks%3D1%26hide%3D1%26seed%3D4",
        {
            "landmarks": (1,),
            "pinned": {"landmarks": [1], "hide": True, "hide_method": "greedy", "seed": 4, "hide_seed": 4},
        },
    ),
    ("page=landmarks&track=bob&landmarks=&table=1", {"landmarks": (), **TABLE}),
    (
        "page=landmarks&track=bob&landmarks=&scheme=planned&target=0.5",
        {"landmarks": (), "scheme": "planned", "target": 0.5},
    ),
    (
        "page=landmarks&track=bob&landmarks=&mechanism=remapped&pinned=page%3Dlandmarks%26mechanism%3Drandomised%26place_m%3D2000.0",
        {"landmarks": (), "mechanism": "remapped", **OWN_CELLS}
        | {"pinned": {"mechanism": "randomised", "cells": "track", "place_m": 2000.0}},
    ),
    (
        "page=landmarks&track=bob&landmarks=&table=1&table_of=page%3Dtable%26schemes%3Devent+uniform%26most_loss%3D2.0",
        {"landmarks": (), **TABLE, "table.schemes": ("event", "uniform"), "table.most_loss": 2.0},
    ),
    (
        "page=landmarks&track=bob&landmarks=&table_of=page%3Dtable%26epsilons%3D0.1+to+10+in+3%26radii_m%3D200+400.5%26kept%3D1",
        {
            "landmarks": (),
            **THEN,
            "table.epsilons": (0.1, 1.0, 10.0),
            "table.radii_m": (200.0, 400.5),
            "table.kept": True,
        },
    ),
    (
        "page=landmarks&track=bob&landmarks=0.2&epsilon=2.0&pinned=page%3Dlandmarks%26track%3Dbob%26landmarks%3D1.3%26scheme%3Dskip",
        {"landmarks": (0, 2), "epsilon": 2.0, "pinned": {"landmarks": [1, 3], "scheme": "skip"}},
    ),
    (  # what was looked at beside a pinned option was kept with it, and made it no other option
        "page=landmarks&track=bob&landmarks=0&pinned=page%3Dlandmarks%26track%3Dbob%26infer_cells%3D40%26matrix%3D0.8%2C0.2%3B0.2%2C0.8",
        {"landmarks": (0,), "pinned": {"landmarks": [0], "matrix": [[0.8, 0.2], [0.2, 0.8]]}},
    ),
    ("page=places&rows=3&level=2.0&prior=uniform", {"rows": 3, "level": 2.0, "prior": "uniform"}),
    ("page=quilts&releases=%5B1.0%2C+0.5%5D&source=binary", {"releases": (1.0, 0.5), "source": "binary"}),
    (
        "page=foundations&part=stream&level=landmark&landmarks=3-5&window=6",
        {"part": "stream", "level": "landmark", "landmarks": (3, 4, 5), "window": 6},
    ),
    ("page=foundations&table=adults&least=5", {"table": "adults", "least": 5, "levels": (0,)}),
    ("page=foundations&least=2&levels=[4,2]", {"least": 2, "levels": (4, 2)}),
]


def began(page: str) -> Any:
    if page == "places":
        return PlacesSession(Places(rows=2, columns=2, prior="uniform"))
    return {"landmarks": LandmarkSession, "quilts": QuiltSession, "foundations": FoundationsSession}[page]()


@pytest.mark.parametrize(("query", "opened"), LINKS)
def test_a_link_of_02_opens_with_what_it_opened_with_then(query: str, opened: dict[str, Any]) -> None:
    page = query.removeprefix("page=").partition("&")[0]
    session = began(page)
    start = session.choices
    session.open_link(query)
    assert session.choices == start.with_changes(**opened)
    again = began(page)
    again.open_link(to_query(session.choices))
    assert again.choices == session.choices and f"&v={VERSION}&" in to_query(session.choices)


FILES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("landmarks", {"track": "bob", "epsilon": 0.5, "compare": True}, {"epsilon": 0.5, "compare.open": True}),
    (
        "landmarks",
        {"landmarks": [1], "table": True, "table_of": "page=table&most_error_m=500.0&sort=loss", "pinned": ""},
        {"landmarks": (1,), **TABLE, "table.most_error_m": 500.0, "table.sort": "loss"},
    ),
    (
        "landmarks",
        {
            "infer": True,
            "infer_cells": 40,
            "pinned": "page=landmarks&track=bob&landmarks=0.2&epsilon=2.0",
            "table_of": "",
        },
        {"attacker.open": True, "attacker.cells": 40, "pinned": {"landmarks": [0, 2], "epsilon": 2.0}},
    ),
    ("landmarks", {"mechanism": "optimal", "pinned": ""}, {"mechanism": "optimal", **OWN_CELLS}),
    (
        "landmarks",
        {"landmarks": [1, 4], "hide": True, "hide_epsilon": 0.5, "seed": 9},
        {"landmarks": (1, 4), "hide": True, "hide_epsilon": 0.5, "hide_method": "greedy", "seed": 9, "hide_seed": 9},
    ),
    ("quilts", {"epsilon": 0.5, "theta": "bootstrap"}, {"epsilon": 0.5, "theta": "bootstrap"}),
]


@pytest.mark.parametrize(("page", "values", "opened"), FILES)
def test_a_file_of_02_opens_with_what_it_opened_with_then(
    page: str, values: dict[str, Any], opened: dict[str, Any]
) -> None:
    file = SETTINGS if page == "quilts" else SettingsFile("scenario", "A scenario file", LandmarkChoices)
    text = json.dumps({"format": file.format, "version": 1, file.noun: values})
    found = file.read(text)
    assert found == PAGES[page]().with_changes(**opened) and file.read(file.write(found)) == found


def test_a_whole_file_of_02_is_read_choice_by_choice() -> None:
    """Every choice that 0.2 had, at its default then."""
    old = {new: name for name, new in version_02.RENAMED["landmarks"].items()}
    told = {n: v for n, v in version_02.DEFAULTS["landmarks"].items() if n.partition(".")[0] not in ("table", "pinned")}
    values = {old.get(name, name): value for name, value in told.items()} | {
        "pinned": "",
        "table_of": "",
        "table": False,
    }
    file = SettingsFile("scenario", "A scenario file", LandmarkChoices)
    found = file.read(json.dumps({"format": file.format, "version": 1, "scenario": values}))
    assert {name: found[name] for name in told} == {
        name: kind.check(told[name]) for name, kind in LandmarkChoices.kinds().items() if name in told
    }


@pytest.mark.parametrize("page", PAGES)
def test_the_defaults_of_02_are_all_there_and_one_that_changes_is_put_into_its_links(page: str) -> None:
    """The list of the defaults of then is never changed; the reader compares it with those of now."""
    kinds, then = PAGES[page].kinds(), version_02.DEFAULTS[page]
    assert set(then) <= set(kinds), "a choice that has another name now: say so in RENAMED"
    for name, value in then.items():
        kinds[name].check(value)
    now = {name: kind.plain(PAGES[page].defaults()[name]) for name, kind in kinds.items()}
    others = {  # no levels were all exact then, which is one level of 0 now
        "landmarks": {"table.kept", "table.schemes", "trade_off.error", "hide_method", *OWN_CELLS},
        "foundations": {"levels"},
    }
    assert {name for name, value in then.items() if now[name] != value} == others.get(page, set())
    for name in then:  # whichever default changes next, a link that speaks of its part of the page keeps the one of 0.2
        given = {version_02.ONLY_WITH.get(name, f"{name.rpartition('.')[0]}.x".removeprefix(".")): 1}
        assert version_02.changed_since(page, given, now | {name: "another"})[name] == then[name]


def test_the_defaults_of_now_are_those_that_links_of_this_version_leave_out() -> None:
    """A default is a part of what links mean. Where this fails, raise `link.VERSION` and `settings_file.VERSION`, and keep
    beside their reader what the links of before began with."""
    now = {}
    for page, kind in PAGES.items():
        now[page] = {name: each.plain(kind.defaults()[name]) for name, each in kind.kinds().items()}
    assert now == {page: version_02.DEFAULTS[page] for page in PAGES} | {
        "landmarks": version_02.DEFAULTS["landmarks"]
        | {
            "stays.by": "stays",
            "stays.share_percent": 5.0,
            "table.kept": True,
            "trade_off.error": "reader",
            "region": [],
            "hide_method": "random",
            "hide_joining": "proposed",
            "hide_chance": 0.1,
            "by_distance.open": False,
            **{f"vary.{name}": value for name, value in VaryChoices().to_dict().items()},
            "cards.open": False,
            "left.open": False,
            "leave_out.open": False,
            "inverse.found_m": "radius",
            "table.least_found_m": "radius",
            **{f"limits.{name}": value for name, value in LimitChoices().to_dict().items()},
            "delta": 1e-6,
            "standing.open": False,
            "standing.still_m": 50.0,
        }
        | {"hide_draw": 1, "hide_seed": 1, "cells": "region", "place_m": 4000.0}
        | {"table.schemes": list(SCHEMES)},
        "places": version_02.DEFAULTS["places"]
        | {"region": [], "pinned": None, "distances": "", "unit_m": 80.0, "layer": "clicked"}
        | dict.fromkeys(("privacy_by", "quality_by", "error_by"), "straight"),
        "quilts": version_02.DEFAULTS["quilts"] | {"pinned": None},
        "foundations": version_02.DEFAULTS["foundations"]
        | {"repeats": 30, "delta": 1e-6, "sigma": 1.0, "levels": []}
        | {"query": "sum", "limit": 50.0, "far": 800.0, "clipped": True, "together": 2, "remedy": "none"},
    }


def test_a_link_of_a_version_that_is_to_come_is_refused_in_a_sentence() -> None:
    with pytest.raises(InputError, match="The version of a link must be 3, or none; got 4"):
        from_query("page=landmarks&v=4&epsilon=2", LandmarkChoices)


def test_names_of_then_are_none_of_now() -> None:
    assert from_query("page=landmarks&v=3&compare=1&epsilon=2", LandmarkChoices) == {"epsilon": 2}
    assert from_query("page=landmarks&compare.open=1", LandmarkChoices) == {"compare.open": True}
