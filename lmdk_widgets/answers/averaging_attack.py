"""What averaging finds in a release, whatever the chain: an object for each kind of series, exact and without an attack;
that for tracks is in `found_places`.

Someone who knows at which moments you were at one place, had one level or gave one answer needs no chain: all reports of it
belong together. The numbers follow from what each timestamp spent on its own report. They are computed with the true data,
for their owner's screen. Where budgets depend on releases, they are the median of some draws.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.cache import cached
from lmdk_widgets.geo import Floats
from lmdk_widgets.page.amounts import count, percent, whole
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.scenario.ground import Ground, Numbers
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.written_values import with_unit
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series

FEW = 5
"""With fewer reports the formula is too small, and nobody's place is said to be found."""

AMBER = 5.0
"""Up to this many radii the distance is amber."""

NINE = 0.9
"""The share of releases of the second distance."""

SURE = 0.99
"""Above this a chance is only said to be more."""

LIKELY_RED, LIKELY_AMBER = 0.72, 0.55
"""Chances of a right guess from which they are red and amber: those at one radius and at five."""

ANY_CHAIN = "whatever the chain"
HALF = "in half of all releases"


@dataclass(frozen=True, eq=False, repr=False)
class Found:
    """What averaging finds.

    Attributes
    ----------
    scenario, data, ground : what was released, and on what.
    spent : (k, n) epsilon of each timestamp's own report, 0 where it repeats one; a row for each draw, one row where budgets
        do not depend on releases.
    """

    scenario: Scenario
    data: Trajectory
    ground: Ground
    spent: Floats

    @property
    def drawn(self) -> int:
        """Draws behind the numbers; 0 where they are exact."""
        return len(self.spent) if self.scenario.spread.online else 0

    @property
    def members(self) -> NDArray[np.bool_]:
        """(n,) the timestamps whose reports belong together."""
        raise NotImplementedError

    @property
    def moments(self) -> int:
        """How many there are."""
        return int(self.members.sum())

    @cached_property
    def reports(self) -> int:
        """How many of them have a report of their own; for draws, the median."""
        return int(np.median((self.spent[:, self.members] > 0).sum(axis=1)))

    @cached_property
    def together(self) -> float:
        """B, the root of the sum of squares of what they spent; for draws, the median."""
        return self.together_at(self.members)

    def together_at(self, members: NDArray[np.bool_]) -> float:
        """The same for other timestamps."""
        return float(np.median(np.linalg.norm(self.spent[:, members], axis=1)))

    def within(self, share: float = 0.5) -> float:
        """The distance within which averaging finds it in this share of all releases, in the unit of the errors; NaN
        for answers, infinite without a report."""
        return math.nan

    @property
    def right(self) -> float:
        """How often averaging guesses right between two that budgets are counted between; 0.5 is chance alone."""
        raise NotImplementedError

    @property
    def known(self) -> bool:
        """Whether enough is reported for a number."""
        return self.reports >= FEW

    @property
    def is_found(self) -> bool:
        """Whether it is found at all."""
        return self.known

    @property
    def compared(self) -> bool:
        """Whether its sentences say how many guesses are right, as the promise does."""
        return False

    @property
    def colour(self) -> str:
        """ "red" where it is found, "amber" where nearly so, else "grey"."""
        if not self.is_found:
            return "grey"
        return "red" if self.right >= LIKELY_RED else "amber" if self.right >= LIKELY_AMBER else "grey"

    def value(self) -> str:
        """What is found, in a few characters."""
        raise NotImplementedError

    def written(self, within: float) -> str:
        """Another distance on the same data, as the value is written."""
        raise NotImplementedError

    def line(self) -> str:
        """What the value refers to, in a line."""
        raise NotImplementedError

    @property
    def subject(self) -> str:
        """What is found, as part of a sentence: "your home", "a level", "the main answer"."""
        raise NotImplementedError

    def now(self) -> str:
        """What is found with the present settings, in a sentence with the value of the tile."""
        if not self.is_found:
            return sentence("Averaging does not find {subject} now.", subject=self.subject)
        return sentence(
            "Averaging now finds {subject} to within {found_distance}.",
            subject=self.subject,
            found_distance=self.value(),
        )

    @property
    def short(self) -> str:
        """The same in a few words."""
        raise NotImplementedError

    @property
    def brief(self) -> str:
        """The line without its details, for a first screen."""
        return self.line()

    def sentences(self) -> list[str]:
        """The same in words; nothing where too little is reported."""
        raise NotImplementedError

    def details(self) -> list[str]:
        """More about it, for the panel of the attacker."""
        return self.sentences()

    @property
    def releases(self) -> str:
        """In which releases it is found so well."""
        return sentence("{half}{of_draws}", half=HALF, of_draws=self.drawn_words)

    @property
    def drawn_words(self) -> str:
        """That budgets differ from draw to draw."""
        return sentence(" (median of {found_draws} draws)", found_draws=whole(self.drawn)) if self.drawn else ""


