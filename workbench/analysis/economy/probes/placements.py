"""Spaces on which the rules allow players' pieces.

For each space, the engine evaluates the requirements that depend on the board alone.
All others are ignored.
"""

from collections.abc import Iterator

from interpreter import Game
from rulebook import model as m
from rulebook.signatures import effects_within
from workbench.analysis.economy.probes.queries import (
    free_variables,
    is_settled,
    is_true,
    member_constant,
    table_column,
)

Unit = m.Procedure | m.Action


def allowed_spaces(game: Game, seat: str, piece: str) -> tuple[str, ...]:
    """Return the spaces where a seat's piece may stand, in declared order."""
    model = game.book.model
    listed: dict[str, None] = {}
    for kind in model.pieces[piece].stands_on:
        domain = model.domains[kind]
        numbers = {n for node in _spaces_by_statement(game, piece, kind) for n in node}
        for number, name in enumerate(domain.members):
            if number in numbers:
                listed[f"{seat}_{name}" if domain.each_player else name] = None
    return tuple(listed)


def _spaces_by_statement(
    game: Game, piece: str, domain: str
) -> Iterator[Iterator[int]]:
    """Yield indices of the spaces in *domain* to which each statement moves a piece."""
    model = game.book.model
    units: list[Unit] = [*model.procedures.values(), *model.actions.values()]
    for unit in units:
        for moved in [effects.pieces for effects in effects_within(unit.body)]:
            if moved is None or moved.piece != piece or moved.destination is None:
                continue
            space = moved.destination
            if isinstance(space.type, m.Member) and space.type.domain == domain:
                yield _possible_spaces(game, unit, space, domain)


def _possible_spaces(
    game: Game, unit: Unit, space: m.Expr, domain: str
) -> Iterator[int]:
    """Yield the indices in *domain* of the spaces that an expression can refer to."""
    model = game.book.model
    everywhere = range(len(model.domains[domain].members))
    column = table_column(model, space)
    if column is not None:
        yield from (value for value in column.values if value != m.NONE)
    elif m.is_constant(space):
        yield from (space.value,)
    elif m.is_variable(space) and isinstance(unit, m.Action):
        yield from (
            n for n in everywhere if _is_allowed(game, unit, space.slot, domain, n)
        )
    else:
        yield from everywhere


def _is_allowed(
    game: Game, action: m.Action, slot: int, domain: str, index: int
) -> bool:
    """Return whether the requirements that depend on the board alone allow a space.

    The space is number *index* of *domain*, as the value of the variable in *slot*.
    """
    if all(parameter.slot != slot for parameter in action.parameters):
        return True
    value = {slot: member_constant(domain, index)}
    return all(
        is_true(game, requirement.condition, action.slots, value)
        for requirement in action.requirements
        if free_variables(requirement.condition) == {slot}
        and is_settled(game.book.model, requirement.condition)
    )
