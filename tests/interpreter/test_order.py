"""Order of turns: the next seat, the end of a round, and the order in positions."""

import random
from pathlib import Path
from typing import Any

import pytest

import rulebook
from interpreter import Game, PositionError
from interpreter.core.layout import (
    ACTIVE,
    BACKWARDS,
    HAD_TURN,
    MISSES_TURN,
    NEXT,
    PLACE,
    ROUND,
    TURN,
)
from interpreter.core.order import next_seat, set_usual_order

HERE = Path(__file__).parent


@pytest.fixture(scope="module", params=["tricks", "colours"])
def book(request: pytest.FixtureRequest) -> rulebook.Rulebook:
    text = (HERE / f"{request.param}.rules").read_text(encoding="utf-8")
    return rulebook.loads(text, request.param)


@pytest.mark.parametrize("seed", range(6))
def test_a_position_restores_the_game_at_every_step(
    book: rulebook.Rulebook, seed: int
) -> None:
    numbers = random.Random(seed)
    game = Game.start(book, players=3, seed=seed)
    while game.to_act is not None and game.steps < 90:
        again = Game.from_position(book, game.position)
        assert again == game
        assert again.position == game.position
        legal = game.legal_actions()
        choice = numbers.choice(legal)
        again.apply(choice.text)
        game.apply(choice)
        assert again.position == game.position


def cells(**given: Any) -> list[Any]:
    s: list[Any] = [0] * 13
    s[ACTIVE] = s[NEXT] = s[PLACE] = -1
    s[BACKWARDS] = False
    for name, value in given.items():
        place = {
            "next": NEXT,
            "place": PLACE,
            "back": BACKWARDS,
            "missing": MISSES_TURN,
        }
        s[place[name]] = value
    return s


@pytest.mark.parametrize("seed", range(40))
def test_the_order_passes_seats_that_are_skipped_or_miss_a_turn(seed: int) -> None:
    numbers = random.Random(seed)
    players, place = 5, numbers.randrange(5)
    out, missing = numbers.randrange(31), numbers.randrange(31)
    back = numbers.random() < 0.5
    s = cells(place=place, missing=missing, back=back)
    s[HAD_TURN] = 1 << place
    round_ = [(place + (-n if back else n)) % players for n in range(1, players + 1)]
    wanted = next((seat for seat in round_ if not (out | missing) >> seat & 1), None)

    seat_after = next_seat(s, players, lambda _, seat: bool(out >> seat & 1))

    passed = round_ if wanted is None else round_[: round_.index(wanted)]
    if place in passed or wanted == place:
        passed = round_[: round_.index(place)]
        if wanted is None:
            assert seat_after is None
    else:
        assert seat_after == wanted
    for seat in passed:
        assert s[HAD_TURN] >> seat & 1
        assert not s[MISSES_TURN] >> seat & 1


def test_all_seats_can_be_skipped_at_the_start_of_a_round() -> None:
    assert next_seat(cells(place=1), 3, lambda s, seat: True) == -1


def test_the_round_ends_if_all_seats_miss_a_turn() -> None:
    s = cells(place=1, missing=7)

    assert next_seat(s, 3, None) is None
    assert (s[MISSES_TURN], s[HAD_TURN]) == (0, 7)


def test_the_named_seat_has_the_next_turn_in_any_case() -> None:
    s = cells(place=0, next=2, missing=4)

    assert next_seat(s, 3, lambda _, seat: seat == 2) == 2
    assert s[MISSES_TURN] == 4


@pytest.mark.parametrize("turn", range(9))
def test_the_usual_order_follows_from_the_turn_number(turn: int) -> None:
    s = cells()
    s[TURN], s[ACTIVE] = turn, (turn + 1) % 4 if turn else -1

    set_usual_order(s, 4, 4)

    assert s[ROUND] == (turn + 3) // 4
    assert s[HAD_TURN].bit_count() == ((turn - 1) % 4 + 1 if turn else 0)
    assert turn == 0 or s[HAD_TURN] >> s[ACTIVE] & 1


@pytest.mark.parametrize("turn", range(4))
def test_a_round_of_phases_is_one_turn(turn: int) -> None:
    s = cells()
    s[TURN], s[ACTIVE] = turn, 1 if turn else -1

    set_usual_order(s, 4, 1)

    assert s[ROUND] == turn
    assert s[HAD_TURN] == (0b1111 if turn else 0)


@pytest.mark.parametrize(
    ("order", "path"),
    [
        (3, "order"),
        ({"next": "nobody"}, r"order\.next"),
        ({"missing": "red"}, r"order\.missing"),
        ({"had": ["nobody"]}, r"order\.had"),
        ({"had": [{}, "red"]}, r"order\.had"),
        ({"missing": [["red"]]}, r"order\.missing"),
        ({"place": {}}, r"order\.place"),
        ({"backwards": 1}, r"order\.backwards"),
    ],
)
def test_rejects_an_impossible_order(order: Any, path: str) -> None:
    text = (HERE / "colours.rules").read_text(encoding="utf-8")
    colours = rulebook.loads(text)
    position = Game.start(colours, players=3).position
    position["order"] = order
    with pytest.raises(PositionError, match=path):
        Game.from_position(colours, position)


def test_reports_mistakes_about_the_order() -> None:
    text = (HERE / "colours.rules").read_text(encoding="utf-8")
    text = text[: text.index("scenario")]
    for old, new, code in (
        ("end\n  nobody wins\n", "", "RB157"),
        ("player where player's out", "player", "RB136"),
        ("\nend\n", "\nto after_round\n  stop\n\nend\n", "RB102"),
        ("\nend\n", "\nafter each round\n  stop\n\nend\n", "RB102"),
        ("you have the next turn", "red starts", "RB149"),
        ("out:   yes/no, seen by all", "out: yes/no, seen by owner", "RB150"),
    ):
        assert old in text
        with pytest.raises(rulebook.RulesError) as caught:
            rulebook.loads(text.replace(old, new))
        assert code in {diagnostic.code for diagnostic in caught.value.diagnostics}, (
            old,
            new,
        )
