"""Every scheme on the same track side by side on the page, and what moving a landmark by one timestamp changes."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

from lmdk_widgets.answers.by_distance import loss_name, of_many_settings
from lmdk_widgets.answers.found_places import found_text, half_region_m
from lmdk_widgets.answers.from_track import noted
from lmdk_widgets.answers.odds import as_if
from lmdk_widgets.answers.usefulness import MOST_DRAWS, estimate, read_text, without_sentence
from lmdk_widgets.io import NOTE
from lmdk_widgets.io.report import Part
from lmdk_widgets.leakage import landmark_loss
from lmdk_widgets.page.amounts import amount, bound
from lmdk_widgets.page.answers import NO_PROMISE
from lmdk_widgets.page.blocks import Block, Column, Table, Text
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.fields import flag
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.track.practice_rows import practice_found, scheme_told
from lmdk_widgets.pages.track.unit_names import in_its_unit
from lmdk_widgets.practice.practised import Practised
from lmdk_widgets.practice.today import NOTE_OF_PRACTICES, compared_practices
from lmdk_widgets.scenario.model import MECHANISMS, SPREADS, Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.sweep.rows import Row, compared_schemes, read, read_values, row_of, served, some
from lmdk_widgets.trajectory.model import Trajectory

MOST_MOVED = 12
"""The most landmarks that are moved: the first ones."""


COMPARED = some(
    "pair_loss", "largest_total_loss", "supremum", "landmark_loss", "landmark_bound", "found_within_m", "mean_error_m"
)
"""What is computed for each scheme; then a reader reads its release."""


class Moved(NamedTuple):
    """A landmark moved by one timestamp to a regular one, and the largest landmark loss afterwards."""

    landmark: int
    to: int
    landmark_loss: float


def compare_schemes(scenario: Scenario, trajectory: Trajectory) -> Iterator[Row]:
    """Every scheme under the scenario's other choices, one after the other in the order of `compared_schemes`.

    Raises
    ------
    InputError : as `evaluate`, except that an impossible plan gives a row of NaN.

    Examples
    --------
    >>> from lmdk_widgets.trajectory import sample
    >>> rows = compare_schemes(Scenario(landmarks=(0, 2, 4, 7), correlation="none"), sample("bob"))
    >>> [(row.scheme, round(row["landmark_loss"], 6)) for row in rows if row.scheme in ("event", "user", "uniform")]
    [('event', 5.0), ('user', 0.625), ('uniform', 1.0)]
    """
    for scheme in compared_schemes(scenario):
        strict = not SPREADS[scheme].plans  # a chain that hardly forgets allows no plan
        yield row_of(_with(scenario, scheme), trajectory, COMPARED, strict=strict)


def _with(scenario: Scenario, scheme: str) -> Scenario:
    return scenario.with_changes(**served(scenario, scheme), average=False)


def move_landmarks(outcome: Outcome) -> tuple[Moved, ...]:
    """Each landmark moved to the regular timestamp before it and after it, under the same budgets.

    The budgets stay the same, so only the landmark's position changes: how near the next landmark is, and how many
    regular releases lie between them.
    """
    known, marked = outcome.correlation, set(outcome.protected)
    moves = [(i, j) for i in outcome.scenario.landmarks[:MOST_MOVED] for j in (i - 1, i + 1) if 0 <= j < len(outcome)]
    return tuple(
        Moved(i, j, float(landmark_loss(known.backward, known.forward, outcome.budgets, marked - {i} | {j}).max()))
        for i, j in moves
        if j not in marked
    )


COMPARISON_NOTE = f"{NOTE}; the errors are computed from the true track: never publish them"


@dataclass(frozen=True)
class CompareChoices(Choices):
    """Compute every scheme, to compare with the chosen one."""

    open: bool = flag(False, "Compare all schemes on these data")


class Comparison(NamedTuple):
    """The schemes computed so far, then each landmark moved by one timestamp, and finally a reader's error for each:
    `read` counts the rows that have one."""

    rows: tuple[Row, ...]
    moved: tuple[Moved, ...] | None = None
    read: int = 0


class Compare(Panel):
    NAME = "compare"
    FOLD = CompareChoices
    FILES: ClassVar = {"comparison": lambda choices, outcome: comparison_csv(outcome)}

    def asked(self, choices: Any, outcome: Outcome) -> Hashable:
        return outcome.scenario.released, outcome.trajectory

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[Comparison]:
        rows: tuple[Row, ...] = ()
        for row in compare_schemes(outcome.scenario, outcome.trajectory):
            rows = (*rows, row)
            yield Comparison(rows)
        moved = move_landmarks(outcome)
        yield Comparison(rows, moved)
        for k, row in enumerate(rows):
            one = read(row, _with(outcome.scenario, row.scheme), outcome.trajectory, MOST_DRAWS)
            rows = (*rows[:k], one, *rows[k + 1 :])
            yield Comparison(rows, moved, k + 1)

    def progress(self, choices: Any, outcome: Outcome) -> Progress:
        found: Comparison | None = outcome.found(self.NAME)
        done, of = len(_rows(outcome)), len(compared_schemes(outcome.scenario))
        if done < of:
            return Progress(f"Comparing schemes: {done} of {of} are done.", done / of)
        if found is None or found.moved is None:
            return Progress("Comparing schemes: moving each landmark by one timestamp.")
        return Progress(f"Comparing schemes: a careful reader has read {found.read} of {of}.", found.read / of)

    def ended(self, choices: Any, outcome: Outcome) -> str:
        found: Comparison | None = outcome.found(self.NAME)
        done, of = len(_rows(outcome)), len(compared_schemes(outcome.scenario))
        if found is None or found.moved is None:
            return f"after {done} of {of} schemes"
        return f"after a reader had read {found.read} of {of} schemes"

    def blocks(self, choices: Any, outcome: Outcome) -> Iterator[Block]:
        found: Comparison | None = outcome.found(self.NAME)
        rows = _rows(outcome)
        waits = len(rows) < len(compared_schemes(outcome.scenario))
        table = comparison_table(outcome)
        acts = [{"op": "go", "scheme": row.scheme} for row in rows]
        opens = (*acts, *[None] * (len(table.rows) - len(rows)))  # a practice is no scheme to open
        yield replace(table, acts=opens, waits=waits)
        said = _moves_text(outcome, None if found is None else found.moved)
        yield Text(said or outcome.stopped or self.progress(choices, outcome).text)
        if not waits and (reader := _read_text(outcome)):
            yield Text(reader)

    def parts(self, choices: Any, outcome: Outcome, release: Any) -> Iterable[Part]:
        if _rows(outcome):
            said = filter(None, (of_many_settings(outcome), _read_text(outcome)))
            yield Part("Every scheme", [comparison_table(outcome), *map(Text, said)])


def _moves_text(outcome: Outcome, moved: Sequence[Moved] | None) -> str:
    """What the largest loss refers to, and what moving a landmark does; "" before the moves are made."""
    if moved is None:
        return ""
    return f"{of_many_settings(outcome)} {describe_moves(outcome, moved, outcome.trajectory.labels)}".strip()


def _read_text(outcome: Outcome) -> str:
    """What to compare the readers' errors with; "" before one is known."""
    known = next((row.worth for row in _rows(outcome) if row.worth is not None), None)
    return "" if known is None else without_sentence(known, outcome)


