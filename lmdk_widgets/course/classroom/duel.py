"""A duel: one half of a class spreads epsilon over Bob's day, the other half finds his landmarks in what is released.

First comes the game: spreads, guesses and releases. Then what phones say about it. The numbers are in `days`, what the board
shows in the end in `duel_outcome`.
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
from lmdk_widgets.checks import number, refused, whole
from lmdk_widgets.course.classroom.activity import Deeds, Plain, known
from lmdk_widgets.course.classroom.days import (
    DRAWS,
    MARKS,
    RADIUS_M,
    Worth,
    attacked,
    drawn_days,
    drawn_landmarks,
    released,
    shares_named,
    spent,
    suspected,
    town,
    worth,
)
from lmdk_widgets.course.classroom.duel_outcome import NOTHING, Rivals, of_all, outcome, rivals
from lmdk_widgets.course.classroom.guess import map_of
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats
from lmdk_widgets.noise import PlanarLaplace
from lmdk_widgets.page.amounts import amount, metres, percent
from lmdk_widgets.page.amounts import whole as in_digits
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
EDGE_M = 150.0
"""How far inside the edge of the map a report beyond it is drawn."""


class Deal(NamedTuple):
    """A release: budgets (n,); points (n, 2), nan where nothing was measured; the attacker's beliefs (n, m), the chance (n,)
    of each timestamp to be a landmark, and the attacker's guess, four pairs of a timestamp and a cell."""

    budgets: tuple[float, ...]
    outputs: Floats
    belief: Floats
    chances: Floats
    guess: list[list[int]]


