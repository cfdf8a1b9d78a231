"""A duel: one half of a class spreads epsilon over Bob's day, the other half guesses where he was from what is released.

First comes the game: spreads, guesses and releases. Then what phones and board say about it. The numbers are in `days`.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from lmdk_widgets.budgets import allocate
from lmdk_widgets.budgets.schemes import SCHEMES
from lmdk_widgets.checks import number, refused, whole
from lmdk_widgets.course.classroom.activity import Deeds, Plain, known
from lmdk_widgets.course.classroom.days import (
    DRAWS,
    RADIUS_M,
    Best,
    Errors,
    attacked,
    best_plans,
    drawn_days,
    errors,
    frontier,
    released,
    spent,
    town,
)
from lmdk_widgets.course.classroom.guess import map_of
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.inference import best_guesses
from lmdk_widgets.names import FixedSchemeName
from lmdk_widgets.page.amounts import amount, metres
from lmdk_widgets.page.amounts import whole as in_digits
from lmdk_widgets.page.blocks import Table
from lmdk_widgets.page.sentences import sentence

SPREADS, GUESSES = 0, 1
"""The two sides."""

PARTS = 20
"""The number of parts in which epsilon is spread."""

EPSILON_RANGE = (0.5, 20.0)
USUAL = 4.0
MOST_SCORED = 500
"""The most different spreads whose errors are computed and drawn."""
MOST_RELEASED = 50
"""The most spreads that are released: in a larger class, some phones get the same release."""
BESIDE: tuple[FixedSchemeName, ...] = ("uniform", "weighted", "skip")
"""Schemes that are drawn with the class's spreads."""


EDGE_M = 150.0
"""How far inside the edge of the map a report beyond it is drawn."""


class Deal(NamedTuple):
    """A release: points (n, 2), nan where nothing was measured, the attacker's beliefs (n, m), and the guesses."""

    outputs: Floats
    belief: Floats
    guesses: list[int]


