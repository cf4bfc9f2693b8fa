"""Completions at a place of a rule file: the keywords and names that fit there.

The parser reads the clause up to the place, which determines the keywords and the sorts
of names that fit. The names come from the last version of each file that could be
parsed, and from the last version that was checked.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

import attrs

from rulebook import Address, Rulebook
from rulebook.tooling import (
    AMENDED,
    BUILTIN_NAMES,
    YOUR,
    ExpectedName,
    Moments,
    Sort,
    TextSort,
    Thing,
    clause_words,
    header_words,
    member_parts,
    name_after,
    words_after,
)
from workbench.editor.hover import type_of

CODE = re.compile(r'(?:[^"#]|"[^"]*")*')
"""Pattern for a line whose end is outside comments and quoted texts."""

AMENDED_NAME = re.compile(r"(in|replace|remove)\s+(\w+)\s+\w*")
COMPARED = re.compile(r"(\w+)\s*(?:=|!=)\s*$")
MOVED = re.compile(r"\b(?:move|discard)\b[^\n:]*\b(?:from|to)\s+$")
HOLDER = re.compile(r"(?:endless )?(?:bag|stack|set) of ")
WORD = re.compile(r"[^\W\d]\w*")
TYPED = re.compile(r"\w*$")
GAP = re.compile(
    r"""(?P<path>[\w.]*)[^"]*(?:"[^"]*"[^"]*)*"[^"]*\{(?P<owner>[\w' ]*)$"""
)
"""Pattern for a line that ends inside a gap in a text, with its path and the gap."""

PLAYER = "player"
OF_THE_GAME = frozenset(("", "game"))
"""Owners of things that belong to the whole game."""
PARTS = frozenset((Sort.COLUMN, Sort.FIELD, Sort.DEFINE, Sort.PIECE))


@attrs.frozen
class CompletionItem:
    """Completion: a keyword, or the name of a thing; preferred items sort first.

    `is_name` is true for a name that no text declares, such as `neighbours`.
    """

    name: str
    thing: Thing | None = None
    is_preferred: bool = False
    is_name: bool = False


def clause_before(lines: Sequence[str], before: str) -> str:
    """Return the text of the clause up to a place in a file.

    *lines* are the lines above, and *before* is the text before the place on its line.
    """
    head = len(lines)
    if before and before[0].isspace():
        head = max(0, head - 1)
        while head > 0 and (not lines[head] or lines[head][0].isspace()):
            head -= 1
    return "\n".join((*lines[head:], before))


def completion_items(
    things: Iterable[Thing],
    book: Rulebook | None,
    file: str,
    clause: str,
    *,
    with_values: bool = True,
) -> list[CompletionItem]:
    """Return the completions at the end of an unfinished clause of a file.

    A word that is only written in part is replaced. Without *with_values*, return none
    where a value can be written, because too many names fit.
    """
    chooser = _Chooser(
        sorted(things, key=lambda it: (it.name, it.sort, it.owner)), book, file
    )
    return list(chooser.items(clause, with_values=with_values))


@attrs.frozen
class _Chooser:
    """Choice among the names of a game; `book` is its last checked version."""

    things: list[Thing]
    book: Rulebook | None
    file: str

    def items(self, clause: str, *, with_values: bool) -> Iterator[CompletionItem]:
        """Yield the completions at the end of a clause."""
        head, _, line = clause.rpartition("\n")
        if CODE.fullmatch(line) is None:
            yield from self._gap_items(clause, line)
            return
        if not head and WORD.fullmatch(line or "a"):
            yield from _keyword_items((*clause_words(), *header_words()))
            return
        if not head and (match := AMENDED_NAME.fullmatch(line)):
            yield from self._amendable_items(match[2])
            return
        text = _readable(TYPED.sub("", clause))
        expected = name_after(text)
        if expected is not None and expected.takes_variables and not with_values:
            expected = attrs.evolve(expected, sorts=expected.narrow_sorts, variables=())
        else:
            yield from _keyword_items(words_after(text))
        if expected is not None:
            yield from self._name_items(expected, text)

    # ------------------------------------------------------------ names

    def _name_items(
        self, expected: ExpectedName, text: str
    ) -> Iterator[CompletionItem]:
        """Yield the names that fit at a place."""
        yield from _name_items(expected.words)
        if expected.text_sort is not None:
            yield from self._path_items(expected)
        elif expected.is_part:
            yield from self._part_items(expected)
        elif expected.takes_variables:
            yield from _name_items(expected.variables, is_preferred=True)
            yield from _name_items(
                (*BUILTIN_NAMES, PLAYER) if expected.is_value else ()
            )
            for item in _things_of_sorts(self.things, expected.sorts):
                is_preferred = self._is_likely(item, text)
                yield attrs.evolve(item, is_preferred=is_preferred)
        elif expected.owner is not None:
            yield from self._items_of_owner(expected.sorts, expected.owner)
        else:
            if Sort.KIND in expected.sorts:
                yield from _name_items((PLAYER,))
            yield from _things_of_sorts(self.things, expected.sorts)

    def _part_items(self, expected: ExpectedName) -> Iterator[CompletionItem]:
        """Yield the parts of a value: those of its kind, or of all kinds."""
        kind = self._kind_of_owner(expected)
        if kind is None or self.book is None:
            owned = (it for it in self.things if it.owner)
            yield from _things_of_sorts(owned, PARTS, kind)
            return
        parts = dict.fromkeys(member_parts(self.book.model, kind))
        for thing in self.things:
            if thing.owner == kind and thing.sort in PARTS and thing.sort:
                parts.pop(thing.name, None)
                yield CompletionItem(thing.name, thing, is_preferred=True)
        yield from _name_items(parts, is_preferred=True)

    def _kind_of_owner(self, expected: ExpectedName) -> str | None:
        """Return the kind of the value before `'s`, or None if it is unknown."""
        if expected.owner_kind is not None:
            return expected.owner_kind
        if self.book is None or expected.owner is None:
            return None
        return self._kind_of(expected.owner)

    def _kind_of(self, name: str) -> str | None:
        """Return the kind of the value that a name means, or None if it is unknown."""
        if self.book is None:
            return None
        domains = self.book.model.domains
        if name in domains:
            return name
        for thing in self.things:
            if thing.name != name:
                continue
            if thing.sort is Sort.MEMBER and thing.owner in domains:
                return thing.owner
            kind = (type_of(self.book, thing) or "").partition(" ")[0]
            if kind in domains:
                return kind
        return None

    def _is_likely(self, item: CompletionItem, text: str) -> bool:
        """Return whether a thing is the most likely one after a text.

        After a comparison, these are members of the compared kind; where cards are
        moved, these are holders of cards.
        """
        thing, compared = item.thing, COMPARED.search(text)
        if thing is None or self.book is None:
            return False
        if compared is not None:
            return thing.owner is not None and thing.owner == self._kind_of(compared[1])
        moved = MOVED.search(text) is not None
        return moved and HOLDER.match(type_of(self.book, thing) or "") is not None

    def _items_of_owner(
        self, sorts: Collection[Sort], owner: str
    ) -> Iterator[CompletionItem]:
        """Yield the things of the sorts: of *owner* or, if it has none, of any."""
        fitting = [it for it in self.things if it.sort in sorts]
        own = [it for it in fitting if it.owner == owner]
        return _things_of_sorts(own or fitting, sorts)

    def _amendable_items(self, sort: str) -> Iterable[CompletionItem]:
        """Return items for the amendable clauses of a sort, or for all if unchecked."""
        if sort == "each":
            owners = {it.owner for it in self.things if it.sort is Sort.FIELD}
            return _keyword_items(sorted(owners - {"game"}))
        if self.book is None:
            return _things_of_sorts(self.things, AMENDED.get(sort, ()))
        below = (
            Address.parse(address)
            for address, clause in self.book.clauses.items()
            if clause.span.file != self.file
        )
        known = [it for it in below if it.sort == sort and not it.path]
        names = dict.fromkeys(f'"{it.name}"' if it.is_test else it.name for it in known)
        sorts = AMENDED.get(sort, ())
        by_name = {it.name: it for it in self.things if it.sort in sorts}
        return (CompletionItem(name, by_name.get(name)) for name in sorted(names))

    # ------------------------------------------------------------ texts

    def _path_items(self, expected: ExpectedName) -> Iterator[CompletionItem]:
        """Yield the names that may follow in the path of a text."""
        moments = None if self.book is None else Moments(self.book.model)
        if not expected.path:
            if moments is not None and not expected.is_title:
                assert expected.text_sort is not None
                yield from _name_items(sorted(moments.starts(expected.text_sort)))
            else:
                yield from _things_of_sorts(self.things, expected.sorts)
            return
        first = expected.path[0]
        if expected.is_title:
            owned = (it for it in self.things if it.owner == first)
            yield from _things_of_sorts(owned, (Sort.NEED, *PARTS, Sort.MEMBER))
        elif moments is not None:
            assert expected.text_sort is not None
            yield from _name_items(sorted(moments.parts(first, expected.text_sort)))

    def _gap_items(self, clause: str, line: str) -> Iterator[CompletionItem]:
        """Yield the names that fit in a gap of a text, if the line ends inside one."""
        match = GAP.search(line)
        sort = clause.split(maxsplit=1)[0] if clause.split() else ""
        if match is None or self.book is None:
            return
        moments = Moments(self.book.model)
        if before := TYPED.sub("", match["owner"]):
            if before.endswith(("'s ", f"{YOUR} ")):
                fields = (it for it in self.things if it.owner not in OF_THE_GAME)
                yield from _things_of_sorts(fields, (Sort.FIELD, Sort.COLUMN))
            else:
                yield from _things_of_sorts(self.things, (Sort.KIND, Sort.PIECE))
            return
        first = match["path"].partition(".")[0]
        parts = moments.parts(first, TextSort.QUESTIONS)
        yield from _name_items(sorted(parts), is_preferred=True)
        if sort in (TextSort.QUESTIONS, TextSort.REPORTS):
            yield from _name_items(sorted(moments.values - parts))
            yield from _name_items((YOUR,))


# ---------------------------------------------------------------- items


def _readable(text: str) -> str:
    """Return the text of a clause, or only its first and last line if it is wrong.

    A mistake in an earlier line hides the place from the parser.
    """
    head, *between, last = text.split("\n") if "\n" in text else (text, "")
    if not between or words_after(text) or name_after(text) is not None:
        return text  # the parser reads all of it
    return f"{head}\n  {last.strip()} " if last.strip() else f"{head}\n  "


def _keyword_items(words: Iterable[str]) -> Iterator[CompletionItem]:
    return (CompletionItem(word) for word in words)


def _name_items(
    names: Iterable[str], *, is_preferred: bool = False
) -> Iterator[CompletionItem]:
    """Return items for names without a declaration of their own."""
    return (
        CompletionItem(name, is_preferred=is_preferred, is_name=True) for name in names
    )


def _things_of_sorts(
    things: Iterable[Thing], sorts: Iterable[Sort], preferred: str | None = None
) -> Iterator[CompletionItem]:
    """Yield items for things; those whose owner is *preferred* are preferred."""
    for thing in things:
        if thing.sort in sorts and WORD.fullmatch(thing.name):
            is_preferred = preferred is not None and thing.owner == preferred
            yield CompletionItem(thing.name, thing, is_preferred)
