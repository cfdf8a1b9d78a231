"""Each number in the sentences and charts of the place page, computed again by loops over cells and reports."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace

import numpy as np
import pytest

from lmdk_widgets.pages.place import Outcome, PlaceChoices, Point, Solvers, Solving, assess, evaluate
from lmdk_widgets.pages.place.cards import cards_csv
from lmdk_widgets.pages.place.certificate import certificate, guarantee
from lmdk_widgets.pages.place.figures import adversary_figure, loss_figure, tradeoff_figure
from lmdk_widgets.pages.place.improve import continued
from lmdk_widgets.pages.place.study import Charts, complete
from lmdk_widgets.pages.place.words import describe, first_answers

CHOICES = PlaceChoices(rows=3, columns=4, prior="city", other="morning", level=0.8, radius_m=500.0)
LENGTH = r"([\d,]+(?:\.\d+)? k?m)"


@pytest.fixture(scope="module")
def solved() -> Outcome:
    out = evaluate(CHOICES)
    steps = list(Solvers().solve(out.instance, CHOICES))
    return out.with_results({s.mechanism: s.assessed for s in steps if s.finished and s.assessed}, Solving())


def shown(out: Outcome, **changes: object) -> Outcome:
    return evaluate(out.places.with_changes(**changes)).with_results(out.assessed, out.solving)


def metres(text: str) -> float:
    number, unit = text.replace(",", "").split()
    return float(number) * {"m": 1.0, "km": 1000.0}[unit]


def near(value: float) -> float:
    return pytest.approx(value, rel=0.0051)  # three digits


def by_hand(out: Outcome, mechanism: str, prior: np.ndarray) -> tuple[float, float, float]:
    """Loss, error of the best guesses and chance of an exact guess, for one mechanism and one prior."""
    matrix, loss, error, hit = out.assessed[mechanism].channel.matrix, 0.0, 0.0, 0.0
    columns = out.places.columns
    n = len(prior)
    apart = [
        [1000.0 * np.hypot(x % columns - y % columns, x // columns - y // columns) for y in range(n)] for x in range(n)
    ]
    for z in range(n):
        joint = [prior[x] * matrix[x, z] for x in range(n)]
        loss += sum(joint[x] * apart[x][z] for x in range(n))
        error += min(sum(joint[x] * apart[x][g] for x in range(n)) for g in range(n))
        hit += max(joint)
    return loss, error, hit


@pytest.mark.parametrize("mechanism", ["optimal", "spanner", "planar", "remapped", "private"])
def test_loss_error_and_hits_that_are_said(solved: Outcome, mechanism: str) -> None:
    out = shown(solved, mechanism=mechanism)
    prior, apart = solved.instance.prior, solved.instance.distances_m
    loss, error, hit = by_hand(out, mechanism, prior)
    plain, _, plain_hit = by_hand(out, "planar", prior)
    text, rows = describe(out).paragraph, dict(certificate(out).rows)
    found = re.search(rf"is off by {LENGTH} on average", text)
    assert found and metres(found[1]) == near(loss) and metres(rows["Quality loss"].partition(" (")[0]) == near(loss)
    told = first_answers(out)[1]
    found = re.search(rf"errs by this; without a report, by {LENGTH}", told.line)
    assert found and metres(told.value) == near(error) and metres(rows["Adversary error"]) == near(error)
    blind = min(sum(prior[x] * apart[x, g] for x in range(12)) for g in range(12))
    assert metres(found[1]) == near(blind)
    found = re.search(r"exactly right is ([\d.]+) %; without any report, ([\d.]+) %", text)
    assert found and [float(x) for x in found.groups()] == pytest.approx([100 * hit, 100 * max(prior)], abs=0.051)
    if mechanism != "planar":
        found = re.search(rf"with planar Laplace, by {LENGTH}: [\w' ]+ (saves|adds) (\d+) % of that", text)
        assert found and metres(found[1]) == near(plain) and found[2] == ("saves" if loss < plain else "adds")
        assert float(found[3]) == pytest.approx(100 * abs(1 - loss / plain), abs=0.51)
        easier = loss < plain * (1 - 1e-6) and hit > plain_hit * (1 + 1e-6)
        assert ("easier to guess exactly" in text) == easier


@pytest.mark.parametrize("mechanism", ["optimal", "spanner", "planar", "remapped", "private"])
def test_what_holds_for_every_prior_is_said(solved: Outcome, mechanism: str) -> None:
    """Report by report and pair by pair; in the sentence, in the certificate and in the file, and never passed by a prior."""
    out = shown(solved, mechanism=mechanism)
    matrix, n = out.assessed[mechanism].channel.matrix, 12
    capacity = sum(max(matrix[x, z] for x in range(n)) for z in range(n))
    security = min(sum(min(matrix[x, z], matrix[y, z]) for z in range(n)) for x in range(n) for y in range(x))
    text, rows = describe(out).paragraph, dict(certificate(out).rows)
    found = re.search(r"of the cell at most ([\d.]+) times as likely \(Bayes capacity\)", text)
    assert found and rows["Bayes capacity"] == f"at most {found[1]}, for every prior"
    assert capacity * (1 - 1e-9) <= float(found[1]) <= capacity * 1.006
    if security < 1e-6:
        assert "hardly any guess stays wrong (Bayes security 0 %)" in text
    else:
        found = re.search(r"at least ([\d.]+ %) stay wrong \(Bayes security\)", text)
        assert found and rows["Bayes security"] == f"at least {found[1]}, for every prior"
        share = float(found[1].removesuffix(" %")) / 100
        assert share <= security * (1 + 1e-9) and security - share <= 0.011
    row = next(csv.DictReader(io.StringIO(cards_csv(out, own=False))))
    assert float(row["bayes_capacity"]) == pytest.approx(capacity, rel=1e-6)
    assert float(row["bayes_security"]) == pytest.approx(security, rel=1e-5, abs=1e-12)
    for prior in (solved.instance.prior, solved.instance.other, np.eye(n)[3], np.full(n, 1 / n)):
        hit = sum(max(prior[x] * matrix[x, z] for x in range(n)) for z in range(n))
        assert hit <= capacity * max(prior) * (1 + 1e-9)
        assert 1 - hit >= security * (1 - max(prior)) - 1e-9


def test_a_report_that_tells_nothing_says_so_for_every_prior(solved: Outcome) -> None:
    channel = replace(solved.assessed["optimal"].channel, matrix=np.full((12, 12), 1 / 12))
    out = solved.with_results({"optimal": assess(channel, solved.instance)}, Solving())
    assert "a right guess of the cell no likelier (Bayes capacity 1, Bayes security 100 %)." in describe(out).paragraph


def test_the_dilation_reached_is_that_of_the_longest_detour(solved: Outcome) -> None:
    out = shown(solved, mechanism="spanner")
    asked, reached = re.findall(r"[\d.]+", dict(certificate(out).rows)["Dilation"])
    assert asked == "1.1" and 1 < float(reached) < 1.1
    assert out.present is not None and out.present.channel.dilation <= float(reached) * (1 + 1e-9)


def test_what_is_not_known_yet_lies_between_two_numbers_that_hold(solved: Outcome) -> None:
    best = solved.assessed["optimal"].channel
    for loss in np.linspace(1000, 1001, 11):
        coarse = replace(best, quality_loss=loss, bound=123.4, gap=0.9)
        out = solved.with_results({"optimal": replace(assess(coarse, solved.instance), loss_m=loss)}, Solving())
        found = re.search(rf"between {LENGTH} and {LENGTH}", dict(certificate(out).rows)["Least possible loss"])
        assert found and metres(found[1]) <= 123.4 and loss <= metres(found[2])


def test_how_far_above_the_least_loss_is_a_share_of_the_least_loss(solved: Outcome) -> None:
    best = solved.assessed["optimal"].channel
    for bound, percent in ((800.0, "5 %"), (600.0, "40 %")):
        coarse = assess(replace(best, quality_loss=840.0, bound=bound, gap=0.03), solved.instance)
        out = solved.with_results({"optimal": coarse}, Solving())
        assert f"(at most {percent} above the best)" in describe(out).paragraph
        assert dict(certificate(out).rows)["Least possible loss"].startswith(
            f"{bound:.0f} m or more: provably, no mechanism"
        )


@pytest.mark.parametrize(("gap", "final"), [(0.0, True), (9e-6, True), (1.1e-5, False), (3e-4, False), (0.1, False)])
def test_a_mechanism_is_final_up_to_a_gap_of_a_hundred_thousandth(solved: Outcome, gap: float, final: bool) -> None:
    best = solved.assessed["optimal"].channel
    coarse = replace(best, gap=gap, bound=best.quality_loss * (1 - gap))
    out = solved.with_results({"optimal": assess(coarse, solved.instance)}, Solving("solving", "optimal"))
    assert ("so far (" in describe(out).paragraph, "so far (" in dict(certificate(out).rows)["Quality loss"]) == (
        not final,
        not final,
    )


def test_what_is_certified_is_said_whatever_was_asked_for(solved: Outcome) -> None:
    best = solved.assessed["optimal"].channel  # 0.8 within 500 m are 0.0016 per metre
    out = solved.with_results({"optimal": assess(replace(best, epsilon=0.001), solved.instance)}, Solving())
    assert "The certified ε is 0.001 per metre" in guarantee(out)
    rows = dict(certificate(out).rows)
    assert (rows["ε certified"], rows["ε asked for"]) == ("0.5 within 500 m", "0.8 within 500 m, 0.0016 per metre")
    assert "by a factor of at most 1.65;" in describe(out).paragraph  # e^0.5 is 1.6487


def test_a_track_s_cells_are_warned_of_and_so_is_its_prior() -> None:
    for changes in ({"area": "track"}, {"area": "track", "prior": "uniform"}, {"prior": "time"}, {"prior": "counts"}):
        told = describe(evaluate(PlaceChoices(**{"prior": "city"} | changes))).warnings
        assert any("come from the track itself" in w for w in told), changes
    assert not any("come from the track" in w for w in describe(evaluate(PlaceChoices())).warnings)


def test_what_another_choice_makes_untrue_does_not_stay(solved: Outcome) -> None:
    """Of another dilation the spanner's mechanism is another one, of another level OptPriv is; the others say their level."""
    names = {"optimal", "spanner", "planar", "remapped", "private"}
    for changes, gone in (
        ({"dilation": 1.3}, {"spanner"}),
        ({"level": 0.9}, {"private"}),
        ({"click": "report"}, set()),
    ):
        after = continued(solved, evaluate(CHOICES.with_changes(**changes)), Solvers())
        assert set(after.assessed) == names - gone
    assert not continued(solved, evaluate(CHOICES.with_changes(prior="uniform")), Solvers()).assessed


