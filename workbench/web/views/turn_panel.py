"""Turn panel: whose turn it is, why, and what the reader must do."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from interpreter import Game
from rulebook import Rulebook
from rulebook.model import Whole
from rulebook.tooling import counted_limit, phase_of
from workbench.presentation.localization.localizer import PASS, Localizer
from workbench.presentation.narration.momentary_fields import (
    clauses_by_field,
    hidden_fields,
)
from workbench.presentation.narration.view_text import outcome_lines
from workbench.presentation.picture.hints import readable_ink
from workbench.presentation.picture.scene import field_text
from workbench.web.views.choices import action_title
from workbench.web.views.phrases import Phrases
from workbench.web.views.players_panel import seat_list_text
from workbench.web.views.protocols import BotRequestView, TableView
from workbench.web.views.symbols import hints_of

MAX_BUTTONS = 4
"""Maximum number of choices shown as buttons, if none is made on the board."""


def turn_panel(
    table: TableView,
    game: Game,
    seat: str | None,
    view: Mapping[str, Any],
    choices: Mapping[str, Any],
    localizer: Localizer,
) -> dict[str, Any]:
    """Return the content of the turn panel: its state, lines of text and buttons."""
    panel = _base_panel(table, game, seat, view, choices, localizer)
    request = table.state.bot_requests.get(seat or "")
    if request is None or game.over:
        return panel
    lines, buttons = _bot_request_panel(request, localizer)
    return panel | {
        "lines": [*panel["lines"], *lines],
        "calls": [*panel["calls"], *buttons],
    }


def _bot_request_panel(
    request: BotRequestView, localizer: Localizer
) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the lines and buttons about a bot requested for the reader's seat."""
    phrases = Phrases(localizer.language)
    key = "page.bot_wanted" if request.requester else "page.bot_wanted_by_owner"
    asker = localizer.title(request.requester) if request.requester else ""
    line = phrases(key, asker=asker, bot=request.bot)
    keep = {"call": "keep", "title": phrases("page.keep_seat"), "main": True}
    let = {"call": "bot", "title": phrases("page.let_it_play"), "bot": request.bot}
    return [line], [keep, let]


def _base_panel(
    table: TableView,
    game: Game,
    seat: str | None,
    view: Mapping[str, Any],
    choices: Mapping[str, Any],
    localizer: Localizer,
) -> dict[str, Any]:
    """Return the turn panel without lines and buttons for bot requests."""
    phrases, due = Phrases(localizer.language), table.waits_for()
    seat_view = next((each for each in table.seats if each.seat == seat), None)
    panel: dict[str, Any] = {"buttons": [], "lines": [], "calls": []}
    panel["dice"] = list(dice_data(game.book, view, localizer))
    undo_request = table.undo
    if game.over:
        return panel | _game_over_panel(table, game, seat, localizer, phrases)
    panel["why"] = turn_text(game, view, localizer, phrases)
    if seat_view is not None and seat_view.stand_in is not None:
        text = phrases("page.bot_why")
        call = {"call": "person", "title": phrases("page.take_back"), "main": True}
        state = {
            "state": "bot",
            "title": phrases("page.bot_plays_for_you"),
            "calls": [call],
        }
        return panel | state | {"lines": [text]}
    if undo_request is not None:
        panel |= _undo_panel(table, undo_request.seat, seat, localizer, phrases)
        if seat is not None and seat in due:
            panel["lines"].append(_decision_text(game, seat, view, localizer, phrases))
            panel["buttons"] = list(panel_buttons(game, choices))
        return panel
    panel["lines"] = list(momentary_values(game, view, localizer))
    if seat in due:
        assert seat is not None
        panel |= {
            "state": "yours",
            "title": _decision_text(game, seat, view, localizer, phrases),
        }
        panel["buttons"] = list(panel_buttons(game, choices))
        undo = {"call": "undo", "title": phrases("page.undo")}
        if not table.can_undo(seat):
            undo["disabled"] = phrases("page.undo_nothing")
        panel["calls"] = [undo]
        return panel
    title = _waiting_text(due, localizer, phrases)
    panel |= {"state": "waiting", "title": title}
    if seat is not None and table.state.advance_decisions.get(seat):
        panel["lines"] = [
            phrases("page.you_have_chosen"),
            phrases("page.chosen_stands"),
        ]
    if seat is not None and table.can_undo(seat):
        panel["calls"] = [{"call": "undo", "title": phrases("page.undo")}]
    return panel


