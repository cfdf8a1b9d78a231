"""What the lesson on places computes: a city's cells with a prior, dilations, mechanisms, and how programs grow."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np

from lmdk_widgets.geoind import Solver, spanner
from lmdk_widgets.geoind.checkins import read_checkins
from lmdk_widgets.geoind.mechanisms import MECHANISMS, Assessment, Instance
from lmdk_widgets.geoind.solvers import Solvers
from lmdk_widgets.pages.place.evaluate import evaluate
from lmdk_widgets.pages.place.model import PlaceChoices
from lmdk_widgets.pages.place.outcome import Outcome
from lmdk_widgets.pages.place.prior import Sources


class DilationCost(NamedTuple):
    """What one dilation costs and saves.

    Attributes
    ----------
    dilation, reached : asked for, and reached by the greedy spanner. edges : of the spanner. constraints : inequalities
    of the linear programme. seconds : of a cold solve on this machine. loss_m : quality loss, metres. gap : proven.
    """

    dilation: float
    reached: float
    edges: int
    constraints: int
    seconds: float
    loss_m: float
    gap: float


def city(places: PlaceChoices, checkins: str | os.PathLike[str] = "") -> Outcome:
    """The cells with the prior of a check-in file, or of the made-up city if there is no such file.

    Examples
    --------
    >>> city(PlaceChoices(rows=4, columns=4), "no such file.csv").places.prior
    'city'
    """
    path = Path(checkins)
    if not os.fspath(checkins) or not path.is_file():
        return evaluate(places.with_changes(prior="city"))
    sources = Sources(checkins={"file": read_checkins(path.read_bytes())})
    return evaluate(places.with_changes(prior="checkins", checkins="file"), sources)


def popular(instance: Instance, count: int) -> Instance:
    """Only the likeliest places, as if there were no others: scattered, as real users' places are.

    Examples
    --------
    >>> found = popular(city(PlaceChoices(rows=5, columns=5)).instance, 10)
    >>> len(found), round(float(found.prior.sum()), 12), bool((np.diff(found.prior) <= 0).all())
    (10, 1.0, True)
    """
    chosen = np.argsort(-instance.prior, kind="stable")[:count]
    prior, other = instance.prior[chosen], instance.other[chosen]
    other = other / other.sum() if other.sum() > 0 else np.full(len(chosen), 1 / len(chosen))
    apart = instance.distances_m[np.ix_(chosen, chosen)]
    return Instance(instance.points_m[chosen], apart, prior / prior.sum(), other)


def compare_dilations(
    instance: Instance, epsilon_per_m: float, dilations: Iterable[float], *, tolerance: float = 1e-3
) -> list[DilationCost]:
    """Solves once for each dilation, cold; 1 means all pairs.

    A spanner needs two inequalities for each edge and report; all pairs need ``n^2 (n - 1)``.

    Examples
    --------
    >>> *_, cost = compare_dilations(city(PlaceChoices(rows=3, columns=3, prior="uniform")).instance, 0.001, [1.0, 1.1])
    >>> cost.edges, cost.constraints, round(cost.reached, 4)
    (20, 360, 1.0797)
    """
    n, found = len(instance), []
    for dilation in dilations:
        begun = perf_counter()
        solver = Solver(instance.distances_m, dilation=dilation)
        channel = solver.solve(instance.prior, epsilon_per_m, tolerance=tolerance)
        seconds = perf_counter() - begun
        edges = n * (n - 1) // 2 if dilation == 1 else len(spanner(instance.distances_m, dilation).edges)
        measured = seconds, channel.quality_loss, channel.gap
        found.append(DilationCost(dilation, solver.dilation, edges, 2 * n * edges, *measured))
    return found


def compare_mechanisms(
    instance: Instance, epsilon_per_m: float, dilation: float, mechanisms: Sequence[str], *, tolerance: float = 1e-3
) -> dict[str, Assessment]:
    """Each of the mechanisms, solved and assessed under both priors of the instance; OptPriv also solves the optimal one.

    Examples
    --------
    >>> found = compare_mechanisms(city(PlaceChoices(rows=3, columns=3)).instance, 0.001, 1.1, ["optimal", "planar"])
    >>> found["optimal"].loss_m < found["planar"].loss_m
    True
    """
    solvers = Solvers(tolerance)
    return {name: solvers.best(name, instance, epsilon_per_m, dilation) for name in mechanisms}


def constraint_growth(sides: Iterable[int], dilations: Sequence[float]) -> dict[str, list[int]]:
    """How many inequalities the linear programme of a square grid has: for all pairs, and with a spanner of each dilation.

    Examples
    --------
    >>> constraint_growth([2, 3], [1.1])
    {'all pairs': [48, 648], 'dilation 1.1': [48, 360]}
    """
    sides = list(sides)
    at = [np.stack(np.divmod(np.arange(side**2), side), axis=1) for side in sides]
    apart = [np.hypot(*np.moveaxis(places[:, None] - places, -1, 0)) for places in at]
    growth = {"all pairs": [len(places) ** 2 * (len(places) - 1) for places in at]}
    return growth | {f"dilation {d:g}": [spanner(each, d).constraints for each in apart] for d in dilations}


def cost_table(costs: Iterable[DilationCost]) -> str:
    """The costs of dilations as a table in Markdown.

    Examples
    --------
    >>> print(cost_table([DilationCost(1.1, 1.0796, 20, 360, 0.0312, 916.2, 2e-5)]).splitlines()[-1])
    | 1.1 | 1.080 | 360 | 0.03 | 916.2 | 2e-05 |
    """
    rows = ["| dilation | reached | constraints | seconds | quality loss, m | gap |", "|--:|--:|--:|--:|--:|--:|"]
    for p in costs:
        measured = f"{p.constraints:,} | {p.seconds:.2f} | {p.loss_m:.1f} | {p.gap:.0e}"
        rows.append(f"| {p.dilation:g} | {p.reached:.3f} | {measured} |")
    return "\n".join(rows)


def mechanism_table(assessed: Mapping[str, Assessment], radius_m: float) -> str:
    """Mechanisms as a table in Markdown: losses, adversary errors under both priors, epsilon certified within the radius."""
    head = "| mechanism | loss, m | adversary error, m | with the other prior, m | ε certified |"
    rows = [head, "|:--|--:|--:|--:|--:|"]
    for name, found in assessed.items():
        losses = " | ".join(f"{value:.0f}" for value in (found.loss_m, found.error_m, found.other_error_m))
        epsilon = found.channel.epsilon * radius_m
        certified = f"{epsilon:.4f}" if np.isfinite(epsilon) else "unbounded"
        rows.append(f"| {MECHANISMS[name].split(':')[0]} | {losses} | {certified} |")
    return "\n".join(rows)