def _rows(outcome: Outcome) -> tuple[Row, ...]:
    found: Comparison | None = outcome.found(Compare.NAME)
    return () if found is None else found.rows


def comparison_table(outcome: Outcome) -> Table:
    """Every scheme computed so far: its losses, which are a what-if where a chain is assumed, landmark loss, mean error,
    and a reader's error; then the practices of today that the page compares, which promise nothing."""
    rows = _rows(outcome)
    today = compared_practices(outcome) if rows else ()
    chosen = [k for k, row in enumerate(rows) if row.scheme == outcome.scenario.scheme]
    return Table(
        "Every scheme on these data",
        (
            Column("scheme", "scheme", scheme_told),
            Column("mechanism"),
            Column("pair_loss"),
            Column("", loss_name(outcome), align="right"),
            Column("largest_total_loss"),
            Column("supremum"),
            Column("", as_if(outcome) or "never above", align="right"),
            Column("landmark_loss"),
            Column("landmark_loss_bound"),
            Column("", "landmarks together", align="right"),
            Column("reader_error_m"),
            Column("spread_m"),
            Column("nothing_m"),
            Column("", "a careful reader is off by", align="right"),
            Column("found_within_m"),
            Column("", "found", align="right"),
            Column("error_m"),
            Column("", "as released, one draw", align="right"),
            Column("scheme_title"),
        ),
        (*(_values(row, outcome) for row in rows), *(_practice_values(one, outcome) for one in today)),
        marked=chosen[0] if chosen else -1,
    )


