"""What a lesson's question refers to without stating it: lines and tables that board and phones show with a poll.

In a lesson this is in the text above the question, which a class in a poll has not read. Below some questions a lesson has a
figure with a slider, which the board shows with the outcome.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lmdk_widgets.anonymity.examples import PEOPLE, WHERE
from lmdk_widgets.cache import cached
from lmdk_widgets.course import first_steps, law_figures, zone_figures
from lmdk_widgets.course.correlation import MATRICES
from lmdk_widgets.page.amounts import amount
from lmdk_widgets.page.blocks import Table, Text
from lmdk_widgets.page.sliding_figures import Sliding
from lmdk_widgets.trajectory.samples import sample

Scene = tuple[Text | Table, ...]

LANDMARK = "★"

COINS = Text(
    "Two coins, tossed where nobody sees them. Heads: tell the truth. Tails: toss again, and say Yes for heads, No for tails."
)
LEVELS = Text(
    "Event level hides a difference at one timestamp, landmark privacy at any landmarks and one other timestamp, user level "
    "at all timestamps."
)
THEOREM = Text("The landmarks and any one other timestamp may spend ε together: no sum of these budgets may exceed it.")
BY_DISTANCE = Text(
    "With privacy level ε within radius r, two places at a distance d can be told apart by a factor of at most e^(ε d / r)."
)
LOSS = Text("Backward loss: the new ε, plus what is left of the previous backward loss.")
LEFT = Text(
    "Of a loss x, log((1 + q (e^x − 1)) / (1 + d (e^x − 1))) is left; q and d are the chances of place 1 in the two rows."
)


def bobs_day() -> Text:
    """The timestamps of Bob's day in a line, with his landmarks."""
    day = sample("bob")
    named = [f"{LANDMARK}{label}" if k in day.landmarks else label for k, label in enumerate(day.labels)]
    return Text(f"Bob's day: {', '.join(named)}. {LANDMARK} is a landmark: a timestamp that matters to him.")


def moves(*names: str) -> Table:
    """Tables that say how likely the next place is, one below the other."""
    rows = [
        [name if now == 0 else "", str(now + 1), *(amount(share) for share in row)]
        for name in names
        for now, row in enumerate(MATRICES[name].tolist())
    ]
    return Table.of_texts("How likely the next place is", ("table", "now in", "next in 1", "next in 2"), rows)


def people(time: str, columns: int = 4) -> Table:
    """The six people as they are at t1 or t2: name, age, location and status, or the first columns of these."""
    rows = [[name, str(age), *at][:columns] for (name, age), at in zip(PEOPLE, WHERE[time], strict=True)]
    return Table.of_texts(f"The six people at {time}", ("name", "age", "location", "status")[:columns], rows)


def ages() -> Text:
    """What Bob knows about the six."""
    return Text(f"The ages: {', '.join(f'{name} {age}' for name, age in PEOPLE)}.")


def by_halves(time: str, *columns: int) -> Table:
    """The release with two age bands in mixed order; the columns choose location (0) and status (1)."""
    heads = ("age", *(("location", "status")[k] for k in columns))
    rows = [
        ["up to 20" if age <= 20 else "above 20", *("Paris" if k == 0 and time == "t1" else at[k] for k in columns)]
        for (_, age), at in zip(PEOPLE, WHERE[time], strict=True)
    ]
    return Table.of_texts(f"The release of {time}", heads, sorted(rows))


def lists() -> Table:
    """Two lists of t1 with their lines in the same order."""
    centre = ("Le Marais", "Latin Quarter")
    rows = [
        [
            str(k),
            "up to 20" if age <= 20 else "above 20",
            "Paris",
            "centre" if where in centre else "north",
        ]
        for k, ((_, age), (where, _)) in enumerate(zip(PEOPLE, WHERE["t1"], strict=True), start=1)
    ]
    return Table.of_texts("Two lists", ("line", "A: age", "A: place", "B: place"), rows)


def one_class() -> Table:
    """Bob's class in a 3-anonymous table."""
    rows = [[f"record {k}", "above 20", "Montmartre"] for k in (1, 2, 3)]
    return Table.of_texts("Bob's class", ("", "age", "location"), rows)


