"""A table as it is published: its release, its measures, the attack on it, and what the page shows of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lmdk_widgets.anonymity.all_attacks import PLAYABLE
from lmdk_widgets.checks import joined
from lmdk_widgets.errors import InputError
from lmdk_widgets.io import NOTE
from lmdk_widgets.io.tables import table_csv
from lmdk_widgets.page.amounts import bound, percent, whole
from lmdk_widgets.page.blocks import Notes, Table
from lmdk_widgets.page.sentences import Written, sentence
from lmdk_widgets.pages.table.coarsen import levels_for, search
from lmdk_widgets.pages.table.levels import coarser, titles
from lmdk_widgets.pages.table.model import DEFAULT, NO_ATTACK, TableChoices
from lmdk_widgets.pages.table.release import Measures, Publishing, Release, publish
from lmdk_widgets.pages.table.scenes import Scene, capital, every_person, headcount, play, steps
from lmdk_widgets.pages.table.table import Table as People
from lmdk_widgets.pages.table.table import example

TABLE = "anonymised table"
"""What the name of its file calls a published table: neither a simulation nor a differentially private release."""

TABLE_NOTE = f"{TABLE}: its rows hide among those of their class, and that is all they do"
"""The note in each of its rows."""


MARKED = 60
"""Up to this many people, each one has a mark."""


LOOKS = 8
"""The number of values of the sensitive column with a look of their own; the others share one."""
BLOCKS = 300
"""Classes of a large table that are drawn one by one; the smaller ones are drawn as one."""


NAMED_COLUMNS = 3
"""Up to this many columns are called by their names where there is little room."""
MOST_CLASSES = 100
"""Classes of a published table that a report lists; the others are counted."""
NOT_BOUNDED = (
    "None of this bounds what an attacker with other knowledge learns, and none of it is differentially private: that "
    "takes noise, as the part Noise shows."
)


@dataclass(frozen=True, eq=False)
class Published:
    """A table as it is published, its measures (None if nobody is left), and the attack that is played, if any."""

    release: Release
    measures: Measures | None
    scene: Scene | None

    @property
    def table(self) -> People:
        """The table that was published."""
        return self.release.table


def published(choices: TableChoices, own: People | None) -> Published:
    """The release of the chosen table, and the attack on it."""
    table, publishing = table_of(choices, own), publishing_of(choices, own)
    release = publish(table, publishing)
    scene = None if choices.attack == NO_ATTACK else play(table, publishing, choices.attack)
    return Published(release, release.measures(choices.recursive_c), scene)


def table_of(choices: TableChoices, own: People | None) -> People:
    """The chosen table."""
    if choices.table != "own":
        return example(choices.table)
    if own is None:
        raise InputError("A table of your own must be uploaded first", value="none", remedy="Choose another table")
    return own


def publishing_of(choices: TableChoices, own: People | None) -> Publishing:
    """What is published from the chosen table."""
    table = table_of(choices, own)
    sensitive = table.sensitive if choices.sensitive == DEFAULT else choices.sensitive
    quasi = choices.quasi or table.quasi
    levels = tuple(map(int, choices.levels)) or levels_for(table, _columns_of(table, quasi), choices.least)
    return Publishing(quasi, sensitive, levels, choices.least)


def _columns_of(table: People, quasi: tuple[int, ...]) -> tuple[int, ...]:
    """The columns that the table has: `publish` refuses others."""
    return tuple(column for column in quasi if column < len(table.heads)) or (0,)


def published_words(choices: TableChoices, shown: Published) -> Notes:
    """How well the release protects, against whom, and where that ends."""
    measured = _measured(shown, choices.recursive_c)
    paragraph = f"{_found(shown)}{_released(shown)}{_chosen(choices, shown)} {measured}"
    return Notes(paragraph, _guarantee(shown), tuple(_warnings(shown)))


def known_columns(shown: Published) -> str:
    """The quasi-identifiers as people list them."""
    return joined([shown.table.heads[k] for k in shown.release.publishing.quasi], "and")


def known_few(shown: Published) -> str:
    """The quasi-identifiers, or their number."""
    quasi = shown.release.publishing.quasi
    return (
        known_columns(shown)
        if len(quasi) <= NAMED_COLUMNS
        else sentence("{n_known} columns", n_known=whole(len(quasi)))
    )


def hidden_column(shown: Published) -> str:
    """The name of the sensitive column."""
    return shown.table.heads[shown.release.publishing.sensitive]


def _found(shown: Published) -> str:
    """What an attacker who knows something about a person can do, in everyday words."""
    found = shown.measures
    if found is None:
        return ""
    chance: str = sentence("with a chance of at most one in {k}", k=whole(found.k))
    if found.k == 1:
        chance = "for certain if nobody else looks the same"
    return sentence(
        "Anyone who knows a person's {known} finds the record {chance}. ", known=known_columns(shown), chance=chance
    )


def _released(shown: Published) -> str:
    release, table = shown.release, shown.table
    how = [f"{table.heads[k]} ({titles(table, k)[release.publishing.level(k)]})" for k in release.publishing.quasi]
    start = sentence("Published with {how}", how=joined(how, "and"))
    if not len(release):
        return sentence(
            "{start}, no class is large enough: everybody is left out, {everybody}.",
            start=start,
            everybody=headcount(len(table)),
        )
    lost = ""
    if release.lost:
        lost = sentence(
            " {lost} ({lost_share}) {are} left out.",
            lost=capital(headcount(release.lost)),
            lost_share=percent(release.lost / len(table)),
            are=_is(release.lost),
        )
    if release.kept == 1:
        return sentence("{start}, there is one person.{lost}", start=start, lost=lost)
    if len(release) == 1:
        people = every_person(release.kept)
        return sentence("{start}, {kept} look alike: there is one class.{lost}", start=start, kept=people, lost=lost)
    return sentence(
        "{start}, {kept} form {n_classes} classes of people who look alike.{lost}",
        start=start,
        kept=headcount(release.kept),
        n_classes=whole(len(release)),
        lost=lost,
    )


def _chosen(choices: TableChoices, shown: Published) -> str:
    """Why the columns are as coarse as they are, if the user has not chosen it."""
    if choices.levels or choices.least == 1 or not len(shown.release):
        return ""
    found = search(shown.table, shown.release.publishing.quasi)
    if found.every:
        return sentence(
            " Of all {tried} combinations of levels, these keep the most detail.", tried=whole(len(found.tried))
        )
    return sentence(
        " Of {tried} combinations of levels that were tried, these keep the most detail.", tried=whole(len(found.tried))
    )


def _measured(shown: Published, c: float) -> str:
    found = shown.measures
    if found is None:
        return "There is nothing to measure."
    ordered = (
        ""
        if found.ordered is None
        else sentence(", or {most_ordered} with the values in their order", most_ordered=bound(found.ordered))
    )
    recursive = sentence(
        "it is recursively ({c}, {recursive})-diverse", c=_written(c), recursive=whole(found.recursive)
    )
    if not found.recursive:
        recursive = sentence("it is not even recursively ({c}, 1)-diverse", c=_written(c))
    different = "one value"
    if found.distinct > 1:
        different = sentence("{distinct} values", distinct=whole(found.distinct))
    return sentence(
        "k = {k}: the smallest class has {smallest_class}. l = {distinct}: some class has no more than "
        "{different} of {hidden}; by entropy l = {least_entropy}, and {recursive}. t = {most_closeness}: at most "
        "this far is the mixture of a class from that of the table{ordered}.",
        k=whole(found.k),
        smallest_class=headcount(found.k),
        distinct=whole(found.distinct),
        different=different,
        hidden=hidden_column(shown),
        least_entropy=bound(found.entropy, up=False),
        recursive=recursive,
        most_closeness=bound(found.closeness),
        ordered=ordered,
    )


def _written(c: float) -> Written:
    """The c of recursive diversity, as it was chosen."""
    return Written(f"{c:.15g}", c)


def _guarantee(shown: Published) -> str:
    known, hidden = known_columns(shown), hidden_column(shown)
    found = shown.measures
    if found is None:
        return sentence("What is protected: everybody, as nothing is released. {not_bounded}", not_bounded=NOT_BOUNDED)
    kept: str = sentence("a person's record, which is one of at least {k} that look alike", k=whole(found.k))
    if found.k == 1:
        kept = "nothing about those who are alone in a class; for the others, their record"
    return sentence(
        "What is protected: {record}, and {hidden} as far as the class mixes it. Against whom: an attacker who "
        "knows {known} of the person and nothing else. Under which assumption: this is the only release, and "
        "people's values do not depend on each other. {not_bounded}",
        record=kept,
        hidden=hidden,
        known=known,
        not_bounded=NOT_BOUNDED,
    )


def _warnings(shown: Published) -> list[str]:
    found: list[str] = []
    release = shown.release
    alone = int((release.size == 1).sum())
    if alone:
        found.append(
            sentence(
                "{alone} {are} alone in a class: anyone who knows their {known} finds the record.",
                alone=capital(headcount(alone)),
                are=_is(alone),
                known=known_columns(shown),
            )
        )
    if len(release) == 1 and len(shown.table) > 1:
        found.append("There is one class: the columns that an attacker knows no longer tell anything.")
    if release.missing:
        found.append(
            sentence(
                "{lacking} {lack} a value of {known}: a missing value counts as a value, and those who lack one are a "
                "class of their own.",
                lacking=capital(headcount(release.missing)),
                lack="lacks" if release.missing == 1 else "lack",
                known=known_columns(shown),
            )
        )
    column = shown.table.coded[release.publishing.sensitive]
    if column.missing:
        found.append(
            sentence(
                "Some people have no value of {hidden}: that counts as a value of its own.", hidden=hidden_column(shown)
            )
        )
    if release.lost:
        found.append("Anyone left out was rare, and their absence alone may reveal that someone is missing.")
    return found


def picture_summary(shown: Published) -> str:
    """The picture of the classes in words."""
    release = shown.release
    if not len(release):
        return "No class is left."
    few = len(shown.table) <= MARKED
    marks = "Each mark is a person" if few else "Each block is a class, sized by its people"
    classes = "One class"
    if len(release) > 1:
        classes = sentence("{n_classes} classes", n_classes=whole(len(release)))
    return sentence(
        "{classes}, the largest of {largest_class}, the smallest of {smallest_class}. {marks}; colour and {look} "
        "show {hidden}.",
        classes=classes,
        largest_class=headcount(int(release.size[0])),
        smallest_class=headcount(int(release.size[-1])),
        marks=marks,
        look="shape" if few else "pattern",
        hidden=hidden_column(shown),
    )


def column_list(shown: Published) -> list[dict[str, object]]:
    """The columns of the table with what is published from each."""
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


def measures_table(_choices: TableChoices, shown: Published) -> Table:
    """The measures: name, value, meaning; no rows if nobody is left."""
    found = shown.measures
    rows: list[tuple[str, ...]] = []
    if found is not None:
        entropy, close = bound(found.entropy, up=False), bound(found.closeness)
        rows = [
            ("k-anonymity", f"k = {found.k:,}", "people in the smallest class"),
            ("distinct l-diversity", f"l = {found.distinct:,}", "different values in the class with the fewest"),
            ("entropy l-diversity", f"l = {entropy}", "e to the entropy of the least mixed class"),
            ("recursive l-diversity", f"l = {found.recursive:,}", "the most frequent value is not too frequent, by c"),
            ("t-closeness", f"t = {close}", "distance of a class from the table, all values equally far apart"),
        ]
        if found.ordered is not None:
            rows.append(
                (
                    "t-closeness, ordered",
                    sentence("t = {most_ordered}", most_ordered=bound(found.ordered)),
                    "the same with values in their order",
                )
            )
    return Table.of_texts("How well the classes hide", ("measure", "here", "meaning"), rows)


def classes_table(shown: Published) -> Table:
    """The largest classes with what is published about their people, for a report."""
    release = shown.release
    heads = [shown.table.heads[k] for k in release.publishing.quasi]
    first, size = release.first[:MOST_CLASSES].tolist(), release.size.tolist()
    rows = [(str(k + 1), *release.published(row), f"{size[k]:,}") for k, row in enumerate(first)]
    return Table.of_texts("Classes of people who look alike", ("class", *heads, "people"), rows)


def published_told(choices: TableChoices, shown: Published) -> dict[str, Any]:
    """What changes in words and controls."""
    scene = shown.scene
    return {
        "columns": column_list(shown),
        "known": known_few(shown),
        "by_itself": not choices.levels,
        "attacks": [[name, name.capitalize(), attack.family.capitalize()] for name, attack in PLAYABLE.items()],
        "attack": "" if choices.attack == NO_ATTACK else choices.attack,
        "steps": [] if scene is None else [_marked(step, shown) for step in steps(shown.table, scene)],
    }


def _marked(step: Any, shown: Published) -> dict[str, Any]:
    """A step with what the picture marks: people if each has a mark, else their classes."""
    if len(shown.table) <= MARKED:
        return {"title": step.title, "text": step.text, "marks": list(step.rows)}
    of_row = shown.release.of_row
    classes = np.unique(of_row[list(step.rows)]) if step.rows else np.array([], int)
    marks = sorted({int(min(k, BLOCKS)) for k in classes if k >= 0})
    return {"title": step.title, "text": step.text, "marks": marks}


def published_drawing(shown: Published) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The classes with their people, or with how many people have each value."""
    release, table = shown.release, shown.table
    column = table.coded[release.publishing.sensitive]
    looks, names = _looks(shown)
    drawn = {
        "classes": [list(release.published(int(row))) for row in release.first[:BLOCKS]],
        "legend": names,
        "hidden": hidden_column(shown),
        "summary": picture_summary(shown),
        "people": [],
    }
    arrays = {"sizes": release.size, "of_row": np.array([], int), "counts": np.array([], int)}
    look = looks[column.code]
    if len(table) <= MARKED:
        drawn["people"] = [[table.person(row), str(names[look[row]])] for row in range(len(table))]
        return drawn, arrays | {"of_row": release.of_row, "looks": look}
    inside = release.of_row >= 0
    block = np.minimum(release.of_row[inside], BLOCKS)
    n_blocks = min(len(release), BLOCKS + 1)
    counts = np.bincount(block * len(names) + look[inside], minlength=n_blocks * len(names))
    sizes = np.bincount(block, minlength=n_blocks)
    return drawn, arrays | {"sizes": sizes, "counts": counts, "looks": np.array([], int)}


