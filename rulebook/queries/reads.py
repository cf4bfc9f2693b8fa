"""Parts of the state that expressions read and that statements change."""

from __future__ import annotations

from typing import Any

from rulebook import model as m
from rulebook.queries.calls import action_code, body_of, card_texts
from rulebook.queries.state_parts import ACTIVE, TURN, WINNER, StatePart, field_part
from rulebook.traversal import find, walk

PIECES = (
    *(m.PieceOn, m.PieceOwner, m.PieceCount),
    *(m.PieceLeft, m.PieceSpaces, m.PieceSpace),
)


def whose(owner: m.Expr | None) -> m.Expr | None:
    """Return the owner of a part of the state; for a player's space, the player."""
    if isinstance(owner, m.SpaceAt) and owner.owner is not None:
        return owner.owner
    return owner


class Reads:
    """Finder of the parts of the state that expressions read."""

    def __init__(self, model: m.Model) -> None:
        self.model = model
        self.defines: dict[str, tuple[str, ...]] = {}

    def parts_read(self, *nodes: Any) -> tuple[StatePart, ...]:
        """Return the parts that some expressions read, each once.

        Called definitions are included, each once.
        """
        parts: dict[StatePart, None] = {}
        called: dict[str, None] = {}
        waiting = [node for node in reversed(nodes) if node is not None]
        while waiting:
            for inner in walk(waiting.pop()):
                parts.update(dict.fromkeys(self.direct_reads(inner)))
                name = called_by(inner)
                if name is not None and name not in called:
                    called[name] = None
                    waiting.append(self.lines_of(name))
        return tuple(parts)

    def lines_of(self, name: str) -> Any:
        """Return the lines of a definition, or of `points`."""
        if name == POINTS_NAME:
            return self.model.points.lines
        return self.model.defines[name].lines

    def direct_reads(self, node: Any) -> tuple[StatePart, ...]:
        """Return the parts that an expression itself reads, not operands or calls."""
        match node:
            case m.FieldValue():
                return (field_part(self.model, node.field, node.owner),)
            case m.AwardHolder():
                return (StatePart.award(node.award),)
            case m.ActivePlayer() | m.Local(slot=m.YOU):
                return (ACTIVE,)
            case m.RoundNumber() | m.Clockwise(turning=True):
                return (TURN,)
            case m.Winner() | m.Winners():
                return (WINNER,)
            case _ if isinstance(node, PIECES):
                return (StatePart.piece(node.piece),)
            case _:
                return ()


POINTS_NAME = ""
"""Name of the `points` clause among the names of definitions."""


def called_by(node: Any) -> str | None:
    """Return the name of the definition that an expression calls."""
    match node:
        case m.CallDefine(define=name):
            return name
        case m.PlayerPoints():
            return POINTS_NAME
        case _:
            return None


# ---------------------------------------------------------------- writes


class Writes:
    """Parts of the state that statements change, including all code that they run.

    `asks` is true if a decision or chance event may occur in between, `ends` if the
    game may end.
    """

    def __init__(self, model: m.Model, block: Any) -> None:
        self.model = model
        self.parts: dict[StatePart, None] = {}
        self.asks = False
        self.ends = False
        called: dict[str, None] = {}
        waiting = [block]
        while waiting:
            for node in walk(waiting.pop()):
                self.add(node)
                for name in self.called(node):
                    if name not in called:
                        called[name] = None
                        waiting.append(body_of(self.model, name))

    def add(self, node: Any) -> None:
        """Add the changes of one statement, without the statements inside it."""
        self.asks = self.asks or isinstance(node, WAITING_STATEMENTS)
        self.ends = self.ends or isinstance(node, m.Wins | m.GameEnds)
        match node:
            case m.TurnsGo():
                self.parts[TURN] = None
            case m.SetField(field=field, owner=owner):
                self.parts[field_part(self.model, field, owner)] = None
            case m.Spread(field=field):
                self.parts[StatePart.field(field)] = None
            case m.RollDice(fields=fields):
                self.parts.update(dict.fromkeys(map(StatePart.field, fields)))
            case (
                m.PlacePiece(piece=piece)
                | m.RemovePiece(piece=piece)
                | m.MovePiece(piece=piece)
            ):
                self.parts[StatePart.piece(piece)] = None
            case _ if isinstance(node, HANDLING):
                for held in find(node, m.FieldValue):
                    self.parts[field_part(self.model, held.field, held.owner)] = None

    def called(self, node: Any) -> tuple[str, ...]:
        """Return the names of the units that a statement may run."""
        match node:
            case m.CallProcedure(procedure=name):
                return (name,)
            case m.Offer(action=name):
                return (action_code(name),)
            case m.CarryOut():
                return card_texts(self.model)
            case _:
                return ()


HANDLING = (
    *(m.MoveCards, m.MoveAll, m.DrawCard),
    *(m.Shuffle, m.Sees, m.Reveal),
)
WAITING_STATEMENTS = (
    *(m.Choose, m.Gather, m.Ask, m.Together, m.DrawCard, m.RollDice),
    *(m.ChanceChoose, m.Spread, m.Sees, m.Reveal),
)
"""Statements that wait for a decision or for chance; awards and rules may act there."""

INTERRUPTIONS = (*WAITING_STATEMENTS, m.CarryOut, m.Wins, m.GameEnds)
"""Statements at which code may wait, or the game may end."""
