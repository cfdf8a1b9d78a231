"""The map of a place page in words: what is likely, what is reported, how far off an attacker is from each cell."""

from __future__ import annotations

from collections.abc import Sequence

from lmdk_widgets.page.amounts import (
    percent,
    whole,
)
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.place.outcome import ERRORS, Outcome
from lmdk_widgets.pages.place.words import SUBJECTS, length, measured


def tell(outcome: Outcome, names: Sequence[str]) -> str:
    """The map in words, for people who cannot see it."""
    shown = outcome.shown
    chosen, mechanism = names[shown.selected], SUBJECTS[outcome.places.mechanism]
    if shown.meaning == "never":
        made = int((outcome.present.reports > 0).sum()) if outcome.present is not None else 0
        return sentence(
            "The report {chosen} is never made by {subject}, so there is nothing to believe or guess after it. Of "
            "the {n_cells} cells, {n_reported} are reported.",
            chosen=chosen,
            subject=mechanism,
            n_cells=whole(len(outcome.area)),
            n_reported=whole(made),
        )
    if shown.meaning in ERRORS:
        return _errors(outcome, names)
    order = (-shown.values).argsort(kind="stable")[:5]
    list_ = ", ".join(
        sentence("{cell} {cell_chance}", cell=names[i], cell_chance=percent(float(shown.values[i])))
        for i in order
        if shown.values[i] > 0
    )
    if shown.meaning == "prior":
        return sentence("The prior: how likely each cell is. Most likely: {cells}.", cells=list_)
    if shown.meaning == "reports":
        return sentence(
            "From the true place {chosen} (prior {chosen_chance}), {subject} reports most often: {cells}.",
            chosen=chosen,
            chosen_chance=percent(shown.likely),
            subject=mechanism,
            cells=list_,
        )
    return sentence(
        "After the report {chosen} (its chance: {chosen_chance}) by {subject}, the adversary believes in "
        "{cells}, and guesses {guess}.",
        chosen=chosen,
        chosen_chance=percent(shown.likely),
        subject=mechanism,
        cells=list_,
        guess=names[shown.guess],
    )


def _errors(outcome: Outcome, names: Sequence[str]) -> str:
    """The map of errors in words: the cells with the largest ones, and the average."""
    shown, present = outcome.shown, outcome.present
    assert present is not None  # else the map shows the prior
    order = (-shown.values).argsort(kind="stable")[:5]
    most = ", ".join(
        sentence("{cell} {cell_error}", cell=names[i], cell_error=length(float(shown.values[i]))) for i in order
    )
    reader = shown.meaning == "reader"
    what, mean = ("the report", present.loss_m) if reader else ("the attacker's best guess", present.error_m)
    how = measured(outcome.places.quality_by if reader else outcome.places.error_by)
    return sentence(
        "How far off {what} is{by} with {subject}, for each true cell. Most for {cells}; {mean_error} on average.",
        what=what,
        by=how,
        subject=SUBJECTS[outcome.places.mechanism],
        cells=most,
        mean_error=length(mean),
    )
