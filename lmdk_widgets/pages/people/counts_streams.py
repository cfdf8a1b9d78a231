"""Counts as a stream: published slot by slot, where the budget of a day goes to the slots that have changed.

contributions --population.stream, a few draws--> Streamed by each scheme --> a sentence, a table, the busiest cell over time
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from lmdk_widgets.budgets.schemes import SCHEMES
from lmdk_widgets.geo import Floats
from lmdk_widgets.page.amounts import amount, whole
from lmdk_widgets.page.blocks import Block, Chart, Column, Table, Text
from lmdk_widgets.page.figures import STYLES, line
from lmdk_widgets.page.sentences import Sentence, join, sentence
from lmdk_widgets.population.contributions import Contributions, Whole
from lmdk_widgets.population.count_streams import simulated_draw, stream
from lmdk_widgets.population.counts_of_people import USELESS, Accuracy, kept

CHANGING = ("budget-distribution", "budget-absorption")
"""The schemes that publish a slot only where it has changed."""

DRAWS = 8
"""How many streams are simulated by each."""

EQUAL = "Equal shares"
RELEASED = (
    "The command below releases equal shares. For one of the other streams, replace its --scheme window by --scheme "
    "budget-distribution or --scheme budget-absorption."
)


@dataclass(frozen=True, eq=False)
class Streamed:
    """What a stream by one scheme tells, over a few simulated draws.

    Attributes
    ----------
    scheme : one of `CHANGING`. errors : (draws,) the mean distance of a count from the truth. published : (draws,) how many
    slots have new counts. busiest : (slots,) what the first draw says of the busiest cell.
    """

    scheme: str
    errors: tuple[float, ...] = ()
    published: tuple[int, ...] = ()
    busiest: Whole | None = None

    @property
    def done(self) -> bool:
        """Whether all draws are made."""
        return len(self.errors) == DRAWS

    @property
    def error(self) -> float:
        return float(np.mean(self.errors))


def can_stream(here: Accuracy) -> bool:
    """Whether these counts can be published slot by slot: where a day is protected, and each slot is counted by itself."""
    counting = here.found.counting
    return here.protection.level == "window" and not counting.weekly and counting.bins > 1


def by_slot(found: Contributions) -> Whole:
    """(slots, kinds) the true counts."""
    return found.by_bin(np.ones(len(found), bool))


def busiest(true: Whole) -> int:
    """The kind with the most contributions."""
    return int(true.sum(axis=0).argmax())


def streams(here: Accuracy, seed: int) -> Iterator[tuple[Streamed, ...]]:
    """The streams by each scheme, after each draw."""
    found, protection = here.found, here.protection
    true = by_slot(found)
    made: tuple[Streamed, ...] = tuple(map(Streamed, CHANGING))
    for draw in range(DRAWS):
        for at, one in enumerate(made):
            rng = np.random.default_rng([seed, draw, at])
            counted = found.by_bin(kept(found, protection, rng.random(len(found))))
            told = stream(counted, one.scheme, protection.epsilon, protection.window, simulated_draw(rng))
            shown = told.values[:, busiest(true)] if one.busiest is None else one.busiest
            errors, published = (*one.errors, told.error(true)), (*one.published, int(told.published.sum()))
            more = replace(one, errors=errors, published=published, busiest=shown)
            made = (*made[:at], more, *made[at + 1 :])
            yield made


def stream_blocks(here: Accuracy, made: tuple[Streamed, ...]) -> list[Block]:
    """The part of the tab."""
    if not made or not made[-1].done:
        return []
    return [
        Text(streams_said(here, made)),
        streams_table(here, made),
        busiest_chart(here, made),
        Text(RELEASED, "quiet"),
    ]


def nearest_of(here: Accuracy, made: tuple[Streamed, ...]) -> tuple[str, float]:
    """The stream that is nearest to the truth, by its title, and how far off it is."""
    every = [(EQUAL, here.error), *((SCHEMES[one.scheme].title, one.error) for one in made if one.done)]
    return min(every, key=lambda one: one[1])


def beats_zeros(here: Accuracy, made: tuple[Streamed, ...]) -> Sentence | str:
    """Where equal shares are useless, and a stream is not."""
    name, error = nearest_of(here, made)
    if not here.useless or error > USELESS * here.zeros:
        return ""
    return sentence(
        "But as a stream by {scheme} they are off by {stream_error} only, which is better than zeros.",
        scheme=name,
        stream_error=amount(error),
    )


def streams_said(here: Accuracy, made: tuple[Streamed, ...]) -> str:
    """Which stream is nearest to the truth, and whether any of them is better than zeros."""
    name, error = nearest_of(here, made)
    what = sentence(
        "As a stream, the counts of a slot are published as it ends, and any {window} share the budget.",
        window="one of them"
        if here.protection.window == 1
        else sentence("{n_window} in a row", n_window=whole(here.protection.window)),
    )
    useless = error > USELESS * here.zeros
    nearest = sentence(
        "Nearest to the truth: {scheme}, off by {stream_error}. Zeros everywhere are off by {zeros}{verdict}.",
        scheme=name[:1].lower() + name[1:] if name == EQUAL else name,
        stream_error=amount(error),
        zeros=amount(here.zeros),
        verdict=", so that every stream is useless" if useless else "",
    )
    how = sentence(
        "Budget Distribution and Budget Absorption publish new counts only where those published last are farther off than "
        "new noise would be, and repeat them otherwise; each was simulated {n_draws} times.",
        n_draws=whole(DRAWS),
    )
    return join([what, nearest, how], " ")


def streams_table(here: Accuracy, made: tuple[Streamed, ...]) -> Table:
    """The streams side by side."""
    slots = here.found.counting.bins
    columns = (
        Column("budget", "the budget of a window"),
        Column("published", "slots with new counts"),
        Column("error", "off by", amount, "right"),
        Column("verdict", "counts are"),
    )
    told = [(EQUAL, float(slots), here.error)]
    told += [(SCHEMES[one.scheme].title, float(np.mean(one.published)), one.error) for one in made]
    rows = tuple(
        (
            name,
            sentence("{published} of {slots}", published=amount(published), slots=whole(slots)),
            error,
            "useless" if error > USELESS * here.zeros else "better than zeros",
        )
        for name, published, error in told
    )
    return Table("Slot by slot, as a stream", columns, rows)


def busiest_chart(here: Accuracy, made: tuple[Streamed, ...]) -> Chart:
    """The busiest cell, or pair of cells, over time: the truth, and one simulated stream of each scheme."""
    counting, true = here.found.counting, by_slot(here.found)
    kind = busiest(true)
    days: Floats = np.arange(counting.bins) * counting.hours / 24
    shown = [("truth", true[:, kind]), *((SCHEMES[one.scheme].title, one.busiest) for one in made)]
    data = [
        line(name, days.tolist(), np.asarray(values).tolist(), *STYLES[k]) for k, (name, values) in enumerate(shown)
    ]
    layout = {
        "height": 240,
        "xaxis": {"title": {"text": "days from the start"}},
        "yaxis": {"title": {"text": "people counted"}},
        "showlegend": True,
    }
    said = sentence(
        "The count with the most people over time: the truth, on average {mean_truth}, and one simulated stream of each "
        "scheme. A level line repeats what was published last.",
        mean_truth=amount(float(true[:, kind].mean())),
    )
    return Chart("counts-stream", "The busiest count over time", {"data": data, "layout": layout}, said)
