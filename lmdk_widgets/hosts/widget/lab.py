"""A page as a widget: a host that passes its messages to the browser and back, and runs its long work in a thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import traitlets

from lmdk_widgets.checks import kind_of
from lmdk_widgets.errors import InputError
from lmdk_widgets.hosts.widget.background import Background
from lmdk_widgets.hosts.widget.bundle import PageWidget
from lmdk_widgets.page import reading
from lmdk_widgets.page.blocks import Chart
from lmdk_widgets.page.choices import PageChoices
from lmdk_widgets.page.messages import refusal_of
from lmdk_widgets.page.session import File, Session
from lmdk_widgets.page.what_if import RecordablePage


def choices_or_data(first: Any, data: Any, kind: type, name: str) -> tuple[Any, Any, bool]:
    """The choices and the data of a page whose first argument may be either, and whether it was the data.

    Raises
    ------
    InputError : both arguments are data.
    """
    if first is None or isinstance(first, kind):
        return first, data, False
    if data is not None:
        raise InputError(f"The first argument must be {kind.__name__} if {name} is given too", value=kind_of(first))
    return None, first, True


class Lab(PageWidget):
    """A page on the dashboard or alone in a notebook.

    Parameters
    ----------
    session : initial choices and data; those of a new page if left out.
    source : path of the user's own file to start with; a refusal is shown on the page with its choices.
    timezone : IANA name of the time zone for naive times in `source`.
    query : the query string of a link made by "Copy link"; a refusal is shown on the page.

    Attributes
    ----------
    choices : the present ones, a mapping; set them to change the page, observe them to follow the user. They can also be
        set as a dict of changes, {"epsilon": 2}; a browser gets all of them as a dict, and sets them after each change of
        its page. An impossible change gets a sentence, and the choices stay as they were.
    outcome : what follows from them.
    page : the page itself, a plain object.
    """

    PAGE: ClassVar[type[RecordablePage]]
    """The page that it shows."""
    CHOICES: ClassVar[str] = "choices"
    """The trait with the choices."""

    SYNCED: ClassVar[tuple[str, ...]] = ("choices",)
    """Traits of choices that a browser may set as well."""

    _shown = traitlets.Unicode("").tag(sync=True)
    """Set by a browser together with the choices that its page shows; another text each time."""

    choices = traitlets.Any().tag(sync=True, to_json=lambda value, _: value.to_dict() if value is not None else {})

    def __init__(
        self,
        session: Session | None = None,
        *,
        source: Any = None,
        timezone: str | None = None,
        query: str = "",
        **traits: Any,
    ) -> None:
        super().__init__(_module=self.PAGE.MODULE, **traits)
        page = self.PAGE(
            session,
            send=self.tell,
            follow=self._follow,
            runner=Background,
            source=source,
            timezone=timezone,
            query=query,
        )
        self.carry(page)
        self.observe(lambda change: self.page.show(change["new"]), self.CHOICES)

    @traitlets.validate("choices")
    def _read_choices(self, proposal: Any) -> Any:
        """The choices, also from a dict of changes."""
        given = proposal["value"]
        is_changes = isinstance(given, Mapping) and not isinstance(given, PageChoices)
        return self.session.choices.with_changes(**given) if is_changes else given

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Apply what a browser sets: choices one by one, each as if set in Python; the page shows a refusal.

        With `_shown` these are choices that the page has from here. Newer ones may be on their way to it, so nothing is
        applied; the browser sets them for programs that follow what a browser sets, such as marimo.
        """
        asked = {name: value for name, value in sync_data.items() if name in self.SYNCED}
        super().set_state({name: value for name, value in sync_data.items() if name not in asked})
        if "_shown" in sync_data:
            return
        for name, value in asked.items():
            try:
                setattr(self, name, value)
            except (InputError, TypeError) as error:
                self.tell(refusal_of(error), [])
            self.send_state(name)

    def _follow(self, choices: Any) -> None:
        """Take over the choices that the page has now."""
        self.set_trait(self.CHOICES, choices)

    @property
    def session(self) -> Any:
        """The choices and data of the page."""
        return self.page.session

    @property
    def outcome(self) -> Any:
        """Everything computed so far from the present choices."""
        return self.page.outcome

    def finish(self) -> None:
        """Compute now everything that is otherwise computed in the background; for scripts and tests."""
        self.page.finish()

    def text(self) -> dict[str, Any]:
        """Every sentence and table of the page, once everything is computed, by the names the page gives them."""
        return self.page.text()

    def pictures(self) -> Sequence[Chart]:
        """The charts that the page shows now."""
        return self.page.pictures()

    def report(self, what_if: File | None = None, *, to_hand_on: bool = False) -> File:
        """The page as a report: the question, the answer, its charts, its assumptions, and the settings to repeat it.

        In a script everything is computed first; with a page open it is what the page shows now.

        Parameters
        ----------
        what_if : the page as one file, to open inside the report.
        to_hand_on : compute everything from one release of the user's own data, and nothing from the true data; generated
            data can be shared as they are.

        Returns
        -------
        File : one HTML page, which opens without a network and prints on A4; `write` puts it into a folder.

        Raises
        ------
        InputError : nothing can replace the user's own data.
        """
        return self.page.report(what_if, to_hand_on=to_hand_on)

    def _file(self, *, share: bool) -> str:
        self.finish()
        return self.page.report(to_hand_on=share, mark=reading.NOBODYS.file).data.decode()

    def ranges(self) -> dict[str, Sequence[int]]:
        """What a what-if file can show in addition to lists and sliders, such as a cell of the map, by the choice."""
        return self.page.ranges()

    def __del__(self) -> None:
        if hasattr(self, "page"):  # one that was refused while it was made has nothing to close
            super().__del__()

    def close(self) -> None:
        """Stop the work, and close the widget."""
        self.page.close()
        super().close()


def hosted(page: type[RecordablePage]) -> type[Lab]:
    """The widget of a page whose only argument is a link."""
    return type(f"{page.__name__.removesuffix('Page')}Lab", (Lab,), {"PAGE": page})
