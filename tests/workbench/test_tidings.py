"""News between two decisions: results of rolls, points and awards."""

import io
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from interpreter import Action, Game
from rulebook import Rulebook, loads
from tests.support.games import germany, localizer
from workbench import load
from workbench.errors import RequestError
from workbench.files.records.recorder import Recorder
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.changes import Change
from workbench.presentation.narration.event_log import EventLog, entry_lines
from workbench.presentation.narration.selection import action_texts
from workbench.presentation.narration.view_changes import view_changes
from workbench.presentation.narration.view_text import decision_line, view_lines
from workbench.presentation.picture import scene_of
from workbench.terminal.descriptions import description_lines
from workbench.terminal.menu import column_lines
from workbench.terminal.terminal_game import TerminalGame, remaining_picks


def played(book: Rulebook, lines: str, words: Localizer, seats: str = "human") -> str:
    """Return the output after these lines are typed, as one long line."""
    game, out = Game.start(book, seed=1), io.StringIO()
    players = dict.fromkeys(game.seats, seats) | {game.seats[0]: "human"}
    source = io.StringIO(lines)
    TerminalGame(game, players, 1, source, out, Recorder(None), localizer=words).play()
    return " ".join(out.getvalue().split())


def texts(changes: Iterable[Change]) -> list[str]:
    """Return the sentences of changes."""
    return [change.text for change in changes]


def log_lines(game: Game, since: int, seat: str) -> list[str]:
    """Return the lines of a seat's log after some events, in German."""
    log = EventLog(localizer("de"), seat)
    log.update(game)
    return list(entry_lines(log.since(since), localizer("de")))


def test_gains_are_listed_below_the_roll() -> None:
    game = Game.start(germany(), seed=1, chance="given")
    while game.to_act == "chance":
        game.apply(game.legal_actions()[0])
    since = game.steps
    game.apply("end_turn")
    game.apply({"chance": "roll", "outcome": [4, 4]})

    own, other = (log_lines(game, since, seat) for seat in ("red", "blue"))

    seat = localizer("de").title(str(game.to_act))
    assert own[0] == f"  {seat} hat 4 + 4 = 8 gewürfelt."
    assert own[1].startswith("    Rot hat bekommen: 1 ")
    assert len(own) == len(other) == 2
    assert other[1].startswith("    Rot hat bekommen: 1 Rohstoff")


def test_payments_are_not_news_but_points_and_awards_are() -> None:
    before = {
        "points": {"red": 2, "blue": 2},
        "player": {
            "red": {"hand": {"wool": 2, "ore": 0}},
            "blue": {"hand": {"count": 3}},
        },
        "awards": {"longest_road": "blue"},
    }
    after = {
        "points": {"red": 3, "blue": 2},
        "player": {
            "red": {"hand": {"wool": 1, "ore": 1}},
            "blue": {"hand": {"count": 2}},
        },
        "awards": {"longest_road": "red"},
    }
    words = localizer("en")

    news = ["Red now has “Longest Road”", "Red's points: 2 → 3"]
    loss = "Blue lost 1 resource"
    assert texts(view_changes(before, after, words, "red")) == [*news, loss]
    assert texts(view_changes(before, after, words)) == [
        *news,
        "Red lost 1 wool",
        "Red got 1 ore",
        loss,
    ]


def test_awards_and_table_contents_are_listed_with_the_seats() -> None:
    game = Game.start(germany(), seed=1)
    view = game.view("red") | {"awards": {"largest_army": "blue"}}

    *_, blue, _, _, dice = view_lines(view, game.seats, localizer("en"))

    assert "Blue: 3 points; ★ Largest Army" in blue
    assert dice.startswith("  white die ")


