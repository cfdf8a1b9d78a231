"""Two releases that are each private but not together: why Pufferfish needs mechanisms that compose.

Two timestamps, three states, numbers modulo 3. Alice is told X_0 + X_1, Bob X_0 + 2 X_1, each of them sometimes replaced by
a random number. Either sum alone reveals almost nothing about X_0 or X_1; both sums together give both states away.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import permutations, product
from math import ceil, log

from lmdk_widgets.checks import refused
from lmdk_widgets.pufferfish.composition import compose_with_divergence

STATES = range(3)
Table = dict[tuple[int, int], Fraction]
"""Probability of an output given X_0 and X_1."""


@dataclass(frozen=True)
class Counterexample:
    """Everything about the example, computed exactly (fractions; logarithms only at the end).

    Attributes
    ----------
    initial, transition : the chain, uniform at both timestamps; each state repeats slightly more often.
    truth : probability that a release is the true sum; otherwise it is 0, 1 or 2 at random.
    ratio_alice, ratio_bob : the largest ratio of the probabilities of an output given X_i = x and given X_i = x'.
    ratio_both : the same for the pair of outputs.
    secret : (i, x, x') and `outputs` (alice, bob): where `ratio_both` is attained.
    given : by (i, x), the probabilities of the pairs of outputs, Alice's in rows, given X_i = x.
    dependence : the largest ratio, in either direction, between the probability of a pair of outputs given a state and the
        product of the probabilities of its two parts: how far from independent the releases are.
    """

    initial: tuple[Fraction, ...]
    transition: tuple[tuple[Fraction, ...], ...]
    truth: Fraction
    ratio_alice: Fraction
    ratio_bob: Fraction
    ratio_both: Fraction
    secret: tuple[int, int, int]
    outputs: tuple[int, int]
    given: dict[tuple[int, int], tuple[tuple[Fraction, ...], ...]]
    dependence: Fraction

    @property
    def epsilon_alice(self) -> float:
        return log(self.ratio_alice)

    @property
    def epsilon_bob(self) -> float:
        return log(self.ratio_bob)

    @property
    def epsilon_both(self) -> float:
        return log(self.ratio_both)

    @property
    def divergence(self) -> float:
        """E, the max-divergence between the pair of outputs and two independent ones, over all secrets and directions."""
        return log(self.dependence)

    @property
    def epsilon_bound(self) -> float:
        """The bound for any two mechanisms: eps_A + eps_B + 2 E (Song, Chaudhuri 2017, Theorem III.6)."""
        return compose_with_divergence(self.epsilon_alice, self.epsilon_bob, self.divergence)

    @property
    def breaks_composition(self) -> bool:
        """Whether the two together are worse than their sum."""
        return self.ratio_both > self.ratio_alice * self.ratio_bob

    def story(self) -> tuple[str, ...]:
        """The example in six steps, each a sentence or two with its numbers."""
        i, x, other = self.secret
        one, two, apart, whole = self._adding_up()
        return (
            f"A day has two hours. In each, the state is 0, 1 or 2, all equally likely; the second repeats the first "
            f"with probability {self.transition[0][0]}.",
            f"Alice learns the sum of the two states modulo 3, true with probability {self.truth}, otherwise random. "
            f"Her odds of any state change by a factor of at most {self.ratio_alice} (epsilon {_four(self.epsilon_alice)}).",
            f"Bob learns the first state plus twice the second, in the same way. His odds change by a factor of at most "
            f"{self.ratio_bob} (epsilon {_four(self.epsilon_bob)}).",
            f"If they meet, the outputs {self.outputs[0]} and {self.outputs[1]} change the odds of {x} against {other} "
            f"in hour {i + 1} by a factor of {self.ratio_both} (epsilon {_four(self.epsilon_both, up=False)}); the sum of "
            f"the two would have been {_four(self.epsilon_alice + self.epsilon_bob)}.",
            f"The sum ignores how far the two outputs are from independent once a state is known. The "
            f"max-divergence measures this (Song and Chaudhuri 2017, Definition III.5): the largest log ratio of "
            f"the probabilities that two distributions assign to the same outcome. Between the pair of outputs and two "
            f"independent ones, given any state and in either direction, it is E = {_eight(self.divergence)}.",
            f"Theorem III.6 adds it twice, which is valid for any two releases: {one} + {two} + 2 × {apart} = {whole}. What "
            f"they actually reach together, {_eight(self.epsilon_both)}, is {self._beside_bound()}.",
        )

    def _beside_bound(self) -> str:
        return "less" if self.epsilon_both < self.epsilon_bound * (1 - 1e-9) else "exactly that"

    def _adding_up(self) -> tuple[str, str, str, str]:
        """The parts of the bound with enough digits for a reader who adds them to get the sum shown."""
        parts, whole = (self.epsilon_alice, self.epsilon_bob, self.divergence), _eight(self.epsilon_bound)
        for decimals in range(8, 15):
            one, two, apart = (f"{part:.{decimals}f}" if part else "0" for part in parts)
            total = Decimal(one) + Decimal(two) + 2 * Decimal(apart)  # exactly: a sum may end on a 5
            if total.quantize(Decimal("1e-8"), ROUND_HALF_UP) == Decimal(whole):
                break
        return one, two, apart, whole


def counterexample(
    truth: Fraction | str = Fraction(9, 10), stickiness: Fraction | str = Fraction(1, 100)
) -> Counterexample:
    """Two mechanisms on one chain that are epsilon-Pufferfish private, but whose pair is not 2 epsilon-private.

    Parameters
    ----------
    truth : in [0, 1): how often a release is the true sum. At 1 the pair would be infinitely bad.
    stickiness : in [0, 1): the second state repeats the first with probability s, otherwise it is any of the three. At 0
        each release alone reveals nothing at all, and the pair still gives the day away.

    Returns
    -------
    Counterexample : with exact ratios.

    Raises
    ------
    InputError : a number out of range.

    Notes
    -----
    Proves Song, Chaudhuri 2017, Theorem III.4 by our own construction: if the states are independent and uniform, X_0 + X_1
    and X_0 + 2 X_1 modulo 3 are each independent of either state, and together determine both.

    Examples
    --------
    >>> shown = counterexample()
    >>> shown.ratio_alice, shown.ratio_bob, shown.ratio_both, shown.breaks_composition
    (Fraction(1018, 991), Fraction(1, 1), Fraction(26722, 1909), True)
    >>> counterexample("9/10", 0).ratio_alice
    Fraction(1, 1)
    """
    t, s = _share(truth, "truth"), _share(stickiness, "stickiness")
    third = Fraction(1, 3)
    transition = tuple(tuple(s * (x == y) + (1 - s) * third for y in STATES) for x in STATES)
    days = {(x, y): third * transition[x][y] for x, y in product(STATES, repeat=2)}

    def told(true_value: int) -> dict[int, Fraction]:
        return {output: t * (output == true_value) + (1 - t) * third for output in STATES}

    alice = {day: told(sum(day) % 3) for day in days}
    bob = {day: told((day[0] + 2 * day[1]) % 3) for day in days}
    both = {day: {(a, b): alice[day][a] * bob[day][b] for a, b in product(STATES, repeat=2)} for day in days}
    ratio, secret, outputs = _worst(days, both)
    one, two = _worst(days, alice)[0], _worst(days, bob)[0]
    given = {(i, x): _given(days, both, i, x) for i, x in product((0, 1), STATES)}
    dependence = max(_dependence(joint) for joint in given.values())
    return Counterexample((third,) * 3, transition, t, one, two, ratio, secret, outputs, given, dependence)


def _given(days: Table, both: dict, i: int, x: int) -> tuple[tuple[Fraction, ...], ...]:
    """P(a, b | X_i = x), a in rows."""
    some = [(day, 3 * chance) for day, chance in days.items() if day[i] == x]
    return tuple(tuple(sum((p * both[day][a, b] for day, p in some), Fraction(0)) for b in STATES) for a in STATES)


def _dependence(joint: tuple[tuple[Fraction, ...], ...]) -> Fraction:
    """The largest ratio of P(a, b) to P(a) P(b), or of the second to the first."""
    one, two = [sum(row) for row in joint], [sum(column) for column in zip(*joint, strict=True)]
    ratios = [joint[a][b] / (one[a] * two[b]) for a, b in product(STATES, repeat=2)]
    return max(max(ratios), 1 / min(ratios))


def _eight(value: float) -> str:
    return f"{value:.8f}" if value else "0"


def _four(value: float, *, up: bool = True) -> str:
    """Four decimals, rounded up if the number is a bound."""
    return f"{ceil(value * 1e4 - 1e-6) / 1e4 if up else value:.4f}" if value else "0"


def _worst(days: Table, channel: dict) -> tuple[Fraction, tuple[int, int, int], tuple[int, int]]:
    """The largest ratio of P(output | X_i = x) to P(output | X_i = x'), with the secret and the output."""
    found: list[tuple[Fraction, tuple[int, int, int], tuple[int, int]]] = []
    for i in (0, 1):
        given: dict = {x: {} for x in STATES}
        for day, chance in days.items():
            for output, p in channel[day].items():
                given[day[i]][output] = given[day[i]].get(output, Fraction(0)) + 3 * chance * p
        for x, other in permutations(STATES, 2):
            found += [(given[x][o] / given[other][o], (i, x, other), o) for o in given[x]]
    return max(found, key=lambda item: item[0])


def _share(value: Fraction | str, name: str) -> Fraction:
    try:
        share = Fraction(value)
    except (TypeError, ValueError, ZeroDivisionError):
        share = Fraction(-1)
    if not 0 <= share < 1:
        raise refused(name, "a number of at least 0 and below 1", value)
    return share
