"""The landmark explorer as one widget: the map, the timeline, the words and the controls over one scenario."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import traitlets

from lmdk_widgets.io import DRAWN_NOTE, NOTE
from lmdk_widgets.io.report import Part, paragraph
from lmdk_widgets.page import reading
from lmdk_widgets.page.drawing import Drawing, Picture, plain_figure
from lmdk_widgets.pages.landmarks.defences import defences_drawing
from lmdk_widgets.pages.landmarks.figures import now, trade_off_figure
from lmdk_widgets.pages.landmarks.report import landmark_parts, landmark_pictures
from lmdk_widgets.pages.landmarks.table import table_drawing
from lmdk_widgets.scenario import Outcome, Scenario, describe
from lmdk_widgets.scenario.base.loaded import describe_track
from lmdk_widgets.scenario.base.matrix_text import matrix_text
from lmdk_widgets.scenario.base.session import File
from lmdk_widgets.scenario.landmarks import captions
from lmdk_widgets.scenario.landmarks.by_hand_words import describe_by_hand
from lmdk_widgets.scenario.landmarks.clock import clock_times, zone_shown
from lmdk_widgets.scenario.landmarks.compare import compared_schemes
from lmdk_widgets.scenario.landmarks.curve import EPSILONS
from lmdk_widgets.scenario.landmarks.files import DRAWN, ERRORS_NOTE, HANDED
from lmdk_widgets.scenario.landmarks.from_track import noted
from lmdk_widgets.scenario.landmarks.hidden_words import describe_hidden
from lmdk_widgets.scenario.landmarks.meant import COMMAND_FILE, COMMANDED, release_command, to_mend
from lmdk_widgets.scenario.landmarks.model import BY_HAND
from lmdk_widgets.scenario.landmarks.people import with_checkins, without
from lmdk_widgets.scenario.landmarks.pinned_words import describe_pinned
from lmdk_widgets.scenario.landmarks.session import LandmarkSession
from lmdk_widgets.scenario.landmarks.settings_model import Asked
from lmdk_widgets.scenario.landmarks.timeline import array_names, describe_timeline
from lmdk_widgets.scenario.landmarks.tour import TOUR
from lmdk_widgets.scenario.landmarks.turned_words import describe_trade_off, turned_rows
from lmdk_widgets.scenario.landmarks.values import units_of
from lmdk_widgets.trajectory import Series, Trajectory
from lmdk_widgets.trajectory.formats import READ_AGAIN
from lmdk_widgets.trajectory.samples import only_of_files
from lmdk_widgets.trajectory.series_reader import find_data
from lmdk_widgets.trajectory.series_samples import sample_data
from lmdk_widgets.widgets.lab import Lab
from lmdk_widgets.widgets.page import Message, copied

PRECISE = frozenset({"latitude", "longitude", "pinned_latitude", "pinned_longitude", "values"})
"""Arrays that keep their full precision."""


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
    checkins : path of a table of check-ins around the track, for an adversary who starts where people are.
    columns, headings, epsg, day_first, on_problem, on_repeat, on_several, person, days : how a file is read, as for
        `load_trajectory`.

    Attributes
    ----------
    scenario : the present `Scenario`; set it to change the page, observe it to follow the user.
    trajectory, outcome : the present track and everything computed on it.

    Raises
    ------
    InputError : a track that is none, a scenario that does not fit it, or a keyword that there is not.

    Examples
    --------
    >>> explorer = Explorer("bob")
    >>> explorer.scenario = explorer.scenario.with_changes(epsilon=0.5)
    >>> round(float(explorer.outcome.budgets[0]), 3)
    0.1
    """

    MODULE: ClassVar[str] = "landmarks.js"
    CHOICES: ClassVar[str] = "scenario"
    TITLE: ClassVar[str] = "How private is this track?"
    PICTURED: ClassVar[str] = f"{NOTE}; errors are computed from the true track"
    TOLD: ClassVar[tuple[str, ...]] = ("landmarks",)
    TWO_REPORTS: ClassVar[bool] = True
    LIBRARIES: ClassVar[tuple[str, ...]] = ("map.js", "plotly.js")
    CAN_OPEN: ClassVar[tuple[str, ...]] = (
        *("scheme", "epsilon", "correlation", "adversary", "landmarks", "pinned"),
        *("radius_m", "target", "mechanism", "landmark_loss"),
    )
    LOOKED_AT: ClassVar[tuple[str, ...]] = ("infer_at",)
    NOT_OPEN: ClassVar[Mapping[str, tuple[str, ...]]] = {"scheme": tuple(BY_HAND), "correlation": ("matrix",)}

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
        checkins: str | os.PathLike | None = None,
        **how: Any,
    ) -> None:
        self.refuse_unknown(how, READ_AGAIN)
        options = {name: how.pop(name) for name in READ_AGAIN if name in how}
        if trajectory is None:
            only_of_files(options)
        track = None if trajectory is None else find_data(trajectory, timezone=timezone, **options)
        read: Message | None = (
            None
            if isinstance(trajectory, Trajectory | None)
            else {"path": str(trajectory), "timezone": timezone, **options}
        )
        if isinstance(track, Series) and read is not None:
            read["series"] = True
        if checkins is not None:
            track = with_checkins(track or sample_data((scenario or Scenario()).track or "bob"), checkins)
        session = LandmarkSession(track, scenario, source=read)
        super().__init__(session, source=source, timezone=timezone, query=query, **how)

    @property
    def trajectory(self) -> Trajectory:
        """The present track."""
        return self.session.data

    def _load_source(self, path: Path, timezone: str | None) -> None:
        super()._load_source(path, timezone)
        self.session.keep()

    def pictures(self) -> list[Picture]:
        return landmark_pictures(self.outcome, stands_in=bool(self.stands_in))

    def _answers(self) -> list[Part]:
        return landmark_parts(self.outcome, self.session.afresh(), stands_in=bool(self.stands_in))

    def _personal(self) -> tuple[str, ...]:
        return () if self.stands_in else self.session.personal()

    def _handed_on(self) -> Callable[[File | None], File]:
        if not self._personal():
            return self._reported()
        source, release = self.session.handed_on()

        def made(what_if: File | None) -> File:
            from lmdk_widgets.widgets.recorder import silent

            page: Any = silent(type(self), source.state)
            page.session.stand(release)
            page.stands_in = source.said
            page.finish()
            return page._reported()(what_if)

        return made

    def _rests_on(self) -> list[str]:
        return [paragraph(captions.describe_chain(self.outcome))]

    def _note(self) -> str:
        return noted(DRAWN_NOTE if self.stands_in else ERRORS_NOTE, self.outcome.scenario)

    def _said(self) -> str:
        return HANDED if self.stands_in else DRAWN

    def _copied(self, what: str) -> Message | None:
        if what != "command":
            return super()._copied(what)
        session = self.session
        line = release_command(session.choices, session.data, session.sources()["source"])
        return copied(line, COMMANDED, COMMAND_FILE, to_mend(session.choices, session.data))

    def _options(self) -> Message:
        return {"tour": [step._asdict() for step in TOUR], "table": Asked.controls()["fields"]}

    def _text(self, outcome: Outcome) -> Message:
        moved = (
            "" if outcome.moved is None else captions.describe_moves(outcome, outcome.moved, outcome.trajectory.labels)
        )
        return {
            "words": asdict(describe(outcome)),
            "units": units_of(outcome.trajectory),
            "summary": captions.summarise(outcome),
            "proposed": {
                "timestamps": list(outcome.proposed),
                "whole": list(outcome.proposed_whole),
                "text": captions.describe_proposed(outcome),
            },
            "compared": {
                "rows": captions.comparison_rows(outcome),
                "schemes": len(compared := compared_schemes(outcome.scenario)),
                "chosen": compared.index(outcome.scenario.scheme),
                "text": moved,
            },
            "trade_off": describe_trade_off(outcome),
            "turned": turned_rows(outcome),
            "pinned": describe_pinned(outcome),
            "inferred": _inferred(outcome),
            "by_hand": describe_by_hand(outcome),
            "hidden": describe_hidden(outcome),
        }

    def _read_figure(self) -> str:
        outcome = self.outcome
        return reading.figure(plain_figure(outcome.figure()), captions.summarise(outcome))

    def _drawings(self, outcome: Outcome) -> Iterator[Drawing]:
        yield _track(outcome.trajectory)
        yield _clock(outcome, self.session.days.of(outcome.trajectory))
        yield _chain(outcome)
        if outcome.scenario.curve:
            yield _trade_off(outcome)
        if outcome.scenario.infer:
            from lmdk_widgets.pages.landmarks.adversary import adversary_drawings

            yield from adversary_drawings(outcome)
            if outcome.scenario.defences:
                yield defences_drawing(outcome)
        if outcome.scenario.table:
            yield table_drawing(outcome)
        arrays = {name: outcome.array(name) for name in array_names(outcome)} | {"published": outcome.published}
        described = {"figure": describe_timeline(outcome)}
        yield Drawing("draw", (outcome.budgets, outcome.error_m, outcome.pinned), described, arrays, PRECISE)


