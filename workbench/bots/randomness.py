"""Unpredictable random numbers: counter-based streams keyed by a hash.

Each bot receives its own stream. A stream is a `random.Random`, so bots written for
`Random` need no change. It uses the algorithm of chance events instead of the
Mersenne Twister. Its output reveals at most its own key. Without the hashed names,
nobody can compute that key or another one.
"""

import hashlib
import json
import secrets
from random import Random
from typing import Any, Self

from interpreter import Stream

SEED_BITS = 53
"""Number of bits of a seed; JSON readers preserve integers of this size."""

STREAM = "numbers"
VERSION = 1
WORD_BITS = 32


def random_seed() -> int:
    """Return an unpredictable seed from the operating system."""
    return secrets.randbits(SEED_BITS)


class KeyedRandom(Random):
    """Random stream keyed by names; equal names give equal numbers on every machine."""

    def __new__(cls, *_names: int | str) -> Self:
        """Create the stream; the base class gets seed 0, and its state is unused."""
        return super().__new__(cls, 0)  # type: ignore[call-arg]

    def __init__(self, *names: int | str) -> None:
        self._restart(stream_key(names))

    @classmethod
    def from_stream(cls, stream: Stream) -> Self:
        """Return a generator that draws its random numbers from *stream*."""
        rng = cls()
        rng._stream = stream
        return rng

    @property
    def meant(self) -> tuple[int, ...]:
        """Indices of the actions that the bot with this stream plans to take next."""
        return self._stream.meant

    @meant.setter
    def meant(self, indices: tuple[int, ...]) -> None:
        """Set the indices of the actions that the bot plans to take next."""
        self._stream.meant = indices

    def _restart(self, key: int) -> None:
        """Restart the stream with this key."""
        self._stream = Stream(key, STREAM)
        self.gauss_next: float | None = None

    def random(self) -> float:
        """Return the next number in the half-open range [0, 1), with 53 random bits."""
        high, low = self._stream.next_word() >> 5, self._stream.next_word() >> 6
        return (high * 2**26 + low) / 2**53

    def getrandbits(self, k: int, /) -> int:
        """Return a random integer of *k* bits."""
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        count = -(-k // WORD_BITS)
        bits = 0
        for index in range(count):
            bits |= self._stream.next_word() << index * WORD_BITS
        return bits >> count * WORD_BITS - k

    def seed(self, a: object = None, version: int = 2) -> None:
        """Restart the stream from seed *a*, or from its own key if *a* is None."""
        low, high = self._stream.key
        own_key = low | high << WORD_BITS
        self._restart(own_key if a is None else stream_key(("seed", repr(a), version)))

    def getstate(self) -> tuple[Any, ...]:
        """Return the state of the stream: key, block number and remaining words."""
        stream = self._stream
        position = (stream.key, stream.number, tuple(stream.words))
        return VERSION, *position, self.gauss_next

    def setstate(self, state: tuple[Any, ...]) -> None:
        """Restore a state that `getstate` returned."""
        version, (low, high), number, words, gauss_next = state
        if version != VERSION:
            raise ValueError(f"the state must have version {VERSION}, not {version}")
        self._restart(low | high << WORD_BITS)
        self._stream.number, self._stream.words = number, list(words)
        self.gauss_next = gauss_next


def stream_key(names: tuple[int | str, ...]) -> int:
    """Return the 64-bit key of a stream: a hash of its names."""
    digest = hashlib.sha256(json.dumps(names).encode()).digest()
    return int.from_bytes(digest[:8], "little")
