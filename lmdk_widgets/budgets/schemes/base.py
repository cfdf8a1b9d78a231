"""What a scheme is: how the budget is spread over the timestamps, and everything that is shown about it.

A scheme whose budgets are known in advance implements `allocate`; one that decides during the release also implements
`release`, `decisions` and `many`. The texts receive plain values: nothing here depends on a page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.budgets.request import Release, Request
from lmdk_widgets.budgets.sources import Draw, NoiseSource, Numbers, repeated
from lmdk_widgets.checks import Indices
from lmdk_widgets.geo import Floats

N, LANDMARKS = 6, (1, 4)
"""Length and landmarks of the series used to audit schemes."""

Lanes = NDArray[Any]
"""(n, k): k releases of n timestamps; real for series, complex for points."""

Sizes = float | Floats

LANDMARKS_AND = "series that differ at the landmarks and one other timestamp"


@dataclass(frozen=True)
class Pair:
    """Two neighbouring series, for the audit.

    Attributes
    ----------
    claim : how they differ, in words. where : timestamps at which the first is larger by 1.
    values : of the second. window : for schemes that have one. initial : what counts as published at first, for schemes
    that compare. tight : whether the scheme spends all its epsilon on the difference.
    """

    claim: str
    where: tuple[int, ...]
    values: tuple[float, ...] = (0.0,) * N
    window: int = 2
    initial: float | None = None
    tight: bool = True

    @property
    def truths(self) -> Floats:
        """(2, n) both series."""
        found = np.array([self.values, self.values])
        found[0, list(self.where)] += 1.0
        return found


@dataclass(frozen=True)
class Told:
    """What decides the wording of a scheme's sentence.

    Attributes
    ----------
    n, k : how many timestamps there are, and how many of them are protected as landmarks.
    alike : whether all budgets are written alike. landmarks_alike, others_alike : whether all budgets of the landmarks, or of
        the other timestamps, are equal. all_spent : whether the landmarks spend the whole budget, as it is written.
    noisy : whether the landmarks get noise.

    Notes
    -----
    A sentence is a template, in which these names stand for what the page knows: `n_timestamps` ("eight timestamps") and
    `all_timestamps` ("All eight timestamps", "Both timestamps"); `protected` ("four landmarks"); `epsilon`, the budget;
    `each_budget`, where all are alike; `lowest` and `highest`, of the budgets; `landmark_share`, what the landmarks spend
    together; `each_landmark`, what each of them spends; `added` and `most_added`, what another timestamp adds;
    `most_with_landmarks`, what the landmarks spend with any one other timestamp; `which_measured` ("3 of 8 timestamps were
    measured"); `least_error`, a clause about the budgets with the least error; `data` and `values`, the words for the data
    and their values: "track", "places".
    """

    n: int
    k: int
    alike: bool
    landmarks_alike: bool
    others_alike: bool
    all_spent: bool
    noisy: bool


@dataclass(frozen=True, eq=False, kw_only=True)
class Scheme:
    """How the budget is spread over the timestamps.

    Attributes
    ----------
    name : as used by programs, links and files. title : as shown on pages. meaning : one line, ending with a full stop.
    keeps : what stays within epsilon: the sums of the landmark "Theorem", those of any "window", or one "timestamp";
        the "loss" of each timestamp; or "nothing".
    given : what is spread: an "epsilon", a "target" loss, or "budgets" set by hand.
    searched : whether budgets for a target are found by a search, which takes a while.
    online : whether each budget depends on earlier releases. compares : whether it pays for private comparisons.
    by_outputs : for an online scheme: whether only outputs and coins decide, so that `spend` makes a private release.
    skips : whether a budget of 0 can leave a timestamp out. alike : whether a timestamp gets the same budget whether or
        not it is a landmark. grows : whether a timestamp of a longer track can get more than the largest budget here.
    shrinks : whether every budget decreases with the length of the track.
    options : of `release`, besides the window. choices : the page's controls that only this scheme uses.
    pairs : neighbouring series for the audit; none for a scheme without its own guarantee for epsilon.
    formula, formula_alone : the mean error of planar Laplace with landmarks and without any, "" if there is no formula.
    fails : the subject of the sentence that says that it does not protect the landmarks. warning : shown if landmarks
        are marked. colour, dash : of its line.
    """

    name: str
    title: str
    meaning: str
    keeps: Literal["Theorem", "window", "timestamp", "loss", "nothing"]
    pairs: tuple[Pair, ...]
    given: Literal["epsilon", "target", "budgets"] = "epsilon"
    searched: bool = False
    online: bool = False
    compares: bool = False
    by_outputs: bool = False
    skips: bool = False
    alike: bool = False
    grows: bool = True
    shrinks: bool = False
    options: frozenset[str] = frozenset()
    choices: tuple[str, ...] = ()
    formula: str = ""
    formula_alone: str = ""
    fails: str = ""
    warning: str = ""
    colour: str = "grey"
    dash: str = "longdash"

    @property
    def text(self) -> str:
        """Title and meaning, as shown in lists of schemes."""
        return f"{self.title}: {self.meaning}"

    @property
    def windowed(self) -> bool:
        """Whether it needs a window."""
        return self.keeps == "window"

    @property
    def plans(self) -> bool:
        """Whether its budgets follow from a target loss; a chain that hardly forgets allows none."""
        return self.given == "target"

    @property
    def by_hand(self) -> bool:
        """Whether its budgets are set one by one."""
        return self.given == "budgets"

    @property
    def fixed(self) -> bool:
        """Whether `allocate` knows its budgets from epsilon alone."""
        return self.given == "epsilon" and not self.online

    @property
    def spent(self) -> str:
        """The control that sets how much it spends: "target" or "epsilon"."""
        return "target" if self.plans else "epsilon"

    def allocate(self, n: int, landmarks: Indices, epsilon: float, window: int) -> Floats:
        """(n,) budgets in whole quanta; for a scheme that decides during the release, its initial budgets."""
        raise NotImplementedError(f"{self.name} does not compute budgets")

    def known(self, request: Request) -> Floats:
        """(n,) budgets of a scheme that does not use the data."""
        return self.allocate(len(request.source), request.landmarks, request.epsilon, request.window)

    def release(self, request: Request, rng: np.random.Generator) -> Release:
        """One release of a checked request."""
        budgets = self.known(request)
        return Release(request.source.draw(rng).outputs(budgets), budgets, budgets > 0, request.landmarks)

    def spend(
        self, draw: Draw, coins: Floats, landmarks: Indices, epsilon: float, increase: float, decrease: float
    ) -> Floats:
        """(n,) what one release spends, made timestamp by timestamp by `draw`; coins : (n,) in [0, 1)."""
        raise NotImplementedError(f"{self.name} does not decide from outputs alone")

    def caps(self, n: int, landmarks: Indices, epsilon: float) -> Floats:
        """(n,) the most that each timestamp can spend, whatever a scheme decides from outputs alone."""
        raise NotImplementedError(f"{self.name} does not decide from outputs alone")

    def decisions(self, rng: np.random.Generator, out: Floats) -> None:
        """Draw the random numbers, (n,), that one release uses for decisions; none for a scheme without decisions."""

    def many(
        self, request: Request, origin: NoiseSource, noise: Numbers, decisions: Floats, factor: float | Floats
    ) -> Numbers:
        """The current published outputs, (n, k), in k releases, with the noise times one factor, or a factor for each."""
        budgets = self.known(request)
        when = np.flatnonzero(budgets)
        fresh = noise[when] * (origin.size * factor / budgets[when, None]) + origin.true[when, None]
        return repeated(fresh, when, len(origin), None)

    def reserves(self, pair: Pair, epsilon: float, new: list[bool]) -> list[float]:
        """What each timestamp of a pair could spend on an output, given which outputs are new: for the audit."""
        return self.allocate(N, np.array(LANDMARKS, np.intp), epsilon, pair.window).tolist()

    def largest(self, epsilon: float, window: int, here: float) -> float:
        """The largest budget a timestamp can get in any draw on a track of any length; `here` is that on this track."""
        return epsilon if self.grows else here

    def compared(self, epsilon: float, window: int) -> float:
        """What each timestamp spends on comparing with the last release."""
        return epsilon / (2 * window) if self.compares else 0.0

    def mean_shares(self, counts: Floats, n: int) -> Floats | None:
        """The expected error for each count of landmarks, relative to that of the whole epsilon; None without a formula."""
        return None

    def formula_for(self, *, landmarks: bool) -> str:
        """The formula of the expected mean error, "" if there is none."""
        return self.formula if landmarks else self.formula_alone

    def sentence(self, told: Told) -> str:
        """The template of how all timestamps share the budget, if landmarks get the same as others; else of what the
        landmarks spend. `Told` explains its names."""
        if self.alike:
            return "{all_timestamps} spend " + ("{each_budget} each." if told.alike else "from {lowest} to {highest}.")
        one = told.k == 1
        verb = "spends" if one else "share"
        each = ", {each_landmark} each" if told.landmarks_alike and not one else ""
        if told.k == told.n:
            are, part = "is" if one else "are", "" if told.all_spent else "{landmark_share} of "
            return (
                "Your {protected} " + are + " the whole {data} and " + f"{verb} {part}the budget of {{epsilon}}{each}."
            )
        adds = "{added}" if told.others_alike else "at most {most_added}"
        text = "Your {protected} " + verb + " {landmark_share} of the budget of {epsilon}" + each
        return f"{text}; any one other timestamp adds {adds}."

    def dummies(self) -> str:
        """What dummies cost besides budget, or "": a template, with the number of `protected_timestamps` instead of
        `own_landmarks`."""
        if self.alike:
            return "This scheme spends no less on a landmark than on others, so the dummies cost no noise."
        return ""

    @property
    def begins(self) -> str:
        """The words before the budget that a landmark gets."""
        return f"{self.title} starts with a budget of" if self.online else "A landmark gets a budget of"