@dataclass(frozen=True)
class Duel(Plain):
    """One of Bob's days with its landmarks, and an epsilon to spread over it.

    Attributes
    ----------
    epsilon : what the landmarks and any one other timestamp may spend together within 200 m, 0.5 to 20.
    day : the cell of each timestamp. landmarks : four timestamps, in order. seed : of the noise of all releases.

    Raises
    ------
    InputError : epsilon is out of range, or the day or the landmarks are not any.

    Notes
    -----
    Guarantee: a spread satisfies landmark privacy with epsilon, by the Theorem, as no sum of its budgets over the landmarks
    and one other timestamp exceeds epsilon; noise is planar Laplace and independent. The Theorem does not hide which
    timestamps are landmarks: what budgets tell of that is part of the game.
    """

    epsilon: float
    day: tuple[int, ...]
    landmarks: tuple[int, ...]
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
        for name, length in (("day", n), ("landmarks", MARKS)):
            given = getattr(self, name)
            if not isinstance(given, tuple) or len(given) != length:
                raise refused(name, f"{length} of them", len(given) if isinstance(given, tuple) else None)
        object.__setattr__(self, "day", tuple(whole(cell, "a cell", least=0, most=m - 1) for cell in self.day))
        marks = tuple(whole(mark, "a landmark", least=0, most=n - 1) for mark in self.landmarks)
        if list(marks) != sorted(set(marks)):
            raise refused("landmarks", "different timestamps in order", marks)
        object.__setattr__(self, "landmarks", marks)
        whole(self.seed, "seed", least=0)

    @classmethod
    def put(cls, settings: Mapping[str, Any]) -> Duel:
        """The duel with a teacher's settings, which may include epsilon; day and landmarks are drawn at random."""
        known(settings, ("epsilon",))
        seed = secrets.randbits(48)
        rng = np.random.default_rng([seed, 0])
        day = tuple(drawn_days(1, rng)[0].tolist())
        return cls(settings.get("epsilon", USUAL), day, drawn_landmarks(rng), seed)

    @staticmethod
    def offers() -> dict[str, Any]:
        """What a teacher can choose: epsilon."""
        return {"epsilon": [*EPSILON_RANGE, USUAL]}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Duel:
        """The duel that `to_dict` wrote."""
        return cls(values["epsilon"], tuple(values["day"]), tuple(values["landmarks"]), values["seed"])

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "epsilon": self.epsilon,
            "day": list(self.day),
            "landmarks": list(self.landmarks),
            "seed": self.seed,
        }

    @property
    def text(self) -> str:
        """What it is about."""
        return sentence(
            "Who hides Bob's landmarks with ε = {epsilon}, and who finds him?", epsilon=amount(self.epsilon)
        )

    def prepare(self) -> None:
        """Compute what every class is compared with."""
        _ = self.rivals

    @cached_property
    def rivals(self) -> Rivals:
        """What the class is compared with."""
        return rivals(self.epsilon, self.landmarks)

    def budgets(self, spread: Sequence[int]) -> tuple[float, ...]:
        """The budgets (n,) of a spread in parts."""
        return tuple(part * self.epsilon / PARTS for part in spread)

    def read(self, given: Any) -> list[Any]:
        """A spread, parts of epsilon for each timestamp, or a guess: four pairs of a timestamp and a cell, in order."""
        n, m = len(self.day), len(town().scene.area)
        if not isinstance(given, list) or len(given) not in (n, MARKS):
            raise InputError(f"An answer must be {n} parts of ε, or {MARKS} timestamps with a cell each")
        if len(given) == MARKS:
            if not all(isinstance(pair, list) and len(pair) == 2 for pair in given):
                raise InputError("A guess must be pairs of a timestamp and a cell")
            pairs = sorted(
                [whole(at, "a timestamp", least=0, most=n - 1), whole(cell, "a cell", least=0, most=m - 1)]
                for at, cell in given
            )
            if len({at for at, _ in pairs}) < MARKS:
                raise InputError(f"A guess must name {MARKS} different timestamps")
            return pairs
        spread = [whole(part, "a part", least=0, most=PARTS) for part in given]
        if spent(spread, self.landmarks) > PARTS:
            most = sentence(
                "The landmarks and any one other timestamp may spend at most {epsilon} together",
                epsilon=amount(self.epsilon),
            )
            raise InputError(most, value=amount(spent(self.budgets(spread), self.landmarks)))
        return spread

    def side_of(self, answer: Any) -> int:
        """The half of the class to which an answer belongs."""
        return SPREADS if len(answer) == len(self.day) else GUESSES

    @cached_property
    def _deals(self) -> list[Deal]:
        return []

    @cached_property
    def _scored(self) -> dict[tuple[int, ...], Worth]:
        return {}

    def worth(self, budgets: tuple[float, ...]) -> Worth:
        """What budgets are worth on many such days."""
        return worth(budgets, self.landmarks, self.epsilon)

    def settle(self, answers: Mapping[str, Any]) -> None:
        """Release what was spread, and compute what each spread is worth; one without any budget releases nothing."""
        spreads = [tuple(answers[one]) for one in sorted(answers) if self.side_of(answers[one]) == SPREADS]
        spreads = [spread for spread in spreads if any(spread)]
        for spread in [*dict.fromkeys(spreads)][:MOST_SCORED]:
            if spread not in self._scored:
                self._scored[spread] = self.worth(self.budgets(spread))
        if not self._deals:
            budgets = [self.budgets(spread) for spread in spreads[:MOST_RELEASED]] or [self._even()]
            self._deals.extend(self._deal(k, each) for k, each in enumerate(budgets, start=1))

    def _even(self) -> tuple[float, ...]:
        """The spread of Uniform, which is released if nobody has spread anything."""
        return tuple(allocate("uniform", len(self.day), self.landmarks, self.epsilon).tolist())

    def _deal(self, k: int, budgets: tuple[float, ...]) -> Deal:
        rng = np.random.default_rng([self.seed, k])
        release = released(self.day, np.array(budgets), self.landmarks, rng)
        belief = attacked(release)
        chances = suspected(budgets, self.epsilon).chances
        shares = shares_named(chances * belief.max(axis=1))
        order = np.lexsort((rng.random(len(shares)), -shares))  # equal ones by lot
        cells = belief.argmax(axis=1)
        guess = sorted([int(at), int(cells[at])] for at in order[:MARKS])
        return Deal(budgets, release.outputs, belief, chances, guess)

    def dealt(self, student: str, side: int, answer: Any, shown: bool) -> dict[str, Any]:
        """For who spreads, the landmarks; for who guesses, a release, with the exact chances as a hint; then how they did."""
        if side == SPREADS:
            told: dict[str, Any] = {"landmarks": list(self.landmarks), "named": _named(self)}
            return told | ({"words": _spread_said(self, answer)} if shown else {})
        if not self._deals:
            return {}
        digest = hashlib.sha256(student.encode()).digest()
        deal = self._deals[int.from_bytes(digest[:8], "big") % len(self._deals)]
        found: dict[str, Any] = {
            "reports": _reports(self, deal),
            "noise": [_noise(budget) for budget in deal.budgets],
            "chances": [percent(chance) for chance in deal.chances.tolist()],
            "belief": [(row / row.max()).round(3).tolist() for row in deal.belief],
        }
        if shown:
            found |= {
                "truth": list(self.day),
                "landmarks": list(self.landmarks),
                "adversary": deal.guess,
                "words": _guess_said(self, answer, deal),
            }
        return found

    def found(self, guess: Sequence[Sequence[int]]) -> int:
        """How many landmarks a guess finds: names, and puts into the right cell."""
        return sum(at in self.landmarks and self.day[at] == cell for at, cell in guess)

    def told(self, answer: Any) -> dict[str, Any]:
        """Nothing: what is said follows from what was dealt."""
        return {}

    def asked(self, times: int) -> dict[str, Any]:
        """What a phone of either side receives; neither where Bob was nor which timestamps are landmarks."""
        found = town()
        return {
            "kind": self.kind,
            "text": self.text,
            "epsilon": self.epsilon,
            "parts": PARTS,
            "count": MARKS,
            "labels": list(found.labels),
            "before": [_spreading(self), _guessing()],
            "map": map_of(found.scene),
        }

    def board(self, answers: Sequence[Any], shown: bool) -> dict[str, Any]:
        """How many have spread and guessed; when shown, the class's spreads and what they are compared with."""
        spreads = [tuple(one) for one in answers if self.side_of(one) == SPREADS]
        guesses = [one for one in answers if self.side_of(one) == GUESSES]
        counted = f"{_counted(len(spreads), 'spread')}, {_counted(len(guesses), 'guess')}"
        if not shown:
            return {"summary": f"{counted} so far.", "map": map_of(town().scene), "notes": _rules(self)}
        full = dict.fromkeys(spread for spread in spreads if any(spread))
        drawn = {self.budgets(spread): self._scored[spread] for spread in full if spread in self._scored}
        empty = sum(not any(spread) for spread in spreads)
        shows = outcome(self.rivals, drawn, empty, len(full) - len(drawn), self.epsilon)
        return {"summary": _summary(self, counted, guesses), **shows}


