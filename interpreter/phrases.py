"""Messages of the engine about actions, as phrases with placeholders.

A `Message` is an English sentence that stores its phrase and the values of its
placeholders, so that it can be translated.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PHRASES = {
    "unknown_action": "there is no action {action}",
    "no_index": "there is no action with the index {index}; indices are 0 to {last}",
    "did_you_mean": "did you mean {name}?",
    "over": "the game is over",
    "chance_first": "a chance event comes first",
    "another_decides": "{actor} must decide now, not {seat}",
    "another_turn": "it is {actor}'s turn, not {seat}'s",
    "another_asked": "it is {active}'s turn, and {actor} must decide now, not {seat}",
    "must_choose": "passing is not allowed here",
    "not_now": "{action} is not available now",
    "only_in": "{action} is not available now, only in {clauses}",
    "offered_now": "available now: {actions}",
    "done_in": "this action is available in {phases}",
    "other_arguments": "{action} is available only with other arguments",
    "too_few_left": (
        "cards must be chosen in the order in which the rules declare them, and too"
        " few are left from {card} on"
    ),
    "enough_picked": "at most {count} may be chosen",
    "no_more_of": "{pick} can be chosen at most {count} times",
    "too_few": "at least {count} must be chosen",
    "all_picked": "all cards of this kind have already been chosen",
    "picked_in_order": (
        "cards must be chosen in the order in which the rules declare them, and"
        " {card} comes before {picked}"
    ),
    "not_among": "the choice must be one of: {rule}",
    "not_so": "this is not true: {rule}",
    "does_not_hold": "the requirement {label} is not met",
    "how_many_arguments": "{action} takes {count} arguments",
    "one_argument": "{action} takes one argument",
    "write": "write {usage}",
    "no_such": "there is no {type} {argument}",
    "wrong_argument": "{argument} is not a valid {name}: expected {type}",
    "out_of_range": "{name} must be from {low} to {high}",
    "none_left": "there are not enough {pieces} left",
    "costs": "{action} costs {wanted}; available: {held}",
    "must_be_there": "not enough cards: {wanted} must be moved",
    "it_needs": "the requirement {label} is not met",
    "lacks": "{lacks} more",
    "more": "{count} more: {rule}",
    "fewer": "{count} fewer: {rule}",
}
"""Templates of messages by key.

The placeholder `rule` stands for a text of the rules, and a tuple for alternatives.
"""

NOTHING = "nothing"
"""Word for an empty set of cards."""


class Message(str):
    """English sentence that stores its key and the values of its placeholders."""

    __slots__ = ("key", "parts")
    key: str
    parts: dict[str, Any]


def make_message(key: str, **parts: Any) -> Message:
    """Return the sentence of a phrase, with these values for its placeholders."""
    message = Message(
        PHRASES[key].format_map({k: part_text(v) for k, v in parts.items()})
    )
    message.key, message.parts = key, parts
    return message


def part_text(part: Any) -> str:
    """Return the English text for a placeholder: cards, alternatives, or names."""
    if isinstance(part, Mapping):
        return join_words(card_counts(part)) or NOTHING
    if isinstance(part, tuple):
        return " or ".join(part)
    if isinstance(part, list):
        return join_words(part)
    return str(part)


def card_counts(cards: Mapping[str, int]) -> list[str]:
    """Return the cards that occur at least once, each with its count.

    >>> card_counts({"clay": 2, "wood": 0})
    ['2 clay']
    """
    return [f"{number} {name}" for name, number in cards.items() if number]


def join_words(words: list[str]) -> str:
    """Return the words as `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
