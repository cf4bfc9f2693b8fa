"""Tables of the sorts of things that a name can refer to, by its syntactic place."""

from __future__ import annotations

from rulebook import syntax as s
from rulebook.references.named_things import Sort

BARE_NAME_SORTS = (
    *(Sort.FIELD, Sort.OPTION, Sort.DEFINE, Sort.MEMBER, Sort.KIND, Sort.PIECE),
    *(Sort.AWARD, Sort.DICE, Sort.COLUMN),
)
"""Sorts that a name without an owner may refer to, in the checker's order."""

PATH_START_SORTS = (
    *(Sort.KIND, Sort.MEMBER, Sort.PIECE, Sort.ACTION, Sort.OPTION, Sort.DEFINE),
    *(Sort.FIELD, Sort.PROCEDURE, Sort.AWARD, Sort.RULE, Sort.LIMIT, Sort.COST),
    *(Sort.DICE, Sort.PHASE, Sort.MEASURE, Sort.COLUMN, Sort.STEP, Sort.LINE),
    *(Sort.NEED, Sort.COLOUR, Sort.DRAWING, Sort.SOURCE, Sort.TEAM, Sort.FILE),
)
"""Sorts that the first name in a path of words or citations may refer to."""

CELL_SORTS = (Sort.MEMBER, Sort.OPTION, *PATH_START_SORTS)
"""Sorts that a name in a cell of a table may refer to."""

GAP_SORTS = (Sort.FIELD, Sort.STEP, Sort.COLUMN)
"""Sorts that a gap of a text may refer to, besides the variables of its clause."""

PART_SORTS = (
    *(Sort.COLUMN, Sort.FIELD, Sort.DEFINE, Sort.KIND, Sort.PIECE, Sort.MEMBER),
    *(Sort.AWARD, Sort.DICE),
)
"""Sorts that a name after `'s` may refer to."""

MENTION_SORTS: dict[tuple[type[s.Node], str], tuple[Sort, ...]] = {
    (s.NameRef, "name"): BARE_NAME_SORTS,
    (s.LinkRef, "first"): (Sort.MEMBER,),
    (s.LinkRef, "second"): (Sort.MEMBER,),
    (s.Of, "name"): PART_SORTS,
    (s.Apply, "name"): (Sort.DEFINE, Sort.KIND, Sort.FIELD, Sort.COLUMN),
    (s.Is, "word"): (Sort.DEFINE, *BARE_NAME_SORTS),
    (s.HasA, "name"): (Sort.PIECE, Sort.MEMBER, Sort.KIND, Sort.FIELD),
    (s.HasAnothers, "kind"): (Sort.KIND,),
    (s.HasAnothers, "name"): (Sort.PIECE,),
    (s.HasAmount, "name"): (Sort.MEMBER, Sort.PIECE, Sort.KIND),
    (s.CostOf, "name"): (Sort.COST,),
    (s.Amount, "name"): (Sort.MEMBER, Sort.KIND),
    (s.KindType, "name"): (Sort.KIND,),
    (s.HolderType, "name"): (Sort.KIND,),
    (s.ActionOffer, "name"): (Sort.ACTION, Sort.MEMBER, Sort.KIND, Sort.LOCAL),
    (s.Perform, "name"): (Sort.PROCEDURE,),
    (s.LetTally, "kinds"): (Sort.KIND,),
    (s.LetBag, "kind"): (Sort.KIND,),
    (s.Roll, "dice"): (Sort.DICE,),
    (s.Spreads, "field"): (Sort.COLUMN, Sort.FIELD, Sort.KIND),
    (s.IsToMove, "phase"): (Sort.PHASE,),
    (s.Menu, "until"): (Sort.ACTION,),
    (s.ChanceGives, "event"): (Sort.STEP, *PATH_START_SORTS),
    (s.FieldLine, "starts_every"): (Sort.KIND,),
    (s.PieceClause, "owner"): (Sort.KIND,),
    (s.PieceClause, "stands_on"): (Sort.KIND,),
    (s.RoomPhrase, "owner"): (Sort.KIND,),
    (s.FieldsClause, "owner"): (Sort.KIND, Sort.PIECE),
    (s.PieceFieldValue, "name"): (Sort.FIELD,),
    (s.NeedsAs, "action"): (Sort.ACTION, Sort.MEMBER),
    (s.CardTextClause, "name"): (Sort.MEMBER,),
    (s.LimitClause, "actions"): (Sort.ACTION,),
    (s.PaymentsClause, "by"): (Sort.PROCEDURE,),
    (s.PaymentsClause, "condition"): (Sort.DEFINE,),
    (s.HintClause, "name"): PATH_START_SORTS,
    (s.ExpectNamesClause, "names"): PATH_START_SORTS,
    (s.LinksClause, "between"): (Sort.KIND,),
    (s.ColumnsClause, "name"): (Sort.KIND,),
    (s.Team, "members"): (Sort.MEMBER,),
    (s.Header, "extends"): (Sort.FILE,),
    (s.Header, "boards"): (Sort.FILE,),
    (s.Header, "over"): (Sort.FILE,),
    (s.ScenarioClause, "over"): (Sort.FILE,),
    (s.AsInClause, "library"): (Sort.FILE,),
    (s.CiteLine, "library"): (Sort.FILE,),
    (s.HeadingsClause, "sources"): (Sort.SOURCE,),
}
"""Sorts that the names in node fields refer to; exceptions are in `name_collection`."""

