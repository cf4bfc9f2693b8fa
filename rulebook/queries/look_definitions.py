"""Definitions that the hints `shows` and `at` name."""

from rulebook import model as m


def look_definition(model: m.Model, word: str, name: str) -> str | None:
    """Return the key of the definition that a hint `shows` or `at` names, or None.

    `hint shows KIND` names a definition of a member by a space of the kind, and
    `hint at PARAMETER` one of a space by a number, perhaps for a player as well.
    """
    for hint in model.hints:
        if (hint.word, hint.name) == (word, name):
            for key, define in model.defines.items():
                kinds = [parameter.type for parameter in define.parameters]
                named = key.partition("(")[0] == hint.text
                if named and _fits(word, name, kinds):
                    return key
    return None


def _fits(word: str, name: str, kinds: list[m.Type]) -> bool:
    """Return whether parameters are those that a hint needs."""
    if word == m.Look.SHOWS:
        return kinds == [m.Member(name)]
    return (
        bool(kinds)
        and isinstance(kinds[-1], m.Whole)
        and kinds[:-1] in ([], [m.Member(m.DomainSort.PLAYER)])
    )
