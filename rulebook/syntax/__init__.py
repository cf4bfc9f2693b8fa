"""Syntax tree of a file: one frozen class for each production.

Nothing here has been checked: names are texts with a span. Spans never take part in
equality. `parse` makes the tree, `compose` merges it, and `check` reads it.
"""

from rulebook.shared_enums import *
from rulebook.syntax.base_nodes import *
from rulebook.syntax.body_classes import *
from rulebook.syntax.clause_nodes import *
from rulebook.syntax.component_nodes import *
from rulebook.syntax.definition_nodes import *
from rulebook.syntax.expression_nodes import *
from rulebook.syntax.section_nodes import *
from rulebook.syntax.statement_nodes import *
from rulebook.syntax.syntax_enums import *
from rulebook.syntax.type_nodes import *
