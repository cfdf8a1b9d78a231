"""A study as a TOML file: the tracks, the grid, repetitions and measures; errors name the line of the file."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lmdk_widgets.checks import either, one_of, refused, whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.study.grid import OF_DUMMIES, check_together, checked_name, checked_value, checked_values, listed
from lmdk_widgets.study.measures import DEFAULT_MEASURES
from lmdk_widgets.study.model import Study
from lmdk_widgets.study.plan import checked_measure
from lmdk_widgets.study.tracks import Tracks, add_track, name_of
from lmdk_widgets.trajectory.samples import data_folder, sample_names, series_names

KEYS = (
    "title",
    "tracks",
    "people",
    "sample",
    "timezone",
    "day_first",
    "on_several",
    "repetitions",
    "measures",
    "read",
    "grid",
)
"""The keys of a study file."""

BUNDLED = ("landmark_error", "landmark_loss", "household_error", "people")
"""The studies that come with the package."""

MOST_BYTES = 10_000_000

CITY, SAMPLE, SEED = "city", 50, 1
"""The name of the sample city; how many people of a table a study has if it does not say, and the seed that draws them."""

_TEXTS = r'"""(?:\\.|[^\\])*?"""|' r"'''.*?'''|" r'"(?:\\.|[^"\\\n])*"|' r"'[^'\n]*'"
_TOKEN = re.compile(_TEXTS + r"|#[^\n]*|[\[\]{},=\n]|[^\s\[\]{},=#\"']+|[ \t\r]+", re.DOTALL)


class StudyFile(NamedTuple):
    """A study read from a file, and its title there, or ""."""

    study: Study
    title: str


def bundled_study(name: str) -> Path:
    """The path of a study file that comes with the package, one of `BUNDLED`.

    Examples
    --------
    >>> bundled_study("landmark_error").name
    'landmark_error.toml'
    """
    return data_folder() / "studies" / f"{one_of(name, 'the name of a study file', BUNDLED)}.toml"


def read_study(path: str | os.PathLike[str], more_tracks: Iterable[str] = ()) -> StudyFile:
    """Read a study file.

    Parameters
    ----------
    path : a TOML file. `tracks` lists samples, and files of tracks or series, relative to the study file's folder;
        `timezone` is for tracks whose times have none, `day_first` for dates such as 1/2/2026, and on_several = "join" for
        files with several tracks of one person; `people` is a table of people, "city" or a path, of whom `sample` are drawn
        at random, each a track with the stays as landmarks; `[grid]` contains choices and their values; `repetitions` and
        `measures` are those of a `Study`.
    more_tracks : further sample names and file paths, in addition to those in the file.

    Raises
    ------
    InputError : a file that cannot be read, or a value that is not allowed, with its line number.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "small.toml")
    >>> _ = file.write_text('tracks = ["bob"]\\n[grid]\\nscheme = "uniform"\\nepsilon = [0.5, -3]\\n')
    >>> read_study(file)
    Traceback (most recent call last):
      ...
    lmdk_widgets.errors.InputError: Line 4 of small.toml: Epsilon must be between 1e-9 and 1,000,000; got -3.
    """
    return _Reader(Path(path)).read(more_tracks)


class _Reader:
    """Reads one study file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with path.open("rb") as file:
                content = file.read(MOST_BYTES)
            self.text = content.decode("utf-8").replace("\r\n", "\n")
            self.said = tomllib.loads(self.text)
        except OSError as error:
            raise refused("the study file", "one that can be read", str(path), remedy=str(error.strerror)) from None
        except UnicodeDecodeError:
            raise refused("the study file", "text in UTF-8", str(path)) from None
        except RecursionError:
            raise refused("the study file", "one with fewer brackets in one another", str(path)) from None
        except tomllib.TOMLDecodeError as error:
            raise self._at(_line_in(str(error)), InputError(f"The file must be TOML: {error}")) from None

    def read(self, more_tracks: Iterable[str]) -> StudyFile:
        for name in self.said:
            with self._naming("", name):
                one_of(name, "a key of the study file", KEYS)
        tracks, grid, measures = self._tracks(more_tracks), self._grid(), self._measures()
        with self._naming("", "repetitions"):
            study = Study(tracks, grid, repetitions=self.said.get("repetitions", 1), measures=measures)
        if "read" in self.said:
            with self._naming("", "read"):
                study = Study(tracks, grid, repetitions=study.repetitions, measures=measures, read=self.said["read"])
        with self._naming("", "title"):
            return StudyFile(study, _text(self.said.get("title", ""), "title"))

    def _tracks(self, more: Iterable[str]) -> Tracks:
        found: Tracks = {}
        with self._naming("", "timezone"):
            timezone = _text(self.said.get("timezone", ""), "timezone") or None
        with self._naming("", "day_first"):
            day_first = _flag(self.said.get("day_first"), "day_first")
        with self._naming("", "on_several"):
            several = one_of(self.said.get("on_several", "stop"), "on_several", ("stop", "join"))
        read: dict[str, Any] = {"timezone": timezone, "day_first": day_first, "on_several": several}
        given = self.said.get("tracks", [])
        for k, name in enumerate([given] if isinstance(given, str) else self._list("tracks", given)):
            with self._naming("", "tracks", k):
                what = _text(name, "a track")
                add_track(found, name_of(what), _there(what, self.path.parent), **read)
        if "people" in self.said:
            with self._naming("", "people"):
                found |= self._people(timezone, day_first)
        for what in more:
            add_track(found, name_of(what), _there(what, Path()), **read)
        if not found:
            with self._naming("", "tracks"):
                raise InputError("A study must have at least one track", value="none")
        return found

    def _people(self, timezone: str | None, day_first: bool | None) -> Tracks:
        """The tracks of some people of a table, drawn at random."""
        from lmdk_widgets.population import People, sample_city

        name = _text(self.said["people"], "people")
        with self._naming("", "sample"):
            sample = whole(self.said.get("sample", SAMPLE), "sample")
        file = self.path.parent / name
        if name != CITY and not file.exists():
            raise refused("people", f'"{CITY}", the sample city, or the path of an existing file or folder', name)
        people = People(sample_city() if name == CITY else file, timezone=timezone, day_first=day_first)
        return {who: people.track(who) for who in people.drawn(sample, rng=np.random.default_rng(SEED))}

    def _grid(self) -> dict[str, tuple[Any, ...]]:
        grid = self.said.get("grid", {})
        with self._naming("", "grid"):
            if not isinstance(grid, Mapping):
                raise refused("the grid", "a table, [grid]", grid)
        axes: dict[str, tuple[Any, ...]] = {}
        for name, values in grid.items():
            with self._naming("grid", name):
                checked_name(name)
            found: list[Any] = []
            for k, value in enumerate(listed(name, values)):
                with self._naming("grid", name, k):
                    found.append(checked_value(name, value, found))
            with self._naming("grid", name):
                axes[name] = checked_values(name, found)
        alone = [name for name in OF_DUMMIES if name in axes and "hide" not in axes]
        with self._naming("grid", [*alone, "landmarks" if "landmarks" in axes else "layout"][0]):
            check_together(axes)
        return axes

    def _measures(self) -> list[str]:
        given, found = self.said.get("measures", list(DEFAULT_MEASURES)), list[str]()
        for k, name in enumerate(self._list("measures", given)):
            with self._naming("", "measures", k):
                found.append(checked_measure(name, found))
        return found

    def _list(self, key: str, given: Any) -> list[Any]:
        with self._naming("", key):
            if not isinstance(given, list):
                raise refused(key, "a list of names", given)
        return given

    @contextmanager
    def _naming(self, table: str, key: str, entry: int | None = None) -> Iterator[None]:
        """Make errors name the line of this key, or of this entry in its list."""
        try:
            yield
        except InputError as error:
            raise self._at(line_of(self.text, table, key, entry), error) from None

    def _at(self, line: int | None, error: InputError) -> InputError:
        error.sentence = f"{f'Line {line} of ' if line else ''}{self.path.name}: {error.sentence}"
        error.args = (error.sentence,)
        return error


