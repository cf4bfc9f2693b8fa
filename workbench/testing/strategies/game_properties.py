"""Properties of every game, whatever its rules; each property is a function.

A property raises `AssertionError` if it is false, and the message says what is wrong.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import zip_longest
from random import Random
from typing import Any
from unittest import SkipTest

from interpreter import Action, Chance, Game, IllegalAction, UsageError
from workbench.analysis.simulation.setting_variations import CHANCE, random_choice

MAX_CHECKED_ACTIONS = 60
"""Maximum number of actions that are checked individually."""
MAX_SAMPLE_EVENTS = 30
"""Maximum number of events that are played in a sample."""

Property = Callable[[Game, Random], None]


def check_true(condition: bool, message: str) -> None:
    """Raise `AssertionError` with this message unless a condition is true."""
    if not condition:
        raise AssertionError(message)


def check_equal(left: Any, right: Any, message: str) -> None:
    """Raise `AssertionError` with both values unless they are equal."""
    check_true(
        left == right, f"{message}: {short_text(left)} differs from {short_text(right)}"
    )


def short_text(value: Any) -> str:
    """Return a value as text, cut off after 300 characters."""
    text = str(value)
    return text if len(text) <= 300 else f"{text[:300]} …"


# ---------------------------------------------------------------- documents


def check_record_replay(game: Game, rng: Random) -> None:
    """Check that replaying the record gives the same game and record."""
    again = Game.replay(game.record, game.book)
    check_true(again == game, "replaying the record leads to a different position")
    check_equal(again.record, game.record, "the record of the replayed game")
    check_same_choices(game, again, "the replayed game")


def check_position_reload(game: Game, rng: Random) -> None:
    """Check that a reloaded position is the same game and continues identically."""
    position = game.position
    text = json.dumps(position)
    check_equal(json.loads(text), position, "the position after a JSON round trip")
    chance = "given" if game.seed is None else "drawn"
    again = Game.from_position(game.book, json.loads(text), game.seed, chance)
    check_equal(again.position, position, "the game created from the position")
    check_true(again == game, "the game created from the position is different")
    check_equal(again.key, game.key, "the key of the game created from the position")
    check_equal(
        again.outcome, game.outcome, "the outcome of the game created from the position"
    )
    check_same_choices(game, again, "the game created from the position")
    if game.to_act is not None:
        event = random_choice(game, rng)
        games = [game.copy(), again]
        for each in games:
            each.apply(event)
        check_true(
            games[0] == games[1],
            f"{event} has a different effect in the game created from the position",
        )


def check_same_choices(game: Game, other: Game, message: str) -> None:
    """Check that two games offer the same choices to the same seat."""
    check_equal(other.to_act, game.to_act, f"{message}: the seat to act")
    check_equal(
        other.legal_actions(), game.legal_actions(), f"{message}: the legal actions"
    )


# ---------------------------------------------------------------- legal actions


def check_listed_actions(game: Game, rng: Random) -> None:
    """Check that only listed actions are accepted and others change nothing."""
    legal = game.legal_actions()
    check_true(
        bool(legal) == (game.to_act is not None),
        "there are legal choices exactly while the game is not over",
    )
    for choice in sample_items(legal, rng):
        after = game.copy()
        try:
            after.apply(random_form(choice, rng))
        except IllegalAction as error:
            raise AssertionError(f"{choice} is listed but rejected") from error
        check_true(after.steps > game.steps, f"{choice} was applied without an event")
    if game.to_act == CHANCE:
        total = sum(outcome.probability for outcome in legal)
        check_equal(total, Fraction(1), "the sum of the probabilities of the outcomes")
        unknown = {"chance": legal[0].name, "outcome": {"of": "no", "such": "thing"}}
        check_rejected(game, unknown)
    for seat in game.seats:
        listed = legal if seat == game.to_act else ()
        check_equal(game.legal_actions(seat), listed, f"the legal actions of {seat}")
    for index in illegal_indices(game, rng):
        check_rejected(game, index)


def sample_items(items: Iterable[Any], rng: Random) -> list[Any]:
    """Return all items, or a random selection if there are many."""
    all_items = list(items)
    return (
        all_items
        if len(all_items) <= MAX_CHECKED_ACTIONS
        else rng.sample(all_items, MAX_CHECKED_ACTIONS)
    )


def random_form(choice: Action | Chance, rng: Random) -> Any:
    """Return an action as object, text or index at random; an outcome unchanged."""
    if isinstance(choice, Chance):
        return choice
    return rng.choice((choice, choice.text, choice.index))


def illegal_indices(game: Game, rng: Random) -> list[int]:
    """Return indices of illegal actions, neighbours of legal ones first."""
    listed = legal_index_set(game)
    neighbours = [n for index in sorted(listed) for n in (index - 1, index + 1)]
    random_indices = [
        rng.randrange(game.actions)
        for _ in range(MAX_CHECKED_ACTIONS if game.actions else 0)
    ]
    tried = (
        range(game.actions)
        if game.actions <= MAX_CHECKED_ACTIONS
        else (*sample_items(neighbours, rng), *random_indices)
    )
    return [
        n for n in dict.fromkeys(tried) if 0 <= n < game.actions and n not in listed
    ]


def legal_index_set(game: Game) -> set[int]:
    """Return the indices of the legal actions."""
    return {each.index for each in game.legal_actions() if isinstance(each, Action)}


def check_rejected(game: Game, choice: Any) -> None:
    """Check that a choice is rejected with a reason, and changes nothing."""
    other = game.copy()
    try:
        other.apply(choice)
    except IllegalAction as error:
        why = error.explanation
        check_true(not why.legal, f"{choice} is rejected but explained as legal")
        check_true(bool(why.reason), f"{choice} is rejected without a reason")
    else:
        raise AssertionError(f"{choice_text(game, choice)} is not listed but accepted")
    check_true(
        other == game and other.steps == game.steps,
        f"{choice} is rejected but changes the game",
    )


def choice_text(game: Game, choice: Any) -> str:
    """Return the text of an action, given by its index, or of another choice."""
    return game.why(choice).action if isinstance(choice, int) else str(choice)


def check_why(game: Game, rng: Random) -> None:
    """Check that `why` explains every action, including why one is illegal."""
    listed = legal_index_set(game)
    tried = [
        *sample_items(listed, rng),
        *illegal_indices(game, rng)[:MAX_CHECKED_ACTIONS],
    ]
    for index in tried:
        answer = game.why(index)
        check_equal(answer.legal, index in listed, f"whether {answer.action} is legal")
        check_explanation(answer)
        if game.to_act not in {None, CHANCE}:
            by_text = game.why(answer.action, game.to_act)
            check_equal(
                by_text.legal,
                answer.legal,
                f"whether {answer.action}, given as text, is legal",
            )
        for seat in game.seats:
            if seat != game.to_act:
                check_true(
                    not game.why(index, seat).legal,
                    f"{answer.action} is legal for {seat}, which is not to act",
                )
    for unknown in ("no_such_thing", "no_such_thing(1)", *illegal_texts(tried, game)):
        answer = game.why(unknown)
        check_true(not answer.legal, f"{unknown} is explained as legal")
        check_explanation(answer)


def illegal_texts(indices: Iterable[int], game: Game) -> Iterator[str]:
    """Yield the actions at *indices* as text, with an unknown argument."""
    names = {game.why(index).action.partition("(")[0] for index in indices}
    for name in sorted(names - {"pass"}):
        yield f"{name}(no_such_thing)"


def check_explanation(explanation: Any) -> None:
    """Check that an explanation has a sentence and a reason, and is plain data."""
    check_true(
        explanation.legal or bool(explanation.reason),
        f"{explanation.action} is illegal without a reason",
    )
    check_true(bool(explanation.sentence), f"{explanation.action} has no explanation")
    json.dumps(explanation.to_json())


# ---------------------------------------------------------------- knowledge


def check_view_secrecy(game: Game, rng: Random) -> None:
    """Check that a seat's view and explanations do not reveal hidden information."""
    texts = [game.why(index).action for index in illegal_indices(game, rng)[:5]]
    for seat in game.seats:
        for _ in range(2):
            sample = game.sample(seat, rng.randrange(2**32))
            check_same_view(game, sample, seat)
            check_same_view(game, sample, None)
            for text in texts:
                check_equal(
                    sample.why(text, seat),
                    game.why(text, seat),
                    f"the explanation of {text} for {seat}",
                )


