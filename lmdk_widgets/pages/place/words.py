"""An outcome in plain sentences: what the settings mean, what is certified and against whom, and what it rests on."""

from __future__ import annotations

import math

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
    whole,
)
from lmdk_widgets.page.answers import NO_PROMISE, WAITS, Answer, guesses, promised, up_to
from lmdk_widgets.page.blocks import Notes
from lmdk_widgets.page.every_prior import every_prior_sentence
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.pages.place.any_report import any_report_sentence
from lmdk_widgets.pages.place.model import DISTANCES, OTHERS, PRIORS, PlaceChoices
from lmdk_widgets.pages.place.outcome import SLACK, Outcome

UNCOVERED = "The mechanism, made from the track, is not covered."
"""Where the cells or the prior come from the track."""

SUBJECTS = {
    "optimal": "the optimal mechanism",
    "spanner": "the spanner's mechanism",
    "planar": "planar Laplace",
    "remapped": "remapped planar Laplace",
    "private": "OptPriv",
}


def length(value: float) -> Written:
    """A length with three digits, as mechanisms may differ by less than a hundred metres.

    Examples
    --------
    >>> length(168.2), length(1172.0), length(23456.0)
    ('168 m', '1.17 km', '23.5 km')
    """
    return metres(value) if value < 999.5 or value >= 99_950 else Written(f"{value / 1000:.3g} km", value)


def _off(value: float) -> Written:
    """A length to follow "off by"."""
    return Written(length(value).replace("below", "less than"), value)


def measured(by: str) -> str:
    """How a distance is measured, to follow it; "" for a straight line."""
    ways = {"manhattan": " along streets", "squared": " in squares over the radius", "matrix": " by your distances"}
    return ways.get(by, "")


def describe(outcome: Outcome) -> Notes:
    """What an outcome means, in sentences."""
    losses = " ".join(filter(None, (_loss_sentence(outcome), any_report_sentence(outcome))))
    hits = " ".join(filter(None, (_hits(outcome), _for_every_prior(outcome))))
    groups = (_privacy_sentence(outcome), losses, hits)
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
    more: str = "."
    if stale(outcome, present):
        level = amount(present.channel.requested_epsilon * outcome.places.radius_m)
        more = sentence(", for level {shown_level}: the new one is not solved.", shown_level=level)
    return Answer(
        "Useful",
        length(present.loss_m),
        sentence("The report is off by this on average{by}{more}", by=measured(outcome.places.quality_by), more=more),
        short="off, for the report",
    )


def _found(outcome: Outcome) -> Answer:
    present, blind = outcome.present, length(outcome.instance.blind_m)
    if present is None:
        return Answer(
            "Found", WAITS, sentence("Without a report an attacker is off by {blind}.", blind=blind), short="not solved"
        )
    how = measured(outcome.places.error_by)
    line = sentence(
        "An attacker who knows each cell's chance (the prior) errs by this{by}; without a report, by {blind}.",
        by=how,
        blind=blind,
    )
    return Answer("Found", length(present.error_m), line, short="off, for an attacker")


def _promised(outcome: Outcome) -> Answer:
    """The promise about two equally likely places, and beside it what this prior makes of two near places."""
    present = outcome.present
    apart = sentence(
        "{radius} apart{by}", radius=metres(outcome.places.radius_m), by=measured(outcome.places.privacy_by)
    )
    if present is None:
        return Answer("Promised", WAITS, _unsolved(outcome), short="not solved")
    value, look = promised(guesses(present.channel.epsilon * outcome.places.radius_m))
    if value == NO_PROMISE:
        line = sentence(
            "The report may distinguish two places {apart}.{uncovered}", apart=apart, uncovered=_of_the_maker(outcome)
        )
        return Answer("Promised", value, line, look, sentence("about places {apart}", apart=apart))
    line = sentence(
        "guesses, at most, are right between two equally likely places {apart}, after one report; 50 is "
        "chance.{by_the_prior}{uncovered}",
        apart=apart,
        by_the_prior=_by_the_prior(outcome, present),
        uncovered=_of_the_maker(outcome),
    )
    return Answer("Promised", value, line, look, short="right at most if equally likely; 50 is chance")


def _by_the_prior(outcome: Outcome, present: Assessment) -> str:
    """How many guesses between two near places are right under this prior, after a report and without one."""
    easiest = present.easiest(outcome.places.radius_m)
    if easiest is None:
        return ""
    far = outcome.places.radius_m * (1 + SLACK) < easiest.far_m
    where = sentence(" at {far}", far=metres(easiest.far_m)) if far else ""
    alone = up_to(easiest.alone, "")
    return sentence(
        " By the prior{where}, {right_after} are; {right_alone} without a report.",
        where=where,
        right_after=up_to(easiest.after),
        right_alone=alone,
    )


def _of_the_maker(outcome: Outcome) -> str:
    """What no promise covers: a mechanism that is itself made from the track."""
    return f" {UNCOVERED}" if from_the_track(outcome.places) else ""


def from_the_track(places: PlaceChoices) -> bool:
    """Whether the mechanism itself is made from the track: its cells, their likelihoods, or a proposed region."""
    return places.area == "track" or places.prior in ("time", "counts")


