"""Translation of statements from syntax to model; `check_block` is the entry point.

An error in one line is collected, and checking continues with the next line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import attrs

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.bodies.actions import (
    check_offer,
    choice_name,
    declare_inline_action,
    declare_until_action,
)
from rulebook.check.bodies.assignments import ASSIGNMENTS
from rulebook.check.bodies.endings import ENDING_CHECKS
from rulebook.check.bodies.if_checks import check_if
from rulebook.check.bodies.move_checks import MOVE_CHECKS
from rulebook.check.bodies.turn_order import TURN_ORDER_CHECKS
from rulebook.check.declare.scope import Unit, UnitSort
from rulebook.check.declare.symbol_table import (
    PLAYER,
    Mistake,
    SymbolTable,
    mistake,
    unknown_name_error,
)
from rulebook.check.typing.assignability import describe_type, kind_as_member_help
from rulebook.check.typing.binders import (
    bind,
    bind_within,
    matching_members,
    member_count,
    visited_members,
)
from rulebook.check.typing.expression_checks import (
    check_arguments,
    check_condition,
    check_expr,
    check_number,
    check_player,
)
from rulebook.model.value_types import NONE, Bag, Member, Stack, Truth, Whole
from rulebook.signatures import Ending, statements_in
from rulebook.source.spans import Span
from rulebook.traversal import walk

Block = tuple[m.Stmt, ...]


def check_block(unit: Unit, body: tuple[Any, ...]) -> Block:
    """Check a block; names declared in it go out of scope at its end."""
    statements: list[m.Stmt] = []
    with unit.block():
        for node in body:
            with collect_error(unit, node):
                statements.extend(check_statement(unit, node))
    return tuple(statements)


@contextmanager
def collect_error(unit: Unit, node: Any) -> Iterator[None]:
    """Collect the error in a line and mark the names that it declares as broken.

    Broken names are variables, labels, and actions that choices declare. Later uses of
    these names are not reported as unknown.
    """
    try:
        yield
    except Mistake:
        names = _variables(node)
        unit.broken.update(names)
        with unit.world.collect_errors(*names, *_shared_names(node)):
            raise


def _variables(node: Any) -> list[str]:
    match node:
        case s.Let(name=name) | s.LetTally(name=name) | s.LetBag(name=name):
            return [name.text]
        case s.GatherStatement(name=name):
            return [name.text]
        case s.ChooseStatement(binder=binder) | s.ChanceChooses(binder=binder):
            return [(binder.name or binder.kind).text]
    return []


def _shared_names(node: Any) -> Iterator[str]:
    for inner in walk(node):
        match inner:
            case s.Pays():
                yield "pays"
            case s.Needs(label=label):
                yield label.text
            case s.ChooseStatement(binder=binder) | s.MayChoose(binder=binder):
                yield choice_name((binder.name or binder.kind).text)
            case s.GatherStatement(name=name) | s.Menu(until=name):
                yield name.text


def check_statement(unit: Unit, node: Any) -> list[m.Stmt]:
    """Return the model statements for one syntax statement."""
    check = STATEMENTS.get(type(node))
    if check is None:
        raise mistake(
            "RB130",
            node.span,
            "this is only allowed in scenarios",
            "put it directly under `given`, `when` or `then`",
        )
    return check(unit, node)


# ---------------------------------------------------------------- chance


def _roll(unit: Unit, node: s.Roll) -> list[m.Stmt]:
    dice = unit.world.dice
    for name in node.dice:
        if name.text not in dice:
            raise unknown_name_error("die", name, dice)
    condition = None if node.so_that is None else check_condition(unit, node.so_that)
    return [
        m.RollDice(
            event=unit.event_name,
            fields=tuple(name.text for name in node.dice),
            condition=condition,
            span=node.span,
        )
    ]


def _chance_chooses(unit: Unit, node: s.ChanceChooses) -> list[m.Stmt]:
    bound = bind(unit, node.binder)
    return [
        m.ChanceChoose(
            event=unit.event_name,
            slot=bound.slot,
            name=bound.name,
            set=matching_members(bound),
            span=node.span,
        )
    ]


def _spreads(unit: Unit, node: s.Spreads) -> list[m.Stmt]:
    world = unit.world
    if not isinstance(node.cards, s.NameRef):
        raise mistake("RB134", node.cards.span, "expected the name of a kind of card")
    cards = world.domain_named(node.cards.name)
    if cards.sort is not m.DomainSort.CARDS:
        raise mistake(
            "RB134",
            node.cards.span,
            f"`{cards.name}` is not a kind of card",
            "only the cards of a clause `cards` can be spread",
        )
    bound = bind_within(unit, node.binder)
    assert isinstance(bound.type, Member)
    key = f"{bound.type.domain}.{node.field.text}"
    if key not in world.fields:
        names = [f.name for f in world.fields.values() if f.owner == bound.type.domain]
        raise unknown_name_error("field to deal", node.field, names)
    column = node.field.text if node.field.text in cards.columns else None
    _require_fits_field(world, world.fields[key], cards, column, node)
    condition = None if node.so_that is None else check_condition(unit, node.so_that)
    return [
        m.Spread(
            event=unit.event_name,
            cards=cards.name,
            set=matching_members(bound),
            field=key,
            column=column,
            condition=condition,
            span=node.span,
        )
    ]


def _require_fits_field(
    world: SymbolTable,
    field: m.Field,
    cards: m.Domain,
    column: str | None,
    node: s.Spreads,
) -> None:
    """Raise `Mistake` unless *field* can store all dealt cards, or their *column*."""
    dealt = Member(cards.name) if column is None else cards.columns[column].type
    kind = field.type
    if isinstance(kind, Stack):
        good, dealt = column is None and kind.domain == cards.name, Member(cards.name)
    elif isinstance(kind, Whole) and isinstance(dealt, Whole):
        good = kind.low <= dealt.low and dealt.high <= kind.high
    elif isinstance(kind, Member) and isinstance(dealt, Member):
        good = kind.domain == dealt.domain and kind.optional >= dealt.optional
    else:
        good = kind == dealt and not isinstance(kind, Bag)
    if not good:
        what = f"`{column}` of a {cards.name}" if column else f"a {cards.name}"
        numbers = isinstance(kind, Whole) and isinstance(dealt, Whole)
        empty = numbers and getattr(dealt, "low", 0) == NONE
        held = f"{dealt} ({NONE} means none)" if empty else str(dealt)
        raise mistake(
            "RB145" if numbers else "RB110",
            node.field.span,
            f"{what} is {held}, but `{field.name}` holds {kind}",
            "declare a wider range for the field, or deal a column that fits",
            ((field.span, "declared here"),),
        )


# ---------------------------------------------------------------- decisions


def _choose(unit: Unit, node: s.ChooseStatement) -> list[m.Stmt]:
    who = check_player(unit, node.player)
    bound = bind(unit, node.binder)
    name = declare_inline_action(unit, choice_name(bound.name), bound, node.span)
    several, span = node.if_several, node.span
    return [
        bound.make_node(
            m.Choose, player=who, choice=name, if_several=several, span=span
        )
    ]


def _may_choose(unit: Unit, node: s.MayChoose) -> list[m.Stmt]:
    who = check_player(unit, node.player)
    with unit.block():
        bound = bind(unit, node.binder)
        name = declare_inline_action(unit, choice_name(bound.name), bound, node.span)
        body = check_block(unit, node.body)
    return [
        bound.make_node(
            m.Choose,
            player=who,
            choice=name,
            optional=True,
            body=body,
            otherwise=check_block(unit, node.otherwise),
            span=node.span,
        )
    ]


def _gather(unit: Unit, node: s.GatherStatement) -> list[m.Stmt]:
    who = check_player(unit, node.player)
    low, high = check_number(unit, node.low), check_number(unit, node.high)
    bound = bind_within(unit, node.binder)
    if not isinstance(bound.type, Member):
        raise mistake("RB120", node.binder.span, "`gathers` picks cards, not numbers")
    source = bound.set.holder if isinstance(bound.set, m.KindsIn) else None
    name = declare_inline_action(unit, node.name.text, bound, node.span)
    bag = unit.declare(node.name.text, Bag(bound.type.domain))
    return [
        bound.make_node(
            m.Gather,
            player=who,
            choice=name,
            low=low,
            high=high,
            source=source,
            bag=bag,
            span=node.span,
        )
    ]


def _do(unit: Unit, node: s.Do) -> list[m.Stmt]:
    who = check_player(unit, node.player)
    offers = tuple(check_offer(unit, call) for call in node.calls)
    return [m.Ask(player=who, offers=offers, span=node.span)]


def _may_do(unit: Unit, node: s.MayDo) -> list[m.Stmt]:
    who = check_player(unit, node.player)
    offers = tuple(check_offer(unit, call) for call in node.calls)
    ask = m.Ask(
        player=who,
        offers=offers,
        optional=True,
        body=check_block(unit, node.body),
        otherwise=check_block(unit, node.otherwise),
        span=node.span,
    )
    if node.times is None:
        return [ask]
    if node.otherwise:
        raise mistake(
            "RB130",
            node.otherwise[0].span,
            "a choice that may be repeated cannot have an `otherwise`",
            "the player may have chosen before stopping: test the result with"
            " an `if` instead",
        )
    return _limited_ask(unit, ask, node.times)


def _limited_ask(unit: Unit, ask: m.Ask, max_times: s.Expr) -> list[m.Stmt]:
    """Return a loop that offers a choice up to *max_times* times.

    The loop ends early if the seat passes.
    """
    times, slot = check_number(unit, max_times), unit.new_unnamed_slot("again")

    def set_flag(again: bool) -> m.SetLocal:
        value = m.truth(again, ask.span)
        return m.SetLocal(slot=slot, name="again", value=value, span=ask.span)

    no_more = m.negation(m.variable(slot, "again", Truth(), ask.span))
    body = (attrs.evolve(ask, otherwise=(set_flag(again=False),)),)
    loop = m.Repeat(times=times, body=body, until=no_more, span=ask.span)
    return [set_flag(again=True), loop]


def _menu(unit: Unit, node: s.Menu) -> list[m.Stmt]:
    who = check_player(unit, node.player)
    until = declare_until_action(unit, node.until)
    offers = tuple(check_offer(unit, call) for call in node.calls)
    return [m.Ask(player=who, offers=offers, until=until, span=node.span)]


# ---------------------------------------------------------------- control


def _perform(unit: Unit, node: s.Perform) -> list[m.Stmt]:
    world = unit.world
    if node.name.text not in world.procedure_parameters:
        if node.name.text in world.action_signatures:
            raise mistake(
                "RB135",
                node.name.span,
                f"`{node.name.text}` is an action, so a player must do it",
                f"write `you do {node.name.text}` or `you may do {node.name.text}`",
            )
        raise unknown_name_error("procedure", node.name, world.procedure_parameters)
    return [_procedure_call(unit, node.name, node.arguments, None, node.span)]


def _procedure_call(
    unit: Unit,
    name: s.Name,
    given: tuple[s.Expr, ...],
    player: m.Expr | None,
    span: Span,
) -> m.CallProcedure:
    """Return the call of a declared procedure, in which `you` means *player*."""
    wanted = unit.world.procedure_parameters[name.text]
    arguments = check_arguments(unit, wanted, given, name)
    return m.CallProcedure(
        procedure=name.text, arguments=arguments, player=player, span=span
    )


def _carry_out(unit: Unit, node: s.CarryOutStatement) -> list[m.Stmt]:
    player = None if node.player is None else check_player(unit, node.player)
    if isinstance(node.card, s.NameRef | s.Apply):
        name = node.card.name
        is_procedure = name.text in unit.world.procedure_parameters
        if is_procedure and name.text not in unit.names:
            given = node.card.arguments if isinstance(node.card, s.Apply) else ()
            return [_procedure_call(unit, name, given, player, node.span)]
    card = check_expr(unit, node.card)
    if not isinstance(card.type, Member):
        raise mistake("RB110", card.span, "expected a card or a procedure")
    return [m.CarryOut(card=card, player=player, span=node.span)]


def _step(unit: Unit, node: s.StepStatement) -> list[m.Stmt]:
    unit.steps.append(node.name.text)
    try:
        body: list[m.Stmt] = []
        for inner in node.body:
            with collect_error(unit, inner):
                body.extend(check_statement(unit, inner))
    finally:
        unit.steps.pop()
    return [m.LabelledBlock(label=node.name.text, body=tuple(body), span=node.span)]


def _if(unit: Unit, node: s.IfStatement) -> list[m.Stmt]:
    return check_if(unit, node, check_block)


def _each(unit: Unit, node: s.EachStatement) -> list[m.Stmt]:
    if node.most_rounds is not None:
        return [_each_until_one_is_left(unit, node, node.most_rounds)]
    return [_visit_each(unit, node)]


def _visit_each(unit: Unit, node: s.EachStatement) -> m.EachMember:
    """Return a loop that visits each member once."""
    with unit.block():
        bound = bind(unit, node.binder, in_turn=True)
        body = check_block(unit, node.body)
    return visited_members(bound).make_node(
        m.EachMember, body=body, still=node.binder.still, span=node.span
    )


def _each_until_one_is_left(
    unit: Unit, node: s.EachStatement, most_rounds: s.Expr
) -> m.Stmt:
    """Return a loop that goes round members until only one still meets the condition.

    It stops in the middle of a round, as a round visits nobody once one is left.
    """
    if not node.binder.still:
        raise mistake(
            "RB130",
            node.binder.span,
            "members leave this loop only if a condition becomes false",
            "write `where still CONDITION` before `, until one is left`",
        )
    times = check_number(unit, most_rounds)

    def members_left() -> m.Expr:
        with unit.block():
            bound = bind(unit, node.binder, in_turn=True)
        return member_count(unit, visited_members(bound), node.binder.span)

    before_round, before_visit = members_left(), members_left()
    visit = _visit_each(unit, attrs.evolve(node, most_rounds=None))
    return m.visits_until_one_is_left(visit, (before_round, before_visit), times)


def _together(unit: Unit, node: s.TogetherStatement) -> list[m.Stmt]:
    with unit.block():
        bound = bind(unit, node.binder)
        if bound.type != Member(PLAYER):
            raise mistake(
                "RB136", node.binder.span, "only players can act at the same time"
            )
        body = check_block(unit, node.body)
    for stop, effects in statements_in(body):
        if effects.ends is not Ending.UNIT or effects.may_wait:
            continue
        raise mistake(
            "RB130",
            stop.span,
            "`stop` would also end the parts of the other players",
            "move each player's part into a procedure, so that `stop` ends only "
            "that part",
            ((node.span, "at the same time"),),
        )
    return [bound.make_node(m.Together, body=body, span=node.span)]


def _repeat(unit: Unit, node: s.RepeatStatement) -> list[m.Stmt]:
    times = check_number(unit, node.times)
    until = None if node.until is None else check_condition(unit, node.until)
    body = check_block(unit, node.body)
    return [m.Repeat(times=times, body=body, until=until, span=node.span)]


def _starts(unit: Unit, node: s.StartsStatement) -> list[m.Stmt]:
    if isinstance(node.player, s.NameRef) and node.player.name.text == "first_seat":
        first = m.constant(0, Member(PLAYER), node.player.span)
        return [m.Starts(player=first, span=node.span)]
    return [m.Starts(player=check_player(unit, node.player), span=node.span)]


def _announce(unit: Unit, node: s.AnnounceStatement) -> list[m.Stmt]:
    if unit.sort is UnitSort.TEST:
        raise mistake(
            "RB130",
            node.span,
            "`announce` is not allowed in tests",
            "tests read the game, not its log",
        )
    values = {gap.text: _announced_value(unit, gap) for gap in node.gaps}
    return [
        m.Announce(
            text=node.text,
            names=tuple(values),
            values=tuple(values.values()),
            span=node.span,
        )
    ]


def _announced_value(unit: Unit, gap: s.Name) -> m.Expr:
    """Return the value of a name in braces; raise `Mistake` if it has no text form."""
    named = s.You(span=gap.span) if gap.text == "you" else s.NameRef(gap, span=gap.span)
    value = check_expr(unit, named)
    match value.type:
        case Member() | Whole(optional=False):
            return value
        case Bag() | Stack():
            cure = (
                f"name a number above it: `let count be number of cards in {gap.text}`"
            )
        case _:
            cure = kind_as_member_help(value) or ""
    message = f"expected a number or a member, but this is {describe_type(value.type)}"
    raise mistake("RB110", gap.span, message, cure or None)


def _stop(unit: Unit, node: s.StopStatement) -> list[m.Stmt]:
    return [m.StopUnit(span=node.span)]


def _require(unit: Unit, node: s.RequireStatement) -> list[m.Stmt]:
    if unit.sort is not UnitSort.TEST:
        raise mistake("RB130", node.span, "`require` is only allowed in tests")
    return [m.Require(condition=check_condition(unit, node.condition), span=node.span)]


STATEMENTS: dict[type[Any], Callable[[Unit, Any], list[m.Stmt]]] = {
    s.Roll: _roll,
    s.ChanceChooses: _chance_chooses,
    s.Spreads: _spreads,
    s.ChooseStatement: _choose,
    s.MayChoose: _may_choose,
    s.GatherStatement: _gather,
    s.Do: _do,
    s.MayDo: _may_do,
    s.Menu: _menu,
    s.Perform: _perform,
    s.CarryOutStatement: _carry_out,
    s.StepStatement: _step,
    s.IfStatement: _if,
    s.EachStatement: _each,
    s.TogetherStatement: _together,
    s.RepeatStatement: _repeat,
    s.StartsStatement: _starts,
    s.AnnounceStatement: _announce,
    s.StopStatement: _stop,
    s.RequireStatement: _require,
    **ASSIGNMENTS,
    **ENDING_CHECKS,
    **TURN_ORDER_CHECKS,
    **MOVE_CHECKS,
}
