"""Cell suppression: primary rules, secondary suppression, and the audit of a pattern."""

from __future__ import annotations

from .audit import audit
from .certificate import SHARES, SMALL, first_level, is_certified, raised
from .insiders import Insiders
from .primary import Contributions, Sensitive, dominance, entropy_rule, p_percent, pq, threshold
from .problem import Pattern, Problem, Unprotectable, Work, small_union, union_rule, weigh
from .relations import Relations, Tree, above, is_ring, linked, of_shape, of_tables, of_trees, with_margins
from .solve import audited_pattern, failures, find_pattern, is_network, pattern_with, tightened

__all__ = [
    "SHARES",
    "SMALL",
    "Contributions",
    "Insiders",
    "Pattern",
    "Problem",
    "Relations",
    "Sensitive",
    "Tree",
    "Unprotectable",
    "Work",
    "above",
    "audit",
    "audited_pattern",
    "dominance",
    "entropy_rule",
    "failures",
    "find_pattern",
    "first_level",
    "is_certified",
    "is_network",
    "is_ring",
    "linked",
    "of_shape",
    "of_tables",
    "of_trees",
    "p_percent",
    "pattern_with",
    "pq",
    "raised",
    "small_union",
    "threshold",
    "tightened",
    "union_rule",
    "weigh",
    "with_margins",
]
