"""Budgets over time and releases made with them: landmark privacy, event, user and w-event privacy."""

from lmdk_widgets.budgets.adaptive import adaptive_budgets
from lmdk_widgets.budgets.draws import release_many, rescaled_errors
from lmdk_widgets.budgets.fixed import FIXED_SCHEMES, allocate
from lmdk_widgets.budgets.hidden import protect_landmarks
from lmdk_widgets.budgets.posterior import dummy_posterior
from lmdk_widgets.budgets.releases import SCHEMES, WINDOW_SCHEMES, Release, release
from lmdk_widgets.budgets.scale import largest_factor, scaled_to_fit
from lmdk_widgets.budgets.totals import landmark_totals, window_totals

__all__ = [
    "FIXED_SCHEMES",
    "SCHEMES",
    "WINDOW_SCHEMES",
    "Release",
    "adaptive_budgets",
    "allocate",
    "dummy_posterior",
    "landmark_totals",
    "largest_factor",
    "protect_landmarks",
    "release",
    "release_many",
    "rescaled_errors",
    "scaled_to_fit",
    "window_totals",
]