@dataclass(frozen=True)
class Duel(Plain):
    """One of Bob's days with its landmarks, and an epsilon to spread over it.

    Attributes
    ----------
    epsilon : what the landmarks and any one other timestamp may spend together within 200 m, 0.5 to 20.
    day : the cell of each timestamp. seed : of the noise of all releases.

    Raises
    ------
    InputError : epsilon is out of range, or the day is not one.

    Notes
    -----
    Guarantee: a spread satisfies landmark privacy with epsilon, by the Theorem, as no sum of its budgets over the landmarks
    and one other timestamp exceeds epsilon; noise is planar Laplace and independent.
    """

    epsilon: float
    day: tuple[int, ...]
    seed: int

    kind: ClassVar[str] = "duel"
    changeable: ClassVar[bool] = True
    outcome: ClassVar[bool] = True
    sides: ClassVar[tuple[str, ...]] = ("open", "closed")
    deeds: ClassVar[Deeds] = {
        "open": (("close", "Release"),),
        "closed": (("show", "Show the outcome"),),
        "shown": (),
    }
    states: ClassVar[Mapping[str, str]] = {
        "open": "one half spreads ε",
        "closed": "the other half guesses",
        "shown": "the outcome is shown",
    }

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", number(self.epsilon, "epsilon", *EPSILON_RANGE))
        n, m = len(town().labels), len(town().scene.area)
        if not isinstance(self.day, tuple) or len(self.day) != n:
            raise refused("day", f"{n} cells", len(self.day) if isinstance(self.day, tuple) else None)
        object.__setattr__(self, "day", tuple(whole(cell, "a cell", least=0, most=m - 1) for cell in self.day))
        whole(self.seed, "seed", least=0)

    @classmethod
    def put(cls, settings: Mapping[str, Any]) -> Duel:
        """The duel with a teacher's settings, which may include epsilon; the day is drawn at random."""
        known(settings, ("epsilon",))
        seed = secrets.randbits(48)
        day = drawn_days(1, np.random.default_rng([seed, 0]))[0]
        return cls(settings.get("epsilon", USUAL), tuple(day.tolist()), seed)

    @staticmethod
    def offers() -> dict[str, Any]:
        """What a teacher can choose: epsilon."""
        return {"epsilon": [*EPSILON_RANGE, USUAL]}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Duel:
        """The duel that `to_dict` wrote."""
        return cls(values["epsilon"], tuple(values["day"]), values["seed"])

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"epsilon": self.epsilon, "day": list(self.day), "seed": self.seed}

    @property
    def text(self) -> str:
        """What it is about."""
        return sentence(
            "Who hides Bob's landmarks with ε = {epsilon}, and who finds him?", epsilon=amount(self.epsilon)
        )

    def prepare(self) -> None:
        """Compute the best plans, with which every class is compared."""
        _ = self.best

    @cached_property
    def best(self) -> tuple[list[Best], Best | None, str]:
        """Best plans, and the one with the class's budget; a sentence if their library is not installed."""
        try:
            line, same = best_plans(self.epsilon)
        except InputError as error:
            return [], None, error.sentence
        return line, same, ""

    def budgets(self, spread: Sequence[int]) -> tuple[float, ...]:
        """The budgets (n,) of a spread in parts."""
        return tuple(part * self.epsilon / PARTS for part in spread)

    def read(self, given: Any) -> list[int]:
        """A spread, parts of epsilon for each timestamp, or a guess, a cell for each landmark."""
        found = town()
        n, marks = len(found.labels), len(found.landmarks)
        if not isinstance(given, list) or len(given) not in (n, marks):
            raise InputError(f"An answer must be {n} parts of ε, or {marks} cells")
        if len(given) == marks:
            return [whole(cell, "a cell", least=0, most=len(found.scene.area) - 1) for cell in given]
        spread = [whole(part, "a part", least=0, most=PARTS) for part in given]
        if spent(spread) > PARTS:
            most = sentence(
                "The landmarks and any one other timestamp may spend at most {epsilon} together",
                epsilon=amount(self.epsilon),
            )
            raise InputError(most, value=amount(spent(self.budgets(spread))))
        return spread

    def side_of(self, answer: Any) -> int:
        """The half of the class to which an answer belongs."""
        return SPREADS if len(answer) == len(self.day) else GUESSES

    @cached_property
    def _deals(self) -> list[Deal]:
        return []

    @cached_property
    def _scored(self) -> dict[tuple[int, ...], Errors]:
        return {}

    def settle(self, answers: Mapping[str, Any]) -> None:
        """Release what was spread, and compute what each spread is worth."""
        spreads = [tuple(answers[one]) for one in sorted(answers) if self.side_of(answers[one]) == SPREADS]
        for spread in [*dict.fromkeys(spreads)][:MOST_SCORED]:
            if spread not in self._scored:
                self._scored[spread] = errors(self.budgets(spread))
        if not self._deals:
            budgets = [self.budgets(spread) for spread in spreads[:MOST_RELEASED]] or [self._even()]
            self._deals.extend(self._deal(k, each) for k, each in enumerate(budgets, start=1))

    def _even(self) -> tuple[float, ...]:
        """The spread of Uniform, which is released if nobody has spread anything."""
        return tuple(allocate("uniform", len(self.day), town().landmarks, self.epsilon).tolist())

    def _deal(self, k: int, budgets: Sequence[float]) -> Deal:
        release = released(self.day, np.array(budgets), np.random.default_rng([self.seed, k]))
        belief = attacked(release)
        return Deal(release.outputs, belief, best_guesses(belief, town().distances).tolist())

    def dealt(self, student: str, side: int, answer: Any, shown: bool) -> dict[str, Any]:
        """A guesser's release with the exact posterior as a hint; at the end, how each side did."""
        if not self._deals:
            return {}
        if side == SPREADS:
            return {"words": _spread_said(self, answer)} if shown else {}
        digest = hashlib.sha256(student.encode()).digest()
        deal = self._deals[int.from_bytes(digest[:8], "big") % len(self._deals)]
        marks = list(town().landmarks)
        found: dict[str, Any] = {
            "reports": _reports(self, deal),
            "belief": [(row / row.max()).round(3).tolist() for row in deal.belief[marks]],
        }
        if shown:
            theirs = [deal.guesses[k] for k in marks]
            truth = [self.day[k] for k in marks]
            found |= {"truth": truth, "adversary": theirs, "words": _guess_said(self, answer, theirs)}
        return found

    def off(self, guess: Sequence[int]) -> float:
        """How far off a guess of the landmarks' cells is on average, metres."""
        truth = [self.day[k] for k in town().landmarks]
        return float(town().distances[list(guess), truth].mean())

    def told(self, answer: Any) -> dict[str, Any]:
        """Nothing: what is said follows from what was dealt."""
        return {}

    def asked(self, times: int) -> dict[str, Any]:
        """What a phone of either side receives; not where Bob was."""
        found = town()
        return {
            "kind": self.kind,
            "text": self.text,
            "epsilon": self.epsilon,
            "parts": PARTS,
            "radius_m": RADIUS_M,
            "labels": list(found.labels),
            "landmarks": list(found.landmarks),
            "before": [_spreading(self), _guessing(self)],
            "map": map_of(found.scene),
        }

    def board(self, answers: Sequence[Any], shown: bool) -> dict[str, Any]:
        """How many have spread and guessed; when shown, the class's spreads and the best plan."""
        spreads = [tuple(one) for one in answers if self.side_of(one) == SPREADS]
        guesses = [one for one in answers if self.side_of(one) == GUESSES]
        counted = f"{_counted(len(spreads), 'spread')}, {_counted(len(guesses), 'guess')}"
        if not shown:
            return {"summary": f"{counted} so far.", "map": map_of(town().scene), "notes": _rules(self)}
        return {"summary": _summary(self, counted, guesses), **_outcome(self, spreads)}


