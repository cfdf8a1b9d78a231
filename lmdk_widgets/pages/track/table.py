"""The table of many settings on the page: its sentences, its rows, and a careful reader of those shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Any, ClassVar, Literal

from lmdk_widgets.answers.answer_changes import Shift, found_becomes, promise_becomes, useful_becomes, worse_words
from lmdk_widgets.answers.by_distance import of_many_settings
from lmdk_widgets.answers.exposure import found_of
from lmdk_widgets.answers.found_places import found_text, half_region_m
from lmdk_widgets.answers.from_track import noted
from lmdk_widgets.answers.promises import Promised
from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.answers.usefulness import ReaderWorth, read_text, useful_of, without_sentence
from lmdk_widgets.io import NOTE
from lmdk_widgets.page import blocks
from lmdk_widgets.page.amounts import amount, whole
from lmdk_widgets.page.answers import NO_PROMISE, guesses
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.track.practice_rows import scheme_told
from lmdk_widgets.pages.track.table_choices import (
    COLUMNS,
    Judged,
    SettingsTableChoices,
    applied,
    judged,
    limited,
    sorted_by,
)
from lmdk_widgets.pages.track.table_words import Lengths, best_texts, error_said, lengths_of, within_said
from lmdk_widgets.pages.track.unit_names import in_its_unit
from lmdk_widgets.practice.practised import Practised
from lmdk_widgets.practice.today import NOTE_OF_PRACTICES, compared_practices
from lmdk_widgets.scenario.model import MECHANISMS, SPREADS, Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.sweep.many_settings import BETWEEN_S, Settings, growing, named
from lmdk_widgets.sweep.rows import DRAWS, MOST_DRAWN, Row, alike, at, read, read_values

READ = "reader_error_m", "spread_m", "nothing_m", "Careful reader"
"""The columns of a reader's error, which is known only for the rows shown, so nothing sorts by it."""


MOST_SHOWN, READ_DRAWS = 200, 5
"""The most rows that the page shows, the others being in the file; and the most draws of each that a reader reads."""

TABLE_NOTE = f"{NOTE}; errors of some schemes are computed from the true track: never publish them"


def table_texts(asked: SettingsTableChoices, outcome: Outcome) -> list[str]:
    """What the table contains, the best setting under its conditions or the nearest one, and how it was computed."""
    table: Settings | None = outcome.found(Table.NAME)
    if table is None or not table.rows:
        done = table is not None and table.done
        long = "These schemes need simulated releases, and the track is too long for that."
        return [long if done else "Not computed yet."]
    asked = applied(asked, outcome)
    found = judged(table, asked)
    best = best_texts(table.rows, found, asked, table.done, lengths_of(outcome))
    worse = _worse(outcome, found)
    best += [sentence("Compared with the present setting, {worse}.", worse=worse)] if worse else []
    return [*best, *_notes(table, asked, outcome), *_read_text(table, outcome)]


def _worse(outcome: Outcome, found: Judged) -> str:
    """What the best row makes worse than now."""
    if found.best is None or not found.met[found.best]:
        return ""
    return worse_words(row_shifts(_with_worth(outcome, found.best), outcome))


def row_shifts(row: Row, outcome: Outcome) -> tuple[Shift, ...]:
    """What becomes of each answer, as far as both are known; promises are counted between places that are one radius of
    the present setting apart.

    Parameters
    ----------
    row : with the measures of `EXPECTED`, and what it is worth to a reader.
    """
    said, now, found = [], useful_of(outcome), found_of(outcome)
    if now is not None and row.worth is not None:
        said.append(useful_becomes(outcome, now, row.worth))
    if found is not None and not math.isnan(row["found_within_m"]):
        said.append(found_becomes(found, row["found_within_m"]))
    if math.isnan(row["promised_one"]):
        return tuple(said)
    promised, scenario = Promised(outcome), outcome.scenario
    planar = outcome.kind.placed and row.mechanism == scenario.mechanism == "planar"
    nearer = scenario.radius_m / row.radius_m if planar else 1.0
    one = _loss_of(row["promised_one"]) * nearer
    said.append(promise_becomes("one moment", promised.one_loss, one, (promised.one, guesses(one))))
    if promised.who:
        both = row["promised_landmarks"]
        together = _loss_of(both) * nearer
        who = "the landmarks and any one other" if promised.who.endswith("one other") else "the landmarks"
        said.append(promise_becomes(who, promised.together_loss, together, (promised.together, guesses(together))))
    return tuple(said)


def _loss_of(chance: float) -> float:
    """The loss with this largest chance of a right guess."""
    return math.log(chance / (1 - chance)) if chance < 1 else math.inf