def _waiting_text(seats: Sequence[str], localizer: Localizer, phrases: Phrases) -> str:
    """Describe which seats must decide."""
    key = "page.seat_to_move" if len(seats) == 1 else "page.seats_to_move"
    named = seat_list_text(seats, localizer)
    return phrases(key, seat=named, seats=named)


def _game_over_panel(
    table: TableView,
    game: Game,
    seat: str | None,
    localizer: Localizer,
    phrases: Phrases,
) -> dict[str, Any]:
    """Describe the end of the game, with buttons for the replay and the rematch."""
    points = {seat: game.points(seat) for seat in game.seats}
    first, *lines = outcome_lines(game.outcome, points, localizer)
    calls = [{"call": "replay", "title": phrases("page.open_replay"), "main": True}]
    if table.rematch is not None:
        calls.append({"call": "onward", "title": phrases("page.to_again")})
    elif seat is not None:
        calls.append({"call": "again", "title": phrases("page.same_again")})
    panel = {
        "state": "over",
        "title": _winners_text(game, localizer, phrases),
        "calls": calls,
    }
    return panel | {"why": first, "lines": [line.strip() for line in lines]}


def _winners_text(game: Game, localizer: Localizer, phrases: Phrases) -> str:
    """Describe the winners of the game."""
    if game.outcome is None:
        return phrases("page.unfinished")
    winners = game.outcome.winners
    if not winners:
        return phrases("page.nobody_won")
    key = "page.has_won" if len(winners) == 1 else "page.have_won"
    return phrases(key, seats=seat_list_text(winners, localizer))


def _undo_panel(
    table: TableView,
    requester: str,
    seat: str | None,
    localizer: Localizer,
    phrases: Phrases,
) -> dict[str, Any]:
    """Describe a pending undo request, with buttons to agree or decline."""
    waiting_for = seat_list_text(table.seats_to_agree(), localizer)
    action_text = _undone_action_text(table, seat, localizer)
    lines = [phrases("page.undo_action", action=action_text)] if action_text else []
    panel: dict[str, Any] = {"state": "undo", "lines": lines}
    if seat in table.seats_to_agree():
        panel["title"] = phrases("page.seat_asks_undo", seat=localizer.title(requester))
        panel["calls"] = [
            {"call": "agree", "title": phrases("page.agree"), "main": True},
            {"call": "decline", "title": phrases("page.decline")},
        ]
        return panel
    panel["title"] = phrases("page.seat_asks_undo", seat=localizer.title(requester))
    if requester == seat:
        panel["title"] = phrases("page.you_ask_undo")
        panel["calls"] = [{"call": "decline", "title": phrases("page.withdraw")}]
    panel["lines"] = [
        *lines,
        *([phrases("page.undo_waits", seats=waiting_for)] if waiting_for else []),
    ]
    return panel


def _undone_action_text(
    table: TableView, seat: str | None, localizer: Localizer
) -> str:
    """Describe the first action to be undone, unless it is hidden from the seat."""
    undo_request, log = table.undo, table.log(seat)
    for line, event in zip(table.state.events, log, strict=False):
        if (
            undo_request is not None
            and line.number >= undo_request.first_line
            and event.get("action")
        ):
            return localizer.action(event["action"])
    return ""


# ---------------------------------------------------------------- state of the turn


def turn_text(
    game: Game, view: Mapping[str, Any], localizer: Localizer, phrases: Phrases
) -> str:
    """Describe the current turn and phase, and the clauses that interrupt it."""
    in_rounds = game.book.model.phases_each_round
    clauses = [frame["clause"] for frame in view.get("pending") or ()]
    phases = [phase for phase in map(phase_of, clauses) if phase is not None]
    parts = []
    if view.get("turn") and view.get("active"):
        phase = (
            localizer.title(phases[-1]) if phases else localizer.title(view["active"])
        )
        key = "page.round" if in_rounds else "page.turn"
        parts.append(phrases(key, turn=view["turn"], phase=phase))
    else:
        parts.append(
            phrases("page.before_rounds" if in_rounds else "page.before_turns")
        )
    others = [clause for clause in clauses[1:] if phase_of(clause) is None]
    parts += [
        action_title(clause, localizer)
        for clause in others
        if clause in localizer.words
    ]
    return " · ".join(parts)


