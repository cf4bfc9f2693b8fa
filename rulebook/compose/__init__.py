"""Composition: files laid over one another give one list of clauses.

Libraries come first, then what extends them. A clause is declared once; a later file
changes it by `replace`, `remove` or `in …`. Every clause keeps what it replaced.
"""

from rulebook.compose.clause_ids import SORTS, address
from rulebook.compose.merge import compose
from rulebook.compose.merged import Merged

__all__ = ["SORTS", "Merged", "address", "compose"]
