"""Python source that is collected, compiled once, and run: the body of a plan."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Any

READS = re.compile(r"\b(?:s|f|g|out|v\d+|points|values|[dhpwx]\d+)\b|lambda")
VARIABLE = re.compile(r"\bv\d+\b")
DEEPEST = 40


class Source:
    """Functions as text, with the tables they read."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {}
        self.lines: list[str] = []
        self.tables: dict[str, str] = {}
        self.linkers: list[Callable[[], None]] = []
        self.last = 0
        self.compiled = 0

    def new_name(self, letter: str) -> str:
        """Return a name that nothing else has."""
        self.last += 1
        return f"{letter}{self.last}"

    def table(self, value: Any) -> str:
        """Return the name under which a constant can be read."""
        key = repr(value)
        if key not in self.tables:
            self.tables[key] = self.given(value)
        return self.tables[key]

    def given(self, value: Any) -> str:
        """Return a name for an object that functions use."""
        name = self.new_name("K")
        self.names[name] = value
        return name

    def readers(self, rows: Sequence[Sequence[int]], base: int) -> str:
        """Return the name of functions of `s`, one for each row of places.

        Each gives what the cells at these places after `base` hold.
        """
        key = f"readers {base} {rows!r}"
        if key not in self.tables:
            made = tuple([reader([base + place for place in row]) for row in rows])
            self.tables[key] = self.given(made)
        return self.tables[key]

    def literal(self, value: Any) -> str:
        """Return the text of a constant; a long one becomes a table."""
        if isinstance(value, tuple) and len(value) > 6:
            return self.table(value)
        return f"({value})" if isinstance(value, int) and value < 0 else repr(value)

    def function(self, name: str, parameters: str, body: Iterable[str]) -> str:
        """Add a function and return its name."""
        self.lines.append(f"def {name}({parameters}):")
        self.lines.extend(f"    {line}" for line in body)
        return name

    def folded(self, text: str) -> str:
        """Return the value of a text that reads nothing of a game, else the text."""
        if not READS.search(text):
            return self.literal(eval(text, self.names))  # noqa: S307
        if len(text) > DEEPEST and depth(text) > DEEPEST:
            return self.hoisted(text)
        return text

    def hoisted(self, text: str) -> str:
        """Move a deeply nested text into a function, for the sake of the parser."""
        used = ["s", "f"] if re.search(r"\bf\b", text) else ["s"]
        used += sorted(dict.fromkeys(VARIABLE.findall(text)))
        name = self.new_name("h")
        parameters = ", ".join(used)
        self.function(name, parameters, [f"return {text}"])
        return f"{name}({parameters})"

    def compile(self) -> None:
        """Compile what has been added since the last time, and link it."""
        code = compile("\n".join(self.lines[self.compiled :]), "<plan>", "exec")
        self.compiled = len(self.lines)
        exec(code, self.names)  # noqa: S102
        linkers, self.linkers = self.linkers, []
        for link in linkers:
            link()


def reader(cells: list[int]) -> Callable[[list[Any]], tuple[Any, ...]]:
    """Return the function that gives what some cells hold, as a tuple."""
    if len(cells) > 1:
        return itemgetter(*cells)
    return lambda s: tuple([s[cell] for cell in cells])


def depth(text: str) -> int:
    """Return how deep the brackets of a text are nested."""
    deepest = level = 0
    for letter in text:
        if letter in "([{":
            level += 1
            deepest = max(deepest, level)
        elif letter in ")]}":
            level -= 1
    return deepest


def indented(lines: Iterable[str]) -> list[str]:
    """Return lines one level further in."""
    return [f"    {line}" for line in lines]
