"""A panel: a question that a page can open, with its choices, its computation, and everything that is shown and saved of it.

A page lists its panels and only ever loops over that list, so a new panel needs its own module and one line there. Panels
have no state: their choices are in a group of the page's choices with the panel's name, their results in `results` of the
outcome. A panel knows what the page computes, but no other panel.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from lmdk_widgets.io.report import Part
from lmdk_widgets.page.blocks import Block, Chart, block_messages
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.drawing import Drawing, Later, Message
from lmdk_widgets.page.history import State
from lmdk_widgets.page.runner import Progress

Operate = Callable[[State, Mapping[str, Any], Callable[[], Any]], Any]
"""The choices after an operation: of the state before it, of the operation, and of a function that gives the outcome."""


class Result(NamedTuple):
    """What an open panel has found.

    Attributes
    ----------
    of : everything that it depends on; it is valid while that stays equal. found : None until there is something.
    done : whether it is final.
    """

    of: Hashable
    found: Any = None
    done: bool = False


class Panel:
    """A question that a page can open. Each method takes the choices of the page and the outcome so far."""

    NAME: ClassVar[str]
    """The name of its group of choices, and of its result."""
    FOLD: ClassVar[type[Choices] | None] = None
    """Its group of choices, if the page draws it without a view of its own: a fold with the label of `open`, the first of
    them, contains the controls of the others, its blocks and its files."""
    BARE: ClassVar[str | None] = None
    """Its heading, if its controls and blocks stand in their place without a fold, as a tab, a button or another control
    opens it; "": they have no heading."""
    PLACE: ClassVar[str] = "compare"
    """The part of the page that contains it: a tab, or another part by its name."""
    ABOUT: ClassVar[str] = ""
    """What the page says above its controls."""
    CLOSED: ClassVar[tuple[Block, ...]] = ()
    """What stands in its place while it is closed, if it has no fold."""
    FIELDS: ClassVar[tuple[str, ...]] = ()
    """The controls of its choices in their order, if not all of them as they are declared."""
    REPORTED: ClassVar[bool] = True
    """Whether a report contains its blocks."""
    OPEN: ClassVar[Mapping[str, Any]] = {}
    """The choices of the page that have these values while it is open, by name; True: any value but None. A fold is also
    closed by its own `open`. A closed panel is not asked: it computes, says and draws nothing."""
    OPERATIONS: ClassVar[Mapping[str, Operate]] = {}
    """What it does with an operation of the page, such as a row that was clicked, by its name; "set scheme": with the choice
    of another scheme."""
    FILES: ClassVar[Mapping[str, Callable[[Any, Any], str]]] = {}
    """The files that it saves, by the name that the page asks for: the text of choices and outcome. CSV, unless the name ends
    with another suffix: "study.toml"."""
    CALLED: ClassVar[Mapping[str, str]] = {}
    """What the buttons call these files, where that is not their names."""

    def offered(self) -> bool:
        """Whether its fold is offered on this machine."""
        return True

    def asked(self, choices: Any, outcome: Any) -> Hashable | None:
        """What its result depends on; None: nothing is asked. Raises `InputError` for what cannot be asked."""
        return None

    def at_once(self, choices: Any, outcome: Any) -> Any | None:
        """Its result if that takes next to no time, so that it comes with the outcome."""
        return None

    def whole(self, found: Any) -> bool:
        """Whether the immediate result is final."""
        return True

    def compute(self, choices: Any, outcome: Any) -> Iterator[Any]:
        """Ever better results; the last one is final."""
        return iter(())

    def progress(self, choices: Any, outcome: Any) -> Progress | None:
        """How far the computation is; None: there is nothing to wait for."""
        return None

    def ended(self, choices: Any, outcome: Any) -> str:
        """Where the computation stopped, as the end of "Cancelled ..."; "": nobody waited for it."""
        return ""

    def text(self, choices: Any, outcome: Any) -> Message:
        """What the page says about it, by the names in its message."""
        return {}

    def blocks(self, choices: Any, outcome: Any) -> Iterable[Block]:
        """What its fold and the report show."""
        return ()

    def drawings(self, choices: Any, outcome: Any) -> Iterable[Drawing | Later]:
        """What the page draws for it."""
        return ()

    def pictures(self, choices: Any, outcome: Any) -> Iterable[Chart]:
        """Its charts, as they are saved one by one. By default, those of its blocks."""
        return [block for block in self.blocks(choices, outcome) if isinstance(block, Chart)]

    def parts(self, choices: Any, outcome: Any, release: Any) -> Iterable[Part]:
        """Its parts of a report whose files contain `release`; None: a report on the true data. By default, its blocks."""
        shown = list(self.blocks(choices, outcome)) if self.REPORTED else []
        return [Part(_title(self), shown)] if self.FOLD and shown else []


class Panels:
    """The panels of a page in the order in which they are computed. Outcomes have `results`, a mapping of `Result` by
    name, and `improved`, which replaces it."""

    def __init__(self, panels: Sequence[Panel]) -> None:
        self._panels = tuple(panels)
        self._operations = {name: does for panel in self._panels for name, does in panel.OPERATIONS.items()}
        self._wanted = [(panel, list(_open_while(panel).items())) for panel in self._panels]

    def __iter__(self) -> Iterator[Panel]:
        return iter(self._panels)

    def opened(self, choices: Any) -> list[Panel]:
        """The panels that these choices leave open."""
        return [panel for panel, wanted in self._wanted if all(_is(choices[name], value) for name, value in wanted)]

    def changed(self, state: State, operation: Mapping[str, Any], outcome: Callable[[], Any]) -> Any | None:
        """The choices after an operation that belongs to a panel; None: to none."""
        name = str(operation.get("op"))
        does = self._operations.get(f"set {operation.get('name')}" if name == "set" else name)
        return None if does is None else does(state, operation, outcome)

    def folds(self, names: Iterable[str] = ()) -> list[Message]:
        """The panels that the page draws without views of their own, those named first: name, title, whether they stand
        there without a fold, place, what is said above the controls, the controls, the files with what their buttons say,
        and what stands there while they are closed."""
        order = {name: k for k, name in enumerate(names)}
        found = sorted(self, key=lambda panel: order.get(panel.NAME, len(order)))
        return [_described(panel) for panel in found if _is_drawn(panel) and panel.offered()]

    def blocks(self, choices: Any, outcome: Any) -> dict[str, list[Message]]:
        """What the open ones of them show, by the names of the panels."""
        opened = [panel for panel in self.opened(choices) if _is_drawn(panel)]
        return {panel.NAME: block_messages(panel.blocks(choices, outcome)) for panel in opened}

    def text(self, choices: Any, outcome: Any) -> Message:
        """What the page says about those that are open."""
        told: Message = {}
        for panel in self.opened(choices):
            told |= panel.text(choices, outcome)
        return told

    def drawings(self, choices: Any, outcome: Any) -> Iterator[Drawing | Later]:
        """What is drawn for those that are open."""
        for panel in self.opened(choices):
            yield from panel.drawings(choices, outcome)

    def begun(self, choices: Any, outcome: Any, before: Any = None) -> Any:
        """A new outcome with what is asked for, and with results that take no time or still hold from `before`."""
        for panel in self.opened(choices):
            of = panel.asked(choices, outcome)
            if of is None:
                continue
            known = None if before is None else before.results.get(panel.NAME)
            if known is not None and known.of == of:
                outcome = _with(outcome, panel, known)
            else:
                found = panel.at_once(choices, outcome)
                outcome = _with(outcome, panel, Result(of, found, done=found is not None and panel.whole(found)))
        return outcome

    def improve(self, choices: Any, outcome: Any) -> Iterator[Any]:
        """The outcome with the missing results, piece by piece."""
        waiting = self._waiting(outcome)
        for panel in waiting:
            of = outcome.results[panel.NAME].of
            found = None
            for found in panel.compute(choices, outcome):
                if found is not outcome.results[panel.NAME].found:
                    outcome = _with(outcome, panel, Result(of, found))
                yield outcome
            outcome = _with(outcome, panel, Result(of, found, done=True))
        if waiting:
            yield outcome

    def task(self, outcome: Any) -> Hashable | None:
        """What is asked for; None: nothing, or all of it is known."""
        return tuple((name, result.of) for name, result in outcome.results.items()) if self._waiting(outcome) else None

    def continued(self, before: Any, outcome: Any) -> Any:
        """An outcome with those results of another one that depend on the same things."""
        for panel in self._waiting(outcome):
            known = before.results.get(panel.NAME)
            if known is not None and known.of == outcome.results[panel.NAME].of:
                outcome = _with(outcome, panel, known)
        return outcome

    def progress(self, choices: Any, outcome: Any) -> Progress:
        """The progress of the first panel that is not done."""
        told = (panel.progress(choices, outcome) for panel in self._waiting(outcome))
        return next((each for each in told if each is not None), Progress())

    def ended(self, choices: Any, outcome: Any) -> str:
        """Where the first panel that is not done stopped."""
        return next((said for panel in self._waiting(outcome) if (said := panel.ended(choices, outcome))), "")

    def _waiting(self, outcome: Any) -> list[Panel]:
        return [panel for panel in self if panel.NAME in outcome.results and not outcome.results[panel.NAME].done]


def _open_while(panel: Panel) -> Mapping[str, Any]:
    """The choices that open a panel, with their values."""
    return panel.OPEN if panel.FOLD is None else {f"{panel.NAME}.open": True, **panel.OPEN}


def _is(chosen: Any, value: Any) -> bool:
    return chosen == value if value is not True else chosen is not None and chosen is not False


def _files(panel: Panel) -> Iterator[tuple[str, str, str]]:
    """The name, the content and the suffix of each of its files."""
    for name in panel.FILES:
        what, _, suffix = name.partition(".")
        yield name, panel.CALLED.get(name, what), suffix or "csv"


def _is_drawn(panel: Panel) -> bool:
    """Whether the page draws it without a view of its own."""
    return panel.FOLD is not None or panel.BARE is not None


def _described(panel: Panel) -> Message:
    """What the page draws of it before there is anything to show."""
    fields = panel.FIELDS or tuple(name for name in (panel.FOLD.kinds() if panel.FOLD else ()) if name != "open")
    return {
        "name": panel.NAME,
        "title": _title(panel),
        "bare": panel.BARE is not None,
        "place": panel.PLACE,
        "about": panel.ABOUT,
        "fields": [f"{panel.NAME}.{name}" for name in fields],
        "files": [[name, f"{what.capitalize()} as {suffix.upper()}"] for name, what, suffix in _files(panel)],
        "closed": block_messages(panel.CLOSED),
    }


def _title(panel: Panel) -> str:
    """The heading of what the page draws of it."""
    if panel.BARE is not None or panel.FOLD is None:
        return panel.BARE or ""
    return panel.FOLD.kinds()["open"].label


def _with(outcome: Any, panel: Panel, result: Result) -> Any:
    return outcome.improved(results={**outcome.results, panel.NAME: result})
