"""Random number generator: published test vectors, no bias, independence."""

import pytest

from interpreter import Game
from interpreter.core.chance import Stream, philox, random_below
from interpreter.game import state_of
from interpreter.state.state import WeightedOutcomes
from workbench import load

# kat_vectors of Random123, the lines `philox4x32 10`
PUBLISHED = [
    (
        (0, 0, 0, 0),
        (0, 0),
        (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8),
    ),
    (
        (0xFFFFFFFF,) * 4,
        (0xFFFFFFFF, 0xFFFFFFFF),
        (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD),
    ),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


@pytest.mark.parametrize(("counter", "key", "words"), PUBLISHED)
def test_published_vectors(
    counter: tuple[int, int, int, int],
    key: tuple[int, int],
    words: tuple[int, int, int, int],
) -> None:
    assert philox(counter, key) == words


def test_a_random_number_depends_only_on_seed_name_and_number() -> None:
    first = [random_below(36, 7, "roll", number) for number in range(20)]

    assert first == [random_below(36, 7, "roll", number) for number in range(20)]
    assert first != [random_below(36, 8, "roll", number) for number in range(20)]
    assert first != [random_below(36, 7, "other", number) for number in range(20)]


def test_random_numbers_are_about_equally_frequent() -> None:
    counts = [0] * 6
    for number in range(6000):
        counts[random_below(6, 1, "die", number)] += 1

    assert min(counts) > 900
    assert max(counts) < 1100


def test_draws_another_word_if_one_would_favour_some_numbers() -> None:
    limit = 3 * 2**30  # a quarter of all words is rejected

    drawn = [random_below(limit, 1, "wide", number) for number in range(400)]

    assert all(0 <= number < limit for number in drawn)
    assert sum(number < limit // 3 for number in drawn) in range(100, 170)


def test_a_shuffle_keeps_all_cards() -> None:
    cards = list(range(20))

    Stream(3, "cards").shuffle(cards)

    assert cards != list(range(20))
    assert sorted(cards) == list(range(20))


@pytest.mark.parametrize("faces", [(1, 2, 3, 4, 5, 6), (0, 0, 0, 1, 1, 2), (7,)])
def test_a_table_of_outcomes_draws_according_to_their_weights(
    faces: tuple[int, ...],
) -> None:
    outcomes = [(face, faces.count(face)) for face in dict.fromkeys(faces)]
    drawn = []
    for listed in (outcomes, WeightedOutcomes(outcomes)):
        game = Game.start(load("classic"), seed=5)
        drawn.append([state_of(game).draw("a roll", listed) for _ in range(200)])
    assert drawn[0] == drawn[1]
    assert set(drawn[0]) == set(faces)
