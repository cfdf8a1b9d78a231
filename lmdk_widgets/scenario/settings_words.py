"""The table of many settings as it is shown: its order, the settings that meet the conditions, rows and sentences."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from lmdk_widgets.io import NOTE
from lmdk_widgets.page.amounts import amount, count, metres
from lmdk_widgets.scenario.from_track import noted
from lmdk_widgets.scenario.many_settings import NAMES, Settings, named
from lmdk_widgets.scenario.model import MECHANISMS, SCHEMES, SPREADS
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.settings_model import Asked, asked_of
from lmdk_widgets.scenario.sweep import DRAWS, MOST_DRAWN, SLACK, Row

MOST_SHOWN = 200
"""Rows that the page shows; the others are in the file."""

TABLE_NOTE = f"{NOTE}; errors of some schemes are computed from the true track: never publish them"

CONDITIONS = {
    "most_error_m": ("error_m", "mean error", True),
    "most_radius95_m": ("radius95_m", "95 % radius", True),
    "most_loss": ("largest_total_loss", "largest loss", False),
    "most_landmark_loss": ("landmark_loss", "landmark loss", False),
}
"""Of each condition, what it looks at, what that is called, and whether it is a length, or in the unit of a series."""


SORTED: dict[str, Callable[[Row], float]] = {
    "scheme": lambda row: list(SCHEMES).index(row.scheme),
    "epsilon": lambda row: row.epsilon,
    "radius_m": lambda row: row.radius_m,
    "error_m": lambda row: row["error_m"],
    "radius95_m": lambda row: row["radius95_m"],
    "loss": lambda row: row["largest_total_loss"],
    "landmark_loss": lambda row: row["landmark_loss"],
    "landmark_sum": lambda row: row["theorem_sum"],
}
"""Of each key of `COLUMNS`, what it sorts by."""


class Lengths(NamedTuple):
    """How errors are written, their unit, and whether there are places, which a radius tells apart."""

    write: Callable[[float], str] = metres
    unit: str = " m"
    placed: bool = True


METRES = Lengths()


def lengths_of(outcome: Outcome) -> Lengths:
    """Those of an outcome's data."""
    if outcome.kind.placed:
        return METRES
    return Lengths(outcome.ground.write, f" {outcome.kind.unit(outcome.trajectory)}".rstrip(), False)


class Judged(NamedTuple):
    """A table under conditions.

    Attributes
    ----------
    order : indices of all rows, those that meet every condition first, both parts as they are sorted.
    met : whether each row meets every condition; where there is none, each that has numbers does.
    best : index of the least error among those; where none does, of the row that comes nearest; None of no rows. A row that
        takes something from the data that it protects is none of these.
    """

    order: tuple[int, ...]
    met: tuple[bool, ...]
    best: int | None


@lru_cache(maxsize=4)
def judged(table: Settings, asked: Asked) -> Judged:
    """Sorts and judges; a row without a number comes last either way, and meets no condition on that number."""
    rows = table.rows
    values = [SORTED[asked.sort](row) for row in rows]
    known = [k for k, value in enumerate(values) if not math.isnan(value)]
    known.sort(key=lambda k: -values[k] if asked.falling else values[k])
    met = tuple(not missed(row, asked) and not math.isnan(row["error_m"]) for row in rows)
    order = [*known, *(k for k, value in enumerate(values) if math.isnan(value))]
    order.sort(key=lambda k: not met[k])
    served = [k for k, row in enumerate(rows) if not (math.isnan(row["error_m"]) or row.from_track)]
    good = [k for k in served if met[k]]
    best = min(good, key=lambda k: rows[k]["error_m"], default=None)
    nearest = min(served, key=lambda k: excess(rows[k], asked), default=None)
    return Judged(tuple(order), met, nearest if best is None else best)


def limited(asked: Asked) -> bool:
    """Whether there is a condition."""
    return asked.kept or any(getattr(asked, name) is not None for name in CONDITIONS)


