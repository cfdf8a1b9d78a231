"""The verdict: its limits, its numbers beside those of the tiles, and proposals that keep what they say."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.answers import epsilon_for_found, lasting_places, promised, useful
from lmdk_widgets.answers.usefulness import RESULT
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.panel import Result
from lmdk_widgets.pages.track.compared_option import three_answers
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.scenario.model import SCHEMES
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory import Trajectory, sample_names
from lmdk_widgets.trajectory.samples import sample_data, series_names
from lmdk_widgets.verdict import Limits, proposal, verdict
from lmdk_widgets.verdict.judged_answers import Judged, with_worth
from lmdk_widgets.verdict.proposals import setting_words, worse
from lmdk_widgets.verdict.search import _ranked, rounded, searched, without
from lmdk_widgets.verdict.sentences import MEETS, MISSES, UNSET, Verdict

SAMPLES = [*sample_names(), *series_names()]


def outcome_of(name: str, **changes: Any) -> Outcome:
    data = sample_data(name)
    return evaluate(Scenario(track=name, landmarks=data.landmarks).with_changes(**changes), data)


@pytest.mark.parametrize(
    "wrong",
    [{"found_m": 0}, {"found_m": "far"}, {"useful_share": 0}, {"useful_share": 1.5}, {"guesses": 40}, {"guesses": 101}],
)
def test_a_limit_out_of_range_is_refused_in_a_sentence(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"The limit of .* must be"):
        Limits(**wrong)


def test_limits_are_frozen_and_an_empty_one_is_none() -> None:
    limits = Limits(found_m="", useful_share=None, guesses=None)
    assert limits.found_m is None and not limits.is_set and Limits().is_set
    with pytest.raises(AttributeError):
        limits.found_m = 3.0  # type: ignore[misc]
    kinds = Limits.kinds()
    for name, value in (("found_m", "radius"), ("found_m", None), ("found_m", 250.0), ("guesses", 60.0)):
        kind = kinds[name]
        assert kind.check(kind.from_text(kind.to_text(value))) == value


@pytest.mark.long
def test_the_commuter_by_hand() -> None:
    """Home's 1,044 reports spend 1/9 each: r sqrt(2) sqrt(2 ln 2) / B = 92.76 m; work's 539 give 129 m."""
    outcome = outcome_of("commuter")
    home, work = (math.sqrt(2) * 200 / (math.sqrt(n) / 9) * math.sqrt(2 * math.log(2)) for n in (1044, 539))
    assert round(home) == 93 and round(work) == 129
    found = verdict(outcome)
    assert found.meets is False and found.judged.missed == (True, False, False)
    assert found.judged.found_reach == pytest.approx(home / 200)
    assert [round(place.found_m) for place in found.judged.near] == [round(home), round(work)]
    assert found.sentence.startswith(
        f"{MISSES} Your home is found to within 93 m; you asked for no nearer than 200 m. "
    )
    assert found.reasons[0] == "Found: 93 m; your work to within 130 m; no nearer than 200 m is asked for."
    reader, nothing = useful(outcome).reader, useful(outcome).nothing
    assert found.judged.useful_reach == pytest.approx(0.5 * nothing / reader)
    # X falls as 1 / epsilon: the largest epsilon at 200 m, with three digits
    assert found.proposal is not None and found.proposal.epsilon == rounded(home / 200, up=False) == 0.463
    assert found.proposal.epsilon <= epsilon_for_found(outcome, 200.0) < found.proposal.epsilon + 0.001


@pytest.mark.long
def test_no_epsilon_helps_where_a_reader_must_be_nearer() -> None:
    """At 0.463 a reader is 1.46 km off: more than .3 of the 3.76 km without a release."""
    found = verdict(outcome_of("commuter"), Limits(useful_share=0.3))
    assert "No epsilon under Uniform keeps it farther and stays useful." in found.sentence
    assert found.search is not None and found.search.own is not None and not found.search.own.meets


def test_what_the_silences_of_home_give_away() -> None:
    """Home and work left out: their silences find home to about 400 m, as silences within 200 m do alone (398 m)."""
    outcome = outcome_of("commuter")
    left = evaluate(without(outcome.scenario, Judged(outcome, Limits()).near), outcome.trajectory)
    places = {place.name: place for place in lasting_places(left)}
    assert places["home"].by_silence and 340 < places["home"].found_m < 460
    alone = without(outcome.scenario, lasting_places(outcome)[:1])
    home = {place.name: place for place in lasting_places(evaluate(alone, outcome.trajectory))}["home"]
    assert home.found_m == pytest.approx(398, abs=25)


def test_leaving_out_takes_in_what_is_then_found() -> None:
    """Under Skip the other eight places have all of epsilon: they are left out too, and nothing is found nearer."""
    outcome = outcome_of("commuter")
    found = searched(Judged(outcome, Limits()))
    (leaving,) = [one for one in found.proposed if one.left_out]
    assert leaving.scenario.scheme == "skip" and leaving.meets and len(leaving.left_out) == 10
    marked = set(leaving.scenario.landmarks)
    assert marked == set(outcome.scenario.landmarks) | {
        int(i) for place in leaving.left_out for i in np.flatnonzero(place.members)
    }
    costs = " ".join(worse(leaving, Judged(outcome, Limits())))
    assert "1,860 of 2,016 timestamps have no report, and that silence shows when you are there" in costs
    assert "of 100 guesses about one moment 74 can be right, not 53" in costs


@pytest.mark.parametrize("name", SAMPLES)
def test_the_numbers_are_those_of_the_tiles(name: str) -> None:
    outcome = outcome_of(name)
    shown = with_worth(outcome, useful(outcome))
    reader, found, guesses = three_answers(shown)
    judged = Judged(shown, Limits(guesses=51))
    assert judged.found is not None and judged.found.value() == found.value
    said = " ".join(Verdict(judged).reasons)
    assert found.value in said and reader.value in said
    assert guesses.value.partition(" ")[0] in said, "the guesses are rounded up as on the tile"


@pytest.mark.long
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", ["bob", "household", "contacts"])
def test_every_scheme_is_judged_by_its_answers(name: str, scheme: str) -> None:
    """Recomputed from the answers for programs, without the verdict's own arithmetic."""
    outcome = outcome_of(name, scheme=scheme)
    limits = Limits(guesses=60)
    judged = Judged(outcome, limits)
    worth, most = useful(outcome), promised(outcome)
    near = _is_near(judged)
    reads = worth.reader > 0.5 * worth.nothing * (1 + 1e-9)
    known = most.guesses > 60 * (1 + 1e-9)
    assert judged.missed == (near, reads, known)
    assert judged.meets is not (near or reads or known)


