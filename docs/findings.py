"""What the landmark paper found, checked against the results of a study; the sentences are computed from its numbers.

Katsomallos, Tzompanaki, Kotzinos, "Landmark privacy", CODASPY 2022, evaluate their schemes on three data sets of their own;
here the same questions are asked about tracks. The bundled study files `landmark_error` and `landmark_loss` have what is
needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from lmdk_widgets.checks import joined
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.amounts import amount, metres, percent
from lmdk_widgets.scenario.ground import ground_of
from lmdk_widgets.scenario.model import CORRELATIONS, Scenario
from lmdk_widgets.scenario.written_values import written_in
from lmdk_widgets.study.grid import VARIED
from lmdk_widgets.study.model import Study
from lmdk_widgets.trajectory.model import Trajectory
from lmdk_widgets.trajectory.series import Series as Numbers

if __package__:
    from docs.criteria import Criterion, Finding, none_of
else:  # in the notebook, which runs in this folder
    from criteria import Criterion, Finding, none_of

if TYPE_CHECKING:
    from pandas import DataFrame, Series

COMPARED = ("uniform", "skip", "adaptive")

FAR = 4.5
"""Beyond this many standard errors, a mean is not put down to chance: with a thousand means, one study in 150 exceeds it."""


def error_findings(study: Study, frame: DataFrame) -> list[Finding]:
    """What the paper says about errors: how Uniform's error grows, which scheme is reliable, and where Skip is best.

    Parameters
    ----------
    study : varies `scheme` (with "uniform", "skip" and "adaptive") and `share`, and has the measure `mean_error_m`.
    frame : its results.

    Raises
    ------
    InputError : the study lacks one of these.
    """
    _needs(study, ("scheme", "share"), ("mean_error_m", "landmarks"))
    if not set(COMPARED) <= set(study.axes["scheme"]):
        raise InputError("The study must compare uniform, skip and adaptive", value=joined(study.axes["scheme"], "and"))
    table = _with_noise(study, frame)
    return [_growth(study, table), _reliable(study, table), _small_range(study, table)]


def loss_findings(study: Study, frame: DataFrame) -> list[Finding]:
    """What the paper says about correlation, one finding for each: landmarks far from the regular timestamps mean more loss.

    Parameters
    ----------
    study : varies `correlation`, `layout` and `share`, and has the measures `landmark_distance`, `own_loss` and
        `mean_landmark_loss`.
    frame : its results.

    Raises
    ------
    InputError : the study lacks one of these.
    """
    _needs(study, ("correlation", "layout", "share"), ("landmark_distance", "own_loss", "mean_landmark_loss"))
    return [_by_distance(study, frame, correlation) for correlation in study.axes["correlation"]]


def _needs(study: Study, axes: Iterable[str], measures: Iterable[str]) -> None:
    for what, names, given in (("choices", axes, study.axes), ("measures", measures, study.measures)):
        missing = [name for name in names if name not in given]
        if missing:
            raise InputError(f"The study must have the {what} {joined(names, 'and')}", value=f"none of {missing[0]}")


def _with_noise(study: Study, frame: DataFrame) -> DataFrame:
    """The results with `uniform_m`, the mean error that Uniform's formula expects, and `n`, the number of timestamps."""
    default = Scenario()
    keys = [frame.track.astype(str), frame.landmarks.astype(int)]
    for name in ("radius_m", "epsilon"):
        keys.append(frame[name].astype(float) if name in frame else [getattr(default, name)] * len(frame))
    settings = [*zip(*keys, strict=True)]
    known = {each: _expected(study.tracks[each[0]], *each[1:]) for each in {*settings}}
    n = keys[0].map({name: len(each) for name, each in study.tracks.items()})
    return frame.assign(uniform_m=[known[each] for each in settings], n=n)


def _expected(track: Trajectory, landmarks: int, radius_m: float, epsilon: float) -> float:
    """Uniform's expected error: that of epsilon over |L| + 1 at every timestamp, or over n where all are landmarks."""
    ground = ground_of(Scenario(radius_m=radius_m), track)
    return float(ground.expected_at(epsilon / min(landmarks + 1, len(track))))


def _deviation(track: Trajectory, expected: float) -> float:
    """The standard deviation of one error over its mean: 1 / sqrt(2) for the length of planar Laplace noise, 1 for noise on
    numbers, and that of a coin for answers."""
    if not isinstance(track, Numbers):
        return sqrt(0.5)
    return sqrt((1 - expected) / expected) if track.is_answers else 1.0


