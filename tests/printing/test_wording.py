"""Values, conditions and endings read like the sentences of a rulebook."""

import pytest

import rulebook
from rulebook import Rulebook
from tests.printing.pages import printed
from workbench.presentation.printing.pages import PageSection, lines_of
from workbench.presentation.printing.sentences.text_runs import unstyled

GAME = """
rules language 1
rulebook marks "Marks"
  players 2 to 4

kind gem (gems): ruby, opal
kind plant (plants)
  plant | is_green | mixed | needs
  fern  | yes      | no    | ruby
  moss  | no       | yes   | opal
kind firm (firms): acme, globe
spaces gate (gates)
  gate | height
  east | 2
  west | 2
  top  | 3

piece flag (flags): 1 for each firm, stands on gate
piece guard (guards): 3 for each player, stands on gate

game has
  tile_was_laid: yes/no, seen by all
  closed: yes/no, seen by all
  bank: bag of gem, starts with 9 of each
  area: set of gate, seen by all
  found: gate or none, seen by all

each player has
  is_done: yes/no, seen by all
  passed: yes/no, seen by all
  has_left: yes/no, seen by all
  gems: bag of gem, seen by all
  gold: 0 to 99, seen by all

each guard has
  awake: yes/no, seen by all

define tiles_are_left: yes/no
  not tile_was_laid

define bank_is_low: yes/no
  bank is empty

define player's holding(firm): 0 to 9
  number of player's guards

define player's can_bid: yes/no
  player's gold > 0

define player's ready(gate): yes/no
  gate has player's guard

define player's bonuses: bag of gem
  bag over gem of number of player's guards

define player's price(gem): 0 to 99
  larger of (0, player's gold - 3)

define player's worth: 0 to 200
  2 * (smaller of (player's gold, 4)) + player's price(ruby)

to act(player)
{steps}

action go
  act(you)

turn
  phase work
    you may do go

end
  the players with the most gold win
"""


def game(*steps: str) -> Rulebook:
    text = GAME.replace("{steps}", "\n".join(f"  {step}" for step in steps))
    return rulebook.loads(text, "marks.rules")


def sections(rules: Rulebook, language: str) -> dict[str, PageSection]:
    numbered = printed(rules, language).numbered_sections()
    return {part.place: part for _, _, part in numbered if part.place}


def texts(rules: Rulebook, place: str, language: str = "en") -> list[str]:
    return [unstyled(line.text) for line in lines_of(sections(rules, language)[place])]


def condition(text: str, language: str = "en") -> str:
    (line,) = texts(game(f"if {text}: stop"), "to.act", language)
    return line


# -------------------------------------------------------------------- yes/no values


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("player's is_done", "the player is done"),
        ("not player's is_done", "the player is not done"),
        ("player's has_left", "the player has left"),
        ("not player's has_left", "it is not true that the player has left"),
        ("player's passed", "passed applies to the player"),
        ("not player's passed", "passed does not apply to the player"),
        ("tile_was_laid", "the tile was laid"),
        ("not tile_was_laid", "the tile was not laid"),
        ("closed", "closed applies"),
        ("not closed", "closed does not apply"),
        ("not tiles_are_left", "no tiles are left"),
        ("not bank_is_low", "the bank is not low"),
        ("not player's can_bid", "the player cannot bid"),
        ("player's ready(east)", "ready applies to the player for east"),
        ("fern's is_green", "fern is green"),
        ("not fern's mixed", "mixed does not apply to fern"),
    ],
)
def test_yes_or_no_is_a_statement(text: str, english: str) -> None:
    assert condition(text) == f"If {english}: Nothing else happens."


@pytest.mark.parametrize(
    ("text", "german"),
    [
        ("player's passed", "passed gilt für den Spieler"),
        ("not player's passed", "passed gilt nicht für den Spieler"),
        ("not closed", "closed gilt nicht"),
        ("tile_was_laid", "tile was laid gilt"),
    ],
)
def test_name_without_words_applies_in_german(text: str, german: str) -> None:
    line = condition(text, "de")
    assert line == f"Wenn gilt: {german}, dann: Sonst geschieht nichts."


