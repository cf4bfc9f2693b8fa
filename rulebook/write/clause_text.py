"""Writers of clauses and amendments as rule text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never, cast

from rulebook import syntax
from rulebook.write.component_text import Component, component, domain
from rulebook.write.expression_text import (
    binder,
    expr,
    names,
    parameter,
    parameters,
    type_,
)
from rulebook.write.statement_text import (
    block,
    call,
    price_text,
    statement,
    statements,
)
from rulebook.write.table_text import table, table_row
from rulebook.write.text_lines import Line, clause_line, indent, quote


def clause(
    node: syntax.Declaration | syntax.Amendment | syntax.Phase,
) -> list[Line]:
    """Return the text lines of a clause or an amendment."""
    if isinstance(node, Component):
        return [clause_line(node, component(node))]
    if isinstance(node, _Flow):
        return _flow(node)
    match node:
        case syntax.Phase():
            return _phase(node)
        case syntax.Replace(inner):
            return _add_prefix("replace ", clause(inner))
        case syntax.Remove(sort, name):
            quoted = sort in ("scenario", "invariant")
            what = f'"{name.text}"' if quoted else name.text.replace(".", " ")
            return [clause_line(node, f"remove {sort} {what}")]
        case syntax.Within(sort, owner, edits):
            head = f"in {sort}" + ("" if owner is None else f" {owner.text}")
            return [clause_line(node, head), *indent(_lines(edits, _edit))]
        case (
            syntax.KindClause()
            | syntax.CardsClause()
            | syntax.ColumnsClause()
            | syntax.SpacesClause()
            | syntax.HexesClause()
            | syntax.CornersClause()
            | syntax.LinksClause()
        ):
            return domain(node)
        case _:
            return _values(node)


def _lines(nodes: Sequence[object], write: object) -> list[Line]:
    return [line for node in nodes for line in write(node)]  # type: ignore[operator]


def _measure(node: syntax.MeasureClause) -> str:
    """Return a measure clause as a line of rule text."""
    subject = "" if node.subject is None else f" of {parameter(node.subject)}"
    when = " each turn" if node.each_turn else ""
    unit = f' "{node.unit}"' if node.unit else ""
    return f"measure {node.name.text}{subject}{when}: {expr(node.value)}{unit}"


def _add_prefix(prefix: str, lines: list[Line]) -> list[Line]:
    first, *rest = lines
    return [Line(prefix + first.text, first.depth, first.cites, first.span), *rest]


# ---------------------------------------------------------------- values

_Values = (
    syntax.FieldsClause
    | syntax.DefineClause
    | syntax.ExpectClause
    | syntax.ExpectNamesClause
    | syntax.ExpectProcedureClause
    | syntax.PointsClause
    | syntax.HintValueClause
    | syntax.MeasureClause
    | syntax.HintClause
    | syntax.ColourClause
    | syntax.DrawingClause
    | syntax.AwardClause
    | syntax.WordsClause
    | syntax.CitationsClause
    | syntax.SectionClause
    | syntax.HeadingsClause
    | syntax.AsInClause
)


def _values(node: _Values) -> list[Line]:
    match node:
        case syntax.FieldsClause(owner, fields):
            head = "the game has" if owner is None else f"each {owner.text} has"
            return [clause_line(node, head), *indent(_field(field) for field in fields)]
        case syntax.DefineClause():
            return _define(node)
        case (
            syntax.ExpectClause()
            | syntax.ExpectNamesClause()
            | syntax.ExpectProcedureClause()
        ):
            return _expect(node)
        case syntax.PointsClause(subject, lines):
            head = f"points of {parameter(subject)}"
            return [
                clause_line(node, head),
                *indent(_point_line(line) for line in lines),
            ]
        case syntax.HintValueClause(subject, lines):
            head = f"hint value of {parameter(subject)}"
            return [
                clause_line(node, head),
                *indent(_point_line(line) for line in lines),
            ]
        case syntax.MeasureClause():
            return [clause_line(node, _measure(node))]
        case syntax.HintClause(word, name, text):
            return [clause_line(node, f'hint {word.text} {name.text}: "{text}"')]
        case syntax.ColourClause(name, text):
            return [clause_line(node, f'colour {name.text}: "{text}"')]
        case syntax.DrawingClause(name, drawn):
            return [clause_line(node, f"drawing {name.text}"), *indent(table(drawn))]
        case syntax.AwardClause():
            return _award(node)
        case syntax.WordsClause(language, words, sort):
            head = sort if language is None else f"{sort} {language.text}"
            return [
                clause_line(node, head),
                *indent(_word_line(line) for line in words),
            ]
        case syntax.CitationsClause(cited):
            below = (
                Line(names(line.path, "."), 0, line.cites, line.span) for line in cited
            )
            return [clause_line(node, "citations"), *indent(below)]
        case syntax.SectionClause(titles, example):
            quoted = ", ".join(f'"{title}"' for title in titles)
            return [clause_line(node, f"section {quoted}{', example' * example}")]
        case syntax.HeadingsClause(sources, rows):
            below = (Line(" | ".join(map(_heading, row)), 0, ()) for row in rows)
            return [clause_line(node, f"headings {names(sources)}"), *indent(below)]
        case syntax.AsInClause(library, lines):
            head = f"as in {library.text}"
            return [clause_line(node, head), *indent(_as_line(line) for line in lines)]
        case _:
            assert_never(node)


def _heading(text: str) -> str:
    return f'"{text}"' if text else "-"


def _as_line(node: syntax.AsInLine) -> Line:
    paths = ", ".join(names(path, ".") for path in node.paths)
    return clause_line(node, f"{paths}{quote(node.text)}")


def _word_line(node: syntax.WordLine) -> Line:
    texts = ", ".join(f'"{text}"' for text in node.texts)
    return Line(f"{names(node.path, '.')} = {texts}", 0, (), node.span)


def _field(node: syntax.FieldLine) -> Line:
    phrases = [f"{node.name.text}{parameters(node.parameters)}: {type_(node.type)}"]
    if node.seen_by != syntax.FieldLine(node.name, node.type).seen_by:
        phrases.append(f"seen by {node.seen_by}")
    if isinstance(node.starts_at, syntax.Amounts):
        amounts = [f"{each.count} {each.name.text}" for each in node.starts_at.amounts]
        phrases.append(f"starts with {' and '.join(amounts)}")
    elif node.starts_at is not None:
        phrases.append(f"starts at {expr(node.starts_at)}")
    if node.starts_of_each is not None:
        phrases.append(f"starts with {expr(node.starts_of_each)} of each")
    if node.starts_every is not None:
        phrases.append(f"starts with every {node.starts_every.text}")
    if node.resets:
        phrases.append("resets each turn")
    if not node.shown:
        phrases.append("not shown")
    return clause_line(node, ", ".join(phrases))


def _expect(node: syntax.Expectation) -> list[Line]:
    below: list[Line] = []
    match node:
        case syntax.ExpectNamesClause(sort, named, _):
            head = f"{sort} {names(named)}"
        case syntax.ExpectProcedureClause(name, given, _, default):
            head = f"to {name.text}{parameters(given)}"
            if default is not None and not default.body:
                head += ", otherwise nothing"
            elif default is not None:
                below = statements(default.body)
        case syntax.ExpectClause(_, _, default):
            define = (
                syntax.DefineClause(node.signature, ()) if default is None else default
            )
            first, *below = _define(define)
            head = first.text
    return [clause_line(node, f"expect {head}{quote(node.text)}"), *indent(below)]


def _define(node: syntax.DefineClause) -> list[Line]:
    head = f"define {_signature(node.signature)}"
    if node.table is not None:
        return [clause_line(node, head), *indent(table(node.table))]
    if not node.lines:
        return [clause_line(node, head)]
    first = node.lines[0]
    bare = first.condition is None and first.label is None and not first.cites
    on_head = first.span.line == node.signature.span.end_line
    if len(node.lines) == 1 and bare and on_head and not node.names:
        return [clause_line(node, f"{head} = {expr(first.value)}")]
    last = len(node.lines) - 1
    named = statements(node.names)
    below = [
        define_line(line, is_last=0 < index == last)
        for index, line in enumerate(node.lines)
    ]
    return [clause_line(node, head), *indent([*named, *below])]


def _signature(node: syntax.Signature) -> str:
    match node:
        case syntax.PropertySignature(subject, name, given, result):
            text = f"{parameter(subject)}'s {name.text}{parameters(given)}"
        case syntax.PredicateSignature(subject, name, preposition, thing):
            text = f"{parameter(subject)} is {name.text}"
            return text if thing is None else f"{text} {preposition} {parameter(thing)}"
        case syntax.ValueSignature(name, given, result):
            text = f"{name.text}{parameters(given)}"
    return text if result is None else f"{text}: {type_(result)}"


def define_line(node: syntax.DefinitionLine, *, is_last: bool = False) -> Line:
    """Return a definition's line as text; the last of several may need `otherwise`."""
    label = "" if node.label is None else f"{node.label.text}: "
    condition = "" if node.condition is None else f" if {expr(node.condition)}"
    other = "otherwise " * (is_last and not label and not condition)
    return clause_line(node, f"{other}{label}{expr(node.value)}{condition}")


