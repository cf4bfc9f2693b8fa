"""The screen of a decision at 80 by 24: all parts are there, and nothing hidden."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.text import Text

import variants
from interpreter import Game
from rulebook import loads
from rulebook.model import DomainSort
from tests.support.knowing import steps
from workbench import load
from workbench.bots import bot_random, decide, greedy
from workbench.presentation.cards.costs import costs_of
from workbench.presentation.cards.rows import CardGroup
from workbench.presentation.cards.tableaus import tableaus_of
from workbench.presentation.cards.text_tables import group_lines
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.event_log import EventLog, entry_lines
from workbench.presentation.narration.momentary_fields import relevant_view
from workbench.presentation.narration.questions import decision_question
from workbench.presentation.narration.selection import action_title
from workbench.presentation.picture import scene_of
from workbench.terminal.frame import (
    FrameData,
    board_variants,
    card_lines,
    crop_lines,
    frame_lines,
)
from workbench.terminal.menu import column_lines, numbers_by_argument, short_menu_lines
from workbench.terminal.terminal_game import remaining_picks

ROOT = Path(__file__).parents[2]
WIDTH, HEIGHT = 80, 23
"""Size of the screen without the line for the input."""
EXAMPLES = [
    *(
        f"examples/games/{name}.rules"
        for name in (
            *("backgammon", "hidden_ranks", "jewellers", "lamplighters", "ramparts"),
            *("cribbage", "sealed_bids"),
        )
    ),
    *(f"examples/tiny/{name}.rules" for name in ("connect_four", "hex")),
]
HIGH_BOARDS = ("cardgame", "ramparts")
"""Games whose boards may be too high for the screen."""
PLAYED, EVERY = 41, 20


def data_of(game: Game, seat: str, language: str = "en") -> FrameData:
    localizer = Localizer.for_book(game.book, language)
    log = EventLog(localizer, seat)
    log.update(game)
    return FrameData(
        game,
        seat,
        relevant_view(game, seat),
        game.legal_actions(seat),
        localizer,
        remaining_picks(game),
        list(entry_lines(log.entries, localizer)),
    )


def positions(name: str) -> Iterator[Game]:
    """Yield some positions of a game of bots in which a seat decides."""
    game = Game.start(load(str(ROOT / name) if "/" in name else name), seed=3)
    numbers = bot_random(3, 0, "all")
    for number in range(PLAYED):
        if game.to_act is None:
            return
        if number % EVERY == 0:
            yield game.copy()
        game.apply(decide(greedy, game, game.to_act, numbers))


def plain(lines: list[Text]) -> str:
    """Return lines as one text, in which words are not separated by line ends."""
    return " ".join(" ".join(line.plain for line in lines).split())


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", [*variants.names(), *EXAMPLES])
def test_a_screen_of_80_by_24_shows_every_part(name: str, language: str) -> None:
    if language == "de" and "/" in name:
        pytest.skip("the examples are English")
    for game in positions(name):
        seat = str(game.to_act)
        data = data_of(game, seat, language)
        lines = frame_lines(data, WIDTH, HEIGHT)
        text, words = plain(lines), data.localizer
        last = lines[-1].plain

        assert len(lines) == HEIGHT
        assert [line.plain for line in lines if line.cell_len > WIDTH] == []
        assert decision_question(game, seat, data.view, words)[:WIDTH] in text
        assert words.title(seat) in text
        assert words.phrase("hint_help") in last
        assert words.phrase("type_list") in last
        assert any(line.plain.split()[:1] == ["1"] for line in lines) or " 1 " in text
        for cost in costs_of(game, seat, data.view):
            assert f"{action_title(cost.action, words)} (" in text
        if not any(high in name for high in HIGH_BOARDS):
            assert_whole_board(data, lines)


def assert_whole_board(data: FrameData, lines: list[Text]) -> None:
    """Assert that all lines of one drawing of the board are on the screen."""
    scene = scene_of(data.game, data.seat, data.localizer.language)
    marks = numbers_by_argument(data.choices)
    drawings = board_variants(scene, WIDTH, marks, use_unicode=True)
    shown = [line.plain for line in lines]
    assert not drawings or any(
        all(any(line.startswith(row.plain) for line in shown) for row in drawing)
        for drawing in drawings
    )


@pytest.mark.parametrize(
    "name",
    [
        "cardgame",
        "germany",
        "examples/games/hidden_ranks.rules",
        "examples/games/sealed_bids.rules",
        "examples/games/jewellers.rules",
    ],
)
def test_the_screen_depends_only_on_what_its_reader_knows(name: str) -> None:
    """With hidden information redrawn, the screen and the cards are the same."""
    book = load(str(ROOT / name) if "/" in name else name)
    differing = 0
    for number, game in enumerate(steps(book, 2, decisions=60)):
        if number % 12 and "split" not in game.position:
            continue
        for seat in game.seats:
            world = game.sample(seat, number)
            differing += world.position != game.position
            mine, other = (frame_data_without_log(each, seat) for each in (game, world))
            assert frame_lines(mine, WIDTH, HEIGHT) == frame_lines(other, WIDTH, HEIGHT)
            assert list(card_lines(mine, WIDTH)) == list(card_lines(other, WIDTH))
    assert differing


def frame_data_without_log(game: Game, seat: str) -> FrameData:
    words = Localizer.for_book(game.book)
    legal = game.legal_actions(seat)
    return FrameData(game, seat, relevant_view(game, seat), legal, words)


def test_own_cards_are_named_and_cards_of_others_are_counted() -> None:
    game = Game.start(load("cardgame"), seed=1)
    numbers = bot_random(1, 0, "all")
    while game.turn < 2:
        game.apply(decide(greedy, game, str(game.to_act), numbers))
    for seat in game.seats:
        data = data_of(game, seat)
        text = plain(frame_lines(data, WIDTH, 40))
        own = [card for card, n in data.view["player"][seat]["hand"].items() if n]
        assert len(own) > 1
        assert all(data.localizer.value(card) in text for card in own)
        (rival,) = set(game.seats) - {seat}
        held = data.view["player"][rival]["hand"]["count"]
        assert f"{data.localizer.title(rival)}: 2 points; hand ({held})" in text


JEWELS = """rules language 1
rulebook shop "Shop"
  players 2
  seats red, blue
