"""Collection of the names that a file declares and mentions, by node class."""

from __future__ import annotations

import re

import attrs

from rulebook import syntax as s
from rulebook.addresses import CHOICE_PREFIX
from rulebook.references.name_reader import NameReader, NodeReader, names_in
from rulebook.references.named_things import (
    Mention,
    NamesOfFile,
    PossibleMeanings,
    Sort,
    Thing,
)
from rulebook.references.roles import (
    AMENDED,
    BARE_NAME_SORTS,
    GAP_SORTS,
    NAMING_HINTS,
    PATH_START_SORTS,
)
from rulebook.traversal import children

EMPTY = s.Cell(s.CellForm.EMPTY)
_WORD = re.compile(r"[^\W\d]\w*")


def names_of(file: s.File) -> NamesOfFile:
    """Return the names that a file declares and mentions."""
    reader = NameReader(NAME_READERS)
    if file.header is not None:
        reader.read_header(file.header)
    for clause in file.clauses:
        reader.read_clause(clause)
    return NamesOfFile(
        tuple(reader.declarations), tuple(reader.mentions), tuple(reader.variables)
    )


# ---------------------------------------------------------------- readers by class


def _binder(reader: NameReader, node: s.BinderPhrase, owner: str | None = None) -> None:
    reader.read_node(node.domain)
    if node.before is not None:
        reader.bind(node.before, None, owner)
    if node.name is not None:
        reader.mention(node.kind, (Sort.KIND,))
        reader.bind(node.name, None, owner)
    else:
        reader.bind(node.kind, node.kind, owner)
    for part in (node.order, node.best, node.where):
        reader.read_node(part)


def _combination(reader: NameReader, node: s.CombinationPhrase) -> None:
    """Collect the names in a combination, except the undeclared `combination`."""
    reader.mention(node.kind, (Sort.KIND,))
    for part in (node.least, node.most, node.holder):
        reader.read_node(part)
    if node.name is not None:
        reader.bind(node.name, None)
    reader.read_node(node.where)


def _number_of(reader: NameReader, node: s.NumberOf) -> None:
    reader.read_node(node.place)
    reader.read_node(node.range)
    if node.another is not None:
        reader.mention(node.another, (Sort.KIND,))
    binds = node.where is not None or bool(node.best) or node.range is not None
    if binds and isinstance(node.what, s.NameRef):
        if node.name is not None:
            reader.mention(node.what.name, (Sort.KIND,))
            reader.bind(node.name, None)
        else:
            reader.bind(node.what.name, node.what.name)
    else:
        match node.what:
            case s.NameRef(name=name):
                local = reader.variables_in_scope.get(name.text)
                sorts = (Sort.PIECE, Sort.KIND, Sort.MEMBER, Sort.FIELD, Sort.DEFINE)
                wanted = PossibleMeanings(
                    sorts, variable=local, enclosing_span=node.what.span
                )
                mention = Mention(name.text, name.span, wanted, reader.clause_span)
                reader.mentions.append(mention)
            case _:
                reader.read_node(node.what)
    for part in (node.best, node.where):
        reader.read_node(part)


def _parameter(reader: NameReader, node: s.ParameterPhrase) -> None:
    reader.read_node(node.range)
    if node.kind is not None and node.kind.span != node.name.span:
        reader.mention(node.kind, (Sort.KIND,))
    reader.mention(node.held, (Sort.KIND,))
    reader.bind(node.name, node.kind)


def _let(reader: NameReader, node: s.Let) -> None:
    reader.read_node(node.value)
    reader.bind(node.name, None)


def _let_tally(reader: NameReader, node: s.LetTally | s.LetBag) -> None:
    reader.record_fields(node)
    reader.bind(node.name, None)


