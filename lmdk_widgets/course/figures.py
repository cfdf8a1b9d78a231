"""Figures of the lessons: Bob's bars, quality losses, beliefs over cells as discs on a map, habits and bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.budgets import allocate, landmark_totals
from lmdk_widgets.course.adversary import BUDGETS
from lmdk_widgets.course.places import CITY, LEVELS, SMALL, TITLES, TRUTH, cells, losses, report_from_truth
from lmdk_widgets.course.tracking import (
    ALL,
    BOBS_EPSILON,
    BOBS_SEED,
    KNOWLEDGE,
    MISLED,
    PLANAR,
    THREE_BUDGET,
    Adversary,
    apart,
    bobs_adversary,
    bobs_release,
    gap,
    tuesdays_errors,
    tuesdays_learned,
)
from lmdk_widgets.inference import best_guesses, expected_error
from lmdk_widgets.names import FixedSchemeName
from lmdk_widgets.page.amounts import amount, metres, percent
from lmdk_widgets.page.blocks import Chart
from lmdk_widgets.page.figures import curves, line
from lmdk_widgets.page.sentences import Written, join, sentence
from lmdk_widgets.page.sliding_figures import Sliding, Stops, of_page
from lmdk_widgets.pages.series import SeriesChoices
from lmdk_widgets.pages.series.page import SeriesPage
from lmdk_widgets.pages.series.session import SeriesSession
from lmdk_widgets.pages.table import TableChoices
from lmdk_widgets.pages.table.page import TablePage
from lmdk_widgets.pages.table.session import TableSession
from lmdk_widgets.pages.track.page import TrackPage
from lmdk_widgets.pages.track.session import TrackSession
from lmdk_widgets.palette import BLUE, GREEN, GREY, ORANGE
from lmdk_widgets.scenario import Scenario
from lmdk_widgets.trajectory.samples import sample

SHOWN = ("optimal", "remapped", "planar")
"""Mechanisms of the figure of levels."""

REPORT_LEVELS = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Privacy levels of the figure of reports."""

LARGEST_PX = 26
"""Diameter of the disc of a figure's likeliest cell."""
CERTAIN_PX = 40
"""Diameter of the disc of a certain cell, where figures of several stops share one scale."""

GAP = 0.12
"""Share of the height between two maps."""


def foundations_figure(choices: TableChoices, *shown: str, **stops: Sequence[Any]) -> Sliding:
    """The charts and parts of the table page with these names, with sliders for some of its choices."""
    return of_page(lambda chosen: TablePage(TableSession(chosen, None)), choices, shown, **stops)


def track_figure(choices: Scenario, *shown: str, **stops: Sequence[Any]) -> Sliding:
    """The same for the page of a track."""
    return of_page(lambda chosen: TrackPage(TrackSession(sample(choices.track), chosen)), choices, shown, **stops)


def quilt_figure(choices: SeriesChoices, *shown: str, **stops: Sequence[Any]) -> Sliding:
    """The same for the series page."""
    return of_page(lambda chosen: SeriesPage(SeriesSession(chosen)), choices, shown, **stops)


def release_figure(choices: TableChoices, levels: Mapping[str, tuple[int, ...]], *shown: str) -> Sliding:
    """A release and what an attack finds in it, with a slider for how coarse it is. levels : by the label of each stop."""
    figure = foundations_figure(choices, *shown, levels=tuple(levels.values()))
    words = {value: said for said, value in levels.items()}
    return replace(figure, stops=(figure.stops[0]._replace(label="Published", written=words.__getitem__),))


Described = tuple[dict[str, Any], str]
"""A figure description, and a sentence that says what it shows."""