def _growth(study: Study, table: DataFrame) -> Finding:
    """Each mean of Uniform against its formula, in standard errors of that mean."""
    uniform = table[table.scheme == "uniform"]
    by = [uniform.track.astype(str), uniform.share]
    off = (uniform.mean_error_m / uniform.uniform_m).groupby(by).mean() - 1
    spread = [_deviation(study.tracks[str(row.track)], row.uniform_m) ** 2 / row.n for row in uniform.itertuples()]
    each = uniform.assign(variance=spread).groupby(by).variance
    error = each.sum().pow(0.5) / each.count()
    times = float((off.abs() / error).max())
    parts = [
        f"{percent(float(off[name].abs().max()))} on {name}, where {percent(float(error[name].max()))} is one standard error"
        for name in study.tracks
    ]
    claim = "Uniform's error is that of epsilon over min(|L| + 1, n): event level at 0 %, user level at 100 %."
    said = f"Over all shares of landmarks, the mean differs from the formula by at most {joined(parts, 'and')}."
    if times > FAR:
        said = f"The mean differs from the formula by up to {joined(parts, 'and')}: more than chance explains."
    return Finding(claim, (Criterion("largest difference in standard errors", times, "≤", FAR),), said)


def _reliable(study: Study, table: DataFrame) -> Finding:
    """How far each scheme is from the best one in the worst case, for each track and noise."""
    error, cell = _errors(study, table), [name for name in study.axes if name != "scheme"]
    worst = error.div(error.min(axis=1), axis=0).groupby(level=["track", *_varied(study, cell)], observed=True).max()
    least = worst.adaptive <= worst.min(axis=1)
    lines = [
        f"{amount(row.adaptive)} on {_named(study, where)} (Uniform {amount(row.uniform)}, Skip {amount(row.skip)})"
        for where, row in worst.iterrows()
    ]
    said = (
        f"Its worst case is the mildest of the three in {int(least.sum())} of {len(least)} cases. Its error at the worst "
        f"share and layout, as a multiple of the best scheme's: {'; '.join(lines)}."
    )
    worse = none_of("cases in which another scheme's worst case is milder", int((~least).sum()))
    return Finding("Adaptive is the most reliable of the three.", (worse,), said)


def _errors(study: Study, table: DataFrame) -> DataFrame:
    """The mean error in every setting, one column per scheme; Skip has none where all timestamps are landmarks."""
    some = _mixed(table)
    keys = [some[name] for name in ("track", *study.axes)]
    return some.mean_error_m.groupby(keys, observed=True).mean().unstack("scheme")[[*COMPARED]]


def _mixed(frame: DataFrame) -> DataFrame:
    """The rows with landmarks and with regular timestamps."""
    return frame[(frame.share > 0) & (frame.share < 1)]


def _small_range(study: Study, table: DataFrame) -> Finding:
    """How often Skip has the smallest error when the track's extent is below Uniform's noise, and when it is not; answers
    have no extent, and are left out."""
    ranged = [name for name, track in study.tracks.items() if not (isinstance(track, Numbers) and track.is_answers)]
    table = table[table.track.astype(str).isin(ranged)]
    claim = "Skip is the best of the three when the values have a small range."
    if not ranged:
        return Finding(claim, (), "Answers have no range beside which noise is small or large.")
    extent = {name: _extent(study.tracks[name]) for name in ranged}
    some, found = _mixed(table), _errors(study, table)
    keys = [some[name] for name in ("track", *study.axes) if name != "scheme"]
    noise = some.uniform_m.groupby(keys, observed=True)
    small = noise.mean() > found.index.get_level_values("track").astype(str).map(extent).to_numpy()
    best = found.skip <= found.min(axis=1)
    inside, outside = best[small], best[~small]
    ranges = joined(
        (f"{_written(study.tracks[name], value)} across for {name}" for name, value in extent.items()), "and"
    )
    criteria = (
        Criterion("cases with a small range", len(inside), "≥", 1),
        none_of("of these, cases in which another scheme is better", int((~inside).sum())),
        Criterion(
            "share of the other cases in which Skip is best", float(outside.mean()) if len(outside) else 0, "<", 1
        ),
    )
    said = (
        f"The data are {ranges}. Skip has the smallest error {_often(inside)} where that is less than Uniform's mean "
    )
    said += f"noise, and {_often(outside)} where it is more.{_clearest(some, found[~small])}"
    return Finding(claim, criteria, said)


