"""What stands published where a timestamp repeats an earlier release."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def repeated(fresh: Any, when: NDArray[np.intp], n: int, initial: Any) -> Any:
    """n outputs: those made at the timestamps `when`, each until the next; before, `initial` or, if None, NaN."""
    if len(when) == n:
        return fresh
    missing = initial if initial is not None else complex(np.nan, np.nan) if fresh.dtype == complex else np.nan
    outputs = np.empty((n, *fresh.shape[1:]), fresh.dtype)
    if not len(when):
        outputs[:] = missing
        return outputs
    outputs[: when[0]] = missing
    outputs[when[0] :] = np.repeat(fresh, np.append(when[1:], n) - when, axis=0)
    return outputs
