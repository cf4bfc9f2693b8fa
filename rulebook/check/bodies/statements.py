"""Statements: from syntax to model. `check_block` is the entry; a mistake in one
line is collected and the next line is checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import attrs

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.bodies.actions import (
    choice_name,
    offer,
    register_inline,
    until_action,
)
from rulebook.check.bodies.endings import ENDINGS
from rulebook.check.bodies.ifs import check_if
from rulebook.check.bodies.moves import HANDLING
from rulebook.check.bodies.predicates import check_holder
from rulebook.check.bodies.turn_order import ORDER
from rulebook.check.declare.scope import Unit
from rulebook.check.declare.symbols import PLAYER, Mistake, World, mistake, unknown
from rulebook.check.typing.arithmetic import capped
from rulebook.check.typing.binders import bind, filtered
from rulebook.check.typing.expressions import (
    check_arguments,
    check_expr,
    check_player,
    check_truth,
    check_whole,
    expect_type,
    tally_indices,
)
from rulebook.model.types import Bag, Member, Stack, Tally, Truth, Whole
from rulebook.walk import find, walk

Block = tuple[m.Stmt, ...]


def check_block(unit: Unit, body: tuple[Any, ...]) -> Block:
    """Return the statements of a block; names declared inside end with it."""
    found: list[m.Stmt] = []
    with unit.block():
        for node in body:
            with keeping(unit, node):
                found.extend(check_statement(unit, node))
    return tuple(found)


@contextmanager
def keeping(unit: Unit, node: Any) -> Iterator[None]:
    """Keep a mistake in a line; that what it declares is unknown is then no news.

    The lines below it use its variables; others name its label, and the actions that
    the choices in it make.
    """
    try:
        yield
    except Mistake:
        names = _variables(node)
        unit.broken.update(names)
        with unit.world.collecting(*names, *_named_by_others(node)):
            raise


def _variables(node: Any) -> list[str]:
    match node:
        case s.Let(name=name) | s.LetTally(name=name) | s.LetBag(name=name):
            return [name.text]
        case s.Gather(name=name):
            return [name.text]
        case s.Choose(binder=binder) | s.ChanceChooses(binder=binder):
            return [(binder.name or binder.kind).text]
    return []


def _named_by_others(node: Any) -> Iterator[str]:
    for one in walk(node):
        match one:
            case s.Pays():
                yield "pays"
            case s.Needs(label=label):
                yield label.text
            case s.Choose(binder=binder) | s.MayChoose(binder=binder):
                yield choice_name((binder.name or binder.kind).text)
            case s.Gather(name=name) | s.Menu(until=name):
                yield name.text


def check_statement(unit: Unit, node: Any) -> list[m.Stmt]:
    """Return what one statement means."""
    check = STATEMENTS.get(type(node))
    if check is None:
        raise mistake(
            "RB130",
            node.span,
            "this stands only in scenarios",
            "put it directly under `given`, `when` or `then`",
        )
    return check(unit, node)


# ---------------------------------------------------------------- variables and fields


def _let(unit: Unit, node: s.Let) -> list[m.Stmt]:
    if isinstance(node.value, s.TopCardOf):
        stack = check_holder(unit, node.value.stack)
        assert isinstance(stack.type, Stack)
        slot = unit.declare(node.name.text, Member(stack.type.domain, optional=True))
        name = node.name.text
        return [
            m.Reveal(
                event=unit.event, stack=stack, slot=slot, name=name, span=node.span
            )
        ]
    find = Member("") if isinstance(node.value, s.Some) else None
    value = check_expr(unit, node.value, find)
    type_ = Whole(-10_000, 10_000) if isinstance(value.type, Whole) else value.type
    slot = unit.declare(node.name.text, type_)
    return [m.SetLocal(slot=slot, name=node.name.text, value=value, span=node.span)]


def _let_tally(unit: Unit, node: s.LetTally) -> list[m.Stmt]:
    domains = tuple(unit.world.domain_named(kind).name for kind in node.kinds)
    slot = unit.declare(node.name.text, Tally(domains))
    return [
        m.SetTally(
            slot=slot,
            name=node.name.text,
            domains=domains,
            indices=(),
            value=None,
            span=node.span,
        )
    ]


def _let_bag(unit: Unit, node: s.LetBag) -> list[m.Stmt]:
    domain = unit.world.domain_named(node.kind)
    slot = unit.declare(node.name.text, Bag(domain.name))
    empty = m.Const(
        value=(0,) * len(domain.members), type=Bag(domain.name), span=node.span
    )
    return [m.SetLocal(slot=slot, name=node.name.text, value=empty, span=node.span)]


def _set(unit: Unit, node: s.SetTo) -> list[m.Stmt]:
    return [_assign(unit, node.target, node.value, None)]


def _change(unit: Unit, node: s.Change) -> list[m.Stmt]:
    op = "+" if node.increase else "-"
    changed = _assign(unit, node.target, node.value, op)
    return [capped(changed, node) if node.up_to else changed]


def _assign(unit: Unit, target: s.Expr, value: s.Expr, op: str | None) -> m.Stmt:
    """Write to a variable, a tally's number or a field; with `op`, change it."""
    if isinstance(target, s.Apply) and target.name.text in unit.names:
        return _assign_tally(unit, target, value, op)
    place = check_expr(unit, target)
    if not isinstance(place, m.Local | m.FieldValue) or (
        isinstance(place, m.Local) and place.slot == m.YOU
    ):
        raise mistake(
            "RB131",
            place.span,
            "only fields and variables can be given a new value",
            "what changes in a game is a field: declare it below `game has`",
        )
    if op is not None:
        right = check_whole(unit, value)
        expect_type(place, Whole(0, 0))
        new: m.Expr = m.Arith(
            op=op, left=place, right=right, type=place.type, span=value.span
        )
    else:
        new = expect_type(check_expr(unit, value, place.type), place.type)
        _not_none(new, place)
    span = target.span.to(value.span)
    if isinstance(place, m.Local):
        return m.SetLocal(slot=place.slot, name=place.name, value=new, span=span)
    return m.SetField(field=place.field, owner=place.owner, value=new, span=span)


