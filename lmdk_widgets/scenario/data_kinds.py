"""The kinds of data: a track of places, a series of numbers, a series of answers. Each is one object.

A kind brings its own words, its unit, its ground and how it is drawn. A sentence is written once, with the words of the
outcome's kind in it: ``sentence("however {values} follow each other", values=kind.values)``. Nothing reads a finished
sentence to change it, so rewording a sentence about tracks can never leave a series with the promise of a track. Where a
whole statement differs, and above all where a guarantee differs, each kind has its own sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from lmdk_widgets.geo import Floats, Region
from lmdk_widgets.page.amounts import bound, count, metres, whole
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.scenario.ground import Answers, Ground, Numbers, Places
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.reading import AnswerReading, CellReading, NumberReading, Reading, reading_of_places
from lmdk_widgets.scenario.written_values import IN_ITS_UNIT, series_axis, with_unit
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series

if TYPE_CHECKING:
    from lmdk_widgets.scenario.cells import CellReports

_DEGREES = ("released_latitude_deg", "released_longitude_deg")


OF_TRACKS = frozenset({"region", "radius_m", "mechanism", "cells", "place_m", "cell_m"})
"""Choices that make no sense for a series, which has no places."""

OF_NUMBERS = frozenset({"bounds", "lower", "upper", "level_width"})
"""Choices only for a series of numbers."""

NOT_OF_ANSWERS = OF_NUMBERS | {"states"}
"""Choices that make no sense for two answers, as a chain of them has two states."""


class Kind:
    """A kind of data: what the page calls them, and what it states of them alone."""

    data: str
    """What the data are: "track"."""

    value: str
    """What a timestamp has: "place"."""

    a_value: str
    """The same with its article: "a place"."""

    values: str
    """Several of them: "places"."""

    points: str
    """What a release consists of, which the seed must not be passed on with: "points"."""

    moves: str
    """What a chain describes: "moves"."""

    state: str
    """A state of a chain: "place"."""

    shown: str = "in the chart"
    """Where landmarks are chosen: "on the map"."""

    reported: str
    """What a release contains: "your reported points"."""

    reported_one: str
    """The same where there is one: "your one reported point"."""

    unknown: str = "any value"
    """What a release without information says nothing about: "where you were"."""

    placed: bool = False
    """Whether the data lie on the ground, with a radius and distances in metres."""

    counts_wrong: bool = False
    """Whether an error is a wrong answer, so a mean error is a share of wrong answers."""

    least_error: str
    """What Weighted's budgets minimise; `more_noise` is how much noisier landmarks are than under Uniform."""

    loss_holds: str = "It is about any two of its levels, and says nothing of two values in one level."
    """Between which states a chain's loss is computed."""

    kept_back: str = "Where a release repeats the one before, anyone can see that something was kept back."
    """What a timestamp without a release reveals."""

    cell: str
    """What an adversary distinguishes: "cell"."""

    your_cell: str
    """The true one: "your true cell"."""

    cell_of: str
    """What is found of a landmark: "the cell of"."""

    two_cells: str
    """Any two that the attacker distinguishes."""

    in_two_cells: str
    """Between which values a chain's loss is: "places in two cells"."""

    drawn_anew: str
    """What a chain's loss takes for granted of the values within a state; "" where a state is one value."""

    alike: str
    """How the attacker starts without knowledge: "every cell equally likely"."""

    was_in_each: str
    is_in_each: str
    """How often the data were, or are, in each state: what the attacker may know of them."""

    near: str
    """Where the attacker expects moves to: "places nearby"; "" where none is nearer than another."""

    stays: str
    """What the attacker believes without knowing a chain; `chance` is that of staying in the same state."""

    off: str
    """What the attacker's distance is measured from."""

    unseen: str
    """What the attacker does not know."""

    known_here: str
    """Why the attacker's error can be computed on this page."""

    proven: str
    """Why the loss bounds what the attacker learns, where it does."""

    exactness: str
    """How exact the attacker's belief is."""

    guessed: str
    """Between which two values guesses are counted; for places, two that are one radius apart."""

    known_when: str = "when that was"
    """What someone knows who adds up the reports of what lasts."""

    senseless: frozenset[str]
    """Choices that make no sense for it; the page leaves them out."""

    usefulness: Mapping[str, str]
    """What is said of a release that is "useless", shows only the "area", shows the "way", is "good", or comes "close"."""

    blind_guess: str
    """What is guessed without a release: "the middle of the region"."""

    one_mark: str
    """What someone knows who knows one value, on a scale: "one place"."""

    one_known: str
    """What someone who knows one value of the data guesses: "the point nearest to all"."""

    drawn: tuple[str, ...] = ("values",)
    """The arrays of an outcome that its release is drawn from."""

    @property
    def supposed(self) -> str:
        """Between what a chain's loss is, and what it takes for granted, to say within a sentence.

        Examples
        --------
        >>> TRACK.supposed, ANSWERS.supposed
        ('between two cells, the place within a cell drawn anew at every timestamp', 'between the two answers')
        """
        return ", ".join(filter(None, (f"between {self.two_cells}", self.drawn_anew)))

    def unit(self, data: Trajectory) -> str:
        """The unit of its lengths: "m"."""
        assert isinstance(data, Series)
        return data.unit

    def unit_of_error(self, data: Trajectory) -> str:
        """The unit of a mean error."""
        return self.unit(data)

    def units(self, data: Trajectory) -> dict[str, str]:
        """The units of the choices that are in the unit of the data, by name.

        Examples
        --------
        >>> from lmdk_widgets.trajectory import sample_series
        >>> sorted(set(NUMBERS.units(sample_series("household")).values()))
        ['kWh']
        """
        return dict.fromkeys(IN_ITS_UNIT, self.unit(data))

    def axis(self, data: Trajectory, ticks: list[float], name: str = "error") -> dict[str, Any]:
        """What the axis of errors has in addition to that of a track."""
        assert isinstance(data, Series)
        return series_axis(data, ticks, name)

    def columns(self, columns: Mapping[str, Any], values: Floats | None) -> dict[str, Any]:
        """The columns of a track's table as those of these data: values instead of degrees, and no metres."""
        named = {name.removesuffix("_m"): column for name, column in columns.items() if name not in _DEGREES}
        at = list(named).index("error")
        items = list(named.items())
        return dict([*items[:at], ("released_value", values), *items[at:]])

    def wanted(self, data: Trajectory, value: str) -> str:
        """An error that the user wants, in words."""
        unit = f" {self.unit(data)}".rstrip()
        return sentence("a mean error of at most {wanted_error}{unit}", wanted_error=value, unit=unit)

    def read_wanted(self, data: Trajectory, value: str, *, more: bool = False) -> str:
        """That a careful reader's error is within what the user wants, or exceeds it."""
        said = "off by more than {wanted_error}{unit}" if more else "off by at most {wanted_error}{unit}"
        unit = f" {self.unit(data)}".rstrip()
        return sentence("A careful reader is {off_by}", off_by=sentence(said, wanted_error=value, unit=unit))

    def estimated(self, data: Trajectory, states: int, scenario: Scenario) -> str:
        """The states of a chain that is estimated from the data: "five cells of 500 m"."""
        raise NotImplementedError

    def odds(self, data: Trajectory, when: str, apart: str) -> str:
        """Which odds the release changes, and between what; `apart` is how far apart two places are."""
        raise NotImplementedError

    def lasting_apart(self, scenario: Scenario, ground: Ground) -> str:
        """Between which two values what lasts is asked: "against a place 200 m away"."""
        raise NotImplementedError

    def one_number(self, scenario: Scenario) -> str:
        """How the loss of Cao et al. treats all pairs of a chain's states; "" where there is one pair."""
        return "by one number for all pairs"

    def counted_between(self, ground: Ground) -> str:
        """Between what budgets are counted; "" where that depends on the mechanism."""
        raise NotImplementedError

    def warnings(self, ground: Ground, n: int) -> list[str]:
        """Warnings about the bounds of n values."""
        return []

    def reading(self, ground: Ground, region: Region | None, reports: CellReports | None) -> Reading:
        """How a reader reads releases of the data: of a track in its public region, perhaps as cells."""
        raise NotImplementedError


