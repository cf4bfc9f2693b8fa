"""What the engine is asked: whether something holds in a game as it stands."""

from collections.abc import Mapping
from typing import Any

from interpreter import Game, broken
from rulebook import model as m
from rulebook.tooling import PartSort as Sort
from rulebook.tooling import Reads, find, rewrite

Values = Mapping[int, m.Const]


def holds(
    game: Game, condition: m.Expr, slots: tuple[str, ...], values: Values
) -> bool:
    """Whether a condition holds, with these values for some of its variables.

    A condition that cannot be asked, since the rules have a mistake there, does not.
    """
    asked = valued(condition, values)
    invariant = m.Invariant(f"asked: {asked!r}", (m.Require(asked),), slots)
    return not broken(game, (invariant,))


def valued(e: m.Expr, values: Values) -> Any:
    """An expression with values in the place of some of its variables."""

    def change(node: Any) -> Any:
        is_known = isinstance(node, m.Local) and node.slot in values
        return values[node.slot] if is_known else node

    return rewrite(e, change)


def is_settled(model: m.Model, condition: m.Expr) -> bool:
    """Whether a condition stays what it is in play: it reads what set-up has dealt."""
    return all(
        part.sort is Sort.FIELD and model.fields[part.name].dealt
        for part in Reads(model).of(condition)
    )


def variables(condition: m.Expr) -> set[int]:
    """The variables of its unit that a condition reads; not those that it binds."""
    bound = {node.slot for node in find(condition, m.Binder)}
    bound |= {node.slot for node in find(condition, (m.LongestTrail, m.Reach, m.Per))}
    return {node.slot for node in find(condition, m.Local)} - bound


def member(domain: str, number: int) -> m.Const:
    """A member of a domain, as a value."""
    return m.Const(number, type=m.Member(domain))
