"""Writer of sentences for parts of the rules, each by the form of its class.

All sentences are in the templates, none in the code.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from rulebook import model as m
from rulebook.tooling import walk
from workbench.presentation.printing.sentences.forms import (
    OPERATION,
    PLAIN,
    WORD,
    Form,
    Forms,
)
from workbench.presentation.printing.sentences.names import Titles
from workbench.presentation.printing.sentences.template_tables import corrections
from workbench.presentation.printing.sentences.text_runs import (
    Text,
    capitalize,
    plain_text,
    replace_pattern,
)


@attrs.frozen
class Writer:
    """Sentence writer for the parts of one procedure or action.

    `slots` are the names of its notes.
    """

    names: Titles
    forms: Forms
    slots: tuple[str, ...] = ()

    def form(self, node: Any) -> Form:
        """Return the form of a part's class."""
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

    def statement(self, node: Any, *, fails: bool = False) -> Text:
        """Return the statement that a condition is true; false if *fails*."""
        own = self.form(node).statement
        return own(self, node, fails) if own else self.from_template(node, fails=fails)

    def sentence(self, key: str, **parts: Text | str) -> Text:
        """Return a sentence from the template *key*, corrected and capitalized."""
        return self.finish(self.names.sentence(key, parts))

    def phrase(self, key: str, **parts: Text | str) -> Text:
        """Return a phrase of the page, corrected and capitalized."""
        return self.finish(self.names.phrase(key, **parts))

    def finish(self, text: Text) -> Text:
        """Return text, corrected and capitalized."""
        for pattern, new in corrections(self.names.language):
            text = replace_pattern(text, pattern, new)
        return capitalize(text)

    # ------------------------------------------------------------ templates

    def from_template(self, node: Any, key: str = "", *, fails: bool = False) -> Text:
        """Return a part of the rules in words, by its template or by that of *key*."""
        key = key or self.form(node).key(node, fails=fails)
        return self.names.sentence(key, self.parts(node, key))

    def parts(self, node: Any, key: str) -> dict[str, Text]:
        """Return the values for the gaps of a template: its own, or those of fields."""
        form = self.form(node)
        parts = form.values(self, node) if form.values else {}
        for gap in self.names.gaps_in(key):
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
                return self.names.listed(map(self.part, value))
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
        self, node: Any, *, last: bool = False, heaviest: int = OPERATION
    ) -> Text:
        """Return a value inside a longer sentence, in brackets if it is too heavy.

        A value that is `last` in its sentence may end with a condition.
        """
        return self._bracketed(self.value(node), node, last, heaviest)

    def count(self, node: Any) -> Text:
        """Return a number of things, in brackets if it consists of several words."""
        return self.operand(node, heaviest=WORD)

    def argument(self, node: Any) -> Text:
        """Return one value of a list; a compound condition is put in brackets."""
        is_condition = isinstance(node.type, m.Truth)
        return self.condition(node) if is_condition else self.express(node)

    def condition(self, node: Any, *, last: bool = True) -> Text:
        """Return a part of a condition, in brackets if it would be ambiguous."""
        return self._bracketed(self.statement(node), node, last, OPERATION)

    def conditions(self, nodes: Sequence[Any]) -> Iterator[Text]:
        """Yield the parts of a condition; only a part of several needs brackets."""
        if len(nodes) == 1:
            yield self.statement(nodes[0])
            return
        for at, node in enumerate(nodes):
            yield self.condition(node, last=at == len(nodes) - 1)

    def _bracketed(self, said: Text, node: Any, last: bool, heaviest: int) -> Text:
        if self.form(node).weight > heaviest or not (last or self._is_closed(node)):
            return self.names.sentence("group", {"value": said})
        return said

    def _is_closed(self, node: Any) -> bool:
        """Return whether an expression's words end without an open condition."""
        return all(self.form(part).closed(self, part) for part in walk(node))

    # ------------------------------------------------------------ names

    def named(self, name: str) -> Text:
        """Return the name of a choice or note, in the style for names."""
        return self.names.named(name)

    def note_name(self, slot: int) -> Text:
        """Return the name of the note in a slot."""
        return self.named(self.slots[slot])
