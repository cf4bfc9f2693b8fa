"""The C runtime alone, without rules: each part compared with Python."""

from __future__ import annotations

import ctypes
from itertools import product
from random import Random

import pytest

from interpreter.core import stacks
from interpreter.core.chance import Stream, random_below
from interpreter.core.layout import ENDED, StackValue
from interpreter.core.ranks import ranks_by_key, shared_ranks, team_ranks, winners_of
from tests.interpreter.test_chance import PUBLISHED
from tests.native.compilers import NEEDS_C
from tests.native.runtime_alone import (
    BEYOND,
    CARDS,
    KINDS,
    MISTAKE,
    NAME,
    PLAYERS,
    Event,
    Runtime,
    array,
    lay,
    value,
)

SEATS = 4
UNSET = -(1 << 63)

pytestmark = NEEDS_C


# ---------------------------------------------------------------- numbers


def test_arithmetic_agrees_with_python(c: Runtime) -> None:
    for a, b in product(range(-9, 10), repeat=2):
        assert c.call_larger(a, b) == max(a, b)
        assert c.call_smaller(a, b) == min(a, b)
        assert c.call_at_least_0(a) == max(a, 0)
        if b:
            assert (c.call_divided(a, b), c.call_left_over(a, b)) == (a // b, a % b)
    assert [c.call_bit(seat) for seat in (-1, 0, 1, 63)] == [0, 1, 2, 1 << 63]


def test_lists_are_compared_and_searched(c: Runtime) -> None:
    for first, second in product(product((0, 1, 2), repeat=2), repeat=2):
        expected = (first > second) - (first < second)
        assert c.call_compared(array(first), array(second), 2) == expected
    assert c.call_compared(array([1, 5]), array([1, 6]), 1) == 0
    for size in range(4):
        members = array([size, 5, 6, 7])
        inside = [c.call_lists(members, member) for member in (0, 5, 6, 7)]
        assert inside == [0, *(int(size >= place) for place in (1, 2, 3))]


def test_sets_are_sorted_stably(c: Runtime) -> None:
    numbers = Random(1)
    for _ in range(300):
        size, falling = numbers.randrange(7), numbers.random() < 0.5
        keys = [numbers.randrange(4) for _ in range(size)]
        members, by = array([size, *range(size)]), array([0, *keys])
        c.call_sort_by(members, by, falling)
        expected = sorted(range(size), key=keys.__getitem__)
        if falling:
            expected = sorted(range(size), key=lambda place: -keys[place])
        assert list(members[1 : size + 1]) == expected
        assert list(by[1 : size + 1]) == [keys[place] for place in expected]


# ---------------------------------------------------------------- chance


@pytest.mark.parametrize(("counter", "key", "words"), PUBLISHED)
def test_philox_matches_published_vectors(
    counter: tuple[int, ...], key: tuple[int, int], words: tuple[int, ...], c: Runtime
) -> None:
    into = (ctypes.c_uint32 * 4)()
    given = ctypes.c_uint64(key[1] << 32 | key[0])
    c.call_philox(array(counter, ctypes.c_uint32), given, into)
    assert tuple(into) == words


LIMITS = (1, 2, 6, 36, 1000, 3 * 2**30, 2**31 + 1, 2**32 - 1)
"""Limits for which up to half of the random words are rejected."""


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1, 0x123456789ABCDEF0])
def test_random_numbers_equal_those_of_the_interpreter(seed: int, c: Runtime) -> None:
    c.begin(ctypes.c_uint64(seed))
    for number, limit in enumerate(LIMITS * 30):
        assert c.count(0) == number
        assert c.call_below(0, limit) == random_below(limit, seed, NAME, number)
    assert c.count(1) == 0


def test_random_streams_equal_those_of_the_interpreter(c: Runtime) -> None:
    c.stream_begins(77)
    words, mine = [c.call_stream_word() for _ in range(23)], Stream(77, NAME)
    assert words == [mine.next_word() for _ in range(23)]
    for limit in LIMITS * 20:
        assert c.call_stream_below(limit) == mine.next_below(limit)


def test_outcomes_are_drawn_by_weight(c: Runtime) -> None:
    c.begin(3)
    for number, weights in enumerate([(1, 0, 2), (0, 5, 0), (1, 1, 1), (3, 0, 9)] * 40):
        rest = random_below(sum(weights), 3, NAME, number)
        place = next(n for n in range(3) if rest < sum(weights[: n + 1]))
        assert c.call_drawn(0, array(weights), 3) == place
    assert c.call_drawn(1, array([0, 0]), 2) == -1
    assert c.count(1) == 0


