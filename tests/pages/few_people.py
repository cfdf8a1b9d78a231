"""A table of three people for tests of the people page, and usefulness that takes no time."""

from __future__ import annotations

from typing import Any

ROWS = [
    {
        "person": who,
        "time": f"2026-03-02T{hour:02d}:{minute:02d}:00Z",
        "latitude": round(48.85 + k / 50, 2),
        "longitude": 2.35,
    }
    for k, who in enumerate(["Ada", "Bob", "Cy"])
    for hour in range(8, 12)
    for minute in range(0, 60, 10)
]


def fake_worth(track: Any, settings: Any, draws: int | None = None) -> tuple[float, float]:
    """Useful to the people with an odd number, and under w-event uniform to all."""
    useful = settings["scheme"] == "window" or int(track.name[1:]) % 2
    return (1.0 if useful else 3.0), 4.0
