"""A second program for exams: it reads the text of a question, and computes the value from the numbers that stand there.

It knows nothing of the package: a question is recognised by its words, and its value follows from a formula of a textbook, by
hand, or from trying everything.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from math import comb, exp, log, pi, sqrt

NUMBER = r"\d[\d,]*(?:\.\d+)?"
PLACE = re.compile(r"<(\w+)>")


def value(text: str) -> float:
    """The value that the text of a question asks for."""
    found = [(match, compute) for pattern, compute in READERS if (match := pattern.search(text))]
    assert len(found) == 1, f"{len(found)} readers know: {text}"
    match, compute = found[0]
    return compute(**{name: _read(group) for name, group in match.groupdict().items() if group is not None})


def _read(text: str) -> float | str:
    return float(text.replace(",", "")) if re.fullmatch(NUMBER, text) else text


def _listed(text: str | float) -> list[float]:
    return [float(part) for part in str(text).replace("p", "").split(", ")]


def _bayes(prior: float, if_true: float, if_false: float) -> float:
    return prior * if_true / (prior * if_true + (1 - prior) * if_false)


def _coins(truth: float, yes: float) -> tuple[float, float]:
    """How often Yes is said by those who did it, and by the others: each fall of two coins by itself."""
    falls = [(truth * part, first, second) for first, second, part in ((1, 1, yes), (1, 0, 1 - yes))]
    falls += [((1 - truth) * part, first, second) for first, second, part in ((0, 1, yes), (0, 0, 1 - yes))]
    return tuple(sum(p for p, asks, says in falls if (did if asks else says)) for did in (1, 0))  # type: ignore[return-value]


def _alone(rows: str) -> float:
    times = Counter(re.findall(r"\(([^)]*)\)", rows))
    return float(sum(count == 1 for count in times.values()))


def _one_way_loss(stays: float, budget: float, steps: int) -> float:
    """The loss after so many releases where nobody comes back, step by step."""
    loss = budget
    for _ in range(steps - 1):
        loss = budget + log(1 + stays * (exp(loss) - 1))
    return loss


def _two_answers(stays: float, epsilon: float) -> float:
    """The most that two answers change the log odds of two places at the first timestamp: all answers are tried."""
    tells = exp(epsilon) / (1 + exp(epsilon))

    def likely(first: int, answers: Sequence[int]) -> float:
        by_second = (
            (stays if second == first else 1 - stays) * (tells if answers[1] == second else 1 - tells)
            for second in (0, 1)
        )
        return (tells if answers[0] == first else 1 - tells) * sum(by_second)

    return max(abs(log(likely(0, both) / likely(1, both))) for both in product((0, 1), repeat=2))


def _mean_distance(side: float) -> float:
    """From the middle of a square to the middles of many small ones."""
    n = 200
    middles = [(k + 0.5) / n - 0.5 for k in range(n)]
    return side * sum(math.hypot(x, y) for x in middles for y in middles) / n**2


def _adaptive(landmarks: str, n: float, e: float, skipped: float, asked: float) -> float:
    """What Adaptive may spend: its reservations are followed from timestamp to timestamp."""
    marked = [int(at) for at in _listed(landmarks)]
    budget = e / (len(marked) + 1)
    for at in range(1, int(asked)):
        if at == skipped:
            assert at in marked and asked <= n
            left = [later for later in marked if later > at]
            budget += budget / (len(left) + 1)
    return budget


def _exponential(first: float, others: str, e: float) -> float:
    weights = [exp(e * count / 2) for count in (first, *_listed(others))]
    return weights[0] / sum(weights)


def _friends(w: float, h: float, o: float) -> float:
    """All four truths, with the chance of what both say."""
    chances = {(at_work, at_home): 0.0 for at_work in (True, False) for at_home in (True, False)}
    for at_work, at_home in chances:
        home = h if at_work else o
        prior = (w if at_work else 1 - w) * (home if at_home else 1 - home)
        chances[at_work, at_home] = prior * (0.75 if at_work else 0.25) * (0.75 if at_home else 0.25)
    return sum(p for (at_work, _), p in chances.items() if at_work) / sum(chances.values())


def _safe(m: float, safe: float, near: float) -> float:
    """The epsilon at which nobody is found more often: by halving."""
    low, high = 0.0, 100.0
    for _ in range(100):
        middle = (low + high) / 2
        found = 1 - 2 ** (-((near / (m / middle)) ** 2))
        low, high = (middle, high) if found < 1 - safe / 100 else (low, middle)
    return low


def _reader(words: str, compute: Callable[..., float]) -> tuple[re.Pattern[str], Callable[..., float]]:
    """Words with places for numbers, "<name>", and for longer parts, "<name:...>"."""
    pattern = re.escape(words).replace(re.escape("..."), ".*?").replace(r"\ ", " ")
    pattern = PLACE.sub(lambda found: f"(?P<{found[1]}>{NUMBER})", pattern)
    pattern = re.sub(r"<(\w+):list>", r"(?P<\1>[^?;A-Z]*?)", pattern)
    return re.compile(re.sub(r"<(\w+):rows>", r"(?P<\1>\(.*?\))", pattern), re.S), compute


READERS = [
    _reader(
        "Bob never rode without a ticket, ... with probability <t>. ... with probability <y>, and else No.",
        lambda t, y: _coins(t, y)[1],
    ),
    _reader("You believe with probability <p> that Bob did it. ... here by <f>. How", lambda p, f: _bayes(p, f, 1)),
    _reader("A museum counts ... ε = <e>. One person is counted up to <m> times", lambda e, m: m / e),
    _reader("Donald's <k> landmarks and any one other timestamp share ε = <e> equally", lambda k, e: e / (k + 1)),
    _reader(
        "two places <a> m apart may be told apart by a factor of <f>. By what factor two places <b> m apart",
        lambda a, f, b: f ** (b / a),
    ),
    _reader("The place is released <n> times, each time with ε = <e>.", lambda n, e: n * e),
    _reader("should believe in one of them with probability <s> at most", lambda s: log(s) - log(1 - s)),
    _reader("Three releases about Bob have the epsilons <e:list>, with new noise", lambda e: sum(_listed(e))),
    _reader("Bob's bed is reported <n> times", lambda n: sqrt(n)),
    _reader(
        "A privacy zone with a radius of <r> m ... leave <a> hectares", lambda r, a: a * 10_000 / (pi * r * r) * 100
    ),
    _reader("the middle of the square of <s> m in which Mia lives", lambda s: _mean_distance(s)),
    _reader("has these records of age and district: <rows:rows>. Bob", lambda rows: _alone(rows)),
    _reader(
        "Of all people, the share <b> was in hospital. In Daisy's class of the published table it was <h> of <n>.",
        lambda b, h, n: (h / n) / (1 - h / n) / (b / (1 - b)),
    ),
    _reader(
        "the squares of home and of work of some people ... removed: <rows:rows>. Somebody", lambda rows: _alone(rows)
    ),
    _reader("in these shares of all releases: <s:list>. In a single release", lambda s: sum(_listed(s))),
    _reader(
        "is found to within <m> m in half ... are <s> of 100 people expected not to be found nearer than <d> m?",
        lambda m, s, d: _safe(m, s, d),
    ),
    _reader("There are <h> homes on a hectare ... the outings leave <a> hectares", lambda h, a: a / (1 / h)),
    _reader(
        "in a square is <c> on average. At most <m> contributions ... person is protected with ε = <e>, so that the noise",
        lambda c, m, e: m / (c * e),
    ),
    _reader("Counts of the table ... whole person with ε = <e>. Of 100", lambda e: 100 * _bayes(0.5, exp(e), 1)),
    _reader(
        "Bob did ride without a ticket, ... with probability <t>. ... with probability <y>, and else No.",
        lambda t, y: _coins(t, y)[0],
    ),
    _reader(
        "Of all people, the share <p> rides ... with probability <t>. ... with probability <y>, and else No.",
        lambda p, t, y: _bayes(p, *_coins(t, y)),
    ),
    _reader(
        "<n> people answer whether ... with probability <t>. ... with probability <y>, and else No. <s> of them",
        lambda n, t, y, s: (s / n - _coins(t, y)[1]) / (_coins(t, y)[0] - _coins(t, y)[1]),
    ),
    _reader("A person is in at most <m> of them, ... visits are at other places", lambda m: 2 * m),
    _reader("A person is in at most <m> of them, ... is added or removed", lambda m: m),
    _reader(
        "five districts: <a> at Montmartre, and <o:list> in the others. With ε = <e>, how",
        lambda a, o, e: _exponential(a, o, e),
    ),
    _reader(
        "changes odds by a factor of <f> at most. He is asked the same on <d> days",
        lambda f, d: math.prod([f] * int(d)),
    ),
    _reader("Donald is at work with chance <w>. ... at home with chance <h>, and otherwise with <o>.", _friends),
    _reader("that is landmark private with ε = <e>, how sure", lambda e: _bayes(0.5, exp(e), 1)),
    _reader("With ε = <e> and <k> landmarks among <n> timestamps", lambda e, k, n: e / (k + 1) if k < n else 0),
    _reader(
        "landmarks get ε/<a>, the others ε/<b>. With ε = <e>, what", lambda a, b, e: sum([e / a] * int(a), start=e / b)
    ),
    _reader(
        "Each hour's count is published with ε = <e>. Daisy is counted in <h> hours.", lambda e, h: sum([e] * int(h))
    ),
    _reader("w = <w> and ε = <e>: each hour ... stays for <h> hours", lambda w, e, h: sum([e / w] * int(h))),
    _reader(
        "Hours in a row spend <b:list>; the last number is the newest hour. With γ = <g>, what",
        lambda b, g: sum(spent * g**old for old, spent in enumerate(reversed(_listed(b)))),
    ),
    _reader("one can add up <n> counts at event level", lambda n: sqrt(sum([2.0] * int(n))) / sqrt(2.0 + 2.0)),
    _reader("A stream of <a> hours achieves ... in a stream of <b> hours", lambda a, b: sqrt(b) / sqrt(a)),
    _reader("For each of <n> people, a machine publishes ... with chance 1/<c>, and", lambda n, c: n / c),
    _reader(
        "Donald's landmarks are <m:list> of p1 to p<n>, and ε = <e>. ... except p<s>. What may p<a> spend?",
        lambda m, n, e, s, a: _adaptive(str(m), n, e, s, a),
    ),
    _reader("Of Bob's <n> timestamps <k> are landmarks, but", lambda n, k: k / n),
    _reader("<d> dummies join Bob's <k> landmarks, and Uniform with ε = <e> protects", lambda d, k, e: e / (d + k + 1)),
    _reader("An attacker knows that <k> of <p> protected timestamps", lambda k, p: comb(int(p), int(k))),
    _reader("timestamps <p> are protected, and everyone knows that <k> are landmarks", lambda p, k: k / p),
    _reader(
        "place 1 was place 1 with chance <s> and ... two releases with ε = <e> each",
        lambda s, e: _one_way_loss(s, e, 2),
    ),
    _reader(
        "At release <t> of <n> with ε = <e> each, the backward loss is <b> and the forward loss <f>. What",
        lambda t, n, e, b, f: b + f - e if t <= n else 0,
    ),
    _reader("people stay in place 1 with probability <s>, and nobody", lambda s: -log(s)),
    _reader(
        "The privacy level is <v> within <r> m. ... two places <d> m apart", lambda v, r, d: math.e ** (v * (d / r))
    ),
    _reader(
        "timestamps <w> before and <v> after, and has the max-influence <i>. With ε = <e>, which",
        lambda w, v, i, e: len(range(-int(w) + 1, int(v))) / (e - i),
    ),
    _reader("need for T = <t> timestamps and ε = <e>?", lambda t, e: t / e),
    _reader(
        "believes with probability <p> that he is at work, ... the truth with probability <t>. It says",
        lambda p, t: _bayes(p, t, 1 - t),
    ),
    _reader(
        "<n> planar Laplace reports are from home, each with a budget of <b> at <r> m",
        lambda n, b, r: 1.6651 * r / sqrt(sum([b * b] * int(n))),
    ),
    _reader(
        "There are two places and two timestamps, ... with ε = <e>. A person stays where they are with chance <s>, at",
        lambda e, s: _two_answers(s, e),
    ),
    _reader(
        "report with a budget of <b> at a radius of <r> m. ... two places <d> km apart?",
        lambda b, r, d: b * (d * 1000 / r),
    ),
]
"""How each question is recognised, and what is computed from its numbers."""
