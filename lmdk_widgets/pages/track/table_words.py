"""The settings of the table in sentences: the best one with its numbers, or what the nearest one misses."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from lmdk_widgets.answers.by_distance import loss_name
from lmdk_widgets.answers.found_places import found_text
from lmdk_widgets.answers.usefulness import estimate
from lmdk_widgets.page.amounts import amount, count, metres
from lmdk_widgets.page.sentences import Written, capital, join, sentence
from lmdk_widgets.pages.track.table_choices import (
    CONDITIONS,
    Judged,
    SettingsTableChoices,
    limit_found,
    limited,
    missed,
)
from lmdk_widgets.scenario.model import SPREADS
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.sweep.rows import SLACK, Row


class Lengths(NamedTuple):
    """How errors are written, and those estimated from draws; their unit, whether there are places, which have a radius, and
    what the loss is called."""

    write: Callable[[float], str] = metres
    estimate: Callable[[float], str] = metres
    unit: str = " m"
    placed: bool = True
    loss: str = "largest loss"


METRES = Lengths()


def lengths_of(outcome: Outcome) -> Lengths:
    """Those of an outcome's data."""
    drawn = partial(estimate, outcome)
    if outcome.kind.placed:
        return METRES._replace(estimate=drawn, loss=loss_name(outcome))
    unit = f" {outcome.kind.unit(outcome.trajectory)}".rstrip()
    return Lengths(outcome.ground.write, drawn, unit, False, loss_name(outcome))


def best_texts(
    rows: Sequence[Row], found: Judged, asked: SettingsTableChoices, done: bool, lengths: Lengths
) -> list[str]:
    """How many settings there are, and the best or the nearest of them."""
    good, so_far = sum(found.met), "" if done else " so far"
    said = [sentence("{settings}{so_far}.", settings=_settings_said(len(rows)), so_far=so_far)]
    broken = sum(row["theorem_sum"] > row.epsilon * (1 + SLACK) for row in rows)
    if broken:
        breaks = sentence(
            "{broken_settings} {breaks} the landmark Theorem: the landmarks and one other timestamp spend more than epsilon "
            "together.",
            broken_settings=_settings_said(broken),
            breaks="breaks" if broken == 1 else "break",
        )
        said.append(breaks)
    if limited(asked):
        meets = "meets" if good == 1 else "meet"
        meeting = "{good_settings} {meets} every condition."
        said.append(sentence(meeting, good_settings=_settings_said(good), meets=meets))
    taken = sum(row.from_track for row in rows)
    others = " of the others" if taken else ""
    if taken:
        takes = sentence(
            "{from_data_settings} {takes} cells, grid or plan from the data themselves, which no guarantee covers: none of "
            "those is called the best.",
            from_data_settings=_settings_said(taken),
            takes="takes its" if taken == 1 else "take their",
        )
        said.append(takes)
    text = join(said, " ")
    if found.best is None:
        return [text] if taken else [text, "None of them releases anything."]
    best = rows[found.best]
    if not found.met[found.best]:
        nearest = sentence("The nearest{others} is {setting}.", others=others, setting=called(best, lengths))
        return [text, " ".join((nearest, *_excesses(best, asked, lengths)))]
    among = "The least error" if not limited(asked) else "The least error among them" if good > 1 else "It is"
    among = f"The least error{others}" if taken else among
    setting = sentence("{among}: {setting}.", among=among, setting=called(best, lengths))
    return [text, f"{setting} {_numbers(best, lengths)}"]


def _settings_said(number: int) -> str:
    return capital(count(number, "setting"))


def called(row: Row, lengths: Lengths = METRES) -> str:
    """A setting in a few words: "Uniform, epsilon 0.5 at 200 m"."""
    at = sentence(" at {setting_radius}", setting_radius=Written(f"{row.radius_m:,.6g} m", row.radius_m))
    return sentence(
        "{scheme}, {spent} {setting_epsilon}{at}",
        scheme=SPREADS[row.scheme].title,
        spent=SPREADS[row.scheme].spent,
        setting_epsilon=Written(f"{row.epsilon:,.6g}", row.epsilon),
        at=at if lengths.placed else "",
    )


def _numbers(row: Row, lengths: Lengths) -> str:
    kept = "within" if row.kept else "above"
    error, within = error_said(row, lengths, "about"), within_said(row, lengths)
    loss, together, spent = (amount(row[name]) for name in ("pair_loss", "landmark_loss", "theorem_sum"))
    radius = sentence(" 95 % radius {setting_radius95},", setting_radius95=within)
    return sentence(
        "Mean error {setting_error},{radius} {loss_name} {setting_loss}, landmarks together {setting_together}; Theorem's "
        "sum {setting_sum}, {kept} its {spent}.",
        setting_error=error,
        radius="" if math.isnan(row["radius95_m"]) and not lengths.placed else radius,
        loss_name=lengths.loss,
        setting_loss=loss,
        setting_together=together,
        setting_sum=spent,
        kept=kept,
        spent=SPREADS[row.scheme].spent,
    )


def _excesses(row: Row, asked: SettingsTableChoices, lengths: Lengths) -> list[str]:
    """A sentence for each condition that is missed, and by how much."""
    said: list[str] = []
    for name in missed(row, asked):
        if name == "kept":
            exceeds = sentence(
                "Its Theorem's sum of {setting_sum} exceeds its {spent} by {over_sum}.",
                setting_sum=amount(row["theorem_sum"]),
                spent=SPREADS[row.scheme].spent,
                over_sum=amount(row["theorem_sum"] - row.epsilon),
            )
            said.append(exceeds)
            continue
        if name == "least_found_m":
            limit = limit_found(asked)
            nearer = sentence(
                "A lasting place is found to within {setting_found}, nearer than {found_limit}.",
                setting_found=found_text(row["found_within_m"], limit_m=limit),
                found_limit=Written(f"{limit:,.6g}{lengths.unit}", limit),
            )
            said.append(nearer)
            continue
        measure, what, is_length = CONDITIONS[name]
        written = lengths.write if is_length else amount
        value, limit = row[measure], getattr(asked, name)
        above = sentence(
            "Its {what} of {missed_value} is {missed_by} above {missed_limit}.",
            what=lengths.loss if measure == "pair_loss" else what,
            missed_value=written(value),
            missed_by=written(value - limit),
            missed_limit=Written(f"{limit:,.6g}{lengths.unit if is_length else ''}", limit),
        )
        said.append(above)
    return said


def error_said(row: Row, lengths: Lengths, about: str = "≈") -> str:
    """A row's mean error; the mean of draws is marked, and has no more digits than they carry."""
    error = row["error_m"]
    if row.exact or math.isnan(error):
        return lengths.write(error)
    return sentence("{about} {drawn_error}", about=about, drawn_error=lengths.estimate(error))


def within_said(row: Row, lengths: Lengths) -> str:
    """A row's 95 % radius, which is that of one draw where budgets depend on the release."""
    write = lengths.estimate if SPREADS[row.scheme].online else lengths.write
    return write(row["radius95_m"])
