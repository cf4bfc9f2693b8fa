"""Node builders for clauses that contain statements, and for amendments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import attrs
from lark import Token, Tree

from rulebook import syntax
from rulebook.parse import statement_builders
from rulebook.parse.clause_builders import AwardPart, parameters
from rulebook.parse.node_builder import Branch, Builder, BuilderTable, node_of, parts

RULES = BuilderTable()


def _lines(b: Builder, branches: list[Branch]) -> tuple[syntax.ActionLine, ...]:
    return tuple(cast("syntax.ActionLine", b.build(branch)) for branch in branches)


# ---------------------------------------------------------------- actions


@RULES("action")
def _action(b: Builder, t: Tree[Token]) -> syntax.ActionClause:
    name, params, cites, *lines = parts(t)
    return syntax.ActionClause(
        b.name(name),
        parameters(b, params),
        _lines(b, lines),
        cites=b.cites(cites),
        span=b.span(t),
    )


RULES.add_node("pays", syntax.Pays, Builder.expr, Builder.cites)


@RULES("needs")
def _needs(b: Builder, t: Tree[Token]) -> syntax.Needs:
    label, condition, reason, cites = parts(t)
    if not b.text(reason).strip():
        message = "this `needs` has an empty reason"
        help = 'write a reason for players, such as "the space is taken"'
        b.report("RB018", message, b.span(reason), help=help)
    return syntax.Needs(
        b.name(label),
        b.expr(condition),
        b.text(reason),
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("needs_as")
def _needs_as(b: Builder, t: Tree[Token]) -> syntax.NeedsAs:
    action, without, cites = parts(t)
    return syntax.NeedsAs(
        b.name(action),
        () if without is None else b.name_list(without),
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("procedure")
def _procedure(b: Builder, t: Tree[Token]) -> syntax.ProcedureClause:
    name, params, cites, body = parts(t)
    return syntax.ProcedureClause(
        b.name(name),
        parameters(b, params),
        statement_builders.suite(b, body),
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("card_text")
def _card_text(b: Builder, t: Tree[Token]) -> syntax.CardTextClause:
    name, text, cites, *lines = parts(t)
    return syntax.CardTextClause(
        b.name(name),
        b.optional_text(text),
        _lines(b, lines),
        cites=b.cites(cites),
        span=b.span(t),
    )


# ---------------------------------------------------------------- flow of the game


@RULES("setup")
def _setup(b: Builder, t: Tree[Token]) -> syntax.SetupClause:
    cites, body = parts(t)
    return syntax.SetupClause(
        statement_builders.suite(b, body), cites=b.cites(cites), span=b.span(t)
    )


@RULES("ending")
def _ending(b: Builder, t: Tree[Token]) -> syntax.EndClause:
    cites, body = parts(t)
    return syntax.EndClause(
        statement_builders.suite(b, body), cites=b.cites(cites), span=b.span(t)
    )


@RULES("round_clause")
def _round(b: Builder, t: Tree[Token]) -> syntax.RoundClause:
    when, cites, body = parts(t)
    return syntax.RoundClause(
        b.word(when),
        statement_builders.suite(b, body),
        cites=b.cites(cites),
        span=b.span(t),
    )


RULES.add_node(
    "skip_clause", syntax.SkipClause, node_of(syntax.BinderPhrase), Builder.cites
)


@RULES("turn", "round_of_phases")
def _turn(b: Builder, t: Tree[Token]) -> syntax.TurnClause:
    cites, *lines = parts(t)
    phases = b.nodes(syntax.Phase, lines)
    if t.data == "round_of_phases":
        phases = tuple(attrs.evolve(phase, each_round=True) for phase in phases)
    return syntax.TurnClause(phases, cites=b.cites(cites), span=b.span(t))


@RULES("phase")
def _phase(b: Builder, t: Tree[Token]) -> syntax.Phase:
    return _make_phase(b, t, *parts(t))


def _make_phase(
    b: Builder, t: Tree[Token], name: Branch, *rest: Branch
) -> syntax.Phase:
    players, cites, body = rest
    return syntax.Phase(
        b.name(name),
        None if players is None else b.node(syntax.BinderPhrase, players),
        statement_builders.suite(b, body),
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("rule_when")
def _rule_when(b: Builder, t: Tree[Token]) -> syntax.RuleClause:
    name, cites, condition, inner = parts(t)
    more, body = statement_builders.block(b, inner)
    return syntax.RuleClause(
        b.name(name),
        b.expr(condition),
        None,
        body,
        cites=b.cites(cites) + more,
        span=b.span(t),
    )


@RULES("rule_any")
def _rule_any(b: Builder, t: Tree[Token]) -> syntax.RuleClause:
    name, cites, binder, inner = parts(t)
    more, body = statement_builders.block(b, inner)
    return syntax.RuleClause(
        b.name(name),
        None,
        b.node(syntax.BinderPhrase, binder),
        body,
        cites=b.cites(cites) + more,
        span=b.span(t),
    )


# ---------------------------------------------------------------- tests


@RULES("scenario")
def _scenario(b: Builder, t: Tree[Token]) -> syntax.ScenarioClause:
    title, over, players, cites, examples, *steps = parts(t)
    return syntax.ScenarioClause(
        b.text(title),
        b.nodes(syntax.ScenarioStep, steps),
        None if players is None else b.expr(_only_child(players)),
        None if over is None else b.name(over),
        None if examples is None else b.node(syntax.Table, _only_child(examples)),
        cites=b.cites(cites),
        span=b.span(t),
    )


def _only_child(branch: Branch) -> Branch:
    """Return the only child of a branch."""
    assert isinstance(branch, Tree)
    (part,) = parts(branch)
    return part


@RULES("scenario_step")
def _scenario_step(b: Builder, t: Tree[Token]) -> syntax.ScenarioStep:
    word, cites, body = parts(t)
    return syntax.ScenarioStep(
        b.word(word),
        statement_builders.suite(b, body),
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("invariant")
def _invariant(b: Builder, t: Tree[Token]) -> syntax.InvariantClause:
    title, cites, body = parts(t)
    return syntax.InvariantClause(
        b.text(title),
        statement_builders.suite(b, body),
        cites=b.cites(cites),
        span=b.span(t),
    )


# ---------------------------------------------------------------- amendments


@RULES("replace")
def _replace(b: Builder, t: Tree[Token]) -> tuple[syntax.Replace, ...]:
    (inner,) = parts(t)
    built = b.build(inner)
    several = built if isinstance(built, tuple) else (built,)
    return tuple(
        syntax.Replace(cast("syntax.Declaration", declaration), span=b.span(t))
        for declaration in several
    )


@RULES("remove")
def _remove(b: Builder, t: Tree[Token]) -> syntax.Remove:
    sort, name, cites = parts(t)
    assert isinstance(name, Token)
    named = b.name(name)
    if name.type == "STRING":
        named = syntax.Name(b.text(name), span=named.span)
    return syntax.Remove(b.word(sort), named, cites=b.cites(cites), span=b.span(t))


@RULES("remove_hint")
def _remove_hint(b: Builder, t: Tree[Token]) -> syntax.Remove:
    *words, cites = parts(t)
    word, name = map(b.name, words)
    named = syntax.Name(f"{word.text}.{name.text}", span=name.span)
    return syntax.Remove("hint", named, cites=b.cites(cites), span=b.span(t))


@RULES("remove_hint_value")
def _remove_hint_value(b: Builder, t: Tree[Token]) -> syntax.Remove:
    (cites,) = parts(t)
    named = syntax.Name("value", span=b.span(t))
    return syntax.Remove("hint", named, cites=b.cites(cites), span=b.span(t))


@RULES("within")
def _within(b: Builder, t: Tree[Token]) -> syntax.Within:
    sort, name, cites, *edits = parts(t)
    return syntax.Within(
        b.word(sort),
        b.optional_name(name),
        _edits(b, edits),
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("within_round")
def _within_round(b: Builder, t: Tree[Token]) -> syntax.Within:
    when, cites, *edits = parts(t)
    return syntax.Within(
        f"{b.word(when)} each round",
        None,
        _edits(b, edits),
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("within_hint")
def _within_hint(b: Builder, t: Tree[Token]) -> syntax.Within:
    cites, *edits = parts(t)
    named = syntax.Name("value", span=b.span(t))
    return syntax.Within(
        "hint", named, _edits(b, edits), cites=b.cites(cites), span=b.span(t)
    )


def _edits(b: Builder, lines: Sequence[Branch]) -> tuple[syntax.Edit, ...]:
    """Return the edits on the given lines; one line may contain several."""
    built: list[syntax.Edit] = []
    for line in lines:
        made = b.build(line)
        some = made if isinstance(made, tuple) else (made,)
        built.extend(cast("tuple[syntax.Edit, ...]", some))
    return tuple(built)


def _verb(t: Tree[Token]) -> tuple[syntax.EditVerb, syntax.EditPart]:
    """Return the verb and the part of an edit, read from the production's name."""
    verb, _, part = t.data.rpartition("_")
    return syntax.EditVerb(verb), syntax.EditPart(part)


