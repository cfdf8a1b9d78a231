"""`lmdk release --check`: a folder's guarantee, recomputed from what was published and from the owner's ledger.

What the files alone show is in `received_lines`; the page of a release computes the same. Then the guarantee is restated from
its numbers and compared as text, so no sentence, name or number can differ. Only the ledger shows that the numbers, the
places and the times are those that were released: its entry has the digests of the files, and the budgets.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lmdk_widgets.budgets import FIXED_SCHEMES, SCHEMES, allocate
from lmdk_widgets.checks import joined
from lmdk_widgets.geo import LocalFrame, Region
from lmdk_widgets.leakage import temporal_loss
from lmdk_widgets.leakage.markov import NAMED_SMOOTHING, smoothed_identity
from lmdk_widgets.secure.folder import NAMES, digest_of, guarantee_text, page_holds
from lmdk_widgets.secure.ledger import Found, Ledger
from lmdk_widgets.secure.points import Guarantee
from lmdk_widgets.secure.published import Published, read_release
from lmdk_widgets.secure.spending import GIVEN, Spending, Sums, most_together, stated_settings
from lmdk_widgets.secure.together import largest_and_whole, minutes_of, upward
from lmdk_widgets.secure.track import stated_track
from lmdk_widgets.trajectory.words import counted

STATES = 5
_DEGREES_M = 0.02
"""A place rounded to seven decimals is within this distance of the one drawn, metres."""
_LARGEST_NOISE, _ROUND_THE_EARTH_M = 60.0, 2e7
"""No noise exceeds this number divided by its epsilon per metre, but once in e^55; half the way round, metres."""
_ROUND = 1e-9
"""Tolerance of sums, which are computed in floating point, and of what OpenDP certifies."""


class Line(NamedTuple):
    """A statement and whether it holds; None: it cannot be checked."""

    holds: bool | None
    text: str


def check_release(
    folder: Path, ledger: Ledger | None = None, *, subject: str = "", chain: str | None = None
) -> list[Line]:
    """What can be found out about a release without the true data.

    Parameters
    ----------
    folder : contains guarantee.json and release.csv. ledger : the owner's, without which sums cannot be recomputed;
        None for those who receive the release. subject : the person whose data these are.
    chain : a key of `NAMED_SMOOTHING`, to compute the temporal loss as well.

    Raises
    ------
    InputError : files that are not a release, or a release that is not in the ledger.
    """
    published = read_release(folder)
    lines = [*_restated(published), *_page(published)]
    if not _readable(published):
        return [*received_lines(published), *lines]
    received = received_lines(published)
    lines = [*received[:-1], *lines, _total(published), *_by_scheme(published)]
    if ledger is None:
        return [*lines, received[-1]]
    found = ledger.find(set(minutes_of(published.time).tolist()), subject, published.told, published.files)
    lines += [*_files(found), *_entry(published, found), *_sums(published, found), *_every_sum(published, found)]
    return lines if chain is None else [*lines, _loss(published, found, chain)]


def received_lines(published: Published) -> list[Line]:
    """What guarantee.json and release.csv show by themselves: the page of a release says the same."""
    lines = [_digest(published), *_counts(published)]
    if not _readable(published):
        return lines
    lines += [_order(published), *_places(published), *_noise(published), *_every(published)]
    text = (
        "Only the owner’s ledger shows that the sums in the guarantee are right, and that both files are those that were "
        f"released: someone who changed {NAMES[0]} and {NAMES[-1]} together goes unnoticed without it."
    )
    return [*lines, Line(None, text)]


def _readable(published: Published) -> bool:
    """Whether there are rows, and each is a time and finite numbers."""
    return published.rows > 0 and not published.wrong


def _digest(published: Published) -> Line:
    """Whether what was released has the digest that the guarantee states."""
    said = published.told.get("release_sha256")
    if said is None:
        text = (
            f"The guarantee, by version 1.0 or before, states no digest of {NAMES[-1]}: whether a place, a time or the "
            "order of rows was changed is not known without the ledger."
        )
        return Line(None, text)
    return Line(digest_of(published.files[NAMES[-1]]) == said, f"{NAMES[-1]} has the digest that the guarantee states.")


def _counts(published: Published) -> list[Line]:
    said = published.told.get("points", published.told.get("values"))
    n, wrong = published.rows, published.wrong
    return [
        Line(n == said, f"{NAMES[-1]} has {counted(n, 'row')}, the guarantee says {said}."),
        Line(not wrong, f"{counted(wrong, 'line')} of {NAMES[-1]} without a time and finite numbers."),
    ]


def _order(published: Published) -> Line:
    behind = int((published.time[1:] < published.time[:-1]).sum())
    return Line(not behind, f"{counted(behind, 'row')} earlier than the row before.")


def _places(published: Published) -> list[Line]:
    """Whether all places are on the lattice or on the region's edge, and none is outside."""
    told = published.told
    if "frame" not in told:
        return []
    region = None if told.get("region") is None else Region(*told["region"])
    frame = LocalFrame(*told["frame"]["origin"])
    points = frame.to_metres(*published.values.T)
    step = float(told["lattice_step_m"])
    if step <= 2 * _DEGREES_M:
        lines = [Line(None, f"The lattice of {step:.6g} m is finer than the digits of the places.")]
    elif region is None and told["epsilon_per_m_of_a_point"][0] < _LARGEST_NOISE / _ROUND_THE_EARTH_M:
        lines = [Line(None, "The noise is large enough for places to go round the Earth, and off the lattice.")]
    else:
        on = np.abs(points - np.round(points / step) * step) <= _DEGREES_M
        if region is not None:
            on |= np.abs(points[:, None, :] - region.bounds_m).min(axis=1) <= _DEGREES_M  # moved to the edge afterwards
        off_lattice = int((~on).any(axis=1).sum())
        lines = [Line(not off_lattice, f"{counted(off_lattice, 'place')} off the lattice of {step:.6g} m.")]
    if region is not None:
        low, high = region.bounds_m
        beyond = int(((points < low - _DEGREES_M) | (points > high + _DEGREES_M)).any(axis=1).sum())
        lines.append(Line(not beyond, f"{counted(beyond, 'place')} outside the region."))
    return lines


