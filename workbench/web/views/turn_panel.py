"""Turn panel: whose turn it is, why, and what the reader must do."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import attrs

from interpreter import Game
from rulebook.model import Whole
from rulebook.tooling import counted_limit, phase_of
from workbench.presentation.localization.localizer import PASS, Localizer
from workbench.presentation.narration.momentary_fields import (
    clauses_by_field,
    hidden_fields,
)
from workbench.presentation.narration.questions import (
    decision_question,
    gather_question,
)
from workbench.presentation.narration.view_text import gathered_texts, outcome_lines
from workbench.presentation.picture.hints import readable_ink
from workbench.presentation.picture.scene import field_text
from workbench.web.views.choices import action_title
from workbench.web.views.phrases import Phrases
from workbench.web.views.players_panel import seat_list_text, winners_text
from workbench.web.views.protocols import BotRequestView, TableView
from workbench.web.views.symbols import hints_of

MAX_BUTTONS = 4
"""Maximum number of choices shown as buttons, if none is made on the board."""
SPACES = ("space", "face", "corner", "link")


def turn_panel(
    table: TableView,
    game: Game,
    seat: str | None,
    view: Mapping[str, Any],
    choices: Mapping[str, Any],
    localizer: Localizer,
    elsewhere: Collection[str] = (),
) -> dict[str, Any]:
    """Return the content of the turn panel: its state, lines of text and buttons.

    The page shows the fields *elsewhere* in other panels.
    """
    panel = TurnPanel(table, game, seat, view, choices, localizer, elsewhere)
    return panel.content()


@attrs.frozen(slots=False)
class TurnPanel:
    """Turn panel of a reader, who has a seat or watches."""

    table: TableView
    game: Game
    seat: str | None
    view: Mapping[str, Any]
    choices: Mapping[str, Any]
    localizer: Localizer
    elsewhere: Collection[str] = ()

    @cached_property
    def phrases(self) -> Phrases:
        """Phrases of the page in the reader's language."""
        return Phrases(self.localizer.language)

    def call(self, name: str, key: str, **more: Any) -> dict[str, Any]:
        """Return a button that sends a request, with the phrase of a key as title."""
        return {"call": name, "title": self.phrases(key), **more}

    def content(self) -> dict[str, Any]:
        """Return the state, lines of text and buttons of the panel."""
        panel = self._base_content()
        request = self.table.state.bot_requests.get(self.seat or "")
        if request is None or self.game.over:
            return panel
        return panel | {
            "asked": True,
            "lines": [*panel["lines"], self._bot_request_text(request)],
            "calls": [
                *panel["calls"],
                self.call("keep", "page.keep_seat", main=True),
                self.call("bot", "page.let_it_play", bot=request.bot),
            ],
        }

    def _bot_request_text(self, request: BotRequestView) -> str:
        """Describe the request for a bot in the reader's seat."""
        key = "page.bot_wanted" if request.requester else "page.bot_wanted_by_owner"
        asker = self.localizer.title(request.requester) if request.requester else ""
        return self.phrases(key, asker=asker, bot=request.bot)

    def _base_content(self) -> dict[str, Any]:
        """Return the panel without lines and buttons for bot requests."""
        table, seat, due = self.table, self.seat, self.table.waits_for()
        seat_view = next((each for each in table.seats if each.seat == seat), None)
        panel: dict[str, Any] = {"buttons": [], "lines": [], "calls": []}
        panel["has_all"] = panel["asked"] = False
        panel["dice"] = list(self._dice())
        if self.game.over:
            return panel | self._game_over_content()
        panel["why"] = turn_text(self.game, self.view, self.localizer)
        if seat_view is not None and seat_view.stand_in is not None:
            return panel | {
                "state": "bot",
                "title": self.phrases("page.bot_plays_for_you"),
                "calls": [self.call("person", "page.take_back", main=True)],
                "lines": [self.phrases("page.bot_why")],
            }
        if table.undo is not None:
            panel |= self._undo_content(table.undo.seat)
            if seat is not None and seat in due:
                panel["lines"].append(self._decision_text(seat))
                panel["buttons"] = list(self._buttons())
                panel["has_all"] = self._has_all_choices
            return panel
        panel["lines"] = list(self._momentary_values())
        if seat in due:
            assert seat is not None
            panel |= {"state": "yours", "title": self._decision_text(seat)}
            panel["asked"] = self.view.get("active") not in (None, seat)
            panel["buttons"] = list(self._buttons())
            panel["has_all"] = self._has_all_choices
            undo = self._undo_button(seat)
            if not table.can_undo(seat):
                undo["disabled"] = self.phrases("page.undo_nothing")
            panel["calls"] = [undo]
            return panel
        panel |= {"state": "waiting", "title": self._waiting_text(due)}
        if seat is not None and table.state.advance_decisions.get(seat):
            panel["lines"] = [
                self.phrases("page.you_have_chosen"),
                self.phrases("page.chosen_stands"),
            ]
        if seat is not None and table.can_undo(seat):
            panel["calls"] = [self._undo_button(seat)]
        return panel

    def _undo_button(self, seat: str) -> dict[str, Any]:
        """Return the button to undo; it says if others must agree or have acted since.

        A seat that cannot undo gets the plain title.
        """
        if self.table.undoes_others(seat):
            keys = "page.undo_step", "page.ask_undo_step"
        else:
            keys = "page.undo", "page.ask_undo"
        return self.call("undo", keys[self.table.must_ask_to_undo(seat)])

    def _waiting_text(self, seats: Sequence[str]) -> str:
        """Describe which seats must decide."""
        key = "page.seat_to_move" if len(seats) == 1 else "page.seats_to_move"
        named = seat_list_text(seats, self.localizer)
        return self.phrases(key, seat=named, seats=named)

    def _game_over_content(self) -> dict[str, Any]:
        """Describe the end of the game, with buttons for the replay and the rematch.

        The summary of the game follows the panel, so only the outcome is repeated.
        """
        calls = [self.call("replay", "page.open_replay", main=True)]
        if self.table.rematch is not None:
            calls.append(self.call("onward", "page.to_again"))
        elif self.seat is not None:
            calls.append(self.call("again", "page.same_again"))
        return {
            "state": "over",
            "title": winners_text(self.game, self.localizer),
            "calls": calls,
            "why": next(outcome_lines(self.game, self.view["points"], self.localizer)),
        }

    def _undo_content(self, requester: str) -> dict[str, Any]:
        """Describe a pending undo request, with buttons to agree or decline."""
        asked = self.table.seats_to_agree()
        waiting_for = seat_list_text(asked, self.localizer)
        action_text = self._undone_action_text()
        lines = (
            [self.phrases("page.undo_action", action=action_text)]
            if action_text
            else []
        )
        asker = self.localizer.title(requester)
        panel: dict[str, Any] = {
            "state": "undo",
            "lines": lines,
            "title": self.phrases("page.seat_asks_undo", seat=asker),
        }
        if self.seat in asked:
            panel["asked"] = True
            panel["calls"] = [
                self.call("agree", "page.agree", main=True),
                self.call("decline", "page.decline"),
            ]
            return panel
        if requester == self.seat:
            panel["title"] = self.phrases("page.you_ask_undo")
            panel["calls"] = [self.call("decline", "page.withdraw")]
        if waiting_for:
            lines.append(self.phrases("page.undo_waits", seats=waiting_for))
        return panel

    def _undone_action_text(self) -> str:
        """Describe the first action to be undone, unless it is hidden from the seat."""
        undo_request, log = self.table.undo, self.table.log(self.seat)
        for line, event in zip(self.table.state.events, log, strict=False):
            if (
                undo_request is not None
                and line.number >= undo_request.first_line
                and event.get("action")
            ):
                return self.localizer.action(event["action"])
        return ""

    # ------------------------------------------------------------ state of the turn

    def _decision_text(self, seat: str) -> str:
        """Return the question for a seat, or else what it decides about."""
        localizer, gathering = self.localizer, self.game.gathering
        question = decision_question(self.game, seat, self.view, localizer)
        if gathering is not None and gathering.left:
            question = question or gather_question(gathering, localizer)
            for text in gathered_texts(self.view, localizer) if gathering.made else ():
                question = f"{question.removesuffix('.')} · {text}"
        if question:
            return question
        pending, active = self.view.get("pending") or [], self.view.get("active")
        if pending and phase_of(pending[-1]["clause"]) is None:
            names = dict.fromkeys(
                action.name for action in self.game.legal_actions(seat)
            )
            named = [n for n in names if n != PASS]
            if len(named) == 1:
                return action_title(named[0], localizer)
            clause = pending[-1]["clause"]
            if clause in localizer.words and active not in (None, seat):
                return f"{localizer.title(active)}: {action_title(clause, localizer)}"
        is_own_turn = active in (None, seat)
        is_own_turn = is_own_turn and not self.game.book.model.phases_each_round
        return self.phrases("page.your_turn" if is_own_turn else "page.you_decide")

    def _momentary_values(self) -> Iterator[str]:
        """Yield `TITLE: VALUE` for game fields shown only at certain moments."""
        book = self.game.book
        hidden, momentary = hidden_fields(book, self.view), clauses_by_field(book)
        for name, value in self.view.get("game", {}).items():
            field = book.model.fields.get(name)
            is_shown = name in momentary and counted_limit(name) is None
            is_shown = is_shown and name not in self.elsewhere
            if name in hidden or not is_shown or (field is not None and field.faces):
                continue
            if text := field_text(value, self.localizer):
                yield f"{self.localizer.field(None, name)}: {text}"

    @cached_property
    def _has_all_choices(self) -> bool:
        """True if the choices are so few that all of them are buttons."""
        actions = self.choices["actions"]
        count = sum(len(action["options"]) for action in actions)
        on_board = any(map(self._is_chosen_on_board, actions))
        return 0 < count <= MAX_BUTTONS and not (self.choices["cannot"] or on_board)

    def _buttons(self) -> Iterator[dict[str, Any]]:
        """Yield buttons for all choices if there are few, else for turn-ending ones."""
        actions = self.choices["actions"]
        count = sum(len(action["options"]) for action in actions)
        are_few = self._has_all_choices
        for action in actions:
            ends_turn = bool(action.get("ends"))
            if not are_few and not ends_turn:
                continue
            for arguments in action["options"]:
                text = action["say"]
                for number, argument in enumerate(arguments):
                    title = self.choices["names"][argument]
                    text = text.replace(f"{{{number}}}", title)
                yield {
                    "action": action["name"],
                    "arguments": arguments,
                    "title": text,
                    "form": action.get("form"),
                    "main": ends_turn or count == 1,
                }

    def _is_chosen_on_board(self, action: Mapping[str, Any]) -> bool:
        """Return whether an argument of an action is a space, chosen on the board."""
        model = self.game.book.model
        definition = model.actions.get(action["name"])
        return any(
            getattr(
                model.domains.get(getattr(parameter.type, "domain", "")), "sort", ""
            )
            in SPACES
            for parameter in (definition.parameters if definition else ())
        )

    # ------------------------------------------------------------ dice

    def _dice(self) -> Iterator[dict[str, Any]]:
        """Yield the visible dice with their values and colours."""
        book = self.game.book
        hidden, hints = hidden_fields(book, self.view), hints_of(book)
        for name, value in self.view.get("game", {}).items():
            field = book.model.fields.get(name)
            if field is None or not field.faces or name in hidden or not value:
                continue
            colour = hints.colour(name) or hints.named_colour(name) or "#ffffff"
            yield {
                "name": self.localizer.field(None, name),
                "value": self.localizer.value_text(value),
                "colour": colour,
                "ink": readable_ink(colour),
                "number": value if isinstance(field.type, Whole) else None,
            }


