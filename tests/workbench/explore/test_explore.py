"""`rulebook explore` visits every position once and finds the nearest failure.

Counts are compared with an independent walk over all games, which identifies positions
by their full text. Verified by manual mutations: a cell or the stacks missing in packed
positions; a position of each depth skipped; known positions visited again; limits off
by one; invariants checked during set-up; finished games counted as open; dead ends not
detected.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from interpreter import Game, violated_invariants
from interpreter.game import state_of
from interpreter.native.build.build_failure import BuildFailure
from interpreter.native.build.compilers import c_compiler
from rulebook import Rulebook, loads
from tests.support.commands import Output, document_of, output_of
from workbench import load
from workbench.analysis.simulation.setting_variations import random_choice
from workbench.analysis.simulation.settings import Settings
from workbench.cli import main
from workbench.cli.testing import explore as command
from workbench.testing.rule_tests.exploration import (
    Exploration,
    ExplorationLevel,
    ExplorationLimits,
)

ROOT = Path(__file__).parents[3]
HERE = Path(__file__).parent
TINY = "tests/support/tiny.rules"
DARE = "examples/tiny/dare.rules"
LATCH = str(HERE / "latch.rules")
ENGINES = ("reference", "native")
MUCH = ExplorationLimits(None, 100_000, 1 << 30)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a separate folder for this test."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    """Return each engine that is available."""
    if request.param == "native" and isinstance(c_compiler(), BuildFailure):
        pytest.skip("there is no compiler here")
    return str(request.param)


def book_of(name: str) -> Rulebook:
    return load(str(ROOT / name) if name.endswith(".rules") else name)


def all_of_it(items: Any, _total: int, _what: str) -> Any:
    return items


def explored(begin: Game, bounds: ExplorationLimits = MUCH) -> Exploration:
    exploration = Exploration(begin, begin.book.model.invariants, bounds, all_of_it)
    assert list(exploration.explore()) == exploration.levels
    return exploration


def by_hand(begin: Game, depth: int) -> list[dict[str, Game]]:
    """Return the positions as texts, by the fewest events that lead to them.

    Every game is followed, even through known positions.
    """
    levels: list[dict[str, Game]] = [{text_of(begin): begin}]
    nearest = {text_of(begin): 0}
    ways = [begin]
    for deep in range(1, depth + 1):
        ways = [after for game in ways for after in followers(game)]
        for game in ways:
            nearest.setdefault(text_of(game), deep)
        levels.append({text_of(g): g for g in ways if nearest[text_of(g)] == deep})
    return levels


def followers(game: Game) -> Iterator[Game]:
    for choice in game.legal_actions():
        after = game.copy()
        after.apply(choice)
        yield after


def text_of(game: Game) -> str:
    return json.dumps(game.position, sort_keys=True)


# ---------------------------------------------------------------- counts


@pytest.mark.parametrize(
    ("name", "players", "depth", "seed"),
    [
        (TINY, 2, 6, None),
        (TINY, 2, 10, 3),
        (DARE, 2, 7, None),
        ("examples/tiny/noughts_and_crosses.rules", 2, 4, None),
        ("examples/first/first.rules", 2, 4, None),
        ("examples/games/sealed_bids.rules", 3, 3, None),
        ("examples/games/hearts.rules", 4, 3, 1),
        ("germany", 3, 4, None),
        ("cardgame", 2, 3, 1),
    ],
)
def test_counts_agree_with_an_exhaustive_walk(
    name: str, players: int, depth: int, seed: int | None, engine: str
) -> None:
    begin = Settings(players=players, seed=seed).start(
        book_of(name), chance="given" if seed is None else "drawn", engine=engine
    )

    exploration = explored(begin, ExplorationLimits(depth, 100_000, 1 << 30))

    expected = [
        (len(games), sum(game.over for game in games.values()))
        for games in by_hand(begin, depth)
    ]
    assert [(row.positions, row.ended) for row in exploration.levels] == expected
    assert (
        exploration.positions_to_depth
        == exploration.positions
        == sum(n for n, _ in expected)
    )
    assert exploration.start.engine == engine


def test_there_are_5478_positions_of_noughts_and_crosses(engine: str) -> None:
    book = book_of("examples/tiny/noughts_and_crosses.rules")

    exploration = explored(Settings().start(book, engine=engine))

    assert exploration.is_exhausted
    assert exploration.positions == 5_478
    assert sum(level.ended for level in exploration.levels) == 958
    assert exploration.sentence == "true in all 5,478 positions of the game"


def test_every_outcome_of_a_shuffle_is_followed() -> None:
    begin = Settings(players=2).start(book_of(DARE), chance="given")

    exploration = explored(begin)

    games = map(exploration.game, range(exploration.positions))
    points = {tuple(g.outcome.points.values()) for g in games if g.outcome is not None}
    assert exploration.is_exhausted
    # Cards 1, 1, 2 and 3 are drawn in turn, two for each side.
    assert points == {
        (left, right)
        for left, right in [(a, b) for a in range(6) for b in range(6)]
        if fits_dare(left, right)
    }


def fits_dare(left: int, right: int) -> bool:
    """Return whether two cards for each side, each won or lost, give these totals."""
    cards = [1, 1, 2, 3]
    for first in range(4):
        for second in range(first):
            mine = cards[first], cards[second]
            rest = [cards[n] for n in range(4) if n not in {first, second}]
            if left in sums(mine) and right in sums(rest):
                return True
    return False


def sums(cards: Any) -> set[int]:
    return {0, *cards, sum(cards)}


# ---------------------------------------------------------------- positions as bytes


@pytest.mark.parametrize(
    "name", ["germany", "classic", "cardgame", "examples/games/sealed_bids.rules"]
)
def test_packing_a_position_is_reversible(name: str, engine: str) -> None:
    book, numbers = book_of(name), Random(4)
    game = Settings().start(book, chance="given", engine=engine)
    other = Settings().start(book, chance="given")
    for _ in range(400):
        if game.over:
            break
        choice = random_choice(game, numbers)
        game.apply(choice)
        other.apply(choice)
        again = other.unpacked(game.packed)
        assert again == game
        assert again.packed == game.packed == other.packed
        assert again.position == game.position
        assert again.legal_actions() == game.legal_actions()


def test_different_positions_are_packed_differently() -> None:
    begin = Settings(players=2).start(book_of(TINY), chance="given")
    games = [game for level in by_hand(begin, 6) for game in level.values()]

    assert len({game.packed for game in games}) == len(games)
    assert len({game.key for game in games}) == len(games)


def test_boolean_and_equal_number_are_packed_alike() -> None:
    game = Settings(players=2).start(book_of(TINY), chance="given")
    other = game.copy()
    for each, truth in ((game, False), (other, 0)):
        state = state_of(each)
        state.s[state.s.index(0)] = truth
        state.frames[-1].append(truth)

    assert game.packed == other.packed


# ---------------------------------------------------------------- failures


def level_of(levels: list[dict[str, Game]], wrong: Callable[[Game], object]) -> int:
    """Return the least depth of a failing position."""
    return next(n for n, games in enumerate(levels) if any(map(wrong, games.values())))


def test_broken_invariant_is_found_at_the_least_depth(engine: str) -> None:
    book = book_of(LATCH)
    (invariant,) = book.model.invariants
    begin = Settings().start(book, chance="given", engine=engine)

    exploration = explored(begin)

    (item,) = exploration.failures
    game = Game.replay(str(item.record), book)
    assert violated_invariants(game, [invariant]) == [invariant]
    assert game.steps == level_of(
        by_hand(begin, 5), lambda g: violated_invariants(g, [invariant])
    )
    assert game.steps == 4
    assert (item.kind, item.name, item.line) == ("invariant", invariant.title, 40)
    assert "after event 4" in str(item.message)
    assert exploration.depth == 3


def test_failing_effect_is_reported_with_its_choice(engine: str) -> None:
    book = book_of(LATCH)
    begin = Settings(options={"loud": True}).start(book, engine=engine)

    exploration = Exploration(begin, (), MUCH, all_of_it)
    levels = [level.depth for level in exploration.explore()]

    (item,) = exploration.failures
    assert levels == [0, 1, 2, 3]
    assert (item.kind, item.name) == ("failure", "p1 does push")
    assert "4 is out of range: `latch` holds 0 to 3" in str(item.message)
    assert Game.replay(str(item.record), book).steps == 3


def test_dead_end_is_detected(engine: str) -> None:
    book = book_of(LATCH)
    begin = Settings(options={"stuck": True}).start(book, engine=engine)

    exploration = explored(begin)

    (item,) = exploration.failures
    game = Game.replay(str(item.record), book)
    assert (item.kind, item.name) == ("dead end", "p1 can always act")
    assert (game.steps, game.to_act, game.legal_actions()) == (2, "p1", ())
    assert not game.over
    assert item.line == 16


def test_invariant_broken_at_the_start_has_depth_0() -> None:
    text = Path(LATCH).read_text(encoding="utf-8")
    more = '\ninvariant "it is up"\n  require latch = 3\n'
    book = loads(text + more, LATCH)

    exploration = explored(Settings().start(book))

    assert [item.name for item in exploration.failures] == ["it is up"]
    assert exploration.levels == []
    assert exploration.sentence.startswith("broken at the start")


def test_invariants_are_not_checked_during_the_deal() -> None:
    begin = Settings(players=2).start(book_of("classic"), chance="given")
    assert begin.to_act == "chance"

    exploration = explored(begin, ExplorationLimits(2, 1_000, 1 << 30))

    assert exploration.failures == []


# ---------------------------------------------------------------- bounds


@pytest.mark.parametrize("limit", [1, 7, 100, 998])
def test_no_more_positions_are_visited_than_the_limit(limit: int) -> None:
    begin = Settings(players=2).start(book_of(DARE), chance="given")

    exploration = explored(begin, ExplorationLimits(None, limit, 1 << 30))

    assert exploration.positions == limit
    assert (exploration.stop_reason is None) == (limit == 998)
    assert exploration.is_exhausted == (limit == 998)


def test_memory_limit_is_respected() -> None:
    begin = Settings(players=2).start(book_of(DARE), chance="given")

    exploration = explored(begin, ExplorationLimits(None, 100_000, 50_000))

    assert exploration.stop_reason == "memory"
    assert 1 < exploration.positions < 998
    assert "stopped by memory" in exploration.sentence


def test_depth_limit_is_reported() -> None:
    begin = Settings(players=2).start(book_of(DARE), chance="given")

    exploration = explored(begin, ExplorationLimits(12, 100_000, 1 << 30))
    short = explored(begin, ExplorationLimits(11, 100_000, 1 << 30))

    assert (exploration.is_exhausted, short.is_exhausted) == (True, False)
    assert short.sentence == f"true in all {short.positions:,} positions to depth 11"


# ---------------------------------------------------------------- command


def document(capsys: Output, *words: str, status: int = 0) -> Any:
    return document_of(capsys, "explore", *words, status=status)


def test_reports_the_visited_positions(capsys: Output) -> None:
    out = output_of(capsys, "explore", str(ROOT / DARE))
    assert "dare, 2 players, every outcome of chance, 0 invariants" in out
    assert "3 choices at depth 0: chance, " in out
    assert out.endswith("true in all 998 positions of the game\n")


def test_failure_is_reported_and_its_record_saved(capsys: Output) -> None:
    out = output_of(capsys, "explore", LATCH, status=1)
    assert "failed: invariant “nobody has knocked at a latch that is up”" in out
    assert "the shortest such game there is was saved to latch.broken.jsonl" in out
    assert out.endswith("broken after 4 events, and no earlier: 20 positions visited\n")
    assert main(["replay", "latch.broken.jsonl"]) == 0
    assert main(["explore", LATCH, "-k", "no such"]) == 0
    assert main(["explore", LATCH, "--depth", "3"]) == 0


def test_starts_from_a_record_or_a_position(capsys: Output) -> None:
    assert main(["explore", LATCH]) == 1

    at = document(capsys, LATCH, "--from", "latch.broken.jsonl", "--at", "3", status=1)
    end = document(capsys, LATCH, "--from", "latch.broken.jsonl", status=1)
    capsys.readouterr()
    assert main(["replay", "latch.broken.jsonl", "--at", "3", "--json"]) == 0
    Path("stands.json").write_text(capsys.readouterr().out)
    position = document(capsys, LATCH, "--from", "stands.json", status=1)

    (item,) = at["broken"]
    assert json.loads(item["record"].splitlines()[0])["position"]["game"]["latch"] == 3
    assert item["record"].count("\n") == 2
    assert (end["broken"][0]["record"].count("\n"), end["positions"]) == (1, 1)
    assert position["broken"][0]["record"] == item["record"]
    assert main(["explore", LATCH, "--from", "stands.json", "--at", "1"]) == 2
    assert main(["explore", LATCH, "--from", "stands.json", "--players", "2"]) == 2


def test_set_up_can_be_dealt_by_a_seed(capsys: Output) -> None:
    dealt = document(capsys, "classic", "--deal", "5", "--depth", "1")
    every = document(capsys, "classic", "--depth", "1")

    assert [level["positions"] for level in dealt["levels"]] == [1, 54]
    assert [level["positions"] for level in every["levels"]] == [1, 6]
    assert dealt["widest"]["names"] == ["found_settlement"]
    assert every["widest"]["who"] == "chance"


def test_exits_with_1_if_the_depth_is_not_reached(capsys: Output) -> None:
    dare = str(ROOT / DARE)

    short = document(capsys, dare, "--depth", "9", "--limit", "50", status=1)
    free = document(capsys, dare, "--limit", "50")
    all_of = document(capsys, dare, "--depth", "99")

    assert (short["stopped"], short["asked"], short["positions"]) == ("limit", 9, 50)
    assert (free["stopped"], free["asked"], free["positions"]) == ("limit", None, 50)
    assert (all_of["exhausted"], all_of["depth"]) == (True, 12)


def test_ctrl_c_reports_the_progress(
    capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(items: Any, total: int, *_: Any, **_more: Any) -> Iterator[Any]:
        for number, item in enumerate(items):
            if total > 20 and number == 5:
                raise KeyboardInterrupt
            yield item

    monkeypatch.setattr(command, "with_progress", interrupted)

    out = output_of(capsys, "explore", str(ROOT / DARE), status=130)
    assert "stopped by Ctrl-C" in out
    assert "true in all " in out


def test_native_engine_is_the_default_for_many_small_positions(
    capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    if isinstance(c_compiler(), BuildFailure):
        pytest.skip("there is no compiler here")
    monkeypatch.setattr(command, "NATIVE_MIN_POSITIONS", 100)
    dare = str(ROOT / DARE)

    auto = document(capsys, dare)
    reference = document(capsys, dare, "--engine", "reference")
    monkeypatch.setattr(command, "NATIVE_MAX_BYTES", 10)
    large = document(capsys, dare)

    engines = [level.pop("engine") for level in auto["levels"]]
    assert engines == sorted(engines, reverse=True)
    assert set(engines) == set(ENGINES)
    assert {level.pop("engine") for level in reference["levels"]} == {"reference"}
    assert {level.pop("engine") for level in large["levels"]} == {"reference"}
    assert counts(auto) == counts(reference) == counts(large)


def counts(said: Any) -> list[tuple[int, int, int]]:
    return [(row["positions"], row["choices"], row["ended"]) for row in said["levels"]]


@pytest.mark.parametrize(
    "words",
    [
        ["--depth", "-1"],
        ["--limit", "0"],
        ["--memory", "0"],
        ["--at", "3"],
        ["--deal", "1", "--seed", "2"],
        ["--deal", "1", "--from", "game.jsonl"],
        ["--from", "nowhere.json"],
        ["--engine", "turbo"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_refused(words: list[str], capsys: Output) -> None:
    assert output_of(capsys, "explore", LATCH, *words, status=2) == ""


@pytest.mark.parametrize("text", ["", "no document", "[1]", '{"turn": "x"}'])
def test_rejects_an_invalid_position(text: str, capsys: Output) -> None:
    Path("bad.json").write_text(text)

    assert main(["explore", LATCH, "--from", "bad.json"]) == 1
    assert capsys.readouterr().err.startswith("rulebook: ")


def test_levels_are_plain_data() -> None:
    assert ExplorationLevel(1, 2, 3, 4, 0.5).to_json() == {
        "depth": 1,
        "positions": 2,
        "choices": 3,
        "ended": 4,
        "seconds": 0.5,
    }
