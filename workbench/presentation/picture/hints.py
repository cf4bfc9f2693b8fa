"""Hints in a rule file about the appearance of spaces, pieces and seats."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import dist

import attrs

from rulebook import Rulebook
from rulebook.model import Drawing, Look, Model
from workbench.presentation.localization.languages import (
    available_languages,
    phrase_table,
)

#: Colours for seats and kinds without a hint, also distinct for colour-blind people
#: (Okabe and Ito, https://jfly.uni-koeln.de/color/).
SPARE_COLOURS = (
    "#0072b2",
    "#e69f00",
    "#009e73",
    "#cc79a7",
    "#56b4e9",
    "#d55e00",
    "#f0e442",
)
#: Colours as `#rrggbb` by name, in all languages of the program.
COLOURS = {
    name.casefold(): colour
    for language in sorted(available_languages())
    for name, colour in phrase_table(language, "colours").items()
}
MIN_COLOUR_DISTANCE = 0.28
#: Default style values, by part of a picture and attribute.
PLAIN_STYLE = {
    ("board", "colour"): "#e3eef4",
    ("token", "colour"): "#fffdf6",
    ("token", "edge"): "#6b6355",
    ("token", "ink"): "#222222",
    ("token", "shape"): "disc",
    ("token", "dots"): "no",
    ("sign", "colour"): "#fffdf6",
    ("sign", "edge"): "#6b6355",
    ("jetty", "colour"): "#8a8275",
    ("jetty", "width"): "0.03",
}
SHAPES = ("disc", "block", "diamond", "tower", "ring", "cross")


@attrs.frozen
class Hints:
    """Texts of the clauses `hint WORD NAME: "text"`, as {word: {name: text}}."""

    book: Rulebook
    texts: Mapping[str, Mapping[str, str]]

    @classmethod
    def for_book(cls, book: Rulebook) -> "Hints":
        """Return the hints of a rulebook; a later hint replaces an earlier one."""
        texts: dict[str, dict[str, str]] = {}
        for hint in book.model.hints:
            texts.setdefault(hint.word, {})[hint.name] = hint.text
        return cls(book, texts)

    def get(self, word: Look, name: str) -> str | None:
        """Return the text of a hint, or None."""
        return self.texts.get(word, {}).get(name)

    @property
    def drawings(self) -> Mapping[str, Drawing]:
        """Drawings of the game and of its themes, by name."""
        return self.book.model.drawings

    def style(self, part: str, attribute: str) -> str:
        """Return the declared or default value of a style attribute, or ""."""
        own = self.texts.get(part, {}).get(attribute)
        return own or PLAIN_STYLE.get((part, attribute), "")

    def colour(self, name: str) -> str | None:
        """Return the `#rrggbb` colour that a hint or the name itself gives, or None."""
        return self.get(Look.COLOUR, name) or COLOURS.get(name.casefold())

    def seat_colour(self, seat: str) -> str:
        """Return the colour of a seat as `#rrggbb`."""
        return self.owner_colours[seat]

    @property
    def owner_colours(self) -> Mapping[str, str]:
        """Colours by owner of pieces: the seats, then the members of other kinds.

        A colour comes from a hint, from the name, or from the unused defaults.
        """
        owners = (*self.book.seats, *owning_members(self.book.model))
        own = {
            owner: self.colour(owner) or self.named_colour(owner) for owner in owners
        }
        free = [
            colour
            for colour in SPARE_COLOURS
            if not any(are_similar(colour, c) for c in own.values())
        ]
        spare = iter([*free, *SPARE_COLOURS, *(SPARE_COLOURS * len(own))])
        return {owner: colour or next(spare) for owner, colour in own.items()}

    def named_colour(self, name: str) -> str | None:
        """Return the colour that a name or its title means in any language, or None."""
        titles = (words.get(name, ())[:1] for words in self.book.words.values())
        texts = [name, *(title for wordings in titles for title in wordings)]
        words = (
            word for phrase in texts for word in re.split(r"[\W_]+", phrase.casefold())
        )
        return next((COLOURS[word] for word in words if word in COLOURS), None)

    def piece_shape(self, piece: str) -> str:
        """Return the shape of a piece: from a hint, or a default."""
        board, described = self.book.model.board, self.book.model.pieces[piece]
        names = list(self.book.model.pieces)
        usual = SHAPES[names.index(piece) % len(SHAPES)]
        if board is not None and set(described.stands_on) == {board.link}:
            usual = "line"
        return self.get(Look.SHAPE, piece) or usual

    def pips(self, attribute: str) -> Mapping[int, int]:
        """Return the number of dice outcomes by sum, for `hint pips NAME: "DIE + DIE"`.

        The mapping is empty without the hint.
        """
        text = self.get(Look.PIPS, attribute)
        if text is None:
            return {}
        fields = self.book.model.fields
        names = [name.strip() for name in text.split("+")]
        ways: dict[int, int] = {}
        for faces in product(*(fields[name].faces for name in names)):
            ways[sum(faces)] = ways.get(sum(faces), 0) + 1
        return ways

    def outcome_count(self, attribute: str) -> int:
        """Return the number of possible outcomes of the dice in a pips hint."""
        return sum(self.pips(attribute).values())


def channels(colour: str) -> tuple[float, float, float]:
    """Return the red, green and blue of a `#rrggbb` colour, each from 0 to 1."""
    red, green, blue = (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
    return red, green, blue


def are_similar(first: str, second: str | None) -> bool:
    """Return whether two colours are hard to tell apart."""
    return (
        second is not None
        and dist(channels(first), channels(second)) < MIN_COLOUR_DISTANCE
    )


def lightness(colour: str) -> float:
    """Return the relative luminance of a colour (WCAG 2), from 0 to 1."""
    linear = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in channels(colour)
    )
    weights = (0.2126, 0.7152, 0.0722)
    return sum(weight * part for weight, part in zip(weights, linear, strict=True))


def readable_ink(colour: str) -> str:
    """Return black or white, whichever is more readable on a colour."""
    return "#000000" if lightness(colour) > 0.179 else "#ffffff"


def owning_members(model: Model) -> tuple[str, ...]:
    """Return the members of the kinds, other than players, that own pieces."""
    kinds = dict.fromkeys(piece.each_member for piece in model.pieces.values())
    return tuple(name for kind in kinds if kind for name in model.domains[kind].members)


def distinct_letters(names: Iterator[str]) -> dict[str, str]:
    """Return a distinct capital letter for each name, from the name if possible.

    If all letters are taken, a name gets its own initial.
    """
    by_name: dict[str, str] = {}
    for name in names:
        taken = set(by_name.values())
        spare = (letter for letter in f"{name}ABCDEFGHIJKLMNOPQRSTUVWXYZ".upper())
        by_name[name] = next(
            (letter for letter in spare if letter.isalpha() and letter not in taken),
            name[:1].upper(),
        )
    return by_name


MAX_INITIALS = 3
"""Maximum number of letters that stand for a title."""
_WORD = re.compile(r"[^\W_]+")


def distinct_initials(titles: Iterable[str]) -> dict[str, str]:
    """Return one to three capital letters for each title, distinct if possible.

    Titles of several words have the initials of these words. A title of one word has
    its first letter, or more letters if other titles have the same ones.
    """
    open_titles = {title: _initials(title) for title in titles}
    by_title: dict[str, str] = {}
    most = max(map(len, open_titles.values()), default=0)
    for level in range(most):
        proposals = {
            t: codes[level] for t, codes in open_titles.items() if codes[level:]
        }
        counts = Counter([*proposals.values(), *by_title.values()])
        unique = {title: code for title, code in proposals.items() if counts[code] == 1}
        by_title |= unique
        open_titles = {t: c for t, c in open_titles.items() if t not in unique}
    return by_title | {title: codes[0][:2] for title, codes in open_titles.items()}


def _initials(title: str) -> list[str]:
    """Return possible initials of a title, the best first."""
    words = _WORD.findall(title) or [title or "?"]
    kept = [word for word in words if not word[0].islower()]
    if len(kept) < 2:
        kept = [word for word in words if len(word) > 2 or word.isdigit()]
    first, last = words[0], words[-1]
    if len(kept) < 2 and words[1:]:
        kept = [first, last]
    codes = [first[:count] for count in range(1, MAX_INITIALS + 1)]
    if words[1:]:
        several = "".join(word[0] for word in kept)
        codes = [several, first[:2] + last[0], first[0] + last[:2], *codes]
    codes += [first[:2] + letter for letter in first[3:]]
    return list(dict.fromkeys(code.upper()[:MAX_INITIALS] for code in codes))
