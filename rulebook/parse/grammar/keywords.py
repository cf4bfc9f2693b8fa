"""Keywords of the language, by their role in the grammar.

The roles are words that start a clause, a sentence or a value, and words between two
values. They are computed from the rules of the grammar, so new words are included
automatically.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache, lru_cache
from itertools import pairwise

from lark.grammar import Rule, Symbol
from lark.lexer import Pattern

from rulebook.parse.parser import parser

# ---------------------------------------------------------------- grammar rules


@lru_cache(maxsize=1)
def productions() -> dict[str, list[Rule]]:
    """Return the grammar's rules by the symbol on their left side."""
    rules: dict[str, list[Rule]] = {}
    for rule in parser().rules:
        rules.setdefault(rule.origin.name, []).append(rule)
    return rules


@cache
def first_tokens(*rules: str) -> tuple[str, ...]:
    """Return the tokens that may start one of the rules, in the grammar's order."""
    tokens: dict[str, None] = {}
    known: set[str] = set()
    for name in rules:
        _add_first_tokens(name, tokens, known)
    return tuple(tokens)


def _add_first_tokens(name: str, tokens: dict[str, None], visited: set[str]) -> None:
    if name in visited:
        return
    visited.add(name)
    for rule in productions()[name]:
        for symbol in rule.expansion:
            if symbol.is_term:
                tokens[symbol.name] = None
                break
            _add_first_tokens(symbol.name, tokens, visited)
            if not _is_nullable(symbol.name):
                break


def _is_nullable(name: str) -> bool:
    """Return whether a grammar rule can match an empty text, as citations can."""
    return any(not rule.expansion for rule in productions()[name])


@cache
def second_tokens(
    rules: Collection[str], leading_tokens: Collection[str]
) -> tuple[str, ...]:
    """Return the second tokens of rules that start with one of *leading_tokens*."""
    tokens: dict[str, None] = {}
    for name in rules:
        for rule in productions()[name]:
            start, *more = rule.expansion[:2]
            if start.name in leading_tokens and more and more[0].is_term:
                tokens[more[0].name] = None
    return tuple(tokens)


@cache
def clause_words_with(*parts: str) -> tuple[str, ...]:
    """Return the first words of the clauses whose grammar contains one of *parts*."""
    tokens: dict[str, None] = {}
    for name in _declarations():
        for rule in productions()[name]:
            if any(_contains_any(symbol, parts) for symbol in rule.expansion):
                tokens[rule.expansion[0].name] = None
    return tuple(word for name in tokens for word in spellings(name))


def _contains_any(symbol: Symbol, parts: Collection[str]) -> bool:
    if symbol.name.startswith("__"):  # helper of a `+` or `*`
        inner = productions()[symbol.name]
        return any(part.name in parts for rule in inner for part in rule.expansion)
    return symbol.name in parts


def _declarations() -> Iterator[str]:
    for name in ("decl", "clause"):
        yield from (rule.expansion[0].name for rule in productions()[name])


@cache
def tokens_before(token: str) -> tuple[str, ...]:
    """Return the tokens that may precede a phrase that starts with a token."""
    tokens: dict[str, None] = {}
    for rules in productions().values():
        for rule in rules:
            for left, right in pairwise(rule.expansion):
                follows = {right.name} if right.is_term else first_tokens(right.name)
                if left.is_term and token in follows:
                    tokens[left.name] = None
    return tuple(tokens)


# ---------------------------------------------------------------- tokens


@lru_cache(maxsize=1)
def token_spellings() -> dict[str, str]:
    """Return the spelling of each keyword or sign, by the name of its token."""
    texts = {}
    for name, pattern in _patterns().items():
        text = re.sub(r"\(\?!.*?\)$", "", pattern.value).replace(" +", " ")
        texts[name] = text.replace("\\", "")
    return texts


@lru_cache(maxsize=1)
def _patterns() -> dict[str, Pattern]:
    return {terminal.name: terminal.pattern for terminal in parser().terminals}


def keywords(tokens: Iterable[str]) -> list[str]:
    """Return the words for some grammar tokens, sorted."""
    known = token_spellings()
    texts = (known.get(name, "") for name in tokens)
    return sorted(word for word in texts if word.replace(" ", "").isalpha())


@lru_cache(maxsize=1)
def all_keywords() -> tuple[str, ...]:
    """Return all words that are keywords anywhere, sorted."""
    return tuple(keywords(token_spellings()))


@cache
def spellings(token: str) -> tuple[str, ...]:
    """Return each spelling of a token: `chooses` and `choose`.

    Lookahead in its pattern is not included. Tokens other than keywords (names,
    numbers, layout) have no fixed spelling.
    """
    known = _patterns().get(token)
    if known is None or known.type == "str":
        return () if known is None else (known.value,)
    text = known.value.replace(r"(?!\w)", "")
    text = text.replace("([ \t]*(#[^\n]*)?\n)*[ \t]*", " ")  # line end
    text = re.sub(r"\[[ \t\n]+\]\+| [+*]", " ", text.partition("(?")[0])
    text = text.replace("['’]", "'").replace(r"\/", "/")
    text += ")" * (text.count("(") - text.count(")"))
    if re.search(r"[][+*^\\]", text):
        return ()
    return tuple(_variants(f"({text})"))


def _variants(text: str) -> Iterator[str]:
    """Yield the texts of a pattern, with and without its optional parts."""
    group = re.search(r"\(([^()]*)\)(\??)|(\w)(\?)", text)
    if group is None:
        yield text
        return
    choices = group[1].split("|") if group[1] is not None else [group[3]]
    for choice in (*choices, *([""] if group[2] or group[4] else [])):
        yield from _variants(text[: group.start()] + choice + text[group.end() :])


