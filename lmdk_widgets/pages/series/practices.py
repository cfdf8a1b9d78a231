"""What is done today with a meter's readings, beside the noise: what each practice still tells, as sentences and a chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lmdk_widgets.io import NOTE
from lmdk_widgets.page.amounts import amount, percent, whole
from lmdk_widgets.page.answers import NO_PROMISE, guesses, if_equal, promised
from lmdk_widgets.page.blocks import Block, Chart, Column, Table, Text
from lmdk_widgets.page.figures import line
from lmdk_widgets.page.sentences import Written, join, sentence
from lmdk_widgets.pages.series.figures import Figure, figure
from lmdk_widgets.pages.series.mechanisms import short, title
from lmdk_widgets.pages.series.meter import PRACTICES, Metered, Practice
from lmdk_widgets.pages.series.outcome import SeriesOutcome
from lmdk_widgets.pages.series.series import spell
from lmdk_widgets.palette import ORANGE, PURPLE
from lmdk_widgets.practice.metering import DAY

TITLE = "What is done today"
NO_GUARANTEE = "no guarantee"
NOT_TOLD = "not told"
EXACT = 1e-9
"""The share of the largest mean below which a day's mean counts as exact."""

ONLY_METERS = (
    "These practices are for a meter: power or other numbers at equal distances in time. Choose the household's "
    "power, or upload readings with their times."
)
HOW = (
    "How it is read: readings are merged to quarters of an hour and split into two levels, active and quiet; the longest "
    "quiet run of a night counts as its rest. What every reading tells is the measure here: nobody asked the household."
)
NO_CLOCK = (
    "The noise is added to one histogram of all readings, which has no clock: the hours are hidden because they are left "
    "out, and the levels because of the noise."
)
NOTHING_PROMISED = "None of these practices promises anything: whoever knows more may read more."

_HIGH, _WIDE = 190, 11
"""Height in pixels of the chart; width of its bars."""


def practice_blocks(outcome: SeriesOutcome) -> list[Block]:
    """What the tab shows: what the practices tell, each in numbers, and a day as an attacker reads it."""
    found = outcome.metered
    if found is None:
        return [Text(ONLY_METERS)]
    chart = day_chart(outcome, found)
    told = [*_told(found), NOTHING_PROMISED]
    blocks: list[Block] = [Text(join(told, " "), "said"), practices_table(outcome)]
    return [*blocks, *([] if chart is None else [chart]), Text(f"{HOW} {NO_CLOCK}", "quiet")]


def _told(found: Metered) -> list[str]:
    """What hours, days and months still tell, as far as the readings allow these practices."""
    said: list[str] = []
    hours, days, months = (found.practice(name) for name in ("hours", "days", "months"))
    if hours is not None and hours.told.right is not None:
        said.append(
            sentence(
                "Values by the hour still tell when this household is active: {hours_right} of the time, an attacker "
                "guesses as from every reading; with always the same guess, {guess_alike} of it.",
                hours_right=percent(hours.told.right),
                guess_alike=percent(hours.told.alike),
            )
        )
        if hours.told.rest_off is not None:
            said.append(
                sentence(
                    "They tell when its rest at night begins and ends, off by {hours_rest_off} on average.",
                    hours_rest_off=_lasting(hours.told.rest_off),
                )
            )
    if days is not None:
        said.append("Values by the day tell each day's mean exactly, and often so whether anybody was there.")
    if months is not None and not found.negative:
        most = sentence("{most_of_a_day}{unit}", most_of_a_day=short(months.told.day_most), unit=_after(found.unit))
        said.append(
            sentence(
                "By values for 30 days alone, the mean of any one day may be anything up to {day_most}.", day_most=most
            )
        )
    return said


def _after(unit: str) -> str:
    """A unit after its number."""
    return f" {unit}" if unit else ""


def practices_table(outcome: SeriesOutcome) -> Table:
    """The practices and the present noise: what is published is worth, and what an attacker reads from it."""
    found = outcome.metered
    assert found is not None
    scale = max(map(abs, found.practices[0].read.days.values()), default=0.0)
    minutes = found.minutes * outcome.choices.every

    def off(value: float | None) -> str:
        return "" if value is None else "nothing" if value == 0 else spell(value * minutes)

    def share(value: float | None) -> str:
        return NOT_TOLD if value is None else percent(value)

    def day(value: float | None) -> str:
        if value is None:
            return ""
        if value <= EXACT * scale:
            return "exact"
        return sentence("off by {day_off}{unit}", day_off=short(value), unit=_after(found.unit))

    columns = (
        Column("practice", "what is shared"),
        Column("bar_off_timestamps", "a bar is off by", off, "right"),
        Column("active_right", "active or quiet: right", share, "right"),
        Column("", "night’s rest", align="right"),
        Column("nights"),
        Column("nights_found"),
        Column("rest_off_minutes"),
        Column("day_mean_off", "a day’s mean", day, "right"),
        Column("promised", "promised", align="right", warned=lambda said: said in (NO_GUARANTEE, NO_PROMISE)),
    )
    rows = [_row(each) for each in found.practices]
    noise = outcome.method(outcome.choices.mechanism)
    if noise.noise is not None:
        value = if_equal(promised(guesses(outcome.choices.epsilon))[0]) if noise.protects else NO_PROMISE
        name = sentence("{drawn}, ε = {epsilon}", drawn=title(noise.name), epsilon=amount(outcome.choices.epsilon))
        nights = found.practices[0].told.nights
        rest = (None, NOT_TOLD, nights, 0, None)
        rows.append((name, outcome.moved, *rest, found.noise_day_off, value))
    return Table("Practices and noise, on these readings", columns, tuple(rows))


