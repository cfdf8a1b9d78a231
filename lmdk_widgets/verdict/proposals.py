"""What would meet the limits, in words: a setting, what it gives, and what it makes worse and by how much."""

from __future__ import annotations

from collections.abc import Sequence

from lmdk_widgets.answers.averaging_attack import FoundAnswer, FoundLevel
from lmdk_widgets.answers.found_places import FoundPlace
from lmdk_widgets.page.amounts import numeral, whole
from lmdk_widgets.page.answers import NOTHING, of_100
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.scenario.model import SPREADS
from lmdk_widgets.verdict.answers_and_limits import (
    found_beside,
    found_words,
    nearest,
    reader_beside,
    reader_moved,
    reader_words,
    reads_worse,
)
from lmdk_widgets.verdict.judged_answers import Judged
from lmdk_widgets.verdict.missed_limits import NAMED, can_be, capital, guesses_words, how, misses
from lmdk_widgets.verdict.search import Tried

DOES = {True: "meets them", False: "comes nearer but still misses"}
"""What a proposal does to the limits."""

ONE = "one moment"
OF_100 = " of 100"
NO_WORSE = "Nothing gets worse."


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
    """A setting, and how it answers the limits that are missed now: "Epsilon 0.463 meets them: found only to within 200 m.";
    what it still misses. What gets worse is said by `cost`."""
    kept, missed = "; ".join(_kept_now(one.judged, now)), "; ".join(_still_missed(one.judged, now))
    subject = capital(setting_words(one, now, doing=True))
    if one.meets:
        return f"{subject} {DOES[True]}{f': {kept}' if kept else ''}."
    return f"{subject} comes nearer{f', {kept},' if kept else ''} but still misses: {missed}."


def _kept_now(then: Judged, now: Judged) -> list[str]:
    """What keeps a limit there that is missed now."""
    said = []
    if now.missed[0] and not then.missed[0] and then.found is not None:
        said.append(_found_said(then) if then.found.is_found else "nothing is found")
    if now.missed[1] and not then.missed[1]:
        said.append(f"a reader {reader_words(then)}")
    return said


def _still_missed(then: Judged, now: Judged) -> list[str]:
    """What misses a limit there, and by how much; of a reader, who is named where it is missed now, without the subject."""
    found, reader, guesses = then.missed
    said = []
    if found:
        most = found_beside(then)[1]
        beyond = f"above {most.removesuffix(OF_100)}" if isinstance(then.found, FoundAnswer) else f"nearer than {most}"
        said.append(f"{_found_said(then)}, {beyond}")
    if reader:
        beyond = "below" if then.outcome.kind.counts_wrong else "above"
        reads = reader_words(then)
        told = reads.removeprefix("is ").removeprefix("gets ") if now.missed[1] else f"a reader {reads}"
        said.append(f"{told}, {beyond} {reader_beside(then)[1]}")
    if guesses:
        many = can_be(then.promised.one)
        above = guesses_words(then)
        said.append(
            sentence("of 100 guesses {many_can_be} right, above {most_guesses}", many_can_be=many, most_guesses=above)
        )
    return said


def _found_said(then: Judged) -> str:
    """ "found only to within 200 m", "guessed right in 72 of 100"."""
    near = found_words(then)
    return f"guessed right in {near}" if isinstance(then.found, FoundAnswer) else f"found {only(then)}to within {near}"


def cost(one: Tried, now: Judged) -> str:
    """What a setting makes worse, and by how much, in the words of the tiles, to stand beside its button: "Worse: a careful
    reader is off by 1.5 km, not 790 m."""
    then, said = one.judged, []
    if reads_worse(then, now):
        said.append(f"a careful reader {reader_moved(then, now)}")
    if found_worse(then, now):
        assert then.found is not None and now.found is not None
        verb = "guessed right in" if isinstance(then.found, FoundAnswer) else "found to within"
        said.append(f"{verb} {found_words(then)}, not {now.found.value()}")
    for k, (what, after, before) in enumerate(_promised_less(then, now)):
        told = f"{of_100(after)}{OF_100 * (k == 0)}" if after < NOTHING else "nothing"
        about = "" if what == ONE else "landmarks " if k else "about the landmarks "
        said.append(f"{'' if k else 'promised '}{about}{told}, not {of_100(before)}")
    if then.silent > now.silent:
        silent, n = whole(then.silent), whole(len(then.outcome))
        said.append(sentence("{silent} of {timestamps} timestamps left silent", silent=silent, timestamps=n))
    return f"Worse: {'; '.join(said)}." if said else NO_WORSE


