"""The landmark explorer: the map, the timeline, the words and the controls over one scenario."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from lmdk_widgets.answers.from_track import noted
from lmdk_widgets.answers.guarantee import warnings
from lmdk_widgets.answers.region_words import region_told
from lmdk_widgets.geo import Region
from lmdk_widgets.io import DRAWN_NOTE, NOTE
from lmdk_widgets.io.report import Part, paragraph
from lmdk_widgets.page.answers import Answer
from lmdk_widgets.page.blocks import Chart
from lmdk_widgets.page.drawing import Drawing, Later, Message
from lmdk_widgets.page.history import State
from lmdk_widgets.page.matrix_text import matrix_text
from lmdk_widgets.page.messages import copied
from lmdk_widgets.page.own_file import describe_track
from lmdk_widgets.page.session import File
from lmdk_widgets.page.takeaway import ANSWERS
from lmdk_widgets.page.what_if import RecordablePage
from lmdk_widgets.pages.track import chart_texts
from lmdk_widgets.pages.track.choices import PANELS, TrackChoices
from lmdk_widgets.pages.track.compared_option import three_answers
from lmdk_widgets.pages.track.files import DRAWN, ERRORS_NOTE, HANDED
from lmdk_widgets.pages.track.fitting_choices import offered, units
from lmdk_widgets.pages.track.release_command import COMMAND_FILE, COMMANDED, copied_command, to_mend
from lmdk_widgets.pages.track.report import landmark_opens, landmark_parts, landmark_pictures
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.pages.track.timeline import timeline_drawing
from lmdk_widgets.pages.track.verdict import VERDICT, verdict_sentence
from lmdk_widgets.pages.track.words import meaning, rests_on
from lmdk_widgets.scenario import Outcome
from lmdk_widgets.scenario.clock import clock_times, zone_shown
from lmdk_widgets.scenario.model import ALL_SCHEMES, SCHEMES, Scenario
from lmdk_widgets.scenario.people import with_checkins, without
from lmdk_widgets.trajectory import Series, Trajectory
from lmdk_widgets.trajectory.parts import timestamps
from lmdk_widgets.trajectory.samples import only_of_files, sample_data
from lmdk_widgets.trajectory.series_reader import find_data


class Step(NamedTuple):
    """A step of the tour. `part`: the choice, or the part of the page, beside which it appears."""

    part: str
    title: str
    text: str


TOUR: tuple[Step, ...] = (
    Step(
        "track",
        "A track",
        "Bob's day in Paris: eight timestamps, each with a place. Choose a longer track, or upload your own.",
    ),
    Step(
        "judged",
        "The verdict",
        "One sentence says whether this release meets your limits, by how much it misses them, and what would help. Press "
        "the word “limits” to change them.",
    ),
    Step(
        "threeanswers",
        "The three answers",
        "Useful: how far off a careful reader of the release is. Found: how near an attacker comes to a place where you "
        "stay. Promised: how many of 100 guesses about one moment can be right; 50 is chance.",
    ),
    Step(
        "mappart",
        "The moments that matter",
        "A diamond is a landmark, a moment that matters to Bob; a dot is a regular moment; a cross is its release. "
        "Click or tap a dot to make it a landmark, or use the arrow keys and Space.",
    ),
    Step(
        "scheme",
        "How the budget is spread",
        "A scheme sets how much of epsilon each timestamp spends. Choose Event level: the releases come closer, and "
        "the page warns how much the landmarks then spend together.",
    ),
    Step(
        "epsilon",
        "How much may be revealed",
        "A small epsilon reveals little, with large errors. Drag the slider, or use the arrow keys, and watch the "
        "crosses and the text.",
    ),
    Step(
        "correlation",
        "What is known beforehand",
        "Each place depends on the one before, and anyone who knows how learns more than the budgets say. Choose "
        "Strong, then None.",
    ),
    Step(
        "words",
        "What it means",
        "The first sentence says what can be learned, in odds and metres. The line next to the title opens the notes "
        "on where the promises end. Point at a word with a dotted underline, or tap it, for its meaning.",
    ),
    Step(
        "timelinepart",
        "Budgets, losses, errors",
        "A column for each timestamp: what it spends, what all releases together reveal about it, and how far off "
        "its report is. You can mark a landmark here too.",
    ),
    Step(
        "header",
        "Keep it and continue",
        "Undo takes back what you tried. Save writes files, Share copies a link to your settings. The lessons tell the whole "
        "story, with questions.",
    ),
)


_FIRST = "side_by_side", "practices", "table"
FOLDS = tuple(dict.fromkeys((*_FIRST, *(name.partition(".")[0] for name in TrackChoices.kinds()))))
"""The panels in the order in which the page draws them: the pinned option, what is done today and the table first, the
others as their choices are declared."""


class TrackPage(RecordablePage):
    """The landmark privacy explorer."""

    MODULE: ClassVar[str] = "track.js"
    TITLE: ClassVar[str] = "How private is this track?"
    PICTURED: ClassVar[str] = f"{NOTE}; errors are computed from the true data"
    TOLD: ClassVar[tuple[str, ...]] = ("landmarks",)
    SHORT: ClassVar[tuple[str, ...]] = ("scheme", "epsilon", "target")
    TWO_REPORTS: ClassVar[bool] = True
    IN_SHORT: ClassVar[tuple[str, ...]] = (ANSWERS, VERDICT)
    LIBRARIES: ClassVar[tuple[str, ...]] = ("map.js",)
    CAN_OPEN: ClassVar[tuple[str, ...]] = (
        *("scheme", "epsilon", "correlation", "adversary", "landmarks", "pinned"),
        *("radius_m", "target", "mechanism", "landmark_loss"),
    )
    LOOKED_AT: ClassVar[tuple[str, ...]] = ("attacker.at",)
    NOT_OPEN: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "scheme": tuple(name for name in ALL_SCHEMES if name not in SCHEMES),
        "correlation": ("matrix",),
    }

    SESSION = TrackSession
    session: TrackSession

    @property
    def title(self) -> str:
        return f"How private is this {self.outcome.kind.data}?"

    def show(self, choices: Any) -> None:
        """Makes choices the present ones; a scenario replaces only the present scenario."""
        if isinstance(choices, Scenario):
            choices = self.session.choices.with_changes(scenario=choices)
        super().show(choices)

    def _load_source(self, path: Path, timezone: str | None) -> None:
        super()._load_source(path, timezone)
        self.session.keep()

    def pictures(self) -> list[Chart]:
        return landmark_pictures(self.session.choices, self.outcome, stands_in=bool(self.stands_in))

    def _numbers_first(self) -> tuple[Answer, ...]:
        return three_answers(self.outcome)

    def _in_short(self) -> list[str]:
        return [verdict_sentence(self.session.choices, self.outcome), *super()._in_short()]

    def _opens(self) -> list[Part]:
        return landmark_opens(self.session.choices, self.outcome, self.session.afresh(), stands_in=bool(self.stands_in))

    def _answers(self) -> list[Part]:
        return landmark_parts(self.session.choices, self.outcome, self.session.afresh(), stands_in=bool(self.stands_in))

    def _personal(self) -> tuple[str, ...]:
        return () if self.stands_in else self.session.personal()

    def _handed_on(self, mark: str = "") -> Callable[[File | None], File]:
        if not self._personal():
            return self._reported(mark)
        source, release = self.session.handed_on()
        heading = self.heading

        def made(what_if: File | None) -> File:
            page = type(self).showing(source.state)
            page.session.stand(release)
            page.stands_in, page.heading = source.said, heading
            page.finish()
            return page._reported()(what_if)

        return made

    def _rests_on(self) -> list[str]:
        return [paragraph(chart_texts.describe_chain(self.outcome))]

    def _note(self) -> str:
        return noted(ERRORS_NOTE if self._personal() else DRAWN_NOTE, self.outcome.scenario, self.outcome.trajectory)

    def _said(self) -> str:
        return HANDED if self.stands_in else DRAWN

    def _copied(self, what: str) -> Message | None:
        if what != "command":
            return super()._copied(what)
        session = self.session
        line = copied_command(session.scenario, session.data, session.sources()["source"])
        return copied(line, COMMANDED, COMMAND_FILE, to_mend(session.scenario, session.data))

    def _options(self) -> Message:
        return {
            "tour": [step._asdict() for step in TOUR],
            "folds": PANELS.folds(FOLDS),
        }

    def _text(self, outcome: Outcome) -> Message:
        told = self._at_once(outcome)
        return told | {"words": {**told["words"], "assumption": rests_on(outcome)}}

    def _at_once(self, outcome: Outcome) -> Message:
        choices = self.session.choices
        told: Message = {
            "words": {"paragraph": meaning(outcome), "warnings": tuple(warnings(outcome))},
            "units": units(outcome),
            "region": region_told(outcome.scenario, outcome.trajectory),
            "summary": chart_texts.summarise(outcome),
            "folds": PANELS.blocks(choices, outcome),
        }
        return told | PANELS.text(choices, outcome)

    def _drawings(self, outcome: Outcome) -> Iterator[Drawing | Later]:
        scenario, track = outcome.scenario, outcome.trajectory
        bare = (without(track),)  # check-ins do not change it
        yield Later("track", bare, lambda: _track(track, bare))
        days = self.session.days
        when = track, scenario.utc, scenario.track, days
        yield Later("clock", when, lambda: _clock(outcome, when, days.of(track)))
        chain = (outcome.correlation,)
        yield Later("chain", chain, lambda: _chain(outcome, chain))
        yield from PANELS.drawings(self.session.choices, outcome)
        yield timeline_drawing(outcome)
        of = outcome.scenario, track, outcome.budgets, outcome.correlation
        yield Later("assumption", of, lambda: Drawing("assumption", of, {"text": rests_on(outcome)}, {}))


def _track(track: Trajectory, made_of: tuple[Any, ...]) -> Drawing:
    described: Message = {
        "n": len(track),
        "name": track.name,
        "labels": list(track.labels),
        "places": [list(place) for place in track.places],
        "notices": list(track.notices),
        "series": None,
        "offered": offered(track),
    }
    arrays = {"latitude": track.latitude, "longitude": track.longitude}
    if isinstance(track, Series):
        described["series"] = {"kind": track.kind, "unit": track.unit, "answers": list(track.answers)}
        arrays = {"values": track.values}
    return Drawing("track", made_of, described, arrays, frozenset(arrays))


def _clock(outcome: Outcome, made_of: tuple[Any, ...], days: list[str]) -> Drawing:
    """The times as shown, in milliseconds by a zone's clock, with its name, and the days to choose from."""
    track = outcome.trajectory
    zone = zone_shown(outcome.scenario, track)
    time_ms = clock_times(track, zone).astype("datetime64[us]").astype(np.int64) / 1000.0
    about = "" if outcome.scenario.track else describe_track(track, zone)
    described = {"zone": zone, "about": about, "days": days}
    return Drawing("clock", made_of, described, {"time": time_ms}, frozenset({"time"}))


