"""Creation of plans from rulebooks, cached by rulebook."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import attrs

import rulebook as rb
from interpreter.algorithms.shortest_paths import SEARCHES
from interpreter.algorithms.trails import Trails
from interpreter.core.action_index import ActionSpace
from interpreter.core.board import make_graph, neighbour_table
from interpreter.core.dependencies import trigger_masks
from interpreter.core.facts import Facts
from interpreter.core.layout import Block, Layout, make_layout
from interpreter.core.order import SKIPPED, changes_turn_order
from interpreter.core.values import Values
from interpreter.expressions.constants import constant
from interpreter.kernel.passes.pipeline import EVERY_PASS, parse_passes
from interpreter.measure.counting.counting_program import CountingProgram
from interpreter.measure.counting.counts import Counts
from interpreter.measure.counting.sites import sites_of
from interpreter.plan.addresses import Addresses
from interpreter.plan.heuristic import PositionValue
from interpreter.plan.offers import OfferIndex
from interpreter.plan.options import resolve_options, typed_options
from interpreter.plan.plan import HiddenInformation, Plan, Relations, units
from interpreter.plan.start_cells import start_cells
from interpreter.plan.triggers import PlannedAward, PlannedRule
from interpreter.plan.waiting import ImmediateCode
from interpreter.python.python_program import Program
from interpreter.relations.trials import candidates, find_relations
from interpreter.secrecy.conditions import conditions, conjuncts
from interpreter.secrecy.disclosure_analysis import DisclosureAnalysis
from interpreter.secrecy.grades import Secrecy
from interpreter.source.runtime import RUNTIME
from interpreter.source.source import Source
from interpreter.state.turn_loop import GAME, TurnLoopBuilder
from rulebook import model as m
from rulebook import tooling
from rulebook.signatures import effects_within

PLANS = "plans"
"""Key under which a rulebook stores its plans."""

COUNTERS_BY_COPY: WeakKeyDictionary[rb.Rulebook, Counts] = WeakKeyDictionary()
"""Counters of the rulebook copies whose games are counted."""


def counted_copy(book: rb.Rulebook) -> tuple[rb.Rulebook, Counts]:
    """Return a copy of a rulebook whose games count rule use, and the counters.

    The games are the same, but slower, because no passes run (ADR 58).
    """
    copied = attrs.evolve(book)
    COUNTERS_BY_COPY[copied] = Counts(sites_of(book))
    return copied, COUNTERS_BY_COPY[copied]


def plan_for(
    book: rb.Rulebook,
    players: int,
    options: dict[str, Any],
    passes: frozenset[str] = EVERY_PASS,
) -> Plan:
    """Return the plan of a game, from the cache if possible.

    `passes` are the names of the passes to run; they do not change the game.
    """
    passes = frozenset() if book in COUNTERS_BY_COPY else passes
    known: dict[Any, Plan] = book.derived_cache.setdefault(PLANS, {})
    key = (passes, players, *typed_options(options))
    if key not in known:
        settled = complete_options(book, players, options)
        whole = (passes, players, *typed_options(settled))
        if whole not in known:
            known[whole] = make_plan(book, players, settled, passes)
        known[key] = known[whole]
    return known[key]


def complete_options(
    book: rb.Rulebook, players: int, options: dict[str, Any]
) -> dict[str, Any]:
    """Return the values of all options, with defaults for options not given."""
    facts = option_free_facts(book, players)
    resolve_options(facts, options)
    return facts.options


def make_plan(
    book: rb.Rulebook, players: int, options: dict[str, Any], passes: frozenset[str]
) -> Plan:
    """Create the plan of a rulebook for a number of players and options."""
    model, source = book.model, Source()
    source.names.update(RUNTIME | SEARCHES)
    facts = make_facts(book, players, options, source)
    values = Values(model, facts.names)
    names = [GAME, *model.procedures, *model.actions]
    numbers = {name: number for number, name in enumerate(names)}
    actions, disclosure = ActionSpace(model, values, numbers), DisclosureAnalysis(model)
    quiet, counts = ImmediateCode(model), COUNTERS_BY_COPY.get(book)
    writer = Program if counts is None else partial(CountingProgram, counts=counts)
    program = writer(
        source,
        facts,
        parse_passes(passes),
        numbers,
        quiet,
        actions,
        disclosure,
        Addresses(book),
    )
    wakes = {
        rule.procedure: 1 << len(model.awards) + number
        for number, rule in enumerate(model.rules.values())
    }
    turns = TurnLoopBuilder(model, players, facts.layout, numbers, facts.masks)
    awards: list[PlannedAward] = []
    rules: list[PlannedRule] = []
    position_values: list[PositionValue] = []
    program.write_defines()
    program.write_points()
    program.write_hint_values(position_values.append)
    all_units = [turns.unit()]
    for clause in units(model):
        wake = wakes.get(clause.name, 0)
        all_units.append(program.write_unit(clause, len(all_units), wake))
    program.write_tests()
    measures = program.write_measures()
    condition_names = program.write_conditions(conditions(model))
    program.write_triggers(awards, rules, numbers)
    source.compile()
    skipped = facts.definition_functions.get(SKIPPED)
    return Plan(
        book=book,
        players=players,
        facts=facts,
        source=source,
        values=values,
        actions=actions,
        units=all_units,
        awards=awards,
        rules=rules,
        position_value=position_values[0],
        points=source.names["points"],
        visible_points=source.names["visible_points"],
        misses_turn=None
        if skipped is None
        else source.names[program.function_name(SKIPPED)],
        start_cells=tuple(start_cells(facts)),
        closing_step=turns.closing_step,
        teams=teams_of(model, players),
        changes_turn_order=changes_turn_order(model),
        offer_index=OfferIndex(model),
        optimiser=program.shared_optimiser,
        hidden=hidden_information(
            facts, disclosure, [source.names[name] for name in condition_names]
        ),
        write_unit=program.write_unit,
        measures=tuple([source.names[name] for name in measures]),
        find_relations=partial(trial_relations, program),
        lowered_units=program.lowered_units,
    )


# ---------------------------------------------------------------- tables


def make_facts(
    book: rb.Rulebook, players: int, options: dict[str, Any], source: Source
) -> Facts:
    """Create the fixed data of a game: sizes, options, board, layout."""
    facts = option_free_facts(book, players)
    resolve_options(facts, options)
    model, sizes = facts.model, facts.sizes
    board = facts.board
    facts.relations = relation_tables(model, board, sizes)
    if board is not None:
        source.names["trail"] = Trails(board.link_ends)
    counts = {name: constant(facts, p.count) for name, p in model.pieces.items()}
    rooms = {name: max_per_space(facts, piece) for name, piece in model.pieces.items()}
    facts.layout = make_layout(model, sizes, counts, rooms, inspectable_fields(model))
    facts.masks = trigger_masks(model, facts.read_finder)
    return facts


def option_free_facts(book: rb.Rulebook, players: int) -> Facts:
    """Create the fixed data that does not depend on options: players and domains."""
    names = domain_names(book.model, book.seats[:players])
    sizes = {domain: len(members) for domain, members in names.items()}
    layout = Layout((), {}, {}, {})
    return Facts(book.model, book.limits, players, {}, sizes, names, {}, layout)


def relation_tables(
    model: m.Model, board: m.Board | None, sizes: dict[str, int]
) -> dict[str, Any]:
    """Return the tables of the relations between spaces, each with a row for none."""
    graph = None if board is None else make_graph(board)
    tables: dict[str, Any] = {}
    for name, relation in model.relations.items():
        if relation.rows is not None:
            tables[name] = (*relation.rows, ())
        elif graph is not None:
            tables[name] = neighbour_table(graph, relation, sizes[relation.source])
    return tables


def max_per_space(facts: Facts, piece: m.Piece) -> int | None:
    """Return the maximum number of a piece on a space, or None if it is unlimited."""
    if piece.room is None:
        return 1
    most = piece.room.maximum
    return None if most is None else int(constant(facts, most))


def teams_of(model: m.Model, players: int) -> tuple[tuple[int, ...], ...]:
    """Return the seats of each team that are in play."""
    team_column = model.domains["player"].columns.get("team")
    if team_column is None:
        return ()
    by_seat = team_column.values[:players]
    teams = dict.fromkeys(home for home in by_seat if home >= 0)
    return tuple(
        tuple(seat for seat, home in enumerate(by_seat) if home == team)
        for team in teams
    )


def domain_names(model: m.Model, seats: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the names of the members of every domain, given the seats in play."""
    names: dict[str, tuple[str, ...]] = {}
    for name, domain in model.domains.items():
        if domain.sort is m.DomainSort.PLAYER:
            names[name] = seats
        elif domain.each_player:
            names[name] = tuple(
                f"{seat}_{member}" for seat in seats for member in domain.members
            )
        else:
            names[name] = domain.members
    return names