class TrackKind(Kind):
    """Places at times."""

    data, placed, drawn = "track", True, ("latitude", "longitude")
    senseless = OF_NUMBERS
    known_when = "when you are there"
    value, a_value, values = "place", "a place", "places"
    points, moves, state = "points", "moves", "place"
    shown = "on the map"
    reported, reported_one = "your reported points", "your one reported point"
    unknown = "where you were"
    least_error = "the least expected error of planar Laplace; landmarks get {more_noise} times the noise of Uniform."
    loss_holds = (
        "It is about two cells, and says nothing of two places in one cell, nor of someone who stays at one place. Charts "
        "draw it by one number, as if any two cells were within the radius, and pair by pair."
    )
    kept_back = (
        "Where the track reports nothing from an area that it must have crossed, the empty area points to the very "
        "place."
    )
    guessed = "two equally likely places"
    cell, your_cell, cell_of, two_cells = "cell", "your true cell", "the cell of", "two cells"
    in_two_cells, drawn_anew = "places in two cells", "the place within a cell drawn anew at every timestamp"
    alike, was_in_each, is_in_each = "every cell equally likely", "was in each cell", "is in each cell"
    near = "places nearby"
    stays = "people stay with a chance of {stay_chance} each time, or else go anywhere"
    off, unseen, known_here = "where you were", "where you were", "the true track is known"
    proven = (
        "Under randomised response that is a proven bound: whatever is reported, nobody with these beliefs learns more."
    )
    usefulness: Mapping[str, str] = MappingProxyType(
        {
            "useless": "useless: the middle of the region is as good",
            "area": "shows the area, not the route",
            "way": "shows the route",
            "good": "shows the route well",
            "close": "shows the route in detail",
        }
    )
    one_mark = "one place"
    blind_guess, one_known = "the middle of the region", "the point nearest to all"
    exactness = (
        "A cell stands for all places in it, and the chosen chain assumes that you never leave the cells shown. Errors "
        "are distances to where you really were."
    )

    def unit(self, data: Trajectory) -> str:
        return "m"

    def axis(self, data: Trajectory, ticks: list[float], name: str = "error") -> dict[str, Any]:
        return {}

    def columns(self, columns: Mapping[str, Any], values: Floats | None) -> dict[str, Any]:
        return dict(columns)

    def one_number(self, scenario: Scenario) -> str:
        if scenario.mechanism == "randomised":
            return super().one_number(scenario)
        return sentence("if all places were within {radius}", radius=metres(scenario.radius_m))

    def estimated(self, data: Trajectory, states: int, scenario: Scenario) -> str:
        found = {"states": count(states, self.cell), "state_side": metres(scenario.cell_m)}
        return sentence("{states} of {state_side}", **found)

    def odds(self, data: Trajectory, when: str, apart: str) -> str:
        return sentence("the odds of where you were {when}, between {apart}", when=when, apart=apart)

    def lasting_apart(self, scenario: Scenario, ground: Ground) -> str:
        return sentence("against a place {radius} away", radius=metres(scenario.radius_m))

    def counted_between(self, ground: Ground) -> str:
        return ""

    def reading(self, ground: Ground, region: Region | None, reports: CellReports | None) -> Reading:
        assert isinstance(ground, Places) and region is not None
        return reading_of_places(ground, region) if reports is None else CellReading(ground, region, reports)


