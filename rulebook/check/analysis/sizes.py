"""Checks of size limits: memory of a game, and steps of one evaluation.

Both are computed from the declarations, for the maximum number of players. If a game
exceeds a limit, the error is reported at the clause with the largest share. A caller of
`load` may raise the limits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import attrs

from rulebook import model as m
from rulebook.addresses import phase_players_unit, phase_unit
from rulebook.check.analysis.work_bounds import LongCombinations, WorkBounds
from rulebook.check.analysis.work_breakdown import Listing, Need, Share, break_down
from rulebook.check.declare.symbol_table import (
    SymbolTable,
    mistake,
    number_text,
)
from rulebook.check.facts.holder_capacity import CardCapacity
from rulebook.check.facts.piece_supply import piece_cell_count
from rulebook.check.facts.wording import rule_text
from rulebook.model.limits import HOLDER_MAX, NUMBER_MAX
from rulebook.model.value_types import Bag, SetOf, Stack, Type, Whole
from rulebook.queries.calls import (
    POINTS,
    VALUES,
    action_code,
    measure_code,
    whenever_code,
)
from rulebook.queries.fixed_parameters import fixed_parameter_counts
from rulebook.queries.state_parts import StatePart
from rulebook.signatures import effects_within, statements_in
from rulebook.signatures.range_arithmetic import ANY_NUMBER
from rulebook.signatures.statement_signatures import count_outcomes
from rulebook.source.diagnostics import Diagnostic
from rulebook.source.spans import Span

BOUND_HELP = (
    "limit it with `smaller of (…, 100)`, or store it in a field, which has a range"
)


def check_sizes(world: SymbolTable) -> None:
    """Report everything that exceeds the size limits."""
    if world.model is None:
        return
    _check_spaces(world)
    _check_cells(world)
    _check_cards(world)
    work = WorkBounds(world)
    _check_numbers(world, work)
    _check_choices(world, work)
    _check_outcomes(world, work)
    _check_actions(world, work)
    _check_steps(world, work)


# ---------------------------------------------------------------- spaces, cells, cards


def _check_spaces(world: SymbolTable) -> None:
    sizes = {
        name: world.member_count(name)
        for name, domain in world.domains.items()
        if domain.sort.is_place
    }
    if sum(sizes.values()) > world.size_limits.spaces:
        name = max(sizes, key=lambda key: sizes[key])
        raise mistake(
            "RB152",
            world.domains[name].span,
            f"the game has {number_text(sum(sizes.values()))} spaces, but the "
            f"limit is {world.size_limits.spaces:,}; most of them are here",
        )


def _check_cells(world: SymbolTable) -> None:
    """Check the number of values in a position: fields of all owners, and pieces."""
    cells = {
        StatePart.field(key): _cell_count(world, field)
        for key, field in world.fields.items()
    }
    spans = {StatePart.field(key): field.span for key, field in world.fields.items()}
    for name, piece in world.pieces.items():
        cells[StatePart.piece(name)] = piece_cell_count(world, piece)
        spans[StatePart.piece(name)] = piece.span
    total, most = sum(cells.values()), world.size_limits.cells
    if total > most:
        part = max(cells, key=lambda key: cells[key])
        raise mistake(
            "RB152",
            spans[part],
            f"a position has {number_text(total)} values, but the limit is "
            f"{most:,}; most of them are here",
            "store fewer values: replace values that can be computed by definitions",
        )


def _cell_count(world: SymbolTable, field: m.Field) -> int:
    owners = 1 if field.owner is None else world.member_count(field.owner)
    kind: Type = field.type
    if isinstance(kind, Bag | Stack | SetOf) and kind.domain is not None:
        return owners * (1 + world.member_count(kind.domain))
    return owners


def _check_cards(world: SymbolTable) -> None:
    """Check the initial numbers of cards in holders, and the size of stacks."""
    stores = CardCapacity(world)
    for field in world.fields.values():
        if not isinstance(field.type, Bag | Stack) or field.endless:
            continue
        stack = isinstance(field.type, Stack)
        each = stores.initial_cards(field)
        if m.is_constant(field.start) and not stack:
            each = max(field.start.value)
        elif not stack and not field.start_every:
            each //= max(1, world.member_count(field.type.domain))
        here = stores.stack_capacity(field.type.domain) if stack else each
        if max(each, here) > HOLDER_MAX:
            with world.collect_errors():
                what = "cards can be here" if stack else "copies of one card are here"
                raise mistake(
                    "RB152",
                    field.span,
                    f"{number_text(max(each, here))} {what}, but the limit is "
                    f"{HOLDER_MAX:,}",
                )


# ---------------------------------------------------------------- numbers and choices


def _check_numbers(world: SymbolTable, work: WorkBounds) -> None:
    """Report the first number whose range exceeds the limit for numbers."""
    for name, code in work.code.items():
        for node in code.find(m.Arith, m.SumOver, m.LongestTrail, m.Distance):
            bounds = work.numbers.range_of(name, node)
            if bounds.low < -NUMBER_MAX or bounds.high > NUMBER_MAX:
                with world.collect_errors():
                    raise mistake(
                        "RB154",
                        node.span,
                        f"this may exceed {NUMBER_MAX:,}, or has no upper bound",
                        BOUND_HELP,
                    )
                return


def _check_choices(world: SymbolTable, work: WorkBounds) -> None:
    """Report choices that may offer numbers outside the action's declared range."""
    for name, code in work.code.items():
        for node, effects in statements_in(code.parts):
            picks = effects.asks is not None and isinstance(node, m.Binder)
            if picks and node.set.type == SetOf(None):
                _check_choice(world, work, name, node)