def test_german_words_with_a_verb_are_a_statement() -> None:
    words = 'words de\n  is_done = "ist fertig"\n  tile_was_laid = "Stapel ist leer"\n'
    text = GAME.replace("{steps}", "  if not player's is_done: stop\n")
    more = "  if not tile_was_laid: stop\n  set your is_done to yes\n"
    rules = rulebook.loads(
        text.replace("stop\n", f"stop\n{more}", 1) + words, "m.rules"
    )

    assert texts(rules, "to.act", "de") == [
        "Wenn gilt: der Spieler ist nicht fertig, dann: Sonst geschieht nichts.",
        "Wenn gilt: Stapel ist nicht leer, dann: Sonst geschieht nichts.",
        "Vermerke: du bist fertig.",
    ]


def test_changes_of_yes_or_no_are_recorded() -> None:
    rules = game(
        "set player's passed to yes",
        "set your is_done to no",
        "set tile_was_laid to yes",
        "set player's is_done to player's passed",
    )

    assert texts(rules, "to.act") == [
        "Record that passed applies to the player.",
        "Record that you are not done.",
        "Record that the tile was laid.",
        (
            "If passed applies to the player, record that the player is done; "
            "otherwise, that the player is not done."
        ),
    ]


def test_yes_or_no_of_a_piece_applies_to_the_piece() -> None:
    rules = game("if east has your guard and not your guard's awake at east: stop")

    assert "awake does not apply to your guard on east" in texts(rules, "to.act")[0]


def test_title_of_a_condition_is_a_statement() -> None:
    rules = game("if player's can_bid and bank_is_low: stop")
    titles = {unstyled(part.title) for part in sections(rules, "en").values()}

    assert {"The player can bid", "The bank is low"} <= titles


# -------------------------------------------------------------------- values


def test_first_member_is_called_the_first() -> None:
    rules = game("set found to first gate in area")

    assert texts(rules, "to.act") == ["Set the found to the first gate of the area."]
    assert texts(rules, "to.act", "de") == [
        "Found wird: das Erste hiervon: gate (area)."
    ]


def test_condition_follows_a_superlative() -> None:
    rules = game(
        "each player with the most player's holding(acme) where player's gold > 0: stop"
    )

    assert texts(rules, "to.act") == [
        (
            "One after another, the players with the highest holding for acme among "
            "those where the player's gold is more than 0: Nothing else happens."
        )
    ]


def test_constant_limit_of_a_number() -> None:
    rules = game("if player's worth > 2: stop")

    assert texts(rules, "define.price(player,gem)") == [
        "(the player's gold − 3), but at least 0."
    ]
    assert texts(rules, "define.worth(player)") == [
        "(2 × (the player's gold, but at most 4)) + the player's price for ruby."
    ]


def test_only_piece_of_an_owner_is_not_one_of_several() -> None:
    rules = game(
        "if east has acme's flag: remove acme's flag from east",
        "if east has your guard: remove your guard from east",
    )
    first, second = texts(rules, "to.act")

    assert first.endswith("Remove acme's flag from east.")
    assert second.endswith("Remove one of your guards from east.")


def test_bags_in_bags() -> None:
    rules = game(
        "if player's bonuses has player's gems: stop",
        "if not player's bonuses has player's gems: stop",
        "if player's gems has ruby: stop",
    )

    assert texts(rules, "to.act") == [
        (
            "If all cards of the player's gems are in the player's bonuses: "
            "Nothing else happens."
        ),
        (
            "If not all cards of the player's gems are in the player's bonuses: "
            "Nothing else happens."
        ),
        "If ruby is in the player's gems: Nothing else happens.",
    ]
    assert texts(rules, "define.bonuses(player)") == [
        "Of each gem, as many as the number of the player's guards."
    ]


# -------------------------------------------------------------------- page


def test_numbers_of_spaces_have_their_heading() -> None:
    assert texts(game("stop"), "spaces.gate") == [
        "Height 2: east, west",
        "Height 3: top",
    ]


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        (
            "en",
            [
                "At the latest, the game is over after 1000 turns.",
                "When the game is over: The players with the highest gold win.",
            ],
        ),
        (
            "de",
            [
                "Spätestens nach 1000 Zügen ist das Spiel zu Ende.",
                (
                    "Wenn das Spiel zu Ende ist: Es gewinnen die Spieler mit dem "
                    "größten Wert von gold."
                ),
            ],
        ),
    ],
)
def test_end_of_the_game(language: str, lines: list[str]) -> None:
    assert texts(game("stop"), "end", language) == lines


def test_written_limit_of_turns() -> None:
    text = GAME.replace("{steps}", "  stop").replace("2 to 4\n", "2 to 4\n  turns 7\n")
    rules = rulebook.loads(text, "marks.rules")

    assert texts(rules, "end")[0] == "The game is over after 7 turns."
