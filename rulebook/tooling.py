"""Public names for tools that work with rule files, such as mutants and traversal."""

from rulebook.addresses import (
    card_unit,
    counted_limit,
    phase_of,
    phase_players_unit,
    phase_unit,
    text_name,
)
from rulebook.check import range_of
from rulebook.check.looks.missing_texts import moments_without_text
from rulebook.check.looks.texts import Moments
from rulebook.check.typing.visible_names import BUILTIN_NAMES
from rulebook.digests.digest import differing_parts
from rulebook.disk_cache import (
    DiskCache,
    cache_folder,
    is_owned_by_user,
    is_private,
    list_newest_first,
    private_cache_folder,
)
from rulebook.loading.amended_book import amended_book
from rulebook.loading.cached_book import book_cache
from rulebook.loading.member_spans import member_spans
from rulebook.loading.scenario_text import parse_scenarios
from rulebook.loading.source_lines import SourceLine, lines_of, removed_lines
from rulebook.model.limits import DEAL_SEARCHES_MAX, HOLDER_MAX
from rulebook.mutation import (
    DOUBLED,
    SAMPLED_OPERATORS,
    SWAPPED,
    VISIBILITY,
    EquivalenceDetector,
    Figure,
    Mutant,
    amendment_text,
    figures,
    mutants,
    numbers,
    with_figure,
    with_number,
)
from rulebook.parse import decode
from rulebook.parse.grammar.keyword_help import REFERENCE, KeywordHelp, keyword_help
from rulebook.parse.grammar.keywords import (
    all_keywords,
    amendable_sorts,
    clause_words,
    header_words,
    inner_words,
    line_words,
)
from rulebook.queries.calls import definitions_in_order, single_expression
from rulebook.queries.constant_tables import ENTRIES_MAX as TABLE_ENTRIES_MAX
from rulebook.queries.constant_tables import constant_table
from rulebook.queries.fixed_parameters import fixed_parameter_counts
from rulebook.queries.growing_domains import growing_domains
from rulebook.queries.look_definitions import look_definition
from rulebook.queries.member_parts import member_parts
from rulebook.queries.reads import (
    ReadFinder,
    Writes,
    definition_lines,
    is_interruption,
    part_owner,
)
from rulebook.queries.state_parts import PartSort, StatePart
from rulebook.queries.stored_names import stored_names
from rulebook.references.expected_names import ExpectedName, name_after, words_after
from rulebook.references.named_things import Sort, Thing
from rulebook.references.roles import AMENDED, EDITED
from rulebook.signatures import (
    CardTransfer,
    Effects,
    Ending,
    FieldPlace,
    Run,
    VariablePlace,
    callees_of,
    effects_of,
    effects_within,
    is_statement,
)
from rulebook.source.printable import UNPRINTABLE
from rulebook.source.spans import NOWHERE
from rulebook.source.spelling import nearest
from rulebook.syntax import TextSort
from rulebook.text_gaps import ACTIVE_PLAYER, COUNT, GAP, YOU, YOUR
from rulebook.traversal import children, find, rewrite, walk
from rulebook.upgrade import (
    REWRITES,
    AppliedRewrite,
    Rewrite,
    Upgrade,
    upgrade_texts,
)

__all__ = [
    "ACTIVE_PLAYER",
    "AMENDED",
    "BUILTIN_NAMES",
    "COUNT",
    "DEAL_SEARCHES_MAX",
    "DOUBLED",
    "EDITED",
    "GAP",
    "HOLDER_MAX",
    "NOWHERE",
    "REFERENCE",
    "REWRITES",
    "SAMPLED_OPERATORS",
    "SWAPPED",
    "TABLE_ENTRIES_MAX",
    "UNPRINTABLE",
    "VISIBILITY",
    "YOU",
    "YOUR",
    "AppliedRewrite",
    "CardTransfer",
    "DiskCache",
    "Effects",
    "Ending",
    "EquivalenceDetector",
    "ExpectedName",
    "FieldPlace",
    "Figure",
    "KeywordHelp",
    "Moments",
    "Mutant",
    "PartSort",
    "ReadFinder",
    "Rewrite",
    "Run",
    "Sort",
    "SourceLine",
    "StatePart",
    "TextSort",
    "Thing",
    "Upgrade",
    "VariablePlace",
    "Writes",
    "all_keywords",
    "amendable_sorts",
    "amended_book",
    "amendment_text",
    "book_cache",
    "cache_folder",
    "callees_of",
    "card_unit",
    "children",
    "clause_words",
    "constant_table",
    "counted_limit",
    "decode",
    "definition_lines",
    "definitions_in_order",
    "differing_parts",
    "effects_of",
    "effects_within",
    "figures",
    "find",
    "fixed_parameter_counts",
    "growing_domains",
    "header_words",
    "inner_words",
    "is_interruption",
    "is_owned_by_user",
    "is_private",
    "is_statement",
    "keyword_help",
    "line_words",
    "lines_of",
    "list_newest_first",
    "look_definition",
    "member_parts",
    "member_spans",
    "moments_without_text",
    "mutants",
    "name_after",
    "nearest",
    "numbers",
    "parse_scenarios",
    "part_owner",
    "phase_of",
    "phase_players_unit",
    "phase_unit",
    "private_cache_folder",
    "range_of",
    "removed_lines",
    "rewrite",
    "single_expression",
    "stored_names",
    "text_name",
    "upgrade_texts",
    "walk",
    "with_figure",
    "with_number",
    "words_after",
]
