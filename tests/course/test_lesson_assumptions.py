"""What lessons and documents say a number assumes: the matrix and the start of a loss, what a scheme is best among."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from lmdk_widgets.budgets import FIXED_SCHEMES, allocate
from lmdk_widgets.course import correlation, noise, question, states
from lmdk_widgets.course.ask import Choose, Number
from lmdk_widgets.geo import Floats
from lmdk_widgets.leakage import LossFunction, best_plan, plan_budgets, temporal_loss
from lmdk_widgets.leakage.markov import NAMED_SMOOTHING, smoothed_identity
from lmdk_widgets.noise import PlanarLaplace
from lmdk_widgets.page.amounts import amount, metres
from lmdk_widgets.pages.place import PlaceChoices
from lmdk_widgets.pages.place.evaluate import evaluate as evaluate_places
from lmdk_widgets.pages.place.words import describe as describe_places
from lmdk_widgets.pages.track.words import describe
from lmdk_widgets.scenario import Scenario, evaluate
from lmdk_widgets.scenario.evaluation import drawn_errors
from lmdk_widgets.scenario.model import SCHEMES
from lmdk_widgets.trajectory import sample

ROOT = Path(__file__).parents[2]
ONE_WAY = np.array([[0.8, 0.2], [0.0, 1.0]])


def lesson(name: str) -> str:
    """The text of a notebook in one line, without its code."""
    cells = json.loads((ROOT / "notebooks" / f"{name}.ipynb").read_text("utf-8"))["cells"]
    return " ".join(" ".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown").split())


def stepped(row_a: Floats, row_b: Floats, loss: float) -> float:
    """What is left of a loss between two rows of two states, over both sets of one state."""
    pairs = [(row_a[k], row_b[k]) for k in range(2)]
    return max(math.log((1 + q * math.expm1(loss)) / (1 + d * math.expm1(loss))) for q, d in pairs)


def largest_total(start: tuple[float, float], epsilon: float, n: int) -> float:
    """The largest total loss of a two-state chain, by Bayes' rule and the recursion written out."""
    present = np.array(start)
    backward = [epsilon]
    for _ in range(n - 1):
        after = present @ ONE_WAY
        past = (present[:, None] * ONE_WAY / after).T  # row: the place now; column: the place before
        backward.append(epsilon + max(stepped(past[0], past[1], backward[-1]), stepped(past[1], past[0], backward[-1])))
        present = after
    forward = [epsilon]
    for _ in range(n - 1):
        forward.append(epsilon + max(stepped(*ONE_WAY, forward[-1]), stepped(*ONE_WAY[::-1], forward[-1])))
    return max(b + f - epsilon for b, f in zip(backward, reversed(forward), strict=True))


def test_a_loss_names_its_matrix_and_its_start() -> None:
    both = temporal_loss(ONE_WAY, ONE_WAY, [0.1] * 10).total.max()
    uniform = largest_total((0.5, 0.5), 0.1, 10)
    assert both == pytest.approx(0.6368412821) and uniform == pytest.approx(0.8585035013)
    text, guide = lesson("correlation"), " ".join((ROOT / "docs" / "teaching.md").read_text("utf-8").split())
    assert "All this bounds what an attacker can learn who knows the matrix" not in text
    assert f"is {uniform:.4f}, not {both:.4f}." in text and f"lose up to {uniform:.4f}." in text
    assert text.count("backward matrix") >= 2 and "which matrix, which start" in text
    assert f"in both directions, ten releases lose up to {amount(both)} about one timestamp. If A gives" in guide
    assert f"equally likely at the start, they lose up to {amount(uniform)}." in guide


def test_user_level_bounds_a_loss_only_within_the_radius() -> None:
    guide = " ".join((ROOT / "docs" / "teaching.md").read_text("utf-8").split())
    (row,) = re.findall(r"\| \*Correlation breaks user level too\.\* \|.*?\|", guide)
    assert "As long as all places lie within the protection radius of each other" in row


def test_caos_plan_is_not_said_to_waste_nothing() -> None:
    text = lesson("correlation")
    loss = LossFunction(smoothed_identity(5, NAMED_SMOOTHING["strong"]))
    plan, user = plan_budgets(loss, loss, 1.0, n=8), np.full(8, 1 / 8)
    assert temporal_loss(loss, loss, user).total.max() <= 1
    times = float((1 / plan).mean() / (1 / user).mean())
    assert f"is {(1 / plan).mean():.1f} with Cao's plan and 8 at user level: {times:.1f} times less" in text
    assert f"the budgets with the smallest mean, here {best_plan(loss, loss, 1.0, 8).mean_inverse:.1f};" in text
    assert "nothing is wasted" not in text and "Cao's plan" in text


def measured(scheme: str) -> float:
    """The mean error of Bob's day, over many draws, metres."""
    bob = sample("bob")
    return float(np.nanmean(drawn_errors(Scenario(scheme=scheme, landmarks=bob.landmarks), bob, 400)))


