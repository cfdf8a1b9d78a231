"""Every number of the place page over random settings: a few cells, all mechanisms, half solved, stale and interrupted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.geoind.mechanisms import MECHANISMS, excess
from lmdk_widgets.hosts.widget.place import PlacesLab
from lmdk_widgets.page.sentences import heard
from lmdk_widgets.pages.place import Outcome, PlaceChoices, Solvers, Solving, Sources, Visits, assess, evaluate, improve
from lmdk_widgets.pages.place.distances import read_matrix
from lmdk_widgets.pages.place.model import CLICKS, LAYERS
from lmdk_widgets.trajectory import sample
from tests.every_number.altered import Read
from tests.every_number.cards_drawn import now_card
from tests.every_number.claims import shown_by
from tests.every_number.named import Named
from tests.every_number.place_drawn import answers, certificate, drawn, practised, told
from tests.every_number.place_names import place_names
from tests.every_number.place_truth import LEAST, PlacesTruth
from tests.geoind.places import slow_epsilon
from tests.sweeps import FULL, generators, more, size

SETTINGS = 120 if FULL else 240
ROWS = {
    "Mechanism",
    "ε asked for",
    "ε certified",
    "Quality loss",
    "Least possible loss",
    "Whatever is reported",
    "Adversary error",
    "Chance that the guess is exactly right",
    "Bayes capacity",
    "Bayes security",
    "Dilation",
    "Edges of the spanner",
    "Numerical error",
}


def log_uniform(rng: np.random.Generator, low: float, high: float, ends: tuple[float, ...] = ()) -> float:
    if ends and rng.random() < 0.1:
        return float(rng.choice(ends))
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def setting(rng: np.random.Generator) -> tuple[PlaceChoices, Sources]:
    """A grid of four to nine cells, or a few cells of a track."""
    track, sources = rng.random() < 0.25, Sources()
    cell_m = log_uniform(rng, 100, 5000, (20.0, 50_000.0))
    prior = str(rng.choice(["city", "uniform", "painted", "checkins"]))
    rows, columns = int(rng.integers(2, 4)), int(rng.integers(2, 4))
    changes: dict[str, Any] = {"rows": rows, "columns": columns}
    if track:
        prior, cell_m = str(rng.choice(["time", "counts", "uniform"])), log_uniform(rng, 3000, 8000)
        changes = {"area": "track", "track": str(rng.choice(["bob", "commuter"]))}
    elif rng.random() < 0.2:
        changes = {"area": "region", "track": "bob"}
        prior, cell_m = str(rng.choice(["city", "uniform", "time", "counts"])), log_uniform(rng, 7000, 9000)
        if rng.random() < 0.6:
            changes |= {"region": (48.6 + rng.random() / 8, 2.1 + rng.random() / 8, 48.9, 2.45)}
    elif prior == "painted":
        weights = rng.random(rows * columns) * (rng.random(rows * columns) < 0.6)
        weights[0] += 0.1
        changes |= {"painted": tuple(weights.tolist())}
    elif prior == "checkins":
        steps = rng.normal(0, cell_m / 60_000, (40, 2))
        visits = Visits(48.8607 + steps[:, 0], 2.3355 + steps[:, 1])
        sources, name = Sources().with_checkins(visits)
        changes |= {"checkins": name}
    if rng.random() < 0.4:
        ways = ["straight", "manhattan", "squared"] + ["matrix"] * (not track and "area" not in changes)
        changes |= {name: str(rng.choice(ways)) for name in ("privacy_by", "quality_by", "error_by")}
    if "matrix" in changes.values():
        sources, changes = with_matrix(rng, sources, changes)
    places = PlaceChoices(
        prior=prior,
        cell_m=cell_m,
        other=str(rng.choice(["uniform", "city"] if not track else ["uniform", "city", "morning", "evening"])),
        level=log_uniform(rng, 0.05, 10, (0.01, 20.0)),
        radius_m=cell_m * log_uniform(rng, 0.5, 5) if 40 < cell_m < 20_000 else cell_m,
        dilation=float(rng.choice([1.0, 1.1, 1.234567, 1.5, 2.0])),
        decimals=int(rng.choice([0, 2, 3])),
        square_cells=int(rng.choice([2, 3, 4])),
        loss_percent=float(rng.choice([100.0, 100.0, 0.0, 33.3, 140.0, 1000.0])),
        mechanism=str(rng.choice(list(MECHANISMS))),
        click=str(rng.choice(list(CLICKS))),
        layer=str(rng.choice(list(LAYERS), p=[0.6, 0.2, 0.2])),
        place=int(rng.choice([-1, 0, 1, 3])),
        **changes,
    )
    return places, sources


def with_matrix(rng: np.random.Generator, sources: Sources, changes: dict[str, Any]) -> tuple[Sources, dict[str, Any]]:
    """Travel times that differ by the way, in a file with names or without."""
    n = changes["rows"] * changes["columns"]
    raw = np.round(rng.uniform(1, 30, (n, n)), 2)
    np.fill_diagonal(raw, 0)
    lines = [";".join(map(repr, row)) for row in raw.tolist()]
    if rng.random() < 0.5:
        lines = [";".join(["", *(f"to {k}" for k in range(n))]), *(f"from {k};{line}" for k, line in enumerate(lines))]
    sources, name = sources.with_matrix(read_matrix("\n".join(lines).encode()))
    object.__setattr__(sources.matrices[name], "raw", raw)
    return sources, changes | {"distances": name, "unit_m": float(rng.choice([80.0, 1.0, 333.3]))}


def stages(rng: np.random.Generator, places: PlaceChoices, sources: Sources) -> list[Outcome]:
    """What the page shows of one setting: nothing yet, half solved, everything, and everything for another level."""
    first = evaluate(places, sources)
    if len(first.area) > 12:
        return []
    last: dict[str, Any] = {}
    for step in Solvers().solve(first.instance, places):
        if step.finished and step.assessed is not None:
            last[step.mechanism] = step.assessed
    done = first.with_results(last, Solving())
    found = [first, done]
    if first.instance.blind_m == 0:  # one cell for certain: the first report is the best one
        return found
    mechanism = str(rng.choice(LEAST))
    coarse = last[mechanism].channel
    # an incumbent on the way: some of the prior's best constant report in place of the optimum
    mixed = float(rng.uniform(0.001, 0.5))
    matrix = (1 - mixed) * coarse.matrix + mixed * last["planar"].channel.matrix.mean(axis=0)
    made = assess(replace(coarse, matrix=matrix), first.instance)
    scale = float((first.instance.prior @ first.instance.quality).min())
    known = float(rng.choice([0.0, 1.0, 1.0])) * coarse.bound
    channel = replace(made.channel, quality_loss=made.loss_m, gap=max(made.loss_m - known, 0) / scale + 1e-4)
    own = slow_epsilon(matrix.tolist(), first.instance.distances_m.tolist())
    channel = replace(
        channel, epsilon=own, bound=known, clipped=float(rng.choice([0, 3e-12])), mixed=float(rng.choice([0, 2e-9]))
    )
    incumbent = assess(channel, first.instance)
    some = {m: a for m, a in last.items() if rng.random() < 0.7} | {mechanism: incumbent}
    if rng.random() < 0.2:  # one of the many that have the largest error may have an epsilon
        some["private"] = assess(
            replace(last["planar"].channel, requested_epsilon=float("nan"), method="highs"), first.instance
        )
    state = str(rng.choice(["solving", "cancelled", "failed", ""]))
    found.append(
        first.with_results(some, Solving(state, mechanism, excess(channel), float(rng.uniform(0, 9)), "It ended."))
    )
    found.append(
        evaluate(places.with_changes(level=min(20.0, places.level * 1.3)), sources).with_results(some, done.solving)
    )
    return found


@pytest.fixture(scope="module")
def lab() -> Any:
    made = PlacesLab(PlaceChoices(rows=2, columns=2, prior="uniform"))
    yield made
    made.close()


def read_of(claims: Named, lab: Any, outcome: Outcome, sources: Sources) -> Read:
    """What the page shows of an outcome, with its recomputation, which returns the rows of its certificate."""
    places = outcome.places
    track = sample(places.track) if places.area == "track" else None
    raw = getattr(sources.matrices.get(places.distances), "raw", None)
    truth = PlacesTruth(outcome, track, sources.checkins.get(places.checkins), raw)
    with heard() as made:
        work = lab.session.progress(outcome, busy=outcome.solving.state == "solving").text
        list(shown_by(lab.page, outcome))

    def held(page: Any) -> set[str]:
        try:
            claims.hold([*shown_by(page, outcome), ("work.text", work)], made, truth)
            charts, main, _ = page._drawings(outcome)
            told(truth, main.described["summary"])
            drawn(truth, charts.described["figures"])
            text = page._text(outcome)
            answers(truth, text["answers"])
            practised(truth, text["practices"])
            now_card(text, [places.loss_percent / 100] if places.mechanism == "private" else said_of(places))
            return certificate(truth, text["certificate"]["rows"])
        except AssertionError as wrong:
            raise AssertionError(f"{wrong}\n{places}, {outcome.solving}") from wrong

    return Read(lab.page, outcome, held)


def said_of(places: PlaceChoices) -> list[float]:
    """The numbers of a setting in one line."""
    return [places.level, places.radius_m, *([places.dilation] if places.mechanism == "spanner" else [])]


def every_outcome(lacking: Callable[[], object]) -> Any:
    for rng in chain(generators(5, SETTINGS), more(105, 1000, lacking)):
        places, sources = setting(rng)
        try:
            found = stages(rng, places, sources)
        except InputError:
            continue
        for outcome in found:
            yield outcome, sources
    *_, last = improve(evaluate(PlaceChoices(rows=2, columns=2, cell_m=3000, level=9, radius_m=200)))
    yield last, Sources()  # after whose report hardly any guess stays wrong
    for dilation in (1.0, 1.1, 1.4):
        places = PlaceChoices(
            rows=2, columns=3, dilation=dilation, other="uniform", radius_m=1000 * dilation, level=dilation
        )
        places = places.with_changes(loss_percent=50.0 if dilation > 1.2 else 100.0)
        places = places.with_changes(quality_by="straight" if dilation < 1.3 else "manhattan")
        charted = [outcome for outcome in improve(evaluate(places)) if outcome.charts.begun]
        yield charted[min(5, len(charted) - 1)], Sources()  # how many there are depends on how busy the machine is
        yield charted[len(charted) // 2], Sources()
        yield charted[-1], Sources()


@pytest.mark.long
def test_every_number_of_the_places_page(lab: Any) -> None:
    claims, rows, count = place_names(), set[str](), 0
    for outcome, sources in every_outcome(lambda: claims.unused() or rows != ROWS):
        read = read_of(claims, lab, outcome, sources)
        rows.update(read.held(read.page))
        count += 1
    assert count >= 3 * size(SETTINGS)
    assert not FULL or rows == ROWS, ROWS - rows
    assert not FULL or not claims.unused(), claims.unused()