def _starred(outcome: Outcome, found: Judged) -> bool:
    """Whether a setting may be recommended: it meets every condition, and no answer is worse than now."""
    if found.best is None or not found.met[found.best]:
        return False
    row = _with_worth(outcome, found.best)
    return row.worth is not None and not any(shift.worse for shift in row_shifts(row, outcome))


def _with_worth(outcome: Outcome, k: int) -> Row:
    """A row with what it is worth to a reader, as far as that is known."""
    row = _settings(outcome).rows[k]
    return replace(row, worth=_worths(outcome).get(setting_of(row)))


def _read_text(table: Settings, outcome: Outcome) -> list[str]:
    """What to compare the readers' errors with; nothing before one is known."""
    known = next(iter(_worths(outcome).values()), None)
    if known is None:
        return []
    text = f"The mean error is that of the reports as released. {without_sentence(known, outcome)}"
    return [f"{text} Only the rows shown are read." if len(table.rows) > MOST_SHOWN else text]


def _notes(table: Settings, asked: SettingsTableChoices, outcome: Outcome) -> list[str]:
    scenario, placed = outcome.scenario, outcome.kind.placed
    said = (
        ["A series has no places, so no radius plays a part."]
        if not placed
        else ["Errors fall with the radius, and so does the distance that is protected."]
    )
    if scenario.mechanism == "randomised":
        said = ["The radius plays no part in randomised response on cells."]
    if any(not row.exact for row in table.rows):
        marks = "≈ marks the mean of {mean_draws} releases; the other errors are expected ones."
        said.append(sentence(marks, mean_draws=whole(DRAWS)))
    if table.done and len(table.rows) < asked.wanted(placed=placed):
        left_out = "Schemes whose releases depend on each other are left out above {most_timestamps} timestamps."
        said.append(sentence(left_out, most_timestamps=whole(MOST_DRAWN)))
    if any(row.mechanism != scenario.mechanism for row in table.rows):
        said.append(f"Schemes that decide as they release are computed with {MECHANISMS['planar'].partition(':')[0]}.")
    if told := of_many_settings(outcome):
        said.append(told)
    if len(table.rows) > MOST_SHOWN:
        said.append(f"The first {MOST_SHOWN} rows in this order are shown; the file has all of them.")
    return [" ".join(said)]


def settings_table(asked: SettingsTableChoices, outcome: Outcome, most: int | None = None) -> blocks.Table:
    """The rows in their order, at most `most` of them (None: all), with whether each meets the conditions; below them the
    practices of today that the page compares."""
    lengths, table = lengths_of(outcome), _settings(outcome)
    found, scenario = judged(table, applied(asked, outcome)), outcome.scenario
    order = found.order[:most]
    here = scenario.scheme, getattr(scenario, scenario.spread.spent), scenario.radius_m
    unplaced = () if lengths.placed else ("radius_m", "mechanism")
    columns = [one for one in _columns(lengths, _found(outcome)) if one.key not in unplaced]
    rows, worths = [], _worths(outcome)
    for k in order:
        row = replace(table.rows[k], worth=worths.get(setting_of(table.rows[k])))
        values = named(row) | _texts(row, lengths) | {"meets_conditions": found.met[k]}
        values |= zip(READ, read_values(row, outcome), strict=True)
        rows.append([values[one.key or str(one.heading)] for one in columns])
    for one in compared_practices(outcome) if rows else ():
        values = _practice_values(one, outcome)
        rows.append([values.get(column.key or str(column.heading), math.nan) for column in columns])
    marked = next((at for at, k in enumerate(order) if setting_of(table.rows[k]) == here), -1)
    return blocks.Table("Settings to choose from", tuple(columns), tuple(rows), marked=marked)


def _practice_values(one: Practised, outcome: Outcome) -> dict[str, Any]:
    """What is known of a practice of today, which meets no condition as it promises nothing."""
    what, worth = one.practice.what, one.worth
    assert worth is not None
    texts = dict.fromkeys((heading("epsilon"), heading("error_m"), heading("radius95_m")), "")
    read_ = worth.reader, worth.spread, worth.nothing, read_text(worth, outcome)
    said = {"scheme": what, "scheme_title": what, "mechanism": "none", "found_within_m": one.shown_m}
    unpromised = (lengths_of(outcome).loss.capitalize(), heading("landmark_loss"), heading("landmark_sum"))
    said |= dict.fromkeys(unpromised, NO_PROMISE) | {"theorem_kept": False, "meets_conditions": False}
    return texts | said | dict(zip(READ, read_, strict=True))


def _settings(outcome: Outcome) -> Settings:
    """The settings computed so far."""
    found: Settings | None = outcome.found(Table.NAME)
    return Settings((), False) if found is None else found


def setting_of(row: Row) -> tuple[str, float, float]:
    """What a click on a row chooses: its scheme, epsilon and radius."""
    return row.scheme, row.epsilon, row.radius_m


