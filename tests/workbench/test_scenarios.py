"""Steps of games as scenarios, which show the same when pasted into a file."""

from pathlib import Path
from random import Random

import pytest
from hypothesis.stateful import run_state_machine_as_test

import variants
from interpreter import Game, check_invariant, run_scenario, run_scenario_with_game
from rulebook import Rulebook, format_text, loads
from rulebook.model import Invariant, Scenario
from rulebook.tooling import parse_scenarios
from tests.support.commands import Output, document_of, errors_of, output_of
from workbench import load
from workbench.cli import main
from workbench.testing import InvariantBroken, machine_for
from workbench.testing.scenarios.from_records import scenario_of_events
from workbench.testing.scenarios.reduction import TrialBudget, minimal_elements
from workbench.testing.scenarios.scenario_generation import (
    GeneratedScenario,
    has_same_position,
    scenario_of_failure,
    scenario_showing_step,
)

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(str(path) for path in (ROOT / "examples").glob("*/*.rules"))
HEAD = "rules language 1\nscenarios of {name}\n\n"
FAILING = ROOT / "tests" / "interpreter" / "failing.rules"
POOR = """
invariant "nobody ever has two of a colour"
  each player:
    require no pebble where (number of pebble in player's pouch) >= 2
"""


def scenario_of(book: Rulebook, made: GeneratedScenario) -> Scenario:
    """Return the scenario as checked next to the game."""
    text = HEAD.format(name=book.name) + made.text
    assert format_text(text, "pasted") == text
    (scenario,), diagnostics = parse_scenarios(book, text, "pasted")
    assert diagnostics == ()
    return scenario


def randomly(book: Rulebook, events: int, seed: int) -> tuple[Game, Game]:
    """Return a game at its start, and after *events* events."""
    begin = Game.start(book, chance="given")
    game, numbers = begin.copy(), Random(seed)
    for _ in range(events):
        if game.to_act is None:
            break
        game.apply(numbers.choice(game.legal_actions()))
    return begin, game


# ------------------------------------------------------------ round trips


@pytest.mark.parametrize("name", [*variants.names(), *EXAMPLES])
def test_the_whole_scenario_of_a_step_leads_to_its_position(
    name: str, deep: bool
) -> None:
    book = load(name)
    numbers = Random(name.rpartition("/")[2])
    for seed in range(12 if deep else 1):
        begin, game = randomly(book, numbers.randint(1, 400 if deep else 120), seed)

        made = scenario_showing_step(begin, game.events, keep_all=True)

        assert made is not None, (seed, game.steps)
        assert made.reaches_position, (seed, game.steps)
        verdict, played = run_scenario_with_game(book, scenario_of(book, made))
        assert (verdict.status, verdict.message) == ("passed", None)
        assert played is not None
        assert has_same_position(played, game)


@pytest.mark.parametrize("name", ["classic", "germany", EXAMPLES[0], EXAMPLES[-1]])
def test_the_short_scenario_of_a_step_passes_and_needs_its_event(
    name: str, deep: bool
) -> None:
    book = load(name)
    for seed in range(6 if deep else 1):
        begin, game = randomly(book, 30 + 17 * seed, seed)
        whole = scenario_showing_step(begin, game.events, keep_all=True)

        made = scenario_showing_step(begin, game.events)

        assert made is not None
        assert whole is not None
        assert made.text.count("\n") <= whole.text.count("\n")
        assert run_scenario(book, scenario_of(book, made)).status == "passed"


NEAR = ["classic", "germany", "base", "cardgame"]
NEAR += [name for name in EXAMPLES if "reversi" in name or "old_town" in name]


@pytest.mark.parametrize("name", NEAR)
def test_scenario_starts_shortly_before_the_step(name: str) -> None:
    book = load(name)
    begin, game = randomly(book, 150, 3)

    made = scenario_showing_step(begin, game.events, keep_all=True)

    assert made is not None
    assert made.reaches_position
    assert "  given\n" in made.text
    done = made.text.partition("  when\n")[2].partition("  then\n")[0]
    assert done.count("(") + done.count("\n") < game.steps / 2


# ------------------------------------------------------------ failures


