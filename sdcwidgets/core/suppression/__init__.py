"""Cell suppression: primary rules, secondary suppression, and the audit of a pattern."""

from __future__ import annotations

from .audit import audit
from .insiders import Insiders
from .primary import Contributions, Sensitive, dominance, entropy_rule, p_percent, pq, threshold
from .problem import Pattern, Problem, Unprotectable, Work, small_union, union_rule, weigh
from .random_pattern import DRAWS, SMALL, unhidden
from .relations import Relations, Tree, above, is_ring, linked, of_shape, of_tables, of_trees, with_margins
from .solve import failures, find_pattern, tightened

__all__ = [
    "DRAWS",
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
    "dominance",
    "entropy_rule",
    "failures",
    "find_pattern",
    "is_ring",
    "linked",
    "of_shape",
    "of_tables",
    "of_trees",
    "p_percent",
    "pq",
    "small_union",
    "threshold",
    "tightened",
    "unhidden",
    "union_rule",
    "weigh",
    "with_margins",
]
