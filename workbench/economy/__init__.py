"""The economy of rules: what boards bring and what things cost, with no game played.

What turns bring is asked of the engine: a position with one piece, and every outcome of
chance with its odds. Prices are read off the rules; waiting and worth are reckoned.
"""

from workbench.economy.analysis import Economy, examine
from workbench.economy.document import document
from workbench.economy.drawing import drawn

__all__ = ["Economy", "document", "drawn", "examine"]