def _words(tokens: Iterable[str]) -> tuple[str, ...]:
    """Return the spellings of the tokens that are a single word."""
    written = (text for name in tokens for text in spellings(name))
    return tuple(dict.fromkeys(text for text in written if text.isalpha()))


def _first_words(tokens: Iterable[str]) -> tuple[str, ...]:
    written = (text.split()[:1] for name in tokens for text in spellings(name))
    return tuple(dict.fromkeys(word[0] for word in written if "".join(word).isalpha()))


# ---------------------------------------------------------------- roles

_ROUND_PREFIX_RULE = "beside"
"""Grammar rule of the words before `each round`; only there do they start a clause."""

_LINES = (
    *("header_line", "stmt", "else_", "action_line", "card_line", "phase"),
    *("award_line{cites}", "scenario_step", "edit"),
)
"""Grammar rules of lines inside clauses, without values and cells."""

_PARTS = {"ON", "TO"}
"""Words after a value that continue a longer phrase: `number of A on B`, `A to B`."""


@lru_cache(maxsize=1)
def clause_words() -> tuple[str, ...]:
    """Return the words with which clauses start."""
    prefixes = first_tokens(_ROUND_PREFIX_RULE)
    return _words(name for name in first_tokens("clause") if name not in prefixes)


@lru_cache(maxsize=1)
def header_words() -> tuple[str, ...]:
    """Return the words with which headers of games and other files start."""
    return _words(first_tokens("file_sort"))


@lru_cache(maxsize=1)
def header_line_words() -> tuple[str, ...]:
    """Return the words that start a line of a header, but no clause."""
    return _inner_start_words("header_line")


@lru_cache(maxsize=1)
def line_words() -> tuple[str, ...]:
    """Return the words that start a line inside a clause, but no clause."""
    return _inner_start_words(*_LINES, after="_INDENT")


@lru_cache(maxsize=1)
def inner_words() -> tuple[str, ...]:
    """Return the words that occur inside clauses, not only at their start."""
    rules = parser().rules
    behind = {
        it.name: None for rule in rules for it in rule.expansion[1:] if it.is_term
    }
    inside = {*_words(behind), *_words(first_tokens(*_LINES, "expr"))}
    only = set(clause_words()) - inside
    return tuple(word for word in all_keywords() if word not in only)


AMENDMENT_RULES = {
    "in": ("within_sort",),
    "replace": ("decl",),
    "remove": ("sort", "titled"),
}
"""Grammar rules of the text after the word that starts an amendment, by word."""


@cache
def amendable_sorts(verb: str) -> tuple[str, ...]:
    """Return the sorts of clauses that follow `in`, `replace` or `remove`."""
    return _words(first_tokens(*AMENDMENT_RULES[verb]))


def _inner_start_words(*rules: str, after: str = "") -> tuple[str, ...]:
    """Return the words that start one of the rules or directly follow a token.

    Words that start a clause or a header are excluded.
    """
    outside = (*clause_words(), *header_words())
    words = _first_words((*first_tokens(*rules), *_tokens_directly_after(after)))
    return tuple(word for word in words if word not in outside)


def _tokens_directly_after(token: str) -> Iterator[str]:
    for rule in parser().rules:
        for left, right in pairwise(rule.expansion):
            if left.name == token and right.is_term:
                yield right.name


@lru_cache(maxsize=1)
def sentence_words() -> tuple[str, ...]:
    """Return the words that start a sentence without a subject."""
    return _words(first_tokens("stmt", "else_", "action_line"))


@lru_cache(maxsize=1)
def verbs() -> tuple[str, ...]:
    """Return the words that follow the subject of a sentence, longest first."""
    following = second_tokens(("simple", "stmt"), ("who", "postfix"))
    return tuple(sorted(_words(following), key=lambda word: (-len(word), word)))


@lru_cache(maxsize=1)
def value_tokens() -> frozenset[str]:
    """Return the tokens that start a value, or cards or pieces to be moved."""
    return frozenset(first_tokens("expr", "thing"))


@lru_cache(maxsize=1)
def _expression_rules() -> tuple[str, ...]:
    """Return the grammar rules of expressions that can start another expression."""
    levels = {"expr": None, "domain": None, "measure": None}
    for name in (queue := list(levels)):
        for rule in productions()[name]:
            first = rule.expansion[0]
            if not first.is_term and first.name not in levels:
                levels[first.name] = None
                queue.append(first.name)
    return tuple(levels)


@lru_cache(maxsize=1)
def operator_tokens() -> frozenset[str]:
    """Return the tokens that may follow a complete value inside an expression."""
    following = second_tokens(_expression_rules(), _expression_rules())
    return frozenset((*following, *first_tokens("args"))) - _PARTS


@lru_cache(maxsize=1)
def words_before_numbers() -> frozenset[str]:
    """Return the words after which a minus is the sign of a number.

    For a longer phrase, these are its last two words, such as `at place`. Prepositions
    of predicates, such as `outside`, are more often names.
    """
    names = {*tokens_before("MINUS")} - {"PREP"}
    written = (text for name in names for text in spellings(name))
    return frozenset(" ".join(text.split()[-2:]) for text in written if text.split())


@lru_cache(maxsize=1)
def table_words() -> tuple[str, ...]:
    """Return the first words of clauses that are tables."""
    return clause_words_with("table", "looks", "heading_row")


@lru_cache(maxsize=1)
def bracket_words() -> tuple[str, ...]:
    """Return the first words of clauses whose name is followed by a bracket."""
    return clause_words_with("plural", "reach")