def _point_line(node: syntax.PointsLine) -> Line:
    condition = "" if node.condition is None else f" if {expr(node.condition)}"
    return clause_line(node, f"{node.label.text}: {expr(node.value)}{condition}")


def _award(node: syntax.AwardClause) -> list[Line]:
    head = f"award {node.name.text} of {parameter(node.subject)}"
    parts: tuple[tuple[syntax.AwardLine, object], ...] = (
        (syntax.AwardLine.MOST, node.most),
        (syntax.AwardLine.AT_LEAST, node.at_least),
        (syntax.AwardLine.ONLY_IF, node.only_if),
        (syntax.AwardLine.TIE, node.tie),
        (syntax.AwardLine.GAINED, node.gained or None),
        (syntax.AwardLine.LOST, node.lost or None),
    )
    below = [
        line
        for part, value in parts
        if value is not None
        for line in _award_part(node, part, value)
    ]
    return [clause_line(node, head), *indent(below)]


_AWARD_MEASURES = {
    syntax.AwardLine.MOST: "most",
    syntax.AwardLine.AT_LEAST: "at least",
    syntax.AwardLine.ONLY_IF: "only if",
}


def _award_part(node: syntax.Node, part: syntax.AwardLine, value: object) -> list[Line]:
    """Return the text lines of one part of an award; short blocks stay on one line."""
    if part in _AWARD_MEASURES:
        measure = cast("syntax.Expr", value)
        return [Line(f"{_AWARD_MEASURES[part]} {expr(measure)}", 0, (), measure.span)]
    if part is syntax.AwardLine.TIE:
        rule = "holder keeps it" if value is syntax.Tie.HOLDER else "nobody has it"
        span = node.tie_span if isinstance(node, syntax.AwardClause) else node.span
        return [Line(f"on a tie, {rule}", 0, (), span)]
    body = cast("tuple[syntax.Stmt, ...]", value)
    return block(syntax.Statement(span=body[0].span), f"when {part}", body)


