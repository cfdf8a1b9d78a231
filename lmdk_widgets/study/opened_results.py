"""A study's results once opened: what they vary and measure, and the setting behind a row.

They are NumPy columns: the results page does not need pandas, which would take as much memory as all its other imports.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.cache import cached
from lmdk_widgets.checks import refused
from lmdk_widgets.errors import InputError, install, library
from lmdk_widgets.page.fields import Flag
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.study.grid import LISTS, VARIED
from lmdk_widgets.study.measures import MEASURES
from lmdk_widgets.study.model import Study
from lmdk_widgets.study.run import evaluated
from lmdk_widgets.trajectory.samples import sample_names, series_names

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_ROWS = 1_000_000
"""The most rows of results that can be opened."""
Columns = dict[str, NDArray[Any]]
"""A table by its columns of numbers, of yes and no, or of words; missing values are NaN."""
_WHOLE = re.compile(r"[+-]?\d{1,18}")
_MISSING = frozenset({"", "nan", "NaN", "NA", "N/A", "null", "None"})
_YES_NO = {"True": True, "False": False}


@dataclass(frozen=True, eq=False)
class Opened:
    """Results of a study.

    Attributes
    ----------
    columns : the columns by name, as `Study.run` returns them. name : what to call the results.

    Raises
    ------
    InputError : a table that is not a study's results, or one that is too long.
    """

    columns: Columns
    name: str

    def __post_init__(self) -> None:
        needed = [name for name in ("track", "repetition") if name not in self.columns]
        if needed or not self.measures:
            value = f"no column {needed[0]}" if needed else "no measure"
            raise InputError("The results must be those of a study", value=value, remedy="Open results from lmdk study")
        if not 0 < len(self) <= MOST_ROWS:
            raise refused("the results", f"a table of 1 to {MOST_ROWS:,} rows", f"{len(self):,} rows")

    def __len__(self) -> int:
        return len(self.columns["track"])

    @cached_property
    def frame(self) -> DataFrame:
        """The results as a pandas data frame."""
        return library("pandas", "A data frame").DataFrame(self.columns)

    @cached_property
    def measures(self) -> list[str]:
        """The measures in the results."""
        return [name for name in self.columns if name in MEASURES and name != "landmarks"] or (
            ["landmarks"] if "landmarks" in self.columns and "share" in self.columns else []
        )

    @cached_property
    def choices(self) -> dict[str, list[Any]]:
        """What distinguishes the settings, with the values in order of appearance: the track, and each choice."""
        names = ["track", *(name for name in self.columns if name in VARIED and name not in self.measures)]
        if "landmarks" in names and "share" in names:  # then “landmarks” is a measure
            names.remove("landmarks")
        return {name: list(dict.fromkeys(self.columns[name].tolist())) for name in names}

    @cached_property
    def varied(self) -> list[str]:
        """Choices with several values."""
        return [name for name, values in self.choices.items() if len(values) > 1]

    def scenario(self, row: Mapping[str, Any]) -> Scenario:
        """The scenario of a row, with its landmarks and its noise: the setting determines them.

        Raises
        ------
        InputError : the row's track is not a sample: results do not contain tracks.
        """
        track = str(row["track"])
        if track not in (*sample_names(), *series_names()):
            what = "The track of a setting must be a sample for it to be opened, as results contain no tracks"
            raise InputError(what, value=track, remedy="In Python: Explorer(track, scenario=study.scenario(k)[0])")
        grid = {name: [_read(name, row[name])] for name in self.choices if name != "track"}
        repetition = int(row["repetition"])
        return Study([track], grid, repetitions=repetition + 1).scenario(repetition)[0]


def _read(name: str, value: Any) -> Any:
    """A choice's value, read from a table."""
    if isinstance(VARIED[name], Flag):  # a table may contain a NumPy Boolean
        return bool(value)
    return VARIED[name].from_text(str(value)) if name in LISTS else value


def read_results(files: Sequence[tuple[str, bytes]]) -> Opened:
    """Results from their files: all or some of a directory's Parquet parts, or CSV.

    Parameters
    ----------
    files : file names with their contents.

    Raises
    ------
    InputError : a file that cannot be read, or a table that `Opened` refuses.
    """
    if not files:
        raise InputError("There must be at least one results file", value="none")
    tables = [_table(name, content) for name, content in files if not name.startswith("_")]
    if not tables:
        raise InputError(
            "The files must be Parquet or CSV", value=files[0][0], remedy="Open part-….parquet in the directory"
        )
    joined = _joined(tables)
    if "evaluation" in joined:
        _, first = np.unique(joined["evaluation"], return_index=True)
        joined = {name: values[first] for name, values in joined.items()}
    name = files[0][0] if len(files) == 1 else f"{len(tables)} files"
    return Opened(joined, name)


class Results:
    """Reads the files opened on a page when this is done in another process."""

    def read(self, data: bytes, name: str, *, more: Sequence[tuple[str, bytes]] = ()) -> Opened:
        """The results in one file, or in several with their names."""
        return read_results([(name, data), *more])


