"""Useful: what a careful reader can still do with a release, compared with what is known without it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import count, islice
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.budgets import Release, release
from lmdk_widgets.cache import cached, listed
from lmdk_widgets.geo import Floats, Region
from lmdk_widgets.page.amounts import NONE, digits, metres, percent, whole
from lmdk_widgets.page.answers import Answer
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.scenario.data_kinds import Kind
from lmdk_widgets.scenario.evaluation import how_released, reporter_of
from lmdk_widgets.scenario.ground import mean_known
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.reading import AnswerReading, Read, Reading
from lmdk_widgets.scenario.region import region_of
from lmdk_widgets.trajectory.model import Trajectory

if TYPE_CHECKING:
    from lmdk_widgets.scenario.cells import CellReports

RESULT = "useful"
"""The name under which a page stores a release's worth in the results of an outcome."""

WAITS = "Being computed: how far off a careful reader is."
NOT_SAID = "This is not shown here, as this file does not contain the true data."

DRAWN_TIMESTAMPS, MOST_DRAWS = 2_000, 100
"""The most timestamps drawn in all releases together, and the most releases."""

SHOWN_DIGITS = 2
"""Digits of an estimate from draws, which cover about 2,000 timestamps: it differs by several per cent from draw to draw.
One digit would make 300 and 400 of 333 and 354."""

INTERVAL_DRAWS = 10
"""The fewest draws for which an interval is stated."""

_ROOM = 1.08
"""The length of a scale, as a multiple of what is farthest on it."""

AS_GOOD = 0.9
"""An error that is at least this share of the error without a release is no better."""


@dataclass(frozen=True)
class ReaderWorth:
    """What a release is worth to a careful reader, in numbers; every length in metres, or the unit of a series, or a share
    wrong.

    Everything is computed with the true data, for their owner's eyes only.

    Attributes
    ----------
    reader : the reader's mean error, the median of the draws.
    draws : how many releases were drawn; the first is the release of the outcome.
    expected : what the reader expects it to be, without the data: the mean over the timestamps, the median of the draws.
    noise : the mean error of the reports as released, the median of the draws; NaN where nothing was released.
    spread : the mean distance of the data from their own median: with one value known, and no movement.
    nothing : the mean error of guessing the middle. nothing_over_region : the same for data spread evenly over the
        region; None for a series.
    kind : the kind of the data.
    """

    reader: float
    draws: int
    expected: float
    noise: float
    spread: float
    nothing: float
    nothing_over_region: float | None
    kind: Kind = field(compare=False, repr=False)

    @property
    def verdict(self) -> str:
        """Which of "useless", "area", "way", "good" and "close" the release is.

        Useless: an error of at least 0.9 of that without a release, or one expected to be so over the region. The last
        three: below the spread, below half of it, and below a quarter of it.
        """
        over = np.inf if self.nothing_over_region is None else self.nothing_over_region
        if self.reader >= AS_GOOD * self.nothing or self.expected >= AS_GOOD * over:
            return "useless"
        if self.reader >= self.spread:
            return "area"
        if self.reader >= self.spread / 2:
            return "way"
        return "close" if self.reader < self.spread / 4 else "good"

    @property
    def words(self) -> str:
        """The verdict in words: "shows the area, not the route"."""
        if self.reader > self.nothing:
            return f"worse than nothing: {self.kind.blind_guess} is nearer"
        return self.kind.usefulness[self.verdict]

    @property
    def then(self) -> str:
        """The verdict as it follows "the release": "shows the route", "is useless: ..."."""
        return self.words if self.words.startswith("shows") else f"is {self.words}"

    @property
    def shown(self) -> float:
        """The reader's error with as many digits as it carries."""
        return digits(self.reader, SHOWN_DIGITS)


