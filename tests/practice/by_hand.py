"""Practices and the attacks on them once more, slowly: loops over timestamps, dense grids, nothing of the package but the
main place, distances and a track."""

from __future__ import annotations

import itertools
import math
from functools import cached_property

import numpy as np
from scipy import stats
from scipy.optimize import minimize
from scipy.spatial import cKDTree

from lmdk_widgets.geo import Floats, distance_m
from lmdk_widgets.inference import main_place
from lmdk_widgets.trajectory.model import Trajectory

DEGREE_M = 6_371_000 * math.pi / 180


def seconds_of(track: Trajectory) -> list[float]:
    return [float((at - track.time[0]) / np.timedelta64(1, "s")) for at in track.time]


def runs_of(track: Trajectory) -> list[list[int]]:
    """Runs of timestamps without a silence above a minute and five median intervals."""
    at = seconds_of(track)
    gaps = [b - a for a, b in itertools.pairwise(at)]
    silence = max(60.0, 5 * float(np.median(gaps))) if gaps else 60.0
    runs = [[0]]
    for k, gap in enumerate(gaps, start=1):
        if gap > silence:
            runs.append([])
        runs[-1].append(k)
    return runs


def resting(track: Trajectory, there: set[int]) -> list[int]:
    """Where runs start or end, and who has been there for 200 s and stays for 200 s; else the middle of each visit."""
    at, found, middles = seconds_of(track), [], []
    for run in runs_of(track):
        visits: list[list[int]] = []
        for k in run:
            if k in there:
                if not visits or visits[-1][-1] != k - 1:
                    visits.append([])
                visits[-1].append(k)
        for visit in visits:
            middles.append(visit[(len(visit) - 1) // 2])
            for k in visit:
                came = visit[0] == run[0] or at[k] - at[visit[0]] >= 200
                stays = visit[-1] == run[-1] or at[visit[-1]] - at[k] >= 200
                if k in (run[0], run[-1]) or (came and stays):
                    found.append(k)
    return found or middles


def far_m(at: Floats, points: Floats) -> float:
    """The sum of distances."""
    return float(np.hypot(*(points - at).T).sum())


def median_of(track: Trajectory, timestamps: list[int]) -> tuple[float, float]:
    """The point with the smallest sum of distances to these, degrees."""
    points = track.points_m[timestamps]
    starts = [np.median(points, axis=0), points.mean(axis=0), *np.unique(points, axis=0)[:50]]  # it may be one of them
    tried = [minimize(far_m, start, (points,), "Nelder-Mead", options={"xatol": 1e-4}).x for start in starts[:2]]
    best = min([*tried, *starts], key=lambda at: far_m(at, points))
    latitude, longitude = track.frame.to_degrees(best)
    return float(latitude), float(longitude)


def place_of(track: Trajectory) -> tuple[float, float, set[int]]:
    """The middle of the main place, where one rests, and the timestamps there."""
    there = set(np.flatnonzero(main_place(track.latitude, track.longitude)[2]).tolist())
    return *median_of(track, resting(track, there)), there


def reader_m(track: Trajectory, published: Trajectory) -> float:
    """The mean error of who takes the way between published points, by time."""
    at, told = seconds_of(track), [float((t - track.time[0]) / np.timedelta64(1, "s")) for t in published.time]
    points, total, k = track.frame.to_metres(published.latitude, published.longitude), 0.0, 0
    for i, now in enumerate(at):
        while k + 1 < len(told) and told[k + 1] <= now:
            k += 1
        where = points[k]
        if told[k] < now and k + 1 < len(told):
            share = (now - told[k]) / (told[k + 1] - told[k])
            where = points[k] + share * (points[k + 1] - points[k])
        total += float(np.hypot(*(where - track.points_m[i])))
    return total / len(at)


class Rounded:
    """Where someone is looked for who comes and goes, whose coordinates are rounded: sums over a grid of a metre."""

    def __init__(self, published: Trajectory, there: list[int], decimals: int) -> None:
        self.reports = len(there)
        side = 10.0**-decimals
        latitude, longitude = published.latitude[there], published.longitude[there]
        scale = DEGREE_M * math.cos(math.radians(latitude[0]))
        self.y, self.py = self._axis(np.round((latitude - latitude[0]) / side).astype(int), side * DEGREE_M)
        self.x, self.px = self._axis(np.round((longitude - longitude[0]) / side).astype(int), side * scale)
        self.latitude = float(latitude[0] + self.y @ self.py / DEGREE_M)
        self.longitude = float(longitude[0] + self.x @ self.px / scale)

    @staticmethod
    def _axis(cells: Floats, side_m: float) -> tuple[Floats, Floats]:
        first, last = (cells.min() - 0.5) * side_m - 440, (cells.max() + 0.5) * side_m + 440
        points = np.arange(first, last)
        which, many = np.unique(cells, return_counts=True)
        chance = np.zeros(len(points))
        for astray in (0.0, 0.003, 0.01, 0.03, 0.1, 0.3, 0.9):
            for noise in (1.0, 2.0, 4.0, 8.0, 16.0):
                logs = np.zeros(len(points))
                for cell, count in zip(which, many, strict=True):
                    a, b = (cell - 0.5) * side_m - points, (cell + 0.5) * side_m - points
                    near = stats.norm.cdf(b / noise) - stats.norm.cdf(a / noise)
                    far = stats.norm.cdf(b / 100) - stats.norm.cdf(a / 100)
                    logs += count * np.log(np.maximum((1 - astray) * near + astray * far, 1e-12))
                chance += (6 if astray == 0 else 1) * np.exp(logs)
        around = stats.norm.pdf(np.arange(-60, 61) / 10)
        chance = np.convolve(chance, around, mode="same")
        return points, chance / chance.sum()

    @cached_property
    def area_m2(self) -> float:
        """The smallest area with nine tenths of the chance."""
        both = np.sort((self.px[:, None] * self.py[None]).ravel())[::-1]
        return float((np.cumsum(both) < 0.9).sum() + 1)


class Votes:
    """Ends that vote for the places in their rings, on a dense grid."""

    def __init__(self, track: Trajectory, known: set[int] | None) -> None:
        self.track, self.ends, self.steps, self.speeds, self.runs = track, [], [], [], []
        at = seconds_of(track)
        for run in runs_of(track):
            if len(run) < 2:
                continue
            for end, near in ((run[0], run[:11]), (run[-1], run[-11:])):
                if known is not None and end not in known:
                    continue
                far = [float(np.hypot(*(track.points_m[b] - track.points_m[a]))) for a, b in itertools.pairwise(near)]
                long = [at[b] - at[a] for a, b in itertools.pairwise(near)]
                self.speeds.append(float(np.quantile([m / s for m, s in zip(far, long, strict=True)], 0.9)))
                self.steps.append(self.speeds[-1] * float(np.quantile(long, 0.9)) + 15)
                self.ends.append(end)
                self.runs.append(run)

    def side(self, length: float, more: float) -> float:
        return max(10.0, length / 40, (length + float(np.quantile(self.steps, 0.75)) + more) / 100)

    def of_zone(self, radius: float, noise: float) -> tuple[float, float]:
        """The guess of a zone's centre, degrees, and the area looked at."""
        more = noise - 15
        cell = self.side(radius, more)
        low = max(radius - max(noise, cell / 2**0.5), 0.0)
        rings = [(low, radius + step + more) for step in self.steps]
        return self._counted(rings, cell, low)

    def of_ends(self, length: float, noise: float) -> tuple[float, float]:
        """The same of ends that are cut off, along the way."""
        more = noise - 15
        bent = [self._straightness(run, length) for run in self.runs]
        cell, slack = self.side(length, more), 0.0
        slack = max(noise, cell / 2**0.5)
        rings = [
            (max(length * a - slack, 0.0), length * b + step + more)
            for (a, b), step in zip(bent, self.steps, strict=True)
        ]
        return self._counted(rings, cell, 0.0)

    def _straightness(self, run: list[int], length: float) -> tuple[float, float]:
        points = self.track.points_m[run]
        along = [0.0]
        for a, b in itertools.pairwise(points):
            along.append(along[-1] + float(np.hypot(*(b - a))))
        size = min(length, along[-1])
        if size <= 0:
            return 0.0, 1.0
        chords = []
        for start in np.linspace(0, along[-1] - size, min(len(points), 200)):
            a, b = (np.array([np.interp(at, along, axis) for axis in points.T]) for at in (start, start + size))
            chords.append(float(np.hypot(*(b - a))) / size)
        return min(float(np.quantile(chords, 0.1)), 1.0), min(float(np.quantile(chords, 0.9)), 1.0)

    def _counted(self, rings: list[tuple[float, float]], cell: float, struck: float) -> tuple[float, float]:
        points = self.track.points_m[self.ends]
        reach = max(high for _, high in rings)
        axes = [
            np.arange(np.floor((points[:, k].min() - reach) / cell), np.ceil((points[:, k].max() + reach) / cell) + 1)
            for k in (0, 1)
        ]
        x, y = np.meshgrid(*(axis * cell for axis in axes), indexing="ij")
        votes = np.zeros(x.shape, int)
        for (low, high), (a, b) in zip(rings, points, strict=True):
            away = np.hypot(x - a, y - b)
            votes += (away > low) & (away <= high)
        if struck:
            nearest, _ = cKDTree(self.track.points_m).query(np.stack([x.ravel(), y.ravel()], axis=1))
            votes[nearest.reshape(x.shape) < struck] = 0
        most = int(votes.max())
        enough = (votes >= min(np.ceil(0.85 * most - 1e-9), max(most - 1, 1))) & (votes > 0)
        best = np.stack([x[votes == most], y[votes == most]], axis=1)
        self.most, self.area_m2 = most, float(enough.sum()) * cell**2
        guess = best[np.hypot(*(best - best.mean(axis=0)).T).argmin()]
        latitude, longitude = self.track.frame.to_degrees(guess)
        return float(latitude), float(longitude)


class ByHand:
    """A practice, or several one after the other, on a track whose main place is to be hidden."""

    def __init__(self, track: Trajectory, code: str, *, knows: bool, seed: int = 0) -> None:
        self.track, self.knows, self.seed = track, knows, seed
        self.latitude, self.longitude, self.there = place_of(track)
        self.steps = {
            words[0]: [float(one) for one in words[1:] if one != "moved"] for words in map(str.split, code.split(","))
        }
        self.published, hidden = track, list[np.datetime64]()
        for name in ("ends", "zone", "thinning", "rounding"):
            if name in self.steps:
                before = self.published
                self.published = getattr(self, f"_{name}")(before, *self.steps[name])
                if name == "zone":
                    hidden = sorted(set(before.time.tolist()) - set(self.published.time.tolist()))
        times = self.published.time.tolist()
        after = [sum(one < at for one in times) for at in hidden]
        self.silences = {k for at in after for k in (at - 1, at) if 0 <= k < len(times)}
        known = {at for k, at in enumerate(track.time.tolist()) if k in self.there}
        self.published_there = [k for k, at in enumerate(times) if at in known]

    def _zone(self, track: Trajectory, radius: float, moved: float = 0.0) -> Trajectory:
        rng = np.random.default_rng(self.seed)
        angle, far = (rng.uniform(0, 2 * math.pi), moved * math.sqrt(rng.random())) if moved else (0.0, 0.0)
        centre = track.frame.to_metres([self.latitude], [self.longitude])[0]
        centre = centre + far * np.array([math.cos(angle), math.sin(angle)])
        return track[[k for k, at in enumerate(track.points_m) if np.hypot(*(at - centre)) > radius]]

    def _ends(self, track: Trajectory, length: float) -> Trajectory:
        kept = []
        for run in runs_of(track):
            along = [0.0]
            for a, b in itertools.pairwise(run):
                along.append(along[-1] + float(np.hypot(*(track.points_m[b] - track.points_m[a]))))
            kept += [k for k, far in zip(run, along, strict=True) if length <= far <= along[-1] - length]
        return track[kept]

    def _thinning(self, track: Trajectory, minutes: float) -> Trajectory:
        kept, last = [], -math.inf
        for k, at in enumerate(track.time.astype("datetime64[ns]").astype(np.int64).tolist()):
            if at - last >= minutes * 60e9:
                kept, last = [*kept, k], at
        return track[kept]

    def _rounding(self, track: Trajectory, decimals: float) -> Trajectory:
        latitude = [float(f"{at:.{int(decimals)}f}") for at in track.latitude]
        return Trajectory(latitude, [float(f"{at:.{int(decimals)}f}") for at in track.longitude], track.time)

    @property
    def reader_m(self) -> float:
        return reader_m(self.track, self.published)

    @property
    def _noise(self) -> float:
        if "rounding" not in self.steps:
            return 15.0
        side = DEGREE_M * 10 ** -self.steps["rounding"][0]
        return 15.0 + math.hypot(side, side * math.cos(math.radians(self.latitude))) / 2

    @cached_property
    def guesses(self) -> list[tuple[float, float]]:
        """Of an attacker who may try them all."""
        there = self.published_there if self.knows else []
        if not there:
            there = np.flatnonzero(main_place(self.published.latitude, self.published.longitude)[2]).tolist()
        rest, found = median_of(self.published, resting(self.published, set(there))), []
        if "zone" in self.steps:
            votes = Votes(self.published, self.silences if self.knows else None)
            if votes.ends:
                found.append(votes.of_zone(self.steps["zone"][0], self._noise))
            if self.knows and self.silences:
                found.append(median_of(self.published, sorted(self.silences)))
        if "ends" in self.steps:
            votes = Votes(self.published, self._cut_known() if self.knows else None)
            if votes.ends:
                found.append(votes.of_ends(self.steps["ends"][0], self._noise))
        if "rounding" in self.steps and not found:
            assert self.knows and self.published_there
            hand = Rounded(
                self.published, resting(self.published, set(self.published_there)), int(self.steps["rounding"][0])
            )
            return [(hand.latitude, hand.longitude)]
        if "zone" in self.steps and "ends" not in self.steps:
            return found
        return [*found, rest]

    def _cut_known(self) -> set[int]:
        """The published timestamps beside the ends of runs that are at the place."""
        times, ends = self.published.time.tolist(), [k for run in runs_of(self.track) for k in (run[0], run[-1])]
        after = [sum(one < self.track.time.tolist()[k] for one in times) for k in ends if k in self.there]
        return {k for at in after for k in (at - 1, at) if 0 <= k < len(times)}

    @property
    def found_m(self) -> float:
        off = (float(distance_m(*guess, self.latitude, self.longitude)) for guess in self.guesses)
        return min(off, default=math.inf)
