"""`lmdk release --check`: a folder's guarantee, recomputed from what was published and from the owner's ledger."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.budgets import SCHEMES
from lmdk_widgets.errors import InputError
from lmdk_widgets.geo import Floats, LocalFrame, Region
from lmdk_widgets.leakage import temporal_loss
from lmdk_widgets.leakage.markov import NAMED_SMOOTHING, smoothed_identity
from lmdk_widgets.secure.folder import NAMES
from lmdk_widgets.secure.ledger import Ledger
from lmdk_widgets.secure.together import Together, largest_and_whole, minutes_of, upward
from lmdk_widgets.secure.track import Settings
from lmdk_widgets.trajectory.words import counted

STATES = 5
_DEGREES_M = 0.02
"""A place rounded to seven decimals is within this distance of the one drawn, metres."""
_NEAR = 1e-9
_ROUND = 1e-6
"""Tolerance, as the rates of places are rounded down and sums are computed in floating point."""


class Line(NamedTuple):
    """A statement and whether it holds."""

    holds: bool
    text: str


class Published(NamedTuple):
    """The contents of a release folder: the guarantee, the times, and the columns of numbers."""

    told: Mapping[str, Any]
    time: NDArray[np.datetime64]
    values: Floats


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
    lines = [_counts(published), *_places(published), *_noise(published), *_every(published)]
    if ledger is None:
        return [*lines, Line(True, "Only the owner’s ledger shows that the sums in the guarantee are right.")]
    entry, together = ledger.find(set(minutes_of(published.time).tolist()), subject, published.told)
    comparing = entry.get("comparison", 0.0)
    lines += _sums(published, entry["minutes"], together, comparing)
    return lines if chain is None else [*lines, _loss(published, entry, chain)]


def read_release(folder: Path) -> Published:
    """Read the files of a release.

    Raises
    ------
    InputError : a file that is missing or not part of a release.
    """
    try:
        told = json.loads((folder / NAMES[0]).read_text("utf-8"))
        with open(folder / NAMES[-1], encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))[1:]
        time = np.array([row[0].removesuffix("Z") for row in rows], "datetime64[ns]")
        values = np.array([list(map(float, row[1:])) for row in rows])
        if not str(told["what"]).startswith("a private release") or values.ndim != 2:
            raise ValueError
    except FileNotFoundError as error:
        raise InputError("The folder must contain a release", value=f"no {Path(error.filename).name}") from None
    except (ValueError, KeyError, TypeError, IndexError, OSError):
        what = f"The folder must contain a release, {NAMES[0]} and {NAMES[-1]}"
        raise InputError(what, value="other files") from None
    return Published(told, time, values)


def _counts(published: Published) -> Line:
    said = published.told.get("points", published.told.get("values"))
    n = len(published.time)
    return Line(n == said, f"{NAMES[-1]} has {counted(n, 'row')}, the guarantee says {said}.")


def _places(published: Published) -> list[Line]:
    """Whether all places are on the lattice or on the region's edge, and none is outside."""
    told = published.told
    if "frame" not in told:
        return []
    region = None if told.get("region") is None else Region(*told["region"])
    frame = LocalFrame(*told["frame"]["origin"])
    points = frame.to_metres(*published.values.T)
    step = float(told["lattice_step_m"])
    off = np.abs(points - np.round(points / step) * step)
    free = off > _DEGREES_M
    if region is not None:
        free &= np.abs(points[:, None, :] - region.bounds_m).min(axis=1) > _DEGREES_M  # moved to the edge afterwards
    off_lattice = int(free.any(axis=1).sum())
    lines = [Line(not off_lattice, f"{counted(off_lattice, 'place')} off the lattice of {step:g} m.")]
    if region is not None:
        low, high = region.bounds_m
        beyond = int(((points < low - _DEGREES_M) | (points > high + _DEGREES_M)).any(axis=1).sum())
        lines.append(Line(not beyond, f"{counted(beyond, 'place')} outside the region."))
    return lines