def turn_text(game: Game, view: Mapping[str, Any], localizer: Localizer) -> str:
    """Describe the current turn and phase, and the clauses that interrupt it."""
    phrases = Phrases(localizer.language)
    in_rounds = game.book.model.phases_each_round
    clauses = [frame["clause"] for frame in view.get("pending") or ()]
    phases = [phase for phase in map(phase_of, clauses) if phase is not None]
    if view.get("turn") and view.get("active"):
        key = "page.round" if in_rounds else "page.turn"
        name = phases[-1] if phases else "" if in_rounds else view["active"]
        phase = localizer.short_title(name) if name else ""
        parts = [phrases(key, turn=view["turn"], phase=phase).rstrip(" ·")]
    else:
        parts = [phrases("page.before_rounds" if in_rounds else "page.before_turns")]
    parts += [
        _clause_text(frame, localizer)
        for frame in (view.get("pending") or ())[1:]
        if phase_of(frame["clause"]) is None and frame["clause"] in localizer.words
    ]
    return " · ".join(parts)


def _clause_text(frame: Mapping[str, Any], localizer: Localizer) -> str:
    """Return the title of a running clause, with its arguments if all are known."""
    name, values = frame["clause"], frame["values"]
    arguments = [values.get(each) for each in localizer.parameter_names(name)]
    if not arguments or not all(isinstance(each, str | int) for each in arguments):
        return action_title(name, localizer)
    return localizer.action(f"{name}({', '.join(map(str, arguments))})")