def test_events_are_logged_while_there_is_room(c: Runtime) -> None:
    c.begin(1)
    for number in range(1, 4):
        assert c.call_happens(number, 1, array([10 + number, 5]), 9, 0) == number
    for number in (0, 1):
        event = c.at(Event, "log_event", number)
        assert (event.what, event.size, event.told) == (number + 1, 1, 9)
        assert event.value[0] == 11 + number
    assert c.at(Event, "log_event", 2).what == 0
    assert c.answers() == 0


def test_events_in_a_block_are_also_answers_up_to_the_capacity(
    c: Runtime,
) -> None:
    c.begin(1)
    c.cell_is(0, 3)  # whose part it is
    for number in range(3):
        assert c.call_happens(1, 2 - number % 2, array([7, 8]), 5, 1) >= 0
    assert c.answers() == 3
    for number in range(3):
        noted = c.at(Event, "answer", number)
        assert (noted.what, noted.seat, noted.pad, noted.told) == (1, 3, 0, 5)
        assert (noted.size, list(noted.value)) == [(2, [7, 8]), (1, [7, 0])][number % 2]
    assert c.call_happens(1, 1, array([7]), 5, 1) == BEYOND


# ---------------------------------------------------------------- stacks


def changed(
    c: Runtime, now: StackValue, numbers: Random
) -> tuple[StackValue, StackValue]:
    """Return a stack changed by the interpreter, and the same stack changed by the
    runtime.
    """
    entries, pool = now
    known, card = numbers.randrange(1 << SEATS), numbers.randrange(KINDS)
    held, unknown = stacks.kinds(now), sum(pool)
    hidden = [kind for kind, number in enumerate(pool) if number]
    match numbers.choice(("put", "put", "take", "take", "top", "learn", "show", "mix")):
        case "put" if len(entries) < CARDS - 2:
            end, number = numbers.choice(("top", "bottom")), numbers.randrange(3)
            c.call_put(card, number, end == "top", known)
            now = stacks.put(now, card, number, end, known)
        case "take" if held:
            card = numbers.choice(held)
            c.call_take(card, known)
            now = stacks.take(now, card, known)
        case "top" if entries:
            card = entries[0][0] if entries[0][0] >= 0 else numbers.choice(hidden)
            c.call_take_top(card)
            now = stacks.take_top(now, card)
        case "learn" if unknown:
            card = numbers.choice(hidden)
            c.call_learn(card, known)
            now = stacks.reveal_unknown(now, card, known)
        case "show":
            c.call_show(known)
            now = stacks.show(now, known)
        case "mix" if numbers.random() < 0.4:
            c.call_shuffle()
            now = stacks.shuffled(now)
    return now, value(c.stack())


@pytest.mark.parametrize("seed", range(60))
def test_stacks_change_as_in_the_interpreter(seed: int, c: Runtime) -> None:
    numbers = Random(seed)
    now: StackValue = stacks.unknown_stack((2, 1, 0, 1))
    lay(c.stack(), now)
    for _ in range(80):
        now, there = changed(c, now, numbers)
        assert there == now
        for place in range(-1, CARDS + 1):
            assert c.call_entry(place) == stacks.entry(now, place)
        counts = [c.call_held(card) for card in range(-1, KINDS)]
        assert counts == [0, *stacks.contents(now)]


def test_taking_from_every_small_stack_agrees(c: Runtime) -> None:
    kinds = [(-1, 0), *product((0, 1), range(4))]
    for size in range(1, 4):
        for entries in product(kinds, repeat=size):
            unknown = sum(card < 0 for card, _ in entries)
            now: StackValue = (entries, (unknown, unknown, 0, 0))
            for card, told in product(stacks.kinds(now), range(4)):
                lay(c.stack(), now)
                assert c.call_take(card, told) == 0
                assert value(c.stack()) == stacks.take(now, card, told)


def test_a_stack_has_a_maximum_size(c: Runtime) -> None:
    c.begin(1)
    lay(c.stack(), ((), (0,) * KINDS))
    assert c.call_put(1, CARDS, 0, 0) == 0
    assert c.call_put(1, 0, 0, 0) == 0
    full = value(c.stack())
    assert c.call_put(1, 1, 1, 0) == BEYOND
    assert c.call_take(2, 0) == BEYOND
    assert value(c.stack()) == full


def test_knowledge_of_the_last_seats_is_separate(c: Runtime) -> None:
    now: StackValue = (((0, 1 << 63), (1, 1 << 63 | 1), (0, 3)), (0,) * KINDS)
    for card, told in product((0, 1), (0, 1, 1 << 63)):
        lay(c.stack(), now)
        c.call_take(card, ctypes.c_uint64(told))
        assert value(c.stack()) == stacks.take(now, card, told)


# ---------------------------------------------------------------- the end of a game