def _inferred(outcome: Outcome) -> Message:
    """What an adversary infers, in sentences; what computes it is loaded only then."""
    if not outcome.scenario.infer:
        return {"found": [], "notes": []}
    from lmdk_widgets.scenario.landmarks.adversary_words import describe_adversary

    return describe_adversary(outcome)


def _track(track: Trajectory) -> Drawing:
    described: Message = {
        "n": len(track),
        "name": track.name,
        "labels": list(track.labels),
        "places": [list(place) for place in track.places],
        "notices": list(track.notices),
        "series": None,
    }
    arrays = {"latitude": track.latitude, "longitude": track.longitude}
    if isinstance(track, Series):
        described["series"] = {"kind": track.kind, "unit": track.unit, "answers": list(track.answers)}
        arrays = {"values": track.values}
    return Drawing("track", (without(track),), described, arrays, frozenset(arrays))  # check-ins change nothing of it


def _clock(outcome: Outcome, days: list[str]) -> Drawing:
    """The times as they are shown: milliseconds of the clock of a zone, and its name; the days that can be chosen."""
    track = outcome.trajectory
    zone = zone_shown(outcome.scenario, track)
    time_ms = clock_times(track, zone).astype("datetime64[us]").astype(np.int64) / 1000.0
    about = "" if outcome.scenario.track else describe_track(track, zone)
    return Drawing(
        "clock",
        (track, zone, about),
        {"zone": zone, "about": about, "days": days},
        {"time": time_ms},
        frozenset({"time"}),
    )


def _trade_off(outcome: Outcome) -> Drawing:
    scenario = outcome.scenario
    made_of = (outcome.curves, scenario.against, scenario.curve_error, scenario.scheme, *now(outcome))
    return Drawing("curves", made_of, {"figure": trade_off_figure(outcome), "epsilons": list(EPSILONS)}, {})


def _chain(outcome: Outcome) -> Drawing:
    chain = outcome.correlation
    described = {"text": captions.describe_chain(outcome), "rows": matrix_text(outcome.scenario.matrix)}
    if chain.matrix is None or chain.stationary is None:
        return Drawing("chain", (chain,), {**described, "states": 0}, {})
    arrays = {"matrix": chain.matrix, "long_run": chain.stationary}
    return Drawing("chain", (chain,), {**described, "states": len(chain.matrix)}, arrays)
