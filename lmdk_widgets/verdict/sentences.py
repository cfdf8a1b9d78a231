"""The verdict in words: whether a release meets its limits, by how much it misses them, and what would help."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from lmdk_widgets.page.amounts import metres, numeral, percent
from lmdk_widgets.page.answers import NOTHING, of_100
from lmdk_widgets.scenario.found import Found, FoundAnswer, FoundLevel
from lmdk_widgets.scenario.found_places import FoundPlace, Place, found_text
from lmdk_widgets.scenario.model import SPREADS, Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.useful import digits
from lmdk_widgets.verdict.judged import Judged
from lmdk_widgets.verdict.limits import Limits
from lmdk_widgets.verdict.search import Helped, Tried, searched

MEETS = "Meets your limits against the attacks computed here."
MISSES = "Does not meet your limits."
SEVERAL = "Does not meet {missed} of your limits."
UNSET = "No limit is set."
WAITS = "Not decided yet."
UNDECIDED = "Not decided."
NOT_HERE = "The verdict is computed from the true data and is not in this file."
READING = "A careful reader's error is being computed."
DRAWING = "What averaging finds is being computed."
PLANNING = "The plan is being searched for."
OF_CELLS = "What averaging finds is not computed for reports of cells."
LOOKING = "Looking for what would meet them."
INVERSE = "Such a setting is chosen by looking at the data: whoever learns the setting learns a little about them."
"""Beside every setting that is found from a limit."""

NAMED = 2
"""The most places that a sentence names."""
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
        return _kept(judged) if judged.meets else " ".join(_misses(judged))

    def _unknown(self) -> list[str]:
        judged = self.judged
        if judged.outcome.in_place:
            return [PLANNING]
        found = OF_CELLS if judged.outcome.reports is not None else DRAWING
        return [text for text, unknown in zip((found, READING), judged.unknown, strict=False) if unknown]

    @cached_property
    def help(self) -> str:
        """What would meet the limits, as far as it is known."""
        if self.meets is not False or self.search is None:
            return ""
        return " ".join([*self._no_epsilon, *(in_short(one, self.judged) for one in self.search.proposed[:1])])

    @property
    def _no_epsilon(self) -> list[str]:
        own = None if self.search is None else self.search.own
        return [] if own is None or own.meets or self.meets is not False else [no_epsilon(self.judged)]

    @property
    def sentence(self) -> str:
        """All of it: the decision, what misses its limit, and what would help."""
        return " ".join(filter(None, (self.lead, self.why, self.help)))

    @property
    def first(self) -> tuple[str, str, str]:
        """The same for a first screen: the decision, the first limit that is missed, and what would help."""
        if self.meets is not False:
            return self.lead, "" if self.meets else self.why, ""
        misses, none = _misses(self.judged), " ".join(self._no_epsilon)
        lead = self.lead if len(misses) == 1 else SEVERAL.format(missed=numeral(len(misses)))
        return lead, misses[0], self.help.removeprefix(f"{none} ")

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


# -- what misses its limit --------------------------------------------------------------------------------------------


def missed_found(judged: Judged) -> str:
    """What is found nearer than its limit."""
    most, found = _found_limit(judged), judged.found
    if isinstance(found, FoundAnswer):
        return f"The main answer is guessed right in {found.value()}; you asked for at most {judged.found_limit:.4g}."
    if isinstance(found, FoundLevel):
        return f"A level is found to within {_within(found)}; you asked for {most}."
    assert isinstance(found, FoundPlace)
    if found.few:
        return f"Each report is found to within {_within(found)}; you asked for {most}."
    first = judged.near[0]
    return f"{_capital(first.your)} is found to within {_within(found)}{_how(first)}; you asked for {most}."


def missed_useful(judged: Judged) -> str:
    """That a reader is off by more than the limit."""
    worth, kind = judged.worth, judged.outcome.kind
    assert worth is not None and judged.useful_limit is not None
    if kind.counts_wrong:
        right, least = percent(1 - worth.reader), percent(1 - judged.useful_limit)
        return f"A careful reader gets {right} of the answers right; you asked for at least {least}."
    error, most = _apart(judged, worth.reader, judged.useful_limit)
    return f"A careful reader is off by {error}; you asked for at most {most}."


def missed_guesses(judged: Judged) -> str:
    """That more can be guessed about one moment than the limit."""
    assert judged.limits.guesses is not None
    return f"Of 100 guesses about one moment, {_right(judged)}; you asked for at most {judged.limits.guesses:.4g}."


def _misses(judged: Judged) -> list[str]:
    """The limits that are missed, a sentence each."""
    parts = (missed_found, missed_useful, missed_guesses)
    return [part(judged) for part, missed in zip(parts, judged.missed, strict=True) if missed]


def _kept(judged: Judged) -> str:
    """All limits that are kept, in a sentence."""
    limits, kind = judged.limits, judged.outcome.kind
    parts = []
    if limits.found_m is not None:
        parts.append(_nothing_nearer(judged))
    if limits.useful_share is not None:
        parts.append(f"a careful reader is off by at most {_share(judged)} of the error without a release")
        if kind.counts_wrong and judged.useful_limit is not None:
            parts[-1] = f"a careful reader gets at least {percent(1 - judged.useful_limit)} of the answers right"
    if limits.guesses is not None:
        parts.append(f"at most {limits.guesses:.4g} of 100 guesses about one moment are right")
    last = f", and {parts.pop()}" if len(parts) > 1 else ""
    return f"{_capital(', '.join(parts))}{last}."


def _nothing_nearer(judged: Judged) -> str:
    most, found = _found_limit(judged), judged.found
    if isinstance(found, FoundAnswer):
        return f"the main answer is guessed right in at most {most}"
    if isinstance(found, FoundLevel):
        return f"no level is found nearer than {most}"
    if isinstance(found, FoundPlace) and found.few:
        return f"no place lasts, no report is found nearer than {most}"
    return f"no lasting place is found nearer than {most}"


# -- what would help --------------------------------------------------------------------------------------------------


def no_epsilon(judged: Judged) -> str:
    """That no epsilon of the present scheme meets the limits."""
    found, _, guesses = judged.missed
    title = SPREADS[judged.outcome.scenario.scheme].title
    if found and judged.outcome.kind.placed:
        keeps = "keeps it farther"
    elif found or guesses:
        keeps = "keeps that limit"
    else:
        return f"No epsilon under {title} is useful enough and keeps the other limits."
    useful = " and stays useful" if judged.limits.useful_share is not None else ""
    return f"No epsilon under {title} {keeps}{useful}."


def in_short(one: Tried, now: Judged) -> str:
    """A setting, and the answers that it gives: "Epsilon 0.463 under Uniform meets them: found to 200 m, useful to 1 km"."""
    judged, subject = one.judged, _capital(setting_words(one, now, doing=True))
    said = [f"found to {_within(judged.found)}"] if judged.found is not None and judged.found.is_found else []
    if isinstance(judged.found, FoundAnswer) and said:
        said = [f"guessed right in {judged.found.value()}"]
    silent = judged.silent > now.silent  # as is then said, so not also where from
    if isinstance(judged.found, FoundPlace) and not judged.found.few and said and not silent:
        said[0] += _how(judged.found.nearest)
    if judged.worth is not None:
        before = f", not {_bare(reader_text(now))}" if _reads_worse(judged, now) else ""
        useful = "a reader gets" if judged.outcome.kind.counts_wrong else "useful to"
        said.append(f"{useful} {_bare(reader_text(judged))}{before}")
    if silent:
        said.append(f"{judged.silent:,} of {len(judged.outcome):,} timestamps silent")
    return f"{subject} {'meets them' if one.meets else 'comes nearer'}: {'; '.join(said)}."


def proposed(one: Tried, now: Judged) -> str:
    """A setting, what it gives, and what gets worse and by how much."""
    subject = _capital(setting_words(one, now, doing=True))
    costs = worse(one, now)
    gains = _gains(one, now)
    does = "meets them" if one.meets else "comes nearer"
    said = f"but {'; '.join(costs)}" if costs else "nothing gets worse"
    even_so = "".join(f" Even so, {miss[:1].lower()}{miss[1:]}" for miss in _misses(one.judged))
    return f"{subject} {does}: {'; '.join([*gains, said])}.{even_so}"


def setting_words(one: Tried, now: Judged, *, doing: bool = False) -> str:
    """What is changed: "leave out home and work, epsilon 0.27", or with `doing` as the subject of a sentence."""
    scenario, present = one.scenario, now.outcome.scenario
    epsilon = f"epsilon {scenario.epsilon:.3g}"
    moved = scenario.epsilon != present.epsilon or present.spread.given != "epsilon"
    if one.left_out:
        names = [place.name for place in one.left_out]
        what = _listed(names) if len(names) <= NAMED else f"{numeral(len(names))} lasting places"
        if doing:
            return f"leaving out {what}{f', at {epsilon},' * moved}"
        return f"leave out {what}{f', {epsilon}' * moved}"
    title = SPREADS[scenario.scheme].title
    if scenario.scheme == present.scheme:
        return f"{epsilon} under {title}" if doing else f"use {epsilon}"
    return f"{title} at {epsilon}" if doing else f"use {title}, {epsilon}"


def worse(one: Tried, now: Judged) -> list[str]:
    """What a setting makes worse, and by how much; nothing where no answer gets worse."""
    then, found = one.judged, []
    if _reads_worse(then, now):
        found.append(f"a careful reader {reader_text(then)}, not {_bare(reader_text(now))}")
    if then.found is not None and now.found is not None and _nearer(then) < _nearer(now) * (1 - 1e-6):
        before, after = now.found.value(), then.found.value()
        if before != after:
            found.append(f"averaging gives {after}, not {before}")
    for chance, what in (("one", "one moment"), ("together", now.promised.who)):
        before, after = (of_100(getattr(each.promised, chance)) for each in (now, then))
        if what and int(after) > int(before):
            found.append(f"of 100 guesses about {what} {_can_be(getattr(then.promised, chance))} right, not {before}")
    if then.silent > now.silent:
        n = len(then.outcome)
        found.append(f"{then.silent:,} of {n:,} timestamps have no report, and that silence shows when you are there")
    return found


def _reads_worse(then: Judged, now: Judged) -> bool:
    """Whether a reader is visibly farther off."""
    if then.worth is None or now.worth is None:
        return False
    return then.worth.reader > now.worth.reader and reader_text(then) != reader_text(now)


def _gains(one: Tried, now: Judged) -> list[str]:
    """What is found there, and what it is worth if that is not worse."""
    found, said = one.judged.found, []
    if isinstance(found, FoundPlace) and not found.few:
        nearest = found.nearest
        at = f"found to within {_within(found)}{_how(nearest)}" if found.is_found else "not found"
        several = "the nearest place, " * (len(one.left_out) > 1)
        said.append(f"{several}{nearest.name}{',' * bool(several)} is {at}")
    elif isinstance(found, FoundPlace):
        said.append(f"each report is found to within {_within(found)}" if found.is_found else "no report is found")
    elif isinstance(found, FoundLevel):
        said.append(f"a level is found to within {_within(found)}" if found.is_found else "no level is found")
    elif found is not None:
        said.append(f"the main answer is guessed right in {found.value()}" if found.is_found else "no answer is found")
    if one.judged.worth is not None and not _reads_worse(one.judged, now):
        said.append(f"a careful reader {reader_text(one.judged)}")
    return said


# -- each answer and its limit ----------------------------------------------------------------------------------------


def found_reason(judged: Judged) -> str:
    """What is found, beside its limit."""
    if judged.found_limit is None:
        return "Found: no limit is set."
    most = _found_limit(judged)
    if judged.found is None:
        return OF_CELLS if judged.outcome.reports is not None else DRAWING
    asked = "at most" if judged.outcome.kind.counts_wrong else "no nearer than"
    near = judged.near
    others = [f"{p.name} to within {found_text(p.found_m).removesuffix(' or less')}{_how(p)}" for p in near[1:NAMED]]
    others += [f"{numeral(len(near))} places in all are nearer"] * (len(near) > NAMED)
    return f"Found: {'; '.join([judged.found.value(), *others])}; {asked} {most} is asked for."


def useful_reason(judged: Judged) -> str:
    """A reader's error, beside its limit."""
    if judged.limits.useful_share is None:
        return "Useful: no limit is set."
    if judged.worth is None or judged.useful_limit is None:
        return READING
    if judged.outcome.kind.counts_wrong:
        asked = f"at least {percent(1 - judged.useful_limit)} is asked for"
    else:
        most = _apart(judged, judged.worth.reader, judged.useful_limit)[1]
        asked = f"at most {most} is asked for, {_share(judged)} of the error without a release"
    return f"Useful: a careful reader {reader_text(judged)}; {asked}."


