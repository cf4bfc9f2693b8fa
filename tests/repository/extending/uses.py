"""Use of a new construct by scenarios, mutants, `why`, both engines and the editor.

`test_extending` runs it in a patched copy: `uses.py RULES WORD`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random

from lsprotocol import types as lsp

import interpreter
import rulebook
import workbench
from interpreter import Game
from rulebook.mutation import mutants
from tests.native.compilers import CC
from tests.support.editors import Editor

SEEDS = range(5)
DECISIONS_MAX = 100


def run_scenarios(book: rulebook.Rulebook) -> int:
    """Run all scenarios; return their number."""
    for scenario in book.model.scenarios:
        verdict = interpreter.run_scenario(book, scenario)
        assert verdict.status == "passed", (scenario.title, verdict.message)
    return len(book.model.scenarios)


def count_mutants(book: rulebook.Rulebook, word: str) -> int:
    """Return the number of mutants that change a line with a word."""
    return sum(word in " ".join(mutant.before) for mutant in mutants(book))


def play(book: rulebook.Rulebook, seed: int, engine: str) -> tuple[str, int]:
    """Play a random game; return its record and the number of illegal actions.

    Each action is explained before each decision.
    """
    game, numbers = Game.start(book, seed=seed, engine=engine), Random(seed)
    illegal = decisions = 0
    while not game.over and decisions < DECISIONS_MAX:
        explanations = [game.why(index) for index in range(game.actions)]
        illegal += sum(not explanation.legal for explanation in explanations)
        game.apply(numbers.choice(game.legal_actions()))
        decisions += 1
    return game.record, illegal


def play_and_replay(book: rulebook.Rulebook) -> int:
    """Play and replay games with both engines; return the number of illegal actions."""
    engines = ("reference", "native") if CC else ("reference",)
    illegal = 0
    for seed in SEEDS:
        records = {play(book, seed, engine) for engine in engines}
        assert len(records) == 1, f"the engines play different games with seed {seed}"
        record, number = records.pop()
        illegal += number
        for engine in engines:
            assert Game.replay(record, book, engine=engine).record == record
    return illegal


def edit(path: Path, word: str) -> int:
    """Open a file in the editor, and break it briefly; return its number of tokens."""
    text = path.read_text(encoding="utf-8")
    editor = Editor(path.parent)
    editor.open(path)
    assert editor.of(path) == []
    options = {"tabSize": 2, "insertSpaces": True}
    assert not editor.about(lsp.TEXT_DOCUMENT_FORMATTING, path, options=options)
    for number, line in enumerate(text.splitlines()):
        column = line.find(word)
        if column >= 0:
            editor.at(lsp.TEXT_DOCUMENT_HOVER, path, number, column)
            editor.at(lsp.TEXT_DOCUMENT_COMPLETION, path, number, column)
    tokens = editor.about(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, path)["data"]
    editor.change(path, text.replace(word, f"{word} {word}"))
    assert editor.of(path) != []
    editor.change(path, text)
    assert editor.of(path) == []
    assert editor.leave() == 0
    return len(tokens) // 5


def main(rules: str, word: str) -> None:
    """Use the construct in every way, and print counts."""
    for floor in (interpreter, rulebook, workbench):
        assert Path(str(floor.__file__)).is_relative_to(Path.cwd())
    book = workbench.load(rules)
    counts = {
        "scenarios": run_scenarios(book),
        "mutants": count_mutants(book, word),
        "illegal": play_and_replay(book),
        "tokens": edit(Path(rules).resolve(), word),
    }
    sys.stdout.write(json.dumps(counts))


if __name__ == "__main__":
    main(*sys.argv[1:])
