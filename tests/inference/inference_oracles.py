"""Slow and literal versions of what lmdk_widgets.inference computes, sharing none of its code, and cases to try."""

import itertools

import numpy as np

P = np.array([[0.8, 0.15, 0.05], [0.1, 0.8, 0.1], [0.05, 0.15, 0.8]])
STATIONARY = np.array([2, 3, 2]) / 7


def logs_of(p):
    with np.errstate(divide="ignore"):
        return np.log(p)


def log_sum(terms, axis=None):
    """log of a sum of e^terms, relative to the largest."""
    top = np.max(terms, axis=axis, keepdims=True)
    shift = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        return np.log(np.sum(np.exp(terms - shift), axis=axis)) + np.squeeze(shift, axis=axis)


class AllPaths:
    """Every path of m states over n timestamps, with its log probability together with all, past, future or no releases."""

    def __init__(self, prior, p, log_likelihood):
        self.n, self.m = log_likelihood.shape
        self.paths = np.array(list(itertools.product(range(self.m), repeat=self.n)))
        chain = logs_of(np.asarray(prior, float))[self.paths[:, 0]]
        for t in range(1, self.n):
            chain = chain + logs_of(np.asarray(p, float))[self.paths[:, t - 1], self.paths[:, t]]
        self.chain, self.likelihood = chain, log_likelihood

    def weights(self, timestamps):
        """Log probability of each path together with the releases of these timestamps."""
        return self.chain + sum((self.likelihood[t, self.paths[:, t]] for t in timestamps), np.zeros(len(self.paths)))

    def belief(self, timestamps):
        """(n, m) log posteriors; `timestamps(t)` are the releases that are known about t."""
        found = np.empty((self.n, self.m))
        for t in range(self.n):
            weights = self.weights(timestamps(t))
            for x in range(self.m):
                found[t, x] = log_sum(weights[self.paths[:, t] == x])
        return found - log_sum(found, axis=1)[:, None]


def reference(prior, p, log_likelihood):
    """Forward-backward in logarithms, dense and plain: log posteriors (n, m) and the log likelihood of everything."""
    n, m = log_likelihood.shape
    logs = logs_of(np.asarray(p, float))
    alpha, beta = np.empty((n, m)), np.zeros((n, m))
    offsets = np.zeros(n)
    alpha[0] = logs_of(np.asarray(prior, float)) + log_likelihood[0]
    for t in range(n):
        if t:
            alpha[t] = log_sum(alpha[t - 1][:, None] + logs, axis=0) + log_likelihood[t]
        offsets[t] = log_sum(alpha[t])
        alpha[t] -= offsets[t]
    for t in range(n - 2, -1, -1):
        beta[t] = log_sum(logs + (log_likelihood[t + 1] + beta[t + 1]), axis=1)
        beta[t] -= beta[t].max()
    both = alpha + beta
    return both - log_sum(both, axis=1)[:, None], float(offsets.sum())


def path_score(path, prior, p, log_likelihood):
    """Log probability of one path together with all releases."""
    score = logs_of(np.asarray(prior, float))[path[0]] + log_likelihood[np.arange(len(path)), path].sum()
    return score + logs_of(np.asarray(p, float))[path[:-1], path[1:]].sum()


def random_chain(rng, m):
    """A prior and a matrix: dense, sparse, near the identity, or with entries far below what doubles can multiply."""
    kind = rng.integers(4)
    p = rng.dirichlet(np.ones(m), m)
    if kind == 1:
        p *= rng.random((m, m)) < 0.6
        p[np.arange(m), rng.integers(m, size=m)] += 0.1
    if kind == 2:
        p = np.eye(m) + 10.0 ** rng.uniform(-4, 1)
    if kind == 3:
        p = 10.0 ** rng.uniform(-200, 0, (m, m))
    prior = rng.dirichlet(np.ones(m)) * (rng.random(m) < 0.8)
    prior[rng.integers(m)] += 0.1
    return prior / prior.sum(), p / p.sum(axis=1, keepdims=True)


def random_likelihood(rng, n, m):
    """From nearly flat to differences of a hundred thousand, with nothing measured or a state impossible now and then."""
    found = -rng.random((n, m)) * 10.0 ** rng.uniform(-6, 5)
    found[rng.random(n) < 0.2] = 0.0
    found[rng.random((n, m)) < 0.1] = -np.inf
    return found


def walk(side, *, stay=0.6, jump=0.02):
    """Sources, targets and probabilities of a walk on a square grid of cells, and the cells' columns and rows."""
    squares = np.stack(np.divmod(np.arange(side * side), side), axis=1)
    sources, targets, weights = [], [], []
    for x, square in enumerate(squares):
        near = np.flatnonzero(np.abs(squares - square).sum(axis=1) == 1)
        sources += [x] * (1 + len(near))
        targets += [x, *near]
        weights += [stay] + [(1 - jump - stay) / len(near)] * len(near)
    return np.array(sources), np.array(targets), np.array(weights), squares


def draw_states(rng, prior, p, n):
    """One path of the chain."""
    states = [rng.choice(len(prior), p=prior)]
    for _ in range(n - 1):
        states.append(rng.choice(len(prior), p=p[states[-1]]))
    return np.array(states)