def _check_choice(world: SymbolTable, work: WorkBounds, name: str, node: Any) -> None:
    kind = world.actions[node.choice].parameters[0].type
    bounds = work.numbers.member_range(name, node.set)
    assert isinstance(kind, Whole)
    if kind.low <= bounds.low and bounds.high <= kind.high:
        return
    what = "any number" if bounds == ANY_NUMBER else str(bounds)
    with world.collect_errors():
        raise mistake(
            "RB145",
            node.set.span,
            f"these numbers may be {what}, but the choice is declared for {kind}",
            BOUND_HELP,
        )


def _check_outcomes(world: SymbolTable, work: WorkBounds) -> None:
    most = world.size_limits.outcomes
    for code in work.code.values():
        for node, effects in statements_in(code.parts):
            count = count_outcomes(work.model, effects.dice)
            if count > most:
                with world.collect_errors():
                    raise mistake(
                        "RB152",
                        node.span,
                        f"one roll has {number_text(count)} outcomes, but the "
                        f"limit is {most:,}",
                        "roll fewer dice at a time",
                    )


def _check_actions(world: SymbolTable, work: WorkBounds) -> None:
    given = fixed_parameter_counts(work.model)
    counts = {
        name: math.prod(
            work.count_values(parameter.type)
            for parameter in action.parameters[given[name] :]
        )
        for name, action in work.model.actions.items()
    }
    total = sum(counts.values()) + 1
    if total > world.size_limits.actions:
        name = max(counts, key=lambda key: counts[key])
        raise mistake(
            "RB152",
            work.model.actions[name].span,
            f"the game has {number_text(total)} actions, but the limit is "
            f"{world.size_limits.actions:,}; `{name}` alone has "
            f"{number_text(counts[name])}",
            "split the choice: choose one thing, and let the action ask for the next",
        )


# ---------------------------------------------------------------- evaluations


@attrs.frozen
class Evaluation:
    """Computation without interruption, with an upper bound on its steps.

    `shares` are its parts, to find the expensive lines.
    """

    description: str
    span: Span
    steps: int
    shares: tuple[Share, ...] = ()


def _check_steps(world: SymbolTable, work: WorkBounds) -> None:
    """Report evaluations that may take too many steps, and warn of slow ones."""
    most = world.size_limits.steps
    reported_spans: set[Span] = set()
    for trail, steps in work.long_trails.values():
        what, help_ = "a search for the longest trail", _trail_help(world, trail)
        _warn_of_search(world, trail.span, what, steps, help_)
    for long in work.long_combinations.values():
        what = f"a search for combinations of up to {long.cards:,} cards"
        help_ = _combinations_help(world, long)
        _warn_of_search(world, long.node.holder.span, what, long.steps, help_)
    for evaluation in evaluations(world, work):
        steps, span = evaluation.steps, evaluation.span
        if steps <= world.size_limits.quick_steps or span in reported_spans:
            continue
        reported_spans.add(span)
        parts = break_down(world, work, evaluation.shares)
        what = f"{evaluation.description} may take {number_text(steps)} steps"
        if steps <= most:
            message = f"{what} in the worst case, which would be slow"
            _warn(world, span, message, parts.help, parts.related)
            continue
        with world.collect_errors():
            message = f"{what}, but the limit is {most:,}"
            raise mistake("RB152", span, message, parts.help, parts.related)


def _warn_of_search(
    world: SymbolTable, span: Span, what: str, steps: int, help_: str
) -> None:
    """Warn of a search that fails in play if it exceeds the limit (ADR 95)."""
    message = (
        f"{what} may take {number_text(steps)} steps; it fails in play if it exceeds "
        f"the limit of {world.size_limits.quick_steps:,}"
    )
    _warn(world, span, message, help_)


def _warn(
    world: SymbolTable,
    span: Span,
    message: str,
    help_: str | None,
    related: tuple[tuple[Span, str], ...] = (),
) -> None:
    warning = Diagnostic("RB158", message, span, help_, related, "warning")
    world.diagnostics.append(warning)


