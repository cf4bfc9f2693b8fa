"""Deprecated module: use `interpreter.search`."""

import warnings

from interpreter.search import Found, Tried, search

__all__ = [
    "Found",
    "Tried",
    "search",
]

warnings.warn(
    "`interpreter.tree_search` is deprecated: use `interpreter.search`",
    DeprecationWarning,
    stacklevel=2,
)
