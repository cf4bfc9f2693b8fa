"""Names and keys of tables: nobody can guess a key, no database gives one away.

Who made a table has the owner's key. The others are worked out from it, so that the
owner's browser can show their links again, and the store keeps digests alone.
"""

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from hashlib import sha256
from secrets import choice, token_urlsafe

SEAT, WATCH, OWNER = "seat", "watch", "owner"
"""What a key opens: a seat, looking on, or the table, for who made it."""
SIZE = 32
"""How many letters a key has: 192 bits."""
ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
ID_LENGTH = 12


def new_id() -> str:
    """The name of a table that no table has had before."""
    return "".join(choice(ID_LETTERS) for _ in range(ID_LENGTH))


def is_id(text: str) -> bool:
    """Whether a table may be called so; of anything else no database is asked."""
    return len(text) == ID_LENGTH and set(text) <= set(ID_LETTERS)


def new_key() -> str:
    """A key that nobody has had before."""
    return token_urlsafe(SIZE * 3 // 4)


def digest_of(key: str) -> str:
    """What is stored of a key."""
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def keys_of(owner: str, seats: Iterable[str]) -> dict[tuple[str, str], str]:
    """The keys of a table by what they open, from that of its owner."""
    opened = [*((SEAT, seat) for seat in seats), (WATCH, "")]
    made = {(sort, seat): _derived(owner, f"{sort} {seat}") for sort, seat in opened}
    return made | {(OWNER, ""): owner}


def _derived(owner: str, purpose: str) -> str:
    drawn = hmac.digest(owner.encode(), purpose.encode(), "sha256")
    return urlsafe_b64encode(drawn).decode()[:SIZE]
