"""Sentences with different meanings are printed differently, in every language."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

import pytest

import rulebook
from rulebook import Rulebook
from rulebook import model as m
from rulebook.tooling import find
from tests.printing.pages import ROOT, printed
from tests.printing.test_templates import CLASSES
from workbench.presentation.printing.pages import Block, TextLine, lines_of
from workbench.presentation.printing.sentences.text_runs import unstyled

GAME = """
rules language 1
rulebook pairs "Pairs"
  players 2 to 4
  turns 5

kind grain (grains): rye, oats
kind shape (shapes): victory, rye_field

cards deed (deeds)
  deed | copies
  fief | 2
  mill | 2

game has
  a: 0 to 9
  b: 0 to 9
  row(1 to 3 n): grain or none
  pile: stack of deed, seen by nobody
  bag: bag of deed, starts with every deed
  who: player or none
  mill: 0 to 9

each player has
  gold: 0 to 9
  lane(1 to 3 n): 0 to 9
  hand: bag of deed

rule victory
  whenever a = 9 and b = 0:
    set b to 1

action pass_by
  set b to 0

turn
  phase work
    you do pass_by

"""
CLOCKWISE = "each player in players clockwise"
Groups = tuple[tuple[str, ...], ...]
STATEMENTS: Groups = (
    (
        "set row(1) to 1 place after row(2)",
        "set row(1) to 2 places after row(2)",
        "set row(1) to 1 place before row(2)",
        "set row(1) to 2 places before row(2)",
        "set row(1) to a places before row(2)",
        "set row(1) to (a + 1) places before row(2)",
        "set row(1) to 1 place after (1 place after row(2))",
        "set row(1) to row(2)",
    ),
    ("set who to next player", "set who to next player after who"),
    ("set who to next player", "set who to next player where player's gold > 1"),
    (
        "set who to next player",
        "set who to first player in players clockwise from you where player's gold > 1",
    ),
    (
        "set who to first player in players clockwise from you",
        "set who to first player in players clockwise after you",
    ),
    (
        "each player where player's gold > 1: set player's gold to 0",
        "each player where still player's gold > 1: set player's gold to 0",
        "each player: set player's gold to 0",
    ),
    (
        f"{CLOCKWISE} from you where player's gold > 1: set a to 1",
        f"{CLOCKWISE} from you where still a > 1: set a to 1",
        f"{CLOCKWISE} after you where still a > 1: set a to 1",
    ),
    (
        "move up to 1 mill from bag to pile",
        "move up to 1 mill from bag to bottom of pile",
        "move up to 1 mill from bag to your hand",
        "move all mill from bag to your hand",
    ),
    (
        "move a random card from bag to pile",
        "move a random card from bag to bottom of pile",
        "move a random card from bag to your hand",
    ),
    ("set row(2) to rye", "set row(3) to rye", "set row(2) to oats"),
    ("set your lane(2) to 1", "set your lane(1) to 2", "set your gold to 1"),
    ("increase a by up to 2", "increase a by up to 3", "decrease a by up to 2"),
    ("set a to 3", "set b to 3"),
)
CONDITIONS: Groups = (
    (
        "some combination of deeds in bag where combination has mill",
        "no combination of deeds in bag where combination has mill",
        "some combination of 2 deeds in bag where combination has mill",
        "some combination of at least 2 deeds in bag where combination has mill",
        "some combination of at most 2 deeds in bag where combination has mill",
        "some combination of deeds in your hand where combination has mill",
        "some combination of deeds in bag where combination has fief",
        "some combination of deeds in bag",
        "1 < number of combinations of deeds in bag where combination has mill",
        "1 < most mill in lot of any combination lot of deeds in bag",
        "1 < fewest mill in lot of any combination lot of deeds in bag",
    ),
    (
        "no n in 1 to 3 where row(n) = rye and a = 1",
        "(no n in 1 to 3 where row(n) = rye) and a = 1",
        "a = 1 and no n in 1 to 3 where row(n) = rye",
        "some n in 1 to 3 where row(n) = rye and a = 1",
    ),
    (
        "no n in 1 to 3 where (row(n) = rye or row(n) = oats) and a = 1",
        "no n in 1 to 3 where row(n) = rye or (row(n) = oats and a = 1)",
        "(no n in 1 to 3 where row(n) = rye or row(n) = oats) and a = 1",
        "(no n in 1 to 3 where row(n) = rye) or (row(1) = oats and a = 1)",
    ),
    (
        "(number of player where player's gold = 1) = 2 and a = 1",
        "(number of player where player's gold = 1 and a = 1) = 2",
    ),
    ("a = 1 and b = 1 or mill = 1", "a = 1 and (b = 1 or mill = 1)"),
    ("not (a = 1 and b = 1)", "not a = 1 and b = 1"),
    ("a - (b - mill) = 1", "a - b - mill = 1"),
)


VILLAGE = (ROOT / "docs" / "language" / "village.rules").read_text(encoding="utf-8")
COAST = """
kind sign (signs): sun, moon