def _is_near(judged: Judged) -> bool:
    found, scenario = judged.found, judged.outcome.scenario
    assert found is not None
    if not found.is_found:
        return False
    if judged.outcome.kind.counts_wrong:
        return bool(found.right > 0.72)
    return bool(found.within() < (scenario.radius_m if judged.outcome.kind.placed else scenario.level_width))


@pytest.mark.parametrize("scheme", ["event", "user", "window", "skip", "adaptive", "budget-absorption"])
def test_every_scheme_of_the_commuter_is_judged_by_its_places(scheme: str) -> None:
    outcome = outcome_of("commuter", scheme=scheme)
    judged = Judged(outcome, Limits(useful_share=None))
    nearest = min(place.found_m for place in lasting_places(outcome))
    assert judged.found_limit == 200 and judged.meets is (nearest >= 200 or nearest > judged.found.most_m)  # type: ignore[union-attr]


@pytest.mark.parametrize("adversary", [{"correlation": "none"}, {"correlation": "strong"}, {"adversary": "past"}])
def test_a_chain_changes_no_verdict(adversary: dict[str, Any]) -> None:
    """Found, useful and one moment hold whatever the chain; the reader's chain is its own."""
    assert verdict(outcome_of("bob", **adversary)).sentence == verdict(outcome_of("bob")).sentence


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "limits"),
    [
        ("commuter", Limits()),
        ("commuter", Limits(found_m=150.0, guesses=60)),
        ("commuter", Limits(useful_share=0.2)),
        ("household", Limits()),
        ("household", Limits(found_m=None)),
        ("contacts", Limits()),
        ("contacts", Limits(found_m=90.0, useful_share=None)),
        ("bob", Limits(useful_share=0.3)),
        ("bob", Limits(found_m=3000.0)),
    ],
)
def test_a_proposal_meets_the_limits_or_says_by_how_much_it_does_not(name: str, limits: Limits) -> None:
    """Evaluated anew, as the page does when it is taken."""
    outcome = outcome_of(name)
    found = verdict(outcome, limits)
    assert found.meets is False and found.search is not None
    for one in found.search.proposed:
        again = Judged(evaluate(one.scenario, outcome.trajectory), limits)
        assert again.meets is one.meets and again.reaches == pytest.approx(one.judged.reaches, rel=1e-6)
        (full,) = [reason for reason in found.reasons if reason.startswith(_subject(one, found.judged))]
        assert ("meets them" in full) is one.meets and ("Even so, " in full) is not one.meets
        if not one.meets:
            assert again.shortfall > found.judged.shortfall / 0.9 * (1 - 1e-9), "noticeably nearer than now"
    assert proposal(outcome, limits) == (found.search.proposed[0].scenario if found.search.proposed else None)


def test_where_something_meets_the_limits_nothing_else_is_proposed() -> None:
    """Not even what serves a reader better."""
    now = Judged(outcome_of("commuter"), Limits())
    meets = searched(now).own
    assert meets is not None and meets.meets
    useful_only = replace(meets, judged=now)
    assert useful_only.reader < 0.9 * meets.reader and not useful_only.meets
    assert _ranked([useful_only, meets], None, now) == (meets,)


def _subject(one: Any, now: Judged) -> str:
    said = setting_words(one, now, doing=True)
    return said[0].upper() + said[1:]


