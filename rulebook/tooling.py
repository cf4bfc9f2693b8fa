"""Names for tools that work with rule files: mutants, references, traversal, caches."""

from rulebook.addresses import card_unit, counted_limit, phase_of, phase_unit
from rulebook.check import SecretReader, range_of
from rulebook.digests.digest import differing
from rulebook.disk_cache import (
    Shelf,
    cache_folder,
    is_own,
    is_private,
    newest_first,
    own_folder,
)
from rulebook.loading.cached_book import books
from rulebook.loading.origins import Placed, lines_gone, lines_of
from rulebook.loading.rows import rows_of
from rulebook.loading.scenario_text import pasted
from rulebook.model.limits import HOLDER_MAX, SEARCHES
from rulebook.mutation import (
    DOUBLED,
    DRAWN,
    SWAPPED,
    Figure,
    Idle,
    Mutant,
    amendment,
    figured,
    figures,
    mutants,
    numbers,
    renumbered,
)
from rulebook.parse import decode
from rulebook.parse.grammar.keywords import (
    amended_words,
    clause_words,
    every_keyword,
    header_words,
    inner_words,
    line_words,
)
from rulebook.queries.arrivals import growing
from rulebook.queries.calls import condition_of, definitions_in_order
from rulebook.queries.fixed_parameters import always_given
from rulebook.queries.reads import (
    Reads,
    Writes,
    definition_lines,
    is_interruption,
    whose,
)
from rulebook.queries.state_parts import PartSort, StatePart
from rulebook.references.named_things import Sort, Thing
from rulebook.references.roles import AMENDED, EDITED
from rulebook.signatures import (
    CardTransfer,
    Effects,
    Ending,
    FieldPlace,
    Run,
    VariablePlace,
    called_by,
    effects_of,
    effects_within,
    is_statement,
)
from rulebook.source.printable import UNSEEN
from rulebook.source.spans import NOWHERE
from rulebook.source.spelling import nearest
from rulebook.traversal import children, find, rewrite, walk

__all__ = [
    "AMENDED",
    "DOUBLED",
    "DRAWN",
    "EDITED",
    "HOLDER_MAX",
    "NOWHERE",
    "SEARCHES",
    "SWAPPED",
    "UNSEEN",
    "CardTransfer",
    "Effects",
    "Ending",
    "FieldPlace",
    "Figure",
    "Idle",
    "Mutant",
    "PartSort",
    "Placed",
    "Reads",
    "Run",
    "SecretReader",
    "Shelf",
    "Sort",
    "StatePart",
    "Thing",
    "VariablePlace",
    "Writes",
    "always_given",
    "amended_words",
    "amendment",
    "books",
    "cache_folder",
    "called_by",
    "card_unit",
    "children",
    "clause_words",
    "condition_of",
    "counted_limit",
    "decode",
    "definition_lines",
    "definitions_in_order",
    "differing",
    "effects_of",
    "effects_within",
    "every_keyword",
    "figured",
    "figures",
    "find",
    "growing",
    "header_words",
    "inner_words",
    "is_interruption",
    "is_own",
    "is_private",
    "is_statement",
    "line_words",
    "lines_gone",
    "lines_of",
    "mutants",
    "nearest",
    "newest_first",
    "numbers",
    "own_folder",
    "pasted",
    "phase_of",
    "phase_unit",
    "range_of",
    "renumbered",
    "rewrite",
    "rows_of",
    "walk",
    "whose",
]
