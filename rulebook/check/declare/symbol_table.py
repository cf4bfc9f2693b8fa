"""Symbol table of the checker: all declared names and their meanings.

`SymbolTable` is filled in the order of `check.PASSES`: domains and their columns, then
fields, pieces and signatures, then bodies. An error in a line raises `Mistake`.
`SymbolTable.collect_errors` stores it and checking continues, so each line has at
most one error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum, auto

import attrs

from rulebook import model as m
from rulebook import syntax as s
from rulebook.addresses import Address
from rulebook.model.limits import Limits
from rulebook.model.value_types import NONE, Member, NoneType, Truth, Type, Whole
from rulebook.queries.calls import Code
from rulebook.source.diagnostics import Diagnostic
from rulebook.source.spans import Span
from rulebook.source.spelling import foreign_word_help, join_with_or, nearest_names

PLAYER = "player"
SUGGESTIONS_MAX = 3
"""Maximum number of names that a help line suggests for an unknown name."""
PARTS_MAX = 6
"""Maximum number of parts that a help line lists for an unknown part."""


class Mistake(Exception):
    """Exception with one diagnostic, caught by `SymbolTable.collect_errors`."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def mistake(
    code: str,
    span: Span,
    message: str,
    help: str | None = None,
    related: tuple[tuple[Span, str], ...] = (),
) -> Mistake:
    """Return a `Mistake` exception with one diagnostic, to be raised by the caller."""
    return Mistake(
        Diagnostic(
            code=code,
            severity="error",
            message=message,
            span=span,
            help=help,
            related=related,
        )
    )


def number_text(number: int) -> str:
    """Return a number as text for a message, shortened if it is huge."""
    return f"{number:,}" if number < 10**12 else "more than 10^12"


def did_you_mean(name: str, *candidates: Iterable[str]) -> str | None:
    """Return help that suggests similar names (or translates a foreign word), or None.

    Only the first group of *candidates* with a similar name is used. Several equally
    similar names are all suggested, up to a maximum.
    """
    help = foreign_word_help(name)
    if help is not None:
        return help
    for names in candidates:
        near = nearest_names(name, sorted(set(names) - {name}))[:SUGGESTIONS_MAX]
        if near:
            return f"did you mean {join_with_or([f'`{other}`' for other in near])}?"
    return None


def argument_count_error(
    name: s.Name,
    expected_parameters: Sequence[m.Parameter],
    arguments: Sequence[s.Expr],
    span: Span,
    related: tuple[tuple[Span, str], ...] = (),
) -> Mistake:
    """Return the error for a call with too many or too few arguments."""
    plural = "" if len(expected_parameters) == 1 else "s"
    count = f"{len(expected_parameters) or 'no'} argument{plural}"
    names = ", ".join(parameter.name for parameter in expected_parameters)
    usage = f"{name.text}({names})" if names else name.text
    return mistake(
        "RB116",
        span,
        f"`{name.text}` takes {count}, not {len(arguments)}",
        f"write `{usage}`",
        related,
    )


def unknown_name_error(
    sort: str,
    name: s.Name,
    candidates: Iterable[str],
    preferred: Iterable[str] = (),
    *,
    help: str | None = None,
) -> Mistake:
    """Return the error for an undeclared name.

    The help suggests one of `preferred` first, then one of `candidates`.
    """
    return Mistake(
        Diagnostic(
            "RB101",
            f"unknown {sort} `{name.text}`",
            name.span,
            help or did_you_mean(name.text, preferred, candidates),
            name=name.text,
        )
    )


def unknown_part_error(
    owner: str, noun: str, name: s.Name, parts: Iterable[str]
) -> Mistake:
    """Return the error for an undeclared part of something, with the parts it has."""
    known = sorted(parts)
    listed = join_with_or([f"`{part}`" for part in known[:PARTS_MAX]])
    several = f"write {listed}" + (", or another" if known[PARTS_MAX:] else "")
    help = did_you_mean(name.text, known) or (several if known else f"it has no {noun}")
    message = f"`{owner}` has no {noun} `{name.text}`"
    return Mistake(Diagnostic("RB101", message, name.span, help, name=name.text))


