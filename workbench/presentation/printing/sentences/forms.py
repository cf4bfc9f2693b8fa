"""Forms: how the parts of the rules of one class are worded, by one entry each.

A class without an entry is worded by the template of its name, which its fields fill.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs

from workbench.presentation.printing.sentences.text_runs import Text, plain_text

if TYPE_CHECKING:
    from workbench.presentation.printing.sentences.writer import Writer

DOT = "."
"""Separator between home and field in the name of a domain of pairs."""

Values: TypeAlias = dict[str, Text]
Filler: TypeAlias = Callable[["Writer", Any], Text]
"""Function that words the value of a field."""


WORD, PHRASE, OPERATION, COMPOUND = range(4)
"""Weights of an expression's words, which decide where they need brackets.

An operation needs them beside an operator, a compound in all other expressions.
"""


def only_case(node: Any) -> str:
    """Return the case of a class with one template."""
    return ""


def _is_closed(writer: Writer, node: Any) -> bool:
    return True


@attrs.frozen
class Form:
    """Wording of one class.

    `case` chooses the template: its key is the class, followed by a dot and the case.
    `values` returns the values of gaps, and `gaps` has functions that word the fields
    of the same names; other fields are worded by their types. `value` and `statement`
    replace the template. `head` is the complete line of a statement, and `drawn` the
    outcomes of a chance event. `closed` is false if the words end with a condition.
    """

    case: Callable[[Any], str] = only_case
    values: Callable[[Writer, Any], Values] | None = None
    gaps: Mapping[str, Filler] = attrs.Factory(dict)
    weight: int = PHRASE
    value: Filler | None = None
    statement: Callable[[Writer, Any, bool], Text] | None = None
    head: Filler | None = None
    drawn: Filler | None = None
    closed: Callable[[Writer, Any], bool] = _is_closed

    def key(self, node: Any, *, fails: bool = False) -> str:
        """Return the template key of a part; with `fails`, of a negated condition."""
        tail = "_".join(filter(None, (self.case(node), "fails" * fails)))
        return ".".join(filter(None, (type(node).__name__, tail)))


Forms: TypeAlias = Mapping[type[Any], Form]
PLAIN = Form()


def marks(**marks: bool) -> str:
    """Return the names of all marks that are true, in order."""
    return "_".join(name for name, there in marks.items() if there)


def marked(field: str) -> Callable[[Any], str]:
    """Return a case that is the name of a field unless its value is none or false."""
    return lambda node: "" if getattr(node, field) in (None, False) else field


# -------------------------------------------------------------------- fillers


def operands(*names: str, **others: Filler) -> dict[str, Filler]:
    """Return fillers for fields that need brackets if compound, and other fillers."""
    return {**dict.fromkeys(names, _operand), **others}


def _operand(writer: Writer, node: Any) -> Text:
    return writer.operand(node)


def plural(writer: Writer, name: str) -> Text:
    """Return the plural title of a name."""
    return plain_text(writer.names.plural_title(name))


def plurals(writer: Writer, names: Any) -> Text:
    """Return the plural titles of several names."""
    return writer.names.listed(plural(writer, name) for name in names)


def word(writer: Writer, name: str) -> Text:
    """Return a word of the rules, without the home of a field."""
    return writer.names.word(name.rpartition(DOT)[2])
