"""Parser for a player's input: a list number, an action or a selection.

A selection such as `give 2 a, 1 b` means `give(a)`, `give(a)` and `give(b)` in
sequence. Names may be in the reader's language, and abbreviated if unambiguous.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import attrs

from interpreter import Action
from rulebook import Rulebook
from rulebook.model import DomainSort, Member, Type
from rulebook.tooling import nearest
from workbench.errors import RequestError
from workbench.presentation.console.ascii import ascii_text
from workbench.presentation.localization.localizer import Localizer, without_gaps

_PART = re.compile(r"(?:(?P<count>\d{1,3})\s+)?(?P<thing>\S.*)")
_SPACE = re.compile(r"(?P<kind>\w+)\(\s*(?P<numbers>-?\d+(?:\s*,\s*-?\d+)*)\s*\)")
_CALL = re.compile(r"(?P<name>[^()]+)\((?P<rest>.*)\)")


def action_texts(
    line: str,
    legal: Sequence[Action],
    localizer: Localizer | None = None,
    short_names: Mapping[str, str] | None = None,
) -> tuple[str, ...]:
    """Return the texts of the actions that a typed line selects; usually one.

    `short_names` contains short names of spaces, by name. A line that matches no legal
    action is returned unchanged, so that the rules can explain it. Raise `RequestError`
    if the line is ambiguous.
    """
    if line.isdecimal() and 1 <= int(line) <= len(legal):
        return (legal[int(line) - 1].text,)
    if any(action.text == line for action in legal):
        return (line,)
    titles = localizer or Localizer()
    for action in legal:
        if normalize(titles.action(action.text)) == normalize(line):
            return (action.text,)
    return _LineParser(legal, localizer or Localizer(), short_names or {}).parse(line)


def probable_action(
    line: str, book: Rulebook, localizer: Localizer, short_names: Mapping[str, str]
) -> str:
    """Return the probable action text of a line that matches no legal action."""
    actions = book.model.actions
    called = {name: action_names(name, localizer) for name in actions}
    pieces = re.split(r"[\s(),]+", line.strip("() "))
    for count in range(len(pieces), 0, -1):
        name = find_by_name(" ".join(pieces[:count]).rstrip(":"), called, localizer)
        if name is None:
            continue
        typed = pieces[count:]
        kinds = [parameter.type for parameter in actions[name].parameters]
        if len(kinds) != len(typed):
            break
        things = (
            _find_member(piece, kind, book, localizer, short_names)
            for piece, kind in zip(typed, kinds, strict=True)
        )
        return f"{name}({', '.join(things)})" if typed else name
    return line


def _find_member(
    typed_text: str,
    kind: Type,
    book: Rulebook,
    localizer: Localizer,
    short_names: Mapping[str, str],
) -> str:
    """Return the member of a type with this name, or the typed text."""
    if not isinstance(kind, Member):
        return typed_text
    called = {
        name: typed_names(name, localizer, short_names)
        for name in book.model.domains[kind.domain].members
    }
    return find_by_name(typed_text, called, localizer) or _link_name(
        typed_text, book, localizer, short_names
    )


def _link_name(
    typed_text: str,
    book: Rulebook,
    localizer: Localizer,
    short_names: Mapping[str, str],
) -> str:
    """Return the name of a link between two named spaces, or the typed text."""
    sorts = (DomainSort.SPACE, DomainSort.CORNER)
    spaces = [d for d in book.model.domains.values() if d.sort in sorts]
    called = {
        name: typed_names(name, localizer, short_names)
        for domain in spaces
        for name in domain.members
    }
    ends = [
        find_by_name(end, called, localizer) for end in re.split("[-–]", typed_text)
    ]
    return "-".join(filter(None, ends)) if len(ends) == 2 and all(ends) else typed_text


def name_coordinates(line: str, book: Rulebook) -> str:
    """Replace coordinates in a line with space names: `cell(2, 3)` with `cell_2_3`."""

    def space_name(call: re.Match[str]) -> str:
        if call["kind"] not in book.model.domains:
            return call[0]
        return "_".join((call["kind"], *re.findall(r"-?\d+", call["numbers"])))

    return _SPACE.sub(space_name, line)


def suggest_command(
    line: str, book: Rulebook, localizer: Localizer, others: Iterable[str] = ()
) -> str | None:
    """Suggest a correction of a line that does not start with the name of an action.

    `others` are further words with which a line may start.
    """
    pieces = re.split(r"[\s(]+", line.strip())
    names_of_actions = [
        call for name in book.model.actions for call in action_names(name, localizer)
    ]
    names = {normalize(phrase): phrase for phrase in (*others, *names_of_actions)}
    for count in range(len(pieces), 0, -1):
        near = nearest(normalize(" ".join(pieces[:count])), names)
        if near is not None:
            rest = " ".join(pieces[count:]).rstrip(")")
            text = f"{names[near]} {rest}".strip()
            return None if normalize(text) == normalize(line) else text
    wanted = normalize(pieces[0])
    similar = [
        name
        for name in book.model.actions
        if any(
            wanted in re.split(r"[\s_]+", normalize(c))
            for c in action_names(name, localizer)
        )
    ]
    return None if wanted in similar else localizer.list_text(similar[:3], "or") or None


@attrs.frozen
class _LineParser:
    """Parser for typed lines, with the legal actions and the names of spaces."""

    legal: Sequence[Action]
    localizer: Localizer
    short_names: Mapping[str, str]

    def parse(self, line: str) -> tuple[str, ...]:
        """Return the texts of the actions that a line selects."""
        for name, rest in self._split(line):
            actions = [action for action in self.legal if action.name == name]
            if not rest:
                return (actions[0].text,) if len(actions) == 1 else (line,)
            selected = self._selected_actions(actions, rest)
            if selected is not None:
                return selected
        selected = self._selected_actions(
            [action for action in self.legal if action.arguments], line
        )
        return (line,) if selected is None else selected

    def _split(self, line: str) -> Iterator[tuple[str, str]]:
        """Yield possible action names with the rest of the line, longest name first."""
        call = _CALL.fullmatch(line)
        if call is not None:
            name = self._find_action(call["name"].strip())
            if name is not None:
                yield name, call["rest"].strip()
            return
        pieces = line.split()
        for count in range(len(pieces), 0, -1):
            name = self._find_action(" ".join(pieces[:count]).rstrip(":"))
            if name is not None:
                yield name, " ".join(pieces[count:])

    def _find_action(self, typed_text: str) -> str | None:
        """Return the legal action with this name or abbreviation, or None."""
        called = {
            action.name: action_names(action.name, self.localizer)
            for action in self.legal
        }
        return find_by_name(typed_text, called, self.localizer)

    def _selected_actions(
        self, actions: Sequence[Action], rest: str
    ) -> tuple[str, ...] | None:
        """Return the texts of the actions that the arguments *rest* select, or None."""
        parts = [part.strip() for part in rest.split(",")]
        several = [candidate for candidate in actions if len(candidate.arguments) > 1]
        for pieces in (parts, rest.replace(",", " ").split()):
            fitting = [
                candidate
                for candidate in several
                if len(candidate.arguments) == len(pieces)
            ]
            action = self._matching_action(fitting, pieces)
            if action is not None:
                return (action.text,)
        chosen: list[Action] = []
        for part in parts:
            match = _PART.fullmatch(part)
            if match is None:
                return None
            single = [
                candidate for candidate in actions if len(candidate.arguments) == 1
            ]
            action = self._matching_action(single, [match["thing"]])
            if action is None:
                return None
            chosen += [action] * int(match["count"] or 1)
        chosen.sort(key=self.legal.index)
        return tuple(candidate.text for candidate in chosen)

    def _matching_action(
        self, actions: Sequence[Action], arguments: Sequence[str]
    ) -> Action | None:
        """Return the only action with these arguments, or None if not exactly one."""
        left = list(actions)
        for place, piece in enumerate(arguments):
            called = {
                str(action.arguments[place]): self._argument_names(
                    action.arguments[place]
                )
                for action in left
            }
            name = find_by_name(piece, called, self.localizer)
            left = [action for action in left if str(action.arguments[place]) == name]
        return left[0] if len(left) == 1 else None

    def _argument_names(self, argument: object) -> tuple[str, ...]:
        """Return the names that a player may type for an argument."""
        title = self.localizer.value_text(argument)
        return (title, *typed_names(str(argument), self.localizer, self.short_names))


def typed_names(
    name: str, localizer: Localizer, short_names: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the names that a player may type for *name*; link ends in any order."""
    names = (name, localizer.value(name), short_names.get(name, name))
    ends = name.split("-")
    if len(ends) != 2:
        return names
    first, second = (
        (end, localizer.value(end), short_names.get(end, end)) for end in ends
    )
    pairs = [(a, b) for a in first for b in second]
    both = [*pairs, *((b, a) for a, b in pairs)]
    return (*names, *(f"{a}-{b}" for a, b in both))