def columns_of(table: DataFrame | Mapping[str, Any]) -> Columns:
    """The columns of a data frame, or the given columns as they are."""
    if isinstance(table, dict):
        return table
    return {str(name): _plain(table[name].to_numpy()) for name in table}


def _plain(values: NDArray[Any]) -> NDArray[Any]:
    """Numbers, or values as they are."""
    return values if values.dtype.kind in "iufb" else np.array(values, dtype=object)


def _joined(tables: Sequence[Columns]) -> Columns:
    """The tables one below the other; a column that a table lacks is missing in its rows."""
    if len(tables) == 1:
        return tables[0]
    names = dict.fromkeys(name for table in tables for name in table)
    rows = [len(next(iter(table.values()), ())) for table in tables]

    def part(table: Columns, name: str, count: int) -> NDArray[Any]:
        return table.get(name, np.full(count, np.nan))

    found = {name: [part(table, name, n) for table, n in zip(tables, rows, strict=True)] for name in names}
    return {name: _stacked(parts) for name, parts in found.items()}


def _stacked(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """The parts of a column joined; parts of different kinds keep their types."""
    kinds = {part.dtype.kind for part in parts}
    alike = len(kinds) == 1 or kinds <= set("iuf")
    return np.concatenate(parts if alike else [part.astype(object) for part in parts])


def _table(name: str, content: bytes) -> Columns:
    read: Callable[[bytes], Columns] = _parquet if content[:4] == b"PAR1" else _csv
    try:
        columns = read(content)
    except ImportError:
        remedy = f"Install it, {install('study')}, or save the results as CSV"
        raise InputError("Parquet must be read by pyarrow, which is not installed", remedy=remedy) from None
    except (ValueError, OSError, csv.Error) as error:  # pyarrow's own errors are ValueErrors
        raise refused(
            "a results file", "Parquet or CSV", name, remedy=f"It cannot be read ({type(error).__name__})"
        ) from None
    if "region" in columns:  # empty: the track's own region
        columns["region"] = _filled(columns["region"])
    if "landmarks" in columns:  # how many if they are drawn, otherwise which
        drawn = "share" in columns
        columns["landmarks"] = _typed(columns["landmarks"].tolist()) if drawn else _filled(columns["landmarks"])
    return columns


def _filled(values: NDArray[Any]) -> NDArray[Any]:
    """Words, with "" where one is missing."""
    return np.array(["" if value != value else value for value in values.tolist()], dtype=object)


def _parquet(content: bytes) -> Columns:
    from pyarrow import types
    from pyarrow.parquet import ParquetFile

    table = ParquetFile(io.BytesIO(content)).read(use_threads=False)
    columns = {}
    for name, values in zip(table.column_names, table.columns, strict=True):
        kind = values.type
        values = values.cast(kind.value_type) if types.is_dictionary(kind) else values
        columns[name] = _missing(values.to_numpy())
    return columns


def _missing(values: NDArray[Any]) -> NDArray[Any]:
    """With NaN instead of Parquet's null."""
    if values.dtype.kind in "iufb":
        return values
    return np.array([np.nan if value is None else value for value in values.tolist()], dtype=object)


def _csv(content: bytes) -> Columns:
    rows = list(filter(None, csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True)))
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        raise ValueError
    held = zip(rows[0], zip(*rows[1:], strict=True) if rows[1:] else ((),) * len(rows[0]), strict=True)
    return {name: _words(values) if name in LISTS else _typed(values) for name, values in held}  # keeps "1.10" as text


def _words(values: Sequence[str]) -> NDArray[Any]:
    return np.array([np.nan if value in _MISSING else value for value in values], dtype=object)


def _typed(values: Sequence[Any]) -> NDArray[Any]:
    """A column of text, as the first of these that fits all of it: whole numbers, yes and no, numbers, or words."""
    texts = [str(value) for value in values]
    if all(map(_WHOLE.fullmatch, texts)):
        return np.array([int(text) for text in texts], dtype=np.int64)
    if all(text in _YES_NO for text in texts):
        return np.array([_YES_NO[text] for text in texts])
    try:
        return np.array([np.nan if text in _MISSING else float(text) for text in texts])
    except ValueError:
        return _words(texts)


EXAMPLE: dict[str, Any] = {
    "scheme": ["uniform", "skip", "adaptive"],
    "share": [0, 0.25, 0.5, 0.75, 1],
    "layout": ["uniform", "skewed", "symmetric", "bimodal"],
    "correlation": "none",
}
"""The study that the page starts with, on Bob's day."""


@cached("everybody", entries=1)
def example() -> Opened:
    """The results of `EXAMPLE`, run when they are first asked for."""
    study = Study("bob", EXAMPLE, repetitions=5, measures=("mean_error_m", "published"))
    rows = range(len(study))
    values = np.array([measured for measured, _ in evaluated(study, rows)])
    return Opened(study.columns(rows, values), "An example, Bob's day")
