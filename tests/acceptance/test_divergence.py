"""A record replayed with one changed cost: the first difference and its clause."""

import json
from pathlib import Path

import pytest

import workbench
from interpreter import Game, IllegalAction, RecordError
from rulebook import Rulebook
from workbench.bots import generator, random_below
from workbench.cli import main

DEAR = """rules language 1
rulebook dear "Dear roads"
  extends germany

replace costs
  road: 1 lumber, 2 brick
"""


@pytest.fixture
def house_rule(tmp_path: Path) -> Path:
    path = tmp_path / "dear.rules"
    path.write_text(DEAR, encoding="utf-8")
    return path


def record_of(book: Rulebook, seed: int) -> str:
    """Return the record of a random game."""
    game = Game.start(book, players=3 + seed % 2, seed=seed)
    numbers = generator(seed, "everybody")
    while legal := game.legal_actions():
        game.apply(legal[random_below(len(legal), numbers)])
    return game.record


def first_that_differs(record: str, book: Rulebook) -> tuple[int, str | None]:
    """Return the first event that differs under other rules, found by playing."""
    head, *lines = [json.loads(line) for line in record.splitlines()]
    events = [line for line in lines if "end" not in line]
    game = Game.start(book, players=head["players"], seed=head["seed"])
    for step, event in enumerate(events):
        if step < game.steps:
            if game.events[step] != event:
                return step, game.events[step].get("chance")
            continue
        try:
            game.apply(event["action"])
        except IllegalAction as error:
            return step, error.explanation.clause
    raise AssertionError("the games do not differ")


def test_reports_the_first_different_event_and_its_clause(
    house_rule: Path, deep: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    book, dear = workbench.load("germany"), workbench.load(str(house_rule))
    for seed in range(1, 21 if deep else 4):
        record = record_of(book, seed)
        step, clause = first_that_differs(record, dear)

        with pytest.raises(RecordError) as caught:
            Game.replay(record, dear)

        assert (caught.value.step, caught.value.clause) == (step, clause)

        path = house_rule.with_name(f"{seed}.jsonl")
        path.write_text(record, encoding="utf-8")
        status = main(["replay", str(path), "--rules", str(house_rule), "--json"])
        replay = json.loads(capsys.readouterr().out)

        assert status == 1
        assert not replay["ok"]
        assert replay["diverged"]["step"] == step
        assert replay["diverged"]["clause"] == clause
        assert clause
