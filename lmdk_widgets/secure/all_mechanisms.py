"""The mechanisms of private releases by name; if none is named, the first that suits the settings is used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lmdk_widgets.errors import InputError
from lmdk_widgets.secure.base import Mechanism
from lmdk_widgets.secure.series import DISCRETE_LAPLACE, LAPLACE
from lmdk_widgets.secure.track import PLANAR_LAPLACE

MECHANISMS: dict[str, Mechanism] = {
    mechanism.name: mechanism
    for mechanism in (
        PLANAR_LAPLACE,
        LAPLACE,
        DISCRETE_LAPLACE,
    )
}


def chosen(name: str | None, data: str, asked: Mapping[str, Any]) -> Mechanism:
    """The mechanism of a release.

    Parameters
    ----------
    name : a key of `MECHANISMS`, or None. data : "a track" or "a series". asked : the other settings.

    Raises
    ------
    InputError : a mechanism for the other kind of data.

    Examples
    --------
    >>> chosen(None, "a series", {"sensitivity": 1}).name
    'discrete-laplace'
    """
    those = [mechanism for mechanism in MECHANISMS.values() if mechanism.data == data]
    if name is None:
        return next(mechanism for mechanism in those if mechanism.suits(asked))
    if MECHANISMS[name] not in those:
        names = ", ".join(mechanism.name for mechanism in those)
        raise InputError(f"The mechanism for {data} must be one of {names}", value=name)
    return MECHANISMS[name]
