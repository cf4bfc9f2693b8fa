"""Titles for the printed rulebook, linked to the sections that explain them.

Titles come from the words of the rules. A name without words is its own title.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import attrs

from rulebook import Address, Rulebook
from rulebook.model import (
    NONE,
    Bag,
    Define,
    Field,
    LabelledBlock,
    Member,
    Model,
    Option,
    SetOf,
    Stack,
    Truth,
    Type,
    Whole,
)
from rulebook.tooling import walk
from workbench.defaults import LANGUAGE
from workbench.presentation.localization.localizer import Localizer
from workbench.presentation.printing.sentences.definition_shapes import (
    DefinitionShape,
    shape_of,
)
from workbench.presentation.printing.sentences.template_tables import (
    PHRASES,
    PREPOSITIONS,
    SENTENCES,
    templates,
)
from workbench.presentation.printing.sentences.text_runs import (
    Style,
    Text,
    fill_template,
    join_texts,
    link_text,
    plain_text,
)

_GAP = re.compile(r"\{(\w+)\}")
_TAIL = re.compile(r"\s*:\s*\{\w+\}\s*$")
_ASIDE = re.compile(r"(?P<said>(?:\([^()]*\)|[^:;(])*)\s*[:;(].*", re.DOTALL)


@attrs.frozen(slots=False)
class Titles:
    """Titles of the names in one rulebook, in one language."""

    book: Rulebook
    localizer: Localizer
    with_defaults: bool = True
    """True if each mention of an option includes its default."""

    @property
    def model(self) -> Model:
        """Model of the rulebook."""
        return self.book.model

    @property
    def language(self) -> str:
        """Language code of the page."""
        return self.localizer.language

    def phrase(self, key: str, **parts: Text | str) -> Text:
        """Return a phrase of the printed page, with its gaps filled."""
        return self._filled_template(PHRASES, key, parts)

    def sentence(self, key: str, parts: Mapping[str, Text | str]) -> Text:
        """Return a sentence template with its gaps filled."""
        return self._filled_template(SENTENCES, key, parts)

    def template_gaps(self, key: str) -> list[str]:
        """Return the names of the gaps in a sentence template."""
        return _GAP.findall(templates(self.language, SENTENCES)[key])

    def _filled_template(
        self, section: str, key: str, parts: Mapping[str, Text | str]
    ) -> Text:
        texts = {
            name: plain_text(part) if isinstance(part, str) else part
            for name, part in parts.items()
        }
        return fill_template(templates(self.language, section)[key], texts)

    # ------------------------------------------------------------ titles

    def title(self, name: str) -> str:
        """Return the title of a name, or the plural title if the name is a plural."""
        if name in self.localizer.words:
            return self.localizer.short_title(name)
        if name in self.singulars:
            single = self.singulars[name]
            if single in self.localizer.words or single in self.player_words:
                return self.plural_title(single)
        return self.player_words.get(name) or self.localizer.short_title(name)

    def heading(self, name: str) -> str:
        """Return a title with an initial capital."""
        title = self.title(name)
        return title[:1].upper() + title[1:]

    def plural_title(self, name: str) -> str:
        """Return the plural title of a name."""
        words = self.localizer.words.get(name, ())
        if len(words) > 1:
            return words[1]
        if name in self.player_words:
            return self.player_words.get(f"{name}s", self.player_words[name])
        if words:
            return self.localizer.short_title(name)
        return self.localizer.title(self.plurals.get(name, name))

    @cached_property
    def player_words(self) -> Mapping[str, str]:
        """Words for players and teams in the page's language."""
        names = ("player", "players", "team", "teams")
        own = templates(self.language, PHRASES)
        return {name: own[name] for name in names}

    @cached_property
    def plurals(self) -> Mapping[str, str]:
        """Plural names of kinds and pieces in the rules, by their singulars."""
        model = self.model
        things: Iterable[Any] = (*model.domains.values(), *model.pieces.values())
        return {thing.name: thing.plural for thing in things if thing.plural}

    @cached_property
    def singulars(self) -> Mapping[str, str]:
        """Singular names of kinds and pieces, by their plurals."""
        return {plural: name for name, plural in self.plurals.items() if plural != name}

    def member_title(self, domain: str, name: str, *, plural: bool = False) -> str:
        """Return the title of a domain's member, or its plural title with *plural*."""
        key = self.localizer.words_key(domain, name, self.localizer.clauses)
        if key is None:
            return (self.plurals.get(name, name) if plural else name).replace("_", " ")
        return self.plural_title(key) if plural else self.localizer.title(key)

    def member(self, domain: str, index: int) -> str:
        """Return the title of a domain's member by its index."""
        return self.member_title(domain, self.model.domains[domain].members[index])

    def count_text(self, number: int, domain: str, name: str) -> str:
        """Return a count and the title of a member, such as `2 coins`."""
        key = self.localizer.words_key(domain, name, self.localizer.clauses)
        has_plural = key in self.localizer.words or name in self.plurals
        several = number != 1 and has_plural
        return f"{number} {self.member_title(domain, name, plural=several)}"

    def field_title(self, field: Field) -> str:
        """Return the title of a field, without the title of the piece that has it."""
        if field.piece is not None:
            return field.written_name.replace("_", " ")
        key = self.localizer.field_key(field.home, field.name)
        return field.name.replace("_", " ") if key is None else self.title(key)

    def reason(self, action: str, label: str, default: str) -> str:
        """Return a requirement's sentence in the page's language, or *default*."""
        name = f"{action}.{label}"
        return self.localizer.sentence(name, default)

    def styled_field_title(self, field: str) -> Text:
        """Return the title of a field, in the style for names."""
        return plain_text(self.field_title(self.model.fields[field]), Style.NAME)

    def word(self, name: str, place: str = "") -> Text:
        """Return the linked title of a name, in the style for names if untranslated."""
        title = self.title(name)
        if title == name.replace("_", " "):
            return self._untranslated(name, place)
        return plain_text(title, place=place)

    def _untranslated(self, name: str, place: str) -> Text:
        """Return a name without words as a linked text; only English can inflect it."""
        style = Style.PLAIN if self.language == LANGUAGE else Style.NAME
        return plain_text(name.replace("_", " "), style, place)

    # ------------------------------------------------------------ values

    def value(self, type: Type, value: Any) -> Text:
        """Return a constant of a type in words."""
        match type:
            case Truth():
                return self.sentence(f"value.{'yes' if value else 'no'}", {})
            case Member(domain=domain) if value == NONE:
                nobody = "nobody" if domain == "player" else "none"
                return self.sentence(f"value.{nobody}", {})
            case Member(domain=domain):
                return plain_text(self.member(domain, value))
            case Whole(optional=True) if value == NONE:
                return self.sentence("value.unlimited", {})
            case Bag(domain=domain):
                return self.cards(domain, value)
            case SetOf(domain=domain) if value:
                return self._listed_members(domain, value)
            case SetOf() | Stack():
                return self.sentence("value.empty", {})
            case _ if value == NONE and not isinstance(type, Whole):
                return self.sentence("value.none", {})
            case _:
                return plain_text(str(value))

    def _listed_members(self, domain: str | None, values: tuple[int, ...]) -> Text:
        texts = (
            plain_text(str(value) if domain is None else self.member(domain, value))
            for value in values
        )
        return self.list_text(texts)

    def cards(self, domain: str, counts: tuple[int, ...]) -> Text:
        """Return the cards of a constant bag, with their counts."""
        members = self.model.domains[domain].members
        texts = [
            plain_text(self.count_text(count, domain, name))
            for name, count in zip(members, counts, strict=True)
            if count
        ]
        return self.list_text(texts) if texts else self.sentence("value.empty", {})

    def list_text(self, texts: Iterable[Text], conjunction: str = "and") -> Text:
        """Return texts as a list: `a, b and c`."""
        own = templates(self.language, SENTENCES)
        return join_texts(texts, own["join.list"], own[f"join.{conjunction}"])

    def sequence_text(self, texts: Iterable[Text], key: str = "join.then") -> Text:
        """Return texts as a sequence: `a, then b`, joined by a template."""
        return join_texts(texts, templates(self.language, SENTENCES)[key])

    def is_dealt(self, field: Field) -> bool:
        """Return whether a field's number is dealt, so that some owners may lack it."""
        return field.dealt and isinstance(field.type, Whole) and field.type.low == NONE

    def dealt_type(self, field: Field) -> Whole:
        """Return the type of a dealt number, with the range of all dealt numbers."""
        assert isinstance(field.type, Whole)
        domains = self.model.domains.values()
        columns = [
            own.columns[field.name] for own in domains if field.name in own.columns
        ]
        numbers = [n for column in columns for n in column.values if n != NONE]
        return Whole(min(numbers, default=0), field.type.high, optional=True)

    # ------------------------------------------------------------ options

    def option_title(self, name: str) -> str:
        """Return the help of a yes/no option, or another's title, without asides."""
        option = self.model.options[name]
        help = self.localizer.sentence(name, option.help)
        has_help = isinstance(option.type, Truth) and bool(help)
        return _ASIDE.sub(r"\g<said>", help if has_help else self.title(name)).strip()

    def default_text(self, option: Option) -> Text:
        """Return the default of an option in words; empty if it depends on the game."""
        (value, condition), *others = option.default
        known = getattr(value, "value", None)
        if others or condition is not None or known in {None, NONE}:
            return ()
        if not self.with_defaults:
            return ()
        return self.value(option.type, known)

    # ------------------------------------------------------------ actions

    def action(self, name: str, arguments: Mapping[str, Text] | None = None) -> Text:
        """Return the sentence of an action with the given arguments, as a link.

        A gap after a colon is removed if its argument is not given.
        """
        place = f"action.{name}"
        sentence = self._action_sentence(name)
        if sentence is None:
            return plain_text(self.localizer.short_title(name), place=place)
        own = arguments or {}
        if any(gap not in own for gap in _GAP.findall(sentence)):
            sentence = _TAIL.sub("", sentence)
        texts = {
            gap: own.get(gap) or self.name_text(gap) for gap in _GAP.findall(sentence)
        }
        return link_text(fill_template(sentence, texts), place)

    def _action_sentence(self, name: str) -> str | None:
        words = self.localizer.words.get(name)
        return words[0] if words else None

    def sentence_parameters(self, action: str) -> frozenset[str]:
        """Return the parameters that appear in the sentence of an action."""
        return frozenset(_GAP.findall(self._action_sentence(action) or ""))

    def parameter_names(self, action: str) -> tuple[str, ...]:
        """Return the names of an action's parameters."""
        known = self.model.actions.get(action)
        return tuple(each.name for each in known.parameters) if known else ()

    # ------------------------------------------------------------ definitions

    def definition(self, define: Define) -> DefinitionShape:
        """Return the sentence shape of a definition."""
        name = Address.parse(define.name).short.sort
        words = None if name in self.step_names else self.localizer.words.get(name)
        return shape_of(define, words[0] if words else None, name)

    def defined_word(self, define: Define, place: str) -> Text:
        """Return the title of a definition's word, linked to *place*."""
        name = Address.parse(define.name).short.sort
        if name in self.step_names:
            return self._untranslated(name, place)
        return self.word(name, place)

    @cached_property
    def step_names(self) -> frozenset[str]:
        """Names of the steps that have words.

        A step shares its name with any definition, but the words are the step's.
        """
        model = self.model
        units = (model.procedures, model.actions)
        steps = (x for x in walk(units) if isinstance(x, LabelledBlock))
        return frozenset(x.label for x in steps) & self.localizer.words.keys()

    def preposition(self, word: str) -> str:
        """Translate a preposition between subject and object of a definition."""
        own = templates(self.language, PREPOSITIONS)
        return own.get(word, word)

    def local_name(self, name: str, type: Type) -> Text:
        """Return the name of a parameter or local value in words."""
        domain = getattr(type, "domain", None)
        if domain == name and isinstance(type, Member):
            title = self.title(name)
            is_player = title == self.player_words.get(name)
            key = "parameter.player" if is_player else "parameter.kind"
            return self.sentence(key, {"name": title})
        return self.name_text(name)

    def name_text(self, name: str) -> Text:
        """Return a choice or local value's words, or its name if they have gaps."""
        own = self.localizer.words.get(name, (name,))[0]
        return plain_text(
            name.replace("_", " ") if _GAP.search(own) else own, Style.NAME
        )