def broken(tiny_path: Path) -> tuple[Game, Game]:
    """Return a game whose last event breaks an invariant."""
    book = loads(tiny_path.read_text(encoding="utf-8") + POOR, "poor.rules")
    invariant = book.model.invariants[-1]
    begin = Game.start(book, chance="given")
    game, numbers = begin.copy(), Random(7)
    while check_invariant(game, invariant).status == "passed":
        game.apply(numbers.choice(game.legal_actions()))
    return begin, game


def test_a_broken_invariant_fails_when_it_is_pasted(tiny_path: Path) -> None:
    begin, game = broken(tiny_path)

    made = scenario_of_events(begin, game.events, invariants=game.book.model.invariants)

    assert made is not None
    assert made.effect == "invariant"
    text = tiny_path.read_text(encoding="utf-8") + POOR + "\n" + made.text
    book = loads(text, "poor.rules")
    (scenario,) = book.model.scenarios
    verdict = run_scenario(book, scenario)
    assert (verdict.status, verdict.line) == ("failed", text.count("\n"))
    assert made.text.count("\n") <= 10
    assert "  given\n" in made.text
    assert "set die" not in made.text


def test_scenario_keeps_what_the_invariant_needs(tiny_path: Path) -> None:
    begin, game = broken(tiny_path)

    made = scenario_of_events(begin, game.events, invariants=game.book.model.invariants)

    assert made is not None
    kept = made.text.splitlines()
    first, last = kept.index("  given"), kept.index("  when")
    book = game.book
    for line in range(first + 1, last - 1):
        text = "\n".join(kept[:line] + kept[line + 1 :]) + "\n"
        (scenario,), _ = parse_scenarios(
            book, HEAD.format(name=book.name) + text, "pasted"
        )
        assert run_scenario(book, scenario).status != "failed", kept[line]


KEPT = """
action drop
  move everything from your pouch to heap

invariant "north has a pebble from the second round on"
  if round >= 2: require north's pouch is not empty
"""


def lost(book: Rulebook, invariant: Invariant) -> tuple[Game, Game]:
    """Return a game at its start, and when it breaks an invariant that was true
    before.
    """
    begin = Game.start(book, chance="given")
    for seed in range(200):
        game, numbers, held = begin.copy(), Random(seed), False
        while game.to_act is not None:
            holds = check_invariant(game, invariant).status == "passed"
            if held and not holds:
                return begin, game
            held = holds and game.position["round"] >= 2
            game.apply(numbers.choice(game.legal_actions()))
    raise AssertionError("no game breaks the invariant")


def test_an_invariant_holds_before_it_is_broken(tiny_path: Path) -> None:
    text = tiny_path.read_text(encoding="utf-8").replace("toss\n", "toss, drop\n", 1)
    book = loads(text + KEPT, "kept.rules")
    (invariant,) = book.model.invariants[-1:]
    begin, game = lost(book, invariant)

    made = scenario_of_events(begin, game.events, invariants=(invariant,))

    assert made is not None
    first, _, rest = made.text.partition("  when\n")
    held_before = first + "".join(rest.partition("  then\n")[1:])
    head = HEAD.format(name=book.name)
    for text, status in ((made.text, "failed"), (held_before, "passed")):
        (scenario,), _ = parse_scenarios(book, head + text, "pasted")
        assert run_scenario(book, scenario).status == status


def test_an_effect_that_fails_is_an_error_when_it_is_pasted() -> None:
    book = load(str(FAILING))
    begin = Game.start(book, players=2, chance="given")

    made = scenario_of_events(begin, (), invariants=())

    assert made is not None
    assert (made.effect, made.verdict.status) == ("failure", "error")
    verdict = run_scenario(book, scenario_of(book, made))
    assert verdict.status == "error"
    assert "RB142" in str(verdict.message) or "RB145" in str(verdict.message)


def test_scenario_of_an_illegal_action_fails_when_pasted(tiny: Rulebook) -> None:
    begin, game = randomly(tiny, 40, 2)
    assert game.to_act not in {None, "chance"}
    event = {"seat": game.to_act, "action": "cash_in(white)"}

    made = scenario_of_failure(begin, game.events, event)

    legal = [choice.text for choice in game.legal_actions()]
    assert ("cash_in(white)" in legal) == (made is None)
    if made is not None:
        verdict = run_scenario(tiny, scenario_of(tiny, made))
        assert verdict.status == "failed"


# ------------------------------------------------------------ command


