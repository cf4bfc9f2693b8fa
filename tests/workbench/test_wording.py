"""Titles and sentences by language: translated text, and text that stays unchanged."""

import json
from pathlib import Path
from string import Formatter

import pytest

from interpreter import PHRASES, Game
from rulebook import Rulebook, loads
from tests.support.commands import Output, document_of, output_of
from workbench.cli import main
from workbench.defaults import LANGUAGE
from workbench.errors import RequestError
from workbench.presentation.localization.languages import LANGUAGES, phrase_table
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.localization.refusals import (
    explanation_document,
    refusal_reason,
)
from workbench.presentation.narration.changes import CardMove, ValueChange
from workbench.presentation.narration.view_changes import field_changes
from workbench.presentation.narration.view_text import view_lines
from workbench.web.views.cards.costs import cost_rows
from workbench.web.views.cards.hand import hand_data
from workbench.web.views.choices import choices as choices_of

SPEAKING = """rules language 1
rulebook pond "The pond"
  players 2
  seats heron, frog
  turns 9

kind food: fly, worm
game has
  larder: bag of food, seen by all, starts with 3 of each
each player has
  meal: bag of food, seen by owner
payments of player: player's meal to larder
costs
  nap: 1 fly, 2 worm

action catch(food)
  needs rest: larder has food      "there is none left"
  move 1 food from larder to your meal
action nap
  pays nap
  stop

setup
  step board: shuffle_nothing
to shuffle_nothing
  stop
turn
  phase day
    you do catch, nap
points of player
  eaten: number of cards in player's meal
rule dusk
  whenever your points >= 2: you win

words en
  fly = "fly", "flies"
  catch = "catch a {food}"
words de
  pond = "Der Teich"
  heron = "Reiher"
  fly = "Fliege", "Fliegen"
  worm = "Wurm", "Würmer"
  meal = "Mahlzeit"
  catch = "eine {food} fangen"
  catch.rest = "davon ist nichts mehr da"
  dusk = "satt"
"""


@pytest.fixture(scope="module")
def pond() -> Rulebook:
    return loads(SPEAKING, "pond")


@pytest.fixture
def german(pond: Rulebook) -> Localizer:
    return Localizer.for_book(pond, "de")


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("path", sorted(LANGUAGES.glob("*.toml")), ids=lambda p: p.stem)
def test_a_language_has_every_phrase_with_its_gaps(path: Path) -> None:
    own = phrase_table(path.stem)
    needed = {**phrase_table(LANGUAGE), **({} if path.stem == LANGUAGE else PHRASES)}

    assert own.keys() == needed.keys()
    assert [key for key in own if not gaps(own[key]) <= gaps(needed[key])] == []


def test_phrase_keys_differ_from_those_of_the_engine() -> None:
    assert phrase_table(LANGUAGE).keys() & PHRASES.keys() == set()


def test_titles_and_counts(german: Localizer) -> None:
    assert german.title("heron") == "Reiher"
    assert german.value_text({"fly": 1, "worm": 2}) == "1 Fliege, 2 Würmer"
    assert german.value_text({"count": 3}) == "(3)"
    assert german.value_text(None) == "?"
    assert german.value_text([True, "fly"]) == "ja, Fliege"


def test_thing_without_words_keeps_its_name(german: Localizer) -> None:
    assert german.title("frog") == "frog"
    assert german.title("old_frog") == "old frog"
    assert german.action("nap") == "nap"
    assert german.title("counter-offer to you") == "counter-offer to you"


def test_link_is_named_by_its_ends(german: Localizer) -> None:
    assert german.title("heron-frog") == "Reiher–frog"


def test_action_is_worded_with_its_arguments(german: Localizer) -> None:
    assert german.action("catch(fly)") == "eine Fliege fangen"
    assert german.action("pass") == "nichts weiter"


def test_reasons_of_the_rules_and_of_the_engine(
    pond: Rulebook, german: Localizer
) -> None:
    game = Game.start(pond, players=2, seed=1)

    price = game.why("nap")
    later = game.why("catch(worm)", "frog")
    unknown = game.why("snore")

    assert explanation_document(price, german)["reason"] == (
        "Preis: 1 Fliege und 2 Würmer; vorhanden: nichts"
    )
    assert (
        explanation_document(price, german)["fix"] == "es fehlt: 1 Fliege und 2 Würmer"
    )
    assert (
        explanation_document(later, german)["reason"] == "am Zug ist Reiher, nicht frog"
    )
    assert (
        explanation_document(unknown, german)["reason"]
        == "die Aktion snore gibt es nicht"
    )


