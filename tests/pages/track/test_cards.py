"""Which scheme is proposed beside the present one."""

from __future__ import annotations

import pytest

from lmdk_widgets.answers.promises import Promised
from lmdk_widgets.answers.usefulness import useful_steps
from lmdk_widgets.pages.track import cards
from lmdk_widgets.scenario.evaluation import evaluate
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.sweep.rows import SLACK, compared_schemes
from lmdk_widgets.trajectory.samples import sample_data
from lmdk_widgets.verdict.judged_answers import with_worth

BOB = (0, 2, 4, 7)


def useful(scheme: str) -> Outcome:
    """A release of Bob's day, with what it is worth to a reader."""
    outcome = evaluate(Scenario(track="bob", landmarks=BOB, scheme=scheme), sample_data("bob"))
    *_, worth = useful_steps(outcome)
    assert worth is not None
    return with_worth(outcome, worth)


@pytest.mark.long
@pytest.mark.each_case
@pytest.mark.parametrize("scheme", ["event", "uniform", "user"])
def test_no_scheme_is_proposed_that_promises_less_about_the_landmarks(monkeypatch, scheme):
    monkeypatch.setattr(cards, "found_shift", lambda before, after: None)  # which would drop most of them too
    outcome = useful(scheme)
    most = Promised(outcome).together_loss * (1 + SLACK)
    proposed = [found for name in compared_schemes(outcome.scenario) if (found := cards._other(outcome, name))]
    less = [evaluate(other.scenario, outcome.trajectory) for other in proposed]
    assert all(other.together <= most for other in proposed)
    assert all(Promised(other).together_loss <= most for other in less)
