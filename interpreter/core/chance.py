"""Random number generator: Philox4x32-10, counter-based (Salmon et al., SC 2011).

The n-th event with a given name depends only on (seed, name, n). The key is the seed.
The counter consists of n, the number of the block, and the first eight bytes of the
name's SHA-256.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

WORD = 0xFFFFFFFF
ROUNDS = 10
Words = tuple[int, int, int, int]


@lru_cache(maxsize=4096)
def round_keys(key: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """Return the two words that each round adds; they depend only on the key."""
    k, m = key
    steps = range(ROUNDS)
    return tuple(
        [((k + 0x9E3779B9 * n) & WORD, (m + 0xBB67AE85 * n) & WORD) for n in steps]
    )


def philox(counter: Words, key: tuple[int, int]) -> Words:
    """Return the block of four random words for a counter and a key."""
    a, b, c, d = counter
    for k, m in round_keys(key):
        first = 0xD2511F53 * a
        second = 0xCD9E8D57 * c
        a = (second >> 32) ^ b ^ k
        b = second & WORD
        c = (first >> 32) ^ d ^ m
        d = first & WORD
    return a, b, c, d


@lru_cache(maxsize=4096)
def name_words(name: str) -> tuple[int, int]:
    """Return the two counter words that represent the name of a chance event."""
    digest = hashlib.sha256(name.encode()).digest()
    return (
        int.from_bytes(digest[:4], "little"),
        int.from_bytes(digest[4:8], "little"),
    )


def random_below(limit: int, seed: int, name: str, number: int) -> int:
    """Return a uniform integer from 0 to limit - 1 for event *number* named *name*.

    This is Lemire's method: multiply a random word, and draw the next word of the same
    event if the product falls into the biased range.
    """
    key = (seed & WORD, (seed >> 32) & WORD)
    low, high = name_words(name)
    threshold = (WORD + 1 - limit) % limit
    block = 0
    while True:
        for word in philox((number & WORD, block, low, high), key):
            product = word * limit
            if product & WORD >= threshold:
                return product >> 32
        block += 1


class Stream:
    """Random numbers for bots and samples, which are not events of the game.

    `meant` are the next decisions that a bot using this stream has already planned.
    """

    def __init__(self, seed: int, name: str) -> None:
        self.key = (seed & WORD, (seed >> 32) & WORD)
        self.name = name_words(name)
        self.number = 0
        self.words: list[int] = []
        self.meant: tuple[int, ...] = ()

    def next_word(self) -> int:
        """Return the next 32-bit word."""
        if not self.words:
            self.number += 1
            low, high = self.name
            block = philox((self.number & WORD, 0, low, high), self.key)
            self.words = list(reversed(block))
        return self.words.pop()

    def next_below(self, limit: int) -> int:
        """Return the next integer from 0 to limit - 1, uniformly distributed."""
        threshold = (WORD + 1 - limit) % limit
        while True:
            product = self.next_word() * limit
            if product & WORD >= threshold:
                return product >> 32

    def shuffle(self, items: list[int]) -> None:
        """Shuffle a list in place."""
        for last in range(len(items) - 1, 0, -1):
            other = self.next_below(last + 1)
            items[last], items[other] = items[other], items[last]

    def draw(self, counts: list[int], number: int) -> list[int]:
        """Remove *number* random cards from *counts*; return the removed counts."""
        taken = [0] * len(counts)
        left = sum(counts)
        for _ in range(number):
            rest = self.next_below(left)
            left -= 1
            card = 0
            while rest >= counts[card]:
                rest -= counts[card]
                card += 1
            counts[card] -= 1
            taken[card] += 1
        return taken
