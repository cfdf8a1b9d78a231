"""The sentences of found and promised, and where each number comes from."""

from __future__ import annotations

import math
from typing import Any

from tests.every_number.claims import Pattern, most
from tests.every_number.found_truth import FoundTruth


def when(holds: Any, value: Any = 1) -> Any:
    """A count that is right where something holds, and never elsewhere."""
    return lambda t: (value(t) if callable(value) else value) if holds(t) else -1


def sentence(text: str, holds: Any) -> dict[str, Any]:
    """A text that is said where something holds."""
    return {"how": lambda t: text if holds(t) else "NOT TRUE HERE"}


HALF = {"half": "half_region"}
APART = {"apart": lambda t: t.compared_m}
ONE = {"one": most(lambda t: t.guesses(t.dearest))}
BOTH = {"both": most(lambda t: t.guesses(t.landmarks_and_one)), "k": "k"}
ALL = {"every": most(lambda t: t.guesses(t.everything))}
MARKS = "the {k#} <landmark|protected timestamp><s|>< and any one other|>"
OVER = ", at {over} <ε|times the target>"
TIMES = {"over": most(lambda t: t.over_in_any_draw if t.over_in_any_draw > 1 + 1e-9 else -1)}
WITHIN = {"k": when(lambda t: t.over_in_any_draw <= 1 + 2e-9, lambda t: t.k)}
BETWEEN = "between two equally likely <places|neighbouring cells of> {apart}< apart|>"
CELLS = "between any two equally likely cells"
FIFTY = {"fifty": lambda t: 50}


def nothing(*losses: str) -> Any:
    """Whether of so many nothing is promised."""
    return lambda t: all(1 / (1 + math.exp(-min(getattr(t, name), 700))) >= 0.99 for name in losses)


def some(*losses: str) -> Any:
    return lambda t: all(1 / (1 + math.exp(-min(getattr(t, name), 700))) < 0.99 for name in losses)


AVERAGED = [Pattern("{said*}", said="found_sentence")]

LASTS = [Pattern("{said*}", said="lasting_line"), Pattern("{said*}", said="lasting_sentences")]


def second_told(t: FoundTruth) -> str:
    """The second of the lasting places."""
    if len(t.lasting) < 2:
        return "NOWHERE"
    said = t.place_told(t.lasting[1])
    return said[0].upper() + said[1:]


def holds_at(t: FoundTruth) -> float:
    """A distance of one digit at which a moment tells no more than a factor of e."""
    far, near = t.radius / t.dearest, 1e-3
    while near * 10 <= far:
        near *= 10
    return near * next(k for k in range(9, 0, -1) if k * near <= far * (1 + 1e-12))


NEARER = [
    Pattern("Two places in one cell are not told apart at all."),
    Pattern(
        "Between two places {near} apart, at most {right} of {hundred} are.",
        near=holds_at,
        right=most(lambda t: 100 / (1 + math.exp(-t.dearest * holds_at(t) / t.radius))),
        hundred=when(nothing("dearest"), 100),
    ),
]
"""At which distance something is promised after all."""

WHOM = "about the <landmark|protected timestamp|landmarks|protected timestamps>< and any one other|>."
BRIEF = [
    Pattern(f"<right guesses |>about one moment<, at most|>; {{both}} {WHOM}", both=BOTH["both"]),
    Pattern(f"<right guesses |>about one moment<, at most|>; no promise {WHOM}"),
    Pattern("right guesses about one moment, at most."),
]
"""What stands beside an answer on the first screen."""

TILES = [
    *NEARER,
    *BRIEF,
    *LASTS,
    Pattern("{said*}", said="found_line"),
    *(
        pattern
        for between, apart in ((BETWEEN, APART), (CELLS, {}))
        for pattern in (
            Pattern(f"guesses {between} are right at most, about one moment", **apart),
            Pattern(f"about one moment, {between}", **apart),
        )
    ),
    *(
        pattern
        for over, times in (("", {}), (OVER, TIMES))
        for pattern in (
            Pattern(f"; {{both}} about {MARKS}{over}.", **(BOTH | (times or WITHIN))),
            Pattern(f"; no promise about {MARKS}{over}.", k=when(nothing("landmarks_and_one"), lambda t: t.k), **times),
        )
    ),
]

PROMISED_TO = "Promised against someone who guesses"
OF_100 = "of {hundred} guesses, of which {fifty} are right by chance, at most"
SCALE = {"hundred": lambda t: 100} | FIFTY

DETAILS = [
    Pattern(
        "In about nine of ten releases it is <about |>{nine*}.",
        nine=lambda t: t.in_two_digits(t.nine) if t.lasting else "NOWHERE",
    ),
    Pattern(
        "{said*} is found to within <about |>{within*}.",
        said=lambda t: second_told(t),
        within=lambda t: t.in_two_digits(t.second) if len(t.lasting) > 1 else "NOWHERE",
    ),
    Pattern("{said*} is not found.", said=lambda t: second_told(t)),
    Pattern(
        "Each of the {places#} lasting places is found to within the radius of {radius}.",
        places=when(lambda t: t.near == len(t.lasting), lambda t: len(t.lasting)),
        radius="radius",
    ),
    Pattern(
        "Of the {places#} lasting place<s|> none is found to within the radius of {radius}.",
        places=when(lambda t: not t.near, lambda t: len(t.lasting)),
        radius="radius",
    ),
    Pattern(
        "Of the {places#} lasting place<s|> {near#} <is|are> found to within the radius of {radius}.",
        places=lambda t: len(t.lasting),
        near=lambda t: t.near or math.nan,
        radius="radius",
    ),
    Pattern(
        "Of {hundred} guesses between {said*} and a place one radius away, equally likely beforehand, about {right} "
        "are right: found, not promised.",
        said=lambda t: t.place_named(t.lasting[0]) if t.lasting else "NOWHERE",
        right=lambda t: t.right if t.right <= 99 else math.nan,
        hundred=lambda t: 100,
    ),
    Pattern(
        "Of {hundred} guesses between {said*} and a place one radius away, equally likely beforehand, more than {right} "
        "are right: found, not promised.",
        said=lambda t: t.place_named(t.lasting[0]) if t.lasting else "NOWHERE",
        right=lambda t: 99 if t.right > 99 else math.nan,
        hundred=lambda t: 100,
    ),
    Pattern(
        "That takes {reports#} reports together, while the first promise is about one moment alone: both hold.",
        reports=lambda t: t.reports if t.right > 100 / (1 + math.exp(-min(t.dearest, 700))) else math.nan,
    ),
    Pattern(f"{PROMISED_TO} {BETWEEN} and knows everything else: ", **APART),
    Pattern(f"{PROMISED_TO} {CELLS} and knows everything else: "),
    Pattern(f"{OF_100} {{one}} for one moment", **(SCALE | ONE)),
    Pattern(f"< and|,> {{both}} for {MARKS} together", **BOTH),
    Pattern("< and|, and> {every} for all moments together.", **ALL),
    Pattern("nothing for one moment", **{}),
    Pattern(
        f"for {MARKS} together< or|, or> for all", k=when(nothing("landmarks_and_one", "everything"), lambda t: t.k)
    ),
    Pattern(f"; nothing is promised for {MARKS} together", k=when(nothing("landmarks_and_one"), lambda t: t.k)),
    Pattern(f"nothing for one moment, for {MARKS} together", k=when(nothing("dearest"), lambda t: t.k)),
    Pattern(f"nothing for one moment or for {MARKS} together", k=when(nothing("dearest"), lambda t: t.k)),
]

FOUND = [*AVERAGED, *TILES, *DETAILS]