def _clearest(some: DataFrame, found: DataFrame) -> str:
    """Where another scheme beats Skip by most, by how much and how surely: ratios of errors, repetition by repetition.

    Parameters
    ----------
    some : rows with an error for each scheme and repetition. found : the mean errors in each setting, a column per scheme.
    """
    times = found.skip / found.min(axis=1)
    if not len(found) or times.max() <= 1:
        return ""
    where = times.idxmax()
    rival = str(found.loc[where].idxmin())
    names = found.index.names
    each = some.set_index([*names, "scheme", "repetition"]).mean_error_m.sort_index()
    ratios = np.log((each.loc[(*where, "skip")] / each.loc[(*where, rival)]).to_numpy())
    n, factor = len(ratios), amount(exp(ratios.mean()))
    told = f" Where another is better by most, Skip's error is {factor} times {rival.title()}'s on average"
    if n == 1:
        return f"{told}, in one repetition."
    error = float(ratios.std(ddof=1)) / sqrt(n)
    low, high = (amount(exp(ratios.mean() + side * error)) for side in (-2, 2))
    return f"{told} over {n} repetitions; two standard errors either way, that is from {low} to {high}."


def _extent(track: Trajectory) -> float:
    """The range of its values; for a track, the diagonal."""
    values = track.values if isinstance(track, Numbers) else track.points_m
    return float(np.hypot(*np.ptp(values, axis=0)) if values.ndim == 2 else np.ptp(values))


def _written(track: Trajectory, length: float) -> str:
    return written_in(track)(length) if isinstance(track, Numbers) else metres(length)


def _by_distance(study: Study, frame: DataFrame, correlation: str) -> Finding:
    """Compares the layouts with the most and the least distant landmarks: what regular timestamps lose, and what all lose."""
    some = _mixed(frame[frame.correlation == correlation])
    group = ["track", *(name for name in study.axes if name not in ("layout", "correlation"))]
    mean = some.groupby([*group, "layout"], observed=True)[
        ["landmark_distance", "own_loss", "mean_landmark_loss"]
    ].mean()
    own, together = [], []
    for _, each in mean.groupby(level=group, observed=True):
        far, near = each.loc[each.landmark_distance.idxmax()], each.loc[each.landmark_distance.idxmin()]
        own.append(far.own_loss / near.own_loss)
        together.append(far.mean_landmark_loss / near.mean_landmark_loss)
    more, less = int(np.sum(np.array(own) > 1)), int(np.sum(np.array(together) < 1))
    title = CORRELATIONS[correlation].partition(":")[0]
    said = (
        "Between the layouts with the most and the least distant landmarks, regular timestamps lose more by themselves in "
        f"{more} of {len(own)} cases, on average {amount(_mean_factor(own))} times as much; but the landmarks and one other "
        f"timestamp together lose less in {less}, on average {amount(_mean_factor(together))} times as much, by the paper's "
        "count, which is not a bound."
    )
    claim = f"{title} correlation: landmarks that are far from the regular timestamps mean more loss."
    criteria = (
        none_of("cases in which regular timestamps lose less by themselves", len(own) - more),
        none_of("cases in which all together lose less", less),
    )
    return Finding(claim, criteria, said)


def _mean_factor(factors: Sequence[float]) -> float:
    """The geometric mean of factors: twice and half average to once."""
    return float(np.exp(np.mean(np.log(factors))))


def _often(held: Series) -> str:
    return f"in {int(held.sum())} of {len(held)} cases" if len(held) else "in no case, as there are none,"


def _varied(study: Study, names: Iterable[str]) -> list[str]:
    """Choices with several values, except for where the landmarks are."""
    return [name for name in names if name not in ("share", "layout") and len(study.axes[name]) > 1]


def _named(study: Study, where: Any) -> str:
    values = list(where) if isinstance(where, tuple) else [where]
    varied = _varied(study, [name for name in study.axes if name != "scheme"])
    told = [_told(name, value) for name, value in zip(varied, values[1:], strict=True)]
    return " with ".join([str(values[0]), *([", ".join(told)] if told else [])])


def _told(name: str, value: Any) -> str:
    kind = VARIED[name]
    shown = f"{value:g} {getattr(kind, 'unit', '')}".strip() if isinstance(value, float | int) else str(value)
    return f"{kind.label.lower()} {shown}"
