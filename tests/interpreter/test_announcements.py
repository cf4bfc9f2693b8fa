"""Announcements are in the log, the same for every seat, engine, copy and replay."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rulebook as rb
from interpreter import Game, IllegalAction, RecordError
from interpreter.game import state_of
from interpreter.planning import plan_for
from interpreter.secrecy.disclosure_analysis import DisclosureAnalysis
from rulebook.signatures import statements_in
from tests.native.compilers import NEEDS_C

PATH = Path(__file__).parents[1] / "language" / "sayings.rules"
ENGINES = ["reference", pytest.param("native", marks=NEEDS_C)]
Event = dict[str, Any]


@pytest.fixture(scope="module")
def sayings() -> rb.Rulebook:
    return rb.loads(PATH.read_text(encoding="utf-8"), name="sayings.rules")


def played(book: rb.Rulebook, engine: str, steps: int = 60, seed: int = 5) -> Game:
    """Return a game after some random choices."""
    game, numbers = Game.start(book, seed=seed, engine=engine), Random(seed)
    for _ in range(steps):
        if game.to_act is not None:
            game.apply(numbers.choice(game.legal_actions()))
    return game


def announced(events: Any) -> list[Event]:
    """Return the announcements among events."""
    return [event for event in events if "announced" in event]


def said(text: str, **values: Any) -> Event:
    """Return an announcement as an event."""
    return {"announced": text, "values": values}


@pytest.mark.parametrize("engine", ENGINES)
def test_the_log_has_the_announcements_of_set_up_in_order(
    sayings: rb.Rulebook, engine: str
) -> None:
    game = Game.start(sayings, players=2, seed=1, engine=engine)
    first = [event for event in game.events if event.get("chance") != "main"]
    starter = first[3]["outcome"]
    die = next(event["outcome"] for event in game.events if event.get("outcome"))
    assert first[:6] == [
        said("The fair opens"),
        said("{player} comes to the fair", player="red"),
        said("{player} comes to the fair", player="blue"),
        {"chance": "setup", "outcome": starter},
        said("{starter} begins", starter=starter),
        said("{leader} leads", leader=None),
    ]
    assert die
    assert first[6]["announced"] == "{you} rolls {die}"


@pytest.mark.parametrize("engine", ENGINES)
def test_an_action_returns_its_announcements(sayings: rb.Rulebook, engine: str) -> None:
    game = Game.start(sayings, players=2, seed=1, engine=engine)
    seat = game.to_act
    assert game.apply("shout") == (
        {"seat": seat, "action": "shout"},
        said("Hear, hear!"),
        said("{you} has fame {now}; {now} of 3", you=seat, now=1),
    )


@NEEDS_C
def test_both_engines_announce_the_same(sayings: rb.Rulebook) -> None:
    for seed in range(5):
        left, right = (
            played(sayings, engine, seed=seed) for engine in ("reference", "native")
        )
        assert left.engine != right.engine
        assert left.record == right.record
        for seat in (None, *left.seats):
            assert left.log(seat) == right.log(seat)


@pytest.mark.parametrize("engine", ENGINES)
def test_every_seat_and_a_spectator_read_all_announcements(
    sayings: rb.Rulebook, engine: str
) -> None:
    game = played(sayings, engine)
    assert len(announced(game.events)) > 20
    for seat in (None, *game.seats):
        assert announced(game.log(seat)) == announced(game.events)
    assert game.log(None) != list(game.events)  # but for what is hidden


@pytest.mark.parametrize("engine", ENGINES)
def test_copies_pickles_and_replays_have_the_same_log(
    sayings: rb.Rulebook, engine: str
) -> None:
    game = played(sayings, engine)
    others = (
        game.copy(),
        copy.deepcopy(game),
        pickle.loads(pickle.dumps(game)),  # noqa: S301  (our own)
        Game.replay(game.record, sayings, engine),
    )
    for other in others:
        assert other.events == game.events
        assert other.log("red") == game.log("red")
        assert other.record == game.record


@pytest.mark.parametrize("engine", ENGINES)
def test_a_game_from_a_position_announces_nothing_again(
    sayings: rb.Rulebook, engine: str
) -> None:
    game, numbers = Game.start(sayings, seed=7, engine=engine), Random(7)
    while game.to_act is not None:
        other = Game.from_position(sayings, game.position, engine=engine)
        assert other.events == ()
        action = numbers.choice(game.legal_actions())
        assert other.apply(action.text) == game.apply(action.text)


def test_a_game_with_given_chance_announces_the_same(sayings: rb.Rulebook) -> None:
    drawn = played(sayings, "reference")
    given = Game.start(sayings, chance="given")
    for event in drawn.events:
        given.apply(event)
    assert given.events == drawn.events


def test_an_announcement_that_was_not_made_is_rejected(sayings: rb.Rulebook) -> None:
    game = Game.start(sayings, players=2, seed=1)
    game.apply("shout")
    assert game.apply(said("Hear, hear!")) == ()
    with pytest.raises(IllegalAction, match="not announce"):
        game.apply(said("Hear, hear, hear!"))
    with pytest.raises(IllegalAction, match="not announce"):
        game.apply(said("The fair opens"))


def test_a_record_with_other_announcements_is_rejected(sayings: rb.Rulebook) -> None:
    game = Game.start(sayings, players=2, seed=1)
    game.apply("shout")
    header, *lines = game.record.splitlines(keepends=True)
    hear = lines.index(json.dumps(said("Hear, hear!")) + "\n")
    before, own, after = lines[:hear], lines[hear], lines[hear + 1 :]

    def replay(*events: str) -> Game:
        return Game.replay("".join((header, *before, *events)), sayings)

    assert replay(own, *after).events == game.events
    with pytest.raises(RecordError, match=f"event {hear + 1} is"):
        replay(own.replace("Hear, hear!", "Hear!"), *after)
    with pytest.raises(RecordError, match=f"event {hear + 1} is"):
        replay(*after)
    with pytest.raises(RecordError, match="nothing is announced here"):
        replay(own, *after, own)
    with pytest.raises(RecordError, match="must be strings"):
        replay(own.replace('"Hear, hear!"', "3"), *after)


@pytest.mark.parametrize("engine", ENGINES)
def test_an_illegal_action_announces_nothing(sayings: rb.Rulebook, engine: str) -> None:
    game = Game.start(sayings, players=2, seed=1, engine=engine)
    before = game.events
    with pytest.raises(IllegalAction):
        game.apply("give(wood)")
    assert game.events == before


def test_a_sample_neither_invents_nor_loses_announcements(
    sayings: rb.Rulebook,
) -> None:
    game, numbers = Game.start(sayings, seed=9), Random(9)
    while game.to_act is not None:
        before = game.events
        for seat in game.seats:
            sample = game.sample(seat, 3)
            assert sample.events == ()
            assert state_of(sample).happened == []
        assert game.events == before
        game.apply(numbers.choice(game.legal_actions()))


def test_trials_of_an_action_do_not_announce_it(sayings: rb.Rulebook) -> None:
    game = Game.start(sayings, players=2, seed=1)
    before = game.events
    for action in game.legal_actions():
        assert not game.teaches(action)
        game.outlook(action)
    assert [len(branch.events) for branch in game.branches()]
    assert game.leaves(2)
    assert game.events == before


def test_announcements_change_nothing_else(sayings: rb.Rulebook) -> None:
    silent = rb.loads(
        "".join(
            line
            for line in PATH.read_text(encoding="utf-8").splitlines(keepends=True)
            if not line.lstrip().startswith(("announce", '"'))
        ),
        name="silent.rules",
    )
    game, other, numbers = (
        *(Game.start(x, seed=4) for x in (sayings, silent)),
        Random(4),
    )
    while game.to_act is not None:
        assert game.position["player"] == other.position["player"]
        outlooks = [
            [
                (each.teaches(action), each.outlook(action))
                for action in each.legal_actions()
            ]
            for each in (game, other)
        ]
        assert outlooks[0] == outlooks[1]
        action = numbers.choice(game.legal_actions()).text
        game.apply(action)
        other.apply(action)
    rest = [event for event in game.events if "announced" not in event]
    assert rest == list(other.events)


def test_the_analysis_of_secrets_agrees_that_the_values_are_public(
    sayings: rb.Rulebook,
) -> None:
    plan = plan_for(sayings, 2, {})
    analysis = DisclosureAnalysis(plan.model)
    for code in analysis.variables.codes.values():
        for node, effects in statements_in(*code.body):
            if effects.announces is not None:
                assert not analysis.statement_reveals(code, node)