cards omen (omens)
  omen  | copies | sign
  day   | 2      | sun
  night | 1      | moon

piece ship   (ships):   6 for each player, stands on path
piece worker (workers): 5 for each player, stands on site, any number
piece fish   (fishes):  9 in all, stands on land, up to 4
piece keg    (kegs):    2 for each player, stands on mooring

spaces mooring (moorings) of each player by column 1 to 3

game has
  count: 0 to 9, seen by all
  flag: yes/no, seen by all
  crier: player or none, seen by all
  liked: good or none, seen by all
  chest: bag of good, seen by all
  pages: stack of fortune, seen by all
  scrolls: stack of fortune, seen by all

each land has
  sign: sign or none, seen by all
  omen: omen or none, seen by all

each path has
  length: 1 to 3, seen by all, starts at 1

define player's harvest: bag of good
  bag over good of number of player's houses

to tithe(player, 0 to 9 amount)
  increase player's fame by up to amount

rule drought
  whenever count = 9: the game ends

end
  players with the most fame win

"""
STEPS: Groups = (
    (
        "you gather 1 to 2 good in your hand as gift",
        "you gather 1 to 3 good in your hand as gift",
        "you gather 2 to 2 good in your hand as gift",
        "you gather 1 to 2 good in store as gift",
        "you gather 1 to 2 good as gift",
        "you gather 1 to 2 good in your hand where good is not wood as gift",
        "you gather 1 to 2 good in your hand as toll",
        "red gathers 1 to 2 good in red's hand as gift",
    ),
    (
        "chance spreads omen over land as sign",
        "chance spreads omen over land as omen",
        "chance spreads omen over land where land's number = 3 as sign",
        "chance spreads omen over land as sign so that grove's sign is sun",
        "chance spreads omen over land as sign so that grove's sign is moon",
    ),
    (
        "move everything from your hand to store",
        "move everything from store to your hand",
        "move all wood from your hand to store",
        "move all clay from your hand to store",
        "discard everything from your hand",
    ),
    (
        "move everything from your fortunes to deck",
        "move everything from your fortunes to pages",
        "move all flood from your fortunes to deck",
    ),
    (
        "step here: set count to 3",
        "step there: set count to 3",
        "set count to 3",
        "step here: set count to 4",
    ),
    (
        "step here:\n    set count to 3\n    set flag to yes",
        "step here:\n    set count to 3\n  set flag to yes",
    ),
    (
        "step here: stop\n  set flag to yes",
        "if flag: stop\n  set flag to yes",
        "if not flag: stop\n  set flag to yes",
        "if flag: set flag to yes",
    ),
    (
        "let line be longest trail of your roads",
        "let line be longest trail of red's roads",
        "let line be longest trail of your ships",
        "let line be longest trail of your roads and your ships",
        "let line be longest trail of your roads by length",
        "let line be longest trail of your roads by path's length + 1",
        "let line be (longest trail of your roads by path's length) + 1",
        "let line be longest trail of your roads broken at site where site has a house",
        "let line be longest trail of your roads broken at site where count > 1",
    ),
    (
        (
            "let line be longest trail of your roads and your ships changing at site"
            " where site has a house"
        ),
        (
            "let line be longest trail of your roads and your ships broken at site"
            " where site has a house"
        ),
        (
            "let line be longest trail of your roads and your ships changing at site"
            " where site has a house broken at site where site has a house"
        ),
        (
            "let line be longest trail of your roads and your ships changing at site"
            " where site has a worker broken at site where site has a house"
        ),
    ),
    (
        "let near be reach from C1 over site where site has no house",
        "let near be reach from C2 over site where site has no house",
        "let near be reach from C1 over site where site has a house",
        "let near be reach from C1 over site one to other where one has a house",
        "let near be reach from C1 over site one to other where other has a house",
        "let near be reach from C1 over site other to one where other has a house",
        "let near be reach from C1 over path where path has no road",
        "let near be reach from C1 over path where path has no road within 2 steps",
        "let near be reach from C1 over path where path has no road within 3 steps",
        (
            "let near be reach from C1 over path where path has no road"
            " through site step where step has no house"
        ),
        (
            "let near be reach from C1 over path where path has no road"
            " through site step where step has a house"
        ),
        (
            "let near be reach from C1 over path where path has no road"
            " through site step where step has no house within 2 steps"
        ),
        (
            "let near be reach from (every site where site has your house)"
            " over path where path has no road"
        ),
    ),
    (
        "let near be steps from C1 to C2 over path where path has no road",
        "let near be steps from C2 to C1 over path where path has no road",
        "let near be steps from C1 to C2 over site where site has no house",
        "let near be (steps from C1 to C2 over path where path has no road) + 1",
        "let near be steps from C1 to C2 over path through site where count > 1",
        "let near be cheapest way from C1 to C2 over path by 2",
        "let near be cheapest way from C1 to C2 over path by count",
    ),
    (
        "if C1 has 2 of your workers: remove 2 of your workers from C1",
        "if C1 has 2 of your workers: remove 1 of your workers from C1",
        "remove all your workers from C1",
        "remove up to 2 of your workers from C1",
        "remove up to (number of your workers on C2) of your workers from C1",
        "remove all your workers from C2",
    ),
    (
        "move up to 2 of your workers from C1 to C2",
        "move up to 2 of your workers from C2 to C1",
        "move up to 3 of your workers from C1 to C2",
        "move all your workers from C1 to C2",
        "move up to (number of your workers on C2) of your workers from C1 to C2",
    ),
    (
        "place your house on C1 in place of what stands there",
        "place your house on C2 in place of what stands there",
        "if your houses_left > 0 and C1 has no house: place your house on C1",
        "if your houses_left > 0 and C2 has no house: place your house on C2",
    ),
    (
        "if your workers_left > 4: place 2 of your workers on C1",
        "if your workers_left > 4: place 3 of your workers on C1",
        (
            "if your workers_left >= number of your workers on C1:"
            " place (number of your workers on C1) of your workers on C1"
        ),
    ),
    (
        "set your fame to smaller of (9, your fame + 2)",
        "set your fame to smaller of (8, your fame + 2)",
        "set your fame to smaller of (9, red's fame + 2)",
        "set your fame to larger of (0, your fame - 2)",
        "set your fame to larger of (1, your fame - 2)",
    ),
    (
        "let owed be a tally of player\n  increase owed(you) by 2",
        "let owed be a tally of player\n  set owed(you) to 2",
        "let owed be a tally of good\n  set owed(wood) to 2",
        "let due be a tally of player\n  set due(you) to 2\n  set count to due(red)",
        "let due be a tally of player\n  set due(you) to 2\n  set count to due(blue)",
    ),
    ("roll white_die", "roll red_die", "roll white_die and red_die"),
    (
        "roll white_die and red_die so that white_die > 1",
        "roll white_die and red_die so that red_die > 1",
        "roll white_die and red_die",
    ),
    ("shuffle deck", "shuffle pages"),
    (
        'announce "The storm begins"',
        'announce "The storm ends"',
        'announce "{you} begins"',
        'announce "{red_die} begins"',
    ),
    (
        "let leaf be top card of pages",
        "let leaf be top card of scrolls",
        "let page be top card of pages",
    ),
    (
        "chance chooses land",
        "chance chooses site",
        "chance chooses land where land has no crow",
    ),
    (
        "you choose land",
        "you choose land, if there are several",
        "you choose land where land has no crow",
        "red chooses land",
        "you may choose land: set count to 1",
        "you may choose land: set count to 2",
    ),
    (
        "you do draw_fortune",
        "red does draw_fortune",
        "you may do draw_fortune",
        "you may do draw_fortune: set count to 1",
        "you may do draw_fortune, up to 2 times",
        "you do draw_fortune, build_road",
        "you do build_road",
        "you do build_road without paying",
        "you do move_crow(grove)",
        "you do move_crow(quarry)",
    ),
    (
        "you may, until end_turn:\n    draw_fortune",
        "you may, until end_turn:\n    build_road",
        "you may, until rest:\n    draw_fortune",
        "you may do draw_fortune",
    ),
    ("you see pages", "red sees pages", "you see deck"),
    (
        "carry out (first fortune in your fortunes)",
        "red carries out (first fortune in your fortunes)",
        "carry out (first fortune in red's fortunes)",
    ),
    (
        "you win",
        "red wins",
        "nobody wins",
        "every player where player's fame > 3, wins",
    ),
    (
        "players with the most fame win",
        "players with the fewest fame win",
        "players with the most houses win",
        "players with the most fame, then the most houses win",
        "players with the most fame where player is not red, win",
    ),
    (
        "red starts",
        "red has the next turn",
        "red misses a turn",
        "blue starts",
        "blue has the next turn",
        "blue misses a turn",
    ),
    ("the game ends", "stop"),
    ("turns go clockwise", "turns go counterclockwise", "turns go the other way"),
    (
        "tithe(you, 2)",
        "tithe(you, 3)",
        "tithe(red, 2)",
        "gain(you, wood, 2)",
        "gain(you, wood, 2 + 1)",
    ),
    (
        "repeat 2 times: tithe(you, 1)",
        "repeat 3 times: tithe(you, 1)",
        "repeat until flag, at most 2 times: tithe(you, 1)",
        "repeat until not flag, at most 2 times: tithe(you, 1)",
        "repeat count times: tithe(you, 1)",
        "tithe(you, 1)",
    ),
    (
        "each player: tithe(player, 1)",
        "each player where player's fame > 3: tithe(player, 1)",
        "each player in order of fame: tithe(player, 1)",
        "each player in falling order of fame: tithe(player, 1)",
        "each player in falling order of fame, first 2: tithe(player, 1)",
        "each player in falling order of fame, first (count): tithe(player, 1)",
        "each player in order of fame, first 2: tithe(player, 1)",
        "each player with the most fame: tithe(player, 1)",
        "each player with the fewest fame: tithe(player, 1)",
        "at the same time each player: tithe(player, 1)",
        "at the same time each player where player's fame > 3: tithe(player, 1)",
    ),
    (
        "each player guest in players clockwise from you: tithe(you, 1)",
        "each player in players clockwise from you: tithe(you, 1)",
        "each player guest in players clockwise from you: tithe(guest, 1)",
    ),
    (
        "let kin be next player where player's fame > 1",
        "let kin be next player after red where player's fame > 1",
        "let kin be only player with the most fame",
        "let kin be only player with the fewest fame",
        "let kin be first player with the most fame",
        "let kin be crier",
    ),
    (
        "let total_fame be sum over player of player's fame",
        "let total_fame be sum over player of player's fame + 1",
        "let total_fame be (sum over player of player's fame) + 1",
        "let total_fame be highest fame of any player",
        "let total_fame be lowest fame of any player",
        "let total_fame be number of players with the most fame",
        "let total_fame be number of players where player's fame > 1",
        "let total_fame be (number of players where player's fame > 1) + 1",
        "let total_fame be number of players where player's fame > 1 + 1",
    ),
    (
        "let rungs be number of n in 1 to 3 where n < count",
        "let rungs be number of n in 1 to 3 + 1 where n < count",
        "let rungs be sum over n in 1 to 3 of n",
        "let rungs be (sum over n in 1 to 3 of n) + 1",
        "let rungs be sum over n in 1 to 3 + 1 of n",
    ),
    (
        "let most be smaller of (count, your fame + 1)",
        "let most be (smaller of (count, your fame)) + 1",
        "let most be larger of (count, your fame)",
        "let most be larger of (count, your fame + 1)",
        "let most be half of count",
        "let most be half of (count + 1)",
        "let most be (half of count) + 1",
        "let most be (count if flag, otherwise your fame)",
        "let most be (count if not flag, otherwise your fame)",
        "let most be (your fame if flag, otherwise count)",
    ),
    (
        "let sizes be number of cards in your hand",
        "let sizes be number of cards in store",
        "let sizes be number of wood in your hand",
        "let sizes be number of clay in your hand",
        "let sizes be number of players",
        "let sizes be houses_to_win",
        "let sizes be round",
        "let sizes be your points",
        "let sizes be red's points",
        "let sizes be number of your houses",
        "let sizes be number of your houses on C1",
        "let sizes be number of your houses on C2",
        "let sizes be number of another player's houses",
        "let sizes be number of houses",
        "let sizes be your houses_left",
        "let sizes be red's houses_left",
    ),
    (
        "set liked to wood",
        "set liked to none",
        "set liked to grove's ground's yields",
        "set liked to bank's ground's yields",
        "set liked to first good in your hand",
        "set liked to first good in store",
    ),
    (
        "set crier to active_player",
        "set crier to longest_road's holder",
        "set crier to winner",
        "set crier to none",
        "set crier to you",
    ),
    (
        "let spots be your moorings",
        "let spots be red's moorings",
        "let spots be your mooring(1)",
        "let spots be your mooring(2)",
        "let spots be C1's neighbours",
        "let spots be C1's lands",
        "let spots be C2's lands",
        "let spots be crow's land",
        "let spots be every land",
        "let spots be every land where land has no crow",
        "let spots be every site",
        "let spots be your houses",
        "let spots be red's houses",
        "let spots be winners",
    ),
    (
        "let heap be your harvest",
        "let heap be red's harvest",
        "let heap be bag over good of number of your houses",
        "let heap be bag over good of number of red's houses",
    ),
)
"""Statements of the village that can run at any time."""
NEEDS: Groups = (
    (
        "C2 is in (reach from C1 over site where site has no house) and count = 1",
        "C2 is in (reach from C1 over site where site has no house and count = 1)",
    ),
    (
        "(longest trail of your roads broken at site where count = 1) = 1 and flag",
        "(longest trail of your roads broken at site where count = 1 and flag) = 1",
    ),
    (
        "C1 has a house",
        "C1 has your house",
        "C1 has another player's house",
        "C1 has no house",
        "C1 has no your house",
        "C1 has no other player's house",
        "C2 has a house",
    ),
    (
        "your hand has 1 wood",
        "your hand has 2 wood",
        "your hand has (count) wood",
        "your hand has (your harvest)",
        "your hand has cost of house",
        "your hand has cost of road",
        "store has cost of house",
        "your hand has 1 clay",
        "your hand is empty",
        "your hand is not empty",
    ),
    ("C1 is touched by you", "C1 is not touched by you", "C1 is touched by red"),
    ("flag or count = 1", "flag and count = 1", "not flag or count = 1"),
    (
        "build_road is legal",
        "build_road is not legal",
        "build_house is legal",
    ),
    (
        "top card of pages is flood",
        "top card of pages is feast",
        "top card of pages is none",
        "top card of scrolls is flood",
        "card at place 2 of pages is flood",
        "card at place 3 of pages is flood",
        "card at place 2 from the bottom of pages is flood",
    ),
)
"""Conditions of the village."""
GAMES = {"pairs": GAME.lstrip(), "village": VILLAGE + COAST}
NOT_PRINTED = {m.Require}
"""Classes that only tests in rule files have."""
UNWRITTEN = {m.PieceOwner, m.SumBags}
"""Classes that no sentence of the language becomes."""


@cache
def parsed(game: str, actions: str) -> Rulebook:
    """Return the rules of a game with more actions."""
    return rulebook.loads(GAMES[game] + actions, f"{game}.rules")


def lines(actions: str, language: str, game: str = "pairs") -> list[str]:
    """Return the printed lines of each action of a file, without the common ones."""
    page = printed(parsed(game, actions), language)
    parts = {part.place: part for _, _, part in page.numbered_sections()}
    return [
        " / ".join(text for line in part.blocks for text in with_all_below(line))
        for place, part in parts.items()
        if place.startswith("action.say")
    ]


def with_all_below(line: Block) -> Iterator[str]:
    """Yield the text of a line, then those below it, each in its depth."""
    assert isinstance(line, TextLine)
    yield unstyled(line.text)
    for each in line.children:
        yield from (f"- {text}" for text in with_all_below(each))


def files() -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Yield the game, the sentences of a group, and a file with an action for each."""
    for game, groups in (("pairs", STATEMENTS), ("village", STEPS)):
        for group in groups:
            acts = (f"action say_{n}\n  {said}\n" for n, said in enumerate(group))
            yield game, group, "\n".join(acts)
    for game, groups in (("pairs", CONDITIONS), ("village", NEEDS)):
        for group in groups:
            acts = (
                f'action say_{n}\n  needs so: {said}  "no"\n'
                for n, said in enumerate(group)
            )
            yield game, group, "\n".join(acts)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("game", "group", "text"), list(files()))