class FoundLevel(Found):
    """The level that most values of a series of numbers have: ``.6745 (hi - lo) / B`` by the median of the reports."""

    @cached_property
    def members(self) -> NDArray[np.bool_]:
        assert isinstance(self.data, Series) and isinstance(self.ground, Numbers)
        return main_level(self.data, self.ground.lower, self.ground.upper, self.width)

    @property
    def width(self) -> float:
        """How close values must be to count as the same, in the unit of the series."""
        return self.scenario.level_width

    def within(self, share: float = 0.5) -> float:
        assert isinstance(self.ground, Numbers)
        far = NormalDist().inv_cdf((1 + share) / 2)
        return far * self.ground.mechanism.sensitivity / self.together if self.together else math.inf

    @property
    def right(self) -> float:
        """Between two levels as far apart as the bounds: ``Phi(B / 2)``."""
        return NormalDist().cdf(self.together / 2)

    @property
    def is_found(self) -> bool:
        assert isinstance(self.ground, Numbers)
        return self.known and self.within() <= self.ground.mechanism.sensitivity / 2

    @property
    def colour(self) -> str:
        within = self.within()
        if not self.is_found or within > AMBER * self.width:
            return "grey"
        return "red" if within <= self.width else "amber"

    def value(self) -> str:
        return self.written(self.within()) if self.is_found else "not found"

    def written(self, within: float) -> str:
        assert isinstance(self.ground, Numbers)
        if not within <= self.ground.mechanism.sensitivity / 2:
            return "not found"
        least = self.width / 2
        return self._write(within) if within >= least else Written(self._write(least) + " or less", within)

    def line(self) -> str:
        if not self.known:
            return sentence("No level has {few_reports}.", few_reports=count(FEW, "report"))
        many = count(self.reports, "measured moment")
        if not self.is_found:
            off = "The level of {measured_moments}: averaging is off by more than half the width of the bounds."
            return sentence(off, measured_moments=many)
        return sentence(
            "Together, the reports of {measured_moments} find their level to within this {releases}.",
            measured_moments=many,
            releases=self.releases,
        )

    @property
    def subject(self) -> str:
        return "a level"

    @property
    def short(self) -> str:
        return "a level, to within this" if self.is_found else "a level, by averaging"

    @property
    def brief(self) -> str:
        if not self.is_found:
            return self.line()
        many = count(self.reports, "measured moment")
        return sentence("from the level of {measured_moments}, {half}.", measured_moments=many, half=HALF)

    def sentences(self) -> list[str]:
        if not self.known:
            return []
        same = sentence("the value was the same to within {level_width}", level_width=self._write(self.width))
        held = {"measured_moments": count(self.reports, "measured moment"), "same": same, "any_chain": ANY_CHAIN}
        if not self.is_found:
            not_found = sentence(
                "Averaging does not find the level of {measured_moments}, when {same}: it is off by more than half the width "
                "of the bounds, {any_chain}.",
                **held,
            )
            return [not_found]
        found = sentence(
            "Anyone who knows at which {measured_moments} {same} finds it to within {near} {releases}, {any_chain}.",
            near=self._about(self.within()),
            releases=self.releases,
            **held,
        )
        return [found]

    def details(self) -> list[str]:
        if not self.is_found:
            return self.sentences()
        nine = sentence("In about nine of ten releases it is {near}.", near=self._about(self.within(NINE)))
        return [*self.sentences(), nine]

    def _write(self, value: float) -> str:
        return with_unit(self.data.unit)(value) if isinstance(self.data, Series) else ""

    def _about(self, within: float) -> str:
        least = self.width / 2
        if within >= least:
            return sentence("about {found_distance}", found_distance=self._write(within))
        return sentence("{least_distance} or less", least_distance=self._write(least))


