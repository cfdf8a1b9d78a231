"""The people page without a page: the choices, what follows from them, and how it is put into words."""

from lmdk_widgets.pages.people.evaluate import PeopleOutcome, evaluate, improve
from lmdk_widgets.pages.people.model import PeopleChoices
from lmdk_widgets.pages.people.tables import PeopleTable, read_people

__all__ = ["PeopleChoices", "PeopleOutcome", "PeopleTable", "evaluate", "improve", "read_people"]
