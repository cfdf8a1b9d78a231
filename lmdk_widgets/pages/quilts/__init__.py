"""The quilt lab without a page: the choices, what follows from them, and how it is put into words."""

from lmdk_widgets.pages.quilts.evaluate import evaluate
from lmdk_widgets.pages.quilts.generated import household_text, household_watts
from lmdk_widgets.pages.quilts.model import QuiltChoices
from lmdk_widgets.pages.quilts.outcome import QuiltOutcome
from lmdk_widgets.pages.quilts.own import read_own
from lmdk_widgets.pages.quilts.series import Series, series_of
from lmdk_widgets.pages.quilts.uploaded_series import OwnData
from lmdk_widgets.pages.quilts.words import describe

__all__ = [
    "OwnData",
    "QuiltChoices",
    "QuiltOutcome",
    "Series",
    "describe",
    "evaluate",
    "household_text",
    "household_watts",
    "read_own",
    "series_of",
]
