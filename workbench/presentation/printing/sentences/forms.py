"""Sentence writer, and forms that define the wording of each class of the rules.

All sentences are in the templates, none in the code. A class without a form uses the
template of its name, which its fields fill.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import attrs

from rulebook import model as m
from rulebook.tooling import walk
from workbench.presentation.printing.sentences.names import Titles
from workbench.presentation.printing.sentences.template_tables import corrections
from workbench.presentation.printing.sentences.text_runs import (
    Text,
    capitalize,
    plain_text,
    replace_pattern,
)

DOT = "."
"""Separator between owner and field in the name of a domain of pairs."""

Values: TypeAlias = dict[str, Text]
Filler: TypeAlias = Callable[["Writer", Any], Text]
"""Function that expresses the value of a field in words."""


WORD, PHRASE, OPERATION, COMPOUND = range(4)
"""Weights of expressions in words, which determine where they need brackets.

An operation needs brackets next to an operator, a compound in any larger expression.
"""


def only_case(node: Any) -> str:
    """Return "", the case of a class with only one template."""
    return ""


def _is_closed(writer: Writer, node: Any) -> bool:
    return True


@attrs.frozen
class Form:
    """Wording of one class.

    `case` chooses the template: its key is the class, followed by a dot and the case.
    `values` returns the texts for gaps. `gaps` contains fillers for the fields of the
    same names; other fields are expressed by type. `value` and `statement` replace the
    template. `head` returns the complete line of a statement, and `drawn` the outcomes
    of a chance event. `closed` returns false if the text ends with a condition. `whole`
    is true if the text contains the nested statements, false if these become nested
    lines, and None if the class has no nested statements.
    """

    case: Callable[[Any], str] = only_case
    values: Callable[[Writer, Any], Values] | None = None
    gaps: Mapping[str, Filler] = attrs.Factory(dict)
    weight: int | Callable[[Any], int] = PHRASE
    value: Filler | None = None
    statement: Callable[[Writer, Any, bool], Text] | None = None
    head: Filler | None = None
    drawn: Filler | None = None
    closed: Callable[[Writer, Any], bool] = _is_closed
    whole: bool | None = None

    def weight_of(self, node: Any) -> int:
        """Return the weight of a part's words."""
        return self.weight if isinstance(self.weight, int) else self.weight(node)

    def key(self, node: Any, *, negated: bool = False) -> str:
        """Return the template key of a part; with *negated*, of a negated condition."""
        tail = "_".join(filter(None, (self.case(node), "fails" * negated)))
        return ".".join(filter(None, (type(node).__name__, tail)))


Forms: TypeAlias = Mapping[type[Any], Form]
PLAIN = Form()