def _chain(outcome: Outcome, made_of: tuple[Any, ...]) -> Drawing:
    chain = outcome.correlation
    described = {"text": chart_texts.describe_chain(outcome), "rows": matrix_text(outcome.scenario.matrix)}
    if chain.matrix is None or chain.stationary is None:
        return Drawing("chain", made_of, {**described, "states": 0}, {})
    arrays = {"matrix": chain.matrix, "long_run": chain.stationary}
    return Drawing("chain", made_of, {**described, "states": len(chain.matrix)}, arrays)


def session_on(
    trajectory: Trajectory | str | PathLike | Any | None,
    scenario: Scenario | None = None,
    *,
    choices: Mapping[str, Any] | None = None,
    checkins: str | PathLike | None = None,
    region: Region | Sequence[float] | None = None,
    timezone: str | None = None,
    **options: Any,
) -> TrackSession:
    """The session that a page starts with.

    Parameters
    ----------
    trajectory : a `Trajectory`, the name of a sample, the path of a file or a table in memory; by default Bob's day.
    scenario : the initial settings. choices : the page's other choices, by the names of its controls.
    checkins : path of a table of check-ins around the track. region : the public area in which the track is known to
        lie.
    timezone, options : how a file is read, as for `load_trajectory`.

    Raises
    ------
    InputError : an invalid track, a scenario that does not fit it, or options without a file.
    """
    read: Message | None = None
    track: Trajectory | None = None
    if trajectory is None:
        only_of_files(options)
    else:
        track = find_data(trajectory, timezone=timezone, **options)
    if isinstance(trajectory, str | PathLike):
        series = {"series": True} if isinstance(track, Series) else {}
        read = {"path": str(trajectory), "timezone": timezone, **options, **series}
    if checkins is not None:
        track = with_checkins(track or sample_data((scenario or Scenario()).track or "bob"), checkins)
    session = TrackSession(track, scenario, source=read)
    changes = {**(choices or {}), **({} if region is None else {"region": region})}
    if "landmarks" in changes:
        changes["landmarks"] = timestamps(changes["landmarks"], session.data.time, session.data.zone)
    if changes:
        session.begin(session.fitted(State(session.choices.with_changes(**changes), session.data)))
    return session