class FoundAnswer(Found):
    """The answer that was given most: how often the weighted vote of its reports is right, by its mean and its variance.

    N reports with budget b, right with p = 1 / (1 + e^-b) each: ``Phi(sqrt(N) (p - 1/2) / sqrt(p (1 - p)))``.
    """

    @cached_property
    def members(self) -> NDArray[np.bool_]:
        assert isinstance(self.data, Series)
        return np.asarray(self.data.values == float(self.data.values.mean() >= 0.5))

    @cached_property
    def right(self) -> float:
        return float(np.median([_vote(there[there > 0]) for there in self.spent[:, self.members]]))

    @property
    def compared(self) -> bool:
        return self.known

    def value(self) -> str:
        if not self.is_found:
            return "not found"
        if self.right > SURE:
            return Written(f"over {100 * SURE:.0f} of 100", 100 * self.right)
        return Written(f"{100 * self.right:.0f} of 100", 100 * self.right)

    def line(self) -> str:
        if not self.known:
            return sentence("No answer has {few_reports}.", few_reports=count(FEW, "report"))
        return sentence(
            "guesses of the answer of {measured_moments} together are right{of_draws}; 50 is chance.",
            measured_moments=count(self.reports, "measured moment"),
            of_draws=self.drawn_words,
        )

    @property
    def subject(self) -> str:
        return "the main answer"

    def now(self) -> str:
        if not self.is_found:
            return super().now()
        often = self.value()
        return sentence(
            "Averaging now guesses {subject} right in {right_of_100}.", subject=self.subject, right_of_100=often
        )

    @property
    def short(self) -> str:
        return "guesses right; 50 is chance"

    @property
    def brief(self) -> str:
        return "right guesses of the main answer; 50 is chance." if self.known else self.line()

    def sentences(self) -> list[str]:
        if not self.known:
            return []
        often = sentence("about {right_share}", right_share=percent(self.right))
        if self.right > SURE:
            often = sentence("more than {sure_share}", sure_share=percent(SURE))
        right = sentence(
            "Anyone who knows at which {measured_moments} the answer was the same guesses it right in {often} of all "
            "releases{of_draws}, {any_chain}.",
            measured_moments=count(self.reports, "measured moment"),
            often=often,
            of_draws=self.drawn_words,
            any_chain=ANY_CHAIN,
        )
        return [right]


def _vote(spent: Floats) -> float:
    """How often reports with these budgets, all of one answer, vote for it."""
    if not len(spent):
        return 0.5
    right = 1 / (1 + np.exp(-spent))
    with np.errstate(divide="ignore"):
        far = float(np.divide(spent @ (2 * right - 1), 2 * np.sqrt(spent**2 @ (right * (1 - right)))))
    return NormalDist().cdf(far)


@cached("visitor", entries=8)
def main_level(series: Series, lower: float, upper: float, width: float) -> NDArray[np.bool_]:
    """(n,) where the values lie in the window of this width that contains most of them, the lowest in a tie.

    Examples
    --------
    >>> time = np.datetime64("2026-01-26T08:00", "s") + np.arange(0, 3600, 600)
    >>> main_level(Series(time, values=np.array([1.0, 5.0, 1.2, 5.1, 5.3, 9.0])), 0.0, 10.0, 0.5).tolist()
    [False, True, False, True, True, False]
    """
    values = np.clip(series.values, lower, upper)
    ordered = np.sort(values)
    held = np.searchsorted(ordered, ordered + width, side="right") - np.arange(len(ordered))
    least = ordered[int(held.argmax())]
    found: NDArray[np.bool_] = (values >= least) & (values <= least + width)
    return found
