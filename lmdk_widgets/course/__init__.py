"""The course: its lessons in order, and the questions of each.

A lesson is a notebook and, where it asks something, a module here with its questions. This module imports neither these
nor NumPy: the command line reads the list of lessons.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from lmdk_widgets.cache import cached

if TYPE_CHECKING:
    from lmdk_widgets.course.ask import Ask


@dataclass(frozen=True)
class Lesson:
    """A lesson of the course.

    Attributes
    ----------
    title : as the list of lessons shows it.
    minutes : how long a student needs, from and to.
    goals : what a student can do afterwards, each completing "You can ...".
    needs : what a student should know before, in Markdown, for the teacher's guide.
    """

    title: str
    minutes: tuple[int, int]
    goals: tuple[str, ...]
    needs: str = ""


LESSONS: dict[str, Lesson] = {
    "start": Lesson(
        "Start here: privacy in twelve steps, from a coin to an epsilon for Bob",
        (35, 45),
        (
            "say what ε promises, as odds and as a belief",
            "add up releases, and say which of two days a level hides",
            "say what averaging, distance, correlation and post-processing do to a promise",
            "choose an ε, and say who must still be trusted",
        ),
        "what a chance is, odds",
    ),
    "zones": Lesson(
        "Zones: is a privacy zone enough?",
        (10, 15),
        (
            "find the middle of a privacy zone on a map, and say what a wider one changes",
            "say what makes it harder, and what does not",
            "say what rounding tells, and what none of these practices promises",
        ),
        "expected values",
    ),
    "tables": Lesson(
        "Tables that hide nobody: k, l and t, and the attacks behind them",
        (30, 45),
        (
            "find the classes of a published table, and measure it by k-anonymity, l-diversity and t-closeness",
            "carry out the attack that each measure leaves open",
            "explain why two releases, each safe by itself, can be unsafe together",
        ),
        "probability, odds",
    ),
    "noise": Lesson(
        "Noise that can be counted: from a coin to epsilon",
        (30, 45),
        (
            "answer a question so that your answer proves nothing, and still estimate the total",
            "say what ε does to a belief",
            "choose between randomised response, Laplace noise and the exponential mechanism",
            "say what ε does not bound",
        ),
        "probability, odds",
    ),
    "moments": Lesson(
        "Moments: differential privacy in eight moments of Bob's day",
        (30, 45),
        (
            "say what event, user and landmark privacy protect, each by its neighbouring series",
            "state the Theorem of landmark privacy and prove it in two lines",
            "spread a budget over a day, and find the mistake in one that overspends",
            "say what silence reveals",
        ),
        "probability, odds; easier after `noise` (ε)",
    ),
    "streams": Lesson(
        "Streams: the counts of a district over a day",
        (30, 45),
        (
            "say whom event, w-event and user level protect, and what each costs",
            "check whether budgets respect a window, and save budget where nothing changes",
            "say what a discounted sum is worth",
            "say what a counter reveals if its memory is seized",
        ),
        "`noise` (ε, Laplace), `moments` (event and user level)",
    ),
    "adaptive": Lesson(
        "Adaptive and hidden landmarks: what silence reveals, and which dummies hide",
        (35, 45),
        (
            "say how much budget a skipped timestamp leaves, and to which others",
            "say when Adaptive skips, and what its silence reveals",
            "attack dummies that are computed from the landmarks, and explain why random ones hide",
            "say which scheme has the smallest error, given how many landmarks there are and where",
        ),
        "`moments` (the Theorem, Uniform, Skip)",
    ),
    "correlation": Lesson(
        "Correlation: temporal privacy loss, from two states to a real track",
        (35, 45),
        (
            "compute backward, forward and total loss step by step",
            "say when a loss stays bounded forever, and from which budget on it does not",
            "plan budgets that keep the loss at a given level",
            "say how the time between releases and the positions of landmarks affect it",
        ),
        "`moments` (budgets); logarithms",
    ),
    "places": Lesson(
        "Places: dilations, planar Laplace and OptPriv on the cells of a city",
        (35, 45),
        (
            "say what geo-indistinguishability promises, and for which distance",
            "say what a spanner saves, and why it preserves ε",
            "compare the optimal mechanism with planar Laplace and OptPriv",
            "say what an adversary with a prior learns",
        ),
        "`moments` (planar Laplace); expected values",
    ),
    "states": Lesson(
        "States: hiding any one moment of a day, compared with every baseline",
        (35, 45),
        (
            "say what Pufferfish privacy protects, against whom, and under which belief",
            "compute the noise that a Markov quilt requires, and find the best quilt",
            "compare the quilt mechanism with its baselines, and name the one that protects nothing",
            "say when the losses of releases add up, and show that they need not",
        ),
        "`correlation` (Markov chains), `noise` (Laplace)",
    ),
    "adversary": Lesson(
        "The adversary at work: who follows the track",
        (35, 45),
        (
            "turn a prior, moves and releases into a belief about every timestamp",
            "say how far off an adversary is and how often right, depending on what is seen and known",
            "compare what the adversary really learned with the bound, and say for which mechanism the bound holds",
            "say what an equal mean error tells about protection",
        ),
        "`noise` (Bayes' rule), `moments` (planar Laplace, Uniform); for section 5, `correlation` (total loss)",
    ),
    "city": Lesson(
        "A city decides: may the tracks of 1,000 people be published?",
        (15, 20),
        (
            "say how many people a few known moments single out after names are removed",
            "say how many people are expected to be found under an ε, and find the ε for a limit",
            "say where that ε may come from",
        ),
        "`noise` (ε), `moments` (Uniform)",
    ),
    "law": Lesson(
        "What the law asks: a zone, names removed, counts",
        (25, 35),
        (
            "say what the GDPR and the opinion WP216 ask about a file, and who answers for it",
            "measure who is singled out, linked and found, for a zone, for names removed and for counts",
            "say which counts are of use, and what they promise to a person",
            "decide by limits that were agreed on beforehand, and write down why",
        ),
        "`noise` (ε), `city` (names removed)",
    ),
}
"""The lessons by name, in order."""

STORIES = {"followed": "Followed for days: what an attacker learns"}
"""Notebooks without questions, each with its title. They open like lessons, and accept the reader's own track."""


@cached("everybody")
def questions(lesson: str) -> tuple[Ask, ...]:
    """The questions of a lesson in the order in which it asks them; empty if it asks none.

    Raises
    ------
    InputError : there is no such lesson.

    Examples
    --------
    >>> [question.name for question in questions("moments")][0]
    'moments/neighbours'
    """
    from lmdk_widgets.checks import one_of

    module = f"{__name__}.{one_of(lesson, 'lesson', LESSONS)}"
    return import_module(module).QUESTIONS if find_spec(module) else ()


def question(name: str) -> Ask:
    """One question by its name, "lesson/short-name".

    Raises
    ------
    InputError : there is no such lesson, or no such question in it.

    Examples
    --------
    >>> question("moments/share").kind
    'number'
    """
    from lmdk_widgets.checks import one_of, refused

    if not isinstance(name, str) or "/" not in name:
        raise refused("the name of a question", 'like "lesson/short-name"', name)
    found = {asked.name: asked for asked in questions(name.partition("/")[0])}
    return found[one_of(name, f"a question of the lesson {name.partition('/')[0]}", found)]
