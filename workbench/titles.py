"""What things are called for people: titles by language, else the identifier."""

from collections.abc import Mapping

import attrs

from rulebook import Rulebook


@attrs.frozen
class Titles:
    """The titles of a book in one language; what has none is called by its name."""

    words: Mapping[str, tuple[str, ...]]
    language: str = "en"

    @classmethod
    def of(cls, book: Rulebook, language: str | None = None) -> "Titles":
        """The titles of a book; English where nothing else is asked for."""
        wanted = language or "en"
        return cls(book.words.get(wanted, {}), wanted)

    def title(self, name: str) -> str:
        """The title of one thing."""
        found = self.words.get(name)
        return found[0] if found else name.replace("_", " ")

    def plural(self, name: str, spare: str | None = None) -> str:
        """The title of several of a thing."""
        found = self.words.get(name)
        return found[-1] if found else (spare or name).replace("_", " ")

    def link(self, name: str, ends: tuple[str, str]) -> str:
        """The title of a link: its own, else its ends."""
        if name in self.words:
            return self.title(name)
        return "–".join(self.title(end) for end in ends)
