"""Every public function once, with exact values, as a script for an environment with the installed package alone.

It is run by `tests/test_installed.py`, so it uses nothing but the package and NumPy; pandas comes with the package.
"""

from __future__ import annotations

import importlib
import math
import sys
from pathlib import Path

import numpy as np

BOB = (0, 2, 4, 7)
HEAVY = ("plotly", "pandas", "highspy", "numba")
LEAKING = np.array([[0.8, 0.2], [0.0, 1.0]])
MIXING = np.array([[0.8, 0.2], [0.2, 0.8]])
CHAIN = [[0.9, 0.1], [0.4, 0.6]]


def close(found: object, expected: object, within: float = 1e-9) -> None:
    np.testing.assert_allclose(found, expected, rtol=0, atol=within)


def heavy_packages_wait() -> None:
    import lmdk_widgets
    import lmdk_widgets.scenario

    lmdk_widgets.Explorer()
    early = [name for name in HEAVY if name in sys.modules]
    assert not early, f"imported before they are needed: {early}"


def heavy_packages_are_here() -> None:
    for name in HEAVY:
        importlib.import_module(name)


def trajectory() -> None:
    from lmdk_widgets.errors import InputError
    from lmdk_widgets.trajectory import Trajectory, load_trajectory, sample, sample_names

    assert "bob" in sample_names() and len(sample_names()) >= 3
    bob = sample("bob")
    assert len(bob) == 8 and bob.landmarks == BOB
    back = Trajectory.from_frame(bob.to_frame())
    for field in ("time", "latitude", "longitude"):
        assert np.array_equal(getattr(back, field), getattr(bob, field))
    gpx = b'<gpx><trk><trkseg><trkpt lat="1" lon="2"><time>2026-01-26T10:00:00Z</time></trkpt></trkseg></trk></gpx>'
    geometry = b'{"type":"Point","coordinates":[2,1]}'
    geojson = b'{"type":"Feature","properties":{"time":"2026-01-26T10:00:00Z"},"geometry":' + geometry + b"}"
    geolife = b"Geolife trajectory\nWGS 84\nfeet\n3\n0\n0\n1,2,0,0,0,2026-01-26,10:00:00\n"
    csv = b"time,lon,lat\n2026-01-26T11:00+01:00,2,1\n"
    for data in (gpx, geojson, geolife, csv):
        track = load_trajectory(data)
        assert (track.latitude[0], track.longitude[0], track.time[0]) == (1, 2, np.datetime64("2026-01-26T10:00"))
    try:
        load_trajectory(b"time,lon,lat\n2026-01-26 11:00,2,1\n")
    except InputError as error:
        assert error.kind == "timezone"
    else:
        raise AssertionError("a time without a zone was guessed")


def budgets() -> None:
    from lmdk_widgets.budgets import Release, adaptive_budgets, allocate, landmark_totals, release, window_totals
    from lmdk_widgets.noise import Laplace

    close(allocate("event", 8, BOB, 1.0), [1.0] * 8)
    close(allocate("user", 8, BOB, 1.0), [1 / 8] * 8)
    close(allocate("window", 8, BOB, 1.0, window=4), [1 / 4] * 8)
    uniform = allocate("uniform", 8, BOB, 1.0)
    close(uniform, [0.2] * 8)
    close(landmark_totals(uniform, BOB), [0.8, 1.0, 0.8, 1.0, 0.8, 1.0, 1.0, 0.8])
    close(window_totals(uniform, 3), [0.2, 0.4] + [0.6] * 6)
    # r = 4 regular timestamps get sqrt(4) = 2 times the budget of a landmark
    weighted = allocate("weighted", 8, BOB, 1.0)
    close(landmark_totals(weighted, BOB).max(), 1.0)
    close(weighted[1::2][:2] / weighted[0], [2.0, 2.0])
    close(allocate("skip", 8, BOB, 1.0), [0, 1, 0, 1, 0, 1, 1, 0])
    close(adaptive_budgets(8, BOB, 1.0, [2, 4]), [0.2, 0.2, 0, 4 / 15, 0, 0.4, 0.4, 0.4])
    close(adaptive_budgets(8, BOB, 1.0, [0]), [0] + [0.25] * 7)
    far = 1e12 * np.arange(1, 9)
    out = release(far, "budget-distribution", [], 1.0, Laplace(), rng=np.random.default_rng(1), window=3)
    assert isinstance(out, Release) and out.published[:5].all() and len(out.outputs) == 8
    close((out.budgets - out.comparison_budget)[:5], [0.25, 0.125, 0.0625, 0.15625, 0.140625])


