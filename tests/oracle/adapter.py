"""Replays recorded games of an independent engine through `classic`.

A corpus is `*.jsonl.xz`, one game a line: at every step the seat to act, all its legal
actions, the one it took and what chance gave. The adapter translates and compares; it
holds no rule. Where the two engines cut the same choice differently it splits or
groups actions, and only for these rows of the corpus's list of modelling choices:

* row 7: discards, one card a step in seat order; ours are asked from the active player
  on, hidden, in the order of the kinds. A batch is compared as the set of all hands of
  cards that may be given back.
* row 8: both free roads must be built while they can be, and the card needs a place
  for one; ours may be declined.
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
from itertools import takewhile
from pathlib import Path
from typing import Any

from interpreter import Action, Game
from rulebook import Rulebook
from tests.oracle.books import BANK, CARDS, KINDS, Books

TERRAINS = {
    "WOOD": "forest",
    "SHEEP": "pasture",
    "WHEAT": "fields",
    "BRICK": "hills",
    "ORE": "mountains",
    None: "desert",
}
SIGNS = {theirs: f"{ours}_sign" for theirs, ours in KINDS.items()} | {None: "any_goods"}
NAMES = {
    "roll_dice": "ROLL",
    "end_turn": "END_TURN",
    "found_settlement": "BUILD_SETTLEMENT",
    "found_last_settlement": "BUILD_SETTLEMENT",
    "build_settlement": "BUILD_SETTLEMENT",
    "found_road": "BUILD_ROAD",
    "build_road": "BUILD_ROAD",
    "build_city": "BUILD_CITY",
    "buy_development_card": "BUY_DEVELOPMENT_CARD",
    "play_knight": "PLAY_KNIGHT_CARD",
    "play_road_building": "PLAY_ROAD_BUILDING",
    "play_year_of_plenty": "PLAY_YEAR_OF_PLENTY",
    "play_monopoly": "PLAY_MONOPOLY",
    "trade_with_bank": "MARITIME_TRADE",
    "move_robber": "MOVE_ROBBER",
    "discard": "DISCARD_RESOURCE",
}
POINTS = ("NORTH", "NORTHEAST", "SOUTHEAST", "SOUTH", "SOUTHWEST", "NORTHWEST")
ACROSS = {
    "EAST": "WEST",
    "WEST": "EAST",
    "NORTHEAST": "SOUTHWEST",
    "SOUTHWEST": "NORTHEAST",
    "NORTHWEST": "SOUTHEAST",
    "SOUTHEAST": "NORTHWEST",
}
STEPS = {
    "EAST": (1, 0),
    "WEST": (-1, 0),
    "NORTHEAST": (1, -1),
    "SOUTHWEST": (-1, 1),
    "NORTHWEST": (0, -1),
    "SOUTHEAST": (0, 1),
}
Theirs = tuple[str, str]


class DiffersError(Exception):
    """The engines do not agree: in which game, at which step, about what."""


def corpus(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the games of one file."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def theirs(action: list[Any]) -> Theirs:
    """Return an action of theirs as a key; the order of a pair of cards is noise."""
    name, value = action
    return name, json.dumps(sorted(value) if name == "PLAY_YEAR_OF_PLENTY" else value)


class Replay:
    """One recorded game, played again."""

    def __init__(self, book: Rulebook, recorded: dict[str, Any]) -> None:
        self.recorded = recorded
        self.steps = recorded["steps"]
        self.number = 0
        self._name_places(book)
        seats = book.seats[: recorded["players"]]
        self.seats = dict(zip(recorded["colors"], seats, strict=True))
        self.values: dict[str, Any] = {one: name for name, one in self.seats.items()}
        self.values |= {ours: name for name, ours in KINDS.items()}
        self.values |= {name: node for node, name in self.nodes.items()}
        self.values |= {name: list(cube) for cube, name in self.hexes.items()}
        self.kinds = book.model.domains["resource"].members
        self.game = Game.start(
            book,
            players=recorded["players"],
            options={"offers_per_turn": 0, "points_to_win": recorded["vp"]},
            board=self._board(book),
            chance="given",
        )
        self._chance("first_player", self.seats[self.steps[0]["actor"]])
        self.books = Books(recorded)

    def _name_places(self, book: Rulebook) -> None:
        """Find out which of our names each hex and node of theirs has."""
        board, domains = book.model.board, book.model.domains
        assert board is not None and board.face is not None
        self.corners = domains[board.corner].members
        self.hexes: dict[tuple[int, ...], str] = {}
        self.nodes: dict[int, str] = {}
        for tile in self.recorded["tiles"]:
            place = board.face_places.index((tile["xyz"][0], tile["xyz"][2]))
            self.hexes[tuple(tile["xyz"])] = domains[board.face].members[place]
            for point, corner in zip(POINTS, board.face_corners[place], strict=True):
                self.nodes[tile["nodes"][point]] = self.corners[corner]

    def _board(self, book: Rulebook) -> dict[str, dict[str, Any]]:
        """Return their board as what our set-up would deal."""
        board: dict[str, dict[str, Any]] = {}
        edges = {}
        for tile in self.recorded["tiles"]:
            dealt = board[self.hexes[tuple(tile["xyz"])]] = {
                "terrain": TERRAINS[tile["resource"]]
            }
            if tile["number"] is not None:
                dealt["number"] = tile["number"]
            edges[tile["xyz"][0], tile["xyz"][2]] = tile["edges"]
        harbours = book.model.domains["harbour"]
        for port in self.recorded["ports"]:
            side, (q, r) = ACROSS[port["direction"]], STEPS[port["direction"]]
            ends = edges[port["xyz"][0] + q, port["xyz"][2] + r][side]
            at = sorted(self.corners.index(self.nodes[node]) for node in ends)
            number = harbours.columns["corners"].values.index(tuple(at))
            sign = "any_goods"
            if port["resource"] is not None:
                sign = f"{KINDS[port['resource']]}_sign"
            board[harbours.members[number]] = {"harbour_sign": sign}
        return board

    # ------------------------------------------------------------ the run

    def run(self) -> int:
        """Compare every step and the end; return how many steps there were."""
        while self.number < len(self.steps):
            step = self.steps[self.number]
            if step["action"][0] == "DISCARD_RESOURCE":
                self._discards()
            else:
                self._step(step)
            self._same("hands and bank", self.books.cards(), self._cards())
            self.number += 1
        self.number -= 1
        outcome, winner = self.game.outcome, self.recorded["winner"]
        ours = None if outcome is None else outcome.winner
        self._same("winner", None if winner is None else self.seats[winner], ours)
        return len(self.steps)

    def _same(self, what: str, expected: Any, found: Any) -> None:
        """Compare, and say what differs and where."""
        if expected == found:
            return
        if isinstance(expected, set):
            expected, found = sorted(expected - found), sorted(found - expected)
        step = self.steps[self.number]
        raise DiffersError(
            f"{what} differ in game {self.recorded['seed']} of "
            f"{self.recorded['players']}, step {self.number} "
            f"({step['actor']} {step['action']}): theirs {expected}, ours {found}"
        )

    def _chance(self, event: str, outcome: Any) -> None:
        self.game.apply({"chance": event, "outcome": outcome})

    def _step(self, step: dict[str, Any]) -> None:
        """Compare the seat and the legal actions, then do what was done."""
        self._same("seat", self.seats[step["actor"]], self.game.to_act)
        legal = {
            key: action
            for action in self.game.legal_actions()
            for key in self._translated(action)
        }
        self._same("legal actions", set(map(theirs, step["legal"])), set(legal))
        (name, value), result = step["action"], step["result"]
        self.game.apply(legal[theirs(step["action"])])
        if name == "ROLL":
            self._chance("roll", result)
        elif name == "BUY_DEVELOPMENT_CARD":
            self._chance("draw", CARDS[result])
        elif name == "MOVE_ROBBER" and value[1] is not None:
            self.game.apply(f"steal_from({self.seats[value[1]]})")
            self._chance("steal", KINDS[result])
        self.books.enter(step)

    def _discards(self) -> None:
        """Compare a batch of discards, seat by seat (row 7)."""
        begun = self.number
        batch = [
            *takewhile(
                lambda x: x["action"][0] == "DISCARD_RESOURCE", self.steps[begun:]
            )
        ]
        actors = [self.seats[step["actor"]] for step in batch]
        asked = set()
        while self._may_discard(self.game):
            seat = self.game.to_act
            assert seat is not None
            asked.add(seat)
            ways = [Counter(way) for way in self._ways(self.game, seat, ())]
            given: Counter[str] = Counter()
            for number, step in enumerate(batch, begun):
                if actors[number - begun] == seat:
                    self.number = number
                    legal = {
                        k for k in KINDS if any(given + Counter([k]) <= w for w in ways)
                    }
                    self._same("discards", {kind for _, kind in step["legal"]}, legal)
                    given[step["action"][1]] += 1
            for kind in self.kinds:
                for _ in range(given[self.values[kind]]):
                    self.game.apply(f"discard({kind})")
        self._same("seats that discard", set(actors), asked)
        for step in batch:
            self.books.enter(step)
        self.number = begun + len(batch) - 1

    def _may_discard(self, game: Game) -> bool:
        return any(action.name == "discard" for action in game.legal_actions())

    def _ways(self, game: Game, seat: str, given: tuple[str, ...]) -> Iterator[Any]:
        """Yield all the cards that a seat may give back together."""
        if game.to_act != seat or not self._may_discard(game):
            yield given
            return
        for action in game.legal_actions():
            ahead = game.copy()
            ahead.apply(action)
            yield from self._ways(
                ahead, seat, (*given, self.values[action.arguments[0]])
            )

    def _translated(self, action: Action) -> list[Theirs]:
        """Return what an action of ours is called there."""
        name = NAMES.get(action.name, action.name)
        values = [self.values.get(one, one) for one in action.arguments]
        if action.name == "pass":  # row 8
            return []
        if name in {"PLAY_ROAD_BUILDING", "MARITIME_TRADE", "MOVE_ROBBER"}:
            ahead = self.game.copy()
            ahead.apply(action)
            return self._split(name, values, ahead)
        if name == "BUILD_ROAD":
            ends = action.arguments[-1].split("-")
            return [theirs([name, sorted(self.values[end] for end in ends)])]
        if name == "PLAY_YEAR_OF_PLENTY":
            return [theirs([name, values])]
        return [theirs([name, values[0] if values else None])]

    def _split(self, name: str, values: list[Any], ahead: Game) -> list[Theirs]:
        """Return what an action is called there when its consequences say it."""
        names = [action.name for action in ahead.legal_actions()]
        if name == "PLAY_ROAD_BUILDING":  # row 8
            return [theirs([name, None])] if "build_road" in names else []
        if name == "MARITIME_TRADE":  # row 9
            paid = self._cards() - self._cards(ahead)
            rate = sum(number for (who, _), number in paid.items() if who != BANK)
            give = [values[0]] * rate + [None] * (4 - rate)
            return [theirs([name, [*give, values[1]]])]
        victims = [
            self.values[a.arguments[0]]
            for a in ahead.legal_actions()
            if a.name == "steal_from"
        ]
        return [theirs([name, [values[0], victim]]) for victim in victims or [None]]

    def _cards(self, game: Game | None = None) -> Counter[tuple[str, str]]:
        """Return how many of each card each seat and the bank hold."""
        position = (game or self.game).position
        holders = {BANK: position["game"]["bank"]}
        holders |= {
            self.values[seat]: own["hand"] for seat, own in position["player"].items()
        }
        return Counter(
            {
                (who, kind): n
                for who, bag in holders.items()
                for kind, n in bag.items()
                if n
            }
        )
