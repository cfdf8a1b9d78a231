"""An outcome in plain sentences: what the settings mean, what is certified and against whom, and what it rests on."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lmdk_widgets.geoind.mechanisms import LEAST, Assessment, excess
from lmdk_widgets.geoind.solvers import TOLERANCE
from lmdk_widgets.page.amounts import (
    amount,
    bound_percent,
    chance,
    change,
    count,
    factor,
    factor_is_told,
    metres,
    percent,
)
from lmdk_widgets.page.answers import NO_PROMISE, WAITS, Answer, guesses, promised, up_to
from lmdk_widgets.page.blocks import Notes
from lmdk_widgets.pages.place.model import DISTANCES, OTHERS, PRIORS, PlaceChoices
from lmdk_widgets.pages.place.outcome import ERRORS, Outcome

SLACK = 1e-9

UNCOVERED = "The mechanism, made from the track, is not covered."
"""Where the cells or the prior come from the track."""

SUBJECTS = {
    "optimal": "the optimal mechanism",
    "spanner": "the spanner's mechanism",
    "planar": "planar Laplace",
    "remapped": "remapped planar Laplace",
    "private": "OptPriv",
}


def length(value: float) -> str:
    """A length with three digits, as mechanisms may differ by less than a hundred metres.

    Examples
    --------
    >>> length(168.2), length(1172.0), length(23456.0)
    ('168 m', '1.17 km', '23.5 km')
    """
    return metres(value) if value < 999.5 or value >= 99_950 else f"{value / 1000:.3g} km"


def _off(value: float) -> str:
    """A length to follow "off by"."""
    return length(value).replace("below", "less than")


def measured(by: str) -> str:
    """How a distance is measured, to follow it; "" for a straight line."""
    ways = {"manhattan": " along streets", "squared": " in squares over the radius", "matrix": " by your distances"}
    return ways.get(by, "")


def describe(outcome: Outcome) -> Notes:
    """What an outcome means, in sentences."""
    groups = (_privacy_sentence(outcome), _loss_sentence(outcome), _hits(outcome))
    return Notes("\n\n".join(filter(None, groups)), _assumption(outcome), tuple(_warnings(outcome)))


def first_answers(outcome: Outcome) -> tuple[Answer, Answer, Answer]:
    """What the report shown costs, how far off an attacker who sees it is, and what is promised, all from the channel.

    Examples
    --------
    >>> from lmdk_widgets.pages.place import evaluate, improve
    >>> *_, best = improve(evaluate(PlaceChoices(rows=3, columns=3, prior="uniform")))
    >>> [(answer.name, answer.value) for answer in first_answers(best)]
    [('Useful', '884 m'), ('Found', '884 m'), ('Promised', '74 of 100')]
    """
    return _useful(outcome), _found(outcome), _promised(outcome)


def _unsolved(outcome: Outcome) -> str:
    waits = outcome.solving.state in ("", "solving")
    text = f"{SUBJECTS[outcome.places.mechanism]} {'is being' if waits else 'was not'} solved."
    return text[:1].upper() + text[1:]


def _useful(outcome: Outcome) -> Answer:
    present = outcome.present
    if present is None:
        return Answer("Useful", WAITS, _unsolved(outcome), short="not solved")
    more = "."
    if stale(outcome, present):
        level = amount(present.channel.requested_epsilon * outcome.places.radius_m)
        more = f", for level {level}: the new one is not solved."
    return Answer(
        "Useful",
        length(present.loss_m),
        f"The report is off by this on average{measured(outcome.places.quality_by)}{more}",
        short="off, for the report",
    )


def _found(outcome: Outcome) -> Answer:
    present, blind = outcome.present, length(outcome.instance.blind_m)
    if present is None:
        return Answer("Found", WAITS, f"Without a report an attacker is off by {blind}.", short="not solved")
    how = measured(outcome.places.error_by)
    line = f"An attacker who knows each cell's chance (the prior) errs by this{how}; without a report, by {blind}."
    return Answer("Found", length(present.error_m), line, short="off, for an attacker")


def _promised(outcome: Outcome) -> Answer:
    """The promise about two equally likely places, and beside it what this prior makes of two near places."""
    present = outcome.present
    apart = f"{metres(outcome.places.radius_m)} apart{measured(outcome.places.privacy_by)}"
    if present is None:
        return Answer("Promised", WAITS, _unsolved(outcome), short="not solved")
    value, look = promised(guesses(present.channel.epsilon * outcome.places.radius_m))
    if value == NO_PROMISE:
        line = f"The report may distinguish two places {apart}.{_of_the_maker(outcome)}"
        return Answer("Promised", value, line, look, f"about places {apart}")
    line = f"guesses, at most, are right between two equally likely places {apart}, after one report; 50 is chance."
    line = f"{line}{_by_the_prior(outcome, present)}{_of_the_maker(outcome)}"
    return Answer("Promised", value, line, look, short="right at most if equally likely; 50 is chance")


def _by_the_prior(outcome: Outcome, present: Assessment) -> str:
    """How many guesses between two near places are right under this prior, after a report and without one."""
    easiest = present.easiest(outcome.places.radius_m)
    if easiest is None:
        return ""
    far = outcome.places.radius_m * (1 + SLACK) < easiest.far_m
    where = f" at {metres(easiest.far_m)}" if far else ""
    alone = up_to(easiest.alone).removeprefix("up to ")
    return f" By the prior{where}, {up_to(easiest.after)} are; {alone} without a report."


def _of_the_maker(outcome: Outcome) -> str:
    """What no promise covers: a mechanism that is itself made from the track."""
    return f" {UNCOVERED}" if from_the_track(outcome.places) else ""


def from_the_track(places: PlaceChoices) -> bool:
    """Whether the mechanism itself is made from the track: its cells, their likelihoods, or a proposed region."""
    return places.area == "track" or places.prior in ("time", "counts")


def _privacy_sentence(outcome: Outcome) -> str:
    """What the report of the mechanism shown may change, rather than that of the one that was asked for."""
    places, present = outcome.places, outcome.present
    cells = f"{count(len(outcome.area), 'cell')} of {metres(outcome.area.cell_m)}".capitalize()
    asked = f"{cells}, privacy level {amount(places.level)} within {metres(places.radius_m)}"
    if present is None:
        return f"{asked}: there is no mechanism yet, so nothing is known about its report."
    if places.mechanism == "private":
        asked = f"{asked} for the other mechanisms; OptPriv is asked for none."
    elif stale(outcome, present):
        asked = f"{asked} is asked for; the mechanism shown has another level."
    else:
        asked = f"{asked}."
    level = present.channel.epsilon * places.radius_m
    odds = f"the odds of two places {metres(places.radius_m)} apart{measured(places.privacy_by)}"
    told = change("Anyone who sees the report, whatever they knew before,", odds, level)
    if factor_is_told(level):
        told += f"; at twice the distance, by at most {factor(level)} × {factor(level)}"
    return f"{asked} {told}."


def unbounded(present: Assessment) -> bool:
    """Whether no epsilon bounds what a mechanism reveals."""
    return math.isinf(present.channel.epsilon)


def _loss_sentence(outcome: Outcome) -> str:
    """The loss of the mechanism shown, compared with planar Laplace's; the channel is that of the certificate and map."""
    mechanism, present, plain = outcome.places.mechanism, outcome.present, outcome.assessed.get("planar")
    subject = SUBJECTS[mechanism]
    if plain is not None and stale(outcome, plain):
        plain = None
    if present is None:
        why = "is not solved yet" if outcome.solving.state == "solving" else "was not solved"
        laplace = f" Planar Laplace's report is off by {_off(plain.loss_m)} on average." if plain is not None else ""
        return f"{subject[:1].upper()}{subject[1:]} {why}.{laplace}"
    off = f"With {subject}, the report is off by {_off(present.loss_m)} on average"
    if stale(outcome, present):
        level = amount(present.channel.requested_epsilon * outcome.places.radius_m)
        what = "the one asked for is not solved" + (" yet" if outcome.solving.state == "solving" else "")
        return f"{off}, but this is the mechanism for level {level}: {what}."
    off += so_far(outcome)
    if mechanism != "planar" and plain is not None and plain.loss_m > 0:
        saved = 1 - present.loss_m / plain.loss_m
        off += f"; with planar Laplace, by {_off(plain.loss_m)}"
        if abs(saved) > 0.0005:
            off += f": {subject} {'saves' if saved > 0 else 'adds'} {percent(abs(saved))} of that"
    return f"{off}."


