"""The sentences of a stream and of releases that add up with a number in them, and where each number comes from."""

from __future__ import annotations

import math
from typing import Any

from tests.every_number.claims import Claims, Hole, Pattern, Tolerant, most, near
from tests.every_number.landmarks_words import told_unless
from tests.every_number.table_noise_claims import CHARTED, changed, only
from tests.every_number.table_published_claims import SIX_SEVENTHS, place
from tests.every_number.table_truth import DAY, AddingTruth, StreamTruth

TITLES = ["Event", "User", "w-event", "Landmark", "Discounted", "Pan-private"]
LEVELS = ["event", "user", "window", "landmark", "discounted"]
NUMBERED = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def counted(number: int, noun: str) -> str:
    said = NUMBERED[number] if number < len(NUMBERED) else str(number)
    return f"{said} {noun}" if number == 1 else f"{said} {noun}s"


# -- a stream ----------------------------------------------------------------------------------------------------------


def of_level(find: Any) -> Any:
    """A value of the level that is drawn, if it has budgets."""
    return lambda t: find(t, t.c.level) if t.c.level != "pan" else "NOT TRUE HERE"


def hour_loss(t: StreamTruth) -> float:
    return t.one if t.c.level == "pan" else t.budgets[t.c.level]


def day_loss(t: StreamTruth) -> float:
    return t.always if t.c.level == "pan" else t.day(t.c.level)


def whom_it_protects(t: StreamTruth, level: str) -> str:
    return {
        "event": "anyone's presence in one hour",
        "user": "anyone, in however many hours",
        "window": f"anyone's presence in any {counted(t.c.window, 'hour')} in a row",
        "landmark": "anyone's presence in the landmarks and one more hour",
        "discounted": "one hour with its own budget, not the day: old hours count less in its sum",
    }.get(level, "NOT TRUE HERE")


def level_title(t: StreamTruth) -> str:
    return dict(zip([*LEVELS, "pan"], TITLES, strict=True))[t.c.level]


def seized(t: StreamTruth) -> str:
    kind = "announced" if t.c.announced else "unannounced"
    return counted(len(t.c.intrusions), f"{kind} intrusion") if t.c.intrusions else "NOT TRUE HERE"


def costs(before: str, loss: Any, **holes: Any) -> list[Pattern]:
    return [
        Pattern(f"{before} costs up to ε = {{cost}}", cost=most(loss), **holes),
        Pattern(f"{before} {{how*}}", **told_unless("may be revealed exactly", lambda t: loss(t) == math.inf), **holes),
    ]


STREAM = [
    *changed("can change the odds that a person was at Montmartre in a given hour", hour_loss, ", and"),
    *changed(", and that the person was there in every hour", day_loss, "."),
    Pattern(
        "The people at Montmartre are counted in each of {n#} hours, with ε = {epsilon}.",
        n=lambda t: len(DAY),
        epsilon=lambda t: t.c.epsilon,
    ),
    Pattern(
        "{level*} level gives each hour {budget}, noise with a standard deviation of {error} people, "
        "and protects {whom*}.",
        level=level_title,
        budget=of_level(lambda t, level: t.budgets[level]),
        error=of_level(lambda t, level: t.error(level)),
        whom=of_level(whom_it_protects),
    ),
    Pattern("A visitor who is there all day spends {day}.", day=of_level(lambda t, level: t.day(level))),
    Pattern(
        "The pan-private counter gives one number at the end, {output} where {sum#} is true, with a "
        "standard deviation of "
        "{deviation}.",
        output=lambda t: t.counter[1],
        sum=lambda t: sum(DAY),
        deviation="deviation",
    ),
    Pattern(
        "Nobody reads its memory; one visit costs up to ε = {one}, a visit in every hour costs up to ε = {all}.",
        one=most(lambda t: t.one if not t.c.intrusions else math.nan),
        all=most("always"),
    ),
    *costs(" With {what*}, one visit", lambda t: t.one, what=seized),
    *costs(", one visit before the first and one after the last", lambda t: math.nan if t.twice is None else t.twice),
    Pattern(
        "What is protected: {whom*}, with ε = {epsilon}. Against",
        whom=of_level(whom_it_protects),
        epsilon=most(lambda t: t.budgets[t.c.level] if t.c.level == "discounted" else t.c.epsilon),
    ),
    Pattern("What is protected: anyone's single visit, with ε = {epsilon}. Against", epsilon=most(lambda t: t.one)),
    Pattern("which spends {day} in total.", day=lambda t: t.day("discounted")),
    Pattern("Two unannounced intrusions reveal exactly what was counted between them"),
    Pattern(
        "{how*} is published; ", how=lambda t: "no count of single hours" if t.c.level == "pan" else "NOT TRUE HERE"
    ),
    Pattern("; {marks*}.", marks=lambda t: counted(len(t.c.landmarks), "landmark")),
    Pattern(
        "The true sum of the day so far, {what*} with what was read",
        what=lambda t: counted(len(t.c.intrusions), "intrusion"),
    ),
]

