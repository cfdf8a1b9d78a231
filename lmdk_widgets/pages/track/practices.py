"""What is done today, beside the present scheme: zones, ends cut off, rounding, approximate location, thinning; and two ways
to adapt noise to a track from the literature.

None of them has a guarantee. The fold says of each what it still tells a reader and what an attacker finds all the same; the
map shows the zone, what is published, and the area in which the attacker looks.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from lmdk_widgets.answers.averaging_attack import AMBER
from lmdk_widgets.answers.found_places import LEAST_M
from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.page.amounts import Written, amount, count, factor, metres, percent, whole
from lmdk_widgets.page.answers import NO_PROMISE, WAITS, Answer
from lmdk_widgets.page.blocks import Block, Card, Cards, Column, Table, Text
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.drawing import Drawing
from lmdk_widgets.page.fields import Slider, choice, flag, number
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.page.sentences import capital, sentence
from lmdk_widgets.pages.track.compared_option import option_told, three_answers
from lmdk_widgets.practice import PlaceFound, ZoneFound
from lmdk_widgets.practice.chosen_practice import (
    APPROXIMATE,
    CLUSTERING,
    ENDS,
    KNOWS,
    MOST_MOVED_M,
    RANGES,
    ROUNDING,
    THINNING,
    VELOCITY,
    ZONE,
    Practice,
    check_moved,
    chosen_on_page,
    one_after_another,
    practice_of,
)
from lmdk_widgets.practice.over_draws import draw_steps, draws_of
from lmdk_widgets.practice.practised import Practised, Seed, Target, target_of, with_worth
from lmdk_widgets.practice.publishing import moved_centres
from lmdk_widgets.practice.today import NAME, NOTE_OF_PRACTICES, Today
from lmdk_widgets.practice.trace_noise import FACTOR, LEVEL, reports_at_rest
from lmdk_widgets.practice.what_helps import costs, draws_of_help, help_steps, next_step
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.trajectory import Series, Trajectory

TITLE = "What is done today: privacy zones, rounding, thinning"

TITLES = {
    ZONE: "Privacy zone",
    ENDS: "Ends cut off",
    ROUNDING: "Rounding",
    APPROXIMATE: "Approximate location",
    THINNING: "Thinning",
    CLUSTERING: "Clustering (Cunha et al. 2019)",
    VELOCITY: "Velocity-aware (Mendes et al. 2023)",
}

NO_GUARANTEE = "No guarantee. Only the attacks computed here were tried; others may find more."
MOST_DRAWN = 10_000
"""The most cells that the map shows; of more, evenly spread ones."""

BETWEEN_S = 0.3
"""What is found of what helps is shown that often, seconds."""

NONE = "Choose a practice to see what it leaves open on these data."


@dataclass(frozen=True)
class PracticeChoices(Choices):
    """Compare what is done today with the present scheme."""

    open: bool = flag(False, TITLE)
    zone: bool = flag(True, TITLES[ZONE])
    zone_m: float = number(400.0, RANGES[ZONE], "Radius of the zone", unit="m", slider=Slider(200, 1_600, step=50))
    moved_m: float = number(
        0.0, (0.0, MOST_MOVED_M), "Its centre is moved by up to", unit="m", slider=Slider(0, 800, step=50)
    )
    ends: bool = flag(False, TITLES[ENDS])
    ends_m: float = number(300.0, RANGES[ENDS], "Cut off at each end", unit="m", slider=Slider(50, 1_500, step=50))
    rounding: bool = flag(False, TITLES[ROUNDING])
    decimals: int = number(3, RANGES[ROUNDING], "Decimals of a degree", whole=True, slider=Slider(1, 5))
    approximate: bool = flag(False, TITLES[APPROXIMATE])
    thinning: bool = flag(False, TITLES[THINNING])
    minutes: float = number(10.0, RANGES[THINNING], "Minutes between points", unit="min", slider=Slider(1, 60, step=1))
    clustering: bool = flag(False, TITLES[CLUSTERING])
    clustering_m: float = number(
        200.0, RANGES[CLUSTERING], "Radius of noise and clusters", unit="m", slider=Slider(50, 2_000, step=50)
    )
    velocity: bool = flag(False, TITLES[VELOCITY])
    velocity_m: float = number(
        200.0, RANGES[VELOCITY], "Radius of the noise", unit="m", slider=Slider(50, 2_000, step=50)
    )
    together: bool = flag(False, "All of these, one after the other")
    knows: str = choice("silences", KNOWS, "The attacker")

    def visible(self) -> list[str]:
        """The size of a practice has an effect while that is chosen."""
        of = {"zone_m": self.zone, "moved_m": self.zone, "ends_m": self.ends, "decimals": self.rounding}
        of |= {"clustering_m": self.clustering, "velocity_m": self.velocity}
        of |= {"minutes": self.thinning, "together": len(self._alone) > 1}
        return [name for name in super().visible() if of.get(name, True)]

    @property
    def chosen(self) -> tuple[Practice, ...]:
        """The practices that are compared, in their order; at the end all of them together, if that is asked for."""
        alone = self._alone
        return (*alone, one_after_another(alone)) if self.together and len(alone) > 1 else alone

    @property
    def _alone(self) -> tuple[Practice, ...]:
        sizes = {
            ZONE: Practice(ZONE, self.zone_m, self.moved_m),
            ENDS: Practice(ENDS, self.ends_m),
            ROUNDING: Practice(ROUNDING, self.decimals),
            APPROXIMATE: Practice(APPROXIMATE),
            THINNING: Practice(THINNING, self.minutes),
            CLUSTERING: Practice(CLUSTERING, self.clustering_m),
            VELOCITY: Practice(VELOCITY, self.velocity_m),
        }
        return tuple(practice for name, practice in sizes.items() if self[name])

    def compares(self, data: Trajectory) -> bool:
        """Whether practices are compared on these data."""
        return self.open and not isinstance(data, Series) and data.name != RELEASE_NAME and bool(self.chosen)


class Practices(Panel):
    NAME = NAME
    FOLD = PracticeChoices
    OPERATIONS: ClassVar = {
        "practise": lambda state, operation, _: state.choices.with_changes(
            practices=_practising(state.choices.practices, operation["code"])
        )
    }
    FILES: ClassVar = {"practices": lambda choices, outcome: practices_csv(outcome)}

    def asked(self, choices: Any, outcome: Outcome) -> Hashable | None:
        asked: PracticeChoices = choices.practices
        if not outcome.kind.placed or outcome.trajectory.name == RELEASE_NAME or not asked.chosen:
            return None
        for practice in asked.chosen:
            check_moved(practice)
        return asked.chosen, asked.knows, outcome.scenario.seed, outcome.scenario.region, outcome.trajectory

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[Today]:
        asked: PracticeChoices = choices.practices
        track, zones = outcome.trajectory, _zones(asked)
        how: dict[str, Any] = {"knows": asked.knows == "silences", "seed": outcome.scenario.seed}
        draws = sum(draws_of(each, len(track)) for each in asked.chosen) + sum(
            draws_of_help(each, track) for each in zones
        )
        found = Today(of=draws)
        before, told = 0, perf_counter()
        for practice in asked.chosen:
            for one in draw_steps(practice, track, **how):
                found = found._replace(done=found.done + 1)
                if one is not None:  # one that is known already takes a single step
                    before += draws_of(practice, len(track))
                    found = found._replace(rows=(*found.rows, with_worth(one, outcome)), done=before)
                if one is not None or perf_counter() - told > BETWEEN_S:
                    yield found
                    told = perf_counter()
        for practice in zones:
            for helps in help_steps(practice, track, **how):
                found = found._replace(done=found.done + 1)
                if helps is not None:
                    before += draws_of(helps.found.practice, len(track))
                    found = found._replace(helps=(*found.helps, helps), done=before)
                if perf_counter() - told > BETWEEN_S:
                    yield found
                    told = perf_counter()
        yield found

    def progress(self, choices: Any, outcome: Outcome) -> Progress:
        found: Today = outcome.found(self.NAME) or Today()
        said = sentence("Attacking what is done today: {attacks} of {all_attacks} attacks are done.", **_attacks(found))
        return Progress(said, found.done / found.of)

    def ended(self, choices: Any, outcome: Outcome) -> str:
        return "before every practice was attacked"

    def blocks(self, choices: Any, outcome: Outcome) -> Iterator[Block]:
        if not outcome.kind.placed or outcome.trajectory.name == RELEASE_NAME:
            return
        asked: PracticeChoices = choices.practices
        if not asked.chosen:
            yield Text(NONE)
            return
        found: Today = outcome.found(self.NAME) or Today()
        limit_m = outcome.scenario.radius_m
        for one in found.rows:
            yield Text(one.sentence(limit_m), "answer")
        if len(found.rows) < len(asked.chosen):
            yield Text(
                sentence("Being computed: {attacks} of {all_attacks} attacks are done.", **_attacks(found)), "answer"
            )
        if step := _next_step(found, outcome):
            yield Text(step, "answer")
        yield practice_cards(asked, outcome, found)
        if found.helps:
            yield helps_table(found, outcome)
            yield Text(TABLE_LEGEND, "quiet")
        yield from map(Text, filter(None, (_seen(one) for one in found.rows)))
        yield from (
            Text(said) for name, said in noise_promises().items() if any(name == one.name for one in asked.chosen)
        )
        yield Text(NO_GUARANTEE, "quiet")

    def drawings(self, choices: Any, outcome: Outcome) -> Iterable[Drawing]:
        found: Today | None = outcome.found(self.NAME)
        rows = [row for row in found.rows if row.published is not None] if found else []
        one = next((row for row in rows if row.practice.then), rows[0] if rows else None)
        yield _drawn(one, outcome)


def _practising(now: PracticeChoices, code: object) -> PracticeChoices:
    """The choices that compare another practice, for the same attacker."""
    return now.with_changes(**chosen_on_page(practice_of(code), now.knows))


def _zones(asked: PracticeChoices) -> list[Practice]:
    """The zones about which it is asked what helps."""
    return [one for one in asked.chosen if one.name == ZONE and not one.then]


def _attacks(found: Today) -> dict[str, str]:
    return {"attacks": whole(found.done), "all_attacks": whole(found.of)}


def _next_step(found: Today, outcome: Outcome) -> str:
    """What helps against the attack on a zone, with its cost, and what promises something."""
    zone = next((one for one in found.rows if one.practice.name == ZONE and not one.practice.then), None)
    if zone is None or found.done < found.of or zone.hides(outcome.scenario.radius_m):
        return ""
    useful, near, _ = three_answers(outcome)
    step = next_step(zone, found.helps, outcome.scenario.radius_m)
    if WAITS in (useful.value, near.value):
        return step
    template = (
        "{step} Only a scheme with an ε promises anything: {option} (the card Now), under which a reader is off by "
        "{now_useful} instead of {practice_reader}."
    )
    told = {
        "option": option_told(outcome.scenario),
        "now_useful": useful.value,
        "practice_reader": metres(zone.reader_m),
    }
    return sentence(template, step=step, **told)


def noise_promises() -> dict[str, str]:
    """What a practice with noise promises of one report, and why that is no promise about the track."""
    clusters = sentence(
        "Clustering: a new report has planar Laplace noise, and changes the odds of two places one radius apart by a factor "
        "of at most {noise_odds_factor}. It is repeated while you are within the radius of it. So a repeat says for certain "
        "that you are there, and no ε bounds that. In return, somebody at rest makes {rest_reports} reports on average, and "
        "not one at every timestamp.",
        noise_odds_factor=factor(LEVEL),
        rest_reports=amount(reports_at_rest(LEVEL)),
    )
    speeds = sentence(
        "Velocity-aware: planar Laplace noise, up to {noise_factor} times as strong where you move slowly or report often, "
        "compared with the rest of your track, and as much weaker where you move fast or report seldom. The strength depends "
        "on your speed and tells it, and no ε bounds that. Even for someone who knows your speeds, all reports of one place "
        "add up.",
        noise_factor=amount(FACTOR),
    )
    return {CLUSTERING: clusters, VELOCITY: speeds}


def practice_cards(asked: PracticeChoices, outcome: Outcome, found: Today) -> Cards:
    """The present scheme, then each practice, with the three answers."""
    cards = [Card("Now", option_told(outcome.scenario), three_answers(outcome))]
    known = {one.practice: one for one in found.rows}
    for practice in asked.chosen:
        one = known.get(practice)
        about = (
            practice.what
            if practice != (APPROXIMATE, 0.0, 0.0, ())
            else "A grid of 2 km with an offset that changes slowly"
        )
        if one is None:
            cards.append(Card(_title(practice), about, said="Being computed: the attack on it."))
        elif one.published is None:
            cards.append(Card(_title(practice), about, said=one.refused))
        else:
            answers = (_useful(one), _found(one, outcome.scenario.radius_m), PROMISED)
            cards.append(Card(_title(practice), about, answers))
    return Cards(TITLE, tuple(cards))


def _title(practice: Practice) -> str:
    return "All of these together" if practice.then else TITLES[practice.name]


PROMISED = Answer("Promised", NO_PROMISE, NO_GUARANTEE, "red", "no guarantee")


def _useful(one: Practised) -> Answer:
    worth = one.worth
    assert worth is not None
    look = "grey" if worth.verdict == "useless" else ""
    return Answer("Useful", metres(worth.reader), f"A reader {_off(one)}; {worth.words}.", look, "a reader's error")


def _off(one: Practised) -> str:
    left_out = any(step.name in (ZONE, ENDS, THINNING) for step in one.practice.steps)
    return "takes the way between published points" if left_out else "takes each place as published"


def _found(one: Practised, radius_m: float) -> Answer:
    if math.isinf(one.found_m):
        return Answer("Found", "nothing", one.refused or NO_GUARANTEE, "grey", "by this attack")
    near_m = one.range_m[0]
    look = "red" if near_m <= radius_m else "amber" if near_m <= AMBER * radius_m else "grey"
    line = sentence("{your} is found to within this distance.", your=one.your)
    short = sentence("from {your}", your=one.your)
    if of_draws := one.of_draws(radius_m):
        line = sentence("{your} is found to within this distance {of_draws}.", your=one.your, of_draws=of_draws)
        short = sentence("from {your}, {of_draws}", your=one.your, of_draws=of_draws)
    return Answer("Found", one.within(radius_m), line, look, short)


def _seen(one: Practised) -> str:
    """How the attacker gets there, in numbers."""
    looked = one.looked
    if isinstance(looked, ZoneFound):
        return _votes(one, looked)
    if isinstance(looked, PlaceFound) and one.practice.steps[-1].name == APPROXIMATE:
        return sentence(
            "{practice}: {practice_reports}, one an hour, leave {looked_area} that such a filter holds to contain the place "
            "nine times of ten.",
            practice=_title(one.practice),
            practice_reports=count(looked.reports, "report"),
            looked_area=_area(looked.area_m2),
        )
    if isinstance(looked, PlaceFound):
        return sentence(
            "{practice}: {practice_reports}, made where trips start or end and in long stays, leave {looked_area}. In "
            "simulated tracks such an area contains the place about nine times of ten.",
            practice=_title(one.practice),
            practice_reports=count(looked.reports, "report"),
            looked_area=_area(looked.area_m2),
        )
    return ""


def _votes(one: Practised, looked: ZoneFound) -> str:
    votes = sentence(
        "{practice}: {agreeing_ends} of {voting_ends} ends agree on {looked_area}, in {equal_places}.",
        practice=_title(one.practice),
        agreeing_ends=whole(looked.votes),
        voting_ends=whole(looked.ends),
        looked_area=_area(looked.area_m2),
        equal_places="one place" if looked.equal_places == 1 else _places(looked.equal_places),
    )
    if one.practice.steps != (one.practice,) or one.practice.name != ZONE:
        return votes
    template = "{votes} The points are dense: the next one would have been within {end_step}, so the border shows."
    if looked.too_far_apart:
        template = (
            "{votes} Its points are too far apart for votes: the next one would have been within {end_step}, more than half "
            "the radius. The same zone holds better here than on a track with a point every few seconds."
        )
    return sentence(template, votes=votes, end_step=metres(looked.step_m))


def _places(number: int) -> str:
    return sentence("{equal} separate places with as many votes", equal=whole(number))


def _area(area_m2: float) -> str:
    """An area as people say it: "0.17 ha", "3.1 km²"."""
    if area_m2 < 1e6:
        return Written(f"{area_m2 / 1e4:.2g} ha" if area_m2 < 1e5 else f"{area_m2 / 1e4:.0f} ha", area_m2 / 1e4)
    return Written(f"{area_m2 / 1e6:.2g} km²" if area_m2 < 1e8 else f"{area_m2 / 1e6:,.0f} km²", area_m2 / 1e6)


TABLE_LEGEND = (
    "★ hides the place and makes nothing worse that is computed here. A click on a row compares that practice; Undo returns. "
    "A reader wants to know all of the track."
)


def helps_table(found: Today, outcome: Outcome) -> Table:
    """What helps and what does not, on these data, and what it costs: the zone as it is, with each change, and the present
    scheme instead."""
    limit_m = outcome.scenario.radius_m
    rows = [("As it is", one, "") for one in found.rows if one.practice.name == ZONE and not one.practice.then]
    now = rows[0][1]
    rows += [(capital(helps.change), helps.found, helps.code) for helps in found.helps]
    columns = (
        Column("change", "with the zone"),
        Column("found_m"),
        Column("found", "found to within"),
        Column("reader_m", "a reader is off by", _metres, "right"),
        Column("left_out", "points left out", _share, "right"),
        Column("area_m2", "area looked at", _area_written, "right"),
        Column("equal_places", "equal places", str, "right"),
        Column("promised", "promised"),
    )
    made: list[tuple[Any, ...]] = [
        (name, one.shown_m, one.near(limit_m), one.reader_m, one.left_out, *_looked_at(one), NO_PROMISE)
        for name, one, _ in rows
    ]
    useful, near, promised = three_answers(outcome)
    told = sentence("Instead: {option}", option=option_told(outcome.scenario))
    made.append((told, math.nan, near.value, useful.value, 0.0, math.nan, "", promised.value))
    stars = tuple("★ " if one is not now and one.hides(limit_m) and not costs(now, one) else "" for _, one, _ in rows)
    acts = tuple({"op": "practise", "code": code} if code else None for *_, code in rows)
    return Table(
        "What helps, what does not, and what it costs", columns, tuple(made), acts=(*acts, None), signs=(*stars, "")
    )


def _metres(value: float | str) -> str:
    return value if isinstance(value, str) else metres(value)


def _share(left_out: float) -> str:
    return "" if math.isnan(left_out) else percent(left_out)


def _looked_at(one: Practised) -> tuple[float, str]:
    looked = one.looked
    if not isinstance(looked, ZoneFound):
        return math.nan, ""
    return looked.area_m2, "points too far apart" if looked.too_far_apart else whole(looked.equal_places)


def _area_written(area_m2: float) -> str:
    return "" if math.isnan(area_m2) else _area(area_m2)


def _values(one: Practised | None, limit_m: float) -> dict[str, Any]:
    """A row of the file: what is found as on the page, never nearer than that."""
    names = ("size", "moved_m", "reader_m", "left_out", "found_m", "found", "draws", "nearest_m", "farthest_m")
    if one is None:
        return dict.fromkeys((*names, "area_m2", "equal_places"), math.nan)
    looked, nearest = one.looked, [max(each, LEAST_M) for each in one.range_m]
    equal = looked.equal_places if isinstance(looked, ZoneFound) else math.nan
    near = one.shown_m, one.within(limit_m), max(len(one.draws), 1), *nearest
    numbers = (one.practice.size, one.practice.moved_m, one.reader_m, one.left_out, *near)
    area = math.nan if looked is None else looked.area_m2
    return {**dict(zip(names, numbers, strict=True)), "area_m2": area, "equal_places": equal}


def practices_csv(outcome: Outcome) -> str:
    """The practices that were compared, a row each, then what could be changed about a zone, for their owner's eyes."""
    found, limit_m = outcome.found(NAME) or Today(), outcome.scenario.radius_m
    asked = [(one.practice.code, "", one) for one in found.rows]
    asked += [(helps.found.practice.code, capital(helps.change), helps.found) for helps in found.helps]
    rows = [{"practice": code, "change": change, **_values(one, limit_m)} for code, change, one in asked]
    columns = [Column(key) for key in (rows[0] if rows else ("practice",))]
    return Table(TITLE, tuple(columns), tuple(tuple(row.values()) for row in rows)).csv(note=NOTE_OF_PRACTICES)


