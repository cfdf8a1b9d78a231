"""The schemes transcribed word by word, slowly, and checks that a right scheme passes and a wrong one does not.

Nothing is shared with the package: budgets are floats or fractions, tails are updated one by one, timestamps count from
1 where the papers do. Random numbers are taken in the documented order: noise of all timestamps, then decisions.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np


def length(a, b):
    return float(np.linalg.norm(np.subtract(a, b)))


def literal_uniform(n, landmarks, epsilon):
    k = len(set(landmarks))
    return [epsilon / k if k == n else epsilon / (k + 1)] * n


def literal_adaptive_budgets(n, landmarks, epsilon, skipped):
    """Budgets with every tail updated, in exact arithmetic."""
    budgets = literal_uniform(n, landmarks, Fraction(epsilon))
    for t in range(n):
        if t not in skipped:
            continue
        if t in landmarks:
            to_come = sum(1 for other in landmarks if other > t)
            for j in range(t + 1, n):
                budgets[j] += budgets[t] / (to_come + 1)
        budgets[t] = Fraction(0)
    return budgets


def literal_adaptive(values, landmarks, epsilon, size, noise, uniforms, increase, decrease):
    """Outputs, budgets, published and rates of Adaptive as section A of the specification words it."""
    n = len(values)
    budgets = literal_uniform(n, landmarks, epsilon)
    rate, previous = 1.0, None
    outputs, published, rates = [], [], []
    for t in range(n):
        rates.append(rate)
        sampled = previous is None or uniforms[t] < rate
        published.append(sampled)
        if sampled:
            output = values[t] + noise[t] * size / budgets[t]
            if previous is not None:
                if size / budgets[t] > length(output, previous):
                    rate -= rate * decrease
                else:
                    rate += (1 - rate) * increase
            previous = output
        else:
            if t in landmarks:
                to_come = sum(1 for other in landmarks if other > t)
                for j in range(t + 1, n):
                    budgets[j] += budgets[t] / (to_come + 1)
            budgets[t] = 0.0
        outputs.append(previous)
    return np.array(outputs), np.array(budgets), np.array(published), np.array(rates)


def literal_distribution(values, w, epsilon, size, factor, noise, jitter):
    """Outputs and publication budgets of Budget Distribution; `factor` times size / budget is the mean displacement."""
    published, outputs, previous = {}, [], None
    for i in range(1, len(values) + 1):
        remaining = epsilon / 2 - sum(published.get(k, 0.0) for k in range(i - w + 1, i))
        go = previous is None
        if not go:
            dis = length(previous, values[i - 1]) + jitter[i - 1] * 2 * w * size / epsilon
            go = remaining > 0 and dis > factor * size / (remaining / 2)
        if go:
            published[i] = remaining / 2
            previous = values[i - 1] + noise[i - 1] * size / published[i]
        outputs.append(previous)
    return np.array(outputs), np.array([published.get(i, 0.0) for i in range(1, len(values) + 1)])


def literal_absorption(values, w, epsilon, size, factor, noise, jitter):
    """Outputs and publication budgets of Budget Absorption."""
    u = epsilon / (2 * w)
    published, outputs, previous, last = {}, [], None, 0
    for i in range(1, len(values) + 1):
        nullified = published[last] / u - 1 if last else 0
        if i - last > round(nullified):
            absorbed = i - (last + round(nullified))
            budget = u * min(absorbed, w)
            go = previous is None
            if not go:
                dis = length(previous, values[i - 1]) + jitter[i - 1] * 2 * w * size / epsilon
                go = dis > factor * size / budget
            if go:
                published[i], last = budget, i
                previous = values[i - 1] + noise[i - 1] * size / budget
        outputs.append(previous)
    return np.array(outputs), np.array([published.get(i, 0.0) for i in range(1, len(values) + 1)])


def literal_predictive(values, w, epsilon, size, factor, noise, jitter):
    """Outputs and budgets of fresh reports of the predictive mechanism: the prediction is tested while budget is left."""
    each = epsilon / 2 / max(1, w // 4)
    published, outputs, prediction = {}, [], None
    for i in range(1, len(values) + 1):
        left = epsilon / 2 - sum(published.get(k, 0.0) for k in range(i - w + 1, i))
        if left > each * (1 - 1e-9):
            noisy = jitter[i - 1] * 2 * w * size / epsilon
            easy = prediction is not None and length(values[i - 1], prediction) + noisy <= factor * size / each
            if not easy:
                published[i] = each
                prediction = values[i - 1] + noise[i - 1] * size / each
        outputs.append(prediction)
    return np.array(outputs), np.array([published.get(i, 0.0) for i in range(1, len(values) + 1)])


def exact_landmark_overrun(budgets, landmarks, epsilon):
    """How far the largest sum over L and {t} exceeds epsilon, in exact arithmetic: 0 or less if the Theorem holds."""
    exact = [Fraction(float(b)) for b in budgets]
    marks = set(landmarks)
    common = sum((exact[i] for i in marks), Fraction(0))
    return max(common + (0 if t in marks else exact[t]) for t in range(len(exact))) - Fraction(epsilon)


def exact_window_overrun(budgets, window, epsilon):
    """How far the largest sum over `window` successive budgets exceeds epsilon, in exact arithmetic."""
    exact = [Fraction(float(b)) for b in budgets]
    sums = [sum(exact[max(0, t - window + 1) : t + 1], Fraction(0)) for t in range(len(exact))]
    return max(sums) - Fraction(epsilon)


def random_landmarks(rng, n):
    """None, all, the first, the last, one or a random share."""
    kind = rng.integers(7)
    if kind == 0:
        return []
    if kind == 1:
        return list(range(n))
    if kind == 2:
        return [0]
    if kind == 3:
        return [n - 1]
    if kind == 4:
        return [int(rng.integers(n))]
    return np.flatnonzero(rng.random(n) < rng.random()).tolist()


def random_case(rng, longest=300):
    """n, landmarks and an epsilon from 1e-9 to 1e6."""
    n = int(rng.integers(1, longest + 1)) if rng.random() < 0.7 else int(rng.integers(1, 6))
    return n, random_landmarks(rng, n), float(10 ** rng.uniform(-9, 6))


def theorem_holds(budgets_for, cases=150, seed=1):
    """Whether ``budgets_for(n, landmarks, epsilon, rng)`` never overruns, and reaches epsilon, over random cases."""
    rng = np.random.default_rng(seed)
    largest = -math.inf
    for _ in range(cases):
        n, landmarks, epsilon = random_case(rng, 80)
        over = exact_landmark_overrun(budgets_for(n, landmarks, epsilon, rng), landmarks, epsilon)
        if over > 0:
            return False
        largest = max(largest, float(over / Fraction(epsilon)))
    return largest > -1e-12


def window_holds(publications_for, cases=150, seed=1):
    """Whether ``publications_for(n, window, epsilon, rng)`` never overruns a window, and comes close."""
    rng = np.random.default_rng(seed)
    largest = -math.inf
    for _ in range(cases):
        n = int(rng.integers(1, 60))
        window, epsilon = int(rng.integers(1, n + 1)), float(10 ** rng.uniform(-9, 6))
        over = exact_window_overrun(publications_for(n, window, epsilon, rng), window, epsilon)
        if over > 0:
            return False
        largest = max(largest, float(over / Fraction(epsilon)))
    return largest > -0.3


def distance(outputs, values):
    """Of outputs from values, numbers (n,) or points (n, 2)."""
    difference = np.subtract(outputs, values)
    return np.abs(difference) if difference.ndim == 1 else np.hypot(*difference.T)