def _rates(told: Mapping[str, Any]) -> tuple[float, float]:
    """The smallest and the largest budget that the stated noise spends on a row."""
    if "frame" in told:
        apart = float(stated_track(told).apart)
        low, high = (rate * apart for rate in told["epsilon_per_m_of_a_point"])
    else:
        low, high = told["epsilon_of_a_value"]
    return low, high


def _noise(published: Published) -> list[Line]:
    """The least and the most that the stated noise can have spent: the budgets themselves are not published.

    At least as many landmarks are measured as there are more landmarks than timestamps that are not. The row with the
    largest budget is always among the landmarks and the one other timestamp that spend most.
    """
    told, n = published.told, published.rows
    (low, high), (largest, whole, timestamps) = _rates(told), Sums.stated(told)
    marks, comparing = told["landmarks"], told.get("comparison_budget", 0.0)
    all_of = min(marks + 1, timestamps)
    measured = max(0, marks - (timestamps - n))
    sums = tuple(one + other * (n - 1) + comparing * timestamps for one, other in ((high, low), (low, high)))
    tops = (high + low * (min(measured + 1, n) - 1) + comparing * all_of, high * min(all_of, n) + comparing * all_of)
    return [
        Line(
            _between(sums[0], whole, sums[1]),
            f"According to the noise, {counted(n, 'row')} spend between {upward(sums[0])} and {upward(sums[1])}; the "
            f"guarantee says {upward(whole)}.",
        ),
        Line(
            _between(tops[0], largest, tops[1]),
            f"According to the noise, the landmarks and any one other timestamp spend between {upward(tops[0])} and "
            f"{upward(tops[1])}; the guarantee says {upward(largest)}.",
        ),
    ]


def _every(published: Published) -> list[Line]:
    """Whether the total stated for all releases is at least that of this one, and the same if this is the only one."""
    told, every = published.told, published.told.get("all_releases_of_the_subject")
    if every is None:
        return []
    largest, whole = every["largest_sum_over_landmarks_and_one_other_minute"], every["sum_over_all_minutes"]
    least = Sums.stated(told)
    alone = every["releases"] > 1 or _alike(whole, least.whole)
    at_least = largest >= least.top * (1 - _ROUND) and whole >= least.whole * (1 - _ROUND)
    return [
        Line(
            at_least and alone and largest <= whole * (1 + _ROUND),
            f"{counted(every['releases'], 'release')} of the subject together: the landmarks and any one other minute spend "
            f"{upward(largest)}, all minutes {upward(whole)}; neither is less than for this release.",
        )
    ]


