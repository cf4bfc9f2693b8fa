"""Games in which every statement contains every kind of expression.

The parts include names bound by `let`, by loops and by parameters, attributes of rows,
values that may be `none`, and numbers of every origin. Each statement is an action,
once alone and once after a choice, to test both forms of generated code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import rulebook
from rulebook import Rulebook, RulesError

HEAD = """rules language 1
rulebook parts "Parts"
  players 2 to 3
  turns 40
kind good (goods): wood, clay, gold
kind track (tracks)
  track | good | price | twin
  art   | wood | 2     | clay
  law   | clay | -     | -
cards tale (tales)
  tale  | copies | good | worth
  plain | 3      | wood | 1
  grand | 2      | -    | 2
spaces cell (cells) by column 1 to 3, row 1 to 2
links way (ways) between cell by (1, 0), (0, 1)
piece stone (stones): 4 for each player, stands on cell
piece rail (rails): 3 for each player, stands on way
piece pawn: 1 in all, stands on cell
costs
  stone: 1 wood, 1 clay
dice die, other_die: 1 to 3
option large (0 to 3): 2 "how large"
game has
  store: bag of good, seen by all, starts with 9 of each
  crate: bag of good, seen by nobody, starts with 2 wood and 1 clay
  pile: stack of tale, seen by nobody, starts with every tale
  heap: bag of tale, seen by all
  count: 0 to 9, seen by all
  deep: -3 to 3, seen by all
  flag: yes/no, seen by all
  liked: good or none, seen by all
  mate: player or none, seen by all
  home: cell or none, seen by all
  road: way or none, seen by all
  shown: tale or none, seen by all
each player has
  hand: bag of good, seen by owner
  score: 0 to 9, seen by all
  wish: good or none, seen by all
  bond(good): 0 to 9
game has
  toll(good, 0 to 3 size): 0 to 9
each cell has
  mark: 0 to 9, seen by all
  soil: good or none, seen by all
  keeper: player or none, seen by all
payments of player: player's hand to store
define player's rank: 0 to 9 = smaller of (9, player's score + 1)
define cell is busy for player = cell has player's stone or cell's mark > 1
define player's best: good or none
  player's wish if player's wish is not none
  otherwise liked
points of player
  score: player's score
award champ of player
  most player's score
  at least 1
  on a tie, nobody has it
  when gained: note(player)
to note(player)
  if count < 9: increase count by 1
to give(player taker, good ware, 0 to 3 amount, cell)
  move up to amount ware from store to taker's hand
  if amount > 0: set cell's mark to amount
to deal_with(track)
  let it be track's twin
  move up to 1 it from store to your hand
card plain
  if count < 9: increase count by 1
card grand
  you choose good told
  move up to 1 told from store to your hand
action help(cell)
  needs free: cell has no stone and your stones_left > 0 "no"
  place your stone on cell
skip player where player's score > 8
after each round
  set count to 3
end
  the players with the lowest score where player is not mate, win
turn
  phase play
    you may, until rest:
      {offers}
"""

BOUND = """  let stuff be track's good
  let other be track's twin
  let rich be champ's holder
  let spot be pawn's cell
  let found be some cell where cell has your stone
  let dear be track's price
  let low be -2
"""
"""Names bound in every action before its statement.

