"""The local frame: where it lies, and that metres lead back to degrees."""

from __future__ import annotations

import numpy as np
import pytest

from lmdk_widgets.geo import LocalFrame, distance_m


@pytest.mark.parametrize(("latitude", "longitude"), [(48.8566, 2.3522), (-33.8688, 151.2093), (64.1466, -21.9426)])
def test_a_frame_lies_around_its_points_and_tells_none_of_them(latitude: float, longitude: float) -> None:
    rng = np.random.default_rng(1)
    north, east = latitude + rng.normal(0, 0.003, 50), longitude + rng.normal(0, 0.003, 50)
    frame = LocalFrame.around(north, east)
    centre = (frame.latitude, frame.longitude)
    assert centre == tuple(round(value, 1) for value in centre)
    assert distance_m(*centre, latitude, longitude) < 9_000
    there = frame.to_metres(north, east)
    assert np.hypot(*there.T) == pytest.approx(distance_m(*centre, north, east), rel=1e-9)
    back = frame.to_degrees(there)
    assert np.abs(back[0] - north).max() < 1e-9 and np.abs(back[1] - east).max() < 1e-9
    assert (there[:, 0] > 0).tolist() == (east > frame.longitude).tolist()
