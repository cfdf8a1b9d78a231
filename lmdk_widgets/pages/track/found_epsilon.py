"""Which epsilon keeps every lasting place from being found nearer than a distance: safety as a target."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from lmdk_widgets.answers.exposure import NOT_SHOWN, found_places_of
from lmdk_widgets.answers.found_target import epsilon_steps
from lmdk_widgets.answers.main_places import lasting_places_of
from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.amounts import metres, outward
from lmdk_widgets.page.sentences import capital, sentence
from lmdk_widgets.scenario.evaluation import evaluate
from lmdk_widgets.scenario.model import EPSILON_RANGE, Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory.model import Trajectory

NOTHING_LASTS = "No place of this track lasts: none has five timestamps, so there is nothing to keep far."
NONE_NEEDED = "None is needed: nothing is released at a lasting place, whatever epsilon is."


class FoundEpsilon(NamedTuple):
    """Which epsilon keeps the lasting places from being found nearer than the wanted distance.

    Attributes
    ----------
    epsilon : the largest epsilon (target, factor), with four digits; infinite where nothing is released at a lasting
        place, 0 where a place is found nearer at every epsilon that was tried, NaN where `refused` says why there is none.
    silent : in a sentence, the place whose silences come nearest, whatever epsilon is, and `silent_m`, how near; "".
    """

    epsilon: float
    silent: str = ""
    silent_m: float = math.inf
    refused: str = ""

    @property
    def useable(self) -> bool:
        """Whether it can be chosen."""
        return EPSILON_RANGE[0] <= self.epsilon <= EPSILON_RANGE[1]


def found_epsilon(scenario: Scenario, trajectory: Trajectory, wanted_m: float) -> Iterator[FoundEpsilon | None]:
    """The answer for one scheme under a scenario's other choices; None until it is found.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> commuter = sample("commuter")
    >>> *_, found = found_epsilon(Scenario(track="commuter", landmarks=commuter.landmarks), commuter, 200.0)
    >>> found.epsilon
    0.4638
    """
    if trajectory.name == RELEASE_NAME:
        yield FoundEpsilon(math.nan, refused=NOT_SHOWN)
        return
    try:
        outcome = evaluate(scenario, trajectory)
        found: float | None = None
        for step in epsilon_steps(outcome, wanted_m):
            found = step
            yield None
    except InputError as error:
        yield FoundEpsilon(math.nan, refused=str(error))
        return
    assert found is not None
    if not lasting_places_of(trajectory):
        yield FoundEpsilon(math.nan, refused=NOTHING_LASTS)
        return
    quiet = [(one.silence.limit_m, one.your) for one in found_places_of(outcome) if one.silence is not None]
    limit_m, silent = min(quiet, default=(math.inf, ""))
    yield FoundEpsilon(outward(found, up=False) if 0 < found < math.inf else found, silent, limit_m)


def found_text(found: FoundEpsilon, outcome: Outcome, wanted_m: float, largest: str) -> str:
    """The answer in words.

    Parameters
    ----------
    largest : the value as the start of a sentence: "Up to epsilon 0.46".
    """
    spread = outcome.scenario.spread
    if found.refused:
        return found.refused if found.refused in (NOT_SHOWN, NOTHING_LASTS) else f"{spread.title}: {found.refused}"
    far, scheme = metres(wanted_m), spread.title
    silent, near = sentence("the silences of {place}", place=found.silent), metres(found.silent_m)
    if found.epsilon == math.inf:
        alone = sentence(
            "{silences} alone give it away to within {silences_within}.", silences=capital(silent), silences_within=near
        )
        return f"{NONE_NEEDED} {alone}" if found.silent else NONE_NEEDED
    if found.epsilon <= 0 and not found.silent:
        return sentence(
            "No epsilon under {scheme} does of those tried: a lasting place is found nearer than {wanted_distance} at each.",
            scheme=scheme,
            wanted_distance=far,
        )
    if found.epsilon <= 0:
        return sentence(
            "No epsilon under {scheme} does: {silences} give it away to within {silences_within}.",
            scheme=scheme,
            silences=silent,
            silences_within=near,
        )
    text: str = sentence(
        "{up_to_distance} no lasting place is found nearer than {wanted_distance} in half of all releases under {scheme}: "
        "{how}.",
        up_to_distance=largest,
        wanted_distance=far,
        scheme=scheme,
        how=_how(outcome),
    )
    if found.silent:
        more = sentence(
            "With a larger one, and over more days, {silences} come to within {silences_within} of it.",
            silences=silent,
            silences_within=near,
        )
        text += f" {more}"
    return text


def _how(outcome: Outcome) -> str:
    spread = outcome.scenario.spread
    if spread.fixed or spread.by_hand:
        return "the distance is proportional to 1 / ε"
    return "the distance is nearly proportional to 1 / ε" if spread.windowed else "found by search"