def noise() -> None:
    from lmdk_widgets.noise import (
        exponential_mechanism,
        laplace,
        planar_laplace,
        planar_laplace_radius,
        randomized_response,
        randomized_response_channel,
    )

    rng = np.random.default_rng(1)
    close(np.abs(laplace(np.zeros(200_000), 2.0, rng)).mean(), 2.0, 0.03)
    per_m = math.log(4) / 200
    moved = planar_laplace(np.zeros((200_000, 2)), per_m, rng)
    close(np.hypot(*moved.T).mean(), 288.539, 3)
    close(planar_laplace_radius([0.5, 0.95], 1.0), [1.6783469900, 4.7438645184])
    close(planar_laplace_radius(0.95, per_m), 684.395, 1e-3)
    close(exponential_mechanism([0, 1, 2], 1.0, 1.0), [0.1863237232, 0.3071958857, 0.5064803911])
    assert exponential_mechanism([0, 1, 2], 1.0, 1.0, rng) in (0, 1, 2)
    survey = randomized_response(np.arange(100_000) < 30_000, rng)
    close(survey.design.epsilon, math.log(3))
    close(survey.estimate, 0.3, 0.02)
    close(randomized_response_channel(5, math.log(3))[0], [3 / 7] + [1 / 7] * 4)


def leakage() -> None:
    from lmdk_widgets import leakage as l

    loss = l.LossFunction([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4], [0.5, 0.3, 0.2]])
    close(loss(np.array([0.0, 1.0, 2.0])), [0, 0.4943335145, 0.9397521224])
    close(l.LossFunction(LEAKING).supremum(0.1), 0.6459066161)
    assert l.LossFunction(LEAKING).supremum(math.log(1.25)) == math.inf
    ten = np.full(10, 0.1)
    grows = [0.1, 0.1807840339, 0.2471477411, 0.3023648491, 0.3487675061]
    grows += [0.3880737760, 0.4215839752, 0.4503042547, 0.4750275770, 0.4963885968]
    close(l.backward_loss(LEAKING, ten), grows)
    close(l.forward_loss(LEAKING, ten), grows[::-1])
    total = [0.4963885968, 0.5558116109, 0.5974519957, 0.6239488243, 0.6368412821]
    both = l.temporal_loss(LEAKING, LEAKING, ten)
    rarely = l.temporal_loss_at_delta(LEAKING, LEAKING, ten, 1e-3)
    assert (rarely.total < both.total - 0.05).all() and (rarely.total > 0).all()
    assert isinstance(both, l.TemporalLoss)
    close(both.total, total + total[::-1])
    landmark = l.landmark_loss(MIXING, MIXING, np.full(8, 0.2), BOB)
    known, near, beside = 1.6605889385, 1.6210999970, 1.7184668244
    close(landmark, [known, near, known, near, known, beside, beside, known])
    most = l.landmark_loss_bound(MIXING, np.full(8, 0.2), BOB)
    close(most[[0, 1, 5]], [1.4982087905, 1.5141046381, 1.5523124573])
    close(l.AnyStart(MIXING)(0.2), 4 * math.atanh(math.tanh(0.05) * math.tanh(math.log(16) / 4)))
    close(l.window_loss(LEAKING, LEAKING, ten, 1), both.total)
    close(l.window_loss(LEAKING, LEAKING, ten, 10)[-1], 1.0)
    close(l.plan_budgets(LEAKING, LEAKING, 1.0), 0.0876229029)
    sticky = [[0.8, 0.2], [0.2, 0.8]]
    close(l.effective_epsilon(sticky, sticky, [0.2] * 8, [0, 2, 4, 7], 1.0), 0.5815708987)
    planned = l.plan_budgets(LEAKING, LEAKING, 1.0, 10)
    close(planned[0], 0.5438114514)
    close(l.temporal_loss(LEAKING, LEAKING, planned).total, np.ones(10))
    close(l.reverse(CHAIN), CHAIN)
    close(l.reverse(LEAKING, [0.5, 0.5]), [[1, 0], [1 / 6, 5 / 6]])
    close(l.estimate_transitions([0, 0, 1, 0, 0], 2), [[2 / 3, 1 / 3], [1, 0]])


