"""The economy of rules: what boards bring and what things cost, with no game played.

What turns bring is asked of the engine: a position with one piece, and every outcome of
chance with its odds. Prices are read off the rules; waiting and worth are reckoned.
"""

from workbench.analysis.economy.board_samples import Boards, examine_boards
from workbench.analysis.economy.document import boards_document, document
from workbench.analysis.economy.drawing import drawn
from workbench.analysis.economy.examination import Economy, examine

__all__ = [
    "Boards",
    "Economy",
    "boards_document",
    "document",
    "drawn",
    "examine",
    "examine_boards",
]
