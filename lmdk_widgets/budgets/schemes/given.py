"""By hand: the caller sets the budget of each timestamp."""

from __future__ import annotations

from lmdk_widgets.budgets.request import Request
from lmdk_widgets.budgets.schemes.base import Scheme
from lmdk_widgets.geo import Floats


class _Given(Scheme):
    def known(self, request: Request) -> Floats:
        """The budgets that came with the request."""
        assert request.budgets is not None
        return request.budgets


SCHEME = _Given(
    name="given",
    title="By hand",
    meaning="you set the budget of each timestamp.",
    keeps="nothing",
    pairs=(),
    given="budgets",
    skips=True,
    alike=True,
    grows=False,
    options=frozenset({"budgets"}),
    formula="the mean of 2 r / b over the budgets b",
    formula_alone="the mean of 2 r / b over the budgets b",
    fails="This choice of budgets",
)
