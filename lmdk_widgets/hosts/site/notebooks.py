"""Where the notebooks of the lessons are, by the names that lessons have, and had."""

from __future__ import annotations

import shutil
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from lmdk_widgets.course import LESSONS, STORIES

SERVING = Path(__file__).parents[1] / "serving"

FORMER = {
    "losses": "correlation",
    "temporal_loss": "correlation",
    "optimal_places": "places",
    "quilts": "states",
    "markov_quilts": "states",
}
"""Names that lessons had before, which still open them."""

ADDRESS = "lesson"
"""What stands before the name of a lesson in its address."""


def known_lesson(name: str) -> str:
    """The name of a lesson or a story, where one that it had before is given as well.

    Raises
    ------
    InputError : there is no such lesson or story.

    Examples
    --------
    >>> known_lesson("temporal-loss")
    'correlation'
    """
    known = FORMER.get(name.replace("-", "_"), name)
    if known not in LESSONS | STORIES:
        from lmdk_widgets.checks import either, refused  # brings NumPy, for which the command need not wait

        raise refused("NAME", either([*LESSONS, *STORIES]), name)
    return known


def notebook(name: str) -> Path:
    """A notebook of the folder `notebooks`: beside this file when installed, else of the checkout.

    Examples
    --------
    >>> notebook("explorer").name
    'explorer.ipynb'
    """
    installed = SERVING / "notebooks"
    return (installed if installed.is_dir() else SERVING.parents[2] / "notebooks") / f"{name}.ipynb"


def copy_lessons(folder: Path) -> dict[str, str]:
    """Put the notebook of every lesson and story into a folder; the names of the files by theirs."""
    files = {name: f"lesson-{name}.ipynb" for name in [*LESSONS, *STORIES]}
    for name, file in files.items():
        shutil.copyfile(notebook(LESSONS[name].notebook if name in LESSONS else name), folder / file)
    return files


@cache
def glossary() -> list[tuple[tuple[str, ...], str]]:
    """The words that the text of a lesson explains: the names of each, and its meaning.

    Read by its path: the room around it would bring NumPy, which the server does without.
    """
    spec = spec_from_file_location("lmdk_glossary", SERVING.parents[1] / "page" / "glossary.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.message()