DECLARED_SORTS: dict[type[s.Node], Sort] = {
    s.KindClause: Sort.KIND,
    s.CardsClause: Sort.KIND,
    s.SpacesClause: Sort.KIND,
    s.HexesClause: Sort.KIND,
    s.CornersClause: Sort.KIND,
    s.LinksClause: Sort.KIND,
    s.OptionClause: Sort.OPTION,
    s.CostClause: Sort.COST,
    s.PieceClause: Sort.PIECE,
    s.ActionClause: Sort.ACTION,
    s.ProcedureClause: Sort.PROCEDURE,
    s.ExpectProcedureClause: Sort.PROCEDURE,
    s.Phase: Sort.PHASE,
    s.AwardClause: Sort.AWARD,
    s.RuleClause: Sort.RULE,
    s.LimitClause: Sort.LIMIT,
    s.MeasureClause: Sort.MEASURE,
    s.ColourClause: Sort.COLOUR,
    s.DrawingClause: Sort.DRAWING,
    s.Source: Sort.SOURCE,
    s.Team: Sort.TEAM,
}
"""Sort of thing that each node class declares by its `name`."""

AMENDED: dict[str, tuple[Sort, ...]] = {
    **dict.fromkeys(("kind", "cards", "spaces", "hexes", "corners"), (Sort.KIND,)),
    "links": (Sort.KIND,),
    "option": (Sort.OPTION,),
    "cost": (Sort.COST,),
    "piece": (Sort.PIECE,),
    "action": (Sort.ACTION,),
    "to": (Sort.PROCEDURE,),
    "card": (Sort.MEMBER,),
    "award": (Sort.AWARD,),
    "rule": (Sort.RULE,),
    "limit": (Sort.LIMIT,),
    "measure": (Sort.MEASURE,),
    "phase": (Sort.PHASE,),
    "define": (Sort.DEFINE,),
    "dice": (Sort.DICE,),
    "colour": (Sort.COLOUR,),
    "drawing": (Sort.DRAWING,),
    "each": (Sort.KIND,),
}
"""Sorts of things that an amendment may name, by the word of its clause."""

EDITED: dict[str, tuple[Sort, ...]] = {
    s.EditPart.NEEDS: (Sort.NEED,),
    s.EditPart.ROW: (Sort.MEMBER,),
    s.EditPart.LINE: (Sort.LINE,),
    s.EditPart.POINTS: (Sort.LINE,),
    s.EditPart.STEP: (Sort.STEP,),
    s.EditPart.ACTION: (Sort.ACTION,),
    s.EditPart.FIELD: (Sort.FIELD,),
    s.EditPart.PHASE: (Sort.PHASE,),
}
"""Sorts of things that each part of an edit may name."""

NAMING_HINTS = frozenset(
    ("rows", "pips", "caption", "within", "drawn", "shows", "lies", "during")
)
"""Words of the hints whose texts contain names from the rules."""

CLAUSE_PART_SORTS = frozenset((Sort.NEED, Sort.MEMBER, Sort.LINE))
"""Sorts of things that are parts of the edited clause."""
