"""Replay of games recorded by an independent engine, in `classic`.

At every step, a recorded game contains the seat to act, all its legal actions, the one
it took, and the chance outcome. The adapter translates names and compares; it contains
no rule. Only for these rows of the corpus's list of modelling choices does it split or
group actions:

* row 7: discards, one card per step in seating order. A batch is compared as the
  set of all hands of cards that may be discarded; ours start with the active player.
* row 8: both free roads must be built while possible; ours may be declined.
* row 9: a trade names as many cards as the rate; ours names the kind.
* row 10: no offers between players (the option is 0).
* row 12: the robber's hex and victim are one action; ours are two.
* row 14: seats have other names, and a game may stop at the other engine's turn limit.
"""

from __future__ import annotations

import json
import lzma
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, takewhile
from pathlib import Path
from typing import Any

from interpreter import Action, Game
from rulebook import Rulebook
from rulebook.model import NONE
from tests.oracle.books import BANK, CARDS, KINDS, Books

# : Names of the other engine that are not our names in capital letters.
NAMES = {
    "roll_dice": "ROLL",
    "found_settlement": "BUILD_SETTLEMENT",
    "found_last_settlement": "BUILD_SETTLEMENT",
    "found_road": "BUILD_ROAD",
    "play_knight": "PLAY_KNIGHT_CARD",
    "play_year_of_plenty_for_one": "PLAY_YEAR_OF_PLENTY",
    "trade_with_bank": "MARITIME_TRADE",
    "discard": "DISCARD_RESOURCE",
}
POINTS = ("NORTH", "NORTHEAST", "SOUTHEAST", "SOUTH", "SOUTHWEST", "NORTHWEST")


class DiffersError(Exception):
    """Raised if the engines disagree at a step of a game."""


