"""The foundations page without a page: the choices, what follows from them, and how it is put into words."""

from lmdk_widgets.pages.foundations.evaluate import FoundationsOutcome, describe, evaluate
from lmdk_widgets.pages.foundations.model import Foundations
from lmdk_widgets.pages.foundations.table import Table, read_table

__all__ = ["Foundations", "FoundationsOutcome", "Table", "describe", "evaluate", "read_table"]