def _restated(published: Published) -> list[Line]:
    """Whether the guarantee is, byte for byte, the one that follows from its numbers."""
    told, restated = published.told, published.restated
    differs = [name for name in {**restated, **told} if restated.get(name, ...) != told.get(name, ...)]
    if differs:
        what = f"{joined(differs, 'and')} {'does' if len(differs) == 1 else 'do'}"
        return [Line(False, f"In {NAMES[0]}, {what} not follow from the numbers.")]
    same = published.files[NAMES[0]] == guarantee_text(restated)
    text = f"{NAMES[0]} is written exactly as it follows from its numbers, with every sentence."
    return [Line(same, text)]


def _total(published: Published) -> Line:
    """Whether the total of the noise is that of its rows."""
    told, n = published.told, published.rows
    total: float | None
    if "frame" in told:
        (low, high), unit = told["epsilon_per_m_of_a_point"], " per metre"
        total = Guarantee.stated(told, compared=stated_track(told).comparison > 0).total_epsilon_per_m
    else:
        (low, high), unit = told["epsilon_of_a_value"], ""
        total = told.get("epsilon_of_all_values")
    if total is None:
        return Line(None, "The guarantee, by version 1.0 or before, states what all values spend only in a sentence.")
    text = (
        f"The noise of {counted(n, 'row')} is between {upward(low)} and {upward(high)}{unit}, in total {upward(total)}."
    )
    return Line(_between(n * low, total, n * high), text)


def _page(published: Published) -> list[Line]:
    """Whether guarantee.html is the page of this guarantee."""
    page = published.files.get(NAMES[1])
    if page is None:
        return [Line(None, f"The folder has no {NAMES[1]}.")]
    return [Line(*one) for one in page_holds(page, published.restated)]


def _by_scheme(published: Published) -> list[Line]:
    """Whether the sums are those of the scheme. Fixed budgets depend on the number of landmarks, not on their places."""
    told, sums = published.told, Sums.stated(published.told)
    name, epsilon = told["scheme"], told["epsilon"]
    if name == GIVEN:
        return []
    title = SCHEMES[name].title
    if name not in FIXED_SCHEMES:
        most = most_together(Spending(**stated_settings(told)))
        text = (
            f"With {title} and epsilon {epsilon:.6g}, the landmarks and any one other timestamp spend at most "
            f"{upward(most)}; the guarantee says {upward(sums.top)}."
        )
        return [Line(sums.top <= most * (1 + _ROUND), text)]
    if SCHEMES[name].windowed and told.get("window") is None:
        return [Line(None, f"The guarantee, by version 1.0 or before, does not state the window of {title}.")]
    marks = stated_settings(told)["landmarks"]
    budgets = allocate(name, sums.timestamps, marks, epsilon, window=told.get("window"))
    right, spent, (low, high) = Sums.of(budgets, marks), budgets[budgets > 0], _rates(told)
    alike = _alike(right.top, sums.top) and _alike(right.whole, sums.whole) and len(spent) == published.rows
    noise = len(spent) > 0 and _alike(low, float(spent.min())) and _alike(high, float(spent.max()))
    text = (
        f"With {title} and epsilon {epsilon:.6g}, the landmarks and any one other timestamp spend {upward(right.top)}, all "
        f"timestamps {upward(right.whole)}, and the noise of each row is that of its budget."
    )
    return [Line(alike and noise, text)]


def _files(found: Found) -> list[Line]:
    """Whether the files are those that were released."""
    if found.files is None:
        text = (
            "The entry in the ledger was made by version 1.0 or before, without digests of the files: whether a place, the "
            "order of rows or the seconds of a time were changed is not known."
        )
        return [Line(None, text)]
    return [Line(same, f"{name} is, byte for byte, the file that was released.") for name, same in found.files.items()]


def _entry(published: Published, found: Found) -> list[Line]:
    """Whether the settings are those of the ledger, exactly."""
    told, entry = published.told, found.entry
    names = {"scheme": "scheme", "epsilon": "epsilon", "radius_m": "protection_radius_m", "sensitivity": "sensitivity"}
    same = all(entry[name] == told.get(other) for name, other in names.items() if name in entry)
    alone = len(found.minutes) == (told["timestamps"] if entry.get("comparison") else published.rows)
    marks = told["landmarks"]
    lines = [Line(same, "The settings are those in the ledger.")]
    text = f"In the ledger, {counted(found.marked, 'minute')} with a landmark; the guarantee says {marks:,} landmarks."
    return [*lines, Line(found.marked == marks if alone else found.marked <= marks, text)]


