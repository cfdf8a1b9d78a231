"""Figures of the lesson on the adversary: beliefs over cells as discs on a map, and what habits and bounds do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lmdk_widgets.course.adversary import BUDGETS
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
from lmdk_widgets.page.amounts import amount, metres, percent
from lmdk_widgets.page.figures import BLUE, GREEN, ORANGE
from lmdk_widgets.trajectory.samples import sample
from lmdk_widgets.widgets.lessons import curves

LARGEST_PX = 26
"""Diameter of the disc of the likeliest cell of a figure."""

GAP = 0.12
"""Share of the height that is left between two maps."""

Described = tuple[dict[str, Any], str]
"""A figure description, and a sentence that says what it shows."""


def belief_map(
    adversary: Adversary, beliefs: Mapping[str, ArrayLike], spots: Mapping[str, tuple[float, float]]
) -> dict[str, Any]:
    """A map for each belief, above each other: the area of a disc is the probability of its cell, in one scale for all.

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
    layout: dict[str, Any] = {"height": 120 + 230 * len(beliefs), "legend": {"itemsizing": "constant"}}
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
    """What his adversary believes of p5: from the report of p5 alone, and from all of Bob's reports."""
    adversary, released = bobs_adversary(), bobs_release("uniform", BOBS_EPSILON, BOBS_SEED)
    belief = adversary.believes(released)
    shown = {"the report of p5 alone": belief.alone[MISLED], "all eight reports": belief.smoothed[MISLED]}
    truth = sample("bob").points_m[MISLED]
    spots = {"report of p5": tuple(released.outputs[MISLED].tolist()), "where Bob was": tuple(truth.tolist())}
    guesses = adversary.cells_m[best_guesses(list(shown.values()), adversary.distances_m)]
    alone, every = (metres(miss) for miss in apart(guesses, truth[None])[:, 0].tolist())
    summary = (
        "The larger a disc, the likelier its cell. All reports draw her belief away from the report of p5: her best guess is "
        f"{every} from where Bob was, and from the report of p5 alone it would be {alone}."
    )
    return belief_map(adversary, shown, spots), summary


def gap_figure() -> Described:
    """What a walker's follower expects to be off by between two sightings: from the past alone, and looking back."""
    walker, belief = gap(13, 9)
    errors = {"looking back: past and future": belief.smoothed, "past only": belief.filtered}
    errors = {name: expected_error(seen, walker.distances_m) for name, seen in errors.items()}
    back, past = errors.values()
    summary = (
        f"In the middle somebody who looks back expects to be {metres(float(back.max()))} off, and less on both sides. "
        f"Whoever knows the past alone grows less sure with every timestamp, up to {metres(float(past.max()))}, until "
        "the walker is seen again."
    )
    return curves(errors, y_title="expected error, m"), summary


def knowledge_figure() -> Described:
    """How far adversaries who know different things are off on Tuesday, for each budget, beside the report itself."""
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
    first = [f"{metres(float(series[0]))} ({name})" for name, series in errors.items()]
    return figure, f"With a budget of {BUDGETS[0]:g} an hour: " + ", ".join(first) + "."


def learned_figure() -> Described:
    """What one Tuesday really told about each hour, by randomised response and by planar Laplace, beside the bound."""
    told = tuesdays_learned(THREE_BUDGET)
    noisy, limit, answers = (values.max() for values in told.values())
    summary = (
        f"A budget of {THREE_BUDGET:g} an hour. Randomised response over the cells told her at most {amount(answers)} about "
        f"an hour, far below the bound of up to {amount(limit)}; planar Laplace told up to {amount(noisy)}: its budget is "
        "for places within the radius, and the cells are farther apart. One draw; another Tuesday tells more or less, and "
        "under randomised response never more than the bound."
    )
    return curves(told, x_title="hour of Tuesday", y_title="change of odds, logarithm"), summary
