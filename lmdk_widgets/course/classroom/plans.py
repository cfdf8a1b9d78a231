"""Plans: what a board asks a class, one step after another, as lines of a text.

    # a comment
    say Toss two coins by hand.
    page ?page=track&track=bob&scheme=event Read the first sentences aloud.
    poll noise/told
    response 1.1 Did you ever copy homework?
    guess city 1 1000
    duel 4
    council

Each line is a step. `say` shows a sentence on the board, `page` one with a link to a page as "Share" gives it; `poll` asks a
lesson's question by its name; `response` asks by randomised response, with epsilon before the question unless it is that of
two coins; `guess` names a scene, optionally with the privacy level and the metres within which it holds; `duel` takes an
optional epsilon to spread; `council` takes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lmdk_widgets.cache import cached
from lmdk_widgets.checks import either, one_of
from lmdk_widgets.course.classroom.activity import activity, words
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.link import pairs_of

MOST_STEPS, LONGEST_LINE, MOST_BYTES = 100, 400, 64 * 2**10


@dataclass(frozen=True)
class Step:
    """A step of a plan: an activity with its settings, or a sentence for the board.

    Attributes
    ----------
    kind : of the activity, or "" for a sentence. settings : as `activity` accepts them. text : the sentence.
    link : the query of a page that the step opens, "" for none.
    """

    kind: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    link: str = ""


@dataclass(frozen=True)
class Plan:
    """Steps in their order, under a title."""

    title: str
    steps: tuple[Step, ...]


def _poll(text: str) -> Step:
    return Step("poll", {"name": text})


def _response(text: str) -> Step:
    first, _, rest = text.partition(" ")
    epsilon = _number(first)
    return Step("response", {"text": text} if epsilon is None else {"text": rest, "epsilon": epsilon})


def _guess(text: str) -> Step:
    scene, *numbers = text.split() or [""]
    names = ("level", "radius_m")
    if len(numbers) > len(names):
        raise InputError("a guess must have a scene, a level and metres", value=text)
    given = {name: _number(number, number) for name, number in zip(names, numbers, strict=False)}
    return Step("guess", {"scene": scene, **given})


def _duel(text: str) -> Step:
    return Step("duel", {"epsilon": _number(text, text)} if text else {})


def _council(text: str) -> Step:
    if text:
        raise InputError("council must stand alone", value=text)
    return Step("council")


def _say(text: str) -> Step:
    return Step(text=words(text, "a sentence for the board", LONGEST_LINE))


def _page(text: str) -> Step:
    address, _, rest = text.partition(" ")
    query = address.partition("?")[2]
    if "page" not in pairs_of(query):
        raise InputError("A page must be a link as “Share” gives it, and a sentence", value=address or None)
    return replace(_say(rest.strip()), link=query)


_READ: dict[str, Callable[[str], Step]] = {
    "poll": _poll,
    "response": _response,
    "guess": _guess,
    "duel": _duel,
    "council": _council,
    "say": _say,
    "page": _page,
}
"""The reader of each kind of line, by its first word."""


def _number(text: str, other: Any = None) -> Any:
    """The number in the text, or `other` if it is not one."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return other


def read_plan(text: str, title: str) -> Plan:
    """The plan in a text.

    Raises
    ------
    InputError : a line is not a step, with its number, its text and what is allowed; there are no steps, or too many.

    Examples
    --------
    >>> plan = read_plan("say Welcome.\\npoll noise/told", "Mine")
    >>> [step.kind or step.text for step in plan.steps]
    ['Welcome.', 'poll']
    >>> read_plan("pole x/y", "Mine")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
      ...
    lmdk_widgets.errors.InputError: Line 1 must begin with "poll", "response", ... or "page"; got pole x/y.
    """
    lines = [(k, line.strip()) for k, line in enumerate(text.splitlines(), start=1)]
    steps = [_step(k, line) for k, line in lines if line and not line.startswith("#")]
    if not 0 < len(steps) <= MOST_STEPS:
        raise InputError(f"A plan must have 1 to {MOST_STEPS} steps", value=f"{len(steps):,} of them")
    return Plan(title, tuple(steps))


