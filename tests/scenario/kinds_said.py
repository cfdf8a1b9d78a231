"""What the track page says of each kind of data in some settings; run as a program, with every sentence worded otherwise.

The program puts a mark after each space of every text in the modules that word something, but for the words of the kinds
themselves, and prints what is said then. Code that looks for a sentence finds it no longer.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import json
import re
import sys
from collections.abc import Sequence
from types import CodeType, ModuleType
from unittest.mock import patch

import numpy as np

MARK = "~"
"""What every other wording has, and no sentence."""

WORDED = re.compile(
    r"lmdk_widgets\.(answers\.(guarantee|averaging_attack|exposure|promises|usefulness|odds|by_hand_words|region_words"
    r"|dummies|release_as_data)|pages\.track\.(words|chart_texts|attacker|inverse))"
)


class Reworded(importlib.machinery.SourceFileLoader):
    """Loads a module with a mark after each space between two words of its texts."""

    def source_to_code(self, data, path, *, _optimization=-1) -> CodeType:  # type: ignore[no-untyped-def,override]
        tree = ast.parse(data)
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                node.value = re.sub(r"(?<=[\w,.;:}]) (?=[\w{])", f" {MARK}", node.value)
        return compile(ast.fix_missing_locations(tree), path, "exec")

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)  # never from a cache, nor into one


class Rewording(importlib.abc.MetaPathFinder):
    """Finds the modules that word something."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if not WORDED.fullmatch(fullname):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is not None and spec.origin is not None:
            spec.loader = Reworded(fullname, spec.origin)
        return spec


if __name__ == "__main__":
    sys.meta_path.insert(0, Rewording())

from lmdk_widgets.answers.exposure import attacker_sentences, first_answers  # noqa: E402
from lmdk_widgets.answers.usefulness import useful_answer, useful_of, useful_scale, useful_sentence  # noqa: E402
from lmdk_widgets.pages.track.belief_words import describe_adversary  # noqa: E402
from lmdk_widgets.pages.track.chart_texts import describe_chain, summarise  # noqa: E402
from lmdk_widgets.pages.track.choices import TrackChoices  # noqa: E402
from lmdk_widgets.pages.track.fitting_choices import brought, fitting  # noqa: E402
from lmdk_widgets.pages.track.inverse import inverse_rows  # noqa: E402
from lmdk_widgets.scenario import describe  # noqa: E402
from lmdk_widgets.scenario.model import ALL_SCHEMES  # noqa: E402
from lmdk_widgets.trajectory import Series, Trajectory, sample  # noqa: E402
from tests.landmark_choices import finished  # noqa: E402
from tests.sweeps import FULL  # noqa: E402

HOURS = np.datetime64("2026-01-26T08:00") + np.arange(8) * np.timedelta64(6, "h")
DATA: dict[str, Trajectory] = {
    "track": sample("bob"),
    "numbers": Series(HOURS, (0, 2), values=[1, 4, 2, 9, 3, 3, 8, 5], unit="kWh", lower=2.0, upper=9.0),
    "answers": Series(HOURS, (0, 2), values=[1, 0, 0, 1, 1, 1, 0, 1], kind="answers"),
}
"""One of each kind."""

METRES = (" m ", " km", "radius", "planar Laplace", "the map", "where you were")
FOREIGN: dict[str, tuple[str, ...]] = {
    "track": ("kWh", "the bounds", "Laplace noise", "level of", "two answers", "the chart"),
    "numbers": (*METRES, "andomised response", "two answers", "answer", "cell"),
    "answers": (*METRES, "kWh", "the bounds", "Laplace noise", "cell", "the levels"),
}
"""What would be false of each kind: mechanisms that it does not use, and lengths and bounds that it does not have."""

FOLLOWED = {"attacker.open": True, "attacker.start": "track", "correlation": "moderate"}
SETTINGS: tuple[dict[str, object], ...] = (
    *(
        {"scheme": scheme, "correlation": "moderate", "attacker.open": True, "inverse.open": True}
        for k, scheme in enumerate(ALL_SCHEMES)
        if FULL or k % 6 == 0 or scheme == "weighted"
    ),
    {"landmarks": (), "scheme": "uniform", "correlation": "estimated", "adversary": "any"},
    {"landmarks": (), "scheme": "event", "correlation": "none"},
    {"landmarks": (), "scheme": "given", "budgets": (0.0,) * 4 + (1.0,) * 4},
    {"landmarks": (), "scheme": "given", "budgets": (0.0,) * 8},
    {"landmarks": tuple(range(8)), "scheme": "uniform", "correlation": "matrix", "matrix": ((0.9, 0.1), (0.0, 1.0))},
    {"scheme": "skip", "landmarks": (1,), "correlation": "strength", **FOLLOWED},
    {"scheme": "skip", "landmarks": tuple(range(7)), "correlation": "none"},
    {"scheme": "uniform", "mechanism": "randomised", "attacker.open": True, "correlation": "moderate"},
    {"scheme": "given", "budgets": (1.0,) + (0.0,) * 7, "landmarks": (0,), "correlation": "moderate"},
    {"scheme": "uniform", **FOLLOWED, "attacker.start": "days", "attacker.moves": "near"},
    {"scheme": "budget-absorption", "window": 2, **FOLLOWED, "attacker.moves": "track", "adversary": "past"},
    {"scheme": "uniform", "correlation": "none", "attacker.open": True, "average": True, "bounds": "data"},
    {
        "scheme": "uniform",
        "correlation": "none",
        "attacker.open": True,
        "landmarks": (0,),
        "bounds": "stated",
        "upper": 4.0,
    },
)
"""Settings in which most sentences are said, by day under each sixth scheme and the one that gives landmarks more noise."""


def choices_in(data: Trajectory, settings: dict[str, object]) -> TrackChoices:
    """Settings, as the page fits them to the data."""
    choices = brought(TrackChoices(), data, DATA["track"]).with_changes(**{"track": ""} | settings)
    return fitting(choices, data).choices


@patch("lmdk_widgets.answers.usefulness.MOST_DRAWS", 2)  # what is said, and not how far anyone is off
def all_said(data: Trajectory) -> list[str]:
    """Everything that is said of data in all settings."""
    said = []
    for settings in SETTINGS:
        choices = choices_in(data, settings)
        outcome = finished(choices, data)
        words = describe(outcome)
        said += [words.paragraph, words.assumption, *words.warnings, summarise(outcome), describe_chain(outcome)]
        for texts in describe_adversary(choices.attacker, outcome).values():
            said += texts
        said += [*attacker_sentences(outcome), *(answer.line for answer in first_answers(outcome))]
        if (useful := useful_of(outcome)) is not None:
            said += [useful_answer(outcome).line, useful_sentence(useful, outcome), useful_scale(useful, outcome).said]
        said += [row["text"] for row in inverse_rows(choices.inverse, outcome)]
    return said


if __name__ == "__main__":
    print(json.dumps({name: all_said(data) for name, data in DATA.items()}))