def _gather(reader: NameReader, node: s.GatherStatement) -> None:
    before = dict(reader.variables_in_scope)
    for part in (node.player, node.low, node.high, node.binder):
        reader.read_node(part)
    picked = node.binder.name or node.binder.kind
    reader.variables.append((node.name.text, reader.variables_in_scope[picked.text]))
    reader.variables_in_scope = before
    picks = Thing(
        Sort.ACTION, "", node.name.text
    )  # each pick is an action with this name
    reader.declare(Sort.ACTION, node.name, "", node.span)
    reader.variables_in_scope[node.name.text] = picks
    reader.variables.append((reader.owner, picks))


def _chooses(reader: NameReader, node: s.ChooseStatement | s.MayChoose) -> None:
    """Collect the names in a choice; choices with equal names are the same action."""
    name = node.binder.name or node.binder.kind
    reader.read_node(node.player)
    _binder(reader, node.binder, CHOICE_PREFIX)
    reader.variables.append(
        (f"{CHOICE_PREFIX}{name.text}", reader.variables_in_scope[name.text])
    )
    if isinstance(node, s.MayChoose):
        reader.read_node(node.body)
        reader.read_node(node.otherwise)


def _define(reader: NameReader, node: s.DefineClause | s.ExpectClause) -> None:
    signature = node.signature
    subject = ""
    match signature:
        case s.PropertySignature() | s.PredicateSignature():
            kind = signature.subject.kind
            subject = "number" if kind is None else kind.text
    reader.declare(Sort.DEFINE, signature.name, subject, node.span)
    reader.owner = signature.name.text
    for part in children(signature):
        reader.read_node(part)
    if isinstance(node, s.DefineClause):
        reader.read_node(node.names)
        reader.read_node(node.lines)
        _value_table(reader, node.table)
    else:
        reader.read_node(node.default)


def _value_table(reader: NameReader, table: s.Table | None) -> None:
    """Collect the names in a table of values, also those at the heads of columns."""
    if table is None:
        return
    reader.owner = ""
    for column in table.columns:
        local = reader.variables_in_scope.get(column.text)
        sorts = (Sort.MEMBER, Sort.DEFINE, Sort.KIND)
        wanted = PossibleMeanings(sorts, variable=local)
        if isinstance(s.column_key(column), str):
            mention = Mention(column.text, column.span, wanted, reader.clause_span)
            reader.mentions.append(mention)
    for row in table.rows:
        reader.read_row(row, None)


def _define_line(reader: NameReader, node: s.DefinitionLine | s.PointsLine) -> None:
    reader.declare(Sort.LINE, node.label, reader.owner, node.span)
    reader.read_node(node.condition)
    reader.read_node(node.value)


def _points(reader: NameReader, node: s.PointsClause | s.HintValueClause) -> None:
    reader.owner = "points" if isinstance(node, s.PointsClause) else "hint"
    reader.read_node(node.subject)
    reader.read_node(node.lines)


def _needs(reader: NameReader, node: s.Needs) -> None:
    reader.declare(Sort.NEED, node.label, reader.owner, node.span)
    reader.read_node(node.condition)


def _needs_as(reader: NameReader, node: s.NeedsAs) -> None:
    reader.record_fields(node)
    for label in node.without:
        reader.mention(label, (Sort.NEED,), node.action.text)


def _may_not(reader: NameReader, node: s.MayNot) -> None:
    reader.read_node(node.player)
    reader.read_node(node.call)
    if node.because is not None:
        reader.mention(node.because, (Sort.NEED, Sort.LIMIT), node.call.name.text)


def _sees(reader: NameReader, node: s.SeesStatement | s.DoesNotSee) -> None:
    """Collect the names in a line about a value or the last event with a name."""
    reader.read_node(node.player)
    match node.what:
        case s.NameRef(name=name) if name.text not in reader.variables_in_scope:
            events = (Sort.ACTION, Sort.STEP)
            reader.mention(name, (*BARE_NAME_SORTS, *events))
        case what:
            reader.read_node(what)


def _announce(reader: NameReader, node: s.AnnounceStatement) -> None:
    for gap in node.gaps:
        if gap.text != "you":
            reader.read_node(s.NameRef(gap, span=gap.span))


