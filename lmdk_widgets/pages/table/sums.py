"""The part on sums: a count, a sum, an average and a maximum of how far people travelled, one of whom went very far.

A sum, a maximum and an average have no sensitivity while a value may be anything: one person changes them without bound, so
no noise covers everybody. Cutting values to a limit gives them one, but adds an error: the noise grows with the limit, while
what is cut off shrinks. The number of people is known, so neighbours differ in how far one of them travelled.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, log10
from typing import Any

import numpy as np

from lmdk_widgets.geo import Floats
from lmdk_widgets.io import NOTE
from lmdk_widgets.io.tables import table_csv
from lmdk_widgets.noise import exponential_mechanism, laplace
from lmdk_widgets.page.amounts import amount, bound, whole
from lmdk_widgets.page.answers import NOTHING, Answer, guesses, of_100, out_of_100
from lmdk_widgets.page.blocks import Chart, Notes, Table
from lmdk_widgets.page.figures import line
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.pages.table.model import LONGEST_TRIP, QUERIES, TableChoices
from lmdk_widgets.palette import BLUE, GREY, ORANGE, PURPLE, SKY

_NEAR = "2 3 4 4 5 5 6 6 7 7 8 8 8 9 9 10 10 11 11 12 13 13 14 15 15 16 17 18 19 20 22 23 25 27 29 33 38 45 64"
OTHERS = tuple(map(int, _NEAR.split()))
"""Invented: how far 39 people travelled on one day, in km; Scrooge is the fortieth."""
PEOPLE = len(OTHERS) + 1
FAR = 20
"""Kilometres beyond which people are counted."""
SHARE = 0.9
"""The share of people who did not exceed the distance that is asked for."""
LIMITED = ("sum", "average", "maximum")
"""Queries without a sensitivity of their own."""
UNITS = {"count": "people"}
"""The units of queries that are not in kilometres."""
LIMITS = 121
"""Limits at which the error is drawn."""
MOST_DRAWN = 200
"""Whole kilometres whose chances are drawn."""
SIMULATION = "This page is a simulation with a known seed, not a private release."


@dataclass(frozen=True, eq=False)
class Query:
    """One question about the people, and its release.

    Attributes
    ----------
    true : the answer. sensitivity : the most that one person changes it, infinite if values may be anything.
    scale : of the noise, 0 if none is added. bias : what the limit takes from the answer, 0 or less.
    error : the mean absolute error, of noise and limit together.
    right : the largest chance of a right guess, after the release, whether Scrooge stayed at home or went as far as he did.
    """

    true: float
    sensitivity: float
    scale: float
    bias: float
    error: float
    right: float


@dataclass(frozen=True, eq=False)
class Sums:
    """All queries at the chosen limit, and the chosen one drawn.

    Attributes
    ----------
    queries : by name. limits : (m,) in km. errors : (m,) mean error of the chosen query at each; for a count, all the same.
    best : the limit with the least of them. drawn : one output.
    """

    queries: dict[str, Query]
    limits: Floats
    errors: Floats
    best: float
    drawn: float


def sums_of(choices: TableChoices) -> Sums:
    """All queries, and the chosen one drawn.

    Examples
    --------
    >>> found = sums_of(TableChoices(part="sums", query="sum", limit=50.0))
    >>> found.queries["sum"].true, found.queries["sum"].bias, found.queries["sum"].sensitivity
    (1411.0, -764.0, 50.0)
    """
    queries = {name: query_of(choices, name, choices.limit) for name in QUERIES}
    limits = np.unique(np.append(np.logspace(0, log10(LONGEST_TRIP), LIMITS), choices.limit))
    if choices.query == "quantile":
        limits = np.unique(np.floor(limits[limits <= 10 * MOST_DRAWN]))
    errors = np.array([query_of(choices, choices.query, float(limit)).error for limit in limits])
    best = float(limits[np.argmin(errors)])
    return Sums(queries, limits, errors, best, _draw(choices, queries[choices.query]))


def travelled(far: float) -> Floats:
    """(40,) how far everybody went, Scrooge last."""
    return np.array([*OTHERS, far], float)


def answer_of(query: str, values: Floats) -> float:
    """The true answer to a query."""
    match query:
        case "count":
            return float((values > FAR).sum())
        case "sum":
            return float(values.sum())
        case "average":
            return float(values.mean())
        case "maximum":
            return float(values.max())
    return float(np.sort(values)[round(SHARE * len(values)) - 1])


def query_of(choices: TableChoices, query: str, limit: float) -> Query:
    """A query at a limit: values are cut to it if that is chosen; the noise is for values up to it in any case."""
    values, at_home = travelled(choices.far), travelled(0.0)
    true = answer_of(query, values)
    if query == "quantile":
        first, second = (distance_chances(each, limit, choices.epsilon) for each in (values, at_home))
        error = float(first @ np.abs(np.arange(len(first)) - true))
        return Query(true, 1, 0.0, 0.0, error, float(2 + np.abs(first - second).sum()) / 4)
    if query == "count":
        sensitivity, cut = 1.0, inf
    else:
        sensitivity, cut = limit / (PEOPLE if query == "average" else 1), limit if choices.clipped else inf
    kept, other = (answer_of(query, np.minimum(each, cut)) for each in (values, at_home))
    scale, bias = sensitivity / choices.epsilon, kept - true
    error = -bias + scale * exp(bias / scale)
    right = 1 - exp(-abs(kept - other) / (2 * scale)) / 2
    unbounded = query in LIMITED and not choices.clipped
    return Query(true, inf if unbounded else sensitivity, scale, bias, error, right)


def distance_chances(values: Floats, limit: float, epsilon: float) -> Floats:
    """The chance of each whole kilometre from 0 to the limit: the nearer to nine in ten people within it, the likelier."""
    within = np.searchsorted(np.sort(values), np.arange(int(limit) + 1), side="right")
    return np.asarray(exponential_mechanism(-np.abs(within - SHARE * len(values)), epsilon, 1))


def _draw(choices: TableChoices, query: Query) -> float:
    rng = np.random.default_rng(choices.seed)
    if choices.query == "quantile":
        chances = distance_chances(travelled(choices.far), choices.limit, choices.epsilon)
        return float(rng.choice(len(chances), p=chances / chances.sum()))
    return float(laplace(np.array([query.true + query.bias]), query.scale, rng)[0])


def _unit(query: str) -> str:
    return UNITS.get(query, "km")


def _of(query: str, value: float) -> str:
    """An answer to a query, or an error of one, with its unit."""
    said = amount(value)
    return Written("1 person" if query == "count" and said == "1" else f"{said} {_unit(query)}", value)


def sums_answers(choices: TableChoices, found: Sums) -> tuple[Answer, Answer, Answer]:
    """The mean error, whether Scrooge is found, and what is promised about anyone."""
    name, query = choices.query, found.queries[choices.query]
    line_ = sentence("is the mean error; {true} is true.", true=_of(name, query.true))
    whether = sentence("whether Scrooge stayed at home or travelled {far_km} km are right", far_km=amount(choices.far))
    return (
        Answer("Useful", _of(name, query.error), line_, short="mean error"),
        Answer(
            "Found",
            out_of_100(query.right),
            sentence("guesses about {whether}, at best; 50 is chance, both being equally likely.", whether=whether),
            short="guesses right",
        ),
        _promised(choices, query),
    )


def _promised(choices: TableChoices, query: Query) -> Answer:
    if query.sensitivity == inf:
        line_ = "A person may travel any distance: no noise covers them all."
        return Answer("Promised", "nothing", line_, "red", "no noise covers everybody")
    if guesses(choices.epsilon) >= NOTHING:
        return Answer(
            "Promised",
            "nothing",
            "The release may reveal how far a person travelled.",
            "red",
            "of one person",
        )
    line_ = "guesses, at most, are right between two equally likely distances of one person; 50 is chance."
    return Answer("Promised", out_of_100(guesses(choices.epsilon)), line_, short="guesses right at most")


def sums_words(choices: TableChoices, found: Sums) -> Notes:
    """What one person changes, what the limit costs, and who is protected."""
    paragraph = f"{_release(choices, found)} {_changes(choices, found.queries[choices.query])} {_costs(choices, found)}"
    return Notes(paragraph, _guarantee(choices, found), tuple(_warnings(choices, found)))


def _release(choices: TableChoices, found: Sums) -> str:
    name, query = choices.query, found.queries[choices.query]
    what = {
        "count": sentence("how many travelled more than {beyond_km} km", beyond_km=whole(FAR)),
        "sum": "how far all of them travelled in total",
        "average": "how far they travelled on average",
        "maximum": "the longest distance that a person travelled",
        "quantile": "the distance that nine in ten did not exceed",
    }[choices.query]
    return sentence(
        "For {n_people} people, the release says {what}: {drawn} in this draw, where {true} is true. Scrooge "
        "travelled {far_km} km.",
        n_people=whole(PEOPLE),
        what=what,
        drawn=_of(name, found.drawn),
        true=_of(name, query.true),
        far_km=amount(choices.far),
    )


def _changes(choices: TableChoices, query: Query) -> str:
    if choices.query == "count":
        return "However far one person goes, the count changes by at most 1."
    if choices.query == "quantile":
        return (
            "However far one person goes, the number of people within a distance changes by at most 1: the exponential "
            "mechanism takes that as its score and needs no limit on anyone."
        )
    unlimited = sentence(
        "Without a limit, one person can change the {query} by any amount: its sensitivity has no bound.",
        query=choices.query,
    )
    if query.sensitivity == inf:
        return sentence(
            "{unlimited} Noise for people up to {most_limit_km} km covers nobody who goes farther.",
            unlimited=unlimited,
            most_limit_km=bound(choices.limit),
        )
    return sentence(
        "{unlimited} If every distance above {limit_km} km counts as {limit_km} km, it changes by at most "
        "{most_change_km} km.",
        unlimited=unlimited,
        limit_km=amount(choices.limit),
        most_change_km=bound(query.sensitivity),
    )


def _costs(choices: TableChoices, found: Sums) -> str:
    name, query = choices.query, found.queries[choices.query]
    if choices.query == "quantile":
        return sentence("The mean error is {error}.", error=_of(name, query.error))
    noise = sentence("The noise has a scale of {noise_scale}", noise_scale=_of(name, query.scale))
    if query.bias == 0:
        return sentence("{noise}, which is the mean error.", noise=noise)
    taken, error = _of(name, -query.bias), _of(name, query.error)
    return sentence(
        "{noise}, and the limit takes {taken} away; together, the mean error is {error}.",
        noise=noise,
        taken=taken,
        error=error,
    )


def _guarantee(choices: TableChoices, found: Sums) -> str:
    query = found.queries[choices.query]
    if query.sensitivity == inf:
        what = sentence(
            "nobody's distance: Scrooge's trip spends ε = {most_spent}", most_spent=bound(spent(choices, query))
        )
    else:
        what = sentence("how far anyone travelled, with ε = {most_epsilon}", most_epsilon=bound(choices.epsilon))
    limit = "" if choices.query == "count" else " the limit is chosen without looking at the data,"
    return sentence(
        "What is protected: {what}. Against whom: everyone who sees the release, whatever else they know. Under "
        "which assumption: everybody knows that there are {n_people} people,{limit} one release is made, and "
        "nobody's distance depends on another's. {simulation}",
        what=what,
        n_people=whole(PEOPLE),
        limit=limit,
        simulation=SIMULATION,
    )


def spent(choices: TableChoices, query: Query) -> float:
    """The largest log-ratio of an output between Scrooge at home and as far as he went: the change over the scale."""
    return abs(query.true - answer_of(choices.query, travelled(0.0))) / query.scale


def _warnings(choices: TableChoices, found: Sums) -> list[str]:
    said: list[str] = []
    query = found.queries[choices.query]
    if query.sensitivity == inf:
        said.append(
            sentence(
                "Not differentially private: no scale of noise covers a {query} without a limit. Noise as large as the "
                "farthest trip in the data would itself reveal how far that was.",
                query=choices.query,
            )
        )
    if choices.query in LIMITED and choices.clipped:
        said.append(
            "The limit with the least error is found by looking at the data; a limit chosen that way is itself a release, "
            "and costs budget."
        )
    return said


def sums_table(choices: TableChoices, found: Sums) -> Table:
    """Each query: the truth, the most that one person changes, the noise, the error, and whether Scrooge is found."""
    heads = ("query", "true", "one person changes", "scale of the noise", "mean error", "Scrooge found")
    rows = []
    for name, query in found.queries.items():
        change = "its score by 1" if name == "quantile" else _of(name, query.sensitivity)
        scale = _of(name, query.scale) if query.scale else "chosen by chance"
        rows.append(
            (
                QUERIES[name].split(":", 1)[0],
                _of(name, query.true),
                "no bound" if query.sensitivity == inf else change,
                scale,
                _of(name, query.error),
                out_of_100(query.right),
            )
        )
    return Table.of_texts("The queries side by side", heads, rows)


def sums_charts(choices: TableChoices, found: Sums) -> list[Chart]:
    """The error at every limit, the people, and the release with Scrooge at home and away."""
    name, query = choices.query, found.queries[choices.query]
    if choices.query == "count":
        error = sentence("The mean error is the same at every limit: {error}.", error=_of(name, query.error))
    else:
        least = ""
        if choices.query == "quantile" or choices.clipped:
            least = sentence(" It is least at {best_km} km, which only the data reveal.", best_km=amount(found.best))
        error = sentence(
            "The mean error at every limit: {error} at {limit_km} km.{least}",
            error=_of(name, query.error),
            limit_km=amount(choices.limit),
            least=least,
        )
    over = int((travelled(choices.far) > choices.limit).sum())
    cut = sentence(
        "How far each of {n_people} people travelled, on a log scale; {n_over} went farther than {limit_km} km.",
        n_people=whole(PEOPLE),
        n_over=whole(over),
        limit_km=amount(choices.limit),
    )
    right = of_100(query.right)
    outputs = sentence(
        "The release with Scrooge at home and away; at best, {right_guesses} of 100 guesses between the two are right.",
        right_guesses=right,
    )
    return [
        Chart("error", "What a limit costs", _error_figure(choices, found), error),
        Chart("trips", "How far people travelled", _people_figure(choices), cut),
        Chart("outputs", "With Scrooge at home and away", _outputs_figure(choices, found), outputs),
    ]


def _error_figure(choices: TableChoices, found: Sums) -> dict[str, Any]:
    x, query = found.limits.tolist(), found.queries[choices.query]
    data = [line("mean error", x, found.errors.tolist(), BLUE, hovertemplate="%{x:.3g} km: %{y:.4g}<extra></extra>")]
    if choices.query in LIMITED:
        each = [query_of(choices, choices.query, limit) for limit in x]
        data.append(line("scale of the noise", x, [q.scale for q in each], ORANGE, "dash", hoverinfo="skip"))
        if choices.clipped:
            y = [-q.bias if q.bias else None for q in each]
            data.append(line("taken away by the limit", x, y, GREY, "dot", hoverinfo="skip"))
    marker = {"symbol": "diamond", "size": 12, "color": PURPLE}
    here = {"type": "scatter", "mode": "markers", "name": "this limit", "x": [_held(choices)], "y": [query.error]}
    data.append(here | {"marker": marker, "hoverinfo": "skip", "cliponaxis": False})
    values = [y for trace in data for y in trace["y"] if y]
    low, high = log10(min(values)) - 0.1, log10(max(values)) + 0.1
    low = max(low, high - 5)
    yaxis = {"type": "log", "title": {"text": f"error, {_unit(choices.query)}"}, "range": [low, high]}
    ticks = {"tickvals": [1, 10, 100, 1000, 10_000], "ticktext": ["1", "10", "100", "1,000", "10,000"]}
    xaxis = {"type": "log", "title": {"text": "limit, km"}, **ticks}
    powers = [10.0**k for k in range(int(np.ceil(low)), int(np.floor(high)) + 1)]
    yaxis |= {"tickvals": powers, "ticktext": [f"{p:,.15g}" for p in powers]} if len(powers) > 1 else {}
    return {"data": data, "layout": {"height": 280, "xaxis": xaxis, "yaxis": yaxis}}


def _held(choices: TableChoices) -> float:
    """The position of the chosen limit among the limits that are drawn."""
    return float(int(choices.limit)) if choices.query == "quantile" else choices.limit


def _people_figure(choices: TableChoices) -> dict[str, Any]:
    values = np.sort(travelled(choices.far)).tolist()
    first = int((np.array(OTHERS) <= choices.far).sum())  # where Scrooge stands among them
    looks = (("others", SKY, ""), ("Scrooge", ORANGE, "/"))
    data = []
    for name, colour, shape in looks:
        places = [k for k in range(PEOPLE) if (k == first) == (name == "Scrooge")]
        bars = {"type": "bar", "name": name, "x": [k + 1 for k in places], "y": [values[k] for k in places]}
        marker = {"color": colour, "pattern": {"shape": shape, "fillmode": "overlay"}}
        data.append(bars | {"marker": marker, "hovertemplate": "%{y:,.4g} km<extra></extra>"})
    data.append(line("limit", [0.4, PEOPLE + 0.6], [choices.limit] * 2, PURPLE, "longdash", hoverinfo="skip"))
    top = log10(max(values[-1], choices.limit)) + 0.1
    ticks = {"tickvals": [1, 10, 100, 1000, 10_000], "ticktext": ["1", "10", "100", "1,000", "10,000"]}
    yaxis = {"type": "log", "title": {"text": "km"}, "range": [0, top], **ticks}
    return {
        "data": data,
        "layout": {"height": 280, "barmode": "overlay", "xaxis": {"title": {"text": "people"}}, "yaxis": yaxis},
    }


def _outputs_figure(choices: TableChoices, found: Sums) -> dict[str, Any]:
    x, first, second = drawn_outputs(choices, found)
    away, home = sentence("{far_km} km away", far_km=amount(choices.far)), "at home"
    kind = "chance" if choices.query == "quantile" else "density"
    data = [
        line(away, x.tolist(), first.tolist(), BLUE, hoverinfo="skip"),
        line(home, x.tolist(), second.tolist(), ORANGE, "dash", hoverinfo="skip"),
    ]
    axis = {"title": {"text": f"released, {_unit(choices.query)}"}}
    return {"data": data, "layout": {"height": 280, "xaxis": axis, "yaxis": {"title": {"text": kind}}}}


def drawn_outputs(choices: TableChoices, found: Sums) -> tuple[Floats, Floats, Floats]:
    """Outputs, and how likely each is with Scrooge away and at home: a density, or chances of whole kilometres."""
    query, both = found.queries[choices.query], (travelled(choices.far), travelled(0.0))
    if choices.query == "quantile":
        first, second = (distance_chances(v, choices.limit, choices.epsilon)[: MOST_DRAWN + 1] for v in both)
        return np.arange(len(first), dtype=float), first, second
    cut = choices.limit if choices.clipped and choices.query in LIMITED else inf
    means = [answer_of(choices.query, np.minimum(values, cut)) for values in both]
    x = np.unique([*np.linspace(min(means) - 4 * query.scale, max(means) + 4 * query.scale, 241), *means])
    first, second = (np.exp(-np.abs(x - mean) / query.scale) / (2 * query.scale) for mean in means)
    return x, first, second


def sums_csv(choices: TableChoices, found: Sums) -> str:
    """Each limit with the mean error of the chosen query."""
    columns = {"limit_km": found.limits, f"mean_error_{_unit(choices.query)}": found.errors}
    return table_csv(columns, note=NOTE)
