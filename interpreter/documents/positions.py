"""Conversion of a whole state to a position and back; a position is plain data.

Fields are under `game` or their owner's domain, and pieces are listed by space. The
control stack is under `pending`, with the names of clauses, steps and local variables.
"""

from __future__ import annotations

from typing import Any

import rulebook as rb
from interpreter.core.layout import (
    ACTIVE,
    ENDED,
    RANKS,
    REASON,
    ROUND,
    RUNNING,
    STARTER,
    STATUS,
    TURN,
    UNFINISHED,
    WINNER,
    Block,
)
from interpreter.core.order import (
    read_order,
    set_usual_order,
    turns_in_round,
    write_order,
)
from interpreter.core.ranks import shared_ranks, winners_of
from interpreter.documents import pairs
from interpreter.documents.control_stack import read_pending, write_frame
from interpreter.documents.pieces import read_piece, write_piece
from interpreter.documents.plain_data import PLAYER, Plain, get_object
from interpreter.errors import PositionError, UsageError, require_list
from interpreter.plan.plan import Plan
from interpreter.plan.start_cells import write_board
from interpreter.planning import plan_for
from interpreter.state.simultaneous import read_answers, write_answers
from interpreter.state.state import State
from rulebook import model as m

WHOLE_COUNT = m.Whole(0, 1_000_000)


# ---------------------------------------------------------------- writing


def write_position(plan: Plan, g: State) -> Plain:
    """Return the complete position of a state."""
    position = write_cells(plan, g.s)
    if g.split is not None:
        position["split"] = write_cells(plan, list(g.split))
        position["answers"] = write_answers(plan.actions, g.answered)
    position["pending"] = [write_frame(plan, frame) for frame in g.frames]
    if g.triggers:
        position["triggers"] = trigger_names(plan, g.triggers)
    position["chance"] = {
        "seed": None if g.given else g.seed,
        "counts": dict(sorted(g.counts.items())),
    }
    position["end"] = write_end(plan, g.s)
    return position


def write_cells(plan: Plan, s: list[Any]) -> Plain:
    """Return the part of a position that describes the cells."""
    to_plain = plan.values.to_plain
    position: Plain = {
        "players": plan.players,
        "options": dict(plan.options),
        "board": board_of(plan, s),
        "turn": s[TURN],
        "round": s[ROUND],
        "active": to_plain(PLAYER, s[ACTIVE]),
        "starter": to_plain(PLAYER, s[STARTER]),
        "game": {},
    }
    if plan.changes_turn_order:
        position["order"] = write_order(plan.values.names["player"], s)
    for block in plan.layout.fields.values():
        if not block.field.dealt:
            write_field(plan, s, block, position)
    position["pieces"] = {
        name: write_piece(plan, s, name) for name in plan.layout.pieces
    }
    position["awards"] = {
        name: to_plain(PLAYER, s[cell]) for name, cell in plan.layout.awards.items()
    }
    seen = write_seen(plan, s)
    if seen:
        position["seen"] = seen
    return position


def field_value(plan: Plan, s: list[Any], block: Block, owner: int) -> Any:
    """Return the value of an owner's field as plain data."""
    row = block.row(owner)
    kind = block.field.type
    if isinstance(kind, m.Bag):
        if block.field.endless:
            return "endless"
        return plan.values.to_plain(kind, s[row : row + block.size])
    return plan.values.to_plain(kind, s[row])


def write_field(plan: Plan, s: list[Any], block: Block, position: Plain) -> None:
    """Add the values of a field to a position, under the game or its owners."""
    field = block.field
    if field.is_pair:
        write_pairs(plan, s, block, position)
        return
    if field.owner is None:
        position["game"][field.name] = field_value(plan, s, block, 0)
        return
    members = position.setdefault(field.owner, {})
    for index, name in enumerate(plan.values.names[field.owner]):
        members.setdefault(name, {})[field.name] = field_value(plan, s, block, index)


def write_pairs(plan: Plan, s: list[Any], block: Block, position: Plain) -> None:
    """Add a field that stores a value for each pair, as a nested table."""
    for entry in pairs.entries(plan, block):
        value = field_value(plan, s, block, entry.index)
        home = owner_part(position, block.field, entry.owner)
        pairs.insert(home, block.field.name, entry.names, value)


def owner_part(position: Plain, field: m.Field, owner: str) -> Plain:
    """Return the part of a position for the fields of an owner."""
    if field.home is None:
        return get_object(position, "game")
    home: Plain = position.setdefault(field.home, {}).setdefault(owner, {})
    return home


def board_of(plan: Plan, s: list[Any]) -> Plain:
    """Return the values dealt to spaces in set-up: {space: {attribute: value}}."""
    board: Plain = {}
    for block in plan.layout.fields.values():
        if block.field.dealt and block.field.owner is not None:
            for index, name in enumerate(plan.values.names[block.field.owner]):
                value = field_value(plan, s, block, index)
                if isinstance(block.field.type, m.Whole) and value == m.NONE:
                    value = None
                board.setdefault(name, {})[block.field.name] = value
    return board


