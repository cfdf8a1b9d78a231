"""What a spread of a duel is worth, the slow way: sets by counting, and one day after the other."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from lmdk_widgets.course.classroom import days
from lmdk_widgets.course.classroom.days import town
from lmdk_widgets.inference import track_posterior
from lmdk_widgets.inference.reader import PublicWay, follow, relative


def sets_that_fit(spread: tuple[float, ...], epsilon: float) -> list[set[int]]:
    """Every four timestamps that, with any one other, spend at most epsilon: by counting."""
    every = [set(each) for each in combinations(range(8), 4)]
    return [
        each
        for each in every
        if all(sum(spread[t] for t in {*each, other}) <= epsilon + 1e-9 for other in range(8) if other not in each)
    ]


def by_hand(
    spread: tuple[float, ...], marks: tuple[int, ...], epsilon: float
) -> tuple[float, float, int, float, float]:
    """What `worth` says, one day after the other, with the exact posterior of the package's own track attack."""
    found = town()
    centres, noise = days._drawn()
    points, distances = found.scene.area.points_m, found.distances
    way = PublicWay.nearby(distances, 2000.0)
    fitting = sets_that_fit(spread, epsilon)
    chance = [sum(t in each for each in fitting) / len(fitting) for t in range(8)]
    reader, attacker = [], []
    for day, moved in zip(centres, noise, strict=True):
        logs = np.zeros((8, len(points)))
        for t, each in enumerate(spread):
            if each:
                logs[t] = -each / 200 * np.hypot(*(day[t] + moved[t] / each - points).T)
        posterior = track_posterior(found.scene.prior, found.moves, logs).smoothed
        belief = follow(relative(logs)[:, None], [(way, 1 - np.exp(-3600 / 1440))] * 7)[:, 0]
        taken = (belief @ distances).round(3).argmin(axis=1)
        reader.append((posterior @ distances)[np.arange(8), taken].mean())
        sure = [max(row) for row in posterior.tolist()]
        scores = [round(chance[t] * sure[t], 9) for t in range(8)]
        hits = 0.0
        for t in marks:  # named with the share of the places among the four that its level of score has
            above, level = sum(one > scores[t] for one in scores), scores.count(scores[t])
            hits += sure[t] * min(1.0, max(0.0, (4 - above) / level))
        attacker.append(hits)
    errors = [np.std(each, ddof=1) / 20 for each in (reader, attacker)]
    return np.mean(reader), np.mean(attacker), len(fitting), *errors
