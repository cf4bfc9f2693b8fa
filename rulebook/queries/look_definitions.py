"""Definitions that the hints `shows` and `at` name."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from rulebook import model as m


class Signature(Protocol):
    """Parameters and type of the value of a definition."""

    @property
    def parameters(self) -> Sequence[m.Parameter]:
        """Parameters, in order."""

    @property
    def type(self) -> m.Type:
        """Type of the value."""


def look_definition(model: m.Model, word: str, name: str) -> str | None:
    """Return the key of the definition that a hint `shows` or `at` names, or None.

    `hint shows KIND` names a definition of a member by a space of the kind, and
    `hint at PARAMETER` one of a space by a number, perhaps for a player as well.
    """
    for hint in model.hints:
        if (hint.word, hint.name) == (word, name):
            for key, define in model.defines.items():
                if key.partition("(")[0] == hint.text and (
                    shows_member(define, name)
                    if word == m.Look.SHOWS
                    else returns_space(define, model.domains)
                ):
                    return key
    return None


def shows_member(define: Signature, kind: str) -> bool:
    """Return whether a definition is a member, by a member of *kind* only."""
    kinds = [parameter.type for parameter in define.parameters]
    return isinstance(define.type, m.Member) and kinds == [m.Member(kind)]


def returns_space(define: Signature, domains: Mapping[str, m.Domain]) -> bool:
    """Return whether a definition is a space, by a number, perhaps for a player."""
    kinds = [parameter.type for parameter in define.parameters]
    return (
        isinstance(define.type, m.Member)
        and domains[define.type.domain].sort.is_place
        and bool(kinds)
        and isinstance(kinds[-1], m.Whole)
        and kinds[:-1] in ([], [m.Member(m.DomainSort.PLAYER)])
    )
