"""The session of the people page: its operations, the user's own table, links, files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

import numpy as np

from lmdk_widgets.errors import InputError
from lmdk_widgets.io import NOTE, export_name
from lmdk_widgets.io.tables import table_csv
from lmdk_widgets.page.blocks import Table
from lmdk_widgets.page.history import State
from lmdk_widgets.page.open_controls import Source
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.page.session import File, Operation, Session
from lmdk_widgets.page.snippet import choices_call, counted_from_0, widget_snippet
from lmdk_widgets.pages.people.assessment import assessment_of
from lmdk_widgets.pages.people.assessment_files import WRITERS
from lmdk_widgets.pages.people.counts_blocks import cells_table, settings_table
from lmdk_widgets.pages.people.evaluate import PeopleOutcome, evaluate, improve
from lmdk_widgets.pages.people.figures import expected_table, people_table
from lmdk_widgets.pages.people.model import PeopleChoices
from lmdk_widgets.pages.people.names_removed import removed_table, wanted
from lmdk_widgets.pages.people.options import COMPARED
from lmdk_widgets.pages.people.publishing import release_script
from lmdk_widgets.pages.people.tables import PeopleTable, read_people, read_table_at
from lmdk_widgets.trajectory.words import printable

OTHERS_LINK = (
    "The settings in this page's address are for an uploaded table, which neither a link nor a reload keeps: upload yours "
    "to use them with it."
)

TRUE_NOTE = "for the owner of the table only, do not share: computed from the true tracks, by the names of the people"
"""The note in each row of a file about people of the user's own table."""

OWNERS = "for the owner of the table only, do not share"
"""In the name of an assessment."""

ASSESSMENTS = {
    "assessment": ("html", "text/html"),
    "assessment-md": ("md", "text/markdown"),
    "assessment-word": ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
}
"""The files of an assessment: the suffix of each, and its type."""

CHOSEN_KINDS = ("timezone", "day-order")
"""What can be chosen for a table that was refused."""

TOO_SOON = "Trying a random sample."