_SCENES: dict[str, Callable[[], Scene]] = {
    **dict.fromkeys(("start/coin", "start/both-ways", "noise/yes", "noise/told", "noise/estimate"), lambda: (COINS,)),
    **dict.fromkeys(("noise/crowd", "noise/twice", "noise/friends"), lambda: (COINS,)),
    **dict.fromkeys(("start/neighbours", "start/levels", "moments/neighbours"), lambda: (bobs_day(), LEVELS)),
    **dict.fromkeys(("start/landmarks", "moments/share", "moments/overspent"), lambda: (bobs_day(), THEOREM)),
    **dict.fromkeys(("moments/sums", "moments/broken", "moments/errors"), lambda: (bobs_day(), THEOREM)),
    **dict.fromkeys(("moments/levels", "moments/many"), lambda: (bobs_day(), THEOREM)),
    **dict.fromkeys(("start/distance", "start/radii", "places/promise"), lambda: (BY_DISTANCE,)),
    "start/class": lambda: (one_class(),),
    "tables/alone": lambda: (people("t1"),),
    "tables/homogeneity": lambda: (ages(), by_halves("t2", 0)),
    "tables/matching": lambda: (people("t1", 3), lists()),
    "tables/moments": lambda: (people("t1", 3), people("t2", 3)),
    "tables/promise": lambda: (by_halves("t1", 0, 1),),
    "correlation/memory": lambda: (moves(*MATRICES),),
    "correlation/step": lambda: (moves("A, one way"), LOSS, LEFT),
    "correlation/total": lambda: (moves("A, one way"),),
    "correlation/four": lambda: (moves("C, sticky"), LOSS),
    "correlation/forever": lambda: (moves("A, one way"),),
    "correlation/bounded": lambda: (moves("A, one way"),),
}

COMPLETE = frozenset(
    {
        *(f"start/{name}" for name in ("odds", "noise", "sum", "nights", "post", "memory", "trust", "choice")),
        *(f"start/{name}" for name in ("meaning", "composition", "averaging", "processing", "people", "whom")),
        *(f"zones/{name}" for name in ("map", "outings", "square", "enough")),
        *(f"tables/{name}" for name in ("bands", "mixture", "odds", "closeness")),
        *(f"noise/{name}" for name in ("belief", "not-private", "shape", "moved", "district", "delta")),
        *(f"moments/{name}" for name in ("belief", "silence")),
        *(
            f"streams/{name}"
            for name in ("all-day", "widths", "stay", "window", "halving", "discounted", "memory", "root", "risk")
        ),
        *(f"adaptive/{name}" for name in ("share", "still", "silence", "price", "greedy", "random", "again")),
        *(f"places/{name}" for name in ("blind", "edges", "least-off", "levels", "optpriv")),
        *(f"states/{name}" for name in ("influence", "baselines", "stuck", "alphas", "length")),
        *(f"city/{name}" for name in ("found", "decide")),
        *(f"law/{name}" for name in ("homes", "key", "linked", "zeros", "limit", "promise", "decide", "whose", "file")),
        *(f"adversary/{name}" for name in ("bayes", "knowledge", "averaged", "far", "same", "home", "bob")),
    }
)
"""Questions that state or draw everything they refer to."""


@cached("everybody")
def scene(name: str) -> Scene:
    """What board and phones show with a question; nothing if it is complete, or needs the text of its lesson.

    Examples
    --------
    >>> [type(block).__name__ for block in scene("correlation/memory")], scene("start/odds")
    (['Table'], ())
    """
    return _SCENES[name]() if name in _SCENES else ()


def is_complete(name: str) -> bool:
    """Whether a class can answer the question from what board and phones show, without its lesson."""
    return name in _SCENES or name in COMPLETE


SLIDERS: dict[str, Callable[[], Sliding]] = {
    "start/coin": first_steps.coin,
    "start/odds": first_steps.odds,
    "start/noise": first_steps.count_noise,
    "start/sum": first_steps.sums,
    "start/neighbours": first_steps.levels,
    "start/landmarks": first_steps.landmarks,
    "start/nights": first_steps.nights,
    "start/distance": first_steps.distance,
    "start/post": first_steps.released,
    "start/memory": first_steps.memory,
    "start/trust": first_steps.trust,
    "start/choice": first_steps.bobs_choice,
    "law/homes": zone_figures.by_outings,
    "law/linked": law_figures.by_side,
    "law/limit": law_figures.by_setting,
    "law/decide": law_figures.ways,
}
"""The figure after each question, as in the notebook of its lesson."""


@cached("everybody")
def slider(name: str) -> dict[str, Any] | None:
    """The sliders and what each of their stops shows, for the board; None if the question has no figure.

    Examples
    --------
    >>> [each["label"] for each in slider("start/coin")["sliders"]], slider("start/meaning")
    (['Chance that the truth is told'], None)
    """
    return SLIDERS[name]().message() if name in SLIDERS else None
