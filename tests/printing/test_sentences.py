"""Sentences are correct and read well, also in languages with articles."""

import pytest

import rulebook
from rulebook import Rulebook
from tests.printing.pages import ROOT, book, page, printed
from workbench.presentation.printing.pages import (
    PageSection,
    TextLine,
    lines_of,
    rows_of,
)
from workbench.presentation.printing.sentences.text_runs import Style, unstyled

VILLAGE = (ROOT / "docs" / "language" / "village.rules").read_text(encoding="utf-8")


def village(text: str) -> Rulebook:
    """Return the small game of the language reference, with additional clauses."""
    return rulebook.loads(f"{VILLAGE}\n{text}", "village.rules")


def parts(rules: Rulebook, language: str) -> dict[str, PageSection]:
    numbered = printed(rules, language).numbered_sections()
    return {part.place: part for _, _, part in numbered if part.place}


def printed_texts(rules: Rulebook, place: str, language: str) -> list[str]:
    return [unstyled(line.text) for line in lines_of(parts(rules, language)[place])]


TIDY = """
to tidy(player guest, 0 to 4 amount)
  move the top card from deck to bottom of deck
  move up to amount clay from store to guest's hand
  repeat 2 times: increase guest's fame by up to 2
  repeat amount times: decrease guest's fame by up to 1
  each good: move up to (number of good in guest's hand) good from store to your hand
"""
"""Statements with cards put under a stack, with partial moves, and with repetition."""


IN_ENGLISH = """\
Put the top card of the deck under the deck.
Move amount × clay (or as many as are available) from the store to guest's hand.
2 times: Increase guest's fame by 2, up to its maximum.
As many times as amount: Decrease guest's fame by 1, down to its minimum.
For each good: Move (the number of the good in guest's hand) × the good \
(or as many as are available) from the store to your hand.
"""
IN_GERMAN = """\
Lege die oberste Karte von deck unter deck.
Lege amount × clay (oder so viele wie vorhanden) aus store in hand von guest.
2 Mal: Fame von guest steigt um 2, höchstens bis zum Höchstwert.
So oft wie amount: Fame von guest sinkt um 1, höchstens bis zum Mindestwert.
Für alle goods: Lege (die Zahl von good in hand von guest) × good \
(oder so viele wie vorhanden) aus store in hand von dir.
"""


@pytest.mark.parametrize(("language", "lines"), [("en", IN_ENGLISH), ("de", IN_GERMAN)])
def test_partial_moves_are_worded_correctly(language: str, lines: str) -> None:
    assert printed_texts(village(TIDY), "to.tidy", language) == lines.splitlines()


CALM = """
to calm_down(0 to 9 amount)
  let quiet be amount = 0 or your fame > 3
  let most be highest number of player's houses of any player
  if quiet and your houses_left >= 2: increase your fame by up to most
"""
"""Statements with a named condition, a highest value and a supply of pieces."""


CALM_IN_ENGLISH = """\
Let quiet mean that amount is 0 or your fame is more than 3.
Let most be the highest value of the number of the player's houses for any player.
If quiet applies and the supply still contains at least 2 of your houses: \
Increase your fame by most, up to its maximum.
"""
CALM_IN_GERMAN = """\
Quiet bedeutet: amount ist 0 oder fame von dir ist mehr als 3.
Most steht für den größten Wert von der Zahl der houses des Spielers \
unter allen Spielern.
Wenn gilt: quiet gilt und houses von dir: noch mindestens 2 übrig, dann: \
Fame von dir steigt um most, höchstens bis zum Höchstwert.
"""


@pytest.mark.parametrize(
    ("language", "lines"), [("en", CALM_IN_ENGLISH), ("de", CALM_IN_GERMAN)]
)
def test_named_conditions_and_highest_values_are_sentences(
    language: str, lines: str
) -> None:
    assert printed_texts(village(CALM), "to.calm_down", language) == lines.splitlines()


NESTED = """
to judge(player)
  if player's fame > 2:
    if player's fame < 5: set player's fame to 0
  otherwise: set player's fame to 9
"""