@RULES(
    *("remove_needs", "remove_step", "remove_row", "remove_line", "remove_points"),
    "remove_field",
)
def _remove_part(b: Builder, t: Tree[Token]) -> syntax.Edit:
    name, cites = parts(t)
    verb, part = _verb(t)
    return syntax.Edit(verb, part, b.name(name), cites=b.cites(cites), span=b.span(t))


@RULES("remove_pays")
def _remove_pays(b: Builder, t: Tree[Token]) -> syntax.Edit:
    (cites,) = parts(t)
    return syntax.Edit("remove", "pays", cites=b.cites(cites), span=b.span(t))


@RULES("add_needs", "replace_needs")
def _edit_needs(b: Builder, t: Tree[Token]) -> syntax.Edit:
    (needs,) = parts(t)
    verb, part = _verb(t)
    content = b.build(needs)
    if isinstance(content, syntax.Needs):
        return syntax.Edit(verb, part, content.label, content, span=b.span(t))
    return syntax.Edit(verb, part, None, content, span=b.span(t))


@RULES("add_pays", "replace_pays")
def _edit_pays(b: Builder, t: Tree[Token]) -> syntax.Edit:
    (pays,) = parts(t)
    verb, part = _verb(t)
    return syntax.Edit(verb, part, None, b.node(syntax.Pays, pays), span=b.span(t))


