"""The name of an exported file, and the note that stands in it."""

from __future__ import annotations

from lmdk_widgets.checks import one_of

NOTE = "simulation, not a private release"
"""What every export says: the noise comes from an ordinary sampler, in floating point."""

DRAWN_NOTE = f"{NOTE}; noise drawn for this file alone, as that on the screen can be computed from its seed"
"""What a file with released places says: its points are others than those on the screen, and why."""

KINDS = ("csv", "geojson", "html", "json", "py")


def export_name(kind: str) -> str:
    """The name of an exported file; it carries the note, as a file is often passed on by its name alone.

    Parameters
    ----------
    kind : "csv", "geojson", "html", "json" or "py".

    Raises
    ------
    InputError : for another kind.

    Examples
    --------
    >>> export_name("csv")
    'simulation-not-a-private-release.csv'
    """
    return f"{NOTE.replace(',', '').replace(' ', '-')}.{one_of(kind, 'kind', KINDS)}"
