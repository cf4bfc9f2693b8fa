"""Counts of how often parts of the rules decide in replayed games.

Expected counts are computed by hand, or with `why` for every action of whole games.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game
from interpreter.c_engine import PlayoutSource
from rulebook import Rulebook
from tests.support.commands import Output, document_of, output_of
from tests.workbench.test_schemas import valid
from workbench import load
from workbench.analysis.measures.counted import COUNTED_MEASURES, RulePartCounter
from workbench.analysis.runs.run_headers import run_header
from workbench.analysis.runs.run_tables import RunTables
from workbench.analysis.simulation.measuring import (
    definitions_of_counts,
    replay_counts,
    rule_part_counter,
)
from workbench.analysis.simulation.native_play import NativePlay
from workbench.analysis.simulation.settings import Settings
from workbench.analysis.simulation.simulation import (
    GameLimits,
    GameTask,
    bots_by_seat,
    native_source,
    play_game,
    simulate_games,
)
from workbench.analysis.simulation.statistics import Result
from workbench.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
FIRST = str(EXAMPLES / "first" / "first.rules")
STALL = """\
rules language 1
rulebook stall "Stall"
  players 2 to 2
  seats left, right
  turns 2
  source ours "A page of our own"

# Two haggle at a stall; what was shown last is not sold.

kind ware (wares): cup, bowl, vase

game has
  shown: ware or none, seen by all

each player has
  coins: 0 to 9, seen by all

setup
  each player: set player's coins to 2
  left starts

define ware's toll: 1 to 2
  small: 1 if ware = cup
  otherwise 2

action buy(ware)                                       ["The market"]
  needs coins: your coins >= ware's toll  "you have too few coins"
  needs other: ware is not shown          "this was shown last"
  set your coins to your coins - ware's toll
  set shown to ware
  if your coins = 0: set your coins to 1

action rest
  needs poor: your coins < 2  "you have enough"      ["The inn"]
  increase your coins by 1

limit once: at most 1 each turn of buy, rest  "once in a turn"

turn
  phase market
    you may, until end_turn:
      buy
      rest

points of player
  coins: player's coins
"""
BY_HAND = {
    "refused.buy.coins": 4,
    "refused.buy.other": 2,
    "refused.buy.once": 1,
    "refused.rest.poor": 2,
    "refused.rest.once": 2,
    "share_of_refusals.buy.coins": 4 / 7,
    "share_of_refusals.buy.other": 2 / 7,
    "share_of_refusals.buy.once": 1 / 7,
    "share_of_refusals.rest.poor": 1 / 2,
    "share_of_refusals.rest.once": 1 / 2,
    "decided.toll.small": 5,
    "decided.toll.2": 9,
    "share_of_lines.toll.small": 5 / 14,
    "share_of_lines.toll.2": 9 / 14,
    "entered.action.buy": 1,
    "share_of_branches.action.buy": 1 / 2,
}
"""Requirement that rejects each offered action, for the four decisions below.

left, 2 coins: cup, bowl and vase are sold; rest: poor left, 1, after a bowl: cup: once;
bowl, vase: coins; rest: once right, 2, a bowl shown: cup and vase are sold; bowl:
other; rest: poor right, 1, after a cup: cup: other; bowl, vase: coins; rest: once