def test_english_equals_the_sentences_of_the_engine(pond: Rulebook) -> None:
    game = Game.start(pond, players=2, seed=1)
    english = Localizer.for_book(pond)

    for text in ("nap", "snore", "catch(wrm)", "pass", "catch"):
        explanation = game.why(text)
        assert explanation_document(explanation, english) == explanation.to_json()


def test_requirement_named_like_a_thing_keeps_its_sentence() -> None:
    gone = "to shuffle_nothing\n  move up to 3 worm from larder to frog's meal"
    text = SPEAKING.replace("needs rest:", "needs fly:")
    book = loads(text.replace("to shuffle_nothing\n  stop", gone), "pond")
    explanation = Game.start(book, players=2, seed=1).why("catch(worm)")

    assert explanation.requirement == "fly"
    for language in ("en", "de"):
        assert (
            refusal_reason(explanation, Localizer.for_book(book, language))
            == "there is none left"
        )


def test_translation_changes_only_sentences(pond: Rulebook, german: Localizer) -> None:
    explanation = Game.start(pond, players=2, seed=1).why("nap")
    plain, said = explanation.to_json(), explanation_document(explanation, german)

    assert {key for key in plain if plain[key] != said[key]} == {"reason", "fix"}


def test_rejects_an_unknown_language(pond: Rulebook) -> None:
    with pytest.raises(RequestError, match="language `xx` is not available"):
        Localizer.for_book(pond, "xx")


# ---------------------------------------------------------------- commands


@pytest.fixture
def pond_file(tmp_path: Path) -> str:
    path = tmp_path / "pond.rules"
    path.write_text(SPEAKING, encoding="utf-8")
    return str(path)


def test_play_in_german_writes_the_same_record(
    pond_file: str, tmp_path: Path, capsys: Output
) -> None:
    records = [tmp_path / "one", tmp_path / "other"]
    bots = ["--seat", "all=random", "--seed", "3", "--bot-seed", "3"]
    shown = []
    for record, language in zip(records, ([], ["--language", "de"]), strict=True):
        command = ["play", pond_file, *bots, "--record", str(record), *language]
        assert main(command) == 0
        shown.append(capsys.readouterr().out)

    assert records[0].read_text() == records[1].read_text()
    assert "Reiher: eine Fliege fangen" in shown[1]
    assert "gewinnt (satt)." in shown[1]
    assert "wins (dusk)." in shown[0]


def test_why_in_german(pond_file: str, tmp_path: Path, capsys: Output) -> None:
    record = str(tmp_path / "record")
    assert main(["play", pond_file, "--seat", "all=random", "--record", record]) == 0
    capsys.readouterr()

    command = ["why", record, "nap", "--at", "0", "--language", "de"]
    assert "nicht erlaubt: Preis: 1 Fliege" in output_of(capsys, *command)
    assert document_of(capsys, *command)["reason"].startswith("Preis: ")


def test_check_and_variants_in_german(pond_file: str, capsys: Output) -> None:
    assert main(["check", pond_file, "--language", "de"]) == 0
    assert "keine Fehler gefunden" in capsys.readouterr().out
    assert main(["variants", "--language", "de", "--json"]) == 0
    titles = [row["title"] for row in json.loads(capsys.readouterr().out)]
    assert titles != [row["title"] for row in document_of(capsys, "variants")]


def test_an_unknown_language_is_wrong_usage(pond_file: str, capsys: Output) -> None:
    assert main(["check", pond_file, "--language", "xx"]) == 2
    assert "available languages: de, en" in capsys.readouterr().err


TWICE = """rules language 1
rulebook yard "The yard"
  players 2
  seats red, blue
  turns 9

kind shape (shapes): victory, round_one
cards deed (deeds)
  deed | copies
  fief | 2
  mill | 2

game has
  mill: 0 to 9, seen by all, starts at 3
each player has
  fief: 0 to 9, seen by all, starts at 2
  deeds: bag of deed, seen by all, starts with 2 of each
  form: shape or none, seen by all

action shapes_up(shape)
  set your form to shape
turn
  phase work
    you do shapes_up
rule victory
  whenever mill = 9: nobody wins

words en
  victory = "enough on one's own turn"
  fief = "Manor", "Manors"
  mill = "Windmill", "Windmills"
  shape.round_one = "circle"
"""


