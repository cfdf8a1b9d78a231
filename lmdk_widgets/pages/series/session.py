"""The session of the series page: other sources of data, the user's own series, typed chains, and links."""

from __future__ import annotations

from math import ceil
from pathlib import PurePath
from typing import Any

from lmdk_widgets.checks import whole
from lmdk_widgets.errors import InputError
from lmdk_widgets.io import export_name
from lmdk_widgets.page.cards import pinned_or_swapped
from lmdk_widgets.page.history import State
from lmdk_widgets.page.open_controls import Source
from lmdk_widgets.page.session import MADE_UP, File, Operation, Session
from lmdk_widgets.page.settings_file import SettingsFile
from lmdk_widgets.page.snippet import choices_call, counted_from_0, widget_snippet
from lmdk_widgets.pages.series.cards import cards_csv
from lmdk_widgets.pages.series.evaluate import evaluate
from lmdk_widgets.pages.series.files import histogram_csv, mechanisms_csv, quilts_csv
from lmdk_widgets.pages.series.model import SETTING, WORST, SeriesChoices
from lmdk_widgets.pages.series.outcome import SeriesOutcome
from lmdk_widgets.pages.series.own import read_own
from lmdk_widgets.pages.series.own_chains import PUBLISHED, PUBLISHED_EPSILON, PUBLISHED_LENGTH, parse_chain
from lmdk_widgets.pages.series.practices import practices_csv
from lmdk_widgets.pages.series.series import fitting_level_w
from lmdk_widgets.pages.series.uploaded_series import OwnData

COMFORTABLE = 3_000
"""An uploaded series longer than this is read less often, and the page says so."""

MINUTES_PER_LEVEL = 10
"""A day or more of power readings is initially read every ten minutes."""

SETTINGS = SettingsFile("settings", "A settings file", SeriesChoices)
"""The file for settings that may not fit into a link."""

_TABLES = {
    "cards": cards_csv,
    "quilts": quilts_csv,
    "mechanisms": mechanisms_csv,
    "histogram": histogram_csv,
    "practices": practices_csv,
}
"""What is saved as data, by the name of its content."""

RUN = "The series is made up: a run of the first chain that its author typed. Those chains are in this file."

OTHERS_LINK = (
    "The settings in this page's address are for an uploaded series, which neither a link nor a reload keeps: upload yours "
    "to use them with it."
)


