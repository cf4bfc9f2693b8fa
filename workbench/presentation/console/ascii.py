"""Conversion of text to ASCII, for terminals that support no other characters."""

from functools import cache
from unicodedata import normalize

SPELLINGS = {
    **dict(zip("·●◆█│─┼═▣▢×★–", ".o*#|-+=#.x*-", strict=True)),
    **dict(zip("„“”«»‚‘’", '"""""\'\'\'', strict=True)),
    "ß": "ss",
    "æ": "ae",
    "Æ": "Ae",
    "ø": "o",
    "Ø": "O",
    "›": ">",
    "ł": "l",
}


def ascii_text(text: str) -> str:
    """Return text in ASCII, without accents and with `?` for unknown characters."""
    return "".join(
        letter if letter.isascii() else _ascii_letter(letter) for letter in text
    )


@cache
def _ascii_letter(letter: str) -> str:
    plain = normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return SPELLINGS.get(letter) or plain or "?"
