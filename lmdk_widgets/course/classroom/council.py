"""Four people decide: each phone has one of four roles and sees one number of each way to publish; the class agrees on a way.

The ways, the roles, their numbers and their limits are those of the lesson on what the law asks. No phone can see whether
the others accept a way, so they have to talk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from lmdk_widgets.checks import whole
from lmdk_widgets.course.classroom.activity import Plain
from lmdk_widgets.course.law_ways import ROLES, SAID, Role, Way, all_accept, refused_by, table, ways
from lmdk_widgets.errors import InputError
from lmdk_widgets.page.amounts import percent
from lmdk_widgets.page.amounts import whole as in_digits
from lmdk_widgets.page.sentences import join, sentence


@dataclass(frozen=True)
class Council(Plain):
    """A class of four roles that decides what a city publishes of its people.

    Examples
    --------
    >>> Council().dealt("a phone", 1, None, False)["numbers"][:3]
    ['1,000', '385', '11']
    """

    kind: ClassVar[str] = "council"
    changeable: ClassVar[bool] = True
    outcome: ClassVar[bool] = True
    sides: ClassVar[tuple[str, ...]] = ("open",) * len(ROLES)

    @classmethod
    def put(cls, settings: Mapping[str, Any]) -> Council:
        """There is nothing to set."""
        if settings:
            raise InputError("This activity must have no settings", value=", ".join(map(str, settings)))
        return cls()

    from_dict = put

    @staticmethod
    def offers() -> dict[str, Any]:
        """Nothing to choose."""
        return {}

    def to_dict(self) -> dict[str, Any]:
        """Nothing to store."""
        return {}

    @property
    def text(self) -> str:
        """What is decided."""
        return "What may the city publish of its 1,000 people?"

    def prepare(self) -> None:
        """Compute the numbers of all ways."""
        ways()

    def asked(self, times: int) -> dict[str, Any]:
        """What a phone of any role receives."""
        answers = [f"{name}: {said}" for name, said in SAID.items()]
        return {"kind": self.kind, "text": self.text, "answers": answers, "before": [_card(role) for role in ROLES]}

    def read(self, given: Any) -> list[int]:
        """The role and the way, counted from 0."""
        if not isinstance(given, list) or len(given) != 2:
            raise InputError("An answer must be a role and what to publish")
        role, way = given
        return [
            whole(role, "a role", least=0, most=len(ROLES) - 1),
            whole(way, "what to publish", least=0, most=len(SAID) - 1),
        ]

    def side_of(self, answer: Any) -> int:
        """The role that an answer is of."""
        return int(answer[0])

    def dealt(self, student: str, side: int, answer: Any, shown: bool) -> dict[str, Any]:
        """The number of each way for this role, and whether it is within the limit; then what is said of the choice."""
        role = ROLES[side]
        told: dict[str, Any] = {
            "numbers": [str(role.written(role.number(way))) for way in ways()],
            "accepted": [role.accepts(way) for way in ways()],
        }
        return told | ({"words": _said_of(ways()[answer[1]], role) if answer else "You did not vote."} if shown else {})

    def told(self, answer: Any) -> dict[str, Any]:
        """Nothing: what is said follows from what was dealt."""
        return {}

    def board(self, answers: Sequence[Any], shown: bool) -> dict[str, Any]:
        """The votes for each way, by role; when shown, what the class decided, and the numbers of all roles."""
        votes = [Counter(role for role, way in answers if way == k) for k in range(len(SAID))]
        found: dict[str, Any] = {"bars": [_bar(k, each, len(answers), shown) for k, each in enumerate(votes)]}
        if not shown:
            return {"summary": _so_far(answers), **found, "notes": [_card(role) for role in ROLES]}
        return {"summary": _decision(votes), **found, "table": table().message(), "notes": [_LIMITS]}


_LIMITS = (
    "The limits are invented, and the law names none: agree on yours before anybody sees a number. ✗ marks a number above "
    "the limit, which stands in the last row. No number decides: somebody has to, and signs."
)


def _card(role: Role) -> str:
    return sentence(
        "You are the {role}. {card} Your question: {asks} Your limit is {limit}.",
        role=role.name,
        card=role.card,
        asks=role.asks,
        limit=role.written(role.limit()),
    )


def _said_of(way: Way, role: Role) -> str:
    within = "within" if role.accepts(way) else "above"
    rest = refused_by(way) or "All four accept it."
    return sentence(
        "You chose “{way}”: {number} is {within} your limit of {limit}. {rest}",
        way=way.name,
        number=role.written(role.number(way)),
        within=within,
        limit=role.written(role.limit()),
        rest=rest,
    )


def _bar(k: int, votes: Counter[int], n: int, shown: bool) -> dict[str, Any]:
    """The votes for a way; a mark where all four accept it, once that is shown."""
    way, sent = ways()[k], votes.total()
    share = sent / n if n else 0.0
    by_role = join(
        sentence("{role} {votes}", role=role.name, votes=in_digits(votes[side]))
        for side, role in enumerate(ROLES)
        if votes[side]
    )
    said = sentence("{votes}, {vote_share}", votes=in_digits(sent), vote_share=percent(share))
    text = sentence("{said} ({by_role})", said=said, by_role=by_role) if sent else said
    return {"name": way.name, "sent": sent, "share": share, "said": text, "right": shown and all_accept(way)}


def _so_far(answers: Sequence[Any]) -> str:
    if not answers:
        return "No vote yet."
    return sentence("{votes} so far.", votes=_votes(len(answers)))


def _votes(n: int) -> str:
    return "one vote" if n == 1 else sentence("{votes} votes", votes=in_digits(n))


def _decision(votes: Sequence[Counter[int]]) -> str:
    """What the class decided, and who refuses it."""
    totals = [each.total() for each in votes]
    most = max(totals)
    if not most:
        return "Nobody voted."
    first = [way for way, total in zip(ways(), totals, strict=True) if total == most]
    if len(first) > 1:
        names = join((f"“{way.name}”" for way in first), " and ")
        return sentence("No decision: {ways} have {votes} each.", ways=names, votes=_votes(most))
    rest = refused_by(first[0]) or "All four accept it."
    share = sentence("{most} of {votes}", most=in_digits(most), votes=_votes(sum(totals)))
    return sentence(
        "The class decided for “{way}” with {share}. {rest}",
        way=first[0].name,
        share=share if sum(totals) > 1 else "its only vote",
        rest=rest,
    )
