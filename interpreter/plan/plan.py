"""A plan: everything that is fixed for one rulebook, number of players and options.

Made once and kept: the layout of the cells, the tables of the board, the action space,
and the rules as compiled functions and steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from weakref import WeakKeyDictionary

import rulebook as rb
from interpreter.actions import ActionSpace
from interpreter.board import make_graph, neighbour_table
from interpreter.facts import Facts
from interpreter.layout import Block, Layout, make_layout
from interpreter.offering import Offering
from interpreter.options import named, resolve_options
from interpreter.order import SKIPPED, says_order
from interpreter.plan.addresses import Addresses
from interpreter.plan.quiet import Quiet
from interpreter.plan.specialise import ALL, Specialiser, constant
from interpreter.plan.units import Unit
from interpreter.python.program import Program
from interpreter.python.source import Source
from interpreter.reads import trigger_masks, walk
from interpreter.runtime import RUNTIME
from interpreter.secrecy import Secrecy
from interpreter.start import start_cells
from interpreter.teaching import Teaching
from interpreter.trails import Trails
from interpreter.triggers import PlannedAward, PlannedRule
from interpreter.turns import GAME, Turns
from interpreter.values import Values
from interpreter.ways import SEARCHES
from interpreter.worth import Worth

__all__ = ["Plan", "plan_for"]

PLANS: WeakKeyDictionary[rb.Rulebook, dict[Any, Plan]] = WeakKeyDictionary()


def plan_for(
    book: rb.Rulebook,
    players: int,
    options: dict[str, Any],
    rewrites: frozenset[str] = ALL,
) -> Plan:
    """Return the plan of a game, made now or before.

    `rewrites` are the names of what may make it quicker; the game stays the same.
    """
    known = PLANS.setdefault(book, {})
    key = (rewrites, players, *named(options))
    if key not in known:
        known[key] = Plan(book, players, options, rewrites)
    return known[key]


class Plan:
    """A rulebook made ready for a number of players and options."""

    def __init__(
        self,
        book: rb.Rulebook,
        players: int,
        given: dict[str, Any],
        rewrites: frozenset[str] = ALL,
    ) -> None:
        self.book = book
        self.limits = book.limits
        self.players = players
        self.all_triggers = (1 << len(book.model.awards) + len(book.model.rules)) - 1
        self.everybody = (1 << players) - 1
        self.teams = teams_of(book.model, players)
        self.says_order = says_order(book.model)
        self.model = model = book.model
        names = domain_names(model, book.seats[:players])
        sizes = {domain: len(members) for domain, members in names.items()}
        self.source = Source()
        self.source.names.update(RUNTIME | SEARCHES)
        self.graph = None if model.board is None else make_graph(model.board)
        nowhere = Layout((), {}, {}, {})
        self.facts = Facts(
            model, players, {}, sizes, names, self.relations(sizes), nowhere
        )
        resolve_options(self.facts, given)
        self.options = self.facts.options
        counts = {name: self.constant(p.count) for name, p in model.pieces.items()}
        rooms = {name: self.room(piece) for name, piece in model.pieces.items()}
        looked_at = looked_at_fields(model)
        self.layout = make_layout(model, sizes, counts, rooms, looked_at)
        self.facts.layout = self.layout
        self.facts.masks = trigger_masks(model)
        self.wakes = {
            rule.procedure: 1 << len(model.awards) + number
            for number, rule in enumerate(model.rules.values())
        }
        self.values = Values(model, names)
        self.numbers = {
            name: number
            for number, name in enumerate([GAME, *model.procedures, *model.actions])
        }
        self.actions = ActionSpace(model, self.values, self.numbers)
        self.worth = Worth(lambda _s, _seat: 0, {})
        self.quiet = Quiet(model)
        self.offering = Offering(model)
        self.teaching = Teaching(model)
        self.units: list[Unit] = []
        self.tests: dict[str, Unit] = {}
        self.awards: list[PlannedAward] = []
        self.rules: list[PlannedRule] = []
        self.program = Program(
            self.source,
            self.facts,
            Specialiser(self.facts, rewrites),
            {name: (f"q{n}", n) for name, n in self.numbers.items()},
            self.quiet,
            self.actions,
            self.teaching,
            Addresses(book),
        )
        self.write()
        self.points = self.source.names["points"]
        skipped = self.facts.defines.get(SKIPPED)
        self.skips = None if skipped is None else self.source.names[skipped]
        self.start = tuple(start_cells(self.facts))
        self.note_secrets()

    def note_secrets(self) -> None:
        """Note who may know what happens, and which cells somebody may not see."""
        model = self.model
        secrecy = Secrecy(model)
        self.grades = (0, *(secrecy.grade(code.body) for code in units(model)))
        self.trigger_grade = secrecy.triggers()
        self.value_grade = secrecy.values()
        self.points_hidden = any(
            True for line in model.points.lines for _ in secrecy.reader.secrets(line)
        )
        self.telling_triggers = self.teaching.triggers()
        self.hidden_blocks, self.hidden_values = hidden_blocks(self.layout, model)

    # ------------------------------------------------------------ tables

    def relations(self, sizes: dict[str, int]) -> dict[str, Any]:
        """Return the tables of the board's relations."""
        board = self.model.board
        if board is None or self.graph is None:
            return {}
        self.source.names["trail"] = Trails(board.link_ends)
        return {
            name: neighbour_table(self.graph, relation, sizes[relation.source])
            for name, relation in self.model.relations.items()
        }

    def constant(self, expression: rb.Expr) -> Any:
        """Return the value of an expression that reads only options."""
        return constant(self.facts, expression)

    def room(self, piece: rb.Piece) -> int | None:
        """Return how many of a piece may stand on a space, None for any number."""
        if piece.room is None:
            return 1
        most = piece.room.most
        return None if most is None else int(self.constant(most))

    # ------------------------------------------------------------ writing

    def write(self) -> None:
        """Write the program of the game and compile it."""
        model, program = self.model, self.program
        program.write_defines()
        program.write_points()
        program.write_worth(self.take_worth)
        turns = Turns(model, self.players, self.layout, self.numbers, self.facts.masks)
        self.units.append(turns.unit())
        self.closing = turns.closing
        for clause in units(model):
            self.add_unit(clause)
        program.write_tests()
        program.write_triggers(self.awards, self.rules, self.numbers)
        self.source.compile()

    def take_worth(self, worth: Worth) -> None:
        """Take over what positions are worth."""
        self.worth = worth

    def add_unit(self, clause: rb.Procedure | rb.Action) -> Unit:
        """Write one unit; it runs when the source has been compiled."""
        wakes = self.wakes.get(clause.name, 0)
        unit = self.program.write_unit(clause, len(self.units), wakes)
        self.units.append(unit)
        return unit

    def test_unit(
        self, title: str, body: tuple[Any, ...], slots: tuple[str, ...]
    ) -> Unit:
        """Return the unit of a test, written when it is first asked for."""
        if title not in self.tests:
            code = rb.Procedure(name=title, parameters=(), body=body, slots=slots)
            self.tests[title] = self.add_unit(code)
            self.source.compile()
        return self.tests[title]


