"""What is done today with a place, rounding and larger squares, beside the mechanisms: what each costs and still tells."""

from __future__ import annotations

from typing import Any

from lmdk_widgets.geoind.mechanisms import MECHANISMS, Assessment
from lmdk_widgets.io import NOTE
from lmdk_widgets.page.amounts import chance, count, metres
from lmdk_widgets.page.answers import NO_PROMISE, guesses, if_equal, promised
from lmdk_widgets.page.blocks import Block, Column, Table, Text
from lmdk_widgets.page.sentences import join, sentence
from lmdk_widgets.pages.place.cards import OWN_NOTE
from lmdk_widgets.pages.place.outcome import Outcome
from lmdk_widgets.pages.place.rounding import Rounding
from lmdk_widgets.pages.place.words import length, stale

TITLE = "The mechanisms, and what is done today"
NO_GUARANTEE = "no guarantee"

NOTHING_PROMISED = (
    "Rounding promises nothing: its report rules out every place outside the square, whatever was believed before, and a "
    "second report from the next square tells that the person moved."
)


def practice_blocks(outcome: Outcome) -> list[Block]:
    """What the tab shows below the settings side by side."""
    return [Text(join([_merged(outcome), NOTHING_PROMISED], " "), "said"), practices_table(outcome)]


def _merged(outcome: Outcome) -> str:
    """What the chosen larger square costs and tells, beside the mechanism shown."""
    side = outcome.places.square_cells
    found = next(each for each in outcome.roundings if each.side == side).told
    said = sentence(
        "Merged to squares of {merged_size}, the report is off by {merged_loss} on average, and an attacker who knows each "
        "cell’s chance by {merged_error}; the exact cell is guessed with {merged_hit}.",
        merged_size=metres(side * outcome.area.cell_m),
        merged_loss=length(found.loss),
        merged_error=length(found.error),
        merged_hit=chance(found.hit),
    )
    present = outcome.present
    if present is None or stale(outcome, present):
        return said
    return sentence(
        "{merged} With the mechanism shown: {loss}, {error} and {hit}.",
        merged=said,
        loss=length(present.loss_m),
        error=length(present.error_m),
        hit=chance(present.hit),
    )


def practices_table(outcome: Outcome) -> Table:
    """The mechanisms that are solved for this level, and the practices: a row each."""
    columns = (
        Column("shared", "what is shared"),
        Column("quality_loss_m", "report off by", length, "right"),
        Column("adversary_error_m", "attacker off by", length, "right"),
        Column("exact_guess", "exact guess", chance, "right"),
        Column("cells_left", "cells left", lambda n: f"{n:.3g}", "right"),
        Column("promised", "promised", align="right", warned=lambda said: said in (NO_GUARANTEE, NO_PROMISE)),
    )
    possible = float((outcome.instance.prior > 0).sum())
    known = [(name, outcome.assessed[name]) for name in MECHANISMS if name in outcome.assessed]
    rows = [_mechanism(outcome, name, each, possible) for name, each in known if not stale(outcome, each)]
    rows += [_rounding(outcome, each) for each in outcome.roundings]
    return Table(TITLE, columns, tuple(rows))


def practices_csv(outcome: Outcome, *, own: bool) -> str:
    """The mechanisms that are solved and the practices, one row each: how far off the report and the attacker's best guess
    are on average (`quality_loss_m`, `adversary_error_m`), the chance of an `exact_guess`, how many cells a report leaves
    possible on average (`cells_left`), and what is `promised`."""
    return practices_table(outcome).csv(note=OWN_NOTE if own else NOTE, digits=7)


def _mechanism(outcome: Outcome, name: str, each: Assessment, possible: float) -> tuple[Any, ...]:
    value = if_equal(promised(guesses(each.channel.epsilon * outcome.places.radius_m))[0])
    return MECHANISMS[name].split(":")[0], each.loss_m, each.error_m, each.hit, possible, value


def _rounding(outcome: Outcome, each: Rounding) -> tuple[Any, ...]:
    told = each.told
    name = sentence("Squares of {square_size}", square_size=metres(each.side * outcome.area.cell_m))
    if not each.side:
        name = sentence("Rounded to {decimals}", decimals=count(each.decimals, "decimal"))
    return name, told.loss, told.error, told.hit, told.left, NO_GUARANTEE