# ---------------------------------------------------------------- flow of the game

_Flow = (
    syntax.ActionClause
    | syntax.ProcedureClause
    | syntax.CardTextClause
    | syntax.SetupClause
    | syntax.EndClause
    | syntax.RoundClause
    | syntax.SkipClause
    | syntax.TurnClause
    | syntax.RuleClause
    | syntax.ScenarioClause
    | syntax.InvariantClause
)


def _flow(node: _Flow) -> list[Line]:
    match node:
        case syntax.ActionClause(name, given, lines):
            head = f"action {name.text}{parameters(given)}"
            return [clause_line(node, head), *indent(_lines(lines, _action_line))]
        case syntax.ProcedureClause(name, given, body):
            head = f"to {name.text}{parameters(given)}"
            return [clause_line(node, head), *indent(statements(body))]
        case syntax.CardTextClause(name, text, lines):
            head = f"card {name.text}{quote(text)}"
            return [clause_line(node, head), *indent(_lines(lines, _action_line))]
        case syntax.SetupClause(body):
            return [clause_line(node, "setup"), *indent(statements(body))]
        case syntax.EndClause(body):
            return [clause_line(node, "end"), *indent(statements(body))]
        case syntax.RoundClause(when, body):
            return [clause_line(node, f"{when} each round"), *indent(statements(body))]
        case syntax.SkipClause(inner):
            return [clause_line(node, f"skip {binder(inner)}")]
        case syntax.TurnClause(phases):
            head = "round" if phases[0].each_round else "turn"
            return [clause_line(node, head), *indent(_lines(phases, _phase))]
        case syntax.RuleClause(name, condition, inner, body):
            condition_text = f"any {binder(inner)}" if inner is not None else ""
            condition_text = condition_text if condition is None else expr(condition)
            source = condition if inner is None else inner
            heading = syntax.Statement(span=(source or body[0]).span)
            below = block(heading, f"whenever {condition_text}", body)
            return [clause_line(node, f"rule {name.text}"), *indent(below)]
        case syntax.ScenarioClause(title, steps, players, over, examples):
            game = "" if over is None else f" over {over.text}"
            count = "" if players is None else f" with {expr(players)} players"
            head = f'scenario "{title}"{game}{count}'
            below = [*_examples(examples), *_lines(steps, _scenario_step)]
            return [clause_line(node, head), *indent(below)]
        case syntax.InvariantClause(title, body):
            return [
                clause_line(node, f'invariant "{title}"'),
                *indent(statements(body)),
            ]


