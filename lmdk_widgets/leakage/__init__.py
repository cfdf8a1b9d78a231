"""Temporal privacy loss: what correlation over time adds to the privacy loss of releases that are each eps_t-private.

Cao, Yoshikawa, Xiao, Xiong, "Quantifying differential privacy under temporal correlations", ICDE 2017 (extended in
TKDE 2018); for landmarks, Katsomallos, Tzompanaki, Kotzinos, CODASPY 2022. Only NumPy is needed, except for the
pairwise loss, which uses the compiled simplex if it is installed, and the best plan, which needs HiGHS.
"""

from lmdk_widgets.leakage.any_start import AnyStart
from lmdk_widgets.leakage.at_delta import temporal_loss_at_delta
from lmdk_widgets.leakage.landmark import landmark_loss, landmark_loss_bound
from lmdk_widgets.leakage.least_error import Plan, best_plan
from lmdk_widgets.leakage.loss import LossFunction, largest_bounded_epsilon
from lmdk_widgets.leakage.markov import estimate_transitions, reverse
from lmdk_widgets.leakage.pair_step import pairwise_step
from lmdk_widgets.leakage.pairwise import PairwiseLoss, pairwise_loss
from lmdk_widgets.leakage.plan import effective_epsilon, effective_epsilon_bound, plan_budgets
from lmdk_widgets.leakage.temporal import TemporalLoss, backward_loss, forward_loss, temporal_loss, window_loss

__all__ = [
    "AnyStart",
    "LossFunction",
    "PairwiseLoss",
    "Plan",
    "TemporalLoss",
    "backward_loss",
    "best_plan",
    "effective_epsilon",
    "effective_epsilon_bound",
    "estimate_transitions",
    "forward_loss",
    "landmark_loss",
    "landmark_loss_bound",
    "largest_bounded_epsilon",
    "pairwise_loss",
    "pairwise_step",
    "plan_budgets",
    "reverse",
    "temporal_loss",
    "temporal_loss_at_delta",
    "window_loss",
]
