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
from workbench.web.keys import (
    code_digest,
    derive_code,
    derive_keys,
    key_digest,
    new_id,
    new_key,
)
from workbench.web.sandbox.rule_texts import texts_of
from workbench.web.storage import journal as lines
from workbench.web.storage.bot_players import check_bot_name
from workbench.web.storage.journal import LineKind
from workbench.web.storage.rulebooks import is_shipped
from workbench.web.storage.table_errors import LimitReached
from workbench.web.storage.table_options import TableOptions
from workbench.web.storage.table_seats import PERSON
from workbench.web.store import (
    CODE_SETTING,
    Store,
    StoredKey,
    StoredTable,
    current_time,
)
from workbench.web.table import Table


def check_variant(
    variant: str, texts: Mapping[str, str] | None, allowed_variants: Sequence[str]
) -> None:
    """Raise `RequestError` unless a variant is shipped, allowed or has `texts`."""
    if not (texts or variant in allowed_variants or is_shipped(variant)):
        known = {*variants.names(), *variants.house_rules(), *allowed_variants}
        suggestion = tooling.nearest(variant, sorted(known))
        help = f"did you mean `{suggestion}`?" if suggestion else None
        raise RequestError(f"there is no game `{variant}`", help)


def make_room(
    store: Store, max_tables: int, idle_seconds: float, loaded_ids: Container[str]
) -> None:
    """Delete idle tables, oldest first, until there are fewer than `max_tables` tables.

    Only tables idle for `idle_seconds` seconds and not loaded are deleted. Raises
    `LimitReached` if there are too few of them.
    """
    excess = store.count() - max_tables + 1
    if excess <= 0:
        return
    idle = store.unused_table_ids(current_time() - idle_seconds)
    removed_ids = [id for id in idle if id not in loaded_ids][:excess]
    if len(removed_ids) < excess:
        raise LimitReached
    for id in removed_ids:
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
    table_options: TableOptions,
) -> tuple[StoredTable, dict[str, str]]:
    """Return the data to store for a new table, and its keys.

    `bots` are the bots that the operator allows besides the shipped ones.
    """
    seed = random_seed() if seed is None else seed
    if record is None:
        players = _player_count(book, seats)
        game = Game.start(book, players=players, seed=seed, options=options)
    else:
        position = start_from_file("the record", record, book).position
        game = Game.from_any_position(book, position, seed=seed)
    players_by_seat = _players_by_seat(game, seats)
    for bot in players_by_seat.values():
        if bot != PERSON:
            check_bot_name(bot, bots)
    if table_options.late_bot:
        check_bot_name(table_options.late_bot, bots)
    owner_key = new_key()
    key_by_target = derive_keys(owner_key, game.seats)
    stored = _stored_table(
        variant, book, game, texts, players_by_seat, key_by_target, table_options
    )
    settings = {**stored.settings, CODE_SETTING: code_digest(derive_code(owner_key))}
    stored = attrs.evolve(stored, settings=settings)
    return stored, {seat or kind: key for (kind, seat), key in key_by_target.items()}


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
    stored = _stored_table(
        table.variant, table.book, start, table.texts, {}, {}, table.options
    )
    number = len(stored.lines)
    joined = tuple(
        lines.new_line(number + place, LineKind.KEY, seat=seat, key=digest)
        for place, (seat, digest) in enumerate(table.state.seat_keys.items(), 1)
    )
    all_lines = (*stored.lines, *joined)
    return attrs.evolve(stored, keys=table.stored.keys, lines=all_lines)


def _player_count(
    book: rb.Rulebook, seats: Mapping[str, str] | int | None
) -> int | None:
    if seats is None:
        return book.players[1]
    return seats if isinstance(seats, int) else len(seats)


def _players_by_seat(
    game: Game, seats: Mapping[str, str] | int | None
) -> dict[str, str]:
    """Map each seat to `PERSON` or a bot. Raise `RequestError` for an unknown seat."""
    if seats is None or isinstance(seats, int):
        return dict.fromkeys(game.seats, PERSON)
    for seat in seats:
        if seat not in game.seats:
            available = ", ".join(game.seats)
            raise RequestError(
                f"there is no seat `{seat}`", f"available seats: {available}"
            )
    return {seat: seats.get(seat, PERSON) for seat in game.seats}


def _stored_table(
    variant: str,
    book: rb.Rulebook,
    game: Game,
    texts: Mapping[str, str] | None,
    players: Mapping[str, str],
    key_by_target: Mapping[tuple[str, str], str],
    table_options: TableOptions,
) -> StoredTable:
    """Return the data to store for a new table."""
    header = read_header(game.record)
    header.pop("sources", None)
    settings = {
        "header": header,
        "bot_seed": random_seed(),
        "table": attrs.asdict(table_options),
    }
    keys = tuple(
        StoredKey(kind, seat, key_digest(key), players.get(seat, ""))
        for (kind, seat), key in key_by_target.items()
    )
    first_lines = lines.event_lines(game.events, 0, "")
    rules = dict(texts) if texts else texts_of(book)
    return StoredTable(
        new_id(), current_time(), variant, settings, rules, keys, first_lines
    )