def bob_figure() -> Described:
    """Bob's figure: what user level and landmark privacy (Uniform) give each timestamp, and what the Theorem adds up.

    Returns
    -------
    A figure description with two rows of bars, those of the two levels side by side, and a sentence that says what it shows.

    Notes
    -----
    The scenario of Katsomallos, Tzompanaki, Kotzinos, CODASPY 2022, with epsilon 1.

    Examples
    --------
    >>> figure, summary = bob_figure()
    >>> summary.partition(".")[0]
    'User level gives every timestamp 0'
    """
    track = sample("bob")
    levels: dict[str, FixedSchemeName] = {"user level": "user", "landmark privacy (Uniform)": "uniform"}
    names = [f"{label} ◆" if k in track.landmarks else label for k, label in enumerate(track.labels)]
    data: list[dict[str, Any]] = []
    said = []
    for k, (title, scheme) in enumerate(levels.items()):
        budgets = allocate(scheme, len(track), track.landmarks, 1.0)
        sums = landmark_totals(budgets, track.landmarks)
        for axis, heights in (("", budgets), ("2", sums)):
            look = {"color": (GREY, BLUE)[k], "pattern": {"shape": ("/", "")[k]}}
            on = {"xaxis": f"x{axis}", "yaxis": f"y{axis}", "showlegend": not axis}
            data.append({"type": "bar", "name": title, "x": names, "y": heights.tolist(), "marker": look, **on})
        one = amount(float(budgets[0]))
        said.append(
            sentence(
                "gives every timestamp {one}, so the landmarks and one other spend {most_of_landmarks_and_one}",
                one=one,
                most_of_landmarks_and_one=amount(float(sums.max())),
            )
        )
    ends = [names[0], names[-1]]
    data.append(line("ε", ends, [1, 1], ORANGE, "longdash", xaxis="x2", yaxis="y2"))
    layout = {
        "height": 380,
        "xaxis": {"anchor": "y"},
        "yaxis": {"title": {"text": "budget"}, "domain": [0.58, 1], "rangemode": "tozero"},
        "xaxis2": {"anchor": "y2", "title": {"text": "timestamp, ◆ landmark"}},
        "yaxis2": {"title": {"text": "spent by L and t"}, "domain": [0, 0.42], "rangemode": "tozero"},
    }
    return {"data": data, "layout": layout}, f"User level {said[0]}. Landmark privacy {said[1]}: all that they may."


def levels_figure() -> Described:
    """The quality loss of mechanisms on 4 x 4 cells against the privacy level, and a sentence that says what it shows."""
    series = {TITLES[name]: losses(name) for name in SHOWN}
    figure = curves(
        series,
        x=range(len(LEVELS)),
        x_title="privacy level ε within 600 m",
        y_title="off by, m",
        levels={"no report at all": cells(SMALL).blind_m},
        ticks={f"{level:g}": k for k, level in enumerate(LEVELS)},
    )
    k = LEVELS.index(1.0)
    said = ", ".join(
        sentence("{title} {quality_loss}", title=title, quality_loss=metres(float(values[k])))
        for title, values in series.items()
    )
    return figure, sentence(
        "At a level of 1: {said}. Guessing without a report is {blind_error} off.",
        said=said,
        blind_error=metres(cells(SMALL).blind_m),
    )


