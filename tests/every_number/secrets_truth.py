"""The odds of a secret over time on Track: the days from the clock, the known hours from their reports, and the unknown
hours by paths that avoid a place."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import islice
from statistics import median
from typing import Any

import numpy as np

from lmdk_widgets.answers.main_places import named_places_of
from lmdk_widgets.answers.secrets_over_time import Secret, secret_of
from lmdk_widgets.answers.usefulness import releases
from lmdk_widgets.inference import known_hours
from lmdk_widgets.page.amounts import metres
from lmdk_widgets.pages.track.page import TrackPage
from tests.answers.secret_paths import slow_log_odds
from tests.every_number.claims import Wrong
from tests.every_number.landmarks_truth import LandmarkTruth
from tests.every_number.named import Given, Whole

MILLION = math.log(1e6)
DRAWS = 20


class SecretsTruth(LandmarkTruth):
    """What each adversary learns of the secret that is asked about."""

    def __init__(self, page: TrackPage) -> None:
        super().__init__(page.outcome, page.session.choices)
        self.page, self.asked = page, page.session.choices.secrets
        self.secret: Secret = secret_of(page.outcome, self.asked.asked)
        self.days_of = [str(self.clock_of(t))[:10] for t in range(self.n)]
        self.here = np.flatnonzero(named_places_of(self.track)[self.asked.place].members).tolist()

    def clock_of(self, t: int) -> Any:
        from zoneinfo import ZoneInfo

        zone = "UTC" if self.s.utc else self.track.zone or "UTC"
        return (
            self.track.time[t].astype("datetime64[s]").item().replace(tzinfo=ZoneInfo("UTC")).astimezone(ZoneInfo(zone))
        )

    @property
    def chosen(self) -> list[int]:
        asked = self.asked
        part = {"always": range(self.n), "landmarks": self.s.landmarks, "part": range(asked.first, asked.last + 1)}
        return [t for t in part[asked.when] if t < self.n]

    @property
    def asked_days(self) -> int:
        return len({self.days_of[t] for t in self.chosen})

    @property
    def least_days(self) -> int:
        return self.asked_days // 2 + 1 if self.asked.kind == "home" else min(self.asked.least, self.asked_days)

    @property
    def apart_m(self) -> float:
        return math.dist(self.secret.here_m, self.secret.there_m)

    @property
    def at_place(self) -> list[int]:
        return [t for t in self.chosen if t in self.here]

    @property
    def there(self) -> str:
        place = named_places_of(self.track)[self.asked.place]
        return f"at {place.name if place.name in ('home', 'work') else place.your}"

    @property
    def other(self) -> str:
        if not self.asked.other:
            return f"a point {metres(self.apart_m)} away"
        return named_places_of(self.track)[self.asked.other - 1].called

    @property
    def reports(self) -> int:
        return int(median(sum(own[t] > 0 for t in self.at_place) for own in self.owns))

    def known(self) -> list[float] | None:
        """Before, after, half, tenth."""
        at = self.at_place
        if not at or not any(own[t] > 0 for own in self.owns for t in at):
            return None
        rows = [known_hours([own[t] for t in at], self.apart_m, self.s.radius_m) for own in self.owns]
        drawn = next(releases(self.o))
        after = sum(
            (drawn.budgets[t] - drawn.comparison_budget)
            / self.s.radius_m
            * (math.dist(drawn.outputs[t], self.secret.there_m) - math.dist(drawn.outputs[t], self.secret.here_m))
            for t in at
            if drawn.published[t]
        )
        return [0.0, after, median(row.half for row in rows), median(row.tenth for row in rows)]

    def unknown(self) -> list[float]:
        """The same of someone who does not know the hours."""
        visits = len({self.days_of[t] for t in self.at_place}) >= self.least_days
        sign = -1 if self.asked.kind == "days" and not visits else 1
        before = sign * slow_log_odds(self.secret, None, np.zeros(self.n))
        after = []
        for drawn in islice(releases(self.o), DRAWS):
            spent = np.where(drawn.published, drawn.budgets - drawn.comparison_budget, 0.0)
            after.append(sign * slow_log_odds(self.secret, np.nan_to_num(drawn.outputs), spent))
        changes = np.array(after) - before
        return [before, after[0], *np.quantile(changes, (0.5, 0.9)).tolist()]

    def table(self, rows: list[list[str]]) -> None:
        """Each row; what bounds every release is held by the tests of `answers.secrets_over_time`."""
        for who, *texts in rows:
            values = self.known() if who == "knows the hours" else self.unknown()
            assert values is not None
            for text, value, ratio in zip(texts, values, (True, True, False, False), strict=False):
                if not says(text, value, ratio):
                    raise Wrong(f"{who}: {text} is {value}; all of it {texts}, {values}")
            most = float(texts[-1][1:].replace(",", "")) if texts[-1] != "no promise" else math.inf
            if any(
                math.exp(min(abs(value), 700)) > most * (1 + 1e-6) for value in (values[1] - values[0], *values[2:])
            ):
                raise Wrong(f"{who}: {texts} passes its bound")


def says(text: str, value: float, ratio: bool) -> bool:
    """Whether odds, or a factor, are those of a logarithm."""
    if abs(value) > MILLION * (1 + 1e-6):
        whole = ("over 10⁶ : 1", "below 1 : 10⁶") if ratio else ("over ×10⁶", "over ÷10⁶")
        return text == whole[bool(value < 0)]
    if "10⁶" in text:
        return abs(abs(value) - MILLION) < 1e-2
    number = text.replace("1 : ", "").replace(" : 1", "") if ratio else text[1:]
    down = text.startswith("1 : ") and text != "1 : 1" if ratio else text.startswith("÷")
    factor = math.exp(abs(value))
    if factor < 1.02:  # written as 1 up to there, in either direction
        return number in ("1", "1.01", "1.02")
    step = 0.01 if factor < 1.1 else 10 ** (math.floor(math.log10(factor)) - 1)  # two digits
    return (
        down == (value < 0) and abs(float(number.replace(",", "")) - factor) <= 0.51 * max(step, 0.01) + 4e-3 * factor
    )


SECRETS: Mapping[str, Any] = {
    "asked_days": "asked_days",
    "least_days": "least_days",
    "secret_distance": "apart_m",
    "secret_reports": "reports",
    "secret_cells": lambda t: len(t.secret.reading.points),
    "secret_side": lambda t: t.secret.reading.area.cell_m,
    "secret_draws": lambda t: DRAWS,
    "there": Given(lambda t, values: t.there),
    "other": Whole(lambda t, values: t.other),
}

SECRET_WORDS = ("one in ten", "two statements")
"""Numbers in words that are the same for all secrets."""
