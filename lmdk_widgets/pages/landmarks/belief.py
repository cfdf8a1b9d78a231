"""What an adversary believes, in the report of the landmark page: from the release that is in the report, at one timestamp.

The release on the screen has the noise of the seed: drawn beside that of the files it would spend the budget again. So she is
shown the release of the files, and the map says nothing of where on Earth it is.
"""

from __future__ import annotations

from dataclasses import replace

from lmdk_widgets.io.report import paragraph, picture
from lmdk_widgets.io.report_drawings import HALF, MOST, belief_svg
from lmdk_widgets.page.amounts import count, metres, percent
from lmdk_widgets.scenario.adversary import SHARES, infer
from lmdk_widgets.scenario.clock import clock
from lmdk_widgets.scenario.evaluation import Fresh
from lmdk_widgets.scenario.following import at_hand
from lmdk_widgets.scenario.her_levels import Levels
from lmdk_widgets.scenario.outcome import Outcome

HABITS = (
    "Her belief is not drawn: she knows this very track or its other days, and a drawing would show them to whoever has "
    "the file."
)


def belief_pieces(outcome: Outcome, fresh: Fresh) -> list[str]:
    """Her belief at the timestamp that is looked at as a drawing, or why there is none."""
    if at_hand(outcome) is None:
        return []
    if not outcome.scenario.track and knows_habits(outcome):
        return [paragraph(HABITS, "quiet")]
    scenario = outcome.scenario
    filed = replace(
        outcome, latitude=fresh.latitude, longitude=fresh.longitude, published=fresh.published, budgets=fresh.budgets
    )
    found = infer(filed)
    if isinstance(found.area, Levels):
        return []
    at = min(scenario.infer_at, len(found) - 1)
    marks = found.marked(slice(at, at + 1))[0]
    half, most = (count(int((marks & bit > 0).sum()), "cell") for bit in (HALF, MOST))
    labels = outcome.trajectory.labels
    name = f"{labels[at]}, " if labels else ""
    summary = (
        f"What she believes of {name}{clock(scenario, outcome.trajectory, at)}, from the released points of this file: the "
        f"darker a cell, the likelier, from 0.1 % on. The line holds {percent(SHARES[0])} of her belief, in {half}, the "
        f"dashed one {percent(SHARES[1])}, in {most}; the star is her best guess. A cell is {metres(found.area.cell_m)} wide."
    )
    return [
        picture(
            belief_svg(found.area.squares, marks, int(found.guess[at]), "Map of what an adversary believes"), summary
        )
    ]


def knows_habits(outcome: Outcome) -> bool:
    """Whether what she knows beforehand comes from the track itself."""
    scenario = outcome.scenario
    estimated = scenario.infer_moves == "page" and scenario.correlation == "estimated"
    return estimated or bool({"days", "track"} & {scenario.infer_start, scenario.infer_moves})
