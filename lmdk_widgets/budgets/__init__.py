"""Budgets over time and the releases made with them: landmark, event-level, user-level and w-event privacy."""

from lmdk_widgets.budgets.allocation import allocate
from lmdk_widgets.budgets.draws import release_many, rescaled_errors
from lmdk_widgets.budgets.hidden import protect_landmarks
from lmdk_widgets.budgets.landmark_neighbours import landmark_sets_told_apart
from lmdk_widgets.budgets.posterior import dummy_posterior
from lmdk_widgets.budgets.random_dummies import odds_factor, proposed_chance
from lmdk_widgets.budgets.releases import release
from lmdk_widgets.budgets.request import Release
from lmdk_widgets.budgets.schemes import (
    FIXED_SCHEMES,
    LANDMARK_SCHEMES,
    ONLINE_SCHEMES,
    RELEASE_SCHEMES,
    SCHEMES,
    WINDOW_SCHEMES,
)
from lmdk_widgets.budgets.schemes.adaptive import adaptive_budgets
from lmdk_widgets.budgets.schemes.base import Scheme
from lmdk_widgets.budgets.totals import landmark_totals, largest_factor, scaled_to_fit, window_totals

__all__ = [
    "FIXED_SCHEMES",
    "LANDMARK_SCHEMES",
    "ONLINE_SCHEMES",
    "RELEASE_SCHEMES",
    "SCHEMES",
    "WINDOW_SCHEMES",
    "Release",
    "Scheme",
    "adaptive_budgets",
    "allocate",
    "dummy_posterior",
    "landmark_sets_told_apart",
    "landmark_totals",
    "largest_factor",
    "odds_factor",
    "proposed_chance",
    "protect_landmarks",
    "release",
    "release_many",
    "rescaled_errors",
    "scaled_to_fit",
    "window_totals",
]