def report_figure() -> Sliding:
    """What the optimal mechanism reports from a place, and the belief after its likeliest report, by the level."""
    points = cells(CITY).points_m / 1000

    def drawn(name: str, title: str, shares: ArrayLike, marked: int, mark: str, said: str) -> Chart:
        shares = np.asarray(shares)
        at = {"type": "scatter", "mode": "markers"}
        size = {"size": shares.tolist(), "sizemode": "area", "sizeref": 1 / CERTAIN_PX**2}
        disc = {**size, "color": BLUE, "opacity": 0.85, "line": {"width": 0}}
        east, north = points.T.tolist()
        spot = {"symbol": "x", "size": 10, "color": ORANGE, "line": {"width": 0}}
        data = [
            {
                **at,
                "name": "chance",
                "x": east,
                "y": north,
                "text": [percent(share) for share in shares],
                "marker": disc,
            },
            {**at, "name": mark, "x": [east[marked]], "y": [north[marked]], "marker": spot},
        ]
        layout = {
            "xaxis": {"title": {"text": "km to the east"}},
            "yaxis": {"title": {"text": "km to the north"}, "scaleanchor": "x"},
        }
        return Chart(name, title, {"data": data, "layout": layout}, said)

    def draw(level: float) -> list[Chart]:
        found, report, belief = report_from_truth(level)
        chances = found.channel.matrix[TRUTH]
        said = sentence(
            "The truth is reported with {truth_chance}; all reports are {quality_loss} off on average.",
            truth_chance=percent(chances[TRUTH]),
            quality_loss=metres(found.loss_m),
        )
        after = sentence(
            "A belief of {prior_of_truth} in the truth is {belief_in_truth} after this report.",
            prior_of_truth=percent(cells(CITY).prior[TRUTH]),
            belief_in_truth=percent(belief[TRUTH]),
        )
        return [
            drawn("reported", "What is reported from one place", chances, TRUTH, "the true place", said),
            drawn("believed", "What the likeliest report reveals", belief, report, "the report", after),
        ]

    within = sentence("Privacy level within {radius}", radius=metres(CITY.radius_m))
    return Sliding(draw, (Stops(within, REPORT_LEVELS, REPORT_LEVELS.index(CITY.level), amount),), CITY)


def belief_map(
    adversary: Adversary, beliefs: Mapping[str, ArrayLike], spots: Mapping[str, tuple[float, float]]
) -> dict[str, Any]:
    """A map for each belief, one above the other: a disc's area is its cell's probability, on the same scale for all.

    Parameters
    ----------
    adversary : whose cells they are.
    beliefs : title: (m,) distribution. spots : name: a place, metres; it is marked on each map.

    Examples
    --------
    >>> from lmdk_widgets.course.tracking import three_places
    >>> street, released = three_places()
    >>> figure = belief_map(street, {"all releases": street.believes(released).smoothed[1]}, {"truth": (0.0, 0.0)})
    >>> [trace["name"] for trace in figure["data"]]
    ['all releases', 'truth']
    """
    x, y = (adversary.cells_m.T / 1000).tolist()
    most = max(float(np.max(belief)) for belief in beliefs.values())
    data: list[dict[str, Any]] = []
    layout: dict[str, Any] = {"height": 100 + 190 * len(beliefs), "legend": {"itemsizing": "constant"}}
    for k, (title, belief) in enumerate(beliefs.items()):
        end = str(k + 1) if k else ""
        at = {"xaxis": f"x{end}", "yaxis": f"y{end}", "type": "scatter", "mode": "markers"}
        size = {"size": np.asarray(belief).tolist(), "sizemode": "area", "sizeref": most / LARGEST_PX**2}
        text = [percent(p) for p in np.asarray(belief).tolist()]
        disc = {"color": (BLUE, GREEN)[k % 2], "opacity": 0.85, "line": {"width": 0}}
        data.append({**at, "name": title, "x": x, "y": y, "text": text, "marker": {**size, **disc}})
        for (name, (east, north)), symbol in zip(spots.items(), ("x", "star", "diamond"), strict=False):
            spot = {"symbol": symbol, "size": 12, "color": ORANGE, "line": {"width": 0}}
            data.append(
                {**at, "name": name, "x": [east / 1000], "y": [north / 1000], "marker": spot, "showlegend": not k}
            )
        top = 1 - k / len(beliefs)
        layout[f"xaxis{end}"] = {"anchor": f"y{end}", "constrain": "domain"}
        layout[f"yaxis{end}"] = {"anchor": f"x{end}", "title": {"text": "km to the north"}, "constrain": "domain"}
        layout[f"yaxis{end}"] |= {"scaleanchor": f"x{end}", "domain": [top - 1 / len(beliefs) + GAP, top]}
    layout[f"xaxis{end}"]["title"] = {"text": "km to the east"}
    return {"data": data, "layout": layout}