def _drawn(one: Practised | None, outcome: Outcome) -> Drawing:
    """The zone, what is published, and where the attacker looks, of the first practice, or of all together."""
    if one is None or one.published is None:
        return Drawing("practice", (None,), {"zones": [], "cell": [], "guess": []}, {})
    looked, target = one.looked, target_of(outcome.trajectory)
    cells = np.empty((0, 2)) if looked is None else looked.cells
    cells = cells[:: -(-len(cells) // MOST_DRAWN) or 1]
    sides: list[float] = []
    if looked is not None:
        sides = list(looked.cell_m) if isinstance(looked, PlaceFound) else [looked.cell_m, looked.cell_m]
    zones = [_circle(step, target, outcome.trajectory, one.seed) for step in one.practice.steps if step.name == ZONE]
    guess = [] if math.isnan(one.latitude) else [one.latitude, one.longitude]
    arrays = {
        "latitude": one.published.latitude,
        "longitude": one.published.longitude,
        "cell_latitude": cells[:, 0],
        "cell_longitude": cells[:, 1],
    }
    return Drawing("practice", (one,), {"zones": zones, "cell": sides, "guess": guess}, arrays, frozenset(arrays))


def _circle(step: Practice, target: Target, track: Trajectory, seed: Seed) -> list[float]:
    """Latitude and longitude of a zone's centre where it was moved to, degrees, and its radius, metres."""
    centre = track.frame.to_metres(target.latitude, target.longitude).reshape(1, 2)
    if step.moved_m:
        centre = moved_centres(centre, step.moved_m, np.random.default_rng(seed))
    latitude, longitude = track.frame.to_degrees(centre)
    return [float(latitude[0]), float(longitude[0]), step.size]
