"""Catalogue of the lobby: available games with their house rules, options and bots."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import PurePosixPath
from typing import Any

import attrs

import variants
from interpreter import UsageError, options_of
from rulebook import Rulebook, RulesError, printable_line
from rulebook.model import Whole
from workbench.defaults import BOTS
from workbench.errors import RequestError
from workbench.files.library.loading import ENDING, load
from workbench.presentation.localization.localizer import Localizer
from workbench.web.responses import Form
from workbench.web.sessions import RequestDenied
from workbench.web.storage.table_options import (
    CHAT_CHOICES,
    CHAT_PLAYERS,
    CLOCK_CHOICES,
    TableOptions,
)
from workbench.web.storage.table_seats import PERSON
from workbench.web.views.phrases import languages

BAD_REQUEST = 400
OPTION_PREFIX = "option."
"""Prefix of the names of form fields for game options."""
DEFAULT_CHOICE = ""
"""Form value of an option that is left at its default."""
CLOCK_FIELD, LATE_FIELD = "clock", "late"
REMIND, LATE_BOT = "remind", "bot"
LATE_CHOICES = (REMIND, LATE_BOT)
"""Form values for what happens after the time of a decision."""
BOOLEANS = {"yes": True, "no": False}
NONE_TEXT = "none"
MAX_QUOTED_LENGTH = 40
"""Maximum number of characters of a rejected option or value in a message."""
PLUS, SPACED_PLUS = "+", " + "
MAX_CACHED_BOOKS = 8
"""Maximum number of cached rulebooks for visitors who choose options."""


@attrs.frozen
class TableRequest:
    """Table requested in the lobby: game, seats, and options of both.

    `options` are those of the game, `table_options` those of the table.
    """

    variant: str
    options: dict[str, Any]
    seats: dict[str, str]
    table_options: TableOptions


@attrs.frozen
class GameDescription:
    """Lobby entry of a game or house rule: titles by language, and games it amends."""

    titles: Mapping[str, str]
    over: tuple[str, ...]


@lru_cache(maxsize=MAX_CACHED_BOOKS)
def book_of(variant: str) -> Rulebook:
    """Return the rulebook of a variant that the lobby offers."""
    return load(variant)


@cache
def game_description(name: str) -> GameDescription:
    """Return the lobby entry of a game or house rule, without caching its rulebook."""
    book = load(name)
    titles = {spoken: Localizer(spoken, book).heading for spoken in languages()}
    return GameDescription(titles, book.over)


def warm_catalogue(is_ended: Callable[[], bool]) -> None:
    """Load all lobby entries in advance; stop once `is_ended` returns true."""
    for name in (*variants.names(), *variants.house_rules()):
        if is_ended():
            return
        game_description(name)


def label_of(variant: str) -> str:
    """Return the label of a variant on pages; paths are reduced to file names."""
    parts = [part.replace("\\", "/") for part in variant.split(PLUS)]
    return PLUS.join(PurePosixPath(part).name.removesuffix(ENDING) for part in parts)


def available_games(
    allowed_variants: Sequence[str], language: str
) -> list[dict[str, str]]:
    """Return the names and titles of the games on offer, the operator's games first.

    A game with errors is left out. Its author sees the errors in the workshop.
    """
    games = []
    for name in dict.fromkeys((*allowed_variants, *variants.names())):
        label = label_of(name)
        try:
            title = game_description(name).titles[language]
            same = title == label.replace(PLUS, SPACED_PLUS)
            games.append({"name": label, "title": "" if same else title})
        except (RulesError, RequestError, OSError):
            continue
    return games


def house_rules(game: str, language: str) -> list[dict[str, str]]:
    """Return the names and titles of the shipped house rules that can amend a game."""
    return [
        {"name": name, "title": game_description(name).titles[language]}
        for name in variants.house_rules()
        if game in game_description(name).over
    ]


def option_fields(book: Rulebook, language: str) -> list[dict[str, Any]]:
    """Return the options of a game, with ranges and defaults, for the lobby's form."""
    defaults, localizer = options_of(book), Localizer(language, book)
    return [
        {
            "name": name,
            "field": OPTION_PREFIX + name,
            "help": localizer.sentence(name, option.help),
            "usual": defaults[name],
            "low": option.type.low if isinstance(option.type, Whole) else None,
            "high": option.type.high if isinstance(option.type, Whole) else None,
        }
        for name, option in book.options.items()
    ]


