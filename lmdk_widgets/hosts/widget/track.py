"""The landmark explorer as one widget: the map, the timeline, the words and the controls over one scenario."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import traitlets

from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Region
from lmdk_widgets.hosts.widget.bundle import FileWidgetTraits, basemap_of
from lmdk_widgets.hosts.widget.lab import Lab
from lmdk_widgets.names import SchemeName
from lmdk_widgets.page.amounts import in_field
from lmdk_widgets.pages.track.choices import TrackChoices
from lmdk_widgets.pages.track.page import TrackPage, session_on
from lmdk_widgets.pages.track.timeline import PINNED, timeline_figure
from lmdk_widgets.scenario import Outcome, Scenario
from lmdk_widgets.scenario.cards import scheme_told
from lmdk_widgets.trajectory import Trajectory
from lmdk_widgets.trajectory.load import HowRead
from lmdk_widgets.trajectory.model import ExploreOptions
from lmdk_widgets.trajectory.parts import timestamps

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


class ExplorerOptions(ExploreOptions, HowRead, total=False):
    """What `Explorer` takes, by name, except for a link's query."""

    scenario: Scenario | None
    trajectory: Trajectory | str | os.PathLike | Any | None
    source: str | os.PathLike | None
    timezone: str | None
    tabbable: bool | None
    tooltip: str | None


class Explorer(Lab):
    """The landmark privacy explorer.

    Parameters
    ----------
    trajectory : the initial track: a `Trajectory`, the name of a sample ("commuter"), the path of a file or a table in
        memory, as for `Trajectory.from_frame`; Bob's day if left out.
    scenario : the initial settings.
    choices : other initial values of the page, a mapping by the names of its controls: {"table.open": True}.
    epsilon, scheme, landmarks : the same, one by one; landmarks as indices, a mask or times.
    source : path of a track to load; a refusal is shown on the page with its choices, and Bob's day stays.
    timezone : IANA name of the time zone for naive times in a file.
    query : the query string of a link made by "Copy link".
    checkins : path of a table of check-ins around the track, for an adversary who starts where people are.
    region : the area publicly known to contain the track, a `geo.Region` or south, west, north and east in degrees; a
        sample's own or a proposal if left out. By setting it you declare it public: links and files contain it.
    basemap : path of a PMTiles file with streets for the map, and for an attacker who knows them; the browser gets them
        only from the kernel.
    columns, headings, epsg, day_first, on_problem, on_repeat, on_several, person, days : how a file is read, as for
        `load_trajectory`.

    Attributes
    ----------
    scenario : the present `Scenario`; set it to change the page, observe it to follow the user.
    choices : the same for everything that can be chosen on the page, including the scenario, as a mapping; a dict of
        changes works too.
    epsilon, scheme, landmarks : of the present scenario, to link, to observe and to set; epsilon with six digits, as its
        field on the page.
    trajectory, outcome : the present track and everything computed from it.

    Raises
    ------
    InputError : it is not a track, the scenario does not fit it, or there is no such keyword.

    Examples
    --------
    >>> explorer = Explorer("bob")
    >>> explorer.scenario = explorer.scenario.with_changes(epsilon=0.5)
    >>> explorer, round(float(explorer.outcome.budgets[0]), 3)
    (Explorer(bob, Uniform, epsilon 0.5), 0.1)
    """

    PAGE = TrackPage
    CHOICES: ClassVar[str] = "scenario"

    SCENARIO: ClassVar[tuple[str, ...]] = ("epsilon", "scheme", "landmarks")
    """Choices of the scenario that are traits of their own."""
    SYNCED = ("choices", *SCENARIO)

    scenario = traitlets.Instance(Scenario)
    epsilon = traitlets.Any().tag(sync=True)
    scheme = traitlets.Any().tag(sync=True)
    landmarks = traitlets.Any().tag(sync=True)
    page: TrackPage

    def __init__(
        self,
        trajectory: Trajectory | str | os.PathLike | Any | None = None,
        *,
        scenario: Scenario | None = None,
        epsilon: float | None = None,
        scheme: SchemeName | None = None,
        landmarks: Iterable[Any] | None = None,
        choices: Mapping[str, Any] | None = None,
        source: str | os.PathLike | None = None,
        timezone: str | None = None,
        query: str = "",
        checkins: str | os.PathLike | None = None,
        region: Region | Sequence[float] | None = None,
        basemap: str | os.PathLike | None = None,
        **how: Unpack[FileWidgetTraits],
    ) -> None:
        options, traits = self.how_read(how)
        given = {"epsilon": epsilon, "scheme": scheme, "landmarks": landmarks}
        one_by_one = {name: value for name, value in given.items() if value is not None}
        choices = {**(choices or {}), **one_by_one} if one_by_one else choices
        session = session_on(
            trajectory, scenario, choices=choices, checkins=checkins, region=region, timezone=timezone, **options
        )
        streets = basemap_of(basemap)
        if streets is not None:
            session.know_streets(streets)
        super().__init__(session, source=source, timezone=timezone, query=query, **traits)
        self.lay_under(streets)
        self.observe(lambda change: self.page.show(change["new"]), "choices")
        self.observe(self._set_one, list(self.SCENARIO))

    @traitlets.validate("epsilon")
    def _as_in_field(self, proposal: Any) -> Any:
        value = proposal["value"]
        return in_field(value) if isinstance(value, float) else value

    def _set_one(self, change: Any) -> None:
        """Set one value of the scenario; if it is refused, restore the previous value and raise `InputError`."""
        name, value = change["name"], change["new"]
        now: Any = self.session.choices[name]
        if name == "epsilon":
            now = in_field(now)
        try:
            if name == "landmarks":
                value = timestamps(value, self.trajectory.time, self.trajectory.zone)
            if value == now:
                if name == "landmarks":
                    self.landmarks = list(now)
                return
            self.page.show(self.session.choices.with_changes(**{name: value}))
        except InputError:
            self._follow(self.session.choices)
            raise

    def _follow(self, choices: TrackChoices) -> None:
        self.set_trait("choices", choices)
        self.set_trait("scenario", choices.scenario)
        self.epsilon, self.scheme = choices["epsilon"], choices["scheme"]
        self.landmarks = list(choices["landmarks"])

    def __repr__(self) -> str:
        """The data, the scheme and its epsilon; a notebook saves it, so it tells nothing of the user's own data."""
        if not hasattr(self, "page"):
            return super().__repr__()
        scenario = self.session.scenario
        data = scenario.track or f"your own {self.outcome.kind.data}"
        return f"{type(self).__name__}({data}, {scheme_told(scenario)})"

    @property
    def outcome(self) -> Outcome:
        """Everything computed so far from the present scenario."""
        return self.page.outcome

    @property
    def trajectory(self) -> Trajectory:
        """The present track."""
        return self.session.data

    def figure(self) -> Figure:
        """What the page's charts show now as a plotly figure: budgets, losses and errors, and the pinned option beside them.

        Raises
        ------
        InputError : plotly is not installed; the message names the command that installs it.

        Examples
        --------
        >>> figure = Explorer("bob", epsilon=2).figure()
        >>> figure.data[0].y.round(12).tolist()
        [0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4]
        """
        return timeline_figure(self.outcome, self.outcome.found(PINNED))
