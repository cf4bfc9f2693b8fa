"""Sentence shapes of definitions: a complete sentence, or a word and its subject."""

import re

import attrs

from rulebook.model import Define

_GAP = re.compile(r"\{\w+\}")
_PROPERTY = re.compile(r"(?P<subject>\w+)'s (?P<word>\w+)")
_PREDICATE = re.compile(
    r"(?P<subject>\w+) is (?P<word>\w+)(?: (?P<preposition>\w+) (?P<object>\w+))?"
)


@attrs.frozen
class DefinitionShape:
    """Wording of a definition: a `sentence` with gaps, or a word.

    `subject` is the parameter that the word describes; `object` is the parameter to
    which it relates.
    """

    word: str = ""
    subject: str = ""
    preposition: str = ""
    object: str = ""
    sentence: str = ""
    is_predicate: bool = False

    @property
    def is_statement(self) -> bool:
        """True if the definition reads as a complete statement."""
        return self.is_predicate or bool(self.sentence)

    def case(self, *, is_negated: bool) -> str:
        """Return the template case of a definition with a word, such as `.is_to`."""
        if not self.is_predicate:
            return ".owner" if self.subject else ""
        negated, related = "_not" * is_negated, "_to" * bool(self.object)
        return f".is{negated}{related}"


def shape_of(define: Define, title: str | None, word: str) -> DefinitionShape:
    """Return the shape of a definition.

    *title* is the definition's title in the rules, which is a complete sentence if it
    has gaps. Otherwise the shape has *word*, with the subject and object from the
    definition's own sentence.
    """
    if title is not None and _GAP.search(title):
        return DefinitionShape(sentence=title)
    text = define.sentence
    for form in (_PREDICATE, _PROPERTY):
        match = form.fullmatch(text)
        if match is not None:
            parts = {name: part or "" for name, part in match.groupdict().items()}
            parts["word"] = word
            return DefinitionShape(**parts, is_predicate=form is _PREDICATE)
    return DefinitionShape(word=word)