def _combinations_help(world: SymbolTable, long: LongCombinations) -> str:
    """Return the help line for a search for combinations of too many cards."""
    holder = rule_text(world, long.node.holder) or "the holder"
    return (
        f"start the condition with a bound, such as `where number of cards in {holder} "
        "<= 6 and …`, or name a size, such as `combination of 3 cards`"
    )


def _trail_help(world: SymbolTable, trail: m.LongestTrail) -> str:
    """Return the help line for a longest-trail search over too many links."""
    assert isinstance(trail.links.type, SetOf)
    link = trail.links.type.domain
    for piece in world.pieces.values():
        if piece.owner is not None and link in piece.stands_on:
            links = f"every {link} in {piece.owner}'s {piece.plural} where …"
            return f"search fewer links, such as `({links})`"
    return "search fewer links"


def evaluations(world: SymbolTable, work: WorkBounds) -> Iterator[Evaluation]:
    """Yield all evaluations that run uninterrupted, such as lists of legal actions."""
    model = work.model
    given = fixed_parameter_counts(model)
    for name, action in model.actions.items():
        code, listing = action_code(name), Listing(action, given[name])
        steps = work.listing_steps(action, given[name])
        shares: tuple[Share, ...] = (Share(code, listing, steps),)
        yield Evaluation(f"`{name}`", action.span, steps, shares)
        shares = tuple(
            Share(code, node, work.steps(code, node)) for node in action.body
        )
        body = work.total_steps(code, action.body)
        yield Evaluation(f"`{name}`", action.span, body, shares)
    for name, procedure in model.procedures.items():
        yield _code_evaluation(work, f"`{name}`", name, procedure.span)
    players = world.players[1]
    for word, name, table in (
        ("the points of all players", POINTS, model.points),
        ("the values of all players", VALUES, model.values),
    ):
        yield _code_evaluation(work, word, name, table.span, players)
    for name, measure in model.measures.items():
        code = measure_code(name)
        yield _code_evaluation(work, f"`{code}`", code, measure.span, players)
    yield from _trigger_evaluations(world, work)
    tests = [("scenario", n, x.title, x.span) for n, x in enumerate(model.scenarios)]
    tests += [("invariant", n, x.title, x.span) for n, x in enumerate(model.invariants)]
    for kind, number, title, span in tests:
        name = f"{kind} {number}"
        yield _code_evaluation(work, f"the {kind} `{title}`", name, span)
    yield from _turn_evaluations(work)


def _code_evaluation(
    work: WorkBounds, description: str, name: str, span: Span, times: int = 1
) -> Evaluation:
    """Return the evaluation of a piece of code, *times* in a row."""
    return Evaluation(
        description, span, times * work.total[name], (_share(work, name),)
    )


def _share(work: WorkBounds, name: str) -> Share:
    return Share(name, work.code[name], work.total[name])


def _trigger_evaluations(world: SymbolTable, work: WorkBounds) -> Iterator[Evaluation]:
    """Yield the evaluation of each trigger (rule or award), and of all together."""
    model, players = work.model, world.players[1]
    watches = [
        _code_evaluation(
            work, f"the award `{name}`", f"most of {name}", award.span, players
        )
        for name, award in model.awards.items()
    ]
    for name, rule in model.rules.items():
        code = whenever_code(name)
        size = 1 if rule.set is None else work.numbers.max_size(code, rule.set)
        each = work.steps(code, rule.condition)
        steps = work.steps(code, rule.set) + size * (1 + each)
        share = Share(
            code, Need(rule.condition, "all members of the rule"), size * each
        )
        watches.append(Evaluation(f"the rule `{name}`", rule.span, steps, (share,)))
    yield from watches
    if watches:
        longest = max(watches, key=lambda evaluation: evaluation.steps)
        together = sum(evaluation.steps for evaluation in watches)
        yield attrs.evolve(
            longest, description="all rules and awards together", steps=together
        )


def _turn_evaluations(work: WorkBounds) -> Iterator[Evaluation]:
    """Yield the evaluation of one turn, and of all turns if no seat ever decides."""
    model = work.model
    units = [(phase_players_unit(name), phase_unit(name)) for name in model.phases]
    names = (next(filter(work.code.__contains__, pair), None) for pair in units)
    phases = [work.code[name] for name in names if name is not None]
    if not phases:
        return
    total = sum(1 + work.total[phase.name] for phase in phases)
    span = max(phases, key=lambda phase: work.total[phase.name]).span
    shares = tuple(_share(work, phase.name) for phase in phases)
    yield Evaluation("a turn", span, total, shares)
    code = (model.procedures, model.awards, model.rules)
    if not any(effects.asks is not None for effects in effects_within(code)):
        turns = f"{model.turns:,} turns without any decision"
        yield Evaluation(turns, span, model.turns * (1 + total), shares)
