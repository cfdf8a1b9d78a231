"""A published finding and the inequalities by which it is judged: the verdict follows from numbers, never from words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf
from operator import ge, gt, le, lt
from typing import NamedTuple

from lmdk_widgets.page.amounts import amount

SIGNS: dict[str, Callable[[float, float], bool]] = {"≤": le, "<": lt, "≥": ge, ">": gt}

HOLDS, FAILS, UNTESTED = "holds", "fails", "cannot be tested here"


class Criterion(NamedTuple):
    """An inequality: `left` `sign` `right`.

    Attributes
    ----------
    stated : what the left side is, in words. left, right : its two sides. sign : one of `SIGNS`.
    """

    stated: str
    left: float
    sign: str
    right: float

    @property
    def met(self) -> bool:
        """Whether the inequality is true; never where a side is missing."""
        return bool(SIGNS[self.sign](self.left, self.right))

    def __str__(self) -> str:
        return f"{self.stated}: {_side(self.left)} (must be {self.sign} {_side(self.right)})"


def _side(value: float) -> str:
    return "∞" if value == inf else str(amount(value))


class Finding(NamedTuple):
    """A published finding and whether it holds here.

    Attributes
    ----------
    claim : what the paper says. criteria : the inequalities that must all be true; none where it cannot be tested here.
    said : the numbers in words, or why it cannot be tested.
    """

    claim: str
    criteria: tuple[Criterion, ...]
    said: str

    @property
    def holds(self) -> bool:
        """Whether it can be tested here, and every criterion is met."""
        return bool(self.criteria) and all(one.met for one in self.criteria)

    @property
    def verdict(self) -> str:
        """One of `HOLDS`, `FAILS` and `UNTESTED`."""
        return UNTESTED if not self.criteria else HOLDS if self.holds else FAILS


def none_of(cases: str, count: int) -> Criterion:
    """There are no such cases.

    Examples
    --------
    >>> str(none_of("cases in which another is better", 2))
    'cases in which another is better: 2 (must be ≤ 0)'
    """
    return Criterion(cases, count, "≤", 0)


HEAD = "| published | verdict | criterion | numbers |"


def row(finding: Finding) -> str:
    """A finding as a row of a table in Markdown."""
    by = "; ".join(str(one) for one in finding.criteria) or "none"
    cells = (text.replace("|", r"\|") for text in (finding.claim, finding.verdict, by, finding.said))
    return f"| {' | '.join(cells)} |"


def table(findings: Iterable[Finding]) -> str:
    """Findings as a table in Markdown."""
    return _with_head(HEAD, map(row, findings))


def in_markdown(head: str, rows: Iterable[tuple[str, ...]]) -> str:
    """A table in Markdown from its head and the cells of its rows."""
    return _with_head(head, lines(rows))


def lines(rows: Iterable[tuple[str, ...]]) -> list[str]:
    """Rows of a table in Markdown."""
    return [f"| {' | '.join(each)} |" for each in rows]


def _with_head(head: str, rows: Iterable[str]) -> str:
    return "\n".join([head, "|" + "---|" * (head.count("|") - 1), *rows])
