"""Accepted rules never fail in play: random bodies, played at random.

Each seed writes an action of random steps under random conditions. If the checker
accepts the action, both engines play games with it. No step may fail.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import rulebook
from interpreter import Game

SEEDS = range(10)
TRIES = 60
"""Bodies that a seed writes; most of them are rejected."""

HEAD = """rules language 1
rulebook steps "Steps"
  players 2
  turns 6
kind good (goods): salt, silk
game has
  store: bag of good, seen by all, starts with 2 of each
  height: 0 to 5, seen by all, starts at 2
  aim: player or none, seen by all
  focus: player, seen by all, starts at p1
each player has
  pack: bag of good, seen by all, starts with 1 of each
  glory: 0 to 5, seen by all, starts at 2
turn
  phase day
    you do act
rule victory
  whenever round > 6: you win
action act(player rival, good one, good other, 0 to 2 amount)
"""
HOLDERS = ("store", "your pack", "rival's pack", "p1's pack", "p2's pack")
NUMBERS = ("height", "your glory", "rival's glory", "p1's glory")
SIGNS = ("=", "!=", "<", "<=", ">", ">=")


class Writer:
    """A writer of random steps."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        self.goods = ["salt", "silk", "one", "other"]
        self.names = 0

    def one_of(self, *choices: str) -> str:
        """Return one of several texts."""
        return self.random.choice(choices)

    def good(self) -> str:
        """Return the name of a card."""
        return self.one_of(*self.goods)

    def holder(self) -> str:
        """Return the name of a bag."""
        return self.one_of(*HOLDERS)

    def condition(self, holder: str, good: str) -> str:
        """Return a condition, often about these cards."""
        number = self.random.randint(0, 3)
        field, sign = self.one_of(*NUMBERS), self.one_of(*SIGNS)
        differ = self.one_of("one != other", f"{good} != {self.good()}", "rival != you")
        return self.one_of(
            f"{holder} has {number or 1} {good}",
            f"number of {good} in {holder} {sign} {number}",
            f"{number} {sign} number of {good} in {holder}",
            f"{differ} and {holder} has 1 {good}",
            f"({differ} or {holder} has 2 {good}) and {holder} has 1 {good}",
            f"{holder} has {good} and {holder} has {self.good()}",
            f"{holder} has {good} or {self.one_of(*HOLDERS)} has {good}",
            f"{field} {sign} {number}",
            f"{field} + amount {sign} 5",
            f"{field} - amount {sign} 0",
            f"5 - amount {sign} {field}",
            f"aim {self.one_of('is', 'is not')} none",
        )

    def step(self, indent: str, deep: int) -> Iterator[str]:
        """Yield the lines of one step."""
        holder, good, other = self.holder(), self.good(), self.holder()
        number, field = self.random.randint(1, 2), self.one_of(*NUMBERS)
        change = self.one_of("1", "amount", "2", "up to amount")
        sort = self.random.randint(0, 11 if deep else 7)
        match sort:
            case 0 | 1 | 2:
                yield f"{indent}move {number} {good} from {holder} to {other}"
            case 3:
                cards = self.one_of(f"up to 1 {good}", "a random card", "everything")
                yield f"{indent}move {cards} from {holder} to {other}"
            case 4:
                word = self.one_of("increase", "decrease")
                yield f"{indent}{word} {field} by {change}"
            case 5:
                more = self.one_of("amount", "1", "2")
                sums = (f"{field} + {more}", f"{field} - {more}", f"5 - {field}")
                yield f"{indent}set {field} to {self.one_of(*sums)}"
            case 6:
                yield f"{indent}set aim to {self.one_of('none', 'rival', 'you')}"
            case 7:
                yield f"{indent}set focus to {self.one_of('aim', 'rival')}"
            case 8:
                self.names += 1
                name = f"bonus_{self.names}"
                yield f"{indent}chance chooses good {name} where {holder} has {name}"
                yield f"{indent}move 1 {name} from {holder} to {other}"
            case 9:
                self.names += 1
                name, where = f"each_{self.names}", self.one_of("", " and {0} != salt")
                yield (
                    f"{indent}each good {name} where {holder} has {name}"
                    f"{where.format(name)}:"
                )
                yield f"{indent}  move 1 {name} from {holder} to {other}"
            case _:
                yield f"{indent}if {self.condition(holder, good)}:"
                yield f"{indent}  move 1 {good} from {holder} to {other}"
                for _ in range(self.random.randint(0, 2)):
                    yield from self.step(indent + "  ", deep - 1)
                if self.random.randint(0, 1):
                    yield f"{indent}otherwise:"
                    yield f"{indent}  move 1 {good} from {other} to {holder}"

    def body(self) -> str:
        """Return the lines of an action."""
        lines = [
            f'  needs n{number}: {self.condition(self.holder(), self.good())} "no"'
            for number in range(self.random.randint(1, 3))
        ]
        for _ in range(self.random.randint(1, 3)):
            lines += self.step("  ", 2)
        return "\n".join(lines)


def accepted(seed: int) -> Iterator[rulebook.Rulebook]:
    """Yield the rules of a seed that the check accepts."""
    for number in range(TRIES):
        text = HEAD + Writer(f"{seed} {number}").body() + "\n"
        book, diagnostics = rulebook.examine_text(text, "steps.rules", lambda _: None)
        assert {diagnostic.code for diagnostic in diagnostics} <= {
            *("RB132", "RB142", "RB145")
        }, (text, diagnostics)
        if book is not None:
            yield book


@pytest.mark.parametrize("seed", SEEDS)
def test_no_step_of_accepted_rules_fails(seed: int) -> None:
    for number, book in enumerate(accepted(seed)):
        chosen = random.Random(seed)
        for games in range(3):
            engine = "reference" if number else "auto"  # C is compiled for the first
            game = Game.start(book, seed=games, engine=engine)
            while not game.over and game.legal_actions():
                game.apply(chosen.choice(game.legal_actions()))
