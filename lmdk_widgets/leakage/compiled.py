"""The recursion as machine code (Numba), for long series; the digits are those of `recursion._one_by_one`, to the last bit.

One timestamp waits some 25 cycles for the one before, so the series is cut into eight parts that are followed at the
same time, seven of them from a wrong start (0). Afterwards each part is followed once more from where the part before it
ended, until the two runs meet: the same theta, bit for bit, leads to the same rest. Only + - * / and comparisons happen
here, without fused or reordered operations; e^eps - 1 and log(1 + theta) stay NumPy's, whose last digits are its own.

Importing Numba takes half a second, compiling one to two seconds more. The machine code is kept on disk (beside this
file, or in the user's cache folder, or where NUMBA_CACHE_DIR says), or, where none of them can be written, by the process.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage.loss import MOST, LossFunction

FROM = 200_000
"""Timestamps below which Numba is not even imported: one by one takes at most tens of milliseconds."""

BLOCK = 100_000
"""Timestamps that go from e^eps - 1 to the loss before the next ones: few enough to stay near the processor, and no power
of two, which would put the same places of all parts into the same lines of the cache."""

PARTS = np.uint64(8)
"""Parts of a series that are followed at the same time."""

ONE = np.uint64(1)
SHIFT, KEYS = np.uint64(46), 1 << 18
"""The sign, the exponent and six binary digits of a float64 are what is left after the shift: a key below `KEYS`."""


def follower(carrier: LossFunction) -> Callable[[Floats, float], Floats]:
    """Follows a chain in machine code; only where there is `machine_code`.

    theta up to the first that is `MOST` or more, from grown = e^eps - 1, (n,), n at most `BLOCK`, and the theta before
    them. It lies in memory in the order of `grown`, which may be a reversed view, and is overwritten by the next call.
    """
    run, constants, memory = machine_code(), tables(carrier), np.empty(BLOCK)

    def follow(grown: Floats, theta: float) -> Floats:
        out = memory[: len(grown)][:: 1 if grown.strides[0] > 0 else -1]
        largest = run(grown, out, theta, *constants)
        # what comes after a theta that is too large may have overflowed
        return out if largest < MOST else out[: int(np.argmin(out < MOST)) + 1]

    return follow


@cache
def machine_code() -> Any:
    """The compiled `kernel`; None where Numba does not run, or compiles nothing (NUMBA_DISABLE_JIT=1)."""
    try:
        from numba import config, njit
        from numba.extending import register_jitable
    except ImportError:
        return None
    if vars(config)["DISABLE_JIT"]:  # what it would hand back is plain Python, slower than the recursion one by one
        return None
    options: dict[str, Any] = {"error_model": "numpy", "fastmath": False, "nogil": True}
    register_jitable(**options)(step)
    signature = "f8(f8[:], f8[:], f8, f8[::1], f8[::1], f8[::1], u4[::1])"
    try:
        return njit(signature, cache=True, **options)(kernel)
    except RuntimeError:  # no folder for the cache can be written
        return njit(signature, **options)(kernel)


def tables(carrier: LossFunction) -> tuple[Floats, Floats, Floats, NDArray[np.uint32]]:
    """d, g, where each vertex ends, and for every key the first vertex that may be the one.

    The last end is nan: nothing is beyond it, not even infinity.

    Examples
    --------
    >>> d, g, ends, first = tables(LossFunction([[0.8, 0.2], [0, 1]]))
    >>> d.tolist(), g.tolist(), ends.tolist(), first.shape
    ([0.0], [0.8], [nan], (262144,))
    """
    keys = (carrier.theta_breaks.view(np.uint64) >> SHIFT).astype(np.intp)
    widths = np.diff(keys + 1, prepend=0, append=KEYS)
    first = np.repeat(np.arange(len(widths), dtype=np.uint32), widths)
    return carrier.d.copy(), carrier.g.copy(), np.append(carrier.theta_breaks, np.nan), first


def step(
    theta: float, grown: float, d: Floats, g: Floats, ends: Floats, first: NDArray[np.uint32]
) -> float:  # pragma: no cover
    """The next theta. Unsigned indices spare the test for negative ones."""
    k = np.uint64(first[np.float64(theta).view(np.uint64) >> SHIFT])
    while theta >= ends[k]:
        k += ONE
    return grown + (1.0 + grown) * g[k] * theta / (1.0 + d[k] * theta)


def kernel(
    grown: Floats, out: Floats, theta: float, d: Floats, g: Floats, ends: Floats, first: NDArray[np.uint32]
) -> float:  # pragma: no cover
    """Fill `out` with every theta; returns the largest that was met. Plain Python too: a slow oracle of itself.

    The eight parts stand in eight names, not in an array: that keeps them in the processor's registers.
    """
    n, length = np.uint64(len(grown)), np.uint64(len(grown)) // PARTS
    a, largest = theta, theta
    b = c = p = q = r = s = z = 0.0
    for j in range(length):
        i = np.uint64(j)
        out[i] = a = step(a, grown[i], d, g, ends, first)
        i += length
        out[i] = b = step(b, grown[i], d, g, ends, first)
        i += length
        out[i] = c = step(c, grown[i], d, g, ends, first)
        i += length
        out[i] = p = step(p, grown[i], d, g, ends, first)
        i += length
        out[i] = q = step(q, grown[i], d, g, ends, first)
        i += length
        out[i] = r = step(r, grown[i], d, g, ends, first)
        i += length
        out[i] = s = step(s, grown[i], d, g, ends, first)
        i += length
        out[i] = z = step(z, grown[i], d, g, ends, first)
        largest = max(largest, a, b, c, p, q, r, s, z)
    for part in range(ONE, PARTS + ONE):  # the last one is what eight equal parts leave over
        start = np.uint64(part) * length
        value = out[start - ONE] if length else theta
        for t in range(start, start + length if part < PARTS else n):
            value = step(value, grown[t], d, g, ends, first)
            if part < PARTS and value == out[t]:
                break
            out[t] = value
            largest = max(largest, value)
    return largest
