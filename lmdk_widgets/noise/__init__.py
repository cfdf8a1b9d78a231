"""Randomised mechanisms: Laplace, planar Laplace, the exponential mechanism and randomised response.

Functions (`laplace`, `planar_laplace`, ...) perturb data once; objects (`Laplace`, `PlanarLaplace`) are a mechanism
without data. What a guarantee is worth when numbers are floating point is said in `samplers`.
"""

from lmdk_widgets.noise.choice import exponential_mechanism
from lmdk_widgets.noise.mechanisms import Laplace, Mechanism, PlanarLaplace
from lmdk_widgets.noise.radius import planar_laplace_radius
from lmdk_widgets.noise.samplers import laplace, planar_laplace
from lmdk_widgets.noise.survey import TRUTHFULLY_OR_YES, TWO_COINS, ResponseDesign, Survey, randomized_response, warner

__all__ = [
    "TRUTHFULLY_OR_YES",
    "TWO_COINS",
    "Laplace",
    "Mechanism",
    "PlanarLaplace",
    "ResponseDesign",
    "Survey",
    "exponential_mechanism",
    "laplace",
    "planar_laplace",
    "planar_laplace_radius",
    "randomized_response",
    "warner",
]