def _columns(lengths: Lengths, found: Callable[[float], str]) -> list[blocks.Column]:
    return [
        blocks.Column("scheme", heading("scheme"), scheme_told),
        blocks.Column("mechanism"),
        blocks.Column("epsilon"),
        blocks.Column("", heading("epsilon"), align="right"),
        blocks.Column("radius_m", heading("radius_m"), _radius, "right"),
        blocks.Column("mean_error_m"),
        blocks.Column("", heading("error_m"), align="right"),
        blocks.Column("expected"),
        *(blocks.Column(name) for name in READ[:-1]),
        blocks.Column("", READ[-1], align="right"),
        blocks.Column("radius95_m"),
        blocks.Column("", heading("radius95_m"), align="right"),
        blocks.Column("found_within_m", heading("found_m"), found, "right"),
        blocks.Column("pair_loss"),
        blocks.Column("", lengths.loss.capitalize(), align="right"),
        blocks.Column("largest_total_loss"),
        blocks.Column("landmark_loss"),
        blocks.Column("", heading("landmark_loss"), align="right"),
        blocks.Column("theorem_sum"),
        blocks.Column("", heading("landmark_sum"), align="right"),
        blocks.Column("theorem_kept"),
        blocks.Column("meets_conditions"),
        blocks.Column("scheme_title"),
    ]


def _radius(radius_m: float) -> str:
    return "" if math.isnan(radius_m) else f"{radius_m:,.6g} m"


def _found(outcome: Outcome) -> Callable[[float], str]:
    """How the table writes what is found."""
    if not outcome.kind.placed:
        return outcome.ground.write
    most_m = half_region_m(outcome.scenario, outcome.trajectory)
    return partial(found_text, most_m=most_m, limit_m=outcome.scenario.radius_m)


def heading(name: str) -> str:
    """The heading of one of `COLUMNS`: "Mean error"."""
    title = COLUMNS[name].partition(":")[0]
    return title[0].upper() + title[1:]


def _texts(row: Row, lengths: Lengths) -> dict[str, str]:
    """The texts that combine several numbers, by heading."""
    kept = "" if math.isnan(row["theorem_sum"]) else ", kept" if row.kept else ", not kept"
    return {
        heading("epsilon"): f"{row.epsilon:,.6g}{' (target)' if SPREADS[row.scheme].plans else ''}",
        heading("error_m"): error_said(row, lengths),
        heading("radius95_m"): within_said(row, lengths),
        lengths.loss.capitalize(): amount(row["pair_loss"]),
        heading("landmark_loss"): amount(row["landmark_loss"]),
        heading("landmark_sum"): amount(row["theorem_sum"]) + kept,
    }


def table_csv(asked: SettingsTableChoices, outcome: Outcome) -> str:
    """All rows in their order, with whether each meets the conditions, and a note in every row."""
    rows = _settings(outcome).rows
    order = judged(_settings(outcome), applied(asked, outcome)).order
    chosen = (outcome.scenario.with_changes(scheme=rows[k].scheme, mechanism=rows[k].mechanism) for k in order)
    notes = [noted(TABLE_NOTE, one, outcome.trajectory) for one in chosen]
    table = in_its_unit(settings_table(asked, outcome), outcome.trajectory)
    return table.csv(note=[*notes, *[NOTE_OF_PRACTICES] * (len(table.rows) - len(notes))], digits=7)


LEGEND = (
    "✓ meets every condition and comes first; ★ has the least error of these, and no answer is worse than now. A click on a "
    "row opens its setting; Undo returns."
)


def table_block(asked: SettingsTableChoices, outcome: Outcome) -> blocks.Table:
    """The first rows in their order, whose headings sort them and which open their settings."""
    table, applies = _settings(outcome), applied(asked, outcome)
    found = judged(table, applies)
    first = found.order[:MOST_SHOWN]
    best = found.best if _starred(outcome, found) else None
    good = limited(applies)
    shown = settings_table(asked, outcome, MOST_SHOWN)
    today = len(shown.rows) - len(first)
    return replace(
        shown,
        columns=tuple(_sorting(asked, shown.columns, outcome)),
        acts=(*(_opening(table.rows[k]) for k in first), *[None] * today),
        signs=(*("★ " if k == best else "✓ " if good and found.met[k] else "" for k in first), *[""] * today),
        waits=not table.done,
    )


def _opening(row: Row) -> dict[str, Any]:
    """What opens the setting of a row."""
    return {"op": "go", **dict(zip(("scheme", "epsilon", "radius_m"), setting_of(row), strict=True))}


def _sorting(
    asked: SettingsTableChoices, columns: Iterable[blocks.Column], outcome: Outcome
) -> Iterator[blocks.Column]:
    """The columns, with what a click on each heading sorts by."""
    names = iter(_sorts(outcome))
    for column in columns:
        name = "" if column.heading is None else next(names)
        if not name:
            yield column
            continue
        falling: Literal["descending", "ascending"] = "descending" if asked.falling else "ascending"
        yield replace(column, sort={"op": "sort", "value": name}, order=falling if name == asked.sort else "")