@lru_cache(maxsize=8)
def offered_variants(allowed_variants: tuple[str, ...]) -> Mapping[str, str]:
    """Return the variants on offer, by label."""
    return {label_of(name): name for name in (*variants.names(), *allowed_variants)}


def combined_variant(
    game: str, rules: Iterable[str], allowed_variants: Sequence[str]
) -> str:
    """Return the variant that combines a game with house rules.

    Raises `RequestDenied` if the game or a house rule is not on offer.
    """
    chosen = list(dict.fromkeys(rules))
    offered = offered_variants(tuple(allowed_variants))
    if game not in offered:
        raise RequestDenied(BAD_REQUEST, "no_game")
    if not set(chosen) <= set(variants.house_rules()):
        raise RequestDenied(BAD_REQUEST, "no_game")
    return PLUS.join([offered[game], *chosen])


def available_bots(allowed_bots: Iterable[str]) -> tuple[str, ...]:
    """Return the names of all bots on offer: the shipped ones and `allowed_bots`."""
    return tuple(dict.fromkeys((*BOTS, *allowed_bots)))


def read_table_request(
    form: Form, allowed_variants: Sequence[str], bots: Sequence[str]
) -> TableRequest:
    """Read the requested table from a submitted form.

    Raises `RequestDenied` if the game, an option or a bot is not on offer.
    """
    variant = combined_variant(
        form.get("game"), form.all_values("rule"), allowed_variants
    )
    book = book_of(variant)
    players = form.integer("players") or book.players[1]
    if not book.players[0] <= players <= book.players[1]:
        raise RequestDenied(
            BAD_REQUEST, "no_players", least=book.players[0], most=book.players[1]
        )
    options = {
        field.removeprefix(OPTION_PREFIX): _option_value(book, field, values[0])
        for field, values in form.fields.items()
        if field.startswith(OPTION_PREFIX) and values[0].strip() != DEFAULT_CHOICE
    }
    bot, bot_count = form.get("bot", bots[0]), form.integer("bots") or 0
    if bot not in bots:
        raise RequestDenied(BAD_REQUEST, "no_bot", bot=bot)
    if bot_count > players:
        raise RequestDenied(BAD_REQUEST, "many_bots", bots=bot_count, players=players)
    seats = dict.fromkeys(book.seats[:players], PERSON)
    seats |= dict.fromkeys(book.seats[players - bot_count : players], bot)
    return TableRequest(variant, options, seats, _table_options(form, bot))


def _table_options(form: Form, bot: str) -> TableOptions:
    """Read the options of a table. Raise `RequestDenied` if they are not on offer."""
    clock, late = form.integer(CLOCK_FIELD) or 0, form.get(LATE_FIELD, REMIND)
    chat = form.get("chat", CHAT_PLAYERS)
    if (
        clock not in CLOCK_CHOICES
        or late not in LATE_CHOICES
        or chat not in CHAT_CHOICES
    ):
        raise RequestDenied(BAD_REQUEST, "not_understood")
    late_bot = bot if clock and late == LATE_BOT else ""
    return TableOptions(clock, late_bot, chat)


def _option_value(book: Rulebook, field: str, text: str) -> int | bool | str | None:
    """Convert the form value of an option. Raise `RequestDenied` if it is invalid."""
    name, value = field.removeprefix(OPTION_PREFIX), _parsed_value(text)
    try:
        options_of(book, options={name: value})
    except UsageError:
        quoted = {"option": name.replace("_", " "), "value": text.strip()}
        gaps = {
            gap: printable_line(value_text)[:MAX_QUOTED_LENGTH]
            for gap, value_text in quoted.items()
        }
        raise RequestDenied(BAD_REQUEST, "no_option", **gaps) from None
    return value


def _parsed_value(text: str) -> int | bool | str | None:
    """Convert form text to an integer, a boolean or None; keep any other text."""
    text = text.strip()
    if text == NONE_TEXT:
        return None
    if text in BOOLEANS:
        return BOOLEANS[text]
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text
