"""Ledger of hands and bank, computed only from recorded actions and results.

The corpus contains what was done and rolled, not who has what. The ledger computes
hands independently of the engine, so that both can be compared. It does not check
whether actions are legal.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

KINDS = {
    "WOOD": "lumber",
    "SHEEP": "wool",
    "WHEAT": "grain",
    "BRICK": "brick",
    "ORE": "ore",
}
CARDS = {
    "KNIGHT": "knight",
    "ROAD_BUILDING": "road_building",
    "YEAR_OF_PLENTY": "year_of_plenty",
    "MONOPOLY": "monopoly",
    "VICTORY_POINT": "victory_point",
}
PRICES = {
    "BUILD_ROAD": ["WOOD", "BRICK"],
    "BUILD_SETTLEMENT": ["WOOD", "BRICK", "WHEAT", "SHEEP"],
    "BUILD_CITY": ["ORE", "ORE", "ORE", "WHEAT", "WHEAT"],
    "BUY_DEVELOPMENT_CARD": ["ORE", "WHEAT", "SHEEP"],
}
BANK = "bank"


class Books:
    """Ledger of the resource cards of each holder."""

    def __init__(self, recorded: dict[str, Any]) -> None:
        self.held: Counter[tuple[str, str]] = Counter()
        for kind in KINDS:
            self.held[BANK, kind] = 19
        self.players = recorded["colors"]
        self.tiles = recorded["tiles"]
        self.robber = recorded["robber"]
        self.yields: dict[int, tuple[str, int]] = {}
        self.free_roads = 0

    def cards(self) -> Counter[tuple[str, str]]:
        """Return the cards of all holders that have any, by the names in `classic`."""
        return Counter(
            {(who, KINDS[kind]): n for (who, kind), n in self.held.items() if n}
        )

    def move(self, kind: str, source: str, to: str, number: int = 1) -> None:
        """Move cards from one holder to another."""
        self.held[source, kind] -= number
        self.held[to, kind] += number

    def enter(self, step: dict[str, Any]) -> None:  # noqa: C901, PLR0912  (a case a move)
        """Move the cards that a step moves."""
        (name, value), result, who = step["action"], step["result"], step["actor"]
        founding = step["prompt"].startswith("BUILD_INITIAL")
        if name in PRICES and not founding and not self._is_free(name):
            for kind in PRICES[name]:
                self.move(kind, who, BANK)
        match name:
            case "BUILD_SETTLEMENT":
                self.yields[value] = (who, 1)
                if (
                    founding
                    and sum(
                        1 for resource, _ in self.yields.values() if resource == who
                    )
                    == 2
                ):
                    for tile in self.tiles:
                        if value in tile["nodes"].values() and tile["resource"]:
                            self.move(tile["resource"], BANK, who)
            case "BUILD_CITY":
                self.yields[value] = (who, 2)
            case "ROLL":
                self.free_roads = 0
                self._harvest(sum(result))
            case "END_TURN":
                self.free_roads = 0
            case "PLAY_ROAD_BUILDING":
                self.free_roads = 2
            case "DISCARD_RESOURCE":
                self.move(value, who, BANK)
            case "MOVE_ROBBER":
                self.robber = value[0]
                if value[1] is not None:
                    self.move(result, value[1], who)
            case "MARITIME_TRADE":
                for kind in value[:-1]:
                    if kind is not None:
                        self.move(kind, who, BANK)
                self.move(value[-1], BANK, who)
            case "PLAY_YEAR_OF_PLENTY":
                for kind in value:
                    self.move(kind, BANK, who)
            case "PLAY_MONOPOLY":
                for other in self.players:
                    if other != who:
                        self.move(value, other, who, self.held[other, value])

    def _is_free(self, name: str) -> bool:
        """Return whether a road is free, and count it.

        Any other step ends the free roads.
        """
        free = name == "BUILD_ROAD" and self.free_roads > 0
        self.free_roads = self.free_roads - 1 if free else 0
        return free

    def _harvest(self, total: int) -> None:
        """Move the cards that a roll yields, if the bank has enough of a kind.

        A single player who is due more than the bank has receives the rest.
        """
        owed: Counter[tuple[str, str]] = Counter()
        for tile in self.tiles:
            if tile["number"] == total and tile["xyz"] != self.robber:
                for node in tile["nodes"].values():
                    who, number = self.yields.get(node, (BANK, 0))
                    owed[tile["resource"], who] += number
        for kind in KINDS:
            claims = {who: n for (k, who), n in owed.items() if k == kind and n}
            left = self.held[BANK, kind]
            if sum(claims.values()) > left:
                claims = dict.fromkeys(claims, left) if len(claims) == 1 else {}
            for who, number in claims.items():
                self.move(kind, BANK, who, number)
