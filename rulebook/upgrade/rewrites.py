"""Rewrites: one entry for each change of the language that refuses earlier rules.

A rewrite starts from an error and proposes changed texts, the likeliest first. The
first text that removes the error without a new one is used, so a proposal need not be
right in all cases. A proposal must mean what the earlier version did.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

import attrs

from rulebook import syntax as s
from rulebook.addresses import LEFT_SUFFIX
from rulebook.source.diagnostics import Diagnostic
from rulebook.upgrade.rule_text import MASK, RuleText
from rulebook.write.statement_text import INSTEAD

Proposals = Callable[[RuleText, Diagnostic], Iterable[str]]

_INDENT = "  "


@attrs.frozen
class Rewrite:
    """Change of the language in version *since*, and how rules follow it.

    `before` is refused since that version, `after` is its replacement. The rewrite
    applies to errors with one of `codes`, or to all errors if there are none.
    """

    name: str
    since: str
    before: str
    after: str
    proposals: Proposals
    codes: tuple[str, ...] = ()

    def applies_to(self, error: Diagnostic) -> bool:
        """Return whether the rewrite may remove an error."""
        return not self.codes or error.code in self.codes


# ------------------------------------------------------------------------------ words


def _rename(word: str, unless: str) -> Proposals:
    """Return the proposals that rename a word, except where *unless* matches after it.

    They concern names that are now words of the language.
    """
    name = rf"(?<!\w){word}(?!\w)(?!{unless})"

    def proposals(rules: RuleText, error: Diagnostic) -> Iterator[str]:
        begins, ends = rules.line_bounds(error.span.line)
        number = 2
        while re.search(rf"(?<!\w){word}_{number}(?!\w)", rules.masked):
            number += 1
        if re.search(name, rules.masked[begins:ends]):
            yield rules.replaced_words(name, f"{word}_{number}")

    return proposals


def _word_order(before: str, after: str) -> Proposals:
    """Return the proposals that replace a pattern of words in the line of an error."""

    def proposals(rules: RuleText, error: Diagnostic) -> Iterator[str]:
        yield rules.replaced_words(before, after, error.span.line)

    return proposals


# ----------------------------------------------------------------------------- header

_COUNTRYSIDE = '"ears"', '"firs"', '"tufts"', '"peaks"'
"""Patterns that only the theme `countryside` has since 0.2.0, as rules write them."""


def _with_theme(rules: RuleText, error: Diagnostic) -> Iterator[str]:
    """Add the theme to the header."""
    begins, ends = rules.line_bounds(error.span.line)
    header = rules.tree and rules.tree.header
    if not header or not any(x in rules.text[begins:ends] for x in _COUNTRYSIDE):
        return
    if header.themes:
        end = rules.end(header.themes[-1].span)
        yield rules.inserted(end, ", countryside")
    else:
        _, end = rules.line_bounds(header.span.end_line)
        yield rules.inserted(end, f"\n{_INDENT}theme countryside")


# ------------------------------------------------------------------------- statements


def _tested_again(rules: RuleText, error: Diagnostic) -> Iterator[str]:
    """Test the members of a loop again, in each round."""
    for loop in rules.nodes_around(error.span, s.EachStatement):
        begins, ends = rules.start(loop.binder.span), rules.end(loop.binder.span)
        for match in re.finditer(r"(?<!\w)where +", rules.masked[begins:ends]):
            yield rules.inserted(begins + match.end(), "still ")


def _replacing(rules: RuleText, error: Diagnostic) -> Iterator[str]:
    """Replace the piece that stands where another is placed."""
    for place in rules.nodes_around(error.span, s.Place):
        if INSTEAD.strip() in (error.help or ""):
            end = rules.end(place.spaces[-1].span)
            yield rules.inserted(end, INSTEAD)


def _needing(rules: RuleText, error: Diagnostic) -> Iterator[str]:
    """Let an action need the pieces that it places.

    The checker adds this requirement only for pieces that the action always places.
    """
    for action in rules.nodes_around(error.span, s.ActionClause):
        steps = [line for line in action.lines if isinstance(line, s.Statement)]
        if steps and f"{LEFT_SUFFIX} >" in (error.guard or ""):
            begins, _ = rules.line_bounds(steps[0].span.line)
            need = f'needs stock: {error.guard}  "{error.guard}"'
            yield rules.inserted(begins, f"{_INDENT}{need}\n")


def _guarded(rules: RuleText, error: Diagnostic) -> Iterator[str]:
    """Put a statement that may fail under the condition that the checker names.

    Each statement of a line such as `each spot: remove storm from spot` gets a line.
    """
    around = rules.nodes_around(error.span, s.Statement)
    if not error.guard or not around:
        return
    inner = around[0].span
    starts = [x.span.column - 1 for x in around if x.span.line == inner.line][::-1]
    begins, ends = rules.line_bounds(inner.line)
    line = rules.text[begins:ends]
    parts = [line[a:b].rstrip() for a, b in pairwise(starts)]
    parts += [f"if {error.guard}: {line[starts[-1] :]}"]
    head = line[: starts[0]]
    if head.strip():
        parts = [head.strip(), *parts]
    indent = head[: len(head) - len(head.lstrip())]
    lines = [f"{indent}{_INDENT * depth}{part}" for depth, part in enumerate(parts)]
    yield rules.replaced(begins, ends, "\n".join(lines))


REWRITES = (
    Rewrite(
        "name-announce",
        "0.3.0",
        "announce(2)",
        "announce_2(2)",
        _rename("announce", f" *{MASK}"),
    ),
    Rewrite(
        "name-let",
        "0.3.0",
        "let: 2 if fog",
        "let_2: 2 if fog",
        _rename("let", r" +(the +)?\w+ +be(?!\w)"),
    ),
    Rewrite(
        "no-owner",
        "0.3.0",
        "red's bridges_left",
        "bridges_left",
        _word_order(
            rf"(?:(?:your|\w+['’]s) +)+(\w+{LEFT_SUFFIX})(?!\w)",
            r"\1",
        ),
        ("RB125",),
    ),
    Rewrite(
        "name-every",
        "0.2.0",
        "every(2)",
        "every_2(2)",
        _rename("every", r" +\w"),
    ),
    Rewrite(
        "board-colour",
        "0.2.0",
        'hint colour board: "#cfe6f3"',
        'hint board colour: "#cfe6f3"',
        _word_order(r"(?<!\w)hint +colour +board(?!\w)", "hint board colour"),
        ("RB101", "RB163"),
    ),
    Rewrite(
        "theme",
        "0.2.0",
        'hint pattern moor: "firs"',
        "theme countryside",
        _with_theme,
        ("RB101",),
    ),
    Rewrite(
        "stack-end",
        "0.2.0",
        "move 1 wood from store to bottom of red's hand",
        "move 1 wood from store to red's hand",
        _word_order(r"(?<!\w)to +(?:the +)?(?:top|bottom) +of +", "to "),
        ("RB133",),
    ),
    Rewrite(
        "still",
        "0.2.0",
        "each player where store has 1 wood:",
        "each player where still store has 1 wood:",
        _tested_again,
        ("RB142", "RB145"),
    ),
    Rewrite(
        "in-place",
        "0.2.0",
        "place your house on site",
        "place your house on site in place of what stands there",
        _replacing,
        ("RB142",),
    ),
    Rewrite(
        "needs",
        "0.2.0",
        "if fold is not none: place your sheep on fold",
        'needs stock: your sheep_left > 0  "your sheep_left > 0"',
        _needing,
        ("RB142",),
    ),
    Rewrite(
        "guard",
        "0.2.0",
        "remove your house from site",
        "if site has your house: remove your house from site",
        _guarded,
        ("RB142",),
    ),
)
"""All rewrites, in the order in which they are tried."""
