"""What the landmark page says of a series: the sentences of a track in the words of values, and those of a series alone."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lmdk_widgets.scenario.base.amounts import bound
from lmdk_widgets.scenario.landmarks.ground import Numbers
from lmdk_widgets.scenario.landmarks.outcome import Outcome
from lmdk_widgets.scenario.landmarks.values import with_unit

PHRASES = (
    ("the moments that matter on the map", "the moments that matter in the chart"),
    ("your reported points are", "the released values are"),
    ("Your one reported point is", "The one released value is"),
    ("the one moment of this track", "the one moment of this series"),
    ("the whole track", "the whole series"),
    ("on a longer track", "on a longer series"),
    ("however long the track", "however long the series"),
    ("these points can work out the true track", "these values can work out the true series"),
    ("this very track", "this very series"),
    ("where the track starts", "where the series starts"),
    ("a Markov chain of the moves", "a Markov chain of the values"),
    ("It is computed as if every two of its states were within the radius.", "It holds for every two of its states."),
    (
        "Where the track reports nothing of an area that it must have passed, the empty area points at the very place.",
        "Where a release repeats the one before, everybody sees that something was kept back.",
    ),
    ("a place says nothing about the next one", "a value says nothing about the next one"),
    ("least expected error of planar Laplace", "least expected error of Laplace noise"),
    ("places follow each other", "values follow each other"),
)
"""What a sentence says of a track, and of a series."""

_OF_ANSWERS = (
    (
        r"these have the least expected error of Laplace noise; landmarks get \S+ times the noise of Uniform\.",
        "these have the least expected error of numbers, though not always of answers; landmarks get less than by Uniform.",
    ),
    ("values follow each other", "answers follow each other"),
    ("these values can work out", "these answers can work out"),
    ("Markov chain of the values", "Markov chain of the answers"),
    ("a value says nothing", "an answer says nothing"),
)


def in_values(outcome: Outcome, text: str) -> str:
    """A text of a track in the words of the outcome's own data; as it is where they are a track.

    Examples
    --------
    >>> from lmdk_widgets.scenario import Scenario, evaluate
    >>> from lmdk_widgets.trajectory import sample_series
    >>> in_values(evaluate(Scenario(), sample_series("household")), "It knows how places follow each other, of 5 places.")
    'It knows how values follow each other, of 5 states.'
    """
    if outcome.series is None:
        return text
    for said, instead in PHRASES:
        text = text.replace(said, instead)
    text = re.sub(r"\b(\d+) places\b", r"\1 states", text)
    for pattern, instead in _OF_ANSWERS if outcome.series.is_answers else ():
        text = re.sub(pattern, instead, text)
    return text


def all_in_values(outcome: Outcome, texts: Iterable[str]) -> list[str]:
    """The same of several texts."""
    return [in_values(outcome, text) for text in texts]


def counted_between(outcome: Outcome) -> str:
    """Between what the budgets of a series are counted."""
    ground = outcome.ground
    if not isinstance(ground, Numbers):
        return (
            "Budgets are counted between the two answers: a timestamp with budget b changes the odds of one against the "
            "other by a factor of at most e^b."
        )
    low, high = (with_unit(ground.series.unit)(end) for end in (ground.lower, ground.upper))
    return (
        f"Budgets are counted between the bounds of {low} and {high}: of any two values within them, a timestamp with budget "
        "b changes the odds by a factor of at most e^b. A value outside is moved to the nearer bound before noise is added."
    )


def odds_of(outcome: Outcome, when: str) -> str:
    """Of what the release changes the odds, and between what."""
    assert outcome.series is not None
    if outcome.series.is_answers:
        no, yes = outcome.series.answers
        return f"the odds of the answer {when}, between “{yes}” and “{no}”,"
    return f"the odds of the value {when}, between any two within the bounds,"


def answer_sentence(outcome: Outcome) -> str:
    """How many of the released answers are wrong."""
    write = outcome.ground.write
    over = "" if outcome.error_low_m is None else "Over 100 draws, on average "
    said = f"{over}{write(outcome.mean_error_m)} of the released answers are wrong"
    expected = f"event level {write(outcome.event_error_m)}, user level {write(outcome.user_error_m)} expected"
    return f"{said} ({expected}; at 50 % they say nothing)."


def series_warnings(outcome: Outcome) -> list[str]:
    """Bounds that leak, and values beyond them."""
    ground = outcome.ground
    if not isinstance(ground, Numbers):
        return []
    found = []
    if ground.from_data:
        found.append(
            "The bounds are taken from the data: the size of the noise tells how far the least and the greatest value are "
            "apart, and no budget pays for that. State bounds that are known without a look at the values."
        )
    outside = int((ground.moved > 0).sum())
    if outside:
        lie = "value lies" if outside == 1 else "values lie"
        most = f"{bound(float(ground.moved.max()))} {ground.series.unit}".rstrip()
        found.append(
            f"{outside:,} of {len(outcome):,} {lie} outside the bounds: moved to the nearer one, which adds up to {most} to "
            "the error."
        )
    return found
