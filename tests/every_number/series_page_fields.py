"""The series page: its values and texts beside the sentences, and what must hold between them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.every_number.claims import Claims, Tolerant, Wrong
from tests.every_number.named import Named
from tests.every_number.series_page_names import AS_WRITTEN, MOST_CHAINS, NAMES, SOLVED, TRUE_WHEN, own_line
from tests.every_number.series_page_truth import QuiltTruth
from tests.every_number.series_page_walks import Walk


def _index(path: str, at: int = -1) -> int:
    return int(path.split(".")[at])


def _placed(t: QuiltTruth, path: str) -> int:
    a1, a2, b1, b2 = t.placed
    return {"a_first": a1, "gap": b1 - a2, "a_length": a2 - a1 + 1, "b_length": b2 - b1 + 1}[path.split(".")[-1]]


def _curve(t: QuiltTruth, side: np.ndarray) -> Any:
    return Tolerant(side[t.o.belief.distances - 1], SOLVED, 1e-8)


VALUES = {
    "text.shown.length": lambda t, _: t.T,
    "text.shown.node": lambda t, _: t.node + 1,
    "text.shown.own": lambda t, _: own_line(t.o.own),
    "text.shown.widest_gap": lambda t, _: t.widest,
    "text.shown.placed.*": _placed,
    "text.shown.typed.most": lambda t, _: MOST_CHAINS,
    "draw.timeline.node": lambda t, _: t.node,
    "draw.timeline.nearby": lambda t, _: [
        0 if t.quilt[0] is None else t.quilt[0] + 1,
        (t.T if t.quilt[1] is None else t.quilt[1]) - 1,
    ],
    "draw.timeline.quilt": lambda t, _: [math.nan if q is None else q for q in t.quilt],
    "draw.timeline.labels.*": lambda t, path: t.labels[_index(path)],
    "draw.timeline.minutes": lambda t, _: t.series.minutes,
    "draw.timeline.start_minute": lambda t, _: t.series.start_minute,
    "draw.timeline.segments.*": lambda t, path: list(t.placed[2 * _index(path) : 2 * _index(path) + 2]),
    "draw.arrays.states": lambda t, _: t.series.states,
    "draw.arrays.scale": lambda t, _: Tolerant(t.scale, SOLVED),
    "draw.arrays.timestamps": lambda t, _: list(range(1, t.T + 1)),
    "draw.arrays.distances": lambda t, _: _distances(t),
    "draw.arrays.past": lambda t, _: _curve(t, t.past),
    "draw.arrays.future": lambda t, _: _curve(t, t.future),
    "draw.arrays.transition": lambda t, _: t.first.ravel(),
    "draw.arrays.long_run": lambda t, _: t.long_run,
    "draw.arrays.gaps": lambda t, _: _gaps(t),
    "draw.arrays.guarantee": lambda t, _: Tolerant([t.parallel(d) for d in _gaps(t)], SOLVED),
}


def _gaps(t: QuiltTruth) -> list[int]:
    return sorted({*(d for d in _distances(t) if d <= t.widest), t.widest})


def _distances(t: QuiltTruth) -> list[int]:
    """As they are drawn, once they are seen to be all near ones and the farthest."""
    found, longest = t.o.belief.distances.tolist(), max(1, min(t.T - 1, 2000))
    assert found[: min(longest, 10)] == list(range(1, min(longest, 10) + 1)) and found[-1] == longest
    return found


STRUCTURE = [
    "text.answers.*.value",  # held by `answers`
    "text.answers.*.look",
    "text.cards.*",
    "draw.small.*",  # held by test_side_by_side_numbers.py
    *(f"text.practices.*.shown.{name}" for name in ("rows.*", "warned.*", "marked", "figure.*")),  # held by `practised`
    "text.mechanisms.rows.*",
    "text.mechanisms.warned.*",
    "text.mechanisms.marked",
    "text.story.*",
    "text.shown.typed.rows.*",  # held by `rows`, `story` and `typed_back` below
    "draw.figures.*.layout.*",
    "draw.figures.*.marker.*",
    "draw.figures.*.line.*",
    "draw.figures.*.hovertemplate",
    "draw.figures.*.x",
    "draw.figures.*.x.*",
    "draw.figures.*.y",
    "draw.figures.*.y.*",
    "draw.figures.*.error_y.*",
    "draw.figures.*.type",
    "draw.figures.*.mode",
    "draw.figures.stack.figure.data.*.name",
    "draw.figures.*.hovertext.*",
    "draw.figures.story.figure.data.*.text.*",
    "draw.figures.*.offsetgroup",
    "draw.figures.*.textposition",
]


def series_names() -> Named:
    return Named(NAMES, Claims(VALUES, STRUCTURE), as_written=AS_WRITTEN, true_when=TRUE_WHEN)


def typed_back(t: QuiltTruth, shown: list[dict[str, str]]) -> None:
    """What stands in the fields of the chains is exactly what was typed."""
    for own, fields in zip(t.c.own_chains, shown, strict=True):
        start = tuple(float(cell) for cell in fields["initial"].split())
        matrix = tuple(tuple(float(cell) for cell in line.split()) for line in fields["matrix"].split("\n"))
        if (start, matrix) != (own.initial, own.matrix):
            raise Wrong(f"{fields} is not what was typed: {own}")


def verdicts(t: QuiltTruth, text: dict[str, Any], summaries: dict[str, str]) -> None:
    """What is said without a number, only where it is true, and always then."""
    words, segments = text["words"], " ".join(text["segments"])
    warnings, chain, nodes = " ".join(words["warnings"]), " ".join(text["chain"]), summaries["nodes"]
    high = (t.c.epsilon_a + t.c.epsilon_b) * (1 - 1e-9)
    full, least = t.together >= high, min(t.parallel(gap) for gap in range(1, t.widest + 1))
    always = [
        ("At no distance do both sides", summaries["influence"], t.falls_below < 0),
        ("there is no secret to hide", warnings, t.possible < 2),
        ("It does not mix", chain, t.m > 1 and not t.mixes),
        ("No gap that fits into the series helps.", segments, full and least >= high),
        ("Move the segments apart.", segments, full and least < high),
        ("They are counted where they lie", segments, bool(t.away)),
        ("near the start the chains remember", nodes, bool(t.away) and "decides." in nodes),
        ("already in its long-run distribution at the start", words["assumption"], not t.away),
        ("over every state, possible there or not", words["assumption"], t.everything),
        ("How the chains start matters neither", text["far"], bool(t.away)),
    ]
    if t.own:
        everywhere = all((q > 0).all() for q in t.starts)
        same = "are the same." in chain or "gives the same σ" in chain
        apart = abs(t.otherwise / t.sigma - 1)  # six digits are shown
        close = apart < 1e-7 or (apart < 1e-5 and same)
        always += [
            ("the same", "the same" if same else "", close),
            ("Every state can occur", chain, everywhere and all(_ever_possible(w) for w in t.walks(False))),
        ]
    for sentence, said, true in always:
        if (sentence in said) != true:
            raise Wrong(f"“{sentence}” is {'true, and not said' if true else 'said, and not true'}: {said}")


def _ever_possible(walk: Walk) -> bool:
    return all((here > 0).all() for here in walk.chances)
