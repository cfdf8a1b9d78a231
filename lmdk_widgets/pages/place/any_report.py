"""How near any mechanism could bring a reader, whatever it reports, in the page's words."""

from __future__ import annotations

from lmdk_widgets.page.amounts import metres_to
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.place.outcome import Outcome

DIGITS = 3
"""As many as other lengths of the page have."""


def any_report_sentence(outcome: Outcome) -> str:
    """Beside the losses of the mechanism shown and of planar Laplace; "" where nothing is proven, or nothing is shown."""
    least = outcome.any_report_m
    if least is None or outcome.present is None:
        return ""
    return sentence(
        "No mechanism at this level brings a reader nearer than {any_report_loss} on average, whatever it reports.",
        any_report_loss=metres_to(least, DIGITS, up=False),
    )


def any_report_row(outcome: Outcome) -> str:
    """In the certificate; "" where nothing is proven, or for a mechanism that keeps no epsilon."""
    least = outcome.any_report_m
    if least is None or outcome.places.mechanism == "private":
        return ""
    return sentence(
        "{any_report_loss} or more: provably, no reader of a mechanism that satisfies this ε is nearer on average",
        any_report_loss=metres_to(least, DIGITS, up=False),
    )