def _counted(n: int, what: str) -> str:
    if n == 1:
        return f"one {what}"
    return f"{n:,} {what}{'es' if what == 'guess' else 's'}"


def _named(duel: Duel) -> str:
    """Which timestamps are landmarks."""
    *first, last = (town().labels[k] for k in duel.landmarks)
    return f"His landmarks are {', '.join(first)} and {last} (★)."


def _noise(budget: float) -> str:
    """How far off a report with that budget is on average."""
    return metres(PlanarLaplace(RADIUS_M).mean_displacement(budget)) if budget else "silent"


def _spreading(duel: Duel) -> list[str]:
    return [
        sentence(
            "You spread ε = {epsilon} over Bob's day. The landmarks and any one other timestamp may spend ε together. The "
            "other half sees how much each timestamp gets, but is not told which are landmarks.",
            epsilon=amount(duel.epsilon),
        ),
        sentence(
            "A timestamp that gets b is reported {twice_radius}/b off on average, one that gets 0 is not reported. "
            "Help a reader find Bob at all timestamps, but keep an attacker from finding his landmarks.",
            twice_radius=metres(2 * RADIUS_M),
        ),
    ]


def _guessing() -> list[str]:
    return [
        sentence(
            "You guess. Bob's day has {timestamps} timestamps, and {landmarks} of them are his landmarks. The other half of "
            "the class is now spreading ε over the day. You will see what is released, and say which timestamps are his "
            "landmarks, and where he was then.",
            timestamps=in_digits(len(town().labels)),
            landmarks=in_digits(MARKS),
        ),
        "The stronger the blue of a cell, the likelier he is there at any time. From one timestamp to the next he stays in "
        "his cell half of the time; otherwise he goes to another, most likely a near and busy one.",
    ]