class NumbersKind(Kind):
    """Numbers at times, between bounds."""

    data, senseless = "series", OF_TRACKS
    value, a_value, values = "value", "a value", "values"
    points, moves, state = "values", "values", "state"
    reported, reported_one = "the released values", "the one released value"
    least_error = "the least expected error of Laplace noise; landmarks get {more_noise} times the noise of Uniform."
    guessed = "any two equally likely values within the bounds"
    cell, your_cell, cell_of, two_cells = "level", "the true level", "the level of", "two levels"
    in_two_cells, drawn_anew = "values in two levels", "the value within a level drawn anew at every timestamp"
    alike, was_in_each, is_in_each = "every level equally likely", "was in each level", "is in each level"
    near = "levels nearby"
    stays = "a value stays in its level with a chance of {stay_chance} each time, or else goes anywhere"
    off, unseen, known_here = "the true value", "the true values", "they are known"
    usefulness: Mapping[str, str] = MappingProxyType(
        {
            "useless": "useless: the middle between the bounds is as good",
            "area": "shows less than the median of the values",
            "way": "shows how the values change",
            "good": "shows clearly how the values change",
            "close": "shows in detail how the values change",
        }
    )
    one_mark = "one value"
    blind_guess, one_known = "the middle between the bounds", "the median of the values"
    proven = (
        "As the levels lie within the bounds, that is a proven bound: whatever is released, nobody with these beliefs "
        "learns more."
    )
    exactness = (
        "A level stands for all values in it: the belief is an approximation, the better the narrower the levels. They "
        "lie between the bounds, and the chosen chain assumes that values do too. Errors are distances to the true value."
    )

    def estimated(self, data: Trajectory, states: int, scenario: Scenario) -> str:
        found = {"states": count(states, self.cell), "level_width": with_unit(self.unit(data))(scenario.level_width)}
        return sentence("{states} of {level_width}", **found)

    def odds(self, data: Trajectory, when: str, apart: str) -> str:
        return sentence("the odds of the value {when}, between any two within the bounds", when=when)

    def lasting_apart(self, scenario: Scenario, ground: Ground) -> str:
        assert isinstance(ground, Numbers)
        away = with_unit(ground.series.unit)(0.1 * (ground.upper - ground.lower))
        return sentence("against a level {compared} away", compared=away)

    def counted_between(self, ground: Ground) -> str:
        assert isinstance(ground, Numbers)
        low, high = (with_unit(ground.series.unit)(end) for end in (ground.lower, ground.upper))
        return sentence(
            "Budgets are counted between the bounds of {lower} and {upper}: between any two values within them, a "
            "timestamp with budget b changes the odds by a factor of at most e^b. A value outside is moved to the "
            "nearer bound before noise is added.",
            lower=low,
            upper=high,
        )

    def warnings(self, ground: Ground, n: int) -> list[str]:
        """Bounds that leak, and values beyond them."""
        assert isinstance(ground, Numbers)
        found = []
        if ground.from_data:
            found.append(
                "The bounds are taken from the data: the size of the noise reveals how far apart the smallest and the "
                "largest value are, and no budget pays for that. State bounds that are known without looking at the values."
            )
        outside = int((ground.moved > 0).sum())
        if outside:
            most = bound(float(ground.moved.max()))
            found.append(
                sentence(
                    "{outside} of {n} {lie} outside the bounds: moved to the nearer one, which adds up to {most_moved}{unit} "
                    "to the error.",
                    outside=whole(outside),
                    n=whole(n),
                    lie="value lies" if outside == 1 else "values lie",
                    most_moved=most,
                    unit=f" {ground.series.unit}".rstrip(),
                )
            )
        return found

    def reading(self, ground: Ground, region: Region | None, reports: CellReports | None) -> Reading:
        assert isinstance(ground, Numbers)
        return NumberReading(ground)


