"""What mechanisms reveal, measured from their outputs and compared with what is claimed of them."""

from lmdk_widgets.audit.audited_mechanisms import subjects
from lmdk_widgets.audit.evidence import clopper_pearson, largest_ratio, least_epsilon
from lmdk_widgets.audit.power import power, smallest_fault
from lmdk_widgets.audit.run import NOT_COVERED, Finding, Subject, audit, not_covered

__all__ = [
    "NOT_COVERED",
    "Finding",
    "Subject",
    "audit",
    "clopper_pearson",
    "largest_ratio",
    "least_epsilon",
    "not_covered",
    "power",
    "smallest_fault",
    "subjects",
]
"""Public names."""
