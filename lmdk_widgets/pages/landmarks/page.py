"""The landmark explorer: the map, the timeline, the words and the controls over one scenario."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from lmdk_widgets.io import DRAWN_NOTE, NOTE
from lmdk_widgets.io.report import Part, paragraph
from lmdk_widgets.page import reading
from lmdk_widgets.page.drawing import Drawing, Message, Picture, plain_figure
from lmdk_widgets.page.matrix_text import matrix_text
from lmdk_widgets.page.messages import copied
from lmdk_widgets.page.own_file import describe_track
from lmdk_widgets.page.session import File
from lmdk_widgets.page.what_if import RecordablePage
from lmdk_widgets.pages.landmarks.defences import defences_drawing
from lmdk_widgets.pages.landmarks.figures import now, trade_off_figure
from lmdk_widgets.pages.landmarks.report import landmark_parts, landmark_pictures
from lmdk_widgets.pages.landmarks.table import table_drawing
from lmdk_widgets.scenario import Outcome, Scenario, captions, describe
from lmdk_widgets.scenario.by_hand_words import describe_by_hand
from lmdk_widgets.scenario.clock import clock_times, zone_shown
from lmdk_widgets.scenario.compare import compared_schemes
from lmdk_widgets.scenario.curve import EPSILONS
from lmdk_widgets.scenario.files import DRAWN, ERRORS_NOTE, HANDED
from lmdk_widgets.scenario.from_track import noted
from lmdk_widgets.scenario.hidden_words import describe_hidden
from lmdk_widgets.scenario.meant import COMMAND_FILE, COMMANDED, release_command, to_mend
from lmdk_widgets.scenario.model import ALL_SCHEMES, SCHEMES
from lmdk_widgets.scenario.people import with_checkins, without
from lmdk_widgets.scenario.pinned_words import describe_pinned
from lmdk_widgets.scenario.session import LandmarkSession
from lmdk_widgets.scenario.settings_model import Asked
from lmdk_widgets.scenario.timeline import array_names, describe_timeline
from lmdk_widgets.scenario.tour import TOUR
from lmdk_widgets.scenario.turned_words import describe_trade_off, turned_rows
from lmdk_widgets.trajectory import Series, Trajectory
from lmdk_widgets.trajectory.samples import only_of_files, sample_data
from lmdk_widgets.trajectory.series_reader import find_data

PRECISE = frozenset({"latitude", "longitude", "pinned_latitude", "pinned_longitude", "values"})
"""Arrays that keep their full precision."""


class LandmarkPage(RecordablePage):
    """The landmark privacy explorer."""

    MODULE: ClassVar[str] = "landmarks.js"
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
    NOT_OPEN: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "scheme": tuple(name for name in ALL_SCHEMES if name not in SCHEMES),
        "correlation": ("matrix",),
    }

    SESSION = LandmarkSession
    session: LandmarkSession

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
            page = type(self).showing(source.state)
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
            "units": outcome.kind.units(outcome.trajectory),
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
    from lmdk_widgets.scenario.adversary_words import describe_adversary

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


def session_on(
    trajectory: Trajectory | str | PathLike | None,
    scenario: Scenario | None = None,
    *,
    checkins: str | PathLike | None = None,
    timezone: str | None = None,
    **options: Any,
) -> LandmarkSession:
    """The session that a page begins with.

    Parameters
    ----------
    trajectory : a `Trajectory`, the name of a sample or the path of a file; Bob's day when left out.
    scenario : the settings to begin with. checkins : path of a table of check-ins around the track.
    timezone, options : how a file is read, as for `load_trajectory`.

    Raises
    ------
    InputError : a track that is none, a scenario that does not fit it, or options without a file.
    """
    read: Message | None = None
    track: Trajectory | None = None
    if trajectory is None:
        only_of_files(options)
    else:
        track = find_data(trajectory, timezone=timezone, **options)
    if not isinstance(trajectory, Trajectory | None):
        series = {"series": True} if isinstance(track, Series) else {}
        read = {"path": str(trajectory), "timezone": timezone, **options, **series}
    if checkins is not None:
        track = with_checkins(track or sample_data((scenario or Scenario()).track or "bob"), checkins)
    return LandmarkSession(track, scenario, source=read)