def provisional(outcome: Outcome, mechanism: str) -> bool:
    """Whether what is known of a mechanism is an incumbent that may still lose less."""
    assessed = outcome.assessed.get(mechanism)
    return assessed is not None and mechanism in LEAST and assessed.channel.gap > TOLERANCE


def allowed_loss(outcome: Outcome) -> str:
    """The quality loss q that OptPriv was allowed, in metres if the optimal mechanism's is known."""
    places, best = outcome.places, outcome.assessed.get("optimal")
    share = "" if places.loss_percent == 100 else f"{places.loss_percent:g} % of "
    if best is None or stale(outcome, best):
        return f"{share}the optimal mechanism's loss"
    return f"{length(places.loss_percent / 100 * best.loss_m)}, {share or 'as much as '}the optimal mechanism's loss"


def so_far(outcome: Outcome) -> str:
    """How far the loss shown may be from the least one, to follow it; "" if it is the least."""
    if outcome.present is None or not provisional(outcome, outcome.places.mechanism):
        return ""
    far = above_the_best(excess(outcome.present.channel), outcome.places.mechanism)
    return f" so far ({far})" if outcome.solving.state else f" ({far})"


def above_the_best(share: float, mechanism: str = "optimal") -> str:
    """How far a loss may be above the least possible one; for the spanner, the least under its own constraints.

    Examples
    --------
    >>> above_the_best(0.0311), above_the_best(1e-12), above_the_best(7.0)
    ('at most 3.2 % above the best', 'the best', 'how close to the best is not known yet')
    >>> above_the_best(0.0311, "spanner")
    'at most 3.2 % above the best with this spanner'
    """
    among = " with this spanner" if mechanism == "spanner" else ""
    if not share <= 1:
        return f"how close to the best{among} is not known yet"
    return f"at most {bound_percent(share)} above the best{among}" if share > 1e-9 else f"the best{among}"


