"""The law's words that an assessment uses: what each means in plain English, where it is defined, and its definition.

The Regulation is quoted from copies of its text. The three questions of Opinion 05/2014 are quoted as several texts about
the opinion quote them, word for word alike; the opinion itself was not at hand. Whoever cites it should look there.
"""

from __future__ import annotations

from typing import NamedTuple

REGULATION = "Regulation (EU) 2016/679 (GDPR)"
OPINION = "Article 29 Working Party, Opinion 05/2014 on Anonymisation Techniques (WP216), 10 April 2014"
ABOUT_QUOTATIONS = (
    "The Regulation is quoted from copies of its text. The definitions of Opinion 05/2014 are quoted as texts about it quote "
    "them, word for word alike; the opinion itself was not at hand. Look there before you cite it."
)


class LawWord(NamedTuple):
    """A word of the law. names : its forms in texts. meaning : in plain English. where : the article, recital or opinion that
    is quoted. quoted : its words."""

    names: tuple[str, ...]
    meaning: str
    where: str
    quoted: str

    @property
    def explained(self) -> str:
        """The meaning, and where it is defined."""
        return f"{self.meaning.removesuffix('.')} ({self.where})."


LAW_WORDS: tuple[LawWord, ...] = (
    LawWord(
        ("personal data",),
        "Whatever is about a person who is or can be identified, by a name, by places, or by a combination of these.",
        "GDPR Art. 4(1)",
        "any information relating to an identified or identifiable natural person",
    ),
    LawWord(
        ("singling out", "single out", "singles out", "singled out"),
        "Telling one person’s records from everybody else’s, even without knowing the name.",
        "Opinion 05/2014; see also GDPR Recital 26",
        "the possibility to isolate some or all records which identify an individual in the dataset",
    ),
    LawWord(
        ("linkability",),
        "Whether somebody can tell that two records, or two releases, are about the same person.",
        "Opinion 05/2014",
        "the ability to link, at least, two records concerning the same data subject or a group of data subjects (either in "
        "the same database or in two different databases)",
    ),
    LawWord(
        ("inference",),
        "Concluding from what is published something about a person that is not: a home from noisy reports, say.",
        "Opinion 05/2014",
        "the possibility to deduce, with significant probability, the value of an attribute from the values of a set of "
        "other attributes",
    ),
    LawWord(
        ("controller",),
        "Whoever decides why and how personal data are used, alone or with others, and answers for it.",
        "GDPR Art. 4(7)",
        "the natural or legal person, public authority, agency or other body which, alone or jointly with others, determines "
        "the purposes and means of the processing of personal data",
    ),
    LawWord(
        ("pseudonymous", "pseudonymised", "pseudonymisation"),
        "Names are replaced, and what says who is who is kept apart. Whoever can join the two still has personal data.",
        "GDPR Art. 4(5), Recital 26",
        "the processing of personal data in such a manner that the personal data can no longer be attributed to a specific "
        "data subject without the use of additional information, provided that such additional information is kept "
        "separately and is subject to technical and organisational measures to ensure that the personal data are not "
        "attributed to an identified or identifiable natural person",
    ),
    LawWord(
        ("anonymous",),
        "Nobody can be identified by any means reasonably likely to be used. No number here shows that by itself.",
        "GDPR Recital 26",
        "information which does not relate to an identified or identifiable natural person or to personal data rendered "
        "anonymous in such a manner that the data subject is not or no longer identifiable",
    ),
)