def write_seen(plan: Plan, s: list[Any]) -> Plain:
    """Return the bags that seats have looked at: {field: {owner: seats}}."""
    seen: Plain = {}
    seats = plan.values.names["player"]
    for key, block in plan.layout.fields.items():
        if block.viewers_base is None:
            continue
        owner = block.field.owner
        names = ("game",) if owner is None else plan.values.names[owner]
        for index, name in enumerate(names):
            mask = s[block.viewers_base + index]
            if mask:
                known = [seat for bit, seat in enumerate(seats) if mask >> bit & 1]
                seen.setdefault(key, {})[name] = known
    return seen


def trigger_names(plan: Plan, mask: int) -> list[str]:
    """Return the names of the awards and rules whose bits are set in *mask*."""
    names = [*plan.model.awards, *(f"rule {name}" for name in plan.model.rules)]
    return [name for bit, name in enumerate(names) if mask >> bit & 1]


def write_end(plan: Plan, s: list[Any]) -> Any:
    """Return the end of the game as plain data, or None if it has not ended."""
    if s[STATUS] == RUNNING:
        return None
    if s[STATUS] == UNFINISHED:
        return {"unfinished": True}
    end: Plain = {
        "winner": plan.values.to_plain(PLAYER, s[WINNER]),
        "reason": s[REASON],
    }
    if s[RANKS] != shared_ranks(plan.players, (s[WINNER],)):
        names = plan.values.names["player"]
        end["ranks"] = dict(zip(names, s[RANKS], strict=True))
    return end


# ---------------------------------------------------------------- reading


def read_position(
    book: rb.Rulebook, position: Any, seed: int | None, chance_given: bool | None
) -> tuple[Plan, State]:
    """Return the plan and state of a position, or raise `PositionError`.

    If `chance_given` is None, chance outcomes must be given if and only if the seed in
    the position is null.
    """
    if not isinstance(position, dict):
        raise PositionError("position", "expected an object")
    plan = plan_of(book, position)
    chance = get_object(position, "chance")
    if chance_given is None:
        chance_given = "seed" in chance and chance["seed"] is None
    if seed is None:
        seed = chance.get("seed") if isinstance(chance.get("seed"), int) else 0
    g = State(plan, seed or 0, chance_given=chance_given)
    check_keys(plan, position)
    g.s = read_cells(plan, position)
    if "split" in position:
        g.split = tuple(read_cells(plan, get_object(position, "split")))
        g.answered = tuple(read_answers(plan.actions, position.get("answers", [])))
    counts = get_object(chance, "counts", "chance.")
    for name, count in counts.items():
        path = f"chance.counts.{name}"
        g.counts[name] = plan.values.from_plain(WHOLE_COUNT, count, path)
    names = trigger_names(plan, -1)
    for name in require_list(position.get("triggers", []), "triggers"):
        if name not in names:
            raise PositionError("triggers", f"there is no award or rule {name!r}")
        g.triggers |= 1 << names.index(name)
    if g.s[STATUS] == RUNNING:
        g.frames = read_pending(plan, position)
    if g.split is not None and g.current_block() is None:
        raise PositionError("split", "no simultaneous decisions are in progress here")
    return plan, g


def plan_of(book: rb.Rulebook, position: Plain) -> Plan:
    """Return the plan for the players and options of a position."""
    fewest, most = book.players
    players = position.get("players", most)
    if type(players) is not int or not fewest <= players <= most:
        raise PositionError(
            "players", f"{players!r} is not in the range {fewest} to {most}"
        )
    try:
        return plan_for(book, players, get_object(position, "options"))
    except UsageError as error:
        raise PositionError("options", str(error)) from None


def check_keys(plan: Plan, position: Plain) -> None:
    """Raise `PositionError` if a position has an unknown key."""
    owners = {b.field.home for b in plan.layout.fields.values()}
    for key in position:
        if key not in m.POSITION_KEYS and key not in owners:
            raise PositionError(key, "a position has no part with this name")


def read_cells(plan: Plan, position: Plain) -> list[Any]:
    """Read the cells of a position."""
    s = list(plan.start_cells)
    read = plan.values.from_plain
    turns = m.Whole(0, plan.model.turns)
    s[TURN] = read(turns, position.get("turn", 0), "turn")
    for cell, key in ((ACTIVE, "active"), (STARTER, "starter")):
        s[cell] = read(PLAYER, position.get(key), key)
    if s[TURN] and s[ACTIVE] < 0:
        raise PositionError("active", "a started turn needs an active player")
    set_usual_order(s, plan.players, turns_in_round(plan.model, plan.players))
    if plan.changes_turn_order and "order" in position:
        names = plan.values.names["player"]
        read_order(names, s, position["order"], position.get("round"))
    write_board(plan.facts, plan.values, s, get_object(position, "board"))
    read_fields(plan, s, position)
    pieces = get_object(position, "pieces")
    for name, where in pieces.items():
        read_piece(plan, s, name, where)
    for name, holder in get_object(position, "awards").items():
        if name not in plan.layout.awards:
            raise PositionError(f"awards.{name}", f"there is no award `{name}`")
        s[plan.layout.awards[name]] = read(PLAYER, holder, f"awards.{name}")
    read_seen(plan, s, get_object(position, "seen"))
    end = position.get("end")
    if end is not None:
        read_end(plan, s, end)
    return s


