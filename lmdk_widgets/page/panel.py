"""A panel: a question that a page can open, with its choices, its computation, and all that is shown and saved of it.

A page lists its panels, and everything that a page does with them is a loop over that list: what one more panel brings is
its own module and a line there. Panels hold no state: what is chosen stands in a group of the page's choices that has the
panel's name, what was found in `results` of the outcome. A panel knows what the page computes, and no other panel.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from lmdk_widgets.io.report import Part
from lmdk_widgets.page.blocks import Block, Chart, block_messages
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.drawing import Drawing, Message
from lmdk_widgets.page.runner import Progress


class Result(NamedTuple):
    """What a panel that is open has found.

    Attributes
    ----------
    of : all that it depends on: while that stays equal, it holds. found : None before there is something.
    done : whether nothing better follows.
    """

    of: Hashable
    found: Any = None
    done: bool = False


class Panel:
    """A question that a page can open. Each method takes the choices of the page and the outcome so far."""

    NAME: ClassVar[str]
    """Of its group of choices, and of its result."""
    FOLD: ClassVar[type[Choices] | None] = None
    """Its group of choices, where the page draws it without a view of its own: in a fold with the label of `open`, the
    first of them, stand the controls of the others, its blocks and its files."""
    FILES: ClassVar[Mapping[str, Callable[[Any, Any], str]]] = {}
    """The files that it saves, by the name that the page asks for: the text of choices and outcome. CSV, unless the name ends
    with another suffix: "study.toml"."""

    def offered(self) -> bool:
        """Whether its fold is offered on this machine."""
        return True

    def asked(self, choices: Any, outcome: Any) -> Hashable | None:
        """What its result depends on; None: nothing is asked. Raises `InputError` for what cannot be asked."""
        return None

    def at_once(self, choices: Any, outcome: Any) -> Any | None:
        """Its result where that takes next to no time, so that it is there with the outcome."""
        return None

    def whole(self, found: Any) -> bool:
        """Whether nothing better follows what was found at once."""
        return True

    def compute(self, choices: Any, outcome: Any) -> Iterator[Any]:
        """Ever better results; the last one is the whole."""
        return iter(())

    def progress(self, choices: Any, outcome: Any) -> Progress | None:
        """How far the computation is; None: there is nothing to wait for."""
        return None

    def ended(self, choices: Any, outcome: Any) -> str:
        """Where the computation was left, as the end of "Cancelled ..."; "": nobody waited for it."""
        return ""

    def text(self, choices: Any, outcome: Any) -> Message:
        """What the page says of it, by the names in its message."""
        return {}

    def blocks(self, choices: Any, outcome: Any) -> Iterable[Block]:
        """What its fold shows, and the report with it."""
        return ()

    def drawings(self, choices: Any, outcome: Any) -> Iterable[Drawing]:
        """What the page draws of it."""
        return ()

    def pictures(self, choices: Any, outcome: Any) -> Iterable[Chart]:
        """Its charts, as they are saved one by one."""
        return ()

    def parts(self, choices: Any, outcome: Any, release: Any) -> Iterable[Part]:
        """Its parts of a report whose files hold `release`; None: one that is on places of the true data. By default its
        blocks."""
        shown = list(self.blocks(choices, outcome))
        return [Part(_title(self.FOLD), shown)] if self.FOLD and shown else []


class Panels:
    """The panels of a page in the order in which they are computed. Outcomes have `results`, a mapping of `Result` by
    name, and `improved`, which replaces it."""

    def __init__(self, panels: Sequence[Panel]) -> None:
        self._panels = tuple(panels)

    def __iter__(self) -> Iterator[Panel]:
        return iter(self._panels)

    def folds(self) -> list[Message]:
        """The panels that have a fold: name, title, controls, and files with what their buttons say."""
        return [
            {
                "name": panel.NAME,
                "title": _title(panel.FOLD),
                "fields": [f"{panel.NAME}.{name}" for name in panel.FOLD.kinds() if name != "open"],
                "files": [[name, f"{what.capitalize()} as {suffix.upper()}"] for name, what, suffix in _files(panel)],
            }
            for panel in self
            if panel.FOLD is not None and panel.offered()
        ]

    def blocks(self, choices: Any, outcome: Any) -> dict[str, list[Message]]:
        """What their folds show, by the names of the panels."""
        return {panel.NAME: block_messages(panel.blocks(choices, outcome)) for panel in self if panel.FOLD}

    def begun(self, choices: Any, outcome: Any, before: Any = None) -> Any:
        """A new outcome with what is asked, and with what takes no time or holds of the outcome before."""
        for panel in self:
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
        """The outcome with what is not known yet, piece by piece."""
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
        """What is asked; None: nothing, or all of it is known."""
        return tuple((name, result.of) for name, result in outcome.results.items()) if self._waiting(outcome) else None

    def continued(self, before: Any, outcome: Any) -> Any:
        """An outcome with the results of another one that are of the same."""
        for panel in self._waiting(outcome):
            known = before.results.get(panel.NAME)
            if known is not None and known.of == outcome.results[panel.NAME].of:
                outcome = _with(outcome, panel, known)
        return outcome

    def progress(self, choices: Any, outcome: Any) -> Progress:
        """How far the first one is that is not done."""
        told = (panel.progress(choices, outcome) for panel in self._waiting(outcome))
        return next((each for each in told if each is not None), Progress())

    def ended(self, choices: Any, outcome: Any) -> str:
        """Where the first one was left that is not done."""
        return next((said for panel in self._waiting(outcome) if (said := panel.ended(choices, outcome))), "")

    def _waiting(self, outcome: Any) -> list[Panel]:
        return [panel for panel in self if panel.NAME in outcome.results and not outcome.results[panel.NAME].done]


def _files(panel: Panel) -> Iterator[tuple[str, str, str]]:
    """Of each of its files the name, what it holds, and its suffix."""
    for name in panel.FILES:
        what, _, suffix = name.partition(".")
        yield name, what, suffix or "csv"


def _title(choices: type[Choices]) -> str:
    return choices.kinds()["open"].label


def _with(outcome: Any, panel: Panel, result: Result) -> Any:
    return outcome.improved(results={**outcome.results, panel.NAME: result})
