"""The landmark explorer as one widget: the map, the timeline, the words and the controls over one scenario."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import traitlets

from lmdk_widgets.scenario import Outcome, Scenario, describe
from lmdk_widgets.scenario.base.loaded import describe_track
from lmdk_widgets.scenario.base.matrix_text import matrix_text
from lmdk_widgets.scenario.landmarks import captions
from lmdk_widgets.scenario.landmarks.clock import clock_times, zone_shown
from lmdk_widgets.scenario.landmarks.model import SCHEMES
from lmdk_widgets.scenario.landmarks.session import LandmarkSession
from lmdk_widgets.scenario.landmarks.timeline import array_names, describe_timeline
from lmdk_widgets.trajectory import Trajectory
from lmdk_widgets.trajectory.samples import find_track
from lmdk_widgets.widgets.lab import Drawing, Lab
from lmdk_widgets.widgets.page import Message


class Explorer(Lab):
    """The landmark privacy explorer.

    Parameters
    ----------
    trajectory : the track to begin with: a `Trajectory`, the name of a sample ("commuter") or the path of a file; Bob's
        day when left out.
    scenario : the settings to begin with.
    source : path of a track to load; a refusal is shown on the page with its choices, and Bob's day stays.
    timezone : IANA name for the naive times of a file.
    query : the query string of a link made by "Copy link".

    Attributes
    ----------
    scenario : the present `Scenario`; set it to change the page, observe it to follow the user.
    trajectory, outcome : the present track and everything computed on it.

    Raises
    ------
    InputError : a track that is none, or a scenario that does not fit it.

    Examples
    --------
    >>> explorer = Explorer("bob")
    >>> explorer.scenario = explorer.scenario.with_changes(epsilon=0.5)
    >>> round(float(explorer.outcome.budgets[0]), 3)
    0.1
    """

    MODULE: ClassVar[str] = "landmarks.js"
    CHOICES: ClassVar[str] = "scenario"

    scenario = traitlets.Instance(Scenario)
    session: LandmarkSession

    def __init__(
        self,
        trajectory: Trajectory | str | os.PathLike | None = None,
        *,
        scenario: Scenario | None = None,
        source: str | os.PathLike | None = None,
        timezone: str | None = None,
        query: str = "",
        **traits: Any,
    ) -> None:
        track = None if trajectory is None else find_track(trajectory, timezone=timezone)
        read = None if isinstance(trajectory, Trajectory | None) else {"path": str(trajectory), "timezone": timezone}
        session = LandmarkSession(track, scenario, source=read)
        super().__init__(session, source=source, timezone=timezone, query=query, **traits)

    @property
    def trajectory(self) -> Trajectory:
        """The present track."""
        return self.session.data

    def _load_source(self, path: Path, timezone: str | None) -> None:
        super()._load_source(path, timezone)
        self.session.keep()

    def _save(self, message: Message, buffers: list[Any]) -> None:
        if message["what"] == "python":
            said = "Python copied: it repeats this release. Who has its seed and the release has the true track."
            self.send({"type": "copy", "text": self.session.snippet(), "said": said, "view": message.get("view")})
        else:
            super()._save(message, buffers)

    def _text(self, outcome: Outcome) -> Message:
        moved = (
            "" if outcome.moved is None else captions.describe_moves(outcome, outcome.moved, outcome.trajectory.labels)
        )
        return {
            "words": asdict(describe(outcome)),
            "summary": captions.summarise(outcome),
            "proposed": {
                "timestamps": list(outcome.proposed),
                "whole": list(outcome.proposed_whole),
                "text": captions.describe_proposed(outcome),
            },
            "compared": {
                "rows": captions.comparison_rows(outcome),
                "schemes": len(SCHEMES),
                "chosen": list(SCHEMES).index(outcome.scenario.scheme),
                "text": moved,
            },
        }

    def _drawings(self, outcome: Outcome) -> Iterator[Drawing]:
        yield _track(outcome.trajectory)
        yield _clock(outcome)
        yield _chain(outcome)
        arrays = {name: getattr(outcome, name) for name in array_names(outcome)} | {"published": outcome.published}
        described = {"figure": describe_timeline(outcome)}
        yield Drawing(
            "draw", (outcome.budgets, outcome.error_m), described, arrays, frozenset({"latitude", "longitude"})
        )


def _track(track: Trajectory) -> Drawing:
    described = {
        "n": len(track),
        "name": track.name,
        "labels": list(track.labels),
        "places": [list(place) for place in track.places],
        "notices": list(track.notices),
    }
    arrays = {"latitude": track.latitude, "longitude": track.longitude}
    return Drawing("track", (track,), described, arrays, frozenset(arrays))


def _clock(outcome: Outcome) -> Drawing:
    """The times as they are shown: milliseconds of the clock of a zone, and its name."""
    track = outcome.trajectory
    zone = zone_shown(outcome.scenario, track)
    time_ms = clock_times(track, zone).astype("datetime64[us]").astype(np.int64) / 1000.0
    about = "" if outcome.scenario.track else describe_track(track, zone)
    return Drawing(
        "clock", (track, zone, about), {"zone": zone, "about": about}, {"time": time_ms}, frozenset({"time"})
    )


def _chain(outcome: Outcome) -> Drawing:
    chain = outcome.correlation
    described = {"text": captions.describe_chain(outcome), "rows": matrix_text(outcome.scenario.matrix)}
    if chain.matrix is None or chain.stationary is None:
        return Drawing("chain", (chain,), {**described, "states": 0}, {})
    arrays = {"matrix": chain.matrix, "long_run": chain.stationary}
    return Drawing("chain", (chain,), {**described, "states": len(chain.matrix)}, arrays)
