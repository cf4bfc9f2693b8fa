"""Keys of seats: nobody can guess one, and a database that is read gives none away.

Who made a table has the owner's key. The others are worked out from it, so that the
owner's browser can show their links again, and the store keeps digests alone.
"""

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from hashlib import sha256
from secrets import token_urlsafe

OWNER, WATCH = "owner", "watch"
"""Beside the seats: who made the table, and who may look on."""
SIZE = 32
"""How many letters a key has: 192 bits."""


def new_key() -> str:
    """A key that nobody has had before."""
    return token_urlsafe(SIZE * 3 // 4)


def digest(key: str) -> str:
    """What is stored of a key."""
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def keys_of(owner: str, seats: Iterable[str]) -> dict[str, str]:
    """The keys of a table by its seats, `WATCH` and `OWNER`, from the owner's key."""
    made = {name: _derived(owner, f"seat {name}") for name in seats}
    return made | {WATCH: _derived(owner, WATCH), OWNER: owner}


def _derived(owner: str, purpose: str) -> str:
    drawn = hmac.digest(owner.encode(), purpose.encode(), "sha256")
    return urlsafe_b64encode(drawn).decode()[:SIZE]
