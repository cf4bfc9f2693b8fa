"""Checked model of the rules: typed parts, which the interpreter plays.

`check` makes it from a merged syntax tree. All names are resolved, all expressions have
a type, and all shorthand is expanded. Statements are nested; the interpreter flattens
them. The model does not depend on the number of players or on the chosen options, which
appear as `PlayerCount` and `OptionValue` until a game is planned.

A code unit (procedure, action, phase, ...) has numbered local variables, its `slots`.
Slot 0 is always `you`, the seat to act. In an action, slot 1 is true if the action is
done without paying. Parameters follow. In a define, slot 0 is unused; its parameters
start at slot 1. Quantifiers bind a slot of the unit that contains them.
"""

from rulebook.model.base_parts import *
from rulebook.model.loops import *
from rulebook.model.measures import *
from rulebook.model.model_components import *
from rulebook.model.model_enums import *
from rulebook.model.model_statements import *
from rulebook.model.model_values import *
from rulebook.model.predefined_looks import *
from rulebook.model.set_values import *
from rulebook.model.simple_expressions import *
from rulebook.model.value_types import *
from rulebook.shared_enums import *