class SeriesSession(Session):
    """The present choices, the uploaded series if there is one, and the outcome."""

    CHOOSES_COLUMNS = True
    READS_SERIES = True
    outcome: SeriesOutcome

    def __init__(self, choices: SeriesChoices | None = None, own: OwnData | None = None) -> None:
        super().__init__(State(choices or SeriesChoices(), own))

    evaluate = staticmethod(evaluate)

    def changed(self, state: State, operation: Operation) -> State:
        choices = changed_chains(state.choices, operation) or pinned_or_swapped(state.choices, operation, SETTING)
        if choices is not None:
            return State(choices, state.data)
        if operation.get("op") == "open":
            return self._opened(state, str(operation["text"]))
        if operation.get("op") == "set" and operation["name"] == "source":
            return State(state.choices.with_source(operation["value"]), state.data)
        return super().changed(state, operation)

    def _opened(self, state: State, text: str) -> State:
        """Saved settings; those for a user's own series need one."""
        choices = SETTINGS.read(text)
        if choices.source == "own" and state.data is None:
            remedy = "Upload that series first, then open the settings again"
            raise InputError("These settings belong to a user's own series", remedy=remedy)
        return State(choices, state.data)

    def save(self, what: str) -> File:
        if what in _TABLES:
            return self.csv(what, _TABLES[what](self.outcome))
        if what != "settings":
            return super().save(what)
        name = export_name("json", *self.named(), f"seed {self.choices.seed}")
        return File(name, "application/json", SETTINGS.write(self.choices).encode("utf-8"))

    def named(self) -> tuple[str, ...]:
        """The series, the mechanism and epsilon."""
        c = self.choices
        what = self.data.name if c.source == "own" and self.data is not None else c.source
        return what, c.mechanism, f"epsilon {c.epsilon:.4g}"

    def linked(self, changes: dict[str, Any]) -> tuple[State, str]:
        said = OTHERS_LINK if changes.get("source") == "own" else ""
        if said:
            del changes["source"]
        return super().linked(changes)[0], said

    def read(self, data: bytes, name: str, **options: Any) -> OwnData:
        known = {option: value for option, value in options.items() if option != "purpose"}
        return read_own(data, PurePath(name).name[:60], **known)

    def with_file(self, own: OwnData) -> tuple[State, str]:
        every = max(1, ceil(len(own) / COMFORTABLE))
        if own.watts is not None and own.minutes == 1 and len(own) >= 24 * 60:
            every = max(every, MINUTES_PER_LEVEL)
        level_w = self.choices.level_w
        level_w = level_w if own.watts is None else fitting_level_w(own.watts[::every], level_w, own.unit)
        return State(self.choices.with_source("own", every=every, level_w=level_w), own), ""

    def left_out(self) -> tuple[str, ...]:
        return ("your series",) if self.choices.source == "own" else ()

    def what_if(self, *, truth: bool = False) -> Source:
        source = super().what_if(truth=truth)
        if source.true:
            return source
        # an uploaded series that is not shown stays out, with its name
        return Source(State(self.choices, None), RUN if self.choices.source == "chains" else MADE_UP)

    def python(self) -> str:
        arguments, imports = [choices_call(self.choices)], ["from lmdk_widgets.pages.series import SeriesChoices"]
        if self.choices.source == "own" and self.data is not None:
            arguments.append(f"series={self.data.name or 'my-series.csv'!r}")
        return widget_snippet("QuiltLab", arguments, imports, counted_from_0(self.choices, ("node", "a_first")))

    @property
    def kind(self) -> str:
        """What the series is: a key of `SOURCES`, or for the user's own "power", "track" or "own" (states)."""
        own = self.data
        if self.choices.source != "own" or own is None:
            return self.choices.source
        return "power" if own.watts is not None else "track" if own.trajectory is not None else "own"

    def visible(self) -> list[str]:
        choices, kind = self.choices, self.kind
        bootstrap = choices.theta == "bootstrap"
        conditions = dict.fromkeys(("stay_one", "stay_two"), kind == "binary") | {
            "track": choices.source == "track",
            "cell_m": kind == "track",
            "level_w": kind == "power",
            "length": kind in ("binary", "chains"),
            "every": kind not in ("binary", "chains"),
            "smoothing": kind != "chains" and (self.outcome.series.known is None or bootstrap),
            "theta": kind != "chains",
            "chains": kind != "chains" and bootstrap,
            "own_chains": kind == "chains",
            "support": kind == "chains",
        }
        return [name for name in super().visible() if conditions.get(name, True)]


def changed_chains(choices: SeriesChoices, operation: Operation) -> SeriesChoices | None:
    """The choices after an operation on the chains; None if it is about something else.

    Raises
    ------
    InputError : a chain that cannot be read, that does not fit the others, or that does not exist.
    """
    own = choices.own_chains
    match operation.get("op"):
        case "chain":
            k = _index(operation["index"], len(own))
            normalize = operation.get("normalize") is True
            typed = parse_chain(k + 1, str(operation["initial"]), str(operation["matrix"]), normalize=normalize)
            return _with(choices, (*own[:k], typed, *own[k + 1 :]))
        case "add-chain":
            return _with(choices, (*own, own[-1]))
        case "remove-chain":
            k = _index(operation["index"], len(own))
            return _with(choices, own[:k] + own[k + 1 :])
        case "published-chains":
            return _with(choices, PUBLISHED, length=PUBLISHED_LENGTH, epsilon=PUBLISHED_EPSILON)
    return None


def _with(choices: SeriesChoices, own: tuple[Any, ...], **changes: Any) -> SeriesChoices:
    if choices.source != "chains":
        return choices.with_source("chains", own_chains=own, **changes)
    return choices.with_changes(own_chains=own, node=WORST, **changes)


def _index(value: Any, n: int) -> int:
    return whole(value, "the chain", least=0, most=n - 1)
