"""Events of a simultaneous block: actions and chance events, by seat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from interpreter.core.action_index import ActionSpace
from interpreter.errors import PositionError, require_list


@attrs.frozen
class Answer:
    """Action of a seat in a simultaneous block, given by its index."""

    seat: int
    index: int


@attrs.frozen
class ChanceAnswer:
    """Chance event that occurs while a seat answers in a simultaneous block.

    `observers` are the seats, as bits, that may know the outcome.
    """

    seat: int
    event: str
    outcome: Any
    observers: int


Answers = tuple[Answer | ChanceAnswer, ...]


def to_hashable(outcome: Any) -> Any:
    """Return an outcome in plain data as a hashable value."""
    return tuple(outcome) if isinstance(outcome, list) else outcome


def write_answers(actions: ActionSpace, answers: Answers) -> list[dict[str, Any]]:
    """Return the events of a block as plain data, for a position."""
    seats = actions.values.names["player"]
    documents: list[dict[str, Any]] = []
    for answer in answers:
        if isinstance(answer, Answer):
            action = actions.action(answer.seat, answer.index)
            documents.append({"seat": action.seat, "action": action.text})
            continue
        outcome = (
            list(answer.outcome)
            if isinstance(answer.outcome, tuple)
            else answer.outcome
        )
        known_to = [
            seat for bit, seat in enumerate(seats) if answer.observers >> bit & 1
        ]
        document = {
            "seat": seats[answer.seat],
            "chance": answer.event,
            "outcome": outcome,
        }
        documents.append({**document, "known_to": known_to})
    return documents


def read_answers(actions: ActionSpace, answers: Any) -> Iterator[Answer | ChanceAnswer]:
    """Yield the events of a block from a position, or raise `PositionError`."""
    for number, answer in enumerate(require_list(answers, "answers")):
        path = f"answers.{number}"
        if not isinstance(answer, dict):
            raise PositionError(path, "expected an object")
        seat = actions.values.member_index("player", answer.get("seat"), f"{path}.seat")
        if "chance" in answer:
            yield read_chance_answer(actions, answer, seat, path)
            continue
        index = actions.index_of(str(answer.get("action")))
        if index is None:
            raise PositionError(
                f"{path}.action", f"there is no action {answer.get('action')!r}"
            )
        yield Answer(seat, index)


def read_chance_answer(
    actions: ActionSpace, answer: dict[str, Any], seat: int, path: str
) -> ChanceAnswer:
    """Return a chance event of a block from a position."""
    event = answer["chance"]
    if not isinstance(event, str):
        raise PositionError(f"{path}.chance", "expected a string")
    observers = 0
    for name in require_list(answer.get("known_to", []), f"{path}.known_to"):
        observers |= 1 << actions.values.member_index(
            "player", name, f"{path}.known_to"
        )
    outcome = to_hashable(answer.get("outcome"))
    try:
        hash(outcome)
    except TypeError:
        raise PositionError(f"{path}.outcome", "this is not a valid outcome") from None
    return ChanceAnswer(seat, event, outcome, observers)
