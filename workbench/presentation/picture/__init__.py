"""Pictures of a board: what stands where, for SVG; `letters` draws it in letters.

A picture is made from a view, so it shows nothing that its reader may not know.
Nothing here knows a game: colours, shapes, short labels and pips come from the `hint`
clauses of the rule file, places from the geometry of its board.
"""

from workbench.presentation.picture.hints import Hints
from workbench.presentation.picture.scene import Scene, scene_of
from workbench.presentation.picture.svg import svg

__all__ = ["Hints", "Scene", "scene_of", "svg"]
