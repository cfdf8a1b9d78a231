"""What mechanisms give away, measured from what they put out and set against what is claimed of them."""

from lmdk_widgets.audit.evidence import clopper_pearson, largest_ratio, least_epsilon
from lmdk_widgets.audit.run import Finding, Subject, audit
from lmdk_widgets.audit.subjects import subjects

__all__ = ["Finding", "Subject", "audit", "clopper_pearson", "largest_ratio", "least_epsilon", "subjects"]
"""Public names."""
