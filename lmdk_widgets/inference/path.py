"""The likeliest track as a whole: the Viterbi recursion."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lmdk_widgets.inference.track import checked, joined


def likeliest_path(prior: ArrayLike, transitions: Any, log_likelihood: ArrayLike) -> NDArray[np.intp]:
    """The series of states of the largest posterior probability: ``argmax over x_0 .. x_{n-1} of Pr(x | y)``.

    ``delta_t(y) = b_t(y) max_x delta_{t-1}(x) P[x, y]``, followed back from the best end. It is one guess of the whole
    track; `best_guesses` are n guesses, each the best of its timestamp, which together may be an impossible track.

    Parameters
    ----------
    prior, transitions, log_likelihood : as for `track_posterior`.

    Returns
    -------
    (n,) states. Where several tracks are equally likely it is one of them.

    Raises
    ------
    InputError : as `track_posterior`.

    Notes
    -----
    Guarantee: none, it measures. Numerics: logarithms relative to the largest of each timestamp. Time O(n (moves + m)).
    Viterbi, IEEE Trans. Information Theory 1967; Rabiner, Proc. IEEE 1989, section III.B.

    Examples
    --------
    >>> likeliest_path([0.5, 0.5], [[0.8, 0.2], [0.2, 0.8]], np.log([[0.9, 0.1], [0.4, 0.6], [0.9, 0.1]])).tolist()
    [0, 0, 0]
    """
    moves, start, seen = checked(prior, transitions, log_likelihood)
    push, best = moves.forward(), np.empty_like(seen)
    best[0], _ = joined(start, seen[0], 0)
    for t in range(1, len(seen)):
        best[t], _ = joined(push.largest(best[t - 1]), seen[t], t)
    path = np.empty(len(seen), np.intp)
    path[-1] = best[-1].argmax()
    for t in range(len(seen) - 1, 0, -1):
        path[t - 1] = push.origin(best[t - 1], int(path[t]))
    return path