def test_selections_are_applied_in_list_order() -> None:
    legal = [
        Action("red", "discard", (kind,), f"discard({kind})", index)
        for index, kind in enumerate(("wool", "ore"))
    ]

    actions = action_texts("discard 1 Erz, 2 Wolle", legal, localizer("de"))

    assert actions == ("discard(wool)", "discard(wool)", "discard(ore)")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("99", "die Nummer 99 gibt es in der Liste nicht; möglich sind 1 bis"),
        ("0", "die Nummer 0 gibt es in der Liste nicht"),
        ("warum straße ber-des", "„Straße bauen: Berlin–Dessau“ ist nicht erlaubt"),
        ("straße bauen leipzig-dresden", "Weg Leipzig–Dresden gibt es nicht"),
        ("warum discard erz", "das ist jetzt nicht möglich"),
        ("über leipzig", "Leipzig, Kreuzung mit Stadtfeld, Rot Rathaus"),
        ("über har", "Harz, Gebirge, Zahl 8"),
        ("über le", "le ist mehrdeutig"),
        ("über nichts", "„nichts“ gibt es hier nicht"),
        ("?", "über NAME"),
    ],
)
def test_typed_line_gets_an_answer(line: str, said: str) -> None:
    assert said in played(germany(), f"\n{line}\n", localizer("de"))


def test_clauses_that_request_an_action_are_named_in_words() -> None:
    shown = played(germany(), "\nwarum bieten holz\n", localizer("de"))

    assert "sondern nur hier: einen Tausch anbieten" in shown
    assert "[" not in shown


def test_card_description_has_its_cost_and_effect() -> None:
    book = load("cardgame")
    words = Localizer.for_book(book, "en")
    scene = scene_of(Game.start(book, seed=1), "white")

    foundry, does = description_lines("foundry", scene, words)
    _, text = description_lines("alche", scene, words)

    assert "cost 1 brick, 1 ore" in foundry
    assert does == "  Mountains beside it yield two ore on their number."
    assert text == "  Choose the number that the production die shows."
    with pytest.raises(RequestError, match="may mean"):
        list(description_lines("c", scene, words))


def test_description_of_a_place_lists_the_places_around_it() -> None:
    scene, words = scene_of(Game.start(germany(), seed=1)), localizer("en")

    _, *around_hex = description_lines("harz", scene, words)
    _, *around_corner = description_lines("leipzig", scene, words)
    _, *around_link = description_lines("Leipzig-I41", scene, words)

    clockwise = "clockwise from the north"
    others = "Eisenach–Erfurt, Eisenach–Kassel, Kassel–I27, Hannover–I27"
    assert around_hex == [
        f"    intersections, {clockwise}: Hannover, I28, Erfurt, Eisenach, Kassel, I27",
        f"    paths, {clockwise}: Hannover–I28, Erfurt–I28, {others}",
    ]
    assert around_corner == [
        "    terrain hexes: Magdeburger Börde, Lausitz and Spreewald, Erzgebirge",
        "    paths: Dessau–Leipzig, Leipzig–I40, Leipzig–I41",
    ]
    assert around_link[-1] == "    intersections: Leipzig, I41"


def test_excessive_selection_changes_nothing() -> None:
    shown = played(germany(), "\noffer_trade\ngive 20 wolle\n", localizer("de"))

    assert "überschreitet die Grenze; nichts wurde geändert" in shown


def test_unchanged_parts_are_not_repeated() -> None:
    shown = played(germany(), "\noffer_trade\ngive wolle\n", localizer("de"), "greedy")

    assert len(re.findall(r"Rot: W[^.?]*\?", shown)) == 3
    assert shown.count("Blau: 3 Punkte") < 3


def test_unrecorded_game_can_be_saved(working_folder: Path) -> None:
    record = Path("evening.jsonl")
    lines = f"\nsichern {record}\nende\n"

    first, second = (played(germany(), lines, localizer("de")) for _ in range(2))

    assert "nichts geht verloren" in first
    assert f"{record} gibt es schon" in second
    assert "Das Spiel wurde nicht gespeichert" in second
    game = Game.replay(record.read_text(encoding="utf-8"), germany())
    assert game == Game.start(germany(), seed=1)


def test_rejects_saving_to_a_missing_folder(working_folder: Path) -> None:
    assert "No such file" in played(germany(), "\nsichern a/b\n", localizer("de"))