def _decision_text(
    game: Game,
    seat: str,
    view: Mapping[str, Any],
    localizer: Localizer,
    phrases: Phrases,
) -> str:
    """Describe what a seat must decide."""
    gathering = game.gathering
    if gathering is not None and gathering.left:
        name = action_title(gathering.left[0][0].name, localizer)
        count = _card_limit_text(gathering.fewest, gathering.most, phrases)
        return f"{name}: {count}".removesuffix(": ")
    pending = view.get("pending") or []
    if pending and phase_of(pending[-1]["clause"]) is None:
        names = dict.fromkeys(action.name for action in game.legal_actions(seat))
        named = [n for n in names if n != PASS]
        if len(named) == 1:
            return action_title(named[0], localizer)
        clause = pending[-1]["clause"]
        if clause in localizer.words and view.get("active") not in (None, seat):
            return (
                f"{localizer.title(view['active'])}: {action_title(clause, localizer)}"
            )
    is_own_turn = view.get("active") in (None, seat)
    is_own_turn = is_own_turn and not game.book.model.phases_each_round
    return phrases("page.your_turn" if is_own_turn else "page.you_decide")


def _card_limit_text(minimum: int, maximum: int, phrases: Phrases) -> str:
    """Describe the minimum and maximum number of cards in a gather."""
    if minimum == maximum:
        return phrases("page.exactly", count=maximum)
    if minimum:
        return phrases("page.at_least", count=minimum)
    return phrases("page.at_most", count=maximum) if maximum < UNBOUNDED_COUNT else ""


UNBOUNDED_COUNT = 90


def momentary_values(
    game: Game, view: Mapping[str, Any], localizer: Localizer
) -> Iterator[str]:
    """Yield `TITLE: VALUE` for game fields that are shown only at certain moments."""
    hidden, momentary = hidden_fields(game.book, view), clauses_by_field(game.book)
    for name, value in view.get("game", {}).items():
        field = game.book.model.fields.get(name)
        if name in hidden or name not in momentary or counted_limit(name) is not None:
            continue
        if (field is None or not field.faces) and (
            text := field_text(value, localizer)
        ):
            yield f"{localizer.field(None, name)}: {text}"


def panel_buttons(game: Game, choices: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield buttons for all choices if there are few, else for turn-ending ones."""
    actions = choices["actions"]
    count = sum(len(action["options"]) for action in actions)
    are_few = count <= MAX_BUTTONS and not choices["cannot"]
    are_few = are_few and not any(
        _is_chosen_on_board(action, game) for action in actions
    )
    for action in actions:
        ends_turn = bool(action.get("ends"))
        if not are_few and not ends_turn:
            continue
        for arguments in action["options"]:
            text = action["say"]
            for number, argument in enumerate(arguments):
                text = text.replace(f"{{{number}}}", choices["names"][argument])
            yield {
                "action": action["name"],
                "arguments": arguments,
                "title": text,
                "form": action.get("form"),
                "main": ends_turn or count == 1,
            }


def _is_chosen_on_board(action: Mapping[str, Any], game: Game) -> bool:
    """Return whether an argument of an action is a space, chosen on the board."""
    definition = game.book.model.actions.get(action["name"])
    domains = game.book.model.domains
    return any(
        getattr(domains.get(getattr(parameter.type, "domain", "")), "sort", "")
        in SPACES
        for parameter in (definition.parameters if definition else ())
    )


SPACES = ("space", "face", "corner", "link")


# ---------------------------------------------------------------- dice


def dice_data(
    book: Rulebook, view: Mapping[str, Any], localizer: Localizer
) -> Iterator[dict[str, Any]]:
    """Yield the visible dice with their values and colours."""
    hidden, hints = hidden_fields(book, view), hints_of(book)
    for name, value in view.get("game", {}).items():
        field = book.model.fields.get(name)
        if field is None or not field.faces or name in hidden or not value:
            continue
        colour = hints.colour(name) or hints.named_colour(name) or "#ffffff"
        number = value if isinstance(field.type, Whole) else None
        die = {
            "name": localizer.field(None, name),
            "value": localizer.value_text(value),
        }
        yield die | {"colour": colour, "ink": readable_ink(colour), "number": number}