def inference() -> None:
    from lmdk_widgets import inference as i
    from lmdk_widgets.budgets import Release
    from lmdk_widgets.noise import PlanarLaplace

    chain, prior = [[0.8, 0.15, 0.05], [0.1, 0.8, 0.1], [0.05, 0.15, 0.8]], [2 / 7, 3 / 7, 2 / 7]
    cells, apart = [[0, 0], [1000, 0], [2000, 0]], 1000 * np.abs(np.subtract.outer(np.arange(3), np.arange(3)))
    outputs = np.array([[150, -80], [900, 300], [700, 100], [2300, -500]], float)
    released = Release(outputs, np.array([1, 0.2, 0.2, 1]), np.ones(4, bool), np.array([], int))
    likelihood = i.log_likelihoods(released, cells, PlanarLaplace(200.0))
    for transitions in (chain, i.Moves.from_matrix(chain)):
        found = i.track_posterior(prior, transitions, likelihood)
        assert isinstance(found, i.TrackPosterior)
        close(found.smoothed[1], [0.46476233163, 0.42335741443, 0.11188025394])
        close(found.alone[1], [0.21509695434, 0.60729187083, 0.17761117482])
        close(found.filtered[-1], found.smoothed[-1])
        close(found.predicted[0], found.smoothed[0])
        close(found.log_likelihood, -64.7135273221)
        assert i.likeliest_path(prior, transitions, likelihood).tolist() == [0, 1, 1, 2]
    close(i.error_at(found.smoothed, apart, [0, 0, 1, 2]).mean(), 342.2488, 5e-5)
    assert i.best_guesses(found.smoothed, apart).tolist() == [0, 1, 1, 2]


def geoind() -> None:
    from lmdk_widgets import geoind as g

    line, third = np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0))), np.full(3, 1 / 3)
    close(g.optimal_mechanism(line, third, math.log(2)).quality_loss, 5 / 9, 1e-6)
    points = np.array([(x, y) for y in range(3) for x in range(3)], float)
    apart = np.linalg.norm(points[:, None] - points, axis=2)
    ninth = np.full(9, 1 / 9)
    best = g.optimal_mechanism(apart, ninth, 1.0)
    assert isinstance(best, g.Channel)
    close(best.quality_loss, 0.8839396463, 2e-6)
    assert g.smallest_epsilon(best.matrix, apart) <= 1 + 1e-9 and best.epsilon <= 1 + 1e-9
    close(best.matrix.sum(axis=1), np.ones(9))
    close(g.quality_loss(best.matrix, ninth, apart), best.quality_loss)
    close(g.adversary_error(best.matrix, ninth, apart), best.quality_loss, 1e-6)
    graph = g.spanner(apart, 1.1)
    assert graph.edges.shape == (20, 2)
    close(graph.dilation, (1 + math.sqrt(2)) / math.sqrt(5))
    assert best.quality_loss < g.optimal_mechanism(apart, ninth, 1.0, dilation=1.1).quality_loss < 0.90781246 + 1e-6
    hidden = g.most_private_mechanism(line, third, 0.5)
    assert g.quality_loss(hidden.matrix, third, line) <= 0.5 + 1e-9
    close(g.adversary_error(hidden.matrix, third, line), 0.5, 1e-6)
    laplace = g.planar_laplace_channel(points, 1.0)
    close(laplace.matrix.sum(axis=1), np.ones(9))
    assert laplace.epsilon <= 1 + 1e-9
    coins = np.array([[0.75, 0.25], [0.25, 0.75]])
    close(g.posterior(coins, [0.5, 0.5]), coins)
    close(g.bayes_vulnerability(coins, [0.5, 0.5]), 0.75)
    close(g.bayes_capacity(coins), 1.5)
    close(g.bayes_security(coins), 0.5)
    close(g.planar_laplace_capacity(0.0, 2 * math.pi, 1.0), 2.0)
    assert g.best_remap(coins, [0.5, 0.5], 1 - np.eye(2)).tolist() == [0, 1]
    close(g.smallest_epsilon(coins, 1 - np.eye(2)), math.log(3))


