"""A practice with its size, or several, one after the other: its name in a sentence, and as one word of a table."""

from __future__ import annotations

from typing import NamedTuple

from lmdk_widgets.checks import number, one_of, refused
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.amounts import metres, whole
from lmdk_widgets.page.sentences import Written, join, sentence

ZONE, ENDS, ROUNDING, APPROXIMATE, THINNING = "zone", "ends", "rounding", "approximate", "thinning"
CLUSTERING, VELOCITY = "clustering", "velocity"

ORDER = (ENDS, ZONE, THINNING, ROUNDING, APPROXIMATE, CLUSTERING, VELOCITY)
"""In which practices follow one another: points are left out before places are moved."""

RANGES: dict[str, tuple[float, float]] = {
    ZONE: (50.0, 5_000.0),
    ENDS: (10.0, 10_000.0),
    ROUNDING: (0.0, 6.0),
    THINNING: (0.1, 1_440.0),
    CLUSTERING: (10.0, 10_000.0),
    VELOCITY: (10.0, 10_000.0),
}
"""The smallest and the largest size: metres of a zone's radius, of what is cut off and of noise, decimals, and minutes."""

NOISY = frozenset({APPROXIMATE, CLUSTERING, VELOCITY})
"""The practices that move every place at random."""

MOST_MOVED_M = 2_000.0
"""The most by which a zone's centre is moved, metres."""

MOVED, THEN = "moved", ", "
"""How a code says that a centre is moved, and that a practice follows."""


class Practice(NamedTuple):
    """A practice and its size: metres, decimals or minutes. moved_m : how far a zone's centre is moved at most, metres.
    then : the practices that follow it."""

    name: str
    size: float = 0.0
    moved_m: float = 0.0
    then: tuple[Practice, ...] = ()

    @property
    def steps(self) -> tuple[Practice, ...]:
        """It and what follows, each by itself."""
        return (self._replace(then=()), *self.then)

    @property
    def what(self) -> str:
        """At the beginning of a sentence: "A zone of 400 m", "A zone of 400 m, then one point in 10 min"."""
        return join([self._what, *(one._follows for one in self.then)], ", then ")

    @property
    def _what(self) -> str:
        if self.name == ZONE and self.moved_m:
            return sentence(
                "A zone of {zone_radius} with its centre moved by up to {zone_moved}",
                zone_radius=metres(self.size),
                zone_moved=metres(self.moved_m),
            )
        if self.name == ZONE:
            return sentence("A zone of {zone_radius}", zone_radius=metres(self.size))
        if self.name == ENDS:
            return sentence("Cutting {cut_length} off both ends", cut_length=metres(self.size))
        if self.name == ROUNDING:
            return sentence(
                "Rounding to {decimals} decimal{plural}", decimals=whole(int(self.size)), plural="s" * (self.size != 1)
            )
        if self.name == THINNING:
            return sentence("One point in {practice_minutes} min", practice_minutes=_minutes(self.size))
        if self.name == CLUSTERING:
            return sentence("Clustering with a radius of {noise_radius}", noise_radius=metres(self.size))
        if self.name == VELOCITY:
            return sentence("Velocity-aware noise with a radius of {noise_radius}", noise_radius=metres(self.size))
        return "Approximate location"

    @property
    def _follows(self) -> str:
        """The same within a sentence."""
        if self.name == ZONE:
            radius, moved = metres(self.size), metres(self.moved_m)
            if not self.moved_m:
                return sentence("a zone of {zone_radius}", zone_radius=radius)
            template = "a zone of {zone_radius} with its centre moved by up to {zone_moved}"
            return sentence(template, zone_radius=radius, zone_moved=moved)
        if self.name == ROUNDING:
            return sentence(
                "rounding to {decimals} decimal{plural}", decimals=whole(int(self.size)), plural="s" * (self.size != 1)
            )
        if self.name == THINNING:
            return sentence("one point in {practice_minutes} min", practice_minutes=_minutes(self.size))
        if self.name == CLUSTERING:
            return sentence("clustering with a radius of {noise_radius}", noise_radius=metres(self.size))
        if self.name == VELOCITY:
            return sentence("velocity-aware noise with a radius of {noise_radius}", noise_radius=metres(self.size))
        return "approximate location"

    @property
    def code(self) -> str:
        """One word of a table or a study: "zone 400", "zone 400 moved 200, thinning 10", "approximate".

        Examples
        --------
        >>> Practice("zone", 400.0, 200.0, (Practice("thinning", 10.0),)).code
        'zone 400 moved 200, thinning 10'
        """
        return THEN.join(_code(one) for one in self.steps)


