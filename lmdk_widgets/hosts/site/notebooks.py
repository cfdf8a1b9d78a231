"""Where the notebooks of the lessons are."""

from __future__ import annotations

import shutil
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from lmdk_widgets.cache import cached
from lmdk_widgets.course import LESSONS, STORIES

SERVING = Path(__file__).parents[1] / "serving"

ADDRESS = "lesson"
"""What precedes the name of a lesson in its address."""


def known_lesson(name: str) -> str:
    """The name of a lesson or a story, once it is seen that there is one.

    Raises
    ------
    InputError : there is no such lesson or story.

    Examples
    --------
    >>> known_lesson("correlation")
    'correlation'
    """
    if name not in LESSONS | STORIES:
        from lmdk_widgets.checks import either, refused  # brings NumPy, for which the command need not wait

        raise refused("NAME", either([*LESSONS, *STORIES]), name)
    return name


def notebook(name: str) -> Path:
    """A notebook in the folder `notebooks`: that of the package if installed, otherwise that of the checkout.

    Examples
    --------
    >>> notebook("explorer").name
    'explorer.ipynb'
    """
    installed = SERVING / "notebooks"
    return (installed if installed.is_dir() else SERVING.parents[2] / "notebooks") / f"{name}.ipynb"


def copy_lessons(folder: Path) -> None:
    """Copy the notebook of every lesson and story to a folder, each as NAME.ipynb."""
    for name in [*LESSONS, *STORIES]:
        shutil.copyfile(notebook(name), folder / f"{name}.ipynb")


@cached("everybody")
def glossary() -> list[tuple[tuple[str, ...], str]]:
    """The terms that the text of a lesson explains: the names of each, and its meaning.

    Loaded by its path: importing its package would import NumPy, which the server does not need.
    """
    spec = spec_from_file_location("lmdk_glossary", SERVING.parents[1] / "page" / "glossary.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.message()
