"""An outcome in plain sentences: what the settings mean, what is certified and against whom, and what it rests on."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lmdk_widgets.scenario.places.evaluate import Outcome, Solving
from lmdk_widgets.scenario.places.mechanisms import Judged
from lmdk_widgets.scenario.places.model import MECHANISMS, OTHERS, PRIORS
from lmdk_widgets.scenario.words import Words, amount, count, metres

SLACK = 1e-9

_NAMES = {name: text.split(":")[0] for name, text in MECHANISMS.items()}
_SUBJECTS = {
    "optimal": "the optimal mechanism",
    "spanner": "the spanner's mechanism",
    "planar": "planar Laplace",
    "remapped": "planar Laplace, remapped,",
    "private": "OptPriv",
}


def percent(share: float) -> str:
    """A probability as people read it.

    Examples
    --------
    >>> percent(0.1234), percent(0.00056), percent(1e-9), percent(0)
    ('12 %', '0.056 %', '0.0000001 %', '0 %')
    """
    value = 100 * share
    if value == 0:
        return "0 %"
    if value >= 9.95:
        return f"{value:.0f} %"
    digits = min(12, max(0, 1 - math.floor(math.log10(value))))
    return f"{value:.{digits}f}".rstrip("0").rstrip(".") + " %"


def length(value: float) -> str:
    """A length with three digits, as mechanisms are told apart by less than a hundred metres.

    Examples
    --------
    >>> length(168.2), length(1172.0), length(23456.0)
    ('168 m', '1.17 km', '23.5 km')
    """
    return metres(value) if value < 999.5 or value >= 99_950 else f"{value / 1000:.3g} km"


def describe(outcome: Outcome) -> Words:
    """What an outcome means, in sentences that are true of it."""
    sentences = [_privacy_sentence(outcome), *_loss_sentences(outcome), *_adversary_sentences(outcome)]
    return Words(" ".join(sentences), _assumption(outcome), tuple(_warnings(outcome)))


def _privacy_sentence(outcome: Outcome) -> str:
    places = outcome.places
    cells = f"{count(len(outcome.area), 'cell')} of {metres(outcome.area.cell_m)}".capitalize()
    factor = math.exp(min(places.level, 700.0))
    return (
        f"{cells}, privacy level {amount(places.level)} within {metres(places.radius_m)}: two places that far apart "
        f"give every report with chances within a factor of {factor:,.3g}, places twice as far within its square."
    )


def _loss_sentences(outcome: Outcome) -> list[str]:
    judged = outcome.judged
    best, plain, remap = judged.get("optimal"), judged.get("planar"), judged.get("remapped")
    if plain is None or remap is None:
        return []
    laplace = f"{length(plain.loss_m)}, or {length(remap.loss_m)} when remapped"
    if best is None:
        return [f"Planar Laplace's report is off by {laplace}."]
    text = f"The optimal mechanism's report is off by {length(best.loss_m)} on average, planar Laplace's by {laplace}"
    if stale(outcome, best):
        return [f"{text} (still solving)."]
    saved = 1 - best.loss_m / plain.loss_m if plain.loss_m > 0 else 0.0
    return [f"{text}: it saves {percent(saved)} of the noise." if saved > 0.0005 else f"{text}."]


def _adversary_sentences(outcome: Outcome) -> list[str]:
    present = outcome.present
    if present is None:
        return []
    blind = outcome.ground.blind_m
    return [
        f"After a report by {_SUBJECTS[outcome.places.mechanism].rstrip(',')}, an adversary who knows the prior guesses "
        f"the place to within {length(present.error_m)} on average; without any report to within {length(blind)}."
    ]


def stale(outcome: Outcome, judged: Judged) -> bool:
    """Whether a picture was made for another privacy level than the one that is asked for now."""
    asked = judged.channel.requested_epsilon
    return not math.isnan(asked) and abs(asked - outcome.places.epsilon_per_m) > SLACK * asked


def certificate(outcome: Outcome) -> list[tuple[str, str]]:
    """The certificate of the mechanism that is shown: names and values, all taken from the channel itself."""
    present, places = outcome.present, outcome.places
    if present is None:
        return []
    channel, radius = present.channel, places.radius_m
    found = (
        "without bound" if math.isinf(channel.epsilon) else f"{channel.epsilon * radius:.6g} within {metres(radius)}"
    )
    rows = [("Mechanism", _NAMES[places.mechanism]), ("ε asked for", _asked(outcome, present)), ("ε certified", found)]
    if places.mechanism in ("optimal", "spanner"):
        rows.append(("Gap to the optimum", f"at most {percent(channel.gap)} of what guessing blindly loses"))
    if places.mechanism == "spanner":
        rows.append(("Dilation", f"{places.dilation:g} asked for, {channel.dilation:.4g} reached"))
    if channel.error > 0:
        rows.append(("Error of an entry", f"at most {channel.error:.0e}"))
    rows.append(("Clipped, mixed", _mended(channel.clipped, channel.mixed)))
    rows.append(("Quality loss", length(present.loss_m)))
    rows.append(("Adversary error", length(present.error_m)))
    return rows


def _asked(outcome: Outcome, present: Judged) -> str:
    if outcome.places.mechanism == "private":
        return "none: it was asked for the loss of the optimal mechanism"
    asked, radius = present.channel.requested_epsilon, outcome.places.radius_m
    text = f"{asked * radius:.6g} within {metres(radius)}, {asked:.4g} per metre"
    return f"{text} (of the picture before; the new one is not there yet)" if stale(outcome, present) else text


def _mended(clipped: float, mixed: float) -> str:
    if not clipped and not mixed:
        return "nothing had to be"
    parts = [f"entries below 0 by {clipped:.0e} were clipped"] if clipped else []
    parts += [f"{mixed:.0e} of a uniform report was mixed in, for rounding"] if mixed else []
    return ", ".join(parts)


def guarantee(outcome: Outcome) -> str:
    """Which guarantee the mechanism that is shown gives, and against whom."""
    present = outcome.present
    if present is None:
        return "There is no mechanism yet."
    if outcome.places.mechanism == "private":
        found = present.channel.epsilon
        happens = "no ε at all bounds it" if math.isinf(found) else f"it happens to have {found:.3g} per metre"
        return (
            f"OptPriv gives no geo-indistinguishability: {happens}. Its adversary error holds against one adversary, "
            "who knows this prior and nothing else. Somebody who knows more may learn the very place."
        )
    return (
        "Geo-indistinguishability, against everybody, whatever they know beforehand and however they compute: no report "
        f"changes the odds of two places d apart by more than e^(ε d), with the certified ε of "
        f"{present.channel.epsilon:.3g} per metre, checked over all pairs of places and all reports. The adversary "
        "error, in contrast, holds against the prior that is named."
    )


def _assumption(outcome: Outcome) -> str:
    prior = PRIORS[outcome.places.prior].split(":")[0]
    other = OTHERS[outcome.places.other].split(":")[0].rstrip(".")
    return (
        f"The prior is “{prior}”, the second prior “{other}”. Places are the centres of cells, distances straight lines "
        "between them. All this is about one report: several reports add up their ε. The mechanism itself is public."
    )


def _warnings(outcome: Outcome) -> list[str]:
    places, found = outcome.places, []
    if places.mechanism == "private":
        found.append("OptPriv gives no geo-indistinguishability: it is shown to be compared.")
    if places.area == "track" or places.prior in ("time", "counts"):
        found.append(
            "The cells or the prior come from the track itself: to publish the mechanism would tell where it goes. "
            "Use a prior of many people for a mechanism that others see."
        )
    empty = int((outcome.ground.prior == 0).sum())
    if empty:
        some = "one cell has" if empty == 1 else f"{count(empty, 'cell')} have"
        found.append(f"{some} probability 0: being there is as private as anywhere, but the loss there counts nothing.")
    notices = outcome.present.channel.notices if outcome.present is not None else ()
    return [text[:1].upper() + text[1:] for text in (*found, *notices)]


def status(solving: Solving) -> str:
    """Where the background work stands, in a line."""
    if solving.state == "cancelled":
        return "Cancelled: the last good picture stays."
    if solving.state == "failed":
        return f"Solving ended: {solving.reason}"
    if solving.state != "solving":
        return ""
    name = _SUBJECTS[solving.mechanism].rstrip(",")
    gap = "" if math.isnan(solving.gap) else f", gap so far {percent(solving.gap)}"
    return f"Solving {name}{gap}, {solving.seconds:.1f} s"


def tell(outcome: Outcome, names: Sequence[str]) -> str:
    """The picture on the map in words, for those who do not see it."""
    shown = outcome.shown
    order = (-shown.values).argsort(kind="stable")[:5]
    list_ = ", ".join(f"{names[i]} {percent(float(shown.values[i]))}" for i in order if shown.values[i] > 0)
    if shown.meaning == "prior":
        return f"The prior: how likely each cell is. Most likely: {list_}."
    chosen = names[shown.selected]
    mechanism = _SUBJECTS[outcome.places.mechanism].rstrip(",")
    if shown.meaning == "reports":
        return f"From the true place {chosen} (prior {percent(shown.likely)}), {mechanism} reports most often: {list_}."
    return (
        f"After the report {chosen} (made with {percent(shown.likely)}) by {mechanism} the adversary believes in "
        f"{list_}, and guesses {names[shown.guess]}."
    )
