"""Pufferfish privacy for a series of states: the Markov quilt mechanism and how its releases compose.

If the data are one person's day, hiding whether the person took part is meaningless. Pufferfish hides the state at every
single timestamp from adversaries who know how such days go; each belief is a Markov chain (together: Theta). The quilt
mechanism adds noise for the timestamps near the secret, and for the rest according to how little they reveal. Only NumPy
is needed.

Song, Wang, Chaudhuri, "Pufferfish privacy mechanisms for correlated data", SIGMOD 2017; Song, Chaudhuri, "Composition
properties of inferential privacy for time-series data", Allerton 2017.
"""

from lmdk_widgets.leakage.markov import estimate_transitions
from lmdk_widgets.pufferfish.approximate import approximate_quilt_scale, mixing_constants, mixing_influence
from lmdk_widgets.pufferfish.baselines import (
    Baseline,
    entry_privacy,
    gk16,
    group_privacy,
    local_influence,
    local_influence_scale,
)
from lmdk_widgets.pufferfish.binary import IntervalScale, binary_interval_gk16, binary_interval_scale
from lmdk_widgets.pufferfish.chain import MarkovChain, bootstrap_chains, chain_from_data
from lmdk_widgets.pufferfish.composition import (
    FarApart,
    compose_far_apart,
    compose_parallel,
    compose_same_quilts,
    compose_sequential,
    compose_with_divergence,
    joint_divergence,
    max_divergence,
)
from lmdk_widgets.pufferfish.counterexample import Counterexample, counterexample
from lmdk_widgets.pufferfish.influence import max_influence
from lmdk_widgets.pufferfish.lipschitz import additive_lipschitz, smallest_lipschitz
from lmdk_widgets.pufferfish.queries import (
    histogram,
    lipschitz_constant,
    quilt_mechanism,
    relative_histogram,
    state_fraction,
)
from lmdk_widgets.pufferfish.table import NodeScales, QuiltScale, QuiltTable, quilt_scale

__all__ = [
    "Baseline",
    "Counterexample",
    "FarApart",
    "IntervalScale",
    "MarkovChain",
    "NodeScales",
    "QuiltScale",
    "QuiltTable",
    "additive_lipschitz",
    "approximate_quilt_scale",
    "binary_interval_gk16",
    "binary_interval_scale",
    "bootstrap_chains",
    "chain_from_data",
    "compose_far_apart",
    "compose_parallel",
    "compose_same_quilts",
    "compose_sequential",
    "compose_with_divergence",
    "counterexample",
    "entry_privacy",
    "estimate_transitions",
    "gk16",
    "group_privacy",
    "histogram",
    "joint_divergence",
    "lipschitz_constant",
    "local_influence",
    "local_influence_scale",
    "max_divergence",
    "max_influence",
    "mixing_constants",
    "mixing_influence",
    "quilt_mechanism",
    "quilt_scale",
    "relative_histogram",
    "smallest_lipschitz",
    "state_fraction",
]
