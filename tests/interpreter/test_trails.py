"""The longest trail, compared with brute force."""

from itertools import pairwise, permutations
from random import Random

import pytest

from interpreter.algorithms.trails import Trails, longest_trail, max_states
from interpreter.kernel.search_limits import SearchPlace
from rulebook import RulesError
from rulebook.tooling import NOWHERE

Ends = list[tuple[int, int]]

SMALL = SearchPlace(NOWHERE, 999)


def brute_force(ends: Ends, links: tuple[int, ...], closed: tuple[int, ...]) -> int:
    """Try every order of every number of links, in both directions."""
    for length in range(len(links), 0, -1):
        if any(is_trail(ends, order, closed) for order in permutations(links, length)):
            return length
    return 0


def is_trail(ends: Ends, order: tuple[int, ...], closed: tuple[int, ...]) -> bool:
    for start in ends[order[0]]:
        corner = start
        for place, link in enumerate(order):
            if corner not in ends[link] or (place and corner in closed):
                break
            near, far = ends[link]
            corner = far if corner == near else near
        else:
            return True
    return False


def test_agrees_with_brute_force() -> None:
    random = Random(5)
    for _ in range(150):
        corners = random.randrange(3, 7)
        pairs = [(a, b) for a in range(corners) for b in range(a)]
        ends = random.sample(pairs, min(len(pairs), random.randrange(2, 7)))
        links = tuple(range(len(ends)))
        closed = tuple(c for c in range(corners) if random.random() < 0.3)

        expected = brute_force(ends, links, closed)

        assert longest_trail(ends, links, closed) == expected


def test_a_trail_may_end_at_a_closed_corner_but_not_pass_it() -> None:
    ends = list(pairwise(range(5)))
    trails = Trails(ends)

    assert trails((0, 1, 2, 3), lambda _: False, SMALL) == 4
    assert trails((0, 1, 2, 3), lambda corner: corner == 1, SMALL) == 3
    assert trails((0, 1, 2, 3), lambda corner: corner in {0, 4}, SMALL) == 4
    assert trails((), lambda _: False, SMALL) == 0


def test_results_are_cached_by_links_and_closed_corners() -> None:
    trails = Trails(list(pairwise(range(5))))

    assert trails((0, 1, 2), lambda _: False, SMALL) == 3
    assert trails((0, 1, 2), lambda corner: corner == 2, SMALL) == 2
    assert len(trails.results) == 2


def test_counts_states_only_in_parts_with_rings() -> None:
    ring = [(0, 1), (1, 2), (2, 0)]
    tail, apart, second = (2, 3), (4, 5), (0, 3)

    assert max_states(ring, (0, 1)) == 0
    assert max_states(ring, (0, 1, 2)) == 3**2 * 2
    assert max_states([*ring, tail, apart], (0, 1, 2, 3, 4)) == 4**2 * 2
    assert max_states([*ring, tail, second], (0, 1, 2, 3, 4)) == 4**2 * 4


def test_fails_if_the_links_form_too_many_rings() -> None:
    ends = [(a, b) for a in range(6) for b in range(a)]
    links = tuple(range(len(ends)))
    states = max_states(ends, links)

    assert Trails(ends)(links, lambda _: False, SearchPlace(NOWHERE, states)) == 13
    with pytest.raises(RulesError, match="too many rings"):
        Trails(ends)(links, lambda _: False, SearchPlace(NOWHERE, states - 1))
    with pytest.raises(RulesError, match="too many rings"):
        Trails(ends).route(
            (links,), lambda _: False, None, None, SearchPlace(NOWHERE, states - 1)
        )
