"""Checks of scenarios and invariants."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, get_args

from rulebook import model as m
from rulebook import syntax as s
from rulebook.addresses import Address
from rulebook.check.bodies.examples import Example, check_rows, expand_examples
from rulebook.check.bodies.statement_checks import (
    STATEMENTS,
    check_block,
    check_statement,
    collect_error,
)
from rulebook.check.declare.domains import amounts_value
from rulebook.check.declare.scope import Unit, UnitSort
from rulebook.check.declare.symbol_table import (
    PLAYER,
    SymbolTable,
    argument_count_error,
    mistake,
    unknown_name_error,
    unknown_part_error,
)
from rulebook.check.typing.assignability import describe_type, expect_type
from rulebook.check.typing.expression_checks import check_expr, check_player
from rulebook.check.typing.visible_names import visible_names
from rulebook.completeness import check_complete
from rulebook.model.limits import HOLDER_MAX
from rulebook.model.value_types import Bag, Member, Whole
from rulebook.signatures import (
    Effects,
    Ending,
    VariablePlace,
    effects_within,
    statements_in,
)
from rulebook.traversal import find
from rulebook.write.expression_text import expr as written

ROUND_RANGE = Whole(1, HOLDER_MAX)
"""Range of round numbers, which start at 1."""

PICKS_MAX = 500
"""Maximum number of cards picked on one line of a scenario."""


def check_scenarios(
    world: SymbolTable, clause: s.ScenarioClause
) -> Iterator[m.Scenario]:
    """Yield the scenario of a clause, or one for each row of its examples."""
    rows = expand_examples(world, clause)
    yield from check_rows(world, rows, lambda example: _scenario(world, example))


def _scenario(world: SymbolTable, example: Example) -> m.Scenario:
    clause = example.clause
    unit = Unit(world, example.title, UnitSort.TEST)
    steps: list[tuple[m.StepWord, tuple[Any, ...]]] = []
    for step in clause.steps:
        body: list[Any] = []
        for node in step.body:
            with collect_error(unit, node):
                body.extend(_line(unit, node, step.word))
        steps.append((step.word, tuple(body)))
    return m.Scenario(
        title=example.title,
        players=_players(world, clause),
        steps=tuple(steps),
        slots=tuple(unit.slots),
        clause=clause.title,
        row=example.row,
        cites=clause.cites,
        span=clause.span,
    )


def _players(world: SymbolTable, clause: s.ScenarioClause) -> int | None:
    """Return the number of players of a scenario, or None for the maximum."""
    match clause.players:
        case None:
            return None
        case s.Number(value=number, span=span):
            fewest, most = world.players
            if not fewest <= number <= most:
                message = f"this game is for {fewest} to {most} players, not {number}"
                place = clause.span if clause.examples is None else span
                raise mistake("RB145", place, message)
            return number
    message = "the number of players must be a number or a column of examples"
    raise mistake("RB110", clause.players.span, message)


def check_named_chance(world: SymbolTable) -> None:
    """Report events that scenarios name but no statement causes."""
    if world.model is None:
        return
    units = (*world.model.procedures.values(), *world.model.actions.values())
    inside = effects_within(units)
    events = {effects.event for effects in inside if effects.event is not None}
    steps: list[s.ScenarioStep] = []
    for clause in world.clauses.values():
        if isinstance(clause, s.ScenarioClause):
            with world.collect_errors():
                for example in expand_examples(world, clause):
                    steps += example.clause.steps
    for given in find(steps, s.ChanceGives):
        if given.event is not None and given.event.text not in events:
            with world.collect_errors():
                raise unknown_name_error("chance event", given.event, events)
    named = visible_names(Unit(world, "", UnitSort.TEST))
    lets = {let.name.text for let in find(steps, s.Let)}
    known = {*events, *world.action_signatures, *named, *lets}
    for step in steps:
        views = [x for x in step.body if isinstance(x, s.SeesStatement | s.DoesNotSee)]
        for view in views if step.word is m.StepWord.THEN else ():
            match view.what:
                case s.NameRef(name=name) if name.text not in known:
                    with world.collect_errors():
                        raise unknown_name_error("value or event", name, known)


def _line(unit: Unit, node: Any, word: m.StepWord) -> list[Any]:
    _check_step_word(node, word)
    match node:
        case s.MayNot(player=who, call=call, because=because):
            return [_expectation(unit, node, who, call, because)]
        case s.MayStill(player=who, call=call):
            return [_expectation(unit, node, who, call, None)]
        case s.SeesStatement(player=who, what=what) if word is m.StepWord.THEN:
            return [_view(unit, node, who, what)]
        case s.DoesNotSee(player=who, what=what):
            return [_view(unit, node, who, what)]
        case s.IsToMove(player=who, phase=phase):
            if phase.text not in unit.world.phases:
                raise unknown_name_error("phase", phase, unit.world.phases)
            player = check_player(unit, who)
            return [m.Given(player=player, phase=phase.text, span=node.span)]
        case s.Do(player=who, calls=calls):
            return [does for call in calls for does in _does(unit, who, call)]
        case s.ChanceGives(values=values, dice=dice, event=event):
            checked = tuple(_chance_value(unit, value, dice) for value in values)
            name = None if event is None else event.text
            return [m.NextChance(values=checked, dice=dice, event=name, span=node.span)]
        case s.SetTo(target=s.NameRef(name=name), value=value) if (
            name.text in unit.world.options and word is m.StepWord.GIVEN
        ):
            type_ = unit.world.options[name.text].type
            chosen = expect_type(check_expr(unit, value, type_), type_)
            return [m.SetOption(option=name.text, value=chosen, span=node.span)]
        case s.SetTo(target=s.NameRef(name=s.Name(text="round")), value=value) if (
            word is m.StepWord.GIVEN
        ):
            number = expect_type(check_expr(unit, value), ROUND_RANGE)
            return [m.SetRound(value=number, span=node.span)]
        case s.SetTo(
            target=s.Of(owner=s.NameRef(name=award), name=s.Name(text="holder")),
            value=value,
        ) if award.text in unit.world.awards and word is m.StepWord.GIVEN:
            seat = Member(PLAYER, optional=True)
            holder = expect_type(check_expr(unit, value, seat), seat)
            return [m.SetHolder(award=award.text, player=holder, span=node.span)]
    body = check_statement(unit, node)
    if word is m.StepWord.THEN:
        _require_read_only(body, "`then`", "put it under `when`, or `given` before it")
    return list(body)


STEP_STATEMENTS: dict[type[Any], tuple[str, tuple[m.StepWord, ...]]] = {
    s.IsToMove: ("is to move", (m.StepWord.GIVEN,)),
    s.ChanceGives: ("chance gives", (m.StepWord.WHEN, m.StepWord.GIVEN)),
    s.Do: ("does", (m.StepWord.WHEN,)),
    s.RequireStatement: ("require", (m.StepWord.THEN,)),
    s.MayNot: ("may", (m.StepWord.THEN,)),
    s.MayStill: ("may", (m.StepWord.THEN,)),
    s.DoesNotSee: ("does not see", (m.StepWord.THEN,)),
}
"""Names of scenario statements and the steps (`given`, …) that allow them, by class."""

check_complete(
    "the table of checks of statements",
    [*STATEMENTS, *STEP_STATEMENTS],
    get_args(s.Stmt),
)

STEP_HELP = {
    m.StepWord.GIVEN: "`given` sets up the position before the first action",
    m.StepWord.WHEN: "`when` contains the actions and the outcomes of chance",
    m.StepWord.THEN: "`then` states what must be true; a scenario may have several",
}


def _check_step_word(node: Any, word: m.StepWord) -> None:
    name, words = STEP_STATEMENTS.get(type(node), ("", (word,)))
    if word not in words:
        if isinstance(node, s.ChanceGives) and node.dice:
            name = "dice show"
        message = f"`{name}` belongs under `{words[0]}`"
        raise mistake("RB130", node.span, message, STEP_HELP[words[0]])


def is_read_only(effects: Effects) -> bool:
    """Return whether a statement changes nothing, ignoring the statements inside it."""
    changes = [
        write for write in effects.writes if not isinstance(write.place, VariablePlace)
    ]
    ends = effects.ends is not Ending.NOTHING
    return not (changes or ends or effects.may_wait or effects.runs)


def _require_read_only(
    statements: Iterable[m.Stmt], place: str, help_text: str
) -> None:
    """Raise `Mistake` if a statement changes the game where only reading is allowed."""
    for statement, effects in statements_in(*statements):
        if not is_read_only(effects):
            message = f"this changes the game, but {place} can only read it"
            if effects.offers and statement.optional:
                help_text = (
                    "write `may still` if it is legal, `may not` if it is illegal"
                )
            raise mistake("RB130", statement.span, message, help_text)


def _chance_value(unit: Unit, node: s.Expr, is_die_face: bool) -> m.Expr:
    """Check an outcome of chance: a die face, a card, another member or a number."""
    value = _outcome(unit, node)
    faces = {field.type for field in unit.world.dice.values()}
    fits = isinstance(value.type, Member | Whole)
    if is_die_face and not isinstance(value.type, Whole):
        fits = value.type in faces
    if not fits:
        wanted = "a face of a die" if is_die_face else "a card, a member or a number"
        raise mistake(
            "RB110",
            value.span,
            f"expected {wanted}, but this is {describe_type(value.type)}",
        )
    return value


def _outcome(unit: Unit, node: s.Expr) -> m.Expr:
    if isinstance(node, s.NameRef) and node.name.text not in unit.names:
        homes = unit.world.members.get(node.name.text, [])
        if homes:
            domain, index = homes[0]
            return m.constant(index, Member(domain), node.span)
    return check_expr(unit, node)


def _signature(unit: Unit, call: s.ActionOffer) -> tuple[m.Parameter, ...]:
    world = unit.world
    if call.name.text == "pass":
        return ()
    if call.name.text not in world.action_signatures:
        raise unknown_name_error("action", call.name, world.action_signatures)
    return world.action_signatures[call.name.text].parameters


def _arguments(unit: Unit, call: s.ActionOffer) -> tuple[m.Expr, ...]:
    wanted = _signature(unit, call)
    if len(wanted) != len(call.arguments):
        raise argument_count_error(call.name, wanted, call.arguments, call.span)
    return tuple(
        expect_type(check_expr(unit, node, parameter.type), parameter.type)
        for node, parameter in zip(call.arguments, wanted, strict=True)
    )


def _expectation(
    unit: Unit, node: Any, actor: s.Expr, call: s.ActionOffer, reason: s.Name | None
) -> m.Expect:
    player = check_player(unit, actor)
    arguments = _arguments_or_picks(unit, call)
    action = unit.world.actions.get(call.name.text)
    if reason is not None and action is not None and not action.inline:
        labels = [need.label for need in action.requirements]
        if reason.text not in labels:
            raise unknown_part_error(action.name, "requirement", reason, labels)
    return m.Expect(
        player=player,
        action=call.name.text,
        arguments=arguments,
        legal=isinstance(node, s.MayStill),
        because=reason.text if reason else None,
        price=_price(unit, node, call) if isinstance(node, s.MayStill) else None,
        span=node.span,
    )


def _price(unit: Unit, node: s.MayStill, call: s.ActionOffer) -> tuple[int, ...] | None:
    """Return the number of each card in `for exactly PRICE`, or None without it."""
    if node.price is None:
        return None
    action = unit.world.actions.get(call.name.text)
    needs = () if action is None else action.requirements
    payments = [need for need in needs if need.sort is m.RequirementSort.PAYS]
    clause = unit.world.clauses.get(Address("action", call.name.text))
    if not payments and any(find(clause, s.Pays)):
        return None  # the line `pays …` has an error
    holder = payments[0].holder if payments else None
    if not m.is_field(holder):
        message = (
            f"the price of `{call.name.text}` is not paid from a bag"
            if payments
            else f"`{call.name.text}` has no line `pays …`"
        )
        cure = "set up the cards under `given`, and write `may still` or `may not`"
        raise mistake("RB116", node.price.span, message, cure)
    price = expect_type(check_expr(unit, node.price, holder.type), holder.type)
    if not m.is_constant(price):
        raise mistake(
            *("RB110", price.span, "expected cards"), "write a price: `2 wood, 1 clay`"
        )
    return tuple(price.value)


def _view(
    unit: Unit, node: s.Statement, actor: s.Expr | None, what: s.Expr
) -> m.ExpectView:
    """Return the expectation that somebody sees, or does not see, a value or event."""
    viewer = m.Viewers.ALL if actor is None else _viewer(unit, actor)
    visible = isinstance(node, s.SeesStatement)
    if viewer is m.Viewers.ALL and actor is not None and not visible:
        raise mistake(
            *("RB130", node.span, "`all … do not see` is ambiguous"),
            "write `nobody sees …`",
        )
    for name in find(what, s.NameRef):
        if name.name.text in unit.names:
            raise mistake(
                *(
                    "RB130",
                    name.span,
                    "visibility cannot be checked for a variable",
                ),
                "write the value itself, without `let`",
            )
    event = isinstance(what, s.NameRef) and what.name.text not in visible_names(unit)
    return m.ExpectView(
        viewer=viewer,
        value=None if event else check_expr(unit, what),
        text=written(what),
        visible=visible,
        span=node.span,
    )


def _viewer(unit: Unit, actor: s.Expr) -> m.Expr | m.Viewers:
    """Return the player who sees a value, or the viewers `all` or `spectators`."""
    match actor:
        case s.NameRef(name=name) if name.text not in visible_names(unit):
            if name.text in set(m.Viewers):
                return m.Viewers(name.text)
            cure = "name a player, or write `all`, `nobody` or `spectators`"
            raise unknown_name_error("viewer", name, (), help=cure)
    return check_player(unit, actor)


def _does(unit: Unit, actor: s.Expr, call: s.ActionOffer) -> Iterator[m.Does]:
    """Yield the actions of `SEAT does …`: one, or one for each pick of a `gathers`."""
    seat, name = check_player(unit, actor), call.name.text
    match call.arguments:
        case (s.Amounts() as amounts,):
            for card in _picks(unit, call, amounts):
                yield m.Does(seat, name, (card,), span=call.span)
        case _:
            yield m.Does(seat, name, _arguments(unit, call), span=call.span)


def _arguments_or_picks(unit: Unit, call: s.ActionOffer) -> tuple[m.Expr, ...]:
    """Return the checked arguments of a call; picks of a `gathers` become one bag."""
    match call.arguments:
        case (s.Amounts() as amounts,):
            kind, counts = _pick_counts(unit, call, amounts)
            return (m.constant(counts, Bag(kind.domain), amounts.span),)
        case _:
            return _arguments(unit, call)


def _pick_counts(
    unit: Unit, call: s.ActionOffer, amounts: s.Amounts
) -> tuple[Member, tuple[int, ...]]:
    """Return the type of the picks of a `gathers`, and the count of each member."""
    wanted = _signature(unit, call)
    kinds = [
        parameter.type for parameter in wanted if isinstance(parameter.type, Member)
    ]
    if call.name.text not in unit.world.inline_names or not kinds:
        message = f"`{call.name.text}` is not a gather, so it takes no amounts"
        raise mistake("RB116", amounts.span, message, "write its arguments in brackets")
    counts = amounts_value(unit.world, amounts, kinds[0].domain)
    if sum(counts) > PICKS_MAX:
        message = f"a line can contain at most {PICKS_MAX} picks"
        raise mistake("RB116", amounts.span, message)
    return kinds[0], tuple(counts)


def _picks(unit: Unit, call: s.ActionOffer, amounts: s.Amounts) -> Iterator[m.Expr]:
    """Yield the picked cards one by one, in the order of their declaration."""
    kind, counts = _pick_counts(unit, call, amounts)
    for card, count in enumerate(counts):
        for _ in range(count):
            yield m.constant(card, kind, amounts.span)


def check_invariant(world: SymbolTable, clause: s.InvariantClause) -> m.Invariant:
    """Check an invariant clause; return the invariant."""
    unit = Unit(world, clause.title, UnitSort.TEST)
    body = check_block(unit, clause.body)
    _require_read_only(
        body, "an invariant", "state what must be true: `require CONDITION`"
    )
    return m.Invariant(
        title=clause.title,
        body=body,
        slots=tuple(unit.slots),
        cites=clause.cites,
        span=clause.span,
    )