def check_same_view(game: Game, sample: Game, seat: str | None) -> None:
    """Check that a seat has the same view in two games.

    The message names the first difference.
    """
    view, sample_view = game.view(seat), sample.view(seat)
    for path in difference_paths(view, sample_view, ()):
        reader = seat or "a spectator"
        raise AssertionError(
            f"the view of {reader} reveals hidden information: {'.'.join(path)}"
        )
    json.dumps(view)


def difference_paths(
    mine: Any, other: Any, path: tuple[str, ...]
) -> Iterator[tuple[str, ...]]:
    """Yield the paths at which two documents differ."""
    if isinstance(mine, Mapping) and isinstance(other, Mapping):
        for key in dict.fromkeys((*mine, *other)):
            inner_path = (*path, str(key))
            if key not in mine or key not in other:
                yield inner_path
            else:
                yield from difference_paths(mine[key], other[key], inner_path)
    elif mine != other:
        yield path or ("view",)


def check_sample(game: Game, rng: Random) -> None:
    """Check that a sample is consistent with what a seat knows, and is playable."""
    for seat in game.seats:
        seed = rng.randrange(2**32)
        sample = game.sample(seat, seed)
        check_equal(
            sample.to_act, game.to_act, f"the seat to act in a sample for {seat}"
        )
        check_same_view(game, sample, seat)
        check_equal(
            sample.legal_actions(seat),
            game.legal_actions(seat),
            f"the legal actions of {seat} in its sample",
        )
        changed_supplies = [supply for supply in sample.supplies if not supply.kept]
        check_true(
            not changed_supplies,
            f"a sample for {seat} has lost or added cards or pieces:"
            f" {short_text(changed_supplies)}",
        )
        again = game.sample(seat, seed + 1).sample(seat, seed)
        check_true(again == sample, f"a sample of a sample for {seat} is different")
        for _ in range(MAX_SAMPLE_EVENTS):
            if sample.to_act is None:
                break
            check_true(
                bool(sample.legal_actions()), f"a sample for {seat} has no legal action"
            )
            sample.apply(random_choice(sample, rng))


