"""Random numbers that tell nothing: a counter-based stream whose key is a hash.

A bot gets such a stream of its own. It is a `random.Random`, so that a bot which was
written for one needs no change; but it rests on the generator of chance, not on the
Mersenne Twister, and all that can be learnt from it is its own key. That is a hash of
names: who does not know them cannot work them out, and no other stream either.
"""

import hashlib
import json
import secrets
from random import Random
from typing import Any, Self

from interpreter import Stream

SEED_BITS = 53
"""Every program that reads JSON keeps so many bits of a number."""

STREAM = "numbers"
VERSION = 1
WORD_BITS = 32


def drawn_seed() -> int:
    """A seed that nobody can guess, from the system."""
    return secrets.randbits(SEED_BITS)


class Numbers(Random):
    """The stream of some names: the same names, the same numbers, on every machine."""

    def __new__(cls, *_names: int | str) -> Self:
        """Make a stream; what the base class keeps for itself is made of nothing."""
        return super().__new__(cls, 0)  # type: ignore[call-arg]

    def __init__(self, *names: int | str) -> None:
        self._begin(key_of(names))

    @classmethod
    def over(cls, stream: Stream) -> Self:
        """The numbers of a stream, which goes on as they are drawn."""
        numbers = cls()
        numbers._stream = stream
        return numbers

    @property
    def meant(self) -> tuple[int, ...]:
        """The decisions on which a bot that draws these numbers has set its mind."""
        return self._stream.meant

    @meant.setter
    def meant(self, indices: tuple[int, ...]) -> None:
        """Let a bot set its mind on these decisions."""
        self._stream.meant = indices

    def _begin(self, key: int) -> None:
        self._stream = Stream(key, STREAM)
        self.gauss_next: float | None = None

    def random(self) -> float:
        """The next number from 0 to 1, which is none of them, of 53 bits."""
        high, low = self._stream.word() >> 5, self._stream.word() >> 6
        return (high * 2**26 + low) / 2**53

    def getrandbits(self, k: int, /) -> int:
        """A whole number of so many bits."""
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        count = -(-k // WORD_BITS)
        whole = 0
        for place in range(count):
            whole |= self._stream.word() << place * WORD_BITS
        return whole >> count * WORD_BITS - k

    def seed(self, a: object = None, version: int = 2) -> None:
        """Begin the stream of a seed; without one, begin this stream again."""
        low, high = self._stream.key
        own = low | high << WORD_BITS
        self._begin(own if a is None else key_of(("seed", repr(a), version)))

    def getstate(self) -> tuple[Any, ...]:
        """Where the stream is: its key, the block, and what is left of that."""
        stream = self._stream
        place = (stream.key, stream.number, tuple(stream.words))
        return VERSION, *place, self.gauss_next

    def setstate(self, state: tuple[Any, ...]) -> None:
        """Go on from where a stream was."""
        version, (low, high), number, words, gauss_next = state
        if version != VERSION:
            raise ValueError(f"a state of version {VERSION} is wanted, not {version}")
        self._begin(low | high << WORD_BITS)
        self._stream.number, self._stream.words = number, list(words)
        self.gauss_next = gauss_next


def key_of(names: tuple[int | str, ...]) -> int:
    """The key of some names, of 64 bits."""
    digest = hashlib.sha256(json.dumps(names).encode()).digest()
    return int.from_bytes(digest[:8], "little")
