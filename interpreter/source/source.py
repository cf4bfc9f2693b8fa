"""Python source of a plan: collected, compiled once, and run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import itemgetter
from typing import Any

import attrs

from interpreter.source import code
from interpreter.source.code import Code, Precedence

MAX_DEPTH = 16
LONG_LITERAL = 6


@attrs.frozen
class Function:
    """Function of the program; `clause` is the address of the clause it implements."""

    name: str
    parameters: str
    body: tuple[str, ...]
    clause: str

    @property
    def lines(self) -> list[str]:
        """Lines of the function's source."""
        head = f"def {self.name}({self.parameters}):"
        return [head, *[f"    {line}" for line in self.body]]


class Source:
    """Source code of a plan's functions, and the tables they read."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {}
        self.given_names: dict[str, Any] = {}
        self.functions: list[Function] = []
        self.tables: dict[str, str] = {}
        self.linkers: list[Callable[[], None]] = []
        self.clause = ""
        self.last = 0
        self.compiled = 0

    @contextmanager
    def for_clause(self, clause: str) -> Iterator[None]:
        """Assign the functions written inside the `with` block to a clause."""
        before, self.clause = self.clause, clause
        yield
        self.clause = before

    def new_name(self, letter: str) -> str:
        """Return an unused name that starts with *letter*."""
        self.last += 1
        return f"{letter}{self.last}"

    def table(self, value: Any) -> str:
        """Return the name of the table with this value, which is added if it is new."""
        key = repr(value)
        if key not in self.tables:
            self.tables[key] = self.add_object(value)
        return self.tables[key]

    def add_object(self, value: Any) -> str:
        """Add an object that functions use, and return its name."""
        name = self.new_name("K")
        self.names[name] = self.given_names[name] = value
        return name

    def readers(self, rows: Sequence[Sequence[int]], base: int) -> str:
        """Return the name of a table of functions, one for each row of offsets.

        Each function returns the contents of the cells at these offsets after `base`.
        """
        key = f"readers {base} {rows!r}"
        if key not in self.tables:
            made = tuple([reader([base + place for place in row]) for row in rows])
            self.tables[key] = self.add_object(made)
        return self.tables[key]

    def literal(self, value: Any) -> Code:
        """Return the code of a constant; a long constant becomes a table."""
        if not isinstance(value, tuple):
            return code.literal(value)
        text = self.table(value) if len(value) > LONG_LITERAL else repr(value)
        return Code(text, constant=value)

    def function(self, name: str, parameters: str, body: Iterable[str]) -> str:
        """Add a function, and return its name."""
        self.functions.append(Function(name, parameters, tuple(body), self.clause))
        return name

    def add_expression_function(
        self, parameters: str, text: str, letter: str = "x"
    ) -> str:
        """Add a function, named with *letter*, for an expression; return its name."""
        return self.function(self.new_name(letter), parameters, [f"return {text}"])

    def flatten(self, code: Code) -> Code:
        """Return an expression, or a call of a new function if it is nested deeply."""
        if code.depth <= MAX_DEPTH:
            return code
        name = self.new_name("h")
        parameters = ", ".join(sorted(code.uses))
        self.function(name, parameters, [f"return {code.text}"])
        return Code(f"{name}({parameters})", Precedence.ATOM, code.uses)

    def compile(self) -> None:
        """Compile and link everything added since the last call."""
        new = self.functions[self.compiled :]
        text = "\n".join([line for function in new for line in function.lines])
        self.compiled = len(self.functions)
        exec(compile(text, "<plan>", "exec"), self.names)  # noqa: S102
        linkers, self.linkers = self.linkers, []
        for link in linkers:
            link()


def reader(cells: list[int]) -> Callable[[list[Any]], tuple[Any, ...]]:
    """Return a function that returns the contents of some cells as a tuple."""
    if len(cells) > 1:
        return itemgetter(*cells)
    return lambda s: tuple([s[cell] for cell in cells])