def record(tmp_path: Path, game: Game) -> str:
    path = tmp_path / "game.jsonl"
    path.write_text(game.record, encoding="utf-8")
    return str(path)


def test_the_command_prints_a_scenario(tmp_path: Path, capsys: Output) -> None:
    _, game = randomly(load("classic"), 60, 1)

    said = output_of(capsys, "record-to-scenario", record(tmp_path, game), "--at", "50")
    book = load("classic")
    (scenario,), _ = parse_scenarios(book, HEAD.format(name=book.name) + said, "pasted")
    assert run_scenario(book, scenario).status == "passed"
    assert scenario.title.startswith("step 50: ")


def test_the_document_says_what_the_scenario_shows(
    tmp_path: Path, capsys: Output
) -> None:
    _, game = randomly(load("classic"), 60, 1)
    path = record(tmp_path, game)

    told = document_of(capsys, "record-to-scenario", path, "--whole")
    assert (told["shows"], told["step"], told["status"]) == ("step", 60, "passed")
    assert told["same"]
    assert f'scenario "{told["title"]}" with 4 players\n' in told["scenario"]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("1", "it is not a JSON object"),
        ('"red"', "it is not a JSON object"),
        ("null", "it is not a JSON object"),
        ('{"seat":"left"}', "an event needs `seat` and `action`"),
        ('{"a":1e999}', "1e999 is not a whole number"),
        ("[" * 5_000, "it is nested more than 40 levels deep"),
        (f'"{"a" * 20_000_000}"', "it is longer than 8,000,000 characters"),
    ],
    ids=["number", "text", "null", "half", "float", "deep", "long"],
)
def test_a_line_that_is_not_an_event_is_refused(
    line: str, wrong: str, tmp_path: Path, capsys: Output
) -> None:
    _, game = randomly(load("classic"), 10, 1)
    lines = game.record.splitlines(keepends=True)[:3]
    path = tmp_path / "game.jsonl"
    path.write_text("".join(lines) + line + "\n", encoding="utf-8")

    refused = errors_of(capsys, "record-to-scenario", str(path), status=1)
    assert f"line 4: {wrong}" in refused
    assert refused.count("\n") == 1


def test_rejects_an_unknown_step(tmp_path: Path, capsys: Output) -> None:
    _, game = randomly(load("classic"), 10, 1)

    assert main(["record-to-scenario", record(tmp_path, game), "--at", "11"]) == 2

    assert "step 11 is not in the range 0 to 10" in capsys.readouterr().err


def test_diverging_record_becomes_a_scenario_of_the_rejected_event(
    working_folder: Path, tiny_path: Path, capsys: Output
) -> None:
    text = tiny_path.read_text(encoding="utf-8")
    Path("tiny.rules").write_text(text, encoding="utf-8")
    _, game = randomly(load("tiny.rules"), 40, 2)
    path = record(working_folder, game)
    Path("tiny.rules").write_text(
        text.replace("if die >= 3:", "if die >= 7:"), encoding="utf-8"
    )

    told = document_of(capsys, "record-to-scenario", path, "--rules", "tiny.rules")
    assert (told["shows"], told["status"]) == ("failure", "failed")


# ------------------------------------------------------------ fewer


def test_unneeded_lines_are_removed() -> None:
    needed = {3, 17, 40}

    kept = minimal_elements(
        range(60), lambda some: needed <= set(some), TrialBudget(500)
    )

    assert set(kept) == needed


def test_number_of_trials_is_limited() -> None:
    trials = TrialBudget(5)

    assert minimal_elements(range(60), lambda some: False, trials) == tuple(range(60))
    assert trials.left == 0


def test_state_machine_reports_a_scenario_for_a_broken_invariant(
    tiny_path: Path,
) -> None:
    book = loads(tiny_path.read_text(encoding="utf-8") + POOR, "poor.rules")
    machine = machine_for(book, max_examples=5, events=60)

    with pytest.raises(InvariantBroken) as caught:
        run_state_machine_as_test(machine, settings=machine.TestCase.settings)

    scenario = caught.value.scenario
    assert scenario is not None
    assert f"as a scenario:\n{scenario}record, to be read" in str(caught.value)
    text = HEAD.format(name=book.name) + scenario
    (pasted_one,), _ = parse_scenarios(book, text, "pasted")
    assert run_scenario(book, pasted_one).status == "failed"
