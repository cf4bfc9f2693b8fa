"""Observations: the same from both engines, and without hidden information. Failures
seen after breaking: pieces of the wrong owner; an unseen top card shown; the clause
shown to a seat that is not asked; owner-only fields shown; points from hidden sources
counted; answers of others shown in a simultaneous block.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import variants
from interpreter import HIDDEN, Game, UsageError
from interpreter.game import state_of
from rulebook import Rulebook, RulesError, loads
from tests.native.compilers import NEEDS_C
from tests.support.seen import seen
from workbench import load

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").rglob("*.rules"))
FEW = (
    "classic",
    *(f"examples/tiny/{name}.rules" for name in ("connect_four", "dare")),
    *(
        f"examples/games/{name}.rules"
        for name in ("hearts", "sealed_bids", "old_town", "moonlight")
    ),
)
"""Examples that include points from hidden sources, and roles visible only to their
owner.
"""

SETS = """rules language 1
rulebook packing "Packing"
  players 2 to 2
kind thing: rope, lamp, map
game has
  gone: set of thing, seen by all
each player has
  packed: set of thing, seen by owner
  score: 0 to 9, seen by all
turn
  phase day
    you do pack
action pack(thing)
  let chosen be thing
  set your packed to every thing where thing is chosen
  set gone to every thing where thing is not chosen
"""


def of(*, deep: bool) -> tuple[str, ...]:
    """Return the rule files to test."""
    return (*variants.names(), *map(str, EXAMPLES)) if deep else FEW


def games(book: Rulebook, players: int, seed: int) -> list[Game]:
    """Return the same game on each available engine."""
    made = [Game.start(book, players=players, seed=seed, engine="reference")]
    try:
        made.append(Game.start(book, players=players, seed=seed, engine="native"))
    except UsageError as error:
        if "reason" not in error.details:
            raise
    return made


@NEEDS_C
def test_both_engines_give_the_same_observation_of_everything_visible(
    deep: bool,
) -> None:
    for name in of(deep=deep):
        book = load(name)
        for players in sorted(set(book.players)) if deep else book.players[1:]:
            numbers = Random(1)
            both = games(book, players, seed=3)
            told = both[0].observed()
            assert len(set(told)) == len(told)
            assert {game.observed() for game in both} == {told}
            try:
                for number in range(200 if deep else 40):
                    assert_observations_agree(both, told, independent=number % 4 == 0)
                    legal = both[0].legal_indices()
                    if not legal:
                        break
                    index = legal[int(numbers.random() * len(legal))]
                    for game in both:
                        game.advance(index)
            except RulesError:
                continue  # some examples have a mistake that appears in play


def assert_observations_agree(
    both: list[Game], told: tuple[str, ...], *, independent: bool
) -> None:
    """Check that both engines give the same observation, equal to that of an
    independent reader.
    """
    for seat in both[0].seats:
        rows = [game.observation(seat) for game in both]
        assert len(rows[0]) == len(told)
        assert all(row == rows[0] for row in rows)
    state, who = state_of(both[0]), both[0].to_act
    if independent and who in both[0].seats and state.waiting is not None:
        known = seen(state.plan, state, both[0].seats.index(who))
        row = dict(zip(told, both[0].observation(who), strict=True))
        assert row == {name: known[name] for name in told}


def test_each_seat_sees_exactly_what_it_knows() -> None:
    for name in FEW:
        book, numbers, changed = load(name), Random(1), 0
        game = Game.start(book, seed=2)
        for number in range(30):
            if game.over:
                break
            if number % 8 == 1:
                for seat in game.seats:
                    other = game.sample(seat, number)
                    changed += other != game
                    assert other.observation(seat) == game.observation(seat)
            legal = game.legal_indices()
            game.advance(legal[int(numbers.random() * len(legal))])
        assert changed or "/tiny/" in name


def test_only_the_deciding_seat_sees_the_decision(tiny: Rulebook) -> None:
    game = Game.start(tiny, seed=1)
    place = game.observed().index("asks")
    asked = {seat: game.observation(seat)[place] for seat in game.seats}
    assert asked.pop(str(game.to_act)) >= 0
    assert asked
    assert set(asked.values()) == {HIDDEN}


def packing() -> Game:
    """Return a game with sets, some of them hidden."""
    return Game.start(loads(SETS, "packing.rules"), seed=1)


def test_a_set_has_a_number_for_each_member() -> None:
    game = packing()
    packer = str(game.to_act)
    other = next(seat for seat in game.seats if seat != packer)
    game.apply("pack(lamp)")
    names = game.observed()
    for seat in game.seats:
        row = dict(zip(names, game.observation(seat), strict=True))
        things = [row[f"{packer}.packed.{thing}"] for thing in ("rope", "lamp", "map")]
        assert things == ([HIDDEN] * 3 if seat == other else [0, 1, 0])
        gone = [row[f"game.gone.{thing}"] for thing in ("rope", "lamp", "map")]
        assert gone == [1, 0, 1]


@NEEDS_C
@pytest.mark.parametrize(("sign", "told"), [("", 2**31 - 1), ("-", 1 - 2**31)])
def test_too_many_points_are_reduced_to_the_maximum(sign: str, told: int) -> None:
    text = (ROOT / "examples/tiny/dare.rules").read_text("utf-8")
    line = f"\npoints of player\n  much: {sign}1000000000 * 3\n"
    rules, said, rest = text.partition("\nrule finish\n")
    head, points, _ = rules.partition("\npoints of player\n")
    assert points
    book = loads(head + line + said + rest.partition("\nscenario ")[0])
    for game in games(book, book.players[1], seed=1):
        row = dict(zip(game.observed(), game.observation(game.seats[0]), strict=True))
        assert row[f"points.{game.seats[0]}"] == told


def test_only_seats_in_play_have_observations(tiny: Rulebook) -> None:
    with pytest.raises(UsageError, match="there is no seat nobody"):
        Game.start(tiny).observation("nobody")


@NEEDS_C
@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_finished_game_has_an_observation_and_no_legal_actions(engine: str) -> None:
    book = load("examples/tiny/dare.rules")
    game, numbers = Game.start(book, seed=1, engine=engine), Random(1)
    while not game.over:
        game.advance(numbers.choice(game.legal_indices()))
    assert game.legal_indices() == []
    assert game.legal_actions() == ()
    place = game.observed().index("asks")
    assert {game.observation(seat)[place] for seat in game.seats} == {HIDDEN}


@NEEDS_C
@pytest.mark.parametrize("engine", ["native", "reference"])
def test_no_action_is_legal_while_an_outcome_must_be_given(engine: str) -> None:
    book = load("examples/tiny/dare.rules")
    game, due = Game.start(book, chance="given", engine=engine), 0
    for _ in range(20):
        if game.over:
            break
        if game.to_act == "chance":
            due += 1
            assert game.legal_indices() == []
            for seat in game.seats:
                assert HIDDEN in game.observation(seat)
        game.apply(game.legal_actions()[0])
    assert due