def missed(row: Row, asked: Asked) -> list[str]:
    """The conditions that a row does not meet."""
    limits = {name: getattr(asked, name) for name in CONDITIONS}
    found = [
        name
        for name, limit in limits.items()
        if limit is not None and not row[CONDITIONS[name][0]] <= limit * (1 + SLACK)  # NaN meets none
    ]
    return [*found, "kept"] if asked.kept and not row.kept else found


def excess(row: Row, asked: Asked) -> tuple[float, float]:
    """By which factor a row passes the condition that it misses most, and its error, which decides among equals."""
    factors = [row["theorem_sum"] / row.epsilon] if asked.kept else []
    for name, (measure, *_) in CONDITIONS.items():
        limit = getattr(asked, name)
        if limit is not None:
            factors.append(row[measure] / limit if limit > 0 else math.inf)
    return max(factors, default=0.0), row["error_m"]


def table_texts(outcome: Outcome) -> list[str]:
    """What the table holds, the best setting under its conditions or the nearest one, and how it was computed."""
    table, asked = outcome.settings, asked_of(outcome.scenario.table_of)
    if table is None or not table.rows:
        done = table is not None and table.done
        return ["These schemes must be drawn, and the track is too long for it." if done else "Not computed yet."]
    found = judged(table, asked)
    best = _best(table.rows, found, asked, table.done, lengths_of(outcome))
    return [*best, *_notes(table, asked, outcome)]


def _best(rows: Sequence[Row], found: Judged, asked: Asked, done: bool, lengths: Lengths) -> list[str]:
    good, so_far = sum(found.met), "" if done else " so far"
    text = f"{count(len(rows), 'setting').capitalize()}{so_far}."
    broken = sum(row["theorem_sum"] > row.epsilon * (1 + SLACK) for row in rows)
    if broken:
        text += f" {count(broken, 'setting').capitalize()} {'breaks' if broken == 1 else 'break'} the landmark Theorem: the "
        text += "landmarks and one other timestamp spend more than epsilon together."
    if limited(asked):
        text += f" {count(good, 'setting').capitalize()} {'meets' if good == 1 else 'meet'} every condition."
    taken = sum(row.from_track for row in rows)
    others = " of the others" if taken else ""
    if taken:
        text += f" {count(taken, 'setting').capitalize()} {'takes its' if taken == 1 else 'take their'} cells, grid or plan "
        text += "from the data themselves, which no guarantee covers: none of those is called the best."
    if found.best is None:
        return [text] if taken else [text, "None of them releases anything."]
    best = rows[found.best]
    if not found.met[found.best]:
        return [text, f"The nearest{others} is {called(best, lengths)}. {' '.join(_excesses(best, asked, lengths))}"]
    among = "The least error" if not limited(asked) else "The least error among them" if good > 1 else "It is"
    among = f"The least error{others}" if taken else among
    return [text, f"{among}: {called(best, lengths)}. {_numbers(best, lengths)}"]


def called(row: Row, lengths: Lengths = METRES) -> str:
    """A setting in a few words: "Uniform, epsilon 0.5 at 200 m"."""
    at = f" at {row.radius_m:,.6g} m" if lengths.placed else ""
    return f"{_title(row.scheme)}, {_spent(row)} {row.epsilon:,.6g}{at}"


def _numbers(row: Row, lengths: Lengths) -> str:
    kept = "within" if row.kept else "above"
    error, within = lengths.write(row["error_m"]), lengths.write(row["radius95_m"])
    loss, together, spent = (amount(row[name]) for name in ("largest_total_loss", "landmark_loss", "theorem_sum"))
    radius = "" if math.isnan(row["radius95_m"]) and not lengths.placed else f" 95 % radius {within},"
    return (
        f"Mean error {error},{radius} largest loss {loss}, landmarks together {together}; "
        f"Theorem's sum {spent}, {kept} its {_spent(row)}."
    )


def _spent(row: Row) -> str:
    return SPREADS[row.scheme].spent


