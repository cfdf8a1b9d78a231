"""The words of the foundations page: those of the chosen part.

The other parts bring their own. Here stands what is said of a published table: how well its classes hide, what that
protects, and what it does not.
"""

from __future__ import annotations

from lmdk_widgets.checks import joined
from lmdk_widgets.page.amounts import bound, percent
from lmdk_widgets.page.words import Words
from lmdk_widgets.pages.foundations.adding import adding_words
from lmdk_widgets.pages.foundations.levels import coarser, titles
from lmdk_widgets.pages.foundations.noise import noise_words
from lmdk_widgets.pages.foundations.outcome import FoundationsOutcome, Published
from lmdk_widgets.pages.foundations.stream import stream_words

NOT_BOUNDED = (
    "None of this bounds what an attacker with other knowledge learns, and none of it is differentially private: that "
    "takes noise, as the part Noise shows."
)


def describe(outcome: FoundationsOutcome) -> Words:
    """What the settings mean, in sentences that are true of them."""
    if outcome.choices.part == "noise":
        return noise_words(outcome.choices, outcome.shown)
    if outcome.choices.part == "adding":
        return adding_words(outcome.choices, outcome.shown)
    if outcome.choices.part == "stream":
        return stream_words(outcome.choices, outcome.shown)
    return table_words(outcome)


def table_words(outcome: FoundationsOutcome) -> Words:
    """What the release is worth, against whom, and where that ends."""
    shown = outcome.shown
    paragraph = f"{_found(shown)}{_released(shown)} {_measured(shown, outcome.choices.recursive_c)}"
    return Words(paragraph, _guarantee(shown), tuple(_warnings(shown)))


def known_columns(shown: Published) -> str:
    """The quasi-identifiers as people list them."""
    return joined([shown.table.heads[k] for k in shown.release.publishing.quasi], "and")


def hidden_column(shown: Published) -> str:
    """The name of the sensitive column."""
    return shown.table.heads[shown.release.publishing.sensitive]


def _found(shown: Published) -> str:
    """What somebody who knows a person can do, in everyday words."""
    found = shown.measures
    if found is None:
        return ""
    chance = (
        "for certain, where nobody else looks alike" if found.k == 1 else f"with a chance of at most one in {found.k:,}"
    )
    return f"Who knows {known_columns(shown)} of a person finds the record {chance}. "


def _released(shown: Published) -> str:
    release, table = shown.release, shown.table
    how = [f"{table.heads[k]} ({titles(table, k)[release.publishing.level(k)]})" for k in release.publishing.quasi]
    start = f"Published with {joined(how, 'and')}"
    if not len(release):
        return f"{start}, no class is large enough: everybody is left out, {_people(len(table))}."
    lost = (
        f" {_people(release.lost).capitalize()} ({percent(release.lost / len(table))}) {_is(release.lost)} left out."
        if release.lost
        else ""
    )
    if release.kept == 1:
        return f"{start}, there is one person.{lost}"
    if len(release) == 1:
        people = "both people" if release.kept == 2 else f"all {_people(release.kept)}"
        return f"{start}, {people} look alike: there is one class.{lost}"
    return f"{start}, {_people(release.kept)} form {len(release):,} classes of people who look alike.{lost}"


def _measured(shown: Published, c: float) -> str:
    found = shown.measures
    if found is None:
        return "There is nothing to measure."
    ordered = "" if found.ordered is None else f", or {bound(found.ordered)} with the values in their order"
    different = "one value" if found.distinct == 1 else f"{found.distinct:,} values"
    return (
        f"k = {found.k:,}: the smallest class has {_people(found.k)}. l = {found.distinct:,}: some class has no more than "
        f"{different} of {hidden_column(shown)}; by entropy l = {bound(found.entropy, up=False)}, and it is recursively "
        f"({c:.15g}, {found.recursive:,})-diverse. t = {bound(found.closeness)}: so far is the mixture of a class from "
        f"that of the table{ordered}."
    )


