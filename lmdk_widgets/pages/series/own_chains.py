"""The user's own chains: how one is typed, checked and written, and the kind of choice that contains a set of them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lmdk_widgets.checks import kind_of, real, refused, seen
from lmdk_widgets.errors import InputError
from lmdk_widgets.leakage.markov import has_one_long_run, transition_matrix
from lmdk_widgets.page.fields import KIND, Kind
from lmdk_widgets.page.matrix_text import parse_matrix
from lmdk_widgets.pufferfish import MarkovChain

FEWEST_STATES, MOST_STATES, MOST_CHAINS = 2, 60, 10
_SUM_WITHIN = 1e-9
_CHAIN, _START = "_", "~"
"""Separators of chains in a link, and of a start and its matrix: characters that an address keeps as they are."""


class OwnChain(NamedTuple):
    """One chain as it is typed.

    Attributes
    ----------
    initial : probability of each state at the first timestamp; empty: those of the long run.
    matrix : a row for each state, the probabilities of the next one.
    """

    initial: tuple[float, ...]
    matrix: tuple[tuple[float, ...], ...]

    def chain(self) -> MarkovChain:
        """The belief that it represents."""
        return MarkovChain(self.initial, self.matrix) if self.initial else MarkovChain.stationary(self.matrix)


FIRST = (OwnChain((), ((0.9, 0.1), (0.4, 0.6))),)
"""The initial contents of the fields."""

PUBLISHED = (OwnChain((1.0, 0.0), ((0.9, 0.1), (0.4, 0.6))), OwnChain((0.9, 0.1), ((0.8, 0.2), (0.3, 0.7))))
"""Two chains for which Song, Wang and Chaudhuri print a scale: 13.0219 at T = 100 and epsilon = 1, by their own count."""
PUBLISHED_LENGTH, PUBLISHED_EPSILON, PUBLISHED_SCALE = 100, 1.0, 13.0219


def parse_chain(number: int, initial: str, matrix: str, *, normalize: bool = False) -> OwnChain:
    """A chain as it is typed on the page; `number` names it in a refusal, from 1.

    Examples
    --------
    >>> parse_chain(1, "[1, 0]", "0.9 0.1; 0.4 0.6")
    OwnChain(initial=(1.0, 0.0), matrix=((0.9, 0.1), (0.4, 0.6)))
    >>> parse_chain(1, "", "0.9 0.1; 0.4 0.5")
    Traceback (most recent call last):
      ...
    lmdk_widgets.errors.InputError: Row 2 of the matrix of chain 1 must sum to 1; got 0.9. Correct the row. In Python: \
normalize=True to divide every row by its sum.
    """
    rows = parse_matrix(matrix, normalize=normalize, name=f"the matrix of chain {number}")
    cells = [cell for cell in re.split(r"[,;\s]+", initial.strip(" \t\r\n,;[]()")) if cell]
    return checked(number, (tuple(_number(cell, number) for cell in cells), rows))


def checked(number: int, given: Any) -> OwnChain:
    """One chain, or an `InputError` that names it by its number, from 1."""
    if not isinstance(given, Sequence) or isinstance(given, str | bytes) or len(given) != 2:
        raise refused(f"chain {number}", "a start and a matrix", kind_of(given))
    initial, rows = given
    matrix = transition_matrix(rows, name=f"the matrix of chain {number}", origin=1).tolist()
    if not FEWEST_STATES <= len(matrix) <= MOST_STATES:
        raise InputError(
            f"Chain {number} must have between {FEWEST_STATES} and {MOST_STATES} states", value=len(matrix)
        )
    chain = OwnChain(_start(number, initial, len(matrix)), tuple(tuple(row) for row in matrix))
    if not chain.initial and not has_one_long_run(chain.matrix):
        raise InputError(
            f"The start of chain {number} must be given, as the long run of its matrix depends on it",
            value="none",
        )
    return chain


def _start(number: int, given: Any, states: int) -> tuple[float, ...]:
    """The start of a chain, empty for the long run."""
    if not isinstance(given, Iterable) or isinstance(given, str | bytes):
        raise refused(f"the start of chain {number}", "a list of probabilities", kind_of(given))
    values = [real(value) for value in given]
    if not values:
        return ()
    if len(values) != states:
        raise InputError(
            f"The start of chain {number} must have {states} probabilities, one for each state, or none",
            value=len(values),
        )
    for k, value in enumerate(values, start=1):
        if not 0 <= value <= 1:
            raise refused(f"probability {k} in the start of chain {number}", "a number between 0 and 1", value)
    if not math.isclose(math.fsum(values), 1, rel_tol=0, abs_tol=_SUM_WITHIN):
        raise InputError(f"The start of chain {number} must sum to 1", value=f"{math.fsum(values):.12g}")
    return tuple(values)


def _number(cell: str, number: int) -> float:
    try:
        return float(cell)
    except ValueError:
        raise InputError(f"The start of chain {number} must contain numbers, such as 1 0", value=seen(cell)) from None


@dataclass(frozen=True, kw_only=True)
class Chains(Kind):
    """A set of one to `MOST_CHAINS` chains over the same states; pairs of a start and a matrix in JSON."""

    def check(self, value: Any) -> tuple[OwnChain, ...]:
        if isinstance(value, str | bytes) or not isinstance(value, Iterable):
            raise refused(self.label, "a list of chains", value)
        given = list(value)
        if not 1 <= len(given) <= MOST_CHAINS:
            raise InputError(f"The number of chains must be between 1 and {MOST_CHAINS}", value=len(given))
        chains = tuple(checked(number, chain) for number, chain in enumerate(given, start=1))
        states = len(chains[0].matrix)
        for number, chain in enumerate(chains, start=1):
            if len(chain.matrix) != states:
                raise InputError(
                    f"Chain {number} must have {states} states, as chain 1 has",
                    value=len(chain.matrix),
                    remedy="Remove the other chains first to change the number of states",
                )
        return chains

    def plain(self, value: tuple[OwnChain, ...]) -> list[Any]:
        return [[list(chain.initial), [list(row) for row in chain.matrix]] for chain in value]

    def to_text(self, value: tuple[OwnChain, ...]) -> str:
        return _CHAIN.join(_START.join((_row(chain.initial), ";".join(map(_row, chain.matrix)))) for chain in value)

    def from_text(self, text: str) -> list[Any]:
        found = [part.split(_START) for part in text.split(_CHAIN)]
        return [[_cells(initial), [_cells(row) for row in rows.split(";") if row]] for initial, rows in found]


def _row(values: Iterable[float]) -> str:
    return ",".join(map(repr, values))


def _cells(text: str) -> list[float]:
    return [float(cell) for cell in text.split(",") if cell]


def own_chains(**options: Any) -> Any:
    """Declares a set of chains, initially one of two states."""
    return field(default=FIRST, metadata={KIND: Chains(**options)})