def test_weighted_errs_least_among_those_that_measure_every_timestamp_and_skip_errs_less() -> None:
    bob = sample("bob")
    planar = PlanarLaplace(radius_m=200.0)
    kept = [scheme for scheme in FIXED_SCHEMES if scheme not in ("event", "window")]  # those that keep the Theorem
    spent = {scheme: allocate(scheme, len(bob), bob.landmarks, 1.0) for scheme in kept}
    everywhere = {scheme: budgets for scheme, budgets in spent.items() if budgets.min() > 0}
    errors = {scheme: np.mean([planar.mean_displacement(b) for b in each]) for scheme, each in everywhere.items()}
    assert min(errors, key=errors.__getitem__) == "weighted" and set(kept) - set(everywhere) == {"skip"}
    skip, weighted = measured("skip"), float(errors["weighted"])
    assert measured("weighted") == pytest.approx(weighted, rel=0.05) and skip < 0.4 * weighted
    said = f"about {skip / 1000:.1f} km on Bob's day, against {metres(weighted)} for Weighted"
    assert said in lesson("moments") and "measure every timestamp. *Skip*" in lesson("moments")
    shown = describe(evaluate(Scenario(scheme="weighted", landmarks=bob.landmarks), bob)).paragraph
    document = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    for text in (shown, SCHEMES["weighted"], document, lesson("moments")):
        assert "measure every timestamp" in text, text
    assert "of all budgets that are fixed beforehand" not in document and "may err less" in document


def test_a_chain_that_is_counted_from_the_track_is_called_a_what_if(monkeypatch: pytest.MonkeyPatch) -> None:
    text = lesson("correlation")
    said = re.search(
        r"with ([\d.]+), as here, a release .*? loss of ([\d.]+), with 0\.1 of ([\d.]+), with 1 of ([\d.]+)\.", text
    )
    assert said and float(said[1]) == correlation.ESTIMATE_SMOOTHING
    for smoothing, loss in ((float(said[1]), said[2]), (0.1, said[3]), (1.0, said[4])):
        monkeypatch.setattr(correlation, "ESTIMATE_SMOOTHING", smoothing)
        correlation.by_interval.cache_clear()
        assert f"{correlation.by_interval()[1]['5 min']:.1f}" == loss
    correlation.by_interval.cache_clear()
    assert "a what-if, not a measurement" in text
    assert "a plan for a real release needs a chain from elsewhere" in text
    assert "a chain estimated from the secret data reveals something about them" in lesson("states")


def test_no_lesson_promises_a_bound_against_anybody_or_recommends_dummies_that_hide_nothing() -> None:
    assert "to anyone who knows how places follow each other" not in lesson("adversary")
    assert "to an attacker with a given matrix and a given start" in lesson("adversary")
    assert "the loss is computed from the adversary's own prior and moves" in lesson("adversary")
    assert "Dummy landmarks make such a guess less sure" not in lesson("followed")
    assert "so that nobody learns" not in lesson("moments")


def test_the_loss_that_the_explorer_of_a_lesson_shows_has_its_matrix_and_its_start() -> None:
    shown = evaluate(Scenario(correlation="estimated", cell_m=700.0, scheme="event", epsilon=0.1), sample("commuter"))
    assert "with its usual start" in describe(shown).paragraph
    assert "matrix is estimated from this very week" in lesson("adversary")
    assert "and who starts from its long-run distribution, as if any two cells were within" in lesson("adversary")


def test_a_belief_after_a_release_is_about_neighbours_and_not_about_any_secret() -> None:
    asked = str(question("noise/belief").text)
    assert "one of two neighbours" in asked and "You believe a secret" not in asked
    donald = noise.donald()
    assert donald.learned_both > donald.learned_own * 1.5, "people depend on each other"
    assert "gives two neighbours the odds a to b" in lesson("noise")


def test_a_choice_by_shares_tells_that_somebody_is_there() -> None:
    ask = question("noise/district")
    assert isinstance(ask, Number)
    assert ask.traps[-1].why.endswith("so the name tells for certain that someone is there.")


def test_a_mechanism_of_places_asks_for_a_prior_that_is_public() -> None:
    text = lesson("places")
    assert "A file has to be public, and about many people" in text and "from a public prior" in text
    warned = " ".join(describe_places(evaluate_places(PlaceChoices(area="track", cell_m=1000.0))).warnings)
    assert "come from the track itself" in warned and "The page warns then" in text
    ask = question("places/optpriv")
    assert isinstance(ask, Choose)
    why = ask.choices[ask.right()].why
    assert (why() if callable(why) else why).endswith("the optimal mechanism has ε = 1; OptPriv has no bound.")


def test_quilts_name_the_start_of_their_chains() -> None:
    assert states.CHAIN.is_stationary
    for name in ("states/influence", "states/baselines"):
        assert re.search(r"starts? in (its|their) long run", str(question(name).text)), name
    text = lesson("states")
    assert "It starts in its long run: with the chances that its states have after very many moves." in text
    assert "every* binary chain that starts in its long run" in text
    assert "of Markov quilt releases from the same series, for the same Θ, add up" in text


def test_streams_promise_against_a_finder_and_name_the_radius() -> None:
    text = lesson("streams")
    assert "no promise against an attacker who finds all releases" in text and "promises everything" not in text
    assert "ε is for two places within the protection radius" in text
