"""Canonical form of checked rules: plain data, equal for equal meaning.

A part of the model becomes an object with its tag and its fields by name. Fields with
default values are omitted. The form contains no class names, so renaming a class or
adding an optional field keeps the digest. `docs/digest.md` specifies the form. Every
change of the form gets a new form number.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard

import attrs

from rulebook import model as m
from rulebook.model import value_types as t

FORM_NUMBER = 2
"""Number of the current form; `first_form` defines form 1."""

NON_RULE_CLASSES = frozenset(
    {m.Does, m.Drawing, m.Expect, m.ExpectView, m.GameMeasure, m.Given, m.Hint}
    | {
        m.Invariant,
        m.NextChance,
        m.Scenario,
        m.SetHolder,
        m.SetOption,
        m.SetRound,
        m.Stroke,
    }
)
"""Model classes used only in tests and hints, which change no rule."""

BASE_CLASSES = frozenset({m.Binder, m.Combinations, m.Part, m.Subset, m.Typed})
"""Model classes that serve only as base classes."""

EARLIER_TAGS: dict[type, str] = {
    m.BestMembers: "best",
    m.CallProcedure: "call",
    m.CountMembers: "count",
    m.EachMember: "each",
    m.FindMember: "find",
    m.HalfOf: "half",
    m.IfElse: "if",
    m.LabelledBlock: "step",
    m.NumberSet: "numbers",
    m.OnlyMember: "only",
    m.PlayerPoints: "points",
    m.RankMeasure: "measure",
    m.RoundNumber: "round",
    m.SortedMembers: "sorted",
    m.StackCard: "top_of",
    m.StopUnit: "stop",
    m.SumOver: "sum",
}
"""Tags of renamed classes, which keep the tag for their first name."""


def _tag(kind: type) -> str:
    """Return the tag of a model class: its name in snake case."""
    name = re.sub("(?<=.)(?=[A-Z])", "_", kind.__name__).lower()
    return EARLIER_TAGS.get(kind, name)


def _is_rule_class(kind: object) -> TypeGuard[type]:
    return (
        isinstance(kind, type)
        and attrs.has(kind)
        and kind.__module__.startswith(m.__name__)
        and kind not in BASE_CLASSES | NON_RULE_CLASSES
    )


TAGS: dict[type, str] = {
    kind: _tag(kind)
    for kind in (*vars(t).values(), *vars(m).values())
    if _is_rule_class(kind)
}
"""Tag of each model class in the canonical form. A tag never changes."""

_TAGS_WITH_WHO = (
    *("ask", "carry_out", "choose", "gather", "misses_turn", "next_turn"),
    *("sees", "starts", "wins"),
)

EARLIER_FIELDS: dict[tuple[str, str], str] = {
    **{(tag, "player"): "who" for tag in _TAGS_WITH_WHO},
    ("room", "each_owner"): "each_player",
    ("room", "maximum"): "most",
}
"""Canonical names of renamed fields, by tag and current name of the field."""

SOURCE_FIELDS = frozenset({"span", "cites"})
"""Model fields that only record source spans and citations."""

OMITTED_FIELDS: dict[str, frozenset[str]] = {
    "define": frozenset({"action", "sentence"}),
    "domain": frozenset({"plural"}),
    "each": frozenset({"still"}),
    "field": frozenset({"bookkeeping"}),
    "model": frozenset(
        {"scenarios", "invariants", "hints", "drawings", "values", "measures"}
    ),
    "option": frozenset({"help"}),
    "move_piece": frozenset({"instead"}),
    "piece": frozenset({"plural"}),
    "place_piece": frozenset({"instead"}),
    "requirement": frozenset({"reason"}),
}
"""Other fields, by tag, that change no rule: texts for people, hints and tests.

The field `instead` is set by `in place of what stands there`, which marks a replacement
as intended. On a space with room for one piece, the replacement happens anyway, but the
checker reports it without these words.
"""


def canonical_form(node: Any) -> Any:
    """Return a part of the model in canonical form, as plain data."""
    match node:
        case tuple() | list():
            return [canonical_form(part) for part in node]
        case dict():
            return [
                [key, canonical_form(part)]
                for key, part in node.items()
                if is_meaningful(part)
            ]
        case m.Const():
            return _const(node)
        case bool() | int() | str() | None:
            return node
    tag = TAGS[type(node)]
    written = {
        name: canonical_form(value) for name, value in _non_default_fields(node, tag)
    }
    return {"is": tag, **written}


def is_meaningful(node: Any) -> bool:
    """Return whether a part is not merely implied by the requirements of an action."""
    return not isinstance(node, m.Define) or node.action is None


def canonical_text(node: Any) -> str:
    """Return a part of the model as canonical JSON: ASCII, sorted keys, no spaces."""
    return json.dumps(
        canonical_form(node), ensure_ascii=True, sort_keys=True, separators=(",", ":")
    )


def canonical_hash(node: Any) -> str:
    """Return the hexadecimal SHA-256 hash of a part's canonical text."""
    return hashlib.sha256(canonical_text(node).encode("ascii")).hexdigest()


def rule_fields(kind: type) -> Iterator[attrs.Attribute[Any]]:
    """Return the fields of a model class that affect the rules.

    The type of an expression is omitted, since it follows from the parts. `_const`
    handles constants.
    """
    left_out = SOURCE_FIELDS | OMITTED_FIELDS.get(TAGS[kind], frozenset())
    if issubclass(kind, m.Typed):
        left_out |= {"type"}
    return (field for field in attrs.fields(kind) if field.name not in left_out)


def _non_default_fields(node: Any, tag: str) -> Iterator[tuple[str, Any]]:
    """Yield the name and value of each field that differs from its default."""
    for field in rule_fields(type(node)):
        value = getattr(node, field.name)
        if not _is_same_value(value, default_of(field)):
            yield canonical_field_name(tag, field.name), value


def canonical_field_name(tag: str, field: str) -> str:
    """Return the name of a model field in the canonical form of its class."""
    return EARLIER_FIELDS.get((tag, field), field)


def default_of(field: attrs.Attribute[Any]) -> Any:
    """Return the default of a field, or `attrs.NOTHING` if it has none."""
    factory = getattr(field.default, "factory", None)
    return field.default if factory is None else factory()


def _is_same_value(value: Any, default: Any) -> bool:
    """Return whether a value equals the default in value and type (0 is not `no`)."""
    return type(value) is type(default) and value == default


def _const(node: m.Const) -> dict[str, Any]:
    """Return a constant in canonical form; members and cards include their domain."""
    number = isinstance(node.type, t.Whole) and not node.type.optional
    if not number and type(node.value) is int and node.value == t.NONE:
        return {"is": TAGS[m.Const], "value": None}
    domain = getattr(node.type, "domain", None)
    of: Mapping[str, str] = {} if domain is None else {"of": domain}
    return {"is": TAGS[m.Const], "value": canonical_form(node.value), **of}
