"""Supply of pieces: rules may not place more pieces than exist.

The first placing of an action becomes a requirement of the action. Rules must guard any
later placing with a condition. Set-up starts with all pieces, so only a placing that
certainly exceeds the supply is an error.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulebook import model as m
from rulebook.check.declare.symbol_table import SymbolTable, mistake
from rulebook.model.value_types import Whole
from rulebook.signatures import PieceTransfer, effects_of, effects_within

SETUP = "setup"


def may_run_out(world: SymbolTable, transfer: PieceTransfer) -> bool:
    """Return whether the supply of a placed piece may be used up.

    A unique piece only moves, so it never runs out. If a space has room for one piece,
    a supply of one piece per space never runs out.
    """
    entry = world.pieces[transfer.piece]
    if transfer.count is not None or entry.room is not None:
        return transfer.count is not None or not entry.moves
    fewest = entry.count.type
    assert isinstance(fewest, Whole)
    spaces = sum(world.member_count(domain) for domain in entry.stands_on)
    return not entry.moves and fewest.low < spaces


def piece_cell_count(world: SymbolTable, piece: m.Piece) -> int:
    """Return the number of state values that store the positions of a piece.

    If several pieces may be on a space, each owner has a value for each space.
    """
    owners = 1 if piece.room is None else world.owner_count(piece)
    return owners * sum(map(world.member_count, piece.stands_on))


def setup_procedures(model: m.Model) -> frozenset[str]:
    """Return the names of set-up and the procedures that only set-up calls."""
    calls = {
        name: set(_called_procedures(procedure.body))
        for name, procedure in model.procedures.items()
    }
    reached = {SETUP} & calls.keys()
    waiting = list(reached)
    while waiting:
        new = calls[waiting.pop()] - reached
        reached |= new
        waiting += new
    later = [set(_called_procedures(action.body)) for action in model.actions.values()]
    while True:
        later += [calls[name] for name in calls.keys() - reached]
        rest = reached - set().union(*later)
        if rest == reached:
            return frozenset(reached)
        reached = rest


def _called_procedures(body: tuple[m.Stmt, ...]) -> Iterator[str]:
    for effects in effects_within(body):
        for run in effects.calls:
            if run.code is not None:
                yield run.code


def check_set_up(world: SymbolTable, body: tuple[m.Stmt, ...]) -> None:
    """Report a set-up that places one piece on each space if too few pieces exist."""
    blocks = (block for effects in effects_within(body) for block in effects.blocks)
    for block in blocks:
        for node in block.body if block.loop else ():
            placed, loop = effects_of(node).pieces, block.binder
            if placed is None or loop is None:
                continue
            if _places_on_every_member(loop, placed):
                with world.collect_errors():
                    _require_enough_for_all(world, loop.set, placed)


def _places_on_every_member(loop: m.Binder, transfer: PieceTransfer) -> bool:
    """Return whether a loop places a piece on every space of a kind."""
    fits = m.is_variable(transfer.destination, loop.slot) and transfer.source is None
    return fits and loop.where is None and m.is_all_of(loop.set)


def _require_enough_for_all(
    world: SymbolTable, spaces: m.Expr, transfer: PieceTransfer
) -> None:
    assert m.is_all_of(spaces)
    piece, size = world.pieces[transfer.piece], world.member_count(spaces.domain)
    most = piece.count.type
    assert isinstance(most, Whole)
    each = transfer.count.value if m.is_constant(transfer.count) else 1
    if may_run_out(world, transfer) and most.high < size * each:
        raise mistake(
            "RB142",
            transfer.span,
            f"this places {size * each} of `{transfer.piece}`, but there are only "
            f"{most.high}",
            "place fewer of them, or give the piece a greater number",
            ((piece.span, "declared here"),),
        )
