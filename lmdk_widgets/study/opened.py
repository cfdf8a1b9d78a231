"""Results of a study as they are opened: what they vary and measure, and the setting behind a row."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lmdk_widgets.checks import refused
from lmdk_widgets.errors import InputError, install, library
from lmdk_widgets.page.fields import Flag
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.study.grid import LISTS, VARIED
from lmdk_widgets.study.measures import MEASURES
from lmdk_widgets.study.model import Study
from lmdk_widgets.trajectory.samples import sample_names, series_names

if TYPE_CHECKING:
    from pandas import DataFrame

MOST_ROWS = 1_000_000
"""Most rows of results that are opened."""


@dataclass(frozen=True, eq=False)
class Opened:
    """Results of a study.

    Attributes
    ----------
    frame : as `Study.run` gives them. name : what to call them.

    Raises
    ------
    InputError : a table that is none of a study, or one that is too long.
    """

    frame: DataFrame
    name: str

    def __post_init__(self) -> None:
        needed = [name for name in ("track", "repetition") if name not in self.frame]
        if needed or not self.measures:
            value = f"no column {needed[0]}" if needed else "no measure"
            raise InputError("The results must be those of a study", value=value, remedy="Open what lmdk study wrote")
        if not 0 < len(self.frame) <= MOST_ROWS:
            raise refused("the results", f"a table of 1 to {MOST_ROWS:,} rows", f"{len(self.frame):,} rows")

    @cached_property
    def measures(self) -> list[str]:
        """The measures that it has."""
        return [name for name in self.frame if name in MEASURES and name != "landmarks"] or (
            ["landmarks"] if "landmarks" in self.frame and "share" in self.frame else []
        )

    @cached_property
    def choices(self) -> dict[str, list[Any]]:
        """What it tells settings apart by, with the values in the order in which they come: the track, and each choice."""
        names = ["track", *(name for name in self.frame if name in VARIED and name not in self.measures)]
        if "landmarks" in names and "share" in names:  # then it is a measure
            names.remove("landmarks")
        return {name: list(dict.fromkeys(self.frame[name].tolist())) for name in names}

    @cached_property
    def varied(self) -> list[str]:
        """Choices with several values."""
        return [name for name, values in self.choices.items() if len(values) > 1]

    def scenario(self, row: Mapping[str, Any]) -> Scenario:
        """The scenario of a row, with its landmarks and its noise: they follow from the setting itself.

        Raises
        ------
        InputError : the row is of a track that is no sample, which the results do not hold.
        """
        track = str(row["track"])
        if track not in (*sample_names(), *series_names()):
            what = "A setting must be of a sample to be opened, as results hold no track"
            raise InputError(what, value=track, remedy="In Python: Explorer(track, scenario=study.scenario(k)[0])")
        grid = {name: [_read(name, row[name])] for name in self.choices if name != "track"}
        repetition = int(row["repetition"])
        return Study([track], grid, repetitions=repetition + 1).scenario(repetition)[0]


def _read(name: str, value: Any) -> Any:
    """The value of a choice as it is in a table."""
    if isinstance(VARIED[name], Flag):  # a table may have a yes or no of NumPy
        return bool(value)
    return VARIED[name].from_text(str(value)) if name in LISTS else value


def read_results(files: Sequence[tuple[str, bytes]]) -> Opened:
    """Results from their files: the Parquet parts of a directory, all or some, or CSV.

    Parameters
    ----------
    files : names with contents.

    Raises
    ------
    InputError : a file that cannot be read; what `Opened` refuses.
    """
    pandas = library("pandas", "A file of results")

    if not files:
        raise InputError("There must be at least one file of results", value="none")
    tables = [_table(name, content) for name, content in files if not name.startswith("_")]
    if not tables:
        raise InputError(
            "The files must be Parquet or CSV", value=files[0][0], remedy="Open part-….parquet of the directory"
        )
    joined = pandas.concat(tables, ignore_index=True)
    if "evaluation" in joined:
        joined = joined.drop_duplicates("evaluation").sort_values("evaluation", ignore_index=True)
    name = files[0][0] if len(files) == 1 else f"{len(tables)} files"
    return Opened(joined, name)


def _table(name: str, content: bytes) -> DataFrame:
    pandas = library("pandas", "A file of results")

    try:
        if content[:4] == b"PAR1":
            frame = pandas.read_parquet(io.BytesIO(content))
        else:
            frame = pandas.read_csv(io.BytesIO(content), dtype=dict.fromkeys(LISTS, str))  # "1.10" is no number
    except ImportError:
        remedy = f"Install it, {install('study')}, or save the results as CSV"
        raise InputError("Parquet must be read by pyarrow, which is not here", remedy=remedy) from None
    except (ValueError, OSError) as error:  # pandas' and pyarrow's own errors are ValueErrors
        raise refused(
            "a file of results", "Parquet or CSV", name, remedy=f"It cannot be read ({type(error).__name__})"
        ) from None
    if "region" in frame:  # none: that of the track
        frame["region"] = frame["region"].fillna("")
    if "landmarks" in frame:  # how many, where they are drawn; else which
        drawn = "share" in frame
        frame["landmarks"] = pandas.to_numeric(frame["landmarks"]) if drawn else frame["landmarks"].fillna("")
    for column in frame.select_dtypes("category"):
        frame[column] = frame[column].astype(object)
    return frame
