"""Rulebook, the language: text in, a checked rulebook or diagnostics out.

This is the floor's front door; other floors import nothing else of it.
"""

from rulebook.addresses import Address, card_unit, limit_of, phase_of, phase_unit
from rulebook.check import SecretReader, surely
from rulebook.digests.digest import differing
from rulebook.disk_cache import (
    Shelf,
    cache_folder,
    is_own,
    is_private,
    newest_first,
    own_folder,
)
from rulebook.loading.book import ClauseInfo, Rulebook
from rulebook.loading.cached_book import books
from rulebook.loading.desk import Desk
from rulebook.loading.load import examine, examine_text, glance, load, loads, recheck
from rulebook.loading.origins import Placed, lines_gone, lines_of
from rulebook.loading.rows import rows_of
from rulebook.loading.scenario_text import pasted
from rulebook.model.limits import HOLDER_MAX, SEARCHES, Limits
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
from rulebook.queries.reads import Reads, Writes, whose
from rulebook.queries.state_parts import PartSort, StatePart
from rulebook.references.index import Use, Uses
from rulebook.references.reading import uses_in
from rulebook.references.roles import AMENDED, EDITED
from rulebook.references.symbols import Sort, Thing
from rulebook.source.diagnostics import (
    CODES,
    Diagnostic,
    RulesError,
    has_errors,
)
from rulebook.source.files import read_file
from rulebook.source.printable import UNSEEN, visible, visible_lines
from rulebook.source.rendering import render, render_all
from rulebook.source.spans import NOWHERE, Cite, Span
from rulebook.source.spelling import nearest
from rulebook.walk import (
    children,
    find,
    rewrite,
    walk,
)
from rulebook.write.format import format_text

__all__ = [
    "AMENDED",
    "CODES",
    "DOUBLED",
    "DRAWN",
    "EDITED",
    "HOLDER_MAX",
    "NOWHERE",
    "SEARCHES",
    "SWAPPED",
    "UNSEEN",
    "Address",
    "Cite",
    "ClauseInfo",
    "Desk",
    "Diagnostic",
    "Figure",
    "Idle",
    "Limits",
    "Mutant",
    "PartSort",
    "Placed",
    "Reads",
    "Rulebook",
    "RulesError",
    "SecretReader",
    "Shelf",
    "Sort",
    "Span",
    "StatePart",
    "Thing",
    "Use",
    "Uses",
    "Writes",
    "always_given",
    "amended_words",
    "amendment",
    "books",
    "cache_folder",
    "card_unit",
    "children",
    "clause_words",
    "condition_of",
    "decode",
    "definitions_in_order",
    "differing",
    "every_keyword",
    "examine",
    "examine_text",
    "figured",
    "figures",
    "find",
    "format_text",
    "glance",
    "growing",
    "has_errors",
    "header_words",
    "inner_words",
    "is_own",
    "is_private",
    "limit_of",
    "line_words",
    "lines_gone",
    "lines_of",
    "load",
    "loads",
    "mutants",
    "nearest",
    "newest_first",
    "numbers",
    "own_folder",
    "pasted",
    "phase_of",
    "phase_unit",
    "read_file",
    "recheck",
    "render",
    "render_all",
    "renumbered",
    "rewrite",
    "rows_of",
    "surely",
    "uses_in",
    "visible",
    "visible_lines",
    "walk",
    "whose",
]
