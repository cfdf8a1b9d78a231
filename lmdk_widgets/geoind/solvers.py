"""The background work: each mechanism as better and better incumbents, and results found earlier.

Generators do a little work and yield, so their caller decides when to go on, what to show in between, and when to stop.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from itertools import chain
from time import perf_counter
from typing import Protocol

from lmdk_widgets.geoind import Channel, Solver
from lmdk_widgets.geoind.mechanisms import (
    LEAST,
    MECHANISMS,
    Assessment,
    Instance,
    assess,
    excess,
    most_private,
    planar,
    remapped,
)
from lmdk_widgets.geoind.private import can_solve
from lmdk_widgets.geoind.solved_store import Latest, Store
from lmdk_widgets.linear import compiling

TOLERANCE = 1e-5
"""The gap at which a mechanism counts as finished."""

AT_ONCE = 64
"""The most cells for which other pages' results are looked up immediately: certifying one takes about a millisecond."""

_KEPT_SOLVERS = 8
_OWN_BYTES, _OWN_BYTES_SERVED = 32 << 20, 8 << 20
"""Limits of what a page keeps itself, alone or as one of many; on a server, only mechanisms from the user's own data."""


class Wanted(Protocol):
    """What is asked of the mechanisms.

    Attributes
    ----------
    mechanism : the one that is shown. epsilon_per_m : its privacy. dilation : of the spanner. loss_percent : the loss that
    OptPriv may have, in percent of the optimal mechanism's.
    """

    @property
    def mechanism(self) -> str: ...
    @property
    def epsilon_per_m(self) -> float: ...
    @property
    def dilation(self) -> float: ...
    @property
    def loss_percent(self) -> float: ...


@dataclass(frozen=True, eq=False)
class Step:
    """One slice of the work.

    Attributes
    ----------
    mechanism : being solved. assessed : its incumbent, if there is a new one. gap : of the last incumbent, nan before.
    seconds : since its work began. finished : whether this is its last step. excess : how far the loss of the last incumbent
    may be above the least possible one, see `mechanisms.excess`. notice : which solver is used if it is not the fast one.
    """

    mechanism: str
    assessed: Assessment | None
    gap: float
    seconds: float
    finished: bool
    excess: float = float("nan")
    notice: str = ""


