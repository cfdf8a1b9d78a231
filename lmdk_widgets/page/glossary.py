"""The terms of the field in plain English: the one place that the pages and docs/glossary.md take them from.

`python -m lmdk_widgets.page.glossary` writes docs/glossary.md again, in a checkout.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from lmdk_widgets.page.law_words import LAW_WORDS


class Term(NamedTuple):
    """A term. `names`: its forms in texts, each in the singular; one that begins with a capital only matches with it.
    `meaning`: one or two sentences."""

    names: tuple[str, ...]
    meaning: str


def _terms(*entries: tuple[str, str]) -> tuple[Term, ...]:
    return tuple(Term(tuple(names.split(" | ")), meaning) for names, meaning in entries)


GLOSSARY: tuple[Term, ...] = (
    *_terms(
        ("timestamp", "A moment of a track or a series: one row, with its time and where or what it was."),
        ("landmark", "A timestamp that matters to its owner, such as a visit; the others are regular."),
        (
            "epsilon | ε",
            "How much may be revealed: the odds of two cases, such as two places one radius apart at one moment, change by a "
            "factor of at most e^ε. Smaller is more private; 0.69 may double the odds.",
        ),
        (
            "budget",
            "The part of epsilon that one timestamp spends. The more it spends, the less noise it gets and the more it "
            "reveals.",
        ),
        (
            "odds",
            "How much likelier one possibility is than another: 3 to 1, say. Privacy is measured by the factor by which a "
            "release changes them.",
        ),
        (
            "protection radius",
            "The distance at which a budget is measured: the odds of two places that far apart change by a factor of at "
            "most e^budget, those of nearer places by less.",
        ),
        (
            "total loss",
            "A what-if: what all releases together reveal about one timestamp to someone who assumes a chain, between two "
            "cells, with the place within a cell drawn anew at every timestamp.",
        ),
        (
            "loss at delta | loss at δ",
            "A what-if: the least factor e^loss that holds for the odds of one timestamp under the chosen chain, except with "
            "chance δ. Never above the loss without δ.",
        ),
        (
            "map matching",
            "Finding the way that somebody took along streets from places that are wrong by some noise: the streets and the "
            "routes between them rule out most of what the noise leaves open.",
        ),
        ("supremum", "The value that the total loss never passes, however long the track becomes; there may be none."),
        (
            "geo-indistinguishability",
            "The odds of two places d metres apart change by a factor of at most e^(ε d), whatever is reported and whoever "
            "looks.",
        ),
        (
            "quality loss",
            "How far a report is from the true place, in metres, on average over the places where the person may be.",
        ),
        (
            "adversary error",
            "How far an adversary's best guess after the report is from the true place, in metres, on average.",
        ),
        (
            "Bayes capacity",
            "How many times likelier a report makes a right guess at most, whatever is believed beforehand: 1 if it tells "
            "nothing.",
        ),
        (
            "Bayes security",
            "The least share of wrong guesses that stays wrong after a report, whatever is believed beforehand: 100 % if it "
            "tells nothing.",
        ),
        (
            "secret over time",
            "A statement about several moments: that somebody was at a place on some days, or which of two places is home.",
        ),
        (
            "Pufferfish",
            "Privacy for a stated belief: which secrets are hidden, and how adversaries believe the data are correlated. "
            "Against other beliefs it promises nothing.",
        ),
        (
            "Markov quilt | quilt",
            "The timestamps that separate one moment from distant ones: what lies beyond them reveals little about it, so "
            "noise need only cover what lies within.",
        ),
        (
            "simulation",
            "A release whose noise can be repeated, or comes from an ordinary sampler: good for learning, but not a "
            "private release.",
        ),
        (
            "k-anonymity",
            "The size of the smallest class: how many rows of a table share what an attacker may know about a person.",
        ),
        ("l-diversity", "How well each class of a table mixes the secret values."),
        ("t-closeness", "How far the mixture of secret values in a class is from that of the whole table."),
    ),
    *_terms(
        ("regular", "A timestamp that is not a landmark."),
        (
            "dummy | dummies",
            "A regular timestamp that is protected together with the landmarks. Random dummies hide which protected "
            "timestamps are landmarks. Dummies by the paper's methods hide it poorly, or not.",
        ),
        ("scheme", "A rule that says how much of epsilon each timestamp spends."),
        (
            "event level",
            "Each timestamp is protected by itself: it may spend all of epsilon. What several of them "
            "reveal together adds up.",
        ),
        ("user level", "All timestamps together share one epsilon: the whole track is protected as one."),
        ("w-event", "Any w timestamps in a row share one epsilon."),
        ("Uniform", "The scheme that gives the landmarks and any one other timestamp the same share of epsilon."),
        ("Skip", "The scheme that does not measure landmarks and repeats the last release there."),
        ("Adaptive", "The scheme that saves budget by measuring less often while releases change little."),
        (
            "sampling rate",
            "The chance that Adaptive measures a timestamp: it falls while releases change little.",
        ),
        ("threshold", "The difference between two releases above which Adaptive measures more often."),
        (
            "Weighted",
            "Of all fixed budgets that measure every timestamp and keep the landmark Theorem, those with the least expected "
            "error: landmarks get less. Skip measures no landmark and may err less.",
        ),
        ("Budget Distribution", "The w-event scheme that spends half of what its window has left at each publication."),
        (
            "Budget Absorption",
            "The w-event scheme whose publications take over the unused shares of earlier timestamps.",
        ),
        (
            "Predictive",
            "The w-event scheme that repeats the last report while a noisy test, which also costs budget, finds it near "
            "enough.",
        ),
        (
            "Planned",
            "The scheme with the least mean error found for which no timestamp loses more than the target in total. It errs "
            "no more than Cao's plan or user level at that target.",
        ),
        (
            "Cao's plan",
            "Gives every timestamp the target as its total loss to someone who assumes the chosen chain. User level at that "
            "target loses no more, and errs less for strong correlation and few timestamps.",
        ),
        (
            "By hand",
            "Budgets that you set yourself; the page says whether they fit epsilon, and which factor would make them fit.",
        ),
        ("mechanism", "The random rule that turns the true place or value into a report."),
        (
            "planar Laplace | Planar Laplace",
            "Noise in a random direction: the report falls near the true place more often "
            "than far from it, with a mean distance of 2 radius / budget.",
        ),
        ("release | released track", "What is published: reports instead of the truth."),
        ("draws", "Releases of the same truth with different random numbers: each one comes out differently."),
        ("seed", "The number from which the noise is drawn: the same seed gives the same noise again."),
        ("noise", "The random error that hides the truth."),
        ("Laplace", "Noise for numbers: each further step away from the truth is less likely by the same factor."),
        (
            "standard deviation | standard error",
            "How far off a random number typically is: the root of its mean squared error.",
        ),
        (
            "neighbouring input | Neighbour",
            "Two data sets that differ in one person. Epsilon bounds how well a release reveals which of the two it is from.",
        ),
        (
            "local model",
            "Everyone adds noise to their own answer before anyone sees it: nobody has to be trusted with the truth.",
        ),
        ("identity disclosure | record linkage", "It becomes known which row of a table is a person's."),
        ("presence disclosure | table linkage", "It becomes known whether a person is in a table."),
        ("attribute disclosure | attribute linkage", "It becomes known what a person's sensitive value is."),
        (
            "trusted curator | data publisher",
            "Whoever holds everybody's true data and publishes a protected version. In the local model there is none.",
        ),
        ("sensitive", "What a table should not reveal about a person, such as an illness."),
        ("class", "The people in a table who look the same in everything that an attacker may know about them."),
        ("mean error", "The average distance between the released and the true places, in metres."),
        ("backward", "About what earlier releases reveal about a timestamp, because places follow each other."),
        ("forward", "About what later releases reveal about a timestamp, because places follow each other."),
        (
            "loss",
            "How much is learned about a timestamp: odds change by a factor of at most e^loss. A chain's loss is a what-if: "
            "see total loss.",
        ),
        ("correlation", "How much one place or state says about the next one."),
        (
            "Markov chain | chain",
            "A model of what follows what: each state has chances for the next one, whatever came before it.",
        ),
        (
            "transition matrix",
            "The chances of a Markov chain as a table: a row for each state, a column for the next one.",
        ),
        ("state", "What a timestamp can be in a model: a place, a level of power, an activity."),
        ("long run | long-run distribution", "How often a Markov chain is in each state after a long time."),
        ("stationary start", "A Markov chain starts with its long-run distribution, as if it had always been running."),
        ("usual start", "A chain starts in each place as often as it is there in the long run: a stationary start."),
        (
            "adversary | adversaries",
            "Anyone who looks at the release and tries to learn the truth, using everything they already know.",
        ),
        ("prior", "What is believed before a report is seen: how likely each place is."),
        ("stay point", "A part of a track that stays within a given distance for a given time."),
        ("cell", "A square of the map that counts as one place."),
        ("privacy level", "The epsilon of two places one protection radius apart."),
        (
            "whatever is reported | Whatever is reported",
            "A limit for every mechanism with the same promise, also one that reports no cell: no reader of it is nearer on "
            "average.",
        ),
        ("certified | certificate", "Checked after it was computed, over all pairs of places and all reports."),
        (
            "spanner",
            "A few pairs of places whose constraints stand in for those of all pairs: faster to solve, a little worse.",
        ),
        ("dilation", "How much longer the path over a spanner may be than the straight line."),
        (
            "OptPriv",
            "The mechanism that maximises an adversary's error for a given quality loss. It promises no epsilon.",
        ),
        ("Optimal | optimal mechanism", "The mechanism with the least quality loss that epsilon allows."),
        ("remapped | Remapped", "Each report is replaced by the best guess for it, which costs no privacy."),
        ("constraint", "A condition for privacy: two places must give a report with nearly the same probability."),
        ("histogram", "How often each state occurs in the series, as bars."),
        ("σ", "Sigma, the size of the noise before it is scaled to the query: larger is noisier."),
        ("nearby set", "The timestamps within a quilt, which noise has to cover."),
        ("influence | max-influence", "The most that one timestamp can say about others, as a logarithm of odds."),
        (
            "GK16",
            "The mechanism of Ghosh and Kleinberg (2016): ordinary noise, enlarged, where timestamps say little about each "
            "other.",
        ),
        (
            "group privacy | Group differential privacy | Group DP",
            "Hides all timestamps as one group, whatever is believed, with very much noise.",
        ),
        (
            "entry-level | Entry-level",
            "Hides one timestamp as if it stood alone: not enough where timestamps say something about each other.",
        ),
        ("composition", "What several releases promise together."),
        ("segment", "Timestamps in a row that one release is made from."),
        ("Θ", "What adversaries may believe, as a set of Markov chains: the noise protects against each of them."),
        (
            "differential privacy",
            "Whatever one record says, any release is nearly as likely: odds change by a factor of at most e^ε.",
        ),
        ("sensitivity", "The most by which one person can change what is released; the noise must cover it."),
        (
            "delta | δ",
            "A small chance that the promise of ε fails; with it, many releases cost less than the sum of their epsilons.",
        ),
        (
            "false alarms",
            "How often a test claims that someone is in the data when they are not; a trade-off curve shows them against "
            "the cases missed.",
        ),
        (
            "randomised response",
            "The true answer is given with some chance, and any other one otherwise. Any single answer may be false, "
            "and yet it changes the odds, by a factor of at most e^ε.",
        ),
        ("Geometric", "Noise in whole numbers: each step away from the truth is less likely by the same factor."),
        ("Exponential", "The mechanism that picks one of several answers, the better ones with a larger chance."),
        ("pan-private | Pan-private", "Private even against someone who reads the memory of the counter."),
        ("intrusion", "An attacker reads the memory of a counter, not only its output."),
        ("discounted | Discounted", "A timestamp counts less the older it is, each time by the same factor γ."),
        ("sequential", "Releases about the same people: what they spend adds up."),
        ("parallel", "Releases made from parts with nobody in common: only the largest amount spent counts."),
        ("post-processing", "Anything computed from releases alone: it reveals nothing more."),
        ("entropy", "How evenly values are mixed: 0 if all are the same, and more the more even they are."),
        (
            "recursive diversity | recursively",
            "The most frequent value of a class stays below c times the l-th most frequent and all rarer ones together.",
        ),
        ("quasi-identifiers", "What an attacker may know about a person in a table, such as age and place."),
    ),
    *(Term(word.names, word.explained) for word in LAW_WORDS),
)
"""Every term."""


def message() -> list[tuple[tuple[str, ...], str]]:
    """The glossary as a page gets it: the names of each term, and its meaning."""
    return [(term.names, term.meaning) for term in GLOSSARY]


def table() -> str:
    """All terms by name, as a table in Markdown."""
    ordered = sorted(GLOSSARY, key=lambda term: term.names[0].lower())
    return "\n".join(
        ("| word | meaning |", "|---|---|", *(f"| {_titled(term)} | {term.meaning} |" for term in ordered), "")
    )


def _titled(term: Term) -> str:
    """The names of a term, each once: "Group differential privacy, group DP"."""
    names: dict[str, str] = {}
    for name in term.names:
        names.setdefault(name.lower(), name)
    return ", ".join(names.values())


def document() -> str:
    """docs/glossary.md."""
    head = "Every term of the pages, in plain English. The pages show the same text at each term."
    return f"# Glossary\n\n{head}\n\n{table()}"


if __name__ == "__main__":
    root = Path(__file__).parents[2]
    (root / "docs" / "glossary.md").write_text(document(), encoding="utf-8")
