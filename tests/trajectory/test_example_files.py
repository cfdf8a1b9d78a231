"""Every format has an example, and each example becomes what it must."""

from __future__ import annotations

import random
import time
import tracemalloc
import warnings

import pytest

from lmdk_widgets import load
from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.exports import EXPORTS
from lmdk_widgets.trajectory.formats import FORMATS
from lmdk_widgets.trajectory.opened import UPLOADED
from lmdk_widgets.trajectory.series_reader import load_data
from tests.trajectory.example_files import FILES, Example
from tests.trajectory.test_load_fuzz import mutated
from tests.trajectory.test_real_shapes import answered


def test_every_format_and_suffix_has_an_example() -> None:
    said = {example.said for example in FILES}
    assert {one.name for one in (*FORMATS, *EXPORTS)} - said <= {"JSON"} and any(one.said == "JSON" for one in FILES)
    packed = set(UPLOADED.split(",")) - {suffix for format in FORMATS for suffix in format.suffixes}
    assert packed <= {f".{example.name.rpartition('.')[2]}" for example in FILES}


@pytest.mark.parametrize("example", FILES, ids=lambda example: example.name)
def test_an_example_is_read(example: Example) -> None:
    if example.library:
        pytest.importorskip(example.library)
    found, asked = answered(example.made(), accept=False)
    assert (len(found), found.format) == (example.count, example.said)
    assert bool(asked) == bool(example.click)
    if example.click:
        with pytest.raises(InputError):
            load_data(example.made())


@pytest.mark.parametrize("seeds", [range(70), pytest.param(range(70, 1300), marks=pytest.mark.nightly)])
def test_a_damaged_file_of_any_format_is_read_or_refused_in_a_sentence(seeds: range) -> None:
    made = [example.made() for example in FILES]
    for seed in seeds:
        rng = random.Random(seed)
        data = mutated(made[seed % len(made)], rng)
        how = rng.choice(({}, {"day_first": True}, {"on_problem": "drop"}))
        tracemalloc.start()
        before = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                load(data, timezone="UTC", accept=True, **how)
            except InputError as refused:
                assert 10 < len(str(refused)) < 1500
        took, most = time.process_time() - before, tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert took < 10 and most < 1_000_000_000, seed