def _row(each: Practice) -> tuple[Any, ...]:
    told = each.told
    rest = (_rest(each), told.nights, told.nights_found, told.rest_off)
    return PRACTICES[each.name], each.moved, told.right, *rest, told.day_off, NO_GUARANTEE


def _rest(each: Practice) -> str:
    """How far off the ends of the nights' rests are, and how many of them are told."""
    told = each.told
    if not told.nights:
        return "none seen"
    if not told.nights_found:
        return NOT_TOLD
    value = "told" if told.rest_off is None else "exact" if told.rest_off == 0 else f"off by {_lasting(told.rest_off)}"
    if told.nights_found == told.nights:
        return value
    found, nights = whole(told.nights_found), whole(told.nights)
    return sentence("{rest}, {found} of {nights} nights", rest=value, found=found, nights=nights)


def _lasting(minutes: float) -> Written:
    return Written(spell(minutes), minutes)


def practices_csv(outcome: SeriesOutcome) -> str:
    """The practices, one row each: by how many timestamps a bar of the histogram is off (`bar_off_timestamps`); the share of
    time for which active or quiet is guessed as from every reading (`active_right`); how many `nights` have a rest, how many
    are told, and how far off their ends are (`nights_found`, `rest_off_minutes`); by how much a day's mean is off
    (`day_mean_off`); what is `promised`."""
    if outcome.metered is None:
        return Table("", (Column("practice"),), ()).csv(note=NOTE)
    return practices_table(outcome).csv(note=NOTE, digits=7)


def day_chart(outcome: SeriesOutcome, found: Metered) -> Chart | None:
    """The day of the chosen moment as each practice lets an attacker read it; None if none tells its hours."""
    read = [each for each in found.practices if each.read.active is not None]
    if not read:
        return None
    day = int((found.start_minute + outcome.node * outcome.choices.every * found.minutes) // DAY)
    said = sentence(
        "Day {day_shown}, from midnight to midnight: when the household is active, and its rest at night, as an "
        "attacker reads them from what is shared. What has no row tells no hours.",
        day_shown=whole(day + 1),
    )
    return Chart("practices", "A day as an attacker reads it", _day_figure(found, read, day), said)


def _day_figure(found: Metered, read: Sequence[Practice], day: int) -> Figure:
    active: tuple[list, list] = ([], [])
    rest: tuple[list, list] = ([], [])
    for row, each in enumerate(reversed(read)):
        assert each.read.active is not None
        for ends in _runs(each.read.active):
            _bar(active, row, [found.start_minute + end * found.minutes for end in ends], day)
        for night in each.read.nights.values():
            _bar(rest, row, list(night), day)
    data = [
        line(name, *ends, colour, "solid", hoverinfo="skip") | {"line": {"color": colour, "width": width}}
        for name, ends, colour, width in (("active", active, ORANGE, _WIDE), ("night’s rest", rest, PURPLE, 3))
    ]
    names = [PRACTICES[each.name] for each in reversed(read)]
    axis = {
        "tickvals": list(range(len(names))),
        "ticktext": names,
        "range": [-0.6, len(names) - 0.4],
        "showgrid": False,
    }
    hours = {"range": [0, 24], "tickvals": [0, 6, 12, 18, 24], "ticktext": ["0:00", "6:00", "12:00", "18:00", "24:00"]}
    return figure(data, "", axis, xaxis=hours, height=_HIGH)


def _runs(active: np.ndarray) -> list[list[int]]:
    """The first reading of each active run, and the one after it."""
    ends: list[list[int]] = np.flatnonzero(np.diff(active.astype(np.int8), prepend=0, append=0)).reshape(-1, 2).tolist()
    return ends


def _bar(points: tuple[list, list], row: int, ends: list[float], day: int) -> None:
    """A bar of a row, as far as it lies on this day, in hours; a gap follows."""
    low, high = (min(max(end - day * DAY, 0.0), DAY) / 60 for end in ends)
    if high > low:
        points[0].extend([low, high, None])
        points[1].extend([row, row, None])
