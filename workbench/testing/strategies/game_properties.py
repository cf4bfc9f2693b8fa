"""Properties that are true of every game, whatever its rules; each is a function.

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
from workbench.analysis.simulation.generation import CHANCE, at_random

FEW = 60
"""Maximum number of actions that are checked individually."""
FURTHER = 30
"""Maximum number of events that are played in a sample."""

Property = Callable[[Game, Random], None]


def see(holds: bool, what: str) -> None:
    """Raise `AssertionError` with this message unless a condition is true."""
    if not holds:
        raise AssertionError(what)


def same(left: Any, right: Any, what: str) -> None:
    """Raise `AssertionError` with both values unless they are equal."""
    see(left == right, f"{what}: {short(left)} differs from {short(right)}")


def short(value: Any) -> str:
    """Return a value as a shortened text."""
    text = str(value)
    return text if len(text) <= 300 else f"{text[:300]} …"


# ---------------------------------------------------------------- documents


def record_replays(game: Game, numbers: Random) -> None:
    """Check that replaying the record gives the same game and record."""
    again = Game.replay(game.record, game.book)
    see(again == game, "replaying the record leads to a different position")
    same(again.record, game.record, "the record of the replayed game")
    same_choices(game, again, "the replayed game")


def position_reads_back(game: Game, numbers: Random) -> None:
    """Check that a position read back is the same game and continues equally."""
    position = game.position
    text = json.dumps(position)
    same(json.loads(text), position, "the position after a JSON round trip")
    chance = "given" if game.seed is None else "drawn"
    again = Game.from_position(game.book, json.loads(text), game.seed, chance)
    same(again.position, position, "the game created from the position")
    see(again == game, "the game created from the position is different")
    same(again.key, game.key, "the key of the game created from the position")
    same(
        again.outcome, game.outcome, "the outcome of the game created from the position"
    )
    same_choices(game, again, "the game created from the position")
    if game.to_act is not None:
        event = at_random(game, numbers)
        games = [game.copy(), again]
        for each in games:
            each.apply(event)
        see(
            games[0] == games[1],
            f"{event} has a different effect in the game created from the position",
        )


def same_choices(game: Game, other: Game, what: str) -> None:
    """Check that two games offer the same choices to the same seat."""
    same(other.to_act, game.to_act, f"{what}: the seat to act")
    same(other.legal_actions(), game.legal_actions(), f"{what}: the legal actions")


# ---------------------------------------------------------------- legal actions


def legal_one_by_one(game: Game, numbers: Random) -> None:
    """Check that only listed actions are accepted and others change nothing."""
    legal = game.legal_actions()
    see(
        bool(legal) == (game.to_act is not None),
        "there are legal choices exactly while the game is not over",
    )
    for choice in some(legal, numbers):
        after = game.copy()
        try:
            after.apply(in_some_form(choice, numbers))
        except IllegalAction as error:
            raise AssertionError(f"{choice} is listed but rejected") from error
        see(after.steps > game.steps, f"{choice} was applied without an event")
    if game.to_act == CHANCE:
        whole = sum(outcome.probability for outcome in legal)
        same(whole, Fraction(1), "the sum of the probabilities of the outcomes")
        other = {"chance": legal[0].name, "outcome": {"of": "no", "such": "thing"}}
        refused(game, other)
    for seat in game.seats:
        listed = legal if seat == game.to_act else ()
        same(game.legal_actions(seat), listed, f"the legal actions of {seat}")
    for index in unlisted(game, numbers):
        refused(game, index)


def some(things: Iterable[Any], numbers: Random) -> list[Any]:
    """Return all items, or a random selection if there are many."""
    things = list(things)
    return things if len(things) <= FEW else numbers.sample(things, FEW)


def in_some_form(choice: Action | Chance, numbers: Random) -> Any:
    """Return an action as an object, its text or its index; an outcome unchanged."""
    if isinstance(choice, Chance):
        return choice
    return numbers.choice((choice, choice.text, choice.index))


def unlisted(game: Game, numbers: Random) -> list[int]:
    """Return indices of illegal actions, neighbours of legal ones first."""
    listed = indices(game)
    near = [n for index in sorted(listed) for n in (index - 1, index + 1)]
    further = [
        numbers.randrange(game.actions) for _ in range(FEW if game.actions else 0)
    ]
    every = (
        range(game.actions) if game.actions <= FEW else (*some(near, numbers), *further)
    )
    return [
        n for n in dict.fromkeys(every) if 0 <= n < game.actions and n not in listed
    ]


def indices(game: Game) -> set[int]:
    """Return the indices of the legal actions."""
    return {each.index for each in game.legal_actions() if isinstance(each, Action)}


def refused(game: Game, choice: Any) -> None:
    """Check that a choice is rejected with a reason, and changes nothing."""
    other = game.copy()
    try:
        other.apply(choice)
    except IllegalAction as error:
        why = error.explanation
        see(not why.legal, f"{choice} is rejected but explained as legal")
        see(bool(why.reason), f"{choice} is rejected without a reason")
    else:
        raise AssertionError(f"{why_text(game, choice)} is not listed but accepted")
    see(
        other == game and other.steps == game.steps,
        f"{choice} is rejected but changes the game",
    )


def why_text(game: Game, choice: Any) -> str:
    """Return the text of an action or of another choice."""
    return game.why(choice).action if isinstance(choice, int) else str(choice)


def why_answers(game: Game, numbers: Random) -> None:
    """Check that `why` explains each action, and why it is illegal."""
    listed = indices(game)
    asked = [*some(listed, numbers), *unlisted(game, numbers)[:FEW]]
    for index in asked:
        answer = game.why(index)
        same(answer.legal, index in listed, f"whether {answer.action} is legal")
        check_explanation(answer)
        if game.to_act not in {None, CHANCE}:
            by_text = game.why(answer.action, game.to_act)
            same(
                by_text.legal,
                answer.legal,
                f"whether {answer.action}, given as text, is legal",
            )
        for seat in game.seats:
            if seat != game.to_act:
                see(
                    not game.why(index, seat).legal,
                    f"{answer.action} is legal for {seat}, which is not to act",
                )
    for made_up in ("no_such_thing", "no_such_thing(1)", *wrong_arguments(asked, game)):
        answer = game.why(made_up)
        see(not answer.legal, f"{made_up} is explained as legal")
        check_explanation(answer)


def wrong_arguments(asked: Iterable[int], game: Game) -> Iterator[str]:
    """Yield texts of actions with an unknown argument."""
    names = {game.why(index).action.partition("(")[0] for index in asked}
    for name in sorted(names - {"pass"}):
        yield f"{name}(no_such_thing)"


def check_explanation(answer: Any) -> None:
    """Check that an explanation has a sentence and a reason, and is plain data."""
    see(
        answer.legal or bool(answer.reason),
        f"{answer.action} is illegal without a reason",
    )
    see(bool(answer.sentence), f"{answer.action} has no explanation")
    json.dumps(answer.to_json())


# ---------------------------------------------------------------- knowledge


def view_hides(game: Game, numbers: Random) -> None:
    """Check that a seat's view and explanations do not reveal hidden things."""
    texts = [game.why(index).action for index in unlisted(game, numbers)[:5]]
    for seat in game.seats:
        for _ in range(2):
            world = game.sample(seat, numbers.randrange(2**32))
            same_view(game, world, seat)
            same_view(game, world, None)
            for text in texts:
                same(
                    world.why(text, seat),
                    game.why(text, seat),
                    f"the explanation of {text} for {seat}",
                )


