"""Declarations of kinds, cards, spaces and seats, and the columns of their tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulebook import model as m
from rulebook import syntax as s
from rulebook.check.declare.board import corner_index, link_index
from rulebook.check.declare.coordinates import expand_coordinates
from rulebook.check.declare.symbol_table import (
    PLAYER,
    SymbolTable,
    mistake,
    unknown_name_error,
)
from rulebook.model.limits import COPIES_MAX, PLAYERS_MAX
from rulebook.model.value_types import NONE, Bag, Member, Truth, Type, Whole

ORDERED = (s.KindClause, s.CardsClause, s.SpacesClause)


def declare_players(world: SymbolTable) -> None:
    """Declare the seats: those named in the header, then `p1`, `p2` and so on.

    Seats are declared even after errors, because everything else needs them.
    """
    header = world.header
    with world.collect_errors():
        world.players = _players(header)
    most = world.players[1]
    named = tuple(dict.fromkeys(name.text for name in header.seats))
    more = tuple(f"p{number}" for number in range(len(named) + 1, most + 1))
    world.seats = (*named, *more)[:most]
    world.add_domain(
        m.Domain(
            name=PLAYER,
            plural="players",
            sort=m.DomainSort.PLAYER,
            members=world.seats,
            span=header.span,
        ),
        header.span,
    )
    _check_seats(header, most)


def _players(header: s.Header) -> tuple[int, int]:
    fewest, most = header.players or (2, 4)
    if not 1 <= fewest <= most:
        raise mistake(
            "RB103", header.span, f"the range of players {fewest} to {most} is empty"
        )
    if most > PLAYERS_MAX:
        raise mistake(
            "RB152",
            header.span,
            f"{most} players exceeds the limit of {PLAYERS_MAX}",
        )
    return fewest, most


def _check_seats(header: s.Header, max_players: int) -> None:
    _check_unique(list(header.seats), tuple(name.text for name in header.seats))
    if header.seats and len(header.seats) < max_players:
        raise mistake(
            "RB104",
            header.seats[0].span.to(header.seats[-1].span),
            f"{max_players} players need {max_players} seats, but only "
            f"{len(header.seats)} are named",
            "name one seat for each player, or lower the number of players",
        )


def declare_domains(world: SymbolTable) -> None:
    """Declare all kinds, cards and spaces with their members, but without columns."""
    clauses = [
        node
        for node in world.clauses.values()
        if isinstance(node, ORDERED) and not getattr(node, "on_sides", False)
    ]
    for clause in sorted(clauses, key=lambda node: bool(getattr(node, "axes", ()))):
        declare_domain(world, clause)


def declare_domain(
    world: SymbolTable, clause: s.KindClause | s.CardsClause | s.SpacesClause
) -> None:
    """Declare one kind, its cards or spaces, without the columns of its table."""
    with world.collect_errors(*_declared_names(clause)):
        world.add_domain(_domain(world, clause), clause.name.span)


def _declared_names(
    clause: s.KindClause | s.CardsClause | s.SpacesClause,
) -> Iterator[str]:
    """Yield the names that a clause declares, to be marked as broken after an error."""
    yield clause.name.text
    if clause.plural is not None:
        yield clause.plural.text
    for row in clause.table.rows if clause.table else ():
        if row.cells[0].form is s.CellForm.NAME:
            yield row.cells[0].value.text


def _domain(
    world: SymbolTable, clause: s.KindClause | s.CardsClause | s.SpacesClause
) -> m.Domain:
    plural = clause.plural.text if clause.plural else clause.name.text
    names = [row.cells[0] for row in clause.table.rows] if clause.table else []
    members = tuple(_member_name(cell) for cell in names)
    copies: tuple[m.Expr, ...] = ()
    sort = m.DomainSort.KIND
    each_player = False
    axes: tuple[m.Axis, ...] = ()
    columns: dict[str, m.Column] = {}
    if isinstance(clause, s.KindClause):
        members = members or tuple(name.text for name in clause.members)
    elif isinstance(clause, s.CardsClause):
        sort = m.DomainSort.CARDS
        if clause.axes:
            axes, columns, members = expand_coordinates(world, clause)
            copies = (
                (_copies_per_combination(clause.each),) * len(members)
                if clause.each
                else ()
            )
        else:
            copies = _copies(clause)
    else:
        sort = m.DomainSort.SPACE
        each_player = clause.each_player
        if clause.axes:
            axes, columns, members = expand_coordinates(world, clause)
    if isinstance(clause, s.KindClause) and not names:
        _check_unique(list(clause.members), members)
    else:
        _check_unique(names, members)
    return m.Domain(
        name=clause.name.text,
        plural=plural,
        sort=sort,
        members=members,
        copies=copies,
        each_player=each_player,
        axes=axes,
        columns=columns,
        span=clause.name.span,
    )


def _member_name(cell: s.Cell) -> str:
    if cell.form is not s.CellForm.NAME:
        raise mistake("RB105", cell.span, "the first column must contain names")
    name: s.Name = cell.value
    return name.text


def _check_unique(nodes: list[Any], names: tuple[str, ...]) -> None:
    seen: dict[str, int] = {}
    for index, name in enumerate(names):
        if name in seen:
            raise mistake(
                "RB102",
                nodes[index].span,
                f"`{name}` is declared twice",
                related=((nodes[seen[name]].span, "first declared here"),),
            )
        seen[name] = index


def _copies_per_combination(node: s.Expr) -> m.Expr:
    """Return the number of copies of each card declared by coordinates."""
    match node:
        case s.NameRef(name=name):
            return m.option(name.text, Whole(0, COPIES_MAX), node.span)
        case s.Number(value=value) if value <= COPIES_MAX:
            return m.number(value, node.span)
    raise mistake(
        "RB105", node.span, f"there can be at most {COPIES_MAX:,} cards of each"
    )


def _copies(clause: s.CardsClause) -> tuple[m.Expr, ...]:
    assert clause.table is not None
    columns = [name.text for name in clause.table.columns]
    if "copies" not in columns:
        return ()
    place = columns.index("copies")
    copies: list[m.Expr] = []
    for row in clause.table.rows:
        cell = row.cells[place]
        if cell.form is s.CellForm.NAME:
            copies.append(m.option(cell.value.text, Whole(0, COPIES_MAX), cell.span))
        elif cell.form is s.CellForm.NUMBER and 0 <= cell.value <= COPIES_MAX:
            copies.append(m.number(cell.value, cell.span))
        else:
            raise mistake(
                "RB105",
                cell.span,
                "`copies` must be a whole number of cards",
            )
    return tuple(copies)


def _is_count(type_: Type) -> bool:
    return isinstance(type_, Whole) and type_.low >= 0 and not type_.optional


def check_copies(world: SymbolTable) -> None:
    """Report `copies` options that are unknown or whose value is not a count."""
    for domain in world.domains.values():
        for number in domain.copies:
            if m.is_option(number) and number.name not in world.broken_names:
                with world.collect_errors():
                    option = world.options.get(number.name)
                    name = s.Name(number.name, span=number.span)
                    if option is None:
                        raise unknown_name_error("option", name, world.options)
                    if not _is_count(option.type):
                        raise mistake(
                            "RB110",
                            number.span,
                            "`copies` must say how many cards there are, as a whole "
                            "number",
                        )


def domain_tables(world: SymbolTable) -> Iterator[tuple[m.Domain, s.Table]]:
    """Yield each kind that has a table, with that table."""
    for clause in world.clauses.values():
        table = getattr(clause, "table", None)
        name = getattr(clause, "name", None)
        if table is not None and name is not None and name.text in world.domains:
            yield world.domains[name.text], table


RESERVED_COLUMNS = {"copies", "q", "r", "lies"}


def declare_columns(world: SymbolTable) -> None:
    """Add to each domain the typed columns of its table."""
    for domain, table in domain_tables(world):
        rows: list[s.Row] = []
        with world.collect_errors():
            rows = _rows_by_member(world, domain, table)
        if domain.members and not rows:
            continue
        for place, column in enumerate(table.columns):
            if place == 0 or column.text in RESERVED_COLUMNS:
                continue
            with world.collect_errors(column.text):
                cells = [row.cells[place] for row in rows]
                if all(cell.form is s.CellForm.EMPTY for cell in cells):
                    world.pending_columns.append((column, domain.name))
                    continue
                domain.columns[column.text] = _column(world, domain, column, cells)


def _rows_by_member(
    world: SymbolTable, domain: m.Domain, table: s.Table
) -> list[s.Row]:
    """Return the row of each member; corners and links of a map can lack a row."""
    rows = dict(enumerate(table.rows))
    board = world.board
    if board is not None and board.face is not None and board.link == domain.name:
        rows = _rows_by_link(world, domain, table)
    empty = s.Cell(s.CellForm.EMPTY, span=table.span)
    unlisted = s.Row((empty,) * len(table.columns), span=table.span)
    return [rows.get(index, unlisted) for index in range(len(domain.members))]


def _rows_by_link(
    world: SymbolTable, domain: m.Domain, table: s.Table
) -> dict[int, s.Row]:
    rows: dict[int, s.Row] = {}
    for row in table.rows:
        first = row.cells[0]
        if first.form is not s.CellForm.LINK:
            text = "the first column must contain links, such as A-B"
            raise mistake("RB105", first.span, text)
        link = link_index(world, first.value.first, first.value.second)
        if link in rows:
            raise mistake(
                "RB102",
                first.span,
                f"`{domain.members[link]}` is declared twice",
                related=((rows[link].span, "first declared here"),),
            )
        rows[link] = row
    return rows


def _column(
    world: SymbolTable, domain: m.Domain, name: s.Name, cells: list[s.Cell]
) -> m.Column:
    type_ = column_type(world, name, cells)
    values = []
    for cell in cells:
        value = world.empty_value(type_)
        with world.collect_errors():
            value = _value(world, type_, cell)
        values.append(value)
    return m.Column(name=name.text, type=type_, values=tuple(values), span=name.span)


def column_type(world: SymbolTable, name: s.Name, cells: list[s.Cell]) -> Type:
    """Return the common type of all cells of a column."""
    written = [cell for cell in cells if cell.form is not s.CellForm.EMPTY]
    dashes = len(written) < len(cells)
    forms = {cell.form for cell in written}
    if forms <= {s.CellForm.NUMBER}:
        low = min(cell.value for cell in written)
        return Whole(NONE if dashes else low, max(cell.value for cell in written))
    if forms <= {s.CellForm.BAG, s.CellForm.NOTHING}:
        return Bag(_bag_domain(world, written))
    if forms <= {s.CellForm.YES_NO}:
        return Truth()
    if forms <= {s.CellForm.CORNER} and world.board is not None:
        return Member(world.board.corner, optional=dashes)
    if forms <= {s.CellForm.LINK} and world.board is not None and world.board.link:
        return Member(world.board.link, optional=dashes)
    if forms <= {s.CellForm.NAME}:
        return Member(_common_domain(world, name, written), optional=dashes)
    different = next((cell for cell in written if cell.form != written[0].form), None)
    if different is None:
        raise mistake(
            "RB105",
            written[0].span,
            f"the cells of `{name.text}` are not values",
            help="a cell must be a number, a name, `yes` or `no`, amounts, or `-`",
        )
    raise mistake(
        "RB105",
        different.span,
        f"the cells of `{name.text}` are of different types",
        related=((written[0].span, "the first value"),),
    )


def _bag_domain(world: SymbolTable, cells: list[s.Cell]) -> str:
    for cell in cells:
        if cell.form is s.CellForm.BAG:
            return amounts_domain(world, cell.value)
    raise mistake("RB105", cells[0].span, "a column of `nothing` has no type")


def amounts_domain(world: SymbolTable, amounts: s.Amounts) -> str:
    """Return the kind of cards that literal amounts such as `2 salt, 1 silk` count."""
    candidates: set[str] | None = None
    for amount in amounts.amounts:
        homes = {domain for domain, _ in world.members.get(amount.name.text, [])}
        if not homes:
            known = [
                name
                for domain in candidates or world.domains
                for name in world.domains[domain].members
            ]
            raise unknown_name_error("card", amount.name, known)
        candidates = homes if candidates is None else candidates & homes
    if not candidates:
        raise mistake("RB105", amounts.span, "these are not cards of one kind")
    return next(name for name in world.domains if name in candidates)


def amounts_value(
    world: SymbolTable, amounts: s.Amounts, domain: str
) -> tuple[int, ...]:
    """Return literal amounts as counts, one for each member of the domain."""
    counts = [0] * len(world.domains[domain].members)
    for amount in amounts.amounts:
        index = member_index(world, amount.name, domain)
        counts[index] += amount.count
    return tuple(counts)


def member_index(world: SymbolTable, name: s.Name, domain: str) -> int:
    """Return the index of a member in its domain."""
    for home, index in world.members.get(name.text, []):
        if home == domain:
            return index
    raise unknown_name_error(domain, name, world.domains[domain].members)


def _common_domain(world: SymbolTable, column: s.Name, cells: list[s.Cell]) -> str:
    homes: list[set[str]] = []
    for cell in cells:
        name: s.Name = cell.value
        homes.append({domain for domain, _ in world.members.get(name.text, [])})
    named = world.words.get(column.text)
    if named is not None:
        return named
    counts = {domain: sum(domain in home for home in homes) for domain in world.domains}
    best = max(counts, key=lambda domain: counts[domain])
    if counts[best] == 0:
        name = cells[0].value
        raise unknown_name_error("name", name, world.members)
    return best


def _value(world: SymbolTable, type_: Type, cell: s.Cell) -> Any:
    if cell.form is s.CellForm.EMPTY:
        return NONE if isinstance(type_, Whole) else world.empty_value(type_)
    match type_:
        case Member(domain=domain) if cell.form is s.CellForm.CORNER:
            return corner_index(world, cell)
        case Member(domain=domain) if cell.form is s.CellForm.LINK:
            return link_index(world, cell.value.first, cell.value.second)
        case Member(domain=domain):
            return member_index(world, cell.value, domain)
        case Bag(domain=domain) if cell.form is s.CellForm.NOTHING:
            return (0,) * len(world.domains[domain].members)
        case Bag(domain=domain):
            return amounts_value(world, cell.value, domain)
    return cell.value
