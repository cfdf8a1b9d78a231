"""The certificate of the mechanism shown, with every limit rounded outwards, and what it guarantees against whom."""

from __future__ import annotations

import math

from lmdk_widgets.geoind.mechanisms import LEAST, MECHANISMS, Assessment, excess
from lmdk_widgets.page.amounts import bound, bound_digits, bound_metres, bound_percent, chance, metres, metres_to, whole
from lmdk_widgets.page.blocks import Table
from lmdk_widgets.page.every_prior import CAPACITY, SECURITY
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.pages.place.any_report import any_report_row
from lmdk_widgets.pages.place.edges import edges_of
from lmdk_widgets.pages.place.outcome import Outcome
from lmdk_widgets.pages.place.words import allowed_loss, length, measured, so_far, stale, unbounded

TITLE = "The certificate"

LEAST_LEVEL = 1e-9
"""The smallest bound on a level that is written: below it, there is only what the chances were rounded by."""
LEAST_ERROR = 1e-12
"""The smallest bound on the error of a chance that is written."""

FEWEST_DIGITS, MOST_DIGITS = 3, 7
"""The digits of a loss: more than the fewest where its gap to the least possible loss is small enough for them."""


def certificate(outcome: Outcome) -> Table:
    """The certificate of the mechanism shown: names and values, all computed from the channel itself."""
    present, places = outcome.present, outcome.places
    if present is None:
        return Table.of_texts(TITLE, ("", ""), [])
    channel, radius = present.channel, places.radius_m
    found: str = "unbounded"
    if not math.isinf(channel.epsilon):
        level = _certified(channel.epsilon, radius) * radius
        found = sentence("{most_level} within {radius}", most_level=bound_digits(level, 6), radius=metres(radius))
    dilation = Written(f"{places.dilation:g}", places.dilation)
    spanned = sentence(
        "{dilation} asked for, {most_dilation} reached",
        dilation=dilation,
        most_dilation=bound_digits(channel.dilation, 5),
    )
    off = sentence(
        "at most {most_error_of_chances} in the chance of any report",
        most_error_of_chances=bound_digits(max(channel.error, LEAST_ERROR), 1),
    )
    rows = {
        "Mechanism": MECHANISMS[places.mechanism].split(":")[0],
        "ε asked for": _asked(outcome, present),
        "ε certified": found,
        "Quality loss": sentence("{loss}{so_far}", loss=_loss(outcome, present.loss_m), so_far=so_far(outcome)),
        "Least possible loss": _least(outcome, present) if places.mechanism in LEAST else "",
        "Whatever is reported": "" if stale(outcome, present) else any_report_row(outcome),
        "Adversary error": _loss(outcome, present.error_m),
        "Chance that the guess is exactly right": chance(present.hit),
        CAPACITY: sentence("at most {most_times_right}, for every prior", most_times_right=bound(present.capacity)),
        SECURITY: sentence(
            "at least {least_still_wrong}, for every prior", least_still_wrong=bound_percent(present.security, up=False)
        ),
        "Dilation": spanned if places.mechanism == "spanner" else "",
        "Edges of the spanner": _edges(outcome),
        "Numerical error": off if channel.error > 0 else "",
    }
    return Table.of_texts(TITLE, ("", ""), [(name, value) for name, value in rows.items() if value])


def guarantee(outcome: Outcome) -> str:
    """What the mechanism shown guarantees, and against whom."""
    present = outcome.present
    if present is None:
        return "There is no mechanism yet: the map shows the prior."
    if outcome.places.mechanism == "private":
        happens: str = "No ε bounds what its report reveals."
        more = " An attacker who knows more may learn the exact place."
        if not unbounded(present):
            found = bound_digits(present.channel.epsilon, 3)
            happens, more = (
                sentence("This OptPriv happens to keep ε = {most_epsilon_per_m} per metre.", most_epsilon_per_m=found),
                "",
            )
        return sentence(
            "{happens} Its adversary error holds only against an adversary who knows this prior and nothing "
            "else.{more}",
            happens=happens,
            more=more,
        )
    return sentence(
        "Geo-indistinguishability against everyone, whatever they already know and however they compute: no "
        "report changes the odds of two places d apart{by} by more than a factor of e^(ε d). The certified ε is "
        "{most_epsilon_per_m} per metre, checked over all pairs of places and all reports. The adversary error, "
        "in contrast, holds only against an adversary with the stated prior.",
        by=measured(outcome.places.privacy_by),
        most_epsilon_per_m=bound_digits(_certified(present.channel.epsilon, outcome.places.radius_m), 3),
    )


def _certified(epsilon: float, radius_m: float) -> float:
    """A bound on epsilon, per metre, that is no smaller than what is written."""
    return max(epsilon, LEAST_LEVEL / radius_m) if epsilon else 0.0


def _asked(outcome: Outcome, present: Assessment) -> str:
    if outcome.places.mechanism == "private":
        return sentence("none; it may lose q = {allowed}", allowed=allowed_loss(outcome))
    asked, radius = present.channel.requested_epsilon, outcome.places.radius_m
    level = Written(f"{asked * radius:.6g}", asked * radius)
    text = sentence(
        "{asked_level} within {radius}, {asked_epsilon_per_m} per metre",
        asked_level=level,
        radius=metres(radius),
        asked_epsilon_per_m=Written(f"{asked:.4g}", asked),
    )
    return (
        sentence("{asked} (of the previous mechanism; the new one is not solved yet)", asked=text)
        if stale(outcome, present)
        else text
    )


def _edges(outcome: Outcome) -> str:
    edges = edges_of(outcome)
    if edges is None:
        return ""
    report = "this report" if edges.of_report else "at least one report"
    binding = int(edges.binding.sum())
    return sentence(
        "{n_edges}; {n_binding} of their constraints bind for {report}",
        n_edges=whole(len(edges.cells)),
        n_binding=whole(binding),
        report=report,
    )


def _digits(outcome: Outcome, present: Assessment) -> int:
    """How many digits of a loss are known: as many as its proven gap to the least possible one allows."""
    share = excess(present.channel) if outcome.places.mechanism in LEAST else math.nan
    if not share <= 1:
        return FEWEST_DIGITS
    return min(max(math.floor(-math.log10(max(share, 1e-12))), FEWEST_DIGITS), MOST_DIGITS)


def _loss(outcome: Outcome, value: float) -> str:
    """A loss of the mechanism shown, rounded up where it has more digits than other lengths on the page."""
    assert outcome.present is not None
    digits = _digits(outcome, outcome.present)
    return length(value) if digits == FEWEST_DIGITS or not value > 1e-3 else metres_to(value, digits)


def _least(outcome: Outcome, present: Assessment) -> str:
    share, spanner = excess(present.channel), outcome.places.mechanism == "spanner"
    best = " with this spanner" if spanner else ""
    if not share <= 1:
        least = bound_metres(max(present.channel.bound, 0.0), up=False)
        return sentence(
            "not known yet, between {least_loss} and {most_loss}{best}",
            least_loss=least,
            most_loss=bound_metres(present.loss_m),
            best=best,
        )
    if share <= 1e-9:
        return sentence("this one{best}", best=best)
    least = metres_to(present.channel.bound, _digits(outcome, present), up=False)
    return sentence(
        "{least_loss} or more: provably, no mechanism on these cells that satisfies this ε loses less{best}",
        least_loss=least,
        best=best,
    )
