"""Creation of tables: for a new game, a continued record, or a rematch."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

import attrs

import rulebook as rb
import variants
from interpreter import Game, read_header
from rulebook import tooling
from workbench.bots.randomness import random_seed
from workbench.errors import RequestError
from workbench.files.records.origins import start_from_file
from workbench.web.keys import derive_keys, key_digest, new_id, new_key
from workbench.web.sandbox.rule_texts import texts_of
from workbench.web.storage import journal as lines
from workbench.web.storage.bot_players import check_bot_name
from workbench.web.storage.rulebooks import is_shipped
from workbench.web.storage.table_errors import LimitReached
from workbench.web.storage.table_seats import PERSON
from workbench.web.store import Store, StoredKey, StoredTable, current_time
from workbench.web.table import Table


def check_variant(
    variant: str, texts: Mapping[str, str] | None, allowed_variants: Sequence[str]
) -> None:
    """Raise `RequestError` unless a variant is shipped, allowed or given by `texts`."""
    if not (texts or variant in allowed_variants or is_shipped(variant)):
        known = {*variants.names(), *variants.house_rules(), *allowed_variants}
        near = tooling.nearest(variant, sorted(known))
        help = f"did you mean `{near}`?" if near else None
        raise RequestError(f"there is no game `{variant}`", help)


def make_room(
    store: Store, max_tables: int, idle_seconds: float, loaded_ids: Container[str]
) -> None:
    """Delete tables that were idle for `idle_seconds` seconds if there are `max_tables`
    tables.

    Loaded tables are never deleted. Raises `LimitReached` if too few tables are idle.
    """
    many = store.count() - max_tables + 1
    if many <= 0:
        return
    idle = store.unused_table_ids(current_time() - idle_seconds)
    going = [id for id in idle if id not in loaded_ids][:many]
    if len(going) < many:
        raise LimitReached
    for id in going:
        store.remove(id)


def new_table(
    variant: str,
    book: rb.Rulebook,
    options: dict[str, Any],
    seats: Mapping[str, str] | int | None,
    seed: int | None,
    texts: Mapping[str, str] | None,
    record: str | None,
    bots: tuple[str, ...],
) -> tuple[StoredTable, dict[str, str]]:
    """Return the data to store for a new table, and its keys.

    `bots` are those the operator allows besides the shipped ones.
    """
    seed = random_seed() if seed is None else seed
    if record is None:
        players = _player_count(book, seats)
        game = Game.start(book, players=players, seed=seed, options=options)
    else:
        position = start_from_file("the record", record, book).position
        game = Game.from_any_position(book, position, seed=seed)
    who = _players_by_seat(game, seats)
    for bot in who.values():
        if bot != PERSON:
            check_bot_name(bot, bots)
    opens = derive_keys(new_key(), game.seats)
    stored = _stored_table(variant, book, game, texts, who, opens)
    return stored, {seat or sort: key for (sort, seat), key in opens.items()}


def rematch_table(table: Table) -> StoredTable:
    """Return the data to store for a rematch: the same rules, seats and keys."""
    game = table.game
    start = Game.start(
        table.book,
        players=game.players,
        seed=random_seed(),
        options=game.options,
        board=game.given_board,
    )
    stored = _stored_table(table.variant, table.book, start, table.texts, {}, {})
    return attrs.evolve(stored, keys=table.stored.keys)


def _player_count(
    book: rb.Rulebook, seats: Mapping[str, str] | int | None
) -> int | None:
    if seats is None:
        return book.players[1]
    return seats if isinstance(seats, int) else len(seats)


def _players_by_seat(
    game: Game, seats: Mapping[str, str] | int | None
) -> dict[str, str]:
    """Return the player of each seat. Raise `RequestError` for an unknown seat."""
    if seats is None or isinstance(seats, int):
        return dict.fromkeys(game.seats, PERSON)
    for seat in seats:
        if seat not in game.seats:
            there = ", ".join(game.seats)
            raise RequestError(
                f"there is no seat `{seat}`", f"available seats: {there}"
            )
    return {seat: seats.get(seat, PERSON) for seat in game.seats}


def _stored_table(
    variant: str,
    book: rb.Rulebook,
    game: Game,
    texts: Mapping[str, str] | None,
    players: Mapping[str, str],
    key_by_target: Mapping[tuple[str, str], str],
) -> StoredTable:
    """Return the data to store for a new table."""
    header = read_header(game.record)
    header.pop("sources", None)
    settings = {"header": header, "bot_seed": random_seed()}
    keys = tuple(
        StoredKey(sort, seat, key_digest(key), players.get(seat, ""))
        for (sort, seat), key in key_by_target.items()
    )
    first = lines.event_lines(game.events, 0, "")
    rules = dict(texts) if texts else texts_of(book)
    return StoredTable(new_id(), current_time(), variant, settings, rules, keys, first)
