"""The rules that Hypothesis makes up are many, differ, and can be played."""

from collections.abc import Iterator
from random import Random

from hypothesis import HealthCheck, Phase, given, settings

from interpreter import Game
from rulebook import Rulebook, RulesError
from rulebook.tooling import walk
from tests.support import made_up_rules
from tests.support.made_up_rules import changed, games, rule_files, sized

DECISIONS = 20


def parts(book: Rulebook) -> Iterator[str]:
    """The classes of what a book is made of."""
    model = book.model
    for clauses in (model.actions, model.procedures, model.defines, model.rules):
        for clause in clauses.values():
            yield from (type(part).__name__ for part in walk(clause))


def played(book: Rulebook, seed: int) -> int:
    """How many decisions a game at random takes, up to some; a mistake ends it."""
    numbers = Random(seed)
    try:
        game = Game.start(book, players=book.players[0], seed=seed)
        for step in range(DECISIONS):
            if game.to_act is None:
                return step
            game.apply(numbers.choice(game.legal_actions()))
    except RulesError:
        return 0
    return DECISIONS


def test_rules_of_every_sort_are_made_up(deep: bool) -> None:
    number = 24 if deep else 8
    digests: set[str] = set()
    classes: set[str] = set()
    decisions: list[int] = []

    @settings(
        max_examples=number,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(rule_files())
    def look(book: Rulebook) -> None:
        if book.digest not in digests:
            digests.add(book.digest)
            classes.update(parts(book))
            decisions.append(played(book, 1))

    look()

    assert len(digests) > number * 2 / 3
    assert len(classes) > 50
    assert sum(count == DECISIONS for count in decisions) > len(decisions) / 3


def test_the_sorts_are_there() -> None:
    assert len(games()) > 10
    assert len(sized()) == made_up_rules.SIZES
    assert len({book.digest for book in sized()}) > made_up_rules.SIZES * 0.9


def test_a_change_is_another_game_and_the_same_each_time() -> None:
    book = games()[0]

    others = [changed(book, number) for number in range(0, 60, 7)]

    digests = [other.digest for other in others]
    assert [changed(book, number).digest for number in range(0, 60, 7)] == digests
    assert len({book.digest, *digests}) > 5
