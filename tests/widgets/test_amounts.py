"""Numbers in sentences (Python) and numbers in the page (JavaScript) are written alike."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lmdk_widgets.scenario.base.amounts import amount

FORMAT = Path(__file__).parents[2] / "frontend" / "src" / "format.js"


@pytest.mark.browser
def test_python_and_the_page_write_a_number_alike(chromium: Any) -> None:
    rng = np.random.default_rng(3)
    values = [
        *np.exp(rng.uniform(-2.2, 6, 3000)),
        *(k / 1000 for k in range(100, 1000)),
        *(k / 200 for k in range(2000)),
    ]
    source = FORMAT.read_text("utf-8").replace("export function", "function")
    view = chromium.new_page()
    try:
        single = [float(np.float32(value)) for value in values]  # arrays travel in single precision
        said = view.evaluate(f"values => {{ {source}\n return values.map(amount); }}", single)
    finally:
        view.close()
    different = [(v, amount(v), s) for v, s in zip(values, said, strict=True) if v >= 0.1 and amount(v) != s]
    assert not different, json.dumps(different[:10])
