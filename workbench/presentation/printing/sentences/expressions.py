"""Expressions of the rules in words, each by the template of its class.

`forms` chooses among the templates of a class, and the fields of the expression fill
it. All sentences are in the templates, none in the code.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import attrs

from rulebook import model as m
from rulebook.tooling import find
from workbench.presentation.printing.sentences.names import Titles
from workbench.presentation.printing.sentences.template_keys import (
    COMPARISON_OPERANDS,
    DOT,
    flatten_binder,
    negation,
    template_key,
)
from workbench.presentation.printing.sentences.template_tables import corrections
from workbench.presentation.printing.sentences.text_runs import (
    Text,
    capitalize,
    fill_template,
    plain_text,
    replace_pattern,
)

COMPOUND = m.Arith | m.Conditional | m.HalfOf | m.And | m.Or | m.FindMember
"""Classes of expressions that need brackets inside others."""

Filler: TypeAlias = Callable[["SentenceWriter", Any], Mapping[str, Text]]
"""Function that returns the values for the gaps of a template."""


@attrs.frozen(slots=False)
class SentenceWriter:
    """Sentence writer for the expressions of one procedure or action.

    `table` maps classes to functions that fill their templates. All other templates are
    filled from the fields of the expression. `slots` are the names of its notes.
    """

    names: Titles
    table: Mapping[type[Any], Filler]
    slots: tuple[str, ...] = ()

    def express(self, node: Any) -> Text:
        """Return an expression in words; a condition becomes a statement."""
        if isinstance(node.type, m.Truth):
            return self.statement(node)
        return self.value(node)

    def value(self, node: Any) -> Text:
        """Return a value in words."""
        match node:
            case m.Const():
                return self.names.value(node.type, node.value)
            case m.Local():
                return self._local_text(node)
            case m.OptionValue():
                return self._option_text(node)
            case m.CallDefine():
                return self._definition_text(node, holds=True)
            case m.FieldValue(field=field, owner=m.SpaceAt(domain=pair) as owner):
                if field == pair.removeprefix(DOT):
                    return self.value(owner)
        return self.from_template(node, template_key(node))

    def statement(self, node: Any, *, fails: bool = False) -> Text:
        """Return the statement that a condition is true; false if *fails*."""
        match node:
            case m.Not(value=value):
                return self.statement(value, fails=not fails)
            case m.Const():
                return self.names.value(node.type, node.value is not fails)
            case m.Compare():
                return self._comparison_text(negation(node) if fails else node)
            case m.And() | m.Or() if fails:
                return self.names.sentence("Not", {"value": self._group(node)})
            case m.And() | m.Or():
                return self._combined_conditions(node)
            case m.CallDefine():
                return self._definition_text(node, holds=not fails)
            case m.OptionValue():
                key = f"OptionValue.{'fails' if fails else 'holds'}"
                name = plain_text(
                    self.names.option(node.name), place=f"option.{node.name}"
                )
                return self.names.sentence(key, {"name": name})
            case m.Local() | m.FieldValue() | m.ColumnValue():
                parts = {"value": self.value(node)}
                return self.names.sentence("fails" if fails else "holds", parts)
        return self.from_template(node, template_key(node, fails=fails))

    def sentence(self, key: str, **parts: Text | str) -> Text:
        """Return a sentence from the template *key*, corrected and capitalized."""
        return self.finish(self.names.sentence(key, parts))

    def phrase(self, key: str, **parts: Text | str) -> Text:
        """Return a phrase of the page, corrected and capitalized."""
        return self.finish(self.names.phrase(key, **parts))

    def finish(self, text: Text) -> Text:
        """Return text, corrected and capitalized."""
        for pattern, new in corrections(self.names.language):
            text = replace_pattern(text, pattern, new)
        return capitalize(text)

    # ------------------------------------------------------------ classes

    def from_template(self, node: Any, key: str) -> Text:
        """Return a part of the rules in words, by the template *key*."""
        return self.names.sentence(key, self.parts(node, key))

    def parts(self, node: Any, key: str = "") -> Mapping[str, Text]:
        """Return the values for the gaps of a template, by gap."""
        own = self.table.get(type(node))
        if own is not None:
            return own(self, node)
        name = key.partition(".")[0]
        values = attrs.asdict(node, recurse=False)
        return {field: self.part(name, field, value) for field, value in values.items()}

    def part(self, owner: str, field: str, value: Any) -> Text:
        """Return the value of a field in words: an expression, a list, or a name.

        If the template `owner:field` exists, it is applied to the result.
        """
        said = self._plain_part(value)
        key = f"{owner}:{field}"
        if said and self.names.knows(key):
            return self.names.sentence(key, {field: said})
        return said

    def _plain_part(self, value: Any) -> Text:
        match value:
            case m.RankMeasure() | m.Per() | m.Offer() | m.Ranking():
                return self.from_template(value, template_key(value))
            case _ if isinstance(value, m.Typed):
                return self.express(value)
            case tuple():
                return self.names.listed(map(self._plain_part, value))
            case str():
                return plain_text(self.names.title(value))
            case _:
                return ()

    def _local_text(self, node: m.Local) -> Text:
        if node.slot == m.YOU:
            return self.names.sentence("Local.you", {})
        return self.names.local(node.name, node.type)

    def _option_text(self, node: m.OptionValue) -> Text:
        option = self.names.model.options[node.name]
        name = plain_text(self.names.option(node.name), place=f"option.{node.name}")
        usual = self.names.default_text(option)
        key = "OptionValue.default" if usual else "OptionValue"
        return self.names.sentence(key, {"name": name, "default": usual})

    def _comparison_text(self, node: m.Compare) -> Text:
        is_none = isinstance(node.right, m.Const) and node.right.value == m.NONE
        if is_none and node.op.is_sameness and self.names.can_be_missing(node.left):
            same = node.op is m.Comparison.EQUAL
            parts = {"left": self.operand(node.left)}
            return self.names.sentence(f"Compare.{'unset' if same else 'set'}", parts)
        sides = COMPARISON_OPERANDS.get(template_key(node))
        left, right = sides(node) if sides else (node.left, node.right)
        if isinstance(left, m.PieceLeft) and template_key(node) == "Compare.left":
            key = "pieces" if left.owner is None else "pieces.owner"
            parts = {"left": self.from_template(left, key), "right": self.count(right)}
            return self.names.sentence(template_key(node), parts)
        parts = {"left": self.operand(left)}
        if right is not None:
            parts["right"] = self.operand(right, last=True)
        return self.names.sentence(template_key(node), parts)

    def operand(self, node: Any, *, last: bool = False) -> Text:
        """Return a value inside a longer sentence, in brackets if it is compound.

        A value that is `last` in its sentence may end with a condition.
        """
        said = self.value(node)
        if isinstance(node, COMPOUND) or not (last or self.is_closed(node)):
            return self.names.sentence("group", {"value": said})
        return said

    def count(self, node: Any) -> Text:
        """Return a number of things, in brackets if it consists of several words."""
        said = self.operand(node)
        bare = m.Const | m.Local | m.OptionValue
        if isinstance(node, bare | COMPOUND) or not self.is_closed(node):
            return said
        return self.names.sentence("group", {"value": said})

    def argument(self, node: Any) -> Text:
        """Return one value of a list; a compound condition is put in brackets."""
        is_condition = isinstance(node.type, m.Truth)
        return self._group(node) if is_condition else self.express(node)

    def _group(self, node: Any, *, last: bool = True) -> Text:
        """Return a part of a condition, in brackets if it would be ambiguous."""
        said = self.statement(node)
        if isinstance(node, m.And | m.Or) or not (last or self.is_closed(node)):
            return self.names.sentence("group", {"value": said})
        return said

    def is_closed(self, node: Any) -> bool:
        """Return whether an expression's words end without an open condition."""
        ways = find(node, (m.Reach, m.LongestTrail))
        if any(map(_has_tail, ways)):
            return False
        if self.names.sentence("binder.where", {})[-1].text.endswith(")"):
            return True
        return not any(flatten_binder(part)[1] for part in find(node, m.Binder))

    def _groups(self, parts: Sequence[Any]) -> list[Text]:
        """Return the parts of a condition, in brackets if ambiguous."""
        final = len(parts) - 1
        return [self._group(x, last=at == final) for at, x in enumerate(parts)]

    def _combined_conditions(self, node: m.And | m.Or) -> Text:
        key = template_key(node)
        if key == "Or.unless":
            case = self.split_case(node)
            parts = {"first": case["first"], "rest": case["condition"]}
            return self.names.sentence(key, parts)
        word = "and" if isinstance(node, m.And) else "or"
        said = self.names.listed(self._groups(node.parts), word)
        return self.names.sentence(key, {"parts": said})

    def split_case(self, node: Any) -> dict[str, Text]:
        """Split a condition on a single member into the member and the rest."""
        first, *rest = node.parts
        said = self._groups(rest) if rest[1:] else map(self.statement, rest)
        condition = self.names.listed(said, "or")
        return {"first": self.statement(negation(first)), "condition": condition}

    # ------------------------------------------------------------ definitions

    def _definition_text(self, node: m.CallDefine, *, holds: bool) -> Text:
        define = self.names.model.defines[node.define]
        if define.action is not None:
            return self._legality_text(define.action, node, holds=holds)
        given = {
            each.name: self.operand(value)
            for each, value in zip(define.parameters, node.arguments, strict=True)
        }
        shape = self.names.definition(define)
        if isinstance(define.type, m.Truth) and not shape.is_statement:
            key = "holds" if holds else "fails"
            return self.names.sentence(key, {"value": self.defined(define, given)})
        return self.defined(define, given, fails=not holds)

    def defined(
        self, define: m.Define, given: Mapping[str, Text], *, fails: bool = False
    ) -> Text:
        """Return a definition with its arguments, or with *fails* its negation."""
        place = f"define.{define.name}"
        shape = self.names.definition(define)
        if shape.sentence:
            said = fill_template(shape.sentence, given, place)
            own = {name for name in given if f"{{{name}}}" in shape.sentence}
        else:
            word = self.names.defined_word(define, place)
            own = {name for name in (shape.subject, shape.object) if name}
            preposition = plain_text(self.names.preposition(shape.preposition))
            parts = {
                "word": word,
                "sentence": word,
                "preposition": preposition,
                "subject": given.get(shape.subject, ()),
                "owner": given.get(shape.subject, ()),
                "object": given.get(shape.object, ()),
            }
            said = self.names.sentence(shape.key(fails=fails), parts)
        rest = [text for name, text in given.items() if name not in own]
        if rest:
            parts = {"sentence": said, "given": self.names.listed(rest)}
            said = self.names.sentence("CallDefine.given", parts)
        if fails and shape.sentence:
            return self.names.sentence("CallDefine.fails", {"sentence": said})
        return said

    def _legality_text(self, action: str, node: m.CallDefine, *, holds: bool) -> Text:
        title = self.names.action(action)
        given = self.names.listed(map(self.value, node.arguments))
        key = "CallDefine.legal_given" if given else "CallDefine.legal"
        said = self.names.sentence(key, {"sentence": title, "given": given})
        return said if holds else self.names.sentence("Not", {"value": said})

    # ------------------------------------------------------------ binders

    def binder(self, node: Any, *, several: bool = False) -> Text:
        """Return what a binder ranges over: its kind, name and condition."""
        set, conditions = flatten_binder(node)
        domain = set.type.domain
        names = self.names
        if domain is None:
            kind, own = names.sentence("numbers" if several else "number", {}), ""
        else:
            title = names.plural_title(domain) if several else names.title(domain)
            kind, own = plain_text(title), domain
        parts: dict[str, Text] = {"kind": kind, "name": self.own_name(node, own)}
        if isinstance(set, m.KindsIn):
            among = {"among": self.value(set.holder)}
            parts["among"] = names.sentence("binder.kinds", among)
        elif self._owner(set) is not None:
            owner = {"owner": self.operand(self._owner(set))}
            parts["among"] = names.sentence("binder.own", owner)
        elif not isinstance(set, m.AllOf):
            key = "binder.numbers" if domain is None else "binder.among"
            said = self.value(set) if domain is None else self.operand(set)
            parts["among"] = names.sentence(key, {"among": said})
        parts["where"] = self._where(conditions)
        return names.sentence("binder", parts)

    def own_name(self, node: Any, kind: str | None) -> Text:
        """Return the name of a binder's members if it differs from their kind's."""
        if node.name == kind:
            return ()
        return self.names.sentence("binder.name", {"name": self.named(node.name)})

    def _where(self, conditions: Sequence[Any]) -> Text:
        """Return the condition on the members of a binder."""
        if not conditions:
            return ()
        single = len(conditions) == 1
        said = map(self.statement, conditions) if single else self._groups(conditions)
        where = {"where": self.names.listed(said)}
        return self.names.sentence("binder.where", where)

    def _owner(self, set: Any) -> Any:
        """Return the owner of a set if it contains all the owner's things, or None."""
        match set:
            case m.OwnSpaces(player=player):
                return player
            case m.Related(relation=relation, of=of):
                target = self.names.model.relations[relation].target
                title = self.names.title(relation.rpartition(".")[2])
                return of if title == self.names.plural_title(target) else None
        return None

    def named(self, name: str) -> Text:
        """Return the name of a choice or note, in the style for names."""
        return self.names.named(name)

    def note_name(self, slot: int) -> Text:
        """Return the name of the note in a slot."""
        return self.named(self.slots[slot])

    def binder_values(self, node: Any) -> Mapping[str, Text]:
        """Return the template values of an expression that binds a name."""
        set, conditions = flatten_binder(node)
        return {
            "start": self.value(set.start) if isinstance(set, m.Clockwise) else (),
            "name": self.own_name(node, set.type.domain) if conditions else (),
            "where": self._where(conditions),
            "binder": self.binder(node),
            "binders": self.binder(node, several=True),
            "value": self.operand(node.value) if hasattr(node, "value") else (),
            "by": self.part("", "", getattr(node, "by", None)),
        }


def _has_tail(way: Any) -> bool:
    """Return whether the words for a way end with a condition or a measure."""
    if isinstance(way, m.Reach):
        return way.where is not None or way.through is not None
    is_broken = not (isinstance(way.closed, m.Const) and not way.closed.value)
    return is_broken or way.weight is not None or way.joint is not None
