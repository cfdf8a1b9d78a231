"""Numbers in sentences (Python) and numbers in the page (JavaScript) are written alike, at every magnitude."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.page.amounts import amount, bound, metres, percent

FORMAT = Path(__file__).parents[3] / "frontend" / "src" / "page" / "format.js"
NOT_FINITE = {"inf": float("inf"), "nan": float("nan")}


def anything() -> list[float]:
    """Numbers of all magnitudes, which single precision holds exactly."""
    rng = np.random.default_rng(3)
    return [float(np.float32(value)) for value in np.exp(rng.uniform(np.log(1e-12), np.log(1e12), 6000))]


def halves() -> list[float]:
    """Numbers half way between two that can be written, or nearly: single precision makes them a little larger or smaller."""
    return [
        0.0,
        *(float(f"{digit}e{power}") for power in range(-9, 10) for digit in (1, 1.05, 1.25, 1.5, 2.5, 5, 9.95, 9.995)),
        *(k / 1000 for k in range(1200)),
        *(k / 200 for k in range(2000)),
    ]


@pytest.mark.each_case
@pytest.mark.browser
@pytest.mark.parametrize("written", [amount, bound, metres, percent])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_python_and_the_page_write_a_number_alike(chromium: Any, written: Any, kind: type) -> None:
    source = FORMAT.read_text("utf-8").replace("export ", "")
    most = {percent: 1, bound: 1e4}.get(
        written, float("inf")
    )  # from there on single precision is too coarse for a bound
    some = [value for value in (*anything(), *halves()) if value <= most]
    odd = {"nan": float("nan")} if written is percent else NOT_FINITE
    given = [*some, *odd.values()]
    sent = [*(float(kind(value)) for value in some), *odd]  # JSON knows neither infinity nor nan
    view = chromium.new_page()
    try:
        script = f"values => {{ {source}\n return values.map((v) => {written.__name__}({{inf: 1 / 0, nan: NaN}}[v] ?? v)); }}"
        said = view.evaluate(script, sent)
    finally:
        view.close()
    different = [(v, written(v), s) for v, s in zip(given, said, strict=True) if written(v) != s]
    assert not different, json.dumps(different[:10])


def test_a_number_keeps_what_matters_of_it() -> None:
    for value in (*anything(), *halves()):
        if 1e-9 <= value < 1e9:
            assert float(amount(value).replace(",", "")) == pytest.approx(value, rel=0.051 if value < 0.1 else 0.0051)


def test_what_is_no_number_is_said() -> None:
    assert [amount(float("inf")), amount(float("nan")), metres(float("nan")), percent(float("nan"))] == [
        "no bound",
        *["none"] * 3,
    ]
