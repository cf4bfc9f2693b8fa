"""Constants of a game that are known before it starts, for code generation."""

from __future__ import annotations

from typing import Any

import attrs

import rulebook as rb
from interpreter.core.board import board_for
from interpreter.core.layout import Block, Layout, empty_value
from rulebook import model as m
from rulebook import tooling
from rulebook.signatures import TurnState, effects_within

OWNER = "owner"
PLAYER = "player"
"""Name of the domain of seats."""
TEAMED = (m.DomainSort.PLAYER, m.DomainSort.TEAM)


@attrs.define
class Facts:
    """Constants of a plan: sizes, options, tables, and the locations of the cells.

    `relations` are the tables of the board, with a last row for none.
    `definition_functions` are the names of the functions generated for the definitions.
    `masks` are the triggers, as bits, that read each part of the state. `tallies` are
    the domains of the tallies in the current unit, by slot. `stored_names` are the
    definitions that are computed once, or store such a value. `growing_domains` are the
    domains whose cards may come from outside the game. `read_finder` finds what
    expressions of the book read. `can_reverse_turns` is true if the rules can reverse
    the order of turns.
    """

    model: m.Model
    limits: rb.Limits
    players: int
    options: dict[str, Any]
    sizes: dict[str, int]
    names: dict[str, tuple[str, ...]]
    relations: dict[str, tuple[tuple[int, ...], ...]]
    layout: Layout
    masks: dict[tooling.StatePart, int] = attrs.field(factory=dict)
    tallies: dict[int, tuple[str, ...]] = attrs.field(factory=dict)
    definition_functions: dict[str, str] = attrs.field(init=False)
    stored_names: frozenset[str] = attrs.field(init=False)
    growing_domains: frozenset[str] = attrs.field(init=False)
    read_finder: tooling.ReadFinder = attrs.field(init=False)
    can_reverse_turns: bool = attrs.field(init=False)

    @definition_functions.default
    def _default_functions(self) -> dict[str, str]:
        return {name: f"d{number}" for number, name in enumerate(self.model.defines)}

    @stored_names.default
    def _default_stored_names(self) -> frozenset[str]:
        return tooling.stored_names(self.model.defines)

    @growing_domains.default
    def _default_growing_domains(self) -> frozenset[str]:
        return tooling.growing_domains(self.model)

    @read_finder.default
    def _default_read_finder(self) -> tooling.ReadFinder:
        return tooling.ReadFinder(self.model)

    @can_reverse_turns.default
    def _default_can_reverse(self) -> bool:
        code = effects_within(self.model.procedures, self.model.actions)
        places = (write.place for effects in code for write in effects.writes)
        return TurnState.DIRECTION in places

    @property
    def board(self) -> m.Board | None:
        """Board with the links of all players in play, or None."""
        return board_for(self.model, self.players)

    @property
    def all_seats(self) -> int:
        """All seats in play, as bits."""
        return (1 << self.players) - 1

    def block(self, value: m.FieldPlace) -> Block:
        """Return the block of the field that an expression reads."""
        return self.layout.fields[value.field]

    def column(self, domain: str, column: str) -> tuple[Any, ...]:
        """Return the values of a column for all members, and a last value for none."""
        declared_domain = self.model.domains[domain]
        size = self.sizes[domain]
        if column not in declared_domain.columns:
            assert declared_domain.each_player and column == OWNER, (domain, column)
            size_per_player = len(declared_domain.members)
            return (*(index // size_per_player for index in range(size)), -1)
        declared = declared_domain.columns[column]
        values = declared.values
        is_teamed = declared_domain.sort in TEAMED  # teams omit seats not in play
        if is_teamed and getattr(declared.type, "domain", None) == "player":
            values = tuple(map(self.limit_to_playing, values))
        repeated = (values * max(1, size // max(1, len(values))))[:size]
        if isinstance(declared.type, m.Bag):
            return (*repeated, (0,) * self.sizes[declared.type.domain])
        return (*repeated, empty_value(declared.type))

    def limit_to_playing(self, value: Any) -> Any:
        """Drop seats not in play from a tuple; replace a single such seat by none."""
        if isinstance(value, tuple):
            return tuple(seat for seat in value if seat < self.players)
        return value if value < self.players else m.NONE

    def copies(self, domain: str) -> tuple[int, ...]:
        """Return the number of copies of each card, given the options."""
        declared = self.model.domains[domain].copies
        copies: list[int] = []
        for number in declared:
            if m.is_option(number):
                copies.append(self.options[number.name])
            else:
                assert m.is_constant(number)
                copies.append(number.value)
        return tuple(copies) or (1,) * self.sizes[domain]

    @property
    def shared_pieces(self) -> frozenset[str]:
        """Pieces that may share a space with others of the same name."""
        pieces = self.model.pieces.values()
        return frozenset(piece.name for piece in pieces if piece.room is not None)

    def piece_base(self, piece: str, space: m.Expr) -> int:
        """Return the first cell of a piece in the domain of a space."""
        assert isinstance(space.type, m.Member), space
        return self.layout.pieces[piece].bases[space.type.domain]

    def set_base(self, piece: str, spaces: m.Expr) -> int:
        """Return the first cell of a piece in the domain of a set of spaces."""
        assert isinstance(spaces.type, m.SetOf), spaces
        assert spaces.type.domain is not None
        return self.layout.pieces[piece].bases[spaces.type.domain]