def _privacy_sentence(outcome: Outcome) -> str:
    """What the report of the mechanism shown may change, rather than that of the one that was asked for."""
    places, present = outcome.places, outcome.present
    n = len(outcome.area)
    cells = Written(count(n, "cell").capitalize(), n)
    asked = sentence(
        "{n_cells} of {cell_size}, privacy level {level} within {radius}",
        n_cells=cells,
        cell_size=metres(outcome.area.cell_m),
        level=amount(places.level),
        radius=metres(places.radius_m),
    )
    if present is None:
        return sentence("{asked}: there is no mechanism yet, so nothing is known about its report.", asked=asked)
    if places.mechanism == "private":
        of_whom = " for the other mechanisms; OptPriv is asked for none."
    elif stale(outcome, present):
        of_whom = " is asked for; the mechanism shown has another level."
    else:
        of_whom = "."
    level = present.channel.epsilon * places.radius_m
    odds = sentence(
        "the odds of two places {radius} apart{by}", radius=metres(places.radius_m), by=measured(places.privacy_by)
    )
    told = change("Anyone who sees the report, whatever they knew before,", odds, level)
    twice = ""
    if factor_is_told(level):
        twice = sentence(
            "; at twice the distance, by at most {most_odds_factor} × {most_odds_factor}",
            most_odds_factor=factor(level),
        )
    return sentence("{asked}{of_whom} {told}{twice}.", asked=asked, of_whom=of_whom, told=told, twice=twice)


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
        first, laplace = subject[:1].upper() + subject[1:], ""
        if plain is not None:
            laplace = sentence(
                " Planar Laplace's report is off by {planar_loss} on average.", planar_loss=_off(plain.loss_m)
            )
        return sentence("{subject_first} {why}.{laplace}", subject_first=first, why=why, laplace=laplace)
    off = sentence("With {subject}, the report is off by {loss} on average", subject=subject, loss=_off(present.loss_m))
    if stale(outcome, present):
        level = amount(present.channel.requested_epsilon * outcome.places.radius_m)
        what = "the one asked for is not solved" + (" yet" if outcome.solving.state == "solving" else "")
        return sentence(
            "{off}, but this is the mechanism for level {shown_level}: {what}.", off=off, shown_level=level, what=what
        )
    compared = share = ""
    if mechanism != "planar" and plain is not None and plain.loss_m > 0:
        saved = 1 - present.loss_m / plain.loss_m
        if abs(saved) > 0.0005:
            share = sentence(
                ": {subject} {saves} {saved_share} of that",
                subject=subject,
                saves="saves" if saved > 0 else "adds",
                saved_share=percent(abs(saved)),
            )
        compared = sentence(
            "; with planar Laplace, by {planar_loss}{share}", planar_loss=_off(plain.loss_m), share=share
        )
    return sentence("{off}{so_far}{compared}.", off=off, so_far=so_far(outcome), compared=compared)


def provisional(outcome: Outcome, mechanism: str) -> bool:
    """Whether what is known of a mechanism is an incumbent that may still lose less."""
    assessed = outcome.assessed.get(mechanism)
    return assessed is not None and mechanism in LEAST and assessed.channel.gap > TOLERANCE


def allowed_loss(outcome: Outcome) -> str:
    """The quality loss q that OptPriv was allowed, in metres if the optimal mechanism's is known."""
    places, best = outcome.places, outcome.assessed.get("optimal")
    share = (
        ""
        if places.loss_percent == 100
        else sentence("{allowed_share} of ", allowed_share=_percent(places.loss_percent))
    )
    if best is None or stale(outcome, best):
        return sentence("{share}the optimal mechanism's loss", share=share)
    return sentence(
        "{allowed_loss}, {share}the optimal mechanism's loss",
        allowed_loss=length(places.loss_percent / 100 * best.loss_m),
        share=share or "as much as ",
    )


def _percent(of_100: float) -> Written:
    """A share that was chosen in per cent, as it was chosen."""
    return Written(f"{of_100:g} %", of_100 / 100)


def so_far(outcome: Outcome) -> str:
    """How far the loss shown may be from the least one, to follow it; "" if it is the least."""
    if outcome.present is None or not provisional(outcome, outcome.places.mechanism):
        return ""
    far = above_the_best(excess(outcome.present.channel), outcome.places.mechanism)
    return sentence(" so far ({above})", above=far) if outcome.solving.state else sentence(" ({above})", above=far)


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
        return sentence("how close to the best{among} is not known yet", among=among)
    if share <= 1e-9:
        return sentence("the best{among}", among=among)
    return sentence(
        "at most {most_above_best} above the best{among}", most_above_best=bound_percent(share), among=among
    )