def inspectable_fields(model: m.Model) -> Iterable[str]:
    """Return the keys of the bags that players may look at."""
    keys: dict[str, None] = {}
    for effects in effects_within(*[unit.body for unit in units(model)]):
        for holder in [reveal.holder for reveal in effects.reveals]:
            field = model.fields.get(holder.field) if m.is_field(holder) else None
            if field is not None and isinstance(field.type, m.Bag):
                keys[field.key] = None
    return tuple(keys)


# ---------------------------------------------------------------- secrets


def trial_relations(program: Program, plan: Plan) -> Relations:
    """Return the relations that hidden fields satisfy in trial games of a plan."""
    if not candidates(plan).has_any:
        return Relations()
    copied, counts = counted_copy(plan.book)
    trial = make_plan(copied, plan.players, plan.options, frozenset())
    conditions = (*conjuncts(find_relations(trial, counts)),)
    names = program.write_conditions(conditions)
    plan.source.compile()
    return Relations(conditions, tuple([plan.source.names[name] for name in names]))


def hidden_information(
    facts: Facts,
    disclosure: DisclosureAnalysis,
    invariants: list[Callable[[list[Any], int], bool]],
) -> HiddenInformation:
    """Return which seats may know what, and which fields are hidden."""
    model, secrecy = facts.model, Secrecy(facts.model)
    cards, values = hidden_blocks(facts.layout, model)
    return HiddenInformation(
        grades=(0, *(secrecy.grade(code.body) for code in units(model))),
        trigger_grade=secrecy.trigger_grade(),
        value_grade=secrecy.value_grade(),
        points=hidden_fields_of_points(facts),
        revealing_triggers=disclosure.hidden_triggers(),
        cards=cards,
        values=values,
        public_stacks=public_stacks(facts.layout),
        conditions=conditions(model),
        invariants=tuple(invariants),
    )


