"""What the place page says is true of the mechanism that is shown, and rounded so that it stays true."""

import math
import re

import numpy as np
import pytest

from lmdk_widgets.geoind import Channel, adversary_error, bayes_vulnerability
from lmdk_widgets.geoind.mechanisms import excess
from lmdk_widgets.page.amounts import bound_digits
from lmdk_widgets.pages.place import PlaceChoices, Solvers, Solving, assess, evaluate
from lmdk_widgets.pages.place.certificate import certificate, guarantee
from lmdk_widgets.pages.place.words import above_the_best, describe, first_answers

NUMBER = r"([\d,]+(?:\.\d+)?)"


@pytest.fixture(scope="module")
def default():
    out = evaluate(PlaceChoices())
    assessed = {
        s.mechanism: s.assessed
        for s in Solvers().solve(out.instance, out.places)
        if s.finished and s.assessed is not None and s.mechanism != "private"
    }
    return out.with_results(assessed, Solving())


def _shown(out, **changes):
    return evaluate(out.places.with_changes(**changes)).with_results(out.assessed, out.solving)


def test_the_chance_of_an_exact_guess_on_the_default_page(default):
    hits = {name: default.assessed[name].hit for name in ("planar", "optimal")}
    assert default.instance.blind_hit == pytest.approx(0.098, abs=5e-4)
    assert hits == pytest.approx({"planar": 0.206, "optimal": 0.254}, abs=5e-4)
    text = describe(default).paragraph
    assert "exactly right is 25.4 %; without any report, 9.8 %; with planar Laplace, 20.6 %" in text
    assert "the mechanism with less loss is easier to guess exactly" in text
    assert dict(certificate(default).rows)["Chance that the guess is exactly right"] == "25.4 %"
    assert "easier" not in describe(_shown(default, mechanism="planar")).paragraph


def test_bayes_vulnerability_is_the_error_that_counts_misses():
    rng = np.random.default_rng(0)
    for _ in range(50):
        matrix, prior = rng.dirichlet(np.ones(5), 4), rng.dirichlet(np.ones(4))
        misses = adversary_error(matrix, prior, 1 - np.eye(4))
        assert bayes_vulnerability(matrix, prior) == pytest.approx(1 - misses)
        assert bayes_vulnerability(matrix, prior) >= prior.max() * (1 - 1e-12)


def test_optpriv_is_promised_nothing(default):
    bare = assess(Channel(np.eye(len(default.area)), 0.0, math.inf, 0.0, method="highs"), default.instance)
    out = _shown(default, mechanism="private").with_results({**default.assessed, "private": bare}, Solving())
    text = describe(out).paragraph
    assert "by a factor of at most" not in text
    assert "OptPriv is asked for none" in text and first_answers(out)[2].value == "no promise"


@pytest.mark.parametrize("blind", [True, False])
def test_optpriv_may_reveal_the_place_only_where_its_reports_can_tell_it(default, blind):
    n = len(default.area)
    matrix = np.eye(n)[np.zeros(n, int)] if blind else np.eye(n)
    channel = Channel(matrix, 0.0, 0.0 if blind else math.inf, 0.0, method="highs")
    there = {**default.assessed, "private": assess(channel, default.instance)}
    out = _shown(default, mechanism="private").with_results(there, Solving())
    assert ("may learn everything" in describe(out).paragraph) is not blind
    assert ("may learn the exact place" in guarantee(out)) is not blind


def test_a_mechanism_of_another_level_is_described_by_its_own(default):
    out = _shown(default, level=0.25)
    text = describe(out).paragraph
    assert "is asked for; the mechanism shown has another level." in text
    own = math.exp(default.assessed["optimal"].channel.epsilon * out.places.radius_m)
    said = float(re.search(rf"by a factor of at most {NUMBER}; at twice", text)[1])
    assert own * (1 - 1e-9) <= said <= own * 1.02


def test_a_gap_is_never_rounded_down_and_names_the_spanner_s_own_programme(default):
    rng = np.random.default_rng(1)
    for share in np.exp(rng.uniform(-12, 0, 500)):
        for mechanism in ("optimal", "spanner"):
            text = above_the_best(share, mechanism)
            said = float(re.search(rf"at most {NUMBER} %", text)[1]) / 100
            assert share * (1 - 1e-8) <= said <= share * 1.12
            assert text.endswith("with this spanner") == (mechanism == "spanner")
    spanner = _shown(default, mechanism="spanner")
    row = dict(certificate(spanner).rows)["Least possible loss"]
    assert row.endswith("with this spanner")
    if excess(spanner.present.channel) > 1e-9:
        assert (
            "above the best with this spanner" in describe(spanner).paragraph
            or "(at most" not in describe(spanner).paragraph
        )


@pytest.mark.parametrize("mechanism", ["optimal", "spanner", "planar", "remapped"])
def test_what_is_certified_is_rounded_up(default, mechanism):
    for radius in (137.0, 200.0, 1000.0):
        out = _shown(default, mechanism=mechanism, radius_m=radius)
        epsilon = out.present.channel.epsilon
        said = float(dict(certificate(out).rows)["ε certified"].split()[0])
        assert epsilon * radius * (1 - 2e-9) <= said <= epsilon * radius * (1 + 2e-5)
        said = float(re.search(r"certified ε is ([\d.e-]+) per metre", guarantee(out))[1])
        assert epsilon * (1 - 2e-9) <= said <= epsilon * 1.02
    rng = np.random.default_rng(2)
    for value in np.exp(rng.uniform(-40, 5, 500)):
        for digits in (1, 3, 6):
            assert value * (1 - 2e-9) <= float(bound_digits(value, digits)) <= value * (1 + 10.0 ** (1 - digits))