def _minutes(minutes: float) -> Written:
    return Written(f"{minutes:g}", minutes)


def _code(one: Practice) -> str:
    size = f" {one.size:.10g}" if one.name in RANGES else ""
    return f"{one.name}{size}" + (f" {MOVED} {one.moved_m:.10g}" if one.moved_m else "")


KNOWS: dict[str, str] = {
    "silences": "Knows the silences: which silences are the place's, and when you are there.",
    "nothing": "Knows the size only: the radius, length or decimals, but no silences; every end of every piece counts.",
}
"""What the attacker knows."""

SIZES = {
    ZONE: "zone_m",
    ENDS: "ends_m",
    ROUNDING: "decimals",
    THINNING: "minutes",
    CLUSTERING: "clustering_m",
    VELOCITY: "velocity_m",
}
"""What the page's choice of a size is called."""


def chosen_on_page(practice: Practice, knows: str = "silences") -> dict[str, bool | float | str]:
    """The choices that make a page compare a practice, by name.

    Examples
    --------
    >>> {name: value for name, value in chosen_on_page(Practice("thinning", 5.0)).items() if value}
    {'thinning': True, 'minutes': 5.0, 'knows': 'silences'}
    """
    steps = {one.name: one for one in practice.steps}
    found: dict[str, bool | float | str] = {name: name in steps for name in ORDER}
    found |= {size: steps[name].size for name, size in SIZES.items() if name in steps}
    moved = steps[ZONE].moved_m if ZONE in steps else 0.0
    return found | {"moved_m": moved, "together": len(steps) > 1, "knows": knows}


def check_moved(practice: Practice) -> None:
    """A zone that is moved by its radius or more may leave the place outside it, published as it is.

    Raises
    ------
    InputError : its centre may be moved as far as its edge, or farther.

    Examples
    --------
    >>> check_moved(Practice("zone", 400.0, 400.0))
    Traceback (most recent call last):
      ...
    lmdk_widgets.errors.InputError: A zone of 400 m must be moved by less, or the place may lie outside it; got 400.0.
    """
    for one in practice.steps:
        if one.name == ZONE and one.moved_m >= one.size:
            template = "A zone of {zone_radius} must be moved by less, or the place may lie outside it"
            raise InputError(sentence(template, zone_radius=metres(one.size)), value=one.moved_m)


def one_after_another(practices: tuple[Practice, ...]) -> Practice:
    """Several practices as one, in their `ORDER`.

    Examples
    --------
    >>> one_after_another((Practice("rounding", 3.0), Practice("zone", 400.0))).code
    'zone 400, rounding 3'
    """
    first, *more = sorted(practices, key=lambda one: ORDER.index(one.name))
    return first._replace(then=tuple(more))


def practice_of(code: object) -> Practice:
    """The practice with a code.

    Raises
    ------
    InputError : an unknown name, a size out of range, or the same practice twice.

    Examples
    --------
    >>> practice_of("rounding 3, zone 400 moved 200") == Practice("zone", 400.0, 200.0, (Practice("rounding", 3.0),))
    True
    >>> practice_of("zone 10")
    Traceback (most recent call last):
      ...
    lmdk_widgets.errors.InputError: The size of “zone” must be a number between 50 and 5,000; got 10.0.
    """
    if not isinstance(code, str):
        raise refused("a practice", 'a text such as "zone 400"', code)
    found = tuple(_one(part.split()) for part in code.split(","))
    names = [one.name for one in found]
    if len(set(names)) < len(names):
        raise InputError("A practice must follow another one only once", value=code)
    whole_practice = one_after_another(found)
    check_moved(whole_practice)
    return whole_practice


def _one(words: list[str]) -> Practice:
    name = one_of(words[0] if words else "", "a practice", ORDER)
    rest = words[1:]
    moved = 0.0
    if name == ZONE and len(rest) == 3 and rest[1] == MOVED:
        moved = _number(rest[2], "The distance by which the centre is moved", (0.0, MOST_MOVED_M))
        rest = rest[:1]
    if len(rest) != (name in RANGES):
        raise refused(f"“{name}”", 'followed by its size, as in "zone 400"', " ".join(words))
    size = _number(rest[0], f"The size of “{name}”", RANGES[name]) if rest else 0.0
    if name == ROUNDING and size != int(size):
        raise refused("The decimals", "a whole number", rest[0])
    return Practice(name, size, moved)


def _number(text: str, subject: str, within: tuple[float, float]) -> float:
    try:
        value: object = float(text)
    except ValueError:
        value = text
    return number(value, subject, *within)
