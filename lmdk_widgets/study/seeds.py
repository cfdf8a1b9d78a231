"""Random numbers of a study: they follow from what is evaluated, and not from when, where or after what."""

from __future__ import annotations

import json
from hashlib import sha256


def seed_of(*what: object) -> int:
    """A seed for plain values, such as names, numbers and lists of them: the first 53 bits of their hash.

    `numpy.random.default_rng(seed)` spreads it by a `SeedSequence`; a `Scenario` takes it as it is.

    Examples
    --------
    >>> seed_of("noise", {"epsilon": 1.0}, 0) == seed_of("noise", {"epsilon": 1.0}, 0)
    True
    >>> seed_of("noise", {"epsilon": 1.0}, 0) == seed_of("noise", {"epsilon": 1.0}, 1)
    False
    """
    digest = sha256(json.dumps(what, sort_keys=True).encode()).digest()
    return int.from_bytes(digest[:7]) >> 3
