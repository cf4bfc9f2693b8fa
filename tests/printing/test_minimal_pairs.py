"""Sentences with different meanings are printed differently, in every language."""

from collections.abc import Iterator
from itertools import combinations

import pytest

import rulebook
from tests.printing.pages import printed
from workbench.presentation.printing.pages import lines_of
from workbench.presentation.printing.sentences.text_runs import letters

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
STATEMENTS = (
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
CONDITIONS = (
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


def lines(actions: str, language: str) -> list[str]:
    """The printed line of each action of a file, without those they all have."""
    rules = rulebook.loads(GAME.lstrip() + actions, "pairs.rules")
    parts = {part.place: part for _, _, part in printed(rules, language).numbered()}
    return [
        " / ".join(letters(line.text) for line in lines_of(part))
        for place, part in parts.items()
        if place.startswith("action.say")
    ]


def files() -> Iterator[tuple[tuple[str, ...], str]]:
    """Sentences of which each two differ, and a file with an action for each."""
    for group in STATEMENTS:
        acts = (f"action say_{n}\n  {said}\n" for n, said in enumerate(group))
        yield group, "\n".join(acts)
    for group in CONDITIONS:
        acts = (
            f'action say_{n}\n  needs so: {said}  "no"\n'
            for n, said in enumerate(group)
        )
        yield group, "\n".join(acts)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("group", "text"), list(files()))
def test_different_sentences_print_differently(
    group: tuple[str, ...], text: str, language: str
) -> None:
    said = lines(text, language)

    assert len(said) == len(group)
    for first, second in combinations(said, 2):
        assert first != second


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
    parts = {part.place: part for _, _, part in printed(rules, "en").numbered()}

    (shapes,) = lines_of(parts["kind.shape"])
    assert letters(shapes.text) == f"{value}, field of rye"
    *_, said = lines_of(parts["action.say_0"])
    assert letters(said.text).lower().endswith(f"{field} to 3.")
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
            "Put 1 fief (or as many as there are) from the bag on top of the pile.",
            "Lege 1 fief (oder so viele, wie da sind) aus bag oben auf pile.",
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