def same_view(game: Game, world: Game, seat: str | None) -> None:
    """Check that a seat has the same view in two games.

    The message names the first difference.
    """
    mine, other = game.view(seat), world.view(seat)
    for path in differences(mine, other, ()):
        whose = seat or "a spectator"
        raise AssertionError(
            f"the view of {whose} reveals hidden information: {'.'.join(path)}"
        )
    json.dumps(mine)


def differences(
    mine: Any, other: Any, path: tuple[str, ...]
) -> Iterator[tuple[str, ...]]:
    """Yield the paths at which two documents differ."""
    if isinstance(mine, Mapping) and isinstance(other, Mapping):
        for key in dict.fromkeys((*mine, *other)):
            there = (*path, str(key))
            if key not in mine or key not in other:
                yield there
            else:
                yield from differences(mine[key], other[key], there)
    elif mine != other:
        yield path or ("view",)


def sample_goes_on(game: Game, numbers: Random) -> None:
    """Check that a sample fits what a seat knows and can be played on."""
    for seat in game.seats:
        seed = numbers.randrange(2**32)
        world = game.sample(seat, seed)
        same(world.to_act, game.to_act, f"the seat to act in a sample for {seat}")
        same_view(game, world, seat)
        same(
            world.legal_actions(seat),
            game.legal_actions(seat),
            f"the legal actions of {seat} in its sample",
        )
        lost = [supply for supply in world.supplies if not supply.kept]
        see(
            not lost,
            f"a sample for {seat} has lost or added cards or pieces: {short(lost)}",
        )
        again = game.sample(seat, seed + 1).sample(seat, seed)
        see(again == world, f"a sample of a sample for {seat} is different")
        for _ in range(FURTHER):
            if world.to_act is None:
                break
            see(bool(world.legal_actions()), f"a sample for {seat} has no legal action")
            world.apply(at_random(world, numbers))


# ---------------------------------------------------------------- supplies and engines


def totals_are_kept(game: Game, numbers: Random) -> None:
    """Check that the numbers of cards and pieces stay the same after every event."""
    for each in stepwise(game):
        for supply in each.supplies:
            whose = f"{supply.owner}'s " if supply.owner else ""
            there = f"{whose}{supply.name}: {supply.count} of {supply.most}"
            see(
                supply.kept,
                f"after event {each.steps} the number has changed: {there}",
            )


def stepwise(game: Game, engine: str = "auto") -> Iterator[Game]:
    """Yield the replayed game at its start and after each event; it is one object."""
    header = game.record.partition("\n")[0]
    again = Game.replay(f"{header}\n", game.book, engine)
    yield again
    done = again.steps
    while done < game.steps:
        again.apply(game.events[done])
        done = again.steps
        yield again


def engines_agree(game: Game, numbers: Random) -> None:
    """Check that the native engine plays as the interpreter, at every step."""
    try:
        native = stepwise(game, "native")
        first = next(native)
    except UsageError as error:
        reason = error.details.get("reason")
        if reason is None:
            raise
        raise SkipTest(f"NOT TESTED, NO NATIVE ENGINE: {reason}") from error
    other, last = stepwise(game), first
    same(
        visible_state(first),
        visible_state(next(other)),
        "the state of the engines at the start",
    )
    for mine, theirs in zip_longest(native, other):
        see(
            mine is not None and theirs is not None, "one engine stops before the other"
        )
        same(
            visible_state(mine),
            visible_state(theirs),
            f"the state of the engines after event {theirs.steps}",
        )
        last = mine
    see(last == game, "the native engine reaches a different position")
    same(last.record, game.record, "the record of the native engine")
    for seat in (None, *game.seats):
        same(
            last.view(seat), game.view(seat), f"the view of {seat} in the native engine"
        )


def visible_state(game: Game) -> tuple[Any, ...]:
    """Return all that the interface shows of a game at one step."""
    outcome = game.outcome
    return game.steps, game.turn, game.to_act, game.legal_actions(), game.over, outcome