def _hits(outcome: Outcome) -> str:
    """The chance of an exact guess, compared with planar Laplace's."""
    present = outcome.present
    if present is None or stale(outcome, present):
        return ""
    instance, plain = outcome.instance, outcome.assessed.get("planar")
    blind = chance(instance.blind_hit)
    compared = easier = ""
    if outcome.places.mechanism != "planar" and plain is not None and not stale(outcome, plain):
        if present.loss_m < plain.loss_m * (1 - 1e-6) and present.hit > plain.hit * (1 + 1e-6):
            easier = ": the mechanism with less loss is easier to guess exactly"
        compared = sentence("; with planar Laplace, {planar_hit}{easier}", planar_hit=chance(plain.hit), easier=easier)
    return sentence(
        "The chance that the guess is exactly right is {hit}; without any report, {blind_hit}{compared}.",
        hit=chance(present.hit),
        blind_hit=blind,
        compared=compared,
    )


def _for_every_prior(outcome: Outcome) -> str:
    """What the report tells an attacker whose prior may be any."""
    present = outcome.present
    if present is None or stale(outcome, present):
        return ""
    return every_prior_sentence(present.capacity, present.security, shown="the report", guess="of the cell")


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
    counted = centre = ""
    if outcome.checkins is not None:
        inside, all_ = outcome.checkins
        rest = "." if inside == all_ else "; the others are ignored."
        counted = sentence(
            " {inside} of {n_checkins} check-ins lie in the grid{rest}",
            inside=whole(inside),
            n_checkins=whole(all_),
            rest=rest,
        )
    if outcome.places.around and outcome.places.area == "grid":
        centre = " The centre of the grid comes from the check-ins; no link contains it."
    return sentence(
        "The prior is “{prior}”, the second prior “{other}”.{counted}{centre} Places are the centres of cells, "
        "{distances}. All this is about one report: the ε of several reports add up. The mechanism itself is "
        "public.",
        prior=prior,
        other=other,
        counted=counted,
        centre=centre,
        distances=_distances(outcome),
    )


def _distances(outcome: Outcome) -> str:
    """How far apart two places are, to continue a sentence."""
    places = outcome.places
    names = places.privacy_by, places.quality_by, places.error_by
    if set(names) == {"straight"}:
        return "and distances are straight lines between them"
    said = [DISTANCES[name].split(":")[0].lower() for name in names]
    unit = ""
    if places.by_matrix:
        unit = sentence(
            "; one unit of your distances counts as {unit_length}", unit_length=_metres_chosen(places.unit_m)
        )
    privacy, report, guess = said
    return sentence(
        "and distances are “{privacy}” for privacy, “{report}” for the report, “{guess}” for the guess{unit}",
        privacy=privacy,
        report=report,
        guess=guess,
        unit=unit,
    )


def _metres_chosen(value: float) -> Written:
    """A length as it was chosen."""
    return Written(f"{value:g} m", value)


def _warnings(outcome: Outcome) -> list[str]:
    found: list[str] = []
    places = outcome.places
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
        some, have = Written(count(empty, "cell").capitalize(), empty), "has" if empty == 1 else "have"
        found.append(
            sentence(
                "{empty_cells} {have} probability 0: the factor holds there too, but the loss there does not count.",
                empty_cells=some,
                have=have,
            )
        )
    notices = outcome.present.channel.notices if outcome.present is not None else ()
    return [large(text) for text in (*found, *notices)]


def large(text: str) -> str:
    """A text with a large first letter: it begins a sentence."""
    return text if text[:1].isupper() else text[:1].upper() + text[1:]


def epsilon_sentence(places: PlaceChoices) -> str:
    """How the level and the radius make an epsilon per metre.

    Examples
    --------
    >>> epsilon_sentence(PlaceChoices(level=2.0, radius_m=500))
    'ε = 2 / 500 m = 0.004 per metre'
    """
    level = Written(f"{places.level:g}", places.level)
    epsilon = Written(f"{places.epsilon_per_m:.3g}", places.epsilon_per_m)
    return sentence(
        "ε = {level} / {radius} = {epsilon_per_m} per metre",
        level=level,
        radius=_metres_chosen(places.radius_m),
        epsilon_per_m=epsilon,
    )


def status(outcome: Outcome) -> str:
    """The state of the background work in one line; "" if there is nothing to say."""
    solving, charts = outcome.solving, outcome.charts
    if solving.state == "cancelled":
        return "Cancelled: the last mechanism stays." if outcome.present else "Cancelled before there was a mechanism."
    if solving.state == "failed":
        return f"Solving ended: {solving.reason}"
    if solving.state == "solving":
        name = SUBJECTS[solving.mechanism]
        far = (
            ""
            if math.isnan(solving.excess)
            else sentence(", {above}", above=above_the_best(solving.excess, solving.mechanism))
        )
        notice = sentence(". {notice}", notice=solving.notice) if solving.notice else ""
        seconds = Written(f"{solving.seconds:.1f}", solving.seconds)
        return sentence(
            "Solving {solving}{far}, {seconds} s{notice}", solving=name, far=far, seconds=seconds, notice=notice
        )
    if charts.begun and not charts.finished:
        return sentence("Computing the charts, {charts_share}", charts_share=percent(charts.share))
    if charts.reason:
        return sentence(
            "The charts lack {points_missing}: {reason}",
            points_missing=count(len(charts.without), "point"),
            reason=charts.reason,
        )
    return ""
