"""Language for the rules of board games: parsing, checking and formatting rule files.

This is the public interface of the package. Names for tools, such as mutants and syntax
tree traversal, are in `rulebook.tooling`.
"""

import warnings
from importlib import import_module
from typing import Any

from rulebook.addresses import Address
from rulebook.loading.book import ClauseInfo, Rulebook
from rulebook.loading.desk import Desk
from rulebook.loading.load import (
    examine,
    examine_text,
    load,
    loads,
    quick_check,
    recheck,
)
from rulebook.model.limits import Limits
from rulebook.references.index import Use, Uses
from rulebook.references.name_index import uses_in
from rulebook.source.diagnostics import CODES, Diagnostic, RulesError, has_errors
from rulebook.source.files import read_file
from rulebook.source.printable import printable_line, printable_lines
from rulebook.source.rendering import render, render_all
from rulebook.source.spans import Cite, Span
from rulebook.write.format import format_text

__all__ = [
    "CODES",
    "Address",
    "Cite",
    "ClauseInfo",
    "Desk",
    "Diagnostic",
    "Limits",
    "Rulebook",
    "RulesError",
    "Span",
    "Use",
    "Uses",
    "examine",
    "examine_text",
    "format_text",
    "has_errors",
    "load",
    "loads",
    "printable_line",
    "printable_lines",
    "quick_check",
    "read_file",
    "recheck",
    "render",
    "render_all",
    "uses_in",
]


DEPRECATED_NAMES = {
    "glance": "quick_check",
    "surely": "range_of",
    "limit_of": "counted_limit",
    "books": "book_cache",
    "visible": "printable_line",
    "visible_lines": "printable_lines",
}
"""Mapping from the deprecated name of a function to its current name."""


def __getattr__(name: str) -> Any:
    """Return the object with a deprecated name, and emit a `DeprecationWarning`.

    Raise `AttributeError` if the name is unknown.
    """
    tooling = import_module("rulebook.tooling")
    new = DEPRECATED_NAMES.get(name, name)
    home = "rulebook" if new in __all__ else "rulebook.tooling"
    if new not in __all__ and new not in tooling.__all__:
        raise AttributeError(f"module `rulebook` has no attribute `{name}`")
    message = f"`rulebook.{name}` is deprecated: use `{home}.{new}`"
    warnings.warn(message, DeprecationWarning, stacklevel=2)
    return globals()[new] if new in __all__ else getattr(tooling, new)
