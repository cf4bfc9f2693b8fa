"""Node builders for the header and for components such as pieces and costs."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import cast

import attrs
from lark import Token, Tree

from rulebook import syntax
from rulebook.parse.look_builders import theme_names
from rulebook.parse.node_builder import Branch, Builder, BuilderTable, node_of, parts
from rulebook.parse.table_builders import report_duplicate

RULES = BuilderTable()

# ---------------------------------------------------------------- header


@RULES("header")
def _header(b: Builder, t: Tree[Token]) -> syntax.Header:
    sort, name, title, cites, *lines = parts(t)
    header = syntax.Header(
        b.word(sort),
        b.name(name),
        b.text(title),
        cites=b.cites(cites),
        span=b.span(t),
    )
    lines_by_word: dict[str, Branch] = {}
    for line in lines:
        assert isinstance(line, Tree)
        word = str(line.data)
        if word in lines_by_word and word not in ("source", "team"):
            b.report(
                "RB024",
                f"the header has `{word}` twice",
                b.span(line),
                help="combine them in one line",
                related=((b.span(lines_by_word[word]), "first given here"),),
            )
            continue
        lines_by_word[word] = line
        header = _header_line(b, header, line)
    return header


@RULES("short_header")
def _short_header(b: Builder, t: Tree[Token]) -> syntax.Header:
    (extended,) = parts(t)
    stem = re.sub(r"\W+", "_", PurePath(b.file).stem)
    name = syntax.Name(stem if stem[:1].isalpha() else f"house_{stem}", span=b.span(t))
    return syntax.Header(
        "rulebook",
        name,
        "",
        extends=b.name_list(extended),
        is_short=True,
        span=b.span(t),
    )


@RULES("scenarios_header", "look_header", "words_header")
def _companion_header(b: Builder, t: Tree[Token]) -> syntax.Header:
    sort = t.data.removesuffix("_header")
    *before, name = parts(t) if sort != "look" else parts(t)[:1]
    themes = parts(t)[1] if sort == "look" else None
    return syntax.Header(
        sort,
        b.name(name),
        "",
        language=b.name(before[0]) if before else None,
        themes=() if themes is None else theme_names(b, themes),
        span=b.span(t),
    )


def _header_line(b: Builder, header: syntax.Header, line: Tree[Token]) -> syntax.Header:
    first, *rest = parts(line)
    match str(line.data):
        case "extends":
            return attrs.evolve(header, extends=b.name_list(first))
        case "over":
            return attrs.evolve(header, over=b.name_list(first))
        case "comes_with":
            return attrs.evolve(header, companions=b.name_list(first))
        case "boards":
            return attrs.evolve(header, boards=b.name_list(first))
        case "seats":
            return attrs.evolve(header, seats=b.name_list(first))
        case "players":
            fewest = b.number(first)
            most = fewest if rest[0] is None else b.number(rest[0])
            return attrs.evolve(header, players=(fewest, most))
        case "themes":
            return attrs.evolve(header, themes=b.name_list(first))
        case "turns":
            return attrs.evolve(header, turns=b.number(first))
        case "rounds":
            return attrs.evolve(header, rounds=b.number(first))
        case "team":
            (members,) = rest
            team = syntax.Team(b.name(first), b.name_list(members), span=b.span(line))
            return attrs.evolve(header, teams=(*header.teams, team))
        case _:
            text, language = rest
            source = syntax.Source(
                b.name(first),
                b.text(text),
                b.optional_name(language),
                span=b.span(line),
            )
            others = [declared.name for declared in header.sources]
            report_duplicate(
                b, source.name, others, f"the header has `source {source.name.text}`"
            )
            return attrs.evolve(header, sources=(*header.sources, source))


def _plural(b: Builder, branch: Branch) -> syntax.Name | None:
    if branch is None:
        return None
    assert isinstance(branch, Tree)
    return b.name(parts(branch)[0])


# ---------------------------------------------------------------- components


@RULES("kind_members")
def _kind_members(b: Builder, t: Tree[Token]) -> syntax.KindClause:
    name, plural, members, cites = parts(t)
    return syntax.KindClause(
        b.name(name),
        _plural(b, plural),
        b.name_list(members),
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("kind_table")
def _kind_table(b: Builder, t: Tree[Token]) -> syntax.KindClause:
    name, plural, cites, table = parts(t)
    return syntax.KindClause(
        b.name(name),
        _plural(b, plural),
        table=b.node(syntax.Table, table),
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("cards")
def _cards(b: Builder, t: Tree[Token]) -> syntax.CardsClause:
    name, plural, cites, table = parts(t)
    return syntax.CardsClause(
        b.name(name),
        _plural(b, plural),
        b.node(syntax.Table, table),
        cites=b.cites(cites),
        span=b.span(t),
    )


RULES.add_node(
    "columns", syntax.ColumnsClause, Builder.name, Builder.cites, node_of(syntax.Table)
)


@RULES("cards_axes")
def _cards_axes(b: Builder, t: Tree[Token]) -> syntax.CardsClause:
    name, plural, body, cites = parts(t)
    assert isinstance(body, Tree)
    *axes, each = parts(body)
    return syntax.CardsClause(
        b.name(name),
        _plural(b, plural),
        axes=b.nodes(syntax.AxisPhrase, axes),
        each=None if each is None else b.expr(each),
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("spaces_table")
def _spaces_table(b: Builder, t: Tree[Token]) -> syntax.SpacesClause:
    name, plural, each_player, cites, table = parts(t)
    return syntax.SpacesClause(
        b.name(name),
        _plural(b, plural),
        each_player is not None,
        table=b.node(syntax.Table, table),
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("spaces_axes")
def _spaces_axes(b: Builder, t: Tree[Token]) -> syntax.SpacesClause:
    name, plural, each_player, axes, cites = parts(t)
    assert isinstance(axes, Tree)
    return syntax.SpacesClause(
        b.name(name),
        _plural(b, plural),
        each_player is not None,
        b.nodes(syntax.AxisPhrase, parts(axes)),
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("spaces_on_sides")
def _spaces_on_sides(b: Builder, t: Tree[Token]) -> syntax.SpacesClause:
    name, plural, space, side, cites = parts(t)
    home = b.name(space)
    return syntax.SpacesClause(
        b.name(name),
        _plural(b, plural),
        axes=(
            syntax.AxisPhrase(home, span=home.span),
            b.node(syntax.AxisPhrase, side),
        ),
        on_sides=True,
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("axis_range")
def _axis_range(b: Builder, t: Tree[Token]) -> syntax.AxisPhrase:
    name, reach = parts(t)
    return syntax.AxisPhrase(
        b.name(name), range=b.node(syntax.RangeType, reach), span=b.span(t)
    )


RULES.add_node("axis_own", syntax.AxisPhrase, Builder.name)


@RULES("axis_kind")
def _axis_kind(b: Builder, t: Tree[Token]) -> syntax.AxisPhrase:
    name, kind = parts(t)
    return syntax.AxisPhrase(b.name(name), kind=b.name(kind), span=b.span(t))


@RULES("hexes")
def _hexes(b: Builder, t: Tree[Token]) -> syntax.HexesClause:
    name, plural, orientation, cites, table = parts(t)
    return syntax.HexesClause(
        b.name(name),
        _plural(b, plural),
        b.word(orientation),
        b.node(syntax.Table, table),
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("corners")
def _corners(b: Builder, t: Tree[Token]) -> syntax.CornersClause:
    name, plural, cites, table = parts(t)
    return syntax.CornersClause(
        b.name(name),
        _plural(b, plural),
        b.optional_node(syntax.Table, table),
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("links_table")
def _links_table(b: Builder, t: Tree[Token]) -> syntax.LinksClause:
    name, plural, cites, table = parts(t)
    return syntax.LinksClause(
        b.name(name),
        _plural(b, plural),
        b.optional_node(syntax.Table, table),
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("links_strides")
def _links_strides(b: Builder, t: Tree[Token]) -> syntax.LinksClause:
    name, plural, between, *strides, cites = parts(t)
    return syntax.LinksClause(
        b.name(name),
        _plural(b, plural),
        between=b.name(between),
        strides=b.nodes(syntax.Stride, strides),
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("stride")
def _stride(b: Builder, t: Tree[Token]) -> syntax.Stride:
    steps = b.nodes(syntax.Number, parts(t))
    return syntax.Stride(tuple(step.value for step in steps), span=b.span(t))


RULES.add_node(
    "dice_numbers",
    syntax.DiceClause,
    Builder.name_list,
    node_of(syntax.RangeType),
    Builder.cites,
)


@RULES("dice_faces")
def _dice_faces(b: Builder, t: Tree[Token]) -> syntax.DiceClause:
    names, faces, cites = parts(t)
    return syntax.DiceClause(
        b.name_list(names),
        faces=b.name_list(faces),
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("piece_each")
def _piece_each(b: Builder, t: Tree[Token]) -> syntax.PieceClause:
    name, plural, count, owner, stands_on, cites = parts(t)
    return _piece(b, t, (name, plural, count, stands_on, cites), b.name(owner))


@RULES("piece_all")
def _piece_all(b: Builder, t: Tree[Token]) -> syntax.PieceClause:
    name, plural, count, stands_on, cites = parts(t)
    return _piece(b, t, (name, plural, count, stands_on, cites), None)


def _piece(
    b: Builder,
    t: Tree[Token],
    branches: tuple[Branch, ...],
    owner: syntax.Name | None,
) -> syntax.PieceClause:
    name, plural, count, stands_on, cites = branches
    spaces, room = (
        (None, None) if stands_on is None else parts(cast("Tree[Token]", stands_on))
    )
    return syntax.PieceClause(
        b.name(name),
        _plural(b, plural),
        b.expr(count),
        owner,
        () if spaces is None else b.name_list(spaces),
        b.optional_node(syntax.RoomPhrase, room),
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("room_any")
def _room_any(b: Builder, t: Tree[Token]) -> syntax.RoomPhrase:
    return syntax.RoomPhrase(None, span=b.span(t))


@RULES("room_up_to")
def _room_up_to(b: Builder, t: Tree[Token]) -> syntax.RoomPhrase:
    most, owner = parts(t)
    return syntax.RoomPhrase(b.expr(most), b.optional_name(owner), span=b.span(t))


# ---------------------------------------------------------------- numbers and costs


@RULES("option")
def _option(b: Builder, t: Tree[Token]) -> syntax.OptionClause:
    name, reach, cases, text, cites = parts(t)
    assert isinstance(cases, Tree)
    return syntax.OptionClause(
        b.name(name),
        b.optional_node(syntax.RangeType, reach),
        _cases(b, cases),
        b.optional_text(text),
        cites=b.cites(cites),
        span=b.span(t),
    )


def _cases(
    b: Builder, cases: Tree[Token]
) -> tuple[tuple[syntax.Expr, syntax.Expr | None], ...]:
    *guarded, last = parts(cases)
    built: list[tuple[syntax.Expr, syntax.Expr | None]] = []
    for branch in guarded:
        assert isinstance(branch, Tree)
        value, condition = parts(branch)
        built.append((b.expr(value), b.expr(condition)))
    built.append((b.expr(last), None))
    return tuple(built)


@RULES("costs")
def _costs(b: Builder, t: Tree[Token]) -> tuple[syntax.CostClause, ...]:
    cites, *lines = parts(t)
    common = b.cites(cites)
    clauses = b.nodes(syntax.CostClause, lines)
    return tuple(
        attrs.evolve(clause, cites=clause.cites + common) for clause in clauses
    )


@RULES("cost", "cost_line")
def _cost(b: Builder, t: Tree[Token]) -> syntax.CostClause:
    name, amounts, cites = parts(t)
    return syntax.CostClause(
        b.name(name),
        b.node(syntax.Amounts, amounts),
        cites=b.cites(cites),
        span=b.span(t),
    )


RULES.add_node(
    "limit",
    syntax.LimitClause,
    Builder.name,
    Builder.expr,
    Builder.word,
    Builder.name_list,
    Builder.text,
    Builder.cites,
)
RULES.add_node(
    "payments_move",
    syntax.PaymentsClause,
    node_of(syntax.ParameterPhrase),
    Builder.expr,
    Builder.expr,
    Builder.cites,
)


@RULES("payments_by")
def _payments_by(b: Builder, t: Tree[Token]) -> syntax.PaymentsClause:
    subject, procedure, condition, cites = parts(t)
    return syntax.PaymentsClause(
        b.node(syntax.ParameterPhrase, subject),
        by=b.name(procedure),
        condition=b.name(condition),
        cites=b.cites(cites),
        span=b.span(t),
    )