def _sorts(outcome: Outcome) -> list[str]:
    """What a click on each heading sorts by; "" where it does not."""
    names = [name for name in COLUMNS if outcome.kind.placed or name != "radius_m"]
    names.insert(names.index("error_m") + 1, "")
    return names


class Table(Panel):
    NAME = "table"
    FOLD = SettingsTableChoices
    FIELDS = tuple(name for name in SettingsTableChoices.kinds() if name not in ("open", "sort", "falling"))
    REPORTED = False
    OPERATIONS: ClassVar = {
        "sort": lambda state, operation, _: state.choices.with_changes(
            table=sorted_by(state.choices.table, operation["value"])
        )
    }
    CALLED: ClassVar = {"settings": "table"}
    FILES: ClassVar = {"settings": lambda choices, outcome: table_csv(choices.table, outcome)}

    def asked(self, choices: Any, outcome: Outcome) -> Hashable:
        shared = alike(outcome.scenario, "event").with_changes(radius_m=Scenario.radius_m)
        return shared, choices.table.rows, outcome.trajectory

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[Settings]:
        yield from growing(outcome.scenario, outcome.trajectory, choices.table)

    def _done(self, choices: Any, outcome: Outcome) -> tuple[int, int]:
        """How many settings are computed, and how many there are."""
        found: Settings | None = outcome.found(self.NAME)
        asked: SettingsTableChoices = choices.table
        return len(found.rows) if found else 0, asked.wanted(placed=outcome.kind.placed)

    def progress(self, choices: Any, outcome: Outcome) -> Progress:
        done, of = self._done(choices, outcome)
        said = "Computing the table: {done} of {settings} settings are done."
        return Progress(sentence(said, done=whole(done), settings=whole(of)), done / of)

    def ended(self, choices: Any, outcome: Outcome) -> str:
        done, of = self._done(choices, outcome)
        return sentence("after {done} of {settings} settings of the table", done=whole(done), settings=whole(of))

    def blocks(self, choices: Any, outcome: Outcome) -> Iterator[blocks.Block]:
        for text in table_texts(choices.table, outcome):
            yield blocks.Text(text, "quiet")
        yield table_block(choices.table, outcome)
        yield blocks.Text(LEGEND, "quiet")


Worths = Mapping[tuple[str, float, float], ReaderWorth]
"""What settings are worth to a careful reader, by scheme, epsilon and radius."""


def _worths(outcome: Outcome) -> Worths:
    """Those known so far."""
    found: Worths | None = outcome.found(TableReader.NAME)
    return {} if found is None else found


class TableReader(Panel):
    """A careful reader's error in the rows shown, from the first one on: it takes longer than all other numbers of the
    table."""

    NAME = "table_reader"
    OPEN: ClassVar = {"table.open": True}

    def asked(self, choices: Any, outcome: Outcome) -> Hashable | None:
        of = None if outcome.trajectory.name == RELEASE_NAME else Table().asked(choices, outcome)
        few = choices.table.wanted(placed=outcome.kind.placed) <= MOST_SHOWN  # all of them are shown, in any order
        return None if of is None else (of, None if few else choices.table)

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[Worths]:
        known, told = dict[tuple[str, float, float], ReaderWorth](), perf_counter()
        for row in self._rows(choices, outcome):
            scenario = at(alike(outcome.scenario, row.scheme), row.epsilon).with_changes(radius_m=row.radius_m)
            worth = read(row, scenario, outcome.trajectory, READ_DRAWS).worth
            known |= {} if worth is None else {setting_of(row): worth}
            if perf_counter() - told > BETWEEN_S:
                yield dict(known)
                told = perf_counter()
        yield known

    def _rows(self, choices: Any, outcome: Outcome) -> list[Row]:
        """The rows that are shown and release something, in their order."""
        table = _settings(outcome)
        shown = (table.rows[k] for k in judged(table, applied(choices.table, outcome)).order[:MOST_SHOWN])
        return [row for row in shown if not row.refused]

    def progress(self, choices: Any, outcome: Outcome) -> Progress:
        done, of = len(_worths(outcome)), len(self._rows(choices, outcome))
        said = "Computing the table: a careful reader has read {done} of {settings}."
        return Progress(sentence(said, done=whole(done), settings=whole(of)), done / of if of else 0.0)

    def ended(self, choices: Any, outcome: Outcome) -> str:
        done, of = len(_worths(outcome)), len(self._rows(choices, outcome))
        said = "after a reader had read {done} of {settings} settings of the table"
        return sentence(said, done=whole(done), settings=whole(of))
