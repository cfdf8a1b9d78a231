"""The quilt lab as one widget: a series of states, the quilt of any timestamp, what is released, how releases compose."""

from __future__ import annotations

from math import ceil
from pathlib import PurePath
from typing import Any

import numpy as np

import lmdk_widgets
from lmdk_widgets.scenario.link import choices_from_query
from lmdk_widgets.scenario.quilts import QuiltChoices, QuiltOutcome, describe_quilts, evaluate_quilts, read_own
from lmdk_widgets.scenario.quilts import compose_words as together
from lmdk_widgets.scenario.quilts import words as said
from lmdk_widgets.scenario.quilts.belief_words import believed, chain_sentences
from lmdk_widgets.scenario.quilts.model import MAX_RELEASES, MECHANISMS, QUERIES, SOURCES, THETAS
from lmdk_widgets.scenario.quilts.series import fitting_level_w
from lmdk_widgets.trajectory.samples import sample_description, sample_names, sample_title
from lmdk_widgets.widgets.lab import Lab
from lmdk_widgets.widgets.page import Message
from lmdk_widgets.widgets.quilts_figures import quilt_figures

_COMFORTABLE = 3_000
"""An uploaded series longer than this is read less often, and the page says so."""
_MINUTES_PER_LEVEL = 10
"""A day and more of power readings is read every ten minutes to begin with."""


class QuiltLab(Lab):
    """Pufferfish privacy of a series of states, by Markov quilts.

    Parameters
    ----------
    choices : to begin with; the household's power when left out.
    query : the query string of a link made by "Copy link".

    Attributes
    ----------
    choices : the present `QuiltChoices`; set them to change the page, observe them to follow the user.
    outcome : the `QuiltOutcome` that follows from them.

    Examples
    --------
    >>> lab = QuiltLab(QuiltChoices(source="binary", length=100, epsilon=1.0))
    >>> round(lab.outcome.scale.scale, 4)
    12.84
    """

    MODULE = "quilts.js"
    PAGE = "quilts"

    outcome: QuiltOutcome

    def __init__(self, choices: QuiltChoices | None = None, *, query: str = "", **traits: Any) -> None:
        super().__init__(QuiltChoices() if choices is None else choices, query=query, **traits)

    def _evaluate(self, choices: QuiltChoices) -> QuiltOutcome:
        return evaluate_quilts(choices)

    def _options(self) -> Message:
        tracks = [
            {"name": name, "title": sample_title(name), "meaning": sample_description(name)} for name in sample_names()
        ]
        return {
            "sources": _titled(SOURCES),
            "thetas": _titled(THETAS),
            "mechanisms": _titled(MECHANISMS),
            "queries": _titled(QUERIES),
            "tracks": tracks,
            "most_releases": MAX_RELEASES,
            "version": lmdk_widgets.__version__,
        }

    def _numbers(self, outcome: QuiltOutcome) -> Message:
        words = describe_quilts(outcome)
        return {
            "words": {
                "paragraph": words.paragraph,
                "assumption": words.assumption,
                "warnings": list(words.warnings),
            },
            "timeline": said.timeline_summary(outcome),
            "rows": said.method_rows(outcome),
            "protects": [method.protects or method.scale is None for method in outcome.methods],
            "notes": said.method_notes(outcome),
            "chain": chain_sentences(outcome),
            "stack": together.stack_summary(outcome),
            "segments": together.segments_sentences(outcome),
            "far": together.far_sentence(outcome),
            "conditions": [list(condition) for condition in together.far_conditions(outcome)],
            "story": list(outcome.story.story()),
            "shown": self._shown(outcome),
        }

    def _shown(self, outcome: QuiltOutcome) -> Message:
        """What the controls show beyond the choices: which of them have something to choose, and what fits."""
        own = outcome.choices.own
        kind = outcome.choices.source
        if kind == "own" and own is not None:
            kind = "power" if own.watts is not None else "track" if own.trajectory is not None else "own"
        return {
            "length": len(outcome),
            "node": outcome.node + 1,
            "kind": kind,
            "own": own.name if own is not None else "",
            "known": outcome.series.known is not None,
            "believed": believed(outcome),
            "widest_gap": together.widest_gap(outcome),
            "placed": _placed(outcome),
        }

    def _drawing(self, outcome: QuiltOutcome) -> tuple[Message, dict[str, np.ndarray]]:
        figures, arrays = quilt_figures(outcome)
        series, segments = outcome.series, outcome.segments
        timeline = {
            "node": outcome.node,
            "nearby": list(outcome.nearby),
            "quilt": list(outcome.quilt),
            "labels": list(series.labels),
            "minutes": series.minutes,
            "start_minute": series.start_minute,
            "segments": [list(segments.a), list(segments.b)] if segments is not None else None,
        }
        summaries = {
            "influence": said.influence_summary(outcome),
            "nodes": said.nodes_summary(outcome),
            "histogram": said.histogram_summary(outcome),
            "methods": said.methods_summary(outcome),
        }
        return {"figures": figures, "summaries": summaries, "timeline": timeline}, arrays

    def _changed(self, choices: QuiltChoices, operation: Message) -> Any:
        if operation.get("op") == "set" and operation.get("name") == "source":
            return choices.with_source(operation["value"])
        return super()._changed(choices, operation)

    def _loaded(self, data: bytes, message: Message) -> QuiltChoices:
        own = read_own(data, PurePath(str(message.get("name", ""))).name[:60])
        every = max(1, ceil(len(own) / _COMFORTABLE))
        if own.watts is not None and own.minutes == 1 and len(own) >= 24 * 60:
            every = max(every, _MINUTES_PER_LEVEL)
        present = self._history.present
        level_w = present.level_w if own.watts is None else fitting_level_w(own.watts[::every], present.level_w)
        return present.with_source("own", own=own, every=every, level_w=level_w)

    def _open_link(self, query: str) -> None:
        changes = choices_from_query(query, self._start.to_dict())
        if changes.get("source") != "own":
            super()._open_link(query)
            return
        text = "The link holds the settings for somebody's own series: upload yours to use them with it."
        self._greeting.append({"type": "say", "text": text})
        del changes["source"]
        self._show(self._start.with_changes(**changes))


def _placed(outcome: QuiltOutcome) -> Message:
    """Where the segments really lie: a short series shortens and moves them. Counted from 1, as on the page."""
    segments = outcome.segments
    if segments is None:
        return {}
    (a_first, a_last), (b_first, b_last) = segments.a, segments.b
    lengths = {"a_length": a_last - a_first + 1, "b_length": b_last - b_first + 1}
    return {"a_first": a_first + 1, "gap": segments.gap, **lengths}


def _titled(meanings: dict[str, str]) -> list[dict[str, str]]:
    """ "Shares: the part of ..." is a title and its meaning."""
    parts = ((name, *text.split(": ", 1)) for name, text in meanings.items())
    return [{"name": name, "title": title, "meaning": text[:1].upper() + text[1:]} for name, title, text in parts]