def proposed(one: Tried, now: Judged) -> str:
    """A setting, what it gives, and what gets worse and by how much."""
    costs = worse(one, now)
    said = f"but {'; '.join(costs)}" if costs else "nothing gets worse"
    even_so = "".join(f" Even so, {miss[:1].lower()}{miss[1:]}" for miss in misses(one.judged))
    subject = capital(setting_words(one, now, doing=True))
    return f"{subject} {DOES[one.meets]}: {'; '.join([*_gains(one, now), said])}.{even_so}"


def setting_words(one: Tried, now: Judged, *, doing: bool = False) -> str:
    """What is changed: "leave out home and work, epsilon 0.27", or with `doing` as the subject of a sentence."""
    scenario, present = one.scenario, now.outcome.scenario
    epsilon = sentence("epsilon {epsilon}", epsilon=Written(f"{scenario.epsilon:.3g}", scenario.epsilon))
    moved = scenario.epsilon != present.epsilon or present.spread.given != "epsilon"
    if one.left_out:
        names = [place.called for place in one.left_out]
        what: str = sentence("{left_places} lasting places", left_places=numeral(len(names)))
        if len(names) <= NAMED:
            what = _listed(names)
        if doing:
            return f"leaving out {what}{f', at {epsilon},' * moved}"
        return f"leave out {what}{f', {epsilon}' * moved}"
    title = SPREADS[scenario.scheme].title
    if scenario.scheme == present.scheme:
        return epsilon if doing else f"use {epsilon}"
    return f"{title} at {epsilon}" if doing else f"use {title}, {epsilon}"


def worse(one: Tried, now: Judged) -> list[str]:
    """What a setting makes worse, and by how much; nothing where no answer gets worse."""
    then, found = one.judged, []
    if reads_worse(then, now):
        found.append(f"a careful reader {reader_moved(then, now)}")
    if found_worse(then, now):
        assert then.found is not None and now.found is not None
        found.append(f"averaging gives {found_words(then)}, not {now.found.value()}")
    for what, after, before in _promised_less(then, now):
        found.append(f"of 100 guesses about {what} {can_be(after)} right, not {of_100(before)}")
    if then.silent > now.silent:
        found.append(
            sentence(
                "{silent} of {timestamps} timestamps have no report, and that silence shows when you are there",
                silent=whole(then.silent),
                timestamps=whole(len(then.outcome)),
            )
        )
    return found


def _promised_less(then: Judged, now: Judged) -> list[tuple[str, float, float]]:
    """About what more can be guessed: "one moment", "the eight landmarks and any one other"; the chances then and now."""
    both = [
        (ONE, then.promised.one, now.promised.one),
        (now.promised.who, then.promised.together, now.promised.together),
    ]
    return [(what, after, before) for what, after, before in both if what and int(of_100(after)) > int(of_100(before))]


def found_worse(then: Judged, now: Judged) -> bool:
    """Whether averaging visibly comes nearer."""
    if then.found is None or now.found is None or then.found.value() == now.found.value():
        return False
    return nearest(then.found) < nearest(now.found) * (1 - 1e-6)


def only(judged: Judged) -> str:
    """ "only " where what is found is farther than its limit."""
    return "only " if judged.found_limit is not None and not judged.missed[0] else ""


def _gains(one: Tried, now: Judged) -> list[str]:
    """What is found there, and what it is worth if that is not worse."""
    found, said = one.judged.found, []
    if found is not None:
        at = f"found {only(one.judged)}to within {found_words(one.judged)}" if found.is_found else "not found"
    if isinstance(found, FoundPlace) and not found.few:
        near = found.nearest
        several = "the nearest place, " * (len(one.left_out) > 1)
        said.append(f"{several}{near.your}{',' * bool(several)} is {at}{how(near) if found.is_found else ''}")
    elif isinstance(found, FoundPlace):
        said.append(f"each report is {at}" if found.is_found else "no report is found")
    elif isinstance(found, FoundLevel):
        said.append(f"a level is {at}" if found.is_found else "no level is found")
    elif found is not None:
        right = f"guessed right in {found_words(one.judged)}"
        said.append(f"the main answer is {right}" if found.is_found else "no answer is found")
    if one.judged.worth is not None and not reads_worse(one.judged, now):
        said.append(f"a careful reader {reader_words(one.judged)}")
    return said


def _listed(parts: Sequence[str]) -> str:
    """Parts of a sentence: "a, b and c"."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last