class PeopleSession(Session):
    """The present choices, the user's own table if there is one, and the outcome.

    Parameters
    ----------
    choices, own : to begin with. paths : whether the page's user may type the path of a table that is read where Python runs:
        only where that user could read every such file anyway, never in a room.
    """

    outcome: PeopleOutcome

    def __init__(
        self, choices: PeopleChoices | None = None, own: PeopleTable | None = None, *, paths: bool = False
    ) -> None:
        super().__init__(State(choices or PeopleChoices(), own))
        self.paths = paths
        self._asked: tuple[str, dict[str, Any]] | None = None

    evaluate = staticmethod(evaluate)

    def improve(self, outcome: PeopleOutcome) -> Iterator[PeopleOutcome]:
        return improve(outcome)

    def task(self, outcome: PeopleOutcome) -> Any:
        """All choices that the slow answers depend on; looking at a person leaves them as they are."""
        return outcome.choices.with_changes(person=-1), outcome.table

    def continued(self, before: PeopleOutcome, outcome: PeopleOutcome) -> PeopleOutcome:
        """What was computed for the same settings stays."""
        return outcome.with_slow(before)

    def progress(self, outcome: PeopleOutcome, *, busy: bool) -> Progress:
        if not busy:
            return Progress()
        useful, removed = outcome.useful, outcome.removed
        if removed is not None and len(removed.alone) < len(wanted(outcome.choices)):
            return Progress()  # the tab says how far that is
        if outcome.options is not None:
            return Progress()  # what would meet the limit comes in the verdict
        return Progress(TOO_SOON, 0.0 if useful is None else useful.people / min(COMPARED, len(outcome)))

    def changed(self, state: State, operation: Operation) -> State:
        match operation.get("op"):
            case "set" if operation["name"] == "table":
                return State(state.choices.with_changes(table=operation["value"], person=-1), state.data)
            case "option":
                made = state.choices.with_changes(scheme=operation["scheme"], epsilon=operation["epsilon"])
                return State(made, state.data)
            case "zone":
                if state.choices.table != "own" or state.data is None:
                    raise InputError("A time zone can be set only for a table of your own")
                return State(state.choices, state.data.in_zone(str(operation["timezone"])))
            case "person":
                return State(state.choices.with_changes(person=operation["index"]), state.data)
        return super().changed(state, operation)

    def linked(self, changes: dict[str, Any]) -> tuple[State, str]:
        said = OTHERS_LINK if changes.get("table") == "own" else ""
        if said:
            changes = {name: value for name, value in changes.items() if name != "table"}
        return super().linked(changes)[0], said

    def read(self, data: bytes, name: str, **options: Any) -> PeopleTable:
        try:
            return read_people(data, printable(PurePath(name).name, 60), **options)
        except InputError as error:
            raise self._without_choice(error) from None

    def read_path(self, path: str, **options: Any) -> PeopleTable:
        """The table of a file or a folder on the computer where Python runs, for `take_file`.

        Raises
        ------
        InputError : paths are not for the users of this page; see `People`.
        """
        self._asked = None
        if not self.paths:
            remedy = "Upload the table, or run: lmdk explore"
            raise InputError("A path can be typed only on a page of your own computer", remedy=remedy)
        try:
            return read_table_at(path, **options)
        except InputError as error:
            self._asked = (path, options) if error.kind in CHOSEN_KINDS else None
            raise self._without_choice(error) from None

    def read_again(self, **choice: Any) -> Any:
        if self._asked is None:
            return super().read_again(**choice)
        path, options = self._asked
        return self.read_path(path, **{**options, **choice})

    def read_file(self, data: bytes, name: str = "", **options: Any) -> Any:
        self._asked = None
        return super().read_file(data, name, **options)

    @staticmethod
    def _without_choice(error: InputError) -> InputError:
        if error.kind not in CHOSEN_KINDS:
            error.kind = ""  # nothing that could be chosen here
        return error

    def with_file(self, table: PeopleTable) -> tuple[State, str]:
        return State(self.choices.with_changes(table="own", person=-1), table), ""

    def named(self) -> tuple[str, ...]:
        return "people", self.choices.scheme

    def save(self, what: str) -> File:
        note = TRUE_NOTE if self.left_out() else NOTE
        if what == "everyone":
            return self.csv("everyone", people_table(self.outcome).csv(note=note, digits=7), note)
        if what == "expected":
            return self.csv("expected", expected_table(self.outcome).csv(note=note, digits=7), note)
        if what == "removed":
            if self.outcome.removed is None:
                raise InputError("Names removed must be open to be saved", remedy="Open its tab first")
            return self.csv("singled-out", removed_table(self.outcome.removed).csv(note=note, digits=7), note)
        if what in ("counts", "count-settings"):
            return self.csv(what, self._of_counts(what).csv(note=note, digits=7), note)
        if what in ASSESSMENTS:
            kind, mime = ASSESSMENTS[what]
            name = export_name(kind, *self.named(), "assessment", note=OWNERS)
            return File(name, mime, WRITERS[f".{kind}"](assessment_of(self.outcome)))
        if what == "commands":
            name = "release-each-person.sh"
            return File(name, "text/x-sh", release_script(self.outcome, name).encode("utf-8"))
        return super().save(what)

    def _of_counts(self, what: str) -> Table:
        found = self.outcome.counted
        if found is None or found.here is None:
            remedy = "Open its tab first, and wait for its numbers" if found is None or not found.refused else ""
            raise InputError(
                found.refused if found and found.refused else "Counts must be open to be saved", remedy=remedy
            )
        return cells_table(found.here) if what == "counts" else settings_table(found, self.choices)

    def left_out(self) -> tuple[str, ...]:
        return ("your table",) if self.choices.table == "own" else ()

    def what_if(self, *, truth: bool = False) -> Source:
        source = super().what_if(truth=truth)
        return source if source.true else source._replace(state=State(self.choices, None))

    def one_track(self) -> tuple[File, dict[str, Any], dict[str, Any]]:
        """The track of the person who is chosen, as a file for the track page, the settings to look at it with, and how the
        file is read: by the clock of the table's zone.

        Raises
        ------
        InputError : nobody is chosen.
        """
        choices = self.outcome.choices
        if choices.person < 0:
            raise InputError("A person must be chosen first", value="nobody", remedy="Click a dot")
        name = str(self.outcome.people.names[choices.person])
        track = self.outcome.people.track(name)
        marked = np.isin(np.arange(len(track)), track.landmarks)
        rows = {
            "time": [f"{moment}Z" for moment in track.time.astype("datetime64[s]").astype(str)],
            "latitude": track.latitude.tolist(),
            "longitude": track.longitude.tolist(),
            "landmark": marked.astype(int).tolist(),
        }
        text = table_csv(rows, note=TRUE_NOTE)
        file = File(f"{printable(name, 40)}.csv", "text/csv", text.encode("utf-8"))
        read = {"timezone": zone} if (zone := self.outcome.table.zone) else {}
        return file, {"scheme": choices.scheme, "epsilon": choices.epsilon}, read

    def python(self) -> str:
        arguments = [choices_call(self.choices)]
        if self.choices.table == "own" and self.data is not None:
            arguments.append(f"table={self.data.name or 'my-people.csv'!r}")
        imports = ["from lmdk_widgets.pages.people import PeopleChoices"]
        return widget_snippet("PeopleLab", arguments, imports, counted_from_0(self.choices, ("person",)))
