"""Pieces that are placed: not more of them than there are.

An action's first placing becomes a requirement of it, deeper down the text must see
that one is left. Set-up begins with all of them: it is only wrong where it surely
places more than there are.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulebook import model as m
from rulebook.check.declare.symbols import World, mistake
from rulebook.model.types import Whole
from rulebook.traversal import find

SETUP = "setup"
MOST = Whole(0, 10_000)


def left_of(node: m.PlacePiece | m.RemovePiece) -> m.PieceLeft:
    """Return how many are left of the pieces of which some come or go."""
    return m.PieceLeft(piece=node.piece, owner=node.owner, type=MOST, span=node.span)


def runs_out(world: World, node: m.PlacePiece) -> bool:
    """Whether a piece that is placed may not be there.

    The only one that there is moves, and where one stands on a space one for each space
    is always there.
    """
    entry = world.pieces[node.piece]
    if node.count is not None or entry.room is not None:
        return node.count is not None or not entry.moves
    fewest = entry.count.type
    assert isinstance(fewest, Whole)
    spaces = sum(world.size(domain) for domain in entry.stands_on)
    return not entry.moves and fewest.low < spaces


def piece_cells(world: World, piece: m.Piece) -> int:
    """How many values say where pieces stand: where several may, one of each owner."""
    owners = world.players[1] if piece.room is not None and piece.each_player else 1
    return owners * sum(map(world.size, piece.stands_on))


def of_set_up(model: m.Model) -> frozenset[str]:
    """Return the procedures that run in set-up only, and set-up itself."""
    calls = {
        name: set(_called(procedure.body))
        for name, procedure in model.procedures.items()
    }
    reached = {SETUP} & calls.keys()
    waiting = list(reached)
    while waiting:
        new = calls[waiting.pop()] - reached
        reached |= new
        waiting += new
    later = [set(_called(action.body)) for action in model.actions.values()]
    while True:
        later += [calls[name] for name in calls.keys() - reached]
        rest = reached - set().union(*later)
        if rest == reached:
            return frozenset(reached)
        reached = rest


def _called(body: tuple[m.Stmt, ...]) -> Iterator[str]:
    for call in find(body, m.Call):
        yield call.procedure


def check_set_up(world: World, body: tuple[m.Stmt, ...]) -> None:
    """Report a piece on every space of a kind of which there are not so many."""
    for loop in find(body, m.Each):
        for node in loop.body:
            if isinstance(node, m.PlacePiece) and _everywhere(loop, node):
                with world.collecting():
                    _enough_for_all(world, loop.set, node)


def _everywhere(loop: m.Each, node: m.PlacePiece) -> bool:
    """Whether one owner's piece is placed on every member of a domain."""
    here = isinstance(node.space, m.Local) and node.space.slot == loop.slot
    return here and loop.where is None and isinstance(loop.set, m.AllOf)


def _enough_for_all(world: World, spaces: m.Expr, node: m.PlacePiece) -> None:
    assert isinstance(spaces, m.AllOf)
    piece, size = world.pieces[node.piece], world.size(spaces.domain)
    most = piece.count.type
    assert isinstance(most, Whole)
    each = node.count.value if isinstance(node.count, m.Const) else 1
    if runs_out(world, node) and most.high < size * each:
        raise mistake(
            "RB142",
            node.span,
            f"this places {size * each} of `{node.piece}`, and there are only "
            f"{most.high}",
            "place fewer of them, or give the piece a greater number",
            ((piece.span, "declared here"),),
        )
