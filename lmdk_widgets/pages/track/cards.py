"""Settings side by side as cards: the present one, the pinned one, and a scheme proposed instead.

Each shows the three answers. Of the schemes that promise at least as much about the landmarks with any one other
moment, and let no lasting place be found nearer, the proposal has the smallest error for a careful reader, if that is
noticeably smaller than now or the promise is noticeably stronger. One under which no answer is worse comes first; of
another it is said what gets worse, and by how much.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

from lmdk_widgets.answers.answer_changes import found_shift, shifts, worse_words
from lmdk_widgets.answers.exposure import found_circle, found_measure
from lmdk_widgets.answers.from_track import noted
from lmdk_widgets.answers.promises import Promised
from lmdk_widgets.answers.release_as_data import RELEASE_NAME
from lmdk_widgets.answers.usefulness import MOST_DRAWS, useful_of
from lmdk_widgets.io import NOTE
from lmdk_widgets.page.blocks import Act, Card, Cards
from lmdk_widgets.page.cards import CHANCE, NOTICED, TITLE, USE, side_by_side, titled
from lmdk_widgets.page.choices import Choices
from lmdk_widgets.page.drawing import Drawing, Message
from lmdk_widgets.page.fields import flag
from lmdk_widgets.page.panel import Panel
from lmdk_widgets.page.runner import Progress
from lmdk_widgets.page.sentences import sentence
from lmdk_widgets.pages.track.compared_option import answered, differing, option_told, three_answers, unanswered
from lmdk_widgets.pages.track.release_drawing import small_pictures
from lmdk_widgets.pages.track.unit_names import unit_name
from lmdk_widgets.scenario.evaluation import Fresh, evaluate, release_for_files
from lmdk_widgets.scenario.model import Scenario
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.sweep.rows import SLACK, Measures, compared_schemes, read, row_of, served

CARDS_NOTE = f"{NOTE}; the errors are computed from the true data: never publish them"

TRIED = "Trying other schemes."
NONE_SAID = "No other scheme that promises as much about {who}, and lets no more be found, is noticeably better."
PROPOSED = (
    "The smallest error for a careful reader among the schemes that promise as much about {who} and let no more be "
    "found."
)
ASSUMES = f"Promises hold if moments are independent; {CHANCE}"
ONE_DRAWN = "Only the present setting is drawn: each release spends its budget."

_LOSS = Measures(("together", "one"), lambda o: (Promised(o).together_loss, Promised(o).one_loss))


@dataclass(frozen=True)
class CardChoices(Choices):
    """Compute a proposal to compare with the present setting."""

    open: bool = flag(False, TITLE)


class Proposed(NamedTuple):
    """How many schemes have been tried, of how many. outcome : the proposal, once all are tried; None for none."""

    tried: int
    of: int
    outcome: Outcome | None = None


class SettingCards(Panel):
    NAME = "cards"
    OPEN: ClassVar = {"cards.open": True}
    FILES: ClassVar = {"cards": lambda choices, outcome: cards_csv(outcome)}

    def asked(self, choices: Any, outcome: Outcome) -> Hashable | None:
        if outcome.trajectory.name == RELEASE_NAME:
            return None
        return outcome.scenario.released.with_changes(average=False), outcome.trajectory

    def compute(self, choices: Any, outcome: Outcome) -> Iterator[Proposed]:
        schemes = [name for name in compared_schemes(outcome.scenario) if name != outcome.scenario.scheme]
        best: Other | None = None
        for k, scheme in enumerate(schemes, start=1):
            yield Proposed(k, len(schemes))
            found = _other(outcome, scheme)
            if found is not None and (best is None or found < best):
                best = found
        yield Proposed(len(schemes), len(schemes))
        if best is not None:
            whole = unanswered(evaluate(best.scenario, outcome.trajectory))
            for better in answered(whole):
                whole = better
                yield Proposed(len(schemes), len(schemes))
            yield Proposed(len(schemes), len(schemes), whole)

    def progress(self, choices: Any, outcome: Outcome) -> Progress:
        found: Proposed | None = outcome.found(self.NAME)
        done, of = (0, 1) if found is None else found[:2]
        return Progress("Looking for a scheme that promises as much with a smaller error.", done / of)

    def ended(self, choices: Any, outcome: Outcome) -> str:
        return "before a scheme was proposed"

    def text(self, choices: Any, outcome: Outcome) -> Message:
        return {"cards": setting_cards(outcome).message()}

    def drawings(self, choices: Any, outcome: Outcome) -> Iterable[Drawing]:
        beside = _beside(outcome)
        circles = [(circle := found_circle(one)) and circle.message() for one in beside.values()]
        arrays = {}
        if (proposed := beside.get("Proposed")) is not None:
            names = ("latitude", "longitude") if proposed.kind.placed else ("values",)
            arrays = {name: proposed.array(name) for name in names}
        described = {"circles": dict(zip(beside, circles, strict=True))}
        yield Drawing("proposed", tuple(beside.values()), described, arrays, frozenset(arrays))


class Other(NamedTuple):
    """A scheme that can be proposed: whether less is promised about one moment than now, its reader's error, what the
    landmarks with one other moment lose, and its setting."""

    worse: bool
    reader: float
    together: float
    scenario: Scenario

    def __lt__(self, other: tuple[Any, ...]) -> bool:
        return self[:3] < tuple(other[:3])


def _other(outcome: Outcome, scheme: str) -> Other | None:
    """Another scheme; None where it promises less about the landmarks than the present one, lets more be found, is no
    better, needs another mechanism, takes something from the data, or is impossible."""
    present, data = outcome.scenario.with_changes(average=False), outcome.trajectory
    other, now = present.with_changes(**served(present, scheme)), useful_of(outcome)
    if other.mechanism != present.mechanism or now is None:
        return None
    promised = Promised(outcome)
    row, most = row_of(other, data, _LOSS), promised.together_loss
    if row.refused or row.from_track or row["together"] > most * (1 + SLACK):
        return None
    worth = read(row, other, data, MOST_DRAWS).worth
    stronger = row["together"] <= NOTICED * most
    if worth is None or worth.reader > now.reader * (1 if stronger else NOTICED):
        return None
    found = found_shift(outcome, evaluate(other, data))
    if found is not None and found.worse:
        return None
    return Other(row["one"] > promised.one_loss * (1 + SLACK), worth.reader, row["together"], other)


def _beside(outcome: Outcome) -> dict[str, Outcome]:
    """The outcomes to compare with the present one, by the names of their cards."""
    pinned: Outcome | None = outcome.found("side_by_side")
    found: Proposed | None = outcome.found(SettingCards.NAME)
    proposed = None if found is None else found.outcome
    return {name: one for name, one in (("Pinned", pinned), ("Proposed", proposed)) if one is not None}


def setting_cards(outcome: Outcome) -> Cards:
    """The cards of the page: an empty one where nothing is pinned, or nothing proposed yet."""
    beside, names, pinned = _beside(outcome), _differing(outcome), None
    if "Pinned" in beside:
        pinned = _card("Pinned", beside["Pinned"], names, Act(USE, {"op": "swap"}))
    return side_by_side(_card("Now", outcome, names), pinned, _proposed(outcome, names), ASSUMES)


def _proposed(outcome: Outcome, names: Iterable[str]) -> Card | str:
    found = _beside(outcome).get("Proposed")
    if found is None:
        result = outcome.results.get(SettingCards.NAME)
        return _said(NONE_SAID, outcome) if result is not None and result.done else TRIED
    go = {"op": "go", "scheme": found.scenario.scheme, "mechanism": found.scenario.mechanism}
    said = _said(PROPOSED, outcome) + costs(outcome, found)
    return replace(_card("Proposed", found, names, Act(USE, go)), said=said)


def costs(now: Outcome, other: Outcome) -> str:
    """What a proposal makes worse, and by how much; "" for nothing."""
    worse = worse_words(shifts(now, other))
    return sentence(" But {worse}.", worse=worse) if worse else ""


def _said(text: str, outcome: Outcome) -> str:
    return text.format(who=Promised(outcome).who or "one moment")


def _differing(outcome: Outcome) -> list[str]:
    pinned = _beside(outcome).get("Pinned")
    return [] if pinned is None else differing(pinned.scenario, outcome.scenario)


def _card(name: str, outcome: Outcome, names: Iterable[str], act: Act | None = None, picture: str = "") -> Card:
    about, answers = option_told(outcome.scenario, names), three_answers(outcome)
    return Card(name, about, answers, act=act, values=_values(outcome), picture=picture)


def _values(outcome: Outcome) -> dict[str, Any]:
    """What a file records of a setting."""
    scenario, promised, found = outcome.scenario, Promised(outcome), useful_of(outcome)
    worth = dict.fromkeys(("reader_error_m", "spread_m", "nothing_m"), float("nan"))
    if found is not None:
        worth = {"reader_error_m": found.reader, "spread_m": found.spread, "nothing_m": found.nothing}
    errors = worth | {"found_within_m": found_measure(outcome)}
    return {
        **{name: scenario[name] for name in ("scheme", "mechanism")},
        "epsilon": outcome.allowed,
        **({"radius_m": scenario.radius_m} if outcome.kind.placed else {}),
        **{unit_name(name, outcome.trajectory): value for name, value in errors.items()},
        "promised_one": promised.one,
        "promised_landmarks": promised.together,
        "scheme_title": scenario.spread.title,
    }


def report_cards(outcome: Outcome, fresh: Fresh | None) -> Cards:
    """The cards of a report, without empty ones. Small maps are drawn only for a sample, as each release of a person's
    own data spends its budget.

    Parameters
    ----------
    fresh : the release of the present setting in the files of this outcome; None: none is drawn.
    """
    each, names = {"Now": outcome, **_beside(outcome)}, _differing(outcome)
    pictures, several = [""] * len(each), len(each) > 1
    drawn = several and bool(outcome.scenario.track)
    if drawn and fresh is not None:
        releases = [fresh, *(release_for_files(one.scenario, one.trajectory) for one in _beside(outcome).values())]
        pictures = small_pictures(outcome, zip(each, releases, strict=True))
    cards = [_card(*one, names, picture=picture) for one, picture in zip(each.items(), pictures, strict=True)]
    note = f"{ASSUMES} {ONE_DRAWN}" if several and not drawn else ASSUMES
    return titled(cards, note)


def cards_csv(outcome: Outcome) -> str:
    """The settings compared, one row each, with a note."""
    cards = report_cards(outcome, None)
    scenarios = [outcome.scenario, *(one.scenario for one in _beside(outcome).values())]
    return cards.csv(note=[noted(CARDS_NOTE, one, outcome.trajectory) for one in scenarios], digits=7)