@dataclass(frozen=True, eq=False)
class Useful(ReaderWorth):
    """The same, with the reader's error at each timestamp of the first draw.

    Attributes
    ----------
    interval : the 10th and 90th percentiles of the reader's mean error; None for few draws.
    error_m : (n,) the reader's error in the first draw.
    balanced : share of wrong answers, with both answers weighted equally; None for other data.
    """

    interval: tuple[float, float] | None
    error_m: Floats
    balanced: float | None = None

    @property
    def worth(self) -> ReaderWorth:
        """The numbers alone, which take little memory."""
        return ReaderWorth(**{one.name: getattr(self, one.name) for one in fields(ReaderWorth)})


def useful(outcome: Outcome, draws: int | None = None) -> Useful:
    """What the release of an outcome is worth to a reader who follows it; its first draw is the release shown.

    Parameters
    ----------
    outcome : of `evaluate`. draws : releases to draw; by default 2,000 / n, between 1 and 100.

    Raises
    ------
    InputError : as `evaluate`.

    Notes
    -----
    Guarantee: the reader uses only the release and public information, so the estimates are as private as the release
    (post-processing). The errors are computed with the truth. The region counts as public; one proposed from the data
    is not (`region_of`).

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario, evaluate
    >>> from lmdk_widgets.trajectory import sample
    >>> found = useful(evaluate(Scenario(landmarks=(0, 2, 4, 7)), sample("bob")))
    >>> found.words, found.shown, round(found.spread), round(found.nothing)
    ('shows the area, not the route', 1300.0, 1262, 2837)
    """
    *_, found = useful_steps(outcome, draws)
    assert found is not None
    return found


