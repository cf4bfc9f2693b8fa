"""Players read sentences: each decision has a question, and each event a report."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random

import pytest

from interpreter import Game
from workbench import load
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.event_log import DEPTH, EventLog, LogEntry
from workbench.presentation.narration.questions import decision_question

ROOT = Path(__file__).parents[2]
SHIPPED = ("base", "cardgame", "classic", "germany")
EXAMPLES = sorted(
    str(path.relative_to(ROOT))
    for path in (ROOT / "examples" / "games").glob("*.rules")
    if path.name.count(".") == 1
)
TEXTS = [(game, language) for game in SHIPPED for language in ("en", "de")]
TEXTS += [(game, "en") for game in EXAMPLES]

IDENTIFIER = re.compile(r"[a-z]+_[a-z_]+|[{}]|\(\)|\?$")
HANGING = re.compile(r"\b(at|for|to|of|in|on|by|with|from|für|mit|bei|zu)$")


@cache
def random_game(name: str, language: str) -> tuple[Game, tuple[str, ...]]:
    """Return a game after random actions, and the questions of its decisions."""
    book, numbers = load(name), Random(11)
    words, game, questions = Localizer(language, book), Game.start(book, seed=11), []
    while game.steps < DEPTH and not game.over:
        seat = str(game.to_act)
        questions.append(decision_question(game, seat, game.view(seat), words))
        game.apply(numbers.choice(game.legal_actions(seat)))
    return game, tuple(questions)


def entries(name: str, language: str, *, public: bool) -> list[LogEntry]:
    game, _ = random_game(name, language)
    log = EventLog(Localizer(language, game.book), None if public else game.seats[0])
    log.update(game)
    return log.entries


@pytest.mark.parametrize(("name", "language"), TEXTS)
def test_every_decision_has_a_question(name: str, language: str) -> None:
    _, questions = random_game(name, language)

    wrong = [
        text
        for text in questions
        if not text.endswith(("?", ".", "!"))
        or HANGING.search(text.rstrip("?.!"))
        or IDENTIFIER.search(text.rstrip("?"))
    ]

    assert wrong == []


@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize(("name", "language"), TEXTS)
def test_every_event_is_a_sentence(name: str, language: str, public: bool) -> None:
    told = entries(name, language, public=public)

    wrong = [
        entry.text
        for entry in told
        if entry.text and not (entry.is_sentence and is_good(entry.text))
    ]

    assert wrong == []
    assert any(entry.is_sentence for entry in told)


def is_good(text: str) -> bool:
    """Return whether a sentence begins with a capital and holds no identifier."""
    return text[:1].isupper() and not IDENTIFIER.search(text)


CHANGE = re.compile(
    r"""[^+★_]+ (?:
      \ (?:has|got|lost|revealed|hid)\ [^+★_]+ | on\ the\ board
      | \ hat\ [\w\ ]+:\ [^+★_]+ | auf\ dem\ Spielplan:\ [^+★_]+ | “\ geht\ an\ [^+★_]+
      | :\ [^+★_]+\ →\ [^+★_]+ )""",
    re.VERBOSE,
)


@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize(("name", "language"), TEXTS)
def test_every_change_is_a_sentence(name: str, language: str, public: bool) -> None:
    told = [entry.effects for entry in entries(name, language, public=public)]

    wrong = [c for each in told for c in each if not CHANGE.fullmatch(c.text)]
    repeated = [changes for changes in told if len({*changes}) < len(changes)]

    assert (wrong, repeated) == ([], [])
