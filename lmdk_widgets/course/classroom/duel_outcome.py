"""What a board shows when a duel is over: the class's spreads beside schemes, as a chart, a table and notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from lmdk_widgets.budgets import allocate
from lmdk_widgets.budgets.schemes import SCHEMES
from lmdk_widgets.course.classroom.days import DRAWS, MARKS, LossPlan, Worth, all_sets, frontier, loss_plan, town, worth
from lmdk_widgets.errors import InputError
from lmdk_widgets.names import FixedSchemeName
from lmdk_widgets.page.amounts import amount, count, metres, whole
from lmdk_widgets.page.blocks import Table
from lmdk_widgets.page.sentences import sentence

BESIDE: tuple[FixedSchemeName, ...] = ("uniform", "weighted", "skip")
"""Schemes that are drawn with the class's spreads."""

MOST_ROWS = 5
"""The most spreads of the class's frontier that the table lists."""

LOSS_PLAN, NOTHING = "Total loss", "Nothing"
"""What the marks of the plan for a total loss, and of no release at all, are called."""

Spread = tuple[float, ...]


class Rivals(NamedTuple):
    """What a class is compared with: marks by name, the plan for a total loss, and what is lacking for it, as a sentence."""

    marks: Mapping[str, Worth]
    plan: LossPlan | None
    lacking: str


def rivals(epsilon: float, landmarks: tuple[int, ...]) -> Rivals:
    """The schemes, the plan for a total loss if its library is there, and no release, each with its worth."""
    n = len(town().labels)
    valued = partial(worth, landmarks=landmarks, epsilon=epsilon)
    marks = {SCHEMES[name].title: valued(tuple(allocate(name, n, landmarks, epsilon).tolist())) for name in BESIDE} | {
        NOTHING: valued((0.0,) * n)
    }
    try:
        plan = loss_plan(epsilon, landmarks)
    except InputError as error:
        return Rivals(marks, None, error.sentence)
    return Rivals(marks | {LOSS_PLAN: valued(plan.budgets)}, plan, "")


def outcome(
    beside: Rivals, spreads: Mapping[Spread, Worth], empty: int, left_out: int, epsilon: float
) -> dict[str, Any]:
    """The chart, the table and the notes.

    Parameters
    ----------
    spreads : different budgets of the class that release something. empty : how many phones released nothing.
    left_out : how many more spreads there are.
    """
    found = list(spreads.values())
    kept = frontier(found)
    rows = [(budgets, spreads[budgets]) for budgets in (list(spreads)[k] for k in kept)]
    return {
        "chart": {
            "class": [_point(one) for one in found],
            "frontier": [_point(found[k]) for k in kept],
            "marks": [[name, *_point(one)] for name, one in beside.marks.items() if name != NOTHING],
            "nothing": [NOTHING, *_point(beside.marks[NOTHING])],
            "of": MARKS,
        },
        "table": _table(rows, beside),
        "notes": _notes(beside, found, empty, left_out, epsilon),
    }


def _point(one: Worth) -> list[float]:
    """Where a spread is drawn: how far off a reader is, metres, and how many landmarks the attacker does not find."""
    return [round(one.reader, 1), round(MARKS - one.found, 3)]


def of_all(found: float) -> str:
    """A number of landmarks, of all."""
    return sentence("{found} of {landmarks}", found=amount(round(found, 2)), landmarks=whole(MARKS))


def _table(kept: Sequence[tuple[Spread, Worth]], beside: Rivals) -> dict[str, Any]:
    labels, last = town().labels, len(kept) - 1
    few = kept if len(kept) <= MOST_ROWS else [kept[round(k * last / (MOST_ROWS - 1))] for k in range(MOST_ROWS)]
    found = {"class: " + " ".join(map(amount, budgets)): one for budgets, one in few} | dict(beside.marks)
    sets = whole(len(all_sets()))
    rows = [
        [
            title,
            metres(one.reader),
            of_all(one.found),
            sentence("{fitting} of {sets}", fitting=whole(one.fitting), sets=sets),
        ]
        for title, one in found.items()
    ]
    return Table.of_texts(
        "The class's frontier",
        (f"budgets of {labels[0]} to {labels[-1]}", "reader off by", "landmarks found", "sets that fit"),
        rows,
    ).message()


def _notes(beside: Rivals, found: Sequence[Worth], empty: int, left_out: int, epsilon: float) -> list[str]:
    shown = [*found, *beside.marks.values()]
    return [
        sentence(
            "Each spread is judged on the same {draws} days, drawn as this one was: by the error at all timestamps, "
            "landmarks too, of a reader, who knows how people in general move, and by the landmarks found by the exact "
            "attacker, who knows how Bob moves, but not which timestamps are landmarks. One is found if it is named and "
            "its cell is right. Standard errors are at most {reader_error} and {found_error}.",
            draws=whole(DRAWS),
            reader_error=metres(max(one.reader_error for one in shown)),
            found_error=amount(max(one.found_error for one in shown)),
        ),
        sentence(
            "The budgets are public, and so is ε. Sets that fit: of {sets} sets of {landmarks} timestamps, those with which "
            "the budgets keep ε. The attacker thinks them equally likely. If one is left, the budgets name the landmarks.",
            sets=whole(len(all_sets())),
            landmarks=whole(MARKS),
        ),
        _compared(beside.marks),
        *([_of_plan(beside.plan, epsilon)] if beside.plan else []),
        *([_empty(empty, beside.marks[NOTHING])] if empty else []),
        *filter(None, (beside.lacking, _left_out(left_out))),
    ]


def _compared(marks: Mapping[str, Worth]) -> str:
    even, skip = (marks[SCHEMES[name].title] for name in ("uniform", "skip"))
    return sentence(
        "Skip releases nothing at landmarks. A reader is then {skip_reader} off, {than} with Uniform ({even_reader}), and "
        "the attacker, to whom the silence names them, finds {skip_found}; with Uniform, {even_found}.",
        skip_reader=metres(skip.reader),
        than="more than" if skip.reader > even.reader else "less than",
        even_reader=metres(even.reader),
        skip_found=of_all(skip.found),
        even_found=of_all(even.found),
    )


def _of_plan(plan: LossPlan, epsilon: float) -> str:
    return sentence(
        "“{name}” is the least noise with which no timestamp, landmark or not, loses more than {loss} through all releases "
        "together; its landmarks and one other timestamp spend ε = {epsilon}, as in the class. "
        "It is best at that, which neither axis shows.",
        name=LOSS_PLAN,
        loss=amount(plan.loss),
        epsilon=amount(epsilon),
    )


def _empty(empty: int, nothing: Worth) -> str:
    return sentence(
        "Of the class, {spreads} released nothing: that hides Bob, but a reader is {reader_error} off, as without a release. "
        "“{name}” is useless, so it is not on the frontier.",
        spreads=count(empty, "phone"),
        reader_error=metres(nothing.reader),
        name=NOTHING,
    )


def _left_out(left_out: int) -> str:
    return sentence("{left_out} more spreads are not drawn.", left_out=whole(left_out)) if left_out else ""
