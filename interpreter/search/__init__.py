"""Public interface to search for the best action of a seat.

A search plays sampled games that agree with what the seat knows. It runs in C if
possible, else in the interpreter. The same key and the same number of playouts or
decisions give the same choice.
"""

from interpreter.algorithms.tree import Tried
from interpreter.search.search_run import Found, search

__all__ = ["Found", "Tried", "search"]