`toll` is evaluated four times for three wares, and twice for a purchase.
"""
DONE = ("buy(bowl)", "end_turn", "buy(cup)", "end_turn")
PLAYERS_2 = Settings(players=2, seed=1)


@pytest.fixture(scope="module")
def stall_path(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("counted") / "stall.rules"
    path.write_text(STALL, "utf-8")
    return str(path)


@pytest.fixture(scope="module")
def stall(stall_path: str) -> Rulebook:
    return load(stall_path)


def done(book: Rulebook, *actions: str) -> Result:
    """Return the counts of a game after these actions."""
    game = PLAYERS_2.start(book)
    for action in actions:
        game.apply(action)
    return Result(
        seed=1,
        finished=False,
        winners=(),
        reason=None,
        points={},
        turns=game.turn,
        decisions=len(actions),
        actions={},
        record=game.record,
    )


def test_counts_equal_those_computed_by_hand(stall: Rulebook) -> None:
    row = replay_counts(stall, PLAYERS_2, done(stall, *DONE), None)

    assert row == {name: pytest.approx(value) for name, value in BY_HAND.items()}


def test_unevaluated_part_has_no_share(stall: Rulebook) -> None:
    row = replay_counts(stall, PLAYERS_2, done(stall), None)

    assert row["refused.rest.once"] == row["entered.action.buy"] == 0
    assert row["share_of_refusals.rest.poor"] is None
    assert row["share_of_branches.action.buy"] is None


def test_each_game_is_counted_separately(stall: Rulebook) -> None:
    result = done(stall, *DONE)
    rows = [replay_counts(stall, PLAYERS_2, result, None)]
    given_up = PLAYERS_2.start(rule_part_counter(stall).book)
    given_up.apply("buy(bowl)")
    rows.append(replay_counts(stall, PLAYERS_2, result, None))

    assert rows[0] == rows[1]


def test_part_has_its_clause_place_and_citation(stall: Rulebook) -> None:
    parts = {part.name: part.to_json() for part in rule_part_counter(stall).parts}

    assert parts["buy.once"]["clause"] == parts["rest.once"]["clause"] == "limit.once"
    assert parts["buy.coins"]["clause"] == "action.buy"
    assert parts["buy.coins"]["text"].startswith(
        "needs coins: your coins >= ware's toll"
    )
    line = next(
        n for n, text in enumerate(STALL.splitlines(), 1) if "needs coins:" in text
    )
    assert parts["buy.coins"]["line"] == line
    assert parts["toll.small"]["clause"] == "define.toll(ware)"
    assert parts["action.buy"]["text"] == "your coins = 0"
    assert parts["rest.poor"]["citation"] == {"source": "ours", "section": "The inn"}
    assert parts["buy.coins"]["citation"]["section"] == "The market"
    assert parts["toll.2"]["citation"] is None
    assert len({part.name for part in rule_part_counter(stall).parts}) == len(parts)


@pytest.mark.parametrize("name", ["first/first", "tiny/hex", "games/draughts"])
def test_rejections_equal_those_of_why(name: str) -> None:
    book = load(str(EXAMPLES / f"{name}.rules"))
    seats = PLAYERS_2.start(book).seats
    limits = GameLimits(None, 6)
    task = GameTask(
        bots_by_seat(["random"], seats), PLAYERS_2, limits, keep_record=True
    )
    result = play_game(book, task, 0)
    row = replay_counts(book, PLAYERS_2, result, None)
    assert result.record is not None
    lines = [json.loads(line) for line in result.record.splitlines()[1:]]
    actions = [event["action"] for event in lines if "action" in event]
    refused: Counter[str] = Counter()
    game = PLAYERS_2.start_bot_game(book, 0)
    for action in [*actions, None]:
        if game.to_act is not None and (action or asked_at_once(name)):
            refused.update(refusals(game))
        if action is not None:
            game.apply(action)

    assert sum(refused.values())
    counted = {part: row[f"refused.{part}"] for part in refused}
    assert counted == refused
    times = [value for column, value in row.items() if column.startswith("refused.")]
    assert sum(value or 0 for value in times) == sum(refused.values())


def asked_at_once(name: str) -> bool:
    """Return whether a game lists the legal actions as soon as they are due."""
    return name != "first/first"


def refusals(game: Game) -> Counter[str]:
    """Return the requirement that rejects each action that the rules offer now."""
    legal = set(game.legal_indices())
    why = [game.why(index) for index in range(1, game.actions) if index not in legal]
    return Counter(f"{x.clause}.{x.requirement}" for x in why if x.requirement)


# ---------------------------------------------------------------- many games


def played(book: Rulebook, counted: int, *, native: bool, jobs: int = 1) -> list[Any]:
    """Return the counts of eight games, in order; None for those not replayed."""
    seats = PLAYERS_2.start(book).seats
    task = GameTask(bots_by_seat(["random"], seats), PLAYERS_2, counted_games=counted)
    chosen = None
    if native:
        source = native_source(book, task)
        if not isinstance(source, PlayoutSource) or source.wait() is source.failure:
            pytest.skip("there is no compiler here")
        chosen = NativePlay(source)
    results = list(simulate_games(FIRST, book, task, 8, jobs, chosen))
    assert all(result.record is None for result in results)
    return [result.counts for result in sorted(results, key=lambda r: r.seed)]


def test_both_engines_and_any_number_of_jobs_count_the_same() -> None:
    book = load(FIRST)
    rows = played(book, 3, native=False)

    assert [row is not None for row in rows] == [True] * 3 + [False] * 5
    assert played(book, 3, native=True) == rows
    assert played(book, 3, native=False, jobs=2) == rows
    assert played(book, 5, native=False)[:3] == rows[:3]


def test_resumed_run_keeps_its_counts(stall: Rulebook) -> None:
    seats = PLAYERS_2.start(stall).seats
    bots = bots_by_seat(["random"], seats)
    task = GameTask(bots, PLAYERS_2, counted_games=2)
    tables = RunTables.of_book(stall, seats, {}, definitions_of_counts(stall))
    results = list(simulate_games("", stall, task, 4))
    kept = json.loads(json.dumps(tables.rows(results)["games"]))

    assert [tables.result_of(row) for row in kept] == results
    assert [result.counts is None for result in results] == [False, False, True, True]
    heads = [
        run_header(
            stall,
            GameTask(bots, PLAYERS_2, counted_games=number),
            tables.schemas(detail=False),
        )
        for number in (2, 3)
    ]
    assert heads[0] != heads[1]


def test_counting_does_not_change_the_games(stall: Rulebook) -> None:
    seats = PLAYERS_2.start(stall).seats
    task = GameTask(bots_by_seat(["random"], seats), PLAYERS_2, keep_record=True)
    result = play_game(stall, task, 0)
    counting = RulePartCounter.of_book(stall)
    game = PLAYERS_2.start(counting.book, seed=result.seed)
    assert result.record is not None
    for line in result.record.splitlines()[1:]:
        event = json.loads(line)
        if "action" in event:
            game.apply(event)

    assert game.position == Game.replay(result.record, stall).position


# ---------------------------------------------------------------- commands


def test_simulate_reports_the_counts(stall_path: str, capsys: Output) -> None:
    words = ["simulate", stall_path, "--games", "6", "--counted", "4"]
    document = document_of(capsys, *words)
    valid("simulate", document)
    text = output_of(capsys, *words)

    counted = document["counted"]
    assert counted["games"] == 4
    names = {part["name"] for part in counted["requirements"]}
    assert names == {"buy.coins", "buy.other", "buy.once", "rest.poor", "rest.once"}
    assert [part["name"] for part in counted["lines"]] == ["toll.small", "toll.2"]
    assert [part["name"] for part in counted["branches"]] == ["action.buy"]
    small, other = counted["lines"]
    assert small["share"] + other["share"] == pytest.approx(1)
    assert f"{small['times']:.2f}" in text.split("toll.small")[1].split("\n")[0]
    assert "in 4 replayed games" in text
    assert "The inn" in text.split("rest.poor")[1].split("\n")[0]


def test_output_file_contains_the_counts(
    stall_path: str, tmp_path: Path, capsys: Output
) -> None:
    out = str(tmp_path / "games.jsonl")
    words = ["simulate", stall_path, "--games", "4", "--out", out, "--counted"]
    assert main([*words, "2"]) == 0
    capsys.readouterr()
    rows = [json.loads(line) for line in Path(out).read_text("utf-8").splitlines()]
    for row in rows:
        valid("rows", row)

    book = load(stall_path)
    assert set(rows[0]["counted"]) == set(rule_part_counter(book).column_definitions())
    assert isinstance(rows[1]["counted"]["refused.buy.coins"], int)
    assert set(rows[2]["counted"].values()) == {None}


def test_reports_no_counts_without_counting(stall_path: str, capsys: Output) -> None:
    document = document_of(capsys, "simulate", stall_path, "--games", "2")
    valid("simulate", document)
    assert "counted" not in document

    assert main(["simulate", stall_path, "--counted", "-1"]) == 2
    assert "--counted must be at least 0, not -1" in capsys.readouterr().err


def test_compare_reports_requirements_that_reject_more_often(
    stall_path: str, tmp_path: Path, capsys: Output
) -> None:
    pytest.importorskip("numpy")
    dear = tmp_path / "dear.rules"
    text = STALL.replace("otherwise 2", "otherwise 3").replace("1 to 2", "1 to 3")
    dear.write_text(text.replace("rulebook stall", "rulebook dear"), "utf-8")
    words = ["compare", stall_path, str(dear), "--bots", "random", "--games", "60"]
    words += ["--counted", "20"]
    told = document_of(capsys, *words)
    valid("compare", told)
    lines = output_of(capsys, *words)

    (comparison,) = told["comparisons"]
    assert comparison["counted"]["pairs"] == 20
    rows = {f"{x['measure']}.{x['of']}": x for x in comparison["counted"]["measures"]}
    assert set(rows) == set(rule_part_counter(load(stall_path)).column_definitions())
    coins = rows["refused.buy.coins"]
    assert coins["verdict"] == "certain" and coins["low"] > 0
    assert coins["unit"] == "actions"
    assert not any(x["measure"] == "refused" for x in comparison["measures"])
    assert "use of the rules, counted in replayed games" in lines
    assert "  buy.coins rejects " in lines


def test_each_counted_measure_has_a_meaning() -> None:
    assert len({measure.name for measure in COUNTED_MEASURES}) == len(COUNTED_MEASURES)
    for measure in COUNTED_MEASURES:
        assert measure.meaning.endswith(".") and len(measure.meaning) > 20, measure.name
