"""Bot numbers reveal nothing about the game's seed; games are reproducible."""

import copy
import json
import pickle
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from interpreter import Action, Game, RecordError
from rulebook import Rulebook
from tests.faults.seeds import cheat
from tests.support.commands import Output, errors_of
from workbench.analysis.simulation.settings import Settings
from workbench.analysis.simulation.simulation import GameTask, play_game
from workbench.bots import Sample, bot_random, decide, generator
from workbench.bots.randomness import KeyedRandom
from workbench.bots.registry import import_file
from workbench.cli import main

HERE = Path(__file__).parent
CHEAT = f"{HERE / 'seeds' / 'cheat.py'}:cheat"
TINY = str(HERE.parent / "support" / "tiny.rules")


def header_of(path: Path) -> dict[str, Any]:
    """Return the header of a record."""
    header: dict[str, Any] = json.loads(path.read_text().splitlines()[0])
    return header


def played(path: Path, *more: str) -> dict[str, Any]:
    """Play a game of bots; return its header."""
    seats = ["--seat", "all=random", "--record", str(path)]
    assert main(["play", TINY, *seats, *more]) == 0
    return header_of(path)


# ---------------------------------------------------------------- cheating


def test_the_cheat_finds_the_seed_in_numbers_derived_from_it(tiny: Rulebook) -> None:
    game = Game.start(tiny, players=2, seed=7)
    seat = game.to_act
    assert seat is not None
    cheat.FOUND.clear()

    decide(cheat.cheat, game, seat, Random(f"{game.seed}/{seat}"))

    assert {seat: 7} == cheat.FOUND


@pytest.mark.parametrize("more", [[], ["--bot-seed", "7"], ["--bot-seed", "random"]])
def test_a_bot_in_a_simulation_cannot_find_the_seed(
    capsys: Output, more: list[str]
) -> None:
    settings = ["--games", "1", "--seed", "7", "--max-decisions", "20"]
    import_file.cache_clear()
    assert main(["simulate", TINY, "--bots", CHEAT, *settings, *more]) == 0

    told = [line for line in capsys.readouterr().err.splitlines() if "seed of" in line]
    assert len(told) == 3
    assert all(line.endswith("is None") for line in told)