kind stone (stones): jade, coral
cards jewel (jewels)
  jewel | worth | cost           | fine
  ring  |     1 | 2 jade         | no
  crown |     3 | 1 jade, 1 coral | yes
cards secret (secrets)
  secret | copies
  plot   |      3
game has
  bank:   bag of stone, seen by all, starts with 2 of each
  market: bag of jewel, seen by all, starts with 1 of each
  pile:   stack of secret, seen by nobody, starts with every secret
turn
  phase work
    nobody wins
"""


def groups_of(text: str) -> dict[str, CardGroup]:
    game = Game.start(loads(text, "shop.rules"), seed=1)
    words, view = Localizer.for_book(game.book), game.view("red")
    (table,) = tableaus_of(game, "red", view, words, has_board=False)
    return {row.field: row for row in table.rows}


def test_cards_with_columns_are_a_table_and_others_a_list() -> None:
    groups, words = groups_of(JEWELS), Localizer()

    assert list(group_lines(groups["market"], words, 60)) == [
        "market   worth  cost             fine",
        "  ring   1      2 jade",
        "  crown  3      1 jade, 1 coral  ✓",
    ]
    assert list(group_lines(groups["market"], words, 30))[2] == (
        "  crown  3      1 jade, 1 cora"
    )
    assert list(group_lines(groups["bank"], words, 60)) == ["bank: 2 jade, 2 coral"]
    assert list(group_lines(groups["pile"], words, 60)) == ["pile: (3)"]


def test_a_high_drawing_is_cut_to_its_fullest_lines() -> None:
    lines = [Text(part) for part in ("·  ·", "ab ·", "abcd", "·")]

    assert [line.plain for line in crop_lines(lines, 2)] == ["ab · …", "abcd …"]
    assert crop_lines(lines, 4) == lines


def test_a_short_menu_says_how_many_actions_it_leaves_out() -> None:
    game = Game.start(load(str(ROOT / "examples/tiny/hex.rules")), seed=1)
    legal, words = game.legal_actions(), Localizer.for_book(game.book)
    lines = short_menu_lines(legal, words, WIDTH, 3)
    listed = sum(line.count("cell") for line in lines)

    assert len(lines) == 3
    assert 10 < listed < len(legal) == 121
    assert lines[-1].endswith(f"… {len(legal) - listed} more")
    assert short_menu_lines(legal[:2], words, WIDTH, 3) == [
        "  place a stone: 1 cell 1 1  2 cell 1 2"
    ]


def test_a_title_wider_than_the_screen_has_its_own_line() -> None:
    assert list(column_lines(["x" * 30, "y"], 20, " ")) == [" " + "x" * 30, " y"]


def test_boards_are_drawn_with_few_lines_only_if_necessary() -> None:
    game = Game.start(load("germany"), seed=1)
    data = data_of(game, str(game.to_act))
    low, high = board_variants(scene_of(game, data.seat), WIDTH, {}, use_unicode=True)
    shown = [line.plain for line in frame_lines(data, WIDTH, 55)]

    assert len(low) < 15 < len(high)
    assert sum(space.sort is DomainSort.FACE for space in scene_of(game).spaces) > 20
    assert any("Lübec" in line or "Lüb" in line for line in shown)
