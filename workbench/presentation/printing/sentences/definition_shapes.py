"""How the use of a definition is said: whose property it is, or what is so of whom."""

import re

import attrs

from rulebook.model import Define

_GAP = re.compile(r"\{\w+\}")
_PROPERTY = re.compile(r"(?P<subject>\w+)'s (?P<word>\w+)")
_PREDICATE = re.compile(
    r"(?P<subject>\w+) is (?P<word>\w+)(?: (?P<preposition>\w+) (?P<object>\w+))?"
)


@attrs.frozen
class Shape:
    """A definition as it is said: by a `sentence` with gaps, or by a word.

    `subject` and `object` are parameters: whose word it is, and what it is so for.
    """

    word: str = ""
    subject: str = ""
    preposition: str = ""
    object: str = ""
    sentence: str = ""
    is_predicate: bool = False

    @property
    def says_truth(self) -> bool:
        """Whether it is a whole sentence."""
        return self.is_predicate or bool(self.sentence)

    def key(self, *, fails: bool) -> str:
        """Which template says it with a word."""
        if not self.is_predicate:
            return "CallDefine.owner" if self.subject else "CallDefine"
        negated, related = "_not" * fails, "_to" * bool(self.object)
        return f"CallDefine.is{negated}{related}"


def shape_of(define: Define, called: str | None, word: str) -> Shape:
    """The shape of a definition; `called` is what the words of the rules call it.

    A text with gaps is a sentence of its own; a text without is the word.
    """
    if called is not None and _GAP.search(called):
        return Shape(sentence=called)
    text = define.sentence
    for form in (_PREDICATE, _PROPERTY):
        match = form.fullmatch(text)
        if match is not None:
            parts = {name: part or "" for name, part in match.groupdict().items()}
            parts["word"] = word
            return Shape(**parts, is_predicate=form is _PREDICATE)
    return Shape(word=word)
