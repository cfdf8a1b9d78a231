"""The quilt lab without a page: the choices, what follows from them, and how it is put into words."""

from lmdk_widgets.pages.series.evaluate import evaluate
from lmdk_widgets.pages.series.generated import household_text, household_watts
from lmdk_widgets.pages.series.model import SeriesChoices
from lmdk_widgets.pages.series.outcome import SeriesOutcome
from lmdk_widgets.pages.series.own import read_own
from lmdk_widgets.pages.series.series import Series, series_of
from lmdk_widgets.pages.series.uploaded_series import OwnData
from lmdk_widgets.pages.series.words import describe

__all__ = [
    "OwnData",
    "Series",
    "SeriesChoices",
    "SeriesOutcome",
    "describe",
    "evaluate",
    "household_text",
    "household_watts",
    "read_own",
    "series_of",
]