def _not_none(value: m.Expr, place: m.Expr) -> None:
    if not (isinstance(value.type, Member) and isinstance(place.type, Member)):
        return
    if value.type.optional and not place.type.optional:
        raise mistake(
            "RB132",
            value.span,
            "this may be none, but the field always has a value",
            f"declare the field as `{place.type.domain} or none`",
        )


def _assign_tally(unit: Unit, target: s.Apply, value: s.Expr, op: str | None) -> m.Stmt:
    slot, type_ = unit.names[target.name.text]
    if not isinstance(type_, Tally):
        raise mistake("RB131", target.span, "this is not a tally")
    indices = tally_indices(unit, type_, target)
    new = check_whole(unit, value)
    if op is not None:
        old = m.TallyValue(
            slot=slot, indices=indices, type=Whole(0, 10_000), span=target.span
        )
        new = m.Arith(op=op, left=old, right=new, type=Whole(0, 10_000), span=new.span)
    return m.SetTally(
        slot=slot,
        name=target.name.text,
        domains=type_.domains,
        indices=indices,
        value=new,
        span=target.span.to(value.span),
    )


def _forget(unit: Unit, node: s.Forget) -> list[m.Stmt]:
    place = check_expr(unit, node.target)
    if not isinstance(place, m.FieldValue) or not isinstance(place.type, Bag):
        raise mistake("RB131", place.span, "only a field that is a bag is forgotten")
    size = len(unit.world.domains[place.type.domain].members)
    empty = m.Const(value=(0,) * size, type=place.type, span=node.span)
    return [
        m.SetField(field=place.field, owner=place.owner, value=empty, span=node.span)
    ]


# ---------------------------------------------------------------- chance


def _roll(unit: Unit, node: s.Roll) -> list[m.Stmt]:
    dice = unit.world.dice
    for name in node.dice:
        if name.text not in dice:
            raise unknown("die", name, dice)
    condition = None if node.so_that is None else check_truth(unit, node.so_that)
    return [
        m.RollDice(
            event=unit.event,
            fields=tuple(name.text for name in node.dice),
            condition=condition,
            span=node.span,
        )
    ]


def _chance_chooses(unit: Unit, node: s.ChanceChooses) -> list[m.Stmt]:
    bound = bind(unit, node.binder)
    return [
        m.ChanceChoose(
            event=unit.event,
            slot=bound.slot,
            name=bound.name,
            set=filtered(bound),
            span=node.span,
        )
    ]


