"""An adversary who follows the track: what releases reveal to someone who knows how places follow one another.

A hidden Markov model: the states are cells (or numbers), a prior and a transition matrix describe how they follow one
another, and each release has a likelihood for each state. `log_likelihoods` turns a release into likelihoods,
`track_posterior` and `likeliest_path` turn those into beliefs, and the rest measures how good the beliefs are. Only NumPy
is needed.

The cells approximate the plane: the truth at a timestamp is its cell. Rabiner, "A tutorial on hidden Markov
models", Proc. IEEE 1989; Shokri, Theodorakopoulos, Le Boudec, Hubaux, "Quantifying location privacy", S&P 2011.
"""

from lmdk_widgets.inference.averaging import averaging_attack
from lmdk_widgets.inference.beliefs import (
    best_guesses,
    chance_right,
    credible_region,
    error_at,
    expected_error,
    hits,
    learned,
)
from lmdk_widgets.inference.following import Followed, following_attack
from lmdk_widgets.inference.known_hours import KnownHours, known_hours
from lmdk_widgets.inference.likelihood import log_likelihoods
from lmdk_widgets.inference.main_place import found_within, guesses_right, main_place
from lmdk_widgets.inference.moves import Moves
from lmdk_widgets.inference.nights_and_workdays import HomeAndWork, home_and_work
from lmdk_widgets.inference.reader import reader_estimates
from lmdk_widgets.inference.track import TrackPosterior, likeliest_path, marginals, track_posterior

__all__ = [
    "Followed",
    "HomeAndWork",
    "KnownHours",
    "Moves",
    "TrackPosterior",
    "averaging_attack",
    "best_guesses",
    "chance_right",
    "credible_region",
    "error_at",
    "expected_error",
    "following_attack",
    "found_within",
    "guesses_right",
    "hits",
    "home_and_work",
    "known_hours",
    "learned",
    "likeliest_path",
    "log_likelihoods",
    "main_place",
    "marginals",
    "reader_estimates",
    "track_posterior",
]