def _carry_out(reader: NameReader, node: s.CarryOutStatement) -> None:
    """Collect the names in `carry out NAME`, which is a card or a procedure."""
    reader.read_node(node.player)
    match node.card:
        case s.NameRef(name=name) | s.Apply(name=name):
            if name.text not in reader.variables_in_scope:
                reader.mention(name, (Sort.PROCEDURE, *BARE_NAME_SORTS))
                if isinstance(node.card, s.Apply):
                    reader.read_node(node.card.arguments)
                return
    reader.read_node(node.card)


def _step(reader: NameReader, node: s.StepStatement) -> None:
    reader.declare(Sort.STEP, node.name, reader.owner, node.span)
    reader.read_node(node.body)


def _fields(reader: NameReader, node: s.FieldsClause) -> None:
    reader.record_fields(node)
    for field in node.fields:
        reader.read_field(field, node.owner.text if node.owner else "game")


def _card(reader: NameReader, node: s.CardTextClause) -> None:
    reader.record_fields(node)
    reader.owner = node.name.text
    reader.read_node(node.lines)


def _dice(reader: NameReader, node: s.DiceClause) -> None:
    for name in node.names:
        reader.declare(Sort.DICE, name, "", node.span)
    for name in node.faces:
        reader.declare(Sort.MEMBER, name, f"{node.names[0].text}_face", node.span)


def _axis(reader: NameReader, node: s.AxisPhrase) -> None:
    if node.kind is not None:
        reader.mention(node.kind, (Sort.KIND,))
    if node.kind is None or node.kind.span != node.name.span:
        reader.declare(Sort.COLUMN, node.name, reader.owner, node.span)
    reader.read_node(node.range)


def _table(reader: NameReader, node: s.Table) -> None:
    for column in node.columns[:1]:
        reader.mention(column, (Sort.KIND,))
    for column in node.columns[1:]:
        reader.declare(Sort.COLUMN, column, reader.owner, column.span)
    for row in node.rows:
        reader.read_row(row, node)


def _kind(reader: NameReader, node: s.KindClause) -> None:
    reader.declare(Sort.KIND, node.name, "", node.span)
    reader.record_plural(node, Sort.KIND)
    reader.owner = node.name.text
    for member in node.members:
        reader.declare(Sort.MEMBER, member, node.name.text, node.span)
    reader.read_node(node.table)


def _columns(reader: NameReader, node: s.ColumnsClause) -> None:
    reader.record_fields(node)
    reader.owner = node.name.text
    for column in node.table.columns[:1]:
        reader.mention(column, (Sort.KIND,))
    for column in node.table.columns[1:]:
        reader.declare(Sort.COLUMN, column, reader.owner, column.span)
    for row in node.table.rows:
        for name in names_in(row.cells[0].value) if row.cells else ():
            reader.mention(name, (Sort.MEMBER,), reader.owner)
        reader.owner = ""
        reader.read_row(
            attrs.evolve(row, cells=(s.Cell("empty"), *row.cells[1:])), node.table
        )
        reader.owner = node.name.text


def _scenario(reader: NameReader, node: s.ScenarioClause) -> None:
    reader.record_fields(node)
    table = node.examples
    for column in table.columns if table else ():
        reader.bind(column, None)
    for part in (node.players, node.steps):
        reader.read_node(part)
    for row in table.rows if table else ():
        reader.read_row(attrs.evolve(row, cells=(s.Cell("empty"), *row.cells)), None)


def _path(reader: NameReader, path: tuple[s.Name, ...]) -> None:
    """Collect the names of a path, which refers to a clause or part of a clause."""
    first, *rest = path
    sorts = AMENDED.get(first.text)
    if rest and sorts is not None:
        reader.mention(rest[0], sorts)
        first, *rest = rest
    else:
        reader.mention(first, PATH_START_SORTS)
    for name in rest:
        sorts = (Sort.NEED, Sort.LINE, Sort.STEP, *PATH_START_SORTS)
        wanted = PossibleMeanings(sorts, first.text, amended_clause=first.text)
        mention = Mention(name.text, name.span, wanted, reader.clause_span)
        reader.mentions.append(mention)


