"""The schemes: one module each, and a line below; every list of schemes is computed from `SCHEMES`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from lmdk_widgets.budgets.schemes.base import Scheme

_MODULES = (
    "event",
    "user",
    "window",
    "uniform",
    "weighted",
    "skip",
    "adaptive",
    "distribution",
    "absorption",
    "predictive",
    "least_error_plan",
    "planned",
    "given",
)
"""The modules, in the order in which their schemes are offered. Each defines its scheme as `SCHEME`."""

_FOUND: tuple[Scheme, ...] = tuple(import_module(f"{__name__}.{module}").SCHEME for module in _MODULES)

SCHEMES: Mapping[str, Scheme] = MappingProxyType({scheme.name: scheme for scheme in _FOUND})
"""All schemes by name."""

FIXED_SCHEMES = tuple(scheme.name for scheme in _FOUND if scheme.fixed)
"""Schemes for `allocate`: their budgets are known in advance."""

RELEASE_SCHEMES = tuple(scheme.name for scheme in _FOUND if scheme.given == "epsilon")
"""Schemes for `release` that spread an epsilon; "given" uses budgets chosen in another way."""

WINDOW_SCHEMES = frozenset(scheme.name for scheme in _FOUND if scheme.windowed)
"""Schemes that need a window."""

LANDMARK_SCHEMES = frozenset(scheme.name for scheme in _FOUND if scheme.keeps == "Theorem")
"""Schemes that satisfy the landmark privacy Theorem for every set of landmarks."""

ONLINE_SCHEMES = frozenset(scheme.name for scheme in _FOUND if scheme.online)
"""Schemes that set each budget based on earlier releases."""
