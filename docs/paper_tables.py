"""The tables of `papers_found.md`: `python -m docs.paper_tables` computes them again, in some minutes of processor time.

`--repetitions 100` is what the landmark paper has; the document has 20. No table has a coordinate or a value of the data.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from docs import other_findings, paper_errors, paper_places
from docs.criteria import HEAD, Finding, lines, row
from docs.tables import with_rows
from lmdk_widgets.study import Study

DOCUMENT = Path(__file__).parent / "papers_found.md"

UNSHIPPED = Finding(
    "Landmark paper: all errors and losses on the Copenhagen Networks Study, HUE and T-Drive.",
    (),
    "These data may not be shipped. With your own copies, the notebook computes the same tables.",
)
BEIJING = Finding(
    "Geo-indistinguishability: the losses on GeoLife and T-Drive in Beijing.",
    (),
    "These data may not be shipped either; the cells here are those of a made-up taxi.",
)


def tables(repetitions: int) -> Iterator[tuple[str, list[str]]]:
    """The head of each table of the document, and its rows."""
    ran = []
    for names in (("contacts", "household"), ("taxi",)):
        study = paper_errors.error_study(names, repetitions)
        ran.append((study, study.run(None, jobs=1)))
    yield paper_errors.ERROR_HEAD, [each for _, frame in ran for each in lines(paper_errors.error_rows(frame))]
    dummies = [paper_errors.dummy_study(name, repetitions).run(None, jobs=1) for name in ("contacts", "household")]
    yield paper_errors.DUMMY_HEAD, [each for frame in dummies for each in lines(paper_errors.dummy_rows(frame))]
    losses = paper_errors.loss_study(repetitions)
    frame = losses.run(None, jobs=1)
    yield paper_errors.LOSS_HEAD, lines(paper_errors.loss_rows(frame))
    yield paper_places.HEAD, lines(paper_places.rows())
    found = paper_errors.error_verdicts(*ran) + paper_errors.loss_verdicts(losses, frame) + others(repetitions)
    yield HEAD, [row(each) for each in found]


def others(repetitions: int) -> list[Finding]:
    """The findings of the other sources, and what cannot be tested."""
    bob = Study(["bob"], other_findings.DUMMY_GRID, repetitions=repetitions, measures=[*other_findings.DUMMY_MEASURES])
    return [
        UNSHIPPED,
        *other_findings.landmark_findings(),
        *other_findings.dummy_findings(bob.run(None, jobs=1)),
        *paper_places.verdicts(),
        *paper_places.seconds(),
        BEIJING,
        *other_findings.quilt_findings(),
        *other_findings.basic_findings(),
    ]


def document(repetitions: int) -> str:
    """The text of the document with these tables."""
    text = DOCUMENT.read_text("utf-8")
    for head, rows in tables(repetitions):
        text = with_rows(text, head, rows)
    return re.sub(r"\d+ repetitions of each setting", f"{repetitions} repetitions of each setting", text)


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--repetitions", type=int, default=paper_errors.REPETITIONS)
    DOCUMENT.write_text(document(asked.parse_args().repetitions), encoding="utf-8")
