"""Node builders for types, fields, definitions, points, awards and texts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import attrs
from lark import Token, Tree

from rulebook import syntax
from rulebook.parse import statement_builders
from rulebook.parse.node_builder import Branch, Builder, BuilderTable, parts
from rulebook.source.spans import Cite

RULES = BuilderTable()


# ---------------------------------------------------------------- types and fields


RULES.add_node("range", syntax.RangeType, Builder.expr, Builder.expr)


@RULES("maybe_range")
def _maybe_range(b: Builder, t: Tree[Token]) -> syntax.RangeType:
    (reach,) = parts(t)
    range_type = b.node(syntax.RangeType, reach)
    return attrs.evolve(range_type, optional=True, span=b.span(t))


@RULES("yes_no_type")
def _yes_no_type(b: Builder, t: Tree[Token]) -> syntax.YesNoType:
    return syntax.YesNoType(span=b.span(t))


@RULES("kind_type", "maybe_type")
def _kind_type(b: Builder, t: Tree[Token]) -> syntax.KindType:
    (name,) = parts(t)
    return syntax.KindType(b.name(name), t.data == "maybe_type", span=b.span(t))


@RULES("holder_type")
def _holder_type(b: Builder, t: Tree[Token]) -> syntax.HolderType:
    endless, holder, name = parts(t)
    return syntax.HolderType(
        b.word(holder), b.name(name), endless is not None, span=b.span(t)
    )


def _type(b: Builder, branch: Branch) -> syntax.TypeExpr:
    return cast("syntax.TypeExpr", b.build(branch))


@RULES("fields_each")
def _fields_each(b: Builder, t: Tree[Token]) -> syntax.FieldsClause:
    owner, cites, *fields = parts(t)
    return syntax.FieldsClause(
        b.name(owner),
        b.nodes(syntax.FieldLine, fields),
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("fields_game")
def _fields_game(b: Builder, t: Tree[Token]) -> syntax.FieldsClause:
    cites, *fields = parts(t)
    return syntax.FieldsClause(
        None, b.nodes(syntax.FieldLine, fields), cites=b.cites(cites), span=b.span(t)
    )


@RULES("field")
def _field(b: Builder, t: Tree[Token]) -> syntax.FieldLine:
    name, params, kind, *features, cites = parts(t)
    field = syntax.FieldLine(
        b.name(name),
        _type(b, kind),
        parameters=parameters(b, params),
        cites=b.cites(cites),
        span=b.span(t),
    )
    features_by_sort: dict[str, Branch] = {}
    for feature in features:
        assert isinstance(feature, Tree)
        sort = "starts" if feature.data.startswith("starts") else str(feature.data)
        if sort in features_by_sort:
            b.report(
                "RB024",
                f"the field has `{sort.replace('_', ' ')}` twice",
                b.span(feature),
                related=((b.span(features_by_sort[sort]), "first given here"),),
            )
            continue
        features_by_sort[sort] = feature
        field = _field_part(b, field, feature)
    return field


def _field_part(
    b: Builder, field: syntax.FieldLine, t: Tree[Token]
) -> syntax.FieldLine:
    match str(t.data):
        case "seen_by":
            return attrs.evolve(field, seen_by=str(parts(t)[0]))
        case "starts_at":
            return attrs.evolve(field, starts_at=b.expr(parts(t)[0]))
        case "starts_of_each":
            return attrs.evolve(field, starts_of_each=b.expr(parts(t)[0]))
        case "starts_every":
            return attrs.evolve(field, starts_every=b.name(parts(t)[0]))
        case "starts_with":
            amounts = b.nodes(syntax.Amount, parts(t))
            return attrs.evolve(
                field, starts_at=syntax.Amounts(amounts, span=b.span(t))
            )
        case "not_shown":
            return attrs.evolve(field, shown=False)
        case _:
            return attrs.evolve(field, resets=True)


# ---------------------------------------------------------------- definitions


@RULES("number_param")
def _number_param(b: Builder, t: Tree[Token]) -> syntax.ParameterPhrase:
    reach, name = parts(t)
    return syntax.ParameterPhrase(
        None, b.name(name), b.node(syntax.RangeType, reach), span=b.span(t)
    )


@RULES("kind_param")
def _kind_param(b: Builder, t: Tree[Token]) -> syntax.ParameterPhrase:
    kind, name = parts(t)
    return syntax.ParameterPhrase(
        b.name(kind), b.name(kind if name is None else name), span=b.span(t)
    )


@RULES("holder_param")
def _holder_param(b: Builder, t: Tree[Token]) -> syntax.ParameterPhrase:
    form, kind, name = parts(t)
    return syntax.ParameterPhrase(
        attrs.evolve(b.name(form), text=str(form).split()[0]),
        b.name(name),
        held=b.name(kind),
        span=b.span(t),
    )


def parameters(b: Builder, branch: Branch) -> tuple[syntax.ParameterPhrase, ...]:
    """Return the parameters in brackets, or () if there are no brackets."""
    if branch is None:
        return ()
    assert isinstance(branch, Tree)
    return b.nodes(syntax.ParameterPhrase, parts(branch))


@RULES("property")
def _property(b: Builder, t: Tree[Token]) -> syntax.PropertySignature:
    subject, name, params, kind = parts(t)
    return syntax.PropertySignature(
        b.node(syntax.ParameterPhrase, subject),
        b.name(name),
        parameters(b, params),
        None if kind is None else _type(b, kind),
        span=b.span(t),
    )


@RULES("predicate")
def _predicate(b: Builder, t: Tree[Token]) -> syntax.PredicateSignature:
    subject, name, preposition, thing = parts(t)
    return syntax.PredicateSignature(
        b.node(syntax.ParameterPhrase, subject),
        b.name(name),
        None if preposition is None else str(preposition),
        b.optional_node(syntax.ParameterPhrase, thing),
        span=b.span(t),
    )


@RULES("value")
def _value(b: Builder, t: Tree[Token]) -> syntax.ValueSignature:
    name, params, kind = parts(t)
    return syntax.ValueSignature(
        b.name(name),
        parameters(b, params),
        None if kind is None else _type(b, kind),
        span=b.span(t),
    )


def signature_of(b: Builder, branch: Branch) -> syntax.Signature:
    """Return the signature of a definition."""
    return cast("syntax.Signature", b.build(branch))


@RULES("define_lines")
def _define_lines(b: Builder, t: Tree[Token]) -> syntax.DefineClause:
    signature, cites, *below = parts(t)
    names, lines = names_and_lines(b, below)
    return syntax.DefineClause(
        signature_of(b, signature), lines, names, cites=b.cites(cites), span=b.span(t)
    )


def names_and_lines(
    b: Builder, branches: Iterable[Branch]
) -> tuple[tuple[syntax.Let, ...], tuple[syntax.DefinitionLine, ...]]:
    """Return the `let` names and the value lines below the head of a definition."""
    below = [b.build(branch) for branch in branches]
    names = [node for node in below if isinstance(node, syntax.Let)]
    lines = [node for node in below if isinstance(node, syntax.DefinitionLine)]
    return tuple(names), tuple(lines)


RULES.add_node("def_name", syntax.Let, Builder.name, Builder.expr, Builder.cites)


@RULES("define_value")
def _define_value(b: Builder, t: Tree[Token]) -> syntax.DefineClause:
    signature, value, cites = parts(t)
    line = syntax.DefinitionLine(b.expr(value), span=b.span(value))
    return syntax.DefineClause(
        signature_of(b, signature), (line,), cites=b.cites(cites), span=b.span(t)
    )


@RULES("define_table")
def _define_table(b: Builder, t: Tree[Token]) -> syntax.DefineClause:
    signature, cites, table = parts(t)
    return syntax.DefineClause(
        signature_of(b, signature),
        (),
        table=b.node(syntax.Table, table),
        cites=b.cites(cites),
        span=b.span(t),
    )


RULES.add_node("plain_line", syntax.DefinitionLine, Builder.expr, Builder.cites)
RULES.add_node(
    "when_line", syntax.DefinitionLine, Builder.expr, Builder.expr, Builder.cites
)


@RULES("labelled_line")
def _labelled_line(b: Builder, t: Tree[Token]) -> syntax.DefinitionLine:
    label, value, condition, cites = parts(t)
    return syntax.DefinitionLine(
        b.expr(value),
        b.optional_expr(condition),
        b.name(label),
        cites=b.cites(cites),
        span=b.span(t),
    )


# ---------------------------------------------------------------- points and awards


@RULES("points")
def _points(b: Builder, t: Tree[Token]) -> syntax.PointsClause:
    subject, cites, *lines = parts(t)
    return syntax.PointsClause(
        b.node(syntax.ParameterPhrase, subject),
        b.nodes(syntax.PointsLine, lines),
        cites=b.cites(cites),
        span=b.span(t),
    )


RULES.add_node(
    "point_line",
    syntax.PointsLine,
    Builder.name,
    Builder.expr,
    Builder.optional_expr,
    Builder.cites,
)


@RULES("hint_value")
def _hint_value(b: Builder, t: Tree[Token]) -> syntax.HintValueClause:
    subject, cites, *lines = parts(t)
    return syntax.HintValueClause(
        b.node(syntax.ParameterPhrase, subject),
        b.nodes(syntax.PointsLine, lines),
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("game_measure")
def _measure(b: Builder, t: Tree[Token]) -> syntax.MeasureClause:
    name, subject, each_turn, value, unit, cites = parts(t)
    return syntax.MeasureClause(
        b.name(name),
        b.optional_node(syntax.ParameterPhrase, subject),
        each_turn is not None,
        b.expr(value),
        b.optional_text(unit) or "",
        cites=b.cites(cites),
        span=b.span(t),
    )


@attrs.frozen
class AwardPart:
    """Line of an award: the attribute that it sets, the value, and the citations."""

    part: syntax.AwardLine
    value: object
    cites: tuple[Cite, ...]


@RULES("award_most", "award_at_least", "award_only_if")
def _award_measure(b: Builder, t: Tree[Token]) -> AwardPart:
    value, cites = parts(t)
    return AwardPart(_award_line(t), b.expr(value), b.cites(cites))


@RULES("award_tie_holder", "award_tie_nobody")
def _award_tie(b: Builder, t: Tree[Token]) -> AwardPart:
    (cites,) = parts(t)
    tie = syntax.Tie(t.data.removeprefix("award_tie_"))
    return AwardPart(syntax.AwardLine.TIE, tie, b.cites(cites))


@RULES("award_gained", "award_lost")
def _award_change(b: Builder, t: Tree[Token]) -> AwardPart:
    (inner,) = parts(t)
    cites, body = statement_builders.block(b, inner)
    return AwardPart(_award_line(t), body, cites)


def _award_line(t: Tree[Token]) -> syntax.AwardLine:
    return syntax.AwardLine(t.data.removeprefix("award_"))


@RULES("award")
def _award(b: Builder, t: Tree[Token]) -> syntax.AwardClause:
    name, subject, cites, *lines = parts(t)
    citations = b.cites(cites)
    values: dict[str, Any] = {}
    first: dict[str, Branch] = {}
    for line in lines:
        part = b.node(AwardPart, line)
        if part.part in values:
            b.report(
                "RB024",
                f"the award has `{AWARD_WORDS[part.part]}` twice",
                b.span(line),
                related=((b.span(first[part.part]), "first given here"),),
            )
            continue
        values[part.part] = part.value
        if part.part is syntax.AwardLine.TIE:
            values["tie_span"] = b.span(line)
        first[part.part] = line
        citations += part.cites
    clause = syntax.AwardClause(
        b.name(name),
        b.node(syntax.ParameterPhrase, subject),
        cites=citations,
        span=b.span(t),
    )
    return attrs.evolve(clause, **values)


AWARD_WORDS = {
    syntax.AwardLine.MOST: "most",
    syntax.AwardLine.AT_LEAST: "at least",
    syntax.AwardLine.ONLY_IF: "only if",
    syntax.AwardLine.TIE: "on a tie",
    syntax.AwardLine.GAINED: "when gained",
    syntax.AwardLine.LOST: "when lost",
}
"""Words that start the lines of an award, by the attribute that the line sets."""


# ---------------------------------------------------------------- texts


@RULES("words")
def _words(b: Builder, t: Tree[Token]) -> syntax.WordsClause:
    sort, language, *lines = parts(t)
    return syntax.WordsClause(
        b.optional_name(language),
        b.nodes(syntax.WordLine, lines),
        syntax.TextSort(b.word(sort)),
        span=b.span(t),
    )


@RULES("words_of")
def _clause_words(b: Builder, t: Tree[Token]) -> syntax.WordsClause:
    """Build the words of a clause, and of its parts, which are named by label."""
    name, text, *parts_ = parts(t)
    subject = b.name(name)
    own = [] if text is None else [_word_of(b, subject, text)]
    inner = b.nodes(syntax.WordLine, (part for part in parts_ if part is not None))
    below = (attrs.evolve(line, path=(subject, *line.path)) for line in inner)
    return syntax.WordsClause(None, (*own, *below), span=b.span(t))


def _word_of(b: Builder, subject: syntax.Name, text: Branch) -> syntax.WordLine:
    return syntax.WordLine(
        (subject,),
        (b.text(text),),
        b.gap_paths([text]),
        kinds=b.gap_kinds([text]),
        span=b.span(text),
    )


@RULES("word_line")
def _word_line(b: Builder, t: Tree[Token]) -> syntax.WordLine:
    path, *texts = parts(t)
    return syntax.WordLine(
        b.name_list(path),
        tuple(b.text(text) for text in texts),
        b.gap_paths(texts),
        kinds=b.gap_kinds(texts),
        span=b.span(t),
    )


@RULES("sentence_line")
def _sentence_line(b: Builder, t: Tree[Token]) -> syntax.WordLine:
    """Build the words for a sentence; its path is the sentence in quotes."""
    sentence, text = parts(t)
    return syntax.WordLine(
        (b.name(sentence),),
        (b.text(text),),
        b.gap_paths([sentence, text]),
        is_sentence=True,
        span=b.span(t),
    )


@RULES("citations")
def _citations(b: Builder, t: Tree[Token]) -> syntax.CitationsClause:
    return syntax.CitationsClause(b.nodes(syntax.CiteLine, parts(t)), span=b.span(t))


@RULES("cite_line")
def _cite_line(b: Builder, t: Tree[Token]) -> syntax.CiteLine:
    path, *cites = parts(t)
    return syntax.CiteLine(b.name_list(path), b.nodes(Cite, cites), span=b.span(t))
