"""Public interface for searching the best action of a seat.

A search plays through games that agree with the seat's knowledge. It runs in C if
available, else in the interpreter. The same key and the same number of playouts or
decisions give the same choice.
"""

from interpreter.algorithms.tree import Tried
from interpreter.search.tree_search import Found, search

__all__ = ["Found", "Tried", "search"]