def _counted(n: int, what: str) -> str:
    if n == 1:
        return f"one {what}"
    return f"{n:,} {what}{'es' if what == 'guess' else 's'}"


def _line() -> str:
    """The timestamps with their landmarks, as in `scenes.bobs_day`."""
    found = town()
    named = ", ".join(label for k, label in enumerate(found.labels) if k in found.landmarks)
    return f"Bob's day has {len(found.labels)} timestamps; {named} are his landmarks (★)."


def _spreading(duel: Duel) -> list[str]:
    return [
        sentence(
            "You spread ε = {epsilon}. {line} The landmarks and any one other timestamp may spend ε together.",
            epsilon=amount(duel.epsilon),
            line=_line(),
        ),
        sentence(
            "A timestamp that gets b is reported {twice_radius}/b off on average, one that gets 0 is not reported. "
            "Help a reader find Bob at all timestamps, but keep an attacker from finding him at his landmarks.",
            twice_radius=metres(2 * RADIUS_M),
        ),
    ]


def _guessing(duel: Duel) -> list[str]:
    return [
        f"You guess. {_line()} The other half of the class is now spreading ε over it; then you will see what is released, "
        "and say where Bob was at his landmarks.",
        "The stronger the blue of a cell, the likelier he is there at any time. From one timestamp to the next he stays in "
        "his cell half of the time; otherwise he goes to another, most likely a near and busy one.",
    ]


def _rules(duel: Duel) -> list[str]:
    return [
        sentence(
            "{line} One half of the phones spreads ε = {epsilon} over them, counted within {radius}: the landmarks "
            "and any one other timestamp spend at most ε together.",
            line=_line(),
            epsilon=amount(duel.epsilon),
            radius=metres(RADIUS_M),
        ),
        "Then everything is released, and the other half guesses where Bob was at his landmarks. The day is drawn at random, "
        "from what is public: the shades of the cells, and how he moves.",
    ]


def _reports(duel: Duel, deal: Deal) -> list[list[Any]]:
    """The points of a release, metres, each with its label; one beyond the map is drawn at its edge and marked so."""
    found = town()
    west, south, east, north = map_of(found.scene)["extent"]
    low, high = np.array([west, south]) + EDGE_M, np.array([east, north]) - EDGE_M
    kept = []
    for label, point in zip(found.labels, deal.outputs, strict=True):
        if np.isfinite(point).all():
            at = np.clip(point, low, high)
            kept.append([label, *at.round(1).tolist(), bool((at != point).any())])
    return kept


def _spread_said(duel: Duel, answer: Any) -> str:
    if answer is None:
        return "You sent no spread."
    if tuple(answer) not in duel._scored:
        return "So many took part that your spread is not drawn."
    mine = duel._scored[tuple(answer)]
    better = sum(one.reader < mine.reader and one.attacker > mine.attacker for one in duel._scored.values())
    others = f"{_counted(better, 'other spread')} {'is' if better == 1 else 'are'}" if better else "no other spread is"
    return sentence(
        "With your spread, a reader is {reader_error} off on average, and the exact attacker {attacker_error} at "
        "the landmarks: {others} better in both.",
        reader_error=metres(mine.reader),
        attacker_error=metres(mine.attacker),
        others=others,
    )


def _guess_said(duel: Duel, answer: Any, theirs: Sequence[int]) -> str:
    exact = sentence(
        "the exact attacker was {exact_error} off with the same release", exact_error=metres(duel.off(theirs))
    )
    if answer is None:
        return f"You sent no guess; {exact}."
    return sentence(
        "Your guesses are {guess_error} off on average; {exact}. Luck plays a part this time.",
        guess_error=metres(duel.off(answer)),
        exact=exact,
    )


