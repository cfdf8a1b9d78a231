"""The choices of a page as a file: JSON that loads back exactly; any other file is refused with a sentence."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from lmdk_widgets.checks import seen
from lmdk_widgets.errors import InputError
from lmdk_widgets.io import NOTE
from lmdk_widgets.page.choices import Choices

VERSION = 2
"""Of the format of these files."""

MOST_CHARACTERS = 10_000_000
"""The longest text that is read; a million landmarks take 8 million."""

_MOST_DIGITS = 20


@dataclass(frozen=True)
class SettingsFile:
    """A kind of file that contains choices.

    Attributes
    ----------
    noun : its content: "scenario"; also the key of the choices in it. called : the file in sentences.
    choices : their class.

    Examples
    --------
    >>> from lmdk_widgets.pages.series import SeriesChoices
    >>> file = SettingsFile("settings", "A settings file", SeriesChoices)
    >>> file.read(file.write(SeriesChoices(epsilon=0.5))) == SeriesChoices(epsilon=0.5)
    True
    """

    noun: str
    called: str
    choices: type[Choices]

    @property
    def format(self) -> str:
        """The value of its "format"."""
        return f"lmdk-widgets {self.noun}"

    def write(self, choices: Choices) -> str:
        """Choices as JSON, one per line; `read` restores equal choices. It contains only settings; of Place also
        where a moved grid is."""
        head = {"format": self.format, "version": VERSION, "note": NOTE}
        listed = ",\n".join(f"    {_pair(name, value)}" for name, value in choices.to_dict().items())
        lines = [*(f"  {_pair(name, value)}," for name, value in head.items()), f'  "{self.noun}": {{\n{listed}\n  }}']
        return "{\n" + "\n".join(lines) + "\n}\n"

    def read(self, text: str) -> Any:
        """The choices in a text that `write` made, perhaps changed by hand; missing ones take their defaults.

        Raises
        ------
        InputError : for a text that is too long, is not JSON, is of another kind or version, and for a choice that does
            not exist or is out of range.
        """
        remedy = f"Choose a file that was saved as {'a scenario' if self.noun == 'scenario' else self.noun}"
        if len(text) > MOST_CHARACTERS:
            limit = f"{self.called} must have at most {MOST_CHARACTERS:,} characters"
            raise InputError(limit, value=len(text), remedy=remedy)
        content = self._parsed(text, remedy)
        if not isinstance(content, dict) or content.get("format") != self.format:
            what = f'{self.called} must be JSON with "format": "{self.format}"'
            raise InputError(what, value="other JSON", remedy=remedy)
        version = content.get("version")
        if type(version) is not int or version != VERSION:
            raise InputError(
                f"The version of {_small(self.called)} must be {VERSION}",
                value=seen(version),
                remedy=f"Save the {self.noun} again, or use the version of lmdk-widgets that saved it",
            )
        return self.choices.from_dict(content.get(self.noun))  # type: ignore[arg-type]  # it checks what it gets

    def _parsed(self, text: str, remedy: str) -> Any:
        def whole(digits: str) -> int:
            if len(digits) > _MOST_DIGITS:
                what = f"Numbers in {_small(self.called)} must have at most {_MOST_DIGITS} digits"
                raise InputError(what, value=len(digits))
            return int(digits)

        def refuse(constant: str) -> float:
            raise InputError(f"Numbers in {_small(self.called)} must be finite", value=constant)

        try:
            # Python's reader does not refuse NaN and numbers of a million digits, as it should.
            return json.loads(text.removeprefix("\ufeff"), parse_int=whole, parse_constant=refuse)
        except InputError:
            raise
        except (ValueError, RecursionError):
            # The reader's own words would mean nothing to a person who has chosen the wrong file.
            what = f"{self.called} must be JSON"
            raise InputError(what, value="a damaged file or one of another kind", remedy=remedy) from None


def _small(called: str) -> str:
    return called[:1].lower() + called[1:]


def _pair(name: str, value: Any) -> str:
    return f"{json.dumps(name)}: {json.dumps(value, allow_nan=False)}"