def test_a_higher_epsilon_is_the_smallest_that_is_useful_enough() -> None:
    outcome = outcome_of("household")
    found = verdict(outcome, Limits(found_m=None))
    best = found.proposal
    assert best is not None and best.scheme == "uniform" and best.epsilon > 1

    def reach(epsilon: float) -> float:
        return Judged(
            evaluate(outcome.scenario.with_changes(epsilon=epsilon), outcome.trajectory), found.judged.limits
        ).useful_reach

    assert reach(best.epsilon) >= 1 > reach(best.epsilon * 0.9)
    assert "guesses about one moment" in " ".join(found.reasons), "and it says that more can be guessed"


def test_guesses_are_kept_by_their_own_epsilon() -> None:
    """One moment of Bob spends 1/5: at most 100 / (1 + e^-.2) = 54.98 guesses; 53 need ln(53/47) = .1201, epsilon .6007."""
    found = verdict(outcome_of("bob"), Limits(useful_share=None, guesses=53))
    assert found.meets is False and found.proposal is not None
    assert found.proposal.epsilon == rounded(5 * math.log(53 / 47), up=False) == 0.6
    assert "Of 100 guesses about one moment, 55 can be right; you asked for at most 53." in found.sentence


def test_answers_are_judged_by_guesses_of_100() -> None:
    """72 of 100 is what a place found at one radius gives: Phi(1.6651 / (2 sqrt 2))."""
    assert round(100 * NormalDist().cdf(math.sqrt(2) * math.sqrt(2 * math.log(2)) / (2 * math.sqrt(2)))) == 72
    judged = Judged(outcome_of("contacts"), Limits())
    assert judged.found_limit == 72 and judged.missed[0]


@pytest.mark.long
def test_nothing_is_decided_without_limits_or_answers() -> None:
    none = Limits(found_m=None, useful_share=None)
    found = verdict(outcome_of("bob"), none)
    assert found.meets is None and found.sentence == UNSET and found.reasons == () and found.proposal is None
    cells = outcome_of("bob", mechanism="optimal", place_m=4000.0)
    found = verdict(cells, Limits(useful_share=None))
    assert found.meets is None and found.lead == "Not decided." and "reports of cells" in found.sentence
    assert verdict(cells, Limits(useful_share=1e-3)).meets is False, "a limit that is missed decides"


def test_a_page_that_still_computes_decides_nothing() -> None:
    outcome = outcome_of("bob").improved(results={RESULT: Result(None)})
    judged = Judged(outcome, Limits())
    assert judged.meets is None and judged.unknown == (False, True, False)
    near = outcome_of("bob", epsilon=9.0, scheme="event").improved(results={RESULT: Result(None)})
    assert Judged(near, Limits()).meets is False, "one that is missed is enough"


def test_one_near_report_counts_where_no_place_lasts() -> None:
    found = verdict(outcome_of("bob", scheme="event", epsilon=2.0), Limits(useful_share=None))
    assert (
        found.meets is False
        and "Each report is found to within 170 m; you asked for no nearer than 200 m." in found.sentence
    )


@pytest.mark.long
def test_what_meets_says_against_what_and_never_that_it_is_safe() -> None:
    for name in ("bob", "commuter", "heart"):
        for limits in (Limits(), Limits(found_m=10.0, useful_share=1.0)):
            found = verdict(outcome_of(name), limits)
            said = " ".join([found.sentence, *found.reasons]).lower()
            assert "safe" not in said and "anonymous" not in said
            assert (found.meets is True) is found.sentence.startswith(MEETS)


@pytest.mark.long
def test_a_setting_that_makes_nothing_worse_says_so() -> None:
    """Bob's limit of .3: under a scheme whose landmarks spend less than allowed, another one is more useful."""
    outcome = outcome_of("bob", scheme="user")
    found = verdict(outcome, Limits(useful_share=0.6, found_m=None))
    assert found.search is not None and found.search.proposed
    for one in found.search.proposed:
        costs = worse(one, found.judged)
        assert ("nothing gets worse" in " ".join(found.reasons)) is (not costs)


def test_epsilons_are_rounded_to_three_digits_on_the_asked_side() -> None:
    rng = np.random.default_rng(3)
    for epsilon in 10 ** rng.uniform(-6, 5, 200):
        low, high = rounded(epsilon, up=False), rounded(epsilon, up=True)
        assert low <= epsilon * (1 + 1e-8) and high >= epsilon * (1 - 1e-8) and high / low < 1.0101
        assert float(f"{low:.3g}") == low and float(f"{high:.3g}") == high


def test_an_own_track_with_a_home_is_judged_whatever_its_length() -> None:
    k = np.arange(400)
    time = np.datetime64("2026-03-02T00:00", "ns") + k * np.timedelta64(900, "s")
    away = (k % 96 > 40)[:, None] * np.array([0.05, 0.03])
    track = Trajectory(48.85 + away[:, 0], 2.35 + away[:, 1], time, zone="Europe/Paris")
    outcome = evaluate(Scenario(track=""), track)
    found = verdict(outcome)
    nearest = min(place.found_m for place in lasting_places(outcome))
    assert found.meets is False and found.judged.found_reach == pytest.approx(nearest / 200)