def _summary(duel: Duel, counted: str, guesses: Sequence[Any]) -> str:
    marks = town().landmarks
    exact = [duel.off([deal.guesses[k] for k in marks]) for deal in duel._deals]
    theirs = (
        sentence("the exact attacker is {exact_error} off on average", exact_error=metres(float(np.mean(exact))))
        if exact
        else ""
    )
    head = f"{counted[:1].upper()}{counted[1:]}."
    if not guesses:
        return f"{head} At the landmarks, {theirs}." if theirs else head
    mine = float(np.mean([duel.off(guess) for guess in guesses]))
    return sentence(
        "{head} At the landmarks, the guesses are {guess_error} off on average; with the same releases, {theirs}.",
        head=head,
        guess_error=metres(mine),
        theirs=theirs,
    )


def _outcome(duel: Duel, spreads: Sequence[tuple[int, ...]]) -> dict[str, Any]:
    line, same, _ = duel.best
    drawn = [spread for spread in dict.fromkeys(spreads) if spread in duel._scored]
    found = [duel._scored[spread] for spread in drawn]
    kept = frontier(found)
    beside = {SCHEMES[name].title: errors(tuple(_of(duel, name))) for name in BESIDE}
    left_out = len(set(spreads)) - len(drawn)
    return {
        "chart": {
            "class": [_point(one) for one in found],
            "frontier": [_point(found[k]) for k in kept],
            "best": [_point(one.errors) for one in line],
            "marks": [
                *([["Best plan", *_point(same.errors)]] if same else []),
                *([title, *_point(one)] for title, one in beside.items()),
            ],
        },
        "table": _table([(drawn[k], found[k]) for k in kept], duel, beside),
        "notes": _notes(duel, [*found, *beside.values(), *(one.errors for one in line)], left_out),
    }


def _of(duel: Duel, scheme: FixedSchemeName) -> list[float]:
    budgets: list[float] = allocate(scheme, len(duel.day), town().landmarks, duel.epsilon).tolist()
    return budgets


def _point(one: Errors) -> list[float]:
    return [round(one.reader, 1), round(one.attacker, 1)]


MOST_ROWS = 5
"""The most spreads of the class's frontier that the table lists."""


def _table(kept: Sequence[tuple[tuple[int, ...], Errors]], duel: Duel, beside: Mapping[str, Errors]) -> dict[str, Any]:
    labels, last = town().labels, len(kept) - 1
    few = kept if len(kept) <= MOST_ROWS else [kept[round(k * last / (MOST_ROWS - 1))] for k in range(MOST_ROWS)]
    found = {"class: " + " ".join(map(amount, duel.budgets(spread))): one for spread, one in few}
    found |= beside
    if same := duel.best[1]:
        found[sentence("best plan for a loss of {loss}", loss=amount(same.loss))] = same.errors
    rows = [[title, metres(one.reader), metres(one.attacker)] for title, one in found.items()]
    return Table.of_texts(
        "The class's frontier",
        (f"budgets of {labels[0]} to {labels[-1]}", "reader off by", "attacker off by"),
        rows,
    ).message()


def _notes(duel: Duel, shown: Sequence[Errors], left_out: int) -> list[str]:
    _, same, lacking = duel.best
    notes = [
        sentence(
            "Each spread is judged on the same {draws} days, drawn as this one was: by the error at all timestamps "
            "of a reader, who knows how people in general move, and by the error at the landmarks of an attacker, "
            "who knows how Bob moves. Standard errors are at most {most_standard_error}.",
            draws=in_digits(DRAWS),
            most_standard_error=metres(max(one.uncertain for one in shown)),
        )
    ]
    if same:
        notes.append(
            sentence(
                "The dashed line is the best plan: the least noise with which no timestamp loses more than a certain ε "
                "through all releases, for several such losses. It protects all timestamps equally. In the marked plan, "
                "the landmarks and one other timestamp spend ε = {epsilon}, as in the class, and no timestamp loses more "
                "than {loss}.",
                epsilon=amount(duel.epsilon),
                loss=amount(same.loss),
            )
        )
    more = sentence("{left_out} more spreads are not drawn.", left_out=in_digits(left_out)) if left_out else ""
    return [*notes, *filter(None, (lacking, more))]
