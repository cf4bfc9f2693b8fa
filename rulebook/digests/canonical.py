"""Canonical form of checked rules: plain data, equal for equal meaning.

A part of the model becomes an object with its tag and its fields by name. Fields with
default values are omitted. The form contains no class names, so renaming a class or
adding an optional field keeps the digest. `docs/digest.md` specifies the form. Every
change of the form gets a new form number.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from rulebook import model as m
from rulebook.model import value_types as t

FORM_NUMBER = 2
"""Number of the current form; `first_form` defines form 1."""

TAGS: dict[type, str] = {
    # types
    t.Truth: "truth",
    t.Whole: "whole",
    t.Member: "member",
    t.Bag: "bag",
    t.Stack: "stack",
    t.SetOf: "set_of",
    t.Tally: "tally",
    t.NoneType: "none_type",
    # components
    m.Action: "action",
    m.Award: "award",
    m.Axis: "axis",
    m.Board: "board",
    m.Column: "column",
    m.Define: "define",
    m.DefineLine: "define_line",
    m.Domain: "domain",
    m.Field: "field",
    m.Limit: "limit",
    m.Model: "model",
    m.Option: "option",
    m.Parameter: "parameter",
    m.Piece: "piece",
    m.PointLine: "point_line",
    m.PointTable: "point_table",
    m.Procedure: "procedure",
    m.Relation: "relation",
    m.Requirement: "requirement",
    m.Room: "room",
    m.Rule: "rule",
    # statements
    m.Ask: "ask",
    m.Call: "call",
    m.CarryOut: "carry_out",
    m.ChanceChoose: "chance_choose",
    m.Choose: "choose",
    m.DrawCard: "draw_card",
    m.Each: "each",
    m.GameEnds: "game_ends",
    m.Gather: "gather",
    m.If: "if",
    m.MissesTurn: "misses_turn",
    m.MoveAll: "move_all",
    m.MoveCards: "move_cards",
    m.MovePiece: "move_piece",
    m.NextTurn: "next_turn",
    m.Offer: "offer",
    m.PlacePiece: "place_piece",
    m.Ranking: "ranking",
    m.RemovePiece: "remove_piece",
    m.Repeat: "repeat",
    m.Require: "require",
    m.Reveal: "reveal",
    m.RollDice: "roll_dice",
    m.Sees: "sees",
    m.SetField: "set_field",
    m.SetLocal: "set_local",
    m.SetTally: "set_tally",
    m.Shuffle: "shuffle",
    m.Spread: "spread",
    m.Starts: "starts",
    m.Step: "step",
    m.Stop: "stop",
    m.Together: "together",
    m.TurnsGo: "turns_go",
    m.Wins: "wins",
    # expressions
    m.ActivePlayer: "active_player",
    m.AllOf: "all_of",
    m.And: "and",
    m.Arith: "arith",
    m.AwardHolder: "award_holder",
    m.BagOver: "bag_over",
    m.Best: "best",
    m.CallDefine: "call_define",
    m.Clockwise: "clockwise",
    m.ColumnValue: "column_value",
    m.Compare: "compare",
    m.Conditional: "conditional",
    m.Const: "const",
    m.Contains: "contains",
    m.Count: "count",
    m.CountIn: "count_in",
    m.Covers: "covers",
    m.Distance: "distance",
    m.Exists: "exists",
    m.Extreme: "extreme",
    m.FieldValue: "field_value",
    m.Filter: "filter",
    m.Find: "find",
    m.Half: "half",
    m.Highest: "highest",
    m.KindsIn: "kinds_in",
    m.Local: "local",
    m.LongestTrail: "longest_trail",
    m.Measure: "measure",
    m.Not: "not",
    m.Numbers: "numbers",
    m.Only: "only",
    m.OptionValue: "option_value",
    m.Or: "or",
    m.OwnSpaces: "own_spaces",
    m.Per: "per",
    m.PieceCount: "piece_count",
    m.PieceLeft: "piece_left",
    m.PieceOn: "piece_on",
    m.PieceOwner: "piece_owner",
    m.PieceSpace: "piece_space",
    m.PieceSpaces: "piece_spaces",
    m.PlayerCount: "player_count",
    m.Points: "points",
    m.Reach: "reach",
    m.Related: "related",
    m.Round: "round",
    m.SingleBag: "single_bag",
    m.SizeOf: "size_of",
    m.Sorted: "sorted",
    m.SpaceAt: "space_at",
    m.Sum: "sum",
    m.SumBags: "sum_bags",
    m.TallyValue: "tally_value",
    m.TopOf: "top_of",
    m.Winner: "winner",
    m.Winners: "winners",
}
"""Tag of each model class in the form. A tag never changes."""

NON_RULE_CLASSES = frozenset(
    {m.Does, m.Drawing, m.Expect, m.GameMeasure, m.Given, m.Hint, m.Invariant}
    | {m.NextChance, m.Scenario, m.SetHolder, m.SetOption, m.SetRound, m.Stroke}
)
"""Model classes used only in tests and hints, which change no rule."""

SOURCE_FIELDS = frozenset({"span", "cites"})
"""Model fields that only record source spans and citations."""

OMITTED_FIELDS: dict[str, frozenset[str]] = {
    "define": frozenset({"action", "sentence"}),
    "domain": frozenset({"plural"}),
    "each": frozenset({"still"}),
    "model": frozenset(
        {"scenarios", "invariants", "hints", "drawings", "values", "measures"}
    ),
    "option": frozenset({"help"}),
    "move_piece": frozenset({"instead"}),
    "piece": frozenset({"plural"}),
    "place_piece": frozenset({"instead"}),
    "requirement": frozenset({"reason"}),
}
"""Further fields, by tag, that change no rule: texts for people, hints, tests.

`in place of what stands there` is one of them. It marks a replacement as intended,
which would happen anyway if a space has room for one piece. Without the words, the
checker reports it.
"""


def canonical_form(node: Any) -> Any:
    """Return part of the model in canonical form."""
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
    """Return whether a part carries meaning that no other part implies."""
    return not isinstance(node, m.Define) or node.action is None


def canonical_text(node: Any) -> str:
    """Return part of the model as canonical JSON: ASCII, sorted keys, no spaces."""
    return json.dumps(
        canonical_form(node), ensure_ascii=True, sort_keys=True, separators=(",", ":")
    )


def canonical_hash(node: Any) -> str:
    """Return the hexadecimal SHA-256 of part of the model in canonical form."""
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
        if not _same(value, default_of(field)):
            yield field.name, value


def default_of(field: attrs.Attribute[Any]) -> Any:
    """Return the default of a field, or `attrs.NOTHING` if it has none."""
    made = getattr(field.default, "factory", None)
    return field.default if made is None else made()


def _same(value: Any, default: Any) -> bool:
    """Return whether a value equals the default in value and type (0 is not `no`)."""
    return type(value) is type(default) and value == default


def _const(node: m.Const) -> dict[str, Any]:
    """Return a constant: `none` as null; a member or cards with their domain."""
    number = isinstance(node.type, t.Whole) and not node.type.optional
    if not number and type(node.value) is int and node.value == t.NONE:
        return {"is": TAGS[m.Const], "value": None}
    domain = getattr(node.type, "domain", None)
    of: Mapping[str, str] = {} if domain is None else {"of": domain}
    return {"is": TAGS[m.Const], "value": canonical_form(node.value), **of}
