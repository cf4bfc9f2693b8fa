"""Amounts are data: changing them needs no compilation."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rulebook as rb
from interpreter.c_engine import c_program
from interpreter.native.build import guard_process
from interpreter.native.c_program import Translation, translate
from interpreter.native.engine import Engine, engine_for
from interpreter.planning import plan_for
from tests.native.compilers import NEEDS_C
from tests.support.side_by_side import Setting, play
from workbench import load

ROOT = Path(__file__).parents[2]
CHANGES = {
    "germany": "replace cost road: 2 lumber, 1 brick\n"
    "replace option points_to_win (3 to 15): 8\n"
    "replace option mercenary_cards (0 to 26): 15\n"
    "replace piece road (roads): 9 for each player, stands on path\n",
    "classic": "replace cost road: 1 lumber, 3 brick\n"
    "replace cost city: 1 ore, 4 grain\n"
    "replace option points_to_win (3 to 20): 6\n"
    "replace piece settlement (settlements): 4 for each player, stands on corner\n",
}
STEPS = 150
MOST = 1_000_000_000
"""Largest number that a rule file may contain."""

pytestmark = [NEEDS_C, pytest.mark.usefixtures("own_cache")]


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the compilers that run during a test."""
    runs: list[str] = []
    begin = subprocess.Popen.__init__

    def counted(process: Any, command: list[str], *given: Any, **more: Any) -> None:
        if guard_process.SOURCE in command:
            runs.append(" ".join(command))
        begin(process, command, *given, **more)

    monkeypatch.setattr(subprocess.Popen, "__init__", counted)
    return runs


def house(folder: Path, game: str, lines: str) -> rb.Rulebook:
    """Return a house rule with some lines over a game."""
    path = folder / "house.rules"
    head = f'rules language 1\nrulebook house "A house rule"\n  over {game}\n\n'
    path.write_text(head + lines, encoding="utf-8")
    return load(str(path))


def written(book: rb.Rulebook, players: int = 3) -> Translation:
    return translate(plan_for(book, players, {}))


@pytest.mark.parametrize("game", sorted(CHANGES))
def test_a_changed_amount_needs_no_compilation_and_changes_the_game(
    game: str, tmp_path: Path, compiled: list[str]
) -> None:
    assert isinstance(engine_for(plan_for(load(game), 3, {})), Engine)
    compiled.clear()
    book = house(tmp_path, game, CHANGES[game])
    assert written(book).numbers != written(load(game)).numbers
    for seed in (1, 2):
        play(Setting(book, 3, seed, {}), STEPS)
    assert not compiled


def test_an_option_that_affects_no_range_needs_no_compilation(
    compiled: list[str],
) -> None:
    book = load("germany")
    options: tuple[dict[str, Any], ...] = (
        {},
        {"points_to_win": 5},
        {"trade_cards": 5, "victory_point_cards": 2},
    )
    for given in options:
        assert play(Setting(book, 4, 3, given), STEPS) > 50
    assert len(compiled) <= 1


def test_two_engines_of_one_text_have_separate_numbers(tmp_path: Path) -> None:
    base, other = load("germany"), house(tmp_path, "germany", CHANGES["germany"])
    books = (base, other, base)
    assert written(base).text == written(other).text
    alone = [lines_of(Setting(book, 3, 7, {})) for book in books]
    assert alone[0] == alone[2] != alone[1]
    games = [Walk(Setting(book, 3, 7, {})) for book in books]
    for _ in range(STEPS):
        for game in games:
            game.step()
    assert [game.path for game in games] == alone


class Walk:
    """Random game in C, with the legal actions at each step."""

    def __init__(self, setting: Setting) -> None:
        made = engine_for(setting.plan())
        assert isinstance(made, Engine)
        self.game, self.numbers = made.start(setting.seed), Random(setting.seed)
        self.path: list[tuple[int, ...]] = []

    def step(self) -> None:
        if not self.game.is_over:
            self.path.append(tuple(self.game.legal_indices()))
            self.game.apply(self.numbers.choice(self.path[-1]))


def lines_of(setting: Setting) -> list[tuple[int, ...]]:
    walk = Walk(setting)
    for _ in range(STEPS):
        walk.step()
    return walk.path


@pytest.mark.parametrize("number", [0, 1, 128, 32_768, MOST])
def test_accepts_the_largest_cost_that_the_checker_allows(
    number: int, tmp_path: Path
) -> None:
    costs = f"replace cost road: {number} lumber, 1 brick\n"
    play(Setting(house(tmp_path, "germany", costs), 3, 1, {}), STEPS)


def test_the_checker_rejects_a_larger_cost(tmp_path: Path) -> None:
    with pytest.raises(rb.RulesError):
        house(tmp_path, "germany", f"replace cost road: {MOST + 1} lumber, 1 brick\n")


@pytest.mark.parametrize("copies", [5, 500, 9_999])
def test_accepts_the_largest_number_of_copies_that_the_checker_allows(
    copies: int, tmp_path: Path
) -> None:
    supply = f"replace option supply_of_each (5 to 9999): {copies}\n"
    book = house(tmp_path, "germany", supply)
    assert written(book).text == written(load("germany")).text
    play(Setting(book, 3, 1, {}), STEPS)


@pytest.mark.parametrize(("copies", "same"), [(10, True), (0, False), (26, False)])
def test_more_cards_than_a_stacks_capacity_change_the_text(
    copies: int, same: bool
) -> None:
    book, given = load("germany"), {"mercenary_cards": copies}
    plan = plan_for(book, 4, given)
    assert (translate(plan).text == written(book, 4).text) == same
    pools = [
        sum(value[1])
        for value in plan.start_cells
        if isinstance(value, tuple) and value
    ]
    assert max(pools) <= translate(plan).cells.stack_cards
    play(Setting(book, 4, 2, given), STEPS)


def test_a_number_that_affects_the_code_changes_the_text(tmp_path: Path) -> None:
    base = written(load("germany")).text
    no_brick = house(tmp_path, "germany", "replace cost road: 1 lumber\n")
    assert written(no_brick).text != base


def test_the_listing_names_the_source_of_every_number() -> None:
    c = written(load("germany"))
    listing = c_program(load("germany"), players=3)
    assert listing == c.listing
    notes = re.findall(r"^  (-?\d+), /\* (\d+): (.*) \*/$", listing, re.MULTILINE)
    assert [int(number) for number, _, _ in notes] == list(c.numbers[: len(notes)])
    assert [int(place) for _, place, _ in notes] == list(range(len(notes)))
    assert any(what.startswith("germany.rules:") for _, _, what in notes)
    assert "germany" not in c.text