def _values(row: Row, outcome: Outcome) -> tuple[Any, ...]:
    # the mechanism is named where it is not the chosen one
    other = "" if row.mechanism == outcome.scenario.mechanism else f" ({MECHANISMS[row.mechanism].split(':')[0]})"
    error = estimate(outcome, row["mean_error_m"]) + other
    most, for_ever, together = row["largest_total_loss"], row["supremum"], row["landmark_loss"]
    one_number: str = bound(for_ever)
    if as_if(outcome):
        one_number = sentence("{lost_here}, never above {most_ever}", lost_here=amount(most), most_ever=one_number)
    losses = row["pair_loss"], amount(row["pair_loss"]), most, for_ever, "none" if row.refused else one_number
    landmarks = together, row["landmark_bound"], _together(row)
    found = row["found_within_m"], "none" if row.refused else _found(row["found_within_m"], outcome)
    return (
        row.scheme,
        row.mechanism,
        *losses,
        *landmarks,
        *read_values(row, outcome),
        *found,
        row["mean_error_m"],
        error,
        SPREADS[row.scheme].title,
    )


def _practice_values(one: Practised, outcome: Outcome) -> tuple[Any, ...]:
    """The row of a practice of today."""
    what, nan, worth = one.practice.what, math.nan, one.worth
    assert worth is not None
    read_ = worth.reader, worth.spread, worth.nothing, read_text(worth, outcome)
    found = one.shown_m, practice_found(one, outcome)
    losses = nan, NO_PROMISE, nan, nan, NO_PROMISE
    return what, "none", *losses, nan, nan, NO_PROMISE, *read_, *found, nan, "", what


def _found(within: float, outcome: Outcome) -> str:
    """How near the nearest lasting place, or the level, is found."""
    if outcome.kind.placed:
        return found_text(within, half_region_m(outcome.scenario, outcome.trajectory), outcome.scenario.radius_m)
    if math.isnan(within):
        return "not computed"
    return outcome.ground.write(within) if math.isfinite(within) else "not found"


def _together(row: Row) -> str:
    """What the landmarks lose together: the bound and the authors' count."""
    most, counted = row["landmark_bound"], row["landmark_loss"]
    if math.isnan(most):
        return amount(counted) if math.isnan(counted) else sentence("count {counted}", counted=amount(counted))
    return sentence("≤ {most_together} (count {counted})", most_together=bound(most), counted=amount(counted))


def describe_moves(outcome: Outcome, moves: Sequence[Moved], labels: Sequence[str]) -> str:
    """What moving a landmark by one timestamp does to what the landmarks lose together."""
    if not moves:
        return "No landmark can move to a regular timestamp next to it."
    now = float(outcome.landmark.max())
    best, worst = min(moves, key=lambda m: m.landmark_loss), max(moves, key=lambda m: m.landmark_loss)

    def said(move: Moved) -> str:
        at = [labels[i] if labels and len(outcome) <= 30 else f"#{i + 1}" for i in (move.landmark, move.to)]
        same = amount(move.landmark_loss) == amount(now)
        makes = "leaves it at" if same else "makes it"
        return sentence(
            "from {from_moment} to {to_moment} {makes} {moved_loss}",
            from_moment=at[0],
            to_moment=at[1],
            makes=makes,
            moved_loss=amount(move.landmark_loss),
        )

    text = sentence(
        "By the landmark paper's count, the landmarks lose {counted_loss} together with the worst other timestamp. Moving a "
        "landmark {best}",
        counted_loss=amount(now),
        best=said(best),
    )
    if best.landmark_loss == worst.landmark_loss:
        tried = " that was tried" if len(outcome.scenario.landmarks) > MOST_MOVED else ""
        return sentence("{best}, and so does every other move by one timestamp{tried}.", best=text, tried=tried)
    return sentence("{best}; moving one {worst}.", best=text, worst=said(worst))


def comparison_csv(outcome: Outcome) -> str:
    """Every scheme compared, one row each, with a note."""
    chosen = (outcome.scenario.with_changes(scheme=row.scheme, mechanism=row.mechanism) for row in _rows(outcome))
    table = in_its_unit(comparison_table(outcome), outcome.trajectory)
    notes = [noted(COMPARISON_NOTE, one, outcome.trajectory) for one in chosen]
    return table.csv(note=[*notes, *[NOTE_OF_PRACTICES] * (len(table.rows) - len(notes))], digits=7)
