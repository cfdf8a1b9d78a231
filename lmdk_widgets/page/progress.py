"""How much of a long computation is done, for whoever wants to know: nobody, a bar of tqdm, or a function."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

from lmdk_widgets.checks import refused
from lmdk_widgets.errors import InputError

Progress = Callable[[int, int], object] | Literal[True] | None
"""A function of how many are done and of how many, True for a bar, or None for silence."""


@contextmanager
def telling(progress: Progress, total: int, unit: str) -> Iterator[Callable[[int], object]]:
    """A function to call with how many are done, while this is open.

    Parameters
    ----------
    progress : None: nobody is told. True: a bar of `tqdm.auto`. Otherwise a function of how many are done, and of how many;
        what it raises ends the computation.
    total : of how many. unit : what is counted, in a bar.

    Raises
    ------
    InputError : `progress` is something else, or True where tqdm is not installed.

    Examples
    --------
    >>> with telling(lambda done, of: print(done, "of", of), 9, "setting") as tell:
    ...     tell(3)
    3 of 9
    """
    if progress is None:
        yield lambda done: None
    elif progress is True:
        with _bar()(total=total, unit=unit) as bar:
            yield lambda done: bar.update(done - bar.n)
    elif callable(progress):
        yield lambda done: progress(done, total)
    else:
        raise refused("progress", "None, True, or a function of how many are done and of how many", progress)


def _bar() -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        remedy = "Install it with: pip install tqdm, or pass a function of how many are done and of how many"
        raise InputError("A progress bar needs the library tqdm, which is not installed", remedy=remedy) from None
    return tqdm
