"""Settings side by side on the place page: the present one, the pinned one and a proposed mechanism.

The proposal is the most accurate of the mechanisms certified for the requested privacy level, if it is noticeably more
accurate than the present one.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from lmdk_widgets.geoind.mechanisms import MECHANISMS, Assessment
from lmdk_widgets.io import NOTE
from lmdk_widgets.io.report import drawn
from lmdk_widgets.page.amounts import metres
from lmdk_widgets.page.answers import guesses
from lmdk_widgets.page.blocks import Act, Card, Cards
from lmdk_widgets.page.cards import CHANCE, NOTICED, USE, compared, side_by_side, titled
from lmdk_widgets.page.drawing import Drawing
from lmdk_widgets.page.every_prior import COLUMNS
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.pages.place.model import PlaceChoices
from lmdk_widgets.pages.place.outcome import Outcome
from lmdk_widgets.pages.place.words import SLACK, first_answers, provisional, stale

ASSUMES = f"Promises hold for one report and two equally likely places; {CHANCE}"
PROPOSED = "The most accurate of the mechanisms that promise this privacy level."
NONE_SAID = "No other mechanism that promises this privacy level is noticeably more accurate."
TOLD = (
    "quality_loss_m",
    "adversary_error_m",
    "promised_if_equally_likely",
    "right_by_the_prior",
    "right_after_a_report",
    *COLUMNS,
)
"""The columns of the numbers of a setting in its file."""
TRIED = "The other mechanisms are being solved."

OWN_NOTE = f"{NOTE}; made from a file of your own: the prior and the cells reveal its places"
"""The note in a file whose cells or prior come from the user's own track or check-ins."""


def setting_cards(outcome: Outcome) -> Cards:
    """The cards of the page."""
    pinned, better = outcome.beside, proposed(outcome)
    kept = None if pinned is None else _card("Pinned", pinned, Act(USE, {"op": "swap"}))
    if better is None:
        return side_by_side(_card("Now", outcome), kept, TRIED if _is_solving(outcome) else NONE_SAID, ASSUMES)
    go = {"op": "set", "name": "mechanism", "value": better.places.mechanism}
    return side_by_side(
        _card("Now", outcome), kept, replace(_card("Proposed", better, Act(USE, go)), said=PROPOSED), ASSUMES
    )


def proposed(outcome: Outcome) -> Outcome | None:
    """The same setting with the proposed mechanism; None if no other is noticeably more accurate, or none is known yet.

    Examples
    --------
    >>> from lmdk_widgets.pages.place import evaluate, improve
    >>> *_, solved = improve(evaluate(PlaceChoices(rows=3, columns=3, prior="uniform", mechanism="planar")))
    >>> proposed(solved).places.mechanism
    'optimal'
    """
    present, mechanism = outcome.present, outcome.places.mechanism
    if present is None or stale(outcome, present):
        return None
    found = [(each.loss_m, name) for name, each in outcome.assessed.items() if _promises(outcome, name, each)]
    most = present.loss_m * (1 + SLACK if mechanism == "private" else NOTICED)
    if not found or min(found)[0] > most:
        return None
    return replace(outcome, places=outcome.places.with_changes(mechanism=min(found)[1]))


def _promises(outcome: Outcome, name: str, each: Assessment) -> bool:
    """Whether this is another mechanism that promises the requested level and is fully solved."""
    other = name not in (outcome.places.mechanism, "private")
    return other and not stale(outcome, each) and not provisional(outcome, name)


def _is_solving(outcome: Outcome) -> bool:
    return outcome.solving.state == "solving"


def _told(places: PlaceChoices) -> str:
    """A setting in one line."""
    mechanism = MECHANISMS[places.mechanism].split(":")[0]
    if places.mechanism == "private":
        return sentence(
            "{mechanism}, loss allowed {allowed_share}",
            mechanism=mechanism,
            allowed_share=Written(f"{places.loss_percent:g} %", places.loss_percent / 100),
        )
    level, dilation = Written(f"{places.level:.4g}", places.level), ""
    if places.mechanism == "spanner":
        dilation = sentence(", dilation {dilation}", dilation=Written(f"{places.dilation:g}", places.dilation))
    return sentence(
        "{mechanism}, level {level} within {radius}{dilation}",
        mechanism=mechanism,
        level=level,
        radius=metres(places.radius_m),
        dilation=dilation,
    )


def _card(name: str, outcome: Outcome, act: Act | None = None, picture: str = "") -> Card:
    useful, found, promised = first_answers(outcome)
    apart = sentence("places {radius} apart", radius=metres(outcome.places.radius_m))
    if promised.value[:1].isdigit():
        promised = promised._replace(
            short=sentence("guesses right at most, between equally likely {apart}", apart=apart)
        )
    answers = (useful, found, promised)
    return Card(name, _told(outcome.places), answers, act=act, values=_values(outcome), picture=picture)


def _values(outcome: Outcome) -> dict[str, Any]:
    """The values of a setting for a file."""
    places, present = outcome.places, outcome.present
    told: tuple[float, ...] = (math.nan,) * len(TOLD)
    if present is not None:
        easiest = present.easiest(places.radius_m)
        by_prior = (math.nan, math.nan) if easiest is None else (easiest.alone, easiest.after)
        promised = guesses(present.channel.epsilon * places.radius_m)
        told = present.loss_m, present.error_m, promised, *by_prior, present.capacity, present.security
    return {
        "mechanism": places.mechanism,
        "level": places.level,
        "radius_m": places.radius_m,
        **dict(zip(TOLD, told, strict=True)),
    }


def report_cards(outcome: Outcome) -> Cards:
    """The cards of a report, each with a small map if there are several."""
    each = compared(outcome, proposed(outcome)).items()
    several = len(each) > 1
    return titled([_card(name, one, picture=_picture(name, one) if several else "") for name, one in each], ASSUMES)


def _picture(name: str, outcome: Outcome) -> str:
    """A small map of the cells, without coordinates; "" while there is no mechanism."""
    if outcome.present is None:
        return ""
    shown, squares = outcome.shown, outcome.area.squares - outcome.area.squares.min(axis=0)
    values = [None if math.isnan(value) else float(f"{value:.6g}") for value in shown.values.tolist()]
    told = shown.message()
    names = list(outcome.area.names)
    drawing = {"squares": squares.tolist(), "names": names, "values": values, "shown": told, "small": True}
    return drawn("cells", f"Map of the cells: {name}", drawing, "")


def small_maps(outcome: Outcome) -> Drawing:
    """What the page draws on the other cards: the values of each map and their meaning."""
    filled = compared(outcome, proposed(outcome)).items()
    each = {name.lower(): one for name, one in filled if one is not outcome and one.present is not None}
    shown = {name: one.shown for name, one in each.items()}
    told = {name: s.message() for name, s in shown.items()}
    made_of = (outcome.instance, outcome.places, *(one.present for one in each.values()))
    return Drawing("cards", made_of, {"shown": told}, {name: s.values for name, s in shown.items()})


def cards_csv(outcome: Outcome, *, own: bool) -> str:
    """The compared settings, one row each: `mechanism`, `level` within `radius_m`, `quality_loss_m` and
    `adversary_error_m` (empty until it is solved), `promised_if_equally_likely` (the largest chance of a right guess between
    two equally likely places a radius apart), `right_by_the_prior` and `right_after_a_report` (the largest between two cells
    that near and as likely as the prior says), and for every prior `bayes_capacity` and `bayes_security`."""
    return report_cards(outcome).csv(note=OWN_NOTE if own else NOTE, digits=7)