def test_the_map_shows_a_row_and_what_is_believed_a_column_with_the_prior(solved: Outcome) -> None:
    prior, matrix = solved.instance.prior, solved.assessed["planar"].channel.matrix
    for cell in (0, 5, 11):
        true = shown(solved, mechanism="planar", click="true", place=cell).shown
        assert true.values.tolist() == matrix[cell].tolist() and true.likely == prior[cell]
        report = shown(solved, mechanism="planar", click="report", place=cell).shown
        joint = [prior[x] * matrix[x, cell] for x in range(12)]
        assert report.values == pytest.approx(np.array(joint) / sum(joint)) and report.likely == near(sum(joint))


def test_the_curves_are_of_the_level_within_the_radius(solved: Outcome) -> None:
    *_, charts = complete(Charts(solved.instance, CHOICES.radius_m, CHOICES.dilation))
    matrix = {}
    for level in (0.4, 1.0, 7.0):
        *_, step = Solvers().incumbents("planar", solved.instance, level / 500.0, 1.1)
        assert step.assessed is not None
        matrix[level] = step.assessed
    for point in charts.points:
        if point.mechanism == "planar" and point.level in matrix:
            assert (point.loss_m, point.error_m) == (matrix[point.level].loss_m, matrix[point.level].error_m)