class SignatureSort(Enum):
    """Form in which rules use a definition `x`: `x`, `player's x` or `player is x`."""

    VALUE = auto()
    PROPERTY = auto()
    PREDICATE = auto()


@attrs.frozen
class DefineSignature:
    """Signature of a definition: its name, parameters, type and form."""

    key: str
    name: str
    sort: SignatureSort
    preposition: str | None
    parameters: tuple[m.Parameter, ...]
    type: Type
    sentence: str
    span: Span


@attrs.frozen
class ActionSignature:
    """Signature of an action: its name and parameters."""

    name: str
    parameters: tuple[m.Parameter, ...]
    span: Span


@attrs.define
class SymbolTable:
    """Declarations made so far, by name, and the collected diagnostics."""

    header: s.Header
    clauses: dict[Address, s.Clause]
    players: tuple[int, int] = (2, 4)
    seats: tuple[str, ...] = ()
    domains: dict[str, m.Domain] = attrs.Factory(dict)
    words: dict[str, str] = attrs.Factory(dict)
    members: dict[str, list[tuple[str, int]]] = attrs.Factory(dict)
    relations: dict[tuple[str, str], m.Relation] = attrs.Factory(dict)
    dice: dict[str, m.Field] = attrs.Factory(dict)
    board: m.Board | None = None
    orientation: m.Orientation = m.Orientation.NO_HEXES
    face_places: dict[str, tuple[int, int]] = attrs.Factory(dict)
    corner_keys: dict[tuple[tuple[int, int], ...], int] = attrs.Factory(dict)
    fields: dict[str, m.Field] = attrs.Factory(dict)
    pieces: dict[str, m.Piece] = attrs.Factory(dict)
    piece_words: dict[str, str] = attrs.Factory(dict)
    options: dict[str, m.Option] = attrs.Factory(dict)
    costs: dict[str, m.Expr] = attrs.Factory(dict)
    defines: dict[str, list[DefineSignature]] = attrs.Factory(dict)
    procedures: dict[str, m.Procedure | s.Clause] = attrs.Factory(dict)
    procedure_parameters: dict[str, tuple[m.Parameter, ...]] = attrs.Factory(dict)
    action_signatures: dict[str, ActionSignature] = attrs.Factory(dict)
    actions: dict[str, m.Action] = attrs.Factory(dict)
    awards: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()
    phases_each_round: bool = False
    limits: dict[str, m.Limit] = attrs.Factory(dict)
    inline_names: set[str] = attrs.Factory(set)
    legality_conditions: dict[str, tuple[s.Name, int]] = attrs.Factory(dict)
    size_limits: Limits = attrs.Factory(Limits)
    texts: Mapping[str, str] = attrs.Factory(dict)
    broken_names: set[str] = attrs.Factory(set)
    consequential_errors: list[Diagnostic] = attrs.Factory(list)
    expectations: tuple[s.Expectation, ...] = ()
    expected_types: dict[str, Type] = attrs.Factory(dict)
    pending_columns: list[tuple[s.Name, str]] = attrs.Factory(list)
    model: m.Model | None = None
    looks: dict[tuple[str, str], str | None] = attrs.Factory(dict)
    drawings: dict[str, m.Drawing] = attrs.Factory(dict)
    code: dict[str, Code] = attrs.Factory(dict)
    diagnostics: list[Diagnostic] = attrs.Factory(list)

    @contextmanager
    def collect_errors(self, *names: str) -> Iterator[None]:
        """Collect an error raised in the block, and continue after the block.

        `names` are the names that the block declares. After an error they are broken,
        and their uses are not reported as unknown.
        """
        try:
            yield
        except Mistake as error:
            follows = error.diagnostic.name in self.broken_names
            (self.consequential_errors if follows else self.diagnostics).append(
                error.diagnostic
            )
            self.broken_names.update(names)

    def add_domain(self, domain: m.Domain, span: Span) -> None:
        """Declare a domain and its members; raise `Mistake` if a name is taken."""
        if domain.name in self.domains:
            raise mistake(
                "RB102",
                span,
                f"`{domain.name}` is declared twice",
                related=((self.domains[domain.name].span, "first declared here"),),
            )
        for word in (domain.name, domain.plural):
            if word in self.words:
                other = self.domains[self.words[word]]
                raise mistake(
                    "RB102",
                    span,
                    f"`{word}` already refers to `{other.name}`",
                    "choose another name, and another plural in brackets",
                    ((other.span, "declared here"),),
                )
        self.domains[domain.name] = domain
        for word in (domain.name, domain.plural):
            self.words[word] = domain.name
        for index, name in enumerate(domain.members):
            self.members.setdefault(name, []).append((domain.name, index))

    def domain_named(self, name: s.Name) -> m.Domain:
        """Return the domain with this singular or plural name, or raise `Mistake`."""
        if name.text not in self.words:
            raise unknown_name_error("kind", name, self.words)
        return self.domains[self.words[name.text]]

    def member_count(self, domain: str) -> int:
        """Return the number of members of a domain in a game with the most players."""
        entry = self.domains[domain]
        players = self.players[1] if entry.each_player else 1
        return len(entry.members) * players

    def owned_piece(self, owner: str, word: str) -> m.Piece | None:
        """Return the piece with this name if members of *owner* own it, else None."""
        piece = self.pieces.get(self.piece_words.get(word, ""))
        return piece if piece is not None and piece.owner == owner else None

    def owner_count(self, piece: m.Piece) -> int:
        """Return the maximum number of owners of a kind of piece, or 1 if unowned."""
        return 1 if piece.owner is None else self.member_count(piece.owner)

    def number_bound(self, node: s.Expr, upper: bool) -> int:
        """Return a range's bound: a number, or an option's highest or lowest value."""
        match node:
            case s.Number(value=value):
                return value
            case s.Negate(value=s.Number(value=value)):
                return -value
            case s.NameRef(name=name):
                if name.text in self.options:
                    type_ = self.options[name.text].type
                    if isinstance(type_, Whole):
                        return type_.high if upper else type_.low
                raise unknown_name_error("option", name, self.options)
        raise mistake(
            "RB103", node.span, "a bound must be a number or the name of an option"
        )

    def range_type(self, node: s.RangeType) -> Whole:
        """Return the type for a written range of numbers."""
        low = self.number_bound(node.low, upper=False)
        high = self.number_bound(node.high, upper=True)
        if low > high:
            raise mistake(
                "RB103",
                node.span,
                f"the range {low} to {high} is empty",
                "write the smaller number first",
            )
        if node.optional and low < 0:
            raise mistake(
                "RB103",
                node.span,
                "a number that may be none cannot be negative",
                "begin the range at 0 or above",
            )
        return Whole(low, high, node.optional)

    def empty_value(self, type_: Type) -> object:
        """Return the default value of a type, such as 0, none or an empty bag."""
        match type_:
            case Truth():
                return False
            case Whole(low=low, high=high):
                return min(max(0, low), high)
            case Member() | NoneType():
                return NONE
        return (0,) * self.member_count(getattr(type_, "domain", "") or "")


def are_comparable(left: Type, right: Type) -> bool:
    """Return whether values of two types may be compared with `=`."""
    match left, right:
        case (NoneType(), Member()) | (Member(), NoneType()):
            return True
        case (NoneType(), Whole(optional=True)) | (Whole(optional=True), NoneType()):
            return True
        case Member(domain=first), Member(domain=second):
            return first == second
        case Whole(), Whole():
            return True
    return type(left) is type(right) and not isinstance(left, NoneType)


def is_assignable(actual: Type, expected: Type) -> bool:
    """Return whether a value of one type may be used where another is expected."""
    match actual, expected:
        case NoneType(), Member(optional=True) | Whole(optional=True):
            return True
        case Member(domain=first), Member(domain=second):
            return first == second
        case Whole(), Whole():
            return True
        case Truth(), Truth():
            return True
    return actual == expected