def _hits(outcome: Outcome) -> str:
    """The chance of an exact guess, compared with planar Laplace's."""
    present = outcome.present
    if present is None or stale(outcome, present):
        return ""
    instance, plain = outcome.instance, outcome.assessed.get("planar")
    blind = chance(instance.blind_hit)
    text = f"The chance that the guess is exactly right is {chance(present.hit)}; without any report, {blind}"
    if outcome.places.mechanism != "planar" and plain is not None and not stale(outcome, plain):
        text += f"; with planar Laplace, {chance(plain.hit)}"
        if present.loss_m < plain.loss_m * (1 - 1e-6) and present.hit > plain.hit * (1 + 1e-6):
            text += ": the mechanism with less loss is easier to guess exactly"
    return f"{text}."


def moving(outcome: Outcome) -> str:
    """The label of the button that moves the grid to the check-ins or back; "" if there is nothing to move."""
    places, counted = outcome.places, outcome.checkins
    if places.area != "grid":
        return ""
    if places.around:
        return "Move the grid back"
    return "Move the grid to the check-ins" if counted is not None and counted[0] < counted[1] else ""


def stale(outcome: Outcome, assessed: Assessment) -> bool:
    """Whether a mechanism was made for another privacy level than the present one."""
    asked = assessed.channel.requested_epsilon
    return not math.isnan(asked) and abs(asked - outcome.places.epsilon_per_m) > SLACK * asked


def _assumption(outcome: Outcome) -> str:
    prior = PRIORS[outcome.places.prior].split(":")[0]
    other = OTHERS[outcome.places.other].split(":")[0].rstrip(".")
    counted = ""
    if outcome.checkins is not None:
        inside, all_ = outcome.checkins
        rest = "." if inside == all_ else "; the others are ignored."
        counted = f" {inside:,} of {all_:,} check-ins lie in the grid{rest}"
    if outcome.places.around and outcome.places.area == "grid":
        counted += " The centre of the grid comes from the check-ins; no link contains it."
    return (
        f"The prior is “{prior}”, the second prior “{other}”.{counted} Places are the centres of cells, "
        f"{_distances(outcome)}. All this is about one report: the ε of several reports add up. The mechanism "
        "itself is public."
    )


def _distances(outcome: Outcome) -> str:
    """How far apart two places are, to continue a sentence."""
    places = outcome.places
    names = places.privacy_by, places.quality_by, places.error_by
    if set(names) == {"straight"}:
        return "and distances are straight lines between them"
    said = [DISTANCES[name].split(":")[0].lower() for name in names]
    unit = f"; one unit of your distances counts as {places.unit_m:g} m" if places.by_matrix else ""
    return f"and distances are “{said[0]}” for privacy, “{said[1]}” for the report, “{said[2]}” for the guess{unit}"