`cell target` and the row come from its parameters.
"""

PARTS: dict[str, tuple[str, ...]] = {
    "good": (
        *("wood", "stuff", "other", "liked", "none", "track's good", "track's twin"),
        *("your wish", "rich's wish", "your best", "rich's best", "spot's soil"),
        *("target's soil", "(some good in store)", "home's keeper's wish"),
        "shown's good",
        "(some good in your hand where good is not wood)",
    ),
    "player": (
        *("you", "rich", "mate", "none", "winner", "active_player", "spot's keeper"),
        *("(some player where player is not you)", "home's keeper", "target's keeper"),
        *("(only player with the most score)", "(next player after rich)"),
        "next player",
        "(first player in players clockwise after spot's keeper with the most stones)",
    ),
    "number": (
        *("3", "0", "-1", "count", "deep", "dear", "low", "large", "round", "die"),
        *("your rank", "rich's rank", "rich's points", "target's mark", "spot's mark"),
        *("your stones_left", "rich's stones_left", "(number of wood in your hand)"),
        *("(number of stuff in rich's hand)", "(number of cells)", "half of (count)"),
        *("larger of (count, low)", "(count - 3)", "(dear * 2)", "track's price"),
        *("(sum over player of player's score)", "target's column", "home's column"),
        *("(number of cards in pile)", "your bond(stuff)", "rich's bond(other)"),
        "toll(liked, count)",
        *("(highest score of any player)", "(number of cells with the lowest mark)"),
        "(lowest mark of any cell in rich's stones where cell is not spot)",
        "(longest trail of rich's rails broken at cell where cell is busy for you)",
        "(sum over n in 1 to count of n)",
        "(number of combinations of tales in heap where combination has shown)",
        "(number of combinations lot of at most 2 goods in rich's hand where flag)",
        "(most cards in lot of any combination lot of count tales in heap where flag)",
        "(longest trail of your rails and rich's rails by count changing at cell)",
        "(steps from spot to home over way where way has rich's rail)",
        "(cheapest way from spot to home over way by count + 1)",
        "(steps from target to rich's stones over cell through cell where flag)",
    ),
    "truth": (
        *("flag", "yes", "not flag", "liked is none", "rich is you", "spot is none"),
        *("your hand has stuff", "your hand has other", "rich's hand is empty"),
        *("target is busy for you", "spot is busy for rich", "home has rich's stone"),
        *("target has another player's stone", "store has cost of stone", "dear > low"),
        *("(some good in rich's hand where good is stuff)", "shown is none"),
        *("other is liked", "help is legal", "help(spot) is legal for rich"),
        *("(no n in 1 to dear where n = count)", "spot has pawn", "pile is empty"),
        "(some combination of 2 goods in your hand where combination has stuff)",
        "target is in (reach from spot over cell where cell has no stone)",
        "home is in (reach from target over way where flag within dear steps)",
    ),
    "cell": (
        *("cell_1_1", "target", "spot", "home", "found", "none"),
        *("cell(target's column + 1, 1)", "cell(dear, low)", "rich's stone's cell"),
        "(some cell where cell has no stone)",
    ),
    "tale": ("plain", "shown", "none", "(some tale in heap)"),
    "bag": (
        *("your hand", "rich's hand", "store", "nothing of good", "cost of stone"),
        *("1 wood, 1 clay", "(bag over good of count)"),
    ),
    "set": (
        *("cells", "target's neighbours", "spot's neighbours", "your stones"),
        *("(every cell where cell is busy for rich)", "rich's stones"),
        "(reach from spot over cell where cell has no stone)",
    ),
    "holder": (
        *("your hand", "rich's hand", "store", "mate's hand", "home's keeper's hand"),
    ),
}
"""Expressions by the sort of their value."""

STATEMENTS = (
    *("let x be {good}", "let x be {player}", "let x be {number}", "let x be {truth}"),
    *("let x be {cell}", "let x be {bag}", "let x be {tale}"),
    "let x be top card of pile",
    "if the card at place {number} of pile = {tale}: set count to 1",
    "if card at place {number} from the bottom of pile is {tale}: set count to 2",
    "let x be {number}\n  set x to {number}\n  if x > 1 and x < 9: set count to x",
    "let x be {good}\n  move up to 1 x from store to your hand",
    "let x be {good}\n  move 1 x from your hand to store",
    "let x be {player}\n  set x's score to 1",
    "let x be {cell}\n  if x is not none: set x's mark to 1",
    "let x be {bag}\n  if store has x: move x from store to your hand",
    *("set liked to {good}", "set mate to {player}", "set count to {number}"),
    *("set flag to {truth}", "set home to {cell}", "set {player}'s wish to {good}"),
    *("set {player}'s score to 2", "set {cell}'s mark to 3"),
    "set {cell}'s keeper to you",
    "set {cell}'s soil to {good}",
    "if {number} >= 0 and {number} < 10: set count to {number}",
    "move 1 {good} from store to your hand",
    "move up to {number} {good} from {holder} to store",
    "move up to 2 {good} from store to {holder}",
    "if {holder} has {good}: move 1 {good} from {holder} to store",
    "move all {good} from {holder} to store",
    "move everything from {holder} to store",
    "discard up to {number} {good} from {holder}",
    "move a random card from {holder} to store",
    "if store has {bag}: move {bag} from store to your hand",
    "move up to 1 {tale} from heap to top of pile",
    "move the top card from pile to heap",
    "if shown is none: move up to 1 {tale} from heap to shown",
    "if your stones_left > 0: place your stone on {cell}",
    "place pawn on {cell}",
    "remove {player}'s stone from {cell}",
    *("set {player}'s bond({good}) to 1", "set toll({good}, {number}) to 2"),
    "each it in {set}: set it's mark to 1",
    "each it in {set} where {truth}: set it's mark to 1",
    "each n in 1 to {number}: set count to 1",
    "each player in order of score with the most stones: set player's score to 1",
    "each player in falling order of score, first 2: set player's score to 1",
    (
        "if exactly one player x{id} with the lowest rank where {truth}:\n"
        "    set x{id}'s score to 1\n  otherwise: set count to 2"
    ),
    (
        "if some player x{id} in order of score where {truth}:\n"
        "    set x{id}'s score to 1\n  otherwise: set count to 2"
    ),
    "each good: move up to 1 good from {holder} to store",
    "each player where player is {player}: set player's score to 1",
    "each player in players clockwise from {player}: set player's score to 1",
    "each player in players clockwise from {player}: player chooses good x{id}",
    "repeat {number} times:\n    if count < 9: increase count by 1",
    "repeat {number} times: you choose good x{id}",
    "repeat until {truth}, at most {number} times:\n    set count to 1",
    "repeat until {truth}, at most 3 times: you choose good x{id}",
    "if {truth}: set count to 1\n  otherwise: set count to 2",
    "if {truth}: you choose good x{id}",
    "{player} chooses good x{id} in {holder}\n  set liked to x{id}",
    "{player} may choose good x{id} in {holder} where {truth}:\n    set liked to x{id}",
    "you choose x{id} in {set}\n  set x{id}'s mark to 2",
    (
        "you choose x{id} in 0 to {number}\n"
        "  if x{id} > 0 and x{id} < 9: set count to x{id}"
    ),
    "{player} gather 1 to {number} good in {holder} as x{id}",
    (
        "you gather {number} to 3 good in {holder} as x{id}\n"
        "  move x{id} from {holder} to store"
    ),
    "{player} carries out {tale}",
    "{player} may do help({cell})",
    "{player} do help",
    (
        "at the same time each player where player is {player} or {truth}:\n"
        "    player may choose good x{id} in player's hand:\n"
        "      move up to 1 x{id} from player's hand to store"
    ),
    "{player} sees pile",
    "{player} sees {holder}",
    "chance chooses x{id} in {set}\n  set x{id}'s mark to 4",
    "chance chooses good x{id} in {holder}\n  set liked to x{id}",
    "roll die and other_die so that {truth}",
    "carry out {tale}",
    "{player} starts",
    "if count = 7: {player} wins",
    "if count = 7: {player} and {player} win",
    "if count = 7: every player where {truth}, wins",
    "if count = 7: the players with the most score, then the fewest stones, win",
    "if count = 7: the game ends",
    "{player} has the next turn",
    "{player} misses a turn",
    "the turns go the other way",
    "if {truth}: stop\n  set count to 1",
    "shuffle pile",
    "give({player}, {good}, {number}, {cell})",
    "give(you, {good}, 1, target)",
    "deal_with(track)",
    (
        "let owed be a tally of player and good\n"
        "  increase owed({player}, {good}) by {number}\n"
        "  if owed({player}, {good}) = 1: set count to 1"
    ),
    "step part: set liked to {good}",
)
"""Statements with placeholders for values; names with `{id}` are variables."""

MIXED = 8
"""Number of versions of a statement with random parts in all placeholders."""

PLACE = re.compile(r"\{(\w+)\}")
CHOICE = "  you choose player first{id}\n"


def sentences(statement: str) -> Iterator[str]:
    """Yield a statement with each part in each placeholder, the others kept simple."""
    places = [place for place in PLACE.findall(statement) if place != "id"]
    for number, sort in enumerate(places or ["truth"]):
        for part in PARTS[sort] if places else ("",):
            yield filled(statement, {number: part})
    numbers = Random(statement)
    for _ in range(MIXED if len(places) > 1 else 0):
        chosen = [numbers.choice(PARTS[sort]) for sort in places]
        yield filled(statement, dict(enumerate(chosen)))


def filled(statement: str, chosen: dict[int, str]) -> str:
    """Return a statement with its placeholders filled."""
    count = -1

    def part(match: re.Match[str]) -> str:
        nonlocal count
        if match[1] == "id":
            return match[0]
        count += 1
        return chosen.get(count, PARTS[match[1]][0])

    return PLACE.sub(part, statement)


def actions() -> Iterator[str]:
    """Yield every action, named by its number."""
    number = 0
    for statement in STATEMENTS:
        for sentence in dict.fromkeys(sentences(statement)):
            for before in ("", CHOICE):
                body = f"{BOUND}{before}  {sentence}".replace("{id}", str(number))
                yield f"action act{number}(track, cell target)\n{body}\n"
                number += 1
    for truth in PARTS["truth"]:
        need = truth.replace("stuff", "track's good").replace("other", "track's twin")
        need = need.replace("rich", "champ's holder").replace("spot", "pawn's cell")
        need = need.replace("dear", "track's price").replace("low", "-2")
        yield (
            f"action act{number}(track, cell target)\n"
            f'  needs it: {need} "not so"\n  set count to 3\n'
        )
        number += 1


def game(some: list[str]) -> str:
    """Return the game with some of the actions."""
    names = [re.split(r"[ (]", action, maxsplit=2)[1] for action in some]
    return HEAD.replace("{offers}", ", ".join([*names, "help"])) + "".join(some)


def checked(some: list[str]) -> tuple[Rulebook, list[str]]:
    """Return the game with the actions that have no error, and their texts."""
    while True:
        text = game(some)
        try:
            return rulebook.loads(text, "parts.rules"), some
        except RulesError as error:
            lines = [diagnostic.span.line for diagnostic in error.diagnostics]
        left = without(some, text, lines)
        assert len(left) < len(some), f"mistakes on lines {lines} of no action"
        some = left


def without(some: list[str], text: str, lines: list[int]) -> list[str]:
    """Return the actions that are on none of some lines."""
    first = text[: text.index(some[0])].count("\n") + 1 if some else 0
    kept = []
    for action in some:
        last = first + action.count("\n")
        if not any(first <= line < last for line in lines):
            kept.append(action)
        first = last
    return kept