def _excesses(row: Row, asked: Asked, lengths: Lengths) -> list[str]:
    """A sentence for each condition that is missed, and by how much."""
    said = []
    for name in missed(row, asked):
        if name == "kept":
            spent, over = amount(row["theorem_sum"]), amount(row["theorem_sum"] - row.epsilon)
            said.append(f"Its Theorem's sum of {spent} passes its {_spent(row)} by {over}.")
            continue
        measure, what, is_length = CONDITIONS[name]
        written = lengths.write if is_length else amount
        value, limit = row[measure], getattr(asked, name)
        limit_said = f"{limit:,.6g}{lengths.unit if is_length else ''}"
        said.append(f"Its {what} of {written(value)} is {written(value - limit)} above {limit_said}.")
    return said


def _notes(table: Settings, asked: Asked, outcome: Outcome) -> list[str]:
    scenario, placed = outcome.scenario, outcome.kind.placed
    said = (
        ["A series has no places: no radius plays a part."]
        if not placed
        else ["Errors fall with the radius, and so does the distance that is protected."]
    )
    if scenario.mechanism == "randomised":
        said = ["The radius plays no part in randomised response on cells."]
    if any(not row.exact for row in table.rows):
        said.append(f"≈ marks the mean of {DRAWS} releases; the other errors are expected ones.")
    if table.done and len(table.rows) < asked.wanted(placed=placed):
        said.append(f"Schemes whose releases depend on each other are left out above {MOST_DRAWN:,} timestamps.")
    if any(row.mechanism != scenario.mechanism for row in table.rows):
        said.append(
            f"Schemes that decide while they release are computed with {MECHANISMS['planar'].partition(':')[0]}."
        )
    if len(table.rows) > MOST_SHOWN:
        said.append(f"The first {MOST_SHOWN} rows are shown, as they are sorted; the file has all.")
    return [" ".join(said)]


def shown_rows(table: Settings, found: Judged, lengths: Lengths = METRES) -> list[list[str]]:
    """The first rows in their order, as texts: one for each of `COLUMNS`."""
    return [_texts(table.rows[k], lengths) for k in found.order[:MOST_SHOWN]]


def _texts(row: Row, lengths: Lengths) -> list[str]:
    write = lengths.write
    spent = f"{row.epsilon:,.6g}{' (target)' if SPREADS[row.scheme].plans else ''}"
    error = ("" if row.exact or math.isnan(row["error_m"]) else "≈ ") + write(row["error_m"])
    kept = "" if math.isnan(row["theorem_sum"]) else ", kept" if row.kept else ", not kept"
    losses = amount(row["largest_total_loss"]), amount(row["landmark_loss"]), amount(row["theorem_sum"]) + kept
    return [
        _title(row.scheme),
        spent,
        f"{row.radius_m:,.6g} m" if lengths.placed else "",
        error,
        write(row["radius95_m"]),
        *losses,
    ]


def table_csv(outcome: Outcome) -> str:
    """All rows in their order, with whether each meets the conditions, and a note in every row."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    placed = outcome.kind.placed
    heads = [name for name in NAMES if placed or name not in ("radius_m", "mechanism")]
    writer.writerow([*(name if placed else name.removesuffix("_m") for name in heads), "meets_conditions", "note"])
    if outcome.settings is not None:
        found = judged(outcome.settings, asked_of(outcome.scenario.table_of))
        for k in found.order:
            row = named(outcome.settings.rows[k])
            values = [_cell(row[name]) for name in heads]
            chosen = outcome.scenario.with_changes(scheme=row["scheme"], mechanism=row["mechanism"])
            writer.writerow([*values, int(found.met[k]), noted(TABLE_NOTE, chosen)])
    return text.getvalue()


def _cell(value: str | float | bool) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(int(value))
    return f"{value:.7g}" if math.isfinite(value) else ""


def _title(scheme: str) -> str:
    return SPREADS[scheme].title
