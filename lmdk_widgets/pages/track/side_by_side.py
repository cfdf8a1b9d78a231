"""Two options side by side: the pinned settings and the present ones, on the same track."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator
from typing import Any, ClassVar

import numpy as np

from lmdk_widgets.answers.by_distance import loss_name
from lmdk_widgets.answers.odds import moment_losses, most_told
from lmdk_widgets.answers.pairs import has_pairs, too_long_for_many
from lmdk_widgets.answers.usefulness import useful_of
from lmdk_widgets.cache import cached
from lmdk_widgets.errors import InputError
from lmdk_widgets.io.report import Part
from lmdk_widgets.page.amounts import amount, bound, count
from lmdk_widgets.page.blocks import Act, Block, Buttons, Column, Table, Text
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.page.sentences import capital, sentence
from lmdk_widgets.pages.track.compared_option import answered, differing, unanswered, value_told
from lmdk_widgets.pages.track.words import describe
from lmdk_widgets.scenario.evaluation import evaluate
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory.model import Trajectory

TITLE = "Two options side by side"

_MOST_NAMED = 6
"""The most changed choices that are named; of more, only the number is given."""

_LIKE = 0.005
"""The relative difference up to which two numbers count as equal."""


def kept(scenario: Scenario) -> Scenario:
    """What is pinned of a scenario: everything except how it is displayed."""
    return scenario.with_changes(utc=False, average=False)


def pinned_of(choices: Any) -> Scenario | None:
    """The pinned settings, for the present track; None where nothing is pinned."""
    pinned: Scenario | None = choices.pinned
    now: Scenario = choices.scenario
    return None if pinned is None else pinned.with_changes(track=now.track, utc=now.utc)


def swapped(choices: Any) -> Any:
    """The pinned settings made present, and the present ones pinned.

    Examples
    --------
    >>> from lmdk_widgets.pages.track.choices import TrackChoices
    >>> two = TrackChoices(pinned=Scenario(epsilon=0.5), scenario=Scenario(scheme="skip"))
    >>> swapped(two).scenario.epsilon, swapped(two).pinned.scheme, swapped(swapped(two)) == two
    (0.5, 'skip', True)
    """
    pinned = pinned_of(choices)
    if pinned is None:
        raise InputError("No settings are pinned", remedy="Pin these settings first")
    now: Scenario = choices.scenario
    return choices.with_changes(scenario=pinned.with_changes(average=now.average), pinned=kept(now))


_UNPINNED = {"op": "set", "name": "pinned", "value": None}
_ACTS = (
    Act("Pin these instead", {"op": "pin"}, "Keep them, change something, and see both side by side", where="page"),
    Act("Swap", {"op": "swap"}, "Work on the pinned option, and pin this one", where="page"),
    Act("Unpin", _UNPINNED, where="page"),
    Act("Hide the pinned option", _UNPINNED, where="file"),
)


class SideBySide(Panel):
    NAME = "side_by_side"
    BARE = TITLE
    OPEN: ClassVar = {"pinned": True}
    CLOSED: ClassVar = (Buttons((Act("Show the pinned option", {"op": "pin"}, where="file"),)),)
    OPERATIONS: ClassVar = {
        "pin": lambda state, *_: state.choices.with_changes(pinned=kept(state.choices.scenario)),
        "swap": lambda state, *_: swapped(state.choices),
    }

    def asked(self, choices: Any, outcome: Outcome) -> Hashable:
        return pinned_of(choices), outcome.trajectory

    def at_once(self, choices: Any, outcome: Outcome) -> Outcome:
        pinned = pinned_of(choices)
        assert pinned is not None
        return _evaluated(pinned, outcome.trajectory)

    def whole(self, found: Outcome) -> bool:
        return useful_of(found) is not None

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[Outcome]:
        return answered(outcome.found(self.NAME))

    def blocks(self, choices: Any, outcome: Outcome) -> Iterator[Block]:
        yield Buttons(_ACTS)
        yield Text(what_differs(outcome))
        yield options_table(outcome)

    def parts(self, choices: Any, outcome: Outcome, release: Any) -> Iterable[Part]:
        pinned: Outcome | None = outcome.found(self.NAME)
        if pinned is not None:
            before = Text(f"Pinned: {describe(pinned).paragraph}")
            yield Part("Two options", [Text(what_differs(outcome), "said"), options_table(outcome), before])


@cached("visitor", entries=2, what="the outcome of the pinned option")
def _evaluated(scenario: Scenario, trajectory: Trajectory) -> Outcome:
    return unanswered(evaluate(scenario, trajectory))


def what_differs(outcome: Outcome) -> str:
    """What differs from the pinned option, and its effect; "" where nothing is pinned."""
    before: Outcome | None = outcome.found(SideBySide.NAME)
    return "" if before is None else f"{_changed(before, outcome)} {_effect(before, outcome)}"


def options_table(outcome: Outcome) -> Table:
    """The numbers of the pinned option and of the present one; no row where nothing is pinned."""
    before: Outcome | None = outcome.found(SideBySide.NAME)
    columns = Column("", ""), Column("", "pinned", align="right"), Column("", "now", align="right")
    return Table(TITLE, columns, () if before is None else tuple(_rows(before, outcome)))


def _rows(before: Outcome, outcome: Outcome) -> list[list[str]]:
    return [
        ["Mean error", before.ground.write(before.mean_error_m), outcome.ground.write(outcome.mean_error_m)],
        ["Mean 95 % radius", before.ground.write(_radius(before)), outcome.ground.write(_radius(outcome))],
        ["Mean budget of a timestamp", amount(float(before.budgets.mean())), amount(float(outcome.budgets.mean()))],
        [
            "Landmarks and one other spend at most",
            bound(float(before.totals.max())),
            bound(float(outcome.totals.max())),
        ],
        ["One moment, if moments are independent", bound(_one(before)), bound(_one(outcome))],
        [_loss(before, outcome), bound(most_told(before)), bound(most_told(outcome))],
        ["Landmarks together (count)", amount(float(before.landmark.max())), amount(float(outcome.landmark.max()))],
    ]


def _one(outcome: Outcome) -> float:
    """The most that one moment reveals if moments are independent: the promise of the page."""
    return float(moment_losses(outcome).max())


def _loss(before: Outcome, outcome: Outcome) -> str:
    """What the largest loss is called: a what-if where one of the two assumes a chain, by one number where pairs take too
    long for either option."""
    both = before, outcome
    by_one = any(has_pairs(one) and too_long_for_many(one) for one in both)
    named = next((loss_name(one) for one in both if one.scenario.correlation != "none"), loss_name(outcome))
    return f"{named.capitalize()}{' by one number for all pairs' if by_one else ''}"


def _radius(outcome: Outcome) -> float:
    known = outcome.radius95_m[np.isfinite(outcome.radius95_m)]
    return float(known.mean()) if len(known) else math.nan


def _changed(before: Outcome, now: Outcome) -> str:
    names, kinds = differing(before.scenario, now.scenario), Scenario.kinds()
    if not names:
        return "Nothing differs from the pinned option yet: change a setting."
    if len(names) > _MOST_NAMED:
        return sentence(
            "{changed_settings} differ from the pinned option.", changed_settings=capital(count(len(names), "setting"))
        )
    told = [
        f"{kinds[name].subject} {value_told(before.scenario, name)} → {value_told(now.scenario, name)}"
        for name in names
    ]
    return f"Changed since it was pinned: {'; '.join(told)}."


def _effect(before: Outcome, now: Outcome) -> str:
    """One sentence: what the change does to the error, and to what is promised about one moment."""
    error = _ratio("the mean error", now.mean_error_m / before.mean_error_m if before.mean_error_m > 0 else math.nan)
    most, after = _one(before), _one(now)
    verb = "leaves" if abs(after - most) <= _LIKE * most else "raises" if after > most else "lowers"
    if verb == "leaves":
        return sentence(
            "It {becomes} and leaves what one moment reveals, if moments are independent, as it is, at most "
            "{most_one_moment}.",
            becomes=error,
            most_one_moment=bound(after),
        )
    return sentence(
        "It {becomes} and {raises} what one moment reveals, if moments are independent, from at most "
        "{most_one_moment_pinned} to at most {most_one_moment}.",
        becomes=error,
        raises=verb,
        most_one_moment_pinned=bound(most),
        most_one_moment=bound(after),
    )


def _ratio(what: str, share: float) -> str:
    if not math.isfinite(share) or share <= 0:
        return f"leaves nothing to compare for {what}"
    if abs(share - 1) <= _LIKE:
        return f"leaves {what} as it is"
    if share < 1:
        return sentence("divides {what} by {divided_by}", what=what, divided_by=amount(1 / share))
    return sentence("multiplies {what} by {multiplied_by}", what=what, multiplied_by=amount(share))