def guesses_reason(judged: Judged) -> str:
    """The guesses about one moment, beside their limit; "" without one."""
    if judged.limits.guesses is None:
        return ""
    return f"Promised: of 100 guesses about one moment, {_right(judged)}; at most {judged.limits.guesses:.4g} is asked for."


def reader_text(judged: Judged) -> str:
    """ "is off by 810 m", "gets 53 % of the answers right"."""
    worth = judged.worth
    assert worth is not None
    if judged.outcome.kind.counts_wrong:
        return f"gets {percent(1 - worth.reader)} of the answers right"
    return f"is off by {_writer(judged.outcome)(_shown(judged))}"


def _bare(text: str) -> str:
    """What a reader gets, without the verb."""
    return text.removeprefix("is off by ").removeprefix("gets ").replace(" of the answers right", " right")


def _right(judged: Judged) -> str:
    chance = judged.promised.one
    return "any number can be right" if chance >= NOTHING else f"{of_100(chance)} can be right"


def _can_be(chance: float) -> str:
    return "any number can be" if chance >= NOTHING else f"{of_100(chance)} can be"


def _found_limit(judged: Judged) -> str:
    most, outcome = judged.found_limit, judged.outcome
    assert most is not None
    if outcome.kind.counts_wrong:
        return f"{most:.4g} of 100"
    return metres(most) if outcome.kind.placed else _writer(outcome)(most)