def _rules(duel: Duel) -> list[str]:
    return [
        sentence(
            "Bob's day has {timestamps} timestamps; {landmarks} of them, drawn at random, are his landmarks. Half of the "
            "phones know them, and spread ε = {epsilon} over the day, counted within {radius}: the landmarks and any one "
            "other timestamp spend at most ε together.",
            timestamps=in_digits(len(duel.day)),
            landmarks=in_digits(MARKS),
            epsilon=amount(duel.epsilon),
            radius=metres(RADIUS_M),
        ),
        "Then everything is released, and the other half guesses which timestamps are landmarks, and where Bob was. The day "
        "is drawn at random, from what is public: the shades of the cells, and how he moves.",
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
    nothing = duel.rivals.marks[NOTHING]
    if not any(answer):
        return sentence(
            "You released nothing. A reader is {reader_error} off, as without you: that is of no use to anybody.",
            reader_error=metres(nothing.reader),
        )
    if tuple(answer) not in duel._scored:
        return "So many took part that your spread is not drawn."
    mine = duel._scored[tuple(answer)]
    better = sum(one.reader < mine.reader and one.found < mine.found for one in duel._scored.values())
    others = f"{_counted(better, 'other spread')} {'is' if better == 1 else 'are'}" if better else "no other spread is"
    return sentence(
        "With your spread, a reader is {reader_error} off on average ({no_release} without a release), and the exact "
        "attacker finds {found} landmarks: {others} better in both. This is your dot on the board, the average of {draws} "
        "days.",
        reader_error=metres(mine.reader),
        no_release=metres(nothing.reader),
        found=of_all(mine.found),
        others=others,
        draws=in_digits(DRAWS),
    )


def _guess_said(duel: Duel, answer: Any, deal: Deal) -> str:
    exact = sentence(
        "the exact attacker found {exact_found} in the same release. On {draws} such days it finds {average}: one day is "
        "also luck.",
        exact_found=in_digits(duel.found(deal.guess)),
        draws=in_digits(DRAWS),
        average=of_all(duel.worth(deal.budgets).found),
    )
    if answer is None:
        return f"You sent no guess; {exact}"
    return sentence(
        "You found {found} landmarks; {exact}",
        found=of_all(duel.found(answer)),
        exact=exact,
    )


def _summary(duel: Duel, counted: str, guesses: Sequence[Any]) -> str:
    head = f"{counted[:1].upper()}{counted[1:]}. {_named(duel)}"
    if not duel._deals:
        return head
    today = float(np.mean([duel.found(deal.guess) for deal in duel._deals]))
    average = float(np.mean([duel.worth(deal.budgets).found for deal in duel._deals]))
    mine = (
        sentence("the guesses find {found}, and ", found=of_all(float(np.mean([duel.found(one) for one in guesses]))))
        if guesses
        else ""
    )
    return sentence(
        "{head} On this day {guessed}the exact attacker finds {today} on average over the releases; on {draws} such days "
        "with the same spreads, {average}.",
        head=head,
        guessed=mine,
        today=of_all(today),
        draws=in_digits(DRAWS),
        average=of_all(average),
    )