def hidden_fields_of_points(facts: Facts) -> frozenset[str]:
    """Return the keys of the hidden fields that points read."""
    parts = facts.read_finder.parts_read(*facts.model.points.lines)
    read = {part.name for part in parts if part.sort is tooling.PartSort.FIELD}
    cards, values = hidden_blocks(facts.layout, facts.model)
    hidden = (*(block for blocks in cards.values() for block in blocks), *values)
    return frozenset(block.field.key for block in hidden if block.field.key in read)


def public_stacks(layout: Layout) -> list[Block]:
    """Return the stacks that all seats see; perhaps only some know their order."""
    return [
        block
        for block in layout.fields.values()
        if block.field.seen_by is m.Audience.ALL
        and isinstance(block.field.type, m.Stack)
    ]


def hidden_blocks(
    layout: Layout, model: m.Model
) -> tuple[dict[str, list[Block]], list[Block]]:
    """Return the hidden fields: those with cards, by domain, and the others."""
    cards: dict[str, list[Block]] = {}
    values: list[Block] = []
    for block in layout.fields.values():
        if block.field.seen_by is m.Audience.ALL or block.field.endless:
            continue
        match block.field.type:
            case m.Bag(domain=domain) | m.Stack(domain=domain):
                cards.setdefault(domain, []).append(block)
            case m.Member(domain=domain) if m.is_card(model.domains, block.field.type):
                cards.setdefault(domain, []).append(block)
            case _:
                values.append(block)
    return cards, values