def _share(judged: Judged) -> str:
    share = judged.limits.useful_share
    assert share is not None
    return _SHARES.get(share) or percent(share)


def _writer(outcome: Outcome) -> Callable[[float], str]:
    """A length as the page writes it: metres, or with up to four digits in the unit of a series."""
    if outcome.series is None:
        return metres
    unit = f" {outcome.series.unit}" if outcome.series.unit else ""
    return lambda value: f"{digits(value, 4):,.12g}{unit}"


def _apart(judged: Judged, error: float, limit: float) -> tuple[str, str]:
    """A reader's error as its tile shows it, and its limit; with more digits where these would not show which is larger."""
    write, worth = _writer(judged.outcome), judged.worth
    assert worth is not None
    for told, most in ((worth.shown, digits(limit, 2)), *((digits(error, k), digits(limit, k)) for k in (3, 4))):
        if write(told) != write(most) and (told > most) == (error > limit):
            return write(told), write(most)
    return write(error), write(limit)


def _shown(judged: Judged) -> float:
    """The error as its tile shows it; with more digits where that would be on the wrong side of its limit."""
    worth, limit = judged.worth, judged.useful_limit
    assert worth is not None
    for number in (worth.shown, digits(worth.reader, 3)):
        if limit is None or (number > limit) == (worth.reader > limit):
            return number
    return worth.reader


def _within(found: Found) -> str:
    """How near averaging comes, after "to within"."""
    return found.value().removesuffix(" or less")


def _how(place: Place) -> str:
    return ", from where you fall silent" if place.by_silence else ""


def _nearer(judged: Judged) -> float:
    """How near averaging comes, smaller is nearer."""
    found = judged.found
    assert found is not None
    if not found.is_found:
        return float("inf")
    if isinstance(found, FoundAnswer):
        return -found.right
    return found.places[0].found_m if isinstance(found, FoundPlace) and not found.few else found.within()


def _listed(parts: Sequence[str]) -> str:
    """Parts of a sentence: "a, b and c"."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