def teams_of(model: rb.Model, players: int) -> tuple[tuple[int, ...], ...]:
    """Return the seats in play of each team."""
    homes = model.domains["player"].columns.get("team")
    if homes is None:
        return ()
    here = homes.values[:players]
    found = dict.fromkeys(home for home in here if home >= 0)
    return tuple(
        tuple(seat for seat, home in enumerate(here) if home == team) for team in found
    )


def units(model: rb.Model) -> Iterator[rb.Procedure | rb.Action]:
    """Yield all code units, in the order of their numbers."""
    yield from model.procedures.values()
    yield from model.actions.values()


def domain_names(model: rb.Model, seats: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the members of every domain in a game with these seats."""
    names: dict[str, tuple[str, ...]] = {}
    for name, domain in model.domains.items():
        if domain.sort == "player":
            names[name] = seats
        elif domain.each_player:
            names[name] = tuple(
                f"{seat}_{member}" for seat in seats for member in domain.members
            )
        else:
            names[name] = domain.members
    return names


def looked_at_fields(model: rb.Model) -> Iterable[str]:
    """Return the keys of the bags that a player may look at."""
    found: dict[str, None] = {}
    for node in walk(*(part for unit in units(model) for part in unit.body)):
        if isinstance(node, rb.Sees) and isinstance(node.holder, rb.FieldValue):
            field = model.fields.get(node.holder.field)
            if field is not None and isinstance(field.type, rb.Bag):
                found[field.key] = None
    return tuple(found)


def hidden_blocks(
    layout: Layout, model: rb.Model
) -> tuple[dict[str, list[Block]], list[Block]]:
    """Return the fields that somebody may not see: cards by domain, other values."""
    cards: dict[str, list[Block]] = {}
    values: list[Block] = []
    for block in layout.fields.values():
        if block.field.seen_by == "all" or block.field.endless:
            continue
        match block.field.type:
            case rb.Bag(domain=domain) | rb.Stack(domain=domain):
                cards.setdefault(domain, []).append(block)
            case rb.Member(domain=domain) if model.domains[domain].sort == "cards":
                cards.setdefault(domain, []).append(block)
            case _:
                values.append(block)
    return cards, values