def pufferfish() -> None:
    from lmdk_widgets import pufferfish as p

    one, two = p.MarkovChain([1, 0], CHAIN), p.MarkovChain([0.9, 0.1], [[0.8, 0.2], [0.3, 0.7]])
    scale = p.quilt_scale(one, 100, 1.0)
    close(scale.scale, 12.9340510862)
    assert (scale.node, tuple(scale.quilt)) == (7, (0, 12))
    close(p.quilt_scale(one, 100, 1.0, support="all").scale, 13.0219234962)
    close(p.quilt_scale(two, 100, 1.0).scale, 10.6401929816)
    close(p.quilt_scale([one, two], 100, 1.0).scale, 12.9340510862)
    close(p.approximate_quilt_scale(length=100, epsilon=1.0, minimum_probability=0.2, gap=1.0).scale, 23.5059552232)
    equal = p.MarkovChain([0.5, 0.5], [[0.5, 0.5], [0.5, 0.5]])
    close(p.max_influence(equal, 9, 4, 2, 6), 0.0)
    close(p.quilt_scale(equal, 9, 0.5).scale, 2.0)
    close(p.compose_sequential([0.1, 0.2, 0.3]), 0.6)
    close(p.compose_parallel(0.5, 1.0, equal, 3, 6), 1.0)
    rng = np.random.default_rng(1)
    noisy = [p.quilt_mechanism([0, 1, 1, 0], np.mean, 1 / 4, 2.0, rng) for _ in range(20_000)]
    close(np.mean(noisy), 0.5, 0.03)
    close(np.abs(np.array(noisy) - 0.5).mean(), 0.5, 0.03)


def anonymity() -> None:
    from lmdk_widgets import anonymity as a

    known = ["age", "location"]
    for name in ("t1", "t2"):
        table = a.example_table(name)
        assert a.k_anonymity(table, known) == 1
        table = a.generalise(a.generalise(table, "age", bands=[20]), "location", hierarchy=a.CITY)
        assert a.k_anonymity(table, known) == 3
        assert a.l_diversity(table, known, "status") == a.l_diversity(table, known, "status", kind="entropy") == 3
        recursive = [a.l_diversity(table, known, "status", kind="recursive", c=c) for c in (0.5, 0.6, 1.0, 1.1)]
        assert recursive == [1, 2, 2, 3]
        close(a.t_closeness(table, known, "status"), 0.5)
    assert len(a.example_table("adults")) == 4000 and len(a.ATTACKS) >= 9


def secure() -> None:
    from lmdk_widgets.secure import release_points

    made = release_points([[0.0, 0.0], [100.0, 50.0]], 0.01, step_m=5)
    assert made.points_m.shape == (2, 2) and (made.points_m % 5 == 0).all()
    close(made.spent, 0.02)