def _sums(published: Published, found: Found) -> list[Line]:
    """The guarantee's sums, recomputed from the ledger's budgets, and the rates that follow from them."""
    told, comparing = published.told, found.entry.get("comparison", 0.0)
    said = Sums.stated(told)
    spent = {minute: budget for minute, (budget, _) in found.minutes.items()}
    largest, whole = largest_and_whole(spent, {minute for minute, (_, mark) in found.minutes.items() if mark})
    alone = len(spent) == (told["timestamps"] if comparing else len(published.time))  # one timestamp per minute
    text = (
        f"In the ledger, the landmarks and any one other minute spend at most {upward(largest)}; the guarantee says "
        f"{upward(said.top)} for timestamps."
    )
    lines = [
        Line(_alike(whole, said.whole), f"In the ledger, all timestamps spend {upward(whole)}."),
        Line(_alike(largest, said.top) if alone else said.top <= largest * (1 + _ROUND), text),
    ]
    same = _alike(comparing, told.get("comparison_budget", 0.0))
    noisy = {minute: budget - comparing for minute, budget in spent.items() if budget > comparing * (1 + _ROUND)}
    if comparing or not same:
        lines.append(Line(same, f"In the ledger, each timestamp spends {upward(comparing)} on a comparison."))
    if not alone:
        text = "Some minutes have several timestamps, and the ledger adds up their budgets: the noise of each is not known."
        return [*lines, Line(None, text)]
    if comparing:
        there = noisy.keys() == set(minutes_of(published.time).tolist())
        lines.append(Line(there, "The rows are at the minutes that were measured according to the ledger."))
    low, high = _rates(told)
    alike = bool(noisy) and _alike(min(noisy.values()), low) and _alike(max(noisy.values()), high)
    what = "place follows from its budget, the radius and the lattice" if "frame" in told else "value from its budget"
    return [*lines, Line(alike, f"The noise of each {what}.")]


def _every_sum(published: Published, found: Found) -> list[Line]:
    """What all releases spend: as stated when this one was made, exactly, and now."""
    then, now = found.then, found.now
    assert now.largest is not None and now.whole is not None
    stated = {name: published.told.get(name) for name in then.to_dict()}
    every = "The one release" if now.of_the_subject == 1 else f"All {now.of_the_subject} releases"
    return [
        Line(stated == then.to_dict(), "What all releases together spent then is what the ledger adds up to."),
        Line(
            True,
            f"{every} of the subject in the ledger: the landmarks and any one "
            f"other minute spend at most {upward(now.largest)}, all minutes {upward(now.whole)}.",
        ),
    ]


def _loss(published: Published, found: Found, chain: str) -> Line:
    """The largest temporal loss of these budgets in time order, for anyone who assumes this chain.

    A minute in which nothing was spent only lowers the loss, so those left out of the ledger do no harm. With comparisons
    every timestamp spends something, but those that were not measured are neither published nor in the ledger, which has
    only their digests, so their order is unknown. Instead, each timestamp counts with the most that the scheme can spend,
    as the loss grows with each budget.
    """
    told, minutes, entry = published.told, found.minutes, found.entry
    if comparing := entry.get("comparison", 0.0):
        epsilon, count = entry["epsilon"], max(told["timestamps"], len(minutes))
        most = SCHEMES[entry["scheme"]].largest(epsilon, round(epsilon / (2 * comparing)), 0.0)
        budgets = [most] * count
        why = (
            " The times at which only a comparison was made are not published, so this counts the most that each of the "
            f"{counted(count, 'timestamp')} could have spent, {upward(most)}, and not what it did spend."
        )
    else:
        budgets, why = [minutes[minute][0] for minute in sorted(minutes)], ""
    matrix = smoothed_identity(STATES, NAMED_SMOOTHING[chain])
    loss = float(np.max(temporal_loss(matrix, matrix, budgets).total))
    what = "places at most a radius apart" if "frame" in told else "values"
    return Line(
        True,
        f"Someone who assumes that {STATES} {what} follow the {chain} chain, from a stationary start, can change "
        f"the odds of the truth at one timestamp by a factor of at most e^{upward(loss)}.{why}",
    )


def _between(low: float, value: float, high: float) -> bool:
    return low * (1 - _ROUND) <= value <= high * (1 + _ROUND)


def _alike(found: float, said: float) -> bool:
    return math.isclose(found, said, rel_tol=_ROUND)
