"""The landmark paper's evaluations on data in its shapes: errors, dummies and losses, as rows of tables.

`python -m docs.paper_tables` writes the tables into `papers_found.md`; the notebook shows the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import log
from typing import TYPE_CHECKING

from lmdk_widgets.budgets import proposed_chance
from lmdk_widgets.page.amounts import amount, count, metres, percent
from lmdk_widgets.study import Study
from lmdk_widgets.study.layouts import LAYOUTS

if __package__:
    from docs.criteria import Finding
    from docs.findings import error_findings, loss_findings
    from docs.paper_data import LENGTH, Own, paper_data
else:  # in the notebook, which runs in this folder
    from criteria import Finding
    from findings import error_findings, loss_findings
    from paper_data import LENGTH, Own, paper_data

if TYPE_CHECKING:
    from pandas import DataFrame

REPETITIONS, READ = 20, 5
"""Of each setting; the paper has 100. The reader's error is that of the first of them, as it takes longest."""

SHARES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
SCHEMES = ("uniform", "skip", "adaptive")
RADII_M = (2.0, 200.0)
"""Protection radii of the taxi: the mean noise at ε = 1 is 4 m, far less than a street, or 400 m."""

MEASURES = ("mean_error_m", "reader_error_m", "nothing_m", "published", "landmarks")

ERROR_HEAD = "| data | landmarks | Uniform | its reader | Skip | its reader | Adaptive | its reader | no data |"
DUMMY_HEAD = "| data | dummies | their ε | protected | released | reader | no data |"
LOSS_HEAD = "| correlation | layout | mean distance | loses by itself | loses with the landmarks |"

DUMMY_SHARE, DUMMY_MOST = 0.02, 100
"""Share of landmarks to which dummies are added, and the most of them by the paper's methods."""

DUMMY_EPSILONS = (0.1, 1.0, 10.0, 1000.0)
CORRELATED = ("weak", "moderate", "strong")
LOSS_SHARE = 0.2
"""The share of landmarks in the table of losses."""


def error_study(
    names: tuple[str, ...], repetitions: int = REPETITIONS, shares: tuple[float, ...] = SHARES, own: Own | None = None
) -> Study:
    """The study of errors on some of the three data sets, at ε = 1; a taxi needs a radius.

    Parameters
    ----------
    names : of the data, all series or only the taxi. own : your own files, as for `paper_data`.
    """
    grid: dict[str, object] = {"scheme": [*SCHEMES], "share": [*shares], "layout": [*LAYOUTS], "correlation": "none"}
    if "taxi" in names:
        grid["radius_m"] = [*RADII_M]
    data = paper_data(own)
    tracks = {name: data[name] for name in names}
    return Study(tracks, grid, repetitions=repetitions, measures=[*MEASURES], read=min(READ, repetitions))


def error_rows(frame: DataFrame) -> Iterator[tuple[str, ...]]:
    """Means over layouts and repetitions: what is released, what a careful reader makes of it, and without data."""
    keys = ["track", *(["radius_m"] if "radius_m" in frame else []), "share"]
    for key, some in frame.groupby(keys, observed=True):
        name, share = str(key[0]), float(key[-1])
        write = _written(name)
        cells = []
        for scheme in SCHEMES:
            mean = some[some.scheme == scheme][["mean_error_m", "reader_error_m"]].mean()
            cells += [
                write(float(value)) if value == value else "nothing"
                for value in (mean.mean_error_m, mean.reader_error_m)
            ]
        told = f"{name}, radius {metres(float(key[1]))}" if "radius_m" in frame else name
        yield told, str(percent(share)), *cells, write(float(some.nothing_m.mean()))


def _written(name: str) -> Callable[[float], str]:
    """How an error of these data is written: metres, kWh, or the share of wrong answers."""
    by_name = {"taxi": metres, "contacts": percent}
    return lambda value: str(by_name[name](value)) if name in by_name else f"{amount(value)} kWh"


def on(data: str, findings: list[Finding]) -> list[Finding]:
    """The findings, with the data that they are about."""
    return [one._replace(claim=f"{data}: {one.claim}") for one in findings]


def error_verdicts(series: tuple[Study, DataFrame], taxi: tuple[Study, DataFrame]) -> list[Finding]:
    """What the paper says of errors, on the two series and on the taxi; contacts have no range to be small."""
    *both, ranged = error_findings(*series)
    return [*on("Contacts and household", both), *on("Household", [ranged]), *on("Taxi", error_findings(*taxi))]


def dummy_study(
    name: str, repetitions: int = REPETITIONS, methods: tuple[str, ...] = ("random", "greedy", "histogram")
) -> Study:
    """Uniform on a series with dummies by three methods; "optimal" would have to try more sequences than anybody can."""
    grid = {
        "scheme": "uniform",
        "correlation": "none",
        "share": DUMMY_SHARE,
        "layout": "uniform",
        "hide": True,
        "hide_method": [*methods],
        "hide_epsilon": [*DUMMY_EPSILONS],
        "hide_most": DUMMY_MOST,
    }
    measures = ["mean_error_m", "reader_error_m", "nothing_m", "protected", "landmarks"]
    return Study({name: paper_data()[name]}, grid, repetitions=repetitions, measures=measures)


def dummy_rows(frame: DataFrame) -> Iterator[tuple[str, ...]]:
    """For each method and epsilon: how many timestamps are protected, and the errors on them."""
    for (name, method), some in frame.groupby(["track", "hide_method"], observed=True):
        write = _written(str(name))
        for epsilon, each in [("", some)] if method == "random" else some.groupby("hide_epsilon", observed=True):
            landmarks = int(each.landmarks.mean())
            cost = f"{epsilon:g}" if epsilon else f"ln(1/p) = {amount(-log(proposed_chance(LENGTH, landmarks)))}"
            mean = each[["mean_error_m", "reader_error_m", "nothing_m", "protected"]].mean()
            protected = f"{count(round(mean.protected), 'timestamp')}, {landmarks} of them landmarks"
            errors = (write(float(mean[column])) for column in ("mean_error_m", "reader_error_m", "nothing_m"))
            yield str(name), str(method), cost, protected, *errors


def loss_study(repetitions: int = REPETITIONS, shares: tuple[float, ...] = SHARES[1:-1]) -> Study:
    """The study of losses over 1,000 timestamps: with named chains they depend on no value, so one data set is enough."""
    grid = {"scheme": "uniform", "correlation": [*CORRELATED], "layout": [*LAYOUTS], "share": [*shares]}
    measures = ["landmark_distance", "own_loss", "mean_landmark_loss"]
    return Study({"contacts": paper_data()["contacts"]}, grid, repetitions=repetitions, measures=measures)


def loss_rows(frame: DataFrame) -> Iterator[tuple[str, ...]]:
    """Means over repetitions at one share of landmarks."""
    some = frame[frame.share == LOSS_SHARE]
    for (chain, layout), each in some.groupby(["correlation", "layout"], observed=True, sort=False):
        mean = each[["landmark_distance", "own_loss", "mean_landmark_loss"]].mean()
        yield str(chain), str(layout), *(str(amount(float(value))) for value in mean)


def loss_verdicts(study: Study, frame: DataFrame) -> list[Finding]:
    """What the paper says of losses under moderate and strong correlation; of weak correlation it says nothing."""
    return loss_findings(study, frame)[1:]
