"""The summary of a finished game: ranking, points by source, race, actions, rolls.

A reader sees in it only what the seat may know: `HIDDEN` gives every player a hidden
card in each turn, so two games with other cards look the same to everybody else.
"""

import json
import random
from collections import Counter
from copy import copy
from itertools import pairwise
from typing import Any

import pytest

from interpreter import Game
from rulebook import Rulebook
from tests.web.deciding import play
from tests.web.support import OPEN, ROOT, new_table
from tests.web.support import play as play_table
from tests.web.visiting import DARE, SCRIPT, Made, Server, with_server
from workbench.files.library.loading import load
from workbench.presentation.localization.localizer import Localizer
from workbench.web.keys import OWNER, WATCH
from workbench.web.sandbox.rule_texts import load_book
from workbench.web.store import Store
from workbench.web.views.rendering import render_part, render_parts
from workbench.web.views.snapshot import snapshot
from workbench.web.workshop.game_summary import game_summary
from workbench.web.workshop.race import (
    LABEL_HEIGHT,
    MAX_MOMENTS,
    Moment,
    chart,
    evenly,
    race,
    spread,
)
from workbench.web.workshop.replay_view import EVERYTHING, NOBODY, Viewpoint
from workbench.web.workshop.roll_counts import roll_tables, sum_chances
from workbench.web.workshop.timeline import Timeline

HIDDEN = """rules language 1
rulebook gems "Gems"
  players 4
  seats ann, bob, cid, dan
  team a_and_c: ann, cid
  team b_and_d: bob, dan
  turns 100

cards gem (gems)
  gem   | copies | worth
  glass |     20 |     0
  ruby  |     20 |     3

dice first_die:  1 to 3
dice second_die: 1 to 3
dice coin: 0 to 1

game has
  sack: bag of gem, seen by nobody, starts with every gem

each player has
  gems: bag of gem, seen by owner
  walked: 0 to 99, seen by all

setup
  ann starts

action walk
  roll first_die and second_die
  increase your walked by up to first_die + second_die
  move a random card from sack to your gems

action toss
  roll coin
  if coin = 1: increase your walked by up to 1

turn
  phase step
    you do walk, toss

points of player
  steps: player's walked
  rubies: 3 * (number of ruby in player's gems)

rule far
  whenever your walked >= 12: your team wins

hint pips walked: "first_die + second_die"
"""
"""Game of two teams with hidden points and with dice."""

TEAMS = {"ann": "a and c", "cid": "a and c", "bob": "b and d", "dan": "b and d"}


@pytest.fixture(scope="module")
def gems() -> Rulebook:
    return load_book("", {"gems": HIDDEN})


def finished(book: Rulebook, seed: int = 1) -> Game:
    """Return a game that random actions have played to its end."""
    game, numbers = Game.start(book, seed=seed), random.Random(seed)
    while not game.over:
        game.apply(numbers.choice(game.legal_actions()))
    return game


def summary_of(game: Game, viewpoint: str, language: str = "en") -> Any:
    """Return the summary of a game from a viewpoint."""
    return game_summary(Timeline(game), Viewpoint(viewpoint), language)


