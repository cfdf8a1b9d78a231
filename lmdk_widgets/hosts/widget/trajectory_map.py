"""The map by itself: a track with its landmarks, to look at and to click."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import traitlets

from lmdk_widgets.checks import indices, kind_of, refused, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.widget.bundle import NOT_SHARED, BundledWidget, FileWidgetTraits
from lmdk_widgets.io.graticule import in_one_piece
from lmdk_widgets.io.released import DECIMALS
from lmdk_widgets.io.report import drawn
from lmdk_widgets.page import reading
from lmdk_widgets.page.amounts import whole as in_digits
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.parts import timestamps
from lmdk_widgets.trajectory.samples import data_name, find_track

if TYPE_CHECKING:
    from lmdk_widgets.answers.adversary import Inferred

MOST_NAMES = 30
"""With more timestamps than this, their names would cover the map."""


class TrajectoryMap(BundledWidget):
    """A track on a map; click, tap, draw a box or use the keyboard to mark landmarks.

    Parameters
    ----------
    trajectory : the track to draw: a `Trajectory`, the name of a sample ("bob"), the path of a file or a table in memory, as
        for `Trajectory.from_frame`.
    landmarks : the initial ones, as indices, a mask or times; those that came with the track if left out.
    timezone : IANA name of the time zone for naive times in a file.
    basemap : path of a PMTiles file with streets for the map; the browser gets them only from the kernel.
    columns, headings, epsg, day_first, on_problem, on_repeat, on_several, person, days : how a file is read, as for
        `load_trajectory`.

    Attributes
    ----------
    landmarks : list of indices, increasing; set it to move the marks, observe it to follow clicks.

    Raises
    ------
    InputError : it is not a track, or a landmark is not a timestamp of it; the marks then stay as they were.

    Examples
    --------
    >>> view = TrajectoryMap("bob")
    >>> view.observe(lambda change: print(change["new"]), "landmarks")
    >>> view.landmarks = [7, 0]
    [0, 7]
    """

    landmarks = traitlets.List(traitlets.Int()).tag(sync=True)
    _latitude = traitlets.Bytes().tag(sync=True)
    _longitude = traitlets.Bytes().tag(sync=True)
    _names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    _places: traitlets.List = traitlets.List().tag(sync=True)
    _adversary: traitlets.Dict = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        trajectory: Trajectory | str | os.PathLike | Any,
        landmarks: Iterable[Any] | None = None,
        *,
        timezone: str | None = None,
        basemap: str | os.PathLike | None = None,
        **how: Unpack[FileWidgetTraits],
    ) -> None:
        options, traits = self.how_read(how)
        self._found: Inferred | None = None
        self.trajectory = trajectory = find_track(trajectory, timezone=timezone, **options)
        n = len(trajectory)
        names = list(trajectory.labels) or [str(i + 1) for i in range(n)]
        super().__init__(
            _module="trajectory_map.js",
            _latitude=np.ascontiguousarray(trajectory.latitude).tobytes(),
            _longitude=np.ascontiguousarray(trajectory.longitude).tobytes(),
            _names=names if n <= MOST_NAMES else [],
            _places=[list(place) for place in trajectory.places],
            landmarks=list(
                trajectory.landmarks if landmarks is None else timestamps(landmarks, trajectory.time, trajectory.zone)
            ),
            **traits,
        )
        self.lay_under(basemap)
        self.observe(lambda _: self.copy_soon(), ["landmarks", "_adversary"])

    def show_adversary(self, found: Inferred | None, *, at: int = 0) -> TrajectoryMap:
        """Show what an attacker who follows this track infers: the belief as colours, the regions with half and 95 % of it,
        the best guess and the likeliest path, with a slider over the timestamps.

        Parameters
        ----------
        found : the result of `infer` for an outcome on this very track; None removes it.
        at : the initial timestamp, from 0.

        Returns
        -------
        TrajectoryMap
            The map itself, so that it can be the last line of a cell.

        Raises
        ------
        InputError : `found` is about another track, or `at` is not a timestamp; the map stays as it was.

        Examples
        --------
        >>> from lmdk_widgets.scenario import Scenario, evaluate, infer
        >>> from lmdk_widgets.trajectory import sample
        >>> outcome = evaluate(Scenario(landmarks=(0, 2, 4, 7)), sample("bob"))
        >>> view = TrajectoryMap("bob").show_adversary(infer(outcome), at=4)
        """
        from lmdk_widgets.pages.track.belief import alone, is_of

        if found is not None and not is_of(found, self.trajectory):
            seen = "that of another track" if hasattr(found, "belief") else kind_of(found)
            raise refused("found", "what an attacker infers about this track, such as infer(outcome), or None", seen)
        told = {} if found is None else alone(found, whole(at, "at", least=0, most=len(found) - 1))
        self._found, self._adversary = found, told
        return self

    def static_copy(self) -> reading.StaticCopy:
        track, marked = self.trajectory, [i + 1 for i in self.landmarks]
        which = (
            f"landmarks at {', '.join(map(str, marked))}"
            if 0 < len(marked) <= MOST_NAMES
            else f"{len(marked)} landmarks"
        )
        said: list[str] = [
            sentence(
                "A map of the track {name}: {timestamps} timestamps, {which}.",
                name=track.name,
                timestamps=in_digits(len(track)),
                which=which,
            )
        ]
        if self._found is not None:
            from lmdk_widgets.pages.track.belief_words import said_of

            said.append(said_of(self._found))
        if data_name(track):
            return reading.StaticCopy([], [self._drawn(said[0])], said[1:])
        return reading.StaticCopy(said[:1], [self._drawn(said[0])], said[1:], reading.owners("your true track"))

    def _file_title(self) -> str:
        return f"Map of the track {self.trajectory.name}"

    def _unshared(self) -> InputError:
        why = f"{NOT_SHARED} a map of your own track: it shows where you were"
        return InputError(why, remedy="Explorer(...).to_html(path, share=True) draws a release instead")

    def _drawn(self, summary: str) -> str:
        """The track as a map above a sentence."""
        track = self.trajectory
        described = {
            "latitudes": np.round(track.latitude, DECIMALS).tolist(),
            "longitudes": in_one_piece(np.round(track.longitude, DECIMALS)).tolist(),
            "names": list(self._names),
            "places": [list(place) for place in track.places],
            "landmarks": list(self.landmarks),
        }
        return drawn("track", f"Map of the track {track.name}", described, summary)

    @traitlets.validate("landmarks")
    def _in_order(self, proposal: Any) -> list[int]:
        return indices(proposal["value"], "landmarks", len(self.trajectory)).tolist()