def _spreads(unit: Unit, node: s.Spreads) -> list[m.Stmt]:
    world = unit.world
    if not isinstance(node.cards, s.NameRef):
        raise mistake("RB134", node.cards.span, "expected the name of a kind of card")
    cards = world.domain_named(node.cards.name)
    if cards.sort != "cards":
        raise mistake("RB134", node.cards.span, f"`{cards.name}` are no cards")
    with unit.block():
        bound = bind(unit, node.binder)
    assert isinstance(bound.type, Member)
    key = f"{bound.type.domain}.{node.field.text}"
    if key not in world.fields:
        names = [f.name for f in world.fields.values() if f.owner == bound.type.domain]
        raise unknown("field to deal", node.field, names)
    column = node.field.text if node.field.text in cards.columns else None
    _can_hold(world, world.fields[key], cards, column, node)
    condition = None if node.so_that is None else check_truth(unit, node.so_that)
    return [
        m.Spread(
            event=unit.event,
            cards=cards.name,
            set=filtered(bound),
            field=key,
            column=column,
            condition=condition,
            span=node.span,
        )
    ]


def _can_hold(
    world: World, field: m.Field, cards: m.Domain, column: str | None, node: s.Spreads
) -> None:
    """See that every card, or its attribute, is a value of the field."""
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
        raise mistake(
            "RB145" if numbers else "RB110",
            node.field.span,
            f"{what} is {dealt}, but `{field.name}` holds {kind}",
            "declare the field wider, or deal a column that fits",
            ((field.span, "declared here"),),
        )


# ---------------------------------------------------------------- decisions


def _choose(unit: Unit, node: s.Choose) -> list[m.Stmt]:
    who = check_player(unit, node.who)
    bound = bind(unit, node.binder)
    name = register_inline(unit, choice_name(bound.name), bound, node.span)
    return [
        m.Choose(
            who=who,
            choice=name,
            slot=bound.slot,
            name=bound.name,
            set=bound.set,
            where=bound.where,
            if_several=node.if_several,
            span=node.span,
        )
    ]


def _may_choose(unit: Unit, node: s.MayChoose) -> list[m.Stmt]:
    who = check_player(unit, node.who)
    with unit.block():
        bound = bind(unit, node.binder)
        name = register_inline(unit, choice_name(bound.name), bound, node.span)
        body = check_block(unit, node.body)
    return [
        m.Choose(
            who=who,
            choice=name,
            slot=bound.slot,
            name=bound.name,
            set=bound.set,
            where=bound.where,
            optional=True,
            body=body,
            otherwise=check_block(unit, node.otherwise),
            span=node.span,
        )
    ]


def _gather(unit: Unit, node: s.Gather) -> list[m.Stmt]:
    who = check_player(unit, node.who)
    low, high = check_whole(unit, node.low), check_whole(unit, node.high)
    with unit.block():
        bound = bind(unit, node.binder)
    if not isinstance(bound.type, Member):
        raise mistake("RB120", node.binder.span, "cards are gathered, not numbers")
    source = bound.set.holder if isinstance(bound.set, m.KindsIn) else None
    name = register_inline(unit, node.name.text, bound, node.span)
    bag = unit.declare(node.name.text, Bag(bound.type.domain))
    return [
        m.Gather(
            who=who,
            choice=name,
            low=low,
            high=high,
            slot=bound.slot,
            name=bound.name,
            set=bound.set,
            where=bound.where,
            source=source,
            bag=bag,
            span=node.span,
        )
    ]


def _do(unit: Unit, node: s.Do) -> list[m.Stmt]:
    who = check_player(unit, node.who)
    offers = tuple(offer(unit, call) for call in node.calls)
    return [m.Ask(who=who, offers=offers, span=node.span)]


def _may_do(unit: Unit, node: s.MayDo) -> list[m.Stmt]:
    who = check_player(unit, node.who)
    offers = tuple(offer(unit, call) for call in node.calls)
    ask = m.Ask(
        who=who,
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
            "there is no `otherwise` to what may be done so many times",
            "whoever stops has perhaps done it before: ask with an `if` what there is",
        )
    return _at_most(unit, ask, node.times)


def _at_most(unit: Unit, ask: m.Ask, often: s.Expr) -> list[m.Stmt]:
    """Ask so often, until somebody passes or nothing is left to do."""
    times, slot = check_whole(unit, often), unit.spare("again")

    def said(again: bool) -> m.SetLocal:
        value = m.Const(value=again, type=Truth(), span=ask.span)
        return m.SetLocal(slot=slot, name="again", value=value, span=ask.span)

    again = m.Local(slot=slot, name="again", type=Truth(), span=ask.span)
    no_more = m.Not(value=again, type=Truth(), span=ask.span)
    body = (attrs.evolve(ask, otherwise=(said(again=False),)),)
    loop = m.Repeat(times=times, body=body, until=no_more, span=ask.span)
    return [said(again=True), loop]