class AnswersKind(Kind):
    """One of two answers at times."""

    data, senseless = "series", OF_TRACKS | NOT_OF_ANSWERS
    value, a_value, values = "answer", "an answer", "answers"
    points, moves, state = "answers", "answers", "state"
    reported, reported_one = "the released answers", "the one released answer"
    counts_wrong = True
    least_error = (
        "the least expected error of numbers, though not always of answers; landmarks get less than under Uniform."
    )
    guessed = "the two equally likely answers"
    cell, your_cell, cell_of, two_cells = "answer", "the true answer", "the answer at", "the two answers"
    in_two_cells, drawn_anew, loss_holds = "the two answers", "", "It is about the two answers."
    alike, was_in_each, is_in_each = "both answers equally likely", "had each answer", "has each answer"
    near = ""
    stays = "an answer stays with a chance of {stay_chance} each time, or else changes"
    off, unseen, known_here = "the true answer", "the true answers", "they are known"
    proven = (
        "Under randomised response that is a proven bound: whatever is released, nobody with these beliefs learns more."
    )
    usefulness: Mapping[str, str] = MappingProxyType(
        {
            "useless": "useless: a coin is as good",
            "area": "shows less than always giving the commoner answer",
            "way": "shows how the answers change",
            "good": "shows clearly how the answers change",
            "close": "shows nearly every answer",
        }
    )
    one_mark = "one answer"
    blind_guess, one_known = "a coin", "the commoner answer alone"
    exactness = "The belief is exact, as an answer is one or the other."

    def unit_of_error(self, data: Trajectory) -> str:
        return "share wrong"

    def one_number(self, scenario: Scenario) -> str:
        return ""

    def wanted(self, data: Trajectory, value: str) -> str:
        return sentence("a share of wrong answers of at most {wanted_error}", wanted_error=value)

    def read_wanted(self, data: Trajectory, value: str, *, more: bool = False) -> str:
        said = "gets a share of more than {wanted_error}" if more else "gets a share of at most {wanted_error}"
        return sentence("A careful reader {gets} of the answers wrong", gets=sentence(said, wanted_error=value))

    def estimated(self, data: Trajectory, states: int, scenario: Scenario) -> str:
        return count(states, self.cell)

    def odds(self, data: Trajectory, when: str, apart: str) -> str:
        assert isinstance(data, Series)
        no, yes = data.answers
        return sentence("the odds of the answer {when}, between “{yes}” and “{no}”", when=when, yes=yes, no=no)

    def lasting_apart(self, scenario: Scenario, ground: Ground) -> str:
        return "against the other answer"

    def counted_between(self, ground: Ground) -> str:
        return (
            "Budgets are counted between the two answers: a timestamp with budget b changes the odds of one against the "
            "other by a factor of at most e^b."
        )

    def reading(self, ground: Ground, region: Region | None, reports: CellReports | None) -> Reading:
        assert isinstance(ground, Answers)
        return AnswerReading(ground)


TRACK, NUMBERS, ANSWERS = TrackKind(), NumbersKind(), AnswersKind()

KINDS: Sequence[Kind] = (TRACK, NUMBERS, ANSWERS)
"""Every kind of data."""


def kind_of(data: Trajectory) -> Kind:
    """The kind of a track or a series.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample, sample_series
    >>> [kind_of(data).value for data in (sample("bob"), sample_series("household"), sample_series("contacts"))]
    ['place', 'value', 'answer']
    """
    if not isinstance(data, Series):
        return TRACK
    return ANSWERS if data.is_answers else NUMBERS
