"""Localizer: titles and sentences from the rules, and phrases of the program.

The `words` of a rule file contain titles by name, in several languages. A name without
words is its own title. The program's phrases are in `workbench/languages/`.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any

import attrs

from rulebook import Rulebook
from rulebook.model import (
    NONE,
    Bag,
    DomainSort,
    Look,
    Member,
    Truth,
    Whole,
    is_constant,
)
from rulebook.tooling import effects_within
from workbench.defaults import LANGUAGE
from workbench.errors import RequestError
from workbench.presentation.localization.languages import (
    available_languages,
    fill_gaps,
    phrase_table,
)

PASS = "pass"
NO_VALUE = "–"
"""Text for a missing value."""
WRITTEN_TYPES = (Member, Truth, Whole)
_GAP = re.compile(r"\{\w+\}")
_ACTION = re.compile(r"(?P<name>\w+)(?:\((?P<arguments>.*)\))?")


@attrs.frozen
class Localizer:
    """Localizer for one language and one rulebook, or for phrases only (no book)."""

    language: str = LANGUAGE
    book: Rulebook | None = None

    @classmethod
    def for_book(
        cls, book: Rulebook | None, language: str | None = None
    ) -> "Localizer":
        """Return the localizer for a language, by default English.

        Raise `RequestError` if neither the rules nor the program have the language.
        """
        known = (
            available_languages()
            if book is None
            else available_languages() | book.words.keys()
        )
        if language is not None and language not in known:
            available = ", ".join(sorted(known))
            raise RequestError(
                f"language `{language}` is not available",
                f"available languages: {available}",
            )
        return cls(language or LANGUAGE, book)

    @property
    def words(self) -> Mapping[str, tuple[str, ...]]:
        """Titles in this language, by name: the singular, then the plural if any."""
        return {} if self.book is None else self.book.words.get(self.language, {})

    @property
    def reports(self) -> Mapping[str, tuple[str, ...]]:
        """Texts of events in this language, by dotted path."""
        return {} if self.book is None else self.book.reports.get(self.language, {})

    @property
    def questions(self) -> Mapping[str, tuple[str, ...]]:
        """Texts of decisions in this language, by dotted path."""
        return {} if self.book is None else self.book.questions.get(self.language, {})

    def phrase(self, key: str, **parts: Any) -> str:
        """Return a phrase of the program, with its gaps filled."""
        texts = {name: str(part) for name, part in parts.items()}
        return fill_gaps(phrase_table(self.language)[key], texts)

    def points_text(self, number: int | str, *, at_least: bool = False) -> str:
        """Return a number of points in words, optionally “at least” that number."""
        is_single = str(number).lstrip("+-") == "1"
        text = f"{number} {self.phrase('point' if is_single else 'points')}"
        return self.phrase("at_least", points=text) if at_least else text

    # ------------------------------------------------------------ names of things

    @property
    def heading(self) -> str:
        """Title of the rulebook."""
        assert self.book is not None
        return self.sentence(self.book.name, self.book.title)

    def sentence(self, name: str, default: str) -> str:
        """Return the title or sentence of a name in the rules, or *default*."""
        return self.words[name][0] if name in self.words else default

    def title(self, name: str) -> str:
        """Return the title of a name; for a link, the titles of its ends.

        The third text of a kind names each of its members by their columns. Otherwise,
        the title of a combined card consists of the titles of its parts, and that of a
        space on a player's own board of the seat and the coordinates.
        """
        if name in self.words:
            return self.words[name][0]
        if name in self.member_templates:
            return self._fill_columns(name, self.member_templates[name])
        if name in self.combined_parts:
            return " ".join(map(self.value, self.combined_parts[name]))
        seats = () if self.book is None else self.book.seats
        if any(name.startswith(f"{seat}_") for seat in seats):
            return " ".join(self.sentence(part, part) for part in name.split("_"))
        ends = name.split("-")
        if len(ends) > 1 and all(end.isidentifier() for end in ends):
            return "–".join(self.value(end) for end in ends)
        return name.replace("_", " ") if name.isidentifier() else name

    @cached_property
    def member_templates(self) -> Mapping[str, str]:
        """Texts with columns as gaps, by member, from the words of the kinds."""
        domains = {} if self.book is None else self.book.model.domains
        return {
            member: text
            for domain in domains.values()
            for text in self.words.get(domain.name, ())[2:]
            for member in domain.members
        }

    def _fill_columns(self, member: str, template: str, *, nested: bool = False) -> str:
        """Fill the gaps of a template with the columns of a member.

        Members in the columns have their own templates, but no further ones inside.
        """
        parts = {}
        for gap in set(_GAP.findall(template)):
            value = self.column_value(member, gap.strip("{}"))
            own = self.member_templates.get(value) if isinstance(value, str) else None
            if own is None or value in self.words:
                text = self.value_text(value)
            elif nested:
                text = value.replace("_", " ")
            else:
                text = self._fill_columns(value, own, nested=True)
            parts[gap.strip("{}")] = text
        return fill_gaps(template, parts)

    def value(self, name: str) -> str:
        """Return the title of a value: a card, a space, a seat or another member."""
        key = self.value_keys.get(name, name)
        return name.replace("_", " ") if key is None else self.title(key)

    def field(self, owner: str | None, name: str) -> str:
        """Return the title of a field of `player`, a kind, or the game (owner None)."""
        key = self.field_key(owner, name)
        return name.replace("_", " ") if key is None else self.title(key)

    def words_key(self, owner: str, name: str, others: Container[str]) -> str | None:
        """Return the key in `words` for a name that *owner* declares, or None.

        The key is `OWNER.NAME` if that has words, or else the name, unless its words
        belong to something else (*others*).
        """
        own = f"{owner}.{name}"
        if own in self.words:
            return own
        return None if name in others else name

    def field_key(self, owner: str | None, name: str) -> str | None:
        """Return the key of a field's words, or None if it has none."""
        is_state = (owner, name) in self.state_fields
        others = self.clauses | self.cards_and_kinds if is_state else self.clauses
        return self.words_key(owner or "game", name, others)

    @cached_property
    def state_fields(self) -> frozenset[tuple[str | None, str]]:
        """Owner (None: the game) and name of each field whose values are not dealt."""
        fields = {} if self.book is None else self.book.model.fields
        states = (field for field in fields.values() if not field.dealt)
        return frozenset((field.home, field.name) for field in states)

    @cached_property
    def value_keys(self) -> Mapping[str, str | None]:
        """Keys in `words` of values, by value, if they differ from the value.

        The key is None for a value without words.
        """
        keys: dict[str, str | None] = {}
        domains = {} if self.book is None else self.book.model.domains
        for domain in domains.values():
            for name in domain.members:
                key = self.words_key(domain.name, name, self.clauses)
                if key != name:
                    keys[name] = key
        return keys

    @cached_property
    def clauses(self) -> frozenset[str]:
        """Names of rules, actions and other clauses whose words are sentences."""
        if self.book is None:
            return frozenset()
        model = self.book.model
        options = *model.options, *model.defines
        return frozenset(
            (*model.rules, *model.actions, *model.procedures, *model.phases, *options)
        )

    @cached_property
    def cards_and_kinds(self) -> frozenset[str]:
        """Names of all cards, and of all members of kinds."""
        sorts = {DomainSort.KIND, DomainSort.CARDS}
        domains = {} if self.book is None else self.book.model.domains
        several = (each for each in domains.values() if each.sort in sorts)
        return frozenset(name for domain in several for name in domain.members)

    @cached_property
    def unique_cards(self) -> frozenset[str]:
        """Names of the cards that have no copies."""
        domains = {} if self.book is None else self.book.model.domains
        return frozenset(
            name
            for domain in domains.values()
            if domain.sort is DomainSort.CARDS
            and all(is_constant(count) and count.value == 1 for count in domain.copies)
            for name in domain.members
        )

    @cached_property
    def combined_parts(self) -> Mapping[str, Sequence[str]]:
        """Names of the parts of each combined card, by card."""
        parts_by_card: dict[str, tuple[str, ...]] = {}
        domains = {} if self.book is None else self.book.model.domains
        products = (
            product for product in domains.values() if product.sort is DomainSort.CARDS
        )
        for domain in products:
            columns: list[tuple[Any, ...]] = []
            for axis in domain.axes:
                values = domain.columns[axis.name].values
                if isinstance(axis.type, Member):
                    names = domains[axis.type.domain].members
                    values = tuple(names[value] for value in values)
                columns.append(values)
            for card, *parts in zip(domain.members, *columns, strict=True):
                parts_by_card[card] = tuple(map(str, parts))
        return {
            card: parts
            for card, parts in parts_by_card.items()
            if parts and parts != (card,) and parts[0].isidentifier()
        }

    def short_title(self, name: str) -> str:
        """Return the title of a name; the title of an action has no gaps."""
        return without_gaps(self.sentence(name, self.title(name)))

    def is_hanging(self, text: str) -> bool:
        """Return whether a text ends in a preposition."""
        words = phrase_table(self.language)["prepositions"].split()
        return text.rpartition(" ")[2] in words

    def plural(self, name: str, default: str) -> str:
        """Return the plural title of a name, or else the title of *default*."""
        return self.words[name][:2][-1] if name in self.words else self.title(default)

    def count_text(self, number: str, name: str) -> str:
        """Return a count and the title of a name, in the plural if necessary."""
        texts = self._texts(name)
        many = len(texts) > 1 and number.lstrip("+-") != "1"
        if not texts and number.lstrip("+-") not in ("", "1"):
            name = self._piece_plural(name)
        return f"{number} {texts[1] if many else self.value(name)}"

    def cards_text(self, number: int | str, kind: str) -> str:
        """Return a number of a kind, such as `up to 1 resource`, or else `2 cards`.

        The kind is in the singular after the number 1.
        """
        titles = self._texts(kind)[:2]
        declared = {} if self.book is None else self.book.model.domains
        if kind in declared and declared[kind].plural != kind:
            plural = declared[kind].plural.replace("_", " ")
            titles = titles if len(titles) > 1 else (self.value(kind), plural)
        if len(titles) < 2:
            titles = self.phrase("card"), self.phrase("cards")
        return f"{number} {titles[str(number).split()[-1] != '1']}"

    def _texts(self, name: str) -> tuple[str, ...]:
        """Return the singular and plural titles of a value; empty without words."""
        key = self.value_keys.get(name, name)
        return () if key is None else self.words.get(key, ())

    def _piece_plural(self, name: str) -> str:
        """Return the plural title of a piece."""
        pieces = {} if self.book is None else self.book.model.pieces
        return pieces[name].plural or name if name in pieces else name

    def value_text(self, value: Any) -> str:
        """Return any value in words: a name, a number, yes or no, cards, or a list."""
        match value:
            case None:
                return "?"
            case bool():
                return self.phrase("yes" if value else "no")
            case str() | int():
                return self.value(str(value))
            case Mapping():
                return self.holding_text(value)
            case _:
                return ", ".join(self.value_text(part) for part in value)

    def holding_text(self, holding: Mapping[str, Any]) -> str:
        """Return cards by name, or only their number if they are hidden."""
        if self.is_hidden(holding):
            text = ", ".join(self.stack_texts(holding.get("known", ())))
            return f"({holding['count']}: {text})" if text else f"({holding['count']})"
        return ", ".join(self.card_texts(holding)) or self.phrase("nothing")

    def is_hidden(self, holding: Mapping[str, Any]) -> bool:
        """Return whether a holding hides its cards, and contains only their number.

        An open bag contains all members of its kind, one of which may be `count`.
        """
        domains = {} if self.book is None else self.book.model.domains
        return "count" in holding and all(
            holding.keys() != set(domain.members) for domain in domains.values()
        )

    def card_texts(self, holding: Mapping[str, Any]) -> Iterator[str]:
        """Yield texts such as `2 coins`; cards with the same title are added up."""
        counts: dict[tuple[str, ...], list[Any]] = {}
        for name, number in holding.items():
            if is_worth_showing(number):
                titles = self._texts(name) or (self.value(name),)
                counts.setdefault(tuple(titles), [name]).append(number)
        for name, *numbers in counts.values():
            whole = all(type(count) is int for count in numbers)
            for number in [sum(numbers)] if whole else numbers:
                yield self.count_text(self.value_text(number), name)

    def printed_columns(self, card: str) -> Iterator[tuple[str, Any]]:
        """Yield the names and values of a card's columns.

        Coordinates of combined cards, columns without a value, 0 and no are left out.
        """
        domains = {} if self.book is None else self.book.model.domains
        for domain in domains.values():
            if domain.sort is DomainSort.CARDS and card in domain.members:
                axes = {axis.name for axis in domain.axes}
                for column in [name for name in domain.columns if name not in axes]:
                    value = self.column_value(card, column)
                    if any(value.values()) if isinstance(value, Mapping) else value:
                        yield column, value

    def face_title(self, card: str) -> str:
        """Return the title on the face of a card, which shows the columns as well.

        It is the title of the kind if that names its cards by printed columns.
        """
        gaps = _GAP.findall(self.member_templates.get(card, ""))
        columns = {f"{{{name}}}" for name, _ in self.printed_columns(card)}
        if card in self.words or not columns.intersection(gaps):
            return self.value(card)
        domains = {} if self.book is None else self.book.model.domains
        return next(self.title(d.name) for d in domains.values() if card in d.members)

    def column_value(self, member: str, column: str) -> Any:
        """Return a column's value for a member: a name, a number, yes or no, or cards.

        Return None if the member has no such column, or no value in it. The boards of
        all players have the same values.
        """
        domains = {} if self.book is None else self.book.model.domains
        for domain in domains.values():
            if column not in domain.columns or member not in domain.members:
                continue
            kind, values = domain.columns[column].type, domain.columns[column].values
            value = values[domain.members.index(member) % len(values)]
            match kind:
                case Bag():
                    names = domains[kind.domain].members
                    return dict(zip(names, value, strict=True))
                case Member():
                    return (
                        None if value == NONE else domains[kind.domain].members[value]
                    )
                case Truth():
                    return bool(value)
                case _:
                    return value
        return None

    def value_with_kind(self, name: str, value: str) -> str:
        """Return a kind and a value as words, such as `page 7`, without repetition."""
        called, title = self.title(name), self.value(value)
        return title if title.startswith(called) else f"{called} {title}"

    def stack_texts(self, cards: Sequence[str | None]) -> Iterator[str]:
        """Yield the cards of a stack from the top; `2 ?` means two unknown cards."""
        for card, run in groupby(cards):
            count = len(list(run))
            if card is None:
                yield f"{count} ?"
            else:
                yield from [self.value(card)] * count

    def list_text(self, values: Iterable[str], conjunction: str = "and") -> str:
        """Return texts as a list in words: `a, b and c`."""
        *first, last = list(values) or [""]
        return (
            f"{', '.join(first)} {self.phrase(conjunction)} {last}" if first else last
        )

    @cached_property
    def summed_rolls(self) -> frozenset[str]:
        """Names of the dice rolls whose total matters, according to `hint pips`."""
        if self.book is None:
            return frozenset()
        model = self.book.model
        hints = (hint for hint in model.hints if hint.word == Look.PIPS)
        added = [{die.strip() for die in hint.text.split("+")} for hint in hints]
        rolls = effects_within(model.procedures, model.actions)
        events = (roll.event for roll in rolls if set(roll.dice) in added)
        return frozenset(event for event in events if event is not None)

    def outcome(self, event: str, value: Any) -> str:
        """Return a chance event's outcome in words, with the total of added dice."""
        if event in self.summed_rolls and isinstance(value, list | tuple) and value[1:]:
            return f"{' + '.join(map(self.value_text, value))} = {sum(value)}"
        return self.value_text(value)

    # ------------------------------------------------------------ announcements

    def announcement(self, event: Mapping[str, Any]) -> str:
        """Return the sentence of an announcement event, with its gaps filled."""
        values = {
            name: NO_VALUE if value is None else self.value(str(value))
            for name, value in event["values"].items()
        }
        return fill_gaps(self.translate(event["announced"]), values)

    def translate(self, text: str) -> str:
        """Return a sentence of the rules in this language, with unfilled gaps."""
        return self.sentence(f'"{text}"', text)

    # ------------------------------------------------------------ actions

    def action(self, text: str) -> str:
        """Return the action *text*, such as `move(a)`, in the words of the rules."""
        match = _ACTION.fullmatch(text)
        if match is None:
            return text
        name, given = match["name"], match["arguments"]
        arguments = [
            self.value(argument.strip()) for argument in (given or "").split(",")
        ]
        if name == PASS and name not in self.words:
            return self.phrase("pass")
        if name not in self.words:
            title = self.title(name)
            return f"{title}: {', '.join(arguments)}" if given else title
        pairs = zip(self.parameter_names(name), arguments, strict=False)
        return fill_gaps(self.words[name][0], dict(pairs))

    def parameter_names(self, name: str) -> tuple[str, ...]:
        """Return the names of the parameters of an action that action texts contain."""
        if self.book is None or name not in self.book.model.actions:
            return ()
        parameters = self.book.model.actions[name].parameters
        return tuple(
            parameter.name
            for parameter in parameters
            if isinstance(parameter.type, WRITTEN_TYPES)
        )


def without_gaps(sentence: str) -> str:
    """Replace the gaps in a sentence with `…`, and remove those at its end."""
    return _GAP.sub("…", sentence).rstrip("… :,(")


def is_worth_showing(value: Any) -> bool:
    """Return whether a value, or any value in a mapping, is neither empty nor zero."""
    if isinstance(value, Mapping):
        return any(is_worth_showing(part) for part in value.values())
    return bool(value)
