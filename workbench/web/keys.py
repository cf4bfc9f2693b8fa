"""Ids and keys of tables. Keys cannot be guessed; only their digests are stored.

The creator of a table receives the owner's key. All other keys are derived from it, so
that the owner's browser can show their links again.
"""

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from hashlib import sha256
from secrets import choice, token_urlsafe

SEAT, WATCH, OWNER = "seat", "watch", "owner"
"""Kinds of keys: for a seat, for spectators, and for the owner of a table."""
KEY_LENGTH = 32
"""Length of a key in characters (192 bits)."""
ID_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
ID_LENGTH = 12
CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 8
"""Length of a join code: about 40 bits, guessed only at the rate of `code_rate`."""


def new_id() -> str:
    """Return a random id for a new table."""
    return "".join(choice(ID_LETTERS) for _ in range(ID_LENGTH))


def is_valid_id(text: str) -> bool:
    """Return whether *text* has the form of a table id."""
    return len(text) == ID_LENGTH and set(text) <= set(ID_LETTERS)


def new_key() -> str:
    """Return a new random key."""
    return token_urlsafe(KEY_LENGTH * 3 // 4)


def key_digest(key: str) -> str:
    """Return the digest under which a key is stored."""
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def derive_keys(owner_key: str, seats: Iterable[str]) -> dict[tuple[str, str], str]:
    """Return all keys of a table by (kind, seat), derived from the owner's key."""
    targets = [*((SEAT, seat) for seat in seats), (WATCH, "")]
    keys = {
        (kind, seat): _derive_key(owner_key, f"{kind} {seat}") for kind, seat in targets
    }
    return keys | {(OWNER, ""): owner_key}


def _derive_key(owner_key: str, purpose: str) -> str:
    derived = hmac.digest(owner_key.encode(), purpose.encode(), "sha256")
    return urlsafe_b64encode(derived).decode()[:KEY_LENGTH]


def derive_code(owner_key: str) -> str:
    """Return the code with which people join a table, derived from the owner's key."""
    number = int.from_bytes(hmac.digest(owner_key.encode(), b"code", "sha256"))
    letters = []
    for _ in range(CODE_LENGTH):
        number, index = divmod(number, len(CODE_LETTERS))
        letters.append(CODE_LETTERS[index])
    return "".join(letters)


def code_digest(code: str) -> str | None:
    """Return the digest under which a code is stored, or None if it is no code.

    Spaces, hyphens and small letters are accepted.
    """
    text = code[: 4 * CODE_LENGTH].translate({ord(" "): None, ord("-"): None}).upper()
    if len(text) != CODE_LENGTH or not set(text) <= set(CODE_LETTERS):
        return None
    return key_digest(f"code {text}")
