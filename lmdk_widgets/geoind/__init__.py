"""Optimal geo-indistinguishability: the mechanism with the least quality loss, certified, and what an adversary learns.

Bordenabe, Chatzikokolakis, Palamidessi, "Optimal geo-indistinguishable mechanisms for location privacy", CCS 2014;
Shokri, Theodorakopoulos, Troncoso, Hubaux, Le Boudec, "Protecting location privacy", CCS 2012; Andres et al., CCS 2013.
The optimal mechanism is solved with Numba, OptPriv with HiGHS; both are imported when they are first needed.
"""

from lmdk_widgets.geoind.any_mechanism import least_error, of_any_report, two_place_error
from lmdk_widgets.geoind.channel import Channel
from lmdk_widgets.geoind.every_prior import bayes_capacity, bayes_security, planar_laplace_capacity
from lmdk_widgets.geoind.measures import (
    adversary_error,
    bayes_vulnerability,
    best_remap,
    posterior,
    quality_loss,
    smallest_epsilon,
)
from lmdk_widgets.geoind.nearest_regions import Regions, regions
from lmdk_widgets.geoind.planar import planar_laplace_channel
from lmdk_widgets.geoind.private import most_private_mechanism
from lmdk_widgets.geoind.solver import Progress, Solver, optimal_mechanism
from lmdk_widgets.geoind.spanner import Spanner, spanner

__all__ = [
    "Channel",
    "Progress",
    "Regions",
    "Solver",
    "Spanner",
    "adversary_error",
    "bayes_capacity",
    "bayes_security",
    "bayes_vulnerability",
    "best_remap",
    "least_error",
    "most_private_mechanism",
    "of_any_report",
    "optimal_mechanism",
    "planar_laplace_capacity",
    "planar_laplace_channel",
    "posterior",
    "quality_loss",
    "regions",
    "smallest_epsilon",
    "spanner",
    "two_place_error",
]
