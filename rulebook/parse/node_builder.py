"""Framework for building syntax nodes from Lark's trees.

Lark has checked the shape: a tree has the children of its grammar rule, with None for
missing optional children. Mistakes that the grammar cannot reject are reported here.
Each module of node builders fills a table with one function per production.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias, TypeVar, cast

import attrs
from lark import Token, Tree

from rulebook import syntax
from rulebook.source.diagnostics import Diagnostic
from rulebook.source.spans import Cite, Span
from rulebook.text_gaps import GAP

Branch: TypeAlias = "Token | Tree[Token] | None"
Rule: TypeAlias = "Callable[[Builder, Tree[Token]], object]"
Reader: TypeAlias = "Callable[[Builder, Branch], object]"
_RuleT = TypeVar("_RuleT", bound="Callable[..., object]")
_NodeT = TypeVar("_NodeT")

_GAP = re.compile(r"\{([^\W\d]\w*)\}")

NESTING_MAX = 100
"""Maximum nesting depth of nodes, so that no recursion exhausts the stack."""

NUMBER_MAX = 1_000_000_000
"""Largest number that a rule file may contain."""


class NestingError(Exception):
    """Raised for a tree that is nested too deeply; `span` is where it was detected."""

    def __init__(self, span: Span) -> None:
        super().__init__(span)
        self.span = span


@attrs.frozen
class BuilderTable:
    """Table of functions that build nodes, by the name of the production."""

    table: dict[str, Rule] = attrs.field(factory=dict)

    def __call__(self, *names: str) -> Callable[[_RuleT], _RuleT]:
        """Return a decorator that registers a function under each of the names."""

        def enter(function: _RuleT) -> _RuleT:
            for name in names:
                assert name not in self.table, name
                self.table[name] = function
            return function

        return enter

    def add_node(
        self, name: str, kind: Callable[..., object], *readers: Reader
    ) -> None:
        """Register a production whose node has a field for each child, in order.

        Each reader builds one child. Citations have a separate field, wherever they
        occur.
        """

        def build(b: Builder, t: Tree[Token]) -> object:
            fields, cites = [], {}
            for read, part in zip(readers, parts(t), strict=True):
                if read is Builder.cites:
                    cites["cites"] = b.cites(part)
                else:
                    fields.append(read(b, part))
            return kind(*fields, **cites, span=b.span(t))

        self(name)(build)


def node_of(kind: type[object]) -> Reader:
    """Return a function that builds a child as a node of a class."""
    return lambda b, branch: b.node(kind, branch)


def has_loose_brace(text: str) -> bool:
    """Return whether a text has a brace that does not belong to a gap."""
    rest = _GAP.sub("", text)
    return "{" in rest or "}" in rest


def parts(tree: Tree[Token]) -> list[Branch]:
    """Return the children of a tree, with None for missing ones."""
    return cast("list[Branch]", tree.children)


class Builder:
    """Builder of the nodes of one clause; collects its diagnostics."""

    def __init__(self, rules: Mapping[str, Rule], file: str, line_offset: int) -> None:
        self._rules = rules
        self.file = file
        self._line_offset = line_offset
        self._depth = 0
        self.diagnostics: list[Diagnostic] = []

    def build(self, branch: Branch) -> object:
        """Return the node of a tree, built by the function for its production.

        Raises: NestingError: if nodes are nested more than `NESTING_MAX` deep.
        """
        assert isinstance(branch, Tree), branch
        if self._depth >= NESTING_MAX:
            raise NestingError(self.span(branch))
        self._depth += 1
        try:
            return self._rules[branch.data](self, branch)
        finally:
            self._depth -= 1

    def node(self, kind: type[_NodeT], branch: Branch) -> _NodeT:
        """Return the node of a branch; the grammar ensures that its class is *kind*."""
        node = self.build(branch)
        assert isinstance(node, kind), (kind, node)
        return node

    def optional_node(self, kind: type[_NodeT], branch: Branch) -> _NodeT | None:
        """Return the node of a branch, or None if it is missing."""
        return None if branch is None else self.node(kind, branch)

    def nodes(
        self, kind: type[_NodeT], branches: Iterable[Branch]
    ) -> tuple[_NodeT, ...]:
        """Return the nodes of several branches."""
        return tuple(self.node(kind, branch) for branch in branches)

    def expr(self, branch: Branch) -> syntax.Expr:
        """Return the expression node of a branch."""
        return cast("syntax.Expr", self.build(branch))

    def optional_expr(self, branch: Branch) -> syntax.Expr | None:
        """Return the expression node of a branch, or None if it is missing."""
        return None if branch is None else self.expr(branch)

    def exprs(self, branches: Iterable[Branch]) -> tuple[syntax.Expr, ...]:
        """Return the expression nodes of several branches."""
        return tuple(self.expr(branch) for branch in branches)

    def arguments(self, branch: Branch) -> tuple[syntax.Expr, ...]:
        """Return the arguments in brackets, or () if the brackets are missing."""
        return () if branch is None else self.exprs(parts(cast("Tree[Token]", branch)))

    def name(self, branch: Branch) -> syntax.Name:
        """Return the `Name` node of a name token."""
        assert isinstance(branch, Token)
        return syntax.Name(str(branch), span=self.span(branch))

    def optional_name(self, branch: Branch) -> syntax.Name | None:
        """Return the `Name` node of a name token, or None if it is missing."""
        return None if branch is None else self.name(branch)

    def names(self, branches: Iterable[Branch]) -> tuple[syntax.Name, ...]:
        """Return the `Name` nodes of several name tokens."""
        return tuple(self.name(branch) for branch in branches)

    def name_list(self, branch: Branch) -> tuple[syntax.Name, ...]:
        """Return the `Name` nodes of a comma-separated list."""
        assert isinstance(branch, Tree)
        return self.names(parts(branch))

    def word(self, branch: Branch) -> str:
        """Return the only keyword in a branch."""
        assert isinstance(branch, Tree)
        return str(branch.children[0])

    def text(self, branch: Branch) -> str:
        """Return the text between the quotes of a string token."""
        assert isinstance(branch, Token)
        return str(branch)[1:-1]

    def optional_text(self, branch: Branch) -> str | None:
        """Return the text between the quotes, or None if it is missing."""
        return None if branch is None else self.text(branch)

    def gaps(self, branches: Iterable[Branch]) -> tuple[syntax.Name, ...]:
        """Return the names in braces in string tokens."""
        return tuple(name for (name,) in self._gaps(_GAP, branches))

    def gap_paths(
        self, branches: Iterable[Branch]
    ) -> tuple[tuple[syntax.Name, ...], ...]:
        """Return the names of each gap in string tokens: `{a}`, `{a's b}`, `{n b}`.

        A kind that is counted in a gap is not among them.
        """
        return tuple(self._gaps(GAP, branches, slice(3)))

    def gap_kinds(self, branches: Iterable[Branch]) -> tuple[syntax.Name, ...]:
        """Return the names of the kinds that gaps count: `b` in `{n b}`."""
        return tuple(
            kind for kinds in self._gaps(GAP, branches, slice(3, 4)) for kind in kinds
        )

    def _gaps(
        self,
        pattern: re.Pattern[str],
        branches: Iterable[Branch],
        groups: slice = slice(None),
    ) -> Iterator[tuple[syntax.Name, ...]]:
        """Yield the names of each gap that a pattern finds, from some of its groups."""
        for branch in branches:
            place = self.span(branch)
            for match in pattern.finditer(str(branch)):
                names = []
                for number in range(1, 1 + pattern.groups)[groups]:
                    if (name := match[number]) is not None:
                        first, end = (place.column + at for at in match.span(number))
                        span = attrs.evolve(place, column=first, end_column=end)
                        names.append(syntax.Name(name, span=span))
                yield tuple(names)

    def number(self, branch: Branch) -> int:
        """Return the value of a number token; report a number beyond the limit as 0."""
        assert isinstance(branch, Token)
        if len(branch) <= len(str(NUMBER_MAX)) and int(branch) <= NUMBER_MAX:
            return int(branch)
        message = f"this number is larger than {NUMBER_MAX:,}"
        self.report("RB020", message, self.span(branch))
        return 0

    def cites(self, branch: Branch) -> tuple[Cite, ...]:
        """Return the citations at the end of a line."""
        assert isinstance(branch, Tree)
        return self.nodes(Cite, parts(branch))

    def span(self, branch: Branch) -> Span:
        """Return the span of a token or tree in the file."""
        down = self._line_offset
        if isinstance(branch, Tree):
            place = branch.meta
            if place.empty:
                return Span(self.file, 1 + down, 1, 1 + down, 1)
        else:
            assert branch is not None
            place = cast("Tree[Token]", branch)  # type: ignore[assignment]
        return Span(
            self.file,
            place.line + down,
            place.column,
            place.end_line + down,
            place.end_column,
        )

    def report(
        self,
        code: str,
        message: str,
        span: Span,
        *,
        help: str | None = None,
        related: tuple[tuple[Span, str], ...] = (),
    ) -> None:
        """Add a diagnostic."""
        self.diagnostics.append(Diagnostic(code, message, span, help, related))