def corpus(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the recorded games in a file."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def theirs(action: list[Any]) -> tuple[str, str]:
    """Return an action of the other engine as a key that ignores the order of cards."""
    name, value = action
    return name, json.dumps(sorted(value) if name == "PLAY_YEAR_OF_PLENTY" else value)


def is_discard(step: dict[str, Any]) -> bool:
    """Return whether a step discards a card."""
    return bool(step["action"][0] == "DISCARD_RESOURCE")


class Followed:
    """Recorded game, followed in a game of `classic`.

    `told` is what the record contains before the first decision: `players`, `colors` in
    seating order, `tiles`, `port_nodes`, and the points that win as `vp`.
    """

    def __init__(self, book: Rulebook, told: dict[str, Any], first: str) -> None:
        self.told = told
        self._name_places(book)
        seats = book.seats[: told["players"]]
        self.seats = dict(zip(told["colors"], seats, strict=True))
        self.values: dict[str, Any] = {
            there: name for name, there in self.seats.items()
        }
        self.values |= {ours: name for name, ours in KINDS.items()}
        self.values |= {name: node for node, name in self.nodes.items()}
        self.values |= {name: list(cube) for cube, name in self.hexes.items()}
        self.kinds = book.model.domains["resource"].members
        self.game = Game.start(
            book,
            players=told["players"],
            options={"offers_per_turn": 0, "points_to_win": told["vp"]},
            board=self._board(book),
            chance="given",
        )
        self.chance("first_player", self.seats[first])

    def _name_places(self, book: Rulebook) -> None:
        """Determine the name in `classic` of each hex and node of the record."""
        board, domains = book.model.board, book.model.domains
        assert board is not None and board.face is not None
        self.corners = domains[board.corner].members
        self.hexes: dict[tuple[int, ...], str] = {}
        self.nodes: dict[int, str] = {}
        for tile in self.told["tiles"]:
            place = board.face_places.index((tile["xyz"][0], tile["xyz"][2]))
            self.hexes[tuple(tile["xyz"])] = domains[board.face].members[place]
            for point, corner in zip(POINTS, board.face_corners[place], strict=True):
                self.nodes[tile["nodes"][point]] = self.corners[corner]

    def _board(self, book: Rulebook) -> dict[str, dict[str, Any]]:
        """Return the recorded board in the format that set-up deals."""
        terrain = book.model.domains["terrain"]
        yields = terrain.columns["yields"].values
        board: dict[str, dict[str, Any]] = {}
        for tile in self.told["tiles"]:
            kind = KINDS.get(tile["resource"])
            grown = yields.index(NONE if kind is None else self.kinds.index(kind))
            dealt: dict[str, Any] = {"terrain": terrain.members[grown]}
            board[self.hexes[tuple(tile["xyz"])]] = dealt
            if tile["number"] is not None:
                dealt["number"] = tile["number"]
        signs = {
            frozenset(pair): f"{KINDS[kind]}_sign" if kind in KINDS else "any_goods"
            for kind, nodes in self.told["port_nodes"].items()
            for pair in combinations(nodes, 2)
        }
        harbours = book.model.domains["harbour"]
        for number, ends in enumerate(harbours.columns["corners"].values):
            nodes = frozenset(self.values[self.corners[end]] for end in ends)
            board[harbours.members[number]] = {"harbour_sign": signs[nodes]}
        return board

    def chance(self, event: str, outcome: Any) -> None:
        self.game.apply({"chance": event, "outcome": outcome})

    def legal(self) -> dict[tuple[str, str], Action]:
        """Return the legal actions by their names in the other engine."""
        return {
            key: action
            for action in self.game.legal_actions()
            for key in self.translated(action)
        }

    def does(self, step: dict[str, Any], action: Action) -> None:
        """Apply a recorded step, which is this action in `classic`."""
        (name, value), result = step["action"], step["result"]
        self.game.apply(action)
        if name == "ROLL":
            self.chance("roll", result)
        elif name == "BUY_DEVELOPMENT_CARD":
            self.chance("draw", CARDS[result])
        elif name == "MOVE_ROBBER" and value[1] is not None:
            self.game.apply(f"steal_from({self.seats[value[1]]})")
            self.chance("steal", KINDS[result])

    def translated(self, action: Action) -> list[tuple[str, str]]:
        """Return the names of an action in the other engine."""
        name = NAMES.get(action.name, action.name.upper())
        values = [self.values.get(argument, argument) for argument in action.arguments]
        if name == "PASS":  # row 8
            return []
        if name in {"PLAY_ROAD_BUILDING", "MARITIME_TRADE", "MOVE_ROBBER"}:
            ahead = self.game.copy()
            ahead.apply(action)
            return [theirs([name, value]) for value in self._split(name, values, ahead)]
        if name == "BUILD_ROAD":
            ends = action.arguments[-1].split("-")
            return [theirs([name, sorted(self.values[end] for end in ends)])]
        if name == "PLAY_YEAR_OF_PLENTY":
            return [theirs([name, values])]
        return [theirs([name, values[0] if values else None])]

    def _split(self, name: str, values: list[Any], ahead: Game) -> list[Any]:
        """Return arguments in the other engine that only later actions reveal."""
        following = ahead.legal_actions()
        if name == "PLAY_ROAD_BUILDING":  # row 8
            return [None] if any(a.name == "build_road" for a in following) else []
        if name == "MARITIME_TRADE":  # row 9
            paid = self.cards() - self.cards(ahead)
            rate = sum(number for (who, _), number in paid.items() if who != BANK)
            return [[*[values[0]] * rate, *[None] * (4 - rate), values[1]]]
        steals = [a for a in following if a.name == "steal_from"]  # row 12
        victims = [self.values[a.arguments[0]] for a in steals] or [None]
        return [[values[0], victim] for victim in victims]

    def cards(self, game: Game | None = None) -> Counter[tuple[str, str]]:
        """Return how many of each card each seat and the bank have."""
        position = (game or self.game).position
        holders = {BANK: position["game"]["bank"]}
        for seat, own in position["player"].items():
            holders[self.values[seat]] = own["hand"]
        cards = {(who, kind): n for who, h in holders.items() for kind, n in h.items()}
        return +Counter(cards)


class Replay(Followed):
    """Replay of one recorded game."""

    def __init__(self, book: Rulebook, recorded: dict[str, Any]) -> None:
        self.steps = recorded["steps"]
        self.number = 0
        super().__init__(book, recorded, self.steps[0]["actor"])
        self.books = Books(recorded)

    def run(self) -> int:
        """Compare every step and the end; return the number of steps."""
        while self.number < len(self.steps):
            if is_discard(self.steps[self.number]):
                self._discards()
            else:
                self._step(self.steps[self.number])
            self._same("hands and bank", self.books.cards(), self.cards())
            self.number += 1
        self.number -= 1
        winner, outcome = self.told["winner"], self.game.outcome
        self._same("winner", self.seats.get(winner), outcome and outcome.winner)
        return len(self.steps)

    def _same(self, what: str, expected: Any, ours: Any) -> None:
        """Raise `DiffersError` unless two values are equal."""
        if expected == ours:
            return
        if isinstance(expected, set | Counter):
            expected, ours = sorted(expected - ours), sorted(ours - expected)
        step, recorded = self.steps[self.number], self.told
        raise DiffersError(
            f"{what} differ in game {recorded['seed']} of {recorded['players']}, "
            f"step {self.number} ({step['actor']} {step['action']}): "
            f"theirs {expected}, ours {ours}"
        )

    def _step(self, step: dict[str, Any]) -> None:
        """Compare the seat and its legal actions, then apply the recorded action."""
        self._same("seat", self.seats[step["actor"]], self.game.to_act)
        legal = self.legal()
        self._same("legal", set(map(theirs, step["legal"])), set(legal))
        self.does(step, legal[theirs(step["action"])])
        self.books.enter(step)

    def _discards(self) -> None:
        """Compare a batch of discards, seat by seat (row 7)."""
        begun, batch = self.number, [*takewhile(is_discard, self.steps[self.number :])]
        asked: set[str | None] = set()
        while self._asks_for_discards(self.game):
            seat = self.game.to_act
            asked.add(seat)
            ways = [Counter(way) for way in self._ways(self.game, seat)]
            given: Counter[str] = Counter()
            for self.number, step in enumerate(batch, begun):
                if self.seats[step["actor"]] == seat:
                    ours = {
                        k for k in KINDS if any(given + Counter([k]) <= w for w in ways)
                    }
                    self._same("discards", {kind for _, kind in step["legal"]}, ours)
                    given[step["action"][1]] += 1
            for kind in self.kinds:
                for _ in range(given[self.values[kind]]):
                    self.game.apply(f"discard({kind})")
        self._same("discarding", {self.seats[step["actor"]] for step in batch}, asked)
        for step in batch:
            self.books.enter(step)

    def _asks_for_discards(self, game: Game) -> bool:
        return any(action.name == "discard" for action in game.legal_actions())

    def _ways(self, game: Game, seat: str | None) -> Iterator[tuple[str, ...]]:
        """Yield all sets of cards that a seat can discard together."""
        if game.to_act != seat or not self._asks_for_discards(game):
            yield ()
            return
        for action in game.legal_actions():
            ahead = game.copy()
            ahead.apply(action)
            for way in self._ways(ahead, seat):
                yield (self.values[action.arguments[0]], *way)