class Solvers:
    """Solvers and channels, cached by what they depend on. Only one of its generators may run at a time.

    Parameters
    ----------
    tolerance : the gap at which a mechanism counts as finished.
    """

    def __init__(self, tolerance: float = TOLERANCE) -> None:
        self.tolerance = tolerance
        compiling.start()  # it takes a second, while planar Laplace is computed
        self._store = Store()
        self._solvers: OrderedDict[tuple, Solver] = OrderedDict()
        self._own = Latest(_OWN_BYTES if self._store.folder is None else _OWN_BYTES_SERVED)

    def known(self, instance: Instance, wanted: Wanted) -> dict[str, Assessment]:
        """The mechanisms found earlier for these choices, here or, if there are few cells, on another page."""
        asked = wanted.epsilon_per_m, wanted.dilation, wanted.loss_percent / 100
        keys = {m: _key(m, instance, *asked) for m in MECHANISMS}
        recall = self._recall if len(instance) <= AT_ONCE else lambda key, _: self._own.get(key)
        found = {m: recall(key, instance) for m, key in keys.items()}
        return {m: assess(channel, instance) for m, channel in found.items() if channel is not None}

    def one(self, instance: Instance, wanted: Wanted) -> Iterator[Step]:
        """Only the mechanism of these choices."""
        asked = wanted.epsilon_per_m, wanted.dilation, wanted.loss_percent / 100
        return self.incumbents(wanted.mechanism, instance, *asked)

    def each(self, instance: Instance, wanted: Wanted) -> Iterator[Iterator[Step]]:
        """All mechanisms for these choices, in the order of `_order`: for each, its incumbents as soon as certified."""
        asked = wanted.epsilon_per_m, wanted.dilation, wanted.loss_percent / 100
        return (self.incumbents(mechanism, instance, *asked) for mechanism in _order(wanted.mechanism, len(instance)))

    def solve(self, instance: Instance, wanted: Wanted) -> Iterator[Step]:
        """The same, one after the other."""
        return chain.from_iterable(self.each(instance, wanted))

    def incumbents(
        self, mechanism: str, instance: Instance, epsilon_per_m: float, dilation: float, allowed: float = 1.0
    ) -> Iterator[Step]:
        """One mechanism, slice by slice; the last step is finished. `allowed`: OptPriv's loss over the optimal one's."""
        key = _key(mechanism, instance, epsilon_per_m, dilation, allowed)
        begun = perf_counter()
        channel = self._recall(key, instance)
        if channel is None:
            notice = compiling.notice() if mechanism in LEAST else ""
            yield Step(mechanism, None, float("nan"), 0.0, False, notice=notice)
            channel = self._recall(key, instance)  # another page may have solved it meanwhile
        if channel is None:
            if mechanism in LEAST:
                channel = yield from self._improved(mechanism, instance, epsilon_per_m, dilation)
            else:
                channel = yield from self._direct(mechanism, instance, epsilon_per_m, dilation, allowed)
            self._keep(key, channel, instance)
        above = excess(channel) if mechanism in LEAST else float("nan")
        yield Step(mechanism, assess(channel, instance), channel.gap, perf_counter() - begun, True, above)

    def best(self, mechanism: str, instance: Instance, epsilon_per_m: float, dilation: float) -> Assessment:
        """One mechanism, as of its last step."""
        *_, last = self.incumbents(mechanism, instance, epsilon_per_m, dilation)
        assert last.assessed is not None
        return last.assessed

    def _improved(
        self, mechanism: str, instance: Instance, epsilon_per_m: float, dilation: float
    ) -> Generator[Step, None, Channel]:
        """Least loss, by one of the kept solvers; returns the channel at the end."""
        solver = self._solver(instance, dilation if mechanism == "spanner" else 1.0)
        before: Channel | None = None
        for state in solver.improve(instance.prior, epsilon_per_m, tolerance=self.tolerance):
            assessed = None if state.channel is before or state.finished else assess(state.channel, instance)
            before = state.channel
            if not state.finished:
                yield Step(mechanism, assessed, state.gap, state.seconds, False, excess(state.channel), state.notice)
        assert before is not None  # the last step of a solve has its channel
        return before

    def _direct(
        self, mechanism: str, instance: Instance, epsilon_per_m: float, dilation: float, allowed: float
    ) -> Generator[Step, None, Channel]:
        """Planar Laplace, its remapping and OptPriv, each in one go after what it needs."""
        if mechanism == "planar":
            return planar(instance, epsilon_per_m)
        needed = "planar" if mechanism == "remapped" else "optimal"
        key = _key(needed, instance, epsilon_per_m, dilation)
        if (channel := self._recall(key, instance)) is None:
            for step in self.incumbents(needed, instance, epsilon_per_m, dilation):
                yield step
            assert step.assessed is not None  # the last one has its channel
            channel = step.assessed.channel
        if needed == "planar":
            return remapped(channel, instance)
        return most_private(instance, allowed * channel.quality_loss)

    def _solver(self, instance: Instance, dilation: float) -> Solver:
        key = (instance.key[0], dilation)
        if key not in self._solvers:
            self._solvers[key] = Solver(instance.distances_m, quality=instance.quality, dilation=dilation)
            while len(self._solvers) > _KEPT_SOLVERS:
                self._solvers.popitem(last=False)
        self._solvers.move_to_end(key)
        return self._solvers[key]

    def _recall(self, key: tuple, instance: Instance) -> Channel | None:
        """The channel found earlier, on this page or, for a public problem, on another page of the server."""
        return self._own.get(key) or self._store.recall((self.tolerance, *key), instance)

    def _keep(self, key: tuple, channel: Channel, instance: Instance) -> None:
        finished = not channel.gap > self.tolerance
        if not (finished and self._store.keep((self.tolerance, *key), instance, channel)):
            self._own.put(key, channel)


def _order(first: str, cells: int) -> tuple[str, ...]:
    """The cheap ones first, then the one shown, then the others; OptPriv needs the optimal mechanism's loss.

    With too many cells for its programme, or without HiGHS, OptPriv comes last, only if asked for, and is refused.
    """
    dear = [*LEAST, "private"]
    if can_solve(cells):
        dear.sort(key=lambda mechanism: mechanism != first)
    else:
        dear = [*sorted(LEAST, key=lambda mechanism: mechanism != first), *(["private"] if first == "private" else [])]
    return ("planar", "remapped", *dear)


def _key(mechanism: str, instance: Instance, epsilon_per_m: float, dilation: float, allowed: float = 1.0) -> tuple:
    """What a mechanism depends on; planar Laplace not on the prior, only the spanner on the dilation, OptPriv on q."""
    points, prior = instance.key
    prior = b"" if mechanism == "planar" else prior
    own = {"spanner": dilation, "private": allowed}.get(mechanism, 0.0)
    return mechanism, points, prior, epsilon_per_m, own