# -- adding up ---------------------------------------------------------------------------------------------------------


def parts_said(t: AddingTruth) -> str:
    parts = sum(part > 0 for part in t.parts)
    return "one part" if parts == 1 else counted(parts, "disjoint part")


def releases_said(t: AddingTruth) -> str:
    return counted(len(t.stack), "release")


def all_said(t: AddingTruth) -> str:
    return "both releases" if len(t.stack) == 2 else f"all {releases_said(t)}"


def untied(t: AddingTruth) -> bool:
    return not t.c.correlated


def two_largest(t: AddingTruth) -> float:
    return t.everybody + sum(sorted(t.parts)[-2:])


def at_delta(what: str, to_a_side: Any) -> Hole:
    return to_a_side(lambda t: t.at_delta(what), slack=3e-3, size=lambda t: 5e-4 * t.repeated)


def missed_at_a_tenth(name: str, in_words: bool) -> Any:
    """What the best test misses with one false alarm in ten; in words where it is next to nothing."""
    if in_words:
        return lambda t: "hardly anyone" if t.missed(name, [0.1])[0] < 4e-3 else "NOT TRUE HERE"
    return near(lambda t: t.missed(name, [0.1])[0], slack=1e-3, size=4e-3)


ADDING = [
    *(
        pattern
        for who in ("Anyone who sees the release", "Anyone who sees {who*}")
        for pattern in [
            Pattern(
                f"{who} can change the odds that a person is in the data by a factor of at most {{f}}.",
                f=most(lambda t: math.exp(t.together)),
                **({"who": all_said} if "{" in who else {}),
            ),
            Pattern(
                f"{who} {{how*}} the odds that a person is in the data.",
                **told_unless("cannot noticeably change", lambda t: t.together < 1e-9),
                **({"who": all_said} if "{" in who else {}),
            ),
            Pattern(
                f"{who} may change the odds that a person is in the data {{how*}}.",
                **told_unless("by a factor of more than a million", lambda t: t.together > math.log(1e6)),
                **({"who": all_said} if "{" in who else {}),
            ),
        ]
    ),
    Pattern(
        "two answers change the odds that Donald is at work by a factor of up to {both}, of which his "
        "own answer explains at "
        "most {own}.",
        both=most(lambda t: t.odds(both=True)),
        own=most(lambda t: t.odds(both=False)),
    ),
    Pattern(
        "{who*} cost ε = {all} together: those from everybody add up to {some}",
        who=lambda t: releases_said(t).capitalize(),
        all="together",
        some="everybody",
    ),
    Pattern(
        "One release costs ε = {all}: those from everybody add up to {some}",
        all=only(lambda t: len(t.stack) == 1, lambda t: t.together),
        some="everybody",
    ),
    *(
        Pattern(
            f"Made {times}, they cost one person ε = {{sums}} by sums; with δ = {{delta}} at most {{numbers}} by Laplace "
            "noise (numbers), at most {answers} by randomised response, or any mechanism (answers), at most {points} by "
            "planar Laplace noise (points).",
            sums="repeated",
            delta=lambda t: t.c.delta,
            numbers=at_delta("numbers", most),
            answers=at_delta("answers", most),
            points=at_delta("points", most),
            **more,
        )
        for times, more in (("once", {}), ("{n} times", {"n": lambda t: t.c.repeats}))
    ),
    *(
        Pattern(
            f"{'it misses' if k == 0 else ','} {{missed{said}}} ({name})", missed=missed_at_a_tenth(name, bool(said))
        )
        for k, name in enumerate(("any, by the sum", "answers", "numbers", "points"))
        for said in ("", "*")
    ),
    Pattern(
        "from all releases made {n} times: with false alarms for {alarm} of others ",
        n=lambda t: t.c.repeats,
        alarm=lambda t: 0.1,
    ),
    Pattern(", and of {parts*} the largest sum counts, {largest}", parts=parts_said, largest="largest"),
    Pattern(
        "Of the budget of {budget}, {left} is left.",
        budget=lambda t: t.c.budget,
        left=only(lambda t: t.left >= 1e-9, lambda t: t.left),
    ),
    Pattern("The budget of {budget} has run out:", budget=only(lambda t: t.left < 1e-9, lambda t: t.c.budget)),
    Pattern(
        "With two coins, a belief of {prior} about Donald becomes {own} by his answer, and stays {both} after Dewey's.",
        prior=only(untied, lambda t: t.belief(None, None)),
        own=lambda t: t.belief(0, None),
        both=lambda t: t.belief(0, 0),
    ),
    Pattern(
        "About two people who always do the same, the releases from everybody tell up to {two} instead of "
        "{one}; about a family with "
        "one in each part, those from the parts tell up to {family} instead of {largest}.",
        two=most("two_alike"),
        one=most("everybody"),
        family=most("family"),
        largest=most("largest"),
    ),
    Pattern(
        "With two coins, a belief of {prior} about Donald becomes {own} by his own answer, and ",
        prior=lambda t: t.belief(None, None),
        own=lambda t: t.belief(0, None),
    ),
    SIX_SEVENTHS,
    Pattern("What is protected: a person's <own record|record in all releases>, with ε = {all}", all=most("together")),
    Pattern(
        "so move from one part to another, the two largest parts add up: ε = {all} together",
        all=most(only(lambda t: sorted(t.parts)[-2] > 0, two_largest)),
    ),
    Pattern(
        "Dewey's answer takes the belief to {both}, above the bound of {own} by",
        both=lambda t: t.belief(0, 0),
        own=lambda t: t.belief(0, None),
    ),
    Pattern("the belief stays at {own}, the bound by Donald's budget.", own=only(untied, lambda t: t.belief(0, None))),
    Pattern("ε = {all} of {budget}", alone=True, all="together", budget=lambda t: t.c.budget),
]


# -- what is no sentence -----------------------------------------------------------------------------------------------


ADDING_VALUES = {
    "text.told.stack.*.epsilon": lambda t, path: t.stack[place(path, "stack")][0],
    "text.told.stack.*.source": lambda t, path: t.stack[place(path, "stack")][1],
    "text.told.stack.*.start": lambda t, path: t.start(place(path, "stack")),
    "text.told.sources.*": lambda t, path: ["everybody", "part 1", "part 2", "part 3"][place(path, "sources")],
    "text.told.budget": lambda t, _: t.c.budget,
    "text.told.together": lambda t, _: t.together,
    "text.told.left": lambda t, _: Tolerant(t.left, 1e-7, 1e-9),
    "text.told.most": lambda t, _: 8,
}


def stream_claims() -> Claims:
    values = {"text.told.hours": lambda t, _: 24, "text.told.placed": lambda t, _: list(getattr(t.c, t.c.clicks))}
    return Claims(STREAM, values, [*CHARTED, "draw.drawn.figures.districts.summary"])


def adding_claims() -> Claims:
    return Claims(ADDING, ADDING_VALUES, [*CHARTED, "text.told.stack.*.said"])