def composition() -> None:
    from lmdk_widgets import composition as c

    tenth = [0.1] * 10
    close([c.sequential(tenth), c.parallel([0.1, 0.5]), c.group(0.5, 3)], [1.0, 0.5, 1.5])
    close(c.discounted(tenth, gamma=0.9), 0.6513215599)
    close(c.discounted(tenth, weight="hyperbolic", k=1), 0.2928968254)
    close(c.discounted([0.01 * i for i in range(1, 11)], gamma=0.9), 0.4138105961)
    close(c.gaussian_delta(1, 1), 0.1269367375)
    assert 8.7767 < c.laplace_epsilon([0.1] * 288, 1e-6) < 8.7769
    assert c.rounded_up([0.1, 0.11], 1).tolist() == [0.11, 0.11]
    assert c.trade_off_between([0.75, 0.25], [0.25, 0.75], points=5)[1].tolist()[1] == 0.25
    assert c.trade_off("response", epsilons=[1.0], points=3)[1].round(6).tolist() == [1.0, 0.18394, 0.0]


def scenario() -> None:
    from lmdk_widgets.scenario import Scenario, evaluate
    from lmdk_widgets.trajectory import sample

    chosen = Scenario(landmarks=BOB)
    assert Scenario.from_dict(chosen.to_dict()) == chosen
    outcome = evaluate(chosen, sample("bob"))
    close(outcome.budgets, [0.2] * 8)
    close(outcome.event_error_m, 400)
    close(outcome.user_error_m, 3200)
    frame = outcome.to_frame()
    close(frame["landmark_sum_epsilon"], [0.8, 1.0, 0.8, 1.0, 0.8, 1.0, 1.0, 0.8])
    assert len(frame) == 8 and frame["landmark"].tolist() == [i in BOB for i in range(8)]
    figure = outcome.figure()
    assert type(figure).__name__ == "Figure"
    close(figure.data[0].y, [0.2] * 8)


def widgets() -> None:
    import lmdk_widgets
    from lmdk_widgets.pages.place import PlaceChoices
    from lmdk_widgets.pages.series import SeriesChoices
    from lmdk_widgets.pages.table import TableChoices
    from lmdk_widgets.trajectory import sample

    explorer = lmdk_widgets.Explorer(sample("commuter"))
    explorer.scenario = explorer.scenario.with_changes(scheme="user", epsilon=2016.0)
    close(explorer.outcome.budgets, np.ones(2016))
    view = lmdk_widgets.TrajectoryMap(sample("bob"))
    view.landmarks = [3, 1]
    assert view.landmarks == [1, 3]
    places = lmdk_widgets.PlacesLab(PlaceChoices(rows=3, columns=3, prior="uniform"))
    places.finish()
    assert round(places.outcome.assessed["optimal"].loss_m) == 884
    places.close()
    quilts = lmdk_widgets.QuiltLab(SeriesChoices(source="binary", length=100, epsilon=1.0))
    close(quilts.outcome.scale.scale, 12.8399642312)
    foundations = lmdk_widgets.FoundationsLab(TableChoices(table="adults", levels=(3, 0, 1)))
    assert foundations.outcome.shown.measures.k == 8


def nothing_of_the_checkout(checkout: Path) -> None:
    import lmdk_widgets

    assert Path(lmdk_widgets.__file__).is_relative_to(sys.prefix)
    files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    used = [Path(path).resolve() for path in (*sys.path, *filter(None, files))]
    assert not [path for path in used if path.is_relative_to(checkout)]


PARTS = (
    heavy_packages_wait,
    trajectory,
    budgets,
    noise,
    leakage,
    inference,
    geoind,
    pufferfish,
    anonymity,
    composition,
    secure,
    scenario,
    widgets,
)

if __name__ == "__main__":
    for part in (*PARTS, heavy_packages_are_here):
        part()
        print(part.__name__)
    nothing_of_the_checkout(Path(sys.argv[1]).resolve())
