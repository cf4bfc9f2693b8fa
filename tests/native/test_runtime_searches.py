"""Searches of the runtime alone: the longest trail, and deals under a condition."""

from __future__ import annotations

import ctypes
from itertools import combinations
from random import Random

from hypothesis import given, settings

from interpreter.algorithms import constrained_deal
from interpreter.algorithms.constrained_deal import DealSearch, DealTest
from interpreter.algorithms.trails import TrailQuery, max_states, merged_links
from rulebook.tooling import DEAL_SEARCHES_MAX
from tests.interpreter.test_trails_of_sorts import Ends, boards, most_by_euler
from tests.native.compilers import NEEDS_C
from tests.native.runtime_alone import BEYOND, MISTAKE, Runtime, array

pytestmark = NEEDS_C

# ---------------------------------------------------------------- trails

NO_LIMIT = 1 << 60


def longest(c: Runtime, ends: Ends, course: TrailQuery, limit: int = NO_LIMIT) -> int:
    """Return the length of the longest trail that the runtime finds."""
    c.trail_begins(course.joints is not None)
    for sort, links in enumerate(course.sets):
        for link in links:
            bit = 1 << sort if course.joints is not None else 1
            c.call_trail_link(link, *ends[link], bit)
    for corner in {corner for pair in ends for corner in pair}:
        joint = course.joints is not None and corner in course.joints
        c.trail_corner_is(corner, corner in course.closed, joint)
    for link, weight in zip(course.links, course.weights or (), strict=False):
        c.trail_weighs(link, weight)
    return c.call_trail_longest(limit)


@settings(max_examples=400, deadline=None)
@given(boards())
def test_trails_agree_with_eulerian_paths(
    c: Runtime, searched: tuple[Ends, TrailQuery]
) -> None:
    ends, course = searched
    assert longest(c, ends, course) == most_by_euler(ends, course)


@settings(max_examples=200, deadline=None)
@given(boards())
def test_fails_beyond_the_limit_that_the_interpreter_computes(
    c: Runtime, searched: tuple[Ends, TrailQuery]
) -> None:
    ends, course = searched
    states = max_states(ends, course.links)

    assert longest(c, ends, course, states) == most_by_euler(ends, course)
    if states:
        assert longest(c, ends, course, states - 1) == MISTAKE


def test_a_trail_ends_at_a_closed_corner_and_may_begin_there(c: Runtime) -> None:
    line = [(0, 1), (1, 2), (2, 3)]
    plain = TrailQuery(((0, 1, 2),))
    assert longest(c, line, plain) == 3
    for closed, most in (((1,), 2), ((2,), 2), ((1, 2), 1), ((0, 3), 3), ((0,), 3)):
        assert longest(c, line, TrailQuery(plain.sets, closed)) == most
    ring = [(0, 1), (1, 2), (2, 0)]
    assert longest(c, ring, TrailQuery(plain.sets, (0,))) == 3
    assert longest(c, ring, TrailQuery(plain.sets, (0, 1))) == 2


def test_links_of_two_sorts_change_at_joints(c: Runtime) -> None:
    line = [(0, 1), (1, 2), (2, 3)]
    sets = ((0, 1), (2,))
    assert longest(c, line, TrailQuery(sets, (), ())) == 2
    assert longest(c, line, TrailQuery(sets, (), (2,))) == 3
    assert longest(c, line, TrailQuery(((0, 1), (1, 2)), (), (1,))) == 3
    assert longest(c, line, TrailQuery(((0, 1), (1, 2)), (), ())) == 2
    assert merged_links(sets) == (0, 1, 2)


def test_too_many_links_are_reported(c: Runtime) -> None:
    c.begin(1)
    c.trail_begins(0)
    for link in range(64):
        assert c.call_trail_link(link, link, link + 1, 1) == link + 1
    assert c.call_trail_longest(NO_LIMIT) == 64
    assert c.call_trail_link(63, 63, 64, 1) == 64  # the trail is cached already
    assert c.call_trail_link(64, 64, 65, 1) == BEYOND
    c.trail_begins(0)
    for link, (near, far) in enumerate(combinations(range(9), 2)):
        c.call_trail_link(link, near, far, 1)
    assert c.call_trail_longest(NO_LIMIT) == BEYOND  # more ways than are tried


# ---------------------------------------------------------------- deals


