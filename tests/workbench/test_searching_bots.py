"""Search bots play wherever other bots do; invalid budgets are rejected.

Verified by manual mutations: a budget that is ignored, the same key for every decision.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter import Budget, Game
from interpreter.search import search
from tests.native.test_same_games import ROOT
from tests.support.commands import Output, document_of
from workbench import load
from workbench.bots import BOTS, bot_random, decide, shipped_bot
from workbench.bots.registry import bot_of, check_bot
from workbench.bots.search import TreeSearch
from workbench.cli import main
from workbench.errors import RequestError

FOUR = str(ROOT / "examples" / "tiny" / "connect_four.rules")


def test_budget_is_part_of_the_name() -> None:
    assert bot_of("mcts") is BOTS["mcts"]
    assert bot_of("mcts(200)") == TreeSearch(Budget(playouts=200))
    assert shipped_bot("mcts(0.5 s)") == TreeSearch(Budget(seconds=0.5))
    assert shipped_bot("other") is None


@pytest.mark.parametrize(
    ("name", "said", "cure"),
    [
        ("mcts(0)", "the playouts of a search must be more than 0", "mcts(2000)"),
        ("mcts(5 kg)", "not in `kg`", "mcts(50000 decisions)"),
        ("mcts(5", "must end with one closing", "mcts(0.5 s)"),
        ("mtcs(200)", "there is no bot `mtcs(200)`", "did you mean `mcts`?"),
        ("greedy(3)", "the bot `greedy` takes no budget", "`mcts` does"),
    ],
)
def test_invalid_budget_is_reported(name: str, said: str, cure: str) -> None:
    with pytest.raises(RequestError) as refused:
        check_bot(name)

    assert said in refused.value.message
    assert cure in (refused.value.help or "")


def test_exits_with_2_for_an_invalid_budget(capsys: Output) -> None:
    assert main(["simulate", FOUR, "--bots", "mcts(0)"]) == 2
    assert "write a budget as mcts(2000)" in capsys.readouterr().err
    assert main(["play", FOUR, "--seat", "red=mcts(0 s)"]) == 2
    assert "the seconds of a search must be more than 0" in capsys.readouterr().err


def test_search_uses_its_own_random_numbers_and_skips_forced_actions() -> None:
    game = Game.start(load(FOUR), seed=1)
    bot = TreeSearch(Budget(playouts=30))
    first = decide(bot, game, "yellow", bot_random(1, 0, "yellow"))
    key = int(bot_random(1, 0, "yellow").random() * 2**53)

    assert first.index == search(game, bot.budget, key=key).index
    numbers = bot_random(1, 0, "yellow")
    begun = numbers.getstate()
    action = bot({}, game.legal_actions()[:1], game.sample, numbers)
    assert action == game.legal_actions()[0]
    assert numbers.getstate() == begun


def test_search_bot_plays_in_every_command(
    capsys: Output, working_folder: Path
) -> None:
    bots = ["--bots", "mcts(40),greedy"]
    assert (
        main(["simulate", FOUR, "--games", "4", *bots, "--json", "--records", "."]) == 0
    )
    simulated = json.loads(capsys.readouterr().out)
    short = Path(FOUR).read_text().replace("turns 42", "turns 12")
    Path("short.rules").write_text(short)
    pair = [FOUR, "short.rules", "--games", "4"]
    compared = document_of(capsys, "compare", *pair, *bots)
    seats = [["--seat", "yellow=mcts(40)"], ["--seat", "red=greedy"]]
    again = ["--seed", "2", "--bot-seed", "1", "--game", "1", "--record", "again.jsonl"]
    assert main(["play", FOUR, *seats[0], *seats[1], *again]) == 0

    assert simulated["wins"]["yellow"] >= 3
    assert compared["variants"][0]["gains"][0]["bot"] == "mcts(40)"
    assert Path("again.jsonl").read_text() == Path("2.jsonl").read_text()


def test_bots_are_listed_with_descriptions(capsys: Output) -> None:
    about = {row["name"]: row["about"] for row in document_of(capsys, "bots")}

    assert "tree search with 1000 playouts per decision" in about["mcts"]
    assert about["random"] == "plays a random legal action"