@RULES("replace_step", "before_step", "after_step")
def _edit_step(b: Builder, t: Tree[Token]) -> syntax.Edit:
    name, inner = parts(t)
    verb, part = _verb(t)
    cites, body = statement_builders.block(b, inner)
    return syntax.Edit(verb, part, b.name(name), body, cites=cites, span=b.span(t))


@RULES("at_beginning", "at_end")
def _edit_ends(b: Builder, t: Tree[Token]) -> syntax.Edit:
    (inner,) = parts(t)
    verb, part = _verb(t)
    cites, body = statement_builders.block(b, inner)
    return syntax.Edit(verb, part, None, body, cites=cites, span=b.span(t))


@RULES("add_row", "replace_row")
def _edit_row(b: Builder, t: Tree[Token]) -> syntax.Edit:
    (inner,) = parts(t)
    verb, part = _verb(t)
    row = b.node(syntax.Row, inner)
    first = row.cells[0].value
    name = first if isinstance(first, syntax.Name) else None
    return syntax.Edit(verb, part, name, row, span=b.span(t))


@RULES("add_line", "add_first_line", "replace_line")
def _edit_line(b: Builder, t: Tree[Token]) -> syntax.Edit:
    (inner,) = parts(t)
    verb, part = _verb(t)
    line = b.node(syntax.DefinitionLine, inner)
    if verb is syntax.EditVerb.REPLACE and line.label is None:
        b.report(
            "RB011",
            "expected the label of the line that this one replaces",
            line.span,
            help="write `replace line: LABEL: VALUE if CONDITION`",
        )
    return syntax.Edit(verb, part, line.label, line, span=b.span(t))


@RULES("add_award", "replace_award")
def _edit_award(b: Builder, t: Tree[Token]) -> syntax.Edit:
    (inner,) = parts(t)
    verb, part = _verb(t)
    line = b.node(AwardPart, inner)
    name = syntax.Name(line.part, span=b.span(inner))
    return syntax.Edit(verb, part, name, line.value, cites=line.cites, span=b.span(t))


@RULES("replace_players")
def _edit_players(b: Builder, t: Tree[Token]) -> syntax.Edit:
    inner, cites = parts(t)
    verb, part = _verb(t)
    players = b.node(syntax.BinderPhrase, inner)
    return syntax.Edit(verb, part, None, players, cites=b.cites(cites), span=b.span(t))


@RULES("add_points", "replace_points")
def _edit_points(b: Builder, t: Tree[Token]) -> syntax.Edit:
    (inner,) = parts(t)
    verb, part = _verb(t)
    line = b.node(syntax.PointsLine, inner)
    return syntax.Edit(verb, part, line.label, line, span=b.span(t))


@RULES("add_action")
def _add_action(b: Builder, t: Tree[Token]) -> tuple[syntax.Edit, ...]:
    inner, step, cites = parts(t)
    citations, within = b.cites(cites), b.optional_name(step)
    return tuple(
        syntax.Edit(
            "add", "action", call.name, call, within, cites=citations, span=call.span
        )
        for call in statement_builders.calls(b, inner)
    )


@RULES("replace_action")
def _replace_action(b: Builder, t: Tree[Token]) -> syntax.Edit:
    name, inner, step, cites = parts(t)
    return syntax.Edit(
        "replace",
        "action",
        b.name(name),
        statement_builders.calls(b, inner),
        b.optional_name(step),
        cites=b.cites(cites),
        span=b.span(t),
    )


@RULES("remove_action")
def _remove_action(b: Builder, t: Tree[Token]) -> tuple[syntax.Edit, ...]:
    names, step, cites = parts(t)
    citations, within = b.cites(cites), b.optional_name(step)
    return tuple(
        syntax.Edit(
            "remove", "action", name, None, within, cites=citations, span=name.span
        )
        for name in b.name_list(names)
    )


@RULES("add_field", "replace_field")
def _edit_field(b: Builder, t: Tree[Token]) -> syntax.Edit:
    (inner,) = parts(t)
    verb, part = _verb(t)
    field = b.node(syntax.FieldLine, inner)
    return syntax.Edit(verb, part, field.name, field, span=b.span(t))


@RULES("add_phase")
def _add_phase(b: Builder, t: Tree[Token]) -> syntax.Edit:
    name, side, anchor, *rest = parts(t)
    phase = _make_phase(b, t, name, *rest)
    return syntax.Edit(
        "add",
        "phase",
        phase.name,
        phase,
        b.name(anchor),
        b.word(side),
        span=b.span(t),
    )
