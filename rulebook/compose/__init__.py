"""Merging of files into one list of clauses.

Libraries come first, then the files that extend them. Each clause is declared once. A
later file changes it by `replace`, `remove` or `in …`. The merged rules record what
each clause replaced.
"""

from rulebook.compose.clause_ids import SORTS, address_of
from rulebook.compose.merge import compose
from rulebook.compose.merged import MergedRules

__all__ = ["SORTS", "MergedRules", "address_of", "compose"]