def test_teams_share_the_best_rank(c: Runtime) -> None:
    numbers = Random(1)
    for _ in range(300):
        ranks = [numbers.randint(1, 4) for _ in range(PLAYERS)]
        homes = [numbers.randint(-1, 1) for _ in range(PLAYERS)]
        for seat, home in enumerate(homes):
            c.team_is(seat, home)
        teams = [
            [seat for seat, home in enumerate(homes) if home == team] for team in (0, 1)
        ]
        expected = team_ranks(tuple(ranks), [team for team in teams if team])
        winners = winners_of(expected)
        c.begin(1)
        c.split_is(1, 2)
        assert c.call_finish(array(ranks), PLAYERS) == -1
        assert tuple(c.rank(seat) for seat in range(PLAYERS)) == expected
        winner = winners[0] if len(winners) == 1 else -1
        assert [c.ended(what) for what in range(8)] == [
            *(winner, ENDED, PLAYERS, 4),
            *(0, 0, 0, 0),
        ]


def test_a_game_that_nobody_wins_has_no_ranks(c: Runtime) -> None:
    c.begin(1)
    c.call_finish(array([]), 0)
    assert [c.ended(what) for what in range(3)] == [-1, ENDED, 0]


def test_ranks_equal_those_of_the_interpreter(c: Runtime) -> None:
    numbers = Random(2)
    for _ in range(400):
        marked = [int(numbers.random() < 0.5) for _ in range(PLAYERS)]
        members = [seat for seat, mark in enumerate(marked) if mark]
        keys = [(numbers.randint(0, 2), numbers.randint(0, 2)) for _ in range(PLAYERS)]
        flat = array([number for key in keys for number in key])
        into, marks = array([0] * PLAYERS), array(marked, ctypes.c_int)

        size = c.call_sharing(into, marks)
        assert tuple(into[:size]) == shared_ranks(PLAYERS, members)
        size = c.call_by_rank(into, marks, flat, 2)
        assert tuple(into[:size]) == ranks_by_key(PLAYERS, members, keys.__getitem__)


# ---------------------------------------------------------------- the control stack


def test_a_frame_begins_empty(c: Runtime) -> None:
    c.begin(1)
    assert c.call_push(1) == 2
    assert [c.in_frame(1, place) for place in range(5)] == [1, 0, *[UNSET] * 3]
    assert [c.call_same_unit_runs(unit) for unit in (0, 1, 2)] == [1, 1, 0]
    assert c.call_leave() == -2
    assert [c.call_same_unit_runs(unit) for unit in (0, 1, 2)] == [1, 0, 0]
    assert [c.call_push(0) for _ in range(4)] == [2, 3, 4, BEYOND]


def test_a_block_stores_the_state_at_its_start(c: Runtime) -> None:
    c.begin(1)
    c.split_is(0, 2)
    c.cell_is(9, 33)
    lay(c.stack(), (((1, 1),), (0,) * KINDS))
    c.call_begin_split()
    c.cell_is(9, 34)
    lay(c.stack(), ((), (0,) * KINDS))
    assert (c.split_cell(9), c.split_size()) == (33, 1)
    assert [c.ended(what) for what in (6, 7)] == [1, 0]
    c.split_is(1, 2)
    c.call_push(1)
    assert c.call_game_ends() == -2
    assert [c.ended(what) for what in (4, 6, 7)] == [1, 0, 0]
    assert c.in_frame(0, 1) == 7


def test_actions_are_listed_in_order_and_once(c: Runtime) -> None:
    for size in range(6):
        for given_ in product(range(3), repeat=size):
            listed = array(given_, ctypes.c_int32)
            left = c.call_in_order(listed, size)
            assert list(listed[:left]) == sorted({*given_})


def test_budgets_match_the_rules(c: Runtime) -> None:
    c.begin(1)
    c.used_are(10, 4)
    assert c.call_goes_on() == 0
    assert c.call_begins() == MISTAKE
    c.used_are(11, 0)
    assert c.call_goes_on() == MISTAKE
    c.used_are(0, 3)
    assert c.call_begins() == 4


def test_steps_run_until_the_end_or_the_budget(c: Runtime) -> None:
    game = ctypes.c_void_p(c.the_game())

    def run(statements: int) -> int:
        c.begin(1)
        c.statements_are(statements)
        return c.rb_run(game)

    assert run(11) == -1
    assert c.why() == 1
    assert run(3) == 1  # it waits
    assert [c.used(what) for what in (0, 1)] == [0, 0]
    assert [c.rb_apply(game, 0), c.rb_apply(game, 0)] == [1, 0]
    assert run(3) == 1
    c.split_is(1, 3)
    assert c.rb_apply(game, 0) == -1  # no more answers
    assert c.why() == 2
