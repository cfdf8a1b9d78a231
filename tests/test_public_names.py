"""The public names and their parameters: other people's programs use them, so a change warns for one version first."""

from __future__ import annotations

import importlib
import inspect
import re
from typing import Any

import pytest

FROZEN = {
    "": """
        Explorer(trajectory, *, scenario, choices, source, timezone, query, checkins, region, basemap)
        TrajectoryMap(trajectory, landmarks, *, timezone, basemap)
        PlacesLab(choices, *, query, track, checkins, distances, basemap)
        QuiltLab(choices, *, query, series)
        FoundationsLab(choices, *, query, table)
        PeopleLab(choices, *, query, table, paths, basemap)
        Question(ask, then, *, text_waits)
        Scenario Outcome Trajectory Series
        sample(name)
        load(source)
        evaluate(scenario, trajectory)
    """,
    "trajectory": """
        Trajectory
        load_trajectory(source, *, timezone)
        sample(name)
        sample_names()
    """,
    "budgets": """
        SCHEMES Release
        allocate(scheme, n, landmarks, epsilon, *, window)
        adaptive_budgets(n, landmarks, epsilon, skipped)
        landmark_totals(budgets, landmarks)
        window_totals(budgets, window)
        release(values, scheme, landmarks, epsilon, mechanism, *, rng, window)
        protect_landmarks(n, landmarks, epsilon_select, *, method, chance, rng, most)
        dummy_posterior(protected, n, k, *, method, chance, epsilon_select, most)
        landmark_sets_told_apart(n, k, other_k, epsilon, *, kind)
    """,
    "verdict": """
        Verdict
        Limits(found_m, useful_share, guesses)
        verdict(outcome, limits)
        proposal(outcome, limits)
    """,
    "practice": """
        ZoneFound PlaceFound
        zone(trajectory, centres, radius_m, *, offset_m, rng)
        cut_ends(trajectory, metres, *, minutes)
        rounded(trajectory, *, decimals, cell_m)
        approximate(trajectory, *, rng)
        thinned(trajectory, minutes)
        find_zone(published, radius_m, *, silences, offset_m)
        find_zones(published, radius_m, *, most, offset_m)
        find_cut_ends(published, metres, *, minutes, ends)
        find_rounded(published, *, decimals, cell_m, noise_m, timestamps)
        find_approximate(published, *, timestamps)
        zone_silences(trajectory, published)
        clustered(trajectory, radius_m, epsilon_per_m, *, rng)
        find_clustered(published, radius_m, epsilon_per_m, *, timestamps)
        velocity_aware(trajectory, epsilon_per_m, factor, *, rng, trained_on)
        velocity_budgets(trajectory, epsilon_per_m, factor, *, trained_on)
        MergedReport Routine RoutineTold
        square_groups(squares, side)
        decimal_groups(latitude, longitude, decimals)
        merged_report(places_m, groups, prior, loss, error)
        merged_values(values, minutes, every_minutes, *, start_minute)
        cut_values(values, share)
        two_levels(values)
        find_routine(published, minutes, *, every_minutes, start_minute)
        routine_told(values, published, minutes, *, every_minutes, start_minute)
    """,
    "population": """
        People Histogram UsefulShare Counts
        counts(table, *, cell_m, hours, level, epsilon, most, window, rng, what, weekly, region, start, until, timezone)
    """,
    "noise": """
        laplace(values, scale, rng)
        planar_laplace(points_m, epsilon_per_m, rng)
        planar_laplace_radius(probability, epsilon_per_m)
        exponential_mechanism(scores, epsilon, sensitivity, rng)
        randomized_response(answers, rng, *, design, probability)
        randomized_response_channel(m, epsilon)
        policy_sensitivity(contributions, pairs)
        policy_loss(epsilon, pairs, n_values)
    """,
    "leakage": """
        TemporalLoss PairwiseLoss Plan
        LossFunction(transition_matrix)
        backward_loss(p_backward, budgets)
        forward_loss(p_forward, budgets)
        temporal_loss(p_backward, p_forward, budgets)
        temporal_loss_at_delta(p_backward, p_forward, budgets, delta)
        landmark_loss(p_backward, p_forward, budgets, landmarks)
        landmark_loss_bound(p_forward, budgets, landmarks)
        window_loss(p_backward, p_forward, budgets, window)
        effective_epsilon(p_backward, p_forward, budgets, landmarks, epsilon)
        plan_budgets(p_backward, p_forward, alpha, n)
        best_plan(p_backward, p_forward, alpha, n, *, initial_budgets)
        reverse(p_forward, prior)
        estimate_transitions(states, n_states, *, smoothing)
        pairwise_loss(p_backward, p_forward, budgets, distances, radius, *, at)
        pairwise_step(transition_matrix, bound)
    """,
    "inference": """
        TrackPosterior
        track_posterior(prior, transitions, log_likelihood)
        likeliest_path(prior, transitions, log_likelihood)
        best_guesses(posterior, distances)
        reader_estimates(log_likelihood, distances, prior)
        main_place(latitude, longitude, *, radius_m)
        found_within(budgets, radius_m, share)
        guesses_right(budgets)
        averaging_attack(latitude, longitude, mask, *, budgets)
    """,
    "geoind": """
        Channel Spanner
        optimal_mechanism(distances, prior, epsilon, *, quality, dilation, tolerance)
        most_private_mechanism(distances, prior, quality_bound, *, quality)
        planar_laplace_channel(points_m, epsilon_per_m)
        spanner(distances, dilation)
        regions(points_m, representatives_m)
        quality_loss(matrix, prior, distances)
        adversary_error(matrix, prior, distances)
        best_remap(matrix, prior, distances)
        posterior(matrix, prior)
        smallest_epsilon(matrix, distances)
        bayes_capacity(matrix)
        bayes_security(matrix)
        planar_laplace_capacity(area_m2, perimeter_m, epsilon_per_m)
        least_error(epsilon_per_m, spread_m)
        two_place_error(epsilon_per_m, apart_m)
        of_any_report(least_m, cell_m, *, whole)
    """,
    "pufferfish": """
        QuiltScale
        MarkovChain(initial, transition)
        max_influence(chain, length, node, left, right, *, support)
        quilt_scale(chains, length, epsilon, *, support)
        approximate_quilt_scale(chains, *, length, epsilon, minimum_probability, gap)
        quilt_mechanism(values, query, lipschitz, scale, rng)
        additive_lipschitz(weights)
        smallest_lipschitz(query, length, n_states)
        compose_sequential(epsilons)
        compose_parallel(epsilon_a, epsilon_b, chain, end_of_a, start_of_b)
        gk16(chains, length, epsilon)
        mixing_constants(chains)
    """,
    "anonymity": """
        k_anonymity(table, quasi_identifiers)
        l_diversity(table, quasi_identifiers, sensitive, *, kind, c)
        t_closeness(table, quasi_identifiers, sensitive, *, distance, order, hierarchy)
    """,
    "composition": """
        sequential(epsilons)
        parallel(epsilons)
        discounted(epsilons, *, weight, gamma, k)
        group(epsilon, size)
        laplace_epsilon(epsilons, delta)
        response_epsilon(epsilons, delta)
        planar_laplace_epsilon(epsilons, delta)
        laplace_delta(epsilons, epsilon)
        response_delta(epsilons, epsilon)
        planar_laplace_delta(epsilons, epsilon)
        gaussian_delta(epsilon, mu)
        gaussian_epsilon(delta, mu)
        trade_off(kind, *, epsilons, mu, points)
    """,
    "secure": """
        SecureRelease Guarantee
        release_points(points_m, epsilon_per_m, *, step_m)
    """,
    "scenario": """
        Scenario Outcome
        evaluate(scenario, trajectory)
        describe(outcome)
        settings_table(scenario, trajectory, *, schemes, epsilons, radii_m)
    """,
    "course": "LESSONS Lesson questions(lesson) question(name)",
    "course.exam": """
        Exam Paper
        exam(students, *, seed, lessons, count)
        variant(name, seed, paper)
        accepted(question)
        write_exam(exam, folder, *, choices)
    """,
    "course.ask": "Choose Order Number Point Curve Verdict",
    "study": """
        Study(trajectories, grid, *, repetitions, measures)
        draw_landmarks(layout, n, share, *, rng)
    """,
    "errors": "InputError",
}
"""By room, "" for the package itself: each name, and what a function takes, in its order."""
ENTRY = re.compile(r"(\w+)(\(.*?\))?")
PUBLIC = {room: [name for name, _ in ENTRY.findall(text)] for room, text in FROZEN.items()}