class Deal:
    """Deal of a few cards to cells, in which some pairs of cells must not exceed a
    limit. In some deals, a weighted sum of all cells must be a multiple of a number,
    which only exchanges can satisfy.
    """

    def __init__(self, seed: int, size: int = 0) -> None:
        numbers = Random(seed)
        self.kinds = numbers.randint(1, 4)
        self.values = [numbers.randint(0, 5) for _ in range(self.kinds)]
        self.at = numbers.sample(range(16), size or numbers.randint(1, 6))
        spare = numbers.choice((0, 0, 0, 1, -1))
        number = max(1, min(10, len(self.at) + spare))
        self.copies = [0] * self.kinds
        for _ in range(number):
            self.copies[numbers.randrange(self.kinds)] += 1
        cells = [numbers.randint(0, 5) for _ in range(16)]
        self.cells = cells
        places = self.at if numbers.random() < 0.7 else range(16)
        self.pairs = [
            (*numbers.sample([*places, *self.at], 2), numbers.randint(2, 9))
            for _ in range(numbers.randint(1, 5))
        ]
        self.whole = numbers.choice((60, 400) if size else (0, 0, 7, 60))

    def holds(self, cells: list[int]) -> bool:
        if self.whole and uneven(cells, self.whole):
            return False
        return all(cells[a] + cells[b] <= most for a, b, most in self.pairs)

    def possible(self) -> list[int]:
        """Return the cards with which some arrangement begins, by brute force."""
        deck = [card for card, number in enumerate(self.copies) for _ in range(number)]
        good = set()
        for dealt in arrangements(deck, len(self.at)):
            cells = list(self.cells)
            for place, card in zip(self.at, dealt, strict=False):
                cells[place] = self.values[card]
            if self.holds(cells):
                good.add(dealt[0])
        return [
            number if card in good else 0 for card, number in enumerate(self.copies)
        ]

    def begin(self, c: Runtime, most: int = DEAL_SEARCHES_MAX) -> None:
        c.begin(1)
        for place, number in enumerate(self.cells):
            c.cell_is(place, number)
        at = array(self.at, ctypes.c_int)
        c.deal_begins(self.kinds, array(self.values), len(self.at), at, most)
        for number, (a, b, limit) in enumerate(self.pairs, 1):
            assert c.deal_test_is(a, b, limit) == number
        if self.whole:
            c.deal_sum_is(self.whole)

    def by_runtime(
        self, c: Runtime, most: int = DEAL_SEARCHES_MAX
    ) -> tuple[int, list[int]]:
        self.begin(c, most)
        weights, kinds = array(self.copies), array(range(self.kinds), ctypes.c_int16)
        told = c.call_deal_possible(weights, kinds)
        if told == 0:
            assert [c.cell_of(place) for place in range(16)] == self.cells
        return told, list(weights[: self.kinds])

    def by_interpreter(self) -> tuple[dict[int, None], int]:
        """Return the possible next cards, and the remaining number of steps."""
        tests = [DealTest(0, pair, (*{*pair[:2]},)) for pair in self.pairs]
        if self.whole:
            tests.append(DealTest(1, (self.whole,), tuple(range(16))))
        deal = constrained_deal.Deal(tuple(self.values), (0, 1, 2, 3), tuple(tests))
        cards, rest = tuple(self.copies), tuple(self.at)
        search = DealSearch(self.cells, 0, rest, cards, deal, [too_much, uneven])
        return search.possible_cards(), search.steps


def too_much(s: list[int], a: int, b: int, most: int) -> bool:
    return s[a] + s[b] > most


def uneven(s: list[int], whole: int) -> bool:
    return sum(place * number for place, number in enumerate(s)) % whole != 0


def arrangements(deck: list[int], size: int) -> set[tuple[int, ...]]:
    """Return all arrangements of a deck on *size* cells."""
    if not size or not deck:
        return {()}
    return {
        (card, *rest)
        for card in {*deck}
        for rest in arrangements(without(deck, card), size - 1)
    }


def without(deck: list[int], card: int) -> list[int]:
    place = deck.index(card)
    return deck[:place] + deck[place + 1 :]


def test_a_card_is_possible_if_some_arrangement_begins_with_it(c: Runtime) -> None:
    some = none = 0
    for seed in range(250):
        deal = Deal(seed)
        told, weights = deal.by_runtime(c)
        assert (told, weights) == (0, deal.possible())
        some += weights != deal.copies and any(weights)
        none += not any(weights)
    assert min(some, none) > 10


def test_takes_the_same_number_of_steps_as_the_interpreter(c: Runtime) -> None:
    most = 0
    for seed in range(280):
        deal = Deal(seed, size=8 if seed >= 250 else 0)
        possible, left = deal.by_interpreter()
        _, weights = deal.by_runtime(c)
        assert {card for card, number in enumerate(weights) if number} == set(possible)
        assert c.deal_left() == left
        tried = DEAL_SEARCHES_MAX - left
        most = max(most, tried)
        assert deal.by_runtime(c, tried)[0] == 0
        if tried:
            assert deal.by_runtime(c, tried - 1)[0] == MISTAKE
    assert most > 3_000


def test_indistinguishable_cards_are_treated_together(c: Runtime) -> None:
    deal = Deal(1)
    deal.kinds, deal.values, deal.copies = 3, [1, 5, 1], [1, 1, 2]
    deal.at, deal.pairs, deal.whole = [2, 3, 4, 5], [(2, 3, 2)], 0
    deal.begin(c)
    weights = array(deal.copies)
    assert c.call_deal_possible(weights, array([0, 1, 0], ctypes.c_int16)) == 0
    assert list(weights) == [1, 0, 2]


def test_a_deal_has_a_maximum_number_of_cards(c: Runtime) -> None:
    deal = Deal(1)
    deal.begin(c)
    weights = array([11, 0, 0, 0])
    assert c.call_deal_possible(weights, array(range(4), ctypes.c_int16)) == BEYOND