def _looks(shown: Published) -> tuple[np.ndarray, list[str]]:
    """The look of each code of the sensitive column, and what each look stands for; the most frequent values first."""
    column = shown.table.coded[shown.release.publishing.sensitive]
    times = np.bincount(column.code, minlength=column.count)
    order = np.argsort(-times, kind="stable")
    words = [*map(str, column.values), *["no value"] * column.missing]
    looks = np.empty(column.count, np.int64)
    looks[order] = np.minimum(np.arange(column.count), LOOKS)
    names = [words[k] for k in order[:LOOKS]]
    more = column.count - LOOKS
    if more > 0:
        names.append(sentence("{values} other values", values=whole(more)) if more > 1 else words[order[-1]])
    return looks, names


def published_csv(_choices: TableChoices, shown: Published) -> str:
    """A row for each person who is published: `class` from 1, the columns that an attacker knows as they are published, the
    sensitive value. Within a class rows are in the order of that value, so that their order tells nobody apart."""
    release, table = shown.release, shown.table
    sensitive = table.columns[release.publishing.sensitive]
    people = np.flatnonzero(release.of_row >= 0).tolist()
    people.sort(key=lambda row: (int(release.of_row[row]), "" if sensitive[row] is None else str(sensitive[row])))
    published = [release.published(int(row)) for row in release.first]
    of_class = [int(release.of_row[row]) for row in people]
    columns: dict[str, Any] = {"class": [k + 1 for k in of_class]}
    for number, column in enumerate(release.publishing.quasi):
        columns[table.heads[column]] = [published[k][number] for k in of_class]
    columns[table.heads[release.publishing.sensitive]] = [sensitive[row] for row in people]
    return table_csv(columns, note=TABLE_NOTE)


def attack_csv(shown: Any) -> str:
    """The attack that is played: its steps in words.

    Raises
    ------
    InputError : if none is played.
    """
    scene = shown.scene if isinstance(shown, Published) else None
    if scene is None:
        raise InputError("An attack must be played to be saved", value="none", remedy="Choose one below the classes")
    found = steps(shown.table, scene)
    columns = {"attack": [scene.name] * len(found), "step": [s.title for s in found], "said": [s.text for s in found]}
    return table_csv(columns, note=f"{NOTE}; it names people of the table: never publish it if they are real")