@attrs.frozen
class Writer:
    """Sentence writer for the parts of one procedure or action.

    `slots` are the names of its local values. `is_at_end` is true if the game is over
    when the procedure runs.
    """

    names: Titles
    forms: Forms
    slots: tuple[str, ...] = ()
    is_at_end: bool = False

    def form(self, node: Any) -> Form:
        """Return the form of a node's class."""
        return self.forms.get(type(node), PLAIN)

    def express(self, node: Any) -> Text:
        """Return an expression in words; a condition becomes a statement."""
        if isinstance(node.type, m.Truth):
            return self.statement(node)
        return self.value(node)

    def value(self, node: Any) -> Text:
        """Return a value in words."""
        own = self.form(node).value
        return own(self, node) if own else self.from_template(node)

    def statement(self, node: Any, *, negated: bool = False) -> Text:
        """Return the statement that a condition is true, or false if *negated*.

        Raise `KeyError` if there is no template for this statement or its negation.
        """
        form = self.form(node)
        if form.statement is not None:
            return form.statement(self, node, negated)
        self.names.template_gaps(form.key(node, negated=not negated))
        return self.from_template(node, negated=negated)

    def sentence(self, key: str, **parts: Text | str) -> Text:
        """Return the sentence of template *key*, filled, corrected and capitalized."""
        return self.finish(self.names.sentence(key, parts))

    def phrase(self, key: str, **parts: Text | str) -> Text:
        """Return a filled phrase of the page, corrected and capitalized."""
        return self.finish(self.names.phrase(key, **parts))

    def finish(self, text: Text) -> Text:
        """Return text, corrected and capitalized."""
        for pattern, new in corrections(self.names.language):
            text = replace_pattern(text, pattern, new)
        return capitalize(text)

    # ------------------------------------------------------------ templates

    def from_template(self, node: Any, key: str = "", *, negated: bool = False) -> Text:
        """Return a part of the rules in words, by its template or that named *key*."""
        key = key or self.form(node).key(node, negated=negated)
        return self.names.sentence(key, self.parts(node, key))

    def parts(self, node: Any, key: str) -> dict[str, Text]:
        """Return the texts for a template's gaps, from the form or from fields."""
        form = self.form(node)
        parts = form.values(self, node) if form.values else {}
        for gap in self.names.template_gaps(key):
            if gap not in parts:
                value, fill = getattr(node, gap), form.gaps.get(gap, Writer.part)
                parts[gap] = () if value is None else fill(self, value)
        return parts

    def part(self, value: Any) -> Text:
        """Return the value of a field in words: an expression, a list, or a name."""
        match value:
            case m.Typed():
                return self.express(value)
            case m.Part():
                return self.from_template(value)
            case tuple():
                return self.names.list_text(map(self.part, value))
            case str():
                return plain_text(self.names.title(value))
            case int():
                return plain_text(str(value))
        return ()

    def optional(self, key: str, **parts: Text) -> Text:
        """Return a template with its gaps filled, or nothing if a gap is empty."""
        return self.names.sentence(key, parts) if all(parts.values()) else ()

    # ------------------------------------------------------------ brackets

    def operand(
        self, node: Any, *, last: bool = False, max_weight: int = OPERATION
    ) -> Text:
        """Return a value inside a longer sentence, in brackets above *max_weight*.

        A value that is `last` in its sentence may end with a condition.
        """
        return self._bracketed(self.value(node), node, last, max_weight)

    def count(self, node: Any) -> Text:
        """Return a count in words, in brackets if it consists of several words."""
        return self.operand(node, max_weight=WORD)

    def argument(self, node: Any) -> Text:
        """Return a value in a list of values, in brackets if a compound condition."""
        is_condition = isinstance(node.type, m.Truth)
        return self.condition(node) if is_condition else self.express(node)

    def condition(self, node: Any, *, last: bool = True) -> Text:
        """Return a part of a condition, in brackets if it would be ambiguous."""
        return self._bracketed(self.statement(node), node, last, OPERATION)

    def conditions(self, nodes: Sequence[Any]) -> Iterator[Text]:
        """Yield the parts of a condition in words; a single part needs no brackets."""
        if len(nodes) == 1:
            yield self.statement(nodes[0])
            return
        for at, node in enumerate(nodes):
            yield self.condition(node, last=at == len(nodes) - 1)

    def _bracketed(self, text: Text, node: Any, last: bool, max_weight: int) -> Text:
        weight = self.form(node).weight_of(node)
        if weight > max_weight or not (last or self._is_closed(node)):
            return self.names.sentence("group", {"value": text})
        return text

    def _is_closed(self, node: Any) -> bool:
        """Return whether an expression's words end without an open condition."""
        return all(self.form(part).closed(self, part) for part in walk(node))

    # ------------------------------------------------------------ names

    def named(self, name: str) -> Text:
        """Return the name of a choice or local value, in the style for names."""
        return self.names.name_text(name)

    def slot_name(self, slot: int) -> Text:
        """Return the name of the local value in a slot."""
        return self.named(self.slots[slot])


# -------------------------------------------------------------------- cases, fillers


def mark_names(**marks: bool) -> str:
    """Return the names of the true marks, in order and joined with `_`."""
    return "_".join(name for name, is_set in marks.items() if is_set)


def case_if_set(field: str) -> Callable[[Any], str]:
    """Return a case function that yields a field's name if the field is set."""
    return lambda node: "" if getattr(node, field) in (None, False) else field


def operand_fillers(*names: str, **others: Filler) -> dict[str, Filler]:
    """Return fillers for fields that need brackets if compound, and other fillers."""
    return {**dict.fromkeys(names, _operand), **others}


def _operand(writer: Writer, node: Any) -> Text:
    return writer.operand(node)


def plural_text(writer: Writer, name: str) -> Text:
    """Return the plural title of a name."""
    return plain_text(writer.names.plural_title(name))


def plural_texts(writer: Writer, names: Any) -> Text:
    """Return the plural titles of several names."""
    return writer.names.list_text(plural_text(writer, name) for name in names)


def word_text(writer: Writer, name: str) -> Text:
    """Return the title of a name as text; omit the owner of a field."""
    return writer.names.word(name.rpartition(DOT)[2])
