"""Rules that were broken by hand, each noticed by the scenario that is named for it.

`broken/GAME.rules-test` has the mistakes that readers planted and no test saw, and
their like wherever the same can be said: stacks that lose their order, cards on a stack
and not under it, discards done twice, rules that are right at the first decision and
wrong at the second. A chunk ends at a line `---`, is laid over the game, and names its
scenario in a line `### noticed by "TITLE"`. Shuffles before a game are not among them:
a stack that `starts with every` card has an order that nobody knows. The quick form
tries one mistake in twelve, `--deep` all.
"""

import re
from pathlib import Path

import pytest

import variants
from rulebook import Rulebook
from rulebook.model import Scenario
from workbench import load
from workbench.testing.rule_tests.suite import run_scenario_test

HERE = Path(__file__).parent / "broken"
NOTICED = re.compile(r'^### noticed by "(?P<title>.*)"$', re.MULTILINE)
GAMES = sorted(path.stem for path in HERE.glob("*.rules-test"))


def chunks(game: str) -> list[tuple[int, str]]:
    """The mistakes of a game, each with the line in which it begins."""
    text = (HERE / f"{game}.rules-test").read_text(encoding="utf-8")
    listed, line = [], 1
    for chunk in text.split("\n---\n"):
        listed.append((line, chunk))
        line += chunk.count("\n") + 2
    return listed


MISTAKES = [(game, line, chunk) for game in GAMES for line, chunk in chunks(game)]
QUICK = MISTAKES[::12]


def named(chunk: str) -> str:
    """The title of the scenario that notices a mistake."""
    (title,) = NOTICED.findall(chunk)
    return str(title)


def scenario(book: Rulebook, title: str) -> Scenario:
    (scenario,) = (each for each in book.model.scenarios if each.title == title)
    return scenario


def test_each_game_with_stacks_or_discards_has_planted_mistakes() -> None:
    assert GAMES == ["base", "cardgame", "classic", "germany"]
    assert len(MISTAKES) >= 90


@pytest.mark.parametrize("game", GAMES)
def test_the_named_scenarios_exist(game: str) -> None:
    files = variants.path(game).parent.glob("*.rules")
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    titles = {line: named(chunk) for line, chunk in chunks(game)}
    gone = {n: t for n, t in titles.items() if f'scenario "{t}"' not in text}

    assert gone == {}


@pytest.mark.parametrize(
    ("game", "line", "chunk"),
    [pytest.param(*mistake, id=f"{mistake[0]}:{mistake[1]}") for mistake in MISTAKES],
)
def test_a_mistake_is_detected_by_its_scenario(
    game: str, line: int, chunk: str, tmp_path: Path, deep: bool
) -> None:
    if (game, line, chunk) not in QUICK and not deep:
        pytest.skip("one mistake in twelve, all of them with --deep")
    head = f'rules language 1\nrulebook broken "A mistake"\n  extends {game}\n\n'
    file = tmp_path / "broken.rules"
    file.write_text(f"{head}{chunk}\n", encoding="utf-8")
    book = load(str(file))

    assert run_scenario_test(book, scenario(book, named(chunk))).is_failed
