"""Markov chains over places: transition matrices, their long run and reversal, and where they come from.

A transition matrix is row-stochastic: entry [x, y] is the probability of state y at the next timestamp given state x
at this one. States count from 0. Nothing here uses randomness, and no function changes its input.
"""

from lmdk_widgets.leakage.markov.chain import has_one_long_run, reverse, stationary, transient_states
from lmdk_widgets.leakage.markov.data import estimate_transitions, grid_states, level_states
from lmdk_widgets.leakage.markov.matrices import (
    NAMED_SMOOTHING,
    distribution,
    is_sequence_of_matrices,
    is_settled,
    power,
    product,
    settling,
    smoothed_identity,
    stays,
    transition_matrix,
)

__all__ = [
    "NAMED_SMOOTHING",
    "distribution",
    "estimate_transitions",
    "grid_states",
    "has_one_long_run",
    "is_sequence_of_matrices",
    "is_settled",
    "level_states",
    "power",
    "product",
    "reverse",
    "settling",
    "smoothed_identity",
    "stationary",
    "stays",
    "transient_states",
    "transition_matrix",
]
