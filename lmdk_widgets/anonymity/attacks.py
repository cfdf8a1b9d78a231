"""The attacks on published tables and the disclosures they lead to, as a table that a page can go through.

Each entry says in words what the attacker knew, what follows and what would have prevented it, and names the function
that finds it in any table. The words hold no number: the functions return facts (`facts.Findings`), for tables of every
kind. Most attacks ask for tables alone; `arguments` names what a function takes, in order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lmdk_widgets.anonymity.correlation import data_correlation
from lmdk_widgets.anonymity.one_release import attribute, homogeneity, identity, presence, similarity, skewness
from lmdk_widgets.anonymity.several_releases import (
    join,
    tuple_correspondence,
    tuple_equivalence,
    unknown_releases,
    unsorted_matching,
)

DOMAIN = "knowledge of the sensitive values"
COMPLEMENTARY = "complementary releases"
CORRELATION = "data correlation"
DISCLOSURE = "disclosure"


@dataclass(frozen=True)
class Attack:
    """An attack, or a disclosure: words without numbers, and the function that finds it.

    Attributes
    ----------
    name, family : what it is called, and what kind it is.
    knows : what the attacker knew.
    follows : what follows from it.
    prevented_by : the measure that would have prevented it.
    discloses : "presence", "identity" or "attribute".
    source : the paper.
    find : the function.
    arguments : the names of its arguments that have no default, in order.
    """

    name: str
    family: str
    knows: str
    follows: str
    prevented_by: str
    discloses: str
    source: str
    find: Callable[..., Any]

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments that must be given."""
        from inspect import Parameter, signature

        return tuple(n for n, p in signature(self.find).parameters.items() if p.default is Parameter.empty)


ATTACKS: dict[str, Attack] = {
    attack.name: attack
    for attack in (
        Attack(
            "homogeneity",
            DOMAIN,
            "The quasi-identifiers of a person, and so the person's class.",
            "Everybody in the class has the same sensitive value, so the person has it too.",
            "Distinct l-diversity with two values or more in each class.",
            "attribute",
            "Machanavajjhala et al., ICDE 2006",
            homogeneity,
        ),
        Attack(
            "skewness",
            DOMAIN,
            "The person's class, and how frequent each sensitive value is among all people.",
            "A value is much more frequent in the class than among all, so it is believed of the person more than before.",
            "t-closeness: the values of each class are distributed like those of the table.",
            "attribute",
            "Li, Li, Venkatasubramanian, ICDE 2007",
            skewness,
        ),
        Attack(
            "similarity",
            DOMAIN,
            "The person's class, and what the sensitive values mean.",
            "The values of the class differ but all mean the same, so the person's value means that too.",
            "t-closeness with a hierarchical distance, or l-diversity of what the values mean.",
            "attribute",
            "Li, Li, Venkatasubramanian, ICDE 2007",
            similarity,
        ),
        Attack(
            "unsorted matching",
            COMPLEMENTARY,
            "Two releases of the same people whose rows are in the same order.",
            "The rows at one place belong to one person, who is then in both classes at once: fewer people are.",
            "Rows in an order of their own in each release.",
            "identity",
            "Sweeney, IJUFKS 2002",
            unsorted_matching,
        ),
        Attack(
            "join",
            COMPLEMENTARY,
            "Two releases of the same people that have columns in common.",
            "Rows with the same rare values in these columns belong to one person, who is then in both classes at once.",
            "k-anonymity of the join: columns of earlier releases count as quasi-identifiers.",
            "identity",
            "Wang, Fung, KDD 2006",
            join,
        ),
        Attack(
            "tuple correspondence",
            COMPLEMENTARY,
            "An earlier and a later release, where everybody of the earlier one is in the later one too.",
            "Each earlier record has a later one of its own; records that leave none for others cannot be the person's.",
            "k-anonymity that still holds when all correspondences are taken into account.",
            "identity",
            "Fung, Wang, Fu, Pei, EDBT 2008",
            tuple_correspondence,
        ),
        Attack(
            "tuple equivalence",
            COMPLEMENTARY,
            "Who is in which class of several releases, between which people left and others came.",
            "Two people must have the same sensitive value, whichever it is: one of them known, the other is known too.",
            "Classes of which none pins people to the same value over all releases.",
            "attribute",
            "He, Barman, Naughton, ICDE 2011",
            tuple_equivalence,
        ),
        Attack(
            "unknown releases",
            COMPLEMENTARY,
            "The person's class in two releases, each of which was made as if there were no other.",
            "Only values that both classes hold are possible, which are fewer than either has.",
            "l-diversity over all releases together.",
            "attribute",
            "Shmueli, Tassa, Information Sciences 2015",
            unknown_releases,
        ),
        Attack(
            "data correlation",
            CORRELATION,
            "How the secrets of two people depend on each other, and the private answers of both.",
            "The answer of one tells of the other; together they tell more than the budget of either bounds.",
            "A budget that counts correlated answers together, as Pufferfish privacy does.",
            "attribute",
            "Kifer, Machanavajjhala, SIGMOD 2011",
            data_correlation,
        ),
    )
}

DISCLOSURES: dict[str, Attack] = {
    attack.name: attack
    for attack in (
        Attack(
            "presence",
            DISCLOSURE,
            "The quasi-identifiers of everybody in a population that holds the people of the release.",
            "All people like this one are in the release, or none is: whether the person took part is known.",
            "delta-presence: neither presence nor absence is too probable for anybody.",
            "presence",
            "Nergiz, Atzori, Clifton, SIGMOD 2007",
            presence,
        ),
        Attack(
            "identity",
            DISCLOSURE,
            "The quasi-identifiers of a person who is in the release.",
            "So few records agree with them that one is known to be the person's.",
            "k-anonymity.",
            "identity",
            "Sweeney, IJUFKS 2002",
            identity,
        ),
        Attack(
            "attribute",
            DISCLOSURE,
            "The quasi-identifiers of a person who is in the release.",
            "Most records of the class have one sensitive value, so it is believed of the person.",
            "l-diversity and t-closeness.",
            "attribute",
            "Machanavajjhala et al., ICDE 2006",
            attribute,
        ),
    )
}
