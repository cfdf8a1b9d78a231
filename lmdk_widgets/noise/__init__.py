"""Randomised mechanisms: Laplace, planar Laplace, geometric, exponential, randomised response, a pan-private counter.

Functions (`laplace`, `planar_laplace`, ...) perturb data once; objects (`Laplace`, `PlanarLaplace`) describe a mechanism
without data. `samplers` explains what floating point does to a guarantee.
"""

from lmdk_widgets.noise.blowfish import policy_loss, policy_sensitivity
from lmdk_widgets.noise.counts import PanPrivateCounter, geometric, geometric_probability, pan_private_loss
from lmdk_widgets.noise.mechanisms import Laplace, Mechanism, PlanarLaplace, RandomizedResponse, planar_laplace_radius
from lmdk_widgets.noise.response import (
    TRUTHFULLY_OR_YES,
    TWO_COINS,
    ManyAnswers,
    ResponseDesign,
    Survey,
    estimated_shares,
    randomized_response,
    randomized_response_channel,
    randomized_responses,
    response_variances,
    share_variances,
    warner,
)
from lmdk_widgets.noise.samplers import exponential_mechanism, laplace, planar_laplace

__all__ = [
    "TRUTHFULLY_OR_YES",
    "TWO_COINS",
    "Laplace",
    "ManyAnswers",
    "Mechanism",
    "PanPrivateCounter",
    "PlanarLaplace",
    "RandomizedResponse",
    "ResponseDesign",
    "Survey",
    "estimated_shares",
    "exponential_mechanism",
    "geometric",
    "geometric_probability",
    "laplace",
    "pan_private_loss",
    "planar_laplace",
    "planar_laplace_radius",
    "policy_loss",
    "policy_sensitivity",
    "randomized_response",
    "randomized_response_channel",
    "randomized_responses",
    "response_variances",
    "share_variances",
    "warner",
]