def test_selection_reports_the_remaining_number() -> None:
    game = Game.start(germany(), seed=1, chance="given")
    while game.to_act == "chance":
        game.apply(game.legal_actions()[0])
    position = game.position
    for kind in ("wool", "ore"):
        position["player"]["red"]["hand"][kind] += 5
        position["game"]["bank"][kind] -= 5
    game = Game.from_position(germany(), position, chance="given")
    game.apply("end_turn")
    game.apply({"chance": "roll", "outcome": [3, 4]})
    assert game.to_act == "red"

    first = remaining_picks(game)
    game.apply("discard(wool)")
    view = game.view("red") | {"pending": game.position["pending"]}
    line = decision_line(view, "red", germany().model, localizer("de"), first - 1)

    assert first == sum(position["player"]["red"]["hand"].values()) // 2
    assert remaining_picks(game) == first - 1
    assert line == f"Rot entscheidet: noch {first - 1} (bisher: 1 Wolle)"


def test_ctrl_c_reports_whether_the_game_was_saved() -> None:
    class Impatient(io.StringIO):
        def readline(self, _size: int | None = -1, /) -> str:  # type: ignore[override]
            raise KeyboardInterrupt

    game, out = Game.start(germany(), seed=1), io.StringIO()
    players = dict.fromkeys(game.seats, "greedy") | {game.seats[0]: "human"}
    table = TerminalGame(game, players, 1, Impatient(), out, Recorder(None))

    with pytest.raises(KeyboardInterrupt):
        table.play()
    assert "The game was not saved" in out.getvalue()


def test_columns_are_as_wide_as_needed() -> None:
    cells = ["1 a long name indeed", "2 b", "3 c", "4 d"]

    assert list(column_lines(cells, 27, "")) == [
        "1 a long name indeed  2 b",
        "3 c                   4 d",
    ]
    assert list(column_lines(cells, 10, "")) == cells


def test_every_shipped_card_has_a_description_in_both_languages() -> None:
    book = load("cardgame")
    scene = scene_of(Game.start(book, seed=1), "white")
    german = Localizer.for_book(book, "de")

    for kind in ("development", "event"):
        for card in book.model.domains[kind].members:
            *_, english = description_lines(card, scene, Localizer.for_book(book, "en"))
            *_, other = description_lines(german.title(card), scene, german)
            assert english.endswith("."), card
            assert other.endswith(".") and other != english, card


SPACES_AS_A_PART = """rules language 1
rulebook parts "Parts"
  players 2 to 2
kind soil (soils): moor, sand
hexes {part} (many) pointy_top
  {part} | q | r | soil
  north | 0 | 0 | -
  south | 0 | 1 | -
piece hut: 2 in all, stands on {part}
setup
  set north's soil to sand
  set south's soil to moor
  place hut on south
action dig
  set north's soil to none
turn
  phase day
    you do dig
"""


@pytest.mark.parametrize("part", ["thing", "turn", "active", "pieces", "pending"])
def test_spaces_may_be_named_like_a_part_of_a_view(part: str) -> None:
    book = loads(SPACES_AS_A_PART.format(part=part))
    game = Game.start(book, seed=1)
    before, scene = game.view(None), scene_of(game)
    game.apply("dig")

    told = texts(view_changes(before, game.view(None), Localizer.for_book(book, "en")))

    soils = [trait.value for space in scene.spaces for trait in space.traits]
    assert soils == ["sand", "moor"]
    assert told == ["north: soil sand → –"]


PAID = """rules language 1
rulebook paid "A player pays and loses a card and a partner"
  players 2
  seats red, blue
  turns 9
cards card (cards)
  card
  fox
  owl
each player has
  money: 0 to 9, starts at 5
  kept: card or none, starts at fox
  partner: player or none, starts at red
setup
  set red's kept to owl
action pay
  set your money to 3
  set your kept to none
  set your partner to none
turn
  phase day
    you do pay
"""


def test_changes_of_a_seat_are_listed_once_with_the_seat() -> None:
    book = loads(PAID)
    game = Game.start(book, seed=1)
    before, localizer = game.view("blue"), Localizer.for_book(book, "en")
    game.apply("pay")

    told = view_changes(before, game.view("blue"), localizer)

    assert texts(told) == [
        "red lost owl",
        "red's money: 5 → 3",
        "red's partner: red → –",
    ]