def test_different_sentences_print_differently(
    game: str, group: tuple[str, ...], text: str, language: str
) -> None:
    said = lines(text, language, game)

    assert len(said) == len(group)
    for first, second in combinations(said, 2):
        assert first != second


def nodes(act: m.Action, kind: type[Any]) -> list[Any]:
    """Return the parts of a class in what an action asks for and does."""
    return list(find((act.requirements, act.body), kind))


def test_every_class_of_the_model_has_a_pair() -> None:
    covered = set()
    for game, group, text in files():
        actions = parsed(game, text).model.actions
        acts = [actions[f"say_{n}"] for n in range(len(group))]
        for first, second in combinations(acts, 2):
            covered |= {
                kind for kind in CLASSES if nodes(first, kind) != nodes(second, kind)
            }

    assert set(CLASSES) - NOT_PRINTED - UNWRITTEN - covered == set()


WORDS = """
words en
  victory = "enough on one's own turn"
  mill    = "Windmill", "Windmills"
  shape.rye_field = "field of rye"
"""


@pytest.mark.parametrize(
    ("words", "value", "field"),
    [("", "victory", "mill"), ('  game.mill = "the stock"\n', "victory", "the stock")],
)
def test_names_have_the_title_of_their_own_declaration(
    words: str, value: str, field: str
) -> None:
    act = "action say_0\n  set mill to 3\n"
    rules = rulebook.loads(GAME.lstrip() + act + WORDS + words, "pairs.rules")
    parts = {
        part.place: part for _, _, part in printed(rules, "en").numbered_sections()
    }

    (shapes,) = lines_of(parts["kind.shape"])
    assert unstyled(shapes.text) == f"{value}, field of rye"
    *_, said = lines_of(parts["action.say_0"])
    assert unstyled(said.text).lower().endswith(f"{field} to 3.")
    assert parts["rule.victory"].title[0].text == "Enough on one's own turn"