# ---------------------------------------------------------------- supplies and engines


def check_totals(game: Game, rng: Random) -> None:
    """Check that the numbers of cards and pieces stay the same after every event."""
    for state in replayed_steps(game):
        for supply in state.supplies:
            owner_text = f"{supply.owner}'s " if supply.owner else ""
            description = f"{owner_text}{supply.name}: {supply.count} of {supply.most}"
            check_true(
                supply.kept,
                f"after event {state.steps} the number has changed: {description}",
            )


def replayed_steps(game: Game, engine: str = "auto") -> Iterator[Game]:
    """Yield the same replayed game object at its start and after each event."""
    header = game.record.partition("\n")[0]
    replayed = Game.replay(f"{header}\n", game.book, engine)
    yield replayed
    steps = replayed.steps
    while steps < game.steps:
        replayed.apply(game.events[steps])
        steps = replayed.steps
        yield replayed


def check_engines(game: Game, rng: Random) -> None:
    """Check that the native engine plays like the interpreter at every step."""
    try:
        native = replayed_steps(game, "native")
        first = next(native)
    except UsageError as error:
        reason = error.details.get("reason")
        if reason is None:
            raise
        raise SkipTest(f"NOT TESTED, NO NATIVE ENGINE: {reason}") from error
    other, last = replayed_steps(game), first
    check_equal(
        visible_state(first),
        visible_state(next(other)),
        "the state of the engines at the start",
    )
    for mine, theirs in zip_longest(native, other):
        check_true(
            mine is not None and theirs is not None, "one engine stops before the other"
        )
        check_equal(
            visible_state(mine),
            visible_state(theirs),
            f"the state of the engines after event {theirs.steps}",
        )
        last = mine
    check_true(last == game, "the native engine reaches a different position")
    check_equal(last.record, game.record, "the record of the native engine")
    for seat in (None, *game.seats):
        check_equal(
            last.view(seat), game.view(seat), f"the view of {seat} in the native engine"
        )


def visible_state(game: Game) -> tuple[Any, ...]:
    """Return everything that the public interface reveals about the current step."""
    outcome = game.outcome
    return game.steps, game.turn, game.to_act, game.legal_actions(), game.over, outcome
