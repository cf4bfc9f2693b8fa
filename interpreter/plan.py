"""A plan: everything that is fixed for one rulebook, number of players and options.

Made once and kept: the layout of the cells, the tables of the board, the action space,
and the rules as compiled functions and steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import rulebook as rb
from interpreter import choices, draws, moving, standing
from interpreter.actions import ActionSpace, PlannedAction
from interpreter.audience import audience_function
from interpreter.board import make_graph, neighbour_table
from interpreter.effects import Effects, Quiet
from interpreter.expressions import Writer
from interpreter.facts import Facts
from interpreter.flow import Flow, Unit
from interpreter.layout import Block, Layout, make_layout
from interpreter.legal import AllVariables
from interpreter.offering import Offering
from interpreter.options import named, resolve_options
from interpreter.order import SKIPPED, says_order
from interpreter.reads import trigger_masks, walk
from interpreter.runtime import RUNTIME
from interpreter.secrecy import OTHERS, Secrecy
from interpreter.slots import slot_types
from interpreter.source import Source
from interpreter.start import start_cells
from interpreter.state import SWITCH
from interpreter.teaching import Teaching
from interpreter.trails import Trails
from interpreter.triggers import PlannedAward, PlannedRule
from interpreter.turns import GAME, Turns
from interpreter.values import Values
from interpreter.ways import SEARCHES
from interpreter.worth import Worth, is_long, ranges

__all__ = ["Plan", "plan_for"]

FLATTENED_IN = (choices, draws)  # they enter what they flatten when imported
WRITTEN_IN = (moving, standing)  # and these what they write
PLANS: WeakKeyDictionary[rb.Rulebook, dict[Any, Plan]] = WeakKeyDictionary()


def plan_for(book: rb.Rulebook, players: int, options: dict[str, Any]) -> Plan:
    """Return the plan of a game, made now or before."""
    known = PLANS.setdefault(book, {})
    key = (players, *named(options))
    if key not in known:
        known[key] = Plan(book, players, options)
    return known[key]


class Plan:
    """A rulebook made ready for a number of players and options."""

    def __init__(self, book: rb.Rulebook, players: int, given: dict[str, Any]) -> None:
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
        resolve_options(Writer(self.source, self.facts), given)
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
        self.calls = {name: (f"q{n}", n) for name, n in self.numbers.items()}
        self.actions = ActionSpace(model, self.values, self.numbers)
        self.worth = Worth(lambda _s, _seat: 0, {})
        self.quiet = Quiet(model)
        self.offering = Offering(model)
        self.teaching = Teaching(model)
        self.write_defines()
        self.units: list[Unit] = []
        self.tests: dict[str, Unit] = {}
        self.write_units()
        self.write_tests()
        self.awards: list[PlannedAward] = []
        self.rules: list[PlannedRule] = []
        self.write_triggers()
        self.source.compile()
        self.points = self.source.names["points"]
        skipped = self.facts.defines.get(SKIPPED)
        self.skips = None if skipped is None else self.source.names[skipped]
        self.start = tuple(start_cells(self))
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
        text = Writer(self.source, self.facts).text(expression)
        return eval(text, self.source.names)  # noqa: S307

    def room(self, piece: rb.Piece) -> int | None:
        """Return how many of a piece may stand on a space, None for any number."""
        if piece.room is None:
            return 1
        most = piece.room.most
        return None if most is None else int(self.constant(most))

    # ------------------------------------------------------------ writing

    def writer(self) -> Writer:
        """Return a writer for what has all its slots as variables."""
        return Writer(self.source, self.facts, AllVariables())

    def write_defines(self) -> None:
        """Write defines and the tables of points as functions."""
        for number, name in enumerate(self.model.defines):
            self.facts.defines[name] = f"d{number}"
        for name, define in self.model.defines.items():
            parameters = "".join(f", v{p.slot}" for p in define.parameters)
            lines = define_lines(self.writer(), self.facts, define)
            self.source.function(self.facts.defines[name], f"s{parameters}", lines)
        table, reader = self.model.points.lines, rb.SecretReader(self.model)
        self.write_total("points", table)
        seen = [line for line in table if not any(reader.secrets(line))]
        self.write_total("visible_points", seen)
        self.write_worth()

    def write_total(self, name: str, table: Iterable[rb.PointLine]) -> None:
        """Write the function that adds up lines for a player."""
        texts = [term(self.writer(), line) for line in table]
        total = " + ".join(texts) or "0"
        lines = ["if v1 < 0:", "    return 0", f"return {total}"]
        self.source.function(name, "s, v1", lines)

    def write_worth(self) -> None:
        """Write the values of the hints, those of long lines each by itself."""
        reads, names = rb.Reads(self.model), self.source.names
        quick: list[rb.PointLine] = []
        kept: dict[str, tuple[slice, ...]] = {}
        for line in self.model.values.lines:
            if is_long(self.model, line, self.facts.sizes):
                name = self.source.new_name("w")
                self.write_total(name, [line])
                kept[name] = ranges(self.layout, reads, line)
            else:
                quick.append(line)
        self.write_total("values", quick)

        def link() -> None:
            lines = {names[name]: read for name, read in kept.items()}
            self.worth = Worth(names["values"], lines)

        self.source.linkers.append(link)

    def write_units(self) -> None:
        """Write procedures and actions: as steps, or as one function where quiet."""
        model = self.model
        turns = Turns(model, self.players, self.layout, self.numbers, self.facts.masks)
        self.units = [turns.unit()]
        self.closing = turns.closing
        for code in units(model):
            self.write_unit(code)

    def write_unit(self, code: rb.Procedure | rb.Action) -> Unit:
        """Write one unit; it runs when the source has been compiled."""
        unit = Unit(code.name, code.slots, slot_types(code), len(code.slots))
        unit.number = len(self.units)
        unit.empty = [None] * len(code.slots)
        unit.code = code
        unit.wakes = self.wakes.get(code.name, 0)
        self.units.append(unit)
        grades = self.teaching.slots.get(code.name, {})
        unit.grades = grades
        unit.binders = [(one.slot, -1) for one in code.parameters]
        unit.hidden_from = {slot for slot, grade in grades.items() if grade == OTHERS}
        self.facts.tallies = unit.tallies
        if self.quiet.block(code.body):
            self.write_quiet(unit, code)
        else:
            writer = Writer(self.source, self.facts)
            flow = Flow(
                writer,
                self.calls,
                self.quiet,
                unit,
                code,
                self.actions,
                self.teaching,
            )
            flow.body(code.body)
            flow.finish()
        return unit

    def test_unit(
        self, title: str, body: tuple[Any, ...], slots: tuple[str, ...]
    ) -> Unit:
        """Return the unit of a test, written when it is first asked for."""
        if title not in self.tests:
            code = rb.Procedure(name=title, parameters=(), body=body, slots=slots)
            self.tests[title] = self.write_unit(code)
            self.source.compile()
        return self.tests[title]

    def write_quiet(self, unit: Unit, code: rb.Procedure | rb.Action) -> None:
        """Write a unit that never waits as one function."""
        if self.teaching.anything(code, code.body):
            unit.teaches.add(0)
        name = f"q{unit.number}"
        effects = Effects(Writer(self.source, self.facts), self.calls, "return")
        lines = effects.block(code.body) or ["pass"]
        self.source.function(name, "g, s, f", lines)

        def link() -> None:
            function = self.source.names[name]

            def whole(g: Any, s: Any, f: Any) -> int:
                function(g, s, f)
                g.frames.pop()
                g.triggers |= unit.wakes
                return SWITCH

            unit.steps = [whole]
            unit.points = {0: "the beginning"}
            unit.whole = function
            if isinstance(code, rb.Action):
                self.actions.by_name[code.name].quiet = function

        self.source.linkers.append(link)

    def write_tests(self) -> None:
        """Write every requirement as a function that tests one instance."""
        for action in self.actions.listed:
            names = [
                Writer(self.source, self.facts).function(requirement.condition)
                for requirement in action.action.requirements
            ]

            slots = tuple(place.slot for place in action.places)
            writer = Writer(self.source, self.facts)
            told = audience_function(writer, action.action, slots)

            def link(
                action: PlannedAction = action,
                names: list[str] = names,
                told: str | None = told,
            ) -> None:
                if told is not None:
                    action.told = self.source.names[told]
                functions = [self.source.names[name] for name in names]
                action.tests = tuple(
                    zip(action.action.requirements, functions, strict=True)
                )

            self.source.linkers.append(link)

    def write_triggers(self) -> None:
        """Write what awards measure and rules test."""
        for award in self.model.awards.values():
            w = self.writer()
            lines = []
            if award.only_if is not None:
                lines += [f"if not {w.text(award.only_if)}:", "    return None"]
            lines.append(f"n = {w.text(award.measure)}")
            if award.at_least is not None:
                lines += [f"if n < {w.text(award.at_least)}:", "    return None"]
            name = self.source.new_name("w")
            self.source.function(name, "s, v1", [*lines, "return n"])
            self.source.linkers.append(partial(self.link_award, award, name))
        for rule in self.model.rules.values():
            writer = Writer(self.source, self.facts)
            if rule.slot is None or rule.set is None:
                text = f"0 if {writer.text(rule.condition)} else -1"
            else:
                with writer.binding(rule.slot) as v:
                    members = writer.text(rule.set)
                    test = writer.text(rule.condition)
                    text = f"next(({v} for {v} in {members} if {test}), -1)"
            name = self.source.new_name("w")
            self.source.function(name, "s, f", [f"return {text}"])
            self.source.linkers.append(partial(self.link_rule, rule, name))

    def link_award(self, award: rb.Award, function: str) -> None:
        """Enter an award when its function is compiled."""
        self.awards.append(
            PlannedAward(
                award,
                self.layout.awards[award.name],
                self.players,
                self.source.names[function],
                None if award.gained is None else self.numbers[award.gained],
                None if award.lost is None else self.numbers[award.lost],
                self.facts.masks.get(f"award {award.name}", 0),
            )
        )

    def link_rule(self, rule: rb.Rule, function: str) -> None:
        """Enter a rule when its function is compiled."""
        unit = self.numbers[rule.procedure]
        you = "active" in rb.Reads(self.model).of(rule.condition, rule.set)
        find = self.source.names[function]
        self.rules.append(PlannedRule(rule, find, unit, you))


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


def term(w: Writer, line: rb.DefineLine | rb.PointLine) -> str:
    """Return what a line of a sum counts: 0 where its condition does not hold."""
    value = w.text(line.value)
    if line.condition is None:
        return value
    return f"({value} if {w.text(line.condition)} else 0)"


def define_lines(w: Writer, facts: Facts, define: rb.Define) -> list[str]:
    """Return the body of a define's function."""
    lines: list[str] = []
    if define.adds:
        terms = [term(w, line) for line in define.lines]
        return [f"return {' + '.join(terms) or '0'}"]
    for line in define.lines:
        value = w.text(line.value)
        condition = "True" if line.condition is None else w.text(line.condition)
        if condition == "True":
            return [*lines, f"return {value}"]
        if condition != "False":
            lines += [f"if {condition}:", f"    return {value}"]
    return [*lines, f"return {default(facts, define.type)}"]


def default(facts: Facts, kind: rb.Type) -> str:
    """Return the value of a define of which no line applies."""
    match kind:
        case rb.Truth():
            return "False"
        case rb.Member():
            return "-1"
        case rb.Bag(domain=domain):
            return f"(0,) * {facts.sizes[domain]}"
        case rb.SetOf():
            return "()"
        case _:
            return "0"
