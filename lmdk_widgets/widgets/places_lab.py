"""The laboratory of optimal places: a map of cells, mechanisms that are solved while one looks, and their charts.

Choices are evaluated at once; mechanisms come from `Background`, picture by picture, each certified before it is drawn.
A change of the places or of the privacy drops the work under way and begins anew; a click on the map does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from time import monotonic
from typing import Any, ClassVar

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.scenario.link import choices_to_query
from lmdk_widgets.scenario.places import Bench, Judged, Outcome, Places, Solving, Step, Study, evaluate, judge
from lmdk_widgets.scenario.places.desk import Desk
from lmdk_widgets.scenario.places.study import MOST_BY_ITSELF
from lmdk_widgets.scenario.places.words import percent, status
from lmdk_widgets.trajectory import Trajectory
from lmdk_widgets.widgets.background import END, Background
from lmdk_widgets.widgets.lab import Lab
from lmdk_widgets.widgets.page import Handler, Message
from lmdk_widgets.widgets.places_messages import charts, numbers, options, picture

_BETWEEN_S = 0.1
"""Progress is told at most so often."""


class PlacesLab(Lab):
    """Optimal geo-indistinguishability on a map.

    Parameters
    ----------
    choices : to begin with. query : of a link made by "Copy link". track : a track of one's own, by whose cells to begin.

    Attributes
    ----------
    choices : the present `Places`; set them to change the page, observe them to follow the user.
    outcome : the cells, the priors, and the mechanisms solved so far.

    Examples
    --------
    >>> lab = PlacesLab(Places(rows=3, columns=3, prior="uniform"))
    >>> lab.finish()
    >>> round(lab.outcome.judged["optimal"].loss_m)
    884
    """

    MODULE: ClassVar[str] = "places.js"
    PAGE: ClassVar[str] = "places"

    def __init__(
        self, choices: Places | None = None, *, query: str = "", track: Trajectory | None = None, **traits: Any
    ) -> None:
        self._desk = Desk()
        self._bench = Bench()
        self._background = Background()
        self._solving = Solving()
        self._study: Study | None = None
        self._study_work: Iterator[bool] = iter(())
        self._expected = "track"
        self._told_at = 0.0
        start = choices or Places()
        if track is not None:
            start = self._desk.for_track(start, self._desk.keep(track))
        super().__init__(start, query=query, **traits)
        self._restart()

    def finish(self) -> None:
        """Solves everything here and now; for scripts and tests, where no event loop runs."""
        self._background.finish()

    def close(self) -> None:
        """Stops the work, and closes the widget."""
        self._background.cancel()
        super().close()

    # -- choices and files --------------------------------------------------------------------------------------------

    def _evaluate(self, choices: Places) -> Outcome:
        outcome = evaluate(choices, self._desk.sources)
        judged = self._carried(outcome) | self._bench.known(outcome.ground, choices)
        return outcome.with_results(judged, self._solving)

    def _carried(self, outcome: Outcome) -> dict[str, Judged]:
        """Pictures of the outcome before, where cells and prior are the same: they stay until there are better ones."""
        before: Outcome | None = getattr(self, "outcome", None)
        if before is None or before.ground.key != outcome.ground.key:
            return {}
        kept = dict(before.judged)
        if before.places.dilation != outcome.places.dilation:
            kept.pop("spanner", None)
        if before.places.epsilon_per_m != outcome.places.epsilon_per_m:
            kept.pop("private", None)
        if np.array_equal(before.ground.other, outcome.ground.other):
            return kept
        return {name: judge(judged.channel, outcome.ground) for name, judged in kept.items()}

    def _changed(self, choices: Places, operation: Message) -> Places:
        # an operation before this one may have changed the number of cells
        n = len(self.outcome.area) if choices == self._evaluated else len(evaluate(choices, self._desk.sources).area)
        changed = self._desk.changed(choices, operation, n)
        return super()._changed(choices, operation) if changed is None else changed

    def _loaded(self, data: bytes, message: Message) -> Places:
        choices, said = self._desk.load(data, self._history.present, self._expected)
        if said:
            self.send({"type": "say", "text": said})
        return choices

    def _show(self, choices: Places, *, commit: bool = True) -> None:
        before = _work_key(self.outcome)
        super()._show(choices, commit=commit)
        if _work_key(self.outcome) != before:
            self._restart()
        elif self._renew_study() and not self._background.busy:
            self._background.start(self._charts(), self._step)

    # -- the work beside the page -------------------------------------------------------------------------------------

    def _restart(self) -> None:
        """Begins the work for the present choices; the charts follow, from where they were."""
        outcome = self.outcome
        self._solving = Solving("solving", outcome.places.mechanism)
        self.outcome = outcome.with_results(outcome.judged, self._solving)
        self._renew_study()
        steps = chain(self._bench.solve(outcome.ground, outcome.places), self._charts())
        self._background.start(steps, self._step)

    def _renew_study(self) -> bool:
        """Another study when the cells, a prior, the radius or the dilation are others; whether it is."""
        ground, places, study = self.outcome.ground, self.outcome.places, self._study
        if study is not None and study.fits(ground, places.radius_m, places.dilation):
            return False
        self._study = Study(ground, places.radius_m, places.dilation, places.level)
        self._study_work = self._study.work() if len(ground) <= MOST_BY_ITSELF else iter(())
        return True

    def _charts(self) -> Iterator[bool]:
        """The study's work, looked up anew for each slice: it may have been exchanged meanwhile."""
        while (found := next(self._study_work, None)) is not None:
            yield found

    def _step(self, found: Any) -> None:
        """Takes one slice's result: a picture, progress, news of the charts, or what went wrong."""
        if isinstance(found, Exception):
            fault = f"there was a fault in the program ({type(found).__name__})."
            self._solving = Solving("failed", reason=str(found) if isinstance(found, InputError) else fault)
            self._redraw()
        elif isinstance(found, Step):
            self._solving = Solving("solving", found.mechanism, found.excess, found.seconds)
            if found.judged is None or not self._take_picture(found.mechanism, found.judged):
                self._tell_progress()
        elif self._solving.state or found is END:
            self._solving = Solving()
            self._redraw()
        elif found:
            self._tell_charts()
        else:
            self._tell_progress()

    def _take_picture(self, mechanism: str, judged: Judged) -> bool:
        """Shows a picture; whether it is another than before."""
        if judged.ground is not self.outcome.ground:
            judged = judge(judged.channel, self.outcome.ground)
        before = self.outcome.judged.get(mechanism)
        self.outcome = self.outcome.with_results({**self.outcome.judged, mechanism: judged}, self._solving)
        if before is not None and before.channel is judged.channel:
            return False
        self._redraw()
        return True

    def _redraw(self) -> None:
        self.outcome = self.outcome.with_results(self.outcome.judged, self._solving)
        self._announce({})

    def _tell_progress(self) -> None:
        if monotonic() - self._told_at >= _BETWEEN_S:
            self._told_at = monotonic()
            self.send({"type": "progress", **self._progress()})

    def _tell_charts(self) -> None:
        assert self._study is not None
        self.send({"type": "charts", "figures": charts(self.outcome, self._study), **self._progress()})

    def _progress(self) -> Message:
        study, busy = self._study, self._background.busy
        waits = study is not None and not study.begun and len(study.ground) > MOST_BY_ITSELF
        text = status(self._solving, self.outcome.present)
        if not text and busy and study is not None and study.begun and not study.finished:
            text = f"Computing the charts, {percent(study.share)}"
        return {"status": text, "busy": busy and bool(text), "charts_wait": waits}

    def _handlers(self) -> dict[Any, Handler]:
        own = {"cancel": self._cancel, "resume": self._resume, "charts": self._ask_charts, "expect": self._expect}
        return super()._handlers() | own

    def _cancel(self, _message: Message, _buffers: list[Any]) -> None:
        self._background.cancel()
        self._solving = Solving("cancelled")
        self._redraw()

    def _resume(self, _message: Message, _buffers: list[Any]) -> None:
        self._restart()
        self._redraw()

    def _ask_charts(self, _message: Message, _buffers: list[Any]) -> None:
        assert self._study is not None
        self._study_work = self._study.work()
        if not self._background.busy:
            self._background.start(self._charts(), self._step)

    def _expect(self, message: Message, _buffers: list[Any]) -> None:
        """What the file is that comes next."""
        self._expected = "checkins" if message.get("kind") == "checkins" else "track"

    # -- to the page --------------------------------------------------------------------------------------------------

    def _ready(self, message: Message, buffers: list[Any]) -> None:
        super()._ready(message, buffers)
        self._background.wake()

    def _options(self) -> Message:
        return options()

    def _numbers(self, outcome: Outcome) -> Message:
        link = choices_to_query(self.PAGE, self._desk.told(outcome.places), Places().to_dict())
        return {**numbers(outcome), "link": link, **self._progress()}

    def _drawing(self, outcome: Outcome) -> tuple[Message, Mapping[str, np.ndarray]]:
        described, arrays = picture(outcome)
        figures = charts(outcome, self._study) if self._study is not None else {}
        return {**described, "figures": figures}, arrays


def _work_key(outcome: Outcome) -> tuple:
    """What the mechanisms depend on."""
    return outcome.ground.key, outcome.places.epsilon_per_m, outcome.places.dilation