def _line_in(message: str) -> int | None:
    found = re.search(r"line (\d+)", message)
    return int(found[1]) if found else None


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise refused(name, "text", value)
    return value


def _flag(value: Any, name: str) -> bool | None:
    if not isinstance(value, bool | None):
        raise refused(name, "true or false", value)
    return value


def _there(what: str, folder: Path) -> str:
    """The name of a sample, or the path of an existing file."""
    samples = (*sample_names(), *series_names())
    if what in samples:
        return what
    if not (folder / what).is_file():
        raise refused("a track", f"the name of a sample, {either(samples)}, or of an existing file", what)
    return str(folder / what)


def line_of(text: str, table: str, key: str, entry: int | None = None) -> int | None:
    """The line, from 1, of a key in a table, or of entry number `entry`, from 0, in its list; None if it is not found.

    Parameters
    ----------
    text : a valid TOML file. table : the table's name, "" for the top level. key : a bare or quoted key without dots.

    Examples
    --------
    >>> text = 'tracks = ["bob"]\\n[grid]  # all of it\\nepsilon = [0.5,\\n  -3]'
    >>> line_of(text, "grid", "epsilon"), line_of(text, "grid", "epsilon", 1), line_of(text, "", "tracks", 0)
    (3, 4, 1)
    """
    inside, line = "", 1
    statement: list[tuple[str, int]] = []
    for token, line, depth in _tokens(text):
        if token != "\n" or depth:
            statement.append((token, line))
            continue
        inside, found = _looked_at(statement, inside, table, key, entry)
        if found:
            return found
        statement = []
    return _looked_at(statement, inside, table, key, entry)[1]


def _tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """The tokens of a file, except spaces and comments, each with its line and the number of open brackets."""
    line, depth = 1, 0
    for found in _TOKEN.finditer(text):
        token = found[0]
        depth += (token in "[{") - (token in "]}") if len(token) == 1 else 0
        if not token.startswith(("#", " ", "\t", "\r")):
            yield token, line, depth
        line += token.count("\n")


def _looked_at(
    statement: list[tuple[str, int]], inside: str, table: str, key: str, entry: int | None
) -> tuple[str, int | None]:
    """The current table after a statement, and the line we are looking for, if this statement contains it."""
    words = [_bare(token) for token, _ in statement]
    if words[:1] == ["["] and "=" not in words:
        return "".join(words).strip("[]"), None
    if inside != table or words[:2] != [key, "="]:
        return inside, None
    if entry is None or words[2:3] != ["["]:
        return inside, statement[0][1]
    depth, passed = 0, 0
    for token, line in statement[3:]:
        if depth == 0 and passed == entry and token not in ",]\n":
            return inside, line
        depth += (token in ("[", "{")) - (token in ("]", "}"))
        passed += depth == 0 and token == ","
    return inside, statement[0][1]


def _bare(token: str) -> str:
    return token[1:-1] if len(token) > 1 and token[0] == token[-1] and token[0] in "\"'" else token