def by_title(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {row["title"]: row for row in rows}


# ---------------------------------------------------------------- ranking and points


def test_summary_of_a_game_with_points() -> None:
    game = finished(load_book("", {"openly": OPEN}))
    shown = summary_of(game, EVERYTHING)
    assert game.outcome is not None
    (winner,) = game.outcome.winners
    assert shown["title"] == f"{winner} has won"
    points = [game.points(seat) for seat in game.seats]
    assert [row["points"] for row in shown["ranking"]] == sorted(points, reverse=True)
    assert [row["won"] for row in shown["ranking"]] == [True, False, False]
    assert not shown["has_places"]
    (source,) = shown["sources"]
    assert source["title"] == "Score"
    assert [cell["points"] for cell in source["cells"].values()] == points
    assert max(cell["share"] for cell in source["cells"].values()) == 100
    assert [line["final"] for line in shown["chart"]["lines"]] == points
    assert len(dict.fromkeys(line["dashes"] for line in shown["chart"]["lines"])) == 3
    done = Counter(
        (event["action"].partition("(")[0], event["seat"]) for event in game.events
    )
    assert [
        (name, seat, number)
        for name, row in by_title(shown["actions"]).items()
        for seat, number in zip(game.seats, row["counts"], strict=True)
    ] == [
        (name, seat, done[name.lower(), seat])
        for name in ("take", "load")
        for seat in game.seats
    ]
    assert dict(shown["numbers"]) == {
        "Turns": game.turn,
        "Rounds": game.view(None)["round"],
        "Decisions": len(game.events),
    }


def test_points_by_source_add_up_to_the_points(gems: Rulebook) -> None:
    for name, game in (("gems", finished(gems)), ("base", finished(load("base")))):
        for seat in game.seats:
            assert sum(game.point_sources(seat).values()) == game.points(seat), name
        for reader in (*game.seats, None):
            known, view = game.visible_point_sources(reader), game.view(reader)
            for seat in game.seats:
                bounds = [each[seat] for each in known.values()]
                least = sum(low for low, _ in bounds)
                most = sum(high for _, high in bounds)
                assert least == view["points"][seat]
                assert (least < most) == (seat in view.get("at_least", ()))
                assert least <= game.points(seat) <= most


def test_teams_share_the_victory(gems: Rulebook) -> None:
    game = finished(gems)
    assert game.outcome is not None
    assert len(game.outcome.winners) == 2
    shown = summary_of(game, EVERYTHING)
    assert shown["has_teams"]
    assert {row["seat"]: row["team"] for row in shown["ranking"]} == TEAMS
    assert {row["seat"] for row in shown["ranking"][:2]} == set(game.outcome.winners)
    assert shown["title"].endswith(" have won")


def test_game_without_points_has_no_sources() -> None:
    """A number that ranks the players takes the place of points."""
    path = ROOT / "examples" / "tiny" / "noughts_and_crosses.rules"
    shown = summary_of(finished(load(str(path))), EVERYTHING)
    assert shown["sources"] == []
    assert shown["chart"] is None
    assert shown["score"] == ""
    assert "h-race" not in render_part("summary", shown, "en")
    hearts = finished(load(str(ROOT / "examples" / "games" / "hearts.rules")))
    ranked = summary_of(hearts, NOBODY)
    assert hearts.outcome is not None
    assert ranked["has_places"]
    assert {row["seat"]: row["place"] for row in ranked["ranking"]} == (
        hearts.outcome.ranks
    )
    assert ranked["score"] == "score"
    assert "hidden choices" in by_title(ranked["actions"])
    assert "hidden choices" not in by_title(summary_of(hearts, EVERYTHING)["actions"])
    held = hearts.position["player"]
    assert [line["final"] for line in ranked["chart"]["lines"]] == [
        held[seat]["score"] for seat in hearts.seats
    ]


def test_unfinished_game_has_no_winner() -> None:
    game = Game.start(load_book("", {"openly": OPEN}), seed=1)
    game.limit_turns(2)
    while not game.over:
        game.apply(game.legal_actions()[0])
    shown = summary_of(game, EVERYTHING)
    assert shown["title"] == "Game unfinished"
    assert not any(row["won"] for row in shown["ranking"])


def test_titles_are_in_the_language_of_the_reader() -> None:
    game = finished(load("germany"))
    shown = summary_of(game, EVERYTHING, "de")
    assert next(iter(by_title(shown["sources"]))) == "Rathäuser"
    assert "Augensumme (" in shown["rolls"][0]["title"]
    assert "," in shown["rolls"][0]["rows"][0]["expected"]
    assert shown["numbers"][0] == ("Züge", game.turn)


# ---------------------------------------------------------------- race


def test_race_has_the_points_at_the_end_of_each_turn(gems: Rulebook) -> None:
    game = finished(gems)
    film = Timeline(game)
    moments = race(film, Viewpoint(EVERYTHING))
    assert [moment.turn for moment in moments] == [*range(game.turn + 1)][
        0 if film.turns[0] == 0 else 1 :
    ]
    for moment in moments:
        end = max(step for step, turn in enumerate(film.turns) if turn == moment.turn)
        then = film.game_at(end)
        assert moment.points == {seat: then.points(seat) for seat in then.seats}


def test_long_games_have_few_points_in_the_chart() -> None:
    game = finished(load("base"))
    assert game.turn > 2 * MAX_MOMENTS
    moments = race(Timeline(game), Viewpoint(NOBODY))
    assert len(moments) == MAX_MOMENTS
    assert moments[-1].turn == game.turn


def test_labels_at_the_ends_of_lines_do_not_overlap() -> None:
    numbers = random.Random(3)
    for count in range(1, 9):
        heights = [numbers.choice([4, 50, 52, 96]) for _ in range(count)]
        moved = sorted(spread(heights, 11.5))
        assert all(b - a > 11 for a, b in pairwise(moved))
        assert moved[0] > 0
        assert moved[-1] < 100
    assert spread([20, 60], 10) == [20, 60]


def test_chart_stays_within_its_area(gems: Rulebook) -> None:
    game = finished(gems)
    drawn = chart(race(Timeline(game), Viewpoint(EVERYTHING)), game.seats)
    for line in drawn["lines"]:
        for pair in line["points"].split():
            x, y = map(float, pair.split(","))
            assert 0 <= x <= 100
            assert 0 <= y <= 100
    assert evenly(range(100), 3) == [0, 50, 99]
    level = [Moment(turn, {"ann": 2, "bob": 2}) for turn in (1, 2)]
    first, second = chart(level, ("ann", "bob"))["lines"]
    assert first["end"] == second["end"]
    assert second["label"] - first["label"] == pytest.approx(LABEL_HEIGHT)


# ---------------------------------------------------------------- rolls


def test_rolls_are_counted_and_compared_with_their_expectation(gems: Rulebook) -> None:
    """Added dice are counted by their sum, a single one by its face."""
    game = finished(gems)
    tables = {table.dice: table for table in roll_tables(game.log(None), words(gems))}
    added = tables["first_die", "second_die"]
    rolls = [e["outcome"] for e in game.events if isinstance(e.get("outcome"), list)]
    pairs = [sum(faces) for faces in rolls if len(faces) == 2]
    assert added.is_sum
    assert added.rolls == len(pairs) > 5
    assert [(value, count) for value, count, _ in added.rows] == [
        (value, pairs.count(value)) for value in range(2, 7)
    ]
    ways = [1, 2, 3, 2, 1]
    assert [expected for _, _, expected in added.rows] == pytest.approx(
        [len(pairs) * each / 9 for each in ways]
    )
    (coin,) = (table for dice, table in tables.items() if dice == ("coin",))
    assert not coin.is_sum
    assert sum_chances([[0, 0, 1], [0, 1], [0, 1]]) == pytest.approx(
        {0: 2 / 12, 1: 5 / 12, 2: 4 / 12, 3: 1 / 12}
    )
    assert [expected for _, _, expected in coin.rows] == [coin.rolls / 2] * 2


def words(book: Rulebook) -> Localizer:
    return Localizer("en", book)


def test_rolls_with_a_condition_have_no_expectation(gems: Rulebook) -> None:
    text = HIDDEN.replace("roll coin", "roll coin so that coin = 1")
    book = load_book("", {"gems": text})
    tables = list(roll_tables(finished(book).log(None), words(book)))
    assert [table.dice for table in tables] == [("first_die", "second_die")]


# ---------------------------------------------------------------- secrets


def exchanged(game: Game, seat: str) -> Game:
    """Return the game in which a seat drew the other card each time.

    Nobody but the seat can tell the two games apart.
    """
    header, *lines = game.record.splitlines()
    actor, changed = None, []
    other = {"ruby": "glass", "glass": "ruby"}
    for line in map(json.loads, lines):
        actor = line.get("seat", actor)
        if actor == seat and str(line.get("outcome")) in other:
            line["outcome"] = other[line["outcome"]]
        if "chance" in line or "seat" in line:
            changed.append(json.dumps(line))
    given = json.dumps({**json.loads(header), "seed": None})
    return Game.replay("\n".join([given, *changed]), game.book)


@pytest.mark.parametrize("seed", range(3))
def test_summary_does_not_depend_on_hidden_cards(gems: Rulebook, seed: int) -> None:
    game = finished(gems, seed)
    other = exchanged(game, "ann")
    assert other.points("ann") != game.points("ann")
    assert other.outcome is not None
    for reader in ("bob", "cid", "dan", NOBODY):
        for language in ("en", "de"):
            pages = [
                render_part("summary", summary_of(each, reader, language), language)
                for each in (game, other)
            ]
            assert pages[0] == pages[1], reader
            assert "≥" in pages[0]
    for reader in ("ann", EVERYTHING):
        assert summary_of(game, reader) != summary_of(other, reader)


# ---------------------------------------------------------------- pages


async def over(server: Server, variant: str = DARE, **settings: Any) -> Made:
    made = await server.table(variant, **settings)
    await play(made, 10_000)
    assert made.table.over
    return made


@with_server()
async def test_everybody_at_a_finished_table_gets_a_summary(server: Server) -> None:
    """A seat sees its own view, and a spectator that of nobody."""
    made = await over(server)
    path = f"{made.home}replay/summary"
    for seat in (*made.table.game.seats, WATCH, OWNER):
        browser = await made.sat(seat)
        part = (await browser.get(path, headers=SCRIPT)).json()["summary"]
        assert "h-ranking" in part
        page = (await browser.get(path)).text
        name = NOBODY if seat in {WATCH, OWNER} else seat
        assert f'seen={name}" aria-current="true"' in page
        assert (await browser.get(f"{path}?seen={NOBODY}")).status_code == 200
        assert (await browser.get(f"{path}?seen=somebody")).status_code == 403
        replay = (await browser.get(f"{made.home}replay")).text
        assert "/replay/summary?seen=" in replay


@with_server()
async def test_running_game_has_no_summary(server: Server) -> None:
    made = await server.table()
    browser = await made.sat(made.due)
    answer = await browser.get(f"{made.home}replay/summary", headers=SCRIPT)
    assert answer.status_code == 409
    assert "/replay/summary?seen=" not in (await browser.get(f"{made.home}replay")).text


@with_server()
async def test_language_of_the_summary_can_be_changed(server: Server) -> None:
    made = await over(server)
    browser = await made.sat(WATCH)
    path = f"{made.home}replay/summary"
    answer = await browser.post(
        f"{path}/language?seen={NOBODY}", data={"language": "de"}
    )
    assert answer.headers["location"] == f"{path}?seen={NOBODY}"
    assert "Rangliste" in (await browser.get(path)).text


def test_pages_of_a_finished_table_do_not_depend_on_hidden_cards(store: Store) -> None:
    """All other parts of the page must keep what the summary hides."""
    table = new_table(store, {"gems": HIDDEN}, 4)
    play_table(table, 10_000)
    assert table.over
    other = copy(table)
    other.game = exchanged(table.game, "ann")
    assert other.game.points("ann") != table.game.points("ann")
    for reader in ("bob", "cid", "dan", None):
        pages = [render_parts(snapshot(each, reader, "en")) for each in (table, other)]
        assert pages[0] == pages[1], reader


def test_number_of_cached_summaries_is_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A second reader with the same view causes no new calculation."""
    monkeypatch.setattr("workbench.web.workshop.game_summary.MAX_SUMMARIES", 3)
    film = Timeline(finished(load(DARE)))
    readers = (*film.seats, NOBODY, EVERYTHING)
    for reader in readers:
        for language in ("en", "de"):
            first = game_summary(film, Viewpoint(reader), language)
            assert game_summary(film, Viewpoint(reader), language) is first
    assert len(film.summaries) == 3