def test_each_declaration_of_a_name_has_its_own_title() -> None:
    game = Game.start(loads(TWICE, "yard.rules"))
    choices = choices_of(game, game.to_act, Localizer.for_book(game.book))
    game.apply("shapes_up(victory)")
    game.apply("shapes_up(round_one)")
    words = Localizer.for_book(game.book)
    view = game.view("red")
    lines = "\n".join(view_lines(view, game.seats, words))
    facts = hand_data(game, "red", view, words)

    assert words.action("shapes_up(victory)") == "shapes up: victory"
    assert choices["names"] == {"victory": "victory", "round_one": "circle"}
    assert "form victory" in lines
    assert "form circle" in lines
    assert "fief 2" in lines
    assert "2 Manors, 2 Windmills" in lines
    assert "mill 3" in lines
    assert facts["facts"] == [
        {"title": "fief", "text": "2"},
        {"title": "form", "text": "victory"},
    ]
    assert [card["title"] for card in facts["groups"][0]["cards"]] == [
        "Manor",
        "Windmill",
    ]
    assert list(field_changes("fief", None, 1, 2, words)) == [ValueChange("fief", 1, 2)]


def test_a_field_has_the_words_of_its_owner() -> None:
    own = '  player.fief = "fields"\n  game.mill = "flour"\n'
    words = Localizer.for_book(loads(TWICE + own, "yard.rules"))

    assert words.field("player", "fief") == "fields"
    assert words.field(None, "mill") == "flour"
    assert words.value("mill") == "Windmill"
    assert words.count_text("2", "mill") == "2 Windmills"


FACES = """\
rules language 1
rulebook shop "Shop"
  players 2 to 2
kind stone (stones): jade, coral
kind shape (shapes): ring, round_one
cards jewel (jewels)
  jewel | tier | worth | shape     | price
  band  |    1 |     0 | ring      | 2 jade, 1 coral
  crown |    2 |     3 | round_one | 1 jade
each player has
  cards: bag of jewel, seen by all, starts with 1 of each
turn
  phase work
    nobody wins

words en
  tier  = "level"
  jewel = "jewel", "jewels", "jewel of tier {tier}"
  band  = "ring"
  round_one = "circle"
"""


NOBLES = """rules language 1
rulebook court "Court"
  players 2
kind coin (coins): count, duke
game has
  bank: bag of coin, seen by all, starts with 9 of each
each player has
  purse:  bag of coin, seen by all, starts with 1 of each
  chest:  bag of coin, seen by nobody, starts with 2 of each
costs
  feast: 1 count, 2 duke
payments of player: player's purse to bank
action feast
  pays feast
  stop
turn
  phase work
    you may do feast
    nobody wins
"""


def test_an_open_bag_shows_its_card_named_count() -> None:
    """It is not taken for the number of cards, which a hidden bag shows."""
    game = Game.start(loads(NOBLES, "court.rules"))
    words, view = Localizer.for_book(game.book), game.view("p1")
    hand = hand_data(game, "p1", view, words)
    (cost,) = cost_rows(game, "p1", view, words)

    assert [card["card"] for card in hand["groups"][0]["cards"]] == ["count", "duke"]
    assert hand["groups"][0]["count"] == 2
    assert hand["facts"] == [{"title": "chest", "text": "4"}]
    assert cost["lacks"] == "1 duke"
    assert "purse 1 count, 1 duke; chest (4)" in "\n".join(
        view_lines(view, game.seats, words)
    )
    assert list(
        field_changes(
            "purse", "coin", {"count": 1, "duke": 2}, {"count": 1, "duke": 1}, words
        )
    ) == [CardMove("coin", "count", 0), CardMove("coin", "duke", -1)]


def test_cards_in_hand_show_the_columns() -> None:
    """Columns without a value or with the title of the card are left out."""
    game = Game.start(loads(FACES, "shop.rules"))
    words = Localizer.for_book(game.book)
    (group,) = hand_data(game, "p1", game.view("p1"), words)["groups"]
    ring, crown = (
        {column["title"]: column["text"] for column in card["columns"]}
        for card in group["cards"]
    )

    assert ring == {"level": "1", "price": "2 jade, 1 coral"}
    assert crown == {"level": "2", "worth": "3", "shape": "circle", "price": "1 jade"}
    assert [card["face_title"] for card in group["cards"]] == ["ring", "jewel"]
    assert [card["title"] for card in group["cards"]] == ["ring", "jewel of tier 2"]
    assert [chip["count"] for chip in group["cards"][0]["columns"][1]["chips"]] == [
        2,
        1,
    ]
