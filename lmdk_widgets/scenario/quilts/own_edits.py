"""What the page asks of the chains of the user's own: one is typed, one is added or removed, the published two are loaded."""

from __future__ import annotations

from typing import Any

from lmdk_widgets.checks import whole
from lmdk_widgets.scenario.base.session import Operation
from lmdk_widgets.scenario.quilts.model import WORST, QuiltChoices
from lmdk_widgets.scenario.quilts.own_chains import PUBLISHED, PUBLISHED_EPSILON, PUBLISHED_LENGTH, parse_chain


def changed_chains(choices: QuiltChoices, operation: Operation) -> QuiltChoices | None:
    """The choices after an operation on the chains; None where it is about something else.

    Raises
    ------
    InputError : a chain that cannot be read, that does not fit the others, or that does not exist.
    """
    own = choices.own_chains
    match operation.get("op"):
        case "chain":
            k = _index(operation["index"], len(own))
            normalize = operation.get("normalize") is True
            typed = parse_chain(k + 1, str(operation["initial"]), str(operation["matrix"]), normalize=normalize)
            return _with(choices, (*own[:k], typed, *own[k + 1 :]))
        case "add-chain":
            return _with(choices, (*own, own[-1]))
        case "remove-chain":
            k = _index(operation["index"], len(own))
            return _with(choices, own[:k] + own[k + 1 :])
        case "published-chains":
            return _with(choices, PUBLISHED, length=PUBLISHED_LENGTH, epsilon=PUBLISHED_EPSILON)
    return None


def _with(choices: QuiltChoices, own: tuple[Any, ...], **changes: Any) -> QuiltChoices:
    if choices.source != "chains":
        return choices.with_source("chains", own_chains=own, **changes)
    return choices.with_changes(own_chains=own, node=WORST, **changes)


def _index(value: Any, n: int) -> int:
    return whole(value, "the chain", least=0, most=n - 1)