def draws_for(n: int) -> int:
    """How many releases of n timestamps are drawn: 2,000 / n, at least 1, at most 100."""
    return max(1, min(MOST_DRAWS, DRAWN_TIMESTAMPS // n))


def reading_of(outcome: Outcome) -> Reading:
    """How a reader reads releases with the choices of an outcome; also what is known of the data without a release."""
    region = region_of(outcome.scenario, outcome.trajectory) if outcome.kind.placed else None
    ground: Any = outcome.ground  # one of a scenario and its data, for all of their outcomes
    return _reading(outcome.kind, ground, region, outcome.reports)


@cached("visitor", entries=4, what="how a careful reader reads the data's reports")
def _reading(kind: Kind, ground: Any, region: Region | None, reports: CellReports | None) -> Reading:
    return kind.reading(ground, region, reports)


def useful_steps(outcome: Outcome, draws: int | None = None) -> Iterator[Useful | None]:
    """`useful` step by step: None after each draw except the last."""
    wanted = draws_for(len(outcome)) if draws is None else draws
    kind, reading, drawn = outcome.kind, reading_of(outcome), releases(outcome)
    first: Read | None = None
    found: list[tuple[float, float, float, float]] = []
    while len(found) < wanted:
        some = list(islice(drawn, reading.at_once(wanted - len(found))))
        for released, read in zip(some, reading.follow(some), strict=True):
            first = first or read
            raw, balanced = mean_known(outcome.ground.errors(released.outputs)), np.nan
            if isinstance(reading, AnswerReading):
                balanced = reading.balanced(read.estimates)
            found.append((float(reading.errors(read.estimates).mean()), float(read.expected.mean()), raw, balanced))
            yield None if len(found) < wanted else _summary(found, first, reading, kind)


def reader_errors(outcomes: Sequence[Outcome]) -> list[float]:
    """The mean error of a reader of each outcome's own release, as `useful` with one draw; those with the same reading
    are read together.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario, evaluate
    >>> from lmdk_widgets.trajectory import sample
    >>> bob = [evaluate(Scenario(landmarks=(0, 2, 4, 7), epsilon=epsilon), sample("bob")) for epsilon in (1, 8)]
    >>> reader_errors(bob) == [useful(one, 1).reader for one in bob]
    True
    """
    return [float(error.mean()) for error in errors_of_reader(tuple(outcomes))]


@cached("visitor", entries=2)
def errors_of_reader(outcomes: tuple[Outcome, ...]) -> list[Floats]:
    """(n,) how far off this reader is at each timestamp, for each outcome; cached for the attacker who reads alike."""
    alike: dict[Reading, list[int]] = {}
    for k, outcome in enumerate(outcomes):
        alike.setdefault(reading_of(outcome), []).append(k)
    found: dict[int, Floats] = {}
    for reading, which in alike.items():
        for some in np.array_split(which, -(-len(which) // reading.at_once(len(which)))):
            read = reading.follow([next(releases(outcomes[k])) for k in some])
            found |= {k: reading.errors(each.estimates) for k, each in zip(some.tolist(), read, strict=True)}
    return [found[k] for k in range(len(outcomes))]


def _summary(found: list[tuple[float, float, float, float]], first: Read, reading: Reading, kind: Kind) -> Useful:
    table = np.array(found)
    errors, (reader, expected, noise, balanced) = table[:, 0], np.median(table, axis=0).tolist()
    interval = None
    if len(found) >= INTERVAL_DRAWS:
        low, high = np.quantile(errors, (0.1, 0.9)).tolist()
        interval = low, high
    return Useful(
        reader=reader,
        interval=interval,
        draws=len(found),
        expected=expected,
        noise=noise,
        spread=reading.spread,
        nothing=reading.nothing,
        nothing_over_region=reading.nothing_over_region,
        error_m=reading.errors(first.estimates),
        kind=kind,
        balanced=None if np.isnan(balanced) else balanced,
    )


def releases(outcome: Outcome) -> Iterator[Release]:
    """The release of an outcome, and others with the same choices; outputs of a track in metres of its frame, not wrapped."""
    known = not outcome.in_place  # otherwise it only replaces the release that is asked for
    if known:
        yield outcome.released
    scenario, trajectory = outcome.scenario, outcome.trajectory
    how = how_released(scenario, trajectory)[1]
    values = outcome.ground.values
    for k in count(int(known)):
        rng, again = (np.random.default_rng((scenario.seed, k) if k else scenario.seed) for _ in range(2))
        released = release(values, rng=rng, **how)
        reporter = reporter_of(scenario, trajectory, released)
        yield released if reporter is None else replace(released, outputs=reporter.outputs(again))


def useful_of(outcome: Outcome) -> Useful | None:
    """What a page has found; None while it computes."""
    found: Useful | None = outcome.found(RESULT)
    return found


_KNOWN: WeakKeyDictionary[Trajectory, dict[Scenario, Useful]] = WeakKeyDictionary()
"""Readers' results for data that are in memory, dropped with the data."""

_MOST_KNOWN, _MOST_ERRORS = 256, 1_000_000
"""The most settings remembered for the same data: twice the stops of a slider; and the most errors of all of them
together."""

listed(
    "answers.usefulness",
    "a careful reader's results for the data in memory, dropped with the data; so many for each data",
    "visitor",
    _MOST_KNOWN,
    lambda: sum(map(len, _KNOWN.values())),
    _KNOWN.clear,
)


def known_useful(outcome: Outcome) -> Useful | None:
    """A reader's result for the same data and settings, where a page has found it."""
    return _KNOWN.get(outcome.trajectory, {}).get(asked_of(outcome))


def remember(outcome: Outcome, found: Useful) -> None:
    """Stores a reader's result for `known_useful`, and forgets the oldest ones."""
    of_data = _KNOWN.setdefault(outcome.trajectory, {})
    of_data[asked_of(outcome)] = found
    while len(of_data) > min(_MOST_KNOWN, 1 + _MOST_ERRORS // len(outcome)):
        of_data.pop(next(iter(of_data)), None)


def asked_of(outcome: Outcome) -> Scenario:
    """The choices that a reader's error depends on."""
    return outcome.scenario.released.with_changes(correlation="none", adversary="both", average=False)


def useful_answer(outcome: Outcome) -> Answer:
    """A reader's error as a number with a line; for answers, how many the reader gets right.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario, evaluate
    >>> from lmdk_widgets.trajectory import sample
    >>> useful_answer(evaluate(Scenario(landmarks=(0, 2, 4, 7)), sample("bob"))).line
    'Being computed: how far off a careful reader is.'
    """
    found = useful_of(outcome)
    if outcome.trajectory.name == RELEASE_NAME:
        return Answer("Useful", "not said", NOT_SAID, short="in this file")
    if found is None:
        return Answer("Useful", "\N{HORIZONTAL ELLIPSIS}", WAITS)
    look = "grey" if found.verdict == "useless" else ""
    write, said = _writer(outcome), _said(found)
    if found.balanced is not None:
        line = sentence(
            "of the answers are right when a careful reader guesses them. {worth}. {one_known}: {one_known_share}.",
            worth=said,
            one_known=outcome.kind.one_known.capitalize(),
            one_known_share=percent(1 - found.spread),
        )
        return Answer(
            "Useful",
            percent(1 - found.reader),
            line,
            look,
            "right, for a careful reader",
            f"right, for a careful reader. {said}.",
        )
    line = sentence(
        "A careful reader is off by this much. {worth}. Without a release {blind_error}.",
        worth=said,
        blind_error=write(found.nothing),
    )
    brief = f"off, for a careful reader. {said}."
    return Answer("Useful", write(found.shown), line, look, "off, for a careful reader", brief)


class Scale(NamedTuple):
    """A small scale under the answer: how far off a reader is, or, for answers, how many are right.

    Attributes
    ----------
    at : where the reader is, as a share of the scale. marks : the same with one value known, and with nothing, by name.
    said : the same in words.
    """

    at: float
    marks: tuple[tuple[str, float], ...]
    said: str


def useful_scale(found: ReaderWorth, outcome: Outcome) -> Scale:
    """Where a reader's error lies relative to spread and nothing.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario, evaluate
    >>> from lmdk_widgets.trajectory import sample
    >>> outcome = evaluate(Scenario(landmarks=(0, 2, 4, 7)), sample("bob"))
    >>> useful_scale(useful(outcome).worth, outcome).marks
    (('one place', 0.4119), ('nothing', 0.9259))
    """
    kind, write = outcome.kind, _writer(outcome)
    levels = np.array([found.reader, found.spread, found.nothing])
    right = kind.counts_wrong
    shares = 1 - levels if right else levels / (_ROOM * levels.max() or 1.0)
    at, one, none = (round(share, 4) for share in shares.tolist())
    told = [percent(1 - level) if right else write(level) for level in (found.shown, found.spread, found.nothing)]
    said = sentence(
        "{off}: {reader_error}. With {one_mark} known: {one_known_error}. With nothing: {blind_error}.",
        off="Right" if right else "Off",
        one_mark=kind.one_mark,
        **dict(zip(("reader_error", "one_known_error", "blind_error"), told, strict=True)),
    )
    return Scale(at, ((kind.one_mark, one), ("nothing", none)), said)


def useful_sentence(found: Useful, outcome: Outcome) -> str:
    """The same, compared with what is known without the release and with the reports as released."""
    kind, write = outcome.kind, _writer(outcome)
    if found.balanced is not None:
        return sentence(
            "A careful reader, who uses all reports and public knowledge, gets {right_share} of the answers right, "
            "{balanced_share} with both answers weighted equally. {worth}. {blind_guess} gets half of them right, "
            "{one_known} {one_known_share}.",
            right_share=percent(1 - found.reader),
            balanced_share=percent(1 - found.balanced),
            worth=_said(found),
            blind_guess=kind.blind_guess.capitalize(),
            one_known=kind.one_known,
            one_known_share=percent(1 - found.spread),
        )
    over = raw = in_most = sentence("")
    if found.nothing_over_region is not None:
        over = sentence(" ({area_error} over all of it)", area_error=write(found.nothing_over_region))
    if np.isfinite(found.noise):
        raw = sentence(" As released, the reports are {noise_error} off.", noise_error=write(found.noise))
    nearer = " On these data they are nearer than the reader, who knows none of your habits."
    if found.interval is not None:
        low, high = map(write, found.interval)
        in_most = sentence(" (in 8 of 10 releases {low_error} to {high_error})", low_error=low, high_error=high)
    return sentence(
        "A careful reader, who uses all reports and public knowledge, is {reader_error} off on average{in_most}. {worth}. "
        "Someone who knows only {one_known} is {one_known_error} off, someone who guesses {blind_guess} {blind_error}{over}."
        "{raw}{reports_nearer}",
        reader_error=write(found.shown),
        in_most=in_most,
        worth=_said(found),
        one_known=kind.one_known,
        one_known_error=write(found.spread),
        blind_guess=kind.blind_guess,
        blind_error=write(found.nothing),
        over=over,
        raw=raw,
        reports_nearer=nearer if found.noise < found.reader else "",
    )


def read_text(found: ReaderWorth, outcome: Outcome) -> str:
    """A reader's error in a table, with what that is worth in a word or two: "740 m, shows the route well".

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario, evaluate
    >>> from lmdk_widgets.trajectory import sample
    >>> outcome = evaluate(Scenario(landmarks=(0, 2, 4, 7), scheme="event"), sample("bob"))
    >>> read_text(useful(outcome).worth, outcome)
    '390 m, shows the route well'
    """
    said = found.words.partition(":")[0]
    return sentence("{reader_error}, {worth_in_brief}", reader_error=_writer(outcome)(found.shown), worth_in_brief=said)


def without_sentence(found: ReaderWorth, outcome: Outcome) -> str:
    """What to compare readers' errors with, next to a table or a chart of several."""
    median = sentence("the median of {reader_draws} draws", reader_draws=whole(found.draws))
    draws, without = "one draw" if found.draws == 1 else median, without_a_release(found, outcome)
    text = "The reader is careful and uses all reports and public knowledge ({draws}). Without a release, {without}."
    return sentence(text, draws=draws, without=without)


def without_a_release(found: ReaderWorth, outcome: Outcome) -> str:
    """The error of someone who knows one value of the data, and of someone who knows none."""
    write, kind = _writer(outcome), outcome.kind
    if kind.counts_wrong:
        return sentence(
            "{one_known} gets {one_known_wrong} wrong, {blind_guess} {blind_wrong}",
            one_known=kind.one_known,
            one_known_wrong=percent(found.spread),
            blind_guess=kind.blind_guess,
            blind_wrong=percent(found.nothing),
        )
    return sentence(
        "someone who knows only {one_known} is {one_known_error} off, someone who guesses {blind_guess} {blind_error}",
        one_known=kind.one_known,
        one_known_error=write(found.spread),
        blind_guess=kind.blind_guess,
        blind_error=write(found.nothing),
    )


def estimate(outcome: Outcome, value: float) -> str:
    """An error that is estimated from few draws, with as many digits as it carries.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario, evaluate
    >>> from lmdk_widgets.trajectory import sample
    >>> estimate(evaluate(Scenario(), sample("bob")), 373.88), estimate(evaluate(Scenario(), sample("bob")), float("nan"))
    ('370 m', 'none')
    """
    return NONE if np.isnan(value) else _writer(outcome)(value)


def _said(found: ReaderWorth) -> str:
    return found.words[0].upper() + found.words[1:]


def _writer(outcome: Outcome) -> Callable[[float], str]:
    """How an error is written here, with at most two digits."""
    series = outcome.series
    if series is None:
        return lambda value: metres(digits(value, SHOWN_DIGITS))
    if outcome.kind.counts_wrong:
        return lambda share: sentence("{wrong_share} wrong", wrong_share=percent(share))
    unit = f" {series.unit}" if series.unit else ""
    return lambda value: Written(f"{digits(value, SHOWN_DIGITS):,.12g}{unit}", value)
