"""The verdict in words: whether a release meets its limits, by how much it misses them, and what would help."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from lmdk_widgets.answers.averaging_attack import FoundAnswer, FoundLevel
from lmdk_widgets.answers.found_places import FoundPlace, found_text
from lmdk_widgets.page.amounts import numeral, percent
from lmdk_widgets.page.sentences import join, sentence
from lmdk_widgets.practice.today import NAME as PRACTICES
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.verdict.answers_and_limits import (
    found_beside,
    found_limit_words,
    reader_beside,
    reader_words,
    without_less,
)
from lmdk_widgets.verdict.judged_answers import Judged
from lmdk_widgets.verdict.limits import Limits
from lmdk_widgets.verdict.missed_limits import (
    NAMED,
    capital,
    guesses_words,
    how,
    misses,
    misses_in_short,
    right_words,
)
from lmdk_widgets.verdict.proposals import cost, in_short, no_epsilon, proposed
from lmdk_widgets.verdict.search import Helped, Tried, searched

MEETS = "This release meets your limits against the attacks computed here."
MISSES = "This release does not meet your limits."
UNSET = "No limit is set."
WAITS = "Not decided yet."
UNDECIDED = "Not decided."
NOT_HERE = "The verdict is computed from the true data and is not in this file."
READING = "A careful reader's error is being computed."
DRAWING = "What averaging finds is being computed."
PLANNING = "The plan is being searched for."
OF_CELLS = "What averaging finds is not computed for reports of cells."
TODAY = "What is done today, without this noise:"
ATTACKING = "What is done today, without this noise: being computed."
SAID = 2
"""The most practices that are named there."""

LOOKING = "Looking for what would meet them."
INVERSE = "Such a setting is chosen by looking at the data: whoever learns the setting learns a little about them."
"""Beside every setting that is found from a limit."""

_SHARES = {0.5: "half", 0.25: "a quarter", 0.75: "three quarters", 0.1: "a tenth"}


@dataclass(frozen=True, eq=False, repr=False)
class Verdict:
    """Whether a release meets its limits, in words; computed from the true data, for their owner's eyes.

    Attributes
    ----------
    judged : the outcome and its limits. search : what would help, as far as it is known; None: not looked for.
    """

    judged: Judged
    search: Helped | None = None

    @property
    def meets(self) -> bool | None:
        """None without limits, and while something is not computed."""
        return self.judged.meets

    @property
    def look(self) -> str:
        """ "meets", "misses", or "open"."""
        return {True: "meets", False: "misses", None: "open"}[self.meets]

    @property
    def lead(self) -> str:
        """The decision."""
        judged = self.judged
        if judged.stands_in:
            return NOT_HERE
        if not judged.limits.is_set:
            return UNSET
        if judged.meets is None:
            return UNDECIDED if judged.outcome.reports is not None and judged.unknown[0] else WAITS
        return MEETS if judged.meets else MISSES

    @cached_property
    def why(self) -> str:
        """What misses its limit, or what all limits together say, or what is not known yet."""
        judged = self.judged
        if judged.stands_in or not judged.limits.is_set:
            return ""
        if judged.meets is None:
            return " ".join(self._unknown())
        return _kept(judged) if judged.meets else " ".join(misses(judged))

    def _unknown(self) -> list[str]:
        judged = self.judged
        if judged.outcome.in_place:
            return [PLANNING]
        found = OF_CELLS if judged.outcome.reports is not None else DRAWING
        return [text for text, unknown in zip((found, READING), judged.unknown, strict=False) if unknown]

    @cached_property
    def help(self) -> str:
        """What would meet the limits, as far as it is known."""
        return " ".join([*self._no_epsilon, *(in_short(one, self.judged) for one in self._best)])

    @property
    def cost(self) -> str:
        """What the best proposal makes worse, and by how much; "" without one."""
        return " ".join(cost(one, self.judged) for one in self._best)

    @property
    def _best(self) -> tuple[Tried, ...]:
        """The best proposal, if there is one."""
        return () if self.meets is not False or self.search is None else self.search.proposed[:1]

    @property
    def _no_epsilon(self) -> list[str]:
        own = None if self.search is None else self.search.own
        return [] if own is None or own.meets or self.meets is not False else [no_epsilon(self.judged)]

    @property
    def sentence(self) -> str:
        """All of it: the decision, what misses its limit, what would help, and what that makes worse."""
        return " ".join(filter(None, (self.lead, self.why, self.help, self.cost)))

    @property
    def first(self) -> tuple[str, str, str]:
        """The same for a first screen: the decision, the limits that are missed, and what would help."""
        if self.meets is not False:
            return self.lead, "" if self.meets else self.why, ""
        none = " ".join(self._no_epsilon)
        return self.lead, misses_in_short(self.judged), self.help.removeprefix(f"{none} ")

    @property
    def reasons(self) -> tuple[str, ...]:
        """Each answer beside its limit; then each proposal in full, with all that gets worse."""
        judged = self.judged
        if judged.stands_in or not judged.limits.is_set:
            return ()
        parts = (found_reason(judged), useful_reason(judged), guesses_reason(judged))
        found = () if self.search is None else self.search.proposed
        told = [*self._no_epsilon, *(proposed(one, judged) for one in found), INVERSE] if found else []
        return tuple([*filter(None, parts), *told])

    @property
    def today(self) -> str:
        """What the practices of today leave open that a page compares, which is not about this release; "" without any."""
        return practices_sentence(self.judged)

    @property
    def proposal(self) -> Scenario | None:
        """The best setting that would meet the limits, or come noticeably nearer to them; None for none."""
        return self.search.proposed[0].scenario if self.search is not None and self.search.proposed else None


PRESETS = Limits()


def verdict(outcome: Outcome, limits: Limits = PRESETS) -> Verdict:
    """Whether a release meets limits, and what would help.

    Parameters
    ----------
    outcome : of `evaluate`. limits : by default nothing lasting is found nearer than the protection radius, and a careful
        reader's error is at most half of that without a release.

    Returns
    -------
    Verdict
        `meets`, None without limits and where something is not computed; `sentence`; `reasons`.

    Notes
    -----
    It is computed from the true data, against the attacks that are computed here: it is no guarantee, and for the owner of
    the data only.

    Examples
    --------
    >>> from lmdk_widgets.scenario import evaluate
    >>> from lmdk_widgets.trajectory import sample
    >>> verdict(evaluate(Scenario(landmarks=(0, 2, 4, 7)), sample("bob")), Limits(useful_share=None)).meets
    True
    """
    judged = Judged(outcome, limits)
    return Verdict(judged, searched(judged) if judged.meets is False else None)


def proposal(outcome: Outcome, limits: Limits = PRESETS) -> Scenario | None:
    """A setting that meets limits that an outcome misses, or else comes noticeably nearer to them; None for none.

    Each is evaluated as the outcome is: another epsilon, another scheme that promises as much about the landmarks and any
    one other moment, or Skip with the places left out that are found too near.

    Parameters
    ----------
    outcome : of `evaluate`. limits : as for `verdict`.

    Returns
    -------
    Scenario or None

    Notes
    -----
    Guarantee: that of its scheme. It is chosen by looking at the data: whoever learns it learns a little about them.

    Examples
    --------
    >>> from lmdk_widgets.scenario import evaluate
    >>> from lmdk_widgets.trajectory import sample
    >>> bob = evaluate(Scenario(landmarks=(0, 2, 4, 7)), sample("bob"))
    >>> proposal(bob, Limits(useful_share=None)) is None  # it meets them
    True
    """
    return verdict(outcome, limits).proposal


# -- limits that are kept ---------------------------------------------------------------------------------------------


def _kept(judged: Judged) -> str:
    """All limits that are kept, in a sentence."""
    limits, kind = judged.limits, judged.outcome.kind
    parts: list[str] = []
    if limits.found_m is not None:
        parts.append(_nothing_nearer(judged))
    if limits.useful_share is not None:
        parts.append(f"a careful reader is off by at most {_share(judged)} of the error without a release")
        if kind.counts_wrong and judged.useful_limit is not None:
            right = percent(1 - judged.useful_limit)
            parts[-1] = sentence("a careful reader gets at least {least_right} of the answers right", least_right=right)
    if limits.guesses is not None:
        most = guesses_words(judged)
        parts.append(sentence("at most {most_guesses} of 100 guesses about one moment are right", most_guesses=most))
    last = f", and {parts.pop()}" if len(parts) > 1 else ""
    return f"{capital(', '.join(parts))}{last}."


def _nothing_nearer(judged: Judged) -> str:
    most, found = found_limit_words(judged), judged.found
    if isinstance(found, FoundAnswer):
        return f"the main answer is guessed right in at most {most}"
    if isinstance(found, FoundLevel):
        return f"no level is found nearer than {most}"
    if isinstance(found, FoundPlace) and found.few:
        return f"no place lasts, no report is found nearer than {most}"
    return f"no lasting place is found nearer than {most}"


# -- each answer and its limit ----------------------------------------------------------------------------------------


def found_reason(judged: Judged) -> str:
    """What is found, beside its limit."""
    if judged.found_limit is None:
        return "Found: no limit is set."
    if judged.found is None:
        return OF_CELLS if judged.outcome.reports is not None else DRAWING
    asked = "at most" if judged.outcome.kind.counts_wrong else "no nearer than"
    (first, most), near = found_beside(judged), judged.near
    first = judged.found.value() if first == without_less(judged.found.value()) else first
    others: list[str] = [
        f"{p.your} to within {without_less(found_text(p.found_m, limit_m=judged.outcome.scenario.radius_m))}{how(p)}"
        for p in near[1:NAMED]
    ]
    if len(near) > NAMED:
        others.append(sentence("{near_places} places in all are nearer", near_places=numeral(len(near))))
    return f"Found: {'; '.join([first, *others])}; {asked} {most} is asked for."


def practices_sentence(judged: Judged) -> str:
    """What the practices of today that a page compares leave open, beside the limit of what is found; "" without any."""
    result = judged.outcome.results.get(PRACTICES)
    if result is None or judged.stands_in:
        return ""
    rows = () if result.found is None else result.found.rows
    limit_m = judged.found_limit or judged.outcome.scenario.radius_m
    said = [one.sentence(limit_m) for one in rows[:SAID]]
    if len(rows) > SAID:
        said.append(
            sentence("{other_practices} more {are} below.", other_practices=numeral(len(rows) - SAID), are="are")
        )
    return sentence("{today} {said}", today=TODAY, said=join(said, " ")) if said else ATTACKING


def useful_reason(judged: Judged) -> str:
    """A reader's error, beside its limit."""
    if judged.limits.useful_share is None:
        return "Useful: no limit is set."
    if judged.worth is None or judged.useful_limit is None:
        return READING
    most = reader_beside(judged)[1]
    asked = f"at most {most} is asked for, {_share(judged)} of the error without a release"
    if judged.outcome.kind.counts_wrong:
        asked = f"at least {most} is asked for"
    return f"Useful: a careful reader {reader_words(judged)}; {asked}."


def guesses_reason(judged: Judged) -> str:
    """The guesses about one moment, beside their limit; "" without one."""
    if judged.limits.guesses is None:
        return ""
    return sentence(
        "Promised: of 100 guesses about one moment, {right}; at most {most_guesses} is asked for.",
        right=right_words(judged),
        most_guesses=guesses_words(judged),
    )


def _share(judged: Judged) -> str:
    share = judged.limits.useful_share
    assert share is not None
    return _SHARES.get(share) or percent(share)
