"""Every format has an example, and each example becomes what it must."""

from __future__ import annotations

import pytest

from lmdk_widgets.errors import InputError
from lmdk_widgets.trajectory.exports import EXPORTS
from lmdk_widgets.trajectory.formats import FORMATS
from lmdk_widgets.trajectory.opened import UPLOADED
from lmdk_widgets.trajectory.series_reader import load_data
from tests.trajectory.example_files import FILES, Example
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