def home(room: str) -> Any:
    return importlib.import_module(f"lmdk_widgets.{room}".rstrip("."))


@pytest.mark.parametrize("room", FROZEN)
def test_public_names_and_parameters_stay(room: str) -> None:
    for name, given in ENTRY.findall(FROZEN[room]):
        found = getattr(home(room), name)
        if given:
            has = inspect.signature(found).parameters.values()
            first, _, later = given.strip("()").partition("*")
            wanted = [part for part in re.split(r"[ ,]+", first) if part]
            by_name = {part for part in re.split(r"[ ,]+", later) if part}
            assert [one.name for one in has if one.kind is one.POSITIONAL_OR_KEYWORD][: len(wanted)] == wanted, name
            assert by_name <= {one.name for one in has}, name
            required = {one.name for one in has if one.default is one.empty and one.kind < one.VAR_KEYWORD}
            assert required - {"source"} <= {*wanted, *by_name}, f"{name} asks for more than it did"


def test_each_lesson_keeps_its_questions() -> None:
    for lesson in home("course").LESSONS:
        assert isinstance(importlib.import_module(f"lmdk_widgets.course.{lesson}").QUESTIONS, tuple | list | dict)


@pytest.mark.parametrize("room", [room for room in FROZEN if room and "course" not in room])
def test_every_public_function_says_what_it_takes_returns_and_refuses(room: str) -> None:
    for name, given in ENTRY.findall(FROZEN[room]):
        found = getattr(home(room), name)
        text = inspect.getdoc(found) or ""
        if (
            given not in ("", "()")
            and not inspect.isclass(found)
            and " as for `" not in text
            and " as in `" not in text
        ):
            assert "Parameters\n---" in text and "Returns\n---" in text, name
