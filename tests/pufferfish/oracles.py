"""Independent slow oracles: the definitions, looped over and enumerated. Nothing here comes from the package."""

from __future__ import annotations

import itertools
from math import exp, inf, log

import numpy as np


def log_ratio(c, d):
    """log(c / d), None for 0 / 0."""
    if c == 0 and d == 0:
        return None
    return inf if d == 0 else -inf if c == 0 else log(c / d)


def loop_influence(initial, transition, node, left, right, support="definition"):
    """e of one quilt, straight from the formula of the spec."""
    q, p = np.asarray(initial, float), np.asarray(transition, float)
    m = len(q)
    here = q @ np.linalg.matrix_power(p, node)
    worst = 0.0
    if left is not None:
        past = np.linalg.matrix_power(p, node - left)
        there = q @ np.linalg.matrix_power(p, left)
        seen = [y for y in range(m) if support == "all" or there[y] > 0]
    if right is not None:
        future = np.linalg.matrix_power(p, right - node)
    for x, other in itertools.permutations(range(m), 2):
        if here[x] == 0 or here[other] == 0:
            continue
        total = 0.0
        if left is not None:
            ratios = [log_ratio(past[y, x], past[y, other]) for y in seen]
            total += log(here[other] / here[x]) + max(r for r in ratios if r is not None)
        if right is not None:
            ratios = [log_ratio(future[x, z], future[other, z]) for z in range(m)]
            total += max(r for r in ratios if r is not None)
        worst = max(worst, total)
    return worst


def quilts(length, node):
    """Every quilt of a node with the size of its nearby set."""
    yield None, None, length
    for left in range(node):
        yield left, None, length - 1 - left
    for right in range(node + 1, length):
        yield None, right, right
        for left in range(node):
            yield left, right, right - left - 1


def loop_node_scale(initial, transition, length, node, epsilon, support="definition"):
    """(score, quilt) of one node by trying all quilts."""
    best = inf, (None, None)
    for left, right, card in quilts(length, node):
        if card / epsilon >= best[0]:
            continue
        e = loop_influence(initial, transition, node, left, right, support)
        if e < epsilon and card / (epsilon - e) < best[0]:
            best = card / (epsilon - e), (left, right)
    return best


def loop_scale(initial, transition, length, epsilon, support="definition"):
    """sigma of one chain by a loop over nodes and quilts: the documented straightforward version."""
    return max(loop_node_scale(initial, transition, length, node, epsilon, support)[0] for node in range(length))


def sequences(initial, transition, length):
    """All (sequence, probability) of a chain, probability above 0."""
    for states in itertools.product(range(len(initial)), repeat=length):
        chance = initial[states[0]]
        for x, y in itertools.pairwise(states):
            chance *= transition[x][y]
        if chance > 0:
            yield states, chance


def enumerated_influence(initial, transition, length, node, quilt):
    """Max-influence by the joint distribution of the whole series."""
    joint: dict = {}
    for states, chance in sequences(initial, transition, length):
        key = states[node], tuple(states[k] for k in quilt)
        joint[key] = joint.get(key, 0.0) + chance
    total: dict = {}
    for (x, _), chance in joint.items():
        total[x] = total.get(x, 0.0) + chance
    worst = 0.0
    for x, other in itertools.permutations(total, 2):
        for seen in {key[1] for key in joint}:
            c, d = joint.get((x, seen), 0.0) / total[x], joint.get((other, seen), 0.0) / total[other]
            ratio = log_ratio(c, d)
            worst = max(worst, ratio) if ratio is not None else worst
    return worst


def density_loss(initial, transition, length, query, noise_scale, node):
    """Largest log ratio of the density of query + noise_scale * Lap(1) given two values of one node's state.

    `query` gives one number. Between two neighbouring values of it the densities are a e^t + b e^-t, whose ratio is
    monotone, so that looking at the values themselves finds the maximum.
    """
    atoms: dict = {}
    for states, chance in sequences(initial, transition, length):
        value = query(states)
        given = atoms.setdefault(states[node], {})
        given[value] = given.get(value, 0.0) + chance
    values = sorted({value for given in atoms.values() for value in given})
    density = {
        x: np.array(
            [sum(c * exp(-abs(w - v) / noise_scale) for v, c in given.items()) / sum(given.values()) for w in values]
        )
        for x, given in atoms.items()
    }
    return max((float(np.log(density[x] / density[y]).max()) for x, y in itertools.permutations(density, 2)), default=0)