def _word_line(reader: NameReader, node: s.WordLine) -> None:
    """Collect the names in words for a thing; gaps refer to variables of the thing.

    A sentence may be announced by several clauses, so its gaps refer to none.
    """
    if node.is_sentence:
        return
    _path(reader, node.path)
    for gap, *part in node.gaps:
        wanted = PossibleMeanings(GAP_SORTS, amended_clause=node.path[0].text)
        reader.mentions.append(Mention(gap.text, gap.span, wanted, reader.clause_span))
        for name in part:
            reader.mention(name, (Sort.FIELD, Sort.COLUMN))
    for kind in node.kinds:
        reader.mention(kind, (Sort.KIND, Sort.PIECE))


def _cite_line(reader: NameReader, node: s.CiteLine) -> None:
    reader.record_fields(node)
    _path(reader, node.path)


def _as_in_line(reader: NameReader, node: s.AsInLine) -> None:
    for path in node.paths:
        _path(reader, path)


def _pays(reader: NameReader, node: s.Pays) -> None:
    match node.price:
        case s.NameRef(name=name) if name.text not in reader.variables_in_scope:
            reader.mention(name, (Sort.COST, Sort.FIELD, Sort.DEFINE))
        case _:
            reader.read_node(node.price)


def _hint(reader: NameReader, node: s.HintClause) -> None:
    """Collect the names in a hint; the texts of some hints also contain names."""
    reader.record_fields(node)
    place = node.place
    if node.word.text not in NAMING_HINTS or place.line != place.end_line:
        return
    for match in _WORD.finditer(node.text):
        column = place.column + node.is_quoted + match.start()
        span = attrs.evolve(place, column=column, end_column=column + len(match[0]))
        reader.mention(s.Name(match[0], span=span), PATH_START_SORTS)


def _drawing(reader: NameReader, node: s.DrawingClause) -> None:
    reader.declare(Sort.DRAWING, node.name, "", node.span)


def _menu(reader: NameReader, node: s.Menu) -> None:
    reader.declare(Sort.ACTION, node.until, "", node.until.span)
    reader.read_node(node.player)
    reader.read_node(node.calls)


NAME_READERS: dict[type[s.Node], NodeReader] = {
    s.BinderPhrase: _binder,
    s.CombinationPhrase: _combination,
    s.NumberOf: _number_of,
    s.ParameterPhrase: _parameter,
    s.Let: _let,
    s.LetTally: _let_tally,
    s.LetBag: _let_tally,
    s.GatherStatement: _gather,
    s.ChooseStatement: _chooses,
    s.MayChoose: _chooses,
    s.DefineClause: _define,
    s.ExpectClause: _define,
    s.DefinitionLine: _define_line,
    s.PointsLine: _define_line,
    s.PointsClause: _points,
    s.HintValueClause: _points,
    s.Needs: _needs,
    s.NeedsAs: _needs_as,
    s.MayNot: _may_not,
    s.SeesStatement: _sees,
    s.DoesNotSee: _sees,
    s.StepStatement: _step,
    s.AnnounceStatement: _announce,
    s.CarryOutStatement: _carry_out,
    s.Menu: _menu,
    s.HintClause: _hint,
    s.Pays: _pays,
    s.DrawingClause: _drawing,
    s.FieldsClause: _fields,
    s.CardTextClause: _card,
    s.DiceClause: _dice,
    s.AxisPhrase: _axis,
    s.Table: _table,
    s.KindClause: _kind,
    s.ColumnsClause: _columns,
    s.ScenarioClause: _scenario,
    s.WordLine: _word_line,
    s.CiteLine: _cite_line,
    s.AsInLine: _as_in_line,
}