def _guarantee(shown: Published) -> str:
    known, hidden = known_columns(shown), hidden_column(shown)
    found = shown.measures
    if found is None:
        return f"What is protected: everybody, as nothing is released. {NOT_BOUNDED}"
    kept = f"a person's record, which is one of at least {found.k:,} that look alike"
    alone = "nothing of those who are alone in a class; of the others their record"
    return (
        f"What is protected: {kept if found.k > 1 else alone}, and {hidden} as far as the class mixes it. Against whom: "
        f"somebody who knows {known} of the person and nothing else. Under which assumption: this is the only release, "
        f"and what people have does not depend on each other. {NOT_BOUNDED}"
    )


def _warnings(shown: Published) -> list[str]:
    release, found = shown.release, []
    alone = int((release.size == 1).sum())
    if alone:
        found.append(
            f"{_people(alone).capitalize()} {_is(alone)} alone in a class: whoever knows "
            f"{known_columns(shown)} finds the record."
        )
    if len(release) == 1 and len(shown.table) > 1:
        found.append("There is one class: the columns that an attacker knows tell nothing any more.")
    if release.missing:
        found.append(
            f"{_people(release.missing).capitalize()} {'lacks' if release.missing == 1 else 'lack'} a value of "
            f"{known_columns(shown)}: no value counts as a value, "
            "and those who lack it are a class of their own."
        )
    column = shown.table.coded[release.publishing.sensitive]
    if column.missing:
        found.append(f"Some people have no value of {hidden_column(shown)}: that counts as a value of its own.")
    if release.lost:
        found.append("Who is left out was rare: that somebody is missing may be told by that alone.")
    return found


def picture_summary(shown: Published) -> str:
    """The picture of the classes in words."""
    release = shown.release
    if not len(release):
        return "No class is left."
    sizes = f"the largest of {_people(int(release.size[0]))}, the smallest of {_people(int(release.size[-1]))}"
    few = len(shown.table) <= MARKED
    marks = "Each mark is a person" if few else "Each block is a class, as large as its people"
    count = "One class" if len(release) == 1 else f"{len(release):,} classes"
    return f"{count}, {sizes}. {marks}; colour and {'shape' if few else 'pattern'} tell {hidden_column(shown)}."


def measure_rows(shown: Published) -> list[list[str]]:
    """The measures as rows of a table: name, value, meaning."""
    found = shown.measures
    if found is None:
        return []
    rows = [
        ["k-anonymity", f"k = {found.k:,}", "people in the smallest class"],
        ["distinct l-diversity", f"l = {found.distinct:,}", "different values in the class with the fewest"],
        ["entropy l-diversity", f"l = {bound(found.entropy, up=False)}", "e to the entropy of the least mixed class"],
        ["recursive l-diversity", f"l = {found.recursive:,}", "the most frequent value is not too frequent, by c"],
        ["t-closeness", f"t = {bound(found.closeness)}", "distance of a class from the table, all values equally far"],
    ]
    if found.ordered is not None:
        rows.append(["t-closeness, ordered", f"t = {bound(found.ordered)}", "the same with values in their order"])
    return rows


MARKED = 60
"""Up to so many people every one has a mark."""


def column_list(shown: Published) -> list[dict[str, object]]:
    """The columns of the table with what is published of each."""
    table, publishing = shown.table, shown.release.publishing
    return [
        {
            "name": head,
            "known": k in publishing.quasi,
            "hidden": k == publishing.sensitive,
            "level": publishing.level(k),
            "levels": list(titles(table, k)),
            "values": len(coarser(table, k, min(publishing.level(k), len(titles(table, k)) - 1)).values),
        }
        for k, head in enumerate(table.heads)
    ]


def _is(number: int) -> str:
    return "is" if number == 1 else "are"


def _people(number: int) -> str:
    return "one person" if number == 1 else f"{number:,} people"
