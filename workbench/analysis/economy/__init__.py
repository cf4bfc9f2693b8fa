"""Economy of a game: income and prices, computed without playing games.

To compute the income of a turn, the engine starts from a position with a few pieces and
follows every chance outcome with its probability. Prices are read from the rules.
Saving times and the value of cards are computed from both.
"""

from workbench.analysis.economy.board_samples import BoardsEconomy, examine_boards
from workbench.analysis.economy.document import boards_document, economy_document
from workbench.analysis.economy.examination import Economy, examine
from workbench.analysis.economy.income_map import income_map

__all__ = [
    "BoardsEconomy",
    "Economy",
    "boards_document",
    "economy_document",
    "examine",
    "examine_boards",
    "income_map",
]