def _step(number: int, line: str) -> Step:
    first, _, rest = line.partition(" ")
    if len(line) > LONGEST_LINE:
        raise InputError(f"Line {number} must have at most {LONGEST_LINE} characters", value=f"{len(line):,}")
    if first not in _READ:
        raise InputError(f"Line {number} must begin with {either(_READ)}", value=line)
    try:
        step = _READ[first](rest.strip())
        if step.kind:
            activity(step.kind, step.settings)
    except InputError as error:
        raise InputError(f"Line {number}, “{line}”: {error.sentence}".rstrip(".")) from None
    return step


def read_plan_file(path: Path) -> Plan:
    """The plan in a text file, with the file's name as its title.

    Raises
    ------
    InputError : there is no such file, it is not text, or as `read_plan`.
    """
    try:
        with path.open("rb") as opened:
            held = opened.read(MOST_BYTES + 1)
        if len(held) > MOST_BYTES:
            raise InputError(f"--plan must be a text of at most {MOST_BYTES // 2**10} KB", value=path.name)
        return read_plan(held.decode("utf-8-sig"), path.name)
    except OSError as error:
        raise InputError("--plan must be a file that can be read", value=str(path)) from error
    except UnicodeDecodeError as error:
        remedy = "Save it as UTF-8"
        raise InputError("--plan must be a text file", value=path.name, remedy=remedy) from error


_BOB = "?page=track&v=3&track=bob&landmarks=0.2.4.7&correlation=none"
"""Bob's day with his landmarks, for an attacker who knows nothing of how places follow each other."""

_TEXTS = {
    "90 minutes": f"""
        say Join on your phone. Toss two coins by hand. Heads: tell the truth. Tails: toss again, Yes for heads, No for tails.
        response Have you ever looked at someone else's phone without asking?
        say Nobody has a true answer, not even the server; and still we know something about the whole class.
        poll noise/told
        say ε bounds the factor by which odds change, whatever was known before.
        page {_BOB}&scheme=event Page "Track": Bob's day, scheme "Event level".
        poll moments/neighbours
        say A notion of privacy is a notion of neighbours.
        say Blackboard: the Definition, the Theorem, its proof in two lines.
        poll moments/share
        poll moments/overspent
        page {_BOB}&scheme=uniform Page "Track": scheme "Uniform". The landmarks and any one other timestamp spend at most ε.
        poll moments/silence
        page {_BOB}&scheme=skip Page "Track": scheme "Skip". The Theorem hides where he was, not which moments matter.
        poll correlation/memory
        poll correlation/four
        page {_BOB}&scheme=uniform Page "Track": "Correlation" from "None" to "Strong": each place reveals others.
        guess city
        guess city
        guess week
        say A guarantee holds against anyone. An error is for one adversary.
        duel 4
        say Ask about every promise: which neighbours, which sum, which assumption?
    """,
    "45 minutes": """
        say Join on your phone. Toss two coins by hand. Heads: tell the truth. Tails: toss again, Yes for heads, No for tails.
        poll start/coin
        poll start/odds
        poll start/noise
        poll start/sum
        poll start/neighbours
        poll start/landmarks
        poll start/nights
        poll start/distance
        poll start/post
        poll start/memory
        poll start/trust
        poll start/choice
        poll start/meaning
    """,
    "30 minutes": """
        say Join on your phone. A city has the tracks of 1,000 people. May it publish them, and what goes into the file?
        poll law/homes
        poll law/key
        poll law/linked
        poll law/zeros
        council
        poll law/file
        say Limits first, then numbers, then a decision, which somebody signs.
    """,
}


@cached("everybody")
def plans() -> tuple[Plan, ...]:
    """The one-lesson plans of the teacher's guide.

    Examples
    --------
    >>> [(plan.title, len(plan.steps)) for plan in plans()]
    [('90 minutes', 23), ('45 minutes', 14), ('30 minutes', 8)]
    """
    return tuple(read_plan(text, title) for title, text in _TEXTS.items())


def polls(plan: Plan) -> list[str]:
    """The names of the questions in a plan, in order."""
    return [str(step.settings["name"]) for step in plan.steps if step.kind == "poll"]


def plan_of(title: Any, known: tuple[Plan, ...]) -> Plan:
    """The plan with this title among those offered. Raises `InputError`."""
    titles = [plan.title for plan in known]
    return known[titles.index(one_of(title, "the title of a plan", titles))]
