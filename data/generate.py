"""Makes the tracks, the series and the table in this folder: `python data/generate.py`, or with a folder to write
them elsewhere.

Every run writes the same files, byte for byte: every random number comes from the seeds below through
`numpy.random.RandomState`, whose stream never changes. README.md describes what each file contains.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))  # the package itself, if it is not installed

import adults  # noqa: E402
import people  # noqa: E402
import runner  # noqa: E402
import series  # noqa: E402
import taxi  # noqa: E402
from motion import Diary  # noqa: E402

from lmdk_widgets.population import streets  # noqa: E402

SEEDS = {"streets": 20260302, "commuter": 7, "taxi": 3, "adults": 11, "household": 5, "contacts": 13, "heart": 17,
         "runner": 23}  # fmt: skip
MONDAY = np.datetime64("2026-03-01T23:00:00", "s")
"""Midnight in Paris, where winter time is UTC + 1 h."""

NAMES = {"Arc de Triomphe": "Étoile", "Place de la Concorde": "Concorde", "Opéra": "Opéra", "République": "République",
         "Bastille": "Bastille", "Gare de Lyon": "Gare de Lyon", "Gare Saint-Lazare": "Saint-Lazare",
         "Gare du Nord": "Gare du Nord", "Gare Montparnasse": "Montparnasse", "Place d'Italie": "Italie",
         "Nation": "Nation", "Porte Maillot": "P. Maillot", "Belleville": "Belleville", "Trocadéro": "Trocadéro",
         "Porte Dorée": "P. Dorée", "Port-Royal": "Port-Royal", "Place de Clichy": "Clichy",
         "Père Lachaise": "Père Lachaise", "Gambetta": "Gambetta", "Ménilmontant": "Ménilmontant",
         "Télégraphe": "Télégraphe", "Jaurès": "Jaurès"}  # fmt: skip
SIGHTS = {"Champs-Élysées": (48.8698, 2.3078), "Louvre": (48.8606, 2.3376), "Canal Saint-Martin": (48.8712, 2.3655),
          "Palais-Royal": (48.8637, 2.3371), "Grands Boulevards": (48.8714, 2.3430), "Tuileries": (48.8635, 2.3275),
          "Lac Daumesnil": (48.8310, 2.4148)}  # fmt: skip
SAMPLES = [
    ("bob", "Bob's day in Paris", "Eight timestamps of Bob's day in Paris, four of them landmarks.",
     ["Champs-Élysées", "Place de la Concorde", "Tuileries", "Louvre", "Palais-Royal", "Opéra", "Grands Boulevards",
      "République", "Canal Saint-Martin"]),
    ("commuter", "A commuter's week", "A commuter's week at five-minute timestamps, with the places that reveal most.",
     ["Place de Clichy", "Gare Saint-Lazare", "Louvre", "Port-Royal", "République", "Belleville", "Bastille",
      "Gare de Lyon", "Nation", "Lac Daumesnil"]),
    ("runner", "A runner's month", "Twelve runs from home in four weeks, a point every five seconds while they last.",
     ["Belleville", "Père Lachaise", "Gambetta", "Ménilmontant", "Télégraphe", "Jaurès"]),
    ("taxi", "A taxi's two days", "A taxi's two days, 10,000 timestamps 15 s apart: ranks, cruising, fares, breaks.",
     ["Arc de Triomphe", "Porte Maillot", "Trocadéro", "Opéra", "Gare Saint-Lazare", "Gare du Nord", "République",
      "Louvre", "Bastille", "Gare de Lyon", "Nation", "Gare Montparnasse", "Place d'Italie"]),
]  # fmt: skip
REGION = (48.75, 2.25, 49.0, 2.5)
"""South, west, north and east of a public box around Paris, in degrees: that the samples are in it is public."""
Row = tuple[str, str, str, int, str]
HEADER = "time,latitude,longitude,landmark,label"


def main(folder: Path = HERE) -> None:
    """Writes the tracks, the series, their descriptions, and adults.csv to a folder."""
    network = streets.build(SEEDS["streets"])
    rows = {
        "bob": bob(),
        "commuter": sampled(people.commuter(network, SEEDS["commuter"]), 0.0, 300, 7 * 288, "commuter", tau_s=900.0),
        "runner": recorded(*runner.runner(network, SEEDS["runner"])),
        "taxi": sampled(taxi.taxi(network, SEEDS["taxi"]), taxi.START, taxi.STEP_S, taxi.POINTS, "taxi", tau_s=80.0),
    }
    for name, lines in rows.items():
        write(folder / f"{name}.csv", HEADER, lines)
    write(folder / "adults.csv", adults.HEADER, adults.adults(SEEDS["adults"]))
    for name, make in series.MAKERS.items():
        header = f"time,{series.ABOUT[name]['value']},landmark,label"
        write(folder / f"{name}.csv", header, ((stamp(at), *row) for at, *row in make(SEEDS[name])))
    for name, said in (("samples", about()), ("series", about_series())):
        (folder / f"{name}.json").write_bytes((json.dumps(said, indent=2, ensure_ascii=False) + "\n").encode())


def write(path: Path, header: str, lines: Iterable[tuple[object, ...]]) -> None:
    """Writes a CSV file; no value contains a comma."""
    path.write_bytes(("\n".join([header, *(",".join(map(str, line)) for line in lines)]) + "\n").encode())


def bob() -> list[Row]:
    """The eight points as given in `people.BOB`."""
    return [
        (stamp(86_400 + people.clock(0, time)), f"{latitude:.6f}", f"{longitude:.6f}", int(landmark), f"p{i}")
        for i, (time, latitude, longitude, landmark) in enumerate(people.BOB, 1)
    ]


def sampled(diary: Diary, start: float, step_s: int, n: int, name: str, tau_s: float) -> list[Row]:
    """A diary read every `step_s` seconds; a landmark is the first reading at or after its moment."""
    times = start + step_s * np.arange(n)
    points, labels = diary.fixes(times, np.random.RandomState(SEEDS[name] + 1), tau_s)
    return rows_of(times, points, labels, diary.landmarks)


def recorded(diary: Diary, outings: list[runner.Outing]) -> list[Row]:
    """A diary as a watch records outings; a landmark is the first reading at or after its moment."""
    random, times, points, labels = np.random.RandomState(SEEDS["runner"] + 1), [], [], []
    for at, heard in outings:
        where, said = diary.fixes(at, random, 80.0)
        times.append(at[heard])
        points.append(where[heard])
        labels += [label for label, kept in zip(said, heard, strict=True) if kept]
    return rows_of(np.concatenate(times), np.concatenate(points), labels, diary.landmarks)


def rows_of(times: np.ndarray, points: np.ndarray, labels: list[str], marked: list[float]) -> list[Row]:
    """The lines of a track: seconds (n,), metres (n, 2), labels, and the moments of its landmarks."""
    latitude, longitude = streets.FRAME.to_degrees(points)
    landmarks = set(np.searchsorted(times, marked).tolist())
    return [
        (stamp(time), f"{a:.6f}", f"{b:.6f}", int(i in landmarks), label)
        for i, (time, a, b, label) in enumerate(zip(times, latitude, longitude, labels, strict=True))
    ]


def stamp(seconds: float) -> str:
    """Seconds since the Monday's midnight in Paris as a time in UTC."""
    return f"{MONDAY + np.timedelta64(int(seconds), 's')}Z"


def about() -> dict[str, object]:
    """What samples.json says about each sample."""
    place = {name: [*streets.paris.SQUARES[square], name] for name, square in NAMES.items()}
    place |= {name: [*where, name] for name, where in SIGHTS.items()}
    common = {"generator": "data/generate.py", "licence": "CC0-1.0"}
    return {
        name: {
            "name": title,
            "description": description,
            "file": f"{name}.csv",
            "seeds": {part: SEEDS[part] for part in ("streets", name) if name in SEEDS},
            "timezone": "Europe/Paris",
            **common,
            "region": list(REGION),
            "region_name": "Paris",
            "places": [place[p] for p in places],
        }
        for name, title, description, places in SAMPLES
    }


def about_series() -> dict[str, object]:
    """What series.json says about each series."""
    common = {"timezone": "Europe/Paris", "generator": "data/generate.py", "licence": "CC0-1.0"}
    return {
        name: {**said, "file": f"{name}.csv", "seeds": {name: SEEDS[name]}, **common}
        for name, said in series.ABOUT.items()
    }


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
