"""Properties of every rule file, as a test class to subclass."""

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any, ClassVar
from unittest import SkipTest

import hypothesis
from hypothesis import given
from hypothesis.errors import HypothesisException

from interpreter import Game
from rulebook import Rulebook, RulesError, format_text, loads
from workbench.testing.scenarios.from_records import scenario_of_step
from workbench.testing.strategies import game_properties
from workbench.testing.strategies.game_strategy import games
from workbench.testing.strategies.starts import SEEDS

EXAMPLES = 20
EVENTS = 100


class RuleFileProperties:
    """Properties of every rule file: subclass it, set `book`, and run pytest.

    Each test draws `settings.max_examples` games, played for up to `events` events.
    Settings are arbitrary unless the subclass sets `players` or `options`. A failure is
    shrunk to the shortest game with the simplest settings. The report ends with its
    last step as a scenario, without expectations, and with its record. The test of both
    engines is skipped with a message if there is no C compiler.
    """

    book: ClassVar[Rulebook]
    players: ClassVar[int | None] = None
    options: ClassVar[Mapping[str, Any]] = {}
    events: ClassVar[int] = EVENTS
    settings: ClassVar[hypothesis.settings] = hypothesis.settings(
        max_examples=EXAMPLES,
        deadline=None,
        report_multiple_bugs=False,
        suppress_health_check=(),
    )

    def test_a_record_replays_to_the_same_game(self) -> None:
        """Check that replaying the record gives the same game and record."""
        self.check_property(game_properties.check_record_replay)

    def test_a_position_read_back_is_the_same_game(self) -> None:
        """Check that a reloaded position is the same game and continues identically."""
        self.check_property(game_properties.check_position_reload)

    def test_exactly_the_listed_actions_are_accepted(self) -> None:
        """Check that only listed actions are accepted and others change nothing."""
        self.check_property(game_properties.check_listed_actions)

    def test_a_view_is_the_same_whatever_it_hides(self) -> None:
        """Check that a seat's view and explanations reveal no hidden information."""
        self.check_property(game_properties.check_view_secrecy)

    def test_a_sample_agrees_and_can_be_played_on(self) -> None:
        """Check that a sample is consistent with what a seat knows, and is playable."""
        self.check_property(game_properties.check_sample)

    def test_no_card_or_piece_is_lost_or_made(self) -> None:
        """Check that no card or piece is lost or created if the rules do neither."""
        self.check_property(game_properties.check_totals)

    def test_both_engines_play_the_same_game(self) -> None:
        """Check that the native engine plays like the interpreter at every step."""
        self.check_property(game_properties.check_engines)

    def test_why_answers_for_every_action(self) -> None:
        """Check that `why` explains every action, including why one is illegal."""
        self.check_property(game_properties.check_why)

    def test_the_formatted_files_mean_the_same(self) -> None:
        """Check that formatting is stable and does not change what the files mean."""
        book = self.book
        texts = {file: format_text(text, file) for file, text in book.files.items()}
        for file, text in texts.items():
            game_properties.check_true(
                format_text(text, file) == text, f"{file} is not in canonical format"
            )
        try:
            formatted_book = book_from_texts(book, texts)
        except RulesError as error:
            raise AssertionError(f"a formatted file has errors: {error}") from error
        game_properties.check_equal(
            formatted_book.digest, book.digest, "the digest of the formatted files"
        )
        game_properties.check_equal(
            formatted_book.players, book.players, "the players of the formatted files"
        )

    def check_property(self, property_: game_properties.Property) -> None:
        """Check a property in drawn games."""
        game_strategy = games(
            self.book,
            players=self.players,
            options=self.options,
            events=self.events,
            board=True,
        )

        tried: list[Game] = []

        def check(game: Game, seed: int) -> None:
            tried[:] = [game]
            property_(game, Random(seed))

        try:
            self.settings(given(game_strategy, SEEDS)(check))()
        except (SkipTest, HypothesisException):
            raise
        except Exception as error:
            for game in tried:  # the shortest failing game comes last
                add_note(error, game)
            raise


def add_note(error: Exception, game: Game) -> None:
    """Add the game's record, and its last step as a scenario, to an error.

    The scenario has no `then`: what the rules did in this game may be the mistake.
    """
    scenario = scenario_of_step(game)
    if scenario is not None:
        step = scenario.partition("\n  then\n")[0]
        error.add_note(f"the last step as a scenario; add what you expect:\n{step}")
    error.add_note(f"the record of the game:\n{game.record}")


def book_from_texts(book: Rulebook, texts: Mapping[str, str]) -> Rulebook:
    """Return the rules of a book after replacing the texts of its files.

    Raise `RulesError` if they have errors.
    """
    by_name = {Path(file).name.removesuffix(".rules"): file for file in texts}
    own = book.merged.change_log.files[-1].span.file

    def resolve(name: str) -> str | None:
        return texts.get(by_name.get(name, ""))

    return loads(texts[own], own, resolve, book.limits)
