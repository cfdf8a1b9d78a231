"""The table page without a page: the choices, what follows from them, and how it is put into words."""

from lmdk_widgets.pages.table.evaluate import TableOutcome, describe, evaluate
from lmdk_widgets.pages.table.model import TableChoices
from lmdk_widgets.pages.table.table import Table, read_table

__all__ = ["Table", "TableChoices", "TableOutcome", "describe", "evaluate", "read_table"]
