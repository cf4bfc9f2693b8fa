"""Guided generated games, which aim for unreached parts; failures, and reasons."""

import json
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest

from interpreter import Game, check_invariant
from rulebook import Rulebook, RulesError, load, loads
from tests.support.commands import Output, document_of, output_of
from workbench.analysis.simulation.settings import Settings
from workbench.cli import main
from workbench.testing.rule_tests.generated_games import GeneratedGame, comparison_games
from workbench.testing.rule_tests.guidance import RESULT_LAG, GameGuide
from workbench.testing.rule_tests.playouts import GameList, GeneratedGamePlayer
from workbench.testing.rule_tests.rule_coverage import (
    Coverage,
    CoverageRun,
    run_coverage,
)

FOLDER = Path(__file__).parent / "guided"
LADDER = FOLDER / "ladder.rules"
LAMP = Path(__file__).parent / "coverage" / "lamp.rules"


@pytest.fixture(scope="module")
def ladder() -> Rulebook:
    return load(LADDER)


def guided(book: Rulebook, games: int, jobs: int = 1) -> tuple[Coverage, GameGuide]:
    measure = CoverageRun(book)
    guide = measure.make_guide(games)
    told = run_coverage(measure, guide, lambda items, total, what: items, jobs)
    return told, guide


def uniform(book: Rulebook, games: int) -> Coverage:
    listed = GameList(list(comparison_games(book, Settings(), games)))
    return run_coverage(CoverageRun(book), listed, lambda items, total, what: items)


@pytest.fixture(scope="module")
def sixty(ladder: Rulebook) -> tuple[Coverage, GameGuide]:
    return guided(ladder, 60)


def never(coverage: Coverage) -> set[tuple[int, str]]:
    return {(p.site.span.line, p.missing) for p in coverage.parts if p.missing}


def test_guided_games_reach_parts_that_random_games_do_not(
    ladder: Rulebook, sixty: tuple[Coverage, GameGuide]
) -> None:
    far, near = sixty[0], uniform(ladder, 60)

    top = {(31, "never false"), (39, "never true"), (39, "not reached")}
    assert top <= never(near)
    assert never(far).isdisjoint(top)
    assert far.total.seen > near.total.seen


def test_guided_games_combine_three_options(ladder: Rulebook) -> None:
    assert (40, "never true") not in never(guided(ladder, 130)[0])


def test_results_do_not_depend_on_the_number_of_jobs(ladder: Rulebook) -> None:
    alone, guide = guided(ladder, 3 * RESULT_LAG)
    three, same = guided(ladder, 3 * RESULT_LAG, jobs=3)

    assert alone.parts == three.parts
    assert alone.failures == three.failures
    assert guide.described_games == same.described_games
    assert len(guide.described_games) == 3 * RESULT_LAG


def test_a_game_is_the_same_in_a_longer_run(
    ladder: Rulebook, sixty: tuple[Coverage, GameGuide]
) -> None:
    assert guided(ladder, 30)[1].described_games == sixty[1].described_games[:30]


def sorts(games: Sequence[GeneratedGame]) -> set[tuple[bool, bool]]:
    return {(made.start_point is not None, made.is_edited) for made in games}


def test_games_start_with_set_up_or_from_other_games(
    sixty: tuple[Coverage, GameGuide],
) -> None:
    games = sixty[1].described_games

    assert sorts(games) == {(False, False), (False, True), (True, False), (True, True)}
    assert {made.settings.players for made in games} == {1, 2}


def test_continued_game_equals_its_whole_history(
    ladder: Rulebook, sixty: tuple[Coverage, GameGuide]
) -> None:
    """A game continues from a stored position as it does from its whole history."""
    told = 0
    for made in sixty[1].described_games:
        if made.start_point is None or not made.is_normal_play:
            continue
        part = first(made, ladder, whole=False)
        whole = first(made, ladder, whole=True)
        assert part == whole
        assert whole.initial_position is None
        assert whole.steps > part.steps
        assert Game.replay(whole.record, ladder) == whole
        told += 1
    assert told > 3


def first(made: GeneratedGame, book: Rulebook, *, whole: bool) -> Game:
    """Return a game after some events, or before an effect that fails."""
    last = made.start(book, with_history=whole)
    with suppress(RulesError):
        for game in islice(made.play(book, with_history=whole), 12):
            last = game
    return last


# ---------------------------------------------------------------- failures


def test_a_game_in_which_an_effect_fails_is_named(
    capsys: Output, tmp_path: Path, ladder: Rulebook
) -> None:
    given = ["coverage", str(LADDER), "--games", "60", "--records", str(tmp_path)]
    said = output_of(capsys, *given, status=1)
    assert "error RB142: `chest` does not have the cards that are moved here" in said
    assert "in generated game " in said and ", seed 1, " in said
    record = (tmp_path / "ladder.broken.jsonl").read_text(encoding="utf-8")
    assert Game.replay(record, ladder).to_act is not None


BRIGHT = 'invariant "not too bright"\n  require lamp < 2\n'


