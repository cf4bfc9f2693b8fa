"""Display of a game at the terminal: board, decision, costs and explanations."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO

import attrs
from rich.text import Text

from interpreter import Action, Explanation, Game, Message
from workbench.errors import RequestError
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.narration.momentary_fields import relevant_view
from workbench.presentation.narration.questions import decision_question
from workbench.presentation.narration.selection import suggest_command
from workbench.presentation.narration.view_text import (
    decision_line,
    explanation_lines,
    interrupting_choice_line,
    table_lines,
    turn_lines,
    view_lines,
)
from workbench.presentation.picture import Hints, scene_of
from workbench.presentation.picture.scene import kinds_with_fields
from workbench.presentation.picture.text.board_lines import board_lines
from workbench.terminal.descriptions import description_lines
from workbench.terminal.frame import (
    FrameData,
    card_lines,
    frame_lines,
    whole_board_lines,
)
from workbench.terminal.keyboard import rows_above_input
from workbench.terminal.menu import (
    card_cost_lines,
    cost_lines,
    menu_lines,
    numbers_by_argument,
)
from workbench.terminal.screen import Screen

COMMANDS = (
    *("about", "board", "cards", "costs", "list", "log", "quit", "save"),
    *("undo", "why"),
)


@attrs.define
class TableDisplay:
    """Screen of a game, which remembers what it has already shown.

    `seat_colours` maps the titles of seats to their colours.
    """

    screen: Screen
    localizer: Localizer
    seat_colours: Mapping[str, str]
    _views: list[str] = attrs.field(factory=list, init=False)
    _last_board: list[Text] = attrs.field(factory=list, init=False)

    @classmethod
    def for_game(cls, out: TextIO, game: Game, localizer: Localizer) -> "TableDisplay":
        """Return the display of a game on an output stream."""
        hints = Hints.for_book(game.book)
        names = {localizer.title(seat): hints.seat_colour(seat) for seat in game.seats}
        return cls(Screen.for_stream(out), localizer, names)

    def show_lines(self, lines: Iterable[str]) -> None:
        """Show lines of text."""
        self.screen.write_wrapped(lines, self.seat_colours)

    def clear(self) -> None:
        """Clear the screen, and forget what was shown to the previous person."""
        self.screen.clear()
        self._last_board, self._views = [], []

    @property
    def has_frame(self) -> bool:
        """True if each decision fills the screen of a terminal."""
        return self.screen.height is not None

    def show_frame(self, data: FrameData) -> None:
        """Show the screen of a decision."""
        height = rows_above_input(self.screen.height or 0)
        wide = self.screen.supports_unicode
        self.screen.write_supported(
            frame_lines(data, self.screen.width, height, use_unicode=wide)
        )

    def show_cards(self, data: FrameData) -> None:
        """Show the cards on the table and in the hand of the seat."""
        lines = list(card_lines(data, self.screen.width))
        lines = lines or ["  " + self.localizer.phrase("nothing")]
        self.screen.write_supported(map(Text, lines))

    def show_decision(
        self, game: Game, view: Mapping[str, Any], seat: str, remaining: int
    ) -> None:
        """Show whose turn it is, the table if it has changed, and who decides.

        `remaining` is the number of choices that remain in this decision.
        """
        self.show_lines(turn_lines(view, self.localizer))
        lines = list(view_lines(view, game.seats, self.localizer))
        self.show_lines(lines if lines != self._views else ())
        self._views = lines
        question = decision_question(game, seat, view, self.localizer)
        model = game.book.model
        self.show_lines(
            [decision_line(view, seat, model, self.localizer, remaining, question)]
        )

    def show_menu(self, choices: Sequence[Action], *, full: bool = False) -> None:
        """Show the choices; long groups are cut unless *full* is true."""
        self.show_lines(
            menu_lines(choices, self.localizer, self.screen.width, full=full)
        )

    def show_help(self, game: Game, seat: str, choices: Sequence[Action]) -> None:
        """Show the common fields, placed pieces, all choices and the commands."""
        kinds = list(kinds_with_fields(game.book.model))
        self.show_lines(table_lines(relevant_view(game, seat), kinds, self.localizer))
        self.show_menu(choices, full=True)
        self.show_lines(
            f"  {line}" for line in self.localizer.phrase("help").splitlines()
        )

    def show_costs(self, game: Game, seat: str) -> None:
        """Show the prices of all actions, and of the cards that a seat holds."""
        model, own = game.book.model, game.view(seat).get("player", {})
        lines = [
            *cost_lines(model, self.localizer),
            *card_cost_lines(model, own.get(seat, {}).values(), self.localizer),
        ]
        self.show_lines(lines or ["  " + self.localizer.phrase("no_costs")])

    def show_board(
        self,
        game: Game,
        reader: str | None,
        choices: Sequence[Action],
        *,
        force: bool = False,
    ) -> None:
        """Show the board with the numbers of the choices.

        An unchanged board is shown only with *force*.
        """
        scene = scene_of(game, reader, self.localizer.language)
        if scene.plane is None and not force:
            return
        width, wide = self.screen.width, self.screen.supports_unicode
        marks, height = numbers_by_argument(choices), self.screen.height
        if height is None:
            lines = list(board_lines(scene, width, use_unicode=wide, marks=marks))
        else:
            high = height - 1
            lines = whole_board_lines(scene, width, high, marks, use_unicode=wide)
        if force or lines != self._last_board:
            self.screen.write_unwrapped(
                lines or [Text("  " + self.localizer.phrase("no_board"))]
            )
        self._last_board = lines

    def show_description(self, text: str, game: Game, seat: str) -> None:
        """Show the description of the space, card or member named *text*."""
        scene = scene_of(game, seat, self.localizer.language)
        try:
            self.show_lines(list(description_lines(text, scene, self.localizer)))
        except RequestError as error:
            self.show_lines([f"  {error}"])

    def show_explanation(self, game: Game, explanation: Explanation) -> None:
        """Show why an action is legal or illegal, or a suggestion if it is unknown."""
        reason, words = explanation.reason, self.localizer
        key = reason.key if isinstance(reason, Message) else ""
        if key in {"not_now", "only_in"}:
            self._show_first_choice(game)
        if key != "unknown_action":
            self.show_lines(explanation_lines(explanation, words))
            return
        own = [words.phrase(f"type_{name}") for name in COMMANDS]
        near = suggest_command(explanation.action, game.book, words, own)
        self.show_lines(explanation_lines(attrs.evolve(explanation, fix=None), words))
        self.show_lines(["    " + words.phrase("perhaps", name=near)] if near else ())

    def _show_first_choice(self, game: Game) -> None:
        """Show the choice that interrupts the phase and must be made first."""
        names = dict.fromkeys(action.name for action in game.legal_actions())
        line = interrupting_choice_line(game.view(game.to_act), names, self.localizer)
        self.show_lines([f"  {line}"] if line else ())