def _warnings(outcome: Outcome) -> list[str]:
    places, found = outcome.places, []
    if places.mechanism == "private":
        found.append("OptPriv does not guarantee geo-indistinguishability: it is shown for comparison.")
    if from_the_track(places):
        found.append(
            "The cells or the prior come from the track itself: publishing the mechanism would reveal where it goes. "
            "Use a prior from many people for a mechanism that others see."
        )
    if places.counts_checkins:
        found.append(
            "The prior is counted from other people's check-ins and is their secret: publishing the mechanism, or its "
            "reports, reveals something about them. Count many people, or use a prior that is public anyway."
        )
    if places.privacy_by == "squared":
        found.append(
            "Squared distances do not add up: the steps over the cells in between bound how well distant places can be told "
            "apart, so the sum of those steps is the distance for privacy."
        )
    if outcome.proposed:
        found.append(
            "The region is a proposal: the smallest box of a quarter-degree lattice around your track, so it reveals where "
            "that is. Confirm that it can be public, or choose another area."
        )
    empty = int((outcome.instance.prior == 0).sum())
    if empty:
        some = "one cell has" if empty == 1 else f"{count(empty, 'cell')} have"
        found.append(f"{some} probability 0: the factor holds there too, but the loss there does not count.")
    notices = outcome.present.channel.notices if outcome.present is not None else ()
    return [text[:1].upper() + text[1:] for text in (*found, *notices)]


def epsilon_sentence(places: PlaceChoices) -> str:
    """How the level and the radius make an epsilon per metre.

    Examples
    --------
    >>> epsilon_sentence(PlaceChoices(level=2.0, radius_m=500))
    'ε = 2 / 500 m = 0.004 per metre'
    """
    return f"ε = {places.level:g} / {places.radius_m:g} m = {places.epsilon_per_m:.3g} per metre"


def status(outcome: Outcome) -> str:
    """The state of the background work in one line; "" if there is nothing to say."""
    solving, charts = outcome.solving, outcome.charts
    if solving.state == "cancelled":
        return "Cancelled: the last mechanism stays." if outcome.present else "Cancelled before there was a mechanism."
    if solving.state == "failed":
        return f"Solving ended: {solving.reason}"
    if solving.state == "solving":
        name = SUBJECTS[solving.mechanism]
        far = "" if math.isnan(solving.excess) else f", {above_the_best(solving.excess, solving.mechanism)}"
        notice = f". {solving.notice}" if solving.notice else ""
        return f"Solving {name}{far}, {solving.seconds:.1f} s{notice}"
    if charts.begun and not charts.finished:
        return f"Computing the charts, {percent(charts.share)}"
    if charts.reason:
        return f"The charts lack {count(len(charts.without), 'point')}: {charts.reason}"
    return ""


def tell(outcome: Outcome, names: Sequence[str]) -> str:
    """The map in words, for people who cannot see it."""
    shown = outcome.shown
    chosen, mechanism = names[shown.selected], SUBJECTS[outcome.places.mechanism]
    if shown.meaning == "never":
        made = int((outcome.present.reports > 0).sum()) if outcome.present is not None else 0
        return (
            f"The report {chosen} is never made by {mechanism}, so there is nothing to believe or guess after it. Of the "
            f"{len(outcome.area)} cells, {made} are reported."
        )
    if shown.meaning in ERRORS:
        return _errors(outcome, names)
    order = (-shown.values).argsort(kind="stable")[:5]
    list_ = ", ".join(f"{names[i]} {percent(float(shown.values[i]))}" for i in order if shown.values[i] > 0)
    if shown.meaning == "prior":
        return f"The prior: how likely each cell is. Most likely: {list_}."
    if shown.meaning == "reports":
        return f"From the true place {chosen} (prior {percent(shown.likely)}), {mechanism} reports most often: {list_}."
    return (
        f"After the report {chosen} (its chance: {percent(shown.likely)}) by {mechanism}, the adversary believes in "
        f"{list_}, and guesses {names[shown.guess]}."
    )


def _errors(outcome: Outcome, names: Sequence[str]) -> str:
    """The map of errors in words: the cells with the largest ones, and the average."""
    shown, present = outcome.shown, outcome.present
    assert present is not None  # else the map shows the prior
    order = (-shown.values).argsort(kind="stable")[:5]
    most = ", ".join(f"{names[i]} {length(float(shown.values[i]))}" for i in order)
    reader = shown.meaning == "reader"
    what, mean = ("the report", present.loss_m) if reader else ("the attacker's best guess", present.error_m)
    how = measured(outcome.places.quality_by if reader else outcome.places.error_by)
    return (
        f"How far off {what} is{how} with {SUBJECTS[outcome.places.mechanism]}, for each true cell. Most for {most}; "
        f"{length(mean)} on average."
    )
