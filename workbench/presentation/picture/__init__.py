"""Pictures of a board and the pieces on it, as SVG or as text.

A picture is made from a view, so it shows only what its reader may know. No code here
depends on a particular game. Colours, shapes, short labels and pips come from the
`hint` clauses of the rule file; positions come from the geometry of its board.
"""

from workbench.presentation.picture.hints import Hints
from workbench.presentation.picture.scene import Scene, scene_of
from workbench.presentation.picture.svg import svg

__all__ = ["Hints", "Scene", "scene_of", "svg"]
