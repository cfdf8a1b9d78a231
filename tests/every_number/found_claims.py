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


PLACE = "the place where most of your timestamps are ({there} of {n})"
UPPER = PLACE[0].upper() + PLACE[1:]
NO_PLACE = "No place has five reports:"
FEW, N = {"how": lambda t: NO_PLACE if len(t.there) < 5 else "NOT TRUE HERE"}, {"n": "n"}
HALF = {"half": "half_region"}
APART = {"apart": lambda t: t.compared_m}
ONE = {"one": most(lambda t: t.guesses(t.dearest))}
BOTH = {"both": most(lambda t: t.guesses(t.landmarks_and_one)), "k": "k"}
ALL = {"every": most(lambda t: t.guesses(t.everything))}
MARKS = "the {k#} <landmark|protected timestamp><s|>< and any one other|>"
OVER = ", at {over} <ε|times the target>"
TIMES = {"over": most(lambda t: t.overrun if t.overrun > 1 + 1e-9 else -1)}
WITHIN = {"k": when(lambda t: t.overrun <= 1 + 2e-9, lambda t: t.k)}
BETWEEN = "between <two places|two neighbouring cells of> {apart}< apart|>"
CELLS = "between any two cells"
CAN = "guesses, at most, are right about one moment"
CHANCE = "{fifty} is chance. Correlation may add more."
FIFTY = {"fifty": lambda t: 50}


def nothing(*losses: str) -> Any:
    """Whether of so many nothing is promised."""
    return lambda t: all(1 / (1 + math.exp(-min(getattr(t, name), 700))) >= 0.99 for name in losses)


def some(*losses: str) -> Any:
    return lambda t: all(1 / (1 + math.exp(-min(getattr(t, name), 700))) < 0.99 for name in losses)


def found_tile(t: FoundTruth) -> bool:
    return len(t.there) >= 5 and t.is_found


AVERAGED = [
    Pattern("{how*} averaging finds each only to within", **FEW),
    Pattern(f"Anyone who knows when you are at {PLACE} finds it ", there=when(found_tile, lambda t: len(t.there)), **N),
    Pattern("finds it from {reports#} report<s|> to", reports=lambda t: t.reports),
    Pattern("to within about {within} in half of all releases", within="averaged"),
    Pattern("to within {within} or less in half of all releases", within="averaged"),
    Pattern(" in half of all releases (median of {draws} draws)", draws=lambda t: len(t.owns)),
    Pattern(
        f"Averaging does not find {PLACE}: it has no report of its own.",
        there=when(lambda t: not t.b, lambda t: len(t.there)),
        **N,
    ),
    Pattern(
        f"Averaging does not find {PLACE}: it does not come within {{half}}, half the region's smaller side, in half of all "
        "releases",
        there=when(lambda t: t.b and not t.is_found, lambda t: len(t.there)),
        half="half_region",
        **N,
    ),
]


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

TILES = [
    *NEARER,
    Pattern("guesses right at most; {fifty} is chance", fifty=when(some("dearest"), 50)),
    Pattern("{how*} each is found only to within this", **FEW),
    Pattern("{how*} it has no report of its own.", **FEW),
    Pattern("{how*} averaging does not come within {half}, half the region's smaller side.", half="half_region", **FEW),
    Pattern(
        f"Together, its reports find {PLACE} to within this in half",
        there=when(found_tile, lambda t: len(t.there)),
        **N,
    ),
    Pattern("{nights#} night<s are| is> too few to call it your home.", nights="few_nights"),
    Pattern(f"{UPPER}: it has no report of its own.", there=when(lambda t: not t.b, lambda t: len(t.there)), **N),
    Pattern(
        f"{UPPER}: averaging does not come within {{half}}, half the region's smaller side.",
        there=when(lambda t: t.b and not t.is_found, lambda t: len(t.there)),
        half="half_region",
        **N,
    ),
    *(
        pattern
        for between, apart in ((BETWEEN, APART), (CELLS, {}))
        for pattern in (
            *(
                pattern
                for over, times in (("", {}), (OVER, TIMES))
                for pattern in (
                    Pattern(
                        f"{CAN}, {between}; {{both}} about {MARKS}{over}. {CHANCE}",
                        **(apart | BOTH | FIFTY | (times or WITHIN)),
                    ),
                    Pattern(
                        f"{CAN}, {between}; no promise about {MARKS}{over}. {CHANCE}",
                        **(apart | FIFTY | times),
                        k=when(nothing("landmarks_and_one"), lambda t: t.k),
                    ),
                )
            ),
            Pattern(
                f"{CAN}, {between}. {CHANCE}",
                **(apart | FIFTY),
            ),
            Pattern(
                f"is promised about one moment, {between}: all of {{hundred}} guesses may be right.",
                **apart,
                hundred=when(nothing("dearest"), 100),
            ),
        )
    ),
]

PROMISED_TO = "Promised against someone who guesses"
OF_100 = "of {hundred} guesses, of which {fifty} are right by chance, at most"
SCALE = {"hundred": lambda t: 100} | FIFTY

DETAILS = [
    Pattern("In nine of ten releases it is about {nine}.", nine="nine"),
    Pattern("In nine of ten releases it is {nine} or less.", nine="nine"),
    Pattern(
        "The second place ({second#} timestamp<s|>, {apart} or more from the first) is found to within about {within}.",
        second=lambda t: len(t.places[1]),
        apart=lambda t: 400,
        within="second",
    ),
    Pattern(
        "The second place ({second#} timestamp<s|>, {apart} or more from the first) is found to within {within} or less.",
        second=lambda t: len(t.places[1]),
        apart=lambda t: 400,
        within="second",
    ),
    Pattern(
        "The second place ({second#} timestamp<s|>, {apart} or more from the first) is not found.",
        second=when(lambda t: t.second > t.half_region, lambda t: len(t.places[1])),
        apart=lambda t: 400,
    ),
    Pattern(
        "Each of the {places#} places with most timestamps is found to within the radius of {radius}.",
        places=when(lambda t: t.near == len(t.places), lambda t: len(t.places)),
        radius="radius",
    ),
    Pattern(
        "Of the {places#} place<s|> with most timestamps none is found to within the radius of {radius}.",
        places=when(lambda t: not t.near, lambda t: len(t.places)),
        radius="radius",
    ),
    Pattern(
        "Of the {places#} place<s|> with most timestamps {near#} <is|are> found to within the radius of {radius}.",
        places=lambda t: len(t.places),
        near=lambda t: t.near or math.nan,
        radius="radius",
    ),
    Pattern(
        "Of {hundred} guesses between the place where most of your timestamps are and a place one radius away about {right} "
        "are right: found, not promised.",
        right=lambda t: t.right if t.right <= 99 else math.nan,
        hundred=lambda t: 100,
    ),
    Pattern(
        "Of {hundred} guesses between the place where most of your timestamps are and a place one radius away more than "
        "{right} are right: found, not promised.",
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