@pytest.mark.parametrize(
    ("said", "english", "german"),
    [
        (
            "set who to next player after who",
            "Set the who to the next player after the who.",
            "Who wird: der nächste Spieler nach who.",
        ),
        (
            "set who to first player in players clockwise after you",
            "Set the who to the first player of the other players clockwise after you.",
            (
                "Who wird: das Erste hiervon: Spieler (alle anderen Spieler im"
                " Uhrzeigersinn nach dir)."
            ),
        ),
        (
            "move up to 1 fief from bag to top of pile",
            "Put 1 fief (or as many as are available) from the bag on top of the pile.",
            "Lege 1 fief (oder so viele wie vorhanden) aus bag oben auf pile.",
        ),
        (
            "each player where still a > 1: set a to 1",
            (
                "For each player in turn, if the a is more than 1 at that time:"
                " Set the a to 1."
            ),
            (
                "Nacheinander für alle Spieler, sofern dann gilt: a ist mehr als 1:"
                " A wird: 1."
            ),
        ),
        ("set row(2) to rye", "Set the row of 2 to rye.", "Row bei 2 wird: rye."),
    ],
)
def test_the_wording(said: str, english: str, german: str) -> None:
    act = f"action say_0\n  {said}\n"

    assert lines(act, "en")[0].endswith(english)
    assert lines(act, "de")[0].endswith(german)


def test_the_name_of_a_field_is_no_article() -> None:
    said = lines('action say_0\n  needs so: a = 1  "no"\n', "en")[0]

    assert "the a is 1" in said
