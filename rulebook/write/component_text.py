"""Writers of kinds, boards, pieces and costs as rule text."""

from __future__ import annotations

from rulebook import syntax
from rulebook.write.expression_text import (
    expr,
    names,
    parameter,
    postfix,
    type_,
)
from rulebook.write.table_text import table
from rulebook.write.text_lines import Line, clause_line, indent, quote


def _plural(name: syntax.Name | None) -> str:
    return "" if name is None else f" ({name.text})"


Domain = (
    syntax.KindClause
    | syntax.CardsClause
    | syntax.ColumnsClause
    | syntax.SpacesClause
    | syntax.HexesClause
    | syntax.CornersClause
    | syntax.LinksClause
)


def domain(node: Domain) -> list[Line]:
    """Return the text lines of a clause with members: a kind, cards, or a board."""
    if isinstance(node, syntax.ColumnsClause):
        return [
            clause_line(node, f"columns of {node.name.text}"),
            *indent(table(node.table)),
        ]
    named = f"{node.name.text}{_plural(node.plural)}"
    match node:
        case syntax.KindClause(members=members) if node.table is None:
            head = f"kind {named}: {names(members)}"
        case syntax.KindClause():
            head = f"kind {named}"
        case syntax.CardsClause(axes=axes, each=each):
            head = f"cards {named}"
            if axes:
                head += f" by {', '.join(map(_axis, axes))}"
            if each is not None:
                head += f", {expr(each)} of each"
        case syntax.SpacesClause(axes=(home, side), on_sides=True):
            head = f"spaces {named} on the sides of {home.name.text} by {_axis(side)}"
        case syntax.SpacesClause(each_player=each_player, axes=axes):
            head = f"spaces {named}{' of each player' * each_player}"
            if node.table is None:
                head += f" by {', '.join(map(_axis, axes))}"
        case syntax.HexesClause(orientation=orientation):
            head = f"hexes {named} {orientation}"
        case syntax.CornersClause():
            head = f"corners {named}"
        case syntax.LinksClause(between=between, strides=strides):
            head = f"links {named}"
            if between is not None:
                head += f" between {between.text} by {', '.join(map(_stride, strides))}"
    below = [] if node.table is None else indent(table(node.table))
    return [clause_line(node, head), *below]


def _axis(node: syntax.AxisPhrase) -> str:
    if node.range is not None:
        return f"{node.name.text} {type_(node.range)}"
    if node.kind is None:
        return node.name.text
    return f"{node.name.text} in {node.kind.text}"


def _stride(node: syntax.Stride) -> str:
    return f"({', '.join(map(str, node.steps))})"


Component = (
    syntax.OptionClause
    | syntax.CostClause
    | syntax.DiceClause
    | syntax.PieceClause
    | syntax.LimitClause
    | syntax.PaymentsClause
)


def _for_each(owner: syntax.Name | None) -> str:
    return "" if owner is None else f" for each {owner.text}"


def _room(node: syntax.RoomPhrase | None) -> str:
    if node is None:
        return ""
    if node.maximum is None:
        return ", any number"
    return f", up to {expr(node.maximum)}{_for_each(node.owner)}"


def component(node: Component) -> str:
    """Return the line of text for a component, a cost or a limit."""
    match node:
        case syntax.OptionClause(name, reach, default, text):
            bounds = "" if reach is None else f" ({type_(reach)})"
            return f"option {name.text}{bounds}: {_cases(default)}{quote(text)}"
        case syntax.CostClause(name, amounts):
            return f"cost {name.text}: {expr(amounts)}"
        case syntax.DiceClause(dice, reach, faces):
            shown = names(faces) if reach is None else type_(reach)
            return f"dice {names(dice)}: {shown}"
        case syntax.PieceClause(name, plural, count, owner, stands_on, room):
            whose = _for_each(owner) or " in all"
            stands = f", stands on {names(stands_on, ' or ')}" if stands_on else ""
            stands += _room(room)
            named = f"{name.text}{_plural(plural)}"
            return f"piece {named}: {expr(count)}{whose}{stands}"
        case syntax.LimitClause(name, count, period, actions, reason):
            most = f"at most {expr(count)} each {period} of {names(actions)}"
            return f'limit {name.text}: {most} "{reason}"'
        case syntax.PaymentsClause(subject, source, destination, by, condition):
            head = f"payments of {parameter(subject)}:"
            if source is not None and destination is not None:
                return f"{head} {postfix(source)} to {postfix(destination)}"
            assert by is not None
            assert condition is not None
            return f"{head} by {by.text} if {condition.text}"


def _cases(cases: tuple[tuple[syntax.Expr, syntax.Expr | None], ...]) -> str:
    if len(cases) == 1:
        return expr(cases[0][0])
    return ", ".join(
        f"otherwise {expr(value)}"
        if condition is None
        else f"{expr(value)} if {expr(condition)}"
        for value, condition in cases
    )