def test_the_charts_draw_what_their_axes_say(solved: Outcome) -> None:
    points = [Point(m, level, 100 / level, 60 / level, 7.0, 8.0) for m in ("optimal", "planar") for level in (1.0, 4.0)]
    loss, _ = loss_figure(points, CHOICES)
    trade, _ = tradeoff_figure(points, 500.0, CHOICES)
    curves = {trace["name"]: trace for trace in loss["data"]}
    assert (curves["Optimal"]["x"], curves["Optimal"]["y"]) == ([1.0, 4.0], [100.0, 25.0])
    assert loss["layout"]["yaxis"]["title"]["text"] == trade["layout"]["xaxis"]["title"]["text"] == "quality loss, m"
    curves = {trace["name"]: trace for trace in trade["data"]}
    assert (curves["Optimal"]["x"], curves["Optimal"]["y"]) == ([100.0, 25.0], [60.0, 15.0])
    (point, *_), found = points, solved.roundings
    today, _ = tradeoff_figure([point], 500.0, CHOICES, found)
    marks = {trace["name"]: trace for trace in today["data"]}
    for name, own in (
        ("Rounded (no guarantee)", [each for each in found if not each.side]),
        ("Squares (no guarantee)", [each for each in found if each.side]),
    ):
        assert marks[name]["x"] == pytest.approx([each.told.loss for each in own], rel=1e-4)
        assert marks[name]["y"] == pytest.approx([each.told.error for each in own], rel=1e-4)
    assert len(found) == len(marks["Rounded (no guarantee)"]["x"]) + len(marks["Squares (no guarantee)"]["x"]) > 2
    figure, text = adversary_figure(solved)
    names = ["optimal", "spanner", "remapped", "planar", "private"]
    for bars, prior in zip(figure["data"], (solved.instance.prior, solved.instance.other), strict=True):
        blind = float((prior @ solved.instance.distances_m).min())
        expected = [*(by_hand(solved, name, prior)[1] for name in names), blind]
        assert bars["y"] == pytest.approx(expected, rel=1e-4)
    told = [metres(x) for x in re.findall(LENGTH, text)]
    both = [by_hand(solved, name, solved.instance.prior)[1] for name in ("optimal", "private")]
    both += [by_hand(solved, name, solved.instance.other)[1] for name in ("optimal", "private")]
    assert told == [near(value) for value in both]


def test_what_no_mechanism_undercuts_whatever_it_reports(solved: Outcome) -> None:
    """3 x 4 cells of 1 km fill a rectangle: the least loss on cells less .177 km, or over the root of 2."""
    bound = solved.assessed["optimal"].channel.bound
    least = max(bound - 177.1244, bound / 2**0.5)
    for mechanism in ("optimal", "planar", "remapped", "spanner"):
        out = shown(solved, mechanism=mechanism)
        said = re.search(rf"brings a reader nearer than {LENGTH} on average", describe(out).paragraph)
        assert said is not None and least * 0.994 < metres(said[1]) <= least
        row = dict(certificate(out).rows)["Whatever is reported"]
        assert row.startswith(f"{said[1]} or more: provably")
        assert metres(said[1]) < out.assessed[mechanism].loss_m
    for changes in ({"level": 0.9}, {"quality_by": "manhattan"}):
        other = shown(solved, **changes)
        assert "brings a reader" not in describe(other).paragraph and "Whatever is reported" not in dict(
            certificate(other).rows
        )
    assert "Whatever is reported" not in dict(certificate(shown(solved, mechanism="private")).rows)