class Spy:
    """Bot that stores everything it can learn about its random numbers."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def __call__(
        self,
        _view: Mapping[str, Any],
        legal: Sequence[Action],
        sample: Sample,
        numbers: Random,
    ) -> Action:
        self.seen += [
            numbers.getstate(),
            Random.getstate(numbers),
            pickle.dumps(numbers),
            type(numbers).__mro__,
            numbers.random(),
            sample(1).seed,
            sample(1).notes,
        ]
        return legal[0]


def test_bot_numbers_do_not_depend_on_the_game_seed(
    tiny: Rulebook,
) -> None:
    seen = []
    for seed in (1, 2**50 + 1):
        spy, game = Spy(), Game.start(tiny, players=2, seed=seed)
        game.notes = {"bot_seed": 5, "game": 3}
        seat = game.to_act
        assert seat is not None
        decide(spy, game, seat, bot_random(5, 3, seat))
        seen.append(spy.seen)

    assert seen[0] == seen[1]


def test_numbers_differ_by_bot_seed_game_and_seat() -> None:
    keys = {
        bot_random(*names).getstate()
        for names in [(1, 0, "a"), (2, 0, "a"), (1, 1, "a"), (1, 0, "b"), (11, 0, "a")]
    }

    assert len(keys) == 5
    assert bot_random(1, 11, "a").random() != bot_random(11, 1, "a").random()


def test_bot_numbers_do_not_reveal_the_bot_seed() -> None:
    below = {
        Random.getstate(bot_random(*names)) for names in [(1, 0, "a"), (2, 3, "b")]
    }

    assert len(below) == 1
    assert "bot" not in repr(vars(bot_random(1, 0, "a")))


def test_a_sample_contains_neither_seed(tiny: Rulebook) -> None:
    game = Settings(seed=9, bot_seed=8).start_bot_game(tiny, 4)
    sample = game.sample("north", 77)

    assert json.loads(game.record.splitlines()[0])["bot_seed"] == 8
    first = json.loads(sample.record.splitlines()[0])
    assert first["seed"] == 77
    assert "bot_seed" not in first
    assert "game" not in first


def test_play_draws_both_seeds_from_the_system(tmp_path: Path) -> None:
    headers = [played(tmp_path / f"{number}.jsonl") for number in range(4)]

    assert len({header["seed"] for header in headers}) == 4
    assert len({header["bot_seed"] for header in headers}) == 4
    assert max(header["seed"] for header in headers) > 2**40
    assert max(header["bot_seed"] for header in headers) > 2**40


def test_play_draws_the_seed_that_is_not_given(tmp_path: Path) -> None:
    one_seed = played(tmp_path / "1.jsonl", "--seed", "3")
    two = played(tmp_path / "2.jsonl", "--seed", "3", "--bot-seed", "random")
    three = played(tmp_path / "3.jsonl", "--bot-seed", "3")

    assert [one_seed["seed"], two["seed"], three["bot_seed"]] == [3, 3, 3]
    assert len({one_seed["bot_seed"], two["bot_seed"], three["seed"], 3}) == 4


# ---------------------------------------------------------------- again


def test_play_repeats_any_game_of_a_simulation(tmp_path: Path) -> None:
    out, folder = tmp_path / "out.jsonl", tmp_path / "games"
    four = ["--games", "4", "--seed", "5", "--bot-seed", "random"]
    keep = ["--out", str(out), "--records", str(folder)]
    assert main(["simulate", TINY, *four, *keep]) == 0

    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(row["seed"], row["game"]) for row in rows] == [
        (5 + i, i) for i in range(4)
    ]
    for row in rows:
        again = tmp_path / f"again-{row['game']}.jsonl"
        names = {"--seed": "seed", "--bot-seed": "bot_seed", "--game": "game"}
        flags = [
            text for flag, name in names.items() for text in (flag, str(row[name]))
        ]
        played(again, *flags)
        assert again.read_text() == (folder / f"{row['seed']}.jsonl").read_text()


def test_the_bot_seed_changes_choices_but_not_dice(
    tiny: Rulebook,
) -> None:
    task = GameTask(dict.fromkeys(tiny.seats, "random"), Settings(), keep_record=True)
    other = GameTask(task.bots, Settings(bot_seed=2), keep_record=True)
    first, second = play_game(tiny, task, 0).record, play_game(tiny, other, 0).record

    assert first is not None
    assert second is not None
    lines = [record.splitlines()[1:] for record in (first, second)]
    assert lines[0] != lines[1]
    dice = [next(line for line in game if "chance" in line) for game in lines]
    assert dice[0] == dice[1]


def test_bots_of_a_resumed_game_use_the_recorded_seed(
    tmp_path: Path, capsys: Output
) -> None:
    whole = tmp_path / "whole.jsonl"
    played(whole, "--seed", "3", "--bot-seed", "4")
    resumed = []
    for number in range(2):
        path = tmp_path / f"resumed-{number}.jsonl"
        path.write_text("".join(whole.read_text().splitlines(keepends=True)[:1]))
        assert main(["play", "--resume", str(path), "--seat", "all=random"]) == 0
        resumed.append(path.read_text())

    assert resumed == [whole.read_text()] * 2
    assert "--seed 3 --bot-seed 4" in capsys.readouterr().out


def test_old_records_copies_and_replays_keep_their_headers(tiny: Rulebook) -> None:
    game = Settings(bot_seed=6).start_bot_game(tiny, 2)
    game.apply(game.legal_actions()[0])
    old = Game.start(tiny, seed=1)

    assert Game.replay(game.record, tiny).record == game.record
    assert game.copy().record == game.record
    assert "bot_seed" not in old.record
    assert Game.replay(old.record, tiny).record == old.record
    assert Settings(bot_seed=6).start_bot_game(tiny, 2) == Settings(
        bot_seed=5
    ).start_bot_game(tiny, 2)


@pytest.mark.parametrize("wrong", ["1", 1.5, True, None, [1]])
def test_rejects_a_header_with_an_invalid_seed(tiny: Rulebook, wrong: object) -> None:
    record = Settings().start_bot_game(tiny, 0).record
    first = {**json.loads(record.splitlines()[0]), "bot_seed": wrong}

    with pytest.raises(RecordError, match=r"bot_seed|not a whole number"):
        Game.replay(json.dumps(first) + "\n", tiny)


def test_every_command_with_a_seed_accepts_a_bot_seed(capsys: Output) -> None:
    for command in (["test"], ["perft", "--depth", "1"], ["simulate", "--games", "1"]):
        for seed in ("3", "random"):
            assert main([command[0], TINY, *command[1:], "--bot-seed", seed]) == 0
    assert "some" in errors_of(capsys, "simulate", TINY, "--bot-seed", "some")


# ---------------------------------------------------------------- the numbers


def test_the_generator_is_the_same_on_every_machine() -> None:
    numbers = KeyedRandom("bot", 1, 0, "red")

    assert [round(numbers.random() * 10**6) for _ in range(3)] == [
        952344,
        733997,
        15800,
    ]
    assert numbers.getrandbits(40) == 256668747595


def test_the_generator_has_all_methods_of_random() -> None:
    numbers = bot_random(3, 0, "red")
    assert isinstance(numbers, Random)

    drawn = [numbers.randrange(6) for _ in range(6000)]
    assert min(drawn.count(face) for face in range(6)) > 880
    assert all(0 <= numbers.random() < 1 for _ in range(1000))
    assert abs(sum(numbers.random() for _ in range(4000)) / 4000 - 0.5) < 0.02
    assert sorted(numbers.sample(range(9), 9)) == list(range(9))
    numbers.shuffle(cards := list(range(9)))
    assert sorted(cards) == list(range(9))
    assert all(numbers.getrandbits(k) < 2**k for k in (0, 1, 31, 32, 33, 64, 100))
    assert any(numbers.getrandbits(33) >> 32 for _ in range(50))
    assert numbers.choice("abc") in "abc"
    assert len(numbers.randbytes(5)) == 5


def test_the_generator_can_be_copied_saved_and_restarted() -> None:
    numbers = bot_random(3, 0, "red")
    first = [numbers.random() for _ in range(3)]
    numbers.gauss(0, 1)
    state = numbers.getstate()
    twins = [copy.deepcopy(numbers), pickle.loads(pickle.dumps(numbers))]  # noqa: S301

    then = [numbers.gauss(0, 1), numbers.random(), numbers.getrandbits(9)]
    for twin in twins:
        assert [twin.gauss(0, 1), twin.random(), twin.getrandbits(9)] == then
    numbers.setstate(state)
    assert [numbers.gauss(0, 1), numbers.random(), numbers.getrandbits(9)] == then
    numbers.seed()
    assert [numbers.random() for _ in range(3)] == first
    numbers.seed(5)
    assert [numbers.random() for _ in range(3)] != first


def test_the_old_generator_works_and_warns() -> None:
    with pytest.warns(DeprecationWarning, match="bot_random"):
        numbers = generator(7, "north")

    assert numbers.random() == Random("7/north").random()