def bobs_beliefs() -> Described:
    """What his adversary believes about p5: from the report of p5 alone, and from all of Bob's reports."""
    adversary, released = bobs_adversary(), bobs_release("uniform", BOBS_EPSILON, BOBS_SEED)
    belief = adversary.believes(released)
    shown = {"the report of p5 alone": belief.alone[MISLED], "all eight reports": belief.smoothed[MISLED]}
    truth = sample("bob").points_m[MISLED]
    spots = {"report of p5": tuple(released.outputs[MISLED].tolist()), "where Bob was": tuple(truth.tolist())}
    guesses = adversary.cells_m[best_guesses(list(shown.values()), adversary.distances_m)]
    alone, every = (metres(miss) for miss in apart(guesses, truth[None])[:, 0].tolist())
    summary = (
        "The larger a disc, the likelier its cell. All reports pull the belief away from the report of p5: the best guess is "
        f"{every} from where Bob was, and from the report of p5 alone it would be {alone}."
    )
    return belief_map(adversary, shown, spots), summary


def gap_figure() -> Described:
    """How far off a walker's follower expects to be between two sightings: from the past alone, and looking back."""
    walker, belief = gap(13, 9)
    errors = {"looking back: past and future": belief.smoothed, "past only": belief.filtered}
    errors = {name: expected_error(seen, walker.distances_m) for name, seen in errors.items()}
    back, past = errors.values()
    summary = sentence(
        "In the middle an attacker who looks back expects to be {most_error_looking_back} off, and less on both "
        "sides. One who knows only the past becomes less sure with every timestamp, up to "
        "{most_error_by_the_past}, until the walker is seen again.",
        most_error_looking_back=metres(float(back.max())),
        most_error_by_the_past=metres(float(past.max())),
    )
    return curves(errors, y_title="expected error, m"), summary


def knowledge_figure() -> Described:
    """How far off adversaries with different knowledge are on Tuesday, for each budget, and the report itself."""
    errors = {KNOWLEDGE[name]: [tuesdays_errors(name, b)[ALL] for b in BUDGETS] for name in KNOWLEDGE}
    errors["the report as it is"] = [PLANAR.mean_displacement(budget) for budget in BUDGETS]
    where = {f"{budget:g}": k for k, budget in enumerate(BUDGETS)}
    figure = curves(
        errors,
        x=range(len(BUDGETS)),
        x_title="budget of each hour",
        y_title="off by, m",
        ticks=where,
        log_y=True,
    )
    first = [sentence("{error} ({name})", error=metres(float(series[0])), name=name) for name, series in errors.items()]
    return figure, sentence(
        "With a budget of {budget} an hour: {errors}.",
        budget=Written(f"{BUDGETS[0]:g}", BUDGETS[0]),
        errors=join(first),
    )


def learned_figure() -> Described:
    """What one Tuesday really revealed about each hour, under randomised response and planar Laplace, and the bound."""
    told = tuesdays_learned(THREE_BUDGET)
    noisy, limit, answers = (values.max() for values in told.values())
    summary = sentence(
        "A budget of {budget} an hour. Randomised response over the cells revealed at most {response_loss} about "
        "an hour, far below the bound of up to {loss_bound}; planar Laplace revealed up to {laplace_loss}: its "
        "budget is for places within the radius, and the cells are farther apart. This is one draw; another "
        "Tuesday reveals more or less, but under randomised response never more than the bound.",
        budget=Written(f"{THREE_BUDGET:g}", THREE_BUDGET),
        response_loss=amount(answers),
        loss_bound=amount(limit),
        laplace_loss=amount(noisy),
    )
    return curves(told, x_title="hour of Tuesday", y_title="change of odds, logarithm"), summary
