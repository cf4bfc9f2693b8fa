"""Deliberate mistakes in rules, each detected by a named scenario.
`broken/GAME.rules-test` contains mistakes that readers planted and no test found, and
similar ones: stacks that lose their order, cards put on a stack instead of under it,
repeated discards, rules that are wrong only at the second decision. A chunk ends at a
line `---`, is combined with the game, and names its scenario in a line `### noticed by
"TITLE"`. Shuffles before a game are excluded, because nobody knows the order of a stack
that `starts with every` card. The quick form tries one mistake in twelve, `--deep` all.
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
    """Return the mistakes of a game, each with its first line."""
    text = (HERE / f"{game}.rules-test").read_text(encoding="utf-8")
    listed, line = [], 1
    for chunk in text.split("\n---\n"):
        listed.append((line, chunk))
        line += chunk.count("\n") + 2
    return listed


MISTAKES = [(game, line, chunk) for game in GAMES for line, chunk in chunks(game)]
QUICK = MISTAKES[::12]


def named(chunk: str) -> str:
    """Return the title of the scenario that detects a mistake."""
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
