"""The verdict: whether a release meets limits, made of the three answers and what would help.

It is computed from the true data, against the attacks that are computed here, for the owner's eyes: no file to share
contains it, and it is no guarantee.
"""

from lmdk_widgets.verdict.limits import Limits
from lmdk_widgets.verdict.sentences import Verdict, proposal, verdict

__all__ = ["Limits", "Verdict", "proposal", "verdict"]