def test_broken_invariant_is_reported_as_in_tests(
    capsys: Output, tmp_path: Path
) -> None:
    path = tmp_path / "lamp.rules"
    path.write_text(LAMP.read_text(encoding="utf-8") + BRIGHT, encoding="utf-8")

    tested = document_of(capsys, "test", str(path), status=1)["items"][-1]
    assert main(["coverage", str(path), "--games", "9", "--json"]) == 1
    [item] = json.loads(capsys.readouterr().out)["failed"]

    same = ("kind", "name", "file", "line", "status")
    assert [item[key] for key in same] == [tested[key] for key in same]
    assert item["message"].splitlines()[:-1] == tested["message"].splitlines()[:-1]
    assert "in generated game 0, seed 1, 2 players" in item["message"]
    book = load(path)
    broken = Game.replay(item["record"], book)
    assert broken.steps == Game.replay(tested["record"], book).steps
    assert check_invariant(broken, book.model.invariants[0]).status == "failed"


def test_without_invariants_games_reach_the_same() -> None:
    book = loads(LAMP.read_text(encoding="utf-8") + BRIGHT, "lamp.rules")
    with_all, without = CoverageRun(book), CoverageRun(book)
    list(with_all.play_games(with_all.make_guide(20)))
    list(without.play_games(without.make_guide(20), check_invariants=False))
    held, bare = with_all.coverage(), without.coverage()

    assert held.parts == bare.parts
    assert [item.kind for item in held.failures] == ["invariant"]
    assert bare.failures == ()


LOCKSTEP = """rules language 1
rulebook lockstep "Two that go together"
  players 1
  seats north

game has
  left:  0 to 9, seen by all
  right: 0 to 9, seen by all

setup
  north starts

turn
  phase walking
    you do walk, rest

action walk
  if left < 9: increase left by 1
  if right < 9: increase right by 1

action rest
  needs there: left = 9  "not yet there"
  set left to 0
  set right to 0

points of player
  steps: left if player is north

invariant "they arrive together"
  require left < 9 or right = 9
"""


def test_failure_after_an_edit_has_a_warning(capsys: Output, tmp_path: Path) -> None:
    path = tmp_path / "lockstep.rules"
    path.write_text(LOCKSTEP, encoding="utf-8")
    given = ["coverage", str(path), "--games", "60"]

    assert main([*given, "--choice", "uniform"]) == 0
    assert "they arrive together" not in capsys.readouterr().out
    told = document_of(capsys, *given)
    assert told["failed"] == []
    [item] = told["doubtful"]
    assert item["name"] == "they arrive together"
    assert "the position was edited" in item["message"]
    head = json.loads(item["record"].splitlines()[0])
    assert head["position"]["game"]["left"] != head["position"]["game"]["right"]


# ---------------------------------------------------------------- reasons


def why(text: str, games: int = 0) -> dict[tuple[int, str], str]:
    """Return the reasons why parts were never reached, by line."""
    coverage = uniform(loads(text, "it.rules"), games)
    return {(p.site.span.line, p.missing): p.why for p in coverage.parts if p.missing}


REASONS = LOCKSTEP.replace(
    "  if left < 9: increase left by 1\n",
    """  needs short: left < 9  "far enough"
  if left < 9:  # never false: one stops before
    increase left by 1
  if left > 20:
    if right > 2: set right to 0
  shift
  # never true: a lie
  if right > 30: set left to 0

to shift
  if left < 9: increase left by 1

to sleep
  set left to 0
""",
)


def test_reasons_for_unreached_parts() -> None:
    reasons = why(REASONS, 2)
    lines = REASONS.splitlines()

    def of(text: str, lacks: str) -> str:
        at = next(n for n, line in enumerate(lines, 1) if line.strip().startswith(text))
        return reasons[at, lacks]

    assert of("if left < 9:  #", "never false") == "one stops before"
    last = lines.index("to sleep") + 2
    line = lines.index("  if left > 20:") + 1
    behind = f"inside the condition on line {line}, which was never true"
    assert of("if right > 2", "not reached") == behind
    assert of("if left > 20", "never true") == ""
    assert of("if right > 30", "never true") == "a lie"
    assert reasons[last, "not reached"] == "sleep is never called"


def test_a_single_item_uses_the_singular(capsys: Output) -> None:
    assert main(["coverage", str(LAMP), "--games", "1"]) == 0

    assert "lamp, 1 scenario, 1 generated game\n" in capsys.readouterr().out


@pytest.mark.parametrize("given", [["--jobs", "0"], ["--jobs", "5000"]])
def test_rejects_an_invalid_number_of_jobs(given: list[str]) -> None:
    assert main(["coverage", str(LAMP), *given]) == 2


def test_game_waits_for_the_results_it_depends_on(
    ladder: Rulebook, sixty: tuple[Coverage, GameGuide]
) -> None:
    """Games may end in any order, but results are processed in the order of numbers."""
    measure = CoverageRun(ladder)
    guide, player = (
        measure.make_guide(60),
        GeneratedGamePlayer(measure.counted_book, measure.counts),
    )

    first_, *others = [player.play(task) for task in guide]
    assert len(others) == RESULT_LAG - 1
    for came in reversed(others):
        guide.add_result(came)
    assert list(guide) == []
    guide.add_result(first_)
    assert len(list(guide)) == RESULT_LAG
    assert guide.described_games == sixty[1].described_games[: 2 * RESULT_LAG]