def _noise(published: Published) -> list[Line]:
    """The least and the most that the stated noise can have spent: the budgets themselves are not published."""
    told, n = published.told, len(published.time)
    if "frame" in told:
        settings = Settings(radius_m=told["protection_radius_m"], step_m=told["lattice_step_m"])
        low, high = (rate * float(settings.apart) for rate in told["epsilon_per_m_of_a_point"])
    else:
        low, high = told["epsilon_of_a_value"]
    whole, largest = told["sum_over_all_timestamps"], told["largest_sum_over_landmarks_and_one_other"]
    comparing, all_of = told.get("comparison_budget", 0.0), min(told["landmarks"] + 1, told["timestamps"])
    least, most = (rate * n + comparing * told["timestamps"] for rate in (low, high))
    together = high * min(all_of, n) + comparing * all_of
    between = least * (1 - _ROUND) <= whole <= most * (1 + _ROUND)
    return [
        Line(
            between,
            f"According to the noise, {counted(n, 'row')} spend between {upward(least)} and {upward(most)}; the guarantee "
            f"says {upward(whole)}.",
        ),
        Line(
            largest <= together * (1 + _ROUND),
            f"According to the noise, the landmarks and any one other timestamp spend at most {upward(together)}; the "
            f"guarantee says {upward(largest)}.",
        ),
    ]


def _every(published: Published) -> list[Line]:
    """Whether the total stated for all releases is at least that of this one."""
    told, every = published.told, published.told.get("all_releases_of_the_subject")
    if every is None:
        return []
    largest, whole = every["largest_sum_over_landmarks_and_one_other_minute"], every["sum_over_all_minutes"]
    least = (told["largest_sum_over_landmarks_and_one_other"], told["sum_over_all_timestamps"])
    return [
        Line(
            largest >= least[0] * (1 - _ROUND) and whole >= least[1] * (1 - _ROUND),
            f"{counted(every['releases'], 'release')} of the subject together: the landmarks and any one other minute spend "
            f"{upward(largest)}, all minutes {upward(whole)}; neither is less than for this release.",
        )
    ]


def _sums(
    published: Published, minutes: Mapping[Any, tuple[float, bool]], together: Together, comparing: float
) -> list[Line]:
    """The guarantee's sums, recomputed from the ledger's budgets, and the rates that follow from them."""
    told = published.told
    spent = {minute: budget for minute, (budget, _) in minutes.items()}
    largest, whole = largest_and_whole(spent, {minute for minute, (_, mark) in minutes.items() if mark})
    lines = [
        Line(_alike(whole, told["sum_over_all_timestamps"]), f"In the ledger, all timestamps spend {upward(whole)}."),
        Line(
            largest >= told["largest_sum_over_landmarks_and_one_other"] * (1 - _NEAR),
            f"In the ledger, the landmarks and any one other minute spend at most {upward(largest)}; the guarantee says "
            f"{upward(told['largest_sum_over_landmarks_and_one_other'])} for timestamps.",
        ),
    ]
    noisy = {minute: budget - comparing for minute, budget in spent.items() if budget > comparing * (1 + _ROUND)}
    noise = list(noisy.values())
    alone = len(minutes) == (told["timestamps"] if comparing else len(published.time))
    if comparing:
        same = _alike(comparing, told.get("comparison_budget", 0.0))
        lines.append(Line(same, f"In the ledger, each timestamp spends {upward(comparing)} on a comparison."))
    if comparing and alone:
        there = noisy.keys() == set(minutes_of(published.time).tolist())
        lines.append(Line(there, "The rows are at the minutes that were measured according to the ledger."))
    if alone and "protection_radius_m" in told:  # one timestamp per minute
        settings = Settings(radius_m=told["protection_radius_m"], step_m=told["lattice_step_m"])
        rates = [settings.rate(budget) for budget in noise]
        said = told["epsilon_per_m_of_a_point"]
        alike = _alike(min(rates), said[0]) and _alike(max(rates), said[1])
        lines.append(Line(alike, "The noise of each place follows from its budget, the radius and the lattice."))
    assert together.largest is not None and together.whole is not None
    every = "The one release" if together.of_the_subject == 1 else f"All {together.of_the_subject} releases"
    lines.append(
        Line(
            True,
            f"{every} of the subject in the ledger: the landmarks and any one "
            f"other minute spend at most {upward(together.largest)}, all minutes {upward(together.whole)}.",
        )
    )
    return lines


def _loss(published: Published, entry: Mapping[str, Any], chain: str) -> Line:
    """The largest temporal loss of these budgets in time order, for anyone who assumes this chain.

    A minute in which nothing was spent only lowers the loss, so those left out of the ledger do no harm. With comparisons
    every timestamp spends something, but those that were not measured are neither published nor in the ledger, which has
    only their digests, so their order is unknown. Instead, each timestamp counts with the most that the scheme can spend,
    as the loss grows with each budget.
    """
    told, minutes, comparing = published.told, entry["minutes"], entry.get("comparison", 0.0)
    if comparing:
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


def _alike(found: float, said: float) -> bool:
    return bool(abs(found - said) <= _ROUND * max(abs(found), abs(said)))
