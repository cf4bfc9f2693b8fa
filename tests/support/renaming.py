"""Shipped files with every declared identifier replaced by a random one."""

import re
from collections.abc import Iterable, Mapping
from random import Random

from rulebook import Rulebook, loads, syntax
from rulebook.parse import parse
from rulebook.tooling import walk
from tests.support.names import WORD, declared_names, texts_of

LETTERS = "abcdefghijklmnopqrstuvwxyz"
LANGUAGE = frozenset(
    {"player", "players", "card", "cards", "empty", "setup", "turn", "award", "rule"}
    | {"gained", "lost", "round", "holder", "points", "stock"}
)
"""Words of the language that a file may use as names too; they are not replaced."""
LEFT = "_left"
LAID_OUT = re.compile(r"[CF]\d+")
"""Pattern of names that a layout gives to spaces; no file declares them."""
CHOICE = "choose_"
NAMING = frozenset({"rows", "pips", "caption", "within", "drawn", "lies", "during"})
"""Sorts of hints whose texts contain names of the rules."""


def random_names(names: Iterable[str], seed: int) -> dict[str, str]:
    """Return a random identifier for each name that could be a word of a game."""
    numbers = Random(seed)
    wanted = [
        name
        for name in dict.fromkeys(names)
        if WORD.fullmatch(name) and not LAID_OUT.fullmatch(name)
    ]
    new_names = {
        name: "".join(numbers.choices(LETTERS, k=9)) + "q"
        for name in wanted
        if name not in LANGUAGE
    }
    return new_names | {name + LEFT: new + LEFT for name, new in new_names.items()}


def renamed_text(text: str, names: Mapping[str, str]) -> str:
    """Return a rule file with its names replaced wherever the syntax has a name."""
    lines = text.split("\n")
    nodes = list(walk(parse(text, "x").file))
    hints = [node for node in nodes if isinstance(node, syntax.HintClause)]
    sorts = {id(hint.word) for hint in hints}
    places = {
        (node.span.line, node.span.column, node.text)
        for node in nodes
        if isinstance(node, syntax.Name) and id(node) not in sorts
        if node.text in names
    }
    places |= {
        (hint.place.line, hint.place.column + hint.is_quoted + match.start(), match[0])
        for hint in hints
        if hint.word.text in NAMING
        for match in WORD.finditer(hint.text)
        if match[0] in names
    }
    for number, column, old in sorted(places, reverse=True):
        line = lines[number - 1]
        start, end = column - 1, column - 1 + len(old)
        assert line[start:end] == old, (number, column, old)
        lines[number - 1] = line[:start] + names[old] + line[end:]
    return re.sub(
        r"\{(\w+)\}", lambda m: f"{{{names.get(m[1], m[1])}}}", "\n".join(lines)
    )


def renamed_value(value: object, names: Mapping[str, str]) -> object:
    """Return a value of a record with all its names replaced."""
    match value:
        case str():
            return WORD.sub(lambda m: names.get(m[0], m[0]), value)
        case list():
            return [renamed_value(part, names) for part in value]
        case _:
            return value


def renamed(book: Rulebook, seed: int) -> tuple[Rulebook, dict[str, str]]:
    """Return the same game under other names, and the names."""
    texts = texts_of(book)
    themes = {name: texts.pop(name) for name in list(texts) if name.endswith(".theme")}
    written = {word for text in texts.values() for word in WORD.findall(text)}
    names = random_names(
        (name for name in declared_names(book) if name in written), seed
    )
    for name, action in book.model.actions.items():
        if action.inline and name.startswith(CHOICE):
            chosen = name.removeprefix(CHOICE)
            names[name] = CHOICE + names.get(chosen, chosen)
    others = {
        ".".join(names.get(part, part) for part in name.split(".")): renamed_text(
            text, names
        )
        for name, text in texts.items()
    }
    others |= themes  # they contain no name of a game
    other = loads(others[names[book.name]], "renamed", others.get)
    return other, names | made_names(book, other)


def made_names(book: Rulebook, other: Rulebook) -> dict[str, str]:
    """Return derived names: of spaces by coordinates, and of choices."""
    new_names = dict(zip(book.model.actions, other.model.actions, strict=True))
    domains = zip(
        book.model.domains.values(), other.model.domains.values(), strict=True
    )
    for ours, theirs in domains:
        seats = (
            zip(book.seats, other.seats, strict=True)
            if ours.each_player
            else [("", "")]
        )
        for seat, renamed_seat in seats:
            before, after = (
                f"{name}_" if name else "" for name in (seat, renamed_seat)
            )
            for old, new in zip(ours.members, theirs.members, strict=True):
                new_names[before + old] = after + new
    return new_names