def read_fields(plan: Plan, s: list[Any], position: Plain) -> None:
    """Read the fields of the game and of all owners into the cells."""
    blocks = [b for b in plan.layout.fields.values() if not b.field.dealt]
    owners = dict.fromkeys(b.field.home for b in blocks)
    for owner in owners:
        mine = {b.field.name: b for b in blocks if b.field.home == owner}
        key = owner or "game"
        given = get_object(position, key)
        rows = {"": given} if owner is None else given
        for name, values in rows.items():
            path = f"{key}.{name}" if name else key
            index = 0
            if owner is not None:
                index = plan.values.member_index(owner, name, path)
            if not isinstance(values, dict):
                raise PositionError(path, "expected an object")
            for field, value in values.items():
                if field not in mine:
                    raise PositionError(
                        f"{path}.{field}", f"there is no field `{field}`"
                    )
                where = f"{path}.{field}"
                if mine[field].field.is_pair:
                    read_pairs(plan, s, mine[field], name, value, where)
                else:
                    read_field(plan, s, mine[field], index, value, where)


def read_pairs(
    plan: Plan, s: list[Any], block: Block, owner: str, value: Any, path: str
) -> None:
    """Read the table of a field that stores a value for each pair."""
    places = {
        entry.names: entry.index
        for entry in pairs.entries(plan, block)
        if entry.owner == owner
    }
    depth = max(map(len, places), default=1)
    for words, leaf in pairs.leaves(value, depth):
        where = ".".join((path, *words))
        if words not in places:
            raise PositionError(
                where, f"`{block.field.name}` has no value for this pair"
            )
        read_field(plan, s, block, places[words], leaf, where)


def read_field(
    plan: Plan, s: list[Any], block: Block, index: int, value: Any, path: str
) -> None:
    """Read the field of one owner into the cells."""
    if block.field.endless:
        return
    cell_value = plan.values.from_plain(block.field.type, value, path)
    row = block.row(index)
    if isinstance(block.field.type, m.Bag):
        s[row : row + block.size] = cell_value
    else:
        s[row] = cell_value


def read_seen(plan: Plan, s: list[Any], seen: Plain) -> None:
    """Read which seats have looked at which bags into the cells."""
    for key, rows in seen.items():
        block = plan.layout.fields.get(key)
        if block is None or block.viewers_base is None or not isinstance(rows, dict):
            raise PositionError(
                f"seen.{key}", "no rule lets a player look at this field"
            )
        for name, seats in rows.items():
            index, path = 0, f"seen.{key}.{name}"
            if block.field.owner is not None:
                index = plan.values.member_index(block.field.owner, name, path)
            for seat in require_list(seats, path):
                bit = plan.values.member_index("player", seat, path)
                s[block.viewers_base + index] |= 1 << bit


def read_end(plan: Plan, s: list[Any], end: Any) -> None:
    """Read how the game ended into the cells."""
    if not isinstance(end, dict):
        raise PositionError("end", "expected an object or null")
    if end.get("unfinished") is True:
        s[STATUS] = UNFINISHED
        return
    s[STATUS] = ENDED
    s[REASON] = end.get("reason")
    if not isinstance(s[REASON], str):
        raise PositionError("end.reason", "expected a string")
    s[WINNER] = plan.values.from_plain(PLAYER, end.get("winner"), "end.winner")
    s[RANKS] = shared_ranks(plan.players, (s[WINNER],))
    if "ranks" in end:
        s[RANKS] = read_ranks(plan, s[WINNER], get_object(end, "ranks", "end."))


def read_ranks(plan: Plan, winner: int, ranks: Plain) -> tuple[int, ...]:
    """Return the ranks of all seats, or raise `PositionError` if they are invalid."""
    kind = m.Whole(1, plan.players)
    read, names = plan.values.from_plain, plan.values.names["player"]
    if list(ranks) != list(names):
        raise PositionError("end.ranks", "expected a rank for each seat")
    by_seat = tuple([read(kind, ranks[name], f"end.ranks.{name}") for name in names])
    first = winners_of(by_seat)
    if not first or winner != (first[0] if len(first) == 1 else m.NONE):
        raise PositionError("end.ranks", "the players ranked first are not the winners")
    return by_seat
