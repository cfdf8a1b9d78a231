"""The table of invented adults, made from a seed and the shares below, which are plausible, not measured.

Each column is drawn given those before it: age, education and marital status by age, occupation by education, sex by
occupation, workclass by age and occupation, hours by age, sex and workclass, and income by most of these.
"""

from __future__ import annotations

from typing import Any

import numpy as np

ROWS = 4_000
HEADER = "age,workclass,education,marital_status,occupation,sex,hours_per_week,income"

AGES = ((17, 24, 0.16), (25, 34, 0.26), (35, 44, 0.25), (45, 54, 0.18), (55, 64, 0.10), (65, 90, 0.05))
"""Bands of years with their shares; within a band the older half is slightly rarer."""
EDUCATION = ("no diploma", "high school", "some college", "associate", "bachelor", "master", "doctorate")
EDUCATION_SHARES = {
    17: (0.30, 0.32, 0.30, 0.04, 0.04, 0.0, 0.0),
    25: (0.10, 0.33, 0.21, 0.09, 0.21, 0.05, 0.01),
    45: (0.13, 0.34, 0.19, 0.08, 0.16, 0.08, 0.02),
    65: (0.27, 0.34, 0.16, 0.05, 0.11, 0.05, 0.02),
}
"""Indexed by the youngest age to which they apply."""
MARITAL = ("never married", "married", "divorced", "widowed")
MARITAL_SHARES = {
    17: (0.86, 0.13, 0.01, 0.0),
    25: (0.40, 0.50, 0.10, 0.0),
    35: (0.18, 0.62, 0.19, 0.01),
    55: (0.07, 0.65, 0.19, 0.09),
    65: (0.06, 0.58, 0.11, 0.25),
}
WORKCLASS = ("private", "self-employed", "local government", "state government", "federal government")
OCCUPATIONS = {
    "executive": (0.03, 0.09, 0.12, 0.13, 0.22, 0.25, 0.16),
    "professional": (0.01, 0.02, 0.06, 0.12, 0.30, 0.51, 0.74),
    "technical": (0.01, 0.02, 0.04, 0.09, 0.05, 0.03, 0.03),
    "sales": (0.11, 0.11, 0.13, 0.10, 0.14, 0.06, 0.01),
    "clerical": (0.08, 0.16, 0.19, 0.15, 0.10, 0.05, 0.01),
    "craft": (0.19, 0.20, 0.14, 0.15, 0.05, 0.02, 0.01),
    "machine operator": (0.18, 0.11, 0.06, 0.05, 0.02, 0.01, 0.0),
    "transport": (0.08, 0.07, 0.04, 0.03, 0.01, 0.01, 0.0),
    "cleaning": (0.10, 0.06, 0.03, 0.02, 0.01, 0.0, 0.0),
    "service": (0.17, 0.12, 0.15, 0.13, 0.07, 0.04, 0.03),
    "farming": (0.04, 0.04, 0.04, 0.03, 0.03, 0.02, 0.01),
}
"""Shares by education, in the order of `EDUCATION`."""
MEN_RATHER = {"craft": 0.94, "machine operator": 0.70, "transport": 0.95, "farming": 0.92, "executive": 0.70,
              "clerical": 0.33, "service": 0.45, "cleaning": 0.85}  # fmt: skip
"""The share of men, if it differs much from the overall share MEN."""
MEN = 0.66


def adults(seed: int) -> list[tuple[Any, ...]]:
    """The rows of the table, in the order of `HEADER`."""
    rng = np.random.RandomState(seed)
    return [adult(rng) for _ in range(ROWS)]


def adult(rng: np.random.RandomState) -> tuple[Any, ...]:
    """One person."""
    low, high, _ = AGES[pick(rng, [share for *_, share in AGES])]
    age = low + int((high - low + 1) * rng.random_sample() ** 1.15)
    education = pick(rng, by_age(EDUCATION_SHARES, age))
    marital = MARITAL[pick(rng, by_age(MARITAL_SHARES, age))]
    names = list(OCCUPATIONS)
    occupation = names[pick(rng, [shares[education] for shares in OCCUPATIONS.values()])]
    man = rng.random_sample() < MEN_RATHER.get(occupation, MEN - 0.08)
    public = (
        0.10 + 0.12 * (occupation == "professional") - 0.08 * (occupation in ("craft", "sales", "machine operator"))
    )
    own = 0.04 + 0.08 * (age >= 40) + 0.25 * (occupation == "farming")
    shares = [1 - own - public, own, 0.45 * public, 0.30 * public, 0.25 * public]
    workclass = WORKCLASS[pick(rng, shares)]
    hours = working_hours(rng, age, man, workclass)
    income = rng.random_sample() < chance_of_much(age, education, marital, occupation, hours, man)
    sex = "male" if man else "female"
    return age, workclass, EDUCATION[education], marital, occupation, sex, hours, ">50k" if income else "<=50k"


def pick(rng: np.random.RandomState, shares: Any) -> int:
    """An index with a chance proportional to its share."""
    ends = np.cumsum(shares)
    return int(np.searchsorted(ends, rng.random_sample() * ends[-1], side="right"))


def by_age(table: dict[int, Any], age: int) -> Any:
    """The entry with the highest starting age that is not above this age."""
    return table[max(start for start in table if start <= age)]


def working_hours(rng: np.random.RandomState, age: int, man: bool, workclass: str) -> int:
    """Hours a week: forty for about half of the people of working age, fewer for the youngest and the oldest."""
    if 25 <= age < 65 and rng.random_sample() < 0.52:
        return 40
    middle = 42 if 25 <= age < 65 else 30
    middle += 3 * man + 4 * (workclass == "self-employed") - 2
    return int(min(max(round(middle + 9 * rng.standard_normal()), 4), 90))


def chance_of_much(age: int, education: int, marital: str, occupation: str, hours: int, man: bool) -> float:
    """The chance of an income above 50k."""
    score = -4.3 + 0.45 * education + 1.9 * (marital == "married") + 0.35 * man + 0.035 * (hours - 40)
    score += 1.1 * min(max((age - 22) / 25, 0), 1) + 0.7 * (occupation in ("executive", "professional", "technical"))
    score -= 0.8 * (occupation in ("service", "cleaning", "farming"))
    return float(1 / (1 + np.exp(-score)))
