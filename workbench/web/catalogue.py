"""What the lobby offers: games, the house rules that go with each, options and bots."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import PurePosixPath
from typing import Any

import attrs

import variants
from interpreter import UsageError, options_of
from rulebook import Rulebook, RulesError, visible
from rulebook.model import Whole
from workbench.defaults import BOTS
from workbench.errors import Refused
from workbench.files.library.loading import ENDING, load
from workbench.presentation.localization.localizer import Wording
from workbench.web.responses import Form
from workbench.web.sessions import Denied
from workbench.web.storage.seats import PERSON
from workbench.web.views.phrases import languages

WRONG = 400
OPTION = "option."
"""How the fields of options begin."""
UNSAID = ""
"""What is sent for an option that is left as the rules have it."""
TRUTHS = {"yes": True, "no": False}
NONE = "none"
SHOWN = 40
"""So much is said of what is no option, or no value of one."""
JOINT, SPACED = "+", " + "
BOOKS = 8
"""So many books are at hand for those who choose options."""


@attrs.frozen
class TableRequest:
    """A table as it is wished for."""

    variant: str
    options: dict[str, Any]
    seats: dict[str, str]


@attrs.frozen
class GameDescription:
    """What the lobby says of a game: its titles by language, what it is laid over."""

    titles: Mapping[str, str]
    over: tuple[str, ...]


@lru_cache(maxsize=BOOKS)
def book_of(variant: str) -> Rulebook:
    """The book of a variant that is offered."""
    return load(variant)


@cache
def known(name: str) -> GameDescription:
    """A game or house rule in short; its book is not kept at hand."""
    book = load(name)
    titles = {spoken: Wording(spoken, book).heading for spoken in languages()}
    return GameDescription(titles, book.over)


def prepare(is_ended: Callable[[], bool]) -> None:
    """Read what the lobby lists, so that nobody waits for it there."""
    for name in (*variants.names(), *variants.house_rules()):
        if is_ended():
            return
        known(name)


def label_of(variant: str) -> str:
    """What a variant is called in pages: of files the names, not where they lie."""
    parts = [part.replace("\\", "/") for part in variant.split(JOINT)]
    return JOINT.join(PurePosixPath(part).name.removesuffix(ENDING) for part in parts)


def games(named: Sequence[str], language: str) -> list[dict[str, str]]:
    """The games that may be chosen: those that who serves has named, then the shipped.

    One that is not right is left out: who wrote it hears of it in the workshop.
    """
    shown = []
    for name in dict.fromkeys((*named, *variants.names())):
        label = label_of(name)
        try:
            title = known(name).titles[language]
            same = title == label.replace(JOINT, SPACED)
            shown.append({"name": label, "title": "" if same else title})
        except (RulesError, Refused, OSError):
            continue
    return shown


def house_rules(game: str, language: str) -> list[dict[str, str]]:
    """The shipped house rules that may be laid over a game."""
    return [
        {"name": name, "title": known(name).titles[language]}
        for name in variants.house_rules()
        if game in known(name).over
    ]


def options(book: Rulebook, language: str) -> list[dict[str, Any]]:
    """The options of a game, and how each is where nobody chooses."""
    usual, words = options_of(book), Wording(language, book)
    return [
        {
            "name": name,
            "field": OPTION + name,
            "help": words.sentence(name, option.help),
            "usual": usual[name],
            "low": option.type.low if isinstance(option.type, Whole) else None,
            "high": option.type.high if isinstance(option.type, Whole) else None,
        }
        for name, option in book.options.items()
    ]


def joined(game: str, rules: Iterable[str], named: Sequence[str]) -> str:
    """A game with house rules as one name. Raises `Denied` for what is not offered."""
    chosen = list(dict.fromkeys(rules))
    offered = {label_of(name): name for name in (*variants.names(), *named)}
    if game not in offered:
        raise Denied(WRONG, "no_game")
    if not set(chosen) <= set(variants.house_rules()):
        raise Denied(WRONG, "no_game")
    return JOINT.join([offered[game], *chosen])


def bots(named: Iterable[str]) -> tuple[str, ...]:
    """The bots that may be chosen: the shipped, and those of who serves."""
    return tuple(dict.fromkeys((*BOTS, *named)))


def wish_of(form: Form, named: Sequence[str], bots: Sequence[str]) -> TableRequest:
    """What a form asks for. Raises `Denied` where that is not offered."""
    variant = joined(form.get("game"), form.all("rule"), named)
    book = book_of(variant)
    players = form.whole("players") or book.players[1]
    if not book.players[0] <= players <= book.players[1]:
        raise Denied(WRONG, "no_players", least=book.players[0], most=book.players[1])
    given = {
        field.removeprefix(OPTION): _option(book, field, values[0])
        for field, values in form.fields.items()
        if field.startswith(OPTION) and values[0].strip() != UNSAID
    }
    bot, sitting = form.get("bot", bots[0]), form.whole("bots") or 0
    if bot not in bots:
        raise Denied(WRONG, "no_bot", bot=bot)
    if sitting > players:
        raise Denied(WRONG, "many_bots", bots=sitting, players=players)
    seats = dict.fromkeys(book.seats[:players], PERSON)
    seats |= dict.fromkeys(book.seats[players - sitting : players], bot)
    return TableRequest(variant, given, seats)


def _option(book: Rulebook, field: str, text: str) -> int | bool | str | None:
    """The value of an option. Raises `Denied` where the game does not have it so."""
    name, value = field.removeprefix(OPTION), _value(text)
    try:
        options_of(book, options={name: value})
    except UsageError:
        shown = {"option": name.replace("_", " "), "value": text.strip()}
        gaps = {gap: visible(said)[:SHOWN] for gap, said in shown.items()}
        raise Denied(WRONG, "no_option", **gaps) from None
    return value


def _value(text: str) -> int | bool | str | None:
    """The value of an option as it is sent."""
    text = text.strip()
    if text == NONE:
        return None
    if text in TRUTHS:
        return TRUTHS[text]
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text