def action_title(name: str, localizer: Localizer) -> str:
    """Return the title of an action without its arguments."""
    return without_gaps(localizer.sentence(name, name))


def action_names(name: str, localizer: Localizer) -> tuple[str, ...]:
    """Return an action's name, its title, and its title without a leading gap."""
    title = action_title(name, localizer)
    return name, title, title.lstrip("… ")


@lru_cache(4096)
def normalize(text: str) -> str:
    """Return text normalized for comparison: without case and accents."""
    return ascii_text(text).casefold()


def find_by_name(
    typed_text: str, names_by_thing: Mapping[str, Sequence[str]], localizer: Localizer
) -> str | None:
    """Return the key with the typed name, or the only one whose name starts with it.

    Return None if there is none. Raise `RequestError` if several names start with it.
    """
    wanted = normalize(typed_text)
    exact = [
        name
        for name, names in names_by_thing.items()
        if any(normalize(title) == wanted for title in names)
    ]
    if len(exact) == 1:
        return exact[0]
    matches = [
        name
        for name, names in names_by_thing.items()
        if any(_matches_start(normalize(title), wanted) for title in names)
    ]
    if len(matches) > 1:
        at_word = [
            key for key in matches if _is_word_prefix(names_by_thing[key], wanted)
        ]
        matches = at_word if len(at_word) == 1 else matches
    if len(matches) > 1:
        titles = [without_gaps(localizer.title(key)) for key in matches[:5]]
        choices = localizer.list_text(titles, "or")
        raise RequestError(
            localizer.phrase("ambiguous", text=typed_text, choices=choices)
        )
    return matches[0] if matches else None


def _is_word_prefix(names: Sequence[str], typed_text: str) -> bool:
    """Return whether the typed text consists of the first whole words of a name."""
    return any(f"{normalize(name)} ".startswith(f"{typed_text} ") for name in names)


def _matches_start(name: str, typed_text: str) -> bool:
    """Return whether a name starts with the typed text; links match end by end."""
    ends, typed = name.split("-"), typed_text.split("-")
    if len(ends) == len(typed) == 2:
        return all(
            bool(begin) and end.startswith(begin)
            for end, begin in zip(ends, typed, strict=True)
        )
    return name.startswith(typed_text)
