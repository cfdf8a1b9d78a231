"""Anonymity of a table: classes, k-anonymity, l-diversity, t-closeness, how to generalise a table, and attacks on it.

Tables are pandas DataFrames with one person per row, and are never changed. Rows that agree in all quasi-identifiers
form a class; a missing value counts as a separate value. pandas is imported when a table is first used.
"""

from lmdk_widgets.anonymity.all_attacks import ATTACKS, DISCLOSURES, Attack
from lmdk_widgets.anonymity.classes import Classes, Suppression, classes, suppress
from lmdk_widgets.anonymity.examples import CITY, example_names, example_table
from lmdk_widgets.anonymity.facts import Findings, Hit, Prevention
from lmdk_widgets.anonymity.generalise import Hierarchy, generalise
from lmdk_widgets.anonymity.measures import k_anonymity, l_diversity, t_closeness

__all__ = [
    "ATTACKS",
    "CITY",
    "DISCLOSURES",
    "Attack",
    "Classes",
    "Findings",
    "Hierarchy",
    "Hit",
    "Prevention",
    "Suppression",
    "classes",
    "example_names",
    "example_table",
    "generalise",
    "k_anonymity",
    "l_diversity",
    "suppress",
    "t_closeness",
]