@pytest.mark.parametrize("language", ["en", "de"])
def test_otherwise_is_below_its_condition(language: str) -> None:
    part = parts(village(NESTED), language)["to.judge"]
    outer, otherwise = (line for line in part.blocks if isinstance(line, TextLine))

    assert len(outer.children) == 1
    assert unstyled(otherwise.text).startswith(("Otherwise: ", "Sonst: "))


def test_german_declines_the_word_for_player() -> None:
    rules = village(
        "to favour(player)\n"
        "  set player's fame to 0\n"
        "  each site where site is touched by player:\n"
        "    if site has player's house: remove player's house from site\n"
        "  player sees deck\n"
    )

    first, second, third = printed_texts(rules, "to.favour", "de")
    assert first == "Fame des Spielers wird: 0."
    assert "(wobei gilt: site ist touched durch den Spieler): Wenn" in second
    assert "auf site steht: house des Spielers, dann: Nimm 1 house des Sp" in second
    assert third == "Der Spieler sieht deck an."


def test_things_on_the_table_are_styled_as_names() -> None:
    part = parts(village(TIDY), "en")["to.tidy"]
    first = next(line for line in lines_of(part))

    names = [run.text for run in first.text if run.style is Style.NAME]
    assert names == ["deck", "deck"]


def test_untranslated_word_is_styled_as_a_name() -> None:
    part = {
        part.place: part for _, _, part in page("germany", "de").numbered_sections()
    }
    (roll, *_) = (
        line
        for line in lines_of(part["phase.production"])
        if "resolve" in unstyled(line.text).lower()
    )
    names = {run.text for run in roll.text if run.style is Style.NAME}

    assert names == {"total", "Resolve seven"}
    assert not any(
        run.style is Style.NAME and run.text == "Straße"
        for line in lines_of(part["action.build_road"])
        for run in line.text
    )


@pytest.mark.parametrize(
    ("language", "sort", "start", "condition"),
    [
        ("en", "2 to 12, or none", "nothing", "number is not set."),
        ("de", "2 bis 12 oder keine", "nichts", "ist nicht gesetzt)."),
    ],
)
def test_dealt_number_may_be_none(
    language: str, sort: str, start: str, condition: str
) -> None:
    numbered = [part for _, _, part in page("classic", language).numbered_sections()]
    rows = [
        [unstyled(cell) for cell in row.cells]
        for part in numbered
        for row in rows_of(part)
        if row.place == "hex.number"
    ]

    assert [(row[1], row[3]) for row in rows] == [(sort, start)]
    assert any(
        unstyled(line.text).endswith(condition)
        for part in numbered
        for line in lines_of(part)
    )


@pytest.mark.parametrize("variant", ["germany", "cardgame"])
def test_no_name_begins_or_ends_with_a_space(variant: str) -> None:
    for language in ("en", "de"):
        for _, _, part in page(variant, language).numbered_sections():
            for line in lines_of(part):
                for run in line.text:
                    is_name = run.style is Style.NAME
                    assert not is_name or run.text == run.text.strip(), run


def test_only_piece_of_its_kind_is_called_by_its_name() -> None:
    lines = printed_texts(book("germany"), "action.steal_from", "en")

    assert any("the terrain hex with Götz von Berlichingen:" in line for line in lines)


CONTEST = """
define player's luck: 0 to 20 = player's fame + 1

to contest
  if red is not in (every player with the least fame, then the most luck): stop
  each player with the most luck where player's fame > (lowest fame of any player): stop
  each player rival:
    if rival is in (every player with the most rival's fame): stop
  the players with the most points, then the fewest cards in player's hand, win
"""


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        (
            "en",
            [
                "The players with the most points, then the fewest cards in ",
                "the players with the lowest fame, then the highest luck",
                "with the highest luck",
                "with the highest value of rival's fame",
            ],
        ),
        (
            "de",
            [
                "Spieler mit den meisten Punkten, dann mit den wenigsten Karten in",
                "mit dem kleinsten Wert von fame, dann mit dem größten Wert von luck",
                "mit dem größten Wert von luck",
                "mit dem größten Wert von fame von rival",
            ],
        ),
    ],
)
def test_superlatives_omit_the_member_that_they_measure(
    language: str, lines: list[str]
) -> None:
    text = "\n".join(printed_texts(village(CONTEST), "to.contest", language))

    for line in lines:
        assert line in text