def _menu(unit: Unit, node: s.Menu) -> list[m.Stmt]:
    who = check_player(unit, node.who)
    until = until_action(unit, node.until)
    offers = tuple(offer(unit, call) for call in node.calls)
    return [m.Ask(who=who, offers=offers, until=until, span=node.span)]


# ---------------------------------------------------------------- control


def _perform(unit: Unit, node: s.Perform) -> list[m.Stmt]:
    world = unit.world
    if node.name.text not in world.procedure_parameters:
        if node.name.text in world.action_signatures:
            raise mistake(
                "RB135",
                node.name.span,
                f"`{node.name.text}` is an action: somebody must do it",
                f"write `you do {node.name.text}` or `you may do {node.name.text}`",
            )
        raise unknown("procedure", node.name, world.procedure_parameters)
    wanted = world.procedure_parameters[node.name.text]
    arguments = check_arguments(unit, wanted, node.arguments, node.name)
    return [m.Call(procedure=node.name.text, arguments=arguments, span=node.span)]


def _step(unit: Unit, node: s.Step) -> list[m.Stmt]:
    unit.steps.append(node.name.text)
    try:
        body: list[m.Stmt] = []
        for one in node.body:
            with keeping(unit, one):
                body.extend(check_statement(unit, one))
    finally:
        unit.steps.pop()
    return [m.Step(label=node.name.text, body=tuple(body), span=node.span)]


def _if(unit: Unit, node: s.If) -> list[m.Stmt]:
    return check_if(unit, node, check_block)


def _each(unit: Unit, node: s.Each) -> list[m.Stmt]:
    with unit.block():
        bound = bind(unit, node.binder, in_turn=True)
        body = check_block(unit, node.body)
    return [
        m.Each(
            slot=bound.slot,
            name=bound.name,
            set=filtered(bound),
            where=bound.again,
            body=body,
            span=node.span,
        )
    ]


def _together(unit: Unit, node: s.Together) -> list[m.Stmt]:
    with unit.block():
        bound = bind(unit, node.binder)
        if bound.type != Member(PLAYER):
            raise mistake(
                "RB136", node.binder.span, "only players act at the same time"
            )
        body = check_block(unit, node.body)
    for one in find(body, m.Stop):
        raise mistake(
            "RB130",
            one.span,
            "`stop` would end the parts of the others too",
            "put what each does into a procedure of its own, which `stop` ends",
            ((node.span, "at the same time"),),
        )
    return [
        m.Together(
            slot=bound.slot,
            name=bound.name,
            set=bound.set,
            where=bound.where,
            body=body,
            span=node.span,
        )
    ]


def _repeat(unit: Unit, node: s.Repeat) -> list[m.Stmt]:
    times = check_whole(unit, node.times)
    until = None if node.until is None else check_truth(unit, node.until)
    body = check_block(unit, node.body)
    return [m.Repeat(times=times, body=body, until=until, span=node.span)]


def _starts(unit: Unit, node: s.Starts) -> list[m.Stmt]:
    if isinstance(node.who, s.NameRef) and node.who.name.text == "first_seat":
        first = m.Const(value=0, type=Member(PLAYER), span=node.who.span)
        return [m.Starts(who=first, span=node.span)]
    return [m.Starts(who=check_player(unit, node.who), span=node.span)]


def _stop(unit: Unit, node: s.Stop) -> list[m.Stmt]:
    return [m.Stop(span=node.span)]


def _require(unit: Unit, node: s.Require) -> list[m.Stmt]:
    if unit.sort != "test":
        raise mistake("RB130", node.span, "`require` stands only in tests")
    return [m.Require(condition=check_truth(unit, node.condition), span=node.span)]


STATEMENTS: dict[type[Any], Callable[[Unit, Any], list[m.Stmt]]] = {
    s.Let: _let,
    s.LetTally: _let_tally,
    s.LetBag: _let_bag,
    s.SetTo: _set,
    s.Change: _change,
    s.Forget: _forget,
    s.Roll: _roll,
    s.ChanceChooses: _chance_chooses,
    s.Spreads: _spreads,
    s.Choose: _choose,
    s.MayChoose: _may_choose,
    s.Gather: _gather,
    s.Do: _do,
    s.MayDo: _may_do,
    s.Menu: _menu,
    s.Perform: _perform,
    s.Step: _step,
    s.If: _if,
    s.Each: _each,
    s.Together: _together,
    s.Repeat: _repeat,
    s.Starts: _starts,
    s.Stop: _stop,
    s.Require: _require,
    **ENDINGS,
    **ORDER,
    **HANDLING,
}
