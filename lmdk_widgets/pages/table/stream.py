"""The part on a stream: the count of a district in each hour, under every level of protection, and a pan-private counter.

First the numbers, then the sentences, the table, the charts and the file: who is protected by each level, what each hour
gets, and its error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import inf, sqrt
from typing import Any

import numpy as np

from lmdk_widgets.budgets import allocate
from lmdk_widgets.composition import discounted, sequential
from lmdk_widgets.geo import Floats
from lmdk_widgets.io import NOTE
from lmdk_widgets.io.tables import table_csv
from lmdk_widgets.noise import PanPrivateCounter, laplace, pan_private_loss
from lmdk_widgets.page.amounts import MILLION, amount, bound, count, factor, whole
from lmdk_widgets.page.answers import NOTHING, Answer, guesses, out_of_100
from lmdk_widgets.page.blocks import Notes, Table
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.table.districts import COUNTS
from lmdk_widgets.pages.table.model import HOURS, TableChoices, level_title

SEED_NOTE = f"{NOTE}; the noise can be computed from its seed, and the true values are next to it"
SIMULATION = "This page is a simulation with a known seed, not a private release."
PROTECTS = {
    "event": "anyone's presence in one hour",
    "user": "anyone, in however many hours",
    "landmark": "anyone's presence in the landmarks and one more hour",
    "discounted": "one hour with its own budget, not the day: old hours count less in its sum",
}
"""Whom each level protects with the chosen epsilon; a window is that of the choices."""


@dataclass(frozen=True, eq=False)
class Counter:
    """The pan-private counter of the day.

    Attributes
    ----------
    readings : what each intrusion saw. output : the count at the end of the day.
    deviation : standard deviation of the noise in the output.
    one : the epsilon of a person with one event. twice : of a person with an event before the first intrusion and one
    after the last, None if no hour comes after it. always : of a person with an event in every hour.
    """

    readings: tuple[float, ...]
    output: float
    deviation: float
    one: float
    twice: float | None
    always: float


@dataclass(frozen=True, eq=False)
class Stream:
    """The stream under every level.

    Attributes
    ----------
    budgets : (24,) epsilon of each hour, by level; the pan-private counter has none.
    released : (24,) what the drawn level publishes; None if that is the pan-private counter.
    counter : the pan-private counter.
    """

    budgets: Mapping[str, Floats]
    released: Floats | None
    counter: Counter

    def whole_day(self, level: str) -> float:
        """The epsilon of a person who is there in every hour, for a level with budgets."""
        return sequential(self.budgets[level])


def stream_of(choices: TableChoices) -> Stream:
    """The stream under every level, with the chosen one drawn.

    Examples
    --------
    >>> found = stream_of(TableChoices(part="stream", window=4))
    >>> float(found.budgets["window"][0]), round(found.counter.deviation, 6)
    (0.25, 2.0)
    """
    budgets = level_budgets(choices)
    rng = np.random.default_rng(choices.seed)
    unit = laplace(np.zeros(HOURS), 1.0, rng)
    drawn = budgets.get(choices.level)
    return Stream(budgets, None if drawn is None else np.array(COUNTS) + unit / drawn, counter_of(choices))


def running_sums() -> list[int]:
    """The true sum of the counts up to each hour."""
    return list(accumulate(COUNTS))


def level_budgets(choices: TableChoices) -> dict[str, Floats]:
    """The budget of each hour under every level except the pan-private one."""
    epsilon, marks = choices.epsilon, choices.landmarks
    weights = discounted(np.ones(HOURS), gamma=choices.discount)
    return {
        "event": allocate("event", HOURS, marks, epsilon),
        "user": allocate("user", HOURS, marks, epsilon),
        "window": allocate("window", HOURS, marks, epsilon, window=choices.window),
        "landmark": allocate("uniform", HOURS, marks, epsilon),
        "discounted": np.full(HOURS, epsilon / weights),
    }


def stretches(choices: TableChoices) -> list[int]:
    """How many hours lie before the first intrusion, between each two, and after the last."""
    return [b - a for a, b in pairwise([-1, *choices.intrusions, HOURS - 1])]


def counter_of(choices: TableChoices) -> Counter:
    """The pan-private counter with the intrusions that were placed."""
    epsilon, rng = choices.epsilon, np.random.default_rng(choices.seed)
    counter = PanPrivateCounter(epsilon, rng)
    readings = []
    for hour, people in enumerate(COUNTS):
        counter.count(people)
        if hour in choices.intrusions:
            readings.append(counter.intrude(announced=choices.announced))
    # without noise of its own, the output is what one more reader of the memory would see
    deviation = sqrt(counter.noise_variance - (0 if choices.fresh else 2 / epsilon**2))
    output = counter.output() if choices.fresh else counter.intrude()
    hours = stretches(choices)
    n = len(hours)

    def loss(events: list[int]) -> float:
        return pan_private_loss(epsilon, events, fresh=choices.fresh, renewed=choices.announced)

    one = max(loss([int(k == where) for k in range(n)]) for where in range(n) if hours[where])
    twice = loss([int(k in (0, n - 1)) for k in range(n)]) if n > 1 and hours[-1] else None
    return Counter(tuple(readings), output, deviation, one, twice, loss(hours))


def deviation_of(budgets: Floats) -> float:
    """The mean standard deviation of the noise of a count, in people: ``sqrt(2) / eps``, over the hours."""
    return float(np.mean(np.divide(sqrt(2), budgets, out=np.full(len(budgets), inf), where=budgets > 0)))


def stream_answers(choices: TableChoices, found: Stream) -> tuple[Answer, Answer, Answer]:
    """How large the error is, what is left for a person who is there all day, and what is promised by the level."""
    if choices.level == "pan":
        off = Answer("Useful", amount(found.counter.deviation), _ONE_NUMBER, short="visits, noise of the output")
        return off, _all_day(found.counter.always), _one_visit(found.counter.one)
    budgets = found.budgets[choices.level]
    line_ = "people is the standard deviation of the noise in an hour's count, on average."
    off = Answer("Useful", amount(deviation_of(budgets)), line_, short="people, noise in an hour")
    whom, loss = protects(choices, choices.level), choices.epsilon
    if choices.level == "discounted":
        whom, loss = PROTECTS["event"], float(budgets[0])
    return (
        off,
        _all_day(found.whole_day(choices.level)),
        _guessed("Promised", sentence("about {promised_whom}", promised_whom=whom), loss, "guesses right at most"),
    )


_ONE_NUMBER = "visits is the standard deviation of the one number that is published for the day."


def _all_day(loss: float) -> Answer:
    return _guessed("All day", "about whether a visitor was there in every hour", loss, "guesses right, all day")


def _one_visit(loss: float) -> Answer:
    if loss == inf:
        line_ = "What is counted between two readings of the memory is revealed exactly."
        return Answer("Promised", "nothing", line_, "red", "between two readings")
    return _guessed("Promised", "about anyone's single visit", loss, "guesses right at most")


def _guessed(name: str, what: str, loss: float, short: str) -> Answer:
    if guesses(loss) >= NOTHING:
        line_ = sentence("is promised {what}: that may cost ε = {most_loss}.", what=what, most_loss=bound(loss))
        if loss == inf:
            line_ = sentence("is promised {what}.", what=what)
        return Answer(name, "nothing", line_, "red", "is promised")
    line_ = sentence("guesses between equally likely cases, at most, are right {what}; 50 is chance.", what=what)
    return Answer(name, out_of_100(guesses(loss)), line_, short=short)


def stream_words(choices: TableChoices, found: Stream) -> Notes:
    """What the levels mean, side by side."""
    return Notes(
        f"{_odds(choices, found)} {_drawn(choices, found)} {_counter(choices, found)}",
        _guarantee(choices, found),
        tuple(_warnings(choices, found)),
    )


def protects(choices: TableChoices, level: str) -> str:
    """Whom a level with budgets protects."""
    if level == "window":
        return sentence("anyone's presence in any {window} in a row", window=count(choices.window, "hour"))
    return PROTECTS[level]


def _odds(choices: TableChoices, found: Stream) -> str:
    """What anyone who looks can learn about an hour and about a day, in everyday words."""
    if choices.level == "pan":
        who = "Anyone who sees the day's one number" + (" and reads the memory as marked" if choices.intrusions else "")
        hour, day = found.counter.one, found.counter.always
    else:
        who = "Anyone who sees all counts"
        hour, day = float(found.budgets[choices.level].max()), found.whole_day(choices.level)
    hour_factor, day_factor = (factor(min(loss, MILLION)) for loss in (hour, day))
    by_hour = _by(hour, sentence("by a factor of at most {most_hour_factor}", most_hour_factor=hour_factor))
    by_day = _by(day, sentence("by a factor of at most {most_day_factor}", most_day_factor=day_factor))
    return sentence(
        "{who} can change the odds that a person was at Montmartre in a given hour {by_hour}, and that the "
        "person was there in every hour {by_day}.",
        who=who,
        by_hour=by_hour,
        by_day=by_day,
    )


def _by(loss: float, at_most: str) -> str:
    if loss == inf:
        return "without any limit"
    return "by a factor of more than a million" if loss > MILLION else at_most


def _drawn(choices: TableChoices, found: Stream) -> str:
    start = sentence(
        "The people at Montmartre are counted in each of {n_hours} hours, with ε = {epsilon}.",
        n_hours=whole(HOURS),
        epsilon=amount(choices.epsilon),
    )
    if choices.level == "pan":
        return start
    budgets = found.budgets[choices.level]
    day = sentence("A visitor who is there all day spends {day_loss}.", day_loss=amount(found.whole_day(choices.level)))
    return sentence(
        "{start} {level} level gives each hour {hour_loss}, noise with a standard deviation of {deviation} "
        "people, and protects {whom}. {day}",
        start=start,
        level=level_title(choices.level),
        hour_loss=amount(float(budgets[0])),
        deviation=amount(deviation_of(budgets)),
        whom=protects(choices, choices.level),
        day=day,
    )


def _counter(choices: TableChoices, found: Stream) -> str:
    counter, seized = found.counter, len(choices.intrusions)
    start = sentence(
        "The pan-private counter gives one number at the end, {counter_output} where {true_visits} is true, with "
        "a standard deviation of {counter_deviation}.",
        counter_output=amount(counter.output),
        true_visits=whole(sum(COUNTS)),
        counter_deviation=amount(counter.deviation),
    )
    one = _loss(counter.one, sentence("costs up to ε = {most_one_visit}", most_one_visit=bound(counter.one)))
    if not seized:
        always = _loss(
            counter.always, sentence("costs up to ε = {most_all_visits}", most_all_visits=bound(counter.always))
        )
        return sentence(
            "{start} Nobody reads its memory; one visit {one}, a visit in every hour {always}.",
            start=start,
            one=one,
            always=always,
        )
    kind = "announced intrusion" if choices.announced else "unannounced intrusion"
    twice = ""
    if counter.twice is not None:
        two = _loss(counter.twice, sentence("costs up to ε = {most_two_visits}", most_two_visits=bound(counter.twice)))
        twice = sentence(", one visit before the first and one after the last {two}", two=two)
    return sentence(
        "{start} With {intrusions}, one visit {one}{twice}.",
        start=start,
        intrusions=count(seized, kind),
        one=one,
        twice=twice,
    )


def _loss(epsilon: float, costs: str) -> str:
    return "may be revealed exactly" if epsilon == inf else costs


def _guarantee(choices: TableChoices, found: Stream) -> str:
    spent = sentence("with ε = {most_epsilon}", most_epsilon=bound(choices.epsilon))
    what: str
    if choices.level == "pan" and found.counter.one == inf:
        what, who = "not even a single visit", "anyone who reads the memory as here and sees the output"
    elif choices.level == "pan":
        what, who = (
            sentence("anyone's single visit, {spent}", spent=spent),
            sentence("anyone who sees the output{reading}", reading=_reading(choices)),
        )
    else:
        if choices.level == "discounted":
            spent = sentence("with ε = {most_hour_loss}", most_hour_loss=bound(float(found.budgets["discounted"][0])))
        what, who = (
            sentence("{whom}, {spent}", whom=protects(choices, choices.level), spent=spent),
            "anyone who sees all counts, whatever else they know",
        )
    more = (
        " A discounted sum is not differential privacy for the whole stream." if choices.level == "discounted" else ""
    )
    return sentence(
        "What is protected: {what}. Against whom: {who}. Under which assumption: fresh noise is drawn each time, "
        "and one hour tells nothing about another, or about other people; if hours depend on each other, see "
        "Track.{more} {simulation}",
        what=what,
        who=who,
        more=more,
        simulation=SIMULATION,
    )


def _reading(choices: TableChoices) -> str:
    """By whom the memory may be read too, while a single visit stays protected."""
    if choices.fresh:
        return " and reads the memory once, or each time after being announced"
    if choices.announced:
        return " and reads the memory, each time after being announced"
    return " and reads the memory after the last hour" if choices.intrusions else " only: nobody may read the memory"


def _warnings(choices: TableChoices, found: Stream) -> list[str]:
    said: list[str] = []
    if choices.level == "discounted":
        said.append(
            sentence(
                "Discounting measures concern and is not differentially private for the whole stream, which spends "
                "{day_loss} in total.",
                day_loss=amount(found.whole_day("discounted")),
            )
        )
    if choices.level == "landmark" and not choices.landmarks:
        said.append("There is no landmark yet, so the level is that of an event. Let a click place landmarks.")
    if found.counter.one == inf and not choices.fresh:
        said.append(
            "Without noise of its own, the output minus what an intruder read reveals exactly what was counted in between."
        )
    elif found.counter.one == inf:
        said.append(
            "Two unannounced intrusions reveal exactly what was counted between them: that is not protected at all."
        )
    return said


def stream_table(choices: TableChoices, found: Stream) -> Table:
    """Each level: what an hour gets, its error, whom it protects."""
    heads = ("level", "ε of an hour", "error", "ε of a whole day", "whom it protects")
    rows: list[tuple[str, ...]] = [
        (
            level_title(level),
            amount(float(budgets[0])),
            sentence("{deviation} people", deviation=amount(deviation_of(budgets))),
            amount(found.whole_day(level)),
            protects(choices, level),
        )
        for level, budgets in found.budgets.items()
    ]
    counter = found.counter
    always = amount(counter.always)
    who = (
        "anyone's single visit, even if the memory is seized"
        if counter.one < inf
        else "not what lies between two readings"
    )
    rows.append(
        (
            level_title("pan"),
            "one number",
            sentence("{counter_deviation} people", counter_deviation=amount(counter.deviation)),
            always,
            who,
        )
    )
    return Table.of_texts("The levels side by side", heads, rows)


def stream_told(choices: TableChoices, found: Stream) -> dict[str, Any]:
    """The hours, for their controls."""
    return {
        "hours": HOURS,
        "placed": list(getattr(choices, choices.clicks)),
        "places": {"intrusions": "intrusion", "landmarks": "landmark"}[choices.clicks],
    }


def stream_csv(_choices: TableChoices, found: Stream) -> str:
    """Each hour: its true count, what the drawn level releases, and its epsilon under every level."""
    released = [None] * HOURS if found.released is None else found.released
    budgets = {f"epsilon_{level}": values for level, values in found.budgets.items()}
    columns = {"hour": range(1, HOURS + 1), "true_count": COUNTS, "released_count": released, **budgets}
    return table_csv(columns, note=SEED_NOTE)
