"""The table of many settings as a message: it is sent when its rows, its conditions or the present setting change."""

from __future__ import annotations

from lmdk_widgets.page.drawing import Drawing
from lmdk_widgets.scenario.outcome import Outcome
from lmdk_widgets.scenario.settings_model import asked_of
from lmdk_widgets.scenario.settings_words import (
    MOST_SHOWN,
    judged,
    lengths_of,
    limited,
    shown_rows,
    table_texts,
)


def table_drawing(outcome: Outcome) -> Drawing:
    """The form, the first rows in their order and the sentences."""
    scenario, table = outcome.scenario, outcome.settings
    asked = asked_of(scenario.table_of)
    spent = getattr(scenario, scenario.spread.spent)
    here = scenario.scheme, spent, scenario.radius_m
    described = {
        "form": asked.form(),
        "texts": table_texts(outcome),
        "waits": table is None or not table.done,
        "cells": [],
        "go": [],
        "met": [],
        "best": -1,
        "chosen": -1,
    }
    if table is not None and table.rows:
        found = judged(table, asked)
        first = found.order[:MOST_SHOWN]
        go = [(table.rows[k].scheme, table.rows[k].epsilon, table.rows[k].radius_m) for k in first]
        described |= {
            "cells": shown_rows(table, found, lengths_of(outcome)),
            "go": [list(setting) for setting in go],
            "met": [limited(asked) and found.met[k] for k in first],
            "best": first.index(found.best) if found.best in first and found.met[found.best] else -1,
            "chosen": go.index(here) if here in go else -1,
        }
    return Drawing("table", (table, scenario.table_of, *here), described, {})
