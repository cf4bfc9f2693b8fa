"""Searching for what a seat should do: a door of its own, for those who play by it.

A search goes through games that agree with what the seat knows. In C where there is an
engine, else in the interpreter: the same key and the same number of playouts or
decisions choose the same.
"""

from interpreter.algorithms.tree import Tried
from interpreter.search.tree_search import Found, search

__all__ = ["Found", "Tried", "search"]
