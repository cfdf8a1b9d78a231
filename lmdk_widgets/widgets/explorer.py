"""The landmark explorer as one widget: the map, the timeline, the words and the controls over one scenario.

The browser asks for changes, one message at a time and never a second before the first is painted; this side evaluates
the new scenario and answers with two messages: the text first, which the eye follows while a slider moves, then the
arrays as binary buffers with the description of the timeline. The browser draws and computes nothing.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import traitlets

import lmdk_widgets
from lmdk_widgets.errors import InputError
from lmdk_widgets.scenario import CORRELATIONS, SCHEMES, Outcome, Scenario, describe
from lmdk_widgets.scenario.amounts import amount, metres
from lmdk_widgets.scenario.captions import describe_chain, describe_moves, summarise
from lmdk_widgets.scenario.compare import Compared, compare_schemes, move_landmarks
from lmdk_widgets.scenario.correlation import Correlation
from lmdk_widgets.scenario.link import to_query
from lmdk_widgets.scenario.matrix_text import matrix_text
from lmdk_widgets.scenario.model import ADVERSARIES, MECHANISMS, WINDOW_SCHEMES
from lmdk_widgets.trajectory import Trajectory, sample_names
from lmdk_widgets.trajectory.samples import sample_description, sample_title
from lmdk_widgets.widgets.figures import array_names, describe_timeline
from lmdk_widgets.widgets.page import Handler, Page
from lmdk_widgets.widgets.session import Session


class Explorer(Page):
    """The landmark privacy explorer.

    Parameters
    ----------
    trajectory : the track to begin with; Bob's day when left out.
    scenario : the settings to begin with.
    source : path of a track to load; a refusal is shown on the page with its choices, and Bob's day stays.
    timezone : IANA name for the naive times of `source`.
    query : the query string of a link made by "Copy link".

    Attributes
    ----------
    scenario : the present `Scenario`; set it to change the page, observe it to follow the user.
    trajectory, outcome : the present track and everything computed on it.

    Examples
    --------
    >>> explorer = Explorer()
    >>> explorer.scenario = explorer.scenario.with_changes(epsilon=0.5)
    >>> round(float(explorer.outcome.budgets[0]), 3)
    0.1
    """

    scenario = traitlets.Instance(Scenario)

    def __init__(
        self,
        trajectory: Trajectory | None = None,
        *,
        scenario: Scenario | None = None,
        source: str | os.PathLike | None = None,
        timezone: str | None = None,
        query: str = "",
        **traits: Any,
    ) -> None:
        self._session = Session(trajectory, scenario)
        self._following = False
        self._sent_chain: Correlation | None = None
        super().__init__(_module="explorer.js", **traits)
        if source is not None:
            self._greet(lambda: self._session.load(Path(source).read_bytes(), Path(source).name, timezone=timezone))
        if query:
            self._greet(lambda: self._open_link(query))
        self._follow()

    @property
    def trajectory(self) -> Trajectory:
        """The present track."""
        return self._session.trajectory

    @property
    def outcome(self) -> Outcome:
        """Everything computed from the present scenario and track."""
        return self._session.outcome

    # -- from Python ------------------------------------------------------------------------------------------------

    @traitlets.observe("scenario")
    def _scenario_set(self, change: Any) -> None:
        if self._following or change["new"] == self._session.scenario:
            return
        before = self.trajectory
        try:
            self._session.show_scenario(change["new"])
        except InputError:
            self._follow()  # nothing is lost: the previous state stays
            raise
        self._announce(before)

    def _follow(self) -> None:
        self._following = True
        try:
            self.scenario = self._session.scenario
        finally:
            self._following = False

    # -- from the page ----------------------------------------------------------------------------------------------

    def _handlers(self) -> dict[Any, Handler]:
        return super()._handlers() | {
            "ready": self._ready,
            "change": self._change,
            "reload": self._reload,
            "propose": self._propose,
            "compare": self._compare,
            "open": self._open,
            "save": self._save,
        }

    def _open_link(self, query: str) -> None:
        said = self._session.open_link(query)
        if said:
            self._greeting.append({"type": "say", "text": said})

    def _ready(self, message: dict[str, Any], _buffers: list[Any]) -> None:
        view = {"view": message.get("view")}
        self.send({**_options(), **view})
        self._send_track(view)
        self._send_outcome(view)
        self._send_greeting(view)

    def _change(self, message: dict[str, Any], _buffers: list[Any]) -> None:
        before = self.trajectory
        self._session.apply(message["operations"], commit=bool(message.get("commit", True)))
        self._announce(before, {"id": message.get("id"), "asked": message.get("view")})

    def _take_file(self, data: bytes, message: dict[str, Any]) -> None:
        before = self.trajectory
        self._session.load(data, str(message["name"]))
        self._announce(before)

    def _reload(self, message: dict[str, Any], _buffers: list[Any]) -> None:
        before = self.trajectory
        self._session.reload(**{k: message[k] for k in ("timezone", "day_first", "on_problem") if k in message})
        self._announce(before)

    def _propose(self, message: dict[str, Any], _buffers: list[Any]) -> None:
        found, text = self._session.propose(message["distance_m"], message["duration_s"])
        self.send({"type": "proposed", "timestamps": found, "text": text, "view": message.get("view")})

    def _compare(self, message: dict[str, Any], _buffers: list[Any]) -> None:
        compared = compare_schemes(self.scenario, self.trajectory)
        rows = [
            [SCHEMES[row.scheme].split(":")[0], amount(row.largest_loss), amount(row.supremum)]
            + [amount(row.landmark_loss), _error_of(row, self.scenario)]
            for row in compared
        ]
        text = describe_moves(self.outcome, move_landmarks(self.outcome), self.trajectory.labels)
        chosen = [row.scheme for row in compared].index(self.scenario.scheme)
        self.send({"type": "compared", "rows": rows, "chosen": chosen, "text": text, "view": message.get("view")})

    def _open(self, message: dict[str, Any], _buffers: list[Any]) -> None:
        before = self.trajectory
        self._session.open_scenario(message["text"])
        self._announce(before)

    def _save(self, message: dict[str, Any], _buffers: list[Any]) -> None:
        view = {"view": message.get("view")}
        if message["what"] == "python":
            self.send({"type": "copy", "text": self._session.snippet(), **view})
            return
        file = self._session.save(message["what"])
        self.send({"type": "file", "name": file.name, "mime": file.mime, **view}, [file.data])

    # -- to the page ------------------------------------------------------------------------------------------------

    def _announce(self, before: Trajectory, asked: dict[str, Any] | None = None) -> None:
        if self.trajectory is not before:
            self._send_track({})
        self._send_outcome(asked or {})
        self._follow()

    def _send_track(self, extra: dict[str, Any]) -> None:
        track = self.trajectory
        time_ms = track.time.astype("datetime64[us]").astype(np.int64) / 1000.0
        message = {
            "type": "track",
            "n": len(track),
            "name": track.name,
            "labels": list(track.labels),
            "places": [list(place) for place in track.places],
            "notices": list(track.notices),
            "arrays": ["latitude", "longitude", "time"],
        }
        self.send({**message, **extra}, [track.latitude.tobytes(), track.longitude.tobytes(), time_ms.tobytes()])

    def _send_outcome(self, extra: dict[str, Any]) -> None:
        session, outcome = self._session, self.outcome
        words = describe(outcome)
        numbers = {
            "type": "numbers",
            "scenario": outcome.scenario.to_dict(),
            "words": {"paragraph": words.paragraph, "assumption": words.assumption, "warnings": list(words.warnings)},
            "summary": summarise(outcome),
            "link": to_query(outcome.scenario),
            "can_undo": session.history.can_undo,
            "can_redo": session.history.can_redo,
        }
        self.send({**numbers, **extra})
        # Positions keep their full precision; what only becomes pixels travels as float32.
        arrays = [(name, "f8" if name in ("latitude", "longitude") else "f4") for name in array_names(outcome)]
        buffers = [getattr(outcome, name).astype(kind).tobytes() for name, kind in arrays]
        arrays.append(("published", "f4"))
        buffers.append(outcome.published.astype("f4").tobytes())
        draw = {"type": "draw", "arrays": [list(a) for a in arrays], "figure": describe_timeline(outcome)}
        self.send({**draw, **extra}, buffers)
        self._send_chain(extra)

    def _send_chain(self, extra: dict[str, Any]) -> None:
        """The matrix behind the losses, when it is not the one that the pages have."""
        chain = self.outcome.correlation
        if chain is self._sent_chain and "view" not in extra:
            return
        self._sent_chain = chain
        message = {
            "type": "chain",
            "text": describe_chain(self.outcome),
            "rows": matrix_text(self.outcome.scenario.matrix),
        }
        if chain.matrix is None or chain.stationary is None:
            self.send({**message, "states": 0, **extra})
            return
        buffers = [chain.matrix.astype("f4").tobytes(), chain.stationary.astype("f4").tobytes()]
        self.send({**message, "states": len(chain.matrix), **extra}, buffers)


def _error_of(row: Compared, scenario: Scenario) -> str:
    """The mean error, saying so where it is not that of the mechanism chosen."""
    other = row.mechanism != scenario.mechanism
    return metres(row.mean_error_m) + (f" ({MECHANISMS[row.mechanism].split(':')[0]})" if other else "")


def _options() -> dict[str, Any]:
    def choices(meanings: dict[str, str]) -> list[dict[str, str]]:
        # "Uniform: the landmarks and ..." is a title and its meaning
        parts = ((name, *text.split(": ", 1)) for name, text in meanings.items())
        return [{"name": name, "title": title, "meaning": said[:1].upper() + said[1:]} for name, title, said in parts]

    return {
        "type": "options",
        "samples": [
            {"name": name, "title": sample_title(name), "meaning": sample_description(name)} for name in sample_names()
        ],
        "schemes": choices(SCHEMES),
        "correlations": choices(CORRELATIONS),
        "adversaries": choices(ADVERSARIES),
        "mechanisms": choices(MECHANISMS),
        "windowed": sorted(WINDOW_SCHEMES),
        "version": lmdk_widgets.__version__,
    }
