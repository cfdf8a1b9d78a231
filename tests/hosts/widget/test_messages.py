"""Both sides of the page keep to the messages that are declared: what Python sends and answers, what JavaScript does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from lmdk_widgets import Explorer, FoundationsLab, PeopleLab, PlacesLab, QuiltLab
from lmdk_widgets.pages.place import PlaceChoices
from lmdk_widgets.pages.series import SeriesChoices
from lmdk_widgets.pages.studies.page import StudiesPage
from tests.hosts.widget.declared import ENVELOPE, OF_HOST, OF_PAGE, OF_STUDIES, TO_KERNEL, TO_PAGE, TO_STUDIES, declared

SOURCES = Path(__file__).parents[3] / "frontend" / "src"
CSV = b"time,lat,lon\n" + b"".join(b"2026-03-01T08:%02d:00Z,48.8%02d,2.3\n" % (m, m) for m in range(30))
MADE = {
    "track": lambda: Explorer("bob"),
    "place": lambda: PlacesLab(PlaceChoices(rows=2, columns=2, prior="uniform")),
    "series": lambda: QuiltLab(SeriesChoices(source="binary", length=20)),
    "table": FoundationsLab,
    "people": PeopleLab,
}


SMALL_PANELS = {"table.schemes": ["uniform"], "table.epsilons": "1", "attacker.cells": 9}
SMALL_PANELS |= {"vary.values": 2, "vary.repetitions": 2}
OF_TRACK: list[dict[str, Any]] = [
    {"op": "pin"},  # on Bob's day no scheme is proposed
    {"op": "set", "name": "hide", "value": True},
    {"op": "set", "name": "scheme", "value": "given"},
]


def sources(folder: str) -> str:
    return "\n".join(path.read_text("utf-8") for path in sorted((SOURCES / folder).glob("*.js")))


def told(page: str) -> list[dict[str, Any]]:
    """What a page is sent while everything that it can ask for is asked for."""
    lab, sent = MADE[page](), []
    lab.send = lambda message, buffers=None: sent.append(message)
    seed = {"op": "set", "name": {"place": "place", "table": "least"}.get(page, "seed"), "value": 1}
    wrong = {"op": "set", "name": "nothing", "value": 1}
    opened = [name for name in lab.session.choices.kinds() if name.endswith(".open")]
    more = [{"op": "set", "name": name, "value": value} for name, value in SMALL_PANELS.items() if page == "track"]
    more += [{"op": "set", "name": name, "value": True} for name in opened]
    more += OF_TRACK if page == "track" else []
    more += [{"op": "set", "name": "person", "value": 3}] if page == "people" else []
    asked: list[tuple[dict[str, Any], list[bytes]]] = [
        ({"type": "ready"}, []),
        ({"type": "change", "id": 1, "operations": [seed, *more], "commit": True}, []),
        ({"type": "change", "id": 2, "operations": [wrong], "commit": True}, []),
        ({"type": "python"}, []),
        ({"type": "person"}, []),
        *(({"type": "save", "what": what}, []) for what in ("csv", "report", "python", "svg", "everyone")),
        ({"type": "upload", "id": 1, "name": "f.csv", "piece": 0, "pieces": 1}, [CSV]),
        ({"type": "change", "id": 3, "operations": [{"op": "undo"}], "commit": True}, []),
        ({"type": "cancel"}, []),
        ({"type": "resume"}, []),
        ({"type": "restore", "steps": [lab.session.choices.to_dict()], "at": 0}, []),
    ]
    for message, buffers in asked:
        lab._on_message(None, {**message, "view": "v"}, buffers)
    lab.page._say("a sentence")
    lab.finish()
    lab.close()
    return sent


@pytest.mark.each_case
@pytest.mark.long
@pytest.mark.usefixtures("few_draws")
@pytest.mark.parametrize("page", MADE)
def test_python_sends_what_is_declared_and_nothing_else(page: str) -> None:
    known = declared(page)
    seen: dict[str, set[str]] = {}
    for message in told(page):
        seen.setdefault(message["type"], set()).update(message.keys() - ENVELOPE)
    assert seen.keys() <= known.keys()
    other = {"pictures", "preview", "rows", "offer", "recording", "reports"}
    assert set(known) - set(seen) <= other, "declared and never sent"
    for kind, fields in seen.items():
        assert fields == known[kind], kind


@pytest.mark.parametrize("page", MADE)
def test_python_answers_what_is_declared(page: str) -> None:
    lab = MADE[page]()
    own = set() if page == "people" else {"person", "path"}
    assert set(lab.page._handlers()) == set(TO_KERNEL) - {"late", "library", "basemap", "plotly"} - own
    lab.close()


def test_the_page_sends_what_is_declared() -> None:
    files = [path for path in SOURCES.rglob("*.js") if path.name != "question.js" and path.parent.name != "studies"]
    code = "\n".join(path.read_text("utf-8") for path in files)
    sent = set(re.findall(r'send\(\{ type: "([a-z-]+)"', code)) | set(re.findall(r'= \{ type: "([a-z-]+)", id:', code))
    sent |= set(re.findall(r'button\("[^"]+", "([a-z]+)"\)', sources("place")))  # Cancel and Solve again
    assert sent == set(TO_KERNEL)


def test_the_page_of_studies_and_its_kernel_send_what_is_declared() -> None:
    code = sources("studies")
    sent = re.findall(r'send\(\{ type: "([a-z]+)", ([^}]+) \}', code)
    assert {
        kind: frozenset(re.findall(r"(\w+)(?=:|,|$)", fields)) & OF_STUDIES[kind] for kind, fields in sent
    } == OF_STUDIES
    told: list[dict[str, Any]] = []
    page = StudiesPage(send=lambda message, buffers: told.append(message))
    assert set(page._handlers()) == {"ready", *OF_STUDIES}
    results = page.opened.frame.to_csv(index=False).encode()
    page.receive({"type": "ready"})
    page.receive({"type": "pick", "trace": 0, "index": 0})
    page.receive({"type": "pick", "trace": 99, "index": 0})
    page.receive({"type": "results", "names": ["a.csv"]}, [results])
    assert {message["type"]: frozenset(message) - ENVELOPE for message in told} == TO_STUDIES
    block = code[code.index("const handlers = {") :]
    assert set(re.findall(r"^      ([a-z]+): \(", block[: block.index("};")], re.M)) - OF_HOST == set(TO_STUDIES)


@pytest.mark.parametrize("page", MADE)
def test_the_page_takes_what_is_declared_and_uses_every_field(page: str) -> None:
    shared, own = sources("page"), sources(page)
    block = shared[shared.index("this.handlers = {") :]
    taken = set(re.findall(r"^      ([a-z]+): \(", block[: block.index("};")], re.M)) - OF_HOST
    assert taken == set(TO_PAGE)
    assert taken | set(re.findall(r"this\.handlers\.([a-z]+) =", own)) == set(declared(page))
    for kind, fields in OF_PAGE[page].items():
        unused = [name for name in fields if not re.search(rf"\b{name}\b", own)]
        assert not unused, f"{kind}: nobody looks at {unused}"
    everything = shared + "".join(map(sources, MADE))
    for kind, fields in TO_PAGE.items():
        unused = [name for name in fields if not re.search(rf"\b{name}\b", everything)]
        assert not unused, f"{kind}: nobody looks at {unused}"