def _phase(node: syntax.Phase) -> list[Line]:
    return [
        clause_line(node, f"phase {node.name.text}{_phase_players(node)}"),
        *indent(statements(node.body)),
    ]


def _phase_players(node: syntax.Phase) -> str:
    return "" if node.players is None else f", each {binder(node.players)}"


def _examples(node: syntax.Table | None) -> list[Line]:
    if node is None:
        return []
    return [Line("examples", 0, (), node.span), *indent(table(node))]


def _scenario_step(node: syntax.ScenarioStep) -> list[Line]:
    head = Line(node.word, 0, node.cites, node.span)
    return [head, *indent(statements(node.body))]


def _action_line(node: syntax.ActionLine) -> list[Line]:
    match node:
        case syntax.Pays(price):
            return [clause_line(node, f"pays {price_text(price)}")]
        case syntax.Needs(label, condition, reason):
            return [
                clause_line(node, f'needs {label.text}: {expr(condition)} "{reason}"')
            ]
        case syntax.NeedsAs(action, without):
            others = ", ".join(name.text for name in without)
            rest = f" except {others}" if others else ""
            return [clause_line(node, f"needs as {action.text}{rest}")]
        case _:
            return statement(node)


# ---------------------------------------------------------------- amendments


def _edit(node: syntax.Edit) -> list[Line]:
    add_first = node.verb is syntax.EditVerb.ADD_FIRST
    verb = syntax.EditVerb.ADD if add_first else node.verb
    if node.content is None:
        what = "" if node.name is None else f" {node.name.text}"
        part = "" if node.part is syntax.EditPart.POINTS else f" {node.part}"
        return [clause_line(node, f"{verb}{part}{what}{_in_step(node)}")]
    below = _edit_content(node)
    first, *rest = below
    cites = first.cites or node.cites
    return [Line(f"{verb} {first.text}", 0, cites, node.span), *rest]


def _edit_content(node: syntax.Edit) -> list[Line]:
    """Return the text lines of an edit's content, without its verb."""
    match node.content:
        case syntax.Needs() | syntax.NeedsAs() | syntax.Pays():
            return _action_line(node.content)
        case syntax.Row():
            return [Line(f"row: {table_row(node.content)}", 0, node.content.cites)]
        case syntax.DefinitionLine():
            first = "first " * (node.verb is syntax.EditVerb.ADD_FIRST)
            line = define_line(node.content)
            return [Line(f"{first}line: {line.text}", 0, line.cites)]
        case syntax.PointsLine():
            return [_point_line(node.content)]
        case syntax.ActionOffer():
            return [Line(f"action {call(node.content)}{_in_step(node)}")]
        case syntax.FieldLine():
            return _add_prefix("field ", [_field(node.content)])
        case syntax.BinderPhrase():
            return [Line(f"each {binder(node.content)}")]
        case syntax.Phase() as phase:
            assert node.anchor is not None
            place = f"phase {phase.name.text} {node.where} {node.anchor.text}"
            head = place + _phase_players(phase)
            below = indent(statements(phase.body))
            return [Line(head, 0, phase.cites, node.span), *below]
    body = cast("tuple[syntax.Stmt, ...]", node.content)
    enclosing = syntax.Statement(span=node.span, cites=node.cites)
    if node.name is None:
        return block(enclosing, f"the {node.part}", body)
    if node.part is syntax.EditPart.AWARD:
        return _award_part(node, syntax.AwardLine(node.name.text), node.content)
    if node.part is syntax.EditPart.ACTION:
        others = ", ".join(
            map(call, cast("tuple[syntax.ActionOffer, ...]", node.content))
        )
        return [Line(f"action {node.name.text} with {others}{_in_step(node)}")]
    return block(enclosing, f"step {node.name.text}", body)


def _in_step(node: syntax.Edit) -> str:
    """Return the words for the step whose menu an edit changes: ` in step NAME`."""
    if node.part is not syntax.EditPart.ACTION or node.anchor is None:
        return ""
    return f" in step {node.anchor.text}"
