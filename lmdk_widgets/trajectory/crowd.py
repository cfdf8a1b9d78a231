"""Whether the rows of a table are those of several people, and which column tells them apart.

A column with a known heading, such as user_id, does so if its values repeat. Any other column does so if the paths of its
values are together far shorter than the path of all rows in time order: between the rows of one person there are no jumps
to another person.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lmdk_widgets.geo import Floats, distance_m

SHARE = 0.3
"""A column tells people apart if the paths of its values are together shorter than this share of the path of all rows."""
ALIKE = 2.0
"""Of several such columns, the one with the fewest values whose paths are at most this many times the shortest."""
MOST_COLUMNS = 60
"""How many columns of a table with unknown headings are examined."""
_WORD = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+")


def _words(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(text))


_OTHER = _words(
    "time date datetime timestamp hour minute second day weekday dow week month year season lat latitude lon lng longitude "
    "x y z easting northing place location venue poi spot stop station city town village country county region state "
    "province zip postcode postal street road address cell geohash grid tile zone area district cluster stay segment "
    "label landmark mode activity transport purpose motion status event type category class kind speed accuracy altitude "
    "elevation height heading bearing course battery satellites hdop pdop index row note notes comment "
    "datum uhrzeit zeit ort platz ortsteil stadt stadtteil bezirk land strasse straße adresse heure jour lieu endroit ville "
    "quartier commune pays rue adresse hora fecha lugar sitio ciudad barrio pais calle direccion ora data luogo citta via "
    "indirizzo local cidade bairro rua plaats stad wijk adres miejsce miasto τόπος πόλη περιοχή οδός ώρα ημερομηνία"
)
"""Words in a heading for when, where or how a row was recorded: such a column can have short paths and names no person."""


class Crowd(NamedTuple):
    """The column that tells people apart, by its position, and the length of its paths as a share of that of all rows."""

    column: int
    share: float


def may_name_people(heading: str) -> bool:
    """Whether a column may name people, judging by its heading alone.

    Examples
    --------
    >>> [may_name_people(heading) for heading in ("caid", "driver", "", "placeName", "hour of day", "Speed (km/h)")]
    [True, True, True, False, False, False]
    """
    return not _words(heading) & _OTHER


def is_several(values: Sequence[str]) -> bool:
    """Whether a column that names people, judging by its heading, names several; one that differs in every row is an index.

    Examples
    --------
    >>> is_several(["a", "b", "a"]), is_several(["a", "a", ""]), is_several(["1", "2", "3"]), is_several(["a", "b"])
    (True, False, False, True)
    """
    named = [value for value in values if value]
    count = len(set(named))
    return count > 1 and (count < len(named) or count == 2)


class Repeated:
    """The cells of some columns, batch by batch, each text stored once; a column of ever new values is dropped.

    Examples
    --------
    >>> kept = Repeated([3, 5])
    >>> kept.add([("a", "b", "a", "b"), ("1", "2", "3", "4")])
    >>> kept.columns
    {3: ['a', 'b', 'a', 'b']}
    """

    def __init__(self, columns: Iterable[int]) -> None:
        self.columns: dict[int, list[str]] = {column: [] for column in columns}
        self._texts: dict[int, dict[str, str]] = {column: {} for column in self.columns}
        self._order = tuple(self.columns)

    def add(self, cells: Iterable[Sequence[str]]) -> None:
        """Add some cells of each column, in the order of the columns."""
        for column, some in zip(self._order, cells, strict=True):
            if column in self.columns:
                texts = self._texts[column]
                self.columns[column] += [texts.setdefault(text, text) for text in some]
                if 2 * (len(texts) - ("" in texts)) > len(self.columns[column]):
                    del self.columns[column], self._texts[column]


def find_crowd(columns: Sequence[Sequence[str]], latitude: Floats, longitude: Floats, utc: NDArray) -> Crowd | None:
    """The column that tells several people apart; None if there is none.

    Parameters
    ----------
    columns : n values of each column, "" for none. latitude, longitude, utc : of the n rows, in any order.

    Examples
    --------
    >>> east, time = [2.0, 3.0, 2.001, 3.001, 2.002, 3.002], np.arange(6).astype("datetime64[s]")
    >>> columns = ["aabbcc", "ababab", "abcdef"]
    >>> find_crowd(columns, np.full(6, 48.0), np.array(east), time)
    Crowd(column=1, share=0.0008)
    """
    with np.errstate(invalid="ignore"):
        usable = (np.abs(latitude) <= 90) & (np.abs(longitude) <= 180) & ~np.isnat(utc)
    rows = np.flatnonzero(usable)
    rows = rows[np.argsort(utc[rows], kind="stable")]
    found: list[tuple[int, float, int]] = []
    for column, values in enumerate(columns):
        number, texts = _numbered(values)
        if len(texts) < 2 or any(map(_is_fraction, texts)):
            continue
        named = rows[number[rows] >= 0]
        if len(texts) * 2 > len(named):
            continue
        together = _path_m(latitude, longitude, named)
        grouped = named[np.argsort(number[named], kind="stable")]
        apart = _path_m(latitude, longitude, grouped, number)
        if apart < SHARE * together:
            found.append((len(texts), apart / together, column))
    shortest = min((share for _, share, _ in found), default=0.0)
    chosen = min((one for one in found if one[1] <= ALIKE * shortest), default=None)
    return None if chosen is None else Crowd(chosen[2], round(chosen[1], 4))


def _numbered(values: Sequence[str]) -> tuple[NDArray[np.int64], Mapping[str, int]]:
    """The number of each row's value, -1 for none, and the numbers by value."""
    texts = {text: k for k, text in enumerate(dict.fromkeys(text for text in values if text))}
    return np.fromiter((texts.get(text, -1) for text in values), np.int64, len(values)), texts


def _is_fraction(text: str) -> bool:
    """Whether a value is measured and names nobody: a number with a fraction."""
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        return False
    return math.isfinite(value) and not value.is_integer()


def _path_m(
    latitude: Floats, longitude: Floats, rows: NDArray[np.intp], number: NDArray[np.int64] | None = None
) -> float:
    """The metres from row to row; with the number of each row's value, only between rows with the same value."""
    before, after = rows[:-1], rows[1:]
    if number is not None:
        same = number[before] == number[after]
        before, after = before[same], after[same]
    return float(distance_m(latitude[before], longitude[before], latitude[after], longitude[after]).sum())
