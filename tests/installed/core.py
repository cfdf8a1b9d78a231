"""What the package does with NumPy and ipywidgets alone, and what it says where a library is missing.

It is run by `tests/test_installed.py` in an environment with the installed package and no extra.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import lmdk_widgets
from lmdk_widgets.anonymity import k_anonymity
from lmdk_widgets.errors import InputError
from lmdk_widgets.geoind import optimal_mechanism, planar_laplace_channel
from lmdk_widgets.leakage import best_plan, temporal_loss
from lmdk_widgets.pufferfish import MarkovChain, quilt_scale
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.trajectory import load_trajectory, sample

CHAIN = np.array([[0.8, 0.2], [0.0, 1.0]])

GPX = b'<gpx><trk><trkseg><trkpt lat="1" lon="2"><time>2026-01-26T10:00:00Z</time></trkpt></trkseg></trk></gpx>'


def refused(extra: str, call: Callable[[], Any]) -> None:
    """The call is refused with the command that installs an extra."""
    try:
        call()
    except InputError as error:
        assert f'pip install "lmdk-widgets[{extra}]"' in str(error), error
    else:
        raise AssertionError(f"{extra} is not needed")


def computes() -> None:
    bob = sample("bob")
    assert round(float(temporal_loss(CHAIN, CHAIN, np.full(10, 0.1)).total[4]), 10) == 0.6368412821
    assert round(quilt_scale(MarkovChain([1, 0], [[0.9, 0.1], [0.4, 0.6]]), 100, 1.0).scale, 10) == 12.9340510862
    assert planar_laplace_channel([[0, 0], [1, 0]], 1.0).epsilon <= 1.0
    outcome = evaluate(Scenario(), bob)
    assert len(outcome.budgets) == 8
    track = load_trajectory(b"time,lon,lat\n2026-01-26T11:00+01:00,2,1\n2026-01-26T12:00+01:00,2,1\n")
    for widget in (
        lmdk_widgets.Explorer(),
        lmdk_widgets.Explorer(track),
        lmdk_widgets.QuiltLab(),
        lmdk_widgets.PlacesLab(),
    ):
        widget.close()
    lmdk_widgets.FoundationsLab().close()


def names_what_is_missing() -> None:
    bob = sample("bob")
    refused("frames", bob.to_frame)
    refused("frames", evaluate(Scenario(), bob).figure)
    refused("frames", lambda: k_anonymity({"age": [1, 2]}, ["age"]))
    line, alike = np.arange(37.0), np.full(37, 1 / 37)
    refused("places", lambda: optimal_mechanism(np.abs(line[:, None] - line), alike, 1.0))
    refused("places", lambda: best_plan([[0.8, 0.2], [0.2, 0.8]], [[0.8, 0.2], [0.2, 0.8]], 1.0, 8))
    refused("formats", lambda: load_trajectory(GPX))


if __name__ == "__main__":
    computes()
    names_what_is_missing()
    print("done")
